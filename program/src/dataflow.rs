//! Liveness: the registers that are live at each location.

use cranelift_entity::{EntityRef, SecondaryMap};

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
        let mut live = SecondaryMap::with_default(RegisterBits::default());
        live.resize(template.locations.len());
        let mut incoming: SecondaryMap<LocationId, Vec<_>> = SecondaryMap::new();
        for (id, edge) in &template.edges {
            incoming[edge.target].push(id);
        }
        let mut before = RegisterBits::default();
        let mut pending: Vec<_> = template.edges.keys().collect();
        while let Some(id) = pending.pop() {
            let edge = &template.edges[id];
            before.0.clone_from(&live[edge.target].0);
            edge.statement
                .for_each_definition(|register| before.remove(register));
            edge.statement
                .for_each_use(|register| before.insert(register));
            if live[edge.source].add_all(&before) {
                pending.extend(&incoming[edge.source]);
            }
        }
        let mut lists = SecondaryMap::with_default(Vec::new());
        lists.resize(template.locations.len());
        for location in template.locations.keys() {
            lists[location] = live[location].to_list();
        }
        Self(lists)
    }

    /// The live registers at a location, in ascending order.
    pub fn at(&self, location: LocationId) -> &[RegisterId] {
        &self.0[location]
    }
}

/// A set of registers: one bit for each, in words, of which the last may be missing.
#[derive(Clone, Debug, Default)]
struct RegisterBits(Vec<u64>);

impl RegisterBits {
    fn insert(&mut self, register: RegisterId) {
        let word = register.index() / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (register.index() % 64);
    }

    fn remove(&mut self, register: RegisterId) {
        if let Some(word) = self.0.get_mut(register.index() / 64) {
            *word &= !(1 << (register.index() % 64));
        }
    }

    /// Adds all of another set; whether one of them is new.
    fn add_all(&mut self, others: &Self) -> bool {
        if self.0.len() < others.0.len() {
            self.0.resize(others.0.len(), 0);
        }
        let mut new = 0;
        for (known, &other) in self.0.iter_mut().zip(&others.0) {
            new |= other & !*known;
            *known |= other;
        }
        new != 0
    }

    /// The registers in ascending order.
    fn to_list(&self) -> Vec<RegisterId> {
        let mut list = Vec::new();
        for (position, &word) in self.0.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                list.push(RegisterId::new(
                    64 * position + left.trailing_zeros() as usize,
                ));
                left &= left - 1;
            }
        }
        list
    }
}
