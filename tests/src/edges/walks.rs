//! Random sequences of calls on one synchronisation object by one thread, with the result of every call.
//!
//! The rules of POSIX are written down once more here: which calls are defined in a state, what they return, and to which
//! state they lead. Calls that would wait are not made.

use std::fmt::Write as _;

use super::part::{Meaning, Part};
use crate::numbers::Numbers;

/// Kinds of synchronisation objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Object {
    NormalMutex,
    RecursiveMutex,
    CheckedMutex,
    ReadWriteLock,
    SpinLock,
    Semaphore,
    Barrier,
    Condition,
}

/// What a sequence of calls does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The object is used before it is initialised.
    Uninitialised,
    /// The object is used or destroyed after it was destroyed.
    Destroyed,
    /// The object is destroyed while it is held.
    DestroyedHeld,
    /// The object is unlocked although nobody holds it.
    FreeUnlocked,
    /// The object is initialised while it is held.
    InitialisedHeld,
    /// A call is expected to return what it does not.
    Result,
}

/// How an initialised object is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct State {
    /// How often it is locked, or locked for reading; the value of a semaphore.
    count: i32,
    /// Whether it is locked for writing.
    writer: bool,
}

impl State {
    fn counting(count: i32) -> Self {
        Self {
            count,
            writer: false,
        }
    }

    const WRITER: Self = Self {
        count: 0,
        writer: true,
    };
}

