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
//! Where a statement is a both-mover under a condition, conflict tests come before the decision ([`Statement::TestConflicts`]), and their results take
//! part in it.
//!
//! What is there already keeps its number; what is added comes after it, so a run of the result is one of the original with
//! further statements in between ([`Program::has_edge`]).

use abi::ids::SiteId;

use crate::condition_lowering::ConditionLowering;
use program::automaton::Outgoing;
use program::model::{
    BinaryOperator, Bits, BothMoverCondition, Edge, EdgeId, Location, LocationId, LocationKind,
    Mark, Operand, Operation, PhaseAnnotation, Program, Register, RegisterId, Statement, Template,
};

/// Turns all marks into statements.
pub fn lower_phases(program: &mut Program) {
    let mut asking = Vec::new();
    for (id, template) in program.templates.iter_mut() {
        let reads_phase = |location: &Location| location.phase.yields_if_committed != Mark::Never;
        if template.locations.values().any(reads_phase) {
            let open = spell_out_template(template);
            asking.extend(open.into_iter().map(|(edge, moves)| (id, edge, moves)));
        } else {
            take_marks(template);
        }
    }
    // The answers are about locations, so all of them have to be there.
    let mut answers = ConditionLowering::new(program);
    let tests: Vec<_> = asking
        .iter()
        .map(|(_, _, moves)| answers.conflict_tests(moves))
        .collect();
    for ((template, edge, _), complete) in asking.iter().zip(tests) {
        let statement = &mut program.templates[*template].edges[*edge].statement;
        if let Statement::TestConflicts { tests, .. } = statement {
            *tests = complete;
        }
    }
}

/// The locations whose phase marks mean something, with their marks, which are gone afterwards.
fn take_marks(template: &mut Template) -> Vec<(LocationId, PhaseAnnotation)> {
    let mut marks = Vec::new();
    for (id, location) in template.locations.iter_mut() {
        let taken = std::mem::take(&mut location.phase);
        if location.kind == LocationKind::Ordinary && location.atomic_depth == 0 {
            marks.push((id, taken));
        }
    }
    marks
}

/// Adds the statements of one template. The tests of each edge are still open.
fn spell_out_template(template: &mut Template) -> Vec<(EdgeId, BothMoverCondition)> {
    let outgoing = Outgoing::new(template);
    let phase = template.registers.push(Register::new(1));
    let mut tests = Vec::new();
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
            moves: &marks.both_mover,
            tests: &mut tests,
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
    tests
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
    moves: &'a BothMoverCondition,
    tests: &'a mut Vec<(EdgeId, BothMoverCondition)>,
}

impl Chain<'_> {
    fn location(&mut self, external: bool) -> LocationId {
        self.template.locations.push(Location {
            external,
            ..Location::new(LocationKind::Ordinary, 0)
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
        self.template.registers.push(Register::new(1))
    }

    /// Sets a register to whether the condition under which the statement moves fails, or to 1 if something is known.
    fn ask(&mut self, register: RegisterId, known: Operand) {
        let holds_never = *self.moves == BothMoverCondition::default();
        let known = match holds_never {
            true => Operand::Constant(Bits::new(1, 1)),
            false => known,
        };
        // What is asked is filled in when all locations are there.
        let tests = Vec::new();
        let edge = self.append(Statement::TestConflicts {
            register,
            known,
            tests,
        });
        self.tests.push((edge, self.moves.clone()));
    }

    fn yield_if_committed(&mut self, mark: Mark) {
        let phase = Operand::Register(self.phase);
        let condition = match mark {
            Mark::Never => return,
            Mark::Always => phase,
            Mark::UnlessBothMover => {
                let register = self.bit();
                self.ask(register, Operand::Constant(Bits::new(1, 0)));
                let conflict = Operand::Register(register);
                self.append(Statement::Assign {
                    register,
                    operation: Operation::Binary(BinaryOperator::And, phase, conflict),
                });
                conflict
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
            Mark::UnlessBothMover => {
                let phase = self.phase;
                self.ask(phase, Operand::Register(phase));
            }
        }
    }
}
