//! Debug information and other metadata.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::ffi::CStr;

use abi::text::printable;
use llvm_sys::core::*;
use llvm_sys::debuginfo::*;
use llvm_sys::prelude::*;

use super::module::Module;
use super::value::Value;

/// The kind of metadata that advises about loops, and two pieces of advice.
const LOOP: &str = "llvm.loop";
const UNROLL: &CStr = c"llvm.loop.unroll.full";
const KEEP: &CStr = c"llvm.loop.unroll.disable";

/// Source positions in more scopes than this are not followed outwards.
const MOST_SCOPES: usize = 1000;

/// A node of the metadata graph.
#[derive(Clone, Copy)]
pub(crate) struct Metadata(pub(super) LLVMMetadataRef);

/// A block or function in the source. Where one was inlined, it is another scope for each call that it was inlined for.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Scope {
    node: LLVMMetadataRef,
    call: LLVMMetadataRef,
}

/// A source position with its innermost function; the names are printable.
pub(crate) struct SourcePosition {
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub function: String,
}

// SAFETY, for every call below: as in `value`; the kind of every node is tested before it is read.

impl Value {
    /// The node that holds an instruction's source position.
    pub fn debug_location(self) -> Option<Metadata> {
        let raw = unsafe { LLVMInstructionGetDebugLoc(self.0) };
        (!raw.is_null()).then_some(Metadata(raw))
    }

    /// The instruction's source position.
    pub fn position(self, module: &Module) -> Option<SourcePosition> {
        let location = self.debug_location()?;
        unsafe {
            let scope = LLVMDILocationGetScope(location.0);
            Some(SourcePosition {
                file: file_name(scope),
                line: LLVMDILocationGetLine(location.0),
                column: LLVMDILocationGetColumn(location.0),
                function: Metadata(scope)
                    .enclosing_function(module)
                    .unwrap_or_default(),
            })
        }
    }

    /// The blocks and functions around an instruction's source position, from the outermost, which is the function that the
    /// instruction is in, to the innermost; empty if they are not known.
    pub fn scopes(self, module: &Module) -> Vec<Scope> {
        let mut location = self.debug_location();
        let mut scopes = Vec::new();
        while let Some(current) = location {
            let call = unsafe { LLVMDILocationGetInlinedAt(current.0) };
            let innermost = Metadata(unsafe { LLVMDILocationGetScope(current.0) });
            // Calls form no cycle, but those of unverified input may.
            let nodes = innermost.blocks_and_function(module);
            let Some(nodes) = nodes.filter(|_| scopes.len() < MOST_SCOPES) else {
                return Vec::new();
            };
            scopes.extend(nodes.into_iter().map(|node| Scope { node, call }));
            location = (!call.is_null()).then_some(Metadata(call));
        }
        scopes.reverse();
        scopes
    }

    /// The number in an instruction's metadata `!{i32 n}` of this kind.
    pub fn metadata_number(self, kind: u32) -> Option<u32> {
        let node = Value::new(unsafe { LLVMGetMetadata(self.0, kind) })?;
        let operand = node.node_operands().into_iter().next()??;
        u32::try_from(operand.integer()?).ok()
    }

    /// Attaches metadata `!{i32 number}`.
    pub fn set_metadata_number(self, module: &Module, kind: u32, number: u32) {
        unsafe {
            let mut operand = LLVMValueAsMetadata(module.int_type(32).constant(number.into()).0);
            let node = LLVMMDNodeInContext2(module.context(), &mut operand, 1);
            LLVMSetMetadata(self.0, kind, LLVMMetadataAsValue(module.context(), node));
        }
    }

    /// Whether an instruction has metadata of this kind.
    pub fn has_metadata(self, kind: u32) -> bool {
        unsafe { !LLVMGetMetadata(self.0, kind).is_null() }
    }

    /// Removes metadata of one kind from an instruction.
    pub fn remove_metadata(self, kind: u32) {
        unsafe { LLVMSetMetadata(self.0, kind, std::ptr::null_mut()) }
    }

    /// Removes all metadata from an instruction except its source position.
    pub fn remove_other_metadata(self) {
        // Despite its name, LLVM's function lists the source position, which is of kind 0.
        const SOURCE_POSITION: u32 = 0;
        let mut kinds = Vec::new();
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
    pub fn request_unrolling(self, module: &Module) {
        self.advise_loop(module, UNROLL);
    }

    /// Asks LLVM not to unroll the loop that this branch closes.
    pub fn forbid_unrolling(self, module: &Module) {
        self.advise_loop(module, KEEP);
    }

    /// Whether LLVM is asked not to unroll the loop that this branch closes.
    pub fn forbids_unrolling(self, module: &Module) -> bool {
        let node = Value::new(unsafe { LLVMGetMetadata(self.0, module.metadata_kind(LOOP)) });
        let wishes = node.map(Value::node_operands).unwrap_or_default();
        wishes.into_iter().flatten().any(|wish| {
            let text = wish.node_operands().first().copied().flatten();
            let text = text.and_then(Value::metadata_string);
            text.is_some_and(|text| text.as_bytes() == KEEP.to_bytes())
        })
    }

    fn advise_loop(self, module: &Module, text: &CStr) {
        unsafe {
            let context = module.context();
            let mut wish = LLVMMDStringInContext2(context, text.as_ptr(), text.count_bytes());
            let wish = LLVMMDNodeInContext2(context, &mut wish, 1);
            // LLVM identifies a loop by a node whose first operand is the node itself.
            let mut operands = [wish, wish];
            let node = LLVMMDNodeInContext2(context, operands.as_mut_ptr(), 2);
            let identity = LLVMMetadataAsValue(context, node);
            LLVMReplaceMDNodeOperandWith(identity, 0, node);
            LLVMSetMetadata(self.0, module.metadata_kind(LOOP), identity);
        }
    }

    /// Whether it is a call that carries debug information only.
    pub fn is_debug_intrinsic(self) -> bool {
        unsafe { !LLVMIsADbgInfoIntrinsic(self.0).is_null() }
    }

    /// For a call that describes a C variable: the values and addresses it names, and the name of the variable.
    pub fn described_variable(self) -> Option<(Vec<Value>, String)> {
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
    pub fn describes_place(self) -> bool {
        let expression = self.operand(2).map(Value::print).unwrap_or_default();
        self.callee().name() != "llvm.dbg.value" || expression.contains("DW_OP_deref")
    }

    /// Lets a call that describes a C variable name this address.
    pub fn describe(self, module: &Module, address: Value) {
        unsafe {
            let address = LLVMValueAsMetadata(address.0);
            LLVMSetOperand(self.0, 0, LLVMMetadataAsValue(module.context(), address));
        }
    }

    /// Operands of a metadata node (or the value it wraps) that stands as a value.
    pub fn node_operands(self) -> Vec<Option<Value>> {
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
    pub fn metadata_string(self) -> Option<String> {
        self.metadata_bytes().map(printable)
    }

    /// The bytes of a metadata string.
    pub fn metadata_bytes(self) -> Option<Vec<u8>> {
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

    fn operand(self, module: &Module, index: usize) -> Option<Value> {
        let node = Value(unsafe { LLVMMetadataAsValue(module.context(), self.0) });
        node.node_operands().get(index).copied()?
    }
}

fn file_name(scope: LLVMMetadataRef) -> String {
    unsafe {
        let file = LLVMDIScopeGetFile(scope);
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let start = LLVMDIFileGetFilename(file, &mut length);
        if start.is_null() {
            return String::new();
        }
        let bytes = std::slice::from_raw_parts(start.cast(), length as usize);
        printable(bytes)
    }
}
