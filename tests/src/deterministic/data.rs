//! Statements that change variables.

use super::body::Body;
use super::expression::Operator;
use super::integer::Integer;
use super::scope::{Lvalue, Qualifier, Type, Variable, declaration};

impl Body<'_> {
    /// A place for an integer that may be changed.
    pub(super) fn target(&mut self) -> Option<Lvalue> {
        self.place(|place| place.integer().is_some() && place.is_writable())
    }

    pub(super) fn assign(&mut self) {
        let value = self.expression(3).text;
        if let Some(place) = self.target() {
            self.line(&format!("{} = {value};", place.text));
        }
    }

    pub(super) fn compound(&mut self) -> Option<()> {
        let text = self.compound_expression()?;
        self.line(&format!("{text};"));
        Some(())
    }

    /// A compound assignment, without the semicolon.
    fn compound_expression(&mut self) -> Option<String> {
        let place = self.target()?;
        let old = place.read()?;
        let value = self.expression(2);
        if self.numbers.chance(20) {
            let bits = old.kind.promoted().bits;
            // A left shift of what may be negative is not defined.
            let left = place.bits.is_none() && bits == old.kind.bits && !old.kind.signed;
            let operator = if left { "<<=" } else { ">>=" };
            let most = bits.min(place.bits.map_or(bits, |_| 32)) - 1;
            return Some(format!("{} {operator} {} & {most}", place.text, value.text));
        }
        let operator = self.numbers.pick(&Operator::ALL);
        // The type of a bit-field is something between its declared type and int, but never wider.
        let value = if place.bits.is_some() {
            value.cast(Integer::UNSIGNED_LONG)
        } else {
            value
        };
        let value = old.assignment_operand(operator, &value);
        Some(format!(
            "{} {}= {}",
            place.text,
            operator.text(),
            value.text
        ))
    }

    pub(super) fn increment(&mut self) -> Option<()> {
        let wraps = |place: &Lvalue| match (place.integer(), place.bits) {
            (Some(_), Some(bits)) => bits < 31,
            (Some(kind), None) => kind.bits < 32 || !kind.signed,
            (None, _) => false,
        };
        let place = self.place(|place| place.is_writable() && wraps(place))?;
        let text = match self.numbers.below(4) {
            0 => format!("{}++", place.text),
            1 => format!("{}--", place.text),
            2 => format!("++{}", place.text),
            _ => format!("--{}", place.text),
        };
        if self.numbers.chance(50) {
            self.line(&format!("{text};"));
        } else {
            let kind = self.numbers.pick(&Integer::ALL);
            self.declare_integer(kind, &text);
        }
        Some(())
    }

    /// Arithmetic that tells whether it overflowed.
    pub(super) fn overflow(&mut self) -> Option<()> {
        let place =
            self.place(|place| place.addressable && is_wide(place) && place.is_writable())?;
        let kind = place.integer()?;
        let (mut a, mut b) = (self.expression(2), self.expression(1));
        if self.numbers.chance(70) {
            (a, b) = (a.cast(kind), b.cast(kind));
        }
        let function = self.numbers.pick(&["add", "sub", "mul"]);
        let call = format!(
            "__builtin_{function}_overflow({}, {}, &{})",
            a.text, b.text, place.text
        );
        self.declare_integer(Integer::BOOL, &call);
        Some(())
    }

    /// Side effects in conditions and before values, in a certain order.
    pub(super) fn sequence(&mut self) -> Option<()> {
        let effect = self.compound_expression()?;
        match self.numbers.below(4) {
            0 => {
                let condition = self.condition();
                self.block(&format!("if (({effect}, {condition})) {{"), "}");
            }
            1 => {
                let value = self.expression(2);
                self.declare_integer(value.kind, &format!("({effect}, {})", value.text));
            }
            2 => {
                let (first, last) = (self.condition(), self.condition());
                let text = format!("{first} && (({effect}), {last})");
                self.declare_integer(Integer::INT, &text);
            }
            _ => {
                let (first, second) = (self.condition(), self.compound_expression()?);
                self.line(&format!("{first} ? (void)({effect}) : (void)({second});"));
            }
        }
        Some(())
    }

    pub(super) fn assign_record(&mut self) -> Option<()> {
        let record = |place: &Lvalue| {
            matches!(place.kind, Type::Record(_)) && place.qualifier == Qualifier::Plain
        };
        let to = self.place(record)?;
        let from = self.place(|place| record(place) && place.kind == to.kind)?;
        self.line(&format!("{} = {};", to.text, from.text));
        Some(())
    }

    pub(super) fn declare_pointer(&mut self) -> Option<()> {
        let place = self.place(|place| place.addressable && !place.kind.objects().0.is_array())?;
        let (to, length) = place.kind.objects();
        let room = 1 + self.numbers.below(length);
        let address = if place.kind.is_array() {
            format!("&{}[{}]", place.text, self.index(length - room + 1))
        } else {
            format!("&{}", place.text)
        };
        self.pointer(to, room, &address);
        Some(())
    }

    /// A new local pointer to at least `room` objects.
    pub(super) fn pointer(&mut self, to: Type, room: usize, address: &str) {
        let name = self.name("p");
        let kind = Type::Pointer(to.into(), room);
        let declared = declaration(&kind, &name, &self.world.records);
        let address = if self.numbers.chance(10) {
            format!("(void *)(uintptr_t)({address})")
        } else {
            address.to_owned()
        };
        self.line(&format!("{declared} = {address};"));
        self.scope.push(Variable::new(name, kind, false));
    }

    /// A pointer gets another target, which must exist as long as the pointer does.
    pub(super) fn move_pointer(&mut self) -> Option<()> {
        let pointers: Vec<usize> = (0..self.scope.len())
            .filter(|index| {
                let variable = &self.scope[*index];
                !variable.fixed
                    && matches!(&variable.kind, Type::Pointer(to, _) if !to.is_pointer())
            })
            .filter(|index| self.alone || !self.scope[*index].is_global)
            .collect();
        if pointers.is_empty() {
            return None;
        }
        let index = self.numbers.pick(&pointers);
        let Type::Pointer(to, room) = self.scope[index].kind.clone() else {
            return None;
        };
        let global = self.scope[index].is_global;
        let address = self.address(&to, room, index, global)?;
        self.line(&format!("{} = {address};", self.scope[index].name));
        Some(())
    }

    /// The address of at least `room` objects of a type, in one of the first variables of the scope.
    pub(super) fn address(
        &mut self,
        to: &Type,
        room: usize,
        variables: usize,
        global: bool,
    ) -> Option<String> {
        let place = self.place_before(variables, |place| {
            let fits = match &place.kind {
                Type::Pointer(target, length) => **target == *to && *length >= room,
                kind @ (Type::Array(..) | Type::Integer(_) | Type::Record(_)) => {
                    let (element, length) = kind.objects();
                    element == *to && length >= room && place.addressable
                }
            };
            fits && (place.is_global || !global)
        })?;
        Some(match &place.kind {
            Type::Array(_, length) => format!("&{}[{}]", place.text, self.index(length - room + 1)),
            Type::Pointer(_, length) => {
                format!("{} + {}", place.text, self.index(length - room + 1))
            }
            Type::Integer(_) | Type::Record(_) => format!("&{}", place.text),
        })
    }
}

/// Whether it is an integer of whole bytes, any of which is a value.
pub fn is_wide(place: &Lvalue) -> bool {
    place.integer().is_some_and(|kind| kind != Integer::BOOL)
}
