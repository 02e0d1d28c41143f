//! All tests beside the unit tests, in one binary: one is linked faster than many, and keeps all processors at work.

mod collisions;
mod common;
mod effects;
mod explore;
mod interleavings;
mod layout;
mod lifetimes;
mod meaning;
mod mutexes;
mod names;
mod points_to;
mod statements;
mod undefined;
mod unfolded;
mod values;
