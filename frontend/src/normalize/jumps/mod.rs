//! `setjmp` and `longjmp`. When all calls are inlined, the [place](places) that `setjmp` has kept is in the function that jumps there.
//!
//! The buffer holds a token: which place of which thread it keeps. A place is left when the function that called `setjmp` returns. As C has
//! it, variables of that function have no certain value behind a jump if they are not volatile and may have been [changed](changes) since.

mod changes;
mod places;

use abi::functions::Effect;
use inkwell::values::InstructionOpcode as Op;
use program::model::DataModel;
use rustc_hash::FxHashSet;

use super::addresses::constant_offset;
use super::handlers;
use super::library_calls::of_library;
use super::lifetime_marks::lifetime_mark;
use super::metadata_kinds::CHANGED_BY_JUMPS_METADATA;
use super::requirement::require;
use super::stack_memory::first_behind_variables;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};

pub(super) use places::lead_to_places;

/// These stand, until all is inlined, for a call of a function that keeps places; for the token of a place of such a call; for the place with
/// the token, and whether its buffer is always the same one; for the end of the call; and for a jump with a token and a result.
const FRAME: &str = "mazurka.frame";
const TOKEN: &str = "mazurka.token";
const PLACE: &str = "mazurka.kept_place";
const LEAVE: &str = "mazurka.leave_places";
const JUMP: &str = "mazurka.jump";

/// Replaces the calls. Where nothing jumps, `setjmp` returns once.
pub(super) fn declare(module: &Module) {
    let calls = of_library(module);
    let with = |wanted| {
        let calls = calls.iter().filter(move |(_, effect)| *effect == wanted);
        calls.map(|(call, _)| *call).collect::<Vec<Value>>()
    };
    let number = module.int_type(32);
    let (mut places, mut jumps) = (with(Effect::KeepPlace), with(Effect::Jump));
    // Calls by another prototype stay, and are not read.
    places.retain(|place| place.value_type_of() == number && place.operand(0).is_some());
    jumps.retain(|jump| {
        matches!(jump.arguments()[..], [buffer, result]
            if buffer.value_type_of().is_pointer() && result.value_type_of() == number)
    });
    if let Some(reason) = reason_against_jumps(module) {
        for jump in jumps.drain(..) {
            let builder = Builder::before(module, jump).copy_position(jump);
            insert_unsupported(module, &builder, reason);
        }
    }
    let alone = alone(module, &places, &jumps);
    if jumps.is_empty() {
        let nowhere = module.constant_string("no place");
        for place in places {
            fill(module, place, nowhere, alone.contains(&place));
            place.replace_all_uses(number.constant(0));
            place.erase();
        }
        return;
    }
    let mut frames: Vec<(Value, Value)> = Vec::new();
    for place in places {
        let function = place.block().function();
        let known = frames.iter().find(|(known, _)| *known == function);
        let frame = known.map(|(_, frame)| *frame).unwrap_or_else(|| {
            let start = first_behind_variables(function).unwrap_or(place);
            let start = Builder::before(module, start);
            let frame = start.call_named(module, FRAME, number, &[]);
            frames.push((function, frame));
            frame
        });
        declare_place(module, place, frame, alone.contains(&place));
    }
    for (function, frame) in frames {
        mark_changeable(module, function);
        for end in function.body() {
            if end.opcode() == Some(Op::Return) {
                let builder = Builder::before(module, end).copy_position(end);
                builder.call_named(module, LEAVE, module.void_type(), &[frame]);
            }
        }
    }
    for jump in jumps {
        declare_jump(module, jump, alone.contains(&jump));
    }
}

/// Whether there are jumps or places that are not led to yet.
pub(super) fn are_left(module: &Module) -> bool {
    [FRAME, JUMP]
        .iter()
        .any(|name| module.function(name).is_some())
}

/// Why jumps are not supported in a program.
fn reason_against_jumps(module: &Module) -> Option<&'static str> {
    if handlers::are_used(module) {
        return Some("`longjmp` in a program with clean-up handlers");
    }
    // Whether a routine runs again that a jump has left is not known.
    let once = ["pthread_once", "call_once"];
    let is_used = once.iter().any(|name| module.function(name).is_some());
    is_used.then_some("`longjmp` in a program with `pthread_once`")
}

/// The calls with a buffer that is one variable, large enough, which is used for nothing but to keep places and to jump there.
fn alone(module: &Module, places: &[Value], jumps: &[Value]) -> FxHashSet<Value> {
    let calls: FxHashSet<Value> = places.iter().chain(jumps).copied().collect();
    let is_alone = |call: &Value| {
        fixed_place(module, *call).is_some_and(|(variable, offset)| {
            let is_large = variable.content_type().size(module) >= Some(filled(module));
            offset == 0 && is_large && is_used_by_calls_only(variable, &calls)
        })
    };
    calls.iter().copied().filter(is_alone).collect()
}

/// The variable that the buffer of a call always is in, and where.
fn fixed_place(module: &Module, call: Value) -> Option<(Value, u64)> {
    let (start, offset) = constant_offset(module, call.operand(0)?)?;
    let own = start.operand(0).filter(|_| is_own_copy(start));
    let variable = own.unwrap_or(start);
    variable.is_variable().then_some((variable, offset))
}

