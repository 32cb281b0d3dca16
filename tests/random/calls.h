/* Functions of whole arrays in random programs: one row each of what the checks, the reference,
 * NumPy's script and the generator know of them. A call (NODE_CALL) makes values of its own, an
 * arrangement (NODE_ARRANGE) is a view of its operand. */
#ifndef RANDOM_CALLS_H
#define RANDOM_CALLS_H

#include "random.h"

/* What they take beside their operands. */
typedef enum call {
  CALL_RESHAPE,          /* shape; style: 1 ravel, 2 flatten */
  CALL_ROLL,             /* by; axes (n < 0: in flat order) */
  CALL_CONCATENATE,      /* axis */
  CALL_STACK,            /* axis */
  CALL_REPEAT,           /* by: how often; axis */
  CALL_TILE,             /* shape: how often */
  CALL_PAD,              /* shape: widths before; after; style: pad_mode; value[0] */
  CALL_TRIL,             /* by: the diagonal */
  CALL_TRIU,             /* by */
  CALL_MESHGRID,         /* by: which of the results; style: 0 xy, 1 ij */
  CALL_DIAG,             /* by: the diagonal; of a vector or a matrix */
  CALL_PERMUTATION,      /* seed; by: number of the draw */
  CALL_SHUFFLE,          /* as that, in place, of a copy */
  CALL_CHOICE_OF,        /* the same; shape; style: with replacement; of a vector */
  N_MOVES,               /* up to here each element is one of an operand's, or a constant */
  CALL_CUMSUM = N_MOVES, /* axis */
  CALL_CUMPROD,          /* axis */
  CALL_CUMMAX,           /* axis */
  CALL_CUMMIN,           /* axis */
  CALL_DIFF,             /* by: times; axis */
  CALL_MEDIAN,           /* axes */
  CALL_QUANTILE,         /* axes, value[0].f */
  CALL_ROUND,            /* by: decimals */
  CALL_MODF,             /* by: which of the results */
  CALL_PRODUCT,          /* style: product; of at most three axes and at most two */
  CALL_ANGLE,            /* */
  CALL_KERNEL,           /* style: kernel; two arrays of one shape and dtype */
  CALL_FREXP,            /* by: which */
  CALL_DIVMOD,           /* by: which; two arrays of one shape */
  CALL_ISCLOSE,          /* style: NaN equals NaN; two arrays of one shape */
  CALL_OUTER,            /* two arrays of one axis */
  CALL_NANMEDIAN,        /* axes */
  CALL_NANQUANTILE,      /* axes, value[0].f */
  CALL_AVERAGE,          /* axes; weights of the same shape, or of the axes, in their order */
  CALL_NORM,             /* axes; style: norm_order */
  CALL_TRAPEZOID,        /* axis; value[0]: the distance, or the points as a second operand */
  CALL_VDOT,             /* two arrays of as many elements */
  CALL_FOLD,             /* axes; style: fold_kind */
  CALL_TASK,             /* style: task_kind; two arrays of one shape and dtype */
  CALL_MASKED, /* axes; style: masked_kind; a mask as a second operand; by: from value[0] on */
  CALL_BORDER, /* as CALL_PAD; style: border_kind; by: stat_length, 0: of all */
  N_OF_ARRAYS, /* from here on without operands */
  CALL_TRI = N_OF_ARRAYS, /* shape; by; dtype */
  CALL_EYE,               /* shape; by; dtype */
  CALL_LINSPACE,          /* value[0, 1]; shape; style: with the endpoint; dtype */
  CALL_LOGSPACE,          /* as that; value[2].f: the base */
  CALL_GEOMSPACE,
  CALL_INDICES, /* shape; dtype */
  CALL_UNIFORM, /* seed; by: number of the draw; value[0, 1]; shape; dtype */
  CALL_NORMAL,
  CALL_EXPONENTIAL, /* value[1]: the scale */
  CALL_INTEGERS,
  CALL_CHOICE, /* value[0].i: of as many; style: with replacement; int64 */
  CALL_ORDER,  /* all of them, int64 */
  N_CALLS
} call;

typedef enum pad_mode {
  PAD_CONSTANT,
  PAD_EDGE,
  PAD_WRAP,
  PAD_REFLECT,
  PAD_SYMMETRIC,
  N_PAD_MODES
} pad_mode;
extern const char *const pad_modes[N_PAD_MODES];
/** NumPy's methods of quantiles, by `style`. From METHOD_INVERTED on, all but the last two give
 * elements: these are of integers what the integers' dtype holds, and are drawn of floats only. */
/* The ends of a difference: zeros before and behind the axis. */
enum { DIFF_BEFORE = 1, DIFF_AFTER = 2 };
enum { METHOD_LINEAR, METHOD_INVERTED = 6, METHOD_HALVES = 11, N_METHODS = 13 };
extern const char *const quantile_methods[N_METHODS];

/* Ways to write one sum of products. */
typedef enum product {
  PRODUCT_MATMUL,
  PRODUCT_DOT,
  PRODUCT_INNER,  /* with the second transposed */
  PRODUCT_EINSUM, /* by product_labels */
  PRODUCT_SUMMED, /* the same, and the rows of the first are summed */
  N_PRODUCTS
} product;
void product_labels(int style, int ndim, int second_ndim, char out[16]);

/* The user's kernels. */
typedef enum kernel {
  KERNEL_CHAIN,
  KERNEL_IF,
  KERNEL_MIN_MAX,
  KERNEL_BEFORE, /* looks at the point before */
  KERNEL_FAR,    /* looks at points far off, which there may not be */
  KERNEL_LOOP,   /* three points from this one on, where they are there */
  KERNEL_DEF,    /* a function of its own, twice */
  N_KERNELS
} kernel;

