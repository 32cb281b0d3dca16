/* What the files of the array layer share: contexts, handles, scopes, errors of calls, and the
 * recording of operations.
 *
 * A context belongs to one thread at a time, so nothing here locks. Handles lie in chunks that do
 * not move, so pointers to handles are stable. */
#ifndef TSR_ARRAY_INT_H
#define TSR_ARRAY_INT_H

#include "array/array.h"

/** The scope of a handle is an entry of the scope stack, or one of these. */
#define TSR_SCOPE_HELD (-1)
#define TSR_SCOPE_ROOT 0

typedef enum tsr_scope_kind {
  TSR_SCOPE_IS_ROOT,
  TSR_SCOPE_IS_BLOCK,
  TSR_SCOPE_IS_STATEMENT
} tsr_scope_kind;

/** What an array of the program stands for: the entry of the table that a tsr_array names. In a
 * free handle `region` is NULL and `next` links the free list. */
typedef struct tsr_handle {
  uint32_t generation; /* of its array, or of its next one; the handle is retired before it wraps */
  int32_t scope;       /* entry of the scope stack, or TSR_SCOPE_HELD */
  uint32_t index;      /* number of this handle */
  uint32_t prev, next; /* in its scope's list; 0: end (handle 0 is never used) */
  bool stored;         /* counted in region->n_stored */
  bool read_only;      /* what tsr_broadcast_to made, and views of that */
  bool is_creation;    /* zeros, random numbers, …: usually meant to stay, and so no temporary */
  tsr_region *region;
  tsr_view_ref *view;
  const tsr_location *made;
  const tsr_location *old_made, *old_released; /* of the previous array, for errors; may be NULL */
} tsr_handle;

typedef struct tsr_open_scope {
  tsr_scope_kind kind;
  uint32_t first; /* newest handle; 0: none */
  uint64_t serial;
} tsr_open_scope;

/** An open device scope. The innermost one's choice is the side of the window. */
typedef struct tsr_open_device {
  uint64_t serial; /* from the same counter as the serial of a tsr_open_scope */
  uint8_t before;  /* tsr_side that holds outside the scope */
} tsr_open_device;

enum { TSR_HANDLE_CHUNK = 1024 };

/** The text of a user's kernel whose operations are being recorded. Errors show the position in
 * it. */
typedef struct tsr_inside {
  const char *kernel, *text;
  size_t at;                                                   /* byte offset in the text */
  void (*tell)(tsr_error *e, const struct tsr_inside *inside); /* adds the position to an error */
} tsr_inside;

/** The line that tsr_progress draws. */
typedef struct tsr_progress_line {
  int64_t first, done, total;  /* first: what was done when it began */
  uint64_t began_ns, drawn_ns; /* drawn_ns 0: not yet */
  bool is_open;                /* the terminal's cursor stands behind it */
} tsr_progress_line;
void tsr__clear_progress(tsr_context *c, int fd); /* if open, and fd is a terminal */

struct tsr_context {
  tsr_world world;
  tsr_window window;
  tsr_scheduler *scheduler;
  uint64_t number; /* identifies a context among all that the process has had */
  uint64_t n_scopes_made;
  bool owns_machine;

  tsr_handle **chunks;       /* chunks of TSR_HANDLE_CHUNK handles */
  uint32_t n_chunks, n_used; /* n_used: handles ever used, handle 0 included */
  uint32_t free_handle;      /* first handle of the free list; 0: none */
  uint32_t first_generation;
  int64_t n_arrays, warn_at; /* live arrays; the count at which call sites are counted next */
  const tsr_location **warned;
  int32_t n_warned;

  tsr_open_scope *scopes;
  int32_t n_scopes, scopes_capacity;
  int32_t spanning_scope;   /* the block that was opened before the first array; 0: there is none */
  tsr_open_device *devices; /* open device scopes, outermost first */
  int32_t n_devices, devices_capacity;
  uint32_t held; /* first handle of the list of held handles; 0: none */

