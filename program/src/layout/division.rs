//! Atomic changes of memory whose result depends on where objects lie. They become a load, an operation and a store in one atomic
//! region, so that addresses can become numbers in between.

use abi::ids::SiteId;

use crate::model::{
    Comparison, Edge, EdgeId, Location, LocationId, LocationKind, Operand, Operation, Register,
    RegisterId, Statement, Template, UpdateOperator, Words,
};

/// Divides an atomic update or a compare-and-swap, which may concern parts of these words. Says whether that can be done: not for
/// updates by a minimum, a maximum and the like.
#[must_use]
pub(super) fn divide(template: &mut Template, id: EdgeId, words: &Words) -> bool {
    let edge = template.edges[id].clone();
    if let Statement::CompareExchange {
        register,
        success,
        address,
        expected,
        desired,
    } = edge.statement
    {
        let written = same_width(template, register);
        let mut region = Region::begin(template, id);
        region.load(register, address, words);
        let equal = Operation::Compare(Comparison::Equal, register.into(), expected);
        region.assign(success, equal);
        // The memory must be writable, whether or not it changes.
        let value = Operation::Select(success.into(), desired, register.into());
        region.assign(written, value);
        region.store(written.into(), address, words);
        region.finish(edge.target);
        true
    } else if let Statement::AtomicRmw {
        register,
        address,
        operator,
        operand,
    } = edge.statement
    {
        let combination = operator.binary();
        if combination.is_none() && operator != UpdateOperator::Exchange {
            return false;
        }
        let written = same_width(template, register);
        let mut region = Region::begin(template, id);
        region.load(register, address, words);
        let value = match combination {
            Some(operator) => Operation::Binary(operator, register.into(), operand),
            None => Operation::Copy(operand),
        };
        region.assign(written, value);
        region.store(written.into(), address, words);
        region.finish(edge.target);
        true
    } else {
        false
    }
}

/// A new register as wide as another one.
fn same_width(template: &mut Template, register: RegisterId) -> RegisterId {
    template
        .registers
        .push(Register::new(template.registers[register].width))
}

/// The statements that take the place of an edge.
struct Region<'a> {
    template: &'a mut Template,
    /// The location behind the last one.
    end: LocationId,
    /// The edge, until the first statement has its number: other edges keep theirs.
    first: Option<EdgeId>,
    site: SiteId,
    /// Whether the edge was in an atomic region already.
    is_inner: bool,
    depth: u32,
}

impl<'a> Region<'a> {
    fn begin(template: &'a mut Template, edge: EdgeId) -> Self {
        let Edge { source, site, .. } = template.edges[edge];
        let depth = template.locations[source].atomic_depth;
        let mut region = Self {
            template,
            end: source,
            first: Some(edge),
            site,
            is_inner: depth > 0,
            depth: depth.max(1),
        };
        if !region.is_inner {
            region.append(Statement::AtomicBegin);
        }
        region
    }

    fn finish(mut self, target: LocationId) {
        let end = match self.is_inner {
            true => Statement::Skip,
            false => Statement::AtomicEnd,
        };
        self.append_to(end, target);
    }

    fn load(&mut self, register: RegisterId, address: Operand, words: &Words) {
        self.append(Statement::Load {
            register,
            address,
            atomic: true,
            words: words.clone(),
        });
    }

    fn store(&mut self, value: Operand, address: Operand, words: &Words) {
        self.append(Statement::Store {
            value,
            address,
            atomic: true,
            words: words.clone(),
        });
    }

    fn assign(&mut self, register: RegisterId, operation: Operation) {
        self.append(Statement::Assign {
            register,
            operation,
        });
    }

    fn append(&mut self, statement: Statement) {
        let target = self
            .template
            .locations
            .push(Location::new(LocationKind::Ordinary, self.depth));
        self.append_to(statement, target);
    }

    fn append_to(&mut self, statement: Statement, target: LocationId) {
        let edge = Edge {
            source: self.end,
            target,
            statement,
            site: self.site,
        };
        match self.first.take() {
            Some(first) => self.template.edges[first] = edge,
            None => {
                self.template.edges.push(edge);
            }
        }
        self.end = target;
    }
}
