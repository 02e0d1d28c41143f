//! A part of an edge program, written as C with places to fill in.

use std::fmt::Display;

use crate::numbers::Numbers;

/// What is known about a part, or about a whole program, without running it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Meaning {
    /// Defined, and every assertion holds under every schedule, layout and conforming C library: never UNSAFE.
    Right,
    /// Undefined, or some conforming run violates an assertion: never SAFE.
    Wrong,
    /// Native runs have to tell: SAFE is wrong if one of them fails.
    Open,
}

impl Meaning {
    /// Of a program with both parts. An open part may wait for ever, so what comes after it may mean nothing.
    pub fn and(self, other: Self) -> Self {
        self.max(other)
    }
}

/// Declarations and what one thread does with them. In all texts `@` stands for the number of the part.
#[derive(Clone, Debug)]
pub struct Part {
    /// Declarations at file scope.
    pub declarations: String,
    /// The statements of a function without parameters and result.
    pub body: String,
    /// The last statements of main.
    pub end_of_main: String,
    /// What is known about it.
    pub meaning: Meaning,
}

impl Part {
    /// A part that is wrong if it is `broken`, and else right.
    pub fn new(broken: bool, declarations: &str, body: &str) -> Self {
        Self {
            declarations: declarations.to_owned(),
            body: body.to_owned(),
            end_of_main: String::new(),
            meaning: if broken {
                Meaning::Wrong
            } else {
                Meaning::Right
            },
        }
    }

    /// A part whose meaning only runs tell.
    pub fn open(declarations: &str, body: &str) -> Self {
        Self {
            meaning: Meaning::Open,
            ..Self::new(false, declarations, body)
        }
    }

    /// The same part with `value` wherever `$name` stands. No name may be the start of another one.
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let (place, value) = (format!("${name}"), value.to_string());
        for text in self.texts() {
            *text = text.replace(&place, &value);
        }
        self
    }

    /// The same part under a number of its own.
    pub fn numbered(self, number: usize) -> Self {
        let mut part = self;
        for text in part.texts() {
            *text = text.replace('@', &number.to_string());
        }
        part
    }

    fn texts(&mut self) -> [&mut String; 3] {
        [
            &mut self.declarations,
            &mut self.body,
            &mut self.end_of_main,
        ]
    }
}

/// A value that memory hardly holds by chance.
pub fn value(numbers: &mut Numbers) -> usize {
    100 + numbers.below(900)
}

/// Statements that access the `int` at `pointer`, which holds `value`, and assert what they see.
pub fn access(numbers: &mut Numbers, pointer: &str, value: usize) -> String {
    let next = value + 1;
    match numbers.below(5) {
        0 => format!("*{pointer} = {next};\n    assert(*{pointer} == {next});"),
        1 => format!("assert(__atomic_fetch_add({pointer}, 1, __ATOMIC_SEQ_CST) == {value});"),
        2 => format!(
            "{{\n        int copy;\n        memcpy(&copy, {pointer}, sizeof copy);\n        assert(copy == {value});\n    }}"
        ),
        _ => format!("assert(*{pointer} == {value});"),
    }
}

/// A declaration of the variable `x`, which may be static, and the address of an `int` in it that holds `value`.
pub fn variable(numbers: &mut Numbers, value: usize) -> (String, &'static str) {
    match numbers.below(4) {
        0 => (format!("int x[3] = {{1, {value}, 2}};"), "&x[1]"),
        1 => (
            format!("struct {{ char c; int i; }} x = {{1, {value}}};"),
            "&x.i",
        ),
        _ => (format!("int x = {value};"), "&x"),
    }
}
