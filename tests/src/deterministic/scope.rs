//! Types, variables, and the places in them that hold integers.

use std::fmt::Write as _;

use super::expression::Expression;
use super::integer::Integer;
use crate::numbers::Numbers;

/// A type of a variable or of a part of one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    Integer(Integer),
    /// So many elements.
    Array(Box<Type>, usize),
    /// A structure or union, by its number.
    Record(usize),
    /// A pointer to at least so many elements.
    Pointer(Box<Type>, usize),
}

impl Type {
    /// The type and number of the objects that an object of this type consists of, as a pointer sees it.
    pub fn objects(&self) -> (Self, usize) {
        match self {
            Self::Array(element, length) => ((**element).clone(), *length),
            Self::Integer(_) | Self::Record(_) | Self::Pointer(..) => (self.clone(), 1),
        }
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Self::Array(..))
    }

    /// Whether it is a pointer.
    pub fn is_pointer(&self) -> bool {
        matches!(self, Self::Pointer(..))
    }
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    pub name: String,
    /// All members have the same size and no padding, so that each may be read whatever was written.
    pub union: bool,
    /// Members are not aligned, so nothing points to them.
    pub packed: bool,
    pub fields: Vec<Field>,
}

/// A member of a record.
#[derive(Clone, Debug)]
pub struct Field {
    pub name: String,
    pub kind: Type,
    /// The width of a bit-field.
    pub bits: Option<u32>,
}

/// How a variable is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Qualifier {
    Plain,
    Const,
    Volatile,
    Atomic,
}

/// Something that statements may name.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub kind: Type,
    pub qualifier: Qualifier,
    /// Whether it exists until the end of the program.
    pub is_global: bool,
    /// Whether statements only read it: a counter, for instance.
    pub fixed: bool,
    /// The values of a counter.
    pub range: Option<(i128, i128)>,
}

/// An lvalue.
#[derive(Clone, Debug)]
pub struct Lvalue {
    pub text: String,
    pub kind: Type,
    pub qualifier: Qualifier,
    /// Whether a pointer to it may be made.
    pub addressable: bool,
    /// The width of a bit-field.
    pub bits: Option<u32>,
    /// Whether it exists until the end of the program.
    pub is_global: bool,
    fixed: bool,
    range: Option<(i128, i128)>,
}

impl Variable {
    /// A variable without qualifier.
    pub fn new(name: impl Into<String>, kind: Type, is_global: bool) -> Self {
        Self {
            name: name.into(),
            kind,
            qualifier: Qualifier::Plain,
            is_global,
            fixed: false,
            range: None,
        }
    }

    /// A local variable that is only read.
    pub fn fixed(name: &str, kind: Type, range: Option<(i128, i128)>) -> Self {
        Self {
            fixed: true,
            range,
            ..Self::new(name, kind, false)
        }
    }

    /// All of the variable.
    pub fn place(&self) -> Lvalue {
        Lvalue {
            text: self.name.clone(),
            kind: self.kind.clone(),
            qualifier: self.qualifier,
            addressable: self.qualifier == Qualifier::Plain && !self.fixed,
            bits: None,
            is_global: self.is_global,
            fixed: self.fixed,
            range: self.range,
        }
    }
}

impl Lvalue {
    /// An element or member.
    pub fn part(&self, text: String, kind: Type) -> Self {
        Self {
            text,
            kind,
            ..self.clone()
        }
    }

    /// What it points to.
    pub fn target(&self, text: String, kind: Type) -> Self {
        Self {
            fixed: false,
            addressable: true,
            ..self.part(text, kind)
        }
    }

    /// A member of a record.
    pub fn member(&self, record: &Record, field: &Field) -> Self {
        let text = format!("{}.{}", self.text, field.name);
        Self {
            bits: field.bits,
            addressable: self.addressable
                && !record.packed
                && !record.union
                && field.bits.is_none(),
            ..self.part(text, field.kind.clone())
        }
    }

    /// Whether statements may change it.
    pub fn is_writable(&self) -> bool {
        self.qualifier != Qualifier::Const && !self.fixed
    }

    /// Its type, if it is an integer.
    pub fn integer(&self) -> Option<Integer> {
        match self.kind {
            Type::Integer(kind) => Some(kind),
            Type::Array(..) | Type::Record(_) | Type::Pointer(..) => None,
        }
    }

    /// The type and number of the integers there, if it is an array of them or a pointer to them.
    pub fn integers(&self) -> Option<(Integer, usize)> {
        match &self.kind {
            Type::Array(element, length) | Type::Pointer(element, length) => match **element {
                Type::Integer(kind) => Some((kind, *length)),
                Type::Array(..) | Type::Record(_) | Type::Pointer(..) => None,
            },
            Type::Integer(_) | Type::Record(_) => None,
        }
    }

    /// Its value, if it is an integer.
    pub fn read(&self) -> Option<Expression> {
        let kind = self.integer()?;
        Some(match (self.bits, self.range) {
            // A bit-field has a type of its own.
            (Some(bits), _) => {
                let range = Integer::of(bits, kind.signed);
                let text = format!("(({}){})", kind.name(), self.text);
                Expression::within(text, kind, (range.low(), range.high()))
            }
            (None, Some(range)) => Expression::within(&self.text, kind, range),
            (None, None) => Expression::new(&self.text, kind),
        })
    }
}

