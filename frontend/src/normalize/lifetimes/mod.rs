//! Marks the lifetimes of variables that clang leaves unmarked although they are shorter than the run of their function: variables
//! whose declaration a jump passes over, compound literals, temporaries, parameters of functions that clang inlines, and, in bitcode
//! that was compiled without marks, all variables of blocks.
//!
//! The block that a variable belongs to is found in the debug information: it is the innermost one around all instructions that
//! name the variable, its declaration among them. Where there is none, it may have been left out, so the block may be one around
//! that has labels or cases of a `switch` in it; if there are several, what comes behind the innermost one is not supported. Compound literals,
//! which clang names, have none, and are initialised where they stand. The lifetime starts where control enters the block and ends where control leaves
//! it, both seen from the source positions of instructions. That holds for code as clang writes it, which functions with the
//! attribute `optnone` are: optimising moves instructions and merges positions.
//!
//! Some lives are shorter than the block that debug information shows: those of [temporaries], and of literals in [loops](rounds) without
//! braces. Variables that clang puts where the [result](results) of their function goes get memory of their own first.
//!
//! Only variables whose address gets somewhere are looked at: nobody can use the others outside of their block.

mod results;
mod rounds;
mod temporaries;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use self::results::Part;
use self::rounds::Loop;
use super::calls::insert_unsupported;
use super::frames::{insert_mark, is_taken};
use super::share::lifetime_mark;
use crate::llvm::{Block, Builder, Module, Scope, Type, Value};

/// Marks lifetimes in all functions that are as clang writes them.
pub(super) fn mark(module: &Module) {
    module.use_debug_records(false);
    let mut functions = module.functions();
    functions.retain(|function| !function.is_declaration());
    let is_all_as_written = is_not_optimised(&functions);
    for function in functions {
        if is_all_as_written || is_as_written(function) {
            let results = results::keep_apart(module, function);
            mark_in(module, function, &results);
        }
    }
    module.use_debug_records(true);
}

fn is_as_written(function: Value) -> bool {
    function.has_attribute("optnone")
}

/// Whether clang has optimised nothing: then all functions are marked as such, but for those that cannot be.
fn is_not_optimised(functions: &[Value]) -> bool {
    let cannot_be_marked = |function: Value| {
        ["alwaysinline", "minsize"]
            .iter()
            .any(|name| function.has_attribute(name))
    };
    let mut all = functions.iter().copied();
    functions.iter().copied().any(is_as_written)
        && all.all(|function| is_as_written(function) || cannot_be_marked(function))
}

fn mark_in(module: &Module, function: Value, results: &[Part]) {
    let body = function.body();
    let is_static = |variable: Value| {
        variable.opcode() == Some(InstructionOpcode::Alloca)
            && !is_taken(variable)
            && !is_from_call(variable)
    };
    let is_known_elsewhere = |variable| escapes(variable) || is_inlined(variable);
    let unmarked = body.iter().copied().filter(|&variable| {
        is_static(variable) && !is_marked(variable) && is_known_elsewhere(variable)
    });
    let unmarked: Vec<Value> = unmarked.collect();
    if unmarked.is_empty() {
        return;
    }
    let source = Source::new(module, &body);
    let loops = rounds::loops(module, function);
    let mut blocks: Vec<(Home, Vec<Value>)> = Vec::new();
    // All are found before the first mark is inserted.
    let mut marks: Vec<Marks> = Vec::new();
    for variable in unmarked {
        let home = source.home_of(variable);
        let own = if source.is_declared(variable) {
            source.rounds(function, &loops, variable, home.as_ref())
        } else {
            temporaries::lives(module, variable, source.describes_variables)
        };
        if let Some(crossings) = own {
            marks.push(Marks {
                crossings,
                variables: vec![variable],
                is_known: true,
            });
        } else if let Some(home) = home {
            match blocks.iter_mut().find(|(known, _)| *known == home) {
                Some((_, variables)) => variables.push(variable),
                None => blocks.push((home, vec![variable])),
            }
        }
    }
    marks.extend(blocks.into_iter().map(|(home, variables)| Marks {
        crossings: source.crossings(function, home.block),
        variables,
        is_known: home.is_known,
    }));
    insert(module, marks, results);
}

/// Where the lives of some variables start and end.
struct Marks {
    crossings: Vec<Crossing>,
    variables: Vec<Value>,
    /// Whether they end nowhere else.
    is_known: bool,
}

