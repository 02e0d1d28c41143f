//! Writing a plan into bitcode: calls of [`abi::markers`] at external locations and where phases change.
//!
//! The calls go into the normalised module that the program was read from, and no LLVM pass runs afterwards. Each call
//! bears the site number of the instruction before which it stands, so that reading the result gives the same program with
//! the locations marked, and nothing else changed.

use std::collections::BTreeMap;

use abi::ids::SiteId;
use abi::markers::{
    APART, BOTH, COMMIT_UNLESS, DIFFERS, INSTRUMENTED_METADATA, LOCKED, MODEL_METADATA,
    SITE_METADATA, UNREACHED, YIELD, YIELD_IF_COMMITTED,
};
use frontend::llvm::{
    Builder, InstructionOpcode, MetadataOperand, Module, ModuleError, Type, Value,
};
use frontend::{Instrumentation, Loaded, UndefinedFunctions};
use program::model::{BothMoverCondition, LocationId, Mark, PhaseAnnotation, Program, TemplateId};

use crate::conditions::ConditionKind;
use crate::insertion_points::starts;
use crate::plan::Plan;

/// Why a plan cannot be written into a module.
#[derive(Debug, thiserror::Error)]
pub enum EmitError {
    /// The module bears the marks of an earlier instrumentation.
    #[error("the bitcode is instrumented already: give the original")]
    AlreadyInstrumented,
    /// An external location does not lie between two instructions.
    #[error(
        "{location} of `{template}` lies inside of an instruction, where no call can be inserted"
    )]
    InsideInstruction {
        /// The function.
        template: String,
        /// The location.
        location: LocationId,
    },
    /// An instruction of the plan is not in the module: they do not belong together.
    #[error("the module has no place for a call before instruction {0}")]
    NoInstruction(SiteId),
    /// An instruction whose address a condition is about has none.
    #[error("a condition is about the address of instruction {0}, which has none")]
    NoAddress(SiteId),
    /// The edited module does not pass LLVM's verifier.
    #[error("LLVM's verifier rejects the instrumented bitcode: {0}")]
    Invalid(#[from] ModuleError),
}

/// Edits the module of a loaded program as planned for that program, and returns it as bitcode.
pub fn emit(loaded: &Loaded, plan: &Plan) -> Result<Vec<u8>, EmitError> {
    let editor = Editor::new(loaded.module());
    if loaded.instrumentation.is_some() {
        return Err(EmitError::AlreadyInstrumented);
    }
    let markers = markers(&loaded.program, plan)?;
    let instructions = editor.instructions();
    for (site, marker) in markers {
        let &instruction = instructions
            .get(&site)
            .ok_or(EmitError::NoInstruction(site))?;
        editor.insert(&instructions, instruction, site, marker)?;
    }
    let kinds: Vec<String> = plan.kinds.iter().map(ConditionKind::to_string).collect();
    let instrumentation = Instrumentation {
        reduction: plan.reduction.to_string(),
        conditions: kinds.join(","),
        bounds: plan.bounds,
        options: loaded.options,
    };
    editor.mark(&instrumentation, loaded.original());
    loaded.module().verify()?;
    Ok(loaded.module().to_bitcode())
}

/// A call to be inserted.
#[derive(Clone, Copy, Debug)]
enum Marker<'a> {
    Yield,
    YieldIfCommitted(Unless<'a>),
    Commit(Unless<'a>),
}

/// The condition under which the marker does nothing; none if it always acts.
type Unless<'a> = Option<&'a BothMoverCondition>;

/// The calls and the instructions before which they belong, calls before the same instruction in order.
fn markers<'a>(program: &Program, plan: &'a Plan) -> Result<Vec<(SiteId, Marker<'a>)>, EmitError> {
    let mut found = Vec::new();
    for (id, template) in &program.templates {
        let starts = starts(template);
        let plan = &plan.templates[id];
        let all = plan.yields.keys().map(|location| (location, Marker::Yield));
        let phase = plan.phase.iter().flat_map(|(location, marks)| {
            let yields = unless(marks, marks.yields_if_committed).map(Marker::YieldIfCommitted);
            let commits = unless(marks, marks.commits).map(Marker::Commit);
            let markers = [yields, commits].into_iter().flatten();
            markers.map(move |marker| (location, marker))
        });
        for (location, marker) in all.chain(phase) {
            let &site = starts
                .get(location)
                .ok_or_else(|| inside_instruction(program, id, *location))?;
            found.push((site, marker));
        }
    }
    Ok(found)
}

/// When a mark does nothing; none if it never does anything.
fn unless(marks: &PhaseAnnotation, mark: Mark) -> Option<Unless<'_>> {
    match mark {
        Mark::Never => None,
        Mark::UnlessBothMover => Some(Some(&marks.both_mover)),
        Mark::Always => Some(None),
    }
}

fn inside_instruction(program: &Program, template: TemplateId, location: LocationId) -> EmitError {
    EmitError::InsideInstruction {
        template: program.templates[template].name.clone(),
        location,
    }
}

/// A module that is edited.
struct Editor<'a> {
    module: &'a Module,
    site_kind: u32,
}

impl<'a> Editor<'a> {
    fn new(module: &'a Module) -> Self {
        Self {
            module,
            site_kind: module.metadata_kind(SITE_METADATA),
        }
    }

    /// All instructions that bear a site number, by that number.
    fn instructions(&self) -> BTreeMap<SiteId, Value> {
        let mut found = BTreeMap::new();
        for instruction in self.module.functions().into_iter().flat_map(Value::body) {
            if let Some(site) = instruction.metadata_number(self.site_kind) {
                found.entry(SiteId(site)).or_insert(instruction);
            }
        }
        found
    }

