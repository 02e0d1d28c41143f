// expect: unsafe
// reason: The sum of hash and byte overflows. That the attribute keeps clang's sanitizer from saying so gives it no value.
// options: --property no-overflow
// size: small
// optimised: same
extern unsigned char __VERIFIER_nondet_uchar(void);

__attribute__((no_sanitize("undefined"))) static int mixed(int hash, unsigned char byte) {
    return hash * 31 + byte; // signed overflow
}

int main(void) {
    int hash = 7;
    for (int i = 0; i < 7; i++)
        hash = mixed(hash, __VERIFIER_nondet_uchar());
    return hash == 0;
}
