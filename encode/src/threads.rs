//! Creating and joining threads.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use program::model::{LimitKind, Operand, Place, RegisterId, TemplateId};
use program::threads::start_templates;
use system::term::Term;

use crate::execute::Executor;
use crate::operation;
use crate::path::{Path, Variable};

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
        self.limit(&path, none, LimitKind::Threads);
        let mut path = path.assume(self.terms, some)?;
        let mut value = self.terms.bits(64, 0);
        for &(instance, condition) in &chosen {
            let own = self.terms.bits(64, instance.handle().into());
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
        for template in start_templates(self.world.program, start) {
            let mut condition = self.terms.bool(false);
            for (function, entry) in self.world.program.functions.iter() {
                if entry.template == Some(template) {
                    let place = Place::Function(function);
                    let base = self.world.instances.address(self.instance, place, 0);
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
            for instance in self.world.instances.by_template(template) {
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
        let parameter = self.world.parameter(instance);
        let argument = parameter.map(|register| {
            let width = self.world.template(instance).registers[register].width;
            let value = operation::truncate(self.terms, width.min(64), argument);
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

    /// Waits for a thread: the path goes on only where it has returned.
    pub(crate) fn join(
        &mut self,
        path: Path,
        register: RegisterId,
        thread: Operand,
        value: Operand,
    ) -> Option<Path> {
        let handle = self.operand(&path, thread);
        let mut known = self.terms.bool(false);
        let mut ready = self.terms.bool(false);
        let mut result = self.terms.bits(64, 0);
        for instance in self.world.instances.threads.keys() {
            let this = self
                .equations
                .condition(self.terms, handle, instance.handle().into());
            let started = self.value(&path, Variable::Started(instance));
            let named = self.terms.and(this, started);
            if named == self.terms.bool(false) {
                continue;
            }
            known = self.terms.or(known, named);
            let exited = self.value(&path, Variable::Exited(instance));
            let joined = self.terms.and(this, exited);
            ready = self.terms.or(ready, joined);
            let own = self.value(&path, Variable::Result(instance));
            result = self.terms.ite(this, own, result);
        }
        let path = self
            .undefined_unless(path, known)?
            .assume(self.terms, ready)?;
        let pointer = self.operand(&path, value);
        let null = self.equations.condition(self.terms, pointer, 0);
        let stored = self.terms.not(null);
        let mut path = self.store_if(path, result, value, stored)?;
        let success = self.terms.bits(self.width(register), 0);
        path.set_register(register, success);
        Some(path)
    }
}
