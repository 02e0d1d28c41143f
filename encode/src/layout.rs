//! Memory objects as cells: the coarsest partition in which every access covers whole cells.
//!
//! Bytes that no statement accesses belong to no cell, nor do objects that are only written, so they cost nothing. An access at a
//! dynamic offset that the analysis could not restrict (`Offsets::Any`) cuts its object into cells of the access size; where such an
//! access is misaligned, [`crate::semantics::accesses`] takes the pieces out of the cells, so the layout decides about size, never about meaning.

use std::collections::BTreeSet;

use abi::ids::InstanceId;
use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, entity_impl};
use program::leaks::AddressWords;
use program::lifetimes::Lifetimes;
use program::model::{ConflictTest, Instances, ObjectId, Place, Program, Statement, Template};
use program::points_to::{Offsets, PointsTo, Targets};

use crate::statement_accesses::{self, AccessedBytes};

/// A piece of memory that is one component of the state.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CellId(u32);
entity_impl!(CellId, "cell");

/// Consecutive bytes of an object, at most 16.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cell {
    /// The object.
    pub object: ObjectId,
    /// First byte.
    pub offset: u32,
    /// Number of bytes.
    pub size: u32,
}

/// The cells of all objects.
#[derive(Clone, Debug)]
pub struct Layout {
    /// All cells, those of an object together and in ascending order.
    pub cells: PrimaryMap<CellId, Cell>,
    ranges: Vec<std::ops::Range<u32>>,
    element_sizes: Vec<Option<u32>>,
    writers: Vec<Writers>,
    shared: EntitySet<ObjectId>,
    large: EntitySet<ObjectId>,
    read: EntitySet<ObjectId>,
}

/// Which threads write an object, allocate or free it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Writers {
    /// None.
    #[default]
    Nobody,
    /// This one.
    One(InstanceId),
    /// Several.
    Many,
}

impl Layout {
    /// Splits the objects by the accesses of all instances; an object that needs more than `limit` cells gets none.
    /// The other part of the pair are the words that a search for leaks looks at.
    pub fn new(
        program: &Program,
        instances: &Instances,
        points_to: &PointsTo,
        (limit, address_words): (usize, Option<&AddressWords>),
    ) -> Self {
        let mut usage = Usage::new(instances, limit);
        let lifetimes = Lifetimes::new(program);
        for (instance, thread) in instances.threads.iter() {
            let template = &program.templates[thread.template];
            for edge in template.edges.values() {
                for access in statement_accesses::accessed_bytes(template, &edge.statement) {
                    usage.access(
                        instance,
                        &access,
                        &points_to.targets(instance, access.address),
                    );
                }
                usage.lifetime(instance, &edge.statement, points_to);
                for object in lifetimes.asked_for(program, instances, points_to, (instance, edge)) {
                    usage.touch(instance, object, false);
                }
                if let Statement::Number { address, .. } = edge.statement {
                    usage.bases(instance, &points_to.meant(instance, address));
                }
                usage.words(instance, template, &edge.statement, points_to);
                usage.tests(instance, &edge.statement, points_to);
                if let (Statement::FindLeak(_), Some(found)) = (&edge.statement, address_words) {
                    usage.leaks(instance, found);
                }
            }
        }
        usage.into_layout()
    }

    /// The cells of an object, in ascending order of their offsets.
    pub fn of(&self, object: ObjectId) -> impl ExactSizeIterator<Item = CellId> + use<> {
        self.ranges[object.index()].clone().map(CellId::from_u32)
    }

    /// The cells that overlap some bytes of an object.
    pub fn overlapping(
        &self,
        object: ObjectId,
        offset: u32,
        size: u32,
    ) -> impl Iterator<Item = CellId> + use<> {
        let end = u64::from(offset) + u64::from(size);
        let first = self.ranges[object.index()].start;
        let cells = self.cells_of(object);
        // Cells are in ascending order and share no bytes.
        let before = cells.partition_point(|cell| cell.offset + cell.size <= offset);
        let until = cells.partition_point(|cell| u64::from(cell.offset) < end);
        let numbers = before..until.max(before);
        numbers.map(move |number| CellId::from_u32(first + number as u32))
    }

