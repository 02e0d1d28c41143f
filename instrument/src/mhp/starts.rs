//! The threads that each creation may start.

use std::collections::{BTreeMap, BTreeSet};

use abi::ids::InstanceId;
use program::model::{Edge, EdgeId, Statement, TemplateId};
use program::threads::start_templates;

use crate::context::Context;
use crate::dataflow::{ForwardAnalysis, solve};
use crate::occurrence::Occurrence;

/// The threads that each creating statement may start.
pub(crate) struct Starts(BTreeMap<Occurrence, Vec<InstanceId>>);

impl Starts {
    pub fn new(context: &Context) -> Self {
        let mut starts = Self(BTreeMap::new());
        for instance in context.instances.threads.keys() {
            for (edge, content) in context.edges(instance) {
                if let Statement::Create { start, .. } = content.statement {
                    let candidates = context.instances.start_candidates(context.program, start);
                    starts.0.insert(Occurrence { instance, edge }, candidates);
                }
            }
        }
        starts.number(context);
        starts
    }

    /// The threads that one of a thread's creations may start.
    pub fn of(&self, creation: Occurrence) -> &[InstanceId] {
        self.0.get(&creation).map_or(&[], Vec::as_slice)
    }

    /// All creations with the threads that they may start.
    pub fn iter(&self) -> impl Iterator<Item = (Occurrence, &[InstanceId])> {
        self.0
            .iter()
            .map(|(&creation, started)| (creation, started.as_slice()))
    }

    /// Instances are started in order. So where a template is started by one thread only, and that thread has passed the
    /// same number of creations on all ways to a creation, the number tells which instance it starts.
    fn number(&mut self, context: &Context) {
        for template in context.program.templates.keys() {
            let creations: Vec<Occurrence> = self
                .iter()
                .filter(|(_, started)| runs(context, started, template))
                .map(|(id, _)| id)
                .collect();
            let creators: BTreeSet<InstanceId> =
                creations.iter().map(|creation| creation.instance).collect();
            let ambiguous = creations
                .iter()
                .any(|&creation| started_templates(context, creation).len() != 1);
            if let (&[creator], false) = (&creators.into_iter().collect::<Vec<_>>()[..], ambiguous)
            {
                self.number_creations(context, creator, template, &creations);
            }
        }
    }

    fn number_creations(
        &mut self,
        context: &Context,
        creator: InstanceId,
        template: TemplateId,
        creations: &[Occurrence],
    ) {
        let enumerated: Vec<_> = context
            .instances
            .by_template(template)
            .filter(|&instance| instance != InstanceId::MAIN)
            .collect();
        let counting = Counting {
            creations: creations.iter().map(|creation| creation.edge).collect(),
            limit: enumerated.len() as u32 + 1,
        };
        let automaton = context.template(creator);
        let counts = solve(
            automaton,
            &context.graph(creator).outgoing,
            (0, 0),
            &counting,
        );
        for creation in creations {
            if let Some((fewest, most)) = counts[automaton.edges[creation.edge].source] {
                let possible = enumerated
                    .iter()
                    .copied()
                    .take(most as usize + 1)
                    .skip(fewest as usize);
                self.0.insert(*creation, possible.collect());
            }
        }
    }
}

fn runs(context: &Context, started: &[InstanceId], template: TemplateId) -> bool {
    started
        .iter()
        .any(|&instance| context.instances.threads[instance].template == template)
}

/// The templates that a creation may start.
pub(crate) fn started_templates(context: &Context, creation: Occurrence) -> Vec<TemplateId> {
    let statement = &context.template(creation.instance).edges[creation.edge].statement;
    if let Statement::Create { start, .. } = statement {
        start_templates(context.program, *start)
    } else {
        Vec::new()
    }
}

/// The fewest and the most creations on the ways to a location.
struct Counting {
    creations: BTreeSet<EdgeId>,
    limit: u32,
}

impl ForwardAnalysis for Counting {
    type Fact = (u32, u32);

    fn transfer(&self, id: EdgeId, _edge: &Edge, &(fewest, most): &Self::Fact) -> Self::Fact {
        if self.creations.contains(&id) {
            ((fewest + 1).min(self.limit), (most + 1).min(self.limit))
        } else {
            (fewest, most)
        }
    }

    fn merge(&self, fact: &mut Self::Fact, other: &Self::Fact) {
        *fact = (fact.0.min(other.0), fact.1.max(other.1));
    }
}
