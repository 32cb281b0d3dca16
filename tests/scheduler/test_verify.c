/* The plan verifier finds defects that are planted on purpose, and passes the plan without them. */
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/passes.h"
#include "scheduler/plan/verify.h"
#include "tests/scheduler/harness.h"

/** Small tiles and chunks, and one more setting. */
#define MANY_TASKS(name, value)                                                                    \
  {                                                                                                \
    "device", "null", "tile_min", "16", "replicate_max", "4", "chunk_bytes", "512",                \
        "inline_elems", "0", "recompute", "0", "threads", "2", name, value, NULL                   \
  }

enum { SIDE = 24 };

/** What the two ranks show each other of their plans. */
typedef struct shared {
  pthread_barrier_t barrier;
  tsr_plan *plans[2];
} shared;

static const char *const settings[] = {
    "device",       "null", "tile_min",  "16", "replicate_max", "4", "chunk_bytes", "512",
    "inline_elems", "0",    "recompute", "0",  "threads",       "2", NULL};

/* Two Jacobi steps between borders of their own, and a sum of what they give. */
static tsr_plan *plan_of(rank_world *w, tsr_arena *arena, array *u, array *sum)
{
  const int64_t shape[2] = {SIDE, SIDE}, n = SIDE - 2;
  static const int64_t none[1];
  *u = make(w, TSR_FLOAT64, 2, shape, true);
  *sum = make(w, TSR_FLOAT64, 0, none, true);
  fill(w, *u, 0.0, true);
  SLICE center = slice(*u, (const int64_t[2][3]){{1, n, 1}, {1, n, 1}});
  SLICE north = slice(*u, (const int64_t[2][3]){{0, n, 1}, {1, n, 1}});
  SLICE south = slice(*u, (const int64_t[2][3]){{2, n, 1}, {1, n, 1}});
  for (int step = 0; step < 2; step++) {
    array t = make(w, TSR_FLOAT64, 2, center.view->view.shape, false);
    map2(w, TSR_OP_ADD, in_array(north), in_array(south), t, true);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(t), center, false);
    drop(t);
  }
  tsr_op_in all = in_array(*u);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &all, 3, false,
                     sum->region, sum->view);
  tsr_program program;
  program_of(&w->window, arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  cr_assert(tsr__verify_fits(plan, 1 << 15));
  char *defect = tsr__verify_values(plan, &program);
  cr_assert_null(defect, "%s", defect);
  defect = tsr__verify_accesses(plan);
  cr_assert_null(defect, "%s", defect);
  tsr__program_drop(&program);
  return plan;
}

static void found(char *defect, const char *piece)
{
  cr_assert_not_null(defect, "not found: %s", piece);
  cr_expect_not_null(strstr(defect, piece), "%s", defect);
  free(defect);
}

static void nothing(char *defect)
{
  cr_assert_null(defect, "%s", defect);
}

static void chunks(tsr_plan *plan)
{
  nothing(tsr__verify_chunks(plan));
  tsr_chain *chain = NULL;
  for (int32_t i = 0; i < plan->n_chains; i++)
    if (plan->chains[i].n_pieces > 1) chain = &plan->chains[i];
  cr_assert_not_null(chain, "no group has several pieces");
  cr_assert_gt(chain->n_chunks, chain->n_pieces, "no piece has several chunks");
  tsr_chain_piece *piece = &chain->pieces[0], whole = *piece;
  piece->end[1]--;
  found(tsr__verify_chunks(plan), "is in 0 chunks");
  piece->end[1] += SIDE;
  found(tsr__verify_chunks(plan), "leaves this place's part");
  *piece = whole;
  for (int k = 0; k < chain->ndim; k++) { /* over the next piece, too */
    if (piece->lo[k] > piece[1].lo[k]) piece->lo[k] = piece[1].lo[k];
    if (piece->end[k] < piece[1].end[k]) piece->end[k] = piece[1].end[k];
  }
  found(tsr__verify_chunks(plan), "is in 2 chunks");
  *piece = whole;
  nothing(tsr__verify_chunks(plan));
}

/* A task that touches what others touch, without those that wait for it, is in no order with them.
 */
static void order(tsr_plan *plan)
{
  nothing(tsr__verify_order(plan));
  int n_found = 0, n_tried = 0;
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    const int32_t n_next = plan->tasks[t].n_next;
    if (n_next == 0) continue;
    plan->tasks[t].n_next = 0;
    char *defect = tsr__verify_order(plan);
    plan->tasks[t].n_next = n_next;
    n_tried++;
    n_found += defect != NULL;
    free(defect);
  }
  cr_assert_gt(n_tried, 10);
  cr_expect_geq(n_found, n_tried * 3 / 4, "%d of %d", n_found, n_tried);
  nothing(tsr__verify_order(plan));
}

