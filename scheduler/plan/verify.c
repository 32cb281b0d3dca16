/* The values of a plan, followed point by point (verify.h).
 *
 * A tag names a value: the event that made it (a store of a group, a reduction, or the region's
 * state before the plan) and the point of the region that it belongs to. `meant` has, per region
 * and version, the tag that each point has for the program: every store of every place, in the
 * order of groups; a renamed version begins as the one before it. `held` has, per buffer and byte,
 * the tag of the element that lies there on this place. */
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/text.h"
#include "scheduler/plan/verify_int.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_POINTS = 1 << 20, /* points of all regions and domains of a plan that is followed */
  MOST_BYTES = 1 << 20,  /* bytes of all its buffers */
  POINT_BITS = 24,
  OTHER_EVENTS = 1 << 20, /* the first event number beyond those of stores */
  STORES = 1 << 10        /* most accesses of a group */
};

typedef uint64_t tag;
#define NOTHING ((tag)0)

typedef struct meaning {
  int32_t region, version;
  tag *v; /* by point, row-major */
  struct meaning *next;
} meaning;

typedef struct verifying {
  const tsr_plan *plan;
  const tsr_program *program;
  meaning *meanings;
  tag **held;    /* [n_buffers] */
  size_t *bytes; /* [n_buffers] */
  tsr_text defect;
} verifying;

static int64_t n_points(int ndim, const int64_t *shape)
{
  int64_t n = 1;
  for (int k = 0; k < ndim; k++) {
    if (shape[k] > MOST_POINTS) return MOST_POINTS + 1;
    n *= shape[k];
    if (n > MOST_POINTS) return MOST_POINTS + 1;
  }
  return n;
}

static size_t buffer_bytes(const tsr_plan *plan, int32_t buffer)
{
  size_t bytes = plan->buffers[buffer].bytes;
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].buffer == buffer && plan->slots[i].existing &&
        plan->slots[i].shape.bytes > bytes)
      bytes = plan->slots[i].shape.bytes;
  return bytes;
}

bool tsr__verify_fits(const tsr_plan *plan, int64_t most_points)
{
  int64_t points = 0;
  size_t bytes = 0;
  for (int32_t i = 0; i < plan->n_regions && points <= most_points; i++)
    points += n_points(plan->regions[i].ndim, plan->regions[i].shape);
  for (int32_t i = 0; i < plan->n_groups && points <= most_points; i++) {
    const tsr_group *g = &plan->groups[i];
    if (g->accesses.n >= STORES) return false;
    points += n_points(g->ndim, g->shape) * (1 + g->accesses.n / 8);
  }
  for (int32_t i = 0; i < plan->n_buffers && bytes <= MOST_BYTES; i++)
    bytes += buffer_bytes(plan, i);
  return points <= most_points && bytes <= MOST_BYTES;
}

