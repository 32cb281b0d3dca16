/* The task that finds quantiles by selection. The domain has the axes of the result and, behind
 * them, those of the elements, which are not cut.
 *
 * The elements of one result are copied to scratch. Then a few of them, taken at random positions
 * (always the same), say between which two values the wanted one lies most probably; one pass keeps
 * the elements between these, and so on until few are left, among which each is compared with all.
 * After Floyd and Rivest, "Expected time bounds for selection", 1975. */
#include "kernel/library/select.h"
#include "kernel/cpu/loops.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"
#include "runtime/base/walk.h"

#include <math.h>
#include <string.h>

enum {
  FEW = 32,       /* elements of which each is compared with all */
  MOST_DRAWN = 96 /* elements that are drawn */
};

void tsr__select_grain(const tsr_task_shape *t, int64_t *lengths)
{
  tsr__task_grain(t, t->n_kept, t->ndim, lengths);
}

static int64_t n_elements(const tsr_task_shape *t)
{
  int64_t n = 1;
  for (int k = t->n_kept; k < t->ndim; k++) n *= t->shape[k];
  return n;
}

size_t tsr__select_scratch_bytes(const tsr_task_shape *t)
{
  return 3 * tsr__round_up((size_t)n_elements(t) * sizeof(double), 64);
}

/* Returns a number below n that depends on 32 random bits. */
static int64_t random_below(int64_t n, uint32_t bits)
{
  const uint64_t high = (uint64_t)n >> 32, low = (uint64_t)n & 0xFFFFFFFFu;
  return (int64_t)(bits * high + (bits * low >> 32));
}

/* Returns the k-th smallest of n elements. `scratch`: memory of 2 n elements. x is left as it
 * is. */
static double select_kth(const tsr_loops_select *loops, const double *x, int64_t n, int64_t k,
                         double *scratch)
{
  double *to = scratch, *other = scratch + n;
  uint64_t random = 0x9E3779B97F4A7C15u;
  while (n > FEW) {
    double drawn[MOST_DRAWN];
    const int64_t n_drawn = n < 8 * MOST_DRAWN ? 24 : MOST_DRAWN, apart = n_drawn / 8;
    for (int64_t i = 0; i < n_drawn; i++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      drawn[i] = x[random_below(n, (uint32_t)(random >> 32))];
    }
    const int64_t near = (int64_t)((double)k / (double)n * (double)n_drawn);
    double bound[2];
    loops->among_few(drawn, n_drawn, near - apart, near + apart, bound);
    const double low = near < apart ? -(double)INFINITY : bound[0];
    const double high = near + apart >= n_drawn ? (double)INFINITY : bound[1];
    int64_t up_to_low, below, up_to;
    const int64_t n_found = loops->keep_between(x, n, low, high, to, &up_to_low);
    if (k < up_to_low) {
      loops->count(x, n, low, &below, &up_to);
      if (k >= below) return low;
      n = loops->keep_between(x, n, -(double)INFINITY, low, to, &up_to_low);
      if (k < up_to_low) return -(double)INFINITY;
      k -= up_to_low;
    } else if (k < up_to_low + n_found) {
      k -= up_to_low;
      n = n_found;
    } else {
      loops->count(x, n, high, &below, &up_to);
      if (k < up_to) return high;
      n = loops->keep_between(x, n, high, (double)INFINITY, to, &up_to_low);
      k -= up_to_low;
      if (k >= n) return (double)INFINITY;
    }
    x = to;
    to = other;
    other = (double *)x;
  }
  double element[2];
  loops->among_few(x, n, k, k, element);
  return element[0];
}

/* Returns the element behind the k-th, `element`, in order: an equal one, or the least greater. */
static double behind(const tsr_loops_select *loops, const double *x, int64_t n, int64_t k,
                     double element)
{
  int64_t n_above;
  const double least = loops->least_above(x, n, element, &n_above);
  return n - n_above - 1 > k ? element : least;
}

/* Interpolates as NumPy does: from b if t is at least a half. */
static double interpolate(double a, double b, double t)
{
  if (a == b) return a;
  return t >= 0.5 ? b - (b - a) * (1 - t) : a + (b - a) * t;
}

enum { IS_MEDIAN = 1, SKIPS_NAN = 2, IS_ELEMENT = 4 };

