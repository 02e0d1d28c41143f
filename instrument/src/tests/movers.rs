//! Mover types against the semantics: on all reachable states, statements commute as their types say (Sec. 3 of the paper).

use std::collections::{BTreeMap, BTreeSet};

use crate::condition_lowering::ConditionLowering;
use abi::ids::InstanceId;
use explicit::interpret::{Interpreter, State};
use program::model::{ConflictTest, EdgeId, LocationKind, TemplateId};

use super::explorer::{actions, visit_states};
use super::programs::Subject;
use crate::conditions::{ConditionAnalysis, ConditionKind, Conditional};
use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;
use crate::reduction::Reduction;
use crate::regions::is_region;
use crate::rules::Rules;

/// Checks the mover type of every statement of a program in all reachable states.
pub(super) fn check_classes(subject: &Subject) {
    let analysis = MoverAnalysis::new(subject.context(Rules::ALL));
    let oracle = MoverOracle { subject, analysis };
    visit_states(
        &subject.program,
        &subject.instances,
        |interpreter, state| {
            for instance in subject.instances.threads.keys() {
                oracle.check(interpreter, state, instance);
            }
        },
    );
}

/// Checks Def. 1 for all conditions: in all reachable states in which one holds, the statement moves as it says, and no
/// statement of another thread makes it false. Returns in how many one holds.
pub(super) fn check_conditions(subject: &Subject) -> usize {
    check_conditions_of(subject, &ConditionKind::ALL.into())
}

/// As [`check_conditions`], with conditions of these kinds only.
pub(super) fn check_conditions_of(subject: &Subject, kinds: &BTreeSet<ConditionKind>) -> usize {
    let analysis = MoverAnalysis::new(subject.context(Rules::ALL));
    let plan = subject.plan(Reduction::Static, Rules::ALL);
    let of_conditions = ConditionAnalysis::new(&analysis);
    let conditions = plan.templates.iter().map(|(id, template)| {
        let conditions = of_conditions
            .conditions(id, &template.movers, kinds)
            .into_iter();
        let tests = conditions.map(
            |(
                edge,
                Conditional {
                    mover_type,
                    condition,
                },
            )| {
                (
                    edge,
                    (
                        mover_type,
                        ConditionLowering::new(&subject.program).conflict_tests(&condition),
                    ),
                )
            },
        );
        (id, tests.collect())
    });
    let conditions: Conditions = conditions.collect();
    let oracle = MoverOracle { subject, analysis };
    let mut held = 0;
    visit_states(
        &subject.program,
        &subject.instances,
        |interpreter, state| {
            for instance in subject.instances.threads.keys() {
                held +=
                    usize::from(oracle.check_condition(interpreter, state, instance, &conditions));
            }
        },
    );
    held
}

/// For each statement that moves under a condition: how, and the tests whose answers are no then.
type Conditions = BTreeMap<TemplateId, BTreeMap<EdgeId, (MoverType, Vec<ConflictTest>)>>;

/// What an action leads to.
struct After {
    /// The states in which the run goes on.
    running: Vec<State>,
    /// Whether it may be an error.
    error: bool,
}

impl After {
    /// What another action leads to next.
    fn followed_by(&self, next: impl Fn(&State) -> After) -> After {
        let all: Vec<After> = self.running.iter().map(next).collect();
        let error = all.iter().any(|after| after.error);
        After {
            running: all.into_iter().flat_map(|after| after.running).collect(),
            error,
        }
    }
}

struct MoverOracle<'a> {
    subject: &'a Subject,
    analysis: MoverAnalysis<'a>,
}

