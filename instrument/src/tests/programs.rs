//! Programs for tests, and their analysis.

use program::builder::{ProgramBuilder, TemplateBuilder, constant, function, global, name_threads};
use program::model::{
    Comparison, FunctionId, GlobalId, Instances, LocationKind, MutexOperation, Operand, Operation,
    Program, RegisterId, Statement, UpdateOperator,
};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};

use super::explorer::{Found, reduced};
use crate::conditions::ConditionKind;
use crate::context::Context;
use crate::plan::Plan;
use crate::planner::{Asked, plan_with};
use crate::reduction::Reduction;
use crate::rules::Rules;

/// The variables that the threads share.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    pub x: GlobalId,
    pub y: GlobalId,
    /// Holds the address of x or y.
    pub pointer: GlobalId,
    /// Holds the address of one of the mutexes.
    pub guard: GlobalId,
    /// With 4 bytes of data at [`BESIDE`], and room for another mutex behind them.
    pub mutex: GlobalId,
    pub other_mutex: GlobalId,
    /// Handles of the threads that main creates, and of one more.
    pub handles: [GlobalId; 4],
    /// A start routine that threads may start.
    pub extra: FunctionId,
}

/// How far behind a mutex its data lies.
pub(super) const BESIDE: u64 = 24;

/// What a thread does.
pub(super) type Body = fn(&mut TemplateBuilder, &Shared);

/// A program whose main thread starts a thread for each body and returns.
pub(super) fn threads(bodies: &[Body]) -> Program {
    with_main(bodies, |_, _| {}, |_, _| {})
}

/// A program whose main thread starts a thread for each body, goes on with `main`, and returns. `extra` is what the
/// additional start routine does.
pub(super) fn with_main(bodies: &[Body], main: Body, extra: Body) -> Program {
    let mut builder = ProgramBuilder::new("test");
    let mut handle = |number: u32| builder.global(&format!("handle{number}"), &[0; 8]);
    let handles = [0, 1, 2, 3].map(&mut handle);
    let shared = Shared {
        x: builder.global("x", &[0; 4]),
        y: builder.global("y", &[0; 4]),
        pointer: builder.global("pointer", &[0; 8]),
        guard: builder.global("guard", &[0; 8]),
        mutex: builder.global("mutex", &[0; 80]),
        other_mutex: builder.global("other_mutex", &[0; 80]),
        handles,
        extra: builder.function("extra"),
    };
    let routines: Vec<FunctionId> = bodies
        .iter()
        .enumerate()
        .map(|(number, _)| builder.function(&format!("thread{number}")))
        .collect();
    for (&routine, body) in routines.iter().zip(bodies) {
        let mut thread = builder.thread(routine);
        body(&mut thread, &shared);
        thread.finish();
    }
    let mut thread = builder.thread(shared.extra);
    extra(&mut thread, &shared);
    thread.finish();
    let mut first = builder.main();
    first.aim(&shared, shared.x);
    first.guard_by(&shared, shared.mutex);
    for (&routine, &handle) in routines.iter().zip(&shared.handles) {
        first.create(global(handle), function(routine), constant(64, 0));
    }
    main(&mut first, &shared);
    first.finish();
    builder.finish()
}

/// A program with its threads and what its pointers point to.
pub(super) struct Subject {
    pub program: Program,
    pub instances: Instances,
    pub points_to: PointsTo,
}

impl Subject {
    pub fn new(mut program: Program) -> Self {
        name_threads(&mut program);
        let instances = instantiate(&program, &Bounds::default());
        let points_to = PointsTo::analyse(&program, &instances);
        Self {
            program,
            instances,
            points_to,
        }
    }

    pub fn context(&self, rules: Rules) -> Context<'_> {
        Context::new(&self.program, &self.instances, &self.points_to, rules)
    }

    pub fn plan(&self, reduction: Reduction, rules: Rules) -> Plan {
        plan_with(
            self.context(rules),
            reduction,
            (&ConditionKind::ALL.into(), Asked::All),
        )
    }

    /// What runs meet whose threads are interleaved as planned.
    pub fn explore(&self, plan: &Plan) -> Found {
        let mut program = self.program.clone();
        plan.apply(&mut program);
        crate::lower_phases(&mut program);
        reduced(&program, &self.instances)
    }
}

