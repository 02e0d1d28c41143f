//! Which operations on addresses become operations on numbers, and what these are.

use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, StepResult};
use program::model::{ObjectKind, Program, Statement};
use program::threads::{Bounds, instantiate};

const HEAD: &str = "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <stdlib.h>\n\
    typedef uintptr_t number; int a[8], b[8]; char c[3]; int *volatile p = a, *volatile q = b;\n\
    number volatile out; _Alignas(64) char line[64];\n\
    pthread_t t, u; void *worker(void *x) { return x; }\n";

fn read(body: &str) -> Program {
    let text = format!("{HEAD}int main(void) {{ {body} return 0; }}\n");
    frontend::testing::read(&text, &[])
}

/// How many addresses become numbers.
fn numbers(body: &str) -> usize {
    let program = read(body);
    let templates = program.templates.values();
    let edges = templates.flat_map(|template| template.edges.values());
    edges
        .filter(|edge| matches!(edge.statement, Statement::Number { .. }))
        .count()
}

#[test]
fn what_means_the_same_everywhere_stays_as_it_is() {
    for body in [
        "out = (number)p; *(int *)out = 3;",
        "assert(p && p == a && p != q && p != 0);",
        "int *end = a + 8; for (int *i = a; i < end; i++) *i = end - i;",
        "out = (number)a | 1; out = out & ~(number)3; *(int *)out = 1;",
        "out = (number)p & 3; out = (number)p % 4; out = (number)p ^ 2;",
        "out = (number)line & 63; assert(((number)line | 32) != 7);",
        "out = (number)p + 4; *(int *)out = 1; out = (number)p - 4;",
        "unsigned i = out; assert(i < 8); a[i] = i * 7 >> 2 ^ (unsigned)out;",
    ] {
        assert_eq!(numbers(body), 0, "{body}");
    }
}

#[test]
fn what_depends_on_places_is_computed_from_numbers() {
    for (body, count) in [
        ("out = (number)p >> 5;", 1),
        ("out = (unsigned)(number)p;", 1),
        ("out = (number)p % 7;", 1),
        ("out = (number)p & 7 << 8;", 1),
        ("out = (number)c | 1;", 1),
        ("out = (number)line & 127;", 1),
        ("out = (number)p & ~(number)16;", 1),
        ("out = p < q;", 2),
        ("out = p - q;", 2),
        ("out = (number)p ^ (number)q;", 2),
        ("out = p == b + 8;", 2),
        ("out = (number)p == (number)1 << 40;", 1),
        ("out = (number)p * 31 + (number)p;", 2),
    ] {
        assert_eq!(numbers(body), count, "{body}");
    }
}

#[test]
fn handles_of_threads_that_are_alive_stay_as_they_are() {
    for body in [
        "out = t; out = pthread_self(); $T assert(t && t != 0 && t != 7 && t != -1); $JT",
        "$T $U assert(!pthread_equal(t, u)); assert(t != pthread_self()); $JT $JU assert(t != u);",
        "$T $JT assert(t != pthread_self()); $U $JU assert(u != pthread_self());",
    ] {
        assert_eq!(numbers(&with_threads(body)), 0, "{body}");
    }
}

#[test]
fn what_depends_on_handles_is_computed_from_numbers() {
    for (body, count) in [
        ("out = pthread_self() % 64;", 1),
        ("$T out = (int)t; $JT", 1),
        ("$T $U out = t < u; $JT $JU", 2),
        ("$T out = t == (number)1 << 40; $JT", 1),
        ("$T out = t & 63; $JT", 1),
        ("$T out = t == (number)a; $JT", 2),
        ("$T $JT $U out = t == u; $JU", 2),
        ("$T $JT $U out = pthread_equal(t, u); $JU", 2),
        ("$T pthread_detach(t); $U out = t == u; $JU", 2),
    ] {
        assert_eq!(numbers(&with_threads(body)), count, "{body}");
    }
}

/// Creates and joins the two threads where the text says so.
fn with_threads(body: &str) -> String {
    body.replace("$JT", "pthread_join(t, 0);")
        .replace("$JU", "pthread_join(u, 0);")
        .replace("$T", "pthread_create(&t, 0, worker, 0);")
        .replace("$U", "pthread_create(&u, 0, worker, 0);")
}

/// Lets every object lie at a multiple of this, and counts the questions.
struct Places(u128, usize);

impl Oracle for Places {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        if let NondeterministicChoice::Slot { slots, .. } = choice {
            return slots[0].as_u32().into();
        }
        self.1 += 1;
        self.0 * self.1 as u128
    }
}

/// Runs the program; whether it violates its assertion, and how many questions it asked.
fn run(body: &str, place: u128) -> (bool, usize) {
    let program = read(body);
    let instances = instantiate(&program, &Bounds::default());
    let interpreter = Interpreter::new(&program, &instances);
    let (mut state, mut places) = (interpreter.initial(), Places(place, 0));
    while let StepResult::Executed { state: next, .. } =
        interpreter.step(&state, instances.main(), &mut places)
    {
        state = next;
    }
    let kind = interpreter.kind(&state, instances.main());
    (kind.is_error(), places.1)
}

#[test]
fn an_object_lies_in_one_place() {
    let body = "out = (number)p / 3; assert(out == (number)(a + 0) / 3 && out == ((number)&a[1] - 4) / 3);";
    assert_eq!(run(body, 0x5_1230), (false, 1));
    let aligned =
        "assert((number)p / 4 * 4 == (number)p && (number)line / 64 * 64 == (number)line);";
    assert_eq!(run(aligned, 0x1_2345_6789), (false, 2));
    let least = "assert((number)p / 2 >= 2048 && (number)p / 2 < (number)1 << 47);";
    assert_eq!(run(least, 0), (false, 1));
    assert_eq!(run(least, u128::MAX), (false, 1));
}

#[test]
fn a_slot_of_the_heap_that_is_used_again_may_lie_elsewhere() {
    let body = "char *old = malloc(8); out = (number)old >> 4; free(old); char *new = malloc(8); \
                assert(out == (number)new >> 4); free(new);";
    let (violated, _) = run(body, 0x1000);
    assert!(violated);
    let program = read(body);
    let instances = instantiate(&program, &Bounds::default());
    let bases = instances.objects.values();
    let bases = bases.filter(|object| matches!(object.kind, ObjectKind::Base(_)));
    assert_eq!(bases.count() * 2, instances.objects.len());
}
