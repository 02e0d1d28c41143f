//! Threads, objects and what goes wrong with them, in the words of the C program.

use abi::ids::InstanceId;

use crate::interpret::{InvalidAccess, Undefined};
use crate::model::{GlobalId, Instances, ObjectId, ObjectKind, Program};

/// Names for the parts of one enumeration of a program.
#[derive(Clone, Copy)]
pub struct Names<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its threads and objects.
    pub instances: &'a Instances,
}

impl Names<'_> {
    /// `main`, or the start routine with the number of its run from 1.
    pub fn thread(&self, instance: InstanceId) -> String {
        let thread = &self.instances.threads[instance];
        let name = &self.program.templates[thread.template].name;
        if instance == InstanceId::MAIN {
            name.clone()
        } else {
            format!("{name}#{}", thread.ordinal + 1)
        }
    }

    /// `counter`, `local@worker#1`, `heap0#2`.
    pub fn object(&self, object: ObjectId) -> String {
        match self.owned(object) {
            (Some(owner), name) => format!("{name}@{owner}"),
            (None, name) => name,
        }
    }

    /// The thread that has this object for itself, if one does, and the name of the object within it.
    pub fn owned(&self, object: ObjectId) -> (Option<String>, String) {
        let global = |global: GlobalId| self.program.globals[global].name.clone();
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
            ObjectKind::Heap { pool, slot } => (None, format!("heap{pool}#{slot}")),
            ObjectKind::Base(of) => {
                let (owner, name) = self.owned(of);
                (owner, format!("&{name}"))
            }
        }
    }

    /// Why a statement has no defined meaning.
    pub fn undefined(&self, undefined: Undefined) -> String {
        match undefined {
            Undefined::Access(access) => self.access(access),
            Undefined::Start(address) => format!("{address:#x} is no start routine"),
            Undefined::Handle(handle) => format!("{handle} is no thread"),
            Undefined::MutexKind(kind) => format!("a mutex of kind {kind}"),
            Undefined::Free(address) => {
                format!("free of {address:#x}, which is not the start of a live heap object")
            }
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
                format!(
                    "access to `{}`, which is not part of the program",
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
            InvalidAccess::Freed(object) => {
                format!("access to `{}`, which was freed", self.object(object))
            }
            InvalidAccess::Constant(object) => {
                format!("write to `{}`, which is constant", self.object(object))
            }
            InvalidAccess::Function(object) => {
                format!("access to `{}`, which is a function", self.object(object))
            }
        }
    }

    /// Whether an object is a variable that the program only declares.
    fn is_outside(&self, object: ObjectId) -> bool {
        matches!(self.instances.objects[object].kind, ObjectKind::Global(global)
            if self.program.globals[global].is_outside())
    }
}
