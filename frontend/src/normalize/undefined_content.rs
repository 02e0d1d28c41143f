//! Undefined values that LLVM would choose: arguments of calls, results, elements of vectors, and the first content of a variable of
//! static storage that clang makes of memory which the program allocates once. They become arbitrary values.

use inkwell::values::InstructionOpcode;

use super::arbitrary_values::first_value_function;
use super::pieces::words;
use crate::llvm::{Builder, Module, TypeParts, Value};

/// Larger ones are left as they are, in words of 8 bytes.
const MOST_WORDS: u64 = 32;

/// Lets `main` begin by storing what is not known to such variables. Where the program itself calls `main`, they must not be accessed.
pub(super) fn make_explicit(module: &Module) {
    let Some(main) = module
        .function("main")
        .filter(|main| main.users().is_empty())
    else {
        return;
    };
    let body = main.body();
    let Some(&first) = body.first() else {
        return;
    };
    let placed = body.iter().find(|i| i.debug_location().is_some());
    let is_undefined = |global: &Value| global.initializer().is_some_and(Value::is_undefined);
    let globals = module.globals().into_iter().filter(is_undefined);
    for global in globals.filter(|global| !global.is_constant_global() && !global.is_thread_local())
    {
        let size = global.value_type().size(module);
        let Some(size) = size.filter(|size| size.div_ceil(8) <= MOST_WORDS) else {
            continue;
        };
        global.set_initializer(global.value_type().null());
        let builder = Builder::before(module, first).copy_position(*placed.unwrap_or(&first));
        for (start, length) in words(module.data_model(), 0, size) {
            let long = module.int_type(64);
            let unknown = builder.call_named(module, "__mazurka_unknown_long", long, &[]);
            let value = builder.resize(unknown, module.int_type(8 * length as u32));
            builder.store(value, builder.byte_offset(module, global, start));
        }
    }
}

/// Lets calls pass arbitrary values where LLVM leaves open what they pass. Where a function of the library takes the place of its call, the
/// passes that follow would choose the value that makes it shortest, such as a key that does not exist. Poison is undefined behaviour there,
/// which the rules of poison show.
pub(super) fn pass_arbitrary_arguments(module: &Module) {
    let body = |function: Value| function.body().into_iter();
    let calls = module.functions().into_iter().flat_map(body);
    let calls = calls.filter(|value| value.is_call() && !value.callee().is_intrinsic());
    for call in Vec::from_iter(calls) {
        for (index, argument) in (0..).zip(call.arguments()) {
            let value_type = argument.value_type_of();
            let is_scalar = value_type.is_pointer() || value_type.int_width().is_some();
            if argument.is_undefined() && !argument.is_poison() && is_scalar {
                let builder = Builder::before(module, call).copy_position(call);
                let arbitrary = builder.call(first_value_function(module, value_type), &[]);
                call.set_operand(index, arbitrary);
            }
        }
    }
}

/// Gives arbitrary values to the elements of shuffled vectors that come from neither operand.
pub(super) fn fill_shuffles(module: &Module) {
    let body = |function: Value| function.body().into_iter();
    let values = module.functions().into_iter().flat_map(body);
    let is_shuffle = |value: &Value| value.opcode() == Some(InstructionOpcode::ShuffleVector);
    for shuffle in Vec::from_iter(values.filter(is_shuffle)) {
        let missing = (0..).zip(shuffle.shuffle_mask());
        let missing: Vec<u32> = missing
            .filter_map(|(index, from)| from.is_none().then_some(index))
            .collect();
        let element = match shuffle.value_type_of().parts() {
            TypeParts::Vector(element, _) => element,
            TypeParts::Struct(_) | TypeParts::Array(..) | TypeParts::None => continue,
        };
        let is_number = element.int_width().is_some() || element.precision().is_some();
        let Some(next) = shuffle.next().filter(|_| is_number) else {
            continue;
        };
        let users = shuffle.users();
        let builder = Builder::before(module, next).copy_position(shuffle);
        let filled = missing.into_iter().fold(shuffle, |vector, index| {
            let arbitrary = builder.call(first_value_function(module, element), &[]);
            builder.with_part(module, vector, arbitrary, index)
        });
        for user in users {
            for (index, operand) in (0..).zip(user.operands()) {
                if operand == shuffle {
                    user.set_operand(index, filled);
                }
            }
        }
    }
}

/// Gives a value to results that nobody looks at. LLVM lets functions return poison then.
pub(super) fn return_unused_results(module: &Module) {
    let is_ignored = |function: &Value| {
        // What is no instruction is a constant that nobody uses any more.
        let ignores = |user: Value| {
            let calls = || user.is_call() && !user.arguments().contains(function);
            user.users().is_empty() && (!user.is_instruction() || calls())
        };
        function.is_local() && function.users().into_iter().all(ignores)
    };
    for function in module.functions().into_iter().filter(is_ignored) {
        let body = function.body().into_iter();
        for end in body.filter(|end| end.opcode() == Some(InstructionOpcode::Return)) {
            if let Some(result) = end.operand(0).filter(|result| result.is_poison()) {
                end.set_operand(0, result.value_type_of().null());
            }
        }
    }
}
