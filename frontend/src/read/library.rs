//! Calls of library functions, by their effect.

use std::collections::BTreeSet;
use std::ops::Range;

use abi::functions::Effect;
use abi::ids::SiteId;
use abi::markers::is_reserved;

use super::builder::constant;
use super::leaks::End;
use super::reader::{Read, unreadable};
use super::thread::{PathStatus, ThreadReader};
use crate::llvm::Value;
use crate::normalize::undefined_function;
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, HavocOrigin, HeapSite, LimitKind, LocationKind,
    LockPointer, Mark, MonotonicAtomic, MutexOperation, NoAlias, Operand, Operation, Place,
    Property, Statement,
};

/// Where a failed assertion leads.
const FAILED: LocationKind = LocationKind::Error(Property::UnreachCall);

/// The property that is violated where a requirement does not hold, if one is about that.
fn required_by(effect: Effect) -> Option<Property> {
    let known = [
        (Effect::InvalidAccessUnless, Property::ValidDeref),
        (Effect::OverflowUnless, Property::NoOverflow),
        (Effect::LockMisuseUnless, Property::NoLockMisuse),
        (Effect::DeadlockUnless, Property::NoDeadlock),
    ];
    let mut known = known.into_iter();
    known
        .find(|(requirement, _)| *requirement == effect)
        .map(|(_, property)| property)
}

/// Where the result of a function comes from that may return anything.
fn origin_of(name: &str) -> HavocOrigin {
    match undefined_function(name) {
        Some(_) => HavocOrigin::External,
        None => HavocOrigin::Input,
    }
}

/// What a marker says whose argument is false, or a condition.
fn mark(call: Value, argument: u32) -> Mark {
    match call.operand(argument) {
        Some(argument) if argument.is_constant() => Mark::Always,
        Some(_) | None => Mark::UnlessBothMover,
    }
}

/// A constant argument of a marker.
fn number(call: Value, argument: u32) -> Read<u32> {
    let number = call.operand(argument).and_then(Value::integer);
    match number.and_then(|number| u32::try_from(number).ok()) {
        Some(number) => Ok(number),
        None => unreadable("a marker with a computed number"),
    }
}

/// The instruction that an argument of a marker names.
fn site(call: Value, argument: u32) -> Read<SiteId> {
    Ok(SiteId(number(call, argument)?))
}

/// The instructions that the arguments of a marker name from `first` on.
fn sites(call: Value, first: u32) -> Read<BTreeSet<SiteId>> {
    let count = call.arguments().len() as u32;
    (first..count)
        .map(|argument| site(call, argument))
        .collect()
}

