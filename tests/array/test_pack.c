/* Packing: what messages take out of arrays on a device and bring into them is packed by kernels,
 * where it is not one run of memory. The same bits as in the host's memory, on 1 to 3 ranks with
 * one place or two. */
#include "array_test.h"
#include "tests/support/sanitized.h"

enum { N_STEPS = 4, MOST = 10 * 192, N_NODES = 6 };

typedef struct outcome {
  char u[MOST * 16], v[MOST * 16];
  double w[MOST];
  uint64_t n_messages, n_packed, n_strided; /* of the steps */
  uint64_t n_device_strided;                /* copies that the devices had to make point by point */
  uint64_t n_allocs;                        /* of the later steps */
} outcome;

typedef struct task {
  int ndim;
  tsr_dtype dtype;
  uint64_t fail_at;     /* that request for memory of the devices' fails, in the steps */
  uint32_t refuses;     /* dtypes that the devices do not support */
  outcome out[N_NODES]; /* by rank */
} task;

/* The last axis is the longest: it is cut, and no face is a row. */
static tsr_dims shape_of(int ndim)
{
  return ndim == 2 ? TSR_SHAPE(10, 192) : TSR_SHAPE(4, 5, 96);
}

static tsr_array filled(int ndim, int factor)
{
  static _Thread_local double start[MOST];
  for (int i = 0; i < MOST; i++) start[i] = (double)(i * factor % 101 % 7) - 2;
  return tsr_from_host(start, TSR_FLOAT64, shape_of(ndim));
}

static tsr_array mix(tsr_array a, tsr_array b, tsr_dtype dtype)
{
  return dtype == TSR_BOOL ? tsr_not_equal(a, b) : tsr_add(a, tsr_multiply(b, 0.5));
}

/* Two columns of ghosts, every third column, and arrays of two dtypes in one message. */
static void step(const task *t, tsr_array u, tsr_array v, tsr_array w)
{
  TSR_SCOPE();
  if (t->ndim == 2) {
    tsr_assign(tsr_slice(u, "1:-1, 2:-2"),
               mix(tsr_slice(u, ":-2, 4:"), tsr_slice(u, "2:, :-4"), t->dtype));
    tsr_assign(tsr_slice(v, "::2, :-4:3"), tsr_slice(u, "::2, 4::3"));
  } else {
    tsr_assign(tsr_slice(u, "1:-1, :, 1:-1"),
               mix(tsr_slice(u, ":-2, :, 2:"), tsr_slice(u, "2:, :, :-2"), t->dtype));
    tsr_assign(tsr_slice(v, "::2, ::-2, :-4:3"), tsr_slice(u, "::2, ::2, 4::3"));
  }
  tsr_assign(tsr_slice(w, "..., 1:-1"),
             tsr_where(tsr_not_equal(tsr_slice(v, "..., :-2"), tsr_slice(u, "..., 2:")),
                       tsr_slice(w, "..., :-2"), tsr_slice(w, "..., 2:")));
  cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
}

static uint64_t device_strided(void)
{
  const tsr_world *w = &tsr_context_current()->world;
  uint64_t n = 0;
  for (int i = 0; i < w->n_places; i++) n += w->places[i].device->n_strided;
  return n;
}

static void program(void *arg, int rank)
{
  task *t = arg;
  outcome *out = &t->out[rank];
  const tsr_world *world = &tsr_context_current()->world;
  for (int i = 0; i < world->n_places; i++) world->places[i].device->refuses.dtypes = t->refuses;
  tsr_array u = tsr_astype(filled(t->ndim, 37), t->dtype);
  tsr_array v = tsr_astype(filled(t->ndim, 53), t->dtype), w = filled(t->ndim, 11);
  tsr_flush();
  const tsr_counters *did = tsr__context_counters(), before = *did;
  const uint64_t strided = device_strided();
  for (int i = 0; i < world->n_places; i++)
    tsr__memory_fail_at(world->places[i].memory, t->fail_at);
  for (int i = 0; i < N_STEPS; i++) {
    if (i == N_STEPS - 2) out->n_allocs = tsr__context_memory().n_allocs;
    step(t, u, v, w);
  }
  out->n_allocs = tsr__context_memory().n_allocs - out->n_allocs;
  for (int i = 0; i < world->n_places; i++) tsr__memory_fail_at(world->places[i].memory, 0);
  out->n_messages = did->n_messages - before.n_messages;
  out->n_packed = did->n_packed_boxes - before.n_packed_boxes;
  out->n_strided = did->n_strided_boxes - before.n_strided_boxes;
  out->n_device_strided = device_strided() - strided;
  tsr_to_host(u, out->u);
  tsr_to_host(v, out->v);
  tsr_to_host(w, out->w);
  cr_expect_str_eq(tsr_last_error(), "");
}

