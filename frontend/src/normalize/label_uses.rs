//! What a program does with addresses of labels beside jumping there. Two labels may have one address, where the same code is behind them, or
//! nothing jumps to them; so comparisons with anything but null are not supported, nor is arithmetic.
//!
//! The addresses are followed through values and through variables that are used for nothing but accesses. Where one gets elsewhere, every
//! address that is loaded may be that of a label.

use inkwell::values::InstructionOpcode as Op;
use rustc_hash::FxHashSet;

use super::addresses::base;
use super::lifetime_marks::lifetime_mark;
use super::requirement::require;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// Lets code that looks at addresses of labels be undefined, or not supported.
pub(super) fn check_uses(module: &Module, labels: impl Iterator<Item = Value>) {
    let mut uses = Uses::default();
    uses.values.extend(labels);
    uses.pending.extend(&uses.values);
    while let Some(value) = uses.pending.pop() {
        for user in value.users() {
            uses.follow(value, user);
        }
    }
    for instruction in module.functions().into_iter().flat_map(Value::body) {
        let is_look =
            uses.looks.contains(&instruction) || uses.are_anywhere && looks_at_any(instruction);
        let builder = || Builder::before(module, instruction).copy_position(instruction);
        if is_look {
            let what = "comparison of, or arithmetic with, what may be the address of a label";
            insert_unsupported(module, &builder(), what);
        } else if uses.accesses.contains(&instruction) {
            let never = module.int_type(1).constant(0);
            let what = "access to the code behind a label";
            require(module, &builder(), never, what);
        }
    }
}

/// Where addresses of labels get.
#[derive(Default)]
struct Uses {
    /// Values that may be such an address, or have one in it.
    values: FxHashSet<Value>,
    /// Constants that have the number of one in them.
    with_numbers: FxHashSet<Value>,
    /// Variables that may hold one, and whether as a number.
    holders: FxHashSet<(Value, bool)>,
    /// Values whose users are not looked at yet.
    pending: Vec<Value>,
    /// Instructions whose result depends on such an address.
    looks: FxHashSet<Value>,
    /// Instructions that use such an address as one of memory.
    accesses: FxHashSet<Value>,
    /// Whether memory that is not followed may hold one.
    are_anywhere: bool,
}

impl Uses {
    fn add(&mut self, value: Value) {
        if self.values.insert(value) {
            self.pending.push(value);
        }
    }

    fn follow(&mut self, value: Value, user: Value) {
        let is_number = is_number(value) || self.with_numbers.contains(&value);
        if !user.is_instruction() {
            if is_number {
                self.with_numbers.insert(user);
            }
            return match user.is_global_variable() {
                true => self.hold(user, is_number),
                false => self.add(user),
            };
        }
        let accessed = user.accessed_pointer();
        match user.opcode() {
            _ if accessed == Some(value) || user.is_call() && user.callee() == value => {
                self.accesses.insert(user);
            }
            Some(Op::Store) => match accessed.map(base) {
                Some(variable) if variable.is_variable() => self.hold(variable, is_number),
                Some(_) | None => self.are_anywhere = true,
            },
            Some(Op::Phi | Op::Select | Op::Freeze | Op::GetElementPtr) => self.add(user),
            _ if is_number => {
                self.looks.insert(user);
            }
            Some(Op::ICmp) if user.operands().into_iter().any(Value::is_zero) => {}
            Some(Op::ICmp | Op::PtrToInt) => {
                self.looks.insert(user);
            }
            Some(Op::IndirectBr) => {}
            Some(_) | None if user.is_debug_intrinsic() => {}
            Some(_) | None => self.are_anywhere = true,
        }
    }

    /// A variable holds such an address, perhaps as a number. Numbers that are loaded from a variable of other types than pointers are taken
    /// for numbers that the program has put there.
    fn hold(&mut self, variable: Value, as_number: bool) {
        if !self.holders.insert((variable, as_number)) {
            return;
        }
        let has_numbers = as_number || has_only_pointers(variable.content_type());
        let (mut pending, mut seen) = (vec![variable], FxHashSet::default());
        while let Some(address) = pending.pop() {
            for user in address.users() {
                match user.operation() {
                    Some(Op::GetElementPtr | Op::Phi | Op::Select) => {
                        pending.extend(seen.insert(user).then_some(user));
                    }
                    Some(Op::Load) if has_numbers || !is_number(user) => self.add(user),
                    Some(Op::Load) => {}
                    Some(Op::AtomicCmpXchg | Op::AtomicRMW) => {
                        self.looks.insert(user);
                    }
                    Some(Op::Store) if user.operand(0) != Some(address) => {}
                    Some(Op::ICmp) => {}
                    Some(Op::Call) if user.is_debug_intrinsic() => {}
                    Some(Op::Call) if lifetime_mark(user).is_some() => {}
                    Some(Op::Call) if user.callee().name().starts_with("llvm.mem") => {
                        match user.operand(0).map(base) {
                            Some(copy) if copy.is_variable() => self.hold(copy, as_number),
                            Some(_) | None => self.are_anywhere = true,
                        }
                    }
                    Some(_) | None => self.are_anywhere = true,
                }
            }
        }
    }
}

fn is_number(value: Value) -> bool {
    value.value_type_of().int_width().is_some()
}

/// Whether nothing but pointers belongs into a variable of a type.
fn has_only_pointers(own_type: Type) -> bool {
    match own_type.parts() {
        TypeParts::Struct(fields) => fields.into_iter().all(has_only_pointers),
        TypeParts::Array(element, _) | TypeParts::Vector(element, _) => has_only_pointers(element),
        TypeParts::None => own_type.is_pointer(),
    }
}

/// Whether the result of an instruction depends on addresses that may be anything.
fn looks_at_any(user: Value) -> bool {
    let is_exchange = user.opcode() == Some(Op::AtomicCmpXchg);
    let is_anything = |operand: &Value| {
        let start = base(*operand);
        (operand.value_type_of().is_pointer() || is_exchange)
            && operand.integer().is_none()
            && !operand.is_zero()
            && !start.is_variable()
            && !start.is_function()
    };
    match user.opcode() {
        Some(Op::PtrToInt) => user.operands().iter().any(is_anything),
        Some(Op::ICmp) => user.operands().iter().all(is_anything),
        Some(Op::AtomicCmpXchg) => user.operands()[1..].iter().any(is_anything),
        Some(_) | None => false,
    }
}
