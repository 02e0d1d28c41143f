//! The calls and metadata that `instrument` inserts into bitcode, and their exact meaning.

/// `void __mazurka_yield(i32 site)`: the location before this call is external; other threads may run here.
pub const YIELD: &str = "__mazurka_yield";

/// `void __mazurka_yield_if_committed(i32 site, i1 moves)`: if the thread's phase is post and not `moves`, the location
/// before this call is external, and the phase is pre after it; otherwise nothing (R4 and R6 in Table 1 of the paper).
pub const YIELD_IF_COMMITTED: &str = "__mazurka_yield_if_committed";

/// `void __mazurka_commit_unless(i1 moves)`: the thread's phase is post from here on unless `moves` (R1 and R2). Every thread
/// starts in the pre phase, and an external location puts it there again.
pub const COMMIT_UNLESS: &str = "__mazurka_commit_unless";

/// `i1 __mazurka_unreached(i32 site, ...)`: whether no other thread, started or still to be started, may still reach
/// one of the instructions at these sites.
pub const UNREACHED: &str = "__mazurka_unreached";

/// `i1 __mazurka_apart(i32 site, ptr address, i32 size, i32 other, ...)`: whether no other thread may still reach one
/// of the other instructions with an address such that the access there overlaps `size` bytes at `address`, which the
/// instruction at the site is about to access.
pub const APART: &str = "__mazurka_apart";

/// `i1 __mazurka_differs(i32 site, ptr address, i32 size, i64 value)`: whether the `size` bytes at `address`, which the
/// instruction at the site is about to access, hold another value.
pub const DIFFERS: &str = "__mazurka_differs";

/// `i1 __mazurka_locked(i32 site, ptr mutex, i32 count, i32 other, ...)`: whether no other thread may still reach one
/// of the first `count` other instructions without taking the mutex at `mutex`, which the instruction at the site took,
/// at one of the further ones.
pub const LOCKED: &str = "__mazurka_locked";

/// `i1 __mazurka_both(i1, i1)`: whether both conditions hold.
pub const BOTH: &str = "__mazurka_both";

/// `void __mazurka_yield_local(i32 site)`: an exposed internal cut point; only the same thread may go on (Sec. 5 of the paper).
pub const YIELD_LOCAL: &str = "__mazurka_yield_local";

/// `void __mazurka_recursion_limit()`: the call that would exceed `--recursion` stands for this.
pub const RECURSION_LIMIT: &str = "__mazurka_recursion_limit";

/// `void __mazurka_undefined_unless(i1 condition, ptr text)`: the program has no defined meaning here if the condition is false;
/// `text` is a constant string that says what happens then.
pub const UNDEFINED_UNLESS: &str = "__mazurka_undefined_unless";

/// Begins the names of the variables with the first bytes of the texts that `getenv` gives.
pub const ENVIRONMENT_PREFIX: &str = "__mazurka_environment_";

/// As [`UNDEFINED_UNLESS`], where the program accesses memory as it must not if the condition is false.
pub const INVALID_ACCESS_UNLESS: &str = "__mazurka_invalid_access_unless";

/// As [`UNDEFINED_UNLESS`], where C gives an operation on integers no value if the condition is false.
pub const OVERFLOW_UNLESS: &str = "__mazurka_overflow_unless";

/// As [`UNDEFINED_UNLESS`], where the program uses a lock as it must not if the condition is false.
pub const LOCK_MISUSE_UNLESS: &str = "__mazurka_lock_misuse_unless";

/// As [`UNDEFINED_UNLESS`], where threads wait for good if the condition is false.
pub const DEADLOCK_UNLESS: &str = "__mazurka_deadlock_unless";

/// `void __mazurka_begin_demand()`: the start of an atomic region in which a demand of the user is evaluated.
pub const BEGIN_DEMAND: &str = "__mazurka_begin_demand";

/// `void __mazurka_end_demand()`: the end of such a region.
pub const END_DEMAND: &str = "__mazurka_end_demand";

