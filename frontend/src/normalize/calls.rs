//! Calls become direct, and defined functions are inlined into the threads that run them.

use std::collections::BTreeMap;

use abi::functions::{Effect, body_is_atomic};
use inkwell::module::Linkage;
use inkwell::values::InstructionOpcode;

use super::requirement::require_of_access;
use super::unsupported::insert_unsupported;
use super::{added, library_calls};
use crate::llvm::{Builder, Module, ModuleError, Type, Value};

/// How the names of the functions begin that stand for calls through pointers.
pub(super) const DISPATCHER: &str = "mazurka.dispatch";

/// Runs the destructors of the thread; known to the module if the program has destructors.
pub(super) const RUN_DESTRUCTORS: &str = "__mazurka_run_destructors";

/// Notes that the thread has ended; known to the module if that matters.
pub(super) const END_THREAD: &str = "__mazurka_end_thread";

/// Runs what the end of the process runs; in the module if there is something to run.
pub(super) const RUN_AT_EXIT: &str = "mazurka.at_exit";

/// Wraps the bodies of functions that are atomic by their name.
pub(super) fn make_atomic(module: &Module) {
    let atomic = |function: &Value| body_is_atomic(&function.name());
    let functions: Vec<Value> = added::functions(module).filter(atomic).collect();
    if functions.is_empty() {
        return;
    }
    let (begin, end) = ("__VERIFIER_atomic_begin", "__VERIFIER_atomic_end");
    let nothing = module.void_type();
    for function in functions {
        let body = function.body();
        if let Some(first) = body.first() {
            Builder::before(module, *first)
                .copy_position(
                    body.iter()
                        .copied()
                        .find(|i| i.debug_location().is_some())
                        .unwrap_or(*first),
                )
                .call_named(module, begin, nothing, &[]);
        }
        for ret in body
            .into_iter()
            .filter(|instruction| instruction.opcode() == Some(InstructionOpcode::Return))
        {
            Builder::before(module, ret)
                .copy_position(ret)
                .call_named(module, end, nothing, &[]);
        }
    }
}

/// Replaces calls through pointers, and calls with another type than the function's, by calls of dispatch functions that
/// compare the pointer with every function of the type whose address is taken.
pub(super) fn make_direct(module: &Module) {
    let candidates = address_taken(module);
    let mut dispatchers: BTreeMap<String, Value> = BTreeMap::new();
    for call in module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .filter(|call| call.is_call())
    {
        let callee = call.callee();
        if callee.is_function() {
            adapt_type(module, call, callee);
        } else if !callee.is_inline_assembly() {
            let call_type = call.call_type();
            if call_type.is_variadic() {
                insert_unsupported(
                    module,
                    &Builder::before(module, call).copy_position(call),
                    "call of a variadic function through a pointer",
                );
                if !call_type.result().is_void() {
                    call.replace_all_uses(call_type.result().undefined());
                }
                call.erase();
                continue;
            }
            let dispatcher = *dispatchers
                .entry(call_type.print())
                .or_insert_with(|| build_dispatcher(module, call_type, &candidates));
            let arguments: Vec<Value> = [callee].into_iter().chain(call.arguments()).collect();
            let direct = Builder::before(module, call)
                .copy_position(call)
                .call(dispatcher, &arguments);
            call.replace_all_uses(direct);
            call.erase();
        }
    }
}

/// The functions that a pointer may point to.
pub(super) fn address_taken(module: &Module) -> Vec<Value> {
    let mut functions = module.functions();
    functions.retain(|function| !function.is_intrinsic() && is_address_taken(*function));
    functions
}

/// Whether the function's address is used other than to call it.
fn is_address_taken(function: Value) -> bool {
    function.users().into_iter().any(|user| {
        !user.is_call() || user.callee() != function || user.arguments().contains(&function)
    })
}

/// Rebuilds a direct call whose type is not the function's (a declaration without prototype) where the arguments fit.
fn adapt_type(module: &Module, call: Value, function: Value) {
    let (made, defined) = (call.call_type(), function.value_type());
    if made == defined || function.is_declaration() || defined.is_variadic() {
        return;
    }
    let parameters = defined.parameter_types();
    let arguments: Vec<Value> = call
        .arguments()
        .into_iter()
        .take(parameters.len())
        .collect();
    let types: Vec<Type> = arguments
        .iter()
        .map(|argument| argument.value_type_of())
        .collect();
    if types == parameters && made.result() == defined.result() {
        let direct = Builder::before(module, call)
            .copy_position(call)
            .call(function, &arguments);
        call.replace_all_uses(direct);
        call.erase();
    }
}

/// A function that takes a pointer and arguments and calls the candidate that the pointer points to.
pub(super) fn build_dispatcher(module: &Module, call_type: Type, candidates: &[Value]) -> Value {
    let parameters: Vec<Type> = [module.pointer_type()]
        .into_iter()
        .chain(call_type.parameter_types())
        .collect();
    let dispatcher = module.declare(DISPATCHER, call_type.result(), &parameters);
    dispatcher.set_linkage(Linkage::Internal);
    let arguments = dispatcher.parameters();
    let mut block = dispatcher.append_block(module, "entry");
    for candidate in candidates
        .iter()
        .filter(|candidate| candidate.value_type() == call_type)
    {
        let (hit, miss) = (
            dispatcher.append_block(module, "hit"),
            dispatcher.append_block(module, "miss"),
        );
        let builder = Builder::at_end(module, block);
        builder.branch_if(builder.equal(arguments[0], *candidate), hit, miss);
        let builder = Builder::at_end(module, hit);
        let result = builder.call(*candidate, &arguments[1..]);
        builder.return_value(if call_type.result().is_void() {
            None
        } else {
            Some(result)
        });
        block = miss;
    }
    let builder = Builder::at_end(module, block);
    let pointer = arguments[0];
    let not_null = builder.not_equal(pointer, pointer.value_type_of().null());
    require_of_access(module, &builder, not_null, "call through a null pointer");
    insert_unsupported(
        module,
        &builder,
        "call through a pointer to no function of its type",
    );
    builder.unreachable();
    dispatcher
}

/// Whether a call may start a thread.
pub(super) fn starts_threads(module: &Module) -> bool {
    let mut calls = library_calls::of_library(module).into_iter();
    calls.any(|(_, effect)| effect == Effect::ThreadCreate)
}

/// Inlines every defined function; what stays are `main`, functions whose address is taken, and what the ends of threads run.
pub(super) fn inline(module: &Module) -> Result<(), ModuleError> {
    for function in module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
    {
        function.add_attribute(module, "alwaysinline", 0);
        function.set_linkage(match is_kept(function) {
            true => Linkage::External,
            false => Linkage::Internal,
        });
    }
    module.run_passes("globaldce,always-inline,globaldce")
}

/// Whether a function is needed though nothing calls it.
pub(super) fn is_kept(function: Value) -> bool {
    ["main", RUN_DESTRUCTORS, END_THREAD, RUN_AT_EXIT].contains(&function.name().as_str())
}
