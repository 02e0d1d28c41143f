//! The engine `eventgraph` finds out which blocks of threads exclude each other, and which do not.

use serde_json::Value;

use crate::common::{stderr, stdout, verify_text};

/// Three threads that do the same, once or twice; one knows that it is the last one.
fn program(globals: &str, work: &str) -> String {
    format!(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\
         extern _Bool __VERIFIER_nondet_bool(void);\n\
         int inside;\n{globals}\n\
         static void *work(void *argument) {{\n    do {{\n{work}\n    }} while (__VERIFIER_nondet_bool());\n\
         return argument;\n}}\n\
         int main(void) {{\n    pthread_t first, second;\n    pthread_create(&first, 0, work, 0);\n\
         pthread_create(&second, 0, work, &inside);\n    work(0);\n    return 0;\n}}\n"
    )
}

/// The verdict with its reason, and how often blocks were found to overlap and not to.
fn ask(program: &str) -> (String, [u64; 2]) {
    let words = [
        "--engine=eventgraph",
        "--scheduling=blocks",
        "--unwind=1",
        "--timeout=60",
        "--property=unreach-call",
        "--reduction=none",
        "--json",
    ];
    let output = verify_text("exclusions.c", program, &words);
    let said: Value = serde_json::from_str(&stdout(&output))
        .unwrap_or_else(|error| panic!("{error}: {}", stderr(&output)));
    let queries = &said["statistics"]["engines"][0]["queries"]["exclusion"];
    let of = |answer: &str| queries[answer].as_u64().unwrap_or_default();
    let verdict = format!("{} {}", said["verdict"], said["reason"]);
    (verdict, [of("sat"), of("unsat")])
}

#[test]
fn blocks_exclude_each_other() {
    for (globals, take, give) in [
        (
            "_Atomic int next, served;",
            "int ticket = next++; while (served != ticket) ;",
            "served = ticket + 1;",
        ),
        (
            "_Atomic int held;",
            "while (atomic_exchange(&held, 1)) ;",
            "held = 0;",
        ),
        (
            "_Atomic int held;",
            "int none; do none = 0; while (!atomic_compare_exchange_strong(&held, &none, 1));",
            "held = 0;",
        ),
    ] {
        let work = format!("{take} inside = 1; assert(inside == 1); inside = 0; {give}");
        let (verdict, [_, disjoint]) = ask(&program(globals, &work));
        assert!(
            verdict.contains(
                "no violation where the header of no loop is passed again more than 1 times"
            ),
            "{take}: {verdict}"
        );
        assert!(disjoint > 0, "{take}: nothing was asked");
    }
}

#[test]
fn blocks_that_overlap_exclude_nothing() {
    for (globals, take, give) in [
        // Two threads get the same ticket.
        (
            "_Atomic int next, served;",
            "int ticket = next; next = ticket + 1; while (served != ticket) ;",
            "served = ticket + 1;",
        ),
        // Two threads see that nobody holds it.
        ("_Atomic int held;", "while (held) ; held = 1;", "held = 0;"),
        // Only the second round of a thread, or the second thread, finds it broken.
        (
            "_Atomic int held; int rounds;",
            "while (atomic_exchange(&held, rounds < 1)) ; rounds++;",
            "held = 0;",
        ),
        // Given back before it may be.
        (
            "_Atomic int held;",
            "while (atomic_exchange(&held, 1)) ; held = 0;",
            "held = 0;",
        ),
        // Given back by who did not get it, of two threads.
        (
            "_Atomic int held;",
            "if (argument) break; while (atomic_exchange(&held, 1)) held = 0;",
            "held = 0;",
        ),
        // Two may hold it.
        (
            "_Atomic int holders;",
            "while (atomic_fetch_add(&holders, 1) > 1) holders--;",
            "holders--;",
        ),
        // A sum that does not only grow: a ticket is given twice.
        (
            "_Atomic int next, served;",
            "int ticket = next++; if (__VERIFIER_nondet_bool()) { next--; served = served; } while (served != ticket) ;",
            "served = ticket + 1;",
        ),
    ] {
        let work = format!("{take} inside = 1; assert(inside == 1); inside = 0; {give}");
        let (verdict, [overlapping, _]) = ask(&program(globals, &work));
        assert!(verdict.starts_with("\"UNSAFE\""), "{take}: {verdict}");
        assert!(overlapping > 0, "{take}: no guess was given up");
    }
}
