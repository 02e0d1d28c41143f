//! The sets of abstract states as an inductive invariant, in clauses that people can read.

use std::collections::{BTreeMap, BTreeSet};

use system::term::{Term, Terms, Value};

use crate::abstraction::{Found, Precision};

/// Of more terms that vary at a place, what they exclude is not told by clauses: there may be two to the power of their number.
const MOST_VARYING: usize = 8;

/// That each thread is in one of its abstract states; a Boolean term over the state.
pub(crate) fn invariant(found: &Found, precision: &Precision, terms: &mut Terms) -> Term {
    let mut lemmas = Vec::new();
    for thread in 0..precision.places.len() {
        let mut rows: BTreeMap<Value, BTreeSet<Vec<Value>>> = BTreeMap::new();
        for state in found.all().filter(|state| state.thread == thread) {
            if let [place, tracked @ ..] = state.values.as_slice() {
                rows.entry(*place).or_default().insert(tracked.to_vec());
            }
        }
        // By clause: where it holds.
        let mut holds: BTreeMap<Term, BTreeSet<Term>> = BTreeMap::new();
        let mut everywhere = Vec::new();
        for (value, rows) in rows {
            let here = is(terms, precision.places[thread], value);
            everywhere.push(here);
            for clause in clauses(terms, &precision.tracked[thread], &rows) {
                holds.entry(clause).or_default().insert(here);
            }
        }
        for (clause, places) in holds {
            let lemma = match places.len() == everywhere.len() {
                true => clause,
                false => {
                    let here = terms.or_all(places);
                    terms.implies(here, clause)
                }
            };
            lemmas.push(lemma);
        }
        lemmas.push(terms.or_all(everywhere));
    }
    terms.and_all(lemmas)
}

/// Formulas that hold together iff terms have the values of one of some rows.
fn clauses(terms: &mut Terms, tracked: &[Term], rows: &BTreeSet<Vec<Value>>) -> Vec<Term> {
    let Some(first) = rows.first() else {
        return Vec::new();
    };
    let mut clauses = Vec::new();
    let mut varying = Vec::new();
    for (column, &term) in tracked.iter().enumerate() {
        match rows.iter().all(|row| row[column] == first[column]) {
            true => clauses.push(is(terms, term, first[column])),
            false => varying.push(column),
        }
    }
    let is_boolean = |&column: &usize| matches!(first[column], Value::Bool(_));
    if varying.len() <= MOST_VARYING && varying.iter().all(is_boolean) {
        let pattern = |row: &Vec<Value>| {
            let bits = varying.iter().zip(0..);
            bits.fold(0, |bits, (&column, bit)| {
                bits | usize::from(row[column].is_true()) << bit
            })
        };
        let admitted: BTreeSet<usize> = rows.iter().map(pattern).collect();
        let all = 0..1 << varying.len();
        let excluded = all.filter(|pattern| !admitted.contains(pattern)).collect();
        for cube in cover(excluded, varying.len()) {
            let literals = varying.iter().zip(0..).filter_map(|(&column, bit)| {
                let excluded = cube.values >> bit & 1 == 1;
                (cube.mask >> bit & 1 == 1).then_some((tracked[column], !excluded))
            });
            let literals: Vec<Term> = literals
                .map(|(term, value)| is(terms, term, Value::Bool(value)))
                .collect();
            clauses.push(terms.or_all(literals));
        }
    } else {
        let rows: Vec<Term> = rows
            .iter()
            .map(|row| {
                let columns = varying.iter();
                let literals: Vec<Term> = columns
                    .map(|&column| is(terms, tracked[column], row[column]))
                    .collect();
                terms.and_all(literals)
            })
            .collect();
        clauses.push(terms.or_all(rows));
    }
    clauses
}

fn is(terms: &mut Terms, term: Term, value: Value) -> Term {
    let value = terms.constant(value);
    terms.equal(term, value)
}

/// The patterns that have these values at the bits of a mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cube {
    mask: usize,
    values: usize,
}

impl Cube {
    fn contains(self, pattern: usize) -> bool {
        pattern & self.mask == self.values
    }
}

