/* x.local(): this rank's tile of an array, lent as a buffer for the length of a `with` block
 * (tsr_local).
 *
 * The buffer is the tile with its halo, as far as the array reaches. A buffer that outlives the
 * block is an error, since the tile's memory is the array's: the array stays lent until the last
 * buffer is released. The lending of a tile whose object dies ends, too; both at the next call,
 * where releases are. */
#include "binding.h"

typedef struct lent_tile {
  PyObject_HEAD PyObject *x; /* the array */
  int64_t halo[TSR_MAX_NDIM];
  bool writable, is_lent, is_late; /* late: the block has ended, buffers live */
  uint64_t serial;
  tsr_local_tile tile;
  Py_ssize_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM]; /* how far the halo reaches */
  Py_ssize_t n_buffers;
} lent_tile;

/* What a buffer describes, as long as it lives. */
typedef struct tile_buffer {
  Py_ssize_t lengths[TSR_MAX_NDIM], strides[TSR_MAX_NDIM];
} tile_buffer;

static bool is_lent(const lent_tile *t)
{
  if (t->is_lent) return true;
  PyErr_SetString(PyExc_BufferError,
                  "the tile is lent inside of a block: `with x.local() as tile:`");
  return false;
}

static PyObject *tile_enter(PyObject *self, PyObject *none)
{
  (void)none;
  lent_tile *t = (lent_tile *)self;
  const tsr_location *where = tpy_enter() ? tpy_site("local") : NULL;
  if (!where) return NULL;
  if (t->is_lent || t->n_buffers > 0)
    return PyErr_Format(PyExc_BufferError, "the tile is lent already");
  const tsr_array x = ((tpy_array *)t->x)->handle;
  if (t->writable && !tpy_drop_sources(x)) return NULL;
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = tsr_local_at(where, x, t->halo, t->writable, &t->tile);
  tpy_wait_end(thread);
  if (status < 0) return tpy_raise();
  const tsr_dims shape = tsr_shape_at(where, x);
  for (int k = 0; k < shape.ndim; k++) {
    const int64_t lo = t->tile.lo[k], behind = shape.n[k] - lo - t->tile.n[k];
    const bool is_empty = t->tile.data == NULL;
    t->before[k] = is_empty ? 0 : (Py_ssize_t)(lo < t->halo[k] ? lo : t->halo[k]);
    t->after[k] = is_empty ? 0 : (Py_ssize_t)(behind < t->halo[k] ? behind : t->halo[k]);
  }
  t->is_lent = true;
  t->serial = tpy_tile_serial();
  Py_INCREF(self);
  return self;
}

/* Ends the lending at the next call. */
static void end_late(lent_tile *t)
{
  tpy_drop_tile(t->serial, &t->tile);
  t->tile.of = tsr_null();
  t->is_lent = t->is_late = false;
}

static PyObject *tile_exit(PyObject *self, PyObject *args)
{
  lent_tile *t = (lent_tile *)self;
  const tsr_location *where = tpy_enter() ? tpy_site("local") : NULL;
  if (!where) return NULL;
  if (!t->is_lent) Py_RETURN_NONE;
  t->is_lent = false;
  if (t->n_buffers > 0) {
    t->is_late = true;
    /* An exception of the block goes on: its frames hold buffers until it is handled. */
    if (PyTuple_GET_SIZE(args) > 0 && PyTuple_GET_ITEM(args, 0) != Py_None) Py_RETURN_FALSE;
    return PyErr_Format(
        PyExc_BufferError,
        "%zd buffer(s) of the tile outlive its block, and the array stays lent until "
        "they are released: `del` what np.asarray(tile) and memoryview(tile) gave",
        t->n_buffers);
  }
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = tsr_local_end(&t->tile);
  tpy_wait_end(thread);
  if (status < 0) return tpy_raise();
  Py_RETURN_FALSE;
}

