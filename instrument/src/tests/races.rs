//! Data races of random programs: a program that looks for them finds one if and only if two threads can be about to make two accesses that
//! conflict, under every reduction.

use std::ops::Range;

use abi::ids::InstanceId;
use explicit::interpret::{Interpreter, Observation, State};
use program::model::{EdgeId, ObjectId, Program, Property, Statement};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::explorer::{observations, unreduced, visit_states};
use super::programs::Subject;
use super::random::{build, cases, pieces, without};
use crate::races::{RacePairs, look_for_races};
use crate::reduction::Reduction;
use crate::rules::Rules;

/// An access that a thread is about to make.
struct Access {
    object: ObjectId,
    bytes: Range<u32>,
    writes: bool,
    atomic: bool,
    in_region: bool,
}

impl Access {
    fn of(
        program: &Program,
        subject: &Subject,
        instance: InstanceId,
        found: (EdgeId, Observation),
    ) -> Option<Self> {
        let template = &program.templates[subject.instances.threads[instance].template];
        let edge = &template.edges[found.0];
        let is_plain = matches!(
            edge.statement,
            Statement::Load { atomic: false, .. }
                | Statement::Store { atomic: false, .. }
                | Statement::Join { .. }
        );
        let is_atomic = matches!(
            edge.statement,
            Statement::Load { .. }
                | Statement::Store { .. }
                | Statement::AtomicRmw { .. }
                | Statement::CompareExchange { .. }
        );
        let writes = matches!(found.1, Observation::Write { .. });
        let (Observation::Read {
            object,
            offset,
            value,
        }
        | Observation::Write {
            object,
            offset,
            value,
        }) = found.1
        else {
            return None;
        };
        if !is_plain && !is_atomic {
            return None;
        }
        Some(Self {
            object,
            bytes: offset..offset + value.width.div_ceil(8),
            writes,
            atomic: !is_plain,
            in_region: template.locations[edge.source].atomic_depth > 0,
        })
    }

    fn races(&self, other: &Self) -> bool {
        self.object == other.object
            && self.bytes.start < other.bytes.end
            && other.bytes.start < self.bytes.end
            && (self.writes || other.writes)
            && !(self.atomic && other.atomic)
            && !(self.in_region && other.in_region)
    }
}

/// Whether two threads are about to make two accesses in some state.
fn has_race(subject: &Subject) -> bool {
    let program = &subject.program;
    let mut found = false;
    let accesses = |interpreter: &Interpreter, state: &State, instance| -> Vec<Access> {
        let all = observations(interpreter, program, &subject.instances, state, instance);
        let all = all.into_iter();
        all.filter_map(|event| Access::of(program, subject, instance, event))
            .collect()
    };
    visit_states(program, &subject.instances, |interpreter, state| {
        let threads: Vec<Vec<Access>> = subject
            .instances
            .threads
            .keys()
            .map(|instance| accesses(interpreter, state, instance))
            .collect();
        for (first, own) in threads.iter().enumerate() {
            let others = || threads[first + 1..].iter().flatten();
            found |= own
                .iter()
                .any(|access| others().any(|other| access.races(other)));
        }
    });
    found
}

/// A program in which nothing but races is an error.
fn races_only(mut program: Program) -> Subject {
    program.verify([Property::NoDataRace].into());
    Subject::new(program)
}

/// The same program, which looks for races.
fn looking(subject: &Subject) -> (RacePairs, Subject) {
    let mut program = subject.program.clone();
    let pairs = look_for_races(&mut program, &subject.instances, &subject.points_to);
    let instances = instantiate(&program, &Bounds::default());
    let points_to = PointsTo::analyse(&program, &instances);
    let looking = Subject {
        program,
        instances,
        points_to,
    };
    (pairs, looking)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn races_are_found_under_every_reduction(
        first in pieces(4), second in pieces(4), main in pieces(2), how in any::<[bool; 2]>()
    ) {
        let main = without(without(main, "Given"), "Create");
        let keep = |pieces| without(pieces, "Create");
        let subject = races_only(build(&[keep(first), keep(second)], &main, &[], how));
        prop_assume!(!unreduced(&subject.program, &subject.instances).incomplete);
        let expected = has_race(&subject);
        let (_, looking) = looking(&subject);
        for reduction in Reduction::ALL {
            let found = looking.explore(&looking.plan(reduction, Rules::ALL));
            prop_assume!(!found.incomplete);
            // Where neither of two statements can announce its access, a limit says so.
            let is_open = found.limits.iter().any(|limit| limit.starts_with("Unsupported"));
            prop_assert!(found.error == expected || is_open && expected, "{}", reduction);
        }
    }
}

#[test]
fn random_programs_have_pairs_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let strategy = (pieces(4), pieces(4), any::<[bool; 2]>());
    let (mut races, mut free) = (0, RacePairs::default());
    for _ in 0..150 {
        let tree = strategy.new_tree(&mut runner).expect("there are pieces");
        let (first, second, how) = tree.current();
        let subject = races_only(build(&[first, second], &[], &[], how));
        let has_race = has_race(&subject);
        let pairs = looking(&subject).0;
        races += usize::from(has_race);
        if !has_race {
            free.apart += usize::from(pairs.apart > 0);
            free.locked += usize::from(pairs.locked > 0);
            free.open += usize::from(pairs.open > 0);
        }
    }
    let numbers = [races, free.apart, free.locked, free.open];
    assert!(numbers.iter().all(|&number| number >= 5), "{numbers:?}");
}
