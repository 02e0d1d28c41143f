//! The plan in words: the mover type of each visible statement, the external locations, and the reasons.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use abi::ids::SiteId;
use program::model::{
    BothMoverCondition, EdgeId, Instances, LocationId, MutexOperation, ObjectId, ObjectKind,
    Program, Statement, Template, TemplateId,
};

use crate::conditions::Conditional;
use crate::plan::Plan;
use crate::reason::YieldReason;
use crate::reason::{Classification, MoverReason};
use crate::regions::is_region;

/// The plan as text, in the order of the source: one line for each statement of a template that other threads may notice,
/// and one for each location where other threads may run; copies of which the same is said share a line.
pub fn explain<'a>(
    program: &'a Program,
    instances: &'a Instances,
    plan: &'a Plan,
) -> impl fmt::Display + 'a {
    Explanation {
        program,
        instances,
        plan,
    }
}

struct Explanation<'a> {
    program: &'a Program,
    instances: &'a Instances,
    plan: &'a Plan,
}

/// Where a line of the explanation belongs: file, line, column; then template and position, so that the order is total.
type Position<'a> = (&'a str, u32, u32, TemplateId, LocationId, Option<EdgeId>);

impl fmt::Display for Explanation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines: Vec<(Position, String)> = Vec::new();
        for (id, plan) in &self.plan.templates {
            let template = &self.program.templates[id];
            for (&location, &reason) in &plan.yields {
                let text = format!("others may run: {}", self.yield_reason(template, reason));
                lines.push((self.position(id, location, None), text));
            }
            for (&location, &reason) in &plan.yields_if_committed {
                let text = format!(
                    "others may run if the transaction has committed: {}",
                    self.yield_reason(template, reason)
                );
                lines.push((self.position(id, location, None), text));
            }
            for (&edge, mover) in plan
                .movers
                .iter()
                .filter(|(edge, _)| plan.visible.contains(edge))
            {
                let mut text = self.statement(template, edge, mover);
                if let Some(conditional) = plan.conditions.get(&edge) {
                    text += &self.condition(conditional);
                }
                lines.push((
                    self.position(id, template.edges[edge].source, Some(edge)),
                    text,
                ));
            }
        }
        lines.sort();
        let key = |((file, line, column, template, ..), text): &'_ (Position<'_>, String)| {
            (file.to_string(), *line, *column, *template, text.clone())
        };
        // Rounds of unrolled loops and calls that are inlined in several places have one position.
        let mut copies: BTreeMap<_, usize> = BTreeMap::new();
        for line in &lines {
            *copies.entry(key(line)).or_default() += 1;
        }
        for line in &lines {
            let Some(count) = copies.remove(&key(line)) else {
                continue;
            };
            let ((file, number, _, template, ..), text) = line;
            let name = &self.program.templates[*template].name;
            write!(f, "{file}:{number}: {name}: {text}")?;
            match count {
                1 => writeln!(f)?,
                _ => writeln!(f, " ({count} copies)")?,
            }
        }
        self.summary(f)
    }
}

