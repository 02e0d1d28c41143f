//! VMT: transition systems as annotated SMT-LIB definitions.
//!
//! A state variable is a pair of symbols annotated `:next`; `:init`, `:trans` and `:invar-property` annotate formulas. A
//! symbol that is no state variable is an input. The format has no guards and no constraints: the guard and the
//! constraints are conjuncts of `:trans`, and the constraints are premises of the properties too, since they restrict
//! the last state of a run as well.

mod parse;
mod terms;

use crate::export::smt_lib::{Writer, line, sort};
use crate::term::{Term, Terms};
use crate::transition_system::{TransitionSystem, primed};

pub use parse::parse;

/// The system as VMT text.
pub fn print(system: &TransitionSystem) -> String {
    let mut terms = system.terms.clone();
    let primed: Vec<Term> = system
        .state
        .iter()
        .map(|variable| primed(&mut terms, variable.current))
        .collect();
    let initial = system.initial(&mut terms);
    let initial = terms.and_all(initial);
    let transition = transition_formula(&mut terms, system, &primed);
    let good: Vec<Term> = system
        .properties
        .iter()
        .map(|property| good_formula(&mut terms, system, property.bad))
        .collect();
    let mut writer = Writer::new(&terms);
    let mut out = String::new();
    let variables = system.state.iter().map(|variable| variable.current);
    for symbol in variables
        .chain(primed.iter().copied())
        .chain(system.inputs.iter().copied())
    {
        writer.declare(&mut out, symbol);
    }
    for (index, (variable, &primed)) in system.state.iter().zip(&primed).enumerate() {
        let (current, next) = (writer.name(variable.current), writer.name(primed));
        let name = writer.unique(&format!("sv{index}"));
        let sort = sort(terms.sort(primed));
        line(
            &mut out,
            format_args!("(define-fun {name} () {sort} (! {current} :next {next}))"),
        );
    }
    let mut formulas = vec![
        ("init", ":init true".to_owned(), initial),
        ("trans", ":trans true".to_owned(), transition),
    ];
    for (index, (property, &good)) in system.properties.iter().zip(&good).enumerate() {
        formulas.push((&property.name, format!(":invar-property {index}"), good));
    }
    let roots: Vec<Term> = formulas.iter().map(|&(_, _, formula)| formula).collect();
    writer.define(&mut out, &roots);
    for (name, annotation, formula) in formulas {
        let name = writer.unique(name);
        line(
            &mut out,
            format_args!(
                "(define-fun {name} () Bool (! {} {annotation}))",
                writer.term(formula)
            ),
        );
    }
    out
}

fn transition_formula(terms: &mut Terms, system: &TransitionSystem, primed: &[Term]) -> Term {
    let mut conjuncts = system.invariant_constraints.clone();
    conjuncts.push(system.guard);
    for (variable, &primed) in system.state.iter().zip(primed) {
        if let Some(next) = variable.next {
            conjuncts.push(terms.equal(primed, next));
        }
    }
    terms.and_all(conjuncts)
}

fn good_formula(terms: &mut Terms, system: &TransitionSystem, bad: Term) -> Term {
    let considered = system.invariant_constraints.iter().copied().chain([bad]);
    let violated = terms.and_all(considered);
    terms.not(violated)
}
