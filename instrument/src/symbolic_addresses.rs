//! Symbolic addresses: registers that hold the same address, whatever it is.

use std::collections::BTreeMap;

use crate::future_accesses::moved;
use program::model::{AddressSource, DataModel, GlobalId, Operand, Place, RegisterId, Statement};

/// An address: what a register, a variable or a constant holds, and a distance in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SymbolicAddress {
    pub pointer: AddressSource,
    pub offset: u64,
}

impl SymbolicAddress {
    fn operand(operand: Operand) -> Self {
        if let Operand::Address(place, offset) = operand {
            let pointer = AddressSource::Operand(Operand::Address(place, 0));
            let offset = offset.into();
            Self { pointer, offset }
        } else {
            Self {
                pointer: AddressSource::Operand(operand),
                offset: 0,
            }
        }
    }

    /// The variable that the address comes from.
    pub fn cell(self) -> Option<(GlobalId, u32)> {
        if let AddressSource::Cell(global, at) = self.pointer {
            Some((global, at))
        } else {
            None
        }
    }

    /// Whether a statement changes nothing that the address is made of. `is_written` says which variables it may write.
    pub fn survives(
        self,
        statement: &Statement,
        is_written: impl Fn(GlobalId, u32) -> bool,
    ) -> bool {
        let mut changed = self
            .cell()
            .is_some_and(|(global, at)| is_written(global, at));
        statement.for_each_definition(|register| {
            changed |= self.pointer == AddressSource::Operand(Operand::Register(register));
        });
        !changed
    }
}

/// What the registers of a thread hold at a location, where that is a distance from something else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SymbolicAddresses(BTreeMap<RegisterId, SymbolicAddress>);

impl SymbolicAddresses {
    /// What an operand is.
    pub fn of(&self, operand: Operand) -> SymbolicAddress {
        let known = match operand {
            Operand::Register(register) => self.0.get(&register).copied(),
            Operand::Constant(_) | Operand::Address(..) => None,
        };
        known.unwrap_or_else(|| SymbolicAddress::operand(operand))
    }

    /// Follows a statement. `is_written` says which variables it may write, `is_stable` of which no other thread changes what
    /// they hold.
    pub fn execute(
        &mut self,
        data_model: DataModel,
        statement: &Statement,
        is_written: impl Fn(GlobalId, u32) -> bool,
        is_stable: impl Fn(GlobalId, u32) -> bool,
    ) {
        let mut values = self.values(data_model, statement, is_stable);
        statement.for_each_definition(|register| {
            self.0.remove(&register);
        });
        values.retain(|(_, symbol)| symbol.survives(statement, &is_written));
        self.0
            .retain(|_, symbol| symbol.survives(statement, &is_written));
        self.0.extend(values);
    }

    /// What a statement gives registers.
    fn values(
        &self,
        data_model: DataModel,
        statement: &Statement,
        is_stable: impl Fn(GlobalId, u32) -> bool,
    ) -> Vec<(RegisterId, SymbolicAddress)> {
        if let Statement::ParallelAssign(moves) = statement {
            let moves = moves.iter();
            return moves
                .map(|&(register, operand)| (register, self.of(operand)))
                .collect();
        }
        let value = if let Statement::Assign {
            register,
            operation,
        } = statement
        {
            moved(data_model, operation).map(|(operand, distance)| {
                let SymbolicAddress { pointer, offset } = self.of(operand);
                let offset = offset.wrapping_add(distance);
                (*register, SymbolicAddress { pointer, offset })
            })
        } else if let Statement::Load {
            register,
            address: Operand::Address(Place::Global(global), at),
            ..
        } = *statement
            && is_stable(global, at)
        {
            let pointer = AddressSource::Cell(global, at);
            Some((register, SymbolicAddress { pointer, offset: 0 }))
        } else {
            None
        };
        value.into_iter().collect()
    }

    /// Forgets all registers but these, which are in ascending order.
    pub fn keep(&mut self, registers: &[RegisterId]) {
        self.0
            .retain(|register, _| registers.binary_search(register).is_ok());
    }

    /// Keeps what holds in both.
    pub fn meet(&mut self, other: &Self) {
        self.0
            .retain(|register, symbol| other.0.get(register) == Some(symbol));
    }
}
