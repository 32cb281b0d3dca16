/* Fluids: two projection schemes, shallow water, lattice Boltzmann, advection with a limiter, and
 * the viscosity of the scales below the grid. */
#include "bench/kernels/kernels.h"

enum { N_SWEEPS = 10, N_DIRECTIONS = 9 };

/* u, v, p and the right side of the pressure's equation. */
static void cavity_start(tsr_array *x, int64_t n)
{
  x[0] = tsr_full(TSR_SHAPE(n, n), 0.1);
  x[1] = tsr_full(TSR_SHAPE(n, n), 0.1);
  x[2] = tsr_zeros(TSR_SHAPE(n, n));
  x[3] = tsr_zeros(TSR_SHAPE(n, n));
}

static void cavity(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const tsr_array u = x[0], v = x[1], p = x[2], b = x[3];
  const double h = 1 / (double)(n - 1), dt = 0.1 * h, nu = 0.1 * h, half = 0.5 / h;
  tsr_array ux = tsr_eval("half * (u[1:-1,2:] - u[1:-1,:-2])", u, half);
  tsr_array uy = tsr_eval("half * (u[2:,1:-1] - u[:-2,1:-1])", u, half);
  tsr_array vx = tsr_eval("half * (v[1:-1,2:] - v[1:-1,:-2])", v, half);
  tsr_array vy = tsr_eval("half * (v[2:,1:-1] - v[:-2,1:-1])", v, half);
  tsr_exec("b[1:-1,1:-1] = h*h * ((ux + vy)/dt - ux**2 - 2*uy*vx - vy**2)", b, h, ux, vy, uy, vx,
           dt);
  for (int i = 0; i < N_SWEEPS; i++) {
    tsr_exec("p[1:-1,1:-1] = 0.25 * (p[1:-1,2:] + p[1:-1,:-2] + p[2:,1:-1] + p[:-2,1:-1]"
             "                       - b[1:-1,1:-1])",
             p, b);
    tsr_exec("p[:,-1] = p[:,-2]; p[:,0] = p[:,1]; p[0,:] = p[1,:]; p[-1,:] = 0", p);
  }
  tsr_array lu = tsr_eval(
      "(u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1] - 4*u[1:-1,1:-1]) / (h*h)", u, h);
  tsr_array lv = tsr_eval(
      "(v[1:-1,2:] + v[1:-1,:-2] + v[2:,1:-1] + v[:-2,1:-1] - 4*v[1:-1,1:-1]) / (h*h)", v, h);
  tsr_array un = tsr_eval("u[1:-1,1:-1].copy()", u), vn = tsr_eval("v[1:-1,1:-1].copy()", v);
  tsr_exec("u[1:-1,1:-1] += dt * (nu*lu - un*ux - vn*uy - half*(p[1:-1,2:] - p[1:-1,:-2]))", u, dt,
           nu, lu, un, ux, vn, uy, half, p);
  tsr_exec("v[1:-1,1:-1] += dt * (nu*lv - un*vx - vn*vy - half*(p[2:,1:-1] - p[:-2,1:-1]))", v, dt,
           nu, lv, un, vx, vn, vy, half, p);
  tsr_exec("u[0,:] = 0; u[:,0] = 0; u[:,-1] = 0; u[-1,:] = 1", u);
  tsr_exec("v[0,:] = 0; v[-1,:] = 0; v[:,0] = 0; v[:,-1] = 0", v);
}

/* u, v, p, periodic along the channel, which is the last axis. */
static void channel_start(tsr_array *x, int64_t n)
{
  for (int i = 0; i < 3; i++) {
    tsr_array noise = kernel_pattern(TSR_SHAPE(n, n), i);
    x[i] = tsr_eval("0.01 * noise", noise);
  }
}

