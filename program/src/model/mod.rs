//! The program model: control-flow automata over memory, as owned data with dense ids.
//!
//! A [`Program`] is the meaning of LLVM bitcode, without LLVM. Each function that runs as a thread is a [`Template`]:
//! an automaton whose edges carry one [`Statement`] each and whose locations are the values of the thread's program
//! counter. [`Instances`] enumerates, within the bounds of the command line, the threads and memory objects of all
//! runs. The interpreter (`explicit::interpret`) defines the meaning of every statement; `docs/semantics.md` describes
//! it.

mod calls;
mod condition;
mod data_model;
mod effects;
mod instances;
mod objects;
mod operand;
mod property;
mod statement;
mod types;
mod undefined;
mod words;

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;
use cranelift_entity::{PrimaryMap, entity_impl};

pub use self::calls::{CallSite, CallSiteId, LibraryCall};
pub use self::condition::{
    AddressSource, BothMoverCondition, ConflictTest, FutureAccess, LockPointer, Mark,
    MonotonicAtomic, NoAlias, PhaseAnnotation,
};
pub use self::data_model::{DataModel, LOWEST};
pub use self::effects::{
    Access, AccessKind, Effects, Extent, LifeEffect, RegionEffect, ThreadEffect,
};
pub use self::instances::{Bounds, Instance, Instances, Object, ObjectKind};
pub(crate) use self::instances::{ObjectTable, Pool, PoolKind};
pub use self::objects::{Function, Global, HeapSite};
pub use self::operand::{Bits, Cast, Operand, Operation, Place};
pub use self::property::Property;
pub use self::statement::{Agreement, HavocOrigin, LeakSearch, MutexOperation, Statement};
pub use self::types::{CType, CTypeKind, Member, Part, TypeId, Types};
pub use self::undefined::{InvalidAccess, Undefined};
pub use self::words::{Offsets, Words};
pub use crate::operators::{BinaryOperator, Comparison, UpdateOperator};

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

impl HeapSiteId {
    /// The first one.
    pub(crate) const FIRST: Self = Self(0);
}

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
    /// How wide addresses are; the same in all templates.
    pub data_model: DataModel,
    /// Every function that may be run as a thread.
    pub templates: PrimaryMap<TemplateId, Template>,
    /// The template of `main`.
    pub main: TemplateId,
    /// Global and thread-local variables.
    pub globals: PrimaryMap<GlobalId, Global>,
    /// What is verified of it: the properties that its error locations stand for.
    pub properties: BTreeSet<Property>,
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
    /// Functions without definition that are taken to return any value and to change only the variables that their arguments point into.
    pub arbitrary_functions: BTreeSet<String>,
    /// What verdicts say of instructions, in the user's words: of an arbitrary value where it comes from ("the result of `clock`"), of a
    /// requirement what happens where it does not hold ("division by zero"), of an error that is no assertion what it is ("abort").
    pub explanations: BTreeMap<SiteId, String>,
    /// Where library functions use a lock, a semaphore, a barrier or a condition variable by what its memory holds: only what was initialised
    /// may be used.
    pub lock_uses: BTreeSet<SiteId>,
    /// Where library functions change what these hold, or look at anything for themselves.
    pub library_accesses: BTreeSet<SiteId>,
    /// Where library functions access their own variables, or what they operate on, such as a lock. They order that themselves; all else
    /// that they access is accessed for the program.
    pub ordered_accesses: BTreeSet<SiteId>,
    /// Where a library function reads a byte that stands for all bytes from there to the end of the object.
    pub wide_reads: BTreeSet<SiteId>,
    /// Where a demand of the user is evaluated: no accesses of the program itself.
    pub demand_accesses: BTreeSet<SiteId>,
    /// Where a thread looks whether others have said that they wait for good, and stays if so, as it may let them go on; or says that it is
    /// about to end.
    pub let_go: BTreeSet<SiteId>,
    /// Where a thread looks whether it has to wait for a mutex, to say then that it does so for good.
    pub wait_checks: BTreeSet<SiteId>,
    /// Atomic accesses that are not sequentially consistent.
    pub weak_orders: BTreeMap<SiteId, WeakOrder>,
    /// Where a thread says which access it is about to make, if data races are looked for. Nothing else accesses it.
    pub announcement: Option<GlobalId>,
    /// Why a race that is found may be none, if data races are looked for and that may be: not 0 then.
    pub doubt: Option<GlobalId>,
    /// Where the library requires something of what it is given, else the meaning is undefined.
    pub requirements: BTreeSet<SiteId>,
    /// Which property is violated where what a site requires does not hold, if one is about that.
    pub required_by: BTreeMap<SiteId, Property>,
    /// The calls that sites were inlined for.
    pub call_sites: PrimaryMap<CallSiteId, CallSite>,
    /// The types of variables.
    pub types: Types,
    /// Templates that stand for threads of which there may be any number: those that stand for the same ones, in one list. Each has one
    /// instance; see [`crate::threads::represent`].
    pub families: Vec<Vec<TemplateId>>,
}

