//! The program model: control-flow automata over memory, as owned data with dense ids.
//!
//! A [`Program`] is what LLVM bitcode means, without LLVM. Each function that runs as a thread is a [`Template`]: an
//! automaton whose edges carry one [`Statement`] each and whose locations are the values of the thread's program
//! counter. [`Instances`] enumerates, within the bounds of the command line, the threads and memory objects of all runs.
//! The meaning of every statement is given by [`crate::interpret`] and told in `docs/semantics.md`.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use abi::ids::{InstanceId, SiteId};
use cranelift_entity::{PrimaryMap, entity_impl};

pub use crate::operators::{BinaryOperator, Comparison, UpdateOperator};
use crate::points_to::Offsets;

/// A function that is run as a thread.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TemplateId(u32);
entity_impl!(TemplateId, "template");

/// A value of a thread's program counter, within its template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocationId(u32);
entity_impl!(LocationId, "l");

/// An edge of a template's automaton, within its template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EdgeId(u32);
entity_impl!(EdgeId, "e");

/// A thread-private variable of at most 128 bits, within its template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegisterId(u32);
entity_impl!(RegisterId, "r");

/// A global or thread-local variable of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GlobalId(u32);
entity_impl!(GlobalId, "global");

/// An automatic variable that lives in memory, within its template.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LocalId(u32);
entity_impl!(LocalId, "local");

/// A function whose address is taken.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FunctionId(u32);
entity_impl!(FunctionId, "function");

/// An allocation statement of the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HeapSiteId(u32);
entity_impl!(HeapSiteId, "heap");

/// A construct that is not read; see [`Unsupported`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct UnsupportedId(u32);
entity_impl!(UnsupportedId, "unsupported");

/// A basic block of the bitcode.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlockId(u32);
entity_impl!(BlockId, "block");

/// A memory object of one enumeration of the program; see [`Instances`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);
entity_impl!(ObjectId, "object");

/// A whole program, before threads and objects are enumerated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// The file it came from, for messages.
    pub name: String,
    /// Every function that may be run as a thread.
    pub templates: PrimaryMap<TemplateId, Template>,
    /// The template of `main`.
    pub main: TemplateId,
    /// Global and thread-local variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// Functions whose address is taken.
    pub functions: PrimaryMap<FunctionId, Function>,
    /// Allocation statements.
    pub heap_sites: PrimaryMap<HeapSiteId, HeapSite>,
    /// Where in the source the edges come from.
    pub sites: PrimaryMap<SiteId, Site>,
    /// The last other block of the bitcode through which all ways to each block lead; none for the first of a function and
    /// those that no way leads to.
    pub dominators: PrimaryMap<BlockId, Option<BlockId>>,
    /// Constructs that are not read, one for each name and line, in source order. A path ends at the first that it meets,
    /// in a [`LimitKind::Unsupported`] location; those that lie only behind others are listed all the same.
    pub unsupported: PrimaryMap<UnsupportedId, Unsupported>,
    /// What verdicts say of instructions, in the user's words: of an arbitrary value where it comes from ("the result of `clock`"), of a
    /// requirement what happens where it does not hold ("division by zero"), of an error that is no assertion what it is ("abort").
    pub explanations: BTreeMap<SiteId, String>,
    /// Where library functions use a lock, a semaphore, a barrier or a condition variable by what its memory holds: only what was initialised
    /// may be used.
    pub lock_uses: BTreeSet<SiteId>,
    /// Where library functions change what these hold, or look at anything for themselves.
    pub library_accesses: BTreeSet<SiteId>,
    /// Where the library requires something of what it is given, else the meaning is undefined.
    pub requirements: BTreeSet<SiteId>,
}

