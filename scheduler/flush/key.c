/* What a key has of each thing of a window (walk.h), and of what is stored of its regions. */
#include "scheduler/flush/key.h"
#include "program/task_cuda.h"
#include "scheduler/flush/walk.h"
#include "scheduler/memory/storage.h"

#include <stdlib.h>
#include <string.h>

typedef struct cursor {
  int64_t *at;                    /* the next word */
  tsr_key *key;                   /* that is written; its memory grows */
  int64_t (*bases)[TSR_MAX_NDIM]; /* of the key */
  tsr_view_ref *const *seen;      /* the next view that need not be compared; NULL: none is known */
  const int32_t *view_words;      /* of the next view, where words are compared */
  int32_t n_new;                  /* views that were not in `seen` */
} cursor;

/* Makes space for so many words behind `at`, and returns it, as the words may have moved. It
 * takes the cursor apart, so that the compiler keeps that in registers. */
static int64_t *reserve_words(tsr_key *key, int64_t *at, int32_t more)
{
  const int32_t n = (int32_t)(at - key->words);
  key->words = tsr__grow(key->words, &key->capacity, n + more, sizeof *key->words);
  return key->words + n;
}

TSR_INLINED bool word(cursor *c, const bool match, int64_t x)
{
  return tsr__word(&c->at, match, x);
}

enum {
  BOX_WORDS = 1 + 3 * TSR_MAX_NDIM,
  VIEW_WORDS = 1 + 6 * TSR_MAX_NDIM + TSR_MAX_NDIM * TSR_MAX_NDIM
};

TSR_INLINED bool walk_box(cursor *c, const bool match, const tsr_box *b)
{
  if (!word(c, match, b->ndim)) return false;
  bool same = true;
  for (int k = 0; k < b->ndim; k++) {
    same &= word(c, match, b->lo[k]);
    same &= word(c, match, b->n[k]);
    same &= word(c, match, b->step[k]);
  }
  return same;
}

TSR_INLINED bool walk_view(cursor *c, const bool match, const tsr_view *v, const int64_t *base)
{
  if (!word(c, match, v->ndim | v->rdim << 8 | v->reaches << 16 | v->bounded << 17)) return false;
  bool same = true;
  for (int j = 0; j < v->ndim; j++) same &= word(c, match, v->shape[j]);
  for (int j = 0; v->bounded && j < v->ndim; j++) {
    same &= word(c, match, v->lo[j]);
    same &= word(c, match, v->hi[j]);
  }
  for (int k = 0; k < v->rdim; k++) {
    same &= word(c, match, v->offset[k] - base[k]);
    for (int j = 0; j < v->ndim; j++) same &= word(c, match, v->step[k][j]);
    if (!v->reaches) continue;
    same &= word(c, match, v->before[k]);
    same &= word(c, match, v->after[k]);
    same &= word(c, match, v->first[k] - base[k]);
    same &= word(c, match, v->end[k] - base[k]);
  }
  return same;
}

/* The base of a region is where its first view begins, along the axes that no cut divides. */
static void find_base(int64_t *base, const tsr_region *r, const tsr_view *v)
{
  const tsr_layout *layout = r->storage != NULL ? r->storage->layout : NULL;
  base[0] = 0; /* for a 0-d region, too */
  for (int k = 0; k < r->ndim; k++) {
    const bool whole = layout != NULL && (layout->replicated || layout->n_tiles[k] == 1);
    base[k] = whole ? v->offset[k] : 0;
  }
}

/* A region through a view. */
TSR_INLINED bool walk_ref(cursor *c, const bool match, const tsr_region *r, const tsr_view_ref *ref)
{
  if (match) {
    const int32_t n_words = *c->view_words++;
    if (c->seen != NULL && *c->seen++ == ref) {
      c->at += n_words;
      return true;
    }
    c->n_new++;
    return walk_view(c, match, &ref->view, c->bases[r->local]);
  }
  tsr_key *key = c->key;
  int64_t *base = c->bases[r->local], *begin = c->at;
  if (base[0] == INT64_MIN) find_base(base, r, &ref->view);
  walk_view(c, match, &ref->view, base);
  key->view_words =
      tsr__grow(key->view_words, &key->cap_views, key->n_views + 1, sizeof *key->view_words);
  key->view_words[key->n_views++] = (int32_t)(c->at - begin);
  return true;
}

