//! Statements as C-like text.

use std::collections::BTreeSet;

use crate::model::{
    AddressSource, Agreement, BinaryOperator, Bits, Cast, Comparison, ConflictTest, FutureAccess,
    HavocOrigin, LeakSearch, LocationId, MutexOperation, Operand, Operation, Place, Program,
    RegisterId, Statement, Template, TemplateId, UpdateOperator, Words,
};

/// The address of a place, by its name.
pub(super) fn address(
    program: &Program,
    template: Option<&Template>,
    place: Place,
    offset: u32,
) -> String {
    let name = match (place, template) {
        (Place::Global(global), _) => program.globals[global].name.clone(),
        (Place::Function(function), _) => program.functions[function].name.clone(),
        (Place::Local(local), Some(template)) => template.locals[local].name.clone(),
        (Place::Local(local), None) => local.to_string(),
    };
    if offset == 0 {
        format!("&{name}")
    } else {
        format!("&{name} + {offset}")
    }
}

fn places(
    template: TemplateId,
    locations: &BTreeSet<LocationId>,
) -> impl Iterator<Item = String> + '_ {
    locations
        .iter()
        .map(move |location| format!("{template}.{location}"))
}

/// Prints the statements of a template.
pub(super) struct Printer<'a> {
    pub(super) program: &'a Program,
    pub(super) template: &'a Template,
}

