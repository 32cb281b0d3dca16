/* The user's kernels. function.c makes them from their texts, function_call.c records what a call
 * computes. */
#ifndef TSR_FUNCTION_H
#define TSR_FUNCTION_H

#include "array/core/array_int.h"
#include "array/text/cache.h"
#include "array/core/steps.h"

/** How a reduction combines two values. */
typedef enum tsr_combine {
  TSR_COMBINE_NONE, /* no reduction */
  TSR_COMBINE_SUM,
  TSR_COMBINE_PROD,
  TSR_COMBINE_MIN,
  TSR_COMBINE_MAX,
  TSR_COMBINE_ANY, /* sum of bools */
  TSR_COMBINE_ALL,
  TSR_COMBINE_TEXT
} tsr_combine;

/** An input or output of a kernel. */
typedef struct tsr_parameter {
  char *name;
  int dtype;   /* -1: the dtype that `letter` stands for; without a letter, that of the value */
  char letter; /* 'A' to 'Z'; 0: none */
  bool is_raw;
  /* The fields up to `after` are for tasks. */
  bool is_read, is_written; /* of an input; at least one is true */
  int n_widths;             /* number of halo widths: none, one for all axes, or one per axis */
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];
  tsr_combine how; /* of an output: NONE, a reduction, or TEXT for the values of the blocks */
  int n_extent;    /* axes of an output of its own, beside a block's; 0: one value */
  int64_t extent[TSR_MAX_NDIM];
} tsr_parameter;

/** The CUDA C of a task, and the texts that its calls made of it (task_cuda.c). */
typedef struct tsr_task_texts tsr_task_texts;

/** A user's kernel, which owns all its fields. */
typedef struct tsr_user_kernel {
  char *name;
  char *key; /* all texts; kernels with equal keys are the same */
  uint64_t hash;
  int n_in, n_out;
  tsr_parameter *parameters;    /* inputs, then outputs */
  tsr_parsed *text;             /* a statement per output, or one: the value at a point */
  tsr_parsed *combine, *finish; /* of a reduction; finish may be NULL */
  tsr_combine how;
  tsr_operand identity;
  tsr_task_function run; /* function of a task, which has no text; else NULL */
  int64_t grain;         /* of a task: points that are worth a call; 0: none was declared */
  int n_whole;           /* of a task: axes that are not cut, as declared */
  int64_t whole[TSR_MAX_NDIM];
  struct tsr_recent_calls *recent; /* of a task: how it was called last (task_again.c); else NULL */
  tsr_task_texts *code;            /* of a task; NULL: the program gave none */
  uint32_t number;                 /* position in order of creation */
} tsr_user_kernel;

/** A call of a user's kernel. */
typedef struct tsr_kernel_call {
  tsr_steps work;
  const tsr_user_kernel *kernel;
  int first;                           /* argument of the call that is input 0 */
  tsr_dims shape;                      /* shape of the points */
  int letters['Z' - 'A' + 1];          /* dtype of each letter; -1: none yet */
  tsr_operand inputs[TSR_MAX_OP_ARGS]; /* arrays of the declared dtypes; of a task also scalars */
  const void *data;                    /* of a task; borrowed */
  size_t data_bytes;
} tsr_kernel_call;
tsr_dtype tsr__kernel_dtype(const tsr_kernel_call *k, const tsr_parameter *p);
/** Reduces x along the axes as `how` says, which is neither NONE nor TEXT, and casts it to
 * `dtype`. */
tsr_array tsr__kernel_reduce(const tsr_kernel_call *k, tsr_combine how, tsr_array x,
                             unsigned n_axes, const int *axes, bool keepdims, tsr_dtype dtype);
/** Begins an error about an input. tsr__input_error_end adds `help`, which may be NULL, ends it and
 * returns false. */
tsr_error *tsr__input_error(const tsr_kernel_call *k, tsr_status status, int input,
                            const char *what);
bool tsr__input_error_end(const tsr_kernel_call *k, tsr_error *e, int input, tsr_operand x,
                          const char *help);
/** Records a task whose inputs are bound and stores its outputs in `made`, in the call's scope
 * (task.c). */
bool tsr__task_record(const tsr_kernel_call *k, tsr_array *made);
/** Checks that a task's declarations agree with each other; returns false with an error
 * (task.c). */
bool tsr__task_check(tsr_context *c, const tsr_location *where, const tsr_user_kernel *k);

/** Records a task's call without any check if it is like one of its last calls but for the arrays
 * and the data: the outputs are in `made`, in the innermost scope. Returns false, with nothing
 * done, if it is not (task_again.c). */
bool tsr__task_again(tsr_context *c, const tsr_location *where, const tsr_user_kernel *f,
                     const void *data, size_t data_bytes, int n, const tsr_operand *xs,
                     tsr_array *made);
/** Keeps a call, which was recorded as these operands and outputs, for the next one like it. */
void tsr__task_keep(const tsr_kernel_call *k, tsr_task_form *form, int n_in, const tsr_op_in *in,
                    const tsr_task_out *outs);
/** Returns the text for calls of the task of the form, with so many bytes of data, which the
 * context owns. NULL: there is none, or nothing here may run it. */
const struct tsr_task_kernel *tsr__task_code_of(const tsr_context *c, const tsr_user_kernel *f,
                                                const tsr_task_form *form, size_t data_bytes);
/** NULL is ignored. */
void tsr__task_code_destroy(tsr_task_texts *code);
struct tsr_recent_calls *tsr__recent_calls_new(void);
/** NULL is ignored. */
void tsr__recent_calls_destroy(struct tsr_recent_calls *recent);

/** Returns the kernel, or NULL without an error. */
const tsr_user_kernel *tsr__function_peek(const tsr_context *c, tsr_function f);
/** Returns the kernel, or NULL: without an error for id 0, else with TSR_ERR_HANDLE. */
const tsr_user_kernel *tsr__function(tsr_context *c, const tsr_location *where, tsr_function f);

#endif
