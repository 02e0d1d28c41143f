//! Byte memory: where the bytes of objects are, which accesses are valid, reading and writing.
//!
//! The memory of a state is one vector: the content of the writable objects in the order of objects, then a bit for
//! each byte of locals and heap objects that says whether it is still arbitrary, then four bytes for each heap slot,
//! and one for each local with a [`LifetimeEnd`](program::model::Statement::LifetimeEnd). Bytes that are arbitrary or
//! dead hold 0, so that equal memories are equal vectors. Constant objects are no part of a state. The vector does not
//! say that the locals of returned threads are dead; the states of the threads do.

use cranelift_entity::{EntityRef, PrimaryMap};

use program::lifetimes::Scopes;
use program::model::{DataModel, Global, Instances, InvalidAccess, ObjectId, ObjectKind, Program};

/// The content of all writable objects; see the module's page.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct MemoryContent {
    pub(super) data: Vec<u8>,
}

/// Where things are in the vector of a [`MemoryContent`].
#[derive(Debug)]
pub(super) struct MemoryMap {
    data_model: DataModel,
    objects: PrimaryMap<ObjectId, Extent>,
    /// The first byte that may be arbitrary: that of the first local.
    first_arbitrary: usize,
    /// Where the bits are that say so.
    marks: usize,
    initial: Vec<u8>,
    constants: Vec<u8>,
}

/// Where an object's bytes are.
#[derive(Clone, Copy, Debug)]
struct Extent {
    start: usize,
    size: u32,
    class: Class,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Class {
    /// Nothing can be read or written there: functions and threads.
    NoContent,
    /// Where another object lies; nothing points to it.
    Base,
    /// `start` counts in [`MemoryMap::constants`].
    Constant,
    Variable,
    /// With the position of its four bytes: 0 never used, 1 freed, else 2 + the size of the object that lives in the slot.
    Heap(usize),
    /// A local whose lifetime may end before its thread does, with the position of its byte: 0 alive, 1 dead.
    Scoped(usize),
}

/// A valid range of bytes within an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct ByteRange {
    pub(super) object: ObjectId,
    pub(super) offset: u32,
    start: usize,
    len: usize,
    constant: bool,
}

impl ByteRange {
    /// Its size in bits.
    pub(super) fn bits(self) -> u32 {
        8 * self.len as u32
    }

    /// Four of its bytes, `offset` after its start.
    pub(super) fn field(self, offset: u32) -> Self {
        debug_assert!(
            offset as usize + 4 <= self.len,
            "a field lies within its range"
        );
        Self {
            offset: self.offset + offset,
            start: self.start + offset as usize,
            len: 4,
            ..self
        }
    }
}

/// What an access wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AccessPurpose {
    Read,
    Write,
}

/// What a heap slot holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Slot {
    Unused,
    Freed,
    Live(u32),
}

impl MemoryMap {
    pub(super) fn new(program: &Program, instances: &Instances) -> Self {
        let mut map = Self {
            data_model: instances.data_model,
            objects: PrimaryMap::new(),
            first_arbitrary: usize::MAX,
            marks: 0,
            initial: Vec::new(),
            constants: Vec::new(),
        };
        let scopes: Vec<Scopes> = program.templates.values().map(Scopes::new).collect();
        for object in instances.objects.keys() {
            map.place(program, instances, &scopes, object);
        }
        map.first_arbitrary = map.first_arbitrary.min(map.initial.len());
        map.marks = map.initial.len();
        let arbitrary = map.marks - map.first_arbitrary;
        map.initial.resize(map.marks + arbitrary.div_ceil(8), 0);
        for extent in map.objects.values_mut() {
            if let Class::Heap(slot) = &mut extent.class {
                *slot = map.initial.len();
                map.initial.extend([0; 4]);
            }
        }
        for extent in map.objects.values_mut() {
            if let Class::Scoped(at) = &mut extent.class {
                *at = map.initial.len();
                map.initial.push(0);
            }
        }
        map.mark_locals(instances);
        map
    }

    /// Gives an object its bytes.
    fn place(
        &mut self,
        program: &Program,
        instances: &Instances,
        scopes: &[Scopes],
        object: ObjectId,
    ) {
        let size = instances.objects[object].size;
        let kind = instances.objects[object].kind;
        let (class, global) = match kind {
            ObjectKind::Function(_) | ObjectKind::Thread(_) | ObjectKind::Nowhere => {
                (Class::NoContent, None)
            }
            ObjectKind::Global(id) | ObjectKind::ThreadLocal(id, _) => {
                let global = &program.globals[id];
                (
                    if global.writable {
                        Class::Variable
                    } else {
                        Class::Constant
                    },
                    Some(global),
                )
            }
            ObjectKind::Local(local, owner) => {
                let template = instances.threads[owner].template;
                let class = if scopes[template.index()].ended.contains(local) {
                    Class::Scoped(0)
                } else {
                    Class::Variable
                };
                (class, None)
            }
            ObjectKind::Base(_) => (Class::Base, None),
            ObjectKind::Heap { .. } => (Class::Heap(0), None),
        };
        let bytes = if class == Class::Constant {
            &mut self.constants
        } else {
            &mut self.initial
        };
        let start = bytes.len();
        if let Some(global) = global {
            bytes.extend(first_content(global, instances, kind));
        } else {
            self.first_arbitrary = self.first_arbitrary.min(if class == Class::NoContent {
                usize::MAX
            } else {
                start
            });
            bytes.resize(start + size as usize, 0);
        }
        self.objects.push(Extent { start, size, class });
    }

