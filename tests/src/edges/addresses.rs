//! Numbers made of addresses, and comparisons that only the places of objects decide.
//!
//! What a broken part asserts is false under some layout: distinct objects lie at arbitrary disjoint multiples of their
//! alignments. What a right part asserts follows from alignments, from one object alone, or from the same address twice.

use super::part::{Part, value};
use crate::numbers::Numbers;

/// Two objects, and the logarithm of the alignment of both.
struct Pair {
    declarations: &'static str,
    locals: &'static str,
    first: &'static str,
    second: &'static str,
    alignment: usize,
}

impl Pair {
    fn random(numbers: &mut Numbers) -> Self {
        let heap = "    int *p = malloc(8), *q = malloc(8);\n";
        let pairs = [
            ("static int x@ = 1, y@ = 2;", "", "&x@", "&y@", 2),
            ("static long x@ = 1, y@ = 2;", "", "&x@", "&y@", 3),
            (
                "_Alignas(32) static int x@ = 1, y@[16];",
                "",
                "&x@",
                "&y@[8]",
                5,
            ),
            ("", "    int x = 1, y = 2;\n", "&x", "&y", 2),
            ("", heap, "p", "q", 4),
        ];
        let (declarations, locals, first, second, alignment) = numbers.pick(&pairs);
        Self {
            declarations,
            locals,
            first,
            second,
            alignment,
        }
    }

    /// A part with the numbers `a` and `b` of both objects.
    fn part(&self, numbers: &mut Numbers, broken: bool, body: &str) -> Part {
        let [first, second] = [("a", self.first), ("b", self.second)]
            .map(|(name, address)| number(numbers, name, address));
        let text = format!(
            "{}    {first}\n    {second}\n{body}    (void)a, (void)b;\n",
            self.locals
        );
        Part::new(broken, self.declarations, &text)
    }
}

/// Makes the number `name` of an address.
fn number(numbers: &mut Numbers, name: &str, address: &str) -> String {
    match numbers.below(4) {
        0 => format!(
            "union {{ void *p; uintptr_t n; }} {name}_union = {{{address}}};\n    uintptr_t {name} = {name}_union.n;"
        ),
        1 => format!(
            "void *{name}_pointer = {address};\n    uintptr_t {name};\n    memcpy(&{name}, &{name}_pointer, sizeof {name});"
        ),
        _ => format!("uintptr_t {name} = (uintptr_t)({address});"),
    }
}

/// Asserts a condition in one of the shapes in which programs use it.
fn assertion(numbers: &mut Numbers, condition: &str) -> String {
    match numbers.below(4) {
        0 => format!(
            "    int way = 2;\n    if ({condition})\n        way = 1;\n    assert(way == 1);\n"
        ),
        1 => format!("    int found = ({condition}) ? 1 : 0;\n    assert(found);\n"),
        _ => format!("    assert({condition});\n"),
    }
}

/// Some bits above the alignment choose one of several places, as lock stripes and hash tables do.
pub fn stripe(numbers: &mut Numbers, broken: bool) -> Part {
    let pair = Pair::random(numbers);
    let shift = pair.alignment + numbers.below(9);
    let mask = numbers.pick(&[1, 3, 7]);
    let stripe = |number: &str| format!("({number} >> {shift} & {mask})");
    let (a, b) = (stripe("a"), stripe("b"));
    if numbers.chance(25) {
        let least = if broken { 2 } else { 1 };
        let (first, second) = if broken { (&a, &b) } else { (&a, &a) };
        let body = format!(
            "    int count[8] = {{0}};\n    count[{first}]++;\n    count[{second}]++;\n    assert(count[{a}] >= {least});\n"
        );
        return pair.part(numbers, broken, &body);
    }
    let condition = match (broken, numbers.below(3)) {
        (true, 0) => format!("{a} != {b}"),
        (true, 1) => format!("{a} == {b}"),
        (true, _) => format!("{a} != {}", numbers.below(mask + 1)),
        (false, 0) => format!("{a} == {}", stripe(&format!("(uintptr_t)({})", pair.first))),
        (false, 1) => format!("(a & {}) == 0", (1 << pair.alignment) - 1),
        (false, _) => format!("{a} <= {mask}"),
    };
    let body = assertion(numbers, &condition);
    pair.part(numbers, broken, &body)
}