/* Keeps the first defect. */
static void fail(verifying *x, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void fail(verifying *x, const char *fmt, ...)
{
  if (x->defect.s != NULL) return;
  va_list args;
  va_start(args, fmt);
  tsr__text_vadd(&x->defect, fmt, args);
  va_end(args);
}

static const char *point_text(int ndim, const int64_t *at, char buf[200])
{
  return tsr__shape_text(ndim, at, buf, 200);
}

static tag tag_of(int64_t event, int64_t point)
{
  return (tag)(event + 1) << POINT_BITS | (tag)point;
}

static bool is_inside(const tsr_plan_region *r, const int64_t *point)
{
  for (int k = 0; k < r->ndim; k++)
    if (point[k] < 0 || point[k] >= r->shape[k]) return false;
  return true;
}

/* What an index reaches of the region, besides its own point. */
static tsr_box reached(const tsr_view *v, const tsr_plan_region *r, const int64_t *point)
{
  tsr_box box = {.ndim = r->ndim};
  for (int k = 0; k < r->ndim; k++) {
    int64_t lo = point[k], end = point[k] + 1;
    if (v->reaches) {
      lo = lo - v->before[k] > v->first[k] ? lo - v->before[k] : v->first[k];
      end = end + v->after[k] < v->end[k] ? end + v->after[k] : v->end[k];
    }
    box.lo[k] = lo;
    box.n[k] = end > lo ? end - lo : 0;
    box.step[k] = 1;
  }
  return box;
}

/* The tags that the program means by a version of a region, made when it is first asked for. */
static tag *meant(verifying *x, int32_t region, int32_t version)
{
  for (meaning *m = x->meanings; m != NULL; m = m->next)
    if (m->region == region && m->version == version) return m->v;
  const tsr_plan_region *r = &x->plan->regions[region];
  const int64_t n = n_points(r->ndim, r->shape);
  tag *before = version > 0 ? meant(x, region, version - 1) : NULL;
  meaning *m = tsr__calloc(1, sizeof *m);
  *m = (meaning){region, version, tsr__calloc((size_t)n + 1, sizeof(tag)), x->meanings};
  x->meanings = m;
  if (before != NULL) memcpy(m->v, before, (size_t)n * sizeof(tag));
  for (int64_t i = 0; before == NULL && r->exists && i < n; i++)
    m->v[i] = tag_of(OTHER_EVENTS + region, i);
  return m->v;
}

/* The tags of a point in a slot's buffer. NULL, and the defect is noted, if the buffer has no such
 * point. */
static tag *tags_of(verifying *x, int32_t slot, const int64_t *point, const char *who)
{
  const tsr_plan_slot *s = &x->plan->slots[slot];
  const tsr_plan_region *r = &x->plan->regions[s->region];
  char text[200];
  int64_t at = s->shape.lead_bytes;
  for (int k = 0; k < r->ndim; k++) {
    const int64_t i = point[k] - s->shape.alloc.lo[k];
    if (i < 0 || i >= s->shape.alloc.n[k]) {
      fail(x, "%s touches point %s of r%d, which is outside slot %d", who,
           point_text(r->ndim, point, text), s->region, slot);
      return NULL;
    }
    at += i * s->shape.stride_bytes[k];
  }
  const size_t elem = tsr__dtype_size((tsr_dtype)r->dtype);
  if (s->buffer < 0 || at < 0 || (size_t)at + elem > x->bytes[s->buffer]) {
    fail(x, "%s touches point %s of r%d in slot %d, at byte %" PRId64 " of a buffer of %zu", who,
         point_text(r->ndim, point, text), s->region, slot, at,
         s->buffer < 0 ? 0 : x->bytes[s->buffer]);
    return NULL;
  }
  return x->held[s->buffer] + at;
}

static tag read_at(verifying *x, int32_t slot, const int64_t *point, const char *who)
{
  const size_t elem = tsr__slot_elem_bytes(x->plan, slot);
  const tag *t = tags_of(x, slot, point, who);
  for (size_t i = 1; t != NULL && i < elem; i++)
    if (t[i] != t[0]) return NOTHING;
  return t != NULL ? t[0] : NOTHING;
}

static void write_at(verifying *x, int32_t slot, const int64_t *point, tag value, const char *who)
{
  const size_t elem = tsr__slot_elem_bytes(x->plan, slot);
  tag *t = tags_of(x, slot, point, who);
  for (size_t i = 0; t != NULL && i < elem; i++) t[i] = value;
}

static void expect(verifying *x, int32_t slot, int32_t region, int32_t version,
                   const int64_t *point, const char *who)
{
  const tsr_plan_region *r = &x->plan->regions[region];
  const tag wanted = meant(x, region, version)[tsr__point_number(r, point)];
  const tag got = read_at(x, slot, point, who);
  char text[200];
  if (x->defect.s != NULL || (got == wanted && got != NOTHING)) return;
  fail(x, "%s reads point %s of r%d version %d in slot %d: %s", who,
       point_text(r->ndim, point, text), region, version, slot,
       wanted == NOTHING ? "nobody has made it"
       : got == NOTHING  ? "it is not there"
                         : "another value is there");
}

/* The version that a slot stands for: a gathered copy for that of the access it was made for. */
static int32_t version_of(const tsr_plan *plan, int32_t slot)
{
  const tsr_plan_slot *s = &plan->slots[slot];
  if (!s->gathered) return s->version;
  for (int32_t i = s->first_group; i <= s->last_group && i < plan->n_groups; i++) {
    const tsr_accesses *all = &plan->groups[i].accesses;
    for (int32_t a = 0; a < all->n; a++)
      if (all->v[a].gather == slot) return all->v[a].version;
  }
  return 0;
}

static void follow_copy(verifying *x, const tsr_plan_copy *c)
{
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, &c->box); at != NULL;
       at = tsr__box_next(&points))
    write_at(x, c->to, at, read_at(x, c->from, at, "a copy"), "a copy");
}

