//! Building one automaton.

use abi::ids::SiteId;
use cranelift_entity::PrimaryMap;

use program::model::{
    BinaryOperator, Bits, Cast, Comparison, DataModel, Edge, HavocOrigin, LimitKind, Location,
    LocationId, LocationKind, Operand, Operation, PhaseAnnotation, Register, RegisterId, Statement,
    Template,
};

/// A template under construction, with the place where the next statement goes.
pub(super) struct AutomatonBuilder {
    pub template: Template,
    /// The location that the next edge leaves.
    pub current: LocationId,
    /// The site of the next edges.
    pub site: SiteId,
    /// How many atomic regions enclose the current location.
    pub depth: u32,
    /// The locations where a run ends or waits for good.
    sinks: Vec<LocationId>,
}

impl AutomatonBuilder {
    pub fn new(name: String, data_model: DataModel, site: SiteId) -> Self {
        let mut locations = PrimaryMap::new();
        let mut location = |kind| locations.push(Location::new(kind, 0));
        let entry = location(LocationKind::Ordinary);
        let undefined = location(LocationKind::Limit(LimitKind::Undefined));
        let template = Template {
            name,
            data_model,
            parameters: Vec::new(),
            registers: PrimaryMap::new(),
            locals: PrimaryMap::new(),
            entry,
            undefined,
            invalid_access: undefined,
            invalid_free: undefined,
            lock_misuse: undefined,
            thread_limit: location(LocationKind::Limit(LimitKind::Threads)),
            heap_limit: location(LocationKind::Limit(LimitKind::Heap)),
            locations,
            edges: PrimaryMap::new(),
        };
        Self {
            sinks: vec![
                template.undefined,
                template.thread_limit,
                template.heap_limit,
            ],
            template,
            current: entry,
            site,
            depth: 0,
        }
    }

    /// A new location inside the current atomic regions.
    pub fn location(&mut self) -> LocationId {
        let kind = LocationKind::Ordinary;
        self.template
            .locations
            .push(Location::new(kind, self.depth))
    }

    /// Marks the current location as one where other threads may run.
    pub fn mark_external(&mut self) {
        self.template.locations[self.current].external = true;
    }

    /// What the current location has to do with the phase of the transaction.
    pub fn phase_marks(&mut self) -> &mut PhaseAnnotation {
        &mut self.template.locations[self.current].phase
    }

    /// Appends a statement.
    pub fn emit(&mut self, statement: Statement) {
        let target = self.location();
        self.emit_to(statement, target);
        self.current = target;
    }

    /// Adds an edge from the current location to a given one.
    pub fn emit_to(&mut self, statement: Statement, target: LocationId) {
        self.template.edges.push(Edge {
            source: self.current,
            target,
            statement,
            site: self.site,
        });
    }

    /// Ends the path at a location of this kind.
    pub fn end(&mut self, kind: LocationKind, statement: Statement) {
        let target = self.sink(kind);
        self.emit_to(statement, target);
    }

    /// The location of this kind; there is one for each.
    pub fn sink(&mut self, kind: LocationKind) -> LocationId {
        // Only a false assumption stops the run where it is, inside an atomic region; the others leave it.
        let atomic_depth = if kind == LocationKind::Blocked {
            self.depth
        } else {
            0
        };
        let locations = &self.template.locations;
        let is_this = |&&sink: &&LocationId| {
            locations[sink].kind == kind && locations[sink].atomic_depth == atomic_depth
        };
        if let Some(&sink) = self.sinks.iter().find(is_this) {
            return sink;
        }
        let sink = self
            .template
            .locations
            .push(Location::new(kind, atomic_depth));
        self.sinks.push(sink);
        sink
    }

    /// Goes on where the condition holds; returns the location where it does not.
    pub fn branch(&mut self, condition: Operand) -> LocationId {
        let (then, otherwise) = (self.location(), self.location());
        self.emit_to(
            Statement::Guard {
                condition,
                holds: true,
            },
            then,
        );
        self.emit_to(
            Statement::Guard {
                condition,
                holds: false,
            },
            otherwise,
        );
        self.current = then;
        otherwise
    }

    /// Goes on where the condition holds; where it does not, the path ends at a location of this kind.
    pub fn require(&mut self, condition: Operand, otherwise: LocationKind) {
        if matches!(condition, Operand::Constant(bits) if bits.value == 1) {
            return;
        }
        let sink = self.sink(otherwise);
        let then = self.location();
        self.emit_to(
            Statement::Guard {
                condition,
                holds: true,
            },
            then,
        );
        self.emit_to(
            Statement::Guard {
                condition,
                holds: false,
            },
            sink,
        );
        self.current = then;
    }

