//! Deadlocks of random programs with condition variables, semaphores, read-write locks and cancellation. What POSIX says of these operations is
//! written here a second time: a program finds a deadlock if and only if this one does.

use std::collections::HashSet;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::deadlocks::{finds_deadlock, join, program_of};

/// A call of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Call {
    Lock,
    Unlock,
    /// Waits for the condition variable.
    Wait,
    /// The same as long as the flag is not set.
    WaitForFlag,
    Signal,
    Broadcast,
    SetFlag,
    Post,
    WaitForPost,
    /// Takes the read-write lock for writing or for reading, and gives it back.
    Write,
    Read,
    EndWrite,
    EndRead,
    /// Joins a thread that nobody joins yet.
    Join(usize),
    Cancel(usize),
    TurnCancellationOff,
    /// Goes on for ever.
    Spin,
}

impl Call {
    fn text(self) -> String {
        match self {
            Self::Lock => "pthread_mutex_lock(&m);".to_owned(),
            Self::Unlock => "pthread_mutex_unlock(&m);".to_owned(),
            Self::Wait => "pthread_cond_wait(&c, &m);".to_owned(),
            Self::WaitForFlag => "while (!flag) pthread_cond_wait(&c, &m);".to_owned(),
            Self::Signal => "pthread_cond_signal(&c);".to_owned(),
            Self::Broadcast => "pthread_cond_broadcast(&c);".to_owned(),
            Self::SetFlag => "flag = 1;".to_owned(),
            Self::Post => "sem_post(&posts);".to_owned(),
            Self::WaitForPost => "sem_wait(&posts);".to_owned(),
            Self::Write => "pthread_rwlock_wrlock(&shared);".to_owned(),
            Self::Read => "pthread_rwlock_rdlock(&shared);".to_owned(),
            Self::EndWrite | Self::EndRead => "pthread_rwlock_unlock(&shared);".to_owned(),
            Self::Join(thread) => join(thread),
            Self::Cancel(thread) => format!("pthread_cancel(t{thread});"),
            Self::TurnCancellationOff => {
                "pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);".to_owned()
            }
            Self::Spin => "for (;;) ;".to_owned(),
        }
    }
}

/// Calls between which the mutex or the read-write lock is held, or one alone.
fn calls() -> impl Strategy<Value = Vec<Call>> {
    let in_mutex = prop_oneof![
        4 => Just(Call::Wait),
        2 => Just(Call::WaitForFlag),
        3 => Just(Call::Signal),
        1 => Just(Call::Broadcast),
        2 => Just(Call::SetFlag),
        1 => Just(Call::WaitForPost),
        1 => Just(Call::Read),
        1 => Just(Call::Write),
    ];
    let in_lock = prop_oneof![
        Just(Call::Lock),
        Just(Call::Read),
        Just(Call::WaitForPost),
        Just(Call::Write)
    ];
    let alone = prop_oneof![
        2 => Just(Call::Signal),
        1 => Just(Call::Broadcast),
        2 => Just(Call::Post),
        2 => Just(Call::WaitForPost),
        3 => (0..2usize).prop_map(Call::Join),
        3 => (0..2usize).prop_map(Call::Cancel),
        1 => Just(Call::TurnCancellationOff),
        1 => Just(Call::Spin),
    ];
    let between = |calls: Vec<Call>, begin, end, ends: bool| {
        let end = ends.then_some(end);
        let calls = calls.into_iter().flat_map(closed);
        [begin].into_iter().chain(calls).chain(end).collect()
    };
    let ends = || prop::bool::weighted(0.9);
    prop_oneof![
        4 => (prop::collection::vec(in_mutex, 0..3), ends())
            .prop_map(move |(calls, ends)| between(calls, Call::Lock, Call::Unlock, ends)),
        1 => (in_lock.clone(), ends())
            .prop_map(move |(call, ends)| between(vec![call], Call::Read, Call::EndRead, ends)),
        1 => (in_lock, ends())
            .prop_map(move |(call, ends)| between(vec![call], Call::Write, Call::EndWrite, ends)),
        4 => alone.prop_map(|call| vec![call]),
    ]
}

