//! Functions that return an arbitrary value of a scalar type. Passes call them where LLVM would take `undef`, which may differ
//! from use to use.

use abi::functions::FIRST_VALUE_PREFIX;

use crate::llvm::{Module, Type, Value};

/// The function that returns an arbitrary value of a scalar type. Its attributes let unused calls vanish, and keep
/// passes from moving calls: it reads memory that nothing else can name.
pub(super) fn first_value_function(module: &Module, scalar: Type) -> Value {
    let name = format!("{FIRST_VALUE_PREFIX}{}", scalar.print().replace(' ', ""));
    if let Some(function) = module.function(&name) {
        return function;
    }
    let function = module.declare(&name, scalar, &[]);
    function.add_attribute(module, "memory", READS_INACCESSIBLE_MEMORY);
    function.add_attribute(module, "nounwind", 0);
    function.add_attribute(module, "willreturn", 0);
    function
}

/// What LLVM's attribute `memory` says by these bits.
const READS_INACCESSIBLE_MEMORY: u64 = 1 << 2;
const CHANGES_INACCESSIBLE_MEMORY: u64 = 3 << 2;

/// Lets these functions seem to change something, so that no pass moves a call out of a loop, or no longer.
pub(super) fn keep_in_place(module: &Module, keep: bool) {
    let effect = match keep {
        true => CHANGES_INACCESSIBLE_MEMORY,
        false => READS_INACCESSIBLE_MEMORY,
    };
    for function in module.functions() {
        if function.name().starts_with(FIRST_VALUE_PREFIX) {
            function.add_attribute(module, "memory", effect);
        }
    }
}
