//! Proof rules: what the parts of a proof have to satisfy, as Horn clauses.

use system::horn::{Application, Clause, HornClauses, Relation};
use system::term::{Sort, Term, Terms};
use system::transition_system::{StateVariable, primed};

use crate::threads::{Move, ThreadedSystem};

/// What a thread's part of a proof speaks of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// All variables: each move of a thread preserves the states of all others. Complete.
    OwickiGries,
    /// Global variables and its own, and what moves of others do with global variables. A proof by this rule is modular; not every safe
    /// system has one.
    RelyGuarantee,
}

/// The clauses of a rule (Fig. 5). They are satisfiable only if no property is violated. The first relations are the states of threads,
/// whose conjunction is an inductive invariant; those behind them, if there are any, are what the other threads do to each.
pub fn clauses(threaded: &ThreadedSystem, rule: Rule) -> HornClauses {
    let mut parts = Parts::new(threaded, rule);
    let initial = threaded.system.initial(&mut parts.terms);
    let mut clauses = Vec::new();
    for thread in 0..threaded.threads.len() {
        clauses.push(Clause {
            meaning: format!("initial states of thread {thread}"),
            premises: Vec::new(),
            constraints: initial.clone(),
            conclusion: Some(parts.states(thread, &[])),
        });
    }
    for (thread, moves) in threaded.threads.iter().enumerate() {
        for part in moves {
            clauses.push(Clause {
                meaning: format!("a move of thread {thread}"),
                premises: vec![parts.states(thread, &[])],
                constraints: threaded.system.considered(part.guard),
                conclusion: Some(parts.states(thread, &part.updates)),
            });
            for other in (0..threaded.threads.len()).filter(|&other| other != thread) {
                clauses.push(parts.interference(thread, part, other));
            }
        }
    }
    if rule == Rule::RelyGuarantee {
        clauses.extend((0..threaded.threads.len()).map(|thread| parts.stability(thread)));
    }
    for property in &threaded.system.properties {
        let all = 0..threaded.threads.len();
        clauses.push(Clause {
            meaning: format!("property: {}", property.name),
            premises: all.map(|thread| parts.states(thread, &[])).collect(),
            constraints: threaded.system.considered(property.bad),
            conclusion: None,
        });
    }
    HornClauses {
        relations: parts.relations(),
        terms: parts.terms,
        clauses,
    }
}

/// What clauses are made of.
struct Parts<'a> {
    threaded: &'a ThreadedSystem,
    rule: Rule,
    terms: Terms,
    /// Symbols for next values of the global variables, by their positions.
    next: Vec<(usize, Term)>,
}

impl<'a> Parts<'a> {
    fn new(threaded: &'a ThreadedSystem, rule: Rule) -> Self {
        let mut terms = threaded.system.terms.clone();
        let next = Self::globals(threaded).map(|(position, variable)| {
            let next = primed(&mut terms, variable.current);
            (position, next)
        });
        Self {
            next: next.collect(),
            threaded,
            rule,
            terms,
        }
    }

    fn globals(threaded: &ThreadedSystem) -> impl Iterator<Item = (usize, &StateVariable)> {
        let variables = threaded.system.state.iter().enumerate();
        variables.filter(|(position, _)| threaded.owners[*position].is_none())
    }

    /// The variables that the states of a thread are about, with what they are after an update.
    fn visible(&self, thread: usize, updates: &[(usize, Term)]) -> Vec<Term> {
        let variables = self.threaded.system.state.iter().enumerate();
        let variables = variables.filter(|(position, _)| match self.threaded.owners[*position] {
            Some(owner) => owner == thread || self.rule == Rule::OwickiGries,
            None => true,
        });
        variables
            .map(|(position, variable)| value(position, variable, updates))
            .collect()
    }

    /// That the states of a thread have the one after an update.
    fn states(&self, thread: usize, updates: &[(usize, Term)]) -> Application {
        Application {
            relation: thread,
            arguments: self.visible(thread, updates),
        }
    }

    /// That other threads may change global variables, while a thread rests, to those after an update.
    fn environment(&self, thread: usize, updates: &[(usize, Term)]) -> Application {
        let globals = || Self::globals(self.threaded);
        let before = globals().map(|(_, variable)| variable.current);
        let after = globals().map(|(position, variable)| value(position, variable, updates));
        Application {
            relation: self.threaded.threads.len() + thread,
            arguments: before.chain(after).collect(),
        }
    }

