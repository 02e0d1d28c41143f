//! Which allocation statements may take memory that objects of other ones had before they were freed.
//!
//! Whether a new object lies where a freed one lay shows only where an address of the one is compared with an address of the other:
//! an access by the old address is undefined wherever the new object lies, and the number of an address is arbitrary anyway. So
//! two statements share memory only if addresses of their objects may be compared and objects of one may be freed. All others have
//! memory of their own, and every analysis keeps apart what their objects hold.

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use petgraph::unionfind::UnionFind;

use crate::model::{HeapSiteId, Instances, Operand, Operation, Program, Statement, Template};
use crate::points_to::PointsTo;
use crate::threads::{Bounds, instantiate};

/// One run of each template and one object of each allocation stand for all: what may be the same object is so there, too.
const ONE: Bounds = Bounds {
    threads: 1,
    heap: 1,
};

/// Divides the heap of a program into pools ([`HeapSite::pool`](crate::model::HeapSite::pool)), if it frees anything; whether it does.
pub(super) fn divide(program: &mut Program) -> bool {
    let mut edges = program.templates.values().flat_map(|t| t.edges.values());
    if !edges.any(|edge| freed(&edge.statement).is_some()) {
        return false;
    }
    let mut pools = UnionFind::<u32>::new(program.heap_sites.len());
    // If statements share memory, an address may be that of more objects: so more may be compared.
    loop {
        for (id, site) in program.heap_sites.iter_mut() {
            let first = HeapSiteId::from_u32(pools.find(id.as_u32()));
            site.pool = Some(first).filter(|_| !site.automatic);
        }
        let uses = Uses::find(program);
        let mut joined = false;
        for (one, other) in uses.compared {
            if uses.freed.contains(&one) || uses.freed.contains(&other) {
                joined |= pools.union(one.as_u32(), other.as_u32());
            }
        }
        if !joined {
            for site in program.heap_sites.values_mut() {
                site.pool = site.pool.filter(|pool| uses.freed.contains(pool));
            }
            return true;
        }
    }
}

/// What a statement frees that is no memory of the stack.
fn freed(statement: &Statement) -> Option<Operand> {
    if let Statement::Free {
        address,
        automatic: false,
    } = *statement
    {
        Some(address)
    } else {
        None
    }
}

/// Two addresses that a statement compares.
fn compared(template: &Template, statement: &Statement) -> Option<[Operand; 2]> {
    let operands = if let Statement::Assign {
        operation: Operation::Compare(_, left, right),
        ..
    } = *statement
    {
        [left, right]
    } else if let Statement::CompareExchange {
        register, expected, ..
    } = *statement
    {
        [register.into(), expected]
    } else {
        return None;
    };
    Some(operands).filter(|&[left, _]| template.is_address(left))
}

/// What a program does with addresses of each pool.
#[derive(Default)]
struct Uses {
    /// The pools whose objects may be freed.
    freed: BTreeSet<HeapSiteId>,
    /// Pairs of different pools of whose objects addresses may be compared.
    compared: BTreeSet<(HeapSiteId, HeapSiteId)>,
}

/// Pairs of different pools of two sets.
fn pairs<'a>(
    left: &'a BTreeSet<HeapSiteId>,
    right: &'a BTreeSet<HeapSiteId>,
) -> impl Iterator<Item = (HeapSiteId, HeapSiteId)> + 'a {
    let all = left
        .iter()
        .flat_map(move |&one| right.iter().map(move |&other| (one, other)));
    all.filter(|(one, other)| one != other)
}

impl Uses {
    fn find(program: &Program) -> Self {
        let instances = instantiate(program, &ONE);
        let points_to = PointsTo::analyse(program, &instances);
        let pools = |instance, operand| pools(program, &instances, &points_to, instance, operand);
        let all = program.heap_sites.values().filter_map(|site| site.pool);
        let all: BTreeSet<HeapSiteId> = all.collect();
        let mut uses = Self::default();
        for (instance, thread) in &instances.threads {
            let template = &program.templates[thread.template];
            // What is wider than an address is compared in pieces, or with others of its kind.
            let registers = template.registers.iter();
            for (register, _) in registers
                .filter(|(_, register)| register.width > template.data_model.address_bits())
            {
                let wide = pools(instance, register.into());
                uses.compared.extend(pairs(&wide, &all));
            }
            for edge in template.edges.values() {
                if let Some(address) = freed(&edge.statement) {
                    uses.freed.extend(pools(instance, address));
                }
                if let Some(operands) = compared(template, &edge.statement) {
                    let [left, right] = operands.map(|operand| pools(instance, operand));
                    uses.compared.extend(pairs(&left, &right));
                }
            }
        }
        uses
    }
}

/// The pools of the objects that an operand may be an address of.
fn pools(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    instance: InstanceId,
    operand: Operand,
) -> BTreeSet<HeapSiteId> {
    let objects = points_to.possible_objects(instance, operand).into_iter();
    let sites = objects.filter_map(|object| instances.pool(object));
    sites
        .filter_map(|site| program.heap_sites[site].pool)
        .collect()
}
