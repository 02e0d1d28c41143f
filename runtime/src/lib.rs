//! Native meaning of instrumented bitcode
