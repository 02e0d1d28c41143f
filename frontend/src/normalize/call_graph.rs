//! Which function calls which, and how large functions become when calls are inlined.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Module, Value};

/// The direct calls among the functions that a module defines, in the order of the module.
pub(super) struct CallGraph {
    /// A function and the number of its instructions; an edge for each call.
    graph: DiGraph<(Value, u64), ()>,
}

/// Which calls are counted: one by a counted function of a counted function goes one level deeper.
pub(super) type Counted = FxHashSet<NodeIndex>;

impl CallGraph {
    pub(super) fn of(module: &Module) -> Self {
        let mut functions = module.functions();
        functions.retain(|function| !function.is_declaration());
        Self::among(&functions)
    }

    /// That of some functions, as if they called no others.
    pub(super) fn among(functions: &[Value]) -> Self {
        let bodies: Vec<_> = functions.iter().map(|function| function.body()).collect();
        let mut graph = DiGraph::new();
        let nodes: FxHashMap<Value, NodeIndex> = (functions.iter().zip(&bodies))
            .map(|(&function, body)| (function, graph.add_node((function, body.len() as u64))))
            .collect();
        for (function, body) in functions.iter().zip(&bodies) {
            let callees = body.iter().filter_map(|call| call.inlined_callee());
            for callee in callees.filter_map(|callee| nodes.get(&callee)) {
                graph.add_edge(nodes[function], *callee, ());
            }
        }
        Self { graph }
    }

    /// The functions that may call themselves, over others or not.
    pub(super) fn recursive(&self) -> Counted {
        let components = tarjan_scc(&self.graph).into_iter();
        let is_cycle = |component: &Vec<NodeIndex>| {
            component.len() > 1 || self.graph.contains_edge(component[0], component[0])
        };
        components.filter(is_cycle).flatten().collect()
    }

    /// The functions that have more than `most` instructions when the calls of all others are inlined, and those that call
    /// recursive ones.
    pub(super) fn large(&self, recursive: &Counted, most: u64) -> Counted {
        let mut found = Counted::default();
        let mut sizes: FxHashMap<NodeIndex, u64> = FxHashMap::default();
        // Components come after those that they call.
        for node in tarjan_scc(&self.graph).into_iter().flatten() {
            let callees = || self.graph.neighbors(node);
            let inlined = callees().filter_map(|callee| sizes.get(&callee));
            let size = inlined.fold(self.graph[node].1, |sum, size| sum.saturating_add(*size));
            let calls_large = callees().any(|callee| found.contains(&callee));
            if size > most || calls_large || recursive.contains(&node) {
                found.insert(node);
            } else {
                sizes.insert(node, size);
            }
        }
        found
    }

    /// How many instructions the functions that `is_root` names have together, once all calls in them are inlined but for those
    /// that are `depth` levels deep; `u64::MAX` stands for more.
    pub(super) fn inlined_size(
        &self,
        counted: &Counted,
        depth: u32,
        is_root: impl Fn(Value) -> bool,
    ) -> u64 {
        let mut sizes: FxHashMap<(NodeIndex, u32), u64> = FxHashMap::default();
        let roots = self.graph.node_indices();
        let roots: Vec<_> = roots
            .filter(|node| is_root(self.graph[*node].0))
            .map(|node| (node, 0))
            .collect();
        let mut pending: Vec<_> = roots.iter().map(|root| (*root, false)).collect();
        while let Some((called @ (node, level), callees_done)) = pending.pop() {
            if sizes.contains_key(&called) {
                continue;
            }
            if level == depth.max(1) {
                sizes.insert(called, 1);
                continue;
            }
            let is_counted = counted.contains(&node);
            let callees = self.graph.neighbors(node).map(|callee| {
                let is_deeper = is_counted && counted.contains(&callee);
                (callee, if is_deeper { level + 1 } else { 0 })
            });
            if callees_done {
                let inlined = callees.map(|callee| sizes.get(&callee).copied().unwrap_or(0));
                sizes.insert(
                    called,
                    inlined.fold(self.graph[node].1, u64::saturating_add),
                );
            } else {
                pending.push((called, true));
                pending.extend(callees.map(|callee| (callee, false)));
            }
        }
        let all = roots.iter().map(|root| sizes[root]);
        all.fold(0, u64::saturating_add)
    }

    /// The functions of a set, in the order of the module.
    pub(super) fn functions(&self, counted: &Counted) -> Vec<Value> {
        let nodes = self.graph.node_indices();
        let nodes = nodes.filter(|node| counted.contains(node));
        nodes.map(|node| self.graph[node].0).collect()
    }
}
