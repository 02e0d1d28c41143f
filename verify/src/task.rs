//! From the command line to a task: a program with everything that engines are asked about.

use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::OnceLock;
use std::time::Instant;

use abi::ids::SiteId;
use certify::{MOST_THREADS, Subject};
use encode::properties::Limit;
use encode::{Encoding, Family};
use explicit::Distinctions;
use explicit::explore::Scheduling;
use explicit::interpret::ReplayStep;
use frontend::input::{Input, InputError};
use frontend::{Loaded, ReadOptions};
use instrument::{Asked, ConditionKind, Plan, RacePairs, Reduction};
use modular::{Counting, ThreadedSystem};
use program::model::{DataModel, Instances, Program, Property, Statement};
use program::names::Names;
use program::points_to::PointsTo;
use program::threads::{Bounds, instantiate, represent};
use system::budget::Budget;
use system::term::{Sort, Term, Terms};
use system::transform::{Pipeline, simplify, simplify_each};
use system::transition_system::{Proof, Reason, Trace, TransitionSystem, Verdict};

use crate::any_number::REPRESENTATIVES;
use crate::program_options::ProgramOptions;
use crate::thread_bound::ThreadBound;
use crate::verdict::{Assumptions, Failure};
use crate::{bounds, counted, describe, subject};

/// What every engine is asked about: a program, its threads and objects, and the transition system that encodes it. The
/// transition system is made on demand.
#[derive(Debug)]
pub struct Task {
    /// The program as it was read: what counterexamples are replayed on.
    pub program: Program,
    /// Its threads and objects.
    pub instances: Instances,
    /// The program with what the reduction adds: what is encoded.
    pub reduced: Program,
    /// What the task is, line by line: program, reduction, bounds.
    pub description: Vec<String>,
    /// Where other threads may run, over all templates.
    pub external_locations: usize,
    /// How many pairs of its accesses may race, if that is looked for.
    pub races: Option<RacePairs>,
    /// What is believed of it, as the options say.
    pub assumptions: Assumptions,
    /// Seconds it took, without the encoding.
    pub seconds: f64,
    points_to: PointsTo,
    distinctions: Distinctions,
    /// How the program was read, and its bitcode before anything was done to it.
    options: ProgramOptions,
    bitcode: Vec<u8>,
    encoded: OnceLock<Encoded>,
}

/// Threads that stand for any number of others differ in what is encoded of them.
pub(crate) const UNLIKE: &str = "threads of any number are not alike in the encoding";

/// What a look at few threads of any number cannot tell.
const ABOUT_ALL: [Property; 4] = [
    Property::ValidMemtrack,
    Property::NoDataRace,
    Property::NoDeadlock,
    Property::NoInfiniteRun,
];

/// A program as a transition system.
#[derive(Debug)]
pub struct Encoded {
    /// The system as it is encoded, and the way back to the program.
    pub encoding: Encoding,
    /// The simplified system, for the engines.
    pub system: TransitionSystem,
    simplifications: Pipeline,
    counted: OnceLock<Counted>,
}

/// What is known of an encoding besides what it says, for proofs about any number of threads.
#[derive(Debug)]
pub(crate) struct Counted {
    /// Variables that count threads; terms over the encoding.
    pub(crate) counting: Counting,
    /// The simplified system, constrained to that.
    system: TransitionSystem,
}

/// A program as it was read, and what reductions need to know of it: what tasks about one program share.
pub struct Source {
    pub(crate) loaded: Rc<Loaded>,
    /// The program that is looked at instead of the one that was read, if it is another one.
    represented: Option<Program>,
    pub(crate) instances: Instances,
    bounds: Bounds,
    points_to: PointsTo,
    /// The properties that what was read depends on.
    read_for: BTreeSet<Property>,
    seconds: f64,
}

impl Source {
    /// Reads a program. The reduction of the options is not looked at.
    ///
    /// # Errors
    /// The program cannot be used, or is instrumented in another way than it says.
    pub fn read(options: &ProgramOptions) -> Result<Self, Failure> {
        let start = Instant::now();
        let (loaded, bounds) = load_believed(options)?;
        let source = Self::new(loaded, bounds);
        Ok(Self {
            read_for: read_for(options),
            seconds: start.elapsed().as_secs_f64(),
            ..source
        })
    }

    pub(crate) fn new(loaded: Loaded, bounds: Bounds) -> Self {
        Self::of(Rc::new(loaded), None, bounds)
    }

