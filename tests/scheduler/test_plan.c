/* Plans as text: they are pure functions of the window, and the same for an interior rank of 9 to
 * 4,096. */
#include "harness.h"
#include "scheduler/plan/verify.h"

#include <stdio.h>

/* A rank of many with a device of that name. */
static void pretend_on(rank_world *w, tsr_machine *machine, int rank, int size, const char *device)
{
  memset(w, 0, sizeof *w);
  w->world.machine = machine;
  w->world.config = machine->config;
  w->world.config.ranks_per_core = 1;
  w->world.config.halo_cache = 1 << 20;
  w->world.rank = rank;
  w->world.size = size;
  w->world.n_places = 1;
  w->world.places[0].number = rank;
  char message[256] = "";
  cr_assert_eq(
      tsr__device_open(device, rank, 0, &w->world.places[0].device, message, sizeof message),
      TSR_OK);
  w->world.places[0].memory = tsr__memory_create_on(w->world.places[0].device, 0);
  tsr__window_init(&w->window, &w->world);
  w->scheduler = tsr__scheduler_create(&w->window);
}

/* A scheduler that only plans: nothing is sent. */
static void pretend(rank_world *w, tsr_machine *machine, int rank, int size)
{
  pretend_on(w, machine, rank, size, "null");
}

static void pretend_end(rank_world *w)
{
  tsr__window_free(&w->window);
  cr_assert_eq(w->window.n_regions, 0);
  tsr__scheduler_destroy(w->scheduler);
  tsr__memory_destroy(w->world.places[0].memory);
  tsr__device_close(w->world.places[0].device);
}

/* Plans two Jacobi steps with their borders and, if asked for, a residual, as one window, and
 * returns what `look` says of the plan. */
static char *look_at_stencil(tsr_machine *machine, int rank, int size, int64_t side, bool residual,
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
    if (s == 1 && residual) {
      tsr_op_in value = in_array(sum);
      tsr__record_reduce(&w.window, &here, TSR_REDUCE_MAX, TSR_FLOAT64, TSR_FLOAT64, &value, 3,
                         false, res.region, res.view);
    }
    drop(sum);
    fill(&w, top, 40.0, false);
  }
  tsr_program program;
  tsr_arena arena = {0};
  program_of(&w.window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w.scheduler, &program);
  char *text = look(plan);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < 5; i++) tsr__view_ref_drop(v[i].view);
  tsr__view_ref_drop(top.view);
  drop(u);
  drop(res);
  pretend_end(&w);
  return text;
}

static char *stencil_plan(tsr_machine *machine, int rank, int size, int64_t side)
{
  return look_at_stencil(machine, rank, size, side, true, tsr__plan_text);
}

static tsr_machine *machine_for_plans(void)
{
  tsr_config config;
  char message[256] = "";
  cr_assert_eq(tsr__config_read(&config, message, sizeof message), TSR_OK);
  cr_assert_eq(tsr__config_set(&config, "threads", "1", message, sizeof message), TSR_OK);
  /* An exchange per step. */
  cr_assert_eq(tsr__config_set(&config, "halo_steps", "1", message, sizeof message), TSR_OK);
  tsr_machine *machine;
  cr_assert_eq(tsr__machine_create(&config, 0, 1, 1, &machine, message, sizeof message), TSR_OK);
  return machine;
}

/* An interior rank of a square of ranks: the centre of nine, else the second of the second row. */
static int interior_rank(int root)
{
  return root == 3 ? 4 : root + 1;
}

static const int roots[] = {3, 8, 16, 64}; /* of 9, 64, 256 and 4,096 ranks */
enum { N_ROOTS = 4 };

/* The whole text is compared, to the last task. */
Test(plan, interior_ranks_read_alike)
{
  tsr_machine *machine = machine_for_plans();
  char *text[N_ROOTS];
  for (int i = 0; i < N_ROOTS; i++) {
    int root = roots[i];
    text[i] = look_at_stencil(machine, interior_rank(root), root * root, 192 * root, false,
                              tsr__plan_text);
    cr_expect_not_null(strstr(text[i], "send to p3"), "an interior rank has neighbours:\n%s",
                       text[i]);
    cr_expect_not_null(strstr(text[i], " tasks, "));
    cr_expect_str_eq(text[i], text[0], "an interior rank of %d reads unlike that of 9",
                     root * root);
  }
  for (int i = 0; i < N_ROOTS; i++) free(text[i]);
  tsr__machine_destroy(machine);
}