static void values(rank_world *w, tsr_plan *plan)
{
  tsr_arena arena = {0};
  tsr_program program;
  program_of(&w->window, &arena, &program);
  const int32_t n_copies = plan->n_copies;
  cr_assert_gt(n_copies, 0, "no write is renamed");
  plan->n_copies = 0;
  found(tsr__verify_values(plan, &program), "it is not there");
  plan->n_copies = n_copies;

  int32_t message = -1;
  for (int32_t i = 0; i < plan->n_messages; i++)
    if (!plan->messages[i].send) message = i;
  cr_assert_geq(message, 0, "nothing is received");
  tsr_box *box = &plan->messages[message].pieces[0].box;
  box->n[1]--;
  found(tsr__verify_values(plan, &program), "a load reads point");
  box->n[1]++;

  int32_t first = -1, second = -1;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].region == 0 && first < 0)
      first = i;
    else if (plan->slots[i].region == 0 && second < 0)
      second = i;
  cr_assert_geq(second, 0, "one version only");
  const int32_t own = plan->slots[second].buffer;
  plan->slots[second].buffer = plan->slots[first].buffer;
  found(tsr__verify_order(plan), "neither waits"); /* chunks overwrite what others read */
  plan->slots[second].buffer = own;

  const size_t bytes = plan->buffers[own].bytes;
  plan->buffers[own].bytes = bytes / 2;
  found(tsr__verify_values(plan, &program), "of a buffer of");
  plan->buffers[own].bytes = bytes;
  nothing(tsr__verify_values(plan, &program));
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
}

static void accesses(tsr_plan *plan)
{
  tsr_access *a = NULL;
  for (int32_t i = 0; i < plan->n_groups; i++)
    for (int32_t j = 0; j < plan->groups[i].accesses.n; j++)
      if (!plan->groups[i].accesses.v[j].scratch) a = &plan->groups[i].accesses.v[j];
  a->view->view.offset[0] += SIDE;
  found(tsr__verify_accesses(plan), "leads to");
  a->view->view.offset[0] -= SIDE;
  a->version += 7;
  found(tsr__verify_accesses(plan), "is of version");
  a->version -= 7;
  tsr_view *v = &a->view->view;
  v->bounded = true;
  for (int j = 0; j < v->ndim; j++) {
    v->lo[j] = j == 0;
    v->hi[j] = v->shape[j];
  }
  found(tsr__verify_accesses(plan), "take turns");
  v->bounded = false;
  nothing(tsr__verify_accesses(plan));
}

static void groups(rank_world *w, tsr_plan *plan)
{
  tsr_arena arena = {0};
  tsr_program program;
  program_of(&w->window, &arena, &program);
  nothing(tsr__verify_groups(plan, &program));
  tsr_group *g = plan->groups;
  while (g < plan->groups + plan->n_groups && g->n_ops < 2) g++;
  cr_assert_lt(g, plan->groups + plan->n_groups, "no group has two ops");
  g->n_ops--;
  found(tsr__verify_groups(plan, &program), "is 0 times in groups whole");
  g->n_ops++;
  const tsr_gop first = g->ops[0];
  g->ops[0] = g->ops[g->n_ops - 1];
  g->ops[g->n_ops - 1] = first;
  found(tsr__verify_groups(plan, &program), "op 2 reads r1 before op 1 makes it");
  g->ops[g->n_ops - 1] = g->ops[0];
  g->ops[0] = first;
  g->shape[0]--;
  found(tsr__verify_groups(plan, &program), "has another domain");
  g->shape[0]++;
  nothing(tsr__verify_groups(plan, &program));
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
}

static void slots(tsr_plan *plan)
{
  nothing(tsr__verify_slots(plan));
  tsr_access *a = &plan->groups[0].accesses.v[0];
  a->version++;
  found(tsr__verify_slots(plan), "its slot");
  a->version--;
  tsr_plan_slot *slot = &plan->slots[a->slot];
  const int32_t first_group = slot->first_group;
  slot->first_group = slot->last_group + 1;
  found(tsr__verify_slots(plan), "which lives from");
  slot->first_group = first_group;
  nothing(tsr__verify_slots(plan));
}

static void transfers(tsr_plan *plan)
{
  nothing(tsr__verify_transfers(plan));
  tsr_message *m = &plan->messages[0];
  m->bytes++;
  found(tsr__verify_transfers(plan), "its pieces");
  m->bytes--;
  m->pieces[0].box.lo[0] += SIDE;
  found(tsr__verify_transfers(plan), "does not hold");
  m->pieces[0].box.lo[0] -= SIDE;
  tsr_plan_slot *slot = &plan->slots[m->pieces[0].slot];
  const int32_t first_group = slot->first_group;
  slot->first_group = m->group + 1;
  found(tsr__verify_transfers(plan), "which lives from");
  slot->first_group = first_group;
  nothing(tsr__verify_transfers(plan));
}