/// The automaton of a function that is run as a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The C name of the function.
    pub name: String,
    /// The registers that hold the parameters when a run starts; for a start routine at most one, of 64 bits.
    pub parameters: Vec<RegisterId>,
    /// The thread-private variables. A register is written before it is read on every path.
    pub registers: PrimaryMap<RegisterId, Register>,
    /// The automatic variables that live in memory.
    pub locals: PrimaryMap<LocalId, Local>,
    /// Where a run starts.
    pub entry: LocationId,
    /// The values of the program counter.
    pub locations: PrimaryMap<LocationId, Location>,
    /// The edges, in an order in which an edge's source is usually met before its target.
    pub edges: PrimaryMap<EdgeId, Edge>,
    /// Where a run goes whose memory access or other operation has no defined meaning: the [`LimitKind::Undefined`] location.
    pub undefined: LocationId,
    /// Where a run goes that creates more threads than are enumerated: the [`LimitKind::Threads`] location.
    pub thread_limit: LocationId,
    /// Where a run goes that allocates more objects than are enumerated: the [`LimitKind::Heap`] location.
    pub heap_limit: LocationId,
}

/// A thread-private variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Width in bits, 1 to 128. Pointers have 64.
    pub width: u32,
    /// The C variable it holds, when debug information tells.
    pub variable: Option<String>,
}

/// An automatic variable that lives in memory. Each thread instance has its own; its first content is arbitrary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// The C variable, or the LLVM name where debug information is missing.
    pub name: String,
    /// Size in bytes.
    pub size: u32,
    /// Its address is a multiple of this power of two.
    pub alignment: u32,
}

/// A location of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// Whether a run may go on from here, and if not, why.
    pub kind: LocationKind,
    /// Whether other threads may run while this thread is here although it could go on: the location of a yield marker.
    /// Meaningless before `instrument` decided it; entries and sinks count as external in any case.
    pub external: bool,
    /// What the phase of the thread's transaction has to do with this location, where that is known at run time only.
    pub phase: PhaseAnnotation,
    /// How many atomic regions the thread is inside of here. No other thread runs while it is more than 0.
    pub atomic_depth: u32,
}

/// Where the phase of a transaction is read and changed (Table 1 of the paper). [`crate::phases`] lowers these annotations to
/// statements; until then they mean nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhaseAnnotation {
    /// If the transaction has committed, it ends here and other threads may run.
    pub yields_if_committed: Mark,
    /// The transaction commits with the statement that follows.
    pub commits: Mark,
    /// For [`Mark::UnlessBothMover`].
    pub both_mover: BothMoverCondition,
}

/// A dynamic both-moving condition (Def. 1 of the paper): in states in which all its parts hold, the statement at a location is a
/// both-mover. Without parts it never holds. No statement of another thread falsifies it while the thread stays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BothMoverCondition {
    /// Reachability: no other thread can reach one of these instructions any more.
    pub unreached: BTreeSet<SiteId>,
    /// Static pointer: no other thread can access the same memory at certain instructions any more.
    pub apart: BTreeSet<NoAlias>,
    /// Monotonic atomic: memory does not hold certain values any more.
    pub differs: BTreeSet<MonotonicAtomic>,
    /// Lock pointer: no other thread can reach certain instructions any more without waiting for a mutex of this thread.
    pub locked: BTreeSet<LockPointer>,
}

/// No other thread can reach one of these instructions any more with an address such that the accesses overlap.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NoAlias {
    /// The instruction whose access this is about.
    pub site: SiteId,
    /// Its address; 64 bits.
    pub address: Operand,
    /// Its size in bytes.
    pub size: u32,
    /// The instructions of the other threads.
    pub others: BTreeSet<SiteId>,
}

/// No other thread can reach one of these instructions any more without acquiring a mutex first that this thread holds.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LockPointer {
    /// The instruction that took the mutex.
    pub site: SiteId,
    /// The address of the mutex; 64 bits.
    pub mutex: Operand,
    /// The instructions of the other threads.
    pub others: BTreeSet<SiteId>,
    /// Where the other threads take mutexes.
    pub locks: BTreeSet<SiteId>,
}

/// Memory does not hold this value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct MonotonicAtomic {
    /// The instruction whose access this is about.
    pub site: SiteId,
    /// Its address; 64 bits.
    pub address: Operand,
    /// Of 8, 16, 32 or 64 bits.
    pub value: Bits,
}

