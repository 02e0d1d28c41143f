//! The text of inline assembly: the x86 instructions in AT&T's form that stand for atomic operations, and those that mean nothing
//! where memory is sequentially consistent.

/// What one instruction does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// `lock cmpxchg new, memory`: the accumulator has the expected value, and gets the old one.
    CompareExchange {
        memory: Place,
        new: usize,
        bits: Option<u32>,
    },
    /// `xchg register, memory`: the register gets the old value.
    Exchange {
        memory: Place,
        register: usize,
        bits: Option<u32>,
    },
    /// `lock xadd register, memory`: the register gets the old value.
    ExchangeAdd {
        memory: Place,
        register: usize,
        bits: Option<u32>,
    },
    /// `lock add value, memory` and the like.
    Update {
        operator: Operator,
        memory: Place,
        value: Source,
        bits: Option<u32>,
    },
    /// `sete target`: whether a flag is set, as a byte.
    SetIf { flag: Flag, target: usize },
    /// `lock; addl $0, (%rsp)`: a fence, behind which the flags tell of what the stack holds.
    Fence,
}

/// What an update computes from the old value and an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    And,
    Or,
    Xor,
}

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The operand of this position is the place.
    Operand(usize),
    /// The operand of this position is the address.
    At(usize),
}

/// What memory is updated with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// The operand of this position.
    Operand(usize),
    /// A constant.
    Constant(i64),
}

/// What the last operation tells about its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    /// What is asked.
    pub(super) condition: Condition,
    /// Whether the answer is negated.
    pub(super) negated: bool,
}

/// What is asked of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// It is 0; a compare-and-swap has succeeded.
    Zero,
    /// It is negative.
    Negative,
}

impl Flag {
    /// The flag of a name as in `sete`, where it is known.
    pub(super) fn named(name: &str) -> Option<Self> {
        let (condition, negated) = match name {
            "e" | "z" => (Condition::Zero, false),
            "ne" | "nz" => (Condition::Zero, true),
            "s" => (Condition::Negative, false),
            "ns" => (Condition::Negative, true),
            _ => return None,
        };
        Some(Self { condition, negated })
    }
}

/// Instructions that order memory accesses or give hints to the processor.
const WITHOUT_EFFECT: [&str; 12] = [
    "dmb",
    "dsb",
    "isb",
    "lfence",
    "mfence",
    "nop",
    "pause",
    "serialize",
    "sev",
    "sfence",
    "wfe",
    "yield",
];

/// The operand of an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Argument {
    Operand(usize),
    At(usize),
    Constant(i64),
    /// Memory of the stack; the compiler knows no variable there.
    Stack,
}

/// The instructions of a text that have an effect; `None` if some instruction is not known.
pub(super) fn parse(text: &str) -> Option<Vec<Instruction>> {
    let mut instructions = Vec::new();
    let (mut locked, mut repeated) = (false, false);
    let lines = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or(""));
    let statements = lines.flat_map(|line| line.split(';'));
    for statement in statements.map(str::trim) {
        let mut rest = statement;
        loop {
            let (word, behind) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            match word {
                "lock" => locked = true,
                "rep" | "repz" => repeated = true,
                _ => break,
            }
            rest = behind.trim();
        }
        if rest.is_empty() {
            continue;
        }
        let (mnemonic, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let is_locked = std::mem::take(&mut locked);
        let is_repeated = std::mem::take(&mut repeated);
        if WITHOUT_EFFECT.contains(&mnemonic) && !is_locked && (!is_repeated || mnemonic == "nop") {
            continue;
        }
        if is_repeated {
            return None;
        }
        instructions.push(instruction(mnemonic, operands, is_locked)?);
    }
    (!locked && !repeated).then_some(instructions)
}

/// One instruction with an effect, if it is known.
fn instruction(mnemonic: &str, operands: &str, locked: bool) -> Option<Instruction> {
    if let Some(flag) = mnemonic.strip_prefix("set").and_then(Flag::named) {
        return match arguments(operands)?[..] {
            [Argument::Operand(target)] if !locked => Some(Instruction::SetIf { flag, target }),
            _ => None,
        };
    }
    let (name, bits) = name_and_size(mnemonic)?;
    if !locked && name != "xchg" {
        return None;
    }
    // Without a letter for the size, the part of a register that is named says it.
    if bits.is_none() && operands.contains("${") {
        return None;
    }
    let constant = |value| (Source::Constant(value), Operator::Add);
    let arguments = arguments(operands)?;
    let (value, operator) = match (name, &arguments[..]) {
        ("cmpxchg" | "xchg" | "xadd", &[first, second]) => {
            let (register, memory) = match (first, second) {
                (Argument::Operand(register), memory) => (register, place(memory)?),
                (memory, Argument::Operand(register)) if name == "xchg" => {
                    (register, place(memory)?)
                }
                _ => return None,
            };
            return Some(match name {
                "cmpxchg" => Instruction::CompareExchange {
                    memory,
                    new: register,
                    bits,
                },
                "xchg" => Instruction::Exchange {
                    memory,
                    register,
                    bits,
                },
                _ => Instruction::ExchangeAdd {
                    memory,
                    register,
                    bits,
                },
            });
        }
        ("inc", [_]) => constant(1),
        ("dec", [_]) => constant(-1),
        (_, &[source, _]) => (source_of(source)?, operator(name)?),
        _ => return None,
    };
    let target = *arguments.last()?;
    if target == Argument::Stack {
        // The stack holds what it held: such an instruction is a fence.
        let keeps =
            value == Source::Constant(0) && matches!(operator, Operator::Add | Operator::Or);
        return keeps.then_some(Instruction::Fence);
    }
    let memory = place(target)?;
    Some(Instruction::Update {
        operator,
        memory,
        value,
        bits,
    })
}

