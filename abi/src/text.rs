//! Text that comes from outside, made printable: names of files, functions and variables, and messages of other programs.
//!
//! A C program, a file name or a message may contain anything: line ends that forge a verdict, escape codes that a terminal obeys,
//! marks that turn the direction of writing. Whatever is printed goes through this file first: names where they enter the model,
//! paths and messages where they are told. `clippy.toml` forbids the usual other ways from bytes to text.

use std::fmt::Write;
use std::path::Path;

/// A name in characters that a terminal shows as they are. Different names stay different, so that the result may be a key.
///
/// A backslash is doubled; characters that control, format or are invisible become `\u{202e}`; bytes that are no UTF-8 become `\xff`.
///
/// ```
/// use abi::text::printable;
/// assert_eq!(printable("größe 1"), "größe 1");
/// assert_eq!(printable("a\nb"), r"a\u{a}b");
/// assert_eq!(printable(r"a\u{a}b"), r"a\\u{a}b");
/// assert_eq!(printable(b"a\xff"), r"a\xff");
/// ```
pub fn printable(name: impl AsRef<[u8]>) -> String {
    escape(name.as_ref(), |c| c != '\\' && is_visible(c))
}

/// A path, as [`printable`] shows a name.
pub fn path(path: impl AsRef<Path>) -> String {
    printable(path.as_ref().as_os_str().as_encoded_bytes())
}

/// What another program says: its lines stay, and so do backslashes; other characters are shown as by [`printable`].
pub fn lines(text: impl AsRef<[u8]>) -> String {
    escape(text.as_ref(), |c| c == '\n' || is_visible(c))
}

/// As [`lines`], with all lines but the first indented: none of them can be taken for one that is printed beside the message.
pub fn message(text: impl AsRef<[u8]>) -> String {
    lines(text.as_ref().trim_ascii_end()).replace('\n', "\n  ")
}

/// A printable name as it is shown by who has only text: U+FFFD stands for each sequence of bytes that is no UTF-8.
///
/// ```
/// use abi::text::{lossy, printable};
/// assert_eq!(lossy(&printable(b"a\xff\n")), printable("a\u{fffd}\n"));
/// ```
#[expect(clippy::disallowed_methods)]
pub fn lossy(name: &str) -> String {
    printable(String::from_utf8_lossy(&original(name)).as_bytes())
}

/// What [`printable`] made a name from. A backslash that starts none of its escapes stays.
fn original(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = name;
    while let Some((before, after)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let (escaped, next) = unescape(after).unwrap_or((b"\\".to_vec(), after));
        bytes.extend(escaped);
        rest = next;
    }
    bytes.extend(rest.as_bytes());
    bytes
}

/// What an escape stands for, given what follows its backslash, and the text behind it.
fn unescape(text: &str) -> Option<(Vec<u8>, &str)> {
    if let Some(rest) = text.strip_prefix('\\') {
        return Some((b"\\".to_vec(), rest));
    }
    if let Some(rest) = text.strip_prefix("u{") {
        let (digits, rest) = rest.split_once('}')?;
        let c = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
        return Some((c.to_string().into_bytes(), rest));
    }
    let (digits, rest) = text.strip_prefix('x')?.split_at_checked(2)?;
    Some((vec![u8::from_str_radix(digits, 16).ok()?], rest))
}

/// The text with all characters escaped that are not kept.
fn escape(text: &[u8], is_kept: impl Fn(char) -> bool) -> String {
    let mut escaped = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                _ if is_kept(c) => escaped.push(c),
                '\\' => escaped.push_str(r"\\"),
                _ => escaped.extend(c.escape_unicode()),
            }
        }
        for byte in chunk.invalid() {
            // Writing to a string does not fail.
            let _ = write!(escaped, r"\x{byte:02x}");
        }
    }
    escaped
}

/// Whether a character has a shape or is a space, and changes nothing but its own place.
fn is_visible(c: char) -> bool {
    // Letters without shape, which Unicode does not count among the format characters.
    const FILLERS: [char; 4] = ['\u{115f}', '\u{1160}', '\u{3164}', '\u{ffa0}'];
    // These have an escape of their own in Rust.
    const ESCAPED: [char; 3] = ['\\', '\'', '"'];
    ESCAPED.contains(&c) || (c.escape_debug().len() == 1 && !FILLERS.contains(&c))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_a_terminal_obeys_or_hides_is_escaped() {
        let ranges = [
            0..0x20,
            0x7f..0xa1,
            0xad..0xae,
            0x61c..0x61d,
            0x200b..0x2010,
            0x2028..0x2030,
            0x2060..0x2070,
            0xfeff..0xff00,
            0xfff9..0xfffc,
            0xe0000..0xe0080,
        ];
        for c in ranges.into_iter().flatten().filter_map(char::from_u32) {
            let escape = format!(r"\u{{{:x}}}", u32::from(c));
            assert_eq!(printable(c.to_string()), escape);
            if c != '\n' {
                assert_eq!(lines(c.to_string()), escape);
            }
        }
    }

    #[test]
    fn what_people_write_stays() {
        let text = r#"a_1 größe λ 变量 'x' "y" <p> | & ; # % $ ` { } é"#;
        assert_eq!(printable(text), text);
        assert_eq!(lines(format!("{text}\n\\")), format!("{text}\n\\"));
        assert_eq!(path("./dir/@x.c"), "./dir/@x.c");
    }

    #[test]
    fn no_line_of_a_message_but_the_first_starts_at_the_margin() {
        assert_eq!(message("a\nVERDICT: SAFE\n\r\n"), "a\n  VERDICT: SAFE");
        assert_eq!(message("a\n\rVERDICT: SAFE"), "a\n  \\u{d}VERDICT: SAFE");
    }

    proptest! {
        #[test]
        fn different_names_stay_different(name in proptest::collection::vec(any::<u8>(), 0..12)) {
            prop_assert_eq!(original(&printable(&name)), name);
        }

        #[test]
        fn texts_become_visible(text in any::<String>()) {
            prop_assert!(printable(&text).chars().all(is_visible));
            prop_assert_eq!(original(&printable(&text)), text.as_bytes());
            prop_assert_eq!(lines(printable(&text)), printable(&text));
            prop_assert_eq!(lossy(&printable(&text)), printable(&text));
            original(&text);
        }
    }
}
