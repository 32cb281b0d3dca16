/* Memoised plans: a loop body is analysed once and replayed.
 *
 * Plans are found by the key of their window (key.h) and by whether second buffers fit into memory.
 * Everything else that plans depend on is agreed at init. A hit is a full comparison. The cache is
 * bounded; the entry unused for longest goes first.
 *
 * Loops flush the same windows in the same order, so the entry that came after the last one is
 * compared with the window before any key is written; and a loop mostly sees its regions through
 * the very views that it had in the turn before, which then need not be compared.
 *
 * Where the extents of slices change from turn to turn, no window has the key of another one. So a
 * window without a plan takes that of one whose form is the same (form.h), and resizes it, instead
 * of making a plan that will not be seen again. Of plans that cannot be resized the last few of a
 * form stay. A window that comes back soon after its plan was resized or dropped gets a plan that
 * is its own for good. Hit or miss is each rank's own: no message and no layout depends on it. */
#include "scheduler/flush/memo.h"
#include "runtime/base/table.h"
#include "scheduler/dump.h"
#include "scheduler/flush/form.h"
#include "scheduler/flush/key.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/resize.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

enum {
  MAX_ENTRIES = 256,
  N_LIKE = 48, /* entries whose forms have the same words, at most */
  N_ONCE = 16, /* likewise, of those that cannot be resized and were not met again */
  /* A window whose plan was resized gets one of its own if it comes back within so many look-ups of
   * its last use. Such a plan saves a fifth of a resized one's time, and costs as much as a hundred
   * of these to make; that pays where a few windows take turns, not in a loop over the rows of a
   * matrix. */
  SOON = 16,
  /* windows whose plans cannot be resized, and were dropped, that are remembered: each of them gets
   * a plan that stays when it comes back, since another one would be made each time */
  N_DROPPED = MAX_ENTRIES
};

struct tsr_memo_entry {
  uint64_t hash;
  tsr_arena memory; /* owned: holds what follows, but the plan and `seen` */
  tsr_key key;
  tsr_actions actions;
  const tsr_layout **layouts; /* [n_layouts] of the regions that exist: the key has their numbers */
  int32_t n_layouts;
  bool fixed;          /* the plan holds boxes of regions, so other bases do not fit */
  tsr_program program; /* owned; without ops if the plan cannot be resized */
  tsr_plan *plan;      /* owned; NULL: nothing runs */
  uint64_t used;       /* number of the look-up that hit it last */
  /* [key.n_views + 1] owned, counted: the views of a window that hit it, or NULL */
  tsr_view_ref **seen;
  bool has_form;       /* it is in the table of forms: its window has one that was not given up */
  tsr_known_form form; /* of its window; only the hashes of it if the plan cannot be resized */
  bool is_again;       /* the window was met again; read of plans that cannot be resized */
  bool is_moving;      /* the plan was resized since: its key is another window's */
  int n_noted;         /* times that such views were noted since they were last met again */
  /* the entry that the next look-up found after this one, the last time; or NULL */
  tsr_memo_entry *then;
};

/** A window whose plan was resized for another one. */
typedef struct resized_window {
  uint64_t values_hash;
  uint64_t used; /* number of the look-up that found the plan for it last; 0: none is here */
} resized_window;

typedef struct tsr_memo {
  tsr_table entries;    /* of tsr_memo_entry, by the hash of the key */
  tsr_table forms;      /* those with forms, by the hash of the form */
  tsr_memo_entry *last; /* what the last look-up found or made */
  uint64_t n_lookups;
  tsr_key key; /* of the window being looked up; its bases are in the flush's arena */
  uint64_t hash;
  tsr_form form; /* of the same window */
  bool has_form; /* the form was written, and a plan that is made may serve it */
  resized_window resized[SOON];
  uint64_t dropped[N_DROPPED];   /* the values' hashes of windows whose plans were dropped */
  uint32_t n_resized, n_dropped; /* since the start */
} tsr_memo;

static int64_t wish_of(const tsr_names *names, const tsr_region *target, bool everything)
{
  const bool known = target != NULL && target->local >= 0 && target->local < names->n_regions &&
                     names->regions[target->local] == target;
  return (int64_t)everything << 32 | (known ? target->local + 1 : 0);
}

