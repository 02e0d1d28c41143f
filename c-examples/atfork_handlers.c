// expect: safe
// reason: handlers run when the process forks, which this one never does
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int prepared;

static void prepare(void) {
  pthread_mutex_lock(&lock);
  prepared++;
}

static void release(void) { pthread_mutex_unlock(&lock); }

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  assert(prepared == 0);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_atfork(prepare, release, release);
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
