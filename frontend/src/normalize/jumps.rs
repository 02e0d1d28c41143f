//! `setjmp` and `longjmp`. When all calls are inlined, the place that `setjmp` has kept is in the function that jumps there.
//!
//! The buffer holds a token: which place of which thread it keeps. A place is left when the function that called `setjmp` returns. As C has
//! it, variables of that function have no certain value behind a jump if they are not volatile and may have been changed since.

use abi::functions::Effect;
use inkwell::values::InstructionOpcode as Op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::base;
use super::blocks::{cut, split_behind};
use super::error::NormalizeError;
use super::flow::Flow;
use super::handlers::{self, calls_in, dead_at, is_variable, variable};
use super::library_calls::of_library;
use super::lifetime_marks::{insert_mark, lifetime_mark};
use super::metadata_kinds::CHANGED_BY_JUMPS_METADATA;
use super::pieces::scalar_leaves;
use super::requirement::require;
use super::stack_memory::taken;
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Type, Value};

/// These stand, until all is inlined, for a call of a function that keeps places, for the token of a place of such a call, for the place with
/// the token, for the end of the call, and for a jump with a token and a result.
const FRAME: &str = "mazurka.frame";
const TOKEN: &str = "mazurka.token";
const PLACE: &str = "mazurka.kept_place";
const LEAVE: &str = "mazurka.leave_places";
const JUMP: &str = "mazurka.jump";

/// The token of a thread's place is the number of the thread and, in so many bits, that of the place.
const PLACE_BITS: u64 = 8;

/// A variable of more scalars is not given uncertain values.
const MOST_SCALARS: usize = 64;

/// Replaces the calls. Where nothing jumps, `setjmp` returns once.
pub(super) fn declare(module: &Module) {
    let calls = of_library(module);
    let with = |wanted| {
        let calls = calls.iter().filter(move |(_, effect)| *effect == wanted);
        calls.map(|(call, _)| *call).collect::<Vec<Value>>()
    };
    let (number, nothing) = (module.int_type(32), module.void_type());
    let (mut places, jumps) = (with(Effect::KeepPlace), with(Effect::Jump));
    // Calls by another prototype stay, and are not read.
    places.retain(|place| place.value_type_of() == number);
    if jumps.is_empty() || handlers::are_used(module) {
        for place in places {
            place.replace_all_uses(place.value_type_of().constant(0));
            place.erase();
        }
        for jump in jumps {
            let builder = Builder::before(module, jump).copy_position(jump);
            insert_unsupported(
                module,
                &builder,
                "`longjmp` in a program with clean-up handlers",
            );
        }
        return;
    }
    let mut frames: Vec<(Value, Value)> = Vec::new();
    for place in places {
        let function = place.block().function();
        let known = frames.iter().find(|(known, _)| *known == function);
        let frame = known.map(|(_, frame)| *frame).unwrap_or_else(|| {
            let start = Builder::before(module, first_behind_variables(function));
            let frame = start.call_named(module, FRAME, number, &[]);
            frames.push((function, frame));
            frame
        });
        let builder = Builder::before(module, place).copy_position(place);
        let token = builder.call_named(module, TOKEN, number, &[frame]);
        if let Some(buffer) = place.operand(0) {
            builder.store(token, buffer);
        }
        let result = builder.call_named(module, PLACE, number, &[token]);
        place.replace_all_uses(result);
        place.erase();
    }
    for (function, frame) in frames {
        mark_changeable(module, function);
        for end in function.body() {
            if end.opcode() == Some(Op::Return) {
                let builder = Builder::before(module, end).copy_position(end);
                builder.call_named(module, LEAVE, nothing, &[frame]);
            }
        }
    }
    for jump in jumps {
        if let [buffer, result] = jump.arguments()[..]
            && buffer.value_type_of().is_pointer()
            && result.value_type_of() == number
        {
            let builder = Builder::before(module, jump).copy_position(jump);
            let token = builder.load(number, buffer);
            builder.call_named(module, JUMP, nothing, &[token, result]);
            jump.erase();
        }
    }
}