/// Whether something happens at a location.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// No.
    #[default]
    Never,
    /// Unless the both-moving condition of the statement holds.
    UnlessBothMover,
    /// Yes.
    Always,
}

/// Whether a run may go on from a location, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationKind {
    /// The thread may go on. There is exactly one outgoing edge, or two with complementary [`Statement::Guard`]s.
    Ordinary,
    /// The thread has returned; joining it succeeds.
    Exited,
    /// The property is violated. The edge that leads here has the site to report.
    Error,
    /// The whole run has ended; no thread goes on.
    Halted,
    /// The thread stays here for good, others go on: a false assumption.
    Blocked,
    /// As [`LocationKind::Blocked`], but real runs may go on: reaching it makes the search an under-approximation.
    Limit(LimitKind),
}

/// Why a run is not followed further.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LimitKind {
    /// The statement has no defined meaning in this state: an invalid memory access, a division by zero.
    Undefined,
    /// More threads than `--threads` allows.
    Threads,
    /// More heap objects than `--heap` allows, or larger ones.
    Heap,
    /// Deeper recursion than `--recursion` allows.
    Recursion,
    /// A construct that is not read.
    Unsupported(UnsupportedId),
}

/// An edge of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// The location before the statement.
    pub source: LocationId,
    /// The location after it.
    pub target: LocationId,
    /// What happens.
    pub statement: Statement,
    /// The instruction it comes from.
    pub site: SiteId,
}

/// A value: all are bit-vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operand {
    /// The content of a register.
    Register(RegisterId),
    /// A constant.
    Constant(Bits),
    /// The address of a place plus an offset in bytes (modulo 2^32); 64 bits.
    Address(Place, u32),
}

/// A bit-vector of 1 to 128 bits; the bits of `value` from `width` on are 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    /// Number of bits.
    pub width: u32,
    /// Unsigned value, below 2^`width`.
    pub value: u128,
}

/// Something with an address, before instances are enumerated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A global variable, or this thread's copy of a thread-local one.
    Global(GlobalId),
    /// This thread's copy of an automatic variable.
    Local(LocalId),
    /// The entry of a function.
    Function(FunctionId),
}

