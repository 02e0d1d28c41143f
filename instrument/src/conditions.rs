//! Dynamic both-moving conditions of statements that are non-movers (Sec. 4.1 and Def. 1 of the paper).
//!
//! A statement conflicts with certain instructions of other threads. Each of these conflicts is ruled out by the
//! condition that fits best: a compare-and-swap, because memory holds another value than it expects; a statement,
//! because its thread first has to take a mutex that this thread holds; an access, because its address does not
//! overlap; any statement, because no thread can reach it any more. While a thread stays at its location, no statement
//! of another thread makes such a condition false; `docs/reduction.md` gives the reasons.

mod conflicts;
mod kind;
mod lock;
mod pointer;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use program::model::{
    Bits, BothMoverCondition, EdgeId, GlobalId, MonotonicAtomic, NoAlias, Operand, Statement,
    TemplateId,
};

use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::reason::Classification;
use crate::regions::is_region;
use crate::stable_globals::cell_read;

use self::conflicts::Conflicts;
pub use self::kind::ConditionKind;
use self::lock::{Acquisitions, held_mutex};
use self::pointer::{AddressOrigins, PointerComparison};

/// How a statement moves while a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The mover type then.
    pub mover_type: MoverType,
    /// When.
    pub condition: BothMoverCondition,
}

/// Looks for conditions, and keeps what it found about instructions of other threads.
pub(crate) struct ConditionAnalysis<'a> {
    movers: &'a MoverAnalysis<'a>,
    address_origins: AddressOrigins,
    acquisitions: Acquisitions,
}

impl<'a> ConditionAnalysis<'a> {
    /// Nothing is looked for yet.
    pub fn new(movers: &'a MoverAnalysis<'a>) -> Self {
        Self {
            movers,
            address_origins: AddressOrigins::default(),
            acquisitions: Acquisitions::default(),
        }
    }

    /// The non-movers of a template that move under a condition. Atomic regions are not among them.
    pub fn conditions(
        &self,
        id: TemplateId,
        classified: &BTreeMap<EdgeId, Classification>,
        kinds: &BTreeSet<ConditionKind>,
    ) -> BTreeMap<EdgeId, Conditional> {
        let template = &self.movers.context.program.templates[id];
        let mut found = BTreeMap::new();
        for (&edge, mover) in classified {
            // What moves in one direction anyway gains little, and every condition is part of the transition relation.
            let inside = template.locations[template.edges[edge].source].atomic_depth > 0;
            if mover.mover_type != MoverType::Non || inside || is_region(template, edge) {
                continue;
            }
            let conflicts = Conflicts::new(self.movers, id, edge);
            if conflicts.mover_type == MoverType::Non || conflicts.with.is_empty() {
                continue;
            }
            if let Some(condition) = self.condition(&conflicts, kinds) {
                let mover_type = conflicts.mover_type;
                found.insert(
                    edge,
                    Conditional {
                        mover_type,
                        condition,
                    },
                );
            }
        }
        found
    }

    /// A condition that rules out all conflicts, of the kinds that may be used.
    fn condition(
        &self,
        conflicts: &Conflicts<'_>,
        kinds: &BTreeSet<ConditionKind>,
    ) -> Option<BothMoverCondition> {
        let own = conflicts.own_access();
        let mut condition = BothMoverCondition::default();
        let mut comparison = PointerComparison::default();
        let mut cells = BTreeSet::new();
        let use_locks = kinds.contains(&ConditionKind::Lock);
        let mut locked = use_locks
            .then(|| held_mutex(self.movers, conflicts))
            .flatten();
        let expected = own.filter(|_| kinds.contains(&ConditionKind::Cas));
        let expected = expected.map(|own| self.expected(conflicts, own));
        let expected = expected.unwrap_or_default();
        for (&site, pairs) in &conflicts.with {
            if let (Some((address, _)), Some(values)) = (own, expected.get(&site)) {
                let differs = values.iter().map(|&value| MonotonicAtomic {
                    site: conflicts.site(),
                    address,
                    value,
                });
                condition.differs.extend(differs);
            } else if let Some(locked) = &mut locked
                && self
                    .acquisitions
                    .precede(self.movers, locked, (site, pairs))
            {
                locked.others.insert(site);
            } else if own.is_some()
                && kinds.contains(&ConditionKind::Pointer)
                && comparison.add(self.movers, &self.address_origins, conflicts, (site, pairs))
            {
                // It is one of those that the comparison is about now.
            } else if kinds.contains(&ConditionKind::Reachability) {
                condition.unreached.insert(site);
            } else {
                return None;
            }
        }
        if let (Some((address, size)), false) = (own, comparison.others.is_empty()) {
            cells.extend(comparison.cells());
            condition.apart.insert(NoAlias {
                site: conflicts.site(),
                address,
                size,
                others: comparison.others,
            });
        }
        if let Some(locked) = locked.filter(|locked| !locked.others.is_empty()) {
            cells.extend(
                self.acquisitions
                    .of(self.movers.context.program, &locked.locks)
                    .cells
                    .iter(),
            );
            condition.locked.insert(locked);
        }
        let writers = self.writers(conflicts, cells);
        condition.unreached.extend(writers);
        Some(condition)
    }

    /// The instructions that change nothing while memory holds none of certain values, with these: compare-and-swap that
    /// expects a constant, and loads if the statement itself is such a compare-and-swap. The values are enough for all
    /// of them, since who expects a value writes nothing while memory holds another.
    fn expected(
        &self,
        conflicts: &Conflicts<'_>,
        (_, size): (Operand, u32),
    ) -> BTreeMap<SiteId, BTreeSet<Bits>> {
        let mut found = BTreeMap::new();
        let statement = &conflicts.template.edges[conflicts.edge].statement;
        let own = expected_constant(statement);
        if own.is_none() && !matches!(statement, Statement::Load { .. }) {
            return found;
        }
        for (&site, pairs) in &conflicts.with {
            let values: Option<BTreeSet<Bits>> = pairs
                .iter()
                .map(|&(footprint, other, other_footprint)| {
                    let statement = &self.movers.edge(other).statement;
                    if matches!(statement, Statement::Load { .. }) {
                        own
                    } else if footprint.target.is_same_cell(other_footprint.target) {
                        expected_constant(statement)
                    } else {
                        None
                    }
                })
                .collect();
            let fits = |value: &Bits| value.width == 8 * size && matches!(size, 1 | 2 | 4 | 8);
            if let Some(mut values) = values {
                values.extend(own);
                if values.iter().all(fits) {
                    found.insert(site, values);
                }
            }
        }
        found
    }

    /// The instructions of other threads that may change these variables.
    fn writers(
        &self,
        conflicts: &Conflicts<'_>,
        cells: BTreeSet<(GlobalId, u32)>,
    ) -> BTreeSet<SiteId> {
        let mut found = BTreeSet::new();
        for cell in cells {
            for &occurrence in &conflicts.own {
                let cell = cell_read(&self.movers.context, occurrence.instance, cell);
                for (other, footprint) in self.movers.footprints.overlapping(cell) {
                    if footprint.kind.writes()
                        && other.instance != occurrence.instance
                        && self.movers.concurrent(occurrence, other)
                    {
                        found.insert(self.movers.edge(other).site);
                    }
                }
            }
        }
        found
    }
}

/// The constant that a compare-and-swap expects, if the statement is one.
fn expected_constant(statement: &Statement) -> Option<Bits> {
    if let Statement::CompareExchange {
        expected: Operand::Constant(bits),
        ..
    } = statement
    {
        Some(*bits)
    } else {
        None
    }
}
