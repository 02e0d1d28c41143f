//! Proof rules: what the parts of a proof have to satisfy, as Horn clauses.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use system::horn::{Application, Clause, HornClauses, Relation};
use system::term::{Sort, Term, Terms};
use system::transition_system::primed;

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
            conclusion: Some(parts.states(thread, None)),
        });
    }
    for (thread, part) in threaded.threads.iter().enumerate() {
        for part in &part.moves {
            clauses.push(Clause {
                meaning: format!("a move of thread {thread}"),
                premises: vec![parts.states(thread, None)],
                constraints: threaded.system.considered(part.guard),
                conclusion: Some(parts.states(thread, Some(part))),
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
            premises: all.map(|thread| parts.states(thread, None)).collect(),
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
    /// What the states of each thread are about.
    visible: Vec<Vec<Term>>,
    /// What other threads may change of that.
    exposed: Vec<Vec<Term>>,
    /// Symbols for what is exposed to a thread, after it was changed.
    next: FxHashMap<Term, Term>,
}

impl<'a> Parts<'a> {
    fn new(threaded: &'a ThreadedSystem, rule: Rule) -> Self {
        let all = 0..threaded.threads.len();
        let every = || {
            let variables = threaded.system.state.iter();
            variables.map(|variable| variable.current).collect()
        };
        let visible: Vec<Vec<Term>> = all
            .clone()
            .map(|thread| match rule {
                Rule::OwickiGries => every(),
                Rule::RelyGuarantee => threaded.visible(thread),
            })
            .collect();
        let exposed: Vec<Vec<Term>> = all
            .map(|thread| {
                let own = undisturbed(threaded, thread);
                let visible = visible[thread].iter().copied();
                visible.filter(|term| !own.contains(term)).collect()
            })
            .collect();
        let mut terms = threaded.system.terms.clone();
        let mut next = FxHashMap::default();
        for (position, &term) in exposed.iter().flatten().enumerate() {
            let primed = match terms.is_symbol(term) {
                true => primed(&mut terms, term),
                false => terms.symbol(format!("shown{position}.next"), terms.sort(term)),
            };
            next.entry(term).or_insert(primed);
        }
        Self {
            threaded,
            rule,
            terms,
            visible,
            exposed,
            next,
        }
    }

    /// That the states of a thread have the one after a move, or this one.
    fn states(&mut self, thread: usize, after: Option<&Move>) -> Application {
        let visible = self.visible[thread].clone();
        Application {
            relation: thread,
            arguments: self.after(visible, after),
        }
    }

    /// Terms over the state after a move, if there is one.
    fn after(&mut self, mut terms: Vec<Term>, after: Option<&Move>) -> Vec<Term> {
        if let Some(part) = after {
            let mut after = part.after(&self.threaded.system);
            for term in &mut terms {
                *term = after.apply(&mut self.terms, *term);
            }
        }
        terms
    }

    /// That other threads may do to what is exposed to a thread what a move does.
    fn environment(&mut self, thread: usize, part: &Move) -> Application {
        let before = self.exposed[thread].clone();
        let after = self.after(before.clone(), Some(part));
        Application {
            relation: self.threaded.threads.len() + thread,
            arguments: before.into_iter().chain(after).collect(),
        }
    }

    /// What a move of a thread means for another one (CS3 and CS4).
    fn interference(&mut self, thread: usize, part: &Move, other: usize) -> Clause {
        let mut premises = vec![self.states(thread, None)];
        let conclusion = match self.rule {
            Rule::OwickiGries => {
                premises.push(self.states(other, None));
                self.states(other, Some(part))
            }
            Rule::RelyGuarantee => self.environment(other, part),
        };
        Clause {
            meaning: format!("what thread {thread} does to thread {other}"),
            premises,
            constraints: self.threaded.system.considered(part.guard),
            conclusion: Some(conclusion),
        }
    }

    /// That others do not lead out of the states of a thread (CS3).
    fn stability(&mut self, thread: usize) -> Clause {
        let next = |term: &Term| self.next.get(term).copied();
        let before = self.exposed[thread].iter().copied();
        let after = self.exposed[thread].iter().filter_map(next);
        let environment = Application {
            relation: self.threaded.threads.len() + thread,
            arguments: before.chain(after).collect(),
        };
        let exposed: BTreeSet<Term> = self.exposed[thread].iter().copied().collect();
        let states = self.visible[thread].iter();
        let states = states.map(|&term| match exposed.contains(&term) {
            true => self.next[&term],
            false => term,
        });
        let conclusion = Application {
            relation: thread,
            arguments: states.collect(),
        };
        Clause {
            meaning: format!("what others do to thread {thread}"),
            premises: vec![self.states(thread, None), environment],
            constraints: Vec::new(),
            conclusion: Some(conclusion),
        }
    }

    fn relations(&self) -> Vec<Relation> {
        let sorts = |terms: &[Term]| -> Vec<Sort> {
            let sorts = terms.iter().map(|&term| self.terms.sort(term));
            sorts.collect()
        };
        let states = self.visible.iter().enumerate();
        let states = states.map(|(thread, visible)| Relation {
            name: format!("States{thread}"),
            sorts: sorts(visible),
        });
        let environments = self.exposed.iter().enumerate();
        let environments = environments.map(|(thread, exposed)| Relation {
            name: format!("Others{thread}"),
            sorts: sorts(&[exposed.as_slice(), exposed].concat()),
        });
        match self.rule {
            Rule::OwickiGries => states.collect(),
            Rule::RelyGuarantee => states.chain(environments).collect(),
        }
    }
}

/// The local variables of a thread that no other thread writes.
fn undisturbed(threaded: &ThreadedSystem, thread: usize) -> BTreeSet<Term> {
    let others = threaded.threads.iter().enumerate();
    let others = others.filter(|&(other, _)| other != thread);
    let moves = others.flat_map(|(_, other)| &other.moves);
    let written: BTreeSet<usize> = moves
        .flat_map(|part| part.updates.iter().map(|&(position, _)| position))
        .collect();
    let variables = threaded.system.state.iter().enumerate();
    variables
        .filter(|(position, _)| {
            threaded.owners[*position] == Some(thread) && !written.contains(position)
        })
        .map(|(_, variable)| variable.current)
        .collect()
}

#[cfg(test)]
mod tests {
    use system::testing::{Random, shortest_violation, spacer};

    use super::*;
    use crate::testing::{lock, random, split};

    fn is_proved(threaded: &ThreadedSystem, rule: Rule) -> Option<bool> {
        spacer(&clauses(threaded, rule).print(), 2_000_000)
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

    #[test]
    fn rules_prove_what_is_safe_and_nothing_else() {
        // Violated; safe with and without a modular proof.
        let mut decided = [0; 3];
        for seed in 0..100 {
            let threaded = match random(&mut Random::new(seed)) {
                threaded if seed % 2 == 0 => threaded,
                threaded => split(&threaded),
            };
            let safe = shortest_violation(&threaded.system).is_none();
            if let Some(proved) = is_proved(&threaded, Rule::OwickiGries) {
                assert_eq!(proved, safe, "seed {seed}");
            }
            if let Some(proved) = is_proved(&threaded, Rule::RelyGuarantee) {
                assert!(safe || !proved, "seed {seed}");
                decided[usize::from(safe) + usize::from(safe && !proved)] += 1;
            }
        }
        assert!(decided.iter().all(|&number| number >= 3), "{decided:?}");
    }
}
