/* The table of handles. A tsr_array is the number of a handle and the generation of the array
 * in it. A handle's generation grows with every release, so a stale handle never matches. Handles
 * lie in chunks and do not move. */
#include "array/core/array_int.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t *list_of(tsr_context *c, int32_t scope)
{
  return scope == TSR_SCOPE_HELD ? &c->held : &c->scopes[scope].first;
}

static void handle_link(tsr_context *c, tsr_handle *s, int32_t scope)
{
  uint32_t *first = list_of(c, scope);
  s->scope = scope;
  s->prev = 0;
  s->next = *first;
  if (*first) tsr__handle_at(c, *first)->prev = s->index;
  *first = s->index;
  s->stored = scope == TSR_SCOPE_HELD || scope == TSR_SCOPE_ROOT;
  s->region->n_stored += s->stored;
}

static void handle_unlink(tsr_context *c, tsr_handle *s)
{
  if (s->prev)
    tsr__handle_at(c, s->prev)->next = s->next;
  else
    *list_of(c, s->scope) = s->next;
  if (s->next) tsr__handle_at(c, s->next)->prev = s->prev;
  s->region->n_stored -= s->stored;
}

void tsr__handle_move(tsr_context *c, tsr_handle *s, int32_t scope)
{
  if (s->scope == scope) return;
  handle_unlink(c, s);
  handle_link(c, s, scope);
}

static tsr_handle *handle_take(tsr_context *c)
{
  if (c->free_handle) {
    tsr_handle *s = tsr__handle_at(c, c->free_handle);
    c->free_handle = s->next;
    return s;
  }
  if (c->n_used == UINT32_MAX) tsr__fatal("more than 4 billion arrays are alive");
  uint32_t index = c->n_used++;
  if (index / TSR_HANDLE_CHUNK == c->n_chunks) {
    c->chunks = tsr__realloc(c->chunks, (c->n_chunks + 1) * sizeof *c->chunks);
    c->chunks[c->n_chunks++] = tsr__calloc(TSR_HANDLE_CHUNK, sizeof(tsr_handle));
  }
  tsr_handle *s = tsr__handle_at(c, index);
  s->index = index;
  s->generation = c->first_generation;
  return s;
}

/** A live array, as the warnings count it. */
typedef struct counted {
  const tsr_location *made;
  bool is_temporary;
} counted;

static int by_address(const void *a, const void *b)
{
  uintptr_t x = (uintptr_t)((const counted *)a)->made, y = (uintptr_t)((const counted *)b)->made;
  return (x > y) - (x < y);
}

/* Is the array a computed value of its own that nobody has assigned to, in no scope but one that
 * spans the program? */
static bool is_temporary(const tsr_context *c, const tsr_handle *s)
{
  return s->scope >= TSR_SCOPE_ROOT && s->scope <= c->spanning_scope &&
         s->region->made == s->made && !s->region->was_assigned && !s->is_creation;
}

static bool was_warned(const tsr_context *c, const tsr_location *where)
{
  for (int32_t i = 0; i < c->n_warned; i++) {
    if (c->warned[i] == where) return true;
  }
  return false;
}

static void warn_site(tsr_context *c, const tsr_location *where, int64_t n)
{
  c->warned = tsr__realloc(c->warned, (size_t)(c->n_warned + 1) * sizeof(*c->warned));
  c->warned[c->n_warned++] = where;
  if (c->world.rank != 0) return;
  /* Fortran tells no line; the operations of Python have names of their own. */
  const char *help = "open a scope in the loop (scope = tsr_scope_open()), or release what is no "
                     "longer needed; what the loop carries on is replaced: tsr_replace(u, f(u))";
  char at[300] = "";
  if (where->file) {
    snprintf(at, sizeof at, " at %s:%d", where->file, where->line);
    help =
        strncmp(where->op, "tsr_", 4) == 0
            ? "open a scope in the loop (TSR_SCOPE();), or release what is no longer needed; what "
              "the loop carries on is replaced: tsr_replace(&u, f(u))"
            : "a list, an attribute or a name for each keeps them: let go of what is no longer "
              "needed, or write them into one array with an axis more (what died in another "
              "thread or in unaligned() is let go of when a value is read)";
  }
  fprintf(stderr, "tessera: warning: %" PRId64 " arrays made%s by %s are alive\nhelp: %s\n", n, at,
          where->op, help);
}

