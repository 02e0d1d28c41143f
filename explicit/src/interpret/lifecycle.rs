//! Creating and joining threads.

use abi::ids::InstanceId;
use abi::mutex::DEADLOCK;

use super::execute::{Execution, Interruption};
use super::memory::AccessPurpose;
use super::{Claim, Interpreter, NondeterministicChoice, Observation, ThreadStatus, Waiting};
use program::model::{Bits, FunctionId, Operand, RegisterId, TemplateId, Undefined};

impl Execution<'_, '_> {
    pub(super) fn create(
        &mut self,
        register: RegisterId,
        start: Operand,
        argument: Operand,
    ) -> Result<(), Interruption> {
        let (start, argument) = (self.address(start), self.value(argument));
        let interpreter = self.interpreter;
        let routine = interpreter
            .start_routine(start)
            .ok_or(Undefined::Start(start))?;
        let unused = |&id: &InstanceId| self.state.thread(id).status == ThreadStatus::Unused;
        let created = interpreter
            .instances
            .by_template(routine)
            .find(unused)
            .ok_or(Interruption::ThreadLimit)?;
        let template = interpreter.template(created);
        let thread = self.state.thread_mut(created);
        thread.status = ThreadStatus::Running;
        if let Some(&parameter) = template.parameters.first()
            && interpreter
                .automaton(created)
                .liveness
                .at(template.entry)
                .contains(&parameter)
        {
            thread.registers[parameter] =
                argument & Bits::mask(template.registers[parameter].width);
        }
        self.oracle.observe(Observation::Started(created));
        self.set(register, u128::from(interpreter.instances.handle(created)));
        Ok(())
    }

    pub(super) fn join(
        &mut self,
        register: RegisterId,
        thread: Operand,
        value: Operand,
    ) -> Result<(), Interruption> {
        let joined = self.joinable(thread)?;
        if joined == self.instance {
            self.set(register, DEADLOCK.into());
            return Ok(());
        }
        let ThreadStatus::Returned(result) = self.state.thread(joined).status else {
            return Err(Interruption::Waiting(Waiting::Join(joined)));
        };
        if self.address(value) != 0 {
            let width = self.interpreter.instances.data_model.address_bits();
            let range = self.access(value, width, AccessPurpose::Write)?;
            let result = result.unwrap_or_else(|| {
                self.choose(&NondeterministicChoice::Result { of: joined, width }) as u64
            });
            self.state.thread_mut(joined).status = ThreadStatus::Returned(Some(result));
            self.write(range, u128::from(result));
        }
        self.state.thread_mut(joined).claim = Claim::Joined;
        self.oracle.observe(Observation::Joined(joined));
        self.set(register, 0);
        Ok(())
    }

    pub(super) fn detach(&mut self, thread: Operand) -> Result<(), Interruption> {
        let detached = self.joinable(thread)?;
        self.state.thread_mut(detached).claim = Claim::Detached;
        self.oracle.observe(Observation::Detached(detached));
        Ok(())
    }

    pub(super) fn number_of_thread(
        &mut self,
        register: RegisterId,
        thread: Operand,
    ) -> Result<(), Undefined> {
        let named = match self.named(thread)? {
            own if own == self.instance => own,
            _ => self.joinable(thread)?,
        };
        self.set(register, named.number().into());
        Ok(())
    }

    /// The thread of a handle, if it was created.
    fn named(&self, thread: Operand) -> Result<InstanceId, Undefined> {
        let handle = self.address(thread);
        let named = self.interpreter.instances.named(handle);
        let named = named.filter(|&thread| self.state.is_started(thread));
        named.ok_or(Undefined::Handle(handle))
    }

    /// The thread of a handle, if it may be joined or detached.
    fn joinable(&self, thread: Operand) -> Result<InstanceId, Undefined> {
        let named = self.named(thread)?;
        match self.state.thread(named).claim {
            Claim::Joinable => Ok(named),
            Claim::Joined => Err(Undefined::Joined(named)),
            Claim::Detached => Err(Undefined::Detached(named)),
        }
    }
}

impl Interpreter<'_> {
    /// The template of the function at an address.
    fn start_routine(&self, address: u64) -> Option<TemplateId> {
        let (object, 0) = self.instances.locate(address)? else {
            return None;
        };
        self.program
            .functions
            .get(FunctionId::from_u32(object.as_u32()))?
            .template
    }
}
