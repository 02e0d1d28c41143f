//! Programs for any number of threads: a few threads that stand for all those of a family.
//!
//! A *family* is a template of which a run may start any number of instances. [`represent`] gives each family
//! a few templates of their own, of which one instance each may be started. Where a thread of the family is
//! created, one of these is started that is still unused, or none: that stands for a thread which is not represented. So
//! whatever some threads of the family do together with all others, runs of the representatives do, with what further
//! threads do in between left out. `docs/any-number.md` says what a proof about this program has to show to hold for all
//! threads.
//!
//! That a thread is one of many may not show anywhere else. Handles of its threads are therefore arbitrary, and a
//! program is refused in which a thread of a family names itself or others, has memory that others may access, or
//! allocates some.

use std::fmt;

use abi::ids::{InstanceId, SiteId};
use cranelift_entity::SecondaryMap;

use super::count::{MAXIMUM, count_instances, unbounded};
use super::lookup::start_templates;
use crate::model::{
    Bounds, Edge, Function, HavocOrigin, Instances, LifeEffect, Location, LocationId, LocationKind,
    ObjectKind, Operand, Place, Program, Register, RegisterId, Statement, Template, TemplateId,
    ThreadEffect,
};
use crate::points_to::PointsTo;

/// Why a program is not represented.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotRepresented {
    /// What stands in the way, in words.
    pub what: String,
    /// Where it stands, if that is one place.
    pub site: Option<SiteId>,
}

impl NotRepresented {
    fn at(site: SiteId, what: impl Into<String>) -> Self {
        Self {
            what: what.into(),
            site: Some(site),
        }
    }
}

