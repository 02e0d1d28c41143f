//! Statements that are defined in every state, so that they never lead to a limit.

use abi::ids::InstanceId;
use program::model::{
    Access, AccessKind, Edge, LifeEffect, LocationId, ObjectKind, Operand, Program, ThreadEffect,
};
use program::points_to::Offsets;

use crate::context::Context;

/// Whether a statement leads to its target, and to no limit, in every state in which a thread may execute it.
pub(crate) fn certainly_defined(context: &Context, instance: InstanceId, edge: &Edge) -> bool {
    let effects = edge.statement.effects();
    let place = (instance, edge.source);
    let size = |access: Access<'_>| access.size(context.template(instance));
    let valid = |access: Access<'_>, writes| {
        certainly_valid(context, place, access.address, size(access), writes)
    };
    let access_is_valid = effects.access.is_none_or(|access| match access.kind {
        AccessKind::Read => valid(access, false),
        AccessKind::Write | AccessKind::Update(_) => valid(access, true),
        AccessKind::CompareExchange => {
            valid(access, true) && context.asked_for(instance, edge).is_empty()
        }
        AccessKind::Mutex(_) => false,
    });
    let life_is_defined = effects.life.is_none_or(|life| match life {
        LifeEffect::Starts(_)
        | LifeEffect::Ends(_)
        | LifeEffect::Locates { .. }
        | LifeEffect::FindsLeaks(_)
        | LifeEffect::Compares(_) => true,
        LifeEffect::Frees { automatic, .. } => automatic,
        LifeEffect::Allocates { .. } | LifeEffect::Measures { .. } => false,
    });
    let thread_is_defined = effects.thread.is_none_or(|thread| match thread {
        ThreadEffect::Exits { .. } => true,
        ThreadEffect::Creates { .. }
        | ThreadEffect::Joins { .. }
        | ThreadEffect::Detaches { .. }
        | ThreadEffect::Names { .. } => false,
    });
    access_is_valid && life_is_defined && thread_is_defined
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
        | ObjectKind::Base(_)
        | ObjectKind::Nowhere => false,
        ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
            !writes || program.globals[global].writable
        }
        ObjectKind::Local(..) => true,
    }
}
