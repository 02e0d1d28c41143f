//! Proofs of IC3 with a fault put into them: the certificate is rejected exactly if the fault matters.

use certify::{Certificate, CertifyError, SolverCommand};
use ic3::{Ctigar, CtigarOptions, Engine};
use system::budget::Budget;
use system::term::{Binary, Node, Term, Terms, Unary};
use system::testing::{Random, is_inductive};
use system::transition_system::{Proof, TransitionSystem, Verdict};

use system::testing::fixtures;

/// How many bits of state and inputs the reference enumerates.
const SMALL: u32 = 12;
const MUTANTS: usize = 6;

/// A conjunction of disjunctions.
type Clauses = Vec<Vec<Term>>;

/// The invariant of IC3, with the system that its terms are in.
fn proof(system: &TransitionSystem) -> Option<(TransitionSystem, Clauses)> {
    let mut system = system.clone();
    let mut engine = Ctigar::new(CtigarOptions::default());
    let verdict = engine.check(&mut system, &Budget::unlimited());
    let Verdict::Safe(Proof::Inductive(invariant)) = verdict else {
        return None;
    };
    let lemmas = parts(&mut system.terms, invariant, Binary::And);
    let clauses = lemmas.into_iter();
    let clauses = clauses.map(|lemma| parts(&mut system.terms, lemma, Binary::Or));
    let clauses = clauses.collect();
    Some((system, clauses))
}

/// The operands of nested conjunctions or disjunctions, negated ones of the other included.
fn parts(terms: &mut Terms, root: Term, operator: Binary) -> Vec<Term> {
    let (mut open, mut parts) = (vec![(root, false)], Vec::new());
    while let Some((term, negated)) = open.pop() {
        let node = terms.node(term);
        if let Node::Unary(Unary::Not, inner) = node {
            open.push((inner, !negated));
        } else if let Node::Binary(found @ (Binary::And | Binary::Or), a, b) = node
            && (found == operator) != negated
        {
            open.extend([(b, negated), (a, negated)]);
        } else {
            parts.push(if negated { terms.not(term) } else { term });
        }
    }
    parts
}

/// The faults that a proof may have: a lemma is missing or turned around, a literal is missing, turned around or too many.
fn mutate(random: &mut Random, terms: &mut Terms, clauses: &mut Clauses) -> &'static str {
    let lemma = random.below(clauses.len());
    let other = random.below(clauses.len());
    let foreign = random.pick(&clauses[other]);
    let literal = random.below(clauses[lemma].len());
    match random.below(5) {
        0 => {
            clauses.remove(lemma);
            "a lemma is missing"
        }
        1 => {
            let clause = terms.or_all(clauses[lemma].iter().copied());
            clauses[lemma] = vec![terms.not(clause)];
            "a lemma is turned around"
        }
        2 => {
            clauses[lemma].remove(literal);
            "a literal is missing"
        }
        3 => {
            let turned = terms.not(clauses[lemma][literal]);
            clauses[lemma][literal] = turned;
            "a literal is turned around"
        }
        _ => {
            clauses[lemma].push(foreign);
            "a literal is too many"
        }
    }
}

fn conjunction(terms: &mut Terms, clauses: &Clauses) -> Term {
    let clauses = clauses.iter();
    let clauses: Vec<Term> = clauses
        .map(|clause| terms.or_all(clause.iter().copied()))
        .collect();
    terms.and_all(clauses)
}

/// Whether the proof is accepted, by way of its file.
fn is_certified(system: &TransitionSystem, invariant: Term) -> bool {
    let certificate = Certificate::new(system, &Proof::Inductive(invariant)).expect("a claim");
    let file = certificate.print(&[]);
    let read = Certificate::parse(&file).unwrap_or_else(|error| panic!("{error:?}\n{file}"));
    match read.discharge(&SolverCommand::default()) {
        Ok(_) => true,
        Err(CertifyError::Refuted { .. }) => false,
        Err(error) => panic!("{error}"),
    }
}

fn is_small(system: &TransitionSystem) -> bool {
    let state = system.state.iter().map(|variable| variable.current);
    let variables = state.chain(system.inputs.iter().copied());
    let bits: u32 = variables.map(|variable| system.terms.width(variable)).sum();
    bits <= SMALL
}

#[test]
fn certificates_are_rejected_iff_a_fault_matters() {
    let (mut systems, mut accepted, mut rejected) = (0, 0, 0);
    let safe = fixtures().into_iter();
    let safe = safe.filter(|fixture| fixture.violation.is_none() && is_small(&fixture.system));
    for fixture in safe {
        let (mut system, clauses) = proof(&fixture.system).expect("IC3 proves it");
        let whole = conjunction(&mut system.terms, &clauses);
        assert!(is_certified(&system, whole) && is_inductive(&system, whole));
        systems += 1;
        let mut random = Random::new(systems);
        for _ in 0..MUTANTS {
            let mut mutant = clauses.clone();
            let fault = mutate(&mut random, &mut system.terms, &mut mutant);
            let invariant = conjunction(&mut system.terms, &mutant);
            let holds = is_inductive(&system, invariant);
            let certified = is_certified(&system, invariant);
            assert_eq!(certified, holds, "{}: {fault}", fixture.name);
            *(if certified {
                &mut accepted
            } else {
                &mut rejected
            }) += 1;
        }
    }
    assert!(
        systems >= 8 && rejected >= 20 && accepted >= 3,
        "{systems} systems, {rejected} rejected, {accepted} accepted"
    );
}
