//! Requirements at the uses of values that LLVM calls poison: results of shifts by the width or more, vector elements
//! that do not exist, pointers that are moved far out of their objects, and the values that clang computes for
//! constants like `1 / 0` and `1 << 40`.
//!
//! C gives these values no meaning, and LLVM replaces them by values of its choice. So the path is undefined where such
//! a value is used: stored, branched on, or passed on. It is not undefined where the value is computed, because a
//! compiler that optimises computes `1 << n` before the test `n < 32`, and then selects another value.

use inkwell::values::InstructionOpcode as Op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::added;
use super::moves;
use super::requirement::{require, require_of_integers};
use super::unsupported::insert_unsupported;
use crate::llvm::{Block, Builder, Module, Type, TypeParts, Value};

/// Puts the requirement that no operand is poison before every instruction that uses it.
pub(super) fn make_requirements_explicit(module: &Module) {
    for function in added::functions(module) {
        let body: Vec<Value> = function
            .reverse_post_order()
            .into_iter()
            .flat_map(Block::instructions)
            .collect();
        let is_wide = |value: &Value| {
            let width = value.value_type_of().int_width();
            is_shift(*value) && width.is_some_and(|width| width > 128)
        };
        for shift in body.iter().copied().filter(is_wide) {
            let builder = Builder::before(module, shift).copy_position(shift);
            insert_unsupported(module, &builder, "shift of integers of more than 128 bits");
        }
        let affected = affected(module, &body);
        let unused: Vec<(Value, Value)> = body
            .iter()
            .filter(|value| affected.contains(value) && value.users().is_empty())
            .filter_map(|value| Some((*value, place_behind(*value)?)))
            .collect();
        let mut poison = Poison {
            module,
            fine: FxHashMap::default(),
        };
        poison.compute(&body, &affected);
        for (value, place) in unused {
            poison.require(value, place);
        }
        for instruction in body.into_iter().filter(|value| !passes_on(*value)) {
            let used = (0..).zip(instruction.operands());
            for (_, operand) in used.filter(|(index, _)| !is_ignored(instruction, *index)) {
                poison.require(operand, instruction);
            }
        }
    }
}

/// Where something can be inserted that comes after a value is computed.
fn place_behind(value: Value) -> Option<Value> {
    std::iter::successors(value.next(), |place| place.next())
        .find(|place| place.opcode() != Some(Op::Phi))
}

/// The instructions whose result may be poison: that make it, or pass it on.
fn affected(module: &Module, body: &[Value]) -> FxHashSet<Value> {
    let makes = |instruction: &Value| {
        let used = (0..).zip(instruction.operands());
        checked_index(*instruction).is_some()
            || moves::far(module, *instruction).is_some()
            || used
                .filter(|(index, _)| !is_filled_in(*instruction, *index))
                .any(|(_, operand)| contains_poison(operand))
    };
    let mut pending: Vec<Value> = body
        .iter()
        .copied()
        .filter(|instruction| passes_on(*instruction) && makes(instruction))
        .collect();
    let mut affected = FxHashSet::default();
    while let Some(value) = pending.pop() {
        if affected.insert(value) {
            pending.extend(value.users().into_iter().filter(|user| passes_on(*user)));
        }
    }
    affected
}

/// Conditions under which values are not poison, in one function.
struct Poison<'m> {
    module: &'m Module,
    /// One bit for each instruction that may be poison.
    fine: FxHashMap<Value, Value>,
}

impl Poison<'_> {
    /// Computes the conditions of the affected instructions, which come in an order that has definitions before uses.
    fn compute(&mut self, body: &[Value], affected: &FxHashSet<Value>) {
        let affected = || {
            body.iter()
                .copied()
                .filter(|value| affected.contains(value))
        };
        let is_phi = |value: &Value| value.opcode() == Some(Op::Phi);
        for phi in affected().filter(is_phi) {
            let fine = Builder::before(self.module, phi).phi(self.module.int_type(1));
            self.fine.insert(phi, fine);
        }
        for value in affected().filter(|value| !is_phi(value)) {
            if let Some(next) = value.next() {
                let builder = Builder::before(self.module, next).copy_position(value);
                let fine = self.condition(&builder, value);
                self.fine.insert(value, fine);
            }
        }
        for phi in affected().filter(is_phi) {
            for (value, block) in phi.incoming() {
                let fine = self.fine(value).unwrap_or_else(|| self.bit(true));
                self.fine[&phi].add_incoming(fine, block);
            }
        }
    }

    fn bit(&self, value: bool) -> Value {
        self.module.int_type(1).constant(value.into())
    }

    /// The condition under which an operand is not poison; `None` if it never is.
    fn fine(&self, operand: Value) -> Option<Value> {
        if operand.is_constant() {
            contains_poison(operand).then(|| self.bit(false))
        } else {
            self.fine.get(&operand).copied()
        }
    }

    /// The condition under which the result of an instruction is not poison.
    fn condition(&self, builder: &Builder, instruction: Value) -> Value {
        let operands = instruction.operands();
        if let (Some(Op::Select), [chosen_by, then, otherwise]) =
            (instruction.opcode(), &operands[..])
            && chosen_by.value_type_of().int_width() == Some(1)
        {
            let [then, otherwise] =
                [then, otherwise].map(|arm| self.fine(*arm).unwrap_or_else(|| self.bit(true)));
            let chosen = builder.select(*chosen_by, then, otherwise);
            return match self.fine(*chosen_by) {
                Some(fine) => self.both(builder, fine, chosen),
                None => chosen,
            };
        }
        let used = (0..).zip(operands);
        let mut fine = used
            .filter(|(index, _)| !is_filled_in(instruction, *index))
            .filter_map(|(_, operand)| self.fine(operand))
            .fold(self.bit(true), |all, fine| self.both(builder, all, fine));
        if let Some((index, limit)) = checked_index(instruction) {
            for index in builder.elements(self.module, index) {
                let inside = builder.unsigned_less(index, index.value_type_of().constant(limit));
                fine = self.both(builder, fine, inside);
            }
        }
        if let Some(moved) = moves::far(self.module, instruction) {
            for near in moves::stays_near(self.module, builder, &moved) {
                fine = self.both(builder, fine, near);
            }
        }
        fine
    }

    /// Conjunction that is false if the first is, even if the second is poison then.
    fn both(&self, builder: &Builder, first: Value, second: Value) -> Value {
        if first.integer() == Some(1) {
            second
        } else {
            builder.select(first, second, self.bit(false))
        }
    }

    /// Before this place the path is undefined if the operand is poison.
    fn require(&self, operand: Value, place: Value) {
        if let Some(fine) = self.fine(operand) {
            let origin = Some(operand).filter(|operand| operand.is_instruction());
            let builder =
                Builder::before(self.module, place).copy_position(origin.unwrap_or(place));
            let cause = cause(self.module, operand);
            let require = match cause {
                FAR_SHIFT => require_of_integers,
                _ => require,
            };
            require(self.module, &builder, fine, cause);
        }
    }
}

