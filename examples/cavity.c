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

#include "cavity_picture.h"
#include "common.h"
#include "ghia.h"

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

static double value_at(const void *p, double s)
{
  return profile_at(p, s);
}

/* The speed with streamlines, and both profiles over the table's points. */
static void draw(const flow *f, int64_t n, double re, tsr_array fastest, const char *path)
{
  TSR_SCOPE();
  int column = 0;
  while (column < GHIA_N_RE && ghia_re[column] != re) column++;
  const bool known = column < GHIA_N_RE;
  profile u = profile_read(tsr_transpose(f->u), n, 0, 1), v = profile_read(f->v, n, 0, 0);
  const cavity_profile profiles[] = {
      {.title = known ? "u over y at x = 1/2; red: Ghia" : "u over y at x = 1/2",
       .value = value_at,
       .of = &u,
       .points = ghia_y,
       .table = known ? ghia_u[column] : NULL,
       .n_points = GHIA_N_POINTS},
      {.title = known ? "v over x at y = 1/2; red: Ghia" : "v over x at y = 1/2",
       .value = value_at,
       .of = &v,
       .points = ghia_x,
       .table = known ? ghia_v[column] : NULL,
       .n_points = GHIA_N_POINTS}};
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
  example_output out = {.png = NULL};
  const example_option options[] = {
      {"--re", 'd', &re, 1, 1000, "Reynolds number, 1 to 1000"},
      {"-n", 'i', &n, 4, 4096, "cells along a side"},
      {"--steps", 'i', &steps, 0, 1e12, "time steps; 0: until the flow is steady"},
      EXAMPLE_OUTPUT(&out, "the final speed, the lid on top,"),
  };
  if (tsr_init(&argc, &argv) != TSR_OK) return 1;
  const int status =
      example_options(argc, argv, "Incompressible flow in a cavity with a sliding lid.", options,
                      EXAMPLE_COUNT(options));
  if (status >= 0) {
    tsr_finalize();
    return status;
  }

  /* Sound faster than the flow and, in thick fluids, than viscosity damps it. */
  const double beta = 2 * fmax(1, (10 / re) * (10 / re));
  const double h = 1 / (double)n, viscosity = 1 / re, dt = stable_dt(h, viscosity, beta);
  /* Measured: from then on the profiles move by less than 0.001. */
  if (steps == 0) steps = (int64_t)ceil(fmin(5 + 0.2 * re, 20 + 0.05 * re) / dt);
  tsr_printf("Re %g, %lld x %lld cells, %lld steps of %.4g\n", re, (long long)n, (long long)n,
             (long long)steps, dt);

  flow f = flow_at_rest(n);
  example_progress progress = example_progress_begin(steps);
  for (int64_t i = 0; i < steps; i++) {
    flow_step(&f, viscosity * dt / (h * h), dt / h, beta * dt / h);
    example_progress_step(&progress, i + 1);
  }
  const double elapsed = example_progress_end(&progress);

  print_profiles(&f, n, re);
  tsr_array fastest = speed(&f);
  if (out.png) draw(&f, n, re, fastest, out.png);
  if (out.npy) tsr_save_npy(tsr_flip(fastest, TSR_AXES(0)), out.npy);
  example_result(elapsed, (double)n * (double)n * (double)steps, tsr_item_f64(tsr_mean(fastest)));
  return tsr_finalize() == TSR_OK ? 0 : 1;
}
