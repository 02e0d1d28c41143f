//! Expressions of definitions: read with their sorts, and written at any position.

use std::collections::HashMap;
use std::fmt::{self, Write};

use system::export::smt_lib::{constant, sort as sort_name};
use system::term::{Sort, Value};

use crate::name::{Name, base};
use crate::operator::{Operator, is_supported};
use crate::words::Word;

/// How deep an expression may nest. Certificates name what nests deeper than a dozen levels, so neither this crate nor a solver
/// needs a deep stack.
const MAX_NESTING: usize = 64;

/// A term over names of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A literal.
    Constant(Value),
    /// What a name stands for.
    Symbol(Name),
    /// An operator applied to operands that fit.
    Apply(Operator, Vec<Expression>),
}

impl Expression {
    /// Writes the expression as it is at a position.
    pub fn write(&self, f: &mut impl Write, position: usize) -> fmt::Result {
        match self {
            Self::Constant(value) => f.write_str(&constant(*value)),
            Self::Symbol(name) => write!(f, "{}", name.at(position)),
            Self::Apply(operator, operands) => {
                write!(f, "({operator}")?;
                for operand in operands {
                    f.write_char(' ')?;
                    operand.write(f, position)?;
                }
                f.write_char(')')
            }
        }
    }
}

/// What is known of a name or an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// Its sort.
    pub sort: Sort,
    /// Whether its value depends on the state alone.
    pub of_state: bool,
}

/// What names stand for something.
pub type Scope = HashMap<Name, Kind>;

/// Reads words one after the other.
pub struct Parser<'a> {
    rest: &'a [Word<'a>],
    scope: &'a Scope,
}

impl<'a> Parser<'a> {
    /// Reads words in which the names of a scope may occur.
    pub fn new(words: &'a [Word<'a>], scope: &'a Scope) -> Self {
        Self { rest: words, scope }
    }

    /// Takes the next word.
    pub fn word(&mut self) -> Result<Word<'a>, String> {
        let (&first, rest) = self
            .rest
            .split_first()
            .ok_or("the command is not complete")?;
        self.rest = rest;
        Ok(first)
    }

    /// Takes words that must be there.
    pub fn expect(&mut self, words: &[Word<'_>]) -> Result<(), String> {
        for &expected in words {
            let found = self.word()?;
            if found != expected {
                return Err(format!("{expected} is expected, not {found}"));
            }
        }
        Ok(())
    }

    /// The command ends here.
    pub fn end(mut self) -> Result<(), String> {
        self.expect(&[Word::Close])?;
        match self.rest.first() {
            None => Ok(()),
            Some(word) => Err(format!("the end of the line is expected, not {word}")),
        }
    }

    /// `Bool` or `(_ BitVec n)`.
    pub fn sort(&mut self) -> Result<Sort, String> {
        let sort = match self.word()? {
            Word::Plain("Bool") => Sort::Bool,
            Word::Open => {
                self.expect(&[Word::Plain("_"), Word::Plain("BitVec")])?;
                let width = self.number()?;
                self.expect(&[Word::Close])?;
                Sort::BitVec(width)
            }
            word @ (Word::Close | Word::Plain(_) | Word::Quoted(_)) => {
                return Err(format!("a sort is expected, not {word}"));
            }
        };
        if is_supported(sort) {
            Ok(sort)
        } else {
            Err("a bit-vector has 1 to 128 bits".to_owned())
        }
    }

    fn number(&mut self) -> Result<u32, String> {
        let word = self.word()?;
        let number = match word {
            Word::Plain(text) => text.parse::<u32>().ok(),
            Word::Open | Word::Close | Word::Quoted(_) => None,
        };
        number
            .filter(|number| number.to_string() == word.to_string())
            .ok_or_else(|| format!("{word} is no number that fits here"))
    }

    /// An expression and what is known of it.
    pub fn expression(&mut self) -> Result<(Expression, Kind), String> {
        self.nested(MAX_NESTING)
    }

    fn nested(&mut self, levels: usize) -> Result<(Expression, Kind), String> {
        let word = self.word()?;
        if let Word::Plain(text) = word
            && let Some(value) = literal(text)
        {
            let kind = Kind {
                sort: value.sort(),
                of_state: true,
            };
            return Ok((Expression::Constant(value), kind));
        }
        match word {
            Word::Open => self.application(levels),
            Word::Close => Err("an expression is expected, not )".to_owned()),
            Word::Plain(_) | Word::Quoted(_) => {
                let known = self.scope.get_key_value(base(word)?);
                let (name, kind) = known.ok_or_else(|| format!("{word} is not defined before"))?;
                Ok((Expression::Symbol(name.clone()), *kind))
            }
        }
    }

    fn application(&mut self, levels: usize) -> Result<(Expression, Kind), String> {
        let levels = levels
            .checked_sub(1)
            .ok_or_else(|| format!("an expression nests deeper than {MAX_NESTING} levels"))?;
        let operator = self.operator()?;
        let (mut operands, mut sorts, mut of_state) = (Vec::new(), Vec::new(), true);
        while self.rest.first() != Some(&Word::Close) {
            let (operand, kind) = self.nested(levels)?;
            operands.push(operand);
            sorts.push(kind.sort);
            of_state &= kind.of_state;
        }
        self.expect(&[Word::Close])?;
        let sort = operator
            .result(&sorts)
            .ok_or_else(|| format!("{operator} does not take these operands"))?;
        let kind = Kind { sort, of_state };
        Ok((Expression::Apply(operator, operands), kind))
    }

    fn operator(&mut self) -> Result<Operator, String> {
        let operator = match self.word()? {
            Word::Plain(name) => Operator::named(name),
            Word::Open => return self.indexed(),
            Word::Close | Word::Quoted(_) => None,
        };
        operator.ok_or_else(|| "an operator of bit-vectors is expected".to_owned())
    }

    fn indexed(&mut self) -> Result<Operator, String> {
        self.expect(&[Word::Plain("_")])?;
        let name = self.word()?;
        let mut indices = Vec::new();
        while self.rest.first() != Some(&Word::Close) {
            indices.push(self.number()?);
        }
        self.expect(&[Word::Close])?;
        let operator = match name {
            Word::Plain(name) => Operator::indexed(name, &indices),
            Word::Open | Word::Close | Word::Quoted(_) => None,
        };
        operator.ok_or_else(|| "an operator of bit-vectors is expected".to_owned())
    }
}

