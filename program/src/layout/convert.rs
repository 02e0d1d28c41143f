//! Inserts the machine numbers of addresses before operations whose result depends on the machine.

use cranelift_entity::SecondaryMap;

use super::address_numbers::AddressNumbers;
use super::coincidence::{Coincidence, Distinctness};
use super::division::divide;
use super::insertion::Insertion;
use super::kept::{found, without_frees};
use super::refusal::refuse;
use super::{opaque, parts, pools};
use crate::address_arithmetic::{
    AddressResult, AddressSet, Moves, Side, ValueBounds, binary, cast, compare, index,
};
use crate::model::{
    Comparison, Edge, EdgeId, Instances, LocationId, ObjectId, Operand, Operation, Program,
    Statement, Template, TemplateId, UpdateOperator, Words,
};
use crate::points_to::PointsTo;
use crate::threads::{Bounds, instantiate};

/// Two runs of each template and two objects of each allocation stand for all: what is the same object there is so always.
const TWO: Bounds = Bounds {
    threads: 2,
    heap: 2,
};

/// What is said of an atomic change that cannot be divided.
const ATOMIC: &str = "atomic arithmetic on an address or a handle";

/// Gives every operation whose result says where objects lie the numbers of its addresses. Reading a program does so.
pub fn convert(program: &mut Program) {
    let mut instances = instantiate(program, &TWO);
    let mut points_to = PointsTo::analyse(program, &instances);
    let looks = found(program, (&instances, &points_to), &TWO, opaque::find);
    if !looks.is_empty() {
        opaque::mark(program, &looks);
        points_to = PointsTo::analyse(program, &instances);
    }
    let parts = found(program, (&instances, &points_to), &TWO, parts::find);
    if !parts.is_empty() {
        parts::mark(program, &parts);
        points_to = PointsTo::analyse(program, &instances);
    }
    if pools::divide(program) {
        instances = instantiate(program, &TWO);
        points_to = PointsTo::analyse(program, &instances);
    }
    let changes = changes(program, &instances, points_to);
    if divide_changes(program, &changes) {
        // Their parts are converted as any other statement.
        convert(program);
        return;
    }
    for (id, changes) in changes {
        let mut refused = Vec::new();
        let template = &mut program.templates[id];
        for (id, edge) in std::mem::take(&mut template.edges) {
            match &changes[id] {
                Change::None => {}
                Change::Divide => refused.push((template.edges.next_key(), ATOMIC)),
                Change::Refuse(what) => refused.push((template.edges.next_key(), *what)),
                Change::Numbers(numbers) => {
                    Insertion::before(template, edge, numbers);
                    continue;
                }
            }
            template.edges.push(edge);
        }
        for (edge, what) in refused {
            refuse(program, id, edge, what);
        }
    }
}

/// Divides all that is to be divided, and says whether there was something.
fn divide_changes(program: &mut Program, changes: &[(TemplateId, Changes)]) -> bool {
    let mut any = false;
    for (id, changes) in changes {
        let template = &mut program.templates[*id];
        let divided = changes
            .keys()
            .filter(|&edge| changes[edge] == Change::Divide);
        for edge in divided.collect::<Vec<_>>() {
            any |= divide(template, edge, &Words::default());
        }
    }
    any
}

/// What is done about an edge.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Change {
    /// Nothing.
    #[default]
    None,
    /// Operands become numbers.
    Numbers(AddressNumbers),
    /// It is divided into statements that can be converted.
    Divide,
    /// It is not supported.
    Refuse(&'static str),
}

type Changes = SecondaryMap<EdgeId, Change>;