/// A call that is alone in a critical section gives back what it takes.
fn closed(call: Call) -> Vec<Call> {
    let end = match call {
        Call::Lock => Some(Call::Unlock),
        Call::Read => Some(Call::EndRead),
        Call::Write => Some(Call::EndWrite),
        Call::Unlock
        | Call::Wait
        | Call::WaitForFlag
        | Call::Signal
        | Call::Broadcast
        | Call::SetFlag
        | Call::Post
        | Call::WaitForPost
        | Call::EndWrite
        | Call::EndRead
        | Call::Join(_)
        | Call::Cancel(_)
        | Call::TurnCancellationOff
        | Call::Spin => None,
    };
    [call].into_iter().chain(end).collect()
}

fn thread() -> impl Strategy<Value = Vec<Call>> {
    prop::collection::vec(calls(), 1..3).prop_map(|calls| calls.concat())
}

fn text(threads: &[Vec<Call>; 3]) -> String {
    let threads = threads.each_ref().map(|calls| {
        let texts: Vec<String> = calls.iter().map(|call| call.text()).collect();
        texts.join(" ")
    });
    let variables = "pthread_mutex_t m; pthread_cond_t c; int flag; _Thread_local int old;";
    program_of(variables, threads)
}

/// How a thread was woken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Woken {
    Not,
    BySignal,
    WithAll,
}

/// What a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Mode {
    /// Its next call begins.
    Begins,
    /// It has begun to join, or to wait for a post.
    HasBegun,
    /// It waits for the condition variable.
    Waits(Woken),
    /// It takes the mutex again, and ends then or not.
    Returns { ends: bool },
    /// It has ended.
    Ended,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    next: usize,
    mode: Mode,
    requested: bool,
    cancellation_off: bool,
}

impl Thread {
    fn is_cancelled(&self) -> bool {
        self.requested && !self.cancellation_off
    }

    fn go_on(&mut self) {
        self.next += 1;
        self.mode = Mode::Begins;
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: [Thread; 3],
    holder: Option<usize>,
    writer: Option<usize>,
    readers: [usize; 3],
    flag: bool,
    posts: usize,
    joined: [bool; 2],
}

impl State {
    fn initial() -> Self {
        let thread = Thread {
            next: 0,
            mode: Mode::Begins,
            requested: false,
            cancellation_off: false,
        };
        Self {
            threads: [thread.clone(), thread.clone(), thread],
            holder: None,
            writer: None,
            readers: [0; 3],
            flag: false,
            posts: 0,
            joined: [false; 2],
        }
    }

    /// The states after a change of this one.
    fn after(&self, change: impl FnOnce(&mut Self)) -> Vec<Self> {
        let mut next = self.clone();
        change(&mut next);
        vec![next]
    }

    fn cancelled(&self, thread: usize) -> Vec<Self> {
        match self.threads[thread].is_cancelled() {
            true => self.after(|next| next.threads[thread].mode = Mode::Ended),
            false => Vec::new(),
        }
    }

    /// The states after a signal.
    fn signalled(self) -> Vec<Self> {
        let is_asleep = |&thread: &usize| self.threads[thread].mode == Mode::Waits(Woken::Not);
        let asleep: Vec<usize> = (0..3).filter(is_asleep).collect();
        if asleep.is_empty() {
            return vec![self];
        }
        let wake = |thread: usize| {
            self.after(|next| next.threads[thread].mode = Mode::Waits(Woken::BySignal))
        };
        asleep.into_iter().flat_map(wake).collect()
    }

