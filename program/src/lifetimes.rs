//! Where the lifetimes of locals may be over before their threads have returned.
//!
//! A forward data-flow analysis: a lifetime may be over behind a [`Statement::LifetimeEnd`], until a
//! [`Statement::LifetimeStart`] of the same local.

use abi::ids::InstanceId;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};

use crate::model::{
    Agreement, Edge, Instances, LocalId, LocationId, ObjectId, ObjectKind, Operand, Program,
    Statement, Template, TemplateId,
};
use crate::points_to::PointsTo;

/// What is known of the locals of all templates.
#[derive(Clone, Debug)]
pub struct Lifetimes(PrimaryMap<TemplateId, Scopes>);

/// What is known of the locals of a template.
#[derive(Clone, Debug)]
pub(crate) struct Scopes {
    /// The locals with an end of a lifetime.
    pub ended: EntitySet<LocalId>,
    /// The locals whose lifetimes may be over when a thread is at a location.
    over: SecondaryMap<LocationId, EntitySet<LocalId>>,
}

impl Scopes {
    pub fn new(template: &Template) -> Self {
        let mut ended = EntitySet::new();
        let mut outgoing: SecondaryMap<LocationId, Vec<_>> = SecondaryMap::new();
        let mut pending = Vec::new();
        for (id, edge) in &template.edges {
            outgoing[edge.source].push(id);
            if let Statement::LifetimeEnd { locals } = &edge.statement {
                ended.extend(locals.iter().copied());
                pending.push(id);
            }
        }
        let mut over: SecondaryMap<LocationId, EntitySet<LocalId>> = SecondaryMap::new();
        over.resize(template.locations.len());
        while let Some(id) = pending.pop() {
            let edge = &template.edges[id];
            let mut after = over[edge.source].clone();
            if let Statement::LifetimeStart { local } = edge.statement {
                after.remove(local);
            } else if let Statement::LifetimeEnd { locals } = &edge.statement {
                after.extend(locals.iter().copied());
            }
            let known = &mut over[edge.target];
            let new: Vec<LocalId> = after.iter().filter(|&l| !known.contains(l)).collect();
            if !new.is_empty() {
                known.extend(new);
                pending.extend(&outgoing[edge.target]);
            }
        }
        Self { ended, over }
    }

    /// Whether the lifetime of a local may be over when a thread is at a location.
    pub fn may_be_over(&self, location: LocationId, local: LocalId) -> bool {
        self.over[location].contains(local)
    }
}

impl Lifetimes {
    /// Analyses a program.
    pub fn new(program: &Program) -> Self {
        Self(program.templates.values().map(Scopes::new).collect())
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
        let scopes = &self.0[instances.threads[owner].template];
        if owner == instance {
            scopes.may_be_over(location, local)
        } else {
            scopes.ended.contains(local)
        }
    }

    /// The variables of threads whose life matters where a thread at a location compares an address in one of the first objects
    /// with one in the second ones: they may be over, and another object may lie in their place.
    pub fn compared(
        &self,
        instances: &Instances,
        place: (InstanceId, LocationId),
        sides: &[Vec<ObjectId>; 2],
    ) -> Vec<ObjectId> {
        let may_be_over = |object: ObjectId| {
            let owner = instances.owner(object);
            owner.is_some_and(|owner| owner != place.0)
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
    if let Statement::Number {
        address,
        unless: Agreement::Distinct(other),
        ..
    } = *statement
    {
        Some([address, other])
    } else if let Statement::CompareExchange {
        register, expected, ..
    } = *statement
    {
        let old = Operand::Register(register);
        (template.width(old) == 64).then_some([old, expected])
    } else {
        None
    }
}
