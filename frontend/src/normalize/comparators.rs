//! Functions that `qsort` and `bsearch` call to compare elements. C does not say which elements are compared, how often, nor where they lie
//! then. So a function that may show that, because it does more than look at the content of the two elements, is not supported.
//!
//! Pointers are followed through the local variables of the functions. Those that come from a parameter point to an element, and may be
//! used within its size; those that are read in an element may lead anywhere.

use inkwell::values::InstructionOpcode as Op;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::constant_offset;
use super::library_calls::of_library;
use super::lifetime_marks::lifetime_mark;
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Type, TypeParts, Value, ValueKind};

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
        let mut arguments = call.arguments();
        let (compare, size) = (arguments.pop(), arguments.pop());
        let size = size.and_then(Value::integer).unwrap_or_default();
        let mut comparison = Comparison {
            module,
            size: u64::try_from(size).unwrap_or_default(),
            seen: FxHashSet::default(),
        };
        if !compare.is_some_and(|compare| comparison.may_be_called(compare)) {
            let builder = Builder::before(module, call).copy_position(call);
            let what =
                "a function for `qsort` or `bsearch` that does more than compare its arguments";
            insert_unsupported(module, &builder, what);
        }
    }
}

/// Where a pointer comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Origin {
    /// It points to the start of an element.
    Element,
    /// It was read in an element, or in what such a pointer leads to.
    Content,
    /// Anything else, or several of these.
    Other,
}

/// The pointers that are stored in the local variables of a function.
type Stored = FxHashMap<Value, Vec<Value>>;

/// The origins that were asked for, none as long as that is a question.
type Known = FxHashMap<Value, Option<Origin>>;

/// A comparison of elements.
struct Comparison<'m> {
    module: &'m Module,
    /// How large an element is; 0 if that is not known.
    size: u64,
    seen: FxHashSet<Value>,
}

