/* Pictures and the line of progress: the functions of tessera/output.h, whose options are
 * keywords. */
#include "binding.h"

#include <math.h>
#include <string.h>

enum { MOST_OPTIONS = 6 };

/* A number that may be None: then it is NaN. */
static bool number_or_none(PyObject *o, double *out)
{
  *out = o == Py_None ? (double)NAN : PyFloat_AsDouble(o);
  return *out != -1.0 || !PyErr_Occurred();
}

static bool colours_of(const char *name, double *out)
{
  static const char *const names[] = {"viridis", "grey", "diverging"};
  for (int i = 0; i < 3; i++)
    if (strcmp(name, names[i]) == 0) {
      *out = i;
      return true;
    }
  PyErr_Format(PyExc_ValueError, "colours are 'viridis', 'grey' or 'diverging', not '%s'", name);
  return false;
}

/** What Python's keywords say. */
typedef struct keywords {
  PyObject *vmin, *vmax, *colours, *scale, *title;
  int colorbar;
} keywords;

/* The options of the call; returns their number, or -1 with an exception. */
static int options_of(const keywords *k, tsr_drawing *options)
{
  double vmin, vmax, colours, scale;
  int n = 0;
  if (!number_or_none(k->vmin, &vmin) || !number_or_none(k->vmax, &vmax)) return -1;
  if (k->vmin != Py_None || k->vmax != Py_None) {
    options[n++] = tsr_drawing_of_number(vmin);
    options[n++] = tsr_drawing_of_number(vmax);
  }
  if (k->colours != Py_None) {
    const char *name = PyUnicode_AsUTF8(k->colours);
    if (!name || !colours_of(name, &colours)) return -1;
    options[n++] = tsr_drawing_make(TSR_DRAWING_COLOURS, colours, NULL);
  }
  if (k->scale != Py_None) {
    if (!number_or_none(k->scale, &scale)) return -1;
    options[n++] = TSR_SCALE(scale);
  }
  if (k->colorbar) options[n++] = TSR_COLORBAR;
  if (k->title != Py_None) {
    const char *text = PyUnicode_AsUTF8(k->title);
    if (!text) return -1;
    options[n++] = TSR_TITLE(text);
  }
  return n;
}

#define DRAWN(k) &(k).vmin, &(k).vmax, &(k).colours, &(k).scale, &(k).colorbar, &(k).title
#define NOTHING_DRAWN                                                                              \
  {                                                                                                \
    Py_None, Py_None, Py_None, Py_None, Py_None, 0                                                 \
  }

/* A call that does not fit is told how the function is called. */
static PyObject *wrong_call(const char *how)
{
  PyObject *type, *value, *trace;
  PyErr_Fetch(&type, &value, &trace);
  if (type && PyErr_GivenExceptionMatches(type, PyExc_TypeError)) {
    PyErr_Format(PyExc_TypeError, "%S: it is %s", value, how);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
  } else {
    PyErr_Restore(type, value, trace);
  }
  return NULL;
}

#define KEYWORDS "x, vmin=None, vmax=None, colours=None, scale=None, colorbar=False, title=None)"

static PyObject *save_png(PyObject *module, PyObject *args, PyObject *named)
{
  (void)module;
  static char *names[] = {"file",  "x",        "vmin",  "vmax", "colours",
                          "scale", "colorbar", "title", NULL};
  keywords k = NOTHING_DRAWN;
  tsr_drawing options[MOST_OPTIONS];
  tsr_operand x;
  PyObject *path, *of, *owned, *done = NULL;
  if (!tpy_enter()) return NULL;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O&O|OOOOpO:save_png", names, PyUnicode_FSConverter,
                                   &path, &of, DRAWN(k)))
    return wrong_call("save_png(file, " KEYWORDS);
  const int n = options_of(&k, options);
  const tsr_location *where = n >= 0 ? tpy_site("save_png") : NULL;
  if (where && tpy_any_operand(of, &x, &owned) > 0) {
    tsr_status status;
    PyThreadState *thread = tpy_wait_begin();
    status = tsr_save_png_at(where, x, PyBytes_AS_STRING(path), n, options);
    tpy_wait_end(thread);
    Py_XDECREF(owned);
    done = tpy_done(status);
  }
  Py_DECREF(path);
  return done;
}