/// Short forms of what test threads do.
pub(super) trait Statements {
    fn set(&mut self, variable: GlobalId, value: i128);
    fn get(&mut self, variable: GlobalId) -> RegisterId;
    /// A violation unless the register has the value.
    fn require(&mut self, register: RegisterId, value: i128);
    /// Goes on only if the register has the value, else waits for ever.
    fn assume_equal(&mut self, register: RegisterId, value: i128);
    /// Goes on here if the register has the value, else elsewhere ends the thread.
    fn only_if(&mut self, register: RegisterId, value: i128);
    fn equals(&mut self, register: RegisterId, value: i128) -> RegisterId;
    /// A violation.
    fn fail(&mut self);
    fn lock(&mut self, mutex: impl Into<Operand>);
    fn unlock(&mut self, mutex: impl Into<Operand>);
    fn add(&mut self, variable: GlobalId, value: i128) -> RegisterId;
    /// Inverts the lowest bit; yields the old value.
    fn toggle(&mut self, variable: GlobalId) -> RegisterId;
    fn update(&mut self, variable: GlobalId, operator: UpdateOperator, value: i128) -> RegisterId;
    /// Writes the value if the variable has the expected one; yields the old value.
    fn compare_exchange(&mut self, variable: GlobalId, expected: i128, value: i128) -> RegisterId;
    /// Lets the pointer point to a variable.
    fn aim(&mut self, shared: &Shared, variable: GlobalId);
    /// The pointer.
    fn pointer(&mut self, shared: &Shared) -> RegisterId;
    /// Lets the guard be a mutex.
    fn guard_by(&mut self, shared: &Shared, mutex: GlobalId);
    /// The address at a distance from another one.
    fn behind(&mut self, base: impl Into<Operand>, distance: u64) -> RegisterId;
    /// The guard.
    fn guard(&mut self, shared: &Shared) -> RegisterId;
    fn atomically(&mut self, body: impl FnOnce(&mut Self));
}

impl Statements for TemplateBuilder<'_> {
    fn set(&mut self, variable: GlobalId, value: i128) {
        self.store(constant(32, value), global(variable));
    }

    fn get(&mut self, variable: GlobalId) -> RegisterId {
        self.load(32, global(variable))
    }

    fn require(&mut self, register: RegisterId, value: i128) {
        let good = self.equals(register, value);
        self.assert(good);
    }

    fn assume_equal(&mut self, register: RegisterId, value: i128) {
        let good = self.equals(register, value);
        self.assume(good);
    }

    fn only_if(&mut self, register: RegisterId, value: i128) {
        let good = self.equals(register, value);
        let (yes, no) = self.branch(good);
        self.go_to(no);
        self.return_value(constant(64, 0));
        self.go_to(yes);
    }

    fn equals(&mut self, register: RegisterId, value: i128) -> RegisterId {
        self.compare(Comparison::Equal, register, constant(32, value))
    }

    fn fail(&mut self) {
        self.assert(constant(1, 0));
    }

    fn lock(&mut self, mutex: impl Into<Operand>) {
        self.mutex(MutexOperation::Lock, mutex);
    }

    fn unlock(&mut self, mutex: impl Into<Operand>) {
        self.mutex(MutexOperation::Unlock, mutex);
    }

    fn add(&mut self, variable: GlobalId, value: i128) -> RegisterId {
        self.update(variable, UpdateOperator::Add, value)
    }

    fn toggle(&mut self, variable: GlobalId) -> RegisterId {
        self.update(variable, UpdateOperator::Xor, 1)
    }

    fn update(&mut self, variable: GlobalId, operator: UpdateOperator, value: i128) -> RegisterId {
        let register = self.register(32);
        self.statement(Statement::AtomicRmw {
            register,
            address: global(variable),
            operator,
            operand: constant(32, value),
        });
        register
    }

    fn compare_exchange(&mut self, variable: GlobalId, expected: i128, value: i128) -> RegisterId {
        let (register, success) = (self.register(32), self.register(1));
        self.statement(Statement::CompareExchange {
            register,
            success,
            address: global(variable),
            expected: constant(32, expected),
            desired: constant(32, value),
        });
        register
    }

    fn aim(&mut self, shared: &Shared, variable: GlobalId) {
        self.store(global(variable), global(shared.pointer));
    }

    fn pointer(&mut self, shared: &Shared) -> RegisterId {
        self.load(64, global(shared.pointer))
    }

    fn guard_by(&mut self, shared: &Shared, mutex: GlobalId) {
        self.store(global(mutex), global(shared.guard));
    }

    fn behind(&mut self, base: impl Into<Operand>, distance: u64) -> RegisterId {
        let base = base.into();
        let operation = Operation::Offset {
            base,
            constant: distance,
            indices: Vec::new(),
        };
        self.assign(64, operation)
    }

    fn guard(&mut self, shared: &Shared) -> RegisterId {
        self.load(64, global(shared.guard))
    }

    fn atomically(&mut self, body: impl FnOnce(&mut Self)) {
        self.statement(Statement::AtomicBegin);
        body(self);
        self.statement(Statement::AtomicEnd);
    }
}

/// Ends the run.
pub(super) fn halt(thread: &mut TemplateBuilder) {
    thread.otherwise(constant(1, 0), LocationKind::Halted);
}

/// The address of 4 bytes within a variable.
pub(super) fn bytes_of(variable: GlobalId, offset: u32) -> Operand {
    Operand::Address(program::model::Place::Global(variable), offset)
}