/* The text without what counts the tree: reductions go up and down a tree over all ranks, whose
 * fan-in depends on the rank's number. */
static char *without_tree(const tsr_plan *plan)
{
  char *text = tsr__plan_text(plan);
  char *sources = strstr(text, " sources, "), *tasks = strrchr(text, '\n');
  cr_assert(sources && tasks);
  cr_assert_null(strstr(sources + 1, " sources, "), "one reduction");
  while (sources[-1] >= '0' && sources[-1] <= '9') *--sources = '?';
  while (tasks > text && tasks[-1] != '\n') tasks--;
  *tasks = '\0';
  return text;
}

/* The numbers "sources of the reduction, tasks, dependencies". */
static char *tree_numbers(const tsr_plan *plan)
{
  tsr_text text = {0};
  cr_assert_eq(plan->n_reductions, 1);
  tsr__text_add(&text, "%d %d %d", plan->reductions[0].n_sources, plan->n_tasks, plan->n_next);
  return text.s;
}

Test(plan, interior_ranks_with_a_reduction_read_alike)
{
  tsr_machine *machine = machine_for_plans();
  char *text[N_ROOTS];
  for (int i = 0; i < N_ROOTS; i++) {
    int root = roots[i];
    text[i] =
        look_at_stencil(machine, interior_rank(root), root * root, 192 * root, true, without_tree);
    char *questions = strchr(text[i], '?'); /* however many digits it has */
    cr_assert_not_null(questions);
    size_t n = strspn(questions, "?");
    memmove(questions + 1, questions + n, strlen(questions + n) + 1);
    cr_expect_str_eq(text[i], text[0], "an interior rank of %d reads unlike that of 9",
                     root * root);
  }
  for (int i = 0; i < N_ROOTS; i++) free(text[i]);
  tsr__machine_destroy(machine);
}

/* The tree adds one task to a rank's plan for each rank that it hears from: at most the logarithm
 * of the number of ranks. All ranks but one are heard. */
Test(plan, the_tree_of_a_reduction_is_logarithmic)
{
  tsr_machine *machine = machine_for_plans();
  int base = 0;
  for (int i = 0; i < N_ROOTS; i++) {
    int root = roots[i], size = root * root, n_heard = 0, log2 = 0;
    while (1 << log2 < size) log2++;
    for (int rank = 0; rank < size; rank++) {
      char *numbers = look_at_stencil(machine, rank, size, 192 * root, true, tree_numbers);
      int n_sources, n_tasks, n_next;
      cr_assert_eq(sscanf(numbers, "%d %d %d", &n_sources, &n_tasks, &n_next), 3);
      free(numbers);
      cr_expect_leq(n_sources, log2, "rank %d of %d hears from %d", rank, size, n_sources);
      n_heard += n_sources;
      if (rank != interior_rank(root)) continue;
      if (i == 0) base = n_tasks - n_sources;
      cr_expect_eq(n_tasks - n_sources, base, "%d ranks: %d tasks", size, n_tasks);
    }
    cr_expect_eq(n_heard, size - 1);
  }
  tsr__machine_destroy(machine);
}

/* Finds the tasks that cannot begin before a message of group g has arrived. */
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

/* For each group that receives: the share of its points, in per cent, that run while its messages
 * are under way. */
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
      tsr_box box;
      tsr__task_box(plan, &plan->tasks[t], &box);
      int64_t n = tsr__box_volume(&box);
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
    char *shares = look_at_stencil(machine, size / 2, size, 3000, true, free_shares), *at = shares;
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

/* Both ends of every message derive the same bytes: the plans of all pairs of ranks are compared.
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
  tsr_program program;
  tsr_arena arena = {0};
  program_of(&w.window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w.scheduler, &program);
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    if (m->send)
      sent[rank * size + m->peer] += m->bytes;
    else
      received[m->peer * size + rank] += m->bytes;
  }
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  tsr__view_ref_drop(x.view);
  drop(u);
  drop(t);
  drop(d);
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

/* Plans what was recorded, and lets `look` see the plan. */
static void plan_now(rank_world *w, void (*look)(const tsr_plan *plan, int64_t *out), int64_t *out)
{
  tsr_program program;
  tsr_arena arena = {0};
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  look(plan, out);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
}

