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
