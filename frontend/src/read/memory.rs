//! Variables in memory, loads, stores and atomic updates.

use inkwell::AtomicRMWBinOp as Rmw;

use super::builder::constant;
use super::reader::{Read, unreadable};
use super::thread::{PathStatus, ThreadReader};
use crate::llvm::{Type, TypeParts, Value};
use program::model::{
    HavocOrigin, Local, LocationId, Operand, Operation, Place, RegisterId, SPURIOUS_FAILURE,
    Statement, UpdateOperator, Words,
};

/// A scalar in memory: byte offset and width in bits.
type Field = (u64, u32);

impl ThreadReader<'_, '_> {
    /// A variable. One that is allocated in a loop or has a computed size is a new object each time, as if by `malloc`, but
    /// cannot be freed.
    pub fn read_alloca(&mut self, alloca: Value) -> Read<PathStatus> {
        let Some(element) = alloca.allocated_type().size(self.reader.module) else {
            return unreadable("a variable of this type");
        };
        let count = self.operand(alloca.operand(0))?;
        let width = self.builder.address_bits();
        let count = self.builder.resize(width, count);
        let size = self.size_of_many(count, constant(width, element.into()));
        let is_repeated = !self.is_entry(alloca.block()) && self.is_in_cycle(alloca.block());
        let size = match size {
            Operand::Constant(bits) if !is_repeated => bits.value,
            Operand::Constant(_) | Operand::Register(_) | Operand::Address(..) => {
                self.allocate(alloca, size, false)?;
                return Ok(PathStatus::Continues);
            }
        };
        if !self.values.contains_key(&alloca) {
            let largest = self.reader.module.data_model().largest_object();
            let Some(size) = u32::try_from(size).ok().filter(|&size| size <= largest) else {
                return unreadable(format!("a variable of {size} bytes"));
            };
            let mut name = self
                .variable(alloca)
                .cloned()
                .unwrap_or_else(|| alloca.name());
            if name.is_empty() {
                "unnamed".clone_into(&mut name);
            }
            let alignment = alloca.alignment();
            let local = self.builder.template.locals.push(Local {
                name,
                size,
                alignment,
                c_type: self.c_type(alloca),
            });
            self.define(alloca, vec![Operand::Address(Place::Local(local), 0)])?;
        }
        Ok(PathStatus::Continues)
    }

    pub fn read_load(&mut self, load: Value) -> Read<PathStatus> {
        if load.accessed_pointer().is_some_and(|pointer| {
            pointer.is_global_variable() && pointer.is_declaration() && !pointer.may_be_absent()
        }) {
            // Defined outside the program, such as `stderr`.
            let widths = self.widths(load.value_type_of())?;
            let name = load
                .accessed_pointer()
                .map_or_else(String::new, Value::name);
            self.explain(format!("the value of `{name}`, which is defined elsewhere"));
            let operands = self.arbitrary(&widths, HavocOrigin::Library);
            self.define(load, operands)?;
            return Ok(PathStatus::Continues);
        }
        let address = self.operand(load.accessed_pointer())?;
        let value_type = load.value_type_of();
        let operands = if let Some(total) = self.whole_width(value_type) {
            let bits = self.load(address, total, load.is_atomic());
            self.split(bits, &self.widths(value_type)?)
        } else {
            let mut scalars = Vec::new();
            for (offset, width) in self.fields(value_type)? {
                let field = self.builder.displace(address, offset);
                scalars.push(self.load(field, width, false));
            }
            scalars
        };
        self.define(load, operands)?;
        Ok(PathStatus::Continues)
    }

    pub fn read_store(&mut self, store: Value) -> Read<PathStatus> {
        let address = self.operand(store.accessed_pointer())?;
        let Some(stored) = store.operand(0) else {
            return unreadable("a store without value");
        };
        let value_type = stored.value_type_of();
        let scalars = self.operands(stored)?;
        let atomic = store.is_atomic();
        if let Some(total) = self.whole_width(value_type) {
            let value = self.concatenate(&scalars, total);
            self.builder.emit(Statement::Store {
                value,
                address,
                atomic,
                words: Words::default(),
            });
        } else {
            for ((offset, _), value) in self.fields(value_type)?.into_iter().zip(scalars) {
                let address = self.builder.displace(address, offset);
                self.builder.emit(Statement::Store {
                    value,
                    address,
                    atomic,
                    words: Words::default(),
                });
            }
        }
        Ok(PathStatus::Continues)
    }

    fn load(&mut self, address: Operand, width: u32, atomic: bool) -> Operand {
        let register = self.builder.register(width);
        self.builder.emit(Statement::Load {
            register,
            address,
            atomic,
            words: Words::default(),
        });
        Operand::Register(register)
    }

    /// Width of values that are accessed in one step: scalars and vectors of at most 128 bits.
    fn whole_width(&self, value_type: Type) -> Option<u32> {
        let widths = self.widths(value_type).ok()?;
        let total: u32 = widths.iter().sum();
        match value_type.parts() {
            TypeParts::None => Some(total),
            TypeParts::Vector(..) => (total <= 128).then_some(total),
            TypeParts::Struct(_) | TypeParts::Array(..) => None,
        }
    }

