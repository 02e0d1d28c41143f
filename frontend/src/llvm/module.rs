//! Owning a module: reading it, checking it, running passes, linking, writing it out.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::cell::RefCell;
use std::ffi::{CStr, c_void};
use std::mem::ManuallyDrop;
use std::ptr;

use abi::text::{lines, printable};
use inkwell::context::{Context, ContextRef};
use inkwell::memory_buffer::MemoryBuffer;
use inkwell::module::{Linkage, Module as InkwellModule};
use inkwell::passes::PassBuilderOptions;
use inkwell::targets::{ByteOrdering, TargetData};
use llvm_sys::bit_reader::LLVMGetBitcodeModuleInContext2;
use llvm_sys::core::*;
use llvm_sys::error::{LLVMDisposeErrorMessage, LLVMGetErrorMessage};
use llvm_sys::linker::LLVMLinkModules2;
use llvm_sys::prelude::*;
use llvm_sys::target::LLVMGetModuleDataLayout;
use llvm_sys::transforms::pass_builder::LLVMRunPasses;

use program::model::DataModel;

use super::handle::Value;
use super::text::{c_string, text};

/// What LLVM says about input it cannot use.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ModuleError(pub String);

/// An LLVM module together with the context it lives in.
///
/// inkwell's module borrows its context. Here one value owns both, so the lifetime is `'static` as far as the compiler is
/// concerned. That is sound because the module does not leave this value and is dropped before the context: fields are dropped in
/// the order in which they are declared.
pub struct Module {
    pub(super) module: InkwellModule<'static>,
    home: Home,
}

/// A context whose diagnostics are collected.
struct Home {
    context: Context,
    /// What LLVM reported since the last call; the context's diagnostic handler writes here instead of to stderr.
    diagnostics: Box<RefCell<Vec<String>>>,
}

impl Home {
    fn new() -> Self {
        let context = Context::create();
        let diagnostics = Box::new(RefCell::new(Vec::new()));
        let sink = ptr::from_ref::<RefCell<Vec<String>>>(&diagnostics)
            .cast_mut()
            .cast::<c_void>();
        // inkwell keeps its way of setting a handler to itself.
        // SAFETY: the boxed diagnostics live longer than the context that refers to them.
        unsafe { LLVMContextSetDiagnosticHandler(context.raw(), Some(collect_diagnostic), sink) };
        Self {
            context,
            diagnostics,
        }
    }

    /// The context, for modules that this value outlives.
    fn context(&self) -> ContextRef<'static> {
        // SAFETY: the context is alive.
        unsafe { ContextRef::new(self.context.raw()) }
    }

    fn parse_bitcode(
        &self,
        bytes: &[u8],
        name: &str,
    ) -> Result<InkwellModule<'static>, ModuleError> {
        let buffer = MemoryBuffer::create_from_memory_range_copy(bytes, name);
        InkwellModule::parse_bitcode_from_buffer(&buffer, self.context()).map_err(|message| {
            self.diagnostics.borrow_mut().push(text(&message));
            self.reported("LLVM gives no reason")
        })
    }

    /// Opens bitcode of which linking reads the bodies of those functions that it needs, and no others.
    fn open_bitcode(
        &self,
        bytes: &[u8],
        name: &str,
    ) -> Result<InkwellModule<'static>, ModuleError> {
        let buffer = ManuallyDrop::new(MemoryBuffer::create_from_memory_range_copy(bytes, name));
        let mut module = ptr::null_mut();
        // inkwell reads all at once.
        // SAFETY: the context is alive; the module owns the buffer, unless this fails.
        unsafe {
            let failed = LLVMGetBitcodeModuleInContext2(
                self.context.raw(),
                buffer.as_mut_ptr(),
                &raw mut module,
            );
            if failed == 0 {
                Ok(InkwellModule::new(module))
            } else {
                drop(ManuallyDrop::into_inner(buffer));
                Err(self.reported("LLVM gives no reason"))
            }
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
}

impl Module {
    /// Reads bitcode and runs LLVM's verifier over it.
    pub fn from_bitcode(bytes: &[u8], name: &str) -> Result<Self, ModuleError> {
        let home = Home::new();
        let module = home.parse_bitcode(bytes, name)?;
        Self { module, home }.checked()
    }

