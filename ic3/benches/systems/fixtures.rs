//! The fixtures of `system`, by name.

use std::path::Path;

use system::export::{btor2, vmt};
use system::transition_system::TransitionSystem;

/// Reads a fixture; the name has an extension.
pub fn fixture(name: &str) -> TransitionSystem {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../system/fixtures");
    let path = path.join(name);
    let text = std::fs::read_to_string(&path).expect("the fixture is there");
    let system = if name.ends_with(".vmt") {
        vmt::parse(&text)
    } else {
        btor2::parse(&text)
    };
    system.expect("well formed")
}
