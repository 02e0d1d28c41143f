//! The content of locks, semaphores, barriers and condition variables of the library. POSIX does not define this
//! content, and the model has its own layout. If the program loads a value from such an object and does more than copy
//! it, the value is arbitrary, and a violation that depends on the value does not count.

use abi::ids::InstanceId;
use cranelift_entity::EntitySet;

use crate::model::{
    BinaryOperator, Edge, EdgeId, HavocOrigin, Instances, Location, LocationKind, Operand,
    Operation, Program, RegisterId, Statement, Template, TemplateId,
};
use crate::points_to::PointsTo;

/// What verdicts say of such a value.
const CONTENT: &str = "what the library keeps in a lock, semaphore, barrier or condition variable";

/// The loads of the program that look at what the library keeps.
pub(super) fn find(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
) -> Vec<(TemplateId, EdgeId)> {
    let mut found = Vec::new();
    for (id, template) in &program.templates {
        for (edge, described) in &template.edges {
            let Statement::Load { register, .. } = described.statement else {
                continue;
            };
            let is_opaque = |instance: InstanceId| {
                let set = points_to.set(instance, Operand::Register(register));
                set.may_be_opaque()
            };
            let is_of_library = program.library_accesses.contains(&described.site);
            let mut runs = instances.by_template(id);
            if !is_of_library && runs.any(is_opaque) && is_looked_at(program, template, register) {
                found.push((id, edge));
            }
        }
    }
    found
}

/// Whether the program does something else with what a register holds than to store it, whole or in parts.
fn is_looked_at(program: &Program, template: &Template, loaded: RegisterId) -> bool {
    let (mut copies, mut pending) = (EntitySet::new(), vec![loaded]);
    while let Some(register) = pending.pop() {
        if !copies.insert(register) {
            continue;
        }
        for edge in template.edges.values() {
            let mut is_used = false;
            edge.statement
                .for_each_use(|used| is_used |= used == register);
            if !is_used || program.library_accesses.contains(&edge.site) {
                continue;
            }
            if let Statement::Assign {
                register: part,
                operation:
                    Operation::Copy(_)
                    | Operation::Cast(..)
                    | Operation::Binary(
                        BinaryOperator::ShiftLeft
                        | BinaryOperator::LogicalShiftRight
                        | BinaryOperator::Or,
                        ..,
                    ),
            } = edge.statement
            {
                pending.push(part);
            } else if !is_stored(&edge.statement, register) {
                return true;
            }
        }
    }
    false
}

/// Whether a statement, which uses a register, does so to store what it holds, and not for an address.
fn is_stored(statement: &Statement, register: RegisterId) -> bool {
    matches!(*statement, Statement::Store { value, address, .. }
        if value == register.into() && address != register.into())
}

/// Lets these loads give any value.
pub(super) fn mark(program: &mut Program, found: &[(TemplateId, EdgeId)]) {
    for &(id, edge) in found {
        let template = &mut program.templates[id];
        let Edge {
            ref statement,
            target,
            site,
            ..
        } = template.edges[edge];
        let Statement::Load { register, .. } = *statement else {
            continue;
        };
        let depth = template.locations[target].atomic_depth;
        let behind = template
            .locations
            .push(Location::new(LocationKind::Ordinary, depth));
        template.edges[edge].target = behind;
        template.edges.push(Edge {
            source: behind,
            target,
            statement: Statement::Havoc {
                register,
                origin: HavocOrigin::Library,
            },
            site,
        });
        program
            .explanations
            .entry(site)
            .or_insert_with(|| CONTENT.to_owned());
    }
}
