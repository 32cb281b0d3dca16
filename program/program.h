/* The waist: operations (ops) recorded over regions, in a window, in program order. Everything
 * above makes ops; everything below consumes them. Order gives SSA: an op reads, of every region,
 * the version that the ops before it left. */
#ifndef TSR_PROGRAM_H
#define TSR_PROGRAM_H

#include "kernel/ir/kernel.h"
#include "runtime/base/arena.h"
#include "kernel/reduce/reduce.h"
#include "kernel/library/task.h"
#include "partition/partition.h"
#include "runtime/runtime.h"
#include "runtime/base/alloc.h"

/** A region: what one allocation is in NumPy, an index box with a dtype. Array handles and waiting
 * ops count it. */
typedef struct tsr_region {
  uint64_t id; /* number of its creation; the same on every rank */
  tsr_dtype dtype;
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  int64_t n_elems;
  const tsr_location *made; /* static */
  int32_t n_handles;        /* arrays alive that are views of it; the array layer counts them */
  int32_t n_stored;     /* of these, the ones that belong to no open TSR_SCOPE (root scope, hold,
                         statement reads). If there are any, the value is stored at a flush */
  int32_t n_ops;        /* ops in the window that read or write it */
  int32_t n_lent;       /* lendings of this rank's tile (tsr_local) that have not ended; the same on
                         every rank. Writes are refused then, and the memory stays */
  int32_t n_lent_there; /* of these, those of the tile in a device's memory; of this rank alone */
  bool lent_writable;   /* the only lending is for writing: reads are refused, too */
  bool was_assigned;    /* an assignment wrote it, so that it is always stored */
  bool replicate;       /* every place gets all of it, whatever its size (for reads) */
  bool poisoned;        /* its value was lost to an error: reads give NaN in return mode */
  uint64_t copy_of; /* 1 + the id of the region of which it is a copy, where the program may take it
                       for a view; 0: of none. The array layer refuses writes to such copies */
  bool copy_has_gaps; /* the view would lead to elements that do not lie side by side: parts of
                         complex numbers */
  bool is_turned; /* NumPy lays this result out as its operands lie, not row by row: a reshape that
                     is a view here may be a copy there. Only the marks of copies ask for it */
  bool is_column_major;        /* NumPy lays this region out column by column, as order="F" says */
  const tsr_location *lender;  /* the newest call that lent it */
  struct tsr_storage *storage; /* owned by the scheduler; NULL while the value is deferred */
  int32_t local;               /* scratch of passes over a window: its number by first use, or -1 */
  /* Of the steps of a loop (window.c): the window in which the region was written last; the hash of
   * the view that it was written through; whether it was read through another one since then. */
  uint64_t written_in, written_as;
  bool was_read_displaced;
  struct tsr_region *next, *prev; /* the list of all regions of the window */
} tsr_region;

/** A shared view: counted, and immutable once an op has used it. Its memory goes back to the window
 * that it came from. */
typedef struct tsr_view_ref {
  int32_t n_refs;
  struct tsr_window *window;
  /* These are computed when first asked for; 0: not yet. */
  uint64_t form_hash; /* of all fields but the offsets */
  uint64_t hash;      /* of all fields, for the op stream */
  int8_t injective;   /* 1: yes, -1: no */
  bool is_identity;   /* made as the identity that arrays of its shape share; false: unknown */
  tsr_view view;
} tsr_view_ref;
tsr_view_ref *tsr__view_ref_new(struct tsr_window *w, const tsr_view *v);
/** The identity view of a shape; most arrays of one shape share it. */
tsr_view_ref *tsr__view_ref_identity(struct tsr_window *w, int ndim, const int64_t *shape);
/** The two pieces of a periodic read of v's elements: index i of the axis, of length n, leads to
 * where i - shift (mod n) led, 0 < shift < n. Recent pieces are shared. Both are counted for the
 * caller. */
void tsr__view_ref_rolled(tsr_view_ref *v, int axis, int64_t shift, tsr_view_ref *piece[2]);
/** The view with its axes in reverse order; recent ones are shared. It is counted for the
 * caller. */
