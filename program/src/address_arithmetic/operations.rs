//! The operations on addresses that have the same meaning on all machines.

use super::AddressSet;
use super::moves::is_far;
use crate::model::{
    Agreement, BinaryOperator, Bits, Cast, Comparison, DataModel, Instances, LOWEST, ObjectId,
    Operand,
};

/// What is known of an operand that is as wide as an address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Side {
    data_model: DataModel,
    operand: Operand,
    /// Whether it may be an address.
    is_address: bool,
    /// The only object that it may be an address of, if there is one and it is nothing else.
    only: Option<ObjectId>,
    /// Of the objects, the least.
    alignment: u128,
    /// Whether it may lie before the start of its object, or so far behind it that its number wraps around: then the number may be small or
    /// negative.
    is_before: bool,
    /// Whether it may have been moved already, by an unknown distance.
    is_far: bool,
    /// Whether it may be a number that is no address, such as null.
    may_be_small: bool,
    /// The largest number.
    bound: u128,
}

/// What an operation with addresses computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AddressResult {
    /// The address of this side, moved within its object.
    Moved(usize, Move),
    /// A number that does not depend on where objects lie.
    Exact,
    /// What depends on the number of the addresses on these sides, unless machines agree.
    Computed([Option<Agreement>; 2]),
}

/// How an address is moved. What is said of bits is about those below the alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Move {
    /// By so many bytes.
    By(i64),
    /// By an unknown distance.
    Anywhere,
    /// These bits are set.
    Tag(u32),
    /// Some bits are set or changed, none above those of this number.
    AnyTag(u32),
    /// These bits are cleared.
    Untag(u32),
}

impl Side {
    pub(crate) fn new(
        instances: &Instances,
        operand: Operand,
        set: &AddressSet,
        bound: u128,
        is_blind: bool,
    ) -> Self {
        let alignments = set
            .objects()
            .map(|object| instances.objects[object].alignment);
        let least = alignments.min().unwrap_or(1);
        let mut objects = set.objects();
        let first = objects
            .next()
            .filter(|_| !set.may_be_other() && !set.may_be_number());
        Self {
            data_model: instances.data_model,
            operand,
            is_address: set.may_be_address(is_blind),
            only: first.filter(|_| objects.next().is_none()),
            is_far: is_far(instances.data_model, set),
            may_be_small: set.may_be_small(),
            is_before: set.may_be_before() || set.may_wrap(instances),
            alignment: u128::from(if is_blind && set.may_be_other() {
                1
            } else {
                least
            })
            // Addresses of the model are aligned no more.
            .min(1 << instances.data_model.distance_bits()),
            bound,
        }
    }

    pub(crate) fn is_address(&self) -> bool {
        self.is_address
    }

    fn constant(self) -> Option<Bits> {
        match self.operand {
            Operand::Constant(bits) => Some(bits),
            Operand::Register(_) | Operand::Address(..) => None,
        }
    }

    fn is_small(self) -> bool {
        !self.is_address && (self.bound < LOWEST.into() || self.is_negative_below(LOWEST.into()))
    }

    /// Whether no object lies below this number.
    fn is_lower_bound(self) -> bool {
        !self.is_address && self.bound <= LOWEST.into()
    }

    fn is_negative_below(self, distance: u128) -> bool {
        self.constant()
            .is_some_and(|bits| bits.value > u128::from(self.data_model.mask()) - distance)
    }

    fn is_within(self, distance: u128) -> bool {
        self.bound < distance || self.is_negative_below(distance)
    }

    /// Whether a change of the lowest bits by no more than this is none that may lead into another object if it is repeated.
    fn keeps_object(self, change: u128) -> bool {
        !self.is_far || change < self.data_model.short().into()
    }

    /// Whether this number leads from a pointer to what is near the same object.
    fn is_near(self, pointer: Self) -> bool {
        let least = match pointer.is_far {
            true => self.data_model.short(),
            false => self.data_model.far(),
        };
        self.is_within(least.into())
    }
}

