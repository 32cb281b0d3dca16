/* Inside kernel/: the tables of vector loops, one per instruction set, and the interpreter's
 * prepared form. */
#ifndef TSR_KERNEL_INT_H
#define TSR_KERNEL_INT_H

#include "kernel/ir/kernel.h"
#include "kernel/library/matmul.h"
#include "kernel/reduce/reduce_int.h"

/* Vector loops. */

/** The most operands that one loop reads; an operation of more runs in several passes, left to
 * right. */
#define TSR_LOOP_MAX_ARGS 6

/** dst[i] = f(src[0][i], src[1][i], …) for 0 <= i < n. Unit strides; pointers aligned as their
 * elements only. dst may be exactly one of the sources, if the elements have the same size; it
 * never overlaps one otherwise. */
typedef void (*tsr_loop)(int64_t n, void *dst, const void *const *src);
/** dst[i] = *(src + i * stride), dst of unit stride; or the reverse for a scatter. */
typedef void (*tsr_loop_gather)(int64_t n, void *dst, const void *src, int64_t stride_bytes);
typedef void (*tsr_loop_scatter)(int64_t n, void *dst, int64_t stride_bytes, const void *src);

/** Moving elements of one size. */
typedef struct tsr_loops_move {
  tsr_loop_gather gather;
  tsr_loop_scatter scatter;
  void (*fill)(int64_t n, void *dst, const void *value);
} tsr_loops_move;

/** All loops for one instruction set. Every table computes the same bits. */
typedef struct tsr_loops {
  const char *name;
  tsr_loop op[TSR_N_OPS][TSR_N_DTYPES]
             [TSR_LOOP_MAX_ARGS]; /* by compute dtype and operands - 1; NULL where none */
  tsr_loop cast[TSR_N_DTYPES][TSR_N_DTYPES]; /* [to][from]; the steps of tsr__dtype_cast_step */
  tsr_loops_move move[5];                    /* by log2 of the element's size */
  tsr_loop random[TSR_N_RANDOM];
  void (*iota)(int64_t n, int64_t *dst, int64_t first);
  /** Copies, whole lines of dst around the caches: a fence must follow before another thread reads
   * them. NULL where there are no such stores. */
  void (*stream)(size_t n_bytes, void *dst, const void *src);
  const tsr_reduce_loops (*reduce)[TSR_N_DTYPES]; /* [TSR_N_REDUCTIONS][TSR_N_DTYPES] */
  const tsr_matmul_loops *matmul;                 /* [TSR_N_DTYPES] */
} tsr_loops;

extern const tsr_loops tsr__loops_baseline;
extern const tsr_loops
    tsr__loops_avx2; /* with FMA; the same as baseline where there is no such thing */
extern const tsr_loops tsr__loops_avx512; /* F, BW, DQ, VL */
/** The most operands that one loop of the operation reads: more are taken left to right. */
int tsr__loop_max_args(const tsr_loops *loops, const tsr_instr *op);
/** The i-th table that this processor can run, best first; NULL after the last. */
const tsr_loops *tsr__loops_get(int i);

/** Is the operation on that dtype a function that computes in 64 bits inside? Thread-safe. */
bool tsr__function_is_wide(tsr_opcode op, tsr_dtype dtype);

/* The interpreter's prepared form. */

#define TSR_NO_ACCESS UINT16_MAX
/** Bytes of a store's block that waits in L1 to be streamed, and the most such stores of a kernel.
 */
#define TSR_STREAM_STORE_BYTES 4096
#define TSR_STREAM_STORE_MAX 4

typedef enum tsr_step_kind {
  TSR_STEP_LOAD,      /* entry dst = the access's memory where it has unit stride, else its slot,
                         gathered */
  TSR_STEP_LOAD_COPY, /* as LOAD, but always copied: a store to the buffer comes before the last use
                       */
  TSR_STEP_COMPUTE,   /* OP, CAST */
  TSR_STEP_IOTA,
  TSR_STEP_STORE
} tsr_step_kind;

typedef struct tsr_step {
  uint8_t kind;
  uint8_t log2_size; /* LOAD, STORE: of the element */
  uint8_t n_src;     /* COMPUTE */
  uint16_t dst;      /* entry written; STORE: entry read */
  uint16_t access;   /* LOAD, STORE */
  uint16_t direct;   /* access of the store whose memory it writes if that has unit stride, or
                        TSR_NO_ACCESS */
  uint16_t axis;     /* IOTA */
  uint16_t first_src;
  tsr_loop loop; /* COMPUTE */
} tsr_step;

/** A kernel as steps over pointers: entry a < n_accesses is access a at the block's first point,
 * entry n_accesses + v the value of instruction v, in scratch or in the memory of an access. */
typedef struct tsr_code {
  int32_t n_steps, n_uniform; /* the first n_uniform steps depend on scalars only: once per run */
  tsr_step *steps;
  uint16_t *srcs;
  int32_t *slot_offset; /* [n_instrs] bytes into the slots; -1: none */
  int64_t block;        /* most points of one block */
  size_t slot_bytes;
} tsr_code;

struct tsr_program_interp {
  const tsr_loops *loops;
  tsr_code direct;  /* every access has unit stride along the inner axis */
  tsr_code general; /* any strides */
  size_t scratch_bytes;
  size_t slots_at; /* offset of the slots in the scratch memory */
  size_t
      stream_stores_at; /* offset of TSR_STREAM_STORE_BYTES for each store, TSR_STREAM_STORE_MAX at most */
  uint32_t iota_mask; /* axes that IOTA reads */
};

/** Of scratch memory that compiled code needs for rows shorter than a vector (nest_panel.c). */
size_t tsr__panel_scratch_bytes(const tsr_kernel *k);

/** As tsr__kernel_prepare, with a given table of loops. */
tsr_status tsr__kernel_prepare_with(tsr_kernel *k, const tsr_loops *loops);
void tsr__interp_destroy(struct tsr_program_interp *p);

#endif
