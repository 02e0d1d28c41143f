//! Instrumented programs that run natively: alone, beside the original, and by the schedule of a counterexample.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use abi::functions::Effect;
use abi::native::{CHECK_VARIABLE, REPLAY_VARIABLE, SEED_VARIABLE, STATUS_FAULT, STATUS_STUCK};
use clap::Parser;
use frontend::testing::in_parallel;
use program::model::DataModel;
use tempfile::TempDir;
use tests::make_library;
use verify::native::{Executable, Memory, executable};
use verify::options::Options;
use verify::replay::{Replayed, replay};
use verify::verdict::{Failure, Verdict};

fn options(file: &Path, more: &[&str]) -> Options {
    let file = file.to_string_lossy();
    let words = ["verify", &file].into_iter().chain(more.iter().copied());
    Options::try_parse_from(words).expect("valid options")
}

fn build(file: &Path, more: &[&str]) -> Executable {
    make_library();
    executable(&options(file, more).program).unwrap_or_else(|failure| panic!("{failure}"))
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

fn example(name: &str) -> PathBuf {
    folder("../c-examples").join(name)
}

/// Runs an executable, with checks of phases.
fn run(executable: &Path, variable: &str, value: &str) -> Output {
    Command::new(executable)
        .env(CHECK_VARIABLE, "1")
        .env(variable, value)
        .output()
        .expect("what was built runs")
}

/// A program given as text, in a directory of its own.
fn program(text: &str) -> (TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let file = directory.path().join("program.c");
    std::fs::write(&file, text).expect("the directory is writable");
    (directory, file)
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What models of the library ask for must be there when they are linked.
#[test]
fn native_runs_have_every_unknown_value() {
    let text = std::fs::read_to_string(folder("../runtime/src/inputs.rs"));
    let text = text.expect("a source file");
    let names = abi::functions::with_effect(Effect::Irrelevant);
    for name in names.filter(|name| name.starts_with("__mazurka_")) {
        assert!(text.contains(&format!("\"{name}\"")), "{name}");
    }
}

#[test]
fn deterministic_programs_do_what_the_original_does() {
    let files = std::fs::read_dir(folder("native")).expect("there are programs");
    let files: Vec<PathBuf> = files
        .map(|file| file.expect("the folder can be read").path())
        .collect();
    assert!(files.len() >= 8, "programs are missing");
    in_parallel(files.into_iter(), |file| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let original = directory.path().join("original");
        let mut clang = Command::new("clang-19");
        clang.args(["-w", "-O0", "-pthread", "-o"]);
        let compiled = clang.args([&original, &file]).status();
        assert!(compiled.expect("clang runs").success());
        let original = run(&original, SEED_VARIABLE, "0");
        for reduction in ["none", "static", "phase", "dynamic"] {
            let instrumented = build(&file, &["--reduction", reduction]);
            for seed in ["0", "1"] {
                let output = run(&instrumented.path(), SEED_VARIABLE, seed);
                let what = format!("{} --reduction {reduction}: {output:?}", file.display());
                assert_eq!(output.stdout, original.stdout, "{what}");
                assert_eq!(output.status, original.status, "{what}");
            }
        }
    });
}

/// Programs whose violation takes a data race, a lock, a compare-and-swap, an input, a join, a library function, an object
/// that is freed, threads that create threads, or a thread that goes on when `main` has returned.
const VIOLATED: [&str; 12] = [
    "counter_racy.c",
    "unlock_too_early.c",
    "counter_cas_broken.c",
    "nondet_midpoint_broken.c",
    "bits_wrap_broken.c",
    "thread_results_broken.c",
    "rwlock_broken.c",
    "barrier_broken.c",
    "stack_malloc_aba.c",
    "nested_create_broken.c",
    "main_returns_first.c",
    "atomic_section_broken.c",
];

/// The property that most examples are about.
const ASSERTED: &str = "unreach-call";

/// Examples that violate another property, one of each kind that a machine can be made to show.
const MISUSED: [(&str, &str, &str); 27] = [
    ("free_by_last_broken.c", "valid-free", "double free"),
    ("free_from_start_broken.c", "valid-free", "invalid free"),
    ("deref_published_broken.c", "valid-deref", "null pointer"),
    ("deref_node_taken_broken.c", "valid-deref", "use after free"),
    (
        "deref_argument_of_thread_broken.c",
        "valid-deref",
        "use after scope",
    ),
    (
        "deref_result_of_thread_broken.c",
        "valid-deref",
        "use after thread end",
    ),
    (
        "deref_slot_claimed_broken.c",
        "valid-deref",
        "out of bounds",
    ),
    (
        "deref_pool_destroyed_broken.c",
        "valid-deref",
        "use after free",
    ),
    ("overflow_ticket_broken.c", "no-overflow", "signed overflow"),
    (
        "overflow_share_of_workers_broken.c",
        "no-overflow",
        "division by zero",
    ),
    (
        "misuse_given_back_twice_broken.c",
        "no-lock-misuse",
        "unlock of a free mutex",
    ),
    (
        "misuse_taken_in_call_broken.c",
        "no-lock-misuse",
        "lock of a mutex that the thread holds",
    ),
    (
        "misuse_after_end_broken.c",
        "no-lock-misuse",
        "use of a mutex that is not initialised",
    ),
    (
        "misuse_reader_left_broken.c",
        "no-lock-misuse",
        "unlock of a free read-write lock",
    ),
    ("deadlock_cycle_three_broken.c", "no-deadlock", "deadlock"),
    ("deadlock_itself_broken.c", "no-deadlock", "deadlock"),
    ("deadlock_join_broken.c", "no-deadlock", "deadlock"),
    ("deadlock_lost_signal_broken.c", "no-deadlock", "deadlock"),
    (
        "deadlock_not_given_back_broken.c",
        "no-deadlock",
        "deadlock",
    ),
    ("deadlock_of_some_broken.c", "no-deadlock", "deadlock"),
    ("deadlock_reader_beside_broken.c", "no-deadlock", "deadlock"),
    ("deadlock_semaphore_broken.c", "no-deadlock", "deadlock"),
    ("race_atomic_region_broken.c", "no-data-race", "data race"),
    ("race_block_middle_broken.c", "no-data-race", "data race"),
    ("race_exchange_fails_broken.c", "no-data-race", "data race"),
    ("race_mutex_broken.c", "no-data-race", "data race"),
    ("race_try_again_broken.c", "no-data-race", "data race"),
];

/// Stores the counterexample that an engine finds; gives the place of the violation.
fn counterexample(file: &Path, property: &str, engine: &str, schedule: &Path) -> String {
    let options = options(file, &["--engine", engine, "--property", property]);
    let report = verify::run(&options).unwrap_or_else(|failure| panic!("{failure}"));
    let Verdict::Unsafe { file, line, .. } = report.verdict else {
        panic!("{}", report.verdict)
    };
    let text = report.schedule.expect("a violation has one").to_string();
    std::fs::write(schedule, text).expect("the directory is writable");
    format!("{file}:{line}")
}

fn replayed(file: &Path, property: &str, schedule: &Path) -> Result<Replayed, Failure> {
    make_library();
    replay(&options(file, &["--property", property]).program, schedule)
}

#[test]
fn counterexamples_violate_the_same_property_natively() {
    let asserted = VIOLATED.map(|name| (name, ASSERTED, "assertion"));
    let all = asserted.into_iter().chain(MISUSED);
    in_parallel(all, |(name, property, what)| {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let (file, schedule) = (example(name), directory.path().join("run.schedule"));
        let place = counterexample(&file, property, "explicit", &schedule);
        match replayed(&file, property, &schedule) {
            Ok(found) => assert_eq!(
                found,
                Replayed::Confirmed {
                    property: what.into(),
                    place
                },
                "{name}"
            ),
            Err(failure) => panic!("{name}: {failure}"),
        }
    });
}

#[test]
fn what_a_sanitizer_does_not_notice_is_not_confirmed() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let (file, schedule) = (
        example("cleanup_of_local_broken.c"),
        directory.path().join("run.schedule"),
    );
    counterexample(&file, "valid-deref", "explicit", &schedule);
    let found = replayed(&file, "valid-deref", &schedule);
    let what = "an invalid use of memory that AddressSanitizer does not notice".to_owned();
    assert_eq!(found.ok(), Some(Replayed::NotEnforceable { what }));
}