static void run_on(const char *device, int n_ranks, const char *places, const char *memory, task *t)
{
  memset(t->out, 0, sizeof t->out);
  RUN_RANKS(n_ranks, program, t, "device", device, "places", places, "threads", "2", "bind", "0",
            "tile_min", "16", "chunk_bytes", "512", "replicate_max", "0",
            memory ? "device_memory" : NULL, memory);
}

static void same_bits(const outcome *a, const outcome *b, const char *what)
{
  cr_expect_arr_eq(a->u, b->u, sizeof a->u, "%s", what);
  cr_expect_arr_eq(a->v, b->v, sizeof a->v, "%s", what);
  cr_expect_arr_eq(a->w, b->w, sizeof a->w, "%s", what);
}

static const struct {
  const char *name;
  tsr_dtype dtype;
} dtypes[] = {{"float64", TSR_FLOAT64},
              {"complex128", TSR_COMPLEX128},
              {"bool", TSR_BOOL},
              {"float16", TSR_FLOAT16},
              {"float32", TSR_FLOAT32}};
enum { N_DTYPES = sizeof dtypes / sizeof dtypes[0] };

Test(packing, are_packed_by_kernels_alone)
{
  no_devices_asked_for();
  static task host, check;
  static const char *const places[] = {"1", "2"};
  for (int ndim = 2; ndim <= 3; ndim++)
    for (int d = 0; d < N_DTYPES; d++) {
      host = check = (task){.ndim = ndim, .dtype = dtypes[d].dtype};
      run_on("cpu", 1, "1", NULL, &host);
      for (int n = 1; n <= 3; n++)
        for (int p = 0; p < 2; p++) {
          run_on("check", n, places[p], NULL, &check);
          char what[80];
          snprintf(what, sizeof what, "%d-D %s, %d ranks, %s places", ndim, dtypes[d].name, n,
                   places[p]);
          for (int r = 0; r < n; r++) {
            const outcome *got = &check.out[r];
            same_bits(got, &host.out[0], what);
            cr_expect_eq(got->n_messages > 0, n > 1 || p > 0, "%s", what);
            cr_expect_geq(got->n_packed, 2 * got->n_messages, "%s: both ends pack", what);
            cr_expect_eq(got->n_strided, 0, "%s", what);
            cr_expect_eq(got->n_device_strided, 0, "%s", what);
          }
        }
    }
}

/* What the device does not run goes as it lies: also where one end packs and the other does not. */
Test(packing, that_no_kernel_packs_are_copied_as_they_lie)
{
  no_devices_asked_for();
  static task host, check;
  static const char *const places[] = {"1", "2"};
  host = (task){.ndim = 3, .dtype = TSR_FLOAT32};
  check = (task){.ndim = 3, .dtype = TSR_FLOAT32, .refuses = 1u << TSR_UINT64};
  run_on("cpu", 1, "1", NULL, &host);
  for (int n = 1; n <= 2; n++)
    for (int p = 0; p < 2; p++) {
      run_on("check", n, places[p], NULL, &check);
      for (int r = 0; r < n; r++) same_bits(&check.out[r], &host.out[0], "without a kernel");
      if (n == 1 && p == 0) continue;
      cr_expect_gt(check.out[0].n_strided, 0);
      cr_expect_gt(check.out[0].n_device_strided, 0);
      cr_expect_gt(check.out[0].n_packed, 0, "messages of float32 alone");
    }
}