/* The quantile q of n elements without a NaN, or the element number q. */
static double quantile_of(const tsr_loops_select *loops, const double *x, int64_t n, double q,
                          int how, double *scratch)
{
  TSR_ASSERT(n > 0);
  if (how & IS_ELEMENT) return select_kth(loops, x, n, (int64_t)q, scratch) + 0.0;
  const bool is_median = how & IS_MEDIAN;
  const double at = q * (double)(n - 1);
  const int64_t k = is_median ? (n - 1) / 2 : (int64_t)floor(at);
  const double beyond = is_median ? (double)((n - 1) % 2) / 2 : at - (double)k;
  const double element = select_kth(loops, x, n, k, scratch) + 0.0;
  if (beyond <= 0) return element;
  const double next = behind(loops, x, n, k, element);
  return is_median ? (element + next) / 2 : interpolate(element, next, beyond);
}

/* The elements of one result, in any order. */
typedef struct elements {
  int ndim;
  const int64_t *n, *stride; /* [ndim] */
  bool is_float32;
  const tsr_loops_select *loops;
} elements;

/* Copies the elements that are numbers, and returns how many. */
static int64_t copy_numbers(const elements *e, const char *from, double *to)
{
  const int last = e->ndim - 1;
  const int64_t n = e->n[last], stride = e->stride[last];
  int64_t n_found = 0;
  tsr_walk w = tsr__walk_rows(last, e->n);
  for (;;) {
    if (stride == (e->is_float32 ? (int64_t)sizeof(float) : (int64_t)sizeof(double))) {
      const void *dense = from;
      if (e->is_float32) { /* widened in place */
        dense = to + n_found;
        tsr__loops_get(0)->cast[TSR_FLOAT64][TSR_FLOAT32](n, to + n_found,
                                                          (const void *const[]){from});
      }
      n_found += e->loops->copy_numbers(dense, n, to + n_found);
    } else {
      for (int64_t i = 0; i < n; i++) {
        const char *at = from + i * stride;
        const double v = e->is_float32 ? (double)*(const float *)at : *(const double *)at;
        to[n_found] = v;
        n_found += v == v;
      }
    }
    const int k = tsr__walk_next(&w);
    if (k < 0) return n_found;
    from += tsr__walk_change(&w, k, e->stride);
  }
}

static void run_select(const tsr_task_shape *t, const tsr_kernel_bind *bind, double *scratch,
                       int how)
{
  enum { FROM, FRACTION, TO };
  const int64_t n = n_elements(t);
  const size_t most = tsr__select_scratch_bytes(t) / 3 / sizeof *scratch;
  const int n_kept = t->n_kept;
  const elements e = {.ndim = t->ndim - n_kept,
                      .n = bind->n + n_kept,
                      .stride = bind->stride_bytes[FROM] + n_kept,
                      .is_float32 = t->dtype == TSR_FLOAT32,
                      .loops = &tsr__loops_get(0)->select};
  double q;
  memcpy(&q, bind->base[FRACTION], sizeof q);
  const char *from = bind->base[FROM];
  char *to = bind->base[TO];
  tsr_walk w = tsr__walk_rows(n_kept, bind->n);
  TSR_ASSERT(e.ndim > 0);
  for (;;) {
    const int64_t n_found = copy_numbers(&e, from, scratch);
    const bool is_nan = n_found == 0 || (n_found < n && !(how & SKIPS_NAN));
    const double v =
        is_nan ? (double)NAN : quantile_of(e.loops, scratch, n_found, q, how, scratch + most);
    if (e.is_float32)
      *(float *)to = (float)v;
    else
      *(double *)to = v;
    const int k = tsr__walk_next(&w);
    if (k < 0) return;
    from += tsr__walk_change(&w, k, bind->stride_bytes[FROM]);
    to += tsr__walk_change(&w, k, bind->stride_bytes[TO]);
  }
}

void tsr__quantile_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                       const tsr_task_pause *pause)
{
  (void)pause;
  run_select(t, bind, scratch, 0);
}

void tsr__nanquantile_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                          const tsr_task_pause *pause)
{
  (void)pause;
  run_select(t, bind, scratch, SKIPS_NAN);
}

void tsr__median_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                     const tsr_task_pause *pause)
{
  (void)pause;
  run_select(t, bind, scratch, IS_MEDIAN);
}

void tsr__nanmedian_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                        const tsr_task_pause *pause)
{
  (void)pause;
  run_select(t, bind, scratch, IS_MEDIAN | SKIPS_NAN);
}

void tsr__element_run(const tsr_task_shape *t, const tsr_kernel_bind *bind, void *scratch,
                      const tsr_task_pause *pause)
{
  (void)pause;
  run_select(t, bind, scratch, IS_ELEMENT);
}
