//! Random places and random expressions without side effects.

use super::body::Body;
use super::expression::{Expression, Operator};
use super::integer::Integer;
use super::scope::{Lvalue, Type, Variable, interesting};

/// Forms of expressions.
#[derive(Clone, Copy)]
enum Form {
    Binary,
    Shift,
    Comparison,
    Logical,
    Choice,
    Unary,
    Cast,
    Builtin,
    Wide,
    Odd,
}

const FORMS: [(usize, Form); 10] = [
    (10, Form::Binary),
    (3, Form::Shift),
    (3, Form::Comparison),
    (2, Form::Logical),
    (2, Form::Choice),
    (3, Form::Unary),
    (4, Form::Cast),
    (2, Form::Builtin),
    (1, Form::Wide),
    (1, Form::Odd),
];

/// How often a place of some kind is looked for before there is said to be none.
const ATTEMPTS: usize = 20;

impl Body<'_> {
    /// A place that is acceptable, if one is found.
    pub fn place(&mut self, accept: impl Fn(&Lvalue) -> bool) -> Option<Lvalue> {
        self.place_before(self.scope.len(), accept)
    }

    /// A place in one of the first variables of the scope.
    pub fn place_before(
        &mut self,
        variables: usize,
        accept: impl Fn(&Lvalue) -> bool,
    ) -> Option<Lvalue> {
        if variables == 0 {
            return None;
        }
        for _ in 0..ATTEMPTS {
            let variable = self.numbers.below(variables);
            let mut place = Some(self.scope[variable].place());
            while let Some(here) = place {
                if accept(&here) {
                    return Some(here);
                }
                place = self.part(&here);
            }
        }
        None
    }

    /// A part of a place, or what it points to.
    fn part(&mut self, place: &Lvalue) -> Option<Lvalue> {
        match &place.kind {
            Type::Integer(_) => None,
            Type::Array(element, length) => {
                let index = self.index(*length);
                Some(place.part(format!("{}[{index}]", place.text), (**element).clone()))
            }
            Type::Record(record) => {
                let record = &self.world.records[*record];
                let field = self.numbers.below(record.fields.len());
                Some(place.member(record, &record.fields[field]))
            }
            Type::Pointer(to, room) => {
                let index = self.index(*room);
                let text = match self.numbers.below(3) {
                    0 if *room == 1 => format!("(*{})", place.text),
                    1 => format!("(*({} + {index}))", place.text),
                    _ => format!("{}[{index}]", place.text),
                };
                Some(place.target(text, (**to).clone()))
            }
        }
    }

    /// A number below `length` as C text: a constant, or a variable that is reduced to what is allowed.
    pub fn index(&mut self, length: usize) -> String {
        let integers: Vec<&Variable> = self
            .scope
            .iter()
            .filter(|variable| matches!(variable.kind, Type::Integer(_)))
            .collect();
        if integers.is_empty() || length == 1 || self.numbers.chance(40) {
            return self.numbers.below(length).to_string();
        }
        let variable = integers[self.numbers.below(integers.len())];
        match variable.range {
            Some((0, high)) if high < length as i128 => variable.name.clone(),
            _ if length.is_power_of_two() => format!("({} & {})", variable.name, length - 1),
            _ => format!("((unsigned){} % {length})", variable.name),
        }
    }

    /// A constant or the value of a place.
    fn operand(&mut self) -> Expression {
        if self.numbers.chance(75) {
            let integer = |place: &Lvalue| place.integer().is_some();
            if let Some(value) = self.place(integer).and_then(|place| place.read()) {
                return value;
            }
        }
        let kind = self.numbers.pick(&Integer::ALL);
        Expression::constant(interesting(self.numbers, kind), kind)
    }

    /// An expression of at most this nesting.
    pub fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 || self.numbers.chance(15) {
            return self.operand();
        }
        let a = self.expression(depth - 1);
        match self.numbers.pick_weighted(&FORMS) {
            Form::Binary => {
                let operator = self.numbers.pick(&Operator::ALL);
                a.binary(operator, &self.expression(depth - 1))
            }
            Form::Shift => {
                let left = self.numbers.chance(50);
                a.shift(left, &self.expression(depth - 1))
            }
            Form::Comparison => {
                let operator = self.numbers.pick(&["<", "<=", ">", ">=", "==", "!="]);
                let b = self.expression(depth - 1);
                Expression::truth(format!("({} {operator} {})", a.text, b.text))
            }
            Form::Logical => {
                let operator = self.numbers.pick(&["&&", "||"]);
                let b = self.expression(depth - 1);
                Expression::truth(format!("({} {operator} {})", a.text, b.text))
            }
            Form::Choice => {
                let b = self.expression(depth - 1);
                b.chosen(&a, &self.expression(depth - 1))
            }
            Form::Unary => a.unary(self.numbers.pick(&['-', '~', '!'])),
            Form::Cast => a.cast(self.numbers.pick(&Integer::ALL)),
            Form::Builtin => self.builtin(&a),
            Form::Wide => self.wide(&a, depth),
            Form::Odd => self.about_addresses().unwrap_or(a),
        }
    }

    /// A condition; more often than other expressions neither always true nor always false.
    pub fn condition(&mut self) -> String {
        let expression = self.expression(2);
        match self.numbers.below(3) {
            0 => format!("({} & 1)", expression.text),
            1 => format!("({} > {})", expression.text, self.operand().text),
            _ => expression.text,
        }
    }

    /// A function that clang compiles to one of LLVM's.
    fn builtin(&mut self, a: &Expression) -> Expression {
        let kind = self
            .numbers
            .pick(&[Integer::of(32, false), Integer::UNSIGNED_LONG]);
        let (bits, suffix) = (kind.bits, if kind.bits == 64 { "ll" } else { "" });
        let most = i128::from(bits);
        let value = a.cast(kind).text;
        let count = |text: String| Expression::within(text, Integer::INT, (0, most));
        match self.numbers.below(9) {
            0 => count(format!("__builtin_popcount{suffix}({value})")),
            1 => count(format!("__builtin_clz{suffix}({value} | 1)")),
            2 => count(format!(
                "__builtin_ctz{suffix}({value} | (1ull << {}))",
                bits - 1
            )),
            3 => Expression::truth(format!("__builtin_parity{suffix}({value})")),
            4 => Expression::new(format!("__builtin_bswap{bits}({value})"), kind),
            5 => Expression::new(format!("__builtin_bitreverse{bits}({value})"), kind),
            6 => {
                let amount = self.numbers.below(bits as usize + 1);
                let text = format!("__builtin_rotateleft{bits}({value}, {amount})");
                Expression::new(text, kind)
            }
            7 => Expression::within(
                format!(
                    "__builtin_llabs({} >> 1)",
                    a.cast(Integer::of(64, true)).text
                ),
                Integer::of(64, true),
                (0, 1 << 62),
            ),
            _ => self.elementwise(a),
        }
    }

    /// Minimum, maximum and saturating arithmetic on two operands of one type.
    fn elementwise(&mut self, a: &Expression) -> Expression {
        let kind = self.numbers.pick(&Integer::ALL[1..]);
        let function = self.numbers.pick(&["max", "min", "add_sat", "sub_sat"]);
        let b = self.operand().cast(kind);
        let arguments = format!("{}, {}", a.cast(kind).text, b.text);
        let call = format!("__builtin_elementwise_{function}({arguments})");
        Expression::new(format!("(({}){call})", kind.name()), kind)
    }

    /// Arithmetic on the widest type, or on a width that is no power of two.
    fn wide(&mut self, a: &Expression, depth: usize) -> Expression {
        let b = self.expression(depth - 1);
        if self.numbers.chance(50) {
            let kind = Integer::of(64, self.numbers.chance(50));
            let wide = if kind.signed { "wide" } else { "unsigned_wide" };
            let operator = self.numbers.pick(&["+", "-", "*", "&", "|", "^"]);
            let shift = self.numbers.below(65);
            let (a, b) = (a.cast(kind).text, b.cast(kind).text);
            let text = format!("(({wide}){a} {operator} {b})");
            return Expression::new(
                format!("(({})({text} >> {shift} % WIDTH))", kind.name()),
                kind,
            );
        }
        let width = 2 + self.numbers.below(62);
        let kind = Integer::of(64, self.numbers.chance(50));
        let operator = self.numbers.pick(&["+", "-", "*", "&", "|", "^"]);
        let narrow = |text: &str| format!("(unsigned _BitInt({width})){text}");
        let text = format!("({} {operator} {})", narrow(&a.text), narrow(&b.text));
        let sign = if kind.signed { "" } else { "unsigned " };
        Expression::new(
            format!("(({})({sign}_BitInt({width})){text})", kind.name()),
            kind,
        )
    }

    /// Something that depends on addresses, but not on where objects are.
    fn about_addresses(&mut self) -> Option<Expression> {
        let array = |place: &Lvalue| place.addressable && place.integers().is_some();
        let place = self.place(array)?;
        let (kind, length) = place.integers()?;
        let (i, j) = (self.index(length), self.index(length));
        let (a, b) = (
            format!("&{}[{i}]", place.text),
            format!("&{}[{j}]", place.text),
        );
        let distance = length as i128;
        Some(match self.numbers.below(4) {
            0 => Expression::within(
                format!("((long)({a} - {b}))"),
                Integer::of(64, true),
                (-distance, distance),
            ),
            1 => Expression::truth(format!("({a} < {b})")),
            2 => Expression::truth(format!("({a} == {b})")),
            _ => Expression::within(
                format!("((unsigned long)((uintptr_t){a} % {}))", kind.bytes()),
                Integer::UNSIGNED_LONG,
                (0, 0),
            ),
        })
    }
}
