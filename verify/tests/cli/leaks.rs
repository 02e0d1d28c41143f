//! What is told of memory leaks.

use std::process::Command;

use crate::common::{code, examples, last_line, stderr, stdout, verify, verify_bytes};

#[test]
fn a_leak_names_where_memory_was_allocated_and_how_much_is_lost() {
    let output = verify(&["leak_list_broken.c", "--property=valid-memtrack", "--json"]);
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(document["verdict"], "UNSAFE");
    assert_eq!(document["property"], "memory leak");
    let related = document["related"].as_str().expect("a text");
    assert!(
        related.starts_with("allocated at ")
            && related.ends_with("leak_list_broken.c:13 by `main`, 2 objects in all"),
        "{related}"
    );
}

#[test]
fn memory_of_sv_comp_includes_leaks() {
    let output = verify(&["leak_kept_broken.c", "--property=valid-memsafety"]);
    let text = stdout(&output);
    let lines = "valid-deref: SAFE\nvalid-free: SAFE\nvalid-memtrack: UNSAFE (memory leak) at ";
    assert!(text.contains(lines), "{text}");
    let output = verify(&["leak_kept_broken.c"]);
    assert_eq!(last_line(&output), "VERDICT: SAFE");
}

#[test]
fn bitcode_is_refused_and_optimised_c_is_compiled_as_written() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let target = folder.path().join("program.bc");
    let mut clang = Command::new("clang-19");
    clang.args(["-O2", "-g", "-c", "-emit-llvm"]);
    clang
        .arg(examples().join("leak_kept_broken.c"))
        .arg("-o")
        .arg(&target);
    assert!(clang.status().expect("clang runs").success());
    let optimised = std::fs::read(target).expect("clang has written it");
    let refused = verify_bytes(&optimised, &["--property", "valid-memtrack"]);
    assert_eq!(code(&refused), 2, "{}", stderr(&refused));
    assert!(stderr(&refused).contains("`valid-memtrack` is verified of C files"));
    let open = verify_bytes(&optimised, &["--property", "valid-memsafety"]);
    assert!(stdout(&open).contains("valid-free: SAFE\nvalid-memtrack: UNKNOWN ("));
    for (name, verdict) in [("leak_kept_broken.c", 10), ("leak_kept.c", 0)] {
        let output = verify(&[name, "--property=valid-memtrack", "--", "-O2"]);
        assert_eq!(code(&output), verdict, "{}", stdout(&output));
    }
}

#[test]
fn what_is_open_of_leaks_leaves_other_properties_alone() {
    let output = verify(&["leak_by_exit.c", "--property=valid-memsafety"]);
    let lines = "valid-deref: SAFE\nvalid-free: SAFE\nvalid-memtrack: UNKNOWN (";
    assert!(stdout(&output).contains(lines), "{}", stdout(&output));
}
