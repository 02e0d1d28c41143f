//! The engine: unwinds, asks whether runs come to violations, to loops that go on and to limits, and unwinds further.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use abi::ids::SiteId;
use abi::schedule::Schedule;
use encode::blocks::Cut;
use encode::constant_propagation::{ConstantPropagation, Knowledge};
use encode::context::EncodingContext;
use encode::counterexample::is_of_statements;
use encode::semantics::path::Variable;
use encode::semantics::sink::Sink;
use instrument::Concurrency;
use program::model::{Instances, Program};
use program::points_to::PointsTo;
use serde::{Deserialize, Serialize};
use solver::{Backend, FormulaSize, QueryStatistics};
use system::budget::Budget;
use system::term::Terms;
use system::transition_system::Reason as Stop;

use crate::candidates::Candidates;
use crate::claim::{Claim, ClaimError};
use crate::event::{End, EndKind, Unwinding};
use crate::loops::{Forests, Loop, LoopForest, UnwindingBounds};
use crate::schedule::{ScheduleError, Scheduler};
use crate::search::{Pause, Refutation, Search};
use crate::unwinding::unwind;
use crate::widths::Widths;

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How often the header of a loop may be passed again; deepened by the engine if absent.
    pub unwind: Option<u32>,
    /// What is said from the start of the order of events.
    pub scheduling: Scheduling,
    /// The solver.
    pub backend: Backend,
}

/// What is said from the start of the order of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Scheduling {
    /// Nothing (the paper): models whose event order graph has a cycle are excluded one after the other.
    Refined,
    /// All but cycles among three threads and more, where that is not too large.
    Pairs,
    /// All, as far as it is not too large.
    #[default]
    Encoded,
    /// All, by a clock for each event, where that is not too large: no model has a cycle.
    Clocks,
    /// As encoded, and which blocks of threads exclude each other is found out at once, and not only where a question is hard.
    Blocks,
}

impl Scheduling {
    /// After how many conflicts a question is asked again, with what is known of blocks that exclude each other.
    pub(crate) fn patience(self) -> u32 {
        match self {
            Self::Blocks => 1,
            Self::Refined | Self::Pairs | Self::Encoded | Self::Clocks => 20_000,
        }
    }
}

/// What was found out.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A run violates a property.
    Violation(Schedule),
    /// No run does, nor meets a limit; what is kept of the proof, and its formulas.
    Safe(Claim, Vec<Refutation>),
    /// No run violates a property; some meet these limits, those of the program by such schedules as far as it was seen to come there.
    Limits(Vec<(Sink, Option<Schedule>)>),
    /// No run of these violates a property; some others go on.
    Unwound(Searched),
    /// The search was stopped, after these runs.
    Stopped(Stop, Option<Searched>),
    /// No run violates a property otherwise than by an access that is invalid in the model alone.
    Stray(SiteId),
    /// A run in which a number looks like an address.
    LooksLikeAddress,
    /// A fault of this engine.
    Fault(ScheduleError),
}

/// Runs of which none violates a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Searched {
    /// They pass the header of no loop again more often.
    pub bound: u32,
    /// Whether only those are meant that meet no other limit.
    pub within_limits: bool,
}

/// How large formulas became, and how they were refined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Events.
    pub events: usize,
    /// Reads with their candidates.
    pub links: usize,
    /// Models whose graph was looked at.
    pub rounds: usize,
    /// Clauses that were added because of cycles.
    pub clauses: usize,
    /// The largest formula, with the clauses of cycles, if the solver counts that.
    pub formula: Option<FormulaSize>,
    /// How long it took to look at graphs of models.
    pub validation: Duration,
    /// How long it took to add what was learnt of them.
    pub refinement: Duration,
}

/// The engine.
pub struct Engine<'a> {
    context: EncodingContext<'a>,
    concurrency: Concurrency,
    /// What variables hold at any time.
    known: Knowledge,
    forests: Forests,
    options: Options,
    /// An access that is invalid in the model alone: that accesses are invalid is no violation from then on.
    stray: Option<SiteId>,
    /// Queries.
    pub queries: QueryStatistics,
    /// Sizes, of the last unwinding.
    pub statistics: Statistics,
}

