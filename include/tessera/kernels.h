/* The user's own kernels: functions of one point, or of the points of some axes, given as text.
 *
 * A kernel is made once, from the declarations of its inputs and outputs and a text in the language
 * of tsr_eval, and called with arrays. What a call records are the operations of the text: it
 * fuses, is distributed and has the same bits as the same calls written in C.
 *
 * Declarations are a list such as "float64 x, T y, raw float32 table": a dtype, or a capital letter
 * that stands for any (the same one wherever it stands), and a name. Beside what tsr_eval takes,
 * the text has names of its own (`d = x - y`), `a if c else b`, `and`, `or`, `not`, min and max of
 * two values, and
 *
 * - `i`, the number of the point in flat order (int64);
 * - `table[k]`, element k in flat order of a raw input, which does not broadcast with the others: 0
 *   where it has no such element (so `x[i-1] if i > 0 else x[0]` reads nothing amiss). Every rank
 *   takes part in it with the whole of a raw array. The numbers have at most 7 axes
 * (TSR_ERR_SHAPE).
 *
 * Both values of an `if` are computed, and one chosen. Functions of several points (sum, slices)
 * are no part of it. */
#ifndef TESSERA_KERNELS_H
#define TESSERA_KERNELS_H

#include "tessera/base.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kernel of the current context: it lives until tsr_finalize; id 0 is none. */
typedef struct tsr_function {
  uint64_t id;
} tsr_function;

TSR_API tsr_function tsr_kernel_elementwise_at(const tsr_location *where, const char *name,
                                               const char *inputs, const char *outputs,
                                               const char *text);
TSR_API tsr_function tsr_kernel_reduction_at(const tsr_location *where, const char *name,
                                             const char *inputs, const char *output,
                                             const char *map, const char *combine,
                                             const char *finish, tsr_operand identity);
/* xs: [n], borrowed. */
TSR_API tsr_array tsr_call_at(const tsr_location *where, tsr_function f, int n,
                              const tsr_operand *xs);
TSR_API tsr_status tsr_call_outputs_at(const tsr_location *where, tsr_array *out, tsr_function f,
                                       int n, const tsr_operand *xs);
TSR_API tsr_array tsr_call_axes_at(const tsr_location *where, tsr_function f, tsr_axes axes,
                                   bool keepdims, int n, const tsr_operand *xs);

#ifndef __cplusplus
/** A kernel of statements, `name = expression` or `name += …`, by lines or `;`, that give every
 * output a value: tsr_kernel_elementwise("damped", "float64 x, float64 y", "float64 z",
 * "z = x*x + y if y > 0 else 0.0").
 *
 *  Collective; records nothing. The texts are copied. Equal texts give the same kernel. An output's
 * value is cast to its dtype as C does. Returns a kernel with id 0 on an error, each with a caret:
 * TSR_ERR_SYNTAX; TSR_ERR_NAME (unknown, unused, declared twice, without a value);
 *  TSR_ERR_ARGUMENT: over 16 inputs or outputs, a NULL text. Source: cupy.ElementwiseKernel. */
TSR_API tsr_function tsr_kernel_elementwise(const char *name, const char *inputs,
                                            const char *outputs, const char *text);
/** A kernel that reduces axes: tsr_kernel_reduction("l2norm", "float64 x", "float64 y", "x*x",
 * "a + b", "sqrt(a)", 0.0).
 *
 *  map: an expression over the inputs, the value of a point; combine: over a and b, the value of
 * two; finish: over a, the result ("" or NULL: a itself). Values are of the output's dtype.
 * identity: the value of no points; no other result has part in it. `combine` is taken to be
 * associative and commutative: values are combined by a tree that depends on the shape alone, so
 * that the bits are the same on any ranks and threads. a + b, a * b, min(a, b), max(a, b), and of
 * bools a & b, a | b, are tsr_sum and its like; any other is log2(n) operations over strided views,
 * about four passes over memory. Errors as tsr_kernel_elementwise. Source: cupy.ReductionKernel. */
TSR_API tsr_function tsr_kernel_reduction(const char *name, const char *inputs, const char *output,
                                          const char *map, const char *combine, const char *finish,
                                          double identity);
