/* The user's tasks of random programs (calls.h): C functions over boxes. */
#include "execute.h"
#include "calls.h"

#include <math.h>
#include <string.h>

/* Where element `at` of an argument lies. */
static void *place(const tsr_task_argument *a, const int64_t *at)
{
  char *p = a->data;
  for (int k = 0; k < a->ndim; k++) p += at[k] * a->stride_bytes[k];
  return p;
}

/* The next point of the box; false: there is none. */
static bool next(const tsr_task_box *box, int64_t *at)
{
  for (int k = box->ndim - 1; k >= 0; k--) {
    if (++at[k] < box->shape[k]) return true;
    at[k] = 0;
  }
  return false;
}

/* *out = factor * *x + *y, integers modulo their width. */
static void add(tsr_dtype dtype, void *out, int factor, const void *x, const void *y)
{
  switch (dtype) {
  case TSR_FLOAT64: {
    const double product = factor * *(const double *)x;
    *(double *)out = product + *(const double *)y;
    return;
  }
  case TSR_FLOAT32: {
    const float product = (float)factor * *(const float *)x;
    *(float *)out = product + *(const float *)y;
    return;
  }
  case TSR_INT64:
    *(uint64_t *)out = (uint64_t)factor * *(const uint64_t *)x + *(const uint64_t *)y;
    return;
  default:
    *(uint32_t *)out = (uint32_t)factor * *(const uint32_t *)x + *(const uint32_t *)y;
  }
}

static int points(const tsr_task_box *box)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  do
    add(box->out[0].dtype, place(&box->out[0], at), 2, place(&box->in[0], at),
        place(&box->in[1], at));
  while (next(box, at));
  return 0;
}

/* Before and behind along the last axis; 1 if the halo is not there. */
static int halo(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0];
  const int last = box->ndim - 1;
  int64_t at[TSR_MAX_NDIM] = {0};
  do {
    int64_t left[TSR_MAX_NDIM], right[TSR_MAX_NDIM];
    const int64_t i = box->offset[last] + at[last];
    for (int k = 0; k < box->ndim; k++) left[k] = right[k] = at[k];
    left[last] -= i > 0;
    right[last] += i + 1 < box->domain[last];
    if (left[last] < -x->before[last] || right[last] >= box->shape[last] + x->after[last]) return 1;
    add(x->dtype, place(&box->out[0], at), 1, place(x, left), place(x, right));
  } while (next(box, at));
  return 0;
}

static int in_place(const tsr_task_box *box)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  do {
    void *x = place(&box->in[0], at);
    add(box->in[0].dtype, x, 2, place(&box->in[1], at), x);
  } while (next(box, at));
  return 0;
}

/* y + the table's elements backwards, in flat order. */
static int backwards(const tsr_task_box *box)
{
  const tsr_task_argument *table = &box->in[1];
  int64_t at[TSR_MAX_NDIM] = {0}, there[TSR_MAX_NDIM], size = 1;
  for (int k = 0; k < table->ndim; k++) size *= table->shape[k];
  do {
    int64_t flat = 0;
    for (int k = 0; k < box->ndim; k++) flat = flat * box->domain[k] + box->offset[k] + at[k];
    flat = size - 1 - flat;
    for (int k = table->ndim - 1; k >= 0; flat /= table->shape[k--])
      there[k] = flat % table->shape[k];
    add(table->dtype, place(&box->out[0], at), 1, place(&box->in[0], at), place(table, there));
  } while (next(box, at));
  return 0;
}

static double number(const tsr_task_argument *a, const int64_t *at)
{
  const void *p = place(a, at);
  return a->dtype == TSR_FLOAT64   ? *(const double *)p
         : a->dtype == TSR_FLOAT32 ? (double)*(const float *)p
                                   : 0;
}

static int64_t integer(const tsr_task_argument *a, const int64_t *at)
{
  const void *p = place(a, at);
  return a->dtype == TSR_INT64 ? *(const int64_t *)p : *(const int32_t *)p;
}

