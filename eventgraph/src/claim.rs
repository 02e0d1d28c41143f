//! What a proof says beside the program, to be kept in a file: how far threads were unwound, how many bits were looked at, and which cycles
//! the formulas exclude. The formulas follow from that and the program.

use std::collections::BTreeMap;

use certify::EventOrder;
use program::model::{Instances, LocationId, ObjectId, Program, TemplateId};
use serde::{Deserialize, Serialize};
use system::term::Term;
use system::transition_system::Reason;

use crate::engine::Scheduling;
use crate::loops::{Loop, UnwindingBounds};
use crate::search::Refutation;
use crate::widths::Widths;

/// That no run of an unwinding violates anything, goes on behind it or meets a limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    pub(crate) scheduling: Scheduling,
    /// How often the header of a loop may be passed again.
    unwind: u32,
    /// The same for these loops, by template and header.
    loops: Vec<[u32; 3]>,
    /// How many bits of numbers are looked at.
    bits: u32,
    /// The same for these objects.
    objects: Vec<[u32; 2]>,
    /// For each question that has a formula, what does not hold together because of the order of events.
    pub(crate) excluded: Vec<Vec<Vec<Literal>>>,
}

/// A literal, by its place in what is said of the order of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Literal {
    /// Of a link.
    Link(usize),
    /// Of a write.
    Write(usize),
    /// Of the order of two events.
    Order(usize),
}

/// Why there are no formulas of a claim.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClaimError {
    /// It is none about the program.
    #[error("{0}")]
    Unusable(&'static str),
    /// Not all formulas were made.
    #[error("stopped: {0}")]
    Stopped(Reason),
}

impl Claim {
    pub(crate) fn new(
        (bounds, widths): (&UnwindingBounds, &Widths),
        scheduling: Scheduling,
        refutations: &[Refutation],
    ) -> Self {
        let loops = bounds.raised().map(|(which, bound)| {
            let Loop { template, header } = which;
            [template.as_u32(), header.as_u32(), bound]
        });
        let objects = widths.raised();
        Self {
            scheduling,
            unwind: bounds.of_others(),
            loops: loops.collect(),
            bits: widths.least(),
            objects: objects
                .map(|(object, bits)| [object.as_u32(), bits])
                .collect(),
            excluded: refutations.iter().map(named).collect(),
        }
    }

    /// How far loops are unwound.
    pub(crate) fn bounds(&self, program: &Program) -> Result<UnwindingBounds, ClaimError> {
        let mut bounds = UnwindingBounds::all(self.unwind);
        for &[template, header, bound] in &self.loops {
            let template = program.templates.keys().nth(template as usize);
            let known = template.and_then(|id: TemplateId| {
                let mut headers = program.templates[id].locations.keys();
                let header: LocationId = headers.nth(header as usize)?;
                Some(Loop {
                    template: id,
                    header,
                })
            });
            let which = known.ok_or(ClaimError::Unusable("it names a loop that is not there"))?;
            bounds.raise(which, bound);
        }
        Ok(bounds)
    }

    /// How many bits are looked at.
    pub(crate) fn widths(&self, instances: &Instances) -> Result<Widths, ClaimError> {
        let mut raised: BTreeMap<ObjectId, u32> = BTreeMap::new();
        for &[object, bits] in &self.objects {
            let object = instances.objects.keys().nth(object as usize);
            let object =
                object.ok_or(ClaimError::Unusable("it names an object that is not there"))?;
            raised.insert(object, bits);
        }
        Ok(Widths::fixed(self.bits, raised))
    }
}

/// What a refutation excludes, by the places of literals.
fn named(refutation: &Refutation) -> Vec<Vec<Literal>> {
    let order = &refutation.order;
    let links = order.links.iter().map(|link| link.literal);
    let writes = order.writes.iter().map(|write| write.literal);
    let orders = order.orders.iter().map(|order| order.literal);
    let links = links
        .enumerate()
        .map(|(place, of)| (of, Literal::Link(place)));
    let writes = writes
        .enumerate()
        .map(|(place, of)| (of, Literal::Write(place)));
    let orders = orders
        .enumerate()
        .map(|(place, of)| (of, Literal::Order(place)));
    let names: BTreeMap<Term, Literal> = orders.chain(writes).chain(links).collect();
    let name = |literal: &Term| names.get(literal).copied();
    let excluded = refutation.excluded.iter();
    excluded
        .map(|literals| literals.iter().filter_map(name).collect())
        .collect()
}

impl Literal {
    /// The literal at a place, if there is one.
    pub(crate) fn of(self, order: &EventOrder) -> Option<Term> {
        match self {
            Self::Link(place) => order.links.get(place).map(|link| link.literal),
            Self::Write(place) => order.writes.get(place).map(|write| write.literal),
            Self::Order(place) => order.orders.get(place).map(|order| order.literal),
        }
    }
}
