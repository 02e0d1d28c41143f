//! Promotion of the variables that no other thread can reach. They become values; all other accesses are volatile meanwhile, so
//! that LLVM keeps them.

use std::ops::Range;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::addresses::{base, constant_offset, is_split};
use super::arbitrary_values::first_value_function;
use super::comparisons;
use super::lifetime_marks::starts_of_life;
use super::lives;
use super::lock_accesses::role;
use super::metadata_kinds::{INITIALISED_METADATA, VOLATILE_METADATA};
use super::pieces::scalar_leaves;
use super::requirement::require_of_access;
use super::scopes::accessed_after_end;
use crate::llvm::{Builder, Module, ModuleError, Type, Value};

/// Makes values of variables.
const PROMOTE: &str = "function(sroa<modify-cfg>)";

/// Removes dead instructions and merges blocks. Speculation concerns arithmetic only: shared accesses are volatile.
const SIMPLIFY: &str = "function(instsimplify,simplifycfg<no-hoist-common-insts;no-sink-common-insts;\
                        no-switch-to-lookup;no-switch-range-to-icmp>,instsimplify,adce)";

/// A function that does nothing with the address that it gets.
const KEEP: &str = "mazurka.keep";

/// Variables of more scalars than this are not split into values.
const MOST_SCALARS: usize = 64;

/// Promoting one variable may show that another, whose address it held, does not escape. Chains are short.
const MOST_ROUNDS: u32 = 16;

/// The memory accesses and variables of a module, as long as nothing changes it. To walk over all instructions takes longer than most of
/// what is asked of them.
struct Contents {
    accesses: Vec<Value>,
    variables: Vec<Value>,
    /// How many instructions there are.
    size: usize,
}

impl Contents {
    fn of(module: &Module) -> Self {
        let mut contents = Self {
            accesses: Vec::new(),
            variables: Vec::new(),
            size: 0,
        };
        for instruction in module.functions().into_iter().flat_map(Value::body) {
            contents.size += 1;
            if instruction.is_memory_access() {
                contents.accesses.push(instruction);
            } else if instruction.is_local_variable() {
                contents.variables.push(instruction);
            }
        }
        contents
    }

    /// The same, once accesses outside of a variable are said to be undefined.
    fn with_accesses_inside(module: &Module) -> Self {
        let contents = Self::of(module);
        match refuse_accesses_outside(module, &contents) {
            true => Self::of(module),
            false => contents,
        }
    }
}

/// Turns variables that no other thread can reach into values. While the passes run, all other accesses are volatile.
pub(super) fn promote(module: &Module) -> Result<(), ModuleError> {
    let mut before: Option<(usize, usize)> = None;
    for _ in 0..MOST_ROUNDS {
        lives::reveal(module);
        let contents = Contents::with_accesses_inside(module);
        let private = private_variables(module, &contents);
        let measure = (private.len(), contents.size);
        // Where two rounds have nothing to promote, what the first one has simplified has not helped.
        let is_over = |before: (usize, usize)| before == measure || before.0 == 0 && measure.0 == 0;
        if before.is_some_and(is_over) {
            break;
        }
        before = Some(measure);
        let keep = make_values(module, private, &contents)?;
        comparisons::hide(module);
        module.run_passes(SIMPLIFY)?;
        forget_kept(keep);
    }
    Ok(())
}

/// Does the same, though once only, before functions are inlined: each copy is smaller then. Comparisons of addresses must be hidden.
pub(super) fn promote_early(module: &Module) -> Result<(), ModuleError> {
    let contents = Contents::with_accesses_inside(module);
    let private = private_variables(module, &contents);
    let keep = make_values(module, private, &contents)?;
    module.run_passes(SIMPLIFY)?;
    forget_kept(keep);
    Ok(())
}

