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
//! Where a statement moves under a condition, questions come before the decision ([`Statement::Ask`]), and their answers take
//! part in it.
//!
//! What is there already keeps its number; what is added comes after it, so a run of the result is one of the original with
//! further statements in between ([`is_added`]).

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::SiteId;

use crate::automaton::Outgoing;
use crate::model::{
    Apart, BinaryOperator, Bits, Condition, Differs, Edge, EdgeId, Location, LocationId,
    LocationKind, Mark, Operand, Operation, PhaseMarks, Program, Question, Register, RegisterId,
    Statement, Template, TemplateId, Touch,
};
use crate::touches::{Touches, touches};

/// Turns all marks into statements.
pub fn spell_out(program: &mut Program) {
    let mut asking = Vec::new();
    for (id, template) in program.templates.iter_mut() {
        let reads_phase = |location: &Location| location.phase.yields_if_committed != Mark::Never;
        if template.locations.values().any(reads_phase) {
            let open = spell_out_template(template);
            asking.extend(open.into_iter().map(|(edge, about)| (id, edge, about)));
        } else {
            take_marks(template);
        }
    }
    // The answers are about locations, so all of them have to be there.
    let mut answers = Answers::new(program);
    let questions: Vec<_> = asking
        .iter()
        .map(|(_, _, about)| answers.question(about))
        .collect();
    for ((template, edge, _), complete) in asking.iter().zip(questions) {
        let statement = &mut program.templates[*template].edges[*edge].statement;
        if let Statement::Ask { question, .. } = statement {
            *question = complete;
        }
    }
}

/// What has to be asked to find out whether a condition fails: it does if one of the answers is yes. The program has no marks.
pub fn questions(program: &Program, condition: &Condition) -> Vec<Question> {
    let mut answers = Answers::new(program);
    let about = about(condition);
    about.iter().map(|about| answers.question(about)).collect()
}

/// What a question is about, before the locations where the answer is yes are known.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum About {
    /// Whether others can get to some instructions, or, with an address that is not known, to some others.
    Reach(BTreeSet<SiteId>, Vec<BTreeSet<SiteId>>),
    /// Whether others can get to some instructions with an address such that the accesses overlap, from where the answer to
    /// the other question is not yes anyway.
    Overlap(Apart, Box<Self>),
    /// Whether memory holds one of these values.
    Holds(Operand, BTreeSet<Bits>),
}

/// What has to be asked for a condition.
fn about(condition: &Condition) -> Vec<About> {
    let Condition {
        unreached,
        apart,
        differs,
    } = condition;
    let mut values: BTreeMap<Operand, BTreeSet<Bits>> = BTreeMap::new();
    for Differs { address, value, .. } in differs {
        values.entry(*address).or_default().insert(*value);
    }
    let holds = values.into_iter();
    let mut about: Vec<About> = holds
        .map(|(address, values)| About::Holds(address, values))
        .collect();
    let others: Vec<_> = apart.iter().map(|apart| apart.others.clone()).collect();
    if !unreached.is_empty() || !others.is_empty() {
        let reach = About::Reach(unreached.clone(), others);
        let overlaps = apart.iter().cloned();
        about.extend(overlaps.map(|apart| About::Overlap(apart, Box::new(reach.clone()))));
        about.push(reach);
    }
    about
}

/// The locations that questions ask about, each found once.
struct Answers<'a> {
    program: &'a Program,
    touches: BTreeMap<BTreeSet<SiteId>, BTreeMap<TemplateId, Touches>>,
    complete: BTreeMap<About, Question>,
}

impl<'a> Answers<'a> {
    fn new(program: &'a Program) -> Self {
        Self {
            program,
            touches: BTreeMap::new(),
            complete: BTreeMap::new(),
        }
    }

    fn question(&mut self, about: &About) -> Question {
        if let Some(known) = self.complete.get(about) {
            return known.clone();
        }
        let question = match about {
            About::Reach(sites, others) => Question::At(self.reaching(sites, others)),
            About::Overlap(apart, reach) => self.overlapping(apart, reach),
            About::Holds(address, values) => Question::Holds {
                address: *address,
                values: values.clone(),
            },
        };
        self.complete.insert(about.clone(), question.clone());
        question
    }

    fn reaching(
        &mut self,
        sites: &BTreeSet<SiteId>,
        others: &[BTreeSet<SiteId>],
    ) -> BTreeMap<TemplateId, BTreeSet<LocationId>> {
        let templates = self.program.templates.iter();
        let mut found: BTreeMap<_, _> = templates
            .map(|(id, template)| (id, reaching_any(template, sites)))
            .collect();
        for sites in others {
            for (id, touches) in self.touches(sites) {
                found.entry(*id).or_default().extend(&touches.unknown);
            }
        }
        found.retain(|_, locations| !locations.is_empty());
        found
    }

    fn overlapping(&mut self, apart: &Apart, reach: &About) -> Question {
        let known = self.touches(&apart.others).values();
        let mut touches: Vec<Touch> = known.flat_map(|touches| touches.known.clone()).collect();
        if let Question::At(reaching) = self.question(reach) {
            for touch in &mut touches {
                if let Some(reaching) = reaching.get(&touch.template) {
                    touch
                        .locations
                        .retain(|location| !reaching.contains(location));
                }
            }
            touches.retain(|touch| !touch.locations.is_empty());
        }
        Question::Touch {
            address: apart.address,
            size: apart.size,
            touches,
        }
    }

    fn touches(&mut self, sites: &BTreeSet<SiteId>) -> &BTreeMap<TemplateId, Touches> {
        let program = self.program;
        self.touches.entry(sites.clone()).or_insert_with(|| {
            let templates = program.templates.keys();
            templates
                .map(|id| (id, touches(program, id, sites)))
                .collect()
        })
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
        if sites.contains(&edge.site) && !edge.statement.is_private() {
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

/// Adds the statements of one template; questions are still open, by the edge that asks.
fn spell_out_template(template: &mut Template) -> Vec<(EdgeId, About)> {
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
            moves: &marks.moves,
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
    moves: &'a Condition,
    questions: &'a mut Vec<(EdgeId, About)>,
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

    /// Whether the condition under which the statement moves fails.
    fn may_conflict(&mut self) -> Operand {
        let answers = about(self.moves).into_iter().map(|about| self.ask(about));
        let answers: Vec<Operand> = answers.collect();
        let any = answers.into_iter().reduce(|any, answer| {
            let register = self.bit();
            self.append(Statement::Assign {
                register,
                operation: Operation::Binary(BinaryOperator::Or, any, answer),
            });
            Operand::Register(register)
        });
        any.unwrap_or(Operand::Constant(Bits::new(1, 1)))
    }

    fn ask(&mut self, about: About) -> Operand {
        let register = self.bit();
        // What is asked is filled in when all locations are there.
        let question = Question::At(BTreeMap::new());
        let edge = self.append(Statement::Ask { register, question });
        self.questions.push((edge, about));
        Operand::Register(register)
    }

    fn yield_if_committed(&mut self, mark: Mark) {
        let phase = Operand::Register(self.phase);
        let condition = match mark {
            Mark::Never => return,
            Mark::Always => phase,
            Mark::UnlessMoves => {
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
            Mark::UnlessMoves => {
                let phase = Operand::Register(self.phase);
                let conflict = self.may_conflict();
                self.set_phase(Operation::Binary(BinaryOperator::Or, phase, conflict));
            }
        }
    }
}
