//! The program's heap objects in a replay.
#![allow(unsafe_code)] // Allocates memory for the program and fills it.

use std::ffi::c_void;

use abi::ids::SiteId;

use crate::scheduler::SCHEDULER;

/// [`abi::markers::ALLOCATE`]. What the counterexample does not tell of the content is left as the C library has it.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_allocate(site: u32, size: usize) -> *mut c_void {
    // SAFETY: the function demands nothing.
    let object = unsafe { libc::malloc(size) };
    if let Some(allocation) = SCHEDULER.allocation(SiteId(site))
        && !object.is_null()
    {
        let told = allocation.content.into_iter();
        let inside = told.map(|(offset, byte)| (offset as usize, byte));
        for (offset, byte) in inside.filter(|&(offset, _)| offset < size) {
            // SAFETY: the byte is in the object, which nobody else has yet.
            unsafe { object.cast::<u8>().add(offset).write(byte) };
        }
    }
    object
}
