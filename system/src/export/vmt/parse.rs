//! Reading VMT.

use rustc_hash::{FxHashMap, FxHashSet};

use super::terms::{Scope, malformed, sort};
use crate::export::ParseError;
use crate::export::equations::solve;
use crate::export::s_expression::{Id, Tree};
use crate::term::{Sort, Term, Terms};
use crate::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// Reads a system. A transition relation is solved for the next values where it equates them with terms over state and
/// inputs; the next values that remain become inputs, and what remains of the relation becomes the guard.
///
/// # Errors
/// Line, cause and remedy if the text is not VMT over Booleans and bit-vectors with invariant properties.
pub fn parse(text: &str) -> Result<TransitionSystem, ParseError> {
    let (tree, commands) = Tree::parse(text)?;
    let mut reader = Reader {
        tree: &tree,
        terms: Terms::new(),
        scope: Scope::default(),
        found: Found::default(),
    };
    for command in commands {
        reader.command(command)?;
    }
    reader.finish()
}

/// What the annotations say.
#[derive(Default)]
struct Found {
    declared: Vec<Term>,
    /// Current and next symbols.
    state: Vec<(Term, Term)>,
    initial: Vec<(Id, Term)>,
    transition: Vec<Term>,
    good: Vec<(Id, String, Term)>,
}

struct Reader<'a> {
    tree: &'a Tree,
    terms: Terms,
    scope: Scope,
    found: Found,
}