    fn of(loaded: Rc<Loaded>, represented: Option<Program>, bounds: Bounds) -> Self {
        let program = represented.as_ref().unwrap_or(&loaded.program);
        let instances = instantiate(program, &bounds);
        let points_to = PointsTo::analyse(program, &instances);
        Self {
            loaded,
            represented,
            instances,
            bounds,
            points_to,
            read_for: BTreeSet::new(),
            seconds: 0.0,
        }
    }

    /// The program read again, if that is needed for the properties of options that differ in them only. Standard input is read once.
    ///
    /// # Errors
    /// The program cannot be used.
    pub(crate) fn again(&self, options: &ProgramOptions) -> Result<Option<Self>, Failure> {
        let wanted = read_for(options);
        if self.read_for == wanted || self.loaded.instrumentation.is_some() {
            return Ok(None);
        }
        let checks = |properties: &BTreeSet<Property>| properties.contains(&Property::NoOverflow);
        let loaded = match checks(&self.read_for) == checks(&wanted) {
            true => {
                let bitcode = Input::Bitcode {
                    name: self.loaded.program.name.clone(),
                    bytes: self.loaded.original().to_vec(),
                };
                read(&bitcode, options)?
            }
            false => load(options)?,
        };
        let bounds = bounds::of(options, &loaded)?;
        Ok(Some(Self {
            read_for: wanted,
            ..Self::new(loaded, bounds)
        }))
    }

    /// The same program, in which a thread that is created in a loop is started so often at most.
    pub(crate) fn with_at_most(&self, threads: u32) -> Self {
        let bounds = Bounds {
            threads,
            ..self.bounds
        };
        self.like(None, bounds)
    }

    /// The program in which so many threads of a kind stand for all those that are created in a loop, to verify some properties of it.
    ///
    /// # Errors
    /// Why there is none.
    pub(crate) fn for_any_number(
        &self,
        representatives: usize,
        verified: &BTreeSet<Property>,
    ) -> Result<Self, String> {
        let about_all = BTreeSet::from(ABOUT_ALL);
        if let Some(property) = verified.intersection(&about_all).next() {
            return Err(format!("`{property}` is about all threads at once"));
        }
        let program = &self.loaded.program;
        let bounds = Bounds {
            threads: 2,
            ..self.bounds
        };
        let instances = instantiate(program, &bounds);
        let points_to = PointsTo::analyse(program, &instances);
        let represented = represent(program, &instances, &points_to, representatives);
        let represented = represented.map_err(|reason| match reason.site {
            Some(site) => {
                let place = Names::new(program, &instances).place(site);
                format!("{reason} at {place}")
            }
            None => reason.to_string(),
        })?;
        if represented.families.iter().map(Vec::len).sum::<usize>() > MOST_THREADS {
            return Err(format!(
                "more than {MOST_THREADS} threads that stand for others"
            ));
        }
        let bounds = Bounds {
            threads: 1,
            ..self.bounds
        };
        Ok(self.like(Some(represented), bounds))
    }

    /// Another form of the same program.
    fn like(&self, represented: Option<Program>, bounds: Bounds) -> Self {
        Self {
            read_for: self.read_for.clone(),
            seconds: self.seconds,
            ..Self::of(Rc::clone(&self.loaded), represented, bounds)
        }
    }

    fn program(&self) -> &Program {
        self.represented.as_ref().unwrap_or(&self.loaded.program)
    }

    /// Why a property cannot be verified of what was read, if so.
    pub(crate) fn refuses(&self, property: Property) -> Option<String> {
        if let (Property::NoDataRace, Some(function)) = (property, &self.loaded.optimised) {
            return Some(format!(
                "`{function}` in `{}` was optimised, which may add accesses to memory: `{property}` needs C files, bitcode that \
                 clang makes at -O0, or functions with clang's attribute sanitize_thread",
                self.loaded.program.name,
            ));
        }
        let is_late = self.loaded.instrumentation.is_some() && READ_FOR.contains(&property);
        is_late.then(|| {
            format!(
                "`{}` is instrumented, and violations of `{property}` are looked for before that: verify the program as it \
                 was",
                self.loaded.program.name,
            )
        })
    }

    /// What the program is believed to be, however it is reduced.
    pub(crate) fn assumptions(&self) -> Assumptions {
        let functions = self.loaded.program.arbitrary_functions.iter();
        Assumptions {
            arbitrary_functions: functions.cloned().collect(),
            ..Assumptions::default()
        }
    }

