/* Groups, versions and messages of a plan, against the program that it is for (verify.h). */
#include "scheduler/plan/elide.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"
#include "scheduler/plan/verify_int.h"

#include <stdlib.h>

/** How often an op is in a group, by tsr_role. */
typedef struct grouped_op {
  int32_t n[3];
} grouped_op;

static const tsr_view *domain_of(const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_REDUCE ? &op->in[0].view->view : &op->out_view->view;
}

static bool has_domain(const tsr_group *g, const tsr_view *domain)
{
  bool same = g->ndim == domain->ndim;
  for (int k = 0; same && k < g->ndim; k++) same = g->shape[k] == domain->shape[k];
  return same;
}

/* Has the op that makes the region been grouped, if it stands before op `index`? */
static bool is_made(const tsr_plan *plan, const tsr_program *p, const int32_t *maker,
                    int32_t region, int32_t index, const grouped_op *grouped)
{
  const int32_t m = maker[region];
  if (m < 0 || m >= index || p->ops[m].action != TSR_ACT_RUN ||
      tsr__recomputed_by(plan, region) >= 0 || tsr__is_elided(plan, &p->ops[m]))
    return true;
  return grouped[m].n[TSR_ROLE_WHOLE] + grouped[m].n[TSR_ROLE_FROM_TEMP] > 0;
}

/* The ops that write memory which exists keep their order among all others of the group. */
static void verify_group(const tsr_plan *plan, const tsr_program *p, const int32_t *maker,
                         int32_t group, grouped_op *grouped, tsr_text *defect)
{
  const tsr_group *g = &plan->groups[group];
  int32_t last = -1, last_write = -1;
  if (g->n_ops == 0) TSR_DEFECT(defect, "group %d has no op", group);
  for (int32_t i = 0; i < g->n_ops; i++) {
    const tsr_gop *gop = &g->ops[i];
    if (gop->op < 0 || gop->op >= p->n_ops) {
      TSR_DEFECT(defect, "group %d has op %d, of %d", group, gop->op, p->n_ops);
      continue;
    }
    const tsr_program_op *op = &p->ops[gop->op];
    if (gop->op <= (op->creates ? last_write : last))
      TSR_DEFECT(defect, "op %d comes after op %d in group %d", gop->op, last, group);
    if (gop->op > last) last = gop->op;
    if (!op->creates) last_write = last;
    for (int k = 0; k < op->n_in; k++)
      if (op->in[k].region >= 0 && !is_made(plan, p, maker, op->in[k].region, gop->op, grouped))
        TSR_DEFECT(defect, "op %d reads r%d before op %d makes it", gop->op, op->in[k].region,
                   maker[op->in[k].region]);
    if (!has_domain(g, domain_of(&p->ops[gop->op])))
      TSR_DEFECT(defect, "op %d is in group %d, which has another domain", gop->op, group);
    grouped[gop->op].n[gop->role]++;
  }
}

char *tsr__verify_groups(const tsr_plan *plan, const tsr_program *p)
{
  tsr_text defect = {0};
  grouped_op *grouped = tsr__calloc((size_t)p->n_ops + 1, sizeof *grouped);
  int32_t *maker = tsr__malloc(((size_t)p->n_regions + 1) * sizeof *maker);
  for (int32_t r = 0; r < p->n_regions; r++) maker[r] = -1;
  for (int32_t i = 0; i < p->n_ops; i++)
    if (p->ops[i].creates) maker[p->ops[i].out] = i;
  for (int32_t i = 0; i < plan->n_groups; i++) verify_group(plan, p, maker, i, grouped, &defect);
  free(maker);
  for (int32_t i = 0; i < p->n_ops; i++) {
    const bool runs = p->ops[i].action == TSR_ACT_RUN;
    const bool is_again = runs && tsr__recomputed_by(plan, p->ops[i].out) >= 0;
    const bool is_elided = runs && tsr__is_elided(plan, &p->ops[i]);
    const int32_t *n = grouped[i].n, whole = n[TSR_ROLE_WHOLE], halves = n[TSR_ROLE_TO_TEMP];
    const bool is_grouped = halves == n[TSR_ROLE_FROM_TEMP] &&
                            whole + halves == (runs && !is_again && !is_elided ? 1 : 0);
    if (!is_grouped)
      TSR_DEFECT(&defect, "op %d, which %s, is %d times in groups whole, %d and %d times in halves",
                 i,
                 is_again    ? "its readers compute"
                 : is_elided ? "is elided"
                 : runs      ? "runs"
                             : "does not run",
                 whole, halves, n[TSR_ROLE_FROM_TEMP]);
  }
  free(grouped);
  return defect.s;
}

static void verify_version(const tsr_plan *plan, int32_t slot, int32_t region, int32_t group,
                           tsr_text *defect)
{
  if (slot < 0 || slot >= plan->n_slots) {
    TSR_DEFECT(defect, "group %d touches r%d in slot %d, of %d", group, region, slot,
               plan->n_slots);
    return;
  }
  const tsr_plan_slot *s = &plan->slots[slot];
  if (s->region != region)
    TSR_DEFECT(defect, "group %d touches r%d in slot %d, which is of r%d", group, region, slot,
               s->region);
  if (group < s->first_group || group > s->last_group)
    TSR_DEFECT(defect, "group %d touches slot %d, which lives from group %d to %d", group, slot,
               s->first_group, s->last_group);
}

