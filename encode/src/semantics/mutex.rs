//! Mutexes: the tables of `docs/semantics.md`.

use abi::mutex::{
    ADAPTIVE, BUSY, COUNT, DEADLOCK, ERROR_CHECK, FIELD, KIND_BITS, NORMAL, NOT_OWNER, OWNER,
    RECURSIVE,
};
use program::model::{MutexOperation, Operand, RegisterId};
use system::term::Term;

use crate::semantics::accesses::{Case, Need};
use crate::semantics::executor::Executor;
use crate::semantics::path::Path;

/// A mutex from the view of the executing thread. The conditions are Boolean.
struct Mutex {
    cases: Vec<Case>,
    count: Term,
    /// No thread holds it.
    free: Term,
    /// This thread's number, as wide as an owner.
    me: Term,
    /// This thread holds it.
    mine: Term,
    /// Its kind is normal or adaptive.
    normal: Term,
    /// Its kind is recursive.
    recursive: Term,
}

/// What an operation does to a mutex, and its result.
struct Effect {
    take: Term,
    count_up: Term,
    count_down: Term,
    release: Term,
    code: Term,
}

impl Executor<'_> {
    /// An operation on a mutex; where it waits, the path does not go on.
    pub(crate) fn mutex(
        &mut self,
        path: Path,
        operation: MutexOperation,
        register: RegisterId,
        address: Operand,
    ) -> Option<Path> {
        let (path, mutex) = self.open(path, address)?;
        let (path, effect) = match operation {
            MutexOperation::Lock => self.lock(path, &mutex)?,
            MutexOperation::TryLock => (path, self.try_lock(&mutex)),
            MutexOperation::Unlock => self.unlock(path, &mutex)?,
        };
        let mut path = self.apply(path, &mutex, &effect);
        let width = self.width(register);
        let code = self.terms.zero_extend(width, effect.code);
        path.set_register(register, code);
        Some(path)
    }

    fn open(&mut self, path: Path, address: Operand) -> Option<(Path, Mutex)> {
        let layout = self.data_model().mutex();
        let (path, cases) = self.resolve(
            path,
            address,
            Need {
                size: layout.size,
                writes: true,
            },
        )?;
        let kind = self.read(&path, &cases, layout.kind, FIELD);
        let kind = self.terms.extract(KIND_BITS - 1, 0, kind);
        let [default, recursive, errorcheck, adaptive] = [NORMAL, RECURSIVE, ERROR_CHECK, ADAPTIVE]
            .map(|value| self.equations.condition(self.terms, kind, value.into()));
        let normal = self.terms.or(default, adaptive);
        let defined = self.terms.or_all([normal, recursive, errorcheck]);
        let path = self.misused_unless(path, defined)?;
        let owner = self.read(&path, &cases, OWNER, FIELD);
        let free = self.equations.condition(self.terms, owner, 0);
        let me = self.own_number(&path);
        let mine = match self.terms.as_value(me) {
            Some(me) => self.equations.condition(self.terms, owner, me.bits()),
            None => self.terms.equal(owner, me),
        };
        let count = self.read(&path, &cases, COUNT, FIELD);
        Some((
            path,
            Mutex {
                cases,
                count,
                free,
                me,
                mine,
                normal,
                recursive,
            },
        ))
    }

    fn lock(&mut self, path: Path, mutex: &Mutex) -> Option<(Path, Effect)> {
        let special = self.terms.not(mutex.normal);
        let again = self.terms.and(mutex.mine, special);
        let template = self.context.template(self.instance);
        let path = if template.lock_misuse == template.undefined {
            path
        } else {
            let for_ever = self.terms.and(mutex.mine, mutex.normal);
            let allowed = self.terms.not(for_ever);
            self.misused_unless(path, allowed)?
        };
        let ready = self.terms.or(mutex.free, again);
        let path = path.assume(self.terms, ready)?;
        let never = self.terms.bool(false);
        let count_up = self.terms.and(mutex.mine, mutex.recursive);
        let (success, deadlock) = (self.terms.bits(7, 0), self.terms.bits(7, DEADLOCK.into()));
        let succeeds = self.terms.or(mutex.free, mutex.recursive);
        let code = self.terms.ite(succeeds, success, deadlock);
        Some((
            path,
            Effect {
                take: mutex.free,
                count_up,
                count_down: never,
                release: never,
                code,
            },
        ))
    }

    fn try_lock(&mut self, mutex: &Mutex) -> Effect {
        let never = self.terms.bool(false);
        let count_up = self.terms.and(mutex.mine, mutex.recursive);
        let (success, busy) = (self.terms.bits(7, 0), self.terms.bits(7, BUSY.into()));
        let succeeds = self.terms.or(mutex.free, count_up);
        let code = self.terms.ite(succeeds, success, busy);
        Effect {
            take: mutex.free,
            count_up,
            count_down: never,
            release: never,
            code,
        }
    }

    /// The path on which a mutex is used as it may be.
    fn misused_unless(&mut self, path: Path, condition: Term) -> Option<Path> {
        let otherwise = self.terms.not(condition);
        let misuse = self.context.template(self.instance).lock_misuse;
        self.stop(&path, otherwise, misuse);
        path.assume(self.terms, condition)
    }

    /// To unlock a normal mutex that this thread does not hold is undefined.
    fn unlock(&mut self, path: Path, mutex: &Mutex) -> Option<(Path, Effect)> {
        let special = self.terms.not(mutex.normal);
        let allowed = self.terms.or(mutex.mine, special);
        let path = self.misused_unless(path, allowed)?;
        let never = self.terms.bool(false);
        let last = self.equations.condition(self.terms, mutex.count, 0);
        let nested = self.terms.not(last);
        let (success, not_owner) = (self.terms.bits(7, 0), self.terms.bits(7, NOT_OWNER.into()));
        let effect = Effect {
            take: never,
            count_up: never,
            count_down: self.terms.and(mutex.mine, nested),
            release: self.terms.and(mutex.mine, last),
            code: self.terms.ite(mutex.mine, success, not_owner),
        };
        Some((path, effect))
    }

    fn apply(&mut self, mut path: Path, mutex: &Mutex, effect: &Effect) -> Path {
        let width = 8 * FIELD;
        let nobody = self.terms.bits(width, 0);
        let one = self.terms.bits(width, 1);
        let more = self.terms.add(mutex.count, one);
        let less = self.terms.subtract(mutex.count, one);
        self.write(&mut path, &mutex.cases, OWNER, mutex.me, effect.take);
        self.write(&mut path, &mutex.cases, OWNER, nobody, effect.release);
        self.write(&mut path, &mutex.cases, COUNT, more, effect.count_up);
        self.write(&mut path, &mutex.cases, COUNT, less, effect.count_down);
        path
    }
}
