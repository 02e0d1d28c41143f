//! Lowers dynamic both-moving conditions ([`BothMoverCondition`]) to conflict tests, which look at other threads and at memory.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use crate::future_accesses::{
    FutureAccesses, first_locks, future_accesses, reaching_any, reaching_without_locks,
};
use program::model::{
    Bits, BothMoverCondition, ConflictTest, FutureAccess, LocationId, MonotonicAtomic, NoAlias,
    Operand, Program, TemplateId,
};

/// The instructions that other threads may reach, in different ways.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Ways {
    /// In any way.
    any: BTreeSet<SiteId>,
    /// With an address that is not known.
    with_address: Vec<BTreeSet<SiteId>>,
    /// Without taking a mutex at one of the other instructions, or by taking one that is not known.
    without_lock: Vec<[BTreeSet<SiteId>; 2]>,
}

impl Ways {
    fn of(condition: &BothMoverCondition) -> Self {
        // Contents of memory are no matter of where other threads are.
        let BothMoverCondition {
            unreached,
            apart,
            differs: _,
            locked,
        } = condition;
        let with_address = apart.iter().map(|apart| apart.others.clone());
        let without_lock = locked
            .iter()
            .map(|locked| [&locked.others, &locked.locks].map(Clone::clone));
        Self {
            any: unreached.clone(),
            with_address: with_address.collect(),
            without_lock: without_lock.collect(),
        }
    }
}

/// What is known of the accesses at certain instructions, by template.
type Traced = BTreeMap<BTreeSet<SiteId>, BTreeMap<TemplateId, FutureAccesses>>;

/// The locations from where threads may reach conflicting statements, each found once.
pub(crate) struct ConditionLowering<'a> {
    program: &'a Program,
    accesses: Traced,
    locks: Traced,
    reaching: BTreeMap<Ways, BTreeMap<TemplateId, BTreeSet<LocationId>>>,
}

