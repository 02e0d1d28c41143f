//! Locksets: the mutexes that a thread certainly holds at each location, by object and by symbolic address.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use cranelift_entity::PrimaryMap;
use program::dataflow::Liveness;
use program::model::{
    Comparison, DataModel, Edge, EdgeId, GlobalId, LocationId, MutexOperation, ObjectId, Operand,
    Operation, RegisterId, Statement,
};
use program::points_to::Offsets;

use crate::byte_range::ByteRange;
use crate::context::Context;
use crate::dataflow::{FlowFacts, ForwardAnalysis, solve};
use crate::footprint::{Footprint, Footprints, Target};
use crate::mhp::Mhp;
use crate::occurrence::Occurrence;
use crate::stable_globals::{cell_read, stable_globals};
use crate::symbolic_addresses::{SymbolicAddress, SymbolicAddresses};

/// A mutex: the place of its first byte.
pub(crate) type Mutex = (ObjectId, u32);

/// The bytes of a mutex.
pub(crate) fn mutex_target(data_model: DataModel, (object, offset): Mutex) -> Target {
    Target::Object(
        object,
        ByteRange {
            offsets: Offsets::Exact(offset),
            size: data_model.mutex().size,
        },
    )
}

/// What a thread knows about its mutexes at a location.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Held {
    /// It holds these.
    mutexes: BTreeSet<Mutex>,
    /// It holds the mutexes at these addresses, which it took at one of these statements.
    addresses: BTreeMap<SymbolicAddress, BTreeSet<EdgeId>>,
    /// What its registers hold.
    symbols: SymbolicAddresses,
    /// It holds the mutex if the register, the result of trying to take it, is 0.
    tried: BTreeMap<RegisterId, Mutex>,
    /// It holds the mutex if the register, a comparison of such a result, has this value.
    decided: BTreeMap<RegisterId, (Mutex, bool)>,
}

/// The mutexes that are held, per thread and location.
///
/// That a thread holds a mutex is true only of mutexes that no other thread releases or overwrites meanwhile; see
/// [`crate::locking_discipline`]. Recursive mutexes count as free after the first release.
pub(crate) struct Locksets(PrimaryMap<InstanceId, FlowFacts<Held>>);

impl Locksets {
    pub fn new(context: &Context, footprints: &Footprints, mhp: &Mhp) -> Self {
        let solve_for = |instance| {
            let flow = Holding {
                context,
                footprints,
                instance,
                live: Liveness::new(context.template(instance)),
                stable: stable_globals(context, footprints, mhp, instance),
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

    /// The addresses of the mutexes that a thread holds at a location, and where it may have taken each.
    pub fn addresses(
        &self,
        instance: InstanceId,
        location: LocationId,
    ) -> impl Iterator<Item = (SymbolicAddress, &BTreeSet<EdgeId>)> + '_ {
        let held = self.0[instance][location].iter();
        held.flat_map(|held| {
            held.addresses
                .iter()
                .map(|(&symbol, edges)| (symbol, edges))
        })
    }

    /// What the registers of a thread hold at a location; nothing at a location that no run reaches.
    pub fn symbols(
        &self,
        instance: InstanceId,
        location: LocationId,
    ) -> Option<&SymbolicAddresses> {
        self.0[instance][location]
            .as_ref()
            .map(|held| &held.symbols)
    }

    /// Where a thread may have taken the mutex at an address, if it holds that at a location.
    pub fn taken(
        &self,
        instance: InstanceId,
        location: LocationId,
        address: Operand,
    ) -> Option<&BTreeSet<EdgeId>> {
        let held = self.0[instance][location].as_ref()?;
        held.addresses.get(&held.symbols.of(address))
    }
}

/// The analysis of one thread.
struct Holding<'a> {
    context: &'a Context<'a>,
    footprints: &'a Footprints,
    instance: InstanceId,
    /// Of other registers it does not matter what they hold.
    live: Liveness,
    /// The variables that hold the same until this thread writes them.
    stable: BTreeSet<(GlobalId, u32)>,
}

impl ForwardAnalysis for Holding<'_> {
    type Fact = Held;

