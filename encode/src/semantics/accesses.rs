//! Loads and stores: case splits over the possible addresses, reading and writing bytes of objects as cells.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{Object, ObjectId, ObjectKind, Operand, Words};
use program::names::Names;
use program::points_to::{Offsets, Targets};
use system::term::{Node, Term};

use crate::layout::{Cell, CellId};
use crate::semantics::executor::Executor;
use crate::semantics::path::{Path, Variable};
use crate::semantics::ranges;
use crate::semantics::sink::NotEncoded;

/// One place where an access may take place.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Holds iff the address is this one, and the access is valid there.
    pub condition: Term,
    /// The object.
    pub object: ObjectId,
    /// The first byte.
    pub offset: u32,
}

/// What an access needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// Number of bytes.
    pub size: u32,
    /// Whether they may be written.
    pub writes: bool,
}

/// All places where an access may take place.
pub struct Cases {
    /// No two of them hold together.
    pub each: Vec<Case>,
    /// Holds iff one of them does.
    pub any: Term,
    /// Why there may be others, if so.
    pub gap: Option<NotEncoded>,
}

/// Candidate addresses of an access.
struct Candidates {
    places: Vec<(ObjectId, u32)>,
    /// Why the list may be incomplete; without it, addresses outside of the list are invalid.
    gap: Option<NotEncoded>,
}