fn operator(name: &str) -> Option<Operator> {
    match name {
        "add" => Some(Operator::Add),
        "sub" => Some(Operator::Subtract),
        "and" => Some(Operator::And),
        "or" => Some(Operator::Or),
        "xor" => Some(Operator::Xor),
        _ => None,
    }
}

/// The name of an instruction without the letter for the size of its operands, and that size.
fn name_and_size(mnemonic: &str) -> Option<(&'static str, Option<u32>)> {
    const NAMES: [&str; 10] = [
        "add", "and", "cmpxchg", "dec", "inc", "or", "sub", "xadd", "xchg", "xor",
    ];
    NAMES.into_iter().find_map(|name| {
        let bits = match mnemonic.strip_prefix(name)? {
            "" => None,
            "b" => Some(8),
            "w" => Some(16),
            "l" => Some(32),
            "q" => Some(64),
            _ => return None,
        };
        Some((name, bits))
    })
}

fn place(argument: Argument) -> Option<Place> {
    match argument {
        Argument::Operand(position) => Some(Place::Operand(position)),
        Argument::At(position) => Some(Place::At(position)),
        Argument::Constant(_) | Argument::Stack => None,
    }
}

fn source_of(argument: Argument) -> Option<Source> {
    match argument {
        Argument::Operand(position) => Some(Source::Operand(position)),
        Argument::Constant(value) => Some(Source::Constant(value)),
        Argument::At(_) | Argument::Stack => None,
    }
}

fn arguments(operands: &str) -> Option<Vec<Argument>> {
    operands.split(',').map(str::trim).map(argument).collect()
}

/// An operand as LLVM writes it: `$1`, `${1:b}`, `$$5` for a constant, `($1)`, `-4(%rsp)`.
fn argument(text: &str) -> Option<Argument> {
    if let Some(constant) = text.strip_prefix("$$") {
        return number(constant).map(Argument::Constant);
    }
    if let Some(position) = position(text) {
        return Some(Argument::Operand(position));
    }
    let (offset, address) = text.strip_suffix(')')?.split_once('(')?;
    if matches!(address, "%rsp" | "%esp") && (offset.is_empty() || number(offset).is_some()) {
        return Some(Argument::Stack);
    }
    match offset {
        "" | "0" => position(address).map(Argument::At),
        _ => None,
    }
}

/// The position of an operand. A letter behind it says which part of a register is meant, which the size of the instruction
/// says, too.
fn position(text: &str) -> Option<usize> {
    let name = text.strip_prefix('$')?;
    let name = match name.strip_prefix('{') {
        Some(inner) => {
            inner
                .strip_suffix('}')?
                .split_once(':')
                .filter(|(_, part)| matches!(*part, "b" | "w" | "k" | "q"))?
                .0
        }
        None => name,
    };
    name.parse().ok()
}

fn number(text: &str) -> Option<i64> {
    let (sign, digits) = match text.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, text),
    };
    let value = match digits.strip_prefix("0x") {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => return None,
        None => digits.parse().ok()?,
    };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fences_and_hints_have_no_effect() {
        for text in [
            "",
            "pause",
            "rep; nop",
            "rep nop\n\tmfence",
            "dmb ish",
            "# a comment; only",
        ] {
            assert_eq!(parse(text), Some(Vec::new()), "{text}");
        }
    }

    #[test]
    fn atomic_instructions_are_known() {
        let place = Place::Operand(1);
        let known = [
            ("lock; addl $$0,0(%rsp)", Instruction::Fence),
            ("lock orl $$0, -4(%esp)", Instruction::Fence),
            (
                "lock; cmpxchgl $2, $1",
                Instruction::CompareExchange {
                    memory: place,
                    new: 2,
                    bits: Some(32),
                },
            ),
            (
                "xchg $0, $1",
                Instruction::Exchange {
                    memory: place,
                    register: 0,
                    bits: None,
                },
            ),
            (
                "lock xaddq ${0:q},($1)",
                Instruction::ExchangeAdd {
                    memory: Place::At(1),
                    register: 0,
                    bits: Some(64),
                },
            ),
            (
                "lock\n decb $1",
                Instruction::Update {
                    operator: Operator::Add,
                    memory: place,
                    value: Source::Constant(-1),
                    bits: Some(8),
                },
            ),
            (
                "lock; subw $$0x10,$1",
                Instruction::Update {
                    operator: Operator::Subtract,
                    memory: place,
                    value: Source::Constant(16),
                    bits: Some(16),
                },
            ),
        ];
        for (text, instruction) in known {
            assert_eq!(parse(text), Some(vec![instruction]), "{text}");
        }
    }

    #[test]
    fn what_is_not_known_is_not_guessed() {
        for text in [
            "hlt",
            "incl $0",
            "cmpxchgl $2, $1",
            "xaddl $0, $1",
            "lock; pause",
            "rep; movsb",
            "lock",
            "lock; addl $$1,0(%rsp)",
            "lock; andl $$0,(%rsp)",
            "lock; incl 4($0)",
            "lock; incl (%rax)",
            "lock; addl $$010,$0",
            "lock; btsl $1,$0",
            "lock; addl $1,$0; setc $2",
            "lock; addl $1",
            "xchgl %eax,$0",
            "1: pause",
            "xchg ${0:b}, $1",
        ] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
