// expect: unsafe
// reason: The reader keeps the address and looks at the node after it gave the lock back, when the other thread may
//   have freed it.
// options: --property valid-deref
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

struct node {
    int value;
};

static struct node *head;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *take(void *argument) {
    (void)argument;
    pthread_mutex_lock(&lock);
    struct node *taken = head;
    head = NULL;
    pthread_mutex_unlock(&lock);
    free(taken);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int sum = 0;
    head = malloc(sizeof *head);
    head->value = 3;
    pthread_create(&thread, NULL, take, NULL);
    pthread_mutex_lock(&lock);
    struct node *found = head;
    pthread_mutex_unlock(&lock);
    if (found)
        sum += found->value; // use after free
    pthread_join(thread, NULL);
    return sum;
}
