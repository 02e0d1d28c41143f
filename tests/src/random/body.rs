//! The statements of one thread.

use super::heap::Heap;
use super::shape::Shape;
use crate::numbers::Numbers;

/// Builds the statements of a function that has the locals `int a, b` and `cell *p`.
pub struct Body<'a> {
    pub(super) numbers: &'a mut Numbers,
    shape: Shape,
    pub(super) heap: &'a Heap,
    text: String,
    /// How deep in blocks the next statement stands; the function's own block is 1.
    pub(super) depth: usize,
    /// Shared accesses that may still be made.
    budget: usize,
    /// The mutexes that are held here; taking one of them again would only block.
    pub(super) held: Vec<usize>,
    /// Inside an atomic region nothing may wait: it would stop everybody.
    pub(super) atomic: bool,
    /// Whether the next statement is run in rounds.
    pub(super) in_loop: bool,
    /// Number of loops so far, for the names of their counters.
    loops: usize,
}

/// Kinds of statements.
#[derive(Clone, Copy)]
enum Kind {
    Store,
    Load,
    Increment,
    Locked,
    LockedC11,
    TryLocked,
    TestCancel,
    CompareAndSwap,
    FetchAndAdd,
    Exchange,
    Branch,
    Loop,
    Spin,
    Assume,
    Atomic,
    MovePointer,
    MoveSharedPointer,
    Assert,
}

/// How often each kind of statement is chosen.
const WEIGHTS: [(usize, Kind); 18] = [
    (6, Kind::Store),
    (6, Kind::Load),
    (3, Kind::Increment),
    (4, Kind::Locked),
    (2, Kind::LockedC11),
    (2, Kind::TryLocked),
    (1, Kind::TestCancel),
    (3, Kind::CompareAndSwap),
    (2, Kind::FetchAndAdd),
    (1, Kind::Exchange),
    (3, Kind::Branch),
    (2, Kind::Loop),
    (1, Kind::Spin),
    (1, Kind::Assume),
    (2, Kind::Atomic),
    (1, Kind::MovePointer),
    (1, Kind::MoveSharedPointer),
    (1, Kind::Assert),
];

impl<'a> Body<'a> {
    /// The empty body of a function.
    pub fn new(numbers: &'a mut Numbers, shape: Shape, heap: &'a Heap) -> Self {
        Self {
            numbers,
            shape,
            heap,
            text: String::new(),
            depth: 1,
            budget: 0,
            held: Vec::new(),
            atomic: false,
            in_loop: false,
            loops: 0,
        }
    }

    /// Adds statements that make about `budget` shared accesses.
    pub fn statements(mut self, budget: usize) -> Self {
        self.budget = budget;
        if !self.heap.is_empty() && budget > 0 && self.numbers.chance(60) {
            self.allocate_own();
        }
        while self.budget > 0 {
            self.statement();
        }
        self
    }

    /// The text.
    pub fn finish(self) -> String {
        self.text
    }

    pub(super) fn line(&mut self, line: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub(super) fn spend(&mut self, accesses: usize) {
        self.budget = self.budget.saturating_sub(accesses);
    }

    fn statement(&mut self) {
        if !self.heap.is_empty() && self.numbers.chance(60) {
            return self.heap_statement();
        }
        match self.numbers.pick_weighted(&WEIGHTS) {
            Kind::Branch if self.depth < 3 => self.branch(),
            Kind::Loop if self.depth < 2 => self.bounded_loop(),
            Kind::Locked if !self.atomic => self.locked(),
            Kind::LockedC11 if self.may_wait() && self.shape.has_c11_mutex => self.locked_c11(),
            Kind::TestCancel if self.may_wait() => self.line("pthread_testcancel();"),
            Kind::TryLocked if self.depth < 3 && !self.atomic => self.try_locked(),
            Kind::Atomic if self.depth < 3 && !self.atomic => self.atomic_section(),
            Kind::Spin if self.depth < 2 => self.spin(),
            Kind::Assume if self.depth < 2 => self.assume(),
            Kind::Load => self.load(),
            Kind::Increment => self.increment(),
            Kind::CompareAndSwap => self.compare_and_swap(),
            Kind::FetchAndAdd => self.fetch_and_add(),
            Kind::Exchange => self.exchange(),
            Kind::MovePointer => self.move_pointer(),
            Kind::MoveSharedPointer => self.move_shared_pointer(),
            Kind::Assert if self.numbers.chance(50) => self.assertion(),
            // What does not fit here is replaced by the simplest statement.
            Kind::Branch
            | Kind::Loop
            | Kind::Locked
            | Kind::LockedC11
            | Kind::TryLocked
            | Kind::TestCancel
            | Kind::Atomic
            | Kind::Spin => self.store(),
            Kind::Assume | Kind::Assert | Kind::Store => self.store(),
        }
    }

    /// One or two statements, one block further in.
    fn block(&mut self) {
        self.depth += 1;
        self.statement();
        if self.budget > 0 && self.numbers.chance(50) {
            self.statement();
        }
        self.depth -= 1;
    }

    pub(super) fn constant(&mut self) -> usize {
        self.numbers.below(4)
    }

    pub(super) fn local(&mut self) -> &'static str {
        self.numbers.pick(&["a", "b"])
    }

