//! `clang | instrument | verify` says the same as `verify` alone.

use std::fs;

use frontend::input::Input;
use frontend::{ReadOptions, UndefinedFunctions};
use instrument::{Reduction, emit, plan};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

use crate::common::{
    assert_refused, bitcode, code, last_line, shell, stderr, stdout, verify, verify_bytes,
};

const EXAMPLES: [&str; 8] = [
    "peterson.c",
    "peterson_broken.c",
    "counter_mutex.c",
    "counter_mutex_broken.c",
    "atomic_function.c",
    "atomic_section_broken.c",
    "trylock_ignored.c",
    "undefined_division.c",
];

/// What `instrument` makes of bitcode; its own tests compare this with what its binary writes.
pub fn instrumented(bytes: Vec<u8>, reduction: Reduction) -> Vec<u8> {
    instrumented_for(bytes, reduction, &ReadOptions::default())
}

fn instrumented_for(bytes: Vec<u8>, reduction: Reduction, options: &ReadOptions) -> Vec<u8> {
    let name = "standard input".to_owned();
    let loaded = frontend::load(&Input::Bitcode { name, bytes }, options).expect("it is bitcode");
    let instances = instantiate(&loaded.program, &Bounds::default());
    let points_to = PointsTo::analyse(&loaded.program, &instances);
    let plan = plan(&loaded.program, &instances, &points_to, reduction);
    emit(&loaded, &plan).expect("the plan fits the module")
}

#[test]
fn the_verdict_is_that_of_one_process() {
    for example in EXAMPLES {
        for reduction in Reduction::ALL {
            let name = reduction.to_string();
            let whole = verify(&[example, "--reduction", &name]);
            let piped = verify_bytes(&instrumented(bitcode(example), reduction), &[]);
            assert_eq!(
                last_line(&piped),
                last_line(&whole),
                "{example} {reduction}"
            );
            assert_eq!(code(&piped), code(&whole), "{example} {}", stderr(&piped));
        }
    }
}

/// Clang inlines such functions also where it does not optimise.
#[test]
fn what_clang_has_inlined_ends_with_its_block() {
    for body in [
        "return &a;",
        "int x = a; return &x;",
        "return &(int){a};",
        "struct { int i[2]; } s = {{a, a}}; return s.i;",
    ] {
        let text = format!(
            "#include <assert.h>\n\
             __attribute__((always_inline)) static inline int *leak(int a) {{ {body} }}\n\
             int main(void) {{ int seen = *leak(3); assert(seen == 3); return 0; }}\n"
        );
        let folder = tempfile::tempdir().expect("a temporary folder");
        let file = folder.path().join("leak.c");
        fs::write(&file, text).expect("the folder can be written");
        let clang = format!(
            "clang-19 -w -g -fno-discard-value-names -emit-llvm -c {} -o -",
            file.display()
        );
        let compiled = shell(&clang);
        let given = verify_bytes(&compiled.stdout, &[]);
        let ours = verify(&["--clang-arg=-w", &file.display().to_string()]);
        for output in [given, ours] {
            let line = last_line(&output);
            assert!(
                line.starts_with("VERDICT: UNSAFE (use after scope) at "),
                "{line}"
            );
        }
    }
}

#[test]
fn aborting_stays_an_error_in_the_pipe() {
    let options = ReadOptions {
        abort_is_error: true,
        ..ReadOptions::default()
    };
    for (example, words) in [
        ("abort_is_error.c", "VERDICT: SAFE"),
        ("abort_is_error_broken.c", "VERDICT: UNSAFE (abort) at "),
        ("exit_status_broken.c", "VERDICT: UNSAFE (nonzero exit) at "),
    ] {
        for reduction in Reduction::ALL {
            let bytes = instrumented_for(bitcode(example), reduction, &options);
            let piped = last_line(&verify_bytes(&bytes, &[]));
            assert!(piped.starts_with(words), "{example} {reduction}: {piped}");
        }
    }
    let without = instrumented(bitcode("abort_is_error.c"), Reduction::Static);
    let words = ["--abort-is-error", "`instrument`"];
    assert_refused(&verify_bytes(&without, &["--abort-is-error"]), 2, &words);
}

