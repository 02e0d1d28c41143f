//! Frames: sets of states that contain all states that a number of steps can reach.
//!
//! `F_0` is the set of initial states; `F_i` excludes every cube blocked at level `i` or higher, and contains every state
//! that at most `i` steps reach. A cube is stored once, at the highest level where it is known to be blocked (delta encoding).

use super::cube::Cube;

/// The blocked cubes by level.
#[derive(Debug, Default)]
pub struct Frames {
    blocked: Vec<Vec<Cube>>,
}

impl Frames {
    /// Number of frames, that of the initial states included.
    pub fn len(&self) -> usize {
        self.blocked.len()
    }

    /// The last frame's level.
    pub fn top(&self) -> usize {
        self.blocked.len() - 1
    }

    /// Adds a frame that excludes nothing yet.
    pub fn extend(&mut self) {
        self.blocked.push(Vec::new());
    }

    /// The cubes stored at a level.
    pub fn at(&self, level: usize) -> &[Cube] {
        &self.blocked[level]
    }

    /// The cubes that `F_level` excludes.
    pub fn excluded(&self, level: usize) -> impl Iterator<Item = &Cube> {
        self.blocked[level..].iter().flatten()
    }

    /// Whether a lemma says that `F_level` has no state of `cube`.
    pub fn excludes(&self, level: usize, cube: &Cube) -> bool {
        self.excluded(level).any(|lemma| lemma.subsumes(cube))
    }

    /// Stores a cube that is blocked up to `level` and drops those that it makes redundant.
    pub fn block(&mut self, level: usize, cube: Cube) {
        for frame in &mut self.blocked[1..=level] {
            frame.retain(|weaker| !cube.subsumes(weaker));
        }
        self.blocked[level].push(cube);
    }
}

#[cfg(test)]
mod tests {
    use super::super::cube::Predicate;
    use super::*;

    fn cube(predicates: &[u32]) -> Cube {
        predicates
            .iter()
            .map(|&p| Predicate(p).literal(true))
            .collect()
    }

    #[test]
    fn a_stronger_lemma_replaces_weaker_ones_up_to_its_level() {
        let mut frames = Frames::default();
        (0..4).for_each(|_| frames.extend());
        frames.block(1, cube(&[1, 2]));
        frames.block(3, cube(&[1, 3]));
        frames.block(2, cube(&[1]));
        assert!(frames.at(1).is_empty());
        assert_eq!(frames.at(3), [cube(&[1, 3])], "blocked higher up");
        assert!(frames.excludes(2, &cube(&[1, 7])));
        assert!(!frames.excludes(3, &cube(&[1, 7])));
    }
}
