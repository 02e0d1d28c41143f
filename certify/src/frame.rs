//! One position of a run as SMT-LIB commands: variables, and what a proof says of them.
//!
//! The names at position `n` end in `@n`, those at position 0 in `@0`; the commands of all other positions are those of
//! position 0 with that ending replaced. A certificate therefore says once what the system is.

use std::collections::BTreeSet;

use system::export::smt_lib::{Writer, line, sort};
use system::term::Term;
use system::transition_system::TransitionSystem;

use crate::symbols;

/// The names of what a proof speaks of, without their endings. Variables of these names are renamed.
pub mod role {
    /// The state is initial.
    pub const INITIAL: &str = "initial";
    /// The invariant constraints hold.
    pub const CONSTRAINTS: &str = "constraints";
    /// The invariant of the proof holds.
    pub const INVARIANT: &str = "invariant";
    /// The guard holds.
    pub const GUARD: &str = "guard";
    /// Some property is violated.
    pub const BAD: &str = "bad";
    /// What a [`super::Frame`] defines, in this order.
    pub const ALL: [&str; 5] = [INITIAL, CONSTRAINTS, INVARIANT, GUARD, BAD];
    /// The state follows from the one before; defined between frames.
    pub const STEP: &str = "step";
    /// The positions up to this one are a run; defined by an obligation.
    pub const RUN: &str = "run";
}

/// A declared variable at position 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name in SMT-LIB syntax.
    pub name: String,
    /// The name of its sort.
    pub sort: String,
}

/// The commands of position 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The state; each with the definition of its next value, if that is not arbitrary.
    pub state: Vec<(Variable, Option<String>)>,
    /// All other variables.
    pub inputs: Vec<Variable>,
    /// Definitions, operands first, those of the roles last.
    pub definitions: Vec<String>,
}

impl Frame {
    /// What a system and an invariant are; without an invariant, all states satisfy it.
    pub fn new(system: &TransitionSystem, invariant: Option<Term>) -> Self {
        let mut writer = Writer::new(&system.terms);
        writer.start_copy("@0");
        for reserved in role::ALL.into_iter().chain([role::STEP, role::RUN]) {
            writer.unique(&at(reserved, 0));
        }
        for number in 0..system.state.len() {
            writer.unique(&next_name(number, 0));
        }
        let mut variable = |symbol| Variable {
            name: writer.name(symbol),
            sort: sort(system.terms.sort(symbol)),
        };
        let numbered = system.state.iter().enumerate();
        let state = numbered.map(|(number, state)| {
            let next = state.next.map(|_| next_name(number, 0));
            (variable(state.current), next)
        });
        let state = state.collect();
        let roots: Vec<Term> = system.parts().chain(invariant).collect();
        let inputs = other_symbols(system, &roots);
        let inputs = inputs.into_iter().map(variable).collect();
        let mut text = String::new();
        writer.define(&mut text, &roots);
        define_next(&mut text, system, &writer);
        define_roles(&mut text, system, invariant, &writer);
        Self {
            state,
            inputs,
            definitions: text.lines().map(str::to_owned).collect(),
        }
    }

    /// The commands of a position, with headings.
    pub fn lines(&self, position: usize) -> Vec<String> {
        let declare = |variable: &Variable| {
            let name = symbols::moved(&variable.name, position);
            format!("(declare-fun {name} () {})", variable.sort)
        };
        let mut lines = vec![heading("state", position)];
        lines.extend(self.state.iter().map(|(variable, _)| declare(variable)));
        lines.push(heading("inputs", position));
        lines.extend(self.inputs.iter().map(declare));
        lines.push(heading("definitions", position));
        let definitions = self.definitions.iter();
        lines.extend(definitions.map(|definition| symbols::moved(definition, position)));
        if let Some(before) = position.checked_sub(1) {
            let equations = self.state.iter().filter_map(|(variable, next)| {
                let name = symbols::moved(&variable.name, position);
                let next = symbols::moved(next.as_ref()?, before);
                Some(format!("(= {name} {next})"))
            });
            let step = combined("and", "true", equations);
            lines.push(format!(
                "(define-fun {} () Bool {step})",
                at(role::STEP, position)
            ));
        }
        lines
    }
}

/// The inputs, and any other variable that the roots are made of.
fn other_symbols(system: &TransitionSystem, roots: &[Term]) -> Vec<Term> {
    let inputs = system.inputs.iter().copied();
    let state = system.state.iter().map(|variable| variable.current);
    let mut known: BTreeSet<Term> = state.chain(inputs.clone()).collect();
    let mentioned = system.terms.cone(roots).into_iter();
    let others = mentioned.filter(|&term| system.terms.is_symbol(term) && known.insert(term));
    inputs.chain(others).collect()
}

fn define_next(text: &mut String, system: &TransitionSystem, writer: &Writer<'_>) {
    for (number, variable) in system.state.iter().enumerate() {
        if let Some(next) = variable.next {
            let sort = sort(system.terms.sort(next));
            define(text, &next_name(number, 0), &sort, &writer.term(next));
        }
    }
}

fn define_roles(
    text: &mut String,
    system: &TransitionSystem,
    invariant: Option<Term>,
    writer: &Writer<'_>,
) {
    let term = |&term: &Term| writer.term(term);
    let equations = system.state.iter().filter_map(|variable| {
        let [current, initial] = [&variable.current, &variable.initial?].map(term);
        Some(format!("(= {current} {initial})"))
    });
    let initial = equations.chain(system.initial_constraints.iter().map(term));
    let constraints = system.invariant_constraints.iter().map(term);
    let bad = system.properties.iter().map(|property| term(&property.bad));
    let roles = [
        (role::INITIAL, combined("and", "true", initial)),
        (role::CONSTRAINTS, combined("and", "true", constraints)),
        (
            role::INVARIANT,
            combined("and", "true", invariant.iter().map(term)),
        ),
        (role::GUARD, term(&system.guard)),
        (role::BAD, combined("or", "false", bad)),
    ];
    for (role, body) in roles {
        define(text, &at(role, 0), "Bool", &body);
    }
}

fn define(text: &mut String, name: &str, sort: &str, body: &str) {
    line(text, format_args!("(define-fun {name} () {sort} {body})"));
}

/// The comment over a part of a frame.
pub fn heading(part: &str, position: usize) -> String {
    format!("; {part} at position {position}")
}

/// The name of a role at a position.
pub fn at(role: &str, position: usize) -> String {
    format!("{role}@{position}")
}

/// The name of the next value of a state variable.
pub fn next_name(variable: usize, position: usize) -> String {
    at(&format!("next{variable}"), position)
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
