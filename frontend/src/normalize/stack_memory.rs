//! Memory of the stack that is taken after the start of a function: arrays of variable length, and calls of `alloca`.

use rustc_hash::FxHashSet;

use crate::llvm::{Block, Value};

/// The instructions of a function that take memory of the stack that does not simply last as long as the function: not at its start,
/// of a computed size, or behind a call that keeps the place of the stack.
pub(super) fn taken(function: Value) -> FxHashSet<Value> {
    let blocks = function.blocks().into_iter();
    let blocks: Vec<(Block, Vec<Value>)> =
        blocks.map(|block| (block, block.instructions())).collect();
    taken_in(&blocks)
}

/// The same of the blocks of a function with their instructions.
pub(super) fn taken_in(blocks: &[(Block, Vec<Value>)]) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    for (number, (_, instructions)) in blocks.iter().enumerate() {
        let mut is_start = number == 0;
        for &instruction in instructions {
            if instruction.is_local_variable() {
                let is_constant = instruction.operand(0).and_then(Value::integer).is_some();
                if !is_start || !is_constant {
                    found.insert(instruction);
                }
            }
            is_start &= !keeps_place(instruction);
        }
    }
    found
}

/// Whether an instruction keeps the place of the stack.
pub(super) fn keeps_place(instruction: Value) -> bool {
    instruction.is_call() && instruction.callee().name().starts_with("llvm.stacksave")
}

/// The first instruction of a function that declares no variable. What is inserted before it leaves all variables at the start.
pub(super) fn first_behind_variables(function: Value) -> Option<Value> {
    let mut body = function.body().into_iter();
    body.find(|value| !value.is_local_variable())
}
