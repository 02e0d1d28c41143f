//! Operations on all values and on constants.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use abi::text::printable;
use inkwell::types::{AnyTypeEnum, VectorType};
use inkwell::values::{AnyValue, BasicValue, InstructionOpcode};
pub(crate) use llvm_sys::LLVMValueKind as ValueKind;
use llvm_sys::core::*;
use rustc_hash::FxHashSet;

use super::handle::{Type, Value};
use super::text::text;
use super::types::TypeParts;

// SAFETY, for every call below: as in `handle`.

// inkwell has a Rust type for some kinds of values, no list of all kinds, and enums that panic on the others: metadata, labels, values
// of types that are the target's own. So what may be about any value comes from LLVM itself, here and in `instruction`: kind and type,
// operands and users, replacing them, elements. Names are any bytes in LLVM, and UTF-8 without zeros in inkwell, which has no assembly.
impl Value {
    /// What kind of value it is.
    pub(crate) fn kind(self) -> ValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// The type of the value itself; a pointer for globals.
    pub fn value_type_of(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its name without sigil, made printable; empty if it has none.
    pub(crate) fn name(self) -> String {
        printable(self.symbol())
    }

    /// Its name as LLVM has it, which may be any bytes.
    pub(crate) fn symbol(self) -> Vec<u8> {
        let mut length = 0;
        unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            if start.is_null() {
                return Vec::new();
            }
            std::slice::from_raw_parts(start.cast(), length).to_vec()
        }
    }

