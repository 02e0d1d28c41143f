//! What the trace of a violation tells, and in which words.

use crate::common::{UNSAFE, code, examples, stdout, terminal, verify, verify_text};

/// The lines of a trace without the rest of the output, each without the spaces around it.
fn trace(name: &str, text: &str, arguments: &[&str]) -> Vec<String> {
    let arguments = [&["--engine", "explicit"], arguments].concat();
    let output = verify_text(name, text, &arguments);
    let shown = stdout(&output);
    assert_eq!(code(&output), 10, "{shown}");
    let (trace, _) = shown
        .split_once("\n\n")
        .expect("an empty line ends a trace");
    trace.lines().map(|line| line.trim().to_owned()).collect()
}

/// There are lines that end with these texts, in this order.
fn assert_told(trace: &[String], texts: &[&str]) {
    let mut lines = trace.iter();
    for text in texts {
        assert!(
            lines.any(|line| line.ends_with(text)),
            "`{text}` is missing, or not in order, in: {trace:#?}"
        );
    }
}

fn assert_not_told(trace: &[String], text: &str) {
    let found: Vec<&String> = trace.iter().filter(|line| line.contains(text)).collect();
    assert!(found.is_empty(), "{found:?} in {trace:#?}");
}

/// A thread waits for another one, which signals before the condition holds.
const QUEUE: &str = "#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
struct queue { int length; struct { int first, last; } ends; pthread_mutex_t mutex; pthread_cond_t filled; };
static struct queue *queue;
static void put(int count) {
  pthread_mutex_lock(&queue->mutex);
  pthread_cond_signal(&queue->filled);
  pthread_mutex_unlock(&queue->mutex);
  queue->ends.last = count;
}
static void *produce(void *unused) {
  put(3);
  return unused;
}
int main(void) {
  pthread_t thread;
  queue = malloc(sizeof *queue);
  if (!queue) return 0;
  memset(queue, 0, sizeof *queue);
  pthread_mutex_init(&queue->mutex, 0);
  pthread_cond_init(&queue->filled, 0);
  queue->length = 7;
  pthread_create(&thread, 0, produce, 0);
  pthread_mutex_lock(&queue->mutex);
  while (queue->ends.last == 0 && queue->length == 7) {
    pthread_cond_wait(&queue->filled, &queue->mutex);
    queue->length++;
  }
  pthread_mutex_unlock(&queue->mutex);
  pthread_join(thread, 0);
  assert(queue->ends.last == 3 && queue->length == 7);
  return 0;
}
";

#[test]
fn a_call_of_the_library_is_one_line_unless_all_is_asked_for() {
    let short = trace("given.c", QUEUE, &[]);
    assert_told(
        &short,
        &[
            "creates produce#1",
            "locks queue#1->mutex",
            "waits for queue#1->filled, unlocks queue#1->mutex",
            "assertion violated",
        ],
    );
    assert_not_told(&short, "mutex+");
    assert_not_told(&short, "filled+");
    let locks = |trace: &[String]| {
        let is_lock = |line: &&String| line.ends_with("locks queue#1->mutex");
        trace.iter().filter(is_lock).count()
    };
    let long = trace("given.c", QUEUE, &["--verbose"]);
    assert_told(
        &long,
        &["locks queue#1->mutex", "reads queue#1->mutex+8 = 0"],
    );
    assert!(locks(&long) > locks(&short), "{long:#?}");
    let row = " locks queue#1->mutex";
    let rows = |trace: &[String]| {
        trace
            .iter()
            .filter(|line| line.contains(':') && line.ends_with(row))
            .count()
    };
    assert_eq!(rows(&long), rows(&short), "{long:#?}");
}

#[test]
fn calls_that_fail_or_do_several_things_are_told_as_such() {
    let program = "#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
sem_t semaphore;
int main(void) {
  int *numbers = malloc(sizeof *numbers);
  if (!numbers) return 0;
  numbers = realloc(numbers, 2 * sizeof *numbers);
  if (!numbers) return 0;
  numbers[1] = 4;
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  assert(sem_trywait(&semaphore) != 0);
  sem_post(&semaphore);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_trywrlock(&lock);
  pthread_mutex_lock(&mutex);
  assert(pthread_mutex_trylock(&mutex) == 0);
  return 0;
}
";
    let told = trace("given.c", program, &[]);
    assert_told(
        &told,
        &[
            "allocates numbers#1 (4 bytes)",
            "resizes numbers#1: allocates numbers#2 (8 bytes)",
            "numbers#2[1] := 4",
            "initialises semaphore",
            " decrements semaphore",
            "fails to decrement semaphore",
            "increments semaphore",
            " read-locks lock",
            "fails to write-lock lock",
            " locks mutex",
            "finds mutex locked (EBUSY)",
            "assertion violated",
        ],
    );
}

