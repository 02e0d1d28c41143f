//! Instructions and blocks.
#![allow(clippy::wildcard_enum_match_arm)] // LLVM's lists: what is not named has none of the property.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::values::{BasicValue, InstructionOpcode, InstructionValue};
use inkwell::{AtomicOrdering, AtomicRMWBinOp, IntPredicate};
use llvm_sys::core::*;
use llvm_sys::{LLVMRealPredicate, LLVMValueKind};
use program::model::WeakOrder;

use super::handle::{Block, Type, Value};
use super::module::Module;

// SAFETY, for every call below: as in `handle`.

impl Value {
    /// Whether it is an instruction.
    pub(crate) fn is_instruction(self) -> bool {
        self.kind() == LLVMValueKind::LLVMInstructionValueKind
    }

    /// Opcode of an instruction.
    pub fn opcode(self) -> Option<InstructionOpcode> {
        self.as_instruction_value()
            .map(InstructionValue::get_opcode)
    }

    /// The block that holds the instruction.
    pub(crate) fn block(self) -> Block {
        let block = self.instruction().get_parent();
        Block(block.expect("an instruction stands in a block"))
    }

    /// The instruction after this one in its block.
    pub(crate) fn next(self) -> Option<Value> {
        self.instruction().get_next_instruction().map(Value::of)
    }

    /// The instruction before this one in its block.
    pub(crate) fn previous(self) -> Option<Value> {
        self.instruction().get_previous_instruction().map(Value::of)
    }

    /// The defined function that inlining puts in place of this call.
    pub(crate) fn inlined_callee(self) -> Option<Value> {
        if self.is_call() {
            self.called_function()
                .filter(|callee| !callee.is_declaration())
        } else {
            None
        }
    }

    /// Deletes an instruction that nothing uses.
    pub(crate) fn erase(self) {
        self.instruction().erase_from_basic_block()
    }

    /// Inserts a copy of this instruction before another one.
    pub(crate) fn copy_before(self, place: Value) -> Value {
        let copy = self.instruction().explicit_clone();
        let builder = place.block().0.get_context().create_builder();
        builder.position_before(&place.instruction());
        builder.insert_instruction(&copy, None);
        Value::of(copy)
    }

    /// Moves this instruction to the end of a block.
    pub(crate) fn move_to_end(self, module: &Module, block: Block) {
        let builder = module.context().create_builder();
        builder.position_at_end(block.0);
        let instruction = self.instruction();
        instruction.remove_from_basic_block();
        builder.insert_instruction(&instruction, None);
    }

    /// Sets the alignment of a load, a store or a local variable, in bytes.
    pub(crate) fn with_alignment(self, bytes: u32) -> Self {
        let set = self.instruction().set_alignment(bytes);
        set.expect("the caller knows a place with an alignment, which is a power of two");
        self
    }

    /// Whether it is a load, a store, a compare-and-swap or an atomic update.
    pub(crate) fn is_memory_access(self) -> bool {
        matches!(
            self.opcode(),
            Some(
                InstructionOpcode::Load
                    | InstructionOpcode::Store
                    | InstructionOpcode::AtomicCmpXchg
                    | InstructionOpcode::AtomicRMW
            )
        )
    }

    /// The pointer operand of a memory access.
    pub(crate) fn accessed_pointer(self) -> Option<Value> {
        if !self.is_memory_access() {
            return None;
        }
        self.operand(u32::from(self.opcode() == Some(InstructionOpcode::Store)))
    }

    /// Whether a memory access is volatile.
    pub(crate) fn is_volatile(self) -> bool {
        self.instruction().get_volatile() == Ok(true)
    }

    /// Marks a memory access volatile or not.
    pub(crate) fn set_volatile(self, volatile: bool) {
        let set = self.instruction().set_volatile(volatile);
        set.expect("the caller knows a memory access");
    }

    /// Whether a load or store is atomic.
    pub(crate) fn is_atomic(self) -> bool {
        self.instruction().get_atomic_ordering() != Ok(AtomicOrdering::NotAtomic)
    }

    /// What an atomic access does not order; none if it is sequentially consistent, or this is no such access.
    pub(crate) fn weak_order(self) -> Option<WeakOrder> {
        use AtomicOrdering::{Acquire, AcquireRelease, Release, SequentiallyConsistent};
        let (order, on_failure) = match self.opcode()? {
            InstructionOpcode::Load | InstructionOpcode::Store | InstructionOpcode::AtomicRMW => {
                let order = self.instruction().get_atomic_ordering().ok()?;
                (order, order)
            }
            // inkwell does not have these properties.
            InstructionOpcode::AtomicCmpXchg => unsafe {
                let order = LLVMGetCmpXchgSuccessOrdering(self.0);
                (order.into(), LLVMGetCmpXchgFailureOrdering(self.0).into())
            },
            _ => return None,
        };
        let acquires = |order| matches!(order, Acquire | AcquireRelease | SequentiallyConsistent);
        let releases = matches!(order, Release | AcquireRelease | SequentiallyConsistent);
        let is_sequential = [order, on_failure] == [SequentiallyConsistent; 2];
        let weak = WeakOrder {
            reads: self.opcode() != Some(InstructionOpcode::Store) && !acquires(order),
            fails: !acquires(on_failure),
            writes: self.opcode() != Some(InstructionOpcode::Load) && !releases,
        };
        (order != AtomicOrdering::NotAtomic && !is_sequential).then_some(weak)
    }

