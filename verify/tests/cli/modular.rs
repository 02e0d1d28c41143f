//! The engine `modular`, and the option that it has alone.

use crate::common::{code, last_line, stderr, verify};

/// Asks the engine about an example; whether its proof is modular.
fn is_modular(example: &str, words: &[&str]) -> bool {
    let output = verify(&[&[example, "--engine=modular", "-v"], words].concat());
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    let said = stderr(&output);
    let modular = said.contains("modular: a modular proof");
    let looks_into_others = said.contains("modular: a proof that looks into other threads");
    assert_ne!(modular, looks_into_others, "{said}");
    modular
}

#[test]
fn proofs_are_modular_where_they_can_be() {
    assert!(is_modular("message_passing.c", &[]));
    assert!(is_modular("message_passing.c", &["--scope=own"]));
    assert!(!is_modular("message_passing.c", &["--scope=all"]));
    // That both want to enter and one of them waits is nowhere in global variables.
    assert!(!is_modular("peterson.c", &[]));
}

#[test]
fn other_engines_refuse_its_option() {
    for engine in ["--engine=ic3", "--engine=portfolio"] {
        let output = verify(&["peterson.c", engine, "--scope=all"]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("say --engine modular, too"));
    }
}
