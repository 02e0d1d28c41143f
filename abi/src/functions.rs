//! What library functions mean: looking names up in the one table of them.
//!
//! No other place compares function names as strings. A function that is neither defined in the program nor in the table
//! is unsupported, never silently a no-op.

pub use crate::effect::Effect;
use crate::function_table::TABLE;

/// What a call of `name` means; `None` for a function the table does not know.
///
/// ```
/// use abi::functions::{Effect, effect};
/// assert_eq!(effect("pthread_mutex_lock"), Some(Effect::MutexLock));
/// assert_eq!(effect("__VERIFIER_nondet_uint"), Some(Effect::Nondeterministic));
/// assert_eq!(effect("launch_missiles"), None);
/// ```
pub fn effect(name: &str) -> Option<Effect> {
    if let Ok(index) = TABLE.binary_search_by(|(known, _)| known.cmp(&name)) {
        return Some(TABLE[index].1);
    }
    if name.starts_with(FIRST_VALUE_PREFIX) {
        return Some(Effect::FirstValue);
    }
    NONDETERMINISTIC_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix))
        .then_some(Effect::Nondeterministic)
}

/// Whether the whole body of a defined function of this name is one atomic region (the SV-COMP convention).
pub fn body_is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_") && effect(name).is_none()
}

/// Whether calls of this function violate the property even if the program defines it (the SV-COMP convention).
pub fn is_violation_by_name(name: &str) -> bool {
    matches!(name, "__VERIFIER_error" | "reach_error")
}

/// All names of the table.
pub fn names() -> impl Iterator<Item = &'static str> {
    TABLE.iter().map(|(name, _)| *name)
}

/// All names with a meaning.
pub fn with_effect(meaning: Effect) -> impl Iterator<Item = &'static str> {
    let known = TABLE.iter().filter(move |(_, effect)| *effect == meaning);
    known.map(|(name, _)| *name)
}

/// Functions that `normalize` inserts to give a variable without initialiser its first value.
pub const FIRST_VALUE_PREFIX: &str = "__mazurka_nondet.";

/// Undefined functions with these prefixes return an arbitrary value of their declared return type.
const NONDETERMINISTIC_PREFIXES: [&str; 2] = ["__VERIFIER_nondet_", "__nondet_"];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_without_repetition() {
        for pair in TABLE.windows(2) {
            assert!(
                pair[0].0 < pair[1].0,
                "{} and {} are out of order",
                pair[0].0,
                pair[1].0
            );
        }
    }

    #[test]
    fn names_are_found_by_their_printable_form() {
        for (name, _) in TABLE {
            assert_eq!(crate::text::printable(name), *name);
        }
    }

    #[test]
    fn prefixes_do_not_hide_table_entries() {
        assert_eq!(effect("__nondet_int"), Some(Effect::Nondeterministic));
        assert_eq!(effect("__VERIFIER_atomic_begin"), Some(Effect::AtomicBegin));
        assert!(body_is_atomic("__VERIFIER_atomic_push"));
        assert!(!body_is_atomic("__VERIFIER_atomic_end"));
        assert_eq!(effect(""), None);
    }
}
