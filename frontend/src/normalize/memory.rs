//! Memory intrinsics. A copy or a fill of small constant length becomes single accesses; others become calls of the library's
//! loops. Parameters that are passed by value are copied by an intrinsic first.

use super::addresses::constant_offset;
use super::memory_objects::may_overlap;
use super::pieces::{Piece, scalar_leaves, words};
use super::requirement::require;
use super::stack_memory::first_behind_variables;
use crate::llvm::{Builder, Module, Value};

/// At most so many accesses of each kind stand for one intrinsic; longer ones become loops.
const MOST_PIECES: usize = 128;

/// What is said where blocks that are copied overlap.
const OVERLAP: &str = "copy of a block to memory that overlaps with it";

/// `__mazurka_require_apart(to, from, length)`: the library's check of that.
const REQUIRE_APART: &str = "__mazurka_require_apart";

/// A memory intrinsic, and the library function that does the same.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Intrinsic {
    Copy,
    Move,
    Set,
}

/// Lets functions copy the objects that they get by value: else inlining does, after the intrinsics are expanded.
pub(super) fn copy_parameters(module: &Module) {
    for function in module.functions() {
        let first = function.body().into_iter().next();
        let behind_variables = first_behind_variables(function);
        for (index, parameter) in (0..).zip(function.parameters()) {
            let (Some(first), Some(behind)) = (first, behind_variables) else {
                continue;
            };
            let object = function.by_value_type(index);
            let size = object.and_then(|object| object.size(module));
            let (Some(object), Some(size)) = (object, size) else {
                continue;
            };
            let copy = Builder::before(module, first).variable(object);
            parameter.replace_all_uses(copy);
            let size = module.size_type().constant(size);
            Builder::before(module, behind).copy_memory(copy, parameter, size);
        }
        // What functions without a body get by value they cannot change for their callers, so theirs stay.
        if !function.is_declaration() {
            function.remove_attributes(&["byval"]);
        }
        let calls = function.body().into_iter().filter(|value| value.is_call());
        let is_defined =
            |call: &Value| call.called_function().is_none_or(|to| !to.is_declaration());
        for call in calls.filter(is_defined) {
            call.remove_attributes(&["byval"]);
        }
    }
}

/// Expands all memory intrinsics of the module.
pub(super) fn expand_intrinsics(module: &Module) {
    for call in module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .filter(|instruction| instruction.is_call())
    {
        let Some(intrinsic) = intrinsic(call) else {
            continue;
        };
        let arguments = call.arguments();
        let (destination, source, length) = (arguments[0], arguments[1], arguments[2]);
        let builder = Builder::before(module, call).copy_position(call);
        let pieces = match intrinsic {
            Intrinsic::Set => pieces(module, &[destination], length),
            Intrinsic::Copy | Intrinsic::Move => pieces(module, &[destination, source], length),
        };
        match (pieces, intrinsic, source.integer()) {
            (Some(pieces), Intrinsic::Set, Some(byte)) => {
                set(module, &builder, destination, byte, &pieces);
            }
            (Some(pieces), Intrinsic::Copy | Intrinsic::Move, _) => {
                if intrinsic == Intrinsic::Copy {
                    require_apart(module, &builder, destination, source, length);
                }
                copy(module, &builder, (destination, source), &pieces, intrinsic);
            }
            (_, _, _) => {
                call_library(module, &builder, intrinsic, (destination, source, length));
            }
        }
        call.erase();
    }
}

/// Blocks that are copied must not overlap, but a block may be copied to itself, as an assignment does. What is not seen here is
/// checked when the program runs.
fn require_apart(module: &Module, builder: &Builder, to: Value, from: Value, length: Value) {
    let distance = || {
        let (one, start) = constant_offset(module, to)?;
        let (other, other_start) = constant_offset(module, from)?;
        (one == other).then(|| (start as i64).abs_diff(other_start as i64))
    };
    let length = builder.resize(length, module.size_type());
    match distance().map(u128::from) {
        Some(0) => {}
        Some(distance) => {
            let is_apart = length.integer().is_some_and(|length| distance >= length);
            let holds = module.int_type(1).constant(is_apart.into());
            require(module, builder, holds, OVERLAP);
        }
        None if may_overlap(to, from) => {
            let nothing = module.void_type();
            builder.call_named(module, REQUIRE_APART, nothing, &[to, from, length]);
        }
        None => {}
    }
}

