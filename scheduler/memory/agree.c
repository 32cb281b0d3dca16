/* Agreement between ranks at blocking reads: one small message up and down a tree says whether all
 * ranks made the same calls, and whether one of them failed. Whether they made the same calls is
 * also asked before a read runs what it needs, since ranks that diverged would wait for messages
 * that nobody sends. If they diverged, the recent hashes are compared to name, per rank, the first
 * call that differs. An agreement also tells which arrays all ranks have let go (releases.h). */
#include "scheduler/failure.h"
#include "scheduler/memory/releases.h"
#include "scheduler/memory/storage.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct agreement {
  uint64_t seq, hash;
  uint64_t since; /* the number of the first plan that failed on a rank, or UINT64_MAX */
  int32_t status; /* of the rank that failed: the lowest that failed by itself, else the lowest */
  int32_t rank;   /* that rank, or INT32_MAX */
  int32_t differs;
  int32_t second_hand; /* the rank only heard of another rank's failure */
  int32_t lost_device; /* a device of the rank failed */
  int32_t interrupts;  /* the rank asks all to be interrupted */
  uint64_t releases;   /* hash of the arrays that the rank has let go (releases.h) */
  int32_t releases_differ, releases_changed;
} agreement;

static void fold_agreements(void *into, const void *from, void *user)
{
  (void)user;
  agreement *a = into;
  const agreement *b = from;
  if (b->since < a->since) a->since = b->since;
  if (a->seq != b->seq || a->hash != b->hash || b->differs) a->differs = 1;
  a->lost_device |= b->lost_device;
  a->interrupts |= b->interrupts;
  a->releases_changed |= b->releases_changed;
  if (a->releases != b->releases || b->releases_differ) a->releases_differ = 1;
  if (b->rank == INT32_MAX) return;
  bool better = a->rank == INT32_MAX || b->second_hand < a->second_hand ||
                (b->second_hand == a->second_hand && b->rank < a->rank);
  if (!better) return;
  a->rank = b->rank;
  a->status = b->status;
  a->second_hand = b->second_hand;
}

/* Bytes of a call's text, and the number of texts that differ after which no more ranks are listed.
 */
enum { CALL_TEXT = 600, MOST_TEXTS = 8 };

/* Adds the values that the call got, since the ranks' calls may read alike otherwise. */
static void add_values(const tsr_window *w, uint64_t seq, char *text)
{
  const size_t n = strlen(text);
  tsr_text values = {0};
  tsr__call_values(w, seq, &values);
  if (values.n > 0) snprintf(text + n, CALL_TEXT - n, ": %s", values.s);
  tsr__text_free(&values);
}

static void call_text(const tsr_window *w, uint64_t seq, char *text)
{
  if (seq >= w->world->seq) {
    snprintf(text, CALL_TEXT, "no further call");
    return;
  }
  const tsr_location *l = w->ring_where[seq % TSR_GUARD_RING];
  if (l == NULL)
    snprintf(text, CALL_TEXT, "a call of the library");
  else if (l->file == NULL)
    snprintf(text, CALL_TEXT, "%s()", l->op);
  else
    snprintf(text, CALL_TEXT, "%s(%s) at %s:%d in %s()", l->op, l->args, l->file, l->line,
             l->function);
  add_values(w, seq, text);
}

/* The oldest call among those remembered whose hash is not the same on all ranks. */
static uint64_t first_difference(const tsr_scheduler *s, const uint64_t *rings,
                                 const uint64_t *counts)
{
  int size = s->world->size;
  uint64_t shortest = counts[0], longest = counts[0];
  for (int r = 1; r < size; r++) {
    if (counts[r] < shortest) shortest = counts[r];
    if (counts[r] > longest) longest = counts[r];
  }
  uint64_t from = longest > TSR_GUARD_RING ? longest - TSR_GUARD_RING : 0;
  for (uint64_t q = from; q < shortest; q++)
    for (int r = 1; r < size; r++)
      if (rings[(uint64_t)r * TSR_GUARD_RING + q % TSR_GUARD_RING] != rings[q % TSR_GUARD_RING])
        return q;
  return shortest;
}

