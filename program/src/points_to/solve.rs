//! The constraints of each statement, solved by going through all statements whose operands grew until nothing does.

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::contents::Contents;
use super::revisions::Revisions;
use crate::address_arithmetic::{
    self, AddressResult, AddressSet, Move, Residues, Side, ValueBounds,
};
use crate::model::{
    AccessKind, Agreement, BinaryOperator, Cast, Edge, EdgeId, HavocOrigin, Instances, LOWEST,
    ObjectId, Operand, Operation, Program, RegisterId, Statement, Template, TemplateId,
    UpdateOperator,
};

/// The analysis in progress.
pub(super) struct ConstraintSolver<'a> {
    program: &'a Program,
    instances: &'a Instances,
    registers: PrimaryMap<InstanceId, SecondaryMap<RegisterId, AddressSet>>,
    contents: Contents,
    /// How large values may be.
    bounds: PrimaryMap<TemplateId, ValueBounds>,
    /// What threads return.
    results: AddressSet,
    /// Whether something is loaded or stored at an address that is not known.
    is_blind: bool,
    revisions: Revisions,
}

/// What the analysis found.
pub(super) struct Solution {
    pub(super) registers: PrimaryMap<InstanceId, SecondaryMap<RegisterId, AddressSet>>,
    pub(super) contents: Contents,
    /// Whether something is loaded or stored at an address that is not known.
    pub(super) is_blind: bool,
}

