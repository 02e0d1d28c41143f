//! S-expressions with line numbers, in one flat table: neither reading nor dropping them needs a deep stack.

use super::ParseError;

/// An expression of a [`Tree`].
pub type Id = usize;

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A symbol (without bars), keyword, number or literal.
    Atom(String),
    /// A list.
    List(Vec<Id>),
}

/// All expressions of a text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    kinds: Vec<Kind>,
    lines: Vec<usize>,
}

impl Tree {
    /// Reads a text; gives the expressions at its top level.
    pub fn parse(text: &str) -> Result<(Self, Vec<Id>), ParseError> {
        let mut tree = Self::default();
        let mut top: Vec<Id> = Vec::new();
        let mut open: Vec<(usize, Vec<Id>)> = Vec::new();
        let mut lexer = Lexer {
            rest: text,
            line: 1,
        };
        while let Some((token, line)) = lexer.next_token()? {
            let done = match token {
                Token::Open => {
                    open.push((line, Vec::new()));
                    continue;
                }
                Token::Close => {
                    let Some((line, items)) = open.pop() else {
                        return Err(error(
                            line,
                            "a closing parenthesis without an opening one",
                            "remove it",
                        ));
                    };
                    tree.push(Kind::List(items), line)
                }
                Token::Atom(text) => tree.push(Kind::Atom(text), line),
            };
            open.last_mut()
                .map_or(&mut top, |(_, items)| items)
                .push(done);
        }
        match open.last() {
            Some(&(line, _)) => Err(error(
                line,
                "an opening parenthesis is not closed",
                "close it",
            )),
            None => Ok((tree, top)),
        }
    }

    fn push(&mut self, kind: Kind, line: usize) -> Id {
        self.kinds.push(kind);
        self.lines.push(line);
        self.kinds.len() - 1
    }

    /// What an expression is.
    pub fn kind(&self, id: Id) -> &Kind {
        &self.kinds[id]
    }

    /// Where an expression starts.
    pub fn line(&self, id: Id) -> usize {
        self.lines[id]
    }

    /// The text of an atom.
    pub fn atom(&self, id: Id) -> Option<&str> {
        match self.kind(id) {
            Kind::Atom(text) => Some(text),
            Kind::List(_) => None,
        }
    }

    /// The items of a list; an atom has none.
    pub fn items(&self, id: Id) -> &[Id] {
        match self.kind(id) {
            Kind::Atom(_) => &[],
            Kind::List(items) => items,
        }
    }
}

fn error(line: usize, cause: &str, remedy: &'static str) -> ParseError {
    ParseError {
        line,
        cause: cause.to_owned(),
        remedy,
    }
}

enum Token {
    Open,
    Close,
    Atom(String),
}

struct Lexer<'a> {
    rest: &'a str,
    line: usize,
}

impl Lexer<'_> {
    fn next_token(&mut self) -> Result<Option<(Token, usize)>, ParseError> {
        self.skip_space();
        let line = self.line;
        let token = match self.rest.chars().next() {
            None => return Ok(None),
            Some('(') => {
                self.take(1);
                Token::Open
            }
            Some(')') => {
                self.take(1);
                Token::Close
            }
            Some(quote @ ('|' | '"')) => Token::Atom(self.take_quoted(quote)?),
            Some(_) => {
                let end = |c: char| c.is_whitespace() || "()|\";".contains(c);
                Token::Atom(self.take(self.rest.find(end).unwrap_or(self.rest.len())))
            }
        };
        Ok(Some((token, line)))
    }

    fn skip_space(&mut self) {
        loop {
            let space = self
                .rest
                .find(|c: char| !c.is_whitespace())
                .unwrap_or(self.rest.len());
            self.take(space);
            if !self.rest.starts_with(';') {
                return;
            }
            self.take(self.rest.find('\n').unwrap_or(self.rest.len()));
        }
    }

    fn take(&mut self, length: usize) -> String {
        let (taken, rest) = self.rest.split_at(length);
        self.line += taken.matches('\n').count();
        self.rest = rest;
        taken.to_owned()
    }

    fn take_quoted(&mut self, quote: char) -> Result<String, ParseError> {
        let Some(end) = self.rest[1..].find(quote) else {
            return Err(error(
                self.line,
                "a quoted symbol or string does not end",
                "close it",
            ));
        };
        let text = self.take(end + 2);
        Ok(text[1..=end].to_owned())
    }
}
