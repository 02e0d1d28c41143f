//! The facts from which mover types follow: footprints, statements that may happen in parallel, locksets and the locking discipline.

use program::model::Edge;

use crate::context::Context;
use crate::footprint::Footprints;
use crate::locking_discipline::LockingDiscipline;
use crate::locksets::Locksets;
use crate::mhp::Mhp;
use crate::mhp::joins::Joins;
use crate::mhp::starts::Starts;
use crate::occurrence::Occurrence;
use crate::shared_objects::SharedObjects;

/// Everything that is known about the threads of a program.
pub(crate) struct MoverAnalysis<'a> {
    pub context: Context<'a>,
    pub footprints: Footprints,
    pub shared_objects: SharedObjects,
    pub starts: Starts,
    pub joins: Joins,
    pub mhp: Mhp,
    pub locksets: Locksets,
    pub discipline: LockingDiscipline,
}

impl<'a> MoverAnalysis<'a> {
    pub fn new(context: Context<'a>) -> Self {
        let footprints = Footprints::new(&context);
        let shared_objects = SharedObjects::new(context.instances, &footprints);
        let starts = Starts::new(&context);
        let joins = Joins::new(&context, &footprints, &starts);
        let mhp = Mhp::new(&context, &starts, &joins);
        let locksets = Locksets::new(&context, &footprints, &mhp);
        let discipline = LockingDiscipline::new(&context, &footprints, &mhp);
        Self {
            context,
            footprints,
            shared_objects,
            starts,
            joins,
            mhp,
            locksets,
            discipline,
        }
    }
}

impl MoverAnalysis<'_> {
    /// Whether no other thread can take a step when the statement is next.
    pub fn single_threaded(&self, occurrence: Occurrence) -> bool {
        self.mhp
            .single_threaded(occurrence.instance, self.edge(occurrence).source)
    }

    /// Whether two threads may be about to execute these statements at the same time.
    pub fn concurrent(&self, first: Occurrence, second: Occurrence) -> bool {
        self.mhp.concurrent(&self.context, first, second)
    }

    /// The edge of a statement.
    pub fn edge(&self, occurrence: Occurrence) -> &Edge {
        &self.context.template(occurrence.instance).edges[occurrence.edge]
    }
}
