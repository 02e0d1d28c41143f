//! Objects that are used after their lifetime, beside twins that are used in time.

use super::part::{Part, access, value, variable};
use crate::numbers::Numbers;

/// The address of a local of a function that has returned; the twins are static or from the heap.
pub fn returned(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    let function = match (broken, numbers.below(3)) {
        (true, 2) => format!("static int *leak@(int unused) {{\n    return &(int){{{value}}};\n}}"),
        (true, 0) => format!(
            "static int *leak@(int x) {{\n    int *p = &x;\n    *p = {value};\n    return p;\n}}"
        ),
        (true, _) => format!(
            "static int *leak@(int unused) {{\n    {declaration}\n    int *p = {address};\n    return p;\n}}"
        ),
        (false, 0) => format!(
            "static int *leak@(int unused) {{\n    static {declaration}\n    return {address};\n}}"
        ),
        (false, _) => format!(
            "static int *leak@(int unused) {{\n    int *p = malloc(sizeof *p);\n    *p = {value};\n    return p;\n}}"
        ),
    };
    let inlined = numbers.pick(&["", "__attribute__((always_inline)) inline "]);
    let function = format!("{inlined}{function}");
    Part::new(broken, &function, "    int *p = leak@(0);\n    $ACCESS\n")
        .with("ACCESS", access(numbers, "p", value))
}

/// A local of a block that has been left: by its end, by a jump, or of the round of a loop before.
pub fn block(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    let body = match numbers.below(5) {
        0 => {
            "    int *p;\n    {\n        $DECLARATION\n        p = $ADDRESS;\n        $INSIDE\n        goto out;\n    }\nout:\n    $OUTSIDE\n    ;\n"
        }
        1 if broken => {
            "    int *p = 0;\n    for (int round = 0; round < 2; round++) {\n        if (p) {\n            $OUTSIDE\n        }\n        $DECLARATION\n        p = $ADDRESS;\n    }\n"
        }
        2 if broken => {
            "    int *p = ({\n        $DECLARATION\n        $ADDRESS;\n    });\n    $OUTSIDE\n"
        }
        _ => {
            "    int *p;\n    if (one) {\n        $DECLARATION\n        p = $ADDRESS;\n        $INSIDE\n    }\n    $OUTSIDE\n"
        }
    };
    let (inside, outside) = if broken {
        (String::new(), access(numbers, "p", value))
    } else {
        (access(numbers, "p", value), "p = 0;".to_owned())
    };
    Part::new(broken, "", body)
        .with("DECLARATION", declaration)
        .with("ADDRESS", address)
        .with("INSIDE", inside)
        .with("OUTSIDE", outside)
}

/// A local of the round of a loop, or of a function that is called in each round, used in the same round or in a later one.
pub fn round(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    let rounds = [2, 3, 20][numbers.below(3)];
    let round = "        $DECLARATION\n        if ($KEEPS)\n            kept@ = $ADDRESS;\n        \
                 if (round == $ROUNDS - 1) {\n            int *p = kept@;\n            $ACCESS\n        }\n";
    let (function, body) = if numbers.below(2) == 0 {
        (String::new(), round)
    } else {
        let function = format!("static void round@(int round) {{\n{round}}}\n");
        (function, "        round@(round);\n")
    };
    let function = format!("static int *kept@;\n{function}");
    let body = format!("    for (int round = 0; round < $ROUNDS; round++) {{\n{body}    }}\n");
    let keeps = match (broken, numbers.below(2)) {
        (true, 0) => "!kept@",
        (true, _) => "round == 0",
        (false, 0) => "one",
        (false, _) => "round == $ROUNDS - 1",
    };
    Part::new(broken, &function, &body)
        .with("KEEPS", keeps)
        .with("DECLARATION", declaration)
        .with("ADDRESS", address)
        .with("ACCESS", access(numbers, "p", value))
        .with("ROUNDS", rounds.to_string())
}

