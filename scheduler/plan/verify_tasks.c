/* The boxes and the order of a plan's tasks, against the bytes that they touch (verify.h). */
#include "scheduler/plan/instance.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/tasks.h"
#include "scheduler/plan/verify_int.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TASKS = 2048 }; /* whose order is a matrix of 512 KB */

/* Counts each point of a box of the part. */
static void count_points(const tsr_box *part, const tsr_box *box, int32_t *count)
{
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, box); at != NULL; at = tsr__box_next(&points)) {
    int64_t n = 0;
    for (int k = 0; k < part->ndim; k++) n = n * part->n[k] + at[k] - part->lo[k];
    count[n]++;
  }
}

/* Counts the points of a step of a chain of several groups, or of a group that is its own chain.
 * False: some are none of the part. */
static bool count_step(const tsr_chain *chain, int32_t step, const tsr_box *part, int32_t *count)
{
  bool inside = true;
  for (int32_t c = 0; c < chain->n_chunks; c++)
    for (int32_t w = tsr__chain_n_bands(chain, c); w-- > 0 && inside;) {
      tsr_box box, whole;
      if (chain->n_groups > 1) {
        tsr__chain_step_box(chain, step, c, &whole);
        tsr_chain_at at;
        tsr__chain_band_at(chain, c, w, &at);
        tsr__chain_step_band(chain, step, &at, &box);
      } else {
        tsr__chain_box(chain, chain->first_group, c, &box);
        whole = box;
      }
      if (tsr__box_is_empty(&box)) continue;
      inside = tsr__box_contains(part, &box) && tsr__box_contains(&whole, &box);
      if (inside) count_points(part, &box, count);
    }
  return inside;
}

/* Are the points of a box of what a group computes, or of a copy, in one chunk each? step: of a
 * chain of several groups, the first of the images. */
static void verify_points(const tsr_chain *chain, int32_t step, const tsr_box *part,
                          const char *what, int32_t number, tsr_text *defect)
{
  int32_t *count = tsr__calloc((size_t)tsr__box_volume(part) + 1, sizeof *count);
  bool inside = count_step(chain, step, part, count);
  const tsr_chain_step *s = chain->n_groups > 1 ? &chain->tiles.steps[step] : NULL;
  for (int32_t q = step + 1; s != NULL && q < chain->tiles.n_steps && inside; q++)
    if (chain->tiles.steps[q].group == s->group && chain->tiles.steps[q].copy == s->copy)
      inside = count_step(chain, q, part, count);
  if (!inside)
    tsr__text_add(defect, "a chunk of %s %d leaves this place's part of it", what, number);
  for (int64_t p = 0; inside && p < tsr__box_volume(part) && defect->s == NULL; p++)
    if (count[p] != 1)
      tsr__text_add(defect, "point %lld of %s %d is in %d chunks", (long long)p, what, number,
                    count[p]);
  free(count);
}

/* Has each group of a tiled chain one first image, if this place has a part of it? */
static void verify_steps(const tsr_plan *plan, const tsr_chain *chain, tsr_text *defect)
{
  for (int32_t g = 0; g < chain->n_groups && defect->s == NULL; g++) {
    const int32_t group = chain->first_group + g;
    int32_t n = 0;
    for (int32_t q = 0; q < chain->tiles.n_steps; q++) {
      const tsr_chain_step *s = &chain->tiles.steps[q];
      n += s->group == group && s->copy < 0 && s->image == 0;
    }
    if (n != !tsr__box_is_empty(&plan->groups[group].part))
      tsr__text_add(defect, "group %d is %d steps of its chain", group, n);
  }
}

