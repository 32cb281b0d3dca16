/* Elements for other packages, and theirs for arrays: the buffer protocol and DLPack, on one rank,
 * and what one rank reads. What is lent is a copy of the elements as they are; the array goes on.
 * The structs of DLPack are tessera/dlpack.h's. */
#include "binding.h"

/* The elements with the strides of the buffer protocol, in bytes. */
typedef struct lent {
  tsr_dlpack *tensor;
  Py_ssize_t lengths[TSR_MAX_NDIM], strides[TSR_MAX_NDIM];
} lent;

/* A copy of the elements, or NULL with an exception. */
static tsr_dlpack *lend(PyObject *self)
{
  const tsr_location *where = tpy_enter() ? tpy_site("read") : NULL;
  if (!where) return NULL;
  if (tpy.n_ranks > 1) {
    PyErr_SetString(
        PyExc_BufferError,
        "no rank has all elements: x.local() lends this rank's tile, x.gather() (as np.asarray(x) "
        "and x.tolist()) gathers them on every rank");
    return NULL;
  }
  const tsr_operand x = tsr_box_array(((tpy_array *)self)->handle);
  tsr_dlpack *tensor = NULL;
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = tsr_to_dlpack_at(where, x, &tensor);
  tpy_wait_end(thread);
  if (status < 0) tpy_raise();
  return tensor;
}

PyObject *tpy_lies_in_order(PyObject *self, PyObject *column_major)
{
  const int by_columns = PyObject_IsTrue(column_major);
  if (by_columns < 0 || !tpy_look()) return NULL;
  return PyBool_FromLong(tsr_lies_in_order(((tpy_array *)self)->handle, by_columns));
}

int tpy_get_buffer(PyObject *self, Py_buffer *view, int flags)
{
  static char nothing;
  view->obj = NULL;
  if (flags & PyBUF_WRITABLE) { /* as a file's readinto asks: what it wrote would be lost */
    PyErr_SetString(PyExc_BufferError,
                    "the elements lie with Tessera: what is lent is a copy, not a place to fill");
    return -1;
  }
  if ((flags & PyBUF_F_CONTIGUOUS) == PyBUF_F_CONTIGUOUS &&
      tsr_ndim_at(&tpy_attribute, ((tpy_array *)self)->handle) > 1) {
    PyErr_SetString(PyExc_BufferError, "what is lent lies row by row, not column by column");
    return -1;
  }
  lent *l = PyMem_RawCalloc(1, sizeof *l);
  if (!l) {
    PyErr_NoMemory();
    return -1;
  }
  l->tensor = lend(self);
  if (!l->tensor) {
    PyMem_RawFree(l);
    return -1;
  }
  const tsr_dlpack_tensor *t = &l->tensor->tensor;
  const Py_ssize_t size = t->dtype.bits / 8;
  Py_ssize_t n = 1;
  for (int k = 0; k < t->ndim; k++) {
    l->lengths[k] = (Py_ssize_t)t->shape[k];
    l->strides[k] = size * (Py_ssize_t)t->strides[k];
    n *= l->lengths[k];
  }
  const tsr_dtype dtype = tsr_dtype_of_at(&tpy_attribute, ((tpy_array *)self)->handle);
  *view = (Py_buffer){.buf = t->data ? t->data : &nothing,
                      .obj = self,
                      .len = n * size,
                      .itemsize = size,
                      .readonly = 0, /* a copy of its own */
                      .ndim = t->ndim,
                      .format =
                          flags & PyBUF_FORMAT ? (char *)(uintptr_t)tpy_dtype_format(dtype) : NULL,
                      .shape = flags & PyBUF_ND ? l->lengths : NULL,
                      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? l->strides : NULL,
                      .internal = l};
  Py_INCREF(self);
  return 0;
}

void tpy_release_buffer(PyObject *self, Py_buffer *view)
{
  (void)self;
  lent *l = view->internal;
  l->tensor->deleter(l->tensor);
  PyMem_RawFree(l);
}

/* DLPack's struct of the time before its versions, DLManagedTensor. */
typedef struct old_managed {
  tsr_dlpack_tensor tensor;
  void *context;
  void (*deleter)(struct old_managed *self);
} old_managed;

static void old_delete(old_managed *m)
{
  tsr_dlpack *tensor = m->context;
  tensor->deleter(tensor);
  PyMem_RawFree(m);
}

static void old_capsule_delete(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* somebody took it */
  old_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
  m->deleter(m);
}

static void capsule_delete(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor_versioned")) return;
  tsr_dlpack *tensor = PyCapsule_GetPointer(capsule, "dltensor_versioned");
  tensor->deleter(tensor);
}

/* Takes the tensor. */
static PyObject *old_capsule(tsr_dlpack *tensor)
{
  old_managed *m = PyMem_RawCalloc(1, sizeof *m);
  if (!m) {
    tensor->deleter(tensor);
    return PyErr_NoMemory();
  }
  *m = (old_managed){.tensor = tensor->tensor, .context = tensor, .deleter = old_delete};
  PyObject *capsule = PyCapsule_New(m, "dltensor", old_capsule_delete);
  if (!capsule) old_delete(m);
  return capsule;
}

