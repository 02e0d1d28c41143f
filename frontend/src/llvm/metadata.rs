//! Debug information and other metadata.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::rc::Rc;

use abi::text::printable;
use inkwell::debug_info::DILocation;
use inkwell::values::{AsValueRef, BasicMetadataValueEnum, BasicValue, MetadataValue};
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};

use super::handle::Value;
use super::module::Module;

/// The kind of metadata that advises about loops, and two pieces of advice.
const LOOP: &str = "llvm.loop";
const UNROLL: &str = "llvm.loop.unroll.full";
const KEEP: &str = "llvm.loop.unroll.disable";

/// Source positions in more scopes than this are not followed outwards.
const MOST_SCOPES: usize = 1000;

/// A node of the metadata graph.
#[derive(Clone, Copy)]
pub(super) struct Metadata(pub(super) LLVMMetadataRef);

/// What a node of named metadata is made of.
pub enum MetadataOperand<'a> {
    /// A text.
    Text(&'a [u8]),
    /// A number of 32 bits.
    Number(u32),
}

/// A block or function in the source. Where one was inlined, it is another scope for each call that it was inlined for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugScope {
    node: LLVMMetadataRef,
    call: LLVMMetadataRef,
}

/// A call of the function that an instruction is in, or of one that was inlined around it, or the instruction itself.
pub(crate) struct DebugFrame {
    /// Equal for instructions that were inlined for the same call.
    pub id: DebugPositionId,
    /// The node of the position.
    pub node: DebugNode,
    /// In which function the call or the instruction is.
    pub scope: Rc<SourceScope>,
}

impl DebugFrame {
    /// The line of the call or the instruction, and the column in it.
    pub(crate) fn place(&self) -> (u32, u32) {
        (self.id.line, self.id.column)
    }
}

/// The node of a source position.
#[derive(Clone, Copy)]
pub(crate) struct DebugNode(LLVMMetadataRef);

/// Tells source positions apart. Bitcode keeps what is in the position of an instruction, but not which node it is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct DebugPositionId {
    line: u32,
    column: u32,
    scope: LLVMMetadataRef,
    call: LLVMMetadataRef,
}

/// Where a scope of the source is: its file, the directory that the compiler was told for it, and the innermost function; all printable.
pub(crate) struct SourceScope {
    pub file: String,
    pub directory: String,
    pub function: String,
}

/// Looks up the source positions of a module's instructions. Most have scopes in common, each of which is looked up once.
pub(crate) struct DebugFrames<'m> {
    module: &'m Module,
    scopes: FxHashMap<LLVMMetadataRef, Rc<SourceScope>>,
}

impl<'m> DebugFrames<'m> {
    /// Knows no scope yet.
    pub(crate) fn new(module: &'m Module) -> Self {
        Self {
            module,
            scopes: FxHashMap::default(),
        }
    }

    /// The instruction's source position, then those of the calls that it was inlined for, from the innermost.
    pub(crate) fn of(&mut self, instruction: Value) -> Vec<DebugFrame> {
        let location = instruction.debug_location();
        let mut location = location.map(|location| location.as_mut_ptr());
        let mut frames = Vec::new();
        while let Some(current) = location.filter(|_| frames.len() < MOST_SCOPES) {
            let id = DebugPositionId::of(current);
            let of_scope = || Rc::new(SourceScope::of(id.scope, self.module));
            let scope = self.scopes.entry(id.scope).or_insert_with(of_scope).clone();
            location = (!id.call.is_null()).then_some(id.call);
            frames.push(DebugFrame {
                id,
                node: DebugNode(current),
                scope,
            });
        }
        frames
    }
}

// SAFETY, for every call below: as in `handle`; the kind of every node is tested before it is read.

impl Module {
    /// Lets functions that have lost their debug information have that of the function in the source that their instructions are in: without
    /// it, a compiler drops the source positions. No two functions may have the same.
    pub(crate) fn restore_debug_information(&self) {
        let known = |function: &Value| Some(function.function().get_subprogram()?.as_mut_ptr());
        let functions = self.functions();
        let mut taken: FxHashSet<LLVMMetadataRef> = functions.iter().filter_map(known).collect();
        let lacks = |function: &Value| !function.is_declaration() && known(function).is_none();
        for function in functions.into_iter().filter(lacks) {
            let mut body = function.body().into_iter();
            let outermost = body.find_map(|instruction| instruction.scopes(self).first().copied());
            if let Some(scope) = outermost.filter(|scope| taken.insert(scope.node)) {
                unsafe { LLVMSetSubprogram(function.0, scope.node) }
            }
        }
    }
}

