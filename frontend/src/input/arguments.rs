//! The compiler's arguments on the command lines of the tools.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use program::model::DataModel;

use super::database::CompilationDatabase;
use super::error::InputError;
use super::user_properties::UserProperty;

/// How C files are compiled.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerArguments {
    /// The folder of a compilation database, `compile_commands.json`, with more arguments for the files that it names.
    pub database: Option<PathBuf>,
    /// Arguments for all files, behind those of the database, such as `-DN=3`.
    pub all: Vec<String>,
    /// The data model, if not what the compiler takes by itself.
    pub data_model: Option<DataModel>,
    /// Whether the compiler checks the operands of signed arithmetic and of shifts.
    pub checks_overflow: bool,
    /// What is demanded of statements.
    pub user_properties: Vec<UserProperty>,
    /// Whether the compiler must not make accesses that the program does not.
    pub keeps_accesses: bool,
    /// Whether the compiler must keep all allocations, and what leads to them.
    pub keeps_allocations: bool,
}

impl CompilerArguments {
    /// The arguments for all files.
    pub(super) fn for_all(&self) -> Vec<String> {
        let flag = self
            .data_model
            .map(|model| model.compiler_flag().to_owned());
        flag.into_iter().chain(self.all.iter().cloned()).collect()
    }

    /// The files that a command line names; if it names none, all C files of the compilation database.
    ///
    /// # Errors
    /// The compilation database cannot be read, or has no C file.
    pub fn files(&self, named: Vec<PathBuf>) -> Result<Vec<PathBuf>, InputError> {
        match &self.database {
            Some(folder) if named.is_empty() => CompilationDatabase::of_folder(folder)?.c_files(),
            Some(_) | None => Ok(named),
        }
    }
}

/// The arguments of the compiler for a file with those that make it check operands. These checks are clang's own, because it knows
/// which types operands have, and how far a shift reaches. With `-fwrapv`, which `-fno-strict-overflow` means, too, signed arithmetic
/// has a value everywhere; the last of such flags counts, as it does for clang.
pub(super) fn with_checks(mut arguments: Vec<String>) -> Vec<String> {
    let last = |flags: [&str; 2]| {
        let mut from_the_end = arguments.iter().map(String::as_str).rev();
        from_the_end.find(|argument| flags.contains(argument))
    };
    let wraps = match last(["-fwrapv", "-fno-wrapv"]) {
        Some(flag) => flag == "-fwrapv",
        None => last(["-fstrict-overflow", "-fno-strict-overflow"]) == Some("-fno-strict-overflow"),
    };
    let mut checks = vec!["shift"];
    if !wraps {
        checks.push("signed-integer-overflow");
    }
    if arguments.iter().any(|argument| optimises(argument)) {
        // Else the reader says itself that nothing is divided by 0. What optimises takes that for granted before.
        checks.push("integer-divide-by-zero");
    }
    let checks = checks.join(",");
    arguments.extend(["", "-trap"].map(|how| format!("-fsanitize{how}={checks}")));
    // Functions that are to go unchecked are checked all the same.
    arguments.push("-fno-sanitize-ignorelist".into());
    arguments.extend(UNCHECKED.map(|attribute| format!("-D{attribute}=")));
    arguments
}

/// The arguments of the compiler for a file with those by which it adds no accesses to memory where it optimises: else it may read early what
/// the program reads later or never. That is what its check for data races needs, so it is told to check, but not to call anything.
pub(super) fn with_own_accesses(mut arguments: Vec<String>) -> Vec<String> {
    if arguments.iter().any(|argument| optimises(argument)) {
        arguments.extend(["-Xclang", "-fsanitize=thread"].map(String::from));
        for checked in [
            "memory-accesses",
            "func-entry-exit",
            "atomics",
            "memintrinsics",
        ] {
            arguments.push("-mllvm".into());
            arguments.push(format!("-tsan-instrument-{checked}=0"));
        }
    }
    arguments
}

