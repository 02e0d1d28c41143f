//! Pointers of static storage that the program never writes, such as `char *name = "program"`, or writes in functions only that nobody
//! calls. What is read there is known, and with it the texts that are printed and the functions that are called.

use inkwell::values::InstructionOpcode;

use crate::llvm::{Module, Value};

/// Replaces the loads of such pointers.
pub(super) fn replace_loads(module: &Module) {
    for global in module.globals() {
        let content = global.initializer().filter(|content| {
            content.value_type_of().is_pointer() && !content.is_zero() && !content.is_undefined()
        });
        let Some(content) = content.filter(|_| is_fixed(global)) else {
            continue;
        };
        for load in global.users().into_iter().filter(|user| is_run(*user)) {
            load.replace_all_uses(content);
            load.erase();
        }
    }
}

/// Whether a variable is used for nothing but plain loads of all of it.
fn is_fixed(global: Value) -> bool {
    let own_type = global.value_type();
    let is_plain = |user: Value| {
        user.opcode() == Some(InstructionOpcode::Load)
            && user.value_type_of() == own_type
            && !user.is_volatile()
            && !user.is_atomic()
    };
    let users = global.users().into_iter();
    let mut uses = users.filter(|user| !user.is_instruction() || is_run(*user));
    !global.is_thread_local() && !global.may_start_otherwise() && uses.all(is_plain)
}

/// Whether an instruction may be executed: somebody may call its function.
fn is_run(instruction: Value) -> bool {
    let function = instruction.block().function();
    function.name() == "main" || !function.users().is_empty()
}