impl<'a> Engine<'a> {
    /// An engine for a program.
    pub fn new(
        program: &'a Program,
        instances: &'a Instances,
        points_to: &'a PointsTo,
        encoding: encode::Options,
        options: Options,
    ) -> Self {
        let context = EncodingContext::new(program, instances, points_to, encoding);
        let forests = program.templates.iter().map(|(id, template)| {
            let automaton = &context.automata[id];
            let lets_others_run = |location| automaton.cuts.kind(location) == Some(Cut::External);
            LoopForest::new(template, &automaton.graph, &lets_others_run)
        });
        Self {
            forests: forests.collect(),
            concurrency: Concurrency::new(program, instances, points_to),
            known: ConstantPropagation::analyse(&context).all,
            context,
            options,
            stray: None,
            queries: QueryStatistics::default(),
            statistics: Statistics::default(),
        }
    }

    /// Searches for violations. `found` is told again and again which runs have none.
    pub fn check(&mut self, budget: &Budget, found: &dyn Fn(Searched)) -> Outcome {
        let mut bounds = UnwindingBounds::all(self.options.unwind.unwrap_or(1));
        let mut widths = Widths::default();
        let mut searched = None;
        loop {
            match self.round(&bounds, &mut widths, budget) {
                Err(Pause::Stopped(stop)) => return Outcome::Stopped(stop, searched),
                Err(Pause::TooWide(variables)) => {
                    for (variable, needed) in variables {
                        widths.widen(&self.context, variable, needed);
                    }
                    widths.after_round();
                }
                Ok(Round::Decided(Outcome::Stray(site))) if self.stray.is_none() => {
                    self.stray = Some(site);
                }
                Ok(Round::Decided(outcome)) => return outcome,
                Ok(Round::Beyond(loops, within_limits)) => {
                    let bound = loops.iter().map(|&which| bounds.of(which)).min();
                    let runs = Searched {
                        bound: bound.unwrap_or_default(),
                        within_limits,
                    };
                    if self.options.unwind.is_some() {
                        return Outcome::Unwound(runs);
                    }
                    found(runs);
                    searched = Some(runs);
                    loops.into_iter().for_each(|which| bounds.double(which));
                }
            }
        }
    }

    /// All threads within bounds, with as many bits of variables as are evident.
    fn unwind(
        &self,
        bounds: &UnwindingBounds,
        widths: &mut Widths,
        budget: &Budget,
    ) -> Result<(Terms, Unwinding), Stop> {
        loop {
            let mut terms = Terms::new();
            let unwinding = unwind(
                &self.context,
                (&self.concurrency, &self.known),
                &self.forests,
                (bounds, widths),
                (&mut terms, budget),
            );
            if let Some(stop) = budget.exhausted() {
                return Err(stop);
            }
            if unwinding.evident_widths.is_empty() {
                return Ok((terms, unwinding));
            }
            for (&variable, &bits) in &unwinding.evident_widths {
                widths.raise(&self.context, variable, bits);
            }
        }
    }

    /// All threads within bounds, and what reads may read from.
    fn prepare(
        &self,
        bounds: &UnwindingBounds,
        widths: &mut Widths,
        budget: &Budget,
    ) -> Result<(Terms, Unwinding, Candidates), Pause> {
        let (mut terms, unwinding) = self.unwind(bounds, widths, budget)?;
        let candidates = Candidates::new(&unwinding, &mut terms, budget);
        if let Some(stop) = budget.exhausted() {
            return Err(Pause::Stopped(stop));
        }
        let sums = candidates.sums.iter();
        let too_wide = sums.filter_map(|(&variable, sum)| {
            let bits = widths.of(&self.context, variable)?;
            (bits < sum.width).then_some((variable, sum.width))
        });
        let too_wide: BTreeMap<Variable, u32> = too_wide.collect();
        if !too_wide.is_empty() {
            return Err(Pause::TooWide(too_wide));
        }
        Ok((terms, unwinding, candidates))
    }

    /// The formulas of a proof that was kept.
    ///
    /// # Errors
    /// The claim is about another program, or the budget is exhausted.
    pub fn refutations(
        &mut self,
        claim: &Claim,
        budget: &Budget,
    ) -> Result<Vec<Refutation>, ClaimError> {
        let bounds = claim.bounds(self.context.program)?;
        let mut widths = claim.widths(self.context.instances)?;
        let prepared = self.prepare(&bounds, &mut widths, budget);
        let (mut terms, unwinding, candidates) = prepared.map_err(|pause| match pause {
            Pause::Stopped(stop) => ClaimError::Stopped(stop),
            Pause::TooWide(_) => ClaimError::Unusable("it looks at too few bits"),
        })?;
        let ends = Ends::new(&unwinding, false);
        let options = Options {
            scheduling: claim.scheduling,
            ..self.options
        };
        let mut search = Search::new(
            options,
            (&mut self.queries, &mut self.statistics),
            (&unwinding, &candidates),
            (&mut terms, budget),
        );
        let mut excluded = claim.excluded.iter().cloned();
        for (goals, others) in ends.questions() {
            search.claimed((goals, others), &mut excluded)?;
        }
        match excluded.next() {
            Some(_) => Err(ClaimError::Unusable("it is about another formula")),
            None => Ok(search.into_refutations()),
        }
    }

