//! Names as SMT-LIB symbols.

use std::collections::BTreeSet;

/// Names that mean something in SMT-LIB's theories or to solvers; variables of these names are renamed.
const RESERVED: &[&str] = &[
    "_",
    "!",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "=>",
    "=",
    "distinct",
    "ite",
    "if",
    "iff",
    "implies",
    "concat",
    "extract",
    "repeat",
    "zero_extend",
    "sign_extend",
    "rotate_left",
    "rotate_right",
    "select",
    "store",
    "const",
    "abs",
    "div",
    "mod",
    "rem",
    "divisible",
    "to_real",
    "to_int",
    "is_int",
    "int2bv",
    "bv2int",
    "bit2bool",
    "root-obj",
    "pi",
    "euler",
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "+",
    "-",
    "*",
    "/",
    "<",
    "<=",
    ">",
    ">=",
    "^",
    "map",
    "union",
    "intersection",
    "complement",
    "subset",
    "setminus",
    "default",
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "Bool",
    "BitVec",
    "Int",
    "Real",
    "Array",
    "String",
    "RegLan",
    "nil",
    "cons",
    "insert",
    "head",
    "tail",
    "first",
    "second",
    "mk-pair",
    "is",
    "am",
    "bag",
    "fp",
    "roundingMode",
    "RNE",
    "RNA",
    "RTP",
    "RTN",
    "RTZ",
];

/// The names that are taken.
#[derive(Clone, Debug)]
pub struct SymbolNames {
    taken: BTreeSet<String>,
}

impl SymbolNames {
    /// What is reserved is taken.
    pub fn new() -> Self {
        Self {
            taken: RESERVED.iter().map(|&word| word.to_owned()).collect(),
        }
    }

    /// A name that is not taken yet, quoted where necessary, made from a wish; it ends in `suffix`.
    ///
    /// A wish that was granted before gets a number before the suffix, so what comes before equal suffixes is unique.
    pub fn unique(&mut self, wish: &str, suffix: &str) -> String {
        let mut clean: String = wish
            .chars()
            .map(|c| if is_quotable(c) { c } else { '_' })
            .collect();
        let is_reserved = |start: &&str| clean.starts_with(*start);
        if clean.is_empty() || ["bv", "@", "."].iter().any(is_reserved) {
            // Solvers read much into names that start like those of the theory; SMT-LIB keeps those with `@` and `.` for them.
            clean.insert(0, '_');
        }
        let mut name = format!("{clean}{suffix}");
        let mut number = 0;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{clean}!{number}{suffix}");
        }
        quoted(name)
    }
}

fn is_quotable(c: char) -> bool {
    (c.is_ascii_graphic() || c == ' ') && c != '|' && c != '\\'
}

/// The name, between bars if it is no simple symbol.
pub fn quoted(name: String) -> String {
    let simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
    let starts = name.starts_with(|c: char| c.is_ascii_digit() || c == '@' || c == '.');
    if !starts && name.chars().all(simple) {
        name
    } else {
        format!("|{name}|")
    }
}
