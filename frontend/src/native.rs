//! Preparing bitcode for a native run that is given its nondeterministic values and its memory.

use std::collections::BTreeSet;

use abi::functions::{Effect, effect};
use abi::ids::SiteId;
use abi::markers::{ACCESS, ALLOCATE, ALLOCATE_ZEROED, DEALLOCATE, INPUT, SITE_METADATA};

use crate::Loaded;
use crate::llvm::{Builder, InstructionOpcode, Module, ModuleError, Type, Value};

/// Lets every call that asks for a nondeterministic value of at most 64 bits ask [`INPUT`] with its site instead, and every weak
/// compare-and-swap ask whether it fails spuriously. Returns the sites. The bitcode means what it meant for a native run only.
pub fn name_inputs(loaded: &Loaded) -> BTreeSet<SiteId> {
    let module = loaded.module();
    let kind = module.metadata_kind(SITE_METADATA);
    let instructions = module.functions().into_iter().flat_map(Value::body);
    let mut sites = BTreeSet::new();
    for instruction in instructions {
        let is_exchange = is_weak_exchange(instruction);
        let result = match is_exchange {
            true => module.int_type(1),
            false => instruction.value_type_of(),
        };
        let is_named = is_exchange || is_input(instruction) && fits(module, result);
        let Some(site) = instruction.metadata_number(kind).filter(|_| is_named) else {
            continue;
        };
        let number = module.int_type(32).constant(site.into());
        let builder = Builder::before(module, instruction).copy_position(instruction);
        let named = builder.call_named(module, INPUT, result, &[number]);
        named.set_metadata_number(module, kind, site);
        let value = match is_exchange {
            true => exchange_unless(module, &builder, instruction, named),
            false => named,
        };
        instruction.replace_all_uses(value);
        instruction.erase();
        sites.insert(SiteId(site));
    }
    sites
}

/// A strong compare-and-swap in the place of a weak one, which fails and leaves memory as it is if `fails` holds: then it writes what it
/// has found.
fn exchange_unless(module: &Module, builder: &Builder, weak: Value, fails: Value) -> Value {
    let [expected, desired] = [1, 2].map(|index| weak.operand(index));
    let written = expected.zip(desired);
    let written = written.map(|(expected, desired)| builder.select(fails, expected, desired));
    let exchange = weak.copy_before(weak);
    exchange.set_strong();
    if let Some(written) = written {
        exchange.set_operand(2, written);
    }
    let exchanges = builder.xor(fails, module.int_type(1).constant(1));
    let succeeds = builder.and(builder.part(module, exchange, 1), exchanges);
    builder.with_part(module, exchange, succeeds, 1)
}

fn is_weak_exchange(value: Value) -> bool {
    value.opcode() == Some(InstructionOpcode::AtomicCmpXchg) && value.is_weak()
}

/// Lets every call that allocates or frees a heap object call the runtime instead, with its site if it allocates, and returns the sites
/// of those that allocate. The bitcode means what it meant for a native run only.
pub fn name_allocations(loaded: &Loaded) -> BTreeSet<SiteId> {
    let module = loaded.module();
    let kind = module.metadata_kind(SITE_METADATA);
    let calls = module.functions().into_iter().flat_map(Value::body);
    let mut sites = BTreeSet::new();
    for call in calls {
        let name = match effect_of(call) {
            Some(Effect::Allocate) => ALLOCATE,
            Some(Effect::AllocateZeroed) => ALLOCATE_ZEROED,
            Some(Effect::Free) => DEALLOCATE,
            _ => continue,
        };
        let Some(site) = call.metadata_number(kind) else {
            continue;
        };
        let builder = Builder::before(module, call).copy_position(call);
        let mut arguments = call.arguments();
        if name != DEALLOCATE {
            sites.insert(SiteId(site));
            for size in &mut arguments {
                *size = builder.resize(*size, module.size_type());
            }
            arguments.insert(0, module.int_type(32).constant(site.into()));
        }
        let named = builder.call_named(module, name, call.value_type_of(), &arguments);
        named.set_metadata_number(module, kind, site);
        call.replace_all_uses(named);
        call.erase();
    }
    sites
}

