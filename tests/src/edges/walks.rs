//! Random sequences of calls on one synchronisation object by one thread, with the result of every call.

use std::fmt::Write as _;

use super::part::{Meaning, Part};
use super::rules::{BUSY, Object, State};
use crate::numbers::Numbers;

/// What a sequence of calls does wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The object is used before it is initialised.
    Uninitialised,
    /// The object is used or destroyed after it was destroyed.
    Destroyed,
    /// The object is destroyed while it is held.
    DestroyedHeld,
    /// The object is unlocked although no thread holds it.
    FreeUnlocked,
    /// The object is initialised while it is held.
    InitialisedHeld,
    /// A call is expected to return what it does not.
    Result,
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
    // Zero bytes, which static objects start with, are what the static initialisers of the other types are made of.
    let zero_counts = !matches!(
        object,
        Object::SpinLock | Object::Semaphore | Object::Barrier
    );
    let place = if zero_counts && flaw == Flaw::Uninitialised {
        1 + numbers.below(2)
    } else {
        numbers.below(3)
    };
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
    let (declarations, before, address) = match place {
        0 => (format!("static {kind} object@;"), String::new(), "&object@"),
        1 => (String::new(), format!("    {kind} object;\n"), "&object"),
        _ => (
            String::new(),
            format!("    {kind} *object = malloc(sizeof *object);\n"),
            "object",
        ),
    };
    let body = format!("{before}{body}");
    // The GNU library defines this for mutexes, and POSIX leaves it open.
    let left_open = matches!(flaw, Flaw::DestroyedHeld);
    let part = if broken && left_open && kind == "pthread_mutex_t" {
        Part::open(&declarations, &body)
    } else {
        Part::new(broken, &declarations, &body)
    };
    debug_assert!(broken || part.meaning == Meaning::Right);
    part.with("OBJECT", address)
}
