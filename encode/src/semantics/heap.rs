//! Allocation, deallocation and arbitrary content.

use std::ops::Range;

use abi::ids::InstanceId;
use program::model::{HeapSiteId, LimitKind, LocalId, ObjectId, Operand, Place, RegisterId};
use program::threads::Allocation;
use system::term::Term;

use crate::context::bits_for;
use crate::semantics::executor::Executor;
use crate::semantics::inputs::choice_width;
use crate::semantics::operation;
use crate::semantics::path::{Path, Variable};

impl Executor<'_> {
    /// Starts the lifetime of a local, with arbitrary content.
    pub(crate) fn start_lifetime(&mut self, mut path: Path, local: LocalId) -> Path {
        let always = self.terms.bool(true);
        let object = self.set_alive(&mut path, local, true);
        self.scramble(&mut path, object, always);
        path
    }

    /// Ends the lifetimes of locals.
    pub(crate) fn end_lifetimes(&mut self, mut path: Path, locals: &[LocalId]) -> Path {
        for &local in locals {
            self.set_alive(&mut path, local, false);
        }
        path
    }

    fn set_alive(&mut self, path: &mut Path, local: LocalId, alive: bool) -> ObjectId {
        let place = Place::Local(local);
        let object = self.context.instances.resolve(self.instance, place);
        if self.context.tracked.contains(object) {
            let alive = self.terms.bool(alive);
            self.memory.write(path, Variable::Alive(object), alive);
        }
        object
    }

    fn scramble(&mut self, path: &mut Path, object: ObjectId, when: Term) {
        for cell in self.context.layout.of(object) {
            let value = self.input(8 * self.context.layout.cells[cell].size);
            self.set_if(path, when, Variable::Cell(cell), value);
        }
    }

    /// Takes a slot of the statement's pool.
    pub(crate) fn allocate(
        &mut self,
        path: Path,
        register: RegisterId,
        site: HeapSiteId,
        size: Operand,
        zeroed: bool,
    ) -> Option<Path> {
        let size = self.operand(&path, size);
        let allocation = self.context.instances.allocation(site, self.instance);
        let (path, chosen) = match &allocation {
            Allocation::Fixed(object) => (path, vec![(*object, self.terms.bool(true))]),
            Allocation::Fresh(slots) => self.first_unused(path, slots.clone())?,
            Allocation::Reused(slots) => self.any_dead(path, slots.clone())?,
        };
        let mut path = self.check_capacity(path, &chosen, size)?;
        let mut address = self.address_bits(0);
        let counters = self.counters.clone();
        let mut used = counters.clone();
        for &(object, condition) in &chosen {
            let base = self.address_bits(self.context.instances.base(object));
            address = self.terms.ite(condition, base, address);
            self.bring_to_life(&mut path, object, condition, size);
            let is_reused = matches!(allocation, Allocation::Reused(_));
            if is_reused || self.needs_zeros(object, zeroed) {
                // Only one slot is taken, so all can have the same inputs as place and content.
                self.counters = counters.clone();
                if let Some(base) = self.context.instances.base_of(object).filter(|_| is_reused) {
                    self.scramble(&mut path, base, condition);
                }
                self.fill(&mut path, object, condition, zeroed);
                used.join(&self.counters);
            }
        }
        self.counters = used;
        path.set_register(register, address);
        Some(path)
    }

    /// Whether a slot that is taken once does not begin with the zeros it is to be filled with.
    fn needs_zeros(&self, object: ObjectId, zeroed: bool) -> bool {
        zeroed
            && self
                .context
                .layout
                .of(object)
                .any(|cell| self.context.initial_content(cell).is_none())
    }

    /// All slots of a pool have the same capacity.
    fn check_capacity(
        &mut self,
        path: Path,
        chosen: &[(ObjectId, Term)],
        size: Term,
    ) -> Option<Path> {
        let (first, _) = chosen.first()?;
        let capacity = self.context.instances.objects[*first].size;
        let capacity = self.address_bits(capacity.into());
        let fits = self.terms.unsigned_less_equal(size, capacity);
        let too_large = self.terms.not(fits);
        self.limit(&path, too_large, LimitKind::Heap);
        path.assume(self.terms, fits)
    }

    fn bring_to_life(&mut self, path: &mut Path, object: ObjectId, condition: Term, size: Term) {
        let variable = Variable::Size(object);
        let capacity = self.context.instances.objects[object].size;
        let size = operation::truncate(self.terms, bits_for(capacity.into()), size);
        self.set_if(path, condition, variable, size);
        if self.context.tracked.contains(object) {
            let yes = self.terms.bool(true);
            self.set_if(path, condition, Variable::Alive(object), yes);
        }
    }

    fn fill(&mut self, path: &mut Path, object: ObjectId, condition: Term, zeroed: bool) {
        if !zeroed {
            return self.scramble(path, object, condition);
        }
        for cell in self.context.layout.of(object) {
            let zero = self.terms.bits(8 * self.context.layout.cells[cell].size, 0);
            self.set_if(path, condition, Variable::Cell(cell), zero);
        }
    }

    /// The slot that the number of used ones points to; without one the heap limit is reached.
    fn first_unused(
        &mut self,
        path: Path,
        slots: Range<u32>,
    ) -> Option<(Path, Vec<(ObjectId, Term)>)> {
        let always = self.terms.bool(true);
        if slots.is_empty() {
            self.limit(&path, always, LimitKind::Heap);
            return None;
        }
        let variable = Variable::Used(ObjectId::from_u32(slots.start));
        let used = self.value(&path, variable);
        let full = self
            .equations
            .condition(self.terms, used, slots.len() as u128);
        self.limit(&path, full, LimitKind::Heap);
        let free = self.terms.not(full);
        let mut path = path.assume(self.terms, free)?;
        let mut chosen = Vec::new();
        for (number, slot) in slots.enumerate() {
            let this = self.equations.condition(self.terms, used, number as u128);
            if this != self.terms.bool(false) {
                chosen.push((ObjectId::from_u32(slot), this));
            }
        }
        let one = self.terms.bits(self.terms.width(used), 1);
        let next = self.terms.add(used, one);
        self.memory.write(&mut path, variable, next);
        Some((path, chosen))
    }

    /// Any slot that was freed, or the first that was never used: an input chooses. If there is none of the latter, the heap limit may be
    /// reached instead: a machine may always take memory that was never used.
    fn any_dead(&mut self, path: Path, slots: Range<u32>) -> Option<(Path, Vec<(ObjectId, Term)>)> {
        let choice = self.input(choice_width(slots.len()));
        let always = self.terms.bool(true);
        if slots.is_empty() {
            self.limit(&path, always, LimitKind::Heap);
            return None;
        }
        let count = slots.len() as u128;
        let variable = Variable::Used(ObjectId::from_u32(slots.start));
        let used = self.value(&path, variable);
        let full = self.equations.condition(self.terms, used, count);
        let beyond = self.equations.condition(self.terms, choice, count);
        let limit = self.terms.and(full, beyond);
        self.limit(&path, limit, LimitKind::Heap);
        let mut chosen = Vec::new();
        for (number, slot) in slots.enumerate() {
            let object = ObjectId::from_u32(slot);
            let alive = self.value(&path, Variable::Alive(object));
            let position = self.terms.bits(self.terms.width(used), number as u128);
            let reached = self.terms.unsigned_less_equal(position, used);
            let available = self.terms.not(alive);
            let available = self.terms.and(reached, available);
            let wanted = self.equations.condition(self.terms, choice, number as u128);
            chosen.push((object, self.terms.and(available, wanted)));
        }
        let taken = self
            .terms
            .or_all(chosen.iter().map(|&(_, condition)| condition));
        let mut path = path.assume(self.terms, taken)?;
        self.count_first_use(&mut path, variable, used, &chosen);
        chosen.retain(|&(_, condition)| {
            Some(false) != self.terms.as_value(condition).map(|value| value.is_true())
        });
        Some((path, chosen))
    }

    fn count_first_use(
        &mut self,
        path: &mut Path,
        variable: Variable,
        used: Term,
        chosen: &[(ObjectId, Term)],
    ) {
        let width = self.terms.width(used);
        let mut first_use = self.terms.bool(false);
        for (number, &(_, condition)) in chosen.iter().enumerate() {
            let is_next = self.equations.condition(self.terms, used, number as u128);
            let fresh = self.terms.and(condition, is_next);
            first_use = self.terms.or(first_use, fresh);
        }
        let one = self.terms.bits(width, 1);
        let next = self.terms.add(used, one);
        self.set_if(path, first_use, variable, next);
    }

    /// Ends the life of a heap object. Null is ignored; what is not the start of a live object is undefined.
    /// The end of memory of the stack ignores that as well.
    pub(crate) fn free(&mut self, path: Path, address: Operand, automatic: bool) -> Option<Path> {
        let term = self.operand(&path, address);
        let null = self.equations.condition(self.terms, term, 0);
        let mut freed = Vec::new();
        for object in self.freeable(self.instance, address, automatic) {
            let base = self.context.instances.base(object);
            let this = self.equations.condition(self.terms, term, base.into());
            let alive = self.value(&path, Variable::Alive(object));
            freed.push((object, self.terms.and(this, alive)));
        }
        let mut path = if automatic {
            path
        } else {
            let conditions = freed.iter().map(|&(_, condition)| condition);
            let any = self.terms.or_all(conditions);
            let defined = self.terms.or(null, any);
            self.freeable_if(path, defined)?
        };
        let no = self.terms.bool(false);
        for (object, condition) in freed {
            self.set_if(&mut path, condition, Variable::Alive(object), no);
        }
        Some(path)
    }

    /// The size of the live heap object that starts at an address; without one, that is undefined.
    pub(crate) fn size(
        &mut self,
        path: Path,
        register: RegisterId,
        address: Operand,
    ) -> Option<Path> {
        let term = self.operand(&path, address);
        let (mut size, mut conditions) = (self.address_bits(0), Vec::new());
        for object in self.freeable(self.instance, address, false) {
            let base = self.context.instances.base(object);
            let this = self.equations.condition(self.terms, term, base.into());
            let alive = self.value(&path, Variable::Alive(object));
            conditions.push(self.terms.and(this, alive));
            let own = self.value(&path, Variable::Size(object));
            let own = self
                .terms
                .zero_extend(self.data_model().address_bits(), own);
            size = self.terms.ite(this, own, size);
        }
        let any = self.terms.or_all(conditions);
        let mut path = self.freeable_if(path, any)?;
        path.set_register(register, size);
        Some(path)
    }

    /// The path on which what is freed may be.
    fn freeable_if(&mut self, path: Path, condition: Term) -> Option<Path> {
        let otherwise = self.terms.not(condition);
        let invalid = self.context.template(self.instance).invalid_free;
        self.stop(&path, otherwise, invalid);
        path.assume(self.terms, condition)
    }

    /// The heap slots that an address may be the start of.
    fn freeable(&self, instance: InstanceId, address: Operand, automatic: bool) -> Vec<ObjectId> {
        let targets = self.context.points_to.targets(instance, address);
        let possible = |object: &ObjectId| {
            targets.other || targets.objects.iter().any(|(target, _)| target == object)
        };
        let (instances, sites) = (self.context.instances, &self.context.program.heap_sites);
        let is_freeable = |object: &ObjectId| {
            let pool = instances.pool(*object);
            pool.is_some_and(|pool| sites[pool].automatic == automatic)
        };
        let objects = instances.objects.keys();
        objects.filter(is_freeable).filter(possible).collect()
    }
}
