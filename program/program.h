/* The waist: operations recorded over regions, in a window, in program order. Everything above
 * makes these; everything below consumes them. Order gives SSA: an op reads, of every region, the
 * version that the ops before it left. */
#ifndef TSR_PROGRAM_H
#define TSR_PROGRAM_H

#include "kernel/ir/kernel.h"
#include "runtime/base/arena.h"
#include "kernel/reduce/reduce.h"
#include "kernel/ir/task.h"
#include "partition/partition.h"
#include "runtime/runtime.h"
#include "runtime/base/alloc.h"

/** What one allocation in NumPy is: an index box with a dtype. Counted references: array handles,
 * ops that wait. */
typedef struct tsr_region {
  uint64_t id; /* number of its creation: the same on every rank */
  tsr_dtype dtype;
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  int64_t n_elems;
  const tsr_location *made; /* static */
  int32_t n_handles;        /* arrays (views of it) alive; by the array layer */
  int32_t n_stored;  /* of which belong to no open TSR_SCOPE (root scope, hold, statement reads):
                        such a value is stored at a flush */
  int32_t n_ops;     /* ops in the window that read or write it */
  bool was_assigned; /* written by an assignment: always stored */
  bool
      replicate; /* every rank is to have all of it, whatever its size (what a read gathers into) */
  bool poisoned; /* its value was lost to an error: reads give NaN in return mode */
  int32_t n_lent;     /* lendings of this rank's tile (tsr_local) that have not ended; alike on all
                         ranks. A write is refused then, and its memory stays where it is */
  bool lent_writable; /* the only one: reads are refused, too */
  const tsr_location *lender;  /* the newest call that lent it */
  struct tsr_storage *storage; /* the scheduler's; NULL while it is only a deferred value */
  int32_t
      local; /* scratch of the passes over one window: this region's number by first use, or -1 */
  struct tsr_region *next, *prev; /* all regions of the window */
} tsr_region;

/** A shared view, immutable once an op has used it; counted. Its memory goes back to the window
 * that it came from. */
typedef struct tsr_view_ref {
  int32_t n_refs;
  struct tsr_window *window;
  /* Known once asked for; 0: not yet. */
  uint64_t form_hash; /* of all but the offsets */
  uint64_t hash;      /* of all, for the op stream */
  int8_t injective;   /* 1: yes, -1: no */
  bool is_identity;   /* made as such, for all arrays of its shape; false: not known */
  tsr_view view;
} tsr_view_ref;
tsr_view_ref *tsr__view_ref_new(struct tsr_window *w, const tsr_view *v);
/** The identity view of a shape; most arrays of one shape share it. */
tsr_view_ref *tsr__view_ref_identity(struct tsr_window *w, int ndim, const int64_t *shape);
/** A copy that begins elsewhere: the caller changes its offsets. */
tsr_view_ref *tsr__view_ref_moved(const tsr_view_ref *v);
bool tsr__view_ref_is_injective(tsr_view_ref *v);
/** Of all that it is, for the op stream; never 0. */
uint64_t tsr__view_ref_hash(tsr_view_ref *v);
void tsr__view_ref_free(tsr_view_ref *v);
static inline tsr_view_ref *tsr__view_ref_take(tsr_view_ref *v)
{
  v->n_refs++;
  return v;
}
static inline void tsr__view_ref_drop(tsr_view_ref *v)
{
  if (v != NULL && --v->n_refs == 0) tsr__view_ref_free(v);
}

typedef enum tsr_op_kind {
  TSR_OPKIND_MAP,    /* out[i] = opcode(in0[i], in1[i], …) over the out view's index space */
  TSR_OPKIND_COPY,   /* out[i] = cast(in0[i]); in0 may be a scalar (fill) */
  TSR_OPKIND_IOTA,   /* out[i] = i[axis] as int64 */
  TSR_OPKIND_RANDOM, /* out[i] = random function(in0[i], …), all int64 */
  TSR_OPKIND_REDUCE, /* out = reduction of in0 over axes */
  TSR_OPKIND_ROLL,   /* out[i] = in0[i - shift, around the end of the axis]; in1: the shift */
  /* A C function over boxes of the domain (kernel/ir/task.h). A user's that makes several regions
   * is as many ops in a row, of which the first has the operands; all of them run, or none, as one
   * group. */
  TSR_OPKIND_TASK
} tsr_op_kind;

