//! The writes of a program that may overwrite a lock in use, or copy it. Such a write is undefined, or its result is no
//! lock. The checks are inserted at the writes that are found here ([`crate::normalize`]).

use abi::ids::SiteId;
use abi::markers::SITE_METADATA;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::llvm::{Module, Value};
use crate::normalize::{
    Guard, LockOperation, LockRole, is_fresh, is_static, role, stores_variable_content,
};
use program::model::{Access, Edge, LocationId, ObjectId, Operand, Program, Statement, Template};
use program::points_to::{Offsets, PointsTo, Targets};
use program::threads::{Bounds, instantiate};

/// The writes of a normalised module that must look whether they hit a lock that is in use.
pub(crate) fn writes(module: &Module, program: &Program) -> Vec<(Value, Guard)> {
    let instructions = instructions(module);
    let access = |edge: &Edge| instructions.get(&edge.site).copied();
    let role_of = |edge: &Edge| access(edge).and_then(|access| role(module, access));
    let operates = |edge: &Edge| is_mutex(edge) || role_of(edge).is_some();
    let templates = program.templates.values();
    let mut edges = templates.flat_map(|template| template.edges.values());
    if !edges.any(operates) {
        return Vec::new();
    }
    let instances = instantiate(
        program,
        &Bounds {
            threads: 1,
            heap: 1,
        },
    );
    let points_to = PointsTo::analyse(program, &instances);
    let mut words = FxHashSet::default();
    for (instance, thread) in &instances.threads {
        for edge in program.templates[thread.template].edges.values() {
            let word = if let Statement::Mutex { mutex, .. } = edge.statement {
                Some((mutex, abi::mutex::OWNER))
            } else {
                let names = role_of(edge).is_some_and(|role| role.names);
                address(edge).filter(|_| names).map(|address| (address, 0))
            };
            if let Some((address, offset)) = word {
                let objects = points_to.targets(instance, address).objects.into_iter();
                words.extend(objects.map(|(object, start)| (object, start, offset)));
            }
        }
    }
    let (mut found, mut fresh) = (Vec::new(), Vec::new());
    for (instance, thread) in &instances.threads {
        let template = &program.templates[thread.template];
        let copies = |edge: &Edge| {
            matches!(edge.statement, Statement::Store { .. })
                && access(edge).is_some_and(|access| {
                    role(module, access).is_none() && stores_variable_content(module, access)
                })
        };
        let may_copy = |edge: &Edge| {
            let targets = address(edge).map(|address| points_to.targets(instance, address));
            let mut bytes = 0..written(template, edge).unwrap_or(0);
            copies(edge)
                && targets.is_some_and(|targets| bytes.any(|byte| hits(&targets, byte, &words)))
        };
        let before = match thread.template == program.main {
            true => undisturbed(template, role_of, may_copy),
            false => FxHashSet::default(),
        };
        for edge in template.edges.values() {
            let Some((access, size)) = access(edge).zip(written(template, edge)) else {
                continue;
            };
            let Some(address) = address(edge).filter(|_| !before.contains(&edge.source)) else {
                continue;
            };
            let role = role(module, access);
            if role.is_some_and(|role| !role.operation.initialises()) {
                continue;
            }
            let targets = points_to.targets(instance, address);
            let checks = role.is_some_and(|role| role.operation == LockOperation::Initialises);
            let is_fresh = is_fresh(module, access);
            let known = checks && is_static(access) || is_fresh;
            let copies = copies(edge);
            // What is initialised is no copy any more. As long as it is one, its content does not tell whether it is in use.
            let (found, in_use) = match known && !copies {
                true if role.is_some() => (&mut fresh, !is_fresh),
                true => continue,
                false => (&mut found, !known),
            };
            for offset in (0..size).filter(|&offset| hits(&targets, offset, &words)) {
                let guard = Guard {
                    offset: offset.into(),
                    in_use,
                    copies,
                };
                if !found.contains(&(access, guard)) {
                    found.push((access, guard));
                }
            }
        }
    }
    if found.iter().any(|(_, guard)| guard.copies) {
        found.extend(fresh);
    }
    found
}

