/* Inside the array layer: contexts, slots, scopes, errors of calls, and the recording of
 * operations.
 *
 * A context belongs to one thread at a time; nothing here locks. Pointers to slots are stable
 * (chunks). */
#ifndef TSR_ARRAY_INT_H
#define TSR_ARRAY_INT_H

#include "array/array.h"
#include "array/views/slice_cache.h"

/* Contexts. */

/** Where an array lives: entry of the scope stack, or held. */
#define TSR_SCOPE_HELD (-1)
#define TSR_SCOPE_ROOT 0

typedef enum tsr_scope_kind {
  TSR_SCOPE_IS_ROOT,
  TSR_SCOPE_IS_BLOCK,
  TSR_SCOPE_IS_STATEMENT
} tsr_scope_kind;

/** One array handle. Free: region is NULL, `next` links the free list. */
typedef struct tsr_slot {
  uint32_t
      generation; /* of the array in it, or of the next one; a slot is retired before it wraps */
  int32_t scope;  /* entry of the scope stack, or TSR_SCOPE_HELD */
  uint32_t index; /* of this slot */
  uint32_t prev, next; /* in its scope's list; 0: end (slot 0 is never used) */
  bool stored;         /* counted in region->n_stored */
  tsr_region *region;
  tsr_view_ref *view;
  const tsr_location *made;
  const tsr_location *old_made,
      *old_released; /* of the generation before, for errors; NULL if none */
} tsr_slot;

typedef struct tsr_open_scope {
  tsr_scope_kind kind;
  uint32_t first; /* newest slot, 0: none */
  uint64_t serial;
} tsr_open_scope;

/** A device scope that is open: what it asks for is the window's side, or was before the next. */
typedef struct tsr_open_device {
  uint64_t serial; /* counted with those of tsr_open_scope */
  uint8_t before;  /* tsr_side around it */
} tsr_open_device;

enum { TSR_SLOT_CHUNK = 1024 };

/** The text of a user's kernel whose operations are being recorded: errors show where. */
typedef struct tsr_inside {
  const char *kernel, *text;
  size_t at; /* byte of the text */
} tsr_inside;

struct tsr_context {
  tsr_world world;
  tsr_window window;
  tsr_scheduler *scheduler;
  uint64_t number; /* tells contexts of one process apart, also of different times */
  uint64_t n_scopes_made;
  bool owns_machine;

  tsr_slot **chunks;          /* of TSR_SLOT_CHUNK slots */
  uint32_t n_chunks, n_slots; /* slots ever used, slot 0 included */
  uint32_t free_slot;         /* 0: none */
  uint32_t first_generation;
  int64_t n_arrays, warn_at; /* alive; count at which call sites are counted next */
  const tsr_location **warned;
  int32_t n_warned;

  tsr_open_scope *scopes;
  int32_t n_scopes, scopes_capacity;
  tsr_open_device *devices; /* open device scopes, outermost first */
  int32_t n_devices, devices_capacity;
  uint32_t held; /* list of held slots */

  tsr_error spare;                 /* takes the text of errors that come after the first */
  tsr_error *failing;              /* between tsr__fail_begin and tsr__fail_end */
  tsr_status last_status;          /* of the last failing call */
  char *error_text;                /* what tsr_last_error gave */
  const tsr_location *called;      /* the call that is under way, or the last one; atomic */
  const void *owner;               /* the thread that may call: its &tsr__current; atomic */
  int32_t n_calls;                 /* of it that are under way, one inside the other; atomic */
  struct tsr_sites *sites;         /* call sites of C++ callers */
  struct tsr_slices *slices;       /* parsed slices by call site */
  struct tsr_scripts *scripts;     /* parsed texts by call site; text_*.c */
  struct tsr_functions *functions; /* the user's kernels; function.c */
  bool kernel_failed;              /* one could not be made: its id 0 is no mistake */
  const tsr_inside *inside;        /* NULL: no kernel's text */
  int32_t steps_scope;             /* of the outermost call that is made of others; 0: none */
  struct tsr_xdmf_files *series;   /* that are open; on rank 0; xdmf.c */
};

/** The calling thread's context, or NULL; by context.c. One word: it fits what the loader keeps for
 * libraries that come by dlopen, so that it can be read without a call. */
extern _Thread_local tsr_context *tsr__current __attribute__((tls_model("initial-exec")));
/** This thread's last tsr_init said why there is no context: that is said once. By context.c. */
extern _Thread_local bool tsr__start_failed;
void tsr__no_context(const tsr_location *where) __attribute__((cold, noreturn));
void tsr__not_the_owner(const tsr_context *c, const tsr_location *where)
    __attribute__((cold, noreturn));
