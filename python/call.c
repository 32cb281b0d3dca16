/* Calls of the rows of tools/api.table: Python's arguments, by the row's parameters, become what the text language
 * gives, and the row's function makes the call. */
#include "binding.h"

typedef tpy_given given;

/* What the generated calls take from `given`. */
static tsr_dims given_dims(const given *g, int k)
{
  tsr_dims dims = {.ndim = g->n[k] < 0 ? 0 : g->n[k]};
  for (int i = 0; i < dims.ndim && i < TSR_MAX_NDIM; i++) dims.n[i] = g->v[k][i].as.i;
  return dims;
}

static tsr_axes given_axes(const given *g, int k)
{
  tsr_axes axes = {.n = g->n[k]};
  for (int i = 0; i < axes.n && i < TSR_MAX_NDIM; i++) {
    const int64_t axis = g->v[k][i].as.i;
    axes.axis[i] = axis > INT32_MAX ? INT32_MAX : axis < -INT32_MAX ? -INT32_MAX + 1 : (int)axis;
  }
  return axes;
}

static int64_t given_whole(const given *g, int k, int64_t otherwise)
{
  return g->n[k] > 0 ? g->v[k][0].as.i : otherwise;
}

static int given_int(const given *g, int k, int otherwise)
{
  if (g->n[k] <= 0) return otherwise;
  const int64_t n = g->v[k][0].as.i;
  return n > INT32_MAX ? INT32_MAX : n < -INT32_MAX ? -INT32_MAX : (int)n;
}

static double given_number(const given *g, int k, double otherwise)
{
  if (g->n[k] <= 0) return otherwise;
  return g->v[k][0].kind == TSR_OPERAND_FLOAT ? g->v[k][0].as.f : (double)g->v[k][0].as.i;
}

static bool given_truth(const given *g, int k, bool otherwise)
{
  return g->n[k] > 0 ? g->v[k][0].as.b : otherwise;
}

static tsr_dtype given_dtype(const given *g, tsr_dtype otherwise)
{
  return g->dtype < 0 ? otherwise : (tsr_dtype)g->dtype;
}

static bool is_given(const given *g, int k)
{
  return g->n[k] >= 0;
}

static tsr_dtype dtype_of_value(const tsr_location *where, tsr_operand x)
{
  return tsr_result_type_at(where, 1, &x);
}

static tsr_array array_of_value(const tsr_location *where, tsr_operand x)
{
  if (x.kind == TSR_OPERAND_ARRAY) return x.as.array;
  return tsr_full_at(where, (tsr_dims){.ndim = 0}, x, dtype_of_value(where, x));
}

static tsr_array given_array(const tsr_location *where, const given *g, int k)
{
  return array_of_value(where, g->v[k][0]);
}

static bool is_null(tsr_operand x)
{
  return x.kind == TSR_OPERAND_ARRAY && !tsr_ok(x.as.array);
}

static tsr_operand cast_before(const tsr_location *where, const given *g)
{
  const tsr_operand x = g->v[0][0];
  if (g->dtype < 0 || dtype_of_value(where, x) == (tsr_dtype)g->dtype) return x;
  return tsr_box_array(tsr_astype_at(where, x, (tsr_dtype)g->dtype));
}

static tsr_array cast_after(const tsr_location *where, const given *g, tsr_array x)
{
  if (g->dtype < 0 || !tsr_ok(x) || tsr_dtype_of_at(where, x) == (tsr_dtype)g->dtype) return x;
  return tsr_astype_at(where, tsr_box_array(x), (tsr_dtype)g->dtype);
}

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
  if (!starts && !stops) return refuse("arange needs the number it stops at");
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

/* Parameters. */

static size_t length_of_default(const char *text)
{
  const char *end = text;
  for (int depth = 0; *end && !(*end == ',' && depth == 0); end++)
    depth += (*end == '(') - (*end == ')');
  return (size_t)(end - text);
}

static bool is_text(const char *normal, const char *s)
{
  const size_t n = length_of_default(normal);
  return strlen(s) == n && memcmp(normal, s, n) == 0;
}

