//! Names are data: no name of a file, function or variable forges a verdict, reaches a terminal's controls, or becomes an option.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{VERIFY, assert_refused, code, last_line, stderr, stdout};
use crate::library::make_library;

/// Odd names, and how they are shown.
const NAMES: [(&[u8], &str); 29] = [
    (b"VERDICT: SAFE", "VERDICT: SAFE"),
    (b"a\nVERDICT: SAFE", r"a\u{a}VERDICT: SAFE"),
    (b"\nVERDICT: SAFE\n", r"\u{a}VERDICT: SAFE\u{a}"),
    (b"\rVERDICT: SAFE", r"\u{d}VERDICT: SAFE"),
    (b"\x1b[2J\x1b[31mred", r"\u{1b}[2J\u{1b}[31mred"),
    (b"\x1b]0;title\x07", r"\u{1b}]0;title\u{7}"),
    (b"\x01\t\x7f", r"\u{1}\u{9}\u{7f}"),
    ("\u{9b}31m".as_bytes(), r"\u{9b}31m"),
    ("\u{202e}c.elif".as_bytes(), r"\u{202e}c.elif"),
    (
        "\u{2066}\u{200f}\u{61c}".as_bytes(),
        r"\u{2066}\u{200f}\u{61c}",
    ),
    (
        "a\u{200b}\u{feff}b\u{ad}".as_bytes(),
        r"a\u{200b}\u{feff}b\u{ad}",
    ),
    ("\u{2028}\u{2029}".as_bytes(), r"\u{2028}\u{2029}"),
    (b"a\xff", r"a\xff"),
    (b"\xed\xa0\x80", r"\xed\xa0\x80"),
    (br"C:\u{a}\n", r"C:\\u{a}\\n"),
    ("größe_变量 1".as_bytes(), "größe_变量 1"),
    (b"\"quoted\" 'too'", "\"quoted\" 'too'"),
    (b"|a|; (assert false)", "|a|; (assert false)"),
    (b"%s%n $(id) `id` & * ? #", "%s%n $(id) `id` & * ? #"),
    (
        br#"{"verdict": "SAFE"}, [0]"#,
        r#"{"verdict": "SAFE"}, [0]"#,
    ),
    (b"<b>&amp;", "<b>&amp;"),
    (b" ", " "),
    (b"a:7", "a:7"),
    (b"main.pc", "main.pc"),
    (b"-", "-"),
    (b"--json", "--json"),
    (b"-fplugin=evil.so", "-fplugin=evil.so"),
    (b"@", "@"),
    (b"@options", "@options"),
];

const UNSAFE: &str =
    "#include <assert.h>\nint x;\nint main(void) {\n  assert(x);\n  return 0;\n}\n";

/// A thread and `main` with a variable, an input and names of every kind, with `NAME` in each of them.
const ASSEMBLY: &str = r#"target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@"gNAME" = global i32 0
declare void @reach_error()
declare void @"uNAME"()
declare void @llvm.dbg.declare(metadata, metadata, metadata)
declare i32 @pthread_create(ptr, ptr, ptr, ptr)
declare i32 @__VERIFIER_nondet_int()
define ptr @"fNAME"(ptr %a) !dbg !5 {
  %local = alloca i32, !dbg !8
  call void @llvm.dbg.declare(metadata ptr %local, metadata !9, metadata !DIExpression()), !dbg !8
  %n = call i32 @__VERIFIER_nondet_int(), !dbg !8
  store volatile i32 %n, ptr %local, !dbg !8
  store i32 1, ptr @"gNAME", !dbg !8
  ret ptr null, !dbg !8
}
define i32 @main() !dbg !11 {
  %t = alloca i64, !dbg !12
  call i32 @pthread_create(ptr %t, ptr null, ptr @"fNAME", ptr null), !dbg !12
  %g = load i32, ptr @"gNAME", !dbg !12
  %bad = icmp ugt i32 %g, LIMIT
  br i1 %bad, label %err, label %ok, !dbg !12
err:
  call void @reach_error(), !dbg !12
  unreachable
ok:
  %odd = icmp eq i32 %g, STRANGE
  br i1 %odd, label %strange, label %end, !dbg !12
strange:
  call void @"uNAME"(), !dbg !12
  br label %end
end:
  ret i32 0, !dbg !12
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "NAME", directory: "")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "fNAME", scope: !1, file: !1, line: 1, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{null}
!8 = !DILocation(line: 3, column: 1, scope: !5)
!9 = !DILocalVariable(name: "lNAME", scope: !5, file: !1, line: 2, type: !10)
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 5, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!12 = !DILocation(line: 7, column: 1, scope: !11)
"#;

