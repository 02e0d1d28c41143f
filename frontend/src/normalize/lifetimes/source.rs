//! Blocks of the source, as debug information shows them, and the variables that belong to them.
//!
//! A variable belongs to the innermost block around all instructions that name the variable, its declaration among them. Clang
//! leaves out a declaration that is never reached. Then the variable may also belong to a block around that has labels or cases of a
//! `switch`; if several blocks have some, code behind the innermost one is not supported. A compound literal, which its name shows,
//! has no declaration, and is initialised where it stands.

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::crossings::{Crossing, CrossingPlace, is_return};
use super::rounds::Loop;
use super::variables::{first_user, is_inlined, is_literal};
use crate::llvm::{Block, DebugScope, Module, Value};

/// What the source positions of a function tell.
pub(super) struct Source {
    scopes: FxHashMap<Value, Vec<DebugScope>>,
    /// The variables of each block and of those in it that have declarations.
    declared: FxHashMap<DebugScope, FxHashSet<Value>>,
    /// Declarations by variable.
    declarations: FxHashMap<Value, Vec<Value>>,
    /// Whether it is seen that variables have declarations at all.
    pub describes_variables: bool,
    /// Blocks that a `switch` or, at a label, a `goto` may lead into.
    jumped_into: FxHashSet<DebugScope>,
}

/// The block that a variable belongs to.
#[derive(PartialEq, Eq)]
pub(super) struct EnclosingBlock {
    pub block: DebugScope,
    /// Whether it may not be another one around.
    pub is_known: bool,
}

impl Source {
    pub fn new(module: &Module, body: &[Value]) -> Self {
        let instructions = body.iter().copied();
        let scopes: FxHashMap<Value, Vec<DebugScope>> =
            instructions.map(|i| (i, i.scopes(module))).collect();
        let mut declared: FxHashMap<DebugScope, FxHashSet<Value>> = FxHashMap::default();
        let mut declarations: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
        for declaration in body.iter().copied().filter(|i| i.is_debug_intrinsic()) {
            let described = declaration.described_variable();
            for variable in described.map(|(values, _)| values).unwrap_or_default() {
                declarations.entry(variable).or_default().push(declaration);
                for scope in &scopes[&declaration] {
                    declared.entry(*scope).or_default().insert(variable);
                }
            }
        }
        let labels = body.iter().filter(|i| is_label(**i));
        let mut jumped_into: FxHashSet<DebugScope> = labels
            .flat_map(|label| scopes[label].iter().copied())
            .collect();
        for &switch in body {
            let around = &scopes[&switch];
            if switch.opcode() == Some(InstructionOpcode::Switch) && !around.is_empty() {
                let targets = switch.successors().into_iter();
                let entered = targets.flat_map(Block::instructions);
                let entered = entered.flat_map(|i| scopes.get(&i).into_iter().flatten());
                jumped_into.extend(entered.filter(|scope| !around.contains(scope)));
            }
        }
        let declares = module.function("llvm.dbg.declare");
        let describes_variables = declares.is_some_and(|declares| !declares.users().is_empty())
            && scopes.values().any(|scopes| !scopes.is_empty());
        Self {
            scopes,
            describes_variables,
            declared,
            declarations,
            jumped_into,
        }
    }

    /// Whether a variable has a declaration, or is a compound literal.
    pub fn is_declared(&self, variable: Value) -> bool {
        self.declarations.contains_key(&variable) || is_literal(variable)
    }

    /// The block that a variable belongs to, unless that is the whole function.
    pub fn home_of(&self, variable: Value) -> Option<EnclosingBlock> {
        // What names a variable elsewhere is behind its end: a return of its address that clang has inlined.
        let users = match self.declarations.get(&variable) {
            Some(declarations) => declarations.clone(),
            None if is_literal(variable) && is_inlined(variable) => {
                first_user(variable).into_iter().collect()
            }
            None => variable.users(),
        };
        let around = self.around_all(&users);
        let blocks = around.get(1..)?;
        let innermost = blocks.last().copied()?;
        // Clang leaves out a declaration that is never reached, because all control enters its block behind it.
        let is_entered_behind = |block: &&DebugScope| self.jumped_into.contains(block);
        let entered: Vec<DebugScope> = match self.is_declared(variable) {
            true => Vec::new(),
            false => blocks.iter().filter(is_entered_behind).copied().collect(),
        };
        Some(EnclosingBlock {
            block: entered.last().copied().unwrap_or(innermost),
            is_known: entered.len() < 2,
        })
    }

