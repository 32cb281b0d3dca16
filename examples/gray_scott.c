/* The Gray-Scott reaction: substance u is fed into a periodic square, v turns u into more of itself
 * and decays; both diffuse, and spots grow and divide. A row and a column of ghosts on each side
 * hold the opposite border. Source: Pearson, Complex patterns in a simple system, Science 261
 * (1993). */
#include "tessera.h"

typedef struct rates {
  double feed, kill;
} rates;

static void wrap(tsr_array a)
{
  tsr_exec("a[0,:] = a[-2,:]; a[-1,:] = a[1,:]; a[:,0] = a[:,-2]; a[:,-1] = a[:,1]", a);
}

static void step(tsr_array u, tsr_array v, rates rate)
{
  TSR_SCOPE();
  tsr_array lu =
      tsr_eval("u[:-2,1:-1] + u[1:-1,:-2] - 4*u[1:-1,1:-1] + u[1:-1,2:] + u[2:,1:-1]", u);
  tsr_array lv =
      tsr_eval("v[:-2,1:-1] + v[1:-1,:-2] - 4*v[1:-1,1:-1] + v[1:-1,2:] + v[2:,1:-1]", v);
  tsr_array uvv = tsr_eval("u[1:-1,1:-1] * v[1:-1,1:-1] * v[1:-1,1:-1]", u, v);
  tsr_exec("u[1:-1,1:-1] += 0.16*lu - uvv + feed*(1 - u[1:-1,1:-1])", u, lu, uvv, rate.feed);
  tsr_exec("v[1:-1,1:-1] += 0.08*lv + uvv - (feed + kill)*v[1:-1,1:-1]", v, lv, uvv, rate.feed,
           rate.kill);
  wrap(u);
  wrap(v);
}

/* u = 1 and v = 0, but for four squares that nothing mirrors onto each other. */
static void seed(tsr_array u, tsr_array v, int64_t n)
{
  const double at[4][2] = {{0.5, 0.5}, {0.2, 0.3}, {0.7, 0.25}, {0.35, 0.8}};
  for (int i = 0; i < 4; i++) {
    const int64_t y = (int64_t)(at[i][0] * (double)n), x = (int64_t)(at[i][1] * (double)n);
    const int64_t side = n / 16 + 1;
    tsr_assign(tsr_slice(u, "$:$, $:$", y, y + side, x, x + side), 0.5);
    tsr_assign(tsr_slice(v, "$:$, $:$", y, y + side, x, x + side), 0.25);
  }
}

int main(int argc, char **argv)
{
  int64_t n = 256, steps = 5000;
  rates rate = {.feed = 0.055, .kill = 0.062};
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "points along a side", .integer = &n, .least = 8, .most = 1e5},
      {"-i", "steps", .integer = &steps, .least = 1, .most = 1e12},
      {"--feed", "rate at which u is fed", .number = &rate.feed, .least = 0, .most = 1},
      {"--kill", "rate at which v decays beyond that", .number = &rate.kill, .least = 0, .most = 1},
      {"--png", "write v as a picture", .text = &png},
      {"--npy", "write v as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = tsr_options(argc, argv, "Gray-Scott reaction in a periodic square.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array u = tsr_ones(TSR_SHAPE(n + 2, n + 2)), v = tsr_zeros(TSR_SHAPE(n + 2, n + 2));
  seed(u, v, n);
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < steps; i++) {
    step(u, v, rate);
    tsr_progress(i + 1, steps);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  tsr_array inner = tsr_slice(v, "1:-1, 1:-1");
  if (png) tsr_save_png(inner, png);
  if (npy) tsr_save_npy(inner, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)steps / elapsed, tsr_item_f64(tsr_mean(inner)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
