//! Tables of distinct slices.
//!
//! States of a search share most of their parts: the threads that did not move, and the memory that was not written.
//! Each part is stored once. A state is a short slice of part numbers, and is stored in such a table itself. No state
//! is lost, because equality is decided on contents, never on hashes alone.

use std::hash::{BuildHasher, Hash};

use hashbrown::HashTable;
use hashbrown::hash_table::Entry;
use rustc_hash::FxBuildHasher;

/// Gives each distinct slice a number, from 0 in the order of first appearance.
#[derive(Debug)]
pub(super) struct Interner<T> {
    items: Vec<T>,
    /// Where the slice of each number ends.
    ends: Vec<usize>,
    numbers: HashTable<u32>,
}

impl<T: Copy + Eq + Hash> Interner<T> {
    pub(super) fn new() -> Self {
        Self {
            items: Vec::new(),
            ends: Vec::new(),
            numbers: HashTable::new(),
        }
    }

    /// The number of a slice, and whether it is new.
    pub(super) fn intern(&mut self, slice: &[T]) -> (u32, bool) {
        let (items, ends) = (&self.items, &self.ends);
        let same = |&number: &u32| get(items, ends, number) == slice;
        let rehash = |&number: &u32| FxBuildHasher.hash_one(get(items, ends, number));
        match self
            .numbers
            .entry(FxBuildHasher.hash_one(slice), same, rehash)
        {
            Entry::Occupied(known) => (*known.get(), false),
            Entry::Vacant(vacant) => {
                let number = self.ends.len() as u32;
                vacant.insert(number);
                self.items.extend_from_slice(slice);
                self.ends.push(self.items.len());
                (number, true)
            }
        }
    }

    /// The slice of a number.
    pub(super) fn get(&self, number: u32) -> &[T] {
        get(&self.items, &self.ends, number)
    }

    /// How many slices there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The memory taken, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.items.capacity() * size_of::<T>()
            + self.ends.capacity() * size_of::<usize>()
            + self.numbers.capacity() * (size_of::<u32>() + 1)
    }
}

fn get<'a, T>(items: &'a [T], ends: &[usize], number: u32) -> &'a [T] {
    let number = number as usize;
    let start = if number == 0 { 0 } else { ends[number - 1] };
    &items[start..ends[number]]
}
