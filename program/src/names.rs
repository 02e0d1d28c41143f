//! Names of threads and objects, and texts for undefined behaviour, in terms of the C program.

use std::collections::BTreeMap;

use abi::ids::{InstanceId, SiteId};
use abi::markers::ENVIRONMENT_PREFIX;
use abi::text::printable;

use crate::model::{
    Global, GlobalId, Instances, InvalidAccess, ObjectId, ObjectKind, Program, Property, Undefined,
};

/// String literals of so many bytes are shortened where they are named.
const LONGEST_LITERAL: usize = 32;

/// Names for the parts of one enumeration of a program.
#[derive(Clone, Copy, Debug)]
pub struct Names<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its threads and objects.
    pub instances: &'a Instances,
    /// Other names for some objects, such as those that heap objects have in a run.
    pub renamed: Option<&'a BTreeMap<ObjectId, String>>,
}

/// Whether a variable has the first bytes of a text of the environment.
fn is_of_environment(global: &Global) -> bool {
    global.name.starts_with(ENVIRONMENT_PREFIX)
}

impl<'a> Names<'a> {
    /// The names of an enumeration.
    pub fn new(program: &'a Program, instances: &'a Instances) -> Self {
        Self {
            program,
            instances,
            renamed: None,
        }
    }
}

