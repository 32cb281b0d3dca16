/* Who holds memory, for the error that says there is none left: the large arrays one by one, and
 * the line of the program that made most of what is there or was to be. */
#include "scheduler/memory/holders.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

/* Arrays, or temporaries of a plan, that one call made; then all of a line. */
typedef struct holding {
  const tsr_location *made;
  size_t bytes;
  int64_t n;
} holding;

static int by_line(const void *a, const void *b)
{
  const tsr_location *x = ((const holding *)a)->made, *y = ((const holding *)b)->made;
  const int order = strcmp(x->file != NULL ? x->file : "?", y->file != NULL ? y->file : "?");
  return order != 0 ? order : (x->line > y->line) - (x->line < y->line);
}

/* Collects the holdings. The plan's slots of a region are versions of one array, which counts once,
 * as the largest. */
static int64_t collect(const tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                       holding *all)
{
  int64_t n = 0;
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next)
    if (r->storage != NULL && r->made != NULL)
      all[n++] = (holding){r->made, r->storage->agreed_bytes, 1};
  size_t *most = tsr__calloc((size_t)names->n_regions + 1, sizeof *most);
  for (int32_t i = 0; i < plan->n_slots; i++) {
    const tsr_plan_slot *slot = &plan->slots[i];
    if (slot->existing || slot->region >= names->n_regions) continue;
    if (slot->agreed_bytes > most[slot->region]) most[slot->region] = slot->agreed_bytes;
  }
  for (int32_t i = 0; i < names->n_regions; i++) {
    const tsr_region *r = names->regions[i];
    if (most[i] != 0 && r->storage == NULL && r->made != NULL)
      all[n++] = (holding){r->made, most[i], 1};
  }
  free(most);
  return n;
}

/* Adds up equal neighbours. Returns the line with the most bytes, or all[0]. */
static holding most_of(const holding *all, int64_t n)
{
  holding most = {.n = 0};
  for (int64_t i = 0; i < n;) {
    holding line = all[i];
    for (i++; i < n && by_line(&line, &all[i]) == 0; i++) {
      line.bytes += all[i].bytes;
      line.n++;
    }
    if (line.bytes > most.bytes) most = line;
  }
  return most;
}

static void say_which_line(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names)
{
  int64_t n = plan->n_slots;
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next) n++;
  holding *all = tsr__malloc((size_t)(n + 1) * sizeof *all);
  n = collect(s, plan, names, all);
  qsort(all, (size_t)n, sizeof *all, by_line);
  const holding most = most_of(all, n);
  free(all);
  if (most.n < 2) return; /* it is named as an array, or it is small */
  tsr__error_note(&s->world->error, "%s:%d made most of it: %lld arrays of %s in all",
                  most.made->file != NULL ? most.made->file : "?", most.made->line,
                  (long long)most.n, tsr__bytes_text(most.bytes).s);
}

void tsr__say_who_holds(tsr_scheduler *s, const tsr_plan *plan, const tsr_names *names,
                        size_t least)
{
  char shape[200];
  say_which_line(s, plan, names);
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next)
    if (r->storage != NULL && r->storage->agreed_bytes > least)
      tsr__error_note(&s->world->error, "%s held by %s %s, made at %s:%d by %s",
                      tsr__bytes_text(r->storage->agreed_bytes).s,
                      tsr__shape_text(r->ndim, r->shape, shape, sizeof shape),
                      tsr__dtype_info(r->dtype)->name, r->made != NULL ? r->made->file : "?",
                      r->made != NULL ? r->made->line : 0, r->made != NULL ? r->made->op : "?");
}
