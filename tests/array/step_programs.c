/* Programs of steps (step_programs.h). */
#include "step_programs.h"

static tsr_array ramp(tsr_dims shape)
{
  return tsr_reshape(tsr_multiply(0.01, tsr_arange(0.0, (double)(shape.n[0] * shape.n[1]), 1.0)),
                     shape);
}

static void jacobi(tsr_array u)
{
  tsr_exec("u[0, :] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++)
    tsr_exec("u[1:-1, 1:-1] = 0.2*(u[1:-1, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] + "
             "u[2:, 1:-1])",
             u);
}

static void pressure(tsr_array p)
{
  tsr_array b = tsr_copy(ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("p[1:-1, 1:-1] = 0.25*(p[1:-1, 2:] + p[1:-1, :-2] + p[2:, 1:-1] + p[:-2, 1:-1]) - "
             "b[1:-1, 1:-1]",
             p, b);
    tsr_exec("p[:, -1] = p[:, -2]", p);
    tsr_exec("p[0, :] = p[1, :]", p);
    tsr_exec("p[:, 0] = p[:, 1]", p);
    tsr_exec("p[-1, :] = 0.5", p);
  }
}

/* Two arrays in turn, of which neither reads the other before the end. */
static void two(tsr_array u)
{
  tsr_array v = tsr_copy(ramp(TSR_SHAPE(SIDE + 3, SIDE - 5)));
  tsr_exec("u[0, :] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    tsr_exec("v[2:-1, 1:-1] = 0.5*(v[:-3, 1:-1] + v[1:-2, 2:])", v);
  }
  tsr_exec("u[:, 5:] += v[3:, :]", u, v);
}

/* Three arrays take turns. */
static void wave(tsr_array u)
{
  tsr_array v[3] = {tsr_copy(ramp(TSR_SHAPE(SIDE, SIDE))), tsr_zeros(TSR_SHAPE(SIDE, SIDE)), u};
  for (int i = 0; i < N_STEPS; i++) {
    tsr_array a = v[i % 3], b = v[(i + 1) % 3], c = v[(i + 2) % 3];
    tsr_exec("c[1:-1, 1:-1] = 2*b[1:-1, 1:-1] - a[1:-1, 1:-1] + 0.1*(b[2:, 1:-1] + b[:-2, 1:-1] + "
             "b[1:-1, 2:] + b[1:-1, :-2] - 4*b[1:-1, 1:-1])",
             a, b, c);
  }
}

static void red_black(tsr_array u)
{
  tsr_exec("u[0, :] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1:2, 1:-1] = 0.5*(u[:-2:2, 1:-1] + u[2::2, 1:-1])", u);
    tsr_exec("u[2:-1:2, 1:-1] = 0.5*(u[1:-2:2, 1:-1] + u[3::2, 1:-1])", u);
  }
}

static void line(tsr_array u)
{
  tsr_exec("u[0] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1] = 0.25*u[:-2] + 0.5*u[1:-1] + 0.25*u[2:]", u);
    tsr_exec("u[-1] = u[-2]", u);
  }
}