/* Do the chains follow each other, each group in one of them? */
static void verify_chains(const tsr_plan *plan, tsr_text *defect)
{
  int32_t next = 0;
  for (int32_t i = 0; i < plan->n_chains; i++) {
    const tsr_chain *c = &plan->chains[i];
    if (c->first_group != next || c->n_groups < 1 || next + c->n_groups > plan->n_groups)
      TSR_DEFECT(defect, "chain %d begins with group %d, for %d", i, c->first_group, next);
    for (next = c->first_group; next < c->first_group + c->n_groups && defect->s == NULL; next++)
      if (plan->groups[next].chain != i)
        TSR_DEFECT(defect, "group %d is in chain %d, for %d", next, plan->groups[next].chain, i);
  }
  if (next != plan->n_groups) TSR_DEFECT(defect, "group %d is in no chain", next);
}

char *tsr__verify_chunks(const tsr_plan *plan)
{
  tsr_text defect = {0};
  verify_chains(plan, &defect);
  for (int32_t i = 0; i < plan->n_chains && defect.s == NULL; i++) {
    const tsr_chain *chain = &plan->chains[i];
    const int32_t n = chain->n_groups > 1 ? chain->tiles.n_steps : 1;
    if (chain->n_groups > 1) verify_steps(plan, chain, &defect);
    for (int32_t q = 0; q < n && defect.s == NULL; q++) {
      const tsr_chain_step *s = chain->n_groups > 1 ? &chain->tiles.steps[q] : NULL;
      const int32_t group = s != NULL ? s->group : chain->first_group;
      if (s != NULL && s->image > 0) continue;
      if (s != NULL && s->copy >= 0)
        verify_points(chain, q, &plan->copies[s->copy].box, "copy", s->copy, &defect);
      else if (!tsr__box_is_empty(&plan->groups[group].part))
        verify_points(chain, q, &plan->groups[group].part, "group", group, &defect);
    }
  }
  return defect.s;
}

/** What belongs to a group, in plan order. */
typedef enum phase { COPIES, MESSAGES, WIDE_COPIES, POINTS, N_PHASES } phase;

/* The position in plan order of what belongs to a group. */
#define WHEN(group, phase) (N_PHASES * (group) + (int32_t)(phase))

/** A range of bytes that a task touches. turn: of the box of a chunk in which it does, by the order
 * in which boxes run. when: in plan order. */
typedef struct touch {
  int32_t buffer, task, when;
  int64_t turn;
  bool write;
  int64_t at, bytes;
} touch;

typedef struct touching {
  const tsr_plan *plan;
  touch *v;
  int32_t n, capacity;
  int32_t when; /* as in touch, of what is added now */
  int64_t turn;
} touching;

static void add_touch(touching *x, int32_t task, int32_t slot, const int64_t *point, bool write)
{
  const tsr_plan_slot *s = &x->plan->slots[slot];
  const tsr_plan_region *r = &x->plan->regions[s->region];
  int64_t at = s->shape.lead_bytes;
  for (int k = 0; k < r->ndim; k++)
    at += (point[k] - s->shape.alloc.lo[k]) * s->shape.stride_bytes[k];
  x->v = tsr__grow(x->v, &x->capacity, x->n + 1, sizeof *x->v);
  x->v[x->n++] = (touch){.buffer = s->buffer,
                         .task = task,
                         .when = x->when,
                         .turn = x->turn,
                         .write = write,
                         .at = at,
                         .bytes = (int64_t)tsr__dtype_size((tsr_dtype)r->dtype)};
}

static void touch_box(touching *x, int32_t task, int32_t slot, const tsr_box *box, bool write)
{
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, box); at != NULL; at = tsr__box_next(&points))
    add_touch(x, task, slot, at, write);
}

