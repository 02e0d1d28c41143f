//! Divisions. LLVM concludes from a division that it is defined: it takes `12 / x <= 12` and `x / x == 1` for true, and chooses
//! the result of a division by 0. A requirement before each division says so first.

use inkwell::values::InstructionOpcode;

use super::added;
use super::metadata_kinds::CHECKED_METADATA;
use super::requirement::{require, require_of_integers};
use super::unsupported::insert_unsupported;
use crate::llvm::{Builder, Module, Value};

/// Puts the requirement that nothing remains behind every division of which clang says so: that of the difference of two pointers by the
/// size of the elements.
pub(super) fn require_no_remainder(module: &Module) {
    for division in added::functions(module).flat_map(Value::body) {
        let is_signed = division.opcode() == Some(InstructionOpcode::SDiv);
        let operands = (division.operand(0), division.operand(1), division.next());
        if let (Some(dividend), Some(divisor), Some(behind)) = operands
            && is_signed
            && division.is_exact()
        {
            let builder = Builder::before(module, behind).copy_position(division);
            let product = builder.multiply(division, divisor);
            for even in builder.elements(module, builder.equal(product, dividend)) {
                require(
                    module,
                    &builder,
                    even,
                    "difference of pointers that are no multiple of the size apart",
                );
            }
        }
    }
}

/// Puts the requirement that it is defined before every division, of vectors element by element.
pub(super) fn make_requirements_explicit(module: &Module) {
    let checked = module.metadata_kind(CHECKED_METADATA);
    for division in added::functions(module).flat_map(Value::body) {
        let signed = match division.opcode() {
            Some(InstructionOpcode::UDiv | InstructionOpcode::URem) => false,
            Some(InstructionOpcode::SDiv | InstructionOpcode::SRem) => true,
            Some(_) | None => continue,
        };
        let builder = Builder::before(module, division).copy_position(division);
        let elements = |index| {
            division
                .operand(index)
                .map(|value| builder.elements(module, value))
        };
        let (Some(dividends), Some(divisors)) = (elements(0), elements(1)) else {
            continue;
        };
        for (dividend, divisor) in dividends.into_iter().zip(divisors) {
            require_defined(module, &builder, dividend, divisor, signed);
        }
        division.set_metadata_number(module, checked, 1);
    }
}

/// The divisor is not 0, and the quotient of signed numbers can be represented.
fn require_defined(
    module: &Module,
    builder: &Builder,
    dividend: Value,
    divisor: Value,
    signed: bool,
) {
    let integer = divisor.value_type_of();
    let Some(width) = integer.int_width() else {
        return;
    };
    if width > 128 {
        insert_unsupported(
            module,
            builder,
            "division of integers of more than 128 bits",
        );
        return;
    }
    let not_zero = builder.not_equal(divisor, integer.constant(0));
    require_of_integers(module, builder, not_zero, "division by zero");
    let all_bits = u128::MAX >> (128 - width);
    // Nothing is asked of a dividend that any value is fine for: it may be one that a compiler computes and does not use.
    if signed && divisor.integer().is_none_or(|divisor| divisor == all_bits) {
        let minus_one = integer.wide_constant(all_bits);
        let least = integer.wide_constant(1 << (width - 1));
        let fine = builder.or(
            builder.not_equal(divisor, minus_one),
            builder.not_equal(dividend, least),
        );
        require_of_integers(module, builder, fine, "signed division overflows");
    }
}