/* The longest chunk of a group, along axes 0 and 1, and the points of all. */
static void longest_of(const tsr_plan *plan, int32_t group, int64_t *out)
{
  const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[group]);
  out[0] = out[1] = out[2] = 0;
  for (int32_t c = 0; c < chain->n_chunks; c++) {
    tsr_box box;
    tsr__chain_box(chain, group, c, &box);
    for (int k = 0; k < 2; k++)
      if (out[k] < box.n[k]) out[k] = box.n[k];
    out[2] += tsr__box_volume(&box);
  }
  for (int k = 0; k < 2 && k < chain->ndim; k++) cr_expect_eq(tsr__chain_longest(chain, k), out[k]);
}

static void longest_chunk(const tsr_plan *plan, int64_t *out)
{
  longest_of(plan, plan->n_groups - 1, out);
}

/* The longest chunks of the last two groups. */
static void longest_chunks(const tsr_plan *plan, int64_t *out)
{
  longest_of(plan, plan->n_groups - 2, out);
  longest_of(plan, plan->n_groups - 1, out + 3);
}

Test(plan, a_border_column_is_cut_as_the_step_beside_it)
{
  enum { ROWS = 4096, COLUMNS = 510 };
  tsr_machine *machine = machine_for_plans();
  for (int rows = 128; rows <= 4096; rows *= 2) {
    machine->config.chunk_bytes = rows * (COLUMNS + 2) * 16;
    rank_world w;
    pretend_on(&w, machine, 0, 1, "cpu");
    const int64_t shape[2] = {ROWS, COLUMNS + 2};
    array u = make(&w, TSR_FLOAT64, 2, shape, true), v = make(&w, TSR_FLOAT64, 2, shape, true);
    fill(&w, u, 1.0, true);
    fill(&w, v, 1.0, true);
    const int64_t box[3][2][3] = {{{0, ROWS, 1}, {1, COLUMNS, 1}},
                                  {{0, ROWS, 1}, {COLUMNS, 1, 1}},
                                  {{0, ROWS, 1}, {0, 1, 1}}};
    array inner = slice(u, box[0]), other = slice(v, box[0]);
    array from = slice(u, box[1]), to = slice(u, box[2]);
    const tsr_op_in border = in_array(from);
    map2(&w, TSR_OP_ADD, in_array(inner), in_array(other), inner, false);
    tsr__record_copy(&w.window, &here, &border, to.region, to.view, false);
    int64_t n[6];
    plan_now(&w, longest_chunks, n);
    cr_expect_eq(n[2], ROWS * COLUMNS);
    cr_expect_eq(n[5], ROWS);
    cr_expect_eq(n[3], n[0], "%ld rows beside %ld", (long)n[3], (long)n[0]);
    cr_expect(n[0] >= rows / 4 && n[0] <= 4 * rows, "%ld of %d rows", (long)n[0], rows);
    array views[] = {inner, other, from, to};
    for (int i = 0; i < 4; i++) tsr__view_ref_drop(views[i].view);
    drop(u);
    drop(v);
    pretend_end(&w);
  }
  tsr__machine_destroy(machine);
}

Test(plan, boxes_are_narrow_where_slabs_outgrow_the_cache)
{
  enum { DEPTH = 64, SIDE = 256 };
  tsr_machine *machine = machine_for_plans();
  machine->config.chunk_bytes = 4 << 20;
  machine->topology.l3_bytes = (size_t)1 << 40;
  for (int large = 0; large < 2; large++) {
    machine->topology.l2_bytes = (size_t)256 << (large ? 20 : 10);
    rank_world w;
    pretend(&w, machine, 0, 1);
    const int64_t shape[3] = {DEPTH + 2, SIDE, SIDE}, inner[3] = {DEPTH, SIDE, SIDE};
    array u = make(&w, TSR_FLOAT64, 3, shape, true), v = make(&w, TSR_FLOAT64, 3, inner, true);
    fill(&w, u, 1.0, true);
    const int64_t box[2][3][3] = {{{0, DEPTH, 1}, {0, SIDE, 1}, {0, SIDE, 1}},
                                  {{2, DEPTH, 1}, {0, SIDE, 1}, {0, SIDE, 1}}};
    SLICE back = slice(u, box[0]), front = slice(u, box[1]);
    map2(&w, TSR_OP_ADD, in_array(back), in_array(front), v, true);
    int64_t n[3];
    plan_now(&w, longest_chunk, n);
    cr_expect_eq(n[2], DEPTH * SIDE * SIDE, "every point once");
    if (large) {
      cr_expect_eq(n[1], SIDE, "%ld rows, though all slabs fit the cache", (long)n[1]);
    } else {
      cr_expect_leq(3 * n[1] * SIDE * 16, 256 << 10, "%ld rows a slab", (long)n[1]);
      cr_expect_geq(n[0], 8, "%ld slabs a chunk", (long)n[0]);
    }
    drop(u);
    drop(v);
    pretend_end(&w);
  }
  tsr__machine_destroy(machine);
}

