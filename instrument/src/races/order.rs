//! What atomic accesses leave open that are not sequentially consistent.
//!
//! A search follows runs in which every read finds what was written last. Two things keep it from being a proof. A read may find what was
//! written without order: then what the other thread did before need not have happened. And accesses that only acquire and release may leave
//! threads of two minds about the order of writes to several variables. `docs/reduction.md` argues both rules.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use cranelift_entity::EntitySet;
use program::model::{
    Bits, LocationId, MutexOperation, ObjectId, Operand, Statement, UpdateOperator, WeakOrder,
};

use super::Place;
use super::accesses::Kind;
use crate::mover_analysis::MoverAnalysis;
use crate::occurrence::Occurrence;

/// What a read may find although nothing of what other threads did before is behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// This value; a compare-and-swap fails.
    Value(Operand),
    /// Any value; a compare-and-swap fails.
    Any,
    /// What the model cannot say: a compare-and-swap may succeed.
    Open,
}

impl Finding {
    /// The result of a try of a mutex that fails.
    pub(super) fn busy() -> Self {
        Self::Value(Operand::Constant(Bits::new(32, abi::mutex::BUSY.into())))
    }

    fn with(self, other: Self) -> Self {
        match (self, other) {
            (Self::Open, _) | (_, Self::Open) => Self::Open,
            (one, other) if one == other => one,
            (Self::Value(_) | Self::Any, Self::Value(_) | Self::Any) => Self::Any,
        }
    }
}

/// An atomic access of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Atomic<'a> {
    pub occurrence: Occurrence,
    pub place: Place,
    pub kind: Kind,
    pub statement: &'a Statement,
    /// Whether it is as wide as an address: then it may be one, and any value is none.
    pub may_be_address: bool,
}

impl Atomic<'_> {
    /// What it may find of a write of another thread that does not come before it, if its order or that of the write is weak.
    fn finds(&self, write: &Self) -> Option<Finding> {
        self.finds_of(write).map(|finding| self.known(finding))
    }

    /// The finding, if the access may find any value.
    fn known(&self, finding: Finding) -> Finding {
        match finding == Finding::Any && self.may_be_address {
            true => Finding::Open,
            false => finding,
        }
    }

    fn finds_of(&self, write: &Self) -> Option<Finding> {
        let (reading, writing) = (self.weak(), write.weak().writes);
        if !self.kind.reads || !write.kind.writes {
            return None;
        }
        if let Statement::AtomicRmw { operator, .. } = self.statement
            && *operator != UpdateOperator::Exchange
            && operator.binary().is_none()
        {
            return (reading.reads || writing).then_some(Finding::Open);
        }
        // Of a wider or narrower access, it finds a part or more.
        let written = write
            .written()
            .filter(|_| write.kind.size == self.kind.size);
        let Statement::CompareExchange { expected, .. } = *self.statement else {
            let found = written.map_or(Finding::Any, Finding::Value);
            return match reading.fails {
                true => Some(Finding::Any),
                false => writing.then_some(found),
            };
        };
        let are_constant = matches!(expected, Operand::Constant(_)) && written.is_some();
        let may_succeed = !are_constant || written == Some(expected);
        if reading.reads || writing && may_succeed {
            return Some(Finding::Open);
        }
        (reading.fails || writing).then_some(Finding::Any)
    }

    /// The constant that it writes, if it writes one.
    fn written(&self) -> Option<Operand> {
        let value = if let Statement::Store { value, .. } = *self.statement {
            value
        } else if let Statement::CompareExchange { desired, .. } = *self.statement {
            desired
        } else if let Statement::AtomicRmw {
            operator: UpdateOperator::Exchange,
            operand,
            ..
        } = *self.statement
        {
            operand
        } else {
            return None;
        };
        matches!(value, Operand::Constant(_)).then_some(value)
    }

    fn weak(&self) -> WeakOrder {
        self.kind.weak.unwrap_or_default()
    }

    /// Whether all of what it does is sequentially consistent.
    fn is_sequential(&self) -> bool {
        self.kind.weak.is_none()
    }

    /// Whether it writes what it reads in one step.
    fn is_update(&self) -> bool {
        matches!(
            self.statement,
            Statement::AtomicRmw { .. } | Statement::CompareExchange { .. }
        )
    }

    /// Whether it does so whenever it is not told to find anything.
    fn only_updates(&self) -> bool {
        let may_fail = matches!(self.statement, Statement::CompareExchange { .. });
        self.is_update() && (!may_fail || self.weak().fails)
    }
}

/// The atomic accesses that other threads may make at the same time, and what is open of them.
#[derive(Default)]
pub(super) struct Order<'a> {
    /// What reads may find.
    pub findings: BTreeMap<Place, Finding>,
    /// Accesses, and writes of other threads at the same time to the same place.
    contended: Vec<(Atomic<'a>, Atomic<'a>)>,
}

