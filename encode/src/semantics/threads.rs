//! Creating and joining threads.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use abi::mutex::DEADLOCK;
use program::model::{Operand, Place, RegisterId, TemplateId};
use program::threads::start_templates;
use system::term::Term;

use crate::semantics::executor::Executor;
use crate::semantics::operation;
use crate::semantics::path::{Path, Variable};

/// What a handle is used for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum HandleUse {
    /// To join or detach the thread.
    Claim,
    /// To ask which thread it names.
    Name,
}

impl Executor<'_> {
    /// Starts the next unused instance and gives its handle.
    pub(crate) fn create(
        &mut self,
        path: Path,
        register: RegisterId,
        start: Operand,
        argument: Operand,
    ) -> Option<Path> {
        let routines = self.routines(&path, start);
        let any = self.terms.or_all(routines.values().copied());
        let path = self.undefined_unless(path, any)?;
        let argument = self.operand(&path, argument);
        let chosen = self.next_unused(&path, &routines);
        let some = self
            .terms
            .or_all(chosen.iter().map(|&(_, condition)| condition));
        let none = self.terms.not(some);
        let limit = self.context.template(self.instance).thread_limit;
        self.stop(&path, none, limit);
        let mut path = path.assume(self.terms, some)?;
        let mut value = self.address_bits(0);
        for &(instance, condition) in &chosen {
            let own = self.address_bits(self.context.instances.handle(instance));
            value = self.terms.ite(condition, own, value);
            self.start(&mut path, instance, condition, argument);
        }
        path.set_register(register, value);
        Some(path)
    }

    /// The templates that may be started, each with the condition that `start` is the address of its function.
    fn routines(&mut self, path: &Path, start: Operand) -> BTreeMap<TemplateId, Term> {
        let address = self.operand(path, start);
        let mut conditions = BTreeMap::new();
        for template in start_templates(self.context.program, start) {
            let mut condition = self.terms.bool(false);
            for (function, entry) in self.context.program.functions.iter() {
                if entry.template == Some(template) {
                    let place = Place::Function(function);
                    let base = self.context.instances.address(self.instance, place, 0);
                    let this = self.equations.condition(self.terms, address, base.into());
                    condition = self.terms.or(condition, this);
                }
            }
            conditions.insert(template, condition);
        }
        conditions
    }

    /// The instances that may be the next unused one. Instances are started in order, so that is the one whose
    /// predecessor is started. It is never the thread that executes, which may well run the same routine.
    fn next_unused(
        &mut self,
        path: &Path,
        routines: &BTreeMap<TemplateId, Term>,
    ) -> Vec<(InstanceId, Term)> {
        let mut chosen = Vec::new();
        for (&template, &routine) in routines {
            let mut ready = routine;
            for instance in self.context.instances.by_template(template) {
                if instance == self.instance {
                    ready = routine;
                    continue;
                }
                let started = self.value(path, Variable::Started(instance));
                let unused = self.terms.not(started);
                let condition = self.terms.and(ready, unused);
                if condition != self.terms.bool(false) {
                    chosen.push((instance, condition));
                }
                ready = self.terms.and(routine, started);
            }
        }
        chosen
    }

    fn start(&mut self, path: &mut Path, instance: InstanceId, condition: Term, argument: Term) {
        let yes = self.terms.bool(true);
        self.set_if(path, condition, Variable::Started(instance), yes);
        let parameter = self.context.parameter(instance);
        let argument = parameter.map(|register| {
            let width = self.context.template(instance).registers[register].width;
            let value = operation::truncate(
                self.terms,
                width.min(self.data_model().address_bits()),
                argument,
            );
            (register, self.terms.zero_extend(width, value))
        });
        if let Some((register, value)) = argument {
            self.set_if(
                path,
                condition,
                Variable::Register(instance, register),
                value,
            );
        }
        self.starts((instance, argument));
    }

    /// Waits for a thread: the path goes on only where it has returned, or is the one that executes.
    pub(crate) fn join(
        &mut self,
        path: Path,
        register: RegisterId,
        thread: Operand,
        value: Operand,
    ) -> Option<Path> {
        let (path, named) = self.named(path, thread, HandleUse::Claim)?;
        let mut ready = self.terms.bool(false);
        let mut own = self.terms.bool(false);
        let mut result = self.address_bits(0);
        for &(instance, this) in &named {
            if instance == self.instance {
                own = this;
                continue;
            }
            let exited = self.value(&path, Variable::Exited(instance));
            let joined = self.terms.and(this, exited);
            ready = self.terms.or(ready, joined);
            let returned = self.value(&path, Variable::Result(instance));
            result = self.terms.ite(this, returned, result);
        }
        let passes = self.terms.or(ready, own);
        let mut path = path.assume(self.terms, passes)?;
        for (instance, this) in named {
            if instance != self.instance {
                self.claim(&mut path, instance, this);
            }
        }
        let pointer = self.operand(&path, value);
        let null = self.equations.condition(self.terms, pointer, 0);
        let kept = self.terms.or(null, own);
        let stored = self.terms.not(kept);
        let mut path = self.store_if(path, result, value, stored)?;
        let width = self.width(register);
        let success = self.terms.bits(width, 0);
        let deadlock = self.terms.bits(width, DEADLOCK.into());
        let code = self.terms.ite(own, deadlock, success);
        path.set_register(register, code);
        Some(path)
    }

    /// Says that a thread is not joined.
    pub(crate) fn detach(&mut self, path: Path, thread: Operand) -> Option<Path> {
        let (mut path, named) = self.named(path, thread, HandleUse::Claim)?;
        for (instance, this) in named {
            self.claim(&mut path, instance, this);
        }
        Some(path)
    }

    /// The number of the thread of a handle.
    pub(crate) fn number_of_thread(
        &mut self,
        path: Path,
        register: RegisterId,
        thread: Operand,
    ) -> Option<Path> {
        let (mut path, named) = self.named(path, thread, HandleUse::Name)?;
        let mut number = self.terms.bits(32, 0);
        for (instance, this) in named {
            let own = self.terms.bits(32, instance.number().into());
            number = self.terms.ite(this, own, number);
        }
        path.set_register(register, number);
        Some(path)
    }

    fn claim(&mut self, path: &mut Path, instance: InstanceId, condition: Term) {
        let yes = self.terms.bool(true);
        self.set_if(path, condition, Variable::Claimed(instance), yes);
    }

    /// The threads that a handle may name, each with the condition that it does. The path goes on only where it names one that
    /// was not joined or detached, or the executing one where that is enough.
    fn named(
        &mut self,
        path: Path,
        thread: Operand,
        purpose: HandleUse,
    ) -> Option<(Path, Vec<(InstanceId, Term)>)> {
        let handle = self.operand(&path, thread);
        let never = self.terms.bool(false);
        let mut named = Vec::new();
        let mut defined = never;
        for instance in self.context.instances.threads.keys() {
            let own = self.context.instances.handle(instance);
            let this = self.equations.condition(self.terms, handle, own.into());
            let started = self.value(&path, Variable::Started(instance));
            let unclaimed = if purpose == HandleUse::Name && instance == self.instance {
                self.terms.bool(true)
            } else {
                let claimed = self.value(&path, Variable::Claimed(instance));
                self.terms.not(claimed)
            };
            let valid = self.terms.and_all([this, started, unclaimed]);
            if valid != never {
                defined = self.terms.or(defined, valid);
                named.push((instance, this));
            }
        }
        let path = self.undefined_unless(path, defined)?;
        Some((path, named))
    }
}
