//! `--threads any`: what is refused, and certificates.

use crate::common::{assert_refused, assert_unknown, code, last_line, stdout, verify, verify_text};

/// Each worker executes some statements; `main` executes others for each thread that it creates.
fn program(globals: &str, worker: &str, main: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
         {globals}\n\
         static void *work(void *argument) {{\n{worker}\nreturn argument;\n}}\n\
         int main(void) {{\n    while (__VERIFIER_nondet_bool()) {{\n\
         pthread_t thread;\n        pthread_create(&thread, 0, work, 0);\n{main}\n    }}\n}}\n"
    )
}

#[test]
fn what_tells_threads_apart_is_refused() {
    for (globals, worker, main, words) in [
        (
            "",
            "",
            "pthread_join(thread, 0);",
            "use of the handle of a thread that is one of any number",
        ),
        (
            "pthread_t last;",
            "if (pthread_equal(last, pthread_self())) abort();",
            "last = thread;",
            "tells which one",
        ),
        (
            "int *shared;",
            "int own = 1; int *other = shared; shared = &own; if (other == &own) abort();",
            "",
            "a variable of a thread that is one of any number",
        ),
        (
            "",
            "free(malloc(4));",
            "",
            "allocation of memory by a thread that is one of any number",
        ),
        (
            "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;",
            "pthread_rwlock_rdlock(&lock);",
            "",
            "tells which one",
        ),
        (
            "void *(*routine)(void *);",
            "",
            "if (!routine) routine = work; pthread_create(&thread, 0, routine, 0);",
            "through a pointer to a function",
        ),
    ] {
        let text = program(globals, worker, main);
        let output = verify_text("refused.c", &text, &["--threads=any"]);
        assert_unknown(&output, &[words]);
    }
}

#[test]
fn addresses_that_only_memory_holds_tell_threads_apart() {
    // Three threads that are there at the same time have three addresses, of which two are never the same.
    let globals = "#include <string.h>\nint *first, *second, *third; _Atomic int stage;";
    let worker = "int own; if (stage == 0) { first = &own; stage = 1; for (;;); } \
                  if (stage == 1) { second = &own; stage = 2; for (;;); } \
                  if (stage == 2) { third = &own; assert(!memcmp(&first, &second, 8) || !memcmp(&second, &third, 8) || !memcmp(&first, &third, 8)); }";
    let text = program(globals, worker, "");
    for engine in ["--engine=modular", "--engine=ic3"] {
        let output = verify_text(
            "addresses.c",
            &text,
            &["--threads=any", engine, "--timeout=10"],
        );
        assert_unknown(
            &output,
            &["the address in memory of a variable of a thread that is one of any number"],
        );
    }
}

#[test]
fn threads_that_are_created_once_and_in_a_loop_are_of_any_number() {
    let globals = "extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n\
                   int count; _Atomic int other;\n\
                   static void *set(void *argument) { other = 1; return argument; }\n\
                   static void *count_one(void *argument) {\n\
                   __VERIFIER_atomic_begin(); count++; assert(count < 4); __VERIFIER_atomic_end();\n";
    let recursive =
        "pthread_t next; if (__VERIFIER_nondet_bool()) pthread_create(&next, 0, count_one, 0);\n";
    let in_a_loop = "while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, count_one, 0);";
    for (more, ending) in [("", in_a_loop), (recursive, "")] {
        let text = format!(
            "#include <assert.h>\n#include <pthread.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n{globals}{more}\
             return argument; }}\nint main(void) {{ pthread_t t;\npthread_create(&t, 0, count_one, 0); \
             pthread_create(&t, 0, count_one, 0);\n{ending}\n\
             while (__VERIFIER_nondet_bool()) pthread_create(&t, 0, set, 0);\npthread_exit(0); }}\n"
        );
        for engine in ["--engine=modular", "--engine=ic3"] {
            let output = verify_text("once.c", &text, &["--threads=any", engine, "--timeout=6"]);
            assert_ne!(code(&output), 0, "{}", last_line(&output));
            assert_ne!(code(&output), 6, "{}", last_line(&output));
        }
    }
}

#[test]
fn programs_may_have_many_families() {
    let routine =
        |kind: usize| format!("static void *work{kind}(void *a) {{ assert(!bad); return a; }}\n");
    let create = |kind: usize| {
        format!("if (__VERIFIER_nondet_bool()) pthread_create(&t, 0, work{kind}, 0);\n")
    };
    let kinds = 0..6;
    let text = format!(
        "#include <assert.h>\n#include <pthread.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n_Atomic int bad;\n{}\
         int main(void) {{ pthread_t t;\nfor (;;) {{\n{}}} }}\n",
        kinds.clone().map(routine).collect::<String>(),
        kinds.map(create).collect::<String>()
    );
    let output = verify_text("many.c", &text, &["--threads=any"]);
    assert_eq!(last_line(&output), "VERDICT: SAFE");
}

