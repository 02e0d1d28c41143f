//! What read programs mean: assertions in C that hold are proved by searching all interleavings, and their negations are
//! refuted, so that no test passes because its assertion is not reached.

mod assembly;
mod floats;
mod library;
mod objects;
mod threads;
mod values;

use crate::common::c::{PRELUDE, limits, outcome};
use crate::common::is_refuted;
use explicit::explore::SearchVerdict;

const BOTH: [&str; 2] = ["-O0", "-O2"];

/// The property holds in every run, and some run reaches the property.
fn holds(declarations: &str, main: &str) {
    for optimisation in BOTH {
        let program = |property: &str| {
            format!(
                "{PRELUDE}#define PROPERTY(c) do {{ if (!({property}(c))) reach_error(); }} while (0)\n{declarations}\nint main(void) {{ {main} return 0; }}\n"
            )
        };
        let proved = outcome(&program(""), &[optimisation]);
        assert!(
            matches!(proved, SearchVerdict::Safe(())),
            "{optimisation}: {proved:?}\n{main}"
        );
        let refuted = outcome(&program("!"), &[optimisation]);
        assert!(is_refuted(&refuted), "{optimisation}: {refuted:?}\n{main}");
    }
}

/// Some run violates the property.
fn fails(declarations: &str, main: &str) {
    let program = format!(
        "{PRELUDE}#define PROPERTY(c) do {{ if (!(c)) reach_error(); }} while (0)\n{declarations}\n\
         int main(void) {{ {main} return 0; }}\n"
    );
    let refuted = outcome(&program, &["-O0"]);
    assert!(is_refuted(&refuted), "{refuted:?}\n{main}");
}

/// A search that ends at this limit.
fn reaches_limit(declarations: &str, main: &str, limit: &str) {
    let text = format!("{PRELUDE}{declarations}\nint main(void) {{ {main} return 0; }}\n");
    let found = outcome(&text, &["-O0"]);
    let reasons = limits(&found, main);
    assert!(
        reasons.iter().any(|reason| reason.contains(limit)),
        "{reasons:?}"
    );
}
