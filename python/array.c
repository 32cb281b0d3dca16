/* The array object: life, attributes, methods, and the reads that Python makes of an object. */
#include "binding.h"

#include <stddef.h>
#include <structmember.h>

PyObject *tpy_wrap(tsr_array x)
{
  if (!tsr_ok(x)) return tpy_raise();
  tpy_array *o = PyObject_New(tpy_array, tpy.array_type);
  if (!o) return NULL;
  o->handle = x;
  o->serial = tpy.n_arrays++;
  o->weak = NULL;
  return (PyObject *)o;
}

static void array_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  if (((tpy_array *)self)->weak) PyObject_ClearWeakRefs(self);
  tpy_drop((tpy_array *)self);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject *tpy_shape(tpy_array *x)
{
  if (!tpy_look()) return NULL;
  const tsr_dims shape = tsr_shape_at(&tpy_attribute, x->handle);
  PyObject *tuple = PyTuple_New(shape.ndim);
  for (int k = 0; tuple && k < shape.ndim; k++) {
    PyObject *n = PyLong_FromLongLong(shape.n[k]);
    if (!n) Py_CLEAR(tuple);
    if (n) PyTuple_SET_ITEM(tuple, k, n);
  }
  return tuple;
}

static int set_shape(PyObject *self, PyObject *value, void *none)
{
  (void)self, (void)value, (void)none;
  PyErr_SetString(PyExc_AttributeError,
                  "the shape of an array does not change; reshape gives another view");
  return -1;
}

static PyObject *get_shape(PyObject *self, void *none)
{
  (void)none;
  return tpy_shape((tpy_array *)self);
}

static PyObject *get_number(PyObject *self, void *what)
{
  if (!tpy_look()) return NULL;
  const tsr_array x = ((tpy_array *)self)->handle;
  const size_t size = tpy_dtype_size(tsr_dtype_of_at(&tpy_attribute, x));
  switch (*(const char *)what) {
  case 'd':
    return PyLong_FromLong(tsr_ndim_at(&tpy_attribute, x));
  case 's':
    return PyLong_FromLongLong(tsr_size_at(&tpy_attribute, x));
  case 'i':
    return PyLong_FromSize_t(size);
  default:
    return PyLong_FromLongLong(tsr_size_at(&tpy_attribute, x) * (int64_t)size);
  }
}

static PyObject *get_dtype(PyObject *self, void *none)
{
  (void)none;
  return tpy_look() ? tpy_dtype_object(tsr_dtype_of_at(&tpy_attribute, ((tpy_array *)self)->handle))
                    : NULL;
}

static PyObject *get_transposed(PyObject *self, void *what)
{
  const tsr_location *where = tpy_enter() ? tpy_site("transpose") : NULL;
  if (!where) return NULL;
  const tsr_array x = ((tpy_array *)self)->handle;
  if (!*(const char *)what) return tpy_wrap(tsr_transpose_at(where, x, TSR_ALL_AXES));
  if (tsr_ndim_at(where, x) < 2) {
    PyErr_SetString(PyExc_ValueError,
                    "mT is the transpose of the last two axes; the array has fewer");
    return NULL;
  }
  return tpy_wrap(tsr_swapaxes_at(where, x, -1, -2));
}

static PyObject *get_part(PyObject *self, void *what)
{
  const bool is_real = *(const char *)what == 'r';
  const tsr_location *where = tpy_enter() ? tpy_site(is_real ? "real" : "imag") : NULL;
  if (!where) return NULL;
  const tsr_operand x = tsr_box_array(((tpy_array *)self)->handle);
  return tpy_wrap(is_real ? tsr_real_at(where, 1, &x) : tsr_imag_at(where, 1, &x));
}

