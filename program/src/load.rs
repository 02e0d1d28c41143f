//! The path from what the user hands over to a [`Program`].

use abi::markers::INSTRUMENTED_METADATA;

use crate::input::{Input, InputError};
use crate::llvm::Module;
use crate::model::Program;
use crate::normalize::{NormalizeError, normalize};
use crate::read;

/// Bounds that apply while a program is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadOptions {
    /// How many calls may be nested within a cycle of the call graph; deeper ones reach
    /// [`crate::model::LimitKind::Recursion`].
    pub recursion: u32,
    /// How many bytes are reserved for an allocation whose size is computed.
    pub allocation: u32,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            recursion: 5,
            allocation: 64,
        }
    }
}

/// A program together with the bitcode it was read from.
pub struct Loaded {
    /// What the bitcode means.
    pub program: Program,
    module: Module,
}

impl Loaded {
    /// The normalised bitcode. Every instruction bears its [`abi::ids::SiteId`] as metadata
    /// [`abi::markers::SITE_METADATA`]; the edge of an automaton has the number of its instruction.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Whether the bitcode was instrumented before: its yields then say where other threads may run.
    pub fn is_instrumented(&self) -> bool {
        self.module.has_named_metadata(INSTRUMENTED_METADATA)
    }
}

/// Compiles, normalises and reads a program.
pub fn load(input: &Input, options: &ReadOptions) -> Result<Loaded, InputError> {
    let name = input.name();
    let module = input.open()?;
    if module.has_named_metadata(INSTRUMENTED_METADATA) {
        module.use_debug_records(false);
    } else {
        normalize(&module, options.recursion).map_err(|error| explain(error, &name))?;
    }
    let program = read_module(&module, &name, options)?;
    Ok(Loaded { program, module })
}

/// Reads a module that is normalised already, for instance after instrumentation.
pub fn read_module(
    module: &Module,
    name: &str,
    options: &ReadOptions,
) -> Result<Program, InputError> {
    match module.function("main") {
        Some(main) if !main.is_declaration() => {
            Ok(read::read(module, main, name, options.allocation))
        }
        Some(_) | None => Err(InputError::NoMain {
            name: name.to_owned(),
        }),
    }
}

fn explain(error: NormalizeError, name: &str) -> InputError {
    let name = name.to_owned();
    match error {
        NormalizeError::Llvm(cause) => InputError::Malformed { name, cause },
        NormalizeError::TooLarge(instructions) => InputError::TooLarge { name, instructions },
    }
}
