/* Shared by the parts of the C renderer. render_analyse.c finds when and in which form each value
 * is computed, render_expr.c writes expressions, and render_c.c writes statements. */
#ifndef TSR_RENDER_INT_H
#define TSR_RENDER_INT_H

#include "kernel/cpu/render.h"

/* When a value is computed. */
typedef enum tsr_c_moment { TSR_ONCE, TSR_PER_ROW, TSR_PER_POINT } tsr_c_moment;

typedef struct tsr_c_value {
  bool alive, called;
  bool deep;      /* it is a function inside the loop, or depends on one of its level */
  bool in_array;  /* it passes through the array t<number> */
  bool filled;    /* it does not change from point to point, but a call reads it at each */
  bool is_direct; /* of a called value: the call writes it where it is stored, and of its store */
  uint8_t moment;
  uint8_t lane_bytes; /* bool: 1 for bytes of 0 and 1, else lanes of a mask of 0 and -1 */
  int32_t level;
} tsr_c_value;

typedef struct tsr_c_render {
  tsr_text *out;
  const tsr_kernel *k;
  const uint8_t *classes;
  const tsr_target *target;
  int lanes, n_streams, n_calls, n_levels;
  int64_t block;
  bool any_stream_store, any_function;
  bool in_runs;  /* long rows are four runs (render_c.c) */
  bool apart;    /* no buffer is accessed at two offsets */
  int copies;    /* vectors of a turn of the loop, each computed by its own text; 1: no more */
  int copy;      /* the one that is being written, while there are several; else -1 */
  bool shifts;   /* loads beside others are made of their vectors (render_beside.c) */
  int aligned;   /* the store that begins at aligned addresses in the middle of a row; -1: none */
  bool in_turns; /* the lanes of parts are in the order that takes the fewest instructions */
  bool in_pairs; /* complex values are as in memory: their `parts` are its two vectors */
  bool *stored;  /* [n_accesses] the kernel stores its buffer */
  tsr_c_value *v;
  tsr_function_uses *uses;
  const char *at; /* index of the point, in C */
  int indent;
} tsr_c_render;

/** Appends to the function's text. */
#define ADD(r, ...) tsr__text_add((r)->out, __VA_ARGS__)

/** Returns whether the helper `name` (up to a parenthesis) is a function whose text goes into
 * compiled kernels (kernel/ops/functions.h), in vectors that the target has. */
bool tsr__function_inlines(const char *name, tsr_dtype dtype, int lanes, const tsr_target *target);
/** Returns whether the helper is a few instructions. Thread-safe. */
bool tsr__function_is_brief(const char *name, tsr_dtype dtype);
/** Appends the name of the helper `name` for a type, over vectors, and notes that it is called. */
void tsr__c_add_function(const tsr_c_render *r, const char *name, const char *suffix);
/** Returns what tsr__function_inlines does, for a function of random numbers. */
bool tsr__random_inlines(tsr_random f, int lanes, const tsr_target *target);
/** Returns whether the operation on that dtype is a function that computes in 64 bits inside.
 * Thread-safe. */
bool tsr__function_is_wide(tsr_opcode op, tsr_dtype dtype);

static inline const char *tsr__c_suffix(int dtype)
{
  return dtype == TSR_DTYPE_BOOL      ? "u8"
         : dtype == TSR_DTYPE_FLOAT16 ? "u16"
                                      : tsr__dtype_info(dtype)->suffix;
}

static inline int tsr__c_size(int dtype)
{
  return (int)tsr__dtype_size(dtype);
}

/** Returns the bytes of a lane; for a complex number those of its part. */
static inline int tsr__c_lane_size(int dtype)
{
  return tsr__c_size(tsr__dtype_part((tsr_dtype)dtype));
}

static inline const uint16_t *tsr__c_args(const tsr_c_render *r, int at)
{
  return r->k->args + r->k->instrs[at].first_arg;
}

/** Returns whether the access goes by one element, through the caches. */
static inline bool tsr__c_is_dense(const tsr_c_render *r, int a)
{
  const int class = r->classes[a];
  return class == TSR_CLASS_UNIT || class == TSR_CLASS_AHEAD || tsr__class_is_beside(class);
}

