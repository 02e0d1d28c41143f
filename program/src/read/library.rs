//! Calls of library functions, by their effect.

use std::collections::BTreeSet;

use abi::functions::Effect;
use abi::ids::SiteId;

use super::builder::constant;
use super::thread::{Flow, ThreadReader};
use super::{Read, unreadable};
use crate::llvm::Value;
use crate::model::{
    BinaryOperator, Comparison, HavocOrigin, HeapSite, LimitKind, LocationKind, Mark,
    MutexOperation, Operand, Place, Statement,
};

/// What a marker says whose argument is false, or tells that conflicts are unreached.
fn mark(call: Value, argument: u32) -> Mark {
    match call.operand(argument) {
        Some(argument) if argument.is_constant() => Mark::Always,
        Some(_) | None => Mark::UnlessUnreached,
    }
}

impl ThreadReader<'_, '_> {
    /// Appends what a call of a library function does.
    pub fn read_effect(&mut self, call: Value, effect: Effect, name: &str) -> Read<Flow> {
        match effect {
            Effect::ThreadCreate => self.read_create(call)?,
            Effect::ThreadJoin => self.read_join(call)?,
            Effect::ThreadSelf => self.read_self(call)?,
            Effect::MutexLock => self.read_mutex(call, MutexOperation::Lock)?,
            Effect::MutexTryLock => self.read_mutex(call, MutexOperation::TryLock)?,
            Effect::MutexUnlock => self.read_mutex(call, MutexOperation::Unlock)?,
            Effect::AtomicBegin => self.begin_atomic(),
            Effect::AtomicEnd => self.end_atomic()?,
            Effect::Assume => self.read_requirement(call, LocationKind::Blocked)?,
            Effect::Assert => self.read_requirement(call, LocationKind::Error)?,
            Effect::UndefinedUnless => {
                self.read_requirement(call, LocationKind::Limit(LimitKind::Undefined))?
            }
            Effect::Nondeterministic => self.read_arbitrary(call, HavocOrigin::Input)?,
            Effect::FirstValue => self.read_arbitrary(call, HavocOrigin::Undefined)?,
            Effect::Irrelevant => self.read_arbitrary(call, HavocOrigin::Library)?,
            Effect::Succeeds => self.define_result(call, constant(64, 0))?,
            Effect::Allocate => {
                let size = self.wide_argument(call, 0)?;
                self.allocate(call, size, false)?;
            }
            Effect::AllocateZeroed => self.read_zeroed_allocation(call)?,
            Effect::Free => {
                let address = self.wide_argument(call, 0)?;
                self.builder.emit(Statement::Free { address });
            }
            Effect::Yield => self.builder.mark_external(),
            Effect::YieldIfCommitted => {
                self.builder.phase_marks().yields_if_committed = mark(call, 1);
            }
            Effect::CommitUnless => self.builder.phase_marks().commits = mark(call, 0),
            Effect::Unreached => self.read_conflicts(call)?,
            Effect::YieldLocal => {} // The location is internal; only the encoder's choice of cut points uses the call.
            Effect::Modelled => {
                return unreadable(format!("call of `{name}` with these parameter types"));
            }
            Effect::Scan => {
                return unreadable(format!(
                    "call of `{name}` that reads anything but integers, or whose format is computed"
                ));
            }
            Effect::Unsupported => return unreadable(self.unsupported_text(call)),
            Effect::ThreadExit => {
                let value = self.argument(call, 0)?;
                self.end_thread(Some(value));
                return Ok(Flow::Ends);
            }
            Effect::Wait => return Ok(self.end(LocationKind::Blocked)),
            Effect::Error => return Ok(self.end(LocationKind::Error)),
            Effect::Halt => return Ok(self.end(LocationKind::Halted)),
            Effect::RecursionLimit => {
                return Ok(self.end(LocationKind::Limit(LimitKind::Recursion)));
            }
        }
        Ok(Flow::Continues)
    }

    /// The instructions that the statement after the call conflicts with.
    fn read_conflicts(&mut self, call: Value) -> Read<()> {
        let mut sites = BTreeSet::new();
        for argument in call.arguments() {
            match argument.integer().and_then(|site| u32::try_from(site).ok()) {
                Some(site) => sites.insert(SiteId(site)),
                None => return unreadable("a marker with a computed instruction"),
            };
        }
        self.builder.phase_marks().conflicts = sites;
        Ok(())
    }

    fn end(&mut self, kind: LocationKind) -> Flow {
        self.builder.end(kind, Statement::Skip);
        Flow::Ends
    }

