//! Which memory other threads may reach, and making values of what they cannot reach.

use abi::functions::FIRST_VALUE_PREFIX;
use llvm_sys::LLVMOpcode;
use rustc_hash::FxHashSet;

use super::SIMPLIFY;
use super::divide::require;
use super::memory::{constant_offset, scalar_leaves};
use super::strip::VOLATILE_METADATA;
use crate::llvm::{Builder, Module, ModuleError, Type, Value};

/// Marks an `alloca` whose first value was given.
const INITIALISED_METADATA: &str = "mazurka.initialised";

/// Variables of more scalars than this are not split into values.
const MOST_SCALARS: usize = 64;

/// Promoting one variable may show that another, whose address it held, does not escape. Chains are short.
const MOST_ROUNDS: u32 = 16;

/// Turns variables that no other thread can reach into values. While the passes run, all other accesses are volatile.
pub(super) fn promote(module: &Module) -> Result<(), ModuleError> {
    let mut before = None;
    for _ in 0..MOST_ROUNDS {
        refuse_accesses_outside(module);
        let private = private_variables(module);
        let measure = (
            private.len(),
            module
                .functions()
                .into_iter()
                .map(|function| function.body().len())
                .sum::<usize>(),
        );
        if before == Some(measure) {
            break;
        }
        before = Some(measure);
        give_first_values(module, &private);
        let private: FxHashSet<Value> = private.into_iter().collect();
        for access in accesses(module) {
            access.set_volatile(
                !access
                    .accessed_pointer()
                    .is_some_and(|pointer| private.contains(&base(pointer))),
            );
        }
        module.run_passes(SIMPLIFY)?;
    }
    Ok(())
}

/// Gives every access the volatile flag it has in the program.
pub(super) fn restore_volatile(module: &Module) {
    let volatile = module.metadata_kind(VOLATILE_METADATA);
    for access in accesses(module) {
        access.set_volatile(access.has_metadata(volatile));
    }
}

fn accesses(module: &Module) -> impl Iterator<Item = Value> {
    module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .filter(|instruction| instruction.is_memory_access())
}

/// The variables that are only loaded and stored at constant offsets by their own function. Others stay in memory, as do
/// those of too many parts to give each a first value.
fn private_variables(module: &Module) -> Vec<Value> {
    let is_variable = |instruction: &Value| instruction.opcode() == Some(LLVMOpcode::LLVMAlloca);
    module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .filter(is_variable)
        .filter(|variable| is_split(*variable) && scalars(module, *variable).is_some())
        .collect()
}

/// Says that accesses outside of a variable are undefined: LLVM would drop them with the variable.
fn refuse_accesses_outside(module: &Module) {
    for access in accesses(module).collect::<Vec<Value>>() {
        let Some((variable, offset)) = access
            .accessed_pointer()
            .and_then(|pointer| constant_offset(module, pointer))
        else {
            continue;
        };
        if variable.opcode() != Some(LLVMOpcode::LLVMAlloca) || variable.is_array_allocation() {
            continue;
        }
        let accessed = match access.opcode() {
            Some(LLVMOpcode::LLVMStore) => access.operand(0).map(Value::value_type_of),
            Some(LLVMOpcode::LLVMAtomicCmpXchg | LLVMOpcode::LLVMAtomicRMW) => {
                access.operand(1).map(Value::value_type_of)
            }
            Some(_) | None => Some(access.value_type_of()),
        };
        let (Some(length), Some(size)) = (
            accessed.and_then(|accessed| accessed.stored_size(module)),
            variable.allocated_type().size(module),
        ) else {
            continue;
        };
        if offset.checked_add(length).is_none_or(|end| end > size) {
            let builder = Builder::before(module, access).copy_position(access);
            require(module, &builder, module.int_type(1).constant(0));
            if !access.value_type_of().is_void() {
                access.replace_all_uses(access.value_type_of().undefined());
            }
            access.erase();
        }
    }
}

