//! The places that `setjmp` has kept, and the jumps there, when all calls are inlined.

use rustc_hash::{FxHashMap, FxHashSet};

use super::changes::{Changeable, changed_between, make_uncertain};
use super::{FRAME, JUMP, LEAVE, PLACE, TOKEN, are_left};
use crate::llvm::{Block, Builder, Module, Value};
use crate::normalize::arbitrary_values::first_value_function;
use crate::normalize::blocks::{cut, split_behind};
use crate::normalize::error::NormalizeError;
use crate::normalize::flow::{Flow, reached};
use crate::normalize::handlers::{calls_in, variable};
use crate::normalize::lifetime_marks::insert_mark;
use crate::normalize::metadata_kinds::CHANGED_BY_JUMPS_METADATA;
use crate::normalize::requirement::require;
use crate::normalize::scopes::not_entered;
use crate::normalize::stack_memory::taken;
use crate::normalize::unsupported::insert_unsupported;

/// Leads the jumps to their places.
pub(in crate::normalize) fn lead_to_places(module: &Module) -> Result<(), NormalizeError> {
    if !are_left(module) {
        return Ok(());
    }
    let functions = module.functions().into_iter();
    let known: FxHashSet<Value> = functions.flat_map(Value::local_variables).collect();
    // Behind the pass the calls of functions are seen no more.
    let frames = frames(module);
    module.run_passes("function(reg2mem)")?;
    let places = module.function(PLACE).map(Value::users);
    let count = places.map(|places| places.len()).unwrap_or_default();
    let mut tokens = Tokens {
        object: module.add_bytes("places of `setjmp`", TOKENS * count as u32),
        used: 0,
    };
    for function in module.functions() {
        if !function.is_declaration() {
            let kind = module.metadata_kind(CHANGED_BY_JUMPS_METADATA);
            let is_changeable = |value: &Value| value.has_metadata(kind) || !known.contains(value);
            let changeable = function.local_variables().filter(is_changeable);
            let changeable: Vec<Changeable> = changeable.map(Changeable::new).collect();
            lead_in(module, function, &changeable, &frames, &mut tokens);
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
    /// Whether the buffer is always the same one: keeping the place again leaves no token of the time before.
    has_fixed_buffer: bool,
    behind: Block,
    /// Where jumps come to.
    target: Block,
    /// The variables that are not alive there.
    inner: Vec<Value>,
    /// Places of calls that are not running there.
    over: Vec<usize>,
    /// The blocks at whose ends the function that keeps it is running no more: where it returns, and where jumps to others come to.
    left: FxHashSet<Block>,
}

impl Place {
    /// Whether the place is not the same any more, or left, at the end of a block.
    fn ends_at(&self, block: Block) -> bool {
        self.has_fixed_buffer && block == self.call.block() || self.left.contains(&block)
    }
}

/// The object that tokens point into, and how many of its bytes those of other functions have.
struct Tokens {
    object: Value,
    used: u64,
}

/// The bytes that belong to a place: one for each thread and generation.
const TOKENS: u32 = 512;

/// Leads the jumps in a function to its places.
fn lead_in(
    module: &Module,
    function: Value,
    changeable: &[Changeable],
    frames: &FxHashMap<Value, Value>,
    tokens: &mut Tokens,
) {
    let jumps = calls_in(module, function, JUMP);
    for &jump in &jumps {
        // Nothing is executed behind it.
        split_behind(module, jump);
        Builder::at_end(module, jump.block()).unreachable();
    }
    let calls = calls_in(module, function, PLACE);
    let leaves = calls_in(module, function, LEAVE);
    let takes_stack = !taken(function).is_empty();
    let flow = Flow::of(function);
    let frame_of = |call: Value| {
        let token = call.operand(0);
        token.and_then(|token| frames.get(&token)).copied()
    };
    let inner = not_entered(function, &calls);
    let is_running = |frame: Option<Value>, place: Value| {
        let ends = leaves.iter().copied();
        let ends = ends.filter(|leave| frames.get(leave).copied() == frame);
        let marks = ends.chain(frame).collect();
        let (last, from_start) = flow.last_before(place, &marks);
        !from_start && last.iter().all(|mark| Some(*mark) == frame)
    };
    let over: Vec<Vec<usize>> = calls
        .iter()
        .map(|&place| {
            let others = calls.iter().enumerate();
            let over = others.filter(|(_, other)| !is_running(frame_of(**other), place));
            over.map(|(index, _)| index).collect()
        })
        .collect();
    let generations = generations(module, &calls, frame_of);
    let mut places = Vec::new();
    for ((call, inner), over) in calls.into_iter().zip(inner).zip(over) {
        if takes_stack {
            let builder = Builder::before(module, call).copy_position(call);
            let what = "`setjmp` beside arrays of variable length";
            insert_unsupported(module, &builder, what);
        }
        let frame = frame_of(call);
        let generation = frame.and_then(|frame| generations.get(&frame)).copied();
        let mut place = keep(module, call, tokens, generation);
        (place.frame, place.inner, place.over) = (frame, inner, over);
        places.push(place);
    }
    for leave in leaves {
        let frame = frames.get(&leave).copied();
        for place in places.iter_mut().filter(|place| place.frame == frame) {
            let never = module.int_type(1).constant(0);
            Builder::before(module, leave).store(never, place.is_kept);
            place.left.insert(leave.block());
        }
        let behind = split_behind(module, leave);
        Builder::at_end(module, leave.block()).jump(behind);
        leave.erase();
    }
    for index in 0..places.len() {
        let arrival = places[index].target;
        for over in places[index].over.clone() {
            places[over].left.insert(arrival);
        }
    }
    lead_all(module, jumps, &places);
    let changed: Vec<Vec<Value>> = places
        .iter()
        .map(|place| {
            let ends = |block| place.ends_at(block);
            changed_between(place.behind, place.target, ends, changeable)
        })
        .collect();
    for (place, changed) in places.iter().zip(changed) {
        arrive(module, place, &places, changed);
    }
    for place in places {
        place.call.erase();
    }
}

/// Leads each jump to those of the places that may be kept there.
fn lead_all(module: &Module, jumps: Vec<Value>, places: &[Place]) {
    let ends: FxHashSet<Block> = jumps.iter().map(|jump| jump.block()).collect();
    let arrivals: Vec<Block> = places.iter().map(|place| place.target).collect();
    let next = |block: Block| match ends.contains(&block) {
        true => arrivals.clone(),
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
}

/// What happens where jumps come to: lives end, the places of calls that were running are over, and the content of variables is lost.
fn arrive(module: &Module, place: &Place, places: &[Place], changed: Vec<Value>) {
    let Some(end) = place.target.terminator() else {
        return;
    };
    let builder = Builder::before(module, end).copy_position(place.call);
    for &variable in &place.inner {
        insert_mark(module, &builder, "end", variable);
    }
    for &index in &place.over {
        builder.store(module.int_type(1).constant(0), places[index].is_kept);
    }
    for variable in changed {
        if !place.inner.contains(&variable) {
            make_uncertain(module, &builder, variable);
        }
    }
}

/// Variables of calls whose buffers may be older than they are: whether a call is one of the earlier or the later ones, which an arbitrary
/// one of them begins.
fn generations(
    module: &Module,
    places: &[Value],
    frame_of: impl Fn(Value) -> Option<Value>,
) -> FxHashMap<Value, Value> {
    let truth = module.int_type(1);
    let mut generations = FxHashMap::default();
    for &place in places {
        let Some(frame) = frame_of(place) else {
            continue;
        };
        if has_fixed_buffer(place) || generations.contains_key(&frame) {
            continue;
        }
        let is_later = variable(module, frame.block().function(), truth.constant(0));
        let builder = Builder::before(module, frame).copy_position(place);
        let begins = builder.call(first_value_function(module, truth), &[]);
        let before = builder.load(truth, is_later);
        builder.store(builder.or(before, begins), is_later);
        generations.insert(frame, is_later);
    }
    generations
}

/// Whether a place is always kept in the same buffer.
fn has_fixed_buffer(call: Value) -> bool {
    call.operand(1).and_then(Value::integer) == Some(1)
}

/// Leads a jump to the place that it means, one of these.
fn lead<'p>(module: &Module, jump: Value, places: impl Iterator<Item = &'p Place>) {
    let (number, truth) = (module.int_type(32), module.int_type(1));
    let pointer = module.pointer_type();
    let function = jump.block().function();
    let builder = Builder::before(module, jump).copy_position(jump);
    let text = module.constant_string("a jump, inside of an atomic region");
    builder.call_named(
        module,
        "__mazurka_require_no_region",
        module.void_type(),
        &[text, module.int_type(32).constant(0)],
    );
    let [token, result] = jump.arguments()[..] else {
        return;
    };
    let is_zero = builder.equal(result, number.constant(0));
    let result = builder.select(is_zero, number.constant(1), result);
    let kept_token = variable(module, function, pointer.null());
    let kept_result = variable(module, function, number.constant(0));
    builder.store(token, kept_token);
    let position = builder.store(result, kept_result);
    let mut builder = Builder::at_end(module, cut(module, jump)).copy_position(position);
    for place in places {
        let own = builder.load(pointer, place.token);
        let is_own = builder.equal(builder.load(pointer, kept_token), own);
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
fn keep(module: &Module, call: Value, tokens: &mut Tokens, generation: Option<Value>) -> Place {
    let (number, truth) = (module.int_type(32), module.int_type(1));
    let pointer = module.pointer_type();
    let function = call.block().function();
    let token = variable(module, function, pointer.null());
    let result = variable(module, function, number.constant(0));
    let is_kept = variable(module, function, truth.constant(0));
    let asked = call.operand(0).expect("a place has a token");
    let builder = Builder::before(module, asked).copy_position(call);
    let mut own = builder.call_named(module, "__mazurka_thread", number, &[]);
    if let Some(generation) = generation {
        let is_later = builder.load(truth, generation);
        let later = builder.add(own, number.constant(u64::from(TOKENS / 2)));
        own = builder.select(is_later, later, own);
    }
    let own = builder.add(own, number.constant(tokens.used));
    tokens.used += u64::from(TOKENS);
    let own = builder.resize(own, module.size_type());
    let own = builder.byte_at(module, tokens.object, own);
    asked.replace_all_uses(own);
    asked.erase();
    let builder = Builder::before(module, call).copy_position(call);
    builder.store(own, token);
    builder.store(truth.constant(1), is_kept);
    builder.store(number.constant(0), result);
    let has_fixed_buffer = has_fixed_buffer(call);
    let behind = split_behind(module, call);
    Builder::at_end(module, call.block()).jump(behind);
    if let Some(&first) = behind.instructions().first() {
        let returned = Builder::before(module, first).load(number, result);
        call.replace_all_uses(returned);
    }
    let target = function.append_block(module, "jumped");
    Builder::at_end(module, target).jump(behind);
    Place {
        frame: None,
        call,
        is_kept,
        result,
        token,
        has_fixed_buffer,
        behind,
        target,
        inner: Vec::new(),
        over: Vec::new(),
        left: FxHashSet::default(),
    }
}
