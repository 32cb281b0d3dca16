/* Plans as text: pure functions of the window, the same for an interior rank of 9, 64 and 256. */
#include "harness.h"

#include <math.h>

/* A rank of many that only plans: nothing is sent. */
static void pretend(rank_world *w, tsr_machine *machine, int rank, int size)
{
  memset(w, 0, sizeof *w);
  w->world.machine = machine;
  w->world.config = machine->config;
  w->world.rank = rank;
  w->world.size = size;
  w->world.memory = tsr__memory_create(0);
  tsr__window_init(&w->window, &w->world);
  w->scheduler = tsr__scheduler_create(&w->window);
}

static void pretend_end(rank_world *w)
{
  tsr__window_free(&w->window);
  cr_assert_eq(w->window.n_regions, 0);
  tsr__scheduler_destroy(w->scheduler);
  tsr__memory_destroy(w->world.memory);
}

/* Two Jacobi steps with their borders and a residual, from scratch, as one window: what `look` says
 * of the plan. */
static char *look_at_stencil(tsr_machine *machine, int rank, int size, int64_t side,
                             char *(*look)(const tsr_plan *plan))
{
  rank_world w;
  pretend(&w, machine, rank, size);
  const int64_t shape[2] = {side, side};
  static const int64_t none[1];
  array u = make(&w, TSR_FLOAT64, 2, shape, true), res = make(&w, TSR_FLOAT64, 0, none, true);
  fill(&w, u, 0.0, true);
  const int64_t n = side - 2;
  const int64_t box[5][2][3] = {{{1, n, 1}, {1, n, 1}},
                                {{0, n, 1}, {1, n, 1}},
                                {{1, n, 1}, {2, n, 1}},
                                {{1, n, 1}, {0, n, 1}},
                                {{2, n, 1}, {1, n, 1}}};
  const int64_t top_box[2][3] = {{0, 1, 1}, {0, side, 1}};
  array v[5], top = slice(u, top_box);
  for (int i = 0; i < 5; i++) v[i] = slice(u, box[i]);
  for (int s = 0; s < 2; s++) {
    array sum = make(&w, TSR_FLOAT64, 2, v[0].view->view.shape, false);
    tsr_op_in in[5];
    for (int i = 0; i < 5; i++) in[i] = in_array(v[i]);
    tsr__record_map(&w.window, &here, TSR_OP_ADD, TSR_FLOAT64, TSR_FLOAT64, 5, in, sum.region,
                    sum.view, true);
    map2(&w, TSR_OP_MULTIPLY, in_f64(0.2), in_array(sum), v[0], false);
    if (s == 1) {
      tsr_op_in value = in_array(sum);
      tsr__record_reduce(&w.window, &here, TSR_REDUCE_MAX, TSR_FLOAT64, TSR_FLOAT64, &value, 3,
                         false, res.region, res.view);
    }
    drop(&w, sum);
    fill(&w, top, 40.0, false);
  }
  tsr_selection sel;
  tsr_arena arena = {0};
  tsr__select(&w.window, NULL, false, &arena, &sel);
  tsr_plan *plan = tsr__plan_create(w.scheduler, &sel);
  char *text = look(plan);
  tsr__plan_destroy(plan);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < 5; i++) tsr__view_ref_drop(v[i].view);
  tsr__view_ref_drop(top.view);
  drop(&w, u);
  drop(&w, res);
  pretend_end(&w);
  return text;
}

static char *stencil_plan(tsr_machine *machine, int rank, int size, int64_t side)
{
  return look_at_stencil(machine, rank, size, side, tsr__plan_text);
}

static tsr_machine *machine_for_plans(void)
{
  tsr_config config;
  char message[256] = "";
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK);
  cr_assert_eq(tsr__config_set(&config, "threads", "1", message, sizeof message), TSR_OK);
  tsr_machine *machine;
  cr_assert_eq(tsr__machine_create(&config, 0, 1, 1, &machine, message, sizeof message), TSR_OK);
  return machine;
}

/* Reductions go up a tree whose fan-in depends on the rank's number; an odd rank is a leaf on any
 * size. */
Test(plan, interior_ranks_read_alike)
{
  tsr_machine *machine = machine_for_plans();
  char *first = NULL;
  const int sizes[] = {9, 64, 256};
  for (int i = 0; i < 3; i++) {
    int root = (int)lround(sqrt(sizes[i]));
    int rank = root + 1;
    if (rank % 2 == 0)
      rank += root; /* still interior on 9? only the centre is: it is even, see below */
    if (sizes[i] == 9) rank = 4;
    char *text = stencil_plan(machine, rank, sizes[i], 192 * root);
    cr_assert_not_null(strstr(text, "send to p"), "an interior rank has neighbours:\n%s", text);
    char *cut = strstr(text, "reduction 0 group");
    cr_assert_not_null(cut);
    *cut =
        '\0'; /* the part that depends on the tree, and the number of tasks that follows from it */
    if (first == NULL)
      first = text;
    else
      cr_assert_str_eq(text, first, "the plan of an interior rank of %d differs from that of 9",
                       sizes[i]);
    if (text != first) free(text);
  }
  free(first);
  tsr__machine_destroy(machine);
}

