//! Which registers hold the same address, whatever it is.

use std::collections::BTreeMap;

use program::model::{GlobalId, Operand, Place, Pointer, RegisterId, Statement};
use program::touches::moved;

/// An address: what a register, a variable or a constant holds, and a distance in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Symbol {
    pub pointer: Pointer,
    pub offset: u64,
}

impl Symbol {
    fn operand(operand: Operand) -> Self {
        if let Operand::Address(place, offset) = operand {
            let pointer = Pointer::Operand(Operand::Address(place, 0));
            let offset = offset.into();
            Self { pointer, offset }
        } else {
            Self {
                pointer: Pointer::Operand(operand),
                offset: 0,
            }
        }
    }

    /// The variable that the address comes from.
    pub fn cell(self) -> Option<(GlobalId, u32)> {
        if let Pointer::Cell(global, at) = self.pointer {
            Some((global, at))
        } else {
            None
        }
    }

    /// Whether the address comes from what the register holds.
    pub fn is_of(self, register: RegisterId) -> bool {
        self.pointer == Pointer::Operand(Operand::Register(register))
    }
}

/// What the registers of a thread hold at a location, where that is a distance from something else.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbols(BTreeMap<RegisterId, Symbol>);

impl Symbols {
    /// What an operand is.
    pub fn of(&self, operand: Operand) -> Symbol {
        let known = match operand {
            Operand::Register(register) => self.0.get(&register).copied(),
            Operand::Constant(_) | Operand::Address(..) => None,
        };
        known.unwrap_or_else(|| Symbol::operand(operand))
    }

    /// Follows a statement. `is_stable` says of which variables no other thread changes what they hold.
    pub fn execute(&mut self, statement: &Statement, is_stable: impl Fn(GlobalId, u32) -> bool) {
        let mut written = Vec::new();
        statement.for_each_definition(|register| written.push(register));
        let mut values = self.values(statement, is_stable);
        let survives = |symbol: &Symbol| !written.iter().any(|&register| symbol.is_of(register));
        values.retain(|(_, symbol)| survives(symbol));
        self.0
            .retain(|register, symbol| !written.contains(register) && survives(symbol));
        self.0.extend(values);
    }

    /// What a statement gives registers.
    fn values(
        &self,
        statement: &Statement,
        is_stable: impl Fn(GlobalId, u32) -> bool,
    ) -> Vec<(RegisterId, Symbol)> {
        if let Statement::Parallel(moves) = statement {
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
            moved(operation).map(|(operand, distance)| {
                let Symbol { pointer, offset } = self.of(operand);
                let offset = offset.wrapping_add(distance);
                (*register, Symbol { pointer, offset })
            })
        } else if let Statement::Load {
            register,
            address: Operand::Address(Place::Global(global), at),
            ..
        } = *statement
            && is_stable(global, at)
        {
            let pointer = Pointer::Cell(global, at);
            Some((register, Symbol { pointer, offset: 0 }))
        } else {
            None
        };
        value.into_iter().collect()
    }

    /// Forgets what comes from variables that were written.
    pub fn forget(&mut self, is_written: impl Fn(GlobalId, u32) -> bool) {
        self.0.retain(|_, symbol| {
            symbol
                .cell()
                .is_none_or(|(global, at)| !is_written(global, at))
        });
    }

    /// Keeps what holds in both.
    pub fn meet(&mut self, other: &Self) {
        self.0
            .retain(|register, symbol| other.0.get(register) == Some(symbol));
    }
}
