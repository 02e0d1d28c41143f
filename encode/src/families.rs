//! Which variables of the state belong to threads that stand for any number of others, and how these correspond.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use program::model::{ObjectId, ObjectKind, TemplateId};

use crate::context::EncodingContext;
use crate::program_counter::ProgramCounter;
use crate::semantics::path::Variable;

/// Threads that stand for the same ones: by thread, where its variables are in the state. Variables of different threads at the
/// same position in these lists correspond.
pub type Family = Vec<Vec<usize>>;

/// The families of a program, by the variables of the state; none if variables of a thread have no counterpart with another, or a place
/// has another number.
pub(crate) fn families(
    context: &EncodingContext<'_>,
    counters: &BTreeMap<InstanceId, ProgramCounter>,
    variables: &[Variable],
) -> Option<Vec<Family>> {
    let families = context.program.families.iter();
    let families = families.map(|templates| {
        let members = templates
            .iter()
            .filter_map(|&template| context.instances.by_template(template).next());
        let members: Vec<InstanceId> = members.collect();
        // Where others may run, one of them stands for the next one.
        let external = |&template: &TemplateId| {
            let locations = context.program.templates[template].locations.values();
            let external = locations.map(|location| (location.external, location.atomic_depth));
            external.collect::<Vec<_>>()
        };
        let first = templates.first().map(external);
        if templates
            .iter()
            .any(|template| Some(external(template)) != first)
        {
            return None;
        }
        let Some(&first) = members.first() else {
            return Some(Family::new());
        };
        let stops = |member: &InstanceId| counters.get(member).map(ProgramCounter::stops);
        if members.iter().any(|member| stops(member) != stops(&first)) {
            return None;
        }
        let own = |owner: InstanceId| {
            let own = variables.iter();
            own.filter(move |&&variable| owner_of(context, variable) == Some(owner))
        };
        let positions = members.iter().map(|&member| {
            let counterparts = own(first).map(|&variable| {
                let counterpart = counterpart(context, variable, (first, member))?;
                variables.iter().position(|&found| found == counterpart)
            });
            let counterparts: Vec<usize> = counterparts.collect::<Option<_>>()?;
            (counterparts.len() == own(member).count()).then_some(counterparts)
        });
        positions.collect::<Option<Family>>()
    });
    let families: Vec<Family> = families.collect::<Option<_>>()?;
    // Threads without variables are never started.
    let is_started = |family: &Family| family.iter().any(|member| !member.is_empty());
    Some(families.into_iter().filter(is_started).collect())
}

/// The thread that a variable belongs to.
fn owner_of(context: &EncodingContext<'_>, variable: Variable) -> Option<InstanceId> {
    match variable {
        Variable::Pc(instance)
        | Variable::Started(instance)
        | Variable::Exited(instance)
        | Variable::InRegion(instance, _)
        | Variable::RegisterInRegion(instance, ..)
        | Variable::Register(instance, _)
        | Variable::Result(instance)
        | Variable::Claimed(instance)
        | Variable::Number(instance) => Some(instance),
        Variable::Cell(cell) => owner_of_object(context, context.layout.cells[cell].object),
        Variable::Alive(object) | Variable::Size(object) | Variable::Used(object) => {
            owner_of_object(context, object)
        }
    }
}

fn owner_of_object(context: &EncodingContext<'_>, object: ObjectId) -> Option<InstanceId> {
    match context.instances.objects[object].kind {
        ObjectKind::Thread(instance) => Some(instance),
        ObjectKind::Base(of) => owner_of_object(context, of),
        ObjectKind::ThreadLocal(_, owner) | ObjectKind::Local(_, owner) => Some(owner),
        ObjectKind::Function(_)
        | ObjectKind::Global(_)
        | ObjectKind::Heap { .. }
        | ObjectKind::Nowhere => None,
    }
}

/// What a variable of one thread is for another one that executes the same statements.
fn counterpart(
    context: &EncodingContext<'_>,
    variable: Variable,
    threads: (InstanceId, InstanceId),
) -> Option<Variable> {
    let (_, to) = threads;
    let object = |object| counterpart_of_object(context, object, threads);
    Some(match variable {
        Variable::Pc(_) => Variable::Pc(to),
        Variable::Started(_) => Variable::Started(to),
        Variable::Exited(_) => Variable::Exited(to),
        Variable::InRegion(_, region) => Variable::InRegion(to, region),
        Variable::RegisterInRegion(_, region, register) => {
            Variable::RegisterInRegion(to, region, register)
        }
        Variable::Register(_, register) => Variable::Register(to, register),
        Variable::Result(_) => Variable::Result(to),
        Variable::Claimed(_) => Variable::Claimed(to),
        Variable::Number(_) => Variable::Number(to),
        Variable::Cell(cell) => {
            let cell = &context.layout.cells[cell];
            let wanted = (object(cell.object)?, cell.offset, cell.size);
            let mut cells = context.layout.cells.iter();
            let (cell, _) =
                cells.find(|(_, cell)| (cell.object, cell.offset, cell.size) == wanted)?;
            Variable::Cell(cell)
        }
        Variable::Alive(of) => Variable::Alive(object(of)?),
        Variable::Size(of) => Variable::Size(object(of)?),
        Variable::Used(of) => Variable::Used(object(of)?),
    })
}

fn counterpart_of_object(
    context: &EncodingContext<'_>,
    object: ObjectId,
    threads: (InstanceId, InstanceId),
) -> Option<ObjectId> {
    let (from, to) = threads;
    let of = |owner: InstanceId| if owner == from { to } else { owner };
    let kind = match context.instances.objects[object].kind {
        ObjectKind::Thread(instance) => ObjectKind::Thread(of(instance)),
        ObjectKind::Base(object) => {
            ObjectKind::Base(counterpart_of_object(context, object, threads)?)
        }
        ObjectKind::ThreadLocal(global, owner) => ObjectKind::ThreadLocal(global, of(owner)),
        ObjectKind::Local(local, owner) => ObjectKind::Local(local, of(owner)),
        kind @ (ObjectKind::Function(_)
        | ObjectKind::Global(_)
        | ObjectKind::Heap { .. }
        | ObjectKind::Nowhere) => kind,
    };
    let mut objects = context.instances.objects.iter();
    let (object, _) = objects.find(|(_, object)| object.kind == kind)?;
    Some(object)
}