    /// Where the lives of a variable start and end that is declared or named in a loop statement which lies in the block that it belongs
    /// to: the block is the body then, or a variable without a name is in a body that is none, or in the condition.
    pub fn rounds(
        &self,
        function: Value,
        loops: &[Loop],
        variable: Value,
        home: Option<&EnclosingBlock>,
    ) -> Option<Vec<Crossing>> {
        let blocks = function.blocks();
        let declarations = self.declarations.get(&variable);
        let users = match declarations {
            Some(declarations) => declarations.clone(),
            None => variable.users(),
        };
        let named_in: Vec<Block> = users.into_iter().map(Value::block).collect();
        let first = blocks
            .iter()
            .copied()
            .find(|block| named_in.contains(block))?;
        let around = loops.iter().filter(|found| found.contains(first));
        let innermost = around.min_by_key(|found| found.size())?;
        let mut instructions = innermost.instructions();
        let is_in_home = match home {
            Some(home) => instructions.all(|i| self.is_inside(i, home.block) != Some(false)),
            None => declarations.is_none(),
        };
        if !is_in_home {
            return None;
        }
        let is_in_body = declarations.is_some() || innermost.is_in_body(&blocks, first);
        let mut crossings = match home {
            Some(home) if declarations.is_some() => self.crossings(function, home.block),
            Some(_) | None => innermost.lives(&blocks),
        };
        crossings.extend(
            is_in_body
                .then(|| innermost.rounds(&blocks))
                .into_iter()
                .flatten(),
        );
        Some(crossings)
    }

    /// The scopes around all of some instructions, from the outermost to the innermost.
    fn around_all(&self, instructions: &[Value]) -> &[DebugScope] {
        let known = instructions.iter().filter_map(|i| self.scopes.get(i));
        let known = known.map(Vec::as_slice).filter(|scopes| !scopes.is_empty());
        let common = known.reduce(|common, scopes| {
            let pairs = common.iter().zip(scopes);
            &common[..pairs.take_while(|(one, other)| one == other).count()]
        });
        common.unwrap_or_default()
    }

    /// Whether an instruction is executed in a block, if it tells. A variable is named in its block only, also by what clang
    /// executes on the way out, with the position of the block around; one of an inlined function may be named behind it. Jumps do
    /// not tell: that by the condition of an `if` has the position of the block around the `if`.
    fn is_inside(&self, instruction: Value, block: DebugScope) -> Option<bool> {
        if is_return(instruction) {
            return Some(false);
        }
        let is_jump = instruction.next().is_none();
        let is_telling = !is_jump
            && instruction.opcode() != Some(InstructionOpcode::Phi)
            && (!instruction.is_debug_intrinsic() || is_label(instruction));
        if !is_telling {
            return None;
        }
        let scopes = self.scopes.get(&instruction);
        let positioned = scopes.filter(|scopes| !scopes.is_empty());
        let positioned = positioned.map(|scopes| scopes.contains(&block));
        let declared = self.declared.get(&block);
        let names = |operand: &Value| {
            let is_declared = declared.is_some_and(|declared| declared.contains(operand));
            is_declared && !(is_inlined(*operand) && positioned == Some(false))
        };
        match instruction.operands().iter().any(names) {
            true => Some(true),
            false => positioned,
        }
    }

    /// Where control enters and leaves a block of the source.
    pub fn crossings(&self, function: Value, block: DebugScope) -> Vec<Crossing> {
        let starts = self.starts(function, block);
        let mut crossings = Vec::new();
        for (index, part) in function.blocks().into_iter().enumerate() {
            let mut inside = index != 0 && starts[&part];
            for instruction in part.instructions() {
                let now = self.is_inside(instruction, block).unwrap_or(inside);
                if now != inside {
                    let place = CrossingPlace::Before(instruction);
                    crossings.push(Crossing { place, enters: now });
                    inside = now;
                }
            }
            let mut seen = FxHashSet::default();
            let next = part.terminator().map(Value::successors).into_iter();
            for next in next.flatten().filter(|next| seen.insert(*next)) {
                if starts[&next] != inside {
                    let place = CrossingPlace::Between(part, next);
                    let enters = !inside;
                    crossings.push(Crossing { place, enters });
                }
            }
        }
        crossings
    }

    /// Whether the first instruction that tells is inside of a block, from the start of each part of the function: on any of the ways, so
    /// that none leaves the block only to enter it again.
    fn starts(&self, function: Value, block: DebugScope) -> FxHashMap<Block, bool> {
        let mut starts: FxHashMap<Block, bool> = FxHashMap::default();
        let mut open = Vec::new();
        for part in function.blocks() {
            let mut told = part.instructions().into_iter();
            let told = told.find_map(|instruction| self.is_inside(instruction, block));
            starts.insert(part, told.unwrap_or(false));
            open.extend(told.is_none().then_some(part));
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &part in open.iter().rev() {
                let next = part.terminator().map(Value::successors).into_iter();
                if !starts[&part] && next.flatten().any(|next| starts[&next]) {
                    starts.insert(part, true);
                    changed = true;
                }
            }
        }
        starts
    }
}

/// Whether an instruction tells where a label stands.
fn is_label(instruction: Value) -> bool {
    instruction.is_debug_intrinsic() && instruction.callee().name() == "llvm.dbg.label"
}
