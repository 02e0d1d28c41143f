//! Names of a position.
//!
//! A name is a base, `@` and a position. The last `@` of a name ends its base, so names are equal at one position if they are
//! equal at any other, and names of different positions differ. No name that SMT-LIB or a solver knows has this form.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

use system::export::smt_lib::quoted;

use crate::words::Word;

/// What the names of one thing at all positions have in common.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Name(Arc<str>);

impl Borrow<str> for Name {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Name {
    /// A name by its base.
    pub fn new(base: &str) -> Self {
        Self(base.into())
    }

    /// Reads a name at position 0.
    ///
    /// # Errors
    /// The word is none, or is not written as [`Name::at`] writes it.
    pub fn parse(word: Word<'_>) -> Result<Self, String> {
        base(word).map(Self::new)
    }

    /// The name at a position, in SMT-LIB syntax.
    pub fn at(&self, position: usize) -> impl fmt::Display {
        quoted(format!("{}@{position}", self.0))
    }
}

/// The base of a name at position 0.
///
/// # Errors
/// The word is no name, or is not written as [`Name::at`] writes it.
pub fn base(word: Word<'_>) -> Result<&str, String> {
    let (Word::Plain(text) | Word::Quoted(text)) = word else {
        return Err("a name that ends in @0 is expected".to_owned());
    };
    let base = text
        .strip_suffix("@0")
        .filter(|base| !base.is_empty() && !base.starts_with(['@', '.']))
        .ok_or_else(|| format!("{text} is no name that ends in @0"))?;
    let written = quoted(text.to_owned());
    let is_quoted = matches!(word, Word::Quoted(_));
    if written.starts_with('|') == is_quoted {
        Ok(base)
    } else {
        Err(format!("{text} must be written {written}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_keep_their_base() {
        for (word, moved) in [
            (Word::Plain("x@0"), "x@7"),
            (Word::Plain("x@0@0"), "x@0@7"),
            (Word::Plain("and@0"), "and@7"),
            (Word::Quoted("a b@0"), "|a b@7|"),
            (Word::Quoted("1@0"), "|1@7|"),
            (Word::Quoted("(x@0 @0"), "|(x@0 @7|"),
        ] {
            let name = Name::parse(word).expect("a name");
            assert_eq!(name.at(7).to_string(), moved);
        }
    }

    #[test]
    fn names_have_one_spelling() {
        for word in [
            Word::Plain("x"),
            Word::Plain("x@1"),
            Word::Plain("x@00"),
            Word::Plain("x@0!1"),
            Word::Plain("@0"),
            Word::Plain(".x@0"),
            Word::Plain("1@0"),
            Word::Plain("#b@0"),
            Word::Plain(":x@0"),
            Word::Quoted("x@0"),
            Word::Quoted("@x@0"),
            Word::Open,
        ] {
            assert!(Name::parse(word).is_err(), "{word:?}");
        }
    }
}
