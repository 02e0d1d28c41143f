//! The mover type of every statement, with its reason.

use program::model::{
    Edge, LocationKind, MutexOperation, ObjectId, Statement, ThreadEffect, UpdateOperator,
};

use crate::footprint::{Footprint, FootprintKind, Target};
use crate::mhp::starts::started_templates;
use crate::mover_analysis::MoverAnalysis;
use crate::mover_type::MoverType;
use crate::occurrence::Occurrence;
use crate::reason::{Classification, MoverReason};

impl MoverAnalysis<'_> {
    /// How a statement of a thread moves against the statements of the others; [`crate::regions`] for atomic regions.
    pub fn mover(&self, occurrence: Occurrence) -> Classification {
        let edge = self.edge(occurrence);
        let own = self.own_mover(occurrence, edge);
        if self.mhp.single_threaded(occurrence.instance, edge.source) {
            let thread = edge.statement.effects().thread;
            let starts = matches!(thread, Some(ThreadEffect::Creates { .. }));
            return if starts {
                own
            } else {
                Classification::new(MoverType::Both, MoverReason::Alone)
            };
        }
        let footprints = self.footprints.of(occurrence).iter();
        own.meet_all(footprints.map(|&footprint| self.footprint_mover(occurrence, footprint)))
    }

    /// The mover type of what a statement does beside touching memory.
    pub fn own_mover(&self, occurrence: Occurrence, edge: &Edge) -> Classification {
        let rules = &self.context.rules;
        let waiting = if rules.waiting_is_not_left {
            MoverType::Right
        } else {
            MoverType::Both
        };
        let locations = &self.context.template(occurrence.instance).locations;
        if locations[edge.target].kind == LocationKind::Halted && rules.halting_is_not_left {
            return Classification::new(MoverType::Right, MoverReason::Halts);
        }
        let effects = edge.statement.effects();
        match effects.thread {
            Some(ThreadEffect::Creates { .. }) => self.creation_mover(occurrence),
            Some(ThreadEffect::Joins { .. }) => {
                self.claim_mover(occurrence, Classification::new(waiting, MoverReason::Joins))
            }
            Some(ThreadEffect::Detaches { .. } | ThreadEffect::Names { .. }) => {
                self.claim_mover(occurrence, Classification::PRIVATE)
            }
            Some(ThreadEffect::Exits { .. }) => {
                Classification::new(MoverType::Left, MoverReason::Exits)
            }
            None if effects.may_wait() => Classification::new(waiting, MoverReason::Acquires),
            None => Classification::PRIVATE,
        }
    }

    /// A new thread can run only after it was created, so creations move left. But which instance a creation starts
    /// depends on the creations of the same template by other threads, and a join with a handle out of nowhere notices
    /// whether the thread of the handle was started.
    fn creation_mover(&self, creation: Occurrence) -> Classification {
        let concurrent = |other: &Occurrence| self.mhp.concurrent(&self.context, creation, *other);
        let templates = started_templates(&self.context, creation);
        let mut creations = self
            .starts
            .iter()
            .map(|(other, _)| other)
            .filter(concurrent);
        let competing = creations.find_map(|other| {
            started_templates(&self.context, other)
                .into_iter()
                .find(|id| templates.contains(id))
        });
        if let (Some(template), true) = (competing, self.context.rules.creations_compete) {
            return Classification::new(MoverType::Non, MoverReason::Competes(template));
        }
        if let Some(join) = self.joins.unknown().find(concurrent) {
            return Classification::new(MoverType::Non, self.conflict_with(join, None));
        }
        let mover_type = if self.context.rules.create_is_not_right {
            MoverType::Left
        } else {
            MoverType::Both
        };
        Classification::new(mover_type, MoverReason::Starts)
    }

    /// Joining or detaching a thread a second time is undefined, and so is the use of its handle then, so what may be about the same thread
    /// does not commute. Neither does a claim with a handle out of nowhere come before the creation of the thread.
    fn claim_mover(&self, claim: Occurrence, otherwise: Classification) -> Classification {
        let rules = &self.context.rules;
        let concurrent = |other: &Occurrence| self.mhp.concurrent(&self.context, claim, *other);
        let competing = self.joins.competing(claim).find(concurrent);
        if let (Some(other), true) = (competing, rules.claims_compete) {
            return Classification::new(MoverType::Non, self.conflict_with(other, None));
        }
        let creation = self.starts.iter().map(|(other, _)| other).find(concurrent);
        match creation {
            Some(creation) if rules.claims_notice_creations && self.joins.is_unknown(claim) => {
                let reason = self.conflict_with(creation, None);
                otherwise.meet(Classification::new(MoverType::Right, reason))
            }
            Some(_) | None => otherwise,
        }
    }

    /// How one access moves against all accesses of other threads to the same bytes.
    fn footprint_mover(&self, occurrence: Occurrence, footprint: Footprint) -> Classification {
        let private = match footprint.target {
            Target::Object(object, _) if self.shared_objects.is_shared(object) => {
                MoverReason::Apart(object)
            }
            Target::Object(object, _) => MoverReason::ThreadLocal(object),
            Target::Anywhere => MoverReason::Private,
        };
        let others = self
            .footprints
            .overlapping(footprint)
            .filter(|(other, _)| other.instance != occurrence.instance);
        let pairs = others.map(|other| self.pair_mover((occurrence, footprint), other));
        Classification::new(MoverType::Both, private).meet_all(pairs)
    }

    /// How one access of a thread moves against one access of another thread.
    pub fn pair_mover(
        &self,
        (own, footprint): (Occurrence, Footprint),
        (other, other_footprint): (Occurrence, Footprint),
    ) -> Classification {
        let object = footprint.target.common_object(other_footprint.target);
        if !self.mhp.concurrent(&self.context, own, other) {
            return Classification::new(
                MoverType::Both,
                object.map_or(MoverReason::Private, MoverReason::Apart),
            );
        }
        let mover_type = self.data_mover_type((own, footprint), (other, other_footprint));
        match (mover_type, object) {
            (MoverType::Both, Some(object)) if footprint.kind == FootprintKind::Read => {
                Classification::new(MoverType::Both, MoverReason::OnlyRead(object))
            }
            (MoverType::Both, Some(object)) => {
                Classification::new(MoverType::Both, MoverReason::Commutes(object))
            }
            (MoverType::Both, None) => Classification::PRIVATE,
            (MoverType::Right | MoverType::Left | MoverType::Non, _) => self
                .protected((own, footprint), (other, other_footprint), object)
                .unwrap_or_else(|| self.conflict(mover_type, footprint, other, object)),
        }
    }

    /// How two accesses to the same bytes by two threads move, whatever the threads hold.
    fn data_mover_type(
        &self,
        (own, footprint): (Occurrence, Footprint),
        (other, other_footprint): (Occurrence, Footprint),
    ) -> MoverType {
        use FootprintKind::{Allocate, AskForLife, Mutex, Read, Update, Write};
        let rules = &self.context.rules;
        if self.is_before_waits(own, other, footprint.kind) {
            return MoverType::Left;
        }
        let anywhere =
            footprint.target == Target::Anywhere || other_footprint.target == Target::Anywhere;
        match (footprint.kind, other_footprint.kind) {
            (Read, Read) => MoverType::Both,
            (AskForLife, _) | (_, AskForLife) => {
                if [own, other].map(|place| self.edge(place).statement.effects().changes_lives())
                    == [false; 2]
                {
                    MoverType::Both
                } else {
                    MoverType::Non
                }
            }
            (Mutex(operation), Mutex(other_operation)) => {
                let proper = self.discipline.is_proper(own) && self.discipline.is_proper(other);
                if proper && footprint.target.is_same_cell(other_footprint.target) {
                    self.operation_mover_type(operation, other_operation)
                } else {
                    MoverType::Non
                }
            }
            (
                Update {
                    operator,
                    unused: true,
                },
                Update {
                    operator: other_operator,
                    unused: true,
                },
            ) if commute(operator, other_operator)
                && footprint.target.is_same_cell(other_footprint.target) =>
            {
                MoverType::Both
            }
            (Update { .. }, Read | Write) | (Read | Write, Update { .. })
                if !rules.updates_only_with_updates =>
            {
                MoverType::Both
            }
            (Mutex(_), Read | Write | Update { .. }) | (Read | Write | Update { .. }, Mutex(_))
                if !rules.mutex_is_memory =>
            {
                MoverType::Both
            }
            (Allocate, Allocate) if rules.allocations_compete => MoverType::Non,
            (Allocate, _) | (_, Allocate) if !anywhere => MoverType::Both,
            (Read | Write | Update { .. } | Mutex(_) | Allocate, _) => MoverType::Non,
        }
    }

    /// Whether a statement lets threads go on, or looks whether one waits for good, and another statement is part of what a thread does that
    /// says that it waits. In a run with a deadlock all threads can say so at the end, behind what others have begun before.
    fn is_before_waits(&self, own: Occurrence, other: Occurrence, kind: FootprintKind) -> bool {
        let (own, other) = (self.edge(own), self.edge(other));
        let program = self.context.program;
        match kind {
            FootprintKind::Read => {
                program.let_go.contains(&own.site)
                    && matches!(other.statement, Statement::Store { .. })
            }
            FootprintKind::Update { .. } => {
                program.let_go.contains(&own.site)
                    && matches!(other.statement, Statement::Load { .. })
            }
            FootprintKind::Mutex(MutexOperation::Unlock) => {
                program.wait_checks.contains(&other.site)
            }
            FootprintKind::Mutex(_)
            | FootprintKind::Write
            | FootprintKind::AskForLife
            | FootprintKind::Allocate => false,
        }
    }

    /// How an operation on a mutex moves against an operation of another thread on it, if only holders release it: what
    /// cannot come next to each other in one order, moves in that direction. Failing to take it shows who holds it.
    fn operation_mover_type(&self, operation: MutexOperation, other: MutexOperation) -> MoverType {
        use MutexOperation::{Lock, TryLock, Unlock};
        match (operation, other) {
            (Lock, Lock) | (Unlock, Unlock) => MoverType::Both,
            (Lock, Unlock) if self.context.rules.waiting_is_not_left => MoverType::Right,
            (Lock, Unlock) => MoverType::Both,
            (Unlock, Lock) => MoverType::Left,
            (TryLock, _) | (_, TryLock) if self.context.rules.try_lock_sees_owner => MoverType::Non,
            (TryLock, _) => MoverType::Right,
            (Lock, TryLock) => MoverType::Right,
            (Unlock, TryLock) => MoverType::Left,
        }
    }

    fn conflict(
        &self,
        mover_type: MoverType,
        footprint: Footprint,
        other: Occurrence,
        object: Option<ObjectId>,
    ) -> Classification {
        let reason = match (footprint.kind, mover_type) {
            (FootprintKind::Mutex(_), MoverType::Right) => MoverReason::Acquires,
            (FootprintKind::Mutex(_), MoverType::Left) => MoverReason::Releases,
            (_, MoverType::Both | MoverType::Right | MoverType::Left | MoverType::Non) => {
                self.conflict_with(other, object)
            }
        };
        Classification::new(mover_type, reason)
    }

    fn conflict_with(&self, other: Occurrence, object: Option<ObjectId>) -> MoverReason {
        let template = self.context.instances.threads[other.instance].template;
        MoverReason::Conflicts {
            object,
            template,
            site: self.edge(other).site,
        }
    }
}

/// Whether two updates of the same cell give the same in both orders.
fn commute(operator: UpdateOperator, other: UpdateOperator) -> bool {
    use UpdateOperator::{
        Add, And, Or, SignedMaximum, SignedMinimum, Subtract, UnsignedMaximum, UnsignedMinimum, Xor,
    };
    match operator {
        Add | Subtract => matches!(other, Add | Subtract),
        And | Or | Xor | SignedMaximum | SignedMinimum | UnsignedMaximum | UnsignedMinimum => {
            operator == other
        }
        UpdateOperator::Exchange
        | UpdateOperator::Nand
        | UpdateOperator::IncrementWrap
        | UpdateOperator::DecrementWrap => false,
    }
}
