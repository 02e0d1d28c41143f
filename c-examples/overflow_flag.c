// expect: safe
// reason: Flags are bits of an unsigned number, which has a 32nd one.
// options: --property no-overflow
// size: small
// optimised: same
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned flags;

static void set(unsigned flag) {
    flags |= 1u << flag;
}

int main(void) {
    unsigned flag = __VERIFIER_nondet_uint();
    if (flag < 32)
        set(flag);
    return flags == 0;
}
