//! What stays fixed while blocks are executed symbolically, and the state variables of the system.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap};
use program::automaton::Outgoing;
use program::dataflow::Liveness;
use program::leaks::AddressWords;
use program::lifetimes::Lifetimes;
use program::model::{
    AddressSource, ConflictTest, EdgeId, Instances, LocationId, ObjectId, ObjectKind, Operand,
    Program, RegisterId, Statement, Template, TemplateId,
};
use program::points_to::PointsTo;
use system::term::{Sort, Value};

use crate::blocks::Cuts;
use crate::effects;
use crate::initial;
use crate::layout::{Cell, CellId, Layout, Writers};
use crate::options::Options;
use crate::semantics::path::{RegionId, Variable};
use crate::statement_accesses;

/// A template with what is known about its graph.
#[derive(Debug)]
pub struct Automaton {
    /// Outgoing edges.
    pub graph: Outgoing,
    /// Cut points.
    pub cuts: Cuts,
    /// Live registers.
    pub live: Liveness,
    /// The edges whose statements have an effect that other threads may observe.
    pub effects: EntitySet<EdgeId>,
    /// The locations that may be reached after an effect without an external location in between.
    pub after_effect: EntitySet<LocationId>,
}

impl Automaton {
    fn new(
        program: &Program,
        instances: &Instances,
        points_to: &PointsTo,
        layout: &Layout,
        id: TemplateId,
    ) -> Self {
        let template = &program.templates[id];
        let graph = Outgoing::new(template);
        let threads: Vec<InstanceId> = instances.by_template(id).collect();
        let effect = |edge: EdgeId| {
            let statement = &template.edges[edge].statement;
            effects::is_observable(statement)
                || threads.iter().any(|&thread| {
                    effects::writes_shared(
                        layout, instances, points_to, template, statement, thread,
                    )
                })
        };
        let cuts = Cuts::choose(template, &graph);
        let mut effects = EntitySet::new();
        effects.extend(template.edges.keys().filter(|&edge| effect(edge)));
        let after_effect = cuts.after_effect(template, &graph, &effects);
        let live = Liveness::new(template);
        Self {
            graph,
            cuts,
            live,
            effects,
            after_effect,
        }
    }
}

/// Cut points of a template that statements ask about together.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Region {
    /// The template.
    pub template: TemplateId,
    /// Not empty.
    pub locations: BTreeSet<LocationId>,
}

impl Region {
    /// The cut points among the locations: threads are nowhere else while others run.
    fn new(cuts: &Cuts, template: TemplateId, locations: &BTreeSet<LocationId>) -> Self {
        let cut_points = locations.iter().copied();
        Self {
            template,
            locations: cut_points
                .filter(|&location| cuts.kind(location).is_some())
                .collect(),
        }
    }
}

/// A program with its bounds and analyses.
#[derive(Debug)]
pub struct EncodingContext<'a> {
    /// The program.
    pub program: &'a Program,
    /// Threads and objects.
    pub instances: &'a Instances,
    /// Where pointers may point to.
    pub points_to: &'a PointsTo,
    /// Cells.
    pub layout: Layout,
    /// Per template.
    pub automata: PrimaryMap<TemplateId, Automaton>,
    /// Where leaks are looked for, if they are.
    pub address_words: Option<AddressWords>,
    /// The heap slots and locals whose liveness is part of the state.
    pub tracked: EntitySet<ObjectId>,
    /// The bounds of this crate.
    pub options: Options,
    /// The sets of locations that statements ask about, in order.
    pub regions: PrimaryMap<RegionId, Region>,
    /// The registers that statements of other threads ask about, by the region for which they do.
    pub held: BTreeSet<(RegionId, RegisterId)>,
    contents: BTreeMap<ObjectId, Vec<u8>>,
    creators: BTreeMap<InstanceId, Writers>,
    claimers: BTreeMap<InstanceId, Writers>,
    owned: PrimaryMap<InstanceId, Vec<Variable>>,
}

