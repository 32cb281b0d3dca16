/* Conversions between Python's objects and arrays: operands, nested lists, buffers, whole
 * numbers. */
#include "binding.h"

#include <math.h>

int tpy_operand(PyObject *o, tsr_operand *out)
{
  if (tpy_is_array(o)) {
    *out = tsr_box_array(((tpy_array *)o)->handle);
    return 1;
  }
  if (PyFloat_CheckExact(o)) {
    *out = tsr_box_float(PyFloat_AS_DOUBLE(o));
    return 1;
  }
  if (PyBool_Check(o)) {
    *out = tsr_box_bool(o == Py_True);
    return 1;
  }
  if (PyLong_CheckExact(o)) {
    int beyond;
    const long long value = PyLong_AsLongLongAndOverflow(o, &beyond);
    if (!beyond) {
      *out = tsr_box_int(value);
      return 1;
    }
    const unsigned long long whole = PyLong_AsUnsignedLongLong(o);
    if (PyErr_Occurred()) {
      PyErr_Clear();
      PyErr_Format(PyExc_OverflowError, "the whole number %R is beyond int64 and uint64", o);
      return -1;
    }
    *out = tsr_box_uint(whole);
    return 1;
  }
  if (PyComplex_CheckExact(o)) {
    *out = tsr_box_complex(PyComplex_RealAsDouble(o), PyComplex_ImagAsDouble(o));
    return 1;
  }
  return 0;
}

int tpy_any_operand(PyObject *o, tsr_operand *out, PyObject **owned)
{
  *owned = NULL;
  const int known = tpy_operand(o, out);
  if (known) return known;
  *owned = tpy_as_array(o, -1);
  if (!*owned) return -1;
  *out = tsr_box_array(((tpy_array *)*owned)->handle);
  return 1;
}

static tsr_dtype dtype_of_kind(tsr_operand x)
{
  static const tsr_dtype of[] = {TSR_INT64,  TSR_BOOL,    TSR_INT64,
                                 TSR_UINT64, TSR_FLOAT64, TSR_COMPLEX128};
  return of[x.kind];
}

static PyObject *cast(PyObject *x, int dtype)
{
  tpy_array *a = (tpy_array *)x;
  if (!x || dtype < 0) return x;
  const tsr_location *where = tpy_site("astype");
  PyObject *made = NULL;
  if (where && tsr_dtype_of_at(where, a->handle) == (tsr_dtype)dtype) return x;
  if (where) made = tpy_wrap(tsr_astype_at(where, tsr_box_array(a->handle), (tsr_dtype)dtype));
  Py_DECREF(x);
  return made;
}

static PyObject *from_data(const void *data, tsr_dtype dtype, tsr_dims shape)
{
  const tsr_location *where = tpy_site("asarray");
  return where ? tpy_wrap(tsr_from_host_at(where, data, dtype, shape, 0, NULL)) : NULL;
}

static PyObject *refuse(PyObject *o)
{
  return PyErr_Format(
      PyExc_TypeError, "no array can be made of a %s: %s", Py_TYPE(o)->tp_name,
      !PyUnicode_Check(o) && PyObject_HasAttrString(o, "__iter__")
          ? "list(x) has the elements of what can be iterated, and tessera.fromiter reads numbers"
          : "elements are numbers and bools, alone, in lists or in buffers");
}

static PyObject *from_buffer(PyObject *o)
{
  Py_buffer b;
  if (PyObject_GetBuffer(o, &b, PyBUF_RECORDS_RO) < 0) return NULL;
  PyObject *made = NULL;
  const int dtype = tpy_dtype_of_format(b.format, b.itemsize);
  tsr_dims shape = {.ndim = b.ndim};
  tsr_host_option strides = {.kind = TSR_HOST_STRIDES, .stride_bytes = {.ndim = b.ndim}};
  if (b.ndim > TSR_MAX_NDIM) {
    PyErr_Format(PyExc_ValueError, "a buffer of %d axes; an array has at most %d", b.ndim,
                 TSR_MAX_NDIM);
  } else if (dtype < 0) {
    PyErr_Format(
        PyExc_TypeError,
        "there is no dtype for items of the format '%s'; NumPy's x.astype(float) makes some",
        b.format ? b.format : "");
  } else if (b.ndim > 0 && (!b.shape || !b.strides)) { /* not as asked for: NumPy's dates do this */
    refuse(o);
  } else {
    for (int k = 0; k < b.ndim; k++) {
      shape.n[k] = b.shape[k];
      strides.stride_bytes.n[k] = b.strides[k];
    }
    const tsr_location *where = tpy_site("asarray");
    if (where)
      made = tpy_wrap(tsr_from_host_at(where, b.buf, (tsr_dtype)dtype, shape, 1, &strides));
  }
  PyBuffer_Release(&b);
  return made;
}

