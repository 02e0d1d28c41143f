//! Writing a plan into bitcode: calls of [`abi::markers`] at external locations and where phases change.
//!
//! The calls go into the normalised module that the program was read from, and no LLVM pass runs afterwards. Each call
//! bears the site number of the instruction before which it stands, so that reading the result gives the same program with
//! the locations marked, and nothing else changed.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::collections::BTreeMap;
use std::ffi::CString;

use abi::ids::SiteId;
use abi::markers::{
    APART, BOTH, COMMIT_UNLESS, DIFFERS, INSTRUMENTED_METADATA, LOCKED, SITE_METADATA, UNREACHED,
    YIELD, YIELD_IF_COMMITTED,
};
use frontend::llvm::{Module, ModuleError};
use frontend::{Instrumentation, Loaded};
use llvm_sys::LLVMOpcode;
use llvm_sys::core::*;
use llvm_sys::debuginfo::{LLVMInstructionGetDebugLoc, LLVMInstructionSetDebugLoc};
use llvm_sys::prelude::*;
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
struct Editor {
    module: LLVMModuleRef,
    context: LLVMContextRef,
    site_kind: u32,
}

impl Editor {
    fn new(module: &Module) -> Self {
        let (context, length) = (module.context(), SITE_METADATA.len() as u32);
        // SAFETY: the context is alive and the name is passed with its length.
        let site_kind =
            unsafe { LLVMGetMDKindIDInContext(context, SITE_METADATA.as_ptr().cast(), length) };
        Self {
            module: module.as_raw(),
            context,
            site_kind,
        }
    }

    /// All instructions that bear a site number, by that number.
    fn instructions(&self) -> BTreeMap<SiteId, LLVMValueRef> {
        let mut found = BTreeMap::new();
        // SAFETY: the module is alive and is not changed during the walk.
        unsafe {
            for function in list(LLVMGetFirstFunction(self.module), |function| {
                LLVMGetNextFunction(function)
            }) {
                for block in list(LLVMGetFirstBasicBlock(function), |block| {
                    LLVMGetNextBasicBlock(block)
                }) {
                    for instruction in list(LLVMGetFirstInstruction(block), |next| {
                        LLVMGetNextInstruction(next)
                    }) {
                        if let Some(site) = self.site(instruction) {
                            found.entry(site).or_insert(instruction);
                        }
                    }
                }
            }
        }
        found
    }

    /// The site number of an instruction.
    unsafe fn site(&self, instruction: LLVMValueRef) -> Option<SiteId> {
        // SAFETY: the instruction is alive; the kinds of the node and its operand are tested before they are read.
        unsafe {
            let node = LLVMGetMetadata(instruction, self.site_kind);
            if node.is_null() || LLVMGetMDNodeNumOperands(node) != 1 {
                return None;
            }
            let mut operand = std::ptr::null_mut();
            LLVMGetMDNodeOperands(node, &mut operand);
            if operand.is_null() || LLVMIsAConstantInt(operand).is_null() {
                return None;
            }
            u32::try_from(LLVMConstIntGetZExtValue(operand))
                .ok()
                .map(SiteId)
        }
    }

    /// Inserts the call of a marker before an instruction.
    fn insert(
        &self,
        instructions: &BTreeMap<SiteId, LLVMValueRef>,
        instruction: LLVMValueRef,
        site: SiteId,
        marker: Marker<'_>,
    ) -> Result<(), EmitError> {
        // SAFETY: the instruction is part of the module, and types and constants are of its context.
        unsafe {
            if !LLVMIsAPHINode(instruction).is_null() {
                return Err(EmitError::NoInstruction(site));
            }
            let nothing = LLVMVoidTypeInContext(self.context);
            let number = self.number(site);
            match marker {
                Marker::Yield => self.call(instruction, YIELD, nothing, &mut [number]),
                Marker::YieldIfCommitted(unless) => {
                    let moves = self.moves(instructions, instruction, unless)?;
                    let arguments = &mut [number, moves];
                    self.call(instruction, YIELD_IF_COMMITTED, nothing, arguments)
                }
                Marker::Commit(unless) => {
                    let moves = self.moves(instructions, instruction, unless)?;
                    self.call(instruction, COMMIT_UNLESS, nothing, &mut [moves])
                }
            };
        }
        Ok(())
    }

    unsafe fn number(&self, site: SiteId) -> LLVMValueRef {
        // SAFETY: the context is alive.
        unsafe { self.constant(site.0) }
    }

    unsafe fn constant(&self, value: u32) -> LLVMValueRef {
        // SAFETY: the context is alive.
        unsafe { LLVMConstInt(LLVMInt32TypeInContext(self.context), value.into(), 0) }
    }