/* Is there as much memory as the plan was made for? Whether renames get second buffers, and whether
 * in-place blocking is enough, depends on how much memory was in use. */
static bool same_capacity(const tsr_scheduler *s, const tsr_plan *plan)
{
  return plan == NULL || tsr__is_capacity_same(s, &plan->capacity);
}

static bool same_bases(const tsr_memo *m, const tsr_memo_entry *e)
{
  return memcmp(e->key.bases, m->key.bases, (size_t)e->key.n_regions * sizeof *e->key.bases) == 0;
}

static bool fits_memory(const tsr_scheduler *s, const tsr_memo_entry *e)
{
  const tsr_memo *m = s->memo;
  return !e->is_moving && tsr__key_equal(&e->key, &m->key) && same_capacity(s, e->plan) &&
         (!e->fixed || same_bases(m, e));
}

/* How far this window's views lie from the entry's along each axis; NULL: nowhere. */
static const int64_t (*shifts(tsr_scheduler *s, const tsr_memo_entry *e))[TSR_MAX_NDIM]
{
  const tsr_memo *m = s->memo;
  const int32_t n = e->key.n_regions;
  if (same_bases(m, e)) return NULL;
  int64_t(*shift)[TSR_MAX_NDIM] = tsr__arena_calloc(&s->arena, (size_t)n, sizeof *shift);
  for (int32_t i = 0; i < n; i++)
    for (int k = 0; k < TSR_MAX_NDIM; k++) shift[i][k] = m->key.bases[i][k] - e->key.bases[i][k];
  return (const int64_t(*)[TSR_MAX_NDIM])shift;
}

static void add_counts(tsr_text *t, const tsr_scheduler *s)
{
  tsr__text_add(t, "%llu hits, %llu misses, %d plans kept\n",
                (unsigned long long)s->counters.n_plan_hits,
                (unsigned long long)s->counters.n_plan_misses, (int)s->memo->entries.n);
}

/* Says for the dump why the look-up missed: the same ops may have been planned in another state. */
static void explain_miss(tsr_scheduler *s, const tsr_memo *m)
{
  const char *why = "these operations are new";
  uint32_t at = 0;
  for (const tsr_memo_entry *e; (e = tsr__table_each(&m->entries, &at)) != NULL;)
    if (e->key.n_op_words == m->key.n_op_words &&
        memcmp(e->key.words, m->key.words, (size_t)m->key.n_op_words * sizeof *m->key.words) == 0)
      why = "the same operations on regions in another state (liveness, layout, halo, ghosts, "
            "or memory in use)";
  tsr_text t = {0};
  tsr__text_add(&t, "miss: %s; ", why);
  add_counts(&t, s);
  tsr__dump(s, 0, "0-memo", "txt", t.s);
}

void tsr__memo_dump(tsr_scheduler *s)
{
  if (s->world->config.dump[0] == '\0' || s->memo == NULL) return;
  tsr_text t = {0};
  tsr__text_add(&t, "in all: ");
  add_counts(&t, s);
  tsr__dump(s, 0, "memo", "txt", t.s);
}

/* The list's memory stays, so that replays allocate and free nothing. */
static void forget_seen(tsr_memo_entry *e)
{
  for (int32_t i = 0; e->seen != NULL && i < e->key.n_views; i++) {
    tsr__view_ref_drop(e->seen[i]);
    e->seen[i] = NULL;
  }
}

static void see(tsr_view_ref **seen, tsr_view_ref *ref)
{
  tsr__view_ref_take(ref);
  tsr__view_ref_drop(*seen);
  *seen = ref;
}

/* Notes the views of a window that hit the entry, where it was planned for. Views that are new each
 * time are noted a few times in vain, then no more. */
