/* dtypes: one object each. What stands for a dtype: the object, its name, NumPy's dtypes and scalar types, codes of the
 * array interface ("<f8"), and Python's bool, int, float and complex. */
#include "binding.h"

static const struct {
  const char *name, *code;
  size_t size;
} table[TSR_N_DTYPES] = {
    [TSR_BOOL] = {"bool", "b1", 1},           [TSR_INT32] = {"int32", "i4", 4},
    [TSR_INT64] = {"int64", "i8", 8},         [TSR_FLOAT32] = {"float32", "f4", 4},
    [TSR_FLOAT64] = {"float64", "f8", 8},     [TSR_INT8] = {"int8", "i1", 1},
    [TSR_INT16] = {"int16", "i2", 2},         [TSR_UINT8] = {"uint8", "u1", 1},
    [TSR_UINT16] = {"uint16", "u2", 2},       [TSR_UINT32] = {"uint32", "u4", 4},
    [TSR_UINT64] = {"uint64", "u8", 8},       [TSR_FLOAT16] = {"float16", "f2", 2},
    [TSR_COMPLEX64] = {"complex64", "c8", 8}, [TSR_COMPLEX128] = {"complex128", "c16", 16},
};

const char *tpy_dtype_name(tsr_dtype dtype)
{
  return table[dtype].name;
}

const char *tpy_dtype_format(tsr_dtype dtype)
{
  static const char *const formats[TSR_N_DTYPES] = {
      [TSR_BOOL] = "?",
      [TSR_INT8] = "b",
      [TSR_INT16] = "h",
      [TSR_INT32] = "i",
      [TSR_INT64] = sizeof(long) == 8 ? "l" : "q", /* as NumPy's int64 */
      [TSR_UINT8] = "B",
      [TSR_UINT16] = "H",
      [TSR_UINT32] = "I",
      [TSR_UINT64] = sizeof(long) == 8 ? "L" : "Q",
      [TSR_FLOAT16] = "e",
      [TSR_FLOAT32] = "f",
      [TSR_FLOAT64] = "d",
      [TSR_COMPLEX64] = "Zf",
      [TSR_COMPLEX128] = "Zd"};
  return formats[dtype];
}

size_t tpy_dtype_size(tsr_dtype dtype)
{
  return table[dtype].size;
}

PyObject *tpy_dtype_object(tsr_dtype dtype)
{
  PyObject *o = (PyObject *)tpy.dtypes[dtype];
  Py_INCREF(o);
  return o;
}

static int dtype_named(const char *name)
{
  static const struct {
    const char *name;
    tsr_dtype dtype;
  } others[] = {{"float", TSR_FLOAT64}, {"int", TSR_INT64},      {"complex", TSR_COMPLEX128},
                {"bool_", TSR_BOOL},    {"?", TSR_BOOL},         {"d", TSR_FLOAT64},
                {"f", TSR_FLOAT32},     {"e", TSR_FLOAT16},      {"D", TSR_COMPLEX128},
                {"F", TSR_COMPLEX64},   {"double", TSR_FLOAT64}, {"single", TSR_FLOAT32}};
  for (int i = 0; i < TSR_N_DTYPES; i++)
    if (strcmp(table[i].name, name) == 0) return i;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].name, name) == 0) return (int)others[i].dtype;
  if (*name == '<' || *name == '|' || *name == '=') name++;
  for (int i = 0; i < TSR_N_DTYPES; i++)
    if (strcmp(table[i].code, name) == 0) return i;
  return -1;
}

/* The dtype that an object of another package names, or -1. */
static int dtype_by_attribute(PyObject *o, const char *attribute)
{
  PyObject *name = PyObject_GetAttrString(o, attribute);
  int found = -1;
  if (name && PyUnicode_Check(name)) {
    const char *s = PyUnicode_AsUTF8(name);
    if (s) found = dtype_named(s);
  }
  Py_XDECREF(name);
  PyErr_Clear();
  return found;
}

static int dtype_if_any(PyObject *o)
{
  if (Py_TYPE(o) == tpy.dtype_type) return (int)((tpy_dtype *)o)->dtype;
  if (o == (PyObject *)&PyBool_Type) return TSR_BOOL;
  if (o == (PyObject *)&PyLong_Type) return TSR_INT64;
  if (o == (PyObject *)&PyFloat_Type) return TSR_FLOAT64;
  if (o == (PyObject *)&PyComplex_Type) return TSR_COMPLEX128;
  if (PyUnicode_Check(o)) {
    const char *s = PyUnicode_AsUTF8(o);
    if (!s) PyErr_Clear();
    return s ? dtype_named(s) : -1;
  }
  if (PyType_Check(o)) return dtype_by_attribute(o, "__name__");
  return tpy_is_array(o) ? -1 : dtype_by_attribute(o, "name");
}

bool tpy_dtype_of(PyObject *o, int *out)
{
  *out = -1;
  if (o == Py_None) return true;
  *out = dtype_if_any(o);
  if (*out >= 0) return true;
  PyErr_Format(PyExc_TypeError,
               "there is no dtype %R; the dtypes are bool, int8 to int64, uint8 to uint64, float16 "
               "to float64, "
               "complex64 and complex128",
               o);
  return false;
}

int tpy_dtype_of_format(const char *format, Py_ssize_t size)
{
  static const uint16_t one = 1;
  const bool is_little = *(const uint8_t *)&one == 1;
  if (!format) return size == 1 ? (int)TSR_UINT8 : -1;
  if (*format == '@' || *format == '=' || (*format == '<' && is_little)) format++;
  const bool is_complex = *format == 'Z';
  if (is_complex) format++;
  if (strlen(format) != 1) return -1;
  const char *kind = strchr("bhilqn", *format)   ? "i"
                     : strchr("BHILQN", *format) ? "u"
                     : strchr("efd", *format)    ? (is_complex ? "c" : "f")
                     : *format == '?'            ? "b"
                                                 : "";
  char code[16];
  snprintf(code, sizeof code, "%s%d", kind, (int)size);
  return *kind ? dtype_named(code) : -1;
}

