/* Arrays on a device (TESSERA_DEVICE): the same bits as in the host's memory, on 1 to 3 ranks, for
 * every way in and out; and plans alone. */
#include "array_test.h"
#include "kernel/cpu/isa.h"
#include "runtime/machine/ranges.h"

enum { N = 48, M = 40, N_STEPS = 4 };

typedef struct outcome {
  double field[N * M], product[N * N], few[8];
  uint64_t bytes_sent, bytes_between, bytes_linked;
  uint64_t n_runs, n_device_runs, n_cuda_runs, n_cuda_fallbacks, n_task_runs, n_messages,
      n_messages_within, n_hits, n_recorded_groups;
  size_t in_use_bytes; /* of arrays, at the end */
} outcome;

/* Have two outcomes the same bits? */
static bool are_same(const outcome *x, const outcome *y)
{
  return !memcmp(x->field, y->field, sizeof x->field) &&
         !memcmp(x->product, y->product, sizeof x->product) &&
         !memcmp(x->few, y->few, sizeof x->few);
}

/* Tiles are read with a halo and written, in the host's memory. */
static void change_tiles(tsr_array u)
{
  const int64_t halo[2] = {1, 1};
  tsr_local_tile tile;
  tsr_array sums = tsr_zeros_like(u);
  cr_assert_eq(tsr_local(sums, NULL, true, &tile), TSR_OK, "%s", tsr_last_error());
  tsr_local_tile from;
  cr_assert_eq(tsr_local(u, halo, false, &from), TSR_OK, "%s", tsr_last_error());
  for (int64_t i = 0; i < tile.n[0]; i++)
    for (int64_t j = 0; j < tile.n[1]; j++) {
      const char *at =
          (const char *)from.data + i * from.stride_bytes[0] + j * from.stride_bytes[1];
      const bool has_left = from.lo[1] + j > 0;
      double *to =
          (double *)((char *)tile.data + i * tile.stride_bytes[0] + j * tile.stride_bytes[1]);
      *to = *(const double *)at + (has_left ? *(const double *)(at - from.stride_bytes[1]) : 0);
    }
  cr_assert_eq(tsr_local_end(&from), TSR_OK);
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  tsr_assign(u, sums);
}

static void program(void *arg, int rank)
{
  double start[N * M];
  for (int i = 0; i < N * M; i++) start[i] = 0.25 + (double)(i * 37 % 101) / 64;
  tsr_array u = tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(N, M)); /* imported */
  tsr_array inner = tsr_slice(u, "1:-1, 1:-1");
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_assign(inner,
               tsr_multiply(0.25, tsr_add(tsr_slice(u, ":-2, 1:-1"), tsr_slice(u, "2:, 1:-1"),
                                          tsr_slice(u, "1:-1, :-2"), tsr_slice(u, "1:-1, 2:"))));
    tsr_flush();
  }
  change_tiles(u);
  outcome out = {.few = {tsr_item_f64(tsr_sum(u)), tsr_item_f64(tsr_max(u)),
                         tsr_item_f64(tsr_slice(u, "5, 7")),
                         tsr_item_f64(tsr_sum(tsr_slice(tsr_mean(u, TSR_AXES(1)), "::3")))}};
  tsr_array product = tsr_matmul(u, tsr_transpose(u));
  tsr_to_host(tsr_slice(u, "::-1, ::-1"), out.field);
  tsr_to_host(product, out.product);
  const tsr_counters *did = tsr__context_counters();
  out.n_runs = did->n_compiled_runs + did->n_interpreted_runs;
  out.n_task_runs = did->n_task_runs;
  out.n_device_runs = did->n_device_runs;
  out.n_cuda_runs = did->n_cuda_runs;
  out.n_cuda_fallbacks = did->n_cuda_fallbacks;
  out.n_messages = did->n_messages;
  out.n_messages_within = did->n_messages_within;
  out.bytes_sent = did->bytes_sent;
  out.bytes_between = did->bytes_between;
  out.bytes_linked = did->bytes_linked;
  out.n_hits = did->n_plan_hits;
  out.n_recorded_groups = did->n_groups;
  out.in_use_bytes = tsr__context_memory().in_use_bytes;
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(outcome *)arg = out;
}

static void run_on_places(const char *device, const char *places, int n_ranks,
                          const char *inline_elems, outcome *out)
{
  RUN_RANKS(n_ranks, program, out, "device", device, "check_code", "c", "placement", "all",
            "places", places, "threads", "2", "bind", "0", "replicate_max", "0", "tile_min", "64",
            "chunk_bytes", "512", "inline_elems", inline_elems);
}

static void run_on(const char *device, int n_ranks, const char *inline_elems, outcome *out)
{
  run_on_places(device, "1", n_ranks, inline_elems, out);
}

Test(devices, check_has_the_bits_of_the_host)
{
  no_devices_asked_for();
  static outcome host, check;
  run_on("cpu", 1, "0", &host);
  cr_expect_eq(host.n_device_runs, 0);
  for (int n = 1; n <= 3; n++)
    for (int in_line = 0; in_line < 2; in_line++) {
      run_on("check", n, in_line ? "1M" : "0", &check);
      cr_expect(are_same(&check, &host), "%d ranks", n);
      cr_expect_gt(check.n_device_runs, 0);
      cr_expect_geq(check.n_device_runs, check.n_runs + check.n_task_runs,
                    "%d ranks: nothing ran but on the device", n);
      cr_expect_gt(check.n_task_runs, 0);
      cr_expect(n == 1 || check.n_messages > 0);
      cr_expect_gt(check.in_use_bytes, 0);
    }
}

