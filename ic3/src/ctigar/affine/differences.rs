//! Differences that are constant at a location of a thread. At such a location, a register still has the value of the
//! variable that it was loaded from. At other locations, the register may have any value.

use system::term::{Sort, Term, Terms, Value, all_ones};

/// With more pairs of conditions and variables, no differences are looked for.
const MOST_PAIRS: usize = 4000;

/// The differences between bit-vectors of one width, and between them and zero, that are the same in all states found so far
/// where a condition holds, and everywhere.
pub struct Differences {
    sorts: Vec<Sort>,
    /// The first is about all states.
    places: Vec<ConditionalClasses>,
}

/// What is known where a condition holds.
struct ConditionalClasses {
    /// Column of the condition; everywhere if there is none.
    condition: Option<usize>,
    /// The first state that was found there, and by variable the number of its class: the variables of a class have
    /// changed by the same amount since, those of class 0 not at all.
    found: Option<(Vec<u64>, Vec<usize>)>,
}

impl Differences {
    /// Nothing has been found yet. `sorts` are those of the variables, which are the first dimensions; `conditions` are
    /// dimensions.
    pub fn new(sorts: &[Sort], conditions: impl Iterator<Item = usize>) -> Self {
        let mut conditions: Vec<_> = conditions.map(Some).collect();
        if conditions.len() * sorts.len() > MOST_PAIRS {
            conditions.clear();
        }
        conditions.insert(0, None);
        let places = conditions.into_iter().map(|condition| ConditionalClasses {
            condition,
            found: None,
        });
        Self {
            sorts: sorts.to_vec(),
            places: places.collect(),
        }
    }

    /// Drops those that a point violates; `false` if there are none.
    pub fn join(&mut self, point: &[u64]) -> bool {
        let mut dropped = false;
        for place in &mut self.places {
            if place
                .condition
                .is_none_or(|condition| point[condition] == 1)
            {
                dropped |= place.join(&self.sorts, point);
            }
        }
        dropped
    }

    /// The differences, as Boolean terms; those that hold everywhere are not repeated for places, and nothing is said of
    /// places where no state was found.
    pub fn terms(&self, terms: &mut Terms, dimensions: &[Term]) -> Vec<Term> {
        let mut all = Vec::new();
        for place in &self.places {
            let Some((origin, classes)) = &place.found else {
                continue;
            };
            for variable in 0..classes.len() {
                let Some(other) = self.partner(classes, variable) else {
                    continue;
                };
                if place.condition.is_some() && self.everywhere(variable, other) {
                    continue;
                }
                let difference = other.map_or(0, |other| origin[other]);
                let difference = origin[variable].wrapping_sub(difference);
                let other = other.map(|other| dimensions[other]);
                let equal = differ(terms, dimensions[variable], other, difference);
                all.push(match place.condition {
                    Some(condition) => terms.implies(dimensions[condition], equal),
                    None => equal,
                });
            }
        }
        all
    }

    /// What a variable has a constant difference to: zero, or the variable before it in its class; `None` if to nothing.
    fn partner(&self, classes: &[usize], variable: usize) -> Option<Option<usize>> {
        if classes[variable] == 0 {
            return Some(None);
        }
        let before = (0..variable).rev();
        let mut alike = before.filter(|&other| classes[other] == classes[variable]);
        alike.next().map(Some)
    }

    fn everywhere(&self, variable: usize, other: Option<usize>) -> bool {
        let found = self.places[0].found.as_ref();
        found.is_some_and(|(_, classes)| {
            classes[variable] == other.map_or(0, |other| classes[other])
        })
    }
}

impl ConditionalClasses {
    fn join(&mut self, sorts: &[Sort], point: &[u64]) -> bool {
        let Some((origin, classes)) = &mut self.found else {
            self.found = Some((point[..sorts.len()].to_vec(), vec![0; sorts.len()]));
            return true;
        };
        let changes: Vec<(usize, u64, Sort)> = (0..sorts.len())
            .map(|variable| {
                let change = point[variable].wrapping_sub(origin[variable]);
                let change = change & mask(sorts[variable]);
                // A constant needs no partner of its own sort, what changes does.
                let constant = classes[variable] == 0 && change == 0;
                let sort = if constant {
                    Sort::Bool
                } else {
                    sorts[variable]
                };
                (classes[variable], change, sort)
            })
            .collect();
        let mut known = vec![(0, 0, Sort::Bool)];
        let mut refined = Vec::with_capacity(changes.len());
        for change in changes {
            let class = known.iter().position(|&class| class == change);
            refined.push(class.unwrap_or(known.len()));
            if class.is_none() {
                known.push(change);
            }
        }
        let changed = *classes != refined;
        *classes = refined;
        changed
    }
}

fn mask(sort: Sort) -> u64 {
    match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => all_ones(width) as u64,
    }
}

/// That a term is another one, or zero, plus a constant.
fn differ(terms: &mut Terms, term: Term, other: Option<Term>, difference: u64) -> Term {
    let Sort::BitVec(width) = terms.sort(term) else {
        let difference = terms.bool(difference & 1 == 1);
        return match other {
            Some(other) => {
                let sum = terms.xor(other, difference);
                terms.equal(term, sum)
            }
            None => terms.equal(term, difference),
        };
    };
    let difference = terms.constant(Value::truncated(width, u128::from(difference)));
    let sum = match other {
        Some(other) => terms.add(other, difference),
        None => difference,
    };
    terms.equal(term, sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_at_a_place_survive_changes_elsewhere() {
        let mut terms = Terms::new();
        let byte = Sort::BitVec(8);
        let (x, y) = (terms.symbol("x", byte), terms.symbol("y", byte));
        let dimensions = [x, y, terms.symbol("here", Sort::Bool)];
        let mut differences = Differences::new(&[byte, byte], [2].into_iter());
        let [three, seven] = [3, 7].map(|value| terms.bits(8, value));
        let above = terms.add(x, three);
        let [x_is_seven, y_is_seven, y_is_above] =
            [(x, seven), (y, seven), (y, above)].map(|(a, b)| terms.equal(a, b));
        assert!(differences.join(&[7, 7, 0]));
        assert!(!differences.join(&[7, 7, 0]));
        assert_eq!(
            differences.terms(&mut terms, &dimensions),
            [x_is_seven, y_is_seven]
        );
        assert!(differences.join(&[254, 1, 1]));
        assert!(differences.join(&[5, 8, 1]));
        let here = terms.implies(dimensions[2], y_is_above);
        assert_eq!(differences.terms(&mut terms, &dimensions), [here]);
        assert!(!differences.join(&[9, 4, 0]));
        assert!(differences.join(&[5, 9, 1]));
        assert_eq!(differences.terms(&mut terms, &dimensions), []);
    }
}