/* Lists: the shape of the nest, and the highest kind of its numbers. */
typedef struct nest {
  tsr_dims shape;
  int kind;    /* of tsr_operand_kind */
  int64_t low; /* the extremes of the whole numbers, and 0 */
  uint64_t high;
  bool has_nan, has_infinity;
  double least, most; /* of the floats, and 0 */
  bool is_mixed;      /* there are arrays among the items */
  char *data;         /* when filling: the next element */
  tsr_dtype dtype;
} nest;

static void note(nest *t, tsr_operand x)
{
  if ((int)x.kind > t->kind) t->kind = (int)x.kind;
  if (x.kind == TSR_OPERAND_INT && x.as.i < t->low) t->low = x.as.i;
  if ((x.kind == TSR_OPERAND_UINT || (x.kind == TSR_OPERAND_INT && x.as.i > 0)) && x.as.u > t->high)
    t->high = x.as.u;
  if (x.kind != TSR_OPERAND_FLOAT) return;
  t->has_nan |= isnan(x.as.f);
  t->has_infinity |= isinf(x.as.f);
  if (x.as.f < t->least) t->least = x.as.f;
  if (x.as.f > t->most) t->most = x.as.f;
}

static bool look(PyObject *o, nest *t, int depth)
{
  if (!tpy_is_list(o)) {
    tsr_operand x;
    const int known = tpy_operand(o, &x);
    if (known < 0) return false;
    if (!known || x.kind == TSR_OPERAND_ARRAY) {
      t->is_mixed = true;
      return true;
    }
    if (depth != t->shape.ndim) goto ragged;
    note(t, x);
    return true;
  }
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(o);
  if (depth == TSR_MAX_NDIM) {
    PyErr_Format(PyExc_ValueError, "lists in lists are more than %d deep", TSR_MAX_NDIM);
    return false;
  }
  if (depth >= t->shape.ndim || t->shape.n[depth] != n) goto ragged;
  for (Py_ssize_t i = 0; i < n; i++)
    if (!look(PySequence_Fast_GET_ITEM(o, i), t, depth + 1)) return false;
  return true;
ragged:
  if (t->is_mixed) return true; /* arrays tell their shapes when they are stacked */
  PyErr_SetString(PyExc_ValueError, "the lists in a list have different lengths");
  return false;
}

static void fill(PyObject *o, nest *t)
{
  if (tpy_is_list(o)) {
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(o); i++)
      fill(PySequence_Fast_GET_ITEM(o, i), t);
    return;
  }
  tsr_operand x;
  if (tpy_operand(o, &x) <= 0) return;
  const double f = x.kind == TSR_OPERAND_FLOAT  ? x.as.f
                   : x.kind == TSR_OPERAND_UINT ? (double)x.as.u
                   : x.kind == TSR_OPERAND_BOOL ? (double)x.as.b
                                                : (double)x.as.i;
  switch (t->dtype) {
  case TSR_BOOL:
    *t->data = x.as.b;
    break;
  case TSR_INT64:
  case TSR_UINT64: {
    const int64_t i = x.kind == TSR_OPERAND_BOOL ? x.as.b : x.as.i;
    memcpy(t->data, &i, sizeof i);
    break;
  }
  case TSR_FLOAT64:
    memcpy(t->data, &f, sizeof f);
    break;
  default: {
    const double c[2] = {x.kind == TSR_OPERAND_COMPLEX ? x.as.c[0] : f,
                         x.kind == TSR_OPERAND_COMPLEX ? x.as.c[1] : 0};
    memcpy(t->data, c, sizeof c);
  }
  }
  t->data += tpy_dtype_size(t->dtype);
}

