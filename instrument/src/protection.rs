//! Mutual exclusion: pairs of accesses of two threads that are never enabled at the same time, because both threads hold the same mutex there.

use std::collections::BTreeSet;

use crate::future_accesses::accessed;
use program::model::{EdgeId, GlobalId, ObjectId};

use crate::footprint::Footprint;
use crate::locksets::Mutex;
use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;
use crate::reason::{Classification, MoverReason};
use crate::symbolic_addresses::SymbolicAddress;

impl MoverAnalysis<'_> {
    /// Both threads hold a mutex when the statements are next, so they are never next at the same time, or not with the
    /// same bytes.
    pub fn protected(
        &self,
        (own, footprint): (Occurrence, Footprint),
        (other, other_footprint): (Occurrence, Footprint),
        object: Option<ObjectId>,
    ) -> Option<Classification> {
        let object = object?;
        let reason = if let Some((mutex, offset)) = self.common_place(own, other) {
            MoverReason::Protected(mutex, offset)
        } else if let Some(pointer) = self.common_pointer(own, other) {
            MoverReason::ProtectedThrough(pointer)
        } else if footprint.target.is_same_cell(other_footprint.target)
            && self.have_common_distance(own, other)
        {
            MoverReason::ProtectedBeside(object)
        } else {
            return None;
        };
        Some(Classification::new(MoverType::Both, reason))
    }

    /// A certain mutex that both threads hold.
    fn common_place(&self, own: Occurrence, other: Occurrence) -> Option<Mutex> {
        let (source, other_source) = (self.edge(own).source, self.edge(other).source);
        let mut common = self.locksets.held(own.instance, source).filter(|&mutex| {
            self.discipline.excludes(mutex)
                && (self.locksets.holds(other.instance, other_source, mutex)
                    || !self.context.rules.same_mutex)
        });
        common.next()
    }

    /// A variable that no thread writes meanwhile and through which both threads hold the same mutex.
    fn common_pointer(&self, own: Occurrence, other: Occurrence) -> Option<GlobalId> {
        let others: BTreeSet<SymbolicAddress> = self.held_addresses(other).collect();
        let mut common = self.held_addresses(own).filter(|symbol| {
            others.contains(symbol) || !(self.context.rules.same_mutex || others.is_empty())
        });
        common.find_map(|symbol| symbol.cell().map(|(global, _)| global))
    }

    /// Whether both threads hold the mutex that lies at the same distance from what each accesses. If they accessed the same
    /// cell, it would be the same mutex.
    fn have_common_distance(&self, own: Occurrence, other: Occurrence) -> bool {
        let others = self.distances(other);
        let mut distances = self.distances(own).into_iter();
        distances.any(|distance| {
            others.contains(&distance) || !(self.context.rules.same_mutex || others.is_empty())
        })
    }

    /// How far behind the accessed address mutexes lie that the thread holds.
    fn distances(&self, occurrence: Occurrence) -> BTreeSet<u64> {
        let edge = self.edge(occurrence);
        let template = self.context.template(occurrence.instance);
        let Some((address, _)) = accessed(template, &edge.statement) else {
            return BTreeSet::new();
        };
        let symbols = self.locksets.symbols(occurrence.instance, edge.source);
        let Some(accessed) = symbols.map(|symbols| symbols.of(address)) else {
            return BTreeSet::new();
        };
        let beside = self
            .held_addresses(occurrence)
            .filter(|held| held.pointer == accessed.pointer);
        beside
            .map(|held| held.offset.wrapping_sub(accessed.offset))
            .collect()
    }

    /// The addresses of the mutexes that a thread holds where a statement is next, of those that exclude others.
    fn held_addresses(&self, occurrence: Occurrence) -> impl Iterator<Item = SymbolicAddress> + '_ {
        let source = self.edge(occurrence).source;
        let held = self.locksets.addresses(occurrence.instance, source);
        let proper = held.filter(move |(_, taken)| self.are_proper(occurrence, taken));
        proper.map(|(symbol, _)| symbol)
    }

    /// Whether all these statements of a thread take mutexes that exclude.
    pub fn are_proper(&self, occurrence: Occurrence, taken: &BTreeSet<EdgeId>) -> bool {
        taken.iter().all(|&edge| {
            let instance = occurrence.instance;
            self.discipline.is_proper(Occurrence { instance, edge })
        })
    }
}
