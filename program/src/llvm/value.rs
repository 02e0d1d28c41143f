//! Functions, blocks, instructions, constants and types.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named is refused or has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMABISizeOfType, LLVMGetModuleDataLayout, LLVMOffsetOfElement};
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMLinkage, LLVMOpcode,
    LLVMTypeKind, LLVMValueKind,
};

use rustc_hash::FxHashSet;

use super::module::{Module, take_message};

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

    /// Its name without sigil; empty if it has none.
    pub fn name(self) -> String {
        let mut length = 0;
        unsafe {
            let start = LLVMGetValueName2(self.0, &mut length);
            let bytes = if start.is_null() {
                &[]
            } else {
                std::slice::from_raw_parts(start.cast(), length)
            };
            String::from_utf8_lossy(bytes).into_owned()
        }
    }

    /// Renames it; LLVM adds a suffix if the name is taken.
    pub fn set_name(self, name: &str) {
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
            String::from_utf8_lossy(std::slice::from_raw_parts(start.cast(), length)).into_owned()
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

    /// Opcode of an instruction or a constant expression.
    pub fn operation(self) -> Option<LLVMOpcode> {
        if self.kind() == LLVMValueKind::LLVMConstantExprValueKind {
            Some(unsafe { LLVMGetConstOpcode(self.0) })
        } else {
            self.opcode()
        }
    }
}

/// Functions and global variables.
impl Value {
    /// The type of the object it is the address of.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Whether it is defined elsewhere.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether its name means nothing outside the module.
    pub fn is_local(self) -> bool {
        matches!(
            self.linkage(),
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        )
    }