impl Printer<'_> {
    fn operand(&self, operand: Operand) -> String {
        match operand {
            Operand::Register(register) => self.register(register),
            Operand::Constant(Bits { width: 1, value }) => (value != 0).to_string(),
            Operand::Constant(bits) => bits.signed().to_string(),
            Operand::Address(place, offset) => {
                address(self.program, Some(self.template), place, offset)
            }
        }
    }

    fn register(&self, register: RegisterId) -> String {
        match &self.template.registers[register].variable {
            Some(variable) => format!("{register}.{variable}"),
            None => register.to_string(),
        }
    }

    fn test(&self, test: &ConflictTest) -> String {
        match test {
            ConflictTest::CanReach(locations) => {
                let places = locations
                    .iter()
                    .flat_map(|(&template, locations)| places(template, locations));
                format!("others at {}", places.collect::<Vec<_>>().join(" "))
            }
            ConflictTest::Unstarted(templates) => {
                let templates = templates.iter().map(|id| &self.program.templates[*id].name);
                let templates: Vec<&str> = templates.map(String::as_str).collect();
                format!("others not started: {}", templates.join(" "))
            }
            ConflictTest::MayAlias {
                address,
                size,
                accesses,
            } => {
                let address = self.operand(*address);
                format!(
                    "others may access {size} at {address}: {}",
                    self.accesses(accesses)
                )
            }
            ConflictTest::MayLockOther { address, accesses } => {
                let address = self.operand(*address);
                format!(
                    "others may lock other than {address}: {}",
                    self.accesses(accesses)
                )
            }
            ConflictTest::CellHolds { address, values } => {
                let values: Vec<String> = values
                    .iter()
                    .map(|&value| self.operand(Operand::Constant(value)))
                    .collect();
                format!("{} holds {}", self.operand(*address), values.join(" "))
            }
        }
    }

    fn accesses(&self, accesses: &[FutureAccess]) -> String {
        let accesses: Vec<String> = accesses.iter().map(|access| self.access(access)).collect();
        accesses.join("; ")
    }

    fn access(&self, access: &FutureAccess) -> String {
        let other = Printer {
            program: self.program,
            template: &self.program.templates[access.template],
        };
        let base = match access.pointer {
            AddressSource::Operand(operand) => other.operand(operand),
            AddressSource::Cell(global, at) => {
                format!(
                    "*({})",
                    address(self.program, None, Place::Global(global), at)
                )
            }
        };
        let places: Vec<String> = places(access.template, &access.locations).collect();
        let (size, offset) = (access.size, access.offset as i64);
        format!("{size} at {base} + {offset} from {}", places.join(" "))
    }

    /// The register that is written, with its width.
    fn target(&self, register: RegisterId) -> String {
        format!(
            "{}:{}",
            self.register(register),
            self.template.registers[register].width
        )
    }

    pub(super) fn statement(&self, statement: &Statement) -> String {
        let show = |operand| self.operand(operand);
        let order = |atomic| if atomic { "atomic " } else { "" };
        let of_numbers = |words: &Words| if words.is_empty() { "" } else { " of numbers" };
        match *statement {
            Statement::Skip => "skip".to_owned(),
            Statement::Guard {
                condition,
                holds: true,
            } => format!("[{}]", show(condition)),
            Statement::Guard {
                condition,
                holds: false,
            } => format!("[!{}]", show(condition)),
            Statement::Assign {
                register,
                ref operation,
            } => {
                format!("{} = {}", self.target(register), self.operation(operation))
            }
            Statement::ParallelAssign(ref moves) => {
                let (registers, values): (Vec<_>, Vec<_>) = moves
                    .iter()
                    .map(|&(register, value)| (self.target(register), show(value)))
                    .unzip();
                format!("{} = {}", registers.join(", "), values.join(", "))
            }
            Statement::Havoc { register, origin } => {
                let origin = match origin {
                    HavocOrigin::Input => "input",
                    HavocOrigin::External => "external",
                    HavocOrigin::Undefined => "undefined",
                    HavocOrigin::Library => "library",
                    HavocOrigin::Watch => "watch",
                };
                format!("{} = {origin}()", self.target(register))
            }
            Statement::Load {
                register,
                address,
                atomic,
                ref words,
            } => {
                format!(
                    "{} = {}*({}){}",
                    self.target(register),
                    order(atomic),
                    show(address),
                    of_numbers(words)
                )
            }
            Statement::Store {
                value,
                address,
                atomic,
                ref words,
            } => {
                format!(
                    "{}*({}) = {}:{}{}",
                    order(atomic),
                    show(address),
                    show(value),
                    self.template.width(value),
                    of_numbers(words)
                )
            }
            Statement::AtomicRmw {
                register,
                address,
                operator,
                operand,
            } => {
                let name = update(operator);
                format!(
                    "{} = atomic_{name}({}, {})",
                    self.target(register),
                    show(address),
                    show(operand)
                )
            }
            Statement::CompareExchange {
                register,
                success,
                address,
                expected,
                desired,
            } => format!(
                "{}, {} = compare_exchange({}, {}, {})",
                self.target(register),
                self.target(success),
                show(address),
                show(expected),
                show(desired)
            ),
            Statement::LifetimeStart { local } => {
                format!("lifetime_start({})", self.template.locals[local].name)
            }
            Statement::LifetimeEnd { ref locals } => {
                let names = locals
                    .iter()
                    .map(|&local| &*self.template.locals[local].name);
                format!("lifetime_end({})", names.collect::<Vec<_>>().join(", "))
            }
            Statement::Allocate {
                register,
                site,
                size,
                zeroed,
            } => {
                let name = if zeroed { "calloc" } else { "malloc" };
                format!(
                    "{} = {name}({}) from {site}",
                    self.target(register),
                    show(size)
                )
            }
            Statement::Free {
                address,
                automatic: false,
            } => format!("free({})", show(address)),
            Statement::Free {
                address,
                automatic: true,
            } => format!("end of {}", show(address)),
            Statement::Size { register, address } => {
                format!("{} = size of {}", self.target(register), show(address))
            }
            Statement::Create {
                register,
                start,
                argument,
            } => format!(
                "{} = create({}, {})",
                self.target(register),
                show(start),
                show(argument)
            ),
            Statement::Join {
                register,
                thread,
                value,
            } => {
                format!(
                    "{} = join({}, {})",
                    self.target(register),
                    show(thread),
                    show(value)
                )
            }
            Statement::Detach { thread } => format!("detach({})", show(thread)),
            Statement::SelfHandle { register } => format!("{} = self()", self.target(register)),
            Statement::SelfNumber { register } => {
                format!("{} = number of self()", self.target(register))
            }
            Statement::FindLeak(LeakSearch::Certain) => "leaks".to_owned(),
            Statement::FindLeak(LeakSearch::Hidden) => "leaks, unless hidden".to_owned(),
            Statement::FindLeak(LeakSearch::Beside) => "leaks, unless others know".to_owned(),
            Statement::FindLeak(LeakSearch::Any) => "leaks, unless a variable knows".to_owned(),
            Statement::NumberOfThread { register, thread } => {
                format!("{} = number of {}", self.target(register), show(thread))
            }
            Statement::Number {
                register,
                address,
                unless,
            } => {
                let unless = match unless {
                    Agreement::Never => String::new(),
                    Agreement::SameObject(other) => format!(" unless with {}", show(other)),
                    Agreement::Distinct(other) => format!(" unless distinct from {}", show(other)),
                    Agreement::Small(other) => format!(" unless {} is small", show(other)),
                    Agreement::Near(distance) => format!(" unless {} is near", show(distance)),
                };
                format!(
                    "{} = number({}){unless}",
                    self.target(register),
                    show(address)
                )
            }
            Statement::TestConflicts {
                register,
                known,
                ref tests,
            } => {
                let tests = tests.iter().map(|test| self.test(test));
                let all: Vec<String> = [show(known)].into_iter().chain(tests).collect();
                format!("{} = {}", self.target(register), all.join(" or "))
            }
            Statement::Mutex {
                operation,
                register,
                mutex,
            } => {
                let name = match operation {
                    MutexOperation::Lock => "lock",
                    MutexOperation::TryLock => "trylock",
                    MutexOperation::Unlock => "unlock",
                };
                format!("{} = {name}({})", self.target(register), show(mutex))
            }
            Statement::AtomicBegin => "atomic_begin".to_owned(),
            Statement::AtomicEnd => "atomic_end".to_owned(),
            Statement::Return { value: Some(value) } => format!("return {}", show(value)),
            Statement::Return { value: None } => "return".to_owned(),
        }
    }

    fn operation(&self, operation: &Operation) -> String {
        let show = |operand| self.operand(operand);
        match *operation {
            Operation::Copy(operand) => show(operand),
            Operation::Binary(operator, left, right) => {
                format!("{} {} {}", show(left), binary(operator), show(right))
            }
            Operation::Compare(comparison, left, right) => {
                format!("{} {} {}", show(left), compare(comparison), show(right))
            }
            Operation::Cast(cast, operand) => {
                let name = match cast {
                    Cast::ZeroExtend => "zero_extend",
                    Cast::SignExtend => "sign_extend",
                    Cast::Truncate => "truncate",
                    Cast::Object => "object",
                };
                format!("{name}({})", show(operand))
            }
            Operation::Select(condition, yes, no) => {
                format!("{} ? {} : {}", show(condition), show(yes), show(no))
            }
            Operation::Offset {
                base,
                constant,
                ref indices,
            } => {
                let mut text = show(base);
                if constant != 0 {
                    text += &format!(" + {}", constant as i64);
                }
                for &(index, scale) in indices {
                    text += &format!(" + {} * {}", show(index), scale as i64);
                }
                text
            }
        }
    }
}