static PyObject *new_capsule(tsr_dlpack *tensor)
{
  PyObject *capsule = PyCapsule_New(tensor, "dltensor_versioned", capsule_delete);
  if (!capsule) tensor->deleter(tensor);
  return capsule;
}

static bool two_numbers(PyObject *o, int *one, int *other)
{
  PyObject *pair = PySequence_Tuple(o);
  const bool is_pair = pair && PyArg_ParseTuple(pair, "ii", one, other);
  Py_XDECREF(pair);
  return is_pair;
}

PyObject *tpy_to_dlpack(PyObject *self, PyObject *args, PyObject *names)
{
  static char *keywords[] = {"stream", "max_version", "dl_device", "copy", NULL};
  PyObject *stream = NULL, *version = NULL, *device = NULL, *copy = NULL;
  if (!PyArg_ParseTupleAndKeywords(args, names, "|$OOOO", keywords, &stream, &version, &device,
                                   &copy))
    return NULL;
  if (copy == Py_False) {
    PyErr_SetString(PyExc_BufferError, "the elements lie with Tessera: DLPack gets a copy of them");
    return NULL;
  }
  int type = TSR_DLPACK_CPU, id = 0, major = 0, minor = 0;
  if (device && device != Py_None && !two_numbers(device, &type, &id)) return NULL;
  if (version && version != Py_None && !two_numbers(version, &major, &minor)) return NULL;
  if (type != TSR_DLPACK_CPU) {
    PyErr_SetString(PyExc_BufferError, "the copy that DLPack gets lies in the host's memory");
    return NULL;
  }
  tsr_dlpack *tensor = lend(self);
  if (!tensor) return NULL;
  return major >= TSR_DLPACK_MAJOR ? new_capsule(tensor) : old_capsule(tensor);
}

PyObject *tpy_dlpack_device(PyObject *self, PyObject *none)
{
  (void)self, (void)none;
  return Py_BuildValue("(ii)", TSR_DLPACK_CPU, 0);
}

/* Calls the deleter of a tensor of the old kind that a new one stands for. */
static void delete_what_is_old(tsr_dlpack *tensor)
{
  old_managed *m = tensor->manager_ctx;
  if (m->deleter) m->deleter(m);
}

/* from_capsule(capsule): an array of what a capsule "dltensor" or "dltensor_versioned" lends. */
PyObject *tpy_from_capsule(PyObject *module, PyObject *capsule)
{
  (void)module;
  if (!tpy_enter()) return NULL;
  const bool is_old = PyCapsule_IsValid(capsule, "dltensor");
  void *held = PyCapsule_GetPointer(capsule, is_old ? "dltensor" : "dltensor_versioned");
  if (!held) return NULL;
  tsr_dlpack old = {.version = {TSR_DLPACK_MAJOR, TSR_DLPACK_MINOR},
                    .manager_ctx = held,
                    .deleter = delete_what_is_old};
  if (is_old) old.tensor = ((old_managed *)held)->tensor;
  tsr_dlpack *tensor = is_old ? &old : held;
  if (tensor->version.major != TSR_DLPACK_MAJOR)
    return PyErr_Format(PyExc_BufferError, "a tensor of DLPack's version %u",
                        tensor->version.major);
  if (tensor->tensor.ndim > TSR_MAX_NDIM || tensor->tensor.device.type != TSR_DLPACK_CPU)
    return PyErr_Format(PyExc_BufferError, "a tensor of %d axes on DLPack's device %d",
                        tensor->tensor.ndim, tensor->tensor.device.type);
  const tsr_location *where = tpy_site("from_dlpack");
  if (!where) return NULL;
  if (PyCapsule_SetName(capsule, is_old ? "used_dltensor" : "used_dltensor_versioned") < 0)
    return NULL;
  return tpy_wrap(tsr_from_dlpack_at(where, tensor));
}

/* x._bytes_on(rank): the elements as a bytearray on that rank, None on the others. */
PyObject *tpy_bytes_on(PyObject *self, PyObject *number)
{
  int64_t rank;
  const tsr_location *where = tpy_enter() ? tpy_site("gather") : NULL;
  if (!where || !tpy_number(number, &rank)) return NULL;
  const tsr_array x = ((tpy_array *)self)->handle;
  const int on = rank < INT_MIN ? INT_MIN : rank > INT_MAX ? INT_MAX : (int)rank;
  const bool is_mine = on == tsr_rank();
  const size_t bytes =
      (size_t)tsr_size_at(&tpy_attribute, x) * tpy_dtype_size(tsr_dtype_of_at(&tpy_attribute, x));
  PyObject *data = PyByteArray_FromStringAndSize(NULL, is_mine ? (Py_ssize_t)bytes : 0);
  if (!data) return NULL;
  void *buffer = is_mine ? PyByteArray_AsString(data) : NULL;
  const tsr_host_option option = TSR_ON(on);
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = tsr_to_host_at(where, tsr_box_array(x), buffer, 1, &option);
  tpy_wait_end(thread);
  if (status == TSR_OK && is_mine) return data;
  Py_DECREF(data);
  if (status < 0) return tpy_raise();
  Py_RETURN_NONE;
}