/** Is the calling thread the one that may call? */
static inline bool tsr__is_owner(const tsr_context *c)
{
  return __atomic_load_n(&c->owner, __ATOMIC_RELAXED) == &tsr__current;
}
/** The calling thread's context; ends the program with an error's text if there is none, or if it
 * was handed to another thread since. For what a call is made of; the call has begun. */
static inline tsr_context *tsr__context(const tsr_location *where)
{
  tsr_context *c = tsr__current;
  if (__builtin_expect(!c, 0)) tsr__no_context(where);
  if (__builtin_expect(!tsr__is_owner(c), 0)) tsr__not_the_owner(c, where);
  if (where) __atomic_store_n(&c->called, where, __ATOMIC_RELAXED);
  return c;
}

/* Only the owner writes n_calls, so that it needs no read-modify-write of the processor's. */
static inline void tsr__count_calls(tsr_context *c, int32_t more)
{
  const int32_t n = __atomic_load_n(&c->n_calls, __ATOMIC_RELAXED) + more;
  __atomic_store_n(&c->n_calls, n, __ATOMIC_RELEASE);
}
/** Begins a call of the calling thread's context, as tsr__context; from here until tsr__call_end no
 * other thread can take the context. Calls nest. The processor may do the store after the load: who
 * takes the context makes up for it (tsr_context_set_current). */
static inline tsr_context *tsr__call_enter(const tsr_location *where)
{
  tsr_context *c = tsr__current;
  if (__builtin_expect(!c, 0)) tsr__no_context(where);
  tsr__count_calls(c, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(!tsr__is_owner(c), 0)) tsr__not_the_owner(c, where);
  return c;
}
/** The same of a call that is named for errors from here on: `where` outlives the context, or is
 * NULL. */
