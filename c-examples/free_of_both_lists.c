// expect: safe
// reason: A node that is moved is taken out of the first list.
// options: --property valid-free
// size: small
// optimised: same
#include <pthread.h>
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *one, *other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *move(void *argument) {
    pthread_mutex_lock(&lock);
    other = one;
    one = NULL;
    pthread_mutex_unlock(&lock);
    return argument;
}

static void destroy(struct node *list) {
    if (list)
        free(list);
}

int main(void) {
    pthread_t thread;
    one = malloc(sizeof *one);
    one->next = NULL;
    pthread_create(&thread, NULL, move, NULL);
    pthread_join(thread, NULL);
    destroy(one);
    destroy(other);
    return 0;
}
