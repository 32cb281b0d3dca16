/* The session: one context for the interpreter, opened at the first use and closed at exit.
 *
 * Every array of the program lies in one block scope, so that values that have names stay deferred
 * as temporaries do. An object that dies leaves its handle in a list; the next call releases the
 * list in the order in which the objects were made. Sets and dictionaries drop their items in the
 * order of addresses, which differ between ranks; between two calls the order has no other
 * meaning. */
#include "binding.h"

tpy_state tpy;
const tsr_location tpy_attribute = {.op = "attribute"};

/* The number of none. */
#define NO_THREAD (~0UL)

static const tsr_location session_location = {.op = "the program"},
                          release_location = {.op = "del"};

static int by_serial(const void *a, const void *b)
{
  const tpy_dropped *x = a, *y = b;
  return (x->serial > y->serial) - (x->serial < y->serial);
}

/* Puts what was dropped into the order in which it was made. A statement drops few, and mostly in
 * that order. */
static void sort_dropped(void)
{
  enum { FEW = 16 };
  tpy_dropped *v = tpy.dropped;
  if (tpy.n_dropped > FEW) {
    qsort(v, tpy.n_dropped, sizeof *v, by_serial);
    return;
  }
  for (size_t i = 1; i < tpy.n_dropped; i++) {
    const tpy_dropped d = v[i];
    size_t at = i;
    for (; at > 0 && v[at - 1].serial > d.serial; at--) v[at] = v[at - 1];
    v[at] = d;
  }
}

/* False with the exception set if the end of a lent tile failed. */
static bool release_dropped(void)
{
  bool is_done = true;
  sort_dropped();
  for (size_t i = 0; i < tpy.n_dropped; i++) {
    tpy_dropped *d = &tpy.dropped[i];
    if (!d->lent) tsr_release_at(d->where, &d->handle);
    if (d->lent && tsr_local_end(d->lent) < 0) is_done = false;
    PyMem_RawFree(d->lent);
  }
  tpy.n_released += tpy.n_dropped;
  tpy.n_dropped = 0;
  if (!is_done) tpy_raise();
  return is_done;
}

/* The end of any scope is a point where the window may run; inside the session's scope nothing else
 * is. Calls and arrays are counted, so all ranks come here alike.
 *
 * A value that only has a name stays deferred at a flush point, and is stored where its operands
 * are written before the next one while the name still holds it. So a loop's turns are best cut
 * where no such values are held: in a function's body where it begins, with the fewest arrays
 * alive. Where there is no such point, as in a loop whose names hold values from turn to turn, they
 * are best cut before the write that comes after the longest run of other calls, when the names
 * hold new values and no operand of theirs is written yet. Both are learned between two flush
 * points. */
enum { EVERY = 64, AT_MOST = 512, RARE = 16 };

static bool flush_now(void)
{
  tpy.low_is_rare = tpy.n_low > 0 && tpy.n_low * RARE <= tpy.n_calls - tpy.n_seen;
  tpy.n_seen = tpy.n_calls;
  tpy.run = tpy.longest_run;
  tpy.low = tpy.lowest;
  tpy.longest_run = tpy.n_low = 0;
  tpy.lowest = tpy.n_arrays - tpy.n_released - tpy.n_dropped;
  tsr_scope scope = tsr_scope_open(&session_location);
  PyThreadState *thread = tpy_wait_begin();
  tsr_scope_close(&scope);
  tpy_wait_end(thread);
  if (tsr_last_error()[0] == 0) return true;
  tpy_raise();
  return false;
}

/* After releases. */
static bool flush_where_few_are_alive(void)
{
  const uint64_t alive = tpy.n_arrays - tpy.n_released - tpy.n_dropped;
  if (alive < tpy.lowest) tpy.lowest = alive;
  if (alive > tpy.low) return true;
  tpy.n_low++;
  const bool has_written = tpy.n_at_write > tpy.n_seen;
  return !tpy.low_is_rare || !has_written || tpy.n_calls - tpy.n_seen < EVERY || flush_now();
}