impl<'a> EncodingContext<'a> {
    /// Prepares a program.
    pub fn new(
        program: &'a Program,
        instances: &'a Instances,
        points_to: &'a PointsTo,
        options: Options,
    ) -> Self {
        let address_words = AddressWords::new(program, instances, points_to);
        let layout = Layout::new(
            program,
            instances,
            points_to,
            (options.cells_per_object, address_words.as_ref()),
        );
        let automaton = |id| Automaton::new(program, instances, points_to, &layout, id);
        let automata = program.templates.keys().map(automaton).collect();
        let regions = regions(program, &automata);
        let held = held(program, &automata, &regions);
        let mut context = Self {
            program,
            instances,
            points_to,
            layout,
            automata,
            address_words,
            tracked: tracked(program, instances, points_to),
            options,
            regions,
            held,
            contents: initial::contents(program, instances),
            creators: creators(program, instances),
            claimers: claimers(program, instances),
            owned: PrimaryMap::new(),
        };
        context.owned = instances
            .threads
            .keys()
            .map(|instance| context.find_owned(instance))
            .collect();
        context
    }

    /// The region of these locations; none if no thread lets others run at one of them.
    pub fn region(
        &self,
        template: TemplateId,
        locations: &BTreeSet<LocationId>,
    ) -> Option<RegionId> {
        region_of(&self.automata, &self.regions, template, locations)
    }

    /// All variables but program counters and registers.
    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        let threads = self.instances.threads.keys().flat_map(|instance| {
            [
                Variable::Started(instance),
                Variable::Exited(instance),
                Variable::Result(instance),
                Variable::Claimed(instance),
            ]
        });
        let numbers = self.instances.threads.keys();
        let numbers = numbers.filter(|&instance| self.is_representative(instance));
        let numbers = numbers.map(Variable::Number);
        let slots = self
            .instances
            .objects
            .iter()
            .filter(|(_, object)| is_heap(object.kind));
        let local = |object: &ObjectId| !is_heap(self.instances.objects[*object].kind);
        let scoped = self.tracked.iter().filter(local).map(Variable::Alive);
        let heap = slots.flat_map(|(object, _)| {
            [
                Variable::Alive(object),
                Variable::Size(object),
                Variable::Used(object),
            ]
        });
        let within = self.regions.iter().flat_map(|(region, content)| {
            let instances = self.instances.by_template(content.template);
            instances.map(move |instance| Variable::InRegion(instance, region))
        });
        let held = self.held.iter().flat_map(|&(region, register)| {
            let instances = self.instances.by_template(self.regions[region].template);
            instances.map(move |instance| Variable::RegisterInRegion(instance, region, register))
        });
        threads
            .chain(numbers)
            .chain(within)
            .chain(held)
            .chain(self.layout.cells.keys().map(Variable::Cell))
            .chain(heap)
            .chain(scoped)
    }

    /// The registers that hold the parameters of threads.
    pub fn parameters(&self) -> impl Iterator<Item = Variable> + '_ {
        let parameter = |instance| Some(Variable::Register(instance, self.parameter(instance)?));
        self.instances.threads.keys().filter_map(parameter)
    }

    /// The register that holds the parameter of a thread, if it is read.
    pub fn parameter(&self, instance: InstanceId) -> Option<RegisterId> {
        let template = self.template(instance);
        let live = self.automaton(instance).live.at(template.entry);
        template
            .parameters
            .first()
            .copied()
            .filter(|parameter| live.contains(parameter))
    }

    /// The variables but registers that only this thread changes.
    pub fn owned(&self, instance: InstanceId) -> &[Variable] {
        &self.owned[instance]
    }

    fn find_owned(&self, instance: InstanceId) -> Vec<Variable> {
        let is_own = |&variable: &Variable| self.writers(variable) == Writers::One(instance);
        self.variables()
            .filter(|variable| match variable {
                Variable::Started(_)
                | Variable::Claimed(_)
                | Variable::Cell(_)
                | Variable::Alive(_)
                | Variable::Size(_)
                | Variable::Used(_) => true,
                Variable::Pc(_)
                | Variable::Exited(_)
                | Variable::InRegion(..)
                | Variable::RegisterInRegion(..)
                | Variable::Register(..)
                | Variable::Number(_)
                | Variable::Result(_) => false,
            })
            .filter(is_own)
            .collect()
    }

    /// Which threads may change a variable.
    pub fn writers(&self, variable: Variable) -> Writers {
        let of = |map: &BTreeMap<InstanceId, Writers>, thread| {
            map.get(&thread).copied().unwrap_or_default()
        };
        match variable {
            Variable::Started(started) => of(&self.creators, started),
            Variable::Claimed(claimed) => of(&self.claimers, claimed),
            Variable::Cell(cell) => self.layout.writers(self.layout.cells[cell].object),
            Variable::Alive(object) => match self.instances.owner(object) {
                Some(owner) => Writers::One(owner),
                None => self.layout.writers(object),
            },
            Variable::Size(object) | Variable::Used(object) => self.layout.writers(object),
            Variable::Pc(instance)
            | Variable::Exited(instance)
            | Variable::InRegion(instance, _)
            | Variable::RegisterInRegion(instance, ..)
            | Variable::Number(instance)
            | Variable::Result(instance) => Writers::One(instance),
            // Who starts a thread writes the parameter.
            Variable::Register(..) => Writers::Many,
        }
    }

    /// The first content of a cell; `None` if it is arbitrary.
    pub fn initial_content(&self, cell: CellId) -> Option<Value> {
        let Cell {
            object,
            offset,
            size,
        } = self.layout.cells[cell];
        let bytes = self.contents.get(&object)?;
        let bytes = bytes.get(offset as usize..(offset + size) as usize)?;
        let value = bytes
            .iter()
            .rev()
            .fold(0, |value, &byte| value << 8 | u128::from(byte));
        Some(Value::BitVec(8 * size, value))
    }

    /// The template of an instance.
    pub fn template(&self, instance: InstanceId) -> &'a Template {
        &self.program.templates[self.instances.threads[instance].template]
    }

    /// The automaton of an instance.
    pub fn automaton(&self, instance: InstanceId) -> &Automaton {
        &self.automata[self.instances.threads[instance].template]
    }

    /// Whether an instance stands for one of any number of threads.
    pub fn is_representative(&self, instance: InstanceId) -> bool {
        let template = self.instances.threads[instance].template;
        self.program.is_representative(template)
    }

    /// The sort of a variable.
    pub fn sort(&self, variable: Variable) -> Sort {
        match variable {
            Variable::Started(_)
            | Variable::Exited(_)
            | Variable::InRegion(..)
            | Variable::Claimed(_)
            | Variable::Alive(_) => Sort::Bool,
            Variable::Pc(_) | Variable::Number(_) => Sort::BitVec(32),
            Variable::RegisterInRegion(instance, _, register)
            | Variable::Register(instance, register) => {
                Sort::BitVec(self.template(instance).registers[register].width)
            }
            Variable::Result(_) => Sort::BitVec(self.instances.data_model.address_bits()),
            Variable::Cell(cell) => Sort::BitVec(8 * self.layout.cells[cell].size),
            Variable::Size(object) => {
                Sort::BitVec(bits_for(u128::from(self.instances.objects[object].size)))
            }
            Variable::Used(first) => Sort::BitVec(bits_for(self.pool_of(first).count() as u128)),
        }
    }

    /// The slots of the pool that a heap slot belongs to.
    pub fn pool_of(&self, slot: ObjectId) -> impl Iterator<Item = ObjectId> {
        let pool = |kind| match kind {
            ObjectKind::Heap { pool, .. } => Some(pool),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
        };
        let wanted = pool(self.instances.objects[slot].kind);
        self.instances
            .objects
            .iter()
            .filter(move |(_, object)| pool(object.kind) == wanted)
            .map(|(id, _)| id)
    }
}