/// What an edge does, as one indivisible step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Statement {
    /// Nothing.
    Skip,
    /// Passes only if the one-bit condition has this value. The sibling edge has the same condition and the other value.
    Guard {
        /// One bit.
        condition: Operand,
        /// The value under which the edge is taken.
        holds: bool,
    },
    /// Writes a pure function of registers to a register.
    Assign {
        /// Written.
        register: RegisterId,
        /// The value.
        operation: Operation,
    },
    /// Writes several registers at once (the phi nodes of a block); all values are read before any is written.
    ParallelAssign(Vec<(RegisterId, Operand)>),
    /// Writes an arbitrary value to a register.
    Havoc {
        /// Written.
        register: RegisterId,
        /// Why the value is arbitrary.
        origin: HavocOrigin,
    },
    /// Reads memory. An address that does not point into a live object leads to [`Template::undefined`].
    Load {
        /// Written; its width rounded up to bytes is the size of the access. Bits above the width are ignored.
        register: RegisterId,
        /// 64 bits.
        address: Operand,
        /// Whether C declares the access atomic.
        atomic: bool,
        /// Where words may lie that hold addresses. If the bytes are a part of one that does, what is read is that part of
        /// the machine's number of the address, as [`Statement::Number`] gives it.
        words: Words,
    },
    /// Writes memory; invalid addresses and constant objects as in `Load`. A width that is no multiple of 8 is extended with zeros.
    Store {
        /// Written to memory.
        value: Operand,
        /// 64 bits.
        address: Operand,
        /// Whether C declares the access atomic.
        atomic: bool,
        /// Where words may lie that hold addresses. If the bytes are a part of one that does, its other bytes become those of
        /// the machine's number of the address.
        words: Words,
    },
    /// Reads memory, combines and writes back (`atomicrmw`).
    AtomicRmw {
        /// Receives the old value.
        register: RegisterId,
        /// 64 bits.
        address: Operand,
        /// How old value and operand are combined.
        operator: UpdateOperator,
        /// The second operand.
        operand: Operand,
    },
    /// Compares and swaps (`cmpxchg`). It never fails spuriously: a weak one is read as a choice between this and a load.
    /// Undefined if the values are addresses in two objects, one of which is a variable whose life is over.
    CompareExchange {
        /// Receives the old value.
        register: RegisterId,
        /// One bit: receives whether the value was written.
        success: RegisterId,
        /// 64 bits.
        address: Operand,
        /// Written if memory holds this.
        expected: Operand,
        /// The new value.
        desired: Operand,
    },
    /// A local's lifetime starts, with arbitrary content; it has one from the start of the thread as well.
    LifetimeStart {
        /// The variable.
        local: LocalId,
    },
    /// The lifetimes of locals end; accesses to them are undefined from here on. So they are when the thread has returned.
    LifetimeEnd {
        /// The variables.
        locals: Vec<LocalId>,
    },
    /// Allocates an object of arbitrary or zero content; without a free slot the thread goes to [`Template::heap_limit`].
    Allocate {
        /// Receives the address; 64 bits.
        register: RegisterId,
        /// Which allocation.
        site: HeapSiteId,
        /// Size in bytes, 64 bits.
        size: Operand,
        /// Whether the content is zero.
        zeroed: bool,
    },
    /// Frees an object; the null pointer is ignored, any other address that is not the start of a live heap object is undefined.
    Free {
        /// 64 bits.
        address: Operand,
        /// Whether it is the end of memory of the stack. Then any address is ignored that is not the start of a live object of an
        /// allocation that is automatic, and else that of one.
        automatic: bool,
    },
    /// Reads how large a heap object is. Undefined as in `Free`, and for the null pointer.
    Size {
        /// Receives the number of bytes; 64 bits.
        register: RegisterId,
        /// 64 bits.
        address: Operand,
    },
    /// Starts the next unused instance of the template of the start routine; without one the thread goes to [`Template::thread_limit`].
    Create {
        /// Receives the handle; 64 bits.
        register: RegisterId,
        /// Address of the start routine; 64 bits.
        start: Operand,
        /// Its argument; 64 bits.
        argument: Operand,
    },
    /// Waits until the thread has exited. Unknown handles and those of threads that were joined or detached are undefined.
    Join {
        /// Receives 0, or [`abi::mutex::DEADLOCK`] at once if the thread is the executing one; 32 bits.
        register: RegisterId,
        /// The handle; 64 bits.
        thread: Operand,
        /// Where the thread's result is stored unless null; 64 bits.
        value: Operand,
    },
    /// Says that nobody joins the thread. Handles are undefined as in `Join`.
    Detach {
        /// The handle; 64 bits.
        thread: Operand,
    },
    /// Reads the handle of the executing thread; 64 bits.
    SelfHandle {
        /// Written.
        register: RegisterId,
    },
    /// Reads [`InstanceId::number`] of the executing thread; 32 bits.
    SelfNumber {
        /// Written.
        register: RegisterId,
    },
    /// Turns an address into the number that a machine has for it: where its object lies plus the offset. A handle is the address of
    /// a thread here, and its number arbitrary. What is no address of an object stays as it is, and so does an address that nothing is computed from but what all machines agree on.
    Number {
        /// Receives the number; 64 bits.
        register: RegisterId,
        /// 64 bits.
        address: Operand,
        /// When the address stays as it is.
        unless: Agreement,
    },
    /// Evaluates dynamic both-moving conditions (Sec. 4.1 of the paper): whether other threads may still execute statements that
    /// conflict with one.
    TestConflicts {
        /// One bit: 1 if `known` is, or if one of the tests finds a conflict.
        register: RegisterId,
        /// One bit: a conflict that was found before.
        known: Operand,
        /// The conflicts to look for.
        tests: Vec<ConflictTest>,
    },
    /// An operation on a mutex.
    Mutex {
        /// Which.
        operation: MutexOperation,
        /// Receives the result code; 32 bits.
        register: RegisterId,
        /// Address of the mutex; 64 bits.
        mutex: Operand,
    },
    /// Enters an atomic region.
    AtomicBegin,
    /// Leaves it.
    AtomicEnd,
    /// Ends the thread; the target is its [`LocationKind::Exited`] location.
    Return {
        /// What joining it yields; 64 bits. Arbitrary if absent.
        value: Option<Operand>,
    },
}

