//! Variables that clang places in the memory of their function's result, because they are returned by value. In C they are
//! variables of their block, and the caller gets a copy. So the function gets memory of its own for its result, and copies it where it
//! returns; until then the function may use the variable of the caller. Each variable of a block whose address escapes gets memory of
//! its own, too, and is copied where its lifetime ends.

use super::crossings::is_return;
use super::variables::escapes;
use crate::llvm::{Builder, Module, Type, Value};

/// A variable of a block within a function, and where it is returned.
pub(super) struct ReturnedVariable {
    pub variable: Value,
    result: Value,
    size: Value,
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
        let size = module.int_type(64).constant(kind.size(module)?);
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
pub(super) fn keep_apart(module: &Module, function: Value) -> Vec<ReturnedVariable> {
    let body = function.body();
    let Some(&first) = body.first() else {
        return Vec::new();
    };
    let mut parts = Vec::new();
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
            builder.copy_memory(parameter, own, place.size);
        }
        for part in &mut inner {
            part.result = place.address;
        }
        parts.extend(inner);
    }
    // What clang calls the variable that holds a result which fits into registers.
    let in_registers = body.iter().filter(|variable| variable.name() == "retval");
    for &variable in in_registers {
        let kind = variable.allocated_type();
        let place = ResultMemory::new(module, variable, kind, variable.alignment());
        parts.extend(
            place
                .map(|place| of_blocks(module, &body, &place))
                .into_iter()
                .flatten(),
        );
    }
    parts
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
