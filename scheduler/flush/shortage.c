/* Too little memory: which op is given up for it, and the texts that say so. */
#include "scheduler/flush/shortage.h"
#include "scheduler/failure.h"
#include "scheduler/memory/holders.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/elide.h"
#include "scheduler/plan/gathers.h"
#include "scheduler/plan/group.h"
#include "scheduler/plan/slots.h"

#include <stdio.h>

static bool reads_region(const tsr_op *op, int32_t region)
{
  for (int j = 0; j < op->n_in; j++)
    if (op->in[j].region != NULL && op->in[j].region->local == region) return true;
  return false;
}

/* The op of a group that writes a region, or reads it; the last one, where none does. */
static int32_t user_of(const tsr_plan *plan, const tsr_window *w, const tsr_actions *a,
                       const tsr_group *group, int32_t region, bool writes)
{
  for (int32_t k = 0; k < group->n_ops; k++) {
    const tsr_gop *o = &group->ops[k];
    if (writes ? tsr__written_into(plan, a->v[o->op].out) == region || o->temp == region
               : reads_region(w->ops[o->op], region))
      return o->op;
  }
  return group->ops[group->n_ops - 1].op;
}

tsr_given_up tsr__largest_user(const tsr_plan *plan, const tsr_window *w, const tsr_actions *a)
{
  tsr_given_up found = {.op = plan->groups[0].ops[0].op};
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (plan->buffers[slot->buffer].region >= 0 || slot->agreed_bytes <= found.bytes) continue;
    found =
        (tsr_given_up){user_of(plan, w, a, &plan->groups[slot->first_group], slot->region, true),
                       slot->agreed_bytes};
  }
  for (int32_t i = 0; i < plan->n_gathers; i++) {
    const tsr_gather *gather = &plan->gathers[i];
    if (gather->bytes <= found.bytes) continue;
    found = (tsr_given_up){
        user_of(plan, w, a, &plan->groups[gather->last_group], gather->region, false),
        gather->bytes};
  }
  return found;
}

/* The bytes that the plan needs on this place: of new buffers, and of memory that regions have and
 * that must grow. */
static size_t needed_bytes(const tsr_plan *plan, const tsr_names *names)
{
  size_t bytes = plan->agreed_new_bytes;
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (!slot->existing) continue;
    const tsr_storage *storage = names->regions[slot->region]->storage;
    if (!tsr__box_equal(&storage->instance[plan->here].alloc, &slot->shape.alloc))
      bytes += slot->shape.bytes;
  }
  return bytes;
}

/* Says why the devices' memory is of no use. */
static bool refused_text(const tsr_scheduler *s, const tsr_plan *plan, char *buf, size_t size)
{
  const size_t bytes = tsr__refused_bytes(plan);
  if (bytes == 0) return false;
  snprintf(buf, size,
           "%s of it must be the host's, whose limit is %s (TESSERA_MEMORY): `%s` does "
           "not run all of it",
           tsr__bytes_text(bytes).s, tsr__bytes_text(tsr__memory_limit(s->world->staging)).s,
           s->world->config.device);
  return true;
}

tsr_status tsr__say_no_memory(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                              tsr_given_up lost, size_t limit)
{
  const tsr_op *op = s->window->ops[lost.op];
  const bool is_value = op->out->storage == NULL; /* else a change of what is there */
  const tsr_location *where = is_value && op->out->made != NULL ? op->out->made : op->where;
  char shape[200], most[80] = "which no memory has";
  const char *files = s->world->files != NULL ? s->world->config.spill_dir : NULL;
  tsr_error *e = &s->world->error;
  if (e->status < 0) {
    if (e->status == TSR_ERR_MEMORY && where != NULL)
      tsr__error_note(e, "lost, too: %s%s %s, of %s:%d by %s", is_value ? "" : "a change of ",
                      tsr__shape_text(op->out->ndim, op->out->shape, shape, sizeof shape),
                      tsr__dtype_info(op->out->dtype)->name, where->file, where->line, where->op);
    return TSR_ERR_MEMORY;
  }
  const size_t needed = needed_bytes(plan, names), bytes = lost.bytes > 0 ? lost.bytes : needed;
  if (limit > 0) snprintf(most, sizeof most, "the limit is %s", tsr__bytes_text(limit).s);
  tsr__error_begin(e, TSR_ERR_MEMORY, where, "out of memory: `%s` needs %s more per %s, %s",
                   where != NULL ? where->op : "?", tsr__bytes_text(bytes).s,
                   s->world->n_places > 1 ? "place" : "rank", most);
  tsr__error_note(e, "%s are in use, what was recorded needs %s more in all",
                  tsr__bytes_text(s->agreed_in_use).s, tsr__bytes_text(needed).s);
  char refused[160];
  if (limit == 0 && refused_text(s, plan, refused, sizeof refused))
    tsr__error_note(e, "%s", refused);
  if (files != NULL) tsr__error_note(e, "nor has the TESSERA_SPILL_DIR %s room for it", files);
  tsr__say_who_holds(s, plan, names, (limit > 0 ? limit : s->agreed_in_use) / 16);
  tsr__error_rule(
      e, is_value ? "only what it would have made, and what is computed from that, is lost"
                  : "the array keeps its values; only what is computed from the change is lost");
  tsr__error_help(e, "release arrays, run on more ranks, raise TESSERA_MEMORY%s, or %s",
                  tsr__world_is_host(s->world) ? "" : " or TESSERA_DEVICE_MEMORY",
                  files != NULL ? "make room in that directory"
                                : "let files have the rest: TESSERA_SPILL_DIR");
  return TSR_ERR_MEMORY;
}

void tsr__note_no_space(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                        tsr_status status)
{
  tsr_text text = {0};
  tsr__text_add(&text, "the memory limit or the system refuses the buffers of this plan, %s",
                tsr__bytes_text(needed_bytes(plan, names)).s);
  char refused[160];
  if (refused_text(s, plan, refused, sizeof refused)) tsr__text_add(&text, "; %s", refused);
  if (s->world->files != NULL)
    tsr__text_add(&text, "; nor has the TESSERA_SPILL_DIR %s room for them",
                  s->world->config.spill_dir);
  tsr__note_failure(s, status, text.s);
  tsr__text_free(&text);
}
