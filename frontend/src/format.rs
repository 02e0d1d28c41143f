//! Formats of `printf`.

use program::model::DataModel;

/// A part of a format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Piece {
    /// These bytes of the format are written.
    Literal(std::ops::Range<usize>),
    /// The text of an error number is written.
    Message,
    /// An argument is used.
    Conversion(Conversion),
}

/// What a format does with one of the arguments behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// The bytes of the format that stand for it.
    pub bytes: std::ops::Range<usize>,
    /// The position of its argument among those behind the format.
    pub argument: usize,
    /// What becomes of the argument.
    pub kind: ConversionKind,
    /// The characters `-+ #0'` in front of the width.
    pub flags: Vec<u8>,
    /// How many bytes are written at least.
    pub width: Number,
    /// What stands behind the point.
    pub precision: Number,
    /// The characters that say how wide the argument is.
    pub length: Vec<u8>,
    /// The letter at the end.
    pub letter: u8,
}

/// What becomes of an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConversionKind {
    /// Its value is written.
    Value,
    /// The text is written that it points to, up to its end or so many bytes.
    Text(Number),
    /// So many bits, where it points to, become the number of bytes written so far: that many if `known`.
    Count {
        /// 8, 16, 32 or 64.
        width: u32,
        /// Known where only literal text comes before.
        known: Option<u64>,
    },
}

/// A width or a precision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// There is none.
    None,
    /// It stands there.
    Constant(u32),
    /// It is the argument at this position; negative is none.
    Argument(usize),
}

/// All conversions of a format, up to its first zero byte; nothing if C gives it no meaning, or it numbers its arguments.
pub(crate) fn conversions(data_model: DataModel, format: &[u8]) -> Option<Vec<Conversion>> {
    let conversion = |piece| match piece {
        Piece::Conversion(conversion) => Some(conversion),
        Piece::Literal(_) | Piece::Message => None,
    };
    Some(
        pieces(data_model, format)?
            .into_iter()
            .filter_map(conversion)
            .collect(),
    )
}

/// All parts of a format, in order, up to its first zero byte; nothing if it has no meaning.
pub(crate) fn pieces(data_model: DataModel, format: &[u8]) -> Option<Vec<Piece>> {
    let mut scanner = Scanner {
        data_model,
        format,
        position: 0,
        argument: 0,
        written: Some(0),
    };
    let mut pieces = Vec::new();
    while let Some(byte) = scanner.next().filter(|byte| *byte != 0) {
        if byte == b'%' {
            pieces.push(scanner.conversion()?);
            continue;
        }
        scanner.written = scanner.written.map(|written| written + 1);
        let position = scanner.position;
        match pieces.last_mut() {
            Some(Piece::Literal(bytes)) if bytes.end == position - 1 => bytes.end = position,
            _ => pieces.push(Piece::Literal(position - 1..position)),
        }
    }
    Some(pieces)
}

struct Scanner<'a> {
    data_model: DataModel,
    format: &'a [u8],
    position: usize,
    /// How many arguments were used.
    argument: usize,
    /// How many bytes are written up to here, if that is known.
    written: Option<u64>,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<u8> {
        let byte = self.format.get(self.position).copied()?;
        self.position += 1;
        Some(byte)
    }

    /// The next bytes as long as they are among these.
    fn take(&mut self, set: &[u8]) -> &[u8] {
        let rest = &self.format[self.position..];
        let count = rest.iter().take_while(|byte| set.contains(byte)).count();
        self.position += count;
        &rest[..count]
    }

    /// A width or precision: digits, or an argument. None is 0.
    fn number(&mut self) -> Number {
        if self.take(b"*").len() == 1 {
            self.argument += 1;
            return Number::Argument(self.argument - 1);
        }
        let digits = self.take(b"0123456789").iter();
        Number::Constant(digits.fold(0, |number: u32, digit| {
            number
                .saturating_mul(10)
                .saturating_add((digit - b'0').into())
        }))
    }

    /// What comes behind `%`.
    fn conversion(&mut self) -> Option<Piece> {
        let start = self.position - 1;
        let flags = self.take(b"-+ #0'").to_vec();
        let width = self.number();
        let precision = match self.take(b".").len() {
            1 => self.number(),
            _ => Number::None,
        };
        let plain = flags.is_empty() && self.argument_follows(start);
        let length = self.take(b"hljztLq").to_vec();
        let letter = self.next()?;
        let kind = match letter {
            b'%' if plain && length.is_empty() => {
                self.written = self.written.map(|written| written + 1);
                return Some(Piece::Literal(self.position - 1..self.position));
            }
            b'm' => {
                self.written = None;
                return Some(Piece::Message);
            }
            b'n' if plain => ConversionKind::Count {
                width: integer_width(self.data_model, &length)?,
                known: self.written,
            },
            b's' | b'S' if precision != Number::Constant(0) => ConversionKind::Text(precision),
            b's' | b'S' | b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'C' | b'a' | b'A'
            | b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'p' => ConversionKind::Value,
            _ => return None,
        };
        if !matches!(kind, ConversionKind::Count { .. }) {
            self.written = None;
        }
        let argument = self.argument;
        self.argument += 1;
        Some(Piece::Conversion(Conversion {
            bytes: start..self.position,
            argument,
            kind,
            flags,
            width,
            precision,
            length,
            letter,
        }))
    }

    /// Whether nothing stands between `%` at `start` and here.
    fn argument_follows(&self, start: usize) -> bool {
        self.position == start + 1
    }
}

