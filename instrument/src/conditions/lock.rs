//! Conflicts that a mutex rules out which this thread holds and the others have to take first.

use std::collections::BTreeSet;

use abi::ids::SiteId;
use program::model::{EdgeId, Locked, Operand, Statement, TemplateId};
use program::touches::{is_lock, reaching_without_locks};

use super::Conflicts;
use crate::access::{Access, Occurrence};
use crate::movers::Analysis;

impl Analysis<'_> {
    /// A mutex that the threads of the template hold when the statement is next; it rules out nothing yet.
    pub(super) fn held_mutex(&self, conflicts: &Conflicts<'_>) -> Option<Locked> {
        let (taking, mutex) = self.own_lock(conflicts)?;
        let mut locks = BTreeSet::new();
        for own in &conflicts.own {
            let operation = Occurrence {
                instance: own.instance,
                edge: taking,
            };
            for &access in self.accesses.of(operation) {
                let others = self.accesses.overlapping(access).map(|(other, _)| other);
                let edges = others.map(|other| self.edge(other));
                let taken = edges.filter(|edge| is_lock(&edge.statement));
                locks.extend(taken.map(|edge| edge.site));
            }
        }
        Some(Locked {
            site: conflicts.template.edges[taking].site,
            mutex,
            others: BTreeSet::new(),
            locks,
        })
    }

    /// Whether all ways to an instruction take mutexes that may be this one.
    pub(super) fn is_behind(
        &self,
        locked: &Locked,
        site: SiteId,
        pairs: &[(Access, Occurrence, Access)],
    ) -> bool {
        let threads = pairs.iter().map(|(_, other, _)| other.instance);
        let templates = threads.map(|thread| self.context.instances.threads[thread].template);
        let templates: BTreeSet<TemplateId> = templates.collect();
        let sites = BTreeSet::from([site]);
        templates.into_iter().all(|id| {
            let template = &self.context.program.templates[id];
            !reaching_without_locks(template, &sites, &locked.locks).contains(&template.entry)
        })
    }

    /// Where the threads of the template took a mutex that they hold when the statement is next, and its address.
    fn own_lock(&self, conflicts: &Conflicts<'_>) -> Option<(EdgeId, Operand)> {
        let (&first, rest) = conflicts.own.split_first()?;
        let source = conflicts.template.edges[conflicts.edge].source;
        let held = |own: Occurrence, address| {
            let taken = self.locksets.taken(own.instance, source, address);
            taken.is_some_and(|taken| self.are_proper(own, taken))
        };
        let taken = self.locksets.addresses(first.instance, source);
        let mut candidates = taken.flat_map(|(_, edges)| edges).filter_map(|&edge| {
            let taking = &conflicts.template.edges[edge];
            let Statement::Mutex { mutex, .. } = taking.statement else {
                return None;
            };
            // Bitcode can name the address only there.
            let dominates = self
                .context
                .program
                .dominates(taking.site, conflicts.site());
            dominates.then_some((edge, mutex))
        });
        candidates.find(|&(_, address)| {
            held(first, address) && rest.iter().all(|&own| held(own, address))
        })
    }
}
