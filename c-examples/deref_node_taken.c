// expect: safe
// reason: The reader holds the lock while it looks at the node, and the other thread takes it out under the lock
//   before it frees it.
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
    if (found)
        sum += found->value;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return sum;
}
