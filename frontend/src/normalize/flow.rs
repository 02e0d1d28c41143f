//! Control flow backwards: which instructions may be executed before another one of the same function.

use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Block, Value};

/// The ways through a function.
pub(super) struct Flow {
    predecessors: FxHashMap<Block, Vec<Block>>,
    /// The blocks that lead to themselves.
    repeated: FxHashSet<Block>,
}

impl Flow {
    /// Those of a function.
    pub fn of(function: Value) -> Self {
        // Code that nothing leads to, as behind calls that do not return, leads nowhere.
        let blocks = function.reverse_post_order();
        let nodes: FxHashMap<Block, u32> = blocks.iter().copied().zip(0..).collect();
        let mut predecessors: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in &blocks {
            graph.add_node(());
        }
        for &block in &blocks {
            for next in block.successors() {
                predecessors.entry(next).or_default().push(block);
                graph.add_edge(nodes[&block].into(), nodes[&next].into(), ());
            }
        }
        let is_cycle = |component: &Vec<NodeIndex>| {
            let comes_back = |&node: &NodeIndex| graph.contains_edge(node, node);
            component.len() > 1 || component.iter().any(comes_back)
        };
        let cycles = tarjan_scc(&graph).into_iter().filter(is_cycle).flatten();
        Self {
            predecessors,
            repeated: cycles.map(|node| blocks[node.index()]).collect(),
        }
    }

    /// The blocks that lead to a block.
    pub fn predecessors(&self, block: Block) -> &[Block] {
        self.predecessors.get(&block).map_or(&[], Vec::as_slice)
    }

    /// The first of these instructions on each way back from a place, which is not one of them; and whether there is a way from the
    /// start of the function without one.
    pub fn last_before(
        &self,
        place: Value,
        instructions: &FxHashSet<Value>,
    ) -> (FxHashSet<Value>, bool) {
        let (mut found, mut seen) = (FxHashSet::default(), FxHashSet::default());
        let mut from_start = false;
        let mut pending = vec![(place.block(), place.previous())];
        while let Some((block, last)) = pending.pop() {
            let mut now = last;
            while let Some(instruction) = now
                && !instructions.contains(&instruction)
            {
                now = instruction.previous();
            }
            if let Some(instruction) = now {
                found.insert(instruction);
            } else {
                let before = self.predecessors(block);
                from_start |= before.is_empty();
                let new = before.iter().copied().filter(|&block| seen.insert(block));
                pending.extend(new.map(|block| (block, block.terminator())));
            }
        }
        (found, from_start)
    }

    /// Whether a way from the definition of a value to a place passes one of these instructions.
    pub fn passes(&self, starts: &FxHashSet<Value>, definition: Value, place: Value) -> bool {
        let mut stops = starts.clone();
        stops.insert(definition);
        let (found, _) = self.last_before(place, &stops);
        found.iter().any(|stop| starts.contains(stop))
    }

    /// Whether a way leads from one of these instructions to one of them.
    pub fn comes_again(&self, starts: &[Value]) -> bool {
        if let [start] = starts {
            return self.repeated.contains(&start.block());
        }
        let all = starts.iter().copied().collect();
        let mut starts = starts.iter();
        starts.any(|&start| !self.last_before(start, &all).0.is_empty())
    }
}

/// The blocks that are reached from one, where ways end at some blocks.
pub(super) fn reached(
    start: Block,
    ends: impl Fn(Block) -> bool,
    next: impl Fn(Block) -> Vec<Block>,
) -> FxHashSet<Block> {
    let mut seen: FxHashSet<Block> = [start].into_iter().collect();
    let mut pending = vec![start];
    while let Some(block) = pending.pop() {
        if !ends(block) {
            pending.extend(next(block).into_iter().filter(|&block| seen.insert(block)));
        }
    }
    seen
}
