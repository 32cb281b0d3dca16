/* Gathers: what gathered copies take of the agreed memory limit.
 *
 * A rank knows which copies it makes itself (transfers.c), but the number that is compared with the
 * limit must be the same on every rank. So this pass finds from views and cuts alone which copies
 * any rank may make, and how large they are where the parts of the domain are widest. Copies share
 * memory as buffers do: by live range. */
#include "scheduler/plan/gathers.h"
#include "scheduler/plan/answers.h"
#include "scheduler/plan/instance.h"
#include "scheduler/plan/group.h"

#include <stdlib.h>
#include <string.h>

/* Take a tile of the cut along `axis` and what it reads along the layout's axis k: does that lie
 * within `halo` of the tile with the same number, for each tile? */
static bool tiles_reach(const tsr_access *a, const tsr_layout *cut, int axis,
                        const tsr_layout *layout, int k, int64_t halo)
{
  const tsr_view *v = &a->view->view;
  const int64_t step = v->step[k][axis];
  const tsr_box bounds = tsr__view_bounds(v);
  const int64_t begin = bounds.lo[axis], end = tsr__box_end(&bounds, axis);
  for (int32_t c = 0; c < cut->n_tiles[axis]; c++) {
    int64_t lo = cut->cuts[axis][c], hi = cut->cuts[axis][c + 1];
    lo = lo > begin ? lo : begin;
    hi = hi < end ? hi : end;
    if (lo >= hi) continue;
    const int64_t first = v->offset[k] + step * lo, last = v->offset[k] + step * (hi - 1);
    int64_t least = first < last ? first : last, most = first < last ? last : first;
    if (v->reaches) {
      least = least - v->before[k] > v->first[k] ? least - v->before[k] : v->first[k];
      most = most + v->after[k] < v->end[k] ? most + v->after[k] : v->end[k] - 1;
    }
    if (layout->cuts[k][c] - least > halo || most + 1 - layout->cuts[k][c + 1] > halo) return false;
  }
  return true;
}

/* As tiles_reach, but remembered: planning must not cost a rank more where there are more ranks. */
static bool tiles_are_near(tsr_scheduler *s, const tsr_access *a, const tsr_layout *cut, int axis,
                           const tsr_layout *layout, int k, int64_t halo)
{
  enum { FEW = 4 };
  if (cut->n_tiles[axis] <= FEW) return tiles_reach(a, cut, axis, layout, k, halo);
  const tsr_view *v = &a->view->view;
  const tsr_box bounds = tsr__view_bounds(v);
  int64_t question[TSR_QUESTION_WORDS] = {TSR_ASKED_REACH,  (int64_t)cut->id << 32 | layout->id,
                                          axis << 8 | k,    v->offset[k],
                                          v->step[k][axis], halo,
                                          bounds.lo[axis],  tsr__box_end(&bounds, axis)};
  if (v->reaches) {
    question[8] = 1;
    question[9] = v->before[k];
    question[10] = v->after[k];
    question[11] = v->first[k];
    question[12] = v->end[k];
  }
  tsr_answer *entry = tsr__answer_to(s, question);
  if (!entry->is_known) entry->answer = tiles_reach(a, cut, axis, layout, k, halo);
  entry->is_known = true;
  return entry->answer;
}

/* Does every rank find what it needs in its own tile and the halo around it? The answer may be
 * false where they do, but it is the same on every rank. */
static bool stays_in_halo(tsr_scheduler *s, const tsr_access *a, const tsr_layout *cut,
                          const tsr_layout *layout, int64_t halo)
{
  const tsr_view *v = &a->view->view;
  uint32_t followed = 0;
  if (cut->place || layout->place || cut->place_base != layout->place_base) return false;
  for (int k = 0; k < v->rdim; k++) {
    const int axis = tsr__view_axis_of_row(v, k);
    if (axis >= 0) followed |= 1u << axis;
    if (axis < 0 || cut->n_tiles[axis] == 1) {
      if (axis == -2 || layout->n_tiles[k] > 1) return false;
      continue;
    }
    if (layout->n_tiles[k] != cut->n_tiles[axis] ||
        layout->place_stride[k] != cut->place_stride[axis] ||
        !tiles_are_near(s, a, cut, axis, layout, k, halo))
      return false;
  }
  for (int j = 0; j < v->ndim; j++)
    if (cut->n_tiles[j] > 1 && !(followed >> j & 1)) return false;
  return true;
}

/* Bytes of the image of the widest part of the domain. */
static size_t widest_bytes(const tsr_plan *plan, const tsr_group *g, const tsr_access *a)
{
  const tsr_view *v = &a->view->view;
  const tsr_plan_region *r = &plan->regions[a->region];
  int64_t n[TSR_MAX_NDIM];
  for (int k = 0; k < v->rdim; k++) {
    n[k] = 1;
    for (int j = 0; j < v->ndim; j++) {
      int64_t width = g->cut->replicated ? g->shape[j] : tsr__layout_widest(g->cut, j);
      const int64_t most = v->bounded ? v->hi[j] - v->lo[j] : v->shape[j];
      if (most < width) width = most;
      if (width < 1) return 0;
      n[k] += llabs(v->step[k][j]) * (width - 1);
    }
    if (v->reaches) n[k] += v->before[k] + v->after[k];
    if (n[k] > r->layout->shape[k]) n[k] = r->layout->shape[k];
  }
  return tsr__agreed_box_bytes(plan->scheduler, v->rdim, n, tsr__dtype_size((tsr_dtype)r->dtype));
}

bool tsr__is_gathered(const tsr_plan *plan, const tsr_group *g, const tsr_access *a)
{
  return g->cut->replicated ||
         !stays_in_halo(plan->scheduler, a, g->cut, plan->regions[a->region].layout,
                        plan->scheduler->world->config.halo_max);
}

void tsr__gathers_note(tsr_plan *plan, int32_t group, const tsr_access *a)
{
  const tsr_group *g = &plan->groups[group];
  if (!tsr__is_gathered(plan, g, a)) return;
  plan->gathers = tsr__arena_grow(plan->scratch, plan->gathers, plan->n_gathers, &plan->cap_gathers,
                                  sizeof *plan->gathers);
  plan->gathers[plan->n_gathers++] = (tsr_gather){.first_group = tsr__gather_begins(plan, group),
                                                  .last_group = group,
                                                  .region = a->region,
                                                  .bytes = widest_bytes(plan, g, a)};
}

int32_t tsr__gather_begins(const tsr_plan *plan, int32_t group)
{
  const bool chain = group > 0 && tsr__is_throttled(&plan->groups[group]) &&
                     tsr__is_throttled(&plan->groups[group - 1]);
  return chain ? group - 1 : group;
}

size_t tsr__gathers_bytes(const tsr_plan *plan)
{
  size_t sum = 0;
  tsr_gather *buffers = tsr__calloc((size_t)plan->n_gathers + 1, sizeof *buffers);
  int32_t n = 0;
  for (int32_t i = 0; i < plan->n_gathers; i++) { /* gathers are in the order of groups */
    const tsr_gather *x = &plan->gathers[i];
    int32_t b = 0;
    while (b < n && buffers[b].last_group >= x->first_group) b++;
    if (b == n) buffers[n++] = (tsr_gather){.bytes = 0};
    buffers[b].last_group = x->last_group;
    if (buffers[b].bytes < x->bytes) buffers[b].bytes = x->bytes;
  }
  for (int32_t b = 0; b < n; b++) sum += buffers[b].bytes;
  free(buffers);
  return sum;
}
