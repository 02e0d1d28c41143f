//! The contents of objects: the addresses that memory may hold.

use abi::ids::InstanceId;
use cranelift_entity::SecondaryMap;

use crate::address_arithmetic::{AddressSet, Overlap, Residues};
use crate::model::{Global, Instances, ObjectId, ObjectKind, Offsets, Program, Words};

/// What the objects hold: the values that were stored, by where.
#[derive(Clone, Debug)]
pub(super) struct Contents {
    cells: SecondaryMap<ObjectId, Vec<Cell>>,
    /// The size of an address in bytes.
    word: u32,
    /// Whether something was stored at an unknown address, so that everything may hold anything.
    pub(super) scattered: bool,
}

/// The values stored in equally many bytes at the same offsets.
#[derive(Clone, Debug)]
struct Cell {
    offsets: Residues,
    size: u32,
    values: AddressSet,
    /// Whether these are bytes that are there from the start and may be the number of an address, perhaps across several variables.
    is_initial: bool,
}

impl Cell {
    /// Where its words, of so many bytes, begin. Those of which that is not known are aligned.
    fn starts(&self, word: u32) -> impl Iterator<Item = Residues> + use<> {
        let offsets = if self.offsets.is_any() {
            Residues::exact(0).spread(word.into())
        } else {
            self.offsets
        };
        let parts = (0..self.size).step_by(word as usize);
        parts.map(move |part| offsets.add(part.into()))
    }

    /// Where its words, of `word` bytes, lie in an object of `size` bytes.
    fn words(&self, word: u32, size: u32) -> impl Iterator<Item = Offsets> + use<> {
        self.starts(word)
            .filter_map(move |start| start.offsets(size))
    }
}

/// Values that some bytes of an object may hold.
pub(crate) struct Content<'a> {
    /// How many bytes.
    pub(crate) size: u32,
    /// Where the words begin that the bytes are made of.
    pub(crate) words: Vec<Offsets>,
    /// The values.
    pub(crate) values: &'a AddressSet,
}

/// More numbers in one initial content are not told apart.
const MANY: usize = 64;

impl Contents {
    /// The first content.
    pub(super) fn new(program: &Program, instances: &Instances) -> Self {
        let mut contents = Self {
            cells: SecondaryMap::with_default(Vec::new()),
            scattered: false,
            word: instances.data_model.address_bytes(),
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
                | ObjectKind::Base(_)
                | ObjectKind::Nowhere => continue,
            };
            let global = &program.globals[global];
            contents.numbers(instances, object, global);
            for &(at, place, offset) in &global.relocations {
                let target = instances.resolve(owner, place);
                let values = AddressSet {
                    objects: vec![(target, Residues::exact(i64::from(offset)))],
                    ..AddressSet::default()
                };
                contents.write(
                    object,
                    Residues::exact(i64::from(at)),
                    contents.word,
                    &values,
                );
            }
        }
        contents
    }

    /// The numbers of an initial content at which some object may lie.
    fn numbers(&mut self, instances: &Instances, object: ObjectId, global: &Global) {
        let value = |window: &[u8]| {
            let bytes = window.iter().rev();
            bytes.fold(0, |value, &byte| value << 8 | u64::from(byte))
        };
        let windows = global
            .bytes
            .windows(self.word as usize)
            .map(value)
            .enumerate();
        let found: Vec<(usize, AddressSet)> = windows
            .filter(|&(_, value)| !instances.data_model.is_small(value))
            .map(|(at, value)| (at, AddressSet::number_of_program(instances, value)))
            .collect();
        if found.len() > MANY {
            let mut all = AddressSet::default();
            for (_, values) in &found {
                all.join(values);
            }
            self.write(object, Residues::ANY, self.word, &all);
        } else {
            let size = self.word;
            self.cells[object].extend(found.into_iter().map(|(at, values)| Cell {
                offsets: Residues::exact(at as i64),
                size,
                values,
                is_initial: true,
            }));
        }
    }

    /// What an object of `size` bytes holds.
    pub(super) fn of(&self, object: ObjectId, size: u32) -> impl Iterator<Item = Content<'_>> {
        self.cells[object].iter().map(move |cell| Content {
            size: cell.size,
            words: cell.words(self.word, size).collect(),
            values: &cell.values,
        })
    }

    /// Adds values that are stored in `size` bytes of an object; whether that changed anything.
    pub(super) fn write(
        &mut self,
        object: ObjectId,
        offsets: Residues,
        size: u32,
        values: &AddressSet,
    ) -> bool {
        let cells = &mut self.cells[object];
        match cells
            .iter_mut()
            .find(|cell| cell.offsets == offsets && cell.size == size && !cell.is_initial)
        {
            Some(cell) => cell.values.join(values),
            None => {
                cells.push(Cell {
                    offsets,
                    size,
                    values: values.clone(),
                    is_initial: false,
                });
                true
            }
        }
    }

    /// The cells that hold addresses and of a word of which bytes at these offsets may have a part.
    fn holding(
        &self,
        object: ObjectId,
        offsets: Residues,
        size: u32,
    ) -> impl Iterator<Item = &Cell> {
        self.cells[object].iter().filter(move |cell| {
            let holds = cell.size >= self.word && !cell.values.objects.is_empty();
            holds
                && cell
                    .starts(self.word)
                    .any(|word| word.is_divided_by(self.word, offsets, size))
        })
    }

    /// Where the words lie that hold addresses and of which bytes at these offsets may be a part.
    pub(super) fn parts(&self, object: (ObjectId, u32), offsets: Residues, size: u32) -> Words {
        let holding = self.holding(object.0, offsets, size);
        holding
            .flat_map(|cell| cell.words(self.word, object.1))
            .collect()
    }

    /// What the words hold of which bytes at these offsets may be a part.
    pub(super) fn held(&self, object: ObjectId, offsets: Residues, size: u32) -> AddressSet {
        let mut held = AddressSet::default();
        for cell in self.holding(object, offsets, size) {
            held.join(&cell.values);
        }
        held
    }

    /// What `size` bytes of an object may hold, where the parts of addresses count as parts of numbers.
    pub(super) fn read_whole(&self, object: ObjectId, offsets: Residues, size: u32) -> AddressSet {
        let whole = self.cells[object].iter().filter(|cell| {
            let mut starts = cell.starts(self.word);
            starts.any(|word| word.may_be_within(self.word, offsets, size))
        });
        self.join(whole, offsets, size, AddressSet::number(true))
    }

    /// What `size` bytes of an object may hold. Bytes of different values together may be any address.
    pub(super) fn read(&self, object: ObjectId, offsets: Residues, size: u32) -> AddressSet {
        self.join(&self.cells[object], offsets, size, AddressSet::default())
    }

    /// What `size` bytes may hold beside `found` if these cells do. Initial bytes make an address only where all of them are read.
    fn join<'a>(
        &self,
        cells: impl IntoIterator<Item = &'a Cell>,
        offsets: Residues,
        size: u32,
        mut found: AddressSet,
    ) -> AddressSet {
        found.other |= self.scattered;
        for cell in cells {
            if cell.is_initial && !cell.offsets.may_be_within(cell.size, offsets, size) {
                continue;
            }
            match cell.offsets.overlap(cell.size, offsets, size) {
                Overlap::Disjoint => {}
                Overlap::Same => {
                    found.join(&cell.values);
                }
                Overlap::Partial => {
                    found.join(&cell.values.clone().in_parts());
                }
            }
        }
        found
    }
}