/// Few cubes that contain these patterns of bits and no others (Quine and McCluskey; the choice among prime implicants is greedy).
fn cover(patterns: BTreeSet<usize>, width: usize) -> Vec<Cube> {
    let mask = (1 << width) - 1;
    let minterms = patterns.iter().map(|&values| Cube { mask, values });
    let mut cubes: BTreeSet<Cube> = minterms.collect();
    let mut primes = Vec::new();
    while !cubes.is_empty() {
        let mut larger = BTreeSet::new();
        for &cube in &cubes {
            let mut is_prime = true;
            for bit in (0..width)
                .map(|bit| 1 << bit)
                .filter(|bit| cube.mask & bit != 0)
            {
                let twin = Cube {
                    values: cube.values ^ bit,
                    ..cube
                };
                if cubes.contains(&twin) {
                    is_prime = false;
                    larger.insert(Cube {
                        mask: cube.mask & !bit,
                        values: cube.values & !bit,
                    });
                }
            }
            if is_prime {
                primes.push(cube);
            }
        }
        cubes = larger;
    }
    let mut open = patterns;
    let mut chosen = Vec::new();
    let gain = |cube: &Cube, open: &BTreeSet<usize>| {
        let covered = open.iter().filter(|&&pattern| cube.contains(pattern));
        covered.count()
    };
    while let Some(&best) = primes
        .iter()
        .max_by_key(|cube| gain(cube, &open))
        .filter(|_| !open.is_empty())
    {
        open.retain(|&pattern| !best.contains(pattern));
        chosen.push(best);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use rustc_hash::FxHashMap;
    use system::eval::evaluate;
    use system::term::Sort;
    use system::testing::{Random, all_values};

    use super::*;
    use crate::abstraction::{AbstractState, Origin};

    #[test]
    fn the_invariant_says_that_a_thread_is_in_one_of_its_states() {
        let mut terms = Terms::new();
        let place = terms.symbol("pc", Sort::BitVec(2));
        let flags = ["a", "b"].map(|name| terms.symbol(name, Sort::Bool));
        let number = terms.symbol("x", Sort::BitVec(1));
        // Two terms that say the same give the same clauses.
        let opposite = terms.not(flags[0]);
        let symbols = [place, flags[0], flags[1], number];
        let values = all_values(&terms, &symbols);
        let mut random = Random::new(2);
        for round in 0..200 {
            let mut tracked = vec![flags[0], opposite, flags[1]];
            tracked.extend((round % 2 == 0).then_some(number));
            let precision = Precision {
                places: vec![place],
                tracked: vec![tracked],
            };
            let mut state = |values: &Vec<Value>| {
                let symbols: FxHashMap<Term, Value> =
                    symbols.into_iter().zip(values.iter().copied()).collect();
                let tracked: Vec<Term> = precision.of(0).collect();
                AbstractState {
                    thread: 0,
                    values: evaluate(&terms, &tracked, &symbols),
                }
            };
            let states: Vec<AbstractState> = values.iter().map(&mut state).collect();
            let mut found = Found::default();
            for state in &states {
                if random.below(3) == 0 && found.id(state).is_none() {
                    found.add(state.clone(), Origin::Initial);
                }
            }
            let invariant = invariant(&found, &precision, &mut terms);
            for (state, values) in states.iter().zip(&values) {
                let symbols = symbols.into_iter().zip(values.iter().copied()).collect();
                let holds = evaluate(&terms, &[invariant], &symbols)[0].is_true();
                assert_eq!(holds, found.id(state).is_some());
            }
        }
    }

    #[test]
    fn cubes_contain_the_patterns_and_no_others() {
        let mut random = Random::new(1);
        for width in 0..6 {
            for _ in 0..40 {
                let all = 0..1 << width;
                let patterns: BTreeSet<usize> =
                    all.clone().filter(|_| random.below(3) == 0).collect();
                let cubes = cover(patterns.clone(), width);
                for pattern in all {
                    let covered = cubes.iter().any(|cube| cube.contains(pattern));
                    assert_eq!(covered, patterns.contains(&pattern));
                }
            }
        }
    }

    #[test]
    fn patterns_that_differ_in_one_bit_are_one_cube() {
        let cubes = cover([0b10, 0b11].into(), 2);
        let expected = Cube {
            mask: 0b10,
            values: 0b10,
        };
        assert_eq!(cubes, [expected]);
    }
}