static int tile_buffer_get(PyObject *self, Py_buffer *view, int flags)
{
  static char nothing;
  lent_tile *t = (lent_tile *)self;
  view->obj = NULL;
  if (!is_lent(t)) return -1;
  if ((flags & PyBUF_WRITABLE) && !t->writable) {
    PyErr_SetString(PyExc_BufferError, "the tile is lent to be read: x.local(writable=True)");
    return -1;
  }
  if ((flags & PyBUF_STRIDES) != PyBUF_STRIDES) {
    PyErr_SetString(PyExc_BufferError, "the tile is a buffer with strides");
    return -1;
  }
  tile_buffer *b = PyMem_RawCalloc(1, sizeof *b);
  if (!b) {
    PyErr_NoMemory();
    return -1;
  }
  const Py_ssize_t size = (Py_ssize_t)tpy_dtype_size(t->tile.dtype);
  Py_ssize_t n = 1;
  char *data = t->tile.data ? t->tile.data : &nothing;
  /* Without axes there is one element, which is another rank's: no elements are an axis of length
   * 0. */
  const bool is_elsewhere = t->tile.ndim == 0 && t->tile.data == NULL;
  if (is_elsewhere) b->strides[0] = size, n = 0;
  for (int k = 0; k < t->tile.ndim; k++) {
    b->lengths[k] = t->before[k] + (Py_ssize_t)t->tile.n[k] + t->after[k];
    b->strides[k] = t->tile.data ? (Py_ssize_t)t->tile.stride_bytes[k] : size;
    if (t->tile.data) data -= t->before[k] * b->strides[k];
    n *= b->lengths[k];
  }
  *view = (Py_buffer){
      .buf = data,
      .obj = self,
      .len = n * size,
      .itemsize = size,
      .readonly = !t->writable,
      .ndim = is_elsewhere ? 1 : t->tile.ndim,
      .format = flags & PyBUF_FORMAT ? (char *)(uintptr_t)tpy_dtype_format(t->tile.dtype) : NULL,
      .shape = b->lengths,
      .strides = b->strides,
      .internal = b};
  t->n_buffers++;
  Py_INCREF(self);
  return 0;
}

static void tile_buffer_release(PyObject *self, Py_buffer *view)
{
  lent_tile *t = (lent_tile *)self;
  if (--t->n_buffers == 0 && t->is_late) end_late(t);
  PyMem_RawFree(view->internal);
}

static void tile_dealloc(PyObject *self)
{
  PyTypeObject *type = Py_TYPE(self);
  lent_tile *t = (lent_tile *)self;
  if (t->is_lent || t->is_late) end_late(t);
  Py_XDECREF(t->x);
  PyObject_Free(self);
  Py_DECREF(type);
}

static PyObject *numbers(const lent_tile *t, Py_ssize_t (*number)(const lent_tile *t, int k))
{
  if (!is_lent(t)) return NULL;
  PyObject *tuple = PyTuple_New(t->tile.ndim);
  for (int k = 0; tuple && k < t->tile.ndim; k++) {
    PyObject *n = PyLong_FromSsize_t(number(t, k));
    if (!n) Py_CLEAR(tuple);
    if (n) PyTuple_SET_ITEM(tuple, k, n);
  }
  return tuple;
}

static Py_ssize_t origin_of(const lent_tile *t, int k)
{
  return (Py_ssize_t)t->tile.lo[k];
}

static Py_ssize_t length_of(const lent_tile *t, int k)
{
  return (Py_ssize_t)t->tile.n[k];
}

static PyObject *get_origin(PyObject *self, void *none)
{
  (void)none;
  return numbers((lent_tile *)self, origin_of);
}

static PyObject *get_shape(PyObject *self, void *none)
{
  (void)none;
  return numbers((lent_tile *)self, length_of);
}

static Py_ssize_t before_of(const lent_tile *t, int k)
{
  return t->before[k];
}

static Py_ssize_t after_of(const lent_tile *t, int k)
{
  return t->after[k];
}

static PyObject *get_halo(PyObject *self, void *none)
{
  (void)none;
  PyObject *before = numbers((lent_tile *)self, before_of);
  PyObject *after = before ? numbers((lent_tile *)self, after_of) : NULL;
  PyObject *pair = after ? PyTuple_Pack(2, before, after) : NULL;
  Py_XDECREF(before);
  Py_XDECREF(after);
  return pair;
}

