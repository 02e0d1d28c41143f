//! The constraints of each statement, solved by going through all statements until nothing changes.

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use super::contents::Contents;
use super::residues::Residues;
use super::set::Set;
use crate::model::{
    BinaryOperator, Bits, HavocOrigin, Instances, Operand, Operation, Program, RegisterId,
    Statement, Template, UpdateOperator,
};

/// The analysis in progress.
pub(super) struct Solver<'a> {
    program: &'a Program,
    instances: &'a Instances,
    registers: PrimaryMap<InstanceId, SecondaryMap<RegisterId, Set>>,
    contents: Contents,
    /// What threads return.
    results: Set,
    changed: bool,
}

impl<'a> Solver<'a> {
    pub(super) fn new(program: &'a Program, instances: &'a Instances) -> Self {
        let registers = instances
            .threads
            .values()
            .map(|_| SecondaryMap::with_default(Set::default()))
            .collect();
        let contents = Contents::new(program, instances);
        Self {
            program,
            instances,
            registers,
            contents,
            results: Set::default(),
            changed: true,
        }
    }

    /// The sets of all registers.
    pub(super) fn run(mut self) -> PrimaryMap<InstanceId, SecondaryMap<RegisterId, Set>> {
        while self.changed {
            self.changed = false;
            for (instance, thread) in &self.instances.threads {
                let template = &self.program.templates[thread.template];
                for edge in template.edges.values() {
                    self.statement(instance, template, &edge.statement);
                }
            }
        }
        self.registers
    }

