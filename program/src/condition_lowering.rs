//! What has to be asked about other threads and about memory to find out whether a condition holds under which a statement
//! moves ([`Condition`]).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use crate::future_accesses::{
    FutureAccesses, first_locks, future_accesses, reaching_any, reaching_without_locks,
};
use crate::model::{
    Bits, BothMoverCondition, ConflictTest, FutureAccess, LocationId, MonotonicAtomic, NoAlias,
    Operand, Program, TemplateId,
};

/// What has to be asked to find out whether a condition fails: it does if one of the answers is yes. The program has no marks.
pub fn conflict_tests(program: &Program, condition: &BothMoverCondition) -> Vec<ConflictTest> {
    ConditionLowering::new(program).conflict_tests(condition)
}

/// The instructions that others may get to, in different ways.
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
        let with_address = condition.apart.iter().map(|apart| apart.others.clone());
        let without_lock = condition
            .locked
            .iter()
            .map(|locked| [&locked.others, &locked.locks].map(Clone::clone));
        Self {
            any: condition.unreached.clone(),
            with_address: with_address.collect(),
            without_lock: without_lock.collect(),
        }
    }
}

/// What is known of the accesses at certain instructions, by template.
type Traced = BTreeMap<BTreeSet<SiteId>, BTreeMap<TemplateId, FutureAccesses>>;

/// The locations that questions ask about, each found once.
pub struct ConditionLowering<'a> {
    program: &'a Program,
    touches: Traced,
    locks: Traced,
    reaching: BTreeMap<Ways, BTreeMap<TemplateId, BTreeSet<LocationId>>>,
}

impl<'a> ConditionLowering<'a> {
    /// Nothing is known yet. The program has no marks.
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            touches: BTreeMap::new(),
            locks: BTreeMap::new(),
            reaching: BTreeMap::new(),
        }
    }

    /// What has to be asked for a condition, without questions whose answer is always no.
    pub fn conflict_tests(&mut self, condition: &BothMoverCondition) -> Vec<ConflictTest> {
        let ways = Ways::of(condition);
        let mut questions = contents(&condition.differs);
        for NoAlias {
            address,
            size,
            others,
            ..
        } in &condition.apart
        {
            let known = known(self.touches(others));
            questions.push(ConflictTest::MayAlias {
                address: *address,
                size: *size,
                touches: self.outside_of(known, &ways),
            });
        }
        for locked in &condition.locked {
            let known = known(self.locks(&locked.locks));
            let known = self.on_the_way(known, &locked.others);
            questions.push(ConflictTest::MayLockOther {
                address: locked.mutex,
                touches: self.outside_of(known, &ways),
            });
        }
        questions.push(ConflictTest::Unstarted(self.unknown_before_start(&ways)));
        questions.push(ConflictTest::CanReach(self.reaching(&ways).clone()));
        questions.retain(|question| match question {
            ConflictTest::CanReach(locations) => !locations.is_empty(),
            ConflictTest::Unstarted(templates) => !templates.is_empty(),
            ConflictTest::MayAlias { touches, .. } | ConflictTest::MayLockOther { touches, .. } => {
                !touches.is_empty()
            }
            ConflictTest::CellHolds { .. } => true,
        });
        questions
    }

    /// Where a condition fails while another thread is there, whatever anybody holds.
    pub fn failing(
        &mut self,
        condition: &BothMoverCondition,
    ) -> &BTreeMap<TemplateId, BTreeSet<LocationId>> {
        self.reaching(&Ways::of(condition))
    }

    /// The locations from where others get to the instructions, whatever they hold.
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
            for (id, touches) in self.touches(sites) {
                found.entry(*id).or_default().extend(&touches.unknown);
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

    /// The templates whose threads may get to the instructions with parameters that are not known before they are started.
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
            let unknown = addresses.any(|sites| self.touches(sites)[&id].unknown_before_start)
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

    /// Those from where the answer is not yes anyway.
    fn outside_of(&mut self, touches: Vec<FutureAccess>, ways: &Ways) -> Vec<FutureAccess> {
        let reaching = self.reaching(ways);
        from_where(touches, |template, location| {
            let reaching = reaching.get(&template);
            reaching.is_none_or(|reaching| !reaching.contains(location))
        })
    }

    /// Those from where a thread gets to the instructions that a mutex protects.
    fn on_the_way(
        &self,
        touches: Vec<FutureAccess>,
        sites: &BTreeSet<SiteId>,
    ) -> Vec<FutureAccess> {
        let templates = self.program.templates.iter();
        let relevant: BTreeMap<TemplateId, BTreeSet<LocationId>> = templates
            .map(|(id, template)| (id, reaching_any(template, sites)))
            .collect();
        from_where(touches, |template, location| {
            relevant[&template].contains(location)
        })
    }

    fn touches(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, FutureAccesses> {
        traced(&mut self.touches, self.program, sites, future_accesses)
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
fn known(touches: &BTreeMap<TemplateId, FutureAccesses>) -> Vec<FutureAccess> {
    let known = touches.values().flat_map(|touches| &touches.known);
    known.cloned().collect()
}

/// What is left where only certain places count.
fn from_where(
    mut touches: Vec<FutureAccess>,
    counts: impl Fn(TemplateId, &LocationId) -> bool,
) -> Vec<FutureAccess> {
    for touch in &mut touches {
        let template = touch.template;
        touch
            .locations
            .retain(|location| counts(template, location));
    }
    touches.retain(|touch| !touch.locations.is_empty());
    touches
}

/// Whether memory still holds values that it has to differ from, one question for each address.
fn contents(differs: &BTreeSet<MonotonicAtomic>) -> Vec<ConflictTest> {
    let mut values: BTreeMap<Operand, BTreeSet<Bits>> = BTreeMap::new();
    for MonotonicAtomic { address, value, .. } in differs {
        values.entry(*address).or_default().insert(*value);
    }
    let questions = values.into_iter();
    questions
        .map(|(address, values)| ConflictTest::CellHolds { address, values })
        .collect()
}
