//! What lies behind values: numbers beside addresses, memory that was freed, content of locks, where results are put.

use super::part::{Part, value};
use crate::numbers::Numbers;

/// A variable holds the address of an object, or a number at which no object can lie; broken, some may.
pub fn number_beside_address(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static long object@;\nstatic _Atomic uintptr_t slot@ = $MARK;\nstatic int pick@;\n\
        static void *filler@(void *unused) {\n    if (pick@)\n        slot@ = (uintptr_t)&object@;\n    return 0;\n}";
    let mark = 0x10000 * (1 + numbers.below(0x7fff)) + 8 * numbers.below(512);
    let condition = match (broken, numbers.below(3)) {
        (true, 0) => "found < (uintptr_t)&object@",
        (true, 1) => "found - (uintptr_t)&object@ < 8",
        (_, _) => "found != (uintptr_t)&object@",
    };
    let body = "    pthread_t thread;\n    pthread_create(&thread, 0, filler@, 0);\n    pthread_join(thread, 0);\n    uintptr_t found = slot@;\n    assert($CONDITION);\n";
    Part::new(broken, declarations, body)
        .with("MARK", if broken { mark } else { mark + 1 })
        .with("CONDITION", condition)
}

/// The number of freed memory and the inside of an object that was allocated after it was freed, or before.
pub fn inside_of_freed(numbers: &mut Numbers, broken: bool) -> Part {
    let size = 16 * (2 + numbers.below(3));
    let inside = 16 * (1 + numbers.below(size / 16 - 1));
    let body = if broken {
        "    char *old = malloc(16);\n    uintptr_t number = (uintptr_t)old;\n    free(old);\n    char *other = malloc($SIZE);\n    assert((uintptr_t)other + $INSIDE != number);\n    free(other);\n"
    } else {
        "    char *other = malloc($SIZE), *old = malloc(16);\n    int meets = (uintptr_t)other + $INSIDE == (uintptr_t)old;\n    free(old);\n    assert(!meets);\n    free(other);\n"
    };
    Part::new(broken, "", body)
        .with("SIZE", size)
        .with("INSIDE", inside)
}

/// A thread joins or detaches what it is given, and, broken, so does the thread that created it.
pub fn handle_as_argument(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static void *worker@(void *unused) {\n    return 0;\n}\n\
        static void *claimer@(void *handle) {\n    assert($CLAIM == 0);\n    return 0;\n}";
    let claim = |numbers: &mut Numbers, handle: &str| {
        numbers
            .pick(&["pthread_join(HANDLE, 0)", "pthread_detach(HANDLE)"])
            .replace("HANDLE", handle)
    };
    let given = claim(numbers, "(pthread_t)handle");
    let again = match broken {
        true => format!("    {};\n", claim(numbers, "worker")),
        false => String::new(),
    };
    let body = format!(
        "    pthread_t worker, claimer;\n    pthread_create(&worker, 0, worker@, 0);\n    pthread_create(&claimer, 0, claimer@, (void *)worker);\n    pthread_join(claimer, 0);\n{again}"
    );
    Part::new(broken, declarations, &body).with("CLAIM", given)
}

/// What a lock holds, or what lies beside it.
pub fn content_of_lock(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (kind, initialise, change, back) = numbers.pick(&[
        ("sem_t", "sem_init(&lock, 0, 1)", "sem_wait", "sem_post"),
        (
            "pthread_mutex_t",
            "pthread_mutex_init(&lock, 0)",
            "pthread_mutex_lock",
            "pthread_mutex_unlock",
        ),
        (
            "pthread_spinlock_t",
            "pthread_spin_init(&lock, 0)",
            "pthread_spin_lock",
            "pthread_spin_unlock",
        ),
    ]);
    let condition = if broken {
        "first == first_before"
    } else {
        "all.before == $VALUE && all.after == $VALUE"
    };
    let initialise = initialise.replace("&lock", "&all.lock");
    let body = "    struct { int before; $KIND lock; int after; } all = { .before = $VALUE, .after = $VALUE };\n    int first_before, first;\n    $INITIALISE;\n    memcpy(&first_before, &all.lock, sizeof first_before);\n    $CHANGE(&all.lock);\n    memcpy(&first, &all.lock, sizeof first);\n    $BACK(&all.lock);\n    assert($CONDITION);\n    (void)first_before, (void)first;\n";
    Part::new(broken, "", body)
        .with("KIND", kind)
        .with("INITIALISE", initialise)
        .with("CHANGE", change)
        .with("BACK", back)
        .with("CONDITION", condition)
        .with("VALUE", value)
}

/// A function writes to the variable that its result initialises.
pub fn result_in_place(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let declarations = "struct wide@ { int first, rest[9]; };\n\
        static struct wide@ made@(struct wide@ *caller) {\n    struct wide@ own;\n    $ORDER\n    for (int i = 0; i < 9; i++)\n        own.rest[i] = i;\n    return own;\n}";
    // Clang lets both share a place, so the right twin has to mean the same there.
    let (caller, own) = ("caller->first = 1;", "own.first = $VALUE;");
    let order = match broken {
        true => [own, caller],
        false => [caller, own],
    };
    let condition = if broken {
        "variable.first == 1"
    } else {
        "variable.first == $VALUE"
    };
    let body = "    struct wide@ variable = made@(&variable);\n    assert($CONDITION && variable.rest[8] == 8);\n";
    Part::new(broken, declarations, body)
        .with("ORDER", order.join("\n    "))
        .with("CONDITION", condition)
        .with("VALUE", value)
}
