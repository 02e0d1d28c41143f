//! Backward address analysis: for each location, the symbolic addresses with which a thread there may still perform given accesses.
//!
//! An address is followed back through copies and constant offsets to registers, and from a register to the variable that it is
//! loaded from. Where a run may still give the register another value, that value is followed as well; a value that is
//! computed in another way is not known there.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use cranelift_entity::{EntitySet, SecondaryMap};

use program::automaton::Outgoing;
use program::model::{
    AddressSource, DataModel, Edge, EdgeId, FutureAccess, LocationId, MutexOperation, Operand,
    Operation, Place, Program, RegisterId, Statement, Template, TemplateId,
};

/// How many values are followed for one access before it counts as unknown.
const LIMIT: usize = 64;

/// The given accesses that a thread of a template may still perform, by where it is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct FutureAccesses {
    /// Those whose symbolic addresses are known.
    pub known: Vec<FutureAccess>,
    /// The locations from where a thread may reach one whose address is not known there.
    pub unknown: BTreeSet<LocationId>,
    /// Whether a thread that was not started may reach one whose address is not known before.
    pub unknown_before_start: bool,
}

impl FutureAccesses {
    /// The bases of the known addresses.
    pub fn address_sources(&self) -> impl Iterator<Item = AddressSource> {
        self.known.iter().map(|touch| touch.pointer)
    }
}

/// The address of a memory access and its size in bytes; none for statements that do anything but access one cell.
/// An operation on a mutex is no such access, nor is one that may need the word around its bytes.
pub(crate) fn accessed(template: &Template, statement: &Statement) -> Option<(Operand, u32)> {
    let effects = statement.effects();
    let access = effects.access.filter(|access| {
        effects.thread.is_none() && effects.mutex().is_none() && !access.may_divide_words()
    })?;
    Some((access.address, access.size(template)))
}

/// The address of a memory access or an operation on a mutex, and the size in bytes.
fn touched(template: &Template, statement: &Statement) -> Option<(Operand, u32)> {
    if let Statement::Mutex { mutex, .. } = *statement {
        Some((mutex, template.data_model.mutex().size))
    } else {
        accessed(template, statement)
    }
}

/// Whether a statement waits for a mutex and takes it.
pub(crate) fn is_lock(statement: &Statement) -> bool {
    statement.effects().mutex() == Some(MutexOperation::Lock)
}

/// The accesses of a template at these instructions.
pub(crate) fn future_accesses(
    program: &Program,
    id: TemplateId,
    sites: &BTreeSet<SiteId>,
) -> FutureAccesses {
    future_accesses_along(program, id, sites, &Backwards::new(&program.templates[id]))
}

/// The acquisitions of mutexes of a template at these instructions that a thread reaches before any other one of them.
pub(crate) fn first_locks(
    program: &Program,
    id: TemplateId,
    locks: &BTreeSet<SiteId>,
) -> FutureAccesses {
    let graph = Backwards::without_locks(&program.templates[id], locks);
    future_accesses_along(program, id, locks, &graph)
}

/// The locations from which a thread may reach one of some instructions.
pub(crate) fn reaching_any(template: &Template, sites: &BTreeSet<SiteId>) -> BTreeSet<LocationId> {
    reaching_without_locks(template, sites, &BTreeSet::new())
}

/// The locations from which a thread may reach one of some instructions without acquiring a mutex at one of some others before.
pub(crate) fn reaching_without_locks(
    template: &Template,
    sites: &BTreeSet<SiteId>,
    locks: &BTreeSet<SiteId>,
) -> BTreeSet<LocationId> {
    let graph = Backwards::without_locks(template, locks);
    let edges = template.edges.values();
    let wanted = edges.filter(|edge| sites.contains(&edge.site) && !edge.statement.is_private());
    let found = graph.before(wanted.map(|edge| edge.source), None);
    found.iter().collect()
}