/// The first instruction of a function that declares no variable.
fn first_behind_variables(function: Value) -> Value {
    let body = function.body();
    let is_other = |value: &Value| !is_variable(*value);
    body.iter().copied().find(is_other).unwrap_or(body[0])
}

/// Marks the variables of a function that are not seen to be volatile.
fn mark_changeable(module: &Module, function: Value) {
    let kind = module.metadata_kind(CHANGED_BY_JUMPS_METADATA);
    for variable in function
        .body()
        .into_iter()
        .filter(|value| is_variable(*value))
    {
        let users = variable.users().into_iter();
        let mut accesses = users.filter(|user| user.accessed_pointer() == Some(variable));
        let is_volatile = accesses.clone().next().is_some() && accesses.all(Value::is_volatile);
        if !is_volatile {
            variable.set_metadata_number(module, kind, 1);
        }
    }
}

/// Leads the jumps to their places.
pub(super) fn lead_to_places(module: &Module) -> Result<(), NormalizeError> {
    if module.function(JUMP).is_none() {
        return Ok(());
    }
    let variables = |function: Value| {
        function
            .body()
            .into_iter()
            .filter(|value| is_variable(*value))
    };
    let known: FxHashSet<Value> = module.functions().into_iter().flat_map(variables).collect();
    // Behind the pass the calls of functions are seen no more.
    let frames = frames(module);
    module.run_passes("function(reg2mem)")?;
    for function in module.functions() {
        if !function.is_declaration() {
            let kind = module.metadata_kind(CHANGED_BY_JUMPS_METADATA);
            let is_changeable = |value: &Value| value.has_metadata(kind) || !known.contains(value);
            let changeable: Vec<Value> = variables(function).filter(is_changeable).collect();
            lead_in(module, function, &changeable, &frames);
        }
    }
    for frame in module.function(FRAME).map(Value::users).unwrap_or_default() {
        frame.replace_all_uses(module.int_type(32).constant(0));
        frame.erase();
    }
    Ok(())
}

/// The call of a function that each token and each end belongs to.
fn frames(module: &Module) -> FxHashMap<Value, Value> {
    let calls = [TOKEN, LEAVE].into_iter();
    let calls = calls.filter_map(|name| module.function(name));
    let calls = calls.flat_map(Value::users);
    calls
        .filter_map(|call| Some((call, call.operand(0)?)))
        .collect()
}

/// A place that is kept: the call of the function that keeps it, and its variables.
struct Place {
    frame: Option<Value>,
    call: Value,
    /// Whether it may be jumped to.
    is_kept: Value,
    /// What `setjmp` returns next.
    result: Value,
    token: Value,
    behind: Block,
    /// Where jumps come to.
    target: Block,
    /// The variables that are not alive there.
    inner: Vec<Value>,
    /// The blocks at whose ends the function that keeps it returns.
    left: FxHashSet<Block>,
}

impl Place {
    /// Whether the place is not the same any more, or left, at the end of a block.
    fn ends_at(&self, block: Block) -> bool {
        block == self.call.block() || self.left.contains(&block)
    }
}

