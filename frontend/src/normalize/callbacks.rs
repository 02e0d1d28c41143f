//! Functions that other functions get as arguments and call, as `pthread_once` does: the call goes to one function only where that is known.
//!
//! Else each function of its type might be called, and whatever may call itself by such a way would be followed as if it did.

use rustc_hash::{FxHashMap, FxHashSet};

use super::call_graph::CallGraph;
use super::calls::DISPATCHER;
use crate::llvm::{Module, ModuleError, Value};

/// Inlining one call may show what another one is given, and so on. Chains are short, and programs that hand functions to each other
/// without end are left as they are then.
const MOST_ROUNDS: u32 = 16;

/// The attribute of calls that LLVM has been asked to inline.
const INLINED: &str = "alwaysinline";

/// A program may grow by so many instructions: where functions that are handed on are called in many ways, inlining has to know how
/// deep calls are followed.
const MOST_GROWTH: u64 = 4_000;

/// Inlines the calls that give a function to one which calls it; LLVM then leaves of a dispatcher the call of that function. Parameters
/// should be values. Functions that call themselves by other ways than pointers are left.
pub(super) fn inline(module: &Module) -> Result<(), ModuleError> {
    let size = |functions: &[Value]| functions.iter().map(|f| f.body().len() as u64).sum::<u64>();
    let most = size(&module.functions()) + MOST_GROWTH;
    for _ in 0..MOST_ROUNDS {
        let mut functions = module.functions();
        functions.retain(|&function| !function.is_declaration() && !is_dispatcher(function));
        let graph = CallGraph::among(&functions);
        let recursive = graph.functions(&graph.recursive()).into_iter();
        let recursive: FxHashSet<Value> = recursive.collect();
        let mut calls = calls_with_functions(module);
        calls.retain(|call| !recursive.contains(&call.callee()));
        if calls.is_empty() || size_behind(&functions, &calls) > most {
            break;
        }
        for call in calls {
            call.add_attribute(module, INLINED, 0);
        }
        module.run_passes("always-inline")?;
    }
    Ok(())
}

/// How many instructions some functions have when these calls are inlined, none of which leads back to its function.
fn size_behind(functions: &[Value], calls: &[Value]) -> u64 {
    let mut inlined: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for call in calls {
        let callees = inlined.entry(call.block().function()).or_default();
        callees.push(call.callee());
    }
    let mut sizes = FxHashMap::default();
    let sizes = functions
        .iter()
        .map(|&function| size_of(function, &inlined, &mut sizes));
    sizes.fold(0, u64::saturating_add)
}

/// That of one function, where it is known which functions are inlined into which.
fn size_of(
    function: Value,
    inlined: &FxHashMap<Value, Vec<Value>>,
    sizes: &mut FxHashMap<Value, u64>,
) -> u64 {
    if let Some(&size) = sizes.get(&function) {
        return size;
    }
    let own = match is_dispatcher(function) {
        // One call is left.
        true => 1,
        false => function.body().len() as u64,
    };
    let callees = inlined.get(&function).into_iter().flatten();
    let size = callees.fold(own, |size, &callee| {
        size.saturating_add(size_of(callee, inlined, sizes))
    });
    sizes.insert(function, size);
    size
}

fn is_dispatcher(function: Value) -> bool {
    function.name().starts_with(DISPATCHER)
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
    let dispatchers = dispatchers.filter(|&function| is_dispatcher(function));
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
