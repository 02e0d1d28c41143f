//! The calls by which a compiled program checks user properties, as marks that its source cannot have.
//!
//! A mark is metadata of the call, so that no function of the program is taken for one, whatever its name. It stays in the bitcode
//! until [`crate::normalize`] makes its meaning explicit.

use std::collections::BTreeSet;

use abi::markers::{USER_PROPERTY, USER_PROPERTY_METADATA, UserPropertyMark};

use super::error::UserPropertyError;
use super::insertions::Insertions;
use crate::llvm::{Builder, Module, Value};

impl Insertions {
    /// Turns the calls of a program into marks.
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
            let mut found = false;
            for call in calls(module, &marker.begin()) {
                mark(module, call, UserPropertyMark::Begins);
            }
            for call in calls(module, &marker.check()) {
                let condition = call.operand(0);
                replace(module, call, condition, (UserPropertyMark::Checks, &what));
                found = true;
            }
            for call in calls(module, &marker.reached()) {
                replace(module, call, None, (UserPropertyMark::IsReached, &what));
                found = true;
            }
            if !found {
                return Err(UserPropertyError::NoCode { property: name });
            }
        }
        Ok(())
    }
}

/// The calls of a function.
fn calls(module: &Module, name: &str) -> Vec<Value> {
    let users = module.function(name).map_or_else(Vec::new, Value::users);
    users.into_iter().filter(|user| user.is_call()).collect()
}

/// Puts a call with the words of a verdict in the place of another.
fn replace(
    module: &Module,
    call: Value,
    condition: Option<Value>,
    (kind, what): (UserPropertyMark, &str),
) {
    let condition = condition.unwrap_or_else(|| module.int_type(32).constant(0));
    let what = module.constant_string(what);
    let marked = Builder::before(module, call)
        .copy_position(call)
        .call_named(
            module,
            USER_PROPERTY,
            module.void_type(),
            &[condition, what],
        );
    mark(module, marked, kind);
    call.erase();
}

fn mark(module: &Module, call: Value, kind: UserPropertyMark) {
    let metadata = module.metadata_kind(USER_PROPERTY_METADATA);
    call.set_metadata_number(module, metadata, kind as u32);
}
