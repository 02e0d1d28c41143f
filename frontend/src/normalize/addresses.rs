//! How an address is computed: the value that it starts from, and its constant offset from there.

use inkwell::values::InstructionOpcode;

use super::identity_calls::is_this_life;
use super::lifetime_marks::lifetime_mark;
use crate::llvm::{Builder, Module, Value, constant_displacement};

/// Turns LLVM's function that keeps some bits of an address, which compilers align addresses by, into what a program would write.
pub(super) fn expand_masks(module: &Module) {
    let calls = module.functions().into_iter().flat_map(Value::body);
    let is_mask = |call: &Value| call.is_call() && call.callee().name() == "llvm.ptrmask.p0.i64";
    for call in Vec::from_iter(calls.filter(is_mask)) {
        if let [pointer, mask] = call.arguments()[..] {
            let builder = Builder::before(module, call).copy_position(call);
            call.replace_all_uses(builder.mask(pointer, mask));
            call.erase();
        }
    }
}

/// The variable or other pointer that an address is computed from.
pub(super) fn base(pointer: Value) -> Value {
    let mut base = pointer;
    while base.operation() == Some(InstructionOpcode::GetElementPtr) || is_this_life(base) {
        match base.operand(0) {
            Some(operand) => base = operand,
            None => break,
        }
    }
    base
}

/// A pointer as a variable plus a constant number of bytes.
pub(super) fn constant_offset(module: &Module, pointer: Value) -> Option<(Value, u64)> {
    let mut offset = 0u64;
    let mut base = pointer;
    loop {
        if base.operation() == Some(InstructionOpcode::GetElementPtr) {
            offset = offset.wrapping_add(constant_displacement(module, base)?);
        } else if !is_this_life(base) {
            break;
        }
        base = base.operand(0)?;
    }
    Some((base, offset))
}

/// Whether a variable's address is only used to load and store at constant offsets.
pub(super) fn is_split(variable: Value) -> bool {
    let mut pending = vec![variable];
    while let Some(address) = pending.pop() {
        for user in address.users() {
            match user.opcode() {
                Some(InstructionOpcode::Load) => {}
                Some(
                    InstructionOpcode::Store
                    | InstructionOpcode::AtomicRMW
                    | InstructionOpcode::AtomicCmpXchg,
                ) if user
                    .operands()
                    .iter()
                    .filter(|operand| **operand == address)
                    .count()
                    == 1
                    && user.accessed_pointer() == Some(address) => {}
                Some(InstructionOpcode::GetElementPtr)
                    if user.operand(0) == Some(address)
                        && user.operands()[1..]
                            .iter()
                            .all(|index| index.integer().is_some()) =>
                {
                    pending.push(user);
                }
                Some(InstructionOpcode::Call) if lifetime_mark(user).is_some() => {}
                Some(_) | None => return false,
            }
        }
    }
    true
}