  tsr_error spare;                 /* takes the text of errors that come after the first */
  tsr_error *failing;              /* the error between tsr__fail_begin and tsr__fail_end */
  tsr_status last_status;          /* status of the last failing call */
  char *error_text;                /* text that tsr_last_error returned */
  const tsr_location *called;      /* the call under way, or the last one; atomic */
  const void *owner;               /* &tsr__current of the thread that may make calls; atomic */
  int32_t n_calls;                 /* nested calls of the owner that are under way; atomic */
  struct tsr_sites *sites;         /* call sites of C++ callers */
  struct tsr_slices *slices;       /* parsed slices by call site */
  struct tsr_scripts *scripts;     /* parsed texts by call site; array/text/cache.c */
  struct tsr_functions *functions; /* the user's kernels; array/user/function.c */
  bool throws;                     /* the mode is TSR_ERRORS_THROW */
  bool statement_waits;            /* tsr_statement_end_later: the next call ends a statement */
  bool kernel_failed;              /* a kernel failed, so a call with id 0 is no mistake */
  const tsr_inside *inside;        /* the user's kernel being recorded; NULL: none */
  int32_t steps_scope; /* scope of the outermost call that is made of other calls; 0: none */
  struct tsr_xdmf_files *series; /* open series, on rank 0; array/files/xdmf.c */
  tsr_progress_line progress;    /* on rank 0; array/files/progress.c */
};

/** The calling thread's context, or NULL (context.c). It is a single word so that it fits the
 * static thread-local storage that the loader reserves for libraries opened by dlopen, and is read
 * without a function call. */
extern _Thread_local tsr_context *tsr__current __attribute__((tls_model("initial-exec")));
/** True if this thread's last tsr_init failed and printed why, which is not repeated
 * (context.c). */
extern _Thread_local bool tsr__start_failed;
/** The task whose function runs on this thread, or NULL: it makes no calls (context.c). */
extern _Thread_local const tsr_task_call *tsr__task;
/** Runs the task's function while its thread has no context, so that a call of Tessera ends the
 * program with an error that names the task, where it would come into the middle of another
 * call. */
int tsr__run_without_context(const tsr_task_call *call, const tsr_task_box *box);
void tsr__no_context(const tsr_location *where) __attribute__((cold, noreturn));
void tsr__not_the_owner(const tsr_context *c, const tsr_location *where)
    __attribute__((cold, noreturn));
/** Returns whether the calling thread owns the context, and so may make calls. */
static inline bool tsr__is_owner(const tsr_context *c)
{
  return __atomic_load_n(&c->owner, __ATOMIC_RELAXED) == &tsr__current;
}
/** Returns the calling thread's context. Ends the program with an error if there is none, or if the
 * context has been handed to another thread since. The functions of a call use it after the call
 * has begun. */
static inline tsr_context *tsr__context(const tsr_location *where)
{
  tsr_context *c = tsr__current;
  if (__builtin_expect(!c, 0)) tsr__no_context(where);
  if (__builtin_expect(!tsr__is_owner(c), 0)) tsr__not_the_owner(c, where);
  if (where) __atomic_store_n(&c->called, where, __ATOMIC_RELAXED);
  return c;
}

/* The owner alone writes n_calls, so no atomic read-modify-write is needed. */
static inline void tsr__count_calls(tsr_context *c, int32_t more)
{
  const int32_t n = __atomic_load_n(&c->n_calls, __ATOMIC_RELAXED) + more;
  __atomic_store_n(&c->n_calls, n, __ATOMIC_RELEASE);
}
/** Begins a call of the calling thread's context, which it returns; ends the program as
 * tsr__context does. No other thread can take the context before tsr__call_end. Calls nest. The
 * processor may reorder the store after the load; tsr_context_set_current provides the barrier. */
static inline tsr_context *tsr__call_enter(const tsr_location *where)
{
  tsr_context *c = tsr__current;
  if (__builtin_expect(!c, 0)) tsr__no_context(where);
  tsr__count_calls(c, 1);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  if (__builtin_expect(!tsr__is_owner(c), 0)) tsr__not_the_owner(c, where);
  return c;
}
/** Begins a call as tsr__call_enter does and names it in later errors. `where` outlives the
 * context, or is NULL. */