/* Each text with the lowest rank that has it. */
static void note_texts(tsr_error *e, const char *texts, size_t size)
{
  int n_said = 0;
  for (size_t r = 0; r < size; r++) {
    bool said = false;
    for (size_t q = 0; q < r && !said; q++)
      said = strcmp(texts + q * CALL_TEXT, texts + r * CALL_TEXT) == 0;
    if (said) continue;
    if (n_said++ == MOST_TEXTS) {
      tsr__error_note(e, "and others, from rank %zu on", r);
      return;
    }
    tsr__error_note(e, "rank %zu: %s", r, texts + r * CALL_TEXT);
  }
}

/* Are the values of two calls alike but for one number? Then it begins at `*at` in both texts. */
static bool differs_by_number(const char *a, const char *b, size_t *at)
{
  static const char digits[] = "+-.0123456789einfa";
  const char *values = strstr(a, "(): ");
  size_t n = 0;
  while (a[n] != '\0' && a[n] == b[n]) n++;
  while (n > 0 && strchr(digits, a[n - 1]) != NULL) n--;
  if (values == NULL || a + n < values + 4 || isalpha((unsigned char)a[n - 1])) return false;
  char *end_a, *end_b;
  strtod(a + n, &end_a);
  strtod(b + n, &end_b);
  *at = n;
  return end_a > a + n && end_b > b + n && strcmp(end_a, end_b) == 0;
}

/* Names the number that differs, where all that differs between the ranks' calls is one. */
static void help_number(tsr_error *e, const char *texts, size_t size)
{
  size_t at = 0, first = 0, other = 0;
  for (size_t r = 1; r < size; r++) {
    const char *text = texts + r * CALL_TEXT;
    if (strcmp(texts, text) == 0) continue;
    if (!differs_by_number(texts, text, &at) || (other > 0 && at != first)) return;
    if (other == 0) other = r, first = at;
  }
  const char *values = strstr(texts, "(): "), *text = texts + other * CALL_TEXT;
  if (other == 0 || values == NULL) return;
  values += 4;
  static const char ends[] = " ,:)]";
  tsr__error_help(e, "only a number differs, behind `%.*s`: %.*s on rank 0, %.*s on rank %zu",
                  (int)(texts + at - values), values, (int)strcspn(texts + at, ends), texts + at,
                  (int)strcspn(text + at, ends), text + at, other);
}

static tsr_status name_divergence(tsr_scheduler *s, const tsr_location *where)
{
  tsr_world *world = s->world;
  size_t size = (size_t)world->size;
  uint64_t *rings = tsr__malloc(size * sizeof s->window->ring_hash);
  uint64_t *counts = tsr__malloc(size * sizeof *counts);
  char *texts = tsr__malloc(size * CALL_TEXT), mine[CALL_TEXT] = {0};
  tsr_transport *t = world->transport;
  tsr_status status = tsr__allgather(t, s->window->ring_hash, sizeof s->window->ring_hash, rings);
  if (status == TSR_OK) status = tsr__allgather(t, &world->seq, sizeof world->seq, counts);
  if (status == TSR_OK) {
    call_text(s->window, first_difference(s, rings, counts), mine);
    status = tsr__allgather(t, mine, CALL_TEXT, texts);
  }
  if (status == TSR_OK && world->error.status == TSR_OK) {
    tsr_error *e = &world->error;
    tsr__error_begin(e, TSR_ERR_DIVERGED, where, "the ranks did not make the same calls");
    note_texts(e, texts, size);
    tsr__error_rule(e,
                    "every rank must run the same operations on the same arrays in the same order");
    help_number(e, texts, size);
    tsr__error_help(
        e, "do not branch on tsr_rank(), local time or rank-local data around array calls");
  }
  free(rings);
  free(counts);
  free(texts);
  s->diverged = true;
  return TSR_ERR_DIVERGED;
}

bool tsr__has_diverged(const tsr_scheduler *s)
{
  return s->diverged;
}

/* The first error said which calls differ. Whoever took that error is told that there is no way on.
 */
