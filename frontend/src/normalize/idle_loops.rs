//! Removal of loops that do nothing but end, such as those that let time pass between two attempts to take a lock. Else the cycle
//! would have to be cut by a place where other threads run.
//!
//! LLVM removes a loop only if it knows that the loop ends: nothing tells it that all loops do.

use abi::functions::{Effect, effect};

use crate::llvm::{Module, ModuleError, Value};

/// Decides conditions that earlier branches imply. Accesses are volatile, so that nothing is concluded from them.
const DECIDE: &str = "function(correlated-propagation,instsimplify)";

/// Moves what is the same in all rounds out of loops, and deletes loops.
const DELETE: &str =
    "function(loop-simplify,lcssa,loop-mssa(licm<no-allowspeculation>),loop(loop-deletion))";

/// Removes the loops without effect that end after a known number of rounds.
pub(super) fn remove(module: &Module) -> Result<(), ModuleError> {
    module.run_passes(DECIDE)?;
    drop_met_requirements(module);
    module.run_passes(DELETE)
}

/// Requirements that are met whatever happens would be an effect.
fn drop_met_requirements(module: &Module) {
    let calls = module.functions().into_iter().flat_map(Value::body);
    for call in calls.filter(|value| value.is_call()) {
        let callee = call.callee();
        let is_requirement =
            callee.is_function() && effect(&callee.name()) == Some(Effect::UndefinedUnless);
        if is_requirement && call.operand(0).and_then(Value::integer) == Some(1) {
            call.erase();
        }
    }
}