static void count_chunks(rank_world *w)
{
  const int64_t shape[1] = {1 << 22};
  int64_t longest[3];
  HELD a = make(w, TSR_FLOAT64, 1, shape, true);
  fill(w, a, 1.0, true);
  plan_now(w, longest_chunk, longest);
  cr_assert_eq(longest[2], shape[0]);
  *(int64_t *)w->arg = longest[0];
}

Test(plan, chunks_of_a_device_are_larger)
{
  int64_t longest[3];
  static const char *const names[3] = {"cpu", "check", "null"};
  for (int i = 0; i < 3; i++)
    RUN_RANKS(1, count_chunks, &longest[i], "device", names[i], "threads", "2", "chunk_bytes",
              "64K");
  cr_expect_eq(longest[1], 4 * longest[0], "%lld and %lld", (long long)longest[1],
               (long long)longest[0]);
  cr_expect_eq(longest[2], longest[1]);
}

/* Counts the last group's chunks, and those of them that cannot begin before the first group's
 * first chunk has run. */
static void waits_for_first(const tsr_plan *plan, int64_t *out)
{
  bool *waits = calloc((size_t)plan->n_tasks + 1, sizeof *waits);
  out[0] = out[1] = 0;
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const tsr_task *task = &plan->tasks[t];
    if (task->kind == TSR_TASK_CHUNK && task->group == 0 && task->what == 0) waits[t] = true;
    for (int32_t i = 0; waits[t] && i < task->n_next; i++)
      waits[plan->next[task->first_next + i]] = true;
    if (task->kind != TSR_TASK_CHUNK || task->group != plan->n_groups - 1) continue;
    out[0]++;
    out[1] += waits[t];
  }
  free(waits);
}

/* Periodic columns or rows of ghosts are written between two passes over an array. */
Test(plan, borders_are_no_barrier)
{
  enum { N = 1024 };
  tsr_machine *machine = machine_for_plans();
  for (int axis = 0; axis < 2; axis++) {
    rank_world w;
    pretend(&w, machine, 0, 1);
    const int64_t shape[2] = {N + 2, N + 2}, inner[2] = {N, N};
    array u = make(&w, TSR_FLOAT64, 2, shape, true), v = make(&w, TSR_FLOAT64, 2, inner, true);
    fill(&w, u, 1.0, true);
    for (int side = 0; side < 2; side++) {
      int64_t to[2][3] = {{0, N + 2, 1}, {0, N + 2, 1}}, from[2][3];
      memcpy(from, to, sizeof from);
      to[axis][0] = side ? N + 1 : 0;
      from[axis][0] = side ? 1 : N;
      to[axis][1] = from[axis][1] = 1;
      SLICE ghost = slice(u, (const int64_t(*)[3])to), border = slice(u, (const int64_t(*)[3])from);
      tsr_op_in in = in_array(border);
      tsr__record_copy(&w.window, &here, &in, ghost.region, ghost.view, false);
    }
    const int64_t box[2][2][3] = {{{0, N, 1}, {0, N, 1}}, {{2, N, 1}, {2, N, 1}}};
    SLICE before = slice(u, box[0]), behind = slice(u, box[1]);
    map2(&w, TSR_OP_ADD, in_array(before), in_array(behind), v, true);
    int64_t n[2];
    plan_now(&w, waits_for_first, n);
    cr_expect_geq(n[0], 8);
    cr_expect_gt(n[1], 0);
    cr_expect_leq(2 * n[1], n[0], "borders along axis %d: %ld of %ld chunks wait", axis, (long)n[1],
                  (long)n[0]);
    drop(u);
    drop(v);
    pretend_end(&w);
  }
  tsr__machine_destroy(machine);
}

