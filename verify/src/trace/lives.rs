//! Lives of heap objects in a run: an allocation may take a slot again that was freed, and is another object then.
//!
//! Objects are named by their types. An allocation has none; it is that of the first typed pointer to the object that the run stores, in memory
//! or in a variable that is a register.

use std::collections::BTreeMap;

use explicit::interpret::{Observation, ReplayStep};
use program::model::{Bits, CTypeKind, ObjectId, ObjectKind, TypeId};

use super::words::Words;
use crate::task::Task;

/// From an allocation to the next one in the same slot.
#[derive(Clone, Debug)]
pub(crate) struct Life {
    /// The slot.
    object: ObjectId,
    /// The position of the step that allocates.
    born: usize,
    /// In bytes.
    pub size: u32,
    /// The type that the memory is used as, and how well that fits.
    c_type: Option<(TypeId, Fit)>,
    /// The first variable or member that points to it.
    holder: Option<String>,
    /// `chan_t#1`.
    pub name: String,
}

/// How well a type fits to an allocation: structures before numbers, then the size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Fit {
    has_members: bool,
    is_exact: bool,
}

/// All lives of heap objects in a run.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lives {
    all: Vec<Life>,
    by_object: BTreeMap<ObjectId, Vec<usize>>,
}

/// A pointer may be stored through one whose own type is found later. So many times the run is looked through.
const ROUNDS: usize = 4;

impl Life {
    /// The type that the memory is used as, if that is known.
    pub fn c_type(&self) -> Option<TypeId> {
        self.c_type.map(|(c_type, _)| c_type)
    }
}

impl Lives {
    /// The lives in a run, with their names.
    pub fn of(task: &Task, steps: &[ReplayStep]) -> Self {
        let mut lives = Self::default();
        for (position, step) in steps.iter().enumerate() {
            for &event in &step.events {
                if let Observation::Allocated { object, size } = event {
                    lives.add(object, position, size);
                }
            }
        }
        for _ in 0..ROUNDS {
            let pointers: Vec<Pointer> = (0..steps.len())
                .flat_map(|position| pointers(task, &lives, steps, position))
                .collect();
            let changed = pointers.into_iter().map(|found| lives.learn(task, found));
            if !changed.fold(false, |any, one| any | one) {
                break;
            }
        }
        lives.name(task, steps);
        lives
    }

    fn add(&mut self, object: ObjectId, born: usize, size: u32) {
        let lives = self.by_object.entry(object).or_default();
        lives.push(self.all.len());
        self.all.push(Life {
            object,
            born,
            size,
            c_type: None,
            holder: None,
            name: String::new(),
        });
    }

    /// The life of an object at a step of the run, or after its end the last one.
    pub fn at(&self, object: ObjectId, position: usize) -> Option<&Life> {
        Some(&self.all[self.number(object, position)?])
    }

    /// The life before that one in the same slot.
    pub fn before(&self, object: ObjectId, position: usize) -> Option<&Life> {
        let born = self.at(object, position)?.born;
        self.at(object, born.checked_sub(1)?)
    }

    fn number(&self, object: ObjectId, position: usize) -> Option<usize> {
        let lives = self.by_object.get(&object)?.iter().rev();
        lives.copied().find(|&life| self.all[life].born <= position)
    }

    /// The names at a step, by object.
    pub fn names(&self, position: usize) -> BTreeMap<ObjectId, String> {
        let name = |&object: &ObjectId| Some((object, self.at(object, position)?.name.clone()));
        self.by_object.keys().filter_map(name).collect()
    }

    /// Takes what a pointer says of the object that it points to; says whether that is new.
    fn learn(&mut self, task: &Task, found: Pointer) -> bool {
        let types = &task.program.types;
        let life = &mut self.all[found.life];
        if life.holder.is_none() {
            life.holder = found.holder;
        }
        let size = types.size(found.to);
        let fits = size > 0 && life.size.is_multiple_of(size) || types.has_open_end(found.to);
        let fit = Fit {
            has_members: matches!(types.resolved(found.to).kind, CTypeKind::Members(_)),
            is_exact: life.size == size,
        };
        if !fits || life.c_type.is_some_and(|(_, known)| known >= fit) {
            return false;
        }
        life.c_type = Some((found.to, fit));
        true
    }

