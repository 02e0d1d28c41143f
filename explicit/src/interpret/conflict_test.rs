//! Conflict tests: whether other threads may still execute conflicting statements ([`ConflictTest`]).

use abi::ids::InstanceId;

use super::memory::AccessPurpose;
use super::{Interpreter, NondeterministicChoice, State};
use program::model::{AddressSource, Bits, ConflictTest, FutureAccess, Operand, Place};

/// What content that was not chosen yet is going to be, if that is known.
type Foresee<'a> = &'a dyn Fn(&NondeterministicChoice<'_>) -> Option<u128>;

impl Interpreter<'_> {
    /// Whether a test of the thread `asking` finds a conflict, whatever is chosen later.
    pub fn answer(&self, state: &State, asking: InstanceId, test: &ConflictTest) -> bool {
        self.answer_foreseeing(state, asking, test, &|_| None)
    }

    /// As [`Self::answer`], where something is known of what is chosen later.
    pub(super) fn answer_foreseeing(
        &self,
        state: &State,
        asking: InstanceId,
        test: &ConflictTest,
        foresee: Foresee<'_>,
    ) -> bool {
        let threads = &self.instances.threads;
        let mut others = threads.iter().filter(|&(other, _)| other != asking);
        match test {
            ConflictTest::CanReach(locations) => others.any(|(other, thread)| {
                let locations = locations.get(&thread.template);
                locations.is_some_and(|locations| locations.contains(&state.location(other)))
            }),
            ConflictTest::Unstarted(templates) => others.any(|(other, thread)| {
                templates.contains(&thread.template) && !state.is_started(other)
            }),
            ConflictTest::MayAlias {
                address,
                size,
                accesses,
            } => {
                let address = self.value(state, asking, *address) as u64;
                self.any_access(
                    (state, foresee),
                    asking,
                    accesses,
                    |touched, touched_size| {
                        address.wrapping_sub(touched) < u64::from(touched_size)
                            || touched.wrapping_sub(address) < u64::from(*size)
                    },
                )
            }
            ConflictTest::MayLockOther { address, accesses } => {
                let address = self.value(state, asking, *address) as u64;
                self.any_access((state, foresee), asking, accesses, |touched, _| {
                    touched != address
                })
            }
            ConflictTest::CellHolds { address, values } => {
                let width = values.first().map_or(8, |value| value.width);
                let address = self.value(state, asking, *address) as u64;
                let held = self.settled((state, foresee), address, width);
                held.is_none_or(|value| values.contains(&Bits::new(width, value)))
            }
        }
    }

    /// Whether another thread may still perform one of these accesses with an address and a size for which something holds; it holds for
    /// addresses that are not known.
    fn any_access(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        asking: InstanceId,
        accesses: &[FutureAccess],
        holds: impl Fn(u64, u32) -> bool,
    ) -> bool {
        accesses.iter().any(|access| {
            let threads = self.instances.by_template(access.template);
            let mut others = threads.filter(|&other| {
                other != asking && access.locations.contains(&state.location(other))
            });
            others.any(|other| {
                let touched = self.touched((state, foresee), other, access);
                touched.is_none_or(|touched| holds(touched, access.size))
            })
        })
    }

    /// The address that another thread may access; none if it was not chosen yet.
    fn touched(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        other: InstanceId,
        access: &FutureAccess,
    ) -> Option<u64> {
        let data_model = self.instances.data_model;
        let base = match access.pointer {
            AddressSource::Operand(operand) => Some(self.value(state, other, operand) as u64),
            AddressSource::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                let cell = self.value(state, other, cell) as u64;
                self.settled((state, foresee), cell, data_model.address_bits())
                    .map(|value| value as u64)
            }
        };
        base.map(|base| base.wrapping_add(access.offset) & data_model.mask())
    }

    /// The content of memory at an address. None if the address is not valid, or if the content is still arbitrary and
    /// not foreseen.
    fn settled(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        address: u64,
        width: u32,
    ) -> Option<u128> {
        let range = self.valid_range(state, address, width / 8, AccessPurpose::Read);
        let range = range.ok()?;
        let bytes = self.memory.arbitrary(&state.memory, range);
        if bytes == 0 {
            return Some(self.memory.read(&state.memory, range));
        }
        let value = foresee(&NondeterministicChoice::Content {
            object: range.object,
            offset: range.offset,
            bytes,
        })?;
        let mut memory = state.memory.clone();
        self.memory.settle(&mut memory, range, bytes, value);
        Some(self.memory.read(&memory, range))
    }
}