static bool read_parameters(tpy_row *row)
{
  int n_slots = 0;
  bool by_place = true;
  row->n_rest = -1;
  for (const char *p = row->parameters; *p; p += strspn(p, ", ")) {
    if (*p == '/' || *p == '*') {
      for (int i = 0; *p == '/' && i < row->n_parameters; i++) row->p[i].by_name = false;
      by_place &= *p++ != '*';
      continue;
    }
    tpy_parameter *o = &row->p[row->n_parameters++];
    *o = (tpy_parameter){.kind = *p, .by_place = by_place, .by_name = true};
    p += 2;
    const size_t n = strcspn(p, "=,");
    o->name = PyUnicode_FromStringAndSize(p, (Py_ssize_t)n);
    if (!o->name) return false;
    PyUnicode_InternInPlace(&o->name);
    p += n;
    if (*p == '=') {
      o->normal = ++p;
      o->is_optional = true;
      p += length_of_default(p);
    }
    o->slot = o->kind == '-' || o->kind == '0' ? -1 : n_slots++;
    if (o->kind == 'v' || o->kind == 'm') row->n_rest = row->n_parameters - 1;
    if (o->kind == 'v') by_place = false;
  }
  return n_slots <= TPY_SLOTS && row->n_parameters <= TPY_PARAMETERS;
}

/* Is the value the default that is written in the row? Arrays and other objects are none: their text is not asked
 * for. */
static bool is_normal(const tpy_parameter *p, PyObject *value)
{
  if (value == Py_None) return true;
  if (!p->normal || (!PyBool_Check(value) && !PyLong_CheckExact(value) &&
                     !PyFloat_CheckExact(value) && !PyUnicode_CheckExact(value)))
    return false;
  PyObject *repr = PyObject_Repr(value);
  const char *s = repr ? PyUnicode_AsUTF8(repr) : NULL;
  const bool same = s && is_text(p->normal, s);
  Py_XDECREF(repr);
  PyErr_Clear();
  return same;
}

static bool find_names(const tpy_row *row, PyObject *const *args, PyObject *names,
                       PyObject *values[])
{
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    int k = 0;
    while (k < row->n_parameters && row->p[k].name != name) k++;
    if (k == row->n_parameters)
      for (k = 0; k < row->n_parameters && PyUnicode_Compare(row->p[k].name, name) != 0;) k++;
    if (k == row->n_parameters || !row->p[k].by_name) {
      PyErr_Format(PyExc_TypeError, "%s() has no keyword argument '%U'", row->name, name);
      return false;
    }
    if (values[k]) {
      PyErr_Format(PyExc_TypeError, "%s() got two values for '%U'", row->name, name);
      return false;
    }
    values[k] = args[i];
  }
  return true;
}

/* The arguments of one call. */
typedef struct call {
  const tpy_row *row;
  given g;
  PyObject *const *rest; /* all further places */
  Py_ssize_t n_rest;
  PyObject *out, *mask; /* out= and where=, which have no slots */
  PyObject *self;       /* the array of a method */
  /* The caller's stack has `self` in front of the arguments: the array of a bound method that the program keeps does
   * not lie there. */
  bool is_on_stack;
  tsr_array *list;
  Py_ssize_t n_owned;
  PyObject **owned, *few_owned[TPY_NUMBERS + TPY_SLOTS];
  tsr_array few[TPY_NUMBERS];
  bool is_not_copied; /* copy=False, of what makes a copy by default */
  bool is_beyond;     /* an argument is beyond the row: the row's Python function is to be called */
} call;

/* Does a Python function take what the row does not? */
static bool goes_on(call *c)
{
  return c->is_beyond = c->row->composed != NULL;
}

/* One, or as many as a list has: more than there is room for lie in an object that lives as long as the call. */
static bool set_numbers(call *c, int k, PyObject *o)
{
  tsr_operand *to = c->g.numbers[k];
  to->kind = TSR_OPERAND_INT;
  PyObject *items = tpy_items(o); /* __index__ may change the list */
  if (!items) return !PyErr_Occurred() && tpy_number(o, &to->as.i);
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  if (n > TPY_NUMBERS) {
    PyObject *room =
        n < INT32_MAX / 2 ? PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof *to) : NULL;
    if (!room) {
      Py_DECREF(items);
      return PyErr_NoMemory() != NULL;
    }
    c->owned[c->n_owned++] = room;
    c->g.v[k] = to = (tsr_operand *)(void *)PyBytes_AS_STRING(room);
  }
  bool is_done = true;
  for (Py_ssize_t i = 0; i < n && is_done; i++) {
    to[i].kind = TSR_OPERAND_INT;
    is_done = tpy_number(PyTuple_GET_ITEM(items, i), &to[i].as.i);
  }
  c->g.n[k] = (int)n;
  c->g.tuples |= 1u << k;
  Py_DECREF(items);
  return is_done;
}

