//! Proofs about a few threads that stand for any number of others.

use std::time::Duration;

use certify::{Certificate, SolverCommand};
use ic3::{Ctigar, CtigarOptions, Engine, Family};
use system::budget::Budget;
use system::term::{Sort, Term, Terms};
use system::testing::{Random, shortest_violation};
use system::transition_system::{Proof, Property, Role, StateVariable, TransitionSystem, Verdict};

const WIDTH: u32 = 2;

/// A variable of the state: global, or one of each thread.
#[derive(Clone, Copy)]
enum Variable {
    Global(usize),
    Own(usize),
}

/// What a thread may do: it needs values of variables, and one gets a value, or one more.
struct Move {
    needs: Vec<(Variable, u128)>,
    writes: Vec<(Variable, u128)>,
    adds: Option<Variable>,
}

/// Two global variables and two of each thread, all 0 at first: its place and another one. Some values of those of a thread are bad.
struct Routine {
    moves: Vec<Move>,
    bad: Vec<(Variable, u128)>,
}

const PLACE: Variable = Variable::Own(0);

impl Routine {
    fn random(random: &mut Random) -> Self {
        let variable = |random: &mut Random| match random.below(4) {
            0 => Variable::Own(1),
            other => Variable::Global(other % 2),
        };
        let places = 2 + random.below(2) as u128;
        let moves = (0..places).map(|place| {
            let mut needs = vec![(PLACE, place)];
            if random.below(3) > 0 {
                needs.push((variable(random), random.below(2) as u128));
            }
            let mut writes = vec![(PLACE, (place + 1) % 4)];
            let mut adds = None;
            match random.below(3) {
                0 => adds = Some(variable(random)),
                _ => writes.push((variable(random), random.below(3) as u128)),
            }
            Move {
                needs,
                writes,
                adds,
            }
        });
        let moves = moves.collect();
        let value = 1 + random.below(3) as u128;
        let bad = vec![(PLACE, places - 1), (variable(random), value)];
        Self { moves, bad }
    }

    /// So many threads, and what belongs to each.
    fn system(&self, threads: usize) -> (TransitionSystem, Family) {
        let mut terms = Terms::new();
        let mut symbol = |name: String| terms.symbol(name, Sort::BitVec(WIDTH));
        let globals = [0, 1].map(|number| symbol(format!("g{number}")));
        let own: Family = (0..threads)
            .map(|thread| {
                (0..2)
                    .map(|number| symbol(format!("l{thread}.{number}")))
                    .collect()
            })
            .collect();
        let [who, what] = ["thread", "move"].map(|name| symbol(name.to_owned()));
        let state: Vec<Term> = globals
            .iter()
            .chain(own.iter().flatten())
            .copied()
            .collect();
        let mut next = state.clone();
        let (mut enabled, mut bad) = (Vec::new(), Vec::new());
        for (thread, own) in own.iter().enumerate() {
            let of = |variable| match variable {
                Variable::Global(number) => globals[number],
                Variable::Own(number) => own[number],
            };
            let all = |terms: &mut Terms, values: &[(Variable, u128)]| {
                let equal = |&(variable, value): &(Variable, u128)| {
                    let value = terms.bits(WIDTH, value);
                    terms.equal(of(variable), value)
                };
                let equal: Vec<Term> = values.iter().map(equal).collect();
                terms.and_all(equal)
            };
            for (number, part) in self.moves.iter().enumerate() {
                let mut conditions = vec![all(&mut terms, &part.needs)];
                for (input, value) in [(who, thread), (what, number)] {
                    let value = terms.bits(WIDTH, value as u128);
                    conditions.push(terms.equal(input, value));
                }
                let made = terms.and_all(conditions);
                enabled.push(made);
                let mut write = |terms: &mut Terms, variable: Term, value: Term| {
                    let position = state.iter().position(|&known| known == variable);
                    let position = position.expect("a variable of the state");
                    next[position] = terms.ite(made, value, next[position]);
                };
                for &(variable, value) in &part.writes {
                    let value = terms.bits(WIDTH, value);
                    write(&mut terms, of(variable), value);
                }
                if let Some(variable) = part.adds {
                    let one = terms.bits(WIDTH, 1);
                    let sum = terms.add(of(variable), one);
                    write(&mut terms, of(variable), sum);
                }
            }
            bad.push(all(&mut terms, &self.bad));
        }
        let zero = terms.bits(WIDTH, 0);
        let variables = state.iter().zip(next);
        let variables = variables.map(|(&current, next)| StateVariable {
            current,
            initial: Some(zero),
            next: Some(next),
        });
        let state = variables.collect();
        let guard = terms.or_all(enabled);
        let bad = terms.or_all(bad);
        let system = TransitionSystem {
            terms,
            state,
            inputs: vec![who, what],
            initial_constraints: Vec::new(),
            guard,
            invariant_constraints: Vec::new(),
            properties: vec![Property {
                name: "error".to_owned(),
                role: Role::Violation,
                bad,
            }],
        };
        (system, own)
    }

    fn is_safe(&self, threads: usize) -> bool {
        shortest_violation(&self.system(threads).0).is_none()
    }

    /// Whether a proof about so many threads that stand for all is found; its certificate is checked.
    fn is_proved(&self, representatives: usize) -> bool {
        let (mut system, family) = self.system(representatives);
        let mut engine = Ctigar::new(CtigarOptions {
            families: vec![family.clone()],
            ..CtigarOptions::default()
        });
        let budget = Budget::unlimited();
        let Verdict::Safe(proof @ Proof::Inductive(_)) = engine.check(&mut system, &budget) else {
            return false;
        };
        let position = |variable: &Term| {
            let mut state = system.state.iter();
            state
                .position(|known| known.current == *variable)
                .expect("a variable of the state")
        };
        let family = family.iter().map(|own| own.iter().map(position).collect());
        let certificate = Certificate::new(&system, &proof).expect("it is a proof");
        let certificate = certificate.for_all(vec![family.collect()], Vec::new());
        let certificate = certificate.expect("the threads are alike");
        let checked = certificate.discharge(&SolverCommand::z3(Duration::from_secs(60)));
        checked.expect("the proof holds for all threads");
        true
    }
}

#[test]
fn proofs_for_any_number_hold_for_four_threads() {
    let mut proved = [0; 2];
    let mut others_matter = 0;
    for seed in 0..150 {
        let routine = Routine::random(&mut Random::new(seed));
        let safe = routine.is_safe(4);
        for (number, representatives) in [2, 3].into_iter().enumerate() {
            let is_proved = routine.is_proved(representatives);
            assert!(!is_proved || safe, "seed {seed} with {representatives}");
            proved[number] += usize::from(is_proved);
        }
        others_matter += usize::from(!safe && routine.is_safe(2));
    }
    assert!(proved[0] >= 30 && proved[1] >= proved[0], "{proved:?}");
    assert!(others_matter >= 5, "{others_matter}");
}
