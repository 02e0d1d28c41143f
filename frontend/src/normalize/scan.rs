//! Calls of `sscanf` and `scanf` become calls of the library, one for each number and text that they store.

use abi::functions::Effect;
use program::model::DataModel;

use super::library_calls;
use crate::format::integer_width;
use crate::llvm::{Builder, Module, Value};

/// Rewrites the calls whose format is a constant string of conversions that are known; the others stay and are not read.
pub(super) fn expand(module: &Module) {
    for (call, effect) in library_calls::of_library(module) {
        let (format, is_input) = if let Effect::ScanInput { format } = effect {
            (format as usize, true)
        } else if effect == Effect::Scan {
            (1, false)
        } else {
            continue;
        };
        let arguments = call.arguments();
        let Some((&format, targets)) = arguments.get(format..).and_then(<[Value]>::split_first)
        else {
            continue;
        };
        let Some((stored, format)) = format
            .global_string()
            .and_then(|format| {
                // A number of so many digits is no input of any value.
                let has_lengths = is_input && has_lengths(&format);
                let all = conversions(module.data_model(), &format);
                all.filter(|_| !has_lengths).map(|all| (all, format))
            })
            .filter(|(stored, _)| stored.len() == targets.len())
        else {
            continue;
        };
        let text = arguments.first().filter(|_| !is_input);
        let builder = Builder::before(module, call).copy_position(call);
        let converted = scan(module, &builder, text.copied(), targets, &stored, &format);
        call.replace_all_uses(converted);
        call.erase();
    }
}

/// What a conversion stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stored {
    /// An integer of so many bits.
    Integer(u32),
    /// At most so many bytes without space, and a zero byte.
    Text(u32),
}

/// Calls of the library that store what conversions of a text, or of an input, do; returns how many do.
fn scan(
    module: &Module,
    builder: &Builder,
    text: Option<Value>,
    targets: &[Value],
    stored: &[Stored],
    format: &[u8],
) -> Value {
    let int = module.int_type(32);
    let most = int.constant(stored.len() as u64);
    let (converted, store) = match text {
        Some(text) => {
            let scan = "__mazurka_scan";
            (builder.call_named(module, scan, int, &[text, most]), scan)
        }
        None => {
            let scan = "__mazurka_scan_input";
            let least = int.constant(u64::from(starts_with_any(format)));
            let converted = builder.call_named(module, scan, int, &[most, least]);
            (converted, "__mazurka_input")
        }
    };
    for ((position, target), stored) in (0..).zip(targets).zip(stored) {
        let mut arguments = vec![converted, int.constant(position), *target];
        let name = match stored {
            Stored::Integer(width) => format!("{store}_{width}"),
            Stored::Text(most) => {
                arguments.push(int.constant(u64::from(*most)));
                format!("{store}_text")
            }
        };
        builder.call_named(module, &name, module.void_type(), &arguments);
    }
    converted
}

/// Whether a format has a number of at most so many digits.
fn has_lengths(format: &[u8]) -> bool {
    let mut directives = format.split(|byte| *byte == b'%').skip(1);
    directives.any(|directive| {
        let rest = directive.iter().position(|byte| !byte.is_ascii_digit());
        rest.is_some_and(|rest| rest > 0 && directive[rest] != b's')
    })
}

/// Whether a format starts with a conversion that only the end of the input keeps from storing something.
fn starts_with_any(format: &[u8]) -> bool {
    let conversion = format.trim_ascii_start().strip_prefix(b"%");
    let mut rest = conversion.unwrap_or_default().iter();
    let first = rest.find(|byte| !byte.is_ascii_digit());
    matches!(first, Some(b's' | b'c'))
}

/// What a format of `scanf` stores, in order; nothing if it stores something else.
fn conversions(data_model: DataModel, format: &[u8]) -> Option<Vec<Stored>> {
    let mut all = Vec::new();
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
        let mut length = String::new();
        while let Some(digit) = rest.next_if(u8::is_ascii_digit) {
            length.push(digit.into());
        }
        let mut modifier = Vec::new();
        while let Some(letter) = rest.next_if(|letter| b"hljzt".contains(letter)) {
            modifier.push(letter);
        }
        let stored = match (rest.next()?, &modifier[..]) {
            (b'c', b"") if length.is_empty() => Stored::Integer(8),
            (b's', b"") => match length.parse() {
                Ok(0) => return None,
                Ok(most) => Stored::Text(most),
                Err(_) if ignored => continue,
                Err(_) => return None,
            },
            (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', modifier) => {
                Stored::Integer(integer_width(data_model, modifier)?)
            }
            _ => return None,
        };
        if !ignored {
            all.push(stored);
        }
    }
    Some(all)
}

#[cfg(test)]
mod tests {
    use program::model::DataModel;

    use super::Stored::{Integer, Text};
    use super::conversions;

    #[test]
    fn a_format_tells_what_is_stored() {
        assert_eq!(
            conversions(DataModel::Lp64, b"%d\0"),
            Some(vec![Integer(32)])
        );
        assert_eq!(
            conversions(DataModel::Lp64, b" %hhd,%3hu%% %*d %lx %zu%c"),
            Some([8, 16, 64, 64, 8].map(Integer).to_vec())
        );
        assert_eq!(
            conversions(DataModel::Ilp32, b"%9s%*s%*3s %lx"),
            Some(vec![Text(9), Integer(32)])
        );
        assert_eq!(conversions(DataModel::Lp64, b"none"), Some(Vec::new()));
    }

    #[test]
    fn other_conversions_are_left_alone() {
        for format in [
            "%s",
            "%0s",
            "%9ls",
            "%99999999999s",
            "%d %f",
            "%n",
            "%[a-z]",
            "%4c",
            "%",
            "%hhhd",
            "%Lf",
            "%p",
        ] {
            assert_eq!(
                conversions(DataModel::Lp64, format.as_bytes()),
                None,
                "{format}"
            );
        }
    }
}
