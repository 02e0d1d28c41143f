//! Calls that stand for constructs which are not read. A path of the program ends where it reaches such a call.

use abi::markers::UNSUPPORTED;

use crate::llvm::{Builder, Module};

/// Inserts a call that stands for a construct that is not read.
pub(super) fn insert_unsupported(module: &Module, builder: &Builder, what: &str) {
    let text = module.constant_string(what);
    builder.call_named(module, UNSUPPORTED, module.void_type(), &[text]);
}
