//! Lists all constructs that are not read, also those behind another construct that is not read.
//!
//! A path of the program ends at the first construct that is not read. If there is one, a second reader reads the
//! module again and continues behind such constructs. Their values are then arbitrary. Only the list of the second
//! reading is kept, so it cannot change the meaning of the program.

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
