//! What the objects hold.

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;

use super::residues::{Overlap, Residues};
use super::set::{Set, may_be_address};
use crate::model::{Global, Instances, ObjectId, ObjectKind, Program, Words};

/// What the objects hold: the values that were stored, by where.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    cells: SecondaryMap<ObjectId, Vec<Cell>>,
    /// Whether something was stored at an unknown address, so that everything may hold anything.
    pub(super) scattered: bool,
}

/// The values stored in equally many bytes at the same offsets.
#[derive(Clone, Debug)]
struct Cell {
    offsets: Residues,
    size: u32,
    values: Set,
}

/// More numbers that look like addresses in one initial content are not told apart.
const MANY: usize = 64;

impl Contents {
    /// The first content.
    pub(super) fn new(program: &Program, instances: &Instances) -> Self {
        let mut contents = Self {
            cells: SecondaryMap::with_default(Vec::new()),
            scattered: false,
        };
        contents.cells.resize(instances.objects.len());
        for (object, described) in &instances.objects {
            let (global, owner) = match described.kind {
                ObjectKind::Global(global) => (global, InstanceId::MAIN),
                ObjectKind::ThreadLocal(global, instance) => (global, instance),
                ObjectKind::Function(_)
                | ObjectKind::Local(..)
                | ObjectKind::Heap { .. }
                | ObjectKind::Thread(_)
                | ObjectKind::Base(_) => continue,
            };
            let global = &program.globals[global];
            contents.numbers(instances, object, global);
            for &(at, place, offset) in &global.relocations {
                let target = instances.resolve(owner, place);
                let values = Set {
                    objects: vec![(target, Residues::exact(i64::from(offset)))],
                    ..Set::default()
                };
                contents.write(object, Residues::exact(i64::from(at)), 8, &values);
            }
        }
        contents
    }

    /// The numbers of an initial content that look like addresses.
    fn numbers(&mut self, instances: &Instances, object: ObjectId, global: &Global) {
        let suspicious = |window: &[u8]| {
            let value = window
                .iter()
                .rev()
                .fold(0, |value, &byte| value << 8 | u128::from(byte));
            may_be_address(instances, value)
        };
        let found: Vec<usize> = global
            .bytes
            .windows(8)
            .enumerate()
            .filter(|(_, window)| suspicious(window))
            .map(|(at, _)| at)
            .collect();
        if found.len() > MANY {
            self.write(object, Residues::ANY, 8, &Set::unknown());
        } else {
            for at in found {
                self.write(object, Residues::exact(at as i64), 8, &Set::unknown());
            }
        }
    }

    /// Adds values that are stored in `size` bytes of an object; whether that changed anything.
    pub(super) fn write(
        &mut self,
        object: ObjectId,
        offsets: Residues,
        size: u32,
        values: &Set,
    ) -> bool {
        let cells = &mut self.cells[object];
        match cells
            .iter_mut()
            .find(|cell| cell.offsets == offsets && cell.size == size)
        {
            Some(cell) => cell.values.join(values),
            None => {
                cells.push(Cell {
                    offsets,
                    size,
                    values: values.clone(),
                });
                true
            }
        }
    }

    /// The cells that hold addresses and of which bytes at these offsets may be a part; none if just these bytes are stored
    /// somewhere, too.
    fn holding(
        &self,
        object: ObjectId,
        offsets: Residues,
        size: u32,
        is_blind: bool,
    ) -> impl Iterator<Item = &Cell> {
        let overlap = move |cell: &Cell| cell.offsets.overlap(cell.size, offsets, size);
        let is_own = move |cell: &&Cell| overlap(cell) == Overlap::Same && !cell.offsets.is_any();
        let has_own = self.cells[object].iter().any(|cell| is_own(&cell));
        let cells = self.cells[object].iter().filter(move |_| !has_own);
        cells.filter(move |cell| {
            let holds = cell.size >= Words::SIZE && cell.values.may_be_address(is_blind);
            holds && overlap(cell) != Overlap::Disjoint
        })
    }

    /// The words of which bytes at these offsets may be a part, where they hold addresses. Words of which it is not known where
    /// they lie are aligned.
    pub(super) fn words(
        &self,
        (object, object_size): (ObjectId, u32),
        offsets: Residues,
        size: u32,
        is_blind: bool,
    ) -> Words {
        let mut words = Words::default();
        for cell in self.holding(object, offsets, size, is_blind) {
            for part in (0..cell.size).step_by(Words::SIZE as usize) {
                let offsets = if cell.offsets.is_any() {
                    Residues::exact(0).spread(Words::SIZE.into())
                } else {
                    cell.offsets.add(part.into())
                };
                words.0.extend(offsets.offsets(object_size));
            }
        }
        words
    }

    /// What these words may hold.
    pub(super) fn held(
        &self,
        object: ObjectId,
        offsets: Residues,
        size: u32,
        is_blind: bool,
    ) -> Set {
        let mut held = Set::default();
        for cell in self.holding(object, offsets, size, is_blind) {
            held.join(&cell.values);
        }
        held
    }

    /// What `size` bytes of an object may hold. Bytes of different values together may be any address.
    pub(super) fn read(&self, object: ObjectId, offsets: Residues, size: u32) -> Set {
        let mut found = Set {
            other: self.scattered,
            ..Set::default()
        };
        for cell in &self.cells[object] {
            match cell.offsets.overlap(cell.size, offsets, size) {
                Overlap::Disjoint => {}
                Overlap::Same => {
                    found.join(&cell.values);
                }
                Overlap::Partial => {
                    found.join(&cell.values.clone().scrambled());
                }
            }
        }
        found
    }
}
