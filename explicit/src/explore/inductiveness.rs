//! Checks that the states of a search are an inductive invariant: the evidence for its proof.
//!
//! Where runs that go on for ever are looked for, it confirms that there is none, too: the turns from one state of the set to another
//! form no cycle. A turn has finitely many statements, and there are finitely many states.
//!
//! # Programs as they are read
//!
//! The check shares three things with the search: [`crate::interpret`], which values a program can tell apart
//! (`observed`), and the decision which returns end lifetimes that other threads may observe. The input is a set *S*
//! of states and, for each location, whether other threads may interrupt a thread there (`SchedulingPoint`). Both are
//! claims. The check confirms three items:
//!
//! 1. A statement outside of atomic regions at a location where no other thread may interrupt accesses registers only,
//!    or is a return that ends no lifetime of a variable whose address other threads may have. It does not end the run,
//!    and does not enter an atomic region. Such locations form no cycle.
//! 2. The initial state is in *S*. No thread of a state in *S* is at an error or a limit, and no turn of item 3 reaches
//!    one.
//! 3. Each turn from a state in *S*, with all choices that the program can tell apart, ends in *S* or ends the run. A
//!    turn is one statement, and the statements after it while the thread is inside an atomic region or where no other
//!    thread may interrupt it, or while all other threads have ended or are not created and nothing was chosen in the
//!    turn. All threads take turns, with one exception: if a thread is where no other thread may interrupt it, only
//!    this thread takes a turn.
//!
//! These items suffice. Call a state *covered* if it is in *S*, or has ended, or some thread is about to execute a
//! statement of item 1 and all results of the statement are covered, or some thread is inside an atomic region or the
//! only one that may run, and all results of its next statement are covered. By item 3, all intermediate states of a
//! turn are covered. Coverage is closed under every step. If the thread that steps is the thread of the definition,
//! this holds by definition. If another thread steps, the two statements commute: no other thread observes registers,
//! and a return enables joins but changes nothing else. So the other thread takes the same step from the results, which
//! are covered by fewer statements. The argument is repeated there, and ends since item 1 excludes cycles. (If the
//! other thread enters an atomic region meanwhile, the statement is executed only in the argument; no thread observes
//! the difference.) Errors and limits of any thread persist in the states that cover a state, so none is reachable.
//!
//! # Reduced programs
//!
//! In a reduced program (paper, Sec. 4.3) a thread is interrupted at external locations only, and a turn is a transaction: the
//! statements from one external location to the next. As a proof about the encoded system does, the check takes for granted that the
//! reduction keeps errors and limits. Item 1 then says that other threads may interrupt a thread at each external location and at
//! the start of each template. A thread that has to wait inside of a transaction does not complete it, and the transaction is no
//! step of the reduced program. Items 2 and 3 are as above.

mod answers;
#[cfg(test)]
pub(super) mod tests;

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, PrimaryMap, SecondaryMap};
use rustc_hash::FxHashMap;

use self::answers::Answers;
use super::points::{SchedulingPoint, ends_lives};
use super::{Explored, Scheduling};
use crate::interpret::{AdvanceResult, Executed, Interpreter, State, Thread};
use crate::observed::{Distinctions, Representatives};
use program::model::{
    Edge, Instances, LocationId, LocationKind, Program, Property, Statement, Template, TemplateId,
};

/// The turn of the only thread ends after so many statements.
const LONGEST_TURN: usize = 1 << 12;

/// Why states are no inductive invariant.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotInductive {
    /// Others must be able to interrupt a thread here.
    #[error("{0} of {1} may not be passed over")]
    Passed(LocationId, TemplateId),
    /// A thread may run for ever without being interrupted.
    #[error("{0} has a cycle without a scheduling point")]
    Cycle(TemplateId),
    /// The first state is missing.
    #[error("the initial state is missing")]
    Initial,
    /// A turn ends in a state that is missing.
    #[error("a successor by a turn of {0} is missing")]
    Missing(InstanceId),
    /// A thread is at an error or at a limit, or a state has ended.
    #[error("{0} violates the property or a limit")]
    Violated(InstanceId),
    /// Turns lead from a state back to it.
    #[error("turns lead from a state back to it")]
    Recurs,
    /// A choice is too wide to be enumerated.
    #[error("a choice of {0} bits")]
    Wide(u32),
    /// The check was cancelled before its end.
    #[error("stopped before its end")]
    Interrupted,
    /// A turn does not end, or a thread that no other thread may interrupt cannot continue.
    #[error("{0} is stuck in a turn")]
    Stuck(InstanceId),
}

