/* Memoised plans: a loop body is analysed once and replayed.
 *
 * The key is the canonical window, written as 64-bit words: first the ops (kinds, dtypes, views,
 * regions numbered by first use, which operands are scalars; never their values, so a changing
 * coefficient hits), then what the passes read of each region (shape, liveness, layout, allocated
 * box, ghosts), and whether second buffers fit into memory. Everything else that plans depend on is
 * agreed at init. A hit is a full comparison of the words. The cache is bounded; the entry unused
 * for longest goes first. */
#include "scheduler/memo.h"
#include "scheduler/flush.h"
#include "scheduler/memory/storage.h"
#include "scheduler/plan/buffers.h"
#include "scheduler/plan/slots.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 256, N_HEADS = 512 };

/* A view of a window, in the order of the key, and how many words of the key it takes. */
typedef struct tsr_memo_seen {
  tsr_view_ref *view; /* counted */
  int32_t n_words;
} tsr_memo_seen;

struct tsr_memo_entry {
  uint64_t hash;
  tsr_arena memory; /* owned: holds what follows, where there is no plan in whose memory it is */
  /* [n_regions] where the views began in the window that was planned */
  int64_t (*bases)[TSR_MAX_NDIM];
  bool fixed; /* the plan holds boxes of regions, so other bases do not fit */
  int64_t *words;
  int32_t n_words, n_op_words;
  tsr_program program; /* owned */
  tsr_plan *plan;      /* owned; NULL: nothing runs */
  uint64_t used;       /* number of the look-up that hit it last */
  /* owned: the views of a window that hit it, up to one that is NULL; or NULL */
  tsr_memo_seen *seen;
  int n_noted;          /* times that such views were noted since they were last met again */
  tsr_memo_entry *next; /* the next entry with the same head */
  /* the entry that the next look-up found after this one, the last time; or NULL */
  tsr_memo_entry *then;
};

typedef struct tsr_memo {
  tsr_memo_entry *heads[N_HEADS];
  tsr_memo_entry *last; /* what the last look-up found or made */
  int32_t n_entries;
  uint64_t n_lookups;
  int64_t *words; /* of the window being looked up */
  int32_t n_words, n_op_words, capacity;
  uint64_t hash;
  int64_t (*bases)[TSR_MAX_NDIM]; /* [n_regions], in the flush's arena */
} tsr_memo;

static void reserve(tsr_memo *m, int32_t more)
{
  if (m->n_words + more <= m->capacity) return;
  m->capacity = 2 * (m->n_words + more);
  m->words = tsr__realloc(m->words, (size_t)m->capacity * sizeof *m->words);
}

static void put_view(tsr_memo *m, const tsr_view *v, const int64_t *base)
{
  enum { MOST = 1 + 6 * TSR_MAX_NDIM + TSR_MAX_NDIM * TSR_MAX_NDIM };
  reserve(m, MOST);
  int64_t *w = m->words + m->n_words;
  *w++ = v->ndim | v->rdim << 8 | v->reaches << 16;
  for (int j = 0; j < v->ndim; j++) *w++ = v->shape[j];
  for (int k = 0; k < v->rdim; k++) {
    *w++ = v->offset[k] - base[k];
    for (int j = 0; j < v->ndim; j++) *w++ = v->step[k][j];
    if (!v->reaches) continue;
    *w++ = v->before[k];
    *w++ = v->after[k];
    *w++ = v->first[k] - base[k];
    *w++ = v->end[k] - base[k];
  }
  m->n_words = (int32_t)(w - m->words);
}

static void put(tsr_memo *m, int64_t word)
{
  reserve(m, 1);
  m->words[m->n_words++] = word;
}

static void put_box(tsr_memo *m, const tsr_box *b)
{
  put(m, b->ndim);
  for (int k = 0; k < b->ndim; k++) {
    put(m, b->lo[k]);
    put(m, b->n[k]);
    put(m, b->step[k]);
  }
}

/* Offsets count from the region's first view in the window along every axis that is not cut, so
 * that a moving slice hits: all that planning asks of such offsets (what meets, what covers what)
 * does not change when they move together. */
