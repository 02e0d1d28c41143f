//! Statements, which the edges of automata carry.

use super::{
    ConflictTest, HeapSiteId, LocalId, Operand, Operation, RegisterId, UpdateOperator, Words,
};

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
    /// Reads memory. An address that does not point into a live object leads to [`Template::undefined`](super::Template::undefined).
    Load {
        /// Written; its width rounded up to bytes is the size of the access. Bits above the width are ignored.
        register: RegisterId,
        /// As wide as an address.
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
        /// As wide as an address.
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
        /// As wide as an address.
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
        /// As wide as an address.
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
    /// Allocates an object of arbitrary or zero content; without a free slot the thread goes to [`Template::heap_limit`](super::Template::heap_limit).
    Allocate {
        /// Receives the address; as wide as an address.
        register: RegisterId,
        /// Which allocation.
        site: HeapSiteId,
        /// Size in bytes, as wide as an address.
        size: Operand,
        /// Whether the content is zero.
        zeroed: bool,
    },
    /// Frees an object; the null pointer is ignored, any other address that is not the start of a live heap object is undefined.
    Free {
        /// As wide as an address.
        address: Operand,
        /// Whether it is the end of memory of the stack. Then any address is ignored that is not the start of a live object of an
        /// allocation that is automatic, and else that of one.
        automatic: bool,
    },
    /// Reads how large a heap object is. Undefined as in `Free`, and for the null pointer.
    Size {
        /// Receives the number of bytes; as wide as an address.
        register: RegisterId,
        /// As wide as an address.
        address: Operand,
    },
    /// Starts the next unused instance of the template of the start routine; without one the thread goes to [`Template::thread_limit`](super::Template::thread_limit).
    Create {
        /// Receives the handle; as wide as an address.
        register: RegisterId,
        /// Address of the start routine; as wide as an address.
        start: Operand,
        /// Its argument; as wide as an address.
        argument: Operand,
    },
    /// Waits until the thread has exited. Unknown handles and those of threads that were joined or detached are undefined.
    Join {
        /// Receives 0, or [`abi::mutex::DEADLOCK`] at once if the thread is the executing one; 32 bits.
        register: RegisterId,
        /// The handle; as wide as an address.
        thread: Operand,
        /// Where the thread's result is stored unless null; as wide as an address.
        value: Operand,
    },
    /// Says that no statement joins the thread. Handles are undefined as in `Join`.
    Detach {
        /// The handle; as wide as an address.
        thread: Operand,
    },
    /// Reads the handle of the executing thread; as wide as an address.
    SelfHandle {
        /// Written.
        register: RegisterId,
    },
    /// Reads [`InstanceId::number`](abi::ids::InstanceId::number) of the executing thread; 32 bits.
    SelfNumber {
        /// Written.
        register: RegisterId,
    },
    /// Reads [`InstanceId::number`](abi::ids::InstanceId::number) of the thread of a handle. Handles are undefined as in `Join`, but that of
    /// the executing thread never is.
    NumberOfThread {
        /// Written; 32 bits.
        register: RegisterId,
        /// The handle; as wide as an address.
        thread: Operand,
    },
    /// Turns an address into the number that a machine has for it: where its object lies plus the offset. A handle is the address of
    /// a thread here, and its number arbitrary. What is no address of an object stays as it is, and so does an address that nothing is computed from but what all machines agree on.
    Number {
        /// Receives the number; as wide as an address.
        register: RegisterId,
        /// As wide as an address.
        address: Operand,
        /// When the address stays as it is.
        unless: Agreement,
    },
    /// Passes only if memory is lost: a heap object lives, and no variable of static storage, nor a thread-local one of the executing
    /// thread, leads to it, directly or through other heap objects. [`crate::leaks`] says where addresses are looked for.
    FindLeak(LeakSearch),
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
        /// Address of the mutex; as wide as an address.
        mutex: Operand,
    },
    /// Enters an atomic region.
    AtomicBegin,
    /// Leaves it.
    AtomicEnd,
    /// Ends the thread; the target is its [`LocationKind::Exited`](super::LocationKind::Exited) location.
    Return {
        /// What joining it yields; as wide as an address. Arbitrary if absent.
        value: Option<Operand>,
    },
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
    /// If this number and the address's distance from its object are both below [`DataModel::far`](super::DataModel::far): the sum is
    /// an address near the same object.
    Near(Operand),
}

impl Agreement {
    /// What it looks at, as wide as an address.
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

/// What memory that is lost is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LeakSearch {
    /// A leak if the program ends: all other threads have ended, and addresses are held nowhere else.
    Certain,
    /// What may be one: all other threads have ended, but addresses may be held in another form.
    Hidden,
    /// What local variables of other threads may lead to: one of these has not ended.
    Beside,
    /// What local variables of any thread may lead to.
    Any,
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
    /// What a function without definition returns, or leaves in a variable, if it is taken to be arbitrary.
    External,
    /// The result of a library function that is not modelled.
    Library,
    /// Whether a lock is the one that is watched, or a thread's next access the one that it announces.
    Watch,
}