char *tsr__verify_slots(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_groups; i++) {
    const tsr_group *g = &plan->groups[i];
    for (int32_t j = 0; j < g->accesses.n; j++) {
      const tsr_access *a = &g->accesses.v[j];
      if (a->scratch) continue;
      verify_version(plan, a->slot, a->region, i, &defect);
      if (defect.s == NULL && plan->slots[a->slot].version != a->version)
        TSR_DEFECT(&defect,
                   "access %d of group %d is of version %d of r%d, its slot %d of version %d", j, i,
                   a->version, a->region, a->slot, plan->slots[a->slot].version);
    }
  }
  for (int32_t i = 0; i < plan->n_reductions; i++)
    verify_version(plan, plan->reductions[i].slot, plan->reductions[i].region,
                   plan->reductions[i].group, &defect);
  for (int32_t i = 0; i < plan->n_copies; i++) {
    const tsr_plan_copy *c = &plan->copies[i];
    verify_version(plan, c->from, plan->slots[c->to].region, c->group, &defect);
    verify_version(plan, c->to, plan->slots[c->to].region, c->group, &defect);
  }
  return defect.s;
}

char *tsr__verify_transfers(const tsr_plan *plan)
{
  tsr_text defect = {0};
  for (int32_t i = 0; i < plan->n_messages; i++) {
    const tsr_message *m = &plan->messages[i];
    size_t bytes = 0;
    if (m->peer < 0 || m->peer >= plan->n_places || m->peer == plan->place)
      TSR_DEFECT(&defect, "message %d is of place %d, to or from place %d", i, plan->place,
                 m->peer);
    for (int32_t j = 0; j < m->n_pieces; j++) {
      const tsr_plan_slot *s = &plan->slots[m->pieces[j].slot];
      const tsr_plan_region *r = &plan->regions[s->region];
      const tsr_box *held = s->gathered ? &s->shape.alloc : m->send ? &r->tile : &r->alloc;
      if (!tsr__box_contains(held, &m->pieces[j].box))
        TSR_DEFECT(&defect, "message %d %s points of slot %d that this place does not hold", i,
                   m->send ? "sends" : "receives", m->pieces[j].slot);
      if (s->first_group > m->group || s->last_group < m->group)
        TSR_DEFECT(&defect, "message %d of group %d %s slot %d, which lives from group %d to %d", i,
                   m->group, m->send ? "reads" : "writes", m->pieces[j].slot, s->first_group,
                   s->last_group);
      bytes += (size_t)tsr__box_volume(&m->pieces[j].box) * tsr__dtype_size((tsr_dtype)r->dtype);
    }
    if (bytes != m->bytes || bytes == 0)
      TSR_DEFECT(&defect, "message %d has %zu bytes, its pieces %zu", i, m->bytes, bytes);
  }
  return defect.s;
}

static bool same_message(const tsr_message *a, const tsr_message *b)
{
  if (a->group != b->group || a->tag != b->tag || a->bytes != b->bytes ||
      a->n_pieces != b->n_pieces)
    return false;
  for (int32_t i = 0; i < a->n_pieces; i++)
    if (!tsr__box_equal(&a->pieces[i].box, &b->pieces[i].box)) return false;
  return true;
}

/* Matches every message that `from` sends to `to`'s place, or receives from it, with those of `to`.
 */
static void match(const tsr_plan *from, const tsr_plan *to, tsr_text *defect)
{
  for (int32_t i = 0; i < from->n_messages; i++) {
    const tsr_message *m = &from->messages[i];
    if (m->peer != to->place) continue;
    bool found = false;
    for (int32_t j = 0; j < to->n_messages && !found; j++) {
      const tsr_message *o = &to->messages[j];
      found = o->peer == from->place && o->send != m->send && same_message(m, o);
    }
    if (!found)
      TSR_DEFECT(
          defect,
          "place %d %s place %d in group %d, tag %u, %zu bytes, of which that place knows nothing",
          from->place, m->send ? "sends to" : "waits for", to->place, m->group, (unsigned)m->tag,
          m->bytes);
  }
}

/* The bytes of the partials that `from` sends to place `to` by its account, and that `to` waits for
 * from there by its own; 0: none. */
static size_t bytes_up(const tsr_plan_reduction *from, int to)
{
  return from->up == to ? from->up_bytes : 0;
}

static size_t bytes_awaited(const tsr_plan_reduction *to, int from)
{
  for (int32_t i = 0; i < to->n_sources; i++)
    if (to->sources[i] == from) return to->source_bytes[i];
  return 0;
}

/* Matches the partials that go from one place to the other. */
static void match_partials(const tsr_plan *from, const tsr_plan *to, tsr_text *defect)
{
  if (from->n_reductions != to->n_reductions)
    TSR_DEFECT(defect, "place %d has %d reductions, place %d %d", from->place, from->n_reductions,
               to->place, to->n_reductions);
  for (int32_t i = 0; i < from->n_reductions && i < to->n_reductions; i++) {
    const tsr_plan_reduction *r = &from->reductions[i], *o = &to->reductions[i];
    const size_t sent = bytes_up(r, to->place), awaited = bytes_awaited(o, from->place);
    if (sent != awaited || (sent > 0 && r->tag_up != o->tag_up))
      TSR_DEFECT(defect,
                 "of reduction %d place %d sends %zu bytes to place %d, which waits for %zu", i,
                 from->place, sent, to->place, awaited);
  }
}

char *tsr__verify_messages(const tsr_plan *a, const tsr_plan *b)
{
  tsr_text defect = {0};
  match(a, b, &defect);
  match(b, a, &defect);
  match_partials(a, b, &defect);
  match_partials(b, a, &defect);
  return defect.s;
}