static void note_seen(tsr_memo_entry *e, const tsr_window *w)
{
  enum { MOST = 8 };
  if (e->n_noted >= MOST) {
    forget_seen(e);
    return;
  }
  e->n_noted++;
  if (e->seen == NULL) e->seen = tsr__calloc((size_t)e->key.n_views + 1, sizeof *e->seen);
  tsr_view_ref **next = e->seen;
  for (int32_t i = 0; i < w->n_ops; i++) {
    const tsr_op *op = w->ops[i];
    see(next++, op->out_view);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) see(next++, op->in[j].view);
  }
  TSR_ASSERT(next == e->seen + e->key.n_views);
}

static tsr_memo_entry *find_entry(const tsr_scheduler *s, tsr_memo_entry *likely)
{
  tsr_memo *m = s->memo;
  tsr_memo_entry *e = likely;
  if (e != NULL && fits_memory(s, e)) return e; /* a window that has moved */
  m->hash = tsr__key_hash(&m->key);
  uint32_t at = 0;
  while ((e = tsr__table_next(&m->entries, m->hash, &at)) != NULL && !fits_memory(s, e)) continue;
  return e;
}

/* The entry whose plan can be resized to the window, whose form was written; or NULL. */
static tsr_memo_entry *find_alike(const tsr_memo *m)
{
  uint32_t at = 0;
  tsr_memo_entry *e;
  while ((e = tsr__table_next(&m->forms, m->form.hash, &at)) != NULL)
    if (e->plan->sources != NULL && tsr__form_is(&e->form, &m->form)) break;
  return e;
}

/* Does the window come back whose plan was resized or dropped, so that it should have its own? */
static bool comes_back(const tsr_memo *m, uint64_t values_hash)
{
  for (int i = 0; i < SOON; i++) {
    const resized_window *w = &m->resized[i];
    if (w->used > 0 && w->values_hash == values_hash && m->n_lookups - w->used <= SOON) return true;
  }
  for (uint32_t i = 0; i < N_DROPPED && i < m->n_dropped; i++)
    if (m->dropped[i] == values_hash) return true;
  return false;
}

static void change_hash(tsr_memo *m, tsr_memo_entry *e, uint64_t hash)
{
  tsr__table_remove(&m->entries, e->hash, e);
  e->hash = hash;
  tsr__table_add(&m->entries, hash, e);
}

/* Makes an entry, program and plan, that of the window being looked up, whose form is the same. Its
 * key is left behind, as it is seldom of use, until a window comes that has the same values. */
static void resize(tsr_scheduler *s, tsr_memo_entry *e, const tsr_names *names, int64_t wish)
{
  tsr_memo *m = s->memo;
  forget_seen(e);
  if (m->form.values_hash == e->form.values_hash) {
    tsr__key_write(&m->key, s->window, names, wish, &s->arena);
    tsr__key_replace(&e->key, &m->key);
    change_hash(m, e, tsr__key_hash(&m->key));
    e->is_moving = false;
  } else {
    m->resized[m->n_resized++ % SOON] = (resized_window){e->form.values_hash, e->used};
    e->form.values_hash = m->form.values_hash;
    e->is_moving = true;
  }
  tsr__program_resize(s->window, names, &e->memory, &e->program);
  tsr__plan_resize(e->plan, &e->program);
  s->counters.n_plan_resizes++;
}

/* Finds a plan by the form of the window, and resizes it. NULL: there is none, or the window had a
 * plan not long ago and is to have its own. */
static tsr_memo_entry *find_by_form(tsr_scheduler *s, const tsr_names *names, int64_t wish,
                                    tsr_memo_entry *likely)
{
  tsr_memo *m = s->memo;
  tsr_memo_entry *e = NULL;
  if (likely != NULL && likely->is_moving &&
      tsr__form_matches(&likely->form, s->window, names, wish, &m->form))
    e = likely;
  else if (!tsr__form_write(&m->form, s->window, names, wish))
    return NULL;
  if (comes_back(m, m->form.values_hash)) return NULL;
  m->has_form = e == NULL;
  if (e == NULL) e = find_alike(m);
  if (e == NULL || !tsr__plan_can_resize(e->plan, s->window)) return NULL;
  resize(s, e, names, wish);
  return e;
}

static void note_found(tsr_memo *m, tsr_memo_entry *e)
{
  if (m->last != NULL) m->last->then = e;
  m->last = e;
  e->used = m->n_lookups;
}