impl MoverOracle<'_> {
    /// Checks the statement that `instance` executes next against all statements that others execute next.
    fn check(&self, interpreter: &Interpreter, state: &State, instance: InstanceId) {
        if let Some(mover_type) = self.mover_type(interpreter, state, instance) {
            self.check_mover_type(interpreter, state, instance, mover_type);
        }
    }

    /// Checks the condition of the statement that `instance` executes next, if it has one and that holds; whether it did.
    fn check_condition(
        &self,
        interpreter: &Interpreter,
        state: &State,
        instance: InstanceId,
        conditions: &Conditions,
    ) -> bool {
        if self.mover_type(interpreter, state, instance).is_none() {
            return false;
        }
        let threads = &self.subject.instances.threads;
        let graph = self.analysis.context.graph(instance);
        let [edge] = graph.outgoing.of(state.location(instance)) else {
            return false;
        };
        let Some((mover_type, tests)) = conditions[&threads[instance].template].get(edge) else {
            return false;
        };
        let holds = |state: &State| {
            let mut tests = tests.iter();
            !tests.any(|test| interpreter.answer(state, instance, test))
        };
        if !holds(state) {
            return false;
        }
        self.check_mover_type(interpreter, state, instance, *mover_type);
        for other in threads.keys().filter(|&other| other != instance) {
            let after = self.after(interpreter, state, other).running;
            assert!(
                after.iter().all(holds),
                "{other} makes the condition of {instance} at {} false",
                state.location(instance)
            );
        }
        true
    }

    /// Checks that the statement that `instance` executes next moves like this.
    fn check_mover_type(
        &self,
        interpreter: &Interpreter,
        state: &State,
        instance: InstanceId,
        mover_type: MoverType,
    ) {
        let own = |state: &State| self.after(interpreter, state, instance);
        let alone = own(state);
        let stays = !alone
            .running
            .iter()
            .any(|next| self.ends_in_sink(interpreter, next, instance));
        for other in self
            .subject
            .instances
            .threads
            .keys()
            .filter(|&other| other != instance)
        {
            let others = |state: &State| self.after(interpreter, state, other);
            let (first, last) = (alone.followed_by(others), others(state).followed_by(own));
            let place = || {
                format!(
                    "{instance} at {} as {mover_type} against {other}",
                    state.location(instance)
                )
            };
            if mover_type.moves_right() && stays {
                assert!(
                    first.running.iter().all(|end| last.running.contains(end)),
                    "no right mover: {}",
                    place()
                );
                assert!(
                    !first.error || others(state).error,
                    "it enables an error: {}",
                    place()
                );
            }
            if mover_type.moves_left() {
                assert!(
                    last.running.iter().all(|end| first.running.contains(end)),
                    "no left mover: {}",
                    place()
                );
                assert!(
                    !last.error || alone.error,
                    "an error depends on another thread: {}",
                    place()
                );
            }
        }
        // What waits when nothing else runs keeps nothing from happening.
        let threads = self.subject.instances.threads.keys();
        let mut others = threads.filter(|&other| other != instance);
        let runs = |other| self.is_running(interpreter, state, other);
        let waits = alone.running.is_empty() && !alone.error;
        assert!(
            !mover_type.moves_left() || !waits || !others.any(runs),
            "a left mover waits: {instance} at {}",
            state.location(instance)
        );
    }

    /// What an action leads to, without the states where the run has ended: they lead to no error.
    fn after(&self, interpreter: &Interpreter, state: &State, instance: InstanceId) -> After {
        let (program, instances) = (&self.subject.program, &self.subject.instances);
        let after = actions(interpreter, program, instances, state, instance);
        let errs = |state: &State| interpreter.kind(state, instance).is_error();
        let error = after.iter().any(errs);
        After {
            running: after
                .into_iter()
                .filter(|state| !state.is_stopped() && !errs(state))
                .collect(),
            error,
        }
    }

    /// Whether a thread was started and has statements left.
    fn is_running(&self, interpreter: &Interpreter, state: &State, instance: InstanceId) -> bool {
        state.is_started(instance) && interpreter.kind(state, instance) == LocationKind::Ordinary
    }

    fn ends_in_sink(&self, interpreter: &Interpreter, state: &State, instance: InstanceId) -> bool {
        interpreter.kind(state, instance) != LocationKind::Ordinary
    }

    /// The mover type of the action that a thread executes next, if it is at one.
    fn mover_type(
        &self,
        interpreter: &Interpreter,
        state: &State,
        instance: InstanceId,
    ) -> Option<MoverType> {
        if state.is_stopped() || !self.is_running(interpreter, state, instance) {
            return None;
        }
        let template = self.analysis.context.template(instance);
        let graph = self.analysis.context.graph(instance);
        let edges: &[EdgeId] = graph.outgoing.of(state.location(instance));
        let movers = edges.iter().map(|&edge| {
            self.analysis
                .action_mover(Occurrence { instance, edge })
                .mover_type
        });
        debug_assert!(edges.iter().all(|&edge| {
            template.locations[template.edges[edge].source].atomic_depth == 0
                || is_region(template, edge)
        }));
        movers.reduce(MoverType::meet)
    }
}
