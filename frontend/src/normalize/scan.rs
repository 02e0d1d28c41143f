//! Calls of `sscanf` that read integers become calls of the library, one for each number.

use abi::functions::Effect;
use program::model::DataModel;

use super::library_calls;
use crate::format::integer_width;
use crate::llvm::{Builder, Module, Value};

/// Rewrites the calls whose format is a constant string of integer conversions; the others stay and are not read.
pub(super) fn expand(module: &Module) {
    for (call, effect) in library_calls::of_library(module) {
        if effect != Effect::Scan {
            continue;
        }
        let arguments = call.arguments();
        let [text, format, targets @ ..] = &arguments[..] else {
            continue;
        };
        let Some(widths) = format
            .global_string()
            .and_then(|format| conversions(module.data_model(), &format))
            .filter(|widths| widths.len() == targets.len())
        else {
            continue;
        };
        let builder = Builder::before(module, call).copy_position(call);
        let converted = scan(module, &builder, *text, targets, &widths);
        call.replace_all_uses(converted);
        call.erase();
    }
}

/// Calls of the library that do what `sscanf` does with integers of these widths; returns how many are read.
fn scan(
    module: &Module,
    builder: &Builder,
    text: Value,
    targets: &[Value],
    widths: &[u32],
) -> Value {
    let int = module.int_type(32);
    let most = int.constant(widths.len() as u64);
    let converted = builder.call_named(module, "__mazurka_scan", int, &[text, most]);
    for ((position, target), width) in (0..).zip(targets).zip(widths) {
        builder.call_named(
            module,
            &format!("__mazurka_scan_{width}"),
            module.void_type(),
            &[converted, int.constant(position), *target],
        );
    }
    converted
}

/// The widths in bits of the integers that a format of `scanf` stores, in order; nothing if it stores something else.
fn conversions(data_model: DataModel, format: &[u8]) -> Option<Vec<u32>> {
    let mut widths = Vec::new();
    let mut rest = format
        .iter()
        .copied()
        .take_while(|byte| *byte != 0)
        .peekable();
    while let Some(byte) = rest.next() {
        if byte != b'%' || rest.next_if_eq(&b'%').is_some() {
            continue;
        }
        let ignored = rest.next_if_eq(&b'*').is_some();
        let mut has_length = false;
        while rest.next_if(u8::is_ascii_digit).is_some() {
            has_length = true;
        }
        let mut modifier = Vec::new();
        while let Some(letter) = rest.next_if(|letter| b"hljzt".contains(letter)) {
            modifier.push(letter);
        }
        let width = match (rest.next()?, &modifier[..]) {
            (b'c', b"") if !has_length => 8,
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', modifier) => {
                integer_width(data_model, modifier)?
            }
            _ => return None,
        };
        if !ignored {
            widths.push(width);
        }
    }
    Some(widths)
}

#[cfg(test)]
mod tests {
    use program::model::DataModel;

    use super::conversions;

    #[test]
    fn a_format_tells_the_widths_of_the_integers() {
        assert_eq!(conversions(DataModel::Lp64, b"%d\0"), Some(vec![32]));
        assert_eq!(
            conversions(DataModel::Lp64, b" %hhd,%3hu%% %*d %lx %zu%c"),
            Some(vec![8, 16, 64, 64, 8])
        );
        assert_eq!(conversions(DataModel::Lp64, b"none"), Some(Vec::new()));
    }

    #[test]
    fn other_conversions_are_left_alone() {
        for format in [
            "%s", "%d %f", "%n", "%[a-z]", "%4c", "%", "%hhhd", "%Lf", "%p",
        ] {
            assert_eq!(
                conversions(DataModel::Lp64, format.as_bytes()),
                None,
                "{format}"
            );
        }
    }
}
