/* Each pass of a plan has a check, which finds a defect that is planted behind the pass. */
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/passes.h"
#include "scheduler/plan/transfers.h"
#include "tests/scheduler/harness.h"

enum { SIDE = 24, MOST_PASSES = 32 };

/** A defect that is planted behind a pass. */
typedef struct defect {
  const char *pass;
  const char *text; /* that the check says */
  /* Plants it, or takes it away again. False: there is nothing that could be wrong so. */
  bool (*plant)(tsr_plan *plan, const tsr_program *p, int by);
} defect;

static bool plant_region(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  plan->regions[0].shape[0] += by;
  return true;
}

static bool plant_found_fold(tsr_plan *plan, const tsr_program *p, int by)
{
  for (int32_t i = 0; i < p->n_ops; i++)
    if (tsr__fold_elems(plan, i) > 0) {
      plan->folds.n_elems[i] = (uint8_t)(plan->folds.n_elems[i] + by);
      return true;
    }
  return false;
}

static bool plant_recompute(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  for (int32_t r = 0; r < plan->recompute.n_regions; r++)
    if (plan->recompute.maker[r] >= 0) {
      plan->recompute.maker[r] += by;
      return true;
    }
  return false;
}

static bool plant_fold(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  const tsr_program *folded = plan->folds.program;
  for (int32_t i = 0; i < folded->n_ops; i++)
    if (folded->ops[i].kind == TSR_OPKIND_FOLD) {
      folded->ops[i].in[0].view->view.offset[1] += by;
      return true;
    }
  return false;
}

static bool plant_read(tsr_plan *plan, const tsr_program *p, int by)
{
  for (int32_t i = 0; i < p->n_ops; i++)
    if (plan->reads.of[i].v != NULL && p->ops[i].kind == TSR_OPKIND_MAP) {
      plan->reads.of[i].n -= by;
      return true;
    }
  return false;
}

static bool plant_split(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  if (plan->split.subexpression == NULL) return false;
  plan->split.subexpression[0] += by * (plan->split.n_subexpressions + 1);
  return true;
}

static bool plant_group(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  plan->groups[0].shape[0] -= by;
  return true;
}

static bool plant_elided(tsr_plan *plan, const tsr_program *p, int by)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_program_op *op = &p->ops[plan->groups[i].ops[0].op];
    if (op->n_in == 0 || op->in[0].region < 0) continue;
    plan->regions[op->in[0].region].into += by;
    return true;
  }
  return false;
}

static tsr_access *some_access(tsr_plan *plan, bool store)
{
  for (int32_t i = 0; i < plan->n_groups; i++)
    for (int32_t j = 0; j < plan->groups[i].accesses.n; j++) {
      tsr_access *a = &plan->groups[i].accesses.v[j];
      if (!a->scratch && a->store == store && !tsr__box_is_empty(&plan->groups[i].part)) return a;
    }
  for (int32_t i = 0; i < plan->n_groups; i++)
    for (int32_t j = 0; j < plan->groups[i].accesses.n; j++)
      if (!plan->groups[i].accesses.v[j].scratch && plan->groups[i].accesses.v[j].store == store)
        return &plan->groups[i].accesses.v[j];
  return NULL;
}

static bool plant_access(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  some_access(plan, true)->view->view.offset[0] += by * SIDE;
  return true;
}

static bool plant_version(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  some_access(plan, true)->version -= by;
  return true;
}

static bool plant_part(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].ndim > 0) {
      plan->groups[i].part.n[0] -= by;
      return true;
    }
  return false;
}

static bool plant_message(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  if (plan->n_messages == 0) return false;
  plan->messages[0].bytes += (size_t)by;
  return true;
}

static bool plant_copy(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  if (plan->n_copies == 0) return false;
  plan->copies[0].box.lo[0] += by * SIDE;
  return true;
}

static bool plant_buffer(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  plan->agreed_new_bytes += (size_t)by;
  return true;
}

static bool plant_small_buffer(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  plan->buffers[0].bytes -= (size_t)(by * 64);
  return true;
}

