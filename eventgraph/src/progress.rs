//! Rounds of a loop that change nothing.
//!
//! A thread that waits in a loop for others goes through it again and again, and is at the header as it was before: with the same values in
//! its registers and in what nobody else accesses, and without a change of what others may see. Such a round can be left out of a run: all
//! the rest happens as before. So only runs without one are looked at, and a loop that does nothing but wait is not unwound.
//!
//! A round has to consist of whole events: what is left out of two of them does not leave one. So it is one from the cut of a loop to the
//! same (see [`LoopForest::cut`]).
//!
//! Whether a thread has changed something is part of its symbolic state: a register for each loop around, beside those of the program.

use std::collections::BTreeMap;

use abi::ids::InstanceId;
use encode::context::EncodingContext;
use encode::layout::Writers;
use encode::semantics::memory::Memory;
use encode::semantics::path::{Path, Variable};
use program::model::{LocationId, RegisterId};
use system::term::{Term, Terms};

use crate::loops::LoopForest;
use crate::memory::EventMemory;

/// What is known of the rounds of a thread through its loops.
#[derive(Debug)]
pub struct Rounds<'a> {
    context: &'a EncodingContext<'a>,
    forest: &'a LoopForest,
    instance: InstanceId,
    /// How many registers the template has.
    registers: usize,
    /// At which states the thread was at the cuts of loops last, by their headers.
    last: BTreeMap<LocationId, Path>,
}

impl<'a> Rounds<'a> {
    /// Those of a thread that has done nothing yet.
    pub fn new(
        context: &'a EncodingContext<'a>,
        forest: &'a LoopForest,
        instance: InstanceId,
    ) -> Self {
        Self {
            context,
            forest,
            instance,
            registers: context.template(instance).registers.len(),
            last: BTreeMap::new(),
        }
    }

    /// The register that says whether the thread has changed something that others may see since it was at the cut of a loop.
    fn changed(&self, header: LocationId) -> RegisterId {
        RegisterId::from_u32(self.registers as u32 + header.as_u32())
    }

    /// The thread is at a location: a round of a loop may begin there.
    pub fn begin(&mut self, terms: &mut Terms, location: LocationId, path: &mut Path) {
        if let Some(header) = self.forest.loop_cut_at(location) {
            path.set_register(self.changed(header), terms.bool(false));
            self.last.insert(header, path.clone());
        }
    }

    /// The thread changes what others may see, on a path, if a condition holds.
    pub fn change(&self, terms: &mut Terms, path: &mut Path, condition: Term) {
        let added = path.registers().keys().copied();
        let added: Vec<RegisterId> = added
            .filter(|register| register.as_u32() as usize >= self.registers)
            .collect();
        for register in added {
            let before = path.registers()[&register];
            let now = terms.or(before, condition);
            path.set_register(register, now);
        }
    }

    /// Forgets the registers that are not needed at a location.
    pub fn keep_registers(&self, path: &mut Path, live: &[RegisterId], at: LocationId) {
        let headers = self.forest.headers(at).iter();
        let around = headers.map(|&header| self.changed(header));
        let mut kept: Vec<RegisterId> = live.iter().copied().chain(around).collect();
        kept.sort_unstable();
        path.keep_registers(&kept);
    }

    /// Whether only this thread accesses a variable.
    pub fn is_private(&self, variable: Variable) -> bool {
        let object = match variable {
            Variable::Cell(cell) => self.context.layout.cells[cell].object,
            Variable::Alive(object) | Variable::Size(object) | Variable::Used(object) => object,
            Variable::Pc(_)
            | Variable::Started(_)
            | Variable::Exited(_)
            | Variable::InRegion(..)
            | Variable::RegisterInRegion(..)
            | Variable::Register(..)
            | Variable::Result(_)
            | Variable::Claimed(_)
            | Variable::Number(_) => return false,
        };
        self.context.writers(variable) == Writers::One(self.instance)
            && !self.context.layout.is_shared(object)
    }

    /// Whether the thread comes to a location otherwise than by a round that has changed nothing; Boolean.
    pub fn progress(
        &self,
        terms: &mut Terms,
        memory: &EventMemory<'_>,
        (location, live): (LocationId, &[RegisterId]),
        path: &Path,
    ) -> Term {
        let header = self.forest.loop_cut_at(location);
        let changed = header.and_then(|header| path.registers().get(&self.changed(header)));
        let before = header.and_then(|header| self.last.get(&header));
        let (Some(before), Some(&changed)) = (before, changed) else {
            return terms.bool(true);
        };
        let (never, always) = (terms.bool(false), terms.bool(true));
        let mut same = vec![terms.not(changed)];
        for register in live {
            let values = [before, path].map(|path| path.registers().get(register).copied());
            same.push(match values {
                [Some(before), Some(now)] => terms.equal(before, now),
                [before, now] => terms.bool(before == now),
            });
        }
        if same.contains(&never) {
            return always;
        }
        let written = before.written().keys().chain(path.written().keys());
        for &variable in written.filter(|&&variable| self.is_private(variable)) {
            let [before, now] = [before, path].map(|path| match path.written().get(&variable) {
                Some(&value) => value,
                None => memory.before(terms, variable),
            });
            same.push(terms.equal(before, now));
        }
        let same = terms.and_all(same);
        terms.not(same)
    }
}
