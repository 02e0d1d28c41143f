//! Constrained Horn clauses: the system as SMT-LIB in the logic HORN.
//!
//! One predicate `Inv` over the state holds in all reachable states: it holds in initial states, and in successors of
//! states in which it holds, and in no bad state. The clauses are satisfiable iff no property is violated; a model is
//! an inductive invariant. Invariant constraints restrict the source states of transitions and the bad states. So `Inv`
//! may hold in a state that violates the constraints, but no clause derives anything from this state.

use super::smt_lib::{Writer, line, sort};
use crate::term::Term;
use crate::transition_system::TransitionSystem;

/// The system as Horn clauses: one for initial states, one for transitions, one for each property.
pub fn print(system: &TransitionSystem) -> String {
    let clauses = Clauses::new(system);
    let mut out = String::new();
    line(&mut out, format_args!("(set-logic HORN)"));
    let sorts = system
        .state
        .iter()
        .map(|variable| sort(system.terms.sort(variable.current)));
    let sorts: Vec<String> = sorts.collect();
    line(
        &mut out,
        format_args!("(declare-fun {INVARIANT} ({}) Bool)", sorts.join(" ")),
    );
    clauses.initial(&mut out);
    clauses.transition(&mut out);
    for property in &system.properties {
        // A comment ends with its line.
        let name = property.name.replace(char::is_control, " ");
        line(&mut out, format_args!("; property: {name}"));
        clauses.property(&mut out, property.bad);
    }
    line(&mut out, format_args!("(check-sat)"));
    out
}

const INVARIANT: &str = "Inv";

struct Clauses<'a> {
    system: &'a TransitionSystem,
    writer: Writer<'a>,
    state: Vec<(String, String)>,
    /// What stands for a next value that is arbitrary, with its sort, by position in the state.
    arbitrary: Vec<Option<(String, String)>>,
}

impl<'a> Clauses<'a> {
    fn new(system: &'a TransitionSystem) -> Self {
        let terms = &system.terms;
        let mut writer = Writer::new(terms);
        // The first wish is granted: no variable gets the name of the predicate.
        writer.unique(INVARIANT);
        let state = system.state.iter().map(|variable| variable.current);
        let state: Vec<(String, String)> = state
            .map(|symbol| (writer.name(symbol), sort(terms.sort(symbol))))
            .collect();
        let arbitrary = system.state.iter().map(|variable| match variable.next {
            Some(_) => None,
            None => {
                let name = terms.symbol_name(variable.current).unwrap_or_default();
                let sort = sort(terms.sort(variable.current));
                Some((writer.unique(&format!("{name}.next")), sort))
            }
        });
        let arbitrary = arbitrary.collect();
        Self {
            system,
            writer,
            state,
            arbitrary,
        }
    }

    fn initial(&self, out: &mut String) {
        let mut writer = self.writer.clone();
        let values = self.system.state.iter();
        let equations: Vec<(Term, Term)> = values
            .filter_map(|variable| Some((variable.current, variable.initial?)))
            .collect();
        let mut roots: Vec<Term> = equations.iter().map(|&(_, value)| value).collect();
        roots.extend(&self.system.initial_constraints);
        let mut clause = Clause::new(&mut writer, &self.state, &roots);
        for (variable, value) in equations {
            let (variable, value) = (writer.term(variable), writer.term(value));
            clause.premises.push(format!("(= {variable} {value})"));
        }
        clause.assume(&writer, &self.system.initial_constraints);
        let names = self.state.iter().map(|(name, _)| name.clone());
        clause.conclude(out, &invariant(names));
    }

    fn transition(&self, out: &mut String) {
        let mut writer = self.writer.clone();
        let next = self.system.state.iter().map(|variable| variable.next);
        let next: Vec<Option<Term>> = next.collect();
        let mut roots: Vec<Term> = next.iter().flatten().copied().collect();
        roots.extend(self.considered(self.system.guard));
        let arbitrary = self.arbitrary.iter().flatten().cloned();
        let free: Vec<(String, String)> = self.state.iter().cloned().chain(arbitrary).collect();
        let mut clause = Clause::new(&mut writer, &free, &roots);
        clause.premises.push(self.reached());
        clause.assume(&writer, &self.considered(self.system.guard));
        let values = next.iter().zip(&self.arbitrary);
        let values = values.map(|(next, arbitrary)| match (next, arbitrary) {
            (Some(next), _) => writer.term(*next),
            (None, arbitrary) => arbitrary.clone().unwrap_or_default().0,
        });
        clause.conclude(out, &invariant(values));
    }

    fn property(&self, out: &mut String, bad: Term) {
        let mut writer = self.writer.clone();
        let assumed = self.considered(bad);
        let mut clause = Clause::new(&mut writer, &self.state, &assumed);
        clause.premises.push(self.reached());
        clause.assume(&writer, &assumed);
        clause.conclude(out, "false");
    }

    fn reached(&self) -> String {
        invariant(self.state.iter().map(|(name, _)| name.clone()))
    }

    /// The invariant constraints, and one more formula.
    fn considered(&self, formula: Term) -> Vec<Term> {
        let constraints = self.system.invariant_constraints.iter().copied();
        constraints.chain([formula]).collect()
    }
}

fn invariant(arguments: impl Iterator<Item = String>) -> String {
    let arguments: Vec<String> = arguments.collect();
    match arguments.as_slice() {
        [] => INVARIANT.to_owned(),
        _ => format!("({INVARIANT} {})", arguments.join(" ")),
    }
}

/// `forall variables: let definitions in premises imply a conclusion`.
struct Clause {
    variables: Vec<(String, String)>,
    /// The definitions of shared subterms, opened, and as many closing parentheses.
    definitions: (String, String),
    premises: Vec<String>,
}

impl Clause {
    /// Names what `roots` are made of; the variables that are not `known` are the inputs among them.
    fn new(writer: &mut Writer<'_>, known: &[(String, String)], roots: &[Term]) -> Self {
        let mut variables = known.to_vec();
        variables.extend(writer.name_all(roots));
        Self {
            variables,
            definitions: writer.bind(roots),
            premises: Vec::new(),
        }
    }

    fn assume(&mut self, writer: &Writer<'_>, formulas: &[Term]) {
        let formulas = formulas.iter().map(|&formula| writer.term(formula));
        self.premises.extend(formulas);
    }

    fn conclude(self, out: &mut String, conclusion: &str) {
        let (before, after) = self.definitions;
        let premises = match self.premises.as_slice() {
            [] => "true".to_owned(),
            [premise] => premise.clone(),
            premises => format!("(and {})", premises.join(" ")),
        };
        let body = format!("{before}(=> {premises} {conclusion}){after}");
        let variables = self.variables.iter();
        let variables: Vec<String> = variables
            .map(|(name, sort)| format!("({name} {sort})"))
            .collect();
        if variables.is_empty() {
            line(out, format_args!("(assert {body})"));
        } else {
            let variables = variables.join(" ");
            line(out, format_args!("(assert (forall ({variables}) {body}))"));
        }
    }
}