static void heat(tsr_array u)
{
  tsr_exec("u[0] = 40.0", u);
  for (int i = 0; i < N_STEPS; i++)
    tsr_exec(
        "u[1:-1, 1:-1, 1:-1] = 0.1*(u[:-2, 1:-1, 1:-1] + u[2:, 1:-1, 1:-1] + u[1:-1, :-2, 1:-1] + "
        "u[1:-1, 2:, 1:-1] + u[1:-1, 1:-1, :-2] + u[1:-1, 1:-1, 2:]) + 0.4*u[1:-1, 1:-1, 1:-1]",
        u);
}
/* An incompressible flow in a box: arrays of three shapes, and borders along both axes. */
static void cavity(tsr_array p)
{
  enum { N = SIDE };
  tsr_array u = tsr_zeros(TSR_SHAPE(N + 2, N + 1)), v = tsr_zeros(TSR_SHAPE(N + 1, N + 2));
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_array uv = tsr_eval("0.25 * (u[1:,:] + u[:-1,:]) * (v[:,1:] + v[:,:-1])", u, v);
    tsr_array uc = tsr_eval("0.5 * (u[1:-1,1:] + u[1:-1,:-1])", u);
    tsr_array uu = tsr_eval("p + uc*uc", p, uc);
    tsr_exec("u[1:-1,1:-1] += 0.1*(u[1:-1,2:] + u[1:-1,:-2] + u[2:,1:-1] + u[:-2,1:-1])"
             " - 0.4*u[1:-1,1:-1] - 0.2*(uu[:,1:] - uu[:,:-1] + uv[1:,1:-1] - uv[:-1,1:-1])",
             u, uu, uv);
    tsr_exec("v[1:-1,1:-1] += 0.1*(v[1:-1,2:] + v[1:-1,:-2]) - 0.2*(uv[1:-1,1:] - uv[1:-1,:-1])", v,
             uv);
    tsr_exec("u[0,:] = -u[1,:]; u[-1,:] = 2 - u[-2,:]; v[:,0] = -v[:,1]; v[:,-1] = -v[:,-2]", u, v);
    tsr_exec("p[:,:] -= 0.3 * (u[1:-1,1:] - u[1:-1,:-1] + v[1:,1:-1] - v[:-1,1:-1])", p, u, v);
  }
}

/* Two substances, with ghosts that hold the opposite border. */
static void reaction(tsr_array v)
{
  tsr_array u = tsr_ones(TSR_SHAPE(SIDE, SIDE));
  tsr_exec("v[20:40, 30:50] = 0.25", v);
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_array lu =
        tsr_eval("u[:-2,1:-1] + u[1:-1,:-2] - 4*u[1:-1,1:-1] + u[1:-1,2:] + u[2:,1:-1]", u);
    tsr_array lv =
        tsr_eval("v[:-2,1:-1] + v[1:-1,:-2] - 4*v[1:-1,1:-1] + v[1:-1,2:] + v[2:,1:-1]", v);
    tsr_array uvv = tsr_eval("u[1:-1,1:-1] * v[1:-1,1:-1] * v[1:-1,1:-1]", u, v);
    tsr_exec("u[1:-1,1:-1] += 0.16*lu - uvv + 0.03*(1 - u[1:-1,1:-1])", u, lu, uvv);
    tsr_exec("v[1:-1,1:-1] += 0.08*lv + uvv - 0.09*v[1:-1,1:-1]", v, lv, uvv);
    tsr_exec("u[0,:] = u[-2,:]; u[-1,:] = u[1,:]; u[:,0] = u[:,-2]; u[:,-1] = u[:,1]", u);
    tsr_exec("v[0,:] = v[-2,:]; v[-1,:] = v[1,:]; v[:,0] = v[:,-2]; v[:,-1] = v[:,1]", v);
  }
}

/* Values that move around the ends of both axes, as reads at the other end, in pieces. */
static void rolled(tsr_array u)
{
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++)
    tsr_exec(
        "u[:, :] = 0.5*u + 0.2*roll(u, 1, 0) + 0.2*roll(u, -2, 1) + 0.1*roll(u, (1, 1), (0, 1))",
        u);
}

/* A line whose ends meet, two points of ghosts each. */
static void ring(tsr_array u)
{
  tsr_assign(u, tsr_multiply(0.01, tsr_arange(0.0, 3000.0, 1.0)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[2:-2] = 0.5*u[2:-2] + 0.25*u[:-4] + 0.25*u[4:]", u);
    tsr_exec("u[:2] = u[-4:-2]", u);
    tsr_exec("u[-2:] = u[2:4]", u);
  }
}

/* Residuals of every few steps, which nobody reads before the end: by rows, and of all. */
static void residual(tsr_array u)
{
  enum { EVERY = 6 };
  tsr_array sums[N_STEPS / EVERY], rows[N_STEPS / EVERY];
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i % EVERY != 1) continue;
    sums[i / EVERY] = tsr_eval("sum(u*u)", u);
    rows[i / EVERY] = tsr_eval("max(u[2:, 1:], 0)", u);
  }
  tsr_flush();
  tsr_exec("u[0, :-1] = 0.001*($2 + $3) + $4 - $5", u, sums[0], sums[1], rows[0], rows[1]);
}

/* Residuals that are kept in an array as they come, and added up: what takes them waits for all
 * steps. */
