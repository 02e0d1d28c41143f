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
        let Some(format) = format
            .global_string()
            .and_then(|format| Format::parse(module.data_model(), &format))
            .filter(|format| format.stored.len() == targets.len())
            // A number of so many digits is no input of any value.
            .filter(|format| !(is_input && format.limits_numbers))
        else {
            continue;
        };
        let text = arguments.first().filter(|_| !is_input);
        let builder = Builder::before(module, call).copy_position(call);
        let converted = scan(module, &builder, text.copied(), targets, &format);
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
    format: &Format,
) -> Value {
    let int = module.int_type(32);
    let most = int.constant(format.stored.len() as u64);
    let (converted, store) = match text {
        Some(text) => {
            let scan = "__mazurka_scan";
            (builder.call_named(module, scan, int, &[text, most]), scan)
        }
        None => {
            let scan = "__mazurka_scan_input";
            let least = int.constant(u64::from(format.takes_any_first));
            let converted = builder.call_named(module, scan, int, &[most, least]);
            (converted, "__mazurka_input")
        }
    };
    for ((position, target), stored) in (0..).zip(targets).zip(&format.stored) {
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

/// What a format of `scanf` says.
#[derive(Debug, PartialEq, Eq)]
struct Format {
    /// What it stores, in order.
    stored: Vec<Stored>,
    /// Whether a number that it stores has at most so many digits.
    limits_numbers: bool,
    /// Whether only the end of the input keeps the first conversion from storing something, and nothing stands before that but space.
    takes_any_first: bool,
}

impl Format {
    /// Reads a format; nothing if it stores something that is not known.
    fn parse(data_model: DataModel, format: &[u8]) -> Option<Self> {
        let (mut stored, mut limits_numbers, mut takes_any_first) = (Vec::new(), false, false);
        let mut is_first = true;
        let mut rest = format
            .iter()
            .copied()
            .take_while(|byte| *byte != 0)
            .peekable();
        while let Some(byte) = rest.next() {
            if byte != b'%' || rest.next_if_eq(&b'%').is_some() {
                is_first &= byte.is_ascii_whitespace();
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
            let conversion = rest.next()?;
            let next = match (conversion, &modifier[..]) {
                (b'c', b"") if length.is_empty() => Stored::Integer(8),
                (b's', b"") => match length.parse() {
                    Ok(0) => return None,
                    Ok(most) => Stored::Text(most),
                    Err(_) if ignored => {
                        is_first = false;
                        continue;
                    }
                    Err(_) => return None,
                },
                (b'd' | b'i' | b'o' | b'u' | b'x' | b'X', modifier) => {
                    limits_numbers |= !ignored && !length.is_empty();
                    Stored::Integer(integer_width(data_model, modifier)?)
                }
                _ => return None,
            };
            if !ignored {
                takes_any_first |= is_first && matches!(conversion, b's' | b'c');
                stored.push(next);
            }
            is_first = false;
        }
        Some(Self {
            stored,
            limits_numbers,
            takes_any_first,
        })
    }
}

#[cfg(test)]
mod tests {
    use program::model::DataModel;

    use super::Format;
    use super::Stored::{self, Integer, Text};

    fn parse(format: &[u8]) -> Option<Format> {
        Format::parse(DataModel::Lp64, format)
    }

    fn stored(format: &[u8]) -> Option<Vec<Stored>> {
        parse(format).map(|format| format.stored)
    }

    #[test]
    fn a_format_tells_what_is_stored() {
        assert_eq!(stored(b"%d\0"), Some(vec![Integer(32)]));
        assert_eq!(
            stored(b" %hhd,%3hu%% %*d %lx %zu%c"),
            Some([8, 16, 64, 64, 8].map(Integer).to_vec())
        );
        let of_32_bits = Format::parse(DataModel::Ilp32, b"%9s%*s%*3s %lx");
        assert_eq!(
            of_32_bits.map(|format| format.stored),
            Some(vec![Text(9), Integer(32)])
        );
        assert_eq!(stored(b"none"), Some(Vec::new()));
    }

    #[test]
    fn a_format_tells_whether_numbers_are_limited() {
        let limits = |format: &[u8]| parse(format).is_some_and(|format| format.limits_numbers);
        assert!(limits(b"%1d"));
        assert!(limits(b"%9s %2lx"));
        for format in ["%d", "%9s", "%*3d %d", "%%3d"] {
            assert!(!limits(format.as_bytes()), "{format}");
        }
    }

    #[test]
    fn a_format_tells_whether_its_first_conversion_may_fail() {
        let takes_any = |format: &[u8]| parse(format).is_some_and(|format| format.takes_any_first);
        for format in ["%9s", " \n%c%d"] {
            assert!(takes_any(format.as_bytes()), "{format}");
        }
        for format in ["%d%c", "x%c", "%%%c", "%*d%c", "%*s%c", "%*c%c"] {
            assert!(!takes_any(format.as_bytes()), "{format}");
        }
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
            assert_eq!(parse(format.as_bytes()), None, "{format}");
        }
    }
}
