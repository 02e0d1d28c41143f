//! What a thread asks about the others and about memory ([`Statement::Ask`](program::model::Statement::Ask)).
//!
//! Others are at cut points while a thread runs, so what they hold there is part of the state. Only threads that the block
//! itself has started hold something since.

use abi::ids::InstanceId;
use program::model::{AddressSource, Bits, ConflictTest, FutureAccess, Operand, Place};
use system::term::{Term, Terms};

use crate::address::leaf;
use crate::execute::Executor;
use crate::memory::Need;
use crate::path::{Path, RegionId, Variable};
use crate::ranges;

impl Executor<'_> {
    /// One bit: 1 if that is known already, or others may still do one of the things that are asked about.
    pub(crate) fn answer(
        &mut self,
        path: &Path,
        known: Operand,
        questions: &[ConflictTest],
    ) -> Term {
        let known = self.operand(path, known);
        let answers = questions.iter();
        let answers: Vec<Term> = answers
            .map(|question| self.answer_one(path, question))
            .collect();
        let any = self.terms.or_all(answers);
        let any = self.terms.bool_to_bit(any);
        self.terms.bit_or(known, any)
    }

    fn answer_one(&mut self, path: &Path, question: &ConflictTest) -> Term {
        match question {
            ConflictTest::CanReach(locations) => {
                let regions = locations
                    .iter()
                    .filter_map(|(&template, region)| self.world.region(template, region));
                let regions: Vec<RegionId> = regions.collect();
                self.any_other(&regions, |executor, other, region| {
                    executor.value(path, Variable::InRegion(other, region))
                })
            }
            ConflictTest::Unstarted(templates) => {
                let mut all = Vec::new();
                for &template in templates {
                    let threads = self.world.instances.by_template(template);
                    for other in threads.filter(|&other| other != self.instance) {
                        let started = self.value(path, Variable::Started(other));
                        all.push(self.terms.not(started));
                    }
                }
                self.terms.or_all(all)
            }
            ConflictTest::MayAlias {
                address,
                size,
                touches,
            } => {
                let address = self.operand(path, *address);
                self.any_touch(path, touches, |terms, (touched, touched_size)| {
                    let sizes = (*size, touched_size);
                    overlap(terms, (address, touched), sizes)
                })
            }
            ConflictTest::MayLockOther { address, touches } => {
                let address = self.operand(path, *address);
                self.any_touch(path, touches, |terms, (touched, _)| {
                    let same = terms.equal(address, touched);
                    terms.not(same)
                })
            }
            ConflictTest::CellHolds { address, values } => {
                let width = values.first().map_or(8, |value| value.width);
                match self.peek(path, *address, width) {
                    Some((valid, content)) => {
                        let holds = values
                            .iter()
                            .map(|value| leaf(self.terms, content, value.value));
                        let holds: Vec<Term> = holds.collect();
                        let holds = ranges::disjunction(self.terms, holds);
                        let invalid = self.terms.not(valid);
                        self.terms.or(invalid, holds)
                    }
                    None => self.terms.bool(true),
                }
            }
        }
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

    /// Whether another thread is at a place from where it may make an access such that something holds for its address
    /// and size.
    fn any_touch(
        &mut self,
        path: &Path,
        touches: &[FutureAccess],
        holds: impl Fn(&mut Terms, (Term, u32)) -> Term,
    ) -> Term {
        let mut any = self.terms.bool(false);
        for touch in touches {
            let region = self.world.region(touch.template, &touch.locations);
            let regions: Vec<RegionId> = region.into_iter().collect();
            let found = self.any_other(&regions, |executor, other, region| {
                let within = executor.value(path, Variable::InRegion(other, region));
                match executor.touched(path, other, (region, touch)) {
                    Some(address) => {
                        let holds = holds(executor.terms, (address, touch.size));
                        executor.terms.and(within, holds)
                    }
                    None => within,
                }
            });
            any = self.terms.or(any, found);
        }
        any
    }

    /// The address that another thread may access from a region; none if that is not known.
    fn touched(
        &mut self,
        path: &Path,
        other: InstanceId,
        (region, touch): (RegionId, &FutureAccess),
    ) -> Option<Term> {
        let base = match touch.pointer {
            AddressSource::Operand(Operand::Register(register)) => {
                let held = self.value(path, Variable::RegisterInRegion(other, region, register));
                match path.written().get(&Variable::Register(other, register)) {
                    Some(&given) => {
                        let was_started = self.values.get(Variable::Started(other));
                        self.terms.ite(was_started, held, given)
                    }
                    None => held,
                }
            }
            AddressSource::Operand(Operand::Constant(Bits { width, value })) => {
                self.terms.bits(width, value)
            }
            AddressSource::Operand(Operand::Address(place, at)) => {
                let base = self.world.instances.address(other, place, at);
                self.terms.bits(64, base.into())
            }
            AddressSource::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                self.peek(path, cell, 64)?.1
            }
        };
        let offset = self.terms.bits(64, touch.offset.into());
        Some(self.terms.add(base, offset))
    }

    /// What memory holds at an address, and whether that is live memory; none if it is not or that is not known.
    fn peek(&mut self, path: &Path, address: Operand, width: u32) -> Option<(Term, Term)> {
        let need = Need {
            size: width / 8,
            writes: false,
        };
        let cases = self.cases(path, address, need);
        if cases.each.is_empty() {
            return None;
        }
        Some((cases.any, self.read(path, &cases.each, 0, need.size)))
    }
}

/// Whether the bytes at two addresses overlap; the sizes are in bytes.
fn overlap(
    terms: &mut Terms,
    (address, other): (Term, Term),
    (size, other_size): (u32, u32),
) -> Term {
    let behind = terms.subtract(address, other);
    let before = terms.subtract(other, address);
    let (size, other_size) = (
        terms.bits(64, size.into()),
        terms.bits(64, other_size.into()),
    );
    let behind = terms.unsigned_less(behind, other_size);
    let before = terms.unsigned_less(before, size);
    terms.or(behind, before)
}