    fn mark_locals(&mut self, instances: &Instances) {
        let mut memory = self.initial();
        for (object, extent) in &self.objects {
            let kind = instances.objects[object].kind;
            if matches!(kind, ObjectKind::Local(..) | ObjectKind::Base(_)) {
                self.mark(&mut memory, extent.start, extent.size as usize, true);
            }
        }
        self.initial = memory.data;
    }

    /// The memory of the first state.
    pub(super) fn initial(&self) -> MemoryContent {
        MemoryContent {
            data: self.initial.clone(),
        }
    }

    /// Whether a vector has the length of a memory, no heap slot holds more than fits into it, and no local is more than dead.
    pub(super) fn is_memory(&self, data: &[u8]) -> bool {
        let fits = |extent: &Extent| match extent.class {
            Class::NoContent | Class::Base | Class::Constant | Class::Variable => true,
            Class::Heap(at) => match slot(data, at) {
                Slot::Unused | Slot::Freed => true,
                Slot::Live(size) => size <= extent.size,
            },
            Class::Scoped(at) => data[at] <= 1,
        };
        data.len() == self.initial.len() && self.objects.values().all(fits)
    }

    /// The bytes of a valid access.
    pub(super) fn access(
        &self,
        memory: &MemoryContent,
        address: u64,
        len: u32,
        access: AccessPurpose,
    ) -> Result<ByteRange, InvalidAccess> {
        if address == 0 {
            return Err(InvalidAccess::Null);
        }
        let (object, offset) = self
            .data_model
            .origin(address)
            .ok_or(InvalidAccess::NoObject(address))?;
        let extent = self
            .objects
            .get(object)
            .ok_or(InvalidAccess::NoObject(address))?;
        let size = match extent.class {
            Class::NoContent => return Err(InvalidAccess::NoContent(object)),
            Class::Base => return Err(InvalidAccess::NoObject(address)),
            Class::Constant if access == AccessPurpose::Write => {
                return Err(InvalidAccess::Constant(object));
            }
            Class::Scoped(at) if memory.data[at] != 0 => {
                return Err(InvalidAccess::OutOfScope(object));
            }
            Class::Constant | Class::Variable | Class::Scoped(_) => extent.size,
            Class::Heap(at) => match slot(&memory.data, at) {
                Slot::Unused => return Err(InvalidAccess::NoObject(address)),
                Slot::Freed => return Err(InvalidAccess::Freed(object)),
                Slot::Live(size) => size,
            },
        };
        let outside = InvalidAccess::OutOfBounds {
            object,
            offset,
            len,
            size,
        };
        let offset = u32::try_from(offset).map_err(|_| outside)?;
        if u64::from(offset) + u64::from(len) > u64::from(size) {
            return Err(outside);
        }
        let (start, len) = (extent.start + offset as usize, len as usize);
        Ok(ByteRange {
            object,
            offset,
            start,
            len,
            constant: extent.class == Class::Constant,
        })
    }

    /// All bytes of an object.
    pub(super) fn whole(&self, object: ObjectId) -> ByteRange {
        let extent = self.objects[object];
        ByteRange {
            object,
            offset: 0,
            start: extent.start,
            len: extent.size as usize,
            constant: extent.class == Class::Constant,
        }
    }

    /// Which bytes of a range of at most 16 are arbitrary; bit `k` for byte `k`.
    pub(super) fn arbitrary(&self, memory: &MemoryContent, range: ByteRange) -> u16 {
        if range.constant || range.start < self.first_arbitrary {
            return 0;
        }
        let marked = |k: &usize| self.is_marked(memory, range.start + k);
        (0..range.len)
            .filter(marked)
            .fold(0, |bytes, k| bytes | 1 << k)
    }

    /// Gives the arbitrary bytes of a range a value.
    pub(super) fn settle(
        &self,
        memory: &mut MemoryContent,
        range: ByteRange,
        bytes: u16,
        mut value: u128,
    ) {
        for k in (0..range.len).filter(|k| bytes >> k & 1 == 1) {
            memory.data[range.start + k] = value as u8;
            value >>= 8;
            self.mark(memory, range.start + k, 1, false);
        }
    }

    /// The value of a range of at most 16 bytes, arbitrary ones as 0.
    pub(super) fn read(&self, memory: &MemoryContent, range: ByteRange) -> u128 {
        let source = if range.constant {
            &self.constants
        } else {
            &memory.data
        };
        let mut bytes = [0; 16];
        bytes[..range.len].copy_from_slice(&source[range.start..range.start + range.len]);
        u128::from_le_bytes(bytes)
    }

