/* The lid-driven cavity: an incompressible fluid in a square box whose lid slides at speed 1, until
 * it is steady.
 *
 * Method: artificial compressibility (A. J. Chorin, J. Comput. Phys. 2 (1967) 12-26): dp/dt = -beta
 * div(u, v) instead of div = 0; a steady state has div = 0 exactly, whatever beta is. Central
 * differences of second order on a staggered grid (F. H. Harlow and J. E. Welch, Phys. Fluids 8
 * (1965) 2182-2189) of n x n cells; row 0 is the bottom.
 *
 *   p[n, n]       at the cells' centres
 *   u[n+2, n+1]   on the upright faces, with one row of ghosts below and one above
 *   v[n+1, n+2]   on the level faces, with one column of ghosts on the left and one on the right
 *
 * A step: momentum with the fluxes of the old velocities, the walls, then pressure with the new
 * ones. */
#include <math.h>
#include <stdlib.h>

#include "tessera.h"

/* The lid-driven cavity's benchmark: U. Ghia, K. N. Ghia and C. T. Shin, "High-Re solutions for
 * incompressible flow using the Navier-Stokes equations and a multigrid method", Journal of
 * Computational Physics 48 (1982) 387-411, Table I (u along the vertical line through the centre)
 * and Table II (v along the horizontal one), first columns. */
enum { GHIA_N_POINTS = 17, GHIA_N_RE = 3 };

static const double ghia_re[GHIA_N_RE] = {100, 400, 1000};

static const double ghia_y[GHIA_N_POINTS] = {1.0000, 0.9766, 0.9688, 0.9609, 0.9531, 0.8516,
                                             0.7344, 0.6172, 0.5000, 0.4531, 0.2813, 0.1719,
                                             0.1016, 0.0703, 0.0625, 0.0547, 0.0000};

static const double ghia_u[GHIA_N_RE][GHIA_N_POINTS] = {
    {1.00000, 0.84123, 0.78871, 0.73722, 0.68717, 0.23151, 0.00332, -0.13641, -0.20581, -0.21090,
     -0.15662, -0.10150, -0.06434, -0.04775, -0.04192, -0.03717, 0.00000},
    {1.00000, 0.75837, 0.68439, 0.61756, 0.55892, 0.29093, 0.16256, 0.02135, -0.11477, -0.17119,
     -0.32726, -0.24299, -0.14612, -0.10338, -0.09266, -0.08186, 0.00000},
    {1.00000, 0.65928, 0.57492, 0.51117, 0.46604, 0.33304, 0.18719, 0.05702, -0.06080, -0.10648,
     -0.27805, -0.38289, -0.29730, -0.22220, -0.20196, -0.18109, 0.00000},
};

static const double ghia_x[GHIA_N_POINTS] = {1.0000, 0.9688, 0.9609, 0.9531, 0.9453, 0.9063,
                                             0.8594, 0.8047, 0.5000, 0.2344, 0.2266, 0.1563,
                                             0.0938, 0.0781, 0.0703, 0.0625, 0.0000};

static const double ghia_v[GHIA_N_RE][GHIA_N_POINTS] = {
    {0.00000, -0.05906, -0.07391, -0.08864, -0.10313, -0.16914, -0.22445, -0.24533, 0.05454,
     0.17527, 0.17507, 0.16077, 0.12317, 0.10890, 0.10091, 0.09233, 0.00000},
    {0.00000, -0.12146, -0.15663, -0.19254, -0.22847, -0.23827, -0.44993, -0.38598, 0.05186,
     0.30174, 0.30203, 0.28124, 0.22965, 0.20920, 0.19713, 0.18360, 0.00000},
    {0.00000, -0.21388, -0.27669, -0.33714, -0.39188, -0.51550, -0.42665, -0.31966, 0.02526,
     0.32235, 0.33075, 0.37095, 0.32627, 0.30353, 0.29012, 0.27485, 0.00000},
};

/* Row of ghia_v that the paper misprints, or -1: at Re 400, -0.23827 lies far off the curve through
 * its neighbours, where other solutions have -0.38. It is left out of the largest difference. */