/* Checks that what is sent is what the program means, and notes that what is received is. */
static void follow_message(verifying *x, const tsr_message *m)
{
  tsr_box_walk points;
  for (int32_t i = 0; i < m->n_pieces; i++) {
    const tsr_piece *p = &m->pieces[i];
    const int32_t region = x->plan->slots[p->slot].region, version = version_of(x->plan, p->slot);
    for (const int64_t *at = tsr__box_first(&points, &p->box); at != NULL;
         at = tsr__box_next(&points)) {
      if (m->send)
        expect(x, p->slot, region, version, at, "a message");
      else
        write_at(x, p->slot, at,
                 meant(x, region, version)[tsr__point_number(&x->plan->regions[region], at)],
                 "a message");
    }
  }
}

static void follow_load(verifying *x, const tsr_access *a, const tsr_box *block)
{
  const tsr_plan_region *r = &x->plan->regions[a->region];
  const tsr_view *v = &a->view->view;
  const int32_t slot = tsr__access_slot(a, 0);
  const tsr_box bounds = tsr__view_bounds(v);
  tsr_box_walk points, nears;
  int64_t point[TSR_MAX_NDIM];
  tsr_box within, image;
  if (!tsr__box_intersect(block, &bounds, &within)) return;
  if (tsr__view_image(v, &within, &image) || v->reaches) { /* each point once */
    for (const int64_t *near = tsr__box_first(&nears, &image); near != NULL && x->defect.s == NULL;
         near = tsr__box_next(&nears))
      expect(x, slot, a->region, a->version, near, "a load");
    return;
  }
  for (const int64_t *at = tsr__box_first(&points, &within); at != NULL && x->defect.s == NULL;
       at = tsr__box_next(&points)) {
    tsr__view_follow(v, at, point);
    const tsr_box box = reached(v, r, point);
    for (const int64_t *near = tsr__box_first(&nears, &box); near != NULL;
         near = tsr__box_next(&nears))
      expect(x, slot, a->region, a->version, near, "a load");
  }
}

static int64_t event_of(int32_t group, int32_t access)
{
  return (int64_t)group * STORES + access;
}

/* Follows a store by every place in `meant`: behind the last block, since blocks of a group
 * that writes a version in place load their own points of it. */
static void mean_store(verifying *x, int32_t index, int32_t access)
{
  const tsr_group *g = &x->plan->groups[index];
  const tsr_access *a = &g->accesses.v[access];
  const tsr_plan_region *r = &x->plan->regions[a->region];
  tag *means = meant(x, a->region, a->version);
  const tsr_box all = tsr__box_of_shape(g->ndim, g->shape);
  tsr_box_walk points;
  int64_t point[TSR_MAX_NDIM];
  for (const int64_t *at = tsr__box_first(&points, &all); at != NULL; at = tsr__box_next(&points)) {
    tsr__view_follow(&a->view->view, at, point);
    means[tsr__point_number(r, point)] =
        tag_of(event_of(index, access), tsr__point_number(r, point));
  }
}

/* Follows a store by this place in `held`. */
static void follow_store(verifying *x, int32_t index, int32_t access, int32_t block)
{
  const tsr_group *g = &x->plan->groups[index];
  const tsr_access *a = &g->accesses.v[access];
  const tsr_plan_region *r = &x->plan->regions[a->region];
  tsr_box_walk points;
  int64_t point[TSR_MAX_NDIM];
  tsr_box part;
  tsr__block_box(g, block, &part);
  for (const int64_t *at = tsr__box_first(&points, &part); at != NULL;
       at = tsr__box_next(&points)) {
    tsr__view_follow(&a->view->view, at, point);
    write_at(x, tsr__access_slot(a, block), point,
             tag_of(event_of(index, access), tsr__point_number(r, point)), "a store");
  }
}