/* A list with arrays in it is a stack of arrays. */
static PyObject *from_mixed(PyObject *o, int dtype)
{
  PyObject *items = PySequence_Tuple(o), *made = NULL; /* making a part may change the list */
  if (!items) return NULL;
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  PyObject *parts = PyList_New(n);
  tsr_array *v = PyMem_RawMalloc((size_t)n * sizeof *v + 1);
  if (!v) PyErr_NoMemory();
  if (!parts || !v || Py_EnterRecursiveCall(" where arrays are stacked")) goto end;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *part = tpy_as_array(PyTuple_GET_ITEM(items, i), dtype);
    if (!part) Py_LeaveRecursiveCall();
    if (!part) goto end;
    PyList_SET_ITEM(parts, i, part);
    v[i] = ((tpy_array *)part)->handle;
  }
  const tsr_location *where = tpy_site("asarray");
  if (where) made = tpy_wrap(tsr_stack_at(where, (tsr_arrays){.n = (int)n, .v = v}, 0));
  Py_LeaveRecursiveCall();
end:
  Py_XDECREF(parts);
  Py_DECREF(items);
  PyMem_RawFree(v);
  return made;
}

/* May the numbers of Python's that were noted be elements of the dtype? */
static bool can_hold(int dtype, const nest *t)
{
  if (dtype < 0 || dtype == TSR_BOOL) return true;
  const char *name = tpy_dtype_name((tsr_dtype)dtype);
  const int64_t low = t->low;
  const uint64_t high = t->high;
  if (t->kind == TSR_OPERAND_COMPLEX && *name != 'c') {
    PyErr_Format(PyExc_TypeError, "a complex number is no %s", name);
    return false;
  }
  if ((*name == 'i' || *name == 'u') && (t->has_nan || t->has_infinity)) {
    PyErr_Format(t->has_nan ? PyExc_ValueError : PyExc_OverflowError, "%s is no %s",
                 t->has_nan ? "NaN" : "infinity", name);
    return false;
  }
  const int unused = 64 - 8 * (int)tpy_dtype_size((tsr_dtype)dtype);
  /* Floats lose their fraction. */
  const int bits = 64 - unused - (*name == 'i');
  if ((*name == 'i' || *name == 'u') &&
      (t->most >= ldexp(1, bits) || trunc(t->least) < (*name == 'i' ? -ldexp(1, bits) : 0))) {
    PyErr_Format(PyExc_OverflowError, "a float is out of bounds for %s", name);
    return false;
  }
  const bool fits = *name == 'u' ? low >= 0 && high <= UINT64_MAX >> unused
                    : *name == 'i'
                        ? low >= -(INT64_MAX >> unused) - 1 && high <= (uint64_t)INT64_MAX >> unused
                        : true;
  if (!fits) PyErr_Format(PyExc_OverflowError, "a whole number is out of bounds for %s", name);
  return fits;
}

bool tpy_can_hold(int dtype, tsr_operand x)
{
  nest t = {.kind = -1};
  if (x.kind != TSR_OPERAND_ARRAY) note(&t, x);
  return can_hold(dtype, &t);
}

static PyObject *from_list(PyObject *o, int dtype)
{
  nest t = {.kind = -1};
  for (PyObject *in = o; tpy_is_list(in) && t.shape.ndim < TSR_MAX_NDIM;) {
    t.shape.n[t.shape.ndim++] = PySequence_Fast_GET_SIZE(in);
    if (PySequence_Fast_GET_SIZE(in) == 0) break;
    in = PySequence_Fast_GET_ITEM(in, 0);
  }
  if (!look(o, &t, 0)) return NULL;
  if (t.is_mixed) return from_mixed(o, dtype);
  t.dtype = t.kind < 0 ? TSR_FLOAT64 : dtype_of_kind((tsr_operand){.kind = (uint32_t)t.kind});
  if (t.dtype == TSR_UINT64 && t.low < 0) t.dtype = TSR_FLOAT64;
  if (!can_hold(dtype, &t)) return NULL;
  if (t.kind < 0 && dtype >= 0) t.dtype = (tsr_dtype)dtype;
  size_t n = 1;
  for (int k = 0; k < t.shape.ndim; k++) n *= (size_t)t.shape.n[k];
  char *data = PyMem_RawMalloc(n * tpy_dtype_size(t.dtype) + 1);
  if (!data) return PyErr_NoMemory();
  t.data = data;
  fill(o, &t);
  PyObject *made = from_data(data, t.dtype, t.shape);
  PyMem_RawFree(data);
  return cast(made, dtype);
}

