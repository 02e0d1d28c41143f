//! Random concurrent C programs with small state spaces.
//!
//! The programs always compile, and every engine and every reduction must reach the same conclusive verdict on them. Data races
//! are frequent: they are the point. Programs without heap objects have no undefined behaviour and reach no limit. Of those
//! with heap objects, many access or free memory that they must not, and a few read content that was never written.

mod body;
mod counters;
mod heap;
mod shape;
mod waits;

use std::fmt::Write as _;

use body::Body;
pub use counters::random_counters;
use heap::Heap;
pub use shape::Shape;
pub use waits::random_waits;

use crate::numbers::Numbers;

/// The C text of a random program; the same for the same arguments.
///
/// ```
/// use tests::{Shape, random_program};
/// let text = random_program(42, &Shape::small(42));
/// assert!(text.contains("int main(void)"));
/// assert_eq!(text, random_program(42, &Shape::small(42)));
/// ```
pub fn random_program(seed: u64, shape: &Shape) -> String {
    let mut numbers = Numbers::new(seed);
    let mut text = format!("// Random program {seed}: {shape:?}\n");
    text.push_str(PRELUDE);
    declare_shared(&mut text, &mut numbers, shape);
    let heap = match shape.heap_pointers {
        0 => Heap::NONE,
        pointers => Heap::draw(&mut numbers, pointers, shape.mutexes),
    };
    text.push_str(&heap.declarations());
    // Fewer routines than threads: then two threads run the same one.
    let routines = if numbers.chance(30) {
        shape.threads - 1
    } else {
        shape.threads
    }
    .max(1);
    let budget = shape.accesses / (shape.threads + 1);
    for routine in 0..routines {
        let body = Body::new(&mut numbers, *shape, &heap)
            .statements(budget + 1)
            .finish();
        let declarations = "    cell *p = argument;\n    int a = 0, b = 0;\n";
        let locals = heap.locals();
        let end = "    (void)p;\n    return (void *)(long)(a + b);\n";
        let _ = write!(
            text,
            "\nstatic void *routine{routine}(void *argument) {{\n{declarations}{locals}{body}{end}}}\n"
        );
    }
    let main = main_body(&mut numbers, shape, &heap, routines, budget);
    let _ = write!(text, "\nint main(void) {{\n{main}    return 0;\n}}\n");
    text
}

const PRELUDE: &str = "\
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <threads.h>

extern void __VERIFIER_assume(int condition);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern bool __VERIFIER_nondet_bool(void);
extern unsigned __VERIFIER_nondet_uint(void);

";

/// The shared variables `v0`..., an array of two cells, a shared pointer to a cell, and the mutexes. Nothing is static, so that
/// nothing is reported as unused.
fn declare_shared(text: &mut String, numbers: &mut Numbers, shape: &Shape) {
    let qualifier = numbers.pick(&["", "volatile "]);
    let width = numbers.pick(&["unsigned char", "int", "unsigned short"]);
    let _ = writeln!(text, "typedef {qualifier}{width} cell;");
    for variable in 0..shape.variables {
        let _ = writeln!(text, "cell v{variable} = {};", numbers.below(3));
    }
    let _ = writeln!(
        text,
        "cell table[2] = {{{}, {}}};",
        numbers.below(2),
        numbers.below(2)
    );
    let _ = writeln!(
        text,
        "cell *shared_pointer = &v{};",
        numbers.below(shape.variables)
    );
    for mutex in 0..shape.mutexes {
        let _ = writeln!(
            text,
            "pthread_mutex_t m{mutex} = PTHREAD_MUTEX_INITIALIZER;"
        );
    }
    if shape.has_c11_mutex {
        text.push_str("mtx_t c11_mutex;\n");
    }
}

/// Creates the threads, with statements in between, joins them and asserts something about what they left behind.
fn main_body(
    numbers: &mut Numbers,
    shape: &Shape,
    heap: &Heap,
    routines: usize,
    budget: usize,
) -> String {
    let mut text = String::from("    void *result = 0;\n    int a = 0, b = 0;\n");
    let _ = writeln!(text, "    cell *p = &v{};", numbers.below(shape.variables));
    text.push_str(heap.locals());
    for thread in 0..shape.threads {
        let _ = writeln!(text, "    pthread_t t{thread};");
    }
    if numbers.chance(25) {
        let (left, right) = (
            numbers.below(shape.variables),
            numbers.below(shape.variables),
        );
        let _ = writeln!(
            text,
            "    shared_pointer = __VERIFIER_nondet_bool() ? &v{left} : &v{right};"
        );
    }
    if shape.has_c11_mutex {
        text.push_str("    mtx_init(&c11_mutex, mtx_plain);\n");
    }
    text.push_str(&heap.first(numbers));
    create_and_join(&mut text, numbers, shape, heap, routines, budget);
    text.push_str(&heap.last(numbers));
    text.push_str("    (void)a, (void)b, (void)p, (void)result;\n");
    let condition = match numbers.below(2) {
        0 => final_condition(numbers, shape),
        _ => format!(
            "({}) && ({})",
            final_condition(numbers, shape),
            final_condition(numbers, shape)
        ),
    };
    let _ = writeln!(text, "    assert({condition});");
    text
}

/// Some threads are joined before the next one is created, most at the end.
fn create_and_join(
    text: &mut String,
    numbers: &mut Numbers,
    shape: &Shape,
    heap: &Heap,
    routines: usize,
    budget: usize,
) {
    let mut running = Vec::new();
    for thread in 0..shape.threads {
        let variable = format!("&v{}", numbers.below(shape.variables));
        let argument = heap.pick_kept(numbers).unwrap_or(variable);
        let routine = thread % routines;
        let _ = writeln!(
            text,
            "    pthread_create(&t{thread}, 0, routine{routine}, (void *){argument});"
        );
        let statements = if numbers.chance(60) {
            budget / shape.threads
        } else {
            0
        };
        text.push_str(
            &Body::new(numbers, *shape, heap)
                .statements(statements)
                .finish(),
        );
        if numbers.chance(15) {
            text.push_str(&join(numbers, thread));
        } else {
            running.push(thread);
        }
    }
    for thread in running {
        text.push_str(&join(numbers, thread));
    }
}

fn join(numbers: &mut Numbers, thread: usize) -> String {
    let cancelled = match numbers.chance(20) {
        true => format!("    pthread_cancel(t{thread});\n"),
        false => String::new(),
    };
    if numbers.chance(30) {
        let joined = format!("    pthread_join(t{thread}, &result);\n");
        format!("{cancelled}{joined}    a += (int)(long)result & 3;\n")
    } else {
        format!("{cancelled}    pthread_join(t{thread}, 0);\n")
    }
}

/// A condition that is violated by some final states of some programs.
fn final_condition(numbers: &mut Numbers, shape: &Shape) -> String {
    let (x, y) = (
        numbers.below(shape.variables),
        numbers.below(shape.variables),
    );
    let (c, d) = (numbers.below(4), numbers.below(4));
    match numbers.below(6) {
        0 => format!("!(v{x} == {c} && table[{}] == {d})", y % 2),
        1 => format!("v{x} != {c}"),
        2 => format!("v{x} + v{y} + a != {}", c + d),
        3 => format!("!(v{x} == {c} && v{y} != {d} && b == 0)"),
        4 => format!("v{x} <= {}", c + 2),
        _ => format!("v{x} + table[{}] < {} || a != b", y % 2, c + 2),
    }
}

#[cfg(test)]
mod tests;