static void follow_reduction(verifying *x, const tsr_plan_reduction *reduction, int32_t number)
{
  const tsr_plan_region *r = &x->plan->regions[reduction->region];
  const int64_t event = 2 * OTHER_EVENTS + number;
  tag *means = meant(x, reduction->region, x->plan->slots[reduction->slot].version);
  tsr_box_walk points;
  for (int64_t i = 0; i < n_points(r->ndim, r->shape); i++) means[i] = tag_of(event, i);
  for (const int64_t *at = tsr__box_first(&points, &r->tile); at != NULL;
       at = tsr__box_next(&points))
    write_at(x, reduction->slot, at, tag_of(event, tsr__point_number(r, at)), "a reduction");
}

static void follow_copies(verifying *x, int32_t group, int32_t block, bool is_wide)
{
  for (int32_t i = 0; i < x->plan->n_copies; i++) {
    const tsr_plan_copy *c = &x->plan->copies[i];
    if (c->group == group && c->block == block && c->is_wide == is_wide) follow_copy(x, c);
  }
}

static void follow_block(verifying *x, int32_t index, int32_t block)
{
  const tsr_group *g = &x->plan->groups[index];
  tsr_box part;
  tsr__block_box(g, block, &part);
  if (g->is_halo && !tsr__layout_tile(g->cut, x->plan->place, &part)) return;
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (!g->accesses.v[i].store) follow_load(x, &g->accesses.v[i], &part);
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.v[i].store && !g->accesses.v[i].scratch) follow_store(x, index, i, block);
}

static void follow_group(verifying *x, int32_t index)
{
  const tsr_plan *plan = x->plan;
  const tsr_group *g = &plan->groups[index];
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (!g->accesses.v[i].scratch) meant(x, g->accesses.v[i].region, g->accesses.v[i].version);
  for (int32_t block = 0; block < tsr__n_blocks(g); block++) {
    follow_copies(x, index, block, false);
    for (int32_t i = 0; block == 0 && i < plan->n_messages; i++)
      if (plan->messages[i].group == index) follow_message(x, &plan->messages[i]);
    follow_copies(x, index, block, true);
    follow_block(x, index, block);
  }
  if (g->blocks.n > 0) follow_copies(x, index, g->blocks.n, false);
  for (int32_t i = 0; i < g->accesses.n; i++)
    if (g->accesses.v[i].store && !g->accesses.v[i].scratch) mean_store(x, index, i);
  for (int32_t i = 0; i < g->accesses.n_reductions; i++)
    follow_reduction(x, &plan->reductions[g->accesses.first_reduction + i],
                     g->accesses.first_reduction + i);
}

static void begin_box(verifying *x, int32_t slot, const tsr_box *box)
{
  const tsr_plan_slot *s = &x->plan->slots[slot];
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, box); at != NULL; at = tsr__box_next(&points))
    write_at(x, slot, at,
             tag_of(OTHER_EVENTS + s->region, tsr__point_number(&x->plan->regions[s->region], at)),
             "what exists");
}

static void expect_box(verifying *x, int32_t slot, const tsr_box *box, const char *who)
{
  const tsr_plan_slot *s = &x->plan->slots[slot];
  tsr_box_walk points;
  for (const int64_t *at = tsr__box_first(&points, box); at != NULL && x->defect.s == NULL;
       at = tsr__box_next(&points))
    expect(x, slot, s->region, s->version, at, who);
}

/* Begins with the existing memory: this place holds its tile and the ghosts that the region's
 * storage calls valid. */
static void begin_values(verifying *x)
{
  const tsr_plan *plan = x->plan;
  const int64_t halo_max = plan->scheduler->world->config.halo_max;
  tsr_boxes valid = {0};
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    if (!s->existing) continue;
    const tsr_plan_region *r = &plan->regions[s->region];
    begin_box(x, i, &r->tile);
    tsr__ghosts_valid(&x->program->regions[s->region].stored.ghosts, r->layout, plan->place,
                      halo_max, &valid);
    for (int32_t b = 0; b < valid.n; b++) begin_box(x, i, &valid.v[b]);
  }
  tsr__boxes_free(&valid);
}