/// A binary operator on operands that are as wide as addresses.
pub(crate) fn binary(operator: BinaryOperator, left: Side, right: Side) -> AddressResult {
    let side = match (left.is_address, right.is_address) {
        (false, false) => return AddressResult::Exact,
        (true, true) => return on_two_addresses(operator, left, right),
        (true, false) => 0,
        (false, true) => 1,
    };
    let (pointer, number) = if side == 0 {
        (left, right)
    } else {
        (right, left)
    };
    let computed = |agreement| {
        let mut sides = [None; 2];
        sides[side] = Some(agreement);
        AddressResult::Computed(sides)
    };
    let only_if = |holds, meaning| {
        if holds {
            meaning
        } else {
            computed(Agreement::Never)
        }
    };
    match operator {
        BinaryOperator::Subtract if side == 1 => computed(Agreement::Never),
        BinaryOperator::Add | BinaryOperator::Subtract if !number.is_near(pointer) => {
            computed(Agreement::Near(number.operand))
        }
        BinaryOperator::Add | BinaryOperator::Subtract => {
            let distance = number.constant().map(|bits| bits.signed() as i64);
            let is_sum = operator == BinaryOperator::Add;
            let moved = distance.map(|distance| if is_sum { distance } else { -distance });
            AddressResult::Moved(side, moved.map_or(Move::Anywhere, Move::By))
        }
        BinaryOperator::And if number.bound < pointer.alignment => AddressResult::Exact,
        BinaryOperator::And => {
            let keeps = number.is_negative_below(pointer.alignment)
                && pointer.keeps_object(pointer.alignment - 1);
            let cleared = number.constant().map(|bits| !bits.value as u32);
            let moved = cleared.map_or(Move::Anywhere, Move::Untag);
            only_if(keeps, AddressResult::Moved(side, moved))
        }
        BinaryOperator::Or | BinaryOperator::Xor => {
            let is_known = operator == BinaryOperator::Or && number.constant().is_some();
            let tag = number.bound as u32;
            let moved = if is_known {
                Move::Tag(tag)
            } else {
                Move::AnyTag(tag)
            };
            only_if(
                number.bound < pointer.alignment && pointer.keeps_object(number.bound),
                AddressResult::Moved(side, moved),
            )
        }
        BinaryOperator::UnsignedRemainder | BinaryOperator::SignedRemainder => {
            let divides =
                |bits: Bits| bits.value.is_power_of_two() && bits.value <= pointer.alignment;
            let is_signless = !pointer.data_model.has_negative_addresses() && !pointer.is_before;
            let keeps_sign = operator == BinaryOperator::UnsignedRemainder || is_signless;
            only_if(
                side == 0 && keeps_sign && number.constant().is_some_and(divides),
                AddressResult::Exact,
            )
        }
        BinaryOperator::Multiply
        | BinaryOperator::UnsignedDivide
        | BinaryOperator::SignedDivide
        | BinaryOperator::ShiftLeft
        | BinaryOperator::LogicalShiftRight
        | BinaryOperator::ArithmeticShiftRight => computed(Agreement::Never),
    }
}

fn on_two_addresses(operator: BinaryOperator, left: Side, right: Side) -> AddressResult {
    if operator != BinaryOperator::Subtract {
        return AddressResult::Computed([Some(Agreement::Never); 2]);
    }
    // Of null and an address, the difference is the number of the address.
    if left.may_be_small || right.may_be_small {
        in_one_object(left, right)
    } else {
        on_one_object(left, right)
    }
}

/// What is exact if both sides are addresses in one object.
fn on_one_object(left: Side, right: Side) -> AddressResult {
    if left.only.is_some() && left.only == right.only {
        return AddressResult::Exact;
    }
    in_one_object(left, right)
}

/// What is exact if the run finds that both sides are addresses in one object, and not before its start.
fn in_one_object(left: Side, right: Side) -> AddressResult {
    let with = |side: Side| Some(Agreement::SameObject(side.operand));
    AddressResult::Computed([with(right), with(left)])
}

/// A comparison of operands that are as wide as addresses; `is_decided` tells whether machines agree on whether two addresses are equal.
pub(crate) fn compare(
    comparison: Comparison,
    [left, right]: [Side; 2],
    is_decided: bool,
) -> AddressResult {
    let with_number = |side: Side| match comparison {
        Comparison::Equal | Comparison::NotEqual => Agreement::Small(side.operand),
        Comparison::UnsignedLess
        | Comparison::UnsignedLessEqual
        | Comparison::SignedLess
        | Comparison::SignedLessEqual => Agreement::Never,
    };
    let distinct = |side: Side| Some(Agreement::Distinct(side.operand));
    let is_signed = matches!(
        comparison,
        Comparison::SignedLess | Comparison::SignedLessEqual
    );
    if is_signed && left.data_model.has_negative_addresses() {
        // An object may have addresses of both signs.
        return match [left, right].map(|side| side.is_address) {
            [false, false] => AddressResult::Exact,
            sides => AddressResult::Computed(sides.map(|is| is.then_some(Agreement::Never))),
        };
    }
    match (left.is_address, right.is_address, comparison) {
        (false, false, _) => AddressResult::Exact,
        (true, false, _) if right.is_small() && !left.is_before => AddressResult::Exact,
        (false, true, _) if left.is_small() && !right.is_before => AddressResult::Exact,
        (true, false, Comparison::UnsignedLess) if right.is_lower_bound() && !left.is_before => {
            AddressResult::Exact
        }
        (false, true, Comparison::UnsignedLessEqual)
            if left.is_lower_bound() && !right.is_before =>
        {
            AddressResult::Exact
        }
        (true, false, _) => AddressResult::Computed([Some(with_number(right)), None]),
        (false, true, _) => AddressResult::Computed([None, Some(with_number(left))]),
        (true, true, Comparison::Equal | Comparison::NotEqual) if is_decided => {
            AddressResult::Exact
        }
        (true, true, Comparison::Equal | Comparison::NotEqual) => {
            AddressResult::Computed([distinct(right), distinct(left)])
        }
        (true, true, _) if left.is_before || right.is_before => in_one_object(left, right),
        (true, true, _) => on_one_object(left, right),
    }
}

/// A change from the width of addresses to `width`.
pub(crate) fn cast(cast: Cast, operand: Side, width: u32) -> AddressResult {
    let keeps_tag = cast == Cast::Truncate && Bits::mask(width) < operand.alignment;
    if !operand.is_address
        || width == operand.data_model.address_bits()
        || keeps_tag
        || cast == Cast::Object
    {
        return AddressResult::Exact;
    }
    AddressResult::Computed([Some(Agreement::Never), None])
}

/// A number as wide as an address that is scaled and added to an address.
pub(crate) fn index(operand: Side) -> AddressResult {
    if operand.is_address {
        AddressResult::Computed([Some(Agreement::Never), None])
    } else {
        AddressResult::Exact
    }
}
