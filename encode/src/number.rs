//! The numbers that machines have for addresses.

use program::model::{Agreement, ObjectId, ObjectKind, Operand};
use program::threads::LOWEST;
use system::term::Term;

use crate::execute::Executor;
use crate::operation;
use crate::path::{Path, Variable};

/// How far a pointer may be from the start of its object, in both directions.
const REACH: u128 = 1 << 31;

/// An address as a term: which object it was made from, as its number from 1, and the distance from there; 32 bits each.
#[derive(Clone, Copy)]
struct Origin {
    object: Term,
    distance: Term,
}

impl Executor<'_> {
    /// Where the object of an address lies plus the distance from there, or the address itself.
    pub(crate) fn number(&mut self, path: &Path, address: Operand, unless: Agreement) -> Term {
        let term = self.operand(path, address);
        if self.possible_objects(address).is_empty() {
            return term;
        }
        let origin = self.origin(term);
        let distance = self.terms.sign_extend(64, origin.distance);
        let mut number = term;
        for object in self.world.instances.objects.keys() {
            let Some(base) = self.lies_at(path, object) else {
                continue;
            };
            let here = self.is_object(origin, object);
            let there = self.terms.add(base, distance);
            number = self.terms.ite(here, there, number);
        }
        let agrees = self.agrees(path, (address, origin), unless);
        self.terms.ite(agrees, term, number)
    }

    /// The objects that an operand may be an address of.
    fn possible_objects(&self, operand: Operand) -> Vec<ObjectId> {
        self.world
            .points_to
            .possible_objects(self.instance, operand)
    }

    /// Where an object lies, if that is part of the state.
    fn lies_at(&mut self, path: &Path, object: ObjectId) -> Option<Term> {
        let base = self.world.instances.base_of(object)?;
        let cell = self.world.layout.of(base).next()?;
        let bits = self.value(path, Variable::Cell(cell));
        let (free, least) = self.world.instances.placement(object);
        let (free, least) = (
            self.terms.bits(64, free.into()),
            self.terms.bits(64, least.into()),
        );
        let multiple = self.terms.bit_and(bits, free);
        Some(self.terms.add(multiple, least))
    }

    fn origin(&mut self, address: Term) -> Origin {
        let reach = self.terms.bits(64, REACH);
        let moved = self.terms.add(address, reach);
        Origin {
            object: self.terms.extract(63, 32, moved),
            distance: operation::truncate(self.terms, 32, address),
        }
    }

    fn is_object(&mut self, origin: Origin, object: ObjectId) -> Term {
        let number = u128::from(object.as_u32()) + 1;
        self.equations.condition(self.terms, origin.object, number)
    }

    fn agrees(
        &mut self,
        path: &Path,
        (address, origin): (Operand, Origin),
        unless: Agreement,
    ) -> Term {
        match unless {
            Agreement::Never => self.terms.bool(false),
            Agreement::SameObject(other) => {
                let term = self.operand(path, other);
                let other = self.origin(term);
                self.terms.equal(origin.object, other.object)
            }
            Agreement::Distinct(other) => {
                let term = self.operand(path, other);
                self.is_decided(path, (address, origin), (other, term))
            }
            Agreement::Small(number) => {
                let term = self.operand(path, number);
                self.is_small(term)
            }
            Agreement::Near(number) => {
                let term = self.operand(path, number);
                let (reach, width) = (self.terms.bits(64, REACH), self.terms.bits(64, 2 * REACH));
                let moved = self.terms.add(term, reach);
                self.terms.unsigned_less(moved, width)
            }
        }
    }

    /// Whether all machines agree on the equality of two addresses.
    fn is_decided(
        &mut self,
        path: &Path,
        (address, origin): (Operand, Origin),
        (other, term): (Operand, Term),
    ) -> Term {
        let there = self.origin(term);
        let same = self.terms.equal(origin.object, there.object);
        let is_address = self.is_address(there);
        let outside = [(address, origin), (other, there)].map(|(operand, origin)| {
            let objects = self.possible_objects(operand);
            let outside = objects
                .into_iter()
                .map(|object| self.is_outside(path, origin, object));
            let outside: Vec<Term> = outside.collect();
            self.terms.or_all(outside)
        });
        let merged = self.may_merge([(address, origin), (other, there)]);
        let open = self.terms.or_all([outside[0], outside[1], merged]);
        let decided = self.terms.not(open);
        let apart = self.terms.and(is_address, decided);
        let is_small = self.is_small(term);
        self.terms.or_all([same, apart, is_small])
    }

    /// Whether two addresses are of different objects that may be in one place.
    fn may_merge(&mut self, addresses: [(Operand, Origin); 2]) -> Term {
        let [(first, here), (second, there)] = addresses;
        let (instances, program) = (&self.world.instances, &self.world.program);
        let others = self.possible_objects(second);
        let mut merged = Vec::new();
        for object in self.possible_objects(first) {
            let may_merge = |other: &ObjectId| instances.may_merge(program, object, *other);
            let others: Vec<ObjectId> = others.iter().copied().filter(may_merge).collect();
            let others: Vec<Term> = others
                .into_iter()
                .map(|other| self.is_object(there, other))
                .collect();
            let (first, second) = (self.is_object(here, object), self.terms.or_all(others));
            merged.push(self.terms.and(first, second));
        }
        self.terms.or_all(merged)
    }

    fn is_small(&mut self, number: Term) -> Term {
        let (lowest, width) = (
            self.terms.bits(64, LOWEST.into()),
            self.terms.bits(64, u128::from(LOWEST) * 2),
        );
        let moved = self.terms.add(number, lowest);
        self.terms.unsigned_less(moved, width)
    }

    fn is_address(&mut self, origin: Origin) -> Term {
        let objects = &self.world.instances.objects;
        let is_place = |kind| !matches!(kind, ObjectKind::Base(_));
        let count = objects
            .values()
            .filter(|object| is_place(object.kind))
            .count();
        let (one, count) = (self.terms.bits(32, 1), self.terms.bits(32, count as u128));
        let index = self.terms.subtract(origin.object, one);
        self.terms.unsigned_less(index, count)
    }

    /// Whether an address is one of this object, and none of its bytes.
    fn is_outside(&mut self, path: &Path, origin: Origin, object: ObjectId) -> Term {
        let here = self.is_object(origin, object);
        let described = &self.world.instances.objects[object];
        let (exists, size) = match described.kind {
            ObjectKind::Heap { .. } => (
                self.is_allocated(path, object),
                self.allocated_size(path, object),
            ),
            ObjectKind::Function(_) => (self.terms.bool(true), self.terms.bits(32, 1)),
            // A variable keeps its place and its size when its life is over.
            ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Base(_) => (
                self.terms.bool(true),
                self.terms.bits(32, described.size.into()),
            ),
        };
        let inside = self.terms.unsigned_less(origin.distance, size);
        let outside = self.terms.not(inside);
        self.terms.and_all([here, exists, outside])
    }

    /// Whether an object lives in a heap slot, as far as that is part of the state.
    fn is_allocated(&mut self, path: &Path, slot: ObjectId) -> Term {
        if self.world.tracked.contains(slot) {
            self.value(path, Variable::Alive(slot))
        } else {
            self.terms.bool(true)
        }
    }

    /// The size of the object in a heap slot; an object without bytes has a place as if it had one.
    fn allocated_size(&mut self, path: &Path, slot: ObjectId) -> Term {
        let size = self.value(path, Variable::Size(slot));
        let size = if self.terms.width(size) < 32 {
            self.terms.zero_extend(32, size)
        } else {
            size
        };
        let (zero, one) = (self.terms.bits(32, 0), self.terms.bits(32, 1));
        let empty = self.terms.equal(size, zero);
        self.terms.ite(empty, one, size)
    }
}