    /// Writes a range that [`AccessPurpose::Write`] allowed.
    pub(super) fn write(&self, memory: &mut MemoryContent, range: ByteRange, value: u128) {
        debug_assert!(!range.constant, "constants are not written");
        memory.data[range.start..range.start + range.len]
            .copy_from_slice(&value.to_le_bytes()[..range.len]);
        self.mark(memory, range.start, range.len, false);
    }

    /// Brings a local to life, with arbitrary content.
    pub(super) fn start_lifetime(&self, memory: &mut MemoryContent, object: ObjectId) {
        self.set_dead(memory, object, false);
    }

    /// Ends the life of a local that is [`Class::Scoped`].
    pub(super) fn end_lifetime(&self, memory: &mut MemoryContent, object: ObjectId) {
        self.set_dead(memory, object, true);
    }

    /// Whether an object is a local whose life has ended.
    pub(super) fn is_out_of_scope(&self, memory: &MemoryContent, object: ObjectId) -> bool {
        match self.objects[object].class {
            Class::Scoped(at) => memory.data[at] != 0,
            Class::NoContent | Class::Base | Class::Constant | Class::Variable | Class::Heap(_) => {
                false
            }
        }
    }

    fn set_dead(&self, memory: &mut MemoryContent, object: ObjectId, dead: bool) {
        let extent = self.objects[object];
        if let Class::Scoped(at) = extent.class {
            memory.data[at] = u8::from(dead);
        }
        self.fill(memory, extent, extent.size, !dead);
    }

    /// What a slot of the heap holds; `None` for other objects.
    pub(super) fn slot(&self, memory: &MemoryContent, object: ObjectId) -> Option<Slot> {
        match self.objects.get(object)?.class {
            Class::NoContent
            | Class::Base
            | Class::Constant
            | Class::Variable
            | Class::Scoped(_) => None,
            Class::Heap(at) => Some(slot(&memory.data, at)),
        }
    }

    /// The size of the largest object that fits into a slot.
    pub(super) fn capacity(&self, object: ObjectId) -> u32 {
        self.objects[object].size
    }

    /// Lets an object of `size` bytes live in a heap slot, or none.
    pub(super) fn set_slot(
        &self,
        memory: &mut MemoryContent,
        object: ObjectId,
        slot: Slot,
        arbitrary: bool,
    ) {
        let extent = self.objects[object];
        let Class::Heap(at) = extent.class else {
            return;
        };
        let (code, size) = match slot {
            Slot::Unused => (0, 0),
            Slot::Freed => (1, 0),
            Slot::Live(size) => (size + 2, size),
        };
        memory.data[at..at + 4].copy_from_slice(&code.to_le_bytes());
        self.fill(memory, extent, size, arbitrary);
    }

    /// Zeroes the bytes of an object and marks the first `size` as arbitrary or none.
    fn fill(&self, memory: &mut MemoryContent, extent: Extent, size: u32, arbitrary: bool) {
        memory.data[extent.start..extent.start + extent.size as usize].fill(0);
        self.mark(memory, extent.start, extent.size as usize, false);
        self.mark(memory, extent.start, size as usize, arbitrary);
    }

    fn is_marked(&self, memory: &MemoryContent, position: usize) -> bool {
        let bit = position - self.first_arbitrary;
        memory.data[self.marks + bit / 8] >> (bit % 8) & 1 == 1
    }

    fn mark(&self, memory: &mut MemoryContent, start: usize, len: usize, arbitrary: bool) {
        if start < self.first_arbitrary {
            return;
        }
        for bit in start - self.first_arbitrary..start - self.first_arbitrary + len {
            let byte = &mut memory.data[self.marks + bit / 8];
            *byte = if arbitrary {
                *byte | 1 << (bit % 8)
            } else {
                *byte & !(1 << (bit % 8))
            };
        }
    }
}

fn slot(data: &[u8], at: usize) -> Slot {
    let code = data[at..at + 4]
        .iter()
        .rev()
        .fold(0u32, |code, &byte| code << 8 | u32::from(byte));
    match code {
        0 => Slot::Unused,
        1 => Slot::Freed,
        size => Slot::Live(size - 2),
    }
}

/// The first content of a global, with addresses as a thread sees them.
fn first_content(global: &Global, instances: &Instances, kind: ObjectKind) -> Vec<u8> {
    let owner = match kind {
        ObjectKind::ThreadLocal(_, instance) | ObjectKind::Local(_, instance) => instance,
        ObjectKind::Function(_)
        | ObjectKind::Global(_)
        | ObjectKind::Heap { .. }
        | ObjectKind::Thread(_)
        | ObjectKind::Base(_)
        | ObjectKind::Nowhere => instances.main(),
    };
    let mut bytes = global.bytes.clone();
    for &(at, place, offset) in &global.relocations {
        let address = instances.address(owner, place, offset).to_le_bytes();
        let at = at as usize;
        let size = instances.data_model.address_bytes() as usize;
        if let Some(target) = bytes.get_mut(at..at + size) {
            target.copy_from_slice(&address[..size]);
        }
    }
    bytes
}