/// A compound literal, whose lifetime is that of the block it stands in: of an `if`, a loop or a `switch`, or of one in braces.
pub fn compound_literal(numbers: &mut Numbers, broken: bool) -> Part {
    let literal = if numbers.chance(30) {
        "&(&(struct { char c; int i; }){1, $VALUE})->i"
    } else {
        "&(int){$VALUE}"
    };
    let body = numbers.pick(&[
        "    {\n        p = $LITERAL;\n        $INSIDE\n    }\n",
        "    {\n        p = one ? $LITERAL : 0;\n        $INSIDE\n        goto out@;\n    }\nout@:\n",
        "    if (p = $LITERAL, one) {\n        $INSIDE\n    }\n",
        "    if (one)\n        p = $LITERAL;\n    else\n        p = 0;\n",
        "    for (int round = 0; round < 2; round++)\n        p = $LITERAL;\n",
        "    while (p = $LITERAL, one) {\n        $INSIDE\n        break;\n    }\n",
        "    for (;;) {\n        p = $LITERAL;\n        $INSIDE\n        break;\n    }\n",
        "    for (p = $LITERAL; one; ) {\n        $INSIDE\n        break;\n    }\n",
        "    for (int round = 0; p = $LITERAL, round < 2; round++) {\n        $INSIDE\n    }\n",
        "    do {\n        p = $LITERAL;\n        $INSIDE\n    } while (!one);\n",
        "    switch (one) {\n    case 1:\n        p = $LITERAL;\n        $INSIDE\n        break;\n    default:\n        p = 0;\n    }\n",
    ]);
    inside_and_outside(numbers, broken, &body.replace("$LITERAL", literal))
}

/// A compound literal in a loop that has nothing but a body; broken, that of an earlier round.
pub fn literal_of_round(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let round = if broken {
        "        if (p) {\n            $ACCESS\n            break;\n        }\n        p = &(int){$VALUE};\n"
    } else {
        "        p = &(int){$VALUE};\n        if (round++ == one) {\n            $ACCESS\n            break;\n        }\n"
    };
    let head = numbers.pick(&["for (;;)", "while (1)"]);
    let body =
        format!("    int *p = 0, round = 0;\n    {head} {{\n{round}    }}\n    (void)round;\n");
    Part::new(broken, "", &body)
        .with("ACCESS", access(numbers, "p", value))
        .with("VALUE", value)
}

/// A variable whose declaration a `switch` or a `goto` jumps over, which lives from the start of its block all the same.
pub fn jumped_over(numbers: &mut Numbers, broken: bool) -> Part {
    let body = numbers.pick(&[
        "    switch (one) {\n        int x;\n    case 1:\n        x = $VALUE;\n        p = &x;\n        $INSIDE\n        break;\n    default:\n        x = 0;\n        p = &x;\n    }\n",
        "    for (int round = 0; round < 3; round++)\n        switch (round) {\n            int x;\n        case 0:\n            continue;\n        case 1:\n            x = $VALUE;\n            p = &x;\n            $INSIDE\n            continue;\n        }\n",
        "    {\n        goto in@;\n        int x;\nin@:\n        x = $VALUE;\n        p = &x;\n        $INSIDE\n    }\n",
        "    {\n        int round = 0;\n        goto in@;\n        int x;\nin@:\n        x = $VALUE;\n        p = &x;\n        for (int i = 0; i < 2; i++)\n            if (i)\n                goto back@;\nback@:\n        if (round++ < 2)\n            goto back@;\n        $INSIDE\n    }\n",
    ]);
    inside_and_outside(numbers, broken, body)
}

/// A body that gives `p` the address of something that holds a value, accessed in its block, or, broken, behind it.
fn inside_and_outside(numbers: &mut Numbers, broken: bool, body: &str) -> Part {
    let value = value(numbers);
    let access = access(numbers, "p", value);
    let (inside, outside) = if broken {
        ("", access.as_str())
    } else {
        (access.as_str(), "")
    };
    let body = format!("    int *p = 0;\n{body}    $OUTSIDE\n    ;\n");
    Part::new(broken, "", &body)
        .with("INSIDE", inside)
        .with("OUTSIDE", outside)
        .with("VALUE", value)
}

