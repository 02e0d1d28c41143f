//! The models of library functions against the C library of the machine.

use std::collections::{BTreeMap, BTreeSet};

use abi::markers::is_reserved;
use clap::Parser;
use frontend::testing::in_parallel;
use program::model::DataModel;
use verify::options::Options;
use verify::verdict::Verdict;

use super::programs::{Program, Statement};

/// Functions that no C library has, and what `assert` and the compiler call.
fn is_foreign(name: &str) -> bool {
    is_reserved(name.as_bytes())
        || name.starts_with("__VERIFIER_")
        || name.starts_with("__assert")
        || matches!(name, "reach_error" | "__builtin_trap")
}

#[test]
fn every_function_of_the_table_is_compared() {
    let programs = Program::all();
    let known: BTreeSet<&str> = abi::functions::names()
        .filter(|name| !is_foreign(name))
        .collect();
    for program in &programs {
        for function in &program.functions {
            assert!(
                program.body.contains(function.as_str()),
                "{} does not call `{function}`",
                program.name()
            );
        }
    }
    let compared: BTreeSet<&str> = programs
        .iter()
        .flat_map(|program| program.functions.iter().map(String::as_str))
        .collect();
    let missing: Vec<_> = known.difference(&compared).collect();
    assert!(missing.is_empty(), "no program looks at {missing:?}");
    let unknown: Vec<_> = compared.difference(&known).collect();
    assert!(unknown.is_empty(), "the table does not have {unknown:?}");
}

/// What is asked about a program: nothing of its lines in particular, whether it ends, or one of its lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Whole,
    End,
    Line(usize, Statement),
}

impl Case {
    fn number(self) -> i64 {
        match self {
            Self::Whole => 0,
            Self::End => -1,
            Self::Line(line, _) => line as i64,
        }
    }

    /// Whether the verdict says what the case expects.
    fn is_answered_by(self, verdict: &Verdict) -> bool {
        let expected = match self {
            Self::Whole => None,
            Self::End => Some(Statement::OneOf),
            Self::Line(_, statement) => Some(statement),
        };
        match (expected, verdict) {
            (None | Some(Statement::NeverReturns), Verdict::Safe) => true,
            (Some(Statement::OneOf), Verdict::Unsafe { .. }) => true,
            (Some(Statement::Unknown), Verdict::Unknown { reason }) => {
                reason.contains("depends on the ")
            }
            // Such a result may lie on the way to the end.
            (Some(Statement::OneOf), Verdict::Unknown { reason }) => {
                self == Self::End && reason.contains("depends on the ")
            }
            (Some(Statement::Undefined), Verdict::Unknown { reason }) => {
                reason.contains("undefined behaviour")
            }
            (
                None
                | Some(
                    Statement::Check
                    | Statement::OneOf
                    | Statement::Unknown
                    | Statement::Undefined
                    | Statement::NeverReturns,
                ),
                Verdict::Safe | Verdict::Unsafe { .. } | Verdict::Unknown { .. },
            ) => false,
        }
    }

    /// All cases of a program.
    fn all(program: &Program) -> impl Iterator<Item = Self> {
        let ends = [Self::Whole, Self::End];
        let lines = program.statements.iter();
        let alone = lines.filter(|(_, statement)| **statement != Statement::Check);
        ends.into_iter()
            .chain(alone.map(|(line, statement)| Self::Line(*line, *statement)))
    }
}

/// The verdict for a case, given what the native run recorded.
fn verdict(
    program: &Program,
    data_model: DataModel,
    values: &BTreeMap<usize, i64>,
    case: Case,
) -> Verdict {
    let path = program.path.to_string_lossy().into_owned();
    let mut words = vec!["verify".to_owned(), path, "--timeout=100".to_owned()];
    words.push("--property=unreach-call".to_owned());
    words.push(format!("--data-model={data_model}"));
    words.extend(["-w", "-D_GNU_SOURCE"].map(|flag| format!("--clang-arg={flag}")));
    words.push(format!("--clang-arg=-DCASE={}", case.number()));
    words.extend(
        values
            .iter()
            .map(|(line, value)| format!("--clang-arg=-DVALUE_{line}={value}l")),
    );
    let options = Options::try_parse_from(words).expect("valid options");
    match verify::run(&options) {
        Ok(report) => report.verdict,
        Err(failure) => panic!("{}: {failure}", program.name()),
    }
}

/// Every other line that states something else than one value is asked about alone.
#[test]
fn models_do_what_the_library_does() {
    compare(DataModel::Lp64, |case| match case {
        Case::Whole | Case::End => true,
        Case::Line(line, _) => line.is_multiple_of(2),
    });
}

#[test]
#[ignore = "the other test has half of it; called by `make fuzz`"]
fn fuzz_models_do_what_the_library_does() {
    compare(DataModel::Lp64, |_| true);
}

/// The models are the same source as that for 64 bits, so that not every line is asked about alone.
#[test]
fn models_do_what_the_library_of_32_bits_does() {
    compare(DataModel::Ilp32, |case| match case {
        Case::Whole | Case::End => true,
        Case::Line(line, statement) => statement == Statement::OneOf && line.is_multiple_of(4),
    });
}

#[test]
#[ignore = "the other test has some of it; called by `make fuzz`"]
fn fuzz_models_do_what_the_library_of_32_bits_does() {
    compare(DataModel::Ilp32, |_| true);
}

/// Compares models with what the C library for a data model does natively, in cases that are `chosen`.
fn compare(data_model: DataModel, chosen: impl Fn(Case) -> bool) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let programs = Program::all();
    let native: Vec<_> = programs
        .iter()
        .map(|program| program.run(directory.path(), data_model, 0))
        .collect();
    let cases = programs
        .iter()
        .zip(&native)
        .flat_map(|(program, values)| Case::all(program).map(move |case| (program, values, case)));
    let cases: Vec<_> = cases.filter(|&(_, _, case)| chosen(case)).collect();
    let wrong = std::sync::Mutex::new(Vec::new());
    in_parallel(cases.into_iter(), |(program, values, case)| {
        let mut complaints = Vec::new();
        if let Case::Line(line, Statement::NeverReturns) = case
            && program
                .run(directory.path(), data_model, line)
                .contains_key(&line)
        {
            complaints.push("the native run goes on".to_owned());
        }
        let verdict = verdict(program, data_model, values, case);
        if !case.is_answered_by(&verdict) {
            complaints.push(verdict.to_string());
        }
        for complaint in complaints {
            let complaint = format!("{}.c {case:?}: {complaint}", program.name());
            wrong.lock().expect("no thread panicked").push(complaint);
        }
    });
    let wrong = wrong.into_inner().expect("no thread panicked");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
