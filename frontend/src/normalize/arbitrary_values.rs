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
    const READS_INACCESSIBLE_MEMORY: u64 = 1 << 2;
    let function = module.declare(&name, scalar, &[]);
    function.add_attribute(module, "memory", READS_INACCESSIBLE_MEMORY);
    function.add_attribute(module, "nounwind", 0);
    function.add_attribute(module, "willreturn", 0);
    function
}
