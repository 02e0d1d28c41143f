//! Turning one function into an automaton.

use std::collections::BTreeSet;

use inkwell::values::InstructionOpcode;
use rustc_hash::{FxHashMap, FxHashSet};

use super::builder::{AutomatonBuilder, constant};
use super::compact::compact;
use super::lifetimes::drop_useless_ends;
use super::prune::drop_unread;
use super::reader::{Read, Reader, Unreadable, unreadable};
use crate::llvm::{Block, Value};
use program::model::{
    Comparison, Global, HavocOrigin, LimitKind, LocationId, LocationKind, Operand, Operation,
    PhaseAnnotation, Place, Statement, Template, TemplateId, TypeId,
};

/// Atomic regions nested deeper than this are not read.
pub(super) const DEEPEST_NESTING: u32 = 8;

/// Whether the path goes on after an instruction.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PathStatus {
    Continues,
    Ends,
}

/// Reads one function. A block inside and outside an atomic region gives two sets of locations.
pub(super) struct ThreadReader<'r, 'm> {
    pub reader: &'r mut Reader<'m>,
    pub builder: AutomatonBuilder,
    pub id: TemplateId,
    pub is_main: bool,
    /// The operands that hold a value: one for each scalar in it.
    pub values: FxHashMap<Value, Vec<Operand>>,
    /// Names of C variables by the values that they have.
    variables: FxHashMap<Value, String>,
    /// Types of C variables by the values that they have.
    variable_types: FxHashMap<Value, TypeId>,
    /// Position of each block in an order that visits definitions before uses.
    order: FxHashMap<Block, usize>,
    blocks: Vec<Block>,
    /// Where a block starts at a depth of atomic regions.
    starts: FxHashMap<(Block, u32), LocationId>,
    pending: BTreeSet<(usize, u32)>,
}

/// Whether a function may be given to `pthread_create`.
pub(super) fn may_be_start_routine(function: Value) -> bool {
    let fits = |parameter: &Value| {
        parameter.value_type_of().is_pointer()
            || parameter
                .value_type_of()
                .int_width()
                .is_some_and(|w| w <= 64)
    };
    let parameters = function.parameters();
    !function.is_declaration() && parameters.len() <= 1 && parameters.iter().all(fits)
}

/// Reads a function as the template `id`.
pub(super) fn read(
    reader: &mut Reader<'_>,
    function: Value,
    id: TemplateId,
    is_main: bool,
) -> Template {
    let blocks = function.reverse_post_order();
    let first = blocks
        .first()
        .and_then(|block| block.instructions().into_iter().next());
    let site = first.map_or(abi::ids::SiteId(0), |first| reader.site(first));
    let mut thread = ThreadReader {
        builder: AutomatonBuilder::new(function.name(), reader.module.data_model(), site),
        id,
        is_main,
        values: FxHashMap::default(),
        variables: variables(function),
        variable_types: variable_types(reader, function),
        order: blocks.iter().copied().zip(0..).collect(),
        blocks,
        starts: FxHashMap::default(),
        pending: BTreeSet::new(),
        reader,
    };
    if let Err(what) = thread.enter(function) {
        thread.refuse(what);
        if let Some(entry) = thread.blocks.first().copied() {
            thread.survey_from(entry);
        }
    }
    while let Some((position, depth)) = thread.pending.pop_first() {
        thread.read_block(thread.blocks[position], depth);
    }
    drop_useless_ends(&mut thread.builder.template, &thread.reader.heap_sites);
    // A statement that runs `main` as a start routine uses its address; threads that run `main` so may be joined.
    if is_main && function.users().is_empty() {
        thread.never_exit_by_return();
    }
    drop_marks_inside_regions(&mut thread.builder.template);
    drop_unread(&mut thread.builder.template);
    compact(&mut thread.builder.template);
    thread.builder.template
}

