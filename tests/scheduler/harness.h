/* Ranks as threads with a bare window and scheduler each, and short ways to record ops on them. */
#ifndef TSR_TEST_HARNESS_H
#define TSR_TEST_HARNESS_H

#include "scheduler/flush/flush.h"
#include "scheduler/flush/memo.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/text.h"
#include "scheduler/run/execute.h"
#include "tests/support/rank_threads.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

typedef struct rank_world {
  tsr_world world;
  tsr_window window;
  tsr_scheduler *scheduler;
  void *arg;
} rank_world;

typedef void (*rank_fn)(rank_world *w);

typedef struct rank_start {
  tsr_machine *machine;
  rank_fn fn;
  void *arg;
} rank_start;

static void rank_main(tsr_transport *end, void *p)
{
  const rank_start *start = p;
  rank_world *w = calloc(1, sizeof *w);
  w->arg = start->arg;
  cr_assert_eq(tsr__world_open(&w->world, start->machine, end), TSR_OK);
  w->world.return_errors = true;
  tsr__window_init(&w->window, &w->world);
  w->scheduler = tsr__scheduler_create(&w->window);
  start->fn(w);
  tsr__window_free(&w->window);
  cr_assert_eq(w->window.n_regions, 0, "every region is freed");
  tsr__scheduler_destroy(w->scheduler);
  for (int i = 0; i < w->world.n_places; i++)
    cr_assert_eq(tsr__memory_stats(w->world.places[i].memory).in_use_bytes, 0,
                 "all array memory is returned");
  tsr__transport_local_leave(end);
  tsr__error_clear(&w->world.error);
  tsr__world_close(&w->world);
  free(w);
}

/* Gives a new region the dense row-major data of rank 0. */
static inline tsr_status import_dense(tsr_scheduler *s, tsr_region *region,
                                      const tsr_location *where, const void *data)
{
  const tsr_host_block block = tsr__host_dense(region->ndim, region->shape, region->dtype, data);
  return tsr__import_from(s, region, where, 0, &block, NULL);
}

/* The program of the window, with its ops selected. */
static inline void program_of(const tsr_window *w, tsr_arena *arena, tsr_program *out)
{
  tsr_names names;
  tsr__number_regions(w, &names, arena);
  tsr__program_capture(w, &names, NULL, false, arena, out);
  tsr__program_select(out, arena);
}

/* settings: "name", "value", …, NULL. */
static inline void run_ranks(int n, const char *const *settings, rank_fn fn, void *arg)
{
  tsr_config config;
  char message[512] = "";
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK, "%s", message);
  for (int i = 0; settings != NULL && settings[i] != NULL; i += 2)
    cr_assert_eq(tsr__config_set(&config, settings[i], settings[i + 1], message, sizeof message),
                 TSR_OK, "%s", message);
  tsr_machine *machine;
  cr_assert_eq(tsr__machine_create(&config, 0, 1, n, &machine, message, sizeof message), TSR_OK,
               "%s", message);
  rank_start *starts = calloc((size_t)n, sizeof *starts);
  for (int r = 0; r < n; r++) starts[r] = (rank_start){machine, fn, arg};
  cr_assert(rank_threads_run(n, (uint64_t)config.seed, rank_main, starts, sizeof *starts));
  tsr__machine_destroy(machine);
  free(starts);
}

#define RUN_RANKS(n, fn, arg, ...) run_ranks(n, (const char *const[]){__VA_ARGS__, NULL}, fn, arg)

static const tsr_location here __attribute__((unused)) = {
    .file = "test.c", .function = "test", .line = 1, .op = "test", .args = ""};

typedef struct array {
  tsr_region *region;
  tsr_view_ref *view;
} array;

/* A region that the test holds: stored at flushes if `stored`, else like a value of an open scope.
 */
static inline array make(rank_world *w, tsr_dtype dtype, int ndim, const int64_t *shape,
                         bool stored)
{
  tsr_view v;
  tsr__view_identity(&v, ndim, shape);
  array a = {tsr__region_create(&w->window, dtype, ndim, shape, &here),
             tsr__view_ref_new(&w->window, &v)};
  a.region->n_handles = 1;
  a.region->n_stored = stored;
  return a;
}

/* Marks variables that hold such regions, which the test lets go of with the variables' scope. */
#define HELD __attribute__((cleanup(drop_held))) array
static inline void drop_held(array *a)
{
  tsr_window *w = a->view->window;
  a->region->n_handles = a->region->n_stored = 0;
  tsr__view_ref_drop(a->view);
  tsr__region_maybe_free(w, a->region);
}

/* Marks variables that hold slices, which end with the variables' scope. */
#define SLICE __attribute__((cleanup(drop_slice))) array
static inline void drop_slice(array *a)
{
  tsr__view_ref_drop(a->view);
}

/* Lets go of a region earlier. */
static inline void drop(array a)
{
  drop_held(&a);
}

/* A view of a: start, length, step per axis. */
static inline array slice(array a, const int64_t (*s)[3])
{
  tsr_view v;
  tsr__view_copy(&v, &a.view->view);
  for (int k = 0; k < v.ndim; k++) tsr__view_slice(&v, k, s[k][0], s[k][1], s[k][2]);
  return (array){a.region, tsr__view_ref_new(a.view->window, &v)};
}

static inline tsr_op_in in_array(array a)
{
  return (tsr_op_in){.region = a.region, .view = a.view};
}

static inline tsr_op_in in_f64(double x)
{
  return (tsr_op_in){.scalar = tsr__scalar_of_f64(x)};
}

static inline void fill(rank_world *w, array a, double x, bool creates)
{
  tsr_op_in in = in_f64(x);
  tsr__record_copy(&w->window, &here, &in, a.region, a.view, creates);
}

static inline void map2(rank_world *w, tsr_opcode op, tsr_op_in x, tsr_op_in y, array out,
                        bool creates)
{
  tsr_op_in in[2] = {x, y};
  tsr__record_map(&w->window, &here, op, TSR_FLOAT64, TSR_FLOAT64, 2, in, out.region, out.view,
                  creates);
}

/* Ends a plan that was made of the window and not run, flushes the window, and lets go of the two
 * arrays that it is about. */
static inline void end_plan(rank_world *w, tsr_plan *plan, tsr_arena *arena, tsr_program *program,
                            array u, array v)
{
  tsr__plan_destroy(plan);
  tsr__program_drop(program);
  tsr__arena_destroy(arena);
  cr_assert_eq(tsr__flush(w->scheduler, false), TSR_OK);
  drop(u);
  drop(v);
}

#endif