/// A variable that its function returns by value; broken, an address in it that its function has published.
pub fn returned_structure(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let address = if broken { "inside@" } else { "&made.i[1]" };
    let body = "    struct made@ made = make@($VALUE);\n    int *p = $ADDRESS;\n    (void)made;\n    $ACCESS\n";
    Part::new(broken, &maker(numbers), body)
        .with("ADDRESS", address)
        .with("ACCESS", access(numbers, "p", value))
        .with("VALUE", value)
}

/// A variable that its function returns by value from a loop, used in its round; broken, in the next one.
pub fn returned_from_block(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let length = numbers.pick(&["3", "6"]);
    let declarations = "struct made@ {\n    int i[$LENGTH];\n};\nstatic struct made@ make@(int value) {\n    int *p = 0;\n    for (int round = 0; round < 2; round++) {\n        struct made@ s = {{0}};\n        s.i[1] = value;\n        $SET_BEFORE\n        if (p) {\n            $ACCESS\n        }\n        $SET_AFTER\n        if (round == one)\n            return s;\n        p = $LEFT;\n    }\n    return (struct made@){{0}};\n}";
    let set = "p = &s.i[1];";
    let (before, after, left) = if broken {
        ("", set, "p")
    } else {
        ("if (round == one)\n            p = &s.i[1];", "", "0")
    };
    let body = "    struct made@ made = make@($VALUE);\n    assert(made.i[0] == 0);\n";
    Part::new(broken, declarations, body)
        .with("LENGTH", length)
        .with("SET_BEFORE", before)
        .with("SET_AFTER", after)
        .with("LEFT", left)
        .with("ACCESS", access(numbers, "p", value))
        .with("VALUE", value)
}

/// A structure that a call returns, used while the expression is evaluated; broken, after its block.
pub fn temporary(numbers: &mut Numbers, broken: bool) -> Part {
    let after = "    int *p;\n    {\n        p = make@($VALUE).i + 1;\n    }\n    $ACCESS\n";
    used_temporary(numbers, broken, after)
}

/// The same; broken, in its block, but after the expression.
pub fn temporary_in_block(numbers: &mut Numbers, broken: bool) -> Part {
    let address = numbers.pick(&[
        "make@($VALUE).i + 1",
        "pass@(make@($VALUE).i + 1)",
        "one ? make@($VALUE).i + 1 : 0",
        "one ? pass@(make@($VALUE).i) + 1 : inside@",
    ]);
    let after = format!("    int *p = {address};\n    $ACCESS\n");
    used_temporary(numbers, broken, &after)
}

fn used_temporary(numbers: &mut Numbers, broken: bool, after: &str) -> Part {
    let value = value(numbers);
    let during = numbers.pick(&[
        "*(make@($VALUE).i + one)",
        "*pass@(make@($VALUE).i + one)",
        "*pass@(one ? make@($VALUE).i + one : inside@)",
    ]);
    let during = format!(
        "    for (int round = 0; round < 2; round++) {{\n        assert({during} == $VALUE);\n    }}\n"
    );
    let body = if broken { after } else { &during };
    Part::new(broken, &maker(numbers), body)
        .with("ACCESS", access(numbers, "p", value))
        .with("VALUE", value)
}

/// A function that returns a structure, which is small enough for registers or not.
fn maker(numbers: &mut Numbers) -> String {
    let members = numbers.pick(&[
        "int i[3];",
        "int i[4];",
        "int i[6];",
        "int i[2];\n    double d;",
        "int i[2];\n    char c;",
    ]);
    format!(
        "struct made@ {{\n    {members}\n}};\nstatic int *inside@;\nstatic int *pass@(int *p) {{\n    return p;\n}}\nstatic struct made@ make@(int value) {{\n    struct made@ s = {{{{0}}}};\n    inside@ = &s.i[1];\n    *inside@ = value;\n    return s;\n}}"
    )
}

