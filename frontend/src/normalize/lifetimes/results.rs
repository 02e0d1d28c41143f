//! Variables that clang places in the memory of their function's result, because they are returned by value. In C they are
//! variables of their block, and the caller gets a copy. So the function gets memory of its own for its result, and copies it where it
//! returns; until then the function may use the variable of the caller. Each variable of a block whose address escapes gets memory of
//! its own, too, and is copied where its lifetime ends.

use inkwell::values::InstructionOpcode;
use rustc_hash::FxHashMap;

use super::crossings::is_return;
use super::variables::escapes;
use crate::llvm::{Builder, Module, Type, Value};

/// A variable of a block within a function, and where it is returned.
pub(super) struct ReturnedVariable {
    pub variable: Value,
    result: Value,
    size: Value,
}

/// What a function does with the memory of its result.
#[derive(Default)]
pub(super) struct ReturnedVariables {
    /// The variables of blocks.
    pub of_blocks: Vec<ReturnedVariable>,
    /// The function's own memory, which it copies where it returns.
    own: Vec<Value>,
    /// These copies, by the instructions that return.
    copies: FxHashMap<Value, Value>,
}

impl ReturnedVariables {
    /// Where the life of a variable ends that ends before this instruction. Variables of blocks end before the result is copied.
    pub fn end_of_life(&self, variables: &[Value], before: Value) -> Value {
        match self.copies.get(&before) {
            Some(&copy) if !variables.iter().any(|variable| self.own.contains(variable)) => copy,
            Some(_) | None => before,
        }
    }
}

impl ReturnedVariable {
    /// Copies the variable to where the result goes.
    pub fn copy(&self, builder: &Builder) {
        builder.copy_memory(self.result, self.variable, self.size);
    }
}

/// The memory where the result of a function goes.
struct ResultMemory {
    address: Value,
    kind: Type,
    alignment: u32,
    size: Value,
}

impl ResultMemory {
    fn new(module: &Module, address: Value, kind: Type, alignment: u32) -> Option<Self> {
        let size = module.size_type().constant(kind.size(module)?);
        Some(Self {
            address,
            kind,
            alignment,
            size,
        })
    }

    fn variable(&self, module: &Module, first: Value) -> Value {
        let builder = Builder::before(module, first);
        builder.variable(self.kind).with_alignment(self.alignment)
    }
}

/// Keeps variables apart from the result of a function. Those of its blocks are returned; those of the function itself
/// are copied where it returns.
pub(super) fn keep_apart(module: &Module, function: Value) -> ReturnedVariables {
    for (index, parameter) in (0..).zip(function.parameters()) {
        if function.result_type(index).is_some() {
            describe_directly(module, function, parameter);
        }
    }
    let body = function.body();
    let Some(&first) = body.first() else {
        return ReturnedVariables::default();
    };
    let mut all = ReturnedVariables::default();
    for (index, parameter) in (0..).zip(function.parameters()) {
        let alignment = function.parameter_alignment(index);
        let result = function.result_type(index);
        let place = result.and_then(|kind| ResultMemory::new(module, parameter, kind, alignment));
        let Some(mut place) = place else { continue };
        let mut inner = of_blocks(module, &body, &place);
        let own = place.variable(module, first);
        parameter.replace_all_uses(own);
        place.address = own;
        for &end in body.iter().filter(|i| is_return(**i)) {
            let builder = Builder::before(module, end).copy_position(end);
            let copy = builder.copy_memory(parameter, own, place.size);
            all.copies.insert(end, copy);
        }
        all.own.push(own);
        for part in &mut inner {
            part.result = place.address;
        }
        all.of_blocks.extend(inner);
    }
    // What clang calls the variable that holds a result which fits into registers.
    let in_registers = body.iter().filter(|variable| variable.name() == "retval");
    for &variable in in_registers {
        let kind = variable.allocated_type();
        let place = ResultMemory::new(module, variable, kind, variable.alignment());
        all.of_blocks.extend(
            place
                .map(|place| of_blocks(module, &body, &place))
                .into_iter()
                .flatten(),
        );
    }
    all
}

/// Lets debug information name the address of a result itself. For x86, clang keeps it in a variable for the debugger alone, and names
/// that.
fn describe_directly(module: &Module, function: Value, address: Value) {
    let is_kept = |user: &Value| {
        user.opcode() == Some(InstructionOpcode::Store) && user.operand(0) == Some(address)
    };
    for store in address.users().into_iter().filter(is_kept) {
        let Some(keeper) = store.accessed_pointer() else {
            continue;
        };
        if keeper.name() != "result.ptr" || keeper.users() != [store] {
            continue;
        }
        let body = function.body().into_iter();
        for declaration in body.filter(|value| value.is_debug_intrinsic()) {
            let described = declaration.described_variable();
            if described.is_some_and(|(at, _)| at.contains(&keeper)) {
                declaration.describe(module, address);
            }
        }
        store.erase();
    }
}

/// Gives each variable of a block memory of its own that lies where the result goes.
fn of_blocks(module: &Module, body: &[Value], place: &ResultMemory) -> Vec<ReturnedVariable> {
    let mut parts = Vec::new();
    let Some(&first) = body.first() else {
        return parts;
    };
    for &declaration in body.iter().filter(|i| i.is_debug_intrinsic()) {
        let described = declaration.described_variable();
        let scopes = declaration.scopes(module);
        if scopes.len() < 2 || !described.is_some_and(|(at, _)| at.contains(&place.address)) {
            continue;
        }
        let own = place.variable(module, first);
        declaration.describe(module, own);
        let users = place.address.users().into_iter();
        for user in users.filter(|user| user.scopes(module).starts_with(&scopes)) {
            for (index, operand) in (0..).zip(user.operands()) {
                if operand == place.address {
                    user.set_operand(index, own);
                }
            }
        }
        if escapes(own) {
            parts.push(ReturnedVariable {
                variable: own,
                result: place.address,
                size: place.size,
            });
        } else {
            own.replace_all_uses(place.address);
            own.erase();
        }
    }
    parts
}