// inkwell has a location's line, column and scope, but not the call that it was inlined for, nor what is in a scope.
impl Value {
    /// The node that holds an instruction's source position.
    pub(crate) fn debug_location(self) -> Option<DILocation<'static>> {
        self.instruction().get_debug_location()
    }

    /// Gives the instruction the source position of another.
    pub fn copy_position(self, from: Value) {
        self.instruction().set_debug_location(from.debug_location());
    }

    /// Gives the instruction a source position, or none.
    pub(crate) fn set_debug_node(self, node: Option<DebugNode>) {
        // inkwell does not make a location of a node.
        unsafe {
            LLVMInstructionSetDebugLoc(self.0, node.map_or(std::ptr::null_mut(), |node| node.0))
        }
    }

    /// The blocks and functions around an instruction's source position, from the outermost, which is the function that the
    /// instruction is in, to the innermost; empty if they are not known.
    pub(crate) fn scopes(self, module: &Module) -> Vec<DebugScope> {
        let mut location = self.debug_location().map(|location| location.as_mut_ptr());
        let mut scopes = Vec::new();
        while let Some(current) = location {
            let call = unsafe { LLVMDILocationGetInlinedAt(current) };
            let innermost = Metadata(unsafe { LLVMDILocationGetScope(current) });
            // Calls form no cycle, but those of unverified input may.
            let nodes = innermost.blocks_and_function(module);
            let Some(nodes) = nodes.filter(|_| scopes.len() < MOST_SCOPES) else {
                return Vec::new();
            };
            scopes.extend(nodes.into_iter().map(|node| DebugScope { node, call }));
            location = (!call.is_null()).then_some(call);
        }
        scopes.reverse();
        scopes
    }

    /// The number in an instruction's metadata `!{i32 n}` of this kind.
    pub fn metadata_number(self, kind: u32) -> Option<u32> {
        let operand = self.metadata(kind)?.node_operands().into_iter().next()??;
        u32::try_from(operand.integer()?).ok()
    }

    /// Attaches metadata `!{i32 number}`.
    pub(crate) fn set_metadata_number(self, module: &Module, kind: u32, number: u32) {
        let number = module.int_type(32).constant(number.into()).int();
        let node = module.context().metadata_node(&[number.into()]);
        self.set_metadata(kind, Some(Value::of(node)));
    }

    /// Gives an instruction the metadata of this kind that another has, also if that is none.
    pub fn copy_metadata(self, kind: u32, from: Value) {
        self.set_metadata(kind, from.metadata(kind));
    }

    /// Whether an instruction has metadata of this kind.
    pub(crate) fn has_metadata(self, kind: u32) -> bool {
        self.metadata(kind).is_some()
    }

    /// Removes metadata of one kind from an instruction.
    pub(crate) fn remove_metadata(self, kind: u32) {
        self.set_metadata(kind, None);
    }

    /// An instruction's metadata of this kind; constant expressions have none.
    fn metadata(self, kind: u32) -> Option<Value> {
        let instruction = self.as_instruction_value()?;
        instruction.get_metadata(kind).map(Value::of)
    }

    /// Attaches metadata `!{!"text"}`.
    pub(crate) fn set_metadata_text(self, module: &Module, kind: u32, text: &str) {
        let context = module.context();
        let node = context.metadata_node(&[context.metadata_string(text).into()]);
        self.set_metadata(kind, Some(Value::of(node)));
    }

    /// The text in an instruction's metadata `!{!"text"}` of this kind.
    pub(crate) fn metadata_text(self, kind: u32) -> Option<String> {
        let operand = self.metadata(kind)?.node_operands().into_iter().next()??;
        operand.metadata_string()
    }

    fn set_metadata(self, kind: u32, node: Option<Value>) {
        // inkwell cannot remove metadata.
        let node = node.map_or(std::ptr::null_mut(), |node| node.0);
        unsafe { LLVMSetMetadata(self.0, kind, node) }
    }

    /// Removes all metadata from an instruction except its source position.
    pub(crate) fn remove_other_metadata(self) {
        // Despite its name, LLVM's function lists the source position, which is of kind 0.
        const SOURCE_POSITION: u32 = 0;
        let mut kinds = Vec::new();
        // inkwell does not list metadata.
        unsafe {
            let mut count = 0;
            let entries = LLVMInstructionGetAllMetadataOtherThanDebugLoc(self.0, &mut count);
            for index in 0..u32::try_from(count).unwrap_or(0) {
                kinds.push(LLVMValueMetadataEntriesGetKind(entries, index));
            }
            LLVMDisposeValueMetadataEntries(entries);
        }
        for kind in kinds.into_iter().filter(|kind| *kind != SOURCE_POSITION) {
            self.remove_metadata(kind);
        }
    }

    /// Asks LLVM to unroll fully the loop that this branch closes.
    pub(crate) fn request_unrolling(self, module: &Module) {
        self.advise_loop(module, UNROLL);
    }

    /// Asks LLVM not to unroll the loop that this branch closes.
    pub(crate) fn forbid_unrolling(self, module: &Module) {
        self.advise_loop(module, KEEP);
    }

    /// Whether LLVM is asked not to unroll the loop that this branch closes.
    pub(crate) fn forbids_unrolling(self, module: &Module) -> bool {
        let node = self.metadata(module.metadata_kind(LOOP));
        let wishes = node.map(Value::node_operands).unwrap_or_default();
        wishes.into_iter().flatten().any(|wish| {
            let text = wish.node_operands().first().copied().flatten();
            let text = text.and_then(Value::metadata_string);
            text.is_some_and(|text| text == KEEP)
        })
    }

    fn advise_loop(self, module: &Module, text: &str) {
        let context = module.context();
        let wish = context.metadata_node(&[context.metadata_string(text).into()]);
        // LLVM identifies a loop by a node whose first operand is the node itself. inkwell does not change nodes.
        let node = context.metadata_node(&[wish.into(), wish.into()]);
        unsafe {
            let identity = LLVMValueAsMetadata(node.as_value_ref());
            LLVMReplaceMDNodeOperandWith(node.as_value_ref(), 0, identity);
        }
        self.set_metadata(module.metadata_kind(LOOP), Some(Value::of(node)));
    }

    /// Whether it is a call that carries debug information only.
    pub(crate) fn is_debug_intrinsic(self) -> bool {
        // inkwell does not tell.
        unsafe { !LLVMIsADbgInfoIntrinsic(self.0).is_null() }
    }

    /// For a call that describes a C variable: the values and addresses it names, and the name of the variable.
    pub(crate) fn described_variable(self) -> Option<(Vec<Value>, String)> {
        // `llvm.dbg.assign` has the address of the variable as its fifth operand.
        let described = [0, 4].into_iter().filter_map(|index| self.operand(index));
        let values = described
            .filter_map(|operand| operand.node_operands().into_iter().next()?)
            .collect();
        // Operands of a variable's node: scope, name, file, type, annotations.
        let name = self
            .operand(1)?
            .node_operands()
            .into_iter()
            .nth(1)??
            .metadata_string()?;
        Some((values, name))
    }

    /// For a call that describes a C variable: whether the value that it names is where the variable lies.
    pub(crate) fn describes_place(self) -> bool {
        let expression = self.operand(2).map(Value::print).unwrap_or_default();
        self.callee().name() != "llvm.dbg.value" || expression.contains("DW_OP_deref")
    }

    /// Lets a call that describes a C variable name this address.
    pub(crate) fn describe(self, module: &Module, address: Value) {
        // inkwell takes no metadata as an operand.
        unsafe {
            let address = LLVMValueAsMetadata(address.0);
            let address = LLVMMetadataAsValue(module.context().raw(), address);
            LLVMSetOperand(self.0, 0, address);
        }
    }

    /// Operands of a metadata node (or the value it wraps) that stands as a value.
    pub(crate) fn node_operands(self) -> Vec<Option<Value>> {
        // inkwell's operands of nodes cannot be missing.
        unsafe {
            if LLVMIsAValueAsMetadata(self.0).is_null() && LLVMIsAMDNode(self.0).is_null() {
                return Vec::new();
            }
            let mut raw = vec![std::ptr::null_mut(); LLVMGetMDNodeNumOperands(self.0) as usize];
            LLVMGetMDNodeOperands(self.0, raw.as_mut_ptr());
            raw.into_iter().map(Value::new).collect()
        }
    }

    /// The text, made printable, if it is metadata that is one.
    pub(crate) fn metadata_string(self) -> Option<String> {
        self.metadata_bytes().map(printable)
    }

    /// The bytes of a metadata string.
    pub(crate) fn metadata_bytes(self) -> Option<Vec<u8>> {
        // inkwell asks only what is known to be metadata.
        unsafe {
            if LLVMIsAMDString(self.0).is_null() {
                return None;
            }
            let mut length = 0;
            let start = LLVMGetMDString(self.0, &mut length);
            Some(std::slice::from_raw_parts(start.cast(), length as usize).to_vec())
        }
    }
}