/* Whatever request for memory fails: one of them is that for packed messages. */
Test(packing, without_memory_for_them_are_copied_as_they_lie)
{
  no_devices_asked_for();
  static task host, check;
  static const char *const places[] = {"1", "2"};
  host = (task){.ndim = 2, .dtype = TSR_FLOAT64};
  run_on("cpu", 1, "1", NULL, &host);
  for (int p = 0; p < 2; p++) {
    int n_without = 0;
    for (uint64_t at = 1; at <= 8; at++) {
      check = (task){.ndim = 2, .dtype = TSR_FLOAT64, .fail_at = at};
      run_on("check", 2, places[p], NULL, &check);
      for (int r = 0; r < 2; r++) same_bits(&check.out[r], &host.out[0], "a request that fails");
      n_without += check.out[0].n_strided > 0;
    }
    cr_expect_gt(n_without, 0);
    cr_expect_lt(n_without, 8);
  }
}

Test(packing, have_the_same_bits_where_memory_is_short)
{
  no_devices_asked_for();
  static task host, check;
  static const char *const places[] = {"1", "2"}, *const memory[] = {"4K", "12K", "24K"};
  for (int d = 0; d < N_DTYPES; d++) {
    host = check = (task){.ndim = 2, .dtype = dtypes[d].dtype};
    run_on("cpu", 1, "1", NULL, &host);
    for (int n = 1; n <= 2; n++)
      for (int p = 0; p < 2; p++)
        for (int m = IS_SANITIZED ? (d + n + p) % 3 : 0; m < 3; m += IS_SANITIZED ? 3 : 1) {
          run_on("check", n, places[p], memory[m], &check);
          for (int r = 0; r < n; r++) same_bits(&check.out[r], &host.out[0], memory[m]);
        }
  }
}

Test(packing, of_replayed_steps_allocate_nothing)
{
  no_devices_asked_for();
  static task host, check;
  host = check = (task){.ndim = 2, .dtype = TSR_FLOAT64};
  run_on("cpu", 2, "2", NULL, &host);
  run_on("check", 2, "2", NULL, &check);
  cr_expect_gt(check.out[0].n_packed, 0);
  cr_expect_eq(check.out[0].n_allocs, host.out[0].n_allocs);
}

/* Of two arrays, in a message each; the second one's is larger. */
static void exchange(const tsr_array *u, const tsr_array *v, int n)
{
  for (int i = 0; i < n; i++) tsr_iadd(u[i], 1.0);
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_assign(tsr_slice(v[0], "..., 8:-8"),
             tsr_add(tsr_slice(u[0], "..., :-16"), tsr_slice(u[0], "..., 16:")));
  if (n > 1)
    tsr_assign(tsr_slice(v[1], "..., 60:-60"),
               tsr_add(tsr_slice(u[1], "..., :-120"), tsr_slice(u[1], "..., 120:")));
  cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
}

/* What each of two ranks has in use: they are threads. */
static void tell_in_use(int64_t *in_use, int rank)
{
  cr_assert_eq(tsr_barrier(), TSR_OK);
  in_use[rank] = tsr_memory_info(0).in_use_bytes;
  cr_assert_eq(tsr_barrier(), TSR_OK);
}

static tsr_array bytes_on_each(int64_t n)
{
  tsr_array x = tsr_zeros(TSR_SHAPE(2 * n / 64 * 64), TSR_UINT8);
  cr_assert_eq(tsr_flush(), TSR_OK);
  return x;
}

