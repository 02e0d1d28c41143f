//! Clean-up handlers (`pthread_cleanup_push`) in programs that cancel no thread. A handler then runs where it is popped, as the
//! macros of the C library say, and control never jumps back to where it was pushed.

use super::library_calls::ends_of_threads;
use crate::llvm::{Builder, Module, Value};

/// What the macros call to push a handler.
const REGISTER: &str = "__pthread_register_cancel";

/// What they ask before that: 0 unless the thread ends by cancellation or `pthread_exit`.
const IS_ENDING: &str = "__sigsetjmp";

/// Leaves out what happens to handlers where a thread ends, which the library refuses.
pub(super) fn leave_to_pop(module: &Module) {
    if module.function(REGISTER).is_none() {
        return;
    }
    let asks = module
        .function(IS_ENDING)
        .filter(|asks| asks.is_declaration());
    let users = asks.map(Value::users).unwrap_or_default().into_iter();
    for call in users.filter(|user| user.is_call() && Some(user.callee()) == asks) {
        call.replace_all_uses(call.value_type_of().constant(0));
        call.erase();
    }
    for end in ends_of_threads(module) {
        Builder::before(module, end).copy_position(end).call_named(
            module,
            "__mazurka_thread_exits",
            module.void_type(),
            &[],
        );
    }
}
