//! Parts of a run in the words of the C program.

use explicit::interpret::Observation;
use program::model::{
    Bits, CTypeKind, ObjectId, ObjectKind, Program, RegisterId, TypeId, Undefined,
};
use program::names::Names;

use super::lives::Lives;
use crate::race::is_announcement;
use crate::task::Task;

/// Describes parts of a run in the words of the C program.
#[derive(Clone, Copy)]
pub(crate) struct Words<'a> {
    task: &'a Task,
    /// The heap objects of a run, and the position of a step in it.
    now: Option<(&'a Lives, usize)>,
}

impl<'a> Words<'a> {
    /// The words of a program, without those of a run.
    pub(crate) fn new(task: &'a Task) -> Self {
        Self { task, now: None }
    }

    /// The words at a step of a run.
    pub(crate) fn during(task: &'a Task, lives: &'a Lives, position: usize) -> Self {
        Self {
            task,
            now: Some((lives, position)),
        }
    }

    fn program(&self) -> &'a Program {
        &self.task.program
    }

    /// The name of an object.
    pub(super) fn name(&self, object: ObjectId) -> String {
        let life = self.now.and_then(|(lives, now)| lives.at(object, now));
        life.map_or_else(
            || self.task.names().object(object),
            |life| life.name.clone(),
        )
    }

    /// The type of an object, if its size is as that says.
    fn c_type(&self, object: ObjectId) -> Option<(TypeId, u32)> {
        let program = self.program();
        let fits = |c_type: Option<TypeId>| {
            let size = self.task.instances.objects[object].size;
            let c_type = c_type.filter(|&c_type| program.types.size(c_type) == size)?;
            Some((c_type, size))
        };
        match self.task.instances.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                fits(program.globals[global].c_type)
            }
            ObjectKind::Local(local, owner) => {
                let template = self.task.instances.threads[owner].template;
                fits(program.templates[template].locals[local].c_type)
            }
            ObjectKind::Heap { .. } => {
                let (lives, now) = self.now?;
                let life = lives.at(object, now)?;
                Some((life.c_type()?, life.size))
            }
            ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => None,
        }
    }

    /// The variable, member or element that an access of so many bytes is to, and its type.
    pub(super) fn access(
        &self,
        object: ObjectId,
        offset: u32,
        width: u32,
    ) -> (String, Option<TypeId>) {
        let types = &self.program().types;
        let part = self
            .c_type(object)
            .map(|(c_type, size)| types.part(c_type, size, offset, width));
        let c_type = part.as_ref().filter(|part| part.rest == 0);
        let c_type = c_type.map(|part| part.c_type);
        let (path, rest) = part.map_or((String::new(), offset), |part| (part.path, part.rest));
        (self.path(object, &path, rest), c_type)
    }

    /// What an address is that of: the part that starts there and has the type that the pointer says.
    fn target(&self, object: ObjectId, offset: u32, wanted: Option<TypeId>) -> String {
        let types = &self.program().types;
        let part = self
            .c_type(object)
            .map(|(c_type, size)| types.outermost_part(c_type, size, offset, wanted));
        let (path, rest) = part.map_or((String::new(), offset), |part| (part.path, part.rest));
        self.path(object, &path, rest)
    }

    /// The mutex, condition variable or other object of the C library that an access is inside of, and where that starts. Without debug
    /// information it is where the access is.
    pub(crate) fn lock(&self, object: ObjectId, offset: u32) -> Lock {
        let types = &self.program().types;
        let part = self
            .c_type(object)
            .map(|(c_type, size)| types.part(c_type, size, offset, 0));
        match part.filter(|part| types.is_opaque(part.c_type)) {
            Some(part) => Lock {
                object,
                offset: offset - part.rest,
                name: self.path(object, &part.path, 0),
                is_typed: true,
            },
            None => Lock {
                object,
                offset,
                name: self.target(object, offset, None),
                is_typed: false,
            },
        }
    }

    /// Whether an object is a variable of the library's models: they have no debug information, but the program has.
    pub(crate) fn is_of_library(&self, object: ObjectId) -> bool {
        let program = self.program();
        match self.task.instances.objects[object].kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                let global = &program.globals[global];
                !program.types.all.is_empty() && global.c_type.is_none() && global.writable
            }
            ObjectKind::Local(..)
            | ObjectKind::Heap { .. }
            | ObjectKind::Function(_)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => false,
        }
    }

    /// `name`, `name.member[2]`, `heap->member`, each with `+rest`.
    fn path(&self, object: ObjectId, path: &str, rest: u32) -> String {
        let name = self.name(object);
        let is_heap = matches!(
            self.task.instances.objects[object].kind,
            ObjectKind::Heap { .. }
        );
        let path = match path.strip_prefix('.') {
            Some(member) if is_heap => format!("->{member}"),
            _ => path.to_owned(),
        };
        match rest {
            0 => format!("{name}{path}"),
            rest => format!("{name}{path}+{rest}"),
        }
    }

    /// The variable, member or element that an access of so many bytes at an address is to, if it is to one.
    pub(crate) fn accessed(&self, address: Bits, bytes: u32) -> Option<String> {
        let (object, offset) = self.task.instances.locate(address.value as u64)?;
        Some(self.access(object, offset, bytes).0)
    }

    /// Signed decimal, or the object that a pointer points to, or the thread of a handle.
    pub(crate) fn value(&self, value: Bits) -> String {
        self.typed_value(value, None)
    }

    /// A value of a type: the name of an enumerator, a number, what a pointer points to.
    pub(super) fn typed_value(&self, value: Bits, c_type: Option<TypeId>) -> String {
        let instances = &self.task.instances;
        let target = (value.width == self.program().data_model.address_bits())
            .then(|| instances.locate(value.value as u64))
            .flatten();
        match target {
            Some((object, offset)) if instances.is_thread(object) => {
                format!("handle of {}", self.path(object, "", offset))
            }
            Some((object, offset)) => {
                let wanted = c_type.and_then(|c_type| self.program().types.pointee(c_type));
                format!("&{}", self.target(object, offset, wanted))
            }
            None => self.number(value, c_type),
        }
    }

    fn number(&self, value: Bits, c_type: Option<TypeId>) -> String {
        let signed = match value.width {
            1 => value.value as i128,
            _ => value.signed(),
        };
        match c_type.map(|c_type| &self.program().types.resolved(c_type).kind) {
            Some(CTypeKind::Pointer(_)) if value.value == 0 => "NULL".into(),
            Some(CTypeKind::Scalar { unsigned: true }) => value.value.to_string(),
            Some(CTypeKind::Enumeration(values)) => {
                let is_it = |(_, number): &&(String, i128)| *number == signed;
                let name = values.iter().find(is_it).map(|(name, _)| name.clone());
                name.unwrap_or_else(|| signed.to_string())
            }
            Some(
                CTypeKind::Scalar { unsigned: false }
                | CTypeKind::Pointer(_)
                | CTypeKind::Alias(_)
                | CTypeKind::Members(_)
                | CTypeKind::Array { .. },
            )
            | None => signed.to_string(),
        }
    }

    /// What the program is given.
    pub(super) fn input(
        &self,
        instance: abi::ids::InstanceId,
        register: RegisterId,
        value: u128,
    ) -> String {
        let template = self.task.instances.threads[instance].template;
        let register = &self.program().templates[template].registers[register];
        let value = self.typed_value(Bits::new(register.width, value), register.c_type);
        match &register.variable {
            Some(variable) => format!("{variable} = {value} (input)"),
            None => format!("{value} (input)"),
        }
    }

    /// Why a statement has no defined meaning.
    pub(super) fn undefined(&self, undefined: Undefined) -> String {
        let renamed = self.now.map(|(lives, now)| lives.names(now));
        let names = Names {
            renamed: renamed.as_ref(),
            ..self.task.names()
        };
        names.undefined(undefined)
    }

    /// What happened; nothing if that is that an object may lie elsewhere from now on, or that threads speak of their accesses.
    pub(super) fn event(&self, event: Observation) -> Option<String> {
        if let Observation::Read { object, .. } | Observation::Write { object, .. } = event
            && is_announcement(self.task, object)
        {
            return None;
        }
        if let Some((object, address)) = lies_at(self.task, event) {
            let name = self.name(object);
            return Some(if self.task.instances.is_thread(object) {
                format!("the handle of {name} is {address:#x}")
            } else {
                format!("{name} lies at {address:#x}")
            });
        }
        let accessed = |object, offset, value: Bits| {
            let (name, c_type) = self.access(object, offset, value.width / 8);
            (name, self.typed_value(value, c_type))
        };
        let thread = |instance| self.task.names().thread(instance);
        Some(match event {
            Observation::Uninitialised(object)
                if matches!(
                    self.task.instances.objects[object].kind,
                    ObjectKind::Base(_)
                ) =>
            {
                return None;
            }
            Observation::Read {
                object,
                offset,
                value,
            } => {
                let (name, value) = accessed(object, offset, value);
                format!("reads {name} = {value}")
            }
            Observation::Write {
                object,
                offset,
                value,
            } => {
                let (name, value) = accessed(object, offset, value);
                format!("{name} := {value}")
            }
            Observation::Uninitialised(object) => {
                format!("{} becomes arbitrary", self.name(object))
            }
            Observation::Died(object) => format!("{} goes out of scope", self.name(object)),
            Observation::Allocated { object, size } => self.allocated(object, size),
            Observation::Freed(object) => format!("frees {}", self.name(object)),
            Observation::Started(instance) => format!("creates {}", thread(instance)),
            Observation::Joined(instance) => format!("joins {}", thread(instance)),
            Observation::Detached(instance) => format!("detaches {}", thread(instance)),
            Observation::Acquired { object, offset } => {
                format!("locks {}", self.lock(object, offset).name)
            }
            Observation::Released { object, offset } => {
                format!("unlocks {}", self.lock(object, offset).name)
            }
            Observation::Refused {
                object,
                offset,
                code,
            } => {
                let name = self.lock(object, offset).name;
                refused(&name, code)
            }
        })
    }

    /// An allocation, which may take the memory of an object that was freed.
    fn allocated(&self, object: ObjectId, size: u32) -> String {
        let name = self.name(object);
        let earlier = self.now.and_then(|(lives, now)| lives.before(object, now));
        match earlier {
            Some(earlier) => format!(
                "allocates {name} ({size} bytes) at the address of {}, which was freed",
                earlier.name
            ),
            None => format!("allocates {name} ({size} bytes)"),
        }
    }
}

/// An object of the C library that threads synchronise with, such as a mutex.
#[derive(Clone, Debug)]
pub(crate) struct Lock {
    /// The object that contains it.
    pub object: ObjectId,
    /// Where it starts.
    pub offset: u32,
    /// In the words of the program.
    pub name: String,
    /// Whether debug information says that it is one.
    pub is_typed: bool,
}

/// An operation on a mutex that failed; which one, the code tells, as in `errno.h`.
fn refused(name: &str, code: u32) -> String {
    match code {
        1 => format!("fails to unlock {name} (EPERM)"),
        16 => format!("finds {name} locked (EBUSY)"),
        35 => format!("fails to lock {name} again (EDEADLK)"),
        code => format!("fails on mutex {name} (error {code})"),
    }
}

/// Where an object lies, or the handle of a thread, if that is what was read.
pub(crate) fn lies_at(task: &Task, event: Observation) -> Option<(ObjectId, u64)> {
    let Observation::Read { object, value, .. } = event else {
        return None;
    };
    let ObjectKind::Base(of) = task.instances.objects[object].kind else {
        return None;
    };
    Some((of, task.instances.lies_at(of, value.value as u64)))
}