/* For tests in which the host runs the text for CUDA. */
static void text_is_asked_for(void)
{
  no_devices_asked_for();
  if (tsr__isa_get(0) == TSR_ISA_BASELINE) cr_skip_test("there is no fused multiply-add");
}

typedef struct repeated {
  double field[N * M], sum;
  uint64_t n_graph_runs, n_running_on;
} repeated;

/* Windows of many small steps, whose scalars change. */
static void repeat_steps(void *arg, int rank)
{
  repeated out = {.sum = 0};
  tsr_array u = tsr_copy(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M))),
            inner = tsr_slice(u, "1:-1, 1:-1");
  for (int i = 0; i < 20; i++) {
    TSR_SCOPE();
    for (int k = 0; k < 6; k++)
      tsr_assign(inner, tsr_multiply(0.25 + 0.01 * i + 0.002 * k,
                                     tsr_add(tsr_slice(u, ":-2, 1:-1"), tsr_slice(u, "2:, 1:-1"),
                                             tsr_slice(u, "1:-1, :-2"), tsr_slice(u, "1:-1, 2:"))));
    if (i % 5 == 4) out.sum += tsr_item_f64(tsr_sum(u));
    tsr_flush();
  }
  tsr_to_host(u, out.field);
  out.n_graph_runs = tsr__context_counters()->n_graph_runs;
  out.n_running_on = tsr__context_counters()->n_running_on;
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(repeated *)arg = out;
}

/* The launches of plans that run again are graphs, and change nothing. */
Test(devices, plans_that_run_again_are_graphs, .timeout = 120)
{
  static repeated host, without, with;
  const char *device = getenv("TESSERA_DEVICE");
  char name[8];
  snprintf(name, sizeof name, "%s", device != NULL && !strcmp(device, "cuda") ? "cuda" : "check");
  text_is_asked_for();
  RUN_RANKS(1, repeat_steps, &host, "device", "cpu");
  cr_expect_eq(host.n_graph_runs, 0);
  for (int n = 1; n <= 2; n++)
    for (int in_line = 0; in_line < 2; in_line++) {
#define ON_DEVICE                                                                                  \
  "device", name, "check_code", "cuda", "jit", "eager", "placement", "all", "places", "1",         \
      "threads", "2", "replicate_max", "0", "inline_elems", in_line ? "1M" : "0", "seed", "0"
      RUN_RANKS(n, repeat_steps, &without, ON_DEVICE, "graphs", "0");
      RUN_RANKS(n, repeat_steps, &with, ON_DEVICE, "graphs", "1");
#undef ON_DEVICE
      cr_expect_eq(without.n_graph_runs, 0);
      if (n == 1) cr_expect_gt(with.n_graph_runs, 60, "%d", (int)with.n_graph_runs);
      cr_expect_arr_eq(without.field, host.field, sizeof host.field, "%d ranks", n);
      cr_expect_arr_eq(with.field, host.field, sizeof host.field, "%d ranks", n);
      cr_expect(with.sum == host.sum && without.sum == host.sum);
    }
}

/* Arrays that are made, used once and released at each flush: what they lie in is given to others
 * while kernels may still use it. Every fifth value is read. */
static void replace_arrays(void *arg, int rank)
{
  repeated out = {.sum = 0};
  tsr_array u = tsr_copy(tsr_reshape(tsr_arange(N * M), TSR_SHAPE(N, M)));
  for (int i = 0; i < 40; i++) {
    tsr_array old = u, flipped = tsr_null();
    {
      TSR_SCOPE();
      flipped = tsr_keep(tsr_copy(tsr_flip(tsr_multiply(u, 1.0 + 0.001 * i))));
    }
    u = tsr_add(flipped, tsr_multiply(old, 0.5));
    tsr_flush();
    tsr_release(&old);
    tsr_release(&flipped);
    if (i % 5 == 4) out.sum += tsr_item_f64(tsr_slice(u, "3, 4"));
  }
  tsr_to_host(u, out.field);
  out.n_running_on = tsr__context_counters()->n_running_on;
  cr_expect_str_eq(tsr_last_error(), "");
  if (rank == 0) *(repeated *)arg = out;
}

/* A flush ends without a wait for the kernels that it put into a device's queue; one with messages,
 * or with memory on both sides, waits. */
Test(devices, a_flush_ends_while_its_kernels_run, .timeout = 120)
{
  static repeated host, device;
  static const struct {
    void (*fn)(void *, int);
    int ranks;
    uint64_t least;
    const char *memory;
    bool waits;
  } cases[] = {{repeat_steps, 1, 12, "0", false},
               {repeat_steps, 2, 0, "0", true},
               {replace_arrays, 1, 30, "0", false},
               {replace_arrays, 1, 0, "64K", false}};
  const char *name = getenv("TESSERA_DEVICE");
  char kind[8];
  snprintf(kind, sizeof kind, "%s", name != NULL && !strcmp(name, "cuda") ? "cuda" : "check");
  text_is_asked_for();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    RUN_RANKS(1, cases[i].fn, &host, "device", "cpu");
    cr_expect_eq(host.n_running_on, 0);
    RUN_RANKS(cases[i].ranks, cases[i].fn, &device, "device", kind, "check_code", "cuda", "jit",
              "eager", "placement", "all", "places", "1", "replicate_max", "0", "seed", "0",
              "device_memory", cases[i].memory, "tile_min", "64");
    if (cases[i].waits)
      cr_expect_lt(device.n_running_on, 6, "case %zu: %d", i, (int)device.n_running_on);
    else
      cr_expect_geq(device.n_running_on, cases[i].least, "case %zu: %d", i,
                    (int)device.n_running_on);
    cr_expect_arr_eq(device.field, host.field, sizeof host.field, "case %zu", i);
    cr_expect(device.sum == host.sum, "case %zu", i);
  }
}