    /// Renames it; LLVM adds a suffix if the name is taken.
    pub(crate) fn set_name(self, name: impl AsRef<[u8]>) {
        let name = name.as_ref();
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Its textual form.
    pub(crate) fn print(self) -> String {
        text(&self.print_to_string())
    }

    /// Number of operands; 0 for what has none.
    pub(crate) fn operand_count(self) -> u32 {
        unsafe {
            if LLVMIsAUser(self.0).is_null() {
                0
            } else {
                u32::try_from(LLVMGetNumOperands(self.0)).unwrap_or(0)
            }
        }
    }

    /// One operand of an instruction, a constant expression or an aggregate constant.
    pub fn operand(self, index: u32) -> Option<Value> {
        if index < self.operand_count() {
            Self::new(unsafe { LLVMGetOperand(self.0, index) })
        } else {
            None
        }
    }

    /// All operands.
    pub(crate) fn operands(self) -> Vec<Value> {
        (0..self.operand_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Replaces an operand of an instruction.
    pub(crate) fn set_operand(self, index: u32, value: Value) {
        self.instruction().set_operand(index, value);
    }

    /// Every value that has this one as an operand, each once.
    pub(crate) fn users(self) -> Vec<Value> {
        let mut users = Vec::new();
        let mut cursor = unsafe { LLVMGetFirstUse(self.0) };
        while !cursor.is_null() {
            users.push(Value(unsafe { LLVMGetUser(cursor) }));
            cursor = unsafe { LLVMGetNextUse(cursor) };
        }
        let mut seen = FxHashSet::default();
        users.retain(|user| seen.insert(*user));
        users
    }

    /// Makes all users use `other` instead.
    pub(crate) fn replace_all_uses(self, other: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    /// Whether it is undef or poison.
    pub(crate) fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 }
    }

    /// Whether it is poison.
    pub(crate) fn is_poison(self) -> bool {
        AnyValue::is_poison(&self)
    }

    /// Whether it is a constant that is made of other constants.
    pub(crate) fn is_compound_constant(self) -> bool {
        matches!(
            self.kind(),
            ValueKind::LLVMConstantArrayValueKind
                | ValueKind::LLVMConstantStructValueKind
                | ValueKind::LLVMConstantVectorValueKind
                | ValueKind::LLVMConstantExprValueKind
        )
    }

    /// Whether it is a constant, a global among them.
    pub(crate) fn is_constant(self) -> bool {
        self.is_const()
    }

    /// What an alias stands for.
    pub(crate) fn aliasee(self) -> Value {
        // inkwell has no aliases.
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// Whether it is a constant with all bits zero.
    pub(crate) fn is_zero(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// The text of inline assembly; any bytes.
    pub(crate) fn assembly_text(self) -> Vec<u8> {
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmAsmString(self.0, &mut length);
            std::slice::from_raw_parts(start.cast(), length).to_vec()
        }
    }

    /// What LLVM knows about the operands of inline assembly; any bytes.
    pub(crate) fn assembly_constraints(self) -> Vec<u8> {
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmConstraintString(self.0, &mut length);
            std::slice::from_raw_parts(start.cast(), length).to_vec()
        }
    }

    /// Whether it is inline assembly.
    pub(crate) fn is_inline_assembly(self) -> bool {
        self.kind() == ValueKind::LLVMInlineAsmValueKind
    }

    /// Whether it is a function.
    pub(crate) fn is_function(self) -> bool {
        self.kind() == ValueKind::LLVMFunctionValueKind
    }

    /// Whether it is a global variable.
    pub(crate) fn is_global_variable(self) -> bool {
        self.kind() == ValueKind::LLVMGlobalVariableValueKind
    }

    /// Whether it is the address of a local variable, or of memory of the stack.
    pub(crate) fn is_local_variable(self) -> bool {
        self.opcode() == Some(InstructionOpcode::Alloca)
    }

    /// Whether it is the address of a variable, where it is declared.
    pub(crate) fn is_variable(self) -> bool {
        self.is_local_variable() || self.is_global_variable()
    }

    /// The type of a variable; for an array of variable length, that of its elements.
    pub(crate) fn content_type(self) -> Type {
        match self.is_global_variable() {
            true => self.value_type(),
            false => self.allocated_type(),
        }
    }
}

/// Constants.
impl Value {
    /// An integer constant of up to 128 bits.
    pub(crate) fn integer(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantIntValueKind {
            return None;
        }
        if let Some(value) = self.int().get_zero_extended_constant() {
            return Some(value.into());
        }
        // The C interface has no access to wider constants, but prints them: `i128 -5`.
        let width = self.value_type_of().int_width()?;
        let text = self.print();
        let digits = text.rsplit(' ').next()?;
        let bits = digits
            .parse::<i128>()
            .map(|value| value as u128)
            .or_else(|_| digits.parse::<u128>())
            .ok()?;
        (width <= 128).then(|| bits & (u128::MAX >> (128 - width)))
    }

    /// A floating-point constant of type float or double, as its bits.
    pub(crate) fn float_bits(self) -> Option<u128> {
        if self.kind() != ValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let (value, is_inexact) = self.float().get_constant()?;
        if is_inexact || value.is_nan() {
            return None;
        }
        let AnyTypeEnum::FloatType(own_type) = self.value_type_of().known()? else {
            return None;
        };
        match own_type.get_bit_width() {
            64 => Some(value.to_bits().into()),
            32 => Some((value as f32).to_bits().into()),
            _ => None,
        }
    }

    /// Element of a constant aggregate, whatever its representation.
    pub(crate) fn element(self, index: u32) -> Option<Value> {
        Self::new(unsafe { LLVMGetAggregateElement(self.0, index) })
    }

    /// The bytes of a constant character array.
    pub(crate) fn string(self) -> Option<Vec<u8>> {
        // LLVM has another form for an array of zeros, as the empty string is one.
        if self.is_zero() {
            return match self.value_type_of().parts() {
                TypeParts::Array(element, count) if element.int_width() == Some(8) => {
                    Some(vec![0; usize::try_from(count).ok()?])
                }
                _ => None,
            };
        }
        if self.kind() != ValueKind::LLVMConstantDataArrayValueKind {
            return None;
        }
        let array = Some(self.array()).filter(|array| array.is_const_string())?;
        array.as_const_string().map(<[u8]>::to_vec)
    }

    /// The bytes of the constant string that this points to the start of.
    pub(crate) fn global_string(self) -> Option<Vec<u8>> {
        let is_constant = self.is_global_variable() && self.is_constant_global();
        let content = self.initializer().filter(|_| is_constant)?;
        content.string()
    }

    /// Opcode of an instruction or a constant expression.
    pub(crate) fn operation(self) -> Option<InstructionOpcode> {
        if self.kind() == ValueKind::LLVMConstantExprValueKind {
            // inkwell has the opcodes of instructions only.
            Some(unsafe { LLVMGetConstOpcode(self.0) }.into())
        } else {
            self.opcode()
        }
    }

    /// The same constant, of which LLVM may not assume that addresses stay in their objects or that numbers do not wrap around.
    pub(crate) fn without_promises(self) -> Value {
        use InstructionOpcode::{Add, GetElementPtr, IntToPtr, PtrToInt, Sub, Trunc, Xor};
        if !self.is_compound_constant() {
            return self;
        }
        let operands = self.operands().into_iter();
        let operands: Vec<Value> = operands.map(Value::without_promises).collect();
        let own_type = self.value_type_of();
        match self.kind() {
            ValueKind::LLVMConstantVectorValueKind => {
                return Value::of(VectorType::const_vector(&operands));
            }
            ValueKind::LLVMConstantStructValueKind | ValueKind::LLVMConstantArrayValueKind => {
                return own_type.aggregate(&operands);
            }
            _ => {}
        }
        let Some(opcode) = self.operation() else {
            return self;
        };
        match (opcode, &operands[..]) {
            (GetElementPtr, [base, indices @ ..]) => {
                let (base, element) = (base.pointer(), self.source_element_type());
                let indices: Vec<_> = indices.iter().map(|index| index.int()).collect();
                Value::of(unsafe { base.const_gep(element, &indices) })
            }
            (PtrToInt, [address]) => Value::of(address.pointer().const_to_int(own_type.integer())),
            (IntToPtr, [number]) => Value::of(number.int().const_to_pointer(own_type.pointer())),
            (Trunc, [number]) => Value::of(number.int().const_truncate(own_type.integer())),
            (Add, [left, right]) => Value::of(left.int().const_add(right.int())),
            (Sub, [left, right]) => Value::of(left.int().const_sub(right.int())),
            (Xor, [left, right]) => Value::of(left.int().const_xor(right.int())),
            _ => self,
        }
    }
}
