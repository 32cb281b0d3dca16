/* The operators of arrays. An operand is an array, a number of Python's, or what an array can be made of; for anything
 * else Python asks the other operand. */
#include "binding.h"

typedef tsr_array map(const tsr_location *where, int n, const tsr_operand *xs);

/* 1: an operand; 0: none, the other one may know; -1: an exception. */
static int operand(PyObject *o, tsr_operand *out, PyObject **owned)
{
  *owned = NULL;
  const int known = tpy_operand(o, out);
  if (known) return known;
  if (o == Py_None || PyUnicode_Check(o) || PyBytes_Check(o)) return 0;
  if (!PyList_Check(o) && !PyTuple_Check(o) && !PyRange_Check(o) && !PyFloat_Check(o) &&
      !PyLong_Check(o) && !PyComplex_Check(o) && !PyObject_CheckBuffer(o) &&
      (tpy_keeps_out(o) || !PyObject_HasAttrString(o, "__array__")))
    return 0;
  return tpy_any_operand(o, out, owned);
}

typedef struct pair {
  tsr_operand xs[2];
  PyObject *owned[2];
  const tsr_location *where;
} pair;

/* As operand, of both. */
static int take(pair *p, PyObject *a, PyObject *b, const char *op)
{
  p->owned[0] = p->owned[1] = NULL;
  if (!tpy_enter()) return -1;
  int known = operand(a, &p->xs[0], &p->owned[0]);
  if (known > 0) known = operand(b, &p->xs[1], &p->owned[1]);
  if (known <= 0) return known;
  p->where = tpy_site(op);
  return p->where ? 1 : -1;
}

static PyObject *give(pair *p, int known, PyObject *made)
{
  Py_XDECREF(p->owned[0]);
  Py_XDECREF(p->owned[1]);
  if (known == 0) Py_RETURN_NOTIMPLEMENTED;
  return made;
}

static PyObject *binary(PyObject *a, PyObject *b, const char *op, map *f)
{
  pair p;
  const int known = take(&p, a, b, op);
  return give(&p, known, known > 0 ? tpy_wrap(f(p.where, 2, p.xs)) : NULL);
}

static PyObject *inplace(PyObject *a, PyObject *b, const char *op,
                         tsr_status (*f)(const tsr_location *, tsr_array, tsr_operand))
{
  pair p;
  const int known = take(&p, a, b, op);
  PyObject *made = NULL;
  const bool goes = known > 0 && tpy_flush_point(((tpy_array *)a)->handle);
  if (goes && f(p.where, ((tpy_array *)a)->handle, p.xs[1]) < 0) {
    tpy_raise();
  } else if (goes) {
    made = a;
    Py_INCREF(made);
  }
  return give(&p, known, made);
}

static PyObject *unary(PyObject *a, const char *op, map *f)
{
  const tsr_operand x = tsr_box_array(((tpy_array *)a)->handle);
  const tsr_location *where = tpy_enter() ? tpy_site(op) : NULL;
  return where ? tpy_wrap(f(where, 1, &x)) : NULL;
}

static PyObject *operator_matmul(PyObject *a, PyObject *b)
{
  pair p;
  const int known = take(&p, a, b, "@");
  return give(&p, known, known > 0 ? tpy_wrap(tsr_matmul_at(p.where, p.xs[0], p.xs[1])) : NULL);
}

/* a @= b: the product is made, then copied. */
static PyObject *operator_imatmul(PyObject *a, PyObject *b)
{
  PyObject *product = operator_matmul(a, b);
  if (!product || !tpy_is_array(product)) return product;
  const bool goes = tpy_flush_point(((tpy_array *)a)->handle);
  const tsr_location *where = goes ? tpy_site("@=") : NULL;
  const tsr_status status = where ? tsr_assign_at(where, ((tpy_array *)a)->handle,
                                                  tsr_box_array(((tpy_array *)product)->handle))
                                  : TSR_ERR_MEMORY;
  Py_DECREF(product);
  if (status < 0) return tpy_raise();
  Py_INCREF(a);
  return a;
}

static PyObject *operator_divmod(PyObject *a, PyObject *b)
{
  pair p;
  tsr_array out[2];
  const int known = take(&p, a, b, "divmod");
  PyObject *made = NULL;
  if (known > 0 && tsr_divmod_at(p.where, out, p.xs[0], p.xs[1]) < 0) {
    tpy_raise();
  } else if (known > 0) {
    PyObject *quotient = tpy_wrap(out[0]), *rest = tpy_wrap(out[1]);
    if (quotient && rest) made = PyTuple_Pack(2, quotient, rest);
    Py_XDECREF(quotient);
    Py_XDECREF(rest);
  }
  return give(&p, known, made);
}

/* May elements be negative? Only arrays are asked. */
static bool is_signed(const tsr_location *where, tsr_operand x)
{
  if (x.kind != TSR_OPERAND_ARRAY || !tsr_ok(x.as.array)) return false;
  const tsr_dtype dtype = tsr_dtype_of_at(where, x.as.array);
  return dtype == TSR_INT8 || dtype == TSR_INT16 || dtype == TSR_INT32 || dtype == TSR_INT64;
}

