//! How long random searches go on.

use std::time::{Duration, Instant};

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
