//! Variables, functions and allocation statements of a program.

use abi::ids::SiteId;

use super::{HeapSiteId, Place, TemplateId, TypeId};

/// A global or thread-local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its C name.
    pub name: String,
    /// First content; its length is the size in bytes.
    pub bytes: Vec<u8>,
    /// Addresses within the first content: byte offset of the eight bytes, place, offset from the place.
    pub relocations: Vec<(u32, Place, u32)>,
    /// Whether it may be written; writing a constant is undefined.
    pub writable: bool,
    /// Whether each thread has its own copy.
    pub thread_local: bool,
    /// Its address is a multiple of this power of two.
    pub alignment: u32,
    /// Whether it is a constant that need not have a place of its own, as a string literal.
    pub mergeable: bool,
    /// Whether it is part of the program, but its first content is not read: every access to it is refused.
    pub unread: bool,
    /// Its type, when debug information tells.
    pub c_type: Option<TypeId>,
}

impl Global {
    /// Something outside the program: it has an address, and every access to it is undefined.
    pub fn outside(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            bytes: Vec::new(),
            relocations: Vec::new(),
            writable: false,
            thread_local: false,
            alignment: 1,
            mergeable: false,
            unread: false,
            c_type: None,
        }
    }

    /// Whether this is something outside the program.
    pub fn is_outside(&self) -> bool {
        self.bytes.is_empty() && !self.writable
    }

    /// Whether some byte of this variable may be in the place of one of another variable. String literals may share their ends.
    /// C gives a declared constant a place of its own, but LLVM puts string literals of equal content there.
    pub fn may_share_place(&self, other: &Self) -> bool {
        let equal = || {
            let constant = !self.writable && !other.writable;
            constant && self.bytes == other.bytes && self.relocations == other.relocations
        };
        match (self.mergeable, other.mergeable) {
            (true, true) => true,
            (true, false) | (false, true) => equal(),
            (false, false) => false,
        }
    }
}

/// A function whose address is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its C name.
    pub name: String,
    /// Its automaton, if it may be a start routine.
    pub template: Option<TemplateId>,
}

/// An allocation statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapSite {
    /// The template that executes it.
    pub template: TemplateId,
    /// Size in bytes of the objects to reserve: the constant size, or the bound for a computed one.
    pub size: u32,
    /// Where it stands.
    pub site: SiteId,
    /// Whether it takes memory of the stack, which cannot be freed and ends with its function.
    pub automatic: bool,
    /// The statement that stands for all those that may take each other's memory once it was freed; none if that of this one is never
    /// freed. Until [`crate::layout`] divides the heap, all share memory.
    pub pool: Option<HeapSiteId>,
}

impl HeapSite {
    /// The pool of all statements, as long as the heap is not divided.
    pub const UNDIVIDED: Option<HeapSiteId> = Some(HeapSiteId::FIRST);

    /// How many bytes are reserved for an object of a computed size, if nothing else is asked for.
    pub const RESERVED: u32 = 64;
}