/* Returns whether the store of access a bypasses the caches. */
static inline bool tsr__c_stream_stores(const tsr_c_render *r, int a)
{
  return r->classes[a] == TSR_CLASS_STREAM_STORE && r->target->x86_vex &&
         r->lanes * tsr__c_size(r->k->accesses[a].dtype) >= 16;
}

/** Returns whether the kernel can be rendered. Kernels that call an operation with more operands
 * than its loop takes cannot, nor can kernels that load from a buffer after a store to it. */
bool tsr__c_can_render(const tsr_c_render *r);
/** Fills r->v, n_calls, n_levels, block, any_stream_store, any_function, in_runs, in_turns,
 * in_pairs, apart, shifts, aligned and copies. */
void tsr__c_analyse(tsr_c_render *r);
/** Returns whether a call reads value i in place in memory. */
bool tsr__c_in_memory(const tsr_c_render *r, int i);
/** Returns the store that a call of value i writes itself (`is_direct`). */
int tsr__c_store_of(const tsr_c_render *r, int i);

/** Returns whether the instruction shifts integers by a scalar, which needs no call. */
bool tsr__c_shifts_by_scalar(const tsr_kernel *k, int i, int lanes);
/** Appends the constants that such a shift reads in all rows. */
void tsr__c_emit_shift_constants(const tsr_c_render *r, int i);

/** Appends the type of a bool in lanes of that many bytes. */
void tsr__c_add_mask_type(const tsr_c_render *r, int lane_bytes);
void tsr__c_add_value_type(const tsr_c_render *r, int i);
/** Appends value i; a bool in lanes of that many bytes. */
void tsr__c_add_operand(const tsr_c_render *r, int i, int lane_bytes);
/** Appends `bytes`, a vector of 0 and 1, as a mask. */
void tsr__c_add_mask(const tsr_c_render *r, const char *bytes, int lane_bytes);
/** These append the right-hand side of an operation, a cast, a random function, and a load of the
 * point `at`. */
void tsr__c_add_op(const tsr_c_render *r, int i);
void tsr__c_add_cast(const tsr_c_render *r, int i);
void tsr__c_add_random(const tsr_c_render *r, int i);
void tsr__c_add_load(const tsr_c_render *r, const tsr_instr *in, const char *at);

/* The functions below write loads that are beside others (render_beside.c); nothing without
 * them. */

/** Is the access such a load, or one that others are beside, and is a turn being written? */
bool tsr__c_is_shifted(const tsr_c_render *r, int access);
/** Appends the right-hand side of its load. */
void tsr__c_add_shifted(const tsr_c_render *r, int access);
/** These append statements: the vectors at the beginning of a part, the declarations of those of a
 * turn, the vector behind each that is written next, and the step to the next turn. */
void tsr__c_emit_first_vectors(const tsr_c_render *r);
void tsr__c_declare_vectors(const tsr_c_render *r);
void tsr__c_emit_next_vectors(const tsr_c_render *r);
void tsr__c_emit_moved_vectors(const tsr_c_render *r);

/* The functions below write complex numbers (render_complex.c). */

/** Returns the form of the first part of an operation on complex numbers. */
tsr_vector_form tsr__complex_form(tsr_opcode op);
/** Returns whether both parts of a complex value, which is no load and no scalar, have one form
 * over the same part of the arguments. */
bool tsr__complex_is_alike(const tsr_kernel *k, int i);
/** Appends the right-hand side of an operation on, or a cast of, complex numbers whose result is
 * not complex. */
void tsr__c_add_of_complex(const tsr_c_render *r, int i);
/** These append statements: a complex value, its store, its way to and from its array, and the
 * image of memory `w`. */
void tsr__c_emit_complex(const tsr_c_render *r, int i);
void tsr__c_emit_complex_store(const tsr_c_render *r, int i);
void tsr__c_emit_complex_keep(const tsr_c_render *r, int i, const char *index);
void tsr__c_emit_complex_fetch(const tsr_c_render *r, int i, const char *index);
void tsr__c_add_complex_image(const tsr_c_render *r, int i, const char *at);
/** Defines EVEN, ODD, LOW and HIGH for vectors of so many lanes. Where their names begin with
 * TURN_, they shuffle among so many lanes side by side only: lanes are in another order between
 * them. */
void tsr__c_add_shuffles(tsr_text *out, int lanes, int side_by_side);

#endif
