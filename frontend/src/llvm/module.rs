//! Owning a module: reading it, checking it, running passes, linking, writing it out.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;

use abi::text::{lines, printable};
use llvm_sys::LLVMLinkage;
use llvm_sys::analysis::{LLVMVerifierFailureAction, LLVMVerifyModule};
use llvm_sys::bit_reader::LLVMParseBitcodeInContext2;
use llvm_sys::bit_writer::LLVMWriteBitcodeToMemoryBuffer;
use llvm_sys::core::*;
use llvm_sys::debuginfo::LLVMStripModuleDebugInfo;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::ir_reader::LLVMParseIRInContext;
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::{LLVMByteOrder, LLVMByteOrdering, LLVMGetModuleDataLayout, LLVMPointerSize};
use llvm_sys::transforms::pass_builder::*;

use super::value::{Type, Value};

/// What LLVM says about input it cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModuleError(pub String);

/// An LLVM module together with the context it lives in.
pub struct Module {
    context: LLVMContextRef,
    module: LLVMModuleRef,
    /// What LLVM reported since the last call; the context's diagnostic handler writes here instead of to stderr.
    diagnostics: Box<RefCell<Vec<String>>>,
}

impl Drop for Module {
    fn drop(&mut self) {
        // SAFETY: both are owned by this value, and the module dies before its context.
        unsafe {
            if !self.module.is_null() {
                LLVMDisposeModule(self.module);
            }
            LLVMContextDispose(self.context);
        }
    }
}

impl Module {
    /// Reads bitcode and runs LLVM's verifier over it.
    pub fn from_bitcode(bytes: &[u8], name: &str) -> Result<Self, ModuleError> {
        let mut module = Self::empty();
        module.module = module.parse_bitcode(bytes, name)?;
        module.verify()?;
        module.refuse_zero_bytes()?;
        Ok(module)
    }

    /// Reads LLVM's textual form and runs LLVM's verifier over it.
    pub fn from_text(text: &[u8], name: &str) -> Result<Self, ModuleError> {
        let mut module = Self::empty();
        let mut message = ptr::null_mut();
        // SAFETY: the context is alive; the parser takes the buffer over.
        let failed = unsafe {
            LLVMParseIRInContext(
                module.context,
                memory_buffer(text, name),
                &mut module.module,
                &mut message,
            ) != 0
        };
        if failed {
            module.module = ptr::null_mut();
            return Err(ModuleError(take_message(message)));
        }
        module.verify()?;
        // LLVM takes bitcode here, too.
        module.refuse_zero_bytes()?;
        Ok(module)
    }

    /// LLVM's textual form cannot have names with zero bytes, but bitcode can, and LLVM's C interface would cut them there: then
    /// one function could be taken for another.
    fn refuse_zero_bytes(&self) -> Result<(), ModuleError> {
        let symbols = self.symbols();
        let broken = symbols.iter().find(|name| name.contains(&0));
        broken.map_or(Ok(()), |name| {
            let name = printable(name);
            Err(ModuleError(format!("the name `{name}` has a zero byte")))
        })
    }

    fn empty() -> Self {
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        // SAFETY: the boxed diagnostics live as long as the context that refers to them.
        let context = unsafe {
            let context = LLVMContextCreate();
            let sink = ptr::from_ref::<RefCell<Vec<String>>>(&diagnostics)
                .cast_mut()
                .cast::<c_void>();
            LLVMContextSetDiagnosticHandler(context, Some(collect_diagnostic), sink);
            context
        };
        Self {
            context,
            module: ptr::null_mut(),
            diagnostics,
        }
    }

