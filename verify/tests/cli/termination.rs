//! `--property termination`: runs that go on for ever, threads that wait for good, and fair scheduling.

use crate::common::{
    assert_refused, assert_unknown, code, last_line, stderr, stdout, verify, verify_text,
};

/// A thread waits for another one in a loop.
const SPINS: &str = "#include <pthread.h>
#include <stdatomic.h>
static atomic_bool go;
static void *work(void *unused) {
  while (!go)
    ;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  go = 1;
  pthread_join(thread, 0);
}
";

const ENDLESS: &str = "VERDICT: UNSAFE (run that goes on for ever) at spins.c:5";

#[test]
fn each_part_of_termination_has_a_verdict() {
    let output = verify_text("spins.c", SPINS, &["--property=termination"]);
    let lines = [
        "the last 4 statements, from spins.c:5 on, are repeated for ever",
        "no-deadlock: SAFE",
        "no-infinite-run: UNSAFE (run that goes on for ever) at spins.c:5",
        ENDLESS,
    ];
    let text = stdout(&output);
    let mut rest = text.lines();
    for line in lines {
        assert!(rest.any(|found| found == line), "`{line}` in\n{text}");
    }
    assert_eq!(code(&output), 10);

    let fair = verify_text("spins.c", SPINS, &["--property=termination", "--fair"]);
    assert_eq!(last_line(&fair), "VERDICT: SAFE (under fair scheduling)");
    let output = verify(&["termination/lock_order_broken.c", "--property=termination"]);
    assert!(last_line(&output).starts_with("VERDICT: UNSAFE (deadlock)"));
    assert!(stdout(&output).contains("no-infinite-run: SAFE"));
}

#[test]
fn a_property_file_asks_for_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("termination.prp");
    std::fs::write(&file, "CHECK( init(main()), LTL(F end) )\n").expect("the folder is writable");
    let property = format!("--property={}", file.display());
    let output = verify_text("spins.c", SPINS, &[&property]);
    assert_eq!(last_line(&output), ENDLESS);
}

#[test]
fn every_engine_that_looks_for_it_finds_it() {
    for engine in ["ic3", "ic3-exact", "bmc", "kind", "explicit", "modular"] {
        let engine = format!("--engine={engine}");
        let words = ["--property=no-infinite-run", &engine];
        let output = verify_text("spins.c", SPINS, &words);
        assert_eq!(last_line(&output), ENDLESS, "{engine}");
    }
    for engine in ["explicit-reduced", "eventgraph"] {
        let engine = format!("--engine={engine}");
        let words = ["--property=no-infinite-run", &engine];
        let output = verify_text("spins.c", SPINS, &words);
        assert_refused(&output, 1, &["`no-infinite-run`", "--engine ic3"]);
    }
}

#[test]
fn proofs_thread_by_thread_of_it_are_certified() {
    let words = ["--property=no-infinite-run", "--engine=modular"];
    let fair = verify_text("spins.c", SPINS, &[&words[..], &["--fair"]].concat());
    assert_eq!(last_line(&fair), "VERDICT: SAFE (under fair scheduling)");
    for name in ["fig2_tacas12", "turns", "sync01_safe_fixed"] {
        let program = format!("termination/{name}.c");
        let output = verify(&[&[program.as_str()], &words[..]].concat());
        assert_eq!(last_line(&output), "VERDICT: SAFE", "{name}");
    }
    let output = verify(&[&["termination/turns_broken.c"], &words[..]].concat());
    let found = last_line(&output);
    let expected = "VERDICT: UNSAFE (run that goes on for ever)";
    assert!(found.starts_with(expected), "{found}");
}

#[test]
fn what_fair_scheduling_is_about_has_to_be_asked_for() {
    let output = verify_text("spins.c", SPINS, &["--fair"]);
    assert_refused(&output, 1, &["--fair", "--property no-infinite-run"]);
    let output = verify(&["export", "--format=vmt", "turns.c", "--fair"]);
    assert_refused(&output, 1, &["--fair", "--property no-infinite-run"]);
}

#[test]
fn the_system_of_runs_that_go_on_for_ever_is_exported_alone() {
    let program = "termination/turns.c";
    let export = |property: &str| verify(&["export", "--format=vmt", program, property]);
    let both = export("--property=termination");
    assert_refused(&both, 1, &["`no-infinite-run`", "a system of its own"]);
    let alone = stdout(&export("--property=no-infinite-run"));
    assert!(
        alone.contains("never: violation of no-infinite-run"),
        "{alone}"
    );
    assert!(alone.contains("recorded"), "{alone}");
}

#[test]
fn a_run_that_goes_on_for_ever_is_stored_with_what_it_repeats() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("run.schedule");
    let schedule = file.to_string_lossy().into_owned();
    let stored = format!("--schedule-out={schedule}");
    let property = "--property=no-infinite-run";
    verify_text("spins.c", SPINS, &[property, &stored]);
    let text = std::fs::read_to_string(&file).expect("it was written");
    let repeated = text.lines().filter(|line| *line == "repeat").count();
    assert_eq!(repeated, 1, "{text}");
    let replayed = format!("--replay={schedule}");
    let output = verify_text("spins.c", SPINS, &[property, &replayed]);
    let expected = "REPLAY: NOT ENFORCEABLE (a run that goes on for ever)";
    assert_eq!(last_line(&output), expected, "{}", stderr(&output));
}