/// The instructions that a thread may reach from its start without acquiring a mutex at one of some instructions before.
pub(crate) fn reached_without_locks(
    template: &Template,
    locks: &BTreeSet<SiteId>,
) -> BTreeSet<SiteId> {
    let outgoing = Outgoing::passing(template, |edge| !takes(edge, locks));
    let reached = outgoing.reachable(template, [template.entry]);
    let edges = template.edges.values();
    let visible = edges.filter(|edge| !edge.statement.is_private());
    let sites = visible.filter(|edge| reached.contains(edge.source));
    sites.map(|edge| edge.site).collect()
}

/// Whether an edge acquires a mutex at one of some instructions.
fn takes(edge: &Edge, locks: &BTreeSet<SiteId>) -> bool {
    locks.contains(&edge.site) && is_lock(&edge.statement)
}

fn future_accesses_along(
    program: &Program,
    id: TemplateId,
    sites: &BTreeSet<SiteId>,
    graph: &Backwards<'_>,
) -> FutureAccesses {
    let template = &program.templates[id];
    let mut found = FutureAccesses::default();
    let mut known: BTreeMap<(AddressSource, u64, u32), EntitySet<LocationId>> = BTreeMap::new();
    let mut unknown = EntitySet::new();
    for (edge, content) in &template.edges {
        if !sites.contains(&content.site) || content.statement.is_private() {
            continue;
        }
        let everywhere = graph.before([content.source], None);
        let traced = touched(template, &content.statement).and_then(|(address, size)| {
            let mut walk = BackwardWalk {
                program,
                template,
                graph,
                seen: BTreeSet::new(),
                known: BTreeMap::new(),
                unknown: EntitySet::new(),
                unknown_before_start: false,
            };
            walk.follow(edge, address, 0);
            (walk.seen.len() < LIMIT).then_some((walk, size))
        });
        match traced {
            Some((walk, size)) => {
                for ((pointer, offset), locations) in walk.known {
                    let all = known.entry((pointer, offset, size)).or_default();
                    all.extend(locations.iter());
                }
                unknown.extend(walk.unknown.iter());
                found.unknown_before_start |= walk.unknown_before_start;
            }
            None => unknown.extend(everywhere.iter()),
        }
    }
    found.unknown = unknown.iter().collect();
    for ((pointer, offset, size), locations) in known {
        let locations = locations.iter();
        let locations: BTreeSet<LocationId> = locations
            .filter(|&location| !unknown.contains(location))
            .collect();
        if !locations.is_empty() {
            found.known.push(FutureAccess {
                template: id,
                locations,
                pointer,
                offset,
                size,
            });
        }
    }
    found
}

/// A template's edges by target, and the definitions of its registers.
struct Backwards<'a> {
    template: &'a Template,
    incoming: SecondaryMap<LocationId, Vec<EdgeId>>,
    definitions: SecondaryMap<RegisterId, Vec<EdgeId>>,
}

impl<'a> Backwards<'a> {
    fn new(template: &'a Template) -> Self {
        Self::without_locks(template, &BTreeSet::new())
    }

    /// Without the acquisitions of mutexes at some instructions.
    fn without_locks(template: &'a Template, locks: &BTreeSet<SiteId>) -> Self {
        let mut incoming = SecondaryMap::<LocationId, Vec<EdgeId>>::new();
        let mut definitions = SecondaryMap::<RegisterId, Vec<EdgeId>>::new();
        for (id, edge) in &template.edges {
            if !takes(edge, locks) {
                incoming[edge.target].push(id);
            }
            edge.statement
                .for_each_definition(|register| definitions[register].push(id));
        }
        Self {
            template,
            incoming,
            definitions,
        }
    }