/* A value that is reduced and used on the device. */
static void use_values(void *arg, int rank)
{
  tsr_array p = tsr_add(tsr_arange(2000), 1.0), x = tsr_zeros(TSR_SHAPE(2000));
  for (int i = 0; i < 10; i++) {
    tsr_exec("p *= 0.5; x += sum(p*p)*p", x, p);
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  *(uint64_t *)arg = tsr__context_counters()->n_graph_runs;
  double want = 0, squares = 2668667000.0; /* all is exact but the additions to x */
  for (int i = 0; i < 10; i++) want += squares *= 0.125;
  cr_expect_eq(tsr_item_f64(tsr_slice(x, "0")), want, "not %.17g", want);
}

Test(devices, values_that_stay_there_do_not_end_a_graph, .timeout = 120)
{
  text_is_asked_for();
  uint64_t n = 0;
  RUN_RANKS(1, use_values, &n, "device", "check", "check_code", "cuda", "jit", "eager", "placement",
            "all", "places", "1", "seed", "0");
  cr_expect_geq(n, 8 * 4, "%d", (int)n);
}

/* What a CUDA device would run has the bits of the host, on a device that runs nothing else. */
Test(devices, text_for_cuda_has_the_bits_of_the_host, .timeout = 120)
{
  no_devices_asked_for();
  static outcome host, cuda;
  run_on("cpu", 1, "0", &host);
  cr_expect_eq(host.n_cuda_runs + host.n_cuda_fallbacks, 0);
  if (tsr__isa_get(0) == TSR_ISA_BASELINE) cr_skip_test("there is no fused multiply-add");
  for (int n = 1; n <= 3; n++) {
    char seed[8];
    snprintf(seed, sizeof seed, "%d", n);
    RUN_RANKS(n, program, &cuda, "device", "check", "check_code", "cuda", "jit", "eager", "places",
              n == 3 ? "1" : "2", "threads", "2", "bind", "0", "replicate_max", "0", "tile_min",
              "64", "chunk_bytes", "512", "inline_elems", "0", "seed", seed);
    cr_expect(are_same(&cuda, &host), "%d ranks", n);
    cr_expect_gt(cuda.n_cuda_runs, 20);
    cr_expect_eq(cuda.n_cuda_fallbacks, 0,
                 "nothing is left to the host, reductions and the product "
                 "neither");
  }
}

/* Elementwise kernels, stencils, random numbers, reductions and copies between places: nothing for
 * the host. */
static void stay_on_the_device(void *arg, int rank)
{
  uint64_t *did = arg;
  tsr_array u = tsr_ones(TSR_SHAPE(N, M));
  tsr_rng rng = tsr_default_rng(5);
  tsr_array v = tsr_rng_uniform(&rng, 0, 1, TSR_SHAPE(N, M));
  for (int i = 0; i < 3; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    tsr_assign(v, tsr_where(tsr_greater(v, 0.5), tsr_exp(u), tsr_sqrt(v)));
    tsr_array sums = tsr_eval("sum(u*v, axis=0) + max(v, axis=1)[:1]", u, v);
    tsr_array least = tsr_eval("argmin(v) + sum(v > 0.5)", v);
    cr_assert(tsr_ok(sums) && tsr_ok(least), "%s", tsr_last_error());
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  }
  const tsr_counters *c = tsr__context_counters();
  if (rank > 0) return;
  did[0] = c->n_cuda_runs;
  did[1] = c->n_device_runs;
  did[2] = c->n_host_runs + c->n_cuda_fallbacks;
  did[3] = c->n_strided_boxes;
}

Test(devices, what_has_a_text_runs_on_the_device, .timeout = 120)
{
  text_is_asked_for();
  for (int n = 1; n <= 2; n++) {
    uint64_t did[4] = {0};
    RUN_RANKS(n, stay_on_the_device, did, "device", "check", "check_code", "cuda", "jit", "lazy",
              "places", n == 1 ? "2" : "1", "replicate_max", "0", "tile_min", "64", "inline_elems",
              "0");
    cr_expect_gt(did[1], 0);
    cr_expect_geq(did[0], did[1], "every chunk is a launch, and so is packing");
    cr_expect_eq(did[2], 0, "the host ran %d chunks", (int)did[2]);
    cr_expect_eq(did[3], 0, "kernels pack");
  }
}

/* Rows so long that the host, whose second-level cache does not hold three, would cut them. */
static void step_over_long_rows(void *arg, int rank)
{
  tsr_array u = tsr_ones(TSR_SHAPE(5, 300000)), v = tsr_zeros(TSR_SHAPE(3, 299998));
  cr_assert_eq(tsr_flush(), TSR_OK);
  const tsr_counters *c = tsr__context_counters();
  const uint64_t before = c->n_cuda_runs;
  tsr_exec("v[...] = u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:]", v, u);
  cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  *(uint64_t *)arg = c->n_cuda_runs - before;
  cr_expect_eq(tsr_item_f64(tsr_sum(v)), 4.0 * 3 * 299998);
}

Test(devices, a_step_is_one_launch_however_long_its_rows, .timeout = 120)
{
  text_is_asked_for();
  uint64_t n = 0;
  RUN_RANKS(1, step_over_long_rows, &n, "device", "check", "check_code", "cuda", "places", "1",
            "placement", "all");
  cr_expect_eq(n, 1, "%d launches", (int)n);
}

/* A result takes its memory over from a temporary that is still in use when it is computed. */
static void reduce_into_used_memory(void *arg, int rank)
{
  float *out = arg;
  tsr_array a = tsr_full(TSR_SHAPE(6, 6), 1, TSR_FLOAT32), b = tsr_zeros(TSR_SHAPE(6), TSR_FLOAT32);
  tsr_array c = tsr_arange(-16, -14.5, 0.25, TSR_FLOAT32);
  tsr_exec("b[...] = prod(a*0.5, axis=0)", b, a);
  cr_assert_eq(tsr_to_host(b, out), TSR_OK, "%s", tsr_last_error());
  cr_assert_eq(tsr_to_host(c, out + 6), TSR_OK, "%s", tsr_last_error());
}

Test(devices, a_result_waits_for_its_memory)
{
  text_is_asked_for();
  float out[12];
  RUN_RANKS(1, reduce_into_used_memory, out, "device", "check", "check_code", "cuda", "places", "1",
            "fusion", "0", "fold_max", "0", "inline_elems", "0");
  for (int i = 0; i < 6; i++) {
    cr_expect_eq(out[i], 0.015625f);
    cr_expect_eq(out[6 + i], -16.0f + 0.25f * (float)i);
  }
}

/* Products over several panels, of both dtypes that have a text, and of one that has none. */
static void multiply(void *arg, int rank)
{
  uint64_t *did = arg;
  tsr_array u = tsr_ones(TSR_SHAPE(60, 1100)), v = tsr_ones(TSR_SHAPE(50, 1100));
  const tsr_counters *c = tsr__context_counters();
  for (int i = 0; i < 2; i++) {
    const tsr_dtype dtype = i == 0 ? TSR_FLOAT64 : TSR_FLOAT32;
    tsr_array x = tsr_matmul(tsr_astype(u, dtype), tsr_transpose(tsr_astype(v, dtype)));
    cr_assert_eq(tsr_item_f64(tsr_min(x)), 1100, "%s", tsr_last_error());
  }
  const uint64_t before[] = {c->n_task_runs, c->n_cuda_runs, c->n_host_runs + c->n_cuda_fallbacks};
  tsr_array whole = tsr_matmul(tsr_astype(u, TSR_INT32), tsr_transpose(tsr_astype(v, TSR_INT32)));
  cr_assert_eq(tsr_item_i64(tsr_min(whole)), 1100, "%s", tsr_last_error());
  if (rank > 0) return;
  memcpy(did, before, sizeof before);
  did[3] = c->n_cuda_fallbacks;
}

Test(devices, products_that_have_a_text_run_on_the_device, .timeout = 120)
{
  text_is_asked_for();
  for (int n = 1; n <= 2; n++)
    for (int places = 1; places <= 2; places++) {
      uint64_t did[4] = {0};
      RUN_RANKS(n, multiply, did, "device", "check", "check_code", "cuda", "jit", "lazy", "places",
                places == 1 ? "1" : "2", "replicate_max", "0", "tile_min", "64", "inline_elems",
                "0");
      cr_expect_geq(did[0], n * places == 1 ? 2 : 6, "two products, or three panels of each");
      cr_expect_gt(did[1], did[0]);
      cr_expect_eq(did[2], 0, "the host ran %d chunks", (int)did[2]);
      cr_expect_gt(did[3], 0, "integers are multiplied by the host");
    }
}

/* Where the suite runs on a CUDA device, kernels do. */
Test(devices, cuda_has_the_bits_of_the_host_where_the_suite_runs_on_it, .timeout = 120)
{
  static outcome host, cuda;
  const char *device = getenv("TESSERA_DEVICE");
  if (device == NULL || strcmp(device, "cuda") != 0) cr_skip_test("TESSERA_DEVICE is not cuda");
  no_devices_asked_for();
  run_on("cpu", 1, "0", &host);
  for (int n = 1; n <= 3; n++) {
    run_on("cuda", n, n == 2 ? "1M" : "0", &cuda);
    cr_expect(are_same(&cuda, &host), "%d ranks", n);
    cr_expect_gt(cuda.n_cuda_runs, 5, "%d ranks: %d of %d chunks, %d by the host", n,
                 (int)cuda.n_cuda_runs, (int)cuda.n_device_runs, (int)cuda.n_cuda_fallbacks);
    cr_expect_gt(cuda.n_device_runs, cuda.n_cuda_fallbacks);
  }
}

/* Where the suite runs with a link between ranks' devices, it carries what they exchange. */
Test(devices, a_link_has_the_bits_of_the_host_where_the_suite_runs_with_it, .timeout = 120)
{
  static outcome host, linked;
  const char *link = getenv("TESSERA_LINK");
  if (link == NULL || (strcmp(link, "nccl") != 0 && strcmp(link, "ipc") != 0))
    cr_skip_test(
        "it needs TESSERA_LINK, which the suites array_linked_nccl and array_linked_ipc set");
  const char *kind = strcmp(link, "nccl") == 0 ? "nccl" : "ipc";
  no_devices_asked_for();
  run_on("cpu", 1, "0", &host);
  setenv("TESSERA_LINK", kind, 1);
  for (int n = 2; n <= 4; n += 2) {
    run_on("cuda", n, "0", &linked);
    cr_expect(are_same(&linked, &host), "%d ranks", n);
    cr_expect_gt(linked.bytes_linked, 0, "%d ranks", n);
  }
}

static outcome of_host, of_child;

/* Runs the program as a CUDA device would, and compares. */
static void run_as_cuda(void)
{
  if (tsr_run_ranks(
          2, (const char *[]){"device",        "check", "check_code", "cuda", "jit",         "lazy",
                              "places",        "2",     "threads",    "2",    "bind",        "0",
                              "replicate_max", "0",     "tile_min",   "64",   "chunk_bytes", "512",
                              "inline_elems",  "0",     NULL},
          program, &of_child) != TSR_OK)
    _exit(2);
  if (!are_same(&of_child, &of_host)) _exit(3);
  _exit(of_child.n_cuda_runs > 0 ? 4 : of_child.n_cuda_fallbacks > 0 ? 10 : 11);
}

static void with_a_compiler_that_fails(void)
{
  setenv("TESSERA_COMPILER", "/bin/false", 1);
  setenv("TESSERA_CACHE", "", 1);
}

static void without_a_compiler(void)
{
  setenv("TESSERA_COMPILER", "/no/such/compiler", 1);
}

/* Kernels run by the host on copies, and messages that are packed without kernels, have the same
 * bits; each kernel is said once. */
Test(devices, kernels_whose_code_fails_run_on_the_host, .timeout = 120)
{
  char text[60000];
  text_is_asked_for();
  run_on("cpu", 1, "0", &of_host);
  cr_expect_eq(run_in_child(with_a_compiler_that_fails, run_as_cuda, text, sizeof text), 10, "%s",
               text);
  static const char says[] = "has no code for device check";
  const char *first = strstr(text, says);
  cr_assert_not_null(first, "%s", text);
  cr_expect_not_null(strstr(first, "so the host runs it: it could not be compiled"), "%s", text);
}

Test(devices, check_without_a_compiler_runs_c, .timeout = 120)
{
  char text[20000];
  text_is_asked_for();
  run_on("cpu", 1, "0", &of_host);
  cr_expect_eq(run_in_child(without_a_compiler, run_as_cuda, text, sizeof text), 11, "%s", text);
  const char *first = strstr(text, "TESSERA_CHECK_CODE=cuda needs a C compiler");
  cr_assert_not_null(first, "%s", text);
  cr_expect_null(strstr(first + 1, "TESSERA_CHECK_CODE"), "said once: %s", text);
}

/* Each place has its tile: the same bits, with messages between the places of a rank. */
Test(devices, several_places_per_rank_have_the_bits_of_one)
{
  static const char *const kinds[] = {"cpu", "check"}, *const counts[] = {"2", "3"};
  static outcome host, several;
  run_on("cpu", 1, "0", &host);
  cr_expect_eq(host.n_messages_within, 0);
  for (int kind = 0; kind < 2; kind++)
    for (int count = 0; count < 2; count++)
      for (int n = 1; n <= 3; n++) {
        run_on_places(kinds[kind], counts[count], n, n == 2 ? "1M" : "0", &several);
        cr_expect(are_same(&several, &host));
        cr_expect_gt(several.n_messages_within, 0);
        cr_expect(n > 1 || several.n_messages == several.n_messages_within);
        cr_expect(kind == 0 || several.n_device_runs > 0);
        cr_expect_gt(several.bytes_sent, 0);
        cr_expect_eq(several.bytes_between > 0, kind == 1, "%s", kinds[kind]);
      }
}

/* Steps that exchange borders and nothing else. */
typedef struct borders {
  uint64_t bytes_sent, bytes_between, bytes_by_transport, bytes_buffered; /* of rank 0's steps */
} borders;

static void exchange_borders(void *arg, int rank)
{
  tsr_array u = tsr_ones(TSR_SHAPE(N, M));
  const tsr_counters *did = tsr__context_counters();
  const tsr_transport *t = tsr_context_current()->world.transport;
  cr_assert_eq(tsr_flush(), TSR_OK);
  const borders before = {did->bytes_sent, did->bytes_between, t->bytes_sent, did->bytes_buffered};
  for (int i = 0; i < 5; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    cr_assert_eq(tsr_flush(), TSR_OK);
  }
  if (rank == 0)
    *(borders *)arg = (borders){
        did->bytes_sent - before.bytes_sent, did->bytes_between - before.bytes_between,
        t->bytes_sent - before.bytes_by_transport, did->bytes_buffered - before.bytes_buffered};
}

/* All of one rank, and some of two, go from device to device: none of those by the transport. */
Test(devices, borders_between_devices_of_a_rank_do_not_meet_the_host)
{
  static const char *const kinds[] = {"cpu", "check"};
  for (int kind = 0; kind < 2; kind++)
    for (int n = 1; n <= 2; n++) {
      borders b;
      RUN_RANKS(n, exchange_borders, &b, "device", kinds[kind], "places", "3", "replicate_max", "0",
                "tile_min", "64");
      cr_expect_gt(b.bytes_sent, 0);
      cr_expect_eq(b.bytes_between > 0, kind == 1);
      if (kind == 1 && n == 1) {
        cr_expect_eq(b.bytes_between, b.bytes_sent);
        cr_expect_eq(b.bytes_by_transport, 0);
        cr_expect_eq(b.bytes_buffered, 0, "nor is there memory for them");
      } else {
        cr_expect_gt(b.bytes_buffered, 0);
        cr_expect_lt(b.bytes_buffered, 2 * b.bytes_sent, "kept from step to step");
        cr_expect_lt(b.bytes_between, b.bytes_sent);
        cr_expect_geq(b.bytes_by_transport, b.bytes_sent - b.bytes_between);
      }
    }
}

/* Devices of a node, shared out: several ranks on one, and several of one rank. */
Test(devices, that_ranks_share_have_the_bits_of_the_host)
{
  no_devices_asked_for();
  static const struct {
    const char *devices, *limit;
    int n_ranks;
    bool has_several;
  } cases[] = {{"1", "64M", 3, false}, {"2", "64M", 3, false}, {"5,1,3,7", "0", 2, true}};
  static outcome host, shared;
  run_on("cpu", 1, "0", &host);
  for (int i = 0; i < 3; i++) {
    RUN_RANKS(cases[i].n_ranks, program, &shared, "device", "check", "devices", cases[i].devices,
              "threads", "2", "bind", "0", "replicate_max", "0", "tile_min", "64", "memory",
              cases[i].limit, "chunk_bytes", "512");
    cr_expect(are_same(&shared, &host));
    cr_expect_gt(shared.n_device_runs, 0);
    cr_expect_eq(shared.n_messages_within > 0, cases[i].has_several);
  }
}

/* What is small is whole at every place; rank 0's first place lends it. */
static void lend_small(void *arg, int rank)
{
  double *got = arg;
  double start[6] = {1, 2, 3, 4, 5, 6}, values[6];
  tsr_array x = tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(6));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK);
  cr_expect_eq(tile.n[0], rank == 0 ? 6 : 0);
  for (int64_t i = 0; i < tile.n[0]; i++) ((double *)tile.data)[i] *= 10;
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  tsr_to_host(tsr_add(x, 1), values);
  if (rank == 1) memcpy(got, values, sizeof values);
}