/* z[...] = the complex numbers of the value, in the dtype of a part, and z's other part. */
static int set_complex_part(PyObject *self, PyObject *value, bool is_real, tsr_dtype dtype)
{
  const tsr_dtype of = dtype == TSR_COMPLEX64 ? TSR_FLOAT32 : TSR_FLOAT64;
  const tsr_operand z = tsr_box_array(((tpy_array *)self)->handle);
  tsr_operand v;
  PyObject *owned = NULL;
  if (!tpy_enter() || tpy_any_operand(value, &v, &owned) < 0) return -1;
  const tsr_location *where = tpy_site(is_real ? "real" : "imag");
  PyObject *part = NULL, *other = NULL, *made = NULL;
  if (where && v.kind == TSR_OPERAND_COMPLEX)
    PyErr_Format(PyExc_TypeError, "the %s part is a real number, not a complex one",
                 is_real ? "real" : "imaginary");
  else if (where)
    part = tpy_wrap(tsr_astype_at(where, v, of));
  if (part) other = tpy_wrap(is_real ? tsr_imag_at(where, 1, &z) : tsr_real_at(where, 1, &z));
  if (other) {
    const tsr_operand given = tsr_box_array(((tpy_array *)part)->handle),
                      same = tsr_box_array(((tpy_array *)other)->handle);
    made = tpy_wrap(
        tsr_complex_at(where, 2, (tsr_operand[]){is_real ? given : same, is_real ? same : given}));
  }
  Py_XDECREF(part);
  Py_XDECREF(other);
  Py_XDECREF(owned);
  const int status = made ? PyObject_SetItem(self, Py_Ellipsis, made) : -1;
  Py_XDECREF(made);
  return status;
}

static int set_part(PyObject *self, PyObject *value, void *what)
{
  const bool is_real = *(const char *)what == 'r';
  if (!tpy_look()) return -1;
  if (!value) {
    PyErr_SetString(PyExc_AttributeError, "a part of an array cannot be deleted");
    return -1;
  }
  const tsr_dtype dtype = tsr_dtype_of_at(&tpy_attribute, ((tpy_array *)self)->handle);
  if (dtype == TSR_COMPLEX64 || dtype == TSR_COMPLEX128)
    return set_complex_part(self, value, is_real, dtype);
  if (!is_real)
    PyErr_SetString(PyExc_TypeError, "an array of real numbers has no imaginary part to assign to");
  else
    return PyObject_SetItem(self, Py_Ellipsis, value);
  return -1;
}

static PyObject *item(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
  if (n == 0) return tpy_to_item((tpy_array *)self);
  PyObject *x = self, *key = NULL, *picked = NULL, *value = NULL;
  Py_INCREF(x);
  if (n == 1 && PyTuple_Check(args[0])) {
    key = args[0];
    Py_INCREF(key);
  } else if (n == 1) { /* the number of the element in flat order */
    Py_DECREF(x);
    x = PyObject_CallMethod(self, "ravel", NULL);
    key = args[0];
    Py_INCREF(key);
  } else {
    key = PyTuple_New(n);
    for (Py_ssize_t i = 0; key && i < n; i++) {
      Py_INCREF(args[i]);
      PyTuple_SET_ITEM(key, i, args[i]);
    }
  }
  if (x && key) picked = tpy_get(x, key);
  if (picked && tpy_is_array(picked) &&
      tsr_ndim_at(&tpy_attribute, ((tpy_array *)picked)->handle) == 0)
    value = tpy_to_item((tpy_array *)picked);
  else if (picked)
    PyErr_SetString(PyExc_TypeError, "item takes whole numbers: which element it is");
  Py_XDECREF(x);
  Py_XDECREF(key);
  Py_XDECREF(picked);
  return value;
}

static PyObject *to_list(PyObject *self, PyObject *none)
{
  (void)none;
  return tpy_to_list((tpy_array *)self);
}

static PyObject *to_bytes(PyObject *self, PyObject *none)
{
  (void)none;
  return tpy_to_bytes((tpy_array *)self);
}

static PyObject *to_numpy(PyObject *self, PyObject *args, PyObject *names)
{
  static char *keywords[] = {"dtype", "copy", NULL};
  PyObject *dtype = NULL, *copy = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, names, "|OO", keywords, &dtype, &copy)) return NULL;
  if (copy == Py_False) {
    PyErr_SetString(PyExc_ValueError, "the elements lie with Tessera: np.asarray(x) copies them");
    return NULL;
  }
  return tpy_to_numpy((tpy_array *)self, dtype);
}