static const int ghia_v_misprint[GHIA_N_RE] = {-1, 5, -1};

typedef struct flow {
  tsr_array u, v, p;
} flow;

static flow flow_at_rest(int64_t n)
{
  return (flow){.u = tsr_zeros(TSR_SHAPE(n + 2, n + 1)),
                .v = tsr_zeros(TSR_SHAPE(n + 1, n + 2)),
                .p = tsr_zeros(TSR_SHAPE(n, n))};
}

/* d: viscosity dt / h^2, r: dt / h, c: beta dt / h. */
static void flow_step(const flow *f, double d, double r, double c)
{
  TSR_SCOPE();
  const tsr_array u = f->u, v = f->v, p = f->p;

  /* Momentum that flows through the cells' corners, and pressure and momentum at their centres. */
  tsr_array uv = tsr_eval("0.25 * (u[1:,:] + u[:-1,:]) * (v[:,1:] + v[:,:-1])", u, v);
  tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
  tsr_array vc = tsr_eval("0.5 * (v[1:,1:-1] + v[:-1,1:-1])", v);
  tsr_array uu = tsr_eval("p + uc*uc", p, uc);
  tsr_array vv = tsr_eval("p + vc*vc", p, vc);

  tsr_exec(
      "u[1:-1,1:-1] += d * (u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1] - 4*u[1:-1,1:-1])"
      "              - r * (uu[:,1:] - uu[:,:-1] + uv[1:,1:-1] - uv[:-1,1:-1])",
      u, uu, uv, d, r);
  tsr_exec(
      "v[1:-1,1:-1] += d * (v[1:-1,2:] + v[1:-1,:-2] + v[2:,1:-1] + v[:-2,1:-1] - 4*v[1:-1,1:-1])"
      "              - r * (vv[1:,:] - vv[:-1,:] + uv[1:-1,1:] - uv[1:-1,:-1])",
      v, vv, uv, d, r);

  /* No slip: the mean of a ghost and its neighbour is the wall's speed; 1 at the lid. */
  tsr_exec("u[0,:] = -u[1,:]; u[-1,:] = 2 - u[-2,:]; v[:,0] = -v[:,1]; v[:,-1] = -v[:,-2]", u, v);

  tsr_exec("p[:,:] -= c * (u[1:-1,1:] - u[1:-1,:-1] + v[1:,1:-1] - v[:-1,1:-1])", p, u, v, c);
}

/* The largest stable step: sound (speed sqrt(beta)) and viscosity together as in a damped
 * oscillator, and convection against viscosity. */
static double stable_dt(double h, double viscosity, double beta)
{
  const double sound = 2 * beta / (h * h), damping = 4 * viscosity / (h * h) + 2 / h;
  const double dt = 2 / (damping + sqrt(damping * damping + 4 * sound));
  return 0.9 * fmin(dt, 2 * viscosity);
}

/* A profile along a centreline: values at both walls and at the n cell centres between them. */
typedef struct profile {
  int64_t n;
  double *values; /* n + 2, owned */
} profile;

/* The middle line (the mean of the two beside the middle if n is odd) without its ghosts, with the
 * wall's values. */
static profile profile_read(tsr_array across, int64_t n, double first, double last)
{
  TSR_SCOPE();
  tsr_array left = tsr_slice(across, "$, 1:-1", n / 2);
  tsr_array right = tsr_slice(across, "$, 1:-1", (n + 1) / 2);
  tsr_array line = tsr_multiply(0.5, tsr_add(left, right));
  profile p = {.n = n, .values = calloc((size_t)n + 2, sizeof *p.values)};
  if (!p.values) exit(1);
  tsr_to_host(line, p.values + 1);
  p.values[0] = first;
  p.values[n + 1] = last;
  return p;
}

