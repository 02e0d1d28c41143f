//! The obligations of a proof, as SMT-LIB scripts that must be unsatisfiable.
//!
//! Let I be the initial states, C the invariant constraints, T the transitions with their guard, B the disjunction of
//! the bad terms. A run considered is one with C in every state. For an inductive invariant V:
//!
//! * initiation: `I(s) and C(s) and not V(s)`;
//! * consecution: `V(s) and C(s) and T(s, s') and C(s') and not V(s')`;
//! * safety: `V(s) and C(s) and B(s)`.
//!
//! K-induction adds a base and a step instead of safety. The step may assume that all its states differ, the bad one
//! included, and even that they differ in some variables D alone, if these decide what happens:
//!
//! * projection: a state that satisfies V and C and another one, with the same values of D and the same inputs, agree on C; if the
//!   other one satisfies V, too, also on B, the guard and the next values of D.
//!
//! Justification: take a shortest violation. If two of its states agreed on D, the run could be cut there: the steps
//! after the later state are possible after the earlier state as well, under the same inputs, up to variables on which
//! neither transitions nor violation depend. For the states that follow, projection shows C before consecution shows V.
//!
//! Where some threads stand for any number of others, independence is shown, too. Then variables may count threads: let N be that no more
//! of the threads are there than these say. N is added to C, and two more obligations justify that:
//!
//! * counted: `I(s) and C(s)`, and a variable says that there is a thread, or there is one;
//! * counting: `V(s) and C(s) and N(s) and T(s, s') and C(s')`, and a variable does not change as the number of the threads does.
//!
//! Justification: the number of all threads changes by what the threads do that take part in a step, and the step is one of these also
//! if they are represented. So each variable says the number of all threads, of which those that are represented are a part.

use crate::count::Count;
use crate::frame::{Frame, at, combined, predicate};
use crate::name::Name;
use crate::proof_rule::{Family, ProofRule, subsets, width};

/// What a solver must find unsatisfiable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obligation {
    /// One word.
    pub name: &'static str,
    /// Why it must be unsatisfiable, in one line.
    pub meaning: &'static str,
    /// It speaks of positions 0 to this one.
    pub last_position: usize,
    /// SMT-LIB commands that assert over the definitions of these positions.
    pub claims: Vec<String>,
}

/// The obligations of a proof about a system.
pub fn obligations(argument: &ProofRule, frame: &Frame) -> Vec<Obligation> {
    let preserved = [initiation(), consecution()];
    match *argument {
        ProofRule::Inductive => preserved.into_iter().chain([safety()]).collect(),
        ProofRule::ForAll {
            ref families,
            ref counts,
        } => {
            let rest = [safety(), independence(frame, families)];
            let all = preserved.into_iter().chain(rest);
            let all = all.map(|obligation| obligation.where_counted(counts, frame));
            all.chain(counting(frame, counts)).collect()
        }
        ProofRule::KInduction {
            depth,
            ref distinct,
        } => {
            let distinct = distinct.as_deref();
            let projection = distinct.map(|among| projection(frame, among));
            preserved
                .into_iter()
                .chain([base(depth - 1)])
                .chain(projection)
                .chain([step(frame, depth, distinct)])
                .collect()
        }
        ProofRule::Exhausted { depth } => vec![base(depth), end(depth)],
    }
}

fn assert(formula: &str) -> String {
    format!("(assert {formula})")
}

fn holds(role: &str, position: usize) -> String {
    assert(&at(role, position))
}

fn fails(role: &str, position: usize) -> String {
    assert(&not(&at(role, position)))
}

fn not(formula: &str) -> String {
    format!("(not {formula})")
}

/// An obligation that says of some positions which roles hold there, or do not.
fn roles(name: &'static str, meaning: &'static str, claims: &[(bool, &str, usize)]) -> Obligation {
    let positions = claims.iter().map(|&(.., position)| position);
    let claim = |&(truth, role, position): &(bool, &str, usize)| match truth {
        true => holds(role, position),
        false => fails(role, position),
    };
    Obligation {
        name,
        meaning,
        last_position: positions.max().unwrap_or(0),
        claims: claims.iter().map(claim).collect(),
    }
}