#[test]
fn a_certificate_says_whether_scheduling_was_fair() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (program, file) = (
        folder.path().join("spins.c"),
        folder.path().join("proof.smt2"),
    );
    std::fs::write(&program, SPINS).expect("the folder is writable");
    let [program, file] = [program, file].map(|path| path.to_string_lossy().into_owned());
    let certificate = format!("--certificate={file}");
    let words = ["--property=no-infinite-run", "--fair", "--engine=ic3"];
    let proved = verify(&[&[program.as_str(), &certificate], &words[..]].concat());
    assert_eq!(last_line(&proved), "VERDICT: SAFE (under fair scheduling)");
    let check = || verify(&["check-certificate", &file, &program]);
    let expected = "CERTIFICATE: HOLDS (under fair scheduling)";
    assert_eq!(last_line(&check()), expected);
    let text = std::fs::read_to_string(&file).expect("it was written");
    let forged = text.replace("\"--fair\",", "");
    assert_ne!(text, forged);
    std::fs::write(&file, forged).expect("the folder is writable");
    let forged = last_line(&check());
    assert!(forged.starts_with("CERTIFICATE: REFUTED"), "{forged}");
}

/// What nothing depends on goes on to change, and changes the statements of a round.
#[test]
fn a_run_that_never_comes_back_to_a_state_goes_on_all_the_same() {
    let text = "int n, m;
int main(void) {
  for (;;) {
    n++;
    if (n % 3 == 0)
      m += n;
  }
}
";
    for engine in ["bmc", "ic3"] {
        let engine = format!("--engine={engine}");
        let output = verify_text("counts.c", text, &["--property=no-infinite-run", &engine]);
        let expected = "VERDICT: UNSAFE (run that goes on for ever) at counts.c:";
        let found = last_line(&output);
        assert!(found.starts_with(expected), "{found}");
        let evidence = "with all threads back at their places";
        assert!(stdout(&output).contains(evidence), "{}", stdout(&output));
    }
}

/// A limit may have runs behind it that go on.
#[test]
fn limits_stand_against_proofs() {
    let text = "extern _Bool __VERIFIER_nondet_bool(void);
int divisor;
int main(void) {
  while (__VERIFIER_nondet_bool())
    if (1 / divisor)
      return 1;
}
";
    let output = verify_text("divides.c", text, &["--property=no-infinite-run"]);
    let expected = "VERDICT: UNSAFE (run that goes on for ever) at divides.c:4";
    let found = last_line(&output);
    assert!(found == expected || found.contains("division"), "{found}");
    let once = text.replace("while", "if");
    let output = verify_text("divides.c", &once, &["--property=no-infinite-run"]);
    assert_unknown(&output, &["divides.c:5"]);
}

/// A thread does this, while `main` does that with its handle.
fn two_threads(thread: &str, main: &str) -> String {
    format!(
        "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <time.h>\n\
         static atomic_bool flag;\n\
         static void *work(void *unused) {{\n{thread}\nreturn unused;\n}}\n\
         int main(void) {{\npthread_t thread;\npthread_create(&thread, 0, work, 0);\n{main}\n}}\n"
    )
}

/// What stops in the model alone, or comes to an end on a machine, makes no run endless.
#[test]
fn only_what_goes_on_for_ever_on_a_machine_counts() {
    for (thread, main, words) in [
        (
            "volatile int *null = 0; *null = 1; flag = 1;",
            "while (!flag);",
            "`work#1` stops at a limit",
        ),
        (
            "",
            "while (pthread_tryjoin_np(thread, 0));",
            "as long as `pthread_tryjoin_np` gives the same",
        ),
        (
            "",
            "time_t start = time(0); while (time(0) == start);",
            "as long as `time` gives the same",
        ),
    ] {
        let text = two_threads(thread, main);
        let words_of = ["--property=no-infinite-run", "--fair", "--timeout=20"];
        assert_unknown(&verify_text("waits.c", &text, &words_of), &[words]);
    }
}

/// Who waits for a semaphore may be left out for ever, and who may take it may not.
#[test]
fn a_fair_run_leaves_out_who_waits() {
    let waits = |posts: &str| {
        let text = format!(
            "#include <pthread.h>\n#include <semaphore.h>\nstatic sem_t semaphore;\n\
             static void *work(void *unused) {{ sem_wait(&semaphore); exit(0); return unused; }}\n\
             int main(void) {{\npthread_t thread;\nsem_init(&semaphore, 0, 0);\n\
             pthread_create(&thread, 0, work, 0);\n{posts}for (;;);\n}}\n"
        );
        let text = text.replace(
            "#include <pthread.h>",
            "#include <pthread.h>\n#include <stdlib.h>",
        );
        let words = ["--property=no-infinite-run", "--fair"];
        last_line(&verify_text("waits.c", &text, &words))
    };
    assert!(waits("").starts_with("VERDICT: UNSAFE (run that goes on for ever)"));
    let posted = waits("sem_post(&semaphore);\n");
    assert_eq!(posted, "VERDICT: SAFE (under fair scheduling)");
}

/// The return of `main` ends the process, and its call of `pthread_exit` does not.
#[test]
fn nothing_goes_on_behind_the_return_of_main() {
    let spins = "for (;;);";
    for (end, expected) in [
        ("return 0;", "VERDICT: SAFE (under fair scheduling)"),
        (
            "pthread_exit(0);",
            "VERDICT: UNSAFE (run that goes on for ever)",
        ),
    ] {
        let text = two_threads(spins, end);
        let words = ["--property=no-infinite-run", "--fair"];
        let found = last_line(&verify_text("ends.c", &text, &words));
        assert!(found.starts_with(expected), "{end}: {found}");
    }
    // Under another scheduler `main` need not come so far.
    let text = two_threads(spins, "return 0;");
    let found = last_line(&verify_text(
        "ends.c",
        &text,
        &["--property=no-infinite-run"],
    ));
    assert!(found.starts_with("VERDICT: UNSAFE"), "{found}");
}
