/* Heat in a cube: the seven-point Jacobi step. The face at z = 0 is hot, its opposite cold, the
 * others keep what they began with. With --xdmf, a time series of the cube for ParaView. */
#include "tessera.h"

int main(int argc, char **argv)
{
  int64_t n = 128, steps = 500, every = 50;
  const char *xdmf = NULL;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "inner points along an edge", .integer = &n, .least = 1, .most = 4000},
      {"-i", "steps", .integer = &steps, .least = 1, .most = 1e12},
      {"--xdmf", "write the cube as a time series that ParaView opens", .text = &xdmf},
      {"--every", "steps from one time of it to the next", .integer = &every, .least = 1,
       .most = 1e12},
      {"--png", "write the middle slice, hot side up, as a picture", .text = &png},
      {"--npy", "write the middle slice, hot side up, as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = tsr_options(argc, argv, "Seven-point heat equation in a cube.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  tsr_array u = tsr_zeros(TSR_SHAPE(n + 2, n + 2, n + 2));
  tsr_exec("u[0,:,:] = 100.0; u[-1,:,:] = -20.0", u);
  tsr_xdmf *series = xdmf ? tsr_xdmf_open(xdmf) : NULL;
  if (series) tsr_xdmf_write(series, 0, "temperature", u);
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < steps; i++) {
    tsr_exec("u[1:-1,1:-1,1:-1] = (u[1:-1,1:-1,1:-1]"
             " + u[:-2,1:-1,1:-1] + u[2:,1:-1,1:-1]"
             " + u[1:-1,:-2,1:-1] + u[1:-1,2:,1:-1]"
             " + u[1:-1,1:-1,:-2] + u[1:-1,1:-1,2:]) * (1.0/7)",
             u);
    if (series && (i + 1) % every == 0) tsr_xdmf_write(series, (double)(i + 1), "temperature", u);
    tsr_progress(i + 1, steps);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  if (series) tsr_xdmf_close(&series);
  if (png) tsr_save_png(tsr_slice(u, ":, $, :", n / 2 + 1), png);
  if (npy) tsr_save_npy(tsr_slice(u, ":, $, :", n / 2 + 1), npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)n * (double)steps / elapsed,
             tsr_item_f64(tsr_mean(u)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
