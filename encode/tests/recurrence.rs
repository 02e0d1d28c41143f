//! Runs that go on for ever: systems that record a state against all cycles of all states.

use std::collections::{BTreeMap, BTreeSet};

use encode::recurrence::{Mover, Recurrence};
use system::eval::evaluate;
use system::term::{Sort, Term, Terms, Value};
use system::testing::{Random, all_values, grow, shortest_violation};
use system::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// Two threads over few bits, and an input of each that is not scheduled.
struct Threads {
    terms: Terms,
    state: Vec<StateVariable>,
    scheduler: Term,
    choice: Term,
    /// Whether each thread is able to move.
    able: [Term; 2],
}

fn threads(random: &mut Random) -> Threads {
    let mut terms = Terms::new();
    let symbols = [("x", 4), ("y", 1)].map(|(name, width)| {
        let sort = Sort::BitVec(width);
        terms.symbol(name, sort)
    });
    let choice = terms.symbol("choice", Sort::BitVec(1));
    let scheduler = terms.symbol("thread", Sort::BitVec(1));
    let mut pool = symbols.to_vec();
    pool.push(terms.bool(true));
    for constant in [0, 1, 3, 8] {
        pool.push(terms.bits(4, constant));
    }
    grow(random, &mut terms, &mut pool, 30, 4);
    let of = |sort: Sort, random: &mut Random, terms: &Terms, pool: &[Term]| {
        let fitting = pool.iter().filter(|&&term| terms.sort(term) == sort);
        let fitting: Vec<Term> = fitting.copied().collect();
        fitting[random.below(fitting.len())]
    };
    let able = [(); 2].map(|()| match random.below(4) {
        0 => terms.bool(true),
        _ => of(Sort::Bool, random, &terms, &pool),
    });
    pool.push(choice);
    grow(random, &mut terms, &mut pool, 20, 4);
    let first = terms.bits(1, 0);
    let is_first = terms.equal(scheduler, first);
    let mut variable = |current: Term| {
        let sort = terms.sort(current);
        let [one, other] = [(); 2].map(|()| match random.below(3) {
            0 => current,
            _ => of(sort, random, &terms, &pool),
        });
        StateVariable {
            current,
            initial: Some(terms.constant(Value::zero(sort))),
            next: Some(terms.ite(is_first, one, other)),
        }
    };
    let state = symbols.map(&mut variable).to_vec();
    Threads {
        terms,
        state,
        scheduler,
        choice,
        able,
    }
}

/// From each reachable state the threads that are able to move, and where each of them leads.
type Moves = BTreeMap<Vec<Value>, Vec<(usize, Vec<Value>)>>;

impl Threads {
    fn moves(&self) -> Moves {
        let first: Vec<Value> = self
            .state
            .iter()
            .map(|variable| Value::zero(self.terms.sort(variable.current)))
            .collect();
        let next: Vec<Term> = self
            .state
            .iter()
            .filter_map(|variable| variable.next)
            .collect();
        let mut moves = Moves::new();
        let mut open = vec![first];
        while let Some(state) = open.pop() {
            if moves.contains_key(&state) {
                continue;
            }
            let mut successors = Vec::new();
            for inputs in all_values(&self.terms, &[self.scheduler, self.choice]) {
                let variables = self.state.iter().map(|variable| variable.current);
                let known = variables.zip(state.iter().copied());
                let inputs = [self.scheduler, self.choice].into_iter().zip(inputs);
                let symbols = known.chain(inputs.clone()).collect();
                let thread = inputs.map(|(_, value)| value.bits()).next().unwrap_or(0) as usize;
                if evaluate(&self.terms, &[self.able[thread]], &symbols)[0].is_true() {
                    successors.push((thread, evaluate(&self.terms, &next, &symbols)));
                }
            }
            open.extend(successors.iter().map(|(_, state)| state.clone()));
            moves.insert(state, successors);
        }
        moves
    }

