//! The page of library functions, `docs/functions.md`, which is written from the one table of them.

use std::fs;
use std::path::Path;

use abi::functions::{Effect, effect, names};

use crate::{Example, Expected, examples};

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/functions.md");
const MODELS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../frontend/library");
const COMPARISONS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/library");

/// The table follows this line, and is the rest of the page.
const HEADING: &str = "| function | meaning | right | broken |\n|---|---|---|---|\n";

/// Whether programs name functions so. Of the names that belong to C implementations, these are documented.
fn is_of_programs(name: &str) -> bool {
    !name.starts_with('_') || name.starts_with("__VERIFIER_") || ["_exit", "_Exit"].contains(&name)
}

/// A program that compares functions with those of the C library.
struct Comparison {
    name: String,
    functions: Vec<String>,
}

impl Comparison {
    fn all() -> Vec<Self> {
        let entries = fs::read_dir(COMPARISONS).expect("a folder");
        let mut all: Vec<Self> = entries
            .map(|entry| entry.expect("a file").path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
            .map(|path| {
                let text = fs::read_to_string(&path).expect("a readable file");
                let heads = text
                    .lines()
                    .filter_map(|line| line.strip_prefix("// functions: "));
                let name = path.file_stem().expect("a name");
                Self {
                    name: name.to_string_lossy().into_owned(),
                    functions: heads
                        .flat_map(str::split_whitespace)
                        .map(str::to_owned)
                        .collect(),
                }
            })
            .collect();
        all.sort_by(|one, other| one.name.cmp(&other.name));
        all
    }
}

/// A file of models in C.
struct Model {
    /// Its path below the folder of models.
    file: String,
    text: String,
}

impl Model {
    fn all() -> Vec<Self> {
        let mut models = Vec::new();
        for folder in ["", "c11/"] {
            let entries = fs::read_dir(Path::new(MODELS).join(folder)).expect("a folder");
            for entry in entries {
                let path = entry.expect("a file").path();
                let name = path.file_name().expect("a name").to_string_lossy();
                if name.ends_with(".c") {
                    models.push(Self {
                        file: format!("{folder}{name}"),
                        text: fs::read_to_string(&path).expect("a readable file"),
                    });
                }
            }
        }
        models.sort_by(|one, other| one.file.cmp(&other.file));
        models
    }

    /// Whether a function of this name is defined at the start of a line.
    fn defines(&self, name: &str) -> bool {
        let call = format!("{name}(");
        self.text.lines().any(|line| {
            let is_outside = line.starts_with(|first: char| first.is_ascii_alphabetic());
            is_outside && !line.ends_with(';') && calls(line, &call)
        })
    }

    /// Whether a macro puts the name together, of its first argument and more.
    fn puts_together(&self, name: &str) -> bool {
        self.text.lines().any(|line| {
            let (word, arguments) = line.split_once('(').unwrap_or_default();
            let is_macro = word.chars().all(|c| c.is_ascii_uppercase() || c == '_');
            let part = arguments.split([',', ')']).next().unwrap_or_default();
            is_macro && part.len() > 3 && name.contains(part)
        })
    }
}

/// Whether a text has these words with no letter before them.
fn calls(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(position, _)| {
        let before = text[..position].chars().next_back();
        !before.is_some_and(|before| before.is_ascii_alphanumeric() || before == '_')
    })
}

/// What a call means, in the words of the page.
fn meaning(name: &str, models: &[Model]) -> String {
    use Effect as E;
    let effect = effect(name).expect("a name of the table");
    let words = [
        (
            matches!(
                effect,
                E::ThreadJoin | E::ThreadDetach | E::ThreadExit | E::ThreadSelf
            ),
            "[threads](semantics.md#threads)",
        ),
        (
            matches!(effect, E::MutexLock | E::MutexTryLock | E::MutexUnlock),
            "[mutexes](semantics.md#mutexes)",
        ),
        (
            matches!(effect, E::Allocate | E::Free),
            "[the heap](semantics.md#heap)",
        ),
        (
            matches!(effect, E::AtomicBegin | E::AtomicEnd),
            "a region that is not interrupted",
        ),
        (
            matches!(effect, E::KeepPlace | E::Jump),
            "[jumps](semantics.md#jumps)",
        ),
        (effect == E::Assume, "goes on only if the argument is not 0"),
        (effect == E::Assert, "a violation if the argument is 0"),
        (effect == E::Error, "a violation"),
        (effect == E::Halt, "the end of the run"),
        (
            effect == E::Exit,
            "the end of the run, behind the handlers of `atexit`",
        ),
        (
            effect == E::Irrelevant,
            "any result, on which no violation may depend",
        ),
        (effect == E::Succeeds, "does nothing and returns 0"),
        (
            matches!(effect, E::Print { .. } | E::PrintList { .. }),
            "reads what the format says; any result",
        ),
        (
            matches!(effect, E::PutText | E::PutMessage | E::PutBlock),
            "reads the text; any result",
        ),
        (
            effect == E::SetBuffer,
            "does nothing, with a null pointer for the buffer",
        ),
    ];
    let known = words.iter().find(|(is_meant, _)| *is_meant);
    known.map_or_else(|| model_of(name, models), |(_, words)| (*words).to_owned())
}