static void touch_chunk(touching *x, int32_t task, const tsr_group *g, const tsr_box *chunk)
{
  tsr_box_walk points;
  for (int32_t i = 0; i < g->accesses.n_reductions; i++) {
    const tsr_plan_reduction *r = &x->plan->reductions[g->accesses.first_reduction + i];
    const tsr_box result = tsr__reduced_box(r, chunk);
    if (r->by_chunk) touch_box(x, task, r->slot, &result, true);
  }
  for (int32_t i = 0; i < g->accesses.n; i++) {
    const tsr_access *a = &g->accesses.v[i];
    tsr_box box, image;
    if (a->scratch) continue;
    const tsr_box bounds = tsr__view_bounds(&a->view->view);
    if (!tsr__box_intersect(chunk, &bounds, &box)) continue;
    const int32_t slot = tsr__access_slot(a, tsr__chain_block_of(&g->blocks, &g->part, chunk));
    if (tsr__view_image(&a->view->view, &box, &image) || a->view->view.reaches) {
      touch_box(x, task, slot, &image, a->store); /* each point once */
      continue;
    }
    for (const int64_t *at = tsr__box_first(&points, &box); at != NULL;
         at = tsr__box_next(&points)) {
      tsr_box one = {.ndim = g->ndim};
      for (int k = 0; k < g->ndim; k++) {
        one.lo[k] = at[k];
        one.n[k] = one.step[k] = 1;
      }
      tsr__view_image(&a->view->view, &one, &image);
      touch_box(x, task, slot, &image, a->store);
    }
  }
}

static phase phase_of_copy(const tsr_plan_copy *c)
{
  if (c->block > 0) return POINTS; /* a group that runs in blocks has copies between them */
  return c->is_wide ? WIDE_COPIES : COPIES;
}

static phase phase_of(const tsr_plan *plan, const tsr_task *t)
{
  switch ((tsr_task_kind)t->kind) {
  case TSR_TASK_COPY:
    return phase_of_copy(&plan->copies[t->what]);
  case TSR_TASK_SEND:
  case TSR_TASK_RECV:
    return MESSAGES;
  default:
    return POINTS;
  }
}

static void touch_copy(touching *x, int32_t task, int32_t copy, const tsr_box *box)
{
  touch_box(x, task, x->plan->copies[copy].from, box, false);
  touch_box(x, task, x->plan->copies[copy].to, box, true);
}

/* A chunk's boxes, in the order in which they run. */
static void touch_bands(touching *x, int32_t index)
{
  const tsr_plan *plan = x->plan;
  const tsr_task *t = &plan->tasks[index];
  const tsr_chain *chain = tsr__chain_of(plan, &plan->groups[t->group]);
  const int32_t n = tsr__chain_n_bands(chain, t->what);
  const int32_t n_steps = chain->n_groups > 1 ? chain->tiles.n_steps : 1;
  for (int32_t w = 0; w < n; w++)
    for (int32_t q = 0; q < n_steps; q++) {
      tsr_box box;
      int32_t group = t->group, copy = -1;
      x->turn++;
      if (chain->n_groups > 1) {
        tsr_chain_at at;
        tsr__chain_band_at(chain, t->what, w, &at);
        tsr__chain_step_band(chain, q, &at, &box);
        group = chain->tiles.steps[q].group;
        copy = chain->tiles.steps[q].copy;
      } else {
        tsr__chain_box(chain, group, t->what, &box);
      }
      x->when = WHEN(group, copy < 0 ? POINTS : phase_of_copy(&plan->copies[copy]));
      if (tsr__box_is_empty(&box)) continue;
      if (copy < 0)
        touch_chunk(x, index, &plan->groups[group], &box);
      else
        touch_copy(x, index, copy, &box);
    }
}

static void touch_task(touching *x, int32_t index)
{
  const tsr_plan *plan = x->plan;
  const tsr_task *t = &plan->tasks[index];
  x->when = WHEN(t->group, phase_of(plan, t));
  switch ((tsr_task_kind)t->kind) {
  case TSR_TASK_COPY:
    touch_copy(x, index, t->what, &plan->copies[t->what].box);
    break;
  case TSR_TASK_SEND:
  case TSR_TASK_RECV:
    for (int32_t p = 0; p < plan->messages[t->what].n_pieces; p++)
      touch_box(x, index, plan->messages[t->what].pieces[p].slot,
                &plan->messages[t->what].pieces[p].box, t->kind == TSR_TASK_RECV);
    break;
  case TSR_TASK_CHUNK:
    touch_bands(x, index);
    break;
  case TSR_TASK_REDUCE_DONE: {
    const tsr_plan_reduction *r = &plan->reductions[t->what];
    touch_box(x, index, r->slot, &plan->regions[r->region].tile, true);
    break;
  }
  default:
    break;
  }
}