/* Puts two versions of a region that are alive at once into one buffer. */
static bool plant_shared_buffer(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    tsr_plan_slot *s = &plan->slots[i];
    if (!s->renamed || s->version == 0) continue;
    const int32_t before = plan->regions[s->region].slots[s->version - 1];
    if (by > 0) {
      s->after = s->buffer; /* to remember it */
      s->buffer = plan->slots[before].buffer;
    } else {
      s->buffer = s->after;
    }
    return true;
  }
  return false;
}

static bool plant_value(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  static const int32_t few = 1;
  if (plan->n_copies == 0) return false;
  plan->copies[0].box.n[0] -= by * few;
  return true;
}

static bool plant_chunk(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  plan->groups[0].chain += by;
  return true;
}

static bool plant_task(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  int32_t t = 0;
  while (t < plan->n_tasks && plan->tasks[t].n_next == 0 && plan->tasks[t].arg == 0) t++;
  if (t == plan->n_tasks || plan->in_line) return false;
  if (by > 0) plan->tasks[t].arg = plan->tasks[t].n_next; /* to remember it */
  plan->tasks[t].n_next = by > 0 ? 0 : plan->tasks[t].arg;
  if (by < 0) plan->tasks[t].arg = 0;
  return true;
}

static bool plant_base(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  some_access(plan, true)->origin += by;
  return true;
}

static bool plant_cluster(tsr_plan *plan, const tsr_program *p, int by)
{
  (void)p;
  if (plan->clusters == NULL) return false;
  for (int32_t b = 0; b < plan->n_buffers; b++) plan->cluster_of[b] += by;
  return true;
}

static const defect defects[] = {
    {"regions", "has not the dtype and shape", plant_region},
    {"find folds", "may be a fold of", plant_found_fold},
    {"recompute", "does not make it point by point", plant_recompute},
    {"fold", "show element", plant_fold},
    {"reads", "is not listed", plant_read},
    {"split", "is in subexpression", plant_split},
    {"group", "has another domain", plant_group},
    {"elide", "is written into", plant_elided},
    {"lower", "leads to", plant_access},
    {"postpone", "is newest", plant_version},
    {"slots", "is not its tile", plant_part},
    {"deepen", "is not its tile", plant_part},
    {"transfers", "its pieces", plant_message},
    {"dead borders", "does not hold", plant_copy},
    {"buffers", "the plan counts", plant_buffer},
    {"buffers", "of a buffer of", plant_small_buffer},
    {"buffers", "are alive at once", plant_shared_buffer},
    {"drop borders", "in group", plant_value},
    {"chunks", "is in chain", plant_chunk},
    {"tasks", "neither waits", plant_task},
    {"bases", "of its slot for", plant_base},
    {"placement", "touches buffer", plant_cluster},
};

enum { N_DEFECTS = sizeof defects / sizeof *defects };

/** Which defects have been planted, and which passes have run. */
typedef struct seen {
  int n_planted[N_DEFECTS], n_passes;
} seen;

static void plant_defects(const tsr_scheduler *s, tsr_plan *plan, const tsr_program *p,
                          const tsr_pass *pass)
{
  const rank_world *w = (const void *)((const char *)s->window - offsetof(rank_world, window));
  seen *x = w->arg;
  bool is_known = false;
  char *clean = tsr__check_pass(pass, plan, p);
  cr_assert_null(clean, "after %s: %s", pass->name, clean);
  x->n_passes++;
  for (int i = 0; i < N_DEFECTS; i++) {
    if (strcmp(defects[i].pass, pass->name) != 0) continue;
    is_known = true;
    if (!defects[i].plant(plan, p, 1)) continue;
    char *found = tsr__check_pass(pass, plan, p);
    cr_assert_not_null(found, "after %s: not found: %s", pass->name, defects[i].text);
    cr_expect_not_null(strstr(found, defects[i].text), "after %s: %s", pass->name, found);
    free(found);
    defects[i].plant(plan, p, -1);
    x->n_planted[i]++;
  }
  cr_expect(is_known, "no defect is planted behind %s", pass->name);
  clean = tsr__check_pass(pass, plan, p);
  cr_assert_null(clean, "after %s, and no defect any more: %s", pass->name, clean);
}

