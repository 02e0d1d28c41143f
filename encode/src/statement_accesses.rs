//! The memory that a statement accesses, field by field, apart from its meaning.

use abi::mutex;
use program::model::{AccessKind, DataModel, LocationKind, Operand, Statement, Template};

/// Some bytes at an address, which a statement accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessedBytes {
    /// The address, as wide as an address.
    pub address: Operand,
    /// Where the bytes begin, from the address.
    pub delta: u32,
    /// How many bytes.
    pub size: u32,
    /// Whether the statement depends on what is there.
    pub reads: bool,
    /// Whether they may be written.
    pub writes: bool,
}

/// Number of bytes a value of `width` bits takes in memory.
pub fn bytes(width: u32) -> u32 {
    width.div_ceil(8)
}

/// The bytes that a statement accesses.
pub fn accessed_bytes(template: &Template, statement: &Statement) -> Vec<AccessedBytes> {
    let Some(access) = statement.effects().access else {
        return Vec::new();
    };
    match access.kind {
        AccessKind::Mutex(_) => mutex_bytes(template.data_model, access.address),
        kind @ (AccessKind::Read
        | AccessKind::Write
        | AccessKind::Update(_)
        | AccessKind::CompareExchange) => vec![AccessedBytes {
            address: access.address,
            delta: 0,
            size: access.size(template),
            reads: kind.reads(),
            writes: kind.writes(),
        }],
    }
}

fn mutex_bytes(data_model: DataModel, address: Operand) -> Vec<AccessedBytes> {
    let layout = data_model.mutex();
    let field = |delta, writes| AccessedBytes {
        address,
        delta,
        size: mutex::FIELD,
        reads: true,
        writes,
    };
    let whole = AccessedBytes {
        address,
        delta: 0,
        size: layout.size,
        reads: true,
        writes: true,
    };
    vec![
        field(mutex::COUNT, true),
        field(mutex::OWNER, true),
        field(layout.kind, false),
        whole,
    ]
}

/// Whether a thread may go on from a location of this kind.
pub fn is_sink(kind: LocationKind) -> bool {
    kind != LocationKind::Ordinary
}
