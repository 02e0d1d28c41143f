//! Properties of a variable that need no debug information: its name, the type of its size, its marks, and whether its
//! address escapes.

use inkwell::values::InstructionOpcode;
use program::model::DataModel;

use crate::llvm::{Module, Value};
use crate::normalize::lifetime_marks::lifetime_mark;

/// Whether the program has asked for this memory of the stack by a call of `alloca`, which gives it until the function returns. Clang counts its
/// bytes as a `size_t`, and variables as an `int`; where these are as wide, one variable tells itself from several bytes.
pub(super) fn is_from_call(module: &Module, variable: Value) -> bool {
    let Some(count) = variable.operand(0) else {
        return false;
    };
    match module.data_model() {
        DataModel::Ilp32 => count.integer() != Some(1),
        DataModel::Lp64 => count.value_type_of() == module.size_type(),
    }
}

pub(super) fn is_marked(variable: Value) -> bool {
    let mut users = variable.users().into_iter();
    users.any(|user| lifetime_mark(user).is_some())
}

/// Whether a variable is a compound literal, as far as names tell.
pub(super) fn is_literal(variable: Value) -> bool {
    variable.name().starts_with(".compoundliteral")
}

/// Whether a variable is one of a function that clang has inlined: its name got an end then. The address that the function returned is
/// named directly behind it.
pub(super) fn is_inlined(variable: Value) -> bool {
    variable.name().contains(".i")
}

/// The first instruction that names a variable: what initialises it, if it is a compound literal.
pub(super) fn first_user(variable: Value) -> Option<Value> {
    let users = variable.users();
    let mut body = variable.block().function().body().into_iter();
    body.find(|instruction| users.contains(instruction))
}

/// Whether an address may get somewhere else than to accesses.
pub(super) fn escapes(variable: Value) -> bool {
    let mut pending = vec![variable];
    while let Some(address) = pending.pop() {
        for user in address.users() {
            match user.opcode() {
                Some(InstructionOpcode::Load | InstructionOpcode::ICmp) => {}
                Some(
                    InstructionOpcode::Store
                    | InstructionOpcode::AtomicRMW
                    | InstructionOpcode::AtomicCmpXchg,
                ) if user.accessed_pointer() == Some(address)
                    && user.operands().iter().filter(|o| **o == address).count() == 1 => {}
                Some(InstructionOpcode::GetElementPtr) => pending.push(user),
                Some(InstructionOpcode::Call) if only_accesses(user, address) => {}
                Some(_) | None => return true,
            }
        }
    }
    false
}

/// Whether a call does nothing with an address but access memory there before it returns.
fn only_accesses(call: Value, address: Value) -> bool {
    let callee = call.callee();
    if callee.is_intrinsic() {
        return callee.name().starts_with("llvm.mem");
    }
    let mut arguments = (0..).zip(call.arguments());
    arguments.all(|(index, argument)| argument != address || call.passes_object(index))
}
