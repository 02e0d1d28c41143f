//! Constrained Horn clauses: what unknown relations have to satisfy.
//!
//! A clause says that a conclusion follows where relations hold of some terms and constraints hold. Clauses are satisfiable iff there are
//! relations of which all clauses are true, whatever the values of the variables in them.

use crate::export::smt_lib::{Writer, line, sort};
use crate::term::{Sort, Term, Terms};

/// Clauses about unknown relations.
#[derive(Clone, Debug)]
pub struct HornClauses {
    /// The arena of all terms in the clauses; their symbols are variables.
    pub terms: Terms,
    /// The unknown relations.
    pub relations: Vec<Relation>,
    /// What they have to satisfy.
    pub clauses: Vec<Clause>,
}

/// An unknown relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relation {
    /// For people; no other relation has it.
    pub name: String,
    /// The sorts of its arguments.
    pub sorts: Vec<Sort>,
}

/// That a relation holds of some terms.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Application {
    /// Which relation, by its position in [`HornClauses::relations`].
    pub relation: usize,
    /// As many as the relation has, of its sorts.
    pub arguments: Vec<Term>,
}

/// That a conclusion follows from premises, for all values of the variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// For people; empty if there is nothing to say.
    pub meaning: String,
    /// Relations that hold.
    pub premises: Vec<Application>,
    /// Boolean terms that hold.
    pub constraints: Vec<Term>,
    /// What follows; if absent, the premises do not hold together.
    pub conclusion: Option<Application>,
}

impl HornClauses {
    /// The clauses as SMT-LIB in the logic HORN.
    pub fn print(&self) -> String {
        let mut writer = Writer::new(&self.terms);
        let mut out = String::new();
        line(&mut out, format_args!("(set-logic HORN)"));
        // The first wishes are granted: no variable gets the name of a relation.
        let names = self.relations.iter();
        let names: Vec<String> = names
            .map(|relation| writer.unique(&relation.name))
            .collect();
        for (relation, name) in self.relations.iter().zip(&names) {
            let sorts: Vec<String> = relation.sorts.iter().map(|&of| sort(of)).collect();
            let sorts = sorts.join(" ");
            line(
                &mut out,
                format_args!("(declare-fun {name} ({sorts}) Bool)"),
            );
        }
        for clause in &self.clauses {
            if !clause.meaning.is_empty() {
                // A comment ends with its line.
                let meaning = clause.meaning.replace(char::is_control, " ");
                line(&mut out, format_args!("; {meaning}"));
            }
            clause.print(&mut out, writer.clone(), &names);
        }
        line(&mut out, format_args!("(check-sat)"));
        out
    }
}

impl Clause {
    /// `forall variables: let definitions in premises imply a conclusion`.
    fn print(&self, out: &mut String, mut writer: Writer<'_>, names: &[String]) {
        let applications = self.premises.iter().chain(&self.conclusion);
        let roots = applications.flat_map(|application| application.arguments.iter().copied());
        let roots: Vec<Term> = roots.chain(self.constraints.iter().copied()).collect();
        let variables = writer.name_all(&roots);
        let (before, after) = writer.bind(&roots);
        let apply = |application: &Application| {
            let name = &names[application.relation];
            let arguments = application.arguments.iter();
            let arguments: Vec<String> = arguments.map(|&term| writer.term(term)).collect();
            match arguments.is_empty() {
                true => name.clone(),
                false => format!("({name} {})", arguments.join(" ")),
            }
        };
        let premises = self.premises.iter().map(apply);
        let constraints = self.constraints.iter().map(|&term| writer.term(term));
        let premises: Vec<String> = premises.chain(constraints).collect();
        let premises = match premises.as_slice() {
            [] => "true".to_owned(),
            [premise] => premise.clone(),
            premises => format!("(and {})", premises.join(" ")),
        };
        let conclusion = self.conclusion.as_ref();
        let conclusion = conclusion.map_or_else(|| "false".to_owned(), apply);
        let body = format!("{before}(=> {premises} {conclusion}){after}");
        let variables = variables.iter();
        let variables: Vec<String> = variables
            .map(|(name, sort)| format!("({name} {sort})"))
            .collect();
        match variables.join(" ").as_str() {
            "" => line(out, format_args!("(assert {body})")),
            variables => line(out, format_args!("(assert (forall ({variables}) {body}))")),
        }
    }
}
