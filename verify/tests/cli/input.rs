//! Input that cannot be used: a message with cause and remedy, and an exit code of its own.

use crate::common::{
    SAFE, assert_refused, bitcode, code, last_line, stdout, terminal, verify, verify_bytes,
    verify_text,
};

#[test]
fn files_that_cannot_be_read_are_named() {
    let readable = "name a C";
    assert_refused(
        &verify(&["missing.c"]),
        2,
        &["`missing.c`", "No such file", readable],
    );
    assert_refused(
        &verify(&["missing"]),
        2,
        &["`missing`", "No such file", readable],
    );
    assert_refused(&verify(&["."]), 2, &["`.`", "directory", readable]);
    let directory = tempfile::Builder::new()
        .suffix(".c")
        .tempdir()
        .expect("a temporary directory");
    let path = directory.path().to_string_lossy();
    assert_refused(&verify(&[&path]), 2, &[&path, "directory", readable]);
    assert_refused(
        &verify(&["README.md"]),
        2,
        &["`README.md`", ".bc", "rename"],
    );
}

#[test]
fn what_is_no_program_is_refused() {
    let text = |text| verify_text("given.c", text, &[]);
    assert_refused(
        &text("int helper(void) { return 1; }"),
        2,
        &["given.c", "main", "link"],
    );
    assert_refused(
        &text("int main(void) {\n  return undeclared;\n}\n"),
        2,
        &["given.c:2:10", "return undeclared;", "correct the program"],
    );
    assert_refused(
        &verify_text("given.bc", "text", &[]),
        2,
        &["given.bc", "no LLVM bitcode", "clang-19"],
    );
}

#[test]
fn bitcode_is_read_from_standard_input() {
    let program = bitcode(SAFE);
    for arguments in [&[][..], &["-"]] {
        let output = verify_bytes(&program, arguments);
        assert_eq!(
            (last_line(&output).as_str(), code(&output)),
            ("VERDICT: SAFE", 0)
        );
    }
    let half = &program[..program.len() / 2];
    assert_refused(&verify_bytes(half, &[]), 2, &["standard input", "clang-19"]);
    let no_bitcode = ["standard input", "no LLVM bitcode", "clang-19"];
    assert_refused(&verify_bytes(b"text", &[]), 2, &no_bitcode);
}

#[test]
fn nobody_waits_for_bitcode_that_does_not_come() {
    let remedy = "name a file, or pipe bitcode in";
    assert_refused(
        &verify_bytes(b"", &[]),
        2,
        &["standard input is empty", remedy],
    );
    assert_refused(&verify(&["-"]), 2, &["standard input is empty", remedy]);
    let typed = terminal("\"$verify\"");
    assert_eq!(code(&typed), 2);
    let shown = stdout(&typed);
    assert!(
        shown.contains("standard input is a terminal") && shown.contains(remedy),
        "{shown}"
    );
}

#[test]
fn other_versions_of_llvm_are_read_or_refused() {
    let remedy = "`clang-19 -g -emit-llvm -c`";
    let newer = "define i32 @main() {\n  %x = icmp samesign ult i32 1, 2\n  ret i32 0\n}\n";
    assert_refused(
        &verify_text("newer.ll", newer, &[]),
        2,
        &["newer.ll", "line 2", "samesign", remedy],
    );
    let older = "define i32 @main() {\n  %p = alloca i32\n  store i32 1, i32* %p\n  ret i32 0\n}\n";
    assert_eq!(code(&verify_text("older.ll", older, &[])), 0);
    let mut later = bitcode(SAFE);
    // The number of incompatible changes to the format; it stands behind the version of the producer.
    later[0x1c] ^= 8;
    assert_refused(
        &verify_bytes(&later, &[]),
        2,
        &["standard input", "Incompatible epoch", remedy],
    );
}

#[test]
fn conditions_need_the_dynamic_reduction() {
    let one = ["--dynamic", "cas"];
    let wrong = verify(&[&[SAFE], &one[..]].concat());
    assert_refused(&wrong, 1, &["--reduction dynamic", "--dynamic"]);
    let chosen = verify(&[&[SAFE, "--reduction", "dynamic"], &one[..]].concat());
    assert_eq!(last_line(&chosen), "VERDICT: SAFE");
    assert_eq!(code(&chosen), 0);
}