/* Linear between the points 0, 1/2n, 3/2n, …, 1. */
static double profile_at(const profile *p, double s)
{
  const double at = s * (double)p->n + 0.5;
  const int64_t k = at < 1 ? 0 : at >= (double)p->n ? p->n : (int64_t)at;
  const double left = k == 0 ? 0.5 : (double)k,
               right = k == p->n ? (double)p->n + 0.5 : (double)k + 1;
  const double t = (at - left) / (right - left);
  return (1 - t) * p->values[k] + t * p->values[k + 1];
}

/* Prints one profile at Ghia's points, beside the table's column unless it is NULL; returns the
 * largest difference, leaving out the point `misprint` (-1: none). */
static double print_profile(const char *axis, const char *what, const profile *p,
                            const double *points, const double *table, int misprint)
{
  double worst = 0;
  tsr_printf("\n%s along the centreline\n%8s %10s%s\n", what, axis, "ours",
             table ? "       ghia  difference" : "");
  for (int i = 0; i < GHIA_N_POINTS; i++) {
    const double ours = profile_at(p, points[i]);
    tsr_printf("%8.4f %10.5f", points[i], ours);
    if (table) {
      tsr_printf(" %10.5f  %10.5f%s", table[i], ours - table[i],
                 i == misprint ? "  (misprint)" : "");
      if (i != misprint) worst = fmax(worst, fabs(ours - table[i]));
    }
    tsr_printf("\n");
  }
  return worst;
}

static void print_profiles(const flow *f, int64_t n, double re)
{
  TSR_SCOPE();
  int column = 0;
  while (column < GHIA_N_RE && ghia_re[column] != re) column++;
  const bool known = column < GHIA_N_RE;
  profile u = profile_read(tsr_transpose(f->u), n, 0, 1), v = profile_read(f->v, n, 0, 0);
  const double worst_u = print_profile("y", "u", &u, ghia_y, known ? ghia_u[column] : NULL, -1);
  const double worst_v = print_profile("x", "v", &v, ghia_x, known ? ghia_v[column] : NULL,
                                       known ? ghia_v_misprint[column] : -1);
  if (known)
    tsr_printf("\nlargest difference from Ghia, Ghia & Shin (1982): u %.5f, v %.5f\n", worst_u,
               worst_v);
  free(u.values);
  free(v.values);
}

static tsr_array speed(const flow *f)
{
  const tsr_array u = f->u, v = f->v;
  tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
  tsr_array vc = tsr_eval("0.5 * (v[1:,1:-1] + v[:-1,1:-1])", v);
  return tsr_eval("sqrt(uc*uc + vc*vc)", uc, vc);
}

/* What is drawn is an array of numbers: NaN is white in the colours of the speed and red in grey,
 * which makes the streamlines and Ghia's points. */
enum { CAVITY_SIDE = 512 }; /* points of the picture of the speed along a side */

/* A profile to draw, and Ghia's points of it. */
typedef struct drawn_profile {
  const char *title;
  const profile *of;
  const double *points, *table; /* [GHIA_N_POINTS]; table NULL: it has none at this Re */
} drawn_profile;

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
static tsr_array draw_profile(const drawn_profile *p)
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
    const int row = row_of(profile_at(p->of, (i + 0.5) / PLOT_WIDTH), least, most);
    const int step = before < 0 || before == row ? 0 : before < row ? 1 : -1;
    for (int y = step ? before : row; y != row; y += step) mark(points, y, i, 1, 0);
    mark(points, row, i, 1, 0);
    before = row;
  }
  for (int i = 0; p->table && i < GHIA_N_POINTS; i++)
    mark(points, row_of(p->table[i], least, most), (int)(p->points[i] * (PLOT_WIDTH - 1)), 3,
         (double)NAN);
  tsr_array plot = tsr_from_host(points, TSR_FLOAT64, TSR_SHAPE(PLOT_HEIGHT, PLOT_WIDTH));
  free(points);
  return tsr_picture(plot, 0, 1, TSR_GREY, TSR_SCALE(1), TSR_TITLE(p->title));
}

/* The picture, to be saved by tsr_save_png. speed: [n, n], at the cells' centres; stream: [n, n +
 * 1], the stream function at the upper ends of the upright faces; row 0 is the bottom. profiles:
 * two. */
