//! What a thread asks about the others and about memory ([`Statement::Ask`](program::model::Statement::Ask)).
//!
//! Others are at cut points while a thread runs, so what they hold there is part of the state.

use abi::ids::InstanceId;
use program::model::{Bits, Operand, Place, Pointer, Question, Touch};
use system::term::Term;

use crate::execute::Executor;
use crate::memory::Need;
use crate::path::{Path, RegionId, Variable};

impl Executor<'_> {
    /// Whether others may still do what is asked about; one bit.
    pub(crate) fn answer(&mut self, path: &Path, question: &Question) -> Term {
        let answer = match question {
            Question::At(locations) => {
                let regions = locations
                    .iter()
                    .filter_map(|(&template, region)| self.world.region(template, region));
                let regions: Vec<RegionId> = regions.collect();
                self.any_other(&regions, |executor, other, region| {
                    executor.value(path, Variable::Within(other, region))
                })
            }
            Question::Touch {
                address,
                size,
                touches,
            } => {
                let address = self.operand(path, *address);
                let mut any = self.terms.bool(false);
                for touch in touches {
                    let region = self.world.region(touch.template, &touch.locations);
                    let regions: Vec<RegionId> = region.into_iter().collect();
                    let found = self.any_other(&regions, |executor, other, region| {
                        executor.touches(path, (address, *size), other, (region, touch))
                    });
                    any = self.terms.or(any, found);
                }
                any
            }
            Question::Holds { address, values } => {
                let width = values.first().map_or(8, |value| value.width);
                match self.peek(path, *address, width) {
                    Some((valid, content)) => {
                        let holds = values.iter().map(|value| {
                            let value = self.terms.bits(width, value.value);
                            self.terms.equal(content, value)
                        });
                        let holds: Vec<Term> = holds.collect();
                        let holds = self.terms.or_all(holds);
                        let invalid = self.terms.not(valid);
                        self.terms.or(invalid, holds)
                    }
                    None => self.terms.bool(true),
                }
            }
        };
        self.terms.bool_to_bit(answer)
    }

    /// Whether something holds for another thread that runs the template of one of the regions.
    fn any_other(
        &mut self,
        regions: &[RegionId],
        mut holds: impl FnMut(&mut Self, InstanceId, RegionId) -> Term,
    ) -> Term {
        let mut any = self.terms.bool(false);
        for &region in regions {
            let template = self.world.regions[region].template;
            for other in self.world.instances.by_template(template) {
                if other != self.instance {
                    let this = holds(self, other, region);
                    any = self.terms.or(any, this);
                }
            }
        }
        any
    }

    /// Whether another thread is in the region from where it may make an access that overlaps.
    fn touches(
        &mut self,
        path: &Path,
        (address, size): (Term, u32),
        other: InstanceId,
        (region, touch): (RegionId, &Touch),
    ) -> Term {
        let within = self.value(path, Variable::Within(other, region));
        let base = match touch.pointer {
            Pointer::Operand(Operand::Register(register)) => {
                self.value(path, Variable::Held(other, region, register))
            }
            Pointer::Operand(Operand::Constant(Bits { width, value })) => {
                self.terms.bits(width, value)
            }
            Pointer::Operand(Operand::Address(place, at)) => {
                let base = self.world.instances.address(other, place, at);
                self.terms.bits(64, base.into())
            }
            Pointer::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                match self.peek(path, cell, 64) {
                    Some((_, content)) => content,
                    None => return within,
                }
            }
        };
        let offset = self.terms.bits(64, touch.offset.into());
        let touched = self.terms.add(base, offset);
        let behind = self.terms.subtract(address, touched);
        let before = self.terms.subtract(touched, address);
        let (size, touched_size) = (
            self.terms.bits(64, size.into()),
            self.terms.bits(64, touch.size.into()),
        );
        let behind = self.terms.unsigned_less(behind, touched_size);
        let before = self.terms.unsigned_less(before, size);
        let overlaps = self.terms.or(behind, before);
        self.terms.and(within, overlaps)
    }

    /// What memory holds at an address, and whether that is live memory; none if it is not or that is not known.
    fn peek(&mut self, path: &Path, address: Operand, width: u32) -> Option<(Term, Term)> {
        let need = Need {
            size: width / 8,
            writes: false,
        };
        let (cases, _) = self.cases(path, address, need);
        if cases.is_empty() {
            return None;
        }
        let conditions: Vec<Term> = cases.iter().map(|case| case.condition).collect();
        let valid = self.terms.or_all(conditions);
        Some((valid, self.read(path, &cases, 0, need.size)))
    }
}
