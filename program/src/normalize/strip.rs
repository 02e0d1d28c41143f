//! Taking away what LLVM may assume beyond the program's meaning.

use abi::functions::{Effect, effect};
use abi::markers::UNDEFINED_UNLESS;
use llvm_sys::LLVMOpcode;

use crate::llvm::{Builder, Module, Value};

/// Remembers which accesses the program declares volatile, while `share` uses the flag for its own purpose.
pub(super) const VOLATILE_METADATA: &str = "mazurka.volatile";

/// Attributes of functions, parameters and results that promise something, or that forbid inlining and optimisation.
const PROMISES: &[&str] = &[
    "allocalign",
    "allocptr",
    "allocsize",
    "allockind",
    "cold",
    "dead_on_unwind",
    "dereferenceable",
    "dereferenceable_or_null",
    "hot",
    "initializes",
    "inlinehint",
    "memory",
    "minsize",
    "mustprogress",
    "noalias",
    "nocapture",
    "nocallback",
    "nofree",
    "nofpclass",
    "noinline",
    "nonnull",
    "norecurse",
    "nosync",
    "noundef",
    "optdebug",
    "optnone",
    "optsize",
    "range",
    "readnone",
    "readonly",
    "returned",
    "speculatable",
    "willreturn",
    "writable",
    "writeonly",
];

/// Sections whose content runs before or after `main`; in those that end in `_array`, and the like, are addresses of functions.
const STARTUP_SECTIONS: [&str; 7] = [
    ".init",
    ".fini",
    ".init_array",
    ".fini_array",
    ".preinit_array",
    ".ctors",
    ".dtors",
];

/// Lets `main` start with a construct that is not read where code outside of the functions may run or change what they mean:
/// assembly of the whole file, what is put into sections that the loader runs, and functions that choose others when it links.
pub(super) fn refuse_startup_code(module: &Module) {
    if module.has_assembly() {
        refuse_main(module, "assembly outside of functions");
    }
    if module.has_resolvers() {
        refuse_main(module, "function that is chosen when the program is loaded");
    }
    let is_startup = |value: &Value| {
        let section = value.section();
        // Numbers behind a dot are priorities.
        let starts = |name: &str| {
            let rest = section.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        STARTUP_SECTIONS.iter().any(|name| starts(name))
    };
    let all = [module.functions(), module.globals()].concat();
    if all.iter().any(is_startup) {
        refuse_main(module, "constructor or destructor function");
    }
}

/// Removes lists that keep functions alive or run them before `main`; running them is not supported.
pub(super) fn lists_of_globals(module: &Module) {
    for global in module.globals() {
        match global.name().as_str() {
            "llvm.used" | "llvm.compiler.used" | "llvm.global.annotations" => {
                global.delete_global()
            }
            "llvm.global_ctors" | "llvm.global_dtors" => {
                let not_empty = global
                    .initializer()
                    .is_some_and(|list| list.element(0).is_some());
                global.delete_global();
                if not_empty {
                    refuse_main(module, "constructor or destructor function");
                }
            }
            _ => {}
        }
    }
}

/// Makes `main` start with a construct that is not read.
fn refuse_main(module: &Module, what: &str) {
    let first = module
        .function("main")
        .and_then(|main| main.body().into_iter().next());
    if let Some(first) = first {
        super::calls::insert_unsupported(module, &Builder::before(module, first), what);
    }
}

/// Strips promises from all functions, calls and instructions.
pub(super) fn assumptions(module: &Module) {
    let volatile = module.metadata_kind(VOLATILE_METADATA);
    for function in module
        .functions()
        .into_iter()
        .filter(|function| !function.is_intrinsic())
    {
        function.remove_attributes(PROMISES);
        if function.is_declaration() {
            continue;
        }
        function.add_attribute(module, "null_pointer_is_valid", 0);
        function.add_string_attribute(module, "no-builtins");
        for instruction in function.body() {
            instruction.clear_poison_flags();
            make_total(module, instruction);
            let keeps_loop = instruction.forbids_unrolling(module);
            instruction.remove_other_metadata();
            if keeps_loop {
                instruction.forbid_unrolling(module);
            }
            if instruction.is_call() {
                instruction.remove_attributes(PROMISES);
            }
            if instruction.is_memory_access() && instruction.is_volatile() {
                instruction.set_metadata_number(module, volatile, 1);
            }
        }
    }
}

/// Gives counting the zeros of 0 and the absolute value of the least number the results they have at any width: their
/// last argument, if 1, lets LLVM exclude them.
fn make_total(module: &Module, instruction: Value) {
    if !instruction.is_call() || !instruction.callee().is_intrinsic() {
        return;
    }
    let name = instruction.callee().name();
    if ["llvm.cttz.", "llvm.ctlz.", "llvm.abs."]
        .iter()
        .any(|total| name.starts_with(total))
    {
        instruction.set_operand(1, module.int_type(1).constant(0));
    }
}

/// Turns `unreachable` and `llvm.assume` into calls of a marker, so that no pass draws conclusions from them.
pub(super) fn make_undefined_behaviour_explicit(module: &Module) {
    let require = |builder: Builder, condition| {
        builder.call_named(module, UNDEFINED_UNLESS, module.void_type(), &[condition]);
    };
    for instruction in module.functions().into_iter().flat_map(Value::body) {
        if is_assumption(instruction) {
            if let Some(condition) = instruction.operand(0) {
                require(
                    Builder::before(module, instruction).copy_position(instruction),
                    condition,
                );
            }
            instruction.erase();
        } else if instruction.opcode() == Some(LLVMOpcode::LLVMUnreachable)
            && !follows_an_end(instruction)
        {
            let never = module.int_type(1).constant(0);
            require(
                Builder::before(module, instruction).copy_position(instruction),
                never,
            );
        }
    }
}

fn is_assumption(instruction: Value) -> bool {
    instruction.is_call()
        && instruction.callee().is_function()
        && instruction.callee().name() == "llvm.assume"
}

/// Whether the instruction comes right after a call that does not return by what it means.
fn follows_an_end(instruction: Value) -> bool {
    let Some(previous) = instruction.previous().filter(|previous| previous.is_call()) else {
        return false;
    };
    let callee = previous.callee();
    callee.is_function()
        && callee.is_declaration()
        && matches!(
            effect(&callee.name()),
            Some(
                Effect::Halt
                    | Effect::Error
                    | Effect::ThreadExit
                    | Effect::RecursionLimit
                    | Effect::Unsupported
            )
        )
}
