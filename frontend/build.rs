//! Compiles the C models in `library/` and those in `library/c11/` to bitcode that `normalize` links into programs, once for each
//! data model.
#![allow(clippy::print_stdout)] // Cargo reads the output of build scripts.

use std::env;
use std::error::Error;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

const CLANG: &str = "clang-19";
const LINKER: &str = "llvm-link-19";

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=library");
    println!("cargo::rustc-env=MODELS={MODELS}");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    compile_models(Path::new("library"), "library", &out)?;
    compile_models(Path::new("library/c11"), "c11", &out)
}

/// Compiles the sources of a folder for each data model, into one file each.
fn compile_models(folder: &Path, name: &str, out: &Path) -> Result<(), Box<dyn Error>> {
    let mut sources: Vec<PathBuf> = std::fs::read_dir(folder)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<Result<_, _>>()?;
    sources.retain(|path| path.extension().is_some_and(|extension| extension == "c"));
    sources.sort();
    let is_x86 = env::var("CARGO_CFG_TARGET_ARCH")? == "x86_64";
    for (data_model, flag) in [("ilp32", "-m32"), ("lp64", "-m64")] {
        let library = out.join(format!("{name}_{data_model}.bc"));
        if flag == "-m32" && !is_x86 {
            // Programs for this data model are refused there.
            std::fs::write(library, [])?;
            continue;
        }
        let mut parts = Vec::new();
        for source in &sources {
            let stem = source.file_stem().ok_or("a source without name")?;
            let mut part = OsString::from(format!("{name}_{data_model}_"));
            part.push(stem);
            let part = out.join(part).with_extension("bc");
            compile(source, flag, &part)?;
            parts.push(part);
        }
        run(Command::new(LINKER).args(&parts).arg("-o").arg(library))?;
    }
    Ok(())
}

/// The directory that debug information says the models are in, which tells them from the program.
const MODELS: &str = "/mazurka/models";

/// Compiles without optimisation, with functions and lines: after inlining, these tell which call of a model an instruction is part of.
fn compile(source: &Path, data_model: &str, target: &Path) -> Result<(), Box<dyn Error>> {
    let directory = format!("-fdebug-compilation-dir={MODELS}");
    let flags = [
        data_model,
        "-gline-tables-only",
        &directory,
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
        .map_err(|error| format!("{command:?}: {error}; install what `make setup` does"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{command:?} failed").into())
    }
}