/* One number, a pair, or a list of pairs, in which one number in a list of its own counts twice. A list of several
 * pairs has its bit in `tuples`. */
static bool set_widths(call *c, int k, PyObject *o)
{
  PyObject *items = tpy_is_list(o) ? PySequence_Tuple(o) : NULL; /* __index__ may change the list */
  if (!items) return !PyErr_Occurred() && set_numbers(c, k, o);
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  bool is_done = true;
  int n_lists = 0;
  c->g.n[k] = 0;
  for (Py_ssize_t i = 0; is_done && i < n; i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    int64_t pair[2];
    const int count = tpy_numbers(item, 2, pair);
    n_lists += tpy_is_list(item);
    is_done = count > 0 && c->g.n[k] + 2 <= TPY_NUMBERS;
    const int n_taken = tpy_is_list(item) ? 2 : 1;
    for (int j = 0; is_done && j < n_taken; j++)
      c->g.numbers[k][c->g.n[k]++] = tsr_box_int(pair[j < count ? j : 0]);
  }
  Py_DECREF(items);
  if (is_done && n_lists > 1) c->g.tuples |= 1u << k;
  if (is_done && n > 0 && (n_lists == 0 || n_lists == n)) return true;
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "%s(): the widths are one number, a pair, or pairs for all axes",
                 c->row->name);
  return false;
}

static bool set_arrays(call *c, int k, PyObject *const *items, Py_ssize_t n)
{
  const tsr_location *where = tpy_site(c->row->name);
  if (n > TPY_NUMBERS) {
    c->list = PyMem_RawMalloc((size_t)n * sizeof *c->list);
    PyObject **owned = PyMem_RawMalloc((size_t)(n + TPY_NUMBERS + TPY_SLOTS) * sizeof *owned);
    if (!c->list || !owned) {
      PyMem_RawFree(owned);
      return PyErr_NoMemory() != NULL;
    }
    memcpy(owned, c->owned, (size_t)c->n_owned * sizeof *owned);
    c->owned = owned;
  }
  if (!where) return false;
  tsr_array *list = c->list ? c->list : c->few;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *x = tpy_as_array(items[i], -1);
    if (!x) return false;
    c->owned[c->n_owned++] = x;
    list[i] = ((tpy_array *)x)->handle;
    if (i < TPY_NUMBERS) c->g.numbers[k][i] = tsr_box_array(list[i]);
  }
  c->g.arrays = (tsr_arrays){.n = (int)n, .v = list};
  c->g.n[k] = (int)n;
  return true;
}

static bool set_number(call *c, int k, PyObject *o)
{
  if (PyFloat_Check(o)) {
    c->g.numbers[k][0] = tsr_box_float(PyFloat_AS_DOUBLE(o));
    return true;
  }
  if (PyLong_Check(o)) return tpy_operand(o, &c->g.numbers[k][0]) > 0;
  const double value = PyFloat_AsDouble(o);
  c->g.numbers[k][0] = tsr_box_float(value);
  return value != -1 || !PyErr_Occurred();
}

/* What chooses are bools; numbers in lists become bools, those of arrays do not, as NumPy has it. */
static bool check_mask(const call *c, PyObject *o, tsr_array x)
{
  if (tsr_dtype_of_at(&tpy_attribute, x) == TSR_BOOL || !PyObject_HasAttrString(o, "dtype"))
    return true;
  PyErr_Format(PyExc_TypeError, "%s(): where= takes bools, such as those of x != 0", c->row->name);
  return false;
}

/* A parameter without a slot takes its default; of all functions also out= and the one device, of elementwise ones
 * where= and dtype=. */
