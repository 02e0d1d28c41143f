//! The command line as a user meets it: what comes out, bad input, where output goes.
#![allow(clippy::disallowed_methods)] // The names and texts are the project's own.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use frontend::input::Input;
use frontend::{ReadOptions, load};
use instrument::{Reduction, emit, plan};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

const INSTRUMENT: &str = env!("CARGO_BIN_EXE_instrument");
const EXAMPLES: [&str; 4] = [
    "peterson.c",
    "counter_mutex.c",
    "atomic_function.c",
    "lock_on_one_way.c",
];

fn examples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples")
}

/// Runs in the folder of the examples, so that they are named without a path.
fn instrument(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(INSTRUMENT)
        .args(arguments)
        .current_dir(examples())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut standard_input = child.stdin.take().expect("standard input is a pipe");
    // Who names a file does not read standard input.
    let _ = standard_input.write_all(input);
    drop(standard_input);
    child.wait_with_output().expect("the binary ends")
}

/// Runs a shell script in the folder of the examples; `$instrument` is the binary.
fn shell(script: &str) -> Output {
    Command::new("sh")
        .args(["-c", script])
        .env("instrument", INSTRUMENT)
        .current_dir(examples())
        .stdin(Stdio::null())
        .output()
        .expect("the shell runs")
}

fn bitcode(example: &str) -> Vec<u8> {
    let compiled = Command::new("clang-19")
        .args(["-O0", "-g", "-emit-llvm", "-c", "-o", "-", example])
        .current_dir(examples())
        .output()
        .expect("clang-19 runs");
    assert!(compiled.status.success());
    compiled.stdout
}

fn code(output: &Output) -> i32 {
    output.status.code().expect("no signal ended the binary")
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn assert_refused(output: &Output, exit_code: i32, words: &[&str]) {
    let message = stderr(output);
    assert_eq!(code(output), exit_code, "{message}");
    assert!(output.stdout.is_empty(), "there is output");
    for word in words {
        assert!(message.contains(word), "`{word}` is missing in: {message}");
    }
}

#[test]
fn the_output_is_what_the_library_makes() {
    for example in EXAMPLES {
        for reduction in Reduction::ALL {
            let bytes = bitcode(example);
            let name = reduction.to_string();
            let output = instrument(&["--reduction", &name], &bytes);
            assert_eq!(code(&output), 0, "{}", stderr(&output));
            let name = "standard input".to_owned();
            let loaded = load(&Input::Bitcode { name, bytes }, &ReadOptions::default())
                .expect("it is bitcode");
            let instances = instantiate(&loaded.program, &Bounds::default());
            let points_to = PointsTo::analyse(&loaded.program, &instances);
            let plan = plan(&loaded.program, &instances, &points_to, reduction);
            let expected = emit(&loaded, &plan).expect("the plan fits the module");
            assert!(output.stdout == expected, "{example} {reduction}");
        }
    }
}

#[test]
fn llvm_accepts_the_output() {
    for example in EXAMPLES {
        let script = format!(
            "\"$instrument\" {example} | opt-19 -passes=verify -S -o - - | grep -c mazurka"
        );
        let checked = shell(&script);
        assert_eq!(code(&checked), 0, "{example}: {}", stderr(&checked));
        assert!(checked.stderr.is_empty(), "{example}: {}", stderr(&checked));
    }
}

#[test]
fn files_and_standard_streams_are_the_same() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let input = directory.path().join("in.bc");
    let bytes = bitcode(EXAMPLES[0]);
    fs::write(&input, &bytes).expect("the directory is writable");
    let output = directory.path().join("out.bc");
    let (input, output) = (input.to_string_lossy(), output.to_string_lossy());
    let to_file = instrument(&[&input, "-o", &output], b"");
    assert_eq!(
        (code(&to_file), to_file.stdout.len()),
        (0, 0),
        "{}",
        stderr(&to_file)
    );
    let to_stdout = instrument(&["-", "-o", "-"], &bytes);
    assert_eq!(code(&to_stdout), 0, "{}", stderr(&to_stdout));
    let load = |bytes: Vec<u8>| {
        let name = "same".to_owned();
        let loaded = load(&Input::Bitcode { name, bytes }, &ReadOptions::default());
        loaded.expect("it is bitcode").program
    };
    let written = fs::read(&*output).expect("the file was written");
    assert!(load(written) == load(to_stdout.stdout));
}

