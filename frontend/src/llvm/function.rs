//! Functions and global variables.
#![allow(unsafe_code)] // Calls of LLVM's C interface.

use abi::text::printable;
use inkwell::attributes::{Attribute, AttributeLoc};
use inkwell::module::Linkage;
use inkwell::values::{FunctionValue, UnnamedAddress};
use llvm_sys::core::*;
use rustc_hash::FxHashSet;

use super::handle::{Block, Type, Value};
use super::module::Module;
use super::text::c_string;
use super::value::ValueKind;

// SAFETY, for every call below: as in `handle`.

impl Value {
    /// The type of the object it is the address of.
    pub(crate) fn value_type(self) -> Type {
        // inkwell panics on some types.
        Type(unsafe { LLVMGlobalGetValueType(self.0) })
    }

    /// Whether it is defined elsewhere.
    pub(crate) fn is_declaration(self) -> bool {
        self.global().is_declaration()
    }

    /// Whether its name means nothing outside the module.
    pub(crate) fn is_local(self) -> bool {
        matches!(self.linkage(), Linkage::Internal | Linkage::Private)
    }

    /// How its name is resolved.
    pub(crate) fn linkage(self) -> Linkage {
        self.global().get_linkage()
    }

    /// Whether the symbol need not be defined: its address may be null.
    pub(crate) fn may_be_absent(self) -> bool {
        (self.is_function() || self.is_global_variable()) && self.linkage() == Linkage::ExternalWeak
    }

    /// The section that it is put into, made printable; empty if none is named.
    pub(crate) fn section(self) -> String {
        let global = self.global();
        let name = global.get_section();
        printable(name.map_or(&[][..], |name| name.to_bytes()))
    }

    /// Puts it into no section by name.
    pub(crate) fn leave_section(self) {
        self.global().set_section(Some(""))
    }

    /// Sets how its name is resolved.
    pub(crate) fn set_linkage(self, linkage: Linkage) {
        self.global().set_linkage(linkage)
    }

    /// First content of a global variable.
    pub(crate) fn initializer(self) -> Option<Value> {
        // inkwell panics on some types.
        Self::new(unsafe { LLVMGetInitializer(self.0) })
    }

    /// Gives a global variable another first content, of its own type.
    pub(crate) fn set_initializer(self, content: Value) {
        self.global().set_initializer(&content)
    }

    /// Whether each thread has its own copy of the global variable.
    pub(crate) fn is_thread_local(self) -> bool {
        self.global().is_thread_local()
    }

    /// Whether the global variable is constant.
    pub(crate) fn is_constant_global(self) -> bool {
        self.global().is_constant()
    }

    /// Whether the global variable may hold something else than its initialiser says when the program starts.
    pub(crate) fn may_start_otherwise(self) -> bool {
        let elsewhere = self.linkage() == Linkage::AvailableExternally;
        let external = self.global().is_externally_initialized();
        external || elsewhere && !self.is_constant_global()
    }

    /// Whether the address of the global variable means nothing, so that another constant may share it.
    pub(crate) fn is_unnamed(self) -> bool {
        self.global().get_unnamed_address() != UnnamedAddress::None
    }

    /// Lets another constant share the address of the global variable.
    pub(crate) fn make_unnamed(self) {
        self.global().set_unnamed_address(UnnamedAddress::Global)
    }

    /// Lets a function lie at multiples of a power of two; LLVM takes 4 where nothing is said.
    pub(crate) fn set_alignment(self, bytes: u32) {
        self.global().set_alignment(bytes);
    }

    /// What the address of a global or automatic variable is a multiple of; 1 if that is not said.
    pub(crate) fn alignment(self) -> u32 {
        self.global().get_alignment().max(1)
    }

    /// Local variables of a function, and its memory of the stack.
    pub(crate) fn local_variables(self) -> impl Iterator<Item = Value> {
        let body = self.body().into_iter();
        body.filter(|value| value.is_local_variable())
    }

