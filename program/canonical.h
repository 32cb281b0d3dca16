/* The canonical program: a window as an object of its own, which owns everything it names.
 *
 * Regions are numbered by first use. Ops name regions by number and views by counted references;
 * of scalars only the dtype is kept, since values steer nothing. Beside the ops stands all else
 * that planning asks: who holds the regions, and of those that are stored the layout, how far their
 * memory extends, and which ghosts are valid. No region of the window is pointed to, so a program
 * can be kept, printed, compared and planned when the window has long gone. */
#ifndef TSR_CANONICAL_H
#define TSR_CANONICAL_H

#include "program/ghosts.h"

/** What a flush does with an op. */
typedef enum tsr_action {
  TSR_ACT_DROP, /* nobody will ever read the op's value */
  TSR_ACT_KEEP, /* its value is deferred: only open scopes hold it, and no op needs it now */
  TSR_ACT_RUN,
  TSR_ACT_REDIRECTED /* a copy: the ops that make what it copies write its result (redirect.c) */
} tsr_action;

/** An operand: a scalar, or a region through a view whose shape is the op's domain. */
typedef struct tsr_program_in {
  int32_t region;     /* number of the region; -1: a scalar */
  uint8_t dtype;      /* tsr_dtype of the scalar, or of the region */
  tsr_view_ref *view; /* counted; NULL for a scalar */
} tsr_program_in;

/** The call of a user's task, as far as plans depend on it. */
typedef struct tsr_program_call {
  uint32_t number;             /* number of the task; the same on every rank */
  int32_t n_stored;            /* ops that the call is */
  int64_t block[TSR_MAX_NDIM]; /* points of a block, per axis of the op's domain */
  int64_t grain, extent;       /* as in tsr_task_call */
  uint32_t whole;
  const struct tsr_task_kernel *cuda; /* borrowed from the context, which outlives the program */
} tsr_program_call;

/** The elements that a fold combines: an operand each, row-major by their index along the axes that
 * were reduced. */
typedef struct tsr_fold {
  int32_t ndim; /* of the axes that were reduced, in their order */
  int64_t shape[TSR_MAX_NDIM];
} tsr_fold;

/** An op; the fields that tsr_op has, too, mean what they mean there. */
typedef struct tsr_program_op {
  uint8_t kind, n_in, compute, result;
  uint16_t code;
  bool keepdims;
  bool creates; /* as recorded, or because the op that made `out` is dead (select.c) */
  bool ran;
  uint8_t side, follows;
  uint8_t action; /* tsr_action (select.c) */
  bool deferred;  /* it runs now, and stays in the window unless its value comes to be stored
                     (select.c) */
  uint32_t axes_mask;
  int32_t out;                  /* number of the region */
  tsr_view_ref *out_view;       /* counted */
  const tsr_program_call *call; /* NULL: it is not the first op of a user's task */
  const tsr_fold *fold;         /* of a FOLD; else NULL */
  tsr_program_in *in;           /* [n_in] */
  const tsr_location *where;    /* static: the call that recorded it */
} tsr_program_op;

/** How far a place's memory of a region extends. */
typedef struct tsr_extent {
  tsr_box alloc;   /* the tile and its halo, clipped to the region */
  int64_t aligned; /* index along the last axis of elements that begin a cache line */
} tsr_extent;

/** The value of a region that is stored. */
typedef struct tsr_stored {
  const tsr_layout *layout;
  tsr_extent *extents; /* [places of this rank] */
  tsr_ghosts ghosts;   /* owned */
} tsr_stored;

typedef struct tsr_program_region {
  uint8_t dtype; /* tsr_dtype */
  int32_t ndim;
  int64_t shape[TSR_MAX_NDIM];
  int64_t n_elems;
  bool is_held;  /* an array is a view of it */
  bool outlives; /* of these arrays one belongs to no open scope */
  bool was_assigned, replicate;
  bool exists;       /* it is stored, as `stored` says */
  bool store;        /* its value at the end must be stored (select.c) */
  tsr_stored stored; /* if it exists */
} tsr_program_region;

typedef struct tsr_program {
  tsr_program_op *ops; /* [n_ops] in program order */
  int32_t n_ops;
  tsr_program_region *regions; /* [n_regions] by first use */
  int32_t n_regions;
  int32_t n_places; /* of this rank: extents of each region */
  int32_t target;   /* the region that is about to be read, or -1 */
  bool everything;  /* store what open scopes hold, too */
} tsr_program;

