//! Names of state variables, for people.

use abi::ids::InstanceId;
use program::model::ObjectId;
use program::names::Names;

use crate::context::EncodingContext;
use crate::layout::{Cell, CellId};
use crate::path::Variable;

/// A thread: `main`, `worker#1`.
pub fn thread(world: &EncodingContext<'_>, instance: InstanceId) -> String {
    names(world).thread(instance)
}

/// A state variable: `worker#1.i`, `counter`, `queue[3]`.
pub fn variable(world: &EncodingContext<'_>, variable: Variable) -> String {
    match variable {
        Variable::Pc(instance) => format!("{}.pc", thread(world, instance)),
        Variable::Started(instance) => format!("{}.started", thread(world, instance)),
        Variable::InRegion(instance, region) => {
            format!("{}.within.{region}", thread(world, instance))
        }
        Variable::RegisterInRegion(instance, region, register) => {
            format!("{}.{register}.within.{region}", thread(world, instance))
        }
        Variable::Exited(instance) => format!("{}.exited", thread(world, instance)),
        Variable::Result(instance) => format!("{}.result", thread(world, instance)),
        Variable::Claimed(instance) => format!("{}.claimed", thread(world, instance)),
        Variable::Register(instance, register) => {
            let name = world.template(instance).registers[register]
                .variable
                .clone();
            let name = name.unwrap_or_else(|| register.to_string());
            format!("{}.{name}", thread(world, instance))
        }
        Variable::Cell(cell) => self::cell(world, cell),
        Variable::Alive(slot) => format!("{}.alive", object(world, slot)),
        Variable::Size(slot) => format!("{}.size", object(world, slot)),
        Variable::Used(slot) => format!("{}.used", object(world, slot)),
    }
}

/// A memory object: `counter`, `worker#1.local`.
fn object(world: &EncodingContext<'_>, object: ObjectId) -> String {
    match names(world).owned(object) {
        (Some(owner), name) => format!("{owner}.{name}"),
        (None, name) => name,
    }
}

fn names<'a>(world: &EncodingContext<'a>) -> Names<'a> {
    Names {
        program: world.program,
        instances: world.instances,
    }
}

/// A cell: the name of its object, with an index if all cells have equal sizes and leave no gaps, else with an offset.
fn cell(world: &EncodingContext<'_>, cell: CellId) -> String {
    let Cell {
        object: owner,
        offset,
        size,
    } = world.layout.cells[cell];
    let cells: Vec<Cell> = world
        .layout
        .of(owner)
        .map(|cell| world.layout.cells[cell])
        .collect();
    let name = object(world, owner);
    let uniform = cells.iter().enumerate().all(|(position, other)| {
        other.size == size && other.offset as usize == position * size as usize
    });
    match (cells.len(), uniform) {
        (1, true) => name,
        (_, true) => format!("{name}[{}]", offset / size),
        (_, false) => format!("{name}+{offset}"),
    }
}
