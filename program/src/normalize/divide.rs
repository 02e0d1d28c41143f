//! Saying where divisions are undefined, before LLVM concludes that they are not: it takes `12 / x <= 12` and `x / x == 1`
//! for true, and a division by 0 for a value of its choice.

use abi::markers::UNDEFINED_UNLESS;
use llvm_sys::LLVMOpcode;

use crate::llvm::{Builder, Module, Value};

/// Marks a division with the requirement before it.
pub(crate) const CHECKED_METADATA: &str = "mazurka.checked";

/// Puts the requirement that it is defined before every division of numbers; vectors are left to `read`.
pub(super) fn make_requirements_explicit(module: &Module) {
    let checked = module.metadata_kind(CHECKED_METADATA);
    for division in module.functions().into_iter().flat_map(Value::body) {
        let signed = match division.opcode() {
            Some(LLVMOpcode::LLVMUDiv | LLVMOpcode::LLVMURem) => false,
            Some(LLVMOpcode::LLVMSDiv | LLVMOpcode::LLVMSRem) => true,
            Some(_) | None => continue,
        };
        let (Some(dividend), Some(divisor), Some(width)) = (
            division.operand(0),
            division.operand(1),
            division.value_type_of().int_width(),
        ) else {
            continue;
        };
        if width > 128 {
            continue;
        }
        let builder = Builder::before(module, division).copy_position(division);
        let integer = division.value_type_of();
        require(
            module,
            &builder,
            builder.not_equal(divisor, integer.constant(0)),
        );
        if signed {
            let minus_one = integer.wide_constant(u128::MAX >> (128 - width));
            let least = integer.wide_constant(1 << (width - 1));
            let fine = builder.or(
                builder.not_equal(divisor, minus_one),
                builder.not_equal(dividend, least),
            );
            require(module, &builder, fine);
        }
        division.set_metadata_number(module, checked, 1);
    }
}

/// The path is undefined from here unless the condition holds.
pub(super) fn require(module: &Module, builder: &Builder, condition: Value) {
    if condition.integer() != Some(1) {
        builder.call_named(module, UNDEFINED_UNLESS, module.void_type(), &[condition]);
    }
}
