//! Reads position 0 of a certificate as SMT-LIB: symbols are equal with and without bars, and a bar ends the word before it.

use std::collections::BTreeMap;

use z3::ast::{BV, Bool};

/// An expression as it is written.
#[derive(Clone, Debug)]
pub enum Node {
    Word(String),
    List(Vec<Node>),
}

/// A value of the library.
#[derive(Clone, Debug)]
pub enum Value {
    Bool(Bool),
    Bits(BV),
}

/// What a certificate says.
#[derive(Debug)]
pub struct Claim {
    pub argument: Vec<String>,
    /// Names and widths; Booleans have none.
    pub state: Vec<(String, Option<u32>)>,
    pub inputs: Vec<(String, Option<u32>)>,
    definitions: BTreeMap<String, Node>,
}

/// The values of all names at one position.
#[derive(Clone, Debug)]
pub struct Position<'a> {
    claim: &'a Claim,
    values: BTreeMap<String, Value>,
}

impl Claim {
    /// Reads a certificate; `None` if it says nothing that is understood.
    pub fn read(text: &str) -> Option<Self> {
        let (head, rest) = text.split_once("; state at position 0\n")?;
        let argument = head
            .lines()
            .find_map(|line| line.strip_prefix("; argument: "))?;
        let (state, rest) = rest.split_once("; inputs at position 0\n")?;
        let (inputs, rest) = rest.split_once("; definitions at position 0\n")?;
        let definitions = &rest[..rest.find("; state at position 1\n")?];
        let definitions = definitions.lines().filter(|line| !line.starts_with(';'));
        let variables = |text: &str| text.lines().map(variable).collect::<Option<Vec<_>>>();
        Some(Self {
            argument: argument.split(' ').map(str::to_owned).collect(),
            state: variables(state)?,
            inputs: variables(inputs)?,
            definitions: definitions.map(definition).collect::<Option<_>>()?,
        })
    }

    /// The next value of a state variable at a position, if it has one.
    pub fn next<'a>(&'a self, variable: usize, at: &mut Position<'a>) -> Option<Value> {
        let name = format!("next{variable}@0");
        self.definitions
            .contains_key(&name)
            .then(|| at.name(&name))?
    }

    /// A position with these values of variables.
    pub fn position(&self, state: Vec<Value>, inputs: Vec<Value>) -> Position<'_> {
        let variables = self.state.iter().chain(&self.inputs);
        let names = variables.map(|(name, _)| name.clone());
        let values = names.zip(state.into_iter().chain(inputs)).collect();
        Position {
            claim: self,
            values,
        }
    }
}

/// A value about which nothing is known.
pub fn arbitrary(variables: &[(String, Option<u32>)]) -> Vec<Value> {
    let value = |(_, width): &(String, Option<u32>)| match width {
        None => Value::Bool(Bool::fresh_const("b")),
        Some(width) => Value::Bits(BV::fresh_const("v", *width)),
    };
    variables.iter().map(value).collect()
}

/// Whether two values of one sort are equal.
pub fn equal(a: &Value, b: &Value) -> Option<Bool> {
    match (a, b) {
        (Value::Bool(a), Value::Bool(b)) => Some(a.eq(b)),
        (Value::Bits(a), Value::Bits(b)) => (a.get_size() == b.get_size()).then(|| a.eq(b)),
        (Value::Bool(_), Value::Bits(_)) | (Value::Bits(_), Value::Bool(_)) => None,
    }
}

impl Position<'_> {
    /// What a Boolean name means here.
    pub fn role(&mut self, name: &str) -> Option<Bool> {
        boolean(self.name(&format!("{name}@0"))?)
    }

    fn name(&mut self, name: &str) -> Option<Value> {
        if let Some(value) = self.values.get(name) {
            return Some(value.clone());
        }
        let body = self.claim.definitions.get(name)?;
        let value = self.value(body)?;
        self.values.insert(name.to_owned(), value.clone());
        Some(value)
    }

    /// What an expression means here; `None` if it is ill-sorted.
    fn value(&mut self, node: &Node) -> Option<Value> {
        let items = match node {
            Node::Word(word) => return literal(word).or_else(|| self.name(word)),
            Node::List(items) => items,
        };
        let (head, operands) = items.split_first()?;
        let operands = operands.iter().map(|operand| self.value(operand));
        let operands: Vec<Value> = operands.collect::<Option<_>>()?;
        match head {
            Node::Word(operator) => apply(operator, operands),
            Node::List(indexed) => match indexed.as_slice() {
                [Node::Word(_), Node::Word(operator), numbers @ ..] => {
                    indexed_operation(operator, numbers, operands)
                }
                _ => None,
            },
        }
    }
}

fn literal(word: &str) -> Option<Value> {
    let digits = |radix, bits: usize| {
        let number = u64::from_str_radix(&word[2..], radix).ok()?;
        Some(Value::Bits(BV::from_u64(
            number,
            ((word.len() - 2) * bits) as u32,
        )))
    };
    match word {
        "true" | "false" => Some(Value::Bool(Bool::from_bool(word == "true"))),
        _ if word.starts_with("#b") => digits(2, 1),
        _ if word.starts_with("#x") => digits(16, 4),
        _ => None,
    }
}

fn boolean(value: Value) -> Option<Bool> {
    match value {
        Value::Bool(value) => Some(value),
        Value::Bits(_) => None,
    }
}

fn bits(value: Value) -> Option<BV> {
    match value {
        Value::Bits(value) => Some(value),
        Value::Bool(_) => None,
    }
}