impl Module {
    /// Adds a node to the named metadata of this name.
    pub fn add_named_metadata(&self, name: &str, parts: &[MetadataOperand<'_>]) {
        let operands: Vec<BasicMetadataValueEnum<'_>> = parts
            .iter()
            .map(|part| match part {
                MetadataOperand::Text(text) => self.metadata_text(text).into(),
                MetadataOperand::Number(number) => {
                    let number_type = self.context().i32_type();
                    number_type.const_int((*number).into(), false).into()
                }
            })
            .collect();
        let node = self.context().metadata_node(&operands);
        let added = self.module.add_global_metadata(name, &node);
        added.expect("inkwell refuses only what is no node");
    }

    fn metadata_text(&self, text: &[u8]) -> MetadataValue<'static> {
        let context = self.context().raw();
        // inkwell takes texts in UTF-8 only.
        unsafe {
            let text = LLVMMDStringInContext2(context, text.as_ptr().cast(), text.len());
            MetadataValue::new(LLVMMetadataAsValue(context, text))
        }
    }
}

impl Metadata {
    /// Name of the C function around a scope: blocks lead outwards to it.
    fn enclosing_function(self, module: &Module) -> Option<String> {
        let function = self.blocks_and_function(module)?.pop()?;
        // Operands: file, scope, name, linkage name, ...
        Metadata(function).operand(module, 2)?.metadata_string()
    }

