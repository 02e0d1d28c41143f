//! Unrolling recursion: each call within a cycle of the call graph goes to the next copy of the cycle's functions.

use abi::markers::RECURSION_LIMIT;
use inkwell::module::Linkage;
use petgraph::algo::tarjan_scc;
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

use super::error::NormalizeError;
use crate::llvm::{Builder, Module, Value};

/// Allows `depth` nested calls within each cycle of the call graph; the next one is a marker call.
pub(super) fn unroll(module: &Module, depth: u32) -> Result<(), NormalizeError> {
    let recursive = recursive_functions(module);
    if recursive.is_empty() {
        return Ok(());
    }
    name_everything(module);
    let names = Names::new(module, &recursive);
    module.link_changed_copies(1..depth, |level, functions, globals| {
        turn_into_level(functions, globals, &names, level);
    })?;
    let calls: Vec<Value> = recursive
        .iter()
        .flat_map(|function| function.body())
        .collect();
    for (function, name) in recursive.iter().zip(&names.recursive) {
        let next = module.function_or_sibling(&names.at_level(name, 1), *function);
        redirect(&calls, *function, next);
    }
    for (function, name) in recursive.iter().zip(&names.recursive) {
        end_with_limit(
            module,
            module.function_or_sibling(&names.at_level(name, depth.max(1)), *function),
        );
    }
    Ok(())
}

/// By what the linker knows the copies: names as LLVM has them, since it compares bytes.
struct Names {
    /// Those of the recursive functions.
    recursive: Vec<Vec<u8>>,
    /// Stands between the name and the level of a copy, and in no name of the program: what a program calls its functions
    /// must not decide which of them is called.
    infix: Vec<u8>,
}

impl Names {
    fn new(module: &Module, recursive: &[Value]) -> Self {
        let taken = module.symbols();
        let is_taken = |infix: &[u8]| {
            let holds = |name: &Vec<u8>| name.windows(infix.len()).any(|part| part == infix);
            taken.iter().any(holds)
        };
        let mut infix = b".recursion.".to_vec();
        while is_taken(&infix) {
            infix.push(b'.');
        }
        Self {
            recursive: recursive.iter().map(|function| function.symbol()).collect(),
            infix,
        }
    }

    fn at_level(&self, name: &[u8], level: u32) -> Vec<u8> {
        [name, &self.infix, level.to_string().as_bytes()].concat()
    }
}

/// All functions that may call themselves, over others or not, in the order of the module.
fn recursive_functions(module: &Module) -> Vec<Value> {
    let functions: Vec<Value> = module
        .functions()
        .into_iter()
        .filter(|function| !function.is_declaration())
        .collect();
    let mut graph = DiGraph::<Value, ()>::new();
    let nodes: FxHashMap<Value, _> = functions
        .iter()
        .map(|function| (*function, graph.add_node(*function)))
        .collect();
    for function in &functions {
        for callee in function
            .body()
            .into_iter()
            .filter_map(Value::inlined_callee)
        {
            graph.update_edge(nodes[function], nodes[&callee], ());
        }
    }
    let mut cyclic = vec![false; functions.len()];
    for component in tarjan_scc(&graph) {
        let is_cycle = component.len() > 1 || graph.contains_edge(component[0], component[0]);
        component
            .iter()
            .for_each(|node| cyclic[node.index()] = is_cycle);
    }
    functions
        .iter()
        .zip(cyclic)
        .filter_map(|(function, cyclic)| cyclic.then_some(*function))
        .collect()
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

/// Turns a copy of the module into one that defines only the recursive functions, under names of this level.
fn turn_into_level(functions: &[Value], globals: &[Value], names: &Names, level: u32) {
    let recursive = &names.recursive;
    let calls: Vec<Value> = functions
        .iter()
        .filter(|function| recursive.contains(&function.symbol()))
        .flat_map(|function| function.body())
        .collect();
    for definition in functions
        .iter()
        .chain(globals)
        .filter(|definition| !definition.is_declaration())
    {
        let name = definition.symbol();
        if !recursive.contains(&name) {
            // The linker keeps the original's definition.
            definition.set_linkage(Linkage::LinkOnceODR);
            continue;
        }
        definition.set_name(names.at_level(&name, level));
        let original = definition.declare_sibling(&name);
        definition.replace_all_uses(original);
        redirect(
            &calls,
            original,
            definition.declare_sibling(&names.at_level(&name, level + 1)),
        );
    }
}

/// Makes those of the calls that call `from` call `to`.
fn redirect(calls: &[Value], from: Value, to: Value) {
    for call in calls
        .iter()
        .filter(|call| call.is_call() && call.callee() == from && call.called_function().is_some())
    {
        call.set_callee(to);
    }
}

fn end_with_limit(module: &Module, function: Value) {
    let builder = Builder::at_end(module, function.append_block(module, "limit"));
    builder.call_named(module, RECURSION_LIMIT, module.void_type(), &[]);
    builder.unreachable();
}
