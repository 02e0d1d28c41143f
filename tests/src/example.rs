//! The programs of `c-examples/` and what their head comments say about them; the format is in `c-examples/README.md`.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::{fs, mem};

use clap::Parser;
use frontend::testing::c_files;
use program::model::DataModel;
use verify::options::Options;
use verify::verdict::Verdict;

/// How the option begins that names the data model of an example.
pub const DATA_MODEL: &str = "--data-model=";

/// A program of `c-examples/`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// File name without extension.
    pub name: String,
    /// Where the file is.
    pub path: PathBuf,
    /// The verdict for the program as `clang -O0` compiles it.
    pub expected: Expected,
    /// Why that is the right verdict.
    pub reason: String,
    /// Command-line options that the verdict needs, one word each.
    pub options: Vec<String>,
    /// What exhaustive exploration takes.
    pub size: Size,
    /// The verdict for the program as `clang -O2` compiles it.
    pub optimised: Optimised,
}

impl Example {
    /// The data model that the options name; LP64 if they name none.
    pub fn data_model(&self) -> DataModel {
        let mut named = self
            .options
            .iter()
            .filter_map(|option| option.strip_prefix(DATA_MODEL));
        let named = named.next().and_then(|name| name.parse().ok());
        named.unwrap_or(DataModel::Lp64)
    }

    /// What `verify` says of it with its options and these.
    ///
    /// # Panics
    /// The options are none, or there is no verdict.
    pub fn verdict(&self, extra: &[&str]) -> Verdict {
        let path = self.path.to_string_lossy();
        let own = self.options.iter().map(String::as_str);
        let words = ["verify", &path].into_iter().chain(own);
        let options = Options::try_parse_from(words.chain(extra.iter().copied()));
        let options = options.expect("the head comment has valid options");
        match verify::run(&options) {
            Ok(report) => report.verdict,
            Err(failure) => panic!("{}: {failure}", self.name),
        }
    }
}

/// A verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Expected {
    /// No run violates an assertion, and no limit is reachable.
    Safe,
    /// Some run violates an assertion.
    Unsafe,
    /// No run within the limits violates an assertion, and some run reaches a limit.
    Unknown,
}

impl Expected {
    /// Whether this is the verdict.
    pub fn matches(self, verdict: &Verdict) -> bool {
        match verdict {
            Verdict::Safe => self == Self::Safe,
            Verdict::Unsafe { .. } => self == Self::Unsafe,
            Verdict::Unknown { .. } => self == Self::Unknown,
        }
    }
}

/// What exhaustive exploration of all interleavings takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Size {
    /// At most a few ten thousand states.
    Small,
    /// Up to some millions of states, or inputs of 32 bits.
    Medium,
    /// More than is reasonable.
    Large,
}

/// How the verdict changes if clang optimises the program first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Optimised {
    /// Not at all.
    Same,
    /// It may be another one, for this reason.
    Differs(String),
}

/// What is wrong with a head comment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HeaderError {
    /// A line is neither `// key: value` nor a continuation.
    #[error("`{0}` is neither `// key: value` nor a continuation `//   text`")]
    Line(String),
    /// The key does not exist, is given twice, or stands in the wrong place.
    #[error("`{0}:` is unknown, repeated or out of order; the order is {order}", order = KEYS.join(", "))]
    Key(String),
    /// A necessary key is not there.
    #[error("`{0}:` is missing")]
    Missing(&'static str),
    /// The value is none of those that the key may have.
    #[error("`{value}` is no value of `{key}:`")]
    Value {
        /// The key.
        key: &'static str,
        /// Its value.
        value: String,
    },
}

/// All keys, in the order in which they must stand.
const KEYS: [&str; 5] = ["expect", "reason", "options", "size", "optimised"];

impl Example {
    /// Reads the head comment of the program `text` that is stored at `path`.
    ///
    /// ```
    /// use tests::{Example, Expected};
    /// let text = "// expect: safe\n// reason: nothing happens\n// size: small\n// optimised: same\nint main(void) {}\n";
    /// let example = Example::parse("nothing.c".as_ref(), text)?;
    /// assert_eq!((example.name.as_str(), example.expected), ("nothing", Expected::Safe));
    /// # Ok::<(), tests::HeaderError>(())
    /// ```
    pub fn parse(path: &Path, text: &str) -> Result<Self, HeaderError> {
        let mut values = read_values(text)?;
        let mut take = |key: &'static str| {
            let index = KEYS.iter().position(|known| *known == key);
            let value = index
                .map(|index| mem::take(&mut values[index]))
                .unwrap_or_default();
            if value.is_empty() {
                Err(HeaderError::Missing(key))
            } else {
                Ok(value)
            }
        };
        Ok(Self {
            name: path
                .file_stem()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned(),
            path: path.to_owned(),
            expected: take("expect")?.parse()?,
            reason: take("reason")?,
            options: take("options")
                .unwrap_or_default()
                .split_whitespace()
                .map(str::to_owned)
                .collect(),
            size: take("size")?.parse()?,
            optimised: match take("optimised")?.as_str() {
                "same" => Optimised::Same,
                reason => Optimised::Differs(reason.to_owned()),
            },
        })
    }
}

