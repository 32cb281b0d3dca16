/* Tiles that are lent in a device's memory (tsr_local_device), over the stand-in for the driver:
 * what the program puts into the stream is in order with what Tessera does, without a wait. */
#include "array/core/array_int.h"
#include "tests/fakes/known.h"

#include <criterion/criterion.h>
#include <cuda.h>
#include <stdlib.h>

enum { N = 4096, N_ROUNDS = 20 };

#define TEXT_OF(name) TEXT(name)
#define TEXT(name) #name

/** The driver, as a program calls it. */
typedef struct driver {
  __typeof__(cuDevicePrimaryCtxRetain) *retain;
  __typeof__(cuDevicePrimaryCtxRelease) *release;
  __typeof__(cuCtxPushCurrent) *push;
  __typeof__(cuCtxPopCurrent) *pop;
  __typeof__(cuMemcpyHtoDAsync) *in;
  __typeof__(cuMemcpyDtoHAsync) *out;
  __typeof__(cuStreamSynchronize) *wait;
  CUdevice device;
} driver;

static driver enter(const tsr_local_tile *tile)
{
  driver d = {.device = (CUdevice)tile->device};
  CUcontext context;
  fake_find(TEXT_OF(cuDevicePrimaryCtxRetain), &d.retain);
  fake_find(TEXT_OF(cuDevicePrimaryCtxRelease), &d.release);
  fake_find(TEXT_OF(cuCtxPushCurrent), &d.push);
  fake_find(TEXT_OF(cuCtxPopCurrent), &d.pop);
  fake_find(TEXT_OF(cuMemcpyHtoDAsync), &d.in);
  fake_find(TEXT_OF(cuMemcpyDtoHAsync), &d.out);
  fake_find(TEXT_OF(cuStreamSynchronize), &d.wait);
  cr_assert_eq(d.retain(&context, d.device), CUDA_SUCCESS);
  cr_assert_eq(d.push(context), CUDA_SUCCESS);
  return d;
}

static void leave(const driver *d)
{
  CUcontext context;
  cr_assert_eq(d->pop(&context), CUDA_SUCCESS);
  cr_assert_eq(d->release(d->device), CUDA_SUCCESS);
}

static size_t bytes_of(const tsr_local_tile *tile)
{
  return (size_t)tile->n[0] * sizeof(double);
}

/* Writes first + i to element i of the whole array, by the stream; nobody waits. */
static void put_ramp(const tsr_local_tile *tile, double *values, double first)
{
  for (int64_t i = 0; i < tile->n[0]; i++) values[i] = first + (double)(tile->lo[0] + i);
  const driver d = enter(tile);
  cr_assert_eq(
      d.in((CUdeviceptr)(uintptr_t)tile->data, values, bytes_of(tile), (CUstream)tile->stream),
      CUDA_SUCCESS);
  leave(&d);
}

/* Is element i of the whole array first + i * step now, with so many elements around the tile? */
static bool is_ramp(const tsr_local_tile *tile, double first, double step, int64_t around)
{
  static _Thread_local double values[N];
  const int64_t before = tile->lo[0] < around ? tile->lo[0] : around;
  const int64_t behind = N - tile->lo[0] - tile->n[0];
  const int64_t n = tile->n[0] + before + (behind < around ? behind : around);
  const char *from = (const char *)tile->data - before * (int64_t)sizeof(double);
  const driver d = enter(tile);
  cr_assert_eq(d.out(values, (CUdeviceptr)(uintptr_t)from, (size_t)n * sizeof(double),
                     (CUstream)tile->stream),
               CUDA_SUCCESS);
  cr_assert_eq(d.wait((CUstream)tile->stream), CUDA_SUCCESS);
  leave(&d);
  bool is = true;
  for (int64_t i = 0; i < n; i++)
    is = is && values[i] == first + (double)(tile->lo[0] - before + i) * step;
  return is;
}