static inline tsr_context *tsr__call_begin(const tsr_location *where)
{
  tsr_context *c = tsr__call_enter(where);
  if (where) __atomic_store_n(&c->called, where, __ATOMIC_RELAXED);
  return c;
}
/** Begins a call as tsr__call_enter does, but returns NULL where that would end the program. */
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
/** Ends a call. *c is what the function that began it returned; NULL is ignored. */
static inline void tsr__call_end(tsr_context *const *c)
{
  if (*c) tsr__count_calls(*c, -1);
}
/** Marks the variable that holds the context of a call: the call ends with the variable's scope. */
#define TSR_IN_CALL __attribute__((cleanup(tsr__call_end)))

/** Makes a context over a machine and a transport, which it takes, for the calling thread. The
 * context is not yet current.
 * Collective. Returns NULL with a status, and the text on stderr, if the ranks cannot agree. */
tsr_context *tsr__context_open(tsr_machine *machine, bool owns_machine, tsr_transport *transport,
                               tsr_status *status);
/** Releases all arrays, and closes the world and, if it is owned, the machine. It is called inside
 * a call, which ends with it.
 * Collective. Returns the first error that the program has not read. */
tsr_status tsr__context_close(tsr_context *c);

/** The kinds of events of the op stream (tsr__record_event). */
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
  TSR_EVENT_FILE, /* a file is loaded, opened or closed, or a field is written */
  TSR_EVENT_DRAW,
  TSR_EVENT_DEVICE,
  TSR_EVENT_QUANTILE /* carries q, which no operation shows */
} tsr_event;
/** Numbers and hashes a call about array x, which may be the null handle. */
void tsr__event(tsr_context *c, const tsr_location *where, tsr_event what, tsr_array x);

/** Numbers and hashes a call that concerns no array. `detail` is what else the ranks must
 * agree on. */
static inline void tsr__event_of(tsr_context *c, const tsr_location *where, tsr_event what,
                                 uint64_t detail)
{
  tsr__record_event(&c->window, where, what, detail);
}

/** Frees the sites of slices (array/views/slice_cache.c). NULL is ignored. */
void tsr__slices_destroy(struct tsr_slices *slices);
/** Frees context->scripts; NULL is ignored. */
void tsr__scripts_destroy(struct tsr_scripts *scripts);

/** Frees context->functions; NULL is ignored. */
void tsr__functions_destroy(struct tsr_functions *functions);

/** Frees context->series; NULL is ignored. The program still owns its series. */
void tsr__series_destroy(struct tsr_xdmf_files *series);

/** Frees context->sites, the records of C++ call sites; NULL is ignored. */
void tsr__sites_destroy(struct tsr_sites *sites);

/** Begins an error of a call. The caller adds notes to the returned error (runtime/base/error.h),
 * then calls tsr__fail_end. The text is discarded if the context already keeps an error. */