static void channel(const tsr_array *x, int64_t n, int64_t t)
{
  (void)t;
  TSR_SCOPE();
  const tsr_array u = x[0], v = x[1], p = x[2];
  const double h = 1 / (double)(n - 1), dt = 0.1 * h, nu = 0.1 * h, half = 0.5 / h;
  tsr_array ue = tsr_eval("roll(u, -1, 1)", u), uw = tsr_eval("roll(u, 1, 1)", u);
  tsr_array ve = tsr_eval("roll(v, -1, 1)", v), vw = tsr_eval("roll(v, 1, 1)", v);
  tsr_array ux = tsr_eval("half * (ue - uw)[1:-1]", ue, uw, half);
  tsr_array uy = tsr_eval("half * (u[2:] - u[:-2])", u, half);
  tsr_array vx = tsr_eval("half * (ve - vw)[1:-1]", ve, vw, half);
  tsr_array vy = tsr_eval("half * (v[2:] - v[:-2])", v, half);
  tsr_array b = tsr_eval("h*h * ((ux + vy)/dt - ux**2 - 2*uy*vx - vy**2)", h, ux, vy, uy, vx, dt);
  for (int i = 0; i < N_SWEEPS; i++) {
    tsr_exec("p[1:-1] = 0.25 * ((roll(p, -1, 1) + roll(p, 1, 1))[1:-1] + p[2:] + p[:-2] - b)", p,
             b);
    tsr_exec("p[0] = p[1]; p[-1] = p[-2]", p);
  }
  tsr_array lu =
      tsr_eval("(ue[1:-1] + uw[1:-1] + u[2:] + u[:-2] - 4*u[1:-1]) / (h*h)", ue, uw, u, h);
  tsr_array lv =
      tsr_eval("(ve[1:-1] + vw[1:-1] + v[2:] + v[:-2] - 4*v[1:-1]) / (h*h)", ve, vw, v, h);
  tsr_array px = tsr_eval("half * (roll(p, -1, 1) - roll(p, 1, 1))[1:-1]", p, half);
  tsr_array un = tsr_eval("u[1:-1].copy()", u), vn = tsr_eval("v[1:-1].copy()", v);
  tsr_exec("u[1:-1] += dt * (1 + nu*lu - un*ux - vn*uy - px)", u, dt, nu, lu, un, ux, vn, uy, px);
  tsr_exec("v[1:-1] += dt * (nu*lv - un*vx - vn*vy - half*(p[2:] - p[:-2]))", v, dt, nu, lv, un, vx,
           vn, vy, half, p);
  tsr_exec("u[0] = 0; u[-1] = 0; v[0] = 0; v[-1] = 0", u, v);
}

/* Depth, and velocities on the faces, in a periodic basin that turns. */
static void shallow_water_start(tsr_array *x, int64_t n)
{
  tsr_array noise = kernel_pattern(TSR_SHAPE(n, n), 0);
  x[0] = tsr_eval("1 + 0.1*noise", noise);
  x[1] = tsr_zeros(TSR_SHAPE(n, n));
  x[2] = tsr_zeros(TSR_SHAPE(n, n));
}

static void shallow_water(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array h = x[0], u = x[1], v = x[2];
  const double r = 0.1, f = 0.01;
  tsr_array fe = tsr_eval("0.5 * u * (h + roll(h, -1, 1))", u, h);
  tsr_array fn = tsr_eval("0.5 * v * (h + roll(h, -1, 0))", v, h);
  tsr_exec("h -= r * (fe - roll(fe, 1, 1) + fn - roll(fn, 1, 0))", h, r, fe, fn);
  tsr_array ke = tsr_eval("h + 0.25*(u**2 + roll(u, 1, 1)**2 + v**2 + roll(v, 1, 0)**2)", h, u, v);
  tsr_array vu =
      tsr_eval("0.25 * (v + roll(v, 1, 0) + roll(v, -1, 1) + roll(v, (1, -1), (0, 1)))", v);
  tsr_exec("u -= r*(roll(ke, -1, 1) - ke) - f*vu", u, r, ke, f, vu);
  tsr_array uv =
      tsr_eval("0.25 * (u + roll(u, 1, 1) + roll(u, -1, 0) + roll(u, (-1, 1), (0, 1)))", u);
  tsr_exec("v -= r*(roll(ke, -1, 0) - ke) + f*uv", v, r, ke, f, uv);
}

