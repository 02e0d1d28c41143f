//! Ends of lifetimes of memory that is taken from the stack after the start of a function (see [`taken`]).
//!
//! An instruction that restores the stack pointer (`llvm.stackrestore`) ends the lifetime of all memory that was taken since the
//! pointer was saved. Inlining inserts one where a function returns. The end of a thread ends the lifetime of all its memory.

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use super::flow::Flow;
use super::lifetime_marks::insert_mark;
use super::stack_memory::{keeps_place, taken};
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Value};

/// Marks all ends. Variables must have become values before, for a place of the stack is kept in one.
pub(super) fn mark_ends(module: &Module) {
    let mut functions = module.functions().into_iter();
    let creates_threads = functions.any(|function| {
        effect(&function.name()) == Some(Effect::ThreadCreate) && !function.users().is_empty()
    });
    for function in module.functions() {
        let all = taken(function);
        if all.is_empty() {
            continue;
        }
        let instructions = function.body();
        let flow = Flow::of(function);
        let ends: Vec<(Value, FxHashSet<Value>)> = instructions
            .iter()
            .filter_map(|&end| Some((end, taken_before(&flow, end, &all, creates_threads)?)))
            .collect();
        for memory in instructions.into_iter().filter(|i| all.contains(i)) {
            let mut own = ends.iter().filter(|(_, taken)| taken.contains(&memory));
            let own: Vec<Value> = own.by_ref().map(|&(end, _)| end).collect();
            if own.is_empty() {
                continue;
            }
            if comes_back(memory, &own) {
                let builder = Builder::before(module, memory).copy_position(memory);
                insert_unsupported(
                    module,
                    &builder,
                    "memory of the stack that is taken in a loop",
                );
            } else if memory.operand(0).and_then(Value::integer).is_some() {
                become_local(module, memory, &own);
            } else {
                end_by_address(module, memory, &own);
            }
        }
    }
}

/// The memory that an instruction gives back, if it gives back any: what is taken on the ways to it, from where the place of the
/// stack was kept that it restores. What ends with the only thread needs no end.
fn taken_before(
    flow: &Flow,
    end: Value,
    all: &FxHashSet<Value>,
    creates_threads: bool,
) -> Option<FxHashSet<Value>> {
    let callee = end.is_call().then(|| end.callee().name());
    let callee = callee.unwrap_or_default();
    let ends_thread = end.opcode() == Some(InstructionOpcode::Return)
        || effect(&callee) == Some(Effect::ThreadExit);
    let start = if callee.starts_with("llvm.stackrestore") {
        kept(end.operand(0)?)
    } else if ends_thread && creates_threads {
        None
    } else {
        return None;
    };
    let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
    let mut pending = vec![end.previous().ok_or(end.block())];
    while let Some(place) = pending.pop() {
        match place {
            Ok(instruction) if Some(instruction) == start => {}
            Ok(instruction) => {
                found.extend(all.get(&instruction));
                pending.push(instruction.previous().ok_or(instruction.block()));
            }
            Err(block) => {
                let before = flow.predecessors(block).iter();
                let before = before.copied().filter_map(Block::terminator);
                pending.extend(before.filter(|&last| seen.insert(last)).map(Ok));
            }
        }
    }
    Some(found)
}

/// The call that kept this place of the stack; none if there may be several, and all that was taken counts then.
fn kept(place: Value) -> Option<Value> {
    let mut place = place;
    while place.opcode() == Some(InstructionOpcode::Phi) {
        let [(only, _)] = place.incoming()[..] else {
            return None;
        };
        place = only;
    }
    keeps_place(place).then_some(place)
}

/// Whether memory may be taken again before it is given back.
fn comes_back(memory: Value, ends: &[Value]) -> bool {
    let mut seen = FxHashSet::default();
    let mut pending: Vec<Value> = memory.next().into_iter().collect();
    while let Some(instruction) = pending.pop() {
        if instruction == memory {
            return true;
        }
        if ends.contains(&instruction) || !seen.insert(instruction) {
            continue;
        }
        match instruction.next() {
            Some(next) => pending.push(next),
            None => {
                let targets = instruction.successors().into_iter();
                pending.extend(targets.filter_map(|target| target.instructions().first().copied()));
            }
        }
    }
    false
}

/// Makes memory of constant size a variable of its function, which lives from where it was taken.
fn become_local(module: &Module, memory: Value, ends: &[Value]) {
    let count = memory.operand(0).and_then(Value::integer);
    let start = first(memory);
    let (Some(count), Some(start)) = (count.and_then(|count| u64::try_from(count).ok()), start)
    else {
        return;
    };
    let size = memory.allocated_type().size(module);
    if size.and_then(|size| size.checked_mul(count)).is_none() {
        return;
    }
    let local = Builder::before(module, start)
        .variable(memory.allocated_type().array(count))
        .with_alignment(memory.alignment());
    local.set_name(memory.name());
    mark(module, memory, "start", local);
    for &end in ends {
        mark(module, end, "end", local);
    }
    memory.replace_all_uses(local);
    memory.erase();
}

/// Ends the life of memory by its address, which is null if none was taken on the way.
fn end_by_address(module: &Module, memory: Value, ends: &[Value]) {
    let (Some(start), Some(behind)) = (first(memory), memory.next()) else {
        return;
    };
    let pointer = module.pointer_type();
    let builder = Builder::before(module, start);
    let last = builder.variable(pointer);
    builder.store(pointer.null(), last);
    Builder::before(module, behind).store(memory, last);
    for &end in ends {
        let address = Builder::before(module, end)
            .copy_position(end)
            .load(pointer, last);
        mark(module, end, "end", address);
    }
}

/// The first instruction of the function that an instruction is in.
fn first(instruction: Value) -> Option<Value> {
    let body = instruction.block().function().body();
    body.into_iter().next()
}

fn mark(module: &Module, place: Value, kind: &str, variable: Value) {
    let builder = Builder::before(module, place).copy_position(place);
    insert_mark(module, &builder, kind, variable);
}