bool tpy_keeps_out(PyObject *o)
{
  PyObject *how = PyObject_GetAttrString(o, "__array_ufunc__");
  if (!how) PyErr_Clear();
  Py_XDECREF(how);
  return how == Py_None;
}

/* An array of a number of a kind that is not known, or of what tells of itself as an array. */
static PyObject *from_other(PyObject *o, int dtype)
{
  tsr_operand x;
  PyObject *other = NULL;
  if (PyObject_HasAttrString(o, "__array__"))
    other = PyObject_CallMethod(o, "__array__", NULL);
  else
    other = PyFloat_Check(o)  ? PyFloat_FromDouble(PyFloat_AS_DOUBLE(o))
            : PyLong_Check(o) ? PyNumber_Index(o)
                              : PyComplex_FromCComplex(PyComplex_AsCComplex(o));
  PyObject *made = NULL;
  if (other && PyLong_Check(other) && !PyLong_CheckExact(other)) {
    PyErr_SetString(PyExc_TypeError, "a kind of whole number that Tessera does not know");
  } else if (other && (PyObject_CheckBuffer(other) || tpy_operand(other, &x) == 1)) {
    made = tpy_as_array(other, dtype);
  } else if (!PyErr_Occurred()) {
    refuse(o);
  }
  Py_XDECREF(other);
  return made;
}

PyObject *tpy_as_array(PyObject *o, int dtype)
{
  tsr_operand x;
  if (!tpy_look()) return NULL;
  const int known = tpy_operand(o, &x);
  if (known < 0) return NULL;
  const bool is_array = known && x.kind == TSR_OPERAND_ARRAY;
  if (is_array && dtype < 0) return Py_NewRef(o); /* what one rank alone may ask, as for a shape */
  if (!tpy_enter()) return NULL;
  if (is_array) return cast(Py_NewRef(o), dtype);
  if (known) {
    const tsr_location *where = tpy_site("asarray");
    if (!where) return NULL;
    const tsr_dtype own = dtype_of_kind(x);
    if (!tpy_can_hold(dtype, x)) return NULL;
    return tpy_wrap(
        tsr_full_at(where, (tsr_dims){.ndim = 0}, x, dtype < 0 ? own : (tsr_dtype)dtype));
  }
  if (tpy_is_list(o)) return from_list(o, dtype);
  if (PyObject_CheckBuffer(o)) return cast(from_buffer(o), dtype);
  if (tpy_keeps_out(o))
    return PyErr_Format(PyExc_TypeError,
                        "a %s takes no part in operations of arrays; numpy.asarray(x) gathers it",
                        Py_TYPE(o)->tp_name);
  if (PyFloat_Check(o) || PyLong_Check(o) || PyComplex_Check(o) ||
      PyObject_HasAttrString(o, "__array__"))
    return from_other(o, dtype);
  if (PyObject_HasAttrString(o, "__index__")) {
    PyObject *number = PyNumber_Index(o);
    PyObject *made = number ? tpy_as_array(number, dtype) : NULL;
    Py_XDECREF(number);
    return made;
  }
  if (PyRange_Check(o)) {
    PyObject *list = PySequence_List(o);
    PyObject *made = list ? from_list(list, dtype) : NULL;
    Py_XDECREF(list);
    return made;
  }
  return refuse(o);
}

