// expect: safe
// reason: The two counters are always equal, so the third one does not matter; the phase goes from 0 to 4 and never reaches the
//   cycle of 5 and 6 that could be left for 7.
// size: medium
// optimised: same
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
extern _Bool __VERIFIER_nondet_bool(void);

static volatile unsigned char left, right, steps, phase;

static void *count_both(void *unused) {
    while (1) {
        __VERIFIER_atomic_begin();
        left = left + 1;
        right = right + 1;
        __VERIFIER_atomic_end();
    }
    return unused;
}

static void *count_steps(void *unused) {
    while (1)
        steps = steps + 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, count_both, 0);
    pthread_create(&b, 0, count_steps, 0);
    while (1) {
        __VERIFIER_atomic_begin();
        if (left != right && steps == 3)
            reach_error();
        if (phase == 4)
            phase = 0;
        else if (phase < 4)
            phase = phase + 1;
        else if (phase == 7)
            reach_error();
        else
            phase = phase == 5 ? 6 : (__VERIFIER_nondet_bool() ? 5 : 7);
        __VERIFIER_atomic_end();
    }
}
