/* The interpreter's prepared form, which interp_prepare.c makes and interp.c runs. */
#ifndef TSR_INTERP_INT_H
#define TSR_INTERP_INT_H

#include "kernel/cpu/nest.h"
#include "kernel/cpu/interp.h"
#include "runtime/base/error.h"

#define TSR_NO_ACCESS UINT16_MAX
/** The bytes of a store's block that is kept in L1 before it is streamed, and the most such stores
 * of a kernel. */
#define TSR_STREAM_STORE_BYTES 4096
#define TSR_STREAM_STORE_MAX 4

typedef enum tsr_step_kind {
  TSR_STEP_LOAD,      /* entry dst is the access's memory if that has unit stride, else its
                       * temp, gathered */
  TSR_STEP_LOAD_COPY, /* a LOAD that is always copied: a store to the buffer precedes its
                       * last use */
  TSR_STEP_COMPUTE,   /* an OP, a CAST or a RANDOM instruction */
  TSR_STEP_IOTA,
  TSR_STEP_STORE
} tsr_step_kind;

typedef struct tsr_step {
  uint8_t kind;
  uint8_t log2_size; /* LOAD, STORE: of the element */
  uint8_t n_src;     /* COMPUTE */
  uint16_t dst;      /* the entry that it writes; STORE: that it reads */
  uint16_t access;   /* LOAD, STORE; IOTA: its stream */
  uint16_t direct;   /* access of the store whose memory it writes if that has unit stride,
                      * or TSR_NO_ACCESS */
  uint16_t first_src;
  tsr_loop loop; /* COMPUTE */
} tsr_step;

/** A kernel as steps over pointers. Entry s < n_streams is stream s (nest.h) at the block's first
 * point. Entry n_streams + v is the value of instruction v, in scratch or in the memory of an
 * access. */
typedef struct tsr_code {
  int32_t n_steps, n_srcs, n_uniform; /* n_uniform: first steps, on scalars only, once per run */
  tsr_step *steps;
  uint16_t *srcs;
  int32_t *temp_offset; /* [n_instrs] bytes into the temps; -1: none */
  int64_t block;        /* most points of one block */
  size_t temp_bytes;
} tsr_code;

/** The prepared form: one block of memory, followed by the arrays of both codes. */
typedef struct tsr_interp {
  const tsr_loops *loops;
  tsr_code direct;  /* every access has unit stride along the inner axis */
  tsr_code general; /* any strides */
  size_t scratch_bytes;
  size_t temps_at; /* offset of the temps in the scratch memory */
  /* offset of TSR_STREAM_STORE_BYTES for each of at most TSR_STREAM_STORE_MAX stores */
  size_t stream_stores_at;
} tsr_interp;

/** Returns the kernel's prepared form. The kernel must be prepared. */
static inline const tsr_interp *tsr__interp_of(const tsr_kernel *k)
{
  TSR_ASSERT(k->interp);
  return k->interp;
}

#endif
