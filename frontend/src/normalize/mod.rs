//! Normalisation: the passes that a module goes through before it is read. [`normalize`] lists them in their order.
//!
//! LLVM must not exploit data races or undefined behaviour in its passes, since the program's meaning
//! (`docs/semantics.md`) defines more than C does. So [`strip`] removes LLVM's assumptions, and [`share`] makes every
//! access to memory that may be shared volatile while LLVM's passes run.
//!
//! Most files are one pass each. The passes share the analyses of a module in these files: [`addresses`],
//! [`memory_objects`], [`pieces`], [`lifetime_marks`], [`stack_memory`], [`lock_accesses`], [`library_calls`], [`flow`]
//! and [`metadata_kinds`]. The passes insert the instructions and functions of these files: [`requirement`],
//! [`unsupported`], [`arbitrary_values`] and [`identity_calls`].

mod added;
mod addresses;
mod arbitrary_values;
mod arguments;
mod assembly;
mod blocks;
mod call_graph;
mod callbacks;
mod calloc;
mod calls;
mod cancellation;
mod cleanups;
mod comparators;
mod compared_phis;
mod comparisons;
mod convert;
mod destructors;
mod divide;
mod ends;
mod error;
mod fixed_pointers;
mod floats;
mod flow;
mod frames;
mod handlers;
mod identity_calls;
mod idle_loops;
mod jumps;
mod knowledge;
mod label_uses;
mod labels;
mod late_choices;
mod library_calls;
mod library_order;
mod lifetime_marks;
mod lifetimes;
mod lists;
mod literals;
mod lives;
mod lock_accesses;
mod meaning;
mod memory;
mod memory_objects;
mod metadata_kinds;
mod model_calls;
mod moves;
mod names;
mod nesting;
mod once;
mod output;
mod overflow;
mod pieces;
mod poison;
mod process;
mod requirement;
mod scan;
mod scopes;
mod semaphore_names;
mod share;
mod sites;
mod split;
mod stack_memory;
mod strip;
mod text;
mod undefined_content;
mod undefined_functions;
mod unroll;
mod unsupported;
mod user_properties;
mod variadic;
mod watch;

use abi::functions::{Effect, effect};
use program::model::DataModel;

use crate::llvm::{Module, Value};
use crate::options::{ReadOptions, UndefinedFunctions};

pub(crate) use error::NormalizeError;
pub(crate) use library_order::{is_ordered, is_wide};
pub(crate) use lock_accesses::{
    LockOperation, LockRole, WaitRole, is_of_library, role, uses_lock, wait_role,
};
pub(crate) use metadata_kinds::CHECKED_METADATA;
pub(crate) use model_calls::is_of_model;
pub(crate) use names::release_reserved;
pub(crate) use process::SANITIZER;
pub(crate) use strip::UNREACHABLE;
pub(crate) use undefined_functions::undefined_function;
pub(crate) use user_properties::is_of_demand;
pub(crate) use watch::{Guard, Watch, is_fresh, is_static, stores_variable_content};

/// Asks whether it is verified that locks are used as they must be.
const ARE_LOCKS_VERIFIED: &str = "__mazurka_are_locks_verified";

/// Asks whether data races are looked for.
const ARE_RACES_LOOKED_FOR: &str = "__mazurka_are_races_looked_for";
/// The same of memory that is lost at the end.
const ARE_LEAKS_LOOKED_FOR: &str = "__mazurka_are_leaks_looked_for";

/// Bitcode of the C models of a folder, compiled by the build script for each data model.
macro_rules! compiled {
    ($folder:literal) => {
        [
            (
                DataModel::Ilp32,
                include_bytes!(concat!(env!("OUT_DIR"), "/", $folder, "_ilp32.bc")),
            ),
            (
                DataModel::Lp64,
                include_bytes!(concat!(env!("OUT_DIR"), "/", $folder, "_lp64.bc")),
            ),
        ]
    };
}

/// Of `frontend/library/`.
const LIBRARY: [(DataModel, &[u8]); 2] = compiled!("library");

/// Of `frontend/library/c11/`.
const IN_PLACE: [(DataModel, &[u8]); 2] = compiled!("c11");

/// Lets a program start with a construct that is not read if code runs before `main`.
pub(crate) fn refuse_startup_code(module: &Module) {
    strip::startup_code(module);
}

