//! Dynamic both-moving conditions of statements that are non-movers (Sec. 4.1 and Def. 1 of the paper).
//!
//! A statement conflicts with certain instructions of other threads. Each of these is ruled out by what fits it best: a
//! compare-and-swap because memory holds another value than it expects, a statement because its thread has to take a mutex
//! first that this thread holds, an access because its address does not overlap, any statement because no thread can get to
//! it any more. While a thread stays, no statement of another thread makes such a condition false; `docs/reduction.md` says
//! why.

mod kind;
mod lock;
mod pointer;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use program::future_accesses::accessed;
use program::model::{
    Bits, BothMoverCondition, EdgeId, GlobalId, MonotonicAtomic, NoAlias, Operand, Statement,
    Template, TemplateId,
};

use crate::access::{Access, Occurrence};
use crate::mover_type::MoverType;
use crate::movers::{Analysis, same_cell};
use crate::reason::Classification;
use crate::regions::is_region;
use crate::stable_globals::cell_read;

pub use kind::ConditionKind;
pub(crate) use lock::Gates;
use pointer::Comparison;
pub(crate) use pointer::Origins;

/// How a statement moves while a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conditional {
    /// The mover type then.
    pub mover_type: MoverType,
    /// When.
    pub condition: BothMoverCondition,
}

/// A statement that other threads conflict with.
struct Conflicts<'a> {
    template: &'a Template,
    edge: EdgeId,
    /// The mover type of what it does beside touching memory.
    mover_type: MoverType,
    /// The conflicting accesses, by their instruction: the own one and that of the other thread.
    with: BTreeMap<SiteId, Vec<(Access, Occurrence, Access)>>,
    /// The threads of the template.
    own: Vec<Occurrence>,
}

impl Analysis<'_> {
    /// The non-movers of a template that move under a condition. Atomic regions are not among them.
    pub fn conditions(
        &self,
        id: TemplateId,
        movers: &BTreeMap<EdgeId, Classification>,
        kinds: &BTreeSet<ConditionKind>,
    ) -> BTreeMap<EdgeId, Conditional> {
        let template = &self.context.program.templates[id];
        let mut found = BTreeMap::new();
        for (&edge, mover) in movers {
            // What moves in one direction anyway gains little, and every condition is part of the transition relation.
            let inside = template.locations[template.edges[edge].source].atomic_depth > 0;
            if mover.mover_type != MoverType::Non || inside || is_region(template, edge) {
                continue;
            }
            let conflicts = self.conflicts(id, edge);
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

    /// What a statement conflicts with, whichever thread of the template executes it.
    fn conflicts(&self, id: TemplateId, edge: EdgeId) -> Conflicts<'_> {
        let instances = self.context.instances.by_template(id);
        let mut conflicts = Conflicts {
            template: &self.context.program.templates[id],
            edge,
            mover_type: MoverType::Both,
            with: BTreeMap::new(),
            own: instances
                .map(|instance| Occurrence { instance, edge })
                .filter(|&occurrence| !self.single_threaded(occurrence))
                .collect(),
        };
        for &occurrence in &conflicts.own {
            let own = self.own_mover(occurrence, self.edge(occurrence));
            conflicts.mover_type = conflicts.mover_type.meet(own.mover_type);
            for &access in self.accesses.of(occurrence) {
                for (other, other_access) in self.accesses.overlapping(access) {
                    let others = other.instance != occurrence.instance;
                    let pair = ((occurrence, access), (other, other_access));
                    if others && self.pair_mover(pair.0, pair.1).mover_type != MoverType::Both {
                        let site = self.edge(other).site;
                        let with = conflicts.with.entry(site).or_default();
                        with.push((access, other, other_access));
                    }
                }
            }
        }
        conflicts
    }

    /// A condition that rules out all conflicts, of the kinds that may be used.
    fn condition(
        &self,
        conflicts: &Conflicts<'_>,
        kinds: &BTreeSet<ConditionKind>,
    ) -> Option<BothMoverCondition> {
        let own = conflicts.own_access();
        let mut condition = BothMoverCondition::default();
        let mut comparison = Comparison::default();
        let mut cells = BTreeSet::new();
        let use_locks = kinds.contains(&ConditionKind::Lock);
        let mut locked = use_locks.then(|| self.held_mutex(conflicts)).flatten();
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
                && self.is_behind(locked, site, pairs)
            {
                locked.others.insert(site);
            } else if own.is_some()
                && kinds.contains(&ConditionKind::Pointer)
                && self.compare(&mut comparison, conflicts, site, pairs)
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
                self.gates
                    .of(self.context.program, &locked.locks)
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
                .map(|&(access, other, other_access)| {
                    let statement = &self.edge(other).statement;
                    if matches!(statement, Statement::Load { .. }) {
                        own
                    } else if same_cell(access.target, other_access.target) {
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

    /// The templates of the threads that a statement conflicts with.
    fn templates_of(&self, pairs: &[(Access, Occurrence, Access)]) -> BTreeSet<TemplateId> {
        let threads = pairs.iter().map(|(_, other, _)| other.instance);
        let templates = threads.map(|thread| self.context.instances.threads[thread].template);
        templates.collect()
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
                let cell = cell_read(&self.context, occurrence.instance, cell);
                for (other, access) in self.accesses.overlapping(cell) {
                    if access.kind.writes()
                        && other.instance != occurrence.instance
                        && self.concurrent(occurrence, other)
                    {
                        found.insert(self.edge(other).site);
                    }
                }
            }
        }
        found
    }
}

impl Conflicts<'_> {
    fn site(&self) -> SiteId {
        self.template.edges[self.edge].site
    }

    /// Address and size of the own access, if its instruction makes no other one and can be asked for the address before.
    fn own_access(&self) -> Option<(Operand, u32)> {
        let own = accessed(self.template, &self.template.edges[self.edge].statement)?;
        let edges = self.template.edges.values();
        let mut instruction = edges.filter(|edge| edge.site == self.site());
        let fits = |statement: &Statement| {
            let access = accessed(self.template, statement);
            let mut computes = false;
            statement.for_each_definition(|register| {
                computes |= own.0 == Operand::Register(register);
            });
            !computes && (statement.is_private() || access.is_some_and(|(at, _)| at == own.0))
        };
        instruction.all(|edge| fits(&edge.statement)).then_some(own)
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
