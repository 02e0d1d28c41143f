//! Names of metadata kinds. Passes attach such metadata to instructions for later passes and for the reader.

/// Remembers which accesses the program declares volatile, while `share` uses the flag for its own purpose.
pub(super) const VOLATILE_METADATA: &str = "mazurka.volatile";

/// Marks an `alloca` whose first value was given.
pub(super) const INITIALISED_METADATA: &str = "mazurka.initialised";

/// Marks an `alloca` whose content a jump to a place of its function makes uncertain.
pub(super) const CHANGED_BY_JUMPS_METADATA: &str = "mazurka.changed_by_jumps";

/// Marks an access of the library to a lock, with a [role](super::lock_accesses::LockRole) as number.
pub(super) const LOCK_METADATA: &str = "mazurka.lock";

/// Marks what the library or the watch looks at for itself: loads, and comparisons of what the program stores.
pub(super) const LOOK_METADATA: &str = "mazurka.look";

/// Marks an access by which a thread lets others go on, or looks whether it waits itself, with a [role](super::lock_accesses::WaitRole) as number.
pub(super) const WAIT_METADATA: &str = "mazurka.wait";

/// Marks what the library orders itself: accesses to its own variables, and to the locks that it operates on.
pub(super) const ORDERED_METADATA: &str = "mazurka.ordered";

/// Marks a read of the library that stands for one of all bytes from there on.
pub(super) const WIDE_METADATA: &str = "mazurka.wide";

/// Marks the loads by which a demand of the user is evaluated.
pub(super) const DEMAND_METADATA: &str = "mazurka.demand";

/// Marks a division with the requirement before it.
pub(crate) const CHECKED_METADATA: &str = "mazurka.checked";