impl Program {
    /// Whether an instance of a template stands for one of any number of threads.
    pub fn is_representative(&self, template: TemplateId) -> bool {
        self.families
            .iter()
            .flatten()
            .any(|&member| member == template)
    }

    /// Sets what is verified of a program as it was read, before a reduction adds to it. An assertion that is not verified ends the run
    /// where it fails.
    pub fn verify(&mut self, properties: BTreeSet<Property>) {
        for template in self.templates.values_mut() {
            if !properties.contains(&Property::UnreachCall) {
                for location in template.locations.values_mut() {
                    if location.kind == LocationKind::Error(Property::UnreachCall) {
                        location.kind = LocationKind::Halted;
                    }
                }
            }
            let undefined = template.undefined;
            for &property in &properties {
                if matches!(
                    property,
                    Property::UnreachCall | Property::NoDataRace | Property::NoInfiniteRun
                ) {
                    continue;
                }
                let violated = template.error(property);
                match property {
                    Property::ValidDeref => template.invalid_access = violated,
                    Property::ValidFree => template.invalid_free = violated,
                    Property::NoLockMisuse => template.lock_misuse = violated,
                    Property::UnreachCall
                    | Property::ValidMemtrack
                    | Property::NoOverflow
                    | Property::NoDataRace
                    | Property::NoDeadlock
                    | Property::NoInfiniteRun => {}
                }
                let edges = template.edges.values_mut().filter(|edge| {
                    edge.target == undefined && self.required_by.get(&edge.site) == Some(&property)
                });
                edges.for_each(|edge| edge.target = violated);
            }
        }
        self.properties = properties;
    }

    /// Whether an edge is one of this program, and was not added by a reduction.
    pub fn has_edge(&self, template: TemplateId, edge: EdgeId) -> bool {
        self.templates[template].edges.is_valid(edge)
    }
}

/// What an atomic access does not order. It is weaker than `memory_order_seq_cst`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WeakOrder {
    /// It reads without `memory_order_acquire`, a compare-and-swap if it succeeds.
    pub reads: bool,
    /// A compare-and-swap reads without `memory_order_acquire` if it fails.
    pub fails: bool,
    /// It writes without `memory_order_release`.
    pub writes: bool,
}

/// The automaton of a function that is run as a thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The C name of the function.
    pub name: String,
    /// That of the program.
    pub data_model: DataModel,
    /// The registers that hold the parameters when a run starts; for a start routine at most one, an address.
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
    /// Where a run goes whose access to memory has no defined meaning: the same location, unless that is what is verified.
    pub invalid_access: LocationId,
    /// The same for what frees memory.
    pub invalid_free: LocationId,
    /// The same for what operates on a mutex.
    pub lock_misuse: LocationId,
    /// Where a run goes that creates more threads than are enumerated: the [`LimitKind::Threads`] location.
    pub thread_limit: LocationId,
    /// Where a run goes that allocates more objects than are enumerated: the [`LimitKind::Heap`] location.
    pub heap_limit: LocationId,
}

