//! Places where control enters or leaves a block of the source, which is where lifetimes start and end.

use inkwell::values::InstructionOpcode;

use crate::llvm::{Block, Value};

/// A place where control enters or leaves a block of the source.
pub(super) struct Crossing {
    pub place: CrossingPlace,
    pub enters: bool,
}

#[derive(Clone, Copy)]
pub(super) enum CrossingPlace {
    Before(Value),
    Between(Block, Block),
}

pub(super) fn is_return(instruction: Value) -> bool {
    instruction.opcode() == Some(InstructionOpcode::Return)
}
