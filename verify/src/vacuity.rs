//! Warnings about a verdict SAFE that says less than it seems to, as far as the automata show it.

use program::model::{
    Edge, Instances, Location, LocationKind, Program, Property, Statement, Template,
};

/// Why the program is safe whatever it computes, and whether it ever ends.
pub(crate) fn warnings(program: &Program, instances: &Instances) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut templates = instances
        .threads
        .values()
        .map(|instance| &program.templates[instance.template]);
    let asserts = program.properties.contains(&Property::UnreachCall);
    if asserts && !templates.any(may_fail) {
        warnings.push(
            "no assertion is reachable: there is none, all are in code that no thread runs, or hold whatever the values are"
                .to_owned(),
        );
    }
    if !ends(&program.templates[program.main]) {
        warnings.push("`main` never returns, nor ends the program".to_owned());
    }
    warnings
}

/// Automata have no locations but those that their edges lead to.
fn may_fail(template: &Template) -> bool {
    let mut targets = template.edges.values().map(|edge| edge.target);
    targets.any(|target| template.locations[target].kind.is_error())
}

/// Whether `main` may come to its end without a violation. Where others may join it, it is blocked there instead.
fn ends(main: &Template) -> bool {
    let is_end = |edge: &Edge| {
        let Location { kind, .. } = main.locations[edge.target];
        match kind {
            LocationKind::Exited | LocationKind::Halted => true,
            LocationKind::Blocked => matches!(
                edge.statement,
                Statement::Skip | Statement::LifetimeEnd { .. }
            ),
            LocationKind::Ordinary | LocationKind::Error(_) | LocationKind::Limit(_) => false,
        }
    };
    main.edges.values().any(is_end)
}