fn apply(operator: &str, operands: Vec<Value>) -> Option<Value> {
    if ["and", "or"].contains(&operator) {
        let operands = operands
            .into_iter()
            .map(boolean)
            .collect::<Option<Vec<Bool>>>()?;
        return Some(Value::Bool(if operator == "and" {
            Bool::and(&operands)
        } else {
            Bool::or(&operands)
        }));
    }
    match (operator, operands.as_slice()) {
        ("not", [Value::Bool(a)]) => Some(Value::Bool(a.not())),
        ("=", [a, b]) => equal(a, b).map(Value::Bool),
        ("ite", [Value::Bool(condition), Value::Bool(a), Value::Bool(b)]) => {
            Some(Value::Bool(condition.ite(a, b)))
        }
        ("ite", [Value::Bool(condition), Value::Bits(a), Value::Bits(b)])
            if a.get_size() == b.get_size() =>
        {
            Some(Value::Bits(condition.ite(a, b)))
        }
        ("bvnot", [Value::Bits(a)]) => Some(Value::Bits(a.bvnot())),
        ("bvneg", [Value::Bits(a)]) => Some(Value::Bits(a.bvneg())),
        ("concat", [Value::Bits(a), Value::Bits(b)]) => Some(Value::Bits(a.concat(b))),
        (_, [Value::Bits(a), Value::Bits(b)]) if a.get_size() == b.get_size() => {
            binary(operator, a, b)
        }
        _ => None,
    }
}

fn binary(operator: &str, a: &BV, b: &BV) -> Option<Value> {
    let comparison = match operator {
        "bvult" => Some(a.bvult(b)),
        "bvule" => Some(a.bvule(b)),
        "bvslt" => Some(a.bvslt(b)),
        "bvsle" => Some(a.bvsle(b)),
        _ => None,
    };
    let operation = || match operator {
        "bvand" => Some(a.bvand(b)),
        "bvor" => Some(a.bvor(b)),
        "bvxor" => Some(a.bvxor(b)),
        "bvadd" => Some(a.bvadd(b)),
        "bvsub" => Some(a.bvsub(b)),
        "bvmul" => Some(a.bvmul(b)),
        "bvudiv" => Some(a.bvudiv(b)),
        "bvurem" => Some(a.bvurem(b)),
        "bvsdiv" => Some(a.bvsdiv(b)),
        "bvsrem" => Some(a.bvsrem(b)),
        "bvshl" => Some(a.bvshl(b)),
        "bvlshr" => Some(a.bvlshr(b)),
        "bvashr" => Some(a.bvashr(b)),
        _ => None,
    };
    comparison
        .map(Value::Bool)
        .or_else(|| operation().map(Value::Bits))
}

fn indexed_operation(operator: &str, numbers: &[Node], operands: Vec<Value>) -> Option<Value> {
    let number = |node: &Node| match node {
        Node::Word(word) => word.parse::<u32>().ok(),
        Node::List(_) => None,
    };
    let numbers: Vec<u32> = numbers.iter().map(number).collect::<Option<_>>()?;
    let [operand] = <[Value; 1]>::try_from(operands).ok()?;
    let operand = bits(operand)?;
    let result = match (operator, numbers.as_slice()) {
        ("extract", &[high, low]) if low <= high && high < operand.get_size() => {
            operand.extract(high, low)
        }
        ("zero_extend", &[more]) => operand.zero_ext(more),
        ("sign_extend", &[more]) => operand.sign_ext(more),
        _ => return None,
    };
    Some(Value::Bits(result))
}

/// A declared variable with its width.
fn variable(line: &str) -> Option<(String, Option<u32>)> {
    let items = command(line)?;
    let [_, Node::Word(name), _, sort] = items.as_slice() else {
        return None;
    };
    match sort {
        Node::Word(_) => Some((name.clone(), None)),
        Node::List(sort) => match sort.as_slice() {
            [_, _, Node::Word(width)] => Some((name.clone(), Some(width.parse().ok()?))),
            _ => None,
        },
    }
}

fn definition(line: &str) -> Option<(String, Node)> {
    let items = command(line)?;
    let [_, Node::Word(name), _, _, body] = items.as_slice() else {
        return None;
    };
    Some((name.clone(), body.clone()))
}

/// The items of the only list on a line.
fn command(line: &str) -> Option<Vec<Node>> {
    let mut open: Vec<Vec<Node>> = vec![Vec::new()];
    for word in words(line) {
        match word {
            "(" => open.push(Vec::new()),
            ")" => {
                let list = open.pop()?;
                open.last_mut()?.push(Node::List(list));
            }
            word => open
                .last_mut()?
                .push(Node::Word(word.trim_matches('|').to_owned())),
        }
    }
    let [top] = <[Vec<Node>; 1]>::try_from(open).ok()?;
    match <[Node; 1]>::try_from(top).ok()? {
        [Node::List(items)] => Some(items),
        [Node::Word(_)] => None,
    }
}

/// The words of a line as SMT-LIB cuts them, with their bars.
pub fn words(line: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = line.trim_start_matches(' ');
    while !rest.is_empty() {
        let end = match &rest[..1] {
            "(" | ")" => 1,
            "|" => rest[1..].find('|').map_or(rest.len(), |end| end + 2),
            _ => rest.find(['(', ')', ' ', '|']).unwrap_or(rest.len()),
        };
        words.push(&rest[..end]);
        rest = rest[end..].trim_start_matches(' ');
    }
    words
}