impl Executor<'_> {
    /// Splits an access into its cases. Where no case holds, the block ends at the undefined location, or at a limit of
    /// the encoding; the path that is returned goes on with the cases that remain.
    pub(crate) fn resolve(
        &mut self,
        path: Path,
        address: Operand,
        need: Need,
    ) -> Option<(Path, Vec<Case>)> {
        let Cases {
            each: mut cases,
            any,
            gap,
        } = self.cases(&path, address, need);
        let none = self.terms.not(any);
        match gap {
            None => self.invalid_access(&path, none, address),
            Some(what) => self.not_encoded(&path, none, what),
        }
        let path = path.assume(self.terms, any)?;
        if let [only] = cases.as_mut_slice() {
            only.condition = self.terms.bool(true); // the path says so already
        }
        Some((path, cases))
    }

    /// Ends the block under a condition because an access through an address has no meaning.
    fn invalid_access(&mut self, path: &Path, condition: Term, address: Operand) {
        let template = self.context.template(self.instance);
        let is_verified = template.invalid_access != template.undefined;
        if is_verified && self.may_be_beyond(address) {
            return self.not_encoded(path, condition, NotEncoded::UnreadObject);
        }
        self.stop(path, condition, template.invalid_access);
    }

    /// Whether an address may be one of an object of which an invalid access violates nothing.
    fn may_be_beyond(&self, address: Operand) -> bool {
        let names = Names::new(self.context.program, self.context.instances);
        let targets = self.context.points_to.targets(self.instance, address);
        let mut objects = targets.objects.iter();
        objects.any(|&(object, _)| names.is_beyond(object))
    }

    /// The cases of an access.
    pub(crate) fn cases(&mut self, path: &Path, address: Operand, need: Need) -> Cases {
        let term = self.operand(path, address);
        let candidates = self.candidates(term, address, need);
        let mut each = Vec::new();
        let mut places_by_validity: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
        for &(object, offset) in &candidates.places {
            let base = self.context.instances.base(object) | u64::from(offset);
            let here = self.equations.condition(self.terms, term, base.into());
            let valid = self.valid(path, object, offset, need);
            let condition = self.terms.and(here, valid);
            if condition != self.terms.bool(false) {
                each.push(Case {
                    condition,
                    object,
                    offset,
                });
                places_by_validity.entry(valid).or_default().push(here);
            }
        }
        let valid = places_by_validity.into_iter().map(|(valid, places)| {
            let somewhere = ranges::disjunction(self.terms, places);
            self.terms.and(somewhere, valid)
        });
        let valid: Vec<Term> = valid.collect();
        Cases {
            each,
            any: self.terms.or_all(valid),
            gap: candidates.gap,
        }
    }

    /// Whether `need` is satisfied at a place, given that the address is that of the place.
    fn valid(&mut self, path: &Path, object: ObjectId, offset: u32, need: Need) -> Term {
        if !self.fits(object, offset, need) {
            return self.terms.bool(false);
        }
        if let Some(owner) = self.context.instances.owner(object) {
            return self.is_alive(path, object, owner);
        }
        let Object {
            kind: ObjectKind::Heap { .. },
            ..
        } = self.context.instances.objects[object]
        else {
            return self.terms.bool(true);
        };
        let size = self.value(path, Variable::Size(object));
        let last = self
            .terms
            .bits(self.terms.width(size), u128::from(offset + need.size));
        let inside = self.terms.unsigned_less_equal(last, size);
        if !self.context.tracked.contains(object) {
            return inside;
        }
        let alive = self.value(path, Variable::Alive(object));
        self.terms.and(alive, inside)
    }

    /// Whether neither the lifetime of a thread's variable nor, for another thread, its owner's run is over.
    pub(crate) fn is_alive(&mut self, path: &Path, object: ObjectId, owner: InstanceId) -> Term {
        let in_scope = if self.context.tracked.contains(object) {
            self.value(path, Variable::Alive(object))
        } else {
            self.terms.bool(true)
        };
        if owner == self.instance {
            return in_scope;
        }
        let ended = self.value(path, Variable::Exited(owner));
        let running = self.terms.not(ended);
        self.terms.and(in_scope, running)
    }

    /// Whether an access lies inside an object that has content and may be written if need be.
    fn fits(&self, object: ObjectId, offset: u32, need: Need) -> bool {
        let Object { kind, size, .. } = self.context.instances.objects[object];
        let writable = match kind {
            ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => return false,
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                self.context.program.globals[global].writable
            }
            ObjectKind::Local(..) | ObjectKind::Heap { .. } => true,
        };
        u64::from(offset) + u64::from(need.size) <= u64::from(size) && (writable || !need.writes)
    }

    /// The places where an access may be valid: those of the constants an address is chosen from, else those that the
    /// pointer analysis gives.
    fn candidates(&self, term: Term, address: Operand, need: Need) -> Candidates {
        let limit = self.context.options.cases_per_access;
        let targets = self.context.points_to.targets(self.instance, address);
        if let Some(values) = self.constants(term, limit) {
            let located = values
                .into_iter()
                .filter_map(|value| self.context.instances.locate(value as u64));
            let places = located.filter(|&(object, offset)| self.fits(object, offset, need));
            return self.encodable(places.collect(), &targets, need);
        }
        let mut candidates = self.encodable(self.places(&targets, need, limit), &targets, need);
        if candidates.places.len() > limit {
            candidates = Candidates {
                places: Vec::new(),
                gap: Some(NotEncoded::LargeObject),
            };
        } else if targets.other {
            candidates.gap = Some(NotEncoded::UnknownAddress);
        }
        candidates
    }

    /// Leaves only the places that the layout was made for.
    fn encodable(
        &self,
        mut places: Vec<(ObjectId, u32)>,
        targets: &Targets,
        need: Need,
    ) -> Candidates {
        let layout = &self.context.layout;
        let mut gap = None;
        places.retain(|&(object, offset)| {
            let known = targets.objects.iter().any(|&(target, _)| target == object);
            let covered = known && layout.covers(object, offset, need.size);
            if layout.is_too_large(object) {
                gap = Some(NotEncoded::LargeObject);
            } else if !covered && targets.contains(object, offset) {
                gap = Some(NotEncoded::UnknownAddress);
            }
            covered
        });
        Candidates { places, gap }
    }

    /// The valid places among the targets of the pointer analysis; more than `limit` if there are more.
    fn places(&self, targets: &Targets, need: Need, limit: usize) -> Vec<(ObjectId, u32)> {
        let mut places = Vec::new();
        for &(object, offsets) in &targets.objects {
            let size = self.context.instances.objects[object].size;
            let Some(last) = size.checked_sub(need.size) else {
                continue;
            };
            let (first, last, step) = match offsets {
                Offsets::Exact(offset) => (offset, offset.min(last), 1),
                Offsets::Stride { first, step } => (first, last, step.max(1)),
                Offsets::Any => (0, last, 1),
            };
            let offsets = (first..=last).step_by(step as usize).take(limit + 1);
            places.extend(
                offsets
                    .map(|offset| (object, offset))
                    .filter(|&(_, offset)| self.fits(object, offset, need)),
            );
        }
        places
    }

    /// The constants that a term is chosen from, if it is made of constants by `ite` alone, and at most `limit`.
    fn constants(&self, term: Term, limit: usize) -> Option<BTreeSet<u128>> {
        let mut found = BTreeSet::new();
        let mut seen = BTreeSet::from([term]);
        let mut open = vec![term];
        while let Some(term) = open.pop() {
            match self.terms.node(term) {
                Node::Constant(value) => {
                    found.insert(value.bits());
                }
                Node::Ite(_, a, b) => {
                    open.extend([a, b].into_iter().filter(|&next| seen.insert(next)))
                }
                Node::Symbol(_)
                | Node::Unary(..)
                | Node::Binary(..)
                | Node::Extract { .. }
                | Node::ZeroExtend(..)
                | Node::SignExtend(..) => return None,
            }
            if found.len() > limit {
                return None;
            }
        }
        Some(found)
    }

    /// The content of `size` bytes from `delta` bytes behind the address.
    pub(crate) fn read(&mut self, path: &Path, cases: &[Case], delta: u32, size: u32) -> Term {
        self.select(cases, size, |executor, case| {
            executor.read_bytes(path, case.object, case.offset + delta, size)
        })
    }

    /// The content of `size` bytes at the address, where addresses in these words count as the numbers of machines.
    pub(crate) fn read_parts(
        &mut self,
        path: &Path,
        cases: &[Case],
        size: u32,
        words: &Words,
    ) -> Term {
        self.select(cases, size, |executor, case| {
            let bytes = executor.read_bytes(path, case.object, case.offset, size);
            let starts: Vec<u32> = words
                .divided(executor.data_model(), case.offset, size)
                .collect();
            let parts = starts.into_iter().rev();
            parts.fold(bytes, |bytes, start| {
                executor.read_part(path, (case.object, start), (case.offset, bytes))
            })
        })
    }

    /// Some bytes, or, where they are a part of the address in a word, the bytes of its number.
    fn read_part(
        &mut self,
        path: &Path,
        (object, start): (ObjectId, u32),
        (offset, bytes): (u32, Term),
    ) -> Term {
        let Some((found, number)) = self.number_at(path, object, start, false) else {
            return bytes;
        };
        let width = self.terms.width(bytes);
        let common = Words::common(self.data_model(), start, offset, width / 8);
        let (low, high) = (8 * (common.start - offset), 8 * (common.end - offset));
        let mut parts = self.terms.extract(
            8 * (common.end - start) - 1,
            8 * (common.start - start),
            number,
        );
        if low > 0 {
            let below = self.terms.extract(low - 1, 0, bytes);
            parts = self.terms.concat(parts, below);
        }
        if high < width {
            let above = self.terms.extract(width - 1, high, bytes);
            parts = self.terms.concat(above, parts);
        }
        self.terms.ite(found, parts, bytes)
    }

    /// Lets the words that hold addresses become their numbers of which `size` bytes at the address have a part.
    pub(crate) fn write_numbers(
        &mut self,
        path: &mut Path,
        cases: &[Case],
        size: u32,
        words: &Words,
    ) {
        for case in cases {
            for start in words.divided(self.data_model(), case.offset, size) {
                if let Some((found, number)) = self.number_at(path, case.object, start, true) {
                    let when = self.terms.and(case.condition, found);
                    self.write_bytes(path, case.object, start, number, when);
                }
            }
        }
    }

    /// The number of the address that a word holds, and whether it holds one and may be accessed.
    fn number_at(
        &mut self,
        path: &Path,
        object: ObjectId,
        start: u32,
        writes: bool,
    ) -> Option<(Term, Term)> {
        let need = Need {
            size: self.data_model().address_bytes(),
            writes,
        };
        let valid = self.valid(path, object, start, need);
        if valid == self.terms.bool(false) {
            return None;
        }
        let word = self.read_bytes(path, object, start, need.size);
        let holds = self.has_number(word);
        let found = self.terms.and(valid, holds);
        Some((found, self.number_of(path, word)))
    }

    /// What is read in the case that holds.
    fn select(
        &mut self,
        cases: &[Case],
        size: u32,
        mut read: impl FnMut(&mut Self, &Case) -> Term,
    ) -> Term {
        let mut result: Option<Term> = None;
        for case in cases.iter().rev() {
            let value = read(self, case);
            result = Some(match result {
                None => value,
                Some(other) => self.terms.ite(case.condition, value, other),
            });
        }
        // Without a case the path has ended, and the value does not matter.
        result.unwrap_or_else(|| self.terms.bits(8 * size, 0))
    }

    /// Writes whole bytes where `when` holds.
    pub(crate) fn write(
        &mut self,
        path: &mut Path,
        cases: &[Case],
        delta: u32,
        value: Term,
        when: Term,
    ) {
        for case in cases {
            let condition = self.terms.and(case.condition, when);
            self.write_bytes(path, case.object, case.offset + delta, value, condition);
        }
    }

    pub(super) fn read_bytes(
        &mut self,
        path: &Path,
        object: ObjectId,
        offset: u32,
        size: u32,
    ) -> Term {
        let cells: Vec<CellId> = self
            .context
            .layout
            .overlapping(object, offset, size)
            .collect();
        let mut result: Option<Term> = None;
        for id in cells {
            let cell = self.context.layout.cells[id];
            let (low, high) = common_bytes(cell, offset, size);
            let content = self.value(path, Variable::Cell(id));
            let piece = self.terms.extract(
                8 * high - 1 - 8 * cell.offset,
                8 * (low - cell.offset),
                content,
            );
            result = Some(match result {
                None => piece,
                Some(below) => self.terms.concat(piece, below),
            });
        }
        result.expect("only places that have cells are candidates")
    }

    fn write_bytes(
        &mut self,
        path: &mut Path,
        object: ObjectId,
        offset: u32,
        value: Term,
        when: Term,
    ) {
        let size = self.terms.width(value) / 8;
        let cells: Vec<CellId> = self
            .context
            .layout
            .overlapping(object, offset, size)
            .collect();
        for id in cells {
            let cell = self.context.layout.cells[id];
            let (low, high) = common_bytes(cell, offset, size);
            let piece = self
                .terms
                .extract(8 * (high - offset) - 1, 8 * (low - offset), value);
            let old = self.value(path, Variable::Cell(id));
            let new = self.replace(old, 8 * (low - cell.offset), piece);
            self.set_if(path, when, Variable::Cell(id), new);
        }
    }

    /// `whole` with the bits from `low` on replaced by `piece`.
    fn replace(&mut self, whole: Term, low: u32, piece: Term) -> Term {
        let (width, end) = (self.terms.width(whole), low + self.terms.width(piece));
        let mut result = piece;
        if low > 0 {
            let below = self.terms.extract(low - 1, 0, whole);
            result = self.terms.concat(result, below);
        }
        if end < width {
            let above = self.terms.extract(width - 1, end, whole);
            result = self.terms.concat(above, result);
        }
        result
    }
}

/// The bytes of an object that a cell has in common with an access, first and behind the last.
fn common_bytes(cell: Cell, offset: u32, size: u32) -> (u32, u32) {
    (
        cell.offset.max(offset),
        (cell.offset + cell.size).min(offset + size),
    )
}