/// The threads wait for each other, or race, only if the program has two arguments, and a native run has none.
#[test]
fn threads_that_do_not_wait_or_race_natively_confirm_nothing() {
    let waits = "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(int count, char **arguments) {
  pthread_mutex_lock(&mutex);
  if (count == 3 && arguments)
    pthread_mutex_lock(&mutex);
  return 0;
}
";
    let races = "static int shared[4];
static void *work(void *argument) { shared[0] = 1; return argument; }
int main(int count, char **arguments) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  shared[count == 3 && arguments ? 0 : 1] = 1;
  return 0;
}
";
    for (text, property) in [(waits, "no-deadlock"), (races, "no-data-race")] {
        let (directory, file) = program(&format!("#include <pthread.h>\n{text}"));
        let schedule = directory.path().join("run.schedule");
        counterexample(&file, property, "explicit", &schedule);
        let Ok(Replayed::NotEnforceable { what }) = replayed(&file, property, &schedule) else {
            panic!("{property}: the number of arguments is not told")
        };
        assert!(what.starts_with("`count`"), "{what}");
    }
}

#[test]
fn two_threads_race_only_before_accesses_that_conflict() {
    let executable = calling(
        "void *__mazurka_create(void *(*)(void *), void *);
void __mazurka_access(int site, void *address, unsigned long size, _Bool writes, _Bool atomic);
static int shared[2];
static void *work(void *argument) {
  __mazurka_access(6, shared, 4, 0, 0);
  __mazurka_access(7, shared + 1, 4, 0, 0);
  __mazurka_access(8, shared, 4, 1, 1);
  return argument;
}
int main(void) {
  __mazurka_create(work, 0);
  __mazurka_access(5, shared, 4, 1, 1);
  return 0;
}
",
    );
    for (words, expected) in [
        ("!6", true),
        ("!7", false),
        ("!8", false),
        ("!9", false),
        ("", false),
    ] {
        let turns = format!("t0 start +t1 !5\nt1 start {words}\nend t1\n");
        assert_eq!(is_violated(&executable, &turns), expected, "{words}");
    }
}

