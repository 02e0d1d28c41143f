//! Replaces an operation on addresses that is not supported by a limit.

use crate::model::{
    EdgeId, LimitKind, Location, LocationKind, Program, Statement, TemplateId, Unsupported,
};

/// Lets an edge end at an unsupported construct.
pub(super) fn refuse(program: &mut Program, template: TemplateId, edge: EdgeId, what: &str) {
    let site = program.templates[template].edges[edge].site;
    let id = program.unsupported.push(Unsupported {
        what: what.to_owned(),
        site,
        is_of_runs: false,
    });
    let template = &mut program.templates[template];
    let source = template.edges[edge].source;
    let kind = LocationKind::Limit(LimitKind::Unsupported(id));
    let depth = template.locations[source].atomic_depth;
    let limit = template.locations.push(Location::new(kind, depth));
    let edge = &mut template.edges[edge];
    edge.statement = Statement::Skip;
    edge.target = limit;
}
