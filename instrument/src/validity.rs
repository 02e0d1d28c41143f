//! Which statements certainly have a defined meaning, so that they never lead to a limit.

use abi::ids::InstanceId;
use program::model::{Edge, ObjectKind, Operand, Program, Statement};
use program::points_to::Offsets;

use crate::context::{Context, bytes};

/// Whether a statement leads to its target, and to no limit, in every state in which a thread may execute it.
pub(crate) fn certainly_defined(context: &Context, instance: InstanceId, edge: &Edge) -> bool {
    let template = context.template(instance);
    let valid = |address, size, writes| certainly_valid(context, instance, address, size, writes);
    match &edge.statement {
        Statement::Skip
        | Statement::Guard { .. }
        | Statement::Assign { .. }
        | Statement::Parallel(_)
        | Statement::Havoc { .. }
        | Statement::Uninitialise { .. }
        | Statement::SelfHandle { .. }
        | Statement::Number { .. }
        | Statement::Ask { .. }
        | Statement::AtomicBegin
        | Statement::AtomicEnd
        | Statement::Return { .. } => true,
        Statement::Load {
            register, address, ..
        } => valid(*address, bytes(template.registers[*register].width), false),
        Statement::Store { value, address, .. } => {
            valid(*address, bytes(template.width(*value)), true)
        }
        Statement::Update {
            register, address, ..
        }
        | Statement::CompareExchange {
            register, address, ..
        } => valid(*address, bytes(template.registers[*register].width), true),
        Statement::Allocate { .. }
        | Statement::Free { .. }
        | Statement::Create { .. }
        | Statement::Join { .. }
        | Statement::Mutex { .. } => false,
    }
}

/// Whether an access is to bytes of a variable that lives as long as its thread.
fn certainly_valid(
    context: &Context,
    instance: InstanceId,
    address: Operand,
    size: u32,
    writes: bool,
) -> bool {
    let targets = context.points_to.targets(instance, address);
    !matches!(address, Operand::Constant(_))
        && !targets.other
        && !targets.objects.is_empty()
        && targets.objects.iter().all(|&(object, offsets)| {
            let object = &context.instances.objects[object];
            let inside = match offsets {
                Offsets::Exact(offset) => offset
                    .checked_add(size)
                    .is_some_and(|end| end <= object.size),
                Offsets::Stride { .. } | Offsets::Any => false,
            };
            inside && lives(context.program, object.kind, writes)
        })
}

fn lives(program: &Program, kind: ObjectKind, writes: bool) -> bool {
    match kind {
        ObjectKind::Function(_) | ObjectKind::Heap { .. } | ObjectKind::Base(_) => false,
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            !writes || program.globals[global].writable
        }
        ObjectKind::Local(..) => true,
    }
}
