//! Threads that stand for any number of others: what is tracked of one of them is tracked of all of its family.

use system::term::{Substitution, Terms};

use crate::derivation::Lacking;
use crate::threads::ThreadedSystem;

/// What terms about one thread are for the others of its family.
#[derive(Debug)]
pub(crate) struct Alike {
    /// From a thread to another one: terms about the first as terms about the second.
    renamed: Vec<(usize, usize, Substitution)>,
}

impl Alike {
    pub(crate) fn new(threaded: &ThreadedSystem) -> Self {
        let mut renamed = Vec::new();
        for family in &threaded.families {
            for (from, variables) in &family.members {
                let others = family.members.iter().filter(|(to, _)| to != from);
                renamed.extend(others.map(|(to, counterparts)| {
                    let images = variables.iter().copied().zip(counterparts.iter().copied());
                    (*from, *to, Substitution::new(images.collect()))
                }));
            }
        }
        Self { renamed }
    }

    /// What is to be tracked if something is of one thread: the same, and what corresponds to it of the others.
    pub(crate) fn with_others(&mut self, terms: &mut Terms, lacking: Lacking) -> Vec<Lacking> {
        let others = self.renamed.iter_mut();
        let others = others.filter(|&&mut (from, ..)| from == lacking.thread);
        let others = others.map(|&mut (_, thread, ref mut renamed)| Lacking {
            thread,
            term: renamed.apply(terms, lacking.term),
        });
        [lacking].into_iter().chain(others).collect()
    }
}
