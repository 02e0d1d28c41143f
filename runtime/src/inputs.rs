//! Nondeterministic values.
#![allow(unsafe_code)] // Functions with the names that programs call.

use abi::ids::SiteId;

use crate::scheduler::SCHEDULER;

/// A value for the call at a site, which `verify --replay` puts in the place of the functions below.
#[cfg_attr(not(test), unsafe(no_mangle))]
extern "C" fn __mazurka_input(site: u32) -> u64 {
    SCHEDULER.input(Some(SiteId(site)))
}

/// Functions that return an arbitrary value: what they are called, what they return.
macro_rules! arbitrary {
    ($($module:ident: $type:ty = $($name:literal)*;)*) => {$(
        mod $module {
            $(const _: () = {
                #[cfg_attr(not(test), unsafe(export_name = $name))]
                #[allow(dead_code)]
                extern "C" fn arbitrary() -> $type {
                    super::SCHEDULER.input(None) as $type
                }
            };)*
        }
    )*};
}

mod truth {
    use crate::scheduler::SCHEDULER;

    /// One bit, extended by zeros, which is what `_Bool` and `i1` are.
    #[cfg_attr(not(test), unsafe(export_name = "__VERIFIER_nondet_bool"))]
    extern "C" fn verifier() -> u8 {
        bit()
    }

    #[cfg_attr(not(test), unsafe(export_name = "__VERIFIER_nondet__Bool"))]
    extern "C" fn c_name() -> u8 {
        bit()
    }

    #[cfg_attr(not(test), unsafe(export_name = "__nondet_bool"))]
    extern "C" fn short() -> u8 {
        bit()
    }

    #[cfg_attr(not(test), unsafe(export_name = "__mazurka_nondet.i1"))]
    extern "C" fn first_value() -> u8 {
        bit()
    }

    #[cfg_attr(not(test), unsafe(export_name = "__mazurka_choose"))]
    extern "C" fn choice() -> u8 {
        bit()
    }

    fn bit() -> u8 {
        (SCHEDULER.input(None) >> 4 & 1) as u8
    }
}

arbitrary! {
    signed8: i8 = "__VERIFIER_nondet_char" "__VERIFIER_nondet_schar" "__VERIFIER_nondet_int8_t" "__VERIFIER_nondet_s8"
        "__nondet_char" "__mazurka_nondet.i8";
    unsigned8: u8 = "__VERIFIER_nondet_uchar" "__VERIFIER_nondet_unsigned_char" "__VERIFIER_nondet_uint8_t"
        "__VERIFIER_nondet_u8" "__nondet_uchar" "__mazurka_unknown_char";
    signed16: i16 = "__VERIFIER_nondet_short" "__VERIFIER_nondet_int16_t" "__VERIFIER_nondet_s16" "__nondet_short"
        "__mazurka_nondet.i16";
    unsigned16: u16 = "__VERIFIER_nondet_ushort" "__VERIFIER_nondet_unsigned_short" "__VERIFIER_nondet_uint16_t"
        "__VERIFIER_nondet_u16" "__nondet_ushort";
    word32: u32 = "__VERIFIER_nondet_int" "__VERIFIER_nondet_uint" "__VERIFIER_nondet_unsigned"
        "__VERIFIER_nondet_unsigned_int" "__VERIFIER_nondet_int32_t" "__VERIFIER_nondet_uint32_t"
        "__VERIFIER_nondet_s32" "__VERIFIER_nondet_u32" "__nondet_int" "__nondet_uint" "__nondet_unsigned"
        "__mazurka_nondet.i32" "__mazurka_unknown_int";
    word64: u64 = "__VERIFIER_nondet_long" "__VERIFIER_nondet_ulong" "__VERIFIER_nondet_unsigned_long"
        "__VERIFIER_nondet_longlong" "__VERIFIER_nondet_ulonglong" "__VERIFIER_nondet_int64_t"
        "__VERIFIER_nondet_uint64_t" "__VERIFIER_nondet_s64" "__VERIFIER_nondet_u64" "__VERIFIER_nondet_size_t"
        "__VERIFIER_nondet_ssize_t" "__VERIFIER_nondet_loff_t" "__VERIFIER_nondet_pointer"
        "__VERIFIER_nondet_charp" "__VERIFIER_nondet_pchar" "__nondet_long" "__nondet_ulong"
        "__nondet_pointer" "__mazurka_nondet.i64" "__mazurka_nondet.ptr" "__mazurka_unknown_long";
}