/* Which tasks cannot begin before a message of group g has arrived. */
static bool *waits_for_messages(const tsr_plan *plan, int32_t g)
{
  bool *waits = calloc((size_t)plan->n_tasks + 1, sizeof *waits);
  for (int32_t t = 0; t < plan->n_tasks; t++) { /* tasks depend on earlier ones only */
    const tsr_task *task = &plan->tasks[t];
    if (task->kind == TSR_TASK_RECV && task->group == g) waits[t] = true;
    for (int32_t i = 0; waits[t] && i < task->n_next; i++)
      waits[plan->next[task->first_next + i]] = true;
  }
  return waits;
}

/* Per group that receives: the share of its points that run while its messages fly, in per cent. */
static char *free_shares(const tsr_plan *plan)
{
  tsr_text text = {0};
  for (int32_t g = 0; g < plan->n_groups; g++) {
    int n_received = 0;
    for (int32_t m = 0; m < plan->n_messages; m++)
      n_received += !plan->messages[m].send && plan->messages[m].group == g;
    if (n_received == 0) continue;
    bool *waits = waits_for_messages(plan, g);
    int64_t free_points = 0, all = 0;
    for (int32_t t = 0; t < plan->n_tasks; t++) {
      if (plan->tasks[t].kind != TSR_TASK_CHUNK || plan->tasks[t].group != g) continue;
      int64_t n = tsr__box_volume(&plan->groups[g].chunks[plan->tasks[t].what]);
      all += n;
      if (!waits[t]) free_points += n;
    }
    free(waits);
    tsr__text_add(&text, "%d ", all > 0 ? (int)(100 * free_points / all) : 0);
  }
  return text.s;
}

Test(plan, the_interior_runs_while_halos_fly)
{
  tsr_machine *machine = machine_for_plans();
  for (int size = 2; size <= 9; size += 7) {
    char *shares = look_at_stencil(machine, size / 2, size, 3000, free_shares), *at = shares;
    cr_assert_not_null(shares, "no group receives");
    int n_groups = 0;
    for (long share; (share = strtol(at, &at, 10)) > 0; n_groups++)
      cr_expect_geq(share, 80, "%d ranks: only %ld %% do not wait", size, share);
    cr_expect_eq(n_groups, 2, "%s", shares);
    free(shares);
  }
  tsr__machine_destroy(machine);
}

Test(plan, planning_twice_gives_one_text)
{
  tsr_machine *machine = machine_for_plans();
  for (int rank = 0; rank < 4; rank++) {
    char *a = stencil_plan(machine, rank, 4, 400), *b = stencil_plan(machine, rank, 4, 400);
    cr_assert_str_eq(a, b);
    cr_assert_not_null(strstr(a, "send to p0"));
    free(a);
    free(b);
  }
  tsr__machine_destroy(machine);
}

/* Both ends of every message derive the same bytes: checked over all pairs of ranks by their plans.
 */
static void collect(tsr_machine *machine, int rank, int size, size_t *sent, size_t *received)
{
  rank_world w;
  pretend(&w, machine, rank, size);
  const int64_t shape[2] = {300, 260}, turned_shape[2] = {260, 300};
  array u = make(&w, TSR_FLOAT64, 2, shape, true), t = make(&w, TSR_FLOAT64, 2, turned_shape, true);
  array d = make(&w, TSR_FLOAT64, 2, shape, true);
  fill(&w, u, 1.0, true);
  fill(&w, t, 2.0, true);
  tsr_view turned = t.view->view;
  tsr__view_transpose(&turned, (int[]){1, 0});
  tsr__view_flip(&turned, 0);
  array x = {t.region, tsr__view_ref_new(&w.window, &turned)};
  map2(&w, TSR_OP_ADD, in_array(u), in_array(x), d, true);
  tsr_selection sel;
  tsr_arena arena = {0};
  tsr__select(&w.window, NULL, false, &arena, &sel);
  tsr_plan *plan = tsr__plan_create(w.scheduler, &sel);
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    if (m->send)
      sent[rank * size + m->peer] += m->bytes;
    else
      received[m->peer * size + rank] += m->bytes;
  }
  tsr__plan_destroy(plan);
  tsr__arena_destroy(&arena);
  tsr__view_ref_drop(x.view);
  drop(&w, u);
  drop(&w, t);
  drop(&w, d);
  pretend_end(&w);
}

Test(plan, both_ends_derive_the_same_messages)
{
  tsr_machine *machine = machine_for_plans();
  char message[128];
  cr_assert_eq(tsr__config_set(&machine->config, "tile_min", "64", message, sizeof message),
               TSR_OK);
  for (int size = 2; size <= 12; size++) {
    size_t *sent = calloc((size_t)(size * size), sizeof *sent),
           *received = calloc((size_t)(size * size), sizeof *sent);
    size_t total = 0;
    for (int rank = 0; rank < size; rank++) collect(machine, rank, size, sent, received);
    for (int i = 0; i < size * size; i++) {
      cr_assert_eq(sent[i], received[i], "%d ranks: %d to %d: %zu sent, %zu expected", size,
                   i / size, i % size, sent[i], received[i]);
      total += sent[i];
    }
    cr_assert_gt(total, 0);
    cr_assert_leq(total, 300 * 260 * sizeof(double), "no element travels twice");
    free(sent);
    free(received);
  }
  tsr__machine_destroy(machine);
}