    fn round(
        &mut self,
        bounds: &UnwindingBounds,
        widths: &mut Widths,
        budget: &Budget,
    ) -> Result<Round, Pause> {
        let (mut terms, unwinding, candidates) = self.prepare(bounds, widths, budget)?;
        self.statistics.events = unwinding.events.len();
        let ends = Ends::new(&unwinding, self.stray.is_some());
        let scheduler = || Scheduler::new(&self.context, (&self.forests, bounds), &unwinding);
        let mut search = Search::new(
            self.options,
            (&mut self.queries, &mut self.statistics),
            (&unwinding, &candidates),
            (&mut terms, budget),
        );
        let [violations, unwound, limits] = ends.questions();
        if let Some(run) = search.reach(violations.0, violations.1)? {
            let end = &unwinding.ends[run.end];
            return Ok(Round::Decided(
                match scheduler().run(&run.order, end, &run.values) {
                    Ok(schedule) => Outcome::Violation(schedule),
                    Err(ScheduleError::Stray(site)) => Outcome::Stray(site),
                    Err(_) if self.context.instances.has_numbers() => Outcome::LooksLikeAddress,
                    Err(error) => Outcome::Fault(error),
                },
            ));
        }
        let beyond = search.kinds(unwound.0)?.into_keys();
        let beyond: BTreeSet<Loop> = beyond.filter_map(EndKind::unwound).collect();
        if !beyond.is_empty() {
            return Ok(Round::Beyond(beyond, !ends.limits.is_empty()));
        }
        let met = search
            .kinds(limits.0)?
            .into_iter()
            .filter_map(|(kind, run)| {
                let end = &unwinding.ends[run.end];
                let schedule = scheduler().limit(&run.order, end, &run.values);
                Some((kind.sink()?, schedule))
            });
        let met: Vec<(Sink, Option<Schedule>)> = met.collect();
        Ok(Round::Decided(match (self.stray, met.is_empty()) {
            (Some(site), _) => Outcome::Stray(site),
            (None, true) => {
                let refutations = search.into_refutations();
                let claim = Claim::new((bounds, widths), self.options.scheduling, &refutations);
                Outcome::Safe(claim, refutations)
            }
            (None, false) => Outcome::Limits(met),
        }))
    }
}

/// The ends of an unwinding, but for those at which too much is written.
struct Ends {
    violations: Vec<usize>,
    /// Where a loop goes on.
    unwound: Vec<usize>,
    limits: Vec<usize>,
    /// All but violations.
    others: Vec<usize>,
}

impl Ends {
    fn new(unwinding: &Unwinding, but_accesses: bool) -> Self {
        let kind = |end: usize| unwinding.ends[end].kind;
        let (violations, others): (Vec<usize>, Vec<usize>) = (0..unwinding.ends.len())
            .filter(|&end| !matches!(kind(end), EndKind::TooWide(_)))
            .partition(|&end| is_violation(&unwinding.ends[end], but_accesses));
        let (unwound, limits) = others
            .iter()
            .partition(|&&end| matches!(kind(end), EndKind::Unwinding(_)));
        Self {
            violations,
            unwound,
            limits,
            others,
        }
    }

    /// What is asked for, one after the other: the ends that a run comes to, and those that it does not come to before.
    fn questions(&self) -> [(&[usize], &[usize]); 3] {
        let all = [&self.violations, &self.unwound, &self.limits];
        let [violations, unwound, limits] = all.map(Vec::as_slice);
        [(violations, &self.others), (unwound, &[]), (limits, &[])]
    }
}

/// Whether an end violates a property; invalid accesses may be none.
fn is_violation(end: &End, but_accesses: bool) -> bool {
    match end.kind {
        EndKind::Sink(Sink::Error(property)) => !but_accesses || !is_of_statements(property),
        EndKind::Sink(_) | EndKind::Unwinding(_) | EndKind::TooWide(_) => false,
    }
}

/// What a round of unwinding found out.
enum Round {
    Decided(Outcome),
    /// Loops that have to be unwound further, and whether there may be other limits.
    Beyond(BTreeSet<Loop>, bool),
}
