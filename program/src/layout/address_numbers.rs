//! The operands of an operation that are converted to machine numbers, and the conditions under which they are not.

use super::coincidence::Distinctness;
use crate::address_arithmetic::AddressResult;
use crate::model::{Agreement, Operand};

/// The operands that become numbers, unless machines agree.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct AddressNumbers {
    pub(super) of: Vec<(Operand, Agreement)>,
    /// When two of them that are ordered cannot be equal if the addresses are not, because they are inside of their objects.
    /// Objects that lie in one place are then ordered as in the model.
    pub(super) are_distinct: Distinctness,
    /// Whether the base of an address becomes a number where it and the distance are not both near an object.
    pub(super) moves: bool,
    /// Whether they say that a variable of another thread is alive. That must not change before they are compared.
    pub(super) look_elsewhere: bool,
}

impl AddressNumbers {
    /// The numbers of these operands that are part of an operation.
    pub(super) fn new(operands: [Operand; 2], meaning: AddressResult) -> Self {
        let sides = match meaning {
            AddressResult::Moved(..) | AddressResult::Exact => [None; 2],
            AddressResult::Computed(sides) => sides,
        };
        let both = operands.into_iter().zip(sides);
        let mut of: Vec<_> = both
            .filter_map(|(operand, agreement)| Some((operand, agreement?)))
            .collect();
        of.dedup();
        Self {
            of,
            ..Self::default()
        }
    }

    /// All of both.
    pub(super) fn join(mut self, other: Self) -> Self {
        self.are_distinct = self.are_distinct.min(other.are_distinct);
        self.moves |= other.moves;
        self.look_elsewhere |= other.look_elsewhere;
        for (operand, agreement) in other.of {
            match self.of.iter_mut().find(|(known, _)| *known == operand) {
                Some((_, known)) if *known != agreement => *known = Agreement::Never,
                Some(_) => {}
                None => self.of.push((operand, agreement)),
            }
        }
        self
    }
}
