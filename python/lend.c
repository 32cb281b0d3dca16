/* The elements for other packages: the buffer protocol and DLPack, on one rank. What is lent is a copy of the elements
 * as they are; the array goes on. DLPack: https://dmlc.github.io/dlpack, the C API of version 0.8. */
#include "binding.h"

/* The elements, dense and row-major, with what describes them. */
typedef struct lent {
  tsr_dims shape;
  tsr_dtype dtype;
  size_t n_bytes;
  Py_ssize_t lengths[TSR_MAX_NDIM], strides[TSR_MAX_NDIM];
  char *data;
} lent;

static lent *lend(PyObject *self)
{
  if (!tpy_enter()) return NULL;
  if (tpy.n_ranks > 1) {
    PyErr_SetString(
        PyExc_BufferError,
        "no rank has all elements: x.local() lends this rank's tile, x.gather() (as np.asarray(x) "
        "and x.tolist()) gathers them on every rank");
    return NULL;
  }
  lent *l = PyMem_RawCalloc(1, sizeof *l);
  if (!l) {
    PyErr_NoMemory();
    return NULL;
  }
  const tsr_array x = ((tpy_array *)self)->handle;
  l->shape = tsr_shape_at(&tpy_attribute, x);
  l->dtype = tsr_dtype_of_at(&tpy_attribute, x);
  l->n_bytes = (size_t)tsr_size_at(&tpy_attribute, x) * tpy_dtype_size(l->dtype);
  Py_ssize_t stride = (Py_ssize_t)tpy_dtype_size(l->dtype);
  for (int k = l->shape.ndim - 1; k >= 0; k--) {
    l->lengths[k] = (Py_ssize_t)l->shape.n[k];
    l->strides[k] = stride;
    stride *= l->lengths[k];
  }
  l->data = PyMem_RawMalloc(l->n_bytes + 1);
  if (l->data && tpy_read((tpy_array *)self, l->data)) return l;
  if (!l->data) PyErr_NoMemory();
  PyMem_RawFree(l->data);
  PyMem_RawFree(l);
  return NULL;
}

static void take_back(lent *l)
{
  if (l) PyMem_RawFree(l->data);
  PyMem_RawFree(l);
}

int tpy_get_buffer(PyObject *self, Py_buffer *view, int flags)
{
  view->obj = NULL;
  if (flags & PyBUF_WRITABLE) { /* as a file's readinto asks: what it wrote would be lost */
    PyErr_SetString(PyExc_BufferError,
                    "the elements lie with Tessera: what is lent is a copy, not a place to fill");
    return -1;
  }
  lent *l = lend(self);
  if (!l) return -1;
  *view = (Py_buffer){.buf = l->data,
                      .obj = self,
                      .len = (Py_ssize_t)l->n_bytes,
                      .itemsize = (Py_ssize_t)tpy_dtype_size(l->dtype),
                      .readonly = 0, /* a copy of its own */
                      .ndim = l->shape.ndim,
                      .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)tpy_dtype_format(l->dtype)
                                                     : NULL,
                      .shape = flags & PyBUF_ND ? l->lengths : NULL,
                      .strides = (flags & PyBUF_STRIDES) == PyBUF_STRIDES ? l->strides : NULL,
                      .internal = l};
  Py_INCREF(self);
  return 0;
}

void tpy_release_buffer(PyObject *self, Py_buffer *view)
{
  (void)self;
  take_back(view->internal);
}

/* DLPack's structs. */
typedef struct dl_tensor {
  void *data;
  struct {
    int32_t type, id;
  } device;
  int32_t ndim;
  struct {
    uint8_t code, bits;
    uint16_t lanes;
  } dtype;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} dl_tensor;

typedef struct dl_managed {
  dl_tensor tensor;
  void *context;
  void (*deleter)(struct dl_managed *self);
} dl_managed;

enum { DL_CPU = 1, DL_INT = 0, DL_UINT = 1, DL_FLOAT = 2, DL_COMPLEX = 5, DL_BOOL = 6 };

static void managed_delete(dl_managed *m)
{
  take_back(m->context);
  PyMem_RawFree(m);
}

static void capsule_delete(PyObject *capsule)
{
  if (!PyCapsule_IsValid(capsule, "dltensor")) return; /* somebody took it */
  dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
  m->deleter(m);
}

static uint8_t code_of(tsr_dtype dtype)
{
  switch (tpy_dtype_name(dtype)[0]) {
  case 'b':
    return DL_BOOL;
  case 'i':
    return DL_INT;
  case 'u':
    return DL_UINT;
  case 'f':
    return DL_FLOAT;
  default:
    return DL_COMPLEX;
  }
}