    fn transfer(&self, id: EdgeId, edge: &Edge, before: &Held) -> Held {
        let mut after = before.clone();
        for footprint in self.footprints_of(id) {
            if footprint.kind.writes_data() {
                self.lose(&mut after, footprint.target);
            }
        }
        self.operate(id, &edge.statement, &mut after);
        self.forget_addresses(&mut after, id, &edge.statement);
        after.decide(&edge.statement);
        edge.statement.for_each_definition(|register| {
            after.tried.remove(&register);
            after.decided.remove(&register);
        });
        after.symbols.keep(self.live.at(edge.target));
        after.compare(&edge.statement);
        if let Some((register, mutex)) = self.tried(&edge.statement) {
            after.tried.insert(register, mutex);
        }
        after
    }

    fn merge(&self, fact: &mut Held, other: &Held) {
        fact.mutexes = fact.mutexes.intersection(&other.mutexes).copied().collect();
        fact.tried
            .retain(|register, mutex| other.tried.get(register) == Some(mutex));
        fact.decided
            .retain(|register, decision| other.decided.get(register) == Some(decision));
        fact.symbols.meet(&other.symbols);
        fact.addresses.retain(|symbol, edges| {
            let others = other.addresses.get(symbol);
            edges.extend(others.into_iter().flatten());
            others.is_some()
        });
    }
}

impl Holding<'_> {
    fn footprints_of(&self, edge: EdgeId) -> &[Footprint] {
        self.footprints.of(Occurrence {
            instance: self.instance,
            edge,
        })
    }

    /// The effect of an operation on a mutex.
    fn operate(&self, id: EdgeId, statement: &Statement, held: &mut Held) {
        let Statement::Mutex {
            operation, mutex, ..
        } = *statement
        else {
            return;
        };
        match operation {
            MutexOperation::Lock => {
                let target = self.context.definite_target(self.instance, mutex);
                held.mutexes.extend(target);
                let symbol = held.symbols.of(mutex);
                held.addresses.insert(symbol, BTreeSet::from([id]));
            }
            MutexOperation::TryLock if !self.context.rules.try_lock_may_fail => {
                let target = self.context.definite_target(self.instance, mutex);
                held.mutexes.extend(target);
            }
            MutexOperation::TryLock => {}
            MutexOperation::Unlock => {
                for footprint in self.footprints_of(id) {
                    self.lose(held, footprint.target);
                }
            }
        }
    }

    /// The result of trying to take a certain mutex.
    fn tried(&self, statement: &Statement) -> Option<(RegisterId, Mutex)> {
        if let Statement::Mutex {
            operation: MutexOperation::TryLock,
            register,
            mutex,
        } = *statement
        {
            let target = self.context.definite_target(self.instance, mutex)?;
            Some((register, target))
        } else {
            None
        }
    }

    /// Forgets every mutex that may have bytes in `target`.
    fn lose(&self, held: &mut Held, target: Target) {
        let data_model = self.context.program.data_model;
        let stays = |mutex: Mutex| !mutex_target(data_model, mutex).overlaps(target);
        held.mutexes.retain(|&mutex| stays(mutex));
        held.tried.retain(|_, &mut mutex| stays(mutex));
        held.decided.retain(|_, &mut (mutex, _)| stays(mutex));
        held.addresses.retain(|_, taken| {
            let mut footprints = taken.iter().flat_map(|&edge| self.footprints_of(edge));
            footprints.all(|footprint| !footprint.target.overlaps(target))
        });
    }

    /// Follows what registers hold, and forgets the addresses that are made of what the statement changes.
    fn forget_addresses(&self, held: &mut Held, id: EdgeId, statement: &Statement) {
        let is_written = |global: GlobalId, at: u32| {
            let cell = cell_read(self.context, self.instance, (global, at));
            let mut footprints = self.footprints_of(id).iter();
            footprints
                .any(|footprint| footprint.kind.writes() && footprint.target.overlaps(cell.target))
        };
        held.symbols.execute(
            self.context.program.data_model,
            statement,
            is_written,
            |global, at| self.stable.contains(&(global, at)),
        );
        held.addresses
            .retain(|symbol, _| symbol.survives(statement, is_written));
    }
}

impl Held {
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
