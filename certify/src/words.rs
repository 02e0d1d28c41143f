//! The words of an SMT-LIB text, as every solver must read them.
//!
//! This is the only place where text is cut into words. Characters that solvers may read in different ways are
//! refused: those outside printable ASCII, strings, comments, and a bar that touches another word.

use std::fmt;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word<'a> {
    /// `(`
    Open,
    /// `)`
    Close,
    /// A symbol without bars, a keyword, a number or a literal.
    Plain(&'a str),
    /// What stands between the bars of a quoted symbol.
    Quoted(&'a str),
}

impl fmt::Display for Word<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("("),
            Self::Close => f.write_str(")"),
            Self::Plain(text) => f.write_str(text),
            Self::Quoted(text) => write!(f, "|{text}|"),
        }
    }
}

/// The words of a text on one line.
///
/// # Errors
/// What is wrong with it.
pub fn words(text: &str) -> Result<Vec<Word<'_>>, String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            ' ' => 1,
            '(' => {
                words.push(Word::Open);
                1
            }
            ')' => {
                words.push(Word::Close);
                1
            }
            '|' => {
                let name = quoted(rest)?;
                words.push(Word::Quoted(name));
                name.len() + 2
            }
            _ => {
                let word = plain(rest)?;
                words.push(Word::Plain(word));
                word.len()
            }
        };
        rest = &rest[length..];
    }
    Ok(words)
}

/// The name in the bars with which a text starts.
fn quoted(text: &str) -> Result<&str, String> {
    let inner = &text[1..];
    let end = inner.find('|').ok_or("a bar without another one")?;
    let (name, behind) = inner.split_at(end);
    if let Some(other) = name.chars().find(|&c| !is_quotable(c)) {
        return Err(not_allowed(other));
    }
    match behind[1..].chars().next() {
        None | Some(' ' | ')') => Ok(name),
        Some(_) => Err(format!("no space behind |{name}|")),
    }
}

/// The word with which a text starts.
fn plain(text: &str) -> Result<&str, String> {
    let end = text.find(|c| !is_plain(c)).unwrap_or(text.len());
    let (word, behind) = text.split_at(end);
    match behind.chars().next() {
        None | Some(' ' | '(' | ')') => Ok(word),
        Some('|') => Err(format!("no space between {word} and a bar")),
        Some(other) => Err(not_allowed(other)),
    }
}

fn not_allowed(c: char) -> String {
    format!("the character {c:?} is not allowed here")
}

/// What SMT-LIB allows in symbols without bars, and what keywords and literals start with.
fn is_plain(c: char) -> bool {
    c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/#:".contains(c)
}

fn is_quotable(c: char) -> bool {
    (c.is_ascii_graphic() || c == ' ') && c != '|' && c != '\\'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_bars_are_one_word_whatever_they_hold() {
        let text = r#"(a |b "c";(x@0 | #b0)"#;
        let expected = [
            Word::Open,
            Word::Plain("a"),
            Word::Quoted(r#"b "c";(x@0 "#),
            Word::Plain("#b0"),
            Word::Close,
        ];
        assert_eq!(words(text), Ok(expected.to_vec()));
    }

    #[test]
    fn what_solvers_may_read_otherwise_is_refused() {
        for strange in [
            "(a; b)",
            "(a \"b\")",
            "(|a)",
            "(a\\)",
            "(a\tb)",
            "(ä)",
            "a|b|",
            "|a|b",
            "|a||b|",
            "|a|(",
            "|a\\|",
            "|a\n|",
            "|ä|",
            "a\r",
            "a'",
            "a,b",
            "{a}",
            "[a]",
            "`a`",
        ] {
            assert!(words(strange).is_err(), "{strange}");
        }
    }
}
