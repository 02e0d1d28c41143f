//! Handles on values, types and blocks, and what holds for all values and for constants.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use abi::text::printable;
use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};
use rustc_hash::FxHashSet;

use super::module::take_message;

/// Any value: a constant, a global, an argument or an instruction.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Value(pub(super) LLVMValueRef);

/// A type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Type(pub(super) LLVMTypeRef);

/// A basic block.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Block(pub(super) LLVMBasicBlockRef);

// SAFETY, for every call below: the handle is alive (see the module documentation), and functions that LLVM defines
// for one kind of value only are called after a test of that kind or by callers that made it.

impl Value {
    pub(super) fn new(raw: LLVMValueRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// What kind of value it is.
    pub fn kind(self) -> LLVMValueKind {
        unsafe { LLVMGetValueKind(self.0) }
    }

    /// The type of the value itself; a pointer for globals.
    pub fn value_type_of(self) -> Type {
        Type(unsafe { LLVMTypeOf(self.0) })
    }

    /// Its name without sigil, made printable; empty if it has none.
    pub fn name(self) -> String {
        printable(self.symbol())
    }

    /// Its name as LLVM has it, which may be any bytes.
    pub fn symbol(self) -> Vec<u8> {
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
    pub fn set_name(self, name: impl AsRef<[u8]>) {
        let name = name.as_ref();
        unsafe { LLVMSetValueName2(self.0, name.as_ptr().cast(), name.len()) }
    }

    /// Its textual form.
    pub fn print(self) -> String {
        take_message(unsafe { LLVMPrintValueToString(self.0) })
    }

    /// Number of operands; 0 for what has none.
    pub fn operand_count(self) -> u32 {
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
    pub fn operands(self) -> Vec<Value> {
        (0..self.operand_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Replaces an operand.
    pub fn set_operand(self, index: u32, value: Value) {
        unsafe { LLVMSetOperand(self.0, index, value.0) }
    }

    /// Every value that has this one as an operand, each once.
    pub fn users(self) -> Vec<Value> {
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
    pub fn replace_all_uses(self, other: Value) {
        unsafe { LLVMReplaceAllUsesWith(self.0, other.0) }
    }

    /// Whether it is undef or poison.
    pub fn is_undefined(self) -> bool {
        unsafe { LLVMIsUndef(self.0) != 0 || LLVMIsPoison(self.0) != 0 }
    }

    /// Whether it is poison.
    pub fn is_poison(self) -> bool {
        unsafe { LLVMIsPoison(self.0) != 0 }
    }

    /// Whether it is a constant that is made of other constants.
    pub fn is_compound_constant(self) -> bool {
        matches!(
            self.kind(),
            LLVMValueKind::LLVMConstantArrayValueKind
                | LLVMValueKind::LLVMConstantStructValueKind
                | LLVMValueKind::LLVMConstantVectorValueKind
                | LLVMValueKind::LLVMConstantExprValueKind
        )
    }

    /// Whether it is a constant, a global among them.
    pub fn is_constant(self) -> bool {
        unsafe { LLVMIsConstant(self.0) != 0 }
    }

    /// What an alias stands for.
    pub fn aliasee(self) -> Value {
        Value(unsafe { LLVMAliasGetAliasee(self.0) })
    }

    /// Whether it is a constant with all bits zero.
    pub fn is_zero(self) -> bool {
        unsafe { LLVMIsNull(self.0) != 0 }
    }

    /// The text of inline assembly.
    pub fn assembly_text(self) -> String {
        unsafe {
            let mut length = 0;
            let start = LLVMGetInlineAsmAsmString(self.0, &mut length);
            printable(std::slice::from_raw_parts(start.cast(), length))
        }
    }

    /// Whether it is inline assembly.
    pub fn is_inline_assembly(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInlineAsmValueKind
    }

    /// Whether it is a function.
    pub fn is_function(self) -> bool {
        self.kind() == LLVMValueKind::LLVMFunctionValueKind
    }

    /// Whether it is a global variable.
    pub fn is_global_variable(self) -> bool {
        self.kind() == LLVMValueKind::LLVMGlobalVariableValueKind
    }
}

/// Constants.
impl Value {
    /// An integer constant of up to 128 bits.
    pub fn integer(self) -> Option<u128> {
        if self.kind() != LLVMValueKind::LLVMConstantIntValueKind {
            return None;
        }
        let width = self.value_type_of().int_width()?;
        if width <= 64 {
            return Some(unsafe { LLVMConstIntGetZExtValue(self.0) }.into());
        }
        // The C interface has no access to wider constants, but prints them: `i128 -5`.
        let text = self.print();
        let digits = text.rsplit(' ').next()?;
        let bits = match digits {
            "true" => 1,
            "false" => 0,
            _ => digits
                .parse::<i128>()
                .map(|value| value as u128)
                .or_else(|_| digits.parse::<u128>())
                .ok()?,
        };
        (width <= 128).then(|| bits & (u128::MAX >> (128 - width)))
    }

    /// A floating-point constant of type float or double, as its bits.
    pub fn float_bits(self) -> Option<u128> {
        if self.kind() != LLVMValueKind::LLVMConstantFPValueKind {
            return None;
        }
        let mut inexact = 0;
        let value = unsafe { LLVMConstRealGetDouble(self.0, &mut inexact) };
        let kind = self.value_type_of().kind();
        if inexact != 0 || value.is_nan() {
            None
        } else if kind == LLVMTypeKind::LLVMDoubleTypeKind {
            Some(value.to_bits().into())
        } else if kind == LLVMTypeKind::LLVMFloatTypeKind {
            Some((value as f32).to_bits().into())
        } else {
            None
        }
    }

    /// Element of a constant aggregate, whatever its representation.
    pub fn element(self, index: u32) -> Option<Value> {
        Self::new(unsafe { LLVMGetAggregateElement(self.0, index) })
    }

    /// The bytes of a constant character array.
    pub fn string(self) -> Option<Vec<u8>> {
        unsafe {
            if LLVMIsAConstantDataSequential(self.0).is_null() || LLVMIsConstantString(self.0) == 0
            {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetAsString(self.0, &mut length);
            Some(std::slice::from_raw_parts(start.cast(), length).to_vec())
        }
    }

    /// The bytes of the constant string that this points to the start of.
    pub fn global_string(self) -> Option<Vec<u8>> {
        let is_constant = self.is_global_variable() && self.is_constant_global();
        let content = self.initializer().filter(|_| is_constant)?;
        content.string()
    }

    /// Opcode of an instruction or a constant expression.
    pub fn operation(self) -> Option<LLVMOpcode> {
        if self.kind() == LLVMValueKind::LLVMConstantExprValueKind {
            Some(unsafe { LLVMGetConstOpcode(self.0) })
        } else {
            self.opcode()
        }
    }

    /// The same constant, of which LLVM may not assume that addresses stay in their objects or that numbers do not wrap around.
    pub fn without_promises(self) -> Value {
        use LLVMOpcode::{
            LLVMAdd, LLVMGetElementPtr, LLVMIntToPtr, LLVMPtrToInt, LLVMSub, LLVMTrunc, LLVMXor,
        };
        if !self.is_compound_constant() {
            return self;
        }
        let operands = self.operands().into_iter();
        let mut operands: Vec<_> = operands
            .map(|operand| operand.without_promises().0)
            .collect();
        let own_type = self.value_type_of().0;
        let (first, count) = (operands.as_mut_ptr(), operands.len() as u32);
        let kind = self.kind();
        if kind == LLVMValueKind::LLVMConstantVectorValueKind {
            return Value(unsafe { LLVMConstVector(first, count) });
        }
        if kind == LLVMValueKind::LLVMConstantStructValueKind {
            return Value(unsafe { LLVMConstNamedStruct(own_type, first, count) });
        }
        if kind == LLVMValueKind::LLVMConstantArrayValueKind {
            let (element, count) = (unsafe { LLVMGetElementType(own_type) }, count.into());
            return Value(unsafe { LLVMConstArray2(element, first, count) });
        }
        let Some(opcode) = self.operation() else {
            return self;
        };
        let made = match (opcode, operands.as_mut_slice()) {
            (LLVMGetElementPtr, [base, indices @ ..]) => unsafe {
                let element = LLVMGetGEPSourceElementType(self.0);
                let count = indices.len() as u32;
                LLVMConstGEP2(element, *base, indices.as_mut_ptr(), count)
            },
            (LLVMPtrToInt, [address]) => unsafe { LLVMConstPtrToInt(*address, own_type) },
            (LLVMIntToPtr, [number]) => unsafe { LLVMConstIntToPtr(*number, own_type) },
            (LLVMTrunc, [number]) => unsafe { LLVMConstTrunc(*number, own_type) },
            (LLVMAdd, [left, right]) => unsafe { LLVMConstAdd(*left, *right) },
            (LLVMSub, [left, right]) => unsafe { LLVMConstSub(*left, *right) },
            (LLVMXor, [left, right]) => unsafe { LLVMConstXor(*left, *right) },
            _ => return self,
        };
        Value(made)
    }
}
