//! What calls of library functions mean.

/// What a call of a library function means to the model checker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// `uint64_t __mazurka_create(start, argument)`: starts a thread and returns its handle.
    ThreadCreate,
    /// `pthread_join(thread, value)`.
    ThreadJoin,
    /// `pthread_detach(thread)`.
    ThreadDetach,
    /// `pthread_exit(value)`.
    ThreadExit,
    /// `setjmp(buffer)`: keeps the place for jumps.
    KeepPlace,
    /// `longjmp(buffer, result)`: goes on at the place that the buffer keeps.
    Jump,
    /// `pthread_self()`.
    ThreadSelf,
    /// `unsigned __mazurka_thread()`: the number by which a lock in memory names the thread; no handle, which is an arbitrary number.
    ThreadNumber,
    /// `unsigned __mazurka_number_of(pthread_t)`: the number of the thread of a handle; undefined as joining it is, except for its own.
    ThreadNumberOf,
    /// `pthread_mutex_lock(mutex)`.
    MutexLock,
    /// `pthread_mutex_trylock(mutex)`.
    MutexTryLock,
    /// `pthread_mutex_unlock(mutex)`.
    MutexUnlock,
    /// Start of a region that no other thread interrupts; regions nest.
    AtomicBegin,
    /// End of such a region.
    AtomicEnd,
    /// The thread goes on only if the argument is not 0; otherwise it stops here for good.
    Assume,
    /// `__mazurka_wait()`: the condition that the library of `frontend` waits for does not hold. The thread stops here for good;
    /// natively it looks again when others have run.
    Wait,
    /// A violation of the property if the argument is 0.
    Assert,
    /// A violation of the property.
    Error,
    /// The whole run ends: `abort`, `_exit`.
    Halt,
    /// `exit(status)`: as [`Effect::Halt`], behind what is registered for the end of the process.
    Exit,
    /// The returned value is arbitrary; the width follows from the declared return type.
    Nondeterministic,
    /// `_Bool __mazurka_choose()`: whether a lock is the one that is watched. What holds whatever is chosen holds of all locks.
    Choose,
    /// `malloc(size)`; does not fail, the content is arbitrary.
    Allocate,
    /// `calloc(count, size)`; does not fail, the content is zero.
    AllocateZeroed,
    /// `free(pointer)`.
    Free,
    /// `unsigned __mazurka_object(pointer)`: which object an address was made from, as a number by which objects differ.
    Object,
    /// `size_t __mazurka_size(object)`: how many bytes a heap object has.
    Size,
    /// Nothing the property can depend on happens; a returned integer or pointer is arbitrary, and a violation
    /// that depends on it does not count (output, `clock`, which never goes back).
    Irrelevant,
    /// As [`Effect::Irrelevant`], but the returned value is 0, for functions whose failure is not modelled.
    Succeeds,
    /// Defined in C by the library of `frontend` (`frontend/library/`), in terms of the other effects.
    Modelled,
    /// As modelled, but in terms of functions that the program itself could call (`frontend/library/c11/`), which come into the place
    /// of the call.
    InPlace,
    /// `sscanf(text, format, targets…)`: as modelled, where the format is a constant and all that it stores are integers and texts of
    /// limited lengths.
    Scan,
    /// As [`Effect::Scan`], of an input, where the argument at this position is the format (`scanf`).
    ScanInput {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::Irrelevant`], where the argument at this position is a constant format; what its conversions do to memory is
    /// made explicit before.
    Print {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::Print`], where the values come in a `va_list`.
    PrintList {
        /// The position of the format.
        format: u32,
    },
    /// As modelled, where the argument at this position is a constant format; writes text to memory (`snprintf`).
    PrintText {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::PrintText`], where the values come in a `va_list`.
    PrintTextList {
        /// The position of the format.
        format: u32,
    },
    /// As [`Effect::Irrelevant`]; reads the text that the first argument points to.
    PutText,
    /// As [`Effect::PutText`], unless the pointer is null.
    PutMessage,
    /// `fwrite(block, size, count, file)`: as [`Effect::Irrelevant`]; reads the block.
    PutBlock,
    /// `setbuf(file, buffer)`: as [`Effect::Irrelevant`], where the buffer is a null pointer.
    SetBuffer,
    /// `__mazurka_nondet.<type>()`: the arbitrary but fixed first value of a variable without initialiser.
    FirstValue,
    /// `__mazurka_undefined_unless(condition, text)`: the meaning of the program is undefined if the first argument is 0.
    UndefinedUnless,
    /// `__mazurka_invalid_access_unless(condition, text)`: the same of an access to memory.
    InvalidAccessUnless,
    /// `__mazurka_overflow_unless(condition, text)`: the same of an operation on integers.
    OverflowUnless,
    /// `__mazurka_lock_misuse_unless(condition, text)`: the same of the use of a lock.
    LockMisuseUnless,
    /// `__mazurka_deadlock_unless(condition, text)`: the same of threads that wait for good.
    DeadlockUnless,
    /// `__mazurka_violated_unless(condition, text)`: a violation of the property if the first argument is 0.
    ViolatedUnless,
    /// `__mazurka_require_no_region(text, own)`: a construct that is not read inside of more than so many atomic regions.
    RequireNoRegion,
    /// `__mazurka_recursion_limit()`: deeper recursion than `--recursion`.
    RecursionLimit,
    /// `__mazurka_unsupported(text)`: the construct that the constant string names is not read.
    Unsupported,
    /// [`crate::markers::YIELD`]: the location before the call is external.
    Yield,
    /// [`crate::markers::YIELD_IF_COMMITTED`]: the location before the call is external if the transaction has committed.
    YieldIfCommitted,
    /// [`crate::markers::COMMIT_UNLESS`]: the transaction commits.
    CommitUnless,
    /// [`crate::markers::UNREACHED`]: whether no other thread may still reach certain instructions.
    Unreached,
    /// [`crate::markers::APART`]: whether no other thread may still reach certain accesses that overlap one.
    Apart,
    /// [`crate::markers::DIFFERS`]: whether memory does not hold a value.
    Differs,
    /// [`crate::markers::LOCKED`]: whether no other thread may still reach certain instructions without a mutex of this
    /// one.
    Locked,
    /// [`crate::markers::BOTH`]: whether two conditions hold.
    Both,
    /// [`crate::markers::YIELD_LOCAL`]: the location before the call is an exposed internal cut point.
    YieldLocal,
}
