//! The calls that `instrument` inserts, with the meaning that [`abi::markers`] gives them.
#![allow(unsafe_code)] // Functions with the names of the markers.

use std::ffi::{CStr, c_char};
use std::sync::atomic::{AtomicU8, Ordering};

use abi::ids::SiteId;
use abi::text::printable;

use crate::scheduler::SCHEDULER;
use crate::{current, phase, verdict};

/// Whether an `i1` is 1: only its lowest bit is passed.
fn is_set(bit: u8) -> bool {
    bit & 1 != 0
}

fn external(site: u32) {
    if current::depth() > 0 {
        return; // code that is run inside and outside of atomic regions
    }
    current::step();
    phase::begin();
    SCHEDULER.pass(current::thread(), SiteId(site));
}

/// [`abi::markers::YIELD`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_yield(site: u32) {
    external(site);
}

/// [`abi::markers::YIELD_IF_COMMITTED`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_yield_if_committed(site: u32, moves: u8) {
    if phase::has_committed() && !is_set(moves) {
        external(site);
    }
}

/// [`abi::markers::COMMIT_UNLESS`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_commit_unless(moves: u8) {
    if !is_set(moves) {
        phase::commit();
    }
}

/// [`abi::markers::UNREACHED`], without knowledge of the control flow: no, which is always right, for then the thread
/// commits, and lets others run. The further arguments of the caller are not looked at.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_unreached(_site: u32) -> u8 {
    0
}

/// [`abi::markers::APART`], without knowledge of the other threads' addresses: no, as above.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_apart(_site: u32, _address: *const u8, _size: u32, _other: u32) -> u8 {
    0
}

/// [`abi::markers::LOCKED`], without knowledge of where the other threads are: no, as above.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_locked(_site: u32, _mutex: *const u8, _count: u32, _other: u32) -> u8 {
    0
}

/// [`abi::markers::DIFFERS`].
///
/// # Safety
/// `size` is 1, 2, 4 or 8, and the caller is about to access as many bytes at the address. They are read one by one, which
/// is enough while no other thread runs.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_differs(
    _site: u32,
    address: *const AtomicU8,
    size: u32,
    value: u64,
) -> u8 {
    let expected = value.to_le_bytes();
    let mut expected = expected.iter().take(size as usize).enumerate();
    // SAFETY: the caller's promise.
    let differs =
        expected.any(|(at, &byte)| unsafe { (*address.add(at)).load(Ordering::SeqCst) != byte });
    u8::from(differs)
}

/// [`abi::markers::BOTH`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_both(one: u8, other: u8) -> u8 {
    one & other
}

/// [`abi::markers::YIELD_LOCAL`]: the same thread goes on.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_yield_local(_site: u32) {}

/// [`abi::markers::RECURSION_LIMIT`].
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_recursion_limit() -> ! {
    verdict::limit(
        "the recursion is deeper than the instrumentation unrolled it; --recursion raises that",
    )
}

/// [`abi::markers::UNDEFINED_UNLESS`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_undefined_unless(condition: u8, text: *const c_char) {
    if is_set(condition) {
        return;
    }
    // SAFETY: `normalize` and the models of the library pass a constant string.
    let text = unsafe { CStr::from_ptr(text) }.to_bytes();
    verdict::limit(&match text {
        [] => "undefined behaviour".to_owned(),
        text => format!("undefined behaviour: {}", printable(text)),
    })
}

/// [`abi::markers::INVALID_ACCESS_UNLESS`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_invalid_access_unless(condition: u8, text: *const c_char) {
    // SAFETY: as said above.
    unsafe { require(condition, text, "__mazurka_invalid_access_unless") };
}

/// A condition without which a property may be violated.
///
/// # Safety
/// The text ends in a zero byte.
unsafe fn require(condition: u8, text: *const c_char, marker: &str) {
    if !is_set(condition) {
        // SAFETY: `normalize` and the models of the library pass a constant string.
        let text = unsafe { CStr::from_ptr(text) };
        verdict::misused(marker, &printable(text.to_bytes()).to_string());
    }
}

/// [`abi::markers::OVERFLOW_UNLESS`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_overflow_unless(condition: u8, text: *const c_char) {
    // SAFETY: as said above.
    unsafe { require(condition, text, "__mazurka_overflow_unless") };
}

/// [`abi::markers::LOCK_MISUSE_UNLESS`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_lock_misuse_unless(condition: u8, text: *const c_char) {
    // SAFETY: as said above.
    unsafe { require(condition, text, "__mazurka_lock_misuse_unless") };
}

/// [`abi::markers::DEADLOCK_UNLESS`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_deadlock_unless(condition: u8, text: *const c_char) {
    // SAFETY: as said above.
    unsafe { require(condition, text, "__mazurka_deadlock_unless") };
}

/// [`abi::markers::UNSUPPORTED`].
///
/// # Safety
/// The text ends in a zero byte.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_unsupported(text: *const c_char) -> ! {
    // SAFETY: `normalize` passes a constant string.
    let text = unsafe { CStr::from_ptr(text) };
    verdict::limit(&format!("unsupported: {}", printable(text.to_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_lowest_bit_of_a_condition_counts() {
        __mazurka_commit_unless(0xff);
        assert!(!phase::has_committed());
        __mazurka_commit_unless(0xfe);
        assert!(phase::has_committed());
    }
}