    /// The system that records a state; whether it is bad anywhere.
    fn recurs(mut self, fair: bool) -> bool {
        let conditions: Vec<Term> = (0..2)
            .map(|thread| {
                let number = self.terms.bits(1, thread);
                self.terms.equal(self.scheduler, number)
            })
            .collect();
        let movers = (0..2).filter(|_| fair).map(|thread| Mover {
            name: format!("t{thread}"),
            scheduled: conditions[thread],
            able: self.able[thread],
        });
        let movers: Vec<Mover> = movers.collect();
        let always = self.terms.bool(true);
        let mut added = Recurrence::new(&mut self.terms, &self.state, always, &movers);
        // What copies are before a state is recorded does not matter.
        for variable in &mut added.state {
            let zero = Value::zero(self.terms.sort(variable.current));
            let zero = self.terms.constant(zero);
            variable.initial.get_or_insert(zero);
        }
        let moves: Vec<Term> = (0..2)
            .map(|thread| self.terms.and(conditions[thread], self.able[thread]))
            .collect();
        let guard = self.terms.or_all(moves);
        let system = TransitionSystem {
            guard,
            state: [self.state, added.state].concat(),
            inputs: vec![self.scheduler, self.choice, added.input],
            initial_constraints: Vec::new(),
            invariant_constraints: Vec::new(),
            properties: vec![Property {
                name: "recurs".to_owned(),
                role: Role::Violation,
                bad: added.recurs,
            }],
            terms: self.terms,
        };
        shortest_violation(&system).is_some()
    }
}

/// Whether a run goes on for ever in which these threads move again and again, and the other one does not, nor is able to if the run has
/// to be fair.
fn goes_on(moves: &Moves, moving: &[usize], fair: bool) -> bool {
    let is_left = |state: &Vec<Value>| {
        let mut able = moves[state].iter().map(|(thread, _)| thread);
        fair && able.any(|thread| !moving.contains(thread))
    };
    let kept: BTreeSet<&Vec<Value>> = moves.keys().filter(|state| !is_left(state)).collect();
    let steps = |state: &Vec<Value>| -> Vec<(usize, Vec<Value>)> {
        let all = moves[state].iter();
        all.filter(|(thread, to)| moving.contains(thread) && kept.contains(to))
            .cloned()
            .collect()
    };
    // From each state and back to it, with the threads that have moved on the way.
    kept.iter().any(|&start| {
        let mut seen = BTreeSet::new();
        let mut open = vec![(start.clone(), BTreeSet::new())];
        while let Some((state, moved)) = open.pop() {
            for (thread, to) in steps(&state) {
                let mut moved: BTreeSet<usize> = moved.clone();
                moved.insert(thread);
                if to == *start && moved.len() == moving.len() {
                    return true;
                }
                if seen.insert((to.clone(), moved.clone())) {
                    open.push((to, moved));
                }
            }
        }
        false
    })
}

#[test]
fn a_state_is_found_again_exactly_where_a_run_goes_on_for_ever() {
    let mut counts = [[0; 2]; 2];
    for seed in 0..600 {
        let moves = threads(&mut Random::new(seed)).moves();
        for fair in [false, true] {
            let mut sets = [&[0][..], &[1], &[0, 1]].into_iter();
            let expected = sets.any(|moving| goes_on(&moves, moving, fair));
            let found = threads(&mut Random::new(seed)).recurs(fair);
            assert_eq!(found, expected, "seed {seed}, fair: {fair}");
            counts[usize::from(fair)][usize::from(found)] += 1;
        }
    }
    for [ends, goes_on] in counts {
        assert!(ends >= 5 && goes_on >= 5, "{counts:?}");
    }
}

/// What happens before a state is recorded counts for nothing: thread 0 stays in state 1 for ever, to which it comes from state 0 or thread
/// 1 does.
#[test]
fn only_what_happens_since_counts_for_fairness() {
    for (by_other, expected) in [(false, true), (true, false)] {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(2));
        let scheduler = terms.symbol("thread", Sort::BitVec(1));
        let choice = terms.symbol("choice", Sort::BitVec(1));
        let [zero, one, two] = [0, 1, 2].map(|value| terms.bits(2, value));
        let [at_zero, at_one] = [zero, one].map(|value| terms.equal(x, value));
        let first = terms.bits(1, 0);
        let is_first = terms.equal(scheduler, first);
        // Thread 1 is able to move in state 0 alone, or it makes the move there and would leave state 1, too.
        let able = match by_other {
            false => [terms.or(at_zero, at_one), at_zero],
            true => [at_one, terms.or(at_zero, at_one)],
        };
        let other = terms.ite(at_zero, if by_other { one } else { two }, two);
        let next = terms.ite(is_first, one, other);
        let threads = Threads {
            state: vec![StateVariable {
                current: x,
                initial: Some(zero),
                next: Some(next),
            }],
            terms,
            scheduler,
            choice,
            able,
        };
        assert_eq!(threads.recurs(true), expected, "by the other: {by_other}");
    }
}
