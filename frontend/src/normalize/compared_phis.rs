//! Numbers that several ways lead to, and that are only compared with one constant. What is kept of each is the outcome: exhaustive search
//! would tell apart states that differ in the number and nothing else, and the ways often know the outcome.

use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashMap;

use crate::llvm::{Block, Builder, Module, Value};

/// Moves comparisons of phi nodes to the ends of the blocks that the numbers come from.
pub(super) fn compare_early(module: &Module) {
    let instructions = module.functions().into_iter().flat_map(Value::body);
    let phis = instructions.filter(|value| value.opcode() == Some(InstructionOpcode::Phi));
    for phi in Vec::from_iter(phis) {
        if let Some(comparison) = only_comparison(phi) {
            replace(module, phi, comparison);
        }
    }
}

/// A comparison with a constant, if a phi node of integers has no uses but comparisons that ask the same.
fn only_comparison(phi: Value) -> Option<Value> {
    let users = phi.users();
    let &first = users.first()?;
    let asks_the_same = |user: &Value| {
        user.opcode() == Some(InstructionOpcode::ICmp)
            && user.operand(0) == Some(phi)
            && user.integer_predicate() == first.integer_predicate()
            && user.operand(1) == first.operand(1)
    };
    let is_constant = |user: &Value| user.operand(1).is_some_and(|c| c.integer().is_some());
    // A value of a terminator is none before it, and what is undefined has no value to compare.
    let is_before_end = |&(value, block): &(Value, Block)| {
        !value.is_undefined() && block.terminator().is_some_and(|end| end != value)
    };
    let is_meant = phi
        .value_type_of()
        .int_width()
        .is_some_and(|width| width > 1)
        && users.iter().all(asks_the_same)
        && is_constant(&first)
        && phi.incoming().iter().all(is_before_end);
    is_meant.then_some(first)
}

fn replace(module: &Module, phi: Value, comparison: Value) {
    let Some(constant) = comparison.operand(1) else {
        return;
    };
    let outcome = Builder::before(module, phi).phi(module.int_type(1));
    // A block may be named more than once, with one value.
    let mut outcomes: FxHashMap<Block, Value> = FxHashMap::default();
    for (value, block) in phi.incoming() {
        let Some(end) = block.terminator() else {
            continue;
        };
        let early = *outcomes.entry(block).or_insert_with(|| {
            let builder = Builder::before(module, end).copy_position(comparison);
            builder.compare(comparison.integer_predicate(), value, constant)
        });
        outcome.add_incoming(early, block);
    }
    for user in phi.users() {
        user.replace_all_uses(outcome);
        user.erase();
    }
    phi.erase();
}