impl<'a> ConditionLowering<'a> {
    /// Nothing is found yet. The program has no phase annotations.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            accesses: BTreeMap::new(),
            locks: BTreeMap::new(),
            reaching: BTreeMap::new(),
        }
    }

    /// The tests of a condition, without those that never find a conflict.
    pub fn conflict_tests(&mut self, condition: &BothMoverCondition) -> Vec<ConflictTest> {
        let ways = Ways::of(condition);
        let BothMoverCondition {
            unreached: _, // It is among the ways.
            apart,
            differs,
            locked,
        } = condition;
        let mut tests = contents(differs);
        for NoAlias {
            address,
            size,
            others,
            ..
        } in apart
        {
            let known = known(self.accesses(others));
            tests.push(ConflictTest::MayAlias {
                address: *address,
                size: *size,
                accesses: self.outside_of(known, &ways),
            });
        }
        for locked in locked {
            let known = known(self.locks(&locked.locks));
            let known = self.on_the_way(known, &locked.others);
            tests.push(ConflictTest::MayLockOther {
                address: locked.mutex,
                accesses: self.outside_of(known, &ways),
            });
        }
        tests.push(ConflictTest::Unstarted(self.unknown_before_start(&ways)));
        tests.push(ConflictTest::CanReach(self.reaching(&ways).clone()));
        tests.retain(|test| match test {
            ConflictTest::CanReach(locations) => !locations.is_empty(),
            ConflictTest::Unstarted(templates) => !templates.is_empty(),
            ConflictTest::MayAlias { accesses, .. }
            | ConflictTest::MayLockOther { accesses, .. } => !accesses.is_empty(),
            ConflictTest::CellHolds { .. } => true,
        });
        tests
    }

    /// The locations at which another thread makes a condition fail, for all values of registers and memory.
    pub fn failing(
        &mut self,
        condition: &BothMoverCondition,
    ) -> &BTreeMap<TemplateId, BTreeSet<LocationId>> {
        self.reaching(&Ways::of(condition))
    }

    /// The locations from where other threads reach the instructions, whatever their registers hold.
    fn reaching(&mut self, ways: &Ways) -> &BTreeMap<TemplateId, BTreeSet<LocationId>> {
        if !self.reaching.contains_key(ways) {
            let found = self.find_reaching(ways);
            self.reaching.insert(ways.clone(), found);
        }
        &self.reaching[ways]
    }

    fn find_reaching(&mut self, ways: &Ways) -> BTreeMap<TemplateId, BTreeSet<LocationId>> {
        let program = self.program;
        let templates = program.templates.iter();
        let mut found: BTreeMap<_, _> = templates
            .map(|(id, template)| (id, reaching_any(template, &ways.any)))
            .collect();
        for sites in &ways.with_address {
            for (id, accesses) in self.accesses(sites) {
                found.entry(*id).or_default().extend(&accesses.unknown);
            }
        }
        for [sites, locks] in &ways.without_lock {
            for (id, template) in &program.templates {
                let all = found.entry(id).or_default();
                all.extend(reaching_without_locks(template, sites, locks));
                let relevant = reaching_any(template, sites);
                let unknown = &self.locks(locks)[&id].unknown;
                all.extend(unknown.intersection(&relevant));
            }
        }
        found.retain(|_, locations| !locations.is_empty());
        found
    }

    /// The templates whose threads may reach the instructions with parameters that are not known before they are started.
    fn unknown_before_start(&mut self, ways: &Ways) -> BTreeSet<TemplateId> {
        let program = self.program;
        let reaching = self.reaching(ways).clone();
        let mut found = BTreeSet::new();
        for (id, template) in &program.templates {
            let at_entry = |locations: &BTreeSet<_>| locations.contains(&template.entry);
            if reaching.get(&id).is_some_and(at_entry) {
                continue;
            }
            let mut addresses = ways.with_address.iter();
            let mut locks = ways.without_lock.iter();
            let unknown = addresses.any(|sites| self.accesses(sites)[&id].unknown_before_start)
                || locks.any(|[sites, locks]| {
                    self.locks(locks)[&id].unknown_before_start
                        && at_entry(&reaching_any(template, sites))
                });
            if unknown {
                found.insert(id);
            }
        }
        found
    }

    /// Those from where there is not a conflict in any case.
    fn outside_of(&mut self, accesses: Vec<FutureAccess>, ways: &Ways) -> Vec<FutureAccess> {
        let reaching = self.reaching(ways);
        from_where(accesses, |template, location| {
            let reaching = reaching.get(&template);
            reaching.is_none_or(|reaching| !reaching.contains(location))
        })
    }

    /// Those from where a thread reaches the instructions that a mutex protects.
    fn on_the_way(
        &self,
        accesses: Vec<FutureAccess>,
        sites: &BTreeSet<SiteId>,
    ) -> Vec<FutureAccess> {
        let templates = self.program.templates.iter();
        let relevant: BTreeMap<TemplateId, BTreeSet<LocationId>> = templates
            .map(|(id, template)| (id, reaching_any(template, sites)))
            .collect();
        from_where(accesses, |template, location| {
            relevant[&template].contains(location)
        })
    }

    fn accesses(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, FutureAccesses> {
        traced(&mut self.accesses, self.program, sites, future_accesses)
    }

    fn locks(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, FutureAccesses> {
        traced(&mut self.locks, self.program, sites, first_locks)
    }
}

/// What is found for these instructions in each template, each found once.
fn traced<'a>(
    found: &'a mut Traced,
    program: &Program,
    sites: &BTreeSet<SiteId>,
    trace: fn(&Program, TemplateId, &BTreeSet<SiteId>) -> FutureAccesses,
) -> &'a BTreeMap<TemplateId, FutureAccesses> {
    found.entry(sites.clone()).or_insert_with(|| {
        let templates = program.templates.keys();
        templates
            .map(|id| (id, trace(program, id, sites)))
            .collect()
    })
}

/// Those with addresses that are known, of all templates.
fn known(accesses: &BTreeMap<TemplateId, FutureAccesses>) -> Vec<FutureAccess> {
    let known = accesses.values().flat_map(|accesses| &accesses.known);
    known.cloned().collect()
}

/// What is left where only certain places count.
fn from_where(
    mut accesses: Vec<FutureAccess>,
    counts: impl Fn(TemplateId, &LocationId) -> bool,
) -> Vec<FutureAccess> {
    for access in &mut accesses {
        let template = access.template;
        access
            .locations
            .retain(|location| counts(template, location));
    }
    accesses.retain(|access| !access.locations.is_empty());
    accesses
}

/// Whether memory still holds values that it has to differ from, one test for each address.
fn contents(differs: &BTreeSet<MonotonicAtomic>) -> Vec<ConflictTest> {
    let mut values: BTreeMap<Operand, BTreeSet<Bits>> = BTreeMap::new();
    for MonotonicAtomic { address, value, .. } in differs {
        values.entry(*address).or_default().insert(*value);
    }
    let tests = values.into_iter();
    tests
        .map(|(address, values)| ConflictTest::CellHolds { address, values })
        .collect()
}
