//! What users demand of statements becomes explicit: marked calls become atomic regions in which a demand is evaluated, and
//! violations where it is not met.

use abi::markers::{USER_PROPERTY_METADATA, UserPropertyMark, VIOLATED_UNLESS};

use crate::llvm::{Builder, Module, Value};

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
            builder.call_named(module, "__VERIFIER_atomic_begin", nothing, &[]);
        }
        UserPropertyMark::Checks => {
            let holds = call.operand(0).filter(|_| call.argument_count() > 0);
            let holds = holds.filter(|holds| holds.value_type_of().int_width().is_some());
            let Some(holds) = holds else {
                return;
            };
            let zero = holds.value_type_of().constant(0);
            violated_unless(builder.not_equal(holds, zero));
            builder.call_named(module, "__VERIFIER_atomic_end", nothing, &[]);
        }
        UserPropertyMark::IsReached => {
            violated_unless(module.int_type(1).constant(0));
        }
    }
    call.erase();
}
