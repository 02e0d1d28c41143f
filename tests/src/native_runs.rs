//! Runs of a program on the machine: optimised or not, with sanitizers, at random, with a hostile C library between.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// How a program is compiled, and by how many bytes its variables are moved.
struct Build {
    name: &'static str,
    flags: &'static [&'static str],
    padding: &'static str,
}

/// clang has no library for its sanitizers among the packages that `make setup` asks for. That of gcc serves it, too.
const BUILDS: [Build; 3] = [
    Build {
        name: "plain",
        flags: &["-O0"],
        padding: "8",
    },
    Build {
        name: "optimised",
        flags: &["-O2"],
        padding: "72",
    },
    Build {
        name: "checked",
        flags: &[
            "-O0",
            "-fsanitize=address,undefined",
            "-fno-sanitize=function",
            "-fno-sanitize-recover=all",
            "-fsanitize-address-use-after-scope",
            "-fsanitize-address-use-after-return=always",
        ],
        padding: "200",
    },
];

/// A run that takes longer is stopped: waiting for ever is no failure.
const LIMIT: Duration = Duration::from_secs(2);

/// Compiles programs and runs them.
pub struct NativeRuns {
    folder: PathBuf,
}

impl NativeRuns {
    /// Prepares runs with files in `folder`.
    ///
    /// # Panics
    ///
    /// If the folder cannot be written or there is no compiler.
    pub fn new(folder: &Path) -> Self {
        let runs = Self {
            folder: folder.to_owned(),
        };
        for build in &BUILDS {
            let mut compiler = Command::new("clang-19");
            compiler
                .args(["-O1", "-Wall", "-Wextra", "-Werror", "-pthread", "-c"])
                .arg(format!("-DPADDING={}", build.padding))
                .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/edges/posix.c"))
                .arg("-o")
                .arg(runs.library(build));
            succeed(compiler);
        }
        runs
    }

    fn library(&self, build: &Build) -> PathBuf {
        self.folder.join(format!("posix-{}.o", build.name))
    }

    /// How a program fails in one of `runs` runs of each build, if it does: an assertion, a signal or a report.
    ///
    /// # Panics
    ///
    /// If the program is not compiled.
    pub fn failure(&self, program: &Path, runs: u64) -> Option<String> {
        BUILDS.iter().find_map(|build| {
            let binary = self.build(program, build);
            let failure = (0..runs)
                .map(|seed| (seed, run(&binary, seed)))
                .take_while(|(_, end)| *end != End::Late)
                .find_map(|(seed, end)| match end {
                    End::Failure(message) => {
                        let flags = build.flags.join(" ");
                        Some(format!(
                            "{} run ({flags}), EDGE_SEED={seed}: {message}",
                            build.name
                        ))
                    }
                    End::Success | End::Late => None,
                });
            // The folder would become large; a file that stays does no harm.
            let _ = fs::remove_file(binary);
            failure
        })
    }

    fn build(&self, program: &Path, build: &Build) -> PathBuf {
        let object = program.with_extension(format!("{}.o", build.name));
        let binary = program.with_extension(build.name);
        let mut compiler = Command::new("clang-19");
        compiler
            .args(build.flags)
            .args(["-w", "-pthread", "-c"])
            .arg("-fsanitize-coverage=func,trace-loads,trace-stores")
            .args([program, Path::new("-o"), &object]);
        succeed(compiler);
        let mut linker = Command::new("gcc");
        if build.flags.iter().any(|flag| flag.contains("address")) {
            linker.arg("-fsanitize=address,undefined");
        }
        linker
            .args(wrapped().map(|name| format!("-Wl,--wrap={name}")))
            .args(["-pthread", "-o"])
            .args([&binary, &self.library(build), &object]);
        succeed(linker);
        let _ = fs::remove_file(object);
        binary
    }
}

/// The functions that `posix.c` puts itself between.
fn wrapped() -> impl Iterator<Item = &'static str> {
    const DEFINITIONS: [&str; 4] = ["WRAP(int, ", "INITIALISE(", "CALL(", "TAKE("];
    let source = include_str!("../edges/posix.c");
    source.lines().filter_map(|line| {
        let rest = DEFINITIONS
            .iter()
            .find_map(|start| line.strip_prefix(start))?;
        rest.split(',').next()
    })
}