/** An operand: a region through a view whose shape is already broadcast to the op's domain, or a
 * scalar. */
typedef struct tsr_op_in {
  tsr_region *region; /* NULL: scalar */
  tsr_view_ref *view; /* counted; NULL for a scalar */
  tsr_scalar scalar;
} tsr_op_in;

/** An argument of a call of a user's task. */
typedef struct tsr_task_parameter {
  tsr_dtype dtype;
  bool is_raw;     /* an input: all of it */
  bool is_reduced; /* an output: one value per block */
  int32_t access;  /* its operand, or the number of operands plus that of its output; -1: it has
                      none: a scalar, which is `value`, or nothing */
  int32_t begins;  /* of an input that is written: the operand whose values it has before; or -1 */
  tsr_view_ref *own; /* counted: its elements by their index in the domain of points, of a raw input
                        by its own; NULL: none */
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM]; /* width of the halo along the points' axes */
  union {
    char bytes[16];
    double align;
  } value;
} tsr_task_parameter;

/** A call of a user's task: what its op holds beside operands. The op's domain is that of the
 * points, or, of one with outputs that are reduced, that of their blocks: block b has the points
 * from b * block to (b + 1) * block, as far as there are any. */
typedef struct tsr_task_call {
  tsr_task_function run;
  uint32_t number;           /* of the task: the same on every rank */
  const char *name;          /* the context's */
  const tsr_location *where; /* static */
  int32_t ndim;
  bool is_blocked;
  int64_t points[TSR_MAX_NDIM], block[TSR_MAX_NDIM]; /* block: 1 unless is_blocked */
  int32_t n_in, n_out, n_stored;                     /* stored: ops */
  void *data;                                        /* owned; NULL: none */
  size_t data_bytes;
  tsr_task_parameter parameters[]; /* inputs, then outputs, as declared */
} tsr_task_call;
/** Frees it, with what it holds. */
void tsr__task_call_free(tsr_task_call *call);

/** Where the program wants an op to run: a hint that no value depends on. */
typedef enum tsr_side { TSR_SIDE_ANY, TSR_SIDE_HOST, TSR_SIDE_DEVICE } tsr_side;

typedef struct tsr_op {
  uint8_t kind; /* tsr_op_kind */
  uint8_t n_in;
  uint8_t compute; /* tsr_dtype that operands are cast to */
  uint8_t result;  /* tsr_dtype of the value before it is cast to the out region's dtype */
  uint16_t code;   /* tsr_opcode (MAP), tsr_reduction (REDUCE), axis (IOTA, ROLL), tsr_random,
                         tsr_task_code */
  bool keepdims;   /* REDUCE: out has the reduced axes with length 1 */
  bool creates;    /* first write of `out`, whole: makes the region's value without reading it */
  bool ran;     /* executed by an earlier flush, and its value was not stored (a deferred value) */
  uint8_t side; /* tsr_side */
  uint8_t follows;     /* TASK: how many ops before it the operands are; 0: they are its own */
  uint32_t axes_mask;  /* REDUCE; TASK: axes of the domain that `out` lacks, which are never cut */
  tsr_task_call *call; /* owned; of the first op of a user's task, else NULL */
  tsr_region *out;
  tsr_view_ref *out_view; /* whose shape is the domain (REDUCE: the domain is in[0]'s shape; TASK:
                             with the axes that out lacks, along which the view does not move) */
  const tsr_location *where;
  uint64_t seq;
  tsr_op_in in[]; /* n_in */
} tsr_op;

#define TSR_GUARD_RING 1024
#define TSR_N_IDENTITIES 8

/** Freed pieces of one size, linked through their first word, so that a steady loop of recording
 * and flushing allocates nothing. */
typedef struct tsr_free_list {
  void *first;
} tsr_free_list;