/// Remainders, and products of which some bits are taken.
pub fn hash(numbers: &mut Numbers, broken: bool) -> Part {
    let pair = Pair::random(numbers);
    let divisor = numbers.pick(&[3, 5, 7]);
    let shift = 16 + numbers.below(12);
    let (hash, bound) = numbers.pick(&[("remainder", divisor), ("product", 8)]);
    let hash = |number: &str| match hash {
        "remainder" => format!("({number} % {divisor})"),
        _ => format!("((unsigned)({number}) * 2654435761u >> {shift} & 7)"),
    };
    let (a, b) = (hash("a"), hash("b"));
    let condition = match (broken, numbers.below(3)) {
        (true, 0) => format!("{a} != {b}"),
        (true, 1) => format!("{a} == {b}"),
        (true, _) => format!("{a} != {}", numbers.below(bound)),
        (false, 0) => format!("{a} < {bound}"),
        (false, _) => format!("{a} == {}", hash(&format!("(uintptr_t)({})", pair.first))),
    };
    let body = assertion(numbers, &condition);
    pair.part(numbers, broken, &body)
}

/// The low bits of the number alone.
pub fn truncated(numbers: &mut Numbers, broken: bool) -> Part {
    let pair = Pair::random(numbers);
    let kind = numbers.pick(&["unsigned", "unsigned short", "unsigned char", "int"]);
    let condition = match (broken, numbers.below(2)) {
        (true, 0) => format!("({kind})a != ({kind})b"),
        (true, _) => format!(
            "({kind})a != ({kind}){}",
            numbers.below(2) << pair.alignment
        ),
        (false, 0) => format!("({kind})a == ({kind})(uintptr_t)({})", pair.first),
        (false, _) => format!("(({kind})a & {}) == 0", (1 << pair.alignment) - 1),
    };
    let body = assertion(numbers, &condition);
    pair.part(numbers, broken, &body)
}

/// Bits below the alignment are known to be free; those above are not.
pub fn tag(numbers: &mut Numbers, broken: bool) -> Part {
    let pair = Pair::random(numbers);
    let (free, taken) = (1 << numbers.below(pair.alignment), 1 << pair.alignment);
    let condition = match (broken, numbers.below(4)) {
        (true, 0) => format!("(a & {taken}) == 0"),
        (true, 1) => format!("(a & {taken}) != 0"),
        (true, _) => format!("(a | {taken}) != a"),
        (false, 0) => {
            format!("((a | {free}) & {free}) == {free} && ((a | {free}) & ~(uintptr_t){free}) == a")
        }
        (false, 1) => format!("(a ^ {free}) - {free} == a"),
        (false, 2) => format!(
            "*(char *)((a | {free}) & ~(uintptr_t){free}) == *(char *)({})",
            pair.first
        ),
        (false, _) => format!("(a + {free}) % {taken} == {free}"),
    };
    // What is read through the pointer has to have a value.
    let body = match pair.first {
        "p" => format!("    *p = 1;\n{}", assertion(numbers, &condition)),
        _ => assertion(numbers, &condition),
    };
    pair.part(numbers, broken, &body)
}

/// Order and difference within one object and of two objects.
pub fn order(numbers: &mut Numbers, broken: bool) -> Part {
    if !broken {
        let condition = numbers.pick(&[
            "&row@[0] < &row@[3] && &row@[2] > &row@[1]",
            "&row@[3] - &row@[1] == 2",
            "(uintptr_t)&row@[3] - (uintptr_t)&row@[1] == 2 * sizeof row@[0]",
            "&row@[4] == row@ + 4 && row@ + 4 > &row@[3]",
            "(char *)&row@[2] - (char *)row@ == 8",
        ]);
        return Part::new(
            broken,
            "static int row@[4];",
            &assertion(numbers, condition),
        );
    }
    let pair = Pair::random(numbers);
    let distance = 64 << numbers.below(3);
    let (first, second) = (pair.first, pair.second);
    let condition = match numbers.below(6) {
        0 => "a < b".to_owned(),
        1 => "a > b".to_owned(),
        2 => format!("(void *)({first}) < (void *)({second})"),
        3 => format!("b - a != {distance}"),
        4 => format!("(char *)({second}) - (char *)({first}) != {distance}"),
        _ => format!("(a ^ b) != {distance}"),
    };
    let body = assertion(numbers, &condition);
    pair.part(numbers, broken, &body)
}

