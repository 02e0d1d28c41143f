//! Which variables are accessed when their lifetimes may be over: promoting such a variable to a value would hide that.
//!
//! A forward data-flow analysis over blocks, for all variables of a function at once: the lifetime of a variable may be over
//! behind `llvm.lifetime.end`, until `llvm.lifetime.start`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::share::{base, lifetime_mark};
use crate::llvm::{Block, Module, Value};

/// What an instruction does with a variable, by the variable's number.
#[derive(Clone, Copy)]
enum Event {
    Starts(usize),
    Ends(usize),
    Accesses(usize),
}

/// The variables among these that may be accessed after the end of their lifetimes.
pub(super) fn accessed_after_end(module: &Module, variables: &[Value]) -> FxHashSet<Value> {
    let numbers: FxHashMap<Value, usize> = variables.iter().copied().zip(0..).collect();
    let mut found = FxHashSet::default();
    for function in module.functions() {
        let blocks = function.blocks();
        let events: Vec<(Block, Vec<Event>)> = blocks
            .into_iter()
            .map(|block| (block, events(block, &numbers)))
            .collect();
        let ends = |&event: &Event| matches!(event, Event::Ends(_));
        if events.iter().any(|(_, events)| events.iter().any(ends)) {
            let dead = dead_accesses(&events, variables.len());
            found.extend(dead.into_iter().map(|number| variables[number]));
        }
    }
    found
}

fn events(block: Block, numbers: &FxHashMap<Value, usize>) -> Vec<Event> {
    let event = |instruction: Value| {
        if let Some((variable, starts)) = lifetime_mark(instruction) {
            let number = *numbers.get(&variable)?;
            let event = if starts { Event::Starts } else { Event::Ends };
            return Some(event(number));
        }
        let pointer = instruction.accessed_pointer()?;
        numbers.get(&base(pointer)).copied().map(Event::Accesses)
    };
    block.instructions().into_iter().filter_map(event).collect()
}

/// The variables that some event accesses when they may be dead.
fn dead_accesses(blocks: &[(Block, Vec<Event>)], variables: usize) -> FxHashSet<usize> {
    let positions: FxHashMap<Block, usize> =
        blocks.iter().map(|&(block, _)| block).zip(0..).collect();
    let mut over = vec![vec![0u64; variables.div_ceil(64)]; blocks.len()];
    let mut found = FxHashSet::default();
    let mut pending: Vec<usize> = (0..blocks.len()).rev().collect();
    while let Some(position) = pending.pop() {
        let (block, events) = &blocks[position];
        let mut now = over[position].clone();
        for &event in events {
            match event {
                Event::Starts(number) => now[number / 64] &= !(1 << (number % 64)),
                Event::Ends(number) => now[number / 64] |= 1 << (number % 64),
                Event::Accesses(number) if now[number / 64] >> (number % 64) & 1 == 1 => {
                    found.insert(number);
                }
                Event::Accesses(_) => {}
            }
        }
        let successors = block
            .terminator()
            .map(Value::successors)
            .unwrap_or_default();
        for next in successors.iter().filter_map(|next| positions.get(next)) {
            let mut changed = false;
            for (known, word) in over[*next].iter_mut().zip(&now) {
                changed |= word & !*known != 0;
                *known |= word;
            }
            if changed {
                pending.push(*next);
            }
        }
    }
    found
}
