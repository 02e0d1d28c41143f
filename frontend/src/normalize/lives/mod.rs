//! Variables that live more than once, such as those of a loop's body: in each round another variable, and a pointer from an
//! earlier round points to none of them.
//!
//! Passes know only one variable, so [`keep_apart`] hides from them where its address is kept, until [`reveal`] sees
//! that the address is not used in a later life. What is left in the end gets objects that are alive in different lives ([`separate`]).

mod objects;

use abi::functions::{Effect, effect};
use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use self::objects::Lives;
use super::calls;
use super::comparisons::is_hidden;
use super::flow::Flow;
use super::share::{base, lifetime_mark, starts_of_life};
use crate::llvm::{Builder, Module, ModuleError, Value};

/// Functions that return the address that they get, one for each type: that of a variable as it lives now.
const THIS_LIFE: &str = "mazurka.this_life.";

/// Whether a call returns the address that it gets.
pub(super) fn is_this_life(call: Value) -> bool {
    call.is_call() && call.callee().name().starts_with(THIS_LIFE)
}

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
        for variable in variables(function) {
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

fn variables(function: Value) -> impl Iterator<Item = Value> {
    let is_variable = |value: &Value| value.opcode() == Some(InstructionOpcode::Alloca);
    function.body().into_iter().filter(is_variable)
}

/// The variable that an address is in.
fn variable_of(address: Value) -> Value {
    let mut base = base(address);
    while is_computed_again(base) {
        match base.operand(0) {
            Some(operand) => base = super::share::base(operand),
            None => break,
        }
    }
    base
}

/// Whether an instruction computes an address from its first operand alone. Optimising may compute it before the life of the
/// variable starts, so it is computed again where it is used.
fn is_computed_again(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            InstructionOpcode::GetElementPtr
                | InstructionOpcode::PtrToInt
                | InstructionOpcode::IntToPtr
                | InstructionOpcode::BitCast
        )
    )
}

/// Does not support addresses that are taken before any life of the variable: optimising knows only one.
fn refuse_early<'a>(module: &Module, flow: &Flow, calls: impl Iterator<Item = &'a Value>) {
    for &call in calls {
        let starts = starts_of_life(variable_of(call)).into_iter().collect();
        if flow.last_before(call, &starts).1 {
            let builder = Builder::before(module, call).copy_position(call);
            let what = "the address of a variable that is taken before its life";
            calls::insert_unsupported(module, &builder, what);
        }
    }
}

/// What an instruction does with an address.
enum Use {
    /// Nothing that outlasts it.
    Looks,
    /// Its result is an address that is computed from this one.
    Computes,
    /// The address is somewhere else afterwards.
    Keeps,
}

impl Use {
    fn of(user: Value, index: u32) -> Self {
        let is_accessed = user.operand(index) == user.accessed_pointer();
        match user.opcode() {
            Some(InstructionOpcode::Load | InstructionOpcode::ICmp) => Self::Looks,
            Some(InstructionOpcode::Store) if index == 1 => Self::Looks,
            Some(InstructionOpcode::AtomicRMW | InstructionOpcode::AtomicCmpXchg)
                if index == 0 && is_accessed =>
            {
                Self::Looks
            }
            Some(InstructionOpcode::Phi | InstructionOpcode::Select) => Self::Computes,
            Some(_) if is_computed_again(user) => Self::Computes,
            Some(InstructionOpcode::Call) if is_hidden(user) => Self::Computes,
            Some(InstructionOpcode::Call) if lifetime_mark(user).is_some() || looks(user) => {
                Self::Looks
            }
            Some(_) | None => Self::Keeps,
        }
    }
}

/// Whether a function of the library keeps no address that it gets.
fn looks(call: Value) -> bool {
    let callee = call.called_function();
    matches!(
        callee.and_then(|callee| effect(&callee.name())),
        Some(
            Effect::MutexLock
                | Effect::MutexTryLock
                | Effect::MutexUnlock
                | Effect::ThreadJoin
                | Effect::Free
        )
    )
}

/// The positions of an address among the operands of an instruction.
fn positions(user: Value, address: Value) -> impl Iterator<Item = u32> {
    let operands = (0..).zip(user.operands());
    operands.filter_map(move |(index, operand)| (operand == address).then_some(index))
}

/// The instructions that use a value, each once.
fn users(value: Value) -> Vec<Value> {
    let mut seen = FxHashSet::default();
    let users = value.users().into_iter();
    users.filter(|&user| seen.insert(user)).collect()
}

/// The uses that keep an address in a variable, with the position among the operands and the address.
fn kept_uses(variable: Value) -> Vec<(Value, u32, Value)> {
    let (mut kept, mut pending) = (Vec::new(), vec![variable]);
    while let Some(address) = pending.pop() {
        for user in users(address) {
            if is_computed_again(user) {
                pending.push(user);
                continue;
            }
            for index in positions(user, address) {
                if !matches!(Use::of(user, index), Use::Looks) {
                    kept.push((user, index, address));
                }
            }
        }
    }
    kept
}

/// The instruction before which an operand must be there.
fn place_of_use(user: Value, index: u32) -> Value {
    let incoming = match user.opcode() {
        Some(InstructionOpcode::Phi) => user.incoming().get(index as usize).copied(),
        Some(_) | None => None,
    };
    let from = incoming.and_then(|(_, block)| block.terminator());
    from.unwrap_or(user)
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
                match Use::of(user, index) {
                    Use::Looks => {}
                    Use::Computes if seen.insert(user) => pending.push(user),
                    Use::Computes => {}
                    Use::Keeps => return true,
                }
            }
        }
    }
    false
}