    /// A new register.
    pub fn register(&mut self, width: u32) -> RegisterId {
        self.template.registers.push(Register::new(width))
    }

    /// Computes a value.
    pub fn assign(&mut self, width: u32, operation: Operation) -> Operand {
        let register = self.register(width);
        self.emit(Statement::Assign {
            register,
            operation,
        });
        Operand::Register(register)
    }

    /// An arbitrary value.
    pub fn havoc(&mut self, width: u32, origin: HavocOrigin) -> Operand {
        let register = self.register(width);
        self.emit(Statement::Havoc { register, origin });
        Operand::Register(register)
    }

    /// The result of an operation where the condition holds, else an arbitrary value.
    pub fn or_arbitrary(
        &mut self,
        condition: Operand,
        width: u32,
        operation: Operation,
    ) -> Operand {
        let otherwise = self.branch(condition);
        let register = self.register(width);
        self.emit(Statement::Assign {
            register,
            operation,
        });
        let joined = std::mem::replace(&mut self.current, otherwise);
        let origin = HavocOrigin::Undefined;
        self.emit_to(Statement::Havoc { register, origin }, joined);
        self.current = joined;
        Operand::Register(register)
    }

    /// Width of an operand in bits.
    pub fn width(&self, operand: Operand) -> u32 {
        self.template.width(operand)
    }

    /// Width of an address in bits.
    pub fn address_bits(&self) -> u32 {
        self.template.data_model.address_bits()
    }

    pub fn binary(&mut self, operator: BinaryOperator, left: Operand, right: Operand) -> Operand {
        self.assign(self.width(left), Operation::Binary(operator, left, right))
    }

    pub fn compare(&mut self, comparison: Comparison, left: Operand, right: Operand) -> Operand {
        self.assign(1, Operation::Compare(comparison, left, right))
    }

    pub fn select(&mut self, condition: Operand, then: Operand, otherwise: Operand) -> Operand {
        if then == otherwise {
            return then;
        }
        self.assign(
            self.width(then),
            Operation::Select(condition, then, otherwise),
        )
    }

    /// Widens by zeros, or drops high bits.
    pub fn resize(&mut self, width: u32, operand: Operand) -> Operand {
        self.convert(width, operand, Cast::ZeroExtend)
    }

    /// Widens by this extension, or drops high bits.
    pub fn convert(&mut self, width: u32, operand: Operand, extension: Cast) -> Operand {
        let from = self.width(operand);
        if from == width {
            return operand;
        }
        if let Operand::Constant(bits) = operand {
            let value = if extension == Cast::SignExtend {
                bits.signed() as u128
            } else {
                bits.value
            };
            return Operand::Constant(Bits::new(width, value));
        }
        let cast = if from > width {
            Cast::Truncate
        } else {
            extension
        };
        self.assign(width, Operation::Cast(cast, operand))
    }

    /// Whether an operand is not zero.
    pub fn is_not_zero(&mut self, operand: Operand) -> Operand {
        match self.width(operand) {
            1 => operand,
            width => self.compare(Comparison::NotEqual, operand, constant(width, 0)),
        }
    }

    /// `base + constant` in bytes.
    pub fn displace(&mut self, base: Operand, constant: u64) -> Operand {
        let data_model = self.template.data_model;
        let width = data_model.address_bits();
        match (base, u32::try_from(constant)) {
            (_, Ok(0)) => base,
            // Farther behind a place nothing is.
            (Operand::Address(place, offset), Ok(constant))
                if u64::from(offset) + u64::from(constant) < data_model.far() =>
            {
                Operand::Address(place, offset + constant)
            }
            // Clang writes sums of integers so, too: `(uintptr_t)&x + (1ull << 40)`.
            (Operand::Address(..), _) if !data_model.is_near(constant) => {
                let distance = Operand::Constant(Bits::new(width, constant.into()));
                self.assign(
                    width,
                    Operation::Binary(BinaryOperator::Add, base, distance),
                )
            }
            _ => self.assign(
                width,
                Operation::Offset {
                    base,
                    constant,
                    indices: Vec::new(),
                },
            ),
        }
    }
}

/// A constant operand.
pub(super) fn constant(width: u32, value: u128) -> Operand {
    Operand::Constant(Bits::new(width, value))
}
