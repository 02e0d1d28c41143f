//! Temporaries: variables in which clang keeps a structure that an expression gives, such as the result of a call. In C such an object
//! lives until the full expression ends, which no debug information shows. Clang keeps an address from one full expression to the next
//! in memory only, so the lifetime of a temporary ends behind the last instruction that uses its address as a value. If the
//! address is stored and loaded again in the same expression, that is earlier than in C, never later.

use std::ops::Range;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::crossings::{Crossing, CrossingPlace, is_return};
use crate::llvm::{Block, Module, TypeParts, Value};
use crate::normalize::addresses::constant_offset;

/// The names that clang gives to temporaries, but for a number behind.
const NAMES: &[&str] = &["tmp", "agg.tmp", IN_REGISTERS];

/// That of a temporary for a result that comes in registers.
const IN_REGISTERS: &str = "coerce";

/// Where the lives of a variable start and end, if it is a temporary each life of which starts with a write to all of it: then it
/// does not matter whether it is the same object as before. It must have no declaration; its name tells, or that other variables have some.
pub(super) fn lives(
    module: &Module,
    variable: Value,
    others_are_declared: bool,
) -> Option<Vec<Crossing>> {
    let uses = Uses::of(module, variable)?;
    let is_named = NAMES.contains(&name_without_number(variable).as_str());
    let is_structure = matches!(variable.allocated_type().parts(), TypeParts::Struct(_));
    // A variable whose declaration is never reached has none either. Nothing initialises it by a call.
    if !is_structure || !(is_named || uses.is_result && others_are_declared) {
        return None;
    }
    let blocks = variable.block().function().blocks();
    let needed = uses.needed(&blocks);
    let (&first, _) = blocks.split_first()?;
    let is_written_first = !needed.iter().any(|needed| needed.contains(&first));
    is_written_first.then(|| uses.crossings(&blocks, &needed))
}

/// What is done with the address of a variable.
struct Uses {
    /// The variable, and the `phi`s that may be its address. Another address may come to a `phi` by another way, on which the variable is
    /// not needed for it.
    names: Vec<Name>,
    /// Instructions with which all of the variable is written, the first of several one after another, and that do nothing else with it.
    writes: FxHashSet<Value>,
    /// Whether a call leaves its result in the variable.
    is_result: bool,
}

/// A value that is, or may be, the address of a variable.
struct Name {
    /// If it is no `phi`, it is the variable.
    phi: Option<Value>,
    /// Instructions that do something with it, or with what is computed from it, other than to compute another address.
    uses: FxHashSet<Value>,
    /// The edges on which it becomes a `phi`.
    leaves: FxHashSet<(Block, Block)>,
}

/// The blocks at whose start the variable is needed, for each of its names: there is a way to a use that passes no write, and
/// no place where the name gets its value.
type Needed = Vec<FxHashSet<Block>>;

impl Name {
    fn new(phi: Option<Value>) -> Self {
        Self {
            phi,
            uses: FxHashSet::default(),
            leaves: FxHashSet::default(),
        }
    }
}