/// `void __mazurka_violated_unless(i1 condition, ptr text)`: what is verified of calls and assertions is violated here if the condition is
/// false; `text` is a constant string that says what is violated.
pub const VIOLATED_UNLESS: &str = "__mazurka_violated_unless";

/// `void __mazurka_unsupported(ptr text)`: stands for a construct that is not read; `text` is a constant string that names it.
pub const UNSUPPORTED: &str = "__mazurka_unsupported";

/// `<type> __mazurka_input(i32 site)`: the nondeterministic value that the call at the site asks for; only in bitcode that is
/// built to be replayed natively.
pub const INPUT: &str = "__mazurka_input";

/// `ptr __mazurka_allocate(i32 site, i64 size)`: the heap object that the call of `malloc` at the site makes; only in bitcode that is
/// built to be replayed natively.
pub const ALLOCATE: &str = "__mazurka_allocate";

/// `ptr __mazurka_allocate_zeroed(i32 site, i64 count, i64 size)`: the same for `calloc`.
pub const ALLOCATE_ZEROED: &str = "__mazurka_allocate_zeroed";

/// `void __mazurka_deallocate(ptr object)`: the same for `free`.
pub const DEALLOCATE: &str = "__mazurka_deallocate";

/// `void __mazurka_access(i32 site, ptr address, i64 size, i1 writes, i1 atomic)`: stands before an access to so many bytes that takes part
/// in a data race; only in bitcode that is built to be replayed natively.
pub const ACCESS: &str = "__mazurka_access";

/// Instruction metadata `!{i32 n}`: the instruction's [`crate::ids::SiteId`].
pub const SITE_METADATA: &str = "mazurka.site";

/// Instruction metadata `!{i32 n}` of a call by which a property of the user is checked, before a module is normalised: the number is
/// a [`UserPropertyMark`].
pub const USER_PROPERTY_METADATA: &str = "mazurka.user_property";

/// `void mazurka.user_property(...)`: the function of such calls. All but the first have the arguments `i32 holds, ptr text`.
pub const USER_PROPERTY: &str = "mazurka.user_property";

/// What a call with [`USER_PROPERTY_METADATA`] stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UserPropertyMark {
    /// The evaluation of a demand begins, which no other thread interrupts.
    Begins = 0,
    /// It ends, and the first argument says whether the demand is met.
    Checks = 1,
    /// Control is where it is not to arrive.
    IsReached = 2,
}

impl UserPropertyMark {
    /// The mark of a number.
    pub fn of_number(number: u32) -> Option<Self> {
        let all = [Self::Begins, Self::Checks, Self::IsReached];
        all.into_iter().find(|mark| *mark as u32 == number)
    }
}

/// Instruction metadata `!{!"pthread_cond_wait"}`: the instruction is part of a call of this library function, which was inlined. It tells what
/// is shown, and changes no meaning.
pub const MODEL_METADATA: &str = "mazurka.model";

/// Named module metadata. Its presence says that the module is normalised and instrumented, so that no LLVM pass may
/// run over it again. Its operand `!{!"dynamic", !"reachability,cas", i32 3, i32 5, i32 8, i32 64, i32 0, i32 0, !"BC..."}` names the reduction,
/// the kinds of both-moving conditions that it may use, and what it was planned for: threads, heap objects, recursion, the
/// bytes reserved for an allocation of computed size, whether (1) `abort` violates the property, and whether (1) functions without
/// definition return any value. The last string is the original bitcode, so that `verify` can plan anew and compare.
pub const INSTRUMENTED_METADATA: &str = "mazurka.instrumented";

/// Named module metadata: an operand `!{!"f"}` for each function without definition whose calls were replaced by arbitrary values.
pub const ARBITRARY_METADATA: &str = "mazurka.arbitrary";

/// Begins the names of functions, variables and the like that belong to this project; a program has no such names once it is
/// normalised.
const RESERVED_PREFIXES: [&str; 2] = ["__mazurka_", "mazurka."];

/// Whether only this project gives something this name.
pub fn is_reserved(name: &[u8]) -> bool {
    RESERVED_PREFIXES
        .iter()
        .any(|prefix| name.starts_with(prefix.as_bytes()))
}
