//! The verifier: from C or bitcode to a verdict