/// One past the end of an object is where another one may start.
pub fn past_the_end(numbers: &mut Numbers, broken: bool) -> Part {
    let condition = if broken {
        numbers.pick(&[
            "&row@[2] != &next@[0]",
            "&next@[2] != &row@[0]",
            "(uintptr_t)(row@ + 2) != (uintptr_t)next@",
        ])
    } else {
        numbers.pick(&[
            "&row@[1] != &next@[0]",
            "&row@[2] != &row@[1]",
            "row@ + 2 - row@ == 2",
            "row@ + 2 == &row@[2]",
        ])
    };
    Part::new(
        broken,
        "static int row@[2], next@[2];",
        &assertion(numbers, condition),
    )
}

/// Equal string literals, equal ends of them, and equal constants may lie in one place; variables do not.
pub fn literal(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static const char *whole@ = \"xab\", *tail@ = \"ab\";\nstatic const char constant@[] = \"ab\";\nstatic char variable@[] = \"ab\";";
    let condition = if broken {
        numbers.pick(&[
            "whole@ + 1 != tail@",
            "whole@ + 1 == tail@",
            "(uintptr_t)whole@ + 3 != (uintptr_t)tail@ + 2",
            "tail@ != constant@",
        ])
    } else {
        numbers.pick(&[
            "whole@[1] == tail@[0] && whole@[3] == 0",
            "strcmp(whole@ + 1, constant@) == 0",
            "tail@ != variable@",
            "whole@ + 1 != whole@",
        ])
    };
    Part::new(broken, declarations, &assertion(numbers, condition))
}

/// An object without bytes may lie where another one starts.
pub fn empty(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = format!("static int none@[{}], some@;", usize::from(!broken));
    Part::new(
        broken,
        &declarations,
        &assertion(numbers, "(void *)none@ != (void *)&some@"),
    )
}

/// Memory that was freed may be given out again.
pub fn given_out_again(numbers: &mut Numbers, broken: bool) -> Part {
    let old = numbers.pick(&["void *old = p;", "uintptr_t old = (uintptr_t)p;"]);
    let compare = format!(
        "    assert({} != old);\n",
        if old.starts_with("void") {
            "q"
        } else {
            "(uintptr_t)q"
        }
    );
    let body = if broken {
        format!("    free(p);\n    int *q = malloc(4);\n{compare}    free(q);\n")
    } else {
        format!("    int *q = malloc(4);\n{compare}    free(p);\n    free(q);\n")
    };
    Part::new(
        broken,
        "",
        &format!("    int *p = malloc(4);\n    {old}\n{body}"),
    )
}

/// A byte of a stored pointer.
pub fn byte(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let index = numbers.below(2);
    // Bits 8 to 15 are those of any layout; the lowest two are 0.
    let condition = match (broken, index) {
        (true, _) => format!("bytes[1] != {}", numbers.below(256)),
        (false, 0) => "bytes[0] % 4 == 0".to_owned(),
        (false, _) => format!("*copy == {value}"),
    };
    let body = "    int x = $VALUE, *p = &x, *copy;\n    unsigned char bytes[sizeof p];\n    memcpy(bytes, &p, sizeof p);\n    memcpy(&copy, bytes, sizeof copy);\n$ASSERTION";
    let assertion = assertion(numbers, &condition);
    Part::new(broken, "", body)
        .with("VALUE", value)
        .with("ASSERTION", assertion)
}

