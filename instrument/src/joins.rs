//! Which thread each join waits for.
//!
//! It is known if the handle was read from a variable that only one creation of the joining thread writes, that creation
//! comes first on all ways, and it starts one certain thread.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{Edge, EdgeId, LocationId, Operand, Operation, RegisterId, Statement};
use program::points_to::Offsets;

use crate::access::{Access, AccessKind, Accesses, Occurrence, Target};
use crate::context::Context;
use crate::range::Range;
use crate::starts::Starts;

/// The threads that have certainly exited after a join, where that is known.
pub(crate) struct Joins(BTreeMap<Occurrence, Option<InstanceId>>);

impl Joins {
    pub fn new(context: &Context, accesses: &Accesses, starts: &Starts) -> Self {
        let mut joins = BTreeMap::new();
        for instance in context.instances.threads.keys() {
            for (edge, content) in context.edges(instance) {
                if matches!(content.statement, Statement::Join { .. }) {
                    let exited = joined(context, accesses, starts, instance, content);
                    joins.insert(Occurrence { instance, edge }, exited);
                }
            }
        }
        Self(joins)
    }

    /// The thread that a join waits for.
    pub fn of(&self, join: Occurrence) -> Option<InstanceId> {
        self.0.get(&join).copied().flatten()
    }

    /// The joins that may wait for any thread.
    pub fn unknown(&self) -> impl Iterator<Item = Occurrence> {
        self.0
            .iter()
            .filter(|(_, exited)| exited.is_none())
            .map(|(&join, _)| join)
    }
}

/// The thread that a join waits for, if it is the same in all runs.
fn joined(
    context: &Context,
    accesses: &Accesses,
    starts: &Starts,
    instance: InstanceId,
    edge: &Edge,
) -> Option<InstanceId> {
    let Statement::Join {
        thread: Operand::Register(handle),
        ..
    } = edge.statement
    else {
        return None;
    };
    let load = loaded_from(context, instance, handle)?;
    let template = context.template(instance);
    let Statement::Load { address, .. } = template.edges[load].statement else {
        return None;
    };
    let (object, offset) = context.definite_target(instance, address)?;
    let range = Range {
        offsets: Offsets::Exact(offset),
        size: 8,
    };
    let cell = Access {
        target: Target::Object(object, range),
        kind: AccessKind::Read,
    };
    let writers: BTreeSet<Occurrence> = accesses
        .overlapping(cell)
        .filter(|(_, access)| access.kind.writes())
        .map(|(writer, _)| writer)
        .collect();
    let (creations, others): (Vec<Occurrence>, Vec<Occurrence>) = writers
        .into_iter()
        .partition(|&writer| !starts.of(writer).is_empty());
    let &[creation] = &creations[..] else {
        return None;
    };
    let &[started] = starts.of(creation) else {
        return None;
    };
    let other_edges: Vec<EdgeId> = others.iter().map(|other| other.edge).collect();
    let own =
        creation.instance == instance && others.iter().all(|other| other.instance == instance);
    let exact = context.definite_target(instance, create_handle(context, creation)?)
        == Some((object, offset));
    (own && exact && comes_last(context, instance, creation.edge, &other_edges, load))
        .then_some(started)
}

fn create_handle(context: &Context, creation: Occurrence) -> Option<Operand> {
    let statement = &context.template(creation.instance).edges[creation.edge].statement;
    if let Statement::Create { handle, .. } = statement {
        Some(*handle)
    } else {
        None
    }
}

/// The load whose result a register holds, through copies.
fn loaded_from(context: &Context, instance: InstanceId, register: RegisterId) -> Option<EdgeId> {
    let mut register = register;
    let mut followed = BTreeSet::new();
    while followed.insert(register) {
        let &[definition] = &context.graph(instance).definitions[register][..] else {
            return None;
        };
        let statement = &context.template(instance).edges[definition].statement;
        if let Statement::Load { .. } = statement {
            return Some(definition);
        }
        let &Statement::Assign {
            operation: Operation::Copy(Operand::Register(source)),
            ..
        } = statement
        else {
            return None;
        };
        register = source;
    }
    None
}

/// Whether a run that executes `read` has executed `write` before, and none of `others` since.
fn comes_last(
    context: &Context,
    instance: InstanceId,
    write: EdgeId,
    others: &[EdgeId],
    read: EdgeId,
) -> bool {
    let template = context.template(instance);
    let reads_at = template.edges[read].source;
    let unwritten = reachable_without(context, instance, template.entry, write);
    let later = context
        .graph(instance)
        .outgoing
        .reachable(template, [template.edges[write].target]);
    let overwritten = others
        .iter()
        .any(|&other| later.contains(template.edges[other].source));
    !unwritten.contains(&reads_at) && !overwritten && !later.contains(template.edges[write].source)
}

/// The locations that a run may visit from `start` before it passes `edge`.
fn reachable_without(
    context: &Context,
    instance: InstanceId,
    start: LocationId,
    edge: EdgeId,
) -> BTreeSet<LocationId> {
    let template = context.template(instance);
    let outgoing = &context.graph(instance).outgoing;
    let mut found = BTreeSet::new();
    let mut pending = vec![start];
    while let Some(location) = pending.pop() {
        if found.insert(location) {
            let next = outgoing.of(location).iter().filter(|&&id| id != edge);
            pending.extend(next.map(|&id| template.edges[id].target));
        }
    }
    found
}
