//! Running many checks on all processors.

use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Handles all items, on as many threads as there are processors.
pub fn in_parallel<T>(items: impl Iterator<Item = T> + Send, handle: impl Fn(T) + Sync) {
    let items = Mutex::new(items);
    let next = || items.lock().expect("no thread panicked").next();
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Some(item) = next() {
                    handle(item);
                }
            });
        }
    });
}

/// The seeds from the first one on, until as many seconds are over as the environment variable `FUZZ_SECONDS` says; 60 if
/// it says nothing.
pub fn seeds_to_fuzz(first: u64) -> impl Iterator<Item = u64> + Send {
    let seconds = std::env::var("FUZZ_SECONDS")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(60);
    let end = Instant::now() + Duration::from_secs(seconds);
    (first..).take_while(move |_| Instant::now() < end)
}