/* A number for bool(), int() and their like: as the array's element converts. */
static PyObject *single(PyObject *self, const char *wanted)
{
  PyObject *value = NULL;
  if (!tpy_enter()) return NULL;
  if (tsr_size_at(&tpy_attribute, ((tpy_array *)self)->handle) != 1) {
    PyErr_Format(
        *wanted == 'b' ? PyExc_ValueError : PyExc_TypeError,
        *wanted == 'b'
            ? "the truth of an array that has not one element is ambiguous: use any() or all()"
            : "only an array of one element is a number; of elements: np.sin(x), x.astype(int)");
    return NULL;
  }
  value = tpy_to_item((tpy_array *)self);
  return value;
}

static int array_bool(PyObject *self)
{
  PyObject *value = single(self, "bool");
  const int truth = value ? PyObject_IsTrue(value) : -1;
  Py_XDECREF(value);
  return truth;
}

static PyObject *array_int(PyObject *self)
{
  PyObject *value = single(self, "int");
  PyObject *number = value ? PyNumber_Long(value) : NULL;
  Py_XDECREF(value);
  return number;
}

static PyObject *array_float(PyObject *self)
{
  PyObject *value = single(self, "float");
  PyObject *number = value ? PyNumber_Float(value) : NULL;
  Py_XDECREF(value);
  return number;
}

static PyObject *array_index(PyObject *self)
{
  if (!tpy_enter()) return NULL;
  const char kind = tpy_dtype_name(tsr_dtype_of_at(&tpy_attribute, ((tpy_array *)self)->handle))[0];
  if ((kind != 'i' && kind != 'u') ||
      tsr_ndim_at(&tpy_attribute, ((tpy_array *)self)->handle) != 0) {
    PyErr_SetString(PyExc_TypeError,
                    "only an array of one whole number, without axes, is an index");
    return NULL;
  }
  return single(self, "index");
}

static PyObject *array_complex(PyObject *self, PyObject *none)
{
  (void)none;
  PyObject *value = single(self, "complex");
  PyObject *number =
      value ? PyObject_CallFunctionObjArgs((PyObject *)&PyComplex_Type, value, NULL) : NULL;
  Py_XDECREF(value);
  return number;
}

static Py_ssize_t array_length(PyObject *self)
{
  if (!tpy_look()) return -1;
  const tsr_dims shape = tsr_shape_at(&tpy_attribute, ((tpy_array *)self)->handle);
  if (shape.ndim > 0) return (Py_ssize_t)shape.n[0];
  PyErr_SetString(PyExc_TypeError, "an array without axes has no length");
  return -1;
}

#include "generated/methods.inc"

static PyGetSetDef attributes[] = {
    {"shape", get_shape, set_shape, "Lengths of the axes.", NULL},
    {"dtype", get_dtype, NULL, "The dtype of the elements.", NULL},
    {"ndim", get_number, NULL, "Number of axes.", "d"},
    {"size", get_number, NULL, "Number of elements.", "s"},
    {"itemsize", get_number, NULL, "Bytes of an element.", "i"},
    {"nbytes", get_number, NULL, "Bytes of all elements.", "b"},
    {"T", get_transposed, NULL, "The axes reversed, a view.", ""},
    {"mT", get_transposed, NULL, "The last two axes swapped, a view.", "m"},
    {"real", get_part, set_part, "The real part.", "r"},
    {"imag", get_part, set_part, "The imaginary part.", "i"},
    {0}};

static PyObject *refuse_class(PyObject *type, PyObject *args, PyObject *names)
{
  (void)args, (void)names;
  return PyErr_Format(PyExc_TypeError,
                      "%s: no class derives from tessera.ndarray, whose arrays are handles of the "
                      "library; a class of the program keeps an array as an attribute, and "
                      "tessera.kernel adds functions",
                      ((PyTypeObject *)type)->tp_name);
}

/* ndarray(shape, dtype=float, order=None) is empty(…): there is no memory of others that it could
 * be in. */
