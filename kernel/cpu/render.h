/* The C renderer: writes a kernel, with the classes of its streams, as a C function over
 * vectors. */
#ifndef TSR_RENDER_H
#define TSR_RENDER_H

#include "kernel/cpu/loops.h"
#include "kernel/cpu/nest.h"
#include "runtime/base/text.h"

/** An instruction set for which code is rendered and compiled. */
typedef struct tsr_target {
  const char *name;
  int vector_bytes;
  bool x86_vex;      /* x86 with AVX2: its instructions may be named */
  const char *flags; /* for the compiler, separated by blanks */
  const tsr_loops *loops;
} tsr_target;
/** Returns the i-th target that this processor can run, best first, and NULL after the last. */
const tsr_target *tsr__target_get(int i);

/** Returns the points of one vector, which those of the widest dtype fill. */
int tsr__render_lanes(const tsr_kernel *k, const tsr_target *target);
/** Appends the types and macros with which compiled code for the target must start. */
void tsr__render_prelude(const tsr_target *target, tsr_text *out);
/** At least the number of functions (kernel/ops/functions.h). */
enum { TSR_FUNCTIONS_MOST = 1024 };
/** The functions that rendered kernels call. */
typedef struct tsr_function_uses {
  int32_t n_calls;
  /* A bit for each function: [0] for vectors of as many lanes as 64-bit numbers fill, [1] of 32
   * bits. */
  uint64_t called[2][TSR_FUNCTIONS_MOST / 64];
} tsr_function_uses;
void tsr__function_uses_add(tsr_function_uses *to, const tsr_function_uses *from);
/** Appends the functions that are called, and those that they use, before the kernels that call
 * them. Appends nothing if none is called. */
void tsr__render_functions(const tsr_target *target, const tsr_function_uses *uses, tsr_text *out);
/** Notes that the function `name`, up to a parenthesis and with `_suffix` behind it unless that is
 * NULL, is called for one value at a time. It may be a word or a struct type, too. */
void tsr__function_uses_note(tsr_function_uses *uses, const char *name, const char *suffix);
/** Appends the functions that are called for one value at a time, and those that they use. */
void tsr__render_scalar_functions(const tsr_function_uses *uses, tsr_text *out);

/** Appends what a word of a form stands for: x, y and z are its operands, T its type, and of K(f)
 * `word` is K and `name` begins with f and a parenthesis. Returns false for any other letter. */
typedef bool (*tsr_form_word)(const void *arg, char word, const char *name);
/** Appends an expression of ops.def or of a table of vector forms. */
void tsr__render_form(tsr_text *out, const char *form, tsr_form_word add_word, const void *arg);

/** Appends one function `name` of type tsr_row_code, and adds to `uses` what it calls. Returns
 * false, with nothing appended or added, if the kernel has no compiled form (it loads a buffer
 * after a store to it). */
bool tsr__render_c(const tsr_kernel *k, const uint8_t *classes, const tsr_target *target,
                   const char *name, tsr_text *out, tsr_function_uses *uses);
/** Finds the loops that the function calls, at most n_instrs, in the order of its `call`. Returns
 * their number. */
int tsr__render_calls(const tsr_kernel *k, const tsr_target *target, tsr_loop *call);

/** The vector form of an operation over x, y, z. In it T is the vector type, M the mask type, S the
 * number of the sign bit, H the largest integer of its size, and K(f) a function known to
 * tsr__render_functions. */
typedef struct tsr_vector_form {
  const char *text;   /* NULL: it has none and is called */
  const char *helper; /* f of its K(f); NULL: it has none */
} tsr_vector_form;
/** Returns the form of an operation of compute dtype `dtype`, of complex numbers that of the first
 * part. */
tsr_vector_form tsr__vector_form(tsr_opcode op, tsr_dtype dtype, int lanes,
                                 const tsr_target *target);
/** Returns the cast as an expression over x, a vector of `from`; neither dtype is bool. $ stands
 * for lanes. */
const char *tsr__vector_cast(tsr_dtype from, tsr_dtype to);

#endif
