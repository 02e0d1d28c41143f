//! Functions that `qsort` and `bsearch` call to compare elements. C does not say which elements are compared, how often, nor where they lie
//! then. So a function that may show that, because it does more than look at the two elements, is not supported.

use inkwell::values::InstructionOpcode as Op;
use rustc_hash::FxHashSet;

use super::addresses::base;
use super::library_calls::of_library;
use super::lifetime_marks::lifetime_mark;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// Functions of the library that look at their arguments and do nothing else.
const PURE: [&str; 12] = [
    "abs",
    "labs",
    "llabs",
    "memcmp",
    "strcasecmp",
    "strcmp",
    "strcoll",
    "strlen",
    "strncasecmp",
    "strncmp",
    "tolower",
    "toupper",
];

/// Lets calls be unsupported whose comparing function may do more than compare.
pub(super) fn check(module: &Module) {
    let calls = of_library(module).into_iter().map(|(call, _)| call);
    let calls = calls.filter(|call| matches!(call.callee().name().as_str(), "qsort" | "bsearch"));
    for call in Vec::from_iter(calls) {
        let compare = call.arguments().pop();
        let mut seen = FxHashSet::default();
        if !compare.is_some_and(|compare| may_only_compare(module, compare, &mut seen)) {
            let builder = Builder::before(module, call).copy_position(call);
            let what =
                "a function for `qsort` or `bsearch` that does more than compare its arguments";
            insert_unsupported(module, &builder, what);
        }
    }
}

/// Whether all functions compare that a pointer may point to.
fn may_only_compare(module: &Module, compare: Value, seen: &mut FxHashSet<Value>) -> bool {
    if compare.is_function() {
        return only_compares(compare, seen);
    }
    let pointer = module.pointer_type();
    let own_type = Type::function(module.int_type(32), &[pointer, pointer]);
    let functions = module.functions().into_iter();
    let mut candidates = functions.filter(|function| {
        let mut users = function.users().into_iter();
        let is_called = |user: &Value| user.is_call() && !user.arguments().contains(function);
        function.value_type() == own_type && users.any(|user| !is_called(&user))
    });
    candidates.all(|function| only_compares(function, seen))
}

/// Whether a function, and what it calls, does nothing but look at memory that its arguments lead to.
fn only_compares(function: Value, seen: &mut FxHashSet<Value>) -> bool {
    if function.is_declaration() {
        return PURE.contains(&function.name().as_str());
    }
    !seen.insert(function)
        || (function.body().into_iter()).all(|instruction| is_harmless(instruction, seen))
}

fn is_harmless(instruction: Value, seen: &mut FxHashSet<Value>) -> bool {
    let is_own = |address: Value| base(address).opcode() == Some(Op::Alloca);
    let accessed = instruction.accessed_pointer();
    match instruction.opcode() {
        Some(Op::Load) => accessed.is_some_and(|address| {
            let is_plain = !instruction.is_volatile() && !instruction.is_atomic();
            is_own(address) || is_plain && !is_of_array(base(address))
        }),
        Some(Op::Store) => accessed.is_some_and(is_own),
        Some(Op::AtomicRMW | Op::AtomicCmpXchg | Op::Fence | Op::PtrToInt) => false,
        Some(Op::ICmp) => {
            let operands = instruction.operands();
            let is_number = |operand: &Value| !operand.value_type_of().is_pointer();
            operands
                .iter()
                .any(|operand| is_number(operand) || operand.is_zero())
        }
        Some(Op::Call) if lifetime_mark(instruction).is_some() => true,
        Some(Op::Call) if instruction.callee().name().starts_with("llvm.mem") => {
            instruction.operand(0).is_some_and(is_own)
        }
        Some(Op::Call) => {
            let callee = instruction.callee();
            callee.is_intrinsic() || callee.is_function() && only_compares(callee, seen)
        }
        Some(Op::Invoke) => false,
        Some(_) | None => true,
    }
}

/// Whether a variable may be, or have in it, an array that is sorted.
fn is_of_array(variable: Value) -> bool {
    variable.is_global_variable()
        && !variable.is_constant_global()
        && !matches!(variable.value_type().parts(), TypeParts::None)
}