/* Sorts the touches by address. Those of one address keep their order: by tasks, and within a task by
 * turns. */
static void sort_by_address(touching *x)
{
  const int32_t n_buffers = x->plan->n_buffers;
  int64_t *first = tsr__calloc((size_t)n_buffers + 1, sizeof *first); /* the number of its byte 0 */
  for (int32_t i = 0; i < x->n; i++)
    if (first[x->v[i].buffer] <= x->v[i].at) first[x->v[i].buffer] = x->v[i].at + 1;
  int64_t n_bytes = 0;
  for (int32_t b = 0; b < n_buffers; b++) {
    const int64_t size = first[b];
    first[b] = n_bytes;
    n_bytes += size;
  }
  int32_t *next = tsr__calloc((size_t)n_bytes + 1, sizeof *next);
  for (int32_t i = 0; i < x->n; i++) next[first[x->v[i].buffer] + x->v[i].at + 1]++;
  for (int64_t i = 0; i < n_bytes; i++) next[i + 1] += next[i];
  touch *sorted = tsr__calloc((size_t)x->n + 1, sizeof *sorted);
  for (int32_t i = 0; i < x->n; i++) sorted[next[first[x->v[i].buffer] + x->v[i].at]++] = x->v[i];
  free(x->v);
  free(next);
  free(first);
  x->v = sorted;
}

/* The order of tasks: bit b of row a says that task b comes after task a. The tasks are in an order
 * that agrees with it. */
static uint64_t *order_of(const tsr_plan *plan, size_t words)
{
  uint64_t *after = tsr__calloc((size_t)plan->n_tasks * words + 1, sizeof *after);
  for (int32_t t = plan->n_tasks - 1; t >= 0; t--)
    for (int32_t i = 0; i < plan->tasks[t].n_next; i++) {
      const int32_t next = plan->next[plan->tasks[t].first_next + i];
      uint64_t *mine = after + (size_t)t * words;
      const uint64_t *its = after + (size_t)next * words;
      mine[next / 64] |= UINT64_C(1) << next % 64;
      for (size_t w = 0; w < words; w++) mine[w] |= its[w];
    }
  return after;
}

static bool is_ordered(const uint64_t *after, size_t words, int32_t a, int32_t b)
{
  return (after[(size_t)a * words + (size_t)b / 64] >> b % 64 & 1) != 0 ||
         (after[(size_t)b * words + (size_t)a / 64] >> a % 64 & 1) != 0;
}

/* What two groups, or a group and its copies and messages, do with one byte is done in plan order:
 * by tasks, and within a task by the turns of its boxes. */
static void compare_turns(const touch *a, const touch *b, tsr_text *defect)
{
  const bool is_before = a->task != b->task ? a->task < b->task : a->turn < b->turn;
  if (a->when == b->when || (a->when < b->when) == is_before) return;
  tsr__text_add(defect,
                "groups %d and %d touch byte %lld of buffer %d, in tasks %d and %d, the other way "
                "round",
                a->when / N_PHASES, b->when / N_PHASES, (long long)b->at, a->buffer, a->task,
                b->task);
}

/* Compares each touch with the later ones that overlap it. Of those at its own address that is not
 * necessary behind a write of all its bytes, which is compared with them: orders are transitive. */
