//! Symbolic execution of one block, with path merging (Sec. 5 of the paper; large-block encoding).
//!
//! One pass over the locations of the block in topological order. At every location the paths that arrive are merged into
//! one, so the result is linear in the block, not in its number of paths.

use std::collections::BTreeMap;

use program::model::{EdgeId, LocationId, RegisterId};
use system::term::Term;

use crate::semantics::executor::{Executor, Started};
use crate::semantics::inputs::Counters;
use crate::semantics::path::Path;
use crate::semantics::sink::Sink;

/// Where a block ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stop {
    /// At a cut point where the thread may go on.
    Cut(LocationId),
    /// Where it may not.
    Sink(Sink),
}

/// What executing a block gives.
#[derive(Clone, Debug)]
pub struct ExecutedBlock {
    /// The states in which the block may end.
    pub ends: BTreeMap<Stop, Path>,
    /// The statements that may be executed, in topological order.
    pub executed: Vec<EdgeId>,
    /// The threads that may be started.
    pub started: Vec<Started>,
}

/// A block that is executed.
#[derive(Debug)]
pub struct BlockExecution<'a> {
    executor: Executor<'a>,
    /// The location of the statement that is executed.
    source: LocationId,
    ends: BTreeMap<Stop, Vec<Path>>,
    executed: Vec<EdgeId>,
}

impl<'a> BlockExecution<'a> {
    /// Executes blocks with the statements of a thread.
    pub fn new(executor: Executor<'a>) -> Self {
        Self {
            source: executor.context.template(executor.instance).entry,
            executor,
            ends: BTreeMap::new(),
            executed: Vec::new(),
        }
    }

    /// Executes the block that begins at `source` with these registers.
    pub fn run(
        mut self,
        source: LocationId,
        registers: BTreeMap<RegisterId, Term>,
    ) -> ExecutedBlock {
        self.source = source;
        let template = self.executor.context.template(self.executor.instance);
        let automaton = self.executor.context.automaton(self.executor.instance);
        let order = automaton.cuts.block(template, &automaton.graph, source);
        let counters = Counters::before(self.executor.context, self.executor.instance, &order);
        let mut arrived: BTreeMap<LocationId, Vec<Path>> = BTreeMap::new();
        arrived.insert(source, vec![Path::new(registers)]);
        for location in order {
            let Some(path) = arrived
                .remove(&location)
                .and_then(|paths| self.executor.merge(paths))
            else {
                continue;
            };
            self.source = location;
            self.executor.atomic = template.locations[location].atomic_depth > 0;
            for &edge in automaton.graph.of(location) {
                self.executor.counters = counters[&location].clone();
                let statement = &template.edges[edge].statement;
                let after = self.executor.statement(statement, path.clone());
                for (sink, path) in std::mem::take(&mut self.executor.sinks) {
                    self.end(Stop::Sink(sink), path);
                }
                let Some(after) = after else {
                    continue;
                };
                self.executed.push(edge);
                let target = template.edges[edge].target;
                match self.stop_at(target) {
                    Some(Stop::Sink(Sink::Blocked)) if self.need_not_be_seen(edge) => {}
                    Some(stop) => self.end(stop, after),
                    None => arrived
                        .entry(target)
                        .or_default()
                        .push(self.trimmed(after, target)),
                }
            }
        }
        self.finish()
    }

    fn finish(mut self) -> ExecutedBlock {
        let ends = std::mem::take(&mut self.ends);
        let ends = ends
            .into_iter()
            .filter_map(|(stop, paths)| Some((stop, self.executor.merge(paths)?)))
            .collect();
        ExecutedBlock {
            ends,
            executed: self.executed,
            started: self.executor.started,
        }
    }

    /// The path without the registers that are dead at `target`.
    fn trimmed(&self, mut path: Path, target: LocationId) -> Path {
        path.keep_registers(
            self.executor
                .context
                .automaton(self.executor.instance)
                .live
                .at(target),
        );
        path
    }

    fn stop_at(&self, target: LocationId) -> Option<Stop> {
        let location = &self
            .executor
            .context
            .template(self.executor.instance)
            .locations[target];
        let atomic = self.executor.atomic;
        if let Some(sink) = Sink::of(location.kind, atomic) {
            return Some(Stop::Sink(sink));
        }
        let automaton = self.executor.context.automaton(self.executor.instance);
        automaton.cuts.kind(target)?;
        Some(Stop::Cut(target))
    }

    /// Whether a thread that an edge blocks need not be seen there, because nothing it did since the last external location counts,
    /// the edge included, or because it blocks the whole run: then the block is not enabled instead.
    fn need_not_be_seen(&self, edge: EdgeId) -> bool {
        let automaton = self.executor.context.automaton(self.executor.instance);
        let counts =
            automaton.after_effect.contains(self.source) || automaton.effects.contains(edge);
        !counts || self.executor.atomic
    }

    /// Ends the block.
    fn end(&mut self, stop: Stop, path: Path) {
        let path = match stop {
            Stop::Cut(target) => self.trimmed(path, target),
            Stop::Sink(_) => {
                let mut path = path;
                path.keep_registers(&[]);
                path
            }
        };
        self.ends.entry(stop).or_default().push(path);
    }
}
