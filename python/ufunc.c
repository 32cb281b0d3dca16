/* The type of elementwise functions: a row of the table that is called as it is, with the
 * attributes of NumPy's ufuncs. reduce, accumulate and outer are rows, too, whose first parameter
 * is the function's name; the Python files give it what is made of these. */
#include "binding.h"

#include <stddef.h>
#include <structmember.h>

typedef struct ufunc {
  PyObject_HEAD vectorcallfunc call;
  const tpy_row *row;
} ufunc;

static PyObject *call(PyObject *self, PyObject *const *args, size_t n, PyObject *names)
{
  return tpy_call(((ufunc *)self)->row, NULL, args, PyVectorcall_NARGS(n), names);
}

static void dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *repr(PyObject *self)
{
  return PyUnicode_FromFormat("<ufunc '%s'>", ((ufunc *)self)->row->name);
}

static PyObject *get_name(PyObject *self, void *none)
{
  (void)none;
  return PyUnicode_FromString(((ufunc *)self)->row->name);
}

const char *tpy_ufunc_name(PyObject *o)
{
  return Py_TYPE(o) == tpy.ufunc_type ? ((ufunc *)o)->row->name : NULL;
}

static const char end_of_signature[] = "\n--\n\n";

static PyObject *get_doc(PyObject *self, void *none)
{
  (void)none;
  const char *doc = ((ufunc *)self)->row->doc, *end = strstr(doc, end_of_signature);
  return PyUnicode_FromString(end ? end + strlen(end_of_signature) : doc);
}

static PyObject *get_signature(PyObject *self, void *none)
{
  (void)none;
  const tpy_row *row = ((ufunc *)self)->row;
  const char *start = row->doc + strlen(row->name), *end = strstr(start, end_of_signature);
  return PyUnicode_FromStringAndSize(start, end ? end - start : 0);
}

static PyObject *get_number(PyObject *self, void *what)
{
  const tpy_row *row = ((ufunc *)self)->row;
  const char asked = *(const char *)what;
  int n_in = 0;
  const int n_out = row->calls ? 2 : 1;
  for (int k = 0; k < row->n_parameters; k++) n_in += row->p[k].kind == 'x';
  return PyLong_FromLong((asked != 'o' ? n_in : 0) + (asked != 'i' ? n_out : 0));
}

static PyObject *get_none(PyObject *self, void *none)
{
  (void)self, (void)none;
  Py_RETURN_NONE;
}

bool tpy_ufunc_has_several(PyObject *o)
{
  return Py_TYPE(o) == tpy.ufunc_type && ((ufunc *)o)->row->calls;
}

static PyGetSetDef attributes[] = {{"__name__", get_name, NULL, NULL, NULL},
                                   {"__qualname__", get_name, NULL, NULL, NULL},
                                   {"__doc__", get_doc, NULL, NULL, NULL},
                                   {"__text_signature__", get_signature, NULL, NULL, NULL},
                                   {"nin", get_number, NULL, "The number of operands.", "i"},
                                   {"nout", get_number, NULL, "The number of results.", "o"},
                                   {"nargs", get_number, NULL, "Of both.", "a"},
                                   {"signature", get_none, NULL, "None: of elements.", NULL},
                                   {0}};

static PyMemberDef members[] = {
    {"__vectorcalloffset__", T_PYSSIZET, offsetof(ufunc, call), READONLY, NULL}, {0}};

#include "generated/ufunc_methods.inc"

static PyMethodDef methods[] = {ROW_METHODS{0}};

PyObject *tpy_ufunc_new(const tpy_row *row)
{
  ufunc *o = PyObject_New(ufunc, tpy.ufunc_type);
  if (!o) return NULL;
  o->call = call;
  o->row = row;
  return (PyObject *)o;
}

bool tpy_ufunc_init(PyObject *module)
{
  static PyType_Slot slots[] = {{Py_tp_dealloc, dealloc},
                                {Py_tp_repr, repr},
                                {Py_tp_call, PyVectorcall_Call},
                                {Py_tp_getset, attributes},
                                {Py_tp_members, members},
                                {Py_tp_methods, methods},
                                {0, NULL}};
  PyType_Spec spec = {.name = "tessera.ufunc",
                      .basicsize = sizeof(ufunc),
                      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL |
                               Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      .slots = slots};
  tpy.ufunc_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return tpy.ufunc_type && PyModule_AddObjectRef(module, "ufunc", (PyObject *)tpy.ufunc_type) == 0;
}
