/* Ranges for NVIDIA's profilers, over a stand-in for NVTX: each that begins ends in its thread, and
 * names what the program asked for. */
#include "array/core/array_int.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <string.h>

enum { N = 4000 };

static void step(void *arg, int rank)
{
  double *sum = arg;
  tsr_array x = tsr_arange(N);
  for (int i = 0; i < 3; i++) {
    TSR_SCOPE();
    tsr_assign(tsr_slice(x, "1:"), tsr_add(tsr_slice(x, "1:"), tsr_slice(x, ":-1")));
    tsr_flush();
  }
  *sum = tsr_item_f64(tsr_sum(x));
}

static double run_on(int n, const char *device, const char *nvtx)
{
  double sum = 0;
  cr_assert_eq(tsr_run_ranks(n,
                             (const char *const[]){"device", device, "placement", "all", "places",
                                                   "1", "threads", "2", "replicate_max", "0",
                                                   "tile_min", "64", "nvtx", nvtx, NULL},
                             step, &sum),
               TSR_OK);
  return sum;
}

Test(ranges, begin_and_end_and_name_lines, .timeout = 120)
{
  long counts[3], before[3];
  void *library = dlopen("libnvtx3interop.so.1", RTLD_NOW);
  cr_assert_not_null(library);
  const char *(*told)(long counts[3]);
  void *const found = dlsym(library, "fake_nvtx_told");
  memcpy(&told, &found, sizeof told);
  cr_assert_not_null(found);
  static const char *const devices[] = {"cpu", "cuda"};
  for (int i = 0; i < 4; i++) {
    const int n = 1 + i / 2;
    (void)told(before);
    const double expected = run_on(n, devices[i % 2], "0");
    (void)told(counts);
    cr_expect_eq(counts[0], before[0], "nobody asked for ranges");
    cr_expect_eq(run_on(n, devices[i % 2], "1"), expected);
    const char *names = told(counts);
    cr_expect_geq(counts[0] - before[0], 4, "%d ranges", (int)(counts[0] - before[0]));
    cr_expect_eq(counts[0], counts[1]);
    cr_expect_eq(counts[2], 0);
    cr_expect_not_null(strstr(names, "window: tsr_assign test_ranges.c:"), "%s", names);
    if (i % 2 == 1)
      cr_expect_not_null(strstr(names, "group: tsr_assign test_ranges.c:"), "%s", names);
    if (n == 2) {
      cr_expect_not_null(strstr(names, "message to "), "%s", names);
      cr_expect_not_null(strstr(names, "message from "), "%s", names);
    }
  }
  dlclose(library);
}