fn intrinsic(call: Value) -> Option<Intrinsic> {
    let callee = call.callee();
    if !callee.is_intrinsic() {
        return None;
    }
    let name = callee.name();
    let is = |prefix: &str| name.starts_with(prefix);
    if is("llvm.memcpy.p0") || is("llvm.memcpy.inline.p0") {
        Some(Intrinsic::Copy)
    } else if is("llvm.memmove.p0") {
        Some(Intrinsic::Move)
    } else if is("llvm.memset.p0") || is("llvm.memset.inline.p0") {
        Some(Intrinsic::Set)
    } else {
        None
    }
}

/// Divides the first `length` bytes at the pointers into accesses, along the fields of an object of known type if there
/// is one: then variables stay in one piece.
fn pieces(module: &Module, pointers: &[Value], length: Value) -> Option<Vec<Piece>> {
    let length = u64::try_from(length.integer()?).ok()?;
    let mut leaves = pointers
        .iter()
        .filter_map(|pointer| leaves_behind(module, *pointer, length));
    // A handle or an address in a local stays in one piece, too, if it is copied to smaller ones, or from there.
    let leaves = if pointers.iter().any(|&pointer| is_in_local(module, pointer)) {
        let largest = |leaves: &Vec<Piece>| leaves.iter().map(|&(_, size)| size).max();
        leaves.rev().max_by_key(largest)
    } else {
        leaves.next()
    };
    let leaves = leaves.unwrap_or_default();
    let mut pieces = Vec::new();
    let mut position = 0;
    for (offset, size) in leaves {
        if offset >= position && offset + size <= length {
            fill(module, &mut pieces, position, offset);
            pieces.push((offset, size));
            position = offset + size;
        }
    }
    fill(module, &mut pieces, position, length);
    (pieces.len() <= MOST_PIECES).then_some(pieces)
}

fn is_in_local(module: &Module, pointer: Value) -> bool {
    constant_offset(module, pointer).is_some_and(|(base, _)| base.is_local_variable())
}

/// Covers the bytes from `start` to `end` by the largest powers of two; gives up on more than [`MOST_PIECES`].
fn fill(module: &Module, pieces: &mut Vec<Piece>, start: u64, end: u64) {
    let most = (MOST_PIECES + 1).saturating_sub(pieces.len());
    pieces.extend(words(module.data_model(), start, end).take(most));
}

/// The scalar fields behind a pointer into a variable, with offsets from the pointer.
fn leaves_behind(module: &Module, pointer: Value, length: u64) -> Option<Vec<Piece>> {
    let (base, offset) = constant_offset(module, pointer)?;
    let object = base.is_variable().then(|| base.content_type())?;
    let mut leaves = Vec::new();
    scalar_leaves(
        module,
        object,
        0,
        4 * MOST_PIECES,
        &mut |leaf_offset, leaf| {
            if let Some(size) = leaf
                .size(module)
                .filter(|size| leaf_offset >= offset && *size <= 8 && size.is_power_of_two())
            {
                leaves.push((leaf_offset - offset, size));
            }
        },
    );
    leaves.retain(|(start, size)| start + size <= length);
    Some(leaves)
}

fn set(module: &Module, builder: &Builder, destination: Value, byte: u128, pieces: &[Piece]) {
    let splat = u64::from_ne_bytes([byte as u8; 8]);
    for (offset, size) in pieces {
        let value = module
            .int_type(*size as u32 * 8)
            .constant(splat >> (64 - 8 * size));
        builder.store(value, builder.byte_offset(module, destination, *offset));
    }
}

fn copy(
    module: &Module,
    builder: &Builder,
    (to, from): (Value, Value),
    pieces: &[Piece],
    intrinsic: Intrinsic,
) {
    let load = |(offset, size): &Piece| {
        (
            *offset,
            builder.load(
                module.int_type(*size as u32 * 8),
                builder.byte_offset(module, from, *offset),
            ),
        )
    };
    let store = |(offset, value): (u64, Value)| {
        builder.store(value, builder.byte_offset(module, to, offset));
    };
    if intrinsic == Intrinsic::Move {
        // The regions may overlap: everything is read before anything is written.
        let loaded: Vec<(u64, Value)> = pieces.iter().map(load).collect();
        loaded.into_iter().for_each(store);
    } else {
        pieces.iter().map(load).for_each(store);
    }
}

fn call_library(
    module: &Module,
    builder: &Builder,
    intrinsic: Intrinsic,
    arguments: (Value, Value, Value),
) {
    let (destination, source, length) = arguments;
    let length = builder.resize(length, module.size_type());
    let (name, source) = match intrinsic {
        Intrinsic::Copy => ("memcpy", source),
        Intrinsic::Move => ("memmove", source),
        Intrinsic::Set => ("memset", builder.resize(source, module.int_type(32))),
    };
    builder.call_named(
        module,
        name,
        module.pointer_type(),
        &[destination, source, length],
    );
}
