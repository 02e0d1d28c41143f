//! Threads that use an object, a lifetime or a handle at random; only runs tell what comes of it.

use std::fmt::Write as _;

use super::part::{Part, value};
use crate::numbers::Numbers;

/// How a kind of lock is called: type, initialisation, attempt, release, destruction.
type Lock = [&'static str; 5];

const LOCKS: [Lock; 5] = [
    [
        "pthread_rwlock_t",
        "pthread_rwlock_init(&lock@, 0)",
        "pthread_rwlock_trywrlock(&lock@)",
        "pthread_rwlock_unlock(&lock@)",
        "pthread_rwlock_destroy(&lock@)",
    ],
    [
        "pthread_rwlock_t",
        "pthread_rwlock_init(&lock@, 0)",
        "pthread_rwlock_tryrdlock(&lock@)",
        "pthread_rwlock_unlock(&lock@)",
        "pthread_rwlock_destroy(&lock@)",
    ],
    [
        "pthread_spinlock_t",
        "pthread_spin_init(&lock@, 0)",
        "pthread_spin_trylock(&lock@)",
        "pthread_spin_unlock(&lock@)",
        "pthread_spin_destroy(&lock@)",
    ],
    [
        "sem_t",
        "sem_init(&lock@, 0, 1)",
        "sem_trywait(&lock@)",
        "sem_post(&lock@)",
        "sem_destroy(&lock@)",
    ],
    [
        "pthread_mutex_t",
        "initialise_mutex(&lock@, PTHREAD_MUTEX_ERRORCHECK)",
        "pthread_mutex_trylock(&lock@)",
        "pthread_mutex_unlock(&lock@)",
        "pthread_mutex_destroy(&lock@)",
    ],
];

/// Two threads try, release, destroy and initialise a lock.
pub fn lock(numbers: &mut Numbers, _: bool) -> Part {
    let lock = numbers.pick(&LOCKS);
    let [kind, initialise, ..] = lock;
    let (other, own) = (statements(numbers, lock), statements(numbers, lock));
    let declarations = format!(
        "static {kind} lock@;\nstatic _Atomic int taken@, failed@, inside@;\nstatic void *other@(void *unused) {{\n{other}    return 0;\n}}"
    );
    let condition = final_condition(numbers);
    let body = format!(
        "    pthread_t thread;\n    {initialise};\n    pthread_create(&thread, 0, other@, 0);\n{own}    pthread_join(thread, 0);\n    assert({condition});\n"
    );
    Part::open(&declarations, &body)
}

fn statements(numbers: &mut Numbers, [_, initialise, attempt, release, destroy]: Lock) -> String {
    let mut text = String::new();
    for _ in 0..1 + numbers.below(2) {
        let _ = match numbers.below(12) {
            0 => writeln!(text, "    {destroy};"),
            1 => writeln!(text, "    {destroy};\n    {initialise};"),
            2 => writeln!(text, "    {release};"),
            3 => writeln!(text, "    assert({attempt} == 0);\n    {release};"),
            4..8 => writeln!(
                text,
                "    if ({attempt} == 0) {{\n        assert(++inside@ == 1);\n        inside@--;\n        {release};\n        taken@++;\n    }}"
            ),
            _ => writeln!(
                text,
                "    if ({attempt} == 0) {{\n        taken@++;\n        {release};\n    }} else {{\n        failed@++;\n    }}"
            ),
        };
    }
    text
}

fn final_condition(numbers: &mut Numbers) -> String {
    let count = numbers.below(3);
    match numbers.below(4) {
        0 => format!("taken@ != {count}"),
        1 => format!("failed@ <= {count}"),
        2 => format!("failed@ != {}", count + 1),
        _ => format!("taken@ + failed@ >= {count}"),
    }
}

/// A thread publishes its local and may wait before it ends; another one may look before that.
pub fn local(numbers: &mut Numbers, _: bool) -> Part {
    let value = value(numbers);
    let declarations = "static int *_Atomic published@;\nstatic _Atomic int seen@;\nstatic sem_t ready@, done@;\n\
        static void *publisher@(void *unused) {\n    $STORAGEint x = $VALUE;\n    published@ = &x;\n    $READY\n    $WAIT\n    $WITHDRAW\n    return 0;\n}";
    let body = "    pthread_t thread;\n    sem_init(&ready@, 0, 0);\n    sem_init(&done@, 0, 0);\n    pthread_create(&thread, 0, publisher@, 0);\n    $LOOK_FIRST\n    int *p = published@;\n    if (p) {\n        assert(*p == $VALUE);\n        seen@ = 1;\n    }\n    sem_post(&done@);\n    pthread_join(thread, 0);\n    assert($CONDITION);\n";
    let mut chosen = |text: &'static str, percent| if numbers.chance(percent) { text } else { "" };
    let look_first = chosen("sem_wait(&ready@);", 40);
    // The one that is waited for has to come.
    let ready = chosen(
        "sem_post(&ready@);",
        if look_first.is_empty() { 30 } else { 100 },
    );
    let part = Part::open(declarations, body)
        .with("STORAGE", chosen("static ", 25))
        .with("READY", ready)
        .with("WAIT", chosen("sem_wait(&done@);", 50))
        .with("WITHDRAW", chosen("published@ = 0;", 40))
        .with("LOOK_FIRST", look_first);
    let condition = numbers.pick(&["seen@ == 1", "seen@ <= 1", "published@ == 0 || seen@ <= 1"]);
    part.with("VALUE", value).with("CONDITION", condition)
}

/// Two threads may each join or detach a third one, if they find that it is still to be done.
pub fn claim(numbers: &mut Numbers, _: bool) -> Part {
    let declarations = "static pthread_t shared@;\nstatic _Atomic int claimed@, claims@;\n\
        static void *worker@(void *unused) {\n    return 0;\n}\n\
        static void *other@(void *unused) {\n    $OTHER\n    return 0;\n}";
    let body = "    pthread_t thread;\n    pthread_create(&shared@, 0, worker@, 0);\n    pthread_create(&thread, 0, other@, 0);\n    $OWN\n    pthread_join(thread, 0);\n    assert($CONDITION);\n";
    let mut claim = || {
        let call = numbers.pick(&["pthread_join(shared@, 0)", "pthread_detach(shared@)"]);
        let found = numbers.pick(&[
            "atomic_exchange(&claimed@, 1) == 0",
            "claimed@ == 0 && (claimed@ = 1)",
            "claimed@ == 0",
        ]);
        format!("if ({found}) {{\n        assert({call} == 0);\n        claims@++;\n    }}")
    };
    let part = Part::open(declarations, body)
        .with("OTHER", claim())
        .with("OWN", claim());
    part.with(
        "CONDITION",
        numbers.pick(&["claims@ >= 1", "claims@ == 1", "claims@ <= 2"]),
    )
}

/// Two or three threads publish addresses of locals, static and heap objects, read through what is published, take locks
/// and compare addresses, before and after they are joined.
pub fn mixed(numbers: &mut Numbers, _: bool) -> Part {
    let value = value(numbers);
    let threads = 1 + numbers.below(2);
    let routine = mixed_statements(numbers, 3);
    let declarations = format!(
        "static int stays@ = $VALUE;\nstatic int *_Atomic published@ = &stays@;\nstatic _Atomic int count@;\nstatic sem_t semaphore@;\n\
         static pthread_mutex_t mutex@ = PTHREAD_MUTEX_INITIALIZER;\nstatic void *other@(void *unused) {{\n    int x = $VALUE;\n{routine}    return 0;\n}}"
    );
    let mut body = format!(
        "    pthread_t threads[{threads}];\n    int x = $VALUE;\n    sem_init(&semaphore@, 0, 1);\n"
    );
    for thread in 0..threads {
        let _ = writeln!(
            body,
            "    pthread_create(&threads[{thread}], 0, other@, 0);"
        );
        body.push_str(&mixed_statements(numbers, 1));
    }
    for thread in 0..threads {
        let _ = writeln!(body, "    pthread_join(threads[{thread}], 0);");
    }
    body.push_str(&mixed_statements(numbers, 1));
    let condition = match numbers.below(3) {
        0 => format!("count@ != {}", numbers.below(4)),
        1 => format!("*published@ == $VALUE || count@ > {}", numbers.below(2)),
        _ => format!("count@ <= {}", 1 + numbers.below(3)),
    };
    let _ = writeln!(body, "    assert({condition});");
    Part::open(&declarations, &body).with("VALUE", value)
}

/// What any of the threads does, each of which has an `int x`.
fn mixed_statements(numbers: &mut Numbers, most: usize) -> String {
    const STATEMENTS: [&str; 12] = [
        "published@ = &x;",
        "published@ = &stays@;",
        "{\n        int inner = $VALUE;\n        published@ = &inner;\n        $USE\n    }",
        "assert(*published@ == $VALUE);",
        "{\n        int *p = published@;\n        assert(*p == $VALUE);\n    }",
        "{\n        int *p = malloc(sizeof *p);\n        *p = $VALUE;\n        published@ = p;\n        $USE\n        $FREE\n    }",
        "if (sem_trywait(&semaphore@) == 0)\n        count@++;",
        "sem_post(&semaphore@);",
        "pthread_mutex_lock(&mutex@);\n    published@ = &x;\n    $USE\n    published@ = &stays@;\n    pthread_mutex_unlock(&mutex@);",
        "pthread_mutex_lock(&mutex@);\n    assert(*published@ == $VALUE);\n    pthread_mutex_unlock(&mutex@);",
        "if (published@ == &x)\n        count@++;",
        "if (pthread_mutex_trylock(&mutex@) == 0) {\n        count@++;\n        pthread_mutex_unlock(&mutex@);\n    }",
    ];
    let mut text = String::new();
    for _ in 0..1 + numbers.below(most) {
        let statement = numbers.pick(&STATEMENTS);
        let using = numbers.pick(&[
            "count@++;",
            "assert(*published@ == $VALUE);",
            "published@ = &stays@;",
        ]);
        let freeing = numbers.pick(&["free(p);", "published@ = &stays@;\n        free(p);", ""]);
        let statement = statement.replace("$USE", using).replace("$FREE", freeing);
        let _ = writeln!(text, "    {statement}");
    }
    text
}
