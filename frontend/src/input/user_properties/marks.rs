//! The calls by which a compiled program checks user properties, as marks that its source cannot have.
//!
//! A mark is metadata of the call, so that no function of the program is taken for one, whatever its name. It stays in the bitcode
//! until [`crate::normalize`] makes its meaning explicit.

use std::collections::BTreeSet;

use abi::markers::{USER_PROPERTY, USER_PROPERTY_METADATA, UserPropertyMark};
use inkwell::module::Linkage;

use super::error::UserPropertyError;
use super::insertions::Insertions;
use crate::llvm::{Builder, Module};

impl Insertions {
    /// Turns the calls of a program into marks. Nothing of their names is left.
    ///
    /// # Errors
    /// A property has no call: `compiled` are those whose files were compiled.
    pub fn mark(
        &self,
        module: &Module,
        compiled: &BTreeSet<usize>,
    ) -> Result<(), UserPropertyError> {
        for (number, (property, marker)) in self.properties.iter().zip(&self.markers).enumerate() {
            let name = property.to_string();
            if !compiled.contains(&number) {
                return Err(UserPropertyError::NotCompiled {
                    property: name,
                    path: property.place.file.clone(),
                });
            }
            let what = property.demand.violation();
            replace(module, &marker.begin(), UserPropertyMark::Begins, &what);
            let are_checked = [
                replace(module, &marker.check(), UserPropertyMark::Checks, &what),
                replace(
                    module,
                    &marker.reached(),
                    UserPropertyMark::IsReached,
                    &what,
                ),
            ];
            if !are_checked.contains(&true) {
                return Err(UserPropertyError::NoCode { property: name });
            }
        }
        Ok(())
    }
}

/// Turns the calls of a function into marks, and says whether there is one in code that counts: a body that is only a copy may be
/// left for the function that it is a copy of.
fn replace(module: &Module, name: &str, mark: UserPropertyMark, what: &str) -> bool {
    let Some(function) = module.function(name) else {
        return false;
    };
    let kind = module.metadata_kind(USER_PROPERTY_METADATA);
    let mut counts = false;
    for call in function.users().into_iter().filter(|user| user.is_call()) {
        let arguments = match mark {
            UserPropertyMark::Begins => Vec::new(),
            UserPropertyMark::Checks => call
                .operand(0)
                .into_iter()
                .chain([module.constant_string(what)])
                .collect(),
            UserPropertyMark::IsReached => {
                let never = module.int_type(32).constant(0);
                vec![never, module.constant_string(what)]
            }
        };
        Builder::before(module, call)
            .copy_position(call)
            .call_named(module, USER_PROPERTY, module.void_type(), &arguments)
            .set_metadata_number(module, kind, mark as u32);
        let copy = Linkage::AvailableExternally;
        counts |= call.block().function().linkage() != copy;
        call.erase();
    }
    if function.users().is_empty() {
        function.delete_function();
    }
    counts
}