impl Uses {
    fn of(module: &Module, variable: Value) -> Option<Self> {
        let size = variable.allocated_type().size(module)?;
        let mut uses = Self {
            names: vec![Name::new(None)],
            writes: FxHashSet::default(),
            is_result: false,
        };
        // The bytes that instructions write which do nothing else with the variable.
        let mut written: FxHashMap<Value, Range<u64>> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        // Each address, and the number of its name.
        let mut pending = vec![(variable, 0)];
        while let Some((address, name)) = pending.pop() {
            let place = constant_offset(module, address);
            let offset = place.and_then(|(base, offset)| (base == variable).then_some(offset));
            for user in address.users() {
                if user.opcode() == Some(InstructionOpcode::Phi) {
                    pending.extend(uses.leave(address, name, user));
                    continue;
                }
                let computes = computes_address(user);
                // The address that is returned is that of nothing then.
                if !computes && !is_return(user) {
                    let is_result = offset.is_some() && leaves_result(user, variable, address);
                    uses.is_result |= is_result;
                    let bytes = match is_result {
                        true => Some(0..size),
                        false => offset.and_then(|at| overwritten(module, user, address, at)),
                    };
                    // What uses the address in another way, too, may need the content from before.
                    match bytes.filter(|_| !uses.is_used_by(user)) {
                        Some(bytes) => written.insert(user, bytes),
                        None => written.remove(&user),
                    };
                    uses.names[name].uses.insert(user);
                }
                let gives_address = computes || user.is_call();
                if gives_address && user.value_type_of().is_pointer() && seen.insert((user, name)) {
                    pending.push((user, name));
                }
            }
        }
        for block in variable.block().function().blocks() {
            uses.find_writes(block, &written, size);
        }
        Some(uses)
    }

    fn is_used_by(&self, instruction: Value) -> bool {
        let mut names = self.names.iter();
        names.any(|name| name.uses.contains(&instruction))
    }

    /// Finds where instructions of a block write all of the variable, and nothing else uses it in between.
    fn find_writes(&mut self, block: Block, written: &FxHashMap<Value, Range<u64>>, size: u64) {
        let mut series: Vec<(Value, &Range<u64>)> = Vec::new();
        for user in block.instructions() {
            if let Some(bytes) = written.get(&user) {
                series.push((user, bytes));
                if cover(series.iter().map(|(_, bytes)| *bytes), size) {
                    self.writes.extend(series.first().map(|(first, _)| *first));
                    series.clear();
                }
            } else if self.is_used_by(user) {
                series.clear();
            }
        }
    }

    /// Notes that an address becomes a `phi`, which is looked at if it is a new one.
    fn leave(&mut self, address: Value, name: usize, phi: Value) -> Option<(Value, usize)> {
        let incoming = phi.incoming().into_iter();
        let edges = incoming
            .filter(|(value, _)| *value == address)
            .map(|(_, from)| (from, phi.block()));
        self.names[name].leaves.extend(edges);
        let is_known = self.names.iter().any(|name| name.phi == Some(phi));
        (!is_known).then(|| {
            self.names.push(Name::new(Some(phi)));
            (phi, self.names.len() - 1)
        })
    }

    /// Whether the variable is needed under a name before an instruction, given whether it is behind.
    fn is_needed(&self, name: &Name, instruction: Value, behind: bool) -> bool {
        let gets_value = name.phi == Some(instruction) || self.writes.contains(&instruction);
        !gets_value && (behind || name.uses.contains(&instruction))
    }

    /// Whether the variable is needed under a name where control goes from one block to another.
    fn is_needed_between(name: &Name, needed: &FxHashSet<Block>, from: Block, to: Block) -> bool {
        needed.contains(&to) || name.leaves.contains(&(from, to))
    }

    fn needed(&self, blocks: &[Block]) -> Needed {
        let of_name = |name: &Name| {
            let mut needed = FxHashSet::default();
            let mut changed = true;
            while changed {
                changed = false;
                for &block in blocks.iter().rev() {
                    let mut successors = block.successors().into_iter();
                    let mut now =
                        successors.any(|next| Self::is_needed_between(name, &needed, block, next));
                    for instruction in block.instructions().into_iter().rev() {
                        now = self.is_needed(name, instruction, now);
                    }
                    changed |= now && needed.insert(block);
                }
            }
            needed
        };
        self.names.iter().map(of_name).collect()
    }

