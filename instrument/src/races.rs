//! Data races as reachability of an error location.
//!
//! Two accesses race if they conflict and neither happens before the other. As long as synchronisation happens in one order that all threads
//! see, a program has a run with a race if and only if it has one in which two threads are about to make the two accesses at the same
//! time. Pairs of accesses of which the mover analysis shows that this cannot happen need not be looked for. For each other
//! pair, one of the two statements *announces*: the thread may say which bytes it is about to access, and how, and stays there for good. The other
//! one *looks*: it compares what it is about to access with what was announced. `docs/reduction.md` argues why that finds all.
//!
//! Some results order nothing: that a try fails, and what an atomic access with a weaker order than acquire and release finds. There a run may
//! go on with a result that its other threads do not justify, which raises a *doubt*: a race behind is a limit. Where a run that follows one
//! order of all accesses tells too little, it meets a limit at once.

mod accesses;
mod insert;
mod order;

use std::collections::BTreeMap;

use program::model::{EdgeId, Instances, MutexOperation, Program, Statement, TemplateId};
use program::points_to::PointsTo;

use self::accesses::{Accesses, Pair};
use self::insert::insert;
pub use self::insert::{WORD as ANNOUNCED_WORD, announced_bytes};
use self::order::Finding;
use crate::context::Context;
use crate::mover_analysis::MoverAnalysis;
use crate::rules::Rules;

/// How many pairs of conflicting accesses a program has, by what is known of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RacePairs {
    /// One of the threads does not run when the other makes its access, or both make it in an atomic region.
    pub apart: usize,
    /// Both threads hold the same mutex.
    pub locked: usize,
    /// They have to be looked for.
    pub open: usize,
}

const WEAK_ORDER: &str = "an order by atomic accesses that are weaker than acquire and release";
const DIVIDED: &str = "an order by several atomic variables that are not sequentially consistent";
const BESIDE_REGION: &str = "a race of a compare-and-swap with an access in an atomic region";

/// The library's variable that says why a race may be none; 0 as long as it certainly is one.
const DOUBT: &str = "__mazurka_doubt";

/// A statement of a template.
type Place = (TemplateId, EdgeId);

/// What is inserted before a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Role {
    /// The thread may announce the access.
    announces: bool,
    /// It is compared with what was announced.
    looks: bool,
    /// Why no race is looked for that depends on it.
    limit: Option<&'static str>,
    /// What an atomic access may find in any case.
    finding: Option<Finding>,
}

/// Lets a program look for data races. `points_to` must belong to the program and the instances; both are another after that.
pub fn look_for_races(
    program: &mut Program,
    instances: &Instances,
    points_to: &PointsTo,
) -> RacePairs {
    let context = Context::new(program, instances, points_to, Rules::ALL);
    let analysis = MoverAnalysis::new(context);
    let accesses = Accesses::new(&analysis);
    let mut found = RacePairs::default();
    let mut roles = BTreeMap::<Place, Role>::new();
    for (&(one, other), pair) in &accesses.conflicts {
        match pair {
            Pair::Apart => found.apart += 1,
            Pair::Locked => found.locked += 1,
            Pair::Open => {
                found.open += 1;
                divide(&accesses, &mut roles, [one, other]);
            }
        }
    }
    if found.open > 0 {
        find_more(&analysis, &accesses, &mut roles);
    }
    let kinds = accesses.kinds;
    let mut globals = program.globals.iter();
    let doubt = globals.find(|(_, global)| global.name == DOUBT);
    program.doubt = doubt.map(|(id, _)| id);
    if !roles.is_empty() {
        insert(program, &roles, &kinds);
    }
    found
}

/// Lets statements find what may come about in any case, where that is known.
fn find_more(
    analysis: &MoverAnalysis<'_>,
    accesses: &Accesses<'_>,
    roles: &mut BTreeMap<Place, Role>,
) {
    for (&place, &finding) in &accesses.order.findings {
        let role = roles.entry(place).or_default();
        match finding {
            Finding::Open => role.limit = Some(WEAK_ORDER),
            Finding::Value(_) | Finding::Any => role.finding = Some(finding),
        }
    }
    for place in accesses.order.divided(analysis) {
        roles.entry(place).or_default().limit = Some(DIVIDED);
    }
    for (id, template) in &analysis.context.program.templates {
        for (edge, known) in &template.edges {
            if let Statement::Mutex {
                operation: MutexOperation::TryLock,
                ..
            } = known.statement
            {
                roles.entry((id, edge)).or_default().finding = Some(Finding::busy());
            }
        }
    }
}

/// Decides which one of two statements announces and which one looks, so that few announce.
fn divide(accesses: &Accesses<'_>, roles: &mut BTreeMap<Place, Role>, pair: [Place; 2]) {
    let announces = |place: &Place| roles.get(place).is_some_and(|role| role.announces);
    let known = pair.iter().find(|place| announces(place));
    let by_preference = || {
        let able = pair
            .iter()
            .filter(|&place| accesses.kinds[place].may_announce());
        able.max_by_key(|&place| accesses.kinds[place].writes)
    };
    match known.or_else(by_preference) {
        Some(&chosen) => {
            let looking = pair.iter().find(|&&place| place != chosen);
            roles.entry(chosen).or_default().announces = true;
            roles.entry(*looking.unwrap_or(&chosen)).or_default().looks = true;
        }
        None => {
            for place in pair {
                roles.entry(place).or_default().limit = Some(BESIDE_REGION);
            }
        }
    }
}