    /// The states after the next step of a thread.
    fn step(&self, programs: &[Vec<Call>; 3], own: usize) -> Vec<Self> {
        let thread = &self.threads[own];
        match thread.mode {
            Mode::Ended => Vec::new(),
            Mode::Waits(woken) => {
                let returns =
                    |ends| self.after(|next| next.threads[own].mode = Mode::Returns { ends });
                let mut all = returns(false);
                if thread.is_cancelled() {
                    let ended = returns(true);
                    // Who is cancelled uses no signal.
                    all.extend(ended.into_iter().flat_map(|next| match woken {
                        Woken::BySignal => next.signalled(),
                        Woken::Not | Woken::WithAll => vec![next],
                    }));
                }
                all
            }
            Mode::Returns { ends } => self.lock(own, |next| match ends {
                true => next.threads[own].mode = Mode::Ended,
                false if programs[own][next.threads[own].next] == Call::WaitForFlag => {
                    next.threads[own].mode = Mode::Begins;
                }
                false => next.threads[own].go_on(),
            }),
            Mode::Begins | Mode::HasBegun => match programs[own].get(thread.next) {
                // These may act upon a request, and need not.
                Some(&call @ (Call::Read | Call::Write)) => {
                    let mut all = self.call(own, call, false);
                    all.extend(self.cancelled(own));
                    all
                }
                Some(&call) => self.call(own, call, thread.mode == Mode::HasBegun),
                None => self.after(|next| next.threads[own].mode = Mode::Ended),
            },
        }
    }

    fn lock(&self, own: usize, then: impl FnOnce(&mut Self)) -> Vec<Self> {
        match self.holder {
            Some(_) => Vec::new(),
            None => self.after(|next| {
                next.holder = Some(own);
                then(next);
            }),
        }
    }

    fn call(&self, own: usize, call: Call, has_begun: bool) -> Vec<Self> {
        let thread = &self.threads[own];
        let and_go_on = |change: fn(&mut Self, usize)| {
            self.after(|next| {
                change(next, own);
                next.threads[own].go_on();
            })
        };
        match call {
            Call::Lock => self.lock(own, |next| next.threads[own].go_on()),
            Call::Unlock => and_go_on(|next, _| next.holder = None),
            Call::WaitForFlag if self.flag => and_go_on(|_, _| ()),
            Call::Wait | Call::WaitForFlag => {
                let mut all = self.cancelled(own);
                all.extend(self.after(|next| {
                    next.threads[own].mode = Mode::Waits(Woken::Not);
                    next.holder = None;
                }));
                all
            }
            Call::Signal => {
                let signalled = self.clone().signalled().into_iter();
                let gone_on = |next: Self| next.after(|next| next.threads[own].go_on());
                signalled.flat_map(gone_on).collect()
            }
            Call::Broadcast => and_go_on(|next, _| {
                for thread in &mut next.threads {
                    if let Mode::Waits(woken) = &mut thread.mode {
                        *woken = Woken::WithAll;
                    }
                }
            }),
            Call::SetFlag => and_go_on(|next, _| next.flag = true),
            Call::Post => and_go_on(|next, _| next.posts += 1),
            Call::WaitForPost if !has_begun => match thread.is_cancelled() {
                true => self.cancelled(own),
                false => self.after(|next| next.threads[own].mode = Mode::HasBegun),
            },
            Call::WaitForPost => {
                let mut all = self.cancelled(own);
                if self.posts > 0 {
                    all.extend(and_go_on(|next, _| next.posts -= 1));
                }
                all
            }
            Call::Write if self.writer.is_none() && self.readers == [0; 3] => {
                and_go_on(|next, own| next.writer = Some(own))
            }
            Call::Read if self.writer.is_none() => and_go_on(|next, own| next.readers[own] += 1),
            // A thread that holds the lock for writing is told so, and gives it back too early.
            Call::Write | Call::Read if self.writer == Some(own) => and_go_on(|_, _| ()),
            Call::Write | Call::Read => Vec::new(),
            Call::EndWrite | Call::EndRead if self.writer == Some(own) => {
                and_go_on(|next, _| next.writer = None)
            }
            Call::EndWrite | Call::EndRead => {
                and_go_on(|next, own| next.readers[own] = next.readers[own].saturating_sub(1))
            }
            Call::Join(target) if !has_begun => {
                let is_joined = self.joined[target];
                self.after(|next| {
                    next.joined[target] = true;
                    match is_joined {
                        true => next.threads[own].go_on(),
                        false => next.threads[own].mode = Mode::HasBegun,
                    }
                })
            }
            Call::Join(target) => {
                let mut all = self.cancelled(own);
                // A thread that joins itself is told so.
                if target == own || self.threads[target].mode == Mode::Ended {
                    all.extend(and_go_on(|_, _| ()));
                }
                all
            }
            Call::Cancel(target) => self.after(|next| {
                next.threads[target].requested = true;
                next.threads[own].go_on();
            }),
            Call::TurnCancellationOff => {
                and_go_on(|next, own| next.threads[own].cancellation_off = true)
            }
            Call::Spin => vec![self.clone()],
        }
    }