/// The width of an integer with this length modifier.
pub(crate) fn integer_width(data_model: DataModel, modifier: &[u8]) -> Option<u32> {
    match modifier {
        b"hh" => Some(8),
        b"h" => Some(16),
        b"" => Some(32),
        b"l" | b"z" | b"t" => Some(data_model.address_bits()),
        b"ll" | b"j" => Some(64),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ConversionKind::{Count, Text, Value};

    const WHOLE: ConversionKind = Text(Number::None);

    fn kinds(format: &str) -> Option<Vec<(usize, ConversionKind)>> {
        let found = conversions(DataModel::Lp64, format.as_bytes())?.into_iter();
        Some(found.map(|found| (found.argument, found.kind)).collect())
    }

    #[test]
    fn a_format_tells_what_becomes_of_the_arguments() {
        assert_eq!(kinds("100%%\n"), Some(vec![]));
        assert_eq!(
            kinds("%d %-5lx %c\0%s"),
            Some(vec![(0, Value), (1, Value), (2, Value)])
        );
        assert_eq!(kinds("%*.*f%s"), Some(vec![(2, Value), (3, WHOLE)]));
        assert_eq!(
            kinds("%.30s%.0s%.s%.*s"),
            Some(vec![
                (0, Text(Number::Constant(30))),
                (1, Value),
                (2, Value),
                (4, Text(Number::Argument(3)))
            ])
        );
        assert_eq!(kinds("%m%s"), Some(vec![(0, WHOLE)]));
    }

    #[test]
    fn bytes_are_counted_as_long_as_they_are_known() {
        let count = |width, known| Count { width, known };
        assert_eq!(
            kinds("ab%%%n%hhn%d%hn%lln"),
            Some(vec![
                (0, count(32, Some(3))),
                (1, count(8, Some(3))),
                (2, Value),
                (3, count(16, None)),
                (4, count(64, None)),
            ])
        );
        assert_eq!(
            conversions(DataModel::Lp64, b"a%lnb").map(|found| found[0].bytes.clone()),
            Some(1..4)
        );
    }

    #[test]
    fn what_is_written_as_it_stands_is_one_piece() {
        let literals = |format: &str| -> Vec<std::ops::Range<usize>> {
            let all = pieces(DataModel::Lp64, format.as_bytes())
                .unwrap_or_default()
                .into_iter();
            let literal = |piece| match piece {
                Piece::Literal(bytes) => Some(bytes),
                Piece::Message | Piece::Conversion(_) => None,
            };
            all.filter_map(literal).collect()
        };
        assert_eq!(literals("ab%dc"), [0..2, 4..5]);
        assert_eq!(literals("a%%b%m"), [0..1, 2..4]);
        assert!(literals("%d").is_empty());
    }

    #[test]
    fn other_formats_have_no_meaning() {
        for format in ["%", "%y", "%1$d", "%5n", "%-n", "%Ln", "%5%"] {
            assert_eq!(kinds(format), None, "{format}");
        }
    }
}
