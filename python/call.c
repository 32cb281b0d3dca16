/* A call of a row of tools/api.table: its arguments are bound, the row's function makes the call,
 * and its results become objects. What is beyond the row goes on to the row's Python function. */
#include "call.h"
#include "given.h"

/* May a result be put into out=? An elementwise function's is broadcast, as NumPy's is. */
static bool fits(const tpy_arguments *c, tsr_array out, tsr_array made, const tsr_location *where)
{
  const tsr_dims a = tsr_shape_at(where, out), b = tsr_shape_at(where, made);
  const tsr_dtype to = tsr_dtype_of_at(where, out), from = tsr_dtype_of_at(where, made);
  const tpy_row *row = c->row;
  if (!row->map && (a.ndim != b.ndim || memcmp(a.n, b.n, (size_t)a.ndim * sizeof *a.n) != 0)) {
    PyErr_Format(PyExc_ValueError, "%s(): out= has another shape than the result", row->name);
    return false;
  }
  if (tsr_can_cast(from, to, c->casting)) return true;
  PyErr_Format(PyExc_TypeError, "%s(): a result of %s cannot be cast to out= of %s", row->name,
               tpy_dtype_name(from), tpy_dtype_name(to));
  return false;
}

/* Puts the second array in the place of the first, which goes. */
static void replace(const tsr_location *where, tsr_array *x, tsr_array by)
{
  if (by.id == x->id) return;
  tsr_release_at(where, x);
  *x = by;
}

static PyObject *put_out(const tpy_arguments *c, PyObject *made, const tsr_location *where)
{
  PyObject *out = c->out;
  if (!made || !out) return made;
  if (!fits(c, ((tpy_array *)out)->handle, ((tpy_array *)made)->handle, where) ||
      !tpy_flush_point(((tpy_array *)out)->handle)) {
    Py_DECREF(made);
    return NULL;
  }
  tsr_array *value = &((tpy_array *)made)->handle;
  if (c->casting == TSR_CASTING_UNSAFE)
    replace(where, value,
            tsr_astype_at(where, tsr_box_array(*value),
                          tsr_dtype_of_at(where, ((tpy_array *)out)->handle)));
  const tsr_status status = tsr_assign_at(where, ((tpy_array *)out)->handle, tsr_box_array(*value));
  Py_DECREF(made);
  if (status < 0) return tpy_raise();
  Py_INCREF(out);
  return out;
}

