// expect: safe
// reason: each thread fills every 20000th of 100000 cells, from its own first one on
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

enum { SIZE = 100000, STRIDE = 20000 };

static int cells[SIZE];
static int stored;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *first) {
  for (int i = *(int *)first; i < SIZE; i += STRIDE) {
    pthread_mutex_lock(&lock);
    cells[i] = i;
    stored++;
    pthread_mutex_unlock(&lock);
  }
  return 0;
}

int main(void) {
  pthread_t threads[2];
  int first[2] = {0, 1};
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], 0, fill, &first[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], 0);
  assert(stored == 10);
  assert(cells[STRIDE + 1] == STRIDE + 1);
  return 0;
}