/* Is this the context's thread, which may be in a task's function? */
static bool is_owner(void)
{
  return (tpy.in_task ? tpy.in_task : tpy.thread) == PyThread_get_thread_ident();
}

/* An object may die in any thread that has the GIL, and of several ranks only those that die in the
 * thread of the context, by no collection of cycles, die alike. */
static bool dies_in_step(void)
{
  return tpy.n_ranks <= 1 || (is_owner() && tpy.n_unaligned == 0);
}

static bool drop(tpy_dropped what)
{
  if (tpy.n_dropped == tpy.dropped_capacity) {
    const size_t capacity = tpy.dropped_capacity ? 2 * tpy.dropped_capacity : 64;
    tpy_dropped *grown = PyMem_RawRealloc(tpy.dropped, capacity * sizeof *grown);
    if (!grown) return false;
    tpy.dropped = grown;
    tpy.dropped_capacity = capacity;
  }
  tpy.dropped[tpy.n_dropped++] = what;
  return true;
}

/* Where the program lets an array go: an error says it if the ranks do not do so alike. */
static const tsr_location *location_of_drop(void)
{
  if (tpy.n_ranks <= 1) return &release_location;
  PyObject *type, *value, *trace; /* objects also die while an exception is on its way */
  PyErr_Fetch(&type, &value, &trace);
  const tsr_location *where = tpy_site(release_location.op);
  PyErr_Restore(type, value, trace);
  return where ? where : &release_location;
}

void tpy_drop(tpy_array *x)
{
  if (!tsr_ok(x->handle) || !tpy.context) return;
  if (dies_in_step())
    drop((tpy_dropped){.serial = x->serial, .handle = x->handle, .where = location_of_drop()});
  else
    tsr_release_later(tpy.context, x->handle);
}

void tpy_drop_tile(uint64_t serial, const tsr_local_tile *tile)
{
  /* The end of a tile is written values: ranks do it alike, or an error says so. */
  if (!tpy.context || (tpy.n_ranks > 1 && !is_owner())) return;
  tsr_local_tile *lent = PyMem_RawMalloc(sizeof *lent);
  if (!lent) return;
  *lent = *tile;
  if (drop((tpy_dropped){.serial = serial, .lent = lent}))
    tpy.n_released--; /* the tile counted as no array while it was lent */
  else
    PyMem_RawFree(lent);
}

/* Do strings have other hashes on another rank? Collective. */
static bool hashes_differ(void)
{
  PyObject *word = PyUnicode_FromString("tessera");
  const int64_t hash = word ? (int64_t)PyObject_Hash(word) : 0;
  const tsr_dims shape = {.ndim = 1, .n = {tpy.n_ranks}};
  const tsr_host_tile mine = {.lo = {tsr_rank()}, .n = {1}, .data = &hash};
  Py_XDECREF(word);
  int64_t span;
  Py_BEGIN_ALLOW_THREADS;
  tsr_array all = tsr_from_tiles_at(&session_location, 1, &mine, TSR_INT64, shape, 0, NULL);
  tsr_array ptp = tsr_ptp_at(&session_location, tsr_box_array(all), 0, NULL);
  span = tsr_item_i64_at(&session_location, tsr_box_array(ptp));
  tsr_release_at(&session_location, &ptp);
  tsr_release_at(&session_location, &all);
  Py_END_ALLOW_THREADS;
  return span != 0;
}

/* Of the context's thread alone: what dies in another one is never in step. */
static void count_unaligned(int by)
{
  if (!tpy.thread || is_owner()) tpy.n_unaligned += by;
}

/* unaligned(by): where the sum of `by` is above 0, arrays die at other times on other ranks. */
static PyObject *unaligned(PyObject *module, PyObject *by)
{
  (void)module;
  const long n = PyLong_AsLong(by);
  if (n == -1 && PyErr_Occurred()) return NULL;
  count_unaligned((int)n);
  Py_RETURN_NONE;
}