TSR_INLINED bool walk_form(cursor *c, const bool match, const tsr_task_form *f)
{
  const int64_t head = f->number | (int64_t)f->n_stored << 32 | (int64_t)f->ndim << 48;
  if (!word(c, match, head)) return false;
  if (!word(c, match, f->cuda != NULL ? f->cuda->number : 0)) return false;
  bool same = true;
  for (int k = 0; k < f->ndim; k++) same &= word(c, match, f->block[k]);
  return same;
}

TSR_INLINED bool walk_op(cursor *c, const bool match, const tsr_op *op, int64_t head)
{
  if (!match)
    c->at = reserve_words(c->key, c->at, 2 + 2 + TSR_MAX_NDIM + (op->n_in + 1) * (VIEW_WORDS + 2));
  if (!word(c, match, head)) return false;
  if (op->call != NULL && !walk_form(c, match, op->call->form)) return false;
  return word(c, match, (int64_t)op->axes_mask << 32 | op->out->local) &&
         walk_ref(c, match, op->out, op->out_view);
}

TSR_INLINED bool walk_need(cursor *c, const bool match, const tsr_need *need)
{
  static const int64_t none[TSR_MAX_NDIM];
  if (!word(c, match, (int64_t)need->cut->id << 1 | need->is_wide)) return false;
  for (int k = 0; need->is_wide && k < need->cut->ndim; k++)
    if (!word(c, match, need->wide.lo[k] << 32 | need->wide.hi[k])) return false;
  return walk_view(c, match, &need->view->view, none);
}

TSR_INLINED bool walk_ghosts(cursor *c, const bool match, const tsr_ghosts *g)
{
  if (!word(c, match, g->n)) return false;
  for (int32_t i = 0; i < g->n; i++) {
    const tsr_ghost_event *e = &g->v[i];
    if (!match) c->at = reserve_words(c->key, c->at, 2 + TSR_MAX_NDIM + VIEW_WORDS + BOX_WORDS);
    if (!word(c, match, e->fill)) return false;
    if (!(e->fill ? walk_need(c, match, &e->need) : walk_box(c, match, &e->box))) return false;
  }
  return true;
}

TSR_INLINED bool walk_storage(cursor *c, const bool match, const tsr_storage *storage)
{
  const int n_places = storage->scheduler->world->n_places;
  if (!match) c->at = reserve_words(c->key, c->at, 2 + n_places * (BOX_WORDS + 1));
  if (!word(c, match, storage->layout->id)) return false;
  for (int i = 0; i < n_places; i++)
    if (!walk_box(c, match, &storage->instance[i].alloc) ||
        !word(c, match, storage->instance[i].aligned))
      return false;
  return walk_ghosts(c, match, &storage->ghosts);
}

TSR_INLINED bool walk_region(cursor *c, const bool match, const tsr_region *r)
{
  if (!match) c->at = reserve_words(c->key, c->at, 1 + TSR_MAX_NDIM);
  const uint32_t head = (uint32_t)r->dtype | (uint32_t)r->ndim << 8 |
                        (uint32_t)(r->n_handles > 0) << 16 | (uint32_t)(r->n_stored > 0) << 17 |
                        (uint32_t)(r->storage != NULL) << 18;
  const uint32_t flags =
      (uint32_t)r->was_assigned | (uint32_t)r->replicate << 8 | (uint32_t)r->poisoned << 16;
  const int64_t state = (int64_t)((uint64_t)flags << 32 | head);
  if (!word(c, match, state)) return false;
  bool same = true;
  for (int k = 0; k < r->ndim; k++) same &= word(c, match, r->shape[k]);
  return same && (r->storage == NULL || walk_storage(c, match, r->storage));
}

TSR_INLINED bool encode_word(void *x, const bool match, int64_t w)
{
  return word(x, match, w);
}

TSR_INLINED bool encode_op(void *x, const bool match, const tsr_op *op, int64_t head)
{
  return walk_op(x, match, op, head);
}

TSR_INLINED bool encode_in(void *x, const bool match, const tsr_op_in *in)
{
  return word(x, match, in->region->local) && walk_ref(x, match, in->region, in->view);
}

