//! Calls of `calloc` whose product of count and size may not fit into a `size_t`. They become calls of a library function, which
//! fails if the product does not fit.

use abi::functions::Effect;
use program::model::DataModel;

use super::library_calls;
use crate::llvm::{Module, Value};

/// `__mazurka_calloc(count, size)`: as `calloc`, whatever the product.
const CALLOC: &str = "__mazurka_calloc";

/// Lets the library allocate where the product of the arguments is not seen to fit.
pub(super) fn check_products(module: &Module) {
    for (call, effect) in library_calls::of_library(module) {
        if effect != Effect::AllocateZeroed {
            continue;
        }
        let arguments = call.arguments();
        if let [count, size] = arguments[..]
            && !fits(module.data_model(), count, size)
        {
            let checking = module.function(CALLOC).unwrap_or_else(|| {
                let types = [count.value_type_of(), size.value_type_of()];
                module.declare(CALLOC, call.value_type_of(), &types)
            });
            call.set_callee(checking);
        }
    }
}

fn fits(data_model: DataModel, count: Value, size: Value) -> bool {
    match (count.integer(), size.integer()) {
        (Some(count), Some(size)) => {
            let product = count.checked_mul(size);
            product.is_some_and(|product| product <= data_model.mask().into())
        }
        (Some(one), None) | (None, Some(one)) => one <= 1,
        (None, None) => false,
    }
}
