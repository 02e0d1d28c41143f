//! The search for a proof or a violation: the main loop, obligations, propagation.

use system::term::{Term, Value};
use system::transition_system::{Proof, Reason, Trace, TransitionSystem, Verdict};

use super::cube::{Cube, Literal};
use super::families::Families;
use super::frames::Frames;
use super::justify::Justifier;
use super::obligations::{ProofObligation, ProofObligations};
use super::predicates::Predicates;
use super::queries::{ConcreteStep, Consecution, Queries, Target, clause};
use super::step_relation::StepRelation;
use crate::engine::confirmed;

/// What happened, for the log.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Counts {
    pub(super) lemmas: usize,
    pub(super) obligations: usize,
    pub(super) lifting_failures: usize,
    pub(super) refinements: usize,
    pub(super) predicates: usize,
    /// Predicates that were found and meant the same as a known one.
    pub(super) known: usize,
}

/// The state of one run of the engine.
pub(super) struct CtigarSearch<'a> {
    pub(super) system: &'a mut TransitionSystem,
    pub(super) step: StepRelation,
    pub(super) predicates: Predicates,
    pub(super) queries: Queries<'a>,
    pub(super) justifier: Justifier,
    pub(super) frames: Frames,
    pub(super) obligations: ProofObligations,
    pub(super) max_spurious: usize,
    /// What the system mentions: candidates for comparisons.
    pub(super) constants: Vec<Term>,
    /// What is known from the start of all reachable states.
    pub(super) invariants: Vec<Term>,
    pub(super) counts: Counts,
    pub(super) families: Families,
}

