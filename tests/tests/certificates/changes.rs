//! Changes of certificates, word by word.

use system::testing::Random;

use super::forger::{ODD, Parts, map_words};
use super::reference::words;

const OPERATORS: [&str; 16] = [
    "and", "or", "not", "=", "ite", "bvult", "bvslt", "bvule", "bvand", "bvor", "bvxor", "bvadd",
    "bvsub", "bvmul", "let", "distinct",
];

impl Parts {
    /// Changes something.
    pub fn change(&mut self, random: &mut Random) {
        let definitions =
            (0..self.first.len()).filter(|&line| self.first[line].starts_with("(define"));
        let definitions: Vec<usize> = definitions.collect();
        let line = match random.below(3) {
            0 => self.first.len() - 1,
            _ => random.pick(&definitions),
        };
        match random.below(12) {
            0 => self.exchange(line, random.pick(&definitions)),
            1..4 => self.smuggle(random),
            4 => {
                let lines = self.obligations.len();
                let line = random.below(lines);
                self.obligations[line] = change_words(random, &self.obligations[line], &[]);
            }
            5 => {
                self.first.remove(line);
            }
            6 => self.first[line] = touch(random, &self.first[line]),
            _ => self.first[line] = change_words(random, &self.first[line], &self.names()),
        }
    }

    /// Exchanges what two names stand for.
    fn exchange(&mut self, one: usize, other: usize) {
        let parts = |line: &str| {
            let start = line.find(" () ").unwrap_or(0);
            (line[..start].to_owned(), line[start..].to_owned())
        };
        let [(first, body), (second, other_body)] =
            [one, other].map(|line| parts(&self.first[line]));
        self.first[one] = first + &other_body;
        self.first[other] = second + &body;
    }

    /// Replaces variables in the invariant, or in the initial states, which then are the invariant, by expressions of the same value
    /// in which their names touch others.
    fn smuggle(&mut self, random: &mut Random) {
        let start = |start: &str| self.first.iter().position(|line| line.starts_with(start));
        let inputs = start("; inputs").unwrap_or(0);
        let initial = start("(define-fun initial@0").map(|line| self.first[line].clone());
        let invariant = self.first.pop().unwrap_or_default();
        let mut invariant = match initial {
            Some(initial) if random.below(2) == 0 => initial.replace("initial@0", "invariant@0"),
            Some(_) | None => invariant,
        };
        let (odd, space) = (random.pick(&ODD), [" ", "", "", ""][random.below(4)]);
        let state = Self::declared(&self.first[..inputs]);
        for (number, (name, sort)) in state.into_iter().enumerate() {
            let other = format!("|z{odd}{number}@0|");
            let definition = format!("(define-fun {other} () {sort} {name})");
            self.first.push(definition);
            let expression = format!("(ite true {name}{space}{other})");
            let replace = |word: &str| (word == name).then(|| expression.clone());
            invariant = map_words(&invariant, replace);
        }
        self.first.push(invariant);
    }
}

/// A word is lost, doubled, exchanged or replaced.
fn change_words(random: &mut Random, line: &str, names: &[String]) -> String {
    let mut list: Vec<String> = words(line).into_iter().map(str::to_owned).collect();
    // What a definition stands for is behind its name and sort.
    let start = if list.len() > 7 && random.below(8) > 0 {
        5
    } else {
        0
    };
    let symbols = |list: &[String]| {
        let is_symbol = |&place: &usize| list[place].trim_end_matches('|').ends_with("@0");
        (start..list.len())
            .filter(is_symbol)
            .collect::<Vec<usize>>()
    };
    let symbols = symbols(&list);
    let place = start + random.below(list.len() - start);
    match random.below(9) {
        0 => {
            list.remove(place);
        }
        1 => list.insert(place, list[place].clone()),
        2 => {
            let other = start + random.below(list.len() - start);
            list.swap(place, other);
        }
        3 if symbols.len() > 1 => list.swap(random.pick(&symbols), random.pick(&symbols)),
        4 | 5 if !symbols.is_empty() && !names.is_empty() => {
            list[random.pick(&symbols)] = names[random.below(names.len())].clone();
        }
        6 => replace(
            &mut list,
            random,
            |word| OPERATORS.contains(&word),
            |random, _| random.pick(&OPERATORS).to_owned(),
        ),
        7 => replace(
            &mut list,
            random,
            |word| ["true", "false"].contains(&word),
            |random, _| (random.below(2) == 0).to_string(),
        ),
        _ => replace(
            &mut list,
            random,
            |word| word.starts_with('#'),
            other_literal,
        ),
    }
    list.join(" ").replace("( ", "(").replace(" )", ")")
}

/// Replaces a word of some kind, if there is one.
fn replace(
    list: &mut [String],
    random: &mut Random,
    is_kind: impl Fn(&str) -> bool,
    other: impl Fn(&mut Random, &str) -> String,
) {
    let places: Vec<usize> = (0..list.len())
        .filter(|&place| is_kind(&list[place]))
        .collect();
    if !places.is_empty() {
        let place = random.pick(&places);
        list[place] = other(random, &list[place]);
    }
}

/// Mostly of the same width.
fn other_literal(random: &mut Random, word: &str) -> String {
    let (start, digits) = word.split_at(2);
    let radix = if start == "#b" { 2 } else { 16 };
    let more = usize::from(random.below(6) == 0);
    let digits = (0..digits.len() + more)
        .map(|_| char::from_digit(random.below(radix) as u32, radix as u32));
    format!("{start}{}", digits.flatten().collect::<String>())
}

/// Adds a bar, puts bars around a word, or takes a space away.
fn touch(random: &mut Random, line: &str) -> String {
    let mut text: Vec<char> = line.chars().collect();
    let place = random.below(text.len());
    let spaces: Vec<usize> = (0..text.len())
        .filter(|&place| text[place] == ' ')
        .collect();
    match random.below(3) {
        0 => text.insert(place, '|'),
        1 => {
            text.remove(random.pick(&spaces));
        }
        _ => {
            let all = words(line);
            let chosen = all[random.below(all.len())];
            return map_words(line, |word| (word == chosen).then(|| format!("|{word}|")));
        }
    }
    text.into_iter().collect()
}
