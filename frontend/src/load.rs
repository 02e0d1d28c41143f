//! Loading: from the input of the user to a [`Program`].

use abi::markers::INSTRUMENTED_METADATA;

use crate::input::{Input, InputError};
use crate::llvm::{Module, ModuleError, Value};
use crate::normalize::{
    Guard, NormalizeError, SANITIZER, Watch, guard_writes, normalize, refuse_startup_code,
};
use crate::options::{ReadOptions, UndefinedFunctions};
use crate::overwritten;
use crate::read;
use program::layout;
use program::model::Program;
use program::threads::Bounds;

/// A program together with the bitcode it was read from.
pub struct Loaded {
    /// What the bitcode means.
    pub program: Program,
    /// The bounds it was read with.
    pub options: ReadOptions,
    /// What an earlier instrumentation says of itself: the yields then say where other threads may run.
    pub instrumentation: Option<Instrumentation>,
    /// A function to which a compiler may have added accesses that are not the program's: it was optimised, and not so that data races can
    /// be found in it.
    pub optimised: Option<String>,
    module: Module,
    /// The bitcode before it was normalised; of instrumented bitcode, what it says was instrumented.
    original: Vec<u8>,
}

/// How bitcode was instrumented. Its yields mean something only under the bounds that they were planned for. Nothing here is
/// believed before the plan was made anew.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Instrumentation {
    /// Name of the reduction.
    pub reduction: String,
    /// Names of the kinds of both-moving conditions that it may use, separated by commas.
    pub conditions: String,
    /// Threads and heap objects.
    pub bounds: Bounds,
    /// What applied while the program was read.
    pub options: ReadOptions,
}

impl Instrumentation {
    /// Reads what [`INSTRUMENTED_METADATA`] says, and the original bitcode; fails if that is not what this version writes.
    fn of(module: &Module) -> Option<(Self, Vec<u8>)> {
        let [node] = module.named_metadata(INSTRUMENTED_METADATA)[..] else {
            return None;
        };
        let operands = node.node_operands();
        let [reduction, conditions, numbers @ .., original] = &operands[..] else {
            return None;
        };
        let numbers: Vec<u32> = numbers
            .iter()
            .map(|number| u32::try_from((*number)?.integer()?).ok())
            .collect::<Option<_>>()?;
        let [
            threads,
            heap,
            recursion,
            allocation,
            abort_is_error @ (0 | 1),
            arbitrary @ (0 | 1),
        ] = numbers[..]
        else {
            return None;
        };
        let is_possible = Bounds::THREADS.contains(&threads)
            && Bounds::HEAP.contains(&heap)
            && ReadOptions::RECURSION.contains(&recursion)
            && ReadOptions::ALLOCATION.contains(&allocation);
        if !is_possible {
            return None;
        }
        let instrumentation = Self {
            reduction: (*reduction)?.metadata_string()?,
            conditions: (*conditions)?.metadata_string()?,
            bounds: Bounds { threads, heap },
            options: ReadOptions {
                recursion,
                allocation,
                abort_is_error: abort_is_error == 1,
                data_model: None,
                undefined: match arbitrary {
                    0 => UndefinedFunctions::Stop,
                    _ => UndefinedFunctions::Arbitrary,
                },
                ..ReadOptions::default()
            },
        };
        Some((instrumentation, (*original)?.metadata_bytes()?))
    }
}

impl Loaded {
    /// The normalised bitcode. Every instruction bears its [`abi::ids::SiteId`] as metadata
    /// [`abi::markers::SITE_METADATA`]; the edge of an automaton has the number of its instruction.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// The bitcode that was handed over, before it was normalised. Instrumented bitcode says itself what was instrumented.
    pub fn original(&self) -> &[u8] {
        &self.original
    }
}

/// Bitcode without what tells where it came from, so that equal programs give equal bytes wherever they were compiled.
///
/// # Errors
/// LLVM does not accept the bitcode.
pub fn without_origin(bitcode: &[u8]) -> Result<Vec<u8>, ModuleError> {
    let module = Module::from_bitcode(bitcode, "")?;
    module.strip_origin();
    Ok(module.to_bitcode())
}

/// Compiles, normalises and reads a program. Bitcode that is instrumented keeps the bounds of its instrumentation.
pub fn load(input: &Input, options: &ReadOptions) -> Result<Loaded, InputError> {
    let name = input.name();
    let mut module = input.open()?;
    let found = module.data_model();
    if let Some(expected) = options.data_model.filter(|&expected| expected != found) {
        return Err(InputError::DataModel {
            name,
            found,
            expected,
        });
    }
    let optimised = optimised(&module);
    let (instrumentation, original) = if module.has_named_metadata(INSTRUMENTED_METADATA) {
        module.use_debug_records(false);
        refuse_startup_code(&module);
        let unusable = || InputError::Instrumentation { name: name.clone() };
        let (instrumentation, original) = Instrumentation::of(&module).ok_or_else(unusable)?;
        (Some(instrumentation), original)
    } else {
        let original = module.to_bitcode();
        let watch = Watch {
            waits: options.looks_for_deadlocks,
            ..Watch::default()
        };
        normalize(&module, options, watch).map_err(|error| explain(error, &name))?;
        (None, original)
    };
    let options = instrumentation
        .as_ref()
        .map_or(*options, |instrumentation| instrumentation.options);
    let mut program = read_module(&module, &name, &options)?;
    if instrumentation.is_none() {
        let writes = overwritten::writes(&module, &program);
        if !writes.is_empty() {
            module = guarded(&writes, &original, &name, &options)?;
            program = read_module(&module, &name, &options)?;
        }
    }
    Ok(Loaded {
        program,
        options,
        instrumentation,
        optimised,
        module,
        original,
    })
}

/// A function that was optimised without regard to data races.
fn optimised(module: &Module) -> Option<String> {
    let is_as_written = |function: &Value| {
        let mut marks = ["optnone", "sanitize_thread", "alwaysinline"].into_iter();
        function.is_declaration() || marks.any(|mark| function.has_attribute(mark))
    };
    let mut functions = module.functions().into_iter();
    functions
        .find(|function| !is_as_written(function) && function.name() != SANITIZER)
        .map(Value::name)
}

/// The module anew, with locks watched and the writes to them guarded. Which these are tells in which way the program is to be
/// normalised, so it is normalised for the second time here.
fn guarded(
    writes: &[(Value, Guard)],
    original: &[u8],
    name: &str,
    options: &ReadOptions,
) -> Result<Module, InputError> {
    let watch = Watch {
        in_use: true,
        copies: writes.iter().any(|(_, guard)| guard.copies),
        waits: options.looks_for_deadlocks,
    };
    let module = Module::from_bitcode(original, name).map_err(|cause| InputError::Malformed {
        name: name.to_owned(),
        cause,
    })?;
    normalize(&module, options, watch).map_err(|error| explain(error, name))?;
    let program = read_module(&module, name, options)?;
    guard_writes(&module, &overwritten::writes(&module, &program));
    Ok(module)
}

/// Reads a module that is normalised already, for instance after instrumentation.
pub fn read_module(
    module: &Module,
    name: &str,
    options: &ReadOptions,
) -> Result<Program, InputError> {
    match module.function("main") {
        Some(main) if !main.is_declaration() => {
            let mut program = read::read(module, main, name, options);
            layout::convert(&mut program);
            Ok(program)
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
