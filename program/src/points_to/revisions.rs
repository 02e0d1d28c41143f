//! Which constraints have to be looked at again: those of statements that read something which has grown since.

use abi::ids::InstanceId;
use cranelift_entity::{PrimaryMap, SecondaryMap};

use crate::model::{EdgeId, Instances, ObjectId, RegisterId, Statement};

/// When each set of the analysis grew last. Times count the growths, from 1; at 0 are statements that were not looked at yet.
#[derive(Clone, Debug)]
pub(super) struct Revisions {
    now: u64,
    registers: PrimaryMap<InstanceId, SecondaryMap<RegisterId, u64>>,
    objects: SecondaryMap<ObjectId, u64>,
    /// Of what threads return.
    results: u64,
    /// Of what every statement may depend on.
    everything: u64,
    /// When a statement was looked at.
    statements: PrimaryMap<InstanceId, SecondaryMap<EdgeId, u64>>,
}

impl Revisions {
    pub(super) fn new(instances: &Instances) -> Self {
        let threads = || instances.threads.values();
        Self {
            now: 1,
            registers: threads().map(|_| SecondaryMap::new()).collect(),
            objects: SecondaryMap::new(),
            results: 0,
            everything: 0,
            statements: threads().map(|_| SecondaryMap::new()).collect(),
        }
    }

    /// How often something has grown.
    pub(super) fn now(&self) -> u64 {
        self.now
    }

    fn next(&mut self) -> u64 {
        self.now += 1;
        self.now
    }

    pub(super) fn register_grew(&mut self, instance: InstanceId, register: RegisterId) {
        self.registers[instance][register] = self.next();
    }

    pub(super) fn object_grew(&mut self, object: ObjectId) {
        self.objects[object] = self.next();
    }

    pub(super) fn results_grew(&mut self) {
        self.results = self.next();
    }

    pub(super) fn everything_grew(&mut self) {
        self.everything = self.next();
    }

    /// When the contents of one of these objects grew last.
    pub(super) fn of_contents(&self, objects: impl Iterator<Item = ObjectId>) -> u64 {
        let grown = objects.map(|object| self.objects[object]);
        grown.max().unwrap_or(0)
    }

    /// When what threads return grew last.
    pub(super) fn of_results(&self) -> u64 {
        self.results
    }

    /// Whether something that a statement reads has grown since it was looked at: a register, or at `others` something else. It is
    /// taken to be looked at now if so.
    pub(super) fn look(
        &mut self,
        (instance, edge): (InstanceId, EdgeId),
        statement: &Statement,
        others: u64,
    ) -> bool {
        let last = self.statements[instance][edge];
        let mut is_due = last == 0 || self.everything.max(others) > last;
        let registers = &self.registers[instance];
        statement.for_each_use(|register| is_due |= registers[register] > last);
        if is_due {
            self.statements[instance][edge] = self.now;
        }
        is_due
    }
}
