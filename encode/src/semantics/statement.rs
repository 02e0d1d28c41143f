//! What every statement does to the symbolic state. The reference is `explicit::interpret`; this code is independent of it.

use program::model::{LimitKind, Operand, Operation, RegisterId, Statement, UpdateOperator, Words};
use system::term::Term;

use crate::semantics::accesses::Need;
use crate::semantics::executor::Executor;
use crate::semantics::offset::offset;
use crate::semantics::operation;
use crate::semantics::path::{Path, Variable};
use crate::statement_accesses;

impl Executor<'_> {
    /// Executes a statement. The result is the path that goes on to the target of the edge, if any; what goes elsewhere
    /// is recorded as an end of the block.
    pub fn statement(&mut self, statement: &Statement, mut path: Path) -> Option<Path> {
        match statement {
            Statement::Skip | Statement::AtomicBegin | Statement::AtomicEnd => Some(path),
            Statement::Guard { condition, holds } => self.guard(path, *condition, *holds),
            Statement::Assign {
                register,
                operation,
            } => {
                let value = self.operation(&path, *register, operation);
                path.set_register(*register, value);
                Some(path)
            }
            Statement::ParallelAssign(moves) => {
                let values: Vec<Term> = moves
                    .iter()
                    .map(|(_, operand)| self.operand(&path, *operand))
                    .collect();
                for ((register, _), value) in moves.iter().zip(values) {
                    path.set_register(*register, value);
                }
                Some(path)
            }
            Statement::Havoc { register, .. } => {
                let value = self.input(self.width(*register));
                path.set_register(*register, value);
                Some(path)
            }
            Statement::Load {
                register,
                address,
                atomic: _,
                words,
            } => self.load(path, *register, *address, words),
            Statement::Store {
                value,
                address,
                atomic: _,
                words,
            } => self.store(path, *value, *address, words),
            Statement::AtomicRmw {
                register,
                address,
                operator,
                operand,
            } => self.update(path, *register, *address, *operator, *operand),
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => {
                self.compare_exchange(path, (*register, *success), *address, (*expected, *desired))
            }
            Statement::LifetimeStart { local } => Some(self.start_lifetime(path, *local)),
            Statement::LifetimeEnd { locals } => Some(self.end_lifetimes(path, locals)),
            Statement::Allocate {
                register,
                site,
                size,
                zeroed,
            } => self.allocate(path, *register, *site, *size, *zeroed),
            Statement::Free { address, automatic } => self.free(path, *address, *automatic),
            Statement::Size { register, address } => self.size(path, *register, *address),
            Statement::Create {
                register,
                start,
                argument,
            } => self.create(path, *register, *start, *argument),
            Statement::Join {
                register,
                thread,
                value,
            } => self.join(path, *register, *thread, *value),
            Statement::Detach { thread } => self.detach(path, *thread),
            Statement::NumberOfThread { register, thread } => {
                self.number_of_thread(path, *register, *thread)
            }
            Statement::SelfHandle { register } => {
                let handle = self.context.instances.handle(self.instance);
                let handle = self.address_bits(handle);
                path.set_register(*register, handle);
                Some(path)
            }
            Statement::SelfNumber { register } => {
                let number = self.own_number(&path);
                path.set_register(*register, number);
                Some(path)
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                let number = self.number(&path, *address, *unless);
                path.set_register(*register, number);
                Some(path)
            }
            Statement::FindLeak(search) => self.find_leak(path, *search),
            Statement::TestConflicts {
                register,
                known,
                tests: questions,
            } => {
                let value = self.answer(&path, *known, questions);
                path.set_register(*register, value);
                Some(path)
            }
            Statement::Mutex {
                operation,
                register,
                mutex,
            } => self.mutex(path, *operation, *register, *mutex),
            Statement::Return { value } => Some(self.return_value(path, *value)),
        }
    }

    pub(crate) fn width(&self, register: RegisterId) -> u32 {
        self.context.template(self.instance).registers[register].width
    }

    /// The value of an operand.
    pub(crate) fn operand(&mut self, path: &Path, operand: Operand) -> Term {
        match operand {
            // A register that is never written on a path to here is never read either; any value will do.
            Operand::Register(register) => match path.registers().get(&register) {
                Some(&value) => value,
                None => self.terms.bits(self.width(register), 0),
            },
            Operand::Constant(bits) => self.terms.bits(bits.width, bits.value),
            Operand::Address(place, offset) => {
                let address = self.context.instances.address(self.instance, place, offset);
                self.address_bits(address)
            }
        }
    }

    fn guard(&mut self, path: Path, condition: Operand, holds: bool) -> Option<Path> {
        let bit = self.operand(&path, condition);
        let condition = self.terms.bit_to_bool(bit);
        let condition = if holds {
            condition
        } else {
            self.terms.not(condition)
        };
        path.assume(self.terms, condition)
    }

    fn operation(&mut self, path: &Path, register: RegisterId, operation: &Operation) -> Term {
        match operation {
            Operation::Copy(a) => self.operand(path, *a),
            Operation::Binary(operator, a, b) => {
                let (a, b) = (self.operand(path, *a), self.operand(path, *b));
                operation::binary(self.terms, *operator, a, b)
            }
            Operation::Compare(comparison, a, b) => {
                let (a, b) = (self.operand(path, *a), self.operand(path, *b));
                let holds = operation::compare(self.terms, *comparison, a, b);
                self.terms.bool_to_bit(holds)
            }
            Operation::Cast(cast, a) => {
                let (a, width) = (self.operand(path, *a), self.width(register));
                let data_model = self.data_model();
                operation::cast(self.terms, data_model, *cast, width, a)
            }
            Operation::Select(condition, a, b) => {
                let bit = self.operand(path, *condition);
                let condition = self.terms.bit_to_bool(bit);
                let (a, b) = (self.operand(path, *a), self.operand(path, *b));
                self.terms.ite(condition, a, b)
            }
            Operation::Offset {
                base,
                constant,
                indices,
            } => {
                let base = self.operand(path, *base);
                let mut summands = Vec::new();
                for &(index, scale) in indices {
                    summands.push((self.operand(path, index), scale as i64));
                }
                let instances = self.context.instances;
                let nowhere = instances.base(instances.nowhere());
                offset(
                    self.terms,
                    instances.data_model,
                    (base, nowhere),
                    *constant as i64,
                    &summands,
                )
            }
        }
    }

    fn load(
        &mut self,
        path: Path,
        register: RegisterId,
        address: Operand,
        words: &Words,
    ) -> Option<Path> {
        let width = self.width(register);
        let size = statement_accesses::bytes(width);
        let (mut path, cases) = self.resolve(
            path,
            address,
            Need {
                size,
                writes: false,
            },
        )?;
        let content = if words.is_empty() {
            self.read(&path, &cases, 0, size)
        } else {
            self.read_parts(&path, &cases, size, words)
        };
        let value = operation::truncate(self.terms, width, content);
        path.set_register(register, value);
        Some(path)
    }

    fn store(
        &mut self,
        path: Path,
        value: Operand,
        address: Operand,
        words: &Words,
    ) -> Option<Path> {
        let value = self.operand(&path, value);
        let value = self.whole_bytes(value);
        let size = self.terms.width(value) / 8;
        let (mut path, cases) = self.resolve(path, address, Need { size, writes: true })?;
        self.write_numbers(&mut path, &cases, size, words);
        let always = self.terms.bool(true);
        self.write(&mut path, &cases, 0, value, always);
        Some(path)
    }

    /// Stores whole bytes where `when` holds; only there the address must be valid.
    pub(crate) fn store_if(
        &mut self,
        path: Path,
        value: Term,
        address: Operand,
        when: Term,
    ) -> Option<Path> {
        let size = self.terms.width(value) / 8;
        let never = self.terms.not(when);
        let skipped = path.clone().assume(self.terms, never);
        let written = path.assume(self.terms, when).and_then(|path| {
            let (mut path, cases) = self.resolve(path, address, Need { size, writes: true })?;
            let always = self.terms.bool(true);
            self.write(&mut path, &cases, 0, value, always);
            Some(path)
        });
        self.merge(written.into_iter().chain(skipped).collect())
    }

    fn whole_bytes(&mut self, value: Term) -> Term {
        let width = 8 * statement_accesses::bytes(self.terms.width(value));
        self.terms.zero_extend(width, value)
    }

    fn update(
        &mut self,
        path: Path,
        register: RegisterId,
        address: Operand,
        operator: UpdateOperator,
        operand: Operand,
    ) -> Option<Path> {
        let operand = self.operand(&path, operand);
        let width = self.terms.width(operand);
        let size = statement_accesses::bytes(width);
        let (mut path, cases) = self.resolve(path, address, Need { size, writes: true })?;
        let content = self.read(&path, &cases, 0, size);
        let old = operation::truncate(self.terms, width, content);
        let new = operation::update(self.terms, operator, old, operand);
        let (new, always) = (self.whole_bytes(new), self.terms.bool(true));
        self.write(&mut path, &cases, 0, new, always);
        path.set_register(register, old);
        Some(path)
    }

    fn compare_exchange(
        &mut self,
        path: Path,
        (register, success): (RegisterId, RegisterId),
        address: Operand,
        (expected, desired): (Operand, Operand),
    ) -> Option<Path> {
        let compared = [Operand::Register(register), expected];
        let (expected, desired) = (self.operand(&path, expected), self.operand(&path, desired));
        let width = self.terms.width(desired);
        let size = statement_accesses::bytes(width);
        let (mut path, cases) = self.resolve(path, address, Need { size, writes: true })?;
        let content = self.read(&path, &cases, 0, size);
        let old = operation::truncate(self.terms, width, content);
        let equal = self.terms.equal(old, expected);
        if width == self.data_model().address_bits() {
            let undecided = self.is_undecided(&path, compared, [old, expected]);
            let decided = self.terms.not(undecided);
            path = self.undefined_unless(path, decided)?;
        }
        let desired = self.whole_bytes(desired);
        self.write(&mut path, &cases, 0, desired, equal);
        path.set_register(register, old);
        let bit = self.terms.bool_to_bit(equal);
        path.set_register(success, bit);
        Some(path)
    }

    fn return_value(&mut self, mut path: Path, value: Option<Operand>) -> Path {
        let result = match value {
            Some(operand) => self.operand(&path, operand),
            None => self.input(self.data_model().address_bits()),
        };
        self.memory
            .write(&mut path, Variable::Result(self.instance), result);
        path
    }

    pub(crate) fn undefined_unless(&mut self, path: Path, condition: Term) -> Option<Path> {
        let otherwise = self.terms.not(condition);
        self.limit(&path, otherwise, LimitKind::Undefined);
        path.assume(self.terms, condition)
    }
}