    /// The locations from which a run may reach one of these locations without giving the register a value.
    fn before(
        &self,
        locations: impl IntoIterator<Item = LocationId>,
        unless: Option<RegisterId>,
    ) -> EntitySet<LocationId> {
        let mut found = EntitySet::with_capacity(self.template.locations.len());
        let mut open: Vec<LocationId> = locations.into_iter().collect();
        while let Some(location) = open.pop() {
            if found.insert(location) {
                let defines = |edge: &&EdgeId| {
                    unless.is_some_and(|register| self.definitions[register].contains(edge))
                };
                let edges = self.incoming[location].iter();
                let passing = edges.filter(|edge| !defines(edge));
                open.extend(passing.map(|&edge| self.template.edges[edge].source));
            }
        }
        found
    }
}

/// How the address of one access is followed back.
struct BackwardWalk<'a> {
    program: &'a Program,
    template: &'a Template,
    graph: &'a Backwards<'a>,
    seen: BTreeSet<(EdgeId, Operand, u64)>,
    known: BTreeMap<(AddressSource, u64), EntitySet<LocationId>>,
    unknown: EntitySet<LocationId>,
    unknown_before_start: bool,
}

impl BackwardWalk<'_> {
    /// Follows the value of an operand at an edge that reads it.
    fn follow(&mut self, reader: EdgeId, operand: Operand, offset: u64) {
        if self.seen.len() >= LIMIT || !self.seen.insert((reader, operand, offset)) {
            return;
        }
        let source = self.template.edges[reader].source;
        let Operand::Register(register) = operand else {
            let locations = self.graph.before([source], None);
            return self.add(AddressSource::Operand(operand), offset, locations);
        };
        let mut live = self.graph.before([source], Some(register));
        let definitions = &self.graph.definitions[register];
        for &definition in definitions {
            let edge = &self.template.edges[definition];
            if live.contains(edge.target) {
                self.follow_definition(definition, edge, register, offset);
            }
        }
        let entry = self.template.entry;
        if live.contains(entry) {
            // Before its start a thread stands at its entry without values, and then with the one of its parameter.
            self.unknown_before_start = true;
            if !self.template.parameters.contains(&register) {
                live.remove(entry);
                self.unknown.insert(entry);
            }
        }
        self.add(AddressSource::Operand(operand), offset, live);
    }

    /// Follows the value that a definition gives a register.
    fn follow_definition(&mut self, id: EdgeId, edge: &Edge, register: RegisterId, offset: u64) {
        let statement = &edge.statement;
        if let Statement::Assign { operation, .. } = statement
            && let Some((operand, distance)) = moved(self.template.data_model, operation)
        {
            self.follow(id, operand, offset.wrapping_add(distance));
        } else if let Statement::ParallelAssign(moves) = statement {
            for &(_, operand) in moves.iter().filter(|(written, _)| *written == register) {
                self.follow(id, operand, offset);
            }
        } else {
            let locations = self.graph.before([edge.source], None);
            match self.cell(statement) {
                Some(cell) => self.add(cell, offset, locations),
                None => self.unknown.extend(locations.iter()),
            }
        }
    }

    /// The variable that a statement loads a pointer from.
    fn cell(&self, statement: &Statement) -> Option<AddressSource> {
        if let Statement::Load {
            address: Operand::Address(Place::Global(global), at),
            ..
        } = *statement
            && !self.program.globals[global].thread_local
        {
            Some(AddressSource::Cell(global, at))
        } else {
            None
        }
    }

    fn add(&mut self, pointer: AddressSource, offset: u64, locations: EntitySet<LocationId>) {
        let all = self.known.entry((pointer, offset)).or_default();
        all.extend(locations.iter());
    }
}

/// The operand and the constant distance from it that an operation gives, if it does nothing else.
pub(crate) fn moved(data_model: DataModel, operation: &Operation) -> Option<(Operand, u64)> {
    if let Operation::Copy(operand) = operation {
        return Some((*operand, 0));
    }
    if let Operation::Offset {
        base,
        constant,
        indices,
    } = operation
        && indices.is_empty()
        && (*constant as i64).unsigned_abs() < data_model.far()
    {
        return Some((*base, *constant));
    }
    None
}