/* The greatest of the block: NaN if there is one, of two zeros +0. */
static int most(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  const bool floats = x->dtype == TSR_FLOAT64 || x->dtype == TSR_FLOAT32;
  int64_t at[TSR_MAX_NDIM] = {0}, i = floats ? 0 : integer(x, at);
  double v = number(x, at);
  do {
    const double w = number(x, at);
    if (!isnan(v) && (isnan(w) || w > v || (w == v && !signbit(w)))) v = w;
    if (!floats && integer(x, at) > i) i = integer(x, at);
  } while (next(box, at));
  if (x->dtype == TSR_FLOAT64) *(double *)y->data = v;
  if (x->dtype == TSR_FLOAT32) *(float *)y->data = (float)v;
  if (x->dtype == TSR_INT64) *(int64_t *)y->data = i;
  if (x->dtype == TSR_INT32) *(int32_t *)y->data = (int32_t)i;
  return 0;
}

static int numbers(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0];
  const bool floats = x->dtype == TSR_FLOAT64 || x->dtype == TSR_FLOAT32;
  int64_t at[TSR_MAX_NDIM] = {0}, n = 0;
  do n += floats ? number(x, at) != 0 : integer(x, at) != 0;
  while (next(box, at));
  *(int64_t *)box->out[0].data = n;
  return 0;
}

/* Sums from the left; the box has whole rows. */
static int running(const tsr_task_box *box)
{
  const int last = box->ndim - 1;
  int64_t at[TSR_MAX_NDIM] = {0}, left[TSR_MAX_NDIM];
  if (box->shape[last] != box->domain[last]) return 1;
  do {
    for (int k = 0; k < box->ndim; k++) left[k] = at[k] - (k == last);
    void *y = place(&box->out[0], at), *x = place(&box->in[0], at);
    if (at[last] == 0)
      memcpy(y, x, box->out[0].dtype == TSR_FLOAT32 || box->out[0].dtype == TSR_INT32 ? 4 : 8);
    else
      add(box->out[0].dtype, y, 1, place(&box->out[0], left), x);
  } while (next(box, at));
  return 0;
}

static int signs(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0];
  const bool floats = x->dtype == TSR_FLOAT64 || x->dtype == TSR_FLOAT32;
  int64_t at[TSR_MAX_NDIM] = {0};
  do {
    const double v = floats ? number(x, at) : 0;
    const int64_t i = floats ? 0 : integer(x, at);
    const int64_t sign = isnan(v) ? 3 : v < 0 || i < 0 ? 0 : v > 0 || i > 0 ? 2 : 1;
    *(int64_t *)place(&box->out[0], &sign) += 1;
  } while (next(box, at));
  return 0;
}

static const struct {
  const char *inputs, *output;
  tsr_task_function function;
  int n_in;
} tasks[N_TASKS] = {
    [TASK_POINTS] = {"T a, T b", "T y", points, 2},
    [TASK_HALO] = {"T a halo(1)", "T y", halo, 1},
    [TASK_INOUT] = {"inout T a, T b", "", in_place, 2},
    [TASK_RAW] = {"T a, raw T b", "T y", backwards, 2},
    [TASK_MOST] = {"T a", "T y max", most, 1},
    [TASK_NUMBERS] = {"T a", "int64 n sum", numbers, 1},
    [TASK_RUNNING] = {"T a, whole(-1)", "T y", running, 1},
    [TASK_SIGNS] = {"T a", "int64 h[4] sum", signs, 1},
};

tsr_array execute_task(const tsr_location *at, const node *n, const tsr_operand *x)
{
  const int n_in = tasks[n->style].n_in;
  char inputs[64];
  snprintf(inputs, sizeof inputs, n->by > 0 ? "%s, grain(%d)" : "%s", tasks[n->style].inputs,
           (int)n->by);
  const tsr_function f =
      tsr_task_at(at, "task", inputs, tasks[n->style].output, tasks[n->style].function);
  if (n->style != TASK_INOUT) return tsr_call_at(at, f, n_in, x);
  const tsr_operand args[2] = {tsr_box_array(tsr_copy_at(at, x[0])), x[1]};
  if (tsr_call_outputs_at(at, NULL, f, n_in, args) != TSR_OK) return tsr_null();
  return args[0].as.array;
}