/// Lets the accesses to memory at these sites tell [`ACCESS`] what they are about to access. Gives the first site where there is no such access,
/// if there is one: a function outside of the bitcode makes it.
pub fn name_accesses(loaded: &Loaded, sites: &BTreeSet<SiteId>) -> Option<SiteId> {
    let module = loaded.module();
    let kind = module.metadata_kind(SITE_METADATA);
    let mut left = sites.clone();
    for access in module.functions().into_iter().flat_map(Value::body) {
        let site = access.metadata_number(kind).map(SiteId);
        let site = site.filter(|site| left.contains(site));
        if let (Some(site), Some(address)) = (site, access.accessed_pointer()) {
            left.remove(&site);
            name_access(module, kind, site, access, address);
        }
    }
    left.pop_first()
}

fn name_access(module: &Module, kind: u32, site: SiteId, access: Value, address: Value) {
    let builder = Builder::before(module, access).copy_position(access);
    let bit = module.int_type(1);
    let is = |holds: bool| bit.constant(holds.into());
    let (content, writes) = match (access.opcode(), access.operand(0), access.operand(1)) {
        (Some(InstructionOpcode::Store), Some(stored), _) => (stored.value_type_of(), is(true)),
        // It writes only if it finds what is expected.
        (Some(InstructionOpcode::AtomicCmpXchg), _, Some(expected)) => {
            let content = expected.value_type_of();
            (
                content,
                builder.equal(builder.load(content, address), expected),
            )
        }
        (opcode, ..) => {
            let is_load = opcode == Some(InstructionOpcode::Load);
            (access.value_type_of(), is(!is_load))
        }
    };
    let arguments = [
        module.int_type(32).constant(site.0.into()),
        address,
        module
            .size_type()
            .constant(content.stored_size(module).unwrap_or(0)),
        writes,
        is(access.is_atomic()),
    ];
    let named = builder.call_named(module, ACCESS, module.void_type(), &arguments);
    named.set_metadata_number(module, kind, site.0);
}

/// Lets what ends the process in an error by `--abort-is-error` violate the property natively, too: `abort` says so, and `exit` asserts that
/// its argument is 0.
pub fn report_aborts(loaded: &Loaded) {
    let module = loaded.module();
    let nothing = module.void_type();
    let kind = module.metadata_kind(SITE_METADATA);
    let calls = module.functions().into_iter().flat_map(Value::body);
    for call in calls.filter(|value| is_end(*value)) {
        let builder = Builder::before(module, call).copy_position(call);
        let status = call.operand(0).filter(|_| call.argument_count() > 0);
        let reported = match status {
            Some(status) => {
                let zero = status.value_type_of().constant(0);
                let is_zero = builder.resize(builder.equal(status, zero), module.int_type(32));
                builder.call_named(module, "__VERIFIER_assert", nothing, &[is_zero])
            }
            None => builder.call_named(module, "__VERIFIER_error", nothing, &[]),
        };
        // The thread is at the site until the property is decided.
        if let Some(site) = call.metadata_number(kind) {
            reported.set_metadata_number(module, kind, site);
        }
        if status.is_some() {
            builder.call(call.callee(), &call.arguments());
        }
        call.erase();
    }
}

fn is_end(value: Value) -> bool {
    matches!(effect_of(value), Some(Effect::Halt | Effect::Exit))
}

/// The bitcode of a program that shares nothing with the libraries it is linked with but what it calls there: its own functions and
/// variables neither replace theirs nor those of the runtime, whatever they are called. Its accesses to memory may be watched. Every
/// function of the source has debug information if its instructions have.
///
/// # Errors
/// LLVM does not accept the bitcode.
pub fn isolated(bitcode: &[u8], is_watched: bool) -> Result<Vec<u8>, ModuleError> {
    let module = Module::from_bitcode(bitcode, "")?;
    module.isolate();
    module.restore_debug_information();
    if is_watched {
        let functions = module.functions().into_iter();
        for function in functions.filter(|function| !function.is_declaration()) {
            function.add_attribute(&module, "sanitize_address", 0);
        }
    }
    Ok(module.to_bitcode())
}

fn is_input(value: Value) -> bool {
    matches!(
        effect_of(value),
        Some(Effect::Nondeterministic | Effect::Choose | Effect::FirstValue)
    )
}

/// What the library function does that a value calls.
fn effect_of(value: Value) -> Option<Effect> {
    let is_direct = value.is_call() && value.callee().is_function();
    is_direct.then(|| effect(&value.callee().name()))?
}

/// Whether a value of the type is returned in the register of an `i64`.
fn fits(module: &Module, result: Type) -> bool {
    let is_word = result.is_pointer() || result.int_width().is_some();
    is_word && result.size(module).is_some_and(|bytes| bytes <= 8)
}