/// Where in an object words of 8 bytes may lie.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Words(pub BTreeSet<Offsets>);

impl FromIterator<Offsets> for Words {
    fn from_iter<I: IntoIterator<Item = Offsets>>(offsets: I) -> Self {
        Self(offsets.into_iter().collect())
    }
}

impl Words {
    /// How many bytes one has.
    pub const SIZE: u32 = 8;

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The first bytes of those that have some of the `size` bytes from `offset` on, but others, too.
    pub fn divided(&self, offset: u32, size: u32) -> impl Iterator<Item = u32> + '_ {
        let end = offset.saturating_add(size);
        let starts = offset.saturating_sub(Self::SIZE - 1)..end;
        starts.filter(move |&start| {
            let is_whole = offset <= start && start.saturating_add(Self::SIZE) <= end;
            !is_whole && self.0.iter().any(|offsets| offsets.contains(start))
        })
    }

    /// The bytes that a word has in common with `size` bytes from `offset` on.
    pub fn common(start: u32, offset: u32, size: u32) -> Range<u32> {
        start.max(offset)
            ..start
                .saturating_add(Self::SIZE)
                .min(offset.saturating_add(size))
    }
}

/// When all machines agree on what is computed from an address, wherever its object lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Agreement {
    /// They do not.
    Never,
    /// If this is an address in the same object, and neither is before its start: on order and difference.
    SameObject(Operand),
    /// If this is null or another small number and the address is not before the start of its object, or if it is an address too, unless the two are of different objects and one of them is not inside of its object, or of
    /// a variable whose life is over, or both are of constants that a compiler may put into one place, or of threads one of which may have got the handle
    /// of the other ([`crate::threads::Sharing`]): on equality.
    Distinct(Operand),
    /// If this number is null or another one that is the address of nothing, and the address is not before the start of its object: on equality.
    Small(Operand),
    /// If this number and the address's distance from its object are both below [`crate::threads::FAR`]: the sum is an address near
    /// the same object.
    Near(Operand),
}

impl Agreement {
    /// What it looks at, 64 bits.
    pub fn operand(self) -> Option<Operand> {
        match self {
            Self::Never => None,
            Self::SameObject(operand)
            | Self::Distinct(operand)
            | Self::Small(operand)
            | Self::Near(operand) => Some(operand),
        }
    }
}

/// A conflict that [`Statement::TestConflicts`] looks for. A thread that was not started counts as at its entry, where the value of its
/// parameter is not known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConflictTest {
    /// Reachability: another thread is at one of these locations, by template.
    CanReach(BTreeMap<TemplateId, BTreeSet<LocationId>>),
    /// Another thread of one of these templates was not started.
    Unstarted(BTreeSet<TemplateId>),
    /// Static pointer: another thread may still perform an access that overlaps this one.
    MayAlias {
        /// 64 bits.
        address: Operand,
        /// In bytes.
        size: u32,
        /// The accesses of others.
        accesses: Vec<FutureAccess>,
    },
    /// Lock pointer: another thread may still acquire a mutex whose address differs from `address`.
    MayLockOther {
        /// 64 bits.
        address: Operand,
        /// The accesses of others.
        accesses: Vec<FutureAccess>,
    },
    /// Monotonic atomic: memory holds one of these values, of one width. So it does if the address does not point into a live object.
    CellHolds {
        /// 64 bits.
        address: Operand,
        /// Of 8, 16, 32 or 64 bits.
        values: BTreeSet<Bits>,
    },
}

