//! Clean-up handlers (`pthread_cleanup_push`). A handler runs where it is popped, as the macros of the C library say, or where the thread
//! ends by `pthread_exit` before. A thread that is cancelled calls that, too.
//!
//! The macros keep a place by `__sigsetjmp`. The end of a thread leads back to the place of the handler that was pushed last, where
//! `__sigsetjmp` returns again, and another result. Then the handler runs, and leads on to the next one. When all calls are inlined, these
//! places are in one function, so the way back is a jump.

use super::addresses::base;
use super::blocks::{cut, split_behind};
use super::error::NormalizeError;
use super::library_calls::{ends_in, ends_of_threads};
use super::lifetime_marks::insert_mark;
use super::requirement::require;
use super::scopes::not_entered;
use super::stack_memory::taken;
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Value};

/// What the macros call to push a handler, to pop it, to keep the place, and at the end of the handler, with the same buffer.
const REGISTER: &str = "__pthread_register_cancel";
const UNREGISTER: &str = "__pthread_unregister_cancel";
const KEEP_PLACE: &str = "__sigsetjmp";
const UNWIND: &str = "__pthread_unwind_next";

/// These stand for the first three until all is inlined.
const PUSH: &str = "mazurka.push";
const POP: &str = "mazurka.pop";
const PLACE: &str = "mazurka.place";

/// Stands for the argument of a call of `pthread_exit` that replaces [`UNWIND`]: the thread ends already.
const SAME_RESULT: &str = "mazurka.same_result";

/// Whether the program has handlers.
pub(super) fn are_used(module: &Module) -> bool {
    module.function(REGISTER).is_some() || module.function(PUSH).is_some()
}

/// Where no call ends a thread, handlers run where they are popped only.
pub(super) fn declare(module: &Module) {
    if module.function(REGISTER).is_none() {
        return;
    }
    let ends = !ends_of_threads(module).is_empty();
    let calls = |name| {
        let function = module
            .function(name)
            .filter(|function| function.is_declaration());
        let users = function.map(Value::users).unwrap_or_default().into_iter();
        users.filter(move |user| user.is_call() && Some(user.callee()) == function)
    };
    let (nothing, number, pointer) = (
        module.void_type(),
        module.int_type(32),
        module.pointer_type(),
    );
    let builder = |call| Builder::before(module, call).copy_position(call);
    for call in calls(KEEP_PLACE) {
        let result = call.value_type_of();
        let returned = match call.operand(0).filter(|_| ends && result == number) {
            Some(buffer) => builder(call).call_named(module, PLACE, number, &[buffer]),
            None => result.constant(0),
        };
        call.replace_all_uses(returned);
        call.erase();
    }
    if !ends {
        return;
    }
    for (name, standing) in [(REGISTER, PUSH), (UNREGISTER, POP)] {
        for call in calls(name) {
            builder(call).call_named(module, standing, nothing, &call.arguments());
            call.erase();
        }
    }
    for call in calls(UNWIND) {
        let same = builder(call).call_named(module, SAME_RESULT, pointer, &[]);
        builder(call).call_named(module, "pthread_exit", nothing, &[same]);
        call.erase();
    }
}

/// A handler that is pushed: its buffer, the call that keeps the place, and the call that pushes it.
struct Handler {
    buffer: Value,
    place: Value,
    push: Value,
    /// The variables that are not alive there.
    inner: Vec<Value>,
}

/// Leads each end of a thread to the handlers that are pushed there.
pub(super) fn run_at_ends(module: &Module) -> Result<(), NormalizeError> {
    if module.function(PUSH).is_none() {
        return Ok(());
    }
    module.run_passes("function(reg2mem)")?;
    for function in module.functions() {
        let ends = ends_in(function).into_iter();
        let (further, first): (Vec<Value>, Vec<Value>) = ends.partition(|end| is_further(*end));
        let handlers = if first.is_empty() {
            Vec::new()
        } else {
            handlers(module, function)
        };
        if handlers.is_empty() {
            for end in further {
                Builder::at_end(module, cut(module, end)).unreachable();
            }
        } else {
            Unwinding::new(module, function).lead(&first, &further, &handlers);
        }
        for call in calls_in(module, function, PLACE) {
            call.replace_all_uses(call.value_type_of().constant(0));
            call.erase();
        }
        for name in [PUSH, POP] {
            calls_in(module, function, name)
                .into_iter()
                .for_each(Value::erase);
        }
    }
    Ok(())
}

/// Whether the call ends a thread behind a handler.
fn is_further(end: Value) -> bool {
    let argument = end.operand(0).filter(|argument| argument.is_call());
    argument.is_some_and(|call| call.callee().name() == SAME_RESULT)
}

pub(super) fn calls_in(module: &Module, function: Value, name: &str) -> Vec<Value> {
    let mut calls = module.function(name).map(Value::users).unwrap_or_default();
    calls.retain(|call| call.block().function() == function);
    calls
}