Test(devices, small_arrays_are_lent_by_one_place)
{
  static const char *const kinds[] = {"cpu", "check"};
  for (int kind = 0; kind < 2; kind++) {
    double got[6];
    RUN_RANKS(2, lend_small, got, "device", kinds[kind], "places", "3");
    for (int i = 0; i < 6; i++) cr_expect_eq(got[i], 10 * (i + 1) + 1);
  }
}

/* What arrays take is said per place, and adds up. */
static void tell_memory(void *arg, int rank)
{
  const char *kind = arg;
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  cr_expect_eq(tsr_n_places(), 3);
  const int64_t limit = tsr_memory_info(0).limit_bytes;
  cr_expect_eq(limit, (12 << 20) / 3);
  tsr_array x = tsr_ones(TSR_SHAPE(96, 64));
  cr_expect_eq(tsr_memory_info(1).in_use_bytes, 0, "nothing has run yet");
  cr_expect_eq(tsr_flush(), TSR_OK);
  int64_t in_use = 0, peak = 0;
  for (int i = 0; i < 3; i++) {
    const tsr_memory_use use = tsr_memory_info(i);
    cr_expect(use.place == i && use.n_places == 3 && use.limit_bytes == limit);
    cr_expect_str_eq(use.device, kind);
    cr_expect_eq(use.device_number, strcmp(kind, "cpu") == 0 ? 0 : 3 * rank + i);
    cr_expect_geq(use.in_use_bytes, 96 * 64 * 8 / 6, "its tile");
    cr_expect_lt(use.in_use_bytes, 96 * 64 * 8 / 3);
    cr_expect_geq(use.peak_bytes, use.in_use_bytes);
    cr_expect_eq(use.spilled_host_bytes + use.spilled_file_bytes, 0);
    in_use += use.in_use_bytes;
    peak += use.peak_bytes;
  }
  cr_expect_eq(tsr__context_memory().in_use_bytes, (size_t)in_use);
  cr_expect_eq(tsr__context_memory().peak_bytes, (size_t)peak);
  tsr_release(&x);
  cr_expect_eq(tsr_flush(), TSR_OK);
  for (int i = 0; i < 3; i++) {
    cr_expect_eq((tsr_memory_info)(i).in_use_bytes, 0);
    cr_expect_gt((tsr_memory_info)(i).peak_bytes, 0);
  }
  cr_expect_str_eq(tsr_last_error(), "");
  for (int wrong = -1; wrong <= 3; wrong += 4) {
    char text[2000] = "", want[100];
    cr_expect_eq(tsr_memory_info(wrong).place, -1);
    cr_expect_eq(tsr_take_error(text, sizeof text), TSR_ERR_ARGUMENT);
    snprintf(want, sizeof want, "there is no place %d: each rank has 3, numbered from 0", wrong);
    cr_expect_not_null(strstr(text, want), "%s", text);
    cr_expect_not_null(strstr(text, "in `tsr_memory_info`"), "%s", text);
    cr_expect_not_null(strstr(text, "help: tsr_n_places() is how many there are"), "%s", text);
  }
}

