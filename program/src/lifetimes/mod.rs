//! The locations where the lifetime of a local may be over although the thread has not returned.
//!
//! A forward data-flow analysis: a lifetime may be over behind a [`Statement::LifetimeEnd`], until a
//! [`Statement::LifetimeStart`] of the same local.

mod addresses;

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap};

use crate::model::{
    Agreement, Edge, HeapSiteId, Instances, LifeEffect, LocalId, LocationId, ObjectId, ObjectKind,
    Operand, Program, Statement, Template, TemplateId,
};
use crate::points_to::PointsTo;

pub use self::addresses::{Addresses, Mortal, escaping};

/// What is known of the locals of all templates, and of memory of the stack that is taken later.
#[derive(Clone, Debug)]
pub struct Lifetimes {
    scopes: PrimaryMap<TemplateId, Scopes>,
    /// The allocation statements whose objects may end with their functions.
    automatic: EntitySet<HeapSiteId>,
}

/// What is known of the locals of a template.
#[derive(Clone, Debug)]
pub struct Scopes {
    /// The locals with an end of a lifetime.
    pub ended: EntitySet<LocalId>,
    /// The locals whose lifetimes may be over when a thread is at a location.
    over: Over<LocalId>,
}

/// What may be over when a thread is at a location.
pub type Over<K> = SecondaryMap<LocationId, EntitySet<K>>;

/// What may be over at the locations of a template, where statements start the life of one thing or end those of some.
pub fn over<K: EntityRef + Copy>(
    template: &Template,
    starts: impl Fn(&Statement) -> Option<K>,
    ends: impl Fn(&Statement) -> Vec<K>,
) -> Over<K> {
    let mut outgoing: SecondaryMap<LocationId, Vec<_>> = SecondaryMap::new();
    let mut pending = Vec::new();
    for (id, edge) in &template.edges {
        outgoing[edge.source].push(id);
        if !ends(&edge.statement).is_empty() {
            pending.push(id);
        }
    }
    let mut over = Over::new();
    over.resize(template.locations.len());
    while let Some(id) = pending.pop() {
        let edge = &template.edges[id];
        let mut after = over[edge.source].clone();
        if let Some(started) = starts(&edge.statement) {
            after.remove(started);
        }
        after.extend(ends(&edge.statement));
        let known = &mut over[edge.target];
        let new: Vec<K> = after.iter().filter(|&key| !known.contains(key)).collect();
        if !new.is_empty() {
            known.extend(new);
            pending.extend(&outgoing[edge.target]);
        }
    }
    over
}

/// The local whose life a statement starts.
pub(crate) fn started(statement: &Statement) -> Option<LocalId> {
    if let Some(LifeEffect::Starts(local)) = statement.effects().life {
        Some(*local)
    } else {
        None
    }
}

/// The locals whose lives a statement ends.
pub(crate) fn ended(statement: &Statement) -> &[LocalId] {
    if let Some(LifeEffect::Ends(locals)) = statement.effects().life {
        locals
    } else {
        &[]
    }
}

impl Scopes {
    /// Analyses a template.
    pub fn new(template: &Template) -> Self {
        let mut all = EntitySet::new();
        for edge in template.edges.values() {
            all.extend(ended(&edge.statement).iter().copied());
        }
        Self {
            ended: all,
            over: over(template, started, |statement| ended(statement).to_vec()),
        }
    }

    /// Whether the lifetime of a local may be over when a thread is at a location.
    pub fn may_be_over(&self, location: LocationId, local: LocalId) -> bool {
        self.over[location].contains(local)
    }
}

impl Lifetimes {
    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        let templates = program.templates.values();
        let mut edges = templates
            .clone()
            .flat_map(|template| template.edges.values());
        let ends = |edge: &Edge| {
            matches!(
                edge.statement,
                Statement::Free {
                    automatic: true,
                    ..
                }
            )
        };
        let are_ended = edges.any(ends);
        let mut automatic = EntitySet::new();
        let sites = program.heap_sites.iter();
        automatic.extend(
            sites
                .filter(|(_, site)| are_ended && site.automatic)
                .map(|(id, _)| id),
        );
        Self {
            scopes: templates.map(Scopes::new).collect(),
            automatic,
        }
    }

    /// Whether the lifetime of an object may be over, by a [`Statement::LifetimeEnd`], when a thread is at a location.
    pub fn may_be_over(
        &self,
        instances: &Instances,
        (instance, location): (InstanceId, LocationId),
        object: ObjectId,
    ) -> bool {
        let ObjectKind::Local(local, owner) = instances.objects[object].kind else {
            return false;
        };
        let scopes = &self.scopes[instances.threads[owner].template];
        if owner == instance {
            scopes.may_be_over(location, local)
        } else {
            scopes.ended.contains(local)
        }
    }

    /// The variables of threads, and memory of the stack, whose life matters where a thread at a location compares an address in one of the first objects
    /// with one in the second ones: they may be over, and another object may lie in their place.
    pub fn compared(
        &self,
        instances: &Instances,
        place: (InstanceId, LocationId),
        sides: &[Vec<ObjectId>; 2],
    ) -> Vec<ObjectId> {
        let may_be_over = |object: ObjectId| {
            let owner = instances.owner(object);
            let pool = instances.pool(object);
            owner.is_some_and(|owner| owner != place.0)
                || pool.is_some_and(|pool| self.automatic.contains(pool))
                || self.may_be_over(instances, place, object)
        };
        let matters = |(here, there): (&Vec<ObjectId>, &Vec<ObjectId>)| {
            let differs = |object: ObjectId| there.iter().any(|&other| other != object);
            let objects = here.iter().copied();
            objects
                .filter(|&object| differs(object) && may_be_over(object))
                .collect::<Vec<_>>()
        };
        let [left, right] = sides;
        let mut found = matters((left, right));
        found.extend(matters((right, left)));
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The variables of threads whose life a statement asks for because it compares addresses in them.
    pub fn asked_for(
        &self,
        program: &Program,
        instances: &Instances,
        points_to: &PointsTo,
        (instance, edge): (InstanceId, &Edge),
    ) -> Vec<ObjectId> {
        let template = &program.templates[instances.threads[instance].template];
        match compared_addresses(template, &edge.statement) {
            Some(sides) => {
                let sides = sides.map(|side| points_to.possible_objects(instance, side));
                self.compared(instances, (instance, edge.source), &sides)
            }
            None => Vec::new(),
        }
    }
}

/// The two addresses of which a statement tells whether they are equal. Only what was computed with them otherwise.
pub fn compared_addresses(template: &Template, statement: &Statement) -> Option<[Operand; 2]> {
    let sides = match statement.effects().life? {
        LifeEffect::Locates {
            address,
            unless: Agreement::Distinct(other),
        } => [address, other],
        LifeEffect::Compares(sides) => sides,
        LifeEffect::Starts(_)
        | LifeEffect::Ends(_)
        | LifeEffect::Allocates { .. }
        | LifeEffect::Frees { .. }
        | LifeEffect::Measures { .. }
        | LifeEffect::FindsLeaks(_)
        | LifeEffect::Locates { .. } => return None,
    };
    template.is_address(sides[0]).then_some(sides)
}
