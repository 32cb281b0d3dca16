/* The user's kernels: function.c makes them of their texts, function_call.c records what a call
 * computes. */
#ifndef TSR_FUNCTION_H
#define TSR_FUNCTION_H

#include "array/array_int.h"
#include "array/text_cache.h"

/** An input or output. */
typedef struct tsr_parameter {
  char *name;
  int dtype;   /* -1: what `letter` stands for */
  char letter; /* 'A' to 'Z' */
  bool is_raw;
} tsr_parameter;

/** How a reduction's two values become one. */
typedef enum tsr_combine {
  TSR_COMBINE_NONE, /* elementwise */
  TSR_COMBINE_SUM,
  TSR_COMBINE_PROD,
  TSR_COMBINE_MIN,
  TSR_COMBINE_MAX,
  TSR_COMBINE_ANY, /* of bools */
  TSR_COMBINE_ALL,
  TSR_COMBINE_TEXT
} tsr_combine;

/** A user's kernel. All is owned. */
typedef struct tsr_user_kernel {
  char *name;
  char *key; /* all of its texts: equal keys are one kernel */
  uint64_t hash;
  int n_in, n_out;
  tsr_parameter *parameters;    /* inputs, then outputs */
  tsr_parsed *text;             /* a statement per output, or one: the value of a point */
  tsr_parsed *combine, *finish; /* of a reduction; finish may be NULL */
  tsr_combine how;
  tsr_operand identity;
} tsr_user_kernel;

/** The kernel of the context; NULL, silently for id 0, else with TSR_ERR_HANDLE. */
const tsr_user_kernel *tsr__function(tsr_context *c, const tsr_location *where, tsr_function f);

#endif
