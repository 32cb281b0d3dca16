/* The user's own kernels: functions of one point, or of the points of some axes, given as text; and
 * tasks: C functions of boxes of points (tsr_task).
 *
 * A kernel is made once, from the declarations of its inputs and outputs and a text in the language
 * of tsr_eval, and called with arrays. What a call records are the operations of the text: it
 * fuses, is distributed and has the same bits as the same calls written in C.
 *
 * Declarations are a list such as "float64 x, T y, raw float32 table": a dtype, or a capital letter
 * that stands for any (the same one wherever it stands), or `auto`, and a name. An input that is
 * `auto` is what it is in tsr_eval, and its scalars are weak; such an output has the dtype of its
 * value. Beside what tsr_eval takes, the text has names of its own (`d = x - y`), `a if c else b`,
 * `and`, `or`, `not`, min and max of two values, and
 *
 * - `i`, the number of the point in flat order (int64), and `n`, how many points there are (a whole
 *   number, weak as one in the text); of a reduction, how many become one value;
 * - `table[k]`, element k in flat order of a raw input, which does not broadcast with the others: 0
 *   where it has no such element (so `x[i-1] if i > 0 else x[0]` reads nothing amiss). Every rank
 *   takes part in it with the whole of a raw array. The numbers have at most 7 axes
 * (TSR_ERR_SHAPE);
 * - loops, `for k in range(8): z += u[i + k]`, with the statements behind the colon or, indented,
 *   in lines below. The counts are whole numbers that the text alone gives, also of variables of
 *   loops around;
 * - functions, `def sq(x): return x*x`, before their calls and, of an expression, before it. They
 *   see their parameters, names of their own, the inputs, `i` and `n`; every one is called.
 *
 * Loops and functions are written out when the kernel is made: a text has at most 1,024 turns and
 * calls (TSR_ERR_SYNTAX), and no function calls itself.
 *
 * Both values of an `if` are computed, and one chosen. Functions of several points (sum, slices)
 * are no part of it. */
#ifndef TESSERA_KERNELS_H
#define TESSERA_KERNELS_H

#include "tessera/base.h"
#include "tessera/operand.h"
#include "tessera/task.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A kernel of the current context: it lives until tsr_finalize; id 0 is none. To call none is
 * TSR_ERR_HANDLE: in the error mode ABORT with a message, unless a kernel could not be made before.
 */
typedef struct tsr_function {
  uint64_t id;
} tsr_function;

/* xs: [n], borrowed. */
/* data: [n_bytes], copied. */

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
/** A task: a C function over boxes of the points, tsr_task("smooth", "float64 u halo(1)",
 * "float64 v", smooth).
 *
 *  Collective; records nothing. The texts are copied. The same texts and function give the same
 * task. It is called as a kernel is, by tsr_call, tsr_call_outputs and tsr_call_data; what it reads
 * and writes is ordered, sent and remembered as that of any operation, but it does not fuse.
 *
 *  inputs: declarations as of kernels. Those that are not raw broadcast, and give the points.
 * Beside them, each rule:
 *  - "float64 x": the function sees x at the points of its box (aligned), or, where x broadcasts,
 *    the same elements for many points (stride 0). A C scalar broadcasts to all.
 *  - "float64 x halo(1)", "halo(2, 0:1)": and so many elements around, on either side, or before
 * and behind, one width for all axes or one per axis of x; clipped where x ends. x has all points
 *    along these axes, and at least as many as the width, unless it has none.
 *  - "raw float64 x": all of x, whichever the box (unpartitioned). Every rank gathers it.
 *  - "inout float64 x", "out float64 x": an array that is written, of the points' shape and just
 *    this dtype; the values before the call are there, or are not to be read. May be a view, also
 *    of what another argument reads: that reads the values before the call.
 *  - "grain(64)", beside the declarations: 64 points are worth a call of their own on a core, and a
 *    tile. So new outputs of more points lie on several ranks and boxes go to several threads down
 *    to so many points, whatever TESSERA_TILE_MIN, REPLICATE_MAX and INLINE_ELEMS say. For
 *    functions that take long: a box costs some microseconds to hand over. A whole number from 1
 *    to 2^40.
 *  - "whole(1)", "whole(0, -1)", beside the declarations: every box has all points along these
 *    axes, as a recurrence along an axis needs. The others are cut, and what lies otherwise is
 *    sent. What is written is written to a new array first, and assigned: one more pass.
 *  outputs: "" or new arrays of the points' shape, "float64 y"; or, all of them, with no input that
 * is written, reduced ones of no axes, "float64 y sum" (prod, min, max, any, all): the function is
 * called for each block of points, whose lengths follow from the points' shape and the declarations
 * alone, and sets one value, which a tree combines that follows from it, too. "float64 y blocks" is
 * the array of these values, with the points' axes, for a combination of the user's (another call,
 * with it as raw). "float64 hist[10] sum", "float64 m[3, 3] max": so many values per block, an
 * array of its own for each call of the function, and a result of this shape. Values begin as that
 * of no points: 0, or 1 for prod and all, the greatest of the dtype for min, the least for max; a
 * call without points is TSR_ERR_SHAPE for min and max.
 * Blocks have 4,096 points, or 16 for each value of the longest extent if that is more, or the
 * grain if that is less; along whole axes they have all. Points have at most 7 axes beside an
 * extent.
 *
 *  What is promised: an output is the same on any ranks and threads and in any boxes if, of those
 * that are not reduced, its value at a point follows from the inputs' elements that belong to this
 * point, their halos clipped to the array, all along whole axes, and the index; of those that are
 * reduced or `blocks`, if it follows from the block. What the function leaves out of an output is
 * undefined.
 *
 *  A function that returns another number than 0 is TSR_ERR_TASK at the next read or barrier, with
 * the name, the number and the call, on every rank (TSR_ERR_PEER on several); what the operations
 * that ran with it and since then wrote is lost, all else keeps its values.
 *
 *  Returns a task with id 0 on TSR_ERR_SYNTAX, TSR_ERR_NAME (each with a caret), TSR_ERR_ARGUMENT:
 * a NULL, over 16 inputs or outputs, nothing that is written, outputs of points and of blocks.
 * Calls fail as those of kernels, and with TSR_ERR_SHAPE (a halo, an extent), TSR_ERR_AXIS (a whole
 * axis), TSR_ERR_BROADCAST, TSR_ERR_DTYPE and TSR_ERR_READONLY (what is written).
 *
 *  Cost: of a call as of one operation, of each box under a microsecond beside the function. What
 * an inout or out input is assigned is one more pass, unless it is all that is written and nothing
 * else of the call reads its array. Source: tasks of Legate and StarPU. */
