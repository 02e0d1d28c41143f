//! Types and their layout.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use inkwell::AddressSpace;
use inkwell::types::{AnyType, AnyTypeEnum, BasicType};
use llvm_sys::LLVMTypeKind;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMOffsetOfElement;

use super::handle::{Type, Value};
use super::module::Module;
use super::text::text;

// SAFETY, for every call below: as in `handle`.

impl Type {
    /// Its textual form.
    pub(crate) fn print(self) -> String {
        text(&self.print_to_string())
    }

    /// Width of an integer type.
    pub(crate) fn int_width(self) -> Option<u32> {
        match self.known()? {
            AnyTypeEnum::IntType(integer) => Some(integer.get_bit_width()),
            _ => None,
        }
    }

    /// Whether it is the type of functions without result.
    pub(crate) fn is_void(self) -> bool {
        matches!(self.known(), Some(AnyTypeEnum::VoidType(_)))
    }

    /// Whether it is the pointer type of the default address space.
    pub(crate) fn is_pointer(self) -> bool {
        match self.known() {
            Some(AnyTypeEnum::PointerType(pointer)) => {
                pointer.get_address_space() == AddressSpace::default()
            }
            _ => false,
        }
    }

    /// The parts of a struct, array or fixed vector type; empty for others.
    pub(crate) fn parts(self) -> TypeParts {
        // inkwell panics on elements of some types, and its lengths of arrays have 32 bits.
        unsafe {
            match self.kind() {
                LLVMTypeKind::LLVMStructTypeKind => TypeParts::Struct(
                    (0..LLVMCountStructElementTypes(self.0))
                        .map(|i| Type(LLVMStructGetTypeAtIndex(self.0, i)))
                        .collect(),
                ),
                LLVMTypeKind::LLVMArrayTypeKind => TypeParts::Array(
                    Type(LLVMGetElementType(self.0)),
                    LLVMGetArrayLength2(self.0),
                ),
                LLVMTypeKind::LLVMVectorTypeKind => TypeParts::Vector(
                    Type(LLVMGetElementType(self.0)),
                    LLVMGetVectorSize(self.0).into(),
                ),
                _ => TypeParts::None,
            }
        }
    }

    /// Whether values of the type have a size.
    pub(crate) fn is_sized(self) -> bool {
        BasicType::is_sized(&self)
    }

    /// Size in bytes, padding to the alignment included; `None` for types without a fixed size.
    pub(crate) fn size(self, module: &Module) -> Option<u64> {
        self.has_fixed_size()
            .then(|| module.layout().get_abi_size(&self))
    }

    /// Number of bytes that a load or store touches; `None` for types without a fixed size.
    pub(crate) fn stored_size(self, module: &Module) -> Option<u64> {
        self.has_fixed_size()
            .then(|| module.layout().get_store_size(&self))
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
    pub(crate) fn field_offset(self, module: &Module, index: u32) -> u64 {
        // inkwell's subtracts one from the number of fields, which may be zero, and may find that there is none.
        unsafe { LLVMOffsetOfElement(module.layout().as_mut_ptr(), self.0, index) }
    }

    /// Result type of a function type.
    pub(crate) fn result(self) -> Type {
        // inkwell panics on results, and below on parameters, of some types.
        Type(unsafe { LLVMGetReturnType(self.0) })
    }

    /// Parameter types of a function type.
    pub(crate) fn parameter_types(self) -> Vec<Type> {
        unsafe {
            let mut raw = vec![std::ptr::null_mut(); LLVMCountParamTypes(self.0) as usize];
            LLVMGetParamTypes(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Type).collect()
        }
    }

    /// Whether a function type takes further arguments.
    pub(crate) fn is_variadic(self) -> bool {
        self.function_type().is_var_arg()
    }

    /// The type of functions with these parameters.
    pub fn function(result: Type, parameters: &[Type]) -> Self {
        Self::make_function(result, parameters, false)
    }

    /// The type of functions that take further arguments after these parameters.
    pub fn variadic_function(result: Type, parameters: &[Type]) -> Self {
        Self::make_function(result, parameters, true)
    }

    fn make_function(result: Type, parameters: &[Type], is_variadic: bool) -> Self {
        let mut raw: Vec<LLVMTypeRef> = parameters.iter().map(|parameter| parameter.0).collect();
        let count = u32::try_from(raw.len()).unwrap_or(u32::MAX);
        // inkwell panics on parameters of some types.
        Type(unsafe { LLVMFunctionType(result.0, raw.as_mut_ptr(), count, is_variadic.into()) })
    }

    /// An array of so many elements of this type.
    pub(crate) fn array(self, count: u64) -> Self {
        // inkwell's lengths have 32 bits.
        Type(unsafe { LLVMArrayType2(self.0, count) })
    }

    /// The null pointer, or zero of this type.
    pub(crate) fn null(self) -> Value {
        // inkwell has this, and `undef`, for the types that it has.
        Value(unsafe { LLVMConstNull(self.0) })
    }

    /// An integer constant of this type.
    pub fn constant(self, value: u64) -> Value {
        Value::of(self.integer().const_int(value, false))
    }

    /// An integer constant of this type, of at most 128 bits.
    pub(crate) fn wide_constant(self, value: u128) -> Value {
        let words = [value as u64, (value >> 64) as u64];
        Value::of(self.integer().const_int_arbitrary_precision(&words))
    }

    /// A constant of this struct or array type, of which these are all elements.
    pub(super) fn aggregate(self, elements: &[Value]) -> Value {
        let mut raw: Vec<LLVMValueRef> = elements.iter().map(|element| element.0).collect();
        let (first, count) = (raw.as_mut_ptr(), raw.len() as u32);
        // inkwell's elements are in an enum that has not all kinds of values.
        Value(match self.parts() {
            TypeParts::Array(element, _) => unsafe {
                LLVMConstArray2(element.0, first, count.into())
            },
            TypeParts::Struct(_) | TypeParts::Vector(..) | TypeParts::None => unsafe {
                LLVMConstNamedStruct(self.0, first, count)
            },
        })
    }

    /// A constant of this floating-point type, which can represent the number.
    pub(crate) fn real_constant(self, value: f64) -> Value {
        Value::of(self.float().const_float(value))
    }

    /// How many binary digits a number of this floating-point type has; nothing for other types.
    pub(crate) fn precision(self) -> Option<u32> {
        let AnyTypeEnum::FloatType(float) = self.known()? else {
            return None;
        };
        match float.get_bit_width() {
            32 => Some(f32::MANTISSA_DIGITS),
            64 => Some(f64::MANTISSA_DIGITS),
            80 => Some(64),
            _ => None,
        }
    }

    /// A value of this type that LLVM may choose.
    pub(crate) fn undefined(self) -> Value {
        Value(unsafe { LLVMGetUndef(self.0) })
    }
}

/// The parts of an aggregate type.
pub(crate) enum TypeParts {
    /// A struct with these field types.
    Struct(Vec<Type>),
    /// An array of so many elements.
    Array(Type, u64),
    /// A vector of so many elements.
    Vector(Type, u64),
    /// Not an aggregate of known size.
    None,
}