Test(devices, memory_of_each_place_is_told)
{
  no_devices_asked_for();
  static const char *const kinds[] = {"cpu", "check"};
  cr_expect_eq(tsr_n_places(), 0, "no context");
  for (int kind = 0; kind < 2; kind++) {
    char name[8];
    snprintf(name, sizeof name, "%s", kinds[kind]);
    RUN_RANKS(2, tell_memory, name, "device", kinds[kind], "places", "3", "memory", "12M",
              "replicate_max", "0", "tile_min", "64");
  }
}

/* A rank alone reads each place's tile where it lies: no place has a copy of all of it. */
static void read_tiles(void *arg, int rank)
{
  static double start[96 * 64], got[96 * 64];
  for (int i = 0; i < 96 * 64; i++) start[i] = i;
  tsr_array x = tsr_from_host(start, TSR_FLOAT64, TSR_SHAPE(96, 64));
  tsr_to_host(x, got);
  cr_expect_arr_eq(got, start, sizeof start);
  tsr_to_host(tsr_slice(x, "90:3:-7, 1::5"), got);
  for (int i = 0; i < 13; i++)
    for (int j = 0; j < 13; j++) cr_expect_eq(got[i * 13 + j], (90 - 7 * i) * 64 + 1 + 5 * j);
  tsr_to_host(tsr_transpose(tsr_slice(x, ":, ::-1")), got);
  for (int i = 0; i < 64; i++)
    for (int j = 0; j < 96; j++) cr_expect_eq(got[i * 96 + j], j * 64 + 63 - i);
  tsr_to_host(tsr_diagonal(x, 2, 0, 1), got);
  for (int i = 0; i < 62; i++) cr_expect_eq(got[i], i * 64 + i + 2);
  tsr_to_host(tsr_broadcast_to(tsr_slice(x, "95, newaxis, 3:7"), TSR_SHAPE(2, 3, 4)), got);
  for (int i = 0; i < 24; i++) cr_expect_eq(got[i], 95 * 64 + 3 + i % 4);
  for (int i = 0; i < 96; i += 19)
    cr_expect_eq(tsr_item_f64(tsr_slice(x, "$, 11", i)), i * 64 + 11);
  tsr_to_host(tsr_slice(x, "5:5"), got);
  for (int i = 0; i < tsr_n_places(); i++)
    cr_expect_lt(tsr_memory_info(i).peak_bytes, 96 * 64 * 8 / 2, "its tile alone");
  tsr_to_host(tsr_reshape(x, TSR_SHAPE(8, 12, 64)), got); /* an axis that is split */
  cr_expect_arr_eq(got, start, sizeof start);
}

