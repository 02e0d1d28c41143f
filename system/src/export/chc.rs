//! Constrained Horn clauses: the system as SMT-LIB in the logic HORN.
//!
//! One relation `Inv` over the state holds in all reachable states: it holds in initial states, and in successors of
//! states in which it holds, and in no bad state. The clauses are satisfiable iff no property is violated; a model is
//! an inductive invariant. Invariant constraints restrict the source states of transitions and the bad states. So `Inv`
//! may hold in a state that violates the constraints, but no clause derives anything from this state.

use crate::horn::{Application, Clause, HornClauses, Relation};
use crate::term::Term;
use crate::transition_system::{TransitionSystem, primed};

/// The system as Horn clauses: one for initial states, one for transitions, one for each property.
pub fn print(system: &TransitionSystem) -> String {
    clauses(system).print()
}

/// What an inductive invariant without bad states has to satisfy.
fn clauses(system: &TransitionSystem) -> HornClauses {
    let mut terms = system.terms.clone();
    let state = system.state.iter().map(|variable| variable.current);
    let state: Vec<Term> = state.collect();
    let invariant = |arguments: Vec<Term>| Application {
        relation: 0,
        arguments,
    };
    let initial = system.initial(&mut terms);
    let next = system.state.iter().map(|variable| {
        variable
            .next
            .unwrap_or_else(|| primed(&mut terms, variable.current))
    });
    let next: Vec<Term> = next.collect();
    let mut clauses = vec![
        Clause {
            meaning: String::new(),
            premises: Vec::new(),
            constraints: initial,
            conclusion: Some(invariant(state.clone())),
        },
        Clause {
            meaning: String::new(),
            premises: vec![invariant(state.clone())],
            constraints: system.considered(system.guard),
            conclusion: Some(invariant(next)),
        },
    ];
    clauses.extend(system.properties.iter().map(|property| Clause {
        meaning: format!("property: {}", property.name),
        premises: vec![invariant(state.clone())],
        constraints: system.considered(property.bad),
        conclusion: None,
    }));
    let sorts = state.iter().map(|&variable| terms.sort(variable));
    HornClauses {
        relations: vec![Relation {
            name: "Inv".into(),
            sorts: sorts.collect(),
        }],
        terms,
        clauses,
    }
}
