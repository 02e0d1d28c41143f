//! Programs as text: one edge per line, statements as in C, sites as `file:line`.

mod statement;

use std::fmt::{self, Display, Formatter};

use self::statement::{Printer, address};
use crate::model::{Edge, Global, Location, LocationKind, Mark, Program, Site, Template};

/// A printable form of a program.
pub fn display(program: &Program) -> impl Display + '_ {
    Whole(program)
}

struct Whole<'a>(&'a Program);

struct Line<'a> {
    program: &'a Program,
    template: &'a Template,
    edge: &'a Edge,
}

struct Position<'a>(&'a Site);

impl Display for Whole<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let program = self.0;
        writeln!(f, "program {}", program.name)?;
        for (id, global) in &program.globals {
            writeln!(f, "{id} {}", describe_global(program, global))?;
        }
        for (id, function) in &program.functions {
            write!(f, "{id} {}", function.name)?;
            match function.template {
                Some(template) => writeln!(f, " starts {template}")?,
                None => writeln!(f)?,
            }
        }
        for (id, unsupported) in &program.unsupported {
            let site = Position(&program.sites[unsupported.site]);
            writeln!(f, "{id} {} at {site}", unsupported.what)?;
        }
        for (id, template) in &program.templates {
            let main = if id == program.main { " (main)" } else { "" };
            write!(f, "\n{id}{main} {}(", template.name)?;
            let parameters: Vec<_> = template
                .parameters
                .iter()
                .map(ToString::to_string)
                .collect();
            writeln!(f, "{}) from {}", parameters.join(", "), template.entry)?;
            for (local, variable) in &template.locals {
                writeln!(f, "  {local} {}: {} bytes", variable.name, variable.size)?;
            }
            for edge in template.edges.values() {
                writeln!(
                    f,
                    "  {}",
                    Line {
                        program,
                        template,
                        edge
                    }
                )?;
            }
        }
        Ok(())
    }
}

fn describe_global(program: &Program, global: &Global) -> String {
    let mut text = format!("{}: {} bytes", global.name, global.bytes.len());
    if !global.writable {
        text += ", constant";
    }
    if global.thread_local {
        text += ", thread-local";
    }
    if global.bytes.iter().any(|&byte| byte != 0) {
        let bytes: String = global
            .bytes
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        text += &format!(" = 0x[{bytes}]");
    }
    for &(at, place, offset) in &global.relocations {
        text += &format!(", {} at byte {at}", address(program, None, place, offset));
    }
    text
}

impl Display for Line<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self {
            program,
            template,
            edge,
        } = self;
        let end = |id| mark(&template.locations[id]);
        let site = Position(&program.sites[edge.site]);
        let (source, target) = (edge.source, edge.target);
        let statement = Printer { program, template }.statement(&edge.statement);
        write!(
            f,
            "{source}{} -> {target}{}: {statement}  // {site}",
            end(source),
            end(target)
        )
    }
}

impl Display for Position<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let file = if self.0.file.is_empty() {
            "?"
        } else {
            &self.0.file
        };
        write!(f, "{file}:{}", self.0.line)
    }
}

/// What is special about a location.
fn mark(location: &Location) -> String {
    let mut text = match location.kind {
        LocationKind::Ordinary => String::new(),
        LocationKind::Limit(limit) => format!("[{limit:?}]"),
        LocationKind::Error(property) => format!("[Error {property}]"),
        LocationKind::Exited | LocationKind::Halted | LocationKind::Blocked => {
            format!("[{:?}]", location.kind)
        }
    };
    if location.external {
        text += "*";
    }
    for (mark, sign) in [
        (location.phase.yields_if_committed, "?"),
        (location.phase.commits, "!"),
    ] {
        match mark {
            Mark::Never => {}
            Mark::UnlessBothMover => text += &format!("({sign})"),
            Mark::Always => text += sign,
        }
    }
    if location.atomic_depth > 0 {
        text += &format!("^{}", location.atomic_depth);
    }
    text
}