    /// A shared cell: a variable, or one that is reached through a pointer or an index.
    fn cell(&mut self) -> String {
        match self.numbers.below(10) {
            0 => "*p".to_owned(),
            1 => "*shared_pointer".to_owned(),
            2 => format!("table[{} & 1]", self.local()),
            _ => self.variable(),
        }
    }

    fn variable(&mut self) -> String {
        format!("v{}", self.numbers.below(self.shape.variables))
    }

    /// A condition on a local or a shared cell.
    fn condition(&mut self) -> String {
        let subject = if self.numbers.chance(40) {
            self.local().to_owned()
        } else {
            self.cell()
        };
        let comparison = self.numbers.pick(&["==", "!=", ">"]);
        format!("{subject} {comparison} {}", self.constant() % 3)
    }

    fn store(&mut self) {
        let cell = self.cell();
        let (local, constant) = (self.local(), self.constant());
        let operator = self.numbers.pick(&["+", "-", "^", "&"]);
        // Of wide inputs only a few values can be told apart.
        let input = self.numbers.pick(&["% 3", "> 2", ">> 30"]);
        let value = match self.numbers.below(8) {
            0..3 => constant.to_string(),
            3 | 4 => local.to_owned(),
            5 | 6 => format!("({local} {operator} {constant}) & 7"),
            _ => format!("__VERIFIER_nondet_uint() {input}"),
        };
        self.line(&format!("{cell} = {value};"));
        self.spend(1);
    }

    fn load(&mut self) {
        let (local, cell) = (self.local(), self.cell());
        self.line(&format!("{local} = {cell};"));
        self.spend(1);
    }

    fn increment(&mut self) {
        let cell = self.variable();
        let amount = 1 + self.numbers.below(2);
        self.line(&format!("{cell} = ({cell} + {amount}) & 7;"));
        self.spend(2);
    }

    fn locked(&mut self) {
        let mutex = self.numbers.below(self.mutexes());
        if self.held.contains(&mutex) {
            return self.store();
        }
        let address = self.mutex(mutex);
        self.line(&format!("pthread_mutex_lock({address});"));
        self.spend(2);
        self.held.push(mutex);
        self.statement();
        self.statement();
        self.held.pop();
        self.line(&format!("pthread_mutex_unlock({address});"));
    }

    /// How many mutexes there are beside that of C11.
    fn mutexes(&self) -> usize {
        self.shape.mutexes + usize::from(self.heap.mutex.is_some())
    }

    /// The address of a mutex.
    pub(super) fn mutex(&self, mutex: usize) -> String {
        match self.heap.mutex == Some(mutex) {
            true => "heap_mutex".to_owned(),
            false => format!("&m{mutex}"),
        }
    }

    /// Whether nobody waits for what the thread holds here.
    fn may_wait(&self) -> bool {
        self.held.is_empty() && !self.atomic
    }

    /// One mutex is of C11. Where it is held, no other one is taken.
    fn locked_c11(&mut self) {
        self.line("mtx_lock(&c11_mutex);");
        self.spend(2);
        self.held.extend(0..self.mutexes());
        self.statement();
        self.held.clear();
        self.line("mtx_unlock(&c11_mutex);");
    }

    fn try_locked(&mut self) {
        let mutex = self.numbers.below(self.mutexes());
        if self.held.contains(&mutex) {
            return self.store();
        }
        let address = self.mutex(mutex);
        self.line(&format!("if (pthread_mutex_trylock({address}) == 0) {{"));
        self.spend(2);
        self.held.push(mutex);
        self.block();
        self.held.pop();
        self.depth += 1;
        self.line(&format!("pthread_mutex_unlock({address});"));
        self.depth -= 1;
        self.line("}");
    }

