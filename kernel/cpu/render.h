/* The C renderer: a kernel, and the classes of its streams, as the text of a C function over
 * vectors. */
#ifndef TSR_RENDER_H
#define TSR_RENDER_H

#include "kernel/cpu/loops.h"
#include "kernel/cpu/nest.h"
#include "runtime/base/text.h"

/** Instruction set that code is rendered and compiled for. */
typedef struct tsr_target {
  const char *name;
  int vector_bytes;
  bool x86_vex;      /* x86 with AVX2: its instructions may be named */
  const char *flags; /* for the compiler, separated by blanks */
  const tsr_loops *loops;
} tsr_target;
/** What this processor can run, best first; NULL after the last. */
const tsr_target *tsr__target_get(int i);

/** Bytes of the widest number, or part of one, that compiled code of the kernel computes with.
 *  Found on the first call and kept in the kernel; thread-safe. */
int tsr__render_widest_bytes(const tsr_kernel *k);
/** Points that one vector holds: those of the widest dtype fill it. */
int tsr__render_lanes(const tsr_kernel *k, const tsr_target *target);
/** What compiled code must start with: types and macros for all kernels of the target. */
void tsr__render_prelude(const tsr_target *target, tsr_text *out);
/** At least as many as there are functions (kernel/ops/functions.h). */
enum { TSR_FUNCTIONS_MOST = 512 };
/** Which functions rendered kernels call. */
typedef struct tsr_function_uses {
  int32_t n_calls;
  /* a bit each: [0] for vectors of as many lanes as numbers of 64 bits fill, [1] of 32 bits */
  uint64_t called[2][TSR_FUNCTIONS_MOST / 64];
} tsr_function_uses;
void tsr__function_uses_add(tsr_function_uses *to, const tsr_function_uses *from);
/** Append the functions called, and what they use, for kernels that are to come behind; nothing if
 * none is called. */
void tsr__render_functions(const tsr_target *target, const tsr_function_uses *uses, tsr_text *out);
/** Append one function `name` of type tsr_row_code, and add to `uses` what it calls. False, with
 * nothing appended or added, if the kernel has no compiled form (it loads a buffer after a store to
 * it). */
bool tsr__render_c(const tsr_kernel *k, const uint8_t *classes, const tsr_target *target,
                   const char *name, tsr_text *out, tsr_function_uses *uses);
/** The loops that the function calls, in the order of its `call`: at most n_instrs. Returns how
 * many. */
int tsr__render_calls(const tsr_kernel *k, const tsr_target *target, tsr_loop *call);

/** The vector form of an operation of compute dtype `dtype`, over x, y, z; T is the vector type, M
 * the mask type, S the sign bit's number, H the largest integer of its size, K(f) a function that
 * tsr__render_functions knows. NULL if it has none and is called. */
const char *tsr__vector_form(tsr_opcode op, tsr_dtype dtype, int lanes, const tsr_target *target);
/** The cast as an expression over x, a vector of `from`; neither is bool. $ stands for lanes. */
const char *tsr__vector_cast(tsr_dtype from, tsr_dtype to);

#endif
