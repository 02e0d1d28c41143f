//! Changes of blocks.

use inkwell::values::InstructionOpcode;

use crate::llvm::{Block, Builder, Module, Value};

/// Removes an instruction and all behind it in its block, which is left without an end.
pub(super) fn cut(module: &Module, instruction: Value) -> Block {
    let block = instruction.block();
    let successors = block.successors();
    let from = position(block, instruction);
    for instruction in block.instructions().split_off(from).into_iter().rev() {
        let own_type = instruction.value_type_of();
        if !own_type.is_void() {
            instruction.replace_all_uses(own_type.undefined());
        }
        instruction.erase();
    }
    for successor in successors {
        forget_incoming(module, successor, block);
    }
    block
}

/// Removes what phi nodes of a block get from another one, which leads there no more.
fn forget_incoming(module: &Module, block: Block, predecessor: Block) {
    let instructions = block.instructions().into_iter();
    for phi in instructions.take_while(|first| first.opcode() == Some(InstructionOpcode::Phi)) {
        let left = Builder::before(module, phi).phi(phi.value_type_of());
        for (value, from) in phi.incoming() {
            if from != predecessor {
                left.add_incoming(value, from);
            }
        }
        let is_reached = !left.incoming().is_empty();
        phi.replace_all_uses(if is_reached {
            left
        } else {
            phi.value_type_of().undefined()
        });
        phi.erase();
        if !is_reached {
            left.erase();
        }
    }
}

/// Moves all behind an instruction into a block of its own, to which nothing leads, in functions without phi nodes.
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