/// Checks that the states are an inductive invariant of the program without error or limit.
///
/// # Errors
///
/// The first reason against it that is found.
pub fn check(
    program: &Program,
    instances: &Instances,
    explored: &Explored,
) -> Result<(), NotInductive> {
    check_unless(program, instances, explored, &|| false)
}

/// As [`check`], and gives up with [`NotInductive::Interrupted`] soon after `interrupted` holds; it is asked often.
///
/// # Errors
///
/// The first reason against it that is found.
pub fn check_unless(
    program: &Program,
    instances: &Instances,
    explored: &Explored,
    interrupted: &dyn Fn() -> bool,
) -> Result<(), NotInductive> {
    let interpreter = Interpreter::new(program, instances);
    let mut states = States::default();
    explored.for_each(&interpreter, instances, &mut |state| states.insert(state));
    match explored.scheduling {
        Scheduling::Visible => check_points(program, &explored.points)?,
        Scheduling::External => check_external_points(program, &explored.points)?,
    }
    if !states.contains(&interpreter.initial()) {
        return Err(NotInductive::Initial);
    }
    let checker = Checker {
        instances,
        interpreter: &interpreter,
        points: &explored.points,
        representatives: Representatives::new(
            program,
            instances,
            explored.complete_width,
            Distinctions::default(),
        ),
        scheduling: explored.scheduling,
        states: &states,
    };
    let is_acyclic = program.properties.contains(&Property::NoInfiniteRun);
    let mut turns = is_acyclic.then(|| vec![Vec::new(); states.states.len()]);
    let mut result = Ok(());
    let mut after = interpreter.initial();
    explored.for_each(&interpreter, instances, &mut |state| {
        if result.is_ok() {
            result = if interrupted() {
                Err(NotInductive::Interrupted)
            } else {
                checker.successors(state, &mut after, turns.as_mut())
            };
        }
    });
    result?;
    match turns {
        Some(turns) if !takes_away_all(&turns) => Err(NotInductive::Recurs),
        Some(_) | None => Ok(()),
    }
}

/// A set of states; equal threads and memories are kept once.
#[derive(Debug, Default)]
struct States {
    threads: FxHashMap<Thread, u32>,
    memories: FxHashMap<Box<[u8]>, u32>,
    /// The states by their parts, with their numbers.
    states: FxHashMap<Box<[u32]>, u32>,
}

impl States {
    fn insert(&mut self, state: &State) {
        let mut parts = Vec::with_capacity(state.threads().len() + 1);
        for thread in state.threads() {
            let next = self.threads.len() as u32;
            parts.push(match self.threads.get(thread) {
                Some(&known) => known,
                None => *self.threads.entry(thread.clone()).or_insert(next),
            });
        }
        let next = self.memories.len() as u32;
        parts.push(match self.memories.get(state.memory()) {
            Some(&known) => known,
            None => *self.memories.entry(state.memory().into()).or_insert(next),
        });
        let next = self.states.len() as u32;
        self.states.entry(parts.into()).or_insert(next);
    }

    fn parts(&self, state: &State) -> Option<Vec<u32>> {
        let threads = state
            .threads()
            .iter()
            .map(|thread| self.threads.get(thread));
        threads
            .chain([self.memories.get(state.memory())])
            .map(Option::<&u32>::copied)
            .collect()
    }

    fn contains(&self, state: &State) -> bool {
        self.parts(state)
            .is_some_and(|parts| self.states.contains_key(parts.as_slice()))
    }

    /// The number of a successor of a state with these parts, if it is one of the states: most parts are equal, which is seen sooner than
    /// found.
    fn number_after(&self, state: &State, before: &State, parts: &[u32]) -> Option<u32> {
        let threads = state.threads().iter().zip(before.threads()).zip(parts);
        let threads = threads.map(|((thread, before), part)| match thread == before {
            true => Some(*part),
            false => self.threads.get(thread).copied(),
        });
        let memory = match state.memory() == before.memory() {
            true => parts.last().copied(),
            false => self.memories.get(state.memory()).copied(),
        };
        let parts: Option<Vec<u32>> = threads.chain([memory]).collect();
        self.states.get(parts?.as_slice()).copied()
    }
}

type Points = PrimaryMap<TemplateId, SecondaryMap<LocationId, SchedulingPoint>>;

