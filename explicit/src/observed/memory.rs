//! What a program can tell apart of the content of memory.
//!
//! A *cell* is a place that all loads and stores access as a whole, with one width, and nothing else accesses. It has classes of numbers,
//! as registers do. Of all other memory it is known which bytes are looked at.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntitySet, SecondaryMap};

use super::partition::Partition;
use program::model::{
    AccessKind, Bits, Extent, Instances, ObjectId, ObjectKind, Offsets, Operand, Program,
    Statement, Template, TemplateId,
};
use program::points_to::PointsTo;

/// Which contents of memory a program tells apart.
#[derive(Debug)]
pub(super) struct Memory {
    cells: BTreeMap<(ObjectId, u32), Cell>,
    bytes: SecondaryMap<ObjectId, Vec<bool>>,
    /// Objects of which all bytes are looked at.
    whole: EntitySet<ObjectId>,
    /// Whether all memory is, since there is an address that may be any.
    all: bool,
}

#[derive(Debug)]
struct Cell {
    /// In bits.
    width: u32,
    classes: Partition,
}

/// What a statement accesses with a register of some bits.
#[derive(Clone, Copy)]
pub(super) struct Accessed<'a> {
    pub(super) instances: &'a Instances,
    pub(super) points_to: &'a PointsTo,
    pub(super) template: TemplateId,
    pub(super) address: Operand,
    /// In bits.
    pub(super) width: u32,
}

impl Accessed<'_> {
    fn size(self) -> u32 {
        self.width.div_ceil(8)
    }

    /// The places, each with the size of its object; `None` is any place.
    fn targets(self) -> Vec<Option<(ObjectId, Offsets, u32)>> {
        let mut found = Vec::new();
        for instance in self.instances.by_template(self.template) {
            let targets = self.points_to.targets(instance, self.address);
            found.extend(targets.other.then_some(None));
            found.extend(targets.objects.into_iter().map(|(object, offsets)| {
                Some((object, offsets, self.instances.objects[object].size))
            }));
        }
        found
    }
}

impl Memory {
    /// Nothing is told apart yet.
    pub(super) fn new(program: &Program, instances: &Instances, points_to: &PointsTo) -> Self {
        let objects = instances.objects.iter();
        // Where an object lies is looked at in other ways than by loads.
        let bases = objects.filter(|(_, object)| matches!(object.kind, ObjectKind::Base(_)));
        let mut whole = EntitySet::new();
        whole.extend(bases.map(|(base, _)| base));
        Self {
            cells: cells(program, instances, points_to),
            bytes: SecondaryMap::new(),
            whole,
            all: false,
        }
    }

    /// A load tells values apart; whether that is new.
    pub(super) fn look(&mut self, accessed: Accessed<'_>, classes: &Partition) -> bool {
        let mut is_new = false;
        for target in accessed.targets() {
            is_new |= match target {
                None => !std::mem::replace(&mut self.all, true),
                Some((object, offsets, whole)) => match self.cell(object, offsets) {
                    Some(cell) => cell.classes.refine(classes),
                    None => self.look_at_bytes(object, offsets, (whole, accessed.size())),
                },
            };
        }
        is_new
    }

    /// Something looks at the whole objects of an access in its own way; whether that is new.
    pub(super) fn look_at_objects(&mut self, accessed: Accessed<'_>) -> bool {
        let mut is_new = false;
        for target in accessed.targets() {
            is_new |= match target {
                None => !std::mem::replace(&mut self.all, true),
                Some((object, ..)) => self.whole.insert(object),
            };
        }
        is_new
    }

    /// Something looks at a whole object in its own way; whether that is new.
    pub(super) fn look_at_object(&mut self, object: ObjectId) -> bool {
        self.whole.insert(object)
    }

    /// What loads tell apart of a value that is stored.
    pub(super) fn classes(&self, accessed: Accessed<'_>) -> Partition {
        let mut classes = Partition::default();
        for target in accessed.targets() {
            let Some((object, offsets, whole)) = target else {
                return Partition::exact();
            };
            let cell = first(offsets).and_then(|offset| self.cells.get(&(object, offset)));
            if let Some(cell) = cell {
                classes.refine(&cell.classes);
            }
            if bytes(whole, offsets, accessed.size()).any(|byte| self.looks_at_byte(object, byte)) {
                return Partition::exact();
            }
        }
        classes
    }

