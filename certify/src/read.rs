//! Reading the commands of position 0, strictly: a certificate is not trusted.
//!
//! Only declarations and definitions without parameters are possible there, each of a new name of the position, by
//! operators of bit-vectors that take their operands, and earlier names. Such definitions exclude no values, whatever they
//! say; so they cannot make an obligation unsatisfiable by themselves.

use system::term::Sort;

use crate::expression::{Kind, Parser, Scope};
use crate::frame::{Definition, Frame, PARTS, Variable, heading, next_base, predicate};
use crate::malformed::{Malformed, malformed};
use crate::name::Name;
use crate::words::{Word, words};

#[derive(Default)]
struct Reader {
    scope: Scope,
    frame: Frame,
}

impl Frame {
    /// Reads the frame that starts at a line, by its index; what follows it is not looked at.
    ///
    /// # Errors
    /// Where it is none.
    pub fn parse(lines: &[&str], start: usize) -> Result<Self, Malformed> {
        let mut reader = Reader::default();
        let mut index = start;
        for part in PARTS {
            let heading = heading(part, 0);
            if lines.get(index) != Some(&heading.as_str()) {
                return Err(malformed(index, format!("`{heading}` is expected")));
            }
            index += 1;
            while let Some(line) = lines.get(index).filter(|line| line.starts_with('(')) {
                let read = reader.command(part, line);
                read.map_err(|cause| malformed(index, cause))?;
                index += 1;
            }
            let read = reader.finish(part);
            read.map_err(|cause| malformed(index, cause))?;
        }
        Ok(reader.frame)
    }
}

impl Reader {
    fn command(&mut self, part: &str, line: &str) -> Result<(), String> {
        let words = words(line)?;
        let mut parser = Parser::new(&words, &self.scope);
        let is_declared = ["state", "inputs"].contains(&part);
        let command = match is_declared {
            true => "declare-fun",
            false => "define-fun",
        };
        parser.expect(&[Word::Open, Word::Plain(command)])?;
        let name = Name::parse(parser.word()?)?;
        if self.scope.contains_key(&name) {
            return Err(format!("{} is no new name", name.at(0)));
        }
        parser.expect(&[Word::Open, Word::Close])?;
        let sort = parser.sort()?;
        let kind = if is_declared {
            parser.end()?;
            self.declare(
                part,
                Variable {
                    name: name.clone(),
                    sort,
                },
            );
            Kind {
                sort,
                of_state: part == "state",
            }
        } else {
            let (body, kind) = parser.expression()?;
            parser.end()?;
            if kind.sort != sort {
                return Err(format!("{} does not have the sort of its body", name.at(0)));
            }
            self.define(
                part,
                Definition {
                    name: name.clone(),
                    sort,
                    body,
                },
            );
            kind
        };
        self.scope.insert(name, kind);
        Ok(())
    }

    fn declare(&mut self, part: &str, variable: Variable) {
        match part {
            "state" => self.frame.state.push(variable),
            _ => self.frame.inputs.push(variable),
        }
    }

    fn define(&mut self, part: &str, definition: Definition) {
        match part {
            "invariant" => self.frame.invariant.push(definition),
            _ => self.frame.system.push(definition),
        }
    }

    /// Checks that a part says all that it has to say.
    fn finish(&mut self, part: &str) -> Result<(), String> {
        match part {
            "definitions" => self.finish_system(),
            "invariant" => self.finish_invariant(),
            _ => Ok(()),
        }
    }

    /// The definitions end with the next values and the roles, which have the sorts that they need.
    fn finish_system(&mut self) -> Result<(), String> {
        self.frame.next = self.next()?;
        let next = self.frame.next.iter().flatten().cloned();
        let last: Vec<Name> = next.chain(predicate::OF_SYSTEM.map(Name::new)).collect();
        let shared = self.frame.system.len().checked_sub(last.len());
        let found = shared.map(|shared| self.frame.system[shared..].iter());
        let found = found.into_iter().flatten();
        if !found.map(|definition| &definition.name).eq(&last) {
            let names: Vec<String> = last.iter().map(|name| name.at(0).to_string()).collect();
            return Err(format!("the definitions end with {}", names.join(", ")));
        }
        predicate::OF_SYSTEM
            .into_iter()
            .try_for_each(|role| self.boolean(role))?;
        self.over_state(&Name::new(predicate::INITIAL))
    }

    fn next(&self) -> Result<Vec<Option<Name>>, String> {
        let numbered = self.frame.state.iter().enumerate();
        let next = numbered.map(|(number, variable)| {
            let name = Name::new(&next_base(number));
            match self.scope.get(&name) {
                None => Ok(None),
                Some(kind) if kind.sort == variable.sort => Ok(Some(name)),
                Some(_) => {
                    let [name, of] = [&name, &variable.name].map(|name| name.at(0));
                    Err(format!("{name} is no value for {of}"))
                }
            }
        });
        next.collect()
    }

    /// The last definition is the invariant; nothing that only it needs depends on inputs, and nothing has a name that obligations
    /// define.
    fn finish_invariant(&self) -> Result<(), String> {
        let definitions = &self.frame.invariant;
        let name = Name::new(predicate::INVARIANT);
        if definitions.last().map(|last| &last.name) != Some(&name) {
            return Err(format!("{} is expected last", name.at(0)));
        }
        self.boolean(predicate::INVARIANT)?;
        definitions
            .iter()
            .try_for_each(|definition| self.over_state(&definition.name))?;
        for name in [predicate::STEP, predicate::RUN].map(Name::new) {
            if self.scope.contains_key(&name) {
                return Err(format!("{} has another meaning", name.at(0)));
            }
        }
        Ok(())
    }

    fn boolean(&self, role: &str) -> Result<(), String> {
        let name = Name::new(role);
        match self.scope.get(&name).map(|kind| kind.sort) {
            Some(Sort::Bool) => Ok(()),
            Some(Sort::BitVec(_)) | None => Err(format!("{} is not Boolean", name.at(0))),
        }
    }

    fn over_state(&self, name: &Name) -> Result<(), String> {
        match self.scope.get(name) {
            Some(kind) if kind.of_state => Ok(()),
            Some(_) | None => Err(format!("{} depends on inputs", name.at(0))),
        }
    }
}