static PyObject *dtype_repr(PyObject *self)
{
  return PyUnicode_FromFormat("tessera.%s", tpy_dtype_name(((tpy_dtype *)self)->dtype));
}

static PyObject *dtype_str(PyObject *self)
{
  return PyUnicode_FromString(tpy_dtype_name(((tpy_dtype *)self)->dtype));
}

static Py_hash_t dtype_hash(PyObject *self)
{
  return 1000003 + (Py_hash_t)((tpy_dtype *)self)->dtype;
}

static PyObject *dtype_compare(PyObject *self, PyObject *other, int op)
{
  if (op != Py_EQ && op != Py_NE) Py_RETURN_NOTIMPLEMENTED;
  const bool same = other != Py_None && dtype_if_any(other) == (int)((tpy_dtype *)self)->dtype;
  return PyBool_FromLong(same == (op == Py_EQ));
}

/* tessera.float32(3): an array without axes. */
static PyObject *dtype_call(PyObject *self, PyObject *args, PyObject *names)
{
  PyObject *value = NULL;
  if ((names && PyDict_GET_SIZE(names)) || !PyArg_UnpackTuple(args, "dtype", 0, 1, &value)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "a dtype takes one value");
    return NULL;
  }
  PyObject *zero = value ? NULL : PyLong_FromLong(0);
  PyObject *x = tpy_as_array(value ? value : zero, (int)((tpy_dtype *)self)->dtype);
  Py_XDECREF(zero);
  return x;
}

static PyObject *dtype_reduce(PyObject *self, PyObject *none)
{
  (void)none;
  return PyUnicode_FromString(tpy_dtype_name(((tpy_dtype *)self)->dtype));
}

/* dtype(x): the object that x stands for. */
static PyObject *dtype_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
  (void)type;
  PyObject *of;
  int dtype;
  if ((names && PyDict_GET_SIZE(names)) || !PyArg_UnpackTuple(args, "dtype", 1, 1, &of)) {
    if (!PyErr_Occurred()) PyErr_SetString(PyExc_TypeError, "dtype takes one value");
    return NULL;
  }
  if (!tpy_dtype_of(of, &dtype)) return NULL;
  return tpy_dtype_object(dtype < 0 ? TSR_FLOAT64 : (tsr_dtype)dtype);
}

static PyObject *dtype_get(PyObject *self, void *what)
{
  const tsr_dtype d = ((tpy_dtype *)self)->dtype;
  const char *code = table[d].code;
  switch (*(const char *)what) {
  case 'n':
    return PyUnicode_FromString(table[d].name);
  case 'i':
    return PyLong_FromSize_t(table[d].size);
  case 'k':
    return PyUnicode_FromStringAndSize(code, 1);
  case 't':
    return Py_NewRef(self);
  default:
    return PyUnicode_FromFormat("%c%s", table[d].size == 1 ? '|' : '<', code);
  }
}

static PyGetSetDef dtype_attributes[] = {
    {"name", dtype_get, NULL, "Its name.", "n"},
    {"itemsize", dtype_get, NULL, "Bytes of an element.", "i"},
    {"kind", dtype_get, NULL, "b, i, u, f or c.", "k"},
    {"type", dtype_get, NULL, "What makes a value of a number: the dtype itself.", "t"},
    {"str", dtype_get, NULL, "Its code in the array interface.", "s"},
    {0}};
static PyMethodDef dtype_methods[] = {{"__reduce__", dtype_reduce, METH_NOARGS, NULL}, {0}};
static PyType_Slot dtype_slots[] = {
    {Py_tp_repr, dtype_repr},           {Py_tp_str, dtype_str},         {Py_tp_hash, dtype_hash},
    {Py_tp_richcompare, dtype_compare}, {Py_tp_call, dtype_call},       {Py_tp_new, dtype_new},
    {Py_tp_getset, dtype_attributes},   {Py_tp_methods, dtype_methods}, {0, NULL}};
static PyType_Spec dtype_spec = {.name = "tessera.dtype",
                                 .basicsize = sizeof(tpy_dtype),
                                 .flags = Py_TPFLAGS_DEFAULT,
                                 .slots = dtype_slots};

bool tpy_dtype_init(PyObject *module)
{
  tpy.dtype_type = (PyTypeObject *)PyType_FromSpec(&dtype_spec);
  if (!tpy.dtype_type || PyModule_AddObjectRef(module, "dtype", (PyObject *)tpy.dtype_type) < 0)
    return false;
  for (int i = 0; i < TSR_N_DTYPES; i++) {
    tpy.dtypes[i] = PyObject_New(tpy_dtype, tpy.dtype_type);
    if (!tpy.dtypes[i]) return false;
    tpy.dtypes[i]->dtype = (tsr_dtype)i;
    if (PyModule_AddObjectRef(module, table[i].name, (PyObject *)tpy.dtypes[i]) < 0) return false;
  }
  return true;
}

bool tpy_casting_of(PyObject *o, tsr_casting *out)
{
  static const char *const rules[] = {"no", "equiv", "safe", "same_kind", "unsafe"};
  for (int i = 0; i < 5; i++)
    if (PyUnicode_Check(o) && PyUnicode_CompareWithASCIIString(o, rules[i]) == 0) {
      *out = (tsr_casting)i;
      return true;
    }
  PyErr_Format(PyExc_ValueError, "casting is no, equiv, safe, same_kind or unsafe, not %R", o);
  return false;
}
