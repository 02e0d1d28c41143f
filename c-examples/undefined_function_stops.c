// expect: unknown
// reason: `read_sensor` is not defined, and what it does is not assumed unless --undefined arbitrary asks for it
// size: small
// optimised: same
#include <assert.h>

/* Defined by no file. */
extern int read_sensor(void);

int main(void) {
  int value = read_sensor();
  assert(value != 7);
  return 0;
}
