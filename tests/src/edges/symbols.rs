//! Symbols that this program only declares: whether they are there, and where, is for others to say.

use super::part::Part;
use crate::numbers::Numbers;

/// The address of a function or variable that need not be defined, in a table or not; right, if it is not relied on.
pub fn weak(numbers: &mut Numbers, broken: bool) -> Part {
    let (symbol, own, kind) = numbers.pick(&[
        (
            "int absent@(void)",
            "static int own@(void) {\n    return 7;\n}",
            "int (*$NAME)(void)",
        ),
        ("extern int absent@", "static int own@;", "int *$NAME"),
    ]);
    let address = if kind.contains('(') { "" } else { "&" };
    let (table, entry) = match numbers.below(3) {
        0 => ("static $ENTRY = {$ABSENT, $OWN};", "entries@[one - 1]"),
        1 => ("static $ENTRY = {$OWN, $ABSENT};", "entries@[one]"),
        _ => ("", "$ABSENT"),
    };
    let condition = if broken {
        numbers.pick(&["$CHOSEN", "$CHOSEN != 0"])
    } else {
        numbers.pick(&["$CHOSEN != $OWN", "!$CHOSEN || $CHOSEN != $OWN"])
    };
    let declarations = format!("{symbol} __attribute__((weak));\n{own}\n{table}");
    Part::new(
        broken,
        &declarations,
        &format!("    assert({condition});\n"),
    )
    .with("CHOSEN", entry)
    .with("ENTRY", kind.replace("$NAME", "entries@[2]"))
    .with("ABSENT", format!("{address}absent@"))
    .with("OWN", format!("{address}own@"))
}

/// A thread-local variable, which each thread has of its own; broken, if the threads take it for one. It may be one that is only declared.
pub fn thread_local(numbers: &mut Numbers, broken: bool) -> Part {
    let declaration = if broken {
        numbers.pick(&["extern _Thread_local int", "static _Thread_local int"])
    } else {
        "static _Thread_local int"
    };
    let condition = if broken {
        numbers.pick(&["entered@ == 1", "entered@ != 0"])
    } else {
        numbers.pick(&["entered@ == 0", "entered@ != 1"])
    };
    let declarations = format!(
        "{declaration} identity@;\nstatic int *owner@;\nstatic int entered@;\n\
         static void *enter@(void *unused) {{\n    if (owner@ == &identity@)\n        entered@ = 1;\n    return unused;\n}}"
    );
    let body = format!(
        "    pthread_t thread;\n    owner@ = &identity@;\n    pthread_create(&thread, 0, enter@, 0);\n    pthread_join(thread, 0);\n    assert({condition});\n"
    );
    Part::new(broken, &declarations, &body)
}
