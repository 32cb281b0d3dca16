/* Chunks: this place's part of a group's domain is cut into boxes, one task each. This file says
 * where it must be cut; chunk_size.c says how large the pieces become. First come the seams of
 * periodic reads, since a chunk uses one of the views that take turns. Then the rims that wait
 * for messages come off, so that the interior runs while messages are under way.
 *
 * All of this is a local choice: results do not depend on it. */
#include "scheduler/plan/chunks.h"
#include "scheduler/plan/chunk_size.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/tiling.h"

enum { RIM_LAST_AXIS = 64 }; /* width of a rim along the contiguous axis: whole vectors */

/** One group while its part is cut. */
typedef struct cutting {
  tsr_plan *plan;
  const tsr_group *g;
  tsr_chunk_size size;
  tsr_chain *chain;
  int32_t block;
  int32_t capacity; /* of the chain's pieces */
} cutting;

/* Adds a piece, if the box is not empty. */
static void add_piece(cutting *x, const tsr_box *box, bool is_rim)
{
  tsr_chain *chain = x->chain;
  int64_t n_chunks = 1, step[TSR_MAX_NDIM];
  if (tsr__box_is_empty(box)) return;
  TSR_ASSERT(tsr__box_is_dense(box) && tsr__box_contains(&x->g->part, box));
  tsr__chunk_steps(&x->size, box, is_rim, step);
  chain->pieces = tsr__arena_grow(x->plan->scratch, chain->pieces, chain->n_pieces, &x->capacity,
                                  sizeof *chain->pieces);
  tsr_chain_piece *p = &chain->pieces[chain->n_pieces++];
  *p = (tsr_chain_piece){.first = chain->n_chunks, .block = x->block};
  for (int k = 0; k < chain->ndim; k++) {
    p->lo[k] = box->lo[k];
    p->end[k] = tsr__box_end(box, k);
    p->n[k] = 1;
    if (step[k] > 0) p->n[k] = (int32_t)((p->end[k] + step[k] - 1) / step[k] - p->lo[k] / step[k]);
    p->step[k] = p->n[k] > 1 ? step[k] : 1; /* one chunk, as where the plan is resized */
    n_chunks *= p->n[k];
  }
  TSR_ASSERT(n_chunks > 0 && n_chunks <= INT32_MAX - chain->n_chunks);
  chain->n_chunks += (int32_t)n_chunks;
}

bool tsr__find_seam(const tsr_group *g, const tsr_box *box, int *axis, int64_t *at)
{
  for (int32_t i = 0; tsr__has_seams(&g->accesses) && i < g->accesses.n; i++) {
    if (g->accesses.v[i].scratch || !g->accesses.v[i].view->view.bounded) continue;
    const tsr_box bounds = tsr__view_bounds(&g->accesses.v[i].view->view);
    for (int k = 0; k < g->ndim; k++) {
      const int64_t ends[2] = {bounds.lo[k], tsr__box_end(&bounds, k)};
      for (int e = 0; e < 2; e++)
        if (ends[e] > box->lo[k] && ends[e] < tsr__box_end(box, k)) {
          *axis = k;
          *at = ends[e];
          return true;
        }
    }
  }
  return false;
}

tsr_box tsr__cut_off(tsr_box *box, int axis, int64_t at)
{
  tsr_box before = *box;
  before.n[axis] = at - box->lo[axis];
  box->n[axis] -= before.n[axis];
  box->lo[axis] = at;
  return before;
}

/* Cuts a box on one side of every seam: its rims, then what is left. */
static void cut_rims(cutting *x, const tsr_box *box)
{
  const tsr_group *g = x->g;
  tsr_box rest = *box;
  for (int k = 0; k < g->ndim; k++) {
    int64_t lo = g->part.lo[k] + g->rims.lo[k] - box->lo[k];
    int64_t hi = g->rims.hi[k] - (tsr__box_end(&g->part, k) - tsr__box_end(box, k));
    if (lo < 0) lo = 0;
    if (hi < 0) hi = 0;
    if (k == g->ndim - 1) {
      const int64_t least = g->grain > 0 && g->grain < RIM_LAST_AXIS ? g->grain : RIM_LAST_AXIS;
      if (lo > 0 && lo < least) lo = least;
      if (hi > 0 && hi < least) hi = least;
    }
    const bool is_whole = (g->whole >> k & 1) && (lo > 0 || hi > 0);
    if (is_whole || lo + hi >= rest.n[k]) break; /* the whole piece waits for messages */
    tsr_box rim = rest;
    if (lo > 0) {
      rim.n[k] = lo;
      add_piece(x, &rim, true);
    }
    if (hi > 0) {
      rim.lo[k] = rest.lo[k] + rest.n[k] - hi;
      rim.n[k] = hi;
      add_piece(x, &rim, true);
    }
    rest.lo[k] += lo;
    rest.n[k] -= lo + hi;
  }
  add_piece(x, &rest, false);
}