impl Names<'_> {
    /// `main`, or the start routine with the number of its run from 1. A representative has a name of its own.
    pub fn thread(&self, instance: InstanceId) -> String {
        let thread = &self.instances.threads[instance];
        let name = &self.program.templates[thread.template].name;
        if instance == InstanceId::MAIN || self.program.is_representative(thread.template) {
            name.clone()
        } else {
            format!("{name}#{}", thread.ordinal + 1)
        }
    }

    /// `counter`, `local@worker#1`, `heap0#2`.
    pub fn object(&self, object: ObjectId) -> String {
        if let Some(name) = self.renamed.and_then(|renamed| renamed.get(&object)) {
            return name.clone();
        }
        match self.owned(object) {
            (Some(owner), name) => format!("{name}@{owner}"),
            (None, name) => name,
        }
    }

    /// The thread that has this object for itself, if one does, and the name of the object within it.
    pub fn owned(&self, object: ObjectId) -> (Option<String>, String) {
        let global = |global: GlobalId| self.variable(&self.program.globals[global]);
        match self.instances.objects[object].kind {
            ObjectKind::Function(function) => (None, self.program.functions[function].name.clone()),
            ObjectKind::Global(variable) => (None, global(variable)),
            ObjectKind::ThreadLocal(variable, owner) => {
                (Some(self.thread(owner)), global(variable))
            }
            ObjectKind::Local(local, owner) => {
                let template = self.instances.threads[owner].template;
                let name = self.program.templates[template].locals[local].name.clone();
                (Some(self.thread(owner)), name)
            }
            ObjectKind::Thread(thread) => (None, self.thread(thread)),
            ObjectKind::Heap { pool, slot } => (None, format!("heap{pool}#{slot}")),
            ObjectKind::Base(of) => {
                let (owner, name) = self.owned(of);
                (owner, format!("&{name}"))
            }
            ObjectKind::Nowhere => (None, "nowhere".into()),
        }
    }

    /// What the number of an object's address is.
    pub fn placement(&self, object: ObjectId) -> String {
        match self.instances.objects[object].kind {
            ObjectKind::Thread(_) => format!("the handle of `{}`", self.object(object)),
            ObjectKind::Nowhere => "where a pointer leads that was moved too far".into(),
            ObjectKind::Function(_)
            | ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Base(_) => format!("where `{}` lies in memory", self.object(object)),
        }
    }

    /// The name of a global variable; clang gives string literals names that the program does not have.
    fn variable(&self, global: &Global) -> String {
        if is_of_environment(global) {
            return "a text of the environment".into();
        }
        let is_literal = global.name == ".str" || global.name.starts_with(".str.");
        match global.bytes.split_last() {
            Some((0, text)) if is_literal => match text.get(..LONGEST_LITERAL) {
                Some(start) => format!("\"{}...\"", printable(start)),
                None => format!("\"{}\"", printable(text)),
            },
            Some(_) | None => global.name.clone(),
        }
    }

    /// Why a run stops at an instruction whose meaning is undefined: the reason of its statement, or the requirement that it is.
    /// If an object was freed before, `freed` says where, if that is known.
    pub fn undefined_at(
        &self,
        undefined: Option<Undefined>,
        site: SiteId,
        freed: Option<SiteId>,
    ) -> String {
        let Some(undefined) = undefined else {
            let words = self.program.explanations.get(&site);
            return words.map_or("requirement of a library function".into(), String::clone);
        };
        let words = self.undefined(undefined);
        match (undefined, freed) {
            (Undefined::FreedTwice(_), Some(first)) => {
                format!("{words}, first at {}", self.place(first))
            }
            (_, Some(freed)) => format!("{words} at {}", self.place(freed)),
            (_, None) => words,
        }
    }

    /// Whether a statement would mean something if more of the program was read.
    pub fn is_of_unread(&self, undefined: Option<Undefined>) -> bool {
        match undefined {
            Some(Undefined::Access(
                InvalidAccess::OutOfBounds { object, .. } | InvalidAccess::Constant(object),
            )) => self.is_unread_in_part(object),
            Some(_) | None => false,
        }
    }

    /// Whether an object is defined elsewhere, has an initialiser that is not read, or is an argument that may be longer.
    fn is_unread_in_part(&self, object: ObjectId) -> bool {
        self.is_outside(object) || self.is_argument(object)
    }

    /// Whether an object is no memory of the program, or has more content than is read: an access to it that has no meaning in the model is no
    /// violation.
    pub fn is_beyond(&self, object: ObjectId) -> bool {
        let has_content = match self.instances.objects[object].kind {
            ObjectKind::Global(_)
            | ObjectKind::ThreadLocal(..)
            | ObjectKind::Local(..)
            | ObjectKind::Heap { .. } => true,
            ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => false,
        };
        !has_content || self.is_unread_in_part(object)
    }

    /// The property that a statement without meaning violates, if one is about that.
    pub fn violated(&self, undefined: Undefined) -> Option<Property> {
        self.violation(undefined).map(|(property, _)| property)
    }

    /// The property that a statement without meaning violates, and what is wrong in a few words.
    pub fn violation(&self, undefined: Undefined) -> Option<(Property, &'static str)> {
        Some(match undefined {
            Undefined::Access(access) => (Property::ValidDeref, self.invalid_access(access)?),
            Undefined::Free(_) | Undefined::Resize(_) => (Property::ValidFree, "invalid free"),
            Undefined::FreedTwice(_) => (Property::ValidFree, "double free"),
            Undefined::ResizedFreed(_) => (Property::ValidFree, "realloc after free"),
            Undefined::MutexKind(_) => (
                Property::NoLockMisuse,
                "use of a mutex that is not initialised",
            ),
            Undefined::LockedAgain => (
                Property::NoLockMisuse,
                "lock of a mutex that the thread holds",
            ),
            Undefined::UnlockedFree => (Property::NoLockMisuse, "unlock of a free mutex"),
            Undefined::UnlockedHeld(_) => (
                Property::NoLockMisuse,
                "unlock of a mutex that another thread holds",
            ),
            Undefined::Start(_)
            | Undefined::Handle(_)
            | Undefined::Joined(_)
            | Undefined::Detached(_)
            | Undefined::Compared(_) => return None,
        })
    }

    /// What is wrong with an access, unless it is to what is not read.
    fn invalid_access(&self, access: InvalidAccess) -> Option<&'static str> {
        let (object, words) = match access {
            InvalidAccess::Null => return Some("null pointer"),
            InvalidAccess::NoObject(address) if self.is_near_null(address) => {
                return Some("null pointer");
            }
            InvalidAccess::NoObject(_) => return Some("wild pointer"),
            InvalidAccess::OutOfBounds { object, .. } => (object, "out of bounds"),
            InvalidAccess::Freed(object) if self.is_automatic(object) => {
                (object, "use after scope")
            }
            InvalidAccess::Freed(object) => (object, "use after free"),
            InvalidAccess::OutOfScope(object) => (object, "use after scope"),
            InvalidAccess::OwnerEnded(object) => (object, "use after thread end"),
            InvalidAccess::Constant(object) => (object, "write to a constant"),
            InvalidAccess::NoContent(_) => return None,
        };
        (!self.is_beyond(object)).then_some(words)
    }

    /// Whether an address is that of a member of what would lie at the null pointer, or of a near element of an array there.
    fn is_near_null(&self, address: u64) -> bool {
        const NEAR: u64 = 4096;
        address < NEAR || self.instances.data_model.mask() - address < NEAR
    }

    /// `file.c:7`.
    pub fn place(&self, site: SiteId) -> String {
        let site = &self.program.sites[site];
        format!("{}:{}", site.file, site.line)
    }

    /// Why a statement has no defined meaning.
    pub fn undefined(&self, undefined: Undefined) -> String {
        match undefined {
            Undefined::Access(access) => self.access(access),
            Undefined::Start(0) => "the start routine of a thread is the null pointer".into(),
            Undefined::Start(address) => {
                format!(
                    "a thread starts at {}, which is no start routine",
                    self.address(address)
                )
            }
            Undefined::Handle(handle) => {
                format!("use of the handle {handle}, which names no thread")
            }
            Undefined::Joined(thread) => {
                format!("the thread `{}` was joined before", self.thread(thread))
            }
            Undefined::Detached(thread) => {
                format!("the thread `{}` was detached before", self.thread(thread))
            }
            Undefined::MutexKind(kind) => {
                format!(
                    "use of a mutex that is destroyed or not initialised: its kind would be {kind}"
                )
            }
            Undefined::LockedAgain => "lock of a mutex that the thread holds".into(),
            Undefined::UnlockedFree => "unlock of a mutex that is free".into(),
            Undefined::UnlockedHeld(number) => {
                let is_holder = |id: &InstanceId| id.number() == number;
                match self.instances.threads.keys().find(is_holder) {
                    Some(holder) => {
                        format!("unlock of a mutex that `{}` holds", self.thread(holder))
                    }
                    None => format!("unlock of a mutex that {number} holds, which is no thread"),
                }
            }
            Undefined::Free(address) => {
                format!("free of {}, which is no heap object", self.address(address))
            }
            Undefined::Resize(address) => {
                format!(
                    "realloc of {}, which is no heap object",
                    self.address(address)
                )
            }
            Undefined::FreedTwice(object) => format!("`{}` is freed twice", self.object(object)),
            Undefined::ResizedFreed(object) => {
                format!("realloc of `{}`, which was freed", self.object(object))
            }
            Undefined::Compared(object) => format!(
                "compare-and-exchange of the address of `{}`, whose life is over",
                self.object(object)
            ),
        }
    }

    /// The object at an address, with the offset in it.
    fn address(&self, address: u64) -> String {
        match self.instances.origin(address) {
            Some((object, 0)) => format!("`{}`", self.object(object)),
            Some((object, offset)) => format!("`{}{offset:+}`", self.object(object)),
            None => format!("{address:#x}"),
        }
    }

    fn access(&self, access: InvalidAccess) -> String {
        match access {
            InvalidAccess::Null => "access through the null pointer".into(),
            InvalidAccess::NoObject(address) => {
                format!("access to {address:#x}, where no object is")
            }
            InvalidAccess::OutOfBounds { object, .. } | InvalidAccess::Constant(object)
                if self.is_outside(object) =>
            {
                let why = match self.is_unread(object) {
                    true => "whose initialiser is not read",
                    false => "which is not part of the program",
                };
                format!("access to `{}`, {why}", self.object(object))
            }
            InvalidAccess::OutOfBounds { object, size, .. } if self.is_argument(object) => {
                format!(
                    "access to `{}` behind its first {size} bytes",
                    self.object(object)
                )
            }
            InvalidAccess::OutOfBounds {
                object,
                offset,
                len,
                size,
            } => format!(
                "access to {len} bytes at offset {offset} of `{}`, which has {size} bytes",
                self.object(object)
            ),
            InvalidAccess::Freed(object) if self.is_automatic(object) => {
                format!("access to `{}`, which is out of scope", self.object(object))
            }
            InvalidAccess::Freed(object) => {
                format!("access to `{}`, which was freed", self.object(object))
            }
            InvalidAccess::OutOfScope(object) => {
                format!("access to `{}`, which is out of scope", self.object(object))
            }
            InvalidAccess::OwnerEnded(object) => {
                let (owner, name) = self.owned(object);
                let owner = owner.unwrap_or_default();
                format!("access to `{name}` of the thread `{owner}`, which has ended")
            }
            InvalidAccess::Constant(object) => {
                format!("write to `{}`, which is constant", self.object(object))
            }
            InvalidAccess::NoContent(object) => {
                let kind = if self.instances.is_thread(object) {
                    "thread"
                } else {
                    "function"
                };
                format!("access to `{}`, which is a {kind}", self.object(object))
            }
        }
    }

    /// Whether an object is memory of the stack that was taken after the start of its function.
    fn is_automatic(&self, object: ObjectId) -> bool {
        let pool = self.instances.pool(object);
        pool.is_some_and(|pool| self.program.heap_sites[pool].automatic)
    }

    /// Whether an object is a variable that the program only declares, or whose first content is not read.
    fn is_outside(&self, object: ObjectId) -> bool {
        self.global(object).is_some_and(Global::is_outside)
    }

    /// Whether an object is what can be read of an argument of `main`, or of a text of the environment.
    fn is_argument(&self, object: ObjectId) -> bool {
        let is_local = matches!(self.instances.objects[object].kind, ObjectKind::Local(..));
        is_local && self.object(object).starts_with("argv[")
            || self.global(object).is_some_and(is_of_environment)
    }

    fn is_unread(&self, object: ObjectId) -> bool {
        self.global(object).is_some_and(|global| global.unread)
    }

    fn global(&self, object: ObjectId) -> Option<&Global> {
        match self.instances.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                Some(&self.program.globals[global])
            }
            ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
        }
    }
}