impl Comparison<'_> {
    /// Whether all functions compare that a pointer may point to.
    fn may_be_called(&mut self, compare: Value) -> bool {
        if compare.is_function() {
            return self.only_compares(compare);
        }
        let pointer = self.module.pointer_type();
        let own_type = Type::function(self.module.int_type(32), &[pointer, pointer]);
        let mut functions = self.module.functions();
        functions.retain(|function| {
            let mut users = function.users().into_iter();
            let is_called = |user: &Value| user.is_call() && !user.arguments().contains(function);
            function.value_type() == own_type && users.any(|user| !is_called(&user))
        });
        functions
            .into_iter()
            .all(|function| self.only_compares(function))
    }

    /// Whether a function, and what it calls, does nothing but look at elements.
    fn only_compares(&mut self, function: Value) -> bool {
        if function.is_declaration() {
            return PURE.contains(&function.name().as_str());
        }
        if !self.seen.insert(function) {
            return true;
        }
        let mut stored = Stored::default();
        for store in function.body() {
            if store.opcode() == Some(Op::Store)
                && let (Some(value), Some(address)) = (store.operand(0), store.accessed_pointer())
                && value.value_type_of().is_pointer()
                && let Some((variable, _)) = constant_offset(self.module, address)
            {
                stored.entry(variable).or_default().push(value);
            }
        }
        let body = function.body().into_iter();
        let mut body = body.map(|instruction| self.is_harmless(instruction, &stored));
        body.all(|is_harmless| is_harmless)
    }

    fn is_harmless(&mut self, instruction: Value, stored: &Stored) -> bool {
        let accessed = instruction.accessed_pointer();
        match instruction.opcode() {
            Some(Op::Load) => {
                accessed.is_some_and(|address| self.may_load(instruction, address, stored))
            }
            Some(Op::Store) => accessed.is_some_and(|address| self.is_own(address)),
            Some(Op::AtomicRMW | Op::AtomicCmpXchg | Op::Fence | Op::PtrToInt | Op::Invoke) => {
                false
            }
            Some(Op::ICmp) => {
                let operands = instruction.operands();
                let is_number = |operand: &Value| !operand.value_type_of().is_pointer();
                operands
                    .iter()
                    .any(|operand| is_number(operand) || operand.is_zero())
            }
            Some(Op::Call) if lifetime_mark(instruction).is_some() => true,
            Some(Op::Call) => self.may_call(instruction, stored),
            Some(_) | None => true,
        }
    }

    /// Whether an address is in a local variable.
    fn is_own(&self, address: Value) -> bool {
        let start = constant_offset(self.module, address);
        start.is_some_and(|(variable, _)| variable.is_local_variable())
    }

    fn may_load(&self, load: Value, address: Value, stored: &Stored) -> bool {
        let Some((start, offset)) = constant_offset(self.module, address) else {
            return self.origin(address, stored) == Origin::Content;
        };
        if start.is_local_variable() {
            return load.value_type_of().is_pointer() || !stored.contains_key(&start);
        }
        if load.is_volatile() || load.is_atomic() {
            return false;
        }
        if start.is_global_variable() {
            let is_scalar = matches!(start.value_type().parts(), TypeParts::None);
            return start.is_constant_global() || is_scalar && !load.value_type_of().is_pointer();
        }
        let size = load.value_type_of().size(self.module);
        match self.origin(start, stored) {
            Origin::Element => size.is_some_and(|size| offset.saturating_add(size) <= self.size),
            Origin::Content => true,
            Origin::Other => false,
        }
    }

    fn may_call(&mut self, call: Value, stored: &Stored) -> bool {
        let callee = call.callee();
        let name = callee.name();
        let passes = |argument: &Value| {
            !argument.value_type_of().is_pointer()
                || self.origin(*argument, stored) != Origin::Other
        };
        if name.starts_with("llvm.mem") {
            let [to, from] = [0, 1].map(|index| call.operand(index));
            let copies = |from: Value| match constant_offset(self.module, from) {
                Some((start, _)) if start.is_local_variable() => !stored.contains_key(&start),
                Some((start, _)) if start.is_global_variable() => start.is_constant_global(),
                Some((start, 0)) => self.origin(start, stored) != Origin::Other,
                Some(_) | None => self.origin(from, stored) == Origin::Content,
            };
            let is_set = name.starts_with("llvm.memset");
            return to.is_some_and(|to| self.is_own(to)) && (is_set || from.is_some_and(copies));
        }
        let is_known = callee.is_function() && !callee.is_intrinsic();
        if callee.is_intrinsic() {
            return !name.contains("trap");
        }
        is_known && call.arguments().iter().all(passes) && self.only_compares(callee)
    }

    /// Where a pointer comes from.
    fn origin(&self, pointer: Value, stored: &Stored) -> Origin {
        let found = self.find_origin(pointer, stored, &mut FxHashMap::default());
        found.unwrap_or(Origin::Other)
    }

    /// The same; none if that is the question already.
    fn find_origin(&self, pointer: Value, stored: &Stored, known: &mut Known) -> Option<Origin> {
        if let Some(&found) = known.get(&pointer) {
            return found;
        }
        known.insert(pointer, None);
        let start_of = |address| constant_offset(self.module, address);
        let found = match pointer.operation() {
            Some(Op::GetElementPtr) => {
                let start = pointer.operand(0);
                let start = start.and_then(|start| self.find_origin(start, stored, known));
                let is_start = start_of(pointer).is_some_and(|(_, offset)| offset == 0);
                match start {
                    Some(Origin::Element) if !is_start => Some(Origin::Other),
                    found => found,
                }
            }
            Some(Op::Phi) => {
                let incoming = pointer.incoming().into_iter().map(|(value, _)| value);
                self.join(incoming, stored, known)
            }
            Some(Op::Select) => {
                let chosen = pointer.operands().into_iter().skip(1);
                self.join(chosen, stored, known)
            }
            Some(Op::Load) => {
                let address = pointer.accessed_pointer().unwrap_or(pointer);
                let start = start_of(address).map_or(address, |(start, _)| start);
                match stored.get(&start) {
                    Some(values) => self.join(values.iter().copied(), stored, known),
                    // What is in a copy of an element was read there.
                    None if start.is_local_variable() => Some(Origin::Content),
                    None => match self.find_origin(start, stored, known) {
                        Some(Origin::Element) if start_of(address).is_none() => Some(Origin::Other),
                        Some(Origin::Element) => Some(Origin::Content),
                        found => found,
                    },
                }
            }
            None if pointer.kind() == ValueKind::LLVMArgumentValueKind => Some(Origin::Element),
            Some(_) | None => Some(Origin::Other),
        };
        known.insert(pointer, found);
        found
    }

    fn join(
        &self,
        values: impl Iterator<Item = Value>,
        stored: &Stored,
        known: &mut Known,
    ) -> Option<Origin> {
        let mut joined = None;
        for value in values {
            let found = self.find_origin(value, stored, known);
            joined = match (joined, found) {
                (None, one) | (one, None) => one,
                (Some(one), Some(other)) if one == other => Some(one),
                (Some(_), Some(_)) => Some(Origin::Other),
            };
        }
        joined
    }
}
