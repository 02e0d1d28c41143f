//! Floating-point arithmetic becomes arithmetic on the bits of numbers (`library/float.c`) where something else depends on it: a
//! comparison, or a conversion to an integer. Elsewhere it stays, and its results are read as arbitrary.
//!
//! LLVM's operations are those of IEEE 754 in the default environment. Exceptions stay: operations that LLVM may reorder or approximate,
//! functions for which denormal numbers count as 0, those of x86 without SSE2, which computes with more digits, and
//! `a * b + c` where the machine has an instruction for both and may round once. Of what stays, LLVM must not compute what another
//! machine computes otherwise: it rounds `a * b + c` once, and makes results positive that are no numbers.

use inkwell::values::InstructionOpcode;
use llvm_sys::LLVMRealPredicate;

use super::identity_calls::{self, UNKNOWN_NUMBER};
use crate::llvm::{Builder, Module, Type, Value};

/// Programs with more operations keep all of them: each becomes some hundred instructions.
const MOST: usize = 64;

/// Replaces the operations whose result is determined, if something depends on one; whether there are any. The operands of the others
/// are unknown to LLVM until [`reveal`].
pub(super) fn compute(module: &Module) -> bool {
    let functions = module.functions().into_iter();
    let (mut known, mut open) = (Vec::new(), Vec::new());
    for function in functions.filter(|function| !function.is_declaration()) {
        let target = Target::of(module, function);
        for instruction in function.body() {
            match target.operation(instruction) {
                Some(operation) => known.push((instruction, operation)),
                None if target.may_differ(instruction) => open.push(instruction),
                None => {}
            }
        }
    }
    let is_looked_at = |(_, operation): &(Value, Operation)| {
        matches!(operation, Operation::Compare | Operation::ToInteger)
    };
    let is_computed = known.len() <= MOST && known.iter().any(is_looked_at);
    if is_computed {
        for &(instruction, operation) in &known {
            let builder = Builder::before(module, instruction).copy_position(instruction);
            let numbers = Numbers {
                module,
                builder: &builder,
            };
            let result = numbers.result(instruction, operation);
            instruction.replace_all_uses(result);
            instruction.erase();
        }
    } else {
        open.extend(known.into_iter().map(|(instruction, _)| instruction));
    }
    for instruction in open {
        identity_calls::hide_operand(module, instruction, 0, UNKNOWN_NUMBER);
    }
    is_computed
}

/// Shows LLVM the operands again. No pass may compute with numbers after this.
pub(super) fn reveal(module: &Module) {
    identity_calls::remove(module, UNKNOWN_NUMBER);
}

/// An operation on floating-point numbers that has one result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operation {
    Add,
    Subtract,
    Multiply,
    Divide,
    /// The product of two numbers, rounded, plus a third one.
    MultiplyAdd,
    Compare,
    /// From one format to another.
    Convert,
    OfSigned,
    OfUnsigned,
    ToInteger,
}

impl Operation {
    fn operands(self, instruction: Value) -> Vec<Value> {
        if self == Self::MultiplyAdd {
            instruction.arguments()
        } else {
            instruction.operands()
        }
    }
}

/// What a function is compiled for.
#[derive(Clone, Copy, Debug)]
struct Target {
    /// Whether each operation has the result of IEEE 754.
    is_exact: bool,
    /// Whether the machine rounds the product in `a * b + c`.
    rounds_products: bool,
}

impl Target {
    fn of(module: &Module, function: Value) -> Self {
        let triple = module.triple();
        let features = function.string_attribute("target-features");
        let has = |feature: &str| {
            let features = features.as_deref().unwrap_or_default();
            features.split(',').any(|known| known == feature)
        };
        let is_64 = triple.starts_with("x86_64");
        let is_32 = triple.starts_with('i') && triple.get(2..4) == Some("86");
        // Processors of 64 bits have it, unless the function says otherwise.
        let has_sse2 = has("+sse2") || is_64 && features.is_none();
        let keeps_denormals = ["denormal-fp-math", "denormal-fp-math-f32"]
            .iter()
            .all(|name| function.string_attribute(name).is_none());
        let is_x86 = is_64 || is_32;
        Self {
            is_exact: keeps_denormals && (has_sse2 || !is_x86),
            rounds_products: is_x86 && features.is_some() && !has("+fma") && !has("+fma4"),
        }
    }

