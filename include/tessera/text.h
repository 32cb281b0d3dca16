/* NumPy expressions as text, parsed once per call site. */
#ifndef TESSERA_TEXT_H
#define TESSERA_TEXT_H

#include "tessera/base.h"
#include "tessera/lifetime.h"
#include "tessera/operand.h"

#ifdef __cplusplus
extern "C" {
#endif

/** where->args: source text of the n arguments after `text`, which names them (`s->dt` is `dt`);
 * "$1" names the first. */
TSR_API tsr_array tsr_eval_at(const tsr_location *where, const char *text, int n,
                              const tsr_operand *xs);
TSR_API tsr_status tsr_exec_at(const tsr_location *where, const char *text, int n,
                               const tsr_operand *xs);

#ifndef __cplusplus
/** The value of an expression in Python's grammar over the arguments: tsr_eval("sqrt(u*u + v*v)",
 * u, v).
 *
 *  Collective. Operators + - * / // % @ ** & | ^ ~ << >> and comparisons with Python's precedence,
 *  slices, where integers may stand, u[i-1:i+1], calls of functions by NumPy's names with NumPy 2's
 *  parameters, by place or by name: zeros((n, 2)), stack([u, v], axis=1), sum(u, 0, keepdims=True),
 *  einsum('ij,jk->ik', a, b);
 *  methods that NumPy's arrays have, x.reshape(2, n), x.T, x.real; x.ndim, x.size and x.shape[k],
 *  which are scalars; imaginary numbers, x + 1j*y. Parameters that are not taken (out=, where=, …)
 *  are errors, but for NumPy's defaults. Functions of several results (divmod, modf, frexp,
 *  meshgrid, split, array_split, broadcast_arrays) give the one that stands behind them: divmod(x,
 *  y)[0]; allclose and array_equal give a scalar, True or False, for which the program waits. Up to
 *  16 arguments: arrays or C scalars, which take Python's arithmetic among themselves. Returns a
 *  lazy array owned by the current scope; null on TSR_ERR_SYNTAX, TSR_ERR_NAME (unknown, or an
 *  argument that is not used), each with a caret, and on the errors of the operations. Records
 *  exactly the operations of the calls. */
#define tsr_eval(text, ...)                                                                        \
  TSR__EVAL(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_xs_, __COUNTER__), #__VA_ARGS__,      \
            text __VA_OPT__(, ) __VA_ARGS__)
#define TSR__EVAL(...) TSR__EVAL_(__VA_ARGS__)
#define TSR__EVAL_(id, xs, names, text, ...)                                                       \
  tsr_made(__extension__({                                                                         \
    TSR__CHECK_COUNT(tsr_eval, 0, 16 __VA_OPT__(, ) __VA_ARGS__);                                  \
    TSR__SITE(id, "tsr_eval", names);                                                              \
    tsr_operand xs[TSR__COUNT(__VA_ARGS__) + 1];                                                   \
    xs[TSR__COUNT(__VA_ARGS__)] = tsr_box_int(0);                                                  \
    TSR__BOXES(xs __VA_OPT__(, ) __VA_ARGS__)                                                      \
    tsr_eval_at(&id, text, TSR__COUNT(__VA_ARGS__), xs);                                           \
  }))

/** Run `target[slice] = expression`, or += -= *= /= //= %= **= @= &= |= ^= <<= >>=, several
 * separated by `;` or newlines: tsr_exec("u[1:-1] += dt*v[1:-1]", u, v, dt). Several targets take
 * the results of one call: tsr_exec("q, r[::2] = divmod(x, y)", q, r, x, y).
 *
 *  Every assignment writes into the array that is there, broadcast and cast as tsr_assign does.
 *  Python gives a bare name on the left to another object: there `u = u.mean()` makes u a number,
 *  here it fills u with it. `u[...] = u.mean()` says what happens, and means the same in both; a
 *  new array is tsr_eval's, u_mean = tsr_eval("u.mean()", u). Errors as tsr_eval and tsr_assign,
 *  TSR_ERR_ARGUMENT where a call gives another number of results. Opens a statement scope. */
#define tsr_exec(text, ...)                                                                        \
  TSR__EXEC(TSR__PASTE(tsr_at_, __COUNTER__), TSR__PASTE(tsr_xs_, __COUNTER__), #__VA_ARGS__,      \
            text __VA_OPT__(, ) __VA_ARGS__)
#define TSR__EXEC(...) TSR__EXEC_(__VA_ARGS__)
#define TSR__EXEC_(id, xs, names, text, ...)                                                       \
  __extension__({                                                                                  \
    TSR__CHECK_COUNT(tsr_exec, 0, 16 __VA_OPT__(, ) __VA_ARGS__);                                  \
    TSR__SITE(id, "tsr_exec", names);                                                              \
    tsr_operand xs[TSR__COUNT(__VA_ARGS__) + 1];                                                   \
    tsr_statement_begin();                                                                         \
    xs[TSR__COUNT(__VA_ARGS__)] = tsr_box_int(0);                                                  \
    TSR__BOXES(xs __VA_OPT__(, ) __VA_ARGS__)                                                      \
    tsr_statement_end(tsr_exec_at(&id, text, TSR__COUNT(__VA_ARGS__), xs));                        \
  })
#endif

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
namespace tessera {

/* The names of the arguments make one static record per call site. */
template <class... T> tsr_array eval(const tsr_location *where, const char *text, const T &...xs)
{
  static_assert(sizeof...(T) <= TSR_MAX_OPERANDS,
                "tsr_eval: wrong number of arguments (takes 0 to 16)");
  const tsr_operand values[] = {box(xs)..., tsr_box_int(0)};
  return checked(tsr_eval_at(where, text, static_cast<int>(sizeof...(T)), values));
}

template <class... T> tsr_status exec(const tsr_location *where, const char *text, const T &...xs)
{
  static_assert(sizeof...(T) <= TSR_MAX_OPERANDS,
                "tsr_exec: wrong number of arguments (takes 0 to 16)");
  const tsr_operand values[] = {box(xs)..., tsr_box_int(0)};
  return checked(tsr_exec_at(where, text, static_cast<int>(sizeof...(T)), values));
}

} /* namespace tessera */

/* A static record made by a lambda, so that the names of the arguments cost nothing per call. */
#define TSR__CPP_SITE(op, names)                                                                   \
  ([](const char *function) -> const tsr_location * {                                              \
    static const tsr_location here = {__FILE__, function, __LINE__, op, names};                    \
    return &here;                                                                                  \
  }(__func__))
#define tsr_eval(text, ...)                                                                        \
  (::tessera::eval(TSR__CPP_SITE("tsr_eval", #__VA_ARGS__), text __VA_OPT__(, ) __VA_ARGS__))
#define tsr_exec(text, ...)                                                                        \
  (::tessera::statement(true),                                                                     \
   ::tessera::exec(TSR__CPP_SITE("tsr_exec", #__VA_ARGS__), text __VA_OPT__(, ) __VA_ARGS__))
#endif

#endif
