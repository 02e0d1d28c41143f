//! Removal of loops that do nothing but end, such as those that let time pass between two attempts to take a lock. Else the cycle
//! would have to be cut by a place where other threads run.
//!
//! LLVM removes a loop only if it knows that the loop ends: nothing tells it that all loops do.

use abi::functions::{Effect, effect};

use super::{arbitrary_values, share};
use crate::llvm::{Module, ModuleError, Value};

/// Decides conditions that earlier branches imply.
const DECIDE: &str = "function(correlated-propagation,instsimplify)";

/// Moves what is the same in all rounds out of loops, and deletes loops.
const DELETE: &str =
    "function(loop-simplify,lcssa,loop-mssa(licm<no-allowspeculation>),loop(loop-deletion))";

/// Removes the loops without effect that end after a known number of rounds. All accesses are volatile afterwards.
pub(super) fn remove(module: &Module) -> Result<(), ModuleError> {
    share::keep_accesses(module);
    module.run_passes(DECIDE)?;
    drop_met_requirements(module);
    // A variable without initialiser has another value in each round.
    arbitrary_values::keep_in_place(module, true);
    module.run_passes(DELETE)?;
    arbitrary_values::keep_in_place(module, false);
    Ok(())
}

/// Requirements that are met whatever happens would be an effect.
fn drop_met_requirements(module: &Module) {
    let calls = module.functions().into_iter().flat_map(Value::body);
    for call in calls.filter(|value| value.is_call()) {
        let callee = call.callee();
        let is_requirement = callee.is_function()
            && matches!(
                effect(&callee.name()),
                Some(
                    Effect::UndefinedUnless
                        | Effect::InvalidAccessUnless
                        | Effect::OverflowUnless
                        | Effect::LockMisuseUnless
                        | Effect::DeadlockUnless
                )
            );
        if is_requirement && call.operand(0).and_then(Value::integer) == Some(1) {
            call.erase();
        }
    }
}