    fn parse_bitcode(&self, bytes: &[u8], name: &str) -> Result<LLVMModuleRef, ModuleError> {
        let mut parsed = ptr::null_mut();
        // SAFETY: the context is alive; the eager parser does not keep the buffer, so it is disposed of here.
        let failed = unsafe {
            let buffer = memory_buffer(bytes, name);
            let failed = LLVMParseBitcodeInContext2(self.context, buffer, &mut parsed) != 0;
            LLVMDisposeMemoryBuffer(buffer);
            failed
        };
        if failed {
            Err(self.reported("LLVM gives no reason"))
        } else {
            Ok(parsed)
        }
    }

    /// Takes what LLVM has reported so far as an error.
    fn reported(&self, otherwise: &str) -> ModuleError {
        let messages = std::mem::take(&mut *self.diagnostics.borrow_mut());
        ModuleError(if messages.is_empty() {
            otherwise.to_owned()
        } else {
            messages.join("; ")
        })
    }

    /// LLVM's own well-formedness check.
    pub fn verify(&self) -> Result<(), ModuleError> {
        let mut message = ptr::null_mut();
        // SAFETY: the module is alive.
        let failed = unsafe {
            LLVMVerifyModule(
                self.module,
                LLVMVerifierFailureAction::LLVMReturnStatusAction,
                &mut message,
            ) != 0
        };
        let message = take_message(message);
        if failed {
            Err(ModuleError(message))
        } else {
            Ok(())
        }
    }

    /// Runs a pipeline in the notation of `opt -passes=`.
    pub(crate) fn run_passes(&self, pipeline: &str) -> Result<(), ModuleError> {
        let pipeline = c_string(pipeline);
        // SAFETY: the module is alive; an error value is consumed by taking its message.
        unsafe {
            let options = LLVMCreatePassBuilderOptions();
            let error = LLVMRunPasses(self.module, pipeline.as_ptr(), ptr::null_mut(), options);
            LLVMDisposePassBuilderOptions(options);
            if error.is_null() {
                return Ok(());
            }
            let message = LLVMGetErrorMessage(error);
            let text = lines(CStr::from_ptr(message).to_bytes());
            LLVMDisposeErrorMessage(message);
            Err(ModuleError(text))
        }
    }

    /// Links bitcode in. Of its definitions only those arrive that this module needs and does not define itself.
    pub(crate) fn link_where_needed(&self, bitcode: &[u8], name: &str) -> Result<(), ModuleError> {
        let source = self.parse_bitcode(bitcode, name)?;
        // SAFETY: both modules are alive and in one context; linking consumes the source.
        unsafe {
            LLVMSetDataLayout(source, LLVMGetDataLayoutStr(self.module));
            LLVMSetTarget(source, LLVMGetTarget(self.module));
            for definition in functions_of(source).into_iter().chain(globals_of(source)) {
                if !definition.is_declaration() && !definition.is_local() {
                    definition.set_linkage(LLVMLinkage::LLVMLinkOnceODRLinkage);
                }
            }
            if LLVMLinkModules2(self.module, source) != 0 {
                return Err(self.reported("linking failed"));
            }
        }
        Ok(())
    }

    /// Links in changed copies of this module; `change` gets the number of the copy, its functions and its global
    /// variables. What `change` leaves as strong definitions must have names that are defined nowhere else.
    pub(crate) fn link_changed_copies(
        &self,
        numbers: std::ops::Range<u32>,
        change: impl Fn(u32, &[Value], &[Value]),
    ) -> Result<(), ModuleError> {
        // SAFETY: each copy is alive until linking consumes it. All are made before the first is linked in.
        unsafe {
            let copies: Vec<_> = numbers
                .map(|number| (number, LLVMCloneModule(self.module)))
                .collect();
            for (number, copy) in copies {
                change(number, &functions_of(copy), &globals_of(copy));
                if LLVMLinkModules2(self.module, copy) != 0 {
                    return Err(self.reported("linking failed"));
                }
            }
        }
        Ok(())
    }

