//! The single table of statement effects: which registers a statement reads and writes, which memory it accesses, which
//! lifetimes of objects it starts and ends, what it does with threads, and whether it may have to wait.
//!
//! Analyses, the reduction and the encoding use this table. The exhaustive search does not use it: the search has its
//! own definition of independent statements, because it checks the results of all users of the table.

use super::{
    Agreement, Bits, ConflictTest, HeapSiteId, LeakSearch, LocalId, MutexOperation, Operand,
    Operation, RegisterId, Statement, Template, UpdateOperator, Words,
};

/// What a statement does beyond the registers of its thread.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effects<'a> {
    /// The memory that it accesses at an address.
    pub access: Option<Access<'a>>,
    /// What it does with the lives of objects.
    pub life: Option<LifeEffect<'a>>,
    /// What it does with threads.
    pub thread: Option<ThreadEffect>,
    /// Whether it enters or leaves an atomic region.
    pub region: Option<RegionEffect>,
}

/// An access to memory at an address. It is undefined if the address does not point into a live object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access<'a> {
    /// Where, as wide as an address.
    pub address: Operand,
    /// How many bytes.
    pub extent: Extent,
    /// What is done with them.
    pub kind: AccessKind,
    /// The operand that is written, or with which the old content is updated.
    pub written: Option<Operand>,
    /// Where words may lie that hold addresses, if the access may be to parts of such words.
    pub words: Option<&'a Words>,
}

/// How many bytes an access is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// As many as this value takes in memory.
    Of(Operand),
    /// An address.
    Address,
    /// A mutex.
    Mutex,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AccessKind {
    /// Reads.
    Read,
    /// Writes.
    Write,
    /// Reads, and writes a function of what was there.
    Update(UpdateOperator),
    /// Reads, and writes if something was there.
    CompareExchange,
    /// Operates on a mutex.
    Mutex(MutexOperation),
}

/// What a statement does with the lives of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LifeEffect<'a> {
    /// Starts that of a local.
    Starts(&'a LocalId),
    /// Ends those of locals.
    Ends(&'a [LocalId]),
    /// Starts that of an object of an allocation statement.
    Allocates {
        /// Which statement.
        site: HeapSiteId,
        /// Whether the content is zero, and not arbitrary.
        zeroed: bool,
    },
    /// Ends that of the object at an address; [`Statement::Free`].
    Frees {
        /// As wide as an address.
        address: Operand,
        /// Whether it is the end of memory of the stack.
        automatic: bool,
    },
    /// Asks for the size of the object at an address, and so whether it is alive.
    Measures {
        /// As wide as an address.
        address: Operand,
    },
    /// Asks where the object at an address lies; [`Statement::Number`].
    Locates {
        /// As wide as an address.
        address: Operand,
        /// When it does not.
        unless: Agreement,
    },
    /// Asks which heap objects are alive and what leads to them; [`Statement::FindLeak`].
    FindsLeaks(LeakSearch),
    /// Asks whether the objects of two addresses are alive, if the values are addresses.
    Compares([Operand; 2]),
}

/// What a statement does with threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadEffect {
    /// Starts one.
    Creates {
        /// Address of the start routine; as wide as an address.
        start: Operand,
        /// Its argument; as wide as an address.
        argument: Operand,
    },
    /// Waits for the end of a thread, which no statement may join or detach again.
    Joins {
        /// The handle; as wide as an address.
        thread: Operand,
    },
    /// Says that no statement joins a thread.
    Detaches {
        /// The handle; as wide as an address.
        thread: Operand,
    },
    /// Asks which thread a handle names, which may be joined or detached still.
    Names {
        /// The handle; as wide as an address.
        thread: Operand,
    },
    /// Ends its own, and the lives of its variables.
    Exits {
        /// The result; arbitrary if absent.
        value: Option<Operand>,
    },
}

/// What a statement does with an atomic region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionEffect {
    /// Enters it.
    Enters,
    /// Leaves it.
    Leaves,
}

