//! Data races of random programs whose atomic accesses have orders of all kinds, against the axioms of C11 as RC11 and C++20 have them: where
//! an execution has a race, a program that looks for races has one or meets a limit, and where it has one, so does an execution.

use abi::ids::SiteId;
use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global};
use program::model::{
    Comparison, GlobalId, LocationKind, Program, Property, Statement, UpdateOperator, WeakOrder,
    Words,
};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::explorer::{Found, unreduced};
use super::programs::Subject;
use super::random::cases;
use crate::races::look_for_races;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Relaxed,
    Acquire,
    Release,
    Both,
    Sequential,
}

impl Order {
    fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::Both | Self::Sequential)
    }

    fn releases(self) -> bool {
        matches!(self, Self::Release | Self::Both | Self::Sequential)
    }
}

/// What a thread does to a variable.
#[derive(Clone, Copy, Debug)]
enum Action {
    Load(Order),
    Store(u8, Order),
    Exchange(u8, Order),
    /// From one value to another one, with an order for success and one for failure.
    Swap(u8, u8, Order, Order),
    /// Writes the plain variable instead.
    Plain,
}

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
struct Piece {
    variable: usize,
    action: Action,
    /// The thread goes on only if it finds this.
    wanted: Option<u8>,
}

impl Piece {
    fn is_plain(&self) -> bool {
        matches!(self.action, Action::Plain)
    }
}

const VARIABLES: usize = 2;
const VALUES: [u8; 3] = [0, 1, 2];

/// What threads do, one after the other.
type Threads = Vec<Vec<Piece>>;

fn order(orders: &'static [Order]) -> impl Strategy<Value = Order> {
    prop::sample::select(orders)
}

fn piece() -> impl Strategy<Value = Piece> {
    use Order::{Acquire, Both, Relaxed, Release, Sequential};
    let loads = || order(&[Relaxed, Acquire, Acquire, Sequential]);
    let updates = || order(&[Relaxed, Acquire, Release, Both, Both, Sequential]);
    let value = || 1..3u8;
    let action = prop_oneof![
        4 => loads().prop_map(Action::Load),
        4 => (value(), order(&[Relaxed, Release, Release, Sequential]))
            .prop_map(|(value, order)| Action::Store(value, order)),
        1 => (0..3u8, updates()).prop_map(|(value, order)| Action::Exchange(value, order)),
        1 => (0..3u8, value(), updates(), loads())
            .prop_map(|(from, to, order, fails)| Action::Swap(from, to, order, fails)),
    ];
    let wanted = prop::option::weighted(0.8, 0..3u8);
    (0..VARIABLES, action, wanted).prop_map(|(variable, action, wanted)| Piece {
        variable,
        wanted: wanted.filter(|_| !matches!(action, Action::Store(..))),
        action,
    })
}

const PLAIN: Piece = Piece {
    variable: 0,
    action: Action::Plain,
    wanted: None,
};

fn load(variable: usize, wanted: u8) -> impl Strategy<Value = Piece> {
    use Order::{Acquire, Relaxed, Sequential};
    let orders = order(&[Relaxed, Acquire, Acquire, Sequential, Sequential]);
    orders.prop_map(move |order| Piece {
        variable,
        action: Action::Load(order),
        wanted: Some(wanted),
    })
}

fn write(variable: usize) -> impl Strategy<Value = Piece> {
    use Order::{Both, Release, Sequential};
    let orders = order(&[Release, Release, Sequential, Sequential]);
    let stores = orders.prop_map(|order| Action::Store(1, order));
    let updates = order(&[Both, Sequential]).prop_map(|order| Action::Exchange(1, order));
    prop_oneof![3 => stores, 1 => updates].prop_map(move |action| Piece {
        variable,
        action,
        wanted: None,
    })
}

fn list(pieces: impl Strategy<Value = Piece>, most: usize) -> impl Strategy<Value = Vec<Piece>> {
    prop::collection::vec(pieces, 0..=most)
}

/// Threads of which each says that it comes, and writes if the other one has not.
fn buffers() -> impl Strategy<Value = Threads> {
    let thread = |own: usize| {
        let other = 1 - own;
        (write(own), list(piece(), 1), load(other, 0))
            .prop_map(|(says, more, looks)| [vec![says], more, vec![looks, PLAIN]].concat())
    };
    (thread(0), thread(1)).prop_map(|(one, other)| vec![one, other])
}