    /// What a move of a thread means for another one (CS3 and CS4).
    fn interference(&self, thread: usize, part: &Move, other: usize) -> Clause {
        let mut premises = vec![self.states(thread, &[])];
        let conclusion = match self.rule {
            Rule::OwickiGries => {
                premises.push(self.states(other, &[]));
                self.states(other, &part.updates)
            }
            Rule::RelyGuarantee => self.environment(other, &part.updates),
        };
        Clause {
            meaning: format!("what thread {thread} does to thread {other}"),
            premises,
            constraints: self.threaded.system.considered(part.guard),
            conclusion: Some(conclusion),
        }
    }

    /// That others do not lead out of the states of a thread (CS3).
    fn stability(&self, thread: usize) -> Clause {
        let next = &self.next;
        Clause {
            meaning: format!("what others do to thread {thread}"),
            premises: vec![self.states(thread, &[]), self.environment(thread, next)],
            constraints: Vec::new(),
            conclusion: Some(self.states(thread, next)),
        }
    }

    fn relations(&self) -> Vec<Relation> {
        let sorts = |arguments: &[Term]| -> Vec<Sort> {
            let sorts = arguments.iter().map(|&term| self.terms.sort(term));
            sorts.collect()
        };
        let all = 0..self.threaded.threads.len();
        let states = all.clone().map(|thread| Relation {
            name: format!("States{thread}"),
            sorts: sorts(&self.visible(thread, &[])),
        });
        let environments = all.map(|thread| Relation {
            name: format!("Others{thread}"),
            sorts: sorts(&self.environment(thread, &[]).arguments),
        });
        match self.rule {
            Rule::OwickiGries => states.collect(),
            Rule::RelyGuarantee => states.chain(environments).collect(),
        }
    }
}

/// What a variable is after an update.
fn value(position: usize, variable: &StateVariable, updates: &[(usize, Term)]) -> Term {
    let mut changed = updates.iter().filter(|(changed, _)| *changed == position);
    changed.next().map_or(variable.current, |&(_, value)| value)
}

#[cfg(test)]
mod tests {
    use system::term::Value;
    use system::testing::{Random, shortest_violation, spacer};
    use system::transition_system::{Property, Role, TransitionSystem};

    use super::*;

    /// Threads over small numbers. An input chooses the move.
    struct Builder {
        terms: Terms,
        state: Vec<(Term, u128)>,
        threads: Vec<Vec<Move>>,
    }

    const WIDTH: u32 = 2;

    impl Builder {
        fn new(threads: usize) -> Self {
            Self {
                terms: Terms::new(),
                state: Vec::new(),
                threads: vec![Vec::new(); threads],
            }
        }

        /// A variable with its first value; gives its position.
        fn variable(&mut self, name: &str, initial: u128) -> usize {
            let current = self.terms.symbol(name, Sort::BitVec(WIDTH));
            self.state.push((current, initial));
            self.state.len() - 1
        }

        fn number(&mut self, value: u128) -> Term {
            self.terms.constant(Value::BitVec(WIDTH, value))
        }

        fn equals(&mut self, variable: usize, value: u128) -> Term {
            let value = self.number(value);
            self.terms.equal(self.state[variable].0, value)
        }

        /// A move that needs values of variables, and writes others.
        fn add(&mut self, thread: usize, needs: &[(usize, u128)], writes: &[(usize, Term)]) {
            let needs: Vec<Term> = needs
                .iter()
                .map(|&(variable, value)| self.equals(variable, value))
                .collect();
            let guard = self.terms.and_all(needs);
            let updates = writes.to_vec();
            self.threads[thread].push(Move { guard, updates });
        }

        /// The system in which these values of variables are an error.
        fn finish(mut self, bad: &[(usize, u128)]) -> ThreadedSystem {
            let bad: Vec<Term> = bad
                .iter()
                .map(|&(variable, value)| self.equals(variable, value))
                .collect();
            let bad = self.terms.and_all(bad);
            let choice = self.terms.symbol("move", Sort::BitVec(8));
            let mut next: Vec<Term> = self.state.iter().map(|&(current, _)| current).collect();
            let mut enabled = Vec::new();
            for (number, part) in (0..).zip(self.threads.iter().flatten()) {
                let number = self.terms.bits(8, number);
                let chosen = self.terms.equal(choice, number);
                enabled.push(self.terms.and(chosen, part.guard));
                for &(variable, value) in &part.updates {
                    next[variable] = self.terms.ite(chosen, value, next[variable]);
                }
            }
            let guard = self.terms.or_all(enabled);
            let variables = self.state.iter().zip(next);
            let variables = variables.map(|(&(current, initial), next)| StateVariable {
                current,
                initial: Some(self.terms.constant(Value::BitVec(WIDTH, initial))),
                next: Some(next),
            });
            let state = variables.collect();
            let system = TransitionSystem {
                terms: self.terms,
                state,
                inputs: vec![choice],
                initial_constraints: Vec::new(),
                guard,
                invariant_constraints: Vec::new(),
                properties: vec![Property {
                    name: "error".into(),
                    role: Role::Violation,
                    bad,
                }],
            };
            ThreadedSystem::new(system, self.threads)
        }
    }