/// Makes values of some variables. Returns what is to be forgotten when passes that may promote others are over.
fn make_values(
    module: &Module,
    private: Vec<Value>,
    contents: &Contents,
) -> Result<Value, ModuleError> {
    // What this stores is not volatile.
    give_first_values(module, &private, contents);
    let private: FxHashSet<Value> = private.into_iter().collect();
    let keep = keep_others(module, &private, contents);
    for access in &contents.accesses {
        access.set_volatile(
            !access
                .accessed_pointer()
                .is_some_and(|pointer| private.contains(&base(pointer))),
        );
    }
    if !private.is_empty() {
        module.run_passes(PROMOTE)?;
    }
    Ok(keep)
}

/// Makes every access volatile: where LLVM inlines it, it would take a load beyond a constant for a value of its choice, before the load is
/// said to be undefined.
pub(super) fn keep_accesses(module: &Module) {
    for access in accesses(module) {
        access.set_volatile(true);
    }
}

/// Lets the addresses of all other variables escape: if promoting one shows that another does not, LLVM would promote that
/// as well, and drop the accesses that lie outside of it, before they are said to be undefined. Returns the function that is
/// called with the addresses, which nothing else calls.
fn keep_others(module: &Module, private: &FxHashSet<Value>, contents: &Contents) -> Value {
    let keep = module.declare(KEEP, module.void_type(), &[module.pointer_type()]);
    let variables = contents.variables.iter();
    for &variable in variables.filter(|variable| !private.contains(variable)) {
        if let Some(place) = variable.next() {
            Builder::before(module, place).call(keep, &[variable]);
        }
    }
    keep
}

