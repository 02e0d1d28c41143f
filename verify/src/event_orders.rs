//! Refutations of all orders of events as certificates: a file that says how far threads were unwound, with the formulas, and its check on
//! the program.
//!
//! The formulas follow from the unwinding and the program, so the check makes them anew and compares the texts. Nothing of the file but
//! the unwinding is used, and any unwinding will do of which all formulas are refuted.

use certify::certificate::Malformed;
use certify::{Certificate, Subject, head};
use eventgraph::{Claim, Refutation};
use system::transition_system::Proof;

use crate::verdict::Failure;

/// The first line of such a file.
pub(crate) const TITLE: &str =
    "; Proof of safety: events have no order in which anything is violated.";

const ARGUMENT: &str = "; argument: orders of events ";

/// Between formulas, for solvers that read the file.
const NEXT: &str = "(reset)\n";

/// The formulas as proofs of their own.
pub(crate) fn certificates(refutations: &[Refutation]) -> Result<Vec<Certificate>, Failure> {
    let proof = Proof::Exhausted { depth: 0 };
    let certificates = refutations.iter();
    let certificates = certificates.map(|refutation| Certificate::new(&refutation.system, &proof));
    let certificates: Result<_, _> = certificates.collect();
    certificates.map_err(|error| Failure::Internal(error.to_string()))
}

/// The file.
pub(crate) fn print(
    comments: &[String],
    subject: &Subject,
    (claim, certificates): (&Claim, &[Certificate]),
) -> Result<String, Failure> {
    let head = head::lines(TITLE, comments, Some(subject));
    Ok(format!(
        "{}\n{}",
        head.join("\n"),
        body(claim, certificates)?
    ))
}

/// What follows the head.
fn body(claim: &Claim, certificates: &[Certificate]) -> Result<String, Failure> {
    let claim = serde_json::to_string(claim);
    let claim = claim.map_err(|error| Failure::Internal(error.to_string()))?;
    let formulas: Vec<String> = certificates
        .iter()
        .map(|formula| formula.print(&[]))
        .collect();
    Ok(format!("{ARGUMENT}{claim}\n{}", formulas.join(NEXT)))
}

/// What a file says.
#[derive(Debug)]
pub(crate) struct File<'t> {
    /// The program.
    pub(crate) subject: Subject,
    /// The unwinding.
    pub(crate) claim: Claim,
    /// From the argument on.
    body: Vec<&'t str>,
    /// The number of its first line.
    first: usize,
}

/// Reads a file but for its formulas.
///
/// # Errors
/// It is no such file.
pub(crate) fn parse(text: &str) -> Result<File<'_>, Malformed> {
    let lines: Vec<&str> = text.split('\n').collect();
    let (subject, index) = head::read(TITLE, &lines)?;
    let malformed = |cause: String| Malformed {
        line: index + 1,
        cause,
    };
    let subject =
        subject.ok_or_else(|| malformed("the digest of a program is expected".to_owned()))?;
    let argument = lines
        .get(index)
        .and_then(|line| line.strip_prefix(ARGUMENT));
    let argument = argument.ok_or_else(|| malformed(format!("`{ARGUMENT}...` is expected")))?;
    let claim = serde_json::from_str(argument);
    let claim = claim.map_err(|error| malformed(format!("this is no unwinding: {error}")))?;
    Ok(File {
        subject,
        claim,
        body: lines[index..].to_vec(),
        first: index + 1,
    })
}

impl File<'_> {
    /// The first line in which the file differs from one that has these formulas.
    pub(crate) fn difference(
        &self,
        certificates: &[Certificate],
    ) -> Result<Option<usize>, Failure> {
        let expected = body(&self.claim, certificates)?;
        let mut expected = expected.split('\n').map(Some).chain([None]);
        let found = self.body.iter().copied().map(Some).chain([None]);
        let mut numbered = (self.first..).zip(found);
        let different = numbered.find(|(_, found)| expected.next() != Some(*found));
        Ok(different.map(|(line, _)| line))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::time::Duration;

    use certify::SolverCommand;
    use frontend::input::CompilerArguments;
    use system::budget::Budget;

    use super::*;
    use crate::engines::eventgraph::refutations;
    use crate::evidence::refuted;
    use crate::subject;
    use crate::task::{Task, prepare};
    use crate::verdict::Verdict;

    fn task(example: &str) -> Task {
        let subject = Subject {
            digest: [0; 32],
            options: Vec::new(),
        };
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../c-examples");
        let files = [folder.join(example)];
        let options = subject::options(&subject, &files, CompilerArguments::default(), false);
        prepare(&options.expect("no option is wrong")).expect("the example is read")
    }

    /// What is said of a claim that a file may have.
    fn check(task: &Task, claim: &str) -> Result<Verdict, String> {
        let claim: Claim = serde_json::from_str(claim).map_err(|error| error.to_string())?;
        let refutations = refutations(task, &claim, &Budget::unlimited());
        let refutations = refutations.map_err(|error| error.to_string())?;
        let solver = SolverCommand::z3(Duration::from_secs(60));
        let evidence = refuted(&refutations, &solver).map_err(|error| error.to_string())?;
        Ok(evidence.verdict)
    }

    fn claim(bounds: &str, excluded: &str) -> String {
        format!("{{\"scheduling\":\"encoded\",{bounds},\"excluded\":{excluded}}}")
    }

    #[test]
    fn a_loop_that_goes_on_is_noticed() {
        let task = task("binary_search.c");
        let far = claim(r#""unwind":8,"loops":[],"bits":32,"objects":[]"#, "[[],[]]");
        assert_eq!(check(&task, &far), Ok(Verdict::Safe));
        let near = claim(
            r#""unwind":8,"loops":[[0,5,1]],"bits":32,"objects":[]"#,
            "[[],[]]",
        );
        let error = check(&task, &near).expect_err("a loop goes on");
        assert!(error.contains("does not hold"), "{error}");
    }

    #[test]
    fn a_number_that_does_not_fit_is_noticed() {
        for (example, why) in [
            ("count_by_five.c", "it looks at too few bits"),
            ("fibonacci_rounds.c", "does not hold"),
        ] {
            let task = task(example);
            let wide = claim(r#""unwind":1,"loops":[],"bits":32,"objects":[]"#, "[[]]");
            assert_eq!(check(&task, &wide), Ok(Verdict::Safe));
            let narrow = claim(r#""unwind":1,"loops":[],"bits":4,"objects":[]"#, "[[]]");
            let error = check(&task, &narrow).expect_err("a number has more bits");
            assert!(error.contains(why), "{error}");
        }
    }

    #[test]
    fn what_has_an_order_cannot_be_excluded() {
        let task = task("counter_mutex.c");
        let bounds = r#""unwind":1,"loops":[],"bits":32,"objects":[]"#;
        assert_eq!(check(&task, &claim(bounds, "[[]]")), Ok(Verdict::Safe));
        let error = check(&task, &claim(bounds, r#"[[[{"link":0}]]]"#));
        let error = error.expect_err("the link is possible");
        assert!(error.contains("a cycle of events"), "{error}");
        for (excluded, why) in [
            (r#"[[[{"link":999}]]]"#, "another formula"),
            ("[]", "another formula"),
            ("[[],[],[]]", "another formula"),
            (r#"[[[{"read":0}]]]"#, "unknown variant"),
        ] {
            let error = check(&task, &claim(bounds, excluded));
            let error = error.expect_err("it is about another formula");
            assert!(error.contains(why), "{error}");
        }
    }
}
