//! The statements that announce an access, and those that look whether another thread has announced one.
//!
//! An announcement is one global variable: the address, and a word with size and kind of the access that is 0 as long as nothing is announced.

use std::collections::BTreeMap;

use abi::ids::SiteId;
use cranelift_entity::PrimaryMap;
use program::model::{
    BinaryOperator, Bits, Cast, Comparison, Edge, Global, GlobalId, HavocOrigin, LimitKind,
    Location, LocationId, LocationKind, Operand, Operation, Place as Variable, Program, Property,
    Register, RegisterId, Site, Statement, Template, TemplateId, Unsupported, UnsupportedId, Words,
};

use super::accesses::Kind;
use super::order::Finding;
use super::{DOUBT, Place, Role};

/// Offset of the word with size and kind.
pub const WORD: u32 = 8;
/// Its width in bits. The lowest two bits are the kind of the access, the others the number of bytes.
const WORD_BITS: u32 = 32;
const KIND_BITS: u32 = 2;

/// The bits of a kind.
const WRITES: u32 = 1;
const IS_PLAIN: u32 = 2;

/// The doubts that the variable may hold, as in `frontend/library/races.c`, and why a race is no violation then.
const DOUBTS: [(u32, &str); 3] = [
    (DOUBT_OF_RESULT, BEHIND_RESULT),
    (DOUBT_OF_ORDER, super::WEAK_ORDER),
    (DOUBT_OF_TEXT, OF_TEXT),
];
const BEHIND_RESULT: &str =
    "an order by a failed try, the value of a semaphore or a request to cancel";
const OF_TEXT: &str = "a race with the end of a text, which a library function may not read";
const DOUBT_OF_RESULT: u32 = 1;
const DOUBT_OF_ORDER: u32 = 2;
const DOUBT_OF_TEXT: u32 = 3;
const DOUBT_BITS: u32 = 8;

/// How many bytes an announced access has, given the word that announces it.
pub fn announced_bytes(word: Bits) -> u32 {
    word.value as u32 >> KIND_BITS
}

/// Inserts what the roles say.
pub(super) fn insert(
    program: &mut Program,
    roles: &BTreeMap<Place, Role>,
    accesses: &BTreeMap<Place, Kind>,
) {
    let announcement = program.globals.push(variable("announced access", 16));
    program.announcement = Some(announcement);
    if program.doubt.is_none() && roles.values().any(|role| role.finding.is_some()) {
        program.doubt = Some(program.globals.push(variable(DOUBT, 1)));
    }
    let mut errors = BTreeMap::<TemplateId, LocationId>::new();
    for (&(id, edge), role) in roles {
        let template = &mut program.templates[id];
        let error = errors.entry(id);
        let race = *error.or_insert_with(|| template.error(Property::NoDataRace));
        let known = template.edges[edge].clone();
        let mut insertion = Insertion {
            here: known.source,
            edge: known,
            template,
            sites: &mut program.sites,
            unsupported: &mut program.unsupported,
            announcement,
            doubt: program.doubt,
        };
        if let Some(what) = role.limit {
            insertion.may_meet_limit(what);
        }
        match role.announces || role.looks {
            true => {
                let explained = insertion.access(*role, accesses[&(id, edge)], race);
                program.explanations.extend(explained);
            }
            false => insertion.find(role.finding),
        }
        program.templates[id].edges[edge] = insertion.edge;
    }
}

/// A variable of so many zero bytes.
fn variable(name: &str, bytes: usize) -> Global {
    Global {
        name: name.to_owned(),
        bytes: vec![0; bytes],
        relocations: Vec::new(),
        writable: true,
        thread_local: false,
        alignment: 8,
        mergeable: false,
        unread: false,
        c_type: None,
    }
}

/// What a limit at a site is called; one for each line.
fn unsupported(
    known: &mut PrimaryMap<UnsupportedId, Unsupported>,
    sites: &PrimaryMap<SiteId, Site>,
    what: &str,
    site: SiteId,
) -> UnsupportedId {
    let line = |site: SiteId| (&sites[site].file, sites[site].line);
    let mut equal = known.iter().filter(|(_, one)| one.what == what);
    match equal.find(|(_, one)| line(one.site) == line(site)) {
        Some((id, _)) => id,
        None => known.push(Unsupported {
            what: what.to_owned(),
            site,
            is_of_runs: true,
        }),
    }
}

