/* The Python module: what its C files share.
 *
 * One interpreter has one context of Tessera, which belongs to the thread that used the module
 * first. What the module keeps is in one struct, `tpy`. Invariant: functions named tpy_* that
 * return a PyObject or a bool have set a Python exception when they return NULL or false; the GIL
 * is held but in tpy_wait_begin … tpy_wait_end. */
#ifndef TPY_BINDING_H
#define TPY_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <signal.h>

#include "tessera.h"

/** The most parameters of a function, and of those that are taken; the most numbers of one. */
enum { TPY_PARAMETERS = 16, TPY_TAKEN = 7, TPY_NUMBERS = 16 };

/** An array: one handle, which belongs to the session's scope and is released with the object.
 * `serial` counts objects: it is the same on every rank. */
typedef struct tpy_array {
  PyObject_HEAD tsr_array handle;
  uint64_t serial;
  PyObject *weak;
} tpy_array;

/** A dtype; there is one object for each. */
typedef struct tpy_dtype {
  PyObject_HEAD tsr_dtype dtype;
} tpy_dtype;

/** What an object that died held: an array, or the tile that it lent. */
typedef struct tpy_dropped {
  uint64_t serial;
  tsr_array handle;
  tsr_local_tile *lent;
  const tsr_location *where; /* of an array: where the program let it go */
} tpy_dropped;

/** What the module keeps. */
typedef struct tpy_state {
  PyTypeObject *array_type, *dtype_type, *tile_type, *ufunc_type;
  tpy_dtype *dtypes[TSR_N_DTYPES];
  PyObject *error;          /* called with a status and a text: the exception */
  PyObject *select, *store; /* what x[key] and x[key] = v call for keys that are no slices */
  PyObject *selection, *of_selections; /* the type of x[mask], and what a function of one calls */
  PyObject *package; /* folder of the Python files; calls made there count as their caller's */
  /* The session. */
  unsigned long thread; /* the only one that may make calls; 0: no session is open */
  /* That thread's number while a task's Python function may run, which makes no calls; `thread` is
   * no thread's then. Else 0. */
  unsigned long in_task;
  bool was_opened, is_forked, is_opening;
  int n_ranks;
  int n_unaligned;    /* collections of cycles and `with unaligned()` that are under way */
  bool hashes_differ; /* of strings, between ranks */
  tsr_scope scope;    /* holds every array of the program, so that named values stay deferred */
  uint64_t n_arrays;  /* array objects made so far */
  uint64_t n_calls, n_seen; /* calls so far, and at the last flush point */
  uint64_t n_at_write;      /* calls so far at the last write */
  /* the most calls between two writes, before the last flush point and since then */
  uint64_t run, longest_run;
  uint64_t n_released;  /* arrays released so far */
  uint64_t low, lowest; /* the fewest arrays alive, before the last flush point and since then */
  uint64_t n_low;       /* calls since the last flush point with no more arrays alive than `low` */
  bool low_is_rare;
  volatile sig_atomic_t is_waiting, n_interrupts; /* in a wait: how many of them came in it */
  bool is_first_rank;
  volatile sig_atomic_t asks_all; /* this rank asked all to be interrupted, and none was yet */
  volatile time_t answered_s; /* when all answered an interrupt that others asked for; 0: never */
  tsr_context *context;       /* the session's */
  uint64_t n_mask_writes;     /* writes to arrays of bools so far */
  tpy_dropped *dropped;       /* what objects that are gone held, to be released at the next call */
  size_t n_dropped, dropped_capacity;
} tpy_state;
extern tpy_state tpy;
/** The call site of what cannot fail: shapes and dtypes. */
extern const tsr_location tpy_attribute;

/* session.c */
/** Calls between two collections of the youngest cycles. */
enum { TPY_COLLECT_EVERY = 1 << 10 };
bool tpy_enter_slowly(bool collects);
/** Begin a call: opens the session, checks the thread, counts the call, releases what was
 * dropped. */
static inline bool tpy_enter(void)
{
  if (tpy.thread != PyThread_get_thread_ident()) return tpy_enter_slowly(false);
  const bool collects = ++tpy.n_calls % TPY_COLLECT_EVERY == 0;
  return collects || tpy.n_dropped ? tpy_enter_slowly(collects) : true;
}
/** Begin what a rank may ask where others do not, such as a shape: that counts as no call and
 * releases nothing, for calls decide where windows run. */