static void messages(tsr_plan *a, tsr_plan *b)
{
  nothing(tsr__verify_messages(a, b));
  cr_assert_gt(a->n_messages, 0);
  a->n_messages--;
  found(tsr__verify_messages(a, b), "knows nothing");
  a->n_messages++;
  a->messages[0].pieces[0].box.lo[0]++;
  found(tsr__verify_messages(a, b), "knows nothing");
  a->messages[0].pieces[0].box.lo[0]--;
  a->messages[0].tag++;
  found(tsr__verify_messages(b, a), "knows nothing");
  a->messages[0].tag--;
  cr_assert_gt(a->n_reductions, 0);
  b->reductions[0].up_bytes++;
  found(tsr__verify_messages(a, b), "which waits for");
  b->reductions[0].up_bytes--;
  nothing(tsr__verify_messages(a, b));
}

static void on_two_ranks(rank_world *w)
{
  shared *s = w->arg;
  tsr_arena arena = {0};
  array u, sum;
  tsr_plan *plan = s->plans[w->world.rank] = plan_of(w, &arena, &u, &sum);
  pthread_barrier_wait(&s->barrier);
  if (w->world.rank == 0) messages(plan, s->plans[1]);
  pthread_barrier_wait(&s->barrier);
  groups(w, plan);
  slots(plan);
  transfers(plan);
  chunks(plan);
  order(plan);
  values(w, plan);
  accesses(plan);
  tsr__plan_destroy(plan);
  tsr__arena_destroy(&arena);
  drop(u);
  drop(sum);
}

Test(verify, planted_defects_are_found)
{
  shared s;
  pthread_barrier_init(&s.barrier, NULL, 2);
  run_ranks(2, settings, on_two_ranks, &s);
  pthread_barrier_destroy(&s.barrier);
}

/* With margins the second step reads what the first one computed beside its tile. */
static void on_two_deep_ranks(rank_world *w)
{
  tsr_arena arena = {0};
  array u, sum;
  tsr_plan *plan = plan_of(w, &arena, &u, &sum);
  tsr_group *wide = NULL;
  for (int32_t i = 0; i < plan->n_groups && wide == NULL; i++)
    if (plan->groups[i].is_wide) wide = &plan->groups[i];
  cr_assert_not_null(wide, "no group computes beside its tile");
  tsr_program program;
  program_of(&w->window, &arena, &program);
  const tsr_box part = wide->part;
  wide->part.n[0]--;
  if (w->world.rank == 1) wide->part.lo[0]++;
  found(tsr__verify_values(plan, &program), "it is not there");
  wide->part = part;
  nothing(tsr__verify_values(plan, &program));
  tsr__program_drop(&program);
  tsr__plan_destroy(plan);
  tsr__arena_destroy(&arena);
  drop(u);
  drop(sum);
}

Test(verify, a_margin_that_nobody_computes_is_found)
{
  static const char *const deep[] = MANY_TASKS("halo_steps", "2");
  run_ranks(2, deep, on_two_deep_ranks, NULL);
}

static void counts(rank_world *w)
{
  const int64_t shape[2] = {SIDE, SIDE};
  HELD u = make(w, TSR_FLOAT64, 2, shape, true);
  fill(w, u, 1.0, true);
  cr_assert_eq(tsr__flush(w->scheduler, true), TSR_OK);
  cr_expect_gt(tsr__scheduler_counters(w->scheduler)->n_verified, 0);
}

Test(verify, plans_are_followed_where_everything_is_doubted)
{
  static const char *const doubts[] = {"replan", "1", NULL};
  run_ranks(1, doubts, counts, NULL);
}

/* A plan whose tasks nobody looks at is none that was followed. */
static void count_tasks(rank_world *w)
{
  tsr_arena arena = {0};
  array u, sum;
  tsr_plan *plan = plan_of(w, &arena, &u, &sum);
  cr_assert_not(plan->in_line);
  cr_expect(tsr__is_followed(plan));
  const int32_t n_tasks = plan->n_tasks;
  plan->n_tasks = 5000;
  cr_expect_null(tsr__verify_order(plan));
  cr_expect(tsr__is_verified(plan), "other passes are checked");
  cr_expect_not(tsr__is_followed(plan));
  plan->n_tasks = n_tasks;
  tsr__plan_destroy(plan);
  tsr__arena_destroy(&arena);
  drop(u);
  drop(sum);
}

Test(verify, a_plan_of_too_many_tasks_is_not_followed)
{
  static const char *const doubts[] = MANY_TASKS("replan", "1");
  run_ranks(2, doubts, count_tasks, NULL);
}
