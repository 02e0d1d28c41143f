//! Reports the end of a run: on standard error for people, and if [`REPORT_VARIABLE`] asks for it, also over a channel
//! that the program cannot use.
//!
//! Before any code of the program runs, the runtime duplicates the descriptor of standard output and reads a secret
//! word from standard input. The process that started the run trusts a line over that descriptor only if the word
//! precedes it.
#![allow(unsafe_code)] // Works on descriptors before Rust's and C's libraries are initialised.

use std::ffi::{CStr, c_char, c_int};
use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::mem::ManuallyDrop;
use std::os::fd::FromRawFd;
use std::sync::atomic::{AtomicI32, AtomicU8, Ordering};

use abi::native::{PREFIX, REPORT_VARIABLE, SECRET_BYTES, report_line};

/// The descriptor of the channel; negative if there is none.
static CHANNEL: AtomicI32 = AtomicI32::new(-1);

/// The word that came over standard input.
static SECRET: [AtomicU8; SECRET_BYTES] = [const { AtomicU8::new(0) }; SECRET_BYTES];

/// The least number of the channel's descriptor, out of the way of those that programs count on.
const LEAST: c_int = 64;

type Preparation = extern "C" fn(c_int, *const *const c_char, *const *const c_char);

/// The dynamic linker calls this before the constructors of all libraries.
#[used]
#[unsafe(link_section = ".preinit_array")]
static PREPARATION: Preparation = prepare;

extern "C" fn prepare(_: c_int, _: *const *const c_char, environment: *const *const c_char) {
    // SAFETY: the environment is an array of strings that ends in a null pointer.
    if unsafe { is_asked(environment) } {
        // SAFETY: the calls take descriptors and buffers of their size; nothing else runs yet that uses the descriptors.
        unsafe { open_channel() }
    }
}

/// Whether the environment has the variable.
unsafe fn is_asked(mut environment: *const *const c_char) -> bool {
    // SAFETY: the caller's array is read up to its null pointer.
    unsafe {
        while !environment.is_null() && !(*environment).is_null() {
            let entry = CStr::from_ptr(*environment).to_bytes();
            let value = entry.strip_prefix(REPORT_VARIABLE.as_bytes());
            if value.is_some_and(|value| value.first() == Some(&b'=')) {
                return true;
            }
            environment = environment.add(1);
        }
    }
    false
}

/// Without a whole word there is no channel, and nothing will be believed.
unsafe fn open_channel() {
    let mut secret = [0_u8; SECRET_BYTES];
    let mut length = 0;
    // SAFETY: each call is given the part of the buffer that is left.
    unsafe {
        while length < SECRET_BYTES {
            let rest = secret[length..].as_mut_ptr().cast();
            let count = libc::read(libc::STDIN_FILENO, rest, SECRET_BYTES - length);
            match usize::try_from(count) {
                Ok(0) | Err(_) => return,
                Ok(count) => length += count,
            }
        }
        let channel = libc::fcntl(libc::STDOUT_FILENO, libc::F_DUPFD_CLOEXEC, LEAST);
        let nothing = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        libc::dup2(nothing, libc::STDIN_FILENO);
        libc::dup2(nothing, libc::STDOUT_FILENO);
        libc::close(nothing);
        CHANNEL.store(channel, Ordering::Relaxed);
    }
    for (byte, value) in SECRET.iter().zip(secret) {
        byte.store(value, Ordering::Relaxed);
    }
}

/// Says something of the end of the run.
pub fn say(text: &dyn Display) {
    // Nothing is left to do when standard error or the channel is gone.
    let _ = writeln!(std::io::stderr(), "{PREFIX}{text}");
    let channel = CHANNEL.load(Ordering::Relaxed);
    if channel >= 0 {
        let secret = SECRET.each_ref().map(|byte| byte.load(Ordering::Relaxed));
        // SAFETY: the descriptor was made for this, and it stays open.
        let mut channel = ManuallyDrop::new(unsafe { File::from_raw_fd(channel) });
        let _ = channel.write_all(report_line(&secret, text).as_bytes());
    }
}
