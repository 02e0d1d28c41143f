//! How deep nested calls are followed: each call within a cycle of the call graph goes to the next copy of the cycle's functions, as
//! do all calls but those of small functions in a program that would become too large otherwise.

use abi::markers::RECURSION_LIMIT;
use inkwell::module::Linkage;
use rustc_hash::FxHashMap;

use super::blocks::cut;
use super::call_graph::CallGraph;
use super::calls::{DISPATCHER, address_taken, is_kept, starts_threads};
use super::error::NormalizeError;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};

/// A program that inlining makes larger than this many instructions is cut.
const MOST_INSTRUCTIONS: u64 = 1_000_000;

/// So many instructions are left then.
const CUT_TO: u64 = 200_000;

/// Calls of functions that have at most this many instructions with all that they call are always followed.
const SMALL: u64 = 64;

/// Deeper calls are not followed in a program that is cut: there is a copy of the module for each level.
const MOST_LEVELS: u32 = 32;

/// Allows `recursion` nested calls within each cycle of the call graph; the next one is a marker call. Where calls of a program as
/// large as that could not be inlined, it allows as many nested calls as fit.
///
/// # Errors
/// `main` is too large by itself, or LLVM refuses.
pub(super) fn limit(module: &Module, recursion: u32) -> Result<(), NormalizeError> {
    let graph = CallGraph::of(module);
    let starts = if starts_threads(module) {
        address_taken(module)
    } else {
        Vec::new()
    };
    let is_root = |function: Value| is_kept(function) || starts.contains(&function);
    let recursive = graph.recursive();
    let size = graph.inlined_size(&recursive, recursion, is_root);
    if size <= MOST_INSTRUCTIONS {
        let end = |builder: &Builder, _: &str| {
            builder.call_named(module, RECURSION_LIMIT, module.void_type(), &[]);
        };
        return unroll(module, &graph.functions(&recursive), recursion, end);
    }
    let large = graph.large(&recursive, SMALL);
    let fits = |depth: &u32| graph.inlined_size(&large, *depth, is_root) <= CUT_TO;
    let depth = (1..=MOST_LEVELS).take_while(fits).last();
    let depth = depth.ok_or(NormalizeError::TooLarge(size))?;
    let end = |builder: &Builder, name: &str| {
        let called = match name.starts_with(DISPATCHER) {
            true => "call through a pointer".to_owned(),
            false => format!("call of `{name}`"),
        };
        let what = format!(
            "{called}, {depth} calls deep in a program of more than {MOST_INSTRUCTIONS} instructions when each call counts"
        );
        insert_unsupported(module, builder, &what);
    };
    let large = graph.functions(&large);
    unroll(module, &large, depth, end)?;
    let called = large.into_iter().filter(|function| !is_root(*function));
    called.for_each(|function| empty(module, function));
    Ok(())
}

/// Leaves of a function only the address: its copies are called.
fn empty(module: &Module, function: Value) {
    for block in function.blocks() {
        let Some(&first) = block.instructions().first() else {
            continue;
        };
        let builder = Builder::at_end(module, cut(module, first));
        insert_unsupported(module, &builder, "start of a function that was cut");
        builder.unreachable();
    }
}

/// Allows `depth` nested calls of these functions among each other; the next one runs what `end` builds for the function's name.
fn unroll(
    module: &Module,
    functions: &[Value],
    depth: u32,
    end: impl Fn(&Builder, &str),
) -> Result<(), NormalizeError> {
    if functions.is_empty() {
        return Ok(());
    }
    name_everything(module);
    let names = Names::new(module, functions);
    // LLVM inlines in the order of the module: the deepest first, so that code is not moved again and again in what is large already.
    module.link_changed_copies((1..depth).rev(), |level, functions, globals| {
        turn_into_level(functions, globals, &names, level);
    })?;
    let bodies = functions.iter().flat_map(|function| function.body());
    let calls: Vec<Value> = bodies.filter(|instruction| instruction.is_call()).collect();
    let targets = functions.iter().zip(&names.nested).map(|(function, name)| {
        let next = module.function_or_sibling(&names.at_level(name, 1), *function);
        (*function, next)
    });
    redirect(&calls, &targets.collect());
    for (function, name) in functions.iter().zip(&names.nested) {
        let last = names.at_level(name, depth.max(1));
        let last = module.function_or_sibling(&last, *function);
        let builder = Builder::at_end(module, last.append_block(module, "limit"));
        end(&builder, &function.name());
        builder.unreachable();
    }
    Ok(())
}

/// By what the linker knows the copies: names as LLVM has them, since it compares bytes.
struct Names {
    /// Those of the functions whose calls are counted.
    nested: Vec<Vec<u8>>,
    /// Stands between the name and the level of a copy, and in no name of the program: what a program calls its functions
    /// must not decide which of them is called.
    infix: Vec<u8>,
}

impl Names {
    fn new(module: &Module, nested: &[Value]) -> Self {
        let taken = module.symbols();
        let is_taken = |infix: &[u8]| {
            let holds = |name: &Vec<u8>| name.windows(infix.len()).any(|part| part == infix);
            taken.iter().any(holds)
        };
        let mut infix = b".nested.".to_vec();
        while is_taken(&infix) {
            infix.push(b'.');
        }
        Self {
            nested: nested.iter().map(|function| function.symbol()).collect(),
            infix,
        }
    }

    fn at_level(&self, name: &[u8], level: u32) -> Vec<u8> {
        [name, &self.infix, level.to_string().as_bytes()].concat()
    }
}

/// Makes names of all definitions visible to the linker, so that copies of the module share them.
fn name_everything(module: &Module) {
    for definition in module.functions().into_iter().chain(module.globals()) {
        if definition.symbol().is_empty() {
            definition.set_name("mazurka.unnamed");
        }
        if !definition.is_declaration() {
            definition.set_linkage(Linkage::External);
        }
    }
}

/// Turns a copy of the module into one that defines only the functions whose calls are counted, under names of this level.
fn turn_into_level(functions: &[Value], globals: &[Value], names: &Names, level: u32) {
    let nested = &names.nested;
    let calls: Vec<Value> = functions
        .iter()
        .filter(|function| nested.contains(&function.symbol()))
        .flat_map(|function| function.body())
        .filter(|instruction| instruction.is_call())
        .collect();
    let mut targets = FxHashMap::default();
    for definition in functions
        .iter()
        .chain(globals)
        .filter(|definition| !definition.is_declaration())
    {
        let name = definition.symbol();
        if !nested.contains(&name) {
            // The linker keeps the original's definition.
            definition.set_linkage(Linkage::LinkOnceODR);
            continue;
        }
        definition.set_name(names.at_level(&name, level));
        let original = definition.declare_sibling(&name);
        definition.replace_all_uses(original);
        let next = names.at_level(&name, level + 1);
        targets.insert(original, definition.declare_sibling(&next));
    }
    redirect(&calls, &targets);
}

/// Makes the calls of each of these functions call another one.
fn redirect(calls: &[Value], targets: &FxHashMap<Value, Value>) {
    for call in calls {
        if let Some(next) = call.called_function().and_then(|from| targets.get(&from)) {
            call.set_callee(*next);
        }
    }
}
