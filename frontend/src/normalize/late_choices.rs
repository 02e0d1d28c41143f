//! Arbitrary first values are chosen late: not where a variable begins its life, but on the ways where the value is used. A run that
//! uses none has nothing to choose, and exhaustive search no values to try.

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode;
use petgraph::algo::dominators::{Dominators, simple_fast};
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Block, Module, Value};

/// Moves each choice of a first value to the last place that all its uses have in common.
pub(super) fn delay(module: &Module) {
    for function in module.functions() {
        let body = function.body().into_iter();
        let choices: Vec<Value> = body.filter(|value| is_choice(*value)).collect();
        if choices.is_empty() {
            continue;
        }
        if let Some(ways) = Ways::of(function) {
            for choice in choices {
                if let Some(place) = ways.last_place(choice) {
                    let late = choice.copy_before(place);
                    choice.replace_all_uses(late);
                    choice.erase();
                }
            }
        }
    }
}

fn is_choice(value: Value) -> bool {
    let is_first_value = |function: Value| effect(&function.name()) == Some(Effect::FirstValue);
    value.is_call() && value.called_function().is_some_and(is_first_value)
}

/// The ways through a function.
struct Ways {
    blocks: Vec<Block>,
    nodes: FxHashMap<Block, NodeIndex>,
    graph: DiGraph<(), ()>,
    dominators: Dominators<NodeIndex>,
}

impl Ways {
    fn of(function: Value) -> Option<Self> {
        let blocks = function.blocks();
        let mut graph = DiGraph::new();
        let nodes: FxHashMap<Block, NodeIndex> = blocks
            .iter()
            .map(|block| (*block, graph.add_node(())))
            .collect();
        for block in &blocks {
            for next in block.successors() {
                graph.add_edge(nodes[block], nodes[&next], ());
            }
        }
        let entry = *nodes.get(blocks.first()?)?;
        let dominators = simple_fast(&graph, entry);
        Some(Self {
            blocks,
            nodes,
            graph,
            dominators,
        })
    }

    /// The place before which a choice can be made instead, if it is in another block: whoever gets there has passed the choice, since the
    /// place was left last, and uses come after it.
    fn last_place(&self, choice: Value) -> Option<Value> {
        let users = choice.users();
        let mut uses = users.iter().flat_map(|user| self.used_in(*user, choice));
        let first = uses.next()?;
        let common = uses.try_fold(first, |common, block| self.common(common, block))?;
        let start = self.nodes[&choice.block()];
        let is_late = common != start && !self.is_repeated(common, start);
        let instructions = self.blocks[common.index()].instructions();
        let is_place = |instruction: &Value| {
            let is_use = users.contains(instruction) && !is_phi(*instruction);
            is_use || instruction.next().is_none()
        };
        instructions.into_iter().find(is_place).filter(|_| is_late)
    }

    /// The blocks at whose ends, or in which, an instruction needs a value.
    fn used_in(&self, user: Value, value: Value) -> Vec<NodeIndex> {
        if is_phi(user) {
            let incoming = user.incoming().into_iter();
            let uses = incoming.filter(|&(used, _)| used == value);
            uses.map(|(_, block)| self.nodes[&block]).collect()
        } else {
            vec![self.nodes[&user.block()]]
        }
    }

    /// The last block through which all ways to both blocks lead.
    fn common(&self, first: NodeIndex, second: NodeIndex) -> Option<NodeIndex> {
        let of_first: FxHashSet<NodeIndex> = self.dominators.dominators(first)?.collect();
        let mut of_second = self.dominators.dominators(second)?;
        of_second.find(|block| of_first.contains(block))
    }

    /// Whether a way leads from a block back to it, and not through another one.
    fn is_repeated(&self, block: NodeIndex, other: NodeIndex) -> bool {
        let mut seen = FxHashSet::from_iter([other]);
        let mut pending = vec![block];
        while let Some(next) = pending.pop() {
            for successor in self.graph.neighbors(next) {
                if successor == block {
                    return true;
                }
                if seen.insert(successor) {
                    pending.push(successor);
                }
            }
        }
        false
    }
}

fn is_phi(value: Value) -> bool {
    value.opcode() == Some(InstructionOpcode::Phi)
}
