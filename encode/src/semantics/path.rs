//! What is known symbolically at a location of a block, and how two such states are merged.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use cranelift_entity::entity_impl;
use program::model::{ObjectId, RegisterId};
use system::term::{Term, Terms};

use crate::layout::CellId;

/// A set of locations of a template that some statement asks about; see [`crate::context::EncodingContext::regions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegionId(u32);
entity_impl!(RegionId, "region");

/// A component of the state that a block may read or change. The program counter changes only at the end of a block; what
/// other threads see of it is [`Variable::Started`], [`Variable::Exited`], [`Variable::InRegion`] and [`Variable::RegisterInRegion`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Variable {
    /// The program counter of an instance, written at the end of a block.
    Pc(InstanceId),
    /// Whether an instance was started; Boolean.
    Started(InstanceId),
    /// Whether an instance has returned; Boolean, never changed by other instances.
    Exited(InstanceId),
    /// Whether an instance is within a region of its template, one that was not started counting as at its entry; Boolean.
    /// Creating the instance does not change it.
    InRegion(InstanceId, RegionId),
    /// What a register of an instance holds while it is within a region, for other threads; arbitrary elsewhere.
    RegisterInRegion(InstanceId, RegionId, RegisterId),
    /// A register of an instance.
    Register(InstanceId, RegisterId),
    /// What joining an instance yields; as wide as an address.
    Result(InstanceId),
    /// Whether an instance was joined or detached; Boolean.
    Claimed(InstanceId),
    /// The number of an instance that stands for one of any number of threads: that of the thread it stands for, 32 bits.
    Number(InstanceId),
    /// The content of a cell.
    Cell(CellId),
    /// Whether a heap object is allocated, or the lifetime of a local is not over; Boolean.
    Alive(ObjectId),
    /// The number of bytes of a heap object.
    Size(ObjectId),
    /// How many of the slots that begin with this one were ever used.
    Used(ObjectId),
}

impl Variable {
    /// Whether it is a register.
    pub fn is_register(self) -> bool {
        matches!(self, Self::Register(..))
    }
}

/// The value that a variable has where no path has written it.
pub type Current<'a> = dyn Fn(&mut Terms, Variable) -> Term + 'a;

/// The symbolic state of a thread inside a block.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The path condition, a conjunction; merging relies on its order being that of the branches.
    conditions: Vec<Term>,
    /// The thread's registers.
    registers: BTreeMap<RegisterId, Term>,
    /// Everything that was written since the block began.
    written: BTreeMap<Variable, Term>,
}

impl Path {
    /// The start of a block.
    pub fn new(registers: BTreeMap<RegisterId, Term>) -> Self {
        Self {
            conditions: Vec::new(),
            registers,
            written: BTreeMap::new(),
        }
    }

    /// Restricts the path to a condition; `None` if nothing is left.
    #[must_use]
    pub fn assume(mut self, terms: &mut Terms, condition: Term) -> Option<Self> {
        let (yes, no) = (terms.bool(true), terms.bool(false));
        if condition == no || self.conditions.contains(&terms.not(condition)) {
            return None;
        }
        if condition != yes && !self.conditions.contains(&condition) {
            self.conditions.push(condition);
        }
        Some(self)
    }

    /// The path condition as one term.
    pub fn guard(&self, terms: &mut Terms) -> Term {
        terms.and_all(self.conditions.iter().copied())
    }

    /// The path condition as a conjunction.
    pub fn conditions(&self) -> &[Term] {
        &self.conditions
    }

    /// The same registers and variables where the condition of another path holds, which must imply the one of this.
    #[must_use]
    pub fn under(mut self, other: &Self) -> Self {
        self.conditions.clone_from(&other.conditions);
        self
    }

    /// Replaces the values of registers and of what was written.
    pub fn replace(&mut self, mut image: impl FnMut(Term) -> Term) {
        let values = self.registers.values_mut().chain(self.written.values_mut());
        values.for_each(|value| *value = image(*value));
    }

    /// Forgets what was written, but for the variables that are kept.
    pub fn keep_written(&mut self, mut kept: impl FnMut(Variable) -> bool) {
        self.written.retain(|&variable, _| kept(variable));
    }

    /// The registers.
    pub fn registers(&self) -> &BTreeMap<RegisterId, Term> {
        &self.registers
    }

    /// Writes a register.
    pub fn set_register(&mut self, register: RegisterId, value: Term) {
        self.registers.insert(register, value);
    }

    /// Renames the registers, to names that stay different.
    pub fn rename_registers(&mut self, name: impl Fn(RegisterId) -> RegisterId) {
        let registers = std::mem::take(&mut self.registers);
        let renamed = registers
            .into_iter()
            .map(|(register, value)| (name(register), value));
        self.registers = renamed.collect();
    }

    /// Everything that was written since the block began.
    pub fn written(&self) -> &BTreeMap<Variable, Term> {
        &self.written
    }

    /// Writes a variable.
    pub fn set(&mut self, variable: Variable, value: Term) {
        self.written.insert(variable, value);
    }

    /// Forgets the registers that are not read any more.
    pub fn keep_registers(&mut self, live: &[RegisterId]) {
        self.registers
            .retain(|register, _| live.binary_search(register).is_ok());
    }

