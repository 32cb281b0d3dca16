/* The user's kernels and tasks, on which python/tessera/_kernels.py stands: they are made of texts
 * and called by their numbers. The library keeps them as long as the session lives. */
#include "binding.h"

/* The operands of a call. */
typedef struct operands {
  int n;
  tsr_operand v[TSR_MAX_OPERANDS];
  PyObject *owned[TSR_MAX_OPERANDS];
} operands;

static void operands_end(operands *xs)
{
  for (int i = 0; i < xs->n; i++) Py_XDECREF(xs->owned[i]);
}

static bool operands_begin(operands *xs, PyObject *given)
{
  const Py_ssize_t n = PyTuple_GET_SIZE(given);
  xs->n = 0;
  if (n > TSR_MAX_OPERANDS) {
    PyErr_Format(PyExc_ValueError, "a kernel takes at most %d arguments, not %zd", TSR_MAX_OPERANDS,
                 n);
    return false;
  }
  while (xs->n < n) {
    const int i = xs->n;
    if (tpy_any_operand(PyTuple_GET_ITEM(given, i), &xs->v[i], &xs->owned[i]) <= 0) break;
    xs->n++;
  }
  if (xs->n == n) return true;
  operands_end(xs);
  return false;
}

static PyObject *number_of(tsr_function f)
{
  return f.id ? PyLong_FromUnsignedLongLong(f.id) : tpy_raise();
}

static PyObject *make_kernel(PyObject *module, PyObject *args)
{
  (void)module;
  const char *name, *inputs, *outputs, *text;
  if (!PyArg_ParseTuple(args, "ssss", &name, &inputs, &outputs, &text) || !tpy_enter()) return NULL;
  const tsr_location *where = tpy_site("kernel");
  return where ? number_of(tsr_kernel_elementwise_at(where, name, inputs, outputs, text)) : NULL;
}

static PyObject *make_reduction(PyObject *module, PyObject *args)
{
  (void)module;
  const char *name, *inputs, *output, *map, *combine, *finish;
  PyObject *identity;
  if (!PyArg_ParseTuple(args, "ssssssO", &name, &inputs, &output, &map, &combine, &finish,
                        &identity) ||
      !tpy_enter())
    return NULL;
  tsr_operand value;
  const int known = tpy_operand(identity, &value);
  if (known < 0) return NULL;
  if (!known || tpy_is_array(identity))
    return PyErr_Format(PyExc_TypeError, "the identity is a number, not %R", identity);
  const tsr_location *where = tpy_site("kernel");
  return where ? number_of(tsr_kernel_reduction_at(where, name, inputs, output, map, combine,
                                                   finish, value))
               : NULL;
}

static PyObject *make_task(PyObject *module, PyObject *args)
{
  (void)module;
  const char *name, *inputs, *outputs;
  unsigned long long address;
  if (!PyArg_ParseTuple(args, "sssK", &name, &inputs, &outputs, &address) || !tpy_enter())
    return NULL;
  const tsr_location *where = tpy_site("task");
  const tsr_task_function function = (tsr_task_function)(uintptr_t)address;
  return where ? number_of(tsr_task_at(where, name, inputs, outputs, function)) : NULL;
}

static PyObject *tuple_of(int n, const tsr_array *made)
{
  PyObject *all = PyTuple_New(n);
  for (int i = 0; i < n; i++) {
    PyObject *one = tpy_wrap(made[i]); /* also after a failure: the object releases its array */
    if (all && one)
      PyTuple_SET_ITEM(all, i, one);
    else
      Py_XDECREF(one);
    if (!one) Py_CLEAR(all);
  }
  return all;
}

/* call_kernel(number, operands, n_outputs, data, waits): a tuple of the outputs. `waits`: the
 * function is Python's, which needs the GIL on the threads that run it. So it runs here and now,
 * where no one holds it. */
static PyObject *call_kernel(PyObject *module, PyObject *args)
{
  (void)module;
  unsigned long long number;
  PyObject *given;
  int n_out, waits;
  Py_buffer data = {.buf = NULL};
  if (!PyArg_ParseTuple(args, "KO!iz*p", &number, &PyTuple_Type, &given, &n_out, &data, &waits))
    return NULL;
  operands xs;
  tsr_array made[TSR_MAX_OPERANDS];
  PyObject *result = NULL;
  const bool has_operands = tpy_enter() && operands_begin(&xs, given);
  const tsr_location *where = has_operands ? tpy_site("kernel") : NULL;
  if (where) {
    const tsr_function f = {.id = number};
    tsr_status status, run = TSR_OK;
    if (waits) tpy_task_begin();
    PyThreadState *thread = tpy_wait_begin();
    status = data.buf ? tsr_call_data_at(where, made, f, data.buf, (size_t)data.len, xs.n, xs.v)
                      : tsr_call_outputs_at(where, made, f, xs.n, xs.v);
    if (waits && status >= 0) run = tsr_flush_at(where);
    tpy_wait_end(thread);
    if (waits) tpy_task_end();
    if (status >= 0) result = tuple_of(n_out, made);
    if (status < 0 || run < 0) Py_CLEAR(result);
    if (!result) tpy_raise();
  }
  if (has_operands) operands_end(&xs);
  PyBuffer_Release(&data);
  return result;
}

/* call_reduction(number, operands, axes, keepdims) */
static PyObject *call_reduction(PyObject *module, PyObject *args)
{
  (void)module;
  unsigned long long number;
  PyObject *given, *over;
  int keepdims;
  if (!PyArg_ParseTuple(args, "KO!Op", &number, &PyTuple_Type, &given, &over, &keepdims))
    return NULL;
  tsr_axes axes = {.n = -1};
  int64_t list[TSR_MAX_NDIM];
  if (over != Py_None && (axes.n = tpy_numbers(over, TSR_MAX_NDIM, list)) < 0) return NULL;
  for (int i = 0; i < axes.n; i++)
    axes.axis[i] = list[i] > INT32_MAX || list[i] < -INT32_MAX ? INT32_MAX : (int)list[i];
  operands xs;
  if (!tpy_enter() || !operands_begin(&xs, given)) return NULL;
  const tsr_location *where = tpy_site("kernel");
  PyObject *made = where ? tpy_wrap(tsr_call_axes_at(where, (tsr_function){.id = number}, axes,
                                                     keepdims, xs.n, xs.v))
                         : NULL;
  operands_end(&xs);
  return made;
}

PyMethodDef tpy_kernel_methods[] = {{"make_kernel", make_kernel, METH_VARARGS, NULL},
                                    {"make_reduction", make_reduction, METH_VARARGS, NULL},
                                    {"make_task", make_task, METH_VARARGS, NULL},
                                    {"call_kernel", call_kernel, METH_VARARGS, NULL},
                                    {"call_reduction", call_reduction, METH_VARARGS, NULL},
                                    {0}};
