/* Kernels: the programs of the innermost loops. A kernel is a small typed SSA program over one
 * point of an iteration domain: loads, scalars, operations, stores. The interpreter runs it in
 * blocks that fit L1 (kernel/cpu/interp.h), and renderers turn the same IR into C or CUDA
 * (kernel/cpu/render.h). A reduction is a store into a dense scratch box, which
 * kernel/reduce/reduce.h then reduces by the fixed tree. */
#ifndef TSR_KERNEL_H
#define TSR_KERNEL_H

#include "kernel/ir/op.h"

#define TSR_MAX_OP_ARGS 16

typedef enum tsr_instr_kind {
  TSR_I_LOAD,   /* access u.index; value of that access's dtype */
  TSR_I_SCALAR, /* parameter u.index, of `dtype` */
  TSR_I_IOTA,   /* int64: the iteration index along axis u.index (global: bind.lo + position) */
  TSR_I_CAST,   /* args[0] to dtype */
  TSR_I_OP,     /* u.opcode; args are already in `compute` dtype (LOGICAL and the
                 * condition of WHERE: bool) */
  TSR_I_RANDOM, /* u.random over int64 args; int64 */
  TSR_I_STORE   /* args[0] into access u.index (same dtype) */
} tsr_instr_kind;

typedef struct tsr_instr {
  uint8_t kind;    /* tsr_instr_kind */
  uint8_t dtype;   /* of the result; of the stored value for STORE */
  uint8_t compute; /* OP: the dtype it computes in */
  uint8_t n_args;
  uint16_t index;     /* access, parameter, axis, opcode or tsr_random */
  uint16_t first_arg; /* args are kernel.args[first_arg ..]: instruction numbers, all smaller
                       * than this one's */
} tsr_instr;

/** One array access: a base pointer and a stride per loop axis, both given when it is bound. */
typedef struct tsr_kernel_access {
  uint8_t dtype;
  bool is_store;
  uint16_t buffer;  /* accesses with the same number touch the same memory; others do not overlap */
  uint32_t pattern; /* accesses to one buffer with the same pattern touch the same element at
                     * each point; the planner gives a load and a store of one buffer in one
                     * kernel the same pattern */
} tsr_kernel_access;

/** What stands for the name of a kernel in its source. */
#define TSR_SOURCE_NAME '\1'

/** A kernel in SSA order. It is relocatable data, without pointers but to its own arrays. Built by
 * kernel/ir/build.c. */
typedef struct tsr_kernel {
  int32_t ndim; /* of the iteration domain */
  int32_t n_instrs, n_args, n_accesses, n_scalars;
  tsr_instr *instrs;
  uint16_t *args;
  tsr_kernel_access *accesses;
  uint8_t *scalar_dtypes;
  /* CUDA C in the place of instructions: what of it is to be the kernel's name is TSR_SOURCE_NAME.
   * NULL: there is none */
  char *source;
  int32_t n_source;   /* its bytes, the 0 at the end among them; 0: there is none */
  uint32_t iota_axes; /* bit k: IOTA reads axis k */
  uint64_t hash;      /* of all fields above, by content */
  /* State of the folders that run the kernel. Copies of the kernel do not have it. */
  void *interp;         /* prepared form, one block; NULL until tsr__kernel_prepare */
  void *compiled;       /* what tsr__jit_run last found for it; atomic, written by any thread */
  int32_t widest_bytes; /* what render_analyse.c found, or 0; atomic, written by any thread */
  int32_t n_shares;     /* holders beside the first; written by the thread that plans */
} tsr_kernel;

/* Building: these append instructions and return the instruction number. Identical LOAD, SCALAR,
 * CAST, IOTA and OP instructions are shared (hash-consed). A LOAD is not shared across a STORE to
 * its buffer: there it returns the value stored, if that had the same pattern. Accesses with the
 * same buffer, pattern and dtype count as one for this. */
typedef struct tsr_kernel_builder tsr_kernel_builder;
tsr_kernel_builder *tsr__kernel_builder_create(int ndim);
int tsr__kernel_access_add(tsr_kernel_builder *b, tsr_dtype dtype, bool is_store, int buffer,
                           uint32_t pattern);
/** Adds a parameter; returns its index. */
int tsr__kernel_scalar_add(tsr_kernel_builder *b, tsr_dtype dtype);
int tsr__kernel_load(tsr_kernel_builder *b, int access);
int tsr__kernel_scalar(tsr_kernel_builder *b, int parameter);
int tsr__kernel_iota(tsr_kernel_builder *b, int axis);
/** Returns `value` itself if it has the dtype. */
int tsr__kernel_cast(tsr_kernel_builder *b, int value, tsr_dtype to);
int tsr__kernel_op(tsr_kernel_builder *b, tsr_opcode op, tsr_dtype compute, tsr_dtype result, int n,
                   const int *args);
int tsr__kernel_random(tsr_kernel_builder *b, tsr_random f, const int *args);
int tsr__kernel_store(tsr_kernel_builder *b, int access, int value); /* casts */
/** Gives the kernel a source, which is copied, for devices that run no C. It has no
 * instructions. */
void tsr__kernel_source_set(tsr_kernel_builder *b, const char *source);
/** Returns what is wrong with the kernel (static text), or NULL. It checks types, order of
 * arguments, indices and numbers of operands; that a load and a store of one buffer have the same
 * pattern; and that all accesses of a stored buffer have one dtype. */
const char *tsr__kernel_verify(const tsr_kernel *k);
/** Verifies the kernel (a defect is fatal), moves its arrays into one block, and destroys the
 * builder. */
tsr_kernel *tsr__kernel_finish(tsr_kernel_builder *b);
/** Takes the kernel once more; returns it. */
tsr_kernel *tsr__kernel_share(tsr_kernel *k);
/** Gives the kernel back; the last holder destroys it. NULL is ignored. */
void tsr__kernel_destroy(tsr_kernel *k);
/** Returns a copy of the kernel that is not prepared. */
tsr_kernel *tsr__kernel_copy(const tsr_kernel *k);
/** Returns multi-line text, "  %2 = add.f64 %0 %1", allocated by malloc. */
char *tsr__kernel_text(const tsr_kernel *k);
bool tsr__kernel_equal(const tsr_kernel *a, const tsr_kernel *b);

/** A kernel bound to memory, for one box of its iteration domain. All arrays are borrowed. */
typedef struct tsr_kernel_bind {
  int64_t lo[TSR_MAX_NDIM]; /* global iteration index of the first point, which IOTA reads */
  int64_t n[TSR_MAX_NDIM];  /* points per axis */
  void *const *base;        /* [n_accesses] address of the first point's element */
  const int64_t (*stride_bytes)[TSR_MAX_NDIM]; /* [n_accesses][ndim], may be 0 or negative */
  const tsr_scalar *scalars;                   /* [n_scalars], already of the parameter's dtype */
  /* Bit a < 64: what access a stores is not read again soon, so the store may bypass the caches. */
  uint64_t stream_store_mask;
  bool from_memory; /* the data lies beyond the caches: prefetch it */
} tsr_kernel_bind;

#endif