impl ThreadReader<'_, '_> {
    /// Gives the parameters their first values and goes to the first block.
    fn enter(&mut self, function: Value) -> Read<()> {
        let parameters = function.parameters();
        if self.is_main {
            self.enter_main(&parameters)?;
        } else if let [parameter] = parameters[..] {
            let register = self.builder.register(self.builder.address_bits());
            self.builder.template.parameters.push(register);
            let widths = self.widths(parameter.value_type_of())?;
            let [width] = widths[..] else {
                return unreadable("a start routine's parameter");
            };
            let value = self.builder.resize(width, Operand::Register(register));
            self.define(parameter, vec![value])?;
        } else if parameters.len() > 1 {
            return unreadable(format!(
                "`{}` as a start routine: it has several parameters",
                function.name()
            ));
        }
        match self.blocks.first() {
            Some(entry) => self.go_to(*entry, None),
            None => unreadable(format!(
                "start routine `{}` without a body",
                function.name()
            )),
        }
    }

    /// `argc` is arbitrary but at least 1; what `argv` points to must not be accessed.
    fn enter_main(&mut self, parameters: &[Value]) -> Read<()> {
        for (parameter, position) in parameters.iter().zip(0..) {
            let widths = self.widths(parameter.value_type_of())?;
            let [width] = widths[..] else {
                return unreadable("a parameter of `main`");
            };
            let value = if position == 0 {
                let count = self.builder.havoc(width, HavocOrigin::Input);
                let positive =
                    self.builder
                        .compare(Comparison::SignedLessEqual, constant(width, 1), count);
                self.builder.require(positive, LocationKind::Blocked);
                count
            } else {
                let name = if position == 1 { "argv" } else { "environment" };
                let outside = Global::outside(name);
                Operand::Address(Place::Global(self.reader.globals.push(outside)), 0)
            };
            self.define(*parameter, vec![value])?;
        }
        Ok(())
    }

    /// Reads the instructions of a block at a depth of atomic regions.
    fn read_block(&mut self, block: Block, depth: u32) {
        self.builder.depth = depth;
        self.builder.current = self.start(block, depth);
        for instruction in block.instructions() {
            if instruction.opcode() == Some(InstructionOpcode::Phi)
                || instruction.is_debug_intrinsic()
            {
                continue;
            }
            self.builder.site = self.reader.site(instruction);
            match self.read_instruction(instruction) {
                Ok(PathStatus::Continues) => {}
                Ok(PathStatus::Ends) => return,
                Err(what) => {
                    self.refuse(what);
                    if !self.reader.survey {
                        return;
                    }
                    self.pass_over(instruction);
                }
            }
        }
    }

    /// Ends the path at a construct that is not read.
    pub fn refuse(&mut self, what: Unreadable) {
        let Unreadable::Construct(what) = what else {
            return;
        };
        let unsupported = self.reader.refuse(what, self.builder.site);
        self.builder.end(
            LocationKind::Limit(LimitKind::Unsupported(unsupported)),
            Statement::Skip,
        );
        self.builder.current = self.builder.location();
    }

    /// The location where a block starts at a depth of atomic regions; the block is read later.
    pub fn start(&mut self, block: Block, depth: u32) -> LocationId {
        if let Some(location) = self.starts.get(&(block, depth)) {
            return *location;
        }
        let location = self.builder.location();
        self.starts.insert((block, depth), location);
        if let Some(position) = self.order.get(&block) {
            self.pending.insert((*position, depth));
        }
        location
    }

    /// Goes to the start of a block; coming from another block, its phi nodes get their values at once.
    pub fn go_to(&mut self, target: Block, from: Option<Block>) -> Read<()> {
        if self.builder.depth > DEEPEST_NESTING {
            return unreadable("deeply nested atomic regions");
        }
        let mut copies = Vec::new();
        for phi in target
            .instructions()
            .into_iter()
            .take_while(|i| i.opcode() == Some(InstructionOpcode::Phi))
        {
            let incoming = phi
                .incoming()
                .into_iter()
                .find(|(_, block)| Some(*block) == from);
            let Some((value, _)) = incoming else {
                return unreadable("a phi node without value");
            };
            let value = self.operands(value)?;
            for (register, operand) in self.phi_registers(phi)?.into_iter().zip(value) {
                if let Operand::Register(register) = register {
                    copies.push((register, operand));
                }
            }
        }
        let statement = if copies.is_empty() {
            Statement::Skip
        } else {
            Statement::ParallelAssign(copies)
        };
        let location = self.start(target, self.builder.depth);
        self.builder.emit_to(statement, location);
        Ok(())
    }