/// The declaration of a variable, without initialiser.
pub fn declaration(kind: &Type, name: &str, records: &[Record]) -> String {
    match kind {
        Type::Integer(integer) => format!("{} {name}", integer.name()),
        Type::Array(element, length) => declaration(element, &format!("{name}[{length}]"), records),
        Type::Record(record) => format!("{} {name}", records[*record].specifier()),
        Type::Pointer(to, _) => declaration(to, &format!("*{name}"), records),
    }
}

/// A constant that often is at the edge of something.
pub fn interesting(numbers: &mut Numbers, kind: Integer) -> i128 {
    let value = match numbers.below(7) {
        0 => 0,
        1 => 1,
        2 => kind.low(),
        3 => kind.high(),
        4 => 1 << numbers.below(kind.bits as usize),
        5 => numbers.below(1 << 32) as i128 * 0x1_0000_0003,
        _ => numbers.below(20) as i128 - 5,
    };
    if kind.contains((value, value)) {
        value
    } else {
        value.rem_euclid(kind.high() + 1)
    }
}

/// A constant initialiser of all of an object, or of the first parts of it.
pub fn initialiser(numbers: &mut Numbers, kind: &Type, records: &[Record]) -> String {
    match kind {
        Type::Integer(integer) => integer.literal(interesting(numbers, *integer)),
        Type::Pointer(..) => "0".to_owned(),
        Type::Array(element, length) => {
            let given = if numbers.chance(80) {
                *length
            } else {
                1 + numbers.below(*length)
            };
            let values = (0..given).map(|_| initialiser(numbers, element, records));
            format!("{{{}}}", values.collect::<Vec<_>>().join(", "))
        }
        Type::Record(record) => records[*record].initialiser(numbers, records),
    }
}

impl Record {
    /// `struct R0` or `union R0`.
    pub fn specifier(&self) -> String {
        let keyword = if self.union { "union" } else { "struct" };
        format!("{keyword} {}", self.name)
    }

    /// The definition of the type.
    pub fn definition(&self, records: &[Self]) -> String {
        let mut text = format!("{} {{\n", self.specifier());
        for field in &self.fields {
            let declared = declaration(&field.kind, &field.name, records);
            let bits = field
                .bits
                .map_or(String::new(), |bits| format!(" : {bits}"));
            let _ = writeln!(text, "    {declared}{bits};");
        }
        let packed = if self.packed {
            " __attribute__((packed))"
        } else {
            ""
        };
        let _ = writeln!(text, "}}{packed};");
        text
    }

    fn initialiser(&self, numbers: &mut Numbers, records: &[Self]) -> String {
        let given = if self.union { 1 } else { self.fields.len() };
        let value = |field: &Field, numbers: &mut Numbers| match (field.bits, &field.kind) {
            (Some(bits), Type::Integer(kind)) => {
                let narrow = Integer::of(bits, kind.signed);
                interesting(numbers, narrow).to_string()
            }
            (_, kind) => initialiser(numbers, kind, records),
        };
        let values: Vec<String> = self.fields[..given]
            .iter()
            .map(|field| format!(".{} = {}", field.name, value(field, numbers)))
            .collect();
        format!("{{{}}}", values.join(", "))
    }
}

/// A random record; its members may be of the records that are there already.
pub fn random_record(numbers: &mut Numbers, records: &[Record]) -> Record {
    let union = numbers.chance(25);
    let count = 2 + numbers.below(3);
    let fields = (0..count).map(|index| {
        let (kind, bits) = match numbers.below(10) {
            _ if union => (eight_bytes(numbers), None),
            0 if !records.is_empty() => (Type::Record(numbers.below(records.len())), None),
            1 | 2 => {
                let element = Type::Integer(numbers.pick(&Integer::ALL));
                (Type::Array(element.into(), 2 + numbers.below(2)), None)
            }
            3..=6 => {
                let kind = numbers.pick(&Integer::ALL);
                let bits = 1 + numbers.below(kind.bits as usize) as u32;
                (Type::Integer(kind), Some(bits))
            }
            _ => (Type::Integer(numbers.pick(&Integer::ALL)), None),
        };
        let name = format!("f{index}");
        Field { name, kind, bits }
    });
    Record {
        fields: fields.collect(),
        name: format!("R{}", records.len()),
        union,
        packed: !union && numbers.chance(20),
    }
}

/// A type of eight bytes, any of which is a value.
fn eight_bytes(numbers: &mut Numbers) -> Type {
    let element = |bits, signed| Box::new(Type::Integer(Integer::of(bits, signed)));
    let signed = numbers.chance(50);
    match numbers.below(4) {
        0 => Type::Integer(Integer::of(64, signed)),
        1 => Type::Array(element(32, signed), 2),
        2 => Type::Array(element(16, signed), 4),
        _ => Type::Array(element(8, signed), 8),
    }
}
