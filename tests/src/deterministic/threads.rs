//! Threads whose results do not depend on the schedule.

use std::fmt::Write as _;

use super::body::Body;
use super::scope::{Type, Variable, declaration, initialiser};
use super::world::World;
use crate::numbers::Numbers;

/// Threads that run side by side.
const WORKERS: usize = 2;

/// Which threads a program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threads {
    /// Only main.
    None,
    /// One that may use everything and that is waited for at once.
    Visitor,
    /// Two with data of their own, which add to what they share.
    Workers,
}

impl Threads {
    /// A random choice.
    pub fn random(numbers: &mut Numbers) -> Self {
        numbers.pick_weighted(&[(6, Self::None), (2, Self::Visitor), (2, Self::Workers)])
    }

    /// What the threads need and do.
    pub fn define(self, numbers: &mut Numbers, world: &World, text: &mut String) {
        match self {
            Self::None => {}
            Self::Visitor => visitor(numbers, world, text),
            Self::Workers => workers(numbers, world, text),
        }
    }

    /// What main does to run them.
    pub fn run(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Visitor => VISIT,
            Self::Workers => WORK,
        }
    }

    /// The job of a worker is a record of this type.
    fn job(world: &World) -> Type {
        Type::Record(world.records.len() - 1)
    }

    /// The variables that main looks at after the threads.
    pub fn results(self, world: &World) -> Vec<Variable> {
        let jobs = Type::Array(Self::job(world).into(), WORKERS);
        match self {
            Self::None | Self::Visitor => vec![],
            Self::Workers => vec![Variable::new("jobs", jobs, true)],
        }
    }
}

const VISIT: &str = "    pthread_t thread;
    void *result;
    pthread_create(&thread, 0, visitor, (void *)checksum);
    pthread_join(thread, &result);
    mix((unsigned long)result);
";

const WORK: &str = "    pthread_t first, second;
    void *result;
    pthread_create(&first, 0, worker, &jobs[0]);
    pthread_create(&second, 0, worker, &jobs[1]);
    pthread_join(first, &result);
    mix((unsigned long)result);
    pthread_join(second, &result);
    mix((unsigned long)result);
    mix(sum);
    mix(bits);
";

fn visitor(numbers: &mut Numbers, world: &World, text: &mut String) {
    let mut body = Body::new(numbers, world, world.globals.clone());
    body.line("unsigned long a0 = (unsigned long)argument;");
    let argument = Type::Integer(super::integer::Integer::UNSIGNED_LONG);
    body.scope.push(Variable::new("a0", argument, false));
    body.statements(5);
    body.mix_some();
    let result = body.expression(2).text;
    body.line(&format!("return (void *)(unsigned long){result};"));
    let body = body.finish();
    let _ = writeln!(text, "\nstatic void *visitor(void *argument) {{\n{body}}}");
}

fn workers(numbers: &mut Numbers, world: &World, text: &mut String) {
    let jobs = Variable::new(
        "jobs",
        Type::Array(Threads::job(world).into(), WORKERS),
        true,
    );
    let declared = declaration(&jobs.kind, "jobs", &world.records);
    let value = initialiser(numbers, &jobs.kind, &world.records);
    let _ = writeln!(
        text,
        "\n{declared} = {value};\nunsigned sum = 5;\nunsigned char bits = 3;"
    );
    let _ = writeln!(text, "pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;");
    let job = Type::Pointer(Threads::job(world).into(), 1);
    let declared = declaration(&job, "own", &world.records);
    let mut body = Body::new(numbers, world, vec![Variable::fixed("own", job, None)]);
    body.alone = false;
    body.heaps = 0;
    body.line(&format!("{declared} = argument;"));
    body.locals(1);
    body.statements(4);
    let (amount, result) = (body.expression(2).text, body.expression(1).text);
    let share = body.numbers.pick(&[
        "pthread_mutex_lock(&mutex);\n    sum += amount;\n    pthread_mutex_unlock(&mutex);",
        "__atomic_fetch_add(&sum, amount, __ATOMIC_SEQ_CST);",
        "__sync_fetch_and_xor(&bits, amount);",
        "__atomic_or_fetch(&bits, amount, __ATOMIC_SEQ_CST);",
    ]);
    body.line(&format!("unsigned amount = {amount};"));
    body.line(share);
    body.line(&format!("return (void *)(unsigned long){result};"));
    let body = body.finish();
    let _ = writeln!(text, "\nstatic void *worker(void *argument) {{\n{body}}}");
}
