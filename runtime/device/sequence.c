/* Sequences of launches (sequence.h). A part is what was held between two other calls; the i-th
 * part of a run is compared with the i-th of the run before. Parts that differ are put launch by
 * launch, and stay for the next comparison. Everything here is one thread's at a time. */
#include "runtime/device/sequence.h"
#include "runtime/base/alloc.h"
#include "runtime/base/error.h"

#include <stdlib.h>
#include <string.h>

/* A launch of more than LARGE blocks runs longer than a launch takes, so the device does not wait
 * for more. */
enum { MOST = 1024, LARGE = 1024 };

typedef struct part {
  tsr_code_launch *launches; /* [n]; `words` is set when the part is put */
  int64_t *words;            /* [n_words] of all launches, in order */
  int32_t n, capacity, n_words, words_capacity;
  void *graph;     /* of the device; NULL: none yet */
  bool is_refused; /* the device makes no graph of it */
} part;

struct tsr_sequence {
  part now; /* what is held */
  part **parts;
  int n, capacity;
  int at;           /* the part that is next */
  uint64_t n_graph; /* launches that graphs have made */
};

void tsr__sequence_begin(tsr_device *d, tsr_sequence **sequence)
{
  TSR_ASSERT(d->sequence == NULL);
  if (d->ops->graph_make == NULL) return;
  if (*sequence == NULL) *sequence = tsr__calloc(1, sizeof **sequence);
  d->sequence = *sequence;
  d->sequence->at = 0;
  d->sequence->n_graph = 0;
}

uint64_t tsr__sequence_end(tsr_device *d)
{
  tsr_sequence *s = d->sequence;
  if (s == NULL) return 0;
  tsr__sequence_put(d);
  d->sequence = NULL;
  return s->n_graph;
}

static void add_launch(part *p, const tsr_code_launch *launch)
{
  const int32_t n = launch->n_words;
  p->launches = tsr__grow(p->launches, &p->capacity, p->n + 1, sizeof *p->launches);
  p->words = tsr__grow(p->words, &p->words_capacity, p->n_words + n, sizeof *p->words);
  memcpy(p->words + p->n_words, launch->words, (size_t)n * sizeof *p->words);
  p->launches[p->n++] = *launch;
  p->n_words += n;
}

bool tsr__sequence_hold(tsr_device *d, const tsr_code_launch *launch)
{
  if (d->sequence == NULL) return false;
  if ((uint64_t)launch->grid[0] * launch->grid[1] > LARGE) {
    tsr__sequence_put(d);
    return false;
  }
  if (d->sequence->now.n == MOST) tsr__sequence_put(d);
  add_launch(&d->sequence->now, launch);
  return true;
}

/* The part that was put at this turn of the last run, or an empty one. */
static part *next_part(tsr_sequence *s)
{
  if (s->at == s->n) {
    s->parts = tsr__grow(s->parts, &s->capacity, s->n + 1, sizeof *s->parts);
    s->parts[s->n++] = tsr__calloc(1, sizeof **s->parts);
  }
  return s->parts[s->at++];
}

static bool has_the_same_code(const part *a, const part *b)
{
  if (a->n != b->n) return false;
  for (int i = 0; i < a->n; i++)
    if (a->launches[i].code != b->launches[i].code ||
        a->launches[i].threads != b->launches[i].threads ||
        a->launches[i].shared_bytes != b->launches[i].shared_bytes ||
        a->launches[i].n_words != b->launches[i].n_words)
      return false;
  return true;
}

static bool is_the_same(const tsr_code_launch *a, const tsr_code_launch *b)
{
  return a->grid[0] == b->grid[0] && a->grid[1] == b->grid[1] &&
         memcmp(a->words, b->words, (size_t)a->n_words * sizeof *a->words) == 0;
}

static void drop_graph(tsr_device *d, part *p)
{
  if (p->graph != NULL) d->ops->graph_free(d, p->graph);
  p->graph = NULL;
}

/* Makes a part's graph, or changes it to what is held. Returns whether there is one now. */
static bool update_graph(tsr_device *d, part *known, const part *now)
{
  if (known->graph == NULL) {
    known->graph = d->ops->graph_make(d, now->launches, now->n);
  } else {
    for (int i = 0; i < now->n && known->graph != NULL; i++)
      if (!is_the_same(&known->launches[i], &now->launches[i]) &&
          !d->ops->graph_set(d, known->graph, i, &now->launches[i]))
        drop_graph(d, known);
  }
  known->is_refused = known->graph == NULL;
  return !known->is_refused;
}

void tsr__sequence_put(tsr_device *d)
{
  tsr_sequence *s = d->sequence;
  if (s == NULL || s->now.n == 0) return;
  part *now = &s->now, *known = next_part(s);
  const int64_t *words = now->words;
  for (int i = 0; i < now->n; words += now->launches[i++].n_words) now->launches[i].words = words;
  const bool comes_again = now->n >= TSR_SEQUENCE_LEAST && has_the_same_code(known, now);
  if (!comes_again) {
    drop_graph(d, known);
    known->is_refused = false;
  }
  if (comes_again && !known->is_refused && update_graph(d, known, now)) {
    d->ops->graph_put(d, known->graph);
    s->n_graph += (uint64_t)now->n;
  } else {
    for (int i = 0; i < now->n; i++) d->ops->launch_code(d, &now->launches[i]);
  }
  const part put = *now;
  *now = *known;
  *known = put;
  known->graph = now->graph;
  known->is_refused = now->is_refused;
  now->graph = NULL;
  now->is_refused = false;
  now->n = 0;
  now->n_words = 0;
}

static void free_part(part *p)
{
  free(p->launches);
  free(p->words);
}

void tsr__sequence_free(tsr_device *d, tsr_sequence *sequence)
{
  if (sequence == NULL) return;
  TSR_ASSERT(d->sequence != sequence && sequence->now.n == 0);
  for (int i = 0; i < sequence->n; i++) {
    drop_graph(d, sequence->parts[i]);
    free_part(sequence->parts[i]);
    free(sequence->parts[i]);
  }
  free_part(&sequence->now);
  free(sequence->parts);
  free(sequence);
}