/// Removes the calls that [`keep_others`] inserted, and what they call.
fn forget_kept(keep: Value) {
    keep.users().into_iter().for_each(Value::erase);
    keep.delete_function();
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

/// The variables that are only loaded and stored at constant offsets by their own function, while they are alive. Others
/// stay in memory, as do locks, of which copies are none, and those of too many parts to give each a first value.
fn private_variables(module: &Module, contents: &Contents) -> Vec<Value> {
    let variables = contents.variables.iter().copied();
    let mut private: Vec<Value> = variables
        .filter(|variable| is_split(*variable) && scalars(module, *variable).is_some())
        .collect();
    if private.is_empty() {
        return private;
    }
    let dangling = accessed_after_end(&private);
    let accesses = contents.accesses.iter();
    let locks: FxHashSet<Value> = accesses
        .filter(|&&access| role(module, access).is_some())
        .filter_map(|access| access.accessed_pointer().map(base))
        .collect();
    private.retain(|variable| !dangling.contains(variable) && !locks.contains(variable));
    private
}

/// Says that accesses outside of a variable are undefined: LLVM would drop them with the variable. Whether there are any.
fn refuse_accesses_outside(module: &Module, contents: &Contents) -> bool {
    let mut found = false;
    for &access in &contents.accesses {
        let Some((variable, range)) = accessed_range(module, access) else {
            continue;
        };
        let size = variable.allocated_type().size(module);
        if !variable.is_array_allocation() && size.is_some_and(|size| range.end > size) {
            let builder = Builder::before(module, access).copy_position(access);
            let never = module.int_type(1).constant(0);
            require_of_access(module, &builder, never, "out of bounds");
            if !access.value_type_of().is_void() {
                access.replace_all_uses(access.value_type_of().undefined());
            }
            access.erase();
            found = true;
        }
    }
    found
}

/// The bytes of a variable that an access at a constant offset reads or writes.
fn accessed_range(module: &Module, access: Value) -> Option<(Value, Range<u64>)> {
    let (variable, offset) = constant_offset(module, access.accessed_pointer()?)?;
    if !variable.is_local_variable() {
        return None;
    }
    let accessed = match access.opcode() {
        Some(InstructionOpcode::Store) => access.operand(0)?.value_type_of(),
        Some(InstructionOpcode::AtomicCmpXchg | InstructionOpcode::AtomicRMW) => {
            access.operand(1)?.value_type_of()
        }
        Some(_) | None => access.value_type_of(),
    };
    let length = accessed.stored_size(module)?;
    Some((variable, offset..offset.saturating_add(length)))
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

/// Stores an arbitrary value into each accessed scalar of each variable at the start of its life. Reading a variable before it
/// is written then gives the same arbitrary value each time, where LLVM's `undef` would differ from use to use.
fn give_first_values(module: &Module, private: &[Value], contents: &Contents) {
    let initialised = module.metadata_kind(INITIALISED_METADATA);
    if private
        .iter()
        .all(|variable| variable.has_metadata(initialised))
    {
        return;
    }
    let mut accessed: FxHashMap<Value, Vec<Range<u64>>> = FxHashMap::default();
    let accesses = contents.accesses.iter();
    for (variable, range) in accesses.filter_map(|&access| accessed_range(module, access)) {
        accessed.entry(variable).or_default().push(range);
    }
    for variable in private
        .iter()
        .filter(|variable| !variable.has_metadata(initialised))
    {
        let Some(scalars) = scalars(module, *variable) else {
            continue;
        };
        let ranges = accessed.remove(variable).unwrap_or_default();
        let pieces = accessed_pieces(module, &scalars, ranges);
        variable.set_metadata_number(module, initialised, 1);
        for start in starts_of_life(*variable) {
            let Some(place) = start.next() else { continue };
            let builder = Builder::before(module, place).copy_position(start);
            for (offset, piece) in &pieces {
                let value = builder.call(first_value_function(module, *piece), &[]);
                builder.store(value, builder.byte_offset(module, *variable, *offset));
            }
        }
    }
}

/// Offsets and types of what is accessed as a whole: a scalar, or an integer where all accesses keep to a part of one. Then
/// storing to the part leaves nothing of the first value.
fn accessed_pieces(
    module: &Module,
    scalars: &[(u64, Type)],
    mut ranges: Vec<Range<u64>>,
) -> Vec<(u64, Type)> {
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut clusters: Vec<Range<u64>> = Vec::new();
    for range in ranges {
        match clusters.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            Some(_) | None => clusters.push(range),
        }
    }
    let integer = |start: u64, end: u64| (start, module.int_type(8 * (end - start) as u32));
    let covered: Vec<Range<u64>> = scalars
        .iter()
        .map(|(offset, scalar)| *offset..offset + scalar.size(module).unwrap_or(0))
        .collect();
    let mut pieces = Vec::new();
    for (&(offset, scalar), &Range { end, .. }) in scalars.iter().zip(&covered) {
        let inside: Vec<&Range<u64>> = clusters
            .iter()
            .filter(|cluster| cluster.start < end && offset < cluster.end)
            .collect();
        let are_parts = inside.iter().all(|cluster| {
            offset <= cluster.start && cluster.end <= end && **cluster != (offset..end)
        });
        if are_parts {
            let parts = inside.into_iter();
            pieces.extend(parts.map(|part| integer(part.start, part.end)));
        } else {
            pieces.push((offset, scalar));
        }
    }
    for cluster in clusters {
        let gaps = padding(cluster, &covered).into_iter();
        pieces.extend(gaps.map(|gap| integer(gap.start, gap.end)));
    }
    pieces
}

/// What is left of a range of bytes without the scalars in it, which ascend, in ranges of at most 8 bytes.
fn padding(range: Range<u64>, scalars: &[Range<u64>]) -> Vec<Range<u64>> {
    let mut gaps = Vec::new();
    let mut position = range.start;
    let end = range.end..range.end;
    for scalar in scalars.iter().chain([&end]) {
        let gap_end = scalar.start.min(range.end);
        let starts = (position..gap_end).step_by(8);
        gaps.extend(starts.map(|start| start..gap_end.min(start + 8)));
        position = position.max(scalar.end);
    }
    gaps
}