tsr_view_ref *tsr__view_ref_transposed(tsr_view_ref *v);
/** A copy of the view whose offsets the caller then changes. */
tsr_view_ref *tsr__view_ref_moved(const tsr_view_ref *v);
/** Give a view that nobody else has yet, one of part of `part_of`, another length along an axis. */
void tsr__view_ref_resize(tsr_view_ref *v, int axis, int64_t length, const tsr_view_ref *part_of);
bool tsr__view_ref_is_injective(tsr_view_ref *v);
/** The hash of the whole view, for the op stream; never 0. */
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
  TSR_OPKIND_MAP, /* out[i] = opcode(in0[i], in1[i], …) over the out view's index space */
  /* out[i] = cast(in0[i]); in0 may be a scalar (fill). Several operands are the pieces of one
   * value: a region through bounded views that share no index and together leave none out.
   * Then out[i] is read through the view that leads somewhere from i, as a roll does on either
   * side of its seam */
  TSR_OPKIND_COPY,
  TSR_OPKIND_IOTA,   /* out[i] = i[axis] as int64 */
  TSR_OPKIND_RANDOM, /* out[i] = random function(in0[i], …), all int64 */
  TSR_OPKIND_REDUCE, /* out = reduction of in0 over axes */
  /* out[i] = in0[i], in1[i], … combined as a reduction's tree combines them, over the out view's
   * index space. It is never recorded: planning makes it of a REDUCE of few elements
   * (scheduler/plan/fold.h) */
  TSR_OPKIND_FOLD,
  /* A C function over boxes of the domain (kernel/library/task.h). A user's task that makes several
   * regions is as many ops in a row, of which the first has the operands. All of them run, or none,
   * as one group. */
  TSR_OPKIND_TASK,
  /* An op that computes nothing: it brings in what in0's view reaches around every tile of in0's
   * region. `out` never gets a value. The domain is the region's index space. */
  TSR_OPKIND_HALO
} tsr_op_kind;

/** An operand: a scalar, or a region through a view whose shape is already broadcast to the op's
 * domain. */
typedef struct tsr_op_in {
  tsr_region *region; /* NULL: scalar */
  tsr_view_ref *view; /* counted; NULL for a scalar */
  tsr_scalar scalar;
} tsr_op_in;

struct tsr_task_call;
struct tsr_window;

/** An argument of a call of a user's task. */
typedef struct tsr_task_parameter {
  tsr_dtype dtype;
  bool is_raw;       /* an input of which every element may be read anywhere */
  bool is_reduced;   /* an output with one value per block, or one array of values */
  int32_t access;    /* number of its operand; of an output, of the output, counted on from the
                        operands; -1: it has none, as a scalar, which is `value` */
  int32_t begins;    /* for an input that is written: the operand that it begins with; else -1 */
  tsr_view_ref *own; /* counted: leads an index of the points, for a raw input an index of its
                        own, to its element; NULL: none */
  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM]; /* width of the halo along the points' axes */
  int32_t n_extent; /* axes that an output has beside the blocks', flat in the domain's last one */
  int64_t extent[TSR_MAX_NDIM];
  union { /* a scalar; of a reduced output, what its elements begin as */
    char bytes[16];
    double align;
  } value;
} tsr_task_parameter;

/** What calls of a user's task have in common whose arguments lie alike: all that its op holds
 * beside operands and data. The op's domain is that of the points, or, if outputs are reduced, that
 * of blocks: block b begins at point b * block and ends at the next block's beginning or the
 * domain's end. Where outputs have an extent, the domain has one axis more behind those of blocks,
 * as long as the largest. Counted, and immutable once an op has it. */
