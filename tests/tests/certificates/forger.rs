//! Certificates of random systems in parts, which are [changed](super::changes) and written for all positions.

use certify::Certificate;
use system::term::{Sort, Term};
use system::testing::{Random, grow, random_narrow_system, random_system, reachable};
use system::transition_system::{Proof, TransitionSystem};

use super::reference::words;

/// What names may be made of in bars.
pub const ODD: [&str; 10] = [" ", "(", ")", "\"", ";", "'", "#", "(x@0 ", "@1", ":"];

/// A certificate in parts that the forger writes in different ways.
pub struct Parts {
    head: Vec<String>,
    /// The commands of position 0, with headings.
    pub first: Vec<String>,
    /// The steps that lead to the other positions.
    steps: Vec<String>,
    pub obligations: Vec<String>,
}

/// The text of a certificate that may be right, wrong or none.
pub fn forge(random: &mut Random) -> String {
    let mut parts = Parts::of(&original(random));
    if random.below(2) == 0 {
        parts.rename(random);
    }
    for _ in 0..random.below(3) {
        parts.change(random);
    }
    parts.write(random)
}

fn original(random: &mut Random) -> String {
    let mut system = match random.below(3) {
        0 => random_narrow_system(random),
        _ => random_system(random),
    };
    let proof = proof(random, &mut system);
    let certificate = Certificate::new(&system, &proof).expect("well formed");
    certificate.print(&[])
}

fn proof(random: &mut Random, system: &mut TransitionSystem) -> Proof {
    let invariant = invariant(random, system);
    let state = system.state.iter().map(|variable| variable.current);
    let mut distinct: Vec<Term> = state.collect();
    if random.below(2) == 0 {
        distinct.retain(|_| random.below(3) > 0);
    }
    let distinct = (random.below(2) == 0).then_some(distinct);
    let depth = random.below(4);
    match random.below(6) {
        0 => Proof::Exhausted { depth },
        1 => Proof::KInduction {
            depth: depth + 1,
            distinct,
            invariant,
        },
        _ => Proof::Inductive(invariant),
    }
}

/// A formula over the state.
fn invariant(random: &mut Random, system: &mut TransitionSystem) -> Term {
    let mut pool: Vec<Term> = system
        .state
        .iter()
        .map(|variable| variable.current)
        .collect();
    match random.below(6) {
        0 | 1 => {
            // The first states, which are rarely all.
            let equations = system.state.clone().into_iter();
            let equations =
                equations.filter_map(|variable| Some((variable.current, variable.initial?)));
            let equations = equations.map(|(variable, value)| system.terms.equal(variable, value));
            let equations: Vec<Term> = equations.collect();
            system.terms.and_all(equations)
        }
        2 => {
            grow(random, &mut system.terms, &mut pool, 15, 6);
            pool.retain(|&term| system.terms.sort(term) == Sort::Bool);
            random.pick(&pool)
        }
        _ => reachable(system),
    }
}

fn is_position(line: &str) -> bool {
    line.starts_with("; state at position ")
}

impl Parts {
    fn of(text: &str) -> Self {
        let mut lines = text.lines().map(str::to_owned).peekable();
        let mut until = |end: &dyn Fn(&str) -> bool| {
            let mut taken = Vec::new();
            while let Some(line) = lines.next_if(|line| taken.is_empty() || !end(line)) {
                taken.push(line);
            }
            taken
        };
        let head = until(&is_position);
        let first = until(&is_position);
        let mut steps = until(&|line| line.starts_with("; obligation"));
        steps.retain(|line| line.starts_with("(define-fun step@"));
        let obligations = until(&|_| false);
        Self {
            head,
            first,
            steps,
            obligations,
        }
    }

    /// Gives a declared variable a name that needs bars, everywhere.
    fn rename(&mut self, random: &mut Random) {
        let names: Vec<String> = Self::declared(&self.first)
            .into_iter()
            .map(|(name, _)| name)
            .collect();
        let Some(old) = names.get(random.below(names.len().max(1))) else {
            return;
        };
        let base = old.trim_matches('|').trim_end_matches("@0");
        let name = format!("{base}{}{}", random.pick(&ODD), random.pick(&ODD));
        for line in [&mut self.first, &mut self.steps, &mut self.obligations]
            .into_iter()
            .flatten()
        {
            *line = map_words(line, |word| {
                let (found, position) = word.trim_matches('|').rsplit_once('@')?;
                (found == base).then(|| format!("|{name}@{position}|"))
            });
        }
    }

    /// Names and sorts of the declared variables.
    pub fn declared(lines: &[String]) -> Vec<(String, String)> {
        let commands = lines
            .iter()
            .filter_map(|line| line.strip_prefix("(declare-fun "));
        let split = |line: &str| {
            let (name, sort) = line.strip_suffix(')')?.split_once(" () ")?;
            Some((name.to_owned(), sort.to_owned()))
        };
        commands.filter_map(split).collect()
    }

    /// All names of position 0.
    pub fn names(&self) -> Vec<String> {
        let commands = self.first.iter().filter(|line| line.starts_with('('));
        commands
            .filter_map(|line| words(line).get(2).map(|name| (*name).to_owned()))
            .collect()
    }

    /// The text, with the commands of the other positions.
    fn write(&self, random: &mut Random) -> String {
        let moved = [move_words, move_text][random.below(2)];
        let mut lines = self.head.clone();
        lines.extend(self.first.iter().cloned());
        for (before, step) in self.steps.iter().enumerate() {
            lines.extend(self.first.iter().map(|line| moved(line, before + 1)));
            lines.push(step.clone());
        }
        lines.extend(self.obligations.iter().cloned());
        lines.join("\n") + "\n"
    }
}

/// A line at another position, as a solver sees names.
fn move_words(line: &str, position: usize) -> String {
    match line.strip_suffix(" at position 0") {
        Some(heading) => format!("{heading} at position {position}"),
        None => map_words(line, |word| move_name(word, position)),
    }
}

/// A line at another position, as a reader sees it that ends words at spaces and parentheses alone.
fn move_text(line: &str, position: usize) -> String {
    if line.starts_with(';') {
        return move_words(line, position);
    }
    let (mut text, mut rest) = (String::new(), line);
    while !rest.is_empty() {
        let quoted = rest.strip_prefix('|').and_then(|inner| inner.find('|'));
        let end = rest
            .find(['(', ')', ' '])
            .map_or(rest.len(), |end| end.max(1));
        let (word, behind) = rest.split_at(quoted.map_or(end, |end| end + 2));
        text.push_str(&move_name(word, position).unwrap_or_else(|| word.to_owned()));
        rest = behind;
    }
    text
}

fn move_name(word: &str, position: usize) -> Option<String> {
    let plain = word.strip_suffix('|').unwrap_or(word);
    let base = plain.strip_suffix("@0")?;
    Some(format!("{base}@{position}{}", &word[plain.len()..]))
}

/// Replaces words of a line and leaves everything between them as it is.
pub fn map_words(line: &str, change: impl Fn(&str) -> Option<String>) -> String {
    let (mut text, mut rest) = (String::new(), line);
    for word in words(line) {
        let start = rest.find(word).unwrap_or(0);
        text.push_str(&rest[..start]);
        text.push_str(&change(word).unwrap_or_else(|| word.to_owned()));
        rest = &rest[start + word.len()..];
    }
    text + rest
}
