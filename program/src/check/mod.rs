//! Well-formedness: what every pass that makes or changes a [`Program`] must keep, listed with all violations.

mod assigned;
mod statement;

use std::fmt;

use cranelift_entity::EntityRef;

use self::assigned::unassigned_uses;
use self::statement::StatementCheck;
use crate::automaton::Outgoing;
use crate::model::{
    EdgeId, FunctionId, GlobalId, HeapSiteId, LimitKind, LocationId, LocationKind, Place, Program,
    RegisterId, Statement, Template, TemplateId, UnsupportedId,
};

/// Something about a program that is not as the model's page says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// In which template, if in one.
    pub template: Option<TemplateId>,
    /// Where.
    pub subject: Subject,
    /// What is wrong there.
    pub what: String,
}

/// A part of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The program or the template as a whole.
    Whole,
    /// A location.
    Location(LocationId),
    /// An edge.
    Edge(EdgeId),
    /// A register.
    Register(RegisterId),
    /// A variable.
    Global(GlobalId),
    /// A function.
    Function(FunctionId),
    /// An allocation statement.
    HeapSite(HeapSiteId),
    /// A construct that is not read.
    Unsupported(UnsupportedId),
}

/// All violations, in the order of the program.
pub fn check(program: &Program) -> Vec<Violation> {
    let mut checker = Checker {
        program,
        template: None,
        violations: Vec::new(),
    };
    checker.tables();
    for (id, template) in &program.templates {
        checker.template = Some(id);
        checker.template(template);
    }
    checker.violations
}

/// Collects violations.
struct Checker<'a> {
    program: &'a Program,
    template: Option<TemplateId>,
    violations: Vec<Violation>,
}