#[test]
fn what_is_wrong_with_a_mutex_names_it() {
    let program = "#include <pthread.h>
static struct { int count; pthread_mutex_t mutex; } shared = {0, PTHREAD_MUTEX_INITIALIZER};
int main(void) { return pthread_mutex_unlock(&shared.mutex); }
";
    let told = trace("given.c", program, &["--property", "no-lock-misuse"]);
    assert_told(
        &told,
        &["uses shared.mutex, unlock of a mutex that is free"],
    );
}

#[test]
fn members_elements_and_heap_objects_have_the_names_of_the_program() {
    let program = "#include <assert.h>
#include <stdlib.h>
enum state { IDLE, BUSY };
struct slot { unsigned char level; enum state state; struct slot *next; } slots[3];
struct pair { int first; struct { short low, high; } second; };
static short *seen;
int main(void) {
  struct pair *pair = malloc(sizeof *pair);
  struct slot *many = calloc(2, sizeof *many);
  char *bytes = malloc(5);
  if (!pair || !many || !bytes) return 0;
  struct pair local = {1, {2, 3}};
  seen = &local.second.low;
  pair->second.high = *seen;
  slots[2].state = BUSY;
  slots[2].level = 200;
  slots[1].next = &many[1];
  many[1].next = &slots[2];
  bytes[3] = 9;
  assert(slots[2].state == IDLE);
  return 0;
}
";
    let told = trace("given.c", program, &[]);
    assert_told(
        &told,
        &[
            "allocates pair#1 (8 bytes)",
            "allocates slot#1 (32 bytes)",
            "allocates bytes#1 (5 bytes)",
            "seen := &local@main.second.low",
            "reads local@main.second.low = 2",
            "pair#1->second.high := 2",
            "slots[2].state := BUSY",
            "slots[2].level := 200",
            "slots[1].next := &slot#1[1]",
            "slot#1[1].next := &slots[2]",
            "bytes#1[3] := 9",
            "reads slots[2].state = BUSY",
        ],
    );
    // Without debug information there are offsets, and objects have the names of the model.
    let plain = trace("given.c", program, &["--", "-g0"]);
    assert_told(&plain, &["heap0#0+6 := 2", "slots+36 := 1"]);
}

#[test]
fn a_switch_of_threads_tells_the_function_and_its_callers() {
    let told = trace("given.c", QUEUE, &[]);
    let rules: Vec<&str> = told
        .iter()
        .filter(|line| line.starts_with("---"))
        .map(|line| line.trim_matches(['-', ' ']))
        .collect();
    let place = "produce#1 in put (called by produce at given.c:14)";
    assert!(rules.contains(&place), "{rules:?}");
    // A function that the library calls.
    let sorted = "#include <assert.h>
#include <pthread.h>
static int count;
static void once(void) { count++; count++; }
static pthread_once_t control = PTHREAD_ONCE_INIT;
static void *work(void *unused) { pthread_once(&control, once); return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  count = 5;
  pthread_join(thread, 0);
  assert(count != 6);
  return 0;
}
";
    let told = trace("given.c", sorted, &[]);
    let caller = "once (called by pthread_once, called by work at given.c:6)";
    assert!(told.iter().any(|line| line.contains(caller)), "{told:#?}");
}

#[test]
fn spurious_wake_ups_are_called_so() {
    let spurious = trace("given.c", QUEUE, &[]);
    assert_told(
        &spurious,
        &["wakes up spuriously from waiting for queue#1->filled, locks queue#1->mutex"],
    );
    // The assertion is violated behind a signal only.
    let signalled = "#include <assert.h>
#include <pthread.h>
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t filled = PTHREAD_COND_INITIALIZER;
int waiting, done;
static void *signal(void *unused) {
  pthread_mutex_lock(&mutex);
  if (waiting) {
    pthread_cond_signal(&filled);
    done = 1;
  }
  pthread_mutex_unlock(&mutex);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, signal, 0);
  pthread_mutex_lock(&mutex);
  waiting = 1;
  pthread_cond_wait(&filled, &mutex);
  assert(!done);
  return 0;
}
";
    let told = trace("given.c", signalled, &[]);
    assert_told(
        &told,
        &[
            "waits for filled, unlocks mutex",
            "signals filled",
            "wakes up from waiting for filled, locks mutex",
        ],
    );
    assert_not_told(&told, "spuriously");
}

#[test]
fn compare_and_swaps_that_fail_are_called_so() {
    let program = |kind: &str, expected| {
        format!(
            "#include <assert.h>
#include <stdatomic.h>
static _Atomic int owner;
int main(void) {{
  int expected = {expected};
  assert(atomic_compare_exchange_{kind}(&owner, &expected, 1));
  return 0;
}}
"
        )
    };
    let weak = trace("given.c", &program("weak", 0), &[]);
    assert_told(
        &weak,
        &["compare-and-swap fails spuriously: reads owner = 0"],
    );
    let strong = trace("given.c", &program("strong", 2), &[]);
    assert_told(&strong, &["reads owner = 0, compare-and-swap fails"]);
    assert_not_told(&strong, "spuriously");
}

