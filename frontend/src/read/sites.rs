//! The places in the source that instructions come from, and the calls that they were inlined for.

use abi::ids::SiteId;
use abi::markers::{MODEL_METADATA, SITE_METADATA};
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::blocks::Blocks;
use crate::llvm::{DebugFrame, DebugFrames, DebugPositionId, Module, Value};
use crate::normalize::is_of_model;
use program::model::{BlockId, CallSite, CallSiteId, LibraryCall, Site};

/// The sites of a module.
pub(super) struct Sites {
    /// All of them.
    pub sites: PrimaryMap<SiteId, Site>,
    /// That of each instruction.
    pub of: FxHashMap<Value, SiteId>,
    /// The calls that they were inlined for.
    pub call_sites: PrimaryMap<CallSiteId, CallSite>,
}

/// The calls that were found so far, by their positions.
#[derive(Default)]
struct Calls {
    all: PrimaryMap<CallSiteId, CallSite>,
    known: FxHashMap<DebugPositionId, CallSiteId>,
    library: FxHashMap<DebugPositionId, u32>,
}

impl Calls {
    /// The innermost of the calls that an instruction was inlined for; `frames` begin with its own call.
    fn of(&mut self, frames: &[DebugFrame]) -> Option<CallSiteId> {
        let mut caller = None;
        for frame in frames.iter().rev() {
            let known = self.known.get(&frame.id).copied();
            let call = known.unwrap_or_else(|| {
                // Where in a model does not matter.
                let (file, line) = match is_of_model(frame) {
                    true => (String::new(), 0),
                    false => (frame.scope.file.clone(), frame.place().0),
                };
                let id = self.all.push(CallSite {
                    function: frame.scope.function.clone(),
                    file,
                    line,
                    caller,
                });
                self.known.insert(frame.id, id);
                id
            });
            caller = Some(call);
        }
        caller
    }

    /// The call of a library function at a position.
    fn of_library(&mut self, function: String, position: Option<DebugPositionId>) -> LibraryCall {
        let next = self.library.len() as u32;
        let number = position.map_or(0, |id| *self.library.entry(id).or_insert(next));
        LibraryCall { function, number }
    }
}

/// The site of every instruction. Instructions without a number, which `instrument` inserted, get numbers after the others.
pub(super) fn collect(module: &Module, blocks: &Blocks) -> Sites {
    let kind = module.metadata_kind(SITE_METADATA);
    let instructions: Vec<Value> = module
        .functions()
        .into_iter()
        .flat_map(Value::body)
        .collect();
    // Numbers are at most as large as the module allows, so that damaged metadata cannot demand memory.
    let number = |instruction: &Value| {
        instruction
            .metadata_number(kind)
            .filter(|number| (*number as usize) < 2 * instructions.len())
    };
    let mut next = instructions
        .iter()
        .filter_map(number)
        .max()
        .map_or(0, |number| number + 1);
    let mut positions: Vec<Option<Site>> = vec![None; next as usize];
    let mut site_of = FxHashMap::default();
    let model = module.metadata_kind(MODEL_METADATA);
    let mut calls = Calls::default();
    let mut debug_frames = DebugFrames::new(module);
    let mut last = unknown();
    let mut block = None;
    for instruction in instructions
        .iter()
        .filter(|instruction| !instruction.is_debug_intrinsic())
    {
        let own = instruction.block();
        if block.replace(own) != Some(own) {
            last = Site {
                function: own.function().name(),
                block: blocks.id(own),
                ..unknown()
            };
        }
        let frames = debug_frames.of(*instruction);
        if let Some(innermost) = frames.first() {
            let (line, column) = innermost.place();
            last = Site {
                file: innermost.scope.file.clone(),
                line,
                column,
                function: innermost.scope.function.clone(),
                caller: calls.of(without_wrapper(&frames)),
                library: None,
                block: last.block,
            };
        }
        if let Some(function) = instruction.metadata_text(model) {
            let position = frames.first().map(|frame| frame.id);
            last.library = Some(calls.of_library(function, position));
        }
        let id = number(instruction).unwrap_or_else(|| {
            positions.push(None);
            next += 1;
            next - 1
        });
        positions[id as usize].get_or_insert_with(|| last.clone());
        site_of.insert(*instruction, SiteId(id));
    }
    let sites = positions.into_iter();
    Sites {
        sites: sites
            .map(|position| position.unwrap_or_else(unknown))
            .collect(),
        of: site_of,
        call_sites: calls.all,
    }
}

/// The calls around an instruction, without that of a start routine by the wrapper that `normalize` puts in its place: it bears a position in the
/// start routine itself.
fn without_wrapper(frames: &[DebugFrame]) -> &[DebugFrame] {
    let around = &frames[1..];
    match frames {
        [.., called, outermost] if called.scope.function == outermost.scope.function => {
            &around[..around.len() - 1]
        }
        _ => around,
    }
}

fn unknown() -> Site {
    Site {
        file: String::new(),
        line: 0,
        column: 0,
        function: String::new(),
        caller: None,
        library: None,
        block: BlockId::from_u32(0),
    }
}
