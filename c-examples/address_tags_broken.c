// expect: unsafe
// reason: Two bits of each pointer are tags, some of them inputs. Who follows them clears both, and the sum is not 5.
// size: small
// optimised: same
#include <assert.h>
#include <stdint.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    uintptr_t next;
    int value;
};

static struct node first, second, third;

int main(void) {
    unsigned tags = __VERIFIER_nondet_uint();
    first.value = 1;
    second.value = 2;
    third.value = 3;
    first.next = (uintptr_t)&second | (tags & 3);
    second.next = (uintptr_t)&third | 2;
    third.next = (tags & 4) ? 0 : 1;
    int sum = 0;
    for (struct node *node = &first; node; node = (struct node *)(node->next & ~(uintptr_t)3))
        sum += node->value;
    assert(sum == 5);
}