#[test]
fn the_explanation_is_text() {
    for example in ["counter_mutex.c", "atomic_section_broken.c"] {
        let output = instrument(&[example, "--explain"], b"");
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        insta::assert_snapshot!(example, String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn bad_input_is_refused_with_cause_and_remedy() {
    let remedy = "make it with `clang-19";
    assert_refused(&instrument(&[], b"text"), 2, &["standard input", remedy]);
    let half = &bitcode(EXAMPLES[0])[..1000];
    assert_refused(&instrument(&[], half), 2, &["standard input", "clang-19"]);
    assert_refused(
        &instrument(&[], b""),
        2,
        &["standard input is empty", "name a file"],
    );
    assert_refused(
        &instrument(&["missing.c"], b""),
        2,
        &["missing.c", "No such file", "name a"],
    );
    assert_refused(&instrument(&["README.md"], b""), 2, &["README.md", ".bc"]);
    let once = instrument(&[EXAMPLES[0]], b"").stdout;
    assert_refused(&instrument(&[], &once), 2, &["instrumented"]);
}

#[test]
fn wrong_usage_has_its_own_exit_code() {
    assert_refused(
        &instrument(&["--reduction", "much", "a.c"], b""),
        1,
        &["much", "static"],
    );
    assert_refused(
        &instrument(&["a.c", "--explain", "-o", "b"], b""),
        1,
        &["--explain"],
    );
    let unwritable = ["peterson.c", "-o", "no/such/directory"];
    assert_refused(
        &instrument(&unwritable, b""),
        1,
        &["cannot write", "no/such/directory"],
    );
    assert_eq!(code(&instrument(&["--version"], b"")), 0);
}

#[test]
fn output_that_cannot_be_written_is_no_success() {
    let full = shell("\"$instrument\" peterson.c > /dev/full");
    assert_refused(&full, 1, &["cannot write to standard output"]);
    let mut child = Command::new(INSTRUMENT)
        .arg("peterson.c")
        .current_dir(examples())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_refused(&output, 1, &["cannot write to standard output"]);
}

#[test]
fn outputs_that_cannot_be_written_have_the_codes_of_all_tools() {
    for (command, full_output, full_errors) in [
        ("--help", 1, 0),
        ("--version", 1, 0),
        ("peterson.c", 1, 0),
        ("--nonsense", 1, 1),
        ("missing.c", 2, 2),
    ] {
        let code = |redirection: &str| {
            let script = format!("\"$instrument\" {command} {redirection}");
            code(&shell(&script))
        };
        assert_eq!(code("> /dev/full"), full_output, "{command}");
        assert_eq!(code("> /dev/null 2> /dev/full"), full_errors, "{command}");
        assert_eq!(code("> /dev/null 2>&-"), full_errors, "{command}");
        assert_eq!(code("> /dev/full 2> /dev/full"), full_output, "{command}");
    }
    let message = stderr(&shell("\"$instrument\" --version > /dev/full"));
    assert!(message.contains("cannot write to standard output: No space"));
}

/// How many processes were given this word.
fn processes_with(word: &str) -> usize {
    let processes = fs::read_dir("/proc").expect("a Linux").flatten();
    let lines = processes.filter_map(|process| fs::read(process.path().join("cmdline")).ok());
    let has_word = |line: &Vec<u8>| {
        line.split(|&byte| byte == 0)
            .any(|found| found == word.as_bytes())
    };
    lines.filter(has_word).count()
}

#[test]
fn the_compiler_ends_with_the_tool() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    // A pipe to which no process writes.
    let pipe = Command::new("mkfifo")
        .arg(directory.path().join("never.h"))
        .status();
    assert!(pipe.expect("mkfifo runs").success());
    let file = directory.path().join("waits.c");
    fs::write(&file, "#include \"never.h\"\n").expect("the directory is writable");
    let mut child = Command::new(INSTRUMENT)
        .arg(&file)
        .stdout(Stdio::null())
        .spawn()
        .expect("the binary runs");
    let word = file.to_string_lossy();
    let wait_until = |is_so: &dyn Fn(usize) -> bool| {
        let start = Instant::now();
        while !is_so(processes_with(&word)) {
            assert!(
                start.elapsed() < Duration::from_secs(120),
                "{}",
                processes_with(&word)
            );
            sleep(Duration::from_millis(5));
        }
    };
    // The tool, the fork server and the reaper, which are copies of it, and the compiler.
    wait_until(&|count| count == 4);
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    wait_until(&|count| count == 0);
}

#[test]
fn conditions_are_explained_and_can_be_chosen() {
    let explained = |example: &str, kinds: &[&str]| {
        let output = instrument(
            &[&[example, "--reduction", "dynamic", "--explain"], kinds].concat(),
            b"",
        );
        assert_eq!(code(&output), 0, "{}", stderr(&output));
        String::from_utf8(output.stdout).expect("text")
    };
    let [differs, address, unreached] = [
        "both mover while memory does not hold 0",
        "can use the address at",
        "no other thread can reach",
    ];
    let table = explained("hash_table_found.c", &[]);
    assert!(table.contains(differs), "{table}");
    let balance = explained("load_balancing.c", &[]);
    assert!(balance.contains(address), "{balance}");
    let table = explained("hash_table_found.c", &["--dynamic", "reachability"]);
    assert!(
        !table.contains(differs) && !table.contains(unreached),
        "others get to it until they end: {table}"
    );
    let scan = explained("lazy_init_scan.c", &["--dynamic", "reachability"]);
    assert!(scan.contains(unreached), "{scan}");
    let balance = explained("load_balancing.c", &["--dynamic", "cas"]);
    assert!(
        !balance.contains(address) && !balance.contains(unreached),
        "{balance}"
    );
}

#[test]
fn conditions_need_the_dynamic_reduction() {
    let wrong = instrument(&["peterson.c", "--dynamic", "cas"], b"");
    assert_refused(&wrong, 1, &["--reduction dynamic"]);
    let unknown = instrument(
        &["peterson.c", "--reduction", "dynamic", "--dynamic", "luck"],
        b"",
    );
    assert_refused(&unknown, 1, &["luck", "reachability", "pointer", "cas"]);
}

#[test]
fn names_are_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the folder is writable");
    };
    let instrument = |arguments: &[&str]| {
        let output = Command::new(INSTRUMENT)
            .args(arguments)
            .current_dir(folder.path())
            .stdin(Stdio::null())
            .output()
            .expect("the binary runs");
        let text = [output.stdout.as_slice(), &output.stderr].concat();
        let text = String::from_utf8(text).expect("text");
        assert!(
            !text.contains(|c: char| c != '\n' && c.is_control()),
            "{text:?}"
        );
        (output, text)
    };
    // Clang would take this name for that of a list of options.
    write("x.c", "--version");
    write(
        "@x.c",
        "#include <pthread.h>
int x;
void *f(void *a) {
#line 3 \"a\\033[31m\\n:\"
  x = 1; return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }
",
    );
    let (explained, text) = instrument(&["--explain", "@x.c"]);
    assert_eq!(code(&explained), 0, "{text}");
    assert!(text.contains(r"a\u{1b}[31m\u{a}::3: f: store"), "{text}");
    write(
        "a\nb.c",
        "int main(void) {\n#line 1 \"\\033\"\n#error c\n}\n",
    );
    let (refused, _) = instrument(&["a\nb.c"]);
    assert_refused(&refused, 2, &[r"a\u{a}b.c", "error: c"]);
    let (refused, _) = instrument(&["--no\x1b\nsuch"]);
    assert_refused(&refused, 1, &[r"--no\u{1b}\u{a}such"]);
}
