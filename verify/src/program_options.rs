//! The command-line options that select the program, and say how it is read and reduced.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use clap::builder::RangedI64ValueParser;
use clap::{Args, ValueEnum};
use frontend::input::{CompilerArguments, InputError, is_c};
use frontend::{ReadOptions, UndefinedFunctions};
use instrument::{ConditionKind, Reduction};
use program::model::{DataModel, Property};
use program::threads::Bounds;

use crate::properties::Properties;
use crate::property_option::PropertyOption;
use crate::report::PropertyVerdict;
use crate::thread_bound::ThreadBound;
use crate::user_property_options::UserPropertyOptions;
use crate::verdict::{Failure, Verdict};

/// A program, and how far it is followed.
#[derive(Clone, Debug, Args)]
pub struct ProgramOptions {
    /// C source (.c, .i), LLVM bitcode (.bc) or assembly (.ll), linked if there are several; `-` or nothing reads bitcode from standard
    /// input. Or one task definition of SV-COMP (.yml), which names the files, the data model and the properties.
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,

    /// The Lipton reduction of the interleavings. Bitcode that is instrumented already keeps its own.
    #[arg(long, value_enum, default_value_t = ReductionChoice::Static)]
    pub reduction: ReductionChoice,

    /// What conditions of `--reduction dynamic` may look at.
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help = format!(
        "What conditions of `--reduction dynamic` may look at: {}, separated by commas; all by default",
        ConditionKind::names()
    ))]
    pub dynamic: Vec<ConditionKind>,

    /// How often a thread that is created in a loop is started at most (default 3, or what the bitcode is instrumented for), or `any`: what is
    /// proved then holds for any number of threads.
    #[arg(long, value_name = "N")]
    pub threads: Option<ThreadBound>,

    /// How many heap objects an allocation in a loop makes at most (default 5, or what the bitcode is instrumented for).
    #[arg(long, value_name = "N", value_parser = within(Bounds::HEAP))]
    pub heap: Option<u32>,

    /// How deep a recursive function is called at most (default 8, or what the bitcode is instrumented for).
    #[arg(long, value_name = "N", value_parser = within(ReadOptions::RECURSION))]
    pub recursion: Option<u32>,

    /// What is verified, by SV-COMP's names where there is one: unreach-call, valid-deref, valid-free, valid-memtrack, valid-memsafety for these three of
    /// memory, no-overflow, no-lock-misuse, no-data-race, no-deadlock, no-infinite-run, termination for the last two, or all but no-infinite-run; or a property file of SV-COMP (.prp); may be repeated. Each that is asked for has a line
    /// of its own before the verdict, which is the worst of theirs. By default what people call a bug: the first three, until one is
    /// violated.
    #[arg(long = "property", value_name = "NAMES", value_delimiter = ',')]
    pub properties: Vec<PropertyOption>,

    /// Only those runs count as runs that go on for ever in which every thread moves again and again that is able to again and again: for
    /// no-infinite-run and termination.
    ///
    /// SAFE then says `VERDICT: SAFE (under fair scheduling)`. There is no reduction then.
    #[arg(long)]
    pub fair: bool,

    /// What is demanded of statements.
    #[command(flatten)]
    pub demanded: UserPropertyOptions,

    /// `abort` and `exit` with another status than 0 violate the property.
    #[arg(long)]
    pub abort_is_error: bool,

    /// What a call of a function means that is neither defined nor one of the library.
    #[arg(long, value_enum, default_value_t = UndefinedChoice::Stop)]
    pub undefined: UndefinedChoice,

    /// How many parts a variable may have, and how many addresses an access, for the symbolic engines to follow it.
    #[arg(long, value_name = "N", default_value_t = 4096, value_parser = clap::value_parser!(u32).range(1..=1 << 20))]
    pub cells: u32,

    /// Do not plan instrumented bitcode anew, but believe its yields: for bitcode whose yields were edited on purpose.
    ///
    /// SAFE then says `VERDICT: SAFE (instrumentation trusted)`.
    #[arg(long)]
    pub trust_instrumentation: bool,

    /// Which types have how many bits: ILP32 (as with clang's -m32) or LP64; by default that of the bitcode, or what clang compiles for.
    #[arg(long, value_name = "MODEL")]
    pub data_model: Option<DataModel>,

    /// A folder with `compile_commands.json`: how it says that the C files are compiled, as far as that changes what they mean. If no
    /// file is named, all of its C files are the program.
    #[arg(long, value_name = "FOLDER")]
    pub compile_commands: Option<PathBuf>,

    /// An argument for clang, such as -O2; may be repeated, and may stand after `--` unless a program is run. -D, -U, -I and -std=
    /// are understood without this, too.
    #[arg(long = "clang-arg", value_name = "ARG", allow_hyphen_values = true)]
    pub clang_arguments: Vec<String>,

    /// The task definition, the property files and the sources that were read beside the files: they are not to be written.
    #[arg(skip)]
    pub descriptions: Vec<PathBuf>,
}

/// What is verified if nothing is asked for.
const DEFAULT: [Property; 3] = [
    Property::UnreachCall,
    Property::ValidDeref,
    Property::ValidFree,
];