    fn cells_of(&self, object: ObjectId) -> &[Cell] {
        let range = &self.ranges[object.index()];
        &self.cells.values().as_slice()[range.start as usize..range.end as usize]
    }

    /// How many bytes each cell of an object has, if all have as many and they leave no gaps.
    pub fn element_size(&self, object: ObjectId) -> Option<u32> {
        self.element_sizes[object.index()]
    }

    /// Whether all these bytes of an object belong to cells, as far as any are needed.
    pub fn covers(&self, object: ObjectId, offset: u32, size: u32) -> bool {
        if !self.read.contains(object) {
            return true;
        }
        let mut next = offset;
        for cell in self.overlapping(object, offset, size) {
            let cell = self.cells[cell];
            if cell.offset > next {
                return false;
            }
            next = cell.offset + cell.size;
        }
        u64::from(next) >= u64::from(offset) + u64::from(size)
    }

    /// Whether more than one thread accesses the object.
    pub fn is_shared(&self, object: ObjectId) -> bool {
        self.shared.contains(object)
    }

    /// Which threads write an object, allocate or free it.
    pub fn writers(&self, object: ObjectId) -> Writers {
        self.writers[object.index()]
    }

    /// Whether the object needs more cells than allowed, so that accesses to it are not encoded.
    pub fn is_too_large(&self, object: ObjectId) -> bool {
        self.large.contains(object)
    }
}

impl Writers {
    /// Adds a thread.
    pub fn add(&mut self, instance: InstanceId) {
        *self = match *self {
            Self::Nobody => Self::One(instance),
            Self::One(other) if other == instance => Self::One(instance),
            Self::One(_) | Self::Many => Self::Many,
        };
    }
}

/// What is known about the accesses to every object while they are collected.
struct Usage<'a> {
    instances: &'a Instances,
    limit: usize,
    objects: Vec<ObjectUsage>,
}

/// The accesses to one object.
#[derive(Clone, Debug, Default)]
struct ObjectUsage {
    /// Accessed byte ranges, each first byte and byte after the last.
    ranges: BTreeSet<(u32, u32)>,
    /// The threads that access it.
    threads: Writers,
    writers: Writers,
    /// Whether anything depends on the content.
    read: bool,
    large: bool,
}

impl<'a> Usage<'a> {
    fn new(instances: &'a Instances, limit: usize) -> Self {
        let objects = vec![ObjectUsage::default(); instances.objects.len()];
        Self {
            instances,
            limit,
            objects,
        }
    }

    fn access(&mut self, instance: InstanceId, access: &AccessedBytes, targets: &Targets) {
        for &(object, offsets) in &targets.objects {
            self.touch(instance, object, access.writes);
            let size = self.instances.objects[object].size;
            let usage = &mut self.objects[object.index()];
            usage.read |= access.reads;
            for offset in possible_offsets(offsets, access, size, self.limit) {
                let first = offset + access.delta;
                usage.ranges.insert((first, first + access.size));
                usage.large |= usage.ranges.len() > self.limit;
                if usage.large {
                    break;
                }
            }
        }
    }

    /// Objects that a statement allocates, frees or makes arbitrary, or asks for their sizes.
    fn lifetime(&mut self, instance: InstanceId, statement: &Statement, points_to: &PointsTo) {
        let objects: Vec<ObjectId> =
            if let Statement::Free { address, .. } | Statement::Size { address, .. } = statement {
                let targets = points_to.targets(instance, *address);
                let all = self.instances.objects.keys().filter(|_| targets.other);
                targets
                    .objects
                    .iter()
                    .map(|&(object, _)| object)
                    .chain(all)
                    .collect()
            } else if let Statement::Allocate { site, .. } = statement {
                let slots = self.instances.allocated(*site, instance);
                let bases = slots
                    .iter()
                    .filter_map(|&slot| self.instances.base_of(slot));
                bases.chain(slots.iter().copied()).collect()
            } else {
                let locals = statement.lifetimes().iter();
                let place = |&local| self.instances.resolve(instance, Place::Local(local));
                locals.map(place).collect()
            };
        for object in objects {
            self.touch(instance, object, true);
        }
    }

