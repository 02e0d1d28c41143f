//! Runs that go on for ever: the examples, and random programs against a search that knows neither turns nor reductions.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write as _;
use std::sync::Mutex;

use abi::ids::InstanceId;
use clap::Parser;
use explicit::interpret::{Interpreter, NondeterministicChoice, Oracle, State, StepResult};
use frontend::testing::in_parallel;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use program::model::{Instances, Program};
use system::testing::Random;
use tests::{Answers, Configuration, seeds_to_fuzz, termination_examples};
use verify::options::Options;
use verify::task::prepare;
use verify::verdict::Verdict;

#[test]
fn examples_have_the_verdict_of_their_head_comment() {
    let examples = termination_examples();
    assert!(examples.len() >= 34);
    in_parallel(examples.into_iter(), |example| {
        let verdict = example.verdict(&[]);
        let is_expected = example.expected.matches(&verdict);
        assert!(is_expected, "{}: {verdict}", example.name);
    });
}

/// Numbers that wrap around, bounds that move, and threads that hand over to each other: proved without looking at every state.
#[test]
fn ic3_proves_some_of_them() {
    let names = [
        "countdown",
        "fair_flag",
        "fair_turns",
        "nested_loops",
        "turns",
        "wraps",
    ];
    let examples = termination_examples().into_iter();
    let examples = examples.filter(|example| names.contains(&example.name.as_str()));
    let proved = examples.map(|example| {
        let words = ["--engine=ic3", "--property=no-infinite-run"];
        assert_eq!(example.verdict(&words), Verdict::Safe, "{}", example.name);
    });
    assert_eq!(proved.count(), names.len());
}

/// So many states are looked at of a program.
const STATES: usize = 60_000;

/// All states of a program, and what each statement of each thread does.
struct Graph {
    edges: Vec<(u32, InstanceId, u32)>,
    states: usize,
}

/// Tries all values of all choices, one after the other; those of wide ones are not tried.
#[derive(Default)]
struct Choices {
    /// What is answered, with how many values there are.
    tape: Vec<(u128, u128)>,
    asked: usize,
    is_wide: bool,
}

impl Oracle for Choices {
    fn choose(&mut self, choice: &NondeterministicChoice<'_>) -> u128 {
        self.is_wide |= choice.width() > 8;
        if self.asked == self.tape.len() {
            self.tape.push((0, 1 << choice.width().min(8)));
        }
        self.asked += 1;
        self.tape[self.asked - 1].0
    }
}

impl Choices {
    /// The next combination of values.
    fn next(&mut self) -> bool {
        self.asked = 0;
        while let Some((value, of)) = self.tape.pop() {
            if value + 1 < of {
                self.tape.push((value + 1, of));
                return true;
            }
        }
        false
    }
}

impl Graph {
    /// One statement at a time, by the interpreter; none if there are too many states.
    fn of(program: &Program, instances: &Instances) -> Option<Self> {
        let interpreter = Interpreter::new(program, instances);
        let first = interpreter.initial();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut open: Vec<(u32, State)> = vec![(0, first)];
        let mut edges = Vec::new();
        while let Some((from, state)) = open.pop() {
            for thread in instances.threads.keys() {
                let mut choices = Choices::default();
                loop {
                    let after = match interpreter.step(&state, thread, &mut choices) {
                        StepResult::Executed { state, .. } => Some(state),
                        StepResult::Waiting(_) | StepResult::Finished | StepResult::Rejected => {
                            None
                        }
                    };
                    if choices.is_wide {
                        return None;
                    }
                    if let Some(after) = after {
                        let next = numbers.len() as u32;
                        let to = *numbers.entry(after.clone()).or_insert(next);
                        edges.push((from, thread, to));
                        if to == next {
                            open.push((to, after));
                        }
                    }
                    if !choices.next() {
                        break;
                    }
                }
            }
            if numbers.len() > STATES {
                return None;
            }
        }
        let states = numbers.len();
        Some(Self { edges, states })
    }

