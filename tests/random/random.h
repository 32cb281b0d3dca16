/* Random array programs: the program as data, and what the parts of the test give each other.
 *
 * A program is a list of statements over expression trees. Every array has a shape and a dtype that
 * follow from the text alone (check.c), so a program is valid or not before it runs anywhere. It is
 * run by a naive reference (reference.c), as a Python script by NumPy (numpy.c) and by Tessera
 * (run.c); what each gives is one blob of bytes: the scalars that were read, in order, then the
 * arrays that are alive at the end. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "array/array.h"
#include "tests/support/draw.h"
#include "tests/support/reference/cells.h"

/* Random numbers. */

typedef struct rng {
  uint64_t state;
} rng;

static inline uint64_t rng_next(rng *r)
{
  return draw_64(&r->state);
}
/* 0 … n-1; 0 for n <= 1. */
static inline int64_t rng_below(rng *r, int64_t n)
{
  return n <= 1 ? 0 : draw_below(&r->state, n);
}
static inline int64_t rng_range(rng *r, int64_t low, int64_t high)
{
  return low + rng_below(r, high - low + 1);
}
static inline bool rng_chance(rng *r, int percent)
{
  return rng_below(r, 100) < percent;
}
static inline rng rng_seeded(uint64_t seed, uint64_t stream)
{
  rng r = {seed * 0xD1342543DE82EF95u + stream};
  r.state = rng_next(&r) ^ (stream << 32);
  return r;
}

/* Programs. */

enum { MAX_ARGS = 16, MAX_ITEMS = 20, MAX_VARS = 64, MAX_SCALARS = 16, MAX_READS = 4 };

typedef enum scalar_kind { SCALAR_BOOL, SCALAR_INT, SCALAR_FLOAT, SCALAR_COMPLEX } scalar_kind;

/* A C scalar of a program; bools and ints in i, floats in f, of complex ones the imaginary part in
 * im. */
typedef struct scalar {
  scalar_kind kind;
  int64_t i;
  double f, im;
} scalar;

/* What check.c finds out about an expression. */
typedef struct type {
  bool is_array;
  tsr_dtype dtype;  /* of an array */
  scalar_kind kind; /* of a scalar */
  bool is_read;     /* a scalar that was read from an array: its value is not known here */
  tsr_dims shape;
  bool repeats[TSR_MAX_NDIM]; /* the axis shows one element several times */
  bool is_read_only;          /* it, or what it is a view of, may not be written */
} type;

typedef enum node_kind {
  NODE_VAR,        /* index */
  NODE_SCALAR,     /* value[0] */
  NODE_SCALAR_VAR, /* index */
  NODE_SLICE,      /* items */
  NODE_TRANSPOSE,  /* axes */
  NODE_FLIP,       /* axes */
  NODE_BROADCAST,  /* shape */
  NODE_DIAGONAL,   /* index: offset; axes.axis[0, 1] */
  NODE_EXPAND,     /* index: axis */
  NODE_ARRANGE,    /* index: arranging (calls.h) */
  NODE_MAP,        /* index: tsr_opcode */
  NODE_REDUCE,     /* index: reduction; axes */
  NODE_ASTYPE,     /* dtype */
  NODE_COPY,
  NODE_CALL,   /* index: call (calls.h) */
  NODE_FULL,   /* shape, dtype, value[0] */
  NODE_ARANGE, /* dtype, value[0..2] */
  NODE_HOST    /* shape, dtype, seed, style */
} node_kind;

typedef enum reduction {
  RED_SUM,
  RED_PROD,
  RED_MIN,
  RED_MAX,
  RED_MEAN,
  RED_ANY,
  RED_ALL,
  RED_ARGMIN,
  RED_ARGMAX,
  RED_COUNT_NONZERO, /* from here on made of the others (derived.c) */
  RED_PTP,
  RED_VAR,
  RED_STD,
  RED_NANSUM,
  RED_NANPROD,
  RED_NANMIN,
  RED_NANMAX,
  RED_NANMEAN,
  RED_NANVAR,
  RED_NANSTD,
  RED_NANARGMIN,
  RED_NANARGMAX,
  N_REDUCTIONS
} reduction;

typedef struct node {
  node_kind kind;
  int n_args, args[MAX_ARGS]; /* numbers of nodes */
  int index;
  tsr_dtype dtype;
  scalar value[3];
  tsr_dims shape;
  tsr_axes axes; /* n < 0: all */
  int n_items;
  tsr_slice_item items[MAX_ITEMS];
  int64_t moves[MAX_ITEMS]; /* what each turn of the innermost loop adds to start and stop */
  uint64_t seed;
  int style;
  int axis; /* of a call, as the next two: what calls.h says */
  int64_t by;
  tsr_dims after;
  type type; /* by check.c */
} node;