/// The value of every key in the order of [`KEYS`]; empty where a key is absent.
fn read_values(text: &str) -> Result<[String; KEYS.len()], HeaderError> {
    let mut values = [const { String::new() }; KEYS.len()];
    // The keys from this index on may still come.
    let mut next = 0;
    for line in text.lines().map_while(|line| line.strip_prefix("//")) {
        if let Some(continuation) = line.strip_prefix("   ").filter(|_| next > 0) {
            values[next - 1].push(' ');
            values[next - 1].push_str(continuation.trim());
            continue;
        }
        let content = line
            .strip_prefix(' ')
            .and_then(|line| line.split_once(": "));
        let (key, value) = content.ok_or_else(|| HeaderError::Line(format!("//{line}")))?;
        let index = KEYS.iter().skip(next).position(|known| *known == key);
        let index = next + index.ok_or_else(|| HeaderError::Key(key.to_owned()))?;
        values[index].push_str(value.trim());
        next = index + 1;
    }
    Ok(values)
}

impl FromStr for Expected {
    type Err = HeaderError;

    fn from_str(value: &str) -> Result<Self, HeaderError> {
        match value {
            "safe" => Ok(Self::Safe),
            "unsafe" => Ok(Self::Unsafe),
            "unknown" => Ok(Self::Unknown),
            other => Err(HeaderError::Value {
                key: "expect",
                value: other.to_owned(),
            }),
        }
    }
}

impl FromStr for Size {
    type Err = HeaderError;

    fn from_str(value: &str) -> Result<Self, HeaderError> {
        match value {
            "small" => Ok(Self::Small),
            "medium" => Ok(Self::Medium),
            "large" => Ok(Self::Large),
            other => Err(HeaderError::Value {
                key: "size",
                value: other.to_owned(),
            }),
        }
    }
}

/// All programs of `c-examples/`, ordered by name; not those of its folder `paper/`.
///
/// # Panics
///
/// If the folder cannot be read or a head comment is malformed: the tests that use the programs cannot go on then.
pub fn examples() -> Vec<Example> {
    examples_in("c-examples")
}

/// All programs of `c-examples/paper/`, ordered by name: they grow with the macros that `c-examples/README.md` names, and have the same
/// verdict for all sizes. Panics as [`examples`] does.
pub fn paper_examples() -> Vec<Example> {
    examples_in("c-examples/paper")
}

/// All programs of `c-examples/any-number/`, ascending by name. They start any number of threads.
pub fn any_number_examples() -> Vec<Example> {
    examples_in("c-examples/any-number")
}

/// All programs of `c-examples/modular/`, ascending by name, after those of papers on proofs thread by thread.
pub fn modular_examples() -> Vec<Example> {
    examples_in("c-examples/modular")
}

/// All programs of `c-examples/termination/`, ascending by name: their runs end, or one does not.
pub fn termination_examples() -> Vec<Example> {
    examples_in("c-examples/termination")
}

fn examples_in(folder: &str) -> Vec<Example> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("..")
        .join(folder);
    c_files(&folder)
        .iter()
        .map(|path| read_example(path))
        .collect()
}

