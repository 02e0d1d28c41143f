//! The planner: it classifies statements, chooses conditions of non-movers, computes phases and places the ends of transactions.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{PrimaryMap, SecondaryMap};
use program::model::{
    BothMoverCondition, EdgeId, Instances, LocationId, Mark, Operand, PhaseAnnotation, Program,
    Statement, Template, TemplateId,
};
use program::points_to::PointsTo;

use crate::condition_heuristic::ConditionHeuristic;
use crate::conditions::{ConditionAnalysis, ConditionKind, Conditional};
use crate::context::{Context, Graph};
use crate::cycles::uncut_cycle;
use crate::dataflow::FlowFacts;
use crate::insertion_points::{insertion_points, to_insertion_points};
use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;
use crate::phases::{Ambiguity, Phase, Phases};
use crate::plan::{Plan, TemplatePlan};
use crate::reason::YieldReason;
use crate::reduction::Reduction;
use crate::rules::Rules;

/// Plans a reduction. `points_to` must belong to the program and the instances.
pub fn plan(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    reduction: Reduction,
) -> Plan {
    let kinds = ConditionKind::ALL.into();
    let asked = Asked::Worthwhile;
    plan_under(program, instances, points_to, reduction, (&kinds, asked))
}

/// As [`plan()`], with a choice of conditions; they matter for [`Reduction::Dynamic`].
pub fn plan_under(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    reduction: Reduction,
    conditions: (&BTreeSet<ConditionKind>, Asked),
) -> Plan {
    let context = Context::new(program, instances, points_to, Rules::ALL);
    plan_with(context, reduction, conditions)
}

/// Which conditions are used, of those that are right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// All; to find out whether they are right, and what they cost.
    All,
    /// Those that may hold while other threads still have something to do.
    Worthwhile,
}

pub(crate) fn plan_with(
    context: Context,
    reduction: Reduction,
    (kinds, asked): (&BTreeSet<ConditionKind>, Asked),
) -> Plan {
    let analysis = MoverAnalysis::new(context);
    let Context {
        program, instances, ..
    } = analysis.context;
    let templates = program.templates.keys();
    let mut templates: PrimaryMap<TemplateId, TemplatePlan> = templates
        .map(|template| classified(&analysis, template))
        .collect();
    if reduction == Reduction::Dynamic {
        let mut fixed = templates.clone();
        place_yields(&analysis, &mut fixed, Reduction::Static);
        let mut worth = ConditionHeuristic::new(program, instances, &fixed);
        let conditions = ConditionAnalysis::new(&analysis);
        for (template, plan) in &mut templates {
            plan.conditions = conditions.conditions(template, &plan.movers, kinds);
            if asked == Asked::Worthwhile {
                plan.conditions
                    .retain(|_, found| worth.is_worthwhile(template, &found.condition));
            }
        }
    }
    place_yields(&analysis, &mut templates, reduction);
    Plan {
        reduction,
        kinds: kinds.clone(),
        bounds: instances.bounds,
        templates,
    }
}

/// How the statements of a template move; nothing else is planned yet.
fn classified(analysis: &MoverAnalysis, template: TemplateId) -> TemplatePlan {
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
                .shared_objects
                .is_visible(context, &analysis.footprints, occurrence)
            {
                plan.visible.insert(edge);
            }
        }
    }
    plan
}

/// Plans where threads let others run, from how statements move.
fn place_yields(
    analysis: &MoverAnalysis,
    templates: &mut PrimaryMap<TemplateId, TemplatePlan>,
    reduction: Reduction,
) {
    let context = &analysis.context;
    for (template, plan) in templates {
        let automaton = &context.program.templates[template];
        let graph = context.template_graph(template);
        match ambiguity(reduction, &context.rules) {
            None => plan.yields = all_visible(automaton, graph, &plan.visible),
            Some(ambiguity) => {
                let method = (reduction, ambiguity);
                after_commits(plan, automaton, graph, method, &context.rules);
            }
        }
        plan.anchor(automaton);
    }
}

