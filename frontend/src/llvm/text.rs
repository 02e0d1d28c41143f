//! Conversion of strings to LLVM and from LLVM.

use std::ffi::CString;

use abi::text::lines;
use inkwell::support::LLVMString;

/// A zero-terminated copy; a name with a zero byte inside is cut there.
pub(super) fn c_string(text: impl AsRef<[u8]>) -> CString {
    let text = text.as_ref().split(|byte| *byte == 0).next();
    let text = text.unwrap_or_default();
    CString::new(text).unwrap_or_default()
}

/// A message of LLVM, made printable.
pub(super) fn text(message: &LLVMString) -> String {
    lines(message.to_bytes())
}
