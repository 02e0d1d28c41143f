//! Changes of blocks, in functions without phi nodes and without values that are used in other blocks.

use crate::llvm::{Block, Module, Value};

/// Removes an instruction and all behind it in its block, which is left without an end.
pub(super) fn cut(instruction: Value) -> Block {
    let block = instruction.block();
    let from = position(block, instruction);
    for instruction in block.instructions().split_off(from).into_iter().rev() {
        let own_type = instruction.value_type_of();
        if !own_type.is_void() {
            instruction.replace_all_uses(own_type.undefined());
        }
        instruction.erase();
    }
    block
}

/// Moves all behind an instruction into a block of its own, to which nothing leads.
pub(super) fn split_behind(module: &Module, instruction: Value) -> Block {
    let block = instruction.block();
    let behind = block.function().append_block(module, "behind");
    let from = position(block, instruction) + 1;
    for moved in block.instructions().split_off(from) {
        moved.move_to_end(module, behind);
    }
    behind
}

fn position(block: Block, instruction: Value) -> usize {
    let instructions = block.instructions().into_iter();
    instructions
        .take_while(|&before| before != instruction)
        .count()
}