static const int64_t *base_of(tsr_memo *m, const tsr_region *r, const tsr_view *v)
{
  int64_t *base = m->bases[r->local];
  if (base[0] != INT64_MIN) return base;
  const tsr_layout *layout = r->storage != NULL ? r->storage->layout : NULL;
  base[0] = 0; /* for a 0-d region, too */
  for (int k = 0; k < r->ndim; k++) {
    bool whole = layout != NULL && (layout->replicated || layout->n_tiles[k] == 1);
    base[k] = whole ? v->offset[k] : 0;
  }
  return base;
}

static int64_t head_of(const tsr_op *op)
{
  return op->kind | op->n_in << 8 | op->compute << 16 | op->result << 24 | (int64_t)op->code << 32 |
         (int64_t)op->keepdims << 48 | (int64_t)op->creates << 49 | (int64_t)op->ran << 50 |
         (int64_t)op->follows << 51 | (int64_t)op->side << 59;
}

static int64_t call_of(const tsr_op *op)
{
  return op->call->number | (int64_t)op->call->n_stored << 32;
}

static int64_t result_of(const tsr_op *op)
{
  return (int64_t)op->axes_mask << 32 | op->out->local;
}

static void put_op(tsr_memo *m, const tsr_op *op)
{
  put(m, head_of(op));
  if (op->call != NULL) put(m, call_of(op));
  put(m, result_of(op));
  put_view(m, &op->out_view->view, base_of(m, op->out, &op->out_view->view));
  for (int i = 0; i < op->n_in; i++) {
    if (op->in[i].region != NULL) {
      put(m, op->in[i].region->local);
      put_view(m, &op->in[i].view->view, base_of(m, op->in[i].region, &op->in[i].view->view));
    } else {
      put(m, -1 - (int64_t)op->in[i].scalar.dtype);
      /* the distance steers what is read */
      if (op->kind == TSR_OPKIND_ROLL) put(m, op->in[i].scalar.u.i);
    }
  }
}

static void put_ghosts(tsr_memo *m, const tsr_ghosts *g)
{
  static const int64_t none[TSR_MAX_NDIM];
  put(m, g->n);
  for (int32_t i = 0; i < g->n; i++) {
    const tsr_ghost_event *e = &g->v[i];
    put(m, e->fill | (e->fill && e->need.view != NULL) << 1 | (e->fill && e->need.partial) << 2);
    if (!e->fill) {
      put_box(m, &e->box);
      continue;
    }
    put(m, e->need.cut->id);
    if (e->need.view != NULL) put_view(m, &e->need.view->view, none);
    if (e->need.partial) put_box(m, &e->need.within);
    if (e->need.view == NULL)
      for (int k = 0; k < e->need.cut->ndim; k++) put(m, e->need.expand[k]);
  }
}

static int64_t state_of(const tsr_region *r)
{
  return r->dtype | r->ndim << 8 | (r->n_handles > 0) << 16 | (r->n_stored > 0) << 17 |
         r->was_assigned << 18 | r->replicate << 19 | r->poisoned << 20 |
         (r->storage != NULL) << 21;
}

static void put_region(tsr_memo *m, const tsr_region *r)
{
  put(m, state_of(r));
  for (int k = 0; k < r->ndim; k++) put(m, r->shape[k]);
  if (r->storage == NULL) return;
  put(m, r->storage->layout->id);
  for (int i = 0; i < r->storage->scheduler->world->n_places; i++) {
    put_box(m, &r->storage->instance[i].alloc);
    put(m, r->storage->instance[i].aligned);
  }
  put_ghosts(m, &r->storage->ghosts);
}

static int64_t wish_of(const tsr_names *names, const tsr_region *target, bool everything)
{
  const bool known = target != NULL && target->local >= 0 && target->local < names->n_regions &&
                     names->regions[target->local] == target;
  return (int64_t)everything << 32 | (known ? target->local + 1 : 0);
}

static void write_key(tsr_memo *m, const tsr_window *w, const tsr_names *names, int64_t wish,
                      tsr_arena *arena)
{
  m->n_words = 0;
  m->bases = tsr__arena_calloc(arena, (size_t)names->n_regions + 1, sizeof *m->bases);
  for (int32_t i = 0; i < names->n_regions; i++) m->bases[i][0] = INT64_MIN;
  put(m, wish);
  put(m, w->n_ops);
  for (int32_t i = 0; i < w->n_ops; i++) put_op(m, w->ops[i]);
  m->n_op_words = m->n_words;
  for (int32_t i = 0; i < names->n_regions; i++) put_region(m, names->regions[i]);
}