/// Which threads may join or detach each thread.
fn claimers(program: &Program, instances: &Instances) -> BTreeMap<InstanceId, Writers> {
    let mut claimers: BTreeMap<InstanceId, Writers> = BTreeMap::new();
    for (claimer, thread) in instances.threads.iter() {
        let template = &program.templates[thread.template];
        let claims = template.edges.values();
        for handle in claims.filter_map(|edge| edge.statement.effects().claimed()) {
            let own = template.is_own_handle(handle);
            let claimed = instances.threads.keys();
            for claimed in claimed.filter(|&claimed| !own || claimed == claimer) {
                claimers.entry(claimed).or_default().add(claimer);
            }
        }
    }
    claimers
}

/// Which threads may start each thread.
fn creators(program: &Program, instances: &Instances) -> BTreeMap<InstanceId, Writers> {
    let mut creators: BTreeMap<InstanceId, Writers> = BTreeMap::new();
    for (creator, thread) in instances.threads.iter() {
        for edge in program.templates[thread.template].edges.values() {
            if let Statement::Create { start, .. } = edge.statement {
                for started in instances.start_candidates(program, start) {
                    creators.entry(started).or_default().add(creator);
                }
            }
        }
    }
    creators
}

/// The number of bits of a bit-vector that can hold `maximum`.
pub fn bits_for(maximum: u128) -> u32 {
    (u128::BITS - maximum.leading_zeros()).max(1)
}

