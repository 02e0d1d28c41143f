//! Types and their layout.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{
    LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement, LLVMStoreSizeOfType,
};

use super::module::{Module, take_message};
use super::value::{Type, Value};

// SAFETY, for every call below: as in `value`.

impl Type {
    /// What kind of type it is.
    pub fn kind(self) -> LLVMTypeKind {
        unsafe { LLVMGetTypeKind(self.0) }
    }

    /// Its textual form.
    pub fn print(self) -> String {
        take_message(unsafe { LLVMPrintTypeToString(self.0) })
    }

    /// Width of an integer type.
    pub fn int_width(self) -> Option<u32> {
        (self.kind() == LLVMTypeKind::LLVMIntegerTypeKind)
            .then(|| unsafe { LLVMGetIntTypeWidth(self.0) })
    }

    /// Whether it is the type of functions without result.
    pub fn is_void(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMVoidTypeKind
    }

    /// Whether it is the pointer type of the default address space.
    pub fn is_pointer(self) -> bool {
        self.kind() == LLVMTypeKind::LLVMPointerTypeKind
            && unsafe { LLVMGetPointerAddressSpace(self.0) } == 0
    }

    /// The parts of a struct, array or fixed vector type; empty for others.
    pub fn parts(self) -> Parts {
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMStructTypeKind => Parts::Struct(
                    (0..LLVMCountStructElementTypes(self.0))
                        .map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i)))
                        .collect(),
                ),
                LLVMTypeKind::LLVMArrayTypeKind => Parts::Array(
                    Type(LLVMGetElementType(self.0)),
                    LLVMGetArrayLength2(self.0),
                ),
                LLVMTypeKind::LLVMVectorTypeKind => Parts::Vector(
                    Type(LLVMGetElementType(self.0)),
                    LLVMGetVectorSize(self.0).into(),
                ),
                _ => Parts::None,
            }
        }
    }

    /// Whether values of the type have a size.
    pub fn is_sized(self) -> bool {
        unsafe { LLVMTypeIsSized(self.0) != 0 }
    }

    /// Size in bytes, padding to the alignment included; `None` for types without a fixed size.
    pub fn size(self, module: &Module) -> Option<u64> {
        self.has_fixed_size()
            .then(|| unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(module.as_raw()), self.0) })
    }

    /// Number of bytes that a load or store touches; `None` for types without a fixed size.
    pub fn stored_size(self, module: &Module) -> Option<u64> {
        self.has_fixed_size().then(|| unsafe {
            LLVMStoreSizeOfType(LLVMGetModuleDataLayout(module.as_raw()), self.0)
        })
    }

    fn has_fixed_size(self) -> bool {
        self.is_sized()
            && !matches!(
                self.kind(),
                LLVMTypeKind::LLVMScalableVectorTypeKind
                    | LLVMTypeKind::LLVMTargetExtTypeKind
                    | LLVMTypeKind::LLVMX86_AMXTypeKind
            )
    }

    /// Byte offset of a field of a struct type.
    pub fn field_offset(self, module: &Module, index: u32) -> u64 {
        unsafe { LLVMOffsetOfElement(LLVMGetModuleDataLayout(module.as_raw()), self.0, index) }
    }

    /// Result type of a function type.
    pub fn result(self) -> Type {
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Parameter types of a function type.
    pub fn parameter_types(self) -> Vec<Type> {
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type).collect()
        }
    }

    /// Whether a function type takes further arguments.
    pub fn is_variadic(self) -> bool {
        unsafe { LLVMIsFunctionVarArg(self.0) != 0 }
    }

    /// A function type.
    pub fn function(result: Type, parameters: &[Type]) -> Self {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.0).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        Type(unsafe { LLVMFunctionType(result.0, raw.as_mut_ptr(), count, 0) })
    }

    /// An array of so many elements of this type.
    pub fn array(self, count: u64) -> Self {
        Type(unsafe { LLVMArrayType2(self.0, count) })
    }

    /// The null pointer, or zero of this type.
    pub fn null(self) -> Value {
        Value(unsafe { LLVMConstNull(self.0) })
    }

    /// An integer constant of this type.
    pub fn constant(self, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, value, 0) })
    }

    /// An integer constant of this type, of at most 128 bits.
    pub fn wide_constant(self, value: u128) -> Value {
        let words = [value as u64, (value >> 64) as u64];
        Value(unsafe { LLVMConstIntOfArbitraryPrecision(self.0, 2, words.as_ptr()) })
    }

    /// A constant of this floating-point type, which can represent the number.
    pub fn real_constant(self, value: f64) -> Value {
        Value(unsafe { LLVMConstReal(self.0, value) })
    }

    /// How many binary digits a number of this floating-point type has; nothing for other types.
    pub fn precision(self) -> Option<u32> {
        match self.kind() {
            LLVMTypeKind::LLVMFloatTypeKind => Some(f32::MANTISSA_DIGITS),
            LLVMTypeKind::LLVMDoubleTypeKind => Some(f64::MANTISSA_DIGITS),
            LLVMTypeKind::LLVMX86_FP80TypeKind => Some(64),
            _ => None,
        }
    }

    /// A value of this type that LLVM may choose.
    pub fn undefined(self) -> Value {
        Value(unsafe { LLVMGetUndef(self.0) })
    }
}

/// The parts of an aggregate type.
pub(crate) enum Parts {
    /// A struct with these field types.
    Struct(Vec<Type>),
    /// An array of so many elements.
    Array(Type, u64),
    /// A vector of so many elements.
    Vector(Type, u64),
    /// Not an aggregate of known size.
    None,
}
