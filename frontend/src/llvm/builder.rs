//! Inserting instructions.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMIntPredicate, LLVMRealPredicate};

use super::module::Module;
use super::types::Parts;
use super::value::{Block, Type, Value};

/// Inserts instructions at one place of a module.
pub(crate) struct Builder(LLVMBuilderRef);

impl Drop for Builder {
    fn drop(&mut self) {
        // SAFETY: the builder is owned.
        unsafe { LLVMDisposeBuilder(self.0) }
    }
}

impl Builder {
    /// Inserts before `instruction`, with its source position.
    pub fn before(module: &Module, instruction: Value) -> Self {
        // SAFETY: the instruction is part of the module.
        unsafe {
            let builder = LLVMCreateBuilderInContext(module.context());
            LLVMPositionBuilderBefore(builder, instruction.0);
            Self(builder)
        }
    }

    /// Inserts at the end of `block`.
    pub fn at_end(module: &Module, block: Block) -> Self {
        // SAFETY: the block is part of the module.
        unsafe {
            let builder = LLVMCreateBuilderInContext(module.context());
            LLVMPositionBuilderAtEnd(builder, block.0);
            Self(builder)
        }
    }

    /// Gives what is inserted from now on the source position of `instruction`.
    pub fn copy_position(self, instruction: Value) -> Self {
        if let Some(location) = instruction.debug_location() {
            // SAFETY: the location belongs to an instruction of the same module.
            unsafe { LLVMSetCurrentDebugLocation2(self.0, location.0) }
        }
        self
    }

    /// A call of `function`.
    pub fn call(&self, function: Value, arguments: &[Value]) -> Value {
        self.call_as(function.value_type(), function, arguments)
    }