/// The value of a literal, if a word is one and written as certificates write it.
fn literal(text: &str) -> Option<Value> {
    let value = match text {
        "true" | "false" => Value::Bool(text == "true"),
        _ => {
            let (radix, bits) = match text.get(..2)? {
                "#b" => (2, 1),
                "#x" => (16, 4),
                _ => return None,
            };
            let width = u32::try_from(text.len() - 2).ok()?.checked_mul(bits)?;
            let number = u128::from_str_radix(&text[2..], radix).ok()?;
            is_supported(Sort::BitVec(width)).then_some(Value::BitVec(width, number))?
        }
    };
    (constant(value) == text).then_some(value)
}

/// `declare-fun` of a name at a position.
pub fn declaration(name: &Name, sort: Sort, position: usize) -> String {
    let (name, sort) = (name.at(position), sort_name(sort));
    format!("(declare-fun {name} () {sort})")
}

/// `define-fun` of a name at a position.
pub fn definition(name: &Name, sort: Sort, body: &Expression, position: usize) -> String {
    let mut text = format!("(define-fun {} () {} ", name.at(position), sort_name(sort));
    // Writing to a string does not fail.
    let _ = body.write(&mut text, position);
    text.push(')');
    text
}

/// The same as a new constant and what it equals. It says no more than a definition because [`Parser::expression`] lets bodies
/// speak of earlier names only.
pub fn equation(name: &Name, sort: Sort, body: &Expression, position: usize) -> String {
    let mut text = declaration(name, sort, position);
    let _ = write!(text, " (assert (= {} ", name.at(position));
    let _ = body.write(&mut text, position);
    text.push_str("))");
    text
}
