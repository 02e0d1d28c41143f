//! The engine.

use solver::{Backend, QueryStatistics};
use system::budget::Budget;
use system::eval::check_trace;
use system::transition_system::{Reason, Verdict};

use crate::search::{Search, Way};
use crate::threads::ThreadedSystem;

/// The moves of larger systems are not told apart in reasonable time.
const MOST_TERMS: usize = 1_000_000;

/// How to look for a proof.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// The solver.
    pub backend: Backend,
    /// Whether predicates of a thread are over global variables and its own where that suffices; else they are over all variables.
    pub modular_first: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            backend: Backend::default(),
            modular_first: true,
        }
    }
}

/// Proves threaded systems thread by thread, or finds a violation.
#[derive(Debug)]
pub struct Modular {
    options: Options,
    ways: &'static [Way],
    queries: QueryStatistics,
    statistics: Statistics,
}

/// How an answer was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// How often the abstraction was refined.
    pub refinements: usize,
    /// How many terms it tracks, over all threads.
    pub tracked: usize,
    /// Abstract states of the last precision, of all threads.
    pub states: usize,
    /// Instances of clauses in the largest derivation.
    pub instances: usize,
    /// Whether predicates of some thread speak of local variables of others.
    pub looks_into_others: bool,
}

impl Modular {
    /// An engine with these options.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            ways: &Way::BOTH,
            queries: QueryStatistics::default(),
            statistics: Statistics::default(),
        }
    }

    /// The solver's queries in all calls of [`Self::check`] so far.
    pub fn queries(&self) -> &QueryStatistics {
        &self.queries
    }

    /// How the last answer was found.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Decides a system within a budget. Terms are added to its arena; nothing else is changed.
    pub fn check(&mut self, threaded: &mut ThreadedSystem, budget: &Budget) -> Verdict {
        let mut terms = std::mem::take(&mut threaded.system.terms);
        let verdict = match terms.len() > MOST_TERMS {
            true => {
                let reason = format!("more than {MOST_TERMS} terms");
                Err(Reason::NotApplicable(reason))
            }
            false => {
                let mut search = Search::new(threaded, &mut terms, self.options, budget);
                let verdict = search.run(self.ways);
                self.statistics = search.statistics;
                self.queries.absorb(&search.queries);
                verdict
            }
        };
        threaded.system.terms = terms;
        tracing::info!(?self.statistics, ?self.queries, "modular");
        match verdict {
            Ok(Verdict::Unsafe(trace)) => match check_trace(&threaded.system, &trace) {
                Ok(()) => Verdict::Unsafe(trace),
                Err(error) => Verdict::Unknown(Reason::Solver(format!("wrong model: {error}"))),
            },
            Ok(verdict @ (Verdict::Safe(_) | Verdict::Unknown(_))) => verdict,
            Err(reason) => Verdict::Unknown(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use solver::{Answer, Workload};
    use system::term::{Substitution, Term};
    use system::testing::{Random, shortest_violation, spacer};
    use system::transition_system::{Proof, TransitionSystem};

    use super::*;
    use crate::rules::{Rule, clauses};
    use crate::testing::{
        closed_gate, lock, random, rare_moves, registers, split, two_flags, waits, watched_count,
    };

    /// Asks another solver than the engine's.
    fn assert_inductive(system: &mut TransitionSystem, invariant: Term) {
        let mut terms = std::mem::take(&mut system.terms);
        let variables = system.state.iter();
        let next = variables.map(|found| (found.current, found.next.expect("functional")));
        let after = Substitution::new(next.collect()).apply(&mut terms, invariant);
        let [outside, leaves] = [invariant, after].map(|invariant| terms.not(invariant));
        let properties = system.properties.iter().map(|property| property.bad);
        let bad = terms.or_all(properties);
        let mut initially = system.initial(&mut terms);
        initially.push(outside);
        let never = [
            initially,
            vec![invariant, system.guard, leaves],
            vec![invariant, bad],
        ];
        for formulas in never {
            let mut solver = Backend::Z3.solver(&Budget::unlimited(), Workload::default());
            let answer = solver.check(&terms, &formulas);
            assert!(matches!(answer, Answer::Unsat(_)), "{answer:?}");
        }
        system.terms = terms;
    }

    /// Whether the system is safe, which is checked, and whether a proof looks into other threads.
    fn check(threaded: &ThreadedSystem, modular_first: bool) -> (bool, bool) {
        let answers =
            [&Way::BOTH[..1], &Way::BOTH[1..]].map(|ways| check_in(ways, threaded, modular_first));
        assert!(answers.iter().all(|answer| answer.0 == answers[0].0));
        answers[1]
    }

    fn check_in(
        ways: &'static [Way],
        threaded: &ThreadedSystem,
        modular_first: bool,
    ) -> (bool, bool) {
        let mut threaded = threaded.clone();
        let mut engine = Modular::new(Options {
            modular_first,
            ..Options::default()
        });
        engine.ways = ways;
        match engine.check(&mut threaded, &Budget::unlimited()) {
            Verdict::Safe(Proof::Inductive(invariant)) => {
                assert_inductive(&mut threaded.system, invariant);
                (true, engine.statistics().looks_into_others)
            }
            Verdict::Unsafe(_) => (false, false),
            verdict @ (Verdict::Safe(_) | Verdict::Unknown(_)) => panic!("{verdict:?}"),
        }
    }

    #[test]
    fn others_are_looked_into_only_where_no_modular_proof_exists() {
        assert_eq!(check(&lock([1, 1]), true), (true, true));
        assert_eq!(check(&lock([1, 2]), true), (true, false));
        assert_eq!(check(&lock([1, 2]), false), (true, true));
    }

    #[test]
    fn that_a_thread_has_ended_is_shown_to_others() {
        let waits = split(&waits());
        let shown: Vec<usize> = waits
            .threads
            .iter()
            .map(|thread| thread.shown.len())
            .collect();
        assert_eq!(shown, [0, 1]);
        assert_eq!(check(&waits, true), (true, false));
    }

    #[test]
    fn values_that_no_run_has_are_excluded_before_there_are_many() {
        for mut threaded in [closed_gate(1_000_000), registers()] {
            let mut engine = Modular::new(Options::default());
            engine.ways = &[Way::Values];
            let verdict = engine.check(&mut threaded, &Budget::unlimited());
            assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
            assert!(engine.statistics().states < 20);
        }
    }

    #[test]
    fn values_that_random_runs_do_not_have_are_found() {
        for number in [5, 66] {
            let last = u128::try_from(number).expect("it is small");
            assert_eq!(check(&rare_moves(number, last + 1), true), (true, false));
            assert_eq!(check(&rare_moves(number, last), true), (false, false));
        }
    }

    #[test]
    fn what_is_bad_wherever_threads_are_is_seen() {
        assert_eq!(check(&split(&two_flags()), true), (false, false));
    }

    #[test]
    fn few_states_are_found_by_queries() {
        let mut engine = Modular::new(Options::default());
        engine.ways = &[Way::Values];
        let verdict = engine.check(&mut watched_count(20), &Budget::unlimited());
        assert!(matches!(verdict, Verdict::Safe(_)), "{verdict:?}");
        assert!(engine.statistics().states > 200);
        assert!(engine.queries().total().sat < 100);
    }

    #[test]
    fn random_systems_are_decided_as_by_exhaustive_search() {
        let mut modular = [0; 2];
        for seed in 0..100 {
            let threaded = random(&mut Random::new(seed));
            let safe = shortest_violation(&threaded.system).is_none();
            let (proved, looks_into_others) = check(&threaded, true);
            assert_eq!(proved, safe, "seed {seed}");
            assert_eq!(check(&threaded, false).0, safe, "seed {seed}");
            assert_eq!(check(&split(&threaded), true).0, safe, "seed {seed}");
            modular[usize::from(looks_into_others)] += usize::from(safe);
            let rule = clauses(&threaded, Rule::OwickiGries).print();
            assert_ne!(spacer(&rule, 500_000), Some(!proved), "seed {seed}");
            if safe && !looks_into_others {
                let rule = clauses(&threaded, Rule::RelyGuarantee).print();
                assert_ne!(spacer(&rule, 500_000), Some(false), "seed {seed}");
            }
        }
        assert!(modular.iter().all(|&number| number >= 3), "{modular:?}");
    }
}