    /// Parameters of a function.
    pub(crate) fn parameters(self) -> Vec<Value> {
        // inkwell panics on some types.
        (0..self.parameter_count())
            .map(|index| Value(unsafe { LLVMGetParam(self.0, index) }))
            .collect()
    }

    fn parameter_count(self) -> u32 {
        self.as_function().map_or(0, FunctionValue::count_params)
    }

    /// The type of the object behind a pointer parameter of which the function gets a copy of its own.
    pub(crate) fn by_value_type(self, parameter: u32) -> Option<Type> {
        self.parameter_type_attribute("byval", parameter)
    }

    /// The type of the object behind a pointer parameter that the function leaves its result in.
    pub(crate) fn result_type(self, parameter: u32) -> Option<Type> {
        self.parameter_type_attribute("sret", parameter)
    }

    fn parameter_type_attribute(self, name: &str, parameter: u32) -> Option<Type> {
        let attribute = self.attribute(AttributeLoc::Param(parameter), name)?;
        // inkwell panics on some types.
        Some(Type(unsafe {
            LLVMGetTypeAttributeValue(attribute.as_mut_ptr())
        }))
    }

    /// What the address in a pointer parameter is a multiple of; 1 if that is not said.
    pub(crate) fn parameter_alignment(self, parameter: u32) -> u32 {
        let attribute = self.attribute(AttributeLoc::Param(parameter), "align");
        attribute.map_or(1, |align| {
            u32::try_from(align.get_enum_value()).unwrap_or(1)
        })
    }

    /// Whether a function has an attribute.
    pub(crate) fn has_attribute(self, name: &str) -> bool {
        self.attribute(AttributeLoc::Function, name).is_some()
    }

    fn attribute(self, place: AttributeLoc, name: &str) -> Option<Attribute> {
        let kind = Attribute::get_named_enum_kind_id(name);
        self.as_function()?.get_enum_attribute(place, kind)
    }

    /// Blocks of a function; the first is the entry.
    pub(crate) fn blocks(self) -> Vec<Block> {
        let function = self.as_function().into_iter();
        let blocks = function.flat_map(FunctionValue::get_basic_block_iter);
        blocks.map(Block).collect()
    }

    /// The reachable blocks of a function, each after all that dominate it.
    pub(crate) fn reverse_post_order(self) -> Vec<Block> {
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
        let mut instructions = Vec::new();
        for block in self.blocks() {
            block.append_instructions(&mut instructions);
        }
        instructions
    }

    /// Appends a block to a function.
    pub(crate) fn append_block(self, module: &Module, name: &str) -> Block {
        Block(module.context().append_basic_block(self.function(), name))
    }

    /// The constants that are addresses of its blocks, each with the block as its second operand.
    pub(crate) fn block_addresses(self) -> Vec<Value> {
        let mut users = self.users();
        users.retain(|user| user.kind() == ValueKind::LLVMBlockAddressValueKind);
        users
    }

    /// A declaration of another name and the same type in the same module.
    pub(crate) fn declare_sibling(self, name: &[u8]) -> Value {
        let name = c_string(name);
        let own_type = self.value_type();
        // inkwell takes names in UTF-8 only.
        Value(unsafe { LLVMAddFunction(LLVMGetGlobalParent(self.0), name.as_ptr(), own_type.0) })
    }

