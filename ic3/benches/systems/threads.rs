//! Transition systems of small multi-threaded programs, as large as wanted.

use system::term::{Sort, Term, Terms};
use system::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// Width of the shared and private variables.
const WIDTH: u32 = 32;

/// A statement; the thread goes to the next one.
#[derive(Clone, Copy, Debug)]
pub enum Statement {
    /// `private := shared[i]`
    Load(usize),
    /// `private := private + c`
    Add(u128),
    /// `shared[i] := private`
    Store(usize),
    /// `shared[i] := shared[i] + shared[j]`, in one step
    AddShared(usize, usize),
    /// Waits for the lock and takes it.
    Lock,
    /// Releases it.
    Unlock,
}

/// Threads that run side by side, and the shared variable that must have a value below a bound, or a certain value at the end.
#[derive(Clone, Debug)]
pub struct Threads {
    /// One program a thread.
    pub programs: Vec<Vec<Statement>>,
    /// First values of the shared variables.
    pub shared: Vec<u128>,
    /// What is a violation.
    pub error: Error,
}

/// What is a violation, of the first shared variable.
#[derive(Clone, Copy, Debug)]
pub enum Error {
    /// All threads have ended and it has another value.
    EndsOtherThan(u128),
    /// It is this or more.
    AtLeast(u128),
}

/// Threads that increment a variable without lock, or with.
pub fn increments(threads: usize, times: usize, locked: bool) -> TransitionSystem {
    let plain = [Statement::Load(0), Statement::Add(1), Statement::Store(0)];
    let guarded = [&[Statement::Lock][..], &plain[..], &[Statement::Unlock][..]].concat();
    let program = if locked {
        guarded.repeat(times)
    } else {
        plain.repeat(times)
    };
    let error = Error::EndsOtherThan((threads * times) as u128);
    Threads {
        programs: vec![program; threads],
        shared: vec![0],
        error,
    }
    .system()
}

/// Two threads add two variables to each other; how large can one become?
pub fn fibonacci(times: usize, reachable: bool) -> TransitionSystem {
    let (mut small, mut large) = (1, 1);
    for _ in 0..2 * times {
        (small, large) = (large, small + large);
    }
    let programs = vec![
        vec![Statement::AddShared(0, 1); times],
        vec![Statement::AddShared(1, 0); times],
    ];
    let bound = if reachable { large } else { large + 1 };
    Threads {
        programs,
        shared: vec![1, 1],
        error: Error::AtLeast(bound),
    }
    .system()
}

/// The variables of a system under construction, with their values after the step of some thread.
struct Builder {
    terms: Terms,
    shared: Vec<Term>,
    next_shared: Vec<Term>,
    lock: Term,
    next_lock: Term,
}

impl Threads {
    /// One step runs one statement of one thread.
    pub fn system(&self) -> TransitionSystem {
        let mut terms = Terms::new();
        let scheduled = terms.symbol("scheduled", Sort::BitVec(8));
        let lock = terms.symbol("lock", Sort::Bool);
        let shared: Vec<Term> = (0..self.shared.len())
            .map(|i| terms.symbol(format!("shared{i}"), Sort::BitVec(WIDTH)))
            .collect();
        let mut builder = Builder {
            terms,
            shared: shared.clone(),
            next_shared: shared.clone(),
            lock,
            next_lock: lock,
        };
        let mut state = Vec::new();
        let mut ended = Vec::new();
        let mut enabled = Vec::new();
        for (thread, program) in self.programs.iter().enumerate() {
            builder.thread(
                thread,
                program,
                scheduled,
                &mut state,
                &mut ended,
                &mut enabled,
            );
        }
        let Builder {
            mut terms,
            next_shared,
            next_lock,
            ..
        } = builder;
        for ((&current, &next), &value) in shared.iter().zip(&next_shared).zip(&self.shared) {
            let initial = Some(terms.bits(WIDTH, value));
            state.push(StateVariable {
                current,
                initial,
                next: Some(next),
            });
        }
        let initial = Some(terms.bool(false));
        state.push(StateVariable {
            current: lock,
            initial,
            next: Some(next_lock),
        });
        let guard = terms.or_all(enabled);
        let bad = self.bad(&mut terms, shared[0], ended);
        let properties = vec![Property {
            name: "error".to_owned(),
            role: Role::Violation,
            bad,
        }];
        TransitionSystem {
            terms,
            state,
            inputs: vec![scheduled],
            initial_constraints: Vec::new(),
            guard,
            invariant_constraints: Vec::new(),
            properties,
        }
    }