/// The instructions by their numbers.
fn instructions(module: &Module) -> FxHashMap<SiteId, Value> {
    let kind = module.metadata_kind(SITE_METADATA);
    let all = module.functions().into_iter().flat_map(Value::body);
    all.filter_map(|value| Some((SiteId(value.metadata_number(kind)?), value)))
        .collect()
}

fn is_mutex(edge: &Edge) -> bool {
    matches!(edge.statement, Statement::Mutex { .. })
}

/// The locations of main where no lock is in use and no copy of one was made.
fn undisturbed(
    main: &Template,
    role_of: impl Fn(&Edge) -> Option<LockRole>,
    may_copy: impl Fn(&Edge) -> bool,
) -> FxHashSet<LocationId> {
    let is_use = |edge: &Edge| {
        matches!(edge.statement, Statement::Create { .. })
            || is_mutex(edge)
            || role_of(edge).is_some_and(|role| role.operation == LockOperation::Uses)
    };
    let unused = before_use(main, is_use);
    let unmade = before_use(main, |edge| is_use(edge) || role_of(edge).is_some());
    let mut made = main
        .edges
        .values()
        .filter(|edge| unused.contains(&edge.source) && !unmade.contains(&edge.source));
    if made.any(may_copy) { unmade } else { unused }
}

/// The locations of a thread that no such edge comes before.
fn before_use(template: &Template, is_use: impl Fn(&Edge) -> bool) -> FxHashSet<LocationId> {
    let uses = template.edges.values().filter(|edge| is_use(edge));
    let mut pending: Vec<LocationId> = uses.map(|edge| edge.target).collect();
    let mut after = FxHashSet::default();
    let mut targets: FxHashMap<LocationId, Vec<LocationId>> = FxHashMap::default();
    for edge in template.edges.values() {
        targets.entry(edge.source).or_default().push(edge.target);
    }
    while let Some(location) = pending.pop() {
        if after.insert(location) {
            pending.extend(targets.get(&location).into_iter().flatten());
        }
    }
    let all = template.locations.keys();
    all.filter(|location| !after.contains(location)).collect()
}

/// An access that is no operation on a mutex.
fn data_access(edge: &Edge) -> Option<Access<'_>> {
    let effects = edge.statement.effects();
    effects.access.filter(|_| effects.mutex().is_none())
}

/// The address of an access.
fn address(edge: &Edge) -> Option<Operand> {
    data_access(edge).map(|access| access.address)
}

/// How many bytes an edge writes.
fn written(template: &Template, edge: &Edge) -> Option<u32> {
    let access = data_access(edge).filter(|access| access.kind.writes())?;
    Some(access.size(template))
}

/// A word that names a lock: an object, where the lock may begin, and where the word stands in it.
type Word = (ObjectId, Offsets, u32);

/// Whether a word may be so many bytes behind an address.
fn hits(targets: &Targets, distance: u32, words: &FxHashSet<Word>) -> bool {
    targets.objects.iter().any(|&(object, at)| {
        let mut words = words.iter().filter(|&&(other, ..)| other == object);
        words.any(|&(_, start, offset)| meet(at, distance, start, offset))
    })
}

/// Whether offsets that lie behind two places may be one.
fn meet(one: Offsets, behind: u32, other: Offsets, behind_other: u32) -> bool {
    let (first, step) = progression(one);
    let (second, other_step) = progression(other);
    let distance = (first + u64::from(behind)).abs_diff(second + u64::from(behind_other));
    match gcd(step, other_step) {
        0 => distance == 0,
        step => distance % step == 0,
    }
}

/// The first of the offsets and their distance; 0 if there is only one.
fn progression(offsets: Offsets) -> (u64, u64) {
    match offsets {
        Offsets::Exact(only) => (only.into(), 0),
        Offsets::Stride { first, step } => (first.into(), step.into()),
        Offsets::Any => (0, 1),
    }
}

fn gcd(one: u64, other: u64) -> u64 {
    match other {
        0 => one,
        _ => gcd(other, one % other),
    }
}
