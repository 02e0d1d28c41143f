//! A program with what all analyses need: its instances, graphs and points-to sets, computed once.

use abi::ids::InstanceId;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use program::automaton::Outgoing;
use program::lifetimes::Lifetimes;
use program::model::{
    Edge, EdgeId, Instances, LocationId, ObjectId, Operand, Program, RegisterId, Template,
    TemplateId,
};
use program::points_to::{Offsets, PointsTo};

use crate::rules::Rules;

/// A program with its instances, and the graphs of its automata.
pub(crate) struct Context<'a> {
    pub program: &'a Program,
    pub instances: &'a Instances,
    pub points_to: &'a PointsTo,
    pub rules: Rules,
    pub lifetimes: Lifetimes,
    graphs: PrimaryMap<TemplateId, Graph>,
}

/// The automaton of a template as a graph, and who defines and uses its registers.
pub(crate) struct Graph {
    pub outgoing: Outgoing,
    /// The locations that a run may visit.
    pub reachable: EntitySet<LocationId>,
    /// The registers whose value some statement uses.
    pub used: EntitySet<RegisterId>,
    /// The statements that write a register.
    pub definitions: SecondaryMap<RegisterId, Vec<EdgeId>>,
}

impl Graph {
    fn new(template: &Template) -> Self {
        let outgoing = Outgoing::new(template);
        let reachable = outgoing.reachable(template, [template.entry]);
        let mut used = EntitySet::new();
        let mut definitions = SecondaryMap::<_, Vec<_>>::new();
        for (id, edge) in &template.edges {
            edge.statement.for_each_use(|register| {
                used.insert(register);
            });
            edge.statement
                .for_each_definition(|register| definitions[register].push(id));
        }
        Self {
            outgoing,
            reachable,
            used,
            definitions,
        }
    }
}

impl<'a> Context<'a> {
    pub fn new(
        program: &'a Program,
        instances: &'a Instances,
        points_to: &'a PointsTo,
        rules: Rules,
    ) -> Self {
        let graphs = program.templates.values().map(Graph::new).collect();
        Self {
            program,
            instances,
            points_to,
            rules,
            lifetimes: Lifetimes::new(program),
            graphs,
        }
    }

    /// The template that an instance runs.
    pub fn template(&self, instance: InstanceId) -> &'a Template {
        &self.program.templates[self.instances.threads[instance].template]
    }

    pub fn graph(&self, instance: InstanceId) -> &Graph {
        &self.graphs[self.instances.threads[instance].template]
    }

    pub fn template_graph(&self, template: TemplateId) -> &Graph {
        &self.graphs[template]
    }

    /// The edges that a run of an instance may take.
    pub fn edges(&self, instance: InstanceId) -> impl Iterator<Item = (EdgeId, &'a Edge)> + '_ {
        let reachable = &self.graph(instance).reachable;
        self.template(instance)
            .edges
            .iter()
            .filter(|(_, edge)| reachable.contains(edge.source))
    }

    /// The variables of threads whose life a statement of a thread asks for.
    pub fn asked_for(&self, instance: InstanceId, edge: &Edge) -> Vec<ObjectId> {
        let (program, instances) = (self.program, self.instances);
        self.lifetimes
            .asked_for(program, instances, self.points_to, (instance, edge))
    }

    /// The one object and offset that an address can point to when a thread uses it; `None` if there may be several.
    pub fn definite_target(
        &self,
        instance: InstanceId,
        address: Operand,
    ) -> Option<(ObjectId, u32)> {
        let targets = self.points_to.targets(instance, address);
        match targets.objects[..] {
            [(object, Offsets::Exact(offset))] if !targets.other => Some((object, offset)),
            _ => None,
        }
    }
}
