//! Runs programs as C's abstract machine does, as far as lifetimes are concerned.

use std::collections::{BTreeMap, BTreeSet};

use super::statement::{LoopKind, POINTERS, ROUNDS, Statement};

/// The accesses that read an object which is not alive, in some of their executions.
pub fn undefined(statements: &[Statement]) -> BTreeSet<usize> {
    let mut machine = Machine::default();
    machine.block(statements);
    machine.undefined
}

/// What a statement does to control.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Next {
    Statement,
    Break,
    Continue,
}

#[derive(Default)]
struct Machine {
    /// The blocks that control is in, each with its objects by the number of the variable or literal.
    blocks: Vec<Block>,
    pointers: [Option<usize>; POINTERS],
    /// How many objects there were, and which of them are alive.
    objects: usize,
    alive: BTreeSet<usize>,
    turn: usize,
    /// Counters of loops that `break` has left, which go on from there.
    counters: BTreeMap<usize, usize>,
    undefined: BTreeSet<usize>,
}

#[derive(Default)]
struct Block {
    declared: BTreeSet<usize>,
    objects: BTreeMap<usize, usize>,
}

impl Machine {
    fn turns(&mut self) -> bool {
        self.turn += 1;
        self.turn.is_multiple_of(2)
    }

    /// Counts on, back to 0 at a limit.
    fn counts(&mut self, number: usize, limit: usize) -> bool {
        let counter = self.counters.entry(number).or_default();
        *counter = (*counter + 1) % limit;
        *counter != 0
    }

    /// Runs in a block of its own. Its variables live from here on, whether their declarations are reached or not.
    fn within<T>(&mut self, declared: BTreeSet<usize>, run: impl FnOnce(&mut Self) -> T) -> T {
        self.blocks.push(Block {
            declared,
            objects: BTreeMap::new(),
        });
        let result = run(self);
        let left = self.blocks.pop().expect("it was entered");
        for object in left.objects.values() {
            self.alive.remove(object);
        }
        result
    }

    fn block(&mut self, statements: &[Statement]) -> Next {
        self.within(declared(statements), |machine| machine.list(statements))
    }

    fn list(&mut self, statements: &[Statement]) -> Next {
        for statement in statements {
            let next = self.statement(statement);
            if next != Next::Statement {
                return next;
            }
        }
        Next::Statement
    }

    /// The object of a block, which its address is taken of.
    fn object(&mut self, block: usize, number: usize) -> usize {
        let objects = &mut self.objects;
        let block = &mut self.blocks[block];
        let object = *block.objects.entry(number).or_insert_with(|| {
            *objects += 1;
            *objects
        });
        self.alive.insert(object);
        object
    }

    fn literal(&mut self, pointer: usize, literal: usize) {
        let object = self.object(self.blocks.len() - 1, literal);
        self.pointers[pointer] = Some(object);
    }

    fn condition(&mut self, condition: Option<(usize, usize)>) {
        if let Some((pointer, literal)) = condition {
            self.literal(pointer, literal);
        }
    }

    fn statement(&mut self, statement: &Statement) -> Next {
        match statement {
            Statement::Block(statements) => return self.block(statements),
            Statement::Declare { .. } => {}
            Statement::Take { pointer, variable } => {
                let mut around = self.blocks.iter();
                let block = around.rposition(|block| block.declared.contains(variable));
                let object = self.object(block.expect("it is declared"), *variable);
                self.pointers[*pointer] = Some(object);
            }
            Statement::Literal { pointer, literal } => self.literal(*pointer, *literal),
            Statement::Temporary { pointer } => {
                self.objects += 1;
                self.pointers[*pointer] = Some(self.objects);
            }
            Statement::UseTemporary => {}
            Statement::Access { pointer, site } => {
                if self.pointers[*pointer].is_some_and(|object| !self.alive.contains(&object)) {
                    self.undefined.insert(*site);
                }
            }
            Statement::Loop {
                kind,
                number,
                condition,
                body,
            } => {
                return self.within(BTreeSet::new(), |machine| {
                    machine.repeat(*kind, *number, *condition, body)
                });
            }
            Statement::If {
                condition,
                then,
                otherwise,
            } => {
                return self.within(BTreeSet::new(), |machine| {
                    machine.condition(*condition);
                    let branch = if machine.turns() { then } else { otherwise };
                    machine.within(BTreeSet::new(), |machine| machine.statement(branch))
                });
            }
            Statement::Switch { before, cases } => {
                let mut declared = declared(before);
                declared.extend(cases.iter().flat_map(|case| self::declared(case)));
                let next = self.within(declared, |machine| {
                    let first = usize::from(machine.turns());
                    let mut cases = cases[first..].iter();
                    let next = cases.find_map(|case| {
                        Some(machine.list(case)).filter(|next| *next != Next::Statement)
                    });
                    next.unwrap_or(Next::Statement)
                });
                return if next == Next::Break {
                    Next::Statement
                } else {
                    next
                };
            }
            Statement::Break if self.turns() => return Next::Break,
            Statement::Continue if self.turns() => return Next::Continue,
            Statement::Break | Statement::Continue => {}
            Statement::Skip { .. } => {
                self.turns();
            }
            Statement::Repeat { body, .. } => {
                for _ in 0..ROUNDS {
                    let next = self.list(body);
                    if next != Next::Statement {
                        return next;
                    }
                }
            }
        }
        Next::Statement
    }

    fn repeat(
        &mut self,
        kind: LoopKind,
        number: usize,
        condition: Option<(usize, usize)>,
        body: &Statement,
    ) -> Next {
        let mut round = 0;
        loop {
            match kind {
                LoopKind::For => {
                    self.condition(condition);
                    if round == ROUNDS {
                        break;
                    }
                    round += 1;
                }
                LoopKind::While => {
                    self.condition(condition);
                    if !self.counts(number, ROUNDS + 1) {
                        break;
                    }
                }
                LoopKind::Endless => {
                    if !self.counts(number, ROUNDS + 1) {
                        break;
                    }
                }
                LoopKind::Do => {}
            }
            let next = self.within(BTreeSet::new(), |machine| machine.statement(body));
            if next == Next::Break {
                break;
            }
            if kind == LoopKind::Do {
                self.condition(condition);
                if !self.counts(number, ROUNDS) {
                    break;
                }
            }
        }
        Next::Statement
    }
}

/// The variables that a block declares itself.
fn declared(statements: &[Statement]) -> BTreeSet<usize> {
    let mut declared = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Declare { variable, .. } => {
                declared.insert(*variable);
            }
            Statement::Skip { over, .. } => declared.extend(self::declared(over)),
            Statement::Block(_)
            | Statement::Take { .. }
            | Statement::Literal { .. }
            | Statement::Temporary { .. }
            | Statement::UseTemporary
            | Statement::Access { .. }
            | Statement::Loop { .. }
            | Statement::If { .. }
            | Statement::Switch { .. }
            | Statement::Break
            | Statement::Continue
            | Statement::Repeat { .. } => {}
        }
    }
    declared
}