/// What a reduction makes of a location that is reached in both phases; none if it has no phases.
fn ambiguity(reduction: Reduction, rules: &Rules) -> Option<Ambiguity> {
    match reduction {
        Reduction::None => None,
        _ if !rules.post_if_maybe_post => Some(Ambiguity::Pre),
        Reduction::Static => Some(Ambiguity::Post),
        Reduction::Phase | Reduction::Dynamic => Some(Ambiguity::Dynamic),
    }
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
    let anchored = insertion_points(template);
    let internal = |yields: &BTreeMap<_, _>| -> BTreeSet<_> {
        let locations = graph
            .reachable
            .iter()
            .filter(|&location| location != template.entry);
        locations
            .filter(|location| !yields.contains_key(location))
            .collect()
    };
    while let Some(cut) = uncut_cycle(
        template,
        &graph.outgoing,
        &internal(&yields),
        &anchored,
        |_| false,
    ) {
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
    (reduction, ambiguity): (Reduction, Ambiguity),
    rules: &Rules,
) {
    let mut mover_types = SecondaryMap::with_default(MoverType::Both);
    for (&edge, mover) in &plan.movers {
        mover_types[edge] = mover.mover_type;
    }
    let mut at_best = mover_types.clone();
    for (&edge, conditional) in &plan.conditions {
        at_best[edge] = conditional.mover_type;
    }
    let mut phases = Phases {
        template,
        outgoing: &graph.outgoing,
        mover_types: &at_best,
        at_best: &at_best,
        ambiguity,
        external: BTreeSet::new(),
    };
    if reduction == Reduction::Dynamic {
        // Where transactions end even if all conditions hold, little is gained by asking for the phase.
        phases.ambiguity = ambiguity.min(Ambiguity::Post);
        let facts = cut_cycles(&mut phases, rules);
        plan.yields = ends(&phases, &facts);
        phases.external = plan.yields.keys().copied().collect();
    }
    (phases.mover_types, phases.ambiguity) = (&mover_types, ambiguity);
    let facts = cut_cycles(&mut phases, rules);
    for (location, reason) in ends(&phases, &facts) {
        if plan.yields.contains_key(&location) {
            continue;
        }
        if facts[location] == Some(Phase::Either) {
            plan.yields_if_committed.insert(location, reason);
            plan.phase.entry(location).or_default().yields_if_committed = Mark::Always;
        } else {
            plan.yields.insert(location, reason);
        }
    }
    for (location, reason) in phases.conditional(&facts) {
        plan.yields_if_committed.insert(location, reason);
        plan.phase.entry(location).or_default().yields_if_committed = Mark::UnlessBothMover;
    }
    plan.commit(template, &phases, &facts, rules);
}

/// Where transactions end in any case, or because of their phase.
fn ends(phases: &Phases<'_>, facts: &FlowFacts<Phase>) -> BTreeMap<LocationId, YieldReason> {
    let mut ends = phases.required(facts);
    for &location in &phases.external {
        ends.entry(location).or_insert(YieldReason::Cycle);
    }
    ends
}

/// What is left of marks before a statement: a condition on an address that the statement computes never holds there.
fn forget_addresses(marks: &mut PhaseAnnotation, statement: &Statement) {
    let BothMoverCondition {
        unreached: _,
        apart,
        differs,
        locked,
    } = &marks.both_mover;
    let apart = apart.iter().map(|apart| apart.address);
    let differs = differs.iter().map(|differs| differs.address);
    let locked = locked.iter().map(|locked| locked.mutex);
    let addresses: Vec<Operand> = apart.chain(differs).chain(locked).collect();
    let mut computed = false;
    statement.for_each_definition(|register| {
        computed |= addresses.contains(&Operand::Register(register));
    });
    if computed {
        for mark in [&mut marks.yields_if_committed, &mut marks.commits] {
            if *mark == Mark::UnlessBothMover {
                *mark = Mark::Always;
            }
        }
        marks.both_mover = BothMoverCondition::default();
    }
}

/// Both marks at one location: each happens where one of them says so.
fn merge_marks(marks: &mut PhaseAnnotation, other: PhaseAnnotation) {
    let PhaseAnnotation {
        yields_if_committed,
        commits,
        both_mover,
    } = other;
    marks.yields_if_committed = marks.yields_if_committed.max(yields_if_committed);
    marks.commits = marks.commits.max(commits);
    let BothMoverCondition {
        unreached,
        apart,
        differs,
        locked,
    } = both_mover;
    marks.both_mover.unreached.extend(unreached);
    marks.both_mover.apart.extend(apart);
    marks.both_mover.differs.extend(differs);
    marks.both_mover.locked.extend(locked);
}

/// Makes locations external until no cycle can be passed in the post phase; the phases that come of it.
fn cut_cycles(phases: &mut Phases<'_>, rules: &Rules) -> FlowFacts<Phase> {
    let anchored = insertion_points(phases.template);
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
                    && (rules.conditional_yields_cut_no_cycle || !phases.may_yield(*location))
                    && !phases.external.contains(location)
                    && *location != phases.template.entry
            })
            .collect();
        // Where transactions may end anyway, they might as well always.
        let may_yield = |location| phases.may_yield(location);
        match uncut_cycle(
            phases.template,
            phases.outgoing,
            &internal,
            &anchored,
            may_yield,
        ) {
            Some(cut) if rules.cut_post_cycles => phases.external.insert(cut),
            Some(_) | None => return facts,
        };
    }
}

