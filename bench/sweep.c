/* One operation at a time, for bench/sweep.py, which measures the same in NumPy.
 *
 *   sweep      reads lines `DTYPE SIZE ROWS NAMES EXPRESSION`, NAMES such as `x,y`. It answers each
 *              with the microseconds of evaluating the expression and flushing, or with the first
 *              line of the error
 *
 * x and y are vectors of SIZE elements, and m is one of truth values. a and b are matrices of as
 * many elements (to a whole row): a has ROWS rows, b as many columns. s is a scalar. bench/sweep.py
 * makes the same values. */
#include "bench/bench.h"

#include <time.h>

enum { N_BATCHES = 7, MOST_NAMES = 6 };
static const double batch_s = 2e-3;

typedef struct values {
  tsr_array x, y, m, a, b;
} values;

static double value_at(int64_t i, bool is_float)
{
  const double whole = (double)(1 + i * 7919 % 50);
  return is_float ? 0.1 + 0.015 * whole : whole;
}

static tsr_array vector(tsr_dtype dtype, int64_t n, int64_t first)
{
  const bool is_float =
      dtype == TSR_DTYPE_FLOAT32 || dtype == TSR_DTYPE_FLOAT64 || dtype >= TSR_DTYPE_FLOAT16;
  double *host = malloc(sizeof *host * (size_t)n);
  for (int64_t i = 0; i < n; i++) host[i] = value_at(i + first, is_float);
  tsr_array wide = tsr_from_host(host, TSR_DTYPE_FLOAT64, TSR_SHAPE(n));
  free(host);
  if (dtype == TSR_DTYPE_BOOL) return tsr_less(tsr_remainder(wide, 3.0), 1.0);
  return tsr_astype(wide, dtype);
}

/* An array by the name that the expression has for it. */
static tsr_operand operand(const values *v, char name)
{
  switch (name) {
  case 'x':
    return tsr_box_array(v->x);
  case 'y':
    return tsr_box_array(v->y);
  case 'm':
    return tsr_box_array(v->m);
  case 'a':
    return tsr_box_array(v->a);
  case 'b':
    return tsr_box_array(v->b);
  default:
    return tsr_box_int(3);
  }
}

/* This thread's processor time, which does not count what others on the machine do meanwhile. */
static double thread_seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds of n evaluations, each with a flush; negative: it failed. */
static double evaluate(const tsr_location *where, const char *text, int n_names,
                       const tsr_operand *xs, int64_t n)
{
  const double start = thread_seconds();
  for (int64_t i = 0; i < n; i++) {
    TSR_SCOPE();
    const tsr_array r = tsr_eval_at(where, text, n_names, xs);
    if (!tsr_ok(r) || tsr_flush() != TSR_OK) return -1;
  }
  return thread_seconds() - start;
}

static int compare(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static void answer_error(void)
{
  char text[512] = "";
  tsr_take_error(text, sizeof text);
  printf("error %.*s\n", (int)strcspn(text, "\n"), text);
}

static tsr_dtype dtype_of(const char *name)
{
  static const char *const names[TSR_N_DTYPES] = {
      [TSR_DTYPE_BOOL] = "bool",           [TSR_DTYPE_INT8] = "int8",
      [TSR_DTYPE_INT16] = "int16",         [TSR_DTYPE_INT32] = "int32",
      [TSR_DTYPE_INT64] = "int64",         [TSR_DTYPE_UINT8] = "uint8",
      [TSR_DTYPE_UINT16] = "uint16",       [TSR_DTYPE_UINT32] = "uint32",
      [TSR_DTYPE_UINT64] = "uint64",       [TSR_DTYPE_FLOAT16] = "float16",
      [TSR_DTYPE_FLOAT32] = "float32",     [TSR_DTYPE_FLOAT64] = "float64",
      [TSR_DTYPE_COMPLEX64] = "complex64", [TSR_DTYPE_COMPLEX128] = "complex128"};
  int d = 0;
  while (strcmp(names[d], name) != 0) d++;
  return (tsr_dtype)d;
}

/* An expression as a call site, which stays as long as the program. */
typedef struct site {
  struct site *next;
  tsr_location where;
  char *text;
} site;

/* The site of an expression, one for all of its dtypes and sizes: the library remembers a limited
 * number of texts. */
static const site *site_of(const char *names, const char *text)
{
  static site *first;
  site *s = first;
  while (s != NULL && (strcmp(s->text, text) != 0 || strcmp(s->where.args, names) != 0))
    s = s->next;
  if (s != NULL) return s;
  s = calloc(1, sizeof *s);
  s->next = first;
  s->where = (tsr_location){__FILE__, __func__, __LINE__, "tsr_eval", strdup(names)};
  s->text = strdup(text);
  return first = s;
}

static void measure(tsr_dtype dtype, int64_t n, int64_t rows, const char *names, const char *text)
{
  TSR_SCOPE();
  const int64_t columns = n / rows;
  values v = {
      .x = vector(dtype, n, 0), .y = vector(dtype, n, 17), .m = vector(TSR_DTYPE_BOOL, n, 5)};
  v.a = tsr_reshape(vector(dtype, rows * columns, 3), TSR_SHAPE(rows, columns));
  v.b = tsr_reshape(vector(dtype, rows * columns, 29), TSR_SHAPE(columns, rows));
  tsr_operand xs[MOST_NAMES];
  int n_names = 0;
  for (const char *c = names; *c != '\0' && n_names < MOST_NAMES; c++)
    if (*c != ',') xs[n_names++] = operand(&v, *c);
  const site *at = site_of(names, text);
  double seconds = evaluate(&at->where, at->text, n_names, xs, 3), us[N_BATCHES];
  if (seconds < 0) {
    answer_error();
    return;
  }
  int64_t laps = 1;
  for (;; laps *= 2) {
    seconds = evaluate(&at->where, at->text, n_names, xs, laps);
    if (seconds >= batch_s) break;
  }
  for (int k = 0; k < N_BATCHES; k++)
    us[k] = 1e6 * evaluate(&at->where, at->text, n_names, xs, laps) / (double)laps;
  qsort(us, N_BATCHES, sizeof *us, compare);
  printf("us=%.4f\n", us[N_BATCHES / 2]);
}

int main(int argc, char **argv)
{
  char line[512], dtype[16], names[32];
  tsr_init(&argc, &argv);
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  while (fgets(line, sizeof line, stdin) != NULL) {
    long long n, rows;
    int at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%15s %lld %lld %31s %n", dtype, &n, &rows, names, &at) < 4 || at == 0) {
      printf("error the line is not understood\n");
    } else {
      measure(dtype_of(dtype), n, rows, names, line + at);
    }
    fflush(stdout);
  }
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
