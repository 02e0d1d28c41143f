//! Statements that are defined in every state, so that they never lead to a limit.

use abi::ids::InstanceId;
use program::model::{Edge, LocationId, ObjectKind, Operand, Program, Statement};
use program::points_to::Offsets;

use crate::context::{Context, bytes};

/// Whether a statement leads to its target, and to no limit, in every state in which a thread may execute it.
pub(crate) fn certainly_defined(context: &Context, instance: InstanceId, edge: &Edge) -> bool {
    let template = context.template(instance);
    let place = (instance, edge.source);
    let valid = |address, size, writes| certainly_valid(context, place, address, size, writes);
    match &edge.statement {
        Statement::Skip
        | Statement::Guard { .. }
        | Statement::Assign { .. }
        | Statement::ParallelAssign(_)
        | Statement::Havoc { .. }
        | Statement::LifetimeStart { .. }
        | Statement::LifetimeEnd { .. }
        | Statement::SelfHandle { .. }
        | Statement::SelfNumber { .. }
        | Statement::Number { .. }
        | Statement::TestConflicts { .. }
        | Statement::AtomicBegin
        | Statement::AtomicEnd
        | Statement::Return { .. } => true,
        Statement::Load {
            register, address, ..
        } => valid(*address, bytes(template.registers[*register].width), false),
        Statement::Store { value, address, .. } => {
            valid(*address, bytes(template.width(*value)), true)
        }
        Statement::AtomicRmw {
            register, address, ..
        } => valid(*address, bytes(template.registers[*register].width), true),
        Statement::CompareExchange {
            register, address, ..
        } => {
            valid(*address, bytes(template.registers[*register].width), true)
                && context.asked_for(instance, edge).is_empty()
        }
        Statement::Free { automatic, .. } => *automatic,
        Statement::Allocate { .. }
        | Statement::Size { .. }
        | Statement::Create { .. }
        | Statement::Join { .. }
        | Statement::Detach { .. }
        | Statement::Mutex { .. } => false,
    }
}

/// Whether an access of a thread at a location is to bytes of a variable that is alive then.
fn certainly_valid(
    context: &Context,
    (instance, location): (InstanceId, LocationId),
    address: Operand,
    size: u32,
    writes: bool,
) -> bool {
    let targets = context.points_to.targets(instance, address);
    !matches!(address, Operand::Constant(_))
        && !targets.other
        && !targets.objects.is_empty()
        && targets.objects.iter().all(|&(id, offsets)| {
            let object = &context.instances.objects[id];
            let owner = context.instances.owner(id);
            let inside = match offsets {
                Offsets::Exact(offset) => offset
                    .checked_add(size)
                    .is_some_and(|end| end <= object.size),
                Offsets::Stride { .. } | Offsets::Any => false,
            };
            inside
                && has_content(context.program, object.kind, writes)
                && owner.is_none_or(|owner| owner == instance)
                && !context
                    .lifetimes
                    .may_be_over(context.instances, (instance, location), id)
        })
}

/// Whether a variable has bytes that may be accessed so.
fn has_content(program: &Program, kind: ObjectKind, writes: bool) -> bool {
    match kind {
        ObjectKind::Function(_)
        | ObjectKind::Heap { .. }
        | ObjectKind::Thread(_)
        | ObjectKind::Base(_) => false,
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            !writes || program.globals[global].writable
        }
        ObjectKind::Local(..) => true,
    }
}
