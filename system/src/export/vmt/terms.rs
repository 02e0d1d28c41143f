//! Terms from S-expressions, with `let`, annotations and names of earlier definitions.

use std::collections::BTreeMap;

use crate::export::ParseError;
use crate::export::s_expression::{Id, Kind, Tree};
use crate::export::smt_operators::{apply, indexed_literal, literal};
use crate::term::{Sort, Term, Terms};

/// What symbols mean where a term stands.
#[derive(Debug, Default)]
pub struct Scope {
    names: BTreeMap<String, Term>,
}

/// What is still to be done; the terms made so far are on a stack of their own.
enum Work {
    /// Make the term of an expression.
    Visit(Id),
    /// Apply the head of a list to that many terms.
    Apply(Id, usize),
    /// Bind the names of a `let` to as many terms.
    Bind(Id),
    /// Forget the bindings of a `let`: the names with what they meant before.
    Unbind(Vec<(String, Option<Term>)>),
}

impl Scope {
    /// Gives a name a meaning; `false` if it has one.
    pub fn define(&mut self, name: &str, term: Term) -> bool {
        self.names.insert(name.to_owned(), term).is_none()
    }

    /// The term of an expression. No recursion: `let`s of tools nest deeply.
    pub fn term(&mut self, terms: &mut Terms, tree: &Tree, root: Id) -> Result<Term, ParseError> {
        let (mut work, mut made) = (vec![Work::Visit(root)], Vec::new());
        while let Some(next) = work.pop() {
            match next {
                Work::Visit(id) => self.visit(terms, tree, id, &mut work, &mut made)?,
                Work::Apply(id, operands) => {
                    let (head, indices) = head(tree, id)?;
                    let operands = made.split_off(made.len() - operands);
                    let term = apply(terms, head, &indices, &operands);
                    made.push(term.map_err(|(cause, remedy)| ParseError {
                        line: tree.line(id),
                        cause,
                        remedy,
                    })?);
                }
                Work::Bind(id) => self.bind(tree, id, &mut work, &mut made)?,
                Work::Unbind(names) => self.unbind(names),
            }
        }
        made.pop().ok_or_else(|| malformed(tree, root))
    }

    fn visit(
        &self,
        terms: &mut Terms,
        tree: &Tree,
        id: Id,
        work: &mut Vec<Work>,
        made: &mut Vec<Term>,
    ) -> Result<(), ParseError> {
        let items = match tree.kind(id) {
            Kind::Atom(text) => {
                made.push(self.symbol(terms, tree, id, text)?);
                return Ok(());
            }
            Kind::List(items) => items,
        };
        match items.first().and_then(|&head| tree.atom(head)) {
            Some("!") if items.len() > 1 => work.push(Work::Visit(items[1])),
            Some("let") if items.len() == 3 => {
                work.extend([Work::Visit(items[2]), Work::Bind(id)]);
                let values =
                    tree.items(items[1])
                        .iter()
                        .map(|&binding| match tree.items(binding) {
                            &[_, value] => Ok(Work::Visit(value)),
                            _ => Err(malformed(tree, binding)),
                        });
                work.extend(
                    values
                        .collect::<Result<Vec<Work>, ParseError>>()?
                        .into_iter()
                        .rev(),
                );
            }
            Some("_") => {
                let (head, indices) = identifier(tree, id)?;
                let value = indexed_literal(head, &indices).ok_or_else(|| malformed(tree, id))?;
                made.push(terms.constant(value));
            }
            _ => {
                let operands = items.get(1..).ok_or_else(|| malformed(tree, id))?;
                work.push(Work::Apply(id, operands.len()));
                work.extend(operands.iter().rev().map(|&operand| Work::Visit(operand)));
            }
        }
        Ok(())
    }

    fn symbol(
        &self,
        terms: &mut Terms,
        tree: &Tree,
        id: Id,
        text: &str,
    ) -> Result<Term, ParseError> {
        if let Some(&term) = self.names.get(text) {
            return Ok(term);
        }
        match literal(text) {
            Some(value) => Ok(terms.constant(value)),
            None => Err(ParseError {
                line: tree.line(id),
                cause: format!("{text} is not defined"),
                remedy: "declare or define the symbol before its use",
            }),
        }
    }

    /// Replaces the order of work by: body, then the end of the scope.
    fn bind(
        &mut self,
        tree: &Tree,
        id: Id,
        work: &mut Vec<Work>,
        made: &mut Vec<Term>,
    ) -> Result<(), ParseError> {
        let bindings = tree.items(tree.items(id)[1]);
        let values = made.split_off(made.len() - bindings.len());
        let mut shadowed = Vec::new();
        for (&binding, value) in bindings.iter().zip(values) {
            let name = tree
                .items(binding)
                .first()
                .and_then(|&name| tree.atom(name));
            let name = name.ok_or_else(|| malformed(tree, binding))?.to_owned();
            shadowed.push((name.clone(), self.names.insert(name, value)));
        }
        let body = work.pop();
        work.push(Work::Unbind(shadowed));
        work.extend(body);
        Ok(())
    }

    fn unbind(&mut self, names: Vec<(String, Option<Term>)>) {
        for (name, before) in names.into_iter().rev() {
            match before {
                Some(term) => self.names.insert(name, term),
                None => self.names.remove(&name),
            };
        }
    }
}

/// The operator of a list and its indices.
fn head(tree: &Tree, list: Id) -> Result<(&str, Vec<u32>), ParseError> {
    let head = *tree
        .items(list)
        .first()
        .ok_or_else(|| malformed(tree, list))?;
    match tree.atom(head) {
        Some(name) => Ok((name, Vec::new())),
        None => identifier(tree, head),
    }
}

/// `(_ name index...)`.
fn identifier(tree: &Tree, id: Id) -> Result<(&str, Vec<u32>), ParseError> {
    let atoms: Option<Vec<&str>> = tree.items(id).iter().map(|&item| tree.atom(item)).collect();
    let malformed = || malformed(tree, id);
    match atoms.ok_or_else(malformed)?.as_slice() {
        &["_", name, ref indices @ ..] => {
            let indices: Option<Vec<u32>> =
                indices.iter().map(|index| index.parse().ok()).collect();
            Ok((name, indices.ok_or_else(malformed)?))
        }
        _ => Err(malformed()),
    }
}

/// The sort of an expression.
pub fn sort(tree: &Tree, id: Id) -> Result<Sort, ParseError> {
    if tree.atom(id) == Some("Bool") {
        return Ok(Sort::Bool);
    }
    if let Ok(("BitVec", indices)) = identifier(tree, id)
        && let &[width @ 1..=128] = indices.as_slice()
    {
        return Ok(Sort::BitVec(width));
    }
    Err(ParseError {
        line: tree.line(id),
        cause: "this sort is not supported".to_owned(),
        remedy: "use Bool, or (_ BitVec n) with 1 to 128 bits",
    })
}

/// An expression that has the wrong shape.
pub fn malformed(tree: &Tree, id: Id) -> ParseError {
    ParseError {
        line: tree.line(id),
        cause: "this expression is not well formed".to_owned(),
        remedy: "write SMT-LIB 2 commands and terms",
    }
}
