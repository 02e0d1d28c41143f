//! Writing BTOR2.

use std::fmt::Write;

use rustc_hash::FxHashMap;

use crate::term::{Binary, Node, Sort, Term, Terms, Unary, Value};
use crate::transition_system::TransitionSystem;

/// The system as BTOR2 text.
///
/// A `constraint` of BTOR2 restricts every state, but our guard restricts transitions only: a bad state need not be
/// left. So the guard is delayed by a latch that is true at first: `next(latch) = guard`, `constraint latch`. Initial
/// constraints, and initial values that are no constants, hold while another latch says that the state is the first.
pub fn print(system: &TransitionSystem) -> String {
    let mut terms = system.terms.clone();
    let (system, constraints) = with_latches(system, &mut terms);
    let mut writer = Writer {
        terms: &terms,
        out: String::new(),
        ids: FxHashMap::default(),
        sorts: FxHashMap::default(),
        last: 0,
    };
    for &input in &system.inputs {
        writer.variable("input", input);
    }
    for variable in &system.state {
        // Other readers demand that an initial value comes before its variable.
        if let Some(initial) = variable.initial {
            writer.term(initial);
        }
        writer.variable("state", variable.current);
    }
    for variable in &system.state {
        for (keyword, value) in [("init", variable.initial), ("next", variable.next)] {
            if let Some(value) = value {
                writer.assign(keyword, variable.current, value);
            }
        }
    }
    for &constraint in &constraints {
        writer.claim("constraint", constraint, "");
    }
    for property in &system.properties {
        writer.claim("bad", property.bad, &symbol(&property.name));
    }
    writer.out
}

/// The system without guard and without initial constraints, and all its constraints.
fn with_latches(system: &TransitionSystem, terms: &mut Terms) -> (TransitionSystem, Vec<Term>) {
    let mut system = TransitionSystem {
        terms: Terms::new(),
        ..system.clone()
    };
    let (truth, falsity) = (terms.bool(true), terms.bool(false));
    let mut constraints = system.invariant_constraints.clone();
    let mut at_first = system.initial_constraints.clone();
    for variable in &mut system.state {
        if let Some(initial) = variable
            .initial
            .filter(|&initial| terms.as_value(initial).is_none())
        {
            variable.initial = None;
            at_first.push(terms.equal(variable.current, initial));
        }
    }
    let mut latch = |terms: &mut Terms, name: &str, next: Term| {
        let current = terms.symbol(name, Sort::Bool);
        system.state.push(crate::transition_system::StateVariable {
            current,
            initial: Some(truth),
            next: Some(next),
        });
        current
    };
    if system.guard != truth {
        constraints.push(latch(terms, "guarded", system.guard));
    }
    if !at_first.is_empty() {
        let first = latch(terms, "first", falsity);
        let hold = terms.and_all(at_first);
        constraints.push(terms.implies(first, hold));
    }
    (system, constraints)
}

/// A name as one word of the format.
fn symbol(name: &str) -> String {
    name.chars()
        .map(|c| {
            if c.is_whitespace() || c == ';' {
                '_'
            } else {
                c
            }
        })
        .collect()
}

struct Writer<'a> {
    terms: &'a Terms,
    out: String,
    ids: FxHashMap<Term, usize>,
    sorts: FxHashMap<u32, usize>,
    last: usize,
}

impl Writer<'_> {
    /// A numbered line.
    fn line(&mut self, text: std::fmt::Arguments<'_>) -> usize {
        self.last += 1;
        // Writing to a string does not fail.
        let _ = writeln!(self.out, "{} {text}", self.last);
        self.last
    }

    fn sort(&mut self, width: u32) -> usize {
        if let Some(&id) = self.sorts.get(&width) {
            return id;
        }
        let id = self.line(format_args!("sort bitvec {width}"));
        self.sorts.insert(width, id);
        id
    }

    fn variable(&mut self, keyword: &str, variable: Term) {
        let sort = self.sort(self.terms.width(variable));
        let name = symbol(self.terms.symbol_name(variable).unwrap_or_default());
        let id = self.line(format_args!("{keyword} {sort} {name}"));
        self.ids.insert(variable, id);
    }

    fn assign(&mut self, keyword: &str, variable: Term, value: Term) {
        let (sort, value) = (self.sort(self.terms.width(variable)), self.term(value));
        let variable = self.term(variable);
        self.line(format_args!("{keyword} {sort} {variable} {value}"));
    }

    fn claim(&mut self, keyword: &str, claim: Term, name: &str) {
        let id = self.term(claim);
        let name = if name.is_empty() {
            String::new()
        } else {
            format!(" {name}")
        };
        self.line(format_args!("{keyword} {id}{name}"));
    }

    /// The number of a term; writes the lines that are missing.
    fn term(&mut self, root: Term) -> usize {
        for term in self.terms.cone(&[root]) {
            if !self.ids.contains_key(&term) {
                let id = self.node(term);
                self.ids.insert(term, id);
            }
        }
        self.ids[&root]
    }

    fn node(&mut self, term: Term) -> usize {
        let width = self.terms.width(term);
        let sort = self.sort(width);
        let ids = &self.ids;
        let id = |operand: Term| ids[&operand];
        let text = match self.terms.node(term) {
            Node::Constant(value) => constant(sort, value),
            // A variable that the system does not list has any value, anew in every step.
            Node::Symbol(_) => format!(
                "input {sort} {}",
                symbol(self.terms.symbol_name(term).unwrap_or_default())
            ),
            Node::Unary(operator, a) => format!("{} {sort} {}", unary(operator), id(a)),
            Node::Binary(operator, a, b) => {
                format!("{} {sort} {} {}", binary(operator), id(a), id(b))
            }
            Node::Ite(condition, a, b) => {
                format!("ite {sort} {} {} {}", id(condition), id(a), id(b))
            }
            Node::Extract { high, low, of } => format!("slice {sort} {} {high} {low}", id(of)),
            Node::ZeroExtend(width, a) => {
                format!("uext {sort} {} {}", id(a), width - self.terms.width(a))
            }
            Node::SignExtend(width, a) => {
                format!("sext {sort} {} {}", id(a), width - self.terms.width(a))
            }
        };
        self.line(format_args!("{text}"))
    }
}

fn constant(sort: usize, value: Value) -> String {
    match value {
        Value::Bool(value) => format!("{} {sort}", if value { "one" } else { "zero" }),
        Value::BitVec(_, 0) => format!("zero {sort}"),
        Value::BitVec(_, 1) => format!("one {sort}"),
        Value::BitVec(_, bits) => format!("constd {sort} {bits}"),
    }
}

fn unary(operator: Unary) -> &'static str {
    match operator {
        Unary::Not | Unary::BitNot => "not",
        Unary::Negate => "neg",
    }
}

fn binary(operator: Binary) -> &'static str {
    match operator {
        Binary::And | Binary::BitAnd => "and",
        Binary::Or | Binary::BitOr => "or",
        Binary::Equal => "eq",
        Binary::UnsignedLess => "ult",
        Binary::SignedLess => "slt",
        Binary::BitXor => "xor",
        Binary::Add => "add",
        Binary::Subtract => "sub",
        Binary::Multiply => "mul",
        Binary::UnsignedDivide => "udiv",
        Binary::UnsignedRemainder => "urem",
        Binary::SignedDivide => "sdiv",
        Binary::SignedRemainder => "srem",
        Binary::ShiftLeft => "sll",
        Binary::LogicalShiftRight => "srl",
        Binary::ArithmeticShiftRight => "sra",
        Binary::Concat => "concat",
    }
}