    /// The state that is `self` where its condition holds and `other` where that one's holds; the conditions exclude
    /// each other. `current` gives the value a variable has when the block begins.
    #[must_use]
    pub fn merge(self, other: Self, terms: &mut Terms, current: &Current<'_>) -> Self {
        let common = self
            .conditions
            .iter()
            .zip(&other.conditions)
            .take_while(|(a, b)| a == b)
            .count();
        let (choice, rest) = discriminate(
            terms,
            &self.conditions[common..],
            &other.conditions[common..],
        );
        let mut conditions = self.conditions;
        conditions.truncate(common);
        conditions.extend(rest);
        let mut registers = self.registers;
        for (register, alternative) in other.registers {
            // A register that only one side has is not read after the other side.
            let value = registers
                .get(&register)
                .map_or(alternative, |&value| terms.ite(choice, value, alternative));
            registers.insert(register, value);
        }
        let written = merge_written(terms, choice, &self.written, &other.written, current);
        Self {
            conditions,
            registers,
            written,
        }
    }
}

/// What is written on either side, by the choice between them.
fn merge_written(
    terms: &mut Terms,
    choice: Term,
    a: &BTreeMap<Variable, Term>,
    b: &BTreeMap<Variable, Term>,
    current: &Current<'_>,
) -> BTreeMap<Variable, Term> {
    let keys: BTreeSet<Variable> = a.keys().chain(b.keys()).copied().collect();
    let value = |terms: &mut Terms, side: &BTreeMap<Variable, Term>, variable| {
        let written = side.get(&variable).copied();
        written.unwrap_or_else(|| current(terms, variable))
    };
    keys.into_iter()
        .map(|variable| {
            let (here, there) = (value(terms, a, variable), value(terms, b, variable));
            (variable, terms.ite(choice, here, there))
        })
        .collect()
}

/// For two exclusive conjunctions: a term that tells them apart, true under the first, and their disjunction unless it is
/// true. Where they begin with complementary branch conditions, those alone tell them apart.
fn discriminate(terms: &mut Terms, a: &[Term], b: &[Term]) -> (Term, Option<Term>) {
    let (choice, either) = match (a.split_first(), b.split_first()) {
        (Some((&first, rest_a)), Some((&second, rest_b))) if terms.not(first) == second => {
            let rest_a = terms.and_all(rest_a.iter().copied());
            let rest_b = terms.and_all(rest_b.iter().copied());
            (first, terms.ite(first, rest_a, rest_b))
        }
        _ => {
            let all_a = terms.and_all(a.iter().copied());
            let all_b = terms.and_all(b.iter().copied());
            (all_a, terms.or(all_a, all_b))
        }
    };
    let yes = terms.bool(true);
    (choice, (either != yes).then_some(either))
}

/// Merges paths whose conditions exclude each other, those first whose last common branch is the latest.
pub fn merge_all(mut paths: Vec<Path>, terms: &mut Terms, current: &Current<'_>) -> Option<Path> {
    paths.sort_by(|a, b| a.conditions.cmp(&b.conditions));
    while paths.len() > 1 {
        let common = |pair: &[Path]| {
            let pairs = pair[0].conditions.iter().zip(&pair[1].conditions);
            pairs.take_while(|(a, b)| a == b).count()
        };
        let position = (0..paths.len() - 1).max_by_key(|&i| common(&paths[i..i + 2]))?;
        let second = paths.remove(position + 1);
        let first = paths.remove(position);
        paths.insert(position, first.merge(second, terms, current));
    }
    paths.pop()
}

#[cfg(test)]
mod tests {
    use super::*;
    use system::term::Sort;

    fn current(_: &mut Terms, _: Variable) -> Term {
        unreachable!("nothing is written")
    }

    #[test]
    fn complementary_branches_leave_no_condition() {
        let mut terms = Terms::new();
        let condition = terms.symbol("c", Sort::Bool);
        let outer = terms.symbol("d", Sort::Bool);
        let negation = terms.not(condition);
        let start = Path::default()
            .assume(&mut terms, outer)
            .expect("satisfiable");
        let yes = start
            .clone()
            .assume(&mut terms, condition)
            .expect("satisfiable");
        let no = start.assume(&mut terms, negation).expect("satisfiable");
        assert!(yes.clone().assume(&mut terms, negation).is_none());
        let merged = yes.merge(no, &mut terms, &current);
        assert_eq!(merged.guard(&mut terms), outer);
    }

    #[test]
    fn the_first_difference_selects_the_values() {
        let mut terms = Terms::new();
        let (condition, valid) = (
            terms.symbol("c", Sort::Bool),
            terms.symbol("valid", Sort::Bool),
        );
        let (one, two) = (terms.bits(8, 1), terms.bits(8, 2));
        let negation = terms.not(condition);
        let register = RegisterId::from_u32(0);
        let mut a = Path::default()
            .assume(&mut terms, condition)
            .and_then(|path| path.assume(&mut terms, valid))
            .expect("satisfiable");
        a.set_register(register, one);
        let mut b = Path::default()
            .assume(&mut terms, negation)
            .expect("satisfiable");
        b.set_register(register, two);
        let merged = a.merge(b, &mut terms, &current);
        assert_eq!(
            merged.registers()[&register],
            terms.ite(condition, one, two)
        );
        let guard = terms.implies(condition, valid);
        assert_eq!(merged.guard(&mut terms), guard);
    }
}