static const tsr_actions *take_entry(tsr_memo *m, tsr_memo_entry *e, tsr_plan **plan)
{
  note_found(m, e);
  e->is_again = true;
  *plan = e->plan;
  return &e->actions;
}

/* The likely entry, if its key is the window's. Notes its views, for the next look-up. */
static tsr_memo_entry *find_likely(tsr_scheduler *s, const tsr_names *names, int64_t wish,
                                   tsr_memo_entry *likely)
{
  int32_t n_new;
  if (likely == NULL || likely->is_moving ||
      !tsr__key_matches(&likely->key, s->window, names, wish, likely->seen, &n_new) ||
      !same_capacity(s, likely->plan))
    return NULL;
  if (n_new == 0)
    likely->n_noted = 0;
  else
    note_seen(likely, s->window);
  return likely;
}

/* A plan that was resized last time is likely to be resized again, so its form comes first. */
const tsr_actions *tsr__memo_find(tsr_scheduler *s, const tsr_region *target, bool everything,
                                  tsr_names *names, tsr_plan **plan)
{
  if (s->memo == NULL) s->memo = tsr__calloc(1, sizeof *s->memo);
  tsr_memo *m = s->memo;
  m->n_lookups++;
  s->counters.n_plan_hits++;
  tsr_memo_entry *likely = m->last != NULL ? m->last->then : NULL;
  m->has_form = false;
  const bool is_moving = likely != NULL && likely->is_moving;
  const int64_t wish = wish_of(names, target, everything);
  tsr_memo_entry *e =
      is_moving ? find_by_form(s, names, wish, likely) : find_likely(s, names, wish, likely);
  if (e != NULL) return take_entry(m, e, plan);
  tsr__key_write(&m->key, s->window, names, wish, &s->arena);
  e = find_entry(s, likely);
  if (e != NULL) {
    names->shift = shifts(s, e);
    return take_entry(m, e, plan);
  }
  if (!is_moving) e = find_by_form(s, names, wish, likely);
  if (e != NULL) return take_entry(m, e, plan);
  s->counters.n_plan_hits--;
  s->counters.n_plan_misses++;
  if (s->world->config.dump[0] != '\0') explain_miss(s, m);
  return NULL;
}

static void entry_free(tsr_blocks *blocks, tsr_memo_entry *e)
{
  tsr__program_drop(&e->program);
  tsr__plan_destroy(e->plan);
  forget_seen(e);
  free(e->seen);
  tsr__blocks_end(blocks, &e->memory);
  free(e);
}

static void evict(tsr_scheduler *s, tsr_memo_entry *e)
{
  tsr_memo *m = s->memo;
  tsr__table_remove(&m->entries, e->hash, e);
  if (e->has_form) tsr__table_remove(&m->forms, e->form.hash, e);
  if (m->last == e) m->last = NULL;
  uint32_t at = 0;
  for (tsr_memo_entry *other; (other = tsr__table_each(&m->entries, &at)) != NULL;)
    if (other->then == e) other->then = NULL;
  entry_free(&s->blocks, e);
}

static void evict_oldest(tsr_scheduler *s)
{
  const tsr_memo *m = s->memo;
  tsr_memo_entry *oldest = NULL;
  uint32_t at = 0;
  for (tsr_memo_entry *e; (e = tsr__table_each(&m->entries, &at)) != NULL;)
    if (oldest == NULL || e->used < oldest->used) oldest = e;
  evict(s, oldest);
}

/* Does the plan hold boxes of regions (copies, pieces of messages, ghosts)? They are absolute. */
static bool holds_boxes(const tsr_scheduler *s, const tsr_plan *plan)
{
  if (plan == NULL) return false;
  if (holds_boxes(s, plan->beside)) return true;
  if (s->world->config.replan || plan->n_copies > 0 || plan->n_messages > 0) return true;
  if (plan->n_renamed > 0) return true; /* a new buffer becomes the region's as it stands */
  for (int32_t i = 0; i < plan->n_slots; i++)
    if (plan->slots[i].ghosts.n > 0) return true;
  return false;
}