static inline bool tpy_look(void)
{
  return tpy.thread == PyThread_get_thread_ident() || tpy_enter();
}
void tpy_drop(tpy_array *x);
/** The lending of a tile ends at the next call. The serial number: tpy_tile_serial's. */
void tpy_drop_tile(uint64_t serial, const tsr_local_tile *tile);
static inline uint64_t tpy_tile_serial(void)
{
  tpy.n_released++; /* a number among those of the arrays, of which it is none */
  return tpy.n_arrays++;
}
/** The ranks agreed on an interrupt: Python answers it when the call returns. */
void tpy_interrupts_agreed(void);
/** Between the two the GIL is released, and Ctrl-C has to wait. */
static inline PyThreadState *tpy_wait_begin(void)
{
  tpy.n_interrupts = 0;
  tpy.is_waiting = 1;
  return PyEval_SaveThread();
}
static inline void tpy_wait_end(PyThreadState *thread)
{
  PyEval_RestoreThread(thread);
  tpy.is_waiting = 0;
  if (tpy.n_ranks > 1 && tsr_take_interrupt()) tpy_interrupts_agreed();
}
/** Between the two, calls are errors: a task's Python function may run. */
void tpy_task_begin(void);
void tpy_task_end(void);
/** Raise the context's first error. Returns NULL. */
PyObject *tpy_raise(void);
/** A write to an array comes next: a point where the window may run. */
bool tpy_flush_point(tsr_array written);
/** An array is to be written. If it is a copy that stands for a view, the cyclic collector runs
 * first, so that arrays that only garbage holds make no write an error. All ranks come here
 * alike. */
bool tpy_drop_sources(tsr_array copy);
/** None, or the error behind a status. */
PyObject *tpy_done(tsr_status status);

/* interrupt.c */
/** From the session's begin to its end, Ctrl-C in a wait says that it waits. */
void tpy_interrupts_begin(void);
void tpy_interrupts_end(void);

/* site.c */
/** The record of the call site in the program that runs, for the operation `op`, a static string.
 * NULL with the exception set: without memory, and where the session has ended. It is asked for
 * after the program's objects are converted, which runs code of the program. */
const tsr_location *tpy_site(const char *op);

/* dtype.c */
bool tpy_dtype_init(PyObject *module);
const char *tpy_dtype_name(tsr_dtype dtype);
/** The format of an item in a buffer. */
const char *tpy_dtype_format(tsr_dtype dtype);
size_t tpy_dtype_size(tsr_dtype dtype);
PyObject *tpy_dtype_object(tsr_dtype dtype);
/** The dtype that an object stands for; None is -1. */
bool tpy_dtype_of(PyObject *o, int *out);
/** The rule of a cast, by its name in NumPy. */
bool tpy_casting_of(PyObject *o, tsr_casting *out);
/** The dtype of an item of a buffer with this format; -1 if there is none. */
int tpy_dtype_of_format(const char *format, Py_ssize_t size);

/* convert.c */
/** Lists and tuples are nests of operands. What is called for their items may change a list: it is
 * walked by borrowed items only where nothing is called. */
static inline bool tpy_is_list(PyObject *o)
{
  return PyList_Check(o) || PyTuple_Check(o);
}
/** Is the object an operand as it stands: an array or a number of Python's? Returns 1, 0 or -1 with
 * an exception. */
int tpy_operand(PyObject *o, tsr_operand *out);
/** As tpy_operand, but makes an array of everything that can be one; *owned keeps it alive. */
int tpy_any_operand(PyObject *o, tsr_operand *out, PyObject **owned);
/** Does the object say that it takes no part in the operations of arrays: is its __array_ufunc__
 * None? */
bool tpy_keeps_out(PyObject *o);
/** An array object of what an object holds; `dtype` -1: its own. An array object is itself unless
 * the dtype differs. */
PyObject *tpy_as_array(PyObject *o, int dtype);
/** May a number of Python's be an element of the dtype, as NumPy allows it? -1: any. */
bool tpy_can_hold(int dtype, tsr_operand x);
bool tpy_number(PyObject *o, int64_t *out);
/** The items of a list, a range or an array with axes, as a tuple; NULL for other objects, or with
 * an exception. */
PyObject *tpy_items(PyObject *o);
/** Whole numbers, one or a sequence; returns their number, or -1. */
int tpy_numbers(PyObject *o, int most, int64_t *out);
/** A dense copy of the elements in `out`; waits. */
bool tpy_read(tpy_array *x, void *out);
PyObject *tpy_to_list(tpy_array *x);
PyObject *tpy_to_item(tpy_array *x);
/** As an array of NumPy's. */
PyObject *tpy_to_numpy(tpy_array *x, PyObject *dtype);
PyObject *tpy_to_bytes(tpy_array *x);

/* array.c */
bool tpy_array_init(PyObject *module);
static inline bool tpy_is_array(PyObject *o)
{
  return Py_TYPE(o) == tpy.array_type;
}
/** The object of a new array; the null handle raises. */
PyObject *tpy_wrap(tsr_array x);
PyObject *tpy_shape(tpy_array *x);