fn insert(module: &Module, marks: Vec<Marks>, results: &[Part]) {
    let mut middles = FxHashMap::default();
    for marks in marks {
        for Crossing { place, enters } in marks.crossings {
            let place = match place {
                Place::Before(instruction) => Some(instruction),
                Place::Between(from, to) => *middles
                    .entry((from, to))
                    .or_insert_with(|| split_edge(module, from, to)),
            };
            let Some(place) = place else { continue };
            let builder = Builder::before(module, place).copy_position(place);
            if !enters && !marks.is_known {
                insert_unsupported(
                    module,
                    &builder,
                    "a variable that may belong to several blocks",
                );
            }
            for &variable in &marks.variables {
                let leaves = results
                    .iter()
                    .filter(|part| !enters && part.variable == variable);
                for part in leaves {
                    part.copy(&builder);
                }
                let kind = if enters { "start" } else { "end" };
                insert_mark(module, &builder, kind, variable);
            }
        }
    }
}

/// Whether the program has asked for this memory of the stack by a call of `alloca`, which gives it until the function returns. Clang counts its
/// bytes as a `size_t`, and variables as an `int`.
fn is_from_call(variable: Value) -> bool {
    let count = variable.operand(0).map(Value::value_type_of);
    count.and_then(Type::int_width) == Some(64)
}

fn is_marked(variable: Value) -> bool {
    let mut users = variable.users().into_iter();
    users.any(|user| lifetime_mark(user).is_some())
}

/// Whether a variable is a compound literal, as far as names tell.
fn is_literal(variable: Value) -> bool {
    variable.name().starts_with(".compoundliteral")
}

/// Whether a variable is one of a function that clang has inlined: its name got an end then. The address that the function returned is
/// named directly behind it.
fn is_inlined(variable: Value) -> bool {
    variable.name().contains(".i")
}

/// The first instruction that names a variable: what initialises it, if it is a compound literal.
fn first_user(variable: Value) -> Option<Value> {
    let users = variable.users();
    let mut body = variable.block().function().body().into_iter();
    body.find(|instruction| users.contains(instruction))
}

fn is_return(instruction: Value) -> bool {
    instruction.opcode() == Some(InstructionOpcode::Return)
}

/// Whether an address may get somewhere else than to accesses.
fn escapes(variable: Value) -> bool {
    let mut pending = vec![variable];
    while let Some(address) = pending.pop() {
        for user in address.users() {
            match user.opcode() {
                Some(InstructionOpcode::Load | InstructionOpcode::ICmp) => {}
                Some(
                    InstructionOpcode::Store
                    | InstructionOpcode::AtomicRMW
                    | InstructionOpcode::AtomicCmpXchg,
                ) if user.accessed_pointer() == Some(address)
                    && user.operands().iter().filter(|o| **o == address).count() == 1 => {}
                Some(InstructionOpcode::GetElementPtr) => pending.push(user),
                Some(InstructionOpcode::Call) if only_accesses(user, address) => {}
                Some(_) | None => return true,
            }
        }
    }
    false
}

/// Whether a call does nothing with an address but access memory there before it returns.
fn only_accesses(call: Value, address: Value) -> bool {
    let callee = call.callee();
    if callee.is_intrinsic() {
        return callee.name().starts_with("llvm.mem");
    }
    let mut arguments = (0..).zip(call.arguments());
    arguments.all(|(index, argument)| argument != address || call.passes_object(index))
}

/// What the source positions of a function tell.
struct Source {
    scopes: FxHashMap<Value, Vec<Scope>>,
    /// The variables of each block and of those in it that have declarations.
    declared: FxHashMap<Scope, FxHashSet<Value>>,
    /// Declarations by variable.
    declarations: FxHashMap<Value, Vec<Value>>,
    /// Whether it is seen that variables have declarations at all.
    describes_variables: bool,
    /// Blocks that a `switch` or, at a label, a `goto` may lead into.
    jumped_into: FxHashSet<Scope>,
}

/// The block that a variable belongs to.
#[derive(PartialEq, Eq)]
struct Home {
    block: Scope,
    /// Whether it may not be another one around.
    is_known: bool,
}

/// A place where control enters or leaves a block of the source.
struct Crossing {
    place: Place,
    enters: bool,
}

#[derive(Clone, Copy)]
enum Place {
    Before(Value),
    Between(Block, Block),
}