/// A call, what it returns, and the state after it; `O` stands for the address of the object.
type Call = (&'static str, i32, State);

const BUSY: i32 = 16;

impl Object {
    fn type_name(self) -> &'static str {
        match self {
            Self::NormalMutex | Self::RecursiveMutex | Self::CheckedMutex => "pthread_mutex_t",
            Self::ReadWriteLock => "pthread_rwlock_t",
            Self::SpinLock => "pthread_spinlock_t",
            Self::Semaphore => "sem_t",
            Self::Barrier => "pthread_barrier_t",
            Self::Condition => "pthread_cond_t",
        }
    }

    /// The call that initialises an object.
    fn initialise(self) -> &'static str {
        match self {
            Self::NormalMutex => "pthread_mutex_init(O, 0)",
            Self::RecursiveMutex => "initialise_mutex(O, PTHREAD_MUTEX_RECURSIVE)",
            Self::CheckedMutex => "initialise_mutex(O, PTHREAD_MUTEX_ERRORCHECK)",
            Self::ReadWriteLock => "pthread_rwlock_init(O, 0)",
            Self::SpinLock => "pthread_spin_init(O, PTHREAD_PROCESS_PRIVATE)",
            Self::Semaphore => "sem_init(O, 0, 1)",
            Self::Barrier => "pthread_barrier_init(O, 0, 1)",
            Self::Condition => "pthread_cond_init(O, 0)",
        }
    }

    fn destroy(self) -> &'static str {
        match self {
            Self::NormalMutex | Self::RecursiveMutex | Self::CheckedMutex => {
                "pthread_mutex_destroy(O)"
            }
            Self::ReadWriteLock => "pthread_rwlock_destroy(O)",
            Self::SpinLock => "pthread_spin_destroy(O)",
            Self::Semaphore => "sem_destroy(O)",
            Self::Barrier => "pthread_barrier_destroy(O)",
            Self::Condition => "pthread_cond_destroy(O)",
        }
    }

    fn unlock(self) -> &'static str {
        match self {
            Self::NormalMutex | Self::RecursiveMutex | Self::CheckedMutex => {
                "pthread_mutex_unlock(O)"
            }
            Self::ReadWriteLock => "pthread_rwlock_unlock(O)",
            Self::SpinLock => "pthread_spin_unlock(O)",
            Self::Semaphore => "sem_trywait(O)",
            Self::Barrier => "pthread_barrier_wait(O)",
            Self::Condition => "pthread_cond_signal(O)",
        }
    }

    /// The state after initialisation.
    fn initial(self) -> State {
        State::counting(i32::from(self == Self::Semaphore))
    }

    /// Whether no thread holds an object in this state, so that it may be destroyed.
    fn is_free(self, state: State) -> bool {
        self == Self::Semaphore || state == State::default()
    }

    /// The defined calls that do not wait.
    fn calls(self, state: State) -> Vec<Call> {
        match self {
            Self::NormalMutex | Self::RecursiveMutex | Self::CheckedMutex => {
                self.mutex_calls(state.count)
            }
            Self::ReadWriteLock => Self::read_write_calls(state),
            Self::SpinLock => match state.writer {
                false => vec![
                    ("pthread_spin_lock(O)", 0, State::WRITER),
                    ("pthread_spin_trylock(O)", 0, State::WRITER),
                ],
                true => vec![
                    ("pthread_spin_trylock(O)", BUSY, state),
                    ("pthread_spin_unlock(O)", 0, State::default()),
                ],
            },
            Self::Semaphore => Self::semaphore_calls(state.count),
            Self::Barrier => vec![("pthread_barrier_wait(O)", -1, state)],
            Self::Condition => vec![
                ("pthread_cond_signal(O)", 0, state),
                ("pthread_cond_broadcast(O)", 0, state),
            ],
        }
    }

    fn mutex_calls(self, count: i32) -> Vec<Call> {
        let (held, more) = (State::counting(count), State::counting(count + 1));
        let (lock, try_lock) = ("pthread_mutex_lock(O)", "pthread_mutex_trylock(O)");
        let mut calls = match (self, count) {
            (_, 0) => vec![(lock, 0, more), (try_lock, 0, more)],
            (Self::RecursiveMutex, _) => vec![(lock, 0, more), (try_lock, 0, more)],
            (Self::CheckedMutex, _) => vec![(lock, 35, held), (try_lock, BUSY, held)],
            _ => vec![(try_lock, BUSY, held)],
        };
        if count > 0 {
            calls.push(("pthread_mutex_unlock(O)", 0, State::counting(count - 1)));
        } else if self != Self::NormalMutex {
            calls.push(("pthread_mutex_unlock(O)", 1, held));
        }
        calls
    }

    fn read_write_calls(state: State) -> Vec<Call> {
        let more = State::counting(state.count + 1);
        if state.writer {
            return vec![
                ("pthread_rwlock_tryrdlock(O)", BUSY, state),
                ("pthread_rwlock_trywrlock(O)", BUSY, state),
                ("pthread_rwlock_unlock(O)", 0, State::default()),
            ];
        }
        let mut calls = vec![
            ("pthread_rwlock_rdlock(O)", 0, more),
            ("pthread_rwlock_tryrdlock(O)", 0, more),
        ];
        if state.count > 0 {
            calls.push(("pthread_rwlock_trywrlock(O)", BUSY, state));
            calls.push((
                "pthread_rwlock_unlock(O)",
                0,
                State::counting(state.count - 1),
            ));
        } else {
            calls.push(("pthread_rwlock_wrlock(O)", 0, State::WRITER));
            calls.push(("pthread_rwlock_trywrlock(O)", 0, State::WRITER));
        }
        calls
    }

    fn semaphore_calls(count: i32) -> Vec<Call> {
        let state = State::counting(count);
        let mut calls = vec![
            ("sem_post(O)", 0, State::counting(count + 1)),
            ("value_of(O)", count, state),
        ];
        if count > 0 {
            calls.push(("sem_wait(O)", 0, State::counting(count - 1)));
            calls.push(("sem_trywait(O)", 0, State::counting(count - 1)));
        } else {
            calls.push(("sem_trywait(O)", -1, state));
        }
        calls
    }
}

/// A sequence of calls with their results.
struct Walk<'a> {
    numbers: &'a mut Numbers,
    object: Object,
    state: State,
    body: String,
}

