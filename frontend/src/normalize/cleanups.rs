//! Exits of scopes, as clang writes them. Each exit stores its target as a constant in a variable and jumps to a block that all
//! exits of the scope share. That block ends lifetimes and selects the target by a `switch` over the variable.
//!
//! This pass copies the ends of lifetimes into each exit and lets the exit jump to its target directly. Otherwise the variable
//! would become part of the state.

use inkwell::values::InstructionOpcode;

use super::addresses::is_split;
use super::lifetime_marks::lifetime_mark;
use crate::llvm::{Block, Builder, Module, Value};

/// A block that does nothing but end or start lifetimes.
struct Cleanup {
    marks: Vec<Value>,
    next: Next,
}

/// Where it leads.
enum Next {
    Always(Block),
    /// By what was noted in a variable.
    Noted {
        variable: Value,
        switch: Value,
    },
}

/// Gives each way out of a scope its own ends of lifetimes, in all functions.
pub(super) fn separate(module: &Module) {
    let blocks = module.functions().into_iter().flat_map(Value::blocks);
    for block in blocks.collect::<Vec<Block>>() {
        separate_from(module, block);
    }
}

/// Leads a block that ends by a jump past the cleanups behind it, if a constant that it notes decides about the way.
fn separate_from(module: &Module, block: Block) {
    let Some(jump) = block
        .terminator()
        .filter(|end| end.opcode() == Some(InstructionOpcode::Br))
    else {
        return;
    };
    let [first] = jump.successors()[..] else {
        return;
    };
    let Some((variable, noted)) = note(jump) else {
        return;
    };
    let (mut current, mut passed, mut marks) = (first, vec![block], Vec::new());
    let mut last_decided = None;
    while let Some(cleanup) = cleanup(current).filter(|_| !passed.contains(&current)) {
        passed.push(current);
        marks.extend(cleanup.marks);
        current = match cleanup.next {
            Next::Always(next) => next,
            Next::Noted { variable: read, .. } if read != variable => break,
            Next::Noted { switch, .. } => {
                let target = target(switch, noted);
                last_decided = Some((target, marks.len()));
                target
            }
        };
    }
    let Some((target, count)) = last_decided.filter(|(target, _)| !starts_with_phi(*target)) else {
        return;
    };
    for mark in &marks[..count] {
        Builder::before(module, jump)
            .copy_position(*mark)
            .call(mark.callee(), &mark.arguments());
    }
    jump.set_successor(0, target);
}

/// The variable that a block sets to a constant last, before its end, and the constant; only its function has the variable.
fn note(end: Value) -> Option<(Value, u128)> {
    let store = end.previous()?;
    if store.opcode() != Some(InstructionOpcode::Store) {
        return None;
    }
    let variable = store.accessed_pointer()?;
    let is_own = variable.is_local_variable() && is_split(variable);
    Some((variable, store.operand(0)?.integer()?)).filter(|_| is_own)
}

/// What a block does if it is a cleanup.
fn cleanup(block: Block) -> Option<Cleanup> {
    let mut instructions = block.instructions();
    instructions.retain(|instruction| !instruction.is_debug_intrinsic());
    let end = instructions.pop()?;
    let next = match (end.opcode()?, &end.successors()[..]) {
        (InstructionOpcode::Br, &[next]) => Next::Always(next),
        (InstructionOpcode::Switch, _) => {
            let load = instructions.pop()?;
            let reads = load.opcode() == Some(InstructionOpcode::Load)
                && end.operand(0) == Some(load)
                && load.users().len() == 1;
            let variable = load.accessed_pointer().filter(|_| reads)?;
            Next::Noted {
                variable,
                switch: end,
            }
        }
        _ => return None,
    };
    let all_marks = instructions
        .iter()
        .all(|&instruction| lifetime_mark(instruction).is_some());
    (all_marks && !instructions.is_empty()).then_some(Cleanup {
        marks: instructions,
        next,
    })
}

/// Where a `switch` leads for a value. Its operands are the value, the default target, then value and target of each case.
fn target(switch: Value, value: u128) -> Block {
    let successors = switch.successors();
    let case = |case: &usize| {
        let constant = switch.operand(2 * *case as u32).and_then(Value::integer);
        constant == Some(value)
    };
    successors[(1..successors.len()).find(case).unwrap_or(0)]
}

fn starts_with_phi(block: Block) -> bool {
    let first = block.instructions().into_iter().next();
    first.is_some_and(|first| first.opcode() == Some(InstructionOpcode::Phi))
}