static tsr_array cavity_picture(tsr_array speed, tsr_array stream, const drawn_profile *profiles)
{
  TSR_SCOPE();
  tsr_array left = draw_speed(speed, stream);
  tsr_array right =
      tsr_panels(TSR_ARRAYS(draw_profile(&profiles[0]), draw_profile(&profiles[1])), 1);
  return tsr_keep(tsr_panels(TSR_ARRAYS(left, right)));
}

/* The speed with streamlines, and both profiles over the table's points. */
static void draw(const flow *f, int64_t n, double re, tsr_array fastest, const char *path)
{
  TSR_SCOPE();
  int column = 0;
  while (column < GHIA_N_RE && ghia_re[column] != re) column++;
  const bool known = column < GHIA_N_RE;
  profile u = profile_read(tsr_transpose(f->u), n, 0, 1), v = profile_read(f->v, n, 0, 0);
  const drawn_profile profiles[] = {
      {.title = known ? "u over y at x = 1/2; red: Ghia" : "u over y at x = 1/2",
       .of = &u,
       .points = ghia_y,
       .table = known ? ghia_u[column] : NULL},
      {.title = known ? "v over x at y = 1/2; red: Ghia" : "v over x at y = 1/2",
       .of = &v,
       .points = ghia_x,
       .table = known ? ghia_v[column] : NULL}};
  /* u is the stream function's slope along y, which is 0 on the walls. */
  tsr_array stream = tsr_divide(tsr_cumsum(tsr_slice(f->u, "1:-1"), 0), (double)n);
  tsr_save_png(cavity_picture(fastest, stream, profiles), path);
  free(u.values);
  free(v.values);
}

int main(int argc, char **argv)
{
  double re = 100;
  int64_t n = 128, steps = 0;
  const char *png = NULL, *npy = NULL;
  const tsr_option options[] = {
      {"--re", "Reynolds number", .number = &re, .least = 1, .most = 1000},
      {"-n", "cells along a side", .integer = &n, .least = 4, .most = 4096},
      {"--steps", "time steps; 0: until the flow is steady", .integer = &steps, .least = 0,
       .most = 1e12},
      {"--png", "write the final speed, the lid on top, as a picture", .text = &png},
      {"--npy", "write the final speed, the lid on top, as numpy.save does", .text = &npy},
      {0},
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      tsr_options(argc, argv, "Incompressible flow in a cavity with a sliding lid.", options);
  if (status >= 0) return tsr_finalize() == TSR_OK ? status : 1;

  /* Sound faster than the flow and, in thick fluids, than viscosity damps it. */
  const double beta = 2 * fmax(1, (10 / re) * (10 / re));
  const double h = 1 / (double)n, viscosity = 1 / re, dt = stable_dt(h, viscosity, beta);
  /* Measured: from then on the profiles move by less than 0.001. */
  if (steps == 0) steps = (int64_t)ceil(fmin(5 + 0.2 * re, 20 + 0.05 * re) / dt);
  tsr_printf("Re %g, %lld x %lld cells, %lld steps of %.4g\n", re, (long long)n, (long long)n,
             (long long)steps, dt);

  flow f = flow_at_rest(n);
  tsr_barrier();
  const double start = tsr_time();
  for (int64_t i = 0; i < steps; i++) {
    flow_step(&f, viscosity * dt / (h * h), dt / h, beta * dt / h);
    tsr_progress(i + 1, steps);
  }
  tsr_barrier();
  const double elapsed = tsr_time() - start;

  print_profiles(&f, n, re);
  tsr_array fastest = speed(&f);
  if (png) draw(&f, n, re, fastest, png);
  if (npy) tsr_save_npy(tsr_flip(fastest, TSR_AXES(0)), npy);
  tsr_printf("result elapsed_ms=%.3f mpoints_per_s=%.3f check=%.17g\n", 1e3 * elapsed,
             1e-6 * (double)n * (double)n * (double)steps / elapsed,
             tsr_item_f64(tsr_mean(fastest)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