impl Checker<'_> {
    fn require(&mut self, good: bool, subject: Subject, what: impl FnOnce() -> String) {
        if !good {
            self.violations.push(Violation {
                template: self.template,
                subject,
                what: what(),
            });
        }
    }

    /// Everything outside of templates.
    fn tables(&mut self) {
        let program = self.program;
        let main = program.templates.get(program.main);
        self.require(main.is_some(), Subject::Whole, || {
            "main is no template".to_owned()
        });
        let closed = main.is_none_or(|main| main.parameters.is_empty());
        self.require(closed, Subject::Whole, || {
            "main has parameters; their values must be inputs".to_owned()
        });
        for (id, global) in &program.globals {
            for &(at, place, _) in &global.relocations {
                let inside = u64::from(at) + 8 <= global.bytes.len() as u64;
                self.require(inside, Subject::Global(id), || {
                    format!("the address at byte {at} lies outside")
                });
                let global = self.place_exists(None, place) && !matches!(place, Place::Local(_));
                self.require(global, Subject::Global(id), || {
                    format!("the address at byte {at} is of nothing")
                });
            }
        }
        for (id, function) in &program.functions {
            let Some(started) = function.template else {
                continue;
            };
            let parameters = program
                .templates
                .get(started)
                .map(|template| template.parameters.len());
            let fits = parameters.is_some_and(|parameters| parameters <= 1);
            self.require(fits, Subject::Function(id), || {
                "is no start routine".to_owned()
            });
        }
        for (id, site) in &program.heap_sites {
            let good =
                program.templates.is_valid(site.template) && program.sites.is_valid(site.site);
            self.require(good, Subject::HeapSite(id), || {
                "template or site does not exist".to_owned()
            });
        }
        for (id, unsupported) in &program.unsupported {
            let good = program.sites.is_valid(unsupported.site);
            self.require(good, Subject::Unsupported(id), || {
                "the site does not exist".to_owned()
            });
        }
    }

    fn place_exists(&self, template: Option<&Template>, place: Place) -> bool {
        match place {
            Place::Global(global) => self.program.globals.is_valid(global),
            Place::Function(function) => self.program.functions.is_valid(function),
            Place::Local(local) => template.is_some_and(|template| template.locals.is_valid(local)),
        }
    }

    fn template(&mut self, template: &Template) {
        for (id, register) in &template.registers {
            let good = (1..=128).contains(&register.width);
            self.require(good, Subject::Register(id), || {
                format!("has {} bits", register.width)
            });
        }
        for &parameter in &template.parameters {
            let good = template.registers.is_valid(parameter);
            self.require(good, Subject::Register(parameter), || {
                "is a parameter and does not exist".to_owned()
            });
        }
        let mut sound = self.special_locations(template);
        for (id, edge) in &template.edges {
            let ends = [edge.source, edge.target];
            let exist = ends.iter().all(|&end| template.locations.is_valid(end));
            self.require(exist, Subject::Edge(id), || {
                "an endpoint does not exist".to_owned()
            });
            let sited = self.program.sites.is_valid(edge.site);
            self.require(sited, Subject::Edge(id), || {
                "the site does not exist".to_owned()
            });
            let before = self.violations.len();
            StatementCheck {
                checker: self,
                template,
                id,
            }
            .run(&edge.statement);
            sound &= exist && self.violations.len() == before;
        }
        // The graph and its registers are looked at only if they exist.
        if sound {
            self.graph(template);
            for (edge, register) in unassigned_uses(template) {
                self.require(false, Subject::Edge(edge), || {
                    format!("{register} is read and may not have been written")
                });
            }
        }
    }

    /// The entry and the locations of limits.
    fn special_locations(&mut self, template: &Template) -> bool {
        let special = [
            (template.entry, LocationKind::Ordinary),
            (
                template.undefined,
                LocationKind::Limit(LimitKind::Undefined),
            ),
            (
                template.thread_limit,
                LocationKind::Limit(LimitKind::Threads),
            ),
            (template.heap_limit, LocationKind::Limit(LimitKind::Heap)),
        ];
        let mut sound = true;
        for (location, kind) in special {
            let found = template
                .locations
                .get(location)
                .map(|location| location.kind);
            self.require(found == Some(kind), Subject::Location(location), || {
                format!("is {found:?} and not {kind:?}")
            });
            sound &= found.is_some();
        }
        let unsupported = |kind| match kind {
            LocationKind::Limit(LimitKind::Unsupported(id)) => Some(id),
            LocationKind::Limit(
                LimitKind::Undefined | LimitKind::Threads | LimitKind::Heap | LimitKind::Recursion,
            )
            | LocationKind::Ordinary
            | LocationKind::Exited
            | LocationKind::Error(_)
            | LocationKind::Halted
            | LocationKind::Blocked => None,
        };
        for (id, location) in &template.locations {
            let good =
                unsupported(location.kind).is_none_or(|id| self.program.unsupported.is_valid(id));
            self.require(good, Subject::Location(id), || {
                "the unsupported construct does not exist".to_owned()
            });
        }
        sound
    }

    /// The shape of the automaton: what leaves a location and what arrives there.
    fn graph(&mut self, template: &Template) {
        let outgoing = Outgoing::new(template);
        let entry = template.locations[template.entry].atomic_depth;
        self.require(entry == 0, Subject::Location(template.entry), || {
            "the entry is atomic".to_owned()
        });
        for (id, location) in &template.locations {
            let edges = outgoing.of(id);
            let statement = |edge: EdgeId| &template.edges[edge].statement;
            let good = match (location.kind, edges) {
                (LocationKind::Ordinary, &[edge]) => {
                    !matches!(statement(edge), Statement::Guard { .. })
                }
                (LocationKind::Ordinary, &[one, other]) => {
                    complementary(statement(one), statement(other))
                }
                (LocationKind::Ordinary, _) => false,
                (_, edges) => edges.is_empty(),
            };
            self.require(good, Subject::Location(id), || {
                format!(
                    "{:?} with {} outgoing edges that do not fit",
                    location.kind,
                    edges.len()
                )
            });
        }
        for (id, edge) in &template.edges {
            self.depth(template, id);
            let exits = template.locations[edge.target].kind == LocationKind::Exited;
            let returns = matches!(edge.statement, Statement::Return { .. });
            self.require(exits == returns, Subject::Edge(id), || {
                "a return leads to an exited location, and nothing else does".to_owned()
            });
        }
    }

    /// Atomic depths count the regions that were entered and not left.
    fn depth(&mut self, template: &Template, id: EdgeId) {
        let edge = &template.edges[id];
        let (before, target) = (
            template.locations[edge.source].atomic_depth,
            &template.locations[edge.target],
        );
        let after = if edge.statement == Statement::AtomicBegin {
            before.checked_add(1)
        } else {
            before.checked_sub(u32::from(edge.statement == Statement::AtomicEnd))
        };
        let sink = target.kind != LocationKind::Ordinary;
        let good = after.is_some()
            && (after == Some(target.atomic_depth) || sink && target.atomic_depth == 0);
        self.require(good, Subject::Edge(id), || {
            format!(
                "leads from atomic depth {before} to {}",
                target.atomic_depth
            )
        });
    }
}

fn complementary(one: &Statement, other: &Statement) -> bool {
    match (one, other) {
        (
            Statement::Guard {
                condition: left,
                holds: yes,
            },
            Statement::Guard {
                condition: right,
                holds: no,
            },
        ) => left == right && yes != no,
        _ => false,
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(template) = self.template {
            write!(f, "template {}, ", template.index())?;
        }
        match self.subject {
            Subject::Whole => write!(f, "as a whole")?,
            Subject::Location(location) => write!(f, "{location}")?,
            Subject::Edge(edge) => write!(f, "{edge}")?,
            Subject::Register(register) => write!(f, "{register}")?,
            Subject::Global(global) => write!(f, "{global}")?,
            Subject::Function(function) => write!(f, "{function}")?,
            Subject::HeapSite(site) => write!(f, "{site}")?,
            Subject::Unsupported(unsupported) => write!(f, "{unsupported}")?,
        }
        write!(f, ": {}", self.what)
    }
}