/** What becomes of an op of a window: all that a run asks of a program whose plan is made. */
typedef struct tsr_op_action {
  int32_t out;    /* number of the region that it writes */
  uint8_t action; /* tsr_action */
  bool deferred;  /* as in tsr_program_op */
} tsr_op_action;

/** What becomes of the ops of a window. */
typedef struct tsr_actions {
  tsr_op_action *v; /* [n] in program order */
  int32_t n;
} tsr_actions;

/** What the numbers of a program's regions mean in a window. */
typedef struct tsr_names {
  int32_t n_regions;
  tsr_region **regions; /* [n_regions] borrowed; regions[i]->local is i */
  /* [n_regions] how far the window's views are from the program's; NULL: nowhere */
  const int64_t (*shift)[TSR_MAX_NDIM];
} tsr_names;

/** Number the regions of the window's ops by first use. The array lives in `arena`. */
void tsr__number_regions(const tsr_window *w, tsr_names *out, tsr_arena *arena);

/** Make the program of the window, in `arena`. target: a region about to be read, or NULL. It ends
 * by tsr__program_drop, and then with the arena. Cost: a pass over the operands. */
void tsr__program_capture(const tsr_window *w, const tsr_names *names, const tsr_region *target,
                          bool everything, tsr_arena *arena, tsr_program *out);

/** Decide which ops run: sets `action`, `deferred` and `creates` of the ops and `store` of the
 * regions. A pure function of the rest. Cost: a few passes over the ops. */
void tsr__program_select(tsr_program *p, tsr_arena *arena);

/** Let the ops that make a value which is only copied write the copy (redirect.c), as a step
 * of the selection. */
void tsr__program_redirect(tsr_program *p, tsr_arena *arena);
/** Redirect again in a program whose views are those of another window, and whose actions stayed.
 */
void tsr__program_redirect_again(tsr_program *p);

/** Make the program, whose ops are selected, that of another window, which differs in numbers only:
 * shapes, views, extents of memory. What was selected stays. The arena is the program's. */
void tsr__program_resize(const tsr_window *w, const tsr_names *names, tsr_arena *arena,
                         tsr_program *p);

/** What becomes of the program's ops, which are selected. The array lives in `arena`. */
tsr_actions tsr__program_actions(const tsr_program *p, tsr_arena *arena);

/** Move the program to another arena, so that the one that it was made in may end. It has no calls
 * of tasks and no folds. */
void tsr__program_move(tsr_program *p, tsr_arena *arena);

/** Give up what the program has counted, and its ghosts. */
void tsr__program_drop(tsr_program *p);

/** How many values the op takes, and how many operands are the pieces of each: value i begins with
 * operand i. */
static inline int tsr__program_n_values(const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_COPY ? 1 : op->n_in;
}
static inline int tsr__program_n_pieces(const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_COPY ? op->n_in : 1;
}

/** Is it an op of a user's task? */
static inline bool tsr__program_op_is_user_task(const tsr_program_op *op)
{
  return op->kind == TSR_OPKIND_TASK && op->code == TSR_TASK_CODE_USER;
}

/** The indices of the op's domain that are worth a chunk and a tile, as its task declares; 0: it
 * does not. */
static inline int64_t tsr__program_op_grain(const tsr_program_op *op)
{
  return op->call != NULL ? op->call->grain : 0;
}

/** The axes of the op's domain that nothing cuts, as bits. */
static inline uint32_t tsr__program_op_whole(const tsr_program_op *op)
{
  return op->call != NULL ? op->call->whole : 0;
}

/** The first operand that is the same value as operand `in`: it, or one before it. */
int tsr__program_first_like(const tsr_program_op *op, int in);

/** Does any op run? */
bool tsr__program_runs(const tsr_program *p);

/** Mark the layouts that the program names, so that the sweep to come keeps them. */
void tsr__program_keep_layouts(const tsr_program *p, tsr_layouts *layouts);

/** The program as text, an op a line, with what becomes of it: "run+ %3 r1 = add(r0, float64)".
 * malloc'd. */
char *tsr__program_text(const tsr_program *p);

#endif
