//! The program's heap objects. In a replay, they lie where the counterexample has them: an object takes the memory of an earlier one if both
//! have the same place there, and else memory that was never used.
#![allow(unsafe_code)] // Allocates memory for the program and fills it.

use std::collections::BTreeMap;
use std::ffi::c_void;
use std::ptr::{null_mut, with_exposed_provenance_mut};
use std::sync::{Mutex, MutexGuard, PoisonError};

use abi::ids::SiteId;
use abi::turns::Allocation;

use crate::scheduler::SCHEDULER;
use crate::{sanitizer, verdict};

/// All memory that was allocated for the program in a replay. It is never given back, so that nothing else takes it.
static HEAP: Mutex<Heap> = Mutex::new(Heap {
    blocks: BTreeMap::new(),
    places: BTreeMap::new(),
});

struct Heap {
    /// By their addresses.
    blocks: BTreeMap<usize, Block>,
    /// The address of the block at each place of the counterexample.
    places: BTreeMap<u32, usize>,
}

/// Memory with an object, which may have ended.
struct Block {
    room: usize,
    size: usize,
    is_alive: bool,
}

/// What is at an address that the program takes for that of a heap object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Found {
    /// An object of this size.
    Object(usize),
    /// One that was freed.
    Freed,
    /// None that was allocated here.
    Other,
}

impl Heap {
    /// Makes an object; null if there is no memory.
    fn allocate(&mut self, size: usize, told: Option<&Allocation>) -> *mut c_void {
        let reused = told.and_then(|told| self.reusable(told.place, size));
        let (address, room) = reused.unwrap_or_else(|| {
            let told = told.and_then(|told| usize::try_from(told.room).ok());
            let room = told.map_or(size, |told| told.max(size));
            // SAFETY: the function demands nothing.
            (unsafe { libc::malloc(room) }.expose_provenance(), room)
        });
        if address == 0 {
            return null_mut();
        }
        if let Some(told) = told {
            self.places.insert(told.place, address);
        }
        let block = Block {
            room,
            size,
            is_alive: true,
        };
        self.blocks.insert(address, block);
        let object = with_exposed_provenance_mut(address);
        sanitizer::allow(object, size, room);
        object
    }

    /// The address and room of the block at a place, if an object of this size may take it.
    fn reusable(&self, place: u32, size: usize) -> Option<(usize, usize)> {
        let &address = self.places.get(&place)?;
        let block = self.blocks.get(&address)?;
        let is_free = !block.is_alive && size <= block.room;
        is_free.then_some((address, block.room))
    }

    /// What is at an address.
    fn find(&self, address: *mut c_void) -> Found {
        match self.blocks.get(&address.addr()) {
            Some(block) if block.is_alive => Found::Object(block.size),
            Some(_) => Found::Freed,
            None => Found::Other,
        }
    }

    /// Ends the object at an address, if one is there.
    fn free(&mut self, address: *mut c_void) -> Found {
        let found = self.find(address);
        if let Some(block) = self.blocks.get_mut(&address.addr()) {
            block.is_alive = false;
            sanitizer::allow(address, 0, block.room);
        }
        found
    }
}

fn heap() -> MutexGuard<'static, Heap> {
    HEAP.lock().unwrap_or_else(PoisonError::into_inner)
}

/// [`abi::markers::ALLOCATE`]. What the counterexample does not tell of the content is left as it is.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_allocate(site: u32, size: usize) -> *mut c_void {
    let told = SCHEDULER.allocation(SiteId(site));
    let object = heap().allocate(size, told.as_ref());
    if let Some(told) = told.filter(|_| !object.is_null()) {
        let content = told.content.into_iter();
        let content = content.map(|(offset, byte)| (offset as usize, byte));
        for (offset, byte) in content.filter(|&(offset, _)| offset < size) {
            // SAFETY: the byte is in the object, which nobody else has yet.
            unsafe { object.cast::<u8>().add(offset).write(byte) };
        }
    }
    object
}

/// [`abi::markers::ALLOCATE_ZEROED`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_allocate_zeroed(site: u32, count: usize, size: usize) -> *mut c_void {
    let Some(bytes) = count.checked_mul(size) else {
        return null_mut();
    };
    let object = __mazurka_allocate(site, bytes);
    if !object.is_null() {
        // SAFETY: the object has so many bytes, and nobody else has it yet.
        unsafe { object.write_bytes(0, bytes) };
    }
    object
}

/// [`abi::markers::DEALLOCATE`].
///
/// # Safety
/// As for `free`. What was allocated here may be freed again: that is a violation.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_deallocate(object: *mut c_void) {
    if object.is_null() {
        return;
    }
    let found = heap().free(object);
    match found {
        Found::Object(_) => {}
        Found::Freed => verdict::misused("__mazurka_deallocate", "double free"),
        Found::Other if sanitizer::disowns(object) => {
            verdict::misused("__mazurka_deallocate", "invalid free")
        }
        // SAFETY: as demanded.
        Found::Other => unsafe { libc::free(object) },
    }
}

/// The size of a heap object in bytes. If it was not allocated here, it may be a few bytes more. The program may not access these.
///
/// # Safety
/// As for `malloc_usable_size`.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_size(object: *mut c_void) -> usize {
    let found = heap().find(object);
    match found {
        Found::Object(size) => size,
        Found::Freed => verdict::misused("__mazurka_size", "realloc of what was freed"),
        Found::Other if sanitizer::disowns(object) => {
            verdict::misused("__mazurka_size", "realloc of what is no heap object")
        }
        // SAFETY: as demanded.
        Found::Other => unsafe { libc::malloc_usable_size(object) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(place: u32) -> Allocation {
        Allocation {
            site: SiteId(0),
            place,
            room: 100,
            content: BTreeMap::new(),
        }
    }

    #[test]
    fn memory_is_used_again_exactly_where_the_counterexample_has_it() {
        let mut heap = Heap {
            blocks: BTreeMap::new(),
            places: BTreeMap::new(),
        };
        let first = heap.allocate(8, Some(&at(0)));
        assert_eq!(heap.find(first), Found::Object(8));
        // The place is taken, or the counterexample names another or none.
        let second = heap.allocate(8, Some(&at(0)));
        assert_ne!(second, first);
        assert_eq!(heap.free(first), Found::Object(8));
        assert_eq!(heap.free(second), Found::Object(8));
        assert_eq!(heap.free(second), Found::Freed);
        for told in [None, Some(&at(1))] {
            let other = heap.allocate(8, told);
            assert!(other != first && other != second);
        }
        assert_eq!(heap.allocate(100, Some(&at(0))), second);
        assert_eq!(heap.find(second), Found::Object(100));
        heap.free(second);
        assert_ne!(heap.allocate(101, Some(&at(0))), second);
        assert_eq!(heap.free(second.wrapping_byte_add(1)), Found::Other);
    }
}