/** The output of a kernel that has one, of all axes if it reduces: tsr_call(f, x, 2.0).
 *
 *  Collective. x: an array or a C scalar per input; those that are not raw broadcast. An array's
 * dtype is the declared one, or casts to it safely; a scalar becomes it. A letter is the dtype of
 * its arrays, else what its scalars promote to. Returns a lazy array owned by the current scope;
 * null on an error, and silently if f or an input is none: TSR_ERR_ARGUMENT (number of inputs or
 * outputs, a scalar for a raw input), TSR_ERR_DTYPE, TSR_ERR_CAST, TSR_ERR_BROADCAST,
 * TSR_ERR_HANDLE, and those of the operations, with the place in the text. */
TSR_API tsr_array tsr_call(tsr_function f, tsr_array x);
/** All outputs of an elementwise kernel: tsr_call_outputs(out, f, x, y). out: as many arrays as the
 * kernel has outputs, written on success only. */
TSR_API tsr_status tsr_call_outputs(tsr_array *out, tsr_function f, tsr_array x);
/** A reduction of some axes: tsr_call_axes(f, TSR_AXES(0), keepdims, x). TSR_ERR_AXIS. */
TSR_API tsr_array tsr_call_axes(tsr_function f, tsr_axes axes, bool keepdims, tsr_array x);

#define tsr_kernel_elementwise(name, inputs, outputs, text)                                        \
  TSR__KERNEL(TSR__PASTE(tsr_at_, __COUNTER__), tsr_kernel_elementwise,                            \
              #name ", " #inputs ", " #outputs ", " #text, name, inputs, outputs, text)
#define tsr_kernel_reduction(name, inputs, output, map, combine, finish, identity)                 \
  TSR__KERNEL(TSR__PASTE(tsr_at_, __COUNTER__), tsr_kernel_reduction,                              \
              #name ", " #inputs ", " #output ", " #map ", " #combine ", " #finish ", " #identity, \
              name, inputs, output, map, combine, finish, TSR__BOX(identity))
#define TSR__KERNEL(id, op, source, ...)                                                           \
  __extension__({                                                                                  \
    TSR__HERE(id, #op, source);                                                                    \
    op##_at(&id, __VA_ARGS__);                                                                     \
  })
#define tsr_call(f, ...)                                                                           \
  tsr_made(TSR__APPLY(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_xs_, __COUNTER__),          \
                      tsr_call, #f ", " #__VA_ARGS__, (f), __VA_ARGS__))
#define tsr_call_outputs(out, f, ...)                                                              \
  TSR__APPLY_OUT(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_xs_, __COUNTER__),               \
                 tsr_call_outputs, #out ", " #f ", " #__VA_ARGS__, (out), (f), __VA_ARGS__)
#define tsr_call_axes(f, axes, keepdims, ...)                                                      \
  tsr_made(TSR__APPLY_AXES(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_xs_, __COUNTER__),     \
                           tsr_call_axes, #f ", " #axes ", " #keepdims ", " #__VA_ARGS__, (f),     \
                           TSR__AXES_OF((axes)), (keepdims), __VA_ARGS__))
#define TSR__APPLY(id, xs, op, source, f, ...)                                                     \
  TSR__APPLY_WITH(id, xs, op, source, (&id, f, TSR__COUNT(__VA_ARGS__), xs), __VA_ARGS__)
#define TSR__APPLY_OUT(id, xs, op, source, out, f, ...)                                            \
  TSR__APPLY_WITH(id, xs, op, source, (&id, out, f, TSR__COUNT(__VA_ARGS__), xs), __VA_ARGS__)
#define TSR__APPLY_AXES(id, xs, op, source, f, axes, keepdims, ...)                                \
  TSR__APPLY_WITH(id, xs, op, source, (&id, f, axes, keepdims, TSR__COUNT(__VA_ARGS__), xs),       \
                  __VA_ARGS__)
#define TSR__APPLY_WITH(id, xs, op, source, arguments, ...)                                        \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(op, 1, 16, __VA_ARGS__);                                                      \
    TSR__HERE(id, #op, source);                                                                    \
    tsr_operand xs[TSR__COUNT(__VA_ARGS__)];                                                       \
    TSR__BOXES(xs, __VA_ARGS__)                                                                    \
    op##_at arguments;                                                                             \
  })
#endif

#ifdef __cplusplus
}
#endif
#endif