fn is_used_by_calls_only(buffer: Value, calls: &FxHashSet<Value>) -> bool {
    buffer.users().into_iter().all(|user| {
        let is_part = user.operation() == Some(Op::GetElementPtr) || is_own_copy(user);
        let is_call = user.is_instruction() && calls.contains(&user);
        is_call && !user.operands()[1..].contains(&buffer)
            || user.is_instruction() && lifetime_mark(user).is_some()
            || is_part && is_used_by_calls_only(user, calls)
    })
}

/// Whether an instruction gives the address of the thread's own copy of a variable.
fn is_own_copy(value: Value) -> bool {
    value.is_call()
        && value
            .callee()
            .name()
            .starts_with("llvm.threadlocal.address")
}

/// Lets a call of `setjmp` write the token into the buffer.
fn declare_place(module: &Module, place: Value, frame: Value, is_alone: bool) {
    let builder = Builder::before(module, place).copy_position(place);
    let token = builder.call_named(module, TOKEN, module.pointer_type(), &[frame]);
    fill(module, place, token, is_alone);
    let is_fixed = fixed_place(module, place).is_some();
    let is_fixed = module.int_type(1).constant(is_fixed.into());
    let own_type = place.value_type_of();
    let result = builder.call_named(module, PLACE, own_type, &[token, is_fixed]);
    place.replace_all_uses(result);
    place.erase();
}

/// Fills the buffer as far as `setjmp` does: with a token, and behind that with the address of the buffer, so that a copy is none. Only the
/// first word is filled if nobody can look at the others.
fn fill(module: &Module, place: Value, token: Value, is_alone: bool) {
    let builder = Builder::before(module, place).copy_position(place);
    if let Some(buffer) = place.operand(0) {
        for (index, offset) in (0..).zip(offsets(module, is_alone)) {
            let word = if index == 1 { buffer } else { token };
            builder.store(word, builder.byte_offset(module, buffer, offset));
        }
    }
}

/// Lets a call of `longjmp` read the token. All words must be as `setjmp` has filled them.
fn declare_jump(module: &Module, jump: Value, is_alone: bool) {
    let [buffer, result] = jump.arguments()[..] else {
        return;
    };
    let builder = Builder::before(module, jump).copy_position(jump);
    let words = offsets(module, is_alone).map(|offset| {
        let place = builder.byte_offset(module, buffer, offset);
        builder.load(module.pointer_type(), place)
    });
    let words: Vec<Value> = words.collect();
    let [token, others @ ..] = &words[..] else {
        return;
    };
    let mut are_equal = module.int_type(1).constant(1);
    for (index, &word) in others.iter().enumerate() {
        let expected = if index == 0 { buffer } else { *token };
        are_equal = builder.and(are_equal, builder.equal(word, expected));
    }
    let what = "longjmp by a buffer that is not as setjmp has left it";
    require(module, &builder, are_equal, what);
    builder.call_named(module, JUMP, module.void_type(), &[*token, result]);
    jump.erase();
}

/// How many bytes `setjmp` fills: the registers, eight on x86-64 and six in 32 bits, and whether there is a mask of signals.
fn filled(module: &Module) -> u64 {
    let data_model = module.data_model();
    let words = match data_model {
        DataModel::Ilp32 => 7,
        DataModel::Lp64 => 9,
    };
    words * u64::from(data_model.address_bytes())
}

/// Where the words of a buffer are that are filled.
fn offsets(module: &Module, is_alone: bool) -> impl Iterator<Item = u64> {
    let word = u64::from(module.data_model().address_bytes());
    let end = if is_alone { word } else { filled(module) };
    (0..end / word).map(move |index| index * word)
}

/// Marks the variables of a function that are not seen to be volatile.
fn mark_changeable(module: &Module, function: Value) {
    let kind = module.metadata_kind(CHANGED_BY_JUMPS_METADATA);
    for variable in function.local_variables() {
        if !is_volatile(variable) {
            variable.set_metadata_number(module, kind, 1);
        }
    }
}

/// Whether a variable is accessed, by volatile accesses only, and used for nothing else.
fn is_volatile(variable: Value) -> bool {
    let (mut pending, mut is_accessed) = (vec![variable], false);
    while let Some(address) = pending.pop() {
        for user in address.users() {
            let is_volatile_copy = || {
                let arguments = user.arguments();
                let is_last_set = arguments.last().and_then(|last| last.integer()) == Some(1);
                user.callee().name().starts_with("llvm.mem") && is_last_set
            };
            if user.opcode() == Some(Op::GetElementPtr) {
                pending.push(user);
            } else if user.accessed_pointer() == Some(address) && user.is_volatile() {
                let is_stored =
                    user.opcode() == Some(Op::Store) && user.operand(0) == Some(address);
                if is_stored {
                    return false;
                }
                is_accessed = true;
            } else if !(lifetime_mark(user).is_some() || user.is_call() && is_volatile_copy()) {
                return false;
            }
        }
    }
    is_accessed
}
