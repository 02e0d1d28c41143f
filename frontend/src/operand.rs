//! Paths on the command lines of other programs.

use std::path::{Path, PathBuf};

/// The path in a form that clang, its linker and LLVM's tools take for the name of a file, whatever it is called: `-x.c` would be
/// an option, and `@x.c` would be replaced by the options that the file contains.
///
/// ```
/// use std::path::Path;
/// use frontend::operand;
/// assert_eq!(operand(Path::new("@x.c")), Path::new("./@x.c"));
/// assert_eq!(operand(Path::new("x.c")), Path::new("x.c"));
/// ```
pub fn operand(path: &Path) -> PathBuf {
    match path.as_os_str().as_encoded_bytes() {
        [b'-' | b'@', ..] => Path::new(".").join(path),
        _ => path.to_owned(),
    }
}
