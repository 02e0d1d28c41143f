//! What an event finds in the variables that threads share: symbols, for which it is said later what they are read from.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use abi::ids::InstanceId;
use encode::constant_propagation::{Constness, Knowledge, initial};
use encode::context::EncodingContext;
use encode::layout::Writers;
use encode::names;
use encode::semantics::memory::Memory;
use encode::semantics::path::{Path, Variable};
use system::term::{Term, Terms};

use crate::widths::Narrowing;

/// The values of variables in the first state: constants, or symbols where they are arbitrary.
#[derive(Debug)]
pub struct FirstValues<'a> {
    context: &'a EncodingContext<'a>,
    /// What is known of variables at any time.
    known: &'a Knowledge,
    arbitrary: RefCell<BTreeMap<Variable, Term>>,
}

impl<'a> FirstValues<'a> {
    /// Those of a program.
    pub fn new(context: &'a EncodingContext<'a>, known: &'a Knowledge) -> Self {
        Self {
            context,
            known,
            arbitrary: RefCell::default(),
        }
    }

    /// The value of a variable.
    pub fn of(&self, terms: &mut Terms, variable: Variable) -> Term {
        let context = self.context;
        match initial(context, variable) {
            Constness::Constant(value) => terms.constant(value),
            Constness::Varying => {
                let mut arbitrary = self.arbitrary.borrow_mut();
                let new =
                    || terms.symbol(names::variable(context, variable), context.sort(variable));
                *arbitrary.entry(variable).or_insert_with(new)
            }
        }
    }

    /// What a variable always holds, if that is known.
    fn always(&self, terms: &mut Terms, variable: Variable) -> Option<Term> {
        match *self.known.get(&variable)? {
            Constness::Constant(value) => Some(terms.constant(value)),
            Constness::Varying => None,
        }
    }

    /// The arbitrary ones that were asked for.
    pub fn into_arbitrary(self) -> BTreeMap<Variable, Term> {
        self.arbitrary.into_inner()
    }
}

/// What the creation of a thread settles for it: variables that only its creator changes, and does not change any more.
#[derive(Debug)]
pub struct Inheritance {
    /// Who creates the thread.
    pub creator: InstanceId,
    /// What the creator has written until then.
    pub written: BTreeMap<Variable, Term>,
    /// What it writes later.
    pub rewritten: BTreeSet<Variable>,
    /// The same for the creator.
    pub of_creator: Option<Rc<Inheritance>>,
}

impl Inheritance {
    fn value(
        &self,
        first: &FirstValues<'_>,
        terms: &mut Terms,
        variable: Variable,
    ) -> Option<Term> {
        if first.context.writers(variable) != Writers::One(self.creator) {
            let before = self.of_creator.as_ref()?;
            return before.value(first, terms, variable);
        }
        if self.rewritten.contains(&variable) {
            return None;
        }
        let written = self.written.get(&variable).copied();
        Some(written.unwrap_or_else(|| first.of(terms, variable)))
    }
}

/// The memory of one thread.
#[derive(Debug)]
pub struct EventMemory<'a> {
    context: &'a EncodingContext<'a>,
    first: &'a FirstValues<'a>,
    narrowing: &'a Narrowing<'a>,
    instance: InstanceId,
    inherited: Option<Rc<Inheritance>>,
    current: RefCell<Current>,
}

/// The accesses of the event that is executed.
#[derive(Clone, Debug, Default)]
pub struct Current {
    /// A number that no other event of the thread has.
    pub number: u32,
    /// The symbols for what it reads.
    pub reads: BTreeMap<Variable, Term>,
    /// What it writes on some path.
    pub writes: BTreeSet<Variable>,
}

impl<'a> EventMemory<'a> {
    /// The memory of a thread.
    pub fn new(
        (first, narrowing): (&'a FirstValues<'a>, &'a Narrowing<'a>),
        instance: InstanceId,
        inherited: Option<Rc<Inheritance>>,
    ) -> Self {
        Self {
            context: first.context,
            first,
            narrowing,
            instance,
            inherited,
            current: RefCell::default(),
        }
    }

    /// Goes on with an event, and gives the one before.
    pub fn switch(&self, event: Current) -> Current {
        self.current.replace(event)
    }

    /// Whether a symbol is what the event reads.
    pub fn reads(&self, symbol: Term) -> bool {
        let current = self.current.borrow();
        current.reads.values().any(|&read| read == symbol)
    }

    /// What a variable holds between any two events, if that is known.
    pub fn always(&self, terms: &mut Terms, variable: Variable) -> Option<Term> {
        self.first.always(terms, variable)
    }

    /// Whether only this thread changes a variable.
    pub fn is_own(&self, variable: Variable) -> bool {
        match self.context.writers(variable) {
            Writers::Nobody => true,
            Writers::One(writer) => writer == self.instance,
            Writers::Many => false,
        }
    }
}

impl Memory for EventMemory<'_> {
    fn before(&self, terms: &mut Terms, variable: Variable) -> Term {
        if let Some(value) = self.always(terms, variable) {
            return value;
        }
        if self.is_own(variable) {
            return self.first.of(terms, variable);
        }
        let inherited = self.inherited.as_ref();
        if let Some(value) =
            inherited.and_then(|inherited| inherited.value(self.first, terms, variable))
        {
            return value;
        }
        let mut current = self.current.borrow_mut();
        let number = current.number;
        let new = || {
            let name = names::variable(self.context, variable);
            let name = format!(
                "{name}@{}.{number}",
                names::thread(self.context, self.instance)
            );
            let symbol = terms.symbol(name, self.context.sort(variable));
            if let Some(bits) = self.narrowing.widths.of(self.context, variable) {
                self.narrowing.note(symbol, bits);
            }
            symbol
        };
        *current.reads.entry(variable).or_insert_with(new)
    }

    fn write(&self, path: &mut Path, variable: Variable, value: Term) {
        self.current.borrow_mut().writes.insert(variable);
        path.set(variable, value);
    }
}
