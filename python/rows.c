/* The rows of tools/api.table: what each calls, and the functions of the module that they are. */
#include "call.h"
#include "given.h"

typedef tpy_given given;

static tsr_array refuse(const char *text)
{
  PyErr_SetString(PyExc_ValueError, text);
  return tsr_null();
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
  const tsr_dtype dtype = given_dtype(g, dtype_of_value(where, value));
  if (value.kind != TSR_OPERAND_FLOAT && !tpy_can_hold((int)dtype, value)) return tsr_null();
  if (value.kind != TSR_OPERAND_ARRAY) return tsr_full_at(where, given_dims(g, 0), value, dtype);
  tsr_array made = tsr_empty_at(where, given_dims(g, 0), dtype);
  const tsr_array as_dtype = tsr_ok(made) ? tsr_astype_at(where, value, dtype) : made;
  if (tsr_ok(made) && tsr_assign_at(where, made, tsr_box_array(as_dtype)) < 0)
    tsr_release_at(where, &made);
  return made;
}

static tsr_array call_arange(const tsr_location *where, const given *g)
{
  bool is_float = false;
  for (int i = 0; i < 3; i++) is_float |= is_given(g, i) && g->v[i][0].kind == TSR_OPERAND_FLOAT;
  const bool starts = is_given(g, 0), stops = is_given(g, 1);
  if (!starts && !stops) {
    PyErr_SetString(PyExc_TypeError, "arange() needs the number it stops at");
    return tsr_null();
  }
  return tsr_arange_at(where, starts && stops ? g->v[0][0] : tsr_box_int(0), g->v[stops][0],
                       is_given(g, 2) ? g->v[2][0] : tsr_box_int(1),
                       given_dtype(g, is_float ? TSR_FLOAT64 : TSR_INT64));
}

static tsr_array call_astype(const tsr_location *where, const given *g)
{
  return tsr_astype_at(where, g->v[0][0], given_dtype(g, TSR_FLOAT64));
}

static tsr_array call_clip(const tsr_location *where, const given *g)
{
  const int low = is_given(g, 3) ? 3 : 1, high = is_given(g, 4) ? 4 : 2;
  if ((is_given(g, 1) && is_given(g, 3)) || (is_given(g, 2) && is_given(g, 4)))
    return refuse("clip: min and max are a_min and a_max: give one of each");
  const tsr_operand xs[] = {g->v[0][0], is_given(g, low) ? g->v[low][0] : g->v[0][0],
                            is_given(g, high) ? g->v[high][0] : g->v[0][0]};
  if (is_given(g, low) && is_given(g, high)) return tsr_clip_at(where, 3, xs);
  if (is_given(g, low)) return tsr_maximum_at(where, 2, xs);
  if (is_given(g, high)) return tsr_minimum_at(where, 2, (const tsr_operand[]){xs[0], xs[2]});
  return tsr_copy_at(where, xs[0]);
}

static tsr_array call_repeat(const tsr_location *where, const given *g)
{
  const tsr_array x = given_array(where, g, 0);
  if (!(g->tuples >> 1 & 1)) return tsr_repeat_at(where, x, given_whole(g, 1, 1), given_axes(g, 2));
  int64_t *counts = whole_numbers(g, 1);
  if (!counts) return tsr_null();
  const tsr_array made = tsr_repeat_counts_at(where, x, g->n[1], counts, given_axes(g, 2));
  PyMem_RawFree(counts);
  return made;
}

static tsr_array call_concatenate(const tsr_location *where, const given *g)
{
  if (g->n[1] != 0) return tsr_concatenate_at(where, g->arrays, given_int(g, 1, 0));
  tsr_array *flat = PyMem_RawMalloc((size_t)(g->arrays.n + 1) * sizeof *flat);
  if (!flat) return refuse("out of memory");
  for (int i = 0; i < g->arrays.n; i++) flat[i] = tsr_ravel_at(where, g->arrays.v[i]);
  const tsr_array made = tsr_concatenate_at(where, (tsr_arrays){.n = g->arrays.n, .v = flat}, 0);
  for (int i = 0; i < g->arrays.n; i++) tsr_release_at(where, &flat[i]);
  PyMem_RawFree(flat);
  return made;
}

/* Widths: one for all sides, one pair (before, after) for all axes, or one pair for each axis. */
static bool pairs(const given *g, int slot, int ndim, tsr_dims *before, tsr_dims *after)
{
  const int n = g->n[slot];
  const bool is_each = g->tuples >> slot & 1;
  *before = *after = (tsr_dims){.ndim = ndim};
  if (is_each ? n != 2 * ndim : n != 1 && n != 2) {
    refuse(slot == 1
               ? "pad_width is one number, one pair (before, after), or such a pair for each axis"
               : "stat_length is one number, one pair (before, after), or such a pair for each "
                 "axis");
    return false;
  }
  for (int k = 0; k < ndim; k++) {
    const int at = is_each ? 2 * k : 0;
    before->n[k] = g->v[slot][at].as.i;
    after->n[k] = g->v[slot][n == 1 ? 0 : at + 1].as.i;
  }
  return true;
}