/// Brings a module into the form that `read` expects: every thread is one function without calls of defined functions,
/// variables that no other thread can reach are values, every instruction has a number. A module that is normalised already must not come here:
/// what was inserted into it would count as the program's own.
pub(crate) fn normalize(
    module: &Module,
    options: &ReadOptions,
    watch: Watch,
) -> Result<(), NormalizeError> {
    module.use_debug_records(true);
    names::release_reserved(module);
    added::forget(module);
    process::surround_main(module);
    refuse_startup_code(module);
    cleanups::separate(module);
    let with_computed_jumps = labels::replace_jumps(module);
    assembly::replace_known(module);
    lifetimes::mark(module, &with_computed_jumps);
    names::declare_violations(module);
    names::release_known(module);
    user_properties::make_explicit(module);
    strip::aliases(module)?;
    fixed_pointers::replace_loads(module);
    literals::share_places(module);
    arguments::provide(module, options.looks_for_leaks);
    undefined_content::make_explicit(module);
    undefined_content::fill_shuffles(module);
    undefined_content::return_unused_results(module);
    undefined_content::pass_arbitrary_arguments(module);
    variadic::pass_in_memory(module);
    memory::copy_parameters(module);
    // What follows looks at calls of the library, also at those through pointers.
    calls::make_direct(module);
    comparators::check(module);
    put_in_place(module)?;
    cancellation::act_upon_requests(module, options.undefined);
    addresses::expand_masks(module);
    memory::expand_intrinsics(module);
    calloc::check_products(module);
    if options.checks_overflow {
        overflow::require_no_traps(module);
    }
    meaning::make_explicit(module);
    user_properties::mark_loads(module);
    lists::expand(module)?;
    scan::expand(module);
    output::expand(module);
    text::expand(module);
    once::watch_ends(module);
    handlers::declare(module);
    jumps::declare(module);
    watch::declare(module, watch);
    let destructors = destructors::declare(module);
    let functions = module.functions().into_iter();
    let own = functions
        .filter(|function| !function.is_declaration())
        .collect();
    link(module, &LIBRARY)?;
    if floats::compute(module) {
        link(module, &LIBRARY)?;
    }
    variadic::pass_in_memory(module);
    destructors::define(module, &destructors);
    watch::begin(module, watch);
    knowledge::of_functions(module);
    knowledge::tell(module, ARE_LOCKS_VERIFIED, options.verifies_locks);
    knowledge::tell(module, ARE_RACES_LOOKED_FOR, options.looks_for_races);
    knowledge::tell(module, ARE_LEAKS_LOOKED_FOR, options.looks_for_leaks);
    meaning::make_explicit(module);
    lock_accesses::mark_accesses(module);
    lock_accesses::mark_loads(module, &own);
    lock_accesses::mark_waits(module);
    library_order::mark(module, &own);
    memory::expand_intrinsics(module);
    calls::make_direct(module);
    // Jumps and handlers look at variables.
    let are_known = !jumps::are_left(module) && !handlers::are_used(module);
    if are_known {
        lives::keep_apart(module);
    }
    comparisons::hide_all(module);
    if are_known {
        share::promote_early(module)?;
    }
    share::keep_accesses(module);
    callbacks::inline(module)?;
    nesting::limit(module, options.recursion)?;
    calls::inline(module)?;
    comparisons::reveal(module);
    handlers::run_at_ends(module)?;
    jumps::lead_to_places(module)?;
    process::run_at_exit(module)?;
    ends::run_at_ends(module)?;
    lives::keep_apart(module);
    share::promote(module)?;
    if options.undefined == UndefinedFunctions::Arbitrary {
        undefined_functions::make_arbitrary(module);
    }
    // What is never executed after an answer must not make loops look longer than they are.
    let are_answered = [
        knowledge::of_addresses(module),
        semaphore_names::number(module),
    ];
    if are_answered.contains(&true) {
        share::promote(module)?;
    }
    idle_loops::remove(module)?;
    unroll::unroll_loops(module)?;
    frames::mark_ends(module);
    lives::separate(module)?;
    share::promote(module)?;
    compared_phis::compare_early(module);
    idle_loops::remove(module)?;
    comparisons::reveal(module);
    floats::reveal(module);
    split::split_accesses(module);
    late_choices::delay(module);
    share::restore_volatile(module);
    module.run_passes("globaldce")?;
    model_calls::place(module);
    sites::number(module);
    Ok(())
}

/// Links in what the module needs of models.
fn link(module: &Module, models: &[(DataModel, &[u8])]) -> Result<(), NormalizeError> {
    let own = module.data_model();
    for (_, compiled) in models.iter().filter(|(model, _)| *model == own) {
        module.link_where_needed(compiled, "library")?;
    }
    Ok(())
}

/// Replaces calls of functions that are defined in terms of others, so that what follows sees calls of those.
fn put_in_place(module: &Module) -> Result<(), NormalizeError> {
    let mut functions = module.functions();
    functions.retain(|function| {
        function.is_declaration() && effect(&function.name()) == Some(Effect::InPlace)
    });
    // A weak declaration may stand for nothing, which is refused elsewhere.
    if !functions.is_empty() && !functions.iter().any(|function| function.may_be_absent()) {
        // Functions of the program are inlined later, when regions are marked that their names make atomic.
        for function in module.functions() {
            function.remove_attributes(&["alwaysinline"]);
        }
        link(module, &IN_PLACE)?;
        module.run_passes("always-inline")?;
    }
    Ok(())
}

/// Lets writes of a normalised module look whether they hit a lock that is watched.
pub(crate) fn guard_writes(module: &Module, writes: &[(Value, Guard)]) {
    for &(access, guard) in writes {
        watch::guard(module, access, guard);
    }
    sites::number(module);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_modelled_function_is_in_the_library() {
        for (effect, models) in [(Effect::Modelled, LIBRARY), (Effect::InPlace, IN_PLACE)] {
            for (data_model, compiled) in models.iter().filter(|(_, compiled)| !compiled.is_empty())
            {
                let library =
                    Module::from_bitcode(compiled, "library").expect("the build script made it");
                assert_eq!(library.data_model(), *data_model);
                let functions = library.functions().into_iter();
                let defined = functions.filter(|function| !function.is_declaration());
                let defined: Vec<String> = defined.map(|function| function.name()).collect();
                for name in abi::functions::with_effect(effect) {
                    assert!(defined.iter().any(|known| known == name), "{name}");
                }
            }
        }
    }
}
