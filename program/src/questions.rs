//! What has to be asked about other threads and about memory to find out whether a condition holds under which a statement
//! moves ([`Condition`]).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use crate::model::{
    Apart, Bits, Condition, Differs, LocationId, Locked, Operand, Program, Question, Template,
    TemplateId, Touch,
};
use crate::touches::{Touches, first_locks, reaching_without_locks, touches};

/// What has to be asked to find out whether a condition fails: it does if one of the answers is yes. The program has no marks.
pub fn questions(program: &Program, condition: &Condition) -> Vec<Question> {
    Answers::new(program).questions(condition)
}

/// What a question is about, before the locations where the answer is yes are known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// Whether others can get to certain instructions from where they are.
    Reach(Ways),
    /// The same for threads that were not started, as far as it depends on their parameters.
    Start(Ways),
    /// Whether others can get to some instructions with an address such that the accesses overlap, from where they cannot
    /// get to certain instructions anyway.
    Overlap(Apart, Ways),
    /// Whether others can get to some instructions by taking another mutex, with the same exception.
    Unlocked(Locked, Ways),
    /// Whether memory holds one of these values.
    Holds(Operand, BTreeSet<Bits>),
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

/// What has to be asked for a condition.
fn about(condition: &Condition) -> Vec<About> {
    let Condition {
        unreached,
        apart,
        differs,
        locked,
    } = condition;
    let mut values: BTreeMap<Operand, BTreeSet<Bits>> = BTreeMap::new();
    for Differs { address, value, .. } in differs {
        values.entry(*address).or_default().insert(*value);
    }
    let holds = values.into_iter();
    let mut about: Vec<About> = holds
        .map(|(address, values)| About::Holds(address, values))
        .collect();
    let with_address = apart.iter().map(|apart| apart.others.clone());
    let without_lock = locked
        .iter()
        .map(|locked| [&locked.others, &locked.locks].map(Clone::clone));
    let ways = Ways {
        any: unreached.clone(),
        with_address: with_address.collect(),
        without_lock: without_lock.collect(),
    };
    let apart = apart.iter().cloned();
    about.extend(apart.map(|apart| About::Overlap(apart, ways.clone())));
    let locked = locked.iter().cloned();
    about.extend(locked.map(|locked| About::Unlocked(locked, ways.clone())));
    if ways != Ways::default() {
        about.extend([About::Start(ways.clone()), About::Reach(ways)]);
    }
    about
}

/// The locations that questions ask about, each found once.
pub(crate) struct Answers<'a> {
    program: &'a Program,
    touches: BTreeMap<BTreeSet<SiteId>, BTreeMap<TemplateId, Touches>>,
    locks: BTreeMap<BTreeSet<SiteId>, BTreeMap<TemplateId, Touches>>,
    reaching: BTreeMap<Ways, BTreeMap<TemplateId, BTreeSet<LocationId>>>,
}

impl<'a> Answers<'a> {
    pub fn new(program: &'a Program) -> Self {
        Self {
            program,
            touches: BTreeMap::new(),
            locks: BTreeMap::new(),
            reaching: BTreeMap::new(),
        }
    }

    /// What has to be asked for a condition, without questions whose answer is always no.
    pub fn questions(&mut self, condition: &Condition) -> Vec<Question> {
        let about = about(condition).into_iter();
        let questions = about.map(|about| self.question(&about));
        let mut questions: Vec<Question> = questions.collect();
        questions.retain(|question| match question {
            Question::At(locations) => !locations.is_empty(),
            Question::Unstarted(templates) => !templates.is_empty(),
            Question::Touch { touches, .. } | Question::Elsewhere { touches, .. } => {
                !touches.is_empty()
            }
            Question::Holds { .. } => true,
        });
        questions
    }

    fn question(&mut self, about: &About) -> Question {
        match about {
            About::Reach(ways) => Question::At(self.reaching(ways).clone()),
            About::Start(ways) => Question::Unstarted(self.unknown_before_start(ways)),
            About::Overlap(apart, ways) => {
                let known = self.touches(&apart.others).values();
                let touches = known.flat_map(|touches| touches.known.clone()).collect();
                Question::Touch {
                    address: apart.address,
                    size: apart.size,
                    touches: self.outside_of(touches, ways),
                }
            }
            About::Unlocked(locked, ways) => {
                let known = self.locks(&locked.locks).values();
                let touches = known.flat_map(|touches| touches.known.clone()).collect();
                let touches = self.on_the_way(touches, locked);
                Question::Elsewhere {
                    address: locked.mutex,
                    touches: self.outside_of(touches, ways),
                }
            }
            About::Holds(address, values) => Question::Holds {
                address: *address,
                values: values.clone(),
            },
        }
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
    fn outside_of(&mut self, mut touches: Vec<Touch>, ways: &Ways) -> Vec<Touch> {
        let reaching = self.reaching(ways);
        for touch in &mut touches {
            if let Some(reaching) = reaching.get(&touch.template) {
                touch
                    .locations
                    .retain(|location| !reaching.contains(location));
            }
        }
        touches.retain(|touch| !touch.locations.is_empty());
        touches
    }

    /// Those from where a thread gets to the instructions that the mutex protects.
    fn on_the_way(&self, mut touches: Vec<Touch>, locked: &Locked) -> Vec<Touch> {
        for touch in &mut touches {
            let template = &self.program.templates[touch.template];
            let relevant = reaching_any(template, &locked.others);
            touch
                .locations
                .retain(|location| relevant.contains(location));
        }
        touches.retain(|touch| !touch.locations.is_empty());
        touches
    }

    fn touches(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, Touches> {
        let program = self.program;
        self.touches.entry(sites.clone()).or_insert_with(|| {
            let templates = program.templates.keys();
            templates
                .map(|id| (id, touches(program, id, sites)))
                .collect()
        })
    }

    fn locks(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, Touches> {
        let program = self.program;
        self.locks.entry(sites.clone()).or_insert_with(|| {
            let templates = program.templates.keys();
            templates
                .map(|id| (id, first_locks(program, id, sites)))
                .collect()
        })
    }
}

/// The locations from which a run may get to a statement of one of the instructions.
pub fn reaching_any(template: &Template, sites: &BTreeSet<SiteId>) -> BTreeSet<LocationId> {
    let mut sources: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    let mut open = Vec::new();
    for edge in template.edges.values() {
        sources.entry(edge.target).or_default().push(edge.source);
        if sites.contains(&edge.site) && !edge.statement.is_private() {
            open.push(edge.source);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(location) = open.pop() {
        if found.insert(location) {
            open.extend(sources.get(&location).into_iter().flatten());
        }
    }
    found
}
