//! The check of phases at run time.

use std::sync::LazyLock;

use abi::native::CHECK_VARIABLE;

use crate::{current, ending};

static CHECKS: LazyLock<bool> = LazyLock::new(|| std::env::var_os(CHECK_VARIABLE).is_some());

/// The calling thread cannot go on. A transaction that has committed must be able to end (Def. 5 of the paper): otherwise
/// nobody would ever see its effect in the reduced system. So the location before what waits has to be external then.
pub fn check_wait() {
    if *CHECKS && current::committed() {
        let thread = current::thread();
        ending::fault(&format!(
            "phase check: {thread} waits in the post phase of its transaction"
        ));
    }
}
