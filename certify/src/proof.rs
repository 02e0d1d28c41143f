//! A proof of an engine as a certificate.

use std::collections::BTreeSet;

use system::term::{Sort, Term};
use system::transition_system::{Proof, TransitionSystem};

use crate::certificate::Certificate;
use crate::error::CertifyError;
use crate::frame::Frame;
use crate::proof_rule::ProofRule;

impl Certificate {
    /// What a proof claims about a system.
    ///
    /// # Errors
    /// [`CertifyError::Proof`] if an invariant is no Boolean term over the state, an induction has depth 0, or its states differ in
    /// something else than state variables; also if the first states depend on more than the state.
    pub fn new(system: &TransitionSystem, proof: &Proof) -> Result<Self, CertifyError> {
        let argument = argument(system, proof)?;
        let invariant = match *proof {
            Proof::Inductive(invariant) | Proof::KInduction { invariant, .. } => Some(invariant),
            Proof::Exhausted { .. } => None,
        };
        if let Some(invariant) = invariant
            && (invariant.index() >= system.terms.len()
                || system.terms.sort(invariant) != Sort::Bool)
        {
            return malformed("the invariant is no Boolean term of the system");
        }
        let invariant_cone: Vec<Term> = invariant.into_iter().collect();
        speaks_of_the_state(system, "the invariant", &invariant_cone)?;
        let first = system.state.iter().filter_map(|variable| variable.initial);
        let first = first.chain(system.initial_constraints.iter().copied());
        speaks_of_the_state(system, "the first state", &first.collect::<Vec<Term>>())?;
        let frame = Frame::new(system, invariant).map_err(CertifyError::Proof)?;
        Ok(Self {
            subject: None,
            argument,
            frame,
        })
    }
}

fn malformed<T>(text: &str) -> Result<T, CertifyError> {
    Err(CertifyError::Proof(text.to_owned()))
}

fn argument(system: &TransitionSystem, proof: &Proof) -> Result<ProofRule, CertifyError> {
    match proof {
        Proof::Inductive(_) => Ok(ProofRule::Inductive),
        &Proof::Exhausted { depth } => Ok(ProofRule::Exhausted { depth }),
        Proof::KInduction { depth: 0, .. } => malformed("induction of depth 0"),
        &Proof::KInduction {
            depth,
            ref distinct,
            ..
        } => {
            let distinct = distinct.as_deref();
            let distinct = distinct.map(|among| positions(system, among)).transpose()?;
            Ok(ProofRule::KInduction { depth, distinct })
        }
    }
}

/// Where variables stand in the state, each once, in its order.
fn positions(system: &TransitionSystem, variables: &[Term]) -> Result<Vec<usize>, CertifyError> {
    let position = |&term: &Term| {
        let mut state = system.state.iter();
        state.position(|variable| variable.current == term)
    };
    let positions: Option<BTreeSet<usize>> = variables.iter().map(position).collect();
    positions.map_or_else(
        || malformed("states are said to differ in what is no variable of the state"),
        |positions| Ok(positions.into_iter().collect()),
    )
}

fn speaks_of_the_state(
    system: &TransitionSystem,
    what: &str,
    roots: &[Term],
) -> Result<(), CertifyError> {
    let state = system.state.iter().map(|variable| variable.current);
    let state: BTreeSet<Term> = state.collect();
    let terms = &system.terms;
    let mut symbols = terms
        .cone(roots)
        .into_iter()
        .filter(|&term| terms.is_symbol(term));
    match symbols.find(|symbol| !state.contains(symbol)) {
        None => Ok(()),
        Some(symbol) => {
            let name = terms.symbol_name(symbol).unwrap_or_default();
            malformed(&format!(
                "{what} depends on {name}, which is not part of the state"
            ))
        }
    }
}