static void exchange_with_the_program(void *arg, int rank)
{
  static double values[4][N_ROUNDS][N], host[4][N];
  int *n_there = arg;
  tsr_array x = tsr_zeros(TSR_SHAPE(N)), y = tsr_zeros(TSR_SHAPE(N));
  const int64_t halo[] = {3};
  for (int round = 0; round < N_ROUNDS; round++) {
    tsr_local_tile tile;
    cr_assert_eq(tsr_local_device(x, NULL, true, &tile), TSR_OK, "%s", tsr_last_error());
    cr_assert(tile.device >= 0 && tile.stream != NULL && tile.stride_bytes[0] == sizeof(double));
    put_ramp(&tile, values[rank][round], round);
    cr_assert_eq(tsr_local_end(&tile), TSR_OK);
    tsr_assign(y, tsr_multiply(x, 2)); /* behind the program's copy */
    cr_assert_eq(tsr_local_device(y, halo, false, &tile), TSR_OK);
    cr_assert(is_ramp(&tile, 2 * round, 2, 3), "round %d", round);
    cr_assert_eq(tsr_item_f64(tsr_slice(y, "5")), 2 * (round + 5), "it may be read meanwhile");
    cr_assert_eq(tsr_local_end(&tile), TSR_OK);
    __atomic_fetch_add(n_there, 1, __ATOMIC_RELAXED);
  }
  cr_assert_eq(tsr_to_host(x, host[rank]), TSR_OK);
  for (int i = 0; i < N; i++) cr_assert_eq(host[rank][i], N_ROUNDS - 1 + i);
}

static tsr_status run(int n, const char *places, const char *memory, void (*fn)(void *, int),
                      void *arg)
{
  setenv("FAKE_CUDA_DEVICES", "4", 1);
  return tsr_run_ranks(n,
                       (const char *const[]){"device", "cuda", "places", places, "placement", "all",
                                             "replicate_max", "0", "tile_min", "64", "threads", "2",
                                             memory != NULL ? "device_memory" : NULL, memory, NULL},
                       fn, arg);
}

Test(lent_cuda, tiles_are_lent_with_their_stream, .timeout = 120)
{
  for (int n = 1; n <= 4; n++) {
    int n_there = 0;
    cr_assert_eq(run(n, "1", NULL, exchange_with_the_program, &n_there), TSR_OK);
    cr_expect_eq(n_there, n * N_ROUNDS);
  }
}

/* What is lent stays where it is while other arrays need the room, and while the host reads it. */
static void press(void *arg, int rank)
{
  int *n_right = arg;
  tsr_array x = tsr_copy(tsr_arange(0.0, (double)N)), sum = tsr_zeros(TSR_SHAPE(N));
  cr_assert_eq(tsr_flush(), TSR_OK);
  tsr_local_tile tile;
  cr_assert_eq(tsr_local_device(x, NULL, false, &tile), TSR_OK);
  cr_assert_geq(tile.device, 0);
  for (int i = 0; i < 6; i++) {
    tsr_array other = tsr_hold(tsr_add(x, i));
    tsr_assign(sum, tsr_add(sum, other));
    cr_assert_eq(tsr_flush(), TSR_OK, "%s", tsr_last_error());
    if (i > 3) tsr_release(&other);
  }
  double total = 0;
  {
    tsr_device_scope("cpu");
    total = tsr_item_f64(tsr_sum(tsr_multiply(x, x)));
  }
  bool is_right = is_ramp(&tile, 0, 1, 0) && total == (N - 1.0) * N * (2.0 * N - 1) / 6;
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
  cr_assert_eq(tsr_iadd(x, 1), TSR_OK);
  is_right = is_right && tsr_item_f64(tsr_slice(x, "-1")) == N;
  is_right = is_right && tsr_item_f64(tsr_slice(sum, "7")) == 6 * 7 + 15;
  __atomic_fetch_add(n_right, is_right, __ATOMIC_RELAXED);
}

Test(lent_cuda, tiles_stay_where_they_are, .timeout = 120)
{
  static const char *const limits[] = {NULL, "160K", "96K"};
  for (int i = 0; i < 3; i++) {
    int n_right = 0;
    cr_assert_eq(run(1, "1", limits[i], press, &n_right), TSR_OK);
    cr_expect_eq(n_right, 1, "%s", limits[i]);
  }
}

/* Several places have tiles, which are one in the host's memory alone. */
static void lend_of_two(void *arg, int rank)
{
  tsr_array x = tsr_copy(tsr_arange(0.0, (double)N));
  tsr_local_tile tile;
  cr_assert_eq(tsr_local_device(x, NULL, false, &tile), TSR_OK);
  *(bool *)arg = tile.device == -1 && tile.stream == NULL && tile.n[0] == N &&
                 ((const double *)tile.data)[N - 1] == N - 1;
  cr_assert_eq(tsr_local_end(&tile), TSR_OK);
}

Test(lent_cuda, of_several_places_the_host_lends, .timeout = 60)
{
  bool is_right = false;
  cr_assert_eq(run(1, "2", NULL, lend_of_two, &is_right), TSR_OK);
  cr_expect(is_right);
}
