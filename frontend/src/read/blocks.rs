//! Dominators: the blocks of the bitcode through which all paths to a block lead.

use cranelift_entity::{EntityRef, PrimaryMap};
use petgraph::algo::dominators::simple_fast;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::FxHashMap;

use crate::llvm::{Block, Module, Value};
use program::model::BlockId;

/// The blocks of a module.
pub(super) struct Blocks {
    /// See [`program::model::Program::dominators`].
    pub dominators: PrimaryMap<BlockId, Option<BlockId>>,
    ids: FxHashMap<Block, BlockId>,
}

impl Blocks {
    pub fn of(module: &Module) -> Self {
        let mut all = Self {
            dominators: PrimaryMap::new(),
            ids: FxHashMap::default(),
        };
        for function in module.functions() {
            all.add(&function.blocks());
        }
        all
    }

    pub fn id(&self, block: Block) -> BlockId {
        self.ids[&block]
    }

    /// Adds the blocks of a function.
    fn add(&mut self, blocks: &[Block]) {
        let offset = self.dominators.len();
        for (number, block) in blocks.iter().enumerate() {
            self.ids.insert(*block, BlockId::new(offset + number));
        }
        let mut graph = DiGraph::<(), ()>::new();
        let nodes: Vec<NodeIndex> = blocks.iter().map(|_| graph.add_node(())).collect();
        for (&block, &node) in blocks.iter().zip(&nodes) {
            let successors = block.terminator().map(Value::successors);
            for successor in successors.unwrap_or_default() {
                let successor = self.ids[&successor].index() - offset;
                graph.add_edge(node, nodes[successor], ());
            }
        }
        let Some(&entry) = nodes.first() else {
            return;
        };
        let dominators = simple_fast(&graph, entry);
        for node in nodes {
            let dominator = dominators.immediate_dominator(node);
            let dominator = dominator.map(|dominator| BlockId::new(offset + dominator.index()));
            self.dominators.push(dominator);
        }
    }
}