static bool device_of(PyObject *o, int *type, int *id)
{
  PyObject *pair = PySequence_Tuple(o);
  const bool is_pair = pair && PyArg_ParseTuple(pair, "ii", type, id);
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
  int type = DL_CPU, id = 0;
  if (device && device != Py_None && !device_of(device, &type, &id)) return NULL;
  if (type != DL_CPU) {
    PyErr_SetString(PyExc_BufferError, "the copy that DLPack gets lies in the host's memory");
    return NULL;
  }
  lent *l = lend(self);
  dl_managed *m = l ? PyMem_RawCalloc(1, sizeof *m) : NULL;
  if (!m) {
    if (l) PyErr_NoMemory();
    take_back(l);
    return NULL;
  }
  m->context = l;
  m->deleter = managed_delete;
  m->tensor = (dl_tensor){.data = l->data, .ndim = l->shape.ndim, .shape = l->shape.n};
  m->tensor.device.type = DL_CPU;
  m->tensor.dtype.code = code_of(l->dtype);
  m->tensor.dtype.bits = (uint8_t)(8 * tpy_dtype_size(l->dtype));
  m->tensor.dtype.lanes = 1;
  PyObject *capsule = PyCapsule_New(m, "dltensor", capsule_delete);
  if (!capsule) managed_delete(m);
  return capsule;
}

PyObject *tpy_dlpack_device(PyObject *self, PyObject *none)
{
  (void)self, (void)none;
  return Py_BuildValue("(ii)", DL_CPU, 0);
}

static int dtype_of_tensor(const dl_tensor *t)
{
  for (int i = 0; i < TSR_N_DTYPES; i++)
    if (t->dtype.lanes == 1 && t->dtype.bits == 8 * tpy_dtype_size((tsr_dtype)i) &&
        t->dtype.code == code_of((tsr_dtype)i))
      return i;
  PyErr_Format(PyExc_TypeError, "there is no dtype for DLPack's code %d of %d bits", t->dtype.code,
               t->dtype.bits);
  return -1;
}

/* Copies the tensor's elements in row-major order. */
static void pack(const dl_tensor *t, size_t size, size_t n, char *out)
{
  int64_t at[TSR_MAX_NDIM] = {0};
  const char *data = (const char *)t->data + t->byte_offset;
  for (size_t i = 0; i < n; i++, out += size) {
    int64_t offset = 0;
    for (int k = 0; k < t->ndim; k++) offset += at[k] * t->strides[k];
    memcpy(out, data + offset * (int64_t)size, size);
    for (int k = t->ndim - 1; k >= 0 && ++at[k] == t->shape[k]; k--) at[k] = 0;
  }
}

/* from_capsule(capsule): an array of what a capsule "dltensor" lends. */
PyObject *tpy_from_capsule(PyObject *module, PyObject *capsule)
{
  (void)module;
  if (!tpy_enter()) return NULL;
  dl_managed *m = PyCapsule_GetPointer(capsule, "dltensor");
  if (!m) return NULL;
  const dl_tensor *t = &m->tensor;
  const int dtype = dtype_of_tensor(t);
  if (dtype < 0) return NULL;
  if (t->ndim > TSR_MAX_NDIM || t->device.type != DL_CPU)
    return PyErr_Format(PyExc_BufferError, "a tensor of %d axes on DLPack's device %d", t->ndim,
                        t->device.type);
  tsr_dims shape = {.ndim = t->ndim};
  size_t n = 1;
  for (int k = 0; k < t->ndim; k++) {
    shape.n[k] = t->shape[k];
    n *= (size_t)t->shape[k];
  }
  const size_t size = tpy_dtype_size((tsr_dtype)dtype);
  char *copy = t->strides ? PyMem_RawMalloc(n * size + 1) : NULL;
  if (t->strides && !copy) return PyErr_NoMemory();
  if (copy) pack(t, size, n, copy);
  const tsr_location *where = tpy_site("from_dlpack");
  const void *data = copy ? copy : (const char *)t->data + t->byte_offset;
  PyObject *made =
      where ? tpy_wrap(tsr_from_host_at(where, data, (tsr_dtype)dtype, shape, 0, NULL)) : NULL;
  PyMem_RawFree(copy);
  if (PyCapsule_SetName(capsule, "used_dltensor") == 0 && m->deleter) m->deleter(m);
  return made;
}
