//! Input that cannot be used: every message names the input, the cause and what to do, and nothing crashes.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use frontend::input::{CLANG, Input, InputError};
use frontend::{Loaded, ReadOptions, load};
use program::check;

fn file(path: &Path, flags: &[&str]) -> Input {
    let flags: Vec<String> = flags.iter().map(|flag| (*flag).to_owned()).collect();
    Input::files(vec![path.to_owned()], &flags)
}

fn bytes(bytes: &[u8]) -> Input {
    Input::Bitcode {
        name: "given".to_owned(),
        bytes: bytes.to_vec(),
    }
}

fn read(input: &Input) -> Result<Loaded, InputError> {
    load(input, &ReadOptions::default())
}

/// The error that an input gives; its message contains all `words`.
fn refused(input: &Input, words: &[&str]) -> InputError {
    let Err(error) = read(input) else {
        panic!("{input:?} was read");
    };
    let message = error.to_string();
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
    error
}

/// A file of this name and content in a folder of its own, and the folder.
fn written(name: &str, content: &[u8]) -> (tempfile::TempDir, std::path::PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    fs::write(&path, content).expect("a file in the temporary folder");
    (folder, path)
}

/// Bitcode of an example, the same in every run.
fn bitcode() -> Vec<u8> {
    match read(&file(Path::new("../c-examples/peterson_broken.c"), &[])) {
        Ok(loaded) => loaded.module().to_bitcode(),
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn files_that_cannot_be_read() {
    let missing = refused(
        &file(Path::new("/nonexistent/a.c"), &[]),
        &["a.c", "name a C or LLVM file"],
    );
    assert!(matches!(missing, InputError::Unreadable { .. }));
    let unknown = refused(
        &file(Path::new("Cargo.toml"), &[]),
        &["Cargo.toml", ".bc", "rename"],
    );
    assert!(matches!(unknown, InputError::UnknownKind { .. }));
    let folder = tempfile::tempdir().expect("a temporary folder");
    let task = folder.path().join("a.yml");
    fs::write(&task, "format_version: '2.0'\n").expect("a file");
    let task = refused(
        &file(&task, &[]),
        &["a.yml", "task definition", "name the files"],
    );
    assert!(matches!(task, InputError::TaskDefinition { .. }));
    for name in ["folder", "folder.c", "folder.bc", "folder.ll"] {
        let path = folder.path().join(name);
        fs::create_dir(&path).expect("a folder");
        let error = refused(&file(&path, &[]), &[name, "is a directory", ".c"]);
        assert!(matches!(error, InputError::Directory { .. }));
    }
}

#[test]
fn files_without_permission() {
    for name in ["a.c", "a.bc", "a.ll"] {
        let (_folder, path) = written(name, b"int main(void) { return 0; }");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("own file");
        // The superuser may read everything.
        if fs::read(&path).is_err() {
            let error = refused(&file(&path, &[]), &[name, "ermission", "you may read it"]);
            assert!(matches!(error, InputError::Unreadable { .. }));
        }
    }
}

#[test]
fn what_is_no_bitcode() {
    let (_folder, empty) = written("empty.bc", b"");
    let error = refused(&file(&empty, &[]), &["empty.bc", "is empty", CLANG]);
    assert!(matches!(error, InputError::Empty { .. }));
    assert!(matches!(
        refused(&bytes(b""), &["given", "is empty", "failed", CLANG]),
        InputError::Empty { .. }
    ));
    assert!(matches!(
        refused(&bytes(b"int main;"), &["given", "no LLVM bitcode", CLANG]),
        InputError::NotBitcode { .. }
    ));
    assert!(matches!(
        refused(&bytes(b"BC\xc0\xde\0\0\0\0"), &["given", CLANG]),
        InputError::Malformed { .. }
    ));
    let (_folder, text) = written("wrong.ll", b"define i32 @main() {\n  ret i64 1\n}\n");
    let error = refused(
        &file(&text, &[]),
        &["wrong.ll`: line 2: value doesn't match", CLANG],
    );
    assert!(matches!(error, InputError::Malformed { .. }));
}

#[test]
fn c_files_that_are_no_program() {
    let refused = |text: &str, flags: &[&str], words: &[&str]| {
        let (_folder, path) = written("test.c", text.as_bytes());
        refused(&file(&path, flags), words)
    };
    assert!(matches!(
        refused(
            "int main(",
            &[],
            &["test.c", "error", "correct the program"]
        ),
        InputError::Compile { .. }
    ));
    for text in ["", "int f(void) { return 0; }", "int main(void);"] {
        assert!(matches!(
            refused(text, &[], &["test.c", "no function `main`", "link"]),
            InputError::NoMain { .. }
        ));
    }
    for target in ["--target=powerpc", "--target=armv7-linux-gnueabi", "-mx32"] {
        assert!(matches!(
            refused(
                "int main(void) { return 0; }",
                &[target],
                &["test.c", "is for a target", "compile it for"]
            ),
            InputError::Target { .. }
        ));
    }
}

/// The version of the format stands in the first block. Its bit is found by trying.
#[test]
fn bitcode_of_another_version() {
    let bitcode = bitcode();
    let versions = (20..40).map(|position| {
        let mut other = bitcode.clone();
        other[position] ^= 1 << 3;
        match read(&bytes(&other)) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    });
    let refused: Vec<String> = versions
        .filter(|message| message.contains("epoch"))
        .collect();
    assert!(!refused.is_empty());
    for message in refused {
        assert!(
            message.starts_with("LLVM 19 cannot use `given`: Incompatible epoch"),
            "{message}"
        );
        assert!(
            message.contains("another version") && message.contains(CLANG),
            "{message}"
        );
    }
}

#[test]
fn damaged_bitcode_is_an_error_or_a_program() {
    let bitcode = bitcode();
    // A linear congruential generator with a fixed seed (Knuth's constants).
    let mut seed = 19u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    let mut refused_for = Vec::new();
    for _ in 0..40 {
        let mut damaged = bitcode.clone();
        for _ in 0..=random(3) {
            damaged[random(bitcode.len())] ^= 1 << random(8);
        }
        match read(&bytes(&damaged)) {
            Ok(loaded) => assert_eq!(check::check(&loaded.program), []),
            Err(error) => refused_for.push(error.to_string()),
        }
    }
    assert!(refused_for.len() > 10, "{refused_for:#?}");
    for message in refused_for {
        assert!(
            message.contains("`given`") && message.len() > 40,
            "{message}"
        );
    }
    for _ in 0..10 {
        let length = random(bitcode.len());
        refused(&bytes(&bitcode[..length]), &["given", CLANG]);
    }
}

/// Labels of assembly can give a function a name with which LLVM's reader ends the process.
#[test]
fn names_of_intrinsics_do_not_end_the_process() {
    for text in [
        "void k(void) __asm__(\"llvm.evil\"); void k(void) {} int main(void) { k(); return 0; }",
        "int k __asm__(\"llvm.global_ctors\") = 1; int main(void) { return k; }",
        "int k(int) __asm__(\"llvm.abs.i32\"); int main(void) { return k(1); }",
    ] {
        let (_folder, path) = written("given.c", text.as_bytes());
        refused(&file(&path, &[]), &["LLVM 19 cannot use", "given.c"]);
    }
}
