//! The automaton of a template: registers, locations, edges and the shape of the graph.

use super::assigned::unassigned_uses;
use super::checker::Checker;
use super::statement::StatementCheck;
use super::violation::ProgramPart;
use crate::automaton::Outgoing;
use crate::model::{EdgeId, LimitKind, LocationKind, Property, Statement, Template};

impl Checker<'_> {
    /// A template, and all that its edges do.
    pub(super) fn template(&mut self, template: &Template) {
        for (id, register) in &template.registers {
            let good = (1..=128).contains(&register.width);
            self.require(good, ProgramPart::Register(id), || {
                format!("has {} bits", register.width)
            });
        }
        for &parameter in &template.parameters {
            let good = template.registers.is_valid(parameter);
            self.require(good, ProgramPart::Register(parameter), || {
                "is a parameter and does not exist".to_owned()
            });
        }
        let mut sound = self.special_locations(template);
        for (id, edge) in &template.edges {
            let ends = [edge.source, edge.target];
            let exist = ends.iter().all(|&end| template.locations.is_valid(end));
            self.require(exist, ProgramPart::Edge(id), || {
                "an endpoint does not exist".to_owned()
            });
            let sited = self.program.sites.is_valid(edge.site);
            self.require(sited, ProgramPart::Edge(id), || {
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
                self.require(false, ProgramPart::Edge(edge), || {
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
        for (location, property) in [
            (template.invalid_access, Property::ValidDeref),
            (template.invalid_free, Property::ValidFree),
            (template.lock_misuse, Property::NoLockMisuse),
        ] {
            let found = template.locations.get(location);
            let error = LocationKind::Error(property);
            let good = location == template.undefined
                || found.is_some_and(|location| location.kind == error);
            self.require(good, ProgramPart::Location(location), || {
                format!("is neither the undefined location nor {error:?}")
            });
            sound &= found.is_some();
        }
        for (location, kind) in special {
            let found = template
                .locations
                .get(location)
                .map(|location| location.kind);
            // Where one thread of a family is to be started twice, others start one that is not represented.
            let is_represented = kind == LocationKind::Limit(LimitKind::Threads)
                && found == Some(LocationKind::Halted)
                && !self.program.families.is_empty();
            self.require(
                found == Some(kind) || is_represented,
                ProgramPart::Location(location),
                || format!("is {found:?} and not {kind:?}"),
            );
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
            self.require(good, ProgramPart::Location(id), || {
                "the unsupported construct does not exist".to_owned()
            });
        }
        sound
    }

    /// The shape of the automaton: what leaves a location and what arrives there.
    fn graph(&mut self, template: &Template) {
        let outgoing = Outgoing::new(template);
        let entry = template.locations[template.entry].atomic_depth;
        self.require(entry == 0, ProgramPart::Location(template.entry), || {
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
            self.require(good, ProgramPart::Location(id), || {
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
            self.require(exits == returns, ProgramPart::Edge(id), || {
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
        self.require(good, ProgramPart::Edge(id), || {
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