PyObject *tpy_describe(PyObject *self, PyObject *none)
{
  (void)none;
  char text[2000];
  if (!tpy_look()) return NULL;
  if (tsr_describe_at(&tpy_attribute, ((tpy_array *)self)->handle, text, sizeof text) < 0)
    return tpy_raise();
  return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

/* One tile, (origin, buffer). Returns false with an exception; the buffer is held if it is true. */
static bool read_tile(PyObject *pair, int dtype, int ndim, tsr_host_tile *tile, Py_buffer *b)
{
  PyObject *both = PySequence_Tuple(pair), *origin, *buffer;
  int n = -1;
  if (both &&
      PyArg_ParseTuple(both, "OO;a tile is a pair, its origin and a buffer", &origin, &buffer))
    n = tpy_numbers(origin, TSR_MAX_NDIM, tile->lo);
  const bool is_held = n >= 0 && PyObject_GetBuffer(buffer, b, PyBUF_RECORDS_RO) == 0;
  Py_XDECREF(both);
  if (!is_held) return false;
  bool is_fine = false;
  if (n != ndim || b->ndim != ndim)
    PyErr_Format(PyExc_ValueError, "a tile of %d axes at an origin of %d; the array has %d",
                 b->ndim, n, ndim);
  else if (tpy_dtype_of_format(b->format, b->itemsize) != dtype)
    PyErr_Format(PyExc_TypeError, "a tile with items of the format '%s'; the array's are %s",
                 b->format ? b->format : "B", tpy_dtype_name((tsr_dtype)dtype));
  else
    is_fine = true;
  for (int k = 0; k < ndim && is_fine; k++) {
    tile->n[k] = b->shape[k];
    tile->stride_bytes[k] = b->strides[k];
  }
  tile->data = b->buf;
  if (!is_fine) PyBuffer_Release(b);
  return is_fine;
}

/* Tells the ranks that wait in the call that this one has no tiles to give. The exception stays. */
static void tell_failure(tsr_dtype dtype, tsr_dims shape)
{
  PyObject *class, *value, *trace;
  PyErr_Fetch(&class, &value, &trace);
  const tsr_location *where = tpy_site("from_tiles");
  PyThreadState *thread = tpy_wait_begin();
  if (where) (void)tsr_from_tiles_at(where, -1, NULL, dtype, shape, 0, NULL);
  tpy_wait_end(thread);
  (void)tsr_take_error(NULL, 0);
  PyErr_Restore(class, value, trace);
}

/* from_tiles(tiles, shape, dtype) */
PyObject *tpy_from_tiles(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *given, *lengths, *kind;
  int dtype;
  if (!tpy_enter() || !PyArg_ParseTuple(args, "OOO", &given, &lengths, &kind) ||
      !tpy_dtype_of(kind, &dtype))
    return NULL;
  tsr_dims shape = {0};
  shape.ndim = tpy_numbers(lengths, TSR_MAX_NDIM, shape.n);
  PyObject *list = shape.ndim >= 0 ? PySequence_Tuple(given) : NULL, *made = NULL;
  if (!list) return NULL;
  const Py_ssize_t n = PyTuple_GET_SIZE(list);
  tsr_host_tile *tiles = PyMem_RawCalloc((size_t)n + 1, sizeof *tiles);
  Py_buffer *buffers = PyMem_RawCalloc((size_t)n + 1, sizeof *buffers);
  Py_ssize_t k = 0;
  if (!tiles || !buffers || n > INT_MAX)
    PyErr_NoMemory();
  else
    while (k < n && read_tile(PyTuple_GET_ITEM(list, k), dtype, shape.ndim, &tiles[k], &buffers[k]))
      k++;
  const bool is_read = k == n && !PyErr_Occurred();
  if (!is_read && tpy.n_ranks > 1) tell_failure((tsr_dtype)dtype, shape);
  const tsr_location *where = is_read ? tpy_site("from_tiles") : NULL;
  if (where) {
    tsr_array x;
    PyThreadState *thread = tpy_wait_begin();
    x = tsr_from_tiles_at(where, (int)n, tiles, (tsr_dtype)dtype, shape, 0, NULL);
    tpy_wait_end(thread);
    made = tpy_wrap(x);
  }
  while (k > 0) PyBuffer_Release(&buffers[--k]);
  PyMem_RawFree(tiles);
  PyMem_RawFree(buffers);
  Py_DECREF(list);
  return made;
}