    /// Whether another machine, or this one, may have another result than LLVM computes.
    fn may_differ(self, instruction: Value) -> bool {
        use InstructionOpcode as Op;
        match instruction.opcode() {
            Some(Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::FRem) => {
                !self.is_exact
                    || instruction.has_fast_math_flags()
                    || !has_long_precision(instruction.value_type_of())
            }
            Some(Op::FPExt | Op::FPTrunc | Op::SIToFP | Op::UIToFP | Op::FPToSI | Op::FPToUI) => {
                !self.is_exact
            }
            Some(Op::FCmp) => !self.is_exact || instruction.has_fast_math_flags(),
            Some(Op::Call) => is_multiply_add(instruction) || is_approximate(instruction),
            Some(_) | None => false,
        }
    }

    fn operation(self, instruction: Value) -> Option<Operation> {
        use InstructionOpcode as Op;
        let operation = match instruction.opcode() {
            Some(Op::FAdd) => Operation::Add,
            Some(Op::FSub) => Operation::Subtract,
            Some(Op::FMul) => Operation::Multiply,
            Some(Op::FDiv) => Operation::Divide,
            Some(Op::FCmp) => Operation::Compare,
            Some(Op::FPExt | Op::FPTrunc) => Operation::Convert,
            Some(Op::SIToFP) => Operation::OfSigned,
            Some(Op::UIToFP) => Operation::OfUnsigned,
            Some(Op::FPToSI | Op::FPToUI) => Operation::ToInteger,
            Some(Op::Call) if self.rounds_products && is_multiply_add(instruction) => {
                Operation::MultiplyAdd
            }
            Some(_) | None => return None,
        };
        let is_known = |value: Value| {
            let integer = value.value_type_of().int_width();
            format(value.value_type_of()).is_some() || integer.is_some_and(|width| width <= 64)
        };
        let mut values = operation.operands(instruction);
        values.push(instruction);
        let is_strict = !instruction.has_fast_math_flags();
        (self.is_exact && is_strict && values.into_iter().all(is_known)).then_some(operation)
    }
}

fn is_multiply_add(call: Value) -> bool {
    let callee = call.called_function();
    callee.is_some_and(|callee| callee.name().starts_with("llvm.fmuladd."))
}

/// Whether a call is one of a function whose last digits differ from one library to the next.
fn is_approximate(call: Value) -> bool {
    const APPROXIMATE: [&str; 9] = [
        "cos", "exp", "exp2", "log", "log10", "log2", "pow", "powi", "sin",
    ];
    let callee = call.called_function().map(|callee| callee.name());
    let intrinsic = callee
        .as_deref()
        .and_then(|name| name.strip_prefix("llvm."));
    let name = intrinsic.and_then(|name| name.split('.').next());
    name.is_some_and(|name| APPROXIMATE.contains(&name))
}

/// Whether a type is one of numbers of more digits than `double` has, which no machine computes otherwise.
fn has_long_precision(real: Type) -> bool {
    let precision = real.precision();
    precision.is_some_and(|digits| digits > f64::MANTISSA_DIGITS)
}

/// A format of floating-point numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// 32 bits.
    Short,
    /// 64 bits.
    Long,
}

fn format(value_type: Type) -> Option<Format> {
    match value_type.precision()? {
        f32::MANTISSA_DIGITS => Some(Format::Short),
        f64::MANTISSA_DIGITS => Some(Format::Long),
        _ => None,
    }
}

/// Writes operations on the bits of numbers of 64 bits. A sum, difference, product or quotient of two numbers of 32 bits, rounded to 64
/// bits and then to 32, is the one that is rounded once.
struct Numbers<'a> {
    module: &'a Module,
    builder: &'a Builder,
}