static tsr_status still_diverged(tsr_scheduler *s, const tsr_location *where)
{
  tsr_error *e = &s->world->error;
  if (e->status < 0) return TSR_ERR_DIVERGED;
  tsr__error_begin(e, TSR_ERR_DIVERGED, where, "the ranks have diverged before this call");
  tsr__error_help(e, "the first error names the calls that differ; end the program");
  return TSR_ERR_DIVERGED;
}

/* Begins the error of a device that was lost. Its text has lines of its own: the headline, one that
 * begins with "help: ", and notes. */
static void begin_lost_device(tsr_error *e, tsr_status status, const tsr_location *where, int rank,
                              char *text)
{
  static const char help[] = "help: ";
  char code[8], *next;
  size_t n = strcspn(text, "\n");
  tsr__error_begin(e, status, where, "rank %d failed with %s: %.*s", rank,
                   tsr__status_code(TSR_ERR_DEVICE, code), (int)n, text);
  for (char *line = text + n; *line != '\0'; line = next) {
    line++;
    n = strcspn(line, "\n");
    next = line + n;
    if (strncmp(line, help, strlen(help)) == 0)
      tsr__error_help(e, "%.*s", (int)(n - strlen(help)), line + strlen(help));
    else
      tsr__error_note(e, "%.*s", (int)n, line);
  }
  tsr__error_rule(e,
                  "arrays on devices are lost, and nothing runs any more; what is on the host can "
                  "be read");
}

static void begin_failure(tsr_error *e, tsr_status status, const tsr_location *where,
                          const agreement *a, const char *text)
{
  char code[8];
  tsr__error_begin(e, status, where, "rank %d failed with %s: %s", a->rank,
                   tsr__status_code(a->status, code), text);
  if (a->since != UINT64_MAX) tsr__error_rule(e, "what the failed plan made is lost on every rank");
  if (a->status == TSR_ERR_MEMORY)
    tsr__error_help(e, "release arrays, run on more ranks, raise TESSERA_MEMORY, or let files have "
                       "the rest: TESSERA_SPILL_DIR");
}

static tsr_status name_failure(tsr_scheduler *s, const tsr_location *where, const agreement *a)
{
  tsr_world *world = s->world;
  char text[1024] = {0};
  if (a->rank == world->rank)
    snprintf(text, sizeof text, "%s", s->failure_text.s ? s->failure_text.s : "");
  tsr__bcast(world->transport, a->rank, text, sizeof text);
  const tsr_status status = world->size > 1 ? TSR_ERR_PEER : a->status;
  if (world->error.status < 0) return world->error.status;
  if (a->status == TSR_ERR_DEVICE)
    begin_lost_device(&world->error, status, where, a->rank, text);
  else
    begin_failure(&world->error, status, where, a, text);
  return world->error.status;
}

tsr_status tsr__guard(tsr_scheduler *s, const tsr_location *where)
{
  tsr_world *world = s->world;
  if (s->diverged) return still_diverged(s, where);
  if (world->size == 1 || !world->config.guard) return TSR_OK;
  agreement a = {.seq = world->seq, .hash = world->hash, .since = UINT64_MAX, .rank = INT32_MAX};
  TSR_TRY(tsr__allreduce(world->transport, &a, sizeof a, fold_agreements, NULL));
  return a.differs ? name_divergence(s, where) : TSR_OK;
}

/* Poisons what plans from number `since` on wrote, and forgets the ghosts that they fetched: on
 * every rank, whichever of them failed. */
static void lose_since(tsr_scheduler *s, uint64_t since)
{
  for (tsr_region *r = s->window->regions; r != NULL; r = r->next) {
    tsr_storage *storage = r->storage;
    if (storage == NULL) continue;
    if (storage->written >= since) {
      tsr__storage_lose(r);
      r->poisoned = s->any_poisoned = true;
    } else if (storage->touched >= since) {
      tsr__ghosts_clear(&storage->ghosts);
    }
  }
}

/* Has every place of this rank its part of the array in the host's memory? */
static bool is_on_host(const tsr_scheduler *s, const tsr_region *r)
{
  for (int i = 0; i < s->world->n_places; i++)
    if (r->storage->instance[i].data != NULL && r->storage->instance[i].space == TSR_SPACE_PLACE)
      return false;
  return true;
}