/// A thread that hands over to another one, or by way of a third one to that.
fn messages() -> impl Strategy<Value = Threads> {
    let two = (list(piece(), 1), write(0), load(0, 1), list(piece(), 1)).prop_map(
        |(more, says, looks, others)| {
            let first = [vec![PLAIN], more, vec![says]].concat();
            vec![first, [vec![looks], others, vec![PLAIN]].concat()]
        },
    );
    let three = (write(0), load(0, 1), write(1), load(1, 1), 0..3usize).prop_map(
        |(says, looks, says_too, looks_too, other)| {
            let by_way = match other {
                0 => vec![looks, PLAIN, says_too],
                _ => vec![looks, says_too],
            };
            vec![vec![PLAIN, says], by_way, vec![looks_too, PLAIN]]
        },
    );
    prop_oneof![two, three]
}

/// Two threads write, and two others look in which order; or one of the writers looks itself.
fn witnesses() -> impl Strategy<Value = Threads> {
    let looks = |one: usize| (load(one, 1), load(1 - one, 0));
    (write(0), write(1), looks(0), looks(1), any::<bool>()).prop_map(
        |(one, other, first, second, are_three)| {
            let first = vec![first.0, first.1, PLAIN];
            match are_three {
                true => vec![vec![one], first, vec![other, second.1, PLAIN]],
                false => vec![
                    vec![one],
                    vec![other],
                    first,
                    vec![second.0, second.1, PLAIN],
                ],
            }
        },
    )
}

/// Threads that change both variables in one step each, and look at the second one.
fn updates() -> impl Strategy<Value = Threads> {
    use Order::{Acquire, Both, Release, Sequential};
    let update = |variable, wanted| {
        let orders = order(&[Acquire, Release, Both, Both, Sequential]);
        (1..3u8, orders).prop_map(move |(value, order)| Piece {
            variable,
            action: Action::Exchange(value, order),
            wanted,
        })
    };
    let thread = move |own: usize| {
        (update(own, None), update(1 - own, Some(0))).prop_map(|(one, two)| vec![one, two, PLAIN])
    };
    (thread(0), thread(1)).prop_map(|(one, other)| vec![one, other])
}

/// A lock that two threads take once each, and more.
fn locks() -> impl Strategy<Value = Threads> {
    use Order::{Acquire, Both, Relaxed, Release, Sequential};
    let take = (
        order(&[Acquire, Both, Sequential, Relaxed]),
        order(&[Relaxed, Acquire, Sequential]),
    );
    let take = (take, any::<bool>()).prop_map(|((order, fails), swaps)| Piece {
        variable: 0,
        action: match swaps {
            true => Action::Swap(0, 1, order, fails),
            false => Action::Exchange(1, order),
        },
        wanted: Some(0),
    });
    let give = order(&[Release, Release, Sequential, Relaxed]).prop_map(|order| Piece {
        variable: 0,
        action: Action::Store(0, order),
        wanted: None,
    });
    let thread = (take, list(piece(), 1), give)
        .prop_map(|(takes, more, gives)| [vec![takes, PLAIN], more, vec![gives]].concat());
    prop::collection::vec(thread, 2)
}

fn threads() -> impl Strategy<Value = Threads> {
    let any = |threads, most| {
        let pieces = prop_oneof![4 => piece(), 1 => Just(PLAIN)];
        let thread = list(pieces, most).prop_map(|pieces| [pieces, vec![PLAIN]].concat());
        prop::collection::vec(thread, threads)
    };
    prop_oneof![
        2 => any(2, 3),
        1 => any(3, 2),
        3 => buffers(),
        3 => messages(),
        2 => witnesses(),
        2 => updates(),
        3 => locks(),
    ]
}

/// An event of an execution: an access to a variable, or to the plain one.
#[derive(Clone, Copy, Debug)]
struct Event {
    thread: usize,
    /// None of the plain variable.
    variable: Option<usize>,
    read: Option<u8>,
    written: Option<u8>,
    order: Order,
}