TSR_API tsr_function tsr_task(const char *name, const char *inputs, const char *outputs,
                              tsr_task_function function);
/** CUDA C beside a task's C function, for devices that run no C: tsr_task_cuda(f, "smooth",
 * "__device__ void smooth(const tsr_task_box *box) { … }").
 *
 *  Collective; records nothing. The texts are copied. entry: the name of a function in `source`
 *  that
 * takes a box, as the task's function does: the types of tessera/task.h and its dtypes' names are
 * known there, int64_t and the like, and nothing else of C's headers. One thread makes one call,
 * whose box is the smallest that there may be: one point, with all points along whole axes, or, of
 * a task whose outputs are reduced, one block. Outputs that are reduced have begun as the value of
 * no points; data is aligned to 8 bytes; what the function returns is not looked at, so it cannot
 * fail. Products and sums are not contracted: the same operations in the same order give the bits
 * of C.
 *
 *  Where arrays live on such a device the task then runs there; without it, or where its words and
 *  its
 * data are more than the 4 KB of a launch, the host runs the C function. So it does, after one
 * warning with what the compiler says at the lines of `source`, where that does not compile.
 *
 *  A task has one source: giving it the same again changes nothing. Returns TSR_ERR_HANDLE;
 * TSR_ERR_ARGUMENT: a NULL, a kernel that is no task, an entry that is no name, another source than
 * the task has. Cost: of the first run one compilation, which it waits for. */
TSR_API tsr_status tsr_task_cuda(tsr_function task, const char *entry, const char *source);
/** CUDA C of which a block of threads makes a call, beside a task's C function, for devices that run
 * no C: tsr_kernel_raw(f, "smooth", "__device__ void smooth(const tsr_task_box *box, int thread, int
 * n_threads) { … }", TSR_SHAPE(16, 16)).
 *
 *  As tsr_task_cuda, but for what a call is. All 256 threads of a block call the function with the
 *  same box: they share the work by their numbers, `thread` from 0 to n_threads - 1, which is
 *  threadIdx.x, and may use __shared__ memory and __syncthreads(). The grid has a block for each box
 *  of a rank's points.
 *
 *  tile: the most points of a box along the last axes; along others it has one, along whole axes all
 *  points. Of a task whose outputs are reduced a box is one block of points, whatever the tile; the
 *  values have begun as that of no points, so one thread, or each another value, sets them. What the
 *  task promises of its outputs holds: no value may depend on the tile.
 *
 *  Returns what tsr_task_cuda does, and TSR_ERR_ARGUMENT for lengths below 1 or above 2^20. Source:
 *  cupy.RawKernel, but without a grid of the program's, which would be that of one GPU. */
TSR_API tsr_status tsr_kernel_raw(tsr_function task, const char *entry, const char *source,
                                  tsr_dims tile);
/** The output of a kernel that has one, of all axes if it reduces: tsr_call(f, x, 2.0).
 *
 *  Collective. x: an array or a C scalar per input; those that are not raw broadcast. An array's
 * dtype is the declared one, or casts to it safely; a scalar becomes it. A letter is the dtype of
 * its arrays, else what its scalars promote to. Returns a lazy array owned by the current scope;
 * null on an error, and silently if f or an input is none: TSR_ERR_ARGUMENT (number of inputs or
 * outputs, a scalar for a raw input), TSR_ERR_DTYPE, TSR_ERR_CAST, TSR_ERR_BROADCAST,
 * TSR_ERR_HANDLE, and those of the operations, with the place in the text. */
TSR_API tsr_array tsr_call(tsr_function f, tsr_array x);
/** All outputs of an elementwise kernel or task: tsr_call_outputs(out, f, x, y). out: as many
 * arrays as it has outputs, written on success only; may be NULL if it has none. */
TSR_API tsr_status tsr_call_outputs(tsr_array *out, tsr_function f, tsr_array x);
/** The same of a task, with data that its function sees: tsr_call_data(out, f, &data, sizeof data,
 * x). data: n_bytes, copied by the call, all of them the same on every rank, also those between
 * the fields of a struct (memset it first), else TSR_ERR_DIVERGED; may be NULL if n_bytes is 0. out
 * may be NULL if there are no outputs. TSR_ERR_ARGUMENT if f is no task. */
TSR_API tsr_status tsr_call_data(tsr_array *out, tsr_function f, const void *data, size_t n_bytes,
                                 tsr_array x);
/** A reduction of some axes: tsr_call_axes(f, TSR_AXES(0), keepdims, x). TSR_ERR_AXIS. */
TSR_API tsr_array tsr_call_axes(tsr_function f, tsr_axes axes, bool keepdims, tsr_array x);

#endif

#ifdef __cplusplus
}
#endif

#include "tessera/generated/kernels.h"

#endif