    /// Whether a run goes on for ever in which these threads move again and again, and no other thread moves or, if the run has to be fair,
    /// is able to.
    fn has_run(&self, moving: &BTreeSet<InstanceId>, fair: bool) -> bool {
        let others = self.edges.iter().filter(|edge| !moving.contains(&edge.1));
        let left: BTreeSet<u32> = others.map(|edge| edge.0).collect();
        let is_left = |state: u32| fair && left.contains(&state);
        let edges: Vec<_> = self
            .edges
            .iter()
            .filter(|edge| moving.contains(&edge.1) && !is_left(edge.0) && !is_left(edge.2))
            .collect();
        let mut graph: DiGraph<(), ()> = DiGraph::new();
        for _ in 0..self.states {
            graph.add_node(());
        }
        for (from, _, to) in &edges {
            graph.add_edge(NodeIndex::from(*from), NodeIndex::from(*to), ());
        }
        let mut component = vec![0; self.states];
        for (number, states) in kosaraju_scc(&graph).into_iter().enumerate() {
            for state in states {
                component[state.index()] = number;
            }
        }
        let mut movers: HashMap<usize, BTreeSet<InstanceId>> = HashMap::new();
        for (from, thread, to) in edges {
            if component[*from as usize] == component[*to as usize] {
                let of = movers.entry(component[*from as usize]).or_default();
                of.insert(*thread);
            }
        }
        movers.values().any(|movers| movers == moving)
    }

    /// Whether a run goes on for ever.
    fn goes_on(&self, threads: &[InstanceId], fair: bool) -> bool {
        let subsets = 1..1u32 << threads.len();
        let mut subsets = subsets.map(|subset| {
            let is_in = |position: &usize| subset >> position & 1 == 1;
            let positions = (0..threads.len()).filter(is_in);
            positions.map(|position| threads[position]).collect()
        });
        subsets.any(|moving: BTreeSet<InstanceId>| self.has_run(&moving, fair))
    }
}

/// What the statements of a random program are made of.
struct Body<'a> {
    random: &'a mut Random,
    text: String,
    loops: usize,
}

impl Body<'_> {
    fn line(&mut self, depth: usize, line: &str) {
        let _ = writeln!(self.text, "{}{line}", "    ".repeat(depth));
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..1 + self.random.below(2) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        let variable = ["x", "y"][self.random.below(2)];
        let (value, step) = (self.random.below(4), 1 + self.random.below(3));
        let nested = depth < 3;
        match self.random.below(if nested { 9 } else { 4 }) {
            0 => self.line(depth, &format!("{variable} = ({variable} + {step}) & 3;")),
            1 => self.line(depth, &format!("{variable} = {value};")),
            2 => {
                let line = format!(
                    "{{ unsigned char e = {value}; atomic_compare_exchange_strong(&{variable}, &e, {step}); }}"
                );
                self.line(depth, &line);
            }
            3 => {
                let line = format!("if ({variable} == {value}) {variable} = {};", step - 1);
                self.line(depth, &line);
            }
            4 => {
                let lock = self.random.below(2);
                self.line(depth, &format!("pthread_mutex_lock(&locks[{lock}]);"));
                self.statements(depth + 1);
                self.line(depth, &format!("pthread_mutex_unlock(&locks[{lock}]);"));
            }
            5 => {
                self.line(depth, "if (__VERIFIER_nondet_bool()) {");
                self.statements(depth + 1);
                self.line(depth, "}");
            }
            6 => {
                let compared = ["!=", "==", "<", ">"][self.random.below(4)];
                self.line(depth, &format!("while ({variable} {compared} {value}) {{"));
                self.statements(depth + 1);
                self.line(depth, "}");
            }
            _ => {
                self.loops += 1;
                let counter = format!("i{}", self.loops);
                let end = 2 * self.random.below(3);
                let line = format!(
                    "for (unsigned char {counter} = {value}; {counter} != {end}; {counter} = ({counter} + {step}) & 7) {{"
                );
                self.line(depth, &line);
                self.statements(depth + 1);
                self.line(depth, "}");
            }
        }
    }
}