/// What a thread may do, whatever it reads.
fn paths(thread: usize, pieces: &[Piece]) -> Vec<Vec<Event>> {
    let mut paths = Vec::new();
    let mut open: Vec<Vec<Event>> = vec![Vec::new()];
    for piece in pieces {
        let mut next = Vec::new();
        for path in open {
            for found in VALUES {
                let (read, written, order) = match piece.action {
                    Action::Plain => (None, Some(0), Order::Relaxed),
                    Action::Load(order) => (Some(found), None, order),
                    Action::Store(value, order) => (None, Some(value), order),
                    Action::Exchange(value, order) => (Some(found), Some(value), order),
                    Action::Swap(from, to, order, _) if found == from => {
                        (Some(found), Some(to), order)
                    }
                    Action::Swap(_, _, _, fails) => (Some(found), None, fails),
                };
                if read.is_none() && found != 0 {
                    continue;
                }
                let mut longer = path.clone();
                longer.push(Event {
                    thread,
                    variable: Some(piece.variable).filter(|_| !piece.is_plain()),
                    read,
                    written,
                    order,
                });
                match piece.wanted.is_none_or(|wanted| wanted == found) {
                    true => next.push(longer),
                    false => paths.push(longer),
                }
            }
        }
        open = next;
    }
    paths.extend(open);
    paths
}

/// A relation on events, or what is computed of one.
#[derive(Clone)]
struct Relation {
    size: usize,
    pairs: Vec<bool>,
}

impl Relation {
    fn new(size: usize, holds: impl Fn(usize, usize) -> bool) -> Self {
        let pairs = (0..size * size).map(|pair| holds(pair / size, pair % size));
        Self {
            size,
            pairs: pairs.collect(),
        }
    }

    fn has(&self, from: usize, to: usize) -> bool {
        self.pairs[from * self.size + to]
    }

    fn or(&self, other: &Self) -> Self {
        Self::new(self.size, |from, to| {
            self.has(from, to) || other.has(from, to)
        })
    }

    fn then(&self, other: &Self) -> Self {
        Self::new(self.size, |from, to| {
            (0..self.size).any(|between| self.has(from, between) && other.has(between, to))
        })
    }

    fn closed(&self) -> Self {
        let mut closed = self.clone();
        for between in 0..self.size {
            for from in 0..self.size {
                for to in 0..self.size {
                    if closed.has(from, between) && closed.has(between, to) {
                        closed.pairs[from * self.size + to] = true;
                    }
                }
            }
        }
        closed
    }

    fn is_acyclic(&self) -> bool {
        let closed = self.closed();
        (0..self.size).all(|event| !closed.has(event, event))
    }
}

/// Whether an execution with these events has a race. Each variable starts with an event that writes 0.
fn has_race_with(paths: &[&Vec<Event>]) -> bool {
    let first = (0..VARIABLES).map(|variable| Event {
        thread: usize::MAX,
        variable: Some(variable),
        read: None,
        written: Some(0),
        order: Order::Relaxed,
    });
    let events: Vec<Event> = first
        .chain(paths.iter().copied().flatten().copied())
        .collect();
    let plain = events.iter().filter(|event| event.variable.is_none());
    if plain.count() < 2 {
        return false;
    }
    let mut orders: Vec<Vec<Vec<usize>>> = vec![Vec::new()];
    for variable in 0..VARIABLES {
        let writes = (VARIABLES..events.len()).filter(|&event| {
            events[event].variable == Some(variable) && events[event].written.is_some()
        });
        let all = permutations(&Vec::from_iter(writes));
        orders = orders
            .iter()
            .flat_map(|known| {
                all.iter().map(|order| {
                    let order = [vec![variable], order.clone()].concat();
                    known.iter().cloned().chain([order]).collect()
                })
            })
            .collect();
    }
    orders.iter().any(|order| has_race_in_order(&events, order))
}

