//! The places in the source that instructions come from.

use abi::ids::SiteId;
use abi::markers::SITE_METADATA;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

use super::blocks::Blocks;
use crate::llvm::{Module, Value};
use program::model::{BlockId, Site};

/// The site of every instruction. Instructions without a number, which `instrument` inserted, get numbers after the others.
pub(super) fn collect(
    module: &Module,
    blocks: &Blocks,
) -> (PrimaryMap<SiteId, Site>, FxHashMap<Value, SiteId>) {
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
        if let Some(position) = instruction.position(module) {
            last = Site {
                file: position.file,
                line: position.line,
                column: position.column,
                function: position.function,
                block: last.block,
            };
        }
        let id = number(instruction).unwrap_or_else(|| {
            positions.push(None);
            next += 1;
            next - 1
        });
        positions[id as usize].get_or_insert_with(|| last.clone());
        site_of.insert(*instruction, SiteId(id));
    }
    (
        positions
            .into_iter()
            .map(|position| position.unwrap_or_else(unknown))
            .collect(),
        site_of,
    )
}

fn unknown() -> Site {
    Site {
        file: String::new(),
        line: 0,
        column: 0,
        function: String::new(),
        block: BlockId::from_u32(0),
    }
}
