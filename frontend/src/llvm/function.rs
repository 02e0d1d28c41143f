//! Functions and global variables.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use std::ffi::CStr;

use abi::text::printable;
use llvm_sys::core::*;
use llvm_sys::{LLVMLinkage, LLVMUnnamedAddr};
use rustc_hash::FxHashSet;

use super::module::{Module, c_string};
use super::value::{Block, Type, Value};

// SAFETY, for every call below: as in `value`.

impl Value {
    /// The type of the object it is the address of.
    pub fn value_type(self) -> Type {
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Whether it is defined elsewhere.
    pub fn is_declaration(self) -> bool {
        unsafe { LLVMIsDeclaration(self.0) != 0 }
    }

    /// Whether its name means nothing outside the module.
    pub fn is_local(self) -> bool {
        matches!(
            self.linkage(),
            LLVMLinkage::LLVMInternalLinkage | LLVMLinkage::LLVMPrivateLinkage
        )
    }

    /// How its name is resolved.
    pub fn linkage(self) -> LLVMLinkage {
        unsafe { LLVMGetLinkage(self.0) }
    }

    /// Whether it is a symbol that nobody need define: its address may be null.
    pub fn may_be_absent(self) -> bool {
        (self.is_function() || self.is_global_variable())
            && self.linkage() == LLVMLinkage::LLVMExternalWeakLinkage
    }

    /// The section that it is put into, made printable; empty if none is named.
    pub fn section(self) -> String {
        let name = unsafe { LLVMGetSection(self.0) };
        if name.is_null() {
            return String::new();
        }
        printable(unsafe { CStr::from_ptr(name) }.to_bytes())
    }

    /// Puts it into no section by name.
    pub fn leave_section(self) {
        unsafe { LLVMSetSection(self.0, c"".as_ptr()) }
    }

    /// Sets how its name is resolved.
    pub fn set_linkage(self, linkage: LLVMLinkage) {
        unsafe { LLVMSetLinkage(self.0, linkage) }
    }

    /// First content of a global variable.
    pub fn initializer(self) -> Option<Value> {
        Self::new(unsafe { LLVMGetInitializer(self.0) })
    }

    /// Gives a global variable another first content, of its own type.
    pub fn set_initializer(self, content: Value) {
        unsafe { LLVMSetInitializer(self.0, content.0) }
    }

    /// Whether each thread has its own copy of the global variable.
    pub fn is_thread_local(self) -> bool {
        unsafe { LLVMIsThreadLocal(self.0) != 0 }
    }

    /// Whether the global variable is constant.
    pub fn is_constant_global(self) -> bool {
        unsafe { LLVMIsGlobalConstant(self.0) != 0 }
    }

    /// Whether the global variable may hold something else than its initialiser says when the program starts.
    pub fn may_start_otherwise(self) -> bool {
        let elsewhere = self.linkage() == LLVMLinkage::LLVMAvailableExternallyLinkage;
        let external = unsafe { LLVMIsExternallyInitialized(self.0) != 0 };
        external || elsewhere && !self.is_constant_global()
    }

    /// Whether the address of the global variable means nothing, so that another constant may share it.
    pub fn is_unnamed(self) -> bool {
        unsafe { LLVMGetUnnamedAddress(self.0) != LLVMUnnamedAddr::LLVMNoUnnamedAddr }
    }

    /// Lets another constant share the address of the global variable.
    pub fn make_unnamed(self) {
        unsafe { LLVMSetUnnamedAddress(self.0, LLVMUnnamedAddr::LLVMGlobalUnnamedAddr) }
    }

    /// What the address of a global or automatic variable is a multiple of; 1 if that is not said.
    pub fn alignment(self) -> u32 {
        unsafe { LLVMGetAlignment(self.0) }.max(1)
    }

    /// Parameters of a function.
    pub fn parameters(self) -> Vec<Value> {
        (0..unsafe { LLVMCountParams(self.0) })
            .map(|index| Value(unsafe { LLVMGetParam(self.0, index) }))
            .collect()
    }

    /// The type of the object behind a pointer parameter of which the function gets a copy of its own.
    pub fn by_value_type(self, parameter: u32) -> Option<Type> {
        self.parameter_type_attribute("byval", parameter)
    }

    /// The type of the object behind a pointer parameter that the function leaves its result in.
    pub fn result_type(self, parameter: u32) -> Option<Type> {
        self.parameter_type_attribute("sret", parameter)
    }

    fn parameter_type_attribute(self, name: &str, parameter: u32) -> Option<Type> {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind);
            (!attribute.is_null()).then(|| Type(LLVMGetTypeAttributeValue(attribute)))
        }
    }

    /// What the address in a pointer parameter is a multiple of; 1 if that is not said.
    pub fn parameter_alignment(self, parameter: u32) -> u32 {
        const NAME: &str = "align";
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(NAME.as_ptr().cast(), NAME.len());
            let attribute = LLVMGetEnumAttributeAtIndex(self.0, parameter + 1, kind);
            if attribute.is_null() {
                return 1;
            }
            u32::try_from(LLVMGetEnumAttributeValue(attribute)).unwrap_or(1)
        }
    }

    /// Whether a function has an attribute.
    pub fn has_attribute(self, name: &str) -> bool {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let index = llvm_sys::LLVMAttributeFunctionIndex;
            !LLVMGetEnumAttributeAtIndex(self.0, index, kind).is_null()
        }
    }

    /// Blocks of a function; the first is the entry.
    pub fn blocks(self) -> Vec<Block> {
        std::iter::successors(
            Block::new(unsafe { LLVMGetFirstBasicBlock(self.0) }),
            |block| Block::new(unsafe { LLVMGetNextBasicBlock(block.0) }),
        )
        .collect()
    }

    /// The reachable blocks of a function, each after all that dominate it.
    pub fn reverse_post_order(self) -> Vec<Block> {
        let mut order = Vec::new();
        let mut seen = FxHashSet::default();
        let entry = self.blocks().first().copied();
        let mut pending: Vec<(Block, bool)> =
            entry.map(|entry| (entry, false)).into_iter().collect();
        while let Some((block, done)) = pending.pop() {
            if done {
                order.push(block);
            } else if seen.insert(block) {
                pending.push((block, true));
                let successors = block
                    .terminator()
                    .map(Value::successors)
                    .unwrap_or_default();
                pending.extend(successors.into_iter().rev().map(|next| (next, false)));
            }
        }
        order.reverse();
        order
    }

    /// All instructions of a function in order.
    pub fn body(self) -> Vec<Value> {
        self.blocks()
            .into_iter()
            .flat_map(Block::instructions)
            .collect()
    }

    /// Appends a block to a function.
    pub fn append_block(self, module: &Module, name: &str) -> Block {
        let name = c_string(name);
        Block(unsafe { LLVMAppendBasicBlockInContext(module.context(), self.0, name.as_ptr()) })
    }

    /// A declaration of another name and the same type in the same module.
    pub fn declare_sibling(self, name: &[u8]) -> Value {
        let name = c_string(name);
        Value(unsafe {
            LLVMAddFunction(
                LLVMGetGlobalParent(self.0),
                name.as_ptr(),
                self.value_type().0,
            )
        })
    }

    /// Deletes a global variable that nothing uses.
    pub fn delete_global(self) {
        unsafe { LLVMDeleteGlobal(self.0) }
    }

    /// Deletes a function that nothing uses.
    pub fn delete_function(self) {
        unsafe { LLVMDeleteFunction(self.0) }
    }

    /// Whether it is an intrinsic function.
    pub fn is_intrinsic(self) -> bool {
        self.is_function() && unsafe { LLVMGetIntrinsicID(self.0) } != 0
    }

    /// Adds an attribute without value, or with one, to a function.
    pub fn add_attribute(self, module: &Module, name: &str, value: u64) {
        unsafe {
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            let attribute = LLVMCreateEnumAttribute(module.context(), kind, value);
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Adds a string attribute to a function.
    pub fn add_string_attribute(self, module: &Module, name: &str) {
        unsafe {
            let length = u32::try_from(name.len()).unwrap_or(u32::MAX);
            let attribute = LLVMCreateStringAttribute(
                module.context(),
                name.as_ptr().cast(),
                length,
                c"".as_ptr(),
                0,
            );
            LLVMAddAttributeAtIndex(self.0, llvm_sys::LLVMAttributeFunctionIndex, attribute);
        }
    }

    /// Removes attributes from a function or call, its result and all its parameters.
    pub fn remove_attributes(self, names: &[&str]) {
        let call = !self.is_function();
        let parameters = if call {
            self.argument_count()
        } else {
            unsafe { LLVMCountParams(self.0) }
        };
        for index in (0..=parameters).chain([llvm_sys::LLVMAttributeFunctionIndex]) {
            for name in names {
                unsafe {
                    let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
                    if call {
                        LLVMRemoveCallSiteEnumAttribute(self.0, index, kind);
                    } else {
                        LLVMRemoveEnumAttributeAtIndex(self.0, index, kind);
                    }
                }
            }
        }
    }
}
