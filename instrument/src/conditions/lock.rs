//! Lock pointer conditions: conflicts excluded by a mutex that the thread holds and that the others have to acquire first.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::future_accesses::{FutureAccesses, first_locks, is_lock, reached_without_locks};
use abi::ids::SiteId;
use program::model::{
    AddressSource, EdgeId, GlobalId, LockPointer, Operand, Program, Statement, TemplateId,
};

use super::conflicts::{Conflict, Conflicts, templates_of};
use crate::mover_analysis::MoverAnalysis;
use crate::occurrence::Occurrence;

/// For acquisitions of a mutex at certain instructions: the instructions that threads cannot reach without them.
/// Computed once.
#[derive(Debug, Default)]
pub(crate) struct Acquisitions {
    found: RefCell<BTreeMap<BTreeSet<SiteId>, Rc<Acquired>>>,
}

/// Acquisitions of a mutex.
#[derive(Debug)]
pub(super) struct Acquired {
    /// The instructions that threads of a template may reach without any of the acquisitions.
    around: BTreeSet<(TemplateId, SiteId)>,
    /// The variables from which the addresses of mutexes come that are taken first.
    pub cells: BTreeSet<(GlobalId, u32)>,
}

impl Acquisitions {
    pub(super) fn of(&self, program: &Program, locks: &BTreeSet<SiteId>) -> Rc<Acquired> {
        let mut found = self.found.borrow_mut();
        if let Some(acquired) = found.get(locks) {
            return acquired.clone();
        }
        let templates = program.templates.iter();
        let around = templates.flat_map(|(id, template)| {
            let reached = reached_without_locks(template, locks).into_iter();
            reached.map(move |site| (id, site))
        });
        let ids = program.templates.keys();
        let taken: Vec<FutureAccesses> = ids.map(|id| first_locks(program, id, locks)).collect();
        let pointers = taken.iter().flat_map(FutureAccesses::address_sources);
        let acquired = Rc::new(Acquired {
            around: around.collect(),
            cells: pointers.filter_map(AddressSource::cell).collect(),
        });
        found.insert(locks.clone(), acquired.clone());
        acquired
    }

    /// Whether all ways to an instruction take mutexes that may be this one.
    pub(super) fn precede(
        &self,
        analysis: &MoverAnalysis,
        locked: &LockPointer,
        (site, conflicts): (SiteId, &[Conflict]),
    ) -> bool {
        let acquired = self.of(analysis.context.program, &locked.locks);
        !templates_of(analysis, conflicts)
            .into_iter()
            .any(|id| acquired.around.contains(&(id, site)))
    }
}

/// A mutex that the threads of the template hold when the statement is next; it rules out nothing yet.
pub(super) fn held_mutex(
    analysis: &MoverAnalysis,
    conflicts: &Conflicts<'_>,
) -> Option<LockPointer> {
    let (taking, mutex) = own_lock(analysis, conflicts)?;
    let mut locks = BTreeSet::new();
    for own in &conflicts.own {
        let operation = Occurrence {
            instance: own.instance,
            edge: taking,
        };
        for &footprint in analysis.footprints.of(operation) {
            let others = analysis
                .footprints
                .overlapping(footprint)
                .map(|(other, _)| other);
            let edges = others.map(|other| analysis.edge(other));
            let taken = edges.filter(|edge| is_lock(&edge.statement));
            locks.extend(taken.map(|edge| edge.site));
        }
    }
    Some(LockPointer {
        site: conflicts.template.edges[taking].site,
        mutex,
        others: BTreeSet::new(),
        locks,
    })
}

/// Where the threads of the template took a mutex that they hold when the statement is next, and its address.
fn own_lock(analysis: &MoverAnalysis, conflicts: &Conflicts<'_>) -> Option<(EdgeId, Operand)> {
    let (&first, rest) = conflicts.own.split_first()?;
    let source = conflicts.template.edges[conflicts.edge].source;
    let held = |own: Occurrence, address| {
        let taken = analysis.locksets.taken(own.instance, source, address);
        taken.is_some_and(|taken| analysis.are_proper(own, taken))
    };
    let taken = analysis.locksets.addresses(first.instance, source);
    let mut candidates = taken.flat_map(|(_, edges)| edges).filter_map(|&edge| {
        let taking = &conflicts.template.edges[edge];
        let Statement::Mutex { mutex, .. } = taking.statement else {
            return None;
        };
        // Bitcode can name the address only there.
        let dominates = analysis
            .context
            .program
            .dominates(taking.site, conflicts.site());
        dominates.then_some((edge, mutex))
    });
    candidates
        .find(|&(_, address)| held(first, address) && rest.iter().all(|&own| held(own, address)))
}
