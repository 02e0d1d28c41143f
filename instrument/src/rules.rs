//! The rules of the static reduction. Tests drop each of them to show that it is needed.

/// Which rules the analysis follows. A reduction is right only with all of them; no command line reaches this.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rules {
    /// A lock acquire or a join may wait, so it is no left mover.
    pub waiting_is_not_left: bool,
    /// A statement that ends the run is no left mover.
    pub halting_is_not_left: bool,
    /// An atomic region that may stop the run by a false assumption is no left mover.
    pub blocked_region_is_not_left: bool,
    /// An atomic region has the mover types of the statements in it.
    pub region_joins_classes: bool,
    /// A thread's creation is no right mover.
    pub create_is_not_right: bool,
    /// Creations of the same template by different threads do not commute.
    pub creations_compete: bool,
    /// Joining and detaching a thread do not commute with each other.
    pub claims_compete: bool,
    /// A claim on a thread that is not known has another outcome before the thread is created.
    pub claims_notice_creations: bool,
    /// A mutex that another thread may try to take has no movers.
    pub try_lock_sees_owner: bool,
    /// Plain accesses to the bytes of a mutex conflict with its operations.
    pub mutex_is_memory: bool,
    /// Accesses are protected only by a mutex that both threads hold.
    pub same_mutex: bool,
    /// A variable through which a mutex is reached may be changed by other threads.
    pub pointers_change: bool,
    /// The mutex is held only where trying to take it succeeded.
    pub try_lock_may_fail: bool,
    /// Atomic updates commute only if no statement uses the old value.
    pub results_unused: bool,
    /// Atomic updates do not commute with other accesses.
    pub updates_only_with_updates: bool,
    /// Releasing and reusing memory are accesses to all of it.
    pub freeing_is_an_access: bool,
    /// A return, which ends the lifetimes of the thread's variables, is an access to all of them.
    pub returning_is_an_access: bool,
    /// A comparison of addresses in variables of other threads, whose lives may be over, reads these variables.
    pub comparing_is_an_access: bool,
    /// Taking the first unused heap slot competes with other threads that take slots there.
    pub allocations_compete: bool,
    /// Threads that are started by started threads run, too.
    pub starts_are_transitive: bool,
    /// A phase is post if it is post on one of the ways to a location.
    pub post_if_maybe_post: bool,
    /// Where phases are known at run time, commits are remembered.
    pub commits_are_remembered: bool,
    /// A location where transactions end only under a condition does not cut a cycle.
    pub conditional_yields_cut_no_cycle: bool,
    /// Cycles passed in the post phase are cut.
    pub cut_post_cycles: bool,
}

impl Rules {
    /// Every rule.
    pub const ALL: Self = Self {
        waiting_is_not_left: true,
        halting_is_not_left: true,
        blocked_region_is_not_left: true,
        region_joins_classes: true,
        create_is_not_right: true,
        creations_compete: true,
        claims_compete: true,
        claims_notice_creations: true,
        try_lock_sees_owner: true,
        mutex_is_memory: true,
        same_mutex: true,
        pointers_change: true,
        try_lock_may_fail: true,
        results_unused: true,
        updates_only_with_updates: true,
        freeing_is_an_access: true,
        returning_is_an_access: true,
        comparing_is_an_access: true,
        allocations_compete: true,
        starts_are_transitive: true,
        post_if_maybe_post: true,
        commits_are_remembered: true,
        conditional_yields_cut_no_cycle: true,
        cut_post_cycles: true,
    };
}
