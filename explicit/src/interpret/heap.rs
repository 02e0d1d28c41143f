//! Allocation and deallocation.

use std::ops::Range;

use super::execute::{Execution, Interruption};
use super::memory::Slot;
use super::{Interpreter, NondeterministicChoice, Observation};
use program::model::{HeapSiteId, ObjectId, Operand, RegisterId, Undefined};
use program::threads::Allocation;

impl Execution<'_, '_> {
    pub(super) fn allocate(
        &mut self,
        register: RegisterId,
        site: HeapSiteId,
        size: Operand,
        zeroed: bool,
    ) -> Result<(), Interruption> {
        let size = self.address(size);
        let object = self.slot(site)?;
        let map = &self.interpreter.memory;
        let size = u32::try_from(size)
            .ok()
            .filter(|&size| size <= map.capacity(object))
            .ok_or(Interruption::HeapLimit)?;
        let (instances, instance) = (self.interpreter.instances, self.instance);
        if let Allocation::Reused(_) = instances.allocation(site, instance)
            && let Some(base) = instances.base_of(object)
        {
            // What lives in the slot from now on need not lie where the last object lay.
            map.start_lifetime(&mut self.state.memory, base);
            self.oracle.observe(Observation::Uninitialised(base));
        }
        map.set_slot(&mut self.state.memory, object, Slot::Live(size), !zeroed);
        self.oracle.observe(Observation::Allocated { object, size });
        self.set(
            register,
            u128::from(self.interpreter.instances.base(object)),
        );
        Ok(())
    }

    /// The heap object that an allocation takes.
    fn slot(&mut self, site: HeapSiteId) -> Result<ObjectId, Interruption> {
        match self.interpreter.instances.allocation(site, self.instance) {
            Allocation::Fixed(object) => Ok(object),
            Allocation::Fresh(slots) => self
                .holding(slots, Slot::Unused)
                .next()
                .ok_or(Interruption::HeapLimit),
            Allocation::Reused(slots) => {
                let fresh = self.holding(slots.clone(), Slot::Unused).next();
                // A machine may always take memory that was never used: an address that no object had before is another choice than any
                // that was freed, as comparisons and accesses by old addresses show.
                let limit = ObjectId::from_u32(slots.end);
                let mut candidates: Vec<_> = self
                    .holding(slots.clone(), Slot::Freed)
                    .chain([fresh.unwrap_or(limit)])
                    .collect();
                candidates.sort_unstable();
                let number = self.choose(&NondeterministicChoice::Slot {
                    instance: self.instance,
                    site,
                    slots: &candidates,
                });
                if fresh.is_none() && number == u128::from(slots.end) {
                    return Err(Interruption::HeapLimit);
                }
                // A schedule may name any slot that holds nothing.
                let mut dead = self
                    .holding(slots.clone(), Slot::Unused)
                    .chain(self.holding(slots, Slot::Freed));
                dead.find(|object| u128::from(object.as_u32()) == number)
                    .ok_or(Interruption::Rejected)
            }
        }
    }

    /// The slots of a pool that hold `wanted`, in ascending order.
    fn holding(&self, slots: Range<u32>, wanted: Slot) -> impl Iterator<Item = ObjectId> {
        let (map, memory) = (&self.interpreter.memory, &self.state.memory);
        slots
            .map(ObjectId::from_u32)
            .filter(move |&object| map.slot(memory, object) == Some(wanted))
    }

    pub(super) fn free(&mut self, address: Operand, automatic: bool) -> Result<(), Interruption> {
        let address = self.address(address);
        if address == 0 {
            return Ok(());
        }
        let map = &self.interpreter.memory;
        let Some(object) = self.allocated_at(address, automatic) else {
            return if automatic {
                Ok(())
            } else {
                Err(Undefined::Free(address).into())
            };
        };
        match map.slot(&self.state.memory, object) {
            Some(Slot::Live(_)) => {
                map.set_slot(&mut self.state.memory, object, Slot::Freed, false);
                self.oracle.observe(if automatic {
                    Observation::Died(object)
                } else {
                    Observation::Freed(object)
                });
                Ok(())
            }
            Some(Slot::Unused | Slot::Freed) if automatic => Ok(()),
            Some(Slot::Freed) => Err(Undefined::FreedTwice(object).into()),
            Some(Slot::Unused) | None => Err(Undefined::Free(address).into()),
        }
    }

    /// The slot that an address is the start of, if its allocations are automatic or are not.
    fn allocated_at(&self, address: u64, automatic: bool) -> Option<ObjectId> {
        let Interpreter {
            instances, program, ..
        } = self.interpreter;
        let start = instances.locate(address).filter(|&(_, offset)| offset == 0);
        let fits = |&object: &ObjectId| {
            let pool = instances.pool(object);
            pool.is_some_and(|pool| program.heap_sites[pool].automatic == automatic)
        };
        start.map(|(object, _)| object).filter(fits)
    }

    pub(super) fn size(
        &mut self,
        register: RegisterId,
        address: Operand,
    ) -> Result<(), Interruption> {
        let address = self.address(address);
        let map = &self.interpreter.memory;
        let object = self.allocated_at(address, false);
        match object.and_then(|object| Some((object, map.slot(&self.state.memory, object)?))) {
            Some((_, Slot::Live(size))) => self.set(register, size.into()),
            Some((object, Slot::Freed)) => {
                return Err(Undefined::ResizedFreed(object).into());
            }
            Some((_, Slot::Unused)) | None => return Err(Undefined::Resize(address).into()),
        }
        Ok(())
    }
}