/* Two Jacobi steps, whose sums are read at two displacements; sums of neighbours, which are folds;
 * a sum of all. */
static void record(rank_world *w, array u, array pairs, array sum)
{
  const int64_t n = SIDE - 2, inner[2] = {n, n};
  SLICE center = slice(u, (const int64_t[2][3]){{1, n, 1}, {1, n, 1}});
  SLICE west = slice(u, (const int64_t[2][3]){{1, n, 1}, {0, n, 1}});
  SLICE east = slice(u, (const int64_t[2][3]){{1, n, 1}, {2, n, 1}});
  for (int step = 0; step < 2; step++) {
    array t = make(w, TSR_FLOAT64, 2, (const int64_t[2]){SIDE, SIDE}, false);
    array v = make(w, TSR_FLOAT64, 2, inner, false);
    map2(w, TSR_OP_ADD, in_array(u), in_f64(1.0), t, true);
    SLICE north = slice(t, (const int64_t[2][3]){{0, n, 1}, {1, n, 1}});
    SLICE south = slice(t, (const int64_t[2][3]){{2, n, 1}, {1, n, 1}});
    map2(w, TSR_OP_ADD, in_array(north), in_array(south), v, true);
    map2(w, TSR_OP_MULTIPLY, in_f64(0.5), in_array(v), center, false);
    drop(t);
    drop(v);
  }
  array x = make(w, TSR_FLOAT64, 2, inner, false);
  map2(w, TSR_OP_ADD, in_array(west), in_array(east), x, true);
  for (int k = 0; k < 8; k++) { /* an expression that is longer than a group */
    array y = make(w, TSR_FLOAT64, 2, inner, false);
    map2(w, TSR_OP_MULTIPLY, in_array(x), in_f64(0.25), y, true);
    drop(x);
    x = y;
  }
  map2(w, TSR_OP_ADD, in_array(x), in_f64(1.0), center, false);
  drop(x);
  SLICE few = slice(u, (const int64_t[2][3]){{0, SIDE, 1}, {0, 2, 1}});
  tsr_op_in of_few = in_array(few), all = in_array(u);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &of_few, 2, false,
                     pairs.region, pairs.view);
  tsr__record_reduce(&w->window, &here, TSR_REDUCE_SUM, TSR_FLOAT64, TSR_FLOAT64, &all, 3, false,
                     sum.region, sum.view);
}

static void with_defects(rank_world *w)
{
  static const int64_t shape[2] = {SIDE, SIDE}, none[1];
  seen *x = w->arg;
  seen mine = {.n_passes = 0};
  w->arg = &mine;
  w->scheduler->after_pass = plant_defects;
  HELD u = make(w, TSR_FLOAT64, 2, shape, true);
  HELD pairs = make(w, TSR_FLOAT64, 1, shape, true);
  HELD sum = make(w, TSR_FLOAT64, 0, none, true);
  fill(w, u, 0.0, true);
  record(w, u, pairs, sum);
  tsr_arena arena = {0};
  tsr_program program;
  program_of(&w->window, &arena, &program);
  tsr_plan *plan = tsr__plan_create(w->scheduler, &program);
  tsr__plan_destroy(plan);
  tsr__program_drop(&program);
  tsr__arena_destroy(&arena);
  for (int i = 0; i < N_DEFECTS; i++) __atomic_add_fetch(&x->n_planted[i], mine.n_planted[i], 5);
  cr_expect_geq(mine.n_passes, 20);
}

Test(passes, each_check_finds_what_is_planted_behind_its_pass)
{
  seen x = {.n_passes = 0};
  RUN_RANKS(2, with_defects, &x, "device", "null", "tile_min", "16", "replicate_max", "4",
            "chunk_bytes", "512", "inline_elems", "0", "threads", "2", "group_ops", "4");
  RUN_RANKS(1, with_defects, &x, "device", "check", "tile_min", "16", "replicate_max", "4",
            "chunk_bytes", "512", "inline_elems", "0", "threads", "2", "group_ops", "4");
  for (int i = 0; i < N_DEFECTS; i++)
    cr_expect_gt(x.n_planted[i], 0, "never planted: %s, behind %s", defects[i].text,
                 defects[i].pass);
}