    /// The module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        // SAFETY: the buffer is copied before it is disposed of.
        unsafe {
            let buffer = LLVMWriteBitcodeToMemoryBuffer(self.module);
            let bytes = std::slice::from_raw_parts(
                LLVMGetBufferStart(buffer).cast(),
                LLVMGetBufferSize(buffer),
            )
            .to_vec();
            LLVMDisposeMemoryBuffer(buffer);
            bytes
        }
    }

    /// Removes what tells where the program came from and does not matter for its meaning: debug information and file names.
    pub(crate) fn strip_origin(&self) {
        // SAFETY: the module is alive and the texts are passed with their length.
        unsafe {
            LLVMStripModuleDebugInfo(self.module);
            LLVMSetModuleIdentifier(self.module, c"".as_ptr(), 0);
            LLVMSetSourceFileName(self.module, c"".as_ptr(), 0);
        }
    }

    /// Takes from all definitions but `main` what other object files could see of them, and what would put them into places of their
    /// choice: names that a linker sees, sections, and assembly outside of functions.
    pub(crate) fn isolate(&self) {
        let is_kept = |value: &Value| {
            let name = value.name();
            value.is_declaration() || name == "main" || name.starts_with("llvm.")
        };
        let definitions = self.functions().into_iter().chain(self.globals());
        for definition in definitions.filter(|value| !is_kept(value)) {
            definition.set_linkage(LLVMLinkage::LLVMInternalLinkage);
        }
        // SAFETY: the module and its values are alive, and the texts end with a zero or have their length.
        unsafe {
            for value in self.functions().into_iter().chain(self.globals()) {
                if !value.name().starts_with("llvm.") {
                    LLVMSetSection(value.0, c"".as_ptr());
                }
            }
            let mut alias = LLVMGetFirstGlobalAlias(self.module);
            while !alias.is_null() {
                LLVMSetLinkage(alias, LLVMLinkage::LLVMInternalLinkage);
                alias = LLVMGetNextGlobalAlias(alias);
            }
            LLVMSetModuleInlineAsm2(self.module, c"".as_ptr(), 0);
        }
    }

    /// The module in LLVM's textual form.
    pub fn to_text(&self) -> String {
        // SAFETY: the module is alive; the message is owned by the caller.
        take_message(unsafe { LLVMPrintModuleToString(self.module) })
    }

    /// LLVM's handle on the module, for `instrument`, which edits it in place. It is valid as long as `self`.
    pub fn as_raw(&self) -> LLVMModuleRef {
        self.module
    }

    /// LLVM's handle on the context of the module, valid as long as `self`.
    pub fn context(&self) -> LLVMContextRef {
        self.context
    }

    /// Removes assembly outside of the functions; says whether there was more than blank space.
    pub(crate) fn remove_assembly(&self) -> bool {
        let mut length = 0;
        // SAFETY: the module is alive and owns the text, which has the length that LLVM says and is looked at before it is replaced.
        unsafe {
            let start = LLVMGetModuleInlineAsm(self.module, &mut length);
            let text = std::slice::from_raw_parts(start.cast::<u8>(), length);
            let is_blank = text.trim_ascii().is_empty();
            LLVMSetModuleInlineAsm2(self.module, c"".as_ptr(), 0);
            !is_blank
        }
    }

    /// Whether there are functions whose addresses other functions choose while the program is loaded (`ifunc`).
    pub(crate) fn has_resolvers(&self) -> bool {
        // SAFETY: the module is alive.
        unsafe { !LLVMGetFirstGlobalIFunc(self.module).is_null() }
    }

    /// Whether the module has named metadata of this name.
    pub(crate) fn has_named_metadata(&self, name: &str) -> bool {
        // SAFETY: the module is alive and the name is passed with its length.
        unsafe { !LLVMGetNamedMetadata(self.module, name.as_ptr().cast(), name.len()).is_null() }
    }

    /// The operands of named metadata, each of which is a node.
    pub(crate) fn named_metadata(&self, name: &str) -> Vec<Value> {
        let name = c_string(name);
        // SAFETY: the module is alive, the name ends with a zero, and the list has the length that LLVM asks for.
        unsafe {
            let count = LLVMGetNamedMetadataNumOperands(self.module, name.as_ptr());
            let mut operands = vec![std::ptr::null_mut(); count as usize];
            LLVMGetNamedMetadataOperands(self.module, name.as_ptr(), operands.as_mut_ptr());
            operands.into_iter().filter_map(Value::new).collect()
        }
    }

    /// Size of a pointer in bytes and whether the target is little endian.
    pub(crate) fn pointer_layout(&self) -> (u32, bool) {
        // SAFETY: the module is alive and owns its data layout.
        unsafe {
            let layout = LLVMGetModuleDataLayout(self.module);
            (
                LLVMPointerSize(layout),
                LLVMByteOrder(layout) == LLVMByteOrdering::LLVMLittleEndian,
            )
        }
    }

    /// Writes debug information as intrinsic calls (`false`) instead of records, which the C interface cannot walk over.
    pub(crate) fn use_debug_records(&self, records: bool) {
        // SAFETY: the module is alive.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.module, records.into()) }
    }

    /// The names by which other modules can refer to parts of this one: of functions, variables, aliases and their like.
    pub(crate) fn symbols(&self) -> Vec<Vec<u8>> {
        let all = self.global_values().into_iter();
        all.map(Value::symbol).collect()
    }

    /// All aliases, in the order of the module.
    pub(crate) fn aliases(&self) -> Vec<Value> {
        // SAFETY: the module is alive.
        unsafe {
            successors(LLVMGetFirstGlobalAlias(self.module), |alias| {
                LLVMGetNextGlobalAlias(alias)
            })
        }
    }

    /// All functions, variables, aliases and functions that are chosen when the program is loaded, in this order.
    pub(crate) fn global_values(&self) -> Vec<Value> {
        // SAFETY: the module is alive.
        let lists = unsafe {
            [
                functions_of(self.module),
                globals_of(self.module),
                self.aliases(),
                successors(LLVMGetFirstGlobalIFunc(self.module), |resolved| {
                    LLVMGetNextGlobalIFunc(resolved)
                }),
            ]
        };
        lists.concat()
    }

    /// All functions in order.
    pub(crate) fn functions(&self) -> Vec<Value> {
        // SAFETY: the module is alive.
        unsafe { functions_of(self.module) }
    }

    /// All global variables in order.
    pub(crate) fn globals(&self) -> Vec<Value> {
        // SAFETY: the module is alive.
        unsafe { globals_of(self.module) }
    }

    /// The function of this name.
    pub(crate) fn function(&self, name: impl AsRef<[u8]>) -> Option<Value> {
        let name = c_string(name);
        // SAFETY: the module is alive.
        Value::new(unsafe { LLVMGetNamedFunction(self.module, name.as_ptr()) })
    }

    /// The global variable of this name.
    pub(crate) fn global(&self, name: impl AsRef<[u8]>) -> Option<Value> {
        let name = c_string(name);
        // SAFETY: the module is alive.
        Value::new(unsafe { LLVMGetNamedGlobal(self.module, name.as_ptr()) })
    }

    /// Declares a function; the name gets a suffix if it is taken.
    pub(crate) fn declare(&self, name: &str, result: Type, parameters: &[Type]) -> Value {
        self.declare_as(name, Type::function(result, parameters))
    }

    /// Declares a function of this type; the name gets a suffix if it is taken.
    pub(crate) fn declare_as(&self, name: &str, function_type: Type) -> Value {
        let name = c_string(name);
        // SAFETY: the module is alive, the type belongs to its context.
        Value(unsafe { LLVMAddFunction(self.module, name.as_ptr(), function_type.0) })
    }

    /// The function of this name, declared with the type of `sibling` if it does not exist.
    pub(crate) fn function_or_sibling(&self, name: &[u8], sibling: Value) -> Value {
        self.function(name)
            .unwrap_or_else(|| sibling.declare_sibling(name))
    }

    /// Adds a private constant string and returns its address.
    pub(crate) fn constant_string(&self, text: &str) -> Value {
        let name = format!("mazurka.text.{text}").replace('\0', "");
        let name = CString::new(name).unwrap_or_default();
        // SAFETY: the text is passed with its length; the global gets an initialiser of its own type.
        unsafe {
            let known = LLVMGetNamedGlobal(self.module, name.as_ptr());
            if !known.is_null() {
                return Value(known);
            }
            let bytes =
                LLVMConstStringInContext2(self.context, text.as_ptr().cast(), text.len(), 0);
            let global = LLVMAddGlobal(self.module, LLVMTypeOf(bytes), name.as_ptr());
            LLVMSetInitializer(global, bytes);
            LLVMSetGlobalConstant(global, 1);
            LLVMSetLinkage(global, LLVMLinkage::LLVMPrivateLinkage);
            Value(global)
        }
    }

    /// The number of a metadata kind.
    pub(crate) fn metadata_kind(&self, name: &str) -> u32 {
        let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
        // SAFETY: the name is passed with its length.
        unsafe { LLVMGetMDKindIDInContext(self.context, name.as_ptr().cast(), length) }
    }

    /// The integer type of this width.
    pub(crate) fn int_type(&self, width: u32) -> Type {
        // SAFETY: the context is alive.
        Type(unsafe { LLVMIntTypeInContext(self.context, width) })
    }

    /// The pointer type.
    pub(crate) fn pointer_type(&self) -> Type {
        // SAFETY: the context is alive.
        Type(unsafe { LLVMPointerTypeInContext(self.context, 0) })
    }

    /// The type of functions without result.
    pub(crate) fn void_type(&self) -> Type {
        // SAFETY: the context is alive.
        Type(unsafe { LLVMVoidTypeInContext(self.context) })
    }
}

