//! Property files of SV-COMP (`.prp`): what is verified, as formulas.
//!
//! ```text
//! CHECK( init(main()), LTL(G valid-free) )
//! CHECK( init(main()), LTL(G valid-deref) )
//! ```
//!
//! A formula stands for a property that has a name. White space may be anywhere between words; a comment goes from `//` or `#`
//! to the end of its line.

use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};
use std::str::Utf8Chunk;

use abi::text::{self, printable};
use program::model::Property;

use crate::properties::Properties;
use crate::verdict::Failure;

/// The formulas that are known, with the name of what each stands for. What is not the name of [`Properties`] is not supported.
const FORMULAS: [(&str, &str); 12] = [
    ("G ! call(reach_error())", "unreach-call"),
    ("G ! call(__VERIFIER_error())", "unreach-call"),
    ("G valid-deref", "valid-deref"),
    ("G valid-free", "valid-free"),
    ("G valid-memtrack", "valid-memtrack"),
    ("G valid-memcleanup", "valid-memcleanup"),
    ("G ! overflow", "no-overflow"),
    ("G ! data-race", "no-data-race"),
    ("G ! deadlock", "no-deadlock"),
    ("G ! label(ERROR)", "unreach-label"),
    ("G def-behavior", "def-behavior"),
    ("F end", "termination"),
];

/// What `COVER` asks for: inputs that cover a program, which is nothing to be verified.
const COVERAGE: &str = "coverage";

/// The content of a property file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it asks for: at least one.
    pub checks: Vec<Check>,
}

/// A line of a property file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Check {
    /// The name of the property.
    pub name: &'static str,
    /// Its line.
    pub line: usize,
}

impl Check {
    /// What it asks for, if it is supported.
    pub fn properties(&self) -> Option<Properties> {
        self.name.parse().ok()
    }

    /// The names of the properties that have verdicts.
    pub fn names(&self) -> Vec<String> {
        match self.properties() {
            Some(properties) => properties.iter().map(|found| found.to_string()).collect(),
            None => vec![self.name.to_owned()],
        }
    }
}

impl PropertyFile {
    /// Whether a value of `--property` is the name of a property file.
    pub fn is_named(value: &Path) -> bool {
        value.extension().is_some_and(|ending| ending == "prp")
    }

    /// Reads a file.
    ///
    /// # Errors
    /// There is none, or it is not understood.
    pub fn read(path: &Path) -> Result<Self, Failure> {
        let unusable = |cause: &dyn fmt::Display| {
            let path = text::path(path);
            Failure::Input(format!("cannot read the property file `{path}`: {cause}"))
        };
        let content = fs::read(path).map_err(|error| {
            unusable(&format!("{error}; name a file that exists and may be read"))
        })?;
        Ok(Self {
            path: path.to_owned(),
            checks: parse(&content).map_err(|malformed| unusable(&malformed))?,
        })
    }

    /// Whether it asks for nothing that could be verified.
    pub fn is_coverage(&self) -> bool {
        self.checks.iter().all(|check| check.name == COVERAGE)
    }

    /// Refuses a file of which nothing is supported.
    ///
    /// # Errors
    /// Nothing is; the message names the first property and its line.
    pub fn check_supported(&self) -> Result<(), Failure> {
        let is_supported = |check: &Check| check.properties().is_some();
        match self.checks.first() {
            Some(first) if !self.checks.iter().any(is_supported) => Err(Failure::Usage(format!(
                "the property {} (`{}`, line {}) is not supported: `--property` takes {}",
                first.name,
                text::path(&self.path),
                first.line,
                Property::ALL.map(|known| known.to_string()).join(", ")
            ))),
            Some(_) | None => Ok(()),
        }
    }
}

/// Where a property file is not understood.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Malformed {
    line: usize,
    column: usize,
    expected: String,
    found: String,
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            line,
            column,
            expected,
            found,
        } = self;
        write!(
            f,
            "line {line}, column {column}: expected {expected}, found {found}"
        )
    }
}

/// What a file asks for.
fn parse(content: &[u8]) -> Result<Vec<Check>, Malformed> {
    let chunk = content.utf8_chunks().next();
    let text = chunk.as_ref().map_or("", Utf8Chunk::valid);
    let (words, end) = words(text.strip_prefix('\u{feff}').unwrap_or(text));
    if text.len() < content.len() {
        return Err(Malformed {
            found: "other bytes".to_owned(),
            ..end.malformed("text in UTF-8")
        });
    }
    let mut parser = Parser { words: &words, end };
    let mut checks = vec![parser.check()?];
    while !parser.words.is_empty() {
        checks.push(parser.check()?);
    }
    Ok(checks)
}

