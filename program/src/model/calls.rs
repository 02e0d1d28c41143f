//! Which calls an instruction was inlined for, by debug information. The meaning of a program does not depend on them.

use cranelift_entity::entity_impl;

/// A call of a function of the program, within [`Program::call_sites`](super::Program::call_sites).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallSiteId(u32);
entity_impl!(CallSiteId, "call");

/// A call of a function. Where the calling function was inlined, it is another one for each call of that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CallSite {
    /// The function that calls.
    pub function: String,
    /// Source file of the call; empty if unknown, as in a library function.
    pub file: String,
    /// Its line; 0 if unknown.
    pub line: u32,
    /// The call of the function that calls, unless that is run as a thread.
    pub caller: Option<CallSiteId>,
}

/// A call of a library function that is modelled in C.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LibraryCall {
    /// The function, as the program calls it.
    pub function: String,
    /// Tells calls apart. Where the calling function was inlined, it is another call for each call of that.
    pub number: u32,
}
