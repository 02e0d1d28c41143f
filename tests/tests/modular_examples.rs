//! The programs of `c-examples/modular/`: all engines, and what `modular` proves alone.

use tests::{Example, modular_examples};

/// Programs that take seconds with all engines side by side, and the engine that takes one.
const BY_ONE_ENGINE: [(&str, &str); 1] = [("pbzip2_safe", "--engine=explicit-reduced")];

fn check(example: &Example, words: &[&str]) {
    let verdict = example.verdict(words);
    let is_expected = example.expected.matches(&verdict);
    assert!(is_expected, "{}: {verdict}", example.name);
}

#[test]
fn examples_have_the_verdict_of_their_head_comment() {
    let examples = modular_examples();
    assert!(examples.len() >= 31);
    for example in &examples {
        let engine = BY_ONE_ENGINE.iter().find(|(name, _)| *name == example.name);
        let engine: Vec<&str> = engine.iter().map(|(_, engine)| *engine).collect();
        check(example, &engine);
    }
}

#[test]
fn modular_proves_and_refutes_some_of_them() {
    let names = [
        "fig2_cex",
        "fig2_fixed",
        "peterson",
        "readers_writer_lock",
        "time_varying_mutex",
        "naive_bakery",
        "p1_10",
        "stack_safe_10",
        "stack_unsafe_10",
    ];
    let examples = modular_examples();
    for name in names {
        let example = examples.iter().find(|example| example.name == name);
        let example = example.unwrap_or_else(|| panic!("{name} is missing"));
        check(example, &["--engine=modular"]);
    }
}