static PyObject *several(const tpy_row *row, const tpy_arguments *c, const tsr_location *where)
{
  int64_t most = c->g.arrays.n > 2 ? c->g.arrays.n : 2;
  if (row->is_split) most = c->g.tuples ? c->g.n[1] + 1 : tsr__given_whole(&c->g, 1, 0);
  if (most < 2) most = 2;
  tsr_array *results = most < 1 << 24 ? PyMem_RawMalloc((size_t)most * sizeof *results) : NULL;
  if (!results) return PyErr_NoMemory();
  const int n = row->calls(where, &c->g, results);
  for (int i = 0; i < n && row->is_grid && !c->is_not_copied; i++)
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

/* Does the rule cast the operand to the dtype? Numbers of Python's have a kind and no width: the
 * dtype of a result has space for them, and one that dtype= names is asked for their kind. */
static bool can_cast_operand(const tpy_arguments *c, tsr_operand x, tsr_dtype own, tsr_dtype to)
{
  if (x.kind == TSR_OPERAND_ARRAY) return tsr_can_cast(own, to, c->casting);
  if (c->g.dtype < 0 || (x.kind != TSR_OPERAND_FLOAT && x.kind != TSR_OPERAND_COMPLEX)) return true;
  const tsr_dtype least = x.kind == TSR_OPERAND_FLOAT ? TSR_FLOAT16 : TSR_COMPLEX64;
  return tsr_can_cast(least, to, c->casting < TSR_CASTING_SAFE ? TSR_CASTING_SAFE : c->casting);
}

/* Does the rule cast the operands of an elementwise function to the dtype? */
static bool can_cast_operands(const tpy_arguments *c, tsr_dtype to, const tsr_location *where)
{
  for (int k = 0; k < TPY_TAKEN && c->g.n[k] == 1; k++) {
    const tsr_operand x = c->g.v[k][0];
    const tsr_dtype own = dtype_of_value(where, x);
    if (can_cast_operand(c, x, own, to)) continue;
    PyErr_Format(PyExc_TypeError,
                 c->g.dtype < 0
                     ? "%s(): an operand of %s is not cast to %s by the rule of casting="
                     : "%s(): an operand of %s is not cast to dtype=%s by the rule of casting=",
                 c->row->name, tpy_dtype_name(own), tpy_dtype_name(to));
    return false;
  }
  return true;
}

/* May the operands be cast to dtype=, and is there an out= for where=? */
static bool can_map(const tpy_arguments *c, const tsr_location *where)
{
  if (c->g.dtype >= 0 && !can_cast_operands(c, (tsr_dtype)c->g.dtype, where)) return false;
  if (!c->mask || c->out) return true;
  PyErr_Format(PyExc_TypeError, "%s(): where= needs out=, whose elements stay where it is false",
               c->row->name);
  return false;
}

/* The dtype in which an elementwise function computes: that of its operands, or its result's where
 * that is wider. */
static tsr_dtype computes_in(const tsr_location *where, int n, const tsr_operand *xs,
                             tsr_array made)
{
  const tsr_dtype own = tsr_result_type_at(where, n, xs), to = tsr_dtype_of_at(where, made);
  return to == TSR_BOOL ? own : tsr_promote_types(own, to);
}

/* An elementwise function. With dtype= its operands are cast before, and its result after. */
static PyObject *map(const tpy_arguments *c, const tsr_location *where)
{
  tsr_operand xs[TPY_TAKEN];
  tsr_array cast[TPY_TAKEN];
  int n = 0, n_cast = 0;
  if (!can_map(c, where)) return NULL;
  for (; n < TPY_TAKEN && c->g.n[n] == 1; n++) {
    xs[n] = c->g.v[n][0];
    if (c->g.dtype < 0) continue;
    cast[n_cast] = tsr_astype_at(where, xs[n], (tsr_dtype)c->g.dtype);
    xs[n] = tsr_box_array(cast[n_cast++]);
  }
  const tsr_array mask = c->mask ? ((tpy_array *)c->mask)->handle : tsr_null();
  if (c->row->map == tsr_power_at) xs[1] = tpy_exponent(where, xs, mask);
  tsr_array made = c->row->map(where, n, xs);
  while (n_cast > 0) tsr_release_at(where, &cast[--n_cast]);
  if (c->casting < TSR_CASTING_SAME_KIND && c->g.dtype < 0 && tsr_ok(made) &&
      !can_cast_operands(c, computes_in(where, n, xs, made), where)) {
    tsr_release_at(where, &made);
    return NULL;
  }
  replace(where, &made, cast_after(where, &c->g, made));
  if (c->mask && tsr_ok(made)) {
    const tsr_operand chosen[] = {tsr_box_array(mask), tsr_box_array(made),
                                  tsr_box_array(((tpy_array *)c->out)->handle)};
    replace(where, &made, tsr_where_at(where, 3, chosen));
  }
  return put_out(c, tpy_wrap(made), where);
}

/* Does nobody but this call refer to the array of a method, as to (x + y) in (x + y).reshape(2, 3)?
 * Arguments of a function are not asked: a tuple that the program spreads, reshape(*args), holds
 * them as the caller's stack would. */
static bool is_temporary(PyObject *o)
{
#if PY_VERSION_HEX >= 0x030E0000
  return PyUnstable_Object_IsUniqueReferencedTemporary(o);
#else
  return Py_REFCNT(o) == 1;
#endif
}

/* Part of a reshaped view cannot be written. Where no other array has its elements, since the
 * reshape copied, or since what was reshaped dies with this call, a copy is the same to the
 * program, and can be. */
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

/* The elements behind the first along the axis of a method, which are exponents of power's; x
 * itself where there is no such axis, or an initial value before the first. */
static tsr_array exponents(const tpy_given *g, const tsr_location *where)
{
  enum { ARRAY = 1, AXIS = 2, INITIAL = 5 };
  const tsr_array x = g->v[ARRAY][0].as.array;
  tsr_slice_item items[TSR_MAX_NDIM] = {{.kind = TSR_SLICE_RANGE}};
  const int ndim = tsr_ndim_at(where, x);
  int axis = g->n[AXIS] > 0 ? tsr__given_int(g, AXIS, 0) : 0;
  if (axis < 0) axis += ndim;
  if (axis < 0 || axis >= ndim || tsr__given(g, INITIAL)) return tsr_copy_at(where, g->v[ARRAY][0]);
  items[axis].has_start = true;
  items[axis].start = 1;
  return tsr_slice_items_at(where, x, axis + 1, items);
}

/* False with an error if a method of power has a negative exponent of whole numbers. */
static bool can_raise(const tpy_arguments *c, const tsr_location *where)
{
  const tpy_given *g = &c->g;
  if (!c->row->is_of_ufunc || strcmp(g->string, "power") != 0) return true;
  enum { INITIAL = 5, WHERE = 6 };
  const bool is_outer = strcmp(c->row->name, "outer") == 0;
  if (!is_outer && g->v[1][0].kind != TSR_OPERAND_ARRAY) return true;
  tsr_array mask = tsr_null(); /* only the elements that it chooses are exponents */
  if (strcmp(c->row->name, "reduce") == 0 && tsr__given(g, WHERE)) {
    const tsr_operand *where_of = g->v[WHERE];
    if (!tsr__given(g, INITIAL)) return true; /* the reduction says that it needs one */
    if (where_of->kind == TSR_OPERAND_ARRAY) mask = where_of->as.array;
    if (where_of->kind == TSR_OPERAND_BOOL && !where_of->as.b) return true;
  }
  tsr_array behind = is_outer ? tsr_null() : exponents(g, where);
  const tsr_operand xs[2] = {g->v[1][0], is_outer ? g->v[2][0] : tsr_box_array(behind)};
  const tsr_operand taken = g->dtype < 0 ? tpy_exponent(where, xs, mask) : xs[1];
  tsr_release_at(where, &behind);
  return taken.kind != TSR_OPERAND_ARRAY || taken.as.array.id == xs[1].as.array.id;
}

static PyObject *run(const tpy_arguments *c, const tsr_location *where)
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
  if (row->map) return map(c, where);
  if (!can_raise(c, where)) return tpy_raise();
  const tsr_array made = row->call(where, &c->g);
  if (c->is_column_major) tsr_note_column_major(made);
  return put_out(c, tpy_wrap(made), where);
}