static void crowd(void *arg, int rank)
{
  int64_t *in_use = arg;
  const tsr_counters *did = tsr__context_counters();
  tsr_array u[2], v[2];
  for (int i = 0; i < 2; i++) {
    u[i] = tsr_ones(TSR_SHAPE(10, i ? 384 : 192));
    v[i] = tsr_zeros(TSR_SHAPE(10, i ? 384 : 192));
  }
  exchange(u, v, 1);
  const uint64_t narrow = did->n_packed_boxes;
  exchange(u, v, 2);
  const uint64_t both = did->n_packed_boxes - narrow;
  cr_assert(narrow > 0 && both > narrow && did->n_strided_boxes == 0);
  tell_in_use(in_use, rank);
  const int fuller = in_use[1] > in_use[0];
  const bool is_fuller = rank == fuller;
  const int64_t limit = tsr_memory_info(0).limit_bytes, all = in_use[fuller];
  tsr_array x = bytes_on_each(limit - all + 128); /* takes the memory of packed messages back */
  tsr_release(&x);
  tell_in_use(in_use, rank);
  const int64_t arrays = in_use[fuller], room = all - arrays;
  cr_assert_gt(room, 0);
  x = bytes_on_each(limit - arrays - room / 2);
  exchange(u, v, 1);
  cr_expect(!is_fuller || did->n_packed_boxes == 2 * narrow + both, "there is room for these");
  exchange(u, v, 2);
  cr_expect(!is_fuller || did->n_packed_boxes == 3 * narrow + both, "and is still");
  cr_expect(!is_fuller || did->n_strided_boxes == both - narrow);
  cr_expect_eq(did->n_evicted, 0);
  tsr_release(&x);
  exchange(u, v, 2);
  cr_expect(!is_fuller || did->n_packed_boxes == 3 * narrow + 2 * both);
  x = bytes_on_each(limit - all + 128);
  tsr_release(&x);
  exchange(u, v, 1);
  x = bytes_on_each(limit - arrays - room - 128); /* not for both rooms at a time */
  const uint64_t packed = did->n_packed_boxes;
  exchange(u, v, 2);
  cr_expect(!is_fuller || did->n_packed_boxes == packed + both, "one for the other");
  cr_expect(!is_fuller || did->n_strided_boxes == both - narrow);
}

Test(packing, keep_the_room_that_they_have_where_more_is_refused)
{
  no_devices_asked_for();
  int64_t in_use[2];
  RUN_RANKS(2, crowd, in_use, "device", "check", "places", "1", "tile_min", "16", "bind", "0",
            "replicate_max", "0", "device_memory", "256K");
}

/* An array that fits takes the memory of packed messages back; nothing leaves the device for it. */
static void fill_up(void *arg, int rank)
{
  static const task t = {.ndim = 2, .dtype = TSR_FLOAT64};
  const tsr_counters *did = tsr__context_counters();
  tsr_array u = filled(2, 37), v = filled(2, 53), w = filled(2, 11);
  step(&t, u, v, w);
  cr_expect_gt(did->n_packed_boxes, 0);
  cr_expect_eq(did->n_evicted, 0);
  const int64_t limit = tsr_memory_info(0).limit_bytes;
  const int64_t in_use[2] = {tsr_memory_info(0).in_use_bytes, tsr_memory_info(1).in_use_bytes};
  const int fuller = in_use[1] > in_use[0];
  const int64_t more = (limit - in_use[fuller]) / 64 + 1; /* tiles begin at multiples of 64 */
  tsr_array x = tsr_zeros(TSR_SHAPE(2 * 64 * more), TSR_UINT8);
  cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
  cr_expect_eq(did->n_evicted, 0);
  cr_expect_eq(tsr_memory_info(0).spilled_host_bytes + tsr_memory_info(1).spilled_host_bytes, 0);
  tsr_release(&x);
  const uint64_t n_packed = did->n_packed_boxes, n_strided = did->n_strided_boxes;
  step(&t, u, v, w);
  cr_expect_gt(did->n_packed_boxes, n_packed, "there is room again");
  cr_expect_eq(did->n_strided_boxes, n_strided);
}

Test(packing, give_way_to_arrays)
{
  no_devices_asked_for();
  RUN_RANKS(1, fill_up, NULL, "device", "check", "places", "2", "tile_min", "16", "bind", "0",
            "replicate_max", "0", "device_memory", "64K");
}
