//! Memory of the stack that is taken after the start of a function: arrays of variable length, and calls of `alloca`.

use inkwell::values::InstructionOpcode;

use crate::llvm::Value;

/// Whether an instruction takes memory of the stack that does not simply last as long as its function: not at its start, of a
/// computed size, or behind a call that keeps the place of the stack.
pub(super) fn is_taken(instruction: Value) -> bool {
    if instruction.opcode() != Some(InstructionOpcode::Alloca) {
        return false;
    }
    let block = instruction.block();
    let is_first = block.function().blocks().first() == Some(&block);
    let is_constant = instruction.operand(0).and_then(Value::integer).is_some();
    let mut before = block
        .instructions()
        .into_iter()
        .take_while(|&other| other != instruction);
    !is_first || !is_constant || before.any(keeps_place)
}

/// Whether an instruction keeps the place of the stack.
pub(super) fn keeps_place(instruction: Value) -> bool {
    instruction.is_call() && instruction.callee().name().starts_with("llvm.stacksave")
}
