//! Affine subspaces of the vectors over the integers modulo a power of two.
//!
//! Not every number has an inverse there, but of two numbers the one with fewer factors two divides the other. Elimination
//! that always takes such an entry as its pivot needs nothing else.

use system::term::all_ones;

/// `coefficients * x = constant`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Equation {
    /// One for each component of `x`.
    pub coefficients: Vec<u64>,
    /// The right-hand side.
    pub constant: u64,
}

/// A point and all sums of multiples of some directions added to it.
pub struct Space {
    mask: u64,
    width: u32,
    origin: Vec<u64>,
    directions: Vec<Vec<u64>>,
    equations: Vec<Equation>,
}

impl Space {
    /// A single point, whose components count modulo two to the power of `width`, at most 64.
    pub fn point(width: u32, origin: Vec<u64>) -> Self {
        let mut space = Self {
            mask: all_ones(width) as u64,
            width,
            origin,
            directions: Vec::new(),
            equations: Vec::new(),
        };
        space.normalise();
        space
    }

    /// Equations whose solutions are the points of the space, with small coefficients.
    pub fn equations(&self) -> Vec<Equation> {
        let equations = self.equations.iter();
        let mut orthogonal: Vec<_> = equations.map(|e| e.coefficients.clone()).collect();
        for vector in &mut orthogonal {
            shorten(self.mask, vector);
        }
        reduce(self.mask, &mut orthogonal);
        self.with_coefficients(orthogonal)
    }

    /// The equations with these coefficients.
    fn with_coefficients(&self, vectors: Vec<Vec<u64>>) -> Vec<Equation> {
        let equation = |coefficients: Vec<u64>| Equation {
            constant: self.product(&coefficients, &self.origin),
            coefficients,
        };
        vectors.into_iter().map(equation).collect()
    }

    /// Makes it the least space with its points and another one; `false` if that is none of the others.
    pub fn join(&mut self, point: &[u64]) -> bool {
        if self.contains(point) {
            return false;
        }
        let difference = point.iter().zip(&self.origin);
        let difference = difference.map(|(x, origin)| x.wrapping_sub(*origin) & self.mask);
        self.directions.push(difference.collect());
        self.normalise();
        true
    }

    fn contains(&self, point: &[u64]) -> bool {
        self.equations
            .iter()
            .all(|equation| self.product(&equation.coefficients, point) == equation.constant)
    }

    fn product(&self, a: &[u64], b: &[u64]) -> u64 {
        let products = a.iter().zip(b).map(|(a, b)| a.wrapping_mul(*b));
        products.fold(0, u64::wrapping_add) & self.mask
    }

    /// Finds as many directions as are needed, and the equations.
    fn normalise(&mut self) {
        let rows = std::mem::take(&mut self.directions);
        let mut elimination = Elimination::new(self.width, self.origin.len(), rows);
        while elimination.step() {}
        self.directions = elimination.pivots;
        let mut orthogonal = elimination.orthogonal;
        orthogonal.extend(
            elimination
                .free
                .iter()
                .map(|&column| elimination.columns[column].clone()),
        );
        self.equations = self.with_coefficients(orthogonal);
    }
}

/// Diagonalises a matrix by row operations and column operations, and so finds what is orthogonal to all rows.
struct Elimination {
    width: u32,
    mask: u64,
    rows: Vec<Vec<u64>>,
    /// Columns without pivot so far.
    free: Vec<usize>,
    /// The column operations so far: by column, which multiples of the given columns it is now.
    columns: Vec<Vec<u64>>,
    /// Rows with a pivot: with the remaining ones they generate what all rows generate.
    pivots: Vec<Vec<u64>>,
    /// Generators of what is orthogonal to the rows, those of the free columns aside.
    orthogonal: Vec<Vec<u64>>,
}

impl Elimination {
    fn new(width: u32, size: usize, rows: Vec<Vec<u64>>) -> Self {
        let unit = |column| (0..size).map(|index| u64::from(index == column)).collect();
        Self {
            width,
            mask: all_ones(width) as u64,
            rows,
            free: (0..size).collect(),
            columns: (0..size).map(unit).collect(),
            pivots: Vec::new(),
            orthogonal: Vec::new(),
        }
    }

    /// Takes the next pivot; `false` if only zeros remain.
    fn step(&mut self) -> bool {
        let Some((row, column, factors)) = self.least_divisible() else {
            return false;
        };
        let mut pivot = self.rows.swap_remove(row);
        let inverse = inverse(pivot[column] >> factors);
        pivot
            .iter_mut()
            .for_each(|entry| *entry = entry.wrapping_mul(inverse) & self.mask);
        for row in &mut self.rows {
            let multiple = row[column] >> factors;
            subtract(self.mask, row, multiple, &pivot);
        }
        self.rows.retain(|row| row.iter().any(|&entry| entry != 0));
        self.free.retain(|&free| free != column);
        let source = std::mem::take(&mut self.columns[column]);
        for &free in &self.free {
            subtract(
                self.mask,
                &mut self.columns[free],
                pivot[free] >> factors,
                &source,
            );
        }
        if factors > 0 {
            let scale = 1 << (self.width - factors);
            let scaled = source
                .iter()
                .map(|entry| entry.wrapping_mul(scale) & self.mask);
            self.orthogonal.push(scaled.collect());
        }
        self.pivots.push(pivot);
        true
    }

