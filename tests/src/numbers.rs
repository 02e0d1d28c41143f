//! A small deterministic source of numbers, so that a program depends on its seed and on nothing else.

/// The splitmix64 generator: an additive counter whose values are mixed.
pub struct Numbers {
    state: u64,
}

impl Numbers {
    /// The sequence that belongs to `seed`.
    pub fn new(seed: u64) -> Self {
        Self { state: seed }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which must not be 0. The slight bias towards small numbers does not matter here.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True `percent` times out of a hundred.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of the choices, which must not be none.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    /// One of the choices, each as often as its weight says; the weights must not all be 0.
    pub fn pick_weighted<T: Copy>(&mut self, choices: &[(usize, T)]) -> T {
        let mut rest = self.below(choices.iter().map(|(weight, _)| weight).sum());
        for (weight, choice) in choices {
            if rest < *weight {
                return *choice;
            }
            rest -= weight;
        }
        unreachable!("the rest is below the sum of the weights")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sequence_depends_on_the_seed_only() {
        let sequence = |seed| {
            let mut numbers = Numbers::new(seed);
            std::array::from_fn::<u64, 8, _>(|_| numbers.next())
        };
        assert_eq!(sequence(7), sequence(7));
        assert_ne!(sequence(7), sequence(8));
    }

    #[test]
    fn weights_are_respected() {
        let mut numbers = Numbers::new(1);
        let hits = (0..4000)
            .filter(|_| numbers.pick_weighted(&[(1, true), (3, false), (0, true)]))
            .count();
        assert!(
            (900..1100).contains(&hits),
            "{hits} of 4000 instead of about 1000"
        );
    }
}