impl Statement {
    /// What it does beyond the registers of its thread.
    pub fn effects(&self) -> Effects<'_> {
        let mut effects = Effects::default();
        match *self {
            // A test of conflicts looks at other threads for the sake of a reduction, together with the statement that it is about.
            Self::Skip
            | Self::Guard { .. }
            | Self::Assign { .. }
            | Self::ParallelAssign(_)
            | Self::Havoc { .. }
            | Self::SelfHandle { .. }
            | Self::SelfNumber { .. }
            | Self::TestConflicts { .. } => {}
            Self::Load {
                register,
                address,
                atomic: _,
                ref words,
            } => {
                effects.access = Some(Access {
                    address,
                    extent: Extent::Of(Operand::Register(register)),
                    kind: AccessKind::Read,
                    written: None,
                    words: Some(words),
                });
            }
            Self::Store {
                value,
                address,
                atomic: _,
                ref words,
            } => {
                effects.access = Some(Access {
                    address,
                    extent: Extent::Of(value),
                    kind: AccessKind::Write,
                    written: Some(value),
                    words: Some(words),
                });
            }
            Self::AtomicRmw {
                register,
                address,
                operator,
                operand,
            } => {
                effects.access = Some(Access {
                    address,
                    extent: Extent::Of(Operand::Register(register)),
                    kind: AccessKind::Update(operator),
                    written: Some(operand),
                    words: None,
                });
            }
            Self::CompareExchange {
                register,
                success: _,
                address,
                expected,
                desired,
            } => {
                let old = Operand::Register(register);
                effects.access = Some(Access {
                    address,
                    extent: Extent::Of(old),
                    kind: AccessKind::CompareExchange,
                    written: Some(desired),
                    words: None,
                });
                effects.life = Some(LifeEffect::Compares([old, expected]));
            }
            Self::LifetimeStart { ref local } => effects.life = Some(LifeEffect::Starts(local)),
            Self::LifetimeEnd { ref locals } => effects.life = Some(LifeEffect::Ends(locals)),
            Self::Allocate { site, zeroed, .. } => {
                effects.life = Some(LifeEffect::Allocates { site, zeroed });
            }
            Self::Free { address, automatic } => {
                effects.life = Some(LifeEffect::Frees { address, automatic });
            }
            Self::Size { address, .. } => effects.life = Some(LifeEffect::Measures { address }),
            Self::Number {
                address, unless, ..
            } => effects.life = Some(LifeEffect::Locates { address, unless }),
            Self::FindLeak(search) => effects.life = Some(LifeEffect::FindsLeaks(search)),
            Self::Create {
                start, argument, ..
            } => effects.thread = Some(ThreadEffect::Creates { start, argument }),
            Self::Join { thread, value, .. } => {
                effects.thread = Some(ThreadEffect::Joins { thread });
                effects.access = (!is_null(value)).then_some(Access {
                    address: value,
                    extent: Extent::Address,
                    kind: AccessKind::Write,
                    written: None,
                    words: None,
                });
            }
            Self::Detach { thread } => effects.thread = Some(ThreadEffect::Detaches { thread }),
            Self::NumberOfThread { thread, .. } => {
                effects.thread = Some(ThreadEffect::Names { thread })
            }
            Self::Mutex {
                operation, mutex, ..
            } => {
                effects.access = Some(Access {
                    address: mutex,
                    extent: Extent::Mutex,
                    kind: AccessKind::Mutex(operation),
                    written: None,
                    words: None,
                });
            }
            Self::AtomicBegin => effects.region = Some(RegionEffect::Enters),
            Self::AtomicEnd => effects.region = Some(RegionEffect::Leaves),
            Self::Return { value } => effects.thread = Some(ThreadEffect::Exits { value }),
        }
        effects
    }

    /// Whether it reads and writes nothing but registers of the executing thread.
    pub fn is_private(&self) -> bool {
        self.effects() == Effects::default()
    }

    /// The locals whose lifetimes it starts or ends.
    pub fn lifetimes(&self) -> &[LocalId] {
        let life = self.effects().life;
        if let Some(LifeEffect::Starts(local)) = life {
            std::slice::from_ref(local)
        } else if let Some(LifeEffect::Ends(locals)) = life {
            locals
        } else {
            &[]
        }
    }

    /// Calls `f` with every operand that is read.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Self::Skip
            | Self::Havoc { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::SelfHandle { .. }
            | Self::SelfNumber { .. }
            | Self::FindLeak(_)
            | Self::AtomicBegin
            | Self::AtomicEnd => {}
            Self::TestConflicts { known, tests, .. } => {
                f(*known);
                tests.iter().filter_map(ConflictTest::address).for_each(f)
            }
            Self::Guard { condition, .. } => f(*condition),
            Self::Assign { operation, .. } => operation.for_each_operand(f),
            Self::ParallelAssign(moves) => moves.iter().for_each(|(_, value)| f(*value)),
            Self::Load { address, .. }
            | Self::Free { address, .. }
            | Self::Size { address, .. } => f(*address),
            Self::Store { value, address, .. } => [*value, *address].into_iter().for_each(f),
            Self::AtomicRmw {
                address, operand, ..
            } => [*address, *operand].into_iter().for_each(f),
            Self::CompareExchange {
                address,
                expected,
                desired,
                ..
            } => {
                [*address, *expected, *desired].into_iter().for_each(f);
            }
            Self::Allocate { size, .. } => f(*size),
            Self::Create {
                start, argument, ..
            } => [*start, *argument].into_iter().for_each(f),
            Self::Join { thread, value, .. } => [*thread, *value].into_iter().for_each(f),
            Self::Detach { thread } | Self::NumberOfThread { thread, .. } => f(*thread),
            Self::Mutex { mutex, .. } => f(*mutex),
            Self::Number {
                address, unless, ..
            } => {
                f(*address);
                unless.operand().into_iter().for_each(f);
            }
            Self::Return { value } => value.iter().for_each(|value| f(*value)),
        }
    }

    /// Calls `f` with every register that is read.
    pub fn for_each_use(&self, mut f: impl FnMut(RegisterId)) {
        self.for_each_operand(|operand| {
            if let Operand::Register(register) = operand {
                f(register);
            }
        });
    }

    /// Calls `f` with every register that is written.
    pub fn for_each_definition(&self, mut f: impl FnMut(RegisterId)) {
        match self {
            Self::Skip
            | Self::Guard { .. }
            | Self::Store { .. }
            | Self::LifetimeStart { .. }
            | Self::LifetimeEnd { .. }
            | Self::Free { .. }
            | Self::Detach { .. }
            | Self::FindLeak(_)
            | Self::AtomicBegin
            | Self::AtomicEnd
            | Self::Return { .. } => {}
            Self::ParallelAssign(moves) => moves.iter().for_each(|(register, _)| f(*register)),
            Self::CompareExchange {
                register, success, ..
            } => {
                f(*register);
                f(*success);
            }
            Self::Assign { register, .. }
            | Self::Havoc { register, .. }
            | Self::Load { register, .. }
            | Self::AtomicRmw { register, .. }
            | Self::Allocate { register, .. }
            | Self::Size { register, .. }
            | Self::Create { register, .. }
            | Self::Join { register, .. }
            | Self::SelfHandle { register }
            | Self::SelfNumber { register }
            | Self::NumberOfThread { register, .. }
            | Self::Number { register, .. }
            | Self::TestConflicts { register, .. }
            | Self::Mutex { register, .. } => f(*register),
        }
    }
}

