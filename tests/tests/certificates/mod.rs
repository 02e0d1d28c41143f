//! Certificates that were changed: whatever the checker accepts is a proof for an independent reader, too.
//!
//! Certificates of small random systems with right and wrong proofs are [changed](forger) word by word, at all positions in the same
//! way. Where the checker says that one holds, the [reference](reference) reads position 0 as SMT-LIB says, puts the meaning of names in
//! their place, and asks Z3's library about [what a proof has to show](meaning). It has no code in common with the checker.

mod changes;
mod forger;
mod meaning;
mod reference;

use std::sync::Mutex;

use certify::{Certificate, CertifyError, SolverCommand};
use frontend::testing::in_parallel;
use system::testing::Random;

/// Certificates in CI; `make fuzz` looks at more.
const CERTIFICATES: u64 = 400;

/// How many transitions a violation may have that the reference looks for in what holds.
const VIOLATION: usize = 8;

/// What became of the certificates.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    certificates: usize,
    parsed: usize,
    hold: usize,
    refuted: usize,
}

/// Whether the checker and the reference agree about a certificate; `None` if the checker does not read it.
fn check(seed: u64) -> Option<bool> {
    let text = forger::forge(&mut Random::new(seed));
    let certificate = Certificate::parse(&text).ok()?;
    let holds = match certificate.discharge(&SolverCommand::default()) {
        Ok(_) => true,
        Err(CertifyError::Refuted { .. }) => false,
        Err(error) => panic!("seed {seed}: {error}\n{text}"),
    };
    let claim = reference::Claim::read(&text);
    let claim =
        claim.unwrap_or_else(|| panic!("seed {seed}: ill-formed for the reference\n{text}"));
    assert_eq!(holds, meaning::is_proved(&claim), "seed {seed}:\n{text}");
    assert!(
        !holds || !meaning::is_violated(&claim, VIOLATION),
        "seed {seed}: violated\n{text}"
    );
    Some(holds)
}

fn check_all(seeds: impl Iterator<Item = u64> + Send) -> Tally {
    let tally = Mutex::new(Tally::default());
    in_parallel(seeds, |seed| {
        let holds = check(seed);
        let mut tally = tally.lock().expect("no thread panicked");
        tally.certificates += 1;
        tally.parsed += usize::from(holds.is_some());
        tally.hold += usize::from(holds == Some(true));
        tally.refuted += usize::from(holds == Some(false));
    });
    let tally = tally.into_inner().expect("no thread panicked");
    eprintln!("{tally:?}");
    tally
}

#[test]
fn what_holds_is_proved() {
    let tally = check_all(0..CERTIFICATES);
    // Otherwise the certificates say nothing.
    let few = tally.certificates / 20;
    let unread = tally.certificates - tally.parsed;
    assert!(
        unread > few && tally.hold > few && tally.refuted > few,
        "{tally:?}"
    );
}

#[test]
#[ignore = "looks at FUZZ_CERTIFICATES certificates; called by `make fuzz`"]
fn fuzz_certificates() {
    let number = std::env::var("FUZZ_CERTIFICATES").ok();
    let number = number.map_or(10_000, |text| {
        text.parse().expect("FUZZ_CERTIFICATES is a number")
    });
    check_all(CERTIFICATES..CERTIFICATES + number);
}