impl ProgramOptions {
    /// What is verified.
    pub(crate) fn verified(&self) -> BTreeSet<Property> {
        let mut verified = self.supported();
        for (property, _) in self.left_open() {
            verified.remove(&property);
        }
        verified
    }

    /// Whether runs that go on for ever are looked for under fair scheduling.
    pub(crate) fn is_fair(&self) -> bool {
        self.fair && self.verified().contains(&Property::NoInfiniteRun)
    }

    /// The reduction of the interleavings. Under fair scheduling it matters what each single step waits for.
    pub(crate) fn planned_reduction(&self) -> Reduction {
        match self.is_fair() {
            true => Reduction::None,
            false => self.reduction.into(),
        }
    }

    /// What is asked for that can be verified of some program.
    fn supported(&self) -> BTreeSet<Property> {
        match self.properties.is_empty() {
            true => BTreeSet::from(DEFAULT),
            false => {
                let supported = self.properties.iter().filter_map(PropertyOption::supported);
                supported.flat_map(Properties::iter).collect()
            }
        }
    }

    /// Asks for the property that what is demanded of statements belongs to, too.
    pub(crate) fn include_demanded(&mut self) {
        if !self.demanded.is_empty() && !self.properties.is_empty() {
            let property = PropertyOption::from_iter([Property::UnreachCall]);
            self.properties.push(property);
        }
    }

    /// What stays open beside others, since the program is not C, with the reason.
    fn left_open(&self) -> Vec<(Property, InputError)> {
        let supported = self.supported();
        let are_c = !self.files.is_empty() && self.files.iter().all(|file| is_c(file));
        if are_c || supported.len() <= 1 {
            return Vec::new();
        }
        let of_c = [
            (Property::ValidMemtrack, InputError::MayLackAllocations),
            (Property::NoOverflow, InputError::Unchecked),
        ];
        let asked = of_c.into_iter();
        asked
            .filter(|(property, _)| supported.contains(property))
            .collect()
    }

    /// The verdicts on what is asked for and cannot be verified, each once.
    pub(crate) fn open(&self) -> Vec<PropertyVerdict> {
        let mut names = BTreeSet::new();
        let of_c = self.left_open().into_iter();
        let of_c = of_c.map(|(property, reason)| PropertyVerdict {
            name: property.to_string(),
            verdict: Verdict::unknown(reason.to_string()),
        });
        let open = self.properties.iter().filter_map(PropertyOption::open);
        open.chain(of_c)
            .filter(|property| names.insert(property.name.clone()))
            .collect()
    }

    /// Whether several properties were asked for, each of which is to have a verdict.
    pub(crate) fn asks_for_each(&self) -> bool {
        !self.properties.is_empty() && (self.verified().len() > 1 || !self.open().is_empty())
    }

    /// How C files are compiled.
    ///
    /// # Errors
    /// What is demanded of statements names no line.
    pub(crate) fn compiler_arguments(&self) -> Result<CompilerArguments, Failure> {
        Ok(CompilerArguments {
            database: self.compile_commands.clone(),
            all: self.clang_arguments.clone(),
            data_model: self.data_model,
            checks_overflow: self.verified().contains(&Property::NoOverflow),
            keeps_accesses: self.verified().contains(&Property::NoDataRace),
            keeps_allocations: self.verified().contains(&Property::ValidMemtrack),
            user_properties: self.demanded.properties()?,
        })
    }
}

/// The reductions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReductionChoice {
    /// Other threads may run before every visible statement.
    None,
    /// Lipton reduction with movers and phases fixed per statement.
    Static,
    /// Lipton reduction with movers fixed per statement, and phases known at run time where they depend on the way.
    Phase,
    /// The same, and statements move once no other thread can reach a conflicting one any more.
    Dynamic,
}

/// What calls of functions without definition mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum UndefinedChoice {
    /// Runs that meet one are not followed: the verdict is UNKNOWN.
    Stop,
    /// It returns any value, gives the variables that its arguments point into any content, and does nothing else. The verdict says so.
    Arbitrary,
}

impl From<UndefinedChoice> for UndefinedFunctions {
    fn from(choice: UndefinedChoice) -> Self {
        match choice {
            UndefinedChoice::Stop => Self::Stop,
            UndefinedChoice::Arbitrary => Self::Arbitrary,
        }
    }
}

impl From<ReductionChoice> for Reduction {
    fn from(choice: ReductionChoice) -> Self {
        match choice {
            ReductionChoice::None => Self::None,
            ReductionChoice::Static => Self::Static,
            ReductionChoice::Phase => Self::Phase,
            ReductionChoice::Dynamic => Self::Dynamic,
        }
    }
}

/// Accepts numbers of a range.
fn within(range: RangeInclusive<u32>) -> RangedI64ValueParser<u32> {
    let (first, last) = range.into_inner();
    clap::value_parser!(u32).range(i64::from(first)..=i64::from(last))
}

/// What a choice is called on the command line.
pub(crate) fn name(choice: &impl ValueEnum) -> String {
    let value = choice.to_possible_value();
    value.map_or_else(String::new, |value| value.get_name().to_owned())
}