static bool set_unslotted(call *c, const tpy_parameter *p, PyObject *o)
{
  const char *name = PyUnicode_AsUTF8(p->name);
  if (!name) return false;
  if (is_normal(p, o)) return true;
  if (strcmp(name, "out") == 0) {
    if (PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
    if (c->row->calls && goes_on(c)) return false;
    c->out = o;
    if (tpy_is_array(o)) return true;
    if (goes_on(c)) return false;
    PyErr_Format(PyExc_TypeError, "%s(): out= takes an array of Tessera", c->row->name);
    return false;
  }
  if (strcmp(name, "device") == 0 && PyUnicode_Check(o) &&
      PyUnicode_CompareWithASCIIString(o, "cpu") == 0)
    return true;
  if (c->row->map && strcmp(name, "dtype") == 0) return tpy_dtype_of(o, &c->g.dtype);
  if (c->row->map && strcmp(name, "where") == 0) {
    c->mask = tpy_as_array(o, PyObject_HasAttrString(o, "dtype") ? -1 : TSR_BOOL);
    if (!c->mask) return false;
    c->owned[c->n_owned++] = c->mask;
    return check_mask(c, o, ((tpy_array *)c->mask)->handle);
  }
  if (goes_on(c)) return false;
  PyObject *text = PyUnicode_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o)
                       ? PyObject_Repr(o)
                       : PyUnicode_FromFormat("(a %s)", Py_TYPE(o)->tp_name);
  if (text)
    PyErr_Format(PyExc_TypeError, "%s(): %U=%U is not there yet", c->row->name, p->name, text);
  Py_XDECREF(text);
  return false;
}

/* An array of a reduction's option: bools choose, and one number is the first. */
static bool check_option(const call *c, const tpy_parameter *p, PyObject *o, tsr_array x)
{
  if (PyUnicode_CompareWithASCIIString(p->name, "where") == 0) return check_mask(c, o, x);
  const int ndim = tsr_ndim_at(&tpy_attribute, x);
  if (ndim == 0 || PyUnicode_CompareWithASCIIString(p->name, "initial") != 0) return true;
  PyErr_Format(PyExc_ValueError, "%s(): initial= is one number, not an array of %d axes",
               c->row->name, ndim);
  return false;
}

static bool set(call *c, const tpy_parameter *p, PyObject *o)
{
  const int k = p->slot;
  given *g = &c->g;
  /* What makes no difference, but that astype(copy=False) may be the array itself. */
  if (p->kind == '0' && o == Py_False) c->is_not_copied = true;
  if (p->kind == '0')
    return is_normal(p, o) || PyUnicode_CompareWithASCIIString(p->name, "copy") != 0 || !goes_on(c);
  if (p->kind == '-') return set_unslotted(c, p, o);
  if (p->kind == 'd' || p->kind == 'D') return tpy_dtype_of(o, &g->dtype);
  if (o == Py_None && p->kind == 'j') {
    g->n[k] = 0;
    return true;
  }
  if (o == Py_None && p->normal && is_text(p->normal, "None")) return true;
  g->n[k] = 1;
  switch (p->kind) {
  case 'x':
  case 'p': {
    PyObject *owned;
    if (tpy_any_operand(o, &g->numbers[k][0], &owned) < 0) return false;
    if (owned) c->owned[c->n_owned++] = owned;
    const tsr_operand *x = &g->numbers[k][0];
    return x->kind != TSR_OPERAND_ARRAY || c->row->map || check_option(c, p, o, x->as.array);
  }
  case 'a': {
    PyObject *x = tpy_as_array(o, -1);
    if (!x) return false;
    c->owned[c->n_owned++] = x;
    g->numbers[k][0] = tsr_box_array(((tpy_array *)x)->handle);
    return true;
  }
  case 'i':
  case 'j':
    if (PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
    g->numbers[k][0].kind = TSR_OPERAND_INT;
    return tpy_number(o, &g->numbers[k][0].as.i);
  case 'f':
    if (!PyFloat_Check(o) && !PyLong_Check(o) && goes_on(c)) return false;
    return set_number(c, k, o);
  case 'b': {
    const int truth = PyObject_IsTrue(o);
    g->numbers[k][0] = tsr_box_bool(truth > 0);
    return truth >= 0;
  }
  case 's': {
    bool is_other = false;
    for (const tpy_parameter *before = c->row->p; before < p; before++)
      is_other |= before->kind == 's';
    return (*(is_other ? &g->other : &g->string) = PyUnicode_AsUTF8(o)) != NULL;
  }
  case 'n':
  case 'm':
    return set_numbers(c, k, o);
  case 'w':
    if (set_widths(c, k, o)) return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "%s(): %U takes whole numbers, not %R", c->row->name, p->name,
                   o);
    return false;
  default: {                               /* l */
    PyObject *items = PySequence_Tuple(o); /* making an array of an item may change the list */
    if (!items) return false;
    const bool done = set_arrays(c, k, &PyTuple_GET_ITEM(items, 0), PyTuple_GET_SIZE(items));
    Py_DECREF(items);
    return done;
  }
  }
}

