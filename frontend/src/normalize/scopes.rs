//! Uses of variables whose lifetimes may be over. Promoting such a variable to a value would hide an access.
//!
//! A forward data-flow analysis over blocks computes this for all variables of a function at once. The lifetime of a variable may be
//! over between `llvm.lifetime.end` and `llvm.lifetime.start`. The lifetime of memory of the stack whose ends are not marked yet may
//! be over anywhere.

use std::collections::BTreeSet;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::base;
use super::lifetime_marks::{lifetime_mark, marked_variables};
use super::stack_memory::taken_in;
use crate::llvm::{Block, Module, Value};

/// What an instruction does with a variable, by the variable's number.
#[derive(Clone, Copy)]
enum Event {
    Starts(usize),
    Ends(usize),
    /// An operand of this instruction is an address in the variable.
    Uses(usize, Value, u32),
}

/// An operand of an instruction.
pub(super) type OperandUse = (Value, u32);

/// The variables among these that may be accessed after the end of their lifetimes.
pub(super) fn accessed_after_end(variables: &[Value]) -> FxHashSet<Value> {
    let mut by_function: Vec<(Value, Vec<Value>)> = Vec::new();
    for &variable in variables {
        let function = variable.block().function();
        match by_function.last_mut() {
            Some((last, own)) if *last == function => own.push(variable),
            Some(_) | None => by_function.push((function, vec![variable])),
        }
    }
    let mut all = FxHashSet::default();
    for (function, variables) in by_function {
        let numbers = variables.iter().copied().zip(0..).collect();
        let found = uses_after_end(&blocks(function), &numbers, |instruction| {
            let pointer = instruction.accessed_pointer();
            pointer
                .map(|pointer| (0, base(pointer)))
                .into_iter()
                .collect()
        });
        all.extend(found.into_iter().map(|(number, _)| variables[number]));
    }
    all
}

/// The operands of comparisons that may be addresses in variables after the end of their lifetimes, in order, but for comparisons with
/// numbers, which are no addresses.
pub(super) fn compared_after_end(module: &Module) -> Vec<OperandUse> {
    let mut all = Vec::new();
    for function in module.functions() {
        let blocks = blocks(function);
        if !instructions(&blocks).any(may_compare_addresses) {
            continue;
        }
        let marks = instructions(&blocks).filter_map(lifetime_mark);
        let marked = marks.map(|(variable, _)| variable);
        let variables: FxHashSet<Value> = marked.chain(taken_in(&blocks)).collect();
        let numbers = variables.into_iter().zip(0..).collect();
        let found = uses_after_end(&blocks, &numbers, |instruction| {
            if !may_compare_addresses(instruction) {
                return Vec::new();
            }
            let operands = (0..).zip(instruction.operands());
            let sources = operands.flat_map(|(index, operand)| {
                let sources = sources(operand).into_iter();
                sources.map(move |source| (index, source))
            });
            sources.collect()
        });
        let found: FxHashSet<OperandUse> = found.into_iter().map(|(_, operand)| operand).collect();
        let operands =
            instructions(&blocks).flat_map(|comparison| [(comparison, 0), (comparison, 1)]);
        all.extend(operands.filter(|operand| found.contains(operand)));
    }
    all
}

/// Whether an instruction compares what may be the addresses of two variables: numbers and functions are none.
pub(super) fn may_compare_addresses(instruction: Value) -> bool {
    let is_other =
        |operand: &Value| operand.integer().is_some() || operand.is_zero() || operand.is_function();
    instruction.opcode() == Some(InstructionOpcode::ICmp)
        && !instruction.operands().iter().any(is_other)
}

/// For each of these places in a function, the variables of scopes that are not entered there.
pub(super) fn not_entered(function: Value, places: &[Value]) -> Vec<Vec<Value>> {
    let variables = marked_variables(function);
    let marked: FxHashMap<Value, usize> = variables.iter().copied().zip(0..).collect();
    let looked_at: FxHashSet<Value> = places.iter().copied().collect();
    // The other way round: an entered scope is one that may be over since it started.
    let events = |block: Block| {
        let mut events = Vec::new();
        for instruction in block.instructions() {
            if let Some((variable, starts)) = lifetime_mark(instruction) {
                let event = if starts { Event::Ends } else { Event::Starts };
                events.extend(marked.get(&variable).copied().map(event));
            } else if looked_at.contains(&instruction) {
                let all = 0..variables.len();
                events.extend(all.map(|number| Event::Uses(number, instruction, 0)));
            }
        }
        events
    };
    let blocks = function.reverse_post_order().into_iter();
    let blocks: Vec<(Block, Vec<Event>)> = blocks.map(|block| (block, events(block))).collect();
    let entered = dead_uses(&blocks, vec![0; variables.len().div_ceil(64)]);
    let others = |&place: &Value| {
        let all = variables.iter().enumerate();
        let others = all.filter(|&(number, _)| !entered.contains(&(number, (place, 0))));
        others.map(|(_, &variable)| variable).collect()
    };
    places.iter().map(others).collect()
}

