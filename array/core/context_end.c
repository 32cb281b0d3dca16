/* The end of a context, with what each room keeps in it. */
#include "array/core/array_int.h"

#include <stdlib.h>

tsr_status tsr__context_close(tsr_context *c)
{
  TSR_ASSERT(c->n_calls == 1);
  if (c->world.error.status == TSR_OK && !tsr__has_diverged(c->scheduler))
    tsr__settle(c, tsr__agree(c->scheduler, NULL));
  tsr_status status = c->world.error.status;
  tsr__handles_free(c);
  tsr__window_free(&c->window);
  tsr__scheduler_destroy(c->scheduler);
  tsr__slices_destroy(c->slices);
  tsr__scripts_destroy(c->scripts);
  tsr__functions_destroy(c->functions);
  tsr__series_destroy(c->series);
  tsr__sites_destroy(c->sites);
  tsr__error_clear(&c->spare);
  free(c->error_text);
  tsr_machine *machine = c->owns_machine ? c->world.machine : NULL;
  tsr__world_close(&c->world);
  tsr__machine_destroy(machine);
  free(c);
  return status;
}
