//! The memory that a statement accesses, and whether it waits, apart from its meaning.

use abi::mutex;
use program::model::{Bits, LocationKind, MutexOperation, Operand, Statement, Template};

/// A memory access of a statement: some bytes at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The address, 64 bits.
    pub address: Operand,
    /// Where the bytes begin, from the address.
    pub delta: u32,
    /// How many bytes.
    pub size: u32,
    /// Whether they may be written.
    pub writes: bool,
}

/// Number of bytes a value of `width` bits takes in memory.
pub fn bytes(width: u32) -> u32 {
    width.div_ceil(8)
}

/// The memory accesses of a statement.
pub fn accesses(template: &Template, statement: &Statement) -> Vec<Access> {
    let one = |address: Operand, width: u32, writes: bool| {
        vec![Access {
            address,
            delta: 0,
            size: bytes(width),
            writes,
        }]
    };
    match statement {
        Statement::Load {
            register, address, ..
        } => one(*address, template.registers[*register].width, false),
        Statement::Store { value, address, .. } => one(*address, template.width(*value), true),
        Statement::AtomicRmw {
            address, operand, ..
        } => one(*address, template.width(*operand), true),
        Statement::CompareExchange {
            address, desired, ..
        } => one(*address, template.width(*desired), true),
        Statement::Join { value, .. } if is_null(*value) => Vec::new(),
        Statement::Join { value, .. } => one(*value, 64, true),
        Statement::Mutex { mutex, .. } => mutex_accesses(*mutex),
        Statement::Skip
        | Statement::Guard { .. }
        | Statement::Assign { .. }
        | Statement::ParallelAssign(_)
        | Statement::Havoc { .. }
        | Statement::LifetimeStart { .. }
        | Statement::LifetimeEnd { .. }
        | Statement::Allocate { .. }
        | Statement::Free { .. }
        | Statement::Size { .. }
        | Statement::Create { .. }
        | Statement::Detach { .. }
        | Statement::SelfHandle { .. }
        | Statement::SelfNumber { .. }
        | Statement::Number { .. }
        | Statement::TestConflicts { .. }
        | Statement::AtomicBegin
        | Statement::AtomicEnd
        | Statement::Return { .. } => Vec::new(),
    }
}

fn mutex_accesses(address: Operand) -> Vec<Access> {
    let field = |delta, writes| Access {
        address,
        delta,
        size: mutex::FIELD,
        writes,
    };
    let whole = Access {
        address,
        delta: 0,
        size: mutex::SIZE,
        writes: true,
    };
    vec![
        field(mutex::COUNT, true),
        field(mutex::OWNER, true),
        field(mutex::KIND, false),
        whole,
    ]
}

/// The handle of the thread that a statement joins or detaches.
pub fn claimed(statement: &Statement) -> Option<Operand> {
    if let Statement::Join { thread, .. } | Statement::Detach { thread } = statement {
        Some(*thread)
    } else {
        None
    }
}

/// Whether an operand is the constant null pointer.
pub fn is_null(operand: Operand) -> bool {
    matches!(operand, Operand::Constant(Bits { value: 0, .. }))
}

/// Whether a thread may have to wait for another one in order to execute this statement.
pub fn waits(statement: &Statement) -> bool {
    matches!(
        statement,
        Statement::Join { .. }
            | Statement::Mutex {
                operation: MutexOperation::Lock,
                ..
            }
    )
}

/// Whether a thread may go on from a location of this kind.
pub fn is_sink(kind: LocationKind) -> bool {
    kind != LocationKind::Ordinary
}
