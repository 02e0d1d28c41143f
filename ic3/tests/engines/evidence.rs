//! Runs engines and checks their evidence.

use certify::{SolverCommand, check_proof};
use ic3::Engine;
use system::budget::Budget;
use system::eval::check_trace;
use system::transition_system::{Proof, Reason, TransitionSystem, Verdict};

/// What an engine finds: property and number of transitions of a violation, or a proof that there is none.
pub type Found = Result<Result<Proof, (usize, usize)>, Reason>;

/// Runs an engine; a trace is checked always, a proof only if `certified`, because that starts a solver for each obligation.
pub fn run(engine: &mut dyn Engine, system: &TransitionSystem, certified: bool) -> Found {
    let mut grown = system.clone();
    match engine.check(&mut grown, &Budget::unlimited()) {
        Verdict::Unsafe(trace) => {
            assert_eq!(check_trace(system, &trace), Ok(()));
            Ok(Err((trace.property, trace.steps.len() - 1)))
        }
        Verdict::Safe(proof) => {
            if certified && let Err(error) = check_proof(&grown, &proof, &SolverCommand::default())
            {
                panic!("{proof:?} of {}: {error}", engine.name());
            }
            Ok(Ok(proof))
        }
        Verdict::Unknown(reason) => Err(reason),
    }
}

/// As [`run`] with certification; nothing if the system is safe.
pub fn violation(
    engine: &mut dyn Engine,
    system: &TransitionSystem,
) -> Result<Option<(usize, usize)>, Reason> {
    run(engine, system, true).map(Result::err)
}