static PyObject *get_inner(PyObject *self, void *none)
{
  (void)none;
  const lent_tile *t = (lent_tile *)self;
  if (!is_lent(t)) return NULL;
  PyObject *tuple = PyTuple_New(t->tile.ndim);
  for (int k = 0; tuple && k < t->tile.ndim; k++) {
    PyObject *start = PyLong_FromSsize_t(t->before[k]);
    PyObject *stop = PyLong_FromSsize_t(t->before[k] + (Py_ssize_t)t->tile.n[k]);
    PyObject *slice = start && stop ? PySlice_New(start, stop, NULL) : NULL;
    Py_XDECREF(start);
    Py_XDECREF(stop);
    if (!slice) Py_CLEAR(tuple);
    if (slice) PyTuple_SET_ITEM(tuple, k, slice);
  }
  return tuple;
}

static PyObject *get_dtype(PyObject *self, void *none)
{
  (void)none;
  const lent_tile *t = (lent_tile *)self;
  return is_lent(t) ? tpy_dtype_object(t->tile.dtype) : NULL;
}

static PyGetSetDef attributes[] = {
    {"origin", get_origin, NULL, "The index of the tile's first element in the array.", NULL},
    {"shape", get_shape, NULL, "The lengths of the tile, without its halo.", NULL},
    {"halo", get_halo, NULL, "How many elements lie before and behind the tile along each axis.",
     NULL},
    {"inner", get_inner, NULL, "The slices of the buffer that are the tile without its halo.",
     NULL},
    {"dtype", get_dtype, NULL, "The dtype of the elements.", NULL},
    {0}};

static PyMethodDef methods[] = {
    {"__enter__", tile_enter, METH_NOARGS, NULL}, {"__exit__", tile_exit, METH_VARARGS, NULL}, {0}};

static PyType_Slot slots[] = {{Py_tp_dealloc, tile_dealloc},
                              {Py_tp_getset, attributes},
                              {Py_tp_methods, methods},
                              {Py_bf_getbuffer, tile_buffer_get},
                              {Py_bf_releasebuffer, tile_buffer_release},
                              {0, NULL}};

bool tpy_local_init(PyObject *module)
{
  PyType_Spec spec = {.name = "tessera.LocalTile",
                      .basicsize = sizeof(lent_tile),
                      .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                      .slots = slots};
  tpy.tile_type = (PyTypeObject *)PyType_FromSpec(&spec);
  return tpy.tile_type &&
         PyModule_AddObjectRef(module, "LocalTile", (PyObject *)tpy.tile_type) == 0;
}

PyObject *tpy_local(PyObject *self, PyObject *args, PyObject *names)
{
  static char *keywords[] = {"halo", "writable", NULL};
  PyObject *halo = NULL;
  int writable = 0;
  if (!PyArg_ParseTupleAndKeywords(args, names, "|Op", keywords, &halo, &writable) || !tpy_enter())
    return NULL;
  const int ndim = tsr_ndim_at(&tpy_attribute, ((tpy_array *)self)->handle);
  int64_t widths[TSR_MAX_NDIM] = {0};
  const int n = halo && halo != Py_None ? tpy_numbers(halo, TSR_MAX_NDIM, widths) : 0;
  if (n < 0) return NULL;
  if (n > 1 && n != ndim)
    return PyErr_Format(PyExc_ValueError, "the halo has %d widths, the array %d axes", n, ndim);
  lent_tile *t = PyObject_New(lent_tile, tpy.tile_type);
  if (!t) return NULL;
  memset((char *)t + sizeof(PyObject), 0, sizeof *t - sizeof(PyObject));
  Py_INCREF(self);
  t->x = self;
  t->writable = writable;
  const bool is_one = n == 1 && !tpy_is_list(halo);
  for (int k = 0; k < ndim; k++) t->halo[k] = is_one ? widths[0] : widths[k];
  if (n == 1 && !is_one && ndim != 1) {
    Py_DECREF(t);
    return PyErr_Format(PyExc_ValueError, "the halo has 1 width, the array %d axes", ndim);
  }
  return (PyObject *)t;
}