/// The file with the model. Some calls become calls of several functions there.
fn model_of(name: &str, models: &[Model]) -> String {
    let defines = models.iter().find(|model| model.defines(name));
    let model = defines.or_else(|| models.iter().find(|model| model.puts_together(name)));
    let file = match (model, name) {
        (Some(model), _) => &model.file,
        (None, "calloc") => "heap.c",
        (None, "sscanf") => "scan.c",
        (None, "scanf" | "fscanf") => "input.c",
        (None, "snprintf" | "sprintf" | "vsnprintf" | "vsprintf") => "format.c",
        (None, _) => panic!("no file of frontend/library defines `{name}`"),
    };
    format!("[{file}][]")
}

/// The shortest program that calls a function and has such a verdict.
fn shortest(name: &str, programs: &[(Example, String)], is_right: bool) -> Option<String> {
    let call = format!("{name}(");
    let fitting = programs.iter().filter(|(example, text)| {
        (example.expected == Expected::Safe) == is_right && calls(text, &call)
    });
    fitting
        .min_by_key(|(_, text)| text.len())
        .map(|(example, _)| format!("[{}][]", example.name))
}

/// The table, and what its links lead to.
fn contents() -> Vec<String> {
    let models = Model::all();
    let read = |example: Example| {
        let text = fs::read_to_string(&example.path).expect("a readable program");
        (example, text)
    };
    let programs: Vec<_> = examples().into_iter().map(read).collect();
    let comparisons = Comparison::all();
    let row = |name: &str| {
        let mut comparisons = comparisons.iter();
        let compared = comparisons
            .find(|program| program.functions.iter().any(|known| known == name))
            .map(|program| format!("`{}`", program.name));
        let [right, broken] = [true, false].map(|is_right| {
            let example = shortest(name, &programs, is_right);
            example.or(compared.clone()).unwrap_or_default()
        });
        format!(
            "| `{name}` | {} | {right} | {broken} |",
            meaning(name, &models)
        )
    };
    let mut lines: Vec<String> = names()
        .filter(|name| is_of_programs(name))
        .map(row)
        .collect();
    let links = models
        .iter()
        .map(|model| format!("[{0}]: ../frontend/library/{0}", model.file))
        .chain(
            programs
                .iter()
                .map(|(program, _)| format!("[{0}]: ../c-examples/{0}.c", program.name)),
        );
    let is_used = |link: &String| {
        let label = link.split(':').next().unwrap_or_default();
        lines
            .iter()
            .any(|line| line.contains(&format!("{label}[]")))
    };
    let links: Vec<String> = links.filter(is_used).collect();
    lines.push(String::new());
    lines.extend(links);
    lines
}

/// The page up to its table, and the rest.
fn split(page: &str) -> (&str, &str) {
    page.split_at(page.find(HEADING).expect("the head of the table") + HEADING.len())
}

#[test]
fn the_page_has_every_function() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let listed: Vec<&str> = split(&page).1.lines().collect();
    let contents = contents();
    let is_missing = |line: &&String| !listed.contains(&line.as_str());
    let missing: Vec<&String> = contents.iter().filter(is_missing).collect();
    assert!(missing.is_empty(), "`make table` writes {missing:#?}");
    assert_eq!(listed.len(), contents.len(), "`make table` removes lines");
}

#[test]
#[ignore = "writes the page: `make table`"]
fn write_the_page() {
    let page = fs::read_to_string(PAGE).expect("the page");
    let (head, _) = split(&page);
    fs::write(PAGE, format!("{head}{}\n", contents().join("\n"))).expect("the page");
}
