//! AddressSanitizer, if the process has it: what it finds is a violation.
#![allow(unsafe_code)] // Calls of the sanitizer.

use std::ffi::{c_char, c_void};
use std::sync::LazyLock;

use crate::real::find;
use crate::verdict;

type IsPoisoned = unsafe extern "C" fn(*mut c_void, usize) -> *mut c_void;
type Report = unsafe extern "C" fn(*const c_char);
type SetReport = unsafe extern "C" fn(Report);

static IS_POISONED: LazyLock<Option<IsPoisoned>> = LazyLock::new(|| {
    // SAFETY: the type is the one that the sanitizer's interface gives to a function of this name.
    unsafe {
        find(libc::RTLD_DEFAULT, c"__asan_region_is_poisoned")
            .map(|found| std::mem::transmute::<*mut c_void, IsPoisoned>(found))
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
    let poisoned = IS_POISONED.is_some_and(|is_poisoned| {
        // SAFETY: the sanitizer looks at its own notes of the memory only.
        let first = unsafe { is_poisoned(memory.cast(), size as usize) };
        !first.is_null()
    });
    if poisoned {
        verdict::violated(function, None);
    }
}

/// The sanitizer calls this with what it found, before it aborts.
#[cfg_attr(not(test), unsafe(no_mangle))]
unsafe extern "C" fn __mazurka_sanitizer_reports(_: *const c_char) {
    verdict::found("__mazurka_sanitizer_reports");
}