static bool set_rest(call *c, const tpy_parameter *p)
{
  if (p->kind == 'v') return set_arrays(c, p->slot, c->rest, c->n_rest);
  if (c->n_rest > TPY_NUMBERS) {
    PyErr_Format(PyExc_ValueError, "%s() takes at most %d numbers", c->row->name, TPY_NUMBERS);
    return false;
  }
  for (Py_ssize_t i = 0; i < c->n_rest; i++) {
    c->g.numbers[p->slot][i].kind = TSR_OPERAND_INT;
    if (!tpy_number(c->rest[i], &c->g.numbers[p->slot][i].as.i)) return false;
  }
  c->g.n[p->slot] = (int)c->n_rest;
  return true;
}

/* Gives each argument its parameter. */
static bool bind(call *c, PyObject *self, PyObject *const *args, Py_ssize_t n, PyObject *names)
{
  const tpy_row *row = c->row;
  PyObject *values[TPY_PARAMETERS] = {NULL};
  int k = 0;
  if (self) values[k++] = self;
  Py_ssize_t i = 0;
  for (; i < n; i++, k++) {
    if (k == row->n_rest && (row->p[k].kind == 'v' || i + 1 < n)) { /* several are left */
      if (row->p[k].kind == 'v' || PyIndex_Check(args[i])) {
        c->rest = args + i;
        c->n_rest = n - i;
        break;
      }
    }
    if (k == row->n_parameters || !row->p[k].by_place) {
      PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments, not %zd",
                   row->name, k - !!self, n);
      return false;
    }
    values[k] = args[i];
  }
  if (!find_names(row, args + n, names, values)) return false;
  for (k = 0; k < TPY_SLOTS; k++) {
    c->g.v[k] = c->g.numbers[k];
    c->g.n[k] = -1;
  }
  for (k = 0; k < row->n_parameters; k++) {
    const tpy_parameter *p = &row->p[k];
    if (k == row->n_rest && (c->rest || p->kind == 'v')) {
      if (!set_rest(c, p)) return false;
    } else if (values[k]) {
      if (!set(c, p, values[k])) return false;
    } else if (!p->is_optional) {
      PyErr_Format(PyExc_TypeError, "%s() needs the argument '%U'", row->name, p->name);
      return false;
    } else if (row->map && p->kind == 'x' && goes_on(c)) { /* fewer operands than the row takes */
      return false;
    }
  }
  return true;
}

/* May a result be put into out=? An elementwise function's is broadcast, as NumPy's is. */
static bool fits(const tpy_row *row, tsr_array out, tsr_array made, const tsr_location *where)
{
  const tsr_dims a = tsr_shape_at(where, out), b = tsr_shape_at(where, made);
  const tsr_dtype to = tsr_dtype_of_at(where, out), from = tsr_dtype_of_at(where, made);
  if (!row->map && (a.ndim != b.ndim || memcmp(a.n, b.n, (size_t)a.ndim * sizeof *a.n) != 0)) {
    PyErr_Format(PyExc_ValueError, "%s(): out= has another shape than the result", row->name);
    return false;
  }
  if (tsr_can_cast(from, to, TSR_CASTING_SAME_KIND)) return true;
  PyErr_Format(PyExc_TypeError, "%s(): a result of %s cannot be cast to out= of %s", row->name,
               tpy_dtype_name(from), tpy_dtype_name(to));
  return false;
}