#[test]
fn a_schedule_with_events_out_of_order_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let schedule = directory.path().join("run.schedule");
    let file = example("counter_racy.c");
    counterexample(&file, ASSERTED, "explicit", &schedule);
    let text = std::fs::read_to_string(&schedule).expect("it was written");
    let mut lines: Vec<&str> = text.lines().collect();
    lines.swap(0, 1);
    std::fs::write(&schedule, lines.join("\n")).expect("writable");
    let failure = replayed(&file, ASSERTED, &schedule).expect_err("no thread was created there");
    assert_eq!(failure.exit_code(), 2);
    let message = failure.to_string();
    assert!(
        message.starts_with("the schedule is none of this program: event 1:"),
        "{message}"
    );
}

#[test]
fn a_schedule_that_violates_nothing_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let schedule = directory.path().join("run.schedule");
    std::fs::write(&schedule, "t0 1\n").expect("writable");
    let failure = replayed(&example("counter_racy.c"), ASSERTED, &schedule).expect_err("too short");
    assert!(
        failure.to_string().contains("before anything is violated"),
        "{failure}"
    );
}

/// One thread reports by `reach_error`, whose place only the debug information knows; the other one must not get in between.
const REPORTS: &str = "#include <pthread.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static int shared;
static void *other(void *unused) {
  shared = 1;
  shared = 2;
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  int unread = __VERIFIER_nondet_int();
  int wanted = __VERIFIER_nondet_int();
  if (shared == 1 && wanted == 12345)
    reach_error();
  pthread_join(thread, 0);
  return 0;
}
";

#[test]
fn inputs_and_violations_by_name_are_replayed() {
    let (directory, file) = program(REPORTS);
    let schedule = directory.path().join("run.schedule");
    let place = counterexample(&file, ASSERTED, "bmc", &schedule);
    assert!(place.ends_with("program.c:16"), "{place}");
    let confirmed = Replayed::Confirmed {
        property: "assertion".into(),
        place,
    };
    match replayed(&file, ASSERTED, &schedule) {
        Ok(found) => assert_eq!(found, confirmed),
        Err(failure) => panic!("{failure}"),
    }
}

#[test]
fn a_run_that_cannot_take_its_turns_says_where() {
    let executable = build(&example("counter_racy.c"), &["--reduction", "none"]);
    let turns = |text: &str| {
        let file = executable
            .store("turns", text.as_bytes())
            .expect("writable");
        let output = run(&executable.path(), REPLAY_VARIABLE, &file.to_string_lossy());
        assert_eq!(output.status.code(), Some(STATUS_FAULT), "{output:?}");
        said(&output)
    };
    let elsewhere = turns("t0 start +t1\nt0 999\nend t0\n");
    assert!(
        elsewhere.starts_with(
            "mazurka: after turn 1: the next turn is `t0 999`, and t0 is at the yield with site"
        ),
        "{elsewhere}"
    );
    let short = turns("t0 start +t1\nend t0\n");
    assert!(
        short.contains("the last turn ends without the violation"),
        "{short}"
    );
    let malformed = turns("t0 begin\n");
    assert!(malformed.contains("line 1: no site"), "{malformed}");
}