/// C's operator; where C decides by type, `u` or `s` tells the signedness.
fn binary(operator: BinaryOperator) -> &'static str {
    match operator {
        BinaryOperator::Add => "+",
        BinaryOperator::Subtract => "-",
        BinaryOperator::Multiply => "*",
        BinaryOperator::UnsignedDivide => "/u",
        BinaryOperator::SignedDivide => "/s",
        BinaryOperator::UnsignedRemainder => "%u",
        BinaryOperator::SignedRemainder => "%s",
        BinaryOperator::ShiftLeft => "<<",
        BinaryOperator::LogicalShiftRight => ">>u",
        BinaryOperator::ArithmeticShiftRight => ">>s",
        BinaryOperator::And => "&",
        BinaryOperator::Or => "|",
        BinaryOperator::Xor => "^",
    }
}

fn compare(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::NotEqual => "!=",
        Comparison::UnsignedLess => "<u",
        Comparison::UnsignedLessEqual => "<=u",
        Comparison::SignedLess => "<s",
        Comparison::SignedLessEqual => "<=s",
    }
}

fn update(operator: UpdateOperator) -> &'static str {
    match operator {
        UpdateOperator::Exchange => "exchange",
        UpdateOperator::Add => "add",
        UpdateOperator::Subtract => "subtract",
        UpdateOperator::And => "and",
        UpdateOperator::Nand => "nand",
        UpdateOperator::Or => "or",
        UpdateOperator::Xor => "xor",
        UpdateOperator::SignedMaximum => "signed_maximum",
        UpdateOperator::SignedMinimum => "signed_minimum",
        UpdateOperator::UnsignedMaximum => "unsigned_maximum",
        UpdateOperator::UnsignedMinimum => "unsigned_minimum",
        UpdateOperator::IncrementWrap => "increment_wrap",
        UpdateOperator::DecrementWrap => "decrement_wrap",
    }
}
