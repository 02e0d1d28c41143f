//! Phases of transactions that are known at run time only, as statements of the program.
//!
//! Each template with a mark that reads the phase gets a register of one bit: 1 in the post phase. `l` with a mark becomes
//!
//! ```text
//!   l --[phase]--> x* --phase := 0--> m       x is external: R4 and R6 in Table 1 of the paper
//!   l --[not phase]--> m
//!   m --phase := 1--> n                       n has the statements of l: R1 and R2
//! ```
//!
//! What is there already keeps its number; what is added comes after it, so a run of the result is one of the original with
//! further statements in between ([`is_added`]).

use abi::ids::SiteId;

use crate::automaton::Outgoing;
use crate::model::{
    Bits, Edge, EdgeId, Location, LocationId, LocationKind, Operand, Operation, PhaseMarks,
    Program, Register, RegisterId, Statement, Template, TemplateId,
};

/// Turns all marks into statements.
pub fn spell_out(program: &mut Program) {
    for template in program.templates.values_mut() {
        let reads_phase = |location: &Location| location.phase.yields_if_committed;
        if template.locations.values().any(reads_phase) {
            spell_out_template(template);
        } else {
            take_marks(template);
        }
    }
}

/// Whether an edge of a program after [`spell_out`] is none of the program before.
pub fn is_added(before: &Program, template: TemplateId, edge: EdgeId) -> bool {
    before.templates[template].edges.get(edge).is_none()
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

fn spell_out_template(template: &mut Template) {
    let outgoing = Outgoing::new(template);
    let phase = template.registers.push(Register {
        width: 1,
        variable: None,
    });
    for (location, marks) in take_marks(template) {
        let external = template.locations[location].external || location == template.entry;
        let Some(&first) = outgoing.of(location).first() else {
            continue;
        };
        if !external && marks == PhaseMarks::default() {
            continue;
        }
        let mut chain = Chain {
            site: template.edges[first].site,
            template,
            phase,
            end: location,
        };
        if marks.commits {
            if !external && marks.yields_if_committed {
                chain.yield_if_committed();
            }
            chain.set_phase(true);
        } else if external {
            chain.set_phase(false);
        } else {
            chain.yield_if_committed();
        }
        let end = chain.end;
        for &edge in outgoing.of(location) {
            template.edges[edge].source = end;
        }
    }
}

/// Statements that are added before those of a location.
struct Chain<'a> {
    template: &'a mut Template,
    phase: RegisterId,
    site: SiteId,
    /// Where the statements so far lead.
    end: LocationId,
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

    fn edge(&mut self, source: LocationId, target: LocationId, statement: Statement) {
        self.template.edges.push(Edge {
            source,
            target,
            statement,
            site: self.site,
        });
    }

    fn set_phase_between(&mut self, source: LocationId, target: LocationId, committed: bool) {
        let value = Operand::Constant(Bits::new(1, u128::from(committed)));
        let statement = Statement::Assign {
            register: self.phase,
            operation: Operation::Copy(value),
        };
        self.edge(source, target, statement);
    }

    fn set_phase(&mut self, committed: bool) {
        let target = self.location(false);
        self.set_phase_between(self.end, target, committed);
        self.end = target;
    }

    fn yield_if_committed(&mut self) {
        let (external, target) = (self.location(true), self.location(false));
        for (holds, reached) in [(true, external), (false, target)] {
            let condition = Operand::Register(self.phase);
            self.edge(self.end, reached, Statement::Guard { condition, holds });
        }
        self.set_phase_between(external, target, false);
        self.end = target;
    }
}