impl ThreadReader<'_, '_> {
    /// Appends what a call of a library function does.
    pub fn read_effect(&mut self, call: Value, effect: Effect, name: &str) -> Read<PathStatus> {
        if effect == Effect::Exit {
            self.look_for_leaks(End::Exit);
        }
        match effect {
            Effect::ThreadCreate => self.read_create(call)?,
            Effect::ThreadJoin => self.read_join(call)?,
            Effect::ThreadDetach => {
                let thread = self.wide_argument(call, 0)?;
                self.builder.emit(Statement::Detach { thread });
                self.define_result(call, constant(64, 0))?;
            }
            Effect::ThreadSelf => {
                let register = self.builder.register(self.builder.address_bits());
                self.builder.emit(Statement::SelfHandle { register });
                self.define_result(call, Operand::Register(register))?;
            }
            Effect::ThreadNumber => {
                let register = self.builder.register(32);
                self.builder.emit(Statement::SelfNumber { register });
                self.define_result(call, Operand::Register(register))?;
            }
            Effect::ThreadNumberOf => {
                let thread = self.wide_argument(call, 0)?;
                let register = self.builder.register(32);
                self.builder
                    .emit(Statement::NumberOfThread { register, thread });
                self.define_result(call, Operand::Register(register))?;
            }
            Effect::MutexLock => self.read_mutex(call, MutexOperation::Lock)?,
            Effect::MutexTryLock => self.read_mutex(call, MutexOperation::TryLock)?,
            Effect::MutexUnlock => self.read_mutex(call, MutexOperation::Unlock)?,
            Effect::AtomicBegin => self.begin_atomic(),
            Effect::AtomicEnd => self.end_atomic()?,
            Effect::Assume => self.read_requirement(call, LocationKind::Blocked)?,
            Effect::Assert => self.read_requirement(call, FAILED)?,
            Effect::UndefinedUnless
            | Effect::InvalidAccessUnless
            | Effect::OverflowUnless
            | Effect::LockMisuseUnless
            | Effect::DeadlockUnless => {
                let what = call.operand(1).and_then(|what| self.reader.text(what));
                if let Some(what) = what {
                    self.explain(what);
                }
                self.reader.requirements.insert(self.builder.site);
                if let Some(property) = required_by(effect) {
                    self.reader.required_by.insert(self.builder.site, property);
                }
                self.read_requirement(call, LocationKind::Limit(LimitKind::Undefined))?
            }
            Effect::ViolatedUnless => {
                let what = call.operand(1).and_then(|what| self.reader.text(what));
                if let Some(what) = what {
                    self.explain(what);
                }
                self.read_requirement(call, FAILED)?
            }
            Effect::Nondeterministic => self.read_arbitrary(call, origin_of(name))?,
            Effect::Choose => self.read_arbitrary(call, HavocOrigin::Watch)?,
            Effect::FirstValue => self.read_arbitrary(call, HavocOrigin::Undefined)?,
            Effect::Irrelevant | Effect::PutText | Effect::PutMessage | Effect::PutBlock => {
                self.read_arbitrary(call, HavocOrigin::Library)?
            }
            Effect::Print { format } => self.read_print(call, format, false, name)?,
            Effect::PrintList { format } => self.read_print(call, format, true, name)?,
            Effect::SetBuffer => self.read_buffer(call, name)?,
            Effect::Succeeds => self.define_result(call, constant(64, 0))?,
            Effect::Allocate => {
                let size = self.wide_argument(call, 0)?;
                self.allocate(call, size, false)?;
            }
            Effect::AllocateZeroed => self.read_zeroed_allocation(call)?,
            Effect::Free => {
                let address = self.wide_argument(call, 0)?;
                self.builder.emit(Statement::Free {
                    address,
                    automatic: false,
                });
            }
            Effect::Object => {
                let address = self.wide_argument(call, 0)?;
                let operation = Operation::Cast(Cast::Object, address);
                let object = self.builder.assign(32, operation);
                self.define_result(call, object)?;
            }
            Effect::Size => {
                let address = self.wide_argument(call, 0)?;
                let register = self.builder.register(self.builder.address_bits());
                self.builder.emit(Statement::Size { register, address });
                self.define_result(call, Operand::Register(register))?;
            }
            Effect::Yield => self.builder.mark_external(),
            Effect::YieldIfCommitted => {
                self.builder.phase_marks().yields_if_committed = mark(call, 1);
            }
            Effect::CommitUnless => self.builder.phase_marks().commits = mark(call, 0),
            Effect::Unreached => {
                let sites = sites(call, 0)?;
                self.builder
                    .phase_marks()
                    .both_mover
                    .unreached
                    .extend(sites);
            }
            Effect::Apart => self.read_apart(call)?,
            Effect::Differs => self.read_differs(call)?,
            Effect::Locked => self.read_locked(call)?,
            Effect::Both => {} // Conditions are read where they are called; all must hold.
            Effect::YieldLocal => {} // The location is internal; only the encoder's choice of cut points uses the call.
            Effect::Modelled | Effect::InPlace | Effect::KeepPlace | Effect::Jump => {
                return unreadable(format!("call of `{name}` with these parameter types"));
            }
            Effect::Scan | Effect::ScanInput { .. } => {
                return unreadable(format!(
                    "call of `{name}` that reads anything but integers and texts of limited lengths, or whose format is computed"
                ));
            }
            Effect::PrintText { .. } | Effect::PrintTextList { .. } => {
                return unreadable(format!(
                    "call of `{name}` with this format, or whose format is computed"
                ));
            }
            Effect::Unsupported => return unreadable(self.unsupported_text(call)),
            Effect::RequireNoRegion => {
                let own = call.operand(1).and_then(Value::integer).unwrap_or(0);
                if u128::from(self.builder.depth) > own {
                    return unreadable(self.unsupported_text(call));
                }
            }
            Effect::ThreadExit => {
                let value = self.argument(call, 0)?;
                self.reader.main_ends_as_thread |= self.is_main;
                self.look_for_leaks_at_end_of_thread();
                self.end_thread(Some(value));
                return Ok(PathStatus::Ends);
            }
            Effect::Wait => return Ok(self.end(LocationKind::Blocked)),
            Effect::Error => return Ok(self.end(FAILED)),
            Effect::Halt | Effect::Exit if self.reader.options.abort_is_error => {
                return self.read_error_or_halt(call);
            }
            Effect::Halt | Effect::Exit => return Ok(self.end(LocationKind::Halted)),
            Effect::RecursionLimit => {
                return Ok(self.end(LocationKind::Limit(LimitKind::Recursion)));
            }
        }
        Ok(PathStatus::Continues)
    }

    fn read_apart(&mut self, call: Value) -> Read<()> {
        let apart = NoAlias {
            site: site(call, 0)?,
            address: self.wide_argument(call, 1)?,
            size: number(call, 2)?,
            others: sites(call, 3)?,
        };
        self.builder.phase_marks().both_mover.apart.insert(apart);
        Ok(())
    }

    fn read_locked(&mut self, call: Value) -> Read<()> {
        let arguments = call.arguments().len() as u32;
        let locks = number(call, 2)?.saturating_add(3).min(arguments);
        let named = |arguments: Range<u32>| arguments.map(|argument| site(call, argument));
        let locked = LockPointer {
            site: site(call, 0)?,
            mutex: self.wide_argument(call, 1)?,
            others: named(3..locks).collect::<Read<_>>()?,
            locks: named(locks..arguments).collect::<Read<_>>()?,
        };
        self.builder.phase_marks().both_mover.locked.insert(locked);
        Ok(())
    }

