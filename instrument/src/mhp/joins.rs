//! The thread that each join waits for, that each detachment detaches, and whose handle is used elsewhere.
//!
//! It is known if the handle comes from a creation of the joining thread that starts one certain thread: directly, or from a
//! variable where only one statement of the joining thread stores such a handle, which comes first on all ways.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{EdgeId, LocationId, Operand, Operation, RegisterId, Statement};
use program::points_to::Offsets;

use crate::byte_range::ByteRange;
use crate::context::Context;
use crate::footprint::{Footprint, FootprintKind, Footprints, Target};
use crate::mhp::starts::Starts;
use crate::occurrence::Occurrence;

/// The threads that joins, detachments and other uses of handles are about, where that is known.
pub(crate) struct Joins {
    named: BTreeMap<Occurrence, Option<InstanceId>>,
    exits: BTreeMap<Occurrence, InstanceId>,
}

impl Joins {
    pub fn new(context: &Context, footprints: &Footprints, starts: &Starts) -> Self {
        let mut joins = Self {
            named: BTreeMap::new(),
            exits: BTreeMap::new(),
        };
        for instance in context.instances.threads.keys() {
            for (edge, content) in context.edges(instance) {
                let occurrence = Occurrence { instance, edge };
                if let Statement::Join { thread, .. }
                | Statement::Detach { thread }
                | Statement::NumberOfThread { thread, .. } = content.statement
                {
                    let named = named(context, footprints, starts, instance, thread);
                    let waits = matches!(content.statement, Statement::Join { .. });
                    let exited = named.filter(|&named| waits && named != instance);
                    joins.named.insert(occurrence, named);
                    joins
                        .exits
                        .extend(exited.map(|exited| (occurrence, exited)));
                }
            }
        }
        joins
    }

    /// The thread that has certainly exited after a statement, because that joins it.
    pub fn exited_after(&self, join: Occurrence) -> Option<InstanceId> {
        self.exits.get(&join).copied()
    }

    /// The statements of other threads that may be about the same thread as one with a handle.
    pub fn competing(&self, claim: Occurrence) -> impl Iterator<Item = Occurrence> {
        let named = self.named.get(&claim).copied();
        let others = self
            .named
            .iter()
            .filter(move |(other, _)| other.instance != claim.instance);
        others
            .filter(move |&(_, other)| match (named, other) {
                (Some(Some(named)), Some(other)) => named == *other,
                (Some(None), _) | (Some(Some(_)), None) => true,
                (None, _) => false,
            })
            .map(|(&other, _)| other)
    }

    /// Whether a statement with a handle may be about any thread.
    pub fn is_unknown(&self, claim: Occurrence) -> bool {
        self.named.get(&claim) == Some(&None)
    }

    /// The statements with handles that may be about any thread.
    pub fn unknown(&self) -> impl Iterator<Item = Occurrence> {
        self.named
            .iter()
            .filter(|(_, named)| named.is_none())
            .map(|(&join, _)| join)
    }
}

/// The thread of a handle, if it is the same in all runs.
fn named(
    context: &Context,
    footprints: &Footprints,
    starts: &Starts,
    instance: InstanceId,
    thread: Operand,
) -> Option<InstanceId> {
    let Operand::Register(handle) = thread else {
        return None;
    };
    if context.template(instance).is_own_handle(thread) {
        return Some(instance);
    }
    let source = definition(context, instance, handle)?;
    if let Some(started) = started_by(context, starts, instance, source) {
        return Some(started);
    }
    let template = context.template(instance);
    let Statement::Load { address, .. } = template.edges[source].statement else {
        return None;
    };
    let (object, offset) = context.definite_target(instance, address)?;
    let range = ByteRange {
        offsets: Offsets::Exact(offset),
        size: context.program.data_model.address_bytes(),
    };
    let cell = Footprint {
        target: Target::Object(object, range),
        kind: FootprintKind::Read,
    };
    let writers: BTreeSet<Occurrence> = footprints
        .overlapping(cell)
        .filter(|(_, footprint)| footprint.kind.writes())
        .map(|(writer, _)| writer)
        .collect();
    let own = writers.iter().all(|writer| writer.instance == instance);
    let stored = |writer: &Occurrence| {
        let Statement::Store {
            value: Operand::Register(value),
            address,
            ..
        } = template.edges[writer.edge].statement
        else {
            return None;
        };
        let exact = context.definite_target(instance, address) == Some((object, offset));
        let creation = definition(context, instance, value).filter(|_| exact)?;
        started_by(context, starts, instance, creation)
    };
    let handles: Vec<(EdgeId, InstanceId)> = writers
        .iter()
        .filter(|_| own)
        .filter_map(|writer| Some((writer.edge, stored(writer)?)))
        .collect();
    let &[(store, started)] = &handles[..] else {
        return None;
    };
    let edges = writers.iter().map(|writer| writer.edge);
    let others: Vec<EdgeId> = edges.filter(|&edge| edge != store).collect();
    comes_last(context, instance, store, &others, source).then_some(started)
}

/// The one thread that a creating statement starts; none for other statements.
fn started_by(
    context: &Context,
    starts: &Starts,
    instance: InstanceId,
    edge: EdgeId,
) -> Option<InstanceId> {
    let statement = &context.template(instance).edges[edge].statement;
    match starts.of(Occurrence { instance, edge }) {
        &[started] if matches!(statement, Statement::Create { .. }) => Some(started),
        _ => None,
    }
}

/// The only statement that gives a register its value, through copies.
fn definition(context: &Context, instance: InstanceId, register: RegisterId) -> Option<EdgeId> {
    let mut register = register;
    let mut followed = BTreeSet::new();
    while followed.insert(register) {
        let &[definition] = &context.graph(instance).definitions[register][..] else {
            return None;
        };
        let statement = &context.template(instance).edges[definition].statement;
        let copied = if let Statement::ParallelAssign(moves) = statement {
            let mut moves = moves.iter();
            moves.find_map(|&(target, source)| (target == register).then_some(source))
        } else if let Statement::Assign {
            operation: Operation::Copy(source),
            ..
        } = statement
        {
            Some(*source)
        } else {
            None
        };
        match copied {
            None => return Some(definition),
            Some(Operand::Register(source)) => register = source,
            Some(Operand::Constant(_) | Operand::Address(..)) => return None,
        }
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
