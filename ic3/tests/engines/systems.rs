//! Systems with known verdicts.

use system::term::{Sort, Term, Terms};
use system::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// A system from its state (with initial value and next), without constraints.
fn system(
    terms: Terms,
    state: Vec<(Term, Term, Term)>,
    inputs: Vec<Term>,
    guard: Term,
    bad: Term,
) -> TransitionSystem {
    let variable = |(current, initial, next)| StateVariable {
        current,
        initial: Some(initial),
        next: Some(next),
    };
    TransitionSystem {
        terms,
        state: state.into_iter().map(variable).collect(),
        inputs,
        initial_constraints: Vec::new(),
        guard,
        invariant_constraints: Vec::new(),
        properties: vec![Property {
            name: "error".to_owned(),
            role: Role::Violation,
            bad,
        }],
    }
}

/// Counts from 0 in 8 bits; reaching `bad` is a violation; a counter at `last` has no transition.
pub fn counter(bad: u128, last: Option<u128>) -> TransitionSystem {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(8));
    let [zero, one, bad] = [0, 1, bad].map(|value| terms.bits(8, value));
    let next = terms.add(x, one);
    let guard = match last {
        Some(last) => {
            let last = terms.bits(8, last);
            terms.unsigned_less(x, last)
        }
        None => terms.bool(true),
    };
    let bad = terms.equal(x, bad);
    system(terms, vec![(x, zero, next)], Vec::new(), guard, bad)
}

/// Two threads enter a critical section by testing a lock and then, in another step or at once if `atomic`, taking it.
pub fn mutual_exclusion(atomic: bool) -> TransitionSystem {
    let mut terms = Terms::new();
    let lock = terms.symbol("lock", Sort::Bool);
    let pcs = ["pc0", "pc1"].map(|name| terms.symbol(name, Sort::BitVec(2)));
    let chosen = terms.symbol("chosen", Sort::Bool);
    let turns = [terms.not(chosen), chosen];
    let [idle, tested, critical] = [0, 1, 2].map(|value| terms.bits(2, value));
    let mut next_lock = lock;
    let mut next_pcs = pcs;
    for (thread, &pc) in pcs.iter().enumerate() {
        let at = [idle, tested, critical].map(|location| terms.equal(pc, location));
        let after_test = if atomic { critical } else { tested };
        let from_idle = terms.ite(lock, idle, after_test);
        let from_tested = terms.ite(at[1], critical, idle);
        let moved = terms.ite(at[0], from_idle, from_tested);
        next_pcs[thread] = terms.ite(turns[thread], moved, pc);
        let enters = terms.equal(moved, critical);
        let takes = terms.and(turns[thread], enters);
        let leaves = terms.and(turns[thread], at[2]);
        let taken = terms.or(takes, next_lock);
        let not_leaves = terms.not(leaves);
        next_lock = terms.and(taken, not_leaves);
    }
    let free = terms.bool(false);
    let both = pcs.map(|pc| terms.equal(pc, critical));
    let bad = terms.and(both[0], both[1]);
    let guard = terms.bool(true);
    let state = vec![
        (lock, free, next_lock),
        (pcs[0], idle, next_pcs[0]),
        (pcs[1], idle, next_pcs[1]),
    ];
    system(terms, state, vec![chosen], guard, bad)
}

/// Adds 2 from 0 below 16 and may stay; 15 is bad. Odd numbers below it are unreachable and may stay as long as they like.
pub fn unreachable_by_parity() -> TransitionSystem {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(5));
    let stay = terms.symbol("stay", Sort::Bool);
    let [zero, two, last, bad] = [0, 2, 16, 15].map(|value| terms.bits(5, value));
    let sum = terms.add(x, two);
    let below = terms.unsigned_less(x, last);
    let wrapped = terms.ite(below, sum, zero);
    let next = terms.ite(stay, x, wrapped);
    let guard = terms.bool(true);
    let bad = terms.equal(x, bad);
    system(terms, vec![(x, zero, next)], vec![stay], guard, bad)
}

/// Moves one at a time from `x`, 20 at first, to `y`, in 8 bits; bad if the sum is another one.
pub fn constant_sum() -> TransitionSystem {
    let mut terms = Terms::new();
    let [x, y] = ["x", "y"].map(|name| terms.symbol(name, Sort::BitVec(8)));
    let [zero, one, twenty] = [0, 1, 20].map(|value| terms.bits(8, value));
    let (fewer, more) = (terms.subtract(x, one), terms.add(y, one));
    let guard = terms.unsigned_less(zero, x);
    let sum = terms.add(x, y);
    let as_before = terms.equal(sum, twenty);
    let bad = terms.not(as_before);
    system(
        terms,
        vec![(x, twenty, fewer), (y, zero, more)],
        Vec::new(),
        guard,
        bad,
    )
}

/// Adds any number to `y` and twice that to `x`, from 0 and 3, in 8 bits; bad if `x` is 4.
pub fn odd_beside_half() -> TransitionSystem {
    let mut terms = Terms::new();
    let [x, y, step] = ["x", "y", "step"].map(|name| terms.symbol(name, Sort::BitVec(8)));
    let [zero, two, three, four] = [0, 2, 3, 4].map(|value| terms.bits(8, value));
    let doubled = terms.multiply(step, two);
    let next = [(x, doubled), (y, step)].map(|(variable, by)| terms.add(variable, by));
    let guard = terms.bool(true);
    let bad = terms.equal(x, four);
    system(
        terms,
        vec![(x, three, next[0]), (y, zero, next[1])],
        vec![step],
        guard,
        bad,
    )
}

/// Collects a number bit by bit; bad if it is a factor of a large semiprime. No engine decides that soon.
pub fn factoring() -> TransitionSystem {
    let mut terms = Terms::new();
    let x = terms.symbol("x", Sort::BitVec(62));
    let y = terms.symbol("y", Sort::BitVec(62));
    let z = terms.symbol("z", Sort::BitVec(62));
    let [one, zero] = [1, 0].map(|value| terms.bits(62, value));
    let wide = [x, y].map(|factor| terms.zero_extend(124, factor));
    let product = terms.multiply(wide[0], wide[1]);
    let semiprime = terms.bits(124, 2_305_843_009_213_693_921 * 1_152_921_504_606_846_883);
    let is_product = terms.equal(product, semiprime);
    let proper = [x, y].map(|factor| terms.unsigned_less(one, factor));
    let bad = terms.and_all([is_product, proper[0], proper[1]]);
    let guard = terms.bool(true);
    let mut system = system(terms, vec![(x, zero, z), (y, zero, x)], vec![z], guard, bad);
    system.state[0].initial = None;
    system.state[1].initial = None;
    system
}