typedef enum statement_kind {
  ST_LET,         /* var = value */
  ST_ASSIGN,      /* target[...] = value */
  ST_INPLACE,     /* target op= value; op: TSR_OP_ADD, … */
  ST_ITEM,        /* scalar var = the value of one element, as item_kind */
  ST_READ_BEGIN,  /* read var: one element */
  ST_READ_END,    /* scalar var = what read `op` noted, a float */
  ST_RELEASE,     /* var */
  ST_KEEP,        /* var */
  ST_HOLD,        /* var */
  ST_REPLACE,     /* var takes value */
  ST_SCOPE_BEGIN, /* TSR_SCOPE block */
  ST_SCOPE_END,
  ST_REPEAT_BEGIN, /* count times; scoped: the body is a TSR_SCOPE */
  ST_REPEAT_END,
  ST_BREAK_IF, /* scalar var > limit: leave the loop; only before ST_REPEAT_END */
  ST_FLUSH
} statement_kind;

typedef struct statement {
  statement_kind kind;
  int var, op, target, value, count;
  bool scoped; /* REPEAT: its body is a scope; LET: temporaries die with the statement */
  scalar_kind item_kind;
  double limit;
} statement;

typedef struct program {
  uint64_t seed;
  int number;
  int n_nodes, n_statements;
  node *nodes;
  statement *statements;
  tsr_location *where;        /* one per node, then one per statement; what Tessera is told */
  bool inexact;               /* has functions that are not correctly rounded: exp … */
  int live[MAX_VARS], n_live; /* read out at the end */
} program;

int program_node(program *p, const node *n);           /* append a copy; its number */
int program_statement(program *p, const statement *s); /* append a copy; its number */
/* Index of the statement that ends the block that begins at `begin`; without one, of the last. */
int program_block_end(const program *p, int begin);
program *program_copy(const program *p);
/* Drop nodes that no statement uses; every node then has one user. */
void program_compact(program *p);
void program_destroy(program *p);

/* check.c, types.c: which programs are valid. */

typedef struct var_state {
  bool live;
  int depth; /* of the scope it belongs to; -1: held */
  type type;
} var_state;

typedef struct state {
  var_state vars[MAX_VARS];
  bool scalar_live[MAX_SCALARS];
  scalar_kind scalar_kinds[MAX_SCALARS];
  bool read_live[MAX_READS];
  int depth;           /* open scopes */
  int n_repeats;       /* open loops */
  int n_turns;         /* of the innermost; 1 outside loops */
  statement block;     /* that opened the innermost block */
  struct state *outer; /* as it was when that block opened; owned */
} state;

state *state_new(void);
void state_free(state *s);
state *state_copy(const state *s);
/* Take statement i; false, and the state undefined, if it is not valid there. Fills in types. */
bool check_statement(program *p, int i, state *s);
/* The whole program; fills in types, inexact, live and where. */
bool check_program(program *p);
/* The type of an expression over a state. */
bool check_node(program *p, int i, const state *s);
/* exp and its like: within some ulps only. */
bool is_inexact(int op);
/* Those of complex numbers that are within some ulps only, also where they are exact of reals. */
bool is_complex_function(int op);
/* Computes in floats, whatever the operands: gives those, or bool. */
bool computes_in_floats(int op);
bool gives_bool(int op);
bool is_logical(int op);
/* Does the reduction name one axis of a 0-d array? NumPy lets it but for means: those of numbers
 * without NaN are such. */
bool is_lone_axis(const node *n, const type *x);
/* The slice in a turn of the innermost loop. */
node slice_at(const node *n, int turn);
/* Dtype of an operation over both (NEP 50); *weak: both are scalars, combined as Python does. */
tsr_dtype promote_types(const type *a, const type *b);
tsr_dtype scalar_dtype(scalar_kind kind);
int64_t dims_size(const tsr_dims *d);
bool dims_broadcast(tsr_dims *to, const tsr_dims *from); /* to becomes the common shape */
/* First index, count and step of a range over an axis. */
void range_indices(const tsr_slice_item *item, int64_t length, int64_t *start, int64_t *count,
                   int64_t *step);
int64_t arange_count(const scalar value[3]);

/* Generate.c. */

typedef struct size_limits {
  int64_t most_elements;
} size_limits;
program *generate(uint64_t seed, int number, const size_limits *limits);

/* Reference. */

/* A group of elements of dtype `compute` by the fixed tree. shape: of the reduced axes, n_axes of
 * them; cells in row-major order. */
cell cell_reduce(reduction r, tsr_dtype compute, int n_axes, const int64_t *shape,
                 const cell *cells);
/* The same for all reductions, by cell_reduce and cell_map: the steps that Tessera takes. Changes
 * the cells. */
cell cell_reduce_any(reduction r, tsr_dtype compute, int n_axes, const int64_t *shape, cell *cells);
/* How far a float sum or product of the cells in another order may lie from `value`, ours. */
double cell_order_error(reduction op, tsr_dtype dtype, cell value, const cell *cells, int64_t n);
/* The dtype that a reduction casts its operands to. */
tsr_dtype reduction_compute(reduction r, tsr_dtype dtype);
cell host_cell(const node *n, int64_t i); /* element i of a NODE_HOST */
cell new_cell(const node *n, int64_t i);  /* also of a NODE_FULL, a NODE_ARANGE */
void cell_store(cell x, tsr_dtype dtype, void *out);

