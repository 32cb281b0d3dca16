/* Ours: the cases of bench/gpu.sh that no other program here is.
 *
 *   gpu_cases CASE N [SECONDS]
 *
 * Prints `us=… check=…`: microseconds per step, the median of five batches that take about SECONDS
 * in all, and a value of the result. */
#include <string.h>

#include "bench/bench.h"

typedef struct arrays {
  tsr_array a, b, c, d, square, small, value;
  int64_t n;
} arrays;

typedef struct bench_case {
  const char *name;
  const char *sizes; /* letters of the arrays that are needed */
  void (*step)(arrays *x);
} bench_case;

static void triad(arrays *x)
{
  tsr_exec("d[:] = b + 3.0*c", x->d, x->b, x->c);
  tsr_flush();
}

static void product_sum(arrays *x)
{
  tsr_exec("d[:] = a*b + c - 0.5*a", x->d, x->a, x->b, x->c);
  tsr_flush();
}

/* Records a step. Arrays between its operations are gone when it is run, so that none is stored. */
static void record_chain(arrays *x)
{
  TSR_SCOPE();
  tsr_array y = x->a;
  for (int i = 0; i < 5; i++) y = tsr_add(tsr_multiply(y, 1.000001), 1e-6);
  tsr_assign(x->d, y);
}

static void chain(arrays *x)
{
  record_chain(x);
  tsr_flush();
}

/* The results of reductions stay where they come to be, as the peers' do. */
static void record_value(arrays *x, tsr_array value)
{
  tsr_assign(x->value, value);
}

static void sum(arrays *x)
{
  {
    TSR_SCOPE();
    record_value(x, tsr_sum(x->a));
  }
  tsr_flush();
}

static void argmin(arrays *x)
{
  {
    TSR_SCOPE();
    record_value(x, tsr_argmin(x->a));
  }
  tsr_flush();
}

static void dot(arrays *x)
{
  {
    TSR_SCOPE();
    record_value(x, tsr_eval("sum(a*b)", x->a, x->b));
  }
  tsr_flush();
}

static void record_sums(arrays *x, int axis)
{
  TSR_SCOPE();
  tsr_assign(x->small, tsr_sum(x->square, axis));
}

static void rows(arrays *x)
{
  record_sums(x, 1);
  tsr_flush();
}

static void columns(arrays *x)
{
  record_sums(x, 0);
  tsr_flush();
}

static void five_point(arrays *x)
{
  const tsr_array s = x->square;
  tsr_exec(
      "s[1:-1,1:-1] = 0.2*(s[1:-1,1:-1] + s[:-2,1:-1] + s[2:,1:-1] + s[1:-1,:-2] + s[1:-1,2:])", s);
}

static void record_matmul(arrays *x)
{
  TSR_SCOPE();
  tsr_assign(x->square, tsr_matmul(x->a, x->b));
}

static void matmul(arrays *x)
{
  record_matmul(x);
  tsr_flush();
}

static const bench_case cases[] = {
    {"triad", "bcd", triad},
    {"product_sum", "abcd", product_sum},
    {"chain", "ad", chain},
    {"sum", "a0", sum},
    {"argmin", "ai", argmin},
    {"dot", "ab0", dot},
    {"rows", "sv", rows},
    {"columns", "sv", columns},
    {"five_point", "s", five_point},
    {"matmul", "ABs", matmul},
    {"matmul32", "ABsF", matmul}, /* of float32 */
};

/* Operands of products are drawn: a GPU takes less power for equal numbers, and is faster. */
static tsr_array draw(tsr_rng *rng, int64_t n, tsr_dtype dtype)
{
  return tsr_rng_uniform(rng, -1, 1, TSR_SHAPE(n, n), dtype);
}

static bool needs(const bench_case *c, char array)
{
  return strchr(c->sizes, array) != NULL;
}

static void make(const bench_case *c, arrays *x)
{
  const int64_t n = x->n;
  const tsr_dtype dtype = needs(c, 'F') ? TSR_FLOAT32 : TSR_FLOAT64;
  tsr_rng rng = tsr_default_rng(1);
  if (needs(c, 'a')) x->a = tsr_add(tsr_multiply(tsr_arange(0, (double)n, 1), 1e-9), 1);
  if (needs(c, 'b')) x->b = tsr_full(TSR_SHAPE(n), 1.5);
  if (needs(c, 'c')) x->c = tsr_full(TSR_SHAPE(n), 0.5);
  if (needs(c, 'd')) x->d = tsr_zeros(TSR_SHAPE(n));
  if (needs(c, 'A')) x->a = draw(&rng, n, dtype);
  if (needs(c, 'B')) x->b = draw(&rng, n, dtype);
  if (needs(c, 's')) x->square = tsr_full(TSR_SHAPE(n, n), 1.0, dtype);
  if (needs(c, 'v')) x->small = tsr_zeros(TSR_SHAPE(n));
  if (needs(c, '0')) x->value = tsr_zeros(TSR_SHAPE());
  if (needs(c, 'i')) x->value = tsr_zeros(TSR_SHAPE(), TSR_INT64);
}

/* Steps until about so many seconds have passed, in five batches; the median of a step's. */
static double measure(const bench_case *c, arrays *x, double seconds)
{
  enum { BATCHES = 5, MOST = 20000 };
  double time[BATCHES];
  for (int i = 0; i < 3; i++) c->step(x);
  double start = bench_clock();
  c->step(x);
  const double once = bench_clock() - start;
  int64_t n = (int64_t)(seconds / BATCHES / (once > 1e-6 ? once : 1e-6));
  n = n < 1 ? 1 : n > MOST ? MOST : n;
  for (int batch = 0; batch < BATCHES; batch++) {
    start = bench_clock();
    for (int64_t i = 0; i < n; i++) c->step(x);
    time[batch] = (bench_clock() - start) / (double)n;
  }
  return peer_median(time, BATCHES);
}

int main(int argc, char **argv)
{
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const bench_case *c = NULL;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) c = &cases[i];
  if (c == NULL) {
    fprintf(stderr, "gpu_cases: no such case\n");
    return 2;
  }
  arrays x = {.n = peer_argument(argc, argv, 2, 1 << 20)};
  make(c, &x);
  const double seconds = measure(c, &x, argc > 3 ? atof(argv[3]) : 0.5);
  const tsr_array result = needs(c, 'd')   ? x.d
                           : needs(c, 'v') ? x.small
                           : needs(c, 's') ? x.square
                                           : x.value;
  bench_report(seconds, 1, tsr_item_f64(tsr_mean(result)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
