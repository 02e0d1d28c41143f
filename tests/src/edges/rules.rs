//! What POSIX says of calls on synchronisation objects by one thread: which are defined in a state, what they return, and to
//! which state they lead. Calls that would wait are left out.

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

/// How an initialised object is held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// How often it is locked, or locked for reading; the value of a semaphore.
    pub count: i32,
    /// Whether it is locked for writing.
    pub writer: bool,
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
pub type Call = (&'static str, i32, State);

pub const BUSY: i32 = 16;

impl Object {
    pub fn type_name(self) -> &'static str {
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
    pub fn initialise(self) -> &'static str {
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

    pub fn destroy(self) -> &'static str {
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

    pub fn unlock(self) -> &'static str {
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
    pub fn initial(self) -> State {
        State::counting(i32::from(self == Self::Semaphore))
    }

    /// Whether no thread holds an object in this state, so that it may be destroyed.
    pub fn is_free(self, state: State) -> bool {
        self == Self::Semaphore || state == State::default()
    }

    /// The defined calls that do not wait.
    pub fn calls(self, state: State) -> Vec<Call> {
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