tsr_error *tsr__fail_begin(tsr_context *c, const tsr_location *where, tsr_status status,
                           const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/** Numbers the failed call. In abort mode it prints the error and ends the job. Returns the
 * status. */
tsr_status tsr__fail_end(tsr_context *c);
/** Reports an error without notes: tsr__fail_begin, then tsr__fail_end. */
tsr_status tsr__fail(tsr_context *c, const tsr_location *where, tsr_status status, const char *fmt,
                     ...) __attribute__((format(printf, 4, 5)));
/** Reports an error with a note about each of n operands, which are the first arguments of the
 * call, and a help, which may be NULL. */
tsr_status tsr__fail_on(tsr_context *c, const tsr_location *where, tsr_status status, int n,
                        const tsr_operand *operands, const char *help, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/** Returns TSR_OK, or TSR_ERR_ARGUMENT with "the `what` is NULL" if p is NULL. */
static inline tsr_status tsr__check_given(tsr_context *c, const tsr_location *where, const void *p,
                                          const char *what)
{
  return p ? TSR_OK : tsr__fail(c, where, TSR_ERR_ARGUMENT, "the %s is NULL", what);
}
/** Checks that the list of arrays which a call takes in one argument is given, if it has any. */
static inline tsr_status tsr__check_arrays(tsr_context *c, const tsr_location *where,
                                           const tsr_arrays *arrays)
{
  return arrays->n > 0 ? tsr__check_given(c, where, arrays->v, "list of arrays") : TSR_OK;
}
/** An array's number, which is the same on every rank: handles are assigned in the same order
 * there, but generations start at a different number. */
static inline uint64_t tsr__number_of(const tsr_context *c, tsr_array x)
{
  const uint64_t generation = tsr_ok(x) ? (x.id >> 32) - c->first_generation : 0;
  return generation << 32 | (uint32_t)x.id;
}
/** Release the arrays that all ranks have let go, as they have just agreed. */
void tsr__release_agreed(tsr_context *c);
/** Handles the status of a call into the scheduler: in abort mode a failure is printed and ends the
 * job. What the ranks agreed to release in it is released. Returns the status. */
tsr_status tsr__settle(tsr_context *c, tsr_status status);
/** Adds the note "name: (4096, 128) float32, made at heat.c:31 by tsr_zeros". x is argument i of
 * `where`, which gives its name. */
void tsr__note_operand(tsr_context *c, tsr_error *e, const tsr_location *where, int i,
                       tsr_operand x);

/** Returns a handle of `region` through `view`, of which it takes one reference, in the innermost
 * scope. */
tsr_array tsr__array_new(tsr_context *c, const tsr_location *where, tsr_region *region,
                         tsr_view_ref *view);
/** Returns a handle of another view of the region of `of`, which is read only if `of` is. */
tsr_array tsr__array_of(tsr_context *c, const tsr_location *where, const tsr_handle *of,
                        tsr_view_ref *view);
static inline tsr_handle *tsr__handle_at(const tsr_context *c, uint32_t index)
{
  return &c->chunks[index / TSR_HANDLE_CHUNK][index % TSR_HANDLE_CHUNK];
}
/** The id of the null handle that tsr_release leaves in a variable. */
#define TSR_HANDLE_RELEASED ((uint64_t)2 << 32)
/** Returns the handle of x, or NULL if x was released, was never made, or is a null handle. */
static inline tsr_handle *tsr__handle_peek(const tsr_context *c, tsr_array x)
{
  uint32_t index = (uint32_t)x.id;
  if (index == 0 || index >= c->n_used) return NULL;
  tsr_handle *s = tsr__handle_at(c, index);
  return s->region && s->generation == (uint32_t)(x.id >> 32) ? s : NULL;
}
/** Returns whether a failed call gives the program something to go on with: a null handle that it
 * may use in silence. Where errors end the program or are thrown there is none. */
static inline bool tsr__goes_on(const tsr_context *c)
{
  return c->world.return_errors && !c->throws;
}
/** Returns what is wrong with the use of a null handle, or NULL if the handle is there on purpose
 * or comes from a reported error. A variable without a value is a mistake in abort mode only:
 * where errors are returned, a program may go on with variables that a failed call has not
 * filled. */
const char *tsr__null_mistake(const tsr_context *c, tsr_array x) __attribute__((cold));
/** Reports the error of a handle that is no array. A null handle that is no mistake is not
 * reported. */
void tsr__fail_handle(tsr_context *c, const tsr_location *where, tsr_array x) __attribute__((cold));
/** Returns the handle of x, or NULL after tsr__fail_handle. */
static inline tsr_handle *tsr__handle(tsr_context *c, const tsr_location *where, tsr_array x)
{
  tsr_handle *s = tsr__handle_peek(c, x);
  if (!s) tsr__fail_handle(c, where, x);
  return s;
}
void tsr__handle_move(tsr_context *c, tsr_handle *s, int32_t scope);
void tsr__handle_release(tsr_context *c, tsr_handle *s, const tsr_location *where);
void tsr__handles_free(tsr_context *c);
/** tsr__scopes_pop_to closes every scope above `depth`, which stays open, and releases their
 * arrays. */
void tsr__scope_push(tsr_context *c, tsr_scope_kind kind);
void tsr__scopes_pop_to(tsr_context *c, int32_t depth, const tsr_location *where);
/** Ends every device scope opened after the scope `serial` of either kind. Returns their number. */
int tsr__device_scopes_end(tsr_context *c, uint64_t serial);

/** What the array layer knows about an operand. */
typedef struct tsr_value {
  tsr_region *region; /* NULL for a scalar */
  tsr_view_ref *view; /* borrowed from the handle */
  tsr_operand scalar;
  tsr_dtype dtype; /* dtype of the region; of a scalar bool, int64, uint64, float64 or complex128 */
} tsr_value;

void tsr__value_of_scalar(tsr_operand x, tsr_value *out);
/** Reports an operand that is no value, TSR_NONE where it is not taken; returns false. */
bool tsr__fail_none(tsr_context *c, const tsr_location *where, tsr_operand x);
/** Returns the status of a call for which tsr__value_of(x) failed. */
static inline tsr_status tsr__value_status(const tsr_context *c, tsr_operand x)
{
  return x.kind != TSR_OPERAND_ARRAY || tsr_ok(x.as.array) ? c->last_status : TSR_ERR_HANDLE;
}
/** Reports TSR_ERR_ARGUMENT: the tile of x is lent (tsr_local), so this call cannot use x. */
tsr_status tsr__fail_lent(tsr_context *c, const tsr_location *where, tsr_array x)
    __attribute__((cold));
/** Notes that `copy`, which a call has just made, holds elements of `of`, and that NumPy's function
 * gives a view there: writes to it are refused while arrays of the elements of `of` live. Within
 * the steps of another call it does nothing, as their arrays are not the program's (copies.c). */
void tsr__stand_for_view(tsr_context *c, tsr_array copy, tsr_array of);
/** Writes how far, in elements of the region, a step along each axis of an array leads in NumPy's
 * memory; `along` has space for the array's axes (copies.c). */
void tsr__memory_strides(const tsr_handle *s, int64_t *along);
/** Notes that NumPy lays `made`, a result of point by point computation, out as its operands lie,
 * if none of those with all its axes lies row by row (copies.c). */
void tsr__note_order(tsr_context *c, tsr_array made, int n, const tsr_operand *xs);
/** Returns TSR_OK, or TSR_ERR_READONLY after reporting that the target is such a copy, or is read
 * only. */
tsr_status tsr__check_writable(tsr_context *c, const tsr_location *where, tsr_array target);
/** Looks up an operand that is to be read. Returns false with an error for a handle that is no
 * array (tsr__fail_handle), and for an array that is lent for writing. */
static inline bool tsr__value_of(tsr_context *c, const tsr_location *where, tsr_operand x,
                                 tsr_value *out)
{
  if (x.kind != TSR_OPERAND_ARRAY) {
    if (x.kind > TSR_OPERAND_COMPLEX) return tsr__fail_none(c, where, x);
    tsr__value_of_scalar(x, out);
    return true;
  }
  const tsr_handle *s = tsr__handle(c, where, x.as.array);
  if (!s) return false;
  if (s->region->lent_writable) {
    tsr__fail_lent(c, where, x.as.array);
    return false;
  }
  out->region = s->region; /* as.scalar stays unset, since an array has none */
  out->view = s->view;
  out->dtype = s->region->dtype;
  return true;
}

/** Converts x, a new array, to `dtype`. Returns x itself, or a cast that replaces it. */
tsr_array tsr__as_dtype(tsr_context *c, const tsr_location *where, tsr_array x, tsr_dtype dtype);
/** Returns x if every part of it can be written like a new array, else a copy (x is a view that
 * splits axes). A null handle is returned without an error. */
tsr_array tsr__as_new(tsr_context *c, const tsr_location *where, tsr_array x);
/** Returns the dtype that n values promote to: first arrays among themselves, then scalars by kind
 * (NEP 50). */
tsr_dtype tsr__promote(int n, const tsr_value *xs);
/** Returns 0 for bools, 1 for integers, 2 for floats, 3 for complex numbers. A weak scalar does not
 * change the dtype of an array whose number is at least as high. */
int tsr__weak_rank(tsr_dtype dtype);
/** Returns -1 if the integer scalar is below all numbers of an integer dtype, 1 if it is above
 * them, else 0. */
int tsr__scalar_beyond(tsr_operand x, tsr_dtype dtype);
/** Converts an operation's scalar operand to `compute`, with the errors of tsr__scalar_as. The
 * value is first rounded to float16 if that is the inexact dtype of `promoted`. */
bool tsr__scalar_for(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype promoted,
                     tsr_dtype compute, tsr_scalar *out);
/** Converts a scalar operand to `dtype`. Returns false with TSR_ERR_ARGUMENT if an integer does not
 * fit an integer dtype, and with TSR_ERR_CAST if a complex number would become a real one. */
bool tsr__scalar_as(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_dtype dtype,
                    tsr_scalar *out);

/** Finds the broadcast shape of the values. Returns false with TSR_ERR_BROADCAST. */
bool tsr__broadcast_shape(tsr_context *c, const tsr_location *where, int n, const tsr_value *xs,
                          const tsr_operand *operands, tsr_dims *out);
static inline bool tsr__has_shape(const tsr_view *v, const tsr_dims *shape)
{
  if (v->ndim != shape->ndim) return false;
  int64_t differ = 0;
  for (int k = 0; k < v->ndim; k++) differ |= v->shape[k] ^ shape->n[k];
  return differ == 0;
}
/** Writes the shape of a view in place: a copy by wide loads would wait for the narrow stores. */
static inline void tsr__shape_to(const tsr_view *v, tsr_dims *out)
{
  out->ndim = v->ndim;
  for (int k = 0; k < v->ndim; k++) out->n[k] = v->shape[k];
}
static inline tsr_dims tsr__shape_of(const tsr_view *v)
{
  tsr_dims shape = {.ndim = 0};
  tsr__shape_to(v, &shape);
  return shape;
}
/** Returns the shape of an array or of a scalar, which has no axes. */
static inline tsr_dims tsr__value_shape(const tsr_value *x)
{
  return x->region ? tsr__shape_of(&x->view->view) : (tsr_dims){.ndim = 0};
}
static inline bool tsr__same_shape(const tsr_dims *a, const tsr_dims *b)
{
  bool same = a->ndim == b->ndim;
  for (int k = 0; same && k < a->ndim; k++) same = a->n[k] == b->n[k];
  return same;
}
tsr_op_in tsr__in_broadcast(const tsr_value *x, const tsr_dims *domain);
/** Returns a value as an operand of an op over `domain`: its view, broadcast. The view is counted;
 * tsr__in_drop releases it after recording. */
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

/** A new region with an identity view and a handle in the innermost scope. */
typedef struct tsr_new {
  tsr_array array;
  tsr_region *region;
  tsr_view_ref *view; /* borrowed from the handle */
} tsr_new;
tsr_new tsr__make(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                  const tsr_dims *shape);
/** Makes a new array as tsr__make does, of the shape of an existing identity view. */
tsr_new tsr__make_like(tsr_context *c, const tsr_location *where, tsr_dtype dtype,
                       tsr_view_ref *identity);
/** Records `region[...] = value` as the region's first write. The value may have any dtype. */
void tsr__fill(tsr_context *c, const tsr_location *where, tsr_scalar value, const tsr_new *out);
/** Looks up an array, or makes a 0-d array of a scalar. Returns false with an error. */
bool tsr__as_array(tsr_context *c, const tsr_location *where, tsr_operand x, tsr_value *out);
/** Returns the number of elements of a view, or -1 with TSR_ERR_DTYPE, TSR_ERR_SHAPE or
 * TSR_ERR_SIZE if the shape is impossible for `dtype`. */
int64_t tsr__checked_view_size(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                               tsr_dtype dtype);
/** tsr__checked_view_size of an array that is made: also -1 with TSR_ERR_MEMORY if all ranks
 * together cannot address its bytes. */
int64_t tsr__checked_size(tsr_context *c, const tsr_location *where, const tsr_dims *shape,
                          tsr_dtype dtype);
/** Allocates zeroed host memory for n elements that a function of this layer needs besides arrays;
 * the caller calls free(). Returns NULL with TSR_ERR_MEMORY, on every rank alike, above the agreed
 * limit. */
void *tsr__host_alloc(tsr_context *c, const tsr_location *where, int64_t n, size_t elem_bytes);
/** Returns the handle of an array that is to be written, or NULL with *status after reporting the
 * error. */
tsr_handle *tsr__target_of(tsr_context *c, const tsr_location *where, tsr_array target,
                           tsr_status *status);
/** Returns false with TSR_ERR_DTYPE, which names the function, if the dtype is complex. */
bool tsr__check_real(tsr_context *c, const tsr_location *where, const char *name, tsr_dtype dtype,
                     tsr_operand x);
/** A statement ended, and its scope is closed: a place where the window may run. Returns the run's
 * status. */
tsr_status tsr__statement_ended(tsr_context *c);
/** Flushes the window if it has reached its hard limit. It is called after an op was recorded. */
void tsr__flush_full(tsr_context *c);
static inline void tsr__recorded(tsr_context *c)
{
  const tsr_config *config = &c->world.config;
  if (c->window.n_ops >= config->window_cap || config->inorder) tsr__flush_full(c);
}

/** Returns x with a new axis of length 1, as numpy.expand_dims does with an integer axis. */
tsr_array tsr__expand_dims(const tsr_location *where, tsr_array x, int axis);

/** Records an elementwise operation; every tsr_<op>_at calls it. Returns the null handle on
 * failure. */
tsr_array tsr__map_at(const tsr_location *where, tsr_opcode op, int n, const tsr_operand *xs);
/** Checks the exponent of a power that is computed in `compute`: NumPy refuses integers to negative
 * integer powers. Only scalars can be checked. Returns false with TSR_ERR_ARGUMENT. */
bool tsr__check_exponent(tsr_context *c, const tsr_location *where, tsr_dtype compute,
                         const tsr_value *exponent);
/** Returns of how many factors values[0]**values[1] is made as a product, which it is if the
 * exponent is a scalar and a small whole number; 0: it is made as a power. */
int tsr__power_factors(const tsr_value *values);
/** Records x**y, of the operands that `values` belong to, as a product of n factors. */
tsr_array tsr__power_product(const tsr_location *where, const tsr_operand *xs,
                             const tsr_value *values, int n);
/** Returns whether two arrays, one of uint64 and one of signed integers, promote to a float dtype
 * that represents neither exactly. */
bool tsr__is_mixed_comparison(const tsr_value *xs);
/** Compares such arrays exactly, as NumPy does. */
tsr_array tsr__compare_mixed(const tsr_location *where, tsr_opcode op, const tsr_operand *xs,
                             bool signed_first);
/** tsr_nextafter for float16 and for operands that promote to it. */
tsr_array tsr__nextafter_half(const tsr_location *where, const tsr_operand *xs);
/** Returns whether clip of an array of an integer dtype ignores the bound because it lies beyond
 * all numbers of the dtype, as in NumPy. */
bool tsr__clip_drops(tsr_operand bound, tsr_dtype dtype, bool is_lower);
/** Records a reduction. axes: NULL means all. mean: the sum is divided by the number of
 * elements. */
tsr_array tsr__reduce_at(const tsr_location *where, tsr_reduction op, bool mean, tsr_operand x,
                         unsigned n_axes, const int *axes, bool keepdims);
/** Returns the elements of array x at the flat positions `index` (integers; an array or a scalar),
 * in the shape of `index`. Elements at positions outside x are 0 (array/ops/take.c). */
tsr_operand tsr__take(const tsr_location *where, tsr_operand x, tsr_operand index);
/** Records x op= y, where op is TSR_OP_ADD, SUBTRACT, MULTIPLY or DIVIDE. tsr_assign_at is the
 * plain assignment. */
tsr_status tsr__iop_at(const tsr_location *where, tsr_opcode op, tsr_array target,
                       tsr_operand value);

#endif
