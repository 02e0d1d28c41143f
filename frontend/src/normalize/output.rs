//! Effects on memory of calls that write text: `%n` stores a number, and texts that are no literals are read.
//!
//! The calls themselves stay, for native runs, and have no effect for the reader. `%n` is removed from their formats.

use abi::functions::Effect;

use super::library_calls;
use crate::format::{Conversion, ConversionKind, Number, conversions};
use crate::llvm::{Builder, Module, Value};

/// Makes the effects on memory explicit, where they are understood.
pub(super) fn expand(module: &Module) {
    for (call, effect) in library_calls::of_library(module) {
        if let Effect::Print { format } = effect {
            print(module, call, format as usize);
        } else if effect == Effect::PutText {
            look_at(module, call, "__mazurka_read_text", 1);
        } else if effect == Effect::PutMessage {
            look_at(module, call, "__mazurka_read_message", 1);
        } else if effect == Effect::PutBlock {
            look_at(module, call, "__mazurka_read_block", 3);
        }
    }
}

/// Calls a function of the library with the first arguments of `call`, which say what is read.
fn look_at(module: &Module, call: Value, reader: &str, count: usize) {
    if let Some(arguments) = call.arguments().get(..count) {
        read(module, call, reader, arguments);
    }
}

/// Calls a function of the library that reads what the first of these arguments points to. A literal that ends needs none.
fn read(module: &Module, call: Value, reader: &str, arguments: &[Value]) {
    if arguments.len() > 1 || !arguments.iter().all(ends) {
        Builder::before(module, call)
            .copy_position(call)
            .call_named(module, reader, module.void_type(), arguments);
    }
}

fn print(module: &Module, call: Value, position: usize) {
    let arguments = call.arguments();
    let Some((format, values)) = arguments.get(position..).and_then(<[Value]>::split_first) else {
        return;
    };
    let Some(bytes) = format.global_string() else {
        return;
    };
    let Some(conversions) = understood(module, &bytes, values) else {
        return;
    };
    for conversion in &conversions {
        let precision = match conversion.kind {
            ConversionKind::Text(Number::None) => {
                let text = values[conversion.argument];
                read(module, call, "__mazurka_read_text", &[text]);
                continue;
            }
            ConversionKind::Text(Number::Constant(most)) => {
                module.int_type(32).constant(most.into())
            }
            ConversionKind::Text(Number::Argument(position)) => values[position],
            ConversionKind::Value | ConversionKind::Count { .. } => continue,
        };
        let text = values[conversion.argument];
        if !ends(&text) {
            read(module, call, "__mazurka_read_start", &[text, precision]);
        }
    }
    let Some(format) = without_counts(&bytes, &conversions) else {
        return;
    };
    call.set_operand(position as u32, module.constant_string(&format));
    for conversion in &conversions {
        if let ConversionKind::Count { width, known } = conversion.kind {
            store_count(module, call, values[conversion.argument], width, known);
        }
    }
}

/// The conversions of a format, if the arguments fit.
fn understood(module: &Module, format: &[u8], values: &[Value]) -> Option<Vec<Conversion>> {
    conversions(module.data_model(), format).filter(|conversions| {
        conversions.iter().all(|conversion| {
            let precision = match conversion.kind {
                ConversionKind::Text(Number::Argument(position)) => values.get(position).copied(),
                ConversionKind::Text(Number::None | Number::Constant(_))
                | ConversionKind::Value
                | ConversionKind::Count { .. } => None,
            };
            let is_number = |value: Value| value.value_type_of().int_width() == Some(32);
            values.get(conversion.argument).is_some_and(|value| {
                conversion.kind == ConversionKind::Value || value.value_type_of().is_pointer()
            }) && precision.is_none_or(is_number)
        })
    })
}

/// The format that does nothing with the arguments in which it stored counts; nothing if there are none.
fn without_counts(format: &[u8], conversions: &[Conversion]) -> Option<String> {
    let end = format.iter().position(|byte| *byte == 0)?;
    let mut format = format[..=end].to_vec();
    let counts = |conversion: &&Conversion| matches!(conversion.kind, ConversionKind::Count { .. });
    conversions.iter().find(counts)?;
    for conversion in conversions.iter().filter(counts).rev() {
        format.splice(conversion.bytes.clone(), *b"%.0s");
    }
    String::from_utf8(format).ok()
}

/// Stores after the call how many bytes it has written.
fn store_count(module: &Module, call: Value, target: Value, width: u32, known: Option<u64>) {
    let Some(next) = call.next() else {
        return;
    };
    let long = module.int_type(64);
    let builder = Builder::before(module, next).copy_position(call);
    let count = match known {
        Some(count) => long.constant(count),
        None => builder.call_named(module, "__mazurka_unknown_long", long, &[]),
    };
    builder.call_named(
        module,
        &format!("__mazurka_count_{width}"),
        module.void_type(),
        &[target, count],
    );
}

/// Whether a pointer leads to constant text that ends.
fn ends(text: &Value) -> bool {
    text.global_string().is_some_and(|bytes| bytes.contains(&0))
}
