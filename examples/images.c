/* Two pictures as planes of one array: filled, shifted, mixed and written. In NumPy:
 *
 *   a = np.zeros((2, h, w)); a[0, :, :] = 1                       # all white
 *   a[0, ::8, :] = 0; a[0, :, ::8] = 0                            # with a grid of black lines
 *   a[1, :, :] = y / h                                            # a slope
 *   a[1, h//4:, w//4:] += 0.5 * a[0, :h - h//4, :w - w//4]        # the grid, shifted, onto it
 *   a[0, :, ::-1] *= a[1]                                         # mirrored, onto the grid
 *   mixed = 0.25*a[0] + 0.75*a[1] */
#include "tessera.h"

int main(int argc, char **argv)
{
  int64_t h = 1080, w = 1920;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"--height", "rows", .integer = &h, .least = 8, .most = 1e6},
      {"--width", "columns", .integer = &w, .least = 8, .most = 1e6},
      {"--png", "write the mixed planes as a picture", .text = &png},
      {"--npy", "write the mixed planes as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "Planes of an array, shifted, mixed and written.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  const double start = tsr_time();
  tsr_array a = tsr_zeros(TSR_SHAPE(2, h, w));
  tsr_assign(tsr_slice(a, "0, :, :"), 1);
  tsr_assign(tsr_slice(a, "0, ::8, :"), 0);
  tsr_assign(tsr_slice(a, "0, :, ::8"), 0);
  tsr_assign(tsr_slice(a, "1"), tsr_divide(tsr_expand_dims(tsr_arange(0, h, 1), 1), h));
  tsr_array grid = tsr_slice(a, "0, :$, :$", h - h / 4, w - w / 4);
  tsr_iadd(tsr_slice(a, "1, $:, $:", h / 4, w / 4), tsr_multiply(0.5, grid));
  tsr_imul(tsr_slice(a, "0, :, ::-1"), tsr_slice(a, "1"));
  tsr_array mixed = tsr_eval("0.25*a[0] + 0.75*a[1]", a);
  const double mean = tsr_item_f64(tsr_mean(mixed));
  const double elapsed = tsr_time() - start;

  if (png) tsr_save_png(mixed, png);
  if (npy) tsr_save_npy(mixed, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * 2 * (double)h * (double)w / elapsed, mean);
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