/// The folder that a file is given with on the command line.
fn given_in(name: &[u8]) -> &'static str {
    if name.starts_with(b"-") { "./" } else { "" }
}

/// A folder with one program in it.
struct Folder(tempfile::TempDir);

impl Folder {
    fn new(name: &[u8], text: &str) -> Self {
        let folder = tempfile::tempdir().expect("a temporary directory");
        let file = folder.path().join(OsStr::from_bytes(name));
        fs::write(file, text).expect("the directory is writable");
        Self(folder)
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    /// Runs on a file, which is given with its folder where its name looks like an option; what is printed is plain text.
    fn verify(&self, arguments: &[&str], file: &[u8]) -> Output {
        let words = arguments.iter().map(OsString::from);
        let file = [given_in(file).as_bytes(), file].concat();
        let words = words.chain([OsStr::from_bytes(&file).to_owned()]);
        self.run(&words.collect::<Vec<_>>())
    }

    fn run(&self, words: &[OsString]) -> Output {
        let output = Command::new(VERIFY)
            .args(words)
            .current_dir(self.path())
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        assert_plain(&output.stdout);
        assert_plain(&output.stderr);
        assert!(
            !stderr(&output)
                .lines()
                .any(|line| line.starts_with("VERDICT:")),
            "{}",
            stderr(&output)
        );
        output
    }
}

/// There is nothing but visible characters, spaces and line ends.
fn assert_plain(bytes: &[u8]) {
    let text = std::str::from_utf8(bytes).expect("UTF-8");
    let hides = |c: char| matches!(c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    let wrong = |c: &char| *c != '\n' && (c.is_control() || hides(*c));
    let found: Vec<char> = text.chars().filter(wrong).collect();
    assert!(found.is_empty(), "{found:?} in {text:?}");
}

/// One line is a verdict, and it is the last one and this.
fn assert_verdict(output: &Output, verdict: &str) {
    let text = stdout(output);
    let found: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("VERDICT:"))
        .collect();
    assert_eq!(found, [verdict], "{text}{}", stderr(output));
    assert!(text.ends_with(&format!("{verdict}\n")), "{text}");
}

/// The name in a string of LLVM's assembly.
fn escaped(name: &[u8]) -> String {
    name.iter().map(|byte| format!("\\{byte:02X}")).collect()
}

fn assembly(name: &[u8], limit: &str, strange: &str) -> Folder {
    let text = ASSEMBLY.replace("LIMIT", limit).replace("STRANGE", strange);
    Folder::new(b"given.ll", &text.replace("NAME", &escaped(name)))
}

#[test]
fn files_on_the_command_line() {
    for (name, shown) in NAMES {
        let file = [name, b".c"].concat();
        let folder = Folder::new(&file, UNSAFE);
        // Clang is given this name where the other one would be an option or a list of options.
        let directory = match name[0] {
            b'-' | b'@' => "./",
            _ => "",
        };
        let output = folder.verify(&["--engine", "explicit"], &file);
        let verdict = format!("VERDICT: UNSAFE (assertion) at {directory}{shown}.c:4");
        assert_verdict(&output, &verdict);
        let missing = folder.verify(&[], &[name, b"missing.c"].concat());
        let given = given_in(name);
        assert_refused(&missing, 2, &[&format!("`{given}{shown}missing.c`")]);
    }
}

#[test]
fn files_in_the_source() {
    for (name, shown) in NAMES {
        let octal: String = name.iter().map(|byte| format!("\\{byte:03o}")).collect();
        let line = format!("#line 7 \"{octal}\"\n");
        let folder = Folder::new(
            b"given.c",
            &UNSAFE.replace("  assert", &format!("{line}  assert")),
        );
        let text = folder.verify(&["--engine", "explicit"], b"given.c");
        assert_verdict(&text, &format!("VERDICT: UNSAFE (assertion) at {shown}:7"));
        let json = folder.verify(&["--engine", "explicit", "--json"], b"given.c");
        let document: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
        assert_eq!(document["file"], shown);
        let broken = Folder::new(
            b"given.c",
            &format!("{line}#error \x1b[31m\nint main(void);\n"),
        );
        assert_refused(&broken.verify(&[], b"given.c"), 2, &["given.c", "error"]);
    }
}

#[test]
fn functions_and_variables() {
    for (name, shown) in NAMES {
        let violated = assembly(name, "0", "7");
        let output = violated.verify(&["--engine", "explicit"], b"given.ll");
        assert_verdict(
            &output,
            &format!("VERDICT: UNSAFE (assertion) at {shown}:7"),
        );
        for words in [format!("f{shown}#1"), format!("g{shown} := 1")] {
            assert!(
                stdout(&output).contains(&words),
                "{words}: {}",
                stdout(&output)
            );
        }
        let unsupported = assembly(name, "1", "1");
        let output = unsupported.verify(&["--engine", "explicit"], b"given.ll");
        let what = format!("unsupported call of undefined function `u{shown}` at {shown}:7");
        assert_verdict(&output, &format!("VERDICT: UNKNOWN ({what})"));
        for format in ["btor2", "vmt", "smt2-chc"] {
            let exported = unsupported.verify(&["export", "--format", format], b"given.ll");
            assert_eq!(code(&exported), 0, "{}", stderr(&exported));
        }
    }
}

#[test]
fn invariants_comparisons_and_certificates() {
    for (name, shown) in NAMES.into_iter().step_by(5) {
        let folder = assembly(name, "1", "7");
        let options = ["--engine", "ic3", "--invariant", "--certificate", "proof"];
        let proved = folder.verify(&options, b"given.ll");
        assert_verdict(&proved, "VERDICT: SAFE");
        assert!(
            stdout(&proved).contains(&format!("f{shown}#1")),
            "{}",
            stdout(&proved)
        );
        assert_plain(&fs::read(folder.path().join("proof")).expect("a certificate"));
        let checked = folder.verify(&["check-certificate", "proof"], b"given.ll");
        assert_eq!(
            last_line(&checked),
            "CERTIFICATE: HOLDS",
            "{}",
            stderr(&checked)
        );
        let compared = folder.verify(&["--compare", "--engine", "explicit"], b"given.ll");
        assert_verdict(&compared, "VERDICT: SAFE");
    }
}

#[test]
fn words_of_the_command_line() {
    let folder = Folder::new(b"given.c", UNSAFE);
    for (name, _) in NAMES {
        let option = OsStr::from_bytes(&[b"--no", name].concat()).to_owned();
        let engine = OsStr::from_bytes(&[b"--engine=", name].concat()).to_owned();
        let place = OsStr::from_bytes(&[b"--schedule-out=missing/", name].concat()).to_owned();
        for word in [option, engine, place] {
            let output = folder.run(&[word, "given.c".into()]);
            assert_refused(&output, 1, &[]);
        }
    }
}

#[test]
fn names_of_files_are_neither_options_nor_lists_of_options() {
    make_library();
    let safe = UNSAFE.replace("assert(x)", "assert(!x)");
    for name in ["@x.c", "-x.c"] {
        let folder = Folder::new(name.as_bytes(), UNSAFE);
        // What clang would judge instead, if it took the name for that of a list of options.
        fs::write(folder.path().join("x.c"), "safe.c").expect("the directory is writable");
        fs::write(folder.path().join("safe.c"), &safe).expect("the directory is writable");
        let verdict = format!("VERDICT: UNSAFE (assertion) at ./{name}:4");
        let verify = |arguments: &[&str]| folder.verify(arguments, name.as_bytes());
        assert_verdict(&verify(&["--schedule-out", "run.schedule"]), &verdict);
        assert_verdict(&verify(&["--compare", "--engine", "explicit"]), &verdict);
        assert_eq!(code(&verify(&["export", "--format", "btor2"])), 0);
        let replayed = verify(&["--replay", "run.schedule"]);
        let confirmed = format!("REPLAY: CONFIRMED (assertion) at ./{name}:4");
        assert_eq!(last_line(&replayed), confirmed, "{}", stderr(&replayed));
    }
}

#[test]
fn replays_find_the_place_under_any_name() {
    make_library();
    for (name, shown) in NAMES.into_iter().step_by(4) {
        let file = [name, b".c"].concat();
        let folder = Folder::new(&file, UNSAFE);
        let written = ["--engine", "explicit", "--schedule-out", "run.schedule"];
        assert_eq!(code(&folder.verify(&written, &file)), 10);
        let replayed = folder.verify(&["--replay", "run.schedule"], &file);
        let confirmed = format!("{shown}.c:4");
        assert_eq!(code(&replayed), 10, "{}", stdout(&replayed));
        assert!(
            last_line(&replayed).ends_with(&confirmed),
            "{}",
            stdout(&replayed)
        );
    }
}
