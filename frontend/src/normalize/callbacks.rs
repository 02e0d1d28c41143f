//! Functions that other functions get as arguments and call, as `pthread_once` does: the call goes to one function only where that is known.
//!
//! Else each function of its type might be called, and whatever may call itself by such a way would be followed as if it did.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::DISPATCHER;
use crate::llvm::{Module, ModuleError, Value};

/// Inlining one call may show what another one is given, and so on. Chains are short, and programs that hand functions to each other
/// without end are left as they are then.
const MOST_ROUNDS: u32 = 16;

/// The attribute of calls that LLVM has been asked to inline.
const INLINED: &str = "alwaysinline";

/// Inlines the calls that give a function to one which calls it; LLVM then leaves of a dispatcher the call of that function. Parameters
/// should be values.
pub(super) fn inline(module: &Module) -> Result<(), ModuleError> {
    for _ in 0..MOST_ROUNDS {
        let calls = calls_with_functions(module);
        if calls.is_empty() {
            break;
        }
        for call in calls {
            call.add_attribute(module, INLINED, 0);
        }
        module.run_passes("always-inline")?;
    }
    Ok(())
}

/// The calls that are still to be inlined: those of a dispatcher with a function, or of what may hand that on to a dispatcher.
fn calls_with_functions(module: &Module) -> Vec<Value> {
    let mut functions = module.functions();
    functions.retain(|function| !function.is_declaration());
    let mut parameters: FxHashMap<Value, (Value, usize)> = FxHashMap::default();
    for &function in &functions {
        let own = function.parameters().into_iter().zip(0..);
        parameters.extend(own.map(|(parameter, index)| (parameter, (function, index))));
    }
    let dispatchers = functions.into_iter();
    let dispatchers = dispatchers.filter(|function| function.name().starts_with(DISPATCHER));
    let mut pending: Vec<(Value, usize)> = dispatchers.map(|dispatcher| (dispatcher, 0)).collect();
    let mut seen: FxHashSet<(Value, usize)> = pending.iter().copied().collect();
    let mut found = Vec::new();
    while let Some((callee, index)) = pending.pop() {
        let calls = callee.users().into_iter();
        for call in calls.filter(|call| call.inlined_callee() == Some(callee)) {
            match call.arguments().get(index) {
                Some(given) if given.is_function() => {
                    found.extend((!call.call_has_attribute(INLINED)).then_some(call));
                }
                Some(given) => {
                    let next = parameters.get(given).copied();
                    pending.extend(next.filter(|next| seen.insert(*next)));
                }
                None => {}
            }
        }
    }
    found
}