fn initiation() -> Obligation {
    let claims = [
        (true, predicate::INITIAL, 0),
        (true, predicate::CONSTRAINTS, 0),
        (false, predicate::INVARIANT, 0),
    ];
    roles("initiation", "the invariant holds initially", &claims)
}

/// The state is one of the invariant, and a transition leads to a successor that is considered.
fn consecution() -> Obligation {
    let claims = [
        (true, predicate::INVARIANT, 0),
        (true, predicate::CONSTRAINTS, 0),
        (true, predicate::GUARD, 0),
        (true, predicate::STEP, 1),
        (true, predicate::CONSTRAINTS, 1),
        (false, predicate::INVARIANT, 1),
    ];
    let meaning = "every transition preserves the invariant";
    roles("consecution", meaning, &claims)
}

fn safety() -> Obligation {
    let claims = [predicate::INVARIANT, predicate::CONSTRAINTS, predicate::BAD];
    let claims = claims.map(|role| (true, role, 0));
    roles("safety", "no state of the invariant is bad", &claims)
}

/// The runs of at most `depth` transitions; a run may end anywhere, so what makes it one is collected, not asserted.
fn base(depth: usize) -> Obligation {
    let mut claims = vec![holds(predicate::INITIAL, 0)];
    let mut violations = Vec::new();
    for position in 0..=depth {
        let constraints = at(predicate::CONSTRAINTS, position);
        let run = match position.checked_sub(1) {
            None => constraints,
            Some(before) => {
                claims.push(holds(predicate::STEP, position));
                let (run, guard) = (at(predicate::RUN, before), at(predicate::GUARD, before));
                format!("(and {run} {guard} {constraints})")
            }
        };
        let name = at(predicate::RUN, position);
        claims.push(format!("(define-fun {name} () Bool {run})"));
        violations.push(format!("(and {name} {})", at(predicate::BAD, position)));
    }
    claims.push(assert(&combined("or", "false", violations.into_iter())));
    Obligation {
        name: "base",
        meaning: "no run that short ends in a bad state",
        last_position: depth,
        claims,
    }
}

fn step(frame: &Frame, depth: usize, distinct: Option<&[usize]>) -> Obligation {
    let mut claims = Vec::new();
    for position in 0..depth {
        claims.extend([
            holds(predicate::INVARIANT, position),
            holds(predicate::CONSTRAINTS, position),
            fails(predicate::BAD, position),
            holds(predicate::GUARD, position),
            holds(predicate::STEP, position + 1),
        ]);
    }
    claims.extend([
        holds(predicate::INVARIANT, depth),
        holds(predicate::CONSTRAINTS, depth),
        holds(predicate::BAD, depth),
    ]);
    for later in 0..=depth {
        for earlier in 0..later {
            let differ = |among| assert(&not(&agreement(frame, among, earlier, later)));
            claims.extend(distinct.map(differ));
        }
    }
    Obligation {
        name: "step",
        meaning: "no good states of the invariant lead to a bad one",
        last_position: depth,
        claims,
    }
}

/// Two positions have the same values of some state variables.
fn agreement(frame: &Frame, among: &[usize], one: usize, other: usize) -> String {
    let variables = among.iter().map(|&variable| &frame.state[variable].name);
    let equations = variables.map(|name| equation(name, one, other));
    combined("and", "true", equations)
}

fn equation(name: &Name, one: usize, other: usize) -> String {
    let [one, other] = [one, other].map(|position| name.at(position));
    format!("(= {one} {other})")
}

