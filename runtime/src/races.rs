//! Data races: two threads that are about to make conflicting accesses.
#![allow(unsafe_code)] // A function with the name of a marker.

use std::sync::{Mutex, PoisonError};

use abi::ids::SiteId;

use crate::scheduler::SCHEDULER;
use crate::{current, verdict};

/// An access that a thread is about to make.
#[derive(Clone, Copy, Debug)]
struct Access {
    address: usize,
    size: usize,
    writes: bool,
    atomic: bool,
}

impl Access {
    /// Whether two accesses are a race if no order is between them: they have a byte in common, one writes, and one is not atomic.
    fn conflicts(self, other: Self) -> bool {
        let overlaps = match self.address <= other.address {
            true => other.address - self.address < self.size,
            false => self.address - other.address < other.size,
        };
        overlaps && (self.writes || other.writes) && !(self.atomic && other.atomic)
    }
}

/// The access before which a thread stays.
static ANNOUNCED: Mutex<Option<Access>> = Mutex::new(None);

/// [`abi::markers::ACCESS`]. The first thread whose turn ends here stays for good; the second one violates the property if its access
/// conflicts with that of the first.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_access(site: u32, address: usize, size: usize, writes: u8, atomic: u8) {
    if !SCHEDULER.races(SiteId(site)) {
        return;
    }
    let own = Access {
        address,
        size,
        writes: writes & 1 != 0,
        atomic: atomic & 1 != 0,
    };
    match announce(own) {
        None => SCHEDULER.stop(current::thread()),
        Some(other) if own.conflicts(other) => verdict::violated("__mazurka_access", None),
        Some(_) => {}
    }
}

/// Keeps an access, if it is the first; otherwise gives the one that was.
fn announce(access: Access) -> Option<Access> {
    let mut announced = ANNOUNCED.lock().unwrap_or_else(PoisonError::into_inner);
    let earlier = *announced;
    announced.get_or_insert(access);
    earlier
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accesses_conflict_if_one_writes_and_one_is_plain_and_they_overlap() {
        let access = |address, size, writes, atomic| Access {
            address,
            size,
            writes,
            atomic,
        };
        let plain_write = access(100, 4, true, false);
        for (other, expected) in [
            (access(103, 1, false, false), true),
            (access(96, 8, false, true), true),
            (access(104, 4, true, false), false),
            (access(96, 4, true, false), false),
        ] {
            assert_eq!(plain_write.conflicts(other), expected, "{other:?}");
            assert_eq!(other.conflicts(plain_write), expected, "{other:?}");
        }
        let [read, atomic_write] = [access(100, 4, false, false), access(100, 4, true, true)];
        assert!(!read.conflicts(read) && !atomic_write.conflicts(atomic_write));
        assert!(read.conflicts(atomic_write));
    }
}
