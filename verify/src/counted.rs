//! Variables that count threads, of a program in which some threads stand for any number of others.

use std::collections::BTreeSet;
use std::time::Duration;

use certify::Family;
use encode::Encoding;
use modular::{Count, Counting, Kind};
use solver::Backend;
use system::budget::Budget;
use system::term::{Term, Terms};
use system::transition_system::TransitionSystem;

/// For so long they are looked for.
const TIME: Duration = Duration::from_secs(20);

/// The variables of an encoding that count threads; none if no thread stands for others. Terms are added to an arena that grew out of the
/// encoding's.
pub(crate) fn counting(encoding: &Encoding, terms: &mut Terms) -> Counting {
    let kinds = encoding.families.as_deref().filter(|all| !all.is_empty());
    let Some(kinds) = kinds.and_then(|families| kinds_of(encoding, families)) else {
        return Counting::default();
    };
    let mut system = TransitionSystem {
        terms: std::mem::take(terms),
        ..encoding.system.clone()
    };
    let budget = Budget::unlimited().with_time(TIME);
    let found = modular::counting(&mut system, &kinds, (Backend::default(), &budget));
    *terms = system.terms;
    for count in &found.counts {
        let name = |variable: Term| terms.symbol_name(variable).unwrap_or_default();
        let places = count.places.iter();
        let places: Vec<_> = places
            .map(|(place, numbers)| (name(*place), numbers))
            .collect();
        let down = count.counts_down;
        tracing::info!(
            variable = name(count.variable),
            down,
            ?places,
            "counts threads"
        );
    }
    found
}

/// The threads, by those that are at the same places; none if a thread that stands for others has no place.
fn kinds_of(encoding: &Encoding, families: &[Family]) -> Option<Vec<Kind>> {
    let variables = |positions: &[usize]| -> Vec<Term> {
        let state = &encoding.system.state;
        positions
            .iter()
            .map(|&position| state[position].current)
            .collect()
    };
    let mut kinds: Vec<Kind> = Vec::new();
    for family in families {
        let places = family.iter().map(|member| {
            let mut variables = member.iter();
            variables.find_map(|&position| {
                let variable = encoding.system.state[position].current;
                let mut places = encoding.places.iter();
                places.find(|place| place.number == variable)
            })
        });
        // All have the same numbers.
        let places: Vec<_> = places.collect::<Option<_>>()?;
        let first = *places.first()?;
        kinds.push(Kind {
            places: places.iter().map(|place| place.number).collect(),
            numbers: first.numbers,
            returned: first.returned,
            variables: Some(family.iter().map(|member| variables(member)).collect()),
        });
    }
    let of_families = kinds.iter().flat_map(|kind| &kind.places);
    let of_families: BTreeSet<Term> = of_families.copied().collect();
    let state = encoding.system.state.iter();
    let state: BTreeSet<Term> = state.map(|variable| variable.current).collect();
    let others = encoding
        .places
        .iter()
        .filter(|place| state.contains(&place.number) && !of_families.contains(&place.number));
    kinds.extend(others.map(|place| Kind {
        places: vec![place.number],
        numbers: place.numbers,
        returned: place.returned,
        variables: None,
    }));
    Some(kinds)
}

/// The same, as a certificate names them.
pub(crate) fn certified(encoding: &Encoding, counts: &[Count]) -> Vec<certify::Count> {
    let position = |variable: Term| {
        let mut state = encoding.system.state.iter();
        state.position(|found| found.current == variable)
    };
    let counts = counts.iter().map(|count| {
        let places = count.places.iter();
        let places = places.map(|(place, numbers)| Some((position(*place)?, numbers.clone())));
        let mut places: Vec<_> = places.collect::<Option<_>>()?;
        places.sort();
        let beside = count.beside.iter();
        let beside = beside.map(|(place, numbers)| Some((position(*place)?, numbers.clone())));
        let mut beside: Vec<_> = beside.collect::<Option<_>>()?;
        beside.sort();
        Some(certify::Count {
            variable: position(count.variable)?,
            counts_down: count.counts_down,
            is_flag: count.is_flag,
            from: count.from,
            places,
            beside,
        })
    });
    counts.flatten().collect()
}

/// Whether a variable that a certificate names counts threads which have returned, and stand for others, or by what is no place. As many as
/// one likes may have returned, so that it would be their number modulo its width only.
pub(crate) fn counts_returned(encoding: &Encoding, count: &certify::Count) -> bool {
    !count.is_flag
        && count.places.iter().any(|(position, numbers)| {
            let variable = encoding.system.state[*position].current;
            let mut places = encoding.places.iter();
            let place = places.find(|place| place.number == variable);
            place.is_none_or(|place| {
                let returned = place.returned;
                returned.is_some_and(|number| numbers.contains(&number))
            })
        })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::any_number::REPRESENTATIVES;
    use crate::options::Options;
    use crate::task::prepare_for;

    /// What of a program counts threads that execute these statements, and whether its certificate would be refused once threads
    /// that have returned are counted, too.
    fn counted(statements: &str) -> (Vec<certify::Count>, bool) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("counted.c");
        let text = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\nextern _Bool __VERIFIER_nondet_bool(void);\n_Atomic unsigned count; _Atomic _Bool flag;\n\
             static void *work(void *unused) {{ {statements} return unused; }}\n\
             int main(void) {{ pthread_t thread;\n\
             while (__VERIFIER_nondet_bool()) pthread_create(&thread, 0, work, 0);\npthread_exit(0); }}\n"
        );
        std::fs::write(&path, text).expect("a file in the temporary folder");
        let path = abi::text::path(&path);
        let words = ["verify", &path, "--threads=any", "--property=unreach-call"];
        let options = Options::try_parse_from(words).expect("valid options");
        let task = prepare_for(&options.program, REPRESENTATIVES).expect("a program");
        let encoded = task.encoded();
        let counting = &encoded.counted().expect("there is a family").counting;
        let counts = certified(&encoded.encoding, &counting.counts);
        let place = encoded.encoding.places.last().expect("there are threads");
        let returned = counts.first().cloned().map(|mut count| {
            for (_, numbers) in &mut count.places {
                numbers.extend(place.returned);
            }
            count
        });
        let is_refused = returned.is_some_and(|count| counts_returned(&encoded.encoding, &count));
        (counts, is_refused)
    }

    #[test]
    fn threads_that_have_returned_are_not_counted() {
        let (counts, is_refused) = counted("count++; assert(count); count--;");
        assert_eq!(counts.len(), 1, "{counts:?}");
        assert!(is_refused);
        let (counts, _) = counted("count++; assert(count);");
        assert_eq!(counts, []);
        let (counts, is_refused) = counted("count++; for (;;) assert(count);");
        assert_eq!(counts.len(), 1, "{counts:?}");
        assert!(!is_refused);
        // A flag is that of one thread, whether it has returned or not.
        let (counts, is_refused) = counted("while (atomic_exchange(&flag, 1)) ; assert(flag);");
        assert!(counts.iter().any(|count| count.is_flag), "{counts:?}");
        assert!(!is_refused);
    }
}