impl fmt::Display for NotRepresented {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

/// The program in which so many representatives stand for the threads of each family; the same program if there is no family. Its threads
/// are to be enumerated with a bound of 1. `instances`, of which a family has at least two, and `points_to` are those of the program
/// as it is.
///
/// # Errors
/// What threads of a family do shows which of them they are.
pub fn represent(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    representatives: usize,
) -> Result<Program, NotRepresented> {
    let families = families(program, instances.bounds.heap)?;
    refuse_what_tells(program, instances, points_to, &families)?;
    let mut represented = program.clone();
    let mut routines: SecondaryMap<TemplateId, Vec<Routine>> = SecondaryMap::new();
    for &family in &families {
        let name = |number| representative(number, &program.templates[family].name);
        represented.templates[family].name = name(0);
        let mut members = vec![family];
        for number in 1..representatives {
            let template = Template {
                name: name(number),
                ..program.templates[family].clone()
            };
            members.push(represented.templates.push(template));
        }
        for &member in &members {
            let function = represented.functions.push(Function {
                name: represented.templates[member].name.clone(),
                template: Some(member),
            });
            let start = Operand::Address(Place::Function(function), 0);
            routines[family].push((member, start));
        }
        represented.families.push(members);
    }
    for (id, template) in represented.templates.iter_mut() {
        choose_representatives(program, (id, template), &routines);
    }
    Ok(represented)
}

/// What a representative is called, by its number from 0.
fn representative(number: usize, routine: &str) -> String {
    match number {
        0 => format!("any {routine}"),
        1 => format!("another {routine}"),
        2 => format!("a third {routine}"),
        _ => format!("{routine} beside {number}"),
    }
}

/// The templates of which there may be any number of instances. There are few of all others.
fn families(program: &Program, heap: u32) -> Result<Vec<TemplateId>, NotRepresented> {
    let refused = |what: String| Err(NotRepresented { what, site: None });
    let families: Vec<TemplateId> = unbounded(program).into_iter().collect();
    if families.contains(&program.main) {
        return refused("`main` is run as a thread".to_owned());
    }
    let counts = count_instances(program, &Bounds { threads: 1, heap });
    let mut templates = program.templates.keys();
    if templates.any(|template| !families.contains(&template) && counts[template] >= MAXIMUM) {
        return refused(format!(
            "more than {MAXIMUM} threads that are created once each"
        ));
    }
    Ok(families)
}

/// Refuses programs in which it shows which thread of a family does something.
fn refuse_what_tells(
    program: &Program,
    instances: &Instances,
    points_to: &PointsTo,
    families: &[TemplateId],
) -> Result<(), NotRepresented> {
    let is_member = |instance: InstanceId| families.contains(&instances.threads[instance].template);
    for (instance, thread) in instances.threads.iter() {
        let template = &program.templates[thread.template];
        for edge in template.edges.values() {
            refuse_statement(program, edge, is_member(instance), families)?;
            if let Some(handle) = named(&edge.statement) {
                let named = points_to.possible_objects(instance, handle);
                let mut kinds = named
                    .into_iter()
                    .map(|object| instances.objects[object].kind);
                let names_member =
                    |kind| matches!(kind, ObjectKind::Thread(named) if is_member(named));
                if kinds.any(names_member) {
                    let what = "use of the handle of a thread that is one of any number";
                    return Err(NotRepresented::at(edge.site, what));
                }
            }
        }
        for register in template.registers.keys() {
            let pointed = points_to.possible_objects(instance, Operand::Register(register));
            let mut owners = pointed.iter().map(|&object| instances.owner(object));
            let is_foreign = |owner: Option<InstanceId>| {
                owner.is_some_and(|owner| owner != instance && is_member(owner))
            };
            if owners.any(is_foreign) {
                return Err(NotRepresented {
                    what: format!(
                        "an address in `{}` of a variable of a thread that is one of any number",
                        template.name
                    ),
                    site: None,
                });
            }
        }
    }
    refuse_addresses(instances, points_to, families.is_empty(), is_member)
}

/// Refuses programs in whose memory an address may lie of a variable of a member of a family, unless that is the member's own.
fn refuse_addresses(
    instances: &Instances,
    points_to: &PointsTo,
    is_bounded: bool,
    is_member: impl Fn(InstanceId) -> bool,
) -> Result<(), NotRepresented> {
    let refused = |what: &str| {
        Err(NotRepresented {
            what: what.to_owned(),
            site: None,
        })
    };
    if !is_bounded && points_to.is_blind() {
        return refused("accesses to memory through addresses of which nothing is known");
    }
    for object in instances.objects.keys() {
        let holder = instances.owner(object);
        for content in points_to.contents_of(object) {
            let mut owners = content.values.objects().map(|held| instances.owner(held));
            if owners.any(|owner| owner != holder && owner.is_some_and(&is_member)) {
                return refused(
                    "the address in memory of a variable of a thread that is one of any number",
                );
            }
        }
    }
    Ok(())
}

/// The handle that a statement uses.
fn named(statement: &Statement) -> Option<Operand> {
    match statement.effects().thread? {
        ThreadEffect::Joins { thread }
        | ThreadEffect::Detaches { thread }
        | ThreadEffect::Names { thread } => Some(thread),
        ThreadEffect::Creates { .. } | ThreadEffect::Exits { .. } => None,
    }
}

fn refuse_statement(
    program: &Program,
    edge: &Edge,
    is_member: bool,
    families: &[TemplateId],
) -> Result<(), NotRepresented> {
    let statement = &edge.statement;
    let is_of_family = |template: &TemplateId| families.contains(template);
    let may_be_any = if let Statement::Create { start, .. } = statement {
        matches!(start, Operand::Register(_))
            && start_templates(program, *start).iter().any(is_of_family)
    } else {
        false
    };
    let allocates = matches!(statement.effects().life, Some(LifeEffect::Allocates { .. }));
    let looks = matches!(
        statement,
        Statement::FindLeak(_) | Statement::TestConflicts { .. }
    );
    let tells = matches!(
        statement,
        Statement::SelfHandle { .. } | Statement::SelfNumber { .. }
    );
    let what = if may_be_any {
        "creation of threads through a pointer to a function"
    } else if looks && !families.is_empty() {
        "a look at all other threads"
    } else if is_member && allocates {
        "allocation of memory by a thread that is one of any number"
    } else if is_member && named(statement).is_some() {
        "use of a handle by a thread that is one of any number"
    } else if is_member && tells {
        "an operation that tells which one of any number of threads executes it"
    } else {
        return Ok(());
    };
    Err(NotRepresented::at(edge.site, what))
}

/// A template, and where it starts.
type Routine = (TemplateId, Operand);

/// Replaces the creations of threads of families: the start routines of the representatives are given by family. None starts itself.
fn choose_representatives(
    program: &Program,
    (creator, template): (TemplateId, &mut Template),
    routines: &SecondaryMap<TemplateId, Vec<Routine>>,
) {
    for id in template.edges.keys().collect::<Vec<_>>() {
        let Edge {
            source,
            target,
            statement,
            site,
        } = template.edges[id].clone();
        let Statement::Create {
            register,
            start: start @ Operand::Address(..),
            argument,
        } = statement
        else {
            continue;
        };
        let started = start_templates(program, start);
        let representatives = started.iter().flat_map(|&family| &routines[family]);
        let others = representatives.filter(|&&(member, _)| member != creator);
        let representatives: Vec<Operand> = others.map(|&(_, start)| start).collect();
        if representatives.is_empty() {
            continue;
        }
        // A run that starts a representative a second time ends: others start none instead. Threads of no family never get here, as
        // there are as many of them as are created.
        template.locations[template.thread_limit].kind = LocationKind::Halted;
        let depth = template.locations[source].atomic_depth;
        let mut gadget = Gadget {
            template,
            site,
            depth,
        };
        let done = gadget.location();
        let mut here = source;
        for (number, &start) in representatives.iter().enumerate() {
            let choice = gadget.register(1);
            let chosen = gadget.location();
            let chooses = Statement::Havoc {
                register: choice,
                origin: HavocOrigin::Input,
            };
            match number {
                0 => {
                    let edge = &mut gadget.template.edges[id];
                    edge.target = chosen;
                    edge.statement = chooses;
                }
                _ => gadget.edge(here, chosen, chooses),
            }
            let starts = gadget.location();
            here = match number + 1 == representatives.len() {
                true => done,
                false => gadget.location(),
            };
            for (target, holds) in [(starts, true), (here, false)] {
                let condition = Operand::Register(choice);
                gadget.edge(chosen, target, Statement::Guard { condition, holds });
            }
            let handle = gadget.template.width(Operand::Register(register));
            let register = gadget.register(handle);
            let create = Statement::Create {
                register,
                start,
                argument,
            };
            gadget.edge(starts, done, create);
        }
        let origin = HavocOrigin::Input;
        gadget.edge(done, target, Statement::Havoc { register, origin });
    }
}

/// Adds to a template what belongs to one site.
struct Gadget<'a> {
    template: &'a mut Template,
    site: SiteId,
    depth: u32,
}

impl Gadget<'_> {
    fn location(&mut self) -> LocationId {
        let location = Location::new(LocationKind::Ordinary, self.depth);
        self.template.locations.push(location)
    }

    fn register(&mut self, width: u32) -> RegisterId {
        self.template.registers.push(Register::new(width))
    }

    fn edge(&mut self, source: LocationId, target: LocationId, statement: Statement) {
        self.template.edges.push(Edge {
            source,
            target,
            statement,
            site: self.site,
        });
    }
}