/// An access that a thread may still perform, with the symbolic address that it has then.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FutureAccess {
    /// The thread's template.
    pub template: TemplateId,
    /// The locations of threads that may still perform it.
    pub locations: BTreeSet<LocationId>,
    /// What the address is computed from while the thread is there.
    pub pointer: AddressSource,
    /// Added to the pointer.
    pub offset: u64,
    /// In bytes.
    pub size: u32,
}

/// The base of a symbolic address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum AddressSource {
    /// What this operand is in that thread.
    Operand(Operand),
    /// What 64 bits of memory hold at a byte offset of a global variable.
    Cell(GlobalId, u32),
}

impl AddressSource {
    /// The global variable and the byte offset, if the value comes from memory.
    pub fn cell(self) -> Option<(GlobalId, u32)> {
        match self {
            Self::Cell(global, at) => Some((global, at)),
            Self::Operand(_) => None,
        }
    }
}

/// Operations on a mutex. Its kind and state live in its memory; see `docs/semantics.md`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MutexOperation {
    /// Waits until it is free, then takes it.
    Lock,
    /// Takes it if it is free and says so.
    TryLock,
    /// Releases it.
    Unlock,
}

/// Why a value is arbitrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HavocOrigin {
    /// A nondeterministic function: an input of the program.
    Input,
    /// LLVM's undef or poison, or a variable without initial value.
    Undefined,
    /// The result of a library function that is not modelled.
    Library,
    /// Whether a lock is the one that is watched.
    Watch,
}

/// A pure function of operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The operand itself.
    Copy(Operand),
    /// Two operands and result of equal width.
    Binary(BinaryOperator, Operand, Operand),
    /// Two operands of equal width, a one-bit result.
    Compare(Comparison, Operand, Operand),
    /// To the width of the written register.
    Cast(Cast, Operand),
    /// The second operand if the first (one bit) is 1, else the third.
    Select(Operand, Operand, Operand),
    /// `base + constant + sum of index * scale` modulo 2^64; indices are sign-extended or truncated to 64 bits.
    /// If the sum of what is added is not below [`crate::threads::FAR`], bit 63 of the result is set: nothing is there.
    /// The only operation, beside copies and selection, that makes pointers from pointers.
    Offset {
        /// 64 bits.
        base: Operand,
        /// In bytes.
        constant: u64,
        /// Index and its scale in bytes.
        indices: Vec<(Operand, u64)>,
    },
}

/// Changes of width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Cast {
    /// New bits are 0.
    ZeroExtend,
    /// New bits are the sign.
    SignExtend,
    /// High bits are dropped.
    Truncate,
    /// The number, of 32 bits, of the object that an address was made from. It is no number of a machine.
    Object,
}

/// A global or thread-local variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Global {
    /// Its C name.
    pub name: String,
    /// First content; its length is the size in bytes.
    pub bytes: Vec<u8>,
    /// Addresses within the first content: byte offset of the eight bytes, place, offset from the place.
    pub relocations: Vec<(u32, Place, u32)>,
    /// Whether it may be written; writing a constant is undefined.
    pub writable: bool,
    /// Whether each thread has its own copy.
    pub thread_local: bool,
    /// Its address is a multiple of this power of two.
    pub alignment: u32,
    /// Whether it is a constant that need not have a place of its own, as a string literal.
    pub mergeable: bool,
}

impl Global {
    /// Whether some byte of this variable may be in the place of one of another variable. String literals may share their ends.
    /// C gives a declared constant a place of its own, but LLVM puts string literals of equal content there.
    pub fn may_share_place(&self, other: &Self) -> bool {
        let equal = || {
            let constant = !self.writable && !other.writable;
            constant && self.bytes == other.bytes && self.relocations == other.relocations
        };
        match (self.mergeable, other.mergeable) {
            (true, true) => true,
            (true, false) | (false, true) => equal(),
            (false, false) => false,
        }
    }
}

