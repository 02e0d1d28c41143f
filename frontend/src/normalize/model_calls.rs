//! Which calls of library functions the instructions of models are part of.
//!
//! Models are compiled with functions and lines, so that LLVM keeps track of the calls that they are inlined for. At the end each instruction of
//! a model gets the source position of the call in the program, and the name of the function that is called there as a mark.

use abi::markers::MODEL_METADATA;

use super::watch::stands_for;
use crate::llvm::{DebugFrame, DebugFrames, Module, Value};

/// The directory of the models, in their debug information.
const MODELS: &str = env!("MODELS");

/// Whether it is code of a model.
pub(crate) fn is_of_model(frame: &DebugFrame) -> bool {
    frame.scope.directory == MODELS
}

/// Marks the instructions of models, and gives them the positions of the calls in the program.
pub(super) fn place(module: &Module) {
    let kind = module.metadata_kind(MODEL_METADATA);
    let mut debug_frames = DebugFrames::new(module);
    for instruction in module.functions().into_iter().flat_map(Value::body) {
        let frames = debug_frames.of(instruction);
        let models = frames.iter().take_while(|frame| is_of_model(frame)).count();
        let Some(called) = models.checked_sub(1).map(|last| &frames[last]) else {
            continue;
        };
        let function = stands_for(&called.scope.function);
        instruction.set_metadata_text(module, kind, function);
        instruction.set_debug_node(frames.get(models).map(|caller| caller.node));
    }
}
