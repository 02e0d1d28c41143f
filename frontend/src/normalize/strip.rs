//! Removal of the assumptions that LLVM may make beyond the program's meaning, and of code that runs before or after
//! `main`.

use abi::functions::{Effect, effect};
use inkwell::module::Linkage;
use inkwell::values::InstructionOpcode;

use super::added;
use super::metadata_kinds::VOLATILE_METADATA;
use super::requirement::require;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, ModuleError, Value};

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

/// Begins of names that what is linked with a program, and the loader, look for in the program: they call such functions
/// before or after `main`, and change such variables.
const STARTUP_PREFIXES: [&str; 6] = [
    "_ITM_",
    "__cxa_",
    "__gmon_start__",
    "__libc_",
    "__tunable_",
    "_dl_",
];

/// As [`STARTUP_PREFIXES`], whole names. The loader allocates memory by the functions of the program, if it has some.
const STARTUP_NAMES: [&str; 13] = [
    "_Jv_RegisterClasses",
    "__deregister_frame_info",
    "__environ",
    "__progname",
    "__progname_full",
    "__register_frame_info",
    "_fini",
    "_init",
    "_start",
    "calloc",
    "free",
    "malloc",
    "realloc",
];

/// Lets `main` start with a construct that is not read where code outside of the functions may run or change what they mean, and
/// removes that code where LLVM can: a module on which this was done before gets no more such constructs, unless code was added.
pub(super) fn startup_code(module: &Module) {
    if module.remove_assembly() {
        refuse_main(module, "assembly outside of functions");
    }
    if module.has_resolvers() {
        refuse_main(module, "function that is chosen when the program is loaded");
    }
    let lists = remove_lists(module);
    let sections = leave_sections(module);
    if lists || sections {
        refuse_main(module, "constructor or destructor function");
    }
    if hide_startup_names(module) {
        refuse_main(
            module,
            "definition that the C library uses before or after `main`",
        );
    }
    if super::names::release_verbatim(module) {
        refuse_main(module, "name that starts with a byte 1");
    }
}

/// Hides definitions from what looks for their names when the program starts; says whether there were any.
fn hide_startup_names(module: &Module) -> bool {
    let is_startup = |value: &Value| {
        let name = value.name();
        // A copy of a definition that is elsewhere is not visible.
        let is_copy = value.linkage() == Linkage::AvailableExternally;
        let is_hidden = value.is_declaration() || value.is_local() || is_copy;
        let is_known = STARTUP_NAMES.contains(&name.as_str())
            || STARTUP_PREFIXES
                .iter()
                .any(|prefix| name.starts_with(prefix));
        !is_hidden && is_known
    };
    let all = module.global_values().into_iter();
    let visible: Vec<Value> = all.filter(is_startup).collect();
    for value in &visible {
        value.set_linkage(Linkage::Internal);
    }
    !visible.is_empty()
}

/// Takes functions and variables out of the sections that the loader runs; says whether there were any.
fn leave_sections(module: &Module) -> bool {
    let all = [module.functions(), module.globals()].concat();
    let is_startup = |value: &Value| {
        let section = value.section();
        STARTUP_SECTIONS.iter().any(|name| {
            // A number behind a dot is a priority.
            let rest = section.strip_prefix(name);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let inside: Vec<Value> = all.into_iter().filter(is_startup).collect();
    inside.iter().for_each(|value| value.leave_section());
    !inside.is_empty()
}

/// Removes lists that keep functions alive or run them before or after `main`; says whether something would run.
fn remove_lists(module: &Module) -> bool {
    let mut runs = false;
    for global in module.globals() {
        match global.name().as_str() {
            "llvm.used" | "llvm.compiler.used" | "llvm.global.annotations" => {
                global.delete_global()
            }
            "llvm.global_ctors" | "llvm.global_dtors" => {
                let list = global.initializer();
                runs |= list.is_some_and(|list| list.element(0).is_some());
                global.delete_global();
            }
            _ => {}
        }
    }
    runs
}

/// Makes `main` start with a construct that is not read.
pub(super) fn refuse_main(module: &Module, what: &str) {
    if let Some(main) = module.function("main") {
        refuse(module, main, what);
    }
}

/// Makes a function start with a construct that is not read.
pub(super) fn refuse(module: &Module, function: Value, what: &str) {
    let body = function.body();
    if let Some(&first) = body.first() {
        let mut body = body.into_iter();
        let placed = body.find(|instruction| instruction.debug_location().is_some());
        let builder = Builder::before(module, first).copy_position(placed.unwrap_or(first));
        insert_unsupported(module, &builder, what);
    }
}

/// Puts what aliases stand for in their place: other definitions and calls are then found by one name.
pub(super) fn aliases(module: &Module) -> Result<(), ModuleError> {
    let aliases = module.aliases();
    if aliases.is_empty() {
        return Ok(());
    }
    for alias in aliases {
        alias.replace_all_uses(alias.aliasee());
        alias.set_linkage(Linkage::Internal);
    }
    module.run_passes("globaldce")
}

/// Strips promises from all functions, calls and instructions.
pub(super) fn assumptions(module: &Module) {
    let volatile = module.metadata_kind(VOLATILE_METADATA);
    let own = module.functions().into_iter();
    for function in own.filter(|function| !function.is_intrinsic()) {
        function.remove_attributes(PROMISES);
    }
    for function in added::functions(module) {
        promise_nothing(module, function);
        for instruction in function.body() {
            if let Some(symbol) = weak_address(instruction) {
                instruction.replace_all_uses(symbol);
                instruction.erase();
                continue;
            }
            instruction.clear_poison_flags();
            clear_flags_of_constants(instruction);
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

/// Lets LLVM assume nothing of what a function does with pointers, and of functions that it calls.
pub(super) fn promise_nothing(module: &Module, function: Value) {
    function.add_attribute(module, "null_pointer_is_valid", 0);
    function.add_string_attribute(module, "no-builtins");
}

/// Forgets the same of the constant expressions among the operands.
fn clear_flags_of_constants(instruction: Value) {
    for index in 0..instruction.operand_count() {
        let Some(operand) = instruction.operand(index) else {
            continue;
        };
        let plain = operand.without_promises();
        if plain != operand {
            instruction.set_operand(index, plain);
        }
    }
}

/// The thread-local symbol whose address a call returns, if the symbol need not be defined. LLVM assumes that the
/// result of the call is not null.
fn weak_address(call: Value) -> Option<Value> {
    let is_address = call.is_call() && call.callee().name().starts_with("llvm.threadlocal.address");
    let symbol = call.operand(0).filter(|_| is_address)?;
    symbol.may_be_absent().then_some(symbol)
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

/// What happens where `unreachable` is executed.
pub(crate) const UNREACHABLE: &str = "unreachable code is reached";

/// Turns `unreachable` and `llvm.assume` into calls of a marker, so that no pass draws conclusions from them.
pub(super) fn make_undefined_behaviour_explicit(module: &Module) {
    for instruction in added::functions(module).flat_map(Value::body) {
        let builder = || Builder::before(module, instruction).copy_position(instruction);
        if is_assumption(instruction) {
            if let Some(condition) = instruction.operand(0) {
                require(module, &builder(), condition, "false assumption");
            }
            instruction.erase();
        } else if instruction.opcode() == Some(InstructionOpcode::Unreachable)
            && !follows_an_end(instruction)
        {
            let never = module.int_type(1).constant(0);
            require(module, &builder(), never, UNREACHABLE);
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
                    | Effect::Exit
                    | Effect::Error
                    | Effect::ThreadExit
                    | Effect::RecursionLimit
                    | Effect::Unsupported
            )
        )
}
