/* A blob in a wind that turns around the middle of a square: the upwind step as a C function of the
 * program's own, in which each cell looks at the neighbours that the wind comes from. Outside there
 * is nothing. */
#include "tessera.h"

typedef struct wind {
  double turn; /* cells that the wind blows in a step, per half width from the middle */
} wind;

/* v = u after a step. A row and a column on each side of a box are there, but at the borders. */
static int upwind(const tsr_task_box *box)
{
  const wind *w = box->data;
  const tsr_task_argument *u = &box->in[0], *v = &box->out[0];
  const int64_t row = u->stride_bytes[0], column = u->stride_bytes[1];
  const int64_t rows = box->shape[0] + u->after[0], columns = box->shape[1] + u->after[1];
  for (int64_t i = 0; i < box->shape[0]; i++) {
    const double y = 2 * ((double)(box->offset[0] + i) + 0.5) / (double)box->domain[0] - 1;
    for (int64_t j = 0; j < box->shape[1]; j++) {
      const double x = 2 * ((double)(box->offset[1] + j) + 0.5) / (double)box->domain[1] - 1;
      const char *at = (const char *)u->data + i * row + j * column;
      const double here = *(const double *)at;
      const double north = i > -u->before[0] ? *(const double *)(at - row) : 0;
      const double south = i + 1 < rows ? *(const double *)(at + row) : 0;
      const double west = j > -u->before[1] ? *(const double *)(at - column) : 0;
      const double east = j + 1 < columns ? *(const double *)(at + column) : 0;
      const double right = -w->turn * y, down = w->turn * x;
      const double across = right > 0 ? right * (here - west) : right * (east - here);
      const double along = down > 0 ? down * (here - north) : down * (south - here);
      double *to = (double *)((char *)v->data + i * v->stride_bytes[0] + j * v->stride_bytes[1]);
      *to = here - (across + along);
    }
  }
  return 0;
}

int main(int argc, char **argv)
{
  int64_t n = 500, steps = 1000;
  wind w = {.turn = 0.4};
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"-n", "cells along an edge", .integer = &n, .least = 2, .most = 30000},
      {"-i", "steps", .integer = &steps, .least = 1, .most = 1e12},
      {"--turn", "cells that the wind blows in a step at an edge", .number = &w.turn, .least = -0.5,
       .most = 0.5},
      {"--png", "write the blob as a picture", .text = &png},
      {"--npy", "write the blob as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "A blob in a turning wind, by a task of its own.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  const tsr_function step = tsr_task("upwind", "float64 u halo(1)", "float64 v", upwind);
  tsr_array place = tsr_subtract(tsr_divide(tsr_add(tsr_arange(0, (double)n, 1), 0.5), n / 2.0), 1);
  tsr_array x = tsr_add(place, 0.4), y = tsr_expand_dims(place, 1);
  tsr_array u = tsr_exp(tsr_multiply(-40, tsr_add(tsr_multiply(x, x), tsr_multiply(y, y))));
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < steps; i++) {
    TSR_SCOPE();
    tsr_array next;
    tsr_call_data(&next, step, &w, sizeof w, u);
    tsr_replace(&u, next);
    tsr_progress(i + 1, steps);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  if (png) tsr_save_png(u, png);
  if (npy) tsr_save_npy(u, npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)steps / elapsed, tsr_item_f64(tsr_mean(u)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