#[test]
fn what_is_created_in_an_atomic_region_is_created_at_once() {
    let text = "#include <assert.h>\n#include <pthread.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
                extern void __VERIFIER_atomic_begin(void); extern void __VERIFIER_atomic_end(void);\n_Atomic int x;\n\
                static void *work(void *a) { assert(x == 0); return a; }\n\
                int main(void) { while (__VERIFIER_nondet_bool()) { pthread_t t; __VERIFIER_atomic_begin(); x = 1;\n\
                pthread_create(&t, 0, work, 0); x = 0; __VERIFIER_atomic_end(); } }\n";
    let output = verify_text("atomic.c", text, &["--threads=any"]);
    assert_eq!(last_line(&output), "VERDICT: SAFE");
}

#[test]
fn a_few_more_threads_than_representatives_are_not_forgotten() {
    // Each thread adds one, and only the fifth violates the assertion: neither is it found, nor is it proved that there is none.
    let text = program("_Atomic unsigned count;", "assert(count++ != 4);", "");
    let output = verify_text("five.c", &text, &["--threads=any", "--timeout=10"]);
    assert_eq!(code(&output), 5, "{}", last_line(&output));
    let text = program("_Atomic unsigned count;", "assert(count++ != 2);", "");
    let output = verify_text("three.c", &text, &["--threads=any"]);
    assert_eq!(code(&output), 10, "{}", last_line(&output));
}

#[test]
fn a_lock_may_be_held_by_a_thread_that_is_not_represented() {
    let globals = "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; int held;";
    let worker = "if (pthread_mutex_trylock(&lock) == 0) { held = 1; assert(held == 1); held = 0; pthread_mutex_unlock(&lock); }";
    let text = program(globals, worker, "");
    let output = verify_text("trylock.c", &text, &["--threads=any"]);
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    // The first two threads always get it, and a third one may not.
    let worker = "if (pthread_mutex_trylock(&lock) == 0) { held++; if (held < 3) pthread_mutex_unlock(&lock); } else assert(held < 3);";
    let text = program(globals, worker, "");
    let output = verify_text("third.c", &text, &["--threads=any", "--timeout=20"]);
    assert_ne!(code(&output), 0, "{}", last_line(&output));
}

#[test]
fn threads_of_a_family_have_different_arguments() {
    let text = |last: u32| {
        format!(
            "#include <assert.h>\n#include <pthread.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n\
             static void *work(void *number) {{ assert((long) number != {last}); return number; }}\n\
             int main(void) {{ pthread_t t; for (long i = 0; __VERIFIER_nondet_bool(); i++)\n\
             pthread_create(&t, 0, work, (void *) i);\npthread_exit(0); }}\n"
        )
    };
    let output = verify_text("third.c", &text(2), &["--threads=any"]);
    assert_eq!(code(&output), 10, "{}", last_line(&output));
    // No few threads violate it, and neither do the first two.
    let output = verify_text("eighth.c", &text(7), &["--threads=any", "--timeout=5"]);
    assert_eq!(code(&output), 5, "{}", last_line(&output));
}

#[test]
fn properties_about_all_threads_are_refused() {
    let properties = [
        "no-data-race",
        "no-deadlock",
        "valid-memtrack",
        "no-infinite-run",
    ];
    for property in properties {
        let property = format!("--property={property}");
        let output = verify(&["any-number/locked_counter.c", "--threads=any", &property]);
        assert_unknown(&output, &["is about all threads at once"]);
    }
}

#[test]
fn engines_that_prove_nothing_for_any_number_refuse_it() {
    let output = verify(&["any-number/bank.c", "--threads=any", "--engine=bmc"]);
    assert_refused(&output, 1, &["--threads any", "--engine ic3"]);
    let output = verify(&["any-number/bank.c", "--threads=many"]);
    assert_refused(&output, 1, &["`any` for any number of threads"]);
}

