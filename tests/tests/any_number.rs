//! Verification for any number of threads: the examples, and random programs against searches with few threads.

use std::fmt::Write as _;
use std::path::Path;

use clap::Parser;
use system::testing::Random;
use tests::{Example, Expected, any_number_examples, seeds_to_fuzz};
use verify::options::Options;
use verify::report::Report;
use verify::verdict::Verdict;

fn verify(path: &Path, words: &[&str]) -> Report {
    let path = path.to_string_lossy();
    let options = Options::try_parse_from(["verify", &path].iter().chain(words));
    let options = options.expect("valid options");
    verify::run(&options).unwrap_or_else(|failure| panic!("{path} {words:?}: {failure}"))
}

fn is_unsafe(report: &Report) -> bool {
    matches!(report.verdict, Verdict::Unsafe { .. })
}

fn check(example: &Example, words: &[&str]) {
    let options: Vec<&str> = example.options.iter().map(String::as_str).collect();
    let report = verify(&example.path, &[options.as_slice(), words].concat());
    let name = &example.name;
    match example.expected {
        Expected::Safe => {
            assert_eq!(report.verdict, Verdict::Safe, "{name}");
            let evidence = report.evidence.unwrap_or_default();
            assert!(
                evidence.ends_with("for any number of threads"),
                "{evidence}"
            );
        }
        Expected::Unsafe => {
            assert!(is_unsafe(&report), "{name}: {}", report.verdict);
            // No fewer threads violate it.
            let needs = |threads: &&u32| {
                let threads = format!("--threads={threads}");
                is_unsafe(&verify(&example.path, &[&threads, "--engine=explicit"]))
            };
            let fewest = [1, 2, 3].iter().find(needs).expect("few threads suffice");
            let fewest = verify(&example.path, &[&format!("--threads={fewest}")]);
            assert_eq!(
                report.statistics.threads, fewest.statistics.threads,
                "{name}"
            );
        }
        Expected::Unknown => {
            let is_open = matches!(report.verdict, Verdict::Unknown { .. });
            assert!(is_open, "{name}: {}", report.verdict);
        }
    }
}

/// Its proof is about two threads at a time. That takes minutes, and longer beside all other engines.
const LONG_PROOF: &str = "ticket_lock";

#[test]
fn examples_have_the_verdict_of_their_head_comment() {
    let examples = any_number_examples();
    assert!(examples.len() >= 20);
    for example in examples.iter().filter(|example| example.name != LONG_PROOF) {
        let words: &[&str] = match example.expected {
            Expected::Safe | Expected::Unsafe => &[],
            Expected::Unknown => &["--timeout=3"],
        };
        check(example, words);
    }
}

#[test]
#[ignore = "takes minutes; called by `make fuzz`"]
fn fuzz_long_proof() {
    let mut examples = any_number_examples().into_iter();
    let example = examples.find(|example| example.name == LONG_PROOF);
    check(&example.expect("the example is there"), &["--engine=ic3"]);
}

#[test]
fn each_engine_proves_some_of_them() {
    for (engine, names) in [
        ("modular", ["locked_counter", "lazy_initialisation"]),
        ("ic3", ["cas_counter", "double_checked"]),
    ] {
        for example in any_number_examples() {
            if names.contains(&example.name.as_str()) {
                check(&example, &[&format!("--engine={engine}")]);
            }
        }
    }
}

/// A program that starts any number of threads, of one kind or two, which count, take locks and wait for each other.
fn random_family(random: &mut Random) -> String {
    let mut text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
                    extern _Bool __VERIFIER_nondet_bool(void);\nextern void __VERIFIER_assume(int);\n\
                    static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n\
                    static atomic_uint x, y;\n"
        .to_owned();
    let kinds = 1 + random.below(2);
    for kind in 0..kinds {
        let _ = writeln!(
            text,
            "static void *work{kind}(void *unused) {{\n    unsigned r = 0;"
        );
        let lock = random.below(3);
        if lock < 2 {
            let _ = writeln!(text, "    pthread_mutex_lock(&locks[{lock}]);");
        }
        for _ in 0..2 + random.below(3) {
            let variable = ["x", "y"][random.below(2)];
            let value = random.below(4);
            let line = match random.below(8) {
                0 => format!("r = {variable};"),
                1 => format!(
                    "if ({variable} == {value}) {variable} = {};",
                    random.below(4)
                ),
                2 => format!("if ({variable} < {}) {variable}++;", 1 + value),
                3 => format!("if (r == {value}) {variable} = r;"),
                4 => format!("__VERIFIER_assume({variable} == {value});"),
                5 => format!("if (atomic_fetch_add(&{variable}, 1) == {value}) {variable} = 0;"),
                6 => format!("if ({variable} > 0) {variable}--;"),
                _ => format!("{variable} = {value};"),
            };
            let _ = writeln!(text, "    {line}");
        }
        let variable = ["x", "y"][random.below(2)];
        let _ = writeln!(text, "    assert({variable} != {});", 1 + random.below(3));
        if lock < 2 {
            let _ = writeln!(text, "    pthread_mutex_unlock(&locks[{lock}]);");
        }
        let _ = writeln!(text, "    return unused;\n}}");
    }
    let first = match random.below(3) {
        0 => "    x = 1;\n",
        _ => "",
    };
    text + &main_of(kinds, first, "")
}

