//! The plan: where threads let others run, as plain data, with a reason for each decision.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use cranelift_entity::{PrimaryMap, SecondaryMap};
use program::model::{EdgeId, Instances, LocationId, PhaseMarks, Program, Template, TemplateId};
use program::points_to::PointsTo;
use program::threads::Bounds;

use crate::access::Occurrence;
use crate::anchors::{anchors, to_anchors};
use crate::class::Class;
use crate::context::{Context, Graph};
use crate::cycles::uncut_cycle;
use crate::flow::Facts;
use crate::movers::Analysis;
use crate::phases::{Ambiguity, Phase, Phases};
use crate::reason::Mover;
use crate::regions::is_region;
use crate::rules::Rules;

/// How interleavings are reduced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reduction {
    /// Other threads may run before every visible statement.
    None,
    /// The class of every statement is fixed, and so are the phases of transactions (Lipton, Lamport).
    Static,
    /// The class of every statement is fixed; the phase is known at run time where it depends on the way (Flanagan, Qadeer).
    Phase,
}

impl Reduction {
    /// All, the weakest first.
    pub const ALL: [Self; 3] = [Self::None, Self::Static, Self::Phase];
}

/// Where threads let others run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The reduction that was asked for.
    pub reduction: Reduction,
    /// The enumeration of threads and heap objects under which the decisions hold.
    pub bounds: Bounds,
    /// The decisions for each template of the program.
    pub templates: PrimaryMap<TemplateId, TemplatePlan>,
}

/// The decisions for one template. Entries and sinks are external in any case and are not listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TemplatePlan {
    /// The external locations.
    pub yields: BTreeMap<LocationId, YieldReason>,
    /// The locations that are external if the transaction has committed.
    pub yields_if_committed: BTreeMap<LocationId, YieldReason>,
    /// The locations at which the transaction commits, if any location depends on that.
    pub commits: BTreeSet<LocationId>,
    /// How the statements move that some thread may execute. The beginning of an atomic region stands for the region.
    pub movers: BTreeMap<EdgeId, Mover>,
    /// The statements that other threads may notice.
    pub visible: BTreeSet<EdgeId>,
}

/// Why a location is external.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum YieldReason {
    /// This statement is visible, and nothing is reduced.
    Visible(EdgeId),
    /// The transaction may have committed, and this statement does not move left.
    AfterCommit(EdgeId),
    /// It cuts a cycle, so that the transaction ends.
    Cycle,
}

/// Plans a reduction. `points_to` must belong to the program and the instances.
pub fn plan(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    reduction: Reduction,
) -> Plan {
    plan_with(
        Context::new(program, instances, points_to, Rules::ALL),
        reduction,
    )
}

pub(crate) fn plan_with(context: Context, reduction: Reduction) -> Plan {
    let analysis = Analysis::new(context);
    let bounds = analysis.context.instances.bounds;
    let templates = analysis
        .context
        .program
        .templates
        .keys()
        .map(|template| plan_template(&analysis, template, reduction));
    Plan {
        reduction,
        bounds,
        templates: templates.collect(),
    }
}

impl Plan {
    /// Marks the locations of the program that was planned for; [`program::phases::spell_out`] makes statements of marks
    /// that concern the phase.
    pub fn apply(&self, program: &mut Program) {
        for (template, plan) in self.templates.iter() {
            for (id, location) in program.templates[template].locations.iter_mut() {
                location.external = plan.yields.contains_key(&id);
                location.phase = PhaseMarks {
                    yields_if_committed: plan.yields_if_committed.contains_key(&id),
                    commits: plan.commits.contains(&id),
                };
            }
        }
    }
}

fn plan_template(analysis: &Analysis, template: TemplateId, reduction: Reduction) -> TemplatePlan {
    let mut plan = TemplatePlan::default();
    let context = &analysis.context;
    for instance in context.instances.by_template(template) {
        for (edge, _) in context.edges(instance) {
            let occurrence = Occurrence { instance, edge };
            let mover = analysis.action_mover(occurrence);
            plan.movers
                .entry(edge)
                .and_modify(|known| *known = known.meet(mover))
                .or_insert(mover);
            if analysis
                .sharing
                .is_visible(context, &analysis.accesses, occurrence)
            {
                plan.visible.insert(edge);
            }
        }
    }
    let automaton = &context.program.templates[template];
    let graph = context.template_graph(template);
    match reduction {
        Reduction::None => plan.yields = all_visible(automaton, graph, &plan.visible),
        Reduction::Static | Reduction::Phase => {
            let ambiguity = match reduction {
                Reduction::Phase if context.rules.post_if_maybe_post => Ambiguity::Dynamic,
                _ if context.rules.post_if_maybe_post => Ambiguity::Post,
                _ => Ambiguity::Pre,
            };
            after_commits(&mut plan, automaton, graph, ambiguity, &context.rules);
        }
    }
    plan.anchor(automaton);
    plan
}