impl<'a> ConstraintSolver<'a> {
    pub(super) fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let registers = instances
            .threads
            .values()
            .map(|_| SecondaryMap::with_default(AddressSet::default()))
            .collect();
        let contents = Contents::new(program, instances);
        Self {
            program,
            instances,
            registers,
            contents,
            bounds: program.templates.values().map(ValueBounds::new).collect(),
            results: AddressSet::default(),
            is_blind: false,
            revisions: Revisions::new(instances),
        }
    }

    /// The sets of all registers and objects.
    pub(super) fn run(mut self) -> Solution {
        loop {
            let before = self.revisions.now();
            for (instance, thread) in &self.instances.threads {
                let template = &self.program.templates[thread.template];
                for (id, edge) in &template.edges {
                    if self.is_due(instance, id, &edge.statement) {
                        self.statement(instance, template, edge);
                    }
                }
            }
            if self.revisions.now() == before {
                break;
            }
        }
        Solution {
            registers: self.registers,
            contents: self.contents,
            is_blind: self.is_blind,
        }
    }

    /// Whether a statement reads something that grew since it was looked at last.
    fn is_due(&mut self, instance: InstanceId, edge: EdgeId, statement: &Statement) -> bool {
        let access = statement.effects().access;
        let read = access.filter(|access| access.kind != AccessKind::Write);
        let contents = read.map_or(0, |access| match access.address {
            Operand::Register(register) => {
                let target = &self.registers[instance][register];
                self.revisions.of_contents(target.objects())
            }
            address @ (Operand::Constant(_) | Operand::Address(..)) => {
                let target = AddressSet::constant(self.instances, instance, address);
                self.revisions.of_contents(target.objects())
            }
        });
        let results = match matches!(statement, Statement::Join { .. }) {
            true => self.revisions.of_results(),
            false => 0,
        };
        let others = contents.max(results);
        self.revisions.look((instance, edge), statement, others)
    }

    fn statement(&mut self, instance: InstanceId, template: &Template, edge: &Edge) {
        let is_of_library = self.program.library_accesses.contains(&edge.site);
        let bytes = |width: u32| width.div_ceil(8);
        let width = |register: RegisterId| template.registers[register].width;
        match edge.statement {
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Free { .. }
            | Statement::Size { .. }
            | Statement::Detach { .. }
            | Statement::SelfNumber { .. }
            | Statement::NumberOfThread { .. }
            | Statement::FindLeak(_)
            | Statement::TestConflicts { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { value: None } => {}
            Statement::Assign {
                register,
                ref operation,
            } => {
                let mut set = self.operation(instance, operation);
                set.opaque |= self.holds_opaque(instance, operation);
                set.small |= is_computed(operation) && set.objects.is_empty();
                // What has objects is an address that was moved.
                if is_computed(operation)
                    && template.is_address(register.into())
                    && set.objects.is_empty()
                {
                    let bounds = &self.bounds[self.instances.threads[instance].template];
                    let largest = bounds.of(Operand::Register(register));
                    set.plain |= largest >= LOWEST.into();
                }
                self.define(instance, register, &set);
            }
            Statement::ParallelAssign(ref moves) => {
                for &(register, operand) in moves {
                    let set = self.value(instance, operand);
                    self.define(instance, register, &set);
                }
            }
            Statement::Havoc { register, origin } => {
                let other = match origin {
                    HavocOrigin::Input | HavocOrigin::External | HavocOrigin::Library => true,
                    HavocOrigin::Undefined | HavocOrigin::Watch => false,
                };
                self.define(
                    instance,
                    register,
                    &AddressSet {
                        other,
                        small: true,
                        ..AddressSet::default()
                    },
                );
            }
            Statement::Load {
                register,
                address,
                atomic: _,
                ref words,
            } => {
                let size = bytes(width(register));
                let set = match words.is_empty() {
                    true => self.load(instance, address, size, Contents::read),
                    false => self.load(instance, address, size, Contents::read_whole),
                };
                let set = AddressSet {
                    opaque: set.opaque && !is_of_library,
                    ..set
                };
                self.define(instance, register, &set);
            }
            Statement::Store {
                value,
                address,
                atomic: _,
                ref words,
            } => {
                let mut set = self.value(instance, value);
                set.computed |= !words.is_empty();
                set.opaque |= is_of_library;
                self.store(instance, address, 0, bytes(template.width(value)), &set);
            }
            Statement::AtomicRmw {
                register,
                address,
                operator,
                operand,
            } => {
                let size = bytes(width(register));
                let old = self.load(instance, address, size, Contents::read);
                let operand_set = self.value(instance, operand);
                self.define(instance, register, &old);
                let mut new = self.updated(
                    instance,
                    operator,
                    [Operand::Register(register), operand],
                    [old, operand_set],
                );
                new.opaque |= is_of_library;
                self.store(instance, address, 0, size, &new);
            }
            Statement::CompareExchange {
                register,
                address,
                desired,
                ..
            } => {
                let size = bytes(width(register));
                let old = self.load(instance, address, size, Contents::read);
                self.define(instance, register, &old);
                let mut desired = self.value(instance, desired);
                desired.opaque |= is_of_library;
                self.store(instance, address, 0, size, &desired);
            }
            Statement::Allocate { register, site, .. } => {
                let set = AddressSet::starts(self.instances.allocated(site, instance));
                self.define(instance, register, &set);
            }
            Statement::Create {
                register,
                start,
                argument,
            } => {
                let argument = self.value(instance, argument);
                self.start(start, &argument);
                let started = self.instances.start_candidates(self.program, start);
                let handles = started.iter().map(|&thread| self.instances.thread(thread));
                self.define(instance, register, &AddressSet::starts(handles));
            }
            Statement::SelfHandle { register } => {
                let handle = AddressSet::starts([self.instances.thread(instance)]);
                self.define(instance, register, &handle);
            }
            Statement::Join { value, .. } => {
                let results = self.results.clone();
                self.store(
                    instance,
                    value,
                    0,
                    self.instances.data_model.address_bytes(),
                    &results,
                );
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                // What stays an address by the other agreements is compared or subtracted, and nothing else.
                let set = match unless {
                    Agreement::Near(_) => self.value(instance, address).map(|_| Residues::ANY),
                    Agreement::Never
                    | Agreement::SameObject(_)
                    | Agreement::Distinct(_)
                    | Agreement::Small(_) => AddressSet::default(),
                };
                self.define(instance, register, &set);
                self.define(instance, register, &AddressSet::number(true));
            }
            Statement::Mutex { mutex, .. } => {
                // Count and owner are small numbers, which are no addresses by themselves.
                let kept = AddressSet {
                    opaque: true,
                    ..AddressSet::default()
                };
                self.store(
                    instance,
                    mutex,
                    0,
                    self.instances.data_model.mutex().size,
                    &kept,
                );
            }
            Statement::Return { value: Some(value) } => {
                let set = self.value(instance, value);
                if self.results.join(&set) {
                    self.revisions.results_grew();
                }
            }
        }
    }

    fn define(&mut self, instance: InstanceId, register: RegisterId, set: &AddressSet) {
        if self.registers[instance][register].join(set) {
            self.revisions.register_grew(instance, register);
        }
    }

    /// Whether an operand may be what the library keeps. Comparisons say something else of it.
    fn holds_opaque(&self, instance: InstanceId, operation: &Operation) -> bool {
        let registers = &self.registers[instance];
        let mut found = false;
        if !matches!(operation, Operation::Compare(..)) {
            operation.for_each_operand(|operand| {
                found |= matches!(operand, Operand::Register(register) if registers[register].opaque);
            });
        }
        found
    }

    fn value(&self, instance: InstanceId, operand: Operand) -> AddressSet {
        match operand {
            Operand::Register(register) => self.registers[instance][register].clone(),
            Operand::Constant(_) | Operand::Address(..) => {
                AddressSet::constant(self.instances, instance, operand)
            }
        }
    }

    fn load(
        &mut self,
        instance: InstanceId,
        address: Operand,
        size: u32,
        read: fn(&Contents, ObjectId, Residues, u32) -> AddressSet,
    ) -> AddressSet {
        let address = self.value(instance, address);
        self.look_away(&address);
        let mut found = match address.other {
            true => AddressSet::unknown(),
            false => AddressSet::default(),
        };
        for (object, offsets) in address.objects {
            let mut values = read(&self.contents, object, offsets, size);
            // Where an array starts is not known here: an element beside a lock would else seem to be one of its words.
            values.opaque &= offsets.is_exact();
            found.join(&values);
        }
        found.small = true;
        found
    }

    fn look_away(&mut self, address: &AddressSet) {
        if address.other && !self.is_blind {
            self.is_blind = true;
            self.revisions.everything_grew();
        }
    }

    /// Stores at `distance` behind an address.
    fn store(
        &mut self,
        instance: InstanceId,
        address: Operand,
        distance: i64,
        size: u32,
        values: &AddressSet,
    ) {
        let address = self.value(instance, address);
        self.look_away(&address);
        if address.other && !self.contents.scattered {
            self.contents.scattered = true;
            self.revisions.everything_grew();
        }
        for (object, offsets) in address.objects {
            let mut values = values.clone();
            values.opaque &= offsets.is_exact();
            if self
                .contents
                .write(object, offsets.add(distance), size, &values)
            {
                self.revisions.object_grew(object);
            }
        }
    }

    /// Passes the argument to every instance that may be started.
    fn start(&mut self, start: Operand, argument: &AddressSet) {
        for started in self.instances.start_candidates(self.program, start) {
            let template = &self.program.templates[self.instances.threads[started].template];
            if let Some(&parameter) = template.parameters.first() {
                self.define(started, parameter, argument);
            }
        }
    }

    fn operation(&self, instance: InstanceId, operation: &Operation) -> AddressSet {
        let value = |operand| self.value(instance, operand);
        match *operation {
            Operation::Copy(operand) => value(operand),
            Operation::Cast(Cast::Object, _) => AddressSet::default(),
            Operation::Cast(_, operand) if self.is_address(instance, operand) => {
                let set = value(operand);
                AddressSet::number(set.computed || set.may_be_address(self.is_blind))
            }
            Operation::Cast(cast, operand) => {
                let mut set = value(operand);
                // No address has so few bits. What may be a part of one has objects, or may be found anywhere.
                let is_short = cast == Cast::ZeroExtend
                    && self.width(instance, operand)
                        <= self.instances.data_model.address_bits() / 2;
                set.other &= !is_short || self.is_blind || !set.objects.is_empty();
                set
            }
            Operation::Compare(..) => AddressSet::default(),
            Operation::Select(_, yes, no) => {
                let mut set = value(yes);
                set.join(&value(no));
                set
            }
            Operation::Binary(operator, left, right) => {
                let sets = [value(left), value(right)];
                if self.is_address(instance, left) {
                    self.binary(instance, operator, [left, right], sets)
                } else {
                    mixed(sets)
                }
            }
            Operation::Offset {
                base,
                constant,
                ref indices,
            } => {
                let mut set = value(base).map(|offsets| offsets.add(constant as i64));
                let distance = constant as i64;
                set.indexed |=
                    distance < 0 || distance.unsigned_abs() >= LOWEST || !indices.is_empty();
                indices
                    .iter()
                    .fold(set, |set, &(index, scale)| match index {
                        Operand::Constant(bits) => {
                            let distance = (bits.signed() as i64).wrapping_mul(scale as i64);
                            set.map(|offsets| offsets.add(distance))
                        }
                        Operand::Register(_) | Operand::Address(..) => {
                            set.map(|offsets| offsets.spread(scale as i64))
                        }
                    })
            }
        }
    }

    /// What an atomic update writes.
    fn updated(
        &self,
        instance: InstanceId,
        operator: UpdateOperator,
        operands: [Operand; 2],
        [old, operand]: [AddressSet; 2],
    ) -> AddressSet {
        match operator.binary() {
            _ if operator == UpdateOperator::Exchange => operand,
            Some(operator) if self.is_address(instance, operands[0]) => {
                let mut set = self.binary(instance, operator, operands, [old, operand]);
                set.plain |= set.objects.is_empty();
                set
            }
            Some(_) | None => mixed([old, operand]),
        }
    }

    /// An address of the same object, or a number: what else is computed is computed from the numbers of addresses.
    fn binary(
        &self,
        instance: InstanceId,
        operator: BinaryOperator,
        operands: [Operand; 2],
        sets: [AddressSet; 2],
    ) -> AddressSet {
        let [left, right] = [0, 1].map(|side| self.side(instance, operands[side], &sets[side]));
        let computed = sets.iter().any(|set| set.computed);
        match address_arithmetic::binary(operator, left, right) {
            AddressResult::Moved(side, moved) => {
                let mut set = sets[side].clone().map(|offsets| match moved {
                    Move::By(distance) => offsets.add(distance),
                    Move::Anywhere => Residues::ANY,
                    Move::Tag(tag) => offsets.with_exact_tag(tag),
                    Move::AnyTag(tag) => offsets.with_tag(tag),
                    Move::Untag(tag) => offsets.without_tag(tag),
                });
                set.computed = computed;
                let (lowers, reaches_objects) = match moved {
                    Move::By(distance) => (distance < 0, distance.unsigned_abs() >= LOWEST),
                    Move::Anywhere => (true, true),
                    Move::Tag(tag) | Move::AnyTag(tag) => (false, u64::from(tag) >= LOWEST),
                    Move::Untag(_) => (false, false),
                };
                set.lowered |= lowers;
                set.plain |= set.small && reaches_objects;
                set
            }
            AddressResult::Exact => AddressSet::number(computed),
            AddressResult::Computed(sides) => {
                let near = (0..2).find(|&side| matches!(sides[side], Some(Agreement::Near(_))));
                let mut set = near.map_or_else(AddressSet::default, |side| {
                    sets[side].clone().map(|_| Residues::ANY)
                });
                set.computed = true;
                set.lowered = true;
                set
            }
        }
    }

    fn side(&self, instance: InstanceId, operand: Operand, set: &AddressSet) -> Side {
        let bound = self.bounds[self.instances.threads[instance].template].of(operand);
        Side::new(self.instances, operand, set, bound, self.is_blind)
    }

    fn is_address(&self, instance: InstanceId, operand: Operand) -> bool {
        self.program.templates[self.instances.threads[instance].template].is_address(operand)
    }

    fn width(&self, instance: InstanceId, operand: Operand) -> u32 {
        self.program.templates[self.instances.threads[instance].template].width(operand)
    }
}

/// Whether the result is another number than an operand.
fn is_computed(operation: &Operation) -> bool {
    match operation {
        Operation::Binary(..) | Operation::Cast(..) => true,
        Operation::Copy(_)
        | Operation::Compare(..)
        | Operation::Select(..)
        | Operation::Offset { .. } => false,
    }
}

/// What may be put together from two values that are more or less than an address.
fn mixed([mut left, right]: [AddressSet; 2]) -> AddressSet {
    left.join(&right);
    if left.objects.is_empty() && !left.other {
        return left;
    }
    left.scrambled()
}