    /// The task that options ask for which differ from those it was read with in the reduction and the properties only.
    ///
    /// # Errors
    /// The options contradict each other.
    pub fn task(&self, options: &ProgramOptions) -> Result<Task, Failure> {
        let start = Instant::now();
        let chosen = match self.loaded.instrumentation {
            Some(_) => None,
            None => Some(options.planned_reduction()),
        };
        if chosen.is_none() && !options.verified().contains(&Property::UnreachCall) {
            return Err(Failure::Usage(format!(
                "`{}` is instrumented to keep what `{}` needs: ask for that, too, or verify the program as it was before",
                self.loaded.program.name,
                Property::UnreachCall
            )));
        }
        let mut refused = options.verified().into_iter();
        if let Some(reason) = refused.find_map(|property| self.refuses(property)) {
            return Err(Failure::Usage(reason));
        }
        let mut program = self.program().clone();
        let mut races = None;
        let (mut instances, mut points_to) = (self.instances.clone(), self.points_to.clone());
        if options.verified().contains(&Property::NoDataRace) {
            races = Some(instrument::look_for_races(
                &mut program,
                &instances,
                &points_to,
            ));
            instances = instantiate(&program, &self.bounds);
            points_to = PointsTo::analyse(&program, &instances);
        }
        program.verify(options.verified());
        let threads = (&instances, &points_to);
        // Conditions about other threads do not hold of those that are not represented.
        let chosen = chosen.map(|chosen| match program.families.is_empty() {
            true => chosen,
            false => without_conditions(chosen),
        });
        let reduced = reduced(&program, threads, chosen, &conditions(options)?);
        Ok(Task {
            external_locations: external_locations(&reduced),
            program,
            instances,
            reduced,
            races,
            description: describe::program(options, &self.loaded, &self.bounds),
            assumptions: Assumptions {
                instrumentation_trusted: chosen.is_none() && options.trust_instrumentation,
                fair: options.is_fair(),
                ..self.assumptions()
            },
            seconds: self.seconds + start.elapsed().as_secs_f64(),
            points_to,
            distinctions: Distinctions::default(),
            options: options.clone(),
            bitcode: self.loaded.original().to_vec(),
            encoded: OnceLock::new(),
        })
    }

    /// What a reduction adds to the program as it was read.
    pub(crate) fn plan(&self, reduction: Reduction, kinds: &BTreeSet<ConditionKind>) -> Plan {
        let threads = (&self.instances, &self.points_to);
        plan(self.program(), threads, reduction, kinds)
    }

    /// The program as it was read with what a reduction adds.
    pub(crate) fn reduced(&self, reduction: Reduction, kinds: &BTreeSet<ConditionKind>) -> Program {
        let threads = (&self.instances, &self.points_to);
        reduced(self.program(), threads, Some(reduction), kinds)
    }
}

/// The threads and objects of a program, and where its pointers point.
type Threads<'a> = (&'a Instances, &'a PointsTo);

fn plan(
    program: &Program,
    (instances, points_to): Threads<'_>,
    reduction: Reduction,
    kinds: &BTreeSet<ConditionKind>,
) -> Plan {
    let conditions = (kinds, Asked::Worthwhile);
    instrument::plan_under(program, instances, points_to, reduction, conditions)
}

/// A program with what a reduction adds; without one, with what its bitcode says.
fn reduced(
    program: &Program,
    threads: Threads<'_>,
    reduction: Option<Reduction>,
    kinds: &BTreeSet<ConditionKind>,
) -> Program {
    let mut reduced = program.clone();
    if let Some(reduction) = reduction {
        plan(program, threads, reduction, kinds).apply(&mut reduced);
    }
    yield_at_creations(&mut reduced);
    instrument::lower_phases(&mut reduced);
    reduced
}

/// Lets other threads run before and after a thread of a family is created, whichever it is.
fn yield_at_creations(program: &mut Program) {
    if program.families.is_empty() {
        return;
    }
    for template in program.templates.values_mut() {
        for edge in template.edges.values() {
            if let Statement::Create { .. } = edge.statement {
                for end in [edge.source, edge.target] {
                    let location = &mut template.locations[end];
                    location.external |= location.atomic_depth == 0;
                }
            }
        }
    }
}

