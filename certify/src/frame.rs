//! One position of a run as SMT-LIB commands: the system, and the invariant of a proof.
//!
//! A frame holds the meaning of the commands, not their text. It is [read](crate::read) from commands even if it is
//! made from a system, and the commands of every position are written from it. The names at position `n` end in `@n`.

use std::collections::BTreeSet;
use std::fmt::Arguments;

use system::export::smt_lib::{Writer, line, sort};
use system::term::{Sort, Term};
use system::transition_system::TransitionSystem;

use crate::expression::{Expression, declaration, definition, equation};
use crate::name::Name;

/// The names of what a proof speaks of, without their endings. Variables of these names are renamed.
pub mod predicate {
    /// The state is initial.
    pub const INITIAL: &str = "initial";
    /// The invariant constraints hold.
    pub const CONSTRAINTS: &str = "constraints";
    /// The guard holds.
    pub const GUARD: &str = "guard";
    /// Some property is violated.
    pub const BAD: &str = "bad";
    /// With these the definitions of the system end, in this order.
    pub const OF_SYSTEM: [&str; 4] = [INITIAL, CONSTRAINTS, GUARD, BAD];
    /// The invariant of the proof holds; with it the definitions of a frame end.
    pub const INVARIANT: &str = "invariant";
    /// The state follows from the one before; defined between frames.
    pub const STEP: &str = "step";
    /// The positions up to this one are a run; defined by an obligation.
    pub const RUN: &str = "run";

    /// All names that mean something by themselves, but those of next values.
    pub fn all() -> impl Iterator<Item = &'static str> {
        OF_SYSTEM.into_iter().chain([INVARIANT, STEP, RUN])
    }
}

/// The headings of the parts of a frame, in order.
pub const PARTS: [&str; 4] = ["state", "inputs", "definitions", "invariant"];

/// A declared variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its sort.
    pub sort: Sort,
}

/// A name that stands for an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    /// The name.
    pub name: Name,
    /// The sort of the expression.
    pub sort: Sort,
    /// What the name stands for.
    pub body: Expression,
}

/// What is said of each position.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The state.
    pub state: Vec<Variable>,
    /// All other variables.
    pub inputs: Vec<Variable>,
    /// What the system is: shared terms, operands first; next values; roles.
    pub system: Vec<Definition>,
    /// The invariant, behind shared terms that the system does not have.
    pub invariant: Vec<Definition>,
    /// The names of the next values, by position in the state; none where the next value is arbitrary.
    pub next: Vec<Option<Name>>,
}

impl Frame {
    /// What a system and an invariant are; without an invariant, all states satisfy it. What it says of the system does not
    /// depend on the invariant.
    ///
    /// # Errors
    /// What is wrong with the system.
    pub fn new(system: &TransitionSystem, invariant: Option<Term>) -> Result<Self, String> {
        let text = text(system, invariant);
        let lines: Vec<&str> = text.lines().collect();
        Self::parse(&lines, 0).map_err(|malformed| {
            let line = lines.get(malformed.line - 1).unwrap_or(&"the end");
            let line: String = line.chars().take(200).collect();
            format!("{} in {line}", malformed.cause)
        })
    }

    /// The commands of a position, with headings.
    pub fn lines(&self, position: usize) -> Vec<String> {
        self.commands(position, definition)
    }

    /// The same for a solver. Z3 expands what `define-fun` defines at every use anew, all the way down: with thousands of shared
    /// terms that alone takes a minute. Constants with equations are read at once.
    pub fn equations(&self, position: usize) -> Vec<String> {
        self.commands(position, equation)
    }

    fn commands(
        &self,
        position: usize,
        define: impl Fn(&Name, Sort, &Expression, usize) -> String,
    ) -> Vec<String> {
        let declare = |variable: &Variable| declaration(&variable.name, variable.sort, position);
        let define = |known: &Definition| define(&known.name, known.sort, &known.body, position);
        let [state, inputs, definitions, invariant] = PARTS.map(|part| heading(part, position));
        let mut lines = vec![state];
        lines.extend(self.state.iter().map(declare));
        lines.push(inputs);
        lines.extend(self.inputs.iter().map(declare));
        lines.push(definitions);
        lines.extend(self.system.iter().map(define));
        lines.push(invariant);
        lines.extend(self.invariant.iter().map(define));
        lines.extend(position.checked_sub(1).map(|before| self.step(before)));
        lines
    }