/** What a call got, for the error that the ranks diverged there. */
typedef struct tsr_recent {
  uint64_t seq;
  tsr_op *op;         /* owned: it is over and has no regions any more; NULL: none */
  tsr_view_ref *view; /* counted: of the array that an event is about; NULL: none */
  tsr_dtype dtype;    /* of that array */
  char note[80];      /* of an event */
} tsr_recent;

/** The ops that wait, oldest first. One per context. */
typedef struct tsr_window {
  tsr_world *world;
  tsr_op **ops;
  int32_t n_ops, capacity;
  tsr_region *regions; /* all alive, newest first */
  uint64_t n_regions_made;
  int64_t n_regions;
  uint64_t ring_hash[TSR_GUARD_RING]; /* world->hash after call seq, at seq % ring: to name the
                                         first call that differs */
  const tsr_location *ring_where[TSR_GUARD_RING];
  tsr_recent *recent; /* [TSR_GUARD_RING], call seq at seq % ring; NULL where no rank compares */
  tsr_view_ref
      *identities[TSR_N_IDENTITIES]; /* of recent shapes, counted; by a hash of the shape */
  tsr_free_list free_views, free_regions, free_ops[TSR_MAX_OP_ARGS + 1]; /* ops by operands */
  uint8_t side; /* tsr_side of what is recorded now */
  bool closed;  /* what is freed from now on goes to the system */
  /* The scheduler's: frees r->storage. Set when the scheduler is created. */
  void (*release_storage)(tsr_region *r);
} tsr_window;

void tsr__window_init(tsr_window *w, tsr_world *world);
/** Drops the ops. Regions must be gone: those that are not are reported as a defect. */
void tsr__window_free(tsr_window *w);

/** A piece of `bytes` from the list, or new; back into it, or to the system if the window is
 * closed. */
static inline void *tsr__pool_take(tsr_free_list *list, size_t bytes)
{
  void *p = list->first;
  if (p == NULL) return tsr__malloc(bytes);
  list->first = *(void **)p;
  return p;
}
void tsr__pool_give(const tsr_window *w, tsr_free_list *list, void *p);

/** A region with no value yet and no handles; freed when n_handles and n_ops are both 0
 * (tsr__region_maybe_free). Sizes are already overflow-checked. */
tsr_region *tsr__region_create(tsr_window *w, tsr_dtype dtype, int ndim, const int64_t *shape,
                               const tsr_location *where);
/** Free it if nothing refers to it; its storage goes through w->release_storage. */
void tsr__region_maybe_free(tsr_window *w, tsr_region *r);

/* Recording. Shapes, dtypes and casts are already checked by the array layer; views are taken
 * (their counts raised). Each numbers the call and folds it (op, regions by id, views, scalar bits)
 * into world->hash. Cost: <= 0.5 us. Never waits. */
void tsr__record_map(tsr_window *w, const tsr_location *where, tsr_opcode op, tsr_dtype compute,
                     tsr_dtype result, int n_in, const tsr_op_in *in, tsr_region *out,
                     tsr_view_ref *out_view, bool creates);
void tsr__record_copy(tsr_window *w, const tsr_location *where, const tsr_op_in *in,
                      tsr_region *out, tsr_view_ref *out_view, bool creates);
void tsr__record_iota(tsr_window *w, const tsr_location *where, int axis, tsr_region *out,
                      tsr_view_ref *out_view);
void tsr__record_random(tsr_window *w, const tsr_location *where, tsr_random f, const tsr_op_in *in,
                        tsr_region *out, tsr_view_ref *out_view);
/** `in` over out's shape, read periodically along one axis: 0 < shift < its length. */
void tsr__record_roll(tsr_window *w, const tsr_location *where, const tsr_op_in *in, int axis,
                      int64_t shift, tsr_region *out, tsr_view_ref *out_view);
void tsr__record_reduce(tsr_window *w, const tsr_location *where, tsr_reduction op,
                        tsr_dtype compute, tsr_dtype result, const tsr_op_in *in,
                        uint32_t axes_mask, bool keepdims, tsr_region *out, tsr_view_ref *out_view);
/** A task over the shape of out_view. `axes_mask`: axes of it that `out` lacks; every rank that
 * computes an element has all of them. creates: else `out` is among the operands. */
