//! Where a function may be defined that the files of a program only declare.

use std::fs;
use std::path::{Path, PathBuf};

/// No more files of a folder are looked at, and no longer ones.
const MOST_FILES: usize = 256;
const LARGEST: u64 = 1 << 20;

/// The first C file beside those of a program that seems to define a function.
pub(crate) fn definition(files: &[PathBuf], function: &str) -> Option<PathBuf> {
    let folders = files.iter().filter_map(|file| file.parent());
    let beside = folders.flat_map(|folder| sources(folder, files));
    beside
        .take(MOST_FILES)
        .find(|path| fs::read(path).is_ok_and(|text| defines(&text, function)))
}

/// The C files of a folder but these, in the order of their names, with the folder as it is given.
fn sources(folder: &Path, files: &[PathBuf]) -> Vec<PathBuf> {
    let named: Vec<PathBuf> = files.iter().flat_map(fs::canonicalize).collect();
    let listed = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = fs::read_dir(listed).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| entry.path().extension().is_some_and(|end| end == "c"))
        .filter(|entry| {
            let is_small = |data: fs::Metadata| data.is_file() && data.len() <= LARGEST;
            entry.metadata().is_ok_and(is_small)
        })
        .filter(|entry| fs::canonicalize(entry.path()).is_ok_and(|path| !named.contains(&path)))
        .map(|entry| folder.join(entry.file_name()))
        .collect();
    found.sort();
    found
}

/// Whether a C text has the name behind a type, and behind it parameters and a block.
fn defines(text: &[u8], function: &str) -> bool {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    let name = function.as_bytes();
    let mut places = text.windows(name.len().max(1)).enumerate();
    places.any(|(at, window)| {
        let (before, behind) = (&text[..at], &text[at + name.len()..]);
        let follows_type = before.trim_ascii_end().last();
        window == name
            && !before.last().is_some_and(is_word)
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
