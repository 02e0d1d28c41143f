//! What a thread finds out about the others and about memory ([`Statement::Ask`](crate::model::Statement::Ask)).

use abi::ids::InstanceId;

use super::memory::Access;
use super::{Interpreter, State};
use crate::model::{Bits, Operand, Place, Pointer, Question, Touch};

impl Interpreter<'_> {
    /// Whether others may still do what a thread asks about.
    pub fn answer(&self, state: &State, asking: InstanceId, question: &Question) -> bool {
        let threads = &self.instances.threads;
        let mut others = threads.iter().filter(|&(other, _)| other != asking);
        match question {
            Question::At(locations) => others.any(|(other, thread)| {
                let locations = locations.get(&thread.template);
                locations.is_some_and(|locations| locations.contains(&state.location(other)))
            }),
            Question::Touch {
                address,
                size,
                touches,
            } => {
                let address = self.value(state, asking, *address) as u64;
                others.any(|(other, thread)| {
                    let mut touches = touches
                        .iter()
                        .filter(|touch| touch.template == thread.template);
                    touches.any(|touch| {
                        touch.locations.contains(&state.location(other))
                            && self.overlaps(state, (address, *size), other, touch)
                    })
                })
            }
            Question::Holds { address, values } => {
                let width = values.first().map_or(8, |value| value.width);
                let address = self.value(state, asking, *address) as u64;
                let held = self.settled(state, address, width);
                held.is_none_or(|value| values.contains(&Bits::new(width, value)))
            }
        }
    }

    /// Whether an access overlaps the one that another thread may make.
    fn overlaps(
        &self,
        state: &State,
        (address, size): (u64, u32),
        other: InstanceId,
        touch: &Touch,
    ) -> bool {
        let base = match touch.pointer {
            Pointer::Operand(operand) => Some(self.value(state, other, operand) as u64),
            Pointer::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                let cell = self.value(state, other, cell) as u64;
                self.settled(state, cell, 64).map(|value| value as u64)
            }
        };
        base.is_none_or(|base| {
            let touched = base.wrapping_add(touch.offset);
            address.wrapping_sub(touched) < u64::from(touch.size)
                || touched.wrapping_sub(address) < u64::from(size)
        })
    }

    /// What memory holds at an address; none if it is no live memory or its content was not chosen yet.
    fn settled(&self, state: &State, address: u64, width: u32) -> Option<u128> {
        let range = self
            .memory
            .access(&state.memory, address, width / 8, Access::Read);
        let range = range.ok()?;
        let chosen = self.memory.arbitrary(&state.memory, range) == 0;
        chosen.then(|| self.memory.read(&state.memory, range))
    }
}
