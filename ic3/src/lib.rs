//! Verification engines over transition systems and the solvers below them
