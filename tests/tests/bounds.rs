//! Instrumented bitcode is verified under the bounds that it was planned for, and no others.

use std::path::Path;

use clap::Parser;
use frontend::testing::try_load;
use instrument::{Reduction, emit, plan};
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate};
use verify::options::Options;
use verify::verdict::{Failure, Verdict};

/// Two runs of `count` lose an increment, one does not: under `--threads 1` no thread has to let others run.
const RACE: &str = "#include <assert.h>
#include <pthread.h>
int counter;
volatile int threads = 2;
static void *count(void *unused) { counter++; return unused; }
int main(void) {
    pthread_t started[2];
    for (int i = 0; i < threads; i++) pthread_create(&started[i], 0, count, 0);
    for (int i = 0; i < threads; i++) pthread_join(started[i], 0);
    assert(counter == 2);
}
";

/// Writes the program, instrumented under these bounds, to a file.
fn instrumented(folder: &Path, threads: u32) -> String {
    let loaded = try_load(RACE, &[]).expect("the program can be read");
    let bounds = Bounds { threads, heap: 1 };
    let instances = instantiate(&loaded.program, &bounds);
    let points_to = PointsTo::analyse(&loaded.program, &instances);
    let plan = plan(&loaded.program, &instances, &points_to, Reduction::Static);
    let bitcode = folder.join(format!("race{threads}.bc"));
    let bytes = emit(&loaded, &plan).expect("the plan fits the module");
    std::fs::write(&bitcode, bytes).expect("a file in the temporary folder");
    bitcode.to_string_lossy().into_owned()
}

fn verify(file: &str, options: &[&str]) -> Result<Verdict, Failure> {
    let arguments = [&["verify", file, "--engine", "bmc"], options].concat();
    let options = Options::try_parse_from(arguments).expect("valid options");
    verify::run(&options).map(|report| report.verdict)
}

#[test]
fn the_bounds_of_the_instrumentation_hold() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (one, two) = (
        instrumented(folder.path(), 1),
        instrumented(folder.path(), 2),
    );
    for options in [&[][..], &["--threads", "1"]] {
        let verdict = verify(&one, options).expect("the options fit");
        assert!(matches!(&verdict, Verdict::Unknown { .. }), "{verdict}");
    }
    for options in [
        &[][..],
        &["--threads", "2", "--heap", "1", "--recursion", "8"],
    ] {
        let verdict = verify(&two, options).expect("the options fit");
        assert!(matches!(&verdict, Verdict::Unsafe { .. }), "{verdict}");
    }
}

#[test]
fn other_bounds_are_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let one = instrumented(folder.path(), 1);
    for (option, asked, planned) in [
        ("--threads", "3", "1"),
        ("--heap", "2", "1"),
        ("--recursion", "9", "8"),
    ] {
        let Err(Failure::Input(message)) = verify(&one, &[option, asked]) else {
            panic!("{option} {asked} is accepted")
        };
        for part in [
            format!("{option} {asked} does not fit"),
            format!("instrumented with {option} {planned}"),
        ] {
            assert!(message.contains(&part), "{message}");
        }
    }
}

#[test]
fn an_instrumentation_without_bounds_is_refused() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("unbounded.ll");
    let text = "define i32 @main() {\n  ret i32 0\n}\n!mazurka.instrumented = !{!0}\n!0 = !{!\"static\"}\n";
    std::fs::write(&path, text).expect("a file in the temporary folder");
    let Err(Failure::Input(message)) = verify(&path.to_string_lossy(), &[]) else {
        panic!("it is accepted")
    };
    assert!(message.contains("instrument the result"), "{message}");
}