impl Walk<'_> {
    fn assert(&mut self, call: &str, result: i32) {
        let _ = writeln!(self.body, "    assert({call} == {result});");
    }

    fn initialise(&mut self) {
        self.assert(self.object.initialise(), 0);
        self.state = self.object.initial();
    }

    fn step(&mut self) {
        let (call, result, next) = self.numbers.pick(&self.object.calls(self.state));
        self.assert(call, result);
        self.state = next;
    }

    /// Steps until the object is free, or until it is held.
    fn until(&mut self, free: bool) {
        while self.object.is_free(self.state) != free {
            let object = self.object;
            let mut calls = object.calls(self.state);
            if free {
                calls.retain(|(call, ..)| *call == object.unlock());
            }
            let (call, result, next) = self.numbers.pick(&calls);
            self.assert(call, result);
            self.state = next;
        }
    }

    /// A few calls, and now and then the object's end and new beginning.
    fn wander(&mut self) {
        for _ in 0..1 + self.numbers.below(3) {
            self.step();
        }
        if self.numbers.chance(30) {
            self.until(true);
            self.assert(self.object.destroy(), 0);
            self.initialise();
            self.step();
        }
    }

    /// A call that would be defined if the object was as after its initialisation.
    fn use_it(&mut self) {
        let calls = self.object.calls(self.object.initial());
        let (call, result, _) = self.numbers.pick(&calls);
        self.assert(call, result);
    }

    fn finish(&mut self) {
        self.until(true);
        self.assert(self.object.destroy(), 0);
    }

    fn make(&mut self, flaw: Flaw) {
        let object = self.object;
        if flaw != Flaw::Uninitialised {
            self.initialise();
            self.wander();
        }
        match flaw {
            Flaw::Uninitialised => self.use_it(),
            Flaw::Destroyed => {
                self.finish();
                if self.numbers.chance(20) {
                    self.assert(object.destroy(), 0);
                } else {
                    self.use_it();
                }
            }
            Flaw::DestroyedHeld => {
                self.until(false);
                let expected = self.numbers.pick(&[0, BUSY]);
                self.assert(object.destroy(), expected);
            }
            Flaw::FreeUnlocked => {
                self.until(true);
                self.assert(object.unlock(), 0);
            }
            Flaw::InitialisedHeld => {
                self.until(false);
                self.initialise();
            }
            Flaw::Result => {
                let (call, result, _) = self.numbers.pick(&object.calls(self.state));
                let wrong = if result == 0 { BUSY } else { 0 };
                self.assert(call, wrong);
            }
        }
    }
}

/// A sequence with a flaw if it is `broken`, and else without.
pub fn walk(numbers: &mut Numbers, broken: bool, object: Object, flaw: Flaw) -> Part {
    let place = numbers.below(3);
    let mut walk = Walk {
        numbers,
        object,
        state: State::default(),
        body: String::new(),
    };
    if broken {
        walk.make(flaw);
    } else {
        walk.initialise();
        walk.wander();
        walk.finish();
    }
    let body = walk.body.replace("(O", "($OBJECT");
    let kind = object.type_name();
    // Zero bytes are what the static initialisers of the other types are made of.
    let zeros_count = !matches!(
        object,
        Object::SpinLock | Object::Semaphore | Object::Barrier
    );
    let garbage = broken && flaw == Flaw::Uninitialised && (zeros_count || place != 0);
    let fill = if garbage {
        format!("    memset($OBJECT, 0x5a, sizeof({kind}));\n")
    } else {
        String::new()
    };
    let (declarations, before, address) = match place {
        0 => (format!("static {kind} object@;"), String::new(), "&object@"),
        1 => (String::new(), format!("    {kind} object;\n"), "&object"),
        _ => (
            String::new(),
            format!("    {kind} *object = malloc(sizeof *object);\n"),
            "object",
        ),
    };
    let body = format!("{before}{fill}{body}");
    // The GNU library defines these for mutexes, and POSIX leaves them open.
    let mutex = kind == "pthread_mutex_t";
    let part = match flaw {
        Flaw::DestroyedHeld | Flaw::FreeUnlocked if mutex && broken => {
            Part::open(&declarations, &body)
        }
        _ => Part::new(broken, &declarations, &body),
    };
    debug_assert!(broken || part.meaning == Meaning::Right);
    part.with("OBJECT", address)
}
