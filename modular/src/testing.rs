//! For tests: threaded systems over small numbers.

use system::budget::Budget;
use system::term::{Binary, Sort, Term, Terms, Value};
use system::testing::Random;
use system::transition_system::{Property, Role, StateVariable, TransitionSystem};

use crate::threads::{Move, Thread, ThreadedSystem};

/// Threads over small numbers. An input chooses the move.
pub(crate) struct Builder {
    terms: Terms,
    /// Variables, with their first values.
    state: Vec<(Term, Option<u128>)>,
    threads: Vec<Thread>,
    /// Of all variables and inputs.
    width: u32,
}

/// For small numbers.
const WIDTH: u32 = 2;

impl Builder {
    fn new(threads: usize, width: u32) -> Self {
        Self {
            width,
            terms: Terms::new(),
            state: Vec::new(),
            threads: vec![Thread::default(); threads],
        }
    }

    /// A variable with its first value, arbitrary if absent; gives its position.
    fn variable(&mut self, name: &str, initial: Option<u128>) -> usize {
        let current = self.terms.symbol(name, Sort::BitVec(self.width));
        self.state.push((current, initial));
        self.state.len() - 1
    }

    fn number(&mut self, value: u128) -> Term {
        self.terms.constant(Value::BitVec(self.width, value))
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
        self.threads[thread].moves.push(Move { guard, updates });
    }

