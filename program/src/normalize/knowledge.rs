//! What the models of the library ask about the program that they are part of.

use crate::llvm::{Module, Value};

use super::share::base;

/// `__mazurka_is_used(name)`: whether the program uses the library function of that name.
const IS_USED: &str = "__mazurka_is_used";

/// `__mazurka_is_static(address)`: whether the address is seen to be in a variable of static storage.
const IS_STATIC: &str = "__mazurka_is_static";

/// Answers which functions are used. The models that the program needs have just been linked in, and no others; a model must not use
/// the function whose name it asks for.
pub(super) fn of_functions(module: &Module) {
    answer(module, IS_USED, |name| {
        let name = name.global_string().unwrap_or_default();
        let name = name.strip_suffix(&[0]).unwrap_or(&name);
        module
            .function(name)
            .is_some_and(|function| !function.is_declaration())
    });
}

/// Answers which addresses are in static storage. That is seen of addresses that are the values of registers, so variables must have become
/// registers before.
pub(super) fn of_addresses(module: &Module) {
    answer(module, IS_STATIC, |address| {
        let variable = base(address);
        variable.is_global_variable() && variable.initializer().is_some()
    });
}

/// Puts an answer to its only argument in the place of each call.
fn answer(module: &Module, question: &str, holds: impl Fn(Value) -> bool) {
    let Some(question) = module.function(question) else {
        return;
    };
    let truth = module.int_type(1);
    for call in question.users() {
        let holds = call.operand(0).is_some_and(&holds);
        call.replace_all_uses(truth.constant(holds.into()));
        call.erase();
    }
}