/* collecting(phase, info): the collector of cycles begins or ends. What is a cycle by then, and in
 * which generation it is, may differ between ranks. */
static PyObject *collecting(PyObject *module, PyObject *args)
{
  (void)module;
  const char *phase;
  PyObject *info;
  if (!PyArg_ParseTuple(args, "sO", &phase, &info)) return NULL;
  count_unaligned(strcmp(phase, "start") == 0 ? 1 : -1);
  Py_RETURN_NONE;
}

static PyMethodDef collecting_def = {"collecting", collecting, METH_VARARGS, NULL};

static bool watch_collector(void)
{
  PyObject *gc = PyImport_ImportModule("gc");
  PyObject *callbacks = gc ? PyObject_GetAttrString(gc, "callbacks") : NULL;
  PyObject *watch = callbacks ? PyCFunction_New(&collecting_def, NULL) : NULL;
  const bool is_watched = watch && PyList_Append(callbacks, watch) == 0;
  Py_XDECREF(watch);
  Py_XDECREF(callbacks);
  Py_XDECREF(gc);
  return is_watched;
}

/* Opens the session; comm: an MPI_Comm to join, or NULL. */
static bool session_open(void *comm)
{
  if (tpy.was_opened) {
    PyErr_SetString(PyExc_RuntimeError,
                    "Tessera has ended (tessera.finalize): arrays cannot be used any more");
    return false;
  }
  tsr_status status;
  /* The others that come while the GIL is released find the owner. */
  tpy.thread = PyThread_get_thread_ident();
  tpy.is_opening = true;
  Py_BEGIN_ALLOW_THREADS;
  status = comm ? tsr_init_comm(comm) : tsr_init(NULL, NULL);
  Py_END_ALLOW_THREADS;
  tpy.is_opening = false;
  if (status < 0) {
    tpy.thread = 0;
    PyErr_SetString(PyExc_RuntimeError, "Tessera did not start; the reason is on stderr");
    return false;
  }
  tsr_set_error_mode(TSR_ERRORS_RETURN);
  tpy.was_opened = true;
  tpy.n_ranks = tsr_n_ranks();
  tpy.scope = tsr_scope_open(&session_location);
  tpy_interrupts_begin();
  /* The cyclic collector runs when so many objects were made, which differs between ranks. */
  if (tpy.n_ranks > 1) PyGC_Disable();
  if (tpy.n_ranks > 1 && !watch_collector()) return false;
  tpy.hashes_differ = tpy.n_ranks > 1 && hashes_differ();
  return true;
}

/* Collects cycles up to a generation. Is called at places of the program where all ranks are. */
static void collect_cycles(int generation)
{
  PyObject *gc = PyImport_ImportModule("gc");
  PyObject *n = gc ? PyObject_CallMethod(gc, "collect", "i", generation) : NULL;
  if (!n) PyErr_WriteUnraisable(gc);
  Py_XDECREF(n);
  Py_XDECREF(gc);
}

bool tpy_enter_slowly(bool collects)
{
  if (!tpy.thread) return session_open(NULL);
  if (tpy.is_forked) {
    PyErr_SetString(PyExc_RuntimeError,
                    "Tessera cannot be used in a process that was forked while it was in use; "
                    "use the start method 'spawn'");
    return false;
  }
  if (tpy.in_task) {
    PyErr_SetString(PyExc_RuntimeError,
                    "Tessera is called while a task's function runs, which must not do so: it runs "
                    "in the middle of another "
                    "call; compute what it needs before, and give it as an input or as data=");
    return false;
  }
  if (tpy.thread != PyThread_get_thread_ident()) {
    PyErr_SetString(PyExc_RuntimeError,
                    "Tessera belongs to the thread that used it first; another thread calls it");
    return false;
  }
  enum { OF_FIRST = 16, OF_SECOND = 16 };
  const uint64_t k = tpy.n_calls / TPY_COLLECT_EVERY;
  if (collects && tpy.n_ranks > 1)
    collect_cycles(k % OF_FIRST != 0 ? 0 : k % (OF_FIRST * OF_SECOND) != 0 ? 1 : 2);
  return release_dropped() && flush_where_few_are_alive();
}