impl<'a> Order<'a> {
    /// Two accesses of which one may write what the other accesses at the same time.
    pub(super) fn compare(&mut self, one: Atomic<'a>, other: Atomic<'a>) {
        for (access, write) in [(one, other), (other, one)] {
            if let Some(finding) = access.finds(&write) {
                let known = self.findings.entry(access.place).or_insert(finding);
                *known = access.known(known.with(finding));
            }
            // What may find anything is not told what comes before which write by what it finds.
            let finds_anything = access.weak().fails && !access.kind.writes;
            if write.kind.writes && !finds_anything {
                self.contended.push((access, write));
            }
        }
    }

    /// Accesses of which at least one is made, or next, when threads are first of two minds about the order of writes.
    pub(super) fn divided(&self, analysis: &MoverAnalysis<'_>) -> BTreeSet<Place> {
        let pairs = self.undecided_pairs();
        let cells = Cells::new(analysis, &pairs);
        let segments = segments(analysis, &pairs, &cells);
        let (names, segments): (Vec<_>, Vec<_>) = segments.into_iter().unzip();
        let is_next = |&(write, access): &(usize, usize), next: &(usize, usize)| {
            let thread = |cell: usize| cells.all[cell].0;
            thread(write) != thread(next.0)
                && thread(access) != thread(next.1)
                && cells.pairs.contains(&(access, next.0))
        };
        let follow = |segment: &(usize, usize), found: &mut Vec<usize>| {
            let next = names.iter().enumerate();
            let next = next.filter(|(_, next)| is_next(segment, next));
            found.extend(next.map(|(index, _)| index));
        };
        let returns = |start: usize| {
            let mut seen = BTreeSet::new();
            let mut pending = Vec::new();
            follow(&names[start], &mut pending);
            while let Some(segment) = pending.pop() {
                if seen.insert(segment) {
                    follow(&names[segment], &mut pending);
                }
            }
            seen.contains(&start)
        };
        let weak = segments.iter().enumerate();
        let divided = weak.filter(|&(index, accesses)| !accesses.is_empty() && returns(index));
        let accesses = divided.flat_map(|(_, accesses)| accesses);
        accesses
            .map(|&access| pairs.atomics[access].place)
            .collect()
    }

    /// Accesses with writes of other threads whose order nothing decides.
    fn undecided_pairs(&self) -> Pairs<'a> {
        let mut pairs = Pairs::default();
        let mut numbers = BTreeMap::new();
        let mut only_updated = Vec::new();
        for &(access, write) in &self.contended {
            let pair = [access, write].map(|atomic| {
                *numbers.entry(atomic.occurrence).or_insert_with(|| {
                    pairs.atomics.push(atomic);
                    only_updated.push(true);
                    pairs.atomics.len() - 1
                })
            });
            for one in pair {
                only_updated[one] &= write.is_update();
            }
            pairs.all.insert(pair.into());
        }
        // Updates that acquire are behind all earlier ones that release.
        let is_decided = |&(access, write): &(usize, usize)| {
            let [one, other] = [access, write].map(|atomic| pairs.atomics[atomic]);
            only_updated[access]
                && only_updated[write]
                && one.only_updates()
                && !one.weak().writes
                && !other.weak().reads
        };
        let decided: Vec<_> = pairs.all.iter().copied().filter(is_decided).collect();
        for pair in decided {
            pairs.all.remove(&pair);
        }
        pairs
    }
}

/// Atomic accesses by number, and pairs of an access with a write of another thread.
#[derive(Default)]
struct Pairs<'a> {
    atomics: Vec<Atomic<'a>>,
    all: BTreeSet<(usize, usize)>,
}

/// A thread, and a place that it accesses; none if that is not known.
type Cell = (InstanceId, Option<(ObjectId, u32)>);

/// The accesses of each thread to each place.
struct Cells {
    all: Vec<Cell>,
    /// The cell of each access.
    of: Vec<usize>,
    /// The pairs of accesses by their cells.
    pairs: BTreeSet<(usize, usize)>,
}

impl Cells {
    fn new(analysis: &MoverAnalysis<'_>, pairs: &Pairs<'_>) -> Self {
        let mut all = Vec::new();
        let cell = |atomic: &Atomic<'_>| {
            let Occurrence { instance, .. } = atomic.occurrence;
            let context = &analysis.context;
            let target = context.definite_target(instance, atomic.kind.address);
            let cell = (instance, target);
            all.iter()
                .position(|&known| known == cell)
                .unwrap_or_else(|| {
                    all.push(cell);
                    all.len() - 1
                })
        };
        let of = Vec::from_iter(pairs.atomics.iter().map(cell));
        let of_pair = |&(access, write): &(usize, usize)| (of[access], of[write]);
        Self {
            pairs: pairs.all.iter().map(of_pair).collect(),
            all,
            of,
        }
    }

    /// Whether accesses in two cells may be to different places.
    fn may_differ(&self, one: usize, other: usize) -> bool {
        self.all[one].1.is_none() || self.all[one].1 != self.all[other].1
    }
}

