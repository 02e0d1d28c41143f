//! Which registers statements read and write, and which are live where.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::model::{
    ConflictTest, LocalId, LocationId, Operand, Operation, RegisterId, Statement, Template,
};

impl Template {
    /// The width of an operand in bits.
    pub fn width(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.registers[register].width,
            Operand::Constant(bits) => bits.width,
            Operand::Address(..) => 64,
        }
    }
}

impl Template {
    /// Whether an operand is a register to which only [`Statement::SelfHandle`] gives a value.
    pub fn is_own_handle(&self, operand: Operand) -> bool {
        let Operand::Register(register) = operand else {
            return false;
        };
        // A parameter has a value that no statement gives it.
        !self.parameters.contains(&register)
            && self.edges.values().all(|edge| {
                let mut defines = false;
                edge.statement
                    .for_each_definition(|defined| defines |= defined == register);
                !defines || matches!(edge.statement, Statement::SelfHandle { .. })
            })
    }
}

impl Operation {
    /// Calls `f` with every operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Self::Copy(a) | Self::Cast(_, a) => f(*a),
            Self::Binary(_, a, b) | Self::Compare(_, a, b) => [*a, *b].into_iter().for_each(f),
            Self::Select(a, b, c) => [*a, *b, *c].into_iter().for_each(f),
            Self::Offset { base, indices, .. } => {
                f(*base);
                indices.iter().for_each(|(index, _)| f(*index));
            }
        }
    }
}

impl ConflictTest {
    /// The address whose accesses or content are tested, if it is that of one.
    pub fn address(&self) -> Option<Operand> {
        match self {
            Self::CanReach(_) | Self::Unstarted(_) => None,
            Self::MayAlias { address, .. }
            | Self::MayLockOther { address, .. }
            | Self::CellHolds { address, .. } => Some(*address),
        }
    }
}

impl Statement {
    /// Calls `f` with every operand that is read.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Self::Skip
            | Self::Havoc { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::SelfHandle { .. }
            | Self::SelfNumber { .. }
            | Self::AtomicBegin
            | Self::AtomicEnd => {}
            Self::TestConflicts { known, tests, .. } => {
                f(*known);
                tests.iter().filter_map(ConflictTest::address).for_each(f)
            }
            Self::Guard { condition, .. } => f(*condition),
            Self::Assign { operation, .. } => operation.for_each_operand(f),
            Self::ParallelAssign(moves) => moves.iter().for_each(|(_, value)| f(*value)),
            Self::Load { address, .. }
            | Self::Free { address, .. }
            | Self::Size { address, .. } => f(*address),
            Self::Store { value, address, .. } => [*value, *address].into_iter().for_each(f),
            Self::AtomicRmw {
                address, operand, ..
            } => [*address, *operand].into_iter().for_each(f),
            Self::CompareExchange {
                address,
                expected,
                desired,
                ..
            } => {
                [*address, *expected, *desired].into_iter().for_each(f);
            }
            Self::Allocate { size, .. } => f(*size),
            Self::Create {
                start, argument, ..
            } => [*start, *argument].into_iter().for_each(f),
            Self::Join { thread, value, .. } => [*thread, *value].into_iter().for_each(f),
            Self::Detach { thread } => f(*thread),
            Self::Mutex { mutex, .. } => f(*mutex),
            Self::Number {
                address, unless, ..
            } => {
                f(*address);
                unless.operand().into_iter().for_each(f);
            }
            Self::Return { value } => value.iter().for_each(|value| f(*value)),
        }
    }

    /// Calls `f` with every register that is read.
    pub fn for_each_use(&self, mut f: impl FnMut(RegisterId)) {
        self.for_each_operand(|operand| {
            if let Operand::Register(register) = operand {
                f(register);
            }
        });
    }

    /// Calls `f` with every register that is written.
    pub fn for_each_definition(&self, mut f: impl FnMut(RegisterId)) {
        match self {
            Self::Skip
            | Self::Guard { .. }
            | Self::Store { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::Free { .. }
            | Self::Detach { .. }
            | Self::AtomicBegin
            | Self::AtomicEnd
            | Self::Return { .. } => {}
            Self::ParallelAssign(moves) => moves.iter().for_each(|(register, _)| f(*register)),
            Self::CompareExchange {
                register, success, ..
            } => {
                f(*register);
                f(*success);
            }
            Self::Assign { register, .. }
            | Self::Havoc { register, .. }
            | Self::Load { register, .. }
            | Self::AtomicRmw { register, .. }
            | Self::Allocate { register, .. }
            | Self::Size { register, .. }
            | Self::Create { register, .. }
            | Self::Join { register, .. }
            | Self::SelfHandle { register }
            | Self::SelfNumber { register }
            | Self::Number { register, .. }
            | Self::TestConflicts { register, .. }
            | Self::Mutex { register, .. } => f(*register),
        }
    }

    /// The locals whose lifetimes it starts or ends.
    pub fn lifetimes(&self) -> &[LocalId] {
        if let Self::LifetimeStart { local } = self {
            std::slice::from_ref(local)
        } else if let Self::LifetimeEnd { locals } = self {
            locals
        } else {
            &[]
        }
    }

    /// Whether it reads and writes nothing but registers of the executing thread.
    pub fn is_private(&self) -> bool {
        match self {
            Self::Skip
            | Self::Guard { .. }
            | Self::Assign { .. }
            | Self::ParallelAssign(_)
            | Self::Havoc { .. }
            | Self::SelfHandle { .. }
            | Self::SelfNumber { .. }
            | Self::TestConflicts { .. } => true,
            Self::Load { .. }
            | Self::Store { .. }
            | Self::AtomicRmw { .. }
            | Self::CompareExchange { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::Allocate { .. }
            | Self::Free { .. }
            | Self::Size { .. }
            | Self::Create { .. }
            | Self::Join { .. }
            | Self::Detach { .. }
            | Self::Number { .. }
            | Self::Mutex { .. }
            | Self::AtomicBegin
            | Self::AtomicEnd
            | Self::Return { .. } => false,
        }
    }
}

/// The registers of a template that are live at its locations: read on some path before they are written.
#[derive(Clone, Debug)]
pub struct Liveness(SecondaryMap<LocationId, Vec<RegisterId>>);

impl Liveness {
    /// Computes the least solution backwards along the edges.
    pub fn new(template: &Template) -> Self {
        let mut live: SecondaryMap<LocationId, EntitySet<RegisterId>> = SecondaryMap::new();
        live.resize(template.locations.len());
        let mut incoming: SecondaryMap<LocationId, Vec<_>> = SecondaryMap::new();
        for (id, edge) in &template.edges {
            incoming[edge.target].push(id);
        }
        let mut pending: Vec<_> = template.edges.keys().collect();
        while let Some(id) = pending.pop() {
            let edge = &template.edges[id];
            let mut before = live[edge.target].clone();
            edge.statement.for_each_definition(|register| {
                before.remove(register);
            });
            edge.statement.for_each_use(|register| {
                before.insert(register);
            });
            let known = &mut live[edge.source];
            let new: Vec<_> = before
                .iter()
                .filter(|&register| !known.contains(register))
                .collect();
            if !new.is_empty() {
                known.extend(new);
                pending.extend(&incoming[edge.source]);
            }
        }
        let mut lists = SecondaryMap::with_default(Vec::new());
        lists.resize(template.locations.len());
        for location in template.locations.keys() {
            lists[location] = live[location].iter().collect();
        }
        Self(lists)
    }

    /// The live registers at a location, in ascending order.
    pub fn at(&self, location: LocationId) -> &[RegisterId] {
        &self.0[location]
    }
}