void tsr__record_task(tsr_window *w, const tsr_location *where, tsr_task_code code, tsr_dtype dtype,
                      int n_in, const tsr_op_in *in, uint32_t axes_mask, tsr_region *out,
                      tsr_view_ref *out_view, bool creates);
/** What a user's task writes: a region through a view whose shape is the op's domain. */
typedef struct tsr_task_out {
  tsr_region *region;
  tsr_view_ref *view;
  bool creates;
} tsr_task_out;
/** A user's task (taken), as call->n_stored ops. If `creates` is false there is one output only,
 * and no operand reads its region but by the same view. */
void tsr__record_user_task(tsr_window *w, const tsr_location *where, tsr_task_call *call, int n_in,
                           const tsr_op_in *in, const tsr_task_out *outs);
/** Is it an op of a user's task? */
static inline bool tsr__op_is_user_task(const tsr_op *op)
{
  return op->kind == TSR_OPKIND_TASK && op->code == TSR_TASK_CODE_USER;
}
/** Number and hash a call that makes no op: keep, release, scope ends, reads; also a failed call.
 */
void tsr__record_event(tsr_window *w, const tsr_location *where, uint64_t what, uint64_t detail);
/** What the event recorded last is about: an array, or numbers. For the error that the ranks
 * diverged there; nothing on one rank. */
void tsr__note_array(tsr_window *w, tsr_dtype dtype, tsr_view_ref *view);
void tsr__note_event(tsr_window *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** Keep an op that is over (taken), of which the regions are dropped already. */
void tsr__recent_op(tsr_window *w, tsr_op *op);
void tsr__recent_free(tsr_window *w);
/** Append what the call `seq` got, if it is known. */
void tsr__call_values(const tsr_window *w, uint64_t seq, tsr_text *t);
/** Free an op that has no regions any more. */
void tsr__op_free(tsr_window *w, tsr_op *op);

/** Remove from the window the ops with drop[i] set, freeing what only they referred to. */
void tsr__window_remove(tsr_window *w, const bool *drop);
/** What a flush does with each waiting op. */
typedef enum tsr_action {
  TSR_ACT_DROP, /* nobody will ever read what it writes */
  TSR_ACT_KEEP, /* a deferred value: only open scopes hold it and this flush does not need it */
  TSR_ACT_RUN
} tsr_action;

/** The first pass: which ops run, which stay deferred values, which are dead (select.c). */
typedef struct tsr_selection {
  int32_t n_ops, n_regions;
  tsr_action *action;   /* [n_ops] */
  tsr_region **regions; /* [n_regions] regions of the window's ops, by first use; region->local is
                           the index */
  bool *store;          /* [n_regions] the value at the end of the window must be stored */
  const int64_t (*shift)[TSR_MAX_NDIM]; /* [n_regions] how far each region's views lie from those
                                         * that a remembered plan was made for; NULL: not at all */
  bool *deferred; /* [n_ops] runs now, but also stays in the window unless its value comes to be
                   stored */
} tsr_selection;

/** Number the regions of the window's ops by first use: fills out->regions, n_regions and each
 * region's `local`. */
void tsr__number_regions(const tsr_window *w, tsr_selection *out, tsr_arena *arena);
/** Pure function of the window and of the handles alive. target: a region about to be read (or
 * NULL). everything: store what open scopes hold, too. Arrays live in `arena`. Cost: a few passes
 * over the ops. */
void tsr__select(const tsr_window *w, const tsr_region *target, bool everything, tsr_arena *arena,
                 tsr_selection *out);
/** "run   %3 …" one line per op. malloc'd. */
char *tsr__selection_text(const tsr_window *w, const tsr_selection *s);

/** Text of the window, one op a line: "%12 = add(r3[0:4], 2.0)  heat.c:57". malloc'd. */
char *tsr__window_text(const tsr_window *w);
/** Append what the op reads and writes, for users: scalars' values, arrays' shapes and views. */
void tsr__op_values(const tsr_op *op, tsr_text *t);
/** Append "(2, 3) float64 at [0:2, ::3] of (5, 9)". region: whose shape is the last, may be NULL.
 */
void tsr__add_view(tsr_text *t, tsr_dtype dtype, const tsr_region *region, const tsr_view *v);

#endif
