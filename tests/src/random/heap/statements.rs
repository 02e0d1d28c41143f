//! The statements of threads about heap objects.

use super::Discipline;
use crate::random::body::Body;

impl Body<'_> {
    /// A statement about the thread's own object, or about a shared one.
    pub fn heap_statement(&mut self) {
        match self.numbers.below(10) {
            0 | 1 => self.allocate_own(),
            2 => self.use_own(),
            3 => self.free_own(),
            _ => self.shared_object(),
        }
    }

    /// Whether a step is left out or added here.
    fn slips(&mut self) -> bool {
        self.numbers.chance(self.heap.slips)
    }

    fn lines<T: AsRef<str>>(&mut self, lines: impl IntoIterator<Item = T>) {
        for line in lines {
            self.line(line.as_ref());
        }
    }

    /// A condition, what depends on it one block further in.
    fn guarded(&mut self, condition: &str, inner: impl FnOnce(&mut Self)) {
        self.enclosed(&format!("if ({condition}) {{"), inner);
    }

    /// A block with a variable of its own.
    fn block_of(&mut self, inner: impl FnOnce(&mut Self)) {
        self.enclosed("{", inner);
    }

    fn enclosed(&mut self, start: &str, inner: impl FnOnce(&mut Self)) {
        self.line(start);
        self.depth += 1;
        inner(self);
        self.depth -= 1;
        self.line("}");
    }

    /// The objects of loops are not bounded by the statements that allocate them.
    fn allocate(&mut self, pointer: &str) {
        if self.in_loop {
            return self.guarded(pointer, |body| body.use_object(pointer));
        }
        let lines = self.heap.allocation(pointer, self.numbers);
        self.guarded(&format!("!{pointer}"), |body| body.lines(lines));
        self.spend(1);
    }

    /// Lets the thread own an object.
    pub fn allocate_own(&mut self) {
        self.allocate("q");
    }

    fn use_own(&mut self) {
        self.use_if_there("q");
    }

    /// Uses the object of a pointer that may be null.
    fn use_if_there(&mut self, pointer: &str) {
        if self.slips() && self.numbers.chance(20) {
            return self.use_object(pointer);
        }
        self.guarded(pointer, |body| body.use_object(pointer));
    }

    fn use_object(&mut self, pointer: &str) {
        let cell = self.cell_of(pointer);
        let (local, constant) = (self.local(), self.constant());
        let line = match self.numbers.below(6) {
            0 | 1 => format!("{cell} = {constant};"),
            2 => format!("{cell} = ({local} + {constant}) & 7;"),
            3 => format!("__atomic_fetch_add(&{cell}, 1, __ATOMIC_SEQ_CST);"),
            _ => format!("{local} = {cell};"),
        };
        self.line(&line);
        self.spend(1);
    }

    fn cell_of(&mut self, pointer: &str) -> String {
        let cells = self.heap.cells;
        if self.slips() && self.numbers.chance(15) {
            return format!("{pointer}[{cells}]");
        }
        match (cells, self.numbers.below(2)) {
            (1, _) => format!("*{pointer}"),
            (_, 0) => format!("{pointer}[{} & 1]", self.local()),
            _ => format!("{pointer}[{}]", self.numbers.below(cells)),
        }
    }

    fn free_own(&mut self) {
        self.spend(1);
        if self.slips() {
            let wrong = [
                "free((void *)q);",
                "free((void *)p);",
                "free((void *)(q + 1));",
            ];
            let wrong = self.numbers.pick(&wrong);
            return self.guarded("q", |body| body.line(wrong));
        }
        if self.numbers.chance(20) && !self.in_loop {
            let cells = self.heap.cells + 1;
            let grown = format!("q = realloc((void *)q, {cells} * sizeof *q);");
            return self.guarded("q", |body| body.line(&grown));
        }
        self.lines(["free((void *)q);", "q = 0;"]);
    }

    fn shared_object(&mut self) {
        let number = self.numbers.below(self.heap.disciplines.len());
        let pointer = format!("h{number}");
        match self.heap.disciplines[number] {
            Discipline::Exchanged => self.exchange_object(&pointer),
            Discipline::Locked(mutex) => self.lock_object(&pointer, mutex),
            Discipline::Kept => self.use_kept(&pointer),
        }
    }

    fn exchange_object(&mut self, pointer: &str) {
        self.spend(2);
        if self.slips() {
            return self.block_of(|body| {
                body.line(&format!("cell *borrowed = {pointer};"));
                body.use_if_there("borrowed");
            });
        }
        let forgets = self.slips();
        match self.numbers.below(4) {
            0 => {
                self.line(&format!(
                    "q = __atomic_exchange_n(&{pointer}, q, __ATOMIC_SEQ_CST);"
                ));
                self.use_own();
            }
            1 => {
                let put = format!("__sync_bool_compare_and_swap(&{pointer}, (cell *)0, q)");
                self.guarded(&put, |body| {
                    if forgets {
                        body.use_if_there("q");
                    } else {
                        body.line("q = 0;");
                    }
                });
            }
            2 => self.line(&format!(
                "free((void *)__atomic_exchange_n(&{pointer}, (cell *)0, __ATOMIC_SEQ_CST));"
            )),
            _ => self.guarded("!q", |body| body.take_by_comparison(pointer, forgets)),
        }
    }

    /// Between the two steps the object may be freed, and another one may come to lie in its place.
    fn take_by_comparison(&mut self, pointer: &str, uses_early: bool) {
        self.line(&format!("q = {pointer};"));
        if uses_early {
            self.use_if_there("q");
        }
        let taken = format!("__sync_bool_compare_and_swap(&{pointer}, q, (cell *)0)");
        self.guarded(&format!("!{taken}"), |body| body.line("q = 0;"));
    }

    fn lock_object(&mut self, pointer: &str, mutex: usize) {
        // In an atomic region nothing may wait, and where the mutex is held, taking it again only blocks.
        if self.atomic || self.held.contains(&mutex) {
            return self.use_own();
        }
        self.spend(2);
        let address = self.mutex(mutex);
        let lock = format!("pthread_mutex_lock({address});");
        let unlock = format!("pthread_mutex_unlock({address});");
        if self.slips() {
            match self.numbers.chance(50) {
                true => self.locked_step(pointer),
                false => self.borrow(pointer, &lock, &unlock),
            }
        } else if self.numbers.chance(25) {
            self.take_and_free(pointer, &lock, &unlock);
        } else {
            self.line(&lock);
            self.locked_step(pointer);
            if self.numbers.chance(40) {
                self.locked_step(pointer);
            }
            self.line(&unlock);
        }
    }

    /// The object is used after the mutex was released, when another thread may have freed it.
    fn borrow(&mut self, pointer: &str, lock: &str, unlock: &str) {
        self.block_of(|body| {
            body.lines([lock, &format!("cell *borrowed = {pointer};"), unlock]);
            body.use_if_there("borrowed");
        });
    }

    /// What no other thread can get to any more is freed without the mutex.
    fn take_and_free(&mut self, pointer: &str, lock: &str, unlock: &str) {
        self.block_of(|body| {
            let take = format!("cell *taken = {pointer};");
            let reset = format!("{pointer} = 0;");
            body.lines([lock, &take, &reset, unlock, "free((void *)taken);"]);
        });
    }

    fn locked_step(&mut self, pointer: &str) {
        match self.numbers.below(5) {
            0 => self.allocate(pointer),
            1 => {
                self.line(&format!("free((void *){pointer});"));
                if !self.slips() {
                    self.line(&format!("{pointer} = 0;"));
                }
            }
            2 => self.swap_own(pointer),
            _ => self.use_if_there(pointer),
        }
    }

    fn swap_own(&mut self, pointer: &str) {
        self.block_of(|body| {
            body.line(&format!("cell *taken = {pointer};"));
            if !body.slips() {
                body.line(&format!("{pointer} = q;"));
            }
            body.line("q = taken;");
        });
    }

    fn use_kept(&mut self, pointer: &str) {
        if !self.slips() {
            return self.use_object(pointer);
        }
        self.spend(1);
        let line = match self.numbers.below(6) {
            0 => format!("{pointer} = &local;"),
            1 => format!("q = {pointer};"),
            2 => format!("{pointer} = 0;"),
            _ => format!("free((void *){pointer});"),
        };
        self.line(&line);
    }
}