static PyObject *array_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
  (void)type;
  static char *known[] = {"shape", "dtype", "buffer", "offset", "strides", "order", NULL};
  PyObject *shape, *dtype = Py_None, *buffer = Py_None, *offset = NULL, *strides = Py_None;
  PyObject *order = Py_None, *made = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, names, "O|OOOOO:ndarray", known, &shape, &dtype, &buffer,
                                   &offset, &strides, &order))
    return NULL;
  if (buffer != Py_None || strides != Py_None)
    return PyErr_Format(PyExc_TypeError, "ndarray(): an array does not lie in a buffer of others; "
                                         "frombuffer and asarray copy one");
  PyObject *module = PyImport_ImportModule("tessera._core");
  PyObject *empty = module ? PyObject_GetAttrString(module, "empty") : NULL;
  PyObject *rest = Py_BuildValue("{sO}", "order", order);
  PyObject *positional = Py_BuildValue("(OO)", shape, dtype);
  if (empty && rest && positional) made = PyObject_Call(empty, positional, rest);
  Py_XDECREF(module);
  Py_XDECREF(empty);
  Py_XDECREF(rest);
  Py_XDECREF(positional);
  return made;
}

static PyMethodDef methods[] = {
    {"item", TPY_FAST(item), METH_FASTCALL,
     "An element as a number of Python's. Collective; waits."},
    {"tolist", to_list, METH_NOARGS, "The elements as lists. Collective; waits."},
    {"tobytes", to_bytes, METH_NOARGS, "The elements as bytes, row-major. Collective; waits."},
    {"__array__", (PyCFunction)(void (*)(void))to_numpy, METH_VARARGS | METH_KEYWORDS,
     "The elements as an array of NumPy's. Collective; waits."},
    {"local", TPY_FAST(tpy_local), METH_VARARGS | METH_KEYWORDS,
     "local($self, halo=0, writable=False)\n--\n\n"
     "This rank's tile, lent as a buffer: `with x.local(halo=1) as tile:`. Collective; waits."},
    {"__dlpack__", TPY_FAST(tpy_to_dlpack), METH_VARARGS | METH_KEYWORDS,
     "__dlpack__($self, *, stream=None, max_version=None, dl_device=None, copy=None)\n--\n\n"
     "The elements for DLPack: a copy. On one rank."},
    {"__dlpack_device__", tpy_dlpack_device, METH_NOARGS,
     "__dlpack_device__($self)\n--\n\nWhere that copy lies: the host's memory."},
    {"_bytes_on", tpy_bytes_on, METH_O, NULL},
    {"_lies_in_order", tpy_lies_in_order, METH_O, NULL},
    {"describe", tpy_describe, METH_NOARGS,
     "describe($self)\n--\n\n"
     "What is known of the array, as text: stored or deferred, how it is cut, and what this rank "
     "has. Computes nothing."},
    {"__complex__", array_complex, METH_NOARGS, NULL},
    {"__init_subclass__", (PyCFunction)(void (*)(void))refuse_class,
     METH_CLASS | METH_VARARGS | METH_KEYWORDS, NULL},
    ROW_METHODS{0}};

static PyMemberDef members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(tpy_array, weak), READONLY, NULL}, {0}};

static PyType_Slot own_slots[] = {{Py_tp_new, array_new},
                                  {Py_tp_dealloc, array_dealloc},
                                  {Py_tp_getset, attributes},
                                  {Py_tp_methods, methods},
                                  {Py_tp_members, members},
                                  {Py_tp_hash, PyObject_HashNotImplemented},
                                  {Py_nb_bool, array_bool},
                                  {Py_nb_int, array_int},
                                  {Py_nb_float, array_float},
                                  {Py_nb_index, array_index},
                                  {Py_mp_length, array_length},
                                  {Py_mp_subscript, tpy_get},
                                  {Py_mp_ass_subscript, tpy_set},
                                  {Py_bf_getbuffer, tpy_get_buffer},
                                  {Py_bf_releasebuffer, tpy_release_buffer},
                                  {0, NULL}};

/* The type can be given methods by the Python files; it is not one to derive from. */
bool tpy_array_init(PyObject *module)
{
  PyType_Slot slots[128];
  int n = 0;
  for (const PyType_Slot *s = own_slots; s->slot; s++) slots[n++] = *s;
  for (const PyType_Slot *s = tpy_operators; s->slot; s++) slots[n++] = *s;
  slots[n] = (PyType_Slot){0, NULL};
  PyType_Spec spec = {.name = "tessera.ndarray",
                      .basicsize = sizeof(tpy_array),
                      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE,
                      .slots = slots};
  tpy.array_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return tpy.array_type &&
         PyModule_AddObjectRef(module, "ndarray", (PyObject *)tpy.array_type) == 0;
}