/* Cuts the box at all seams, at most 2 * ndim deep for a roll along each axis, and at its
 * rims. What is not cut for its size has no use for rims. */
static void cut_seams(cutting *x, const tsr_box *box)
{
  int axis;
  int64_t at;
  if (tsr__find_seam(x->g, box, &axis, &at)) {
    tsr_box after = *box, before = tsr__cut_off(&after, axis, at);
    cut_seams(x, &before);
    cut_seams(x, &after);
  } else if (x->size.points == 0) {
    add_piece(x, box, false);
  } else {
    cut_rims(x, box);
  }
}

/* Makes a chain of one group. */
static void cut_group(tsr_plan *plan, int32_t index, tsr_chain *chain)
{
  const tsr_group *g = &plan->groups[index];
  if (tsr__box_is_empty(&g->part)) return;
  tsr_box block;
  tsr__block_box(g, 0, &block);
  cutting x = {.plan = plan, .g = g, .size = tsr__chunk_size(plan, g, &block), .chain = chain};
  for (; x.block < tsr__n_blocks(g); x.block++) {
    tsr__block_box(g, x.block, &block);
    cut_seams(&x, &block);
  }
  TSR_ASSERT(chain->n_chunks >= chain->n_pieces && chain->n_pieces > 0);
}

/* The chunks of a chain that is tiled: uprights, and the wedges between them. */
static int32_t n_tiled_chunks(const tsr_chain_tiles *tiles)
{
  return 2 * tiles->n_segments - 1;
}

/* Begins the next chain, of n groups from `first` on. */
static tsr_chain *add_chain(tsr_plan *plan, int32_t first, int32_t n, const tsr_chain_look *look)
{
  tsr_chain *chain = &plan->chains[plan->n_chains];
  *chain = (tsr_chain){.first_group = first,
                       .n_groups = n,
                       .ndim = plan->groups[first].ndim,
                       .end = look->end,
                       .end_group = look->end_group,
                       .steps_end = look->steps_end,
                       .steps_end_group = look->steps_end_group,
                       .compared = look->compared};
  for (int32_t i = first; i < first + n; i++) plan->groups[i].chain = plan->n_chains;
  plan->n_chains++;
  return chain;
}

int64_t tsr__group_work(const tsr_group *g, int64_t n_points)
{
  return n_points * g->accesses.weight * (g->accesses.kernel->n_instrs + 1);
}

void tsr__plan_find_work(tsr_plan *plan)
{
  plan->work = 0;
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    if (tsr__box_is_empty(&g->part)) continue;
    const int64_t work = tsr__group_work(g, tsr__box_volume(&g->part));
    if (plan->work < work) plan->work = work;
  }
}

/* Finds what the groups take of the caches. */
static void measure_footprints(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_groups; i++) {
    tsr_group *g = &plan->groups[i];
    if (tsr__box_is_empty(&g->part)) continue;
    tsr_box block;
    tsr__block_box(g, 0, &block);
    tsr__plan_footprint(plan, g, &block);
  }
}

void tsr__resize_chunk(const tsr_plan *plan, tsr_group *g)
{
  const tsr_chain *chain = tsr__chain_of(plan, g);
  TSR_ASSERT(plan->in_line && chain->n_chunks == !tsr__box_is_empty(&g->part));
  if (chain->n_chunks == 0) return;
  tsr__resize_footprint(plan, g, &g->part);
  for (int k = 0; k < chain->ndim; k++) {
    chain->pieces->lo[k] = g->part.lo[k];
    chain->pieces->end[k] = tsr__box_end(&g->part, k);
  }
}

/* Says the program that points of the group are worth a thread, of which there are several? */
static bool is_worth_threads(const tsr_plan *plan, const tsr_group *g)
{
  return g->grain > 0 && plan->scheduler->world->machine->n_threads > 1 &&
         tsr__box_volume(&g->part) / 2 >= g->grain;
}

/* Does the plan wait for no other rank or place? */
static bool is_alone(const tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_reductions; i++)
    if (plan->reductions[i].spread != TSR_SPREAD_LOCAL) return false;
  return plan->n_messages == 0;
}