fn changes(
    program: &Program,
    instances: &Instances,
    points_to: PointsTo,
) -> Vec<(TemplateId, Changes)> {
    let apart =
        without_frees(program).map(|kept| PointsTo::analyse(&kept, &instantiate(&kept, &TWO)));
    let facts = ConversionFacts {
        instances,
        coincidence: Coincidence::new(program, instances, &points_to),
        points_to,
        apart,
    };
    let mut all = Vec::new();
    for (id, template) in &program.templates {
        let bounds = ValueBounds::new(template);
        let moves = Moves::new(template);
        let mut changes = Changes::new();
        for instance in instances.by_template(id) {
            let view = View {
                facts: &facts,
                bounds: &bounds,
                moves: &moves,
                template,
                instance,
            };
            for (edge, described) in &template.edges {
                changes[edge].join(view.change(described));
            }
        }
        if changes.values().any(|change| *change != Change::None) {
            all.push((id, changes));
        }
    }
    all
}

impl Change {
    /// What does for both.
    fn join(&mut self, other: Self) {
        let all = match (std::mem::take(self), other) {
            (Self::Refuse(what), _) | (_, Self::Refuse(what)) => {
                *self = Self::Refuse(what);
                return;
            }
            (Self::Divide, _) | (_, Self::Divide) => {
                *self = Self::Divide;
                return;
            }
            (Self::None, change) | (change, Self::None) => {
                *self = change;
                return;
            }
            (Self::Numbers(first), Self::Numbers(second)) => first.join(second),
        };
        *self = Self::Numbers(all);
    }
}

struct ConversionFacts<'a> {
    instances: &'a Instances,
    points_to: PointsTo,
    /// The same as if nothing was freed, if anything is.
    apart: Option<PointsTo>,
    coincidence: Coincidence<'a>,
}

/// A template as one thread runs it.
struct View<'a> {
    facts: &'a ConversionFacts<'a>,
    bounds: &'a ValueBounds,
    moves: &'a Moves<'a>,
    template: &'a Template,
    instance: abi::ids::InstanceId,
}