/// The objects for which the state says whether they are alive. All heap slots, if anything is freed or an access may
/// have an address that was not derived from an allocation; otherwise no thread can have the address of a slot before
/// the slot is allocated. Locals, if an access, or a comparison of their addresses, may come after their lifetimes.
fn tracked(program: &Program, instances: &Instances, points_to: &PointsTo) -> EntitySet<ObjectId> {
    let lifetimes = Lifetimes::new(program);
    let mut unsafe_access = false;
    let mut tracked = EntitySet::new();
    for (instance, thread) in instances.threads.iter() {
        let template = &program.templates[thread.template];
        for edge in template.edges.values() {
            unsafe_access |= matches!(
                edge.statement,
                Statement::Free { .. } | Statement::Size { .. } | Statement::FindLeak(_)
            );
            let compared = lifetimes.asked_for(program, instances, points_to, (instance, edge));
            tracked.extend(compared.into_iter().filter(|&object| {
                lifetimes.may_be_over(instances, (instance, edge.source), object)
            }));
            for access in statement_accesses::accessed_bytes(template, &edge.statement) {
                let targets = points_to.targets(instance, access.address);
                unsafe_access |= targets.other;
                let objects = targets.objects.iter().map(|&(object, _)| object);
                tracked.extend(objects.filter(|&object| {
                    lifetimes.may_be_over(instances, (instance, edge.source), object)
                }));
            }
        }
    }
    let heap = |object: &ObjectId| is_heap(instances.objects[*object].kind);
    for object in instances
        .objects
        .keys()
        .filter(|object| unsafe_access && heap(object))
    {
        tracked.insert(object);
    }
    tracked
}

fn is_heap(kind: ObjectKind) -> bool {
    matches!(kind, ObjectKind::Heap { .. })
}

/// The conflict tests of a program.
fn tests(program: &Program) -> impl Iterator<Item = &ConflictTest> {
    let templates = program.templates.values();
    let statements = templates.flat_map(|template| template.edges.values());
    statements.flat_map(|edge| {
        if let Statement::TestConflicts { tests, .. } = &edge.statement {
            &tests[..]
        } else {
            &[]
        }
    })
}

/// All sets of locations that statements of a program ask about, each once.
fn regions(
    program: &Program,
    automata: &PrimaryMap<TemplateId, Automaton>,
) -> PrimaryMap<RegionId, Region> {
    let mut found = BTreeSet::new();
    let mut add = |template: TemplateId, locations: &BTreeSet<LocationId>| {
        found.insert(Region::new(&automata[template].cuts, template, locations));
    };
    for test in tests(program) {
        match test {
            ConflictTest::CanReach(locations) => {
                locations.iter().for_each(|(&id, region)| add(id, region))
            }
            ConflictTest::MayAlias { accesses, .. }
            | ConflictTest::MayLockOther { accesses, .. } => accesses
                .iter()
                .for_each(|access| add(access.template, &access.locations)),
            ConflictTest::Unstarted(_) | ConflictTest::CellHolds { .. } => {}
        }
    }
    found.retain(|region| !region.locations.is_empty());
    found.into_iter().collect()
}

/// The region of these locations of a template; none if no thread lets others run at one of them.
fn region_of(
    automata: &PrimaryMap<TemplateId, Automaton>,
    regions: &PrimaryMap<RegionId, Region>,
    template: TemplateId,
    locations: &BTreeSet<LocationId>,
) -> Option<RegionId> {
    let wanted = Region::new(&automata[template].cuts, template, locations);
    let found = regions.as_values_slice().binary_search(&wanted);
    found.ok().map(RegionId::new)
}

/// The registers of other threads that statements ask about.
fn held(
    program: &Program,
    automata: &PrimaryMap<TemplateId, Automaton>,
    regions: &PrimaryMap<RegionId, Region>,
) -> BTreeSet<(RegionId, RegisterId)> {
    let mut found = BTreeSet::new();
    for test in tests(program) {
        let (ConflictTest::MayAlias { accesses, .. } | ConflictTest::MayLockOther { accesses, .. }) =
            test
        else {
            continue;
        };
        for access in accesses {
            let region = region_of(automata, regions, access.template, &access.locations);
            if let (AddressSource::Operand(Operand::Register(register)), Some(region)) =
                (access.pointer, region)
            {
                found.insert((region, register));
            }
        }
    }
    found
}