/* Is the plan too small to be handed to threads? Not where steps are to be tiled whatever it
 * costs. */
static bool is_small(const tsr_plan *plan)
{
  if (plan->n_groups > 1 && plan->scheduler->world->config.time_steps > 1) return false;
  for (int32_t i = 0; i < plan->n_groups; i++)
    if (is_worth_threads(plan, &plan->groups[i])) return false;
  return plan->work <= plan->scheduler->world->config.inline_elems;
}

/* Is every group one chunk, on a rank of one thread, which has nobody to hand one over to? Not
 * where a test wishes for tasks or for an order of its own. */
static bool has_one_order(const tsr_plan *plan)
{
  const tsr_world *world = plan->scheduler->world;
  if (world->machine->n_threads > 1 || world->n_places > 1 || !tsr__world_is_host(world) ||
      world->config.inline_elems == 0 || world->config.seed != 0)
    return false;
  for (int32_t i = 0; i < plan->n_chains; i++)
    if (plan->chains[i].n_groups > 1 || plan->chains[i].n_chunks > 1) return false;
  return true;
}

/* Has each chunk of the chain, which is one group, all points that the reduction reduces, and are
 * the chunks together all that comes to this place's part of the result? */
static bool has_whole_results(const tsr_plan *plan, const tsr_chain *chain,
                              const tsr_plan_reduction *r)
{
  const tsr_group *g = &plan->groups[r->group];
  if (r->up >= 0 || r->n_sources > 0 || r->n_down > 0) return false;
  for (int k = 0; k < g->ndim; k++) {
    if (!(r->axes_mask >> k & 1)) {
      if (r->kept.lo[k] != g->part.lo[k] || r->kept.n[k] != g->part.n[k]) return false;
      continue;
    }
    for (int32_t i = 0; i < chain->n_pieces; i++)
      if (chain->pieces[i].n[k] != 1 || chain->pieces[i].lo[k] != 0 ||
          chain->pieces[i].end[k] != g->shape[k])
        return false;
  }
  return true;
}

/* Finds the groups whose chunks make whole results: rows that are reduced, say. Then what reads
 * these waits for some of the chunks, and not for all. Devices have another way for results
 * (scheduler/run/risen.h). */
static void find_whole_results(tsr_plan *plan)
{
  for (int32_t i = 0; i < plan->n_chains; i++) {
    const tsr_chain *chain = &plan->chains[i];
    const tsr_accesses *a = &plan->groups[chain->first_group].accesses;
    bool all = chain->n_groups == 1 && chain->n_chunks > 0 && a->n_reductions <= TSR_MOST_WHOLE &&
               tsr__world_is_host(plan->scheduler->world);
    for (int32_t r = 0; all && r < a->n_reductions; r++)
      all = has_whole_results(plan, chain, &plan->reductions[a->first_reduction + r]);
    for (int32_t r = 0; all && r < a->n_reductions; r++)
      plan->reductions[a->first_reduction + r].by_chunk = true;
    const int32_t next = chain->first_group + 1;
    if (all && a->n_reductions > 0 && next < plan->n_groups)
      tsr__read_at_once(plan, &plan->groups[chain->first_group], &plan->groups[next]);
  }
}

void tsr__plan_chunks(tsr_plan *plan)
{
  measure_footprints(plan);
  tsr__plan_find_work(plan);
  const bool alone = is_alone(plan);
  plan->in_line = alone && is_small(plan);

  plan->chains = tsr__arena_calloc(plan->scratch, (size_t)plan->n_groups + 1, sizeof *plan->chains);
  int32_t seen = 0; /* groups before it begin no chain of several */
  tsr_chain_look look = {.n_seen = 0};
  for (int32_t i = 0, n; i < plan->n_groups; i += n) {
    tsr_chain_tiles tiles;
    n = 0;
    if (i >= seen) {
      n = tsr__tile_time(plan, i, &tiles, &look);
      plan->counts.n_chain_ends[look.end]++;
      if (n == 0) seen = i + look.n_seen;
    }
    const bool is_tiled = n > 0;
    if (!is_tiled) n = 1;
    tsr_chain *chain = add_chain(plan, i, n, &look);
    if (is_tiled) {
      chain->ndim = tiles.ndim;
      chain->tiles = tiles;
      chain->n_chunks = n_tiled_chunks(&tiles);
    } else {
      cut_group(plan, i, chain);
    }
  }
  if (alone && has_one_order(plan)) plan->in_line = true;
  if (!plan->in_line) find_whole_results(plan);
}