/// External locations before all visible statements, and in all other cycles.
fn all_visible(
    template: &Template,
    graph: &Graph,
    visible: &BTreeSet<EdgeId>,
) -> BTreeMap<LocationId, YieldReason> {
    let mut yields: BTreeMap<_, _> = visible
        .iter()
        .map(|&edge| (template.edges[edge].source, YieldReason::Visible(edge)))
        .filter(|&(location, _)| {
            template.locations[location].atomic_depth == 0 && location != template.entry
        })
        .collect();
    let anchored = anchors(template);
    let internal = |yields: &BTreeMap<_, _>| -> BTreeSet<_> {
        let locations = graph
            .reachable
            .iter()
            .filter(|&location| location != template.entry);
        locations
            .filter(|location| !yields.contains_key(location))
            .collect()
    };
    while let Some(cut) = uncut_cycle(template, &graph.outgoing, &internal(&yields), &anchored) {
        yields.insert(cut, YieldReason::Cycle);
    }
    yields
}

/// External locations where a transaction may have committed and what follows does not move left, and in cycles that are
/// passed after a commit.
fn after_commits(
    plan: &mut TemplatePlan,
    template: &Template,
    graph: &Graph,
    ambiguity: Ambiguity,
    rules: &Rules,
) {
    let mut classes = SecondaryMap::with_default(Class::Both);
    for (&edge, mover) in &plan.movers {
        classes[edge] = mover.class;
    }
    let mut phases = Phases {
        template,
        outgoing: &graph.outgoing,
        classes: &classes,
        ambiguity,
        external: BTreeSet::new(),
    };
    let facts = cut_cycles(&mut phases, rules);
    let mut yields = phases.required(&facts);
    for &location in &phases.external {
        yields.entry(location).or_insert(YieldReason::Cycle);
    }
    yields.remove(&template.entry);
    for (location, reason) in yields {
        if facts[location] == Some(Phase::Either) {
            plan.yields_if_committed.insert(location, reason);
        } else {
            plan.yields.insert(location, reason);
        }
    }
    if !plan.yields_if_committed.is_empty() && rules.commits_are_remembered {
        plan.commits = phases.commits(&facts);
    }
}

/// Makes locations external until no cycle can be passed in the post phase; the phases that come of it.
fn cut_cycles(phases: &mut Phases<'_>, rules: &Rules) -> Facts<Phase> {
    let anchored = anchors(phases.template);
    loop {
        let facts = phases.solve();
        let required = phases.required(&facts);
        let committed = facts
            .iter()
            .filter(|&(_, &phase)| phase.is_some_and(Phase::may_be_post))
            .map(|(location, _)| location);
        let internal: BTreeSet<LocationId> = committed
            .filter(|location| {
                !required.contains_key(location)
                    && !phases.external.contains(location)
                    && *location != phases.template.entry
            })
            .collect();
        match uncut_cycle(phases.template, phases.outgoing, &internal, &anchored) {
            Some(cut) if rules.cut_post_cycles => phases.external.insert(cut),
            Some(_) | None => return facts,
        };
    }
}

impl TemplatePlan {
    /// Moves all marks to places between two instructions.
    fn anchor(&mut self, template: &Template) {
        let moved = |yields: &mut BTreeMap<LocationId, YieldReason>| {
            *yields = to_anchors(template, std::mem::take(yields));
            yields.remove(&template.entry);
        };
        moved(&mut self.yields);
        moved(&mut self.yields_if_committed);
        let commits = std::mem::take(&mut self.commits).into_iter();
        let commits = commits.map(|location| (location, ()));
        self.commits = to_anchors(template, commits.collect())
            .into_keys()
            .collect();
    }

    /// Whether an edge begins an atomic region, so that its class is that of the region.
    pub fn is_region(template: &Template, edge: EdgeId) -> bool {
        is_region(template, edge)
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::None => "none",
            Self::Static => "static",
            Self::Phase => "phase",
        })
    }
}

impl FromStr for Reduction {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "none" => Ok(Self::None),
            "static" => Ok(Self::Static),
            "phase" => Ok(Self::Phase),
            _ => Err(format!(
                "unknown reduction `{name}`: expected `none`, `static` or `phase`"
            )),
        }
    }
}
