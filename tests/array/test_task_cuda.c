/* Users' tasks with CUDA C beside their C function: one text is both, and a task that has the C
 * function alone gives the values to be had, bit for bit, on 1 to 3 ranks. */
#include "array_test.h"

#include "kernel/compile/nvrtc.h"
#include "kernel/cpu/isa.h"
#include "kernel/compile/code.h"
#include "program/task_cuda.h"
#include "runtime/base/text.h"

TestSuite(task_cuda, .timeout = 240);

/* A function of a box, and the same text as CUDA C. */
#define TASK(name, ...)                                                                            \
  static int name(const tsr_task_box *b) __VA_ARGS__ static const char name##_cuda[] =             \
      "__device__ int " #name "(const tsr_task_box *b) " #__VA_ARGS__;

/* y = 2 x + z / 3 + the point's number */
TASK(mixed, {
  for (int64_t i = 0; i < b->shape[0]; i++)
    for (int64_t j = 0; j < b->shape[1]; j++) {
      const char *x = (const char *)b->in[0].data;
      const char *z = (const char *)b->in[1].data;
      x += i * b->in[0].stride_bytes[0] + j * b->in[0].stride_bytes[1];
      z += i * b->in[1].stride_bytes[0] + j * b->in[1].stride_bytes[1];
      const double at = (double)((b->offset[0] + i) * b->domain[1] + b->offset[1] + j);
      char *y = (char *)b->out[0].data;
      y += i * b->out[0].stride_bytes[0] + j * b->out[0].stride_bytes[1];
      *(double *)y = 2 * *(const double *)x + *(const float *)z / 3 + at;
    }
  return 0;
})

/* y: what there is around x, the farther the less; n: how many there are */
TASK(around, {
  for (int64_t i = 0; i < b->shape[0]; i++)
    for (int64_t j = 0; j < b->shape[1]; j++) {
      const tsr_task_argument *x = &b->in[0];
      const char *at = (const char *)x->data;
      double sum = 0;
      int n = 0;
      for (int64_t k = -2; k <= 1; k++)
        for (int64_t l = -1; l <= 1; l++) {
          if (i + k < -x->before[0] || i + k >= b->shape[0] + x->after[0]) continue;
          if (j + l < -x->before[1] || j + l >= b->shape[1] + x->after[1]) continue;
          sum +=
              *(const double *)(at + (i + k) * x->stride_bytes[0] + (j + l) * x->stride_bytes[1]) *
              ++n;
        }
      char *y = (char *)b->out[0].data;
      char *m = (char *)b->out[1].data;
      *(double *)(y + i * b->out[0].stride_bytes[0] + j * b->out[0].stride_bytes[1]) = sum;
      *(int *)(m + i * b->out[1].stride_bytes[0] + j * b->out[1].stride_bytes[1]) = n;
    }
  return 0;
})

/* y = the table's element at k, of its last column if k is too large */
TASK(look_up, {
  const tsr_task_argument *table = &b->in[1];
  for (int64_t i = 0; i < b->shape[0]; i++) {
    const int64_t k =
        *(const int64_t *)((const char *)b->in[0].data + i * b->in[0].stride_bytes[0]);
    const int64_t last = table->shape[1] - 1;
    const char *at = (const char *)table->data + k % table->shape[0] * table->stride_bytes[0];
    at += (k < last ? k : last) * table->stride_bytes[1];
    *(double *)((char *)b->out[0].data + i * b->out[0].stride_bytes[0]) = *(const double *)at;
  }
  return 0;
})

/* x += 2 y, z = x as it was */
TASK(update, {
  for (int64_t i = 0; i < b->shape[0]; i++)
    for (int64_t j = 0; j < b->shape[1]; j++) {
      double *x = (double *)((char *)b->in[0].data + i * b->in[0].stride_bytes[0] +
                             j * b->in[0].stride_bytes[1]);
      const double *y =
          (const double *)((const char *)b->in[1].data + i * b->in[1].stride_bytes[0] +
                           j * b->in[1].stride_bytes[1]);
      if (b->n_in > 2)
        *(double *)((char *)b->in[2].data + i * b->in[2].stride_bytes[0] +
                    j * b->in[2].stride_bytes[1]) = *x;
      *x += 2 * *y;
    }
  return 0;
})

