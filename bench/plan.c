/* What planning costs one rank of few and of many: the same window of two Jacobi steps with their
 * border and residual, on the device `null`, for an interior rank of a square of ranks that have
 * tiles of one size. Nothing is remembered, nothing is sent, nothing computed.
 *
 *   plan N M      prints `few_us=… many_us=…`: of N x N and of M x M ranks, medians, in turn */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/peers/peer.h"
#include "scheduler/scheduler.h"

enum { TILE = 192, N_WINDOWS = 2001, N_WARM = 200 };

static const tsr_location here = {
    .file = "plan.c", .function = "main", .line = 1, .op = "plan", .args = ""};

/* A region as an op sees it, whole or in part. */
typedef struct operand {
  tsr_region *region;
  tsr_view_ref *view;
} operand;

/* One rank of many. */
typedef struct pretended {
  tsr_world world;
  tsr_window window;
  tsr_scheduler *scheduler;
  operand u, residual, parts[5], top; /* parts: the interior, and its four neighbours */
} pretended;

static operand region(pretended *p, int ndim, const int64_t *shape)
{
  tsr_view whole;
  tsr__view_identity(&whole, ndim, shape);
  operand o = {tsr__region_create(&p->window, TSR_FLOAT64, ndim, shape, &here),
               tsr__view_ref_new(&p->window, &whole)};
  o.region->n_handles = o.region->n_stored = 1;
  return o;
}

static operand part(operand of, int64_t row, int64_t n_rows, int64_t column, int64_t n_columns)
{
  tsr_view v;
  tsr__view_copy(&v, &of.view->view);
  tsr__view_slice(&v, 0, row, n_rows, 1);
  tsr__view_slice(&v, 1, column, n_columns, 1);
  return (operand){of.region, tsr__view_ref_new(of.view->window, &v)};
}

static tsr_op_in value(operand o)
{
  return (tsr_op_in){.region = o.region, .view = o.view};
}

static tsr_op_in number(double x)
{
  return (tsr_op_in){.scalar = tsr__scalar_of_f64(x)};
}

static void fill(pretended *p, operand to, double x, bool creates)
{
  const tsr_op_in in = number(x);
  tsr__record_copy(&p->window, &here, &in, to.region, to.view, creates);
}

/* The rank in row 1, column 1 of n x n. */
static void begin(pretended *p, tsr_machine *machine, int n)
{
  const int64_t side = (int64_t)n * TILE, shape[2] = {side, side}, none[1] = {0};
  char message[256] = "";
  memset(p, 0, sizeof *p);
  p->world.machine = machine;
  p->world.config = machine->config;
  p->world.config.ranks_per_core = 1;
  p->world.config.halo_cache = 1 << 20;
  p->world.config.memo = false;
  p->world.size = n * n;
  p->world.rank = p->world.places[0].number = n + 1;
  p->world.n_places = 1;
  if (tsr__device_open("null", 0, 0, &p->world.places[0].device, message, sizeof message) != TSR_OK)
    exit(1);
  p->world.places[0].memory = tsr__memory_create_on(p->world.places[0].device, 0);
  p->world.staging = tsr__memory_create(0);
  tsr__window_init(&p->window, &p->world);
  p->scheduler = tsr__scheduler_create(&p->window);
  p->u = region(p, 2, shape);
  p->residual = region(p, 0, none);
  const int64_t m = side - 2;
  static const int64_t at[5][2] = {{1, 1}, {0, 1}, {1, 2}, {1, 0}, {2, 1}};
  for (int i = 0; i < 5; i++) p->parts[i] = part(p->u, at[i][0], m, at[i][1], m);
  p->top = part(p->u, 0, 1, 0, side);
  fill(p, p->u, 0.0, true);
}

static void record(pretended *p)
{
  for (int step = 0; step < 2; step++) {
    operand sum = region(p, 2, p->parts[0].view->view.shape);
    sum.region->n_stored = 0;
    tsr_op_in in[5];
    for (int i = 0; i < 5; i++) in[i] = value(p->parts[i]);
    tsr__record_map(&p->window, &here, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 5, in, sum.region,
                    sum.view, true);
    const tsr_op_in scaled[2] = {number(0.2), value(sum)};
    tsr__record_map(&p->window, &here, TSR_OP_MULTIPLY, TSR_FLOAT64, TSR_FLOAT64, 2, scaled,
                    p->parts[0].region, p->parts[0].view, false);
    const tsr_op_in last = value(sum);
    if (step == 1)
      tsr__record_reduce(&p->window, &here, TSR_REDUCE_MAX, TSR_FLOAT64, TSR_FLOAT64, &last, 3,
                         false, p->residual.region, p->residual.view);
    sum.region->n_handles = 0;
    tsr__view_ref_drop(sum.view);
    fill(p, p->top, 40.0, false);
  }
}

/* Seconds to plan one window. */
static double plan_once(pretended *p)
{
  record(p);
  const double start = peer_seconds();
  if (tsr__flush(p->scheduler, false) != TSR_OK) exit(1);
  return peer_seconds() - start;
}

static void end(pretended *p)
{
  for (int i = 0; i < 5; i++) tsr__view_ref_drop(p->parts[i].view);
  tsr__view_ref_drop(p->top.view);
  operand *const held[] = {&p->u, &p->residual};
  for (int i = 0; i < 2; i++) {
    held[i]->region->n_handles = held[i]->region->n_stored = 0;
    tsr__view_ref_drop(held[i]->view);
    tsr__region_maybe_free(&p->window, held[i]->region);
  }
  tsr__window_free(&p->window);
  tsr__scheduler_destroy(p->scheduler);
  tsr__memory_destroy(p->world.places[0].memory);
  tsr__memory_destroy(p->world.staging);
  tsr__device_close(p->world.places[0].device);
}

int main(int argc, char **argv)
{
  tsr_config config;
  char message[256] = "";
  tsr_machine *machine;
  if (argc != 3 || tsr__config_read(&config, message, sizeof message) != TSR_OK) return 2;
  config.threads = 1;
  if (tsr__machine_create(&config, 0, 1, 1, &machine, message, sizeof message) != TSR_OK) return 1;
  static pretended few, many;
  static double of_few[N_WINDOWS], of_many[N_WINDOWS];
  begin(&few, machine, atoi(argv[1]));
  begin(&many, machine, atoi(argv[2]));
  for (int i = 0; i < N_WARM; i++) plan_once(&few), plan_once(&many);
  for (int i = 0; i < N_WINDOWS; i++) {
    of_few[i] = plan_once(&few);
    of_many[i] = plan_once(&many);
  }
  printf("few_us=%.3f many_us=%.3f\n", 1e6 * peer_median(of_few, N_WINDOWS),
         1e6 * peer_median(of_many, N_WINDOWS));
  end(&few);
  end(&many);
  tsr__machine_destroy(machine);
  return 0;
}