    fn is_proved(threaded: &ThreadedSystem, rule: Rule) -> Option<bool> {
        spacer(&clauses(threaded, rule).print(), 2_000_000)
    }

    /// Two threads that take a lock (Fig. 1 and 3), which then has one of these values.
    fn lock(taken: [u128; 2]) -> ThreadedSystem {
        let mut builder = Builder::new(2);
        let lock = builder.variable("lock", 0);
        let places = ["pc0", "pc1"].map(|name| builder.variable(name, 0));
        for (thread, taken) in taken.into_iter().enumerate() {
            let (one, taken) = (builder.number(1), builder.number(taken));
            let writes = [(lock, taken), (places[thread], one)];
            builder.add(thread, &[(lock, 0), (places[thread], 0)], &writes);
        }
        builder.finish(&places.map(|place| (place, 1)))
    }

    #[test]
    fn who_holds_a_lock_has_to_be_known_for_a_modular_proof() {
        let anonymous = lock([1, 1]);
        assert_eq!(anonymous.owners, [None, Some(0), Some(1)]);
        assert_eq!(is_proved(&anonymous, Rule::RelyGuarantee), Some(false));
        assert_eq!(is_proved(&anonymous, Rule::OwickiGries), Some(true));
        let named = lock([1, 2]);
        assert_eq!(is_proved(&named, Rule::RelyGuarantee), Some(true));
        assert_eq!(is_proved(&named, Rule::OwickiGries), Some(true));
    }

    fn random(random: &mut Random) -> ThreadedSystem {
        let threads = 2 + random.below(2);
        let mut builder = Builder::new(threads);
        let globals = [0, 1].map(|number| builder.variable(&format!("g{number}"), 0));
        let locals: Vec<[usize; 2]> = (0..threads)
            .map(|thread| ["pc", "x"].map(|name| builder.variable(&format!("{name}{thread}"), 0)))
            .collect();
        for (thread, &[place, local]) in locals.iter().enumerate() {
            for from in 0..2 + random.below(2) as u128 {
                let target = builder.number((from + 1) % 4);
                if random.below(2) == 0 {
                    // A lock is taken, and nobody knows by whom.
                    let (lock, taken) = (globals[random.below(2)], builder.number(1));
                    let writes = [(place, target), (lock, taken)];
                    builder.add(thread, &[(place, from), (lock, 0)], &writes);
                    continue;
                }
                let mut needs = vec![(place, from)];
                if random.below(2) == 0 {
                    let global = globals[random.below(2)];
                    needs.push((global, random.below(2) as u128));
                }
                let variable = [globals[0], globals[1], local][random.below(3)];
                let value = match random.below(3) {
                    0 => builder.number(random.below(4) as u128),
                    1 => builder.state[local].0,
                    _ => {
                        let (old, one) = (builder.state[variable].0, builder.number(1));
                        builder.terms.add(old, one)
                    }
                };
                builder.add(thread, &needs, &[(place, target), (variable, value)]);
            }
        }
        let bad = [0, 1].map(|thread| (locals[thread][0], 1 + random.below(2) as u128));
        builder.finish(&bad)
    }

    #[test]
    fn rules_prove_what_is_safe_and_nothing_else() {
        // Violated; safe with and without a modular proof.
        let mut decided = [0; 3];
        for seed in 0..60 {
            let threaded = random(&mut Random::new(seed));
            let safe = shortest_violation(&threaded.system).is_none();
            if let Some(proved) = is_proved(&threaded, Rule::OwickiGries) {
                assert_eq!(proved, safe, "seed {seed}");
            }
            if let Some(proved) = is_proved(&threaded, Rule::RelyGuarantee) {
                assert!(safe || !proved, "seed {seed}");
                decided[usize::from(safe) + usize::from(safe && !proved)] += 1;
            }
        }
        assert!(decided.iter().all(|&number| number >= 5), "{decided:?}");
    }
}