    /// Whether a `cmpxchg` may fail although memory holds what is expected.
    pub(crate) fn is_weak(self) -> bool {
        // inkwell does not have this property.
        unsafe { LLVMGetWeak(self.0) != 0 }
    }

    /// Lets a `cmpxchg` fail only where it finds another value.
    pub(crate) fn set_strong(self) {
        // SAFETY: the callers know a `cmpxchg`.
        unsafe { LLVMSetWeak(self.0, 0) }
    }

    /// Operator of an `atomicrmw`.
    pub(crate) fn update_operator(self) -> AtomicRMWBinOp {
        let operator = self.instruction().get_atomic_rmw_bin_op();
        operator.expect("the caller knows an `atomicrmw`")
    }

    /// Predicate of an `icmp`.
    pub(crate) fn integer_predicate(self) -> IntPredicate {
        let predicate = self.instruction().get_icmp_predicate();
        predicate.expect("the caller knows an `icmp`")
    }

    /// Predicate of an `fcmp`.
    pub(crate) fn real_predicate(self) -> LLVMRealPredicate {
        unsafe { LLVMGetFCmpPredicate(self.0) }
    }

    /// Whether LLVM may assume something of the numbers of an operation, or compute it in another way.
    pub(crate) fn has_fast_math_flags(self) -> bool {
        unsafe { LLVMCanValueUseFastMathFlags(self.0) != 0 && LLVMGetFastMathFlags(self.0) != 0 }
    }

    /// The type an `alloca` reserves memory for.
    pub(crate) fn allocated_type(self) -> Type {
        // inkwell panics on some types.
        Type(unsafe { LLVMGetAllocatedType(self.0) })
    }

    /// Whether an `alloca` reserves room for another number of elements than one.
    pub(crate) fn is_array_allocation(self) -> bool {
        self.operand(0).and_then(Value::integer) != Some(1)
    }

    /// The type whose layout a `getelementptr` walks over.
    pub(crate) fn source_element_type(self) -> Type {
        // inkwell asks instructions only, and panics on some types.
        Type(unsafe { LLVMGetGEPSourceElementType(self.0) })
    }

    /// Constant indices of an `extractvalue` or `insertvalue`.
    pub(crate) fn indices(self) -> Vec<u32> {
        self.instruction().get_indices()
    }

    /// The mask of a `shufflevector`; `None` for an undefined element.
    pub(crate) fn shuffle_mask(self) -> Vec<Option<u32>> {
        // inkwell does not have the mask.
        unsafe {
            (0..LLVMGetNumMaskElements(self.0))
                .map(|index| u32::try_from(LLVMGetMaskValue(self.0, index)).ok())
                .collect()
        }
    }

    /// Incoming values and blocks of a phi node.
    pub(crate) fn incoming(self) -> Vec<(Value, Block)> {
        // inkwell panics on values of some types.
        let incoming = |index| unsafe {
            let block = Block::new(LLVMGetIncomingBlock(self.0, index))?;
            Some((Value(LLVMGetIncomingValue(self.0, index)), block))
        };
        let count = self.phi().count_incoming();
        (0..count).filter_map(incoming).collect()
    }

    /// Adds an incoming value to a phi node.
    pub(crate) fn add_incoming(self, value: Value, block: Block) {
        self.phi().add_incoming(&[(&value, block.0)]);
    }

    /// Targets of a terminator.
    pub(crate) fn successors(self) -> Vec<Block> {
        // inkwell has them as operands only, in another order, and does not set them.
        let count = unsafe { LLVMGetNumSuccessors(self.0) };
        let targets = (0..count).map(|index| unsafe { LLVMGetSuccessor(self.0, index) });
        targets.filter_map(Block::new).collect()
    }

    /// Lets a terminator lead somewhere else by one of its ways.
    pub(crate) fn set_successor(self, index: u32, block: Block) {
        unsafe { LLVMSetSuccessor(self.0, index, block.0.as_mut_ptr()) }
    }

    /// Whether it is a call (not an invoke).
    pub(crate) fn is_call(self) -> bool {
        self.opcode() == Some(InstructionOpcode::Call)
    }

    /// What a call calls.
    pub(crate) fn callee(self) -> Value {
        // inkwell has only functions that are called, and only with their own type.
        Value(unsafe { LLVMGetCalledValue(self.0) })
    }

    /// The function that a call calls, when it is known and the types fit.
    pub(crate) fn called_function(self) -> Option<Value> {
        self.call_site().get_called_fn_value().map(Value::of)
    }

