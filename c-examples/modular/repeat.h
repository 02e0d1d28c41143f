// TIMES(s) is the statement N times, one after the other.
#define TIMES_1(s) s
#define TIMES_5(s) s s s s s
#define TIMES_10(s) TIMES_5(s) TIMES_5(s)
#define TIMES_50(s) TIMES_10(s) TIMES_10(s) TIMES_10(s) TIMES_10(s) TIMES_10(s)

#if N == 1
#define TIMES(s) TIMES_1(s)
#elif N == 5
#define TIMES(s) TIMES_5(s)
#elif N == 10
#define TIMES(s) TIMES_10(s)
#elif N == 50
#define TIMES(s) TIMES_50(s)
#endif