    fn read_create(&mut self, call: Value) -> Read<()> {
        let handle = self.wide_argument(call, 0)?;
        let start = self.wide_argument(call, 2)?;
        let argument = self.wide_argument(call, 3)?;
        match start {
            Operand::Address(Place::Function(function), 0) => {
                self.reader.start_routine(function)?
            }
            Operand::Register(_) | Operand::Constant(_) | Operand::Address(..) => {
                self.reader.computed_start = true
            }
        }
        let register = self.builder.register(32);
        self.builder.emit(Statement::Create {
            register,
            handle,
            start,
            argument,
        });
        self.define_result(call, Operand::Register(register))
    }

    fn read_join(&mut self, call: Value) -> Read<()> {
        let thread = self.wide_argument(call, 0)?;
        let value = self.wide_argument(call, 1)?;
        let register = self.builder.register(32);
        self.builder.emit(Statement::Join {
            register,
            thread,
            value,
        });
        self.define_result(call, Operand::Register(register))
    }

    fn read_self(&mut self, call: Value) -> Read<()> {
        let register = self.builder.register(64);
        self.builder.emit(Statement::SelfHandle { register });
        self.define_result(call, Operand::Register(register))
    }

    fn read_mutex(&mut self, call: Value, operation: MutexOperation) -> Read<()> {
        let mutex = self.wide_argument(call, 0)?;
        let register = self.builder.register(32);
        self.builder.emit(Statement::Mutex {
            operation,
            register,
            mutex,
        });
        self.define_result(call, Operand::Register(register))
    }

    fn begin_atomic(&mut self) {
        self.builder.depth += 1;
        self.builder.emit(Statement::AtomicBegin);
    }

    fn end_atomic(&mut self) -> Read<()> {
        let Some(depth) = self.builder.depth.checked_sub(1) else {
            return unreadable("the end of an atomic region that was not begun");
        };
        self.builder.depth = depth;
        self.builder.emit(Statement::AtomicEnd);
        Ok(())
    }

    /// The path goes on if the argument is not 0.
    fn read_requirement(&mut self, call: Value, otherwise: LocationKind) -> Read<()> {
        let argument = self.argument(call, 0)?;
        let holds = self.builder.is_not_zero(argument);
        self.builder.require(holds, otherwise);
        self.define_result(call, constant(64, 0))
    }

    fn read_arbitrary(&mut self, call: Value, origin: HavocOrigin) -> Read<()> {
        if call.value_type_of().is_void() {
            return Ok(());
        }
        let widths = self.widths(call.value_type_of())?;
        let operands = self.arbitrary(&widths, origin);
        self.define(call, operands)
    }

    fn read_zeroed_allocation(&mut self, call: Value) -> Read<()> {
        let (count, size) = (self.wide_argument(call, 0)?, self.wide_argument(call, 1)?);
        let size = self.size_of_many(count, size);
        self.allocate(call, size, true)
    }

    /// The size of so many elements. A product that overflows is more than any pool of slots holds.
    pub fn size_of_many(&mut self, count: Operand, size: Operand) -> Operand {
        if let (Operand::Constant(count), Operand::Constant(size)) = (count, size) {
            let product = count.value.saturating_mul(size.value);
            return constant(64, product.min(u64::MAX.into()));
        }
        let (count, size) = (
            self.builder.resize(128, count),
            self.builder.resize(128, size),
        );
        let product = self.builder.binary(BinaryOperator::Multiply, count, size);
        let limit = constant(128, 1 << 64);
        let fits = self
            .builder
            .compare(Comparison::UnsignedLess, product, limit);
        self.builder
            .require(fits, LocationKind::Limit(LimitKind::Heap));
        self.builder.resize(64, product)
    }

    /// A new object; its address is the value of `call`.
    pub fn allocate(&mut self, call: Value, size: Operand, zeroed: bool) -> Read<()> {
        let reserved = match size {
            Operand::Constant(bits) => u32::try_from(bits.value).unwrap_or(self.reader.allocation),
            Operand::Register(_) | Operand::Address(..) => self.reader.allocation,
        };
        let heap_site = HeapSite {
            template: self.id,
            size: reserved,
            site: self.builder.site,
        };
        let site = self.reader.heap_sites.push(heap_site);
        let register = self.builder.register(64);
        self.builder.emit(Statement::Allocate {
            register,
            site,
            size,
            zeroed,
        });
        self.define_result(call, Operand::Register(register))
    }

    fn unsupported_text(&self, call: Value) -> String {
        call.operand(0)
            .and_then(|text| self.reader.text(text))
            .unwrap_or_else(|| "a construct".to_owned())
    }
}