/// The reduction that leaves most to be done without looking at other threads or at phases.
fn without_conditions(reduction: Reduction) -> Reduction {
    match reduction {
        Reduction::None => Reduction::None,
        Reduction::Static | Reduction::Phase | Reduction::Dynamic => Reduction::Static,
    }
}

/// The properties on which depends how a program is read.
const READ_FOR: [Property; 6] = [
    Property::ValidMemtrack,
    Property::NoOverflow,
    Property::NoLockMisuse,
    Property::NoDeadlock,
    Property::NoDataRace,
    Property::NoInfiniteRun,
];

/// Those of them that options ask for.
fn read_for(options: &ProgramOptions) -> BTreeSet<Property> {
    let all = BTreeSet::from(READ_FOR);
    options.verified().intersection(&all).copied().collect()
}

/// Reads and reduces.
pub fn prepare(options: &ProgramOptions) -> Result<Task, Failure> {
    prepare_for(options, REPRESENTATIVES)
}

/// As [`prepare`]; so many threads stand for all others of a kind, if that is asked for.
pub(crate) fn prepare_for(
    options: &ProgramOptions,
    representatives: usize,
) -> Result<Task, Failure> {
    let source = Source::read(options)?;
    match options.threads {
        Some(ThreadBound::Any) => source
            .for_any_number(representatives, &options.verified())
            .map_err(Failure::Input)?
            .task(options),
        Some(ThreadBound::AtMost(_)) | None => source.task(options),
    }
}

/// Reads a program, with the bounds that hold for it. Yields of instrumented bitcode are compared with a plan made anew, unless the
/// options say to believe them.
pub(crate) fn load_believed(options: &ProgramOptions) -> Result<(Loaded, Bounds), Failure> {
    let loaded = load(options)?;
    let bounds = bounds::of(options, &loaded)?;
    if let Some(instrumentation) = &loaded.instrumentation
        && !options.trust_instrumentation
    {
        instrument::recheck(&loaded, instrumentation).map_err(|mismatch| {
            Failure::Input(format!(
                "`{}` is not what `instrument` writes: {mismatch}; instrument the original anew, or say \
                 --trust-instrumentation if it was edited on purpose",
                loaded.program.name
            ))
        })?;
    }
    if loaded.program.data_model == DataModel::Ilp32
        && let Some(message) = instantiate(&loaded.program, &bounds).lacks_addresses()
    {
        return Err(Failure::Input(message));
    }
    Ok((loaded, bounds))
}

pub(crate) fn load(options: &ProgramOptions) -> Result<Loaded, Failure> {
    read(&input(options)?, options)
}

/// What the options name; standard input is read to its end.
pub(crate) fn input(options: &ProgramOptions) -> Result<Input, Failure> {
    Input::of(options.files.clone(), &options.compiler_arguments()?).map_err(unusable)
}

pub(crate) fn read(input: &Input, options: &ProgramOptions) -> Result<Loaded, Failure> {
    let read = ReadOptions {
        recursion: options
            .recursion
            .unwrap_or(ReadOptions::default().recursion),
        abort_is_error: options.abort_is_error,
        data_model: options.data_model,
        undefined: options.undefined.into(),
        checks_overflow: read_for(options).contains(&Property::NoOverflow),
        verifies_locks: read_for(options).contains(&Property::NoLockMisuse),
        looks_for_deadlocks: read_for(options).contains(&Property::NoDeadlock),
        looks_for_races: read_for(options).contains(&Property::NoDataRace),
        looks_for_leaks: read_for(options).contains(&Property::ValidMemtrack),
        looks_for_infinite_runs: read_for(options).contains(&Property::NoInfiniteRun),
        ..ReadOptions::default()
    };
    frontend::load(input, &read).map_err(unusable)
}

fn unusable(error: InputError) -> Failure {
    Failure::Input(error.to_string())
}

/// What the conditions of the reduction may look at.
pub(crate) fn conditions(options: &ProgramOptions) -> Result<BTreeSet<ConditionKind>, Failure> {
    let chosen = ConditionKind::chosen(&options.dynamic, options.planned_reduction());
    chosen.map_err(|message| Failure::Usage(message.to_owned()))
}

/// Where other threads may run, over all templates.
pub(crate) fn external_locations(program: &Program) -> usize {
    let locations = program
        .templates
        .values()
        .flat_map(|template| template.locations.values());
    locations.filter(|location| location.external).count()
}