    fn compare_and_swap(&mut self) {
        let (cell, local) = (self.cell(), self.local());
        let (expected, desired) = (self.constant(), self.constant());
        self.spend(1);
        let call = format!("__sync_bool_compare_and_swap(&{cell}, {expected}, {desired})");
        if self.depth < 3 && self.numbers.chance(40) {
            self.line(&format!("if ({call}) {{"));
            self.block();
            self.line("}");
        } else if self.numbers.chance(50) {
            self.line(&format!("{local} = {call};"));
        } else {
            self.line(&format!(
                "{local} = (int)__sync_val_compare_and_swap(&{cell}, {expected}, {desired});"
            ));
        }
    }

    fn fetch_and_add(&mut self) {
        let (cell, local) = (self.cell(), self.local());
        let amount = 1 + self.numbers.below(2);
        let call = format!("__atomic_fetch_add(&{cell}, {amount}, __ATOMIC_SEQ_CST)");
        let unused = self.numbers.chance(50);
        self.line(&if unused {
            format!("{call};")
        } else {
            format!("{local} = {call};")
        });
        self.spend(1);
    }

    fn exchange(&mut self) {
        let (cell, local, constant) = (self.cell(), self.local(), self.constant());
        self.line(&format!(
            "{local} = __atomic_exchange_n(&{cell}, {constant}, __ATOMIC_SEQ_CST);"
        ));
        self.spend(1);
    }

    fn branch(&mut self) {
        let condition = self.condition();
        self.spend(1);
        self.line(&format!("if ({condition}) {{"));
        self.block();
        if self.numbers.chance(40) {
            self.line("} else {");
            self.block();
        }
        self.line("}");
    }

    fn bounded_loop(&mut self) {
        let counter = format!("i{}", self.loops);
        self.loops += 1;
        if self.numbers.chance(50) {
            // Else no cycle is left of a loop of so few rounds.
            self.line("#pragma clang loop unroll(disable)");
        }
        self.line(&format!(
            "for (int {counter} = 0; {counter} < 2; {counter}++) {{"
        ));
        let before = self.budget;
        self.depth += 1;
        self.in_loop = true;
        self.statement();
        self.in_loop = false;
        self.depth -= 1;
        self.line("}");
        // The second round costs as much as the first.
        self.spend(before - self.budget);
    }

    /// Waits for a value that may never come; without a turn of another thread the thread would have to wait for ever.
    fn spin(&mut self) {
        let cell = self.variable();
        let constant = self.constant() % 3;
        if self.atomic {
            return self.store();
        }
        if self.numbers.chance(50) {
            self.line(&format!("while ({cell} == {constant}) {{"));
        } else {
            let desired = self.constant();
            self.line(&format!(
                "while (!__sync_bool_compare_and_swap(&{cell}, {constant}, {desired})) {{"
            ));
        }
        self.line("}");
        self.spend(1);
    }

    fn assume(&mut self) {
        let condition = self.condition();
        self.line(&format!("__VERIFIER_assume({condition});"));
        self.spend(1);
    }

    fn atomic_section(&mut self) {
        self.line("__VERIFIER_atomic_begin();");
        self.atomic = true;
        self.statement();
        self.statement();
        self.atomic = false;
        self.line("__VERIFIER_atomic_end();");
    }

    /// The address of a variable, or of an object that is there until all threads were joined.
    fn lasting_address(&mut self) -> String {
        let kept = match self.heap.is_empty() || self.numbers.chance(50) {
            true => None,
            false => self.heap.pick_kept(self.numbers),
        };
        kept.unwrap_or_else(|| format!("&{}", self.variable()))
    }

    fn move_pointer(&mut self) {
        let address = self.lasting_address();
        self.line(&format!("p = {address};"));
        self.line("*p = (*p + 1) & 7;");
        self.spend(2);
    }

    fn move_shared_pointer(&mut self) {
        let address = self.lasting_address();
        self.line(&format!("shared_pointer = {address};"));
        self.spend(1);
    }

    fn assertion(&mut self) {
        let (cell, constant) = (self.variable(), 3 + self.constant());
        self.line(&format!("assert({cell} != {constant});"));
        self.spend(1);
    }
}