    /// How its name is resolved.
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// Sets how its name is resolved.
    pub fn set_linkage(self, linkage: LLVMLinkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    /// First content of a global variable.
    pub fn initializer(self) -> Option<Value> {
        Self::new(unsafe { LLVMGetInitializer(self.0) })
    }

    /// Whether each thread has its own copy of the global variable.
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Whether the global variable is constant.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Parameters of a function.
    pub fn parameters(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) })
            .map(|index| Value(unsafe { LLVMGetParam(self.0, index) }))
            .collect()
    }

    /// Blocks of a function; the first is the entry.
    pub fn blocks(self) -> Vec<Block> {
        std::iter::successors(
            Block::new(unsafe { LLVMGetFirstBasicBlock(self.0) }),
            |block| Block::new(unsafe { LLVMGetNextBasicBlock(block.0) }),
        )
        .collect()
    }

    /// All instructions of a function in order.
    pub fn body(self) -> Vec<Value> {
        self.blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .collect()
    }

    /// Appends a block to a function.
    pub fn append_block(self, module: &Module, name: &str) -> Block {
        let name = super::module::c_string(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(module.context(), self.0, name.as_ptr()) })
    }

    /// A declaration of another name and the same type in the same module.
    pub fn declare_sibling(self, name: &str) -> Value {
        let name = super::module::c_string(name);
        Value(unsafe {
            LLVMAddFunction(
                LLVMGetGlobalParent(self.0),
                name.as_ptr(),
                self.value_type().0,
            )
        })
    }

    /// Deletes a global variable that nothing uses.
    pub fn delete_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }

    /// Deletes a function that nothing uses.
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Whether it is an intrinsic function.
    pub fn is_intrinsic(self) -> bool {
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.0) } != 0
    }

    /// Adds an attribute without value, or with one, to a function.
    pub fn add_attribute(self, module: &Module, name: &str, value: u64) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(module.context(), kind, value);
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Adds a string attribute to a function.
    pub fn add_string_attribute(self, module: &Module, name: &str) {
        unsafe {
            let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
            let attribute = LLVMCreateStringAttribute(
                module.context(),
                name.as_ptr().cast(),
                length,
                c"".as_ptr(),
                0,
            );
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Removes attributes from a function or call, its result and all its parameters.
    pub fn remove_attributes(self, names: &[&str]) {
        let call = !self.is_function();
        let parameters = if call {
            self.argument_count()
        } else {
            unsafe { LLVMCountParams(self.0) }
        };
        for index in (0..=parameters).chain([llvm_sys::LLVMAttributeFunctionIndex]) {
            for name in names {
                unsafe {
                    let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                    if call {
                        LLVMRemoveCallSiteEnumAttribute(self.0, index, kind);
                    } else {
                        LLVMRemoveEnumAttributeAtIndex(self.0, index, kind);
                    }
                }
            }
        }
    }
}

/// Instructions.
impl Value {
    /// Whether it is an instruction.
    pub fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    /// Opcode of an instruction.
    pub fn opcode(self) -> Option<LLVMOpcode> {
        self.is_instruction()
            .then(|| unsafe { LLVMGetInstructionOpcode(self.0) })
    }

    /// The block that holds the instruction.
    pub fn block(self) -> Block {
        Block(unsafe { LLVMGetInstructionParent(self.0) })
    }

    /// The instruction after this one in its block.
    pub fn next(self) -> Option<Value> {
        Self::new(unsafe { LLVMGetNextInstruction(self.0) })
    }

    /// The instruction before this one in its block.
    pub fn previous(self) -> Option<Value> {
        Self::new(unsafe { LLVMGetPreviousInstruction(self.0) })
    }

    /// The defined function that inlining puts in place of this call.
    pub fn inlined_callee(self) -> Option<Value> {
        if self.is_call() {
            self.called_function()
                .filter(|callee| !callee.is_declaration())
        } else {
            None
        }
    }

    /// Deletes an instruction that nothing uses.
    pub fn erase(self) {
        unsafe { LLVMInstructionEraseFromParent(self.0) }
    }

    /// Sets the alignment of a memory access, in bytes.
    pub fn with_alignment(self, bytes: u32) -> Self {
        unsafe { LLVMSetAlignment(self.0, bytes) }
        self
    }

    /// Whether it is a load, a store, a compare-and-swap or an atomic update.
    pub fn is_memory_access(self) -> bool {
        matches!(
            self.opcode(),
            Some(
                LLVMOpcode::LLVMLoad
                    | LLVMOpcode::LLVMStore
                    | LLVMOpcode::LLVMAtomicCmpXchg
                    | LLVMOpcode::LLVMAtomicRMW
            )
        )
    }

    /// The pointer operand of a memory access.
    pub fn accessed_pointer(self) -> Option<Value> {
        if !self.is_memory_access() {
            return None;
        }
        self.operand(u32::from(self.opcode() == Some(LLVMOpcode::LLVMStore)))
    }

    /// Whether a memory access is volatile.
    pub fn is_volatile(self) -> bool {
        unsafe { LLVMGetVolatile(self.0) != 0 }
    }

    /// Marks a memory access volatile or not.
    pub fn set_volatile(self, volatile: bool) {
        unsafe { LLVMSetVolatile(self.0, volatile.into()) }
    }

    /// Whether a load or store is atomic.
    pub fn is_atomic(self) -> bool {
        unsafe { LLVMGetOrdering(self.0) != LLVMAtomicOrdering::LLVMAtomicOrderingNotAtomic }
    }

    /// Operator of an `atomicrmw`.
    pub fn update_operator(self) -> LLVMAtomicRMWBinOp {
        unsafe { LLVMGetAtomicRMWBinOp(self.0) }
    }

    /// Predicate of an `icmp`.
    pub fn integer_predicate(self) -> LLVMIntPredicate {
        unsafe { LLVMGetICmpPredicate(self.0) }
    }

    /// The type an `alloca` reserves memory for.
    pub fn allocated_type(self) -> Type {
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Whether an `alloca` reserves room for another number of elements than one.
    pub fn is_array_allocation(self) -> bool {
        self.operand(0).and_then(Value::integer) != Some(1)
    }

    /// The type whose layout a `getelementptr` walks over.
    pub fn source_element_type(self) -> Type {
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// Constant indices of an `extractvalue` or `insertvalue`.
    pub fn indices(self) -> Vec<u32> {
        unsafe {
            let count = LLVMGetNumIndices(self.0) as usize;
            if count == 0 {
                Vec::new()
            } else {
                std::slice::from_raw_parts(LLVMGetIndices(self.0), count).to_vec()
            }
        }
    }

    /// The mask of a `shufflevector`; `None` for an undefined element.
    pub fn shuffle_mask(self) -> Vec<Option<u32>> {
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|index| u32::try_from(LLVMGetMaskValue(self.0, index)).ok())
                .collect()
        }
    }

    /// Incoming values and blocks of a phi node.
    pub fn incoming(self) -> Vec<(Value, Block)> {
        unsafe {
            (0..LLVMCountIncoming(self.0))
                .map(|index| {
                    (
                        Value(LLVMGetIncomingValue(self.0, index)),
                        Block(LLVMGetIncomingBlock(self.0, index)),
                    )
                })
                .collect()
        }
    }

    /// Targets of a terminator.
    pub fn successors(self) -> Vec<Block> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0))
                .map(|index| Block(LLVMGetSuccessor(self.0, index)))
                .collect()
        }
    }

    /// Whether it is a call (not an invoke).
    pub fn is_call(self) -> bool {
        self.opcode() == Some(LLVMOpcode::LLVMCall)
    }

    /// What a call calls.
    pub fn callee(self) -> Value {
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The function that a call calls, when it is known and the types fit.
    pub fn called_function(self) -> Option<Value> {
        let callee = self.callee();
        (callee.is_function() && callee.value_type() == self.call_type()).then_some(callee)
    }

    /// Makes a call call another function of the same type.
    pub fn set_callee(self, callee: Value) {
        self.set_operand(self.operand_count() - 1, callee);
    }

    /// The function type a call is made with.
    pub fn call_type(self) -> Type {
        Type(unsafe { LLVMGetCalledFunctionType(self.0) })
    }

    /// Number of arguments of a call.
    pub fn argument_count(self) -> u32 {
        unsafe { LLVMGetNumArgOperands(self.0) }
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value> {
        (0..self.argument_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Forgets what LLVM may assume of an operation's result: wrapping, exactness, bounds.
    pub fn clear_poison_flags(self) {
        use LLVMOpcode::{
            LLVMAShr, LLVMAdd, LLVMGetElementPtr, LLVMLShr, LLVMMul, LLVMOr, LLVMSDiv, LLVMShl,
            LLVMSub, LLVMTrunc, LLVMUDiv, LLVMUIToFP, LLVMZExt,
        };
        let Some(opcode) = self.opcode() else { return };
        unsafe {
            match opcode {
                LLVMAdd | LLVMSub | LLVMMul | LLVMShl => {
                    LLVMSetNSW(self.0, 0);
                    LLVMSetNUW(self.0, 0);
                }
                LLVMSDiv | LLVMUDiv | LLVMAShr | LLVMLShr => LLVMSetExact(self.0, 0),
                LLVMGetElementPtr => LLVMGEPSetNoWrapFlags(self.0, 0),
                LLVMOr => LLVMSetIsDisjoint(self.0, 0),
                LLVMZExt | LLVMUIToFP => LLVMSetNNeg(self.0, 0),
                LLVMTrunc => {} // Its flags have no setter in the C interface; `sroa` and `simplify` do not use them.
                _ => {}
            }
        }
    }
}

impl Block {
    fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
        (!raw.is_null()).then_some(Self(raw))
    }

    /// The instructions in order.
    pub fn instructions(self) -> Vec<Value> {
        std::iter::successors(
            Value::new(unsafe { LLVMGetFirstInstruction(self.0) }),
            |value| value.next(),
        )
        .collect()
    }

    /// The terminator; `None` only in a block that is being built.
    pub fn terminator(self) -> Option<Value> {
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// The function that holds the block.
    pub fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(self.0) })
    }
}

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
        let fixed = self.is_sized()
            && !matches!(
                self.kind(),
                LLVMTypeKind::LLVMScalableVectorTypeKind
                    | LLVMTypeKind::LLVMTargetExtTypeKind
                    | LLVMTypeKind::LLVMX86_AMXTypeKind
            );
        fixed
            .then(|| unsafe { LLVMABISizeOfType(LLVMGetModuleDataLayout(module.as_raw()), self.0) })
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

    /// An integer constant of this type.
    pub fn constant(self, value: u64) -> Value {
        Value(unsafe { LLVMConstInt(self.0, value, 0) })
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
