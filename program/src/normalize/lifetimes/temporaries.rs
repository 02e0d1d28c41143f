//! Temporaries: what clang keeps a structure in that an expression gives, such as a call. In C such an object lives until the
//! full expression ends, which no debug information shows. But clang keeps no address from one full expression to
//! the next other than in memory, so a temporary is ended behind the last instruction that uses its address as a value. If the
//! address is stored and loaded again in the same expression, that is earlier than in C, never later.

use llvm_sys::LLVMOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

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
    (!needed[&first]).then(|| uses.crossings(&blocks, &needed))
}

/// What is done with the address of a variable.
struct Uses {
    /// Instructions that do something with the address other than to compute another one from it.
    all: FxHashSet<Value>,
    /// Those of them that write all of the variable.
    writes: FxHashSet<Value>,
    /// Whether a call leaves its result in the variable.
    is_result: bool,
}

impl Uses {
    fn of(module: &Module, variable: Value) -> Option<Self> {
        let size = variable.allocated_type().size(module)?;
        let mut uses = Self {
            all: FxHashSet::default(),
            writes: FxHashSet::default(),
            is_result: false,
        };
        let mut seen = FxHashSet::default();
        // Each address, and whether it is that of the start of the variable.
        let mut pending = vec![(variable, true)];
        while let Some((address, is_start)) = pending.pop() {
            for user in address.users() {
                let computes = computes_address(user);
                // The address that is returned is that of nothing then.
                if !computes && !is_return(user) {
                    let is_result = leaves_result(user, variable);
                    uses.is_result |= is_result;
                    let overwrites =
                        is_result || is_start && overwrites(module, user, address, size);
                    // What uses the address in another way, too, may need the content from before.
                    if uses.all.insert(user) && overwrites {
                        uses.writes.insert(user);
                    } else {
                        uses.writes.remove(&user);
                    }
                }
                let gives_address = computes || user.is_call();
                if gives_address && user.value_type_of().is_pointer() && seen.insert(user) {
                    let is_start = is_start
                        && user.opcode() == Some(LLVMOpcode::LLVMGetElementPtr)
                        && constant_displacement(module, user) == Some(0);
                    pending.push((user, is_start));
                }
            }
        }
        Some(uses)
    }

    /// Whether the variable is needed before an instruction, given whether it is behind.
    fn is_needed(&self, instruction: Value, behind: bool) -> bool {
        !self.writes.contains(&instruction) && (behind || self.all.contains(&instruction))
    }

    /// The blocks at whose start the content is needed: there is a way to a use that passes no write.
    fn needed(&self, blocks: &[Block]) -> FxHashMap<Block, bool> {
        let mut needed: FxHashMap<Block, bool> = blocks.iter().map(|b| (*b, false)).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &block in blocks.iter().rev() {
                if needed[&block] {
                    continue;
                }
                let mut now = block.successors().into_iter().any(|next| needed[&next]);
                for instruction in block.instructions().into_iter().rev() {
                    now = self.is_needed(instruction, now);
                }
                changed |= now;
                needed.insert(block, now);
            }
        }
        needed
    }

    fn crossings(&self, blocks: &[Block], needed: &FxHashMap<Block, bool>) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        let mut cross = |place, enters| crossings.push(Crossing { place, enters });
        for &block in blocks {
            let is_needed_behind = block.successors().into_iter().any(|next| needed[&next]);
            let mut behind = is_needed_behind;
            for instruction in block.instructions().into_iter().rev() {
                let is_end = !behind && self.all.contains(&instruction);
                if let Some(next) = instruction.next().filter(|_| is_end) {
                    cross(Place::Before(next), false);
                }
                if self.writes.contains(&instruction) {
                    cross(Place::Before(instruction), true);
                }
                behind = self.is_needed(instruction, behind);
            }
            let mut seen = FxHashSet::default();
            for next in block
                .successors()
                .into_iter()
                .filter(|next| seen.insert(*next))
            {
                if is_needed_behind && !needed[&next] {
                    cross(Place::Between(block, next), false);
                }
            }
        }
        crossings
    }
}

/// Whether an instruction does nothing with an address but compute another one.
fn computes_address(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMBitCast
                | LLVMOpcode::LLVMAddrSpaceCast
                | LLVMOpcode::LLVMPHI
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

/// Whether a call leaves its result in a variable, or the first register of the result is stored there: what the registers do
/// not fill is padding.
fn leaves_result(user: Value, variable: Value) -> bool {
    if user.is_call() {
        let mut arguments = (0..).zip(user.arguments());
        return arguments
            .any(|(index, argument)| argument == variable && user.leaves_result_in(index));
    }
    name_without_number(variable) == IN_REGISTERS
        && user.opcode() == Some(LLVMOpcode::LLVMStore)
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
