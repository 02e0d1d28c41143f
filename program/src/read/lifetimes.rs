//! Which ends of lifetimes matter. The others are dropped: a program without dangling pointers costs nothing then.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::lifetimes::Scopes;
use crate::model::{
    EdgeId, LocalId, LocationId, Operand, Operation, Place, RegisterId, Statement, Template,
};

/// Drops the ends behind which the thread only returns, which ends all lifetimes, and those of locals whose address nobody
/// else has and that are accessed, and compared with others, only where they are alive.
pub(super) fn drop_useless_ends(template: &mut Template) {
    let returning = Returning::new(template);
    let useless: Vec<EdgeId> = template
        .edges
        .iter()
        .filter(|(_, edge)| matches!(edge.statement, Statement::LifetimeEnd { .. }))
        .map(|(id, _)| id)
        .filter(|&id| returning.0[template.edges[id].target])
        .collect();
    for id in useless {
        template.edges[id].statement = Statement::Skip;
    }
    let escaping = Addresses::new(template).dangling(template);
    for edge in template.edges.values_mut() {
        if let Statement::LifetimeEnd { locals } = &mut edge.statement {
            locals.retain(|&local| escaping.contains(local));
            if locals.is_empty() {
                edge.statement = Statement::Skip;
            }
        }
    }
}

/// The locals whose address may be somewhere else than in registers.
pub(super) fn escaping(template: &Template) -> Vec<LocalId> {
    Addresses::new(template).escaping.iter().collect()
}

/// The locations from which a thread returns without doing anything that others notice, and without a choice but that.
struct Returning(SecondaryMap<LocationId, bool>);

impl Returning {
    /// Locations are added while all their edges lead to some that were added before, so cycles are none.
    fn new(template: &Template) -> Self {
        let mut outgoing: SecondaryMap<LocationId, Vec<EdgeId>> = SecondaryMap::new();
        let mut incoming: SecondaryMap<LocationId, Vec<LocationId>> = SecondaryMap::new();
        for (id, edge) in &template.edges {
            outgoing[edge.source].push(id);
            incoming[edge.target].push(edge.source);
        }
        let mut found = Self(SecondaryMap::new());
        let mut pending: Vec<LocationId> = template.locations.keys().collect();
        while let Some(location) = pending.pop() {
            let returns = |&id: &EdgeId| {
                let edge = &template.edges[id];
                let passed = edge.statement.is_private()
                    || matches!(edge.statement, Statement::LifetimeEnd { .. });
                matches!(edge.statement, Statement::Return { .. }) || passed && found.0[edge.target]
            };
            let edges = &outgoing[location];
            if !found.0[location] && !edges.is_empty() && edges.iter().all(returns) {
                found.0[location] = true;
                pending.extend(&incoming[location]);
            }
        }
        found
    }
}

/// Which registers hold addresses that are computed from those of locals, and which locals' addresses get elsewhere.
struct Addresses {
    held: SecondaryMap<RegisterId, EntitySet<LocalId>>,
    escaping: EntitySet<LocalId>,
}

impl Addresses {
    fn new(template: &Template) -> Self {
        let mut addresses = Self {
            held: SecondaryMap::new(),
            escaping: EntitySet::new(),
        };
        let mut changed = true;
        while changed {
            changed = false;
            for edge in template.edges.values() {
                changed |= addresses.flow(&edge.statement);
            }
        }
        for edge in template.edges.values() {
            addresses.escape(&edge.statement);
        }
        addresses
    }

    /// The locals that an operand may point to.
    fn of(&self, operand: Operand) -> Vec<LocalId> {
        match operand {
            Operand::Register(register) => self.held[register].iter().collect(),
            Operand::Address(Place::Local(local), _) => vec![local],
            Operand::Address(Place::Global(_) | Place::Function(_), _) | Operand::Constant(_) => {
                Vec::new()
            }
        }
    }

    /// Lets addresses flow from register to register; whether that is new.
    fn flow(&mut self, statement: &Statement) -> bool {
        let mut moves = Vec::new();
        if let Statement::Assign {
            register,
            operation,
        } = statement
        {
            operation.for_each_operand(|operand| moves.push((*register, operand)));
        } else if let Statement::Parallel(copies) = statement {
            moves.extend(copies);
        }
        let mut changed = false;
        for (register, operand) in moves {
            for local in self.of(operand) {
                changed |= self.held[register].insert(local);
            }
        }
        changed
    }

    fn escape(&mut self, statement: &Statement) {
        let accessed = accessed(statement);
        let private = statement.is_private();
        let mut escaping = Vec::new();
        statement.for_each_operand(|operand| {
            if !private && accessed != Some(operand) {
                escaping.extend(self.of(operand));
            }
        });
        // What is written may be the address itself.
        if let Statement::Store { value, .. }
        | Statement::Update { operand: value, .. }
        | Statement::CompareExchange { desired: value, .. } = statement
        {
            escaping.extend(self.of(*value));
        }
        self.escaping.extend(escaping);
    }

    /// The locals whose addresses a statement may compare with others.
    fn compared(&self, template: &Template, statement: &Statement) -> Vec<LocalId> {
        let sides = if let Statement::Assign {
            operation: Operation::Compare(_, left, right),
            ..
        } = *statement
        {
            [left, right]
        } else {
            return Vec::new();
        };
        let is_number = |side: &Operand| matches!(side, Operand::Constant(_));
        if template.width(sides[0]) != 64 || sides.iter().any(is_number) {
            return Vec::new();
        }
        sides.into_iter().flat_map(|side| self.of(side)).collect()
    }

    /// The locals that may be accessed, or compared with others, when they are dead, as far as this template tells.
    fn dangling(self, template: &Template) -> EntitySet<LocalId> {
        let scopes = Scopes::new(template);
        let mut found = self.escaping.clone();
        for edge in template.edges.values() {
            let accessed = accessed(&edge.statement).map(|address| self.of(address));
            let compared = self.compared(template, &edge.statement);
            let used = accessed.into_iter().flatten().chain(compared);
            found.extend(used.filter(|&local| scopes.may_be_over(edge.source, local)));
        }
        found
    }
}

/// The address that a statement accesses, if it does nothing else with it.
fn accessed(statement: &Statement) -> Option<Operand> {
    if let Statement::Load { address, .. }
    | Statement::Store { address, .. }
    | Statement::Update { address, .. }
    | Statement::CompareExchange { address, .. }
    | Statement::Mutex { mutex: address, .. } = *statement
    {
        Some(address)
    } else {
        None
    }
}