/// A function whose address is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Function {
    /// Its C name.
    pub name: String,
    /// Its automaton, if it may be a start routine.
    pub template: Option<TemplateId>,
}

/// An allocation statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeapSite {
    /// The template that executes it.
    pub template: TemplateId,
    /// Size in bytes of the objects to reserve: the constant size, or the bound for a computed one.
    pub size: u32,
    /// Where it stands.
    pub site: SiteId,
    /// Whether it takes memory of the stack, which cannot be freed and ends with its function.
    pub automatic: bool,
}

/// A source position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Source file; empty without debug information.
    pub file: String,
    /// Line from 1; 0 without debug information.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// The C function, innermost when inlined.
    pub function: String,
    /// Where it is in the bitcode.
    pub block: BlockId,
}

impl Program {
    /// What is violated where an edge from this site leads to an error, in the user's words.
    pub fn property(&self, site: SiteId) -> &str {
        self.explanations
            .get(&site)
            .map_or("assertion", String::as_str)
    }

    /// Whether all ways to an instruction in the bitcode pass another one, those included that the model does not have,
    /// such as behind a violation.
    pub fn dominates(&self, first: SiteId, then: SiteId) -> bool {
        let (block, mut reached) = (self.sites[first].block, self.sites[then].block);
        if block == reached {
            return first < then;
        }
        while let Some(dominator) = self.dominators[reached] {
            if dominator == block {
                return true;
            }
            reached = dominator;
        }
        false
    }
}

/// A construct that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// In the user's words: "inline assembly", "call of undefined function `f`".
    pub what: String,
    /// Where it stands.
    pub site: SiteId,
}

/// The threads and memory objects of all runs within the bounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instances {
    /// How far they were enumerated.
    pub bounds: crate::threads::Bounds,
    /// The threads; [`InstanceId::MAIN`] first. Instances of one template are started in order.
    pub threads: PrimaryMap<InstanceId, Instance>,
    /// The objects. The address of object `n` is `MARK + ((n + 1) << 32)`.
    pub objects: PrimaryMap<ObjectId, Object>,
    /// Where the objects of places and allocation statements are.
    pub(crate) layout: crate::threads::Layout,
}

/// One run of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instance {
    /// What it runs.
    pub template: TemplateId,
    /// Its number among the instances of the template, from 0.
    pub ordinal: u32,
}

/// A memory object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is.
    pub kind: ObjectKind,
    /// Size in bytes.
    pub size: u32,
    /// Its address is a multiple of this power of two.
    pub alignment: u32,
}

/// What a memory object is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// A function; it has an address and no content.
    Function(FunctionId),
    /// A global variable.
    Global(GlobalId),
    /// A thread's copy of a thread-local variable.
    ThreadLocal(GlobalId, InstanceId),
    /// A thread's copy of an automatic variable.
    Local(LocalId, InstanceId),
    /// A thread. Its address is the handle, and the number of that what a machine has as the handle; it has no content.
    Thread(InstanceId),
    /// A slot for a heap object; dead until allocated. Sites share slots if the program frees anything.
    Heap {
        /// Which pool of slots, by the number of its first allocation statement; see [`Instances`].
        pool: u32,
        /// Number within the pool.
        slot: u32,
    },
    /// Where this object lies, as 64 arbitrary bits of which [`Instances::lies_at`] makes an address. No address points here.
    Base(ObjectId),
}

impl Bits {
    /// The constant `value` modulo 2^`width`.
    pub fn new(width: u32, value: u128) -> Self {
        Self {
            width,
            value: value & Self::mask(width),
        }
    }

    /// The truth value as one bit.
    pub fn bit(value: bool) -> Self {
        Self {
            width: 1,
            value: u128::from(value),
        }
    }

    /// The largest value of `width` bits.
    pub fn mask(width: u32) -> u128 {
        if width >= 128 {
            u128::MAX
        } else {
            (1 << width) - 1
        }
    }

    /// The value read as two's complement.
    pub fn signed(self) -> i128 {
        let unused = 128 - self.width;
        ((self.value << unused) as i128) >> unused
    }
}
