/* Time series for ParaView: what python/tessera/_series.py stands on. A series is a capsule, NULL
 * once it is closed. */
#include "binding.h"

#include <string.h>

static const char series_name[] = "tessera.series";

static tsr_xdmf **series_of(PyObject *capsule)
{
  return PyCapsule_GetPointer(capsule, series_name);
}

static void forget(PyObject *capsule)
{
  PyMem_RawFree(series_of(capsule)); /* one that is still open ends with the process */
}

static PyObject *xdmf_open(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&", PyUnicode_FSConverter, &path)) return NULL;
  const tsr_location *where = tpy_enter() ? tpy_site("xdmf_open") : NULL;
  tsr_xdmf **held = where ? PyMem_RawCalloc(1, sizeof *held) : NULL;
  PyObject *made = NULL;
  if (where && !held) PyErr_NoMemory();
  if (held && !(*held = tsr_xdmf_open_at(where, PyBytes_AS_STRING(path)))) tpy_raise();
  if (held && *held) made = PyCapsule_New(held, series_name, forget);
  if (!made) PyMem_RawFree(held);
  Py_DECREF(path);
  return made;
}

static bool point_of(PyObject *given, tsr_point *out)
{
  PyObject *list = PySequence_Tuple(given);
  if (!list) return false;
  const Py_ssize_t n = PyTuple_GET_SIZE(list);
  *out = (tsr_point){.n = n > TSR_MAX_NDIM ? TSR_MAX_NDIM : (int)n};
  for (int k = 0; k < out->n; k++) out->x[k] = PyFloat_AsDouble(PyTuple_GET_ITEM(list, k));
  Py_DECREF(list);
  return !PyErr_Occurred();
}

static PyObject *xdmf_grid(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *capsule, *from, *step;
  tsr_point origin, spacing;
  if (!PyArg_ParseTuple(args, "OOO", &capsule, &from, &step)) return NULL;
  tsr_xdmf **s = series_of(capsule);
  if (!s || !point_of(from, &origin) || !point_of(step, &spacing)) return NULL;
  const tsr_location *where = tpy_enter() ? tpy_site("grid") : NULL;
  return where ? tpy_done(tsr_xdmf_grid_at(where, *s, origin, spacing)) : NULL;
}

static PyObject *xdmf_write(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *capsule, *of, *owned, *done = NULL;
  const char *name;
  double time;
  tsr_operand x;
  if (!PyArg_ParseTuple(args, "OdsO", &capsule, &time, &name, &of)) return NULL;
  tsr_xdmf **s = series_of(capsule);
  if (s && tpy_enter() && tpy_any_operand(of, &x, &owned) > 0) {
    const tsr_location *where = tpy_site("write");
    tsr_status status = TSR_ERR_HANDLE;
    PyThreadState *thread = tpy_wait_begin();
    if (where) status = tsr_xdmf_write_at(where, *s, time, name, x);
    tpy_wait_end(thread);
    Py_XDECREF(owned);
    done = where ? tpy_done(status) : NULL;
  }
  return done;
}

static PyObject *xdmf_close(PyObject *module, PyObject *capsule)
{
  (void)module;
  tsr_xdmf **s = series_of(capsule);
  const tsr_location *where = s && tpy_enter() ? tpy_site("close") : NULL;
  return where ? tpy_done(tsr_xdmf_close_at(where, s)) : NULL;
}

static PyObject *version(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return PyUnicode_FromString(tsr_version());
}

PyMethodDef tpy_series_methods[] = {
    {"xdmf_open", xdmf_open, METH_VARARGS, NULL},   {"xdmf_grid", xdmf_grid, METH_VARARGS, NULL},
    {"xdmf_write", xdmf_write, METH_VARARGS, NULL}, {"xdmf_close", xdmf_close, METH_O, NULL},
    {"version", version, METH_NOARGS, NULL},        {0}};
