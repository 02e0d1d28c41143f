//! Mutexes: the tables of `docs/semantics.md`.

use abi::mutex::{BUSY, COUNT, DEADLOCK, Kind, NOT_OWNER, OWNER};

use super::execute::{Execution, Interruption};
use super::memory::{AccessPurpose, ByteRange};
use super::{Observation, Waiting};
use program::model::{MutexOperation, Operand, Property, RegisterId, Undefined};

/// Who holds a mutex, from the view of the executing thread.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Myself,
    Other(u32),
}

impl Execution<'_, '_> {
    pub(super) fn mutex(
        &mut self,
        operation: MutexOperation,
        register: RegisterId,
        mutex: Operand,
    ) -> Result<(), Interruption> {
        let layout = self.interpreter.instances.data_model.mutex();
        let whole = self.access(mutex, 8 * layout.size, AccessPurpose::Write)?;
        let kind = self.kind(whole)?;
        let owner = match self.read(whole.field(OWNER)) as u32 {
            0 => Owner::Nobody,
            number if number == self.instance.number() => Owner::Myself,
            number => Owner::Other(number),
        };
        let code = match operation {
            MutexOperation::Lock => self.lock(whole, kind, owner)?,
            MutexOperation::TryLock => self.try_lock(whole, kind, owner),
            MutexOperation::Unlock => self.unlock(whole, kind, owner)?,
        };
        let (object, offset) = (whole.object, whole.offset);
        self.oracle.observe(match (code, operation) {
            (0, MutexOperation::Lock | MutexOperation::TryLock) => {
                Observation::Acquired { object, offset }
            }
            (0, MutexOperation::Unlock) => Observation::Released { object, offset },
            (code, _) => Observation::Refused {
                object,
                offset,
                code,
            },
        });
        self.set(register, u128::from(code));
        Ok(())
    }

    fn kind(&mut self, whole: ByteRange) -> Result<Kind, Interruption> {
        let layout = self.interpreter.instances.data_model.mutex();
        let field = self.read(whole.field(layout.kind)) as u32;
        Kind::of(field).map_err(|number| Undefined::MutexKind(number).into())
    }

    fn lock(&mut self, whole: ByteRange, kind: Kind, owner: Owner) -> Result<u32, Interruption> {
        match (owner, kind) {
            (Owner::Nobody, _) => Ok(self.take(whole)),
            (Owner::Myself, Kind::Recursive) => Ok(self.take_again(whole)),
            (Owner::Myself, Kind::ErrorCheck) => Ok(u32::from(DEADLOCK)),
            (Owner::Myself, Kind::Normal) if self.verifies(Property::NoLockMisuse) => {
                Err(Undefined::LockedAgain.into())
            }
            (Owner::Myself, Kind::Normal) => Err(Interruption::Waiting(Waiting::Mutex(
                self.instance.number(),
            ))),
            (Owner::Other(number), _) => Err(Interruption::Waiting(Waiting::Mutex(number))),
        }
    }

    fn try_lock(&mut self, whole: ByteRange, kind: Kind, owner: Owner) -> u32 {
        match (owner, kind) {
            (Owner::Nobody, _) => self.take(whole),
            (Owner::Myself, Kind::Recursive) => self.take_again(whole),
            (Owner::Myself, Kind::Normal | Kind::ErrorCheck) | (Owner::Other(_), _) => {
                u32::from(BUSY)
            }
        }
    }

    fn unlock(&mut self, whole: ByteRange, kind: Kind, owner: Owner) -> Result<u32, Undefined> {
        match (owner, kind) {
            (Owner::Nobody, Kind::Normal) => Err(Undefined::UnlockedFree),
            (Owner::Other(number), Kind::Normal) => Err(Undefined::UnlockedHeld(number)),
            (Owner::Nobody | Owner::Other(_), Kind::Recursive | Kind::ErrorCheck) => {
                Ok(u32::from(NOT_OWNER))
            }
            (Owner::Myself, _) => Ok(match self.read(whole.field(COUNT)) {
                0 => self.release(whole),
                count => {
                    self.write(whole.field(COUNT), count - 1);
                    0
                }
            }),
        }
    }

    fn verifies(&self, property: Property) -> bool {
        self.interpreter.program.properties.contains(&property)
    }

    fn take(&mut self, whole: ByteRange) -> u32 {
        self.write(whole.field(OWNER), u128::from(self.instance.number()));
        0
    }

    fn take_again(&mut self, whole: ByteRange) -> u32 {
        let count = self.read(whole.field(COUNT)) as u32;
        self.write(whole.field(COUNT), u128::from(count.wrapping_add(1)));
        0
    }

    fn release(&mut self, whole: ByteRange) -> u32 {
        self.write(whole.field(OWNER), 0);
        0
    }
}