static PyObject *put_out(const tpy_row *row, PyObject *out, PyObject *made,
                         const tsr_location *where)
{
  if (!made || !out) return made;
  if (!fits(row, ((tpy_array *)out)->handle, ((tpy_array *)made)->handle, where) ||
      !tpy_flush_point(((tpy_array *)out)->handle)) {
    Py_DECREF(made);
    return NULL;
  }
  const tsr_status status =
      tsr_assign_at(where, ((tpy_array *)out)->handle, tsr_box_array(((tpy_array *)made)->handle));
  Py_DECREF(made);
  if (status < 0) return tpy_raise();
  Py_INCREF(out);
  return out;
}

/* Puts the second array in the place of the first, which goes. */
static void replace(const tsr_location *where, tsr_array *x, tsr_array by)
{
  if (by.id == x->id) return;
  tsr_release_at(where, x);
  *x = by;
}

static PyObject *several(const tpy_row *row, const call *c, const tsr_location *where)
{
  int64_t most = c->g.arrays.n > 2 ? c->g.arrays.n : 2;
  if (row->calls == call_split || row->calls == call_array_split)
    most = c->g.tuples ? c->g.n[1] + 1 : given_whole(&c->g, 1, 0);
  if (most < 2) most = 2;
  tsr_array *results = most < 1 << 24 ? PyMem_RawMalloc((size_t)most * sizeof *results) : NULL;
  if (!results) return PyErr_NoMemory();
  const int n = row->calls(where, &c->g, results);
  for (int i = 0; i < n && row->calls == call_meshgrid && !c->is_not_copied; i++)
    replace(where, &results[i], tsr_copy_at(where, tsr_box_array(results[i])));
  PyObject *tuple = n > 0 || (c->n_rest == 0 && row->n_rest >= 0) ? PyTuple_New(n) : tpy_raise();
  for (int i = 0; tuple && i < n; i++) {
    PyObject *x = tpy_wrap(results[i]);
    if (!x) Py_CLEAR(tuple);
    if (x) PyTuple_SET_ITEM(tuple, i, x);
  }
  PyMem_RawFree(results);
  return tuple;
}

/* May the operands of an elementwise function be cast to its dtype=, and is there an out= for its where=? */
static bool can_map(const call *c, const tsr_location *where)
{
  const tsr_dtype to = (tsr_dtype)c->g.dtype;
  for (int k = 0; c->g.dtype >= 0 && k < TPY_SLOTS && c->g.n[k] == 1; k++) {
    const tsr_operand x = c->g.v[k][0];
    if (x.kind != TSR_OPERAND_ARRAY) continue;
    const tsr_dtype own = dtype_of_value(where, x);
    if (tsr_can_cast(own, to, TSR_CASTING_SAME_KIND)) continue;
    PyErr_Format(PyExc_TypeError, "%s(): dtype=%s of an operand of %s", c->row->name,
                 tpy_dtype_name(to), tpy_dtype_name(own));
    return false;
  }
  if (!c->mask || c->out) return true;
  PyErr_Format(PyExc_TypeError, "%s(): where= needs out=, whose elements stay where it is false",
               c->row->name);
  return false;
}

/* An elementwise function. With dtype= its operands are cast before, and its result after. */
static PyObject *map(const call *c, const tsr_location *where)
{
  tsr_operand xs[TPY_SLOTS];
  tsr_array cast[TPY_SLOTS];
  int n = 0, n_cast = 0;
  if (!can_map(c, where)) return NULL;
  for (; n < TPY_SLOTS && c->g.n[n] == 1; n++) {
    xs[n] = c->g.v[n][0];
    if (c->g.dtype < 0) continue;
    cast[n_cast] = tsr_astype_at(where, xs[n], (tsr_dtype)c->g.dtype);
    xs[n] = tsr_box_array(cast[n_cast++]);
  }
  tsr_array made = c->row->map(where, n, xs);
  while (n_cast > 0) tsr_release_at(where, &cast[--n_cast]);
  replace(where, &made, cast_after(where, &c->g, made));
  if (c->mask && tsr_ok(made)) {
    const tsr_operand chosen[] = {tsr_box_array(((tpy_array *)c->mask)->handle),
                                  tsr_box_array(made),
                                  tsr_box_array(((tpy_array *)c->out)->handle)};
    replace(where, &made, tsr_where_at(where, 3, chosen));
  }
  return put_out(c->row, c->out, tpy_wrap(made), where);
}

/* Does nobody but this call refer to the array of a method, as to (x + y) in (x + y).reshape(2, 3)? Arguments of a
 * function are not asked: a tuple that the program spreads, reshape(*args), holds them as the caller's stack would. */
