//! The statements of one function.

use super::integer::Integer;
use super::scope::{Type, Variable, declaration, initialiser};
use super::world::World;
use crate::numbers::Numbers;

/// Builds the statements of a function.
pub struct Body<'a> {
    pub(super) numbers: &'a mut Numbers,
    pub(super) world: &'a World,
    /// What may be named here.
    pub(super) scope: Vec<Variable>,
    text: String,
    /// How deep in blocks the next statement stands; the function's own block is 1.
    pub(super) depth: usize,
    /// Statements that may still be added.
    budget: usize,
    /// Number of names given so far.
    names: usize,
    /// How many loops the next statement is in.
    pub(super) loops: usize,
    /// How many statements may still use the heap.
    pub(super) heaps: usize,
    /// Whether no other thread runs, so that the order of effects on global variables is certain.
    pub(super) alone: bool,
}

/// Kinds of statements.
#[derive(Clone, Copy)]
enum Kind {
    Assign,
    Compound,
    Increment,
    Overflow,
    Declare,
    Static,
    AssignRecord,
    DeclarePointer,
    MovePointer,
    Branch,
    For,
    While,
    Switch,
    GotoForward,
    GotoBackward,
    GotoComputed,
    JumpBack,
    Sequence,
    Call,
    CallTable,
    Move,
    Bytes,
    Container,
    Walk,
    Heap,
    List,
    Atomic,
}

/// How often each kind of statement is chosen.
const WEIGHTS: [(usize, Kind); 27] = [
    (10, Kind::Assign),
    (6, Kind::Compound),
    (4, Kind::Increment),
    (2, Kind::Overflow),
    (4, Kind::Declare),
    (1, Kind::Static),
    (3, Kind::AssignRecord),
    (4, Kind::DeclarePointer),
    (2, Kind::MovePointer),
    (5, Kind::Branch),
    (3, Kind::For),
    (2, Kind::While),
    (3, Kind::Switch),
    (1, Kind::GotoForward),
    (1, Kind::GotoBackward),
    (1, Kind::GotoComputed),
    (2, Kind::JumpBack),
    (3, Kind::Sequence),
    (4, Kind::Call),
    (2, Kind::CallTable),
    (3, Kind::Move),
    (3, Kind::Bytes),
    (1, Kind::Container),
    (2, Kind::Walk),
    (1, Kind::Heap),
    (1, Kind::List),
    (4, Kind::Atomic),
];

impl<'a> Body<'a> {
    /// An empty body of a function that sees these variables.
    pub fn new(numbers: &'a mut Numbers, world: &'a World, scope: Vec<Variable>) -> Self {
        Self {
            numbers,
            world,
            scope,
            text: String::new(),
            depth: 1,
            budget: 0,
            names: 0,
            loops: 0,
            heaps: if world.frees { 0 } else { 2 },
            alone: true,
        }
    }

    /// Declares some variables.
    pub fn locals(&mut self, count: usize) {
        for _ in 0..count {
            self.declare();
        }
    }

    /// Adds about so many statements.
    pub fn statements(&mut self, budget: usize) {
        self.budget = budget;
        while self.budget > 0 {
            self.statement();
        }
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }

    pub(super) fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// A name that is new in this function.
    pub(super) fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// One to three statements in a block of their own, between the lines that open and close it.
    pub(super) fn block(&mut self, open: &str, close: &str) {
        self.line(open);
        self.block_inside(close);
    }

    /// The same after the line that opens the block.
    pub(super) fn block_inside(&mut self, close: &str) {
        let visible = self.scope.len();
        self.depth += 1;
        for _ in 0..=self.numbers.below(3) {
            self.statement();
        }
        self.depth -= 1;
        self.scope.truncate(visible);
        self.line(close);
    }

    pub(super) fn statement(&mut self) {
        self.budget = self.budget.saturating_sub(1);
        let kind = self.numbers.pick_weighted(&WEIGHTS);
        if !self.fits(kind) || self.add(kind).is_none() {
            // What does not fit here is replaced by the simplest statement.
            self.assign();
        }
    }