impl Reader<'_> {
    fn error(&self, id: Id, cause: impl Into<String>, remedy: &'static str) -> ParseError {
        ParseError {
            line: self.tree.line(id),
            cause: cause.into(),
            remedy,
        }
    }

    fn command(&mut self, id: Id) -> Result<(), ParseError> {
        let items = self.tree.items(id);
        let head = items.first().and_then(|&head| self.tree.atom(head));
        match (head, items) {
            (Some("declare-fun"), &[_, name, parameters, result]) => self.declare(id, name, Some(parameters), result),
            (Some("declare-const"), &[_, name, result]) => self.declare(id, name, None, result),
            (Some("define-fun"), &[_, name, parameters, result, body]) => {
                self.define(id, name, Some(parameters), result, body)
            }
            (Some("define-const"), &[_, name, result, body]) => self.define(id, name, None, result, body),
            (Some("set-info" | "set-logic" | "set-option" | "check-sat" | "exit"), _) => Ok(()),
            (Some("assert"), &[_, formula]) if self.tree.atom(formula) == Some("true") => Ok(()),
            (Some(head), _) => Err(self.error(
                id,
                format!("the command {head} is not supported here"),
                "use declare-fun and define-fun without parameters; state assumptions in :init or :trans",
            )),
            (None, _) => Err(malformed(self.tree, id)),
        }
    }

    fn declare(
        &mut self,
        id: Id,
        name: Id,
        parameters: Option<Id>,
        result: Id,
    ) -> Result<(), ParseError> {
        let (name, sort) = (self.head(id, name, parameters)?, sort(self.tree, result)?);
        let symbol = self.terms.symbol(name.clone(), sort);
        self.found.declared.push(symbol);
        self.bind(id, &name, symbol)
    }

    fn define(
        &mut self,
        id: Id,
        name: Id,
        parameters: Option<Id>,
        result: Id,
        body: Id,
    ) -> Result<(), ParseError> {
        let (name, sort) = (self.head(id, name, parameters)?, sort(self.tree, result)?);
        let term = self.scope.term(&mut self.terms, self.tree, body)?;
        if self.terms.sort(term) != sort {
            return Err(self.error(
                body,
                format!("{name} does not have the declared sort"),
                "correct the sort",
            ));
        }
        if self
            .tree
            .items(body)
            .first()
            .is_some_and(|&head| self.tree.atom(head) == Some("!"))
        {
            self.annotations(body, &name, term)?;
        }
        self.bind(id, &name, term)
    }

    /// The name of something without parameters.
    fn head(&self, id: Id, name: Id, parameters: Option<Id>) -> Result<String, ParseError> {
        if parameters
            .is_some_and(|list| !self.tree.items(list).is_empty() || self.tree.atom(list).is_some())
        {
            return Err(self.error(
                id,
                "a function with parameters",
                "expand it: symbols here have no parameters",
            ));
        }
        let name = self
            .tree
            .atom(name)
            .ok_or_else(|| malformed(self.tree, id))?;
        Ok(name.to_owned())
    }

    fn bind(&mut self, id: Id, name: &str, term: Term) -> Result<(), ParseError> {
        if self.scope.define(name, term) {
            return Ok(());
        }
        Err(self.error(id, format!("{name} is defined twice"), "rename one of them"))
    }

    /// `(! term :key value ...)`.
    fn annotations(&mut self, body: Id, name: &str, term: Term) -> Result<(), ParseError> {
        let items = self.tree.items(body);
        for (position, &key) in items.iter().enumerate().skip(2) {
            let value = items.get(position + 1).copied();
            let is_bool = self.terms.sort(term) == Sort::Bool;
            match self.tree.atom(key) {
                Some(":init" | ":trans" | ":invar-property") if !is_bool => {
                    return Err(self.error(
                        body,
                        format!("{name} is not Boolean"),
                        "annotate a formula",
                    ));
                }
                Some(":init") => self.found.initial.push((body, term)),
                Some(":trans") => self.found.transition.push(term),
                Some(":invar-property") => self.found.good.push((body, name.to_owned(), term)),
                Some(":next") => self.state_variable(body, term, value)?,
                Some(":live-property") => {
                    return Err(self.error(
                        body,
                        "a liveness property",
                        "only invariant properties are supported",
                    ));
                }
                Some(_) | None => {}
            }
        }
        Ok(())
    }

    fn state_variable(
        &mut self,
        body: Id,
        current: Term,
        value: Option<Id>,
    ) -> Result<(), ParseError> {
        let value = value.ok_or_else(|| malformed(self.tree, body))?;
        let next = self.scope.term(&mut self.terms, self.tree, value)?;
        let taken = |symbol| {
            self.found
                .state
                .iter()
                .any(|&(a, b)| a == symbol || b == symbol)
        };
        let fits = self.terms.is_symbol(current)
            && self.terms.is_symbol(next)
            && self.terms.sort(current) == self.terms.sort(next)
            && current != next
            && !taken(current)
            && !taken(next);
        if !fits {
            return Err(self.error(
                body,
                ":next does not pair two symbols of one sort",
                "pair each symbol once",
            ));
        }
        self.found.state.push((current, next));
        Ok(())
    }

    /// Whether a term mentions one of the symbols.
    fn mentions(&self, term: Term, symbols: &FxHashSet<Term>) -> bool {
        self.terms
            .cone(&[term])
            .iter()
            .any(|part| symbols.contains(part))
    }

    /// Properties speak of one state, initial formulas of the state variables of it.
    fn check(&self) -> Result<(), ParseError> {
        let next: FxHashSet<Term> = self.found.state.iter().map(|&(_, next)| next).collect();
        let current: FxHashSet<Term> = self
            .found
            .state
            .iter()
            .map(|&(current, _)| current)
            .collect();
        let is_other = |symbol: &Term| !current.contains(symbol);
        let other: FxHashSet<Term> = self
            .found
            .declared
            .iter()
            .copied()
            .filter(is_other)
            .collect();
        for (id, name, good) in &self.found.good {
            if self.mentions(*good, &next) {
                return Err(self.error(
                    *id,
                    format!("{name} speaks of a next state"),
                    "use current symbols",
                ));
            }
        }
        for &(id, initial) in &self.found.initial {
            if self.mentions(initial, &other) {
                return Err(self.error(
                    id,
                    ":init speaks of inputs or of a next state",
                    "use state variables",
                ));
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<TransitionSystem, ParseError> {
        self.check()?;
        let Found {
            declared,
            state,
            initial,
            transition,
            good,
        } = self.found;
        let mut terms = self.terms;
        let initial = terms.and_all(initial.into_iter().map(|(_, formula)| formula));
        let current: FxHashSet<Term> = state.iter().map(|&(current, _)| current).collect();
        let initial = solve(&mut terms, initial, &current);
        let next: FxHashSet<Term> = state.iter().map(|&(_, next)| next).collect();
        let transition = terms.and_all(transition);
        let transition = solve(&mut terms, transition, &next);
        let rest = terms.and_all(transition.rest);
        let guard = terms.substitute(&[rest], &transition.values)[0];
        let is_input =
            |symbol: &Term| !current.contains(symbol) && !transition.values.contains_key(symbol);
        let properties = good
            .into_iter()
            .map(|(_, name, good)| Property {
                name,
                role: Role::Violation,
                bad: terms.not(good),
            })
            .collect();
        Ok(TransitionSystem {
            state: variables(&state, &initial.values, &transition.values),
            inputs: declared.into_iter().filter(is_input).collect(),
            initial_constraints: initial.rest,
            guard,
            invariant_constraints: Vec::new(),
            properties,
            terms,
        })
    }
}

fn variables(
    state: &[(Term, Term)],
    initial: &FxHashMap<Term, Term>,
    transition: &FxHashMap<Term, Term>,
) -> Vec<StateVariable> {
    let variable = |&(current, next): &(Term, Term)| StateVariable {
        current,
        initial: initial.get(&current).copied(),
        next: Some(transition.get(&next).copied().unwrap_or(next)),
    };
    state.iter().map(variable).collect()
}
