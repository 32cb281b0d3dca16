/* See cavity_picture.h. What is drawn is an array of numbers: NaN is white in the colours of the
 * speed and red in grey, which makes the streamlines and Ghia's points. */
#include "cavity_picture.h"

#include <math.h>
#include <stdlib.h>

/* Values at equal distances on the host; those beyond the edge are those at the edge. */
typedef struct grid {
  int64_t n_rows, n_columns;
  double y0, x0, step;
  double *values; /* owned */
} grid;

static double *numbers(int64_t n)
{
  double *values = calloc((size_t)n, sizeof *values);
  if (!values) exit(1);
  return values;
}

/* Reads every k-th row and column, so that some 1,024 are read at most. */
static grid grid_read(tsr_array x, int64_t n, double y0, double x0)
{
  TSR_SCOPE();
  const int64_t k = (n + 1023) / 1024;
  tsr_array thin = tsr_slice(x, "::$, ::$", k, k);
  const tsr_dims shape = tsr_shape(thin);
  grid g = {.n_rows = shape.n[0], .n_columns = shape.n[1], .y0 = y0, .x0 = x0};
  g.step = (double)k / (double)n;
  g.values = numbers(g.n_rows * g.n_columns);
  tsr_to_host(thin, g.values);
  return g;
}

static double between(double t, double a, double b)
{
  return (1 - t) * a + t * b;
}

/* Linear in both directions. */
static double grid_at(const grid *g, double y, double x)
{
  const double row = fmin(fmax((y - g->y0) / g->step, 0), (double)g->n_rows - 1);
  const double column = fmin(fmax((x - g->x0) / g->step, 0), (double)g->n_columns - 1);
  const int64_t j = (int64_t)fmin(row, (double)g->n_rows - 2),
                i = (int64_t)fmin(column, (double)g->n_columns - 2);
  const double *below = g->values + j * g->n_columns + i, *above = below + g->n_columns;
  const double t = column - (double)i;
  return between(row - (double)j, between(t, below[0], below[1]), between(t, above[0], above[1]));
}

/* Between which streamlines a point lies: those that Ghia, Ghia & Shin draw, most of them. */
static int band_of(double stream)
{
  static const double lines[] = {-0.115, -0.11, -0.1,  -0.09, -0.07, -0.05, -0.03,
                                 -0.01,  -1e-3, -1e-4, 1e-5,  1e-4,  5e-4,  1e-3};
  int n = 0;
  while (n < (int)(sizeof lines / sizeof *lines) && stream > lines[n]) n++;
  return n;
}

static tsr_array draw_speed(tsr_array speed, tsr_array stream)
{
  const int64_t n = tsr_shape(speed).n[0];
  const double h = 1 / (double)n, size = 1.0 / CAVITY_SIDE;
  grid s = grid_read(speed, n, 0.5 * h, 0.5 * h), psi = grid_read(stream, n, h, 0);
  double *points = numbers((int64_t)CAVITY_SIDE * CAVITY_SIDE);
  for (int row = 0; row < CAVITY_SIDE; row++)
    for (int column = 0; column < CAVITY_SIDE; column++) {
      const double y = 1 - (row + 0.5) * size, x = (column + 0.5) * size;
      const int band = band_of(grid_at(&psi, y, x));
      const bool line = band != band_of(grid_at(&psi, y - size, x)) ||
                        band != band_of(grid_at(&psi, y, x + size));
      points[row * CAVITY_SIDE + column] = line ? (double)NAN : grid_at(&s, y, x);
    }
  tsr_array field = tsr_from_host(points, TSR_FLOAT64, TSR_SHAPE(CAVITY_SIDE, CAVITY_SIDE));
  free(points), free(s.values), free(psi.values);
  return tsr_picture(field, 0, 1, TSR_SCALE(1), TSR_COLORBAR, TSR_TITLE("speed and streamlines"));
}

enum { PLOT_WIDTH = 480, PLOT_HEIGHT = 225 };

static int row_of(double value, double least, double most)
{
  const double row = (most - value) / (most - least) * (PLOT_HEIGHT - 1);
  return (int)fmin(fmax(row, 0), PLOT_HEIGHT - 1);
}

static void mark(double *points, int row, int column, int width, double value)
{
  for (int y = row - width; y <= row + width; y++)
    for (int x = column - width; x <= column + width; x++)
      if (y >= 0 && y < PLOT_HEIGHT && x >= 0 && x < PLOT_WIDTH) points[y * PLOT_WIDTH + x] = value;
}

/* The profile as a black line over its position, Ghia's points in red, grey lines at every half. */
static tsr_array draw_profile(const cavity_profile *p)
{
  double *points = numbers((int64_t)PLOT_WIDTH * PLOT_HEIGHT);
  const double least = -0.6, most = 1.0;
  for (int i = 0; i < PLOT_WIDTH * PLOT_HEIGHT; i++) points[i] = 1;
  for (int i = 0; i < PLOT_WIDTH; i++) {
    for (double level = -0.5; level <= most; level += 0.5)
      points[row_of(level, least, most) * PLOT_WIDTH + i] = level == 0 ? 0.6 : 0.85;
  }
  int before = -1;
  for (int i = 0; i < PLOT_WIDTH; i++) {
    const int row = row_of(p->value(p->of, (i + 0.5) / PLOT_WIDTH), least, most);
    const int step = before < 0 || before == row ? 0 : before < row ? 1 : -1;
    for (int y = step ? before : row; y != row; y += step) mark(points, y, i, 1, 0);
    mark(points, row, i, 1, 0);
    before = row;
  }
  for (int i = 0; p->table && i < p->n_points; i++)
    mark(points, row_of(p->table[i], least, most), (int)(p->points[i] * (PLOT_WIDTH - 1)), 3,
         (double)NAN);
  tsr_array plot = tsr_from_host(points, TSR_FLOAT64, TSR_SHAPE(PLOT_HEIGHT, PLOT_WIDTH));
  free(points);
  return tsr_picture(plot, 0, 1, TSR_GREY, TSR_SCALE(1), TSR_TITLE(p->title));
}

tsr_array cavity_picture(tsr_array speed, tsr_array stream, const cavity_profile *profiles)
{
  TSR_SCOPE();
  tsr_array left = draw_speed(speed, stream);
  tsr_array right =
      tsr_panels(TSR_ARRAYS(draw_profile(&profiles[0]), draw_profile(&profiles[1])), 1);
  return tsr_keep(tsr_panels(TSR_ARRAYS(left, right)));
}