Test(devices, a_rank_alone_reads_the_tiles_of_its_places)
{
  static const char *const kinds[] = {"cpu", "check"};
  for (int kind = 0; kind < 2; kind++) {
    RUN_RANKS(1, read_tiles, NULL, "device", kinds[kind], "places", "3", "replicate_max", "0",
              "tile_min", "64");
  }
}

/* Two tiles on two ranks with two places each: one for each rank. */
static void few_tiles(void *arg, int rank)
{
  const int64_t n = *(const int64_t *)arg;
  tsr_array x = tsr_ones(TSR_SHAPE(n));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect_eq(tile.n[0], n / 2);
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
}

Test(devices, few_tiles_are_shared_out_over_ranks)
{
  for (int64_t n = 128; n <= 256; n *= 2)
    RUN_RANKS(2, few_tiles, &n, "places", "2", "replicate_max", "0", "tile_min", "64");
}

/* No memory for the copy that is lent: an error, and the array stays as it is. */
static void lend_without_memory(void *arg, int rank)
{
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_array x = tsr_ones(TSR_SHAPE(N, M));
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_local_tile tile;
  tsr_memory *staging = tsr_context_current()->world.staging;
  if (rank == 0) tsr__memory_fail_at(staging, 1);
  cr_expect_lt(tsr_local(x, NULL, false, &tile), 0);
  tsr__memory_fail_at(staging, 0);
  char text[2000];
  tsr_take_error(text, sizeof text);
  char what[120];
  snprintf(what, sizeof what,
           "no memory for a lent tile in the host's memory: %s of (%d, %d) float64",
           tsr__bytes_text(sizeof(double) * N * M / (size_t)tsr_n_ranks()).s, N, M);
  cr_expect_not_null(strstr(text, what), "%s", text);
  cr_expect_not_null(strstr(text, "help: release arrays"), "%s", text);
  cr_expect_eq(tsr_item_f64(tsr_sum(x)), N * M);
  cr_expect_eq(tsr_local(x, NULL, false, &tile), TSR_OK);
  cr_expect_eq(tsr_local_end(&tile), TSR_OK);
}