static void end_values(verifying *x)
{
  const tsr_plan *plan = x->plan;
  const int64_t halo_max = plan->scheduler->world->config.halo_max;
  tsr_boxes valid = {0};
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *s = &plan->slots[i];
    if (!s->final) continue;
    const tsr_plan_region *r = &plan->regions[s->region];
    expect_box(x, i, &r->tile, "who comes next");
    tsr__ghosts_valid(&s->ghosts, r->layout, plan->place, halo_max, &valid);
    for (int32_t b = 0; b < valid.n; b++) expect_box(x, i, &valid.v[b], "who trusts the ghosts");
  }
  tsr__boxes_free(&valid);
}

char *tsr__verify_values(const tsr_plan *plan, const tsr_program *program)
{
  const size_t n = (size_t)plan->n_buffers + 1;
  verifying x = {.plan = plan,
                 .program = program,
                 .held = tsr__calloc(n, sizeof *x.held),
                 .bytes = tsr__calloc(n, sizeof *x.bytes)};
  for (int32_t i = 0; i < plan->n_buffers; i++) {
    x.bytes[i] = buffer_bytes(plan, i);
    x.held[i] = tsr__calloc(x.bytes[i] + 1, sizeof(tag));
  }
  begin_values(&x);
  for (int32_t i = 0; i < plan->n_groups && x.defect.s == NULL; i++) {
    follow_group(&x, i);
    if (x.defect.s != NULL) tsr__text_add(&x.defect, ", in group %d", i);
  }
  end_values(&x);
  for (int32_t i = 0; i < plan->n_buffers; i++) free(x.held[i]);
  for (meaning *m = x.meanings, *next; m != NULL; m = next) {
    next = m->next;
    free(m->v);
    free(m);
  }
  free(x.held);
  free(x.bytes);
  return x.defect.s;
}

/* Is each index of the domain that of exactly one of the accesses that take turns as one of the
 * kernel, `first` and those behind it? */
static void check_turns(verifying *x, int32_t group, int32_t first)
{
  const tsr_group *g = &x->plan->groups[group];
  const tsr_access *a = &g->accesses.v[first];
  int64_t n = 0;
  for (int32_t i = 0; first + i < g->accesses.n && a[i].number == a->number; i++) {
    const tsr_box box = tsr__view_bounds(&a[i].view->view);
    n += tsr__box_volume(&box);
    for (int32_t j = 0; j < i; j++) {
      const tsr_box other = tsr__view_bounds(&a[j].view->view);
      if (tsr__box_intersects(&box, &other))
        fail(x, "accesses %d and %d of group %d are active in one point", first + j, first + i,
             group);
    }
  }
  if (n != n_points(g->ndim, g->shape))
    fail(x,
         "access %d of group %d and those that take turns with it are active in %" PRId64 " points",
         first, group, n);
}

char *tsr__verify_accesses(const tsr_plan *plan)
{
  verifying x = {.plan = plan};
  char text[200];
  tsr_box_walk points;
  int64_t point[TSR_MAX_NDIM];
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t j = 0; j < g->accesses.n; j++) {
      const tsr_access *a = &g->accesses.v[j];
      if (a->scratch) continue;
      if (j == 0 || a[-1].number != a->number) check_turns(&x, i, j);
      const tsr_box bounds = tsr__view_bounds(&a->view->view);
      const tsr_plan_region *r = &plan->regions[a->region];
      if (a->version < 0 || a->version > r->n_renames)
        fail(&x, "access %d of group %d is of version %d of r%d, which has %d", j, i, a->version,
             a->region, r->n_renames + 1);
      for (const int64_t *at = tsr__box_first(&points, &bounds); at != NULL;
           at = tsr__box_next(&points)) {
        tsr__view_follow(&a->view->view, at, point);
        if (is_inside(r, point)) continue;
        fail(&x, "access %d of group %d leads to %s, outside r%d", j, i,
             point_text(r->ndim, point, text), a->region);
        break;
      }
    }
  }
  return x.defect.s;
}

void tsr__verify_or_die(const tsr_plan *plan, const char *after, char *defect)
{
  if (defect == NULL) return;
  tsr__fatal("a plan is wrong after %s: %s; the plan:\n%s", after, defect, tsr__plan_text(plan));
}