/// The cells of a write that comes before an access to another variable, with those of these accesses that are not sequentially consistent in
/// one order with the write.
fn segments(
    analysis: &MoverAnalysis<'_>,
    pairs: &Pairs<'_>,
    cells: &Cells,
) -> BTreeMap<(usize, usize), BTreeSet<usize>> {
    let writes: BTreeSet<usize> = pairs.all.iter().map(|&(_, write)| write).collect();
    let accesses: BTreeSet<usize> = pairs.all.iter().map(|&(access, _)| access).collect();
    let mut flow = Flow::new(analysis, pairs);
    let is_sequential = |atomic: usize| pairs.atomics[atomic].is_sequential();
    let with_others = |atomic: usize| {
        let mut all = pairs
            .all
            .iter()
            .filter(|pair| pair.0 == atomic || pair.1 == atomic);
        all.all(|&(access, write)| is_sequential(access) && is_sequential(write))
    };
    let mut segments = BTreeMap::<_, BTreeSet<usize>>::new();
    for &write in &writes {
        for &access in &accesses {
            let cell = (cells.of[write], cells.of[access]);
            if !cells.may_differ(cell.0, cell.1) {
                continue;
            }
            let [from, to] = [write, access].map(|atomic| pairs.atomics[atomic].occurrence);
            let is_one_thread = from.instance == to.instance;
            let comes_before = match is_one_thread {
                true => flow.leads(from, to),
                false => flow.acquires_before(to),
            };
            if !comes_before {
                continue;
            }
            let are_sequential = match is_one_thread {
                true => is_sequential(write) && is_sequential(access),
                false => with_others(write) && with_others(access),
            };
            let weak = segments.entry(cell).or_default();
            weak.extend(Some(access).filter(|_| !are_sequential));
        }
    }
    segments
}

/// What comes before what in the control flow of threads.
struct Flow<'a, 'b> {
    analysis: &'a MoverAnalysis<'b>,
    /// The locations that follow an access.
    behind: BTreeMap<Occurrence, EntitySet<LocationId>>,
    /// The locations of each thread behind what may let it know of what others did before.
    informed: BTreeMap<InstanceId, EntitySet<LocationId>>,
    /// Atomic reads that acquire.
    acquiring: BTreeSet<Occurrence>,
}

impl<'a, 'b> Flow<'a, 'b> {
    fn new(analysis: &'a MoverAnalysis<'b>, pairs: &Pairs<'_>) -> Self {
        let atomics = pairs.atomics.iter();
        let acquires = |weak: WeakOrder| !(weak.reads && weak.fails);
        let acquiring = atomics.filter(|atomic| atomic.kind.reads && acquires(atomic.weak()));
        Self {
            analysis,
            behind: BTreeMap::new(),
            informed: BTreeMap::new(),
            acquiring: acquiring.map(|atomic| atomic.occurrence).collect(),
        }
    }

    fn reachable(
        &self,
        instance: InstanceId,
        from: impl IntoIterator<Item = LocationId>,
    ) -> EntitySet<LocationId> {
        let context = &self.analysis.context;
        let outgoing = &context.graph(instance).outgoing;
        outgoing.reachable(context.template(instance), from)
    }

    /// Whether a thread may execute the second statement after the first.
    fn leads(&mut self, from: Occurrence, to: Occurrence) -> bool {
        if !self.behind.contains_key(&from) {
            let target = self.analysis.edge(from).target;
            let found = self.reachable(from.instance, [target]);
            self.behind.insert(from, found);
        }
        self.behind[&from].contains(self.analysis.edge(to).source)
    }

    /// Whether a thread may know what others did when it executes a statement. A thread that is created knows what its creator knew.
    fn acquires_before(&mut self, to: Occurrence) -> bool {
        if to.instance != InstanceId::MAIN {
            return true;
        }
        if !self.informed.contains_key(&to.instance) {
            let edges = self.analysis.context.edges(to.instance);
            let targets = edges.filter_map(|(id, edge)| {
                let occurrence = Occurrence {
                    instance: to.instance,
                    edge: id,
                };
                let acquires = self.acquiring.contains(&occurrence)
                    || matches!(
                        edge.statement,
                        Statement::Join { .. }
                            | Statement::AtomicBegin
                            | Statement::Mutex {
                                operation: MutexOperation::Lock | MutexOperation::TryLock,
                                ..
                            }
                    );
                acquires.then_some(edge.target)
            });
            let targets = Vec::from_iter(targets);
            let found = self.reachable(to.instance, targets);
            self.informed.insert(to.instance, found);
        }
        self.informed[&to.instance].contains(self.analysis.edge(to).source)
    }
}