/* NumPy says OverflowError of some numbers, and ValueError of lengths: the exception is both. */
static void too_large(PyObject *number)
{
  PyErr_Clear();
  PyObject *text = PyUnicode_FromFormat("out of range: the integer %S is beyond int64", number);
  PyObject *of = text ? PyObject_CallFunction(tpy.error, "iO", TSR_ERR_ARGUMENT, text) : NULL;
  if (of) PyErr_SetObject((PyObject *)Py_TYPE(of), of);
  Py_XDECREF(of);
  Py_XDECREF(text);
}

bool tpy_number(PyObject *o, int64_t *out)
{
  PyObject *number = PyNumber_Index(o);
  if (!number) return false;
  *out = PyLong_AsLongLong(number);
  if (*out == -1 && PyErr_Occurred()) too_large(number);
  Py_DECREF(number);
  return *out != -1 || !PyErr_Occurred();
}

PyObject *tpy_items(PyObject *o)
{
  if (tpy_is_list(o) || PyRange_Check(o)) return PySequence_Tuple(o);
  if (PyLong_Check(o) || !PyObject_HasAttrString(o, "tolist")) return NULL;
  if (tpy_is_array(o) && tsr_ndim_at(&tpy_attribute, ((tpy_array *)o)->handle) == 0) return NULL;
  PyObject *list = PyObject_CallMethod(o, "tolist", NULL);
  PyObject *items = list && PyList_Check(list) ? PyList_AsTuple(list) : NULL;
  Py_XDECREF(list);
  return items;
}

int tpy_numbers(PyObject *o, int most, int64_t *out)
{
  PyObject *items = tpy_items(o); /* __index__ may change the list */
  if (!items && PyErr_Occurred()) return -1;
  if (!items) return tpy_number(o, out) ? 1 : -1;
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  bool is_done = n <= most;
  if (!is_done) PyErr_Format(PyExc_ValueError, "at most %d numbers, not %zd", most, n);
  for (Py_ssize_t i = 0; i < n && is_done; i++)
    is_done = tpy_number(PyTuple_GET_ITEM(items, i), &out[i]);
  Py_DECREF(items);
  return is_done ? (int)n : -1;
}

bool tpy_read(tpy_array *x, void *out)
{
  const tsr_location *where = tpy_site("read");
  if (!where) return false;
  const tsr_operand operand = tsr_box_array(x->handle);
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = tsr_to_host_at(where, operand, out, 0, NULL);
  tpy_wait_end(thread);
  if (status < 0) tpy_raise();
  return status >= 0;
}

static double half_value(uint16_t bits)
{
  return PyFloat_Unpack2((const char *)&bits, 1);
}

/* The element at p as an object; *p goes on to the next. */
static PyObject *element(tsr_dtype dtype, const char **p)
{
  const char *at = *p;
  *p += tpy_dtype_size(dtype);
  union {
    int8_t b;
    int16_t h;
    int32_t i;
    int64_t q;
    uint8_t ub;
    uint16_t uh;
    uint32_t ui;
    uint64_t uq;
    float f[2];
    double d[2];
  } v = {0};
  memcpy(&v, at, tpy_dtype_size(dtype));
  switch (dtype) {
  case TSR_BOOL:
    return PyBool_FromLong(v.ub);
  case TSR_INT8:
    return PyLong_FromLong(v.b);
  case TSR_INT16:
    return PyLong_FromLong(v.h);
  case TSR_INT32:
    return PyLong_FromLong(v.i);
  case TSR_INT64:
    return PyLong_FromLongLong(v.q);
  case TSR_UINT8:
    return PyLong_FromLong(v.ub);
  case TSR_UINT16:
    return PyLong_FromLong(v.uh);
  case TSR_UINT32:
    return PyLong_FromUnsignedLong(v.ui);
  case TSR_UINT64:
    return PyLong_FromUnsignedLongLong(v.uq);
  case TSR_FLOAT16:
    return PyFloat_FromDouble(half_value(v.uh));
  case TSR_FLOAT32:
    return PyFloat_FromDouble((double)v.f[0]);
  case TSR_FLOAT64:
    return PyFloat_FromDouble(v.d[0]);
  case TSR_COMPLEX64:
    return PyComplex_FromDoubles((double)v.f[0], (double)v.f[1]);
  default:
    return PyComplex_FromDoubles(v.d[0], v.d[1]);
  }
}

