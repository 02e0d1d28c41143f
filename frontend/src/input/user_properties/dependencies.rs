//! The files that a compiler reads, as it tells them to `make`.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Component, Path, PathBuf};

/// The files of a rule for `make`, as the compiler names them.
pub(super) fn files(rule: &[u8]) -> Vec<PathBuf> {
    let mut words = vec![Vec::new()];
    let mut bytes = rule.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek().copied()) {
            (b'\\', Some(b'\n')) => {}
            (b'\\', Some(next @ (b' ' | b'#'))) | (b'$', Some(next @ b'$')) => {
                bytes.next();
                if let Some(word) = words.last_mut() {
                    word.push(next);
                }
            }
            (b' ' | b'\n', _) => words.push(Vec::new()),
            (byte, _) => {
                if let Some(word) = words.last_mut() {
                    word.push(byte);
                }
            }
        }
    }
    let words = words.into_iter().filter(|word| !word.is_empty());
    // The first is the target.
    words
        .skip(1)
        .map(|word| OsString::from_vec(word).into())
        .collect()
}

/// A path without `.` and `..`, from the root, as the compiler looks files up in an overlay: symbolic links are not followed.
pub(super) fn lexical(folder: &Path, path: &Path) -> PathBuf {
    let mut whole = PathBuf::new();
    for component in folder.join(path).components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                whole.pop();
            }
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => {
                whole.push(component);
            }
        }
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_make_reads_them() {
        let rule = b"-: a\\ b.c \\\n  /usr/x\\#y.h \\\n  c$$d.h ../e.h\n";
        let expected = ["a b.c", "/usr/x#y.h", "c$d.h", "../e.h"].map(PathBuf::from);
        assert_eq!(files(rule), expected);
        assert_eq!(files(b""), Vec::<PathBuf>::new());
    }

    #[test]
    fn paths_become_those_that_the_compiler_looks_up() {
        for (path, expected) in [
            ("a.h", "/d/a.h"),
            ("./x/../a.h", "/d/a.h"),
            ("../a.h", "/a.h"),
            ("/x/./a.h", "/x/a.h"),
        ] {
            assert_eq!(
                lexical(Path::new("/d"), Path::new(path)),
                Path::new(expected)
            );
        }
    }
}
