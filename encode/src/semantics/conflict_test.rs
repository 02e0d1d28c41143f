//! Conflict tests as terms: whether other threads may still execute conflicting statements ([`ConflictTest`]).
//!
//! Other threads are at cut points while a thread runs, so that their registers are part of the state. Those of a thread that the block
//! itself has started got their values in the block.

use abi::ids::InstanceId;
use program::model::{AddressSource, Bits, ConflictTest, FutureAccess, Operand, Place};
use system::term::{Term, Terms};

use crate::semantics::accesses::Need;
use crate::semantics::address::leaf;
use crate::semantics::executor::Executor;
use crate::semantics::path::{Path, RegionId, Variable};
use crate::semantics::ranges;

impl Executor<'_> {
    /// One bit: 1 if `known` is, or if one of the tests finds a conflict.
    pub(crate) fn answer(&mut self, path: &Path, known: Operand, tests: &[ConflictTest]) -> Term {
        let known = self.operand(path, known);
        let answers = tests.iter();
        let answers: Vec<Term> = answers.map(|test| self.answer_one(path, test)).collect();
        let any = self.terms.or_all(answers);
        let any = self.terms.bool_to_bit(any);
        self.terms.bit_or(known, any)
    }

    fn answer_one(&mut self, path: &Path, test: &ConflictTest) -> Term {
        match test {
            ConflictTest::CanReach(locations) => {
                let regions = locations
                    .iter()
                    .filter_map(|(&template, region)| self.context.region(template, region));
                let regions: Vec<RegionId> = regions.collect();
                self.any_other(&regions, |executor, other, region| {
                    executor.value(path, Variable::InRegion(other, region))
                })
            }
            ConflictTest::Unstarted(templates) => {
                let mut all = Vec::new();
                for &template in templates {
                    let threads = self.context.instances.by_template(template);
                    let own = self.instance;
                    for other in threads.filter(|&other| other != own) {
                        let started = self.value(path, Variable::Started(other));
                        all.push(self.terms.not(started));
                    }
                }
                self.terms.or_all(all)
            }
            ConflictTest::MayAlias {
                address,
                size,
                accesses,
            } => {
                let address = self.operand(path, *address);
                self.any_access(path, accesses, |terms, (touched, touched_size)| {
                    let sizes = (*size, touched_size);
                    overlap(terms, (address, touched), sizes)
                })
            }
            ConflictTest::MayLockOther { address, accesses } => {
                let address = self.operand(path, *address);
                self.any_access(path, accesses, |terms, (touched, _)| {
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
            let template = self.context.regions[region].template;
            for other in self.context.instances.by_template(template) {
                if other != self.instance {
                    let this = holds(self, other, region);
                    any = self.terms.or(any, this);
                }
            }
        }
        any
    }

    /// Whether another thread may still perform one of these accesses with an address and a size for which something holds.
    fn any_access(
        &mut self,
        path: &Path,
        accesses: &[FutureAccess],
        holds: impl Fn(&mut Terms, (Term, u32)) -> Term,
    ) -> Term {
        let mut any = self.terms.bool(false);
        for access in accesses {
            let region = self.context.region(access.template, &access.locations);
            let regions: Vec<RegionId> = region.into_iter().collect();
            let found = self.any_other(&regions, |executor, other, region| {
                let within = executor.value(path, Variable::InRegion(other, region));
                match executor.touched(path, other, (region, access)) {
                    Some(address) => {
                        let holds = holds(executor.terms, (address, access.size));
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
        (region, access): (RegionId, &FutureAccess),
    ) -> Option<Term> {
        let base = match access.pointer {
            AddressSource::Operand(Operand::Register(register)) => {
                let held = self.value(path, Variable::RegisterInRegion(other, region, register));
                match path.written().get(&Variable::Register(other, register)) {
                    Some(&given) => {
                        let started = Variable::Started(other);
                        let was_started = self.memory.before(self.terms, started);
                        self.terms.ite(was_started, held, given)
                    }
                    None => held,
                }
            }
            AddressSource::Operand(Operand::Constant(Bits { width, value })) => {
                self.terms.bits(width, value)
            }
            AddressSource::Operand(Operand::Address(place, at)) => {
                let base = self.context.instances.address(other, place, at);
                self.address_bits(base)
            }
            AddressSource::Cell(global, at) => {
                let cell = Operand::Address(Place::Global(global), at);
                self.peek(path, cell, self.data_model().address_bits())?.1
            }
        };
        let offset = self.address_bits(access.offset);
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
    let width = terms.width(address);
    let (size, other_size) = (
        terms.bits(width, size.into()),
        terms.bits(width, other_size.into()),
    );
    let behind = terms.unsigned_less(behind, other_size);
    let before = terms.unsigned_less(before, size);
    terms.or(behind, before)
}
