//! Random C programs about lifetimes alone, with an evaluator of C's abstract machine that knows which object is alive when.
//!
//! A program gives pointers the addresses of variables, compound literals and temporaries in nested blocks, loops, branches, `switch`
//! statements and jumps, and reads through them. It is deterministic, and every object holds the same number, so all that it can do
//! wrong is to read an object that is not alive. An access is a site; the evaluator tells at which of them that ever happens.

mod draw;
mod evaluate;
mod print;

use std::collections::BTreeSet;

use crate::numbers::Numbers;

/// How many pointers a program has.
const POINTERS: usize = 3;
/// How often loops run and jumps back are taken.
const ROUNDS: usize = 2;

/// A statement; numbers tell variables, literals, accesses, loops and labels from each other.
#[derive(Clone, Debug)]
enum Statement {
    /// In braces.
    Block(Vec<Statement>),
    /// A declaration of a variable, which is initialised or not.
    Declare { variable: usize, initialised: bool },
    /// Writes a variable and takes its address.
    Take { pointer: usize, variable: usize },
    /// The address of a compound literal.
    Literal { pointer: usize, literal: usize },
    /// The address of a member of what a call returns.
    Temporary { pointer: usize },
    /// The same, used in its expression.
    UseTemporary,
    /// Reads through a pointer that is not null.
    Access { pointer: usize, site: usize },
    /// A loop.
    Loop {
        kind: LoopKind,
        number: usize,
        /// A literal in the condition: its number, and the pointer that gets its address.
        condition: Option<(usize, usize)>,
        body: Box<Statement>,
    },
    /// Both branches are taken in turn.
    If {
        condition: Option<(usize, usize)>,
        then: Box<Statement>,
        otherwise: Box<Statement>,
    },
    /// Goes to one of the cases in turn; what comes before the first one is never reached.
    Switch {
        before: Vec<Statement>,
        cases: Vec<Vec<Statement>>,
    },
    /// Leaves the loop or `switch` around if it is its turn.
    Break,
    /// Goes on with the next round if it is its turn.
    Continue,
    /// A jump over declarations to a label behind them if it is its turn.
    Skip { over: Vec<Statement>, label: usize },
    /// Statements without declarations, repeated by a jump back.
    Repeat { body: Vec<Statement>, label: usize },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LoopKind {
    For,
    While,
    Do,
    Endless,
}

/// A program about lifetimes that does nothing undefined, and the same with one access more, which is undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifetimeProgram {
    /// The right text.
    pub right: String,
    /// The broken one, if there is one.
    pub broken: Option<String>,
}

/// The program of a seed; the same for the same seed.
pub fn lifetime_program(seed: u64) -> LifetimeProgram {
    let mut numbers = Numbers::new(seed);
    let drawn = draw::program(&mut numbers);
    // What an access does decides about no other one.
    let undefined: Vec<usize> = evaluate::undefined(&drawn).into_iter().collect();
    let left_out: BTreeSet<usize> = undefined.iter().copied().collect();
    let right = print::program(&drawn, &left_out);
    let broken = (!undefined.is_empty()).then(|| {
        let kept = numbers.pick(&undefined);
        let mut left_out = left_out;
        left_out.remove(&kept);
        print::program(&drawn, &left_out)
    });
    LifetimeProgram { right, broken }
}
