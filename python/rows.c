/* The rows of tools/api.table: what each calls, and the functions of the module that they are. */
#include "call.h"
#include "given.h"

#include <stdio.h>

typedef tpy_given given;

static tsr_array refused(const tsr_location *where, const char *text)
{
  (void)where;
  PyErr_SetString(PyExc_ValueError, text);
  return tsr_null();
}

/* Returns the list of arrays that is parameter 0. */
static tsr_arrays list(const tsr_location *where, const given *g)
{
  (void)where;
  return g->arrays;
}

/* A list's numbers, of which there may be any number; to be freed. */
static int64_t *whole_numbers(const given *g, int k)
{
  int64_t *numbers = PyMem_RawMalloc((size_t)g->n[k] * sizeof *numbers + 1);
  if (!numbers) PyErr_NoMemory();
  for (int i = 0; numbers && i < g->n[k]; i++) numbers[i] = g->v[k][i].as.i;
  return numbers;
}

/* The calls that a row cannot say. */
static tsr_array call_full(const tsr_location *where, const given *g)
{
  const tsr_operand value = g->v[1][0];
  const tsr_dtype dtype = tsr__given_dtype(g, dtype_of_value(where, value));
  if (value.kind != TSR_OPERAND_FLOAT && !tpy_can_hold((int)dtype, value)) return tsr_null();
  if (value.kind != TSR_OPERAND_ARRAY)
    return tsr_full_at(where, tsr__given_dims(g, 0), value, dtype);
  tsr_array made = tsr_empty_at(where, tsr__given_dims(g, 0), dtype);
  const tsr_array as_dtype = tsr_ok(made) ? tsr_astype_at(where, value, dtype) : made;
  if (tsr_ok(made) && tsr_assign_at(where, made, tsr_box_array(as_dtype)) < 0)
    tsr_release_at(where, &made);
  return made;
}

static tsr_array call_arange(const tsr_location *where, const given *g)
{
  bool is_float = false;
  for (int i = 0; i < 3; i++) is_float |= tsr__given(g, i) && g->v[i][0].kind == TSR_OPERAND_FLOAT;
  const bool starts = tsr__given(g, 0), stops = tsr__given(g, 1);
  if (!starts && !stops) {
    PyErr_SetString(PyExc_TypeError, "arange() needs the number it stops at");
    return tsr_null();
  }
  return tsr_arange_at(where, starts && stops ? g->v[0][0] : tsr_box_int(0), g->v[stops][0],
                       tsr__given(g, 2) ? g->v[2][0] : tsr_box_int(1),
                       tsr__given_dtype(g, is_float ? TSR_FLOAT64 : TSR_INT64));
}

static tsr_array call_astype(const tsr_location *where, const given *g)
{
  return tsr_astype_at(where, g->v[0][0], tsr__given_dtype(g, TSR_FLOAT64));
}

static tsr_array call_clip(const tsr_location *where, const given *g)
{
  const int low = tsr__given(g, 3) ? 3 : 1, high = tsr__given(g, 4) ? 4 : 2;
  if ((tsr__given(g, 1) && tsr__given(g, 3)) || (tsr__given(g, 2) && tsr__given(g, 4)))
    return refused(where, "clip: min and max are a_min and a_max: give one of each");
  const tsr_operand xs[] = {g->v[0][0], tsr__given(g, low) ? g->v[low][0] : g->v[0][0],
                            tsr__given(g, high) ? g->v[high][0] : g->v[0][0]};
  if (tsr__given(g, low) && tsr__given(g, high)) return tsr_clip_at(where, 3, xs);
  if (tsr__given(g, low)) return tsr_maximum_at(where, 2, xs);
  if (tsr__given(g, high)) return tsr_minimum_at(where, 2, (const tsr_operand[]){xs[0], xs[2]});
  return tsr_copy_at(where, xs[0]);
}

static tsr_array call_repeat(const tsr_location *where, const given *g)
{
  const tsr_array x = tsr__given_array(where, g, 0);
  if (!(g->tuples >> 1 & 1))
    return tsr_repeat_at(where, x, tsr__given_whole(g, 1, 1), tsr__given_axes(g, 2));
  int64_t *counts = whole_numbers(g, 1);
  if (!counts) return tsr_null();
  const tsr_array made = tsr_repeat_counts_at(where, x, g->n[1], counts, tsr__given_axes(g, 2));
  PyMem_RawFree(counts);
  return made;
}

static tsr_array call_concatenate(const tsr_location *where, const given *g)
{
  if (g->n[1] != 0) return tsr_concatenate_at(where, g->arrays, tsr__given_int(g, 1, 0));
  tsr_array *flat = PyMem_RawMalloc((size_t)(g->arrays.n + 1) * sizeof *flat);
  if (!flat) return refused(where, "out of memory");
  for (int i = 0; i < g->arrays.n; i++) flat[i] = tsr_ravel_at(where, g->arrays.v[i]);
  const tsr_array made = tsr_concatenate_at(where, (tsr_arrays){.n = g->arrays.n, .v = flat}, 0);
  for (int i = 0; i < g->arrays.n; i++) tsr_release_at(where, &flat[i]);
  PyMem_RawFree(flat);
  return made;
}

