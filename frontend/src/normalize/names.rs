//! Names of the program that have a meaning of their own for this project. The program's functions and variables with such names
//! are renamed. So nothing that is inserted or linked in later is taken for a part of the program, or the other way round.

use abi::functions::{effect, is_violation_by_name};
use abi::markers::is_reserved;
use inkwell::module::Linkage;

use crate::llvm::{Module, Value};

/// Begins the names of what is renamed. The table of functions has no such name.
const PREFIX: &[u8] = b"program.";

/// Renames what the program calls by a name that only this project uses. Nothing of the project may be in the module yet.
pub(crate) fn release_reserved(module: &Module) {
    let reserved = |value: &Value| is_reserved(&value.symbol());
    module
        .global_values()
        .into_iter()
        .filter(reserved)
        .for_each(rename);
}

/// Renames what has a name that starts with a byte 1, and says whether there was any. The assembler takes what follows that byte
/// for the name, so two names may stand for one thing.
pub(super) fn release_verbatim(module: &Module) -> bool {
    let verbatim = |value: &Value| value.symbol().starts_with(&[1]);
    let all = module.global_values().into_iter();
    let found: Vec<Value> = all.filter(verbatim).collect();
    found.iter().copied().for_each(rename);
    !found.is_empty()
}

/// Makes functions whose call violates the property declarations, whatever body the program gives them.
pub(super) fn declare_violations(module: &Module) {
    for function in module.functions() {
        if is_violation_by_name(&function.name()) && !function.is_declaration() {
            declare_instead(module, function);
        }
    }
}

/// Renames what the program defines by the name of a function that the table gives a meaning: the models of the library call
/// the function of the table, as the C library calls its own. Where a body is only a copy of a function that is defined
/// elsewhere, the table's meaning replaces it.
pub(super) fn release_known(module: &Module) {
    for value in module.global_values() {
        if effect(&value.name()).is_none() || value.is_function() && value.is_declaration() {
            continue;
        }
        if value.is_function() && value.linkage() == Linkage::AvailableExternally {
            declare_instead(module, value);
        } else {
            rename(value);
        }
    }
}

fn rename(value: Value) {
    value.set_name([PREFIX, &value.symbol()].concat());
}

/// Takes a function's body away.
fn declare_instead(module: &Module, function: Value) {
    let name = function.name();
    function.set_name("mazurka.replaced");
    let declaration = module.declare_as(&name, function.value_type());
    function.replace_all_uses(declaration);
    function.delete_function();
}
