//! The engine `eventgraph`, and the options that it has alone.

use crate::common::{code, last_line, stderr, stdout, verify, verify_text};

/// Two threads write one variable each and read the other's; a loop of any number of rounds comes before that.
const STORE_BUFFERING: &str = "#include <assert.h>
#include <pthread.h>

extern _Bool __VERIFIER_nondet_bool(void);
static int x, y, left = 1, right = 1;

static void *write_x(void *unused) {
    x = 1;
    left = y;
    return unused;
}

static void *write_y(void *unused) {
    y = 1;
    right = x;
    return unused;
}

int main(void) {
    unsigned rounds = 0;
    while (rounds < ROUNDS && __VERIFIER_nondet_bool())
        rounds++;
    pthread_t a, b;
    pthread_create(&a, 0, write_x, 0);
    pthread_create(&b, 0, write_y, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(rounds <= ROUNDS && (left || right));
    return 0;
}
";

/// Asks the engine about that program, with more words.
fn ask(words: &[&str]) -> std::process::Output {
    verify_text(
        "store_buffering.c",
        STORE_BUFFERING,
        &[&["--engine=eventgraph"], words].concat(),
    )
}

#[test]
fn a_refined_order_has_cycles_and_an_encoded_one_none_among_two_threads() {
    for (scheduling, cycles) in [
        ("encoded", false),
        ("pairs", false),
        ("refined", true),
        ("clocks", false),
    ] {
        let output = ask(&["--clang-arg=-DROUNDS=0", "--scheduling", scheduling]);
        assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stderr(&output));
        let without = stdout(&output).contains("refuted, 0 cycles of events checked");
        assert_eq!(without, !cycles, "{}", stdout(&output));
    }
}

/// What the default says of the order of events of two threads leaves no cycle: without what a link says of its write and its read, and of
/// other writes between them, there would be some, and the verdict would be the same.
#[test]
fn updates_of_two_threads_have_no_cycle() {
    let output = verify(&[
        "counter_atomic_steps.c",
        "--engine=eventgraph",
        "--property=unreach-call",
    ]);
    assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stderr(&output));
    let evidence = stdout(&output);
    assert!(
        evidence.contains("refuted, 0 cycles of events checked"),
        "{evidence}"
    );
}

/// A ring of threads: each writes its own variable, and reads that of the thread so many places behind it.
const RING: &str = "#include <assert.h>
#include <pthread.h>

static int x[3], seen[3];

static void *turn(void *argument) {
    int *own = argument;
    *own = 1;
    seen[own - x] = x[(own - x + PLACES) % 3];
    return 0;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, turn, &x[0]);
    pthread_create(&b, 0, turn, &x[1]);
    pthread_create(&c, 0, turn, &x[2]);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    assert(seen[0] || seen[1] || seen[2]);
    return 0;
}
";

#[test]
fn triples_and_clocks_leave_no_cycle_among_three_threads() {
    // The cycle goes round in one direction, and then in the other.
    for places in ["-DPLACES=1", "-DPLACES=2"] {
        for (scheduling, cycles) in [("encoded", false), ("pairs", true), ("clocks", false)] {
            let words = ["--engine=eventgraph", places, "--scheduling", scheduling];
            let output = verify_text("ring.c", RING, &words);
            assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stderr(&output));
            let without = stdout(&output).contains("refuted, 0 cycles of events checked");
            assert_eq!(without, !cycles, "{}", stdout(&output));
        }
    }
}

#[test]
fn a_limit_has_its_place() {
    let output = verify(&["threads_unbounded.c", "--engine=eventgraph"]);
    assert_eq!(
        last_line(&output),
        "VERDICT: UNKNOWN (more threads than enumerated (raise --threads) at threads_unbounded.c:23)"
    );
}

#[test]
fn what_a_thread_does_before_a_limit_is_seen_by_others() {
    for reduction in ["none", "static"] {
        let asked = |program| {
            let words = [
                "--engine=eventgraph",
                "--property=unreach-call",
                "--reduction",
            ];
            last_line(&verify(&[&[program], &words[..], &[reduction]].concat()))
        };
        for program in [
            "written_before_limit_broken.c",
            "created_before_limit_broken.c",
        ] {
            let before = asked(program);
            assert!(before.starts_with("VERDICT: UNSAFE"), "{program}: {before}");
        }
        let behind = asked("written_behind_limit.c");
        let at = "at written_behind_limit.c:13)";
        assert!(
            behind.starts_with("VERDICT: UNKNOWN") && behind.ends_with(at),
            "{behind}"
        );
    }
}