bool tpy_drop_sources(tsr_array copy)
{
  if (!tsr_stands_for_view(copy)) return true;
  if (tpy.n_dropped > 0 && !release_dropped()) return false;
  if (!tsr_stands_for_view(copy)) return true;
  collect_cycles(2);
  if (!tpy.thread) return session_open(NULL); /* an object's end has ended the session: an error */
  if (tpy.n_ranks > 1) {                      /* which agree on what is released */
    PyThreadState *thread = tpy_wait_begin();
    const tsr_status status = tsr_barrier_at(&release_location);
    tpy_wait_end(thread);
    if (status < 0) {
      tpy_raise();
      return false;
    }
  }
  return release_dropped();
}

void tpy_task_begin(void)
{
  tpy.in_task = tpy.thread;
  tpy.thread = NO_THREAD;
}

void tpy_task_end(void)
{
  tpy.thread = tpy.in_task;
  tpy.in_task = 0;
}

PyObject *tpy_raise(void)
{
  if (PyErr_Occurred()) return NULL;
  PyObject *text =
      PyUnicode_DecodeUTF8(tsr_last_error(), (Py_ssize_t)strlen(tsr_last_error()), "replace");
  const tsr_status status = tsr_take_error(NULL, 0);
  if (!text) return NULL;
  if (status == TSR_OK) {
    PyErr_SetString(PyExc_RuntimeError, "an operation of Tessera failed without a text");
  } else {
    PyObject *error = tpy.error ? PyObject_CallFunction(tpy.error, "iO", (int)status, text)
                                : PyObject_CallFunctionObjArgs(PyExc_RuntimeError, text, NULL);
    if (error) PyErr_SetObject((PyObject *)Py_TYPE(error), error);
    Py_XDECREF(error);
  }
  Py_DECREF(text);
  return NULL;
}

PyObject *tpy_done(tsr_status status)
{
  if (status < 0) return tpy_raise();
  Py_RETURN_NONE;
}

bool tpy_flush_point(tsr_array written)
{
  if (!tpy_drop_sources(written)) return false;
  tpy.n_mask_writes += tsr_dtype_of_at(&tpy_attribute, written) == TSR_BOOL;
  const uint64_t run = tpy.n_calls - tpy.n_at_write, n_calls = tpy.n_calls - tpy.n_seen;
  tpy.n_at_write = tpy.n_calls;
  if (run > tpy.longest_run) tpy.longest_run = run;
  if (n_calls < EVERY || (n_calls < AT_MOST && (tpy.low_is_rare || run < tpy.run))) return true;
  return flush_now();
}

static PyObject *finalize(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  if (!tpy.thread || tpy.is_forked) Py_RETURN_NONE;
  if (!tpy_enter()) return NULL;
  tsr_take_error(NULL, 0);
  tsr_status status;
  tpy.context = NULL; /* before others may run, who let arrays go */
  PyThreadState *thread = tpy_wait_begin();
  tsr_scope_close(&tpy.scope);
  status = tsr_finalize();
  tpy_wait_end(thread);
  tpy_interrupts_end();
  tpy.thread = 0;
  tpy.n_dropped = 0;
  if (status < 0)
    return PyErr_Format(PyExc_RuntimeError, "Tessera ended with the status %d", status);
  Py_RETURN_NONE;
}

/* init(address): address of an MPI_Comm, or 0. */
static PyObject *init(PyObject *module, PyObject *address)
{
  (void)module;
  void *comm = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred()) return NULL;
  if (comm && tpy.thread)
    return PyErr_Format(PyExc_RuntimeError,
                        "Tessera has started already: tessera.init(comm) comes before everything "
                        "that uses arrays or asks for ranks");
  if (comm ? !session_open(comm) : !tpy_enter()) return NULL;
  Py_RETURN_NONE;
}