    /// Whether a statement of this kind may stand here: programs stay small and have one result.
    fn fits(&self, kind: Kind) -> bool {
        match kind {
            Kind::Branch => self.depth < 4,
            Kind::Switch | Kind::GotoForward => self.depth < 3,
            Kind::For | Kind::While | Kind::Walk => self.loops < 2,
            Kind::GotoBackward => self.loops < 1,
            Kind::GotoComputed => self.depth < 3 && self.loops < 1,
            Kind::JumpBack => self.depth == 1 && self.alone,
            Kind::Call | Kind::CallTable => self.alone && self.loops < 1,
            Kind::Heap | Kind::List => self.heaps > 0 && self.loops < 1,
            Kind::Static => self.alone,
            Kind::Assign
            | Kind::Compound
            | Kind::Increment
            | Kind::Overflow
            | Kind::Declare
            | Kind::AssignRecord
            | Kind::DeclarePointer
            | Kind::MovePointer
            | Kind::Sequence
            | Kind::Move
            | Kind::Bytes
            | Kind::Container
            | Kind::Atomic => true,
        }
    }

    /// Adds a statement, if it finds what it needs.
    fn add(&mut self, kind: Kind) -> Option<()> {
        match kind {
            Kind::Assign => return None,
            Kind::Compound => self.compound()?,
            Kind::Increment => self.increment()?,
            Kind::Overflow => self.overflow()?,
            Kind::Declare => self.declare(),
            Kind::Static => self.declare_static(),
            Kind::AssignRecord => self.assign_record()?,
            Kind::DeclarePointer => self.declare_pointer()?,
            Kind::MovePointer => self.move_pointer()?,
            Kind::Branch => self.branch(),
            Kind::For => self.for_loop(),
            Kind::While => self.while_loop(),
            Kind::Switch => self.switch(),
            Kind::GotoForward => self.goto_forward(),
            Kind::GotoBackward => self.goto_backward(),
            Kind::GotoComputed => self.goto_computed(),
            Kind::JumpBack => self.jump_back(),
            Kind::Sequence => self.sequence()?,
            Kind::Call => self.call()?,
            Kind::CallTable => self.call_through_table()?,
            Kind::Move => self.move_memory()?,
            Kind::Bytes => self.bytes()?,
            Kind::Container => self.container()?,
            Kind::Walk => self.walk()?,
            Kind::Heap => self.heap(),
            Kind::List => self.list(),
            Kind::Atomic => self.atomic()?,
        }
        Some(())
    }

    /// A new local variable with a constant initialiser, or an integer with a computed one.
    fn declare(&mut self) {
        match self.random_type() {
            Type::Integer(kind) => {
                let value = self.expression(2).text;
                self.declare_integer(kind, &value);
            }
            kind @ (Type::Array(..) | Type::Record(_) | Type::Pointer(..)) => {
                self.declare_constant(&kind);
            }
        }
    }

    /// A new local variable with a constant initialiser; its name.
    pub(super) fn declare_constant(&mut self, kind: &Type) -> String {
        let value = initialiser(self.numbers, kind, &self.world.records);
        self.keep(kind, &value)
    }

    /// A new local variable with this initial value; its name.
    pub(super) fn keep(&mut self, kind: &Type, value: &str) -> String {
        let name = self.name("v");
        let declared = declaration(kind, &name, &self.world.records);
        self.line(&format!("{declared} = {value};"));
        self.scope.push(Variable::new(&name, kind.clone(), false));
        name
    }

    /// A new local integer with this initial value.
    pub(super) fn declare_integer(&mut self, kind: Integer, value: &str) {
        self.keep(&Type::Integer(kind), value);
    }

    /// A variable that keeps its value from call to call.
    fn declare_static(&mut self) {
        let name = self.name("s");
        let kind = self.random_type();
        let value = initialiser(self.numbers, &kind, &self.world.records);
        let declared = declaration(&kind, &name, &self.world.records);
        self.line(&format!("static {declared} = {value};"));
        self.scope.push(Variable::new(name, kind, true));
    }

    /// An integer, an array of them, or a record.
    pub(super) fn random_type(&mut self) -> Type {
        let element = Type::Integer(self.numbers.pick(&Integer::ALL));
        match self.numbers.below(10) {
            0 | 1 => Type::Array(element.into(), 2 + self.numbers.below(4)),
            2 | 3 => Type::Record(self.numbers.below(self.world.records.len())),
            _ => element,
        }
    }
}
