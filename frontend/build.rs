//! Compiles the C models in `library/` to bitcode that `normalize` links into programs.
#![allow(clippy::print_stdout)] // Cargo reads the output of build scripts.

use std::env;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANG: &str = "clang-19";
const LINKER: &str = "llvm-link-19";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=library");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let mut sources: Vec<PathBuf> = std::fs::read_dir("library")?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    let mut parts = Vec::new();
    for source in &sources {
        let part = out
            .join(source.file_stem().ok_or("a source without name")?)
            .with_extension("bc");
        compile(source, &part)?;
        parts.push(part);
    }
    run(Command::new(LINKER)
        .args(&parts)
        .arg("-o")
        .arg(out.join("library.bc")))
}

/// Compiles without optimisation and without debug information: after inlining, the instructions of a model then bear the
/// source position of the call in the user's program.
fn compile(source: &Path, target: &Path) -> Result<(), Box<dyn Error>> {
    let flags = [
        "-O0",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-ffreestanding",
        "-fno-builtin",
        "-emit-llvm",
        "-c",
    ];
    run(Command::new(CLANG)
        .args(flags)
        .arg(source)
        .arg("-o")
        .arg(target))
}

fn run(command: &mut Command) -> Result<(), Box<dyn Error>> {
    let status = command
        .status()
        .map_err(|error| format!("{command:?}: {error}; install clang-19 and llvm-19"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed").into())
    }
}
