//! What a thread runs when it ends, by a return from its start routine or by a call.
//!
//! When all calls are inlined, the functions that are left are those that threads start with. Such a function is wrapped: the wrapper
//! calls it, so that its variables are dead behind the call, and runs destructors then, and what notes the end.

use inkwell::module::Linkage;
use inkwell::values::InstructionOpcode;

use super::blocks::cut;
use super::calls::{self, END_THREAD, RUN_DESTRUCTORS};
use super::error::NormalizeError;
use super::library_calls::ends_in;
use super::lifetime_marks::{insert_mark, marked_variables};
use super::requirement::require;
use super::{nesting, strip};
use crate::llvm::{Builder, Module, Type, Value};

/// Stand for the addresses of two variables that a wrapper shares with what it calls: whether that ended by a call that ends the
/// thread, and the argument of this call.
const HAS_EXITED: &str = "mazurka.has_exited";
const RESULT: &str = "mazurka.result";

/// What threads run at their ends, in this order, by the names that it goes by when it is inlined.
const AT_END: [(&str, &str); 2] = [
    (RUN_DESTRUCTORS, "mazurka.run_destructors"),
    (END_THREAD, "mazurka.end_thread"),
];

/// Lets the ends of threads run what the module has of that.
pub(super) fn run_at_ends(module: &Module) -> Result<(), NormalizeError> {
    let runs = AT_END.iter().filter_map(|&(name, _)| module.function(name));
    let runs: Vec<Value> = runs.collect();
    if runs.is_empty() {
        return Ok(());
    }
    for end in runs.iter().flat_map(|&run| ends_in(run)) {
        let builder = Builder::before(module, end).copy_position(end);
        let never = module.int_type(1).constant(0);
        require(module, &builder, never, "end of a thread in a destructor");
    }
    let is_start = |function: &Value| !function.is_declaration() && !runs.contains(function);
    for function in module.functions().into_iter().filter(is_start) {
        let ends = ends_in(function);
        let is_main = function.name() == "main";
        let is_called = is_main && !function.users().is_empty();
        if is_called || function.value_type().is_variadic() {
            // It is not known how a thread ends that starts with it.
            strip::refuse(
                module,
                function,
                "such a start routine where something runs at the ends of threads",
            );
        } else if !is_main || !ends.is_empty() {
            ends.iter().for_each(|&end| leave(module, end));
            wrap(module, function, &runs, is_main, !ends.is_empty());
        }
    }
    for (name, inlined) in AT_END {
        let run = module.function(name).into_iter();
        run.for_each(|run| run.set_name(inlined));
    }
    nesting::limit(module, 1)?;
    calls::inline(module)?;
    share_variable(module, HAS_EXITED, module.int_type(1));
    share_variable(module, RESULT, module.pointer_type());
    Ok(())
}

/// Returns to the wrapper instead of ending the thread. All variables of the function end.
fn leave(module: &Module, end: Value) {
    let Some(result) = end.operand(0) else { return };
    let builder = Builder::before(module, end).copy_position(end);
    builder.store(
        module.int_type(1).constant(1),
        placeholder(module, &builder, HAS_EXITED),
    );
    builder.store(result, placeholder(module, &builder, RESULT));
    for variable in marked_variables(end.block().function()) {
        insert_mark(module, &builder, "end", variable);
    }
    let block = cut(module, end);
    let result = block.function().value_type().result();
    let result = (!result.is_void()).then(|| result.undefined());
    Builder::at_end(module, block).return_value(result);
}

/// Puts a function in the place of another one, which it calls, and runs what is to run behind the call. The return of `main` ends the
/// process, and nothing runs then.
fn wrap(module: &Module, function: Value, runs: &[Value], is_main: bool, has_exits: bool) {
    let wrapper = module.declare_as("mazurka.thread", function.value_type());
    function.replace_all_uses(wrapper);
    let (name, linkage) = (function.symbol(), function.linkage());
    function.set_name("mazurka.body");
    wrapper.set_name(name);
    wrapper.set_linkage(linkage);
    function.set_linkage(Linkage::Internal);
    strip::promise_nothing(module, wrapper);
    let position = end(function);
    let append = |name| {
        let builder = Builder::at_end(module, wrapper.append_block(module, name));
        match position {
            Some(position) => builder.copy_position(position),
            None => builder,
        }
    };
    let mut builder = append("entry");
    if has_exits {
        let first_contents = [
            (HAS_EXITED, module.int_type(1)),
            (RESULT, module.pointer_type()),
        ];
        for (name, content) in first_contents {
            builder.store(content.null(), placeholder(module, &builder, name));
        }
    }
    let call = builder.call(function, &wrapper.parameters());
    if has_exits {
        let has_exited = placeholder(module, &builder, HAS_EXITED);
        let has_exited = builder.load(module.int_type(1), has_exited);
        let exits = append("exits");
        for &run in runs {
            exits.call(run, &[]);
        }
        let result = placeholder(module, &exits, RESULT);
        let result = exits.load(module.pointer_type(), result);
        exits.call_named(module, "pthread_exit", module.void_type(), &[result]);
        exits.unreachable();
        let returns = append("returns");
        builder.branch_if(has_exited, exits.block(), returns.block());
        builder = returns;
    }
    if !is_main {
        for &run in runs {
            builder.call(run, &[]);
        }
    }
    builder.return_value(Some(call).filter(|call| !call.value_type_of().is_void()));
}

/// An instruction with the source position of the end of a function.
fn end(function: Value) -> Option<Value> {
    let body = function.body().into_iter().rev();
    let mut placed = body.filter(|instruction| instruction.debug_location().is_some());
    placed.find(|instruction| instruction.opcode() == Some(InstructionOpcode::Return))
}

/// The address of a variable that [`share_variable`] makes when the function is inlined.
fn placeholder(module: &Module, builder: &Builder, name: &str) -> Value {
    builder.call_named(module, name, module.pointer_type(), &[])
}

/// Gives each function with placeholders of this name one variable for all.
fn share_variable(module: &Module, name: &str, content: Type) {
    let Some(placeholder) = module.function(name) else {
        return;
    };
    for function in module.functions() {
        let Some(first) = function.body().first().copied() else {
            continue;
        };
        let mut calls = placeholder.users();
        calls.retain(|call| call.block().function() == function);
        if calls.is_empty() {
            continue;
        }
        let variable = Builder::before(module, first).variable(content);
        for call in calls {
            call.replace_all_uses(variable);
            call.erase();
        }
    }
    placeholder.delete_function();
}
