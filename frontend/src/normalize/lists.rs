//! Calls that print the values of a `va_list` become calls that are given the values, which are taken from the list one by one. That needs
//! a constant format, which most programs pass through functions of their own: these are inlined here.

use abi::functions::Effect;
use inkwell::values::InstructionOpcode;
use program::model::DataModel;
use rustc_hash::FxHashSet;

use super::library_calls;
use super::lifetime_marks::lifetime_mark;
use super::share;
use crate::format::{Conversion, ConversionKind, Number, conversions, integer_width};
use crate::llvm::{Builder, Module, ModuleError, Type, Value};

/// A format is passed through at most so many functions.
const MOST_FUNCTIONS: usize = 8;

/// So many instructions may be added by inlining.
const MOST_ADDED: usize = 100_000;

/// Rewrites the calls whose format is or becomes known; of the others, those with conversions stay and are not read.
pub(super) fn expand(module: &Module) -> Result<(), ModuleError> {
    let mut added = 0;
    for _ in 0..MOST_FUNCTIONS {
        let mut unknown = FxHashSet::default();
        for (call, position) in calls(module) {
            match call.operand(position).and_then(constant_text) {
                Some(format) => give_values(module, call, position, format),
                None => {
                    unknown.insert(call.block().function());
                }
            }
        }
        unknown.retain(|function| function.name() != "main");
        // In the order of the module.
        let mut functions = module.functions();
        functions.retain(|function| {
            unknown.contains(function) && {
                let more = function.users().len() * function.body().len();
                let fits = added + more <= MOST_ADDED;
                added += if fits { more } else { 0 };
                fits
            }
        });
        if functions.is_empty() {
            break;
        }
        for function in functions {
            function.add_attribute(module, "alwaysinline", 0);
        }
        share::keep_accesses(module);
        module.run_passes("always-inline")?;
        share::restore_volatile(module);
    }
    Ok(())
}

/// The calls with a list whose format has conversions or is not known, and the positions of their formats.
fn calls(module: &Module) -> Vec<(Value, u32)> {
    let has_list = |(call, effect): (Value, Effect)| {
        let (Effect::PrintList { format } | Effect::PrintTextList { format }) = effect else {
            return None;
        };
        let known = call.operand(format)?.global_string();
        let is_plain = known
            .and_then(|text| conversions(module.data_model(), &text))
            .is_some_and(|all| all.is_empty());
        (!is_plain && call.argument_count() == format + 2).then_some((call, format))
    };
    let all = library_calls::of_library(module).into_iter();
    all.filter_map(has_list).collect()
}

/// The constant text that a pointer leads to, also if it is a parameter of an inlined function, which is stored once and loaded.
fn constant_text(pointer: Value) -> Option<Value> {
    let mut text = pointer;
    for _ in 0..MOST_FUNCTIONS {
        if text.global_string().is_some() {
            return Some(text);
        }
        text = only_content(text.accessed_pointer().filter(|_| is_load(text))?)?;
    }
    None
}

/// What a local variable holds if it is stored to once and its address is used for nothing but that and loads.
fn only_content(variable: Value) -> Option<Value> {
    if !variable.is_local_variable() {
        return None;
    }
    let mut content = None;
    for user in variable.users() {
        let is_store = user.opcode() == Some(InstructionOpcode::Store);
        if is_store && user.operand(0) != Some(variable) && content.is_none() {
            content = user.operand(0);
        } else if !is_load(user) && lifetime_mark(user).is_none() {
            return None;
        }
    }
    content
}

fn is_load(value: Value) -> bool {
    value.opcode() == Some(InstructionOpcode::Load)
}

/// What is taken from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Int,
    Long,
    Pointer,
    Real,
}

/// Replaces a call by one with the values that the format asks for, if all of them can be taken.
fn give_values(module: &Module, call: Value, position: u32, format: Value) {
    let conversions = format
        .global_string()
        .and_then(|text| conversions(module.data_model(), &text));
    let Some(kinds) = conversions.and_then(|conversions| kinds(module.data_model(), &conversions))
    else {
        return;
    };
    let arguments = call.arguments();
    let own = &arguments[..position as usize];
    let list = arguments[position as usize + 1];
    let called = call.callee().name().replacen('v', "", 1);
    let types: Vec<Type> = own
        .iter()
        .chain([&format])
        .map(|value| value.value_type_of())
        .collect();
    let printer = Type::variadic_function(call.value_type_of(), &types);
    let callee = module
        .function(&called)
        .unwrap_or_else(|| module.declare_as(&called, printer));
    let builder = Builder::before(module, call).copy_position(call);
    let list = match module.data_model() {
        // There a list is the address of the next value, and a function gets a list of its own.
        DataModel::Ilp32 => {
            let first = call.block().function().body()[0];
            let copy = Builder::before(module, first).variable(module.pointer_type());
            builder.store(list, copy);
            copy
        }
        DataModel::Lp64 => list,
    };
    let mut passed = own.to_vec();
    passed.push(format);
    for kind in kinds {
        let (name, value_type) = match kind {
            Kind::Int => ("__mazurka_next_int", module.int_type(32)),
            Kind::Long => ("__mazurka_next_long", module.int_type(64)),
            Kind::Pointer => ("__mazurka_next_pointer", module.pointer_type()),
            Kind::Real => ("__mazurka_next_real", module.double_type()),
        };
        passed.push(builder.call_named(module, name, value_type, &[list]));
    }
    let printed = builder.call_as(printer, callee, &passed);
    call.replace_all_uses(printed);
    call.erase();
}

/// What the arguments of these conversions are, in order; `None` for those that are not known.
fn kinds(data_model: DataModel, conversions: &[Conversion]) -> Option<Vec<Kind>> {
    let mut kinds = Vec::new();
    for conversion in conversions {
        for number in [conversion.width, conversion.precision] {
            if let Number::Argument(_) = number {
                kinds.push(Kind::Int);
            }
        }
        kinds.push(match (conversion.kind, conversion.letter) {
            (ConversionKind::Text(_) | ConversionKind::Count { .. }, _)
            | (_, b'p' | b's' | b'S') => Kind::Pointer,
            (_, b'c' | b'C') => Kind::Int,
            (_, b'd' | b'i' | b'o' | b'u' | b'x' | b'X') => {
                match integer_width(data_model, &conversion.length)? {
                    64 => Kind::Long,
                    _ => Kind::Int,
                }
            }
            _ if conversion.length.is_empty() || conversion.length == b"l" => Kind::Real,
            _ => return None,
        });
    }
    Some(kinds)
}
