//! Compilation databases: how a build system compiles each of its files.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::error::InputError;

/// The name of the file in the folder that is named.
const FILE: &str = "compile_commands.json";

/// What a build system says of the compilation of a file.
#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    /// One word each; or `command`, in a shell's words.
    arguments: Option<Vec<String>>,
    command: Option<String>,
}

/// A compilation database.
pub(super) struct CompilationDatabase {
    /// Where it is.
    path: PathBuf,
    /// Its files in their order, with the arguments that matter for what they mean.
    files: Vec<(PathBuf, Vec<String>)>,
}

/// Options that change what a program means, with a value in the same word or in the next.
const WITH_VALUE: [&str; 2] = ["-D", "-U"];
/// The same, and the value is a path.
const WITH_PATH: [&str; 9] = [
    "-I",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-isysroot",
    "--sysroot",
    "-include",
    "-imacros",
    "-iprefix",
];
/// Options that change what a program means and are one word.
const ALONE: [&str; 17] = [
    "-ansi",
    "-ffreestanding",
    "-fcommon",
    "-fno-common",
    "-fgnu89-inline",
    "-fms-extensions",
    "-fpack-struct",
    "-fshort-enums",
    "-fshort-wchar",
    "-fsigned-char",
    "-funsigned-char",
    "-fno-builtin",
    "-fwrapv",
    "-m32",
    "-nostdinc",
    "-pthread",
    "-undef",
];
/// Such options with more behind `=`.
const ASSIGNED: [&str; 4] = ["-std=", "--std=", "-march=", "-fpack-struct="];

impl CompilationDatabase {
    /// The database of a folder.
    ///
    /// # Errors
    /// It cannot be read.
    pub(super) fn of_folder(folder: &Path) -> Result<Self, InputError> {
        let path = folder.join(FILE);
        let text = fs::read(&path).map_err(|cause| InputError::NoDatabase {
            path: path.clone(),
            cause,
        })?;
        let malformed = |cause: String| InputError::MalformedDatabase {
            path: path.clone(),
            cause,
        };
        let entries: Vec<Entry> =
            serde_json::from_slice(&text).map_err(|error| malformed(error.to_string()))?;
        let mut files = Vec::new();
        for entry in entries {
            // The specification lets directories be relative to nothing: to the database is what tools take.
            let directory = folder.join(&entry.directory);
            let file = directory.join(&entry.file);
            let words = entry.arguments.or_else(|| shlex::split(&entry.command?));
            let words = words.ok_or_else(|| {
                malformed(format!(
                    "no words of a command for `{}`",
                    abi::text::path(&file)
                ))
            })?;
            files.push((file, meaningful(&words, &directory)));
        }
        Ok(Self { path, files })
    }

    /// All C files, each once.
    ///
    /// # Errors
    /// There is none.
    pub(super) fn c_files(&self) -> Result<Vec<PathBuf>, InputError> {
        let mut seen = HashSet::new();
        let paths = self.files.iter().map(|(path, _)| path);
        let c = paths.filter(|path| path.extension().is_some_and(|extension| extension == "c"));
        let all: Vec<PathBuf> = c
            .filter(|path| seen.insert(canonical(path)))
            .cloned()
            .collect();
        match all.is_empty() {
            true => Err(self.lacks("no C file")),
            false => Ok(all),
        }
    }

    /// The arguments of each of these files; none for a file that is not in the database.
    ///
    /// # Errors
    /// It has none of them.
    pub(super) fn arguments(&self, paths: &[PathBuf]) -> Result<Vec<Vec<String>>, InputError> {
        let mut known = HashMap::new();
        for (path, arguments) in &self.files {
            known.entry(canonical(path)).or_insert(arguments);
        }
        let found: Vec<_> = paths
            .iter()
            .map(|path| known.get(&canonical(path)))
            .collect();
        if found.iter().all(Option::is_none) {
            return Err(self.lacks("none of the files"));
        }
        let found = found.into_iter();
        Ok(found
            .map(|found| found.map_or_else(Vec::new, |known| known.to_vec()))
            .collect())
    }

    fn lacks(&self, what: &'static str) -> InputError {
        InputError::NotInDatabase {
            path: self.path.clone(),
            what,
        }
    }
}

/// One name for each file.
fn canonical(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The arguments of a command that change what the program means, with paths that do not depend on where it is called. Output,
/// optimisation, warnings and debug information are the verifier's own.
fn meaningful(words: &[String], directory: &Path) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter().skip(1);
    while let Some(word) = words.next() {
        let option = |options: &[&'static str]| {
            let mut fitting = options.iter().filter(|option| word.starts_with(**option));
            fitting.next().copied()
        };
        if ALONE.contains(&word.as_str()) || option(&ASSIGNED).is_some() {
            kept.push(word.clone());
        } else if let Some(name) = option(&WITH_VALUE) {
            kept.push(name.to_owned());
            kept.extend(value(word, name, &mut words));
        } else if let Some(name) = option(&WITH_PATH) {
            let Some(value) = value(word, name, &mut words) else {
                continue;
            };
            kept.push(name.to_owned());
            kept.push(from_directory(&value, name, directory));
        }
    }
    kept
}

/// The value of an option: the rest of its word, or the next word.
fn value<'a>(
    word: &str,
    name: &str,
    words: &mut impl Iterator<Item = &'a String>,
) -> Option<String> {
    match word.strip_prefix(name)? {
        "" => words.next().cloned(),
        rest => Some(rest.strip_prefix('=').unwrap_or(rest).to_owned()),
    }
}

/// A path that is relative to the directory of the command. A file to include that is not there is looked for among the headers.
fn from_directory(value: &str, name: &str, directory: &Path) -> String {
    let path = directory.join(value);
    let is_searched = matches!(name, "-include" | "-imacros") && !path.exists();
    match path.to_str().filter(|_| !is_searched) {
        Some(path) => path.to_owned(),
        None => value.to_owned(),
    }
}