tsr_operand tpy_exponent(const tsr_location *where, const tsr_operand xs[2], tsr_array mask)
{
  if (!is_signed(where, xs[1]) ||
      !tsr_can_cast(tsr_result_type_at(where, 2, xs), TSR_INT64, TSR_CASTING_SAME_KIND))
    return xs[1];
  const tsr_operand of[2] = {xs[1], tsr_box_int(0)};
  tsr_array negative = tsr_less_at(where, 2, of);
  if (tsr_ok(mask)) {
    const tsr_operand both[2] = {tsr_box_array(mask), tsr_box_array(negative)};
    tsr_array chosen = tsr_logical_and_at(where, 2, both);
    tsr_release_at(where, &negative);
    negative = chosen;
  }
  tsr_array any = tsr_any_at(where, tsr_box_array(negative), 0, NULL);
  bool is_negative = false;
  PyThreadState *thread = tpy_wait_begin();
  const tsr_status status = tsr_to_host_at(where, tsr_box_array(any), &is_negative, 0, NULL);
  tpy_wait_end(thread);
  tsr_release_at(where, &any);
  tsr_release_at(where, &negative);
  if (status == TSR_OK && !is_negative) return xs[1];
  if (status == TSR_OK)
    tsr_power_at(where, 2, (tsr_operand[]){tsr_box_int(1), tsr_box_int(-1)}); /* the error */
  return tsr_box_array(tsr_null());
}

/* Is the operand the number v, and not an array? */
static bool is_number(tsr_operand x, double v)
{
  if (x.kind == TSR_OPERAND_FLOAT) return x.as.f == v;
  return x.kind == TSR_OPERAND_INT && (double)x.as.i == v;
}

/* The operator has square roots and quotients for the exponents 0.5 and -1, as NumPy's has. */
static tsr_array power(const tsr_location *where, int n, const tsr_operand *xs)
{
  if (is_number(xs[1], 0.5) || is_number(xs[1], -1)) {
    const bool is_array = xs[0].kind == TSR_OPERAND_ARRAY && tsr_ok(xs[0].as.array);
    const tsr_dtype dtype = is_array ? tsr_dtype_of_at(where, xs[0].as.array) : TSR_BOOL;
    const bool is_inexact = dtype == TSR_FLOAT16 || dtype == TSR_FLOAT32 || dtype == TSR_FLOAT64 ||
                            dtype == TSR_COMPLEX64 || dtype == TSR_COMPLEX128;
    if (is_inexact && is_number(xs[1], 0.5)) return tsr_sqrt_at(where, 1, xs);
    if (is_inexact) return tsr_reciprocal_at(where, 1, xs);
  }
  const tsr_operand own[2] = {xs[0], tpy_exponent(where, xs, tsr_null())};
  return tsr_power_at(where, n, own);
}

static tsr_status ipow(const tsr_location *where, tsr_array x, tsr_operand y)
{
  const tsr_operand xs[2] = {tsr_box_array(x), y};
  return tsr_ipow_at(where, x, tpy_exponent(where, xs, tsr_null()));
}

static PyObject *no_modulus(void)
{
  PyErr_SetString(PyExc_TypeError, "pow() of arrays takes no modulus");
  return NULL;
}

static PyObject *operator_power(PyObject *a, PyObject *b, PyObject *modulus)
{
  return modulus == Py_None ? binary(a, b, "**", power) : no_modulus();
}

static PyObject *operator_ipower(PyObject *a, PyObject *b, PyObject *modulus)
{
  return modulus == Py_None ? inplace(a, b, "**=", ipow) : no_modulus();
}

/* No element equals None or a text. */
static PyObject *all_differ(PyObject *x, bool differs)
{
  const tsr_location *where = tpy_enter() ? tpy_site(differs ? "!=" : "==") : NULL;
  if (!where) return NULL;
  const tsr_dims shape = tsr_shape_at(where, ((tpy_array *)x)->handle);
  return tpy_wrap(tsr_full_at(where, shape, tsr_box_bool(differs), TSR_BOOL));
}

static PyObject *operator_compare(PyObject *a, PyObject *b, int op)
{
  static const struct {
    const char *sign;
    map *f;
  } rows[] = {[Py_LT] = {"<", tsr_less_at},    [Py_LE] = {"<=", tsr_less_equal_at},
              [Py_EQ] = {"==", tsr_equal_at},  [Py_NE] = {"!=", tsr_not_equal_at},
              [Py_GT] = {">", tsr_greater_at}, [Py_GE] = {">=", tsr_greater_equal_at}};
  if ((op == Py_EQ || op == Py_NE) && (b == Py_None || PyUnicode_Check(b)))
    return all_differ(a, op == Py_NE);
  return binary(a, b, rows[op].sign, rows[op].f);
}

#include "generated/operators.inc"

PyType_Slot tpy_operators[] = {OPERATOR_SLOTS{Py_nb_matrix_multiply, operator_matmul},
                               {Py_nb_inplace_matrix_multiply, operator_imatmul},
                               {Py_nb_divmod, operator_divmod},
                               {Py_nb_power, operator_power},
                               {Py_nb_inplace_power, operator_ipower},
                               {Py_tp_richcompare, operator_compare},
                               {0, NULL}};
