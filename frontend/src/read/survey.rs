//! Listing everything that is not read, also what lies behind something else that is not read.
//!
//! A path of the program ends at the first construct that is not read. If there is one, the module is read a second time by
//! a reader that goes on behind such constructs, whose values are then arbitrary, and nothing of that reading is kept but
//! the list: it cannot change what the program means.

use super::thread::{DEEPEST_NESTING, ThreadReader};
use crate::llvm::{Block, Value};
use program::model::HavocOrigin;

impl ThreadReader<'_, '_> {
    /// Goes on behind an instruction that is not read, if this reading is a survey.
    pub fn pass_over(&mut self, instruction: Value) {
        if let Ok(widths) = self.widths(instruction.value_type_of()) {
            let value = self.arbitrary(&widths, HavocOrigin::Undefined);
            self.values.entry(instruction).or_insert(value);
        }
        if instruction.block().terminator() == Some(instruction) {
            for target in instruction.successors() {
                self.survey_from(target);
            }
        }
    }

    /// Goes on at a block even if its phi nodes have no values from here, if this reading is a survey.
    pub fn survey_from(&mut self, target: Block) {
        if self.reader.survey && self.builder.depth <= DEEPEST_NESTING {
            self.start(target, self.builder.depth);
        }
    }
}
