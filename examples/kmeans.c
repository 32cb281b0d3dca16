/* The colours of a picture in k groups by Lloyd's algorithm: each point goes to the nearest centre,
 * each centre to the mean of its points, until no point changes. Points lie along two axes, so the
 * distances are one array of (k, height, width) that is never stored. Source: Lloyd, Least squares
 * quantization in PCM, IEEE Trans. Inf. Theory 28 (1982). */
#include "tessera.h"

/* Red, green and blue of a synthetic picture, (3, n, n) in 0 to 1: three lamps on a wall. */
static tsr_array picture(int64_t n)
{
  tsr_array unit = tsr_divide(tsr_arange(0, n, 1), n), c = tsr_zeros(TSR_SHAPE(3, n, n));
  const double lamps[3][2] = {{0.3, 0.3}, {0.35, 0.75}, {0.75, 0.5}};
  for (int64_t i = 0; i < 3; i++) {
    TSR_SCOPE();
    tsr_array y = tsr_expand_dims(tsr_subtract(unit, lamps[i][0]), 1);
    tsr_array x = tsr_subtract(unit, lamps[i][1]);
    tsr_assign(tsr_slice(c, "$", i), tsr_eval("1 / (1 + 12*(x*x + y*y))", x, y));
  }
  return c;
}

/* The group of each point; centres: (k, 3). */
static tsr_array nearest(tsr_array c, tsr_array centres)
{
  return tsr_eval("argmin((c[0] - centres[:,0,None,None])**2 + (c[1] - centres[:,1,None,None])**2"
                  " + (c[2] - centres[:,2,None,None])**2, axis=0)",
                  c, centres);
}

static void move_centres(tsr_array centres, tsr_array c, tsr_array group, int64_t k)
{
  TSR_SCOPE();
  tsr_array ids = tsr_expand_dims(tsr_expand_dims(tsr_arange(0, k, 1, TSR_INT64), 1), 1);
  tsr_array mine = tsr_equal(group, ids); /* (k, n, n) */
  tsr_array size = tsr_maximum(tsr_sum(mine, TSR_AXES(1, 2)), 1);
  for (int64_t i = 0; i < 3; i++) {
    tsr_array total = tsr_sum(tsr_where(mine, tsr_slice(c, "$", i), 0.0), TSR_AXES(1, 2));
    tsr_assign(tsr_slice(centres, ":, $", i), tsr_divide(total, size));
  }
}

int main(int argc, char **argv)
{
  int64_t n = 256, k = 7, most = 100;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "points along a side of the picture", .integer = &n, .least = 1, .most = 1e4},
      {"-k", "groups", .integer = &k, .least = 1, .most = 1000},
      {"--most", "rounds", .integer = &most, .least = 1, .most = 1e9},
      {"--png", "write the groups as a picture", .text = &png},
      {"--npy", "write the groups as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "The colours of a picture in k groups (k-means).", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array c = picture(n);
  tsr_array centres = tsr_zeros(TSR_SHAPE(k, 3));
  for (int64_t i = 0; i < k; i++) /* points all over the picture */
    tsr_assign(tsr_slice(centres, "$", i),
               tsr_slice(c, ":, $, $", (2 * i + 1) * n / (2 * k), 5 * i % k * n / k));
  tsr_array group = tsr_zeros(TSR_SHAPE(n, n), TSR_INT64);
  int64_t i = 0, changed = 1;
  tsr_barrier();
  const double start = tsr_time();
  for (; changed > 0 && i < most; i++) {
    TSR_SCOPE();
    tsr_array now = nearest(c, centres);
    changed = tsr_item_i64(tsr_sum(tsr_not_equal(now, group)));
    tsr_assign(group, now);
    move_centres(centres, c, group, k);
    tsr_progress(i + 1, most);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  tsr_printf("%lld rounds, %lld points changed in the last\n", (long long)i, (long long)changed);
  if (png) tsr_save_png(group, png);
  if (npy) tsr_save_npy(group, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)(k * i) / elapsed,
             tsr_item_f64(tsr_mean(centres)) + tsr_item_f64(tsr_mean(group)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
