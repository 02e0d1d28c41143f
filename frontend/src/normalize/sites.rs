//! Numbers of instructions, which name them in the model.

use abi::markers::SITE_METADATA;

use crate::llvm::{Module, Value};

/// Gives every instruction its number in reading order; see [`abi::ids::SiteId`].
pub(super) fn number(module: &Module) {
    module.use_debug_records(false);
    let kind = module.metadata_kind(SITE_METADATA);
    let instructions = module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .filter(|i| !i.is_debug_intrinsic());
    for (instruction, number) in instructions.zip(0u32..) {
        instruction.set_metadata_number(module, kind, number);
    }
}
