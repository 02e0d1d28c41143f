//! Random C programs that link, lose and free heap objects, of which it is known whether something is lost at the end.
//!
//! A program has one run, but for where new objects lie: two parts run one after the other, the first in a thread of its own. While it is
//! drawn, it is executed: objects are numbers that are never used again. So a run in which freed memory stays unused is known step by
//! step, and what that one loses at the end, the program may lose.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::numbers::Numbers;

/// A program, and what is known of it.
pub struct LeakProgram {
    /// In C.
    pub text: String,
    /// Whether it may end with an object that nothing leads to.
    pub leaks: bool,
}

/// Where an address may be stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Place {
    /// A pointer of static storage, an element of an array or not.
    Static(usize),
    /// A local variable of the part that runs.
    Local(usize),
    /// The thread-local variable of the thread that runs.
    Own,
    /// A member of an object.
    Member(usize, usize),
    /// A number of static storage that is an address whose lowest bit is set.
    Marked,
    /// A pointer of static storage to a member of an object.
    Inside,
}

/// What an address leads to.
type Target = Option<usize>;

const STATICS: [&str; 4] = ["first", "second", "table[0]", "table[2]"];
const LOCALS: usize = 3;
const MEMBERS: [&str; 2] = ["left", "right"];

/// Statements in a part.
const STATEMENTS: usize = 9;

/// The program that belongs to a seed.
pub fn leak_program(seed: u64) -> LeakProgram {
    let mut draw = Draw {
        numbers: Numbers::new(seed),
        statics: [None; STATICS.len()],
        locals: [None; LOCALS],
        own: None,
        marked: None,
        inside: None,
        members: Vec::new(),
        live: BTreeSet::new(),
        kept: Vec::new(),
        text: String::new(),
        careful: 0,
    };
    draw.careful = draw.numbers.pick(&[75, 95, 100]);
    let mut text = "\
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *first, *second, *table[3], **inside;
static uintptr_t marked;
static struct node *kept[16];
static unsigned count;
static _Thread_local struct node *own;

"
    .to_owned();
    text += &draw.part("static void *work(void *argument) {\n");
    text += draw.end_thread();
    text += "    return argument;\n}\n\n";
    let start = "\
int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
";
    text += &draw.part(start);
    text += "    return 0;\n}\n";
    LeakProgram {
        text,
        leaks: !draw.lost().is_empty(),
    }
}

/// The state of the run while its program is drawn. Pointers to objects that were freed count as null.
struct Draw {
    numbers: Numbers,
    statics: [Target; STATICS.len()],
    locals: [Target; LOCALS],
    own: Target,
    marked: Target,
    inside: Target,
    members: Vec<[Target; 2]>,
    live: BTreeSet<usize>,
    /// What an array leads to for good.
    kept: Vec<usize>,
    text: String,
    /// Of a hundred steps that would lose something, how many are left out; half as many of those that free what leads there.
    careful: usize,
}

impl Draw {
    /// What a function does that begins with these lines, up to where its variables end.
    fn part(&mut self, start: &str) -> String {
        self.text = start.to_owned();
        for local in 0..LOCALS {
            let _ = writeln!(self.text, "    struct node *l{local} = NULL;");
        }
        for _ in 0..STATEMENTS {
            self.statement();
        }
        for local in 0..LOCALS {
            let kept = self.locals[local].take();
            if let Some(object) = kept
                && self.lost().contains(&object)
                && self.numbers.chance(self.careful)
            {
                let _ = writeln!(self.text, "    kept[count++] = l{local};");
                self.kept.push(object);
            }
        }
        std::mem::take(&mut self.text)
    }

