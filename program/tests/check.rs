//! Programs that break the model's rules, each with its violation; and the printed form.

use program::builder::{ProgramBuilder, constant, global};
use program::check::{ProgramPart, check};
use program::model::{
    BinaryOperator, Bits, EdgeId, GlobalId, LocationId, LocationKind, Operand, Operation, Place,
    Program, RegisterId, Statement, Template, Words,
};
use program::print::display;

/// A small good program: loads `x`, adds 1, branches on an input, asserts.
fn good() -> Program {
    let mut builder = ProgramBuilder::new("good");
    let x = builder.global("x", &[1, 0, 0, 0]);
    let mut main = builder.main();
    let value = main.load(32, global(x));
    let sum = main.binary(BinaryOperator::Add, value, constant(32, -1));
    let input = main.havoc(1);
    main.statement(Statement::AtomicBegin);
    main.store(sum, global(x));
    main.statement(Statement::AtomicEnd);
    main.assert(input);
    main.finish();
    builder.finish()
}

/// The violations after a change of the main template.
fn broken(change: impl FnOnce(&mut Template)) -> Vec<(ProgramPart, String)> {
    let mut program = good();
    change(&mut program.templates[program.main]);
    check(&program)
        .into_iter()
        .map(|violation| (violation.subject, violation.what))
        .collect()
}

fn assert_names(violations: &[(ProgramPart, String)], subject: ProgramPart, words: &str) {
    let found = violations
        .iter()
        .any(|(at, what)| *at == subject && what.contains(words));
    assert!(found, "{subject:?} {words} in {violations:?}");
}

/// The edges by what they do.
const LOAD: u32 = 0;
const ADD: u32 = 1;
const STORE: u32 = 4;
const GUARD: u32 = 6;

#[test]
fn a_good_program_has_no_violation() {
    assert_eq!(check(&good()), []);
}

#[test]
fn shapes_of_automata_are_checked() {
    let outside = broken(|main| main.edges[edge(LOAD)].target = LocationId::from_u32(99));
    assert_names(&outside, ProgramPart::Edge(edge(LOAD)), "endpoint");
    let sideless = broken(|main| {
        if let Statement::Guard { holds, .. } = &mut main.edges[edge(GUARD)].statement {
            *holds = !*holds;
        }
    });
    assert_names(
        &sideless,
        ProgramPart::Location(good_source(GUARD)),
        "do not fit",
    );
    let two = broken(|main| {
        let again = main.edges[edge(LOAD)].clone();
        main.edges.push(again);
    });
    assert_names(
        &two,
        ProgramPart::Location(good_source(LOAD)),
        "2 outgoing edges",
    );
    let sink =
        broken(|main| main.locations[main.edges[edge(LOAD)].source].kind = LocationKind::Blocked);
    assert_names(
        &sink,
        ProgramPart::Location(good_source(LOAD)),
        "is Some(Blocked)",
    );
    let nowhere = broken(|main| main.edges[edge(LOAD)].site = abi::ids::SiteId(999));
    assert_names(&nowhere, ProgramPart::Edge(edge(LOAD)), "site");
    let stray = broken(|main| {
        let exit = main
            .locations
            .iter()
            .find(|(_, location)| location.kind == LocationKind::Exited);
        main.edges[edge(LOAD)].target = exit.expect("an exit").0;
    });
    assert_names(&stray, ProgramPart::Edge(edge(LOAD)), "return");
}

fn edge(number: u32) -> EdgeId {
    EdgeId::from_u32(number)
}

fn good_source(number: u32) -> LocationId {
    let program = good();
    program.templates[program.main].edges[edge(number)].source
}

#[test]
fn widths_and_names_are_checked() {
    let narrow = broken(|main| main.registers[RegisterId::from_u32(1)].width = 31);
    assert_names(
        &narrow,
        ProgramPart::Edge(edge(ADD)),
        "has 32 bits and not 31",
    );
    let huge = broken(|main| main.registers[RegisterId::from_u32(0)].width = 129);
    assert_names(
        &huge,
        ProgramPart::Register(RegisterId::from_u32(0)),
        "has 129 bits",
    );
    let address = broken(|main| {
        let address = Operand::Constant(Bits::new(32, 0));
        main.edges[edge(LOAD)].statement = Statement::Load {
            register: RegisterId::from_u32(0),
            address,
            atomic: false,
            words: Words::default(),
        };
    });
    assert_names(
        &address,
        ProgramPart::Edge(edge(LOAD)),
        "the address has 32 bits",
    );
    let missing = broken(|main| {
        let operation = Operation::Copy(Operand::Address(Place::Global(GlobalId::from_u32(7)), 0));
        main.edges[edge(ADD)].statement = Statement::Assign {
            register: RegisterId::from_u32(1),
            operation,
        };
    });
    assert_names(&missing, ProgramPart::Edge(edge(ADD)), "does not exist");
    let unmasked = broken(|main| {
        let operation = Operation::Copy(Operand::Constant(Bits {
            width: 32,
            value: 1 << 32,
        }));
        main.edges[edge(ADD)].statement = Statement::Assign {
            register: RegisterId::from_u32(1),
            operation,
        };
    });
    assert_names(
        &unmasked,
        ProgramPart::Edge(edge(ADD)),
        "a constant 4294967296 of 32 bits",
    );
}

#[test]
fn registers_are_written_before_they_are_read_on_every_path() {
    let skipped = broken(|main| main.edges[edge(ADD)].statement = Statement::Skip);
    assert_names(
        &skipped,
        ProgramPart::Edge(edge(STORE)),
        "r1 is read and may not have been written",
    );
    assert_eq!(skipped.len(), 1);
}

#[test]
fn atomic_depths_are_checked() {
    let open = broken(|main| main.edges[EdgeId::from_u32(5)].statement = Statement::Skip);
    assert_names(
        &open,
        ProgramPart::Edge(EdgeId::from_u32(5)),
        "atomic depth 1 to 0",
    );
    let closed = broken(|main| main.edges[edge(LOAD)].statement = Statement::AtomicEnd);
    assert_names(
        &closed,
        ProgramPart::Edge(edge(LOAD)),
        "atomic depth 0 to 0",
    );
}

#[test]
fn initial_addresses_are_checked() {
    let mut program = good();
    program.globals[GlobalId::from_u32(0)].relocations.push((
        0,
        Place::Global(GlobalId::from_u32(0)),
        0,
    ));
    let violations = check(&program);
    assert_eq!(violations.len(), 1);
    assert_eq!(
        violations[0].to_string(),
        "global0: the address at byte 0 lies outside"
    );
}

#[test]
fn programs_are_printed_one_edge_a_line() {
    let expected = "\
program good
global0 x: 4 bytes = 0x[01000000]

template0 (main) main() from l0
  l0 -> l5: r0:32 = *(&x)  // good.c:1
  l5 -> l6: r1:32 = r0 + -1  // good.c:2
  l6 -> l7: r2:1 = input()  // good.c:3
  l7 -> l8^1: atomic_begin  // good.c:4
  l8^1 -> l9^1: *(&x) = r1:32  // good.c:5
  l9^1 -> l10: atomic_end  // good.c:6
  l10 -> l11: [r2]  // good.c:7
  l10 -> l12: [!r2]  // good.c:8
  l12 -> l13[Error unreach-call]: skip  // good.c:9
  l11 -> l4[Exited]: return 0  // good.c:10
";
    assert_eq!(display(&good()).to_string(), expected);
}