/// The handlers that are pushed in a function. Others are not read.
fn handlers(module: &Module, function: Value) -> Vec<Handler> {
    let pushes = calls_in(module, function, PUSH);
    let places = calls_in(module, function, PLACE);
    let buffer = |call: &Value| call.operand(0).map(base);
    let takes_stack = !taken(function).is_empty();
    let mut handlers = Vec::new();
    for (&push, inner) in pushes.iter().zip(not_entered(function, &pushes)) {
        let same = |calls: &[Value]| {
            let same = calls.iter().filter(|call| buffer(call) == buffer(&push));
            same.copied().collect::<Vec<Value>>()
        };
        match (buffer(&push), &same(&places)[..], &same(&pushes)[..]) {
            (Some(buffer), &[place], &[_]) if buffer.is_local_variable() && !takes_stack => {
                handlers.push(Handler {
                    buffer,
                    place,
                    push,
                    inner,
                });
            }
            _ => insert_unsupported(
                module,
                &Builder::before(module, push).copy_position(push),
                "such a clean-up handler in a program that ends threads by `pthread_exit` or `pthread_cancel`",
            ),
        }
    }
    handlers
}

/// The variables by which a function keeps which handlers are pushed, and the block that leads to the last of them.
struct Unwinding<'m> {
    module: &'m Module,
    function: Value,
    /// The number of the handler that was pushed last, from 1; 0 if there is none.
    last: Value,
    /// Whether the thread ends.
    is_ending: Value,
    result: Value,
    block: Block,
}

impl<'m> Unwinding<'m> {
    fn new(module: &'m Module, function: Value) -> Self {
        let (number, truth) = (module.int_type(32), module.int_type(1));
        let variable = |content: Value| variable(module, function, content);
        Self {
            module,
            function,
            last: variable(number.constant(0)),
            is_ending: variable(truth.constant(0)),
            result: variable(module.pointer_type().null()),
            block: function.append_block(module, "unwind"),
        }
    }

    /// Lets ends of the thread, the first ones and those behind handlers, go to the handlers.
    fn lead(&self, first: &[Value], further: &[Value], handlers: &[Handler]) {
        let module = self.module;
        let number = module.int_type(32);
        let position = first[0];
        let at_end = |block| Builder::at_end(module, block).copy_position(position);
        let mut builder = at_end(self.block);
        builder.call_named(
            module,
            "__mazurka_require_no_region",
            module.void_type(),
            &[],
        );
        for (handler, index) in handlers.iter().zip(1..) {
            let target = self.enter(handler, number.constant(index), position);
            let next = self.function.append_block(module, "outer");
            let is_last = builder.equal(builder.load(number, self.last), number.constant(index));
            builder.branch_if(is_last, target, next);
            builder = at_end(next);
        }
        let result = builder.load(module.pointer_type(), self.result);
        builder.call_named(module, "pthread_exit", module.void_type(), &[result]);
        builder.unreachable();
        for &end in first {
            self.begin(end);
        }
        for &end in further {
            let same_result = end.operand(0);
            Builder::at_end(module, cut(module, end)).jump(self.block);
            same_result.into_iter().for_each(Value::erase);
        }
    }

    /// The end of the thread begins.
    fn begin(&self, end: Value) {
        let module = self.module;
        let truth = module.int_type(1);
        let builder = Builder::before(module, end).copy_position(end);
        let is_ending = builder.load(truth, self.is_ending);
        let is_first = builder.equal(is_ending, truth.constant(0));
        require(
            module,
            &builder,
            is_first,
            "end of a thread in a handler that its end runs",
        );
        builder.store(truth.constant(1), self.is_ending);
        if let Some(result) = end.operand(0) {
            builder.store(result, self.result);
        }
        Builder::at_end(module, cut(module, end)).jump(self.block);
    }

    /// Keeps whether a handler is pushed, and returns a block that runs it. The scopes are left that were entered since it was pushed.
    fn enter(&self, handler: &Handler, number: Value, position: Value) -> Block {
        let module = self.module;
        let own_type = number.value_type_of();
        let [again, outer] =
            [(); 2].map(|()| variable(module, self.function, own_type.constant(0)));
        let builder = Builder::before(module, handler.push).copy_position(handler.push);
        builder.store(builder.load(own_type, self.last), outer);
        builder.store(number, self.last);
        for pop in calls_in(module, self.function, POP) {
            if pop.operand(0).map(base) == Some(handler.buffer) {
                let builder = Builder::before(module, pop).copy_position(pop);
                builder.store(builder.load(own_type, outer), self.last);
            }
        }
        let place = handler.place;
        let builder = Builder::before(module, place).copy_position(place);
        builder.store(own_type.constant(0), again);
        let behind = split_behind(module, place);
        Builder::at_end(module, place.block()).jump(behind);
        if let Some(&first) = behind.instructions().first() {
            let returned = Builder::before(module, first).load(own_type, again);
            place.replace_all_uses(returned);
        }
        let target = self.function.append_block(module, "handler");
        let builder = Builder::at_end(module, target).copy_position(position);
        for &variable in &handler.inner {
            insert_mark(module, &builder, "end", variable);
        }
        builder.store(builder.load(own_type, outer), self.last);
        builder.store(own_type.constant(1), again);
        builder.jump(behind);
        target
    }
}

/// A variable of a function, with its first content.
pub(super) fn variable(module: &Module, function: Value, content: Value) -> Value {
    let builder = Builder::before(module, function.body()[0]);
    let variable = builder.variable(content.value_type_of());
    builder.store(content, variable);
    variable
}
