//! Which numbers a register may hold at a location, as far as branches on constants tell.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use cranelift_entity::{EntitySet, SecondaryMap};

use super::intervals::Intervals;
use super::step::Step;
use program::automaton::Outgoing;
use program::dataflow::Liveness;
use program::model::{
    BinaryOperator, Bits, EdgeId, LocationId, Operand, Operation, RegisterId, Statement, Template,
};

/// The ranges of the registers that depend on some values, at every location.
#[derive(Debug)]
pub(super) struct Ranges<'a> {
    template: &'a Template,
    followed: EntitySet<RegisterId>,
    known: SecondaryMap<LocationId, Option<Known>>,
}

/// What is known at a location; of registers that are not mentioned, nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Known {
    ranges: BTreeMap<RegisterId, Intervals>,
    /// The assignments whose register and operands have not changed since.
    assigned: BTreeMap<RegisterId, EdgeId>,
}

impl<'a> Ranges<'a> {
    /// Follows all paths of a template. Only registers that are computed from `sources` count.
    pub(super) fn new(template: &'a Template, sources: &EntitySet<RegisterId>) -> Self {
        let mut ranges = Self {
            template,
            followed: dependent(template, sources),
            known: SecondaryMap::new(),
        };
        ranges.run();
        ranges
    }

    /// The numbers that a register may hold at a location, where that is known.
    pub(super) fn of(&self, location: LocationId, register: RegisterId) -> Option<Intervals> {
        self.known[location]
            .as_ref()?
            .ranges
            .get(&register)
            .cloned()
    }

    /// The same if a value of one bit is `holds`.
    pub(super) fn of_if(
        &self,
        location: LocationId,
        (condition, holds): (Operand, bool),
        register: RegisterId,
    ) -> Option<Intervals> {
        let mut known = self.known[location].clone()?;
        match self.restrict(&mut known, condition, &Intervals::only(holds.into())) {
            true => known.ranges.remove(&register),
            false => Some(Intervals::default()),
        }
    }

    fn run(&mut self) {
        let liveness = Liveness::new(self.template);
        let outgoing = Outgoing::new(self.template);
        self.known[self.template.entry] = Some(Known::default());
        let mut pending = VecDeque::from([self.template.entry]);
        let mut queued = EntitySet::new();
        while let Some(location) = pending.pop_front() {
            queued.remove(location);
            for &edge in outgoing.of(location) {
                let Some(mut after) = self.known[location].clone() else {
                    continue;
                };
                if !self.pass(edge, &mut after) {
                    continue;
                }
                let target = self.template.edges[edge].target;
                self.forget_dead(&mut after, liveness.at(target));
                let changed = match self.known[target].take() {
                    Some(before) => {
                        let joined = self.join(before.clone(), &after);
                        let changed = joined != before;
                        self.known[target] = Some(joined);
                        changed
                    }
                    None => {
                        self.known[target] = Some(after);
                        true
                    }
                };
                if changed && queued.insert(target) {
                    pending.push_back(target);
                }
            }
        }
    }

    /// What is known behind an edge; `false` if no thread passes it.
    fn pass(&self, edge: EdgeId, known: &mut Known) -> bool {
        let statement = &self.template.edges[edge].statement;
        let mut copies = Vec::new();
        if let Statement::Guard { condition, holds } = *statement {
            return self.restrict(known, condition, &Intervals::only(holds.into()));
        } else if let Statement::ParallelAssign(moves) = statement {
            for &(register, value) in moves {
                if self.followed.contains(register) {
                    copies.extend(self.range(known, value).map(|range| (register, range)));
                }
            }
        }
        statement.for_each_definition(|register| self.forget(known, register));
        known.ranges.extend(copies);
        if let Statement::Assign {
            register,
            ref operation,
        } = *statement
            && self.followed.contains(register)
        {
            let mut is_changed = false;
            operation
                .for_each_operand(|operand| is_changed |= operand == Operand::Register(register));
            if !is_changed {
                known.assigned.insert(register, edge);
            }
        }
        true
    }

    fn range(&self, known: &Known, value: Operand) -> Option<Intervals> {
        match value {
            Operand::Register(register) => known.ranges.get(&register).cloned(),
            Operand::Constant(bits) => Some(Intervals::only(bits.value)),
            Operand::Address(..) => None,
        }
    }