    /// A function of another type that calls call instead, with its body, attributes and debug information. Its parameters become the
    /// first ones of the other. Where its address is used otherwise, a declaration of its own name and type stays.
    pub(crate) fn retyped(self, module: &Module, function_type: Type) -> Value {
        let (old, symbol, parameters) = (self.function(), self.symbol(), self.parameters());
        let new = module.declare_as("", function_type);
        let places = (0..old.count_params()).map(AttributeLoc::Param);
        for place in places.chain([AttributeLoc::Return, AttributeLoc::Function]) {
            for attribute in old.attributes(place) {
                new.function().add_attribute(place, attribute);
            }
        }
        new.set_linkage(self.linkage());
        if let Some(subprogram) = old.get_subprogram() {
            new.function().set_subprogram(subprogram);
        }
        for block in self.blocks() {
            let removed = block.0.remove_from_function();
            removed.expect("the block belongs to the function");
            new.function().append_existing_basic_block(block.0);
        }
        for (parameter, other) in parameters.into_iter().zip(new.parameters()) {
            other.set_name(parameter.symbol());
            parameter.replace_all_uses(other);
        }
        for user in self.users() {
            if user.is_call() && user.callee() == self {
                user.set_callee(new);
            }
        }
        if !self.users().is_empty() {
            self.set_name("");
            self.replace_all_uses(self.declare_sibling(&symbol));
        }
        self.delete_function();
        new.set_name(symbol);
        new
    }

    /// Deletes a global variable that nothing uses.
    pub(crate) fn delete_global(self) {
        unsafe { self.global().delete() }
    }

    /// Deletes a function that nothing uses.
    pub(crate) fn delete_function(self) {
        unsafe { self.function().delete() }
    }

    /// Whether it is an intrinsic function.
    pub(crate) fn is_intrinsic(self) -> bool {
        self.as_function()
            .is_some_and(|function| function.get_intrinsic_id() != 0)
    }

    /// Adds an attribute without value, or with one, to a function or call.
    pub(crate) fn add_attribute(self, module: &Module, name: &str, value: u64) {
        let kind = Attribute::get_named_enum_kind_id(name);
        let attribute = module.context().create_enum_attribute(kind, value);
        match self.as_function() {
            Some(function) => function.add_attribute(AttributeLoc::Function, attribute),
            None => (self.call_site()).add_attribute(AttributeLoc::Function, attribute),
        }
    }

    /// Whether a call has an attribute itself, whatever its function has.
    pub(crate) fn call_has_attribute(self, name: &str) -> bool {
        let kind = Attribute::get_named_enum_kind_id(name);
        let attribute = self
            .call_site()
            .get_enum_attribute(AttributeLoc::Function, kind);
        attribute.is_some()
    }

    /// Whether a function has a string attribute.
    pub(crate) fn has_string_attribute(self, name: &str) -> bool {
        let function = self.function();
        let attribute = function.get_string_attribute(AttributeLoc::Function, name);
        attribute.is_some()
    }

    /// What a string attribute of a function says.
    pub(crate) fn string_attribute(self, name: &str) -> Option<String> {
        let function = self.function();
        let attribute = function.get_string_attribute(AttributeLoc::Function, name)?;
        let value = attribute.get_string_value();
        Some(value.to_string_lossy().into_owned())
    }

    /// Takes a string attribute from a function.
    pub(crate) fn remove_string_attribute(self, name: &str) {
        self.function()
            .remove_string_attribute(AttributeLoc::Function, name);
    }

    /// Adds a string attribute to a function.
    pub(crate) fn add_string_attribute(self, module: &Module, name: &str) {
        let attribute = module.context().create_string_attribute(name, "");
        self.function()
            .add_attribute(AttributeLoc::Function, attribute);
    }

    /// Removes attributes from a function or call, its result and all its parameters.
    pub(crate) fn remove_attributes(self, names: &[&str]) {
        let function = self.as_function();
        let parameters = match function {
            Some(function) => function.count_params(),
            None => self.argument_count(),
        };
        let places = (0..parameters).map(AttributeLoc::Param);
        let places = [AttributeLoc::Return].into_iter().chain(places);
        for place in places.chain([AttributeLoc::Function]) {
            for name in names {
                let kind = Attribute::get_named_enum_kind_id(name);
                match function {
                    Some(function) => function.remove_enum_attribute(place, kind),
                    None => self.call_site().remove_enum_attribute(place, kind),
                }
            }
        }
    }
}