/// An array of variable length after its block, or memory from `alloca` after its function; their sizes are constants or not.
pub fn variable_length(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let length = numbers.pick(&["one + 2", "length@"]);
    let constant = "    int length@ = 3;\n";
    if numbers.chance(40) {
        let declarations = "static int *take@(int length@, int *last) {\n    int *row = __builtin_alloca(length@ * sizeof(int));\n    row[1] = $VALUE;\n    return last ? last : &row[1];\n}";
        let body = "    int own = $VALUE;\n    int *p = take@($LENGTH, $LAST);\n    assert(*p == $VALUE);\n    (void)own;\n";
        return Part::new(broken, declarations, &format!("{constant}{body}"))
            .with("VALUE", value)
            .with("LENGTH", length)
            .with("LAST", if broken { "0" } else { "&own" });
    }
    let read = format!("assert(*p == {value});");
    let (inside, outside) = if broken {
        ("", read.as_str())
    } else {
        (read.as_str(), "")
    };
    let body = "    int *p;\n    {\n        int row[$LENGTH];\n        row[1] = $VALUE;\n        p = &row[1];\n        $INSIDE\n    }\n    $OUTSIDE\n";
    Part::new(broken, "", &format!("{constant}{body}"))
        .with("LENGTH", length)
        .with("VALUE", value)
        .with("INSIDE", inside)
        .with("OUTSIDE", outside)
}

/// A thread whose argument points into the function that created it and has returned meanwhile.
pub fn argument(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    // Right: static, or the creator waits for the thread to end.
    let joined = !broken && numbers.chance(50);
    let keyword = if broken || joined { "" } else { "static " };
    let declarations = "static sem_t returned@;\nstatic pthread_t thread@;\n\
        static void *reader@(void *argument) {\n    int *p = argument;\n    $WAIT\n    $ACCESS\n    return 0;\n}\n\
        static void start@(void) {\n    $KEYWORD$DECLARATION\n    pthread_create(&thread@, 0, reader@, $ADDRESS);\n    $JOINED\n}";
    let wait = if joined { "" } else { "sem_wait(&returned@);" };
    let join = "pthread_join(thread@, 0);";
    let (inside, outside) = if joined { (join, "") } else { ("", join) };
    let body =
        "    sem_init(&returned@, 0, 0);\n    start@();\n    sem_post(&returned@);\n    $OUTSIDE\n";
    Part::new(broken, declarations, body)
        .with("WAIT", wait)
        .with("ACCESS", access(numbers, "p", value))
        .with("KEYWORD", keyword)
        .with("DECLARATION", declaration)
        .with("ADDRESS", address)
        .with("JOINED", inside)
        .with("OUTSIDE", outside)
}

/// A local of a thread, read through a pointer that it published, after it has ended or while it waits.
pub fn ended_thread(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    published(numbers, broken)
        .with("ACCESS", access(numbers, "published@", value))
        .with("DECLARATION", declaration)
        .with("ADDRESS", address)
}

/// The same for a thread-local variable.
pub fn thread_local(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let mut part = published(numbers, broken)
        .with("ACCESS", access(numbers, "published@", value))
        .with("DECLARATION", format!("local@ = {value};"))
        .with("ADDRESS", "&local@");
    part.declarations
        .insert_str(0, "static _Thread_local int local@;\n");
    part
}

fn published(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static int *published@;\nstatic sem_t ready@, done@;\n\
        static void *publisher@(void *unused) {\n    $DECLARATION\n    published@ = $ADDRESS;\n    sem_post(&ready@);\n    sem_wait(&done@);\n    $END\n}";
    let body = if broken {
        "    sem_post(&done@);\n    pthread_join(thread, 0);\n    $ACCESS\n"
    } else {
        "    sem_wait(&ready@);\n    $ACCESS\n    sem_post(&done@);\n    pthread_join(thread, 0);\n"
    };
    let start = "    pthread_t thread;\n    sem_init(&ready@, 0, 0);\n    sem_init(&done@, 0, 0);\n    pthread_create(&thread, 0, publisher@, 0);\n";
    let end = numbers.pick(&["return 0;", "pthread_exit(0);"]);
    Part::new(broken, declarations, &format!("{start}{body}")).with("END", end)
}