#[test]
fn a_violation_in_the_pipe_stays_one_though_other_properties_stay_open() {
    let bytes = instrumented(bitcode("counter_racy.c"), Reduction::Static);
    let all = verify_bytes(&bytes, &["--property", "all"]);
    assert_eq!(code(&all), 10, "{}", stderr(&all));
    let text = stdout(&all);
    for line in [
        "unreach-call: UNSAFE (assertion) at ",
        "valid-deref: UNKNOWN (`standard input` is instrumented to keep what `unreach-call` needs",
        "no-overflow: UNKNOWN (`no-overflow` is verified by checks that clang puts where it compiles C",
        "no-lock-misuse: UNKNOWN (`standard input` is instrumented, and violations of `no-lock-misuse`",
        "VERDICT: UNSAFE (assertion) at ",
    ] {
        assert!(
            text.lines().any(|found| found.starts_with(line)),
            "{line}\n{text}"
        );
    }
    for (property, words) in [
        ("no-overflow", "name the C files"),
        ("no-lock-misuse", "is instrumented to keep what"),
    ] {
        let alone = verify_bytes(&bytes, &["--property", property]);
        assert_eq!(code(&alone), if property == "no-overflow" { 2 } else { 1 });
        assert!(stderr(&alone).contains(words), "{}", stderr(&alone));
    }
    let memory = verify_bytes(&bytes, &["--property", "valid-deref"]);
    assert_refused(&memory, 1, &["is instrumented to keep what"]);
}

#[test]
fn undefined_functions_return_any_value_in_the_pipe() {
    let options = ReadOptions {
        undefined: UndefinedFunctions::Arbitrary,
        ..ReadOptions::default()
    };
    for (example, words) in [
        (
            "undefined_function.c",
            "VERDICT: SAFE (undefined functions taken as arbitrary: blink, read_sensor)",
        ),
        (
            "undefined_function_broken.c",
            "VERDICT: UNSAFE (assertion) at ",
        ),
    ] {
        for reduction in Reduction::ALL {
            let bytes = instrumented_for(bitcode(example), reduction, &options);
            let piped = last_line(&verify_bytes(&bytes, &[]));
            assert!(piped.starts_with(words), "{example} {reduction}: {piped}");
        }
    }
    let without = instrumented(bitcode("undefined_function.c"), Reduction::Static);
    assert!(last_line(&verify_bytes(&without, &[])).starts_with("VERDICT: UNKNOWN"));
    let words = ["--undefined arbitrary", "`instrument`"];
    assert_refused(
        &verify_bytes(&without, &["--undefined", "arbitrary"]),
        2,
        &words,
    );
}

/// The engine sees the yields that `instrument` wrote, so the runs it finds at a depth are those of the whole process.
#[test]
fn the_engines_see_the_same_system() {
    for example in EXAMPLES {
        for (reduction, other) in [
            (Reduction::None, "static"),
            (Reduction::Static, "none"),
            (Reduction::Phase, "static"),
        ] {
            let name = reduction.to_string();
            let engine = ["--engine", "bmc", "--depth", "9", "--json"];
            let whole = verify(&[&[example, "--reduction", &name], &engine[..]].concat());
            let bytes = instrumented(bitcode(example), reduction);
            // Bitcode that is instrumented already keeps its own reduction.
            let piped = verify_bytes(&bytes, &[&["--reduction", other], &engine[..]].concat());
            assert_eq!(shape(&piped), shape(&whole), "{example} {reduction}");
        }
    }
}

/// The document without its times.
fn shape(output: &std::process::Output) -> serde_json::Value {
    let mut document: serde_json::Value = serde_json::from_str(&stdout(output)).expect("JSON");
    let statistics = &mut document["statistics"];
    statistics["preparation_seconds"].take();
    statistics["peak_mebibytes"].take();
    statistics["engines"][0]["seconds"].take();
    statistics["engines"][0]["queries"].take();
    document
}
