//! A formula as clauses, as Z3 writes them.

use std::collections::HashMap;

use crate::words::{Word, words};

/// A variable, numbered from 1, or its negation: the same number, negative.
pub type Lit = i32;

/// Clauses over numbered variables, all of which must hold.
pub type Clauses = Vec<Vec<Lit>>;

/// The commands that ask for clauses that can hold together if and only if a formula can.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClauseCommands {
    /// For a formula about a run, where most equations say what the next state is.
    pub run: &'static str,
    /// For any other one.
    pub formula: &'static str,
}

/// What Z3 has to be told; the names of new variables in the clauses, `k!` and a number, are none of a certificate. Without equations that
/// define states, `solve-eqs` does harm: a chain of sums becomes as many sums that share nothing.
pub const ASK_Z3: ClauseCommands = ClauseCommands {
    run: "(set-option :pp.max_depth 1000000)\n\
        (set-option :pp.min_alias_size 1000000)\n\
        (set-option :pp.single_line true)\n\
        (apply (then simplify propagate-values solve-eqs bit-blast tseitin-cnf))",
    formula: "(set-option :pp.max_depth 1000000)\n\
        (set-option :pp.min_alias_size 1000000)\n\
        (set-option :pp.single_line true)\n\
        (apply (then simplify propagate-values bit-blast tseitin-cnf))",
};

/// Reads `(goals (goal <clause> ... :precision precise :depth <number>))`; `None` if this is anything else.
///
/// A clause is a literal or `(or <literal> ...)`; a literal is an atom or `(not <atom>)`, and an atom `true`, `false` or a variable.
pub fn parse(text: &str) -> Option<Clauses> {
    let text = text.replace('\n', " ");
    let words = words(&text).ok()?;
    let start = [
        Word::Open,
        Word::Plain("goals"),
        Word::Open,
        Word::Plain("goal"),
    ];
    let inner = words.strip_prefix(start.as_slice())?;
    let (rest, end) = inner.split_last_chunk()?;
    let [
        Word::Plain(":precision"),
        Word::Plain("precise"),
        Word::Plain(":depth"),
        Word::Plain(_),
        Word::Close,
        Word::Close,
    ] = end
    else {
        return None;
    };
    let mut reader = Reader {
        rest,
        variables: HashMap::new(),
    };
    let mut clauses = Clauses::new();
    while !reader.rest.is_empty() {
        clauses.extend(reader.clause()?);
    }
    Some(clauses)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Literal {
    Constant(bool),
    Variable(Lit),
}

struct Reader<'a> {
    rest: &'a [Word<'a>],
    variables: HashMap<&'a str, Lit>,
}

impl<'a> Reader<'a> {
    /// The clause without constants, if these do not make it true.
    fn clause(&mut self) -> Option<Option<Vec<Lit>>> {
        let mut literals = Vec::new();
        if let [Word::Open, Word::Plain("or"), rest @ ..] = self.rest {
            self.rest = rest;
            while *self.rest.first()? != Word::Close {
                literals.push(self.literal()?);
            }
            self.rest = &self.rest[1..];
        } else {
            literals.push(self.literal()?);
        }
        let holds = literals.contains(&Literal::Constant(true));
        let variables = literals.into_iter().filter_map(|literal| match literal {
            Literal::Constant(_) => None,
            Literal::Variable(literal) => Some(literal),
        });
        Some((!holds).then(|| variables.collect()))
    }

    fn literal(&mut self) -> Option<Literal> {
        let (atom, negated, rest) = match *self.rest {
            [
                Word::Open,
                Word::Plain("not"),
                atom,
                Word::Close,
                ref rest @ ..,
            ] => (atom, true, rest),
            [atom, ref rest @ ..] => (atom, false, rest),
            [] => return None,
        };
        self.rest = rest;
        let (name, is_name) = match atom {
            Word::Open | Word::Close => return None,
            Word::Plain("true") => return Some(Literal::Constant(!negated)),
            Word::Plain("false") => return Some(Literal::Constant(negated)),
            Word::Plain(name) => (
                name,
                !["not", "or"].contains(&name) && !name.starts_with([':', '#']),
            ),
            Word::Quoted(name) => (name, true),
        };
        let variable = self.variable(name).filter(|_| is_name)?;
        Some(Literal::Variable(if negated {
            -variable
        } else {
            variable
        }))
    }

    /// The variable of a name, which means the same with and without bars.
    fn variable(&mut self, name: &'a str) -> Option<Lit> {
        let next = Lit::try_from(self.variables.len() + 1).ok()?;
        Some(*self.variables.entry(name).or_insert(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_z3_writes_is_read() {
        let text = "(goals\n(goal\n  (or k!0 (not |a b@1|))\n  (not k!0)\n  |a b@1|\n  :precision precise :depth 7)\n)\n";
        assert_eq!(parse(text), Some(vec![vec![1, -2], vec![-1], vec![2]]));
        let never = "(goals (goal false :precision precise :depth 2))";
        assert_eq!(parse(never), Some(vec![vec![]]));
        let constants = "(goals (goal (or (not false) k!0) (or false k!0) (not true) true :precision precise :depth 5))";
        assert_eq!(parse(constants), Some(vec![vec![1], vec![]]));
        let always = "(goals (goal :precision precise :depth 2))";
        assert_eq!(parse(always), Some(vec![]));
    }

    #[test]
    fn anything_else_is_refused() {
        for strange in [
            "",
            "unsat",
            "(error \"line 1\")",
            "(goals (goal a :precision over :depth 7))",
            "(goals (goal a :precision under :depth 7))",
            "(goals (goal a :precision precise :depth 7) (goal b :precision precise :depth 7))",
            "(goals (goal (or a b :precision precise :depth 7))",
            "(goals (goal (or a (and b c)) :precision precise :depth 7))",
            "(goals (goal (not (not a)) :precision precise :depth 7))",
            "(goals (goal (let ((a b)) a) :precision precise :depth 7))",
            "(goals (goal a ... :precision precise :depth 7)",
        ] {
            assert_eq!(parse(strange), None, "{strange}");
        }
    }
}
