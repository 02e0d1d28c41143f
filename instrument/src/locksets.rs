//! Which mutexes a thread certainly holds at each location.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use cranelift_entity::PrimaryMap;
use program::model::{
    Comparison, Edge, EdgeId, LocationId, MutexOperation, ObjectId, Operand, Operation, RegisterId,
    Statement,
};
use program::points_to::Offsets;

use crate::access::{Accesses, Occurrence, Target};
use crate::context::Context;
use crate::flow::{Facts, Flow, solve};
use crate::range::Range;

/// A mutex: the place of its first byte.
pub(crate) type Mutex = (ObjectId, u32);

/// The bytes of a mutex.
pub(crate) fn mutex_target((object, offset): Mutex) -> Target {
    Target::Object(
        object,
        Range {
            offsets: Offsets::Exact(offset),
            size: abi::mutex::SIZE,
        },
    )
}

/// What a thread knows about its mutexes at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    /// It holds these.
    mutexes: BTreeSet<Mutex>,
    /// It holds the mutex if the register, the result of trying to take it, is 0.
    tried: BTreeMap<RegisterId, Mutex>,
    /// It holds the mutex if the register, a comparison of such a result, has this value.
    decided: BTreeMap<RegisterId, (Mutex, bool)>,
}

/// The mutexes that are held, per thread and location.
///
/// That a thread holds a mutex is true only of mutexes that nobody else releases or overwrites meanwhile; see
/// [`crate::discipline`]. Recursive mutexes count as free after the first release.
pub(crate) struct Locksets(PrimaryMap<InstanceId, Facts<Held>>);

impl Locksets {
    pub fn new(context: &Context, accesses: &Accesses) -> Self {
        let solve_for = |instance| {
            let flow = Holding {
                context,
                accesses,
                instance,
            };
            solve(
                context.template(instance),
                &context.graph(instance).outgoing,
                Held::default(),
                &flow,
            )
        };
        Self(context.instances.threads.keys().map(solve_for).collect())
    }

    /// The mutexes that a thread holds at a location.
    pub fn held(
        &self,
        instance: InstanceId,
        location: LocationId,
    ) -> impl Iterator<Item = Mutex> + '_ {
        self.0[instance][location]
            .iter()
            .flat_map(|held| held.mutexes.iter().copied())
    }

    /// Whether a thread holds a mutex at a location.
    pub fn holds(&self, instance: InstanceId, location: LocationId, mutex: Mutex) -> bool {
        self.0[instance][location]
            .as_ref()
            .is_some_and(|held| held.mutexes.contains(&mutex))
    }
}

/// The analysis of one thread.
struct Holding<'a> {
    context: &'a Context<'a>,
    accesses: &'a Accesses,
    instance: InstanceId,
}

impl Flow for Holding<'_> {
    type Fact = Held;

    fn transfer(&self, id: EdgeId, edge: &Edge, before: &Held) -> Held {
        let mut after = before.clone();
        for access in self.accesses.of(Occurrence {
            instance: self.instance,
            edge: id,
        }) {
            if access.kind.writes_data() {
                after.lose(access.target);
            }
        }
        after.decide(&edge.statement);
        edge.statement.for_each_definition(|register| {
            after.tried.remove(&register);
            after.decided.remove(&register);
        });
        after.compare(&edge.statement);
        self.operate(&edge.statement, &mut after);
        after
    }

    fn merge(&self, fact: &mut Held, other: &Held) {
        fact.mutexes = fact.mutexes.intersection(&other.mutexes).copied().collect();
        fact.tried
            .retain(|register, mutex| other.tried.get(register) == Some(mutex));
        fact.decided
            .retain(|register, decision| other.decided.get(register) == Some(decision));
    }
}

impl Holding<'_> {
    /// The effect of an operation on a mutex.
    fn operate(&self, statement: &Statement, held: &mut Held) {
        let Statement::Mutex {
            operation,
            register,
            mutex,
        } = *statement
        else {
            return;
        };
        let target = self.context.definite_target(self.instance, mutex);
        match (operation, target) {
            (MutexOperation::Lock, Some(mutex)) => {
                held.mutexes.insert(mutex);
            }
            (MutexOperation::TryLock, Some(mutex)) if !self.context.rules.try_lock_may_fail => {
                held.mutexes.insert(mutex);
            }
            (MutexOperation::TryLock, Some(mutex)) => {
                held.tried.insert(register, mutex);
            }
            (MutexOperation::Unlock, Some(mutex)) => held.lose(mutex_target(mutex)),
            (MutexOperation::Unlock, None) => *held = Held::default(),
            (MutexOperation::Lock | MutexOperation::TryLock, None) => {}
        }
    }
}

impl Held {
    /// Forgets every mutex that has bytes in `target`.
    fn lose(&mut self, target: Target) {
        let stays = |mutex: Mutex| !mutex_target(mutex).overlaps(target);
        self.mutexes.retain(|&mutex| stays(mutex));
        self.tried.retain(|_, &mut mutex| stays(mutex));
        self.decided.retain(|_, &mut (mutex, _)| stays(mutex));
    }

    /// Learns from a guard whether trying succeeded.
    fn decide(&mut self, statement: &Statement) {
        if let Statement::Guard {
            condition: Operand::Register(condition),
            holds,
        } = statement
            && let Some(&(mutex, success)) = self.decided.get(condition)
            && success == *holds
        {
            self.mutexes.insert(mutex);
        }
    }

    /// Follows the comparison of a result with 0.
    fn compare(&mut self, statement: &Statement) {
        if let Statement::Assign {
            register,
            operation: Operation::Compare(comparison, left, right),
        } = statement
            && let Some(result) = compared_with_zero(*left, *right)
            && let Some(&mutex) = self.tried.get(&result)
        {
            match comparison {
                Comparison::Equal => self.decided.insert(*register, (mutex, true)),
                Comparison::NotEqual => self.decided.insert(*register, (mutex, false)),
                Comparison::UnsignedLess
                | Comparison::UnsignedLessEqual
                | Comparison::SignedLess
                | Comparison::SignedLessEqual => None,
            };
        }
    }
}

fn compared_with_zero(left: Operand, right: Operand) -> Option<RegisterId> {
    match (left, right) {
        (Operand::Register(register), Operand::Constant(bits))
        | (Operand::Constant(bits), Operand::Register(register))
            if bits.value == 0 =>
        {
            Some(register)
        }
        (Operand::Register(_) | Operand::Constant(_) | Operand::Address(..), _) => None,
    }
}