static PyObject *is_open(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return PyBool_FromLong(tpy.thread != 0 && !tpy.is_opening);
}

static PyObject *forked(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  tpy.is_forked = tpy.thread != 0;
  tpy.context = NULL; /* an interrupt of the child is its own */
  tpy.is_waiting = 0; /* another thread may have forked while the owner waited */
  tpy.thread = tpy.is_forked ? NO_THREAD : 0;
  Py_RETURN_NONE;
}

static PyObject *has_other_hashes(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return PyBool_FromLong(tpy.hashes_differ);
}

static PyObject *rank(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return tpy_look() ? PyLong_FromLong(tsr_rank()) : NULL;
}

static PyObject *n_ranks(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return tpy_look() ? PyLong_FromLong(tsr_n_ranks()) : NULL;
}

static PyObject *n_passes(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return tpy_look() ? PyLong_FromUnsignedLongLong(tsr_n_passes()) : NULL;
}

static PyObject *n_mask_writes(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return PyLong_FromUnsignedLongLong(tpy.n_mask_writes);
}

static PyObject *wait_for(tsr_status (*call)(const tsr_location *), const char *op)
{
  if (!tpy_enter()) return NULL;
  const tsr_location *where = tpy_site(op);
  if (!where) return NULL;
  tsr_status status;
  PyThreadState *thread = tpy_wait_begin();
  status = call(where);
  tpy_wait_end(thread);
  return tpy_done(status);
}

static PyObject *flush(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return wait_for(tsr_flush_at, "flush");
}

static PyObject *barrier(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  return wait_for(tsr_barrier_at, "barrier");
}

static PyObject *now(PyObject *module, PyObject *none)
{
  (void)module, (void)none;
  if (!tpy_enter()) return NULL;
  const tsr_location *where = tpy_site("time");
  return where ? PyFloat_FromDouble(tsr_time_at(where)) : NULL;
}

/* set(error, select, store, selection, of_selections, package): what the Python files give the
 * module. */
static PyObject *set(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject **const to[] = {&tpy.error,     &tpy.select,        &tpy.store,
                           &tpy.selection, &tpy.of_selections, &tpy.package};
  enum { N = sizeof to / sizeof *to };
  if (PyTuple_GET_SIZE(args) != N)
    return PyErr_Format(PyExc_TypeError, "set takes %d objects", (int)N);
  for (int k = 0; k < N; k++) *to[k] = Py_NewRef(PyTuple_GET_ITEM(args, k));
  Py_RETURN_NONE;
}

PyMethodDef tpy_session_methods[] = {
    {"finalize", finalize, METH_NOARGS,
     "Release every array and end Tessera. Called at exit. Collective."},
    {"init", init, METH_O, NULL},
    {"is_open", is_open, METH_NOARGS, NULL},
    {"hashes_differ", has_other_hashes, METH_NOARGS, NULL},
    {"forked", forked, METH_NOARGS, NULL},
    {"unaligned", unaligned, METH_O, NULL},
    {"n_mask_writes", n_mask_writes, METH_NOARGS, NULL},
    {"rank", rank, METH_NOARGS, "The number of this rank."},
    {"n_ranks", n_ranks, METH_NOARGS, "The number of ranks."},
    {"n_passes", n_passes, METH_NOARGS,
     "How many passes over memory this rank's operations have taken so far."},
    {"flush", flush, METH_NOARGS, "Run all recorded operations now and wait. Collective."},
    {"barrier", barrier, METH_NOARGS,
     "Run all recorded operations, then wait for all ranks. Collective."},
    {"time", now, METH_NOARGS,
     "Seconds on rank 0's clock, the same value on every rank. Collective."},
    {"set", set, METH_VARARGS, NULL},
    {0}};
