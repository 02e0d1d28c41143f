//! Scheduling points: the locations where a search lets threads take turns.
//!
//! A statement that accesses registers only commutes with every statement of other threads, so it may run together with
//! the step before it. Turns are taken only at *shared* locations. Each cycle has a shared location; otherwise a thread
//! that loops on its registers would keep other threads from running for ever (the ignoring problem of partial order
//! reduction). A statement that ends the whole run disables other threads, so its edge starts at a shared location as
//! well. A return enables other threads, and runs together with the step before it, unless it ends the lifetimes of
//! variables whose addresses other threads may have.

use cranelift_entity::SecondaryMap;

use super::Scheduling;
use program::automaton::Outgoing;
use program::lifetimes::escaping;
use program::model::{
    Edge, Global, Location, LocationId, LocationKind, Program, Statement, Template,
};

/// What a search does when a thread arrives at a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SchedulingPoint {
    /// The thread goes on at once.
    #[default]
    Passed,
    /// The state is kept, and the same thread goes on: a nondeterministic choice, or a cycle that is cut.
    Own,
    /// The state is kept, and any thread goes on.
    Shared,
}

/// Decides for every location of a template of a program.
pub(super) fn points(
    program: &Program,
    template: &Template,
    scheduling: Scheduling,
) -> SecondaryMap<LocationId, SchedulingPoint> {
    let ends_lives = ends_lives(program, template);
    let outgoing = Outgoing::new(template);
    let mut points = SecondaryMap::with_default(SchedulingPoint::Passed);
    for (id, location) in &template.locations {
        let edges = || outgoing.of(id).iter().map(|&edge| &template.edges[edge]);
        points[id] = match (location.kind, scheduling) {
            (LocationKind::Ordinary, _) if location.atomic_depth > 0 => own(edges()),
            (LocationKind::Ordinary, Scheduling::Visible)
                if edges().any(|edge| !commutes(template, edge, ends_lives)) =>
            {
                SchedulingPoint::Shared
            }
            (LocationKind::Ordinary, Scheduling::External)
                if location.external || id == template.entry =>
            {
                SchedulingPoint::Shared
            }
            (LocationKind::Ordinary, Scheduling::Visible | Scheduling::External) => own(edges()),
            (_, _) => SchedulingPoint::Shared,
        };
    }
    for head in uncut_cycle_heads(template, &outgoing, &points) {
        points[head] = at_cycle(&template.locations[head], scheduling);
    }
    points
}

/// Whether an edge outside of atomic regions has no effect that others see.
fn commutes(template: &Template, edge: &Edge, ends_lives: bool) -> bool {
    let ends_run = template.locations[edge.target].kind == LocationKind::Halted;
    let is_unseen = match edge.statement {
        Statement::Skip
        | Statement::Guard { .. }
        | Statement::Assign { .. }
        | Statement::ParallelAssign(_)
        | Statement::Havoc { .. }
        | Statement::SelfHandle { .. }
        | Statement::SelfNumber { .. }
        | Statement::TestConflicts { .. } => true,
        Statement::Return { .. } => !ends_lives,
        Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::AtomicRmw { .. }
        | Statement::CompareExchange { .. }
        | Statement::LifetimeStart { .. }
        | Statement::LifetimeEnd { .. }
        | Statement::Allocate { .. }
        | Statement::Number { .. }
        | Statement::Free { .. }
        | Statement::Size { .. }
        | Statement::Create { .. }
        | Statement::Join { .. }
        | Statement::Detach { .. }
        | Statement::NumberOfThread { .. }
        | Statement::FindLeak(_)
        | Statement::Mutex { .. }
        | Statement::AtomicBegin
        | Statement::AtomicEnd => false,
    };
    !ends_run && is_unseen
}

/// Whether other threads may have addresses of variables that die when a thread of this template returns.
pub(super) fn ends_lives(program: &Program, template: &Template) -> bool {
    let is_thread_local = |global: &Global| global.thread_local;
    program.globals.values().any(is_thread_local) || !escaping(template).is_empty()
}

fn own<'a>(mut edges: impl Iterator<Item = &'a Edge>) -> SchedulingPoint {
    let chooses = edges.any(|edge| matches!(edge.statement, Statement::Havoc { .. }));
    if chooses {
        SchedulingPoint::Own
    } else {
        SchedulingPoint::Passed
    }
}

fn at_cycle(location: &Location, scheduling: Scheduling) -> SchedulingPoint {
    match scheduling {
        Scheduling::Visible if location.atomic_depth == 0 => SchedulingPoint::Shared,
        Scheduling::Visible | Scheduling::External => SchedulingPoint::Own,
    }
}

/// A set of locations that meets every cycle without a shared location: the targets of back edges in a depth-first search.
fn uncut_cycle_heads(
    template: &Template,
    outgoing: &Outgoing,
    points: &SecondaryMap<LocationId, SchedulingPoint>,
) -> Vec<LocationId> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut marks = SecondaryMap::with_default(Mark::New);
    let mut heads = Vec::new();
    for root in template.locations.keys() {
        let mut stack = vec![(root, 0)];
        while let Some((location, next)) = stack.pop() {
            if next == 0 {
                if marks[location] != Mark::New || points[location] == SchedulingPoint::Shared {
                    continue;
                }
                marks[location] = Mark::Open;
            }
            let Some(&edge) = outgoing.of(location).get(next) else {
                marks[location] = Mark::Done;
                continue;
            };
            stack.push((location, next + 1));
            let target = template.edges[edge].target;
            if marks[target] == Mark::Open {
                heads.push(target);
            } else {
                stack.push((target, 0));
            }
        }
    }
    heads
}
