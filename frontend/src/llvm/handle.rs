//! Handles on values, types and blocks, and their conversion to inkwell's values.
#![allow(unsafe_code)] // inkwell's types are made from LLVM's pointers.

use inkwell::basic_block::BasicBlock;
use inkwell::types::{
    AnyType, AnyTypeEnum, AsTypeRef, BasicType, FloatMathType, FloatType, FunctionType,
    IntMathType, IntType, PointerType,
};
use inkwell::values::{
    AnyValue, ArrayValue, AsValueRef, BasicValue, CallSiteValue, FloatMathValue, FloatValue,
    FunctionValue, GlobalValue, InstructionValue, IntMathValue, IntValue, PhiValue, PointerValue,
    VectorBaseValue,
};
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::LLVMGetTypeKind;
use llvm_sys::prelude::*;

/// Any value: a constant, a global, an argument or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Value(pub(super) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Type(pub(super) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Block(pub(super) BasicBlock<'static>);

// inkwell has a type for each kind of value, and its enums over them panic on those kinds that it does not have. `Value` is of any
// kind; what these traits provide for all kinds, and what inkwell's builder does with them, LLVM provides for all kinds, too.
//
// SAFETY: the handles are LLVM's pointers.
unsafe impl AsValueRef for Value {
    fn as_value_ref(&self) -> LLVMValueRef {
        self.0
    }
}

unsafe impl AnyValue<'static> for Value {}
unsafe impl BasicValue<'static> for Value {}

unsafe impl IntMathValue<'static> for Value {
    type BaseType = Type;
    unsafe fn new(value: LLVMValueRef) -> Self {
        Self(value)
    }
}

unsafe impl FloatMathValue<'static> for Value {
    type BaseType = Type;
    unsafe fn new(value: LLVMValueRef) -> Self {
        Self(value)
    }
}

unsafe impl VectorBaseValue<'static> for Value {
    unsafe fn new(value: LLVMValueRef) -> Self {
        Self(value)
    }
}

unsafe impl AsTypeRef for Type {
    fn as_type_ref(&self) -> LLVMTypeRef {
        self.0
    }
}

unsafe impl AnyType<'static> for Type {}
unsafe impl BasicType<'static> for Type {}

unsafe impl IntMathType<'static> for Type {
    type ValueType = Value;
    type MathConvType = FloatType<'static>;
    type PtrConvType = PointerType<'static>;
}

unsafe impl FloatMathType<'static> for Type {
    type ValueType = Value;
    type MathConvType = Type;
}

// SAFETY, for every call below: the handle is alive (see the module documentation), and functions for one kind of value or type
// only are called after a test of that kind or by callers that made it.

/// The value as inkwell has it.
impl Value {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    pub(super) fn of(value: impl AsValueRef) -> Self {
        Self(value.as_value_ref())
    }

    pub(super) fn instruction(self) -> InstructionValue<'static> {
        unsafe { InstructionValue::new(self.0) }
    }

    /// A call instruction.
    pub(super) fn call_site(self) -> CallSiteValue<'static> {
        unsafe { CallSiteValue::new(self.0) }
    }

    pub(super) fn phi(self) -> PhiValue<'static> {
        unsafe { PhiValue::new(self.0) }
    }

    /// The value if it is a function.
    pub(super) fn as_function(self) -> Option<FunctionValue<'static>> {
        unsafe { FunctionValue::new(self.0) }
    }

    /// A function.
    pub(super) fn function(self) -> FunctionValue<'static> {
        self.as_function().expect("the caller knows a function")
    }

    /// A global variable, function or alias.
    pub(super) fn global(self) -> GlobalValue<'static> {
        unsafe { GlobalValue::new(self.0) }
    }

    pub(super) fn pointer(self) -> PointerValue<'static> {
        unsafe { PointerValue::new(self.0) }
    }

    pub(super) fn int(self) -> IntValue<'static> {
        unsafe { IntValue::new(self.0) }
    }

    pub(super) fn array(self) -> ArrayValue<'static> {
        unsafe { ArrayValue::new(self.0) }
    }

    pub(super) fn float(self) -> FloatValue<'static> {
        unsafe { FloatValue::new(self.0) }
    }
}

/// The type as inkwell has it.
impl Type {
    pub(super) fn of(known: impl AsTypeRef) -> Self {
        Self(known.as_type_ref())
    }

    /// The type in inkwell's enum; `None` for those that it panics on.
    pub(crate) fn known(self) -> Option<AnyTypeEnum<'static>> {
        use LLVMTypeKind::{
            LLVMLabelTypeKind, LLVMMetadataTypeKind, LLVMTargetExtTypeKind, LLVMTokenTypeKind,
            LLVMX86_AMXTypeKind, LLVMX86_MMXTypeKind,
        };
        let is_unknown = matches!(
            self.kind(),
            LLVMLabelTypeKind
                | LLVMMetadataTypeKind
                | LLVMTargetExtTypeKind
                | LLVMTokenTypeKind
                | LLVMX86_AMXTypeKind
                | LLVMX86_MMXTypeKind
        );
        (!is_unknown).then(|| self.as_any_type_enum())
    }

    /// What kind of type it is; inkwell's enum has not all kinds.
    pub(super) fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    pub(super) fn integer(self) -> IntType<'static> {
        unsafe { IntType::new(self.0) }
    }

    pub(super) fn pointer(self) -> PointerType<'static> {
        unsafe { PointerType::new(self.0) }
    }

    pub(super) fn float(self) -> FloatType<'static> {
        unsafe { FloatType::new(self.0) }
    }

    pub(super) fn function_type(self) -> FunctionType<'static> {
        unsafe { FunctionType::new(self.0) }
    }
}

impl Block {
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        unsafe { BasicBlock::new(raw) }.map(Self)
    }
}
