//! `--undefined arbitrary`: a function that no file defines returns any value and gives the variables that its arguments point into
//! any content. It does nothing else: calls nothing, keeps no address, ends nothing.

use std::collections::BTreeSet;

use abi::functions::effect;
use abi::markers::{ARBITRARY_METADATA, is_reserved};

use super::addresses::base;
use super::pieces::scalar_leaves;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, MetadataOperand, Module, Type, Value};

/// Begins the names of the functions that return the values; the table of functions gives them their meaning.
const RESULT_PREFIX: &str = "__VERIFIER_nondet_";

/// Larger variables are not given any content.
const MOST_SCALARS: usize = 64;

/// Functions whose meaning is known, though the table does not have them: of threads, of the compiler and of this project's conventions.
const KNOWN_PREFIXES: [&str; 13] = [
    "__VERIFIER_",
    "__atomic_",
    "__pthread_",
    "__sync_",
    "clone",
    "cnd_",
    "fork",
    "mtx_",
    "pthread_",
    "sem_",
    "setjmp",
    "thrd_",
    "tss_",
];

/// Replaces the calls of functions without definition, and notes which these are.
pub(super) fn make_arbitrary(module: &Module) {
    let calls = module.functions().into_iter().flat_map(Value::body);
    let calls: Vec<Value> = calls.filter(|value| is_undefined(*value)).collect();
    let mut names = BTreeSet::new();
    for call in calls {
        let name = call.callee().name();
        let builder = Builder::before(module, call).copy_position(call);
        match effects(module, call) {
            Ok(effects) => {
                for (pointer, offset, scalar) in effects {
                    let address = builder.byte_offset(module, pointer, offset);
                    builder.store(arbitrary(module, &builder, &name, scalar), address);
                }
                let result = call.value_type_of();
                if !result.is_void() {
                    call.replace_all_uses(arbitrary(module, &builder, &name, result));
                }
                call.erase();
                names.insert(name);
            }
            Err(what) => {
                let what = format!("call of undefined function `{name}` with {what}");
                insert_unsupported(module, &builder, &what);
            }
        }
    }
    for name in names {
        let name = MetadataOperand::Text(name.as_bytes());
        module.add_named_metadata(ARBITRARY_METADATA, &[name]);
    }
}

/// Whether this is a call of a function that nothing gives a meaning.
pub(super) fn is_undefined(value: Value) -> bool {
    let callee = value.is_call().then(|| value.called_function()).flatten();
    callee.is_some_and(|function| {
        let name = function.name();
        function.is_declaration()
            && !function.is_intrinsic()
            && effect(&name).is_none()
            && !is_reserved(name.as_bytes())
            && !KNOWN_PREFIXES.iter().any(|prefix| name.starts_with(prefix))
    })
}

/// The function without definition that gives the value of a call of a function with this name.
pub fn undefined_function(name: &str) -> Option<&str> {
    let (function, _) = name.strip_prefix(RESULT_PREFIX)?.rsplit_once('.')?;
    Some(function)
}

fn arbitrary(module: &Module, builder: &Builder, name: &str, scalar: Type) -> Value {
    let suffix = scalar.print().replace(' ', "");
    builder.call_named(
        module,
        &format!("{RESULT_PREFIX}{name}.{suffix}"),
        scalar,
        &[],
    )
}

fn is_scalar(value_type: Type) -> bool {
    value_type.is_pointer() || value_type.int_width().is_some_and(|width| width <= 64)
}

/// The variables' scalars that a call gives any content: the variable, the offset in it, and the type.
///
/// # Errors
/// What the call has that is not understood.
fn effects(module: &Module, call: Value) -> Result<Vec<(Value, u64, Type)>, &'static str> {
    let result = call.value_type_of();
    if !result.is_void() && !is_scalar(result) {
        return Err("a result that is no integer and no pointer");
    }
    let callee = call.callee();
    let is_copied =
        |index: u32| call.passed_object(index).is_some() || callee.by_value_type(index).is_some();
    let arguments = (0..).zip(call.arguments());
    let pointers = arguments
        .filter(|(index, argument)| argument.value_type_of().is_pointer() && !is_copied(*index))
        .map(|(_, argument)| argument);
    let mut found = Vec::new();
    let mut seen = Vec::new();
    for object in pointers.map(base) {
        let is_constant = object.is_global_variable() && object.is_constant_global();
        if object.is_zero() || object.is_function() || is_constant || seen.contains(&object) {
            continue;
        }
        seen.push(object);
        let content = content_type(object).ok_or("a pointer to what is not seen")?;
        let mut is_known = true;
        let all = scalar_leaves(module, content, 0, MOST_SCALARS, &mut |offset, scalar| {
            is_known &= is_scalar(scalar);
            found.push((object, offset, scalar));
        });
        if !all || !is_known {
            return Err("a pointer to a large variable, or one of floating point");
        }
    }
    Ok(found)
}

/// The type of the variable at an address.
fn content_type(object: Value) -> Option<Type> {
    if object.is_global_variable() {
        return object.initializer().map(|_| object.value_type());
    }
    let is_local = object.is_local_variable();
    (is_local && !object.is_array_allocation()).then(|| object.allocated_type())
}