impl Task {
    /// The program that a search looks at: the reduced one where turns are taken at its external locations.
    pub fn searched(&self, scheduling: Scheduling) -> &Program {
        match scheduling {
            Scheduling::Visible => &self.program,
            Scheduling::External => &self.reduced,
        }
    }

    /// The program as it was read, with the external locations that a reduction without dynamic conditions leaves; all, if there is none.
    pub(crate) fn statically_reduced(&self) -> Program {
        let mut program = self.program.clone();
        let reduction = without_conditions(self.options.planned_reduction());
        let threads = (&self.instances, &self.points_to);
        plan(&self.program, threads, reduction, &BTreeSet::new()).apply(&mut program);
        program
    }

    /// Where its pointers may point to.
    pub(crate) fn points_to(&self) -> &PointsTo {
        &self.points_to
    }

    /// The bounds of what is encoded.
    pub(crate) fn encode_options(&self) -> encode::Options {
        let cells = self.options.cells as usize;
        encode::Options {
            cells_per_object: cells,
            cases_per_access: cells,
            fair: self.options.is_fair(),
        }
    }

    /// What that program tells apart of the values that it leaves open. Searches of the program as it was read share it.
    pub(crate) fn distinctions(&self, scheduling: Scheduling) -> Distinctions {
        match scheduling {
            Scheduling::Visible => self.distinctions.clone(),
            Scheduling::External => Distinctions::default(),
        }
    }

    /// What a step of a run of the program executes.
    pub(crate) fn statement(&self, step: &ReplayStep) -> &Statement {
        let template = self.instances.threads[step.instance].template;
        &self.program.templates[template].edges[step.edge].statement
    }

    /// The program as a transition system: encoded and simplified on the first call. Other callers wait meanwhile.
    pub fn encoded(&self) -> &Encoded {
        self.encoded.get_or_init(|| {
            let encoding = encode::encode(
                &self.reduced,
                &self.instances,
                &self.points_to,
                &self.encode_options(),
            );
            let simplify = match self.program.families.is_empty() {
                true => simplify,
                false => simplify_each,
            };
            let (system, simplifications) = simplify(encoding.system.clone());
            tracing::info!(?encoding.statistics, self.external_locations, "encoded");
            Encoded {
                encoding,
                system,
                simplifications,
                counted: OnceLock::new(),
            }
        })
    }

    /// As [`Task::encoded`], if that is done by now.
    pub(crate) fn encoded_by_now(&self) -> Option<&Encoded> {
        self.encoded.get()
    }

    /// What the encoding is one of, line by line: the task, and what never happens by a proof about the system.
    pub(crate) fn description_of_encoding(&self) -> Vec<String> {
        let properties = describe::properties(&self.encoded().encoding.system);
        self.description.iter().cloned().chain(properties).collect()
    }

    /// What proofs about the program are about.
    ///
    /// # Errors
    /// LLVM does not accept its own bitcode.
    pub(crate) fn subject(&self) -> Result<Subject, Failure> {
        subject::of(&self.options, &self.bitcode)
    }

    /// Names for people.
    pub fn names(&self) -> Names<'_> {
        Names::new(&self.program, &self.instances)
    }

    /// `file:line` of a site.
    pub fn place(&self, site: SiteId) -> String {
        self.names().place(site)
    }
}

impl Encoded {
    /// A trace of the simplified system as one of the encoding.
    pub fn original_trace(&self, trace: Trace) -> Option<Trace> {
        match self.undo(self.system.clone(), Verdict::Unsafe(trace)) {
            (_, Verdict::Unsafe(trace)) => Some(trace),
            (_, Verdict::Safe(_) | Verdict::Unknown(_)) => None,
        }
    }

    /// A proof about the simplified system, in an arena that grew out of its own, as one about the encoding.
    pub fn original_proof(
        &self,
        simplified: TransitionSystem,
        proof: Proof,
    ) -> Option<(TransitionSystem, Proof)> {
        let (mut system, proof) = match self.undo(simplified, Verdict::Safe(proof)) {
            (system, Verdict::Safe(proof)) => (system, proof),
            (_, Verdict::Unsafe(_) | Verdict::Unknown(_)) => return None,
        };
        let proof = match (proof, self.counted()) {
            (Proof::Inductive(invariant), Some(Counted { counting, .. })) => {
                // What is known besides is part of the proof, and not of the system.
                system = TransitionSystem {
                    terms: system.terms,
                    ..self.encoding.system.clone()
                };
                let facts = counting.facts.iter().copied();
                Proof::Inductive(system.terms.and_all(facts.chain([invariant])))
            }
            (proof, _) => proof,
        };
        Some((system, proof))
    }