/// Leads the jumps in a function to its places.
fn lead_in(
    module: &Module,
    function: Value,
    changeable: &[Value],
    frames: &FxHashMap<Value, Value>,
) {
    let truth = module.int_type(1);
    let calls = calls_in(module, function, PLACE);
    let takes_stack = !taken(function).is_empty();
    let flow = Flow::of(function);
    let inner: Vec<Vec<Value>> = calls
        .iter()
        .map(|&call| dead_at(&flow, function, call))
        .collect();
    let mut places = Vec::new();
    for ((call, inner), index) in calls.into_iter().zip(inner).zip(1..) {
        if takes_stack || index >= 1 << PLACE_BITS {
            let builder = Builder::before(module, call).copy_position(call);
            let what =
                "`setjmp` beside arrays of variable length, or more than 255 times in a thread";
            insert_unsupported(module, &builder, what);
        }
        places.push(keep(module, call, index, inner, frames));
    }
    for leave in calls_in(module, function, LEAVE) {
        let frame = frames.get(&leave).copied();
        for place in places.iter_mut().filter(|place| place.frame == frame) {
            Builder::before(module, leave).store(truth.constant(0), place.is_kept);
            place.left.insert(leave.block());
        }
        let behind = split_behind(module, leave);
        Builder::at_end(module, leave.block()).jump(behind);
        leave.erase();
    }
    let jumps = calls_in(module, function, JUMP);
    let ends: FxHashSet<Block> = jumps.iter().map(|jump| jump.block()).collect();
    let all: Vec<Block> = places.iter().map(|place| place.behind).collect();
    let next = |block: Block| match ends.contains(&block) {
        true => all.clone(),
        false => block.successors(),
    };
    let kept: Vec<FxHashSet<Block>> = places
        .iter()
        .map(|place| reached(place.behind, |block| place.ends_at(block), next))
        .collect();
    for jump in jumps {
        let block = jump.block();
        let meant = places.iter().zip(&kept);
        let meant = meant.filter(|(_, kept)| kept.contains(&block));
        lead(module, jump, meant.map(|(place, _)| place));
    }
    let changed: Vec<Vec<Value>> = places
        .iter()
        .map(|place| changed_since(place, changeable))
        .collect();
    for (place, changed) in places.iter().zip(changed) {
        let builder = Builder::at_end(module, place.target).copy_position(place.call);
        for &variable in &place.inner {
            insert_mark(module, &builder, "end", variable);
        }
        for variable in changed {
            if !place.inner.contains(&variable) {
                make_uncertain(module, &builder, variable);
            }
        }
        builder.jump(place.behind);
    }
    for place in places {
        place.call.erase();
    }
}

/// Leads a jump to the place that it means, one of these.
fn lead<'p>(module: &Module, jump: Value, places: impl Iterator<Item = &'p Place>) {
    let (number, truth) = (module.int_type(32), module.int_type(1));
    let function = jump.block().function();
    let builder = Builder::before(module, jump).copy_position(jump);
    builder.call_named(
        module,
        "__mazurka_require_no_region",
        module.void_type(),
        &[],
    );
    let [Some(token), Some(result)] = [0, 1].map(|index| jump.operand(index)) else {
        return;
    };
    let is_zero = builder.equal(result, number.constant(0));
    let result = builder.select(is_zero, number.constant(1), result);
    let [kept_token, kept_result] =
        [(); 2].map(|()| variable(module, function, number.constant(0)));
    builder.store(token, kept_token);
    let position = builder.store(result, kept_result);
    let mut builder = Builder::at_end(module, cut(jump)).copy_position(position);
    for place in places {
        let own = builder.load(number, place.token);
        let is_own = builder.equal(builder.load(number, kept_token), own);
        let is_meant = builder.and(builder.load(truth, place.is_kept), is_own);
        let arrives = function.append_block(module, "arrives");
        let next = function.append_block(module, "next");
        builder.branch_if(is_meant, arrives, next);
        let at_arrival = Builder::at_end(module, arrives).copy_position(position);
        at_arrival.store(at_arrival.load(number, kept_result), place.result);
        at_arrival.jump(place.target);
        builder = Builder::at_end(module, next).copy_position(position);
    }
    let what = "longjmp to a place that setjmp has not kept, or whose function has returned";
    require(module, &builder, truth.constant(0), what);
    builder.unreachable();
}

/// Lets a place be kept where `setjmp` is called, and return there again and again.
fn keep(
    module: &Module,
    call: Value,
    index: u64,
    inner: Vec<Value>,
    frames: &FxHashMap<Value, Value>,
) -> Place {
    let (number, truth) = (module.int_type(32), module.int_type(1));
    let function = call.block().function();
    let [token, result] = [(); 2].map(|()| variable(module, function, number.constant(0)));
    let is_kept = variable(module, function, truth.constant(0));
    let asked = call.operand(0).expect("a place has a token");
    let builder = Builder::before(module, asked).copy_position(call);
    let thread = builder.call_named(module, "__mazurka_thread", number, &[]);
    let own = builder.add(
        builder.shift_left(thread, PLACE_BITS),
        number.constant(index),
    );
    let frame = frames.get(&asked).copied();
    asked.replace_all_uses(own);
    asked.erase();
    let builder = Builder::before(module, call).copy_position(call);
    builder.store(own, token);
    builder.store(truth.constant(1), is_kept);
    builder.store(number.constant(0), result);
    let behind = split_behind(module, call);
    Builder::at_end(module, call.block()).jump(behind);
    if let Some(&first) = behind.instructions().first() {
        let returned = Builder::before(module, first).load(number, result);
        call.replace_all_uses(returned);
    }
    Place {
        frame,
        call,
        is_kept,
        result,
        token,
        behind,
        target: function.append_block(module, "jumped"),
        inner,
        left: FxHashSet::default(),
    }
}

