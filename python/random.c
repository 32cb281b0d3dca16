/* Draws of random numbers. A generator of Python's holds a seed and the number of its draws; each
 * call is one draw. */
#include "binding.h"

static bool shape_of(PyObject *o, tsr_dims *shape)
{
  int64_t n[TSR_MAX_NDIM];
  shape->ndim = 0;
  if (o == Py_None) return true;
  shape->ndim = tpy_numbers(o, TSR_MAX_NDIM, n);
  for (int k = 0; k < shape->ndim; k++) shape->n[k] = n[k];
  return shape->ndim >= 0;
}

/* draw(kind, seed, n_draws, a, b, shape, dtype): one draw of Generator's uniform, normal,
 * exponential, integers, permutation, choice (b: replace) or shuffle. */
static PyObject *draw(PyObject *module, PyObject *args)
{
  (void)module;
  const char *kind;
  unsigned long long seed, n_draws;
  PyObject *a, *b, *size, *dtype_given, *owned[2] = {NULL, NULL}, *made = NULL;
  tsr_operand x, y;
  tsr_dims shape;
  int dtype;
  if (!tpy_enter()) return NULL;
  if (!PyArg_ParseTuple(args, "sKKOOOO", &kind, &seed, &n_draws, &a, &b, &size, &dtype_given))
    return NULL;
  if (!shape_of(size, &shape) || !tpy_dtype_of(dtype_given, &dtype)) return NULL;
  if (tpy_any_operand(a, &x, &owned[0]) < 0 || tpy_any_operand(b, &y, &owned[1]) < 0) goto end;
  const tsr_location *where = tpy_site("random");
  if (!where) goto end;
  tsr_rng rng = {.seed = seed, .n_draws = n_draws};
  const tsr_dtype real = dtype < 0 ? TSR_FLOAT64 : (tsr_dtype)dtype,
                  whole = dtype < 0 ? TSR_INT64 : (tsr_dtype)dtype;
  if (strcmp(kind, "uniform") == 0)
    made = tpy_wrap(tsr_rng_uniform_at(where, &rng, x, y, shape, real));
  else if (strcmp(kind, "normal") == 0)
    made = tpy_wrap(tsr_rng_normal_at(where, &rng, x, y, shape, real));
  else if (strcmp(kind, "exponential") == 0)
    made = tpy_wrap(tsr_rng_exponential_at(where, &rng, x, shape, real));
  else if (strcmp(kind, "integers") == 0)
    made = tpy_wrap(tsr_rng_integers_at(where, &rng, x, y, shape, whole));
  else if (strcmp(kind, "permutation") == 0)
    made = tpy_wrap(tsr_rng_permutation_at(where, &rng, x));
  else if (strcmp(kind, "choice") == 0)
    made = tpy_wrap(tsr_rng_choice_at(where, &rng, x, shape, y.as.b));
  else if (strcmp(kind, "shuffle") == 0 && tpy_is_array(a))
    made =
        tpy_drop_sources(x.as.array) ? tpy_done(tsr_rng_shuffle_at(where, &rng, x.as.array)) : NULL;
  else
    PyErr_Format(PyExc_ValueError, "there is no draw '%s'", kind);
  if (made == Py_None && !tpy_flush_point(x.as.array)) Py_CLEAR(made);
end:
  Py_XDECREF(owned[0]);
  Py_XDECREF(owned[1]);
  return made;
}

PyMethodDef tpy_random_methods[] = {{"draw", draw, METH_VARARGS, NULL}, {0}};
