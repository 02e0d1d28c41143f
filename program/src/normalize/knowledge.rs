//! What the models of the library ask about the program that they are part of.

use llvm_sys::LLVMOpcode;
use rustc_hash::FxHashMap;

use super::memory::constant_offset;
use super::share::{base, starts_of_life};
use crate::llvm::{Builder, Module, Value};

/// `__mazurka_is_used(name)`: whether the program uses the library function of that name.
const IS_USED: &str = "__mazurka_is_used";

/// `__mazurka_is_written(address)`: whether what the memory holds is known to be no leftover.
const IS_WRITTEN: &str = "__mazurka_is_written";

/// Answers which functions are used. The models that the program needs have just been linked in, and no others; a model must not use
/// the function whose name it asks for.
pub(super) fn of_functions(module: &Module) {
    answer(module, IS_USED, |call| {
        let name = call.operand(0).and_then(Value::global_string);
        let name = name.unwrap_or_default();
        let name = name.strip_suffix(&[0]).unwrap_or(&name);
        let function = module.function(name);
        let used = function.is_some_and(|function| !function.is_declaration());
        module.int_type(1).constant(used.into())
    });
}

/// Answers which memory was written. Static storage is from the start. Of a local or a heap object it is known where the thread has asked
/// before, since the object came to life: who asks is about to write. That is seen of addresses that are the values of registers, so
/// variables must have become registers before; the answers that are not constant will become registers, too.
pub(super) fn of_addresses(module: &Module) {
    let mut asked = FxHashMap::default();
    answer(module, IS_WRITTEN, |call| {
        let address = call.operand(0);
        let is_static = |address| {
            let variable = base(address);
            variable.is_global_variable() && variable.initializer().is_some()
        };
        let truth = |holds: bool| module.int_type(1).constant(holds.into());
        if address.is_some_and(is_static) {
            return truth(true);
        }
        let place = address.and_then(|address| constant_offset(module, address));
        let Some((object, offset)) = place.filter(|&(object, _)| comes_to_life(object)) else {
            return truth(false);
        };
        let asked = *asked
            .entry((object, offset))
            .or_insert_with(|| note(module, object));
        let builder = Builder::before(module, call);
        let answer = builder.load(module.int_type(1), asked);
        builder.store(truth(true), asked);
        answer
    });
}

/// Whether it is seen where an object of this address comes to life: a local, or what a call returns.
fn comes_to_life(object: Value) -> bool {
    object.opcode() == Some(LLVMOpcode::LLVMAlloca) || object.is_call()
}

/// A variable of the thread that is false wherever the object comes to life.
fn note(module: &Module, object: Value) -> Value {
    let never = module.int_type(1).constant(0);
    let first = object.block().function().body()[0];
    let builder = Builder::before(module, first);
    let note = builder.variable(module.int_type(1));
    builder.store(never, note);
    let starts = match object.is_call() {
        true => vec![object],
        false => starts_of_life(object),
    };
    for next in starts.into_iter().filter_map(Value::next) {
        Builder::before(module, next).store(never, note);
    }
    note
}

/// Puts an answer in the place of each call that asks.
fn answer(module: &Module, question: &str, mut answer: impl FnMut(Value) -> Value) {
    let Some(question) = module.function(question) else {
        return;
    };
    for call in question.users() {
        let answer = answer(call);
        call.replace_all_uses(answer);
        call.erase();
    }
}
