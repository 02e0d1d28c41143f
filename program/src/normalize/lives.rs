//! Variables that live more than once, such as those of a loop's body: in each round another variable, and a pointer from an
//! earlier round points to none of them.
//!
//! Passes know only one variable, so [`keep_apart`] hides from them where its address is kept, until [`reveal`] sees
//! that the address is not used in a later life. What is left in the end gets objects that are alive in different lives ([`separate`]).

use abi::functions::{Effect, effect};
use llvm_sys::{LLVMLinkage, LLVMOpcode};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls;
use super::comparisons::is_hidden;
use super::flow::Flow;
use super::share::{base, first_value_function, lifetime_mark, starts_of_life};
use crate::llvm::{Builder, Module, ModuleError, Value};

/// Functions that return the address that they get, one for each type: that of a variable as it lives now.
const THIS_LIFE: &str = "mazurka.this_life.";

/// A function that starts the life of one of two variables.
const START_ONE: &str = "mazurka.start_one";

/// A variable with more lives than this gets two objects, as if there were no limit.
const MOST_OBJECTS: usize = 16;

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
    let is_variable = |value: &Value| value.opcode() == Some(LLVMOpcode::LLVMAlloca);
    function.body().into_iter().filter(is_variable)
}

/// The variable that an address is in.
fn variable_of(address: Value) -> Value {
    let mut base = base(address);
    while is_computed_again(base) || is_this_life(base) {
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
            LLVMOpcode::LLVMGetElementPtr
                | LLVMOpcode::LLVMPtrToInt
                | LLVMOpcode::LLVMIntToPtr
                | LLVMOpcode::LLVMBitCast
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
            Some(LLVMOpcode::LLVMLoad | LLVMOpcode::LLVMICmp) => Self::Looks,
            Some(LLVMOpcode::LLVMStore) if index == 1 => Self::Looks,
            Some(LLVMOpcode::LLVMAtomicRMW | LLVMOpcode::LLVMAtomicCmpXchg)
                if index == 0 && is_accessed =>
            {
                Self::Looks
            }
            Some(LLVMOpcode::LLVMGetElementPtr | LLVMOpcode::LLVMPHI | LLVMOpcode::LLVMSelect) => {
                Self::Computes
            }
            Some(LLVMOpcode::LLVMCall) if is_hidden(user) => Self::Computes,
            Some(LLVMOpcode::LLVMCall) if lifetime_mark(user).is_some() || looks(user) => {
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
        Some(LLVMOpcode::LLVMPHI) => user.incoming().get(index as usize).copied(),
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

/// A variable whose lives are to be told apart.
struct Lives<'a> {
    module: &'a Module,
    variable: Value,
    /// The address of the object of this life.
    current: Value,
    /// For each start of a life, the objects that may live from there; the first, or the second once that one was chosen.
    objects: Vec<(Value, Vec<Value>)>,
    /// For each end of a life, the starts that may have been the last.
    ends: Vec<(Value, FxHashSet<Value>)>,
}

impl<'a> Lives<'a> {
    fn of(module: &'a Module, variable: Value, flow: &Flow) -> Self {
        let starts = starts_of_life(variable);
        let first = variable.block().function().body()[0];
        let builder = Builder::before(module, first);
        let another = || {
            let count = variable.operand(0).and_then(Value::integer);
            let count = count.and_then(|count| u64::try_from(count).ok());
            let object = builder
                .variable(variable.allocated_type().array(count.unwrap_or(1)))
                .with_alignment(variable.alignment());
            object.set_name(variable.name());
            object
        };
        let repeats = |&start: &Value| flow.comes_again(&[start]);
        let objects = if starts.len() > MOST_OBJECTS || starts.iter().any(repeats) {
            let both = vec![variable, another()];
            starts.iter().map(|&start| (start, both.clone())).collect()
        } else {
            let own = |&start: &Value| (start, vec![another()]);
            starts.iter().map(own).collect()
        };
        let all: FxHashSet<Value> = starts.iter().copied().collect();
        let is_end = |mark: &Value| lifetime_mark(*mark).is_some_and(|(_, starts)| !starts);
        let ends = users(variable).into_iter().filter(is_end);
        let ends = ends
            .map(|end| (end, flow.last_before(end, &all).0))
            .collect();
        Self {
            module,
            variable,
            current: builder.variable(module.pointer_type()),
            objects,
            ends,
        }
    }

    fn separate(&self) {
        self.use_current(self.variable, &mut Vec::new());
        let behind = self.variable.next().unwrap_or(self.variable);
        Builder::before(self.module, behind).store(self.variable, self.current);
        let mut chosen = None;
        for (start, objects) in &self.objects {
            let builder = Builder::before(self.module, *start).copy_position(*start);
            if let [only] = objects[..] {
                start.set_operand(1, only);
                builder.store(only, self.current);
            } else {
                let chosen = *chosen.get_or_insert_with(|| self.never_chosen());
                self.start_one(&builder, *start, objects, chosen);
                start.erase();
            }
        }
        for (end, starts) in &self.ends {
            let mut ended = FxHashSet::default();
            let objects = self
                .objects
                .iter()
                .filter(|(start, _)| starts.contains(start));
            for &object in objects.flat_map(|(_, objects)| objects) {
                if ended.insert(object) {
                    end.copy_before(*end).set_operand(1, object);
                }
            }
            end.erase();
        }
    }

    /// Computes an address in the variable anew from its object wherever it is used. The path leads from the variable to the address.
    fn use_current(&self, address: Value, path: &mut Vec<Value>) {
        for user in users(address) {
            if is_computed_again(user) {
                path.push(user);
                self.use_current(user, path);
                path.pop();
                user.erase();
            } else if lifetime_mark(user).is_none() {
                let mut values: FxHashMap<Value, Value> = FxHashMap::default();
                for index in positions(user, address) {
                    let place = place_of_use(user, index);
                    let value = || self.current_address(path, place, user);
                    let value = *values.entry(place).or_insert_with(value);
                    user.set_operand(index, value);
                }
            }
        }
    }

    /// The address at the end of a path in the object of this life.
    fn current_address(&self, path: &[Value], place: Value, user: Value) -> Value {
        let builder = Builder::before(self.module, place).copy_position(user);
        let mut address = builder.load(self.module.pointer_type(), self.current);
        for step in path {
            let step = step.copy_before(place);
            step.set_operand(0, address);
            address = step;
        }
        address
    }

    /// Lets all objects have the name of the variable.
    fn describe(&self) {
        for call in self.variable.block().function().body() {
            let described = call.is_debug_intrinsic().then(|| call.described_variable());
            let described = described.flatten();
            if !described.is_some_and(|(values, _)| values.contains(&self.variable)) {
                continue;
            }
            let objects = self.objects.iter().flat_map(|(_, objects)| objects);
            for &object in objects.filter(|&&object| object != self.variable) {
                call.copy_before(call).describe(self.module, object);
            }
        }
    }

    /// A variable that tells whether the second object was chosen.
    fn never_chosen(&self) -> Value {
        let bit = self.module.int_type(1);
        let builder = Builder::before(self.module, self.current);
        let chosen = builder.variable(bit);
        builder.store(bit.constant(0), chosen);
        chosen
    }

    /// Starts the life of the first of two objects, or from some time on always that of the second; when that is, is arbitrary. So an
    /// address of one life is a dead one in all later lives, whichever these are, if it was the last before that time.
    fn start_one(&self, builder: &Builder, start: Value, objects: &[Value], chosen: Value) {
        let bit = self.module.int_type(1);
        let arbitrary = builder.call(first_value_function(self.module, bit), &[]);
        let second = builder.or(builder.load(bit, chosen), arbitrary);
        builder.store(second, chosen);
        builder.call(
            self.start_one_function(start),
            &[second, objects[0], objects[1]],
        );
        builder.store(builder.select(second, objects[1], objects[0]), self.current);
    }

    /// A function of a condition and two variables: which to start if it does not hold, and if it does.
    fn start_one_function(&self, start: Value) -> Value {
        if let Some(function) = self.module.function(START_ONE) {
            return function;
        }
        let (bit, pointer) = (self.module.int_type(1), self.module.pointer_type());
        let nothing = self.module.void_type();
        let function = self
            .module
            .declare(START_ONE, nothing, &[bit, pointer, pointer]);
        function.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        let parameters = function.parameters();
        let [entry, first, second] =
            ["entry", "first", "second"].map(|name| function.append_block(self.module, name));
        Builder::at_end(self.module, entry).branch_if(parameters[0], second, first);
        for (block, object) in [(first, parameters[1]), (second, parameters[2])] {
            let builder = Builder::at_end(self.module, block);
            builder.call(start.callee(), &[start.operands()[0], object]);
            builder.return_value(None);
        }
        function
    }
}