    /// Makes a call call another function of the same type.
    pub(crate) fn set_callee(self, callee: Value) {
        self.set_operand(self.operand_count() - 1, callee);
    }

    /// The function type a call is made with.
    pub(crate) fn call_type(self) -> Type {
        Type::of(self.call_site().get_called_fn_type())
    }

    /// Number of arguments of a call.
    pub(crate) fn argument_count(self) -> u32 {
        self.call_site().count_arguments()
    }

    /// Whether a call passes the address of an object in this argument that is copied then, or that the result is left in.
    pub(crate) fn passes_object(self, argument: u32) -> bool {
        self.passed_object(argument).is_some() || self.leaves_result_in(argument)
    }

    /// The type of the object that a call passes by the address in this argument, which is copied then.
    pub(crate) fn passed_object(self, argument: u32) -> Option<Type> {
        let attribute = self.argument_attribute(argument, "byval")?;
        // inkwell panics on some types.
        Some(Type(unsafe {
            LLVMGetTypeAttributeValue(attribute.as_mut_ptr())
        }))
    }

    /// What the address that a call passes in this argument is a multiple of; 1 if that is not said.
    pub(crate) fn argument_alignment(self, argument: u32) -> u32 {
        let attribute = self.argument_attribute(argument, "align");
        attribute.map_or(1, |align| {
            u32::try_from(align.get_enum_value()).unwrap_or(1)
        })
    }

    /// Whether a call passes the address in this argument where the result is left.
    pub(crate) fn leaves_result_in(self, argument: u32) -> bool {
        self.argument_attribute(argument, "sret").is_some()
    }

    fn argument_attribute(self, argument: u32, name: &str) -> Option<Attribute> {
        let kind = Attribute::get_named_enum_kind_id(name);
        let place = AttributeLoc::Param(argument);
        self.call_site().get_enum_attribute(place, kind)
    }

    /// The arguments of a call.
    pub(crate) fn arguments(self) -> Vec<Value> {
        (0..self.argument_count())
            .filter_map(|index| self.operand(index))
            .collect()
    }

    /// Whether a division or shift is said to lose no bits.
    pub(crate) fn is_exact(self) -> bool {
        self.as_instruction_value()
            .is_some_and(|instruction| instruction.get_exact_flag() == Ok(true))
    }

    /// Forgets what LLVM may assume of an operation's result: wrapping, exactness, bounds.
    pub(crate) fn clear_poison_flags(self) {
        use InstructionOpcode::{
            AShr, Add, GetElementPtr, LShr, Mul, Or, SDiv, Shl, Sub, Trunc, UDiv, UIToFP, ZExt,
        };
        let Some(opcode) = self.opcode() else { return };
        // inkwell has neither all flags of `getelementptr` nor that of `uitofp`.
        unsafe {
            match opcode {
                Add | Sub | Mul | Shl => {
                    LLVMSetNSW(self.0, 0);
                    LLVMSetNUW(self.0, 0);
                }
                SDiv | UDiv | AShr | LShr => LLVMSetExact(self.0, 0),
                GetElementPtr => LLVMGEPSetNoWrapFlags(self.0, 0),
                Or => LLVMSetIsDisjoint(self.0, 0),
                ZExt | UIToFP => LLVMSetNNeg(self.0, 0),
                Trunc => {} // `sroa` and `simplify` do not use its flags.
                _ => {}
            }
        }
    }
}

impl Block {
    /// The instructions in order.
    pub(crate) fn instructions(self) -> Vec<Value> {
        let mut instructions = Vec::new();
        self.append_instructions(&mut instructions);
        instructions
    }

    /// Appends the instructions in order.
    pub(super) fn append_instructions(self, instructions: &mut Vec<Value>) {
        // inkwell looks at each before its turn, and most of what takes time here is to load them.
        unsafe {
            let mut next = LLVMGetFirstInstruction(self.0.as_mut_ptr());
            while let Some(instruction) = Value::new(next) {
                instructions.push(instruction);
                next = LLVMGetNextInstruction(next);
            }
        }
    }

    /// The blocks that control may go on to, as often as the terminator names them.
    pub(crate) fn successors(self) -> Vec<Block> {
        self.terminator().map(Value::successors).unwrap_or_default()
    }

    /// The terminator; `None` only in a block that is being built.
    pub(crate) fn terminator(self) -> Option<Value> {
        self.0.get_terminator().map(Value::of)
    }

    /// Its name, made printable; empty if it has none.
    pub(crate) fn name(self) -> String {
        // inkwell's names are texts without zero bytes.
        self.value().name()
    }

    /// The block as an operand.
    pub(crate) fn value(self) -> Value {
        Value(unsafe { LLVMBasicBlockAsValue(self.0.as_mut_ptr()) })
    }

    /// The function that holds the block.
    pub(crate) fn function(self) -> Value {
        let function = self.0.get_parent();
        Value::of(function.expect("a block stands in a function"))
    }
}