    /// The scalars of a value in memory. Structs and longer vectors are accessed one scalar after the other.
    fn fields(&self, value_type: Type) -> Read<Vec<Field>> {
        self.widths(value_type)?;
        let mut fields = Vec::new();
        let mut pending = vec![(0, value_type)];
        while let Some((offset, part)) = pending.pop() {
            match part.parts() {
                TypeParts::Struct(parts) => {
                    let parts: Vec<(Type, u32)> = parts.into_iter().zip(0..).collect();
                    pending.extend(parts.into_iter().rev().map(|(field, index)| {
                        (offset + part.field_offset(self.reader.module, index), field)
                    }));
                }
                TypeParts::Array(element, count) => {
                    let size = element.size(self.reader.module).unwrap_or(0);
                    pending.extend(
                        (0..count)
                            .rev()
                            .map(|index| (offset + index * size, element)),
                    );
                }
                TypeParts::Vector(element, count) => {
                    let width = self.scalar_width(element)?;
                    if width % 8 != 0 {
                        return unreadable("a vector of bits in memory");
                    }
                    fields.extend(
                        (0..count).map(|index| (offset + index * u64::from(width / 8), width)),
                    );
                }
                TypeParts::None => fields.push((offset, self.scalar_width(part)?)),
            }
        }
        Ok(fields)
    }

    pub fn read_compare_exchange(&mut self, exchange: Value) -> Read<PathStatus> {
        let address = self.operand(exchange.accessed_pointer())?;
        let expected = self.operand(exchange.operand(1))?;
        let desired = self.operand(exchange.operand(2))?;
        let register = self.builder.register(self.builder.width(expected));
        let success = self.builder.register(1);
        let failed = exchange
            .is_weak()
            .then(|| self.fail_spuriously(register, success, address));
        self.builder.emit(Statement::CompareExchange {
            register,
            success,
            address,
            expected,
            desired,
        });
        if let Some(failed) = failed {
            self.builder.emit_to(Statement::Skip, failed);
            self.builder.current = failed;
        }
        self.define(
            exchange,
            vec![Operand::Register(register), Operand::Register(success)],
        )?;
        Ok(PathStatus::Continues)
    }

    /// A path on which a weak exchange only reads, whatever memory holds; returns its end. The current location becomes that
    /// where it exchanges.
    fn fail_spuriously(
        &mut self,
        register: RegisterId,
        success: RegisterId,
        address: Operand,
    ) -> LocationId {
        self.explain(SPURIOUS_FAILURE.to_owned());
        let fails = self.builder.havoc(1, HavocOrigin::Undefined);
        let exchanges = self.builder.branch(fails);
        self.builder.emit(Statement::Load {
            register,
            address,
            atomic: true,
            words: Words::default(),
        });
        self.builder.emit(Statement::Assign {
            register: success,
            operation: Operation::Copy(constant(1, 0)),
        });
        std::mem::replace(&mut self.builder.current, exchanges)
    }

    pub fn read_update(&mut self, update: Value) -> Read<PathStatus> {
        let operator = match update.update_operator() {
            Rmw::Xchg => UpdateOperator::Exchange,
            Rmw::Add => UpdateOperator::Add,
            Rmw::Sub => UpdateOperator::Subtract,
            Rmw::And => UpdateOperator::And,
            Rmw::Nand => UpdateOperator::Nand,
            Rmw::Or => UpdateOperator::Or,
            Rmw::Xor => UpdateOperator::Xor,
            Rmw::Max => UpdateOperator::SignedMaximum,
            Rmw::Min => UpdateOperator::SignedMinimum,
            Rmw::UMax => UpdateOperator::UnsignedMaximum,
            Rmw::UMin => UpdateOperator::UnsignedMinimum,
            Rmw::UIncWrap => UpdateOperator::IncrementWrap,
            Rmw::UDecWrap => UpdateOperator::DecrementWrap,
            Rmw::FAdd | Rmw::FSub | Rmw::FMax | Rmw::FMin => {
                return unreadable("floating-point arithmetic");
            }
        };
        let address = self.operand(update.accessed_pointer())?;
        let operand = self.operand(update.operand(1))?;
        let register = self.builder.register(self.builder.width(operand));
        self.builder.emit(Statement::AtomicRmw {
            register,
            address,
            operator,
            operand,
        });
        self.define(update, vec![Operand::Register(register)])?;
        Ok(PathStatus::Continues)
    }

    /// The start of a variable's scope; that of an object that is allocated where it is declared is its allocation.
    pub fn start_lifetime(&mut self, pointer: Option<Value>) -> Read<()> {
        if let Operand::Address(Place::Local(local), 0) = self.operand(pointer)? {
            self.builder.emit(Statement::LifetimeStart { local });
        }
        Ok(())
    }

    /// The end of a variable's scope.
    pub fn end_lifetime(&mut self, pointer: Option<Value>) -> Read<()> {
        match self.operand(pointer)? {
            Operand::Address(Place::Local(local), 0) => {
                let locals = vec![local];
                self.builder.emit(Statement::LifetimeEnd { locals });
            }
            address @ Operand::Register(_) => self.builder.emit(Statement::Free {
                address,
                automatic: true,
            }),
            Operand::Constant(_) | Operand::Address(..) => {}
        }
        Ok(())
    }
}