/* Orders of norms. */
typedef enum norm_order {
  NORM_PLAIN,
  NORM_0,
  NORM_1,
  NORM_2,
  NORM_3,
  NORM_MOST,
  NORM_LEAST,
  NORM_LEAST_1,
  N_NORMS
} norm_order;
extern const double norm_orders[N_NORMS];

/* The user's reductions. */
typedef enum fold_kind {
  FOLD_SQUARES, /* sum of x*x */
  FOLD_MOST,
  FOLD_TEXT,   /* a + b + a*b, by neighbours */
  FOLD_FINISH, /* root of the sum of x*x + 1, float64 */
  N_FOLDS
} fold_kind;

/* The user's tasks (tasks.c): of float64, float32, int64, int32. */
typedef enum task_kind {
  TASK_POINTS,  /* 2a + b */
  TASK_HALO,    /* the neighbours along the last axis; at an end itself */
  TASK_INOUT,   /* a += 2b */
  TASK_RAW,     /* a + b[::-1], in flat order */
  TASK_MOST,    /* of all */
  TASK_NUMBERS, /* how many are not 0: int64 */
  TASK_RUNNING, /* sums from the left along the last axis, which is whole */
  TASK_SIGNS,   /* how many are below 0, 0, above and none of these: int64 */
  N_TASKS
} task_kind;
bool task_takes(tsr_dtype dtype);

/* Reductions with where= and initial=: the first four take a value to begin with, the third and the
 * fourth always. */
typedef enum masked_kind {
  MASKED_SUM,
  MASKED_PROD,
  MASKED_MIN,
  MASKED_MAX,
  MASKED_MEAN,
  MASKED_ANY,
  MASKED_ALL,
  N_MASKED
} masked_kind;
extern const char *const masked_names[N_MASKED];

/* Borders of computed values; from BORDER_REFLECT on twice the edge less the mirrored element. */
typedef enum border_kind {
  BORDER_MAXIMUM,
  BORDER_MINIMUM,
  BORDER_MEAN,
  BORDER_RAMP, /* to value[0] */
  BORDER_REFLECT,
  BORDER_SYMMETRIC,
  N_BORDERS
} border_kind;
extern const char *const border_modes[N_BORDERS];

typedef enum arranging {
  ARRANGE_SWAPAXES, /* axes.axis[0, 1] */
  ARRANGE_MOVEAXIS, /* axes.axis[0] to axes.axis[1] */
  ARRANGE_SQUEEZE,  /* axes (n < 0: all of length 1) */
  ARRANGE_ROT90,    /* by; axes.axis[0, 1] */
  ARRANGE_ATLEAST,  /* by: 1, 2 or 3 */
  ARRANGE_SPLIT,    /* by: sections; axis; style: which */
  N_ARRANGINGS
} arranging;

/* A view of another array's elements: per axis of the result. */
typedef struct arrangement {
  int ndim;
  int from[TSR_MAX_NDIM]; /* axis of the other; -1: a new one of length 1 */
  bool flip[TSR_MAX_NDIM];
  int64_t start[TSR_MAX_NDIM], length[TSR_MAX_NDIM];
} arrangement;

/* False if the node is not valid for an operand of that shape. */
bool arrange(const node *n, const tsr_dims *x, arrangement *out);
bool check_arrange(const node *n, const type *x, type *out);
bool check_call(const program *p, const node *n, type *out);
bool is_inexact_call(const program *p, const node *n);

/* An operand of a call: its elements, dense. */
typedef struct dense {
  tsr_dtype dtype;
  tsr_dims shape;
  const cell *cells;
} dense;

/* The elements of a checked call's result, in row-major order. Operands are of the result's dtype
 * where elements only move (calls.c), else of their own (calls_values.c). */
void call_cells(const node *n, const dense *x, cell *out);
void call_values(const node *n, const dense *x, cell *out);

/* Parts of the two above: calls made of operations. */
bool check_composed(const program *p, const node *n, type *out);
void composed_values(const node *n, const dense *x, cell *out);

/* calls_statistics.c: AVERAGE to FOLD. */
bool check_statistic(const program *p, const node *n, type *out);
void statistic_values(const node *n, const dense *x, cell *out);

/* The elements of each group that is reduced, one after the other, in row-major order, as
 * `dtype`. */
typedef struct groups {
  tsr_dims shape; /* of a group: the axes that go */
  int64_t size;   /* of a group */
  cell *cells;    /* malloc'd */
} groups;
groups grouped(const tsr_axes *axes, const tsr_dims *shape, const cell *cells, tsr_dtype from,
               tsr_dtype dtype);
/* False if the axes are none of x's. */
bool reduced_shape(const node *n, const tsr_dims *x, tsr_dims *out, int64_t *n_reduced);

/* calls_masked.c, calls_borders.c. */
bool check_masked(const program *p, const node *n, type *out);
void masked_values(const node *n, const dense *x, cell *out);
bool check_border(const node *n, const type *x, type *out);
void border_values(const node *n, const dense *x, cell *out);

/* calls_orders.c: which of `n` come, first to last; malloc'd. */
int64_t *drawn_order(const node *n, int64_t length, int64_t count);
/* 128 bits of the generator. */
void random_bits(uint64_t index, uint64_t draw, uint64_t key, uint64_t out[2]);
/* The number below `most` that they stand for. */
int64_t random_below(const uint64_t bits[2], uint64_t most);

/* As Python; each '@' stands for the next operand. */
void call_text(const node *n, char *out, size_t size);
/* What that needs. */
extern const char call_prelude[];

#endif