/* index.c */
PyObject *tpy_get(PyObject *x, PyObject *key);
int tpy_set(PyObject *x, PyObject *key, PyObject *value);
PyObject *tpy_view(PyObject *module, PyObject *const *args, Py_ssize_t n);

/* rows.c, bind.c, call.c */
/** What a call gives: as array/text/functions.h, for the same rows of the table. Indices number the
 * parameters that are taken. */
typedef struct tpy_given {
  const tsr_operand *v[TPY_TAKEN];
  int n[TPY_TAKEN];   /* number of values; -1: not given, or None */
  int dtype;          /* -1: not given */
  unsigned tuples;    /* bits of the parameters with a tuple, also of one value */
  const char *string; /* of the first parameter that is one */
  const char *other;  /* of the second */
  tsr_arrays arrays;  /* of a list of values */
  int n_results;
  tsr_operand numbers[TPY_TAKEN][TPY_NUMBERS];
} tpy_given;

typedef struct tpy_parameter {
  char kind;
  bool is_optional, by_position, by_name;
  int index;          /* among the parameters that are taken; -1: not taken */
  PyObject *name;     /* interned */
  const char *normal; /* text of the default; NULL: none */
} tpy_parameter;

/** A row of the table: how a function is called. */
typedef struct tpy_row {
  const char *name, *parameters, *doc;
  tsr_array (*map)(const tsr_location *where, int n, const tsr_operand *xs);
  tsr_array (*call)(const tsr_location *where, const tpy_given *g);
  int (*calls)(const tsr_location *where, const tpy_given *g, tsr_array *out);
  bool (*tells)(const tsr_location *where, const tpy_given *g);
  bool is_reshape, is_split, is_grid; /* calls whose results are treated in a way of their own */
  bool looks;                         /* one rank may ask it where others do not: tpy_look */
  bool is_ufunc;    /* of NumPy's: an object with methods of its own, no plain function */
  bool is_composed; /* a ufunc that is made of others: texts of kernels do not take it */
  bool is_of_ufunc; /* a method of ufuncs alone */
  int n_parameters;
  int n_rest; /* the parameter that takes all further positional arguments, or -1 */
  tpy_parameter p[TPY_PARAMETERS];
  /* the Python function that takes the arguments which the row does not; NULL: none */
  PyObject *composed;
} tpy_row;
bool tpy_call_init(PyObject *module);
/** compose(functions): a dictionary of the Python functions, by the names of the rows, that calls
 * go on to whose arguments are beyond the row. */
PyObject *tpy_compose(PyObject *module, PyObject *functions);
/** Call a row; `self`, if not NULL, is its first argument. */
PyObject *tpy_call(const tpy_row *row, PyObject *self, PyObject *const *args, Py_ssize_t n,
                   PyObject *names);

/* ufunc.c */
bool tpy_ufunc_init(PyObject *module);
/** The object of a row that is an elementwise function. */
PyObject *tpy_ufunc_new(const tpy_row *row);
/** The name of such a function; NULL: the object is none. */
const char *tpy_ufunc_name(PyObject *o);
/** Does such a function give several arrays? */
bool tpy_ufunc_has_several(PyObject *o);

/* lend.c */
int tpy_get_buffer(PyObject *self, Py_buffer *view, int flags);
void tpy_release_buffer(PyObject *self, Py_buffer *view);
PyObject *tpy_to_dlpack(PyObject *self, PyObject *args, PyObject *names);
PyObject *tpy_dlpack_device(PyObject *self, PyObject *none);
PyObject *tpy_from_capsule(PyObject *module, PyObject *capsule);
PyObject *tpy_from_tiles(PyObject *module, PyObject *args);
PyObject *tpy_bytes_on(PyObject *self, PyObject *number);
PyObject *tpy_lies_in_order(PyObject *self, PyObject *column_major);
PyObject *tpy_describe(PyObject *self, PyObject *none);

/* local.c */
bool tpy_local_init(PyObject *module);
PyObject *tpy_local(PyObject *self, PyObject *args, PyObject *names);

/* operators.c */
/** The exponent of a power of xs[0]: xs[1], or null with the error of negative powers of integers,
 * where NumPy refuses an element of xs[1] (of those that the mask chooses, if there is one). That
 * is read: it waits for an array of signed integers, where the power is one of integers. */
tsr_operand tpy_exponent(const tsr_location *where, const tsr_operand xs[2], tsr_array mask);
extern PyType_Slot tpy_operators[];

/* random.c */
extern PyMethodDef tpy_random_methods[];

/* pictures.c */
extern PyMethodDef tpy_picture_methods[];

/* series.c */
extern PyMethodDef tpy_series_methods[];

#define TPY_FAST(f) ((PyCFunction)(void (*)(void))(f))

#endif
