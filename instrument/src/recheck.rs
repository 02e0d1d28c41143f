//! Instrumented bitcode is not trusted. The bitcode names the original bitcode and the options of its instrumentation.
//! So the original bitcode is planned anew, and the program that was read from the instrumented bitcode is compared
//! with the plan.
//!
//! A signature would not do instead: a person who edits the bitcode has everything that is needed to sign it again.

use frontend::input::{Input, InputError};
use frontend::{Instrumentation, Loaded, load};
use program::model::{Location, LocationId, Program, Template};
use program::points_to::PointsTo;
use program::threads::instantiate;

use crate::plan::Plan;
use crate::planner::{Asked, plan_under};
use crate::reduction::Reduction;

/// Why instrumented bitcode is not what `instrument` writes.
#[derive(Debug, thiserror::Error)]
pub enum Mismatch {
    /// It names a reduction or a kind of condition that there is not.
    #[error("it says that it was instrumented in a way that is not known: {0}")]
    UnknownReduction(String),
    /// What it says is its original cannot be read.
    #[error("the original bitcode in it cannot be used: {0}")]
    Original(#[from] InputError),
    /// What it says is its original is instrumented itself, so that it would not be normalised.
    #[error("the original bitcode in it is instrumented itself")]
    OriginalInstrumented,
    /// Where the plan lets other threads run, it does not.
    #[error("at {place} it lets other threads run less often than the plan does")]
    FewerYields {
        /// `file:line` and function.
        place: String,
    },
    /// It is no instrumentation of what it says is its original.
    #[error("{place} it is another program than its original")]
    Program {
        /// Where they differ first, with a preposition.
        place: String,
    },
}

/// Checks that the program of instrumented bitcode is that of its original, and has an external location wherever the plan for the
/// original has one. More external locations only end transactions earlier, which loses no run.
///
/// # Errors
/// It is not so, or the original cannot be read.
pub fn recheck(loaded: &Loaded, instrumentation: &Instrumentation) -> Result<(), Mismatch> {
    let original = Input::Bitcode {
        name: loaded.program.name.clone(),
        bytes: loaded.original().to_vec(),
    };
    let original = load(&original, &instrumentation.options)?;
    if original.instrumentation.is_some() {
        return Err(Mismatch::OriginalInstrumented);
    }
    let mut planned = original.program;
    plan_as(&planned, instrumentation)?.apply(&mut planned);
    compare(&loaded.program, &planned)
}

fn plan_as(program: &Program, instrumentation: &Instrumentation) -> Result<Plan, Mismatch> {
    let reduction: Reduction = instrumentation
        .reduction
        .parse()
        .map_err(Mismatch::UnknownReduction)?;
    let kinds = instrumentation.conditions.split(',');
    let kinds = kinds.filter(|name| !name.is_empty()).map(str::parse);
    let kinds = kinds
        .collect::<Result<_, _>>()
        .map_err(Mismatch::UnknownReduction)?;
    let instances = instantiate(program, &instrumentation.bounds);
    let points_to = PointsTo::analyse(program, &instances);
    let conditions = (&kinds, Asked::Worthwhile);
    Ok(plan_under(
        program, &instances, &points_to, reduction, conditions,
    ))
}

fn compare(found: &Program, planned: &Program) -> Result<(), Mismatch> {
    let mut same = found.clone();
    for (id, template) in planned.templates.iter() {
        match found.templates.get(id) {
            Some(found) => compare_template(found, template, planned)?,
            None => return differs(format!("in `{}`", template.name)),
        }
        // What may differ was compared.
        same.templates[id].locations = template.locations.clone();
    }
    match same == *planned {
        true => Ok(()),
        false => differs("in its variables or places in the source".to_owned()),
    }
}

fn compare_template(
    found: &Template,
    planned: &Template,
    program: &Program,
) -> Result<(), Mismatch> {
    let place = |location: LocationId| place(planned, location, program);
    if found.locations.len() != planned.locations.len() {
        return differs(format!("in `{}`", planned.name));
    }
    for (id, location) in planned.locations.iter() {
        let other = &found.locations[id];
        if other.kind != location.kind || other.atomic_depth != location.atomic_depth {
            return differs(format!("at {}", place(id)));
        }
        if !yields_as_often(other, location) {
            return Err(Mismatch::FewerYields { place: place(id) });
        }
    }
    match found
        .edges
        .iter()
        .zip(planned.edges.iter())
        .find(|(one, other)| one != other)
    {
        Some(((_, _), (_, edge))) => differs(format!("at {}", place(edge.source))),
        None => Ok(()),
    }
}

/// Whether other threads may run at a location at least as often as planned, and transactions commit as planned.
fn yields_as_often(found: &Location, planned: &Location) -> bool {
    let ends_as_often = found.external
        || (!planned.external
            && found.phase.yields_if_committed == planned.phase.yields_if_committed);
    ends_as_often
        && found.phase.commits == planned.phase.commits
        && found.phase.both_mover == planned.phase.both_mover
}

fn differs(place: String) -> Result<(), Mismatch> {
    Err(Mismatch::Program { place })
}

fn place(template: &Template, location: LocationId, program: &Program) -> String {
    let mut edges = template.edges.values();
    let edge = edges.find(|edge| edge.source == location || edge.target == location);
    let site = edge.map(|edge| &program.sites[edge.site]);
    match site.filter(|site| site.line > 0) {
        Some(site) => format!("{}:{} in `{}`", site.file, site.line, template.name),
        None => format!("{location} of `{}`", template.name),
    }
}
