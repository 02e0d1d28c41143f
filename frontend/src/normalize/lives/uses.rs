//! Uses of the address of a variable: whether an instruction only inspects the address, computes another address from
//! it, or keeps it.

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use crate::llvm::Value;
use crate::normalize::identity_calls::{is_hidden, is_this_life};
use crate::normalize::lifetime_marks::lifetime_mark;

/// What an instruction does with an address.
pub(super) enum AddressUse {
    /// Nothing that outlasts it.
    Looks,
    /// Its result is an address that is computed from this one.
    Computes,
    /// The address is somewhere else afterwards.
    Keeps,
}

impl AddressUse {
    pub fn of(user: Value, index: u32) -> Self {
        let is_accessed = user.operand(index) == user.accessed_pointer();
        match user.opcode() {
            Some(InstructionOpcode::Load | InstructionOpcode::ICmp) => Self::Looks,
            Some(InstructionOpcode::Store) if index == 1 => Self::Looks,
            Some(InstructionOpcode::AtomicRMW | InstructionOpcode::AtomicCmpXchg)
                if index == 0 && is_accessed =>
            {
                Self::Looks
            }
            Some(InstructionOpcode::Phi | InstructionOpcode::Select) => Self::Computes,
            Some(_) if is_computed_again(user) => Self::Computes,
            Some(InstructionOpcode::Call) if is_hidden(user) => Self::Computes,
            Some(InstructionOpcode::Call) if lifetime_mark(user).is_some() || looks(user) => {
                Self::Looks
            }
            Some(_) | None => Self::Keeps,
        }
    }
}

/// Whether a function of the library keeps no address that it gets.
fn looks(call: Value) -> bool {
    let callee = call.called_function();
    matches!(
        callee.and_then(|callee| effect(&callee.name())),
        Some(
            Effect::MutexLock
                | Effect::MutexTryLock
                | Effect::MutexUnlock
                | Effect::ThreadJoin
                | Effect::Free
        )
    )
}

/// Whether an instruction computes an address from its first operand alone. Optimising may compute it before the life of the
/// variable starts, so it is computed again where it is used.
pub(super) fn is_computed_again(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            InstructionOpcode::GetElementPtr
                | InstructionOpcode::PtrToInt
                | InstructionOpcode::IntToPtr
                | InstructionOpcode::BitCast
        )
    )
}

/// The instructions that use a value, each once.
pub(super) fn users(value: Value) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    let users = value.users().into_iter();
    users.filter(|&user| seen.insert(user)).collect()
}

/// The positions of an address among the operands of an instruction.
pub(super) fn positions(user: Value, address: Value) -> impl Iterator<Item = u32> {
    let operands = (0..).zip(user.operands());
    operands.filter_map(move |(index, operand)| (operand == address).then_some(index))
}

/// The uses that keep an address in a variable and are not kept apart yet, with the position among the operands and the address.
pub(super) fn kept_uses(variable: Value) -> Vec<(Value, u32, Value)> {
    let (mut kept, mut pending) = (Vec::new(), vec![variable]);
    while let Some(address) = pending.pop() {
        for user in users(address) {
            if is_computed_again(user) {
                pending.push(user);
                continue;
            }
            if is_this_life(user) {
                continue;
            }
            for index in positions(user, address) {
                if !matches!(AddressUse::of(user, index), AddressUse::Looks) {
                    kept.push((user, index, address));
                }
            }
        }
    }
    kept
}

/// The instruction before which an operand must be there.
pub(super) fn place_of_use(user: Value, index: u32) -> Value {
    let incoming = match user.opcode() {
        Some(InstructionOpcode::Phi) => user.incoming().get(index as usize).copied(),
        Some(_) | None => None,
    };
    let from = incoming.and_then(|(_, block)| block.terminator());
    from.unwrap_or(user)
}