    /// The definition that the state behind a position follows from that.
    fn step(&self, before: usize) -> String {
        let position = before + 1;
        let variables = self.state.iter().zip(&self.next);
        let equations = variables.filter_map(|(variable, next)| {
            let next = next.as_ref()?.at(before);
            Some(format!("(= {} {next})", variable.name.at(position)))
        });
        let step = combined("and", "true", equations);
        format!(
            "(define-fun {} () Bool {step})",
            at(predicate::STEP, position)
        )
    }
}

/// The commands of position 0, with headings.
fn text(system: &TransitionSystem, invariant: Option<Term>) -> String {
    let mut writer = Writer::with_suffix(&system.terms, "@0");
    for reserved in predicate::all() {
        writer.unique(reserved);
    }
    for number in 0..system.state.len() {
        writer.unique(&next_base(number));
    }
    let mut text = String::new();
    let [state, inputs, definitions, invariants] = PARTS.map(|part| heading(part, 0));
    line(&mut text, format_args!("{state}"));
    for variable in &system.state {
        writer.declare(&mut text, variable.current);
    }
    line(&mut text, format_args!("{inputs}"));
    for input in other_symbols(system) {
        writer.declare(&mut text, input);
    }
    line(&mut text, format_args!("{definitions}"));
    define_system(&mut text, system, &mut writer);
    line(&mut text, format_args!("{invariants}"));
    let invariant: Vec<Term> = invariant.into_iter().collect();
    writer.define(&mut text, &invariant);
    let invariant = invariant.iter().map(|&term| writer.term(term));
    define_role(
        &mut text,
        predicate::INVARIANT,
        &combined("and", "true", invariant),
    );
    text
}

fn define_system(text: &mut String, system: &TransitionSystem, writer: &mut Writer<'_>) {
    let parts: Vec<Term> = system.parts().collect();
    writer.define(text, &parts);
    define_next(text, system, writer);
    define_roles(text, system, writer);
}

/// The inputs, and any other variable that the system is made of.
fn other_symbols(system: &TransitionSystem) -> Vec<Term> {
    let parts: Vec<Term> = system.parts().collect();
    let inputs = system.inputs.iter().copied();
    let state = system.state.iter().map(|variable| variable.current);
    let mut known: BTreeSet<Term> = state.chain(inputs.clone()).collect();
    let mentioned = system.terms.cone(&parts).into_iter();
    let others = mentioned.filter(|&term| system.terms.is_symbol(term) && known.insert(term));
    inputs.chain(others).collect()
}

fn define_next(text: &mut String, system: &TransitionSystem, writer: &Writer<'_>) {
    for (number, variable) in system.state.iter().enumerate() {
        if let Some(next) = variable.next {
            let sort = sort(system.terms.sort(next));
            let name = at(&next_base(number), 0);
            define(text, format_args!("{name} () {sort} {}", writer.term(next)));
        }
    }
}

fn define_roles(text: &mut String, system: &TransitionSystem, writer: &Writer<'_>) {
    let term = |&term: &Term| writer.term(term);
    let equations = system.state.iter().filter_map(|variable| {
        let [current, initial] = [&variable.current, &variable.initial?].map(term);
        Some(format!("(= {current} {initial})"))
    });
    let initial = equations.chain(system.initial_constraints.iter().map(term));
    let constraints = system.invariant_constraints.iter().map(term);
    let bad = system.properties.iter().map(|property| term(&property.bad));
    let bodies = [
        combined("and", "true", initial),
        combined("and", "true", constraints),
        term(&system.guard),
        combined("or", "false", bad),
    ];
    for (role, body) in predicate::OF_SYSTEM.iter().zip(&bodies) {
        define_role(text, role, body);
    }
}

fn define_role(text: &mut String, role: &str, body: &str) {
    define(text, format_args!("{} () Bool {body}", at(role, 0)));
}

fn define(text: &mut String, definition: Arguments<'_>) {
    line(text, format_args!("(define-fun {definition})"));
}

/// The comment over a part of a frame.
pub fn heading(part: &str, position: usize) -> String {
    format!("; {part} at position {position}")
}

/// The name of a role at a position.
pub fn at(role: &str, position: usize) -> String {
    Name::new(role).at(position).to_string()
}

/// The name of the next value of a state variable, without its ending.
pub fn next_base(variable: usize) -> String {
    format!("next{variable}")
}

/// Several formulas as one.
pub fn combined(operator: &str, empty: &str, formulas: impl Iterator<Item = String>) -> String {
    let formulas: Vec<String> = formulas.collect();
    match formulas.as_slice() {
        [] => empty.to_owned(),
        [formula] => formula.clone(),
        _ => format!("({operator} {})", formulas.join(" ")),
    }
}
