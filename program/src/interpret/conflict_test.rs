//! What a thread finds out about the others and about memory ([`Statement::Ask`](crate::model::Statement::Ask)).

use abi::ids::InstanceId;

use super::memory::Access;
use super::{Choice, Interpreter, State};
use crate::model::{AddressSource, Bits, ConflictTest, FutureAccess, Operand, Place};

/// What content that was not chosen yet is going to be, if that is known.
type Foresee<'a> = &'a dyn Fn(&Choice<'_>) -> Option<u128>;

impl Interpreter<'_> {
    /// Whether others may still do what a thread asks about, whatever is chosen later.
    pub fn answer(&self, state: &State, asking: InstanceId, question: &ConflictTest) -> bool {
        self.answer_foreseeing(state, asking, question, &|_| None)
    }

    /// As [`Self::answer`], where something is known of what is chosen later.
    pub(super) fn answer_foreseeing(
        &self,
        state: &State,
        asking: InstanceId,
        question: &ConflictTest,
        foresee: Foresee<'_>,
    ) -> bool {
        let threads = &self.instances.threads;
        let mut others = threads.iter().filter(|&(other, _)| other != asking);
        match question {
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
                touches,
            } => {
                let address = self.value(state, asking, *address) as u64;
                self.any_touch(
                    (state, foresee),
                    asking,
                    touches,
                    |touched, touched_size| {
                        address.wrapping_sub(touched) < u64::from(touched_size)
                            || touched.wrapping_sub(address) < u64::from(*size)
                    },
                )
            }
            ConflictTest::MayLockOther { address, touches } => {
                let address = self.value(state, asking, *address) as u64;
                self.any_touch((state, foresee), asking, touches, |touched, _| {
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

    /// Whether another thread is at a place from where it may make an access such that something holds for its address
    /// and size; so it does for addresses that are not known.
    fn any_touch(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        asking: InstanceId,
        touches: &[FutureAccess],
        holds: impl Fn(u64, u32) -> bool,
    ) -> bool {
        touches.iter().any(|touch| {
            let threads = self.instances.by_template(touch.template);
            let mut others = threads.filter(|&other| {
                other != asking && touch.locations.contains(&state.location(other))
            });
            others.any(|other| {
                let touched = self.touched((state, foresee), other, touch);
                touched.is_none_or(|touched| holds(touched, touch.size))
            })
        })
    }

    /// The address that another thread may access; none if it was not chosen yet.
    fn touched(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        other: InstanceId,
        touch: &FutureAccess,
    ) -> Option<u64> {
        let base = match touch.pointer {
            AddressSource::Operand(operand) => Some(self.value(state, other, operand) as u64),
            AddressSource::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                let cell = self.value(state, other, cell) as u64;
                self.settled((state, foresee), cell, 64)
                    .map(|value| value as u64)
            }
        };
        base.map(|base| base.wrapping_add(touch.offset))
    }

    /// What memory holds at an address; none if it is no live memory or nobody knows its content yet.
    fn settled(
        &self,
        (state, foresee): (&State, Foresee<'_>),
        address: u64,
        width: u32,
    ) -> Option<u128> {
        let range = self.valid_range(state, address, width / 8, Access::Read);
        let range = range.ok()?;
        let bytes = self.memory.arbitrary(&state.memory, range);
        if bytes == 0 {
            return Some(self.memory.read(&state.memory, range));
        }
        let value = foresee(&Choice::Content {
            object: range.object,
            offset: range.offset,
            bytes,
        })?;
        let mut memory = state.memory.clone();
        self.memory.settle(&mut memory, range, bytes, value);
        Some(self.memory.read(&memory, range))
    }
}