/// Item 1.
fn check_points(program: &Program, points: &Points) -> Result<(), NotInductive> {
    for (id, template) in &program.templates {
        let points = points.get(id).ok_or(NotInductive::Cycle(id))?;
        let alone = |location: LocationId| {
            template.locations[location].kind == LocationKind::Ordinary
                && template.locations[location].atomic_depth == 0
                && points[location] != SchedulingPoint::Shared
        };
        let mut edges: Vec<&Edge> = template.edges.values().collect();
        edges.retain(|edge| alone(edge.source));
        let ends_lives = ends_lives(program, template);
        let is_seen = |edge: &&&Edge| !commutes(template, edge, ends_lives);
        if let Some(edge) = edges.iter().find(is_seen) {
            return Err(NotInductive::Passed(edge.source, id));
        }
        if !is_acyclic(template, &edges) {
            return Err(NotInductive::Cycle(id));
        }
    }
    Ok(())
}

/// Item 1 of a reduced program.
fn check_external_points(program: &Program, points: &Points) -> Result<(), NotInductive> {
    for (id, template) in &program.templates {
        let points = points.get(id).ok_or(NotInductive::Cycle(id))?;
        for (place, location) in &template.locations {
            let is_external = location.external || place == template.entry;
            if location.kind == LocationKind::Ordinary
                && location.atomic_depth == 0
                && is_external
                && points[place] != SchedulingPoint::Shared
            {
                return Err(NotInductive::Passed(place, id));
            }
        }
    }
    Ok(())
}

/// Whether an edge outside of atomic regions commutes with every statement of other threads.
fn commutes(template: &Template, edge: &Edge, ends_lives: bool) -> bool {
    let target = &template.locations[edge.target];
    let unseen = match edge.statement {
        Statement::Skip
        | Statement::Guard { .. }
        | Statement::Assign { .. }
        | Statement::ParallelAssign(_)
        | Statement::Havoc { .. }
        | Statement::SelfHandle { .. }
        | Statement::SelfNumber { .. } => true,
        Statement::Return { .. } => !ends_lives,
        Statement::Load { .. }
        | Statement::Store { .. }
        | Statement::AtomicRmw { .. }
        | Statement::CompareExchange { .. }
        | Statement::LifetimeStart { .. }
        | Statement::LifetimeEnd { .. }
        | Statement::Allocate { .. }
        | Statement::Number { .. }
        | Statement::TestConflicts { .. }
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
    unseen && target.kind != LocationKind::Halted && target.atomic_depth == 0
}

/// Whether edges between locations form no cycle.
fn is_acyclic(template: &Template, edges: &[&Edge]) -> bool {
    let mut leaving = vec![Vec::new(); template.locations.len()];
    for edge in edges {
        leaving[edge.source.index()].push(edge.target.as_u32());
    }
    takes_away_all(&leaving)
}

/// Takes away, again and again, what nothing leads to, given where each leads; whether none is left.
fn takes_away_all(leaving: &[Vec<u32>]) -> bool {
    let mut entering = vec![0; leaving.len()];
    for &target in leaving.iter().flatten() {
        entering[target as usize] += 1;
    }
    let mut free: Vec<usize> = (0..leaving.len()).collect();
    free.retain(|&source| entering[source] == 0);
    let mut taken = 0;
    while let Some(source) = free.pop() {
        taken += 1;
        for &target in &leaving[source] {
            entering[target as usize] -= 1;
            if entering[target as usize] == 0 {
                free.push(target as usize);
            }
        }
    }
    taken == leaving.len()
}

struct Checker<'a> {
    instances: &'a Instances,
    interpreter: &'a Interpreter<'a>,
    points: &'a Points,
    representatives: Representatives<'a>,
    scheduling: Scheduling,
    states: &'a States,
}

