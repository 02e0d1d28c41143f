//! Addresses that are moved, within their objects or out of them, and null that is moved as if it was one.
//!
//! Broken parts leave the object: their assertions are false where the number of the result wraps around, is small, or is
//! the address of something else. Right parts stay in the object or keep null from being moved.

use super::part::Part;
use crate::numbers::Numbers;

/// Declares a variable that no compiler knows the value of, so that the distance stays one.
fn distance(numbers: &mut Numbers, value: usize) -> (String, String) {
    let kind = numbers.pick(&["int", "long", "unsigned", "size_t", "short"]);
    match numbers.below(3) {
        0 => (String::new(), value.to_string()),
        1 => (
            format!("static volatile {kind} distance@ = {value};"),
            "distance@".to_owned(),
        ),
        _ => (
            format!("static _Atomic {kind} distance@ = {value};"),
            "distance@".to_owned(),
        ),
    }
}

/// Statements that let `pointer` be what is moved, by way of memory or not.
fn carried(numbers: &mut Numbers, pointer: &str) -> String {
    match numbers.below(3) {
        0 => format!("    char *moved = {pointer};\n"),
        1 => format!(
            "    static char *_Atomic kept@;\n    kept@ = {pointer};\n    char *moved = kept@;\n"
        ),
        _ => format!(
            "    struct {{ int i; char *pointer; }} pair = {{1, {pointer}}}, copy = pair;\n    char *moved = copy.pointer;\n"
        ),
    }
}

/// Pointer arithmetic towards lower addresses, as allocators do that grow down.
pub fn downwards(numbers: &mut Numbers, broken: bool) -> Part {
    let size = if broken {
        numbers.pick(&[8192, 16000])
    } else {
        16 + numbers.below(40)
    };
    let (declared, distance) = distance(numbers, size);
    let (declarations, locals, start) = match numbers.below(3) {
        0 => ("static char arena@[64];", "", "arena@"),
        1 => ("", "    char arena[64];\n", "arena"),
        _ => ("", "    char *arena = malloc(64);\n", "arena"),
    };
    let moved = numbers.pick(&[
        "$START + 64 - $DISTANCE",
        "&($START + 64)[-$DISTANCE]",
        "$START + 64 - $DISTANCE / 2 - ($DISTANCE + 1) / 2",
    ]);
    // An unsigned index is large before it is added.
    let moved = moved.replace("-$DISTANCE]", "-(long)$DISTANCE]");
    let condition = if broken {
        numbers.pick(&[
            "moved < $START",
            "moved != 0",
            "(uintptr_t)moved > 4095",
            "moved <= $START + 64",
        ])
    } else {
        numbers.pick(&[
            "moved >= $START",
            "moved != 0 && moved < $START + 64",
            "$START + 64 - moved == (long)$DISTANCE",
            "moved - $START == 64 - (long)$DISTANCE",
        ])
    };
    let carried = carried(numbers, &moved);
    let body = format!("{locals}{carried}    assert({condition});\n");
    Part::new(broken, &format!("{declarations}\n{declared}"), &body)
        .with("START", start)
        .with("DISTANCE", distance)
}

/// A pointer that may be null is moved, or its number is.
pub fn absent(numbers: &mut Numbers, broken: bool) -> Part {
    let count = 1 + numbers.below(3);
    let (declared, distance) = distance(numbers, count);
    let declarations = format!(
        "struct page@ {{ char bytes[4096]; }};\nstatic struct page@ table@[4];\nstatic struct page@ *_Atomic first@;\n{declared}\n\
         static void *publish@(void *unused) {{\n    first@ = table@;\n    return unused;\n}}"
    );
    let condition = numbers.pick(&[
        "found + $DISTANCE != table@",
        "(uintptr_t)found + $DISTANCE * 4096ul != (uintptr_t)table@",
        "(char *)table@ - (char *)found != $DISTANCE * 4096l",
        "(uintptr_t)table@ - (uintptr_t)found != $DISTANCE * 4096ul",
    ]);
    let guard = if broken { "" } else { "    if (found)\n    " };
    let body = format!(
        "    pthread_t thread;\n    pthread_create(&thread, 0, publish@, 0);\n    struct page@ *found = first@;\n{guard}    assert({condition});\n    pthread_join(thread, 0);\n"
    );
    Part::new(broken, &declarations, &body).with("DISTANCE", distance)
}