static void keep_least(void *into, const void *from, void *user)
{
  const size_t n = *(const size_t *)user;
  unsigned char *a = into;
  const unsigned char *b = from;
  for (size_t i = 0; i < n; i++)
    if (b[i] < a[i]) a[i] = b[i];
}

/* Poisons the arrays of which a part is on a device of some rank. The ranks tell each
 * other which ones: the arrays follow each other in the same order everywhere. */
static tsr_status lose_devices(tsr_scheduler *s)
{
  tsr_world *world = s->world;
  size_t n = 0, at = 0;
  s->has_lost_devices = true;
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next) n += r->storage != NULL;
  unsigned char *stays = tsr__calloc(n + 1, 1);
  for (const tsr_region *r = s->window->regions; r != NULL; r = r->next)
    if (r->storage != NULL) stays[at++] = is_on_host(s, r);
  tsr_status status = TSR_OK;
  if (world->size > 1)
    status = tsr__allreduce(world->transport, stays, n + 1, keep_least, &(size_t){n});
  at = 0;
  for (tsr_region *r = s->window->regions; r != NULL; r = r->next) {
    if (r->storage == NULL || (stays[at++] && status == TSR_OK)) continue;
    tsr__storage_lose(r);
    r->poisoned = s->any_poisoned = true;
  }
  free(stays);
  return status;
}

/* Waits for this rank's devices, so that it knows whether one of them failed. */
static void wait_for_devices(tsr_scheduler *s)
{
  for (int i = 0; i < s->world->n_places; i++) (void)tsr__device_settle(s->world->places[i].device);
}

tsr_status tsr__agree(tsr_scheduler *s, const tsr_location *where)
{
  tsr_world *world = s->world;
  if (s->diverged) return still_diverged(s, where);
  wait_for_devices(s);
  const bool has_lost_device = tsr__note_lost_device(s);
  s->running.first = s->running.last = NULL;
  agreement a = {.seq = world->seq,
                 .hash = world->hash,
                 .since = s->failure < 0 ? s->failed_plan : UINT64_MAX,
                 .status = s->failure,
                 .rank = s->failure < 0 ? world->rank : INT32_MAX};
  a.second_hand = s->failure == TSR_ERR_PEER;
  a.lost_device = has_lost_device;
  a.interrupts = __atomic_exchange_n(&world->wants_interrupt, false, __ATOMIC_RELAXED);
  bool changed;
  a.releases = tsr__releases_ask(s->releases, &changed);
  a.releases_changed = changed;
  if (world->size > 1)
    TSR_TRY(tsr__allreduce(world->transport, &a, sizeof a, fold_agreements, NULL));
  if (a.interrupts) world->is_interrupted = true;
  tsr_status status = TSR_OK;
  if (a.releases_changed && !(a.differs && world->config.guard))
    status = tsr__releases_agree(s->releases, world->transport, world->size, !a.releases_differ);
  if (a.differs && world->config.guard)
    status = name_divergence(s, where);
  else if (a.rank != INT32_MAX && status == TSR_OK)
    status = name_failure(s, where, &a);
  if (a.since != UINT64_MAX) lose_since(s, a.since);
  const tsr_status told = a.lost_device ? lose_devices(s) : TSR_OK;
  if (status == TSR_OK) status = told;
  s->failure = TSR_OK;
  tsr__text_free(&s->failure_text);
  return status;
}

void tsr__release_later(tsr_scheduler *s, uint64_t number)
{
  tsr__releases_add(s->releases, number);
}

bool tsr__take_release(tsr_scheduler *s, uint64_t *number)
{
  tsr_releases *r = s->releases;
  const bool has_one = r->n_taken < r->n_agreed;
  if (has_one) *number = r->agreed[r->n_taken++];
  return has_one;
}

tsr_status tsr__agree_on(tsr_scheduler *s, const tsr_location *where, const char *wrong)
{
  tsr__note_wrong(s, wrong);
  return tsr__agree(s, where);
}
