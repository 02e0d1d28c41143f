//! How a mutex lies in memory: as glibc has it on x86, so that static initialisers mean what they say. Fields have
//! [`FIELD`] bytes, little endian; what operations do with them stands in `docs/semantics.md`.

/// Byte offset: how often a recursive mutex is held beyond the first time.
pub const COUNT: u32 = 4;

/// Byte offset: 0 if no thread holds the mutex, else the holder's [number](crate::ids::InstanceId::number).
pub const OWNER: u32 = 8;

/// Bytes of a field.
pub const FIELD: u32 = 4;

/// What depends on the width of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Byte offset: the kind, in its lowest [`KIND_BITS`] bits.
    pub kind: u32,
    /// Bytes that must be valid.
    pub size: u32,
}

/// Where addresses have 32 bits.
pub const ILP32: Layout = Layout { kind: 12, size: 16 };

/// Where addresses have 64 bits.
pub const LP64: Layout = Layout { kind: 16, size: 20 };

/// How many bits of the field of the kind count. The others say how the mutex may be used, which changes nothing.
pub const KIND_BITS: u32 = 7;

/// The kind of a static initialiser.
pub const NORMAL: u32 = 0;

/// The kind `PTHREAD_MUTEX_RECURSIVE`.
pub const RECURSIVE: u32 = 1;

/// The kind `PTHREAD_MUTEX_ERRORCHECK`.
pub const ERROR_CHECK: u32 = 2;

/// The kind `PTHREAD_MUTEX_ADAPTIVE_NP`, which means the same as [`NORMAL`].
pub const ADAPTIVE: u32 = 3;

/// `EPERM`: the thread unlocks what it does not hold.
pub const NOT_OWNER: u8 = 1;

/// `EBUSY`: the thread tries to lock what is held.
pub const BUSY: u8 = 16;

/// `EDEADLK`: the thread locks an errorcheck mutex that it holds.
pub const DEADLOCK: u8 = 35;

/// What happens when a thread locks twice, or unlocks what it does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It waits for ever; undefined.
    Normal,
    /// The mutex counts; an error.
    Recursive,
    /// Both are errors.
    ErrorCheck,
}

impl Kind {
    /// What the field of the kind means.
    ///
    /// # Errors
    /// The number in it if it stands for no kind, which is undefined.
    pub fn of(field: u32) -> Result<Self, u32> {
        match field & ((1 << KIND_BITS) - 1) {
            NORMAL | ADAPTIVE => Ok(Self::Normal),
            RECURSIVE => Ok(Self::Recursive),
            ERROR_CHECK => Ok(Self::ErrorCheck),
            number => Err(number),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_low_bits_of_a_kind_count() {
        assert_eq!(Kind::of(1), Ok(Kind::Recursive));
        assert_eq!(Kind::of(0x80 | 2), Ok(Kind::ErrorCheck));
        assert_eq!(Kind::of(3), Ok(Kind::Normal));
        assert_eq!(Kind::of(4), Err(4));
        assert_eq!(Kind::of(u32::MAX), Err(0x7f));
    }
}