/// Arithmetic that moves a pointer by a gigabyte or more, or by elements whose bytes wrap around to few; right, if the distance is looked at
/// before.
pub fn far(numbers: &mut Numbers, broken: bool) -> Part {
    let distance = numbers.pick(&["1l << 27", "1l << 40", "(1l << 61) + 1", "-(1l << 61)"]);
    let kind = numbers.pick(&["long", "unsigned long"]);
    let near = if broken {
        ""
    } else {
        "    if (distance < 0 || distance > 3)\n        distance = 1;\n"
    };
    let condition = if broken {
        numbers.pick(&[
            "moved != array@",
            "moved == array@ + 1",
            "moved > array@",
            "moved - array@ == distance",
        ])
    } else {
        numbers.pick(&[
            "moved != array@",
            "moved == array@ + 1",
            "moved - array@ == 1",
        ])
    };
    let moved = numbers.pick(&[
        "array@ + distance",
        "&array@[distance]",
        "distance + array@",
    ]);
    let declarations =
        format!("static long array@[4];\nstatic volatile {kind} distance@ = {distance};");
    let body = format!(
        "    {kind} distance = distance@;\n{near}    long *volatile kept = {moved};\n    long *moved = kept;\n    assert({condition});\n"
    );
    Part::new(broken, &declarations, &body)
}

/// Steps of less than a gigabyte that lead farther together; right, if they lead back.
pub fn in_steps(numbers: &mut Numbers, broken: bool) -> Part {
    let distance = numbers.pick(&["1073741808", "800000000", "715827888", "1l << 29"]);
    let (declared, distance) = match numbers.below(2) {
        0 => (String::new(), distance.to_owned()),
        _ => (
            format!("static volatile long distance@ = {distance};"),
            "distance@".to_owned(),
        ),
    };
    let step = if broken {
        "moved -= $DISTANCE;"
    } else {
        "moved += round & 1 ? -$DISTANCE : $DISTANCE;"
    };
    let condition = if broken {
        numbers.pick(&["moved != 0", "(uintptr_t)moved > 4095", "moved < array@"])
    } else {
        numbers.pick(&["moved == array@", "moved - array@ == 0", "moved != 0"])
    };
    let declarations = format!("static char array@[16];\n{declared}");
    let body = format!(
        "    char *moved = array@;\n    for (int round = 0; round < 4; round++)\n        {step}\n    assert({condition});\n"
    );
    Part::new(broken, &declarations, &body).with("DISTANCE", format!("({distance})"))
}

/// Constants of moved addresses, as tables, structures and vectors hold them, which compilers compare at compile time.
pub fn constant(numbers: &mut Numbers, broken: bool) -> Part {
    let (moved, condition) = if broken {
        let conditions = ["$FIRST < $SECOND", "$FIRST <= $SECOND", "$SECOND > $FIRST"];
        (
            numbers.pick(&["table@ - 5000", "&table@[-70000]"]),
            numbers.pick(&conditions),
        )
    } else {
        let conditions = [
            "$FIRST > $SECOND",
            "$FIRST - $SECOND == 3",
            "$FIRST != $SECOND",
        ];
        (
            numbers.pick(&["table@ + 3", "&table@[3]"]),
            numbers.pick(&conditions),
        )
    };
    let (declarations, locals, [first, second]) = match numbers.below(4) {
        0 => (
            "static char *const limits@[2] = {$MOVED, table@};",
            "",
            ["limits@[one - 1]", "limits@[one]"],
        ),
        1 => (
            "static struct { int used; char *first, *second; } limits@ = {1, $MOVED, table@};",
            "",
            ["limits@.first", "limits@.second"],
        ),
        2 => (
            "typedef uintptr_t pair@ __attribute__((vector_size(16)));",
            "    pair@ limits = {(uintptr_t)($MOVED), (uintptr_t)table@};\n",
            ["limits[0]", "limits[1]"],
        ),
        _ => (
            "",
            "    char *first = $MOVED, *second = table@;\n",
            ["first", "second"],
        ),
    };
    let declarations = format!("static char table@[8];\n{declarations}");
    let body = format!("{locals}    assert({condition});\n");
    Part::new(broken, &declarations, &body)
        .with("FIRST", first)
        .with("SECOND", second)
        .with("MOVED", moved)
}