static bool is_temporary(PyObject *o)
{
#if PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_Object_IsUniqueReferencedTemporary(o);
#else
  return Py_REFCNT(o) == 1;
#endif
}

/* Part of a reshaped view cannot be written. Where no other array has its elements, since the reshape copied, or since
 * what was reshaped dies with this call, a copy is the same to the program, and can be. */
static tsr_array own_reshaped(const tsr_location *where, PyObject *of, tsr_array made)
{
  const int n = tsr_n_views(made);
  const bool dies = n == 2 && of && is_temporary(of) &&
                    tsr_n_views(((tpy_array *)of)->handle) == 2; /* `of`, and what is made of it */
  if (n != 1 && !dies) return made;
  const tsr_array own = tsr_copy_at(where, tsr_box_array(made));
  tsr_stand_for_view(own, made); /* for what `made` stands for, or for `made`, which goes */
  replace(where, &made, own);
  return made;
}

static PyObject *run(const call *c, const tsr_location *where)
{
  const tpy_row *row = c->row;
  if (row->calls) return several(row, c, where);
  if (row->tells) {
    const bool truth = row->tells(where, &c->g);
    if (tsr_last_error()[0] != 0) return tpy_raise();
    return PyBool_FromLong(truth);
  }
  if (row->is_reshape)
    return tpy_wrap(own_reshaped(where, c->is_on_stack ? c->self : NULL, row->call(where, &c->g)));
  if (row->call) return put_out(row, c->out, tpy_wrap(row->call(where, &c->g)), where);
  return map(c, where);
}

/* The same arguments, to the row's Python function. */
static PyObject *call_composed(const tpy_row *row, PyObject *self, PyObject *const *args,
                               Py_ssize_t n, PyObject *names)
{
  if (!self) return PyObject_Vectorcall(row->composed, args, (size_t)n, names);
  const Py_ssize_t n_all = n + (names ? PyTuple_GET_SIZE(names) : 0);
  PyObject **all = PyMem_RawMalloc((size_t)(n_all + 1) * sizeof(PyObject *));
  if (!all) return PyErr_NoMemory();
  all[0] = self;
  if (n_all > 0) memcpy(all + 1, args, (size_t)n_all * sizeof *all);
  PyObject *made = PyObject_Vectorcall(row->composed, all, (size_t)n + 1, names);
  PyMem_RawFree(all);
  return made;
}

PyObject *tpy_call(const tpy_row *row, PyObject *self, PyObject *const *args, Py_ssize_t n,
                   PyObject *names)
{
  if (!tpy_enter()) return NULL;
  call c;
  c.row = row;
  c.g.dtype = -1;
  c.g.tuples = 0;
  c.g.string = c.g.other = NULL;
  c.g.arrays = (tsr_arrays){0};
  c.rest = NULL;
  c.n_rest = c.n_owned = 0;
  c.out = c.mask = NULL;
  c.self = self;
  c.is_on_stack = self && row->is_reshape && n > 0 && args[-1] == self;
  c.list = NULL;
  c.is_beyond = c.is_not_copied = false;
  c.owned = c.few_owned;
  PyObject *made = NULL;
  if (bind(&c, self, args, n, names)) {
    const tsr_location *where = tpy_site(row->name);
    if (where) made = run(&c, where);
  }
  for (Py_ssize_t i = 0; i < c.n_owned; i++) Py_DECREF(c.owned[i]);
  if (c.owned != c.few_owned) PyMem_RawFree(c.owned);
  PyMem_RawFree(c.list);
  return c.is_beyond ? call_composed(row, self, args, n, names) : made;
}

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
    if (!read_parameters(&tpy_rows[i])) return false;
    tpy_rows[i].is_reshape = strcmp(tpy_rows[i].name, "reshape") == 0;
    PyObject *f = function_of(&tpy_rows[i], &defs[i]);
    if (!f || PyModule_AddObject(module, tpy_rows[i].name, f) < 0) return false;
  }
  for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
    PyObject *f = PyObject_GetAttrString(module, aliases[i][1]);
    if (!f || PyModule_AddObject(module, aliases[i][0], f) < 0) return false;
  }
  return add_point_functions(module);
}
