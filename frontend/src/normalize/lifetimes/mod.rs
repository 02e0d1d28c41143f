//! Marks of the lifetimes that clang leaves unmarked although they are shorter than the run of their function: those of variables
//! whose declaration a jump passes over, compound literals, temporaries, parameters of functions that clang inlines, and, in bitcode
//! that was compiled without marks, all variables of blocks.
//!
//! The debug information shows which block of the [source] a variable belongs to. The lifetime starts where control enters the block
//! and ends where control leaves it, both seen from the source positions of instructions. That holds for code as clang writes it,
//! which functions with the attribute `optnone` are: optimising moves instructions and merges positions.
//!
//! Some lifetimes are shorter than the block: those of [temporaries], and of literals in [loops](rounds) without braces. A variable
//! that clang places in the memory of the function's [result](results) gets memory of its own first.
//!
//! Where a declaration is reached again in one life, by a `goto` back, the content [is forgotten](forget).
//!
//! Only variables whose address [escapes] are considered: the others cannot be used outside of their block. In functions with computed
//! `goto` clang marks nothing, so that all are considered that have a declaration, since their content is lost between two lives.

mod crossings;
mod forget;
mod results;
mod rounds;
mod source;
mod temporaries;
mod variables;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use self::crossings::{Crossing, CrossingPlace};
use self::results::ReturnedVariables;
use self::source::{EnclosingBlock, Source};
use self::variables::{escapes, is_from_call, is_inlined, is_marked};
use super::lifetime_marks::insert_mark;
use super::stack_memory::taken;
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Value};

/// Marks lifetimes in all functions that are as clang writes them.
pub(super) fn mark(module: &Module, with_computed_jumps: &FxHashSet<Value>) {
    module.use_debug_records(false);
    let mut functions = module.functions();
    functions.retain(|function| !function.is_declaration());
    let is_all_as_written = is_not_optimised(&functions);
    for function in functions {
        if is_all_as_written || is_as_written(function) {
            let results = results::keep_apart(module, function);
            let has_jumps = with_computed_jumps.contains(&function);
            mark_in(module, function, has_jumps, &results);
            forget::at_declarations(module, function);
        }
    }
    module.use_debug_records(true);
}

fn is_as_written(function: Value) -> bool {
    function.has_attribute("optnone")
}

/// Whether clang has optimised nothing: then all functions are marked as such, but for those that cannot be.
fn is_not_optimised(functions: &[Value]) -> bool {
    let cannot_be_marked = |function: Value| {
        ["alwaysinline", "minsize"]
            .iter()
            .any(|name| function.has_attribute(name))
    };
    let mut all = functions.iter().copied();
    functions.iter().copied().any(is_as_written)
        && all.all(|function| is_as_written(function) || cannot_be_marked(function))
}

fn mark_in(
    module: &Module,
    function: Value,
    has_computed_jumps: bool,
    results: &ReturnedVariables,
) {
    let body = function.body();
    let taken = taken(function);
    let is_static = |variable: Value| {
        variable.is_local_variable()
            && !taken.contains(&variable)
            && !is_from_call(module, variable)
    };
    let is_known_elsewhere = |variable| escapes(variable) || is_inlined(variable);
    let unmarked = body.iter().copied().filter(|&variable| {
        let is_considered = has_computed_jumps || is_known_elsewhere(variable);
        is_static(variable) && !is_marked(variable) && is_considered
    });
    let unmarked: Vec<Value> = unmarked.collect();
    if unmarked.is_empty() {
        return;
    }
    let source = Source::new(module, &body);
    let loops = rounds::loops(module, function);
    let mut blocks: Vec<(EnclosingBlock, Vec<Value>)> = Vec::new();
    // All are found before the first mark is inserted.
    let mut marks: Vec<Marks> = Vec::new();
    for variable in unmarked {
        if !is_known_elsewhere(variable) && !source.is_declared(variable) {
            continue;
        }
        let home = source.home_of(variable);
        let own = if source.is_declared(variable) {
            source.rounds(function, &loops, variable, home.as_ref())
        } else {
            temporaries::lives(module, variable, source.describes_variables)
        };
        if let Some(crossings) = own {
            marks.push(Marks {
                crossings,
                variables: vec![variable],
                is_known: true,
            });
        } else if let Some(home) = home {
            match blocks.iter_mut().find(|(known, _)| *known == home) {
                Some((_, variables)) => variables.push(variable),
                None => blocks.push((home, vec![variable])),
            }
        }
    }
    marks.extend(blocks.into_iter().map(|(home, variables)| Marks {
        crossings: source.crossings(function, home.block),
        variables,
        is_known: home.is_known,
    }));
    insert(module, marks, results);
}

/// Where the lives of some variables start and end.
struct Marks {
    crossings: Vec<Crossing>,
    variables: Vec<Value>,
    /// Whether they end nowhere else.
    is_known: bool,
}

fn insert(module: &Module, marks: Vec<Marks>, results: &ReturnedVariables) {
    let mut middles = FxHashMap::default();
    for marks in marks {
        for Crossing { place, enters } in marks.crossings {
            let place = match place {
                CrossingPlace::Before(end) if !enters => {
                    Some(results.end_of_life(&marks.variables, end))
                }
                CrossingPlace::Before(instruction) => Some(instruction),
                CrossingPlace::Between(from, to) => *middles
                    .entry((from, to))
                    .or_insert_with(|| split_edge(module, from, to)),
            };
            let Some(place) = place else { continue };
            let builder = Builder::before(module, place).copy_position(place);
            if !enters && !marks.is_known {
                insert_unsupported(
                    module,
                    &builder,
                    "a variable that may belong to several blocks",
                );
            }
            for &variable in &marks.variables {
                let leaves = results
                    .of_blocks
                    .iter()
                    .filter(|part| !enters && part.variable == variable);
                for part in leaves {
                    part.copy(&builder);
                }
                let kind = if enters { "start" } else { "end" };
                insert_mark(module, &builder, kind, variable);
            }
        }
    }
}

/// Puts an empty block between two blocks; returns its jump. There is no way to do so behind a computed `goto`, which is not read.
fn split_edge(module: &Module, from: Block, to: Block) -> Option<Value> {
    let jump = from.terminator()?;
    if !matches!(
        jump.opcode(),
        Some(InstructionOpcode::Br | InstructionOpcode::Switch)
    ) {
        return None;
    }
    let middle = from.function().append_block(module, "");
    let builder = Builder::at_end(module, middle).copy_position(jump);
    let end = builder.jump(to);
    for (index, next) in (0..).zip(jump.successors()) {
        if next == to {
            jump.set_successor(index, middle);
        }
    }
    let is_phi = |i: &Value| i.opcode() == Some(InstructionOpcode::Phi);
    for phi in to.instructions().into_iter().take_while(is_phi) {
        let builder = Builder::before(module, phi).copy_position(phi);
        let changed = builder.phi(phi.value_type_of());
        let incoming = phi.incoming().into_iter();
        let (moved, kept): (Vec<_>, Vec<_>) = incoming.partition(|(_, source)| *source == from);
        for (value, source) in kept {
            changed.add_incoming(value, source);
        }
        if let Some((value, _)) = moved.first() {
            changed.add_incoming(*value, middle);
        }
        phi.replace_all_uses(changed);
        phi.erase();
    }
    Some(end)
}
