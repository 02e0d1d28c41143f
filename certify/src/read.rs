//! Reading the commands of position 0, strictly: a certificate is not trusted.
//!
//! Only declarations and definitions without parameters are possible there, each of a new name of the position, by the
//! operators of bit-vectors and earlier names. Such definitions exclude no values, whatever they say; so they cannot make an
//! obligation unsatisfiable by themselves.

use std::collections::BTreeMap;

use crate::certificate::Malformed;
use crate::frame::{Frame, Variable, at, heading, next_name, role};
use crate::symbols::{is_operator, is_positioned, words};

/// What is known of a name.
#[derive(Clone)]
struct Known {
    sort: String,
    /// Whether its value depends on the state alone.
    of_state: bool,
    is_defined: bool,
}

#[derive(Default)]
struct Reader {
    known: BTreeMap<String, Known>,
    frame: Frame,
}

impl Frame {
    /// Reads the frame that starts at a line, by its index; what follows it is not looked at.
    pub fn parse(lines: &[&str], start: usize) -> Result<Self, Malformed> {
        let mut reader = Reader::default();
        let mut index = start;
        for part in ["state", "inputs", "definitions"] {
            let heading = heading(part, 0);
            if lines.get(index) != Some(&heading.as_str()) {
                return Err(malformed(index, format!("`{heading}` is expected")));
            }
            index += 1;
            while let Some(line) = lines.get(index).filter(|line| line.starts_with('(')) {
                if part == "definitions" && !line.starts_with("(define-fun ") {
                    break;
                }
                let read = reader.command(part, line);
                read.map_err(|cause| malformed(index, cause))?;
                index += 1;
            }
        }
        reader.finish().map_err(|cause| malformed(index, cause))
    }
}

fn malformed(index: usize, cause: String) -> Malformed {
    Malformed {
        line: index + 1,
        cause,
    }
}

impl Reader {
    fn command(&mut self, part: &str, line: &str) -> Result<(), String> {
        let words = words(line).ok_or("a character that is not allowed here")?;
        let (&[_, command, name, "(", ")"], rest) =
            words.split_first_chunk().ok_or("a command is expected")?
        else {
            return Err("a declaration or definition without parameters is expected".to_owned());
        };
        let (sort, body) = sort(rest).ok_or("a sort is expected: Bool or (_ BitVec n)")?;
        if !is_positioned(name) || self.known.contains_key(name) {
            return Err(format!("{name} is no new name that ends in @0"));
        }
        let is_defined = part == "definitions";
        let of_state = match (command, is_defined) {
            ("declare-fun", false) if body == [")"] => part == "state",
            ("define-fun", true) => self.body(body)?,
            _ => return Err(format!("this command does not belong to the {part}")),
        };
        let variable = Variable {
            name: name.to_owned(),
            sort: sort.clone(),
        };
        match part {
            "state" => self.frame.state.push((variable, None)),
            "inputs" => self.frame.inputs.push(variable),
            _ => self.frame.definitions.push(line.to_owned()),
        }
        let known = Known {
            sort,
            of_state,
            is_defined,
        };
        self.known.insert(name.to_owned(), known);
        Ok(())
    }

    /// Whether a definition depends on the state alone. It is one expression and the end of the command.
    fn body(&self, words: &[&str]) -> Result<bool, String> {
        let (mut depth, mut of_state) = (1_usize, true);
        let mut expressions = 0;
        for (position, &word) in words.iter().enumerate() {
            expressions += usize::from(depth == 1 && word != ")");
            match word {
                "(" => depth += 1,
                ")" => depth -= 1,
                _ => of_state &= self.depends_on_state(word)?,
            }
            if depth == 0 && (position + 1 < words.len() || expressions != 1) {
                return Err("one command on a line, with one expression, is expected".to_owned());
            }
        }
        match depth {
            0 => Ok(of_state),
            _ => Err("a closing parenthesis is missing".to_owned()),
        }
    }

    fn depends_on_state(&self, word: &str) -> Result<bool, String> {
        match self.known.get(word) {
            Some(known) => Ok(known.of_state),
            None if is_operator(word) => Ok(true),
            None => Err(format!("{word} is neither an operator nor defined before")),
        }
    }

    /// Next values and roles are there, of the sorts that they need.
    fn finish(mut self) -> Result<Frame, String> {
        for (number, (variable, next)) in self.frame.state.iter_mut().enumerate() {
            let name = next_name(number, 0);
            *next = match self.known.get(&name) {
                None => None,
                Some(known) if known.is_defined && known.sort == variable.sort => Some(name),
                Some(_) => return Err(format!("{name} is no value for {}", variable.name)),
            };
        }
        for role in role::ALL {
            let name = at(role, 0);
            let known = self.known.get(&name).filter(|known| known.is_defined);
            let known = known.ok_or(format!("{name} is not defined"))?;
            if known.sort != "Bool" {
                return Err(format!("{name} is not Boolean"));
            }
            if [role::INITIAL, role::INVARIANT].contains(&role) && !known.of_state {
                return Err(format!("{name} depends on inputs"));
            }
        }
        for name in [role::STEP, role::RUN].map(|role| at(role, 0)) {
            if self.known.contains_key(&name) {
                return Err(format!("{name} has another meaning"));
            }
        }
        Ok(self.frame)
    }
}

/// A sort, and the words behind it.
fn sort<'a>(words: &'a [&'a str]) -> Option<(String, &'a [&'a str])> {
    match words {
        ["Bool", rest @ ..] => Some(("Bool".to_owned(), rest)),
        ["(", "_", "BitVec", width, ")", rest @ ..]
            if width
                .parse::<u32>()
                .is_ok_and(|number| number > 0 && number.to_string() == *width) =>
        {
            Some((format!("(_ BitVec {width})"), rest))
        }
        _ => None,
    }
}