/* tsr_pad with the values of a parameter, which are one operand. */
static tsr_array padded(const tsr_location *where, tsr_array x, const tsr_dims widths[2],
                        const char *mode, const given *g, int index, int n_options,
                        const tsr_padding *options)
{
  const tsr_operand value = tsr__given(g, index) ? g->v[index][0] : tsr_box_int(0);
  return tsr_pad_at(where, x, widths[0], widths[1], mode, value, n_options, options);
}

#include "array/text/calls.inc"

static int pieces(const tsr_location *where, const given *g, tsr_array *out,
                  tsr_status (*split)(const tsr_location *, tsr_array *, tsr_array, int64_t, int))
{
  const tsr_array x = tsr__given_array(where, g, 0);
  const int axis = tsr__given_int(g, 2, 0);
  if (g->tuples >> 1 & 1) {
    int64_t *at = whole_numbers(g, 1);
    const bool is_split = at && tsr_split_indices_at(where, out, x, g->n[1], at, axis) >= 0;
    PyMem_RawFree(at);
    return is_split ? g->n[1] + 1 : 0;
  }
  return split(where, out, x, tsr__given_whole(g, 1, 0), axis) < 0 ? 0 : tsr__given_int(g, 1, 0);
}

static int call_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_split_at);
}

static int call_array_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_array_split_at);
}

#include "array/generated/row_calls.inc"
#include "generated/rows.inc"

PyObject *tpy_compose(PyObject *module, PyObject *functions)
{
  (void)module;
  if (!PyDict_Check(functions)) return PyErr_Format(PyExc_TypeError, "compose takes a dictionary");
  for (size_t i = 0; i < sizeof tpy_rows / sizeof *tpy_rows; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", tpy_rows[i].is_of_ufunc ? "ufunc." : "", tpy_rows[i].name);
    PyObject *of = PyDict_GetItemString(functions, name);
    Py_XINCREF(of);
    if (of) Py_XSETREF(tpy_rows[i].composed, of);
  }
  Py_RETURN_NONE;
}

static PyObject *row_function(PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
  return tpy_call(PyCapsule_GetPointer(self, NULL), NULL, args, n, names);
}

/* The names of the functions of one point, which the text of a kernel may call. */
static bool add_point_functions(PyObject *module)
{
  PyObject *names = PyList_New(0);
  for (size_t i = 0; names && i < sizeof tpy_rows / sizeof *tpy_rows; i++) {
    const bool is_taken = tpy_rows[i].map && !tpy_rows[i].is_composed;
    PyObject *name = is_taken ? PyUnicode_FromString(tpy_rows[i].name) : NULL;
    if (is_taken && (!name || PyList_Append(names, name) < 0)) Py_CLEAR(names);
    Py_XDECREF(name);
  }
  return names && PyModule_AddObject(module, "point_functions", names) == 0;
}

static PyObject *function_of(const tpy_row *row, PyMethodDef *def)
{
  if (row->is_ufunc) return tpy_ufunc_new(row);
  *def = (PyMethodDef){row->name, TPY_FAST(row_function), METH_FASTCALL | METH_KEYWORDS, row->doc};
  PyObject *of = PyCapsule_New((void *)(uintptr_t)row, NULL, NULL);
  PyObject *name = PyUnicode_FromString("tessera");
  PyObject *f = of && name ? PyCFunction_NewEx(def, of, name) : NULL;
  Py_XDECREF(of);
  Py_XDECREF(name);
  return f;
}

bool tpy_call_init(PyObject *module)
{
  enum { N = sizeof tpy_rows / sizeof *tpy_rows };
  static PyMethodDef defs[N];
  for (int i = 0; i < N; i++) {
    if (!tpy_read_parameters(&tpy_rows[i])) return false;
    if (tpy_rows[i].is_of_ufunc) continue;
    tpy_rows[i].is_reshape = strcmp(tpy_rows[i].name, "reshape") == 0;
    tpy_rows[i].is_grid = tpy_rows[i].calls == row_meshgrid;
    tpy_rows[i].is_split = tpy_rows[i].calls == call_split || tpy_rows[i].calls == call_array_split;
    PyObject *f = function_of(&tpy_rows[i], &defs[i]);
    if (!f || PyModule_AddObject(module, tpy_rows[i].name, f) < 0) return false;
  }
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
    PyObject *f = PyObject_GetAttrString(module, aliases[i][1]);
    if (!f || PyModule_AddObject(module, aliases[i][0], f) < 0) return false;
  }
  return add_point_functions(module);
}
