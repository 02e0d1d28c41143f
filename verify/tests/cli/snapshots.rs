//! The layout of what is printed, as a whole. `INSTA_UPDATE=always cargo test` accepts a new one.

use crate::common::{UNSAFE, stdout, verify, verify_text};

#[test]
fn a_violation_as_text() {
    insta::assert_snapshot!(stdout(&verify(&[UNSAFE])));
}

#[test]
fn a_violation_with_inputs_and_mutexes_as_text() {
    let program = "extern char __VERIFIER_nondet_char(void);
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
struct pair { int first, second; } pair;
int *chosen;

void *work(void *unused) {
    char given = __VERIFIER_nondet_char();
    pthread_mutex_lock(&lock);
    pair.second = given;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t worker;
    pthread_create(&worker, 0, work, 0);
    chosen = &pair.second;
    pthread_join(worker, 0);
    assert(*chosen != 3);
    return 0;
}
";
    insta::assert_snapshot!(stdout(&verify_text(
        "given.c",
        program,
        &["--engine", "explicit"]
    )));
}

#[test]
fn a_violation_as_json() {
    let output = verify(&["atomic_section_broken.c", "--engine", "explicit", "--json"]);
    let mut document: serde_json::Value =
        serde_json::from_str(&stdout(&output)).expect("one JSON document");
    let statistics = &mut document["statistics"];
    statistics["preparation_seconds"] = "[seconds]".into();
    statistics["peak_mebibytes"] = "[MiB]".into();
    statistics["engines"][0]["seconds"] = "[seconds]".into();
    let text = serde_json::to_string_pretty(&document).expect("keys are strings");
    insta::assert_snapshot!(text);
}