static const int direction[N_DIRECTIONS][2] = {{0, 0}, {1, 0},  {0, 1},   {-1, 0}, {0, -1},
                                               {1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

static double weight(int k)
{
  return k == 0 ? 4.0 / 9 : k < 5 ? 1.0 / 9 : 1.0 / 36;
}

static void lattice_boltzmann_start(tsr_array *x, int64_t n)
{
  tsr_array noise = kernel_pattern(TSR_SHAPE(N_DIRECTIONS, n, n), 0);
  x[0] = tsr_eval("1 + 0.1*noise", noise);
  for (int k = 0; k < N_DIRECTIONS; k++) tsr_imul(tsr_slice(x[0], "$", k), weight(k));
}

static void lattice_boltzmann(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array f = x[0];
  for (int k = 1; k < N_DIRECTIONS; k++) {
    const int cx = direction[k][0], cy = direction[k][1];
    tsr_exec("f[k] = roll(f[k], (cx, cy), axis=(0, 1))", f, k, cx, cy);
  }
  tsr_array rho = tsr_eval("sum(f, axis=0)", f);
  tsr_array ux = tsr_eval("(f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho", f, rho);
  tsr_array uy = tsr_eval("(f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho", f, rho);
  tsr_array uu = tsr_eval("1.5 * (ux*ux + uy*uy)", ux, uy);
  for (int k = 0; k < N_DIRECTIONS; k++) {
    const int cx = direction[k][0], cy = direction[k][1];
    const double w = weight(k);
    tsr_array cu = tsr_eval("3 * (cx*ux + cy*uy)", cx, ux, cy, uy);
    tsr_exec("f[k] += 1.2 * (w*rho*(1 + cu + 0.5*cu*cu - uu) - f[k])", f, k, w, rho, cu, uu);
  }
}

static void advection_start(tsr_array *x, int64_t n)
{
  x[0] = kernel_pattern(TSR_SHAPE(n, n), 0);
}

static void advection(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  const tsr_array q = x[0];
  const double c = 0.3;
  for (int axis = 1; axis >= 0; axis--) {
    TSR_SCOPE();
    tsr_array d = tsr_eval("roll(q, -1, axis) - q", q, axis);
    tsr_array e = tsr_eval("roll(d, 1, axis)", d, axis);
    tsr_array slope = tsr_eval("where(d*e > 0, where(abs(d) < abs(e), d, e), 0.0)", d, e);
    tsr_array flux = tsr_eval("c * (q + 0.5*(1 - c)*slope)", c, q, slope);
    tsr_exec("q += roll(flux, 1, axis) - flux", q, flux, axis);
  }
}

static void smagorinsky_start(tsr_array *x, int64_t n)
{
  for (int i = 0; i < 3; i++) x[i] = kernel_pattern(TSR_SHAPE(n, n, n), i);
  x[3] = tsr_zeros(TSR_SHAPE(n - 2, n - 2, n - 2));
}

static void smagorinsky(const tsr_array *x, int64_t n, int64_t t)
{
  (void)n, (void)t;
  TSR_SCOPE();
  const tsr_array nu = x[3];
  tsr_array d[3][3];
  for (int i = 0; i < 3; i++) {
    const tsr_array u = x[i];
    d[i][0] = tsr_eval("0.5 * (u[2:,1:-1,1:-1] - u[:-2,1:-1,1:-1])", u);
    d[i][1] = tsr_eval("0.5 * (u[1:-1,2:,1:-1] - u[1:-1,:-2,1:-1])", u);
    d[i][2] = tsr_eval("0.5 * (u[1:-1,1:-1,2:] - u[1:-1,1:-1,:-2])", u);
  }
  tsr_array xx = d[0][0], yy = d[1][1], zz = d[2][2];
  tsr_array xy = tsr_add(d[0][1], d[1][0]), xz = tsr_add(d[0][2], d[2][0]);
  tsr_array yz = tsr_add(d[1][2], d[2][1]);
  tsr_exec("nu[...] = 0.0289 * sqrt(2*(xx**2 + yy**2 + zz**2) + xy**2 + xz**2 + yz**2)", nu, xx, yy,
           zz, xy, xz, yz);
}

const kernel kernels_of_flows[] = {
    {"cavity_flow", cavity_start, cavity},
    {"channel_flow", channel_start, channel},
    {"shallow_water", shallow_water_start, shallow_water},
    {"lattice_boltzmann", lattice_boltzmann_start, lattice_boltzmann},
    {"advection", advection_start, advection},
    {"smagorinsky", smagorinsky_start, smagorinsky},
    {0}};