/// A thread that uses a local of main, which returns or exits without waiting for it.
pub fn main_returns(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let (declaration, address) = variable(numbers, value);
    let declarations = "static void *late@(void *argument) {\n    int *p = argument;\n    $ACCESS\n    return 0;\n}";
    let end = "    $DECLARATION\n    pthread_t late;\n    pthread_create(&late, 0, late@, $ADDRESS);\n    $END\n";
    let end_of_broken = numbers.pick(&["", "pthread_exit(0);"]);
    let mut part = Part::new(broken, declarations, "");
    part.end_of_main = end.to_owned();
    part.with("ACCESS", access(numbers, "p", value))
        .with("DECLARATION", declaration)
        .with("ADDRESS", address)
        .with(
            "END",
            if broken {
                end_of_broken
            } else {
                "pthread_join(late, 0);"
            },
        )
}

/// Addresses of objects of which one has died are compared or exchanged; the twins do that while they are alive.
pub fn compared(numbers: &mut Numbers, broken: bool) -> Part {
    if numbers.chance(40) {
        return compared_with_ended_thread(numbers, broken);
    }
    let declarations = "static int *first@(void) {\n    int x = 1;\n    int *p = &x;\n    return p;\n}\n\
        static int *second@(void) {\n    int y = 2;\n    int *p = &y;\n    return p;\n}";
    let body = match (broken, numbers.below(3)) {
        (true, 0) => "    int *p = first@(), *q = second@();\n    assert($DIFFER);\n",
        (true, 1) => {
            "    int *p, *q;\n    {\n        int x = 1;\n        p = &x;\n    }\n    {\n        int y = 2;\n        q = &y;\n        assert($DIFFER);\n    }\n"
        }
        (true, _) => {
            "    int *p, *q;\n    {\n        int x = 1;\n        p = &x;\n    }\n    {\n        int y = 2;\n        q = &y;\n    }\n    assert($DIFFER);\n"
        }
        (false, _) => "    int x = 1, y = 2;\n    int *p = &x, *q = &y;\n    assert($DIFFER);\n",
    };
    Part::new(broken, if broken { declarations } else { "" }, body)
        .with("DIFFER", numbers.pick(DIFFER))
}

/// What holds of two different addresses.
const DIFFER: &[&str] = &[
    "p != q",
    "p < q || p > q",
    "(unsigned long)p != (unsigned long)q",
];

/// The address of a variable of a thread, which has ended or waits, is compared with that of another variable.
fn compared_with_ended_thread(numbers: &mut Numbers, broken: bool) -> Part {
    let exchange =
        "__atomic_compare_exchange_n(&published@, &q, p, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)";
    let differ = match numbers.below(4) {
        0 => format!("!{exchange}"),
        other => DIFFER[other - 1].to_owned(),
    };
    let mut part = published(numbers, broken);
    let compare =
        "{\n        int mine = 1, *p = published@, *q = &mine;\n        assert($DIFFER);\n    }";
    part.body = part.body.replace("$ACCESS", compare);
    let (declaration, address) = if numbers.chance(50) {
        part.declarations
            .insert_str(0, "static _Thread_local int local@;\n");
        ("local@ = 1;", "&local@")
    } else {
        ("int x = 1;", "&x")
    };
    part.with("DECLARATION", declaration)
        .with("ADDRESS", address)
        .with("DIFFER", differ)
}

/// Heap objects after `free`.
pub fn freed(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let access = access(numbers, "p", value);
    let start = "    int *p = malloc(2 * sizeof *p);\n    p[0] = $VALUE;\n";
    let end = match (broken, numbers.below(4)) {
        (true, 0) => "    free(p);\n    free(p);\n",
        (true, 1) => "    free(p + 1);\n",
        (true, _) => "    free(p);\n    $ACCESS\n",
        (false, _) => "    $ACCESS\n    free(p);\n",
    };
    Part::new(broken, "", &format!("{start}{end}"))
        .with("VALUE", value)
        .with("ACCESS", access)
}