/// Here the positions do not follow each other.
fn projection(frame: &Frame, among: &[usize]) -> Obligation {
    let inputs = frame.inputs.iter();
    let same = inputs.map(|input| assert(&equation(&input.name, 0, 1)));
    let same_at = |name: Name| equation(&name, 0, 1);
    let roles = [predicate::GUARD, predicate::BAD].map(Name::new);
    let next = among
        .iter()
        .filter_map(|&variable| frame.next[variable].clone());
    let outcomes = roles.into_iter().chain(next).map(same_at);
    let outcomes = combined("and", "true", outcomes);
    let constraints = same_at(Name::new(predicate::CONSTRAINTS));
    let other = not(&at(predicate::INVARIANT, 1));
    let mut claims = vec![
        holds(predicate::INVARIANT, 0),
        holds(predicate::CONSTRAINTS, 0),
        assert(&agreement(frame, among, 0, 1)),
    ];
    claims.extend(same);
    claims.push(assert(&not(&format!(
        "(and {constraints} (or {other} {outcomes}))"
    ))));
    Obligation {
        name: "projection",
        meaning: "the variables in which states differ decide what happens",
        last_position: 1,
        claims,
    }
}

impl Obligation {
    /// The same, where some variables count threads at all positions.
    fn where_counted(mut self, counts: &[Count], frame: &Frame) -> Self {
        for position in 0..=self.last_position {
            let holds = counts
                .iter()
                .map(|count| count.holds(&frame.state, position));
            self.claims.extend(holds.map(|holds| assert(&holds)));
        }
        self
    }
}

/// Some variables count threads: at first they say that there is none, and whatever happens, they change as the number does.
fn counting(frame: &Frame, counts: &[Count]) -> Vec<Obligation> {
    if counts.is_empty() {
        return Vec::new();
    }
    let fail = |formulas: Vec<String>| assert(&not(&combined("and", "true", formulas.into_iter())));
    let exact = counts.iter().map(|count| count.says_none(&frame.state));
    let kept = counts.iter().map(|count| count.is_kept(&frame.state));
    let counted = Obligation {
        name: "counted",
        meaning: "what counts threads says that there is none initially",
        last_position: 0,
        claims: vec![
            holds(predicate::INITIAL, 0),
            holds(predicate::CONSTRAINTS, 0),
            fail(exact.collect()),
        ],
    };
    let mut claims = vec![
        holds(predicate::INVARIANT, 0),
        holds(predicate::CONSTRAINTS, 0),
        holds(predicate::GUARD, 0),
        holds(predicate::STEP, 1),
        holds(predicate::CONSTRAINTS, 1),
    ];
    let known = counts.iter().map(|count| count.holds(&frame.state, 0));
    claims.extend(known.map(|known| assert(&known)));
    claims.push(fail(kept.collect()));
    let counting = Obligation {
        name: "counting",
        meaning: "what counts threads changes as their number does",
        last_position: 1,
        claims,
    };
    vec![counted, counting]
}

/// The invariant speaks of all but one of a family's threads at a time, or fewer. At each position but the last, everything is as at the
/// last one but the threads that are left out there, so that whichever the others are, they may stand beside one that moves.
fn independence(frame: &Frame, families: &[Family]) -> Obligation {
    let threads: Vec<&Vec<usize>> = families.iter().flatten().collect();
    let kept = subsets(threads.len(), width(families));
    let last = kept.len();
    let mut claims = Vec::new();
    for (position, kept) in kept.iter().enumerate() {
        claims.extend([
            holds(predicate::INVARIANT, position),
            holds(predicate::CONSTRAINTS, position),
        ]);
        for (number, variable) in frame.state.iter().enumerate() {
            let owner = threads.iter().position(|thread| thread.contains(&number));
            if owner.is_none_or(|owner| kept.contains(&owner)) {
                claims.push(assert(&equation(&variable.name, position, last)));
            }
        }
    }
    claims.extend([
        holds(predicate::CONSTRAINTS, last),
        fails(predicate::INVARIANT, last),
    ]);
    Obligation {
        name: "independence",
        meaning: "the invariant is about few of these threads at a time",
        last_position: last,
        claims,
    }
}

fn end(depth: usize) -> Obligation {
    let mut claims = vec![
        holds(predicate::INITIAL, 0),
        holds(predicate::CONSTRAINTS, 0),
    ];
    for position in 0..=depth {
        claims.extend([
            holds(predicate::GUARD, position),
            holds(predicate::STEP, position + 1),
            holds(predicate::CONSTRAINTS, position + 1),
        ]);
    }
    Obligation {
        name: "end",
        meaning: "no run is longer",
        last_position: depth + 1,
        claims,
    }
}
