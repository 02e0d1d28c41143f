//! Unrolling loops that create or join threads or allocate, so that each of their rounds has its own threads and objects.

use abi::functions::{Effect, effect};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Block, Module, ModuleError, Value};

/// Unrolls only loops whose metadata asks for it.
const UNROLL: &str = "function(loop-simplify,lcssa,loop(loop-rotate<no-header-duplication>),instsimplify,\
                      loop-unroll<O1;full-unroll-max=0;no-partial;no-peeling;no-profile-peeling;no-runtime;no-upperbound>)";

/// Fully unrolls innermost loops of constant trip count with such a call inside, then their parents.
pub(super) fn unroll_loops(module: &Module) -> Result<(), ModuleError> {
    let mut any = false;
    for function in module.functions() {
        for (latch, body) in loops(function) {
            if body.iter().any(|block| is_worthwhile(*block)) {
                latch.request_unrolling(module);
                any = true;
            }
        }
    }
    if any {
        module.run_passes(UNROLL)
    } else {
        Ok(())
    }
}

fn is_worthwhile(block: Block) -> bool {
    block
        .instructions()
        .into_iter()
        .filter(|instruction| instruction.is_call())
        .any(|call| {
            call.callee().is_function()
                && matches!(
                    effect(&call.callee().name()),
                    Some(
                        Effect::ThreadCreate
                            | Effect::ThreadJoin
                            | Effect::Allocate
                            | Effect::AllocateZeroed
                    )
                )
        })
}

/// The natural loops: the branch back to the header, and the blocks.
fn loops(function: Value) -> Vec<(Value, FxHashSet<Block>)> {
    let blocks = function.blocks();
    let Some(entry) = blocks.first() else {
        return Vec::new();
    };
    let mut predecessors: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    let mut loops = Vec::new();
    let mut on_path: FxHashSet<Block> = FxHashSet::default();
    let mut seen: FxHashSet<Block> = FxHashSet::default();
    let mut back_edges = Vec::new();
    let mut pending = vec![(*entry, false)];
    while let Some((block, done)) = pending.pop() {
        if done {
            on_path.remove(&block);
            continue;
        }
        if !seen.insert(block) {
            continue;
        }
        on_path.insert(block);
        pending.push((block, true));
        for successor in block
            .terminator()
            .map(Value::successors)
            .unwrap_or_default()
        {
            predecessors.entry(successor).or_default().push(block);
            if on_path.contains(&successor) {
                back_edges.push((block, successor));
            }
            pending.push((successor, false));
        }
    }
    for (latch, header) in back_edges {
        if let Some(terminator) = latch.terminator() {
            loops.push((terminator, natural_loop(&predecessors, latch, header)));
        }
    }
    loops
}

/// The blocks from which the latch is reached without passing the header.
fn natural_loop(
    predecessors: &FxHashMap<Block, Vec<Block>>,
    latch: Block,
    header: Block,
) -> FxHashSet<Block> {
    let mut body: FxHashSet<Block> = [header].into_iter().collect();
    let mut pending = vec![latch];
    while let Some(block) = pending.pop() {
        if body.insert(block) {
            pending.extend(predecessors.get(&block).into_iter().flatten());
        }
    }
    body
}