static PyObject *picture(PyObject *module, PyObject *args, PyObject *named)
{
  (void)module;
  static char *names[] = {"x", "vmin", "vmax", "colours", "scale", "colorbar", "title", NULL};
  keywords k = NOTHING_DRAWN;
  tsr_drawing options[MOST_OPTIONS];
  tsr_operand x;
  PyObject *of, *owned;
  if (!tpy_enter()) return NULL;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|OOOOpO:picture", names, &of, DRAWN(k)))
    return wrong_call("picture(" KEYWORDS);
  const int n = options_of(&k, options);
  const tsr_location *where = n >= 0 ? tpy_site("picture") : NULL;
  if (!where || tpy_any_operand(of, &x, &owned) <= 0) return NULL;
  tsr_array made;
  PyThreadState *thread = tpy_wait_begin();
  made = tsr_picture_at(where, x, n, options);
  tpy_wait_end(thread);
  Py_XDECREF(owned);
  return tpy_wrap(made);
}

static PyObject *panels(PyObject *module, PyObject *args, PyObject *named)
{
  (void)module;
  static char *names[] = {"pictures", "columns", NULL};
  enum { MOST = 64 };
  PyObject *given, *list, *owned[MOST] = {NULL}, *made = NULL;
  tsr_array v[MOST];
  int columns = 0;
  Py_ssize_t i = 0;
  if (!tpy_enter()) return NULL;
  if (!PyArg_ParseTupleAndKeywords(args, named, "O|i:panels", names, &given, &columns)) return NULL;
  if (!(list = PySequence_Tuple(given))) return NULL;
  const Py_ssize_t n = PyTuple_GET_SIZE(list);
  const tsr_location *where = tpy_site("panels");
  if (n > MOST) {
    PyErr_Format(PyExc_ValueError, "at most %d pictures are put together", MOST);
  } else if (where) {
    for (; i < n && (owned[i] = tpy_as_array(PyTuple_GET_ITEM(list, i), -1)); i++)
      v[i] = ((tpy_array *)owned[i])->handle;
    if (i == n) {
      tsr_array all;
      PyThreadState *thread = tpy_wait_begin();
      all = tsr_panels_at(where, (tsr_arrays){.n = (int)n, .v = v}, columns);
      tpy_wait_end(thread);
      made = tpy_wrap(all);
    }
  }
  for (Py_ssize_t j = 0; j < i; j++) Py_XDECREF(owned[j]);
  Py_DECREF(list);
  return made;
}

static PyObject *load_png(PyObject *module, PyObject *args)
{
  (void)module;
  PyObject *path;
  if (!PyArg_ParseTuple(args, "O&:load_png", PyUnicode_FSConverter, &path)) return NULL;
  const tsr_location *where = tpy_enter() ? tpy_site("load_png") : NULL;
  PyObject *made = where ? tpy_wrap(tsr_load_png_at(where, PyBytes_AS_STRING(path))) : NULL;
  Py_DECREF(path);
  return made;
}

static PyObject *progress(PyObject *module, PyObject *args)
{
  (void)module;
  long long done, total;
  if (!PyArg_ParseTuple(args, "LL:progress", &done, &total)) return NULL;
  const tsr_location *where = tpy_look() ? tpy_site("progress") : NULL;
  if (!where) return NULL;
  tsr_progress_at(where, done, total);
  Py_RETURN_NONE;
}

PyMethodDef tpy_picture_methods[] = {
    {"save_png", TPY_FAST(save_png), METH_VARARGS | METH_KEYWORDS,
     "save_png(file, x, vmin=None, vmax=None, colours=None, scale=None, colorbar=False, "
     "title=None)\n--\n\n"
     "Write x as a PNG picture: numbers of two axes, or uint8 of shape (h, w, 3 or 4). colours: "
     "'viridis', 'grey' or "
     "'diverging'; scale: points of an element; colorbar: a bar with numbers."},
    {"picture", TPY_FAST(picture), METH_VARARGS | METH_KEYWORDS,
     "picture(x, vmin=None, vmax=None, colours=None, scale=None, colorbar=False, "
     "title=None)\n--\n\n"
     "What save_png writes, as an array: uint8 of shape (h, w, 3 or 4)."},
    {"panels", TPY_FAST(panels), METH_VARARGS | METH_KEYWORDS,
     "panels(pictures, columns=0)\n--\n\nSeveral pictures as one, in rows of so many (0: one "
     "row)."},
    {"load_png", load_png, METH_VARARGS,
     "load_png(file)\n--\n\nThe picture in a PNG file: uint8 of shape (h, w, 3 or 4)."},
    {"progress", progress, METH_VARARGS,
     "progress(done, total)\n--\n\nA line on rank 0's terminal: percent, steps a second, time "
     "left."},
    {0}};
