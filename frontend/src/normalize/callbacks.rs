//! Functions that other functions get as arguments and call, as `pthread_once` does: the call goes to one function only where that is known.
//!
//! Else each function of its type might be called, and whatever may call itself by such a way would be followed as if it did.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::DISPATCHER;
use crate::llvm::{Builder, Module, ModuleError, Value};

/// Inlining one function may show what another one gets, and so on. Chains are short, and programs that hand functions to each other
/// without end are left as they are then.
const MOST_ROUNDS: u32 = 16;

/// Inlines the functions that call what they get where that is known, and makes those calls direct. Parameters should be values.
pub(super) fn make_direct(module: &Module) -> Result<(), ModuleError> {
    let mut inlined = FxHashSet::default();
    for _ in 0..MOST_ROUNDS {
        let is_any_known = call_known(module);
        let mut callers = callers_of_parameters(module);
        callers.retain(|&function| gets_function(function) && inlined.insert(function));
        if callers.is_empty() && !is_any_known {
            break;
        }
        for function in callers {
            function.add_attribute(module, "alwaysinline", 0);
        }
        module.run_passes("always-inline")?;
    }
    Ok(())
}

/// Whether some call gives a function to another one.
fn gets_function(function: Value) -> bool {
    function.users().into_iter().any(|call| {
        let arguments = call
            .inlined_callee()
            .map(|callee| (callee, call.arguments()));
        arguments.is_some_and(|(callee, arguments)| {
            callee == function && arguments.into_iter().any(Value::is_function)
        })
    })
}

/// The functions that call a function which they get, or hand it to one that does.
fn callers_of_parameters(module: &Module) -> Vec<Value> {
    let functions = module.functions().into_iter();
    let (dispatchers, others): (Vec<Value>, Vec<Value>) = functions
        .filter(|function| !function.is_declaration())
        .partition(|&function| is_dispatcher(function));
    let mut parameters: FxHashMap<Value, Value> = FxHashMap::default();
    for function in others {
        let own = function.parameters().into_iter();
        parameters.extend(own.map(|parameter| (parameter, function)));
    }
    let mut found = Vec::new();
    let mut pending: Vec<(Value, usize)> = dispatchers.into_iter().map(|it| (it, 0)).collect();
    let mut seen: FxHashSet<(Value, usize)> = pending.iter().copied().collect();
    while let Some((callee, index)) = pending.pop() {
        let calls = callee.users().into_iter();
        for call in calls.filter(|call| call.inlined_callee() == Some(callee)) {
            let given = call.arguments().get(index).copied();
            let Some((parameter, &function)) =
                given.and_then(|given| Some((given, parameters.get(&given)?)))
            else {
                continue;
            };
            found.push(function);
            let position = function
                .parameters()
                .iter()
                .position(|own| *own == parameter);
            let next = position.map(|position| (function, position));
            pending.extend(next.filter(|next| seen.insert(*next)));
        }
    }
    found
}

/// Makes calls of known functions by dispatchers direct; returns whether there were any.
fn call_known(module: &Module) -> bool {
    let functions = module.functions().into_iter();
    let calls = functions
        .filter(|&function| is_dispatcher(function))
        .flat_map(Value::users);
    let mut found = false;
    for call in calls.collect::<Vec<Value>>() {
        let [called, ref arguments @ ..] = call.arguments()[..] else {
            continue;
        };
        let own = call.call_type();
        let fits = called.is_function() && {
            let defined = called.value_type();
            let parameters = own.parameter_types();
            defined.result() == own.result()
                && defined.parameter_types() == parameters[1..]
                && !defined.is_variadic()
        };
        if fits {
            let builder = Builder::before(module, call).copy_position(call);
            call.replace_all_uses(builder.call(called, arguments));
            call.erase();
            found = true;
        }
    }
    found
}

fn is_dispatcher(function: Value) -> bool {
    function.name().starts_with(DISPATCHER)
}
