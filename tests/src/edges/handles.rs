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

/// The handle of a thread that was joined, or was detached and has ended, may be given to the next one; those of live threads
/// differ, also when they have ended.
pub fn used_again(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_t seen@[2];\nstatic sem_t end@;\nstatic void *worker@(void *own) {\n    *(pthread_t *)own = pthread_self();\n    $WAIT\n    return 0;\n}";
    let body = "    pthread_t old, new;\n    sem_init(&end@, 0, 0);\n    pthread_create(&old, 0, worker@, &seen@[0]);\n    $BEFORE\n    pthread_create(&new, 0, worker@, &seen@[1]);\n    $AFTER\n    pthread_join(new, 0);\n    assert($CONDITION);\n";
    let detaches = numbers.chance(50);
    let (before, after, wait) = match (broken, detaches) {
        (true, false) => ("pthread_join(old, 0);", "", ""),
        (true, true) => ("pthread_detach(old);", "", ""),
        (false, false) => ("", "pthread_join(old, 0);", ""),
        (false, true) => (
            "pthread_detach(old);",
            "sem_post(&end@);\n    sem_post(&end@);",
            "sem_wait(&end@);",
        ),
    };
    // A detached thread may not have stored its handle yet.
    let (old, new) = if detaches || numbers.chance(50) {
        ("old", "new")
    } else {
        ("seen@[0]", "seen@[1]")
    };
    let condition = match numbers.below(3) {
        0 => format!("!pthread_equal({old}, {new})"),
        1 => format!("{old} != {new}"),
        _ => format!("({old} ^ {new}) != 0"),
    };
    Part::new(broken, declarations, body)
        .with("BEFORE", before)
        .with("AFTER", after)
        .with("WAIT", wait)
        .with("CONDITION", condition)
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

/// What is computed from a handle is any number, the same each time; which of two handles is less is open.
pub fn computed(numbers: &mut Numbers, broken: bool) -> Part {
    let hashes = [
        "$H % 8",
        "$H >> 12 & 3",
        "(int)$H",
        "(unsigned)$H * 2654435761u >> 28",
        "$H / 64",
    ];
    let hash = numbers.pick(&hashes);
    let other = numbers.pick(&["b", "own"]);
    let [a, b, copy] =
        ["a", other, "copy"].map(|handle| format!("({})", hash.replace("$H", handle)));
    let condition = match (broken, numbers.below(4)) {
        (true, 0) => format!("a < {other}"),
        (true, 1) => format!("a % {} == 0", numbers.pick(&[3, 16, 64])),
        (true, _) => format!("{a} != {b}"),
        (false, 0) => format!("(a < {other}) != ({other} < a)"),
        (false, 1) => "a % 8 < 8 && a - copy == 0".to_owned(),
        (false, _) => format!("{a} == {copy}"),
    };
    let body = "    pthread_t a, b, own = pthread_self(), copy;\n    pthread_create(&a, 0, worker@, 0);\n    pthread_create(&b, 0, worker@, 0);\n    copy = a;\n    assert($CONDITION);\n    pthread_join(a, 0);\n    pthread_join(b, 0);\n    (void)own, (void)copy;\n";
    Part::new(broken, WORKER, body).with("CONDITION", condition)
}

/// Threads count in the stripes of their handles, and take the locks of these; broken, they rely on different stripes.
pub fn stripe(numbers: &mut Numbers, broken: bool) -> Part {
    let many = numbers.pick(&[2, 4]);
    let shift = numbers.pick(&[0, 6, 12]);
    let declarations = "static pthread_mutex_t locks@[4] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\nstatic int counts@[4];\n\
        static void *counter@(void *unused) {\n    int own = (pthread_self() >> $SHIFT) % $MANY;\n    pthread_mutex_lock(&locks@[own]);\n    counts@[own]++;\n    pthread_mutex_unlock(&locks@[own]);\n    return 0;\n}";
    let body = "    pthread_t thread;\n    pthread_create(&thread, 0, counter@, 0);\n    counter@(0);\n    pthread_join(thread, 0);\n    assert($CONDITION);\n";
    let condition = if broken {
        "counts@[0] < 2"
    } else {
        "counts@[0] + counts@[1] + counts@[2] + counts@[3] == 2"
    };
    Part::new(broken, declarations, body)
        .with("SHIFT", shift)
        .with("MANY", many)
        .with("CONDITION", condition)
}