    /// The thread ends, whose variable is gone then; the program may keep what that leads to.
    fn end_thread(&mut self) -> &'static str {
        match self
            .own
            .take()
            .filter(|object| self.lost().contains(object))
        {
            Some(object) if self.numbers.chance(self.careful) => {
                self.kept.push(object);
                "    kept[count++] = own;\n"
            }
            Some(_) | None => "",
        }
    }

    /// Adds a statement, unless it would lose something and the program is careful.
    fn statement(&mut self) {
        let place = self.place();
        let (name, old) = (self.name(place), self.read(place));
        match self.numbers.below(10) {
            0..=3 => {
                let object = self.members.len();
                let text = format!(
                    "    {{\n        struct node *node = malloc(sizeof *node);\n        node->left = node->right = NULL;\n        {}\n    }}\n",
                    assignment(place, &name, "node")
                );
                self.assign((place, old), Some(object), text);
            }
            4..=6 => {
                let from = self.place();
                let value = self.read(from);
                // Other numbers are read in no other way than they were stored.
                if !matches!(from, Place::Marked | Place::Inside)
                    && (value.is_some() || !matches!(place, Place::Marked | Place::Inside))
                {
                    let text = format!("    {}\n", assignment(place, &name, &self.name(from)));
                    self.assign((place, old), value, text);
                }
            }
            7 => {
                let text = match place {
                    Place::Marked => "    marked = 1;\n".to_owned(),
                    Place::Static(_)
                    | Place::Local(_)
                    | Place::Own
                    | Place::Member(..)
                    | Place::Inside => format!("    {name} = NULL;\n"),
                };
                self.assign((place, old), None, text);
            }
            _ => {
                if let Some(object) =
                    old.filter(|_| !matches!(place, Place::Marked | Place::Inside))
                {
                    self.free(object, &name);
                }
            }
        }
    }

    /// Executes an assignment, or leaves it out.
    fn assign(&mut self, (place, old): (Place, Target), value: Target, text: String) {
        let before = self.lost();
        let created = value.filter(|&object| object == self.members.len());
        if let Some(object) = created {
            self.members.push([None; 2]);
            self.live.insert(object);
        }
        self.write(place, value);
        if self.lost() != before && self.numbers.chance(self.careful) {
            self.write(place, old);
            created.into_iter().for_each(|object| {
                self.live.remove(&object);
            });
        } else {
            self.text += &text;
        }
    }

    fn free(&mut self, object: usize, name: &str) {
        let before = self.lost();
        self.live.remove(&object);
        if self.lost() != before && self.numbers.chance(self.careful / 2) {
            self.live.insert(object);
            return;
        }
        let _ = writeln!(self.text, "    free({name});");
        let targets = [&mut self.own, &mut self.marked, &mut self.inside].into_iter();
        let targets = targets.chain(&mut self.statics).chain(&mut self.locals);
        let members = self.members.iter_mut().flatten();
        for target in targets.chain(members) {
            target.take_if(|target| *target == object);
        }
    }

    /// A place that is there.
    fn place(&mut self) -> Place {
        match self.numbers.below(12) {
            0..=2 => Place::Static(self.numbers.below(STATICS.len())),
            3..=6 => Place::Local(self.numbers.below(LOCALS)),
            7 => Place::Own,
            8 => Place::Marked,
            9 => Place::Inside,
            _ => {
                let live: Vec<usize> = (0..LOCALS).filter(|&l| self.locals[l].is_some()).collect();
                match live.is_empty() {
                    true => Place::Local(0),
                    false => Place::Member(self.numbers.pick(&live), self.numbers.below(2)),
                }
            }
        }
    }

    /// How C names a place. A member is one of the object of a local variable.
    fn name(&self, place: Place) -> String {
        match place {
            Place::Static(number) => STATICS[number].to_owned(),
            Place::Local(number) => format!("l{number}"),
            Place::Own => "own".to_owned(),
            Place::Member(local, member) => format!("l{local}->{}", MEMBERS[member]),
            Place::Marked => "marked".to_owned(),
            Place::Inside => "inside".to_owned(),
        }
    }

    fn target(&mut self, place: Place) -> &mut Target {
        match place {
            Place::Static(number) => &mut self.statics[number],
            Place::Local(number) => &mut self.locals[number],
            Place::Own => &mut self.own,
            Place::Marked => &mut self.marked,
            Place::Inside => &mut self.inside,
            Place::Member(local, member) => {
                let object = self.locals[local].expect("such a place is drawn only if it is there");
                &mut self.members[object][member]
            }
        }
    }

    fn read(&mut self, place: Place) -> Target {
        *self.target(place)
    }

    fn write(&mut self, place: Place, value: Target) {
        *self.target(place) = value;
    }

    /// The live objects that nothing leads to.
    fn lost(&self) -> BTreeSet<usize> {
        let roots = self.statics.iter().chain(&self.locals);
        let roots = roots
            .chain([&self.own, &self.marked, &self.inside])
            .flatten();
        let mut pending: Vec<usize> = roots.chain(&self.kept).copied().collect();
        let mut lost = self.live.clone();
        while let Some(object) = pending.pop() {
            if lost.remove(&object) {
                pending.extend(self.members[object].iter().flatten());
            }
        }
        lost
    }
}

/// The statement that stores an address in a place.
fn assignment(place: Place, name: &str, value: &str) -> String {
    match place {
        Place::Marked => format!("marked = (uintptr_t){value} | 1;"),
        Place::Inside => format!("inside = &{value}->right;"),
        Place::Static(_) | Place::Local(_) | Place::Own | Place::Member(..) => {
            format!("{name} = {value};")
        }
    }
}
