//! Which rows of a run come before which, and why: the edges of its event order graph that are not the order of a thread.

use std::collections::BTreeMap;
use std::ops::Range;

use abi::ids::InstanceId;
use explicit::interpret::Observation;
use program::model::ObjectId;

use super::Row;

/// What a row does that orders it among the rows of other threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It reads these bytes of an object.
    Reads(ObjectId, Range<u32>),
    /// It writes these bytes of an object.
    Writes(ObjectId, Range<u32>),
    /// All that was written to an object is gone.
    Forgets(ObjectId),
    /// It creates the thread in this column.
    Creates(usize),
    /// It joins the thread in this column.
    Joins(usize),
}

impl Effect {
    /// What an observation is in a run whose threads are in these columns.
    pub(super) fn of(observation: Observation, columns: &[InstanceId]) -> Option<Self> {
        let bytes = |offset: u32, width: u32| offset..offset + width.div_ceil(8);
        let column = |instance| columns.binary_search(&instance).ok();
        match observation {
            Observation::Read {
                object,
                offset,
                value,
            } => Some(Self::Reads(object, bytes(offset, value.width))),
            Observation::Write {
                object,
                offset,
                value,
            } => Some(Self::Writes(object, bytes(offset, value.width))),
            Observation::Started(instance) => column(instance).map(Self::Creates),
            Observation::Joined(instance) => column(instance).map(Self::Joins),
            Observation::Uninitialised(object)
            | Observation::Died(object)
            | Observation::Allocated { object, .. }
            | Observation::Freed(object) => Some(Self::Forgets(object)),
            Observation::Detached(_)
            | Observation::Acquired { .. }
            | Observation::Released { .. }
            | Observation::Refused { .. } => None,
        }
    }
}

/// Why a row comes before a row of another thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    /// It writes what the other reads.
    ReadsFrom,
    /// It reads what the other overwrites.
    FromRead,
    /// It writes what the other overwrites, and nobody else reads in between.
    Overwrites,
    /// It creates or ends the other thread.
    Thread,
}

impl Order {
    pub const ALL: [Self; 4] = [
        Self::ReadsFrom,
        Self::FromRead,
        Self::Overwrites,
        Self::Thread,
    ];
}

/// An order of two rows of different threads, the first row first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    pub order: Order,
}

/// Who wrote a byte last, and who has read it since.
#[derive(Default)]
struct Byte {
    writer: Option<usize>,
    readers: Vec<usize>,
}