impl Operation {
    /// Calls `f` with every operand.
    pub fn for_each_operand(&self, mut f: impl FnMut(Operand)) {
        match self {
            Self::Copy(a) | Self::Cast(_, a) => f(*a),
            Self::Binary(_, a, b) | Self::Compare(_, a, b) => [*a, *b].into_iter().for_each(f),
            Self::Select(a, b, c) => [*a, *b, *c].into_iter().for_each(f),
            Self::Offset { base, indices, .. } => {
                f(*base);
                indices.iter().for_each(|(index, _)| f(*index));
            }
        }
    }
}

impl ConflictTest {
    /// The address whose accesses or content are tested, if it is that of one.
    pub fn address(&self) -> Option<Operand> {
        match self {
            Self::CanReach(_) | Self::Unstarted(_) => None,
            Self::MayAlias { address, .. }
            | Self::MayLockOther { address, .. }
            | Self::CellHolds { address, .. } => Some(*address),
        }
    }
}

impl Effects<'_> {
    /// Whether the thread may have to wait for another one before it executes the statement.
    pub fn may_wait(&self) -> bool {
        let joins = matches!(self.thread, Some(ThreadEffect::Joins { .. }));
        let finds = matches!(self.life, Some(LifeEffect::FindsLeaks(_)));
        joins || finds || self.mutex() == Some(MutexOperation::Lock)
    }

    /// The operation on a mutex.
    pub fn mutex(&self) -> Option<MutexOperation> {
        match self.access?.kind {
            AccessKind::Mutex(operation) => Some(operation),
            AccessKind::Read
            | AccessKind::Write
            | AccessKind::Update(_)
            | AccessKind::CompareExchange => None,
        }
    }

    /// The handle of the thread that is joined or detached.
    pub fn claimed(&self) -> Option<Operand> {
        match self.thread? {
            ThreadEffect::Joins { thread } | ThreadEffect::Detaches { thread } => Some(thread),
            ThreadEffect::Creates { .. }
            | ThreadEffect::Names { .. }
            | ThreadEffect::Exits { .. } => None,
        }
    }

    /// Whether it starts or ends lives of objects.
    pub fn changes_lives(&self) -> bool {
        let of_objects = self.life.is_some_and(|life| match life {
            LifeEffect::Starts(_)
            | LifeEffect::Ends(_)
            | LifeEffect::Allocates { .. }
            | LifeEffect::Frees { .. } => true,
            LifeEffect::Measures { .. }
            | LifeEffect::Locates { .. }
            | LifeEffect::FindsLeaks(_)
            | LifeEffect::Compares(_) => false,
        });
        of_objects || matches!(self.thread, Some(ThreadEffect::Exits { .. }))
    }
}

impl Access<'_> {
    /// How many bytes it is to.
    pub fn size(&self, template: &Template) -> u32 {
        match self.extent {
            Extent::Of(value) => template.width(value).div_ceil(8),
            Extent::Address => template.data_model.address_bytes(),
            Extent::Mutex => template.data_model.mutex().size,
        }
    }

    /// Whether it is to parts of words that hold addresses, maybe.
    pub fn may_divide_words(&self) -> bool {
        self.words.is_some_and(|words| !words.is_empty())
    }
}

impl AccessKind {
    /// Whether the access may change the accessed memory.
    pub fn writes(self) -> bool {
        match self {
            Self::Read => false,
            Self::Write | Self::Update(_) | Self::CompareExchange | Self::Mutex(_) => true,
        }
    }

    /// Whether it depends on what is there.
    pub fn reads(self) -> bool {
        match self {
            Self::Write => false,
            Self::Read | Self::Update(_) | Self::CompareExchange | Self::Mutex(_) => true,
        }
    }
}

/// Whether an operand is the constant null pointer.
fn is_null(operand: Operand) -> bool {
    matches!(operand, Operand::Constant(Bits { value: 0, .. }))
}