/// A thread writes one number after the other, and nothing that others see is between two of them.
const NUMBERS: &str = "#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int number;

static void *count(void *unused) {
    int last = __VERIFIER_nondet_int();
    for (int i = 1; i < last; i++)
        number = i;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, count, 0);
    assert(number != NUMBER);
    return 0;
}
";

#[test]
fn what_is_seen_before_a_loop_goes_on_is_searched() {
    let asked = |number, unwind| {
        last_line(&verify_text(
            "numbers.c",
            NUMBERS,
            &["--engine=eventgraph", number, unwind],
        ))
    };
    for (number, enough) in [("-DNUMBER=1", "--unwind=0"), ("-DNUMBER=3", "--unwind=2")] {
        let found = asked(number, enough);
        assert!(found.starts_with("VERDICT: UNSAFE"), "{found}");
    }
    let missed = asked("-DNUMBER=3", "--unwind=1");
    assert!(missed.starts_with("VERDICT: UNKNOWN"), "{missed}");
}

/// A thread goes on for ever, and main comes to the limit of threads before what it would do behind it.
const LIMIT: &str = "#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);
static int turned;
static _Atomic int counter;

static void *count(void *unused) {
    counter++;
    return unused;
}

static void *turn(void *unused) {
    for (;;)
        turned = !turned;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, turn, 0);
    int rounds = __VERIFIER_nondet_int();
    for (int i = 0; i < rounds; i++) {
        pthread_create(&thread, 0, count, 0);
    }
    assert(counter < 4);
    return 0;
}
";

#[test]
fn what_was_searched_is_told_with_its_limits() {
    let asked = |more: &[&str]| {
        let words = [
            "--engine=eventgraph",
            "--property=unreach-call",
            "--unwind=10",
        ];
        last_line(&verify_text("limit.c", LIMIT, &[&words[..], more].concat()))
    };
    let told = "passed again more than 10 times and no other limit is met)";
    let searched = asked(&["--threads=2"]);
    assert!(
        searched.starts_with("VERDICT: UNKNOWN") && searched.ends_with(told),
        "{searched}"
    );
    assert!(asked(&["--threads=5"]).starts_with("VERDICT: UNSAFE"));
}

#[test]
fn loops_are_unwound_as_far_as_they_are_said_to_be() {
    let rounds = "--clang-arg=-DROUNDS=40";
    let output = ask(&[rounds, "--unwind=39"]);
    assert_eq!(
        last_line(&output),
        "VERDICT: UNKNOWN (eventgraph: no violation where the header of no loop is passed again more than 39 times)"
    );
    for words in [&[rounds][..], &[rounds, "--unwind=40"]] {
        assert_eq!(last_line(&ask(words)), "VERDICT: SAFE");
    }
}

/// The second loop goes on twice only where the first one has gone on forty times, so it is unwound later.
const ONE_LOOP_BEHIND_ANOTHER: &str = "#include <assert.h>

extern _Bool __VERIFIER_nondet_bool(void);

int main(void) {
    int often = 0, less = 0;
    while (often < 40 && __VERIFIER_nondet_bool())
        often++;
    while (less < often / 20)
        less++;
    assert(less <= 2);
    return 0;
}
";

#[test]
fn no_more_is_claimed_than_every_loop_was_unwound() {
    let words = ["--engine=eventgraph", "-v"];
    let output = verify_text("loops.c", ONE_LOOP_BEHIND_ANOTHER, &words);
    assert_eq!(last_line(&output), "VERDICT: SAFE", "{}", stderr(&output));
    let log = stderr(&output);
    let bounds = log.split(" passed again more than ").skip(1);
    let bounds: Vec<u32> = bounds
        .filter_map(|rest| rest.split(' ').next()?.parse().ok())
        .collect();
    assert_eq!(bounds, [1, 2, 4, 8, 16, 32, 1], "{log}");
}

#[test]
fn what_others_would_ignore_is_refused() {
    for option in ["--unwind=3", "--scheduling=refined"] {
        let output = verify(&["peterson.c", option]);
        assert_eq!(code(&output), 1);
        assert!(stderr(&output).contains("say --engine eventgraph, too"));
    }
}