/* Keeps the form of the newest entry's window, and, if its plan can be resized, the program, which
 * is taken. A nest of loops has many orders of the same values; the last of them stay, and do not
 * drive out plans of other loops. Plans that cannot be resized drive them out only if their windows
 * come back. */
static void keep_form(tsr_scheduler *s, tsr_memo_entry *e, tsr_program *p)
{
  tsr_memo *m = s->memo;
  int32_t n_like = 0;
  tsr__plan_may_resize(e->plan, p);
  const bool resizes = e->plan->sources != NULL;
  tsr_memo_entry *oldest = NULL;
  uint32_t at = 0;
  for (tsr_memo_entry *like; (like = tsr__table_next(&m->forms, m->form.hash, &at)) != NULL;) {
    if ((like->plan->sources != NULL) != resizes || (!resizes && like->is_again)) continue;
    n_like++;
    if (oldest == NULL || like->used < oldest->used) oldest = like;
  }
  if (n_like >= (resizes ? N_LIKE : N_ONCE)) {
    if (!resizes) m->dropped[m->n_dropped++ % N_DROPPED] = oldest->form.values_hash;
    evict(s, oldest);
  }
  e->has_form = true;
  e->form = (tsr_known_form){.hash = m->form.hash, .values_hash = m->form.values_hash};
  if (resizes) {
    e->form = tsr__form_keep(&m->form, &e->memory);
    tsr__program_move(p, &e->memory);
    e->program = *p;
    *p = (tsr_program){.n_ops = 0};
  }
  tsr__table_add(&m->forms, e->form.hash, e);
}

/* Notes the layouts of a program that does not stay: the key has their numbers, and a layout that is
 * swept and made again has another number, so that the window would never be found again. */
static void keep_layouts(tsr_memo_entry *e, const tsr_program *p)
{
  int32_t n = 0;
  for (int32_t i = 0; i < p->n_regions; i++) n += p->regions[i].exists;
  e->layouts = tsr__arena_alloc(&e->memory, (size_t)(n + 1) * sizeof *e->layouts);
  for (int32_t i = 0; i < p->n_regions; i++)
    if (p->regions[i].exists) e->layouts[e->n_layouts++] = p->regions[i].stored.layout;
}

const tsr_actions *tsr__memo_add(tsr_scheduler *s, tsr_program *p, tsr_plan *plan)
{
  tsr_memo *m = s->memo;
  if (m->entries.n == MAX_ENTRIES) evict_oldest(s);
  tsr_memo_entry *e = tsr__calloc(1, sizeof *e);
  tsr__blocks_begin(&s->blocks, &e->memory);
  e->hash = m->hash;
  e->key = tsr__key_copy(&m->key, &e->memory);
  e->actions = tsr__program_actions(p, &e->memory);
  e->plan = plan;
  e->fixed = holds_boxes(s, plan);
  note_found(m, e);
  tsr__table_add(&m->entries, m->hash, e);
  if (plan != NULL && m->has_form) keep_form(s, e, p);
  keep_layouts(e, p);
  tsr__program_drop(p);
  return &e->actions;
}

void tsr__memo_destroy(tsr_scheduler *s)
{
  tsr_memo *m = s->memo;
  if (m == NULL) return;
  uint32_t at = 0;
  for (tsr_memo_entry *e; (e = tsr__table_each(&m->entries, &at)) != NULL;)
    entry_free(&s->blocks, e);
  tsr__table_free(&m->entries);
  tsr__table_free(&m->forms);
  tsr__key_free(&m->key);
  tsr__form_free(&m->form);
  free(m);
}

void tsr__memo_keep_layouts(const tsr_memo *m, tsr_layouts *layouts)
{
  uint32_t at = 0;
  for (const tsr_memo_entry *e; m != NULL && (e = tsr__table_each(&m->entries, &at)) != NULL;) {
    for (int32_t i = 0; i < e->n_layouts; i++) tsr__layouts_keep(layouts, e->layouts[i]);
    tsr__program_keep_layouts(&e->program, layouts);
    tsr__plan_keep_layouts(e->plan);
  }
}
