//! Phases of transactions that are known at run time only, as statements of the program.
//!
//! Each template with a mark that reads the phase gets a register of one bit: 1 in the post phase. `l` with marks becomes
//!
//! ```text
//!   l --[phase]--> x* --phase := 0--> m       x is external: R4 and R6 in Table 1 of the paper
//!   l --[not phase]--> m
//!   m --phase := 1--> n                       n has the statements of l: R1 and R2
//! ```
//!
//! Where a statement moves as long as no other thread can get to certain instructions, `c := others at ...` comes before the
//! decision, and `c` takes part in it.
//!
//! What is there already keeps its number; what is added comes after it, so a run of the result is one of the original with
//! further statements in between ([`is_added`]).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use crate::automaton::Outgoing;
use crate::model::{
    BinaryOperator, Bits, Edge, EdgeId, Location, LocationId, LocationKind, Mark, Operand,
    Operation, PhaseMarks, Program, Register, RegisterId, Statement, Template, TemplateId,
};

/// Turns all marks into statements.
pub fn spell_out(program: &mut Program) {
    let mut questions: BTreeMap<BTreeSet<SiteId>, Vec<(TemplateId, EdgeId)>> = BTreeMap::new();
    for (id, template) in program.templates.iter_mut() {
        let reads_phase = |location: &Location| location.phase.yields_if_committed != Mark::Never;
        if template.locations.values().any(reads_phase) {
            for (edge, sites) in spell_out_template(template) {
                questions.entry(sites).or_default().push((id, edge));
            }
        } else {
            take_marks(template);
        }
    }
    for (sites, asking) in questions {
        let reaching = program.templates.iter();
        let reaching = reaching.map(|(id, template)| (id, reaching_any(template, &sites)));
        let reaching = reaching.filter(|(_, locations)| !locations.is_empty());
        let reaching: BTreeMap<TemplateId, BTreeSet<LocationId>> = reaching.collect();
        for (template, edge) in asking {
            let statement = &mut program.templates[template].edges[edge].statement;
            if let Statement::OthersAt { locations, .. } = statement {
                locations.clone_from(&reaching);
            }
        }
    }
}

/// Whether an edge of a program after [`spell_out`] is none of the program before.
pub fn is_added(before: &Program, template: TemplateId, edge: EdgeId) -> bool {
    before.templates[template].edges.get(edge).is_none()
}

/// The locations from which a run may get to a statement of one of the instructions.
pub fn reaching_any(template: &Template, sites: &BTreeSet<SiteId>) -> BTreeSet<LocationId> {
    let mut sources: BTreeMap<LocationId, Vec<LocationId>> = BTreeMap::new();
    let mut open = Vec::new();
    for edge in template.edges.values() {
        sources.entry(edge.target).or_default().push(edge.source);
        if sites.contains(&edge.site) {
            open.push(edge.source);
        }
    }
    let mut found = BTreeSet::new();
    while let Some(location) = open.pop() {
        if found.insert(location) {
            open.extend(sources.get(&location).into_iter().flatten());
        }
    }
    found
}

/// The locations whose phase marks mean something, with their marks, which are gone afterwards.
fn take_marks(template: &mut Template) -> Vec<(LocationId, PhaseMarks)> {
    let mut marks = Vec::new();
    for (id, location) in template.locations.iter_mut() {
        let taken = std::mem::take(&mut location.phase);
        if location.kind == LocationKind::Ordinary && location.atomic_depth == 0 {
            marks.push((id, taken));
        }
    }
    marks
}

/// Questions about other threads, by the edge that asks, and the instructions that they are about.
type Questions = Vec<(EdgeId, BTreeSet<SiteId>)>;

fn spell_out_template(template: &mut Template) -> Questions {
    let outgoing = Outgoing::new(template);
    let phase = template.registers.push(Register {
        width: 1,
        variable: None,
    });
    let mut questions = Vec::new();
    for (location, marks) in take_marks(template) {
        let external = template.locations[location].external || location == template.entry;
        let Some(&first) = outgoing.of(location).first() else {
            continue;
        };
        let mut chain = Chain {
            site: template.edges[first].site,
            template,
            phase,
            end: location,
            conflicts: &marks.conflicts,
            questions: &mut questions,
        };
        if external {
            chain.set_phase(constant(false));
        } else {
            chain.yield_if_committed(marks.yields_if_committed);
        }
        chain.commit(marks.commits);
        let end = chain.end;
        for &edge in outgoing.of(location) {
            template.edges[edge].source = end;
        }
    }
    questions
}

fn constant(value: bool) -> Operation {
    Operation::Copy(Operand::Constant(Bits::new(1, u128::from(value))))
}

/// Statements that are added before those of a location.
struct Chain<'a> {
    template: &'a mut Template,
    phase: RegisterId,
    site: SiteId,
    /// Where the statements so far lead.
    end: LocationId,
    conflicts: &'a BTreeSet<SiteId>,
    questions: &'a mut Questions,
}

impl Chain<'_> {
    fn location(&mut self, external: bool) -> LocationId {
        self.template.locations.push(Location {
            kind: LocationKind::Ordinary,
            external,
            phase: PhaseMarks::default(),
            atomic_depth: 0,
        })
    }

    fn edge(&mut self, source: LocationId, target: LocationId, statement: Statement) -> EdgeId {
        self.template.edges.push(Edge {
            source,
            target,
            statement,
            site: self.site,
        })
    }

    fn append(&mut self, statement: Statement) -> EdgeId {
        let target = self.location(false);
        let edge = self.edge(self.end, target, statement);
        self.end = target;
        edge
    }

    fn set_phase(&mut self, operation: Operation) {
        let register = self.phase;
        self.append(Statement::Assign {
            register,
            operation,
        });
    }

    fn bit(&mut self) -> RegisterId {
        self.template.registers.push(Register {
            width: 1,
            variable: None,
        })
    }

    /// Whether another thread may still get to a conflicting instruction.
    fn may_conflict(&mut self) -> Operand {
        let register = self.bit();
        let edge = self.append(Statement::OthersAt {
            register,
            locations: BTreeMap::new(),
        });
        self.questions.push((edge, self.conflicts.clone()));
        Operand::Register(register)
    }

    fn yield_if_committed(&mut self, mark: Mark) {
        let phase = Operand::Register(self.phase);
        let condition = match mark {
            Mark::Never => return,
            Mark::Always => phase,
            Mark::UnlessUnreached => {
                let conflict = self.may_conflict();
                let register = self.bit();
                self.append(Statement::Assign {
                    register,
                    operation: Operation::Binary(BinaryOperator::And, phase, conflict),
                });
                Operand::Register(register)
            }
        };
        let (external, target) = (self.location(true), self.location(false));
        for (holds, reached) in [(true, external), (false, target)] {
            self.edge(self.end, reached, Statement::Guard { condition, holds });
        }
        let register = self.phase;
        let operation = constant(false);
        let reset = Statement::Assign {
            register,
            operation,
        };
        self.edge(external, target, reset);
        self.end = target;
    }

    fn commit(&mut self, mark: Mark) {
        match mark {
            Mark::Never => {}
            Mark::Always => self.set_phase(constant(true)),
            Mark::UnlessUnreached => {
                let phase = Operand::Register(self.phase);
                let conflict = self.may_conflict();
                self.set_phase(Operation::Binary(BinaryOperator::Or, phase, conflict));
            }
        }
    }
}
