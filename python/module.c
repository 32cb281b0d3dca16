/* The extension module tessera._core: types, the functions of tools/api.table, and what the Python
 * files stand on. */
#include "binding.h"

extern PyMethodDef tpy_session_methods[], tpy_kernel_methods[];

static PyObject *as_array(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
  (void)module;
  int dtype = -1;
  if (n < 1 || n > 2)
    return PyErr_Format(PyExc_TypeError, "as_array takes one or two arguments, not %zd", n);
  if (n == 2 && !tpy_dtype_of(args[1], &dtype)) return NULL;
  return tpy_as_array(args[0], dtype);
}

static PyObject *assign(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
  (void)module;
  tsr_operand x;
  PyObject *owned;
  if (n != 2 || !tpy_is_array(args[0]))
    return PyErr_Format(PyExc_TypeError, "assign takes an array and a value");
  if (!tpy_enter() || tpy_any_operand(args[1], &x, &owned) < 0) return NULL;
  const tsr_location *where =
      tpy_flush_point(((tpy_array *)args[0])->handle) ? tpy_site("assign") : NULL;
  const tsr_status status =
      where ? tsr_assign_at(where, ((tpy_array *)args[0])->handle, x) : TSR_ERR_HANDLE;
  Py_XDECREF(owned);
  if (status < 0) return where ? tpy_raise() : NULL;
  Py_RETURN_NONE;
}

static PyObject *can_cast(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
  (void)module;
  int from, to;
  tsr_casting casting;
  if (n != 3) return PyErr_Format(PyExc_TypeError, "can_cast takes three arguments");
  if (!tpy_dtype_of(args[0], &from) || !tpy_dtype_of(args[1], &to) ||
      !tpy_casting_of(args[2], &casting))
    return NULL;
  return PyBool_FromLong(tsr_can_cast((tsr_dtype)from, (tsr_dtype)to, casting));
}

static PyObject *promote_types(PyObject *module, PyObject *const *args, Py_ssize_t n)
{
  (void)module;
  int a, b;
  if (n != 2) return PyErr_Format(PyExc_TypeError, "promote_types takes two dtypes");
  if (!tpy_dtype_of(args[0], &a) || !tpy_dtype_of(args[1], &b)) return NULL;
  if (a < 0 || b < 0) return PyErr_Format(PyExc_TypeError, "None is no dtype");
  return tpy_dtype_object(tsr_promote_types((tsr_dtype)a, (tsr_dtype)b));
}

static PyObject *save(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *path, *of, *owned;
  tsr_operand x;
  if (!PyArg_ParseTuple(args, "O&O", PyUnicode_FSConverter, &path, &of)) return NULL;
  PyObject *done = NULL;
  if (tpy_enter() && tpy_any_operand(of, &x, &owned) > 0) {
    const tsr_location *where = tpy_site("save");
    tsr_status status = TSR_ERR_HANDLE;
    PyThreadState *thread = tpy_wait_begin();
    if (where) status = tsr_save_npy_at(where, x, PyBytes_AS_STRING(path));
    tpy_wait_end(thread);
    Py_XDECREF(owned);
    done = where ? tpy_done(status) : NULL;
  }
  Py_DECREF(path);
  return done;
}

static PyObject *load(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  const tsr_location *where = tpy_enter() ? tpy_site("load") : NULL;
  PyObject *made = where ? tpy_wrap(tsr_load_npy_at(where, PyBytes_AS_STRING(path))) : NULL;
  Py_DECREF(path);
  return made;
}

/* kernel(name, inputs, outputs, text, operands): the outputs of a kernel of text. */
static PyObject *kernel(PyObject *module, PyObject *args)
{
  (void)module;
  const char *name, *inputs, *outputs, *text;
  PyObject *given, *owned[TSR_MAX_OPERANDS] = {NULL}, *made = NULL;
  tsr_operand xs[TSR_MAX_OPERANDS];
  if (!tpy_enter()) return NULL;
  if (!PyArg_ParseTuple(args, "ssssO!", &name, &inputs, &outputs, &text, &PyTuple_Type, &given))
    return NULL;
  const Py_ssize_t n = PyTuple_GET_SIZE(given);
  if (n > TSR_MAX_OPERANDS)
    return PyErr_Format(PyExc_ValueError, "a kernel takes at most 16 arguments");
  Py_ssize_t i = 0;
  while (i < n && tpy_any_operand(PyTuple_GET_ITEM(given, i), &xs[i], &owned[i]) > 0) i++;
  const tsr_location *where = i == n ? tpy_site("kernel") : NULL;
  if (where)
    made = tpy_wrap(tsr_call_at(
        where, tsr_kernel_elementwise_at(where, name, inputs, outputs, text), (int)n, xs));
  for (i = 0; i < n; i++) Py_XDECREF(owned[i]);
  return made;
}

static PyMethodDef own_methods[] = {{"as_array", TPY_FAST(as_array), METH_FASTCALL, NULL},
                                    {"assign", TPY_FAST(assign), METH_FASTCALL, NULL},
                                    {"can_cast", TPY_FAST(can_cast), METH_FASTCALL, NULL},
                                    {"promote_types", TPY_FAST(promote_types), METH_FASTCALL,
                                     "promote_types(type1, type2, /)\n--\n\nThe dtype that "
                                     "holds what both hold."},
                                    {"view", TPY_FAST(tpy_view), METH_FASTCALL, NULL},
                                    {"from_capsule", tpy_from_capsule, METH_O, NULL},
                                    {"from_tiles", tpy_from_tiles, METH_VARARGS, NULL},
                                    {"save", save, METH_VARARGS, NULL},
                                    {"load", load, METH_VARARGS, NULL},
                                    {"kernel", kernel, METH_VARARGS, NULL},
                                    {"compose", tpy_compose, METH_O, NULL},
                                    {0}};

static struct PyModuleDef definition = {.m_base = PyModuleDef_HEAD_INIT,
                                        .m_name = "tessera._core",
                                        .m_size = -1,
                                        .m_methods = own_methods};

PyMODINIT_FUNC PyInit__core(void)
{
  PyObject *module = PyModule_Create(&definition);
  if (!module || PyModule_AddFunctions(module, tpy_session_methods) < 0 ||
      PyModule_AddFunctions(module, tpy_kernel_methods) < 0 ||
      PyModule_AddFunctions(module, tpy_random_methods) < 0 ||
      PyModule_AddFunctions(module, tpy_picture_methods) < 0 ||
      PyModule_AddFunctions(module, tpy_series_methods) < 0 || !tpy_dtype_init(module) ||
      !tpy_array_init(module) || !tpy_local_init(module) || !tpy_ufunc_init(module) ||
      !tpy_call_init(module)) {
    Py_XDECREF(module);
    return NULL;
  }
  return module;
}