/// A name, or one other character.
#[derive(Clone, Copy, Debug)]
struct Word<'a> {
    /// Empty for the end of the file.
    text: &'a str,
    line: usize,
    column: usize,
}

impl Word<'_> {
    fn malformed(&self, expected: impl Into<String>) -> Malformed {
        Malformed {
            line: self.line,
            column: self.column,
            expected: expected.into(),
            found: match self.text {
                "" => "the end of the file".to_owned(),
                text => format!("`{}`", printable(text)),
            },
        }
    }
}

/// The words of a text, and its end.
fn words(content: &str) -> (Vec<Word<'_>>, Word<'_>) {
    let mut words = Vec::new();
    let mut end = Word {
        text: "",
        line: 1,
        column: 1,
    };
    for (line, content) in (1..).zip(content.split('\n')) {
        let mut rest = content;
        loop {
            rest = rest.trim_start();
            let column = content.chars().count() - rest.chars().count() + 1;
            end = Word {
                text: "",
                line,
                column,
            };
            if rest.is_empty() || rest.starts_with('#') || rest.starts_with("//") {
                break;
            }
            let (text, after) = rest.split_at(word_length(rest));
            words.push(Word { text, ..end });
            rest = after;
        }
    }
    (words, end)
}

/// How many bytes the first word of a text has.
fn word_length(text: &str) -> usize {
    let is_of_name = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
    let first = text.chars().next().map_or(0, char::len_utf8);
    match text.find(|c| !is_of_name(c)) {
        Some(0) => first,
        Some(length) => length,
        None => text.len(),
    }
}

struct Parser<'a> {
    words: &'a [Word<'a>],
    end: Word<'a>,
}

impl<'a> Parser<'a> {
    /// `CHECK( init(main()), LTL(...) )`, or `COVER` with a goal in FQL.
    fn check(&mut self) -> Result<Check, Malformed> {
        let start = self.next();
        let logic = match start.text {
            "CHECK" => "LTL",
            "COVER" => "FQL",
            _ => return Err(start.malformed("`CHECK` or `COVER`")),
        };
        for word in ["(", "init", "(", "main", "(", ")", ")", ",", logic, "("] {
            self.expect(word)?;
        }
        let formula = self.until_closed()?;
        self.expect(")")?;
        let name = match start.text {
            "COVER" => COVERAGE,
            _ => self.name(formula)?,
        };
        let line = start.line;
        Ok(Check { name, line })
    }