impl Checker<'_> {
    /// Items 2 and 3 for a state. Where `turns` are noted, for each state the numbers of those to which turns lead, they are.
    fn successors(
        &self,
        state: &State,
        after: &mut State,
        mut turns: Option<&mut Vec<Vec<u32>>>,
    ) -> Result<(), NotInductive> {
        for instance in self.instances.threads.keys() {
            let kind = self.interpreter.kind(state, instance);
            if state.is_stopped() || is_violation(kind) {
                return Err(NotInductive::Violated(instance));
            }
        }
        let parts = self.states.parts(state).unwrap_or_default();
        let number = self.states.states.get(parts.as_slice()).copied();
        let mut note = |to: u32| {
            if let (Some(turns), Some(from)) = (&mut turns, number) {
                turns[from as usize].push(to);
            }
        };
        if let Some(alone) = self.alone(state) {
            return self.turns((state, &parts), after, (alone, true), &mut note);
        }
        let threads = self.instances.threads.keys();
        let mut running = threads.filter(|&instance| state.is_running(instance));
        running.try_for_each(|instance| {
            self.turns((state, &parts), after, (instance, false), &mut note)
        })
    }

    /// The first thread outside of atomic regions that no other thread may interrupt; none if a thread is inside of an
    /// atomic region.
    fn alone(&self, state: &State) -> Option<InstanceId> {
        let started = || {
            let threads = self.instances.threads.keys();
            threads.filter(|&id| state.is_started(id))
        };
        if started().any(|id| self.depth(state, id) > 0) {
            return None;
        }
        started().find(|&id| {
            self.interpreter.kind(state, id) == LocationKind::Ordinary
                && self.point(state, id) != SchedulingPoint::Shared
        })
    }

    /// All turns of a thread from a state, given its parts. The states that they end in are written into another one, and their numbers
    /// noted.
    fn turns(
        &self,
        (state, parts): (&State, &[u32]),
        after: &mut State,
        (instance, alone): (InstanceId, bool),
        note: &mut dyn FnMut(u32),
    ) -> Result<(), NotInductive> {
        let mut answers = Answers::new(&self.representatives);
        loop {
            after.copy_from(state);
            answers.restart();
            if self.turn(after, instance, alone, &mut answers)? {
                let number = self.states.number_after(after, state, parts);
                note(number.ok_or(NotInductive::Missing(instance))?);
            }
            if !answers.next() {
                return Ok(());
            }
        }
    }

    /// One turn; whether it ends in a state from which others go on.
    fn turn(
        &self,
        state: &mut State,
        instance: InstanceId,
        alone: bool,
        answers: &mut Answers<'_>,
    ) -> Result<bool, NotInductive> {
        let longest = self.interpreter.template(instance).locations.len();
        // How many statements the turn has since a place where it could have ended, and before.
        let (mut statements, mut passed) = (0, 0);
        while statements <= longest {
            let is_first = statements == 0 && (!alone || passed > 0);
            match self.interpreter.advance(state, instance, answers) {
                AdvanceResult::Executed(executed) => self.confirm(instance, executed, answers)?,
                AdvanceResult::Waiting(_) | AdvanceResult::Finished if is_first => {
                    return Ok(false);
                }
                // A transaction of a reduced program is completed or not begun.
                AdvanceResult::Waiting(_) if self.scheduling == Scheduling::External => {
                    return Ok(false);
                }
                // A thread that waits inside an atomic region waits for ever, because no other thread may run.
                AdvanceResult::Waiting(_) if self.depth(state, instance) > 0 => return Ok(false),
                AdvanceResult::Waiting(_) | AdvanceResult::Finished | AdvanceResult::Rejected => {
                    return Err(NotInductive::Stuck(instance));
                }
            }
            if state.is_stopped() {
                return Ok(false);
            }
            let ordinary = self.interpreter.kind(state, instance) == LocationKind::Ordinary;
            statements += 1;
            if !ordinary || self.point(state, instance) != SchedulingPoint::Passed {
                passed += statements;
                let goes_on = ordinary
                    && passed < LONGEST_TURN
                    && !answers.were_asked()
                    && state.is_only(instance)
                    && !self.states.contains(state);
                if !goes_on {
                    return Ok(true);
                }
                statements = 0;
            }
        }
        Err(NotInductive::Stuck(instance))
    }

    /// Checks a statement that was executed.
    fn confirm(
        &self,
        instance: InstanceId,
        executed: Executed,
        answers: &mut Answers<'_>,
    ) -> Result<(), NotInductive> {
        let template = self.interpreter.template(instance);
        if is_violation(template.locations[executed.location].kind) {
            return Err(NotInductive::Violated(instance));
        }
        let live = self
            .interpreter
            .live(self.instances.threads[instance].template, executed.location);
        answers
            .confirm(self.representatives.complete_width, |register| {
                live.contains(&register)
            })
            .map_err(NotInductive::Wide)
    }

    fn point(&self, state: &State, instance: InstanceId) -> SchedulingPoint {
        self.points[self.instances.threads[instance].template][state.location(instance)]
    }

    fn depth(&self, state: &State, instance: InstanceId) -> u32 {
        self.interpreter.template(instance).locations[state.location(instance)].atomic_depth
    }
}

fn is_violation(kind: LocationKind) -> bool {
    match kind {
        LocationKind::Error(_) | LocationKind::Limit(_) => true,
        LocationKind::Ordinary
        | LocationKind::Exited
        | LocationKind::Halted
        | LocationKind::Blocked => false,
    }
}
