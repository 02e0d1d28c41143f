//! The tables of a program: main, variables, functions, allocation statements and constructs that are not read.

use super::checker::Checker;
use super::violation::ProgramPart;
use crate::model::Place;

impl Checker<'_> {
    /// Everything outside of templates.
    pub(super) fn tables(&mut self) {
        let program = self.program;
        let main = program.templates.get(program.main);
        self.require(main.is_some(), ProgramPart::Whole, || {
            "main is no template".to_owned()
        });
        let closed = main.is_none_or(|main| main.parameters.is_empty());
        self.require(closed, ProgramPart::Whole, || {
            "main has parameters; their values must be inputs".to_owned()
        });
        let word = u64::from(program.data_model.address_bytes());
        for (id, global) in &program.globals {
            for &(at, place, _) in &global.relocations {
                let inside = u64::from(at) + word <= global.bytes.len() as u64;
                self.require(inside, ProgramPart::Global(id), || {
                    format!("the address at byte {at} lies outside")
                });
                let global = self.place_exists(None, place) && !matches!(place, Place::Local(_));
                self.require(global, ProgramPart::Global(id), || {
                    format!("the address at byte {at} is of nothing")
                });
            }
        }
        for (id, function) in &program.functions {
            let Some(started) = function.template else {
                continue;
            };
            let parameters = program
                .templates
                .get(started)
                .map(|template| template.parameters.len());
            let fits = parameters.is_some_and(|parameters| parameters <= 1);
            self.require(fits, ProgramPart::Function(id), || {
                "is no start routine".to_owned()
            });
        }
        for (id, site) in &program.heap_sites {
            let good =
                program.templates.is_valid(site.template) && program.sites.is_valid(site.site);
            self.require(good, ProgramPart::HeapSite(id), || {
                "template or site does not exist".to_owned()
            });
        }
        for (id, unsupported) in &program.unsupported {
            let good = program.sites.is_valid(unsupported.site);
            self.require(good, ProgramPart::Unsupported(id), || {
                "the site does not exist".to_owned()
            });
        }
    }
}