static void hash_key(tsr_memo *m)
{
  /* There are four independent chains, since the multiplication's latency is what hashing costs. */
  uint64_t h[4] = {1, 2, 3, 4};
  reserve(m, 3);
  memset(m->words + m->n_words, 0, 3 * sizeof *m->words);
  for (int32_t i = 0; i < m->n_words; i += 4)
    for (int j = 0; j < 4; j++)
      h[j] = (h[j] ^ (uint64_t)m->words[i + j]) * 0x9E3779B97F4A7C15u + (h[j] >> 31);
  m->hash = (h[0] ^ h[1] << 16 ^ h[2] << 32 ^ h[3] << 48) * 0xD6E8FEB86659FD93u;
  m->hash ^= m->hash >> 32;
}

/* Is there as much memory as the plan was made for? Whether renames get second buffers, and whether
 * in-place blocking is enough, depends on how much memory was in use. */
static bool same_room(const tsr_scheduler *s, const tsr_plan *plan)
{
  if (plan == NULL) return true;
  if (plan->wished_bytes > 0 && tsr__is_tight(s, plan->wished_bytes) != plan->tight) return false;
  return plan->left_bytes == 0 || tsr__is_tight(s, plan->left_bytes) == plan->left_tight;
}

static bool same_key(const tsr_scheduler *s, const tsr_memo_entry *e)
{
  const tsr_memo *m = s->memo;
  if (e->n_words != m->n_words ||
      memcmp(e->words, m->words, (size_t)m->n_words * sizeof *m->words) != 0 ||
      !same_room(s, e->plan))
    return false;
  return !e->fixed ||
         memcmp(e->bases, m->bases, (size_t)e->program.n_regions * sizeof *e->bases) == 0;
}

/* How far this window's views lie from the entry's along each axis; NULL: they do not fit. */
static const int64_t (*shifts(tsr_scheduler *s, const tsr_memo_entry *e))[TSR_MAX_NDIM]
{
  const tsr_memo *m = s->memo;
  int32_t n = e->program.n_regions;
  if (memcmp(e->bases, m->bases, (size_t)n * sizeof *e->bases) == 0) return NULL;
  int64_t(*shift)[TSR_MAX_NDIM] = tsr__arena_calloc(&s->arena, (size_t)n, sizeof *shift);
  for (int32_t i = 0; i < n; i++)
    for (int k = 0; k < TSR_MAX_NDIM; k++) shift[i][k] = m->bases[i][k] - e->bases[i][k];
  return (const int64_t(*)[TSR_MAX_NDIM])shift;
}

static void add_counts(tsr_text *t, const tsr_scheduler *s)
{
  tsr__text_add(t, "%llu hits, %llu misses, %d plans kept\n",
                (unsigned long long)s->counters.n_plan_hits,
                (unsigned long long)s->counters.n_plan_misses, s->memo->n_entries);
}