    fn next(&mut self) -> Word<'a> {
        match self.words.split_first() {
            Some((first, rest)) => {
                self.words = rest;
                *first
            }
            None => self.end,
        }
    }

    fn expect(&mut self, text: &str) -> Result<(), Malformed> {
        let next = self.next();
        match next.text == text {
            true => Ok(()),
            false => Err(next.malformed(format!("`{text}`"))),
        }
    }

    /// The words up to the parenthesis that closes one which was opened; that is passed over.
    fn until_closed(&mut self) -> Result<&'a [Word<'a>], Malformed> {
        let words = self.words;
        let mut open = 1_usize;
        for (index, word) in words.iter().enumerate() {
            match word.text {
                "(" => open += 1,
                ")" => open -= 1,
                _ => {}
            }
            if open == 0 {
                let (inside, closed) = words.split_at(index);
                self.words = closed.get(1..).unwrap_or_default();
                return Ok(inside);
            }
        }
        Err(self.end.malformed("`)`"))
    }

    /// The property that a formula stands for.
    fn name(&self, formula: &[Word<'_>]) -> Result<&'static str, Malformed> {
        let texts = |words: &[Word<'_>]| -> Vec<String> {
            words.iter().map(|word| word.text.to_owned()).collect()
        };
        let given = texts(formula);
        let known = FORMULAS
            .into_iter()
            .find(|(known, _)| texts(&words(known).0) == given);
        if let Some((_, name)) = known {
            return Ok(name);
        }
        let known = FORMULAS.map(|(known, _)| format!("`{known}`"));
        let expected = format!("one of the formulas {}", known.join(", "));
        let first = formula.first().copied().unwrap_or(self.end);
        Err(Malformed {
            found: format!("`{}`", printable(given.join(" "))),
            ..first.malformed(expected)
        })
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn names(content: &str) -> Vec<(&'static str, usize)> {
        let checks = parse(content.as_bytes()).unwrap_or_else(|error| panic!("{content}: {error}"));
        checks
            .iter()
            .map(|check| (check.name, check.line))
            .collect()
    }

    fn refused(content: &[u8]) -> String {
        parse(content)
            .expect_err("the file is malformed")
            .to_string()
    }

    #[test]
    fn every_formula_has_its_name() {
        for (formula, name) in FORMULAS {
            let content = format!("CHECK( init(main()), LTL({formula}) )\n");
            assert_eq!(names(&content), [(name, 1)]);
        }
        let supported = ["unreach-call", "valid-deref", "valid-free"];
        assert!(
            supported
                .iter()
                .all(|name| name.parse::<Property>().is_ok()
                    && FORMULAS.iter().any(|f| f.1 == *name))
        );
    }

    #[test]
    fn white_space_and_comments_are_anywhere() {
        let memory = "\u{feff}// memory\r\n\r\nCHECK( init(main()), LTL(G valid-free) )\r\n\
            # CHECK( init(main()), LTL(F end) )\r\nCHECK(init(main()),LTL(G  valid-deref))// two\r\n\
            \tCHECK ( init ( main ( ) ) ,\n LTL ( G valid-memtrack ) )";
        let expected = [("valid-free", 3), ("valid-deref", 5), ("valid-memtrack", 6)];
        assert_eq!(names(memory), expected);
        let dense = "CHECK(init(main()),LTL(G!call(reach_error())))CHECK(init(main()),LTL(F end))";
        assert_eq!(names(dense), [("unreach-call", 1), ("termination", 1)]);
        let coverage = "COVER( init(main()), FQL(COVER EDGES(@CALL(__VERIFIER_error))) )\n";
        assert_eq!(names(coverage), [("coverage", 1)]);
    }

    #[test]
    fn what_is_not_understood_has_a_place() {
        for (content, message) in [
            (
                "",
                "line 1, column 1: expected `CHECK` or `COVER`, found the end of the file",
            ),
            (
                "# nothing\n\n",
                "line 3, column 1: expected `CHECK` or `COVER`, found the end of the file",
            ),
            (
                "\n  CHEKC( init(main()), LTL(F end) )",
                "line 2, column 3: expected `CHECK` or `COVER`, found `CHEKC`",
            ),
            (
                "CHECK( init(start()), LTL(F end) )",
                "line 1, column 13: expected `main`, found `start`",
            ),
            (
                "CHECK( init(main()), CTL(F end) )",
                "line 1, column 22: expected `LTL`, found `CTL`",
            ),
            (
                "CHECK( init(main()), LTL(G ! call(other())) )",
                "line 1, column 26: expected one of the formulas `G ! call(reach_error())`",
            ),
            (
                "CHECK( init(main()), LTL() )",
                "line 1, column 29: expected one of the formulas",
            ),
            (
                "/* é */ CHECK( init(main()), LTL(F end) )",
                "line 1, column 1: expected `CHECK` or `COVER`, found `/`",
            ),
            (
                "CHECK( init(main()), LTL(G valid-free )\nCHECK( init(main()), LTL(F end) )",
                "line 2, column 1: expected `)`, found `CHECK`",
            ),
            (
                "CHECK( init(main()), LTL(G valid-free",
                "line 1, column 38: expected `)`, found the end of the file",
            ),
            (
                "CHECK( init(main()), LTL(F end) ) é",
                "line 1, column 35: expected `CHECK` or `COVER`, found `é`",
            ),
        ] {
            let found = refused(content.as_bytes());
            assert!(found.starts_with(message), "{content}: {found}");
        }
        let message = "line 2, column 3: expected text in UTF-8, found other bytes";
        let found = refused(b"# a\n (\xff\n");
        assert!(found.starts_with(message), "{found}");
        assert!(refused(b"CHECK\x1b[2J").contains(r"`\u{1b}`"));
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused(content in prop::collection::vec(any::<u8>(), 0..80)) {
            let _ = parse(&content);
        }

        #[test]
        fn any_words_are_read_or_refused(words in prop::collection::vec(
            prop::sample::select(vec!["CHECK", "COVER", "init", "main", "LTL", "FQL", "(", ")", ",", "G", "!", "\r\n", "é", "//"]),
            0..30
        )) {
            let _ = parse(words.concat().as_bytes());
            let _ = parse(words.join(" ").as_bytes());
        }
    }
}
