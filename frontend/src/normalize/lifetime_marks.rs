//! Marks of lifetimes: calls of the intrinsics `llvm.lifetime.start` and `llvm.lifetime.end`.
//!
//! A variable without a mark of a start lives from its declaration, the `alloca`, on.

use rustc_hash::FxHashSet;

use crate::llvm::{Builder, Module, Value};

/// The variable whose lifetime starts (`true`) or ends by an instruction, if it is such a marker.
pub(super) fn lifetime_mark(instruction: Value) -> Option<(Value, bool)> {
    if !instruction.is_call() || !instruction.callee().is_intrinsic() {
        return None;
    }
    let name = instruction.callee().name();
    let kind = name.strip_prefix("llvm.lifetime.")?;
    Some((instruction.operand(1)?, kind.starts_with("start")))
}

/// The variables of a function whose lives are marked.
pub(super) fn marked_variables(function: Value) -> Vec<Value> {
    let marks = function.body().into_iter().filter_map(lifetime_mark);
    let mut seen = FxHashSet::default();
    let variables = marks.map(|(variable, _)| variable);
    variables
        .filter(|variable| variable.is_local_variable() && seen.insert(*variable))
        .collect()
}

/// The marks of starts of the variable's scope.
pub(super) fn marked_starts(variable: Value) -> Vec<Value> {
    let is_start = |user: &Value| lifetime_mark(*user).is_some_and(|(_, starts)| starts);
    variable.users().into_iter().filter(is_start).collect()
}

/// The starts of the variable's scope where they are marked, else its declaration.
pub(super) fn starts_of_life(variable: Value) -> Vec<Value> {
    let starts = marked_starts(variable);
    if starts.is_empty() {
        vec![variable]
    } else {
        starts
    }
}

/// Inserts a `start` or an `end` of the lifetime of a variable.
pub(super) fn insert_mark(module: &Module, builder: &Builder, kind: &str, variable: Value) {
    let name = format!("llvm.lifetime.{kind}.p0");
    let size = module.int_type(64);
    let function = module.function(&name).unwrap_or_else(|| {
        module.declare(&name, module.void_type(), &[size, module.pointer_type()])
    });
    builder.call(function, &[size.constant(u64::MAX), variable]);
}