/* Two temporaries take turns in one buffer. Both are read displaced, by a group of their own. */
Test(plan, a_buffer_passes_on_box_by_box)
{
  enum { N = 1024 };
  tsr_machine *machine = machine_for_plans();
  machine->config.recompute = false;
  rank_world w;
  pretend(&w, machine, 0, 1);
  const int64_t shape[2] = {N, N}, box[3][2][3] = {{{0, N - 2, 1}, {0, N, 1}},
                                                   {{1, N - 2, 1}, {0, N, 1}},
                                                   {{2, N - 2, 1}, {0, N, 1}}};
  array v[3];
  for (int i = 0; i < 3; i++) {
    v[i] = make(&w, TSR_FLOAT64, 2, shape, true);
    fill(&w, v[i], 1.0, true);
  }
  for (int i = 0; i < 2; i++) {
    array t = make(&w, TSR_FLOAT64, 2, shape, false);
    map2(&w, TSR_OP_ADD, in_array(v[i]), in_array(v[i]), t, true);
    SLICE before = slice(t, box[0]), to = slice(v[i + 1], box[1]), behind = slice(t, box[2]);
    map2(&w, TSR_OP_ADD, in_array(before), in_array(behind), to, false);
    drop(t);
  }
  int64_t n[2];
  plan_now(&w, waits_for_first, n);
  cr_expect_geq(n[0], 8);
  cr_expect_gt(n[1], 0);
  cr_expect_leq(2 * n[1], n[0], "%ld of %ld chunks wait", (long)n[1], (long)n[0]);
  for (int i = 0; i < 3; i++) drop(v[i]);
  pretend_end(&w);
  tsr__machine_destroy(machine);
}

/* What the last group reads are sums of the one before it: how many tasks finish these, how many
 * chunks the last group has, and how many of them wait for the first chunk of the sums. */
static void look_at_sums(const tsr_plan *plan, int64_t *out)
{
  out[0] = out[1] = out[2] = 0;
  const int32_t sums = plan->n_groups - 2, readers = plan->n_groups - 1;
  const tsr_task *first = NULL;
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const tsr_task *task = &plan->tasks[t];
    out[0] += task->kind == TSR_TASK_REDUCE;
    out[1] += task->kind == TSR_TASK_CHUNK && task->group == readers;
    if (first == NULL && task->kind == TSR_TASK_CHUNK && task->group == sums) first = task;
  }
  for (int32_t i = 0; i < first->n_next; i++)
    out[2] += plan->tasks[plan->next[first->first_next + i]].group == readers;
  char *defect = tsr__verify_order(plan);
  cr_expect_null(defect, "%s", defect);
  free(defect);
}

/* Rows that are divided by their sums: a chunk of the quotients waits for the sums of its rows
 * alone. Columns are summed over all chunks. */
Test(plan, sums_of_rows_are_no_barrier)
{
  enum { ROWS = 4096, COLUMNS = 256 };
  tsr_machine *machine = machine_for_plans();
  machine->config.chunk_bytes = 1 << 18;
  for (int axis = 0; axis < 2; axis++) {
    rank_world w;
    pretend_on(&w, machine, 0, 1, "cpu");
    const int64_t shape[2] = {ROWS, COLUMNS}, sums_shape[2] = {axis ? ROWS : 1, axis ? 1 : COLUMNS};
    array a = make(&w, TSR_FLOAT64, 2, shape, true), b = make(&w, TSR_FLOAT64, 2, shape, true);
    array sums = make(&w, TSR_FLOAT64, 2, sums_shape, false);
    fill(&w, a, 1.0, true);
    fill(&w, b, 0.0, true);
    tsr_op_in in = in_array(a), sum = in_array(sums);
    tsr__record_reduce(&w.window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &in, 1u << axis,
                       true, sums.region, sums.view);
    sum.view = tsr__view_ref_new(&w.window, &sums.view->view);
    cr_assert(tsr__view_broadcast(&sum.view->view, 2, shape));
    map2(&w, TSR_OP_DIVIDE, in_array(a), sum, b, false);
    int64_t n[3];
    plan_now(&w, look_at_sums, n);
    cr_expect_geq(n[1], 8);
    if (axis == 1) {
      cr_expect_eq(n[0], 0, "no task finishes sums of rows");
      cr_expect_gt(n[2], 0);
      cr_expect_leq(4 * n[2], n[1], "%ld of %ld chunks wait", (long)n[2], (long)n[1]);
    } else {
      cr_expect_eq(n[0], 1);
    }
    tsr__view_ref_drop(sum.view);
    drop(sums);
    drop(a);
    drop(b);
    pretend_end(&w);
  }
  tsr__machine_destroy(machine);
}
