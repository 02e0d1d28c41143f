//! Where memory may hold addresses of heap objects that have to be freed: what [`Statement::FindLeak`] looks at.

use std::collections::BTreeMap;

use crate::model::{Instances, LeakSearch, ObjectId, ObjectKind, Offsets, Program, Statement};
use crate::points_to::PointsTo;

/// The words that may lead to objects, and these objects.
#[derive(Clone, Debug)]
pub struct AddressWords {
    /// The objects that can be freed, in ascending order.
    pub objects: Vec<ObjectId>,
    /// Words of variables and of heap objects, those of an object together.
    pub words: Vec<AddressWord>,
    /// Whether addresses of these objects are nowhere else, and in no other form: not in parts, nor combined with other numbers.
    pub are_all: bool,
}

/// As many bytes as an address has.
#[derive(Clone, Debug)]
pub struct AddressWord {
    /// The object in which they lie.
    pub holder: ObjectId,
    /// The first of them.
    pub offset: u32,
    /// The objects in which they may hold an address, in ascending order.
    pub targets: Vec<ObjectId>,
}

impl AddressWords {
    /// Finds them; `None` if no statement looks at them.
    pub fn new(program: &Program, instances: &Instances, points_to: &PointsTo) -> Option<Self> {
        finds_leaks(program).then(|| {
            let mut found = Self {
                objects: freeable(program, instances),
                words: Vec::new(),
                are_all: !points_to.is_blind(),
            };
            for object in instances.objects.keys() {
                if found.may_hold(instances, object) {
                    found.read(instances, points_to, object);
                }
            }
            found
        })
    }

    /// As [`AddressWords::new`], with an analysis made for it.
    pub fn analyse(program: &Program, instances: &Instances) -> Option<Self> {
        let points_to = finds_leaks(program).then(|| PointsTo::analyse(program, instances))?;
        Self::new(program, instances, &points_to)
    }

    /// Whether it may be that a search finds something.
    pub fn allow(&self, search: LeakSearch) -> bool {
        match search {
            LeakSearch::Certain => self.are_all,
            LeakSearch::Hidden => !self.are_all,
            LeakSearch::Beside | LeakSearch::Any => true,
        }
    }

    /// Whether what an object holds may lead to another one: local variables are gone at the end, those of threads, too.
    fn may_hold(&self, instances: &Instances, object: ObjectId) -> bool {
        match instances.objects[object].kind {
            ObjectKind::Global(_) | ObjectKind::ThreadLocal(..) => true,
            ObjectKind::Heap { .. } => self.objects.binary_search(&object).is_ok(),
            ObjectKind::Function(_)
            | ObjectKind::Local(..)
            | ObjectKind::Thread(_)
            | ObjectKind::Base(_)
            | ObjectKind::Nowhere => false,
        }
    }

    fn read(&mut self, instances: &Instances, points_to: &PointsTo, holder: ObjectId) {
        let word = instances.data_model.address_bytes();
        let size = instances.objects[holder].size;
        let mut words = BTreeMap::<u32, Vec<ObjectId>>::new();
        for content in points_to.contents_of(holder) {
            let mut targets = content.values.objects().collect::<Vec<_>>();
            targets.retain(|target| self.objects.binary_search(target).is_ok());
            self.are_all &= !content.values.computed;
            if targets.is_empty() {
                continue;
            }
            self.are_all &= content.size >= word;
            for offsets in content.words {
                for offset in each(offsets, size, word) {
                    words.entry(offset).or_default().extend(&targets);
                }
            }
        }
        self.words
            .extend(words.into_iter().map(|(offset, mut targets)| {
                targets.sort_unstable();
                targets.dedup();
                AddressWord {
                    holder,
                    offset,
                    targets,
                }
            }));
    }
}

/// Whether a thread looks for leaks.
fn finds_leaks(program: &Program) -> bool {
    let templates = program.templates.values();
    let mut edges = templates.flat_map(|template| template.edges.values());
    edges.any(|edge| matches!(edge.statement, Statement::FindLeak(_)))
}

/// The heap objects that are no memory of the stack.
fn freeable(program: &Program, instances: &Instances) -> Vec<ObjectId> {
    let is_freeable = |object: &ObjectId| {
        let pool = instances.pool(*object);
        pool.is_some_and(|pool| !program.heap_sites[pool].automatic)
    };
    instances.objects.keys().filter(is_freeable).collect()
}

/// The offsets at which words of an object of `size` bytes begin. Those of which nothing is known are aligned.
fn each(offsets: Offsets, size: u32, word: u32) -> impl Iterator<Item = u32> {
    let (first, step) = match offsets {
        Offsets::Exact(offset) => (offset, size.max(1)),
        Offsets::Stride { first, step } => (first, step.max(1)),
        Offsets::Any => (0, word),
    };
    let end = (size + 1).saturating_sub(word);
    (first..end).step_by(step as usize)
}