    /// Row, column and number of factors two of an entry that has the fewest.
    fn least_divisible(&self) -> Option<(usize, usize, u32)> {
        let rows = self.rows.iter().enumerate();
        let entries = rows.flat_map(|(index, row)| {
            self.free
                .iter()
                .map(move |&column| (index, column, row[column]))
        });
        entries
            .filter(|&(.., entry)| entry != 0)
            .map(|(row, column, entry)| (row, column, entry.trailing_zeros()))
            .min_by_key(|&(row, column, factors)| (factors, std::cmp::Reverse(column), row))
    }
}

/// Subtracts a multiple of `other` from `vector`.
fn subtract(mask: u64, vector: &mut [u64], multiple: u64, other: &[u64]) {
    if multiple != 0 {
        for (entry, other) in vector.iter_mut().zip(other) {
            *entry = entry.wrapping_sub(multiple.wrapping_mul(*other)) & mask;
        }
    }
}

/// The inverse of an odd number modulo `2^64`, by Newton's method: every round doubles the number of correct bits.
fn inverse(odd: u64) -> u64 {
    (0..5).fold(odd, |inverse, _| {
        inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse)))
    })
}

/// How much it costs to write a vector down: bits of its entries, each with the sign that makes it small.
fn cost(mask: u64, vector: &[u64]) -> u32 {
    let size = |entry: u64| entry.min(entry.wrapping_neg() & mask);
    vector
        .iter()
        .map(|&entry| u64::BITS - size(entry).leading_zeros())
        .sum()
}

/// Multiplies a vector by the odd number that makes its entries smallest, if a small one does: `y = x / 3` becomes `3 * y = x`.
fn shorten(mask: u64, vector: &mut Vec<u64>) {
    let multiple = |factor: u64| -> Vec<u64> {
        vector
            .iter()
            .map(|entry| entry.wrapping_mul(factor) & mask)
            .collect()
    };
    let multiples = (0..16).map(|half| multiple(2 * half + 1));
    if let Some(shortest) = multiples.min_by_key(|vector| cost(mask, vector)) {
        *vector = shortest;
    }
}

/// Adds vectors to each other and subtracts them as long as that makes one smaller; they generate the same.
fn reduce(mask: u64, vectors: &mut [Vec<u64>]) {
    let mut costs: Vec<u32> = vectors.iter().map(|vector| cost(mask, vector)).collect();
    let mut changed = true;
    while std::mem::take(&mut changed) {
        for one in 0..vectors.len() {
            for other in (0..vectors.len()).filter(|&other| other != one) {
                for multiple in [1, mask] {
                    let mut smaller = vectors[one].clone();
                    subtract(mask, &mut smaller, multiple, &vectors[other]);
                    let cost = cost(mask, &smaller);
                    if cost < costs[one] {
                        (vectors[one], costs[one], changed) = (smaller, cost, true);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use system::testing::Random;

    use super::*;

    fn random_point(random: &mut Random, width: u32, size: usize) -> Vec<u64> {
        let mask = all_ones(width) as u64;
        (0..size).map(|_| random.number() & mask).collect()
    }

    /// All vectors of three components modulo 8.
    fn vectors() -> impl Iterator<Item = Vec<u64>> {
        (0..512).map(|number| vec![number & 7, number >> 3 & 7, number >> 6])
    }

    /// A point is in the hull if every equation that holds at all given points holds there.
    #[test]
    fn joins_make_the_hull() {
        let mut random = Random::new(1);
        for round in 0..60 {
            let scale = 1 << random.below(3);
            let points: Vec<Vec<u64>> = (0..=round % 5)
                .map(|_| random_point(&mut random, 3, 3))
                .map(|point| point.iter().map(|x| (x * scale) & 7).collect())
                .collect();
            let mut space = Space::point(3, points[0].clone());
            for point in &points[1..] {
                assert_eq!(!space.contains(point), space.join(point));
                assert!(space.contains(point) && space.equations().len() <= 3);
            }
            let hull = Space::point(3, points[0].clone());
            let satisfied: Vec<Vec<u64>> = vectors()
                .filter(|vector| {
                    let of = |point: &[u64]| hull.product(vector, point);
                    points.iter().all(|point| of(point) == of(&points[0]))
                })
                .collect();
            for candidate in vectors() {
                let expected = satisfied.iter().all(|vector| {
                    hull.product(vector, &candidate) == hull.product(vector, &points[0])
                });
                assert_eq!(
                    space.contains(&candidate),
                    expected,
                    "{points:?} {candidate:?}"
                );
            }
        }
    }

    #[test]
    fn equations_are_small() {
        let mut space = Space::point(32, vec![1, 2, 7]);
        assert!(space.join(&[4, 7, 7]));
        let equations = space.equations();
        assert_eq!(equations.len(), 2, "{equations:?}");
        let small = equations.iter().any(|equation| {
            [
                vec![5, 3u64.wrapping_neg() & 0xffff_ffff, 0],
                vec![5u64.wrapping_neg() & 0xffff_ffff, 3, 0],
            ]
            .contains(&equation.coefficients)
        });
        assert!(small, "{equations:?}");
    }

    #[test]
    fn chains_end_at_the_whole_space() {
        let mut random = Random::new(2);
        let mut space = Space::point(64, random_point(&mut random, 64, 6));
        let mut joins = 0;
        while !space.equations().is_empty() {
            joins += usize::from(space.join(&random_point(&mut random, 64, 6)));
            assert!(space.directions.len() <= 6 && joins <= 6 * 64);
        }
        assert!(!space.join(&random_point(&mut random, 64, 6)));
    }
}