static void compare_touches(const touching *x, const uint64_t *after, size_t words,
                            tsr_text *defect)
{
  int64_t longest = 0;
  for (int32_t i = 0; i < x->n; i++)
    if (longest < x->v[i].bytes) longest = x->v[i].bytes;
  for (int32_t i = 0, run_end = 0; i < x->n && defect->s == NULL; i++) {
    const touch *a = &x->v[i];
    while (run_end < x->n && x->v[run_end].at == a->at && x->v[run_end].buffer == a->buffer)
      run_end++;
    bool is_hidden = false;
    for (int32_t j = i + 1; j < x->n && defect->s == NULL; j++) {
      const touch *b = &x->v[j];
      if (is_hidden && j < run_end) {
        j = run_end - 1;
        continue;
      }
      if (b->buffer != a->buffer || b->at >= a->at + longest) break;
      if (b->at >= a->at + a->bytes || !(a->write || b->write)) continue;
      compare_turns(a, b, defect);
      if (b->task != a->task && !is_ordered(after, words, a->task, b->task))
        tsr__text_add(defect, "tasks %d and %d touch byte %lld of buffer %d, and neither waits",
                      a->task, b->task, (long long)b->at, a->buffer);
      is_hidden = b->at == a->at && b->write && b->bytes >= a->bytes;
    }
  }
}

/* Has each chunk that stores its results all that these are reduced from, and are the results all
 * that this place has? */
static void compare_whole_results(const tsr_plan *plan, tsr_text *defect)
{
  for (int32_t i = 0; i < plan->n_reductions; i++) {
    const tsr_plan_reduction *r = &plan->reductions[i];
    const tsr_group *g = &plan->groups[r->group];
    const tsr_chain *chain = tsr__chain_of(plan, g);
    int64_t n_results = 0;
    if (!r->by_chunk) continue;
    for (int32_t c = 0; c < chain->n_chunks; c++) {
      tsr_box chunk;
      tsr__chain_box(chain, r->group, c, &chunk);
      for (int k = 0; k < g->ndim; k++)
        if ((r->axes_mask >> k & 1) && (chunk.lo[k] != 0 || chunk.n[k] != g->shape[k]))
          tsr__text_add(defect, "chunk %d of group %d stores what it has not all points of", c,
                        r->group);
      const tsr_box result = tsr__reduced_box(r, &chunk);
      n_results += tsr__box_volume(&result);
    }
    if (n_results != tsr__box_volume(&plan->regions[r->region].tile))
      tsr__text_add(defect, "the chunks of group %d store %lld results", r->group,
                    (long long)n_results);
  }
}

static void compare_reductions(const tsr_plan *plan, const uint64_t *after, size_t words,
                               tsr_text *defect)
{
  for (int32_t t = 0; t < plan->n_tasks; t++) {
    if (plan->tasks[t].kind != TSR_TASK_REDUCE) continue;
    const int32_t group = tsr__chain_of(plan, &plan->groups[plan->tasks[t].group])->first_group;
    for (int32_t c = 0; c < plan->n_tasks && defect->s == NULL; c++)
      if (plan->tasks[c].kind == TSR_TASK_CHUNK && plan->tasks[c].group == group &&
          !is_ordered(after, words, c, t))
        tsr__text_add(defect, "task %d reduces what task %d makes, and does not wait for it", t, c);
  }
}

bool tsr__verify_fits_order(const tsr_plan *plan)
{
  return plan->in_line || plan->n_tasks <= MOST_TASKS;
}

char *tsr__verify_order(const tsr_plan *plan)
{
  tsr_text defect = {0};
  if (plan->in_line || !tsr__verify_fits_order(plan)) return NULL;
  const size_t words = ((size_t)plan->n_tasks + 63) / 64;
  touching x = {.plan = plan};
  for (int32_t t = 0; t < plan->n_tasks; t++) touch_task(&x, t);
  sort_by_address(&x);
  uint64_t *after = order_of(plan, words);
  compare_touches(&x, after, words, &defect);
  compare_whole_results(plan, &defect);
  compare_reductions(plan, after, words, &defect);
  free(after);
  free(x.v);
  return defect.s;
}