/* Hands the arguments on to the row's Python function. */
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

static bool is_of_selections(PyObject *const *args, Py_ssize_t n_all)
{
  for (Py_ssize_t i = 0; i < n_all; i++)
    if ((PyObject *)Py_TYPE(args[i]) == tpy.selection) return true;
  return false;
}

/* The function of the elements that a mask selects. A row itself takes no selection. */
static PyObject *call_of_selections(const tpy_row *row, PyObject *const *args, Py_ssize_t n,
                                    PyObject *names)
{
  PyErr_Clear();
  PyObject *positional = PyTuple_New(n), *keywords = PyDict_New(), *made = NULL;
  bool is_set = positional && keywords;
  for (Py_ssize_t i = 0; is_set && i < n; i++)
    is_set = PyTuple_SetItem(positional, i, Py_NewRef(args[i])) == 0;
  for (Py_ssize_t i = 0; is_set && names && i < PyTuple_GET_SIZE(names); i++)
    is_set = PyDict_SetItem(keywords, PyTuple_GET_ITEM(names, i), args[n + i]) == 0;
  if (is_set)
    made = PyObject_CallFunction(tpy.of_selections, "sOO", row->name, positional, keywords);
  Py_XDECREF(positional);
  Py_XDECREF(keywords);
  return made;
}

PyObject *tpy_call(const tpy_row *row, PyObject *self, PyObject *const *args, Py_ssize_t n,
                   PyObject *names)
{
  if (!(row->looks ? tpy_look() : tpy_enter())) return NULL;
  if (row->is_of_ufunc && self && tpy_ufunc_has_several(self)) {
    if (row->composed) return call_composed(row, self, args, n, names);
    return PyErr_Format(
        PyExc_ValueError,
        "%s.%s: the function gives several arrays; %s is of functions of one result",
        tpy_ufunc_name(self), row->name, row->name);
  }
  tpy_arguments c;
  c.row = row;
  c.g.dtype = -1;
  c.g.tuples = 0;
  c.g.string = c.g.other = NULL;
  c.g.arrays = (tsr_arrays){0};
  c.rest = NULL;
  c.n_rest = c.n_owned = 0;
  c.out = c.mask = NULL;
  c.casting = TSR_CASTING_SAME_KIND;
  c.self = self;
  c.is_on_stack = self && row->is_reshape && n > 0 && args[-1] == self;
  c.list = NULL;
  c.is_beyond = c.is_not_copied = c.is_column_major = false;
  c.owned = c.few_owned;
  PyObject *made = NULL;
  if (tpy_bind(&c, self, args, n, names)) {
    const tsr_location *where = tpy_site(row->name);
    if (where) made = run(&c, where);
  }
  for (Py_ssize_t i = 0; i < c.n_owned; i++) Py_DECREF(c.owned[i]);
  if (c.owned != c.few_owned) PyMem_RawFree(c.owned);
  PyMem_RawFree(c.list);
  if (c.is_beyond) return call_composed(row, self, args, n, names);
  const Py_ssize_t n_all = n + (names ? PyTuple_GET_SIZE(names) : 0);
  if (!made && !self && PyErr_ExceptionMatches(PyExc_Exception) && is_of_selections(args, n_all))
    return call_of_selections(row, args, n, names);
  return made;
}
