//! Variables whose content is not certain behind a jump, because they may have been written since the place was kept.

use inkwell::values::InstructionOpcode as Op;

use super::{JUMP, PLACE};
use crate::llvm::{Block, Builder, Module, Type, Value};
use crate::normalize::addresses::base;
use crate::normalize::flow::{Flow, reached};
use crate::normalize::lifetime_marks::lifetime_mark;
use crate::normalize::pieces::scalar_leaves;
use crate::normalize::unsupported::insert_unsupported;

/// A variable of more scalars is not given uncertain values.
const MOST_SCALARS: usize = 64;

/// A variable that is not known to be volatile.
pub(super) struct Changeable {
    variable: Value,
    /// Whether it may be written through pointers that are not computed from its address where they are used.
    is_open: bool,
}

impl Changeable {
    /// A variable, as long as no jump is led to its place.
    pub fn new(variable: Value) -> Self {
        Self {
            variable,
            is_open: is_known_elsewhere(variable),
        }
    }
}

/// Whether the address of a variable, or of a part of it, is used for something else than accesses, keeping places and jumps.
fn is_known_elsewhere(address: Value) -> bool {
    address.users().into_iter().any(|user| {
        let is_stored = user.opcode() == Some(Op::Store) && user.operand(0) == Some(address);
        let is_access = user.accessed_pointer() == Some(address) && !is_stored;
        let keeps_or_jumps = || [PLACE, JUMP].contains(&user.callee().name().as_str());
        match user.opcode() {
            _ if is_access || lifetime_mark(user).is_some() => false,
            Some(Op::GetElementPtr) => is_known_elsewhere(user),
            Some(Op::Call) => !keeps_or_jumps(),
            Some(_) | None => true,
        }
    })
}

/// The variables that a run may write on ways from one block to another, which end at some blocks.
pub(super) fn changed_between(
    from: Block,
    to: Block,
    ends: impl Fn(Block) -> bool,
    changeable: &[Changeable],
) -> Vec<Value> {
    let flow = Flow::of(from.function());
    let behind = reached(from, &ends, Block::successors);
    let before = reached(to, &ends, |block| flow.predecessors(block).to_vec());
    let between = behind
        .intersection(&before)
        .copied()
        .filter(|block| !ends(*block));
    let writes: Vec<Value> = between
        .flat_map(Block::instructions)
        .filter(|instruction| may_write(*instruction))
        .collect();
    let is_written = |changeable: &&Changeable| {
        writes
            .iter()
            .any(|write| match write.accessed_pointer().map(base) {
                Some(written) => {
                    let may_be = changeable.is_open && !written.is_variable();
                    written == changeable.variable || may_be
                }
                None => changeable.is_open,
            })
    };
    let changed = changeable.iter().filter(is_written);
    changed.map(|changeable| changeable.variable).collect()
}

fn may_write(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Op::Store | Op::AtomicRMW | Op::AtomicCmpXchg) => true,
        Some(Op::Call) => {
            let may_be_written = |argument: &Value| {
                let is_text = argument.is_global_variable() && argument.is_constant_global();
                argument.value_type_of().is_pointer() && !is_text
            };
            lifetime_mark(instruction).is_none()
                && instruction.callee().name() != PLACE
                && instruction.arguments().iter().any(may_be_written)
        }
        Some(_) | None => false,
    }
}

/// Whether the address of a variable is used for nothing but accesses to all of it.
fn is_only_accessed(variable: Value) -> bool {
    variable.users().into_iter().all(|user| {
        let is_stored = user.opcode() == Some(Op::Store) && user.operand(0) == Some(variable);
        user.accessed_pointer() == Some(variable) && !is_stored || lifetime_mark(user).is_some()
    })
}

/// Gives a variable any content. It may not have been written, so no violation counts that depends on it.
pub(super) fn make_uncertain(module: &Module, builder: &Builder, variable: Value) {
    let content = variable.allocated_type();
    let width = content.int_width().filter(|_| is_only_accessed(variable));
    if let Some(width) = width.filter(|_| !variable.is_array_allocation()) {
        builder.store(unknown_number(module, builder, width), variable);
        return;
    }
    let mut parts = Vec::new();
    let is_complete = scalar_leaves(module, content, 0, MOST_SCALARS, &mut |offset, scalar| {
        parts.push((offset, scalar));
    });
    let is_known = |scalar: Type| {
        let is_word = |width: u32| matches!(width, 1 | 8 | 16 | 32 | 64);
        scalar.is_pointer() || scalar.int_width().is_some_and(is_word)
    };
    let size = content.size(module).filter(|_| {
        let is_all_known = parts.iter().all(|(_, scalar)| is_known(*scalar));
        is_complete && is_all_known && !variable.is_array_allocation()
    });
    let Some(size) = size else {
        let what = "`setjmp` in a function that changes a large variable, or one of floating point";
        insert_unsupported(module, builder, what);
        return;
    };
    let mut end = 0;
    parts.sort_by_key(|(offset, _)| *offset);
    // The padding between two parts changes, too.
    parts.push((size, module.int_type(8).array(0)));
    for (offset, scalar) in parts {
        let padding = (end..offset).map(|offset| (offset, module.int_type(8)));
        end = offset + scalar.size(module).unwrap_or_default();
        for (offset, scalar) in padding.chain((offset < size).then_some((offset, scalar))) {
            let address_bits = module.data_model().address_bits();
            let width = scalar.int_width().unwrap_or(address_bits);
            let unknown = unknown_number(module, builder, width);
            let value = match scalar.is_pointer() {
                true => builder.int_to_pointer(unknown, scalar),
                false => unknown,
            };
            builder.store(value, builder.byte_offset(module, variable, offset));
        }
    }
}

/// A number of so many bits of which nothing is known.
fn unknown_number(module: &Module, builder: &Builder, width: u32) -> Value {
    let own_type = module.int_type(width);
    (0..width.div_ceil(64)).fold(own_type.constant(0), |known, _| {
        let long = module.int_type(64);
        let word = builder.call_named(module, "__mazurka_unknown_long", long, &[]);
        let known = match width {
            ..=64 => known,
            _ => builder.shift_left(known, 64),
        };
        builder.or(known, builder.resize(word, own_type))
    })
}