    /// Names by type, or by the first variable or the allocating place where the type has no telling one; numbered in the order of allocation.
    fn name(&mut self, task: &Task, steps: &[ReplayStep]) {
        let mut counts: BTreeMap<(String, Option<ObjectId>), usize> = BTreeMap::new();
        for life in &mut self.all {
            let types = &task.program.types;
            let structure = life.c_type.filter(|(_, fit)| fit.has_members);
            let structure = structure.map(|(c_type, _)| types.name(c_type));
            let named = structure.filter(|name| !name.is_empty());
            let holder = life.holder.as_deref().filter(|name| !name.is_empty());
            let site = &task.program.sites[steps[life.born].site];
            let base = match named.or(holder) {
                Some(name) => name.to_owned(),
                None if site.line > 0 => format!("{}:{}", site.function, site.line),
                None => String::new(),
            };
            // The model's name of a slot has a number already.
            let slot = || task.names().object(life.object);
            let count = counts.entry((base.clone(), base.is_empty().then_some(life.object)));
            let count = count.or_default();
            *count += 1;
            life.name = match (base.is_empty(), &count) {
                (true, 1) => slot(),
                (true, count) => format!("{}/{count}", slot()),
                (false, count) => format!("{base}#{count}"),
            };
        }
    }
}

/// A pointer to the start of a heap object that a step stores.
struct Pointer {
    life: usize,
    /// What its type says that it points to.
    to: TypeId,
    holder: Option<String>,
}

/// The typed pointers to heap objects that a step stores.
fn pointers(task: &Task, lives: &Lives, steps: &[ReplayStep], position: usize) -> Vec<Pointer> {
    let step = &steps[position];
    let words = Words::during(task, lives, position);
    let life = |value: Bits| {
        let is_address = value.width == task.program.data_model.address_bits();
        let (object, offset) = task.instances.locate(value.value as u64)?;
        let kind = task.instances.objects[object].kind;
        let is_start = matches!(kind, ObjectKind::Heap { .. }) && offset == 0;
        (is_address && is_start).then(|| lives.number(object, position))?
    };
    let pointer = |value, c_type: Option<TypeId>, holder: Option<String>| {
        Some(Pointer {
            life: life(value)?,
            to: task.program.types.pointee(c_type?)?,
            holder,
        })
    };
    let stored = step.events.iter().filter_map(|&event| {
        let Observation::Write {
            object,
            offset,
            value,
        } = event
        else {
            return None;
        };
        life(value)?;
        let (name, c_type) = words.access(object, offset, value.width / 8);
        pointer(value, c_type, Some(last_name(&name).to_owned()))
    });
    let template = &task.program.templates[task.instances.threads[step.instance].template];
    let assigned = step.registers.iter().filter_map(|&(register, value)| {
        let register = &template.registers[register];
        pointer(value, register.c_type, register.variable.clone())
    });
    assigned.chain(stored).collect()
}

/// The name of the member or variable at the end of a path: `buffer` of `pipe_t#1->buffer` and of `buffer@main`.
fn last_name(path: &str) -> &str {
    let member = path.rsplit(['.', '>']).next().unwrap_or_default();
    let end = member.find(['@', '[', '#', '+']).unwrap_or(member.len());
    &member[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_name_of_a_path_is_a_word() {
        for (path, name) in [
            ("pipe_t#1->buffer", "buffer"),
            ("buffer@main", "buffer"),
            ("table[2].next", "next"),
            ("slots[3]", "slots"),
            ("words+8", "words"),
        ] {
            assert_eq!(last_name(path), name);
        }
    }
}
