//! The operands of inline assembly, as LLVM's constraints say.

use super::text::Flag;
use crate::llvm::{Builder, Module, Type, TypeParts, Value};

/// An operand that the text of inline assembly names by its position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    /// Where the operand lies, if it is a place in memory.
    pub(super) pointer: Option<Value>,
    /// What a register holds, if that is known.
    pub(super) value: Option<Value>,
    /// Whether it is the accumulator.
    pub(super) is_accumulator: bool,
    /// Whether no input shares its register.
    pub(super) is_early: bool,
    /// The position among the results of the call, if the register is one.
    result: Option<u32>,
    /// The flag that the result is in the end, if it is one.
    pub(super) flag: Option<Flag>,
}

/// The operands of a call of inline assembly; `None` if a constraint is not known.
pub(super) fn operands(call: Value) -> Option<Vec<Operand>> {
    let constraints = String::from_utf8(call.callee().assembly_constraints()).ok()?;
    let mut arguments = call.arguments().into_iter();
    let mut operands: Vec<Operand> = Vec::new();
    let mut results = 0;
    for constraint in constraints.split(',').filter(|text| !text.is_empty()) {
        if constraint.starts_with('!') {
            // A label: the assembly jumps.
            return None;
        }
        if constraint.starts_with('~') {
            // What is clobbered is no operand.
            continue;
        }
        let (is_output, code) = match constraint.strip_prefix('=') {
            Some(code) => (true, code.trim_start_matches('&')),
            None => (false, constraint),
        };
        let (is_indirect, code) = match code.strip_prefix('*') {
            Some(code) => (true, code),
            None => (false, code),
        };
        let argument = if is_indirect || !is_output {
            Some(arguments.next()?)
        } else {
            None
        };
        let tied = code.parse::<usize>().ok();
        if let Some(tied) = tied {
            let output = operands
                .get_mut(tied)
                .filter(|output| output.result.is_some())?;
            output.value = argument;
        }
        let flag = match code
            .strip_prefix("{@cc")
            .and_then(|name| name.strip_suffix('}'))
        {
            Some(name) => Some(Flag::named(name)?),
            None => None,
        };
        let is_result = is_output && !is_indirect;
        operands.push(Operand {
            pointer: argument.filter(|_| is_indirect),
            // A register that is an output, too, is named as that.
            value: argument.filter(|_| !is_indirect && tied.is_none()),
            is_accumulator: matches!(code, "{ax}" | "{eax}" | "{rax}" | "{al}") && is_output,
            result: is_result.then_some(results),
            is_early: constraint.starts_with("=&"),
            flag,
        });
        results += u32::from(is_result);
    }
    Some(operands)
}

impl Operand {
    /// The type of the call's result that the register is.
    pub(super) fn result_type(&self, call: Value) -> Option<Type> {
        result_types(call).get(self.result? as usize).copied()
    }
}

/// The types of the results of a call, one for each register.
fn result_types(call: Value) -> Vec<Type> {
    let whole = call.value_type_of();
    match whole.parts() {
        TypeParts::Struct(types) => types,
        TypeParts::Vector(..) | TypeParts::Array(..) | TypeParts::None => vec![whole],
    }
}

/// Puts what the registers hold in the end in the place of a call; false if a result has a type for which that is not known.
pub(super) fn replace(
    module: &Module,
    builder: &Builder,
    call: Value,
    operands: &[Operand],
) -> bool {
    if call.value_type_of().is_void() {
        return true;
    }
    let results = operands.iter().filter(|operand| operand.result.is_some());
    let results: Vec<Option<Value>> = results.map(|operand| operand.value).collect();
    let types = result_types(call);
    let known = |(value, wanted): (&Option<Value>, &Type)| match value {
        Some(value) => value.value_type_of() == *wanted,
        None => wanted.int_width().is_some(),
    };
    if results.len() != types.len() || !results.iter().zip(&types).all(known) {
        return false;
    }
    let values = results.into_iter().zip(&types).map(|(value, &wanted)| {
        value.unwrap_or_else(|| {
            let long = module.int_type(64);
            let unknown = builder.call_named(module, "__mazurka_unknown_long", long, &[]);
            builder.resize(unknown, wanted)
        })
    });
    let values: Vec<Value> = values.collect();
    let result = match values[..] {
        [value] => value,
        _ => (0..)
            .zip(values)
            .fold(call.value_type_of().undefined(), |whole, (index, value)| {
                builder.with_part(module, whole, value, index)
            }),
    };
    call.replace_all_uses(result);
    true
}