    fn crossings(&self, blocks: &[Block], needed: &Needed) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        let mut cross = |place, enters| crossings.push(Crossing { place, enters });
        let names = || self.names.iter().zip(needed);
        for &block in blocks {
            let mut successors = block.successors();
            let mut seen = FxHashSet::default();
            successors.retain(|next| seen.insert(*next));
            let needs_behind = |(name, needed): (&Name, &FxHashSet<Block>), next: &Block| {
                Self::is_needed_between(name, needed, block, *next)
            };
            let mut behind: Vec<bool> = names()
                .map(|name| successors.iter().any(|next| needs_behind(name, next)))
                .collect();
            for &next in &successors {
                let is_needed = names().any(|name| needs_behind(name, &next));
                if !is_needed && behind.contains(&true) {
                    cross(CrossingPlace::Between(block, next), false);
                }
            }
            for instruction in block.instructions().into_iter().rev() {
                let is_used =
                    |name: &Name| name.phi == Some(instruction) || name.uses.contains(&instruction);
                if !behind.contains(&true)
                    && self.names.iter().any(is_used)
                    && let Some(next) = first_behind(instruction)
                {
                    cross(CrossingPlace::Before(next), false);
                }
                if self.writes.contains(&instruction) {
                    cross(CrossingPlace::Before(instruction), true);
                }
                for (name, behind) in self.names.iter().zip(&mut behind) {
                    *behind = self.is_needed(name, instruction, *behind);
                }
            }
        }
        crossings
    }
}

/// The next instruction that is no `phi`.
fn first_behind(instruction: Value) -> Option<Value> {
    let mut next = instruction.next();
    while let Some(phi) = next.filter(|next| next.opcode() == Some(InstructionOpcode::Phi)) {
        next = phi.next();
    }
    next
}

/// Whether an instruction does nothing with an address but compute another one.
fn computes_address(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            InstructionOpcode::GetElementPtr
                | InstructionOpcode::BitCast
                | InstructionOpcode::AddrSpaceCast
                | InstructionOpcode::Select
                | InstructionOpcode::Freeze
        )
    )
}

fn name_without_number(variable: Value) -> String {
    let name = variable.name();
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit());
    name.to_owned()
}

/// Whether a call leaves its result in a variable, or the first register of the result is stored at an address in it: what the
/// registers do not fill is padding.
fn leaves_result(user: Value, variable: Value, address: Value) -> bool {
    if user.is_call() {
        let mut arguments = (0..).zip(user.arguments());
        return arguments
            .any(|(index, argument)| argument == variable && user.leaves_result_in(index));
    }
    name_without_number(variable) == IN_REGISTERS
        && user.opcode() == Some(InstructionOpcode::Store)
        && user.operand(1) == Some(address)
        && user.operand(0).is_some_and(is_first_register)
}

fn is_first_register(value: Value) -> bool {
    let part = (value.opcode() == Some(InstructionOpcode::ExtractValue)).then(|| value.operand(0));
    match part.flatten() {
        Some(result) => result.is_call() && value.indices() == [0],
        None => value.is_call(),
    }
}

/// Whether these are all bytes of a variable of this size.
fn cover<'a>(parts: impl Iterator<Item = &'a Range<u64>>, size: u64) -> bool {
    let mut parts: Vec<_> = parts.collect();
    parts.sort_by_key(|bytes| bytes.start);
    let end = parts.iter().fold(0, |end, bytes| match bytes.start <= end {
        true => end.max(bytes.end),
        false => end,
    });
    end >= size
}

/// The bytes of a variable that an instruction writes, if it does so from an address on, where this byte of the variable is.
fn overwritten(module: &Module, user: Value, address: Value, offset: u64) -> Option<Range<u64>> {
    let length = match user.opcode() {
        Some(InstructionOpcode::Store) if user.operand(1) == Some(address) => {
            user.operand(0)?.value_type_of().stored_size(module)?
        }
        Some(InstructionOpcode::Call)
            if user.callee().is_intrinsic()
                && user.callee().name().starts_with("llvm.mem")
                && user.operand(0) == Some(address) =>
        {
            u64::try_from(user.operand(2)?.integer()?).ok()?
        }
        Some(_) | None => return None,
    };
    Some(offset..offset.checked_add(length)?)
}