    /// The system in which these values of variables are an error.
    fn finish(mut self, bad: &[(usize, u128)]) -> ThreadedSystem {
        let bad: Vec<Term> = bad
            .iter()
            .map(|&(variable, value)| self.equals(variable, value))
            .collect();
        let bad = self.terms.and_all(bad);
        let mut next: Vec<Term> = self.state.iter().map(|&(current, _)| current).collect();
        let mut enabled = Vec::new();
        let chosen =
            ["thread", "move"].map(|name| self.terms.symbol(name, Sort::BitVec(self.width)));
        for (thread, moves) in (0..).zip(&mut self.threads) {
            for (number, part) in (0..).zip(&mut moves.moves) {
                let numbers = [thread, number].map(|number| self.terms.bits(self.width, number));
                let [thread, number] =
                    [0, 1].map(|choice| self.terms.equal(chosen[choice], numbers[choice]));
                let conditions = [thread, number, part.guard];
                part.guard = self.terms.and_all(conditions);
                enabled.push(part.guard);
                for &(variable, value) in &part.updates {
                    next[variable] = self.terms.ite(part.guard, value, next[variable]);
                }
            }
        }
        let guard = self.terms.or_all(enabled);
        let variables = self.state.iter().zip(next);
        let variables = variables.map(|(&(current, initial), next)| StateVariable {
            current,
            initial: initial.map(|initial| self.terms.constant(Value::BitVec(self.width, initial))),
            next: Some(next),
        });
        let state = variables.collect();
        let system = TransitionSystem {
            terms: self.terms,
            state,
            inputs: chosen.to_vec(),
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

/// A thread that counts once a gate is open, which never happens, and a limit that the other one looks at.
pub(crate) fn closed_gate(limit: u128) -> ThreadedSystem {
    let mut builder = Builder::new(2, 32);
    let count = builder.variable("count", Some(0));
    let gate = builder.variable("gate", Some(0));
    let alarm = builder.variable("alarm", Some(0));
    let one = builder.number(1);
    let next = builder
        .terms
        .binary(Binary::Add, builder.state[count].0, one);
    builder.add(0, &[(gate, 1)], &[(count, next)]);
    builder.add(1, &[(count, limit)], &[(alarm, one)]);
    builder.finish(&[(alarm, 1)])
}

/// Two threads at places that write global variables, which are an error together.
pub(crate) fn two_flags() -> ThreadedSystem {
    let mut builder = Builder::new(2, WIDTH);
    let flags = ["x", "y"].map(|name| builder.variable(name, Some(0)));
    let places = ["pc0", "pc1"].map(|name| builder.variable(name, Some(0)));
    let [one, two] = [1, 2].map(|value| builder.number(value));
    for thread in [0, 1] {
        let (place, own, other) = (places[thread], flags[thread], flags[1 - thread]);
        builder.add(thread, &[(place, 0)], &[(own, one), (place, one)]);
        builder.add(thread, &[(place, 1), (other, 2)], &[(place, two)]);
    }
    builder.finish(&[(flags[0], 1), (flags[1], 1)])
}

/// One thread counts up to a number, another one looks at the count at times. It never sees more than what was counted.
pub(crate) fn watched_count(last: u128) -> ThreadedSystem {
    let mut builder = Builder::new(2, 8);
    let count = builder.variable("count", Some(0));
    let seen = builder.variable("seen", Some(0));
    for before in 0..last {
        let after = builder.number(before + 1);
        builder.add(0, &[(count, before)], &[(count, after)]);
    }
    let now = builder.state[count].0;
    builder.add(1, &[], &[(seen, now)]);
    builder.finish(&[(count, 3), (seen, 4)])
}

/// A thread that counts up to a number by moves that random choices do not find. It is bad if the count is `bad`.
pub(crate) fn rare_moves(last: usize, bad: u128) -> ThreadedSystem {
    let mut builder = Builder::new(1, 32);
    let count = builder.variable("count", Some(0));
    let values = (0..).take(last + 1);
    let numbers: Vec<Term> = values.map(|value| builder.number(value)).collect();
    // Random choices are less than that or very large.
    for _ in 0..4 {
        builder.add(0, &[(count, u128::from(u32::MAX))], &[]);
    }
    for (before, &after) in (0..).zip(&numbers[1..]) {
        builder.add(0, &[(count, before)], &[(count, after)]);
    }
    builder.finish(&[(count, bad)])
}

/// A thread whose register `r` holds `x`, which stays 0, at place 1, and `y`, which grows, at place 3. `s` holds `x` from place 1 to 3.
/// It is bad if the register is 5 at place 1.
pub(crate) fn registers() -> ThreadedSystem {
    let mut builder = Builder::new(1, 32);
    let names = ["pc0", "r", "s", "x", "y", "alarm", "last"];
    let [place, r, s, x, y, alarm, last] = names.map(|name| builder.variable(name, Some(0)));
    let places = [0, 1, 2, 3].map(|value| builder.number(value));
    let [from_r, from_s, from_x, from_y] = [r, s, x, y].map(|found| builder.state[found].0);
    let more = builder.terms.binary(Binary::Add, from_r, places[1]);
    let load_x = [(r, from_x), (s, from_x), (place, places[1])];
    builder.add(0, &[(place, 0)], &load_x);
    builder.add(0, &[(place, 1)], &[(place, places[2])]);
    builder.add(0, &[(place, 2)], &[(r, from_y), (place, places[3])]);
    let store_y = [(y, more), (last, from_s), (place, places[0])];
    builder.add(0, &[(place, 3)], &store_y);
    builder.add(0, &[(place, 1), (r, 5)], &[(alarm, places[1])]);
    let mut threaded = builder.finish(&[(alarm, 1)]);
    threaded.threads[0].place = Some(threaded.system.state[place].current);
    threaded
}

/// Two threads that take a lock (Fig. 1 and 3), which then has one of these values.
pub(crate) fn lock(taken: [u128; 2]) -> ThreadedSystem {
    let mut builder = Builder::new(2, WIDTH);
    let lock = builder.variable("lock", Some(0));
    let places = ["pc0", "pc1"].map(|name| builder.variable(name, Some(0)));
    for (thread, taken) in taken.into_iter().enumerate() {
        let (one, taken) = (builder.number(1), builder.number(taken));
        let writes = [(lock, taken), (places[thread], one)];
        builder.add(thread, &[(lock, 0), (places[thread], 0)], &writes);
    }
    builder.finish(&places.map(|place| (place, 1)))
}

/// The same system, of which only the choice of the thread and the places are told.
pub(crate) fn split(threaded: &ThreadedSystem) -> ThreadedSystem {
    let system = &threaded.system;
    let state = system.state.iter().map(|variable| variable.current);
    let is_place = |term: &Term| {
        let name = system.terms.symbol_name(*term);
        name.is_some_and(|name| name.starts_with("pc"))
    };
    let places: Vec<Term> = state.filter(is_place).collect();
    let choice = Some(system.inputs[0]);
    let split = ThreadedSystem::split(system.clone(), choice, &places, &Budget::unlimited());
    split.expect("there is no limit")
}

/// A thread that waits for the end of the other one, which writes something before.
pub(crate) fn waits() -> ThreadedSystem {
    let mut builder = Builder::new(2, WIDTH);
    let written = builder.variable("written", Some(0));
    let places = ["pc0", "pc1"].map(|name| builder.variable(name, Some(0)));
    let one = builder.number(1);
    let needs = [(places[0], 0), (places[1], 1)];
    builder.add(0, &needs, &[(places[0], one)]);
    builder.add(1, &[(places[1], 0)], &[(written, one), (places[1], one)]);
    builder.finish(&[(places[0], 1), (written, 0)])
}

/// A system of two or three threads with locks, counters and guards, which look where others are, and move others.
pub(crate) fn random(random: &mut Random) -> ThreadedSystem {
    let threads = 2 + random.below(2);
    let mut builder = Builder::new(threads, WIDTH);
    let globals = [0, 1].map(|number| builder.variable(&format!("g{number}"), Some(0)));
    let locals: Vec<[usize; 2]> = (0..threads)
        .map(|thread| {
            let first = [Some(0), (random.below(3) > 0).then_some(0)];
            let names = ["pc", "x"].map(|name| format!("{name}{thread}"));
            [0, 1].map(|which| builder.variable(&names[which], first[which]))
        })
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
            let mut needs = Vec::new();
            if random.below(8) > 0 {
                needs.push((place, from));
            }
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
            let mut writes = vec![(place, target), (variable, value)];
            let other = locals[(thread + 1) % threads][0];
            match random.below(6) {
                0 => needs.push((other, random.below(3) as u128)),
                1 => writes.push((other, builder.number(random.below(3) as u128))),
                _ => {}
            }
            builder.add(thread, &needs, &writes);
        }
    }
    let bad = [0, 1].map(|thread| (locals[thread][0], 1 + random.below(2) as u128));
    builder.finish(&bad)
}
