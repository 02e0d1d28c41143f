//! Escape analysis: the registers that hold addresses of locals and of memory of the stack, and which of these
//! addresses escape.

use std::cell::LazyCell;

use cranelift_entity::{EntityRef, EntitySet, PrimaryMap, SecondaryMap, entity_impl};

use super::{ended, over, started};
use crate::dataflow::Liveness;
use crate::model::{
    HeapSite, HeapSiteId, LocalId, Operand, Operation, Place, RegisterId, Statement, Template,
};

/// Something whose life may end before its thread does: a local, or behind these, what an allocation statement takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Mortal(u32);
entity_impl!(Mortal);

/// The locals whose address may be somewhere else than in registers.
pub fn escaping(template: &Template) -> Vec<LocalId> {
    let none = PrimaryMap::new();
    let addresses = Addresses::new(template, &none);
    let locals = addresses
        .escaping
        .iter()
        .map(|mortal| LocalId::new(mortal.index()));
    locals.collect()
}

/// Which registers hold addresses that are computed from those of locals and memory of the stack, and whose addresses get elsewhere.
pub struct Addresses<'a> {
    sites: &'a PrimaryMap<HeapSiteId, HeapSite>,
    locals: usize,
    held: SecondaryMap<RegisterId, EntitySet<Mortal>>,
    escaping: EntitySet<Mortal>,
}

impl<'a> Addresses<'a> {
    /// Analyses a template of a program with these allocation statements.
    pub fn new(template: &Template, sites: &'a PrimaryMap<HeapSiteId, HeapSite>) -> Self {
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
    pub fn of(&self, operand: Operand) -> Vec<Mortal> {
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
        } else if let Statement::ParallelAssign(copies) = statement {
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
        let access = statement.effects().access;
        if let Some(value) = access.and_then(|access| access.written) {
            escaping.extend(self.of(value));
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
        if !template.is_address(sides[0]) || sides.iter().any(is_number) {
            return Vec::new();
        }
        sides.into_iter().flat_map(|side| self.of(side)).collect()
    }

    /// What is taken from the stack again while an address is still held of what the same statement has taken before.
    fn outlived(&self, template: &Template) -> EntitySet<Mortal> {
        let allocations = template.edges.values().filter_map(|edge| {
            let Statement::Allocate { register, site, .. } = edge.statement else {
                return None;
            };
            Some((edge.target, register, self.taken(site)?))
        });
        let live = LazyCell::new(|| Liveness::new(template));
        let mut found = EntitySet::new();
        for (target, register, taken) in allocations {
            let mut others = live.at(target).iter().filter(|&&held| held != register);
            if others.any(|&held| self.held[held].contains(taken)) {
                found.insert(taken);
            }
        }
        found
    }

    /// What may be accessed, or compared with others, when it is dead, as far as this template tells.
    pub fn dangling(&self, template: &Template) -> EntitySet<Mortal> {
        let outlived = self.outlived(template);
        let over = over(
            template,
            |statement| {
                self.started(statement)
                    .filter(|&mortal| !outlived.contains(mortal))
            },
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
    let effects = statement.effects();
    let access = effects.access.filter(|_| effects.thread.is_none());
    access.map(|access| access.address)
}
