/* Subscripts. A key of slices, whole numbers, `...` and None is a view; any other key goes to the
 * Python files. */
#include "binding.h"

typedef struct items {
  int n;
  bool has_ellipsis;
  tsr_slice_item v[TSR_SLICE_MAX_ITEMS];
} items;

static bool bound(PyObject *o, bool *has, int64_t *out)
{
  *has = o != Py_None;
  *out = 0;
  if (!*has) return true;
  PyObject *number = PyNumber_Index(o);
  if (!number) return false;
  int beyond;
  *out = PyLong_AsLongLongAndOverflow(number, &beyond);
  if (beyond) *out = beyond > 0 ? INT64_MAX : INT64_MIN + 1;
  Py_DECREF(number);
  return true;
}

/* A whole number as an index: one beyond int64 is out of range of any axis. */
static bool index_number(PyObject *o, int64_t *out)
{
  if (tpy_number(o, out)) return true;
  if (PyErr_ExceptionMatches(PyExc_OverflowError))
    PyErr_SetString(PyExc_IndexError, "an index beyond int64 is out of range for any axis");
  return false;
}

/* 1: an item; 0: no item of a slice; -1: an exception. */
static int add_item(items *t, PyObject *o)
{
  if (t->n == TSR_SLICE_MAX_ITEMS) {
    PyErr_SetString(PyExc_IndexError, "too many items in a subscript");
    return -1;
  }
  tsr_slice_item *item = &t->v[t->n];
  *item = (tsr_slice_item){.kind = TSR_SLICE_RANGE};
  if (PySlice_Check(o)) {
    const PySliceObject *s = (PySliceObject *)o;
    if (!bound(s->start, &item->has_start, &item->start) ||
        !bound(s->stop, &item->has_stop, &item->stop) ||
        !bound(s->step, &item->has_step, &item->step))
      return -1;
    if (item->has_step && item->step == 0) {
      PyErr_SetString(PyExc_ValueError, "slice step cannot be zero");
      return -1;
    }
  } else if (PyLong_Check(o) && !PyBool_Check(o)) {
    item->kind = TSR_SLICE_INDEX;
    if (!index_number(o, &item->start)) return -1;
  } else if (o == Py_None) {
    item->kind = TSR_SLICE_NEWAXIS;
  } else if (o == Py_Ellipsis) {
    item->kind = TSR_SLICE_ELLIPSIS;
    t->has_ellipsis = true;
  } else if (!PyBool_Check(o) && PyIndex_Check(o)) { /* an array without axes is a number, too */
    item->kind = TSR_SLICE_INDEX;
    if (!index_number(o, &item->start)) {
      if (!PyErr_ExceptionMatches(PyExc_TypeError)) return -1;
      PyErr_Clear();
      return 0;
    }
  } else {
    return 0;
  }
  t->n++;
  return 1;
}

static int items_of(items *t, PyObject *key)
{
  t->n = 0;
  t->has_ellipsis = false;
  if (!PyTuple_CheckExact(key)) return add_item(t, key);
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(key); i++) {
    const int is_item = add_item(t, PyTuple_GET_ITEM(key, i));
    if (is_item != 1) return is_item;
  }
  return 1;
}

PyObject *tpy_get(PyObject *x, PyObject *key)
{
  items t;
  const int are_items = tpy_enter() ? items_of(&t, key) : -1;
  if (are_items < 0) return NULL;
  if (!are_items) return PyObject_CallFunctionObjArgs(tpy.select, x, key, NULL);
  const tsr_location *where = tpy_site("x[]");
  if (!where) return NULL;
  tsr_array view = tsr_slice_items_at(where, ((tpy_array *)x)->handle, t.n, t.v);
  /* An element is a value, as a scalar of NumPy's is, and does not change with the array. */
  if (tsr_ok(view) && !t.has_ellipsis && tsr_ndim_at(where, view) == 0) {
    tsr_array element = tsr_copy_at(where, tsr_box_array(view));
    tsr_release_at(where, &view);
    view = element;
  }
  return tpy_wrap(view);
}

/* What is assigned to elements: a float loses its fraction where they are whole numbers. */
static int take_value(PyObject *x, PyObject *value, tsr_operand *from, PyObject **owned)
{
  const tsr_dtype to = tsr_dtype_of_at(&tpy_attribute, ((tpy_array *)x)->handle);
  const int known = tpy_any_operand(value, from, owned);
  const bool is_cut = known > 0 && PyFloat_Check(value) && to != TSR_BOOL &&
                      !tsr_can_cast(TSR_FLOAT64, to, TSR_CASTING_SAME_KIND);
  if (!is_cut) return known;
  PyObject *whole = tpy_as_array(value, (int)to);
  Py_XDECREF(*owned);
  *owned = whole;
  if (!whole) return -1;
  *from = tsr_box_array(((tpy_array *)whole)->handle);
  return 1;
}

int tpy_set(PyObject *x, PyObject *key, PyObject *value)
{
  items t;
  if (!value) {
    PyErr_SetString(PyExc_TypeError, "elements of an array cannot be deleted");
    return -1;
  }
  const int are_items = tpy_enter() ? items_of(&t, key) : -1;
  if (are_items < 0) return -1;
  if (!are_items) {
    PyObject *done = PyObject_CallFunctionObjArgs(tpy.store, x, key, value, NULL);
    Py_XDECREF(done);
    return done ? 0 : -1;
  }
  tsr_operand from;
  PyObject *owned;
  if (take_value(x, value, &from, &owned) < 0) return -1;
  const tsr_location *where = tpy_flush_point(((tpy_array *)x)->handle) ? tpy_site("x[] =") : NULL;
  tsr_status status = TSR_ERR_MEMORY;
  if (where) {
    const tsr_array whole = ((tpy_array *)x)->handle;
    const bool is_whole = t.n == 1 && t.v[0].kind == TSR_SLICE_ELLIPSIS;
    tsr_array target = is_whole ? whole : tsr_slice_items_at(where, whole, t.n, t.v);
    status = tsr_ok(target) ? tsr_assign_at(where, target, from) : TSR_ERR_HANDLE;
    if (!is_whole && tsr_ok(target)) tsr_release_at(where, &target);
  }
  Py_XDECREF(owned);
  if (status < 0) {
    if (where) tpy_raise();
    return -1;
  }
  return 0;
}

/* view(x, key): as x[key], but one element is a view, too. */
PyObject *tpy_view(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
  (void)module;
  items t;
  if (n != 2 || !tpy_is_array(args[0])) {
    PyErr_SetString(PyExc_TypeError, "view takes an array and a key");
    return NULL;
  }
  const int are_items = tpy_enter() ? items_of(&t, args[1]) : -1;
  if (are_items < 0) return NULL;
  const tsr_location *where = are_items ? tpy_site("x[]") : NULL;
  if (!where) {
    PyErr_SetString(PyExc_IndexError, "the key is no slice");
    return NULL;
  }
  return tpy_wrap(tsr_slice_items_at(where, ((tpy_array *)args[0])->handle, t.n, t.v));
}