    fn read_differs(&mut self, call: Value) -> Read<()> {
        let width = 8 * number(call, 2)?;
        let value = match self.argument(call, 3)? {
            Operand::Constant(bits) if matches!(width, 8 | 16 | 32 | 64) => {
                Bits::new(width, bits.value)
            }
            Operand::Constant(_) | Operand::Register(_) | Operand::Address(..) => {
                return unreadable("a marker with a computed value");
            }
        };
        let differs = MonotonicAtomic {
            site: site(call, 0)?,
            address: self.wide_argument(call, 1)?,
            value,
        };
        self.builder
            .phase_marks()
            .both_mover
            .differs
            .insert(differs);
        Ok(())
    }

    pub(super) fn end(&mut self, kind: LocationKind) -> PathStatus {
        self.builder.end(kind, Statement::Skip);
        PathStatus::Ends
    }

    /// Ends the run; in an error if that is by `abort`, or by `exit` with another status than 0.
    fn read_error_or_halt(&mut self, call: Value) -> Read<PathStatus> {
        if call.argument_count() == 0 {
            self.explain("abort".to_owned());
            return Ok(self.end(FAILED));
        }
        self.explain("nonzero exit".to_owned());
        let status = self.argument(call, 0)?;
        let width = self.builder.width(status);
        let condition = self
            .builder
            .compare(Comparison::Equal, status, constant(width, 0));
        for (kind, holds) in [(LocationKind::Halted, true), (FAILED, false)] {
            self.builder
                .end(kind, Statement::Guard { condition, holds });
        }
        Ok(PathStatus::Ends)
    }

    fn read_create(&mut self, call: Value) -> Read<()> {
        let start = self.wide_argument(call, 0)?;
        let argument = self.wide_argument(call, 1)?;
        match start {
            Operand::Address(Place::Function(function), 0) => {
                self.reader.start_routine(function)?
            }
            Operand::Register(_) | Operand::Constant(_) | Operand::Address(..) => {
                self.reader.computed_start = true
            }
        }
        let register = self.builder.register(self.builder.address_bits());
        self.builder.emit(Statement::Create {
            register,
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

    pub fn read_arbitrary(&mut self, call: Value, origin: HavocOrigin) -> Read<()> {
        if call.value_type_of().is_void() {
            return Ok(());
        }
        let name = call.callee().name();
        match (origin, undefined_function(&name)) {
            (HavocOrigin::External, Some(function)) => {
                self.explain(format!("what `{function}` gives, which is not defined"));
            }
            (HavocOrigin::Library, _) if !is_reserved(name.as_bytes()) => {
                self.explain(format!("the result of `{name}`"));
            }
            (
                HavocOrigin::External
                | HavocOrigin::Library
                | HavocOrigin::Input
                | HavocOrigin::Undefined
                | HavocOrigin::Watch,
                _,
            ) => {}
        }
        let widths = self.widths(call.value_type_of())?;
        let operands = self.arbitrary(&widths, origin);
        self.define(call, operands)
    }

    /// Keeps what verdicts say of the current instruction; see [`program::model::Program::explanations`].
    pub fn explain(&mut self, words: String) {
        self.reader.explanations.insert(self.builder.site, words);
    }

    fn read_zeroed_allocation(&mut self, call: Value) -> Read<()> {
        let (count, size) = (self.wide_argument(call, 0)?, self.wide_argument(call, 1)?);
        let size = self.size_of_many(count, size);
        self.allocate(call, size, true)
    }

    /// The size of so many elements. A product that overflows is more than any pool of slots holds.
    pub fn size_of_many(&mut self, count: Operand, size: Operand) -> Operand {
        let width = self.builder.address_bits();
        if let (Operand::Constant(count), Operand::Constant(size)) = (count, size) {
            let product = count.value.saturating_mul(size.value);
            return constant(width, product.min(Bits::mask(width)));
        }
        let (count, size) = (
            self.builder.resize(128, count),
            self.builder.resize(128, size),
        );
        let product = self.builder.binary(BinaryOperator::Multiply, count, size);
        let limit = constant(128, 1 << width);
        let fits = self
            .builder
            .compare(Comparison::UnsignedLess, product, limit);
        self.builder
            .require(fits, LocationKind::Limit(LimitKind::Heap));
        self.builder.resize(width, product)
    }

    /// A new object; its address is the value of `call`.
    pub fn allocate(&mut self, call: Value, size: Operand, zeroed: bool) -> Read<()> {
        let reserved = match size {
            Operand::Constant(bits) => {
                u32::try_from(bits.value).unwrap_or(self.reader.options.allocation)
            }
            Operand::Register(_) | Operand::Address(..) => self.reader.options.allocation,
        };
        let heap_site = HeapSite {
            template: self.id,
            size: reserved.min(self.reader.module.data_model().largest_object()),
            site: self.builder.site,
            automatic: call.is_local_variable(),
            pool: HeapSite::UNDIVIDED,
        };
        let site = self.reader.heap_sites.push(heap_site);
        let register = self.builder.register(self.builder.address_bits());
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
