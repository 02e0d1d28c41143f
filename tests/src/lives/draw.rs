//! Draws programs.

use super::statement::{LoopKind, POINTERS, Statement};
use crate::numbers::Numbers;

/// How deep statements are nested.
const DEPTH: usize = 2;

/// The statements of `main`.
pub fn program(numbers: &mut Numbers) -> Vec<Statement> {
    let mut drawer = Drawer {
        numbers,
        count: 0,
        scopes: Vec::new(),
    };
    let mut statements = drawer.list(DEPTH, Around::default(), true);
    let accesses = (0..POINTERS).map(|pointer| drawer.access(pointer));
    statements.extend(accesses.collect::<Vec<_>>());
    statements
}

struct Drawer<'a> {
    numbers: &'a mut Numbers,
    /// How many things have a number.
    count: usize,
    /// The variables that are declared, by block.
    scopes: Vec<Vec<usize>>,
}

/// Which jumps there may be.
#[derive(Clone, Copy, Default)]
struct Around {
    is_loop: bool,
    is_switch: bool,
}

impl Drawer<'_> {
    fn number(&mut self) -> usize {
        self.count += 1;
        self.count
    }

    fn pointer(&mut self) -> usize {
        self.numbers.below(POINTERS)
    }

    fn access(&mut self, pointer: usize) -> Statement {
        let site = self.number();
        Statement::Access { pointer, site }
    }

    fn declare(&mut self) -> Statement {
        let variable = self.number();
        let scope = self.scopes.last_mut().expect("a block is around");
        scope.push(variable);
        let initialised = self.numbers.chance(30);
        Statement::Declare {
            variable,
            initialised,
        }
    }

    /// The statements of a block, or, without a scope, some that belong to the one around and declare nothing.
    fn list(&mut self, depth: usize, around: Around, has_scope: bool) -> Vec<Statement> {
        if has_scope {
            self.scopes.push(Vec::new());
        }
        let mut statements = Vec::new();
        for _ in 0..2 + self.numbers.below(3) {
            let statement = match self.numbers.below(10) {
                0 | 1 if has_scope => self.declare(),
                2 if has_scope => {
                    let over = (0..2).map(|_| self.declare()).collect();
                    let label = self.number();
                    Statement::Skip { over, label }
                }
                3 if depth > 0 => {
                    let body = self.list(depth - 1, Around::default(), false);
                    let label = self.number();
                    Statement::Repeat { body, label }
                }
                4 if around.is_loop && self.numbers.chance(50) => Statement::Continue,
                4 if around.is_loop || around.is_switch => Statement::Break,
                _ => self.statement(depth, around),
            };
            statements.push(statement);
        }
        if has_scope {
            self.scopes.pop();
        }
        statements
    }

    /// A statement that may stand without braces.
    fn statement(&mut self, depth: usize, around: Around) -> Statement {
        if depth == 0 || self.numbers.chance(60) {
            return self.simple();
        }
        let depth = depth - 1;
        match self.numbers.below(5) {
            0 => Statement::Block(self.list(depth, around, true)),
            1 => Statement::If {
                condition: self.condition(),
                then: Box::new(self.branch(depth, around)),
                otherwise: Box::new(self.branch(depth, around)),
            },
            2 => self.switch(depth, around),
            _ => self.repeat(depth),
        }
    }

    fn simple(&mut self) -> Statement {
        let pointer = self.pointer();
        let variables: Vec<usize> = self.scopes.iter().flatten().copied().collect();
        match self.numbers.below(9) {
            0..3 if !variables.is_empty() => Statement::Take {
                pointer,
                variable: self.numbers.pick(&variables),
            },
            3 | 4 => {
                let literal = self.number();
                Statement::Literal { pointer, literal }
            }
            5 if self.numbers.chance(50) => Statement::Temporary { pointer },
            5 => Statement::UseTemporary,
            _ => self.access(pointer),
        }
    }

    /// With braces or without.
    fn branch(&mut self, depth: usize, around: Around) -> Statement {
        if self.numbers.chance(50) {
            Statement::Block(self.list(depth, around, true))
        } else {
            self.statement(depth, around)
        }
    }

    fn condition(&mut self) -> Option<(usize, usize)> {
        let chosen = self.numbers.chance(25);
        chosen.then(|| (self.pointer(), self.number()))
    }

    fn switch(&mut self, depth: usize, around: Around) -> Statement {
        let around = Around {
            is_switch: true,
            ..around
        };
        self.scopes.push(Vec::new());
        let before = vec![self.declare()];
        let cases = (0..2).map(|_| self.list(depth, around, false)).collect();
        self.scopes.pop();
        Statement::Switch { before, cases }
    }

    fn repeat(&mut self, depth: usize) -> Statement {
        let around = Around {
            is_loop: true,
            is_switch: false,
        };
        let kinds = [
            LoopKind::For,
            LoopKind::While,
            LoopKind::Do,
            LoopKind::Endless,
        ];
        let kind = self.numbers.pick(&kinds);
        let number = self.number();
        // The condition of the endless loop is a statement of its body.
        let (condition, body) = if kind == LoopKind::Endless {
            (None, Statement::Block(self.list(depth, around, true)))
        } else {
            (self.condition(), self.branch(depth, around))
        };
        Statement::Loop {
            kind,
            number,
            condition,
            body: Box::new(body),
        }
    }
}