/* Of a block: its sum, its least value, and how many of its values are in each of five parts. */
TASK(measure, {
  for (int64_t i = 0; i < b->shape[0]; i++)
    for (int64_t j = 0; j < b->shape[1]; j++) {
      const double x =
          *(const double *)((const char *)b->in[0].data + i * b->in[0].stride_bytes[0] +
                            j * b->in[0].stride_bytes[1]);
      if (x < *(float *)b->out[1].data) *(float *)b->out[1].data = (float)x;
      *(double *)b->out[0].data += x;
      ++*(int64_t *)((char *)b->out[2].data + (int64_t)x % 5 * b->out[2].stride_bytes[0]);
    }
  return 0;
})

/* y: running sums along axis 1, each of them scaled as the data says. */
TASK(running, {
  const double *scale = (const double *)b->data;
  for (int64_t i = 0; i < b->shape[0]; i++) {
    double sum = b->data_bytes > 8 ? scale[1] : 0;
    for (int64_t j = 0; j < b->shape[1]; j++) {
      sum += *(const double *)((const char *)b->in[0].data + i * b->in[0].stride_bytes[0] +
                               j * b->in[0].stride_bytes[1]);
      *(double *)((char *)b->out[0].data + i * b->out[0].stride_bytes[0] +
                  j * b->out[0].stride_bytes[1]) = sum * scale[0];
    }
  }
  return 0;
})

typedef struct shared {
  _Atomic int failures;
  _Atomic uint64_t n_launched; /* runs of the tasks with CUDA C that were launches */
  _Atomic uint64_t n_raw;      /* of those of which a block of threads makes a call */
  _Atomic uint64_t n_beside;   /* launches of a plan that has groups of the host, too */
  _Atomic uint64_t n_evicted;  /* arrays that left the device in it */
  _Atomic uint64_t n_by_host;  /* chunks that the host ran meanwhile */
} shared;

