//! Inserting instructions.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use inkwell::builder::BuilderError;
use inkwell::values::{AsValueRef, BasicValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, FloatPredicate, IntPredicate};
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::handle::{Block, Type, Value};
use super::module::Module;
use super::types::TypeParts;

/// Inserts instructions at one place of a module.
pub struct Builder(inkwell::builder::Builder<'static>);

/// What a builder made. inkwell knows builders without a place, but each of these has one.
fn made(made: Result<impl AsValueRef, BuilderError>) -> Value {
    Value::of(made.expect("a builder that has a place"))
}

// The results of inkwell's loads and parts of structs are in an enum that panics on values of some types, as the arguments of its calls
// are; these are built without inkwell.
impl Builder {
    /// Inserts before `instruction`, with its source position.
    pub fn before(module: &Module, instruction: Value) -> Self {
        let builder = module.context().create_builder();
        builder.position_before(&instruction.instruction());
        Self(builder)
    }

    /// Inserts at the end of `block`.
    pub(crate) fn at_end(module: &Module, block: Block) -> Self {
        let builder = module.context().create_builder();
        builder.position_at_end(block.0);
        Self(builder)
    }

    /// Gives what is inserted from now on the source position of `instruction`.
    pub(crate) fn copy_position(self, instruction: Value) -> Self {
        if let Some(location) = instruction.debug_location() {
            self.0.set_current_debug_location(location);
        }
        self
    }

    /// The block that it inserts into.
    pub(crate) fn block(&self) -> Block {
        let block = self.0.get_insert_block();
        Block(block.expect("a builder that has a place"))
    }

    fn raw(&self) -> LLVMBuilderRef {
        self.0.as_mut_ptr()
    }

    /// A call of `function`.
    pub(crate) fn call(&self, function: Value, arguments: &[Value]) -> Value {
        self.call_as(function.value_type(), function, arguments)
    }

    /// A call of the function of this name. The function is declared if the module does not know it. If the program
    /// gives the function another type, the call is well formed nevertheless, and code that reads the call uses the
    /// name only.
    pub(crate) fn call_named(
        &self,
        module: &Module,
        name: &str,
        result: Type,
        arguments: &[Value],
    ) -> Value {
        let parameters: Vec<Type> = arguments
            .iter()
            .map(|argument| argument.value_type_of())
            .collect();
        let callee = module
            .function(name)
            .unwrap_or_else(|| module.declare(name, result, &parameters));
        self.call_as(Type::function(result, &parameters), callee, arguments)
    }

    /// A call of `callee` with an explicit function type.
    pub fn call_as(&self, function_type: Type, callee: Value, arguments: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = arguments.iter().map(|argument| argument.0).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        // SAFETY: the callers pass arguments of the function's parameter types.
        Value(unsafe {
            LLVMBuildCall2(
                self.raw(),
                function_type.0,
                callee.0,
                raw.as_mut_ptr(),
                count,
                c"".as_ptr(),
            )
        })
    }

    /// A local variable.
    pub(crate) fn variable(&self, value_type: Type) -> Value {
        made(self.0.build_alloca(value_type, ""))
    }

    /// Copies a number of bytes between places that do not overlap.
    pub(crate) fn copy_memory(&self, to: Value, from: Value, length: Value) -> Value {
        let (to, from) = (to.pointer(), from.pointer());
        made(self.0.build_memcpy(to, 1, from, 1, length.int()))
    }

    /// A plain load.
    pub(crate) fn load(&self, value_type: Type, pointer: Value) -> Value {
        // SAFETY: the pointer has pointer type.
        Value(unsafe { LLVMBuildLoad2(self.raw(), value_type.0, pointer.0, c"".as_ptr()) })
            .with_alignment(1)
    }

    /// A plain store.
    pub(crate) fn store(&self, value: Value, pointer: Value) -> Value {
        made(self.0.build_store(pointer.pointer(), value)).with_alignment(1)
    }

    /// A sequentially consistent update of memory by an integer, or exchange of a pointer; the old value.
    pub(crate) fn atomic_update(
        &self,
        operator: AtomicRMWBinOp,
        pointer: Value,
        value: Value,
    ) -> Value {
        // inkwell's exchanges integers only.
        // SAFETY: the callers pass a value of a type that the operator takes.
        Value(unsafe {
            LLVMBuildAtomicRMW(
                self.raw(),
                operator.into(),
                pointer.0,
                value.0,
                AtomicOrdering::SequentiallyConsistent.into(),
                0,
            )
        })
    }

    /// A sequentially consistent compare-and-swap of an integer or a pointer; the old value, and whether it has succeeded.
    pub(crate) fn compare_exchange(&self, pointer: Value, expected: Value, new: Value) -> Value {
        // The arguments of inkwell's are in an enum that panics on values of some types.
        let order = AtomicOrdering::SequentiallyConsistent;
        // SAFETY: the callers pass two values of one type, an integer's or a pointer's.
        Value(unsafe {
            LLVMBuildAtomicCmpXchg(
                self.raw(),
                pointer.0,
                expected.0,
                new.0,
                order.into(),
                order.into(),
                0,
            )
        })
    }

    /// `pointer` plus a constant number of bytes.
    pub(crate) fn byte_offset(&self, module: &Module, pointer: Value, offset: u64) -> Value {
        if offset == 0 {
            return pointer;
        }
        let index = module
            .size_type()
            .constant(offset & module.data_model().mask())
            .int();
        self.byte_at(module, pointer, Value::of(index))
    }

    /// `pointer` plus a number of bytes, as wide as an address.
    pub(crate) fn byte_at(&self, module: &Module, pointer: Value, offset: Value) -> Value {
        let (byte, pointer) = (module.int_type(8), pointer.pointer());
        // SAFETY: one index over bytes.
        made(unsafe { self.0.build_gep(byte, pointer, &[offset.int()], "") })
    }

    /// The address with only those bits that the mask has.
    pub(crate) fn mask(&self, pointer: Value, mask: Value) -> Value {
        let (pointer, integer) = (pointer.pointer(), mask.int().get_type());
        let address = made(self.0.build_ptr_to_int(pointer, integer, ""));
        let kept = self.and(address, mask).int();
        made(self.0.build_int_to_ptr(kept, pointer.get_type(), ""))
    }

    /// A part of a vector, struct or array.
    pub(crate) fn part(&self, module: &Module, whole: Value, index: u32) -> Value {
        match whole.value_type_of().parts() {
            TypeParts::Vector(..) => self.vector_element(module, whole, index.into()),
            // SAFETY: the callers pass an aggregate with a part of this index.
            TypeParts::Struct(_) | TypeParts::Array(..) | TypeParts::None => {
                Value(unsafe { LLVMBuildExtractValue(self.raw(), whole.0, index, c"".as_ptr()) })
            }
        }
    }

    /// A vector, struct or array with another part at one place.
    pub(crate) fn with_part(
        &self,
        module: &Module,
        whole: Value,
        part: Value,
        index: u32,
    ) -> Value {
        match whole.value_type_of().parts() {
            TypeParts::Vector(..) => {
                let index = module.int_type(32).constant(index.into()).int();
                made(self.0.build_insert_element(whole, part, index, ""))
            }
            // SAFETY: the callers pass an aggregate with a part of this index and type.
            TypeParts::Struct(_) | TypeParts::Array(..) | TypeParts::None => Value(unsafe {
                LLVMBuildInsertValue(self.raw(), whole.0, part.0, index, c"".as_ptr())
            }),
        }
    }

    fn vector_element(&self, module: &Module, vector: Value, index: u64) -> Value {
        let index = module.int_type(32).constant(index).int();
        made(self.0.build_extract_element(vector, index, ""))
    }

    /// Comparison for equality.
    pub(crate) fn equal(&self, left: Value, right: Value) -> Value {
        self.compare(IntPredicate::EQ, left, right)
    }

    /// Comparison for inequality.
    pub(crate) fn not_equal(&self, left: Value, right: Value) -> Value {
        self.compare(IntPredicate::NE, left, right)
    }

    /// Whether the first is less than the second as unsigned numbers.
    pub(crate) fn unsigned_less(&self, left: Value, right: Value) -> Value {
        self.compare(IntPredicate::ULT, left, right)
    }

    /// Comparison of two integers.
    pub(crate) fn compare(&self, predicate: IntPredicate, left: Value, right: Value) -> Value {
        made(self.0.build_int_compare(predicate, left, right, ""))
    }

    /// Whether a floating-point number lies between two others, or is the lower one if `inclusive`.
    pub(crate) fn between(
        &self,
        lower: Value,
        inclusive: bool,
        number: Value,
        upper: Value,
    ) -> Value {
        let at_least = if inclusive {
            FloatPredicate::OGE
        } else {
            FloatPredicate::OGT
        };
        let builder = &self.0;
        let above = made(builder.build_float_compare(at_least, number, lower, ""));
        let below = made(builder.build_float_compare(FloatPredicate::OLT, number, upper, ""));
        made(builder.build_and(above, below, ""))
    }

    /// Conjunction, bit by bit.
    pub(crate) fn and(&self, left: Value, right: Value) -> Value {
        made(self.0.build_and(left, right, ""))
    }

    /// Exclusive disjunction, bit by bit.
    pub(crate) fn xor(&self, left: Value, right: Value) -> Value {
        made(self.0.build_xor(left, right, ""))
    }

    /// Disjunction, bit by bit.
    pub(crate) fn or(&self, left: Value, right: Value) -> Value {
        made(self.0.build_or(left, right, ""))
    }

    /// The second number or address if the condition holds, else the third.
    pub(crate) fn select(&self, condition: Value, then: Value, otherwise: Value) -> Value {
        made(self.0.build_select(condition, then, otherwise, ""))
    }

    /// A phi node without incoming values.
    pub(crate) fn phi(&self, value_type: Type) -> Value {
        made(self.0.build_phi(value_type, ""))
    }

    /// The elements of a vector, or the value itself if it is none.
    pub(crate) fn elements(&self, module: &Module, value: Value) -> Vec<Value> {
        let TypeParts::Vector(_, count) = value.value_type_of().parts() else {
            return vec![value];
        };
        let element = |index| self.vector_element(module, value, index);
        (0..count).map(element).collect()
    }

    /// The sum of two integers.
    pub(crate) fn add(&self, left: Value, right: Value) -> Value {
        made(self.0.build_int_add(left, right, ""))
    }

    /// The difference of two integers.
    pub(crate) fn subtract(&self, left: Value, right: Value) -> Value {
        made(self.0.build_int_sub(left, right, ""))
    }

    /// The product of two integers, or of each two elements.
    pub(crate) fn multiply(&self, left: Value, right: Value) -> Value {
        made(self.0.build_int_mul(left, right, ""))
    }

    /// An integer moved to higher bits.
    pub(crate) fn shift_left(&self, value: Value, bits: u64) -> Value {
        let distance = value.value_type_of().constant(bits);
        made(self.0.build_left_shift(value, distance, ""))
    }

    /// An integer moved to lower bits, with zeros behind.
    pub(crate) fn shift_right(&self, value: Value, bits: u64) -> Value {
        let distance = value.value_type_of().constant(bits);
        made(self.0.build_right_shift(value, distance, false, ""))
    }

    /// Sign extension or truncation to an integer type.
    pub(crate) fn resize_signed(&self, value: Value, integer: Type) -> Value {
        made(self.0.build_int_cast_sign_flag(value, integer, true, ""))
    }

    /// Zero extension or truncation to an integer type.
    pub(crate) fn resize(&self, value: Value, integer: Type) -> Value {
        made(self.0.build_int_cast_sign_flag(value, integer, false, ""))
    }

    /// The same bits as a value of another type.
    pub(crate) fn bit_cast(&self, value: Value, result: Type) -> Value {
        Value(unsafe { LLVMBuildBitCast(self.raw(), value.0, result.0, c"".as_ptr()) })
    }

    /// The pointer of an integer.
    pub(crate) fn int_to_pointer(&self, value: Value, pointer: Type) -> Value {
        made(self.0.build_int_to_ptr(value.int(), pointer.pointer(), ""))
    }

    /// An unconditional branch.
    pub(crate) fn jump(&self, target: Block) -> Value {
        made(self.0.build_unconditional_branch(target.0))
    }

    /// A conditional branch.
    pub(crate) fn branch_if(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        let condition = condition.int();
        made(
            self.0
                .build_conditional_branch(condition, then.0, otherwise.0),
        )
    }

    /// A choice among blocks by an integer.
    pub(crate) fn switch(
        &self,
        value: Value,
        otherwise: Block,
        targets: &[(Value, Block)],
    ) -> Value {
        let cases: Vec<_> = targets
            .iter()
            .map(|(value, target)| (value.int(), target.0))
            .collect();
        made(self.0.build_switch(value.int(), otherwise.0, &cases))
    }

    /// A place that is never reached.
    pub(crate) fn unreachable(&self) -> Value {
        made(self.0.build_unreachable())
    }

    /// A return.
    pub(crate) fn return_value(&self, value: Option<Value>) -> Value {
        let value = value
            .as_ref()
            .map(|value| value as &dyn BasicValue<'static>);
        made(self.0.build_return(value))
    }
}