/// Bytes of pointers that stay in memory, which the program compares or takes by themselves.
pub fn bytes(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static int x@, y@, *p@ = &x@, *q@ = &y@, *r@;";
    let condition = match (broken, numbers.below(3)) {
        (true, 0) => "memcmp(&p@, &r@, sizeof p@) < 0".to_owned(),
        (true, 1) => "((unsigned char *)&r@)[0] % 8 == 4".to_owned(),
        (true, _) => format!("((unsigned char *)&p@)[1] == {}", numbers.below(256)),
        (false, 0) => "memcmp(&q@, &r@, sizeof p@) == 0".to_owned(),
        (false, 1) => "((unsigned char *)&r@)[0] % 4 == 0".to_owned(),
        (false, _) => "((unsigned char *)&q@)[1] == ((unsigned char *)&r@)[1]".to_owned(),
    };
    let body = format!("    r@ = q@;\n{}", assertion(numbers, &condition));
    Part::new(broken, declarations, &body)
}

/// A part of a pointer is read as the member of a union that held a number before, or numbers are stored over a part of it.
pub fn member(numbers: &mut Numbers, broken: bool) -> Part {
    let declarations = "static int x@;\nstatic union { int *pointer; unsigned number; struct { unsigned low, high; } halves; } u@;";
    let value = value(numbers);
    let (before, condition) = match (broken, numbers.below(3)) {
        (true, 0) => ("", "u@.number % 4096 == 0".to_owned()),
        (true, 1) => ("", format!("u@.halves.high != {value}")),
        (true, _) => ("    u@.halves.low = 4;\n", "u@.halves.high == 0".to_owned()),
        (false, 0) => ("", "u@.pointer == &x@ && u@.number % 4 == 0".to_owned()),
        (false, 1) => (
            "    u@.number = 1;\n    u@.halves.high = 2;\n",
            "u@.number == 1 && u@.halves.high == 2".to_owned(),
        ),
        (false, _) => (
            "    u@.halves.high = 0;\n",
            "u@.halves.high == 0 && u@.number % 4 == 0".to_owned(),
        ),
    };
    let assertion = assertion(numbers, &condition);
    let body = format!("    u@.number = {value};\n    u@.pointer = &x@;\n{before}{assertion}");
    Part::new(broken, declarations, &body)
}

/// Pointers that are computed from numbers: differences by xor, and a count in the bits that addresses do not use.
pub fn packed(numbers: &mut Numbers, broken: bool) -> Part {
    let value = value(numbers);
    let condition = match (broken, numbers.below(2)) {
        (true, 0) => "(a ^ b) >> 12 != 0".to_owned(),
        (true, _) => "(a << 16 >> 28) != (b << 16 >> 28)".to_owned(),
        (false, 0) => format!("*(int *)((a ^ b) ^ b) == {value}"),
        (false, _) => format!("*(int *)((a | (uintptr_t)5 << 48) << 16 >> 16) == {value}"),
    };
    let body = "    int x = $VALUE, y = 2;\n    uintptr_t a = (uintptr_t)&x, b = (uintptr_t)&y;\n$ASSERTION    (void)a, (void)b;\n";
    let assertion = assertion(numbers, &condition);
    Part::new(broken, "", body)
        .with("VALUE", value)
        .with("ASSERTION", assertion)
}

/// Two locks are taken in the order of their addresses, which avoids deadlocks; which one is first is open.
pub fn locks_in_order(_: &mut Numbers, broken: bool) -> Part {
    let declarations = "static pthread_mutex_t left@ = PTHREAD_MUTEX_INITIALIZER, right@ = PTHREAD_MUTEX_INITIALIZER;\nstatic int sum@;\n\
        static pthread_mutex_t *both@(pthread_mutex_t *p, pthread_mutex_t *q) {\n    pthread_mutex_t *first = (uintptr_t)p < (uintptr_t)q ? p : q;\n    pthread_mutex_lock(first);\n    pthread_mutex_lock(first == p ? q : p);\n    sum@++;\n    pthread_mutex_unlock(p);\n    pthread_mutex_unlock(q);\n    return first;\n}\n\
        static void *adder@(void *unused) {\n    both@(&left@, &right@);\n    return 0;\n}";
    let body = "    pthread_t thread;\n    pthread_create(&thread, 0, adder@, 0);\n    pthread_mutex_t *first = both@(&right@, &left@);\n    pthread_join(thread, 0);\n    assert($CONDITION);\n    (void)first;\n";
    let condition = if broken {
        "first == &left@"
    } else {
        "sum@ == 2"
    };
    Part::new(broken, declarations, body).with("CONDITION", condition)
}
