/* Failures of this rank, kept until the ranks agree. */
#include "scheduler/failure.h"

void tsr__note_failure(tsr_scheduler *s, tsr_status status, const char *text)
{
  if (s->failure < 0) return;
  s->failure = status;
  s->failed_plan = s->n_plans;
  tsr__text_add(&s->failure_text, "%s", text);
}

/* Adds the ops that the device was to run. It does not tell which of them failed, as it runs them
 * later. */
static void add_running(tsr_scheduler *s)
{
  const tsr_location *first = s->running.first, *last = s->running.last;
  s->running.first = s->running.last = NULL;
  if (first == NULL) return;
  tsr__text_add(&s->failure_text, "\nit ran `%s` of %s:%d", first->op, first->file, first->line);
  if (last != first)
    tsr__text_add(&s->failure_text, " to `%s` of %s:%d", last->op, last->file, last->line);
}

bool tsr__note_lost_device(tsr_scheduler *s)
{
  const bool is_first = s->failure == TSR_OK;
  const tsr_world *w = s->world;
  for (int i = 0; i < w->n_places && !s->has_lost_devices; i++) {
    const tsr_device *d = w->places[i].device;
    if (!tsr__device_is_lost(d)) continue;
    tsr__note_failure(s, TSR_ERR_DEVICE, d->message);
    if (is_first) add_running(s);
    return true;
  }
  return false;
}

void tsr__note_wrong(tsr_scheduler *s, const char *wrong)
{
  if (wrong == NULL || s->failure < 0) return;
  tsr__note_failure(s, TSR_ERR_ARGUMENT, wrong);
  s->failed_plan = UINT64_MAX;
}

void tsr__note_no_memory(tsr_scheduler *s, const tsr_region *region, const char *what, size_t bytes)
{
  tsr_text text = {0};
  char shape[200];
  tsr__text_add(&text, "no memory for %s: %s of %s %s", what, tsr__bytes_text(bytes).s,
                tsr__shape_text(region->ndim, region->shape, shape, sizeof shape),
                tsr__dtype_info(region->dtype)->name);
  if (s->world->files != NULL)
    tsr__text_add(&text, "; nor has the TESSERA_SPILL_DIR %s room for them",
                  s->world->config.spill_dir);
  tsr__note_failure(s, TSR_ERR_MEMORY, text.s);
  tsr__text_free(&text);
}