    fn statement(&mut self, instance: InstanceId, template: &Template, statement: &Statement) {
        let bytes = |width: u32| width.div_ceil(8);
        let width = |register: RegisterId| template.registers[register].width;
        match *statement {
            Statement::Skip
            | Statement::Guard { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::Free { .. }
            | Statement::Detach { .. }
            | Statement::SelfHandle { .. }
            | Statement::Ask { .. }
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { value: None } => {}
            Statement::Assign {
                register,
                ref operation,
            } => {
                let set = self.operation(instance, operation);
                self.define(instance, register, &set);
            }
            Statement::Parallel(ref moves) => {
                for &(register, operand) in moves {
                    let set = self.value(instance, operand);
                    self.define(instance, register, &set);
                }
            }
            Statement::Havoc { register, origin } => {
                let other = match origin {
                    HavocOrigin::Input | HavocOrigin::Library => true,
                    HavocOrigin::Undefined => false,
                };
                self.define(
                    instance,
                    register,
                    &Set {
                        objects: Vec::new(),
                        other,
                    },
                );
            }
            Statement::Load {
                register,
                address,
                atomic: _,
            } => {
                let set = self.load(instance, address, bytes(width(register)));
                self.define(instance, register, &set);
            }
            Statement::Store {
                value,
                address,
                atomic: _,
            } => {
                let set = self.value(instance, value);
                self.store(instance, address, 0, bytes(template.width(value)), &set);
            }
            Statement::Update {
                register,
                address,
                operator,
                operand,
            } => {
                let size = bytes(width(register));
                let old = self.load(instance, address, size);
                let operand = self.value(instance, operand);
                self.define(instance, register, &old);
                let new = if operator == UpdateOperator::Exchange {
                    operand
                } else {
                    mixed(old, &operand)
                };
                self.store(instance, address, 0, size, &new);
            }
            Statement::CompareExchange {
                register,
                address,
                desired,
                ..
            } => {
                let size = bytes(width(register));
                let old = self.load(instance, address, size);
                self.define(instance, register, &old);
                let desired = self.value(instance, desired);
                self.store(instance, address, 0, size, &desired);
            }
            Statement::Allocate { register, site, .. } => {
                let set = Set::starts(self.instances.allocated(site, instance));
                self.define(instance, register, &set);
            }
            Statement::Create {
                start, argument, ..
            } => {
                let argument = self.value(instance, argument);
                self.start(start, &argument);
            }
            Statement::Join { value, .. } => {
                let results = self.results.clone();
                self.store(instance, value, 0, 8, &results);
            }
            Statement::Mutex { mutex, .. } => {
                // Count and owner are small numbers, which are no addresses by themselves.
                self.store(instance, mutex, 4, 4, &Set::default());
                self.store(instance, mutex, 8, 4, &Set::default());
            }
            Statement::Return { value: Some(value) } => {
                let set = self.value(instance, value);
                self.changed |= self.results.join(&set);
            }
        }
    }

    fn define(&mut self, instance: InstanceId, register: RegisterId, set: &Set) {
        self.changed |= self.registers[instance][register].join(set);
    }

    fn value(&self, instance: InstanceId, operand: Operand) -> Set {
        match operand {
            Operand::Register(register) => self.registers[instance][register].clone(),
            Operand::Constant(_) | Operand::Address(..) => {
                Set::constant(self.instances, instance, operand)
            }
        }
    }

    fn load(&self, instance: InstanceId, address: Operand, size: u32) -> Set {
        let address = self.value(instance, address);
        let mut found = Set {
            objects: Vec::new(),
            other: address.other,
        };
        for (object, offsets) in address.objects {
            found.join(&self.contents.read(object, offsets, size));
        }
        found
    }

    /// Stores at `distance` behind an address.
    fn store(
        &mut self,
        instance: InstanceId,
        address: Operand,
        distance: i64,
        size: u32,
        values: &Set,
    ) {
        let address = self.value(instance, address);
        if address.other && !self.contents.scattered {
            self.contents.scattered = true;
            self.changed = true;
        }
        for (object, offsets) in address.objects {
            self.changed |= self
                .contents
                .write(object, offsets.add(distance), size, values);
        }
    }

    /// Passes the argument to every instance that may be started.
    fn start(&mut self, start: Operand, argument: &Set) {
        for started in self.instances.start_candidates(self.program, start) {
            let template = &self.program.templates[self.instances.threads[started].template];
            if let Some(&parameter) = template.parameters.first() {
                self.define(started, parameter, argument);
            }
        }
    }

    fn operation(&self, instance: InstanceId, operation: &Operation) -> Set {
        let value = |operand| self.value(instance, operand);
        match *operation {
            Operation::Copy(operand) | Operation::Cast(_, operand) => value(operand),
            Operation::Compare(..) => Set::default(),
            Operation::Select(_, yes, no) => {
                let mut set = value(yes);
                set.join(&value(no));
                set
            }
            Operation::Binary(operator, left, right) => {
                self.binary(instance, operator, left, right)
            }
            Operation::Offset {
                base,
                constant,
                ref indices,
            } => {
                let set = value(base).map(|offsets| offsets.add(constant as i64));
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

    /// A result that is an address of the same object, or may be anything.
    fn binary(
        &self,
        instance: InstanceId,
        operator: BinaryOperator,
        left: Operand,
        right: Operand,
    ) -> Set {
        let value = |operand| self.value(instance, operand);
        match (operator, left, right) {
            (BinaryOperator::Add, pointer, Operand::Constant(bits))
            | (BinaryOperator::Add, Operand::Constant(bits), pointer)
                if is_near(bits) =>
            {
                moved(value(pointer), bits.signed() as i64)
            }
            (BinaryOperator::Subtract, pointer, Operand::Constant(bits)) if is_near(bits) => {
                moved(value(pointer), -(bits.signed() as i64))
            }
            (BinaryOperator::And, pointer, Operand::Constant(bits)) if keeps_object(bits, true) => {
                value(pointer).map(|_| Residues::ANY)
            }
            (BinaryOperator::Or | BinaryOperator::Xor, pointer, Operand::Constant(bits))
                if keeps_object(bits, false) =>
            {
                value(pointer).map(|_| Residues::ANY)
            }
            (_, left, right) => mixed(value(left), &value(right)),
        }
    }
}

/// An address moved by a constant; a number may become one.
fn moved(set: Set, distance: i64) -> Set {
    if set.objects.is_empty() {
        Set::unknown()
    } else {
        set.map(|offsets| offsets.add(distance))
    }
}

/// Whether adding it to an address stays near the object.
fn is_near(bits: Bits) -> bool {
    bits.width == 64 && bits.signed().unsigned_abs() < 1 << 31
}

/// Whether every bit of the high half, which tells the object, is `set`.
fn keeps_object(bits: Bits, set: bool) -> bool {
    bits.width == 64 && bits.value >> 32 == if set { u128::from(u32::MAX) } else { 0 }
}

/// What may be computed from two values.
fn mixed(mut left: Set, right: &Set) -> Set {
    left.join(right);
    left.scrambled()
}