impl Numbers<'_> {
    fn result(&self, instruction: Value, operation: Operation) -> Value {
        let operands = operation.operands(instruction);
        let result = instruction.value_type_of();
        let number = |index: usize| self.long(operands[index]);
        match operation {
            Operation::Add => self.shortened(self.arithmetic("add", number(0), number(1)), result),
            Operation::Subtract => {
                let negated = self.negated(number(1));
                self.shortened(self.arithmetic("add", number(0), negated), result)
            }
            Operation::Multiply => {
                self.shortened(self.arithmetic("multiply", number(0), number(1)), result)
            }
            Operation::Divide => {
                self.shortened(self.arithmetic("divide", number(0), number(1)), result)
            }
            Operation::MultiplyAdd => {
                let product = self.arithmetic("multiply", number(0), number(1));
                let product = self.long(self.shortened(product, result));
                self.shortened(self.arithmetic("add", product, number(2)), result)
            }
            Operation::Compare => self.compared(instruction, number(0), number(1)),
            Operation::Convert => {
                let name = "__mazurka_converted_number";
                let converted = self.call(name, self.bits(64), &[number(0)]);
                self.shortened(converted, result)
            }
            Operation::OfSigned | Operation::OfUnsigned => {
                self.of_integer(operands[0], operation == Operation::OfSigned, result)
            }
            Operation::ToInteger => {
                let integer = self.call("__mazurka_integer_of", self.bits(64), &[number(0)]);
                self.builder.resize(integer, result)
            }
        }
    }

    fn bits(&self, width: u32) -> Type {
        self.module.int_type(width)
    }

    fn call(&self, name: &str, result: Type, arguments: &[Value]) -> Value {
        self.builder
            .call_named(self.module, name, result, arguments)
    }

    fn arithmetic(&self, name: &str, one: Value, other: Value) -> Value {
        let name = format!("__mazurka_{name}_numbers");
        self.call(&name, self.bits(64), &[one, other])
    }

    /// The bits of a number in 64 bits.
    fn long(&self, number: Value) -> Value {
        match format(number.value_type_of()) {
            Some(Format::Short) => {
                let bits = self.builder.bit_cast(number, self.bits(32));
                self.call("__mazurka_long_number", self.bits(64), &[bits])
            }
            Some(Format::Long) | None => self.builder.bit_cast(number, self.bits(64)),
        }
    }

    /// A number of a type from its bits in 64 bits.
    fn shortened(&self, bits: Value, real: Type) -> Value {
        let bits = match format(real) {
            Some(Format::Short) => self.call("__mazurka_short_number", self.bits(32), &[bits]),
            Some(Format::Long) | None => bits,
        };
        self.builder.bit_cast(bits, real)
    }

    fn negated(&self, bits: Value) -> Value {
        let sign = self.bits(64).constant(1 << 63);
        self.builder.xor(bits, sign)
    }

    fn of_integer(&self, integer: Value, is_signed: bool, real: Type) -> Value {
        let builder = self.builder;
        let zero = self.bits(64).constant(0);
        let (is_negative, magnitude) = if is_signed {
            let wide = builder.resize_signed(integer, self.bits(64));
            let is_negative = builder.resize(builder.shift_right(wide, 63), self.bits(1));
            let negated = builder.subtract(zero, wide);
            (is_negative, builder.select(is_negative, negated, wide))
        } else {
            let wide = builder.resize(integer, self.bits(64));
            (self.bits(1).constant(0), wide)
        };
        let (name, width) = match format(real) {
            Some(Format::Short) => ("__mazurka_short_number_of", 32),
            Some(Format::Long) | None => ("__mazurka_long_number_of", 64),
        };
        let bits = self.call(name, self.bits(width), &[is_negative, magnitude]);
        builder.bit_cast(bits, real)
    }

    /// The truth of a comparison: one of the outcomes under which it holds is the case.
    fn compared(&self, comparison: Value, one: Value, other: Value) -> Value {
        let int = self.bits(32);
        let outcome = self.call("__mazurka_compare_numbers", int, &[one, other]);
        let holds = int.constant(outcomes(comparison.real_predicate()));
        let met = self.builder.and(outcome, holds);
        self.builder.not_equal(met, int.constant(0))
    }
}

/// The outcomes of `__mazurka_compare_numbers` under which a predicate holds.
fn outcomes(predicate: LLVMRealPredicate) -> u64 {
    use LLVMRealPredicate as P;
    const LESS: u64 = 1;
    const EQUAL: u64 = 2;
    const GREATER: u64 = 4;
    const UNORDERED: u64 = 8;
    match predicate {
        P::LLVMRealPredicateFalse => 0,
        P::LLVMRealOEQ => EQUAL,
        P::LLVMRealOGT => GREATER,
        P::LLVMRealOGE => GREATER | EQUAL,
        P::LLVMRealOLT => LESS,
        P::LLVMRealOLE => LESS | EQUAL,
        P::LLVMRealONE => LESS | GREATER,
        P::LLVMRealORD => LESS | EQUAL | GREATER,
        P::LLVMRealUNO => UNORDERED,
        P::LLVMRealUEQ => UNORDERED | EQUAL,
        P::LLVMRealUGT => UNORDERED | GREATER,
        P::LLVMRealUGE => UNORDERED | GREATER | EQUAL,
        P::LLVMRealULT => UNORDERED | LESS,
        P::LLVMRealULE => UNORDERED | LESS | EQUAL,
        P::LLVMRealUNE => UNORDERED | LESS | GREATER,
        P::LLVMRealPredicateTrue => LESS | EQUAL | GREATER | UNORDERED,
    }
}
