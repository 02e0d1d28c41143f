//! Global variables that hold pointers and do not change from some location on.

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use program::model::{GlobalId, Operand, Place, Statement};
use program::points_to::Offsets;

use crate::byte_range::ByteRange;
use crate::context::Context;
use crate::footprint::{Footprint, FootprintKind, Footprints, Target};
use crate::mhp::Mhp;
use crate::occurrence::Occurrence;

/// The eight bytes of a global variable that a pointer is loaded from.
pub(crate) fn cell_read(
    context: &Context,
    instance: InstanceId,
    (global, at): (GlobalId, u32),
) -> Footprint {
    let object = context.instances.resolve(instance, Place::Global(global));
    let range = ByteRange {
        offsets: Offsets::Exact(at),
        size: context.program.data_model.address_bytes(),
    };
    Footprint {
        target: Target::Object(object, range),
        kind: FootprintKind::Read,
    }
}

/// The global variables that a thread loads pointers from and that no other thread can write while this one runs.
pub(crate) fn stable_globals(
    context: &Context,
    footprints: &Footprints,
    mhp: &Mhp,
    instance: InstanceId,
) -> BTreeSet<(GlobalId, u32)> {
    let template = context.template(instance);
    let edges = || {
        context
            .edges(instance)
            .map(|(edge, _)| Occurrence { instance, edge })
    };
    let is_stable = |&cell: &(GlobalId, u32)| {
        let writers = footprints
            .overlapping(cell_read(context, instance, cell))
            .filter(|(other, footprint)| other.instance != instance && footprint.kind.writes());
        let mut writers = writers.map(|(other, _)| other);
        !context.rules.pointers_change
            || writers.all(|other| edges().all(|own| !mhp.concurrent(context, own, other)))
    };
    let cells = context.edges(instance).filter_map(|(_, edge)| {
        if let Statement::Load {
            register,
            address: Operand::Address(Place::Global(global), at),
            ..
        } = edge.statement
        {
            let shared = !context.program.globals[global].thread_local;
            (shared && template.is_address(register.into())).then_some((global, at))
        } else {
            None
        }
    });
    let cells: BTreeSet<(GlobalId, u32)> = cells.collect();
    cells.into_iter().filter(is_stable).collect()
}
