//! Reading BTOR2.

use std::collections::BTreeMap;

use super::operators::{apply, arity};
use crate::export::ParseError;
use crate::term::{Sort, Term, Terms, Value, all_ones};
use crate::transition_system::{Property, Role, StateVariable, TransitionSystem};

/// Reads a system. A condition on the initial state that the format expresses by latches stays that.
///
/// # Errors
/// Line, cause and remedy if the text is not BTOR2, or has arrays, justice or fairness.
pub fn parse(text: &str) -> Result<TransitionSystem, ParseError> {
    let mut reader = Reader::new();
    for (index, line) in text.lines().enumerate() {
        let content = line.split(';').next().unwrap_or_default();
        let words: Vec<&str> = content.split_whitespace().collect();
        if !words.is_empty() {
            reader.line(&words).map_err(|(cause, remedy)| ParseError {
                line: index + 1,
                cause,
                remedy,
            })?;
        }
    }
    Ok(reader.system)
}

type Refusal = (String, &'static str);

struct Reader {
    system: TransitionSystem,
    sorts: BTreeMap<u64, u32>,
    nodes: BTreeMap<u64, Term>,
}

impl Reader {
    fn new() -> Self {
        let mut terms = Terms::new();
        let guard = terms.bool(true);
        let system = TransitionSystem {
            terms,
            state: Vec::new(),
            inputs: Vec::new(),
            initial_constraints: Vec::new(),
            guard,
            invariant_constraints: Vec::new(),
            properties: Vec::new(),
        };
        Self {
            system,
            sorts: BTreeMap::new(),
            nodes: BTreeMap::new(),
        }
    }

    fn line(&mut self, words: &[&str]) -> Result<(), Refusal> {
        let id: u64 = number(words[0])?;
        let (&keyword, words) = words[1..].split_first().ok_or_else(missing)?;
        if self.sorts.contains_key(&id) || self.nodes.contains_key(&id) {
            return Err((
                format!("the number {id} is used twice"),
                "number the lines in ascending order",
            ));
        }
        match keyword {
            "sort" => {
                let width = sort(words)?;
                self.sorts.insert(id, width);
            }
            "input" | "state" => self.variable(id, keyword, words)?,
            "init" | "next" => self.assign(keyword, words)?,
            "constraint" => {
                let constraint = self.condition(words)?;
                self.system.invariant_constraints.push(constraint);
            }
            "bad" => {
                let bad = self.condition(words)?;
                let name = words
                    .get(1)
                    .map_or_else(|| format!("bad{id}"), |name| (*name).to_owned());
                self.system.properties.push(Property {
                    name,
                    role: Role::Violation,
                    bad,
                });
            }
            "output" => {}
            "fair" | "justice" => {
                return Err((
                    format!("{keyword} speaks of infinite runs"),
                    "only bad and constraint are supported",
                ));
            }
            _ => {
                let term = self.term(keyword, words)?;
                self.nodes.insert(id, term);
            }
        }
        Ok(())
    }

    fn width(&self, words: &[&str]) -> Result<u32, Refusal> {
        let id: u64 = number(words.first().ok_or_else(missing)?)?;
        let width = self.sorts.get(&id).copied();
        width.ok_or_else(|| (format!("{id} is no sort"), "define the sort before its use"))
    }

    /// A node; a minus before its number is its complement.
    fn node(&mut self, word: Option<&&str>) -> Result<Term, Refusal> {
        let word = word.ok_or_else(missing)?;
        let id: u64 = number(word.strip_prefix('-').unwrap_or(word))?;
        let term = self.nodes.get(&id).copied();
        let term =
            term.ok_or_else(|| (format!("{id} is no node"), "define the node before its use"))?;
        Ok(if word.starts_with('-') {
            self.system.terms.bit_not(term)
        } else {
            term
        })
    }

    fn condition(&mut self, words: &[&str]) -> Result<Term, Refusal> {
        let bit = self.node(words.first())?;
        if self.system.terms.width(bit) != 1 {
            return Err((
                "a condition of more than 1 bit".to_owned(),
                "compare the value with redor or neq",
            ));
        }
        Ok(self.system.terms.bit_to_bool(bit))
    }

    fn variable(&mut self, id: u64, keyword: &str, words: &[&str]) -> Result<(), Refusal> {
        let sort = Sort::BitVec(self.width(words)?);
        let name = words
            .get(1)
            .map_or_else(|| format!("{keyword}{id}"), |name| (*name).to_owned());
        let symbol = self.system.terms.symbol(name, sort);
        self.nodes.insert(id, symbol);
        if keyword == "input" {
            self.system.inputs.push(symbol);
        } else {
            self.system.state.push(StateVariable {
                current: symbol,
                initial: None,
                next: None,
            });
        }
        Ok(())
    }

    fn assign(&mut self, keyword: &str, words: &[&str]) -> Result<(), Refusal> {
        let width = self.width(words)?;
        let (variable, value) = (self.node(words.get(1))?, self.node(words.get(2))?);
        let terms = &self.system.terms;
        if terms.width(variable) != width || terms.width(value) != width {
            return Err((
                format!("{keyword} has operands of another sort"),
                "give both the sort of the line",
            ));
        }
        let of_input = |term: &Term| self.system.inputs.contains(term);
        if keyword == "init" && terms.cone(&[value]).iter().any(of_input) {
            return Err((
                "an initial value depends on an input".to_owned(),
                "use a state without next instead of the input",
            ));
        }
        let found = self
            .system
            .state
            .iter_mut()
            .find(|state| state.current == variable);
        let state =
            found.ok_or_else(|| (format!("{keyword} of what is no state"), "name a state"))?;
        let slot = if keyword == "init" {
            &mut state.initial
        } else {
            &mut state.next
        };
        match slot.replace(value) {
            None => Ok(()),
            Some(_) => Err((
                format!("a second {keyword} of one state"),
                "remove one of them",
            )),
        }
    }

    fn term(&mut self, keyword: &str, words: &[&str]) -> Result<Term, Refusal> {
        let width = self.width(words)?;
        if let Some(value) = constant(keyword, width, words.get(1).copied())? {
            return Ok(self.system.terms.constant(value));
        }
        let (operands, numbers) = arity(keyword).ok_or_else(|| {
            (
                format!("{keyword} is not supported"),
                "use the operators on bit-vectors; arrays are not supported",
            )
        })?;
        let operands = (1..=operands).map(|index| self.node(words.get(index)));
        let operands = operands.collect::<Result<Vec<Term>, Refusal>>()?;
        let numbers = words[1 + operands.len()..]
            .iter()
            .take(numbers)
            .map(|word| number(word));
        let numbers = numbers.collect::<Result<Vec<u32>, Refusal>>()?;
        let term = apply(&mut self.system.terms, keyword, &operands, &numbers)?;
        if self.system.terms.width(term) != width {
            return Err((
                format!("the result of {keyword} has another sort"),
                "give the line the sort of its result",
            ));
        }
        Ok(term)
    }
}

fn missing() -> Refusal {
    ("the line ends too early".to_owned(), "give all operands")
}

fn number<N: std::str::FromStr>(word: &str) -> Result<N, Refusal> {
    word.parse().map_err(|_| {
        (
            format!("{word} is no number that fits here"),
            "write a decimal number",
        )
    })
}

fn sort(words: &[&str]) -> Result<u32, Refusal> {
    match words {
        ["bitvec", width, ..] => match number(width)? {
            width @ 1..=128 => Ok(width),
            width => Err((
                format!("a bit-vector of {width} bits"),
                "bit-vectors have 1 to 128 bits",
            )),
        },
        ["array", ..] => Err((
            "arrays are not supported".to_owned(),
            "split the array into states",
        )),
        _ => Err(("this is no sort".to_owned(), "write `sort bitvec <width>`")),
    }
}

/// The value of a constant; `None` if the keyword is not that of a constant.
fn constant(keyword: &str, width: u32, digits: Option<&str>) -> Result<Option<Value>, Refusal> {
    let radix = match keyword {
        "zero" => return Ok(Some(Value::BitVec(width, 0))),
        "one" => return Ok(Some(Value::BitVec(width, 1))),
        "ones" => return Ok(Some(Value::BitVec(width, all_ones(width)))),
        "const" => 2,
        "constd" => 10,
        "consth" => 16,
        _ => return Ok(None),
    };
    let digits = digits.ok_or_else(missing)?;
    let (negative, digits) = digits
        .strip_prefix('-')
        .map_or((false, digits), |digits| (true, digits));
    let magnitude = u128::from_str_radix(digits, radix)
        .ok()
        .filter(|&bits| bits <= all_ones(width));
    let Some(magnitude) = magnitude else {
        return Err((
            format!("{digits} is no number of {width} bits"),
            "write a number that fits the sort",
        ));
    };
    let bits = if negative {
        magnitude.wrapping_neg()
    } else {
        magnitude
    };
    Ok(Some(Value::truncated(width, bits)))
}
