// A list in the heap, handed from thread to thread by a flag that is spun on; strings and copies of structs on the way.
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node {
    char text[8];
    struct node *next;
};

static struct node *list;
static atomic_int ready;

static void *build(void *unused) {
    const char *words[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        strcpy(node->text, words[i]);
        node->next = list;
        list = node;
    }
    atomic_store(&ready, 1);
    return unused;
}

int main(void) {
    pthread_t builder;
    pthread_create(&builder, 0, build, 0);
    while (!atomic_load(&ready)) {
    }
    int length = 0;
    while (list) {
        struct node first = *list;
        free(list);
        printf("%s (%zu)\n", first.text, strlen(first.text));
        list = first.next;
        length++;
    }
    pthread_join(builder, 0);
    return length;
}
