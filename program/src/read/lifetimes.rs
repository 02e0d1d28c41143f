//! Which ends of lifetimes matter. The others are dropped: a program without dangling pointers costs nothing then.

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use crate::lifetimes::{ended, over, started};
use crate::model::{
    EdgeId, HeapSite, HeapSiteId, LocalId, LocationId, Operand, Operation, Place, RegisterId,
    Statement, Template,
};

/// Something whose life may end before its thread does: a local, or behind these, what an allocation statement takes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Mortal(u32);
entity_impl!(Mortal);

/// Drops the ends behind which the thread only returns, which ends all lifetimes of locals, and those of what nobody else has the
/// address of and that is accessed, and compared with others, only where it is alive.
pub(super) fn drop_useless_ends(template: &mut Template, sites: &PrimaryMap<HeapSiteId, HeapSite>) {
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
    let addresses = Addresses::new(template, sites);
    let escaping = addresses.dangling(template);
    for edge in template.edges.values_mut() {
        if let Statement::LifetimeEnd { locals } = &mut edge.statement {
            locals.retain(|&local| escaping.contains(Mortal::new(local.index())));
            if locals.is_empty() {
                edge.statement = Statement::Skip;
            }
        } else if let Statement::Free {
            address,
            automatic: true,
        } = edge.statement
            && addresses
                .of(address)
                .into_iter()
                .all(|mortal| !escaping.contains(mortal))
        {
            edge.statement = Statement::Skip;
        }
    }
}

/// The locals whose address may be somewhere else than in registers.
pub(crate) fn escaping(template: &Template) -> Vec<LocalId> {
    let none = PrimaryMap::new();
    let addresses = Addresses::new(template, &none);
    let locals = addresses
        .escaping
        .iter()
        .map(|mortal| LocalId::new(mortal.index()));
    locals.collect()
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
                let ends = matches!(
                    edge.statement,
                    Statement::LifetimeEnd { .. }
                        | Statement::Free {
                            automatic: true,
                            ..
                        }
                );
                let passed = edge.statement.is_private() || ends;
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

/// Which registers hold addresses that are computed from those of locals and memory of the stack, and whose addresses get elsewhere.
struct Addresses<'a> {
    sites: &'a PrimaryMap<HeapSiteId, HeapSite>,
    locals: usize,
    held: SecondaryMap<RegisterId, EntitySet<Mortal>>,
    escaping: EntitySet<Mortal>,
}

impl<'a> Addresses<'a> {
    fn new(template: &Template, sites: &'a PrimaryMap<HeapSiteId, HeapSite>) -> Self {
        let mut addresses = Self {
            sites,
            locals: template.locals.len(),
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

    /// What an operand may point to.
    fn of(&self, operand: Operand) -> Vec<Mortal> {
        match operand {
            Operand::Register(register) => self.held[register].iter().collect(),
            Operand::Address(Place::Local(local), _) => vec![Mortal::new(local.index())],
            Operand::Address(Place::Global(_) | Place::Function(_), _) | Operand::Constant(_) => {
                Vec::new()
            }
        }
    }

    /// What an allocation statement takes from the stack.
    fn taken(&self, site: HeapSiteId) -> Option<Mortal> {
        let is_automatic = self.sites.get(site).is_some_and(|site| site.automatic);
        is_automatic.then(|| Mortal::new(self.locals + site.index()))
    }

    fn started(&self, statement: &Statement) -> Option<Mortal> {
        if let Statement::Allocate { site, .. } = *statement {
            self.taken(site)
        } else {
            started(statement).map(|local| Mortal::new(local.index()))
        }
    }

    fn ended(&self, statement: &Statement) -> Vec<Mortal> {
        if let Statement::Free {
            address,
            automatic: true,
        } = *statement
        {
            self.of(address)
        } else {
            let locals = ended(statement).iter();
            locals.map(|local| Mortal::new(local.index())).collect()
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
        if let Statement::Allocate { register, site, .. } = *statement {
            let taken = self.taken(site);
            changed |= taken.is_some_and(|taken| self.held[register].insert(taken));
        }
        for (register, operand) in moves {
            for mortal in self.of(operand) {
                changed |= self.held[register].insert(mortal);
            }
        }
        changed
    }

    fn escape(&mut self, statement: &Statement) {
        let accessed = accessed(statement);
        let private = statement.is_private()
            || matches!(
                statement,
                Statement::Free {
                    automatic: true,
                    ..
                }
            );
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

    /// Whose addresses a statement may compare with others.
    fn compared(&self, template: &Template, statement: &Statement) -> Vec<Mortal> {
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

    /// What may be accessed, or compared with others, when it is dead, as far as this template tells.
    fn dangling(&self, template: &Template) -> EntitySet<Mortal> {
        let over = over(
            template,
            |statement| self.started(statement),
            |statement| self.ended(statement),
        );
        let mut found = self.escaping.clone();
        for edge in template.edges.values() {
            let accessed = accessed(&edge.statement).map(|address| self.of(address));
            let compared = self.compared(template, &edge.statement);
            let used = accessed.into_iter().flatten().chain(compared);
            found.extend(used.filter(|&mortal| over[edge.source].contains(mortal)));
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