impl Source {
    fn new(module: &Module, body: &[Value]) -> Self {
        let instructions = body.iter().copied();
        let scopes: FxHashMap<Value, Vec<Scope>> =
            instructions.map(|i| (i, i.scopes(module))).collect();
        let mut declared: FxHashMap<Scope, FxHashSet<Value>> = FxHashMap::default();
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
        let is_label = |i: &&Value| i.is_debug_intrinsic() && i.callee().name() == "llvm.dbg.label";
        let labels = body.iter().filter(is_label);
        let mut jumped_into: FxHashSet<Scope> = labels
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
    fn is_declared(&self, variable: Value) -> bool {
        self.declarations.contains_key(&variable) || is_literal(variable)
    }

    /// The block that a variable belongs to, unless that is the whole function.
    fn home_of(&self, variable: Value) -> Option<Home> {
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
        let is_entered_behind = |block: &&Scope| self.jumped_into.contains(block);
        let entered: Vec<Scope> = match self.is_declared(variable) {
            true => Vec::new(),
            false => blocks.iter().filter(is_entered_behind).copied().collect(),
        };
        Some(Home {
            block: entered.last().copied().unwrap_or(innermost),
            is_known: entered.len() < 2,
        })
    }

    /// Where the lives of a variable start and end that is declared or named in a loop statement which lies in the block that it belongs
    /// to: the block is the body then, or a variable without a name is in a body that is none, or in the condition.
    fn rounds(
        &self,
        function: Value,
        loops: &[Loop],
        variable: Value,
        home: Option<&Home>,
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
    fn around_all(&self, instructions: &[Value]) -> &[Scope] {
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
    fn is_inside(&self, instruction: Value, block: Scope) -> Option<bool> {
        if is_return(instruction) {
            return Some(false);
        }
        let is_jump = instruction.next().is_none();
        let is_telling = !is_jump
            && instruction.opcode() != Some(InstructionOpcode::Phi)
            && !instruction.is_debug_intrinsic();
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
    fn crossings(&self, function: Value, block: Scope) -> Vec<Crossing> {
        let starts = self.starts(function, block);
        let mut crossings = Vec::new();
        for (index, part) in function.blocks().into_iter().enumerate() {
            let mut inside = index != 0 && starts[&part];
            for instruction in part.instructions() {
                let now = self.is_inside(instruction, block).unwrap_or(inside);
                if now != inside {
                    let place = Place::Before(instruction);
                    crossings.push(Crossing { place, enters: now });
                    inside = now;
                }
            }
            let mut seen = FxHashSet::default();
            let next = part.terminator().map(Value::successors).into_iter();
            for next in next.flatten().filter(|next| seen.insert(*next)) {
                if starts[&next] != inside {
                    let place = Place::Between(part, next);
                    let enters = !inside;
                    crossings.push(Crossing { place, enters });
                }
            }
        }
        crossings
    }

    /// Whether the first instruction that tells is inside of a block, from the start of each part of the function: on any of the ways, so
    /// that none leaves the block only to enter it again.
    fn starts(&self, function: Value, block: Scope) -> FxHashMap<Block, bool> {
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

/// Puts an empty block between two blocks; returns its jump. There is no way to do so behind a computed `goto`, which is not read.
fn split_edge(module: &Module, from: Block, to: Block) -> Option<Value> {
    let jump = from.terminator()?;
    if !matches!(
        jump.opcode(),
        Some(InstructionOpcode::Br | InstructionOpcode::Switch)
    ) {
        return None;
    }
    let middle = from.function().append_block(module, "");
    let builder = Builder::at_end(module, middle).copy_position(jump);
    let end = builder.jump(to);
    for (index, next) in (0..).zip(jump.successors()) {
        if next == to {
            jump.set_successor(index, middle);
        }
    }
    let is_phi = |i: &Value| i.opcode() == Some(InstructionOpcode::Phi);
    for phi in to.instructions().into_iter().take_while(is_phi) {
        let builder = Builder::before(module, phi).copy_position(phi);
        let changed = builder.phi(phi.value_type_of());
        let incoming = phi.incoming().into_iter();
        let (moved, kept): (Vec<_>, Vec<_>) = incoming.partition(|(_, source)| *source == from);
        for (value, source) in kept {
            changed.add_incoming(value, source);
        }
        if let Some((value, _)) = moved.first() {
            changed.add_incoming(*value, middle);
        }
        phi.replace_all_uses(changed);
        phi.erase();
    }
    Some(end)
}
