//! Random C programs about lifetimes alone, with an evaluator of C's abstract machine that knows which object is alive when.
//!
//! A program gives pointers the addresses of variables, compound literals and temporaries in nested blocks, loops, branches, `switch`
//! statements and jumps, and reads through them. It is deterministic, and every object holds the same number, so all that it can do
//! wrong is to read an object that is not alive. An access is a site; the evaluator tells at which of them that ever happens.

mod draw;
mod evaluate;
mod print;
mod statement;

use std::collections::BTreeSet;

use crate::numbers::Numbers;

/// A program about lifetimes that does nothing undefined, and the same with one access more, which is undefined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LifetimeProgram {
    /// The right text.
    pub right: String,
    /// The broken one, if there is one.
    pub broken: Option<String>,
}

/// The program of a seed; the same for the same seed.
pub fn lifetime_program(seed: u64) -> LifetimeProgram {
    let mut numbers = Numbers::new(seed);
    let drawn = draw::program(&mut numbers);
    // What an access does decides about no other one.
    let undefined: Vec<usize> = evaluate::undefined(&drawn).into_iter().collect();
    let left_out: BTreeSet<usize> = undefined.iter().copied().collect();
    let right = print::program(&drawn, &left_out);
    let broken = (!undefined.is_empty()).then(|| {
        let kept = numbers.pick(&undefined);
        let mut left_out = left_out;
        left_out.remove(&kept);
        print::program(&drawn, &left_out)
    });
    LifetimeProgram { right, broken }
}