    /// Whether a thread waits as long as no other one does anything: a spurious wake-up does not count. With the threads of which one has to go
    /// on first.
    fn waits(&self, programs: &[Vec<Call>; 3], own: usize) -> Option<Vec<usize>> {
        let thread = &self.threads[own];
        match thread.mode {
            Mode::Waits(woken) => (woken == Woken::Not && !thread.is_cancelled()).then(Vec::new),
            Mode::Ended => None,
            Mode::Returns { .. } => self.holder.map(|holder| vec![holder]),
            Mode::Begins | Mode::HasBegun => {
                let &call = programs[own].get(thread.next)?;
                let after = self.call(own, call, thread.mode == Mode::HasBegun);
                after.is_empty().then(|| self.holders(call))
            }
        }
    }

    /// The threads of which one has to go on before one that waits in this call.
    fn holders(&self, call: Call) -> Vec<usize> {
        if let Call::Join(target) = call {
            vec![target]
        } else if matches!(call, Call::Read | Call::Write) {
            let reads = |&thread: &usize| self.readers[thread] != 0;
            (0..3).filter(reads).chain(self.writer).collect()
        } else {
            let is_for_mutex = call == Call::Lock;
            self.holder.filter(|_| is_for_mutex).into_iter().collect()
        }
    }

    fn is_deadlock(&self, programs: &[Vec<Call>; 3]) -> bool {
        let has_ended = |thread: usize| self.threads[thread].mode == Mode::Ended;
        let waits: Vec<_> = (0..3).map(|thread| self.waits(programs, thread)).collect();
        let holders = |thread: usize| waits[thread].clone().unwrap_or_default();
        let mut left = (0..3).filter(|&thread| !has_ended(thread)).peekable();
        let all = left.peek().is_some() && left.all(|thread| waits[thread].is_some());
        // Whoever can be reached from a thread by waiting for each other.
        let reached = |thread: usize| {
            let mut reached = holders(thread);
            for _ in 0..3 {
                let more: Vec<usize> = reached.iter().copied().flat_map(holders).collect();
                reached.extend(more);
            }
            reached
        };
        let is_stuck = |thread: usize| {
            let mut reached = reached(thread).into_iter();
            reached.any(|other| other == thread || has_ended(other))
        };
        all || (0..3).any(is_stuck)
    }
}

/// Whether a state is reachable that is a deadlock.
fn has_deadlock(programs: &[Vec<Call>; 3]) -> bool {
    let mut seen = HashSet::new();
    let mut pending = vec![State::initial()];
    while let Some(state) = pending.pop() {
        if state.is_deadlock(programs) {
            return true;
        }
        if seen.insert(state.clone()) {
            pending.extend((0..3).flat_map(|thread| state.step(programs, thread)));
        }
    }
    false
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn deadlocks_are_those_of_posix(first in thread(), second in thread(), main in thread()) {
        let programs = [first, second, main];
        let text = text(&programs);
        let found = finds_deadlock(&text);
        prop_assume!(found.is_some());
        prop_assert_eq!(found, Some(has_deadlock(&programs)), "{}", text);
    }
}

#[test]
fn some_random_programs_wait_for_good() {
    let mut runner = TestRunner::deterministic();
    let mut numbers = [0, 0];
    for _ in 0..60 {
        let tree = (thread(), thread(), thread()).new_tree(&mut runner);
        let (first, second, main) = tree.expect("there are programs").current();
        if let Some(found) = finds_deadlock(&text(&[first, second, main])) {
            numbers[usize::from(found)] += 1;
        }
    }
    assert!(numbers.iter().all(|&number| number >= 10), "{numbers:?}");
}