const FAR_SHIFT: &str = "shift by the width of the type or more";

/// What makes a value poison, in the user's words.
fn cause(module: &Module, value: Value) -> &'static str {
    let (mut seen, mut pending) = (FxHashSet::default(), vec![value]);
    while let Some(value) = pending.pop() {
        if is_shift(value) && checked_index(value).is_some() {
            return FAR_SHIFT;
        }
        if moves::far(module, value).is_some() {
            return "pointer arithmetic out of all objects";
        }
        if value.is_instruction() && passes_on(value) && seen.insert(value) {
            pending.extend(value.operands());
        }
    }
    "use of a value without meaning, as of `1 / 0` in a constant"
}

/// Whether an operand is an argument that the called function does not look at: compilers that optimise pass poison there.
fn is_ignored(instruction: Value, index: usize) -> bool {
    let called = || {
        instruction
            .called_function()
            .filter(|callee| !callee.is_declaration())
    };
    let parameter = |callee: Value| callee.parameters().get(index).copied();
    instruction.is_call()
        && called()
            .and_then(parameter)
            .is_some_and(|parameter| parameter.users().is_empty())
}

/// Whether an instruction has a poison result for poison operands, and else does nothing with them.
fn passes_on(instruction: Value) -> bool {
    matches!(
        instruction.opcode(),
        Some(
            Op::Add
                | Op::Sub
                | Op::Mul
                | Op::UDiv
                | Op::SDiv
                | Op::URem
                | Op::SRem
                | Op::Shl
                | Op::LShr
                | Op::AShr
                | Op::And
                | Op::Or
                | Op::Xor
                | Op::Trunc
                | Op::ZExt
                | Op::SExt
                | Op::PtrToInt
                | Op::IntToPtr
                | Op::BitCast
                | Op::ICmp
                | Op::GetElementPtr
                | Op::Select
                | Op::Phi
                | Op::ExtractElement
                | Op::InsertElement
                | Op::ShuffleVector
                | Op::ExtractValue
                | Op::InsertValue
        )
    )
}

fn is_shift(instruction: Value) -> bool {
    matches!(instruction.opcode(), Some(Op::Shl | Op::LShr | Op::AShr))
}

/// A shift amount or the index of an element that may be too large, and the least value that is.
fn checked_index(instruction: Value) -> Option<(Value, u64)> {
    let vector = instruction.operand(0)?.value_type_of();
    let (index, limit) = match instruction.opcode() {
        Some(_) if is_shift(instruction) => {
            let width = element_type(vector)
                .int_width()
                .filter(|width| *width <= 128)?;
            (instruction.operand(1)?, u64::from(width))
        }
        Some(Op::ExtractElement) => (instruction.operand(1)?, element_count(vector)?),
        Some(Op::InsertElement) => (instruction.operand(2)?, element_count(vector)?),
        Some(_) | None => return None,
    };
    let is_inside = |index: Value| index.integer().is_some_and(|index| index < limit.into());
    let inside = match element_count(index.value_type_of()) {
        None => is_inside(index),
        Some(count) => (0..count).all(|position| {
            let position = u32::try_from(position).unwrap_or(u32::MAX);
            index.is_constant() && index.element(position).is_some_and(is_inside)
        }),
    };
    (!inside).then_some((index, limit))
}

fn element_count(vector: Type) -> Option<u64> {
    match vector.parts() {
        TypeParts::Vector(_, count) => Some(count),
        TypeParts::Struct(_) | TypeParts::Array(..) | TypeParts::None => None,
    }
}

fn element_type(vector: Type) -> Type {
    match vector.parts() {
        TypeParts::Vector(element, _) => element,
        TypeParts::Struct(_) | TypeParts::Array(..) | TypeParts::None => vector,
    }
}

/// Whether an operand is an aggregate of which only some parts are given: the others are poison, and not used.
fn is_filled_in(instruction: Value, index: u32) -> bool {
    let fills = match instruction.opcode() {
        Some(Op::InsertElement | Op::InsertValue) => index == 0,
        Some(Op::ShuffleVector) => true,
        Some(_) | None => false,
    };
    fills && instruction.operand(index).is_some_and(Value::is_constant)
}

/// Whether a constant is poison or has a poison part.
fn contains_poison(constant: Value) -> bool {
    let mut pending = vec![constant];
    while let Some(part) = pending.pop() {
        if part.is_poison() {
            return true;
        }
        if part.is_compound_constant() {
            pending.extend(part.operands());
        }
    }
    false
}
