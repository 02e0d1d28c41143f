//! The encoding of a program: the system, what leads back from it, and how large it is.

use program::model::{Instances, Program};
use program::points_to::PointsTo;
use system::term::{Sort, Term, Terms};
use system::transition_system::TransitionSystem;

use crate::constant_propagation::ConstantPropagation;
use crate::context::EncodingContext;
use crate::counterexample::Counterexamples;
use crate::families::{Family, families};
use crate::options::Options;
use crate::program_counter::ProgramCounter;
use crate::system::assemble;

/// A program as a transition system.
#[derive(Debug)]
pub struct Encoding {
    /// The system. Property 0 is the program's error; the others are limits, see [`crate::properties`].
    pub system: TransitionSystem,
    /// The input that chooses the thread that moves, the `k`-th of `places` if its value is `k`; there is none for a single thread.
    pub scheduler: Option<Term>,
    /// Where the threads are.
    pub places: Vec<Place>,
    /// The threads that stand for any number of others, by family; none if they are not alike in this system.
    pub families: Option<Vec<Family>>,
    /// From traces to schedules.
    pub back: Counterexamples,
    /// How large it is.
    pub statistics: Statistics,
}

/// Where a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of its place: a bit vector over the state.
    pub number: Term,
    /// How many numbers there are, from 0.
    pub numbers: u128,
    /// The number that says that it has returned, if it does.
    pub returned: Option<u128>,
}

/// The size of an encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Instances that may run.
    pub threads: usize,
    /// Blocks that are reached.
    pub blocks: usize,
    /// State variables.
    pub variables: usize,
    /// Bits of the state.
    pub state_bits: u32,
    /// Bits of the inputs.
    pub input_bits: u32,
    /// Terms that the system is made of.
    pub terms: usize,
}

/// Encodes a program, whose external locations were chosen by a plan.
pub fn encode(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    options: &Options,
) -> Encoding {
    let context = EncodingContext::new(program, instances, points_to, *options);
    let facts = ConstantPropagation::analyse(&context);
    let assembly = assemble(&context, &facts);
    let statistics = statistics(&assembly.system, assembly.threads.len(), assembly.blocks);
    let scheduler = assembly.scheduler;
    let counters = assembly.counters.values();
    let places = counters.map(ProgramCounter::place).collect();
    let families = families(&context, &assembly.counters, &assembly.variables);
    let (system, back) = Counterexamples::split(&context, &facts, assembly);
    Encoding {
        system,
        scheduler,
        places,
        families,
        back,
        statistics,
    }
}

fn statistics(system: &TransitionSystem, threads: usize, blocks: usize) -> Statistics {
    let mut roots: Vec<_> = system
        .state
        .iter()
        .filter_map(|variable| variable.next)
        .collect();
    roots.push(system.guard);
    let bits = |sort| match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width,
    };
    let width = |terms: &Terms, term| bits(terms.sort(term));
    Statistics {
        threads,
        blocks,
        variables: system.state.len(),
        state_bits: system
            .state
            .iter()
            .map(|variable| width(&system.terms, variable.current))
            .sum(),
        input_bits: system
            .inputs
            .iter()
            .map(|&input| width(&system.terms, input))
            .sum(),
        terms: system.terms.cone(&roots).len(),
    }
}
