//! What users demand of statements becomes explicit: marked calls become atomic regions in which a demand is evaluated, and
//! violations where it is not met.

use abi::markers::{
    BEGIN_DEMAND, END_DEMAND, USER_PROPERTY_METADATA, UserPropertyMark, VIOLATED_UNLESS,
};
use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashSet;

use super::metadata_kinds::DEMAND_METADATA;
use crate::llvm::{Block, Builder, Module, Value};

/// Replaces the calls that are marked. The program's own functions have no names of the library any more.
pub(super) fn make_explicit(module: &Module) {
    let kind = module.metadata_kind(USER_PROPERTY_METADATA);
    let mark = |call: Value| {
        let number = call.metadata_number(kind).filter(|_| call.is_call())?;
        UserPropertyMark::of_number(number).filter(|_| call.value_type_of().is_void())
    };
    let instructions = module.functions().into_iter().flat_map(Value::body);
    for (call, mark) in instructions.filter_map(|call| Some((call, mark(call)?))) {
        replace(module, call, mark);
    }
}

fn replace(module: &Module, call: Value, mark: UserPropertyMark) {
    let nothing = module.void_type();
    let builder = Builder::before(module, call).copy_position(call);
    let violated_unless = |condition| {
        let what = call.operand(1).filter(|what| what.is_global_variable());
        let what = what.unwrap_or_else(|| module.constant_string("assertion"));
        builder.call_named(module, VIOLATED_UNLESS, nothing, &[condition, what]);
    };
    match mark {
        UserPropertyMark::Begins => {
            builder.call_named(module, BEGIN_DEMAND, nothing, &[]);
        }
        UserPropertyMark::Checks => {
            let holds = call.operand(0).filter(|_| call.argument_count() > 0);
            let holds = holds.filter(|holds| holds.value_type_of().int_width().is_some());
            let Some(holds) = holds else {
                return;
            };
            let zero = holds.value_type_of().constant(0);
            violated_unless(builder.not_equal(holds, zero));
            builder.call_named(module, END_DEMAND, nothing, &[]);
        }
        UserPropertyMark::IsReached => {
            violated_unless(module.int_type(1).constant(0));
        }
    }
    call.erase();
}

/// Marks the loads in these regions, which are no accesses of the program: they race with nothing.
pub(super) fn mark_loads(module: &Module) {
    let kind = module.metadata_kind(DEMAND_METADATA);
    let begin = module.function(BEGIN_DEMAND);
    for call in begin.map_or_else(Vec::new, Value::users) {
        let behind = call.block().instructions().into_iter();
        let behind = behind.skip_while(|&instruction| instruction != call);
        let mut seen = FxHashSet::default();
        let mut pending: Vec<Block> = Vec::new();
        let mut instructions: Vec<Value> = behind.skip(1).collect();
        loop {
            pending.extend(mark_until_end(module, kind, &instructions));
            let Some(next) = pending.pop() else {
                break;
            };
            instructions = match seen.insert(next) {
                true => next.instructions(),
                false => Vec::new(),
            };
        }
    }
}

/// Marks the loads up to the end of a region; if that is not among the instructions, gives the blocks where it goes on.
fn mark_until_end(module: &Module, kind: u32, instructions: &[Value]) -> Vec<Block> {
    for instruction in instructions {
        if instruction.is_call()
            && instruction.callee().is_function()
            && instruction.callee().name() == END_DEMAND
        {
            return Vec::new();
        }
        if instruction.opcode() == Some(InstructionOpcode::Load) {
            instruction.set_metadata_number(module, kind, 1);
        }
    }
    let last = instructions.last().copied();
    last.map_or_else(Vec::new, Value::successors)
}

/// Whether a demand of the user is evaluated by this access.
pub(crate) fn is_of_demand(module: &Module, access: Value) -> bool {
    access.has_metadata(module.metadata_kind(DEMAND_METADATA))
}