    fn phi_registers(&mut self, phi: Value) -> Read<Vec<Operand>> {
        if let Some(known) = self.values.get(&phi) {
            return Ok(known.clone());
        }
        let widths = self.widths(phi.value_type_of())?;
        let registers = widths
            .into_iter()
            .map(|width| Operand::Register(self.builder.register(width)))
            .collect();
        self.define(phi, registers)?;
        Ok(self.values[&phi].clone())
    }

    /// Lets a value be held by these operands. A second reading of the instruction, at another depth of atomic regions,
    /// writes the registers of the first.
    pub fn define(&mut self, value: Value, operands: Vec<Operand>) -> Read<()> {
        let Some(known) = self.values.get(&value).cloned() else {
            if let [Operand::Register(register)] = &operands[..] {
                let c_type = self.c_type(value);
                let register = &mut self.builder.template.registers[*register];
                if let Some(name) = self.variables.get(&value) {
                    register.variable.get_or_insert_with(|| name.clone());
                }
                register.c_type = register.c_type.or(c_type);
            }
            self.values.insert(value, operands);
            return Ok(());
        };
        for (known, operand) in known.into_iter().zip(operands) {
            match known {
                Operand::Register(register) if known != operand => {
                    self.builder.emit(Statement::Assign {
                        register,
                        operation: Operation::Copy(operand),
                    });
                }
                Operand::Register(_) | Operand::Constant(_) | Operand::Address(..) => {}
            }
        }
        Ok(())
    }

    /// Name of the C variable that a value belongs to.
    pub fn variable(&self, value: Value) -> Option<&String> {
        self.variables.get(&value)
    }

    /// Type of the C variable that a value belongs to.
    pub fn c_type(&self, value: Value) -> Option<TypeId> {
        self.variable_types.get(&value).copied()
    }

    /// Whether a block is the first.
    pub fn is_entry(&self, block: Block) -> bool {
        self.order.get(&block) == Some(&0)
    }

    /// Whether control can come back to a block.
    pub fn is_in_cycle(&self, block: Block) -> bool {
        let mut seen = FxHashSet::default();
        let mut pending = block
            .terminator()
            .map(Value::successors)
            .unwrap_or_default();
        while let Some(next) = pending.pop() {
            if next == block {
                return true;
            }
            if seen.insert(next) {
                pending.extend(next.terminator().map(Value::successors).unwrap_or_default());
            }
        }
        false
    }
}

/// Names of C variables, from the debug information.
fn variables(function: Value) -> FxHashMap<Value, String> {
    let mut names = FxHashMap::default();
    for instruction in function
        .body()
        .into_iter()
        .filter(|instruction| instruction.is_debug_intrinsic())
    {
        if let Some((values, name)) = instruction.described_variable() {
            let is_place = instruction.describes_place();
            for value in values
                .into_iter()
                .filter(|value| is_place || !value.is_local_variable())
            {
                names.entry(value).or_insert_with(|| name.clone());
            }
        }
    }
    names
}

/// Types of C variables, from the debug information; of several for a value the first that points to something.
fn variable_types(reader: &mut Reader<'_>, function: Value) -> FxHashMap<Value, TypeId> {
    let mut types: FxHashMap<Value, TypeId> = FxHashMap::default();
    let body = function.body().into_iter();
    for description in body.filter(|instruction| instruction.is_debug_intrinsic()) {
        let (Some((values, _)), Some(described)) = (
            description.described_variable(),
            description.described_type(),
        ) else {
            continue;
        };
        let is_place = description.describes_place();
        let c_type = reader.types.read(reader.module, described);
        let own = values.into_iter();
        for value in own.filter(|value| is_place || !value.is_local_variable()) {
            let known = types.entry(value).or_insert(c_type);
            if !reader.types.is_pointer(*known) {
                *known = c_type;
            }
        }
    }
    types
}

/// Markers in code that is run inside and outside of atomic regions mean nothing inside.
fn drop_marks_inside_regions(template: &mut Template) {
    for location in template.locations.values_mut() {
        if location.atomic_depth > 0 {
            location.external = false;
            location.phase = PhaseAnnotation::default();
        }
    }
}