/// Statements around an edge.
struct Insertion<'a> {
    template: &'a mut Template,
    sites: &'a mut PrimaryMap<SiteId, Site>,
    unsupported: &'a mut PrimaryMap<UnsupportedId, Unsupported>,
    announcement: GlobalId,
    doubt: Option<GlobalId>,
    /// Leads from and to where the inserted statements want it.
    edge: Edge,
    /// Where the next statement is inserted.
    here: LocationId,
}

impl Insertion<'_> {
    /// Lets a run meet a limit before the edge; others go on.
    fn may_meet_limit(&mut self, what: &str) {
        let meets = self.choose();
        let goes_on = self.branch(meets);
        self.meet_limit(what);
        self.here = goes_on;
        self.edge.source = goes_on;
    }

    /// Ends at a limit.
    fn meet_limit(&mut self, what: &str) {
        let construct = unsupported(self.unsupported, self.sites, what, self.edge.site);
        let kind = LocationKind::Limit(LimitKind::Unsupported(construct));
        let limit = self.location(kind, 0);
        self.to(limit, Statement::Skip);
    }

    /// Lets a run find what an atomic access may find in any case, which raises a doubt; others make the access.
    fn find(&mut self, finding: Option<Finding>) {
        let (Some(finding), Some(doubt)) = (finding, self.doubt) else {
            return;
        };
        let finds = self.choose();
        let goes_on = self.branch(finds);
        let is_region = self.depth() == 0;
        if is_region {
            self.append(Statement::AtomicBegin, 1);
        }
        let number = match matches!(self.edge.statement, Statement::Mutex { .. }) {
            true => DOUBT_OF_RESULT,
            false => DOUBT_OF_ORDER,
        };
        let raised = constant(DOUBT_BITS, number);
        self.write(Operand::Address(Variable::Global(doubt), 0), raised, false);
        self.take(finding);
        let leaves = match is_region {
            true => Statement::AtomicEnd,
            false => Statement::Skip,
        };
        self.to(self.edge.target, leaves);
        self.here = goes_on;
        self.edge.source = goes_on;
    }

    /// What the access does if it finds this; a compare-and-swap fails.
    fn take(&mut self, finding: Finding) {
        let access = self.edge.statement.clone();
        let mut results = Vec::new();
        access.for_each_definition(|register| results.push(register));
        let Some(&register) = results.first() else {
            return;
        };
        let found = match finding {
            Finding::Value(value) => Statement::Assign {
                register,
                operation: Operation::Copy(value),
            },
            Finding::Any | Finding::Open => Statement::Havoc {
                register,
                origin: HavocOrigin::Watch,
            },
        };
        self.append(found, self.depth());
        if let Statement::CompareExchange { success, .. } = access {
            let fails = Statement::Assign {
                register: success,
                operation: Operation::Copy(constant(1, 0)),
            };
            self.append(fails, self.depth());
        } else if let Statement::AtomicRmw {
            address,
            operator,
            operand,
            ..
        } = access
        {
            let written = match operator.binary() {
                Some(operator) => self.binary(operator, register.into(), operand),
                None => operand,
            };
            self.write(address, written, true);
        }
    }

    /// Announces the access and looks for announcements, as its role says. The access comes last in one atomic region with this; but one that
    /// waits comes before, and counts if it does not fail. Returns what new sites stand for, in the user's words.
    fn access(&mut self, role: Role, kind: Kind, race: LocationId) -> Vec<(SiteId, String)> {
        let end = self.edge.target;
        let waits = matches!(self.edge.statement, Statement::Join { .. });
        if let Statement::Join { register, .. } = self.edge.statement {
            self.here = self.location(LocationKind::Ordinary, self.depth());
            self.edge.target = self.here;
            let joined = self.compare(Comparison::Equal, register.into(), constant(32, 0));
            let fails = self.branch(joined);
            let joins = std::mem::replace(&mut self.here, fails);
            self.to(end, Statement::Skip);
            self.here = joins;
        }
        let is_region = self.depth() == 0;
        if is_region {
            self.append(Statement::AtomicBegin, 1);
        }
        let explained = self.look_and_announce(role, kind, race);
        let leaves = match is_region {
            true => Statement::AtomicEnd,
            false => Statement::Skip,
        };
        if waits {
            self.to(end, leaves);
        } else {
            self.edge.source = self.here;
            let behind = match is_region {
                true => self.location(LocationKind::Ordinary, 1),
                false => end,
            };
            self.edge.target = behind;
            self.find(role.finding);
            if is_region {
                self.here = behind;
                self.to(end, leaves);
            }
        }
        explained
    }

    fn look_and_announce(
        &mut self,
        role: Role,
        kind: Kind,
        race: LocationId,
    ) -> Vec<(SiteId, String)> {
        let mut explained = Vec::new();
        let word = self.load(WORD, WORD_BITS);
        let is_free = self.compare(Comparison::Equal, word, constant(WORD_BITS, 0));
        let announced = self.branch(is_free);
        if role.announces {
            let announces = self.choose();
            let goes_on = self.branch(announces);
            let words = match kind.writes {
                true => "is about to write",
                false => "is about to read",
            };
            explained.push((self.announce(kind), words.to_owned()));
            self.here = goes_on;
        }
        let free = std::mem::replace(&mut self.here, announced);
        if role.looks {
            let races = self.races(kind, word);
            let goes_on = self.branch(races);
            self.require_no_doubt();
            explained.push((self.to(race, Statement::Skip), "data race".to_owned()));
            self.here = goes_on;
        }
        self.to(free, Statement::Skip);
        self.here = free;
        explained
    }

    /// Goes on where it is certain that the accesses race; else a limit says why it is not.
    fn require_no_doubt(&mut self) {
        let Some(doubt) = self.doubt else { return };
        let address = Operand::Address(Variable::Global(doubt), 0);
        let raised = self.read(address, DOUBT_BITS, false);
        for (number, what) in DOUBTS {
            let is_raised = self.compare(Comparison::Equal, raised, constant(DOUBT_BITS, number));
            let goes_on = self.branch(is_raised);
            self.meet_limit(what);
            self.here = goes_on;
        }
    }

    /// Says which access is next; the thread stays there. Returns the last site.
    fn announce(&mut self, kind: Kind) -> SiteId {
        let bits = (u32::from(kind.writes) * WRITES) | (u32::from(!kind.atomic) * IS_PLAIN);
        self.store(0, kind.address);
        self.store(WORD, constant(WORD_BITS, (kind.size << KIND_BITS) | bits));
        // A thread that is blocked in a region would stop the run.
        self.append(Statement::AtomicEnd, 0);
        let stays = self.location(LocationKind::Blocked, 0);
        self.to(stays, Statement::Skip)
    }

    /// Whether an access races with the announced one.
    fn races(&mut self, kind: Kind, word: Operand) -> Operand {
        let bits = self.template.data_model.address_bits();
        let announced = self.load(0, bits);
        let shift = constant(WORD_BITS, KIND_BITS);
        let mut size = self.binary(BinaryOperator::LogicalShiftRight, word, shift);
        if bits > WORD_BITS {
            size = self.assign(bits, Operation::Cast(Cast::ZeroExtend, size));
        }
        let behind = self.binary(BinaryOperator::Subtract, kind.address, announced);
        let before = self.binary(BinaryOperator::Subtract, announced, kind.address);
        let starts_inside = self.compare(Comparison::UnsignedLess, behind, size);
        let reaches = self.compare(Comparison::UnsignedLess, before, constant(bits, kind.size));
        let overlaps = self.binary(BinaryOperator::Or, starts_inside, reaches);
        let conflicts = self.conflicts(kind, word);
        self.binary(BinaryOperator::And, overlaps, conflicts)
    }

    /// Whether an access or the announced one writes, and one is not atomic.
    fn conflicts(&mut self, kind: Kind, word: Operand) -> Operand {
        let announced_writes = self.has(word, WRITES);
        let one_writes = match (kind.writes, self.edge.statement.clone()) {
            // It writes only if memory holds what is expected.
            (true, Statement::CompareExchange { expected, .. }) => {
                let content = self.read(kind.address, self.template.width(expected), true);
                let succeeds = self.compare(Comparison::Equal, content, expected);
                self.binary(BinaryOperator::Or, succeeds, announced_writes)
            }
            (true, _) => constant(1, 1),
            (false, _) => announced_writes,
        };
        match kind.atomic {
            true => {
                let is_plain = self.has(word, IS_PLAIN);
                self.binary(BinaryOperator::And, one_writes, is_plain)
            }
            false => one_writes,
        }
    }

    /// Whether a bit of an announced kind is set.
    fn has(&mut self, word: Operand, bit: u32) -> Operand {
        let set = self.binary(BinaryOperator::And, word, constant(WORD_BITS, bit));
        self.compare(Comparison::NotEqual, set, constant(WORD_BITS, 0))
    }

    fn load(&mut self, offset: u32, width: u32) -> Operand {
        self.read(
            Operand::Address(Variable::Global(self.announcement), offset),
            width,
            false,
        )
    }

    fn read(&mut self, address: Operand, width: u32, atomic: bool) -> Operand {
        let register = self.register(width);
        let statement = Statement::Load {
            register,
            address,
            atomic,
            words: Words::default(),
        };
        self.append(statement, self.depth());
        register.into()
    }

    fn store(&mut self, offset: u32, value: Operand) {
        let address = Operand::Address(Variable::Global(self.announcement), offset);
        self.write(address, value, false);
    }

    fn write(&mut self, address: Operand, value: Operand, atomic: bool) {
        let statement = Statement::Store {
            value,
            address,
            atomic,
            words: Words::default(),
        };
        self.append(statement, self.depth());
    }

    /// An arbitrary bit.
    fn choose(&mut self) -> Operand {
        let register = self.register(1);
        let origin = HavocOrigin::Watch;
        self.append(Statement::Havoc { register, origin }, self.depth());
        register.into()
    }

    fn compare(&mut self, comparison: Comparison, left: Operand, right: Operand) -> Operand {
        self.assign(1, Operation::Compare(comparison, left, right))
    }

    fn binary(&mut self, operator: BinaryOperator, left: Operand, right: Operand) -> Operand {
        let width = self.template.width(left);
        self.assign(width, Operation::Binary(operator, left, right))
    }

    fn assign(&mut self, width: u32, operation: Operation) -> Operand {
        let register = self.register(width);
        let statement = Statement::Assign {
            register,
            operation,
        };
        self.append(statement, self.depth());
        register.into()
    }

    /// Goes on where the condition holds; returns where it does not.
    fn branch(&mut self, condition: Operand) -> LocationId {
        let [holds, fails] = [true, false].map(|holds| {
            let target = self.location(LocationKind::Ordinary, self.depth());
            self.to(target, Statement::Guard { condition, holds });
            target
        });
        self.here = holds;
        fails
    }

    /// A statement from here to a new location inside of so many atomic regions, where it goes on.
    fn append(&mut self, statement: Statement, depth: u32) {
        let next = self.location(LocationKind::Ordinary, depth);
        self.to(next, statement);
        self.here = next;
    }

    /// A statement from here to a location. Its site is a new one at the place of the edge.
    fn to(&mut self, target: LocationId, statement: Statement) -> SiteId {
        let place = self.sites[self.edge.site].clone();
        let site = self.sites.push(place);
        self.template.edges.push(Edge {
            source: self.here,
            target,
            statement,
            site,
        });
        site
    }

    fn location(&mut self, kind: LocationKind, atomic_depth: u32) -> LocationId {
        self.template
            .locations
            .push(Location::new(kind, atomic_depth))
    }

    fn depth(&self) -> u32 {
        self.template.locations[self.here].atomic_depth
    }

    fn register(&mut self, width: u32) -> RegisterId {
        self.template.registers.push(Register::new(width))
    }
}

fn constant(width: u32, value: u32) -> Operand {
    Operand::Constant(Bits::new(width, value.into()))
}
