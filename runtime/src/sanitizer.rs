//! AddressSanitizer, if the process has it: what it finds is a violation.
#![allow(unsafe_code)] // Calls of the sanitizer.

use std::ffi::{c_char, c_int, c_void};
use std::sync::LazyLock;

use crate::real::find;
use crate::verdict;

type IsPoisoned = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
type Mark = unsafe extern "C" fn(*const c_void, usize);
type Owns = unsafe extern "C" fn(*const c_void) -> c_int;
type Report = unsafe extern "C" fn(*const c_char);
type SetReport = unsafe extern "C" fn(Report);

/// The functions of its interface.
struct Interface {
    is_poisoned: IsPoisoned,
    poison: Mark,
    unpoison: Mark,
    owns: Owns,
}

static INTERFACE: LazyLock<Option<Interface>> = LazyLock::new(|| {
    let function = |name| find(libc::RTLD_DEFAULT, name);
    // SAFETY: the types are those that the sanitizer's interface gives to functions of these names.
    unsafe {
        Some(Interface {
            is_poisoned: std::mem::transmute::<*mut c_void, IsPoisoned>(function(
                c"__asan_region_is_poisoned",
            )?),
            poison: std::mem::transmute::<*mut c_void, Mark>(function(
                c"__asan_poison_memory_region",
            )?),
            unpoison: std::mem::transmute::<*mut c_void, Mark>(function(
                c"__asan_unpoison_memory_region",
            )?),
            owns: std::mem::transmute::<*mut c_void, Owns>(function(c"__sanitizer_get_ownership")?),
        })
    }
});

/// Runs before `main`, which need not call anything of this library.
#[cfg(not(test))]
#[used]
#[unsafe(link_section = ".init_array")]
static LISTENER: extern "C" fn() = listen;

/// Asks to be told what the sanitizer finds.
extern "C" fn listen() {
    if let Some(found) = find(libc::RTLD_DEFAULT, c"__asan_set_error_report_callback") {
        // SAFETY: as above.
        unsafe {
            let set = std::mem::transmute::<*mut c_void, SetReport>(found);
            set(__mazurka_sanitizer_reports);
        }
    }
}

/// Looks at memory that `function` of this library is about to use for the program: the sanitizer does not watch this library.
pub fn check(memory: *mut u8, size: u32, function: &str) {
    let poisoned = INTERFACE.as_ref().is_some_and(|interface| {
        // SAFETY: the sanitizer looks at its own notes of the memory only.
        let first = unsafe { (interface.is_poisoned)(memory.cast(), size as usize) };
        !first.is_null()
    });
    if poisoned {
        verdict::violated(function, None);
    }
}

/// Lets the program access the first `size` bytes of a block of memory that has `room`, and no others.
pub fn allow(memory: *mut c_void, size: usize, room: usize) {
    if let Some(interface) = INTERFACE.as_ref() {
        // SAFETY: the sanitizer takes notes of memory that belongs to this library.
        unsafe {
            (interface.poison)(memory, room);
            (interface.unpoison)(memory, size);
        }
    }
}

/// Whether the sanitizer knows that a block of memory is no heap object.
pub fn disowns(memory: *mut c_void) -> bool {
    INTERFACE.as_ref().is_some_and(|interface| {
        // SAFETY: the sanitizer looks at its own notes only.
        unsafe { (interface.owns)(memory) == 0 }
    })
}

/// The sanitizer calls this with what it found, before it aborts.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_sanitizer_reports(_: *const c_char) {
    verdict::found("__mazurka_sanitizer_reports");
}
