//! Code that runs before `main`, and when the process ends: functions with the attributes `constructor` and `destructor`, and those that
//! `atexit` registers.

use abi::functions::Effect;
use inkwell::module::Linkage;
use inkwell::values::InstructionOpcode;

use super::calls::{self, RUN_AT_EXIT};
use super::error::NormalizeError;
use super::library_calls::{ends_of_threads, of_library};
use super::nesting;
use super::requirement::require;
use super::strip::{promise_nothing, refuse_main};
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};

/// What registers a function for the end of the process, and what runs those that are registered.
const REGISTER: &str = "atexit";
const RUN_REGISTERED: &str = "__mazurka_run_exit_handlers";

/// Says that the end of the process begins.
const BEGIN_EXIT: &str = "__mazurka_begin_exit";

/// The lists of the functions before and behind `main`.
const CONSTRUCTORS: &str = "llvm.global_ctors";
const DESTRUCTORS: &str = "llvm.global_dtors";

/// What clang lets the functions of its check for data races begin with, also where it checks nothing.
pub(crate) const SANITIZER: &str = "tsan.module_ctor";

/// Lets `main` call what runs before it, and defines what the end of the process runs. Lists of another form stay as they are.
pub(super) fn surround_main(module: &Module) {
    let registers = module
        .function(REGISTER)
        .is_some_and(|register| register.is_declaration());
    let (before, behind) = (list(module, CONSTRUCTORS), list(module, DESTRUCTORS));
    let main = module
        .function("main")
        .filter(|main| !main.is_declaration());
    let (Some(before), Some(behind), Some(main)) = (before, behind, main) else {
        return;
    };
    for name in [CONSTRUCTORS, DESTRUCTORS] {
        module
            .global(name)
            .into_iter()
            .for_each(Value::delete_global);
    }
    if before.is_empty() && behind.is_empty() && !registers {
        return;
    }
    if main.value_type().is_variadic() {
        refuse_main(
            module,
            "variadic `main` in a program with code before or behind it",
        );
        return;
    }
    wrap(module, main, &before);
    if !behind.is_empty() || registers {
        define_end(module, registers, &behind);
    }
}

/// The functions of a list in the order in which they run before `main`, but the sanitizer's; `None` if there are others than functions without parameters.
fn list(module: &Module, name: &str) -> Option<Vec<Value>> {
    let Some(list) = module.global(name).and_then(Value::initializer) else {
        return Some(Vec::new());
    };
    let entries = (0..).map_while(|index| list.element(index));
    let mut entries: Vec<(u128, Value)> = entries.map(entry).collect::<Option<_>>()?;
    entries.retain(|(_, function)| function.name() != SANITIZER);
    entries.sort_by_key(|(priority, _)| *priority);
    Some(entries.into_iter().map(|(_, function)| function).collect())
}

/// The priority and the function of an entry.
fn entry(entry: Value) -> Option<(u128, Value)> {
    let [priority, function, data] = [0, 1, 2].map(|index| entry.element(index));
    let function = function.filter(|function| {
        function.is_function()
            && !function.is_declaration()
            && function.parameters().is_empty()
            && !function.value_type().is_variadic()
    });
    data.filter(|data| data.is_zero())?;
    Some((priority?.integer()?, function?))
}

/// Puts a function in the place of `main`, which it calls behind these functions. The program itself calls `main` as before.
fn wrap(module: &Module, main: Value, before: &[Value]) {
    main.set_name("mazurka.main");
    let wrapper = module.declare_as("main", main.value_type());
    promise_nothing(module, wrapper);
    let body = main.body();
    let is_placed = |instruction: &&Value| instruction.debug_location().is_some();
    let mut builder = Builder::at_end(module, wrapper.append_block(module, "entry"));
    if let Some(first) = body.iter().find(is_placed) {
        builder = builder.copy_position(*first);
    }
    for function in before {
        builder.call(*function, &[]);
    }
    let result = builder.call(main, &wrapper.parameters());
    if let Some(last) = body.iter().rev().find(is_placed) {
        builder = builder.copy_position(*last);
    }
    builder.return_value(Some(result).filter(|result| !result.value_type_of().is_void()));
    main.set_linkage(Linkage::Internal);
}

/// Defines what the end of the process runs: first what was registered, then these functions in reverse order.
fn define_end(module: &Module, registers: bool, behind: &[Value]) {
    let nothing = module.void_type();
    let run = module.declare(RUN_AT_EXIT, nothing, &[]);
    let builder = Builder::at_end(module, run.append_block(module, "entry"));
    builder.call_named(module, BEGIN_EXIT, nothing, &[]);
    if registers {
        builder.call_named(module, RUN_REGISTERED, nothing, &[]);
    }
    for function in behind.iter().rev() {
        builder.call(*function, &[]);
    }
    builder.return_value(None);
}

/// Lets the ends of the process run what they run, when all calls are inlined.
pub(super) fn run_at_exit(module: &Module) -> Result<(), NormalizeError> {
    let Some(run) = module.function(RUN_AT_EXIT) else {
        return Ok(());
    };
    let function_of = |call: Value| call.block().function();
    let builder = |place| Builder::before(module, place).copy_position(place);
    for (call, _) in of_library(module)
        .into_iter()
        .filter(|(_, effect)| *effect == Effect::Exit)
    {
        if function_of(call) == run {
            let never = module.int_type(1).constant(0);
            require(
                module,
                &builder(call),
                never,
                "end of the process for the second time",
            );
        } else {
            builder(call).call(run, &[]);
        }
    }
    for end in ends_of_threads(module) {
        if function_of(end) == run || function_of(end).name() == "main" {
            insert_unsupported(
                module,
                &builder(end),
                "end of the main thread by `pthread_exit` in a program with functions for the end of the process",
            );
        }
    }
    let body = module.function("main").map_or_else(Vec::new, Value::body);
    for end in body {
        if end.opcode() == Some(InstructionOpcode::Return) {
            builder(end).call(run, &[]);
        }
    }
    // By another name it goes when it is inlined.
    run.set_name("mazurka.run_at_exit");
    nesting::limit(module, 1)?;
    calls::inline(module)?;
    Ok(())
}
