/* The user's kernels: function.c makes them of their texts, function_call.c records what a call
 * computes. */
#ifndef TSR_FUNCTION_H
#define TSR_FUNCTION_H

#include "array/core/array_int.h"
#include "array/text/cache.h"
#include "array/views/view_edit.h"

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

/** An input or output. */
typedef struct tsr_parameter {
  char *name;
  int dtype;   /* -1: what `letter` stands for */
  char letter; /* 'A' to 'Z' */
  bool is_raw;
  /* Of tasks: */
  bool is_read, is_written; /* an input; one is true */
  int n_widths;             /* of its halo: none, one for all axes, or one per axis */
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];
  tsr_combine how; /* an output's: NONE, a reduction, or TEXT: the values of the blocks */
} tsr_parameter;

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
  tsr_task_function run; /* of a task, which has no text; else NULL */
  uint32_t number;       /* in order of creation */
} tsr_user_kernel;

/** A call of one. */
typedef struct tsr_kernel_call {
  tsr_work work;
  const tsr_user_kernel *kernel;
  int first;                           /* which argument of the call is input 0 */
  tsr_dims shape;                      /* of the points */
  int letters['Z' - 'A' + 1];          /* dtype that each stands for, -1: none yet */
  tsr_operand inputs[TSR_MAX_OP_ARGS]; /* arrays of the declared dtypes; of a task also scalars */
  const void *data;                    /* of a task: borrowed */
  size_t data_bytes;
} tsr_kernel_call;
tsr_dtype tsr__kernel_dtype(const tsr_kernel_call *k, const tsr_parameter *p);
/** An error about an input, which tsr__input_error_end ends; false. help may be NULL. */
tsr_error *tsr__input_error(const tsr_kernel_call *k, tsr_status status, int input,
                            const char *what);
bool tsr__input_error_end(const tsr_kernel_call *k, tsr_error *e, int input, tsr_operand x,
                          const char *help);
/** Records a task whose inputs are bound; its outputs into `made`, in the call's scope (task.c). */
bool tsr__task_record(const tsr_kernel_call *k, tsr_array *made);
/** A task's declarations as a whole; false with an error. `text` is that of the outputs (task.c).
 */
bool tsr__task_check(tsr_context *c, const tsr_location *where, const tsr_user_kernel *k);

/** The kernel of the context; NULL, silently for id 0, else with TSR_ERR_HANDLE. */
const tsr_user_kernel *tsr__function(tsr_context *c, const tsr_location *where, tsr_function f);

#endif
