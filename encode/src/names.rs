//! Names of state variables, for people.

use abi::ids::InstanceId;
use program::model::ObjectId;
use program::names::Names;

use crate::context::EncodingContext;
use crate::layout::{Cell, CellId};
use crate::semantics::path::Variable;

/// A thread: `main`, `worker#1`.
pub fn thread(context: &EncodingContext<'_>, instance: InstanceId) -> String {
    names(context).thread(instance)
}

/// A state variable: `worker#1.i`, `counter`, `queue[3]`.
pub fn variable(context: &EncodingContext<'_>, variable: Variable) -> String {
    match variable {
        Variable::Pc(instance) => format!("{}.pc", thread(context, instance)),
        Variable::Started(instance) => format!("{}.started", thread(context, instance)),
        Variable::InRegion(instance, region) => {
            format!("{}.within.{region}", thread(context, instance))
        }
        Variable::RegisterInRegion(instance, region, register) => {
            format!("{}.{register}.within.{region}", thread(context, instance))
        }
        Variable::Exited(instance) => format!("{}.exited", thread(context, instance)),
        Variable::Result(instance) => format!("{}.result", thread(context, instance)),
        Variable::Claimed(instance) => format!("{}.claimed", thread(context, instance)),
        Variable::Number(instance) => format!("{}.number", thread(context, instance)),
        Variable::Register(instance, register) => {
            let name = context.template(instance).registers[register]
                .variable
                .clone();
            let name = name.unwrap_or_else(|| register.to_string());
            format!("{}.{name}", thread(context, instance))
        }
        Variable::Cell(cell) => self::cell(context, cell),
        Variable::Alive(slot) => format!("{}.alive", object(context, slot)),
        Variable::Size(slot) => format!("{}.size", object(context, slot)),
        Variable::Used(slot) => format!("{}.used", object(context, slot)),
    }
}

/// A memory object: `counter`, `worker#1.local`.
fn object(context: &EncodingContext<'_>, object: ObjectId) -> String {
    match names(context).owned(object) {
        (Some(owner), name) => format!("{owner}.{name}"),
        (None, name) => name,
    }
}

fn names<'a>(context: &EncodingContext<'a>) -> Names<'a> {
    Names::new(context.program, context.instances)
}

/// A cell: the name of its object, with an index if all cells have equal sizes and leave no gaps, else with an offset.
fn cell(context: &EncodingContext<'_>, cell: CellId) -> String {
    let Cell {
        object: owner,
        offset,
        ..
    } = context.layout.cells[cell];
    let name = object(context, owner);
    match (
        context.layout.element_size(owner),
        context.layout.of(owner).len(),
    ) {
        (Some(_), 1) => name,
        (Some(size), _) => format!("{name}[{}]", offset / size),
        (None, _) => format!("{name}+{offset}"),
    }
}
