//! Builds automata.

use abi::ids::SiteId;
use cranelift_entity::PrimaryMap;

use super::constant;
use crate::model::{
    BinaryOperator, BlockId, Comparison, DataModel, Edge, FunctionId, HavocOrigin, HeapSite,
    LimitKind, Local, LocalId, Location, LocationId, LocationKind, MutexOperation, Operand,
    Operation, Program, Property, Register, RegisterId, Site, Statement, Template, TemplateId,
    Words,
};

/// A template under construction.
#[derive(Debug)]
pub struct TemplateBuilder<'a> {
    program: &'a mut Program,
    id: TemplateId,
    template: Template,
    here: LocationId,
    exit: LocationId,
    function: Option<FunctionId>,
}

impl<'a> TemplateBuilder<'a> {
    pub(super) fn new(
        program: &'a mut Program,
        name: String,
        function: Option<FunctionId>,
    ) -> Self {
        let mut locations = PrimaryMap::new();
        let mut location = |kind| locations.push(Location::new(kind, 0));
        let entry = location(LocationKind::Ordinary);
        let undefined = location(LocationKind::Limit(LimitKind::Undefined));
        let thread_limit = location(LocationKind::Limit(LimitKind::Threads));
        let heap_limit = location(LocationKind::Limit(LimitKind::Heap));
        let exit = location(LocationKind::Exited);
        let template = Template {
            data_model: DataModel::Lp64,
            name,
            parameters: Vec::new(),
            registers: PrimaryMap::new(),
            locals: PrimaryMap::new(),
            entry,
            locations,
            edges: PrimaryMap::new(),
            undefined,
            invalid_access: undefined,
            invalid_free: undefined,
            lock_misuse: undefined,
            thread_limit,
            heap_limit,
        };
        let id = program.templates.next_key();
        // The place is taken at once, so that heap sites may name it.
        program.templates.push(template.clone());
        Self {
            program,
            id,
            template,
            here: entry,
            exit,
            function,
        }
    }

    /// Lets the thread return at the current location and completes the template.
    pub fn finish(mut self) -> TemplateId {
        self.return_value(constant(64, 0));
        self.complete()
    }

    /// Completes the template; nothing follows the current location, to which no edge may lead.
    pub fn complete(self) -> TemplateId {
        self.program.templates[self.id] = self.template;
        match self.function {
            Some(function) => self.program.functions[function].template = Some(self.id),
            None => self.program.main = self.id,
        }
        self.id
    }

    pub(super) fn parameters(&mut self, parameters: Vec<RegisterId>) {
        self.template.parameters = parameters;
    }

    /// The register that holds the argument of a start routine.
    pub fn parameter(&self) -> RegisterId {
        self.template.parameters[0]
    }

    /// A new register.
    pub fn register(&mut self, width: u32) -> RegisterId {
        self.template.registers.push(Register::new(width))
    }

    /// A new automatic variable in memory.
    pub fn local(&mut self, name: &str, size: u32) -> LocalId {
        self.template.locals.push(Local {
            name: name.to_owned(),
            size,
            alignment: 8,
            c_type: None,
        })
    }

    /// The current location.
    pub fn here(&self) -> LocationId {
        self.here
    }

    /// Goes on at another location.
    pub fn go_to(&mut self, location: LocationId) {
        self.here = location;
    }

    /// A new location in as many atomic regions as the current one.
    pub fn location(&mut self, kind: LocationKind) -> LocationId {
        let atomic_depth = self.depth();
        self.template
            .locations
            .push(Location::new(kind, atomic_depth))
    }

    fn depth(&self) -> u32 {
        self.template.locations[self.here].atomic_depth
    }

    /// An edge from the current location to `target`; the current location stays.
    pub fn edge(&mut self, target: LocationId, statement: Statement) -> SiteId {
        let line = self.program.sites.len() as u32 + 1;
        let file = format!("{}.c", self.program.name);
        let function = self.template.name.clone();
        let site = self.program.sites.push(Site {
            file,
            line,
            column: 0,
            function,
            caller: None,
            library: None,
            block: BlockId::from_u32(0),
        });
        self.template.edges.push(Edge {
            source: self.here,
            target,
            statement,
            site,
        });
        site
    }

    /// Appends a statement.
    pub fn statement(&mut self, statement: Statement) -> SiteId {
        let depth = if statement == Statement::AtomicBegin {
            self.depth() + 1
        } else {
            self.depth() - u32::from(statement == Statement::AtomicEnd)
        };
        let next = self.location(LocationKind::Ordinary);
        self.template.locations[next].atomic_depth = depth;
        let site = self.edge(next, statement);
        self.here = next;
        site
    }

    /// Appends nothing but an edge to another location, where it goes on.
    pub fn jump(&mut self, target: LocationId) {
        self.edge(target, Statement::Skip);
        self.here = target;
    }

    /// Branches: returns the locations where the condition holds and where it does not, and goes on at the first.
    pub fn branch(&mut self, condition: impl Into<Operand>) -> (LocationId, LocationId) {
        let condition = condition.into();
        let yes = self.location(LocationKind::Ordinary);
        let no = self.location(LocationKind::Ordinary);
        self.edge(
            yes,
            Statement::Guard {
                condition,
                holds: true,
            },
        );
        self.edge(
            no,
            Statement::Guard {
                condition,
                holds: false,
            },
        );
        self.here = yes;
        (yes, no)
    }