    /// A call of the function of this name, which is declared if the module does not know it. Where the program gives it
    /// another type, the call is well formed all the same, and whoever reads it goes by the name.
    pub fn call_named(
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
                self.0,
                function_type.0,
                callee.0,
                raw.as_mut_ptr(),
                count,
                c"".as_ptr(),
            )
        })
    }

    /// A local variable.
    pub fn variable(&self, value_type: Type) -> Value {
        // SAFETY: the type has a size.
        Value(unsafe { LLVMBuildAlloca(self.0, value_type.0, c"".as_ptr()) })
    }

    /// Copies a number of bytes between places that do not overlap.
    pub fn copy_memory(&self, to: Value, from: Value, length: Value) -> Value {
        // SAFETY: two pointers and an integer.
        Value(unsafe { LLVMBuildMemCpy(self.0, to.0, 1, from.0, 1, length.0) })
    }

    /// A plain load.
    pub fn load(&self, value_type: Type, pointer: Value) -> Value {
        // SAFETY: the pointer has pointer type.
        Value(unsafe { LLVMBuildLoad2(self.0, value_type.0, pointer.0, c"".as_ptr()) })
            .with_alignment(1)
    }

    /// A plain store.
    pub fn store(&self, value: Value, pointer: Value) -> Value {
        // SAFETY: the pointer has pointer type.
        Value(unsafe { LLVMBuildStore(self.0, value.0, pointer.0) }).with_alignment(1)
    }

    /// `pointer` plus a constant number of bytes.
    pub fn byte_offset(&self, module: &Module, pointer: Value, offset: u64) -> Value {
        if offset == 0 {
            return pointer;
        }
        let mut index = [module.int_type(64).constant(offset).0];
        // SAFETY: one index over bytes.
        Value(unsafe {
            LLVMBuildGEP2(
                self.0,
                module.int_type(8).0,
                pointer.0,
                index.as_mut_ptr(),
                1,
                c"".as_ptr(),
            )
        })
    }

    /// A part of a vector, struct or array.
    pub fn part(&self, module: &Module, whole: Value, index: u32) -> Value {
        // SAFETY: the callers pass an aggregate with a part of this index.
        Value(unsafe {
            match whole.value_type_of().parts() {
                Parts::Vector(..) => {
                    let index = module.int_type(32).constant(index.into());
                    LLVMBuildExtractElement(self.0, whole.0, index.0, c"".as_ptr())
                }
                Parts::Struct(_) | Parts::Array(..) | Parts::None => {
                    LLVMBuildExtractValue(self.0, whole.0, index, c"".as_ptr())
                }
            }
        })
    }

    /// A vector, struct or array with another part at one place.
    pub fn with_part(&self, module: &Module, whole: Value, part: Value, index: u32) -> Value {
        // SAFETY: the callers pass an aggregate with a part of this index and type.
        Value(unsafe {
            match whole.value_type_of().parts() {
                Parts::Vector(..) => {
                    let index = module.int_type(32).constant(index.into());
                    LLVMBuildInsertElement(self.0, whole.0, part.0, index.0, c"".as_ptr())
                }
                Parts::Struct(_) | Parts::Array(..) | Parts::None => {
                    LLVMBuildInsertValue(self.0, whole.0, part.0, index, c"".as_ptr())
                }
            }
        })
    }

    /// Comparison for equality.
    pub fn equal(&self, left: Value, right: Value) -> Value {
        self.compare(LLVMIntPredicate::LLVMIntEQ, left, right)
    }

    /// Comparison for inequality.
    pub fn not_equal(&self, left: Value, right: Value) -> Value {
        self.compare(LLVMIntPredicate::LLVMIntNE, left, right)
    }

    /// Whether the first is less than the second as unsigned numbers.
    pub fn unsigned_less(&self, left: Value, right: Value) -> Value {
        self.compare(LLVMIntPredicate::LLVMIntULT, left, right)
    }

    fn compare(&self, predicate: LLVMIntPredicate, left: Value, right: Value) -> Value {
        // SAFETY: the callers pass operands of one type.
        Value(unsafe { LLVMBuildICmp(self.0, predicate, left.0, right.0, c"".as_ptr()) })
    }

    /// Whether a floating-point number lies between two others, or is the lower one if `inclusive`.
    pub fn between(&self, lower: Value, inclusive: bool, number: Value, upper: Value) -> Value {
        let at_least = if inclusive {
            LLVMRealPredicate::LLVMRealOGE
        } else {
            LLVMRealPredicate::LLVMRealOGT
        };
        let below = LLVMRealPredicate::LLVMRealOLT;
        // SAFETY: the callers pass operands of one floating-point type.
        unsafe {
            let above = LLVMBuildFCmp(self.0, at_least, number.0, lower.0, c"".as_ptr());
            let below = LLVMBuildFCmp(self.0, below, number.0, upper.0, c"".as_ptr());
            Value(LLVMBuildAnd(self.0, above, below, c"".as_ptr()))
        }
    }

    /// Disjunction, bit by bit.
    pub fn or(&self, left: Value, right: Value) -> Value {
        // SAFETY: the callers pass operands of one integer type.
        Value(unsafe { LLVMBuildOr(self.0, left.0, right.0, c"".as_ptr()) })
    }

    /// The second value if the condition holds, else the third.
    pub fn select(&self, condition: Value, then: Value, otherwise: Value) -> Value {
        // SAFETY: the callers pass one bit and two values of one type.
        Value(unsafe { LLVMBuildSelect(self.0, condition.0, then.0, otherwise.0, c"".as_ptr()) })
    }

    /// A phi node without incoming values.
    pub fn phi(&self, value_type: Type) -> Value {
        // SAFETY: the callers have a place among phi nodes.
        Value(unsafe { LLVMBuildPhi(self.0, value_type.0, c"".as_ptr()) })
    }

    /// The elements of a vector, or the value itself if it is none.
    pub fn elements(&self, module: &Module, value: Value) -> Vec<Value> {
        let Parts::Vector(_, count) = value.value_type_of().parts() else {
            return vec![value];
        };
        let element = |index| {
            let index = module.int_type(32).constant(index);
            // SAFETY: the value is a vector with an element of this index.
            Value(unsafe { LLVMBuildExtractElement(self.0, value.0, index.0, c"".as_ptr()) })
        };
        (0..count).map(element).collect()
    }

    /// The sum of two integers.
    pub fn add(&self, left: Value, right: Value) -> Value {
        // SAFETY: the callers pass integers of one type.
        Value(unsafe { LLVMBuildAdd(self.0, left.0, right.0, c"".as_ptr()) })
    }

    /// The product of two integers, or of each two elements.
    pub fn multiply(&self, left: Value, right: Value) -> Value {
        // SAFETY: the callers pass integers, or vectors of them, of one type.
        Value(unsafe { LLVMBuildMul(self.0, left.0, right.0, c"".as_ptr()) })
    }

    /// An integer moved to higher bits.
    pub fn shift_left(&self, value: Value, bits: u64) -> Value {
        let distance = value.value_type_of().constant(bits);
        // SAFETY: the callers pass an integer.
        Value(unsafe { LLVMBuildShl(self.0, value.0, distance.0, c"".as_ptr()) })
    }

    /// An integer moved to lower bits, with zeros behind.
    pub fn shift_right(&self, value: Value, bits: u64) -> Value {
        let distance = value.value_type_of().constant(bits);
        // SAFETY: the callers pass an integer.
        Value(unsafe { LLVMBuildLShr(self.0, value.0, distance.0, c"".as_ptr()) })
    }

    /// Sign extension or truncation to an integer type.
    pub fn resize_signed(&self, value: Value, integer: Type) -> Value {
        // SAFETY: the callers pass an integer and an integer type.
        Value(unsafe { LLVMBuildIntCast2(self.0, value.0, integer.0, 1, c"".as_ptr()) })
    }

    /// Zero extension or truncation to an integer type.
    pub fn resize(&self, value: Value, integer: Type) -> Value {
        // SAFETY: the callers pass an integer and an integer type.
        Value(unsafe { LLVMBuildIntCast2(self.0, value.0, integer.0, 0, c"".as_ptr()) })
    }

    /// An unconditional branch.
    pub fn jump(&self, target: Block) -> Value {
        // SAFETY: the builder stands in the same function.
        Value(unsafe { LLVMBuildBr(self.0, target.0) })
    }

    /// A conditional branch.
    pub fn branch_if(&self, condition: Value, then: Block, otherwise: Block) -> Value {
        // SAFETY: the condition is one bit, the blocks are in one function.
        Value(unsafe { LLVMBuildCondBr(self.0, condition.0, then.0, otherwise.0) })
    }

    /// A place that is never reached.
    pub fn unreachable(&self) -> Value {
        // SAFETY: the builder has a place.
        Value(unsafe { LLVMBuildUnreachable(self.0) })
    }

    /// A return.
    pub fn return_value(&self, value: Option<Value>) -> Value {
        // SAFETY: the callers pass a value of the function's result type.
        Value(unsafe {
            match value {
                Some(value) => LLVMBuildRet(self.0, value.0),
                None => LLVMBuildRetVoid(self.0),
            }
        })
    }
}