    /// Contents of some bytes of an object that stand for all, as one number: the bytes that have a bit in `marked`, which counts from
    /// `offset`. None if all have to be tried, or more than `most`.
    pub(super) fn representatives(
        &self,
        object: ObjectId,
        offset: u32,
        marked: u16,
        most: u128,
    ) -> Option<Vec<u128>> {
        let mut places = (0..u16::BITS).filter(|bit| marked >> bit & 1 == 1);
        if places.any(|bit| self.looks_at_byte(object, offset + bit)) {
            return None;
        }
        let end = offset + u16::BITS - marked.leading_zeros();
        let cells = self.cells.range((object, 0)..(object, end));
        let mut seen = cells.filter(|&(&(_, start), cell)| {
            start + cell.width.div_ceil(8) > offset && !cell.classes.is_coarsest()
        });
        let Some((&(_, start), cell)) = seen.next() else {
            return Some(vec![0]);
        };
        let is_whole = start == offset
            && cell.width == 8 * marked.count_ones()
            && marked.trailing_ones() == marked.count_ones();
        let last = Bits::mask(cell.width);
        let values = is_whole.then(|| cell.classes.representatives(last, most))??;
        seen.next().is_none().then_some(values)
    }

    fn cell(&mut self, object: ObjectId, offsets: Offsets) -> Option<&mut Cell> {
        self.cells.get_mut(&(object, first(offsets)?))
    }

    fn looks_at_byte(&self, object: ObjectId, offset: u32) -> bool {
        let byte = self.bytes[object].get(offset as usize);
        self.all || self.whole.contains(object) || byte.copied().unwrap_or(false)
    }

    fn look_at_bytes(
        &mut self,
        object: ObjectId,
        offsets: Offsets,
        (whole, size): (u32, u32),
    ) -> bool {
        if offsets == Offsets::Any {
            return self.whole.insert(object);
        }
        let looked = &mut self.bytes[object];
        looked.resize(looked.len().max(whole as usize), false);
        let mut is_new = false;
        for byte in bytes(whole, offsets, size) {
            is_new |= !std::mem::replace(&mut looked[byte as usize], true);
        }
        is_new
    }
}

/// The only offset.
fn first(offsets: Offsets) -> Option<u32> {
    match offsets {
        Offsets::Exact(only) => Some(only),
        Offsets::Stride { .. } | Offsets::Any => None,
    }
}

/// The bytes of accesses of a size to some offsets of an object of `whole` bytes.
fn bytes(whole: u32, offsets: Offsets, size: u32) -> impl Iterator<Item = u32> {
    let (first, step) = match offsets {
        Offsets::Exact(first) => (first, whole.max(1)),
        Offsets::Stride { first, step } => (first, step),
        Offsets::Any => (0, 1),
    };
    let starts = (first..whole).step_by(step as usize);
    starts.flat_map(move |start| start..whole.min(start.saturating_add(size)))
}

/// How a place of an object is accessed: its first byte, the byte behind it, and the width if it is by a load or store of a whole number.
type Access = (u32, u32, Option<u32>);

fn cells(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
) -> BTreeMap<(ObjectId, u32), Cell> {
    let mut accesses: BTreeMap<ObjectId, BTreeSet<Access>> = BTreeMap::new();
    for (id, template) in &program.templates {
        for edge in template.edges.values() {
            for (address, size, width) in accessed(template, &edge.statement) {
                let accessed = Accessed {
                    instances,
                    points_to,
                    template: id,
                    address,
                    width: 8 * size,
                };
                for target in accessed.targets() {
                    let Some((object, offsets, whole)) = target else {
                        return BTreeMap::new();
                    };
                    let access = match first(offsets) {
                        Some(offset) => (offset, offset.saturating_add(size), width),
                        None => (0, whole, None),
                    };
                    accesses.entry(object).or_default().insert(access);
                }
            }
        }
    }
    let mut cells = BTreeMap::new();
    for (object, accesses) in accesses {
        // Places are sorted by where they start: one overlaps others if it does the next, or one before reaches into it.
        let mut reached = 0;
        let mut accesses = accesses.into_iter().peekable();
        while let Some((start, end, width)) = accesses.next() {
            let is_apart = accesses.peek().is_none_or(|&(next, ..)| next >= end);
            if let Some(width) = width.filter(|_| start >= reached && is_apart) {
                let classes = Partition::default();
                cells.insert((object, start), Cell { width, classes });
            }
            reached = reached.max(end);
        }
    }
    cells
}

/// The addresses that a statement accesses, each with a size in bytes, and the width of what is read or written if that is a whole number.
fn accessed(template: &Template, statement: &Statement) -> Vec<(Operand, u32, Option<u32>)> {
    let mut found = Vec::new();
    if let Some(access) = statement.effects().access {
        let is_plain = matches!(access.kind, AccessKind::Read | AccessKind::Write);
        let width = match access.extent {
            Extent::Of(value) if is_plain && !access.may_divide_words() => {
                Some(template.width(value))
            }
            Extent::Of(_) | Extent::Address | Extent::Mutex => None,
        };
        found.push((access.address, access.size(template), width));
    }
    found
}