unsafe fn functions_of(module: LLVMModuleRef) -> Vec<Value> {
    // SAFETY: the caller's module is alive.
    unsafe { successors(LLVMGetFirstFunction(module), |f| LLVMGetNextFunction(f)) }
}

unsafe fn globals_of(module: LLVMModuleRef) -> Vec<Value> {
    // SAFETY: the caller's module is alive.
    unsafe { successors(LLVMGetFirstGlobal(module), |g| LLVMGetNextGlobal(g)) }
}

fn successors(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    std::iter::successors(Value::new(first), |value| Value::new(next(value.0))).collect()
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM passes the sink registered with the context, which outlives it, and a valid diagnostic.
    unsafe {
        let sink = &*sink.cast::<RefCell<Vec<String>>>();
        sink.borrow_mut()
            .push(take_message(LLVMGetDiagInfoDescription(info)));
    }
}

/// Copies a message that LLVM hands over, made printable, and frees it.
pub(super) fn take_message(message: *mut c_char) -> String {
    if message.is_null() {
        return String::new();
    }
    // SAFETY: LLVM hands over a zero-terminated string that is freed once, here.
    unsafe {
        let text = lines(CStr::from_ptr(message).to_bytes());
        LLVMDisposeMessage(message);
        text
    }
}

/// A copy of the bytes as LLVM wants to read them (zero-terminated).
unsafe fn memory_buffer(bytes: &[u8], name: &str) -> LLVMMemoryBufferRef {
    let name = c_string(name);
    // SAFETY: LLVM copies the bytes and the name.
    unsafe {
        LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes.as_ptr().cast(), bytes.len(), name.as_ptr())
    }
}

/// A zero-terminated copy; a name with a zero byte inside is cut there.
pub(super) fn c_string(text: impl AsRef<[u8]>) -> CString {
    let text = text.as_ref().split(|byte| *byte == 0).next();
    let text = text.unwrap_or_default();
    CString::new(text).unwrap_or_default()
}
