/* Heat in a cube: the seven-point Jacobi step. The face at z = 0 is hot, its opposite cold, the
 * others keep what they began with. With --xdmf, a time series of the cube for ParaView. */
#include "common.h"

int main(int argc, char **argv)
{
  int64_t n = 128, steps = 500, every = 50;
  const char *xdmf = NULL;
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"-n", 'i', &n, 1, 4000, "inner points along an edge"},
      {"-i", 'i', &steps, 1, 1e12, "steps"},
      {"--xdmf", 's', &xdmf, 0, 0, "write the cube as a time series that ParaView opens"},
      {"--every", 'i', &every, 1, 1e12, "steps from one time of it to the next"},
      EXAMPLE_OUTPUT(&out, "the temperatures of the middle slice, hot side up"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status = example_options(argc, argv, "Seven-point heat equation in a cube.", options,
                                     EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  tsr_array u = tsr_zeros(TSR_SHAPE(n + 2, n + 2, n + 2));
  tsr_exec("u[0,:,:] = 100.0; u[-1,:,:] = -20.0", u);
  tsr_xdmf *series = xdmf ? tsr_xdmf_open(xdmf) : NULL;
  if (series) tsr_xdmf_write(series, 0, "temperature", u);
  example_progress progress = example_progress_begin(steps);
  for (int64_t i = 0; i < steps; i++) {
    tsr_exec("u[1:-1,1:-1,1:-1] = (u[1:-1,1:-1,1:-1]"
             " + u[:-2,1:-1,1:-1] + u[2:,1:-1,1:-1]"
             " + u[1:-1,:-2,1:-1] + u[1:-1,2:,1:-1]"
             " + u[1:-1,1:-1,:-2] + u[1:-1,1:-1,2:]) * (1.0/7)",
             u);
    if (series && (i + 1) % every == 0) tsr_xdmf_write(series, (double)(i + 1), "temperature", u);
    example_progress_step(&progress, i + 1);
  }
  const double elapsed = example_progress_end(&progress);

  if (series) tsr_xdmf_close(&series);
  example_write(&out, tsr_slice(u, ":, $, :", n / 2 + 1));
  example_result(elapsed, (double)n * (double)n * (double)n * (double)steps,
                 tsr_item_f64(tsr_mean(u)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
