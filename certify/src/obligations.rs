//! What a proof claims, as SMT-LIB scripts that must be unsatisfiable.
//!
//! Let I be the initial states, C the invariant constraints, T the transitions with their guard, B the disjunction of
//! the bad terms. A run considered is one with C in every state. For an inductive invariant V:
//!
//! * initiation: `I(s) and C(s) and not V(s)`;
//! * consecution: `V(s) and C(s) and T(s, s') and C(s') and not V(s')`;
//! * safety: `V(s) and C(s) and B(s)`.
//!
//! K-induction adds a base and a step instead of safety. The step may assume that all its states differ, the bad one
//! included, and even that they differ in some variables D alone, if these decide what happens:
//!
//! * projection: two states that satisfy V, have the same values of D and the same inputs agree on B, C, the guard and the next
//!   values of D.
//!
//! For take a shortest violation. If two of its states agreed on D, the run could be cut there: what follows the later state
//! follows the earlier one as well, under the same inputs, up to variables on which neither transitions nor violation depend.

use std::collections::BTreeSet;

use system::term::{Sort, Term};
use system::transition_system::{Proof, TransitionSystem};

use crate::CertifyError;
use crate::script::Script;

/// A script without check: it declares, defines and asserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// One word.
    pub name: String,
    /// Why it must be unsatisfiable, in one line.
    pub meaning: &'static str,
    /// SMT-LIB commands.
    pub script: String,
}

/// The obligations of a proof.
///
/// # Errors
/// [`CertifyError::Proof`] if an invariant is no Boolean term over the state, an induction has depth 0, or its states differ in
/// something else than state variables.
pub fn obligations(
    system: &TransitionSystem,
    proof: &Proof,
) -> Result<Vec<Obligation>, CertifyError> {
    match *proof {
        Proof::Inductive(invariant) => {
            check_invariant(system, invariant)?;
            Ok(vec![
                initiation(system, invariant),
                consecution(system, invariant),
                safety(system, invariant),
            ])
        }
        Proof::KInduction { depth: 0, .. } => {
            Err(CertifyError::Proof("induction of depth 0".to_owned()))
        }
        Proof::KInduction {
            depth,
            ref distinct,
            invariant,
        } => {
            check_invariant(system, invariant)?;
            check_variables(system, distinct.as_deref().unwrap_or_default())?;
            let mut obligations = vec![
                initiation(system, invariant),
                consecution(system, invariant),
                base(system, depth - 1),
            ];
            let distinct = distinct.as_deref();
            obligations.extend(distinct.map(|among| projection(system, among, invariant)));
            obligations.push(step(system, depth, distinct, invariant));
            Ok(obligations)
        }
        Proof::Exhausted { depth } => Ok(vec![base(system, depth), end(system, depth)]),
    }
}

fn check_invariant(system: &TransitionSystem, invariant: Term) -> Result<(), CertifyError> {
    let malformed = |text: &str| Err(CertifyError::Proof(text.to_owned()));
    if invariant.index() >= system.terms.len() || system.terms.sort(invariant) != Sort::Bool {
        return malformed("the invariant is no Boolean term of the system");
    }
    let is_state = |symbol: &Term| {
        system
            .state
            .iter()
            .any(|variable| variable.current == *symbol)
    };
    let symbols = system
        .terms
        .cone(&[invariant])
        .into_iter()
        .filter(|&term| system.terms.is_symbol(term));
    match symbols.into_iter().find(|symbol| !is_state(symbol)) {
        None => Ok(()),
        Some(symbol) => {
            let name = system.terms.symbol_name(symbol).unwrap_or_default();
            malformed(&format!(
                "the invariant depends on {name}, which is not part of the state"
            ))
        }
    }
}

fn check_variables(system: &TransitionSystem, variables: &[Term]) -> Result<(), CertifyError> {
    let state = system.state.iter().map(|variable| variable.current);
    let state: BTreeSet<Term> = state.collect();
    if variables.iter().all(|variable| state.contains(variable)) {
        return Ok(());
    }
    Err(CertifyError::Proof(
        "states are said to differ in what is no variable of the state".to_owned(),
    ))
}

fn initiation(system: &TransitionSystem, invariant: Term) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[invariant]);
    script.assert_initial();
    script.assert_constraints();
    script.assert_not(invariant);
    script.obligation("initiation", "the invariant holds initially")
}

fn consecution(system: &TransitionSystem, invariant: Term) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[invariant]);
    script.assert(invariant);
    script.assert_constraints();
    script.transition(&[invariant]);
    script.assert_constraints();
    script.assert_not(invariant);
    script.obligation("consecution", "every transition preserves the invariant")
}

fn safety(system: &TransitionSystem, invariant: Term) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[invariant]);
    script.assert(invariant);
    script.assert_constraints();
    script.assert_bad();
    script.obligation("safety", "no state of the invariant is bad")
}

/// The runs of at most `depth` transitions; a run may end anywhere, so its assertions are collected, not asserted.
fn base(system: &TransitionSystem, depth: usize) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[]);
    script.assert_initial();
    script.start_run();
    for _ in 0..depth {
        script.extend_run();
    }
    script.assert_run_bad();
    script.obligation("base", "no run that short ends in a bad state")
}

fn step(
    system: &TransitionSystem,
    depth: usize,
    distinct: Option<&[Term]>,
    invariant: Term,
) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[invariant]);
    for _ in 0..depth {
        script.assert(invariant);
        script.assert_constraints();
        script.assert_good();
        script.transition(&[invariant]);
    }
    script.assert(invariant);
    script.assert_constraints();
    script.assert_bad();
    if let Some(among) = distinct {
        script.assert_distinct(among);
    }
    script.obligation("step", "no good states of the invariant lead to a bad one")
}

fn projection(system: &TransitionSystem, among: &[Term], invariant: Term) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[invariant]);
    script.assert(invariant);
    script.assert_constraints();
    script.assert_distinguishable(among, &[invariant]);
    script.assert(invariant);
    script.obligation(
        "projection",
        "the variables in which states differ decide what happens",
    )
}

fn end(system: &TransitionSystem, depth: usize) -> Obligation {
    let mut script = Script::new(system);
    script.frame(&[]);
    script.assert_initial();
    script.assert_constraints();
    for _ in 0..=depth {
        script.transition(&[]);
        script.assert_constraints();
    }
    script.obligation("end", "no run is longer")
}
