//! Registers that can share a state variable.
//!
//! Programs in static single assignment form have many registers, of which few are live at any cut point. Two registers of
//! a thread share a state variable if no cut point needs both, they have equal widths, and they hold the same C variable or
//! both none, so that a name still says what a state variable holds.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{LocationId, RegisterId};

use crate::constant_propagation::{ConstantPropagation, Constness};
use crate::context::EncodingContext;
use crate::semantics::path::Variable;

/// For every register that is part of the state, the one whose state variable it uses.
#[derive(Clone, Debug, Default)]
pub struct RegisterCoalescing(BTreeMap<(InstanceId, RegisterId), RegisterId>);

/// Registers that share a state variable.
struct Group {
    first: RegisterId,
    /// Where one of them is live.
    cuts: BTreeSet<LocationId>,
}

impl RegisterCoalescing {
    /// Puts every register into the first group that it fits into.
    pub fn new(context: &EncodingContext<'_>, facts: &ConstantPropagation) -> Self {
        let mut live: BTreeMap<(InstanceId, RegisterId), BTreeSet<LocationId>> = BTreeMap::new();
        for (&(_, cut), knowledge) in &facts.cuts {
            for (&variable, &known) in knowledge {
                if let (Variable::Register(instance, register), Constness::Varying) =
                    (variable, known)
                {
                    live.entry((instance, register)).or_default().insert(cut);
                }
            }
        }
        let mut groups: BTreeMap<_, Vec<Group>> = BTreeMap::new();
        let mut shared = BTreeMap::new();
        for ((instance, register), cuts) in live {
            let properties = &context.template(instance).registers[register];
            let key = (instance, properties.width, &properties.variable);
            let candidates = groups.entry(key).or_default();
            let fitting = candidates
                .iter_mut()
                .find(|group| group.cuts.is_disjoint(&cuts));
            let first = match fitting {
                Some(group) => {
                    group.cuts.extend(cuts);
                    group.first
                }
                None => {
                    let first = register;
                    candidates.push(Group { first, cuts });
                    first
                }
            };
            shared.insert((instance, register), first);
        }
        Self(shared)
    }

    /// The register whose state variable this one uses.
    pub fn representative(&self, instance: InstanceId, register: RegisterId) -> RegisterId {
        let shared = self.0.get(&(instance, register));
        shared.copied().unwrap_or(register)
    }

    /// The state variable of a variable.
    pub fn of(&self, variable: Variable) -> Variable {
        if let Variable::Register(instance, register) = variable {
            Variable::Register(instance, self.representative(instance, register))
        } else {
            variable
        }
    }
}