static inline tsr_context *tsr__call_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_enter(where);
  if (where) __atomic_store_n(&c->called, where, __ATOMIC_RELAXED);
  return c;
}
/** The same, or NULL where tsr__call_enter would end the program. */
static inline tsr_context *tsr__call_try(void)
{
  tsr_context *c = tsr__current;
  if (!c || !tsr__is_owner(c)) return NULL;
  tsr__count_calls(c, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (tsr__is_owner(c)) return c;
  tsr__count_calls(c, -1);
  return NULL;
}
/** *c: what the call's begin returned. */
static inline void tsr__call_end(tsr_context *const *c)
{
  if (*c) tsr__count_calls(*c, -1);
}
/** Of a variable that takes what a call's begin returns: the call ends with the variable. */
#define TSR_IN_CALL __attribute__((cleanup(tsr__call_end)))

/** A context over a machine and a transport (taken), for the calling thread; not yet current.
 * Collective. NULL with a status, and the text on stderr, if the ranks cannot agree. */
tsr_context *tsr__context_open(tsr_machine *machine, bool owns_machine, tsr_transport *transport,
                               tsr_status *status);
/** Releases all, closes the world and, if owned, the machine; inside a call, which ends with it.
 * Collective. Returns the first error that nobody took. */
tsr_status tsr__context_close(tsr_context *c);

/** What an event of the op stream is (tsr__record_event). */
typedef enum tsr_event {
  TSR_EVENT_FAILED = 1,
  TSR_EVENT_EMPTY, /* an operation over no elements */
  TSR_EVENT_KEEP,
  TSR_EVENT_HOLD,
  TSR_EVENT_RELEASE,
  TSR_EVENT_REPLACE,
  TSR_EVENT_SCOPE_OPEN,
  TSR_EVENT_SCOPE_END,
  TSR_EVENT_READ,
  TSR_EVENT_IMPORT,
  TSR_EVENT_LOCAL,
  TSR_EVENT_LOCAL_END,
  TSR_EVENT_FLUSH,
  TSR_EVENT_BARRIER,
  TSR_EVENT_TIME,
  TSR_EVENT_FILE, /* load, open, close, write a field */
  TSR_EVENT_DRAW,
  TSR_EVENT_DEVICE,
  TSR_EVENT_QUANTILE /* of which q: no operation says so */
} tsr_event;
/** Number and hash a call about array x (may be the null handle). */
void tsr__event(tsr_context *c, const tsr_location *where, tsr_event what, tsr_array x);

/** The same of a call about no array, with what else the ranks must give alike. */
static inline void tsr__event_of(tsr_context *c, const tsr_location *where, tsr_event what,
                                 uint64_t detail)
{
  tsr__record_event(&c->window, where, what, detail);
}

/** Frees context->scripts; NULL is ignored. */
void tsr__scripts_destroy(struct tsr_scripts *scripts);

/** Frees context->functions; NULL is ignored. */
void tsr__functions_destroy(struct tsr_functions *functions);

/** Frees context->series; NULL is ignored. The series stay the program's. */
void tsr__series_destroy(struct tsr_xdmf_files *series);

/** The record of a C++ call site: the same one for the same site. Freed with the context. */
void tsr__sites_destroy(struct tsr_sites *sites);

/* Errors of calls. */

/** Begin an error of a call. Add notes to what it returns (runtime/base/error.h), then
 * tsr__fail_end. If the context keeps an error already, the text goes nowhere. */
tsr_error *tsr__fail_begin(tsr_context *c, const tsr_location *where, tsr_status status,
                           const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/** Numbers the failed call; in abort mode prints and ends the job. Returns the status. */
tsr_status tsr__fail_end(tsr_context *c);
/** Both, without notes. */
tsr_status tsr__fail(tsr_context *c, const tsr_location *where, tsr_status status, const char *fmt,
                     ...) __attribute__((format(printf, 4, 5)));
/** TSR_OK, or TSR_ERR_ARGUMENT: "the `what` is NULL", which `p` is. */
static inline tsr_status tsr__check_given(tsr_context *c, const tsr_location *where, const void *p,
                                          const char *what)
{
  return p ? TSR_OK : tsr__fail(c, where, TSR_ERR_ARGUMENT, "the %s is NULL", what);
}
/** After a call into the scheduler: in abort mode prints and ends the job if it failed. Returns
 * status. */
tsr_status tsr__settle(tsr_context *c, tsr_status status);
/** Note "name: (4096, 128) float32, made at heat.c:31 by tsr_zeros". i: which argument of `where`
 * it is, for its name. */
void tsr__note_operand(tsr_context *c, tsr_error *e, const tsr_location *where, int i,
                       tsr_operand x);
/** The text of argument i of where->args, or "a", "b", … where it is long or unknown. Returns buf.
 */
char *tsr__argument_text(const tsr_location *where, int i, char *buf, size_t size);

/* Handles. */

/** A handle of `region` through `view` (taken: counted), in the innermost scope. */
tsr_array tsr__array_new(tsr_context *c, const tsr_location *where, tsr_region *region,
                         tsr_view_ref *view);
static inline tsr_slot *tsr__slot_at(const tsr_context *c, uint32_t index)
{
  return &c->chunks[index / TSR_SLOT_CHUNK][index % TSR_SLOT_CHUNK];
}
/** What tsr_release leaves in a variable: a null handle. */
#define TSR_HANDLE_RELEASED ((uint64_t)2 << 32)
/** The slot of x; NULL if it was released or never made, or is a null handle. */
static inline tsr_slot *tsr__slot_peek(const tsr_context *c, tsr_array x)
{
  uint32_t index = (uint32_t)x.id;
  if (index == 0 || index >= c->n_slots) return NULL;
  tsr_slot *s = tsr__slot_at(c, index);
  return s->region && s->generation == (uint32_t)(x.id >> 32) ? s : NULL;
}
/** What is wrong with the use of a null handle, or NULL: nothing, it is there on purpose or for an
 * error that was told. A variable without a value is a mistake in abort mode alone: where errors
 * are returned a program may go on with variables that a failed call has not filled. */
const char *tsr__null_mistake(const tsr_context *c, tsr_array x) __attribute__((cold));
/** The error of a handle that is no array; in silence of a null handle that is no mistake. */
void tsr__fail_handle(tsr_context *c, const tsr_location *where, tsr_array x) __attribute__((cold));
/** The slot, or NULL with tsr__fail_handle. */
static inline tsr_slot *tsr__slot(tsr_context *c, const tsr_location *where, tsr_array x)
{
  tsr_slot *s = tsr__slot_peek(c, x);
  if (!s) tsr__fail_handle(c, where, x);
  return s;
}
void tsr__slot_move(tsr_context *c, tsr_slot *s, int32_t scope);
void tsr__slot_release(tsr_context *c, tsr_slot *s, const tsr_location *where);
void tsr__slots_free(tsr_context *c);
/** Scopes: close every one above `depth` (kept open), releasing what belongs to them. */
void tsr__scope_push(tsr_context *c, tsr_scope_kind kind);
void tsr__scopes_pop_to(tsr_context *c, int32_t depth, const tsr_location *where);
/** Ends every device scope opened after the scope `serial` of either kind. Returns how many. */
int tsr__device_scopes_end(tsr_context *c, uint64_t serial);

/* Recording. */

/** What the array layer knows of an operand. */
typedef struct tsr_value {
  tsr_region *region; /* NULL: scalar */
  tsr_view_ref *view; /* borrowed from the slot */
  tsr_operand scalar;
  tsr_dtype dtype; /* of the region; a scalar's own: bool, int64, uint64, float64, complex128 */
} tsr_value;

void tsr__value_of_scalar(tsr_operand x, tsr_value *out);
/** What a call returns whose operand tsr__value_of did not find. */
static inline tsr_status tsr__value_status(const tsr_context *c, tsr_operand x)
{
  return tsr_ok(x.as.array) ? c->last_status : TSR_ERR_HANDLE;
}
/** TSR_ERR_ARGUMENT: x is lent (tsr_local), so this call cannot have it. */
tsr_status tsr__fail_lent(tsr_context *c, const tsr_location *where, tsr_array x)
    __attribute__((cold));
/** Look an operand up to read it. False with an error for a handle that is no array, as
 * tsr__fail_handle, and for an array that is lent to be written. */
static inline bool tsr__value_of(tsr_context *c, const tsr_location *where, tsr_operand x,
                                 tsr_value *out)
{
  if (x.kind != TSR_OPERAND_ARRAY) {
    tsr__value_of_scalar(x, out);
    return true;
  }
  const tsr_slot *s = tsr__slot(c, where, x.as.array);
  if (!s) return false;
  if (s->region->lent_writable) {
    tsr__fail_lent(c, where, x.as.array);
    return false;
  }
  out->region = s->region; /* an array has no scalar: 24 bytes that need no clearing */
  out->view = s->view;
  out->dtype = s->region->dtype;
  return true;
}

/** x, a new array, as `dtype`: itself, or a cast that takes its place. */
tsr_array tsr__as_dtype(tsr_context *c, const tsr_location *where, tsr_array x, tsr_dtype dtype);
/** x where each part of it can be written, as of a new array: itself, or a copy if its view splits
 * axes. Null in silence. */
tsr_array tsr__as_new(tsr_context *c, const tsr_location *where, tsr_array x);
/** The dtype that n values promote to: arrays among themselves, then scalars by kind (NEP 50). */
tsr_dtype tsr__promote(int n, const tsr_value *xs);
/** 0 for bools, 1 integers, 2 floats, 3 complex numbers: a weak scalar of no higher rank leaves an
 * array's dtype as it is. */
int tsr__weak_rank(tsr_dtype dtype);
/** Is the integer scalar below (-1) or above (1) all numbers of an integer dtype? Else 0. */
int tsr__scalar_beyond(tsr_operand x, tsr_dtype dtype);
/** An operation's scalar operand as `compute`, rounded to float16 where that is `promoted`, or what
 * floats of it are. As tsr__scalar_as. */
bool tsr__scalar_for(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype promoted,
                     tsr_dtype compute, tsr_scalar *out);
/** A scalar operand as `dtype`. False with TSR_ERR_ARGUMENT if an integer does not fit an integer
 * dtype, with TSR_ERR_CAST for a complex number as a real one. */
bool tsr__scalar_as(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype dtype,
                    tsr_scalar *out);

/** Common shape of the values; false with TSR_ERR_BROADCAST. */
bool tsr__broadcast_shape(tsr_context *c, const tsr_location *where, int n, const tsr_value *xs,
                          const tsr_operand *operands, tsr_dims *out);
static inline bool tsr__has_shape(const tsr_view *v, const tsr_dims *shape)
{
  if (v->ndim != shape->ndim) return false;
  int64_t differ = 0;
  for (int k = 0; k < v->ndim; k++) differ |= v->shape[k] ^ shape->n[k];
  return differ == 0;
}
tsr_op_in tsr__in_broadcast(const tsr_value *x, const tsr_dims *domain);
/** A value as an op's operand over `domain`: its view, broadcast (counted; drop it with
 * tsr__in_drop after recording). */
static inline tsr_op_in tsr__in_of(const tsr_value *x, const tsr_dims *domain)
{
  if (!tsr__has_shape(&x->view->view, domain)) return tsr__in_broadcast(x, domain);
  return (tsr_op_in){.region = x->region, .view = tsr__view_ref_take(x->view)};
}
static inline void tsr__in_drop(tsr_op_in *in)
{
  tsr__view_ref_drop(in->view);
  in->view = NULL;
}

/** A new region with an identity view, and a handle of it in the innermost scope. */
typedef struct tsr_new {
  tsr_array array;
  tsr_region *region;
  tsr_view_ref *view; /* the slot's */
} tsr_new;
tsr_new tsr__make(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                  const tsr_dims *shape);
/** The same of the shape that an identity view has. */
tsr_new tsr__make_like(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                       tsr_view_ref *identity);
/** Record `region[...] = value`, the value being of any dtype, as the region's first write. */
void tsr__fill(tsr_context *c, const tsr_location *where, tsr_scalar value, const tsr_new *out);
/** A 0-d array of a scalar operand, or the array itself; the null handle on failure. */
bool tsr__as_array(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_value *out);
/** Number of elements; -1 with TSR_ERR_SHAPE or TSR_ERR_SIZE if the shape is impossible for
 * `dtype`. */
int64_t tsr__checked_size(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                          tsr_dtype dtype);
/** Memory of this rank for n elements of what the ranks' own functions need beside arrays, zeroed;
 * to free(). NULL with TSR_ERR_MEMORY, on every rank alike, if it is more than the agreed limit. */
void *tsr__host_room(tsr_context *c, const tsr_location *where, int64_t n, size_t elem_bytes);
/** The target of a write; NULL with the status of what is wrong, told. */
tsr_slot *tsr__target_of(tsr_context *c, const tsr_location *where, tsr_array target,
                         tsr_status *status);
/** False with TSR_ERR_DTYPE, by the name of the function, if the dtype is complex. */
bool tsr__check_real(tsr_context *c, const tsr_location *where, const char *name, tsr_dtype dtype,
                     tsr_operand x);
/** After an op was recorded: the window's hard cap. */
void tsr__flush_full(tsr_context *c);
static inline void tsr__recorded(tsr_context *c)
{
  const tsr_config *config = &c->world.config;
  if (c->window.n_ops >= config->window_cap || config->inorder) tsr__flush_full(c);
}

/** x with one new axis of length 1, as tsr_expand_dims of a number. */
tsr_array tsr__expand_dims(const tsr_location *where, tsr_array x, int axis);

/** An elementwise operation: what tsr_<op>_at calls. The null handle on failure. */
tsr_array tsr__map_at(const tsr_location *where, tsr_opcode op, int n, const tsr_operand *xs);
/** Do two arrays, of uint64 and of signed integers, promote to a float that holds neither? */
bool tsr__is_mixed_comparison(const tsr_value *xs);
/** Compares them exactly, as NumPy. */
tsr_array tsr__compare_mixed(const tsr_location *where, tsr_opcode op, const tsr_operand *xs,
                             bool signed_first);
/** tsr_nextafter of float16, and of what becomes it. */
tsr_array tsr__nextafter_half(const tsr_location *where, const tsr_operand *xs);
/** Does clip of an array of an integer dtype leave out the bound, beyond which no number of the dtype
 * is? As NumPy. */
bool tsr__clip_drops(tsr_operand bound, tsr_dtype dtype, bool is_lower);
/** A reduction. axes NULL: all; mean: the sum divided by the number of elements. */
tsr_array tsr__reduce_at(const tsr_location *where, tsr_reduction op, bool mean, tsr_operand x,
                         unsigned n_axes, const int *axes, bool keepdims);
/** The elements of array x with these numbers in flat order, of the shape of `index` (whole
 * numbers, an array or a scalar); 0 for numbers that x has not. take.c. */
tsr_operand tsr__take(const tsr_location *where, tsr_operand x, tsr_operand index);
/** x op= y: op is TSR_OP_ADD, SUBTRACT, MULTIPLY or DIVIDE. tsr_assign_at is the plain assignment.
 */
tsr_status tsr__iop_at(const tsr_location *where, tsr_opcode op, tsr_array target,
                       tsr_operand value);
/** A view of x. */
tsr_array tsr__slice_items(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items);
/** The same of items that may have been asked for before, which `memo` is for; inside a call. */
tsr_array tsr__slice_again(const tsr_location *where, tsr_array x, int n,
                           const tsr_slice_item *items, tsr_slice_change change,
                           tsr_slice_memo *memo);

#endif
