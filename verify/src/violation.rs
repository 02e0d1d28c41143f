//! What a run violates, and how that is told.

use abi::ids::SiteId;
use explicit::interpret::{Interpreter, ReplayStep, ReplayedRun};
use program::model::{InvalidAccess, LocationKind, ObjectId, ObjectKind, Property, Undefined};

use crate::deadlock;
use crate::dependence::Doubt;
use crate::race::announced;
use crate::task::Task;
use crate::unwritten::first_use;
use crate::verdict::Verdict;

/// A violation of a property by a run.
pub(crate) struct Violation {
    /// The property.
    pub property: Property,
    /// The position of the step that violates it.
    pub step: usize,
    site: SiteId,
    /// What happens there.
    what: String,
    /// What came before and made it wrong, with its place and thread.
    related: Option<String>,
}

impl Violation {
    /// What a run violates, given the first reason for which it may be none of the program; `None` if that counts.
    pub fn found(task: &Task, run: &ReplayedRun, doubt: Option<&Doubt>) -> Option<Self> {
        let is_end = |position: usize| {
            position + 1 == run.steps.len() && run.steps[position].undefined.is_some()
        };
        match doubt {
            Some(&Doubt::Over {
                step,
                site,
                object,
                taken,
            }) => match is_end(step) {
                true => Self::at_end(task, run, taken),
                false => Self::before_end(task, run, (step, site, object, taken)),
            },
            None => Self::at_end(task, run, 0),
            Some(Doubt::Undefined {
                step,
                site,
                what,
                property: Some(property),
            }) if task.program.properties.contains(property) => Some(Self {
                property: *property,
                step: *step,
                site: *site,
                what: what.clone(),
                related: None,
            }),
            Some(Doubt::Depends(_) | Doubt::Undefined { .. } | Doubt::Unjustified { .. }) => None,
        }
    }

    /// That in which a run ends, by an address that was taken after so many steps.
    fn at_end(task: &Task, run: &ReplayedRun, taken: usize) -> Option<Self> {
        let (step, last) = run.steps.iter().enumerate().next_back()?;
        let template = task.instances.threads[last.instance].template;
        let LocationKind::Error(property) =
            task.program.templates[template].locations[last.location].kind
        else {
            return None;
        };
        let unwritten = first_use(task, run).filter(|first| first.step == step);
        let what = match (unwritten, last.undefined) {
            (Some(unwritten), _) if property == Property::NoLockMisuse => unwritten.what,
            (Some(_), Some(_)) => "uninitialised pointer".to_owned(),
            (None, Some(undefined)) => task.names().violation(undefined)?.1.to_owned(),
            (_, None) => task.program.property(last.site).to_owned(),
        };
        let undefined = last.undefined;
        let related = match property {
            Property::NoDataRace => announced(task, run),
            Property::NoDeadlock => deadlock::others(task, run),
            Property::ValidMemtrack => lost(task, run),
            Property::UnreachCall
            | Property::ValidDeref
            | Property::ValidFree
            | Property::NoOverflow
            | Property::NoLockMisuse
            | Property::NoInfiniteRun => {
                undefined.and_then(|undefined| freed(task, &run.steps[taken..], undefined))
            }
        };
        Some(Self {
            property,
            step,
            site: last.site,
            what,
            related,
        })
    }

    /// That which a run makes before it ends, at a step that accesses or frees what is over although something else lives there by now.
    fn before_end(
        task: &Task,
        run: &ReplayedRun,
        (step, site, object, taken): (usize, SiteId, ObjectId, usize),
    ) -> Option<Self> {
        let is_heap = matches!(task.instances.objects[object].kind, ObjectKind::Heap { .. });
        let frees = task.statement(&run.steps[step]).effects().life.is_some();
        let undefined = match is_heap && frees {
            true => Undefined::FreedTwice(object),
            false => over(task, object).into(),
        };
        let (property, what) = task.names().violation(undefined)?;
        if !task.program.properties.contains(&property) {
            return None;
        }
        Some(Self {
            property,
            step,
            site,
            what: what.to_owned(),
            related: freed(task, &run.steps[taken..step], undefined),
        })
    }

    /// UNSAFE, with its place.
    pub fn verdict(self, task: &Task) -> Verdict {
        let position = &task.program.sites[self.site];
        Verdict::Unsafe {
            property: self.what,
            file: position.file.clone(),
            line: position.line,
            related: self.related,
        }
    }
}

/// Why an access to an object is wrong whose life is over.
pub(crate) fn over(task: &Task, object: ObjectId) -> InvalidAccess {
    match task.instances.objects[object].kind {
        ObjectKind::Heap { .. } => InvalidAccess::Freed(object),
        ObjectKind::Function(_)
        | ObjectKind::Global(_)
        | ObjectKind::ThreadLocal(..)
        | ObjectKind::Local(..)
        | ObjectKind::Thread(_)
        | ObjectKind::Base(_)
        | ObjectKind::Nowhere => InvalidAccess::OutOfScope(object),
    }
}

/// Where memory was allocated that is lost at the end of a run, by whom, and how many objects are.
fn lost(task: &Task, run: &ReplayedRun) -> Option<String> {
    let interpreter = Interpreter::new(&task.program, &task.instances);
    let lost = interpreter.lost(&run.state, run.steps.last()?.instance);
    let by = run.steps.iter().rev().find(|step| step.allocates(&lost))?;
    let (place, thread) = (task.place(by.site), task.names().thread(by.instance));
    let others = match lost.len() {
        0 | 1 => String::new(),
        count => format!(", {count} objects in all"),
    };
    Some(format!("allocated at {place} by `{thread}`{others}"))
}

/// Where an object was freed first in a part of a run, and by whom, if that is what is wrong.
fn freed(task: &Task, steps: &[ReplayStep], undefined: Undefined) -> Option<String> {
    let object = undefined.freed()?;
    let by = steps.iter().find(|step| step.frees(object))?;
    let (place, thread) = (task.place(by.site), task.names().thread(by.instance));
    let first = match matches!(undefined, Undefined::FreedTwice(_)) {
        true => "first freed",
        false => "freed",
    };
    Some(format!("{first} at {place} by `{thread}`"))
}