    fn bad(&self, terms: &mut Terms, variable: Term, ended: Vec<Term>) -> Term {
        match self.error {
            Error::EndsOtherThan(value) => {
                let value = terms.bits(WIDTH, value);
                let equal = terms.equal(variable, value);
                let other = terms.not(equal);
                terms.and_all(ended.into_iter().chain([other]))
            }
            Error::AtLeast(bound) => {
                let bound = terms.bits(WIDTH, bound);
                terms.unsigned_less_equal(bound, variable)
            }
        }
    }
}

impl Builder {
    /// Adds a thread: its program counter and private variable, and what its steps do to the shared ones.
    fn thread(
        &mut self,
        thread: usize,
        program: &[Statement],
        scheduled: Term,
        state: &mut Vec<StateVariable>,
        ended: &mut Vec<Term>,
        enabled: &mut Vec<Term>,
    ) {
        let pc = self.terms.symbol(format!("pc{thread}"), Sort::BitVec(8));
        let private = self
            .terms
            .symbol(format!("private{thread}"), Sort::BitVec(WIDTH));
        let number = self.terms.bits(8, thread as u128);
        let mine = self.terms.equal(scheduled, number);
        let mut next_private = private;
        for (location, &statement) in program.iter().enumerate() {
            let location = self.terms.bits(8, location as u128);
            let here = self.terms.equal(pc, location);
            let runs = self.terms.and(mine, here);
            let (value, may_run) = self.statement(statement, runs, private);
            next_private = self.terms.ite(runs, value, next_private);
            enabled.push(self.terms.and(runs, may_run));
        }
        let end = self.terms.bits(8, program.len() as u128);
        ended.push(self.terms.equal(pc, end));
        let one = self.terms.bits(8, 1);
        let advanced = self.terms.add(pc, one);
        let next_pc = self.terms.ite(mine, advanced, pc);
        let zeros = [8, WIDTH].map(|width| self.terms.bits(width, 0));
        state.push(StateVariable {
            current: pc,
            initial: Some(zeros[0]),
            next: Some(next_pc),
        });
        state.push(StateVariable {
            current: private,
            initial: Some(zeros[1]),
            next: Some(next_private),
        });
    }

    /// The private variable after a statement and whether it may run; updates the shared variables where it `runs`.
    fn statement(&mut self, statement: Statement, runs: Term, private: Term) -> (Term, Term) {
        let always = self.terms.bool(true);
        match statement {
            Statement::Load(i) => (self.shared[i], always),
            Statement::Add(value) => {
                let value = self.terms.bits(WIDTH, value);
                (self.terms.add(private, value), always)
            }
            Statement::Store(i) => {
                self.next_shared[i] = self.terms.ite(runs, private, self.next_shared[i]);
                (private, always)
            }
            Statement::AddShared(i, j) => {
                let sum = self.terms.add(self.shared[i], self.shared[j]);
                self.next_shared[i] = self.terms.ite(runs, sum, self.next_shared[i]);
                (private, always)
            }
            Statement::Lock | Statement::Unlock => {
                let taken = matches!(statement, Statement::Lock);
                let value = self.terms.bool(taken);
                self.next_lock = self.terms.ite(runs, value, self.next_lock);
                (
                    private,
                    if taken {
                        self.terms.not(self.lock)
                    } else {
                        always
                    },
                )
            }
        }
    }
}