    /// The blocks from this scope outwards, and the function that they lead to.
    fn blocks_and_function(self, module: &Module) -> Option<Vec<LLVMMetadataRef>> {
        let mut scope = self;
        let mut nodes = Vec::new();
        // Scopes form a tree, but unverified input may not: the bound ends the walk in any case.
        for _ in 0..MOST_SCOPES {
            let kind = unsafe { LLVMGetMetadataKind(scope.0) };
            // A part of a block that comes from another file is no block of its own.
            if !matches!(kind, LLVMMetadataKind::LLVMDILexicalBlockFileMetadataKind) {
                nodes.push(scope.0);
            }
            if matches!(kind, LLVMMetadataKind::LLVMDISubprogramMetadataKind) {
                return Some(nodes);
            }
            // Operands of a block: file, scope.
            let around = scope.operand(module, 1)?;
            scope = Metadata(unsafe { LLVMValueAsMetadata(around.0) });
        }
        None
    }

    /// An operand of the node.
    pub(super) fn operand(self, module: &Module, index: usize) -> Option<Value> {
        self.value(module).node_operands().get(index).copied()?
    }

    /// The node as a value.
    pub(super) fn value(self, module: &Module) -> Value {
        Value(unsafe { LLVMMetadataAsValue(module.context().raw(), self.0) })
    }
}

impl DebugPositionId {
    /// What a location says.
    fn of(location: LLVMMetadataRef) -> Self {
        unsafe {
            Self {
                line: LLVMDILocationGetLine(location),
                column: LLVMDILocationGetColumn(location),
                scope: LLVMDILocationGetScope(location),
                call: LLVMDILocationGetInlinedAt(location),
            }
        }
    }
}

impl SourceScope {
    fn of(scope: LLVMMetadataRef, module: &Module) -> Self {
        let function = Metadata(scope).enclosing_function(module);
        Self {
            file: file_text(scope, LLVMDIFileGetFilename),
            directory: file_text(scope, LLVMDIFileGetDirectory),
            function: function.unwrap_or_default(),
        }
    }
}

/// A text of the file that a scope is in.
fn file_text(
    scope: LLVMMetadataRef,
    text: unsafe extern "C" fn(LLVMMetadataRef, *mut u32) -> *const std::ffi::c_char,
) -> String {
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let start = text(file, &mut length);
        if start.is_null() {
            return String::new();
        }
        let bytes = std::slice::from_raw_parts(start.cast(), length as usize);
        printable(bytes)
    }
}