/* Says for the dump why the look-up missed: the same ops may have been planned in another state. */
static void explain_miss(tsr_scheduler *s, const tsr_memo *m)
{
  const char *why = "these operations are new";
  for (int32_t h = 0; h < N_HEADS; h++)
    for (const tsr_memo_entry *e = m->heads[h]; e != NULL; e = e->next)
      if (e->n_op_words == m->n_op_words &&
          memcmp(e->words, m->words, (size_t)m->n_op_words * sizeof *m->words) == 0)
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

/* The same views again: a loop mostly sees its regions through the very views that it had in the
 * turn before. If so, and if the entry was planned for where they begin, the window itself is
 * compared with the entry's words, and is not written as words first. */

static bool same_ops(const tsr_memo_entry *e, const tsr_window *w, const int64_t **words)
{
  const int64_t *at = *words;
  const tsr_memo_seen *seen = e->seen;
  for (int32_t i = 0; i < w->n_ops; i++) {
    const tsr_op *op = w->ops[i];
    if (*at++ != head_of(op)) return false;
    if (op->call != NULL && *at++ != call_of(op)) return false;
    if (*at++ != result_of(op) || seen->view != op->out_view) return false;
    at += seen++->n_words;
    for (const tsr_op_in *in = op->in, *end = in + op->n_in; in < end; in++) {
      if (in->region != NULL) {
        if (*at++ != in->region->local || seen->view != in->view) return false;
        at += seen++->n_words;
      } else {
        if (*at++ != -1 - (int64_t)in->scalar.dtype) return false;
        if (op->kind == TSR_OPKIND_ROLL && *at++ != in->scalar.u.i) return false;
      }
    }
  }
  *words = at;
  return true;
}

static bool same_box(const tsr_box *b, const int64_t **words)
{
  const int64_t *at = *words;
  if (*at++ != b->ndim) return false;
  int64_t differ = 0;
  for (int k = 0; k < b->ndim; k++, at += 3)
    differ |= (at[0] ^ b->lo[k]) | (at[1] ^ b->n[k]) | (at[2] ^ b->step[k]);
  *words = at;
  return differ == 0;
}

static bool same_region(tsr_memo *m, const tsr_memo_entry *e, const tsr_region *r,
                        const int64_t **words)
{
  const int64_t *at = *words;
  const tsr_storage *storage = r->storage;
  if (*at++ != state_of(r)) return false;
  for (int k = 0; k < r->ndim; k++)
    if (*at++ != r->shape[k]) return false;
  if (storage != NULL) {
    if (*at++ != storage->layout->id) return false;
    for (int i = 0; i < storage->scheduler->world->n_places; i++)
      if (!same_box(&storage->instance[i].alloc, &at) || *at++ != storage->instance[i].aligned)
        return false;
    if (*at != storage->ghosts.n) return false;
    if (storage->ghosts.n == 0) {
      at++;
    } else {
      m->n_words = 0;
      put_ghosts(m, &storage->ghosts);
      if (at + m->n_words > e->words + e->n_words ||
          memcmp(at, m->words, (size_t)m->n_words * sizeof *at) != 0)
        return false;
      at += m->n_words;
    }
  }
  *words = at;
  return true;
}

/* Nothing behind the entry's words is read: a window of another length differs in an earlier word.
 */
static bool is_seen_again(const tsr_scheduler *s, const tsr_memo_entry *e, const tsr_window *w,
                          const tsr_names *names, int64_t wish)
{
  if (e == NULL || e->seen == NULL || e->words[0] != wish || e->words[1] != w->n_ops ||
      e->program.n_regions != names->n_regions)
    return false;
  const int64_t *at = e->words + 2;
  if (!same_ops(e, w, &at)) return false;
  for (int32_t i = 0; i < names->n_regions; i++)
    if (!same_region(s->memo, e, names->regions[i], &at)) return false;
  return same_room(s, e->plan);
}

/* The list's memory stays, so that replays allocate and free nothing. */
static void forget_seen(tsr_memo_entry *e)
{
  for (tsr_memo_seen *v = e->seen; v != NULL && v->view != NULL; v++) {
    tsr__view_ref_drop(v->view);
    v->view = NULL;
  }
}

static void see(tsr_memo_seen *seen, tsr_view_ref *ref)
{
  const tsr_view *v = &ref->view;
  tsr__view_ref_take(ref);
  tsr__view_ref_drop(seen->view);
  seen->view = ref;
  seen->n_words = 1 + v->ndim + v->rdim * (1 + v->ndim + (v->reaches ? 4 : 0));
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
  if (e->seen == NULL) {
    size_t n = 1;
    for (int32_t i = 0; i < w->n_ops; i++) n += 1 + (size_t)w->ops[i]->n_in;
    e->seen = tsr__calloc(n, sizeof *e->seen);
  }
  tsr_memo_seen *next = e->seen;
  for (int32_t i = 0; i < w->n_ops; i++) {
    const tsr_op *op = w->ops[i];
    see(next++, op->out_view);
    for (int j = 0; j < op->n_in; j++)
      if (op->in[j].region != NULL) see(next++, op->in[j].view);
  }
}

static tsr_memo_entry *find_entry(const tsr_scheduler *s, tsr_memo_entry *likely)
{
  tsr_memo *m = s->memo;
  tsr_memo_entry *e = likely;
  if (e != NULL && same_key(s, e)) return e;
  hash_key(m);
  for (e = m->heads[m->hash % N_HEADS]; e != NULL; e = e->next)
    if (e->hash == m->hash && same_key(s, e)) return e;
  return NULL;
}

static void note_found(tsr_memo *m, tsr_memo_entry *e)
{
  if (m->last != NULL) m->last->then = e;
  m->last = e;
  e->used = m->n_lookups;
}

static const tsr_program *take_entry(tsr_memo *m, tsr_memo_entry *e, tsr_plan **plan)
{
  note_found(m, e);
  *plan = e->plan;
  return &e->program;
}

/* Loops flush the same windows in the same order: the entry that came after the last one is tried
 * before anything is hashed. */
const tsr_program *tsr__memo_find(tsr_scheduler *s, const tsr_region *target, bool everything,
                                  tsr_names *names, tsr_plan **plan)
{
  if (s->memo == NULL) s->memo = tsr__calloc(1, sizeof *s->memo);
  tsr_memo *m = s->memo;
  tsr__number_regions(s->window, names, &s->arena);
  m->n_lookups++;
  s->counters.n_plan_hits++;
  tsr_memo_entry *likely = m->last != NULL ? m->last->then : NULL;
  const int64_t wish = wish_of(names, target, everything);
  if (is_seen_again(s, likely, s->window, names, wish)) {
    likely->n_noted = 0;
    return take_entry(m, likely, plan);
  }
  write_key(m, s->window, names, wish, &s->arena);
  tsr_memo_entry *e = find_entry(s, likely);
  if (e != NULL) {
    names->shift = shifts(s, e);
    if (names->shift == NULL && (e == likely || e->seen == NULL)) note_seen(e, s->window);
    return take_entry(m, e, plan);
  }
  s->counters.n_plan_hits--;
  s->counters.n_plan_misses++;
  if (s->world->config.dump[0] != '\0') explain_miss(s, m);
  return NULL;
}

static void entry_free(tsr_memo_entry *e)
{
  tsr__program_drop(&e->program);
  tsr__plan_destroy(e->plan);
  forget_seen(e);
  free(e->seen);
  tsr__arena_destroy(&e->memory);
  free(e);
}

static void evict_oldest(tsr_memo *m)
{
  tsr_memo_entry **oldest = NULL;
  for (int32_t h = 0; h < N_HEADS; h++)
    for (tsr_memo_entry **link = &m->heads[h]; *link != NULL; link = &(*link)->next)
      if (oldest == NULL || (*link)->used < (*oldest)->used) oldest = link;
  tsr_memo_entry *e = *oldest;
  *oldest = e->next;
  if (m->last == e) m->last = NULL;
  for (int32_t h = 0; h < N_HEADS; h++)
    for (tsr_memo_entry *other = m->heads[h]; other != NULL; other = other->next)
      if (other->then == e) other->then = NULL;
  entry_free(e);
  m->n_entries--;
}

static void *copy_of(tsr_arena *memory, const void *p, size_t bytes)
{
  return memcpy(tsr__arena_alloc(memory, bytes + 1), p, bytes);
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

void tsr__memo_insert(tsr_scheduler *s, const tsr_program *p, tsr_plan *plan)
{
  tsr_memo *m = s->memo;
  if (m->n_entries == MAX_ENTRIES) evict_oldest(m);
  tsr_memo_entry *e = tsr__calloc(1, sizeof *e);
  tsr_arena *memory = plan != NULL ? &plan->arena : &e->memory;
  e->hash = m->hash;
  e->n_words = m->n_words;
  e->n_op_words = m->n_op_words;
  e->words = copy_of(memory, m->words, (size_t)m->n_words * sizeof *m->words);
  e->bases = copy_of(memory, m->bases, (size_t)p->n_regions * sizeof *m->bases);
  e->fixed = holds_boxes(s, plan);
  tsr__program_copy(p, memory, &e->program);
  e->plan = plan;
  note_found(m, e);
  e->next = m->heads[m->hash % N_HEADS];
  m->heads[m->hash % N_HEADS] = e;
  m->n_entries++;
}

void tsr__memo_destroy(tsr_memo *m)
{
  if (m == NULL) return;
  for (int32_t h = 0; h < N_HEADS; h++)
    while (m->heads[h] != NULL) {
      tsr_memo_entry *e = m->heads[h];
      m->heads[h] = e->next;
      entry_free(e);
    }
  free(m->words);
  free(m);
}

void tsr__memo_keep_layouts(const tsr_memo *m, tsr_layouts *layouts)
{
  for (int32_t h = 0; m != NULL && h < N_HEADS; h++)
    for (const tsr_memo_entry *e = m->heads[h]; e != NULL; e = e->next) {
      tsr__program_keep_layouts(&e->program, layouts);
      tsr__plan_keep_layouts(e->plan);
    }
}