/// A program with loops that may end, alone or by what other threads do.
fn random_loops(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = "#include <pthread.h>\n#include <stdatomic.h>\n\
                    extern _Bool __VERIFIER_nondet_bool(void);\n\
                    static pthread_mutex_t locks[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n\
                    static atomic_uchar x, y;\n"
        .to_owned();
    let threads = 1 + random.below(2);
    let mut body = |head: &str| {
        let mut body = Body {
            random: &mut random,
            text: String::new(),
            loops: 0,
        };
        body.statements(1);
        format!("{head}{}", body.text)
    };
    for thread in 0..threads {
        text += &body(&format!("static void *work{thread}(void *unused) {{\n"));
        text += "    return unused;\n}\n";
    }
    text += &format!("int main(void) {{\n    pthread_t threads[{threads}];\n");
    for thread in 0..threads {
        text += &format!("    pthread_create(&threads[{thread}], 0, work{thread}, 0);\n");
    }
    text += &body("");
    if seed.is_multiple_of(2) {
        for thread in 0..threads {
            text += &format!("    pthread_join(threads[{thread}], 0);\n");
        }
    }
    text += "}\n";
    text
}

const CONFIGURATIONS: [Configuration; 11] = [
    &["--engine", "explicit"],
    &["--engine", "bmc", "--depth", "30", "--reduction", "static"],
    &["--engine", "ic3", "--reduction", "static"],
    &["--engine", "ic3-exact", "--reduction", "dynamic"],
    &["--engine", "bmc", "--depth", "30", "--reduction", "none"],
    &["--engine", "kind", "--depth", "10", "--reduction", "phase"],
    &["--engine", "ic3", "--reduction", "dynamic"],
    &["--engine", "ic3-exact", "--reduction", "none"],
    &["--engine", "bmc", "--depth", "30", "--reduction", "dynamic"],
    &["--engine", "modular", "--reduction", "dynamic"],
    &["--engine", "modular", "--reduction", "none"],
];

/// Compares what engines say of random programs with the search. Of how many programs all runs end, and of how many one goes on for ever,
/// without and with fair scheduling; and how many answers say so.
fn check_random(seeds: impl Iterator<Item = u64> + Send) -> ([[usize; 2]; 2], usize) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let counts = Mutex::new(([[0; 2]; 2], 0));
    in_parallel(seeds, |seed| {
        let path = folder.path().join(format!("loops{seed}.c"));
        let text = random_loops(seed);
        std::fs::write(&path, &text).expect("a file in the temporary folder");
        let name = path.to_string_lossy();
        let options = Options::try_parse_from(["verify", &name, "--property=no-infinite-run"]);
        let options = options.expect("valid options");
        let task = prepare(&options.program).expect("a program");
        let Some(graph) = Graph::of(&task.program, &task.instances) else {
            return;
        };
        let threads: Vec<InstanceId> = task.instances.threads.keys().collect();
        for fair in [false, true] {
            let expected = graph.goes_on(&threads, fair);
            let mut words = vec!["--property=no-infinite-run".to_owned()];
            words.extend(fair.then(|| "--fair".to_owned()));
            let others = CONFIGURATIONS.iter().skip(1 + seed as usize % 3).step_by(3);
            let asked: Vec<Configuration> =
                CONFIGURATIONS[..1].iter().chain(others).copied().collect();
            let answers = Answers::of(&path, &asked, 1, &words);
            let is_wrong = match expected {
                true => answers.any_safe(),
                false => answers.any_unsafe(),
            };
            assert!(
                !is_wrong,
                "seed {seed}, fair: {fair}, goes on: {expected}\n{}\n{text}",
                answers.describe()
            );
            let mut counts = counts.lock().expect("no thread panicked");
            counts.0[usize::from(fair)][usize::from(expected)] += 1;
            counts.1 += answers.decided();
        }
    });
    counts.into_inner().expect("no thread panicked")
}

#[test]
fn random_programs_end_as_a_search_by_statements_says() {
    let (programs, decided) = check_random(0..30);
    eprintln!("{programs:?} programs, {decided} conclusive answers");
    for [end, go_on] in programs {
        assert!(end >= 5 && go_on >= 5, "{programs:?}");
    }
    assert!(decided > 0);
}

#[test]
#[ignore = "a random search"]
fn fuzz_termination() {
    check_random(seeds_to_fuzz(1000));
}