fn permutations(events: &[usize]) -> Vec<Vec<usize>> {
    if events.is_empty() {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for (position, &event) in events.iter().enumerate() {
        let rest = [&events[..position], &events[position + 1..]].concat();
        all.extend(
            permutations(&rest)
                .into_iter()
                .map(|rest| [vec![event], rest].concat()),
        );
    }
    all
}

/// The same, if the variables are written in this order.
fn has_race_in_order(events: &[Event], order: &[Vec<usize>]) -> bool {
    let reads = (0..events.len()).filter(|&event| events[event].read.is_some());
    let mut sources: Vec<Vec<Option<usize>>> = vec![vec![None; events.len()]];
    for read in reads {
        let Some(variable) = events[read].variable else {
            continue;
        };
        let writes = &order[variable];
        let own = writes.iter().position(|&write| write == read);
        let fits = |&&write: &&usize| write != read && events[write].written == events[read].read;
        let fitting: Vec<usize> = match own {
            // An update is next to what it reads.
            Some(position) => writes[..position]
                .last()
                .into_iter()
                .filter(fits)
                .copied()
                .collect(),
            None => writes.iter().filter(fits).copied().collect(),
        };
        let with = |known: &Vec<Option<usize>>, write| {
            let mut known = known.clone();
            known[read] = Some(write);
            known
        };
        sources = sources
            .iter()
            .flat_map(|known| fitting.iter().map(|&write| with(known, write)))
            .collect();
    }
    sources
        .iter()
        .any(|sources| has_race_by(events, order, sources))
}

/// The same, if each event reads what its source has written.
fn has_race_by(events: &[Event], order: &[Vec<usize>], sources: &[Option<usize>]) -> bool {
    let size = events.len();
    let is_first = |event: usize| event < VARIABLES;
    let before = Relation::new(size, |from, to| {
        from < to
            && (is_first(from) && !is_first(to)
                || events[from].thread == events[to].thread && !is_first(from))
    });
    let reads_from = Relation::new(size, |from, to| sources[to] == Some(from));
    let place = |event: usize| {
        let variable = events[event].variable?;
        order[variable].iter().position(|&write| write == event)
    };
    let same = |from: usize, to: usize| {
        events[from].variable.is_some() && events[from].variable == events[to].variable
    };
    let later = Relation::new(size, |from, to| {
        same(from, to)
            && place(from)
                .zip(place(to))
                .is_some_and(|(one, other)| one < other)
    });
    let overtaken = Relation::new(size, |from, to| {
        from != to && sources[from].is_some_and(|source| later.has(source, to))
    });
    let updates = Relation::new(size, |from, to| {
        reads_from.has(from, to) && place(to).is_some()
    });
    let sequences = updates.closed();
    let heads = Relation::new(size, |from, to| from == to || sequences.has(from, to));
    let found = heads.then(&reads_from);
    let synchronises = Relation::new(size, |from, to| {
        events[from].order.releases() && events[to].order.acquires() && found.has(from, to)
    });
    let happens = before.or(&synchronises).closed();
    let communicates = reads_from.or(&later).or(&overtaken).closed();
    let is_coherent = (0..size).all(|event| {
        !happens.has(event, event)
            && (0..size).all(|other| !(happens.has(event, other) && communicates.has(other, event)))
    });
    let elsewhere = Relation::new(size, |from, to| before.has(from, to) && !same(from, to));
    let around = elsewhere.then(&happens).then(&elsewhere);
    let ordered = Relation::new(size, |from, to| {
        let sequential = |event: usize| events[event].order == Order::Sequential;
        sequential(from)
            && sequential(to)
            && (before.has(from, to)
                || around.has(from, to)
                || happens.has(from, to) && same(from, to)
                || later.has(from, to)
                || overtaken.has(from, to))
    });
    let is_plain = |event: usize| events[event].variable.is_none();
    is_coherent
        && ordered.is_acyclic()
        && (0..size).any(|one| {
            (0..one).any(|other| {
                is_plain(one)
                    && is_plain(other)
                    && !happens.has(one, other)
                    && !happens.has(other, one)
            })
        })
}

/// Whether some execution has a race.
fn has_race(threads: &Threads) -> bool {
    let all = threads.iter().enumerate();
    let all: Vec<_> = all.map(|(thread, pieces)| paths(thread, pieces)).collect();
    let mut chosen: Vec<Vec<&Vec<Event>>> = vec![Vec::new()];
    for paths in &all {
        chosen = chosen
            .iter()
            .flat_map(|known| {
                paths
                    .iter()
                    .map(|path| known.iter().copied().chain([path]).collect())
            })
            .collect();
    }
    chosen.iter().any(|paths| has_race_with(paths))
}

/// The program of these threads.
fn program(threads: &Threads) -> Program {
    let mut builder = ProgramBuilder::new("orders");
    let variables: Vec<GlobalId> = (0..VARIABLES)
        .map(|number| builder.global(&format!("variable{number}"), &[0]))
        .collect();
    let plain = builder.global("plain", &[0]);
    let handle = builder.global("handle", &[0; 8]);
    let routines: Vec<_> = (0..threads.len())
        .map(|number| builder.function(&format!("thread{number}")))
        .collect();
    let mut orders = Vec::new();
    for (&routine, pieces) in routines.iter().zip(threads) {
        let mut thread = builder.thread(routine);
        for piece in pieces {
            match piece.is_plain() {
                true => thread.store(constant(8, 1), global(plain)),
                false => orders.push(add(&mut thread, variables[piece.variable], piece)),
            }
        }
        thread.finish();
    }
    let mut main = builder.main();
    for &routine in &routines {
        main.create(global(handle), function(routine), constant(64, 0));
    }
    main.finish();
    let mut program = builder.finish();
    let weak = orders
        .into_iter()
        .filter_map(|(site, weak)| Some((site, weak?)));
    program.weak_orders.extend(weak);
    program.verify([Property::NoDataRace].into());
    program
}

/// Adds an access. Returns what it does not order, unless it is sequentially consistent.
fn add(
    thread: &mut TemplateBuilder<'_>,
    variable: GlobalId,
    piece: &Piece,
) -> (SiteId, Option<WeakOrder>) {
    let register = thread.register(8);
    let address = global(variable);
    let value = |value: u8| constant(8, value.into());
    let (statement, order, fails) = match piece.action {
        Action::Load(order) => {
            let load = Statement::Load {
                register,
                address,
                atomic: true,
                words: Words::default(),
            };
            (load, order, order)
        }
        Action::Store(written, order) => {
            let store = Statement::Store {
                value: value(written),
                address,
                atomic: true,
                words: Words::default(),
            };
            (store, order, order)
        }
        Action::Exchange(written, order) => {
            let exchange = Statement::AtomicRmw {
                register,
                address,
                operator: UpdateOperator::Exchange,
                operand: value(written),
            };
            (exchange, order, order)
        }
        Action::Plain => unreachable!("it is no atomic access"),
        Action::Swap(from, to, order, fails) => {
            let swap = Statement::CompareExchange {
                register,
                success: thread.register(1),
                address,
                expected: value(from),
                desired: value(to),
            };
            (swap, order, fails)
        }
    };
    let weak = WeakOrder {
        reads: !matches!(piece.action, Action::Store(..)) && !order.acquires(),
        fails: !fails.acquires(),
        writes: !matches!(piece.action, Action::Load(_)) && !order.releases(),
    };
    let is_sequential = [order, fails] == [Order::Sequential; 2];
    let site = thread.statement(statement);
    if let Some(wanted) = piece.wanted {
        let goes_on = thread.compare(Comparison::Equal, register, value(wanted));
        thread.otherwise(goes_on, LocationKind::Blocked);
    }
    (site, Some(weak).filter(|_| !is_sequential))
}

/// What a program of these threads meets that looks for races.
fn looking(threads: &Threads) -> Found {
    let subject = Subject::new(program(threads));
    let mut program = subject.program;
    look_for_races(&mut program, &subject.instances, &subject.points_to);
    let subject = Subject::new(program);
    unreduced(&subject.program, &subject.instances)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2 * cases(), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_race_of_an_execution_is_missed(threads in threads()) {
        let found = looking(&threads);
        prop_assume!(!found.incomplete);
        let races = has_race(&threads);
        prop_assert!(races || !found.error, "no execution has a race");
        prop_assert!(!races || found.error || !found.limits.is_empty(), "an execution has a race");
    }
}

#[test]
fn random_orders_have_programs_of_every_kind() {
    let mut runner = TestRunner::deterministic();
    let [mut races, mut weak_races, mut free, mut open] = [0; 4];
    for _ in 0..300 {
        let tree = threads().new_tree(&mut runner).expect("there are threads");
        let threads = tree.current();
        let found = looking(&threads);
        let has_race = has_race(&threads);
        races += usize::from(found.error);
        weak_races += usize::from(has_race && !found.error);
        open += usize::from(!has_race && !found.limits.is_empty());
        free += usize::from(!has_race && found.limits.is_empty());
    }
    let numbers = [races, weak_races, free, open];
    assert!(numbers.iter().all(|&number| number >= 5), "{numbers:?}");
}

/// The second thread goes on only with 1, and then with 2, which it need not have been given in order.
#[test]
fn weak_accesses_find_every_value_that_is_written() {
    let piece = |variable, action, wanted| Piece {
        variable,
        action,
        wanted,
    };
    let threads = vec![
        vec![
            PLAIN,
            piece(1, Action::Store(2, Order::Relaxed), None),
            piece(0, Action::Store(1, Order::Release), None),
        ],
        vec![
            piece(0, Action::Load(Order::Relaxed), Some(1)),
            piece(1, Action::Exchange(0, Order::Relaxed), Some(2)),
            PLAIN,
        ],
    ];
    assert!(has_race(&threads));
    assert!(!looking(&threads).limits.is_empty());
}
