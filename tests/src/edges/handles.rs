//! Thread handles: when they are stored, and how often a thread is joined or detached.

use std::fmt::Write as _;

use super::part::Part;
use crate::numbers::Numbers;

const WORKER: &str = "static void *worker@(void *unused) {\n    return 0;\n}\n";

/// A thread compares the handle that `pthread_create` stores with its own. The twins make sure that it is stored before.
pub fn stored(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_t handle@;\nstatic sem_t stored@;\nstatic pthread_mutex_t mutex@ = PTHREAD_MUTEX_INITIALIZER;\n\
        static void *comparer@(void *unused) {\n    $BEFORE\n    assert($CONDITION);\n    return 0;\n}";
    let (before, create, after) = match (broken, numbers.below(2)) {
        (true, _) => ("", "", ""),
        (false, 0) => ("sem_wait(&stored@);", "", "sem_post(&stored@);"),
        (false, _) => (
            "pthread_mutex_lock(&mutex@);\n    pthread_mutex_unlock(&mutex@);",
            "pthread_mutex_lock(&mutex@);",
            "pthread_mutex_unlock(&mutex@);",
        ),
    };
    let condition = numbers.pick(&[
        "pthread_equal(handle@, pthread_self())",
        "handle@ == pthread_self()",
    ]);
    let body = "    sem_init(&stored@, 0, 0);\n    $LOCK\n    pthread_create(&handle@, 0, comparer@, 0);\n    $UNLOCK\n    pthread_join(handle@, 0);\n";
    Part::new(broken, declarations, body)
        .with("BEFORE", before)
        .with("CONDITION", condition)
        .with("LOCK", create)
        .with("UNLOCK", after)
}

/// One thread creates, joins and detaches two others; broken, it ends with one operation too many.
pub fn claimed(numbers: &mut Numbers, broken: bool) -> Part {
    let mut body = String::from("    pthread_t first, second;\n");
    let mut create = |thread: &str| {
        let _ = writeln!(body, "    pthread_create(&{thread}, 0, worker@, 0);");
    };
    create("first");
    create("second");
    let both_live = "    assert(!pthread_equal(first, second));\n    assert(!pthread_equal(first, pthread_self()));\n";
    if numbers.chance(50) {
        body.push_str(both_live);
    }
    let mut threads = ["first", "second"];
    if numbers.chance(50) {
        threads.reverse();
    }
    for thread in threads {
        body.push_str(&claim(numbers, thread));
    }
    if broken {
        let thread = numbers.pick(&threads);
        body.push_str(&claim(numbers, thread));
    }
    Part::new(broken, WORKER, &body)
}

fn claim(numbers: &mut Numbers, thread: &str) -> String {
    match numbers.below(3) {
        0 => format!("    assert(pthread_detach({thread}) == 0);\n"),
        1 => format!("    pthread_join({thread}, 0);\n"),
        _ => format!("    assert(pthread_join({thread}, 0) == 0);\n"),
    }
}

/// Two threads may both join a third one; the twin lets one of them do it.
pub fn two_joiners(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_t shared@;\nstatic _Atomic int joined@;\n\
        static void *worker@(void *unused) {\n    return 0;\n}\n\
        static void *joiner@(void *unused) {\n    $GUARD$CLAIM(shared@$RESULT);\n    return 0;\n}";
    let (claim, result) = numbers.pick(&[("pthread_join", ", 0"), ("pthread_detach", "")]);
    let body = "    pthread_t joiner;\n    pthread_create(&shared@, 0, worker@, 0);\n    pthread_create(&joiner, 0, joiner@, 0);\n    $GUARDpthread_join(shared@, 0);\n    pthread_join(joiner, 0);\n";
    let guard = if broken {
        ""
    } else {
        "if (atomic_exchange(&joined@, 1) == 0)\n        "
    };
    Part::new(broken, declarations, body)
        .with("GUARD", guard)
        .with("CLAIM", claim)
        .with("RESULT", result)
}

/// A thread that joins itself gets EDEADLK and goes on.
pub fn joins_itself(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static int result@;\nstatic void *worker@(void *unused) {\n    result@ = pthread_join(pthread_self(), 0);\n    return 0;\n}";
    let expected = if broken { numbers.pick(&[0, 22]) } else { 35 };
    let body = "    pthread_t thread;\n    pthread_create(&thread, 0, worker@, 0);\n    pthread_join(thread, 0);\n    assert(result@ == $EXPECTED);\n";
    Part::new(broken, declarations, body).with("EXPECTED", expected)
}

/// The handle of a thread that was joined may be given to the next one; those of live threads differ.
pub fn used_again(_: &mut Numbers, broken: bool) -> Part {
    let body = if broken {
        "    pthread_t old, new;\n    pthread_create(&old, 0, worker@, 0);\n    pthread_join(old, 0);\n    pthread_create(&new, 0, worker@, 0);\n    assert(!pthread_equal(old, new));\n    pthread_join(new, 0);\n"
    } else {
        "    pthread_t old, new;\n    pthread_create(&old, 0, worker@, 0);\n    pthread_create(&new, 0, worker@, 0);\n    assert(!pthread_equal(old, new));\n    pthread_join(new, 0);\n    pthread_join(old, 0);\n"
    };
    Part::new(broken, WORKER, body)
}

/// A thread that is detached from the start, or detaches itself, is joined; the twins wait for it by a semaphore.
pub fn detached(numbers: &mut Numbers, broken: bool) -> Part {
    let by_attribute = numbers.chance(50);
    let declarations = "static sem_t detached@;\n\
        static void *worker@(void *unused) {\n    $DETACH\n    sem_post(&detached@);\n    return 0;\n}";
    let body = "    pthread_t thread;\n    pthread_attr_t attributes;\n    sem_init(&detached@, 0, 0);\n    pthread_attr_init(&attributes);\n    pthread_attr_setdetachstate(&attributes, $STATE);\n    pthread_create(&thread, &attributes, worker@, 0);\n    sem_wait(&detached@);\n    $JOIN\n";
    let (detach, state) = if by_attribute {
        ("", "PTHREAD_CREATE_DETACHED")
    } else {
        (
            "assert(pthread_detach(pthread_self()) == 0);",
            "PTHREAD_CREATE_JOINABLE",
        )
    };
    let join = numbers.pick(&["pthread_join(thread, 0);", "pthread_detach(thread);"]);
    Part::new(broken, declarations, body)
        .with("DETACH", detach)
        .with("STATE", state)
        .with("JOIN", if broken { join } else { "" })
}

/// A number that is no thread's handle is joined.
pub fn unknown(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations =
        "static pthread_t never@;\nstatic void *worker@(void *unused) {\n    return 0;\n}";
    let create = if broken {
        ""
    } else {
        "pthread_create(&never@, 0, worker@, 0);"
    };
    let claim = numbers.pick(&["pthread_join(never@, 0);", "pthread_detach(never@);"]);
    Part::new(broken, declarations, "    $CREATE\n    $CLAIM\n")
        .with("CREATE", create)
        .with("CLAIM", claim)
}