/// The variable or other pointer that an address is computed from.
fn base(pointer: Value) -> Value {
    let mut base = pointer;
    while base.opcode() == Some(LLVMOpcode::LLVMGetElementPtr) {
        match base.operand(0) {
            Some(operand) => base = operand,
            None => break,
        }
    }
    base
}

/// Whether a variable's address is only used to load and store at constant offsets.
fn is_split(variable: Value) -> bool {
    let mut pending = vec![variable];
    while let Some(address) = pending.pop() {
        for user in address.users() {
            match user.opcode() {
                Some(LLVMOpcode::LLVMLoad) => {}
                Some(
                    LLVMOpcode::LLVMStore
                    | LLVMOpcode::LLVMAtomicRMW
                    | LLVMOpcode::LLVMAtomicCmpXchg,
                ) if user
                    .operands()
                    .iter()
                    .filter(|operand| **operand == address)
                    .count()
                    == 1
                    && user.accessed_pointer() == Some(address) => {}
                Some(LLVMOpcode::LLVMGetElementPtr)
                    if user.operand(0) == Some(address)
                        && user.operands()[1..]
                            .iter()
                            .all(|index| index.integer().is_some()) =>
                {
                    pending.push(user);
                }
                Some(LLVMOpcode::LLVMCall) if is_lifetime_marker(user) => {}
                Some(_) | None => return false,
            }
        }
    }
    true
}

/// Offsets and types of a variable's scalars, unless they are too many.
fn scalars(module: &Module, variable: Value) -> Option<Vec<(u64, Type)>> {
    let mut scalars = Vec::new();
    let all = scalar_leaves(
        module,
        variable.allocated_type(),
        0,
        MOST_SCALARS,
        &mut |offset, scalar| scalars.push((offset, scalar)),
    );
    (all && !variable.is_array_allocation()).then_some(scalars)
}

fn is_lifetime_marker(call: Value) -> bool {
    call.callee().is_intrinsic() && call.callee().name().starts_with("llvm.lifetime.")
}

/// Stores an arbitrary value into each scalar of each variable at the start of its life. Reading a variable before it is
/// written then gives the same arbitrary value each time, where LLVM's `undef` would differ from use to use.
fn give_first_values(module: &Module, private: &[Value]) {
    let initialised = module.metadata_kind(INITIALISED_METADATA);
    for variable in private
        .iter()
        .filter(|variable| !variable.has_metadata(initialised))
    {
        let Some(scalars) = scalars(module, *variable) else {
            continue;
        };
        variable.set_metadata_number(module, initialised, 1);
        for start in starts_of_life(*variable) {
            let Some(place) = start.next() else { continue };
            let builder = Builder::before(module, place).copy_position(start);
            for (offset, scalar) in &scalars {
                let value = builder.call(first_value_function(module, *scalar), &[]);
                builder.store(value, builder.byte_offset(module, *variable, *offset));
            }
        }
    }
}

/// The starts of the variable's scope where they are marked, else its declaration.
fn starts_of_life(variable: Value) -> Vec<Value> {
    let is_start =
        |user: &Value| user.is_call() && user.callee().name().starts_with("llvm.lifetime.start");
    let starts: Vec<Value> = variable.users().into_iter().filter(is_start).collect();
    if starts.is_empty() {
        vec![variable]
    } else {
        starts
    }
}

/// The function that returns an arbitrary value of a scalar type. Its attributes let unused calls vanish, and keep
/// passes from moving calls: it reads memory that nothing else can name.
fn first_value_function(module: &Module, scalar: Type) -> Value {
    let name = format!("{FIRST_VALUE_PREFIX}{}", scalar.print().replace(' ', ""));
    if let Some(function) = module.function(&name) {
        return function;
    }
    const READS_INACCESSIBLE_MEMORY: u64 = 1 << 2;
    let function = module.declare(&name, scalar, &[]);
    function.add_attribute(module, "memory", READS_INACCESSIBLE_MEMORY);
    function.add_attribute(module, "nounwind", 0);
    function.add_attribute(module, "willreturn", 0);
    function
}
