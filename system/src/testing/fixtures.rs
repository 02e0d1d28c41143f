//! The systems in `fixtures/`, with their expected verdicts.

use std::path::Path;

use crate::export::{btor2, vmt};
use crate::transition_system::TransitionSystem;

/// A file of `fixtures/`.
#[derive(Debug)]
pub struct Fixture {
    /// The name of the file, without its extension.
    pub name: String,
    /// What the file describes.
    pub system: TransitionSystem,
    /// Transitions of a shortest violation; the file says `; expect: safe` or `; expect: unsafe <transitions>`.
    pub violation: Option<usize>,
}

/// All fixtures, by name.
pub fn fixtures() -> Vec<Fixture> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = std::fs::read_dir(folder).expect("the fixtures are there");
    let mut fixtures: Vec<Fixture> = entries
        .map(|entry| read(&entry.expect("readable").path()))
        .collect();
    fixtures.sort_by(|one, other| one.name.cmp(&other.name));
    fixtures
}

/// The system of this name.
pub fn fixture(name: &str) -> TransitionSystem {
    let mut fixtures = fixtures().into_iter();
    let fixture = fixtures.find(|fixture| fixture.name == name);
    fixture.expect("there is a fixture of this name").system
}

fn read(path: &Path) -> Fixture {
    let part =
        |part: Option<&std::ffi::OsStr>| part.and_then(|part| part.to_str()).map(str::to_owned);
    let name = part(path.file_stem()).expect("a name");
    let text = std::fs::read_to_string(path).expect("readable");
    let system = match part(path.extension()).as_deref() {
        Some("vmt") => vmt::parse(&text),
        _ => btor2::parse(&text),
    };
    let mut lines = text.lines();
    let expected = lines.find_map(|line| line.strip_prefix("; expect: "));
    let violation = match expected.expect("an expectation") {
        "safe" => None,
        other => {
            let depth = other.strip_prefix("unsafe ");
            Some(depth.expect("a verdict").parse().expect("a depth"))
        }
    };
    Fixture {
        system: system.unwrap_or_else(|error| panic!("{name}: {error}")),
        name,
        violation,
    }
}