impl TemplatePlan {
    /// Marks where transactions commit, if that matters anywhere, and on what the marks depend.
    fn commit(
        &mut self,
        template: &Template,
        phases: &Phases<'_>,
        facts: &FlowFacts<Phase>,
        rules: &Rules,
    ) {
        if self.yields_if_committed.is_empty() {
            return;
        }
        if rules.commits_are_remembered {
            for (location, mark) in phases.commits(facts) {
                self.phase.entry(location).or_default().commits = mark;
            }
        }
        for (&edge, Conditional { condition, .. }) in &self.conditions {
            if let Some(marks) = self.phase.get_mut(&template.edges[edge].source) {
                let depends = [marks.yields_if_committed, marks.commits];
                if depends.contains(&Mark::UnlessBothMover) {
                    marks.both_mover = condition.clone();
                }
            }
        }
    }

    /// Moves all marks to places between two instructions. The entry is external in any case.
    fn anchor(&mut self, template: &Template) {
        let moved = |yields: &mut BTreeMap<LocationId, YieldReason>| {
            // One reason is enough.
            *yields = to_insertion_points(template, std::mem::take(yields), |_, _| {}, |_, _| {});
            yields.remove(&template.entry);
        };
        moved(&mut self.yields);
        moved(&mut self.yields_if_committed);
        let marks = std::mem::take(&mut self.phase);
        self.phase = to_insertion_points(template, marks, forget_addresses, merge_marks);
        if let Some(marks) = self.phase.get_mut(&template.entry) {
            marks.yields_if_committed = Mark::Never;
        }
    }
}

#[cfg(test)]
mod tests {
    use abi::ids::SiteId;
    use program::model::{Bits, LockPointer, MonotonicAtomic, NoAlias};

    use super::*;

    /// A part that is lost would let more statements move than the analysis says.
    #[test]
    fn merged_marks_have_all_parts_of_both() {
        let marks = |site: u32, yields_if_committed, commits| {
            let (site, address) = (SiteId(site), Operand::Constant(Bits::new(64, site.into())));
            let others = BTreeSet::from([site]);
            PhaseAnnotation {
                yields_if_committed,
                commits,
                both_mover: BothMoverCondition {
                    unreached: others.clone(),
                    apart: BTreeSet::from([NoAlias {
                        site,
                        address,
                        size: 4,
                        others: others.clone(),
                    }]),
                    differs: BTreeSet::from([MonotonicAtomic {
                        site,
                        address,
                        value: Bits::new(32, 0),
                    }]),
                    locked: BTreeSet::from([LockPointer {
                        site,
                        mutex: address,
                        others: others.clone(),
                        locks: others,
                    }]),
                },
            }
        };
        let mut merged = marks(1, Mark::Never, Mark::UnlessBothMover);
        merge_marks(&mut merged, marks(2, Mark::UnlessBothMover, Mark::Always));
        let parts = &merged.both_mover;
        let numbers = [
            parts.unreached.len(),
            parts.apart.len(),
            parts.differs.len(),
            parts.locked.len(),
        ];
        assert_eq!(numbers, [2; 4]);
        let kinds = (merged.yields_if_committed, merged.commits);
        assert_eq!(kinds, (Mark::UnlessBothMover, Mark::Always));
    }
}
