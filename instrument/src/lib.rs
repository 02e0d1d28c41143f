//! Lipton reduction: mover analysis, plan and bitcode instrumentation
