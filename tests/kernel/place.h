/* What the tests of compiled kernels share: directories of their own, what is written to stderr,
 * and small kernels to run. */
#ifndef TSR_TESTS_KERNEL_PLACE_H
#define TSR_TESTS_KERNEL_PLACE_H

#include <stdio.h>

#include "kernel/compile/jit_int.h"

enum { N_POINTS = 100 };

/* What is written to stderr between the two calls. */
typedef struct capture {
  FILE *file;
  int saved;
} capture;
capture capture_stderr(void);
/** What was written; malloc'd. */
char *capture_end(capture *c);

/* A directory of this test's own, removed with what is in it when the test ends well. */
typedef struct place {
  char dir[64];
  tsr_config config;
} place;
place place_made(const char *mode);
void place_remove(place *p);
/** Marks a variable that holds a place, which goes with the variable's scope. */
#define PLACE __attribute__((cleanup(place_remove))) place
/** Marks one that holds a tsr_jit *; declared behind its place, it ends before it. */
#define JIT __attribute__((cleanup(jit_end))) tsr_jit
static inline void jit_end(tsr_jit **jit)
{
  tsr__jit_destroy(*jit);
}
/** Path of the one entry in the cache. */
void place_find_entry(const place *p, char *path, size_t size);
int64_t place_bytes(const place *p);
/** An executable script as the compiler. */
void place_compiler(place *p, const char *text);

/** out = in + s + s + … (n times) over N_POINTS: a kernel of its own for each n. */
tsr_kernel *place_kernel(int n);
/** Runs place_kernel(n); whether compiled code ran. *right becomes false on a wrong result. */
bool place_run(tsr_jit *jit, int n, bool *right);
/** As place_run; a wrong result fails the test. */
bool place_runs_compiled(tsr_jit *jit, int n);
/** One kernel in a process's life; what happened. */
tsr_jit_stats place_life(const place *p, bool expect_compiled);

#endif