/// The orders among rows; of several between the same two, the first of [`Order::ALL`].
pub(super) fn edges(rows: &[Row]) -> Vec<Edge> {
    let mut edges: BTreeMap<(usize, usize), Order> = BTreeMap::new();
    let mut add = |from: usize, to: usize, order: Order| {
        if rows[from].thread != rows[to].thread {
            let known = edges.entry((from, to)).or_insert(order);
            *known = order.min(*known);
        }
    };
    let mut bytes: BTreeMap<(ObjectId, u32), Byte> = BTreeMap::new();
    for (position, row) in rows.iter().enumerate() {
        for effect in &row.effects {
            match effect {
                Effect::Reads(object, range) => {
                    for offset in range.clone() {
                        let byte = bytes.entry((*object, offset)).or_default();
                        if let Some(writer) = byte.writer {
                            add(writer, position, Order::ReadsFrom);
                        }
                        byte.readers.push(position);
                    }
                }
                Effect::Writes(object, range) => {
                    for offset in range.clone() {
                        let byte = bytes.entry((*object, offset)).or_default();
                        let others = byte.readers.iter().filter(|&&reader| reader != position);
                        let mut unread = true;
                        for &reader in others {
                            unread = false;
                            add(reader, position, Order::FromRead);
                        }
                        if let Some(writer) = byte.writer.filter(|_| unread) {
                            add(writer, position, Order::Overwrites);
                        }
                        byte.writer = Some(position);
                        byte.readers.clear();
                    }
                }
                Effect::Forgets(object) => {
                    bytes.retain(|(of, _), _| of != object);
                }
                Effect::Creates(thread) => {
                    let mut later = (position + 1..).zip(&rows[position + 1..]);
                    if let Some((first, _)) = later.find(|(_, row)| row.thread == *thread) {
                        add(position, first, Order::Thread);
                    }
                }
                Effect::Joins(thread) => {
                    let mut last = rows[..position].iter();
                    if let Some(last) = last.rposition(|row| row.thread == *thread) {
                        add(last, position, Order::Thread);
                    }
                }
            }
        }
    }
    let edge = |((from, to), order)| Edge { from, to, order };
    edges.into_iter().map(edge).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trace::tests::row;

    fn object(number: u32) -> ObjectId {
        ObjectId::from_bits(number)
    }

    fn found(rows: &[(usize, Vec<Effect>)]) -> Vec<(usize, usize, Order)> {
        let rows: Vec<Row> = rows
            .iter()
            .map(|(thread, effects)| Row {
                effects: effects.clone(),
                ..row(*thread, 1, "")
            })
            .collect();
        let edges = edges(&rows).into_iter();
        edges.map(|edge| (edge.from, edge.to, edge.order)).collect()
    }

    #[test]
    fn a_read_is_between_the_write_that_it_sees_and_the_next_one() {
        let orders = found(&[
            (0, vec![Effect::Writes(object(0), 0..4)]),
            (1, vec![Effect::Reads(object(0), 0..4)]),
            (0, vec![Effect::Writes(object(0), 0..4)]),
            (1, vec![Effect::Reads(object(0), 2..3)]),
        ]);
        assert_eq!(
            orders,
            [
                (0, 1, Order::ReadsFrom),
                (1, 2, Order::FromRead),
                (2, 3, Order::ReadsFrom)
            ]
        );
    }

    #[test]
    fn each_byte_is_read_from_who_wrote_it_last() {
        let orders = found(&[
            (0, vec![Effect::Writes(object(0), 0..4)]),
            (1, vec![Effect::Writes(object(0), 2..4)]),
            (2, vec![Effect::Reads(object(0), 0..2)]),
            (2, vec![Effect::Reads(object(0), 3..4)]),
            (2, vec![Effect::Reads(object(1), 0..4)]),
        ]);
        assert_eq!(
            orders,
            [
                (0, 1, Order::Overwrites),
                (0, 2, Order::ReadsFrom),
                (1, 3, Order::ReadsFrom)
            ]
        );
    }

    #[test]
    fn an_object_in_the_place_of_another_one_has_nothing_of_it() {
        let orders = found(&[
            (
                0,
                vec![
                    Effect::Writes(object(0), 0..4),
                    Effect::Writes(object(1), 0..4),
                ],
            ),
            (0, vec![Effect::Forgets(object(0))]),
            (
                1,
                vec![
                    Effect::Reads(object(0), 0..4),
                    Effect::Reads(object(1), 0..4),
                ],
            ),
            (1, vec![Effect::Forgets(object(1))]),
            (0, vec![Effect::Writes(object(1), 0..4)]),
        ]);
        assert_eq!(orders, [(0, 2, Order::ReadsFrom)]);
    }

    #[test]
    fn a_read_modify_write_reads_from_the_one_before() {
        let add = || {
            vec![
                Effect::Reads(object(0), 0..4),
                Effect::Writes(object(0), 0..4),
            ]
        };
        let orders = found(&[(0, add()), (1, add()), (0, add())]);
        assert_eq!(orders, [(0, 1, Order::ReadsFrom), (1, 2, Order::ReadsFrom)]);
    }

    #[test]
    fn a_thread_is_between_its_creation_and_its_join() {
        let orders = found(&[
            (0, vec![Effect::Creates(1), Effect::Creates(2)]),
            (0, vec![]),
            (1, vec![]),
            (1, vec![]),
            (0, vec![Effect::Joins(1)]),
        ]);
        assert_eq!(orders, [(0, 2, Order::Thread), (3, 4, Order::Thread)]);
    }
}
