//! Temporaries: what clang keeps a structure in that an expression gives, such as a call. In C such an object lives until the
//! full expression ends, which no debug information shows. But clang keeps no address from one full expression to
//! the next other than in memory, so a temporary is ended behind the last instruction that uses its address as a value. If the
//! address is stored and loaded again in the same expression, that is earlier than in C, never later.

use llvm_sys::LLVMOpcode;
use rustc_hash::FxHashSet;

use super::{Crossing, Place, is_return};
use crate::llvm::{Block, Module, Parts, Value, constant_displacement};

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
    let is_structure = matches!(variable.allocated_type().parts(), Parts::Struct(_));
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
    /// Instructions that write all of the variable and do nothing else with it.
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
        let mut seen = FxHashSet::default();
        // Each address, the number of its name, and which byte of the variable is there.
        let mut pending = vec![(variable, 0, Some(0))];
        while let Some((address, name, offset)) = pending.pop() {
            for user in address.users() {
                if user.opcode() == Some(LLVMOpcode::LLVMPHI) {
                    pending.extend(uses.leave(address, name, user));
                    continue;
                }
                let computes = computes_address(user);
                // The address that is returned is that of nothing then.
                if !computes && !is_return(user) {
                    let is_result = offset.is_some() && leaves_result(user, variable, address);
                    uses.is_result |= is_result;
                    let overwrites =
                        is_result || offset == Some(0) && overwrites(module, user, address, size);
                    let is_first = !uses.names.iter().any(|name| name.uses.contains(&user));
                    // What uses the address in another way, too, may need the content from before.
                    if is_first && overwrites {
                        uses.writes.insert(user);
                    } else {
                        uses.writes.remove(&user);
                    }
                    uses.names[name].uses.insert(user);
                }
                let gives_address = computes || user.is_call();
                if gives_address && user.value_type_of().is_pointer() && seen.insert((user, name)) {
                    let moved = (user.opcode() == Some(LLVMOpcode::LLVMGetElementPtr))
                        .then(|| constant_displacement(module, user))
                        .flatten();
                    let sum = |offset: u64| offset.checked_add(moved?);
                    pending.push((user, name, offset.and_then(sum)));
                }
            }
        }
        Some(uses)
    }

    /// Notes that an address becomes a `phi`, which is looked at if it is a new one.
    fn leave(
        &mut self,
        address: Value,
        name: usize,
        phi: Value,
    ) -> Option<(Value, usize, Option<u64>)> {
        let incoming = phi.incoming().into_iter();
        let edges = incoming
            .filter(|(value, _)| *value == address)
            .map(|(_, from)| (from, phi.block()));
        self.names[name].leaves.extend(edges);
        let is_known = self.names.iter().any(|name| name.phi == Some(phi));
        (!is_known).then(|| {
            self.names.push(Name::new(Some(phi)));
            (phi, self.names.len() - 1, None)
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
                    cross(Place::Between(block, next), false);
                }
            }
            for instruction in block.instructions().into_iter().rev() {
                let is_used =
                    |name: &Name| name.phi == Some(instruction) || name.uses.contains(&instruction);
                if !behind.contains(&true)
                    && self.names.iter().any(is_used)
                    && let Some(next) = first_behind(instruction)
                {
                    cross(Place::Before(next), false);
                }
                if self.writes.contains(&instruction) {
                    cross(Place::Before(instruction), true);
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
    while let Some(phi) = next.filter(|next| next.opcode() == Some(LLVMOpcode::LLVMPHI)) {
        next = phi.next();
    }
    next
}

/// Whether an instruction does nothing with an address but compute another one.
fn computes_address(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMBitCast
                | LLVMOpcode::LLVMAddrSpaceCast
                | LLVMOpcode::LLVMSelect
                | LLVMOpcode::LLVMFreeze
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
        && user.opcode() == Some(LLVMOpcode::LLVMStore)
        && user.operand(1) == Some(address)
        && user.operand(0).is_some_and(is_first_register)
}

fn is_first_register(value: Value) -> bool {
    let part = (value.opcode() == Some(LLVMOpcode::LLVMExtractValue)).then(|| value.operand(0));
    match part.flatten() {
        Some(result) => result.is_call() && value.indices() == [0],
        None => value.is_call(),
    }
}

/// Whether an instruction writes as many bytes from an address on.
fn overwrites(module: &Module, user: Value, address: Value, size: u64) -> bool {
    let written = match user.opcode() {
        Some(LLVMOpcode::LLVMStore) if user.operand(1) == Some(address) => user
            .operand(0)
            .and_then(|value| value.value_type_of().stored_size(module)),
        Some(LLVMOpcode::LLVMCall)
            if user.callee().is_intrinsic()
                && user.callee().name().starts_with("llvm.mem")
                && user.operand(0) == Some(address) =>
        {
            let length = user.operand(2).and_then(Value::integer);
            length.and_then(|length| u64::try_from(length).ok())
        }
        Some(_) | None => None,
    };
    written.is_some_and(|written| written >= size)
}