/// A function `main` that does something, starts any number of threads of each kind, and does something else.
fn main_of(kinds: usize, first: &str, last: &str) -> String {
    let create = |kind: usize| {
        format!(
            "        if (__VERIFIER_nondet_bool()) pthread_create(&thread, 0, work{kind}, 0);\n"
        )
    };
    let creations: String = (0..kinds).map(create).collect();
    format!(
        "int main(void) {{\n    pthread_t thread;\n{first}    while (__VERIFIER_nondet_bool()) {{\n{creations}    }}\n{last}}}\n"
    )
}

/// A program whose threads count themselves in a variable or set a flag, are in a section for a while, and give up one of these again;
/// some of them at the wrong time, or by another number.
fn random_sections(random: &mut Random) -> String {
    /// How a thread enters, how it leaves, and what holds in between.
    const SECTIONS: [[&str; 3]; 6] = [
        ["x++;", "x--;", "assert(x != 0);"],
        ["if (x == LIMIT) return unused; x++;", "x--;", "assert(x);"],
        [
            "if (atomic_fetch_add(&x, 1) == LIMIT) { x--; return unused; }",
            "x--;",
            "assert(x > 0);",
        ],
        [
            "unsigned seen = x; if (seen == LIMIT || !atomic_compare_exchange_strong(&x, &seen, seen + 1)) return unused;",
            "x--;",
            "y++; assert(y <= LIMIT); y--;",
        ],
        [
            "if (atomic_exchange(&flag, 1)) return unused;",
            "flag = 0;",
            "y++; assert(y == 1); y--;",
        ],
        [
            "if (flag) return unused; flag = 1;",
            "flag = 0;",
            "assert(flag || !flag);",
        ],
    ];
    let limit = random.below(2) + 1;
    let first = random.below(2);
    let mut text = format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdbool.h>\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n#define LIMIT {limit}\n\
         static atomic_uint x = {first}, y;\nstatic atomic_bool flag;\n"
    );
    let kinds = 1 + random.below(2);
    for kind in 0..kinds {
        let [enter, leave, holds] = SECTIONS[random.below(SECTIONS.len())];
        let look = match random.below(4) {
            0 => SECTIONS[random.below(SECTIONS.len())][2],
            _ => holds,
        };
        let (before, after) = match random.below(12) {
            0 => ("", "x -= 2;"),
            1 => (leave, ""),
            2 => ("if (__VERIFIER_nondet_bool()) return unused;", leave),
            3 => ("", "y = 1;"),
            _ => ("", leave),
        };
        let _ = writeln!(
            text,
            "static void *work{kind}(void *unused) {{\n    {enter}\n    {before}\n    {look}\n    {after}\n    return unused;\n}}"
        );
    }
    let own = [
        "",
        "    x--;\n",
        "    if (atomic_fetch_sub(&x, 1) == 1) y = 1;\n",
    ][random.below(3)];
    text + &main_of(kinds, "", &format!("{own}    pthread_exit(0);\n"))
}

/// What holds for any number of threads holds for four, and what few threads violate is found. How many programs are proved, and how
/// many are violated.
fn check_random(
    generate: fn(&mut Random) -> String,
    seeds: impl Iterator<Item = u64>,
) -> [usize; 2] {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut decided = [0; 2];
    for seed in seeds {
        let path = folder.path().join(format!("family{seed}.c"));
        let text = generate(&mut Random::new(seed));
        std::fs::write(&path, &text).expect("a file in the temporary folder");
        let few = verify(&path, &["--threads=4", "--engine=explicit", "--timeout=20"]);
        for engine in ["--engine=ic3", "--engine=modular"] {
            let any = verify(&path, &["--threads=any", engine, "--timeout=2"]);
            let is_proved = any.verdict == Verdict::Safe;
            assert!(!is_proved || !is_unsafe(&few), "seed {seed}\n{text}");
            let is_few = is_unsafe(&any) && !is_unsafe(&few);
            assert!(
                !is_few || few.verdict != Verdict::Safe,
                "seed {seed}\n{text}"
            );
            decided[0] += usize::from(is_proved);
            decided[1] += usize::from(is_unsafe(&any));
        }
    }
    decided
}

#[test]
fn random_programs_are_as_safe_as_with_few_threads() {
    let [proved, violated] = check_random(random_family, 0..24);
    assert!(proved >= 6 && violated >= 6, "{proved} {violated}");
}

#[test]
fn random_counts_are_as_safe_as_with_few_threads() {
    let [proved, violated] = check_random(random_sections, 0..12);
    assert!(proved >= 4 && violated >= 4, "{proved} {violated}");
}

#[test]
#[ignore = "a random search"]
fn fuzz_any_number() {
    check_random(random_family, seeds_to_fuzz(500));
    check_random(random_sections, seeds_to_fuzz(500));
}
