/* Whole programs of steps, for tests that run them in several ways and compare. */
#ifndef TSR_TESTS_STEP_PROGRAMS_H
#define TSR_TESTS_STEP_PROGRAMS_H

#include "array_test.h"

enum { SIDE = 66, N_STEPS = 12, MOST_VALUES = 40000, N_STEP_PROGRAMS = 21 };

typedef struct step_program {
  const char *name;
  void (*run)(tsr_array out);
  int64_t n[3];    /* the shape of what it makes, as many axes as are not 0 */
  bool is_regular; /* each step has one exchange, of what it reads at constant distances */
  bool is_tiled;   /* most of its passes are steps of chains that are tiled over time */
  bool is_shallow; /* opposite ends meet, so that several ranks exchange each step, and tile none */
} step_program;

extern const step_program step_programs[N_STEP_PROGRAMS];

tsr_dims step_shape(const step_program *p);

#endif