    fn undo(&self, system: TransitionSystem, verdict: Verdict) -> (TransitionSystem, Verdict) {
        self.simplifications.clone().undo(system, verdict)
    }

    /// The variables of the encoding that count threads: found on the first call; none if no thread stands for others.
    pub(crate) fn counted(&self) -> Option<&Counted> {
        let families = self.encoding.families.as_deref();
        families.filter(|all| !all.is_empty())?;
        Some(self.counted.get_or_init(|| {
            let mut system = self.system.clone();
            let counting = counted::counting(&self.encoding, &mut system.terms);
            let image = |terms: &mut Terms, term| self.simplifications.image(terms, term);
            for count in &counting.counts {
                let fact = count.bound(&mut system.terms, image);
                system.invariant_constraints.push(fact);
            }
            for &fact in &counting.facts {
                let fact = image(&mut system.terms, fact);
                system.invariant_constraints.push(fact);
            }
            Counted { counting, system }
        }))
    }

    /// The simplified system, with what is known besides.
    pub(crate) fn to_prove(&self) -> TransitionSystem {
        let counted = self.counted();
        counted
            .map_or(&self.system, |counted| &counted.system)
            .clone()
    }

    /// The simplified system, in an arena that grew out of its own, and perhaps with fewer properties, as moves of threads.
    ///
    /// # Errors
    /// The budget is exhausted.
    pub(crate) fn threaded(
        &self,
        mut system: TransitionSystem,
        budget: &Budget,
    ) -> Result<ThreadedSystem, Reason> {
        let Encoding {
            scheduler, places, ..
        } = &self.encoding;
        let places = places.iter();
        let places: Vec<Term> = places
            .map(|place| self.simplifications.image(&mut system.terms, place.number))
            .collect();
        let unlike = || Reason::NotApplicable(UNLIKE.to_owned());
        let families = self.families().ok_or_else(unlike)?;
        let threaded = ThreadedSystem::split(system, *scheduler, &places, budget)?;
        threaded.with_families(families).ok_or_else(unlike)
    }

    /// The threads that stand for any number of others, by the variables of the simplified system that belong to them; none if they are
    /// not alike in it.
    pub(crate) fn families(&self) -> Option<Vec<Vec<Vec<Term>>>> {
        let families = self.encoding.families.as_deref()?;
        if families.is_empty() {
            return Some(Vec::new());
        }
        let mut system = self.system.clone();
        let families = families.iter();
        families
            .map(|family| self.images(&mut system, family))
            .collect()
    }

    /// The variables of the simplified system that a family has; none if they do not correspond.
    fn images(&self, system: &mut TransitionSystem, family: &Family) -> Option<Vec<Vec<Term>>> {
        let variables: BTreeSet<Term> = system.state.iter().map(|found| found.current).collect();
        let mut images = vec![Vec::new(); family.len()];
        for position in 0..family.first().map_or(0, Vec::len) {
            let symbols = family.iter().map(|member| {
                let variable = self.encoding.system.state[member[position]].current;
                let image = self.simplifications.image(&mut system.terms, variable);
                let cone = system.terms.cone(&[image]).into_iter();
                let mut symbols = cone.filter(|symbol| variables.contains(symbol));
                symbols.next()
            });
            let symbols: Vec<Option<Term>> = symbols.collect();
            if symbols.iter().all(Option::is_none) {
                continue;
            }
            for (images, symbol) in images.iter_mut().zip(symbols) {
                images.push(symbol?);
            }
        }
        Some(images)
    }

    /// Whether the encoding has no limits of its own: then no run of the program goes on where none of the system does.
    pub fn is_whole(&self) -> bool {
        let mut limits = self.encoding.back.limits().into_iter();
        limits.all(|limit| matches!(limit, Limit::Program(_)))
    }

    /// Bits of the state, before and after simplification.
    pub fn state_bits(&self) -> [usize; 2] {
        [&self.encoding.system, &self.system].map(state_bits)
    }
}

fn state_bits(system: &TransitionSystem) -> usize {
    let bits = |sort| match sort {
        Sort::Bool => 1,
        Sort::BitVec(width) => width as usize,
    };
    system
        .state
        .iter()
        .map(|variable| bits(system.terms.sort(variable.current)))
        .sum()
}
