//! Names are data: whatever a program calls its functions, variables and files, it means the same, and what is read of it is
//! printable.

use std::fs;
use std::process::Command;

use crate::common::c::{limits, outcome, search};
use explicit::explore::SearchVerdict;
use frontend::input::{CLANG, InputError};
use frontend::testing::try_load_as;
use program::model::Program;

/// Names in the notation of LLVM's strings that are the same for a reader who is careless: about bytes that are no UTF-8, about
/// what is printed of others, about what `normalize` calls copies of recursive functions.
const PAIRS: [[&str; 2]; 6] = [
    ["f\\FE", "f\\FF"],
    ["f\\FF", "f\\EF\\BF\\BD"],
    ["f\\0A", "f\\5Cu{a}"],
    ["f\\FF", "f\\5Cxff"],
    ["f", "f.recursion.1"],
    ["f", "f\\E2\\80\\AE"],
];

const HEAD: &str = "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"
target triple = \"x86_64-pc-linux-gnu\"
declare void @reach_error()
";

/// Two recursive functions, which count down and return 0 or 1, and two variables that hold 0 or 1; `main` calls the second function,
/// reads the second variable and takes the error if one of them is not 1.
fn twins([first, second]: [&str; 2]) -> String {
    let function = |name: &str, result: u32| {
        format!(
            "define i32 @\"{name}\"(i32 %n) {{
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
more:
  %m = sub i32 %n, 1
  %r = call i32 @\"{name}\"(i32 %m)
  ret i32 %r
end:
  ret i32 {result}
}}
@\"{name} \" = global i32 {result}
"
        )
    };
    format!(
        "{HEAD}{}{}define i32 @main() {{
  store volatile i32 7, ptr @\"{first} \"
  %r = call i32 @\"{second}\"(i32 2)
  %v = load volatile i32, ptr @\"{second} \"
  %b = and i32 %r, %v
  %c = icmp eq i32 %b, 1
  br i1 %c, label %ok, label %error
error:
  call void @reach_error()
  unreachable
ok:
  ret i32 0
}}
",
        function(first, 0),
        function(second, 1)
    )
}

fn file(name: &str, text: &[u8]) -> Result<Program, InputError> {
    try_load_as(name, text, &[]).map(|loaded| loaded.program)
}

fn assembly(text: &str) -> Program {
    file("given.ll", text.as_bytes()).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn is_proved(found: &SearchVerdict) -> bool {
    matches!(found, SearchVerdict::Safe(()))
}

#[test]
fn names_that_look_alike_are_told_apart() {
    for [first, second] in PAIRS {
        for pair in [[first, second], [second, first]] {
            let right = twins(pair);
            let found = search(&assembly(&right));
            assert!(is_proved(&found), "{found:?}\n{right}");
            let wrong = right.replace("br i1 %c, label %ok", "br i1 %c, label %error");
            let wrong = wrong.replace("label %error\nerror:", "label %ok\nerror:");
            let found = search(&assembly(&wrong));
            assert!(
                matches!(found, SearchVerdict::Unsafe(_)),
                "{found:?}\n{wrong}"
            );
        }
    }
}

#[test]
fn names_in_c_that_look_like_those_of_copies() {
    let text = "void reach_error(void);
int f(int n) { if (n == 0) return 0; return 1 + f(n - 1); }
int h(int n) __asm__(\"f.recursion.1\");
int h(int n) { if (n > 5) return h(n - 1); return -1; }
int main(void) { if (h(3) OPERATOR -1 || f(3) != 3) reach_error(); return 0; }
";
    assert!(is_proved(&outcome(&text.replace("OPERATOR", "!="), &[])));
    let wrong = outcome(&text.replace("OPERATOR", "=="), &[]);
    assert!(matches!(wrong, SearchVerdict::Unsafe(_)), "{wrong:?}");
}

#[test]
fn names_of_a_program_are_printable_and_differ() {
    for pair in PAIRS {
        let program = assembly(&twins(pair));
        let names = || program.globals.values().map(|global| global.name.as_str());
        for name in names() {
            let is_visible = |c: char| matches!(c, ' '..='~' | '\u{fffd}');
            assert!(name.chars().all(is_visible), "{name}");
            assert_eq!(names().filter(|other| *other == name).count(), 1, "{name}");
        }
    }
    let text = "int main(void) {\n#line 7 \"a\\nb\\\\c\\377\"\n  return *(volatile int *)\"\" + undefined();\n}\n";
    let program = file("given.c", text.as_bytes()).unwrap_or_else(|error| panic!("{error}"));
    let mut files = program.sites.values().map(|site| site.file.as_str());
    assert!(files.any(|file| file == r"a\u{a}b\\c\xff"));
}

#[test]
fn names_with_zero_bytes_are_refused() {
    let compiled = Command::new(CLANG)
        .args([
            "-x",
            "ir",
            "-Wno-everything",
            "-emit-llvm",
            "-c",
            "-o",
            "-",
            "-",
        ])
        .stdin(fs::File::open(written(&twins(["fXa", "fXb"])).path()).expect("the file"))
        .output()
        .expect("clang-19 runs");
    let mut bitcode = compiled.stdout;
    let mut cut = 0;
    for position in 1..bitcode.len() {
        if bitcode[position - 1..].starts_with(b"fX") {
            bitcode[position] = 0;
            cut += 1;
        }
    }
    assert!(cut > 1, "the names are in the bitcode as they are");
    // Bitcode is bitcode, whatever the file is called.
    for name in ["given.bc", "given.ll"] {
        let error = file(name, &bitcode).expect_err("LLVM's text cannot name this");
        let message = error.to_string();
        assert!(message.contains(r"`f\u{0}a"), "{message}");
        assert!(message.contains("zero byte"), "{message}");
    }
}

fn written(text: &str) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().expect("a temporary file");
    fs::write(&file, text).expect("the file is writable");
    file
}

#[test]
fn code_that_runs_before_main_is_not_passed_over() {
    let cases = [
        "__asm__(\".pushsection .init_array,\\\"aw\\\"\\n.quad set\\n.popsection\");",
        "void (*first)(void) __attribute__((section(\".init_array.5\"), used)) = set;",
        "void (*first)(void) __attribute__((section(\".ctors\"), used)) = set;",
        "static void *choose(void) { x = 1; return set; } void chosen(void) __attribute__((ifunc(\"choose\")));",
        "__attribute__((constructor)) static void first(int number) { x = number; }",
    ];
    for case in cases {
        let text = format!(
            "void reach_error(void); int x; void set(void) {{ x = 1; }}\n{case}\n\
             int main(void) {{ if (x) reach_error(); return 0; }}\n"
        );
        let reasons = limits(&outcome(&text, &[]), case);
        assert!(
            reasons.iter().any(|reason| reason.contains("unsupported")),
            "{reasons:?}"
        );
    }
    let harmless = "__asm__(\"  \"); __attribute__((section(\".init_data\"))) int x; int main(void) { return x; }";
    assert!(is_proved(&outcome(harmless, &[])));
}
