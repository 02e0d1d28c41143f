//! Addresses of labels, and jumps to them (`goto *p`). A label gets the address of a function of its own, of a type that C does not have:
//! it lies anywhere, and nothing may be loaded from there. A jump compares its address with those of the labels that it may lead to.
//!
//! A machine may give two labels one address, so that the program [may not compare](super::label_uses) them.

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::label_uses::check_uses;
use super::requirement::require;
use super::stack_memory::taken;
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Value};

/// Replaces addresses of labels and jumps to them. Returns the functions that have such jumps: clang marks no lifetimes there.
pub(super) fn replace_jumps(module: &Module) -> FxHashSet<Value> {
    let mut labels: FxHashMap<Value, Value> = FxHashMap::default();
    let truth = module.int_type(1);
    for function in module.functions() {
        let addresses = function.block_addresses();
        for (address, number) in addresses.into_iter().zip(1..) {
            let name = format!("label {number} of `{}`", function.name());
            if let Some(block) = address.operand(1) {
                let label = module.declare(&name, truth, &[truth]);
                label.set_alignment(1);
                address.replace_all_uses(label);
                labels.insert(block, label);
            }
        }
    }
    let body = |function: Value| function.body().into_iter();
    let all = module.functions().into_iter().flat_map(body);
    let jumps: Vec<Value> = all
        .filter(|jump| jump.opcode() == Some(InstructionOpcode::IndirectBr))
        .collect();
    if !labels.is_empty() {
        check_uses(module, labels.values().copied());
    }
    let functions = jumps.iter().map(|jump| jump.block().function()).collect();
    for jump in jumps {
        separate(module, jump, &labels);
    }
    functions
}

/// Leads a jump to the label whose address it has. Without optimisation the jumps of a function share one, which has no position; each gets
/// its own, in the block of the source that it leaves.
fn separate(module: &Module, jump: Value, labels: &FxHashMap<Value, Value>) {
    let Some(address) = jump.operand(0) else {
        return;
    };
    let shared = jump.block();
    let is_phi = |value: &Value| value.opcode() == Some(InstructionOpcode::Phi);
    let starts_with_phi = |target: Block| target.instructions().first().is_some_and(is_phi);
    let is_alone = shared.instructions() == [address, jump] && address.users() == [jump];
    let leads_here_only = |(_, from): &(Value, Block)| from.successors() == [shared];
    if is_phi(&address)
        && is_alone
        && address.incoming().iter().all(leads_here_only)
        && !jump.successors().into_iter().any(starts_with_phi)
    {
        for (address, from) in address.incoming() {
            if let Some(end) = from.terminator() {
                lead(module, end, address, &jump.successors(), labels);
                end.erase();
            }
        }
        Builder::before(module, jump).unreachable();
        jump.erase();
        address.erase();
    } else {
        lead(module, jump, address, &jump.successors(), labels);
        jump.erase();
    }
}

/// Leads to one of some labels, before the end of a block.
fn lead(
    module: &Module,
    end: Value,
    address: Value,
    targets: &[Block],
    labels: &FxHashMap<Value, Value>,
) {
    let number = module.int_type(32);
    let function = end.block().function();
    let builder = Builder::before(module, end).copy_position(end);
    if !taken(function).is_empty() {
        let what = "computed `goto` beside arrays of variable length";
        insert_unsupported(module, &builder, what);
    }
    let mut chosen = number.constant(0);
    let mut cases = Vec::new();
    for (&target, index) in targets.iter().zip(1..) {
        // A label without an address is not led to, but stays a successor, as phi nodes know it.
        let own = number.constant(index);
        if let Some(&label) = labels.get(&target.value()) {
            chosen = builder.select(builder.equal(address, label), own, chosen);
        }
        cases.push((own, target));
    }
    let elsewhere = function.append_block(module, "elsewhere");
    let nowhere = Builder::at_end(module, elsewhere).copy_position(end);
    let never = module.int_type(1).constant(0);
    let what = "jump to what is no label of the function";
    require(module, &nowhere, never, what);
    nowhere.unreachable();
    builder.switch(chosen, elsewhere, &cases);
}
