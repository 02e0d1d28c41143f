//! Heap objects of random programs: who owns them, and the slips that break the rules of ownership.
//!
//! Every thread has a pointer `q`, which is null or holds an object that nobody else uses. Shared pointers `h0`... follow a
//! discipline each. A program without slips is free of invalid accesses and frees, so that proofs are found, too; a slip leaves
//! out or adds one step, and breaks the program in some of its interleavings or in none.

mod statements;

use std::fmt::Write as _;

use crate::numbers::Numbers;

/// The rule by which threads use the object of a shared pointer.
#[derive(Clone, Copy)]
enum Discipline {
    /// Whoever takes the pointer out owns the object.
    Exchanged,
    /// The pointer and its object are used while a mutex is held.
    Locked(usize),
    /// The object is there until all threads were joined.
    Kept,
}

/// The heap objects of a program.
pub struct Heap {
    /// How each of the shared pointers is used.
    disciplines: Vec<Discipline>,
    /// The number of the mutex that is a heap object, if there is one: the next one after those that are variables.
    pub mutex: Option<usize>,
    /// Cells in an object.
    cells: usize,
    /// Slips, of a hundred chances.
    slips: usize,
}

impl Heap {
    /// No pointer at all.
    pub const NONE: Self = Self {
        disciplines: Vec::new(),
        mutex: None,
        cells: 1,
        slips: 0,
    };

    /// What `pointers` shared pointers lead to, in a program with so many mutexes that are variables.
    pub fn draw(numbers: &mut Numbers, pointers: usize, mutexes: usize) -> Self {
        let mutex = numbers.chance(30).then_some(mutexes);
        let mutexes = mutexes + usize::from(mutex.is_some());
        let discipline = |numbers: &mut Numbers| match numbers.below(3) {
            0 => Discipline::Exchanged,
            1 => Discipline::Locked(numbers.below(mutexes)),
            _ => Discipline::Kept,
        };
        Self {
            disciplines: (0..pointers).map(|_| discipline(numbers)).collect(),
            mutex,
            cells: 1 + numbers.below(2),
            slips: numbers.pick_weighted(&[(1, 0), (2, 20), (2, 45)]),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.disciplines.is_empty()
    }

    /// A pointer to an object that is there until all threads were joined, if there is one.
    pub fn pick_kept(&self, numbers: &mut Numbers) -> Option<String> {
        let pointers = 0..self.disciplines.len();
        let kept: Vec<usize> = pointers
            .filter(|&pointer| matches!(self.disciplines[pointer], Discipline::Kept))
            .collect();
        (!kept.is_empty()).then(|| format!("h{}", numbers.pick(&kept)))
    }

    /// The shared pointers.
    pub fn declarations(&self) -> String {
        let mut text = String::new();
        for pointer in 0..self.disciplines.len() {
            let _ = writeln!(text, "cell *h{pointer};");
        }
        if self.mutex.is_some() {
            text.push_str("pthread_mutex_t *heap_mutex;\n");
        }
        text
    }

    /// The pointer of a thread, and a variable that must not outlive the thread.
    pub fn locals(&self) -> &'static str {
        match self.is_empty() {
            true => "",
            false => "    cell *q = 0;\n    cell local = 1;\n    (void)q, (void)local;\n",
        }
    }

    /// What main allocates before it creates threads.
    pub fn first(&self, numbers: &mut Numbers) -> String {
        let mut text = String::new();
        if self.mutex.is_some() {
            text.push_str("    heap_mutex = malloc(sizeof *heap_mutex);\n");
            text.push_str("    pthread_mutex_init(heap_mutex, 0);\n");
        }
        for (pointer, discipline) in self.disciplines.iter().enumerate() {
            let is_allocated = match discipline {
                Discipline::Kept => !numbers.chance(self.slips / 3),
                Discipline::Exchanged | Discipline::Locked(_) => numbers.chance(60),
            };
            if is_allocated {
                for line in self.allocation(&format!("h{pointer}"), numbers) {
                    let _ = writeln!(text, "    {line}");
                }
            }
        }
        text
    }

    /// What main asserts about the objects, and frees, when it has joined all threads.
    pub fn last(&self, numbers: &mut Numbers) -> String {
        let mut text = String::new();
        for pointer in 0..self.disciplines.len() {
            if numbers.chance(40) {
                let content = numbers.below(8);
                let _ = writeln!(text, "    assert(!h{pointer} || *h{pointer} != {content});");
            }
            if numbers.chance(70) {
                let _ = writeln!(text, "    free((void *)h{pointer});");
            }
        }
        if self.mutex.is_some() && numbers.chance(70) {
            text.push_str("    free(heap_mutex);\n");
        }
        text
    }

    /// Statements that let a pointer lead to a new object with known content.
    fn allocation(&self, pointer: &str, numbers: &mut Numbers) -> Vec<String> {
        let Self { cells, .. } = self;
        if numbers.chance(30) {
            return vec![format!("{pointer} = calloc({cells}, sizeof *{pointer});")];
        }
        let cleared = (0..*cells).map(|cell| format!("{pointer}[{cell}] = {};", cell + 1));
        [format!("{pointer} = malloc({cells} * sizeof *{pointer});")]
            .into_iter()
            .chain(cleared)
            .collect()
    }
}