#define CHECK(s, cond)                                                                             \
  ((cond) ? 0                                                                                      \
          : (fprintf(stderr, "%s:%d: %s %s\n", __FILE__, __LINE__, #cond, tsr_last_error()),       \
             (s)->failures++))

enum { ROWS = 61, COLUMNS = 83 };

/* Do both have the same bytes? */
static bool same(tsr_array x, tsr_array y)
{
  const size_t bytes = (size_t)tsr_size(x) * tsr__dtype_size(tsr_dtype_of(x));
  char *a = malloc(bytes + 1), *b = malloc(bytes + 1);
  const bool ok = tsr_size(x) == tsr_size(y) && tsr_dtype_of(x) == tsr_dtype_of(y) &&
                  tsr_to_host(x, a) == TSR_OK && tsr_to_host(y, b) == TSR_OK &&
                  memcmp(a, b, bytes) == 0;
  free(a);
  free(b);
  return ok;
}

static tsr_array ramp(void)
{
  tsr_array x = tsr_arange(0, (double)ROWS * COLUMNS, 1, TSR_FLOAT64);
  return tsr_copy(
      tsr_reshape(tsr_sqrt(tsr_remainder(tsr_multiply(x, 7), 31)), TSR_SHAPE(ROWS, COLUMNS)));
}

/* The task without CUDA C, and with it. */
typedef struct pair {
  tsr_function plain, cuda;
} pair;

static pair both(shared *s, const char *inputs, const char *outputs, tsr_task_function function,
                 const char *entry, const char *source)
{
  const pair p = {tsr_task("plain", inputs, outputs, function),
                  tsr_task("beside", inputs, outputs, function)};
  CHECK(s, tsr_task_cuda(p.cuda, entry, source) == TSR_OK);
  CHECK(s, tsr_task_cuda(p.cuda, entry, source) == TSR_OK); /* the same again changes nothing */
  return p;
}

static void points(shared *s)
{
  const pair p = both(s, "float64 x, float32 z", "float64 y", mixed, "mixed", mixed_cuda);
  tsr_array x = ramp(), z = tsr_astype(tsr_slice(x, "2"), TSR_FLOAT32);
  CHECK(s, same(tsr_call(p.plain, x, z), tsr_call(p.cuda, x, z)));
  CHECK(s, same(tsr_call(p.plain, x, 0.5f), tsr_call(p.cuda, x, 0.5f)));
  CHECK(s, same(tsr_call(p.plain, 0.25, tsr_astype(x, TSR_FLOAT32)),
                tsr_call(p.cuda, 0.25, tsr_astype(x, TSR_FLOAT32))));
  tsr_array part = tsr_transpose(tsr_slice(x, "::-2, 1::3"));
  CHECK(s, same(tsr_call(p.plain, part, 1.0f), tsr_call(p.cuda, part, 1.0f)));
}

static void halos(shared *s)
{
  const pair p =
      both(s, "float64 x halo(2:1, 1)", "float64 y, int32 n", around, "around", around_cuda);
  tsr_array x = ramp(), a[2], b[2];
  for (int i = 0; i < 3; i++) { /* remembered from the second on */
    CHECK(s, tsr_call_outputs(a, p.plain, x) == TSR_OK);
    CHECK(s, tsr_call_outputs(b, p.cuda, x) == TSR_OK);
    CHECK(s, same(a[0], b[0]) && same(a[1], b[1]));
  }
  static const char *const parts[] = {"5:25, 50:10:-2", "30::-2, 1:50:5", ":2, :1"};
  for (int i = 0; i < 3; i++) {
    CHECK(s, tsr_call_outputs(a, p.plain, tsr_slice(x, parts[i])) == TSR_OK);
    CHECK(s, tsr_call_outputs(b, p.cuda, tsr_slice(x, parts[i])) == TSR_OK);
    CHECK(s, same(a[0], b[0]) && same(a[1], b[1]));
  }
}

/* A loop of steps, each of which reads what the one before wrote. */
static void steps(shared *s)
{
  const pair p =
      both(s, "float64 x halo(2:1, 1)", "float64 y, int32 n", around, "around", around_cuda);
  tsr_array x[2] = {ramp(), ramp()};
  for (int which = 0; which < 2; which++)
    for (int i = 0; i < 5; i++) {
      TSR_SCOPE();
      tsr_array out[2];
      CHECK(s, tsr_call_outputs(out, which ? p.cuda : p.plain, tsr_multiply(x[which], 0.125)) ==
                   TSR_OK);
      tsr_assign(x[which], tsr_add(out[0], tsr_multiply(0.5, out[1])));
    }
  CHECK(s, same(x[0], x[1]));
}

static void tables(shared *s)
{
  const pair p =
      both(s, "int64 k, raw float64 table", "float64 y", look_up, "look_up", look_up_cuda);
  tsr_array x = ramp(), k = tsr_arange(0, 3000, 1, TSR_INT64);
  CHECK(s, same(tsr_call(p.plain, k, x), tsr_call(p.cuda, k, x)));
  tsr_array part = tsr_transpose(tsr_slice(x, "::-2, 7:"));
  CHECK(s, same(tsr_call(p.plain, k, part), tsr_call(p.cuda, k, part)));
}

static void written(shared *s)
{
  const pair p = both(s, "inout float64 x, float64 y", "", update, "update", update_cuda);
  const pair two =
      both(s, "inout float64 x, float64 y, out float64 z", "", update, "update", update_cuda);
  tsr_array x[2], z[2];
  for (int i = 0; i < 2; i++) {
    const tsr_function f = i ? p.cuda : p.plain, g = i ? two.cuda : two.plain;
    x[i] = ramp();
    z[i] = tsr_zeros(TSR_SHAPE(COLUMNS, ROWS));
    CHECK(s, tsr_call_outputs(NULL, f, x[i], 0.5) == TSR_OK);
    /* a part of it, backwards, by a row of itself; by its neighbour's values as they were */
    CHECK(s, tsr_call_outputs(NULL, f, tsr_slice(x[i], "1::2, ::-3"), tsr_slice(x[i], "3, :28")) ==
                 TSR_OK);
    CHECK(s, tsr_call_outputs(NULL, f, tsr_slice(x[i], "1:"), tsr_slice(x[i], ":-1")) == TSR_OK);
    CHECK(s, tsr_call_outputs(NULL, g, tsr_transpose(x[i]), 1, z[i]) == TSR_OK);
  }
  CHECK(s, same(x[0], x[1]) && same(z[0], z[1]));
}

static void reduced(shared *s)
{
  const pair p = both(s, "float64 x, grain(100)", "float64 t sum, float32 m min, int64 h[5] sum",
                      measure, "measure", measure_cuda);
  tsr_array x = ramp(), a[3], b[3];
  for (int i = 0; i < 2; i++) {
    CHECK(s, tsr_call_outputs(a, p.plain, i ? tsr_transpose(x) : x) == TSR_OK);
    CHECK(s, tsr_call_outputs(b, p.cuda, i ? tsr_transpose(x) : x) == TSR_OK);
    for (int k = 0; k < 3; k++) CHECK(s, same(a[k], b[k]));
  }
}

static void whole_axes(shared *s)
{
  const pair p = both(s, "float64 x, whole(1)", "float64 y", running, "running", running_cuda);
  const double scale[] = {0.5, 3.25};
  tsr_array x = ramp(), a[1], b[1];
  for (int i = 0; i < 3; i++) { /* the size of the data differs, and then its values do */
    const size_t bytes = i == 0 ? sizeof scale[0] : sizeof scale;
    const double *data = i < 2 ? scale : (const double[]){0.25, 1.5};
    CHECK(s, tsr_call_data(a, p.plain, data, bytes, x) == TSR_OK);
    CHECK(s, tsr_call_data(b, p.cuda, data, bytes, x) == TSR_OK);
    CHECK(s, same(a[0], b[0]));
  }
  /* more data than a launch carries: the host runs it */
  static double large[2000] = {2.0, 1.0};
  CHECK(s, tsr_call_data(a, p.plain, large, sizeof large, x) == TSR_OK);
  CHECK(s, tsr_call_data(b, p.cuda, large, sizeof large, x) == TSR_OK);
  CHECK(s, same(a[0], b[0]));
}

/* A function of a block's box, whose threads call `name` for each point along the first n axes in
 * turn. */
#define SHARED_OUT(name, n)                                                                        \
  "__device__ void shared_out(const tsr_task_box *b, int thread, int n_threads)\n"                 \
  "{\n"                                                                                            \
  "  int64_t n_points = 1;\n"                                                                      \
  "  for (int k = 0; k < " #n "; k++) n_points *= b->shape[k];\n"                                  \
  "  for (int64_t at = thread; at < n_points; at += n_threads) {\n"                                \
  "    tsr_task_box one = *b;\n"                                                                   \
  "    tsr_task_argument a[4];\n"                                                                  \
  "    int64_t left = at, i;\n"                                                                    \
  "    for (int x = 0; x < b->n_in + b->n_out; x++) a[x] = b->in[x];\n"                            \
  "    for (int k = " #n " - 1; k >= 0; k--) {\n"                                                  \
  "      i = left % b->shape[k], left /= b->shape[k];\n"                                           \
  "      for (int x = 0; x < b->n_in + b->n_out; x++) {\n"                                         \
  "        a[x].data = (char *)a[x].data + i * a[x].stride_bytes[k];\n"                            \
  "        a[x].before[k] += i < 1 ? 0 : i, a[x].after[k] += b->shape[k] - 1 - i;\n"               \
  "        a[x].shape[k] = 1;\n"                                                                   \
  "      }\n"                                                                                      \
  "      one.shape[k] = 1, one.offset[k] += i;\n"                                                  \
  "    }\n"                                                                                        \
  "    one.in = a, one.out = a + b->n_in;\n"                                                       \
  "    " #name "(&one);\n"                                                                         \
  "  }\n"                                                                                          \
  "}\n"

static pair raw(shared *s, const char *inputs, const char *outputs, tsr_task_function function,
                const char *text, const char *shares, tsr_dims tile)
{
  const pair p = {tsr_task("plain", inputs, outputs, function),
                  tsr_task("raw", inputs, outputs, function)};
  char source[8000];
  snprintf(source, sizeof source, "%s\n%s", text, shares);
  CHECK(s, tsr_kernel_raw(p.cuda, "shared_out", source, tile) == TSR_OK);
  CHECK(s, tsr_kernel_raw(p.cuda, "shared_out", source, tile) == TSR_OK); /* it changes nothing */
  return p;
}

/* Boxes of which a block of threads makes a call: tiles that divide no length, of fewer axes and of
 * more, with halos, values that begin as others, whole axes, and blocks of reductions. */
static void blocks_of_threads(shared *s)
{
  tsr_array x = ramp(), y[2], a[3], b[3];
  static const tsr_dims tiles[] = {{2, {4, 16}}, {1, {32}}, {3, {2, 7, 5}}, {0, {0}}};
  const pair m = raw(s, "float64 x, float32 z", "float64 y", mixed, mixed_cuda,
                     SHARED_OUT(mixed, 2), tiles[0]);
  CHECK(s, tsr_flush() == TSR_OK);
  const uint64_t before = tsr__context_counters()->n_cuda_runs;
  tsr_array z = tsr_hold(tsr_call(m.cuda, x, 0.5f));
  CHECK(s, tsr_flush() == TSR_OK);
  s->n_raw += tsr__context_counters()->n_cuda_runs - before;
  CHECK(s, same(tsr_call(m.plain, x, 0.5f), z));
  tsr_release(&z);
  for (int i = 0; i < 4; i++) {
    char name[16];
    snprintf(name, sizeof name, "tile%d", i);
    tsr_function f = tsr_task(name, "float64 x halo(2:1, 1)", "float64 y, int32 n", around);
    char source[8000];
    snprintf(source, sizeof source, "%s\n%s", around_cuda, SHARED_OUT(around, 2));
    CHECK(s, tsr_kernel_raw(f, "shared_out", source, tiles[i]) == TSR_OK);
    const tsr_function plain =
        tsr_task("plain", "float64 x halo(2:1, 1)", "float64 y, int32 n", around);
    CHECK(s, tsr_call_outputs(a, plain, x) == TSR_OK && tsr_call_outputs(b, f, x) == TSR_OK);
    CHECK(s, same(a[0], b[0]) && same(a[1], b[1]));
  }
  const pair u = raw(s, "inout float64 x, float64 y", "", update, update_cuda,
                     SHARED_OUT(update, 2), tiles[0]);
  for (int i = 0; i < 2; i++) {
    y[i] = ramp();
    CHECK(s, tsr_call_outputs(NULL, i ? u.cuda : u.plain, tsr_slice(y[i], "1:"),
                              tsr_slice(y[i], ":-1")) == TSR_OK);
  }
  CHECK(s, same(y[0], y[1]));
  const pair w = raw(s, "float64 x, whole(1)", "float64 y", running, running_cuda,
                     SHARED_OUT(running, 1), (tsr_dims){2, {8, 1}});
  const double scale = 0.5;
  CHECK(s, tsr_call_data(a, w.plain, &scale, sizeof scale, x) == TSR_OK);
  CHECK(s, tsr_call_data(b, w.cuda, &scale, sizeof scale, x) == TSR_OK);
  CHECK(s, same(a[0], b[0]));
  const pair r =
      raw(s, "float64 x, grain(100)", "float64 t sum, float32 m min, int64 h[5] sum", measure,
          measure_cuda,
          "__device__ void shared_out(const tsr_task_box *b, int thread, int n_threads)\n"
          "{\n"
          "  if (thread == n_threads - 1) measure(b);\n"
          "}\n",
          tiles[0]);
  CHECK(s, tsr_call_outputs(a, r.plain, x) == TSR_OK && tsr_call_outputs(b, r.cuda, x) == TSR_OK);
  for (int k = 0; k < 3; k++) CHECK(s, same(a[k], b[k]));
}

/* Nothing but the task with CUDA C: if it is launched, the host runs nothing. */
static void alone(shared *s)
{
  tsr_function f = tsr_task("beside", "float64 x, float32 z", "float64 y", mixed);
  CHECK(s, tsr_task_cuda(f, "mixed", mixed_cuda) == TSR_OK);
  tsr_array x = tsr_hold(ramp());
  CHECK(s, tsr_flush() == TSR_OK);
  const uint64_t before[] = {tsr__context_counters()->n_cuda_runs,
                             tsr__context_counters()->n_host_runs};
  tsr_array y = tsr_hold(tsr_call(f, x, 0.5f));
  CHECK(s, tsr_flush() == TSR_OK);
  s->n_launched += tsr__context_counters()->n_cuda_runs - before[0];
  s->n_by_host += tsr__context_counters()->n_host_runs - before[1];
  tsr_release(&x);
  tsr_release(&y);
}

/* A task with CUDA C in a plan whose other groups have to be the host's, but share no memory with
 * it: it is launched as if it were alone, and keeps its arrays on the device. */
static void beside_the_hosts(shared *s)
{
  const pair p = both(s, "float64 x, float32 z", "float64 y", mixed, "mixed", mixed_cuda);
  tsr_array x = tsr_hold(ramp()), z = tsr_hold(ramp());
  CHECK(s, tsr_flush() == TSR_OK);
  const tsr_counters before = *tsr__context_counters();
  tsr_array a = tsr_hold(tsr_call(p.cuda, x, 0.5f)), b = tsr_hold(tsr_call(p.plain, z, 0.5f));
  tsr_array c = tsr_hold(tsr_add(b, 1));
  CHECK(s, tsr_flush() == TSR_OK);
  s->n_beside += tsr__context_counters()->n_cuda_runs - before.n_cuda_runs;
  s->n_evicted += tsr__context_counters()->n_evicted - before.n_evicted;
  CHECK(s, same(a, tsr_call(p.plain, x, 0.5f)) && same(c, tsr_add(b, 1)));
  tsr_array *held[] = {&x, &z, &a, &b, &c};
  for (int i = 0; i < 5; i++) tsr_release(held[i]);
}

static void run(void *arg, int rank)
{
  shared *s = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  points(s);
  halos(s);
  steps(s);
  tables(s);
  written(s);
  reduced(s);
  whole_axes(s);
  blocks_of_threads(s);
  alone(s);
  beside_the_hosts(s);
}

static shared on_ranks(int n, const char *device, const char *memory)
{
  shared s = {.failures = 0};
  const char *const settings[] = {"device",  device,      "check_code",
                                  "cuda",    "placement", "all",
                                  "threads", "1",         "replicate_max",
                                  "0",       "tile_min",  "64",
                                  "places",  "1",         memory ? "device_memory" : NULL,
                                  memory,    NULL};
  cr_expect_eq(tsr_run_ranks(n, settings, run, &s), TSR_OK);
  return s;
}

Test(task_cuda, has_the_bits_of_the_c_function)
{
  no_devices_asked_for();
  for (int n = 1; n <= 3; n++) {
    const shared s = on_ranks(n, "check", NULL);
    cr_expect_eq(s.failures, 0, "%d ranks", n);
    if (s.n_launched == 0 && tsr__isa_get(0) == TSR_ISA_BASELINE) continue; /* check runs C here */
    cr_expect_geq(s.n_launched, (uint64_t)n, "%d ranks", n);
    cr_expect_geq(s.n_raw, (uint64_t)n, "%d ranks", n);
    cr_expect_eq(s.n_by_host, 0, "%d ranks", n);
    cr_expect_geq(s.n_beside, (uint64_t)(2 * n), "%d ranks: the task, and the sum", n);
    cr_expect_eq(s.n_evicted, 0, "%d ranks", n);
  }
  const shared host = on_ranks(2, "cpu", NULL);
  cr_expect_eq(host.failures, 0);
}

/* As the environment asks, with room for all arrays and, where they are on a device, with
 * little. */
Test(task_cuda, has_them_on_the_device_that_is_asked_for)
{
  const char *name = getenv("TESSERA_DEVICE");
  for (int n = 1; n <= 2; n++) {
    const shared s = on_ranks(n, name ? name : "cpu", NULL);
    cr_expect_eq(s.failures, 0, "%d ranks", n);
    if (name && strcmp(name, "cuda") == 0) cr_expect_geq(s.n_launched, (uint64_t)n);
    if (name == NULL || strcmp(name, "cpu") == 0) continue;
    const shared little = on_ranks(n, name, "128K");
    cr_expect_eq(little.failures, 0);
  }
}

/* A source that does not compile. */

static int double_of(const tsr_task_box *b)
{
  for (int64_t i = 0; i < b->shape[0]; i++)
    *(double *)((char *)b->out[0].data + i * b->out[0].stride_bytes[0]) =
        2 * *(const double *)((const char *)b->in[0].data + i * b->in[0].stride_bytes[0]);
  return 0;
}

static void run_wrong_source(void *arg, int rank)
{
  int *n_right = arg;
  double host[100];
  tsr_function f = tsr_task("double_of", "float64 x", "float64 y", double_of);
  if (tsr_task_cuda(f, "double_of",
                    "__device__ void double_of(const tsr_task_box *b)\n"
                    "{\n"
                    "  *(double *)b->out[0].data = 2 * no_such_name;\n"
                    "}\n") != TSR_OK)
    return;
  bool right = true;
  for (int k = 0; k < 3; k++) {
    if (tsr_to_host(tsr_call(f, tsr_add(tsr_arange(100.0), k)), host) != TSR_OK) return;
    for (int i = 0; i < 100; i++) right = right && host[i] == 2.0 * (i + k);
  }
  __atomic_fetch_add(n_right, right, __ATOMIC_RELAXED);
}

static int n_of_child;

static void run_in_child_process(void)
{
  int n_right = 0;
  const char *const settings[] = {"device",   "check",  "check_code", "cuda",          "placement",
                                  "all",      "places", "1",          "replicate_max", "0",
                                  "tile_min", "16",     NULL};
  const tsr_status status = tsr_run_ranks(n_of_child, settings, run_wrong_source, &n_right);
  _exit(status == TSR_OK && n_right == n_of_child ? 4 : 11);
}

/* The compiler's words at the user's line, once; then the host runs the C function. */
Test(task_cuda, what_does_not_compile_is_said_once_and_run_by_the_host)
{
  char text[8000];
  no_devices_asked_for();
  if (tsr__isa_get(0) == TSR_ISA_BASELINE) return; /* check runs C here */
  for (n_of_child = 1; n_of_child <= 2; n_of_child++) {
    cr_expect_eq(run_in_child(NULL, run_in_child_process, text, sizeof text), 4, "%s", text);
    static const char said[] =
        "tessera: warning: the CUDA C of a task does not compile, so the host "
        "runs its C function:\n";
    const char *first = strstr(text, said);
    cr_assert_not_null(first, "%s", text);
    const char *line = strstr(first, "double_of:3:");
    cr_expect(line != NULL && strstr(first, "test_task_cuda.c:") < line, "%s", text);
    cr_expect_not_null(strstr(first, "no_such_name"), "%s", text);
    cr_expect_null(strstr(first + 1, said), "said once: %s", text);
  }
}

/* Errors. */

Test(task_cuda, wrong_calls_are_errors, .init = begin, .fini = end)
{
  tsr_function f = tsr_task("double_of", "float64 x", "float64 y", double_of);
  const char *none = NULL;
  EXPECT_ERROR(tsr_task_cuda(f, none, "text"), "TSR0101", "a text is NULL", "tsr_task_cuda");
  EXPECT_ERROR(tsr_task_cuda(f, "double_of", none), "TSR0101", "a text is NULL");
  EXPECT_ERROR(tsr_task_cuda(f, "double of", "text"), "TSR0101",
               "the entry of task double_of is no name: `double of`", "tsr_task_cuda");
  cr_expect_eq(tsr_task_cuda(f, "double_of", "text"), TSR_OK);
  EXPECT_ERROR(tsr_task_cuda(f, "double_of", "other text"), "TSR0101",
               "task double_of has other CUDA C already", "help: make a task of another name");
  EXPECT_ERROR(tsr_kernel_raw(f, "double_of", "other", 16), "TSR0101",
               "task double_of has other CUDA C already");
  EXPECT_ERROR(tsr_kernel_raw(f, "double_of", "other", TSR_SHAPE(16, 0)), "TSR0101",
               "the tile has 0 points along its axis 1; from 1 to 1048576 there may be");
  tsr_function k = tsr_kernel_elementwise("twice", "float64 x", "float64 y", "y = 2 * x");
  EXPECT_ERROR(tsr_task_cuda(k, "twice", "text"), "TSR0101",
               "kernel twice is no task, so it takes no CUDA C");
  EXPECT_ERROR(tsr_task_cuda((tsr_function){12345}, "twice", "text"), "TSR0",
               "this kernel belongs to a context that has ended, or another");
}

/* The texts of calls by NVRTC itself, without a device. */

/* What threads of a block share, and wait for: as C there is no such thing. */
static const char in_shared_memory[] =
    "__device__ void sums(const tsr_task_box *b, int thread, int n_threads)\n"
    "{\n"
    "#ifndef TSR_CUDA_AS_C\n"
    "  __shared__ double row[66];\n"
    "  const tsr_task_argument *x = &b->in[0], *y = &b->out[0];\n"
    "  const int64_t n = b->shape[0] + x->before[0] + x->after[0];\n"
    "  for (int64_t i = thread; i < n; i += n_threads)\n"
    "    row[i] = *(const double *)((const char *)x->data + (i - x->before[0]) * "
    "x->stride_bytes[0]);\n"
    "  __syncthreads();\n"
    "  for (int64_t i = thread; i < b->shape[0]; i += n_threads) {\n"
    "    const int64_t at = i + x->before[0];\n"
    "    *(double *)((char *)y->data + i * y->stride_bytes[0]) =\n"
    "        (at > 0 ? row[at - 1] : 0) + row[at] + (at + 1 < n ? row[at + 1] : 0);\n"
    "  }\n"
    "#endif\n"
    "}\n";

static void record_all(shared *s)
{
  tsr_array x = ramp(), out[3];
  out[0] = tsr_call(both(s, "float64 x, float32 z", "float64 y", mixed, "mixed", mixed_cuda).cuda,
                    x, 0.5f);
  CHECK(s, tsr_call_outputs(out,
                            both(s, "float64 x halo(2:1, 1)", "float64 y, int32 n", around,
                                 "around", around_cuda)
                                .cuda,
                            x) == TSR_OK);
  out[0] = tsr_call(
      both(s, "int64 k, raw float64 table", "float64 y", look_up, "look_up", look_up_cuda).cuda,
      tsr_arange(0, 3000, 1, TSR_INT64), x);
  CHECK(s, tsr_call_outputs(NULL,
                            both(s, "inout float64 x, float64 y, out float64 z", "", update,
                                 "update", update_cuda)
                                .cuda,
                            x, 1, tsr_zeros(TSR_SHAPE(ROWS, COLUMNS))) == TSR_OK);
  CHECK(s, tsr_call_outputs(out,
                            both(s, "float64 x, grain(100)",
                                 "float64 t sum, float32 m min, int64 h[5] sum", measure, "measure",
                                 measure_cuda)
                                .cuda,
                            x) == TSR_OK);
  CHECK(s,
        tsr_call_data(
            out, both(s, "float64 x, whole(1)", "float64 y", running, "running", running_cuda).cuda,
            (double[]){1.0}, 8, x) == TSR_OK);
  tsr_function sums = tsr_task("sums", "float64 x halo(1)", "float64 y", double_of);
  CHECK(s, tsr_kernel_raw(sums, "sums", in_shared_memory, 64) == TSR_OK);
  out[0] = tsr_call(sums, tsr_slice(x, "3"));
}

static void compile_texts(void *arg, int rank)
{
  shared *s = arg;
  char why[200];
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_nvrtc *n = tsr__nvrtc_open(why, sizeof why);
  if (n == NULL) { /* there is none here */
    CHECK(s, getenv("TEST_NEEDS_ALL") == NULL);
    return;
  }
  record_all(s);
  const tsr_window *w = &tsr_context_current()->window;
  for (int32_t i = 0; i < w->n_ops; i++) {
    const tsr_task_call *call = w->ops[i]->call;
    if (call == NULL || call->form->cuda == NULL) continue;
    tsr_text source = {0};
    const char *text = call->form->cuda->text, *at = strchr(text, TSR_SOURCE_NAME);
    tsr__code_cuda.add_prelude(NULL, &source);
    tsr__text_add(&source, "%.*skernel%s", (int)(at - text), text, at + 1);
    tsr_nvrtc_code code;
    CHECK(s, tsr__nvrtc_compile(n, source.s, "sm_90", NULL, &code));
    if (code.log != NULL && code.ptx == NULL) fprintf(stderr, "%s\n", code.log);
    CHECK(s,
          code.ptx == NULL || strstr(code.ptx, ".local") == NULL); /* all of it is in registers */
    s->n_launched++;
    tsr__nvrtc_code_free(&code);
    tsr__text_free(&source);
  }
  tsr__nvrtc_close(n);
}

Test(task_cuda, nvrtc_takes_the_texts_and_keeps_boxes_in_registers)
{
  shared s = {.failures = 0};
  no_devices_asked_for();
  const char *const settings[] = {"device", "check",      "places", "1", "inorder",
                                  "0",      "check_code", "cuda",   NULL};
  cr_expect_eq(tsr_run_ranks(1, settings, compile_texts, &s), TSR_OK);
  cr_expect_eq(s.failures, 0);
  cr_expect(s.n_launched == 7 || s.n_launched == 0, "%d texts", (int)s.n_launched);
}
