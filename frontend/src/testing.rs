//! For tests: programs from texts and from files, and many of them at once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use program::model::Program;
use program::{check, print};

use crate::input::{Input, InputError};
use crate::{Loaded, ReadOptions, load};

/// Loads a file, as the command line does.
pub fn try_load_path(path: &Path, flags: &[&str]) -> Result<Loaded, InputError> {
    load_file(path, flags, &ReadOptions::default())
}

fn load_file(path: &Path, flags: &[&str], options: &ReadOptions) -> Result<Loaded, InputError> {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    load(&Input::files(vec![path.to_owned()], &flags), options)
}

/// Loads a file that is a program.
pub fn load_path(path: &Path, flags: &[&str]) -> Loaded {
    let loaded = try_load_path(path, flags);
    loaded.unwrap_or_else(|error| panic!("{}: {error}", abi::text::path(path)))
}

/// Loads a file of this name and content, which is written for that.
pub fn try_load_as(name: &str, content: &[u8], flags: &[&str]) -> Result<Loaded, InputError> {
    load_text(name, content, flags, &ReadOptions::default())
}

fn load_text(
    name: &str,
    content: &[u8],
    flags: &[&str],
    options: &ReadOptions,
) -> Result<Loaded, InputError> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file in the temporary folder");
    load_file(&path, flags, options)
}

/// Compiles and reads a text as `test.c`.
pub fn try_load(text: &str, flags: &[&str]) -> Result<Loaded, InputError> {
    try_load_as("test.c", text.as_bytes(), flags)
}

/// Reads a text that is a program, and checks that the automata are well formed.
pub fn read(text: &str, flags: &[&str]) -> Program {
    let loaded = try_load(text, flags);
    let program = loaded.unwrap_or_else(|error| panic!("{error}")).program;
    let violations: Vec<String> = check::check(&program)
        .iter()
        .map(ToString::to_string)
        .collect();
    let printed = print::display(&program).to_string();
    assert!(violations.is_empty(), "{violations:#?}\n{printed}");
    program
}

/// Reads a text that is a program with other options.
pub fn read_with(text: &str, options: &ReadOptions) -> Program {
    let loaded = load_text("test.c", text.as_bytes(), &[], options);
    loaded.unwrap_or_else(|error| panic!("{error}")).program
}

/// The C files of a folder, ordered by name.
pub fn c_files(folder: &Path) -> Vec<PathBuf> {
    let entries =
        fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", abi::text::path(folder)));
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "c"))
        .collect();
    paths.sort();
    paths
}

/// A number by which a test chooses some of the programs, that no other program changes.
pub fn number_of(path: &Path) -> usize {
    let name = path.file_stem().expect("a file has a name");
    name.as_encoded_bytes()
        .iter()
        .copied()
        .map(usize::from)
        .sum()
}

/// Handles all items, on as many threads as there are processors.
pub fn in_parallel<T>(items: impl Iterator<Item = T> + Send, handle: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let next = || items.lock().expect("no thread panicked").next();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = next() {
                    handle(item);
                }
            });
        }
    });
}
