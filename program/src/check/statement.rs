//! The widths and names within one statement.

use super::checker::Checker;
use super::violation::ProgramPart;
use crate::model::{
    Bits, Cast, ConflictTest, EdgeId, Operand, Operation, RegisterId, Statement, Template,
};

/// Checks one statement.
pub(super) struct StatementCheck<'a, 'b, 'c> {
    pub(super) checker: &'a mut Checker<'c>,
    pub(super) template: &'b Template,
    pub(super) id: EdgeId,
}

impl StatementCheck<'_, '_, '_> {
    /// Names first: widths are looked up only of what exists.
    pub(super) fn run(&mut self, statement: &Statement) {
        if self.names(statement) {
            self.widths(statement);
        }
    }

    fn require(&mut self, good: bool, what: impl FnOnce() -> String) {
        self.checker.require(good, ProgramPart::Edge(self.id), what);
    }

    fn names(&mut self, statement: &Statement) -> bool {
        let mut missing = Vec::new();
        statement.for_each_operand(|operand| match operand {
            Operand::Register(register) if !self.template.registers.is_valid(register) => {
                missing.push(register.to_string());
            }
            Operand::Address(place, _)
                if !self.checker.place_exists(Some(self.template), place) =>
            {
                missing.push(format!("{place:?}"));
            }
            Operand::Constant(Bits { width, value })
                if !(1..=128).contains(&width) || value > Bits::mask(width) =>
            {
                missing.push(format!("a constant {value} of {width} bits"));
            }
            Operand::Register(_) | Operand::Address(..) | Operand::Constant(_) => {}
        });
        statement.for_each_definition(|register| {
            if !self.template.registers.is_valid(register) {
                missing.push(register.to_string());
            }
        });
        if let Statement::Allocate { site, .. } = statement
            && !self.checker.program.heap_sites.is_valid(*site)
        {
            missing.push(site.to_string());
        }
        let locals = statement.lifetimes().iter();
        let unknown = locals.filter(|&&local| !self.template.locals.is_valid(local));
        missing.extend(unknown.map(ToString::to_string));
        let complete = missing.is_empty();
        self.require(complete, || {
            format!("{} does not exist", missing.join(", "))
        });
        complete
    }

    fn width(&self, operand: Operand) -> u32 {
        self.template.width(operand)
    }

    /// The width of addresses.
    fn address(&self) -> u32 {
        self.template.data_model.address_bits()
    }

    fn register(&self, register: RegisterId) -> u32 {
        self.template.registers[register].width
    }

    fn is(&mut self, name: &str, width: u32, wanted: u32) {
        self.require(width == wanted, || {
            format!("{name} has {width} bits and not {wanted}")
        });
    }

    fn operand(&mut self, name: &str, operand: Operand, wanted: u32) {
        self.is(name, self.width(operand), wanted);
    }

    fn result(&mut self, register: RegisterId, wanted: u32) {
        self.is("the result", self.register(register), wanted);
    }

    fn widths(&mut self, statement: &Statement) {
        match *statement {
            Statement::Skip
            | Statement::Havoc { .. }
            | Statement::LifetimeStart { .. }
            | Statement::LifetimeEnd { .. }
            | Statement::FindLeak(_)
            | Statement::AtomicBegin
            | Statement::AtomicEnd
            | Statement::Return { value: None } => {}
            Statement::Guard { condition, .. } => self.operand("the condition", condition, 1),
            Statement::Assign {
                register,
                ref operation,
            } => self.operation(self.register(register), operation),
            Statement::ParallelAssign(ref moves) => self.parallel(moves),
            Statement::Load { address, .. }
            | Statement::Store { address, .. }
            | Statement::Free { address, .. } => {
                self.operand("the address", address, self.address());
            }
            Statement::AtomicRmw {
                register,
                address,
                operand,
                ..
            } => {
                self.operand("the address", address, self.address());
                self.operand("the operand", operand, self.register(register));
            }
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => {
                self.require(register != success, || {
                    "both results go to one register".to_owned()
                });
                self.is("success", self.register(success), 1);
                self.operand("the address", address, self.address());
                self.operand("the expected value", expected, self.register(register));
                self.operand("the desired value", desired, self.register(register));
            }
            Statement::Allocate { register, size, .. } => {
                self.result(register, self.address());
                self.operand("the size", size, self.address());
            }
            Statement::Size { register, address } => {
                self.result(register, self.address());
                self.operand("the address", address, self.address());
            }
            Statement::Create {
                register,
                start,
                argument,
            } => {
                self.result(register, self.address());
                self.operand("the start routine", start, self.address());
                self.operand("the argument", argument, self.address());
            }
            Statement::Join {
                register,
                thread,
                value,
            } => {
                self.result(register, 32);
                self.operand("the handle", thread, self.address());
                self.operand("the value", value, self.address());
            }
            Statement::Detach { thread } => self.operand("the handle", thread, self.address()),
            Statement::SelfHandle { register } => self.result(register, self.address()),
            Statement::SelfNumber { register } => self.result(register, 32),
            Statement::NumberOfThread { register, thread } => {
                self.result(register, 32);
                self.operand("the handle", thread, self.address());
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                self.result(register, self.address());
                self.operand("the address", address, self.address());
                if let Some(other) = unless.operand() {
                    self.operand("the other operand", other, self.address());
                }
            }
            Statement::TestConflicts {
                register,
                known,
                ref tests,
            } => {
                self.result(register, 1);
                self.operand("what is known", known, 1);
                for address in tests.iter().filter_map(ConflictTest::address) {
                    self.operand("the address", address, self.address());
                }
            }
            Statement::Mutex {
                register, mutex, ..
            } => {
                self.result(register, 32);
                self.operand("the mutex", mutex, self.address());
            }
            Statement::Return { value: Some(value) } => {
                self.operand("the value", value, self.address())
            }
        }
    }

    fn parallel(&mut self, moves: &[(RegisterId, Operand)]) {
        for (position, &(register, operand)) in moves.iter().enumerate() {
            self.operand("a value", operand, self.register(register));
            let again = moves[..position]
                .iter()
                .any(|&(earlier, _)| earlier == register);
            self.require(!again, || format!("{register} is written twice"));
        }
    }

    fn operation(&mut self, result: u32, operation: &Operation) {
        match *operation {
            Operation::Copy(operand) => self.operand("the operand", operand, result),
            Operation::Binary(_, left, right) => {
                self.operand("the first operand", left, result);
                self.operand("the second operand", right, result);
            }
            Operation::Compare(_, left, right) => {
                self.is("the result", result, 1);
                self.operand("the second operand", right, self.width(left));
            }
            Operation::Cast(cast, operand) => {
                let from = self.width(operand);
                let good = match cast {
                    Cast::ZeroExtend | Cast::SignExtend => from <= result,
                    Cast::Truncate => from >= result,
                    Cast::Object => from == self.address() && result == 32,
                };
                self.require(good, || format!("{cast:?} from {from} to {result} bits"));
            }
            Operation::Select(condition, yes, no) => {
                self.operand("the condition", condition, 1);
                self.operand("the second operand", yes, result);
                self.operand("the third operand", no, result);
            }
            Operation::Offset { base, .. } => {
                self.is("the result", result, self.address());
                self.operand("the base", base, self.address());
            }
        }
    }
}
