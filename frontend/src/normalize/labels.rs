//! Addresses of labels, and jumps to them (`goto *p`). A label gets the address of an object of its own, and a jump compares its address
//! with those of the labels that it may lead to.

use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashMap;

use super::requirement::require;
use crate::llvm::{Block, Builder, Module, Value};

/// Replaces addresses of labels and jumps to them.
pub(super) fn replace_jumps(module: &Module) {
    for function in module.functions() {
        let addresses = function.block_addresses();
        let mut labels: FxHashMap<Value, Value> = FxHashMap::default();
        for (address, number) in addresses.into_iter().zip(1..) {
            let name = format!("label {number} of `{}`", function.name());
            if let Some(block) = address.operand(1) {
                let label = module.constant_string(&name);
                address.replace_all_uses(label);
                labels.insert(block, label);
            }
        }
        let jumps = function.body().into_iter();
        for jump in jumps.filter(|jump| jump.opcode() == Some(InstructionOpcode::IndirectBr)) {
            lead(module, jump, &labels);
        }
    }
}

/// Leads a jump to the label whose address it has.
fn lead(module: &Module, jump: Value, labels: &FxHashMap<Value, Value>) {
    let Some(address) = jump.operand(0) else {
        return;
    };
    let number = module.int_type(32);
    // Without optimisation the jumps of a function share one that has no position of its own.
    let function = jump.block().function();
    let leads_here = |end: &Value| end.successors().contains(&jump.block());
    let ends = function.blocks().into_iter().filter_map(Block::terminator);
    let mut positions = std::iter::once(jump).chain(ends.filter(leads_here));
    let position = positions.find(|place| place.debug_location().is_some());
    let position = position.unwrap_or(jump);
    let builder = Builder::before(module, jump).copy_position(position);
    let mut chosen = number.constant(0);
    let mut targets = Vec::new();
    for (target, index) in jump.successors().into_iter().zip(1..) {
        // A label without an address is not led to, but stays a successor, as phi nodes know it.
        let own = number.constant(index);
        if let Some(&label) = labels.get(&target.value()) {
            chosen = builder.select(builder.equal(address, label), own, chosen);
        }
        targets.push((own, target));
    }
    let elsewhere = function.append_block(module, "elsewhere");
    let nowhere = Builder::at_end(module, elsewhere).copy_position(position);
    let never = module.int_type(1).constant(0);
    require(
        module,
        &nowhere,
        never,
        "jump to what is no label of the function",
    );
    nowhere.unreachable();
    builder.switch(chosen, elsewhere, &targets);
    jump.erase();
}