Test(devices, a_lending_that_fails_leaves_the_array)
{
  static const char *const kinds[] = {"cpu", "check"};
  for (int kind = 0; kind < 2; kind++)
    for (int n = 1; n <= 2; n++) {
      RUN_RANKS(n, lend_without_memory, NULL, "device", kinds[kind], "places", "2", "replicate_max",
                "0", "tile_min", "64");
    }
}

/* The same of an array that comes from the host. */
static void import_without_memory(void *arg, int rank)
{
  static double ones[N * M];
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tsr_memory *staging = tsr_context_current()->world.staging;
  if (rank == 0) tsr__memory_fail_at(staging, 1);
  cr_expect(!tsr_ok(tsr_from_host(ones, TSR_FLOAT64, TSR_SHAPE(N, M))));
  tsr__memory_fail_at(staging, 0);
  EXPECT_ERROR(tsr_n_ranks() > 1 ? TSR_ERR_PEER : TSR_ERR_MEMORY,
               "rank 0 failed with TSR0402: no memory for this rank's part of the imported data: ",
               tsr__bytes_text(sizeof ones / (size_t)tsr_n_ranks()).s, " of (", ") float64",
               "help: release arrays");
}

Test(devices, an_import_that_fails_says_what_it_needs)
{
  for (int n = 1; n <= 2; n++) {
    RUN_RANKS(n, import_without_memory, NULL, "device", "check", "places", "2", "replicate_max",
              "0", "tile_min", "64");
  }
}

