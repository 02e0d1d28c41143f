//! Variadic functions: the arguments without a parameter are passed in memory, to which one more parameter points. A `va_list` of the
//! x86-64 ABI knows such memory beside the registers; here it has that alone.

use rustc_hash::FxHashMap;

use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// Each argument starts at a multiple of so many bytes, or of the second number if it says so.
const SLOT: u64 = 8;
const LONG: u64 = 16;

/// The first fields of a `va_list` are offsets into the area of registers: what they are when no register is left.
const INTEGERS_READ: u64 = 48;
const FLOATS_READ: u64 = 176;
/// Where the `va_list` says where the next argument in memory is, and where registers were stored.
const NEXT_IN_MEMORY: u64 = 8;
const REGISTERS: u64 = 16;
/// How many bytes it has.
const LIST: u64 = 24;

/// Gives the variadic functions of the module another type, with one more parameter, and passes it in their calls. Others keep theirs, and
/// are not read: `main`, those with addresses of labels, and those of other machines.
pub(super) fn pass_in_memory(module: &Module) {
    let triple = module.triple();
    if !triple.starts_with("x86_64") || triple.contains("windows") {
        return;
    }
    let is_variadic = |function: &Value| {
        !function.is_declaration()
            && function.value_type().is_variadic()
            && function.name() != "main"
            && !function.has_block_address()
    };
    let functions: Vec<Value> = module.functions().into_iter().filter(is_variadic).collect();
    if functions.is_empty() {
        return;
    }
    let mut retyped = FxHashMap::default();
    for function in functions {
        let old = function.value_type();
        let mut parameters = old.parameter_types();
        parameters.push(module.pointer_type());
        let new = function.retyped(module, Type::function(old.result(), &parameters));
        retyped.insert(new, old);
    }
    let bodies = module.functions().into_iter();
    for call in Vec::from_iter(bodies.flat_map(Value::body).filter(|value| value.is_call())) {
        let callee = call.callee();
        match retyped.get(&callee) {
            Some(&called) if call.call_type() == called => pass(module, call, callee),
            Some(_) => refuse(module, call, "call of a variadic function as one that is not"),
            None => expand_intrinsic(module, call, &retyped),
        }
    }
}

/// Replaces a call by one that stores the further arguments first.
fn pass(module: &Module, call: Value, function: Value) {
    let arguments = call.arguments();
    let named = call.call_type().parameter_types().len();
    let mut length = 0_u64;
    let mut places = Vec::new();
    for (index, argument) in (0..).zip(&arguments).skip(named) {
        let object = call.passed_object(index);
        let alignment = u64::from(call.argument_alignment(index));
        let layout = match object {
            Some(object) => object.size(module).map(|size| (size, alignment)),
            None => layout(module, argument.value_type_of()),
        };
        let Some((size, alignment)) = layout.filter(|(_, alignment)| *alignment <= LONG) else {
            refuse(module, call, "variadic call with an argument of this type");
            return;
        };
        let start = match alignment > SLOT {
            true => length.next_multiple_of(LONG),
            false => length,
        };
        length = start + size.next_multiple_of(SLOT);
        places.push((*argument, object, start));
    }
    let entry = call.block().function().body();
    let first = *entry.first().unwrap_or(&call);
    let memory = Builder::before(module, first)
        .variable(module.int_type(8).array(length))
        .with_alignment(LONG as u32);
    let builder = Builder::before(module, call).copy_position(call);
    for (argument, object, start) in places {
        let place = builder.byte_offset(module, memory, start);
        match object.and_then(|object| object.size(module)) {
            Some(size) => {
                builder.copy_memory(place, argument, module.int_type(64).constant(size));
            }
            // A null pointer that is written as 0: the register that it is passed in is 0 as a whole.
            None if argument.is_zero() && argument.value_type_of().int_width().is_some() => {
                builder.store(module.int_type(64).constant(0), place);
            }
            None => {
                builder.store(argument, place);
            }
        }
    }
    let mut passed = arguments[..named].to_vec();
    passed.push(memory);
    let result = builder.call(function, &passed);
    call.replace_all_uses(result);
    call.erase();
}

/// The size and alignment in bytes of an argument that is a value; `None` for those that compilers of C do not pass.
fn layout(module: &Module, value_type: Type) -> Option<(u64, u64)> {
    let is_passed = match (value_type.parts(), value_type.int_width()) {
        (TypeParts::Struct(_) | TypeParts::Array(..), _) => false,
        (_, Some(width)) => width <= 64 || width == 128,
        (_, None) => true,
    };
    let size = value_type.size(module).filter(|_| is_passed)?;
    Some((size, size))
}

/// Lets the path of a call end there.
fn refuse(module: &Module, call: Value, what: &str) {
    let builder = Builder::before(module, call).copy_position(call);
    insert_unsupported(module, &builder, what);
    let result = call.value_type_of();
    if !result.is_void() {
        call.replace_all_uses(result.undefined());
    }
    call.erase();
}

/// Replaces what starts, copies and ends a `va_list`. In variadic functions that keep their type, it starts as it did.
fn expand_intrinsic(module: &Module, call: Value, retyped: &FxHashMap<Value, Type>) {
    let callee = call.callee();
    if !callee.is_intrinsic() {
        return;
    }
    let name = callee.name();
    let arguments = call.arguments();
    let builder = Builder::before(module, call).copy_position(call);
    match (&name[..name.rfind(".p").unwrap_or(name.len())], &arguments[..]) {
        ("llvm.va_start", [list]) => {
            let function = call.block().function();
            let Some(memory) = function
                .parameters()
                .pop()
                .filter(|_| retyped.contains_key(&function))
            else {
                return;
            };
            let int = module.int_type(32);
            for (value, start) in [
                (int.constant(INTEGERS_READ), 0),
                (int.constant(FLOATS_READ), 4),
                (memory, NEXT_IN_MEMORY),
                (module.pointer_type().null(), REGISTERS),
            ] {
                builder.store(value, builder.byte_offset(module, *list, start));
            }
        }
        ("llvm.va_copy", [to, from]) => {
            builder.copy_memory(*to, *from, module.int_type(64).constant(LIST));
        }
        ("llvm.va_end", _) => {}
        _ => return,
    }
    call.erase();
}
