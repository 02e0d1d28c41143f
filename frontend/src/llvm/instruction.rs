//! Instructions and blocks.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use llvm_sys::core::*;
use llvm_sys::prelude::*;
use llvm_sys::{
    LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMIntPredicate, LLVMOpcode, LLVMValueKind,
};

use super::value::{Block, Type, Value};

// SAFETY, for every call below: as in `value`.

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

    /// Inserts a copy of this instruction before another one.
    pub fn copy_before(self, place: Value) -> Value {
        // SAFETY: the builder is disposed of; both instructions are in one function.
        unsafe {
            let copy = LLVMInstructionClone(self.0);
            let builder = LLVMCreateBuilder();
            LLVMPositionBuilderBefore(builder, place.0);
            LLVMInsertIntoBuilder(builder, copy);
            LLVMDisposeBuilder(builder);
            Value(copy)
        }
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

    /// Whether a `cmpxchg` may fail although memory holds what is expected.
    pub fn is_weak(self) -> bool {
        unsafe { LLVMGetWeak(self.0) != 0 }
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

    /// Adds an incoming value to a phi node.
    pub fn add_incoming(self, value: Value, block: Block) {
        unsafe { LLVMAddIncoming(self.0, &mut { value.0 }, &mut { block.0 }, 1) }
    }

    /// Targets of a terminator.
    pub fn successors(self) -> Vec<Block> {
        unsafe {
            (0..LLVMGetNumSuccessors(self.0))
                .map(|index| Block(LLVMGetSuccessor(self.0, index)))
                .collect()
        }
    }

    /// Lets a terminator lead somewhere else by one of its ways.
    pub fn set_successor(self, index: u32, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, block.0) }
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

    /// Whether a call passes the address of an object in this argument that is copied then, or that the result is left in.
    pub fn passes_object(self, argument: u32) -> bool {
        self.has_argument_attribute(argument, "byval") || self.leaves_result_in(argument)
    }

    /// Whether a call passes the address in this argument where the result is left.
    pub fn leaves_result_in(self, argument: u32) -> bool {
        self.has_argument_attribute(argument, "sret")
    }

    fn has_argument_attribute(self, argument: u32, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            !LLVMGetCallSiteEnumAttribute(self.0, argument + 1, kind).is_null()
        }
    }

    /// The arguments of a call.
    pub fn arguments(self) -> Vec<Value> {
        (0..self.argument_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Whether a division or shift is said to lose no bits.
    pub fn is_exact(self) -> bool {
        use LLVMOpcode::{LLVMAShr, LLVMLShr, LLVMSDiv, LLVMUDiv};
        let may_be = matches!(
            self.opcode(),
            Some(LLVMSDiv | LLVMUDiv | LLVMAShr | LLVMLShr)
        );
        // SAFETY: the instruction is one of those that have this flag.
        may_be && unsafe { LLVMGetExact(self.0) } != 0
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
    pub(super) fn new(raw: LLVMBasicBlockRef) -> Option<Self> {
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

    /// The blocks that control may go on to, as often as the terminator names them.
    pub fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    /// The terminator; `None` only in a block that is being built.
    pub fn terminator(self) -> Option<Value> {
        Value::new(unsafe { LLVMGetBasicBlockTerminator(self.0) })
    }

    /// Its name, made printable; empty if it has none.
    pub fn name(self) -> String {
        Value(unsafe { LLVMBasicBlockAsValue(self.0) }).name()
    }

    /// The function that holds the block.
    pub fn function(self) -> Value {
        Value(unsafe { LLVMGetBasicBlockParent(self.0) })
    }
}