/// A program that calls the runtime as bitcode that is built to be replayed does.
fn calling(text: &str) -> Executable {
    let (directory, file) = program(text);
    let bitcode = directory.path().join("program.bc");
    let mut clang = Command::new("clang-19");
    clang.args(["-O0", "-emit-llvm", "-c", "-o"]);
    let compiled = clang.args([&bitcode, &file]).status();
    assert!(compiled.expect("clang runs").success());
    make_library();
    let bitcode = std::fs::read(&bitcode).expect("clang wrote it");
    let built = Executable::build(DataModel::Lp64, &bitcode, Memory::Unwatched);
    built.expect("it is linked")
}

/// Whether the run that follows these turns ends in the violation.
fn is_violated(executable: &Executable, turns: &str) -> bool {
    let file = executable.store("turns", turns.as_bytes());
    let file = file.expect("writable");
    let output = run(&executable.path(), REPLAY_VARIABLE, &file.to_string_lossy());
    said(&output).contains("mazurka: violated by ")
}

#[test]
fn an_object_holds_what_its_allocation_says_and_nothing_behind_it() {
    let executable = calling(
        "void *__mazurka_allocate(int site, unsigned long size);
void __VERIFIER_assert(int);
int main(void) {
  unsigned short *other = __mazurka_allocate(4, 4), *fresh = __mazurka_allocate(5, 4);
  __VERIFIER_assert(fresh[1] != 0x3039);
  return other[1];
}
",
    );
    for (word, expected) in [
        ("5@0:4:2=3930", true),
        ("5@0:4:0=3930", false),
        ("5@0:4:2=3931", false),
        ("4@0:4:2=3930", false),
        ("4@1:4 5@0:4:2=3930", true),
        ("5@0:4:2=3930:9999=00", true),
    ] {
        let turns = format!("t0 start {word}\nend t0\n");
        assert_eq!(is_violated(&executable, &turns), expected, "{word}");
    }
}

#[test]
fn an_object_takes_memory_again_only_at_the_same_place() {
    let executable = calling(
        "void *__mazurka_allocate(int site, unsigned long size);
void __mazurka_deallocate(void *object);
void __VERIFIER_assert(int);
int main(void) {
  void *old = __mazurka_allocate(4, 4);
  __mazurka_deallocate(old);
  __VERIFIER_assert(__mazurka_allocate(5, 8) != old);
}
",
    );
    for (words, expected) in [
        ("4@0:8 5@0:8", true),
        ("4@0:8 5@1:8", false),
        ("4@0:8", false),
        ("4@0:4 5@0:4", false),
    ] {
        let turns = format!("t0 start {words}\nend t0\n");
        assert_eq!(is_violated(&executable, &turns), expected, "{words}");
    }
}

#[test]
fn threads_that_wait_for_each_other_end_the_run() {
    let text = "#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
";
    let (_directory, file) = program(text);
    let output = run(&build(&file, &[]).path(), SEED_VARIABLE, "0");
    assert_eq!(output.status.code(), Some(STATUS_STUCK));
    assert_eq!(said(&output), "mazurka: no thread can go on: t0 waits\n");
}

/// What no plan does: the transaction has committed, and no location is external before the thread waits.
#[test]
fn waiting_in_the_post_phase_is_a_fault() {
    let text = "#include <pthread.h>
void __mazurka_commit_unless(_Bool moves);
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv) {
  __mazurka_commit_unless(argc > 1);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  return 0;
}
";
    let executable = calling(text);
    let output = run(&executable.path(), SEED_VARIABLE, "0");
    assert_eq!(output.status.code(), Some(STATUS_FAULT), "{output:?}");
    let message = "mazurka: phase check: t0 waits in the post phase of its transaction\n";
    assert_eq!(said(&output), message);
    let mut moves = Command::new(executable.path());
    let moves = moves.arg("moves").env(CHECK_VARIABLE, "1").output();
    let moves = moves.expect("what was built runs");
    assert_eq!(moves.status.code(), Some(STATUS_STUCK), "{moves:?}");
}