#[test]
fn a_certificate_is_about_all_numbers_of_threads() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("proof.smt2");
    let file = path.to_string_lossy().into_owned();
    let program = crate::common::examples().join("any-number/locked_counter.c");
    let program = program.to_string_lossy().into_owned();
    let certificate = format!("--certificate={file}");
    let output = verify(&[&program, "--threads=any", "--engine=modular", &certificate]);
    assert_eq!(last_line(&output), "VERDICT: SAFE");
    let check = || verify(&["check-certificate", &file, &program]);
    let output = check();
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("independence"));
    // The same invariant, said to be about the representatives alone.
    let text = std::fs::read_to_string(&path).expect("the certificate");
    let mut kept = Vec::new();
    let mut is_left_out = false;
    for line in text.lines() {
        is_left_out = match line {
            "; state at position 2" => true,
            _ if line.starts_with("; obligation ") => line.starts_with("; obligation independence"),
            _ => is_left_out,
        };
        if !is_left_out {
            kept.push(match line.starts_with("; argument: ") {
                true => "; argument: inductive invariant",
                false => line,
            });
        }
    }
    std::fs::write(&path, kept.join("\n") + "\n").expect("the certificate is written");
    let output = check();
    assert_eq!(code(&output), 6, "{}", stdout(&output));
    assert!(
        stdout(&output).contains("other numbers of threads"),
        "{}",
        stdout(&output)
    );
}

#[test]
fn lemmas_are_told_of_one_thread() {
    let words = [
        "any-number/double_checked.c",
        "--threads=any",
        "--engine=modular",
        "--invariant",
    ];
    let text = stdout(&verify(&words));
    assert!(
        text.contains("invariant: any use at double_checked.c:20 => (bit 0 of is_there) != 1"),
        "{text}"
    );
    assert!(!text.contains("another use"), "{text}");
}

#[test]
fn variables_that_count_threads_are_named_and_certified() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("proof.smt2");
    let file = path.to_string_lossy().into_owned();
    let program = crate::common::examples().join("any-number/reference_count.c");
    let program = program.to_string_lossy().into_owned();
    let certificate = format!("--certificate={file}");
    let words = [
        &program,
        "--threads=any",
        "--engine=modular",
        "--invariant",
        &certificate,
    ];
    let text = stdout(&verify(&words));
    assert!(text.ends_with("VERDICT: SAFE\n"), "{text}");
    let named = "invariant: references counts threads up from 1: ";
    let line = text.lines().find(|line| line.starts_with(named));
    let line = line.unwrap_or_else(|| panic!("{text}"));
    assert!(
        line.contains("any use") && line.contains("-1 where (main "),
        "{line}"
    );
    let output = verify(&["check-certificate", &file, &program]);
    assert_eq!(code(&output), 0, "{}", stdout(&output));
    assert!(stdout(&output).contains("counting: "));
    // The count is another one than what the obligations say.
    let text = std::fs::read_to_string(&path).expect("the certificate");
    std::fs::write(&path, text.replace(" counts ", " flags ")).expect("the certificate is written");
    let output = verify(&["check-certificate", &file, &program]);
    assert_refused(&output, 2, &["is expected"]);
}

#[test]
fn proofs_about_few_threads_are_none_for_any_number() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("proof");
    let file = path.to_string_lossy().into_owned();
    let program = folder.path().join("few.c");
    // There are two threads, which say nothing of more.
    let text = "#include <assert.h>\n#include <pthread.h>\n_Atomic int x, created;\n\
                static void *work(void *a) { x++; return a; }\n\
                int main(void) { while (created < 2) { created++; pthread_t t; pthread_create(&t, 0, work, 0); }\n\
                assert(x < 3); }\n";
    std::fs::write(&program, text).expect("a file in the temporary folder");
    let program = program.to_string_lossy().into_owned();
    for engine in ["explicit", "eventgraph", "ic3"] {
        let words = [
            &program,
            "--threads=2",
            &format!("--engine={engine}"),
            "--unwind=4",
            "--property=unreach-call",
            &format!("--certificate={file}"),
        ];
        let words = words
            .into_iter()
            .filter(|word| engine == "eventgraph" || *word != "--unwind=4");
        let output = verify(&words.collect::<Vec<_>>());
        assert_eq!(last_line(&output), "VERDICT: SAFE", "{engine}");
        let output = verify(&["check-certificate", &file, &program]);
        assert_eq!(code(&output), 0, "{engine}: {}", stdout(&output));
        let text = std::fs::read_to_string(&path).expect("the certificate");
        assert!(text.contains("--threads=2"), "{engine}");
        let forged = text.replace("--threads=2", "--threads=any");
        std::fs::write(&path, forged).expect("the certificate is written");
        let output = verify(&["check-certificate", &file, &program]);
        assert_eq!(code(&output), 6, "{engine}: {}", stdout(&output));
    }
}
