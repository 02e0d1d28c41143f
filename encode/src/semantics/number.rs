//! The numbers that machines have for addresses.

use abi::ids::InstanceId;
use program::model::{Agreement, DataModel, LOWEST, ObjectId, ObjectKind, Operand};
use program::threads::{Placement, Sharing};
use system::term::Term;

use crate::semantics::executor::Executor;
use crate::semantics::operation;
use crate::semantics::path::{Path, Variable};

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
        let meant = self.context.points_to.meant(self.instance, address);
        if meant.is_empty() {
            let nowhere = self.context.instances.nowhere();
            return self.number_among(path, term, [nowhere]);
        }
        let number = self.number_of(path, term);
        let origin = self.origin(term);
        let agrees = self.agrees(path, (address, origin), unless);
        let nowhere = self.is_object(origin, self.context.instances.nowhere());
        let differs = self.terms.not(agrees);
        let counts = self.terms.or(differs, nowhere);
        self.terms.ite(counts, number, term)
    }

    /// Where the object of an address lies plus the distance from there, or the value itself if it is no address.
    pub(crate) fn number_of(&mut self, path: &Path, address: Term) -> Term {
        let all = self.context.instances.objects.keys();
        self.number_among(path, address, all)
    }

    /// The same where it is no address of an object but these.
    fn number_among(
        &mut self,
        path: &Path,
        address: Term,
        objects: impl IntoIterator<Item = ObjectId>,
    ) -> Term {
        let origin = self.origin(address);
        let width = self.data_model().address_bits();
        let distance = self.terms.sign_extend(width, origin.distance);
        let mut number = address;
        for object in objects {
            let Some(base) = self.lies_at(path, object) else {
                continue;
            };
            let here = self.is_object(origin, object);
            let there = self.terms.add(base, distance);
            number = self.terms.ite(here, there, number);
        }
        number
    }

    /// Whether a value is an address, or one that was moved too far to point to anything.
    pub(crate) fn has_number(&mut self, value: Term) -> Term {
        let origin = self.origin(value);
        let address = self.is_address(origin);
        let nowhere = self.is_object(origin, self.context.instances.nowhere());
        self.terms.or(address, nowhere)
    }

    /// The objects that an operand may be an address of.
    fn possible_objects(&self, operand: Operand) -> Vec<ObjectId> {
        self.context
            .points_to
            .possible_objects(self.instance, operand)
    }

    /// Where an object lies, if that is part of the state.
    fn lies_at(&mut self, path: &Path, object: ObjectId) -> Option<Term> {
        let base = self.context.instances.base_of(object)?;
        let cell = self.context.layout.of(base).next()?;
        let bits = self.value(path, Variable::Cell(cell));
        let instances = self.context.instances;
        let place = self.place(instances.placement(object), bits);
        if instances.is_thread(object) {
            return Some(place);
        }
        let stays = instances.stays().trailing_zeros();
        let stays = self.terms.extract(stays, stays, bits);
        let stays = self.terms.bit_to_bool(stays);
        let address = self.address_bits(instances.base(object));
        Some(self.terms.ite(stays, address, place))
    }

    /// Where an object lies that does not lie where it lies in the model.
    fn place(&mut self, placement: Placement, bits: Term) -> Term {
        let Placement { free, least, most } = placement;
        let width = self.data_model().address_bits();
        let bits = operation::truncate(self.terms, width, bits);
        let (free, least) = (self.address_bits(free), self.address_bits(least));
        let multiple = self.terms.bit_and(bits, free);
        let lifted = self.terms.add(multiple, least);
        let Some(most) = most else {
            return lifted;
        };
        let (most, below) = (
            self.address_bits(most),
            self.address_bits(!self.data_model().mark()),
        );
        let lowered = self.terms.bit_and(multiple, below);
        let is_low = self.terms.unsigned_less(multiple, least);
        let is_high = self.terms.unsigned_less(most, multiple);
        let place = self.terms.ite(is_high, lowered, multiple);
        self.terms.ite(is_low, lifted, place)
    }

    fn origin(&mut self, address: Term) -> Origin {
        Origin {
            object: operation::object(self.terms, self.data_model(), address),
            distance: operation::distance(self.terms, self.data_model(), address),
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
                let same = self.terms.equal(origin.object, other.object);
                let behind = [origin, other].map(|origin| self.is_behind(origin));
                self.terms.and_all([same, behind[0], behind[1]])
            }
            Agreement::Distinct(other) => {
                let term = self.operand(path, other);
                self.is_decided(path, (address, origin), (other, term))
            }
            Agreement::Small(number) => {
                let term = self.operand(path, number);
                let (small, behind) = (self.is_small(term), self.is_behind(origin));
                self.terms.and(small, behind)
            }
            Agreement::Near(number) => {
                let term = self.operand(path, number);
                let near = [term, origin.distance].map(|distance| self.is_near(distance));
                self.terms.and(near[0], near[1])
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
        let merged = self.may_share(path, [(address, origin), (other, there)]);
        let over = [
            self.is_over(path, (address, origin), other),
            self.is_over(path, (other, there), address),
        ];
        let stale = self.is_stale(path, [(address, origin), (other, there)]);
        let open = [outside[0], outside[1], merged, over[0], over[1], stale];
        let open = self.terms.or_all(open);
        let decided = self.terms.not(open);
        let apart = self.terms.and(is_address, decided);
        let (small, behind) = (self.is_small(term), self.is_behind(origin));
        let is_small = self.terms.and(small, behind);
        self.terms.or_all([same, apart, is_small])
    }

    /// Whether one of two addresses is in memory that was freed, and a new object that the other one is in may lie there, but not
    /// start where the old one did.
    fn is_stale(&mut self, path: &Path, addresses: [(Operand, Origin); 2]) -> Term {
        let [(left, here), (right, there)] = addresses;
        let (instances, program) = (self.context.instances, self.context.program);
        let mut stale = Vec::new();
        let objects = [left, right].map(|operand| self.possible_objects(operand));
        for &first in &objects[0] {
            for &second in &objects[1] {
                if !instances.share_memory(program, first, second) {
                    continue;
                }
                let both = [(here, first), (there, second)].map(|(origin, object)| {
                    let exists = self.is_allocated(path, object);
                    (self.is_object(origin, object), self.terms.not(exists))
                });
                let freed = self.terms.or(both[0].1, both[1].1);
                let pair = self.terms.and_all([both[0].0, both[1].0, freed]);
                let alignment = instances.objects[first].alignment;
                let apart = self.are_units_apart(here.distance, there.distance, alignment);
                stale.push(self.terms.and(pair, apart));
            }
        }
        self.terms.or_all(stale)
    }

    /// Whether two distances differ by a multiple of a power of two, but for 0.
    fn are_units_apart(&mut self, here: Term, there: Term, unit: u32) -> Term {
        let apart = self.terms.subtract(here, there);
        let width = self.terms.width(apart);
        let (zero, mask) = (
            self.terms.bits(width, 0),
            self.terms.bits(width, u128::from(unit) - 1),
        );
        let below = self.terms.bit_and(apart, mask);
        let (aligned, same) = (self.terms.equal(below, zero), self.terms.equal(apart, zero));
        let differ = self.terms.not(same);
        self.terms.and(aligned, differ)
    }

    /// Whether an object is alive, if it is a variable of a thread or memory of the stack.
    fn automatic_life(&mut self, path: &Path, object: ObjectId) -> Option<Term> {
        let instances = self.context.instances;
        if let Some(owner) = instances.owner(object) {
            return Some(self.is_alive(path, object, owner));
        }
        let sites = &self.context.program.heap_sites;
        let is_automatic = instances
            .pool(object)
            .is_some_and(|pool| sites[pool].automatic);
        let is_tracked = is_automatic && self.context.tracked.contains(object);
        is_tracked.then(|| self.value(path, Variable::Alive(object)))
    }

    /// Whether two operands, whose values are given, are addresses in different objects, one of which is a variable whose life
    /// is over.
    pub(crate) fn is_undecided(
        &mut self,
        path: &Path,
        [left, right]: [Operand; 2],
        values: [Term; 2],
    ) -> Term {
        let [here, there] = values.map(|value| self.origin(value));
        let over = [
            self.is_over(path, (left, here), right),
            self.is_over(path, (right, there), left),
        ];
        let dead = self.terms.or_all(over);
        let same = self.terms.equal(here.object, there.object);
        let differ = self.terms.not(same);
        let are_addresses = [here, there].map(|origin| self.is_address(origin));
        self.terms
            .and_all([dead, differ, are_addresses[0], are_addresses[1]])
    }

    /// Whether an operand is an address in a variable whose life is over, and another operand may be one in another object.
    fn is_over(
        &mut self,
        path: &Path,
        (operand, origin): (Operand, Origin),
        other: Operand,
    ) -> Term {
        let others = self.possible_objects(other);
        let mut over = Vec::new();
        for object in self.possible_objects(operand) {
            let differs = others.iter().any(|&other| other != object);
            if differs && let Some(alive) = self.automatic_life(path, object) {
                let (here, dead) = (self.is_object(origin, object), self.terms.not(alive));
                over.push(self.terms.and(here, dead));
            }
        }
        self.terms.or_all(over)
    }

    /// Whether two addresses are of different objects for which some machine has one number.
    fn may_share(&mut self, path: &Path, addresses: [(Operand, Origin); 2]) -> Term {
        let [(first, here), (second, there)] = addresses;
        let (instances, program) = (self.context.instances, self.context.program);
        let others = self.possible_objects(second);
        let mut merged = Vec::new();
        for object in self.possible_objects(first) {
            let mut with = Vec::new();
            for &other in &others {
                let shares = match instances.sharing(program, object, other) {
                    Sharing::Impossible => continue,
                    Sharing::Possible => self.terms.bool(true),
                    Sharing::Unless(threads) => self.is_some_over(path, &threads),
                };
                let other = self.is_object(there, other);
                with.push(self.terms.and(other, shares));
            }
            let (first, second) = (self.is_object(here, object), self.terms.or_all(with));
            merged.push(self.terms.and(first, second));
        }
        self.terms.or_all(merged)
    }

    /// Whether one of these threads was joined, or was detached and has ended.
    fn is_some_over(&mut self, path: &Path, threads: &[InstanceId]) -> Term {
        let mut over = Vec::new();
        for &thread in threads {
            let claimed = self.value(path, Variable::Claimed(thread));
            let exited = self.value(path, Variable::Exited(thread));
            over.push(self.terms.and(claimed, exited));
        }
        self.terms.or_all(over)
    }

    /// Whether an address does not lie before the start of its object, or so far behind it that its number may wrap around.
    fn is_behind(&mut self, origin: Origin) -> Term {
        if self.data_model() == DataModel::Ilp32 {
            let lowest = self.terms.bits(32, LOWEST.into());
            return self.terms.unsigned_less(origin.distance, lowest);
        }
        let sign = self.terms.extract(31, 31, origin.distance);
        let before = self.terms.bit_to_bool(sign);
        self.terms.not(before)
    }

    /// Whether a signed distance is below [`DataModel::far`](program::model::DataModel::far).
    fn is_near(&mut self, distance: Term) -> Term {
        let far = u128::from(self.data_model().far());
        let (most, count) = (far - 1, 2 * far - 1);
        let width = self.terms.width(distance);
        let (most, count) = (self.terms.bits(width, most), self.terms.bits(width, count));
        let moved = self.terms.add(distance, most);
        self.terms.unsigned_less(moved, count)
    }

    fn is_small(&mut self, number: Term) -> Term {
        let (lowest, width) = (self.address_bits(LOWEST), self.address_bits(LOWEST * 2));
        let moved = self.terms.add(number, lowest);
        self.terms.unsigned_less(moved, width)
    }

    fn is_address(&mut self, origin: Origin) -> Term {
        let objects = &self.context.instances.objects;
        let is_place = |kind| !matches!(kind, ObjectKind::Base(_) | ObjectKind::Nowhere);
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
        let described = &self.context.instances.objects[object];
        let size = match described.kind {
            ObjectKind::Heap { .. } => self.allocated_size(path, object),
            ObjectKind::Function(_) | ObjectKind::Thread(_) => self.terms.bits(32, 1),
            // A variable keeps its place and its size when its life is over.
            ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => self.terms.bits(32, described.size.into()),
        };
        let inside = self.terms.unsigned_less(origin.distance, size);
        let outside = self.terms.not(inside);
        self.terms.and(here, outside)
    }

    /// Whether an object lives in a heap slot, as far as that is part of the state.
    fn is_allocated(&mut self, path: &Path, slot: ObjectId) -> Term {
        if self.context.tracked.contains(slot) {
            self.value(path, Variable::Alive(slot))
        } else {
            self.terms.bool(true)
        }
    }

    /// The size of the object in a heap slot. An object without bytes has a place as if it had one byte. So has a freed
    /// object, because its size is no longer known.
    fn allocated_size(&mut self, path: &Path, slot: ObjectId) -> Term {
        let exists = self.is_allocated(path, slot);
        let size = self.value(path, Variable::Size(slot));
        let size = if self.terms.width(size) < 32 {
            self.terms.zero_extend(32, size)
        } else {
            size
        };
        let (zero, one) = (self.terms.bits(32, 0), self.terms.bits(32, 1));
        let empty = self.terms.equal(size, zero);
        let at_least = self.terms.ite(empty, one, size);
        self.terms.ite(exists, at_least, one)
    }
}