    /// The words that a statement accesses parts of, and the objects of which they may hold addresses.
    fn words(
        &mut self,
        instance: InstanceId,
        template: &Template,
        statement: &Statement,
        points_to: &PointsTo,
    ) {
        let (Statement::Load { words, .. } | Statement::Store { words, .. }) = statement else {
            return;
        };
        if words.is_empty() {
            return;
        }
        for part in statement_accesses::accessed_bytes(template, statement) {
            let access = AccessedBytes {
                size: self.instances.data_model.address_bytes(),
                reads: true,
                ..part
            };
            for (object, _) in points_to.targets(instance, part.address).objects {
                let each = words.0.iter().map(|&offsets| (object, offsets));
                let objects = each.collect();
                let other = false;
                self.access(instance, &access, &Targets { objects, other });
            }
            self.bases(instance, &points_to.held(instance, part.address, part.size));
        }
    }

    /// What a conflict test looks at.
    fn tests(&mut self, instance: InstanceId, statement: &Statement, points_to: &PointsTo) {
        let Statement::TestConflicts { tests, .. } = statement else {
            return;
        };
        for test in tests {
            if let ConflictTest::CellHolds { address, .. } = test {
                for (object, _) in points_to.targets(instance, *address).objects {
                    self.objects[object.index()].read = true;
                }
            }
        }
    }

    /// What a search for leaks looks at.
    fn leaks(&mut self, instance: InstanceId, found: &AddressWords) {
        let size = self.instances.data_model.address_bytes();
        for word in &found.words {
            self.touch(instance, word.holder, false);
            let usage = &mut self.objects[word.holder.index()];
            usage.read = true;
            usage.ranges.insert((word.offset, word.offset + size));
            usage.large |= usage.ranges.len() > self.limit;
        }
        for &object in &found.objects {
            self.touch(instance, object, false);
        }
    }

    /// Objects of which a statement asks where they lie. Any pointer may have been moved too far.
    fn bases(&mut self, instance: InstanceId, objects: &[ObjectId]) {
        let instances = self.instances;
        let asked = objects.iter().copied().chain([instances.nowhere()]);
        for base in asked.filter_map(|object| instances.base_of(object)) {
            self.touch(instance, base, false);
            let size = self.instances.objects[base].size;
            let usage = &mut self.objects[base.index()];
            usage.read = true;
            usage.ranges.insert((0, size));
        }
    }

    fn touch(&mut self, instance: InstanceId, object: ObjectId, writes: bool) {
        let usage = &mut self.objects[object.index()];
        usage.threads.add(instance);
        if writes {
            usage.writers.add(instance);
        }
    }

    fn into_layout(self) -> Layout {
        let mut layout = Layout {
            cells: PrimaryMap::new(),
            ranges: Vec::new(),
            element_sizes: Vec::new(),
            writers: self.objects.iter().map(|usage| usage.writers).collect(),
            shared: EntitySet::new(),
            large: EntitySet::new(),
            read: EntitySet::new(),
        };
        for (object, usage) in self.instances.objects.keys().zip(&self.objects) {
            let first = layout.cells.len() as u32;
            if usage.read {
                layout.read.insert(object);
                if usage.large {
                    layout.large.insert(object);
                } else {
                    let pieces = partition(&usage.ranges).into_iter();
                    layout.cells.extend(pieces.map(|(offset, end)| Cell {
                        object,
                        offset,
                        size: end - offset,
                    }));
                }
            }
            if usage.threads == Writers::Many {
                layout.shared.insert(object);
            }
            layout.ranges.push(first..layout.cells.len() as u32);
            let size = element_size(layout.cells_of(object));
            layout.element_sizes.push(size);
        }
        layout
    }
}

