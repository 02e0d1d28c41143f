//! Library functions whose results are arbitrary only because they are not modelled.

use clap::Parser;
use verify::options::Options;
use verify::verdict::Verdict;

/// The verdict for a program.
fn verdict(text: &str) -> Verdict {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("program.c");
    std::fs::write(&path, text).expect("a file in the temporary folder");
    let path = path.to_string_lossy().into_owned();
    let options = Options::try_parse_from(["verify", &path, "--engine", "bmc"]);
    match verify::run(&options.expect("valid options")) {
        Ok(report) => report.verdict,
        Err(failure) => panic!("{failure}"),
    }
}

#[test]
fn a_violation_that_depends_on_the_processor_time_does_not_count() {
    let program = |condition: &str| {
        format!(
            "#include <assert.h>\n#include <time.h>\nint main(void) {{ clock_t a = clock(), b = clock(); assert({condition}); }}\n"
        )
    };
    assert!(matches!(
        verdict(&program("a <= b")),
        Verdict::Unknown { .. }
    ));
    assert_eq!(verdict(&program("a == a && b == b")), Verdict::Safe);
    assert!(matches!(verdict(&program("0")), Verdict::Unsafe { .. }));
}
