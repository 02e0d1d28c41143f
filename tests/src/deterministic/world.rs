//! The declarations of a random program: records, global variables, functions and tables of functions.

use super::scope::{Record, Type, Variable};

/// What the functions of a program may use.
pub struct World {
    pub records: Vec<Record>,
    pub globals: Vec<Variable>,
    pub functions: Vec<Function>,
    pub table: Option<Table>,
    /// Whether heap objects are freed. Then only main has any: an allocation may take any slot that was freed, so the
    /// number of states grows quickly.
    pub frees: bool,
}

/// A function that the program defines.
#[derive(Clone, Debug)]
pub struct Function {
    pub name: String,
    pub result: Type,
    pub parameters: Vec<Type>,
    /// Whether the first parameter says how deep it calls itself.
    pub recursive: bool,
}

/// An array of pointers to functions of one type.
#[derive(Clone, Debug)]
pub struct Table {
    pub functions: Vec<Function>,
    /// Whether statements put other functions into it.
    pub writable: bool,
}
