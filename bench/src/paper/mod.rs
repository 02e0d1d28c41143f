//! The experiments of *Dynamic Reductions for Model Checking Concurrent Software* (Sec. 6), over programs of our own.
//!
//! * [`experiments`]: the series of the paper's Fig. 10, each decided with [`configurations`];
//! * [`set`]: programs of any folder under all reductions, as in Fig. 11;
//! * [`scatter`]: their plot;
//! * [`table`]: both as Markdown.

pub mod scatter;
pub mod set;
pub mod table;

use instrument::Reduction;

use crate::configuration::{Configuration, Engine};
use crate::series::{Series, THREADS};

/// The experiments, in the paper's order.
pub fn experiments() -> Vec<Series> {
    let threads = [1, 2, 3, 4, 5, 6, 7, 8];
    let by_threads =
        |name, example, fixed: &[_]| Series::new(name, example, THREADS, &threads, fixed);
    let workers = [2, 3, 4];
    vec![
        by_threads("lazy-init", "lazy_init", &[("SHARE", 4)]),
        by_threads("hash-table-1", "hash_table_found", &[("PROBES", 4)]),
        by_threads("hash-table-2", "hash_table_insert", &[("PROBES", 4)]),
        by_threads("hash-table-3", "hash_table_mixed", &[("PROBES", 4)]),
        Series::new(
            "hash-table-3-large",
            "hash_table_mixed",
            THREADS,
            &[8, 10, 12, 14, 16, 18, 20],
            &[("SIZE", 24), ("PROBES", 12)],
        ),
        Series::new(
            "load-balancing",
            "load_balancing",
            THREADS,
            &workers,
            &[("LIMIT", 1024)],
        ),
        Series::new(
            "load-balancing-any",
            "load_balancing_any",
            THREADS,
            &workers,
            &[],
        ),
        by_threads("dynamic-locking", "dynamic_locking", &[]),
    ]
}

/// IC3 and bounded model checking, each under the three reductions that the paper compares.
pub fn configurations() -> Vec<Configuration> {
    let reductions = [Reduction::Static, Reduction::Phase, Reduction::Dynamic];
    [Engine::Ic3, Engine::Bmc]
        .map(|engine| Configuration::reduced(engine, &reductions))
        .concat()
}
