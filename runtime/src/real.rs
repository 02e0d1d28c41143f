//! The functions of the C library that this library replaces under the same names, and ThreadSanitizer, if the process
//! has it.
#![allow(unsafe_code)] // Calls of C functions.

use std::ffi::{CStr, c_int, c_void};
use std::sync::LazyLock;

/// The start routine of a thread.
pub type Routine = extern "C-unwind" fn(*mut c_void) -> *mut c_void;

/// `pthread_t` of the C library.
pub type Native = libc::pthread_t;

type Create =
    unsafe extern "C" fn(*mut Native, *const libc::pthread_attr_t, Routine, *mut c_void) -> c_int;
type Join = unsafe extern "C" fn(Native, *mut *mut c_void) -> c_int;
type Detach = unsafe extern "C" fn(Native) -> c_int;
type Own = unsafe extern "C" fn() -> Native;
type Exit = unsafe extern "C-unwind" fn(*mut c_void) -> !;
type Annotation = unsafe extern "C" fn(*mut c_void);

/// The functions that the names stand for without this library.
struct Real {
    create: Create,
    join: Join,
    detach: Detach,
    exit: Exit,
    own: Own,
    release: Option<Annotation>,
    acquire: Option<Annotation>,
}

static REAL: LazyLock<Option<Real>> = LazyLock::new(|| {
    // SAFETY: the types are those that POSIX and the sanitizer's interface give to functions of these names.
    unsafe {
        Some(Real {
            create: std::mem::transmute::<*mut c_void, Create>(behind(
                c"pthread_create",
                c"__interceptor_pthread_create",
            )?),
            join: std::mem::transmute::<*mut c_void, Join>(behind(
                c"pthread_join",
                c"__interceptor_pthread_join",
            )?),
            detach: std::mem::transmute::<*mut c_void, Detach>(behind(
                c"pthread_detach",
                c"__interceptor_pthread_detach",
            )?),
            exit: std::mem::transmute::<*mut c_void, Exit>(behind(
                c"pthread_exit",
                c"__interceptor_pthread_exit",
            )?),
            own: std::mem::transmute::<*mut c_void, Own>(find(libc::RTLD_NEXT, c"pthread_self")?),
            release: find(libc::RTLD_DEFAULT, c"__tsan_release")
                .map(|found| std::mem::transmute::<*mut c_void, Annotation>(found)),
            acquire: find(libc::RTLD_DEFAULT, c"__tsan_acquire")
                .map(|found| std::mem::transmute::<*mut c_void, Annotation>(found)),
        })
    }
});

/// A function of the sanitizer that watches calls of the C library, or else the C library's.
fn behind(name: &CStr, interceptor: &CStr) -> Option<*mut c_void> {
    find(libc::RTLD_DEFAULT, interceptor).or_else(|| find(libc::RTLD_NEXT, name))
}

/// A function that the process has under this name, as `dlsym` finds it.
pub fn find(place: *mut c_void, name: &CStr) -> Option<*mut c_void> {
    // SAFETY: the name ends in a zero byte.
    let found = unsafe { libc::dlsym(place, name.as_ptr()) };
    (!found.is_null()).then_some(found)
}

/// Whether an address is in the file of the process that this library is linked into, too.
pub fn is_of_executable(address: *mut c_void) -> bool {
    let file = |address: *const c_void| {
        // SAFETY: the structure consists of pointers, which may be null, and is filled in.
        unsafe {
            let mut info: libc::Dl_info = std::mem::zeroed();
            (libc::dladdr(address, &mut info) != 0).then_some(info.dli_fbase)
        }
    };
    let own = file(std::ptr::from_ref(&TURN).cast());
    own.is_some() && file(address) == own
}

/// Starts a thread; the error number if that fails.
pub fn create(routine: Routine, argument: *mut c_void) -> Result<Native, c_int> {
    let real = REAL.as_ref().ok_or(libc::ENOSYS)?;
    let mut native = 0;
    // SAFETY: the routine takes the argument, whatever it is; no attributes are given.
    match unsafe { (real.create)(&mut native, std::ptr::null(), routine, argument) } {
        0 => Ok(native),
        error => Err(error),
    }
}

/// Waits until a thread that was started here and not joined before is gone.
pub fn join(native: Native) {
    if let Some(real) = REAL.as_ref() {
        // SAFETY: no other code joins the thread, and none is created detached.
        unsafe { (real.join)(native, std::ptr::null_mut()) };
    }
}

/// Says that no code will join a thread that was started here and not joined before.
pub fn detach(native: Native) {
    if let Some(real) = REAL.as_ref() {
        // SAFETY: as for joining.
        unsafe { (real.detach)(native) };
    }
}

/// Ends the calling thread.
pub fn exit(result: *mut c_void) -> ! {
    match REAL.as_ref() {
        // SAFETY: the frames between here and the thread's start own nothing that would have to be dropped.
        Some(real) => unsafe { (real.exit)(result) },
        None => std::process::abort(),
    }
}

/// The C library's handle of the calling thread.
pub fn own() -> Native {
    // SAFETY: the function demands nothing.
    REAL.as_ref().map_or(0, |real| unsafe { (real.own)() })
}

/// Whether the thread sanitizer watches the process.
pub fn is_watched() -> bool {
    REAL.as_ref().is_some_and(|real| real.acquire.is_some())
}

/// Calls a function when `main` returns or `exit` is called.
pub fn at_exit(function: extern "C" fn()) {
    // SAFETY: the function lives as long as the process. Without memory for the entry it is not called, which only a replay needs.
    unsafe { libc::atexit(function) };
}

/// Stands for the turn, which goes from thread to thread, in the eyes of the sanitizer.
static TURN: u8 = 0;

fn annotate(annotation: Option<Annotation>) {
    if let Some(annotation) = annotation {
        // SAFETY: the sanitizer takes the address as a name and does not access it.
        unsafe { annotation(std::ptr::from_ref(&TURN).cast_mut().cast()) };
    }
}

/// Tells the sanitizer that what the calling thread did comes before what the next one does.
pub fn turn_ends() {
    annotate(REAL.as_ref().and_then(|real| real.release));
}

/// Tells the sanitizer that what others did comes before what the calling thread does.
pub fn turn_begins() {
    annotate(REAL.as_ref().and_then(|real| real.acquire));
}