/// How many bytes each of these cells has, if all have as many and they leave no gaps.
fn element_size(cells: &[Cell]) -> Option<u32> {
    let size = cells.first()?.size;
    let mut numbered = (0..).zip(cells);
    let is_element =
        |(number, cell): (u32, &Cell)| cell.size == size && cell.offset == number * size;
    numbered.all(is_element).then_some(size)
}

/// The offsets of an object at which the address of an access may point, such that the access lies inside. Unrestricted
/// offsets are represented by the aligned ones and those that cover the end. At most one more than `limit` are listed.
fn possible_offsets(offsets: Offsets, access: &AccessedBytes, size: u32, limit: usize) -> Vec<u32> {
    let needed = u64::from(access.delta) + u64::from(access.size);
    let Some(last) = u64::from(size).checked_sub(needed) else {
        return Vec::new();
    };
    let last = last as u32;
    let (first, step) = match offsets {
        Offsets::Exact(offset) => {
            return if offset <= last {
                vec![offset]
            } else {
                Vec::new()
            };
        }
        Offsets::Stride { first, step } => (first, step),
        Offsets::Any => (0, access.size),
    };
    let mut all: Vec<u32> = (first..=last)
        .step_by(step.max(1) as usize)
        .take(limit + 1)
        .collect();
    if offsets == Offsets::Any {
        all.push(last);
    }
    all
}

/// The coarsest partition of the union of ranges into pieces such that every range is a union of pieces.
fn partition(ranges: &BTreeSet<(u32, u32)>) -> Vec<(u32, u32)> {
    let boundaries: BTreeSet<u32> = ranges
        .iter()
        .flat_map(|&(first, end)| [first, end])
        .collect();
    let mut pieces = Vec::new();
    let mut covered = 0;
    let mut open = ranges.iter().peekable();
    for (&first, &end) in boundaries.iter().zip(boundaries.iter().skip(1)) {
        while let Some(&&(begin, stop)) = open.peek()
            && begin <= first
        {
            covered = covered.max(stop);
            open.next();
        }
        if covered >= end {
            pieces.push((first, end));
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_get_no_pieces_and_overlaps_are_cut() {
        let ranges = BTreeSet::from([(0, 8), (4, 8), (12, 16)]);
        assert_eq!(partition(&ranges), [(0, 4), (4, 8), (12, 16)]);
        assert_eq!(partition(&BTreeSet::new()), []);
    }

    proptest! {
        #[test]
        fn every_range_is_a_union_of_disjoint_pieces(
            ranges in prop::collection::btree_set((0u32..40, 1u32..9), 1..12)
        ) {
            let ranges: BTreeSet<_> = ranges.into_iter().map(|(first, size)| (first, first + size)).collect();
            let pieces = partition(&ranges);
            prop_assert!(pieces.windows(2).all(|pair| pair[0].1 <= pair[1].0));
            for &(first, end) in &ranges {
                let inside: u32 = pieces.iter().filter(|piece| first <= piece.0 && piece.1 <= end).map(|p| p.1 - p.0).sum();
                prop_assert_eq!(inside, end - first);
            }
            for &(first, end) in &pieces {
                prop_assert!((first..end).all(|byte| ranges.iter().any(|range| range.0 <= byte && byte < range.1)));
            }
        }
    }

    #[test]
    fn unrestricted_offsets_cover_the_whole_object() {
        let access = AccessedBytes {
            address: program::model::Operand::Constant(program::model::Bits::new(64, 0)),
            delta: 0,
            size: 4,
            reads: true,
            writes: false,
        };
        assert_eq!(possible_offsets(Offsets::Any, &access, 10, 100), [0, 4, 6]);
        assert_eq!(possible_offsets(Offsets::Exact(8), &access, 10, 100), []);
        assert_eq!(
            possible_offsets(Offsets::Stride { first: 2, step: 4 }, &access, 10, 100),
            [2, 6]
        );
    }
}