/* Counts live arrays by call site. Sets warn_at: the number of live arrays at which they are
 * counted again, which is before a site can reach a limit, or an eighth more than there are. */
static void count_sites(tsr_context *c)
{
  const int64_t limit = c->world.config.warn_arrays, few = c->world.config.warn_values;
  counted *all = tsr__malloc((size_t)c->n_arrays * sizeof *all);
  int64_t n = 0, n_temporaries = 0, left = limit < few ? limit : few;
  for (uint32_t i = 1; i < c->n_used; i++) {
    const tsr_handle *s = tsr__handle_at(c, i);
    if (s->region && s->made) all[n++] = (counted){s->made, is_temporary(c, s)};
  }
  qsort(all, (size_t)n, sizeof *all, by_address);
  for (int64_t first = 0, i = 0; i < n; i++) {
    n_temporaries += all[i].is_temporary;
    if (i + 1 < n && all[i + 1].made == all[first].made) continue;
    const int64_t alive = i + 1 - first;
    if (!was_warned(c, all[first].made)) {
      const int64_t more =
          limit - alive < few - n_temporaries ? limit - alive : few - n_temporaries;
      if (more <= 0)
        warn_site(c, all[first].made, alive);
      else if (more < left)
        left = more;
    }
    first = i + 1, n_temporaries = 0;
  }
  free(all);
  c->warn_at = c->n_arrays + (left > c->n_arrays / 8 ? left : c->n_arrays / 8);
}

tsr_array tsr__array_new(tsr_context *c, const tsr_location *where, tsr_region *region,
                         tsr_view_ref *view)
{
  tsr_handle *s = handle_take(c);
  s->region = region;
  s->view = tsr__view_ref_take(view);
  s->made = where;
  s->is_creation = s->read_only = false;
  region->n_handles++;
  handle_link(c, s, c->n_scopes - 1);
  if (++c->n_arrays == c->warn_at) count_sites(c);
  return (tsr_array){.id = (uint64_t)s->generation << 32 | s->index};
}

tsr_array tsr__array_of(tsr_context *c, const tsr_location *where, const tsr_handle *of,
                        tsr_view_ref *view)
{
  const bool read_only = of->read_only;
  const tsr_array made = tsr__array_new(c, where, of->region, view);
  if (read_only) tsr__handle_peek(c, made)->read_only = true;
  return made;
}

void tsr__handle_release(tsr_context *c, tsr_handle *s, const tsr_location *where)
{
  handle_unlink(c, s);
  tsr_region *region = s->region;
  tsr__view_ref_drop(s->view);
  s->region = NULL;
  s->view = NULL;
  s->old_made = s->made;
  s->old_released = where;
  c->n_arrays--;
  region->n_handles--;
  tsr__region_maybe_free(&c->window, region);
  if (s->generation == UINT32_MAX) return; /* retired: the next generation would be an old one */
  s->generation++;
  s->next = c->free_handle;
  c->free_handle = s->index;
}

static void note_location(tsr_error *e, const char *what, const tsr_location *at)
{
  if (!at) return;
  if (at->file)
    tsr__error_note(e, "%s at %s:%d by %s", what, at->file, at->line, at->op);
  else
    tsr__error_note(e, "%s by %s", what, at->op);
}

const char *tsr__null_mistake(const tsr_context *c, tsr_array x)
{
  if (tsr__goes_on(c) || (x.id != 0 && x.id != TSR_HANDLE_RELEASED)) return NULL;
  return x.id == 0 ? "an array that was never made is used" : "an array that was released is used";
}