    /// Inserts the call of a marker before an instruction.
    fn insert(
        &self,
        instructions: &BTreeMap<SiteId, Value>,
        instruction: Value,
        site: SiteId,
        marker: Marker<'_>,
    ) -> Result<(), EmitError> {
        if instruction.opcode() == Some(InstructionOpcode::Phi) {
            return Err(EmitError::NoInstruction(site));
        }
        let nothing = self.module.void_type();
        let number = self.number(site);
        match marker {
            Marker::Yield => self.call(instruction, YIELD, nothing, &[number]),
            Marker::YieldIfCommitted(unless) => {
                let moves = self.moves(instructions, instruction, unless)?;
                self.call(instruction, YIELD_IF_COMMITTED, nothing, &[number, moves])
            }
            Marker::Commit(unless) => {
                let moves = self.moves(instructions, instruction, unless)?;
                self.call(instruction, COMMIT_UNLESS, nothing, &[moves])
            }
        };
        Ok(())
    }

    fn number(&self, site: SiteId) -> Value {
        self.constant(site.0)
    }

    fn constant(&self, value: u32) -> Value {
        self.module.int_type(32).constant(value.into())
    }

    /// One bit: whether the condition under which the statement moves holds.
    fn moves(
        &self,
        instructions: &BTreeMap<SiteId, Value>,
        instruction: Value,
        unless: Unless<'_>,
    ) -> Result<Value, EmitError> {
        let bit = self.module.int_type(1);
        let Some(condition) = unless else {
            return Ok(bit.constant(0));
        };
        let BothMoverCondition {
            unreached,
            apart,
            differs,
            locked,
        } = condition;
        let ask = |name, arguments: &[Value]| self.call(instruction, name, bit, arguments);
        let mut all = Vec::new();
        for differs in differs {
            let address = address(instructions, differs.site)?;
            let size = self.constant(differs.value.width / 8);
            let value = self
                .module
                .int_type(64)
                .constant(differs.value.value as u64);
            let site = self.number(differs.site);
            all.push(ask(DIFFERS, &[site, address, size, value]));
        }
        for apart in apart {
            let address = address(instructions, apart.site)?;
            let size = self.constant(apart.size);
            let mut arguments = vec![self.number(apart.site), address, size];
            arguments.extend(apart.others.iter().map(|&site| self.number(site)));
            all.push(ask(APART, &arguments));
        }
        for locked in locked {
            let mutex = address(instructions, locked.site)?;
            let count = self.constant(locked.others.len() as u32);
            let mut arguments = vec![self.number(locked.site), mutex, count];
            let sites = locked.others.iter().chain(&locked.locks);
            arguments.extend(sites.map(|&site| self.number(site)));
            all.push(ask(LOCKED, &arguments));
        }
        if !unreached.is_empty() {
            let sites = unreached.iter().map(|&site| self.number(site));
            let sites: Vec<Value> = sites.collect();
            all.push(ask(UNREACHED, &sites));
        }
        let both = |one, other| ask(BOTH, &[one, other]);
        let holds = all.into_iter().reduce(both);
        Ok(holds.unwrap_or_else(|| bit.constant(0)))
    }

    /// Inserts a call before an instruction, with the instruction's site and source position.
    fn call(&self, instruction: Value, name: &str, result: Type, arguments: &[Value]) -> Value {
        let types = arguments.iter().map(|argument| argument.value_type_of());
        let types: Vec<Type> = types.collect();
        let function_type = match name {
            UNREACHED => Type::variadic_function(result, &types[..1]),
            APART | LOCKED => Type::variadic_function(result, &types[..4]),
            _ => Type::function(result, &types),
        };
        let known = self.module.function(name);
        let function = known.unwrap_or_else(|| self.module.declare_as(name, function_type));
        let builder = Builder::before(self.module, instruction);
        let call = builder.call_as(function_type, function, arguments);
        call.copy_position(instruction);
        call.copy_metadata(self.site_kind, instruction);
        call.copy_metadata(self.module.metadata_kind(MODEL_METADATA), instruction);
        call
    }

    /// Says that the module is instrumented, how, and from which bitcode.
    fn mark(&self, instrumentation: &Instrumentation, original: &[u8]) {
        let Instrumentation {
            reduction,
            conditions,
            bounds,
            options,
        } = instrumentation;
        let parts = [
            MetadataOperand::Text(reduction.as_bytes()),
            MetadataOperand::Text(conditions.as_bytes()),
            MetadataOperand::Number(bounds.threads),
            MetadataOperand::Number(bounds.heap),
            MetadataOperand::Number(options.recursion),
            MetadataOperand::Number(options.allocation),
            MetadataOperand::Number(options.abort_is_error.into()),
            MetadataOperand::Number(u32::from(
                options.undefined == UndefinedFunctions::Arbitrary,
            )),
            MetadataOperand::Text(original),
        ];
        self.module
            .add_named_metadata(INSTRUMENTED_METADATA, &parts);
    }
}

/// The address that an instruction accesses.
fn address(instructions: &BTreeMap<SiteId, Value>, site: SiteId) -> Result<Value, EmitError> {
    use InstructionOpcode::{AtomicCmpXchg, AtomicRMW, Call, Load, Store};
    let &instruction = instructions
        .get(&site)
        .ok_or(EmitError::NoInstruction(site))?;
    let address = match instruction.opcode() {
        Some(Store) => instruction.operand(1),
        Some(Load | AtomicRMW | AtomicCmpXchg | Call) => instruction.operand(0),
        _ => None,
    };
    address.ok_or(EmitError::NoAddress(site))
}
