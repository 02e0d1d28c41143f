//! Conversions of floating-point numbers to integers. LLVM chooses the result of a conversion that is undefined; a requirement
//! before each conversion says so first.

use inkwell::values::InstructionOpcode;

use super::added;
use super::requirement::require;
use crate::llvm::{Builder, Module, Value};

/// Puts the requirement that the integer type can hold the number before every conversion of a floating-point number.
pub(super) fn make_requirements_explicit(module: &Module) {
    for conversion in added::functions(module).flat_map(Value::body) {
        let signed = match conversion.opcode() {
            Some(InstructionOpcode::FPToSI) => true,
            Some(InstructionOpcode::FPToUI) => false,
            Some(_) | None => continue,
        };
        let width = conversion.value_type_of().int_width();
        let (Some(number), Some(width)) = (conversion.operand(0), width) else {
            continue;
        };
        let real = number.value_type_of();
        let Some(precision) = real.precision() else {
            continue;
        };
        let digits = if signed { width - 1 } else { width };
        let upper = f64::from(digits).exp2();
        let least = if signed { -upper } else { 0.0 };
        // What is less than the least integer by a fraction fits, too, if there are such numbers.
        let has_fractions = !signed || digits < precision.min(f64::MANTISSA_DIGITS);
        let lower = if has_fractions { least - 1.0 } else { least };
        let builder = Builder::before(module, conversion).copy_position(conversion);
        let fits = builder.between(
            real.real_constant(lower),
            !has_fractions,
            number,
            real.real_constant(upper),
        );
        require(
            module,
            &builder,
            fits,
            "conversion of a number that the integer type cannot hold",
        );
    }
}
