//! Variables that live more than once, such as those of a loop's body. In C each round has another variable, and a pointer from an
//! earlier round points to none of them.
//!
//! LLVM's passes know one variable only. So [`keep_apart`] hides from them each address that is kept, until [`reveal`] finds that the
//! address is not used in a later life. The variables that are left get one object for each life ([`separate`]).

mod objects;
mod uses;

use rustc_hash::{FxHashMap, FxHashSet};

use self::objects::Lives;
use self::uses::{AddressUse, is_computed_again, kept_uses, place_of_use, positions, users};
use super::addresses::base;
use super::calls;
use super::flow::Flow;
use super::identity_calls::THIS_LIFE;
use super::lifetime_marks::starts_of_life;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, ModuleError, Value};

/// The calls that return the addresses that they get.
fn this_life_calls(module: &Module) -> Vec<Value> {
    let functions = module.functions().into_iter();
    let functions = functions.filter(|function| function.name().starts_with(THIS_LIFE));
    functions.flat_map(Value::users).collect()
}

/// A call that returns an address, before an instruction.
fn this_life(module: &Module, place: Value, address: Value) -> Value {
    let kind = address.value_type_of();
    let name = format!("{THIS_LIFE}{}", kind.print());
    let function = module
        .function(&name)
        .unwrap_or_else(|| module.declare(&name, kind, &[kind]));
    Builder::before(module, place)
        .copy_position(place)
        .call(function, &[address])
}

/// Makes a value of its own of each address that is kept of a variable that may live again.
pub(super) fn keep_apart(module: &Module) {
    for function in module.functions() {
        let flow = Flow::of(function);
        for variable in function.local_variables() {
            let kept = kept_uses(variable);
            if kept.is_empty() || !flow.comes_again(&starts_of_life(variable)) {
                continue;
            }
            // A phi node may name a block twice, with one value.
            let mut values: FxHashMap<(Value, Value), Value> = FxHashMap::default();
            for (user, index, address) in kept {
                let place = place_of_use(user, index);
                let value = || this_life(module, place, address);
                let value = *values.entry((place, address)).or_insert_with(value);
                user.set_operand(index, value);
            }
        }
    }
}

/// Lets passes see the addresses again that are used in the life of the variable only in which they were taken.
pub(super) fn reveal(module: &Module) {
    let mut flows: FxHashMap<Value, Flow> = FxHashMap::default();
    for call in this_life_calls(module) {
        let function = call.block().function();
        let flow = flows.entry(function).or_insert_with(|| Flow::of(function));
        if let Some(address) = call.operand(0)
            && !outlives(flow, call)
        {
            call.replace_all_uses(address);
            call.erase();
        }
    }
}

/// Gives the variables that are left different objects for different lives.
pub(super) fn separate(module: &Module) -> Result<(), ModuleError> {
    reveal(module);
    let calls = this_life_calls(module);
    if calls.is_empty() {
        return Ok(());
    }
    let mut variables: Vec<Value> = calls.iter().copied().map(variable_of).collect();
    let mut seen = FxHashSet::default();
    // Memory of a computed size has no marks, and is new each time anyway.
    variables.retain(|&variable| seen.insert(variable) && starts_of_life(variable) != [variable]);
    module.use_debug_records(false);
    for variable in variables {
        let flow = Flow::of(variable.block().function());
        let own = calls.iter().filter(|call| variable_of(**call) == variable);
        refuse_early(module, &flow, own);
        let lives = Lives::of(module, variable, &flow);
        lives.describe();
        lives.separate();
    }
    module.use_debug_records(true);
    for call in calls {
        if let Some(address) = call.operand(0) {
            call.replace_all_uses(address);
        }
        call.erase();
    }
    let functions = module.functions().into_iter();
    for function in functions.filter(|function| function.name().starts_with(THIS_LIFE)) {
        function.delete_function();
    }
    calls::inline(module)
}

/// The variable that an address is in.
fn variable_of(address: Value) -> Value {
    let mut base = base(address);
    while is_computed_again(base) {
        match base.operand(0) {
            Some(operand) => base = super::addresses::base(operand),
            None => break,
        }
    }
    base
}

/// Does not support addresses that are taken before any life of the variable: optimising knows only one.
fn refuse_early<'a>(module: &Module, flow: &Flow, calls: impl Iterator<Item = &'a Value>) {
    for &call in calls {
        let starts = starts_of_life(variable_of(call)).into_iter().collect();
        if flow.last_before(call, &starts).1 {
            let builder = Builder::before(module, call).copy_position(call);
            let what = "the address of a variable that is taken before its life";
            insert_unsupported(module, &builder, what);
        }
    }
}

/// Whether an address may be used in a later life of its variable than the one in which this call took it.
fn outlives(flow: &Flow, call: Value) -> bool {
    let starts: FxHashSet<Value> = starts_of_life(variable_of(call)).into_iter().collect();
    let (mut seen, mut pending) = (FxHashSet::default(), vec![call]);
    while let Some(address) = pending.pop() {
        for user in users(address) {
            for index in positions(user, address) {
                if flow.passes(&starts, address, place_of_use(user, index)) {
                    return true;
                }
                match AddressUse::of(user, index) {
                    AddressUse::Looks => {}
                    AddressUse::Computes if seen.insert(user) => pending.push(user),
                    AddressUse::Computes => {}
                    AddressUse::Keeps => return true,
                }
            }
        }
    }
    false
}
