//! The statements that convert addresses to machine numbers before an operation.

use super::address_numbers::AddressNumbers;
use super::coincidence::Distinctness;
use crate::model::{
    Agreement, Bits, Comparison, Edge, Location, LocationKind, Operand, Operation, Register,
    RegisterId, Statement, Template,
};

/// Statements that come before an edge.
pub(super) struct Insertion<'a> {
    template: &'a mut Template,
    edge: Edge,
}

impl Insertion<'_> {
    /// Adds an edge whose operands become numbers, and what computes these. Where the numbers of different addresses are distinct,
    /// an order of equal numbers is that of the addresses.
    pub(super) fn before(template: &mut Template, edge: Edge, numbers: &AddressNumbers) {
        let (original, end) = (edge.statement.clone(), edge.target);
        let mut insertion = Insertion { template, edge };
        let depth = insertion.depth();
        let is_region = numbers.look_elsewhere && depth == 0;
        if is_region {
            insertion.append_to(Statement::AtomicBegin, depth + 1);
        }
        let mut registers = Vec::new();
        for &(address, unless) in &numbers.of {
            let register = insertion.number(address, unless);
            replace(&mut insertion.edge.statement, address, register.into());
            registers.push(register);
        }
        if numbers.moves {
            insertion.look_at_distance();
        }
        if let &[left, right] = registers.as_slice() {
            match numbers.are_distinct {
                Distinctness::Open => {}
                Distinctness::WhileAlive => {
                    let on_addresses = insertion.while_alive(&numbers.of, original);
                    insertion.break_tie(on_addresses, left, right);
                }
                Distinctness::Always => insertion.break_tie(original, left, right),
            }
        }
        if is_region {
            let statement = std::mem::replace(&mut insertion.edge.statement, Statement::AtomicEnd);
            insertion.append(statement);
            insertion.edge.target = end;
        }
        insertion.template.edges.push(insertion.edge);
    }

    fn number(&mut self, address: Operand, unless: Agreement) -> RegisterId {
        let register = self.register(self.template.data_model.address_bits());
        self.append(Statement::Number {
            register,
            address,
            unless,
        });
        register
    }

    /// Lets the base of an address be a number where the distance leads too far from its object.
    fn look_at_distance(&mut self) {
        let Statement::Assign {
            operation:
                Operation::Offset {
                    base,
                    constant,
                    indices,
                },
            ..
        } = self.edge.statement.clone()
        else {
            return;
        };
        let distance = self.register(self.template.data_model.address_bits());
        self.append(Statement::Assign {
            register: distance,
            operation: Operation::Offset {
                base: Operand::Constant(Bits::new(self.template.data_model.address_bits(), 0)),
                constant,
                indices,
            },
        });
        let number = self.number(base, Agreement::Near(distance.into()));
        if let Statement::Assign {
            operation: Operation::Offset { base, .. },
            ..
        } = &mut self.edge.statement
        {
            *base = number.into();
        }
    }

    /// The operation on two addresses if they are of objects that are alive, else on their numbers.
    fn while_alive(
        &mut self,
        operands: &[(Operand, Agreement)],
        mut operation: Statement,
    ) -> Statement {
        if let &[(left, _), (right, _)] = operands {
            for (address, other) in [(left, right), (right, left)] {
                let register = self.number(address, Agreement::Distinct(other));
                replace(&mut operation, address, register.into());
            }
        }
        operation
    }

    /// Lets the operation be that on the addresses where the numbers are equal.
    fn break_tie(&mut self, on_addresses: Statement, left: RegisterId, right: RegisterId) {
        let equal = self.register(1);
        let operation = Operation::Compare(Comparison::Equal, left.into(), right.into());
        self.append(Statement::Assign {
            register: equal,
            operation,
        });
        let [by_number, by_address] =
            [self.edge.statement.clone(), on_addresses].map(|statement| {
                let register = self.register(1);
                if let Statement::Assign { operation, .. } = statement {
                    self.append(Statement::Assign {
                        register,
                        operation,
                    });
                }
                register
            });
        if let Statement::Assign { operation, .. } = &mut self.edge.statement {
            *operation = Operation::Select(equal.into(), by_address.into(), by_number.into());
        }
    }

    fn register(&mut self, width: u32) -> RegisterId {
        self.template.registers.push(Register::new(width))
    }

    /// In how many atomic regions the operation is.
    fn depth(&self) -> u32 {
        self.template.locations[self.edge.source].atomic_depth
    }

    fn append(&mut self, statement: Statement) {
        self.append_to(statement, self.depth());
    }

    fn append_to(&mut self, statement: Statement, atomic_depth: u32) {
        let target = self
            .template
            .locations
            .push(Location::new(LocationKind::Ordinary, atomic_depth));
        self.template.edges.push(Edge {
            source: self.edge.source,
            target,
            statement,
            site: self.edge.site,
        });
        self.edge.source = target;
    }
}

/// Replaces an operand of an assignment; the base of an address stays.
fn replace(statement: &mut Statement, old: Operand, new: Operand) {
    let Statement::Assign { operation, .. } = statement else {
        return;
    };
    let swap = |operand: &mut Operand| {
        if *operand == old {
            *operand = new;
        }
    };
    match operation {
        Operation::Copy(operand) | Operation::Cast(_, operand) => swap(operand),
        Operation::Binary(_, left, right) | Operation::Compare(_, left, right) => {
            [left, right].into_iter().for_each(swap);
        }
        Operation::Select(condition, yes, no) => [condition, yes, no].into_iter().for_each(swap),
        Operation::Offset { indices, .. } => {
            indices
                .iter_mut()
                .map(|(operand, _)| operand)
                .for_each(swap);
        }
    }
}