impl CtigarSearch<'_> {
    /// The algorithm: strengthen the last frame until it has no bad state, push lemmas, stop when two frames are equal.
    pub(super) fn solve(&mut self) -> Result<Verdict, Reason> {
        if let Some(bad) = self.bad_state()? {
            return self
                .violation(bad.state, vec![bad.inputs])
                .map(Verdict::Unsafe);
        }
        loop {
            self.extend();
            while let Some(bad) = self.bad_state()? {
                self.obligations.clear();
                let obligation = self.obligation(bad, Origin::Bad)?;
                self.obligations.add(obligation, self.frames.top());
                if let Some(trace) = self.block_all()? {
                    return Ok(Verdict::Unsafe(trace));
                }
            }
            if let Some(invariant) = self.propagate()? {
                return Ok(Verdict::Safe(Proof::Inductive(invariant)));
            }
            tracing::info!(level = self.frames.top(), counts = ?self.counts, "no violation");
        }
    }

    fn extend(&mut self) {
        self.frames.extend();
        self.queries.extend(self.system);
    }

    fn bad_state(&mut self) -> Result<Option<ConcreteStep>, Reason> {
        let level = self.frames.top();
        self.queries
            .bad_state(&self.system.terms, &self.step, level)
    }

    /// Blocks all open obligations, or finds a run into a violation.
    fn block_all(&mut self) -> Result<Option<Trace>, Reason> {
        while let Some((number, level)) = self.obligations.next() {
            self.queries
                .refresh(self.system, &self.step, &self.predicates, &self.frames);
            let cube = self.obligations.get(number).cube.clone();
            if !self.frames.excludes(level, &cube) {
                if let Some(initial) = self.initial_state(&cube)? {
                    match self.reached(number, level, initial)? {
                        Some(trace) => return Ok(Some(trace)),
                        None => continue,
                    }
                }
                if !self.block(number, level)? {
                    continue;
                }
            }
            if level < self.frames.top() {
                self.obligations.reopen(number, level + 1);
            }
        }
        Ok(None)
    }

    /// Blocks an obligation at a level and says so, or opens the obligation that has to be blocked first.
    fn block(&mut self, number: usize, level: usize) -> Result<bool, Reason> {
        let cube = self.obligations.get(number).cube.clone();
        let predecessor = match self.consecution(level - 1, &cube)? {
            Consecution::Blocked(core) => {
                return self.learn((number, level), &cube, core);
            }
            Consecution::Open(predecessor) => predecessor,
        };
        let obligation = self.obligations.get(number);
        let exact =
            obligation.concrete == cube || self.leads_into(&predecessor, &obligation.concrete);
        if !exact && obligation.spurious >= self.max_spurious {
            return self.block_concrete(number, level);
        }
        self.precede(number, level, predecessor, exact)?;
        Ok(false)
    }

    /// Opens the obligation to block a predecessor first.
    fn precede(
        &mut self,
        number: usize,
        level: usize,
        point: ConcreteStep,
        exact: bool,
    ) -> Result<(), Reason> {
        let origin = Origin::Step {
            successor: number,
            exact,
        };
        let predecessor = self.obligation(point, origin)?;
        self.obligations.add(predecessor, level - 1);
        self.obligations.reopen(number, level);
        Ok(())
    }

    /// The abstract cube has a predecessor, which does not lead into the concrete one. If the concrete one has none, this
    /// is an abstraction failure.
    fn block_concrete(&mut self, number: usize, level: usize) -> Result<bool, Reason> {
        let concrete = self.obligations.get(number).concrete.clone();
        match self.consecution(level - 1, &concrete)? {
            Consecution::Blocked(core) => self.refine(number, level, core),
            Consecution::Open(predecessor) => {
                self.precede(number, level, predecessor, true)?;
                Ok(false)
            }
        }
    }

    /// The obligation to block a state that was found, with as many states around it as take the same way.
    fn obligation(
        &mut self,
        point: ConcreteStep,
        origin: Origin,
    ) -> Result<ProofObligation, Reason> {
        self.counts.obligations += 1;
        let (successor, target, distance, spurious, may_miss) = match origin {
            Origin::Bad => (None, Cube::default(), 0, 0, false),
            Origin::Step { successor, exact } => {
                let next = self.obligations.get(successor);
                let target = if exact { &next.concrete } else { &next.cube };
                let spurious = next.spurious + usize::from(!exact);
                (
                    Some(successor),
                    target.clone(),
                    next.distance + 1,
                    spurious,
                    !exact,
                )
            }
        };
        let target = match origin {
            Origin::Bad => Target::Bad,
            Origin::Step { .. } => Target::Cube(&target),
        };
        let (concrete, cube) = self.lift(&point, target)?;
        Ok(ProofObligation {
            state: point.state,
            inputs: point.inputs,
            concrete,
            cube,
            successor,
            distance,
            spurious,
            spurious_step: may_miss,
            is_choice: false,
            choices: Vec::new(),
        })
    }

    /// A cube of states around a point that hit the target under the same inputs, and its abstraction.
    ///
    /// Where predicates of the precision do not suffice (a lifting abstraction failure) the first consists of bits too, and
    /// the second of the predicates over the same variables.
    pub(super) fn lift(
        &mut self,
        point: &ConcreteStep,
        target: Target<'_>,
    ) -> Result<(Cube, Cube), Reason> {
        let Self {
            system,
            step,
            predicates,
            queries,
            justifier,
            ..
        } = self;
        if predicates.is_exact() {
            let target = target.terms(step, predicates);
            let cube = justifier.justify(&system.terms, step, predicates, point, &target);
            let cube = cube.ok_or_else(unrepeated)?;
            return Ok((cube.clone(), cube));
        }
        let abstraction = predicates.abstraction(&system.terms, step, &point.state);
        let terms = &mut system.terms;
        if let Some(core) =
            queries.lift(terms, step, predicates, point, target, abstraction.iter())?
        {
            return Ok((core.clone(), core));
        }
        self.counts.lifting_failures += 1;
        let literals: Vec<_> = abstraction
            .iter()
            .chain(predicates.exact(&point.state))
            .collect();
        let Some(core) =
            queries.lift(terms, step, predicates, point, target, literals.into_iter())?
        else {
            return Err(unrepeated());
        };
        let support = predicates.support_of(&core);
        let about = |literal: Literal| {
            let support_of_literal = predicates.support(literal.predicate());
            core.contains(literal)
                || support_of_literal
                    .iter()
                    .any(|variable| support.contains(variable))
        };
        let cube = abstraction.filter(about);
        Ok((core, cube))
    }

    /// Whether the step from a point leads into a cube.
    fn leads_into(&self, point: &ConcreteStep, cube: &Cube) -> bool {
        let mut evaluator = self.step.evaluator(&point.state, &point.inputs);
        cube.iter().all(|literal| {
            evaluator
                .value(&self.system.terms, self.predicates.after(literal))
                .is_true()
        })
    }

    pub(super) fn consecution(&mut self, level: usize, cube: &Cube) -> Result<Consecution, Reason> {
        self.queries.consecution(
            &mut self.system.terms,
            &self.step,
            &self.predicates,
            level,
            cube,
        )
    }

    /// An initial state in a cube.
    fn initial_state(&mut self, cube: &Cube) -> Result<Option<Vec<Value>>, Reason> {
        self.initiation(cube).map(Result::err)
    }

    /// Literals of the cube that no initial state satisfies together.
    pub(super) fn initial_core(&mut self, cube: &Cube) -> Result<Option<Cube>, Reason> {
        self.initiation(cube).map(Result::ok)
    }

    fn initiation(&mut self, cube: &Cube) -> Result<Result<Cube, Vec<Value>>, Reason> {
        self.queries
            .initiation(&self.system.terms, &self.step, &self.predicates, cube)
    }

    /// An initial state satisfies the abstraction of an obligation: a violation if every step from there is exact.
    fn reached(
        &mut self,
        number: usize,
        level: usize,
        initial: Vec<Value>,
    ) -> Result<Option<Trace>, Reason> {
        let obligation = self.obligations.get(number).clone();
        let start = if obligation.concrete == obligation.cube {
            Some(initial)
        } else {
            self.initial_state(&obligation.concrete)?
        };
        let Some(start) = start else {
            self.refine_initially(number)?;
            self.obligations.reopen(number, level);
            return Ok(None);
        };
        let chain: Vec<usize> = self.obligations.chain(number).collect();
        let missing = chain
            .iter()
            .position(|&link| self.obligations.get(link).spurious_step);
        let Some(missing) = missing else {
            if self.choose_otherwise(&chain)? {
                return Ok(None);
            }
            let inputs = chain
                .iter()
                .map(|&link| self.obligations.get(link).inputs.clone());
            let inputs = inputs.collect();
            return self.violation(start, inputs).map(Some);
        };
        // What leads there by the step that misses needs not be blocked; it may well be reached.
        self.obligations.close(chain[missing]);
        self.confront(chain[missing + 1], missing + 1)?;
        Ok(None)
    }

    /// The path to a violation is exact from the initial states up to a step into this obligation's abstraction, at a level:
    /// either the concrete states have a predecessor too, or the precision is refined.
    fn confront(&mut self, number: usize, level: usize) -> Result<(), Reason> {
        let level = level.min(self.frames.top());
        if self.block_concrete(number, level)? && level < self.frames.top() {
            self.obligations.reopen(number, level + 1);
        }
        Ok(())
    }

    fn violation(&mut self, initial: Vec<Value>, inputs: Vec<Vec<Value>>) -> Result<Trace, Reason> {
        let trace = self.step.trace(self.system, initial, &inputs);
        confirmed(self.system, trace)
    }

    /// Pushes every lemma as far as it holds. A level without lemmas of its own is a fixpoint: the lemmas above are an
    /// inductive invariant.
    fn propagate(&mut self) -> Result<Option<Term>, Reason> {
        for level in 1..self.frames.top() {
            for cube in self.frames.at(level).to_vec() {
                if self.frames.at(level).contains(&cube)
                    && let Consecution::Blocked(core) = self.consecution(level, &cube)?
                {
                    let core = self.initiated(&cube, core)?;
                    self.add_lemma(level + 1, core);
                }
            }
            if self.frames.at(level).is_empty() {
                return Ok(Some(self.invariant(level + 1)));
            }
        }
        Ok(None)
    }

    fn invariant(&mut self, level: usize) -> Term {
        let terms = &mut self.system.terms;
        let lemmas: Vec<Term> = self
            .frames
            .excluded(level)
            .map(|cube| clause(terms, &self.predicates, cube))
            .chain(self.invariants.iter().copied())
            .collect();
        terms.and_all(lemmas)
    }

    pub(super) fn add_lemma(&mut self, level: usize, cube: Cube) {
        for cube in self.orbit(cube) {
            self.counts.lemmas += 1;
            self.queries
                .block(&mut self.system.terms, &self.predicates, level, &cube);
            self.frames.block(level, cube);
        }
    }
}

fn unrepeated() -> Reason {
    Reason::Solver("wrong answer: a step does not repeat itself".to_owned())
}

/// Where an obligation comes from.
#[derive(Clone, Copy, Debug)]
enum Origin {
    /// The states are bad.
    Bad,
    /// A step leads into another one: into its concrete set, or just into its abstraction.
    Step { successor: usize, exact: bool },
}
