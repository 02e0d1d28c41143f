//! Liveness: the registers that are live at each location.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::model::{LocationId, Operand, RegisterId, Statement, Template};

impl Template {
    /// The width of an operand in bits.
    pub fn width(&self, operand: Operand) -> u32 {
        match operand {
            Operand::Register(register) => self.registers[register].width,
            Operand::Constant(bits) => bits.width,
            Operand::Address(..) => self.data_model.address_bits(),
        }
    }

    /// Whether an operand is as wide as an address.
    pub fn is_address(&self, operand: Operand) -> bool {
        self.width(operand) == self.data_model.address_bits()
    }

    /// Whether an operand is a register to which only [`Statement::SelfHandle`] gives a value.
    pub fn is_own_handle(&self, operand: Operand) -> bool {
        let Operand::Register(register) = operand else {
            return false;
        };
        // A parameter has a value that no statement gives it.
        !self.parameters.contains(&register)
            && self.edges.values().all(|edge| {
                let mut defines = false;
                edge.statement
                    .for_each_definition(|defined| defines |= defined == register);
                !defines || matches!(edge.statement, Statement::SelfHandle { .. })
            })
    }
}

/// The registers of a template that are live at its locations: read on some path before they are written.
#[derive(Clone, Debug)]
pub struct Liveness(SecondaryMap<LocationId, Vec<RegisterId>>);

impl Liveness {
    /// Computes the least solution backwards along the edges.
    pub fn new(template: &Template) -> Self {
        let mut live: SecondaryMap<LocationId, EntitySet<RegisterId>> = SecondaryMap::new();
        live.resize(template.locations.len());
        let mut incoming: SecondaryMap<LocationId, Vec<_>> = SecondaryMap::new();
        for (id, edge) in &template.edges {
            incoming[edge.target].push(id);
        }
        let mut pending: Vec<_> = template.edges.keys().collect();
        while let Some(id) = pending.pop() {
            let edge = &template.edges[id];
            let mut before = live[edge.target].clone();
            edge.statement.for_each_definition(|register| {
                before.remove(register);
            });
            edge.statement.for_each_use(|register| {
                before.insert(register);
            });
            let known = &mut live[edge.source];
            let new: Vec<_> = before
                .iter()
                .filter(|&register| !known.contains(register))
                .collect();
            if !new.is_empty() {
                known.extend(new);
                pending.extend(&incoming[edge.source]);
            }
        }
        let mut lists = SecondaryMap::with_default(Vec::new());
        lists.resize(template.locations.len());
        for location in template.locations.keys() {
            lists[location] = live[location].iter().collect();
        }
        Self(lists)
    }

    /// The live registers at a location, in ascending order.
    pub fn at(&self, location: LocationId) -> &[RegisterId] {
        &self.0[location]
    }
}