fn read_example(path: &Path) -> Example {
    let text =
        fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    Example::parse(path, &text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Example, HeaderError> {
        Example::parse(Path::new("folder/program.c"), text)
    }

    #[test]
    fn a_complete_head_comment_is_read() {
        let example = parse(
            "// expect: unknown\n// reason: one\n//   two: three\n// options: --threads 4 --heap 2\n// size: large\n\
             // optimised: dead code\n#include <assert.h>\n// expect: safe\n",
        )
        .expect("well formed");
        assert_eq!(example.name, "program");
        assert_eq!(example.expected, Expected::Unknown);
        assert_eq!(example.reason, "one two: three");
        assert_eq!(example.options, ["--threads", "4", "--heap", "2"]);
        assert_eq!(example.size, Size::Large);
        assert_eq!(
            example.optimised,
            Optimised::Differs("dead code".to_owned())
        );
    }

    #[test]
    fn a_malformed_head_comment_is_refused() {
        let head = "// expect: safe\n// reason: r\n// size: small\n";
        assert_eq!(parse(head), Err(HeaderError::Missing("optimised")));
        assert_eq!(parse(""), Err(HeaderError::Missing("expect")));
        assert_eq!(
            parse("// colour: red\n"),
            Err(HeaderError::Key("colour".to_owned()))
        );
        assert_eq!(
            parse("// reason: r\n// expect: safe\n"),
            Err(HeaderError::Key("expect".to_owned()))
        );
        assert_eq!(
            parse("// expect: safe\n// expect: safe\n"),
            Err(HeaderError::Key("expect".to_owned()))
        );
        assert_eq!(
            parse("//   expect: safe\n"),
            Err(HeaderError::Key("  expect".to_owned()))
        );
        assert_eq!(
            parse("// safe\n"),
            Err(HeaderError::Line("// safe".to_owned()))
        );
        let error = parse("// expect: perhaps\n// reason: r\n// size: small\n// optimised: same\n");
        assert_eq!(
            error,
            Err(HeaderError::Value {
                key: "expect",
                value: "perhaps".to_owned()
            })
        );
        let error = parse("// expect: safe\n// reason: r\n// size: tiny\n// optimised: same\n");
        assert_eq!(
            error,
            Err(HeaderError::Value {
                key: "size",
                value: "tiny".to_owned()
            })
        );
    }

    #[test]
    fn all_examples_are_read_and_there_are_many_of_each_kind() {
        let examples = examples();
        let count = |expected| {
            examples
                .iter()
                .filter(|example| example.expected == expected)
                .count()
        };
        assert!(count(Expected::Safe) >= 50);
        assert!(count(Expected::Unsafe) >= 40);
        assert!(count(Expected::Unknown) >= 5);
        assert!(examples.windows(2).all(|pair| pair[0].name < pair[1].name));
    }

    const README: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../c-examples/README.md");
    /// The list follows this line, and is the rest of the page.
    const HEADING: &str = "## Programs\n\n";
    /// No line of a page is longer.
    const COLUMNS: usize = 120;
    const STATUS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/status.md");

    #[test]
    fn the_list_has_every_example() {
        let readme = fs::read_to_string(README).expect("README.md");
        let (_, listed) = split_list(&readme);
        let entries = entries();
        let missing: Vec<&String> = entries
            .iter()
            .filter(|entry| !listed.contains(entry))
            .collect();
        assert!(missing.is_empty(), "`make table` adds {missing:#?}");
        assert_eq!(listed.len(), entries.len(), "`make table` removes entries");
        assert!(listed == entries, "`make table` sorts the entries");
    }

    #[test]
    fn the_number_of_programs_is_told() {
        let status = fs::read_to_string(STATUS).expect("status.md");
        let number = examples().len();
        let told = format!("All {number} programs of `c-examples/`");
        assert!(
            status.contains(&told),
            "docs/status.md does not say: {told}"
        );
    }

    #[test]
    fn entries_are_wrapped() {
        let text = "word ".repeat(60);
        let lines = wrapped(&text, "  ");
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMNS));
        assert!(lines.iter().all(|line| line.starts_with("  word")));
        assert_eq!(lines.concat().matches("word").count(), 60);
        assert_eq!(lines.len(), 3);
    }

    #[test]
    #[ignore = "writes the list: `make table`"]
    fn write_the_list() {
        let readme = fs::read_to_string(README).expect("README.md");
        let (head, _) = split_list(&readme);
        let page = format!("{head}{}\n", entries().join("\n"));
        fs::write(README, page).expect("README.md");
    }

    /// The page up to the list, and the entries of the list.
    fn split_list(readme: &str) -> (&str, Vec<String>) {
        let start = readme.find(HEADING).expect("the heading of the list") + HEADING.len();
        let (head, list) = readme.split_at(start);
        let mut entries: Vec<String> = Vec::new();
        for line in list.lines() {
            match entries.last_mut() {
                Some(entry) if !line.starts_with("- [") => {
                    entry.push('\n');
                    entry.push_str(line);
                }
                _ => entries.push(line.to_owned()),
            }
        }
        (head, entries)
    }

    fn entries() -> Vec<String> {
        let of = |folder: &str, examples: Vec<Example>| {
            let entry = |example: &Example| entry(folder, example);
            examples.iter().map(entry).collect::<Vec<_>>()
        };
        [
            of("", examples()),
            of("paper/", paper_examples()),
            of("any-number/", any_number_examples()),
            of("modular/", modular_examples()),
            of("termination/", termination_examples()),
        ]
        .concat()
    }

    /// A line with the program and its verdict, and the lines of the reason.
    fn entry(folder: &str, example: &Example) -> String {
        let Example {
            name,
            expected,
            size,
            reason,
            ..
        } = example;
        let (expected, size) = (
            format!("{expected:?}").to_lowercase(),
            format!("{size:?}").to_lowercase(),
        );
        let head = format!("- [{name}]({folder}{name}.c): {expected}, {size}.");
        [vec![head], wrapped(reason, "  ")].concat().join("\n")
    }

    /// The words of `text` in lines of at most [`COLUMNS`] columns, each after `indent`.
    fn wrapped(text: &str, indent: &str) -> Vec<String> {
        let mut lines: Vec<String> = Vec::new();
        for word in text.split_whitespace() {
            match lines.last_mut() {
                Some(line) if line.chars().count() + 1 + word.chars().count() <= COLUMNS => {
                    line.push(' ');
                    line.push_str(word);
                }
                _ => lines.push(format!("{indent}{word}")),
            }
        }
        lines
    }
}
