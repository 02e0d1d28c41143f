//! Calls: the called function, and the use of the result.

use abi::functions::effect;
use abi::text::printable;

use super::reader::{Read, unreadable};
use super::thread::{PathStatus, ThreadReader};
use crate::llvm::Value;
use program::model::{Cast, Operand, Unsupported};

/// Inline assembly in words, on one line.
fn assembly(callee: Value) -> String {
    const SHOWN: usize = 40;
    let text = callee.assembly_text();
    let words = text
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    let words = printable(Vec::from_iter(words).join(&b' '));
    let shown: String = words.chars().take(SHOWN).collect();
    let more = if shown.len() < words.len() { "…" } else { "" };
    format!("inline assembly `{shown}{more}`")
}

impl ThreadReader<'_, '_> {
    pub fn read_call(&mut self, call: Value) -> Read<PathStatus> {
        let callee = call.callee();
        if callee.is_inline_assembly() {
            return unreadable(assembly(callee));
        }
        if !callee.is_function() {
            return unreadable("a call through a pointer");
        }
        let name = callee.name();
        if callee.is_intrinsic() {
            return self.read_intrinsic(call, &name);
        }
        if !callee.is_declaration() {
            let why = match callee.value_type().is_variadic() {
                true => " (variable arguments)",
                false => "",
            };
            return unreadable(format!("call of `{name}`, which cannot be inlined{why}"));
        }
        match effect(&name) {
            Some(effect) => self.read_effect(call, effect, &name),
            None => unreadable(Unsupported::undefined_call(&name)),
        }
    }

    /// One argument as a single operand.
    pub fn argument(&mut self, call: Value, index: u32) -> Read<Operand> {
        if index < call.argument_count() {
            self.operand(call.operand(index))
        } else {
            unreadable(format!(
                "call of `{}` with too few arguments",
                call.callee().name()
            ))
        }
    }

    /// One argument that is as wide as an address: a pointer, a handle or a size.
    pub fn wide_argument(&mut self, call: Value, index: u32) -> Read<Operand> {
        let operand = self.argument(call, index)?;
        let wanted = self.builder.address_bits();
        match self.builder.width(operand) {
            width if width == wanted => Ok(operand),
            // Without a prototype a size may be passed as `int`.
            width if width < wanted => Ok(self.builder.convert(wanted, operand, Cast::SignExtend)),
            _ => unreadable(format!(
                "call of `{}` with this argument",
                call.callee().name()
            )),
        }
    }

    /// Lets the call's value be `result`, in the width that the program declares.
    pub fn define_result(&mut self, call: Value, result: Operand) -> Read<()> {
        if call.value_type_of().is_void() {
            return Ok(());
        }
        let widths = self.widths(call.value_type_of())?;
        let [width] = widths[..] else {
            return unreadable(format!(
                "call of `{}` with this result type",
                call.callee().name()
            ));
        };
        let result = self.builder.resize(width, result);
        self.define(call, vec![result])
    }
}