    /// Goes on where the condition holds; elsewhere the run goes to a sink. Returns the site of the edge to the sink.
    pub fn otherwise(&mut self, condition: impl Into<Operand>, sink: LocationKind) -> SiteId {
        let (yes, no) = self.branch(condition);
        let sink = self.location(sink);
        self.here = no;
        let site = self.edge(sink, Statement::Skip);
        self.here = yes;
        site
    }

    /// An assertion; returns the site to report.
    pub fn assert(&mut self, condition: impl Into<Operand>) -> SiteId {
        self.otherwise(condition, LocationKind::Error(Property::UnreachCall))
    }

    /// An assumption.
    pub fn assume(&mut self, condition: impl Into<Operand>) {
        self.otherwise(condition, LocationKind::Blocked);
    }

    /// Returns; nothing follows.
    pub fn return_value(&mut self, value: impl Into<Operand>) {
        let value = Some(value.into());
        self.edge(self.exit, Statement::Return { value });
    }

    /// Returns without a result; nothing follows.
    pub fn return_nothing(&mut self) {
        self.edge(self.exit, Statement::Return { value: None });
    }

    /// Writes the result of an operation to a new register.
    pub fn assign(&mut self, width: u32, operation: Operation) -> RegisterId {
        let register = self.register(width);
        self.statement(Statement::Assign {
            register,
            operation,
        });
        register
    }

    /// A binary operation on operands of equal width.
    pub fn binary(
        &mut self,
        operator: BinaryOperator,
        left: impl Into<Operand>,
        right: impl Into<Operand>,
    ) -> RegisterId {
        let left = left.into();
        let width = self.template.width(left);
        self.assign(width, Operation::Binary(operator, left, right.into()))
    }

    /// A comparison of operands of equal width.
    pub fn compare(
        &mut self,
        comparison: Comparison,
        left: impl Into<Operand>,
        right: impl Into<Operand>,
    ) -> RegisterId {
        self.assign(1, Operation::Compare(comparison, left.into(), right.into()))
    }

    /// An input.
    pub fn havoc(&mut self, width: u32) -> RegisterId {
        let register = self.register(width);
        self.statement(Statement::Havoc {
            register,
            origin: HavocOrigin::Input,
        });
        register
    }

    /// A plain load.
    pub fn load(&mut self, width: u32, address: impl Into<Operand>) -> RegisterId {
        let register = self.register(width);
        self.statement(Statement::Load {
            register,
            address: address.into(),
            atomic: false,
            words: Words::default(),
        });
        register
    }

    /// A plain store.
    pub fn store(&mut self, value: impl Into<Operand>, address: impl Into<Operand>) {
        let (value, address) = (value.into(), address.into());
        self.statement(Statement::Store {
            value,
            address,
            atomic: false,
            words: Words::default(),
        });
    }

    /// An allocation of at most `bound` bytes.
    pub fn allocate(&mut self, size: impl Into<Operand>, bound: u32, zeroed: bool) -> RegisterId {
        let register = self.register(64);
        let next = self.program.sites.next_key();
        let heap_site = HeapSite {
            template: self.id,
            size: bound,
            site: next,
            automatic: false,
            pool: HeapSite::UNDIVIDED,
        };
        let site = self.program.heap_sites.push(heap_site);
        self.statement(Statement::Allocate {
            register,
            site,
            size: size.into(),
            zeroed,
        });
        register
    }

    /// Creates a thread, and then stores its handle; yields the site of the creation.
    pub fn create(
        &mut self,
        handle: impl Into<Operand>,
        start: impl Into<Operand>,
        argument: impl Into<Operand>,
    ) -> SiteId {
        let register = self.register(64);
        let (start, argument) = (start.into(), argument.into());
        let created = self.statement(Statement::Create {
            register,
            start,
            argument,
        });
        self.store(register, handle);
        created
    }

    /// Joins the thread of a handle, dropping or storing its result.
    pub fn join(&mut self, thread: impl Into<Operand>, value: Option<Operand>) {
        let register = self.register(32);
        let value = value.unwrap_or(constant(64, 0));
        self.statement(Statement::Join {
            register,
            thread: thread.into(),
            value,
        });
    }

    /// Detaches the thread of a handle.
    pub fn detach(&mut self, thread: impl Into<Operand>) {
        let thread = thread.into();
        self.statement(Statement::Detach { thread });
    }

    /// The number of the thread of a handle.
    pub fn number_of_thread(&mut self, thread: impl Into<Operand>) -> RegisterId {
        let register = self.register(32);
        let thread = thread.into();
        self.statement(Statement::NumberOfThread { register, thread });
        register
    }

    /// An operation on a mutex; yields its result code.
    pub fn mutex(&mut self, operation: MutexOperation, mutex: impl Into<Operand>) -> RegisterId {
        let register = self.register(32);
        self.statement(Statement::Mutex {
            operation,
            register,
            mutex: mutex.into(),
        });
        register
    }
}
