//! Generalisation: from a blocked cube to a larger blocked set of states.
//!
//! `mic` drops literals one by one; `down` tries to make a candidate inductive by blocking the counterexamples to
//! generalisation (CTGs) at their own level or else by joining them (Hassan, Bradley, Somenzi, "Better generalization
//! in IC3", FMCAD 2013).

use system::transition_system::Reason;

use super::CtigarSearch;
use super::cube::{Cube, Literal};
use super::queries::{ConcreteStep, Consecution, Target};

/// After so many literals in a row that cannot be dropped, generalisation has become expensive for what it gains.
const FAILURES: usize = 3;

/// How many counterexamples to generalisation are blocked before one is joined.
const CTGS: usize = 3;

/// How deep counterexamples to the generalisation of counterexamples are followed.
const DEPTH: usize = 1;

impl CtigarSearch<'_> {
    /// Learns that the `cube` of an obligation is blocked at a level, and with it as many states as possible, as far as possible. `core`
    /// is the part of it that consecution needed. If no lemma may exclude it, the obligation becomes a larger one, and stays open.
    pub(super) fn learn(
        &mut self,
        (number, level): (usize, usize),
        cube: &Cube,
        core: Cube,
    ) -> Result<bool, Reason> {
        let mut core = self.initiated(cube, core)?;
        if !self.is_narrow(&core) {
            match self.narrowed(level, number, &core)? {
                Ok(part) => core = part,
                Err(choices) => {
                    self.obligations.widen(number, choices);
                    self.widen(number, level)?;
                    return Ok(false);
                }
            }
        }
        let (level, lemma) = self.generalise(level, core, 0)?;
        self.add_lemma(level, lemma);
        Ok(true)
    }

    /// A generalisation of a blocked cube, and the highest level where it is blocked.
    fn generalise(
        &mut self,
        level: usize,
        cube: Cube,
        depth: usize,
    ) -> Result<(usize, Cube), Reason> {
        let cube = self.mic(level, cube, depth)?;
        self.pushed(level, cube)
    }

    /// The literals of the core, and those of the cube that it takes to exclude the initial states.
    pub(super) fn initiated(&mut self, cube: &Cube, core: Cube) -> Result<Cube, Reason> {
        if self.initial_core(&core)?.is_some() {
            return Ok(core);
        }
        match self.initial_core(cube)? {
            Some(excluding) => Ok(core.union(&excluding)),
            None => Err(Reason::Solver(
                "wrong answer: a blocked cube has an initial state".to_owned(),
            )),
        }
    }

    /// Goes up while the cube stays blocked.
    fn pushed(&mut self, mut level: usize, mut cube: Cube) -> Result<(usize, Cube), Reason> {
        while level < self.frames.top() {
            match self.consecution(level, &cube)? {
                Consecution::Blocked(core) => {
                    cube = self.initiated(&cube, core)?;
                    level += 1;
                }
                Consecution::Open(_) => break,
            }
        }
        Ok((level, cube))
    }

    /// An inductive subclause from which no literal can be dropped, or from which [`FAILURES`] in a row could not.
    fn mic(&mut self, level: usize, mut cube: Cube, depth: usize) -> Result<Cube, Reason> {
        let mut failures = 0;
        for literal in self.dropping_order(&cube) {
            if cube.len() == 1 || failures == FAILURES {
                break;
            }
            if !cube.contains(literal) {
                continue;
            }
            match self.down(level, cube.without(literal), depth)? {
                Some(smaller) => {
                    cube = smaller;
                    failures = 0;
                }
                None => failures += 1,
            }
        }
        Ok(cube)
    }

    /// Bits first, then the predicates that were found last: what the program itself speaks of is kept longest.
    fn dropping_order(&self, cube: &Cube) -> Vec<Literal> {
        let mut literals: Vec<Literal> = cube.iter().collect();
        literals.sort_by_key(|literal| {
            let predicate = literal.predicate();
            (
                self.predicates.support(predicate).len() == 1,
                std::cmp::Reverse(predicate),
            )
        });
        literals
    }

    /// A part of the cube that is blocked at the level.
    fn down(&mut self, level: usize, mut cube: Cube, depth: usize) -> Result<Option<Cube>, Reason> {
        let mut ctgs = 0;
        loop {
            if self.initial_core(&cube)?.is_none() {
                return Ok(None);
            }
            let ctg = match self.consecution(level - 1, &cube)? {
                Consecution::Blocked(core) => return self.initiated(&cube, core).map(Some),
                Consecution::Open(_) if depth >= DEPTH => return Ok(None),
                Consecution::Open(ctg) => ctg,
            };
            if ctgs < CTGS && level > 1 && self.block_ctg(level - 1, &ctg, &cube, depth)? {
                ctgs += 1;
                continue;
            }
            ctgs = 0;
            let abstraction = self.literals_at(&ctg, &cube);
            if abstraction.is_empty() {
                return Ok(None);
            }
            cube = abstraction;
        }
    }

    /// Blocks a counterexample to generalisation, if it has no predecessor.
    fn block_ctg(
        &mut self,
        level: usize,
        ctg: &ConcreteStep,
        target: &Cube,
        depth: usize,
    ) -> Result<bool, Reason> {
        let (_, cube) = self.lift(ctg, Target::Cube(target))?;
        if self.initial_core(&cube)?.is_none() {
            return Ok(false);
        }
        let Consecution::Blocked(core) = self.consecution(level - 1, &cube)? else {
            return Ok(false);
        };
        let core = self.initiated(&cube, core)?;
        if !self.is_narrow(&core) {
            return Ok(false);
        }
        let (level, lemma) = self.generalise(level, core, depth + 1)?;
        self.add_lemma(level, lemma);
        Ok(true)
    }

    /// The literals of a cube that hold at a point.
    fn literals_at(&self, point: &ConcreteStep, cube: &Cube) -> Cube {
        let mut evaluator = self.step.evaluator(&point.state, &point.inputs);
        cube.filter(|literal| {
            evaluator
                .value(&self.system.terms, self.predicates.now(literal))
                .is_true()
        })
    }
}
