/* The life of a scheduler, and what it tells the window of stored regions. */
#include "scheduler/dump.h"
#include "scheduler/flush/memo.h"
#include "scheduler/memory/releases.h"
#include "scheduler/memory/residency.h"
#include "scheduler/plan/answers.h"
#include "scheduler/run/launch.h"
#include "scheduler/run/movers.h"
#include "scheduler/run/stream_stores.h"
#include "scheduler/run/streaming.h"

#include <stdlib.h>
#include <string.h>

static void release_storage(tsr_region *r)
{
  tsr__storage_release(r->storage);
  r->storage = NULL;
}

static void describe_storage(const tsr_region *r, tsr_arena *arena, tsr_stored *out)
{
  const tsr_storage *storage = r->storage;
  const int n_places = storage->scheduler->world->n_places;
  if (out->extents == NULL)
    out->extents = tsr__arena_alloc(arena, (size_t)n_places * sizeof *out->extents);
  for (int i = 0; i < n_places; i++)
    out->extents[i] = (tsr_extent){storage->instance[i].alloc, storage->instance[i].aligned};
  out->layout = storage->layout;
  tsr__ghosts_copy(&out->ghosts, &storage->ghosts);
}

tsr_scheduler *tsr__scheduler_create(tsr_window *window)
{
  tsr_scheduler *s = tsr__calloc(1, sizeof *s);
  s->window = window;
  s->world = window->world;
  s->layouts = tsr__layouts_create(tsr__world_n_places(s->world), s->world->n_places);
  s->most_layouts = TSR_MOST_LAYOUTS;
  s->jit = tsr__jit_of(s->world->machine);
  size_t n = (size_t)tsr__n_lanes(s);
  s->launcher = tsr__launcher_create(s->world, (int)n);
  tsr__movers_create(s);
  s->releases = tsr__releases_create();
  s->scratch = tsr__calloc(n, sizeof *s->scratch);
  s->scratch_bytes = tsr__calloc(n, sizeof *s->scratch_bytes);
  s->recent = tsr__calloc(n, sizeof *s->recent);
  s->stream_stores = tsr__calloc(2, sizeof *s->stream_stores);
  s->partials_memory = tsr__memory_create(0);
  s->answers = tsr__calloc(TSR_N_ANSWERS, sizeof *s->answers);
  window->release_storage = release_storage;
  window->describe_storage = describe_storage;
  return s;
}

void tsr__scheduler_destroy(tsr_scheduler *s)
{
  if (s == NULL) return;
  for (int i = 0; i < tsr__n_lanes(s); i++) {
    free(s->scratch[i]);
    free(s->recent[i]);
  }
  free(s->scratch);
  free(s->recent);
  free(s->stream_stores);
  free(s->answers);
  free(s->scratch_bytes);
  for (int i = 0; i < s->world->n_places; i++) tsr__streaming_destroy(s, i);
  tsr__movers_destroy(s);
  tsr__launcher_destroy(s->launcher);
  tsr__residency_destroy(s);
  tsr__storage_free_lost(s, NULL);
  tsr__storages_free(s);
  tsr__layouts_destroy(s->layouts);
  tsr__memo_dump(s);
  tsr__memo_destroy(s);
  tsr__memory_destroy(s->partials_memory); /* after the plans, which have partials */
  tsr__arena_destroy(&s->arena);
  tsr__blocks_free(&s->blocks);
  tsr__text_free(&s->failure_text);
  tsr__releases_destroy(s->releases);
  tsr__text_free(&s->task_text);
  free(s);
}

const tsr_counters *tsr__scheduler_counters(const tsr_scheduler *s)
{
  return &s->counters;
}

uint32_t tsr__scheduler_layouts(const tsr_scheduler *s)
{
  return tsr__layouts_held(s->layouts);
}

uint64_t tsr__scheduler_lookups(const tsr_scheduler *s)
{
  return s->counters.n_lookups + tsr__layouts_lookups(s->layouts);
}