/// The variables, and whatever else a value is computed from without a look at memory.
fn sources(value: Value) -> FxHashSet<Value> {
    let (mut found, mut pending) = (FxHashSet::default(), vec![value]);
    while let Some(value) = pending.pop() {
        let is_source = matches!(
            value.opcode(),
            None | Some(
                InstructionOpcode::Alloca | InstructionOpcode::Load | InstructionOpcode::Call
            )
        );
        if found.insert(value) && !is_source {
            pending.extend(value.operands());
        }
    }
    found
}

/// The blocks of a function, each with its instructions.
fn blocks(function: Value) -> Vec<(Block, Vec<Value>)> {
    let blocks = function.blocks().into_iter();
    blocks.map(|block| (block, block.instructions())).collect()
}

fn instructions(blocks: &[(Block, Vec<Value>)]) -> impl Iterator<Item = Value> {
    blocks
        .iter()
        .flat_map(|(_, instructions)| instructions.iter().copied())
}

/// The uses of variables, by number, of a function after the end of their lifetimes. An instruction uses the variables in certain operands
/// that `used` tells.
fn uses_after_end(
    blocks: &[(Block, Vec<Value>)],
    numbers: &FxHashMap<Value, usize>,
    used: impl Fn(Value) -> Vec<(u32, Value)>,
) -> FxHashSet<(usize, OperandUse)> {
    let ends = |instruction: Value| lifetime_mark(instruction).is_some_and(|(_, starts)| !starts);
    let mut first = vec![0u64; numbers.len().div_ceil(64)];
    let taken = taken_in(blocks);
    for number in taken.iter().filter_map(|memory| numbers.get(memory)) {
        first[number / 64] |= 1 << (number % 64);
    }
    if numbers.is_empty() || taken.is_empty() && !instructions(blocks).any(ends) {
        return FxHashSet::default();
    }
    let Some(&(entry, _)) = blocks.first() else {
        return FxHashSet::default();
    };
    let bodies: FxHashMap<Block, &[Value]> = blocks
        .iter()
        .map(|(block, body)| (*block, &body[..]))
        .collect();
    let order = entry.function().reverse_post_order().into_iter();
    let events: Vec<(Block, Vec<Event>)> = order
        .map(|block| (block, events(bodies[&block], numbers, &used)))
        .collect();
    dead_uses(&events, first)
}

fn events(
    instructions: &[Value],
    numbers: &FxHashMap<Value, usize>,
    used: &impl Fn(Value) -> Vec<(u32, Value)>,
) -> Vec<Event> {
    let mut events = Vec::new();
    for &instruction in instructions {
        let number = |variable: Value| numbers.get(&variable).copied();
        if let Some((variable, starts)) = lifetime_mark(instruction) {
            let event = if starts { Event::Starts } else { Event::Ends };
            events.extend(number(variable).map(event));
        } else {
            let uses = used(instruction).into_iter();
            events.extend(uses.filter_map(|(index, variable)| {
                Some(Event::Uses(number(variable)?, instruction, index))
            }));
        }
    }
    events
}

/// The variables that some event uses when they may be dead. The blocks are in reverse post-order, so that most are looked at once
/// or twice.
fn dead_uses(blocks: &[(Block, Vec<Event>)], first: Vec<u64>) -> FxHashSet<(usize, OperandUse)> {
    let positions: FxHashMap<Block, usize> =
        blocks.iter().map(|&(block, _)| block).zip(0..).collect();
    let successors = |&(block, _): &(Block, Vec<Event>)| -> Vec<usize> {
        let all = block
            .terminator()
            .map(Value::successors)
            .unwrap_or_default();
        let known = all.iter().filter_map(|next| positions.get(next).copied());
        known.collect()
    };
    let successors: Vec<Vec<usize>> = blocks.iter().map(successors).collect();
    let mut over = vec![vec![0u64; first.len()]; blocks.len()];
    if let Some(entry) = over.first_mut() {
        *entry = first;
    }
    let mut pending: BTreeSet<usize> = (0..blocks.len()).collect();
    while let Some(position) = pending.pop_first() {
        let now = after(&over[position], &blocks[position].1, |_, _| {});
        for &next in &successors[position] {
            let mut changed = false;
            for (known, word) in over[next].iter_mut().zip(&now) {
                changed |= word & !*known != 0;
                *known |= word;
            }
            if changed {
                pending.insert(next);
            }
        }
    }
    let mut found = FxHashSet::default();
    for ((_, events), before) in blocks.iter().zip(&over) {
        after(before, events, |number, operand| {
            found.insert((number, operand));
        });
    }
    found
}

/// The variables that may be dead behind the events of a block; shows each use of one that may be dead.
fn after(before: &[u64], events: &[Event], mut dead: impl FnMut(usize, OperandUse)) -> Vec<u64> {
    let mut now = before.to_vec();
    for &event in events {
        match event {
            Event::Starts(number) => now[number / 64] &= !(1 << (number % 64)),
            Event::Ends(number) => now[number / 64] |= 1 << (number % 64),
            Event::Uses(number, instruction, index) => {
                if now[number / 64] >> (number % 64) & 1 == 1 {
                    dead(number, (instruction, index));
                }
            }
        }
    }
    now
}
