//! The contents of a module: functions, variables, names, metadata; and the types of its context.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use inkwell::AddressSpace;
use inkwell::module::Linkage;
use llvm_sys::LLVMLinkage;
use llvm_sys::core::*;
use llvm_sys::prelude::*;

use super::handle::{Type, Value};
use super::module::{Module, functions_of, globals_of};
use super::text::c_string;

impl Module {
    /// All functions in order.
    pub fn functions(&self) -> Vec<Value> {
        functions_of(&self.module).collect()
    }

    /// All global variables in order.
    pub(crate) fn globals(&self) -> Vec<Value> {
        globals_of(&self.module).collect()
    }

    /// All aliases, in the order of the module.
    pub(crate) fn aliases(&self) -> Vec<Value> {
        // inkwell has no aliases.
        // SAFETY: the module is alive.
        unsafe {
            successors(LLVMGetFirstGlobalAlias(self.raw()), |alias| {
                LLVMGetNextGlobalAlias(alias)
            })
        }
    }

    /// All functions whose addresses other functions choose while the program is loaded (`ifunc`).
    fn resolved(&self) -> Vec<Value> {
        // inkwell has no such functions.
        // SAFETY: the module is alive.
        unsafe {
            successors(LLVMGetFirstGlobalIFunc(self.raw()), |resolved| {
                LLVMGetNextGlobalIFunc(resolved)
            })
        }
    }

    /// Whether there are functions whose addresses other functions choose while the program is loaded (`ifunc`).
    pub(crate) fn has_resolvers(&self) -> bool {
        !self.resolved().is_empty()
    }

    /// All functions, variables, aliases and functions that are chosen when the program is loaded, in this order.
    pub(crate) fn global_values(&self) -> Vec<Value> {
        [
            self.functions(),
            self.globals(),
            self.aliases(),
            self.resolved(),
        ]
        .concat()
    }

    /// The names by which other modules can refer to parts of this one: of functions, variables, aliases and their like.
    pub(crate) fn symbols(&self) -> Vec<Vec<u8>> {
        let all = self.global_values().into_iter();
        all.map(Value::symbol).collect()
    }

    /// The function of this name.
    pub fn function(&self, name: impl AsRef<[u8]>) -> Option<Value> {
        let name = c_string(name);
        // inkwell takes names in UTF-8 only.
        // SAFETY: the module is alive.
        Value::new(unsafe { LLVMGetNamedFunction(self.raw(), name.as_ptr()) })
    }

    /// The global variable of this name.
    pub(crate) fn global(&self, name: &str) -> Option<Value> {
        self.module.get_global(name).map(Value::of)
    }

    /// Declares a function; the name gets a suffix if it is taken.
    pub(crate) fn declare(&self, name: &str, result: Type, parameters: &[Type]) -> Value {
        self.declare_as(name, Type::function(result, parameters))
    }

    /// Declares a function of this type; the name gets a suffix if it is taken.
    pub fn declare_as(&self, name: &str, function_type: Type) -> Value {
        let function_type = function_type.function_type();
        Value::of(self.module.add_function(name, function_type, None))
    }

    /// The function of this name, declared with the type of `sibling` if it does not exist.
    pub(crate) fn function_or_sibling(&self, name: &[u8], sibling: Value) -> Value {
        self.function(name)
            .unwrap_or_else(|| sibling.declare_sibling(name))
    }

    /// Adds a private constant string and returns its address.
    pub(crate) fn constant_string(&self, text: &str) -> Value {
        let name = format!("mazurka.text.{text}").replace('\0', "");
        if let Some(known) = self.global(&name) {
            return known;
        }
        let bytes = self.context().const_string(text.as_bytes(), true);
        let global = self.module.add_global(bytes.get_type(), None, &name);
        global.set_initializer(&bytes);
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        Value::of(global)
    }

    /// Adds a private constant of so many zero bytes and returns its address.
    pub(crate) fn add_bytes(&self, name: &str, count: u32) -> Value {
        let content = self.context().i8_type().array_type(count);
        let global = self.module.add_global(content, None, name);
        global.set_initializer(&content.const_zero());
        global.set_constant(true);
        global.set_linkage(Linkage::Private);
        Value::of(global)
    }

    /// Adds a variable of static storage that is zero at first, and returns its address.
    pub(crate) fn static_variable(&self, content: Type) -> Value {
        // inkwell has null values of the types that it has.
        // SAFETY: the module is alive, and the first content is of the type of the variable.
        let variable = unsafe { LLVMAddGlobal(self.raw(), content.0, c"".as_ptr()) };
        unsafe { LLVMSetInitializer(variable, content.null().0) };
        unsafe { LLVMSetLinkage(variable, LLVMLinkage::LLVMInternalLinkage) };
        Value(variable)
    }

    /// Whether the module has named metadata of this name.
    pub(crate) fn has_named_metadata(&self, name: &str) -> bool {
        // For inkwell, named metadata without nodes is the same as none.
        // SAFETY: the module is alive and the name is passed with its length.
        unsafe { !LLVMGetNamedMetadata(self.raw(), name.as_ptr().cast(), name.len()).is_null() }
    }

    /// The operands of named metadata, each of which is a node.
    pub(crate) fn named_metadata(&self, name: &str) -> Vec<Value> {
        let nodes = self.module.get_global_metadata(name);
        nodes.into_iter().map(Value::of).collect()
    }

    /// The number of a metadata kind.
    pub fn metadata_kind(&self, name: &str) -> u32 {
        self.context().get_kind_id(name)
    }

    /// The integer type of this width.
    pub fn int_type(&self, width: u32) -> Type {
        // inkwell would have each caller handle widths that LLVM does not have.
        // SAFETY: the context is alive.
        Type(unsafe { LLVMIntTypeInContext(self.context().raw(), width) })
    }

    /// Integers that are as wide as addresses, as sizes are.
    pub fn size_type(&self) -> Type {
        self.int_type(self.data_model().address_bits())
    }

    /// The type of floating-point numbers of 64 bits.
    pub(crate) fn double_type(&self) -> Type {
        Type::of(self.context().f64_type())
    }

    /// The pointer type.
    pub(crate) fn pointer_type(&self) -> Type {
        Type::of(self.context().ptr_type(AddressSpace::default()))
    }

    /// The type of functions without result.
    pub fn void_type(&self) -> Type {
        Type::of(self.context().void_type())
    }
}

fn successors(first: LLVMValueRef, next: impl Fn(LLVMValueRef) -> LLVMValueRef) -> Vec<Value> {
    std::iter::successors(Value::new(first), |value| Value::new(next(value.0))).collect()
}