impl Explanation<'_> {
    fn summary(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let templates = || self.plan.templates.values();
        let yields: usize = templates().map(|plan| plan.yields.len()).sum();
        let conditional: usize = templates().map(|plan| plan.yields_if_committed.len()).sum();
        let visible: usize = templates().map(|plan| plan.visible.len()).sum();
        writeln!(
            f,
            "reduction {}: {visible} visible statements, others may run at {yields} places{}",
            self.plan.reduction,
            if conditional == 0 {
                String::new()
            } else {
                format!(", and after a commit at {conditional} more")
            }
        )
    }

    fn position(
        &self,
        template: TemplateId,
        location: LocationId,
        edge: Option<EdgeId>,
    ) -> Position<'_> {
        let edges = &self.program.templates[template].edges;
        let first = edge.or_else(|| {
            edges
                .iter()
                .find(|(_, edge)| edge.source == location)
                .map(|(id, _)| id)
        });
        match first.map(|edge| &self.program.sites[edges[edge].site]) {
            Some(site) => (&site.file, site.line, site.column, template, location, edge),
            None => ("", 0, 0, template, location, edge),
        }
    }

    fn yield_reason(&self, template: &Template, reason: YieldReason) -> String {
        match reason {
            YieldReason::Visible(edge) => format!("before this {}", statement_name(template, edge)),
            YieldReason::AfterCommit(edge) => {
                format!(
                    "this {} does not move left after a commit",
                    statement_name(template, edge)
                )
            }
            YieldReason::Cycle => "a cycle without end would hide the commit".to_owned(),
        }
    }

    fn statement(&self, template: &Template, edge: EdgeId, mover: &Classification) -> String {
        format!(
            "{}: {} mover: {}",
            statement_name(template, edge),
            mover.mover_type,
            self.reason(mover.reason)
        )
    }

    fn reason(&self, reason: MoverReason) -> String {
        match reason {
            MoverReason::Private => "it touches only registers".to_owned(),
            MoverReason::ThreadLocal(object) => {
                format!("only this thread touches {}", self.object(object))
            }
            MoverReason::Apart(object) => format!(
                "no other thread accesses {} at the same time",
                self.object(object)
            ),
            MoverReason::Alone => "no other thread runs".to_owned(),
            MoverReason::OnlyRead(object) => {
                format!(
                    "no other thread writes {} at the same time",
                    self.object(object)
                )
            }
            MoverReason::Commutes(object) => {
                format!("others only update {} in the same way", self.object(object))
            }
            MoverReason::Protected(mutex, offset) => {
                format!("all hold {} (byte {offset})", self.object(mutex))
            }
            MoverReason::ProtectedThrough(variable) => {
                let name = &self.program.globals[variable].name;
                format!("all hold the mutex that `{name}` points to")
            }
            MoverReason::ProtectedBeside(object) => {
                format!("all hold the mutex beside it in {}", self.object(object))
            }
            MoverReason::Acquires => "it takes a mutex".to_owned(),
            MoverReason::Releases => "it releases a mutex".to_owned(),
            MoverReason::Joins => "it waits for a thread".to_owned(),
            MoverReason::Starts => "it starts a thread".to_owned(),
            MoverReason::Exits => "it ends its thread".to_owned(),
            MoverReason::Halts => "it ends the run".to_owned(),
            MoverReason::Stops => "it may stop the run inside of an atomic region".to_owned(),
            MoverReason::Competes(template) => {
                format!(
                    "another thread may start `{}`, too",
                    self.program.templates[template].name
                )
            }
            MoverReason::Conflicts {
                object,
                template,
                site,
            } => self.conflict(object, template, site),
        }
    }

    /// Under which condition a statement moves, with the places that it is about.
    fn condition(&self, conditional: &Conditional) -> String {
        let Conditional {
            mover_type,
            condition:
                BothMoverCondition {
                    unreached,
                    apart,
                    differs,
                    locked,
                },
        } = conditional;
        let mut all = Vec::new();
        let values: Vec<String> = differs
            .iter()
            .map(|differs| differs.value.signed().to_string())
            .collect();
        if !values.is_empty() {
            all.push(format!(
                "memory does not hold {} there",
                values.join(" or ")
            ));
        }
        for apart in apart {
            let places = self.places(&apart.others);
            all.push(format!("no other thread can use the address at {places}"));
        }
        for locked in locked {
            let (places, locks) = (self.places(&locked.others), self.places(&locked.locks));
            all.push(format!(
                "no other thread can reach {places} without taking the same mutex at {locks}"
            ));
        }
        if !unreached.is_empty() {
            let places = self.places(unreached);
            all.push(format!("no other thread can reach {places}"));
        }
        format!("; {mover_type} mover while {}", all.join(", and "))
    }

    /// Lines of the source, each once.
    fn places(&self, sites: &BTreeSet<SiteId>) -> String {
        let sites = sites.iter().map(|&site| &self.program.sites[site]);
        let places: BTreeSet<(&str, u32)> =
            sites.map(|site| (site.file.as_str(), site.line)).collect();
        let places = places
            .into_iter()
            .map(|(file, line)| format!("{file}:{line}"));
        places.collect::<Vec<_>>().join(" or ")
    }

    fn conflict(&self, object: Option<ObjectId>, template: TemplateId, site: SiteId) -> String {
        let place = &self.program.sites[site];
        let what = object.map_or_else(|| "memory".to_owned(), |object| self.object(object));
        let who = &self.program.templates[template].name;
        format!(
            "it conflicts on {what} with `{who}` at {}:{}",
            place.file, place.line
        )
    }

    fn object(&self, object: ObjectId) -> String {
        match self.instances.objects[object].kind {
            ObjectKind::Function(function) => {
                format!("`{}`", self.program.functions[function].name)
            }
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global, _) => {
                format!("`{}`", self.program.globals[global].name)
            }
            ObjectKind::Local(local, instance) => {
                let template = &self.program.templates[self.instances.threads[instance].template];
                format!("`{}` of `{}`", template.locals[local].name, template.name)
            }
            ObjectKind::Heap { pool, slot } => format!("heap object {slot} of pool {pool}"),
            ObjectKind::Thread(thread) => {
                let template = &self.program.templates[self.instances.threads[thread].template];
                format!("thread `{}`", template.name)
            }
            ObjectKind::Base(of) => self.object(of),
            ObjectKind::Nowhere => "nowhere".into(),
        }
    }
}

/// What a statement is called in explanations.
fn statement_name(template: &Template, edge: EdgeId) -> &'static str {
    if is_region(template, edge) {
        return "atomic region";
    }
    match &template.edges[edge].statement {
        Statement::Skip => "jump",
        Statement::Guard { .. } => "branch",
        Statement::Assign { .. } | Statement::ParallelAssign(_) => "assignment",
        Statement::Havoc { .. } => "arbitrary value",
        Statement::Load { .. } => "load",
        Statement::Store { .. } => "store",
        Statement::AtomicRmw { .. } => "atomic update",
        Statement::CompareExchange { .. } => "compare-and-swap",
        Statement::LifetimeStart { .. } => "start of a variable's life",
        Statement::LifetimeEnd { .. } => "end of a variable's life",
        Statement::Allocate { .. } => "allocation",
        Statement::Free { .. } => "free",
        Statement::Size { .. } => "size of an object",
        Statement::Create { .. } => "thread creation",
        Statement::Join { .. } => "join",
        Statement::Detach { .. } => "detachment of a thread",
        Statement::SelfHandle { .. } => "read of the own handle",
        Statement::SelfNumber { .. } => "read of the own number",
        Statement::NumberOfThread { .. } => "look at which thread a handle names",
        Statement::Number { .. } => "number of an address",
        Statement::FindLeak(_) => "search for memory that is lost",
        Statement::TestConflicts { .. } => "look at the other threads",
        Statement::Mutex {
            operation: MutexOperation::Lock,
            ..
        } => "lock",
        Statement::Mutex {
            operation: MutexOperation::TryLock,
            ..
        } => "try-lock",
        Statement::Mutex {
            operation: MutexOperation::Unlock,
            ..
        } => "unlock",
        Statement::AtomicBegin => "atomic region",
        Statement::AtomicEnd => "end of an atomic region",
        Statement::Return { .. } => "return",
    }
}
