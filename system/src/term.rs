//! Hash-consed terms over Booleans and bit-vectors.
//!
//! A [`Term`] is a handle into one [`Terms`] arena; equal terms have equal handles. Constructors simplify locally, so
//! the resulting term may have another operator than the requested one, but always the same value. Some operators have
//! constructors but no node, so that equal terms have equal nodes: `a <= b` is `not (b < a)`, `a xor b` on Booleans is
//! `not (a = b)`, and `implies` is a disjunction.
//!
//! No function here recurses on the depth of terms: operands come before the terms made of them, so a walk is a loop.

mod apply;
mod arena;
mod arithmetic;
mod bitwise;
mod boolean;
mod equality;
mod intern;
mod node;
mod order;
mod parts;
mod possible;
mod substitute;
mod value;

pub use self::apply::apply;
pub use self::arena::Terms;
pub use self::node::{Binary, Node, Symbol, Term, Unary};
pub use self::substitute::Substitution;
pub use self::value::{Sort, Value, all_ones, signed};
