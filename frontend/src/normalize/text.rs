//! Calls of `snprintf` and its relatives become calls of the library, one for each part of the format.

use abi::functions::Effect;

use super::library_calls;
use crate::format::{Conversion, ConversionKind, Number, Piece, integer_width, pieces};
use crate::llvm::{Builder, Module, Value};

/// Flags of the library's functions, by their characters in a format.
const FLAGS: [(u8, u64); 5] = [(b'-', 1), (b'+', 2), (b' ', 4), (b'#', 8), (b'0', 16)];

/// The number is signed.
const SIGNED: u64 = 32;

/// Digits and prefixes are capital letters.
const CAPITAL: u64 = 64;

/// Rewrites the calls with a constant format that is understood; the others stay and are not read.
pub(super) fn expand(module: &Module) {
    for (call, effect) in library_calls::of_library(module) {
        let (format, has_values) = if let Effect::PrintText { format } = effect {
            (format as usize, true)
        } else if let Effect::PrintTextList { format } = effect {
            (format as usize, false)
        } else {
            continue;
        };
        let arguments = call.arguments();
        let Some((text, values)) = arguments.get(format..).and_then(<[Value]>::split_first) else {
            continue;
        };
        let values = if has_values { values } else { &[] };
        let Some(pieces) = text
            .global_string()
            .and_then(|bytes| pieces(module.data_model(), &bytes))
        else {
            continue;
        };
        let writer = Writer {
            module,
            builder: Builder::before(module, call).copy_position(call),
            buffer: arguments[0],
            size: match format {
                2 => arguments[1],
                _ => module.size_type().constant(module.data_model().mask()),
            },
            is_bounded: format == 2,
            format: *text,
            values,
        };
        let is_result = call.value_type_of().int_width() == Some(32);
        if is_result && writer.takes_arguments() && writer.understands(&pieces) {
            let written = writer.write(&pieces);
            call.replace_all_uses(written);
            call.erase();
        }
    }
}

/// What writes the text of one call.
struct Writer<'a> {
    module: &'a Module,
    builder: Builder,
    buffer: Value,
    size: Value,
    is_bounded: bool,
    format: Value,
    values: &'a [Value],
}

