//! Upper bounds at locations of threads. Where a loop is left with its counter at a known value, an equality that holds
//! in the loop holds after it as well.

use system::term::{Sort, Term, Terms, Value, all_ones};

/// With more pairs of conditions and variables, bounds hold everywhere or are not looked for.
const MOST_PAIRS: usize = 250;

/// The bounds that still hold, of those that are tried: the constants that a system mentions, and one less.
pub struct UpperBounds {
    pairs: Vec<Bounded>,
}

/// A variable where a condition holds.
struct Bounded {
    /// Column of the condition; everywhere if there is none.
    condition: Option<usize>,
    variable: usize,
    /// Ascending.
    tried: Vec<u64>,
}

impl UpperBounds {
    /// All bounds on the bit-vectors among the dimensions, everywhere and where Boolean dimensions from `first_condition` on hold.
    pub fn new(terms: &Terms, sorts: &[Sort], first_condition: usize, constants: &[Term]) -> Self {
        let everywhere = std::iter::once(None);
        let mut conditions: Vec<_> = everywhere
            .chain((first_condition..sorts.len()).map(Some))
            .collect();
        if conditions.len() * first_condition > MOST_PAIRS {
            conditions.truncate(1);
        }
        let mut pairs = Vec::new();
        for (variable, &sort) in sorts.iter().enumerate() {
            let tried = tried(terms, sort, constants);
            pairs.extend(conditions.iter().map(|&condition| Bounded {
                condition,
                variable,
                tried: tried.clone(),
            }));
        }
        Self { pairs }
    }

    /// Drops those that a point violates; `false` if there are none.
    pub fn join(&mut self, point: &[u64]) -> bool {
        let mut dropped = false;
        for pair in &mut self.pairs {
            if pair.condition.is_none_or(|condition| point[condition] == 1) {
                let value = point[pair.variable];
                let lower = pair.tried.partition_point(|&bound| bound < value);
                dropped |= pair.tried.drain(..lower).len() > 0;
            }
        }
        dropped
    }

    /// The least bounds, as Boolean terms; those that hold everywhere are not repeated for places.
    pub fn terms(&self, terms: &mut Terms, dimensions: &[Term]) -> Vec<Term> {
        let mut everywhere = None;
        let least = self.pairs.iter().filter_map(|pair| {
            let least = pair.tried.first();
            if pair.condition.is_none() {
                everywhere = least;
            } else if least == everywhere {
                return None;
            }
            Some((pair, *least?))
        });
        least
            .map(|(pair, bound)| {
                let variable = dimensions[pair.variable];
                let bound = Value::BitVec(terms.width(variable), u128::from(bound));
                let bound = terms.constant(bound);
                let holds = terms.unsigned_less_equal(variable, bound);
                match pair.condition {
                    Some(condition) => terms.implies(dimensions[condition], holds),
                    None => holds,
                }
            })
            .collect()
    }
}

/// What bounds values of a sort, the trivial bound aside, ascending.
fn tried(terms: &Terms, sort: Sort, constants: &[Term]) -> Vec<u64> {
    let Sort::BitVec(width) = sort else {
        return Vec::new();
    };
    let values = constants.iter();
    let values = values.filter_map(|&constant| terms.as_value(constant));
    let mut bounds: Vec<u64> = values
        .filter(|value| value.sort() == sort)
        .map(|value| value.bits() as u64)
        .flat_map(|value| [value.saturating_sub(1), value])
        .filter(|&bound| u128::from(bound) < all_ones(width))
        .collect();
    bounds.sort_unstable();
    bounds.dedup();
    bounds
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_raise_bounds_where_they_are() {
        let mut terms = Terms::new();
        let x = terms.symbol("x", Sort::BitVec(8));
        let here = terms.symbol("here", Sort::Bool);
        let constants = [12, 40, 0].map(|value| terms.bits(8, value));
        let sorts = [Sort::BitVec(8), Sort::Bool];
        let mut bounds = UpperBounds::new(&terms, &sorts, 1, &constants);
        for (point, raises, everywhere, at_here) in [
            ([0, 0], false, 0, 0),
            ([12, 1], true, 12, 12),
            ([3, 1], false, 12, 12),
            ([13, 0], true, 39, 12),
        ] {
            assert_eq!(bounds.join(&point), raises, "by {point:?}");
            let limits = [everywhere, at_here].map(|limit| terms.bits(8, limit));
            let [always, at_here] = limits.map(|limit| terms.unsigned_less_equal(x, limit));
            let mut expected = vec![always];
            if at_here != always {
                expected.push(terms.implies(here, at_here));
            }
            assert_eq!(bounds.terms(&mut terms, &[x, here]), expected);
        }
        assert!(bounds.join(&[41, 1]));
        assert_eq!(bounds.terms(&mut terms, &[x, here]), []);
    }
}
