//! The state with which a block begins, as the memory of its statements.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use system::term::{Term, Terms};

use crate::semantics::memory::Memory;
use crate::semantics::path::Variable;

/// The values of the variables when a block begins.
#[derive(Clone, Debug)]
pub struct Values<'a> {
    /// Those of all variables.
    pub all: &'a BTreeMap<Variable, Term>,
    /// Those that are known better at the start of this block.
    pub here: BTreeMap<Variable, Term>,
    /// Which of `all` were asked for.
    reads: RefCell<BTreeSet<Variable>>,
}

impl<'a> Values<'a> {
    /// The values of all variables, and those that are known better.
    pub fn new(all: &'a BTreeMap<Variable, Term>, here: BTreeMap<Variable, Term>) -> Self {
        Self {
            all,
            here,
            reads: RefCell::default(),
        }
    }

    /// The variables whose value was asked for and is not known better here.
    pub fn into_reads(self) -> BTreeSet<Variable> {
        self.reads.into_inner()
    }
}

impl Memory for Values<'_> {
    fn before(&self, _: &mut Terms, variable: Variable) -> Term {
        if let Some(&term) = self.here.get(&variable) {
            return term;
        }
        self.reads.borrow_mut().insert(variable);
        self.all[&variable]
    }
}