impl View<'_> {
    fn change(&self, edge: &Edge) -> Change {
        let statement = &edge.statement;
        if let Statement::Assign {
            register,
            operation,
        } = statement
        {
            let width = self.template.registers[*register].width;
            let numbers = self.operation(edge.source, operation, width);
            if numbers.of.is_empty() && !numbers.moves {
                Change::None
            } else {
                Change::Numbers(numbers)
            }
        } else if let Statement::AtomicRmw {
            register,
            operator,
            operand,
            ..
        } = *statement
        {
            self.update(Operand::Register(register), operator, operand)
        } else if let Statement::CompareExchange {
            register, expected, ..
        } = *statement
        {
            self.compare_exchange(edge.source, Operand::Register(register), expected)
        } else {
            Change::None
        }
    }

    fn operation(&self, at: LocationId, operation: &Operation, width: u32) -> AddressNumbers {
        let is_whole = |operand| self.template.is_address(operand);
        match *operation {
            Operation::Binary(operator, left, right) if is_whole(left) => {
                let meaning = binary(operator, self.side(left), self.side(right));
                AddressNumbers::new([left, right], meaning)
            }
            Operation::Compare(comparison, left, right) if is_whole(left) => {
                self.compared(at, comparison, [left, right])
            }
            Operation::Cast(change, operand) if is_whole(operand) => {
                let meaning = cast(change, self.side(operand), width);
                AddressNumbers::new([operand; 2], meaning)
            }
            Operation::Offset {
                base, ref indices, ..
            } => {
                let indices = indices.iter().map(|&(operand, _)| operand);
                let indices = indices.filter(|&operand| is_whole(operand));
                let moves = self.side(base).is_address()
                    && self
                        .moves
                        .may_leave(self.bounds, operation, |operand| self.set(operand));
                let numbers = AddressNumbers {
                    moves,
                    ..AddressNumbers::default()
                };
                indices.fold(numbers, |numbers, operand| {
                    numbers.join(AddressNumbers::new([operand; 2], index(self.side(operand))))
                })
            }
            Operation::Copy(_)
            | Operation::Binary(..)
            | Operation::Compare(..)
            | Operation::Cast(..)
            | Operation::Select(..) => AddressNumbers::default(),
        }
    }

    fn compared(
        &self,
        at: LocationId,
        comparison: Comparison,
        [left, right]: [Operand; 2],
    ) -> AddressNumbers {
        let asks_for_equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
        let sets = [left, right].map(|operand| self.set(operand));
        let coincidence = &self.facts.coincidence;
        let distinctness = match asks_for_equality && coincidence.may_be_stale(sets.each_ref()) {
            true => Distinctness::Open,
            false => self.distinctness(at, [left, right], &sets),
        };
        let is_decided = distinctness == Distinctness::Always;
        let sides = self.sides([left, right], &sets);
        let meaning = compare(comparison, sides, is_decided);
        let mut numbers = AddressNumbers::new([left, right], meaning);
        if !numbers.of.is_empty() {
            if !asks_for_equality {
                numbers.are_distinct = distinctness;
            }
            let asks_for_lives =
                asks_for_equality || numbers.are_distinct == Distinctness::WhileAlive;
            let objects = self.objects([left, right]);
            numbers.look_elsewhere =
                asks_for_lives && coincidence.looks_elsewhere((self.instance, at), &objects);
        }
        numbers
    }

    /// What an atomic update writes to memory must be an address of the same object, or no number of one.
    fn update(&self, old: Operand, operator: UpdateOperator, operand: Operand) -> Change {
        if operator == UpdateOperator::Exchange || !self.template.is_address(old) {
            return Change::None;
        }
        let sides = [old, operand].map(|operand| self.side(operand));
        let meaning = match operator.binary() {
            Some(operator) => binary(operator, sides[0], sides[1]),
            None if sides.iter().any(Side::is_address) => {
                return Change::Refuse(ATOMIC);
            }
            None => return Change::None,
        };
        match meaning {
            AddressResult::Moved(..) | AddressResult::Exact => Change::None,
            AddressResult::Computed(_) => Change::Divide,
        }
    }

    /// Where the lives of variables decide, the statement itself asks for them.
    fn compare_exchange(&self, at: LocationId, old: Operand, expected: Operand) -> Change {
        if !self.template.is_address(old) {
            return Change::None;
        }
        let operands = [old, expected];
        let sets = operands.map(|operand| self.set(operand).kept_in_objects());
        let is_decided = self.distinctness(at, operands, &sets) != Distinctness::Open
            && !self.facts.coincidence.may_be_stale(sets.each_ref());
        let sides = self.sides(operands, &sets);
        match compare(Comparison::Equal, sides, is_decided) {
            AddressResult::Moved(..) | AddressResult::Exact => Change::None,
            AddressResult::Computed(_) => Change::Divide,
        }
    }

    /// Whether machines agree on whether two addresses are equal that are compared at a location.
    fn distinctness(
        &self,
        at: LocationId,
        operands: [Operand; 2],
        sets: &[AddressSet; 2],
    ) -> Distinctness {
        let coincidence = &self.facts.coincidence;
        let sides = self.objects(operands);
        coincidence.distinctness((self.instance, at), sets.each_ref(), &sides)
    }

    /// The objects that two operands may be addresses of.
    fn objects(&self, operands: [Operand; 2]) -> [Vec<ObjectId>; 2] {
        let points_to = &self.facts.points_to;
        operands.map(|operand| points_to.possible_objects(self.instance, operand))
    }

    fn set(&self, operand: Operand) -> AddressSet {
        let mut set = self.facts.points_to.set(self.instance, operand);
        if let Some(apart) = &self.facts.apart {
            set.plain &= apart.set(self.instance, operand).plain;
        }
        set
    }

    fn side(&self, operand: Operand) -> Side {
        self.side_with(operand, &self.set(operand))
    }

    fn sides(&self, [left, right]: [Operand; 2], [first, second]: &[AddressSet; 2]) -> [Side; 2] {
        [self.side_with(left, first), self.side_with(right, second)]
    }

    fn side_with(&self, operand: Operand, set: &AddressSet) -> Side {
        let ConversionFacts {
            instances,
            points_to,
            ..
        } = self.facts;
        let bound = self.bounds.of(operand);
        Side::new(instances, operand, set, bound, points_to.is_blind())
    }
}