static PyObject *list_of(const tsr_dims *shape, int axis, tsr_dtype dtype, const char **p)
{
  if (axis == shape->ndim) return element(dtype, p);
  PyObject *list = PyList_New((Py_ssize_t)shape->n[axis]);
  for (int64_t i = 0; list && i < shape->n[axis]; i++) {
    PyObject *item = list_of(shape, axis + 1, dtype, p);
    if (!item) Py_CLEAR(list);
    if (item) PyList_SET_ITEM(list, (Py_ssize_t)i, item);
  }
  return list;
}

/* Calls make(...) of a copy of the elements. */
static char *elements(tpy_array *x, tsr_dims *shape, tsr_dtype *dtype, size_t *n_bytes)
{
  const tsr_location *where = tpy_enter() ? tpy_site("read") : NULL;
  if (!where) return NULL;
  *shape = tsr_shape_at(where, x->handle);
  *dtype = tsr_dtype_of_at(where, x->handle);
  *n_bytes = (size_t)tsr_size_at(where, x->handle) * tpy_dtype_size(*dtype);
  char *data = PyMem_RawMalloc(*n_bytes + 1);
  if (!data) {
    PyErr_Format(PyExc_MemoryError, "no memory for a copy of all elements: %zu bytes", *n_bytes);
  } else if (!tpy_read(x, data)) {
    PyMem_RawFree(data);
    data = NULL;
  }
  return data;
}

PyObject *tpy_to_list(tpy_array *x)
{
  tsr_dims shape;
  tsr_dtype dtype;
  size_t n_bytes;
  char *data = elements(x, &shape, &dtype, &n_bytes);
  if (!data) return NULL;
  const char *p = data;
  PyObject *list = list_of(&shape, 0, dtype, &p);
  PyMem_RawFree(data);
  return list;
}

PyObject *tpy_to_item(tpy_array *x)
{
  const tsr_location *where = tpy_enter() ? tpy_site("item") : NULL;
  if (!where) return NULL;
  if (tsr_size_at(where, x->handle) != 1) {
    PyErr_SetString(PyExc_ValueError, "only an array of one element is a number");
    return NULL;
  }
  char data[16];
  const tsr_dtype dtype = tsr_dtype_of_at(where, x->handle);
  if (!tpy_read(x, data)) return NULL;
  const char *p = data;
  return element(dtype, &p);
}

PyObject *tpy_to_bytes(tpy_array *x)
{
  tsr_dims shape;
  tsr_dtype dtype;
  size_t n_bytes;
  char *data = elements(x, &shape, &dtype, &n_bytes);
  if (!data) return NULL;
  PyObject *bytes = PyBytes_FromStringAndSize(data, (Py_ssize_t)n_bytes);
  PyMem_RawFree(data);
  return bytes;
}

PyObject *tpy_to_numpy(tpy_array *x, PyObject *dtype)
{
  const tsr_location *where = tpy_enter() ? tpy_site("read") : NULL;
  PyObject *numpy = where ? PyImport_ImportModule("numpy") : NULL;
  if (!numpy) return NULL;
  PyObject *shape = tpy_shape(x), *made = NULL;
  if (shape) {
    made = PyObject_CallMethod(numpy, "empty", "Os", shape,
                               tpy_dtype_name(tsr_dtype_of_at(where, x->handle)));
    Py_DECREF(shape);
  }
  Py_DECREF(numpy);
  Py_buffer b;
  if (!made) return NULL;
  if (PyObject_GetBuffer(made, &b, PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0) goto failed;
  const bool is_read = tpy_read(x, b.buf);
  PyBuffer_Release(&b);
  if (!is_read) goto failed;
  if (dtype && dtype != Py_None) {
    PyObject *other = PyObject_CallMethod(made, "astype", "O", dtype);
    Py_DECREF(made);
    return other;
  }
  return made;
failed:
  Py_DECREF(made);
  return NULL;
}