/// The arguments of the compiler for a file with those by which it removes nothing where it optimises: else allocations disappear that
/// nothing uses, and stores to variables that nothing reads. It names the same macros as before, and marks what lives where.
pub(super) fn with_own_allocations(mut arguments: Vec<String>) -> Vec<String> {
    if arguments.iter().any(|argument| optimises(argument)) {
        arguments.extend(["-Xclang", "-disable-llvm-passes"].map(String::from));
    }
    arguments
}

/// Attributes by which clang does not check a function, as macros that leave nothing of them.
const UNCHECKED: [&str; 4] = [
    "no_sanitize(...)",
    "__no_sanitize__(...)",
    "no_sanitize_undefined",
    "__no_sanitize_undefined__",
];

/// What the names of these attributes have in common.
const UNCHECKED_NAME: &[u8] = b"no_sanitize";

/// Whether a file that is preprocessed, so that macros come too late, names such an attribute.
pub(super) fn may_go_unchecked(path: &Path) -> bool {
    let is_preprocessed = path.extension().is_some_and(|ending| ending == "i");
    let names_one = |content: Vec<u8>| {
        let mut windows = content.windows(UNCHECKED_NAME.len());
        windows.any(|window| window == UNCHECKED_NAME)
    };
    is_preprocessed && std::fs::read(path).is_ok_and(names_one)
}

/// Whether an argument makes the compiler optimise.
pub(super) fn optimises(argument: &str) -> bool {
    argument.starts_with("-O") && argument != "-O0"
}

/// Options of the compiler that a command line may have among its own, with the value in the same word or in the next.
const WITH_VALUE: [&str; 3] = ["-D", "-U", "-I"];
/// Those with the value in the same word only.
const JOINED: [&str; 1] = ["-std="];

/// A command line with the compiler's options that stand among its own (`-DN=3`, `-I include`, `-std=c11`) as values of
/// `--clang-arg`. What stands behind `--` stays.
pub fn with_compiler_options_named(mut words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let mut named = Vec::new();
    while let Some(word) = words.next() {
        let starts = |option: &&str| word.as_bytes().starts_with(option.as_bytes());
        if word == "--" {
            named.push(word);
            named.extend(words);
            break;
        }
        if word == "--clang-arg" {
            named.push(word);
            named.extend(words.next());
        } else if WITH_VALUE.iter().any(|option| word == **option) {
            named.push(clang_argument([&word, &words.next().unwrap_or_default()]));
        } else if WITH_VALUE.iter().chain(&JOINED).any(starts) {
            named.push(clang_argument([&word, OsStr::new("")]));
        } else {
            named.push(word);
        }
    }
    named
}

fn clang_argument(parts: [&OsStr; 2]) -> OsString {
    let mut word = OsString::from("--clang-arg=");
    word.extend(parts);
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(line: &str) -> String {
        let words = line.split(' ').map(OsString::from);
        let words = with_compiler_options_named(words).into_iter();
        let words = words.map(|word| word.into_string().expect("text"));
        words.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn options_of_the_compiler_are_told_from_others() {
        for (given, expected) in [
            ("verify -DN=3 a.c", "verify --clang-arg=-DN=3 a.c"),
            (
                "-D N=3 -I include",
                "--clang-arg=-DN=3 --clang-arg=-Iinclude",
            ),
            ("-UN -std=c11", "--clang-arg=-UN --clang-arg=-std=c11"),
            ("--clang-arg -DN --json", "--clang-arg -DN --json"),
            ("--clang-arg=-DN -DM", "--clang-arg=-DN --clang-arg=-DM"),
            ("a.c -- -DN -v", "a.c -- -DN -v"),
            ("-v -o -s --dynamic=cas", "-v -o -s --dynamic=cas"),
            ("-I", "--clang-arg=-I"),
            ("--clang-arg", "--clang-arg"),
        ] {
            assert_eq!(named(given), expected);
        }
    }
}