TSR_INLINED void encode_after_ops(void *x, const bool match)
{
  const cursor *c = x;
  if (!match) c->key->n_op_words = (int32_t)(c->at - c->key->words);
}

TSR_INLINED bool encode_region(void *x, const bool match, const tsr_region *r)
{
  return walk_region(x, match, r);
}

static const tsr_encoding encoding = {.word = encode_word,
                                      .op = encode_op,
                                      .in = encode_in,
                                      .after_ops = encode_after_ops,
                                      .region = encode_region};

void tsr__key_write(tsr_key *key, const tsr_window *w, const tsr_names *names, int64_t wish,
                    tsr_arena *arena)
{
  key->bases = tsr__arena_alloc(arena, ((size_t)names->n_regions + 1) * sizeof *key->bases);
  memset(key->bases, 0, (size_t)names->n_regions * sizeof *key->bases);
  for (int32_t i = 0; i < names->n_regions; i++) key->bases[i][0] = INT64_MIN;
  key->n_regions = names->n_regions;
  key->n_views = 0;
  cursor c = {.at = reserve_words(key, key->words, 3), .key = key, .bases = key->bases};
  tsr__walk(&encoding, &c, false, w, names, wish);
  key->n_words = (int32_t)(c.at - key->words);
  TSR_ASSERT(key->n_op_words <= key->n_words && key->n_words <= key->capacity);
}

bool tsr__key_matches(const tsr_key *key, const tsr_window *w, const tsr_names *names, int64_t wish,
                      tsr_view_ref *const *seen, int32_t *n_new)
{
  cursor c = {.at = key->words, .bases = key->bases, .seen = seen, .view_words = key->view_words};
  const bool same = tsr__walk(&encoding, &c, true, w, names, wish);
  TSR_ASSERT(!same || c.at == key->words + key->n_words);
  *n_new = c.n_new;
  return same;
}

static void *copied(tsr_arena *arena, const void *v, size_t bytes)
{
  return memcpy(tsr__arena_alloc(arena, bytes + 1), v, bytes);
}

tsr_key tsr__key_copy(const tsr_key *key, tsr_arena *arena)
{
  tsr_key copy = *key;
  copy.words = copied(arena, key->words, (size_t)key->n_words * sizeof *key->words);
  copy.view_words = copied(arena, key->view_words, (size_t)key->n_views * sizeof *key->view_words);
  copy.bases = copied(arena, key->bases, (size_t)key->n_regions * sizeof *key->bases);
  copy.capacity = copy.n_words;
  copy.cap_views = copy.n_views;
  return copy;
}

void tsr__key_replace(tsr_key *copy, const tsr_key *key)
{
  TSR_ASSERT(copy->n_words == key->n_words && copy->n_views == key->n_views &&
             copy->n_regions == key->n_regions && copy->n_op_words == key->n_op_words);
  memcpy(copy->words, key->words, (size_t)key->n_words * sizeof *key->words);
  memcpy(copy->view_words, key->view_words, (size_t)key->n_views * sizeof *key->view_words);
  memcpy(copy->bases, key->bases, (size_t)key->n_regions * sizeof *key->bases);
}

bool tsr__key_equal(const tsr_key *a, const tsr_key *b)
{
  return a->n_words == b->n_words &&
         memcmp(a->words, b->words, (size_t)a->n_words * sizeof *a->words) == 0;
}

uint64_t tsr__key_hash(const tsr_key *key)
{
  /* There are four independent chains, since the multiplication's latency is what hashing costs. */
  uint64_t h[4] = {1, 2, 3, 4};
  for (int32_t i = 0; i < key->n_words; i += 4)
    for (int32_t j = 0; j < 4 && i + j < key->n_words; j++)
      h[j] = (h[j] ^ (uint64_t)key->words[i + j]) * 0x9E3779B97F4A7C15u + (h[j] >> 31);
  const uint64_t all = (h[0] ^ h[1] << 16 ^ h[2] << 32 ^ h[3] << 48) * 0xD6E8FEB86659FD93u;
  return all ^ all >> 32;
}

void tsr__key_free(tsr_key *key)
{
  free(key->words);
  free(key->view_words);
  *key = (tsr_key){.n_words = 0};
}