    /// Reads LLVM's textual form, or bitcode, and runs LLVM's verifier over it.
    pub fn from_text(text: &[u8], name: &str) -> Result<Self, ModuleError> {
        let home = Home::new();
        let buffer = MemoryBuffer::create_from_memory_range_copy(text, name);
        let module = home.context().create_module_from_ir(buffer);
        let module = module.map_err(|message| ModuleError(super::text::text(&message)))?;
        Self { module, home }.checked()
    }

    fn checked(self) -> Result<Self, ModuleError> {
        self.verify()?;
        self.refuse_zero_bytes()?;
        Ok(self)
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

    /// LLVM's own well-formedness check.
    pub fn verify(&self) -> Result<(), ModuleError> {
        let verdict = self.module.verify();
        verdict.map_err(|message| ModuleError(text(&message)))
    }

    /// Runs a pipeline in the notation of `opt -passes=`.
    pub(crate) fn run_passes(&self, pipeline: &str) -> Result<(), ModuleError> {
        let pipeline = c_string(pipeline);
        let options = PassBuilderOptions::create();
        // inkwell runs passes only for a target machine, whose costs would change what they do.
        // SAFETY: the module is alive; an error value is consumed by taking its message.
        unsafe {
            let error = LLVMRunPasses(
                self.raw(),
                pipeline.as_ptr(),
                ptr::null_mut(),
                options.as_mut_ptr(),
            );
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
        let source = self.home.open_bitcode(bitcode, name)?;
        source.set_data_layout(&self.module.get_data_layout());
        source.set_triple(&self.module.get_triple());
        for definition in functions_of(&source).chain(globals_of(&source)) {
            if !definition.is_declaration() && !definition.is_local() {
                definition.set_linkage(Linkage::LinkOnceODR);
            }
        }
        self.link(source)
    }

    /// Links in another file of the program, in which nothing is defined that is defined here.
    pub(crate) fn link_file(&self, file: &Self, name: &str) -> Result<(), ModuleError> {
        let source = self.home.parse_bitcode(&file.to_bitcode(), name)?;
        if source.get_data_layout().as_str() != self.module.get_data_layout().as_str() {
            return Err(ModuleError("it is for another target".to_owned()));
        }
        self.link(source)?;
        self.verify()
    }

    /// Links in changed copies of this module; `change` gets the number of the copy, its functions and its global
    /// variables. What `change` leaves as strong definitions must have names that are defined nowhere else.
    pub(crate) fn link_changed_copies(
        &self,
        numbers: impl Iterator<Item = u32>,
        change: impl Fn(u32, &[Value], &[Value]),
    ) -> Result<(), ModuleError> {
        // All are made before the first is linked in.
        let copies: Vec<_> = numbers.map(|number| (number, self.copy())).collect();
        for (number, copy) in copies {
            let functions: Vec<_> = functions_of(&copy).collect();
            let globals: Vec<_> = globals_of(&copy).collect();
            change(number, &functions, &globals);
            self.link(copy)?;
        }
        Ok(())
    }

    fn copy(&self) -> InkwellModule<'static> {
        // inkwell runs LLVM's verifier before it copies, and panics if that finds something.
        // SAFETY: the module is alive, and the copy is in the same context.
        unsafe { InkwellModule::new(LLVMCloneModule(self.raw())) }
    }

    fn link(&self, source: InkwellModule<'static>) -> Result<(), ModuleError> {
        // inkwell replaces the context's diagnostic handler by one that writes to its stack, and leaves it there.
        // SAFETY: both modules are alive and in one context; linking consumes the source.
        let failed = unsafe {
            let source = ManuallyDrop::new(source);
            LLVMLinkModules2(self.raw(), source.as_mut_ptr()) != 0
        };
        if failed {
            Err(self.home.reported("linking failed"))
        } else {
            Ok(())
        }
    }

    /// The module as bitcode.
    pub fn to_bitcode(&self) -> Vec<u8> {
        self.module.write_bitcode_to_memory().as_slice().to_vec()
    }

    /// The module in LLVM's textual form.
    pub fn to_text(&self) -> String {
        text(&self.module.print_to_string())
    }

    /// Removes what tells where the program came from and does not matter for its meaning: debug information and file names.
    pub(crate) fn strip_origin(&self) {
        self.module.strip_debug_info();
        self.module.set_name("");
        self.module.set_source_file_name("");
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
            definition.set_linkage(Linkage::Internal);
        }
        for value in self.functions().into_iter().chain(self.globals()) {
            if !value.name().starts_with("llvm.") {
                value.leave_section();
            }
        }
        for alias in self.aliases() {
            alias.set_linkage(Linkage::Internal);
        }
        self.module.set_inline_assembly("");
    }