typedef struct tsr_task_form {
  int32_t n_refs;
  uint64_t id; /* its number among those of its window; on each rank its own */
  tsr_task_function run;
  /* Calls `run` on the thread that has the box; the array layer sets it, which keeps the function
   * from making calls of Tessera. */
  int (*enter)(const struct tsr_task_call *call, const tsr_task_box *box);
  uint32_t number;  /* number of the task; the same on every rank */
  const char *name; /* owned by the context */
  /* what devices that run no C run in its place (task_cuda.h), owned by the context; NULL:
   * nothing */
  const struct tsr_task_kernel *cuda;
  int32_t ndim;
  bool is_blocked;
  int64_t points[TSR_MAX_NDIM], block[TSR_MAX_NDIM]; /* block: 1 unless is_blocked */
  int64_t extent; /* length of the domain's axis behind those of blocks; 0: it has none */
  uint32_t whole; /* bits of the axes of the op's domain that no box cuts */
  int64_t
      grain; /* indices of the op's domain that are worth a chunk, and a tile; 0: not declared */
  int32_t n_in, n_out, n_stored;   /* n_stored: ops that a call is */
  tsr_task_parameter parameters[]; /* inputs, then outputs, as declared */
} tsr_task_form;
static inline tsr_task_form *tsr__task_form_take(tsr_task_form *f)
{
  f->n_refs++;
  return f;
}
/** NULL is ignored. */
void tsr__task_form_drop(tsr_task_form *f);

enum { TSR_TASK_FEW_BYTES = 64 };
/** A call of a user's task: what its op holds beside operands. */
typedef struct tsr_task_call {
  tsr_task_form *form;       /* counted */
  const tsr_location *where; /* static */
  void *data;                /* `few`, or owned; NULL: none */
  size_t data_bytes;
  _Alignas(16) char few[TSR_TASK_FEW_BYTES]; /* data of so few bytes */
} tsr_task_call;
/** A call with a copy of the data, of which there may be none. The form is taken. */
tsr_task_call *tsr__task_call_new(struct tsr_window *w, tsr_task_form *form,
                                  const tsr_location *where, const void *data, size_t data_bytes);
/** Free the call and what it holds; its data alone, early, as that may be large. */
void tsr__task_call_free(struct tsr_window *w, tsr_task_call *call);
void tsr__task_call_free_data(tsr_task_call *call);

/** Where the program wants an op to run. No value depends on this hint. */
typedef enum tsr_side { TSR_SIDE_ANY, TSR_SIDE_HOST, TSR_SIDE_DEVICE } tsr_side;

typedef struct tsr_op {
  uint8_t kind; /* tsr_op_kind */
  uint8_t n_in;
  uint8_t compute; /* tsr_dtype that operands are cast to */
  uint8_t result;  /* tsr_dtype of the value before it is cast to the out region's dtype */
  uint16_t code;   /* tsr_opcode (MAP), tsr_reduction (REDUCE), axis (IOTA), tsr_random,
                      tsr_task_code */
  bool keepdims;   /* REDUCE: out has the reduced axes with length 1 */
  bool creates;    /* the op is the first write of `out`, covers it, and does not read it */
  bool ran;        /* an earlier flush ran the op and did not store its value, which is deferred */
  uint8_t side;    /* tsr_side */
  uint8_t follows; /* TASK: how many ops before this one has the operands; 0: this one */
  bool leaves;     /* the next tsr__window_remove ends the op */
  uint32_t axes_mask;  /* REDUCE, TASK: axes of the domain that `out` lacks */
  tsr_task_call *call; /* owned: the first op of a user's task has it; else NULL */
  tsr_region *out;
  tsr_view_ref *out_view; /* its shape is the domain. REDUCE: the domain is in[0]'s shape. TASK:
                             the view has the axes that `out` lacks and does not move along them */
  const tsr_location *where;
  uint64_t seq;
  tsr_op_in in[]; /* [n_in] */
} tsr_op;

#define TSR_GUARD_RING 1024
#define TSR_N_IDENTITIES 8
#define TSR_N_DERIVED 16

/** Views that were made of another one, remembered for the next call like that: the pieces of a
 * periodic read, or the transposed view (axis -1). */
typedef struct tsr_derived {
  tsr_view_ref *of, *made[2]; /* counted; NULL: the entry is free, or nothing was made */
  int axis;
  int64_t shift;
} tsr_derived;