/// The blocks that are reached from one, where ways end at some blocks.
fn reached(
    start: Block,
    ends: impl Fn(Block) -> bool,
    next: impl Fn(Block) -> Vec<Block>,
) -> FxHashSet<Block> {
    let mut seen: FxHashSet<Block> = [start].into_iter().collect();
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        if !ends(block) {
            pending.extend(next(block).into_iter().filter(|&block| seen.insert(block)));
        }
    }
    seen
}

/// The variables that a run may write after it has passed a place and before it jumps there.
fn changed_since(place: &Place, changeable: &[Value]) -> Vec<Value> {
    let flow = Flow::of(place.call.block().function());
    let ends = |block| place.ends_at(block);
    let behind = reached(place.behind, ends, Block::successors);
    let before = reached(place.target, ends, |block| {
        flow.predecessors(block).to_vec()
    });
    let between = behind
        .intersection(&before)
        .copied()
        .filter(|block| !ends(*block));
    let writes: Vec<Value> = between
        .flat_map(Block::instructions)
        .filter(|instruction| may_write(*instruction))
        .collect();
    let is_written = |variable: &Value| {
        let is_open = !is_only_accessed(*variable);
        writes
            .iter()
            .any(|write| match write.accessed_pointer().map(base) {
                Some(written) => written == *variable || is_open && !is_object(written),
                None => is_open,
            })
    };
    changeable.iter().copied().filter(is_written).collect()
}

fn may_write(instruction: Value) -> bool {
    match instruction.opcode() {
        Some(Op::Store | Op::AtomicRMW | Op::AtomicCmpXchg) => true,
        Some(Op::Call) => {
            lifetime_mark(instruction).is_none()
                && instruction
                    .arguments()
                    .iter()
                    .any(|argument| argument.value_type_of().is_pointer())
        }
        Some(_) | None => false,
    }
}

fn is_object(value: Value) -> bool {
    is_variable(value) || value.is_global_variable()
}

/// Whether the address of a variable is used for nothing but accesses to all of it.
fn is_only_accessed(variable: Value) -> bool {
    variable.users().into_iter().all(|user| {
        let is_stored = user.opcode() == Some(Op::Store) && user.operand(0) == Some(variable);
        user.accessed_pointer() == Some(variable) && !is_stored || lifetime_mark(user).is_some()
    })
}

/// Gives a variable any content. It may not have been written, so no violation counts that depends on it.
fn make_uncertain(module: &Module, builder: &Builder, variable: Value) {
    let mut parts = Vec::new();
    let content = variable.allocated_type();
    let all = scalar_leaves(module, content, 0, MOST_SCALARS, &mut |offset, scalar| {
        parts.push((offset, scalar));
    });
    let is_known = |scalar: Type| scalar.is_pointer() || scalar.int_width().is_some();
    if !all || !parts.iter().all(|(_, scalar)| is_known(*scalar)) {
        let what = "`setjmp` in a function that changes a large variable, or one of floating point";
        insert_unsupported(module, builder, what);
        return;
    }
    let long = module.int_type(64);
    for (offset, scalar) in parts {
        let unknown = builder.call_named(module, "__mazurka_unknown_long", long, &[]);
        let value = match scalar.is_pointer() {
            true => {
                let number = module.int_type(module.data_model().address_bits());
                builder.int_to_pointer(builder.resize(unknown, number), scalar)
            }
            false => builder.resize(unknown, scalar),
        };
        builder.store(value, builder.byte_offset(module, variable, offset));
    }
}