/* One part of a blob. */
typedef struct segment {
  bool is_scalar;
  int var; /* of the array or of the scalar */
  tsr_dtype dtype;
  tsr_dims shape;
  size_t offset;        /* bytes */
  int64_t first, count; /* in `cells` */
} segment;

typedef struct result {
  int n_segments;
  segment *segments;
  int64_t n_cells;
  double *err; /* one per cell */
  size_t n_bytes;
  uint8_t *bytes;
  bool unsure; /* a loop's end depends on values that need not be the same everywhere */
} result;

/* Run a checked program. Free with result_free. */
result *reference_run(program *p);
void result_free(result *r);

/* Judge.c. */

typedef struct tally {
  int64_t exact, near, open; /* elements compared bitwise, within their error, not at all */
} tally;

/* Compare two blobs of r's layout; use_err: within r's errors, else bitwise (any NaN equals any
 * NaN). Returns true if equal; else a text of the first difference. */
bool judge(const result *r, const uint8_t *got, const uint8_t *want, bool use_err, tally *tally,
           char *text, size_t size);

/* Text.c: a program as Python. */

/* host_offset: where the data of each NODE_HOST is in the data file, by node; NULL for people. */
void program_print(FILE *f, const program *p, const int64_t *host_offset, const char *indent);
const char *opcode_name(int op);
const char *reduction_name(int r);
/* Gives a position. */
bool is_position(int r);
/* Of complex numbers the order of several NaN is open: they are made one before. */
bool is_extreme(int r);

/* Numpy.c. */

typedef struct numpy_run numpy_run;
/* NULL if no Python with NumPy 2 is found: its rules are those of the programs. */
const char *numpy_find(void);
/** Is the function one of the script's own? NumPy has none of the name, or older versions have
 * others of integers. */
bool numpy_is_given(const char *name);
/* Start NumPy on the programs, in a process of its own. */
numpy_run *numpy_start(const char *python, int n, program *const *ps, result *const *rs);
/* Wait; blob[i] is the bytes of program i, or NULL with a text in errors[i]. All owned by the run.
 */
bool numpy_finish(numpy_run *run, uint8_t **blobs, char **errors);
void numpy_free(numpy_run *run);

/* Rotation.c. */

enum { MAX_SETTINGS = 40, MAX_SET = 10, MAX_SETTING = 480 };

/* Two ways each; with 1 to 4 ranks they make N_CONFIGURATIONS. */
enum {
  MODE_MEMO = 1,
  MODE_RENAME = 2,
  MODE_INLINE = 4,
  MODE_FUSION = 8,
  MODE_THREADS = 16, /* two, else one */
  MODE_COMPILED = 32,
  N_MODES = 64,
  N_CONFIGURATIONS = 4 * N_MODES
};

/* One way to run Tessera. */
typedef struct config {
  int ranks, mode;
  int n_settings;
  char name[MAX_SETTINGS][20], value[MAX_SETTINGS][MAX_SETTING];
} config;

/* Every batch runs under the plainest configuration (which 0) and under one for each number of
 * ranks from 1 to 4. Of these four, one is compiled; over 128 batches every configuration comes. */
enum { CONFIGS_PER_BATCH = 5, BATCHES_FOR_ALL = 128 };
/* cache: directory for compiled kernels. */
config config_draw(uint64_t seed, int batch, int which, const char *cache);
void config_set(config *c, const char *name, const char *value);
void config_print(FILE *f, const config *c);
/* n_programs: run under each configuration, by ranks - 1 and mode. Returns the least. */
int config_print_table(FILE *f, int n_programs[4][N_MODES]);

/* Run.c. */

typedef struct outcome {
  bool failed;
  char text[1000];
  tsr_counters did; /* over all ranks, runs and passes */
} outcome;

/* Run the programs under one configuration in a process of its own, and compare with want[i] on
 * every rank (NULL: take what rank 0 has into got[i]; got[i] may be NULL, too). With MODE_MEMO a
 * program runs twice at once, so that the second run replays the plans of the first; with
 * MODE_COMPILED all programs run again when the kernels of their first runs are compiled, in
 * batches. Crashes and hangs are outcomes. quiet: stderr goes nowhere. */
void run_config(const config *c, int n, program *const *ps, result *const *rs, uint8_t *const *want,
                uint8_t *const *got, outcome *outcomes, bool quiet);

/* Shrink.c. */

/* What made a program fail. */
typedef struct failure {
  const char *python; /* NumPy differs: its interpreter; else NULL */
  config config;      /* Tessera's */
  config first;       /* what it is compared with, if the program has exp */
} failure;
/* A smaller program that still fails (or a copy), and a smaller configuration. Takes at most
 * `seconds`. *alone: false if it does not fail by itself at all. text: of the last failure. */
program *shrink(const program *p, failure *f, double seconds, bool *alone, char *text, size_t size);

double now_seconds(void);

#endif
