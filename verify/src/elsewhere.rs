//! Where a function may be defined that the files of a program only declare.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// No more files of a folder are looked at, and no longer ones.
const MOST_FILES: usize = 256;
const LARGEST: u64 = 1 << 20;

/// For each of these functions, the first C file beside those of a program that seems to define it. Each file is read once.
pub(crate) fn definitions<'a>(
    files: &[PathBuf],
    mut functions: BTreeSet<&'a str>,
) -> BTreeMap<&'a str, PathBuf> {
    let mut found = BTreeMap::new();
    for path in sources(files).into_iter().take(MOST_FILES) {
        if functions.is_empty() {
            break;
        }
        let text = fs::read(&path).unwrap_or_default();
        functions.retain(|function| {
            let is_here = defines(&text, function);
            if is_here {
                found.insert(*function, path.clone());
            }
            !is_here
        });
    }
    found
}

/// The C files in the folders of these but themselves, in the order of their names, with the folders as they are given.
fn sources(files: &[PathBuf]) -> Vec<PathBuf> {
    let named: Vec<PathBuf> = files.iter().flat_map(fs::canonicalize).collect();
    let folders: BTreeSet<&Path> = files.iter().filter_map(|file| file.parent()).collect();
    let mut found = Vec::new();
    for folder in folders {
        let listed = match folder.as_os_str().is_empty() {
            true => Path::new("."),
            false => folder,
        };
        let entries = fs::read_dir(listed).into_iter().flatten().flatten();
        let others = entries.filter(|entry| {
            let path = entry.path();
            let is_small = |data: fs::Metadata| data.is_file() && data.len() <= LARGEST;
            path.extension().is_some_and(|end| end == "c")
                && entry.metadata().is_ok_and(is_small)
                && fs::canonicalize(path).is_ok_and(|path| !named.contains(&path))
        });
        found.extend(others.map(|entry| folder.join(entry.file_name())));
    }
    found.sort();
    found
}

/// Whether a C text has the name behind a type, and behind it parameters and a block.
fn defines(text: &[u8], function: &str) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = function.as_bytes();
    let places = text.windows(name.len().max(1)).enumerate();
    let mut places = places.filter(|(_, window)| *window == name);
    places.any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let follows_type = before.trim_ascii_end().last();
        !before.last().is_some_and(is_word)
            && follows_type.is_some_and(|byte| is_word(byte) || matches!(byte, b'*' | b')'))
            && behind_parameters(behind.trim_ascii_start())
                .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"{"))
    })
}

/// What stands behind the parenthesis that ends the one a text starts with.
fn behind_parameters(text: &[u8]) -> Option<&[u8]> {
    let mut depth = 0;
    for (at, byte) in text.iter().enumerate() {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return (*byte == b')').then(|| &text[at + 1..]);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_definition_is_a_type_a_name_parameters_and_a_block() {
        for text in [
            "int take(int n) { return n; }",
            "static inline void *\ntake (void (*f)(int), int n)\n{\n}",
        ] {
            assert!(defines(text.as_bytes(), "take"), "{text}");
        }
        for text in [
            "int take(int n);",
            "int main(void) { return take(1); }",
            "if (take(1)) { }",
            "int intake(int n) { return n; }",
            "int takes(int n) { return n; }",
            "int take = 3;",
            "int take(int n",
            "take",
            "",
        ] {
            assert!(!defines(text.as_bytes(), "take"), "{text}");
        }
        assert!(!defines(b"int take(int n) { return n; }", ""));
    }
}
