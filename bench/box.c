/* What a box of a step that is tiled over time costs beside its kernel.
 *
 *   box      prints `line_us=… sweep_us=… line_boxes=… sweep_boxes=…`
 *
 * The same steps over the same points, by one plan whose bands are small and by one with a single
 * band: the difference of the times, per box that the first runs more. Of a line of 4,096 points,
 * and of rows of 64 points that are not cut. All of it is in a core's caches. */
#include "array/core/array_int.h"
#include "bench/peers/peer.h"

enum { N_STEPS = 16, N_TURNS = 1001, N_WARM = 100, N_POINTS = 4096, N_COLUMNS = 64 };

/** One program with bands of one size. */
typedef struct steps {
  bool is_line;
  double us;    /* of all steps: median of many turns */
  double boxes; /* in which kernels ran, of all steps */
} steps;

static void step(tsr_array u, bool is_line)
{
  if (is_line)
    tsr_exec("u[1:-1] = 0.25*u[:-2] + 0.5*u[1:-1] + 0.25*u[2:]", u);
  else
    tsr_exec("u[1:-1,1:-1] = 0.25*(u[:-2,1:-1] + u[2:,1:-1] + u[1:-1,:-2] + u[1:-1,2:])", u);
}

static void run(void *arg, int rank)
{
  (void)rank;
  static double seconds[N_TURNS];
  steps *s = arg;
  const int64_t n_rows = N_POINTS / N_COLUMNS;
  tsr_array u = tsr_ones(s->is_line ? TSR_SHAPE(N_POINTS) : TSR_SHAPE(n_rows, N_COLUMNS));
  const tsr_counters *counters = tsr__context_counters();
  uint64_t before = 0;
  tsr_flush();
  for (int turn = -N_WARM; turn < N_TURNS; turn++) {
    for (int i = 0; i < N_STEPS; i++) step(u, s->is_line);
    if (turn == 0) before = counters->n_compiled_runs;
    const double start = peer_seconds();
    tsr_flush();
    if (turn >= 0) seconds[turn] = peer_seconds() - start;
  }
  s->boxes = (double)(counters->n_compiled_runs - before) / N_TURNS;
  s->us = 1e6 * peer_median(seconds, N_TURNS);
}

static steps run_bands(bool is_line, const char *band_bytes)
{
  const char *const settings[] = {"threads",     "1",        "time_steps", "4",   "jit", "eager",
                                  "chunk_bytes", band_bytes, "window_ops", "500", NULL};
  steps s = {.is_line = is_line};
  if (tsr_run_ranks(1, settings, run, &s) != TSR_OK) exit(1);
  return s;
}

/* The cost of a box; *boxes: how many the small bands have. */
static double box_us(bool is_line, double *boxes)
{
  const steps few = run_bands(is_line, "1M"), many = run_bands(is_line, is_line ? "2K" : "8K");
  if (many.boxes < 4 * few.boxes) {
    fprintf(stderr, "%g boxes, of large bands %g\n", many.boxes, few.boxes);
    exit(1);
  }
  *boxes = many.boxes;
  return (many.us - few.us) / (many.boxes - few.boxes);
}

int main(void)
{
  double line_boxes, sweep_boxes;
  const double line = box_us(true, &line_boxes), sweep = box_us(false, &sweep_boxes);
  printf("line_us=%.4f sweep_us=%.4f line_boxes=%.4g sweep_boxes=%.4g\n", line, sweep, line_boxes,
         sweep_boxes);
  return 0;
}