    /// Removes assembly outside of the functions; says whether there was more than blank space.
    pub(crate) fn remove_assembly(&self) -> bool {
        let mut length = 0;
        // inkwell sets this text, but does not read it.
        // SAFETY: the module is alive and owns the text, which has the length that LLVM says and is looked at before it is replaced.
        let is_blank = unsafe {
            let start = LLVMGetModuleInlineAsm(self.raw(), &mut length);
            let text = std::slice::from_raw_parts(start.cast::<u8>(), length);
            text.trim_ascii().is_empty()
        };
        self.module.set_inline_assembly("");
        !is_blank
    }

    /// Writes debug information as intrinsic calls (`false`) instead of records, which the C interface cannot walk over.
    pub(crate) fn use_debug_records(&self, records: bool) {
        // inkwell does not have the choice.
        // SAFETY: the module is alive.
        unsafe { LLVMSetIsNewDbgInfoFormat(self.raw(), records.into()) }
    }

    /// The machine that it is for.
    pub(crate) fn triple(&self) -> String {
        printable(self.module.get_triple().as_str().to_bytes())
    }

    /// The data model of the target, if there is one that it can have.
    pub(crate) fn known_data_model(&self) -> Option<DataModel> {
        let layout = self.layout();
        let is_little_endian = layout.get_byte_ordering() == ByteOrdering::LittleEndian;
        let size = layout.get_pointer_byte_size(None);
        let mut known = DataModel::ALL.into_iter();
        // Other machines of 32 bits align and pass values in other ways, and so does x86-64 with addresses of 32 bits.
        let has_library = |model| match model {
            DataModel::Ilp32 => cfg!(target_arch = "x86_64") && self.is_x86_of_32_bits(),
            DataModel::Lp64 => true,
        };
        known.find(|&model| is_little_endian && model.address_bytes() == size && has_library(model))
    }

    fn is_x86_of_32_bits(&self) -> bool {
        let triple = self.triple();
        let architecture = triple.split('-').next().unwrap_or_default();
        matches!(architecture, "i386" | "i486" | "i586" | "i686") && !triple.contains("windows")
    }

    /// The data model of a program that was opened.
    pub(crate) fn data_model(&self) -> DataModel {
        self.known_data_model().unwrap_or_default()
    }

    /// The sizes of types in this module.
    pub(super) fn layout(&self) -> ManuallyDrop<TargetData> {
        // inkwell's `TargetData` owns what it refers to, but this one belongs to the module.
        // SAFETY: the module is alive, and the result is not dropped.
        ManuallyDrop::new(unsafe { TargetData::new(LLVMGetModuleDataLayout(self.raw())) })
    }

    /// The context of the module, which lives as long as the module.
    pub(super) fn context(&self) -> ContextRef<'static> {
        self.home.context()
    }

    /// LLVM's pointer to the module.
    pub(super) fn raw(&self) -> LLVMModuleRef {
        self.module.as_mut_ptr()
    }
}

extern "C" fn collect_diagnostic(info: LLVMDiagnosticInfoRef, sink: *mut c_void) {
    // SAFETY: LLVM passes the sink registered with the context, which outlives it, and a valid diagnostic, whose description is
    // freed here.
    unsafe {
        let description = LLVMGetDiagInfoDescription(info);
        let sink = &*sink.cast::<RefCell<Vec<String>>>();
        sink.borrow_mut()
            .push(lines(CStr::from_ptr(description).to_bytes()));
        LLVMDisposeMessage(description);
    }
}

/// The functions of a module in order.
pub(super) fn functions_of(module: &InkwellModule<'static>) -> impl Iterator<Item = Value> {
    module.get_functions().map(Value::of)
}

/// The global variables of a module in order.
pub(super) fn globals_of(module: &InkwellModule<'static>) -> impl Iterator<Item = Value> {
    module.get_globals().map(Value::of)
}
