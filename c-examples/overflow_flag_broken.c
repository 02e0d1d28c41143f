// expect: unsafe
// reason: The last of the flags is a bit that an int has no value for.
// options: --property no-overflow
// size: small
// optimised: same
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned flags;

static void set(unsigned flag) {
    flags |= (unsigned)(1 << flag); // shift out of the range of the type
}

int main(void) {
    unsigned flag = __VERIFIER_nondet_uint();
    if (flag < 32)
        set(flag);
    return flags == 0;
}