static void fail_null(tsr_context *c, const tsr_location *where, tsr_array x)
{
  const char *mistake = tsr__null_mistake(c, x);
  if (!mistake) return;
  tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_HANDLE, "%s", mistake);
  if (where && where->args && where->args[0] && strlen(where->args) < 100)
    tsr__error_note(e, "%s(%s)", where->op, where->args);
  tsr__error_rule(e, x.id == 0 ? "a variable of this call was never given a value"
                               : "a variable of this call was emptied by tsr_release");
  tsr__error_help(e, "give it a value first, as in `tsr_array u = tsr_zeros(TSR_SHAPE(3));`; an "
                     "array that is missing on purpose is tsr_null()");
  tsr__fail_end(c);
}

void tsr_release_later(tsr_context *context, tsr_array x)
{
  if (context && tsr_ok(x)) tsr__release_later(context->scheduler, tsr__number_of(context, x));
}

void tsr__release_agreed(tsr_context *c)
{
  static const tsr_location site = {.op = "tsr_release_later"};
  uint64_t number;
  while (tsr__take_release(c->scheduler, &number)) {
    const tsr_array x = {number + ((uint64_t)c->first_generation << 32)};
    tsr_handle *s = tsr__handle_peek(c, x);
    if (!s) continue;
    tsr__event(c, &site, TSR_EVENT_RELEASE, x);
    tsr__handle_release(c, s, &site);
  }
}

void tsr__fail_handle(tsr_context *c, const tsr_location *where, tsr_array x)
{
  if (!tsr_ok(x)) {
    fail_null(c, where, x);
    return;
  }
  uint32_t index = (uint32_t)x.id, generation = (uint32_t)(x.id >> 32);
  const tsr_handle *s = index > 0 && index < c->n_used ? tsr__handle_at(c, index) : NULL;
  if (!s || generation < c->first_generation || generation >= s->generation) {
    tsr_error *e =
        tsr__fail_begin(c, where, TSR_ERR_HANDLE, "a handle that this context never made");
    tsr__error_rule(e, "it is uninitialised, or of another context or one that has ended");
  } else {
    tsr_error *e = tsr__fail_begin(c, where, TSR_ERR_HANDLE, "an array that was released is used");
    if (generation + 1 == s->generation) {
      note_location(e, "made", s->old_made);
      note_location(e, "released", s->old_released);
    } else {
      tsr__error_note(e, "released %" PRIu32 " uses of its handle ago", s->generation - generation);
    }
    tsr__error_help(e, "tsr_keep(x) moves an array to the enclosing scope, tsr_hold(x) keeps it "
                       "until it is released");
  }
  tsr__fail_end(c);
}

void tsr__handles_free(tsr_context *c)
{
  tsr__scopes_pop_to(c, 0, NULL);
  while (c->scopes[0].first) tsr__handle_release(c, tsr__handle_at(c, c->scopes[0].first), NULL);
  while (c->held) tsr__handle_release(c, tsr__handle_at(c, c->held), NULL);
  for (uint32_t i = 0; i < c->n_chunks; i++) free(c->chunks[i]);
  free(c->chunks);
  free(c->scopes);
  free(c->devices);
  free(c->warned);
}

void tsr__scope_push(tsr_context *c, tsr_scope_kind kind)
{
  /* A block that is opened before there is any array spans the program's others. */
  if (kind == TSR_SCOPE_IS_BLOCK && c->n_scopes == 1 && c->n_used == 1) c->spanning_scope = 1;
  c->scopes = tsr__grow(c->scopes, &c->scopes_capacity, c->n_scopes + 1, sizeof *c->scopes);
  c->scopes[c->n_scopes++] = (tsr_open_scope){.kind = kind, .serial = ++c->n_scopes_made};
}

void tsr__scopes_pop_to(tsr_context *c, int32_t depth, const tsr_location *where)
{
  while (c->n_scopes - 1 > depth) {
    tsr_open_scope *scope = &c->scopes[c->n_scopes - 1];
    while (scope->first) tsr__handle_release(c, tsr__handle_at(c, scope->first), where);
    c->n_scopes--;
  }
  if (c->spanning_scope > depth) c->spanning_scope = 0;
}