fn succeed(mut command: Command) {
    let output = command.output().expect("the compiler runs");
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {messages}");
}

/// How a run ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Success,
    Failure(String),
    Late,
}

fn run(binary: &Path, seed: u64) -> End {
    let mut process = Command::new(binary)
        .env("EDGE_SEED", seed.to_string())
        .env("ASAN_OPTIONS", "detect_leaks=0:symbolize=0")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("what was compiled runs");
    let start = Instant::now();
    loop {
        match process.try_wait().expect("the process is a child") {
            Some(status) if status.success() => return End::Success,
            Some(status) => {
                let mut message = Vec::new();
                if let Some(mut stderr) = process.stderr.take() {
                    // What cannot be read is left out of the message.
                    let _ = stderr.read_to_end(&mut message);
                }
                let message = String::from_utf8_lossy(&message);
                let lines = message.lines().filter(|line| !line.starts_with("==="));
                let told = lines.take(2).collect::<Vec<_>>().join("; ");
                return End::Failure(format!("{status}: {told}"));
            }
            None if start.elapsed() > LIMIT => {
                // It may have ended meanwhile.
                let _ = process.kill();
                let _ = process.wait();
                return End::Late;
            }
            None => sleep(Duration::from_millis(1)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How the function `main` with the given statements fails, after declarations of `h`, `s` and `t`.
    fn failure(name: &str, declarations: &str, main: &str) -> Option<String> {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join(format!("{name}.c"));
        let text = format!(
            "#include <assert.h>\n#include <pthread.h>\n#include <stdint.h>\n#include <unistd.h>\n\
             {declarations}\nint main(void) {{ {main} }}\n"
        );
        fs::write(&path, text).expect("the folder can be written");
        NativeRuns::new(folder.path()).failure(&path, 20)
    }

    fn assert_told(failure: Option<String>, part: &str) {
        let told = failure.as_ref().is_some_and(|text| text.contains(part));
        assert!(told, "{failure:?} instead of `{part}`");
    }

    #[test]
    fn what_is_right_or_waits_for_ever_does_not_fail() {
        let x = "int x = 1;";
        assert_eq!(failure("right", x, "assert(x == 1);"), None);
        assert_eq!(failure("waits", x, "for (;;) pause();"), None);
    }

    #[test]
    fn assertions_fail() {
        let found = failure("assertion", "int x = 1;", "assert(x == 2);");
        assert_told(found, "Assertion `x == 2' failed");
    }

    #[test]
    fn uses_after_a_lifetime_are_reported() {
        let leak = "int *leak(void) { int x = 1; int *p = &x; return p; }";
        let found = failure("returned", leak, "assert(*leak() == 1);");
        assert_told(found, "");
        let main = "int *p; { int x = 1; p = &x; } assert(*p == 1);";
        assert_told(failure("block", "", main), "stack-use-after-scope");
    }

    #[test]
    fn what_posix_leaves_undefined_is_reported() {
        let lock = "pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;";
        let main = "pthread_rwlock_destroy(&lock); pthread_rwlock_rdlock(&lock);";
        assert_told(
            failure("destroyed", lock, main),
            "object that was destroyed",
        );
        let thread = "pthread_t h; void *f(void *p) { return p; }";
        let main = "pthread_create(&h, 0, f, 0); pthread_join(h, 0); pthread_join(h, 0);";
        assert_told(failure("joined", thread, main), "not joinable");
    }

    #[test]
    fn other_schedules_and_layouts_are_tried() {
        let thread =
            "pthread_t h; void *f(void *p) { assert(pthread_equal(h, pthread_self())); return p; }";
        let main = "pthread_create(&h, 0, f, 0); pthread_join(h, 0);";
        assert_told(failure("handle", thread, main), "pthread_equal");
        let racing = "volatile int n; void *f(void *p) { n++; return p; }";
        let main =
            "pthread_t t; pthread_create(&t, 0, f, 0); n++; pthread_join(t, 0); assert(n == 2);";
        assert_told(failure("increments", racing, main), "n == 2");
        let differing = (0..4).filter(|value| {
            let main = format!("assert(((uintptr_t)&x >> 4 & 3) != {value});");
            failure("stripe", "int x;", &main).is_some()
        });
        assert!(
            differing.count() > 1,
            "globals always lie at the same place"
        );
    }
}