static tsr_array call_pad(const tsr_location *where, const given *g)
{
  enum { WIDTH = 1, CONSTANT = 3, LENGTH = 4, END = 5, N_OPTIONS = 4 };
  const tsr_array x = given_array(where, g, 0);
  const int ndim = tsr_ndim_at(where, x), of = is_given(g, CONSTANT) ? CONSTANT : END;
  tsr_padding options[N_OPTIONS] = {{.kind = TSR_PADDING_NONE}};
  tsr_dims before, after;
  if (!pairs(g, WIDTH, ndim, &before, &after)) return tsr_null();
  if (is_given(g, LENGTH)) {
    options[0].kind = TSR_PADDING_STAT_LENGTH;
    if (!pairs(g, LENGTH, ndim, &options[0].before, &options[0].after)) return tsr_null();
  }
  if (g->other) options[1] = (tsr_padding){.kind = TSR_PADDING_REFLECT_TYPE, .text = g->other};
  if (is_given(g, CONSTANT))
    options[2] = (tsr_padding){.kind = TSR_PADDING_VALUE, .text = "constant_values"};
  if (is_given(g, END)) options[3] = (tsr_padding){.kind = TSR_PADDING_VALUE, .text = "end_values"};
  return tsr_pad_at(where, x, before, after, g->string ? g->string : "constant",
                    is_given(g, of) ? g->v[of][0] : tsr_box_int(0), N_OPTIONS, options);
}

static tsr_array call_einsum(const tsr_location *where, const given *g)
{
  return tsr_einsum_at(where, g->string, g->n[1], g->v[1]);
}

static tsr_array call_average(const tsr_location *where, const given *g)
{
  tsr_axes options = is_given(g, 1) ? given_axes(g, 1) : (tsr_axes){.n = -1};
  options.keepdims = given_truth(g, 3, false);
  if (!is_given(g, 2)) return tsr_mean_at(where, g->v[0][0], 1, &options);
  return tsr_average_at(where, g->v[0][0], g->v[2][0], 1, &options);
}

static tsr_array call_angle(const tsr_location *where, const given *g)
{
  const tsr_array radians = tsr_angle_at(where, g->v[0][0]);
  if (!given_truth(g, 1, false)) return radians;
  return tsr_rad2deg_at(where, 1, (const tsr_operand[]){tsr_box_array(radians)});
}

static tsr_array call_trapezoid(const tsr_location *where, const given *g)
{
  const tsr_operand x = is_given(g, 1) ? g->v[1][0] : is_given(g, 2) ? g->v[2][0] : tsr_box_int(1);
  return tsr_trapezoid_at(where, g->v[0][0], x, given_int(g, 3, -1));
}

static int pieces(const tsr_location *where, const given *g, tsr_array *out,
                  tsr_status (*split)(const tsr_location *, tsr_array *, tsr_array, int64_t, int))
{
  const tsr_array x = given_array(where, g, 0);
  const int axis = given_int(g, 2, 0);
  if (g->tuples >> 1 & 1) {
    int64_t *at = whole_numbers(g, 1);
    const bool is_split = at && tsr_split_indices_at(where, out, x, g->n[1], at, axis) >= 0;
    PyMem_RawFree(at);
    return is_split ? g->n[1] + 1 : 0;
  }
  return split(where, out, x, given_whole(g, 1, 0), axis) < 0 ? 0 : given_int(g, 1, 0);
}

static int call_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_split_at);
}

static int call_array_split(const tsr_location *where, const given *g, tsr_array *out)
{
  return pieces(where, g, out, tsr_array_split_at);
}

#include "generated/calls.inc"
#include "generated/rows.inc"

PyObject *tpy_compose(PyObject *module, PyObject *functions)
{
  (void)module;
  if (!PyDict_Check(functions)) return PyErr_Format(PyExc_TypeError, "compose takes a dictionary");
  for (size_t i = 0; i < sizeof tpy_rows / sizeof *tpy_rows; i++) {
    PyObject *of = PyDict_GetItemString(functions, tpy_rows[i].name);
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
    PyObject *name = tpy_rows[i].map ? PyUnicode_FromString(tpy_rows[i].name) : NULL;
    if (tpy_rows[i].map && (!name || PyList_Append(names, name) < 0)) Py_CLEAR(names);
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
    tpy_rows[i].is_reshape = strcmp(tpy_rows[i].name, "reshape") == 0;
    tpy_rows[i].is_grid = tpy_rows[i].calls == call_meshgrid;
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