#[test]
fn addresses_that_are_used_again_are_called_so() {
    let program = "#include <assert.h>
#include <stdlib.h>
struct node { int value; };
static struct node *top;
int main(void) {
  struct node *first = malloc(sizeof *first);
  if (!first) return 0;
  top = first;
  first->value = 1;
  free(first);
  struct node *second = malloc(sizeof *second);
  if (!second) return 0;
  second->value = 2;
  assert(top != second);
  return 0;
}
";
    let told = trace("given.c", program, &[]);
    assert_told(
        &told,
        &[
            "allocates node#1 (4 bytes)",
            "frees node#1",
            "allocates node#2 (4 bytes) at the address of node#1, which was freed",
            "node#2->value := 2",
        ],
    );
}

#[test]
fn initialisation_is_one_line_unless_all_is_asked_for() {
    let short = trace("given.c", QUEUE, &[]);
    let folded = short
        .iter()
        .find(|line| line.starts_with("initialisation: "));
    let folded = folded.expect("the initialisation has a line");
    assert!(
        folded.ends_with(" steps (--verbose shows them)"),
        "{folded}"
    );
    assert_not_told(&short, "length := 7");
    let long = trace("given.c", QUEUE, &["--verbose"]);
    assert_told(&long, &["queue#1->length := 7", "creates produce#1"]);
    assert_not_told(&long, "initialisation: ");
    // What `main` does is all that happens.
    let alone = "#include <assert.h>
int a, b, c, d;
int main(void) { a = 1; b = 2; c = 3; d = a + b; assert(d == c + 1); return 0; }
";
    assert_told(
        &trace("given.c", alone, &[]),
        &["a := 1", "b := 2", "c := 3"],
    );
    // An input is shown wherever the program is given it.
    let given = "#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
int a, b, c, d;
static void *work(void *unused) { d++; return unused; }
int main(void) {
  pthread_t thread;
  a = 1; b = 2; c = 3;
  int input = __VERIFIER_nondet_int();
  pthread_create(&thread, 0, work, 0);
  assert(input != 5);
  return 0;
}
";
    let told = trace("given.c", given, &[]);
    assert_told(
        &told,
        &[
            "(--verbose shows them)",
            "input = 5 (input)",
            "creates work#1",
        ],
    );
}

#[test]
fn all_events_are_in_the_document() {
    let output = verify_text("given.c", QUEUE, &["--engine", "explicit", "--json"]);
    let document: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let rows = document["trace"]["rows"].as_array().expect("a list");
    let find = |text: &str| {
        let found = rows.iter().find(|row| row["text"] == text);
        found.unwrap_or_else(|| panic!("`{text}` is missing in {rows:#?}"))
    };
    assert_eq!(find("queue#1->length := 7")["importance"], "initialisation");
    let lock = find("locks queue#1->mutex");
    let details = lock["details"].as_array().expect("a list");
    assert!(
        details.contains(&"reads queue#1->mutex+8 = 0".into()),
        "{details:?}"
    );
    assert_eq!(lock["importance"], serde_json::Value::Null);
    let unlocked = rows
        .iter()
        .find(|row| row["function"] == "put")
        .expect("a row");
    let caller = serde_json::json!([{"function": "produce", "file": "given.c", "line": 14}]);
    assert_eq!(unlocked["calls"], caller);
}

#[test]
fn colours_are_for_terminals() {
    let escape = '\u{1b}';
    let script = format!("$verify {UNSAFE} --engine explicit 2>/dev/null");
    let coloured = stdout(&terminal(&script));
    assert!(coloured.contains(&format!("{escape}[31m")), "{coloured:?}");
    assert!(
        coloured.trim_end().ends_with("peterson_broken.c:21"),
        "{coloured:?}"
    );
    for quiet in [
        format!("NO_COLOR=1 {script}"),
        format!("env -u CI TERM=dumb {script}"),
        format!("{script} | cat"),
        format!("CLICOLOR_FORCE=1 {script} | cat"),
    ] {
        let plain = stdout(&terminal(&quiet));
        assert!(!plain.contains(escape), "{quiet}: {plain:?}");
        assert!(plain.contains("assertion violated"), "{quiet}: {plain:?}");
    }
    let piped = stdout(&verify(&[UNSAFE, "--engine", "explicit"]));
    assert!(!piped.contains(escape), "{piped:?}");
}

#[test]
fn the_run_in_the_readme_is_what_is_shown() {
    let shown = stdout(&verify(&["bounded_buffer_broken.c"]));
    let (trace, _) = shown
        .split_once("\n\n")
        .expect("an empty line ends a trace");
    let quoted: String = trace.lines().map(|line| format!("    {line}\n")).collect();
    let readme =
        std::fs::read_to_string(examples().join("../README.md")).expect("the page is there");
    assert!(readme.contains(&quoted), "{quoted}");
}
