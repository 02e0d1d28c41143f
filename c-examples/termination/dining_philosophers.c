// expect: safe
// reason: Philosophers take the fork with the smaller number first, so that there is no cycle of waiting threads, and
//   each eats twice.
// options: --property termination
// size: medium
// optimised: same
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

#define SEATS 3
#define MEALS 2

enum state { THINKING, HUNGRY, EATING, GONE };

struct fork {
    pthread_mutex_t lock;
    int user; // 0, or the philosopher that has it
};

struct philosopher {
    int number;
    enum state state;
    struct fork *first, *second;
    unsigned char meals;
};

static struct fork forks[SEATS];
static struct philosopher philosophers[SEATS];

static void take(struct fork *fork, int user) {
    pthread_mutex_lock(&fork->lock);
    assert(fork->user == 0);
    fork->user = user;
}

static void put_down(struct fork *fork, int user) {
    assert(fork->user == user);
    fork->user = 0;
    pthread_mutex_unlock(&fork->lock);
}

static void eat(struct philosopher *philosopher) {
    philosopher->state = HUNGRY;
    take(philosopher->first, philosopher->number);
    take(philosopher->second, philosopher->number);
    philosopher->state = EATING;
    philosopher->meals++;
    put_down(philosopher->second, philosopher->number);
    put_down(philosopher->first, philosopher->number);
    philosopher->state = THINKING;
}

static void *dine(void *argument) {
    struct philosopher *philosopher = argument;
    while (philosopher->meals < MEALS)
        eat(philosopher);
    philosopher->state = GONE;
    return NULL;
}

static void lay_table(void) {
    for (int i = 0; i < SEATS; i++) {
        pthread_mutex_init(&forks[i].lock, NULL);
        forks[i].user = 0;
    }
}

static void clear_table(void) {
    for (int i = 0; i < SEATS; i++)
        pthread_mutex_destroy(&forks[i].lock);
}

static void sit_down(int seat) {
    int left = seat, right = (seat + 1) % SEATS;
    struct philosopher *philosopher = &philosophers[seat];
    philosopher->number = seat + 1;
    philosopher->state = THINKING;
    philosopher->first = &forks[left < right ? left : right];
    philosopher->second = &forks[left < right ? right : left];
    philosopher->meals = 0;
}

static void check(const struct philosopher *philosopher) {
    assert(philosopher->state == GONE);
    assert(philosopher->meals == MEALS);
}

int main(void) {
    pthread_t threads[SEATS];
    lay_table();
    for (int i = 0; i < SEATS; i++)
        sit_down(i);
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, dine, &philosophers[i]);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < SEATS; i++)
        check(&philosophers[i]);
    clear_table();
    return 0;
}