/** Freed pieces of one size, linked through their first word, so that a steady loop of recording
 * and flushing allocates nothing. */
typedef struct tsr_free_list {
  void *first;
} tsr_free_list;

/** What a call got, for the error that the ranks diverged at that call. */
typedef struct tsr_guarded_call {
  uint64_t seq;
  tsr_op *op;         /* owned: the call's op, which is over and has no regions; NULL: none */
  tsr_view_ref *view; /* counted: the view of the array that an event is about; NULL: none */
  tsr_dtype dtype;    /* the dtype of that array */
  char note[80];      /* a note about an event */
} tsr_guarded_call;

struct tsr_stored; /* canonical.h */

/** The ops that wait, oldest first. One per context. */
typedef struct tsr_window {
  tsr_world *world;
  tsr_op **ops;
  int32_t n_ops, capacity;
  tsr_region *regions; /* all regions alive, newest first */
  uint64_t n_regions_made, n_forms_made;
  int64_t n_regions;
  uint64_t ring_hash[TSR_GUARD_RING]; /* world->hash after call seq, at seq % TSR_GUARD_RING:
                                         names the first call that differs between ranks */
  const tsr_location *ring_where[TSR_GUARD_RING];
  /* [TSR_GUARD_RING], by seq % TSR_GUARD_RING; NULL where no ranks compare */
  tsr_guarded_call *recent;
  tsr_view_ref
      *identities[TSR_N_IDENTITIES];  /* of recent shapes, counted; by a hash of the shape */
  tsr_derived derived[TSR_N_DERIVED]; /* by a hash of what was asked */
  tsr_free_list free_views, free_regions, free_calls,
      free_ops[TSR_MAX_OP_ARGS + 1]; /* free_ops: by operands */
  uint8_t side;                      /* tsr_side of the ops that are recorded now */
  uint64_t n_windows;                /* that have ended: ops were removed */
  /* How often a large region was written, read through another view and written again: steps of a
   * loop, of which many in one window may be tiled over time; and how often one was reduced. Is any
   * of the steps one over much of its region, and not over a few rows? */
  int32_t n_steps, n_reduced;
  bool steps_over_much;
  bool closed; /* pieces that are freed from now on go to the system */
  /* The scheduler, which stores regions, sets both when it is created. The first frees r->storage,
   * the second copies what a program may know of it (canonical.h), extents into `arena` unless
   * `out` has space for them. */
  void (*release_storage)(tsr_region *r);
  void (*describe_storage)(const tsr_region *r, tsr_arena *arena, struct tsr_stored *out);
} tsr_window;

void tsr__window_init(tsr_window *w, tsr_world *world);
/** Drop the ops. All regions must be freed; those that are not are reported as a defect. */
void tsr__window_free(tsr_window *w);

/** take: a piece of `bytes` from the list, or a new one. give: put it back, or free it if the
 * window is closed. */
static inline void *tsr__free_list_take(tsr_free_list *list, size_t bytes)
{
  void *p = list->first;
  if (p == NULL) return tsr__malloc(bytes);
  list->first = *(void **)p;
  return p;
}
void tsr__free_list_give(const tsr_window *w, tsr_free_list *list, void *p);

/** A region with no value yet and no handles. tsr__region_maybe_free frees it when n_handles and
 * n_ops are both 0. The array layer has checked that sizes do not overflow. */
tsr_region *tsr__region_create(tsr_window *w, tsr_dtype dtype, int ndim, const int64_t *shape,
                               const tsr_location *where);
/** Free the region if nothing refers to it; its storage goes through w->release_storage. */
void tsr__region_maybe_free(tsr_window *w, tsr_region *r);

/* Recording. The array layer has checked shapes, dtypes and casts. Views are taken (their counts
 * raised). Each call is numbered and folded (op, regions by id, views, scalar bits) into
 * world->hash. Cost: a hash per operand. Never waits. */
void tsr__record_map(tsr_window *w, const tsr_location *where, tsr_opcode op, tsr_dtype compute,
                     tsr_dtype result, int n_in, const tsr_op_in *in, tsr_region *out,
                     tsr_view_ref *out_view, bool creates);
