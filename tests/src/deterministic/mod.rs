//! Random C programs with one result each.
//!
//! A program has no undefined behaviour and does the same under every schedule and at every level of optimisation: it
//! computes a checksum of everything it did. So a native run tells what every engine must find. The programs are about
//! what C does with integers and memory, and about the bitcode that clang makes of it; for interleavings see
//! [`crate::random_program`]. Where addresses have 32 bits, `long` still has 64, and clang must be told `-malign-double`, since its atomic
//! operations need that alignment.

mod atomics;
mod body;
mod control;
mod data;
mod expression;
mod functions;
mod integer;
mod memory;
mod operands;
mod scope;
mod threads;
mod world;

use std::fmt::Write as _;

use crate::numbers::Numbers;
use body::Body;
use functions::{define_callable, define_table};
use integer::Integer;
use scope::{Lvalue, Qualifier, Type, Variable, declaration, initialiser, random_record};
use threads::Threads;
use world::World;

/// The C text of a random program; the same for the same seed.
///
/// It prints its checksum, unless the macro `EQUAL` or `DIFFERENT` is defined: then it asserts that the checksum is that
/// number, or is not.
///
/// ```
/// let text = tests::deterministic_program(42);
/// assert!(text.contains("assert(checksum == EQUAL);"));
/// assert_eq!(text, tests::deterministic_program(42));
/// ```
pub fn deterministic_program(seed: u64) -> String {
    let numbers = &mut Numbers::new(seed);
    let mut text = format!("// Deterministic program {seed}\n{PRELUDE}");
    let mut world = World {
        records: vec![],
        globals: vec![],
        functions: vec![],
        table: None,
        frees: numbers.chance(40),
    };
    define_records(numbers, &mut world, &mut text);
    define_globals(numbers, &mut world, &mut text);
    if numbers.chance(30) {
        define_callable(numbers, &mut world, true, &mut text);
    }
    if numbers.chance(50) {
        define_table(numbers, &mut world, &mut text);
    }
    for _ in 0..=numbers.below(2) {
        define_callable(numbers, &mut world, false, &mut text);
    }
    let threads = Threads::random(numbers);
    threads.define(numbers, &world, &mut text);
    let main = main_body(numbers, &world, threads);
    let _ = writeln!(text, "\nint main(void) {{\n{main}{CHECK}    return 0;\n}}");
    text
}

const PRELUDE: &str = "\
#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SIZEOF_INT128__
typedef __int128 wide;
typedef unsigned __int128 unsigned_wide;
#define WIDTH 128
#else
typedef long long wide;
typedef unsigned long long unsigned_wide;
#define WIDTH 64
#define long long long
#endif

unsigned long checksum;

static void mix(unsigned long value) {
    checksum = (checksum << 7 | checksum >> 57) + value;
}

static void leap(jmp_buf place, int result) {
    longjmp(place, result);
}

";

const CHECK: &str = "\
#if defined(EQUAL)
    assert(checksum == EQUAL);
#elif defined(DIFFERENT)
    assert(checksum != DIFFERENT);
