//! The statements of a program about lifetimes.

/// How many pointers a program has.
pub const POINTERS: usize = 3;
/// How often loops run and jumps back are taken.
pub const ROUNDS: usize = 2;

/// A statement; numbers tell variables, literals, accesses, loops and labels from each other.
#[derive(Clone, Debug)]
pub enum Statement {
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
pub enum LoopKind {
    For,
    While,
    Do,
    Endless,
}