impl Template {
    /// Where a run goes whose statement has no defined meaning, which violates a property or none.
    pub fn undefined_at(&self, violated: Option<Property>) -> LocationId {
        match violated {
            Some(Property::ValidDeref) => self.invalid_access,
            Some(Property::ValidFree) => self.invalid_free,
            Some(Property::NoLockMisuse) => self.lock_misuse,
            Some(
                Property::UnreachCall
                | Property::ValidMemtrack
                | Property::NoOverflow
                | Property::NoDataRace
                | Property::NoDeadlock
                | Property::NoInfiniteRun,
            )
            | None => self.undefined,
        }
    }

    /// A new location that violates a property.
    pub fn error(&mut self, property: Property) -> LocationId {
        self.locations
            .push(Location::new(LocationKind::Error(property), 0))
    }
}

/// A thread-private variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Register {
    /// Width in bits, 1 to 128. Pointers have [`DataModel::address_bits`].
    pub width: u32,
    /// The C variable it holds, when debug information tells.
    pub variable: Option<String>,
    /// The type of a C variable that has this value, when debug information tells.
    pub c_type: Option<TypeId>,
}

impl Register {
    /// A register that is no variable of the program.
    pub fn new(width: u32) -> Self {
        Self {
            width,
            variable: None,
            c_type: None,
        }
    }
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
    /// Its type, when debug information tells.
    pub c_type: Option<TypeId>,
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

impl Location {
    /// One inside of so many atomic regions that has nothing to do with a reduction.
    pub fn new(kind: LocationKind, atomic_depth: u32) -> Self {
        Self {
            kind,
            external: false,
            phase: PhaseAnnotation::default(),
            atomic_depth,
        }
    }
}

/// Whether a run may go on from a location, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocationKind {
    /// The thread may go on. There is exactly one outgoing edge, or two with complementary [`Statement::Guard`]s.
    Ordinary,
    /// The thread has returned; joining it succeeds.
    Exited,
    /// A property is violated. The edge that leads here has the site to report.
    Error(Property),
    /// The whole run has ended; no thread goes on.
    Halted,
    /// The thread stays here for good, others go on: a false assumption.
    Blocked,
    /// As [`LocationKind::Blocked`], but real runs may go on: reaching it makes the search an under-approximation.
    Limit(LimitKind),
}

impl LocationKind {
    /// Whether a property is violated there.
    pub fn is_error(self) -> bool {
        matches!(self, Self::Error(_))
    }
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

/// A source position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Source file; empty without debug information.
    pub file: String,
    /// Line from 1; 0 without debug information.
    pub line: u32,
    /// Column from 1; 0 if unknown.
    pub column: u32,
    /// The C function, innermost when inlined. It is none of the library.
    pub function: String,
    /// The call of that function, unless it is run as a thread.
    pub caller: Option<CallSiteId>,
    /// The call of a library function that the instruction is part of.
    pub library: Option<LibraryCall>,
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

/// What [`Program::explanations`] says of the choice whether a weak compare-and-swap fails though memory holds the expected value.
pub const SPURIOUS_FAILURE: &str = "spurious failure of a weak compare-and-swap";

/// A construct that is not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// In the user's words: "inline assembly", "call of undefined function `f`".
    pub what: String,
    /// Where it stands.
    pub site: SiteId,
    /// Whether it is no construct of the program, but something that is left open of runs which come there.
    pub is_of_runs: bool,
}

/// How [`Unsupported::what`] begins for a call of a function without definition; the name and a quotation mark follow.
const UNDEFINED_CALL: &str = "call of undefined function `";

impl Unsupported {
    /// What a call of a function is called that is defined nowhere.
    pub fn undefined_call(function: &str) -> String {
        format!("{UNDEFINED_CALL}{function}`")
    }

    /// The function that is called and defined nowhere, if that is what is unsupported.
    pub fn undefined_function(&self) -> Option<&str> {
        let name = self.what.strip_prefix(UNDEFINED_CALL)?;
        name.strip_suffix('`')
    }
}
