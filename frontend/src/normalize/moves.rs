//! Pointer arithmetic that leads far out of every object. The model does not keep which object such a pointer came from, so no
//! answer about the pointer would be correct.

use inkwell::values::InstructionOpcode as Op;
use program::model::DataModel;
use rustc_hash::FxHashSet;

use crate::llvm::{Builder, Displacement, Module, Value, displacement};

/// How far an instruction moves a pointer, if that may be by [`DataModel::far`] or more and more is done with the result than accesses, which are
/// undefined anyway.
pub(super) fn far(module: &Module, instruction: Value) -> Option<Displacement> {
    let is_move =
        instruction.opcode() == Some(Op::GetElementPtr) && instruction.value_type_of().is_pointer();
    if !is_move {
        return None;
    }
    let moved = displacement(module, instruction)?;
    (!is_near(module, &moved) && is_passed_on(instruction)).then_some(moved)
}

/// The conditions under which a pointer is moved by less than [`DataModel::far`]: every index is near by itself, so that the sum does
/// not wrap around, and so is the sum.
pub(super) fn stays_near(module: &Module, builder: &Builder, moved: &Displacement) -> Vec<Value> {
    let data_model: DataModel = module.data_model();
    let far = data_model.far();
    let integer = module.size_type();
    let mut conditions = Vec::new();
    let mut raised = integer.constant(moved.constant.wrapping_add(far - 1) & data_model.mask());
    for &(index, scale) in &moved.indices {
        let index = builder.resize_signed(index, integer);
        if let Some(most) = far.checked_div(scale) {
            let above = builder.add(index, integer.constant(most));
            conditions.push(builder.unsigned_less(above, integer.constant(2 * most + 1)));
        }
        let distance = builder.multiply(index, integer.constant(scale));
        raised = builder.add(raised, distance);
    }
    conditions.push(builder.unsigned_less(raised, integer.constant(2 * far - 1)));
    conditions
}

/// Whether no index can lead far.
fn is_near(module: &Module, moved: &Displacement) -> bool {
    let start = (moved.constant as i64).unsigned_abs();
    let longest = moved
        .indices
        .iter()
        .try_fold(start, |sum, &(index, scale)| {
            sum.checked_add(scale.checked_mul(1 << bits(index)?)?)
        });
    longest.is_some_and(|distance| distance < module.data_model().far())
}

/// In how many bits the size of an index fits, if these are few.
fn bits(index: Value) -> Option<u32> {
    let source = match index.opcode() {
        Some(Op::SExt | Op::ZExt) => index.operand(0)?,
        Some(_) | None => index,
    };
    let width = source.value_type_of().int_width()?;
    (width <= 16).then_some(width)
}

/// Whether an address is more than accessed.
fn is_passed_on(address: Value) -> bool {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![address]);
    while let Some(address) = pending.pop() {
        if !seen.insert(address) {
            continue;
        }
        for user in address.users() {
            let used = user.operands().into_iter();
            let times = used.filter(|used| *used == address).count();
            if user.accessed_pointer() == Some(address) && times == 1 {
                continue;
            }
            match user.opcode() {
                Some(Op::GetElementPtr | Op::Phi | Op::Select) => pending.push(user),
                Some(_) | None => return true,
            }
        }
    }
    false
}