#else
    printf(\"%\" PRIu64 \"\\n\", (uint64_t)checksum);
#endif
";

fn define_records(numbers: &mut Numbers, world: &mut World, text: &mut String) {
    for _ in 0..=numbers.below(3) {
        let record = random_record(numbers, &world.records);
        let _ = writeln!(text, "{}", record.definition(&world.records));
        world.records.push(record);
    }
    let value = numbers.pick(&Integer::ALL).name();
    let _ = writeln!(
        text,
        "struct node {{\n    struct node *next;\n    {value} value;\n}};\n"
    );
}

/// Variables of all kinds. They are not static, so that clang cannot know what they hold when main starts.
fn define_globals(numbers: &mut Numbers, world: &mut World, text: &mut String) {
    for index in 0..4 + numbers.below(4) {
        let element = Type::Integer(numbers.pick(&Integer::ALL));
        let record = Type::Record(numbers.below(world.records.len()));
        let kind = match numbers.below(9) {
            0 | 1 => Type::Array(element.into(), 2 + numbers.below(4)),
            2 => Type::Array(Type::Array(element.into(), 2 + numbers.below(2)).into(), 2),
            3 => Type::Array(record.into(), 2),
            4 | 5 => record,
            _ => element,
        };
        let mut variable = Variable::new(format!("g{index}"), kind, true);
        let value = initialiser(numbers, &variable.kind, &world.records);
        variable.qualifier = qualifier(numbers, &variable.kind);
        let declared = declaration(&variable.kind, &variable.name, &world.records);
        let keyword = match variable.qualifier {
            Qualifier::Plain => numbers.pick(&["", "", "static "]),
            Qualifier::Const => "const ",
            Qualifier::Volatile => "volatile ",
            Qualifier::Atomic => "_Atomic ",
        };
        let _ = writeln!(text, "{keyword}{declared} = {value};");
        world.globals.push(variable);
    }
    for index in 0..numbers.below(3) {
        global_pointer(numbers, world, index, text);
    }
}

fn qualifier(numbers: &mut Numbers, kind: &Type) -> Qualifier {
    match (numbers.below(10), kind) {
        (0, _) => Qualifier::Const,
        (1, _) => Qualifier::Volatile,
        (2 | 3, Type::Integer(kind)) if *kind != Integer::BOOL => Qualifier::Atomic,
        _ => Qualifier::Plain,
    }
}

/// A pointer whose initial value is an address.
fn global_pointer(numbers: &mut Numbers, world: &mut World, index: usize, text: &mut String) {
    let targets = world
        .globals
        .iter()
        .filter(|global| global.place().addressable);
    let targets: Vec<&Variable> = targets.collect();
    if targets.is_empty() {
        return;
    }
    let target = targets[numbers.below(targets.len())];
    let (kind, value) = match &target.kind {
        Type::Array(element, length) if !matches!(**element, Type::Array(..)) => {
            let start = numbers.below(*length);
            let pointer = Type::Pointer(element.clone(), length - start);
            (pointer, format!("&{}[{start}]", target.name))
        }
        Type::Integer(_) | Type::Record(_) => {
            let pointer = Type::Pointer(target.kind.clone().into(), 1);
            (pointer, format!("&{}", target.name))
        }
        Type::Array(..) | Type::Pointer(..) => return,
    };
    let name = format!("pointer{index}");
    let declared = declaration(&kind, &name, &world.records);
    let _ = writeln!(text, "{declared} = {value};");
    world.globals.push(Variable::new(name, kind, true));
}

/// Calls, threads, and the checksum of what is left behind.
fn main_body(numbers: &mut Numbers, world: &World, threads: Threads) -> String {
    let mut body = Body::new(numbers, world, world.globals.clone());
    body.heaps = 2;
    body.locals(2);
    body.statements(6);
    for _ in 0..2 {
        // There may be nothing that an argument could point to.
        let _ = body.call();
    }
    body.mix_some();
    for line in threads.run().lines() {
        body.line(line.trim_start());
    }
    body.statements(2);
    for variable in world.globals.iter().chain(&threads.results(world)) {
        for value in leaves(&variable.place(), world) {
            body.line(&format!("mix({value});"));
        }
    }
    body.finish()
}

/// All integers in a place, and those that pointers point to.
fn leaves(place: &Lvalue, world: &World) -> Vec<String> {
    match &place.kind {
        Type::Integer(_) => vec![place.text.clone()],
        Type::Array(element, length) | Type::Pointer(element, length) => (0..*length)
            .flat_map(|index| {
                let text = format!("{}[{index}]", place.text);
                leaves(&place.part(text, (**element).clone()), world)
            })
            .collect(),
        Type::Record(record) => {
            let record = &world.records[*record];
            let members = if record.union { 1 } else { record.fields.len() };
            let fields = record.fields[..members].iter();
            fields
                .flat_map(|field| leaves(&place.member(record, field), world))
                .collect()
        }
    }
}

#[cfg(test)]
mod tests;
