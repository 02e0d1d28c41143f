//! Rounds of loops whose bodies have no block in the debug information: compound literals in bodies without braces and in conditions,
//! and variables in loops that have nothing but a body. Clang marks the back edge of each `for`, `while` and `do`. A back edge that a
//! `goto` makes has no mark, and starts no new lifetime.

use rustc_hash::{FxHashMap, FxHashSet};

use super::crossings::{Crossing, CrossingPlace, is_return};
use crate::llvm::{Block, Module, Value};

/// A loop statement.
pub(super) struct Loop {
    header: Block,
    /// Where control gets back to the header from.
    backs: Vec<Block>,
    /// All that clang writes between the header and the last way back, which includes ways out of the loop.
    parts: Vec<Block>,
    /// Those of them from which control gets back to the header.
    repeated: Vec<Block>,
}

/// All loop statements of a function that are entered at their start only.
pub(super) fn loops(module: &Module, function: Value) -> Vec<Loop> {
    let kind = module.metadata_kind("llvm.loop");
    let blocks = function.blocks();
    let mut loops: Vec<Loop> = Vec::new();
    for &back in &blocks {
        let Some(jump) = back.terminator().filter(|jump| jump.has_metadata(kind)) else {
            continue;
        };
        for header in jump.successors() {
            if !dominates(&blocks, header, back) {
                continue;
            }
            let from_header = blocks.iter().copied().skip_while(|part| *part != header);
            let before_back = from_header.take_while(|part| *part != back);
            let parts: Vec<Block> = before_back.chain([back]).collect();
            match loops.iter_mut().find(|known| known.header == header) {
                Some(known) => {
                    known.backs.push(back);
                    known.parts = parts;
                }
                None => loops.push(Loop {
                    header,
                    backs: vec![back],
                    parts,
                    repeated: Vec::new(),
                }),
            }
        }
    }
    for found in &mut loops {
        found.repeated = found.repeated();
    }
    loops
}

impl Loop {
    fn repeated(&self) -> Vec<Block> {
        let mut repeated: FxHashSet<Block> = self.backs.iter().copied().collect();
        let mut changed = true;
        while changed {
            changed = false;
            for &part in self.parts.iter().rev().filter(|part| **part != self.header) {
                let leads = part
                    .successors()
                    .iter()
                    .any(|next| *next != self.header && repeated.contains(next));
                changed |= leads && repeated.insert(part);
            }
        }
        repeated.insert(self.header);
        let parts = self.parts.iter().copied();
        parts.filter(|part| repeated.contains(part)).collect()
    }

    pub fn size(&self) -> usize {
        self.parts.len()
    }

    /// The instructions that are executed in each round or may be, without those on ways out.
    pub fn instructions(&self) -> impl Iterator<Item = Value> {
        self.repeated.iter().flat_map(|part| part.instructions())
    }

    pub fn contains(&self, block: Block) -> bool {
        self.parts.contains(&block)
    }

    /// Where lives start and end of something that belongs to the loop.
    pub fn lives(&self, blocks: &[Block]) -> Vec<Crossing> {
        let mut crossings = Vec::new();
        for &from in blocks {
            for to in from.successors() {
                let enters = self.contains(to);
                if enters != self.contains(from) {
                    let place = CrossingPlace::Between(from, to);
                    crossings.push(Crossing { place, enters });
                }
            }
        }
        let ends = self.parts.iter().filter_map(|part| part.terminator());
        crossings.extend(ends.filter(|end| is_return(*end)).map(|end| Crossing {
            place: CrossingPlace::Before(end),
            enters: false,
        }));
        crossings
    }

    /// Where lives end, and the next ones start, of something that belongs to the body.
    pub fn rounds(&self, blocks: &[Block]) -> Vec<Crossing> {
        let behind_body = self.behind_body(blocks).unwrap_or(self.header);
        let mut crossings = Vec::new();
        for &from in &self.parts {
            if from.successors().contains(&behind_body) {
                let place = CrossingPlace::Between(from, behind_body);
                crossings.extend([false, true].map(|enters| Crossing { place, enters }));
            }
        }
        crossings
    }

    /// Whether what is in a block is in the body, and not in the condition or what is evaluated after each round, as far as names
    /// tell.
    pub fn is_in_body(&self, blocks: &[Block], block: Block) -> bool {
        let is_behind = self.behind_body(blocks);
        let is_behind = is_behind.is_some_and(|behind| dominates(blocks, behind, block));
        let body = match base_name(self.header).as_str() {
            "for.cond" => self.before_back(blocks, "for.body").first().copied(),
            "while.cond" => self.before_back(blocks, "while.body").first().copied(),
            _ => None,
        };
        !is_behind && body.is_none_or(|body| dominates(blocks, body, block))
    }

    /// The block that all rounds of the body lead to, if it is not the header.
    fn behind_body(&self, blocks: &[Block]) -> Option<Block> {
        match base_name(self.header).as_str() {
            "for.cond" => self.before_back(blocks, "for.inc").last().copied(),
            "do.body" => self.before_back(blocks, "do.cond").last().copied(),
            _ => None,
        }
    }

    /// The blocks of a name that all ways back come through, in this order.
    fn before_back(&self, blocks: &[Block], name: &str) -> Vec<Block> {
        let is_on_way = |part: &Block| {
            self.contains(*part)
                && base_name(*part) == name
                && self
                    .backs
                    .iter()
                    .all(|back| dominates(blocks, *part, *back))
        };
        let mut parts: Vec<Block> = blocks.iter().copied().filter(is_on_way).collect();
        let before = |part: Block| {
            parts
                .iter()
                .filter(|o| dominates(blocks, **o, part))
                .count()
        };
        let ranks: FxHashMap<Block, usize> = parts.iter().map(|&p| (p, before(p))).collect();
        parts.sort_by_key(|part| ranks[part]);
        parts
    }
}

/// The name of a block without the number that tells it from others.
fn base_name(block: Block) -> String {
    let name = block.name();
    name.trim_end_matches(|c: char| c.is_ascii_digit())
        .to_owned()
}

/// Whether every way from the start of the function to a block comes through another one.
fn dominates(blocks: &[Block], first: Block, second: Block) -> bool {
    if first == second {
        return true;
    }
    let (mut seen, mut pending) = (
        FxHashSet::default(),
        Vec::from_iter(blocks.first().copied()),
    );
    while let Some(block) = pending.pop() {
        if block == second {
            return false;
        }
        if block != first && seen.insert(block) {
            pending.extend(block.successors());
        }
    }
    true
}