void tsr__record_copy(tsr_window *w, const tsr_location *where, const tsr_op_in *in,
                      tsr_region *out, tsr_view_ref *out_view, bool creates);
void tsr__record_iota(tsr_window *w, const tsr_location *where, int axis, tsr_region *out,
                      tsr_view_ref *out_view);
void tsr__record_random(tsr_window *w, const tsr_location *where, tsr_random f, const tsr_op_in *in,
                        tsr_region *out, tsr_view_ref *out_view);
/** A copy of one region, without a cast, through the bounded views of several operands. */
void tsr__record_pieces(tsr_window *w, const tsr_location *where, int n_in, const tsr_op_in *in,
                        tsr_region *out, tsr_view_ref *out_view);
void tsr__record_reduce(tsr_window *w, const tsr_location *where, tsr_reduction op,
                        tsr_dtype compute, tsr_dtype result, const tsr_op_in *in,
                        uint32_t axes_mask, bool keepdims, tsr_region *out, tsr_view_ref *out_view);
/** A task over the shape of out_view. `axes_mask`: the axes that `out` lacks; every rank that
 * computes an element has all of them. If `creates` is false, `out` is among the operands. */
void tsr__record_task(tsr_window *w, const tsr_location *where, tsr_task_code code, tsr_dtype dtype,
                      int n_in, const tsr_op_in *in, uint32_t axes_mask, tsr_region *out,
                      tsr_view_ref *out_view, bool creates);
/** What a user's task writes: a region through a view whose shape is the op's domain. */
typedef struct tsr_task_out {
  tsr_region *region;
  tsr_view_ref *view;
  bool creates;
} tsr_task_out;
/** Record the call of a user's task (taken) as call->n_stored ops. If `creates` is false there is
 * one output only, and operands read its region by the same view only. */
void tsr__record_user_task(tsr_window *w, const tsr_location *where, tsr_task_call *call, int n_in,
                           const tsr_op_in *in, const tsr_task_out *outs);
/** Bring in the halo of every tile of a stored region, `width` cells along its axes. Returns the
 * op's output, for which a flush runs the op. */
tsr_region *tsr__record_halo(tsr_window *w, const tsr_location *where, tsr_region *region,
                             const int64_t *width);
/** Number and hash a call that makes no op: keep, release, scope ends, reads; also a failed call.
 */
void tsr__record_event(tsr_window *w, const tsr_location *where, uint64_t what, uint64_t detail);
/** Note what the event recorded last is about, an array or numbers, for the error that the ranks
 * diverged there. Does nothing on one rank. */
void tsr__note_array(tsr_window *w, tsr_dtype dtype, tsr_view_ref *view);
void tsr__note_event(tsr_window *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/** Keep an op (taken) that is over and has no regions any more. */
void tsr__recent_op(tsr_window *w, tsr_op *op);
void tsr__recent_free(tsr_window *w);
/** Append what the call `seq` got, if it is known. */
void tsr__call_values(const tsr_window *w, uint64_t seq, tsr_text *t);
/** Free an op that has no regions any more. */
void tsr__op_free(tsr_window *w, tsr_op *op);

/** Remove from the window the ops that leave (op->leaves), freeing what only they referred to. */
void tsr__window_remove(tsr_window *w);
/** The window as text, one op a line: "%12 = add(r3[0:4], 2.0)  heat.c:57". malloc'd. */
char *tsr__window_text(const tsr_window *w);
/** The name of what an op of that kind does. `call`: of the first op of a user's task; else
 * NULL. */
const char *tsr__op_name(int kind, int code, const tsr_task_call *call);
/** Append what the op reads and writes, for users: scalars' values, arrays' shapes and views. */
void tsr__op_values(const tsr_op *op, tsr_text *t);
/** Append "(2, 3) float64 at [0:2, ::3] of (5, 9)". region: gives the last shape; may be NULL. */
void tsr__add_view(tsr_text *t, tsr_dtype dtype, const tsr_region *region, const tsr_view *v);

#endif
