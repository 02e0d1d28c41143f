//! The number of instances of each template.

use std::collections::{BTreeMap, BTreeSet};

use cranelift_entity::{EntityRef, SecondaryMap};
use petgraph::algo::kosaraju_scc;
use petgraph::graph::DiGraph;

use super::frequency::{Frequency, site_frequencies};
use super::lookup::start_templates;
use crate::model::{Bounds, Program, Statement, TemplateId};

/// Enumerations stop here, so that a chain of templates that create each other twice does not exhaust the memory; what is
/// beyond is met as a limit of the run like every other bound.
pub(super) const MAXIMUM: u32 = 4096;

/// A site that creates threads.
struct CreatingSite {
    creator: TemplateId,
    created: TemplateId,
    frequency: Frequency,
}

/// The number of runs of every template; 0 for those that are never started.
pub(super) fn count_instances(program: &Program, bounds: &Bounds) -> SecondaryMap<TemplateId, u32> {
    let sites: Vec<_> = program
        .templates
        .keys()
        .flat_map(|creator| creating_sites(program, creator))
        .collect();
    let mut graph = DiGraph::<TemplateId, ()>::new();
    let nodes: Vec<_> = program
        .templates
        .keys()
        .map(|template| graph.add_node(template))
        .collect();
    for site in &sites {
        graph.add_edge(nodes[site.creator.index()], nodes[site.created.index()], ());
    }
    let mut components = kosaraju_scc(&graph);
    components.reverse(); // creators before those they create
    let mut counts = SecondaryMap::with_default(0);
    counts.resize(program.templates.len());
    for component in components {
        let members: Vec<TemplateId> = component.into_iter().map(|node| graph[node]).collect();
        let new: Vec<u32> = members
            .iter()
            .map(|&member| count_runs(program, bounds, &sites, &counts, &members, member))
            .collect();
        // A recursive component runs only if something outside of it starts one of its members.
        let started = new.iter().zip(&members).any(|(&runs, _)| runs > 0);
        for (&member, &runs) in members.iter().zip(&new) {
            let recursive = members.len() > 1
                || sites
                    .iter()
                    .any(|site| site.creator == member && site.created == member);
            let runs = if started && recursive {
                with_pool(program, bounds, member, runs)
            } else {
                runs
            };
            counts[member] = match program.is_representative(member) {
                true => runs.min(1),
                false => runs,
            };
        }
    }
    counts
}

/// The templates of which a run may start any number of instances: those that are created in a cycle, by each other, or by such a one.
pub(super) fn unbounded(program: &Program) -> BTreeSet<TemplateId> {
    let mut sites = BTreeMap::new();
    let (mut started, mut open) = (BTreeSet::from([program.main]), vec![program.main]);
    while let Some(creator) = open.pop() {
        let created = creating_sites(program, creator);
        open.extend(
            created
                .iter()
                .map(|site| site.created)
                .filter(|&created| started.insert(created)),
        );
        sites.insert(creator, created);
    }
    let reaches = |from: TemplateId, target: TemplateId| {
        let (mut seen, mut open) = (BTreeSet::new(), vec![from]);
        while let Some(creator) = open.pop() {
            for site in &sites[&creator] {
                if seen.insert(site.created) {
                    open.push(site.created);
                }
            }
        }
        seen.contains(&target)
    };
    let repeated = sites.values().flatten();
    let repeated = repeated.filter(|site| site.frequency == Frequency::Repeated);
    let recursive = started
        .iter()
        .copied()
        .filter(|&template| reaches(template, template));
    let mut unbounded: BTreeSet<TemplateId> =
        repeated.map(|site| site.created).chain(recursive).collect();
    let mut open: Vec<TemplateId> = unbounded.iter().copied().collect();
    while let Some(creator) = open.pop() {
        let created = sites[&creator].iter().map(|site| site.created);
        open.extend(created.filter(|&created| unbounded.insert(created)));
    }
    unbounded
}

/// The runs of `member` that sites outside of its own component of the create graph start, and the run of main.
fn count_runs(
    program: &Program,
    bounds: &Bounds,
    sites: &[CreatingSite],
    counts: &SecondaryMap<TemplateId, u32>,
    component: &[TemplateId],
    member: TemplateId,
) -> u32 {
    let mut repeated = false;
    let mut created = 0u32;
    for site in sites
        .iter()
        .filter(|site| site.created == member && !component.contains(&site.creator))
    {
        match site.frequency {
            Frequency::Once => created = created.saturating_add(counts[site.creator]),
            Frequency::Repeated => repeated |= counts[site.creator] > 0,
        }
    }
    let runs = if repeated {
        created.max(bounds.threads)
    } else {
        created
    };
    (runs + u32::from(member == program.main)).min(MAXIMUM)
}

/// The runs of a member of a recursive component, given those that are started from outside.
fn with_pool(program: &Program, bounds: &Bounds, member: TemplateId, outside: u32) -> u32 {
    let main = u32::from(member == program.main);
    (bounds.threads.max(outside - main) + main).min(MAXIMUM)
}

/// The creating sites of a template, one for each template that may be started there.
fn creating_sites(program: &Program, creator: TemplateId) -> Vec<CreatingSite> {
    let template = &program.templates[creator];
    let frequencies = site_frequencies(template, |statement| {
        matches!(statement, Statement::Create { .. })
    });
    let mut found = BTreeMap::new();
    for edge in template.edges.values() {
        if let Statement::Create { start, .. } = edge.statement
            && let Some(&frequency) = frequencies.get(&edge.site)
        {
            for created in start_templates(program, start) {
                found.insert(
                    (edge.site, created),
                    CreatingSite {
                        creator,
                        created,
                        frequency,
                    },
                );
            }
        }
    }
    found.into_values().collect()
}