    /// Drops what is known of the old content of a register.
    fn forget(&self, known: &mut Known, register: RegisterId) {
        known.ranges.remove(&register);
        known.assigned.remove(&register);
        known.assigned.retain(|_, &mut edge| {
            let mut uses = false;
            self.template.edges[edge]
                .statement
                .for_each_use(|used| uses |= used == register);
            !uses
        });
    }

    /// Drops what says nothing of registers that are live.
    fn forget_dead(&self, known: &mut Known, live: &[RegisterId]) {
        let is_live = |register: &RegisterId| live.binary_search(register).is_ok();
        known.ranges.retain(|register, _| is_live(register));
        let mut needed = BTreeSet::new();
        let mut pending: Vec<RegisterId> = live.to_vec();
        while let Some(register) = pending.pop() {
            if let Some(&edge) = known.assigned.get(&register)
                && needed.insert(register)
            {
                self.template.edges[edge]
                    .statement
                    .for_each_use(|used| pending.push(used));
            }
        }
        known
            .assigned
            .retain(|register, _| needed.contains(register));
    }

    /// What is known if one or the other is.
    fn join(&self, mut known: Known, other: &Known) -> Known {
        known
            .assigned
            .retain(|register, edge| other.assigned.get(register) == Some(edge));
        known.ranges.retain(|register, range| {
            let Some(more) = other.ranges.get(register) else {
                return false;
            };
            *range = range.union(more);
            !range.is_up_to(self.last(*register))
        });
        known
    }

    /// A value is one of these numbers; `false` if that cannot be.
    fn restrict(&self, known: &mut Known, value: Operand, numbers: &Intervals) -> bool {
        let register = match value {
            Operand::Register(register) => register,
            Operand::Constant(bits) => {
                return !numbers
                    .intersection(&Intervals::only(bits.value))
                    .is_empty();
            }
            Operand::Address(..) => return true,
        };
        let last = self.last(register);
        if numbers.is_up_to(last) {
            return true;
        }
        if self.followed.contains(register) {
            let range = known
                .ranges
                .entry(register)
                .or_insert_with(|| Intervals::up_to(last));
            *range = range.intersection(numbers);
            if range.is_empty() {
                return false;
            }
        }
        let Some(&edge) = known.assigned.get(&register) else {
            return true;
        };
        let Statement::Assign {
            register,
            ref operation,
        } = self.template.edges[edge].statement
        else {
            return true;
        };
        if let Some(step) = Step::of(self.template, register, operation) {
            let before = step.preimage(numbers);
            return self.restrict(known, Operand::Register(step.operand), &before);
        }
        let (yes, no) = (Intervals::only(1), Intervals::only(0));
        if let Operation::Select(condition, one, other) = *operation {
            let is_other = |value| {
                matches!(value, Operand::Constant(bits)
                    if numbers.intersection(&Intervals::only(bits.value)).is_empty())
            };
            match (is_other(one), is_other(other)) {
                (true, true) => false,
                (true, false) => {
                    self.restrict(known, condition, &no) && self.restrict(known, other, numbers)
                }
                (false, true) => {
                    self.restrict(known, condition, &yes) && self.restrict(known, one, numbers)
                }
                (false, false) => true,
            }
        } else if let Operation::Binary(operator, left, right) = *operation
            && last == 1
            && (operator == BinaryOperator::And && *numbers == yes
                || operator == BinaryOperator::Or && *numbers == no)
        {
            self.restrict(known, left, numbers) && self.restrict(known, right, numbers)
        } else {
            true
        }
    }

    fn last(&self, register: RegisterId) -> u128 {
        Bits::mask(self.template.registers[register].width)
    }
}

/// The registers that are computed from some by operations on registers.
fn dependent(template: &Template, sources: &EntitySet<RegisterId>) -> EntitySet<RegisterId> {
    let mut found = sources.clone();
    loop {
        let mut grown = false;
        for edge in template.edges.values() {
            let mut take = |register, value| {
                if let Operand::Register(value) = value
                    && found.contains(value)
                {
                    grown |= found.insert(register);
                }
            };
            if let Statement::Assign {
                register,
                operation,
            } = &edge.statement
            {
                operation.for_each_operand(|operand| take(*register, operand));
            } else if let Statement::ParallelAssign(moves) = &edge.statement {
                moves
                    .iter()
                    .for_each(|&(register, value)| take(register, value));
            }
        }
        if !grown {
            return found;
        }
    }
}