/* What all have whole is written by rank 0 alone, and goes to the others' devices in parts: also
 * where the host's memory has no room for one. */
static void lend_whole(void *arg, int rank)
{
  enum { MANY = 300000 };
  const bool is_short = *(const bool *)arg;
  tsr_array x = tsr_zeros(TSR_SHAPE(MANY));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local(x, NULL, true, &tile), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(tile.n[0], rank == 0 ? MANY : 0);
  for (int64_t i = 0; i < tile.n[0]; i++) ((double *)tile.data)[i] = (double)(i % 1013);
  tsr_memory *staging = tsr_context_current()->world.staging;
  if (is_short) tsr__memory_fail_at(staging, 1);
  const uint64_t before = tsr__memory_stats(staging).n_allocs;
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  cr_expect_eq(tsr__memory_stats(staging).n_allocs - before, 1, "of the pool");
  double *got = malloc(MANY * sizeof *got);
  cr_assert_eq(tsr_to_host(x, got), TSR_OK);
  for (int64_t i = 0; i < MANY; i++) cr_assert_eq(got[i], (double)(i % 1013), "rank %d", rank);
  free(got);
}

Test(devices, a_whole_array_that_was_lent_goes_to_all_in_parts)
{
  no_devices_asked_for();
  for (int n = 2; n <= 3; n++)
    for (int is_short = 0; is_short < 2; is_short++) {
      RUN_RANKS(n, lend_whole, &(bool){is_short}, "device", "check", "places", n == 2 ? "2" : "1",
                "replicate_max", "1000000");
    }
}

Test(devices, null_plans_the_same_and_computes_nothing)
{
  static outcome host, null;
  for (int n = 1; n <= 3; n++) {
    run_on("cpu", n, "0", &host);
    run_on("null", n, "0", &null);
    cr_expect_eq(null.n_recorded_groups, host.n_recorded_groups);
    cr_expect_eq(null.n_messages, host.n_messages);
    cr_expect_eq(null.n_hits, host.n_hits);
    cr_expect_eq(null.n_runs + null.n_task_runs, 0);
    for (int i = 0; i < N * M; i++) cr_expect_eq(null.field[i], 0);
  }
}

/* In a child, for who calls has no context. */
static void ask_for_it(void)
{
  _exit(tsr_run_ranks(1, (const char *[]){"device", "abacus", NULL}, never_run, NULL) !=
        TSR_ERR_CONFIG);
}

Test(devices, an_unknown_one_is_refused)
{
  char text[1000];
  cr_expect_eq(run_in_child(NULL, ask_for_it, text, sizeof text), 0, "not refused: %s", text);
  cr_expect_not_null(strstr(text, "error[TSR0501]"), "%s", text);
  cr_expect_not_null(strstr(text, "TESSERA_DEVICE"), "%s", text);
  cr_expect_not_null(strstr(text, "it takes cpu, check, null, cuda or auto"), "%s", text);
}

/* Ranges that are asked for where there may be no library for them. */

static void compute_little(void *arg, int rank)
{
  *(double *)arg = tsr_item_f64(tsr_sum(tsr_arange(10.0)));
}

static void run_with_ranges(void)
{
  double sum = 0;
  const tsr_status status =
      tsr_run_ranks(2, (const char *const[]){"nvtx", "1", NULL}, compute_little, &sum);
  _exit(status == TSR_OK && sum == 45 ? 4 : 11);
}

Test(devices, ranges_without_their_library_are_a_warning, .timeout = 60)
{
  char text[4000], why[200] = "";
  tsr_ranges *ranges = tsr__ranges_open(why, sizeof why);
  cr_expect_eq(run_in_child(NULL, run_with_ranges, text, sizeof text), 4, "%s", text);
  static const char said[] = "tessera: warning: TESSERA_NVTX=1 shows no ranges: ";
  const char *first = strstr(text, said);
  cr_expect_eq(first == NULL, ranges != NULL, "%s", text);
  if (first != NULL) {
    cr_expect_eq(strncmp(first + strlen(said), why, strlen(why)), 0, "%s", text);
    cr_expect_null(strstr(first + 1, said), "said once: %s", text);
  }
  tsr__ranges_close(ranges);
}
