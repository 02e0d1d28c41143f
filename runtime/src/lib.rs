//! The native meaning of instrumented bitcode: a static library with which the bitcode is linked.
//!
//! A native run is a run of the reduced system: one thread at a time goes from one external location to the next, and a
//! `policy` decides which thread is next: randomly, or by the turns of a counterexample. So atomic regions need no
//! lock, and conditions over the published locations of other threads have the meaning of `docs/reduction.md`.
//!
//! * `scheduler`, `state`: which thread has the turn, and the status of every thread;
//! * `markers`, `functions`, `inputs`: the calls that `instrument` inserts, and those of the program that C libraries
//!   do not have;
//! * `heap`: the memory of heap objects;
//! * `threads`, `mutexes`: the functions of POSIX that have to wait for a turn, with the meaning of
//!   `docs/semantics.md`;
//! * `phase`: whether the transaction has committed, and the check that it can end then;
//! * `races`: the two accesses of a data race, in a replay;
//! * `ending`, `report`: how a run ends, and the reports on its end;
//! * `sanitizer`: what AddressSanitizer finds, in replays of violations of memory.
//!
//! The functions have the names of the functions that they replace: a linker finds them here before it searches the C
//! library.

// The tests must not replace functions of the C library that they run on, so nothing calls these.
#![cfg_attr(test, allow(dead_code, non_snake_case))]

mod current;
mod ending;
mod functions;
mod heap;
mod inputs;
mod markers;
mod mutexes;
mod phase;
mod policy;
mod races;
mod real;
mod report;
mod sanitizer;
mod scheduler;
mod state;
mod threads;
mod verdict;