impl Writer<'_> {
    fn takes_arguments(&self) -> bool {
        self.buffer.value_type_of().is_pointer()
            && self.size.value_type_of() == self.module.size_type()
    }

    /// Whether the arguments fit. How long a text is of which nothing is known is not known either, so its buffer must have a size.
    fn understands(&self, pieces: &[Piece]) -> bool {
        pieces.iter().all(|piece| match piece {
            Piece::Literal(_) => true,
            Piece::Message => self.is_bounded,
            Piece::Conversion(conversion) => {
                let value = self.values.get(conversion.argument);
                let fits = match conversion.kind {
                    ConversionKind::Text(_) => {
                        conversion.length.is_empty()
                            && conversion.letter == b's'
                            && value.is_some_and(|text| text.value_type_of().is_pointer())
                    }
                    ConversionKind::Count { .. } => {
                        value.is_some_and(|target| target.value_type_of().is_pointer())
                    }
                    ConversionKind::Value if conversion.letter == b'c' => {
                        conversion.length.is_empty() && self.width_of(value) == Some(32)
                    }
                    ConversionKind::Value => match base(conversion) {
                        Some(_) => {
                            let width = integer_width(self.module.data_model(), &conversion.length)
                                .map(|bits| bits.max(32));
                            width.is_some() && self.width_of(value) == width
                        }
                        None => {
                            value.is_some()
                                && self.is_bounded
                                && !matches!(conversion.letter, b'c' | b'C' | b's' | b'S')
                        }
                    },
                };
                fits && self.has_number(conversion.width) && self.has_number(conversion.precision)
            }
        })
    }

    fn width_of(&self, value: Option<&Value>) -> Option<u32> {
        value?.value_type_of().int_width()
    }

    fn has_number(&self, number: Number) -> bool {
        match number {
            Number::None => true,
            Number::Constant(number) => i32::try_from(number).is_ok(),
            Number::Argument(position) => self.width_of(self.values.get(position)) == Some(32),
        }
    }

    /// Writes all parts; returns how long the text is.
    fn write(&self, pieces: &[Piece]) -> Value {
        let long = self.module.size_type();
        if self.is_bounded {
            self.call("__mazurka_require_size", &[self.size]);
        }
        self.require_widths(pieces);
        let texts = self.measure(pieces);
        let mut known = texts.iter();
        let mut length = long.constant(0);
        let mut is_known = true;
        for piece in pieces {
            match piece {
                Piece::Conversion(conversion) => match conversion.kind {
                    ConversionKind::Count { width, .. } => {
                        self.store_count(conversion, width, is_known.then_some(length));
                    }
                    ConversionKind::Text(_) => {
                        let text = known.next().filter(|_| is_known);
                        if let Some(text) = text {
                            length = self.put_text(conversion, text, length);
                        }
                    }
                    ConversionKind::Value if !is_known => {}
                    ConversionKind::Value => match self.put_value(conversion, length) {
                        Some(next) => length = next,
                        None => {
                            is_known = false;
                            length = self.put("unknown", &[length]);
                        }
                    },
                },
                Piece::Message | Piece::Literal(_) if !is_known => {}
                Piece::Message => {
                    is_known = false;
                    length = self.put("unknown", &[length]);
                }
                Piece::Literal(bytes) => {
                    let offset = bytes.start as u64;
                    let text = self.builder.byte_offset(self.module, self.format, offset);
                    let count = long.constant(bytes.len() as u64);
                    length = self.put("text", &[length, text, count]);
                }
            }
        }
        let written = if is_known { length } else { self.size };
        if is_known {
            self.call("__mazurka_put_end", &[self.buffer, self.size, length]);
        }
        for text in &texts {
            self.call(
                "__mazurka_require_unwritten",
                &[
                    self.buffer,
                    self.size,
                    written,
                    text.address,
                    text.length,
                    text.precision,
                ],
            );
        }
        self.builder.resize(length, self.module.int_type(32))
    }

    /// The length of the text must fit into the result: no width and no precision may be large.
    fn require_widths(&self, pieces: &[Piece]) {
        let conversions = pieces.iter().filter_map(|piece| match piece {
            Piece::Literal(_) | Piece::Message => None,
            Piece::Conversion(conversion) => Some(conversion),
        });
        for number in conversions.flat_map(|conversion| [conversion.width, conversion.precision]) {
            if number != Number::None {
                self.call("__mazurka_require_width", &[self.number(number, 0)]);
            }
        }
    }

    /// Reads all texts, before the first byte is written.
    fn measure(&self, pieces: &[Piece]) -> Vec<Text> {
        let mut texts = Vec::new();
        for piece in pieces {
            let Piece::Conversion(conversion) = piece else {
                continue;
            };
            if let ConversionKind::Text(precision) = conversion.kind {
                let address = self.values[conversion.argument];
                let precision = self.number(precision, -1);
                let length = self.builder.call_named(
                    self.module,
                    "__mazurka_text_length",
                    self.module.size_type(),
                    &[address, precision],
                );
                texts.push(Text {
                    address,
                    precision,
                    length,
                });
            }
        }
        texts
    }

    fn put_text(&self, conversion: &Conversion, text: &Text, length: Value) -> Value {
        let int = self.module.int_type(32);
        let flags = int.constant(flags(conversion));
        let width = self.number(conversion.width, 0);
        self.put("padded", &[length, text.address, text.length, flags, width])
    }

    /// Nothing if it is not known how the value is written.
    fn put_value(&self, conversion: &Conversion, length: Value) -> Option<Value> {
        let (int, long) = (self.module.int_type(32), self.module.int_type(64));
        let value = self.values[conversion.argument];
        let flags = int.constant(flags(conversion));
        let width = self.number(conversion.width, 0);
        if conversion.letter == b'c' {
            return Some(self.put("character", &[length, value, flags, width]));
        }
        let base = int.constant(base(conversion)?);
        let bits =
            int.constant(integer_width(self.module.data_model(), &conversion.length)?.into());
        let value = self.builder.resize(value, long);
        let precision = self.number(conversion.precision, -1);
        let arguments = [length, value, bits, base, flags, width, precision];
        Some(self.put("number", &arguments))
    }

    fn store_count(&self, conversion: &Conversion, width: u32, length: Option<Value>) {
        let long = self.module.int_type(64);
        let count = match length {
            Some(length) => self.builder.resize(length, long),
            None => self
                .builder
                .call_named(self.module, "__mazurka_unknown_long", long, &[]),
        };
        let target = self.values[conversion.argument];
        self.call(&format!("__mazurka_count_{width}"), &[target, count]);
    }

    /// A width or a precision, where none is `absent`.
    fn number(&self, number: Number, absent: i32) -> Value {
        let int = self.module.int_type(32);
        match number {
            Number::None => int.constant(u64::from(absent as u32)),
            Number::Constant(number) => int.constant(number.into()),
            Number::Argument(position) => self.values[position],
        }
    }

    fn call(&self, name: &str, arguments: &[Value]) {
        let nothing = self.module.void_type();
        self.builder
            .call_named(self.module, name, nothing, arguments);
    }

    /// Writes a part of this kind; returns how long the text is then.
    fn put(&self, kind: &str, arguments: &[Value]) -> Value {
        let buffer = [self.buffer, self.size];
        let arguments: Vec<Value> = buffer
            .into_iter()
            .chain(arguments.iter().copied())
            .collect();
        self.builder.call_named(
            self.module,
            &format!("__mazurka_put_{kind}"),
            self.module.size_type(),
            &arguments,
        )
    }
}

/// A text that is written.
struct Text {
    address: Value,
    precision: Value,
    /// How many bytes of it are written.
    length: Value,
}

/// The base of a number that is written exactly; other languages may group digits.
fn base(conversion: &Conversion) -> Option<u64> {
    if conversion.flags.contains(&b'\'') {
        return None;
    }
    match conversion.letter {
        b'd' | b'i' | b'u' => Some(10),
        b'o' => Some(8),
        b'x' | b'X' => Some(16),
        _ => None,
    }
}

fn flags(conversion: &Conversion) -> u64 {
    let given = FLAGS.iter();
    let given = given.filter(|(character, _)| conversion.flags.contains(character));
    let signed = match conversion.letter {
        b'd' | b'i' => SIGNED,
        _ => 0,
    };
    let capital = match conversion.letter {
        b'X' => CAPITAL,
        _ => 0,
    };
    given.map(|(_, flag)| flag).sum::<u64>() + signed + capital
}
