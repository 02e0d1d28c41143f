//! Unrolling loops whose number of rounds is a small constant.
//!
//! Each round then has its own threads and objects, and its counter is part of the place in the code: it needs no variable,
//! no invariant, and no place where the cycle is cut, so that a transaction may pass the whole loop.

use abi::functions::{Effect, effect};
use rustc_hash::FxHashSet;

use super::flow::Flow;
use crate::llvm::{Block, Module, ModuleError, Value};

/// Unrolls loops whose metadata asks for it, and others of at most 16 rounds unless they become large (300 by LLVM's measure
/// of code size at O3, 150 below) or `#pragma clang loop unroll(disable)` keeps them.
const UNROLL: &str = "function(loop-simplify,lcssa,loop(loop-rotate<no-header-duplication>),instsimplify,\
                      loop-unroll<O3;full-unroll-max=16;no-partial;no-peeling;no-profile-peeling;no-runtime;no-upperbound>)";

/// Fully unrolls innermost loops of constant trip count, then their parents: small ones, and all that create or join threads
/// or allocate.
pub(super) fn unroll_loops(module: &Module) -> Result<(), ModuleError> {
    let loops: Vec<_> = module.functions().into_iter().flat_map(loops).collect();
    for (latch, body) in &loops {
        if body.iter().any(|block| is_worthwhile(*block)) {
            latch.request_unrolling(module);
        }
    }
    if loops.is_empty() {
        Ok(())
    } else {
        module.run_passes(UNROLL)
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
    let flow = Flow::of(function);
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
            if on_path.contains(&successor) {
                back_edges.push((block, successor));
            }
            pending.push((successor, false));
        }
    }
    for (latch, header) in back_edges {
        if let Some(terminator) = latch.terminator() {
            loops.push((terminator, natural_loop(&flow, latch, header)));
        }
    }
    loops
}

/// The blocks from which the latch is reached without passing the header.
fn natural_loop(flow: &Flow, latch: Block, header: Block) -> FxHashSet<Block> {
    let mut body: FxHashSet<Block> = [header].into_iter().collect();
    let mut pending = vec![latch];
    while let Some(block) = pending.pop() {
        if body.insert(block) {
            pending.extend(flow.predecessors(block));
        }
    }
    body
}
