//! Declarations that are reached again while the variable lives on, by a `goto` back: C gives it a new, arbitrary content there. Clang marks no
//! lives behind a label in the same block.

use rustc_hash::FxHashSet;

use crate::llvm::{Builder, Module, Value};
use crate::normalize::flow::Flow;
use crate::normalize::lifetime_marks::{insert_mark, marked_starts};
use crate::normalize::stack_memory::{first_behind_variables, taken};

/// Starts another life at each declaration that is reached again in the same one.
pub(super) fn at_declarations(module: &Module, function: Value) {
    let flow = Flow::of(function);
    let taken = taken(function);
    for call in function.body() {
        if !call.is_debug_intrinsic() || !flow.comes_again(&[call]) {
            continue;
        }
        let described = call.described_variable();
        let variables = described.map(|(values, _)| values).unwrap_or_default();
        let is_static = |value: &Value| value.is_local_variable() && !taken.contains(value);
        for variable in variables.into_iter().filter(is_static) {
            let starts = marked_starts(variable);
            let stops: FxHashSet<Value> = starts.iter().copied().chain([call]).collect();
            if !flow.last_before(call, &stops).0.contains(&call) {
                continue;
            }
            let first = first_behind_variables(function).filter(|_| starts.is_empty());
            for place in first.into_iter().chain([call]) {
                let builder = Builder::before(module, place).copy_position(place);
                insert_mark(module, &builder, "start", variable);
            }
        }
    }
}
