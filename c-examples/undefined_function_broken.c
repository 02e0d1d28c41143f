// expect: unsafe
// reason: the sensor writes its sample, too, and that is not brought into the range
// options: --undefined arbitrary
// size: small
// optimised: same
#include <assert.h>
#include <pthread.h>

struct sample {
  int value;
  int quality;
};

/* Defined by no file. */
extern int read_sensor(struct sample *into, const char *name);
extern void blink(void);

static int level;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int within(int value) { return value < 0 ? 0 : value > 9 ? 9 : value; }

static void *measure(void *unused) {
  struct sample sample = {0, 0};
  int code = read_sensor(&sample, "left");
  blink();
  pthread_mutex_lock(&lock);
  level = within(code) + sample.value % 10;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, measure, 0);
  measure(0);
  pthread_join(thread, 0);
  assert(level >= 0 && level <= 18);
  return 0;
}