static void history(tsr_array u)
{
  enum { EVERY = 2 };
  tsr_array kept = tsr_zeros(TSR_SHAPE(N_STEPS)), total = tsr_zeros(TSR_SHAPE());
  tsr_array most = tsr_full(TSR_SHAPE(SIDE), 0.25);
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i % EVERY == 0) continue;
    tsr_exec("kept[i] = sum(u*u)", kept, u, i);
    tsr_exec("total += 0.5*kept[i]", total, kept, i);
    tsr_exec("most[:] = maximum(most, max(u, 0))", most, u);
    if (i == N_STEPS / 2) tsr_exec("u[0, 0] = 0.001*total", u, total);
  }
  tsr_exec("u[0, :12] = 0.001*kept + total", u, kept, total);
  tsr_exec("u[-1, :] = most", u, most);
}

/* A reduction of rows of which the last place has none, whose result the steps read. */
static void some_rows(tsr_array u)
{
  tsr_array v = tsr_copy(tsr_multiply(0.5, ramp(TSR_SHAPE(SIDE, SIDE))));
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_array most = tsr_eval("max(u[:48])", u);
    tsr_exec("u[:, :] = 0.5*u + 0.01*v", u, v);
    tsr_exec("v[:, 1:-1] = 0.001*most*(u[:, :-2] + u[:, 2:])", u, v, most);
  }
  tsr_exec("u += v", u, v);
}

/* y: the mean of x and what there is of its halo, of 2 before and 1 behind along each axis. */
static int mean_around(const tsr_task_box *box)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  for (int64_t i = 0; i < box->shape[0]; i++)
    for (int64_t j = 0; j < box->shape[1]; j++) {
      double sum = 0;
      int n = 0;
      for (int64_t a = i - 2; a <= i + 1; a++)
        for (int64_t b = j - 2; b <= j + 1; b++) {
          if (a < -x->before[0] || a >= box->shape[0] + x->after[0] || b < -x->before[1] ||
              b >= box->shape[1] + x->after[1])
            continue;
          sum += *(const double *)((const char *)x->data + a * x->stride_bytes[0] +
                                   b * x->stride_bytes[1]);
          n++;
        }
      *(double *)((char *)y->data + i * y->stride_bytes[0] + j * y->stride_bytes[1]) = sum / n;
    }
  return 0;
}

/* y: the sums of x from the first point of each line along an axis, which no box cuts. */
static int sum_along(const tsr_task_box *box, int axis)
{
  const tsr_task_argument *x = &box->in[0], *y = &box->out[0];
  if (box->shape[axis] != box->domain[axis]) return 1;
  for (int64_t i = 0; i < box->shape[1 - axis]; i++) {
    const char *from = (const char *)x->data + i * x->stride_bytes[1 - axis];
    char *to = (char *)y->data + i * y->stride_bytes[1 - axis];
    double sum = 0;
    for (int64_t j = 0; j < box->shape[axis]; j++) {
      sum += *(const double *)(from + j * x->stride_bytes[axis]);
      *(double *)(to + j * y->stride_bytes[axis]) = 0.03 * sum;
    }
  }
  return 0;
}

static int sum_columns(const tsr_task_box *box)
{
  return sum_along(box, 0);
}

static int sum_rows(const tsr_task_box *box)
{
  return sum_along(box, 1);
}

static void sum_by(tsr_array u, tsr_function f)
{
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_assign(u, tsr_call(f, u));
    tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[1:-1, 2:])", u);
  }
}

/* Tasks with a whole axis, between steps. */
static void whole_rows(tsr_array u)
{
  sum_by(u, tsr_task("sum_rows", "float64 x, whole(1)", "float64 y", sum_rows));
}

static void whole_columns(tsr_array u)
{
  sum_by(u, tsr_task("sum_columns", "float64 x, whole(0)", "float64 y", sum_columns));
}

/* A task of the user's between steps, with a halo. */
static void tasks(tsr_array u)
{
  tsr_function f = tsr_task("mean_around", "float64 x halo(2:1, 2:1)", "float64 y", mean_around);
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    TSR_SCOPE();
    tsr_assign(u, tsr_call(f, u));
    tsr_exec("u[1:-1, 1:-1] = 0.5*(u[:-2, 1:-1] + u[1:-1, 2:])", u);
  }
}