    /// One bit: whether the condition under which the statement moves holds.
    unsafe fn moves(
        &self,
        instructions: &BTreeMap<SiteId, LLVMValueRef>,
        instruction: LLVMValueRef,
        unless: Unless<'_>,
    ) -> Result<LLVMValueRef, EmitError> {
        // SAFETY: the instruction is part of the module, and types and constants are of its context.
        unsafe {
            let bit = LLVMInt1TypeInContext(self.context);
            let Some(condition) = unless else {
                return Ok(LLVMConstInt(bit, 0, 0));
            };
            let ask =
                |name, arguments: &mut [LLVMValueRef]| self.call(instruction, name, bit, arguments);
            let mut all = Vec::new();
            for differs in &condition.differs {
                let address = address(instructions, differs.site)?;
                let size = self.constant(differs.value.width / 8);
                let long = LLVMInt64TypeInContext(self.context);
                let value = LLVMConstInt(long, differs.value.value as u64, 0);
                let site = self.number(differs.site);
                all.push(ask(DIFFERS, &mut [site, address, size, value]));
            }
            for apart in &condition.apart {
                let address = address(instructions, apart.site)?;
                let size = self.constant(apart.size);
                let mut arguments = vec![self.number(apart.site), address, size];
                arguments.extend(apart.others.iter().map(|&site| self.number(site)));
                all.push(ask(APART, &mut arguments));
            }
            for locked in &condition.locked {
                let mutex = address(instructions, locked.site)?;
                let count = self.constant(locked.others.len() as u32);
                let mut arguments = vec![self.number(locked.site), mutex, count];
                let sites = locked.others.iter().chain(&locked.locks);
                arguments.extend(sites.map(|&site| self.number(site)));
                all.push(ask(LOCKED, &mut arguments));
            }
            if !condition.unreached.is_empty() {
                let sites = condition.unreached.iter().map(|&site| self.number(site));
                let mut sites: Vec<LLVMValueRef> = sites.collect();
                all.push(ask(UNREACHED, &mut sites));
            }
            let both = |one, other| ask(BOTH, &mut [one, other]);
            let holds = all.into_iter().reduce(both);
            Ok(holds.unwrap_or_else(|| LLVMConstInt(bit, 0, 0)))
        }
    }

    /// Inserts a call before an instruction, with the instruction's site and source position.
    unsafe fn call(
        &self,
        instruction: LLVMValueRef,
        name: &str,
        result: LLVMTypeRef,
        arguments: &mut [LLVMValueRef],
    ) -> LLVMValueRef {
        // SAFETY: the instruction is part of the module, to which function, arguments and builder belong.
        unsafe {
            let (is_variadic, fixed) = match name {
                UNREACHED => (true, 1),
                APART | LOCKED => (true, 4),
                _ => (false, arguments.len()),
            };
            let mut types: Vec<LLVMTypeRef> = arguments[..fixed]
                .iter()
                .map(|&argument| LLVMTypeOf(argument))
                .collect();
            let more = LLVMBool::from(is_variadic);
            let function_type =
                LLVMFunctionType(result, types.as_mut_ptr(), types.len() as u32, more);
            let function = self.marker(name, function_type);
            let builder = LLVMCreateBuilderInContext(self.context);
            LLVMPositionBuilderBefore(builder, instruction);
            let call = LLVMBuildCall2(
                builder,
                function_type,
                function,
                arguments.as_mut_ptr(),
                arguments.len() as u32,
                c"".as_ptr(),
            );
            LLVMDisposeBuilder(builder);
            LLVMInstructionSetDebugLoc(call, LLVMInstructionGetDebugLoc(instruction));
            LLVMSetMetadata(
                call,
                self.site_kind,
                LLVMGetMetadata(instruction, self.site_kind),
            );
            call
        }
    }

    /// A marker function, declared if it is not.
    unsafe fn marker(&self, name: &str, function_type: LLVMTypeRef) -> LLVMValueRef {
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: module and type are alive.
        unsafe {
            let known = LLVMGetNamedFunction(self.module, name.as_ptr());
            if known.is_null() {
                LLVMAddFunction(self.module, name.as_ptr(), function_type)
            } else {
                known
            }
        }
    }

    /// Says that the module is instrumented, how, and from which bitcode.
    fn mark(&self, instrumentation: &Instrumentation, original: &[u8]) {
        let Instrumentation {
            reduction,
            conditions,
            bounds,
            options,
        } = instrumentation;
        let name = CString::new(INSTRUMENTED_METADATA).unwrap_or_default();
        let numbers = [
            bounds.threads,
            bounds.heap,
            options.recursion,
            options.allocation,
            options.abort_is_error.into(),
        ];
        // SAFETY: module and context are alive and each text is passed with its length.
        unsafe {
            let text = |bytes: &[u8]| {
                LLVMMDStringInContext2(self.context, bytes.as_ptr().cast(), bytes.len())
            };
            let mut operands = vec![text(reduction.as_bytes()), text(conditions.as_bytes())];
            operands.extend(numbers.map(|number| {
                let number_type = LLVMInt32TypeInContext(self.context);
                LLVMValueAsMetadata(LLVMConstInt(number_type, number.into(), 0))
            }));
            operands.push(text(original));
            let node = LLVMMDNodeInContext2(self.context, operands.as_mut_ptr(), operands.len());
            LLVMAddNamedMetadataOperand(
                self.module,
                name.as_ptr(),
                LLVMMetadataAsValue(self.context, node),
            );
        }
    }
}

/// The address that an instruction accesses.
unsafe fn address(
    instructions: &BTreeMap<SiteId, LLVMValueRef>,
    site: SiteId,
) -> Result<LLVMValueRef, EmitError> {
    let &instruction = instructions
        .get(&site)
        .ok_or(EmitError::NoInstruction(site))?;
    // SAFETY: the instruction is part of the module, and its kind says which operand is the address.
    unsafe {
        use LLVMOpcode::{LLVMAtomicCmpXchg, LLVMAtomicRMW, LLVMCall, LLVMLoad, LLVMStore};
        let opcode = LLVMGetInstructionOpcode(instruction);
        if opcode == LLVMStore {
            Ok(LLVMGetOperand(instruction, 1))
        } else if [LLVMLoad, LLVMAtomicRMW, LLVMAtomicCmpXchg, LLVMCall].contains(&opcode) {
            Ok(LLVMGetOperand(instruction, 0))
        } else {
            Err(EmitError::NoAddress(site))
        }
    }
}

/// The elements of one of LLVM's linked lists.
fn list<T>(first: *mut T, next: impl Fn(*mut T) -> *mut T) -> Vec<*mut T> {
    let present = |element: *mut T| (!element.is_null()).then_some(element);
    std::iter::successors(present(first), |&element| present(next(element))).collect()
}