/* A source in one row, which lies beside a cut; a coefficient that is a sum over all. */
static void source(tsr_array u)
{
  tsr_array scale = tsr_full(TSR_SHAPE(1), 0.1);
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] += scale*(u[:-2, 1:-1] + u[1:-1, 2:] - 2*u[1:-1, 1:-1])", u, scale);
    tsr_exec("u[33, 5:40] += 1.5", u);
    tsr_exec("u[3, 32] = 4.5", u);
    if (i % 4 == 3) tsr_exec("scale[:] = 0.1 + 0.001*mean(u)", scale, u);
  }
}

/* What other places have is read whole, turned, moved around the ends and in other steps. */
static void unbounded(tsr_array u)
{
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[1:-1, 1:-1] = 0.25*(u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])", u);
    if (i % 3 == 0) tsr_exec("u[:, :] = 0.5*u + 0.5*u.T", u);
    if (i % 3 == 1) tsr_exec("u[:, :] = 0.5*u + 0.5*roll(u, 3, 0)", u);
    if (i % 3 == 2) tsr_exec("u[:33, :] = u[::2, ::-1]", u);
  }
}

/* Steps over a grid that is written in place, from one corner to the other. */
static void in_place(tsr_array u)
{
  tsr_assign(u, ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("u[2:, :] += 0.5*u[:-2, :]", u);
    tsr_exec("u[:, :-3] -= 0.25*u[:, 3:]", u);
    tsr_exec("u[::-1, :] *= 0.5", u);
  }
}

/* A row of one place is added to what all places have, and columns move across tiles. */
static void distant(tsr_array u)
{
  tsr_array line = tsr_copy(tsr_slice(u, "0")), rows = tsr_copy(ramp(TSR_SHAPE(SIDE, SIDE)));
  for (int i = 0; i < N_STEPS; i++) {
    tsr_exec("line[1:] += 0.5 + rows[1, 1:]", line, rows);
    tsr_exec("line[1:-1] = 0.5*(line[2:] + line[:-2])", line);
    tsr_exec("u[:26, 46:] = u[40:, :20] + line[-20:]", u, line);
    tsr_exec("u += 0.25", u);
  }
  tsr_assign(u, tsr_add(u, line));
}

const step_program step_programs[N_STEP_PROGRAMS] = {
    {"jacobi", jacobi, {SIDE, SIDE}, true, true, false},
    {"pressure", pressure, {SIDE, SIDE}, true, true, false},
    {"two", two, {SIDE, SIDE}, false, true, false},
    {"wave", wave, {SIDE, SIDE}, true, true, false},
    {"line", line, {3000}, true, true, false},
    {"heat", heat, {24, 20, 30}, true, true, false},
    {"red_black", red_black, {SIDE, SIDE}, false, true, false},
    {"cavity", cavity, {SIDE, SIDE}, false, true, false},
    {"reaction", reaction, {SIDE, SIDE}, false, true, true},
    {"rolled", rolled, {SIDE, SIDE}, false, true, true},
    {"ring", ring, {3000}, false, true, true},
    {"residual", residual, {SIDE, SIDE}, false, true, false},
    {"history", history, {SIDE, SIDE}, false, false, false},
    {"some_rows", some_rows, {SIDE, SIDE}, false, false, false},
    {"tasks", tasks, {SIDE, SIDE}, true, true, false},
    {"whole_rows", whole_rows, {SIDE, SIDE}, false, true, false},
    {"whole_columns", whole_columns, {SIDE, SIDE}, false, false, true},
    {"source", source, {SIDE, SIDE}, false, false, false},
    {"unbounded", unbounded, {SIDE, SIDE}, false, false, false},
    {"in_place", in_place, {SIDE, SIDE}, false, false, false},
    {"distant", distant, {SIDE, SIDE}, false, false, false}};

tsr_dims step_shape(const step_program *p)
{
  return (tsr_dims){.ndim = p->n[1] == 0   ? 1
                            : p->n[2] == 0 ? 2
                                           : 3,
                    .n = {p->n[0], p->n[1], p->n[2]}};
}
