/* Call sites: a site is an instruction of a code object and an operation, which tells two
 * operations on one line apart. Its record lives as long as the process, and holds its code object,
 * so that no other code gets its address. Code of the package itself is no site: its caller is. */
#include "binding.h"

typedef struct site {
  PyCodeObject *code;
  int at;
  const char *op;
  const tsr_location *where; /* NULL: the code is the package's */
} site;

static struct {
  site *v;
  size_t n, capacity; /* capacity: a power of two */
} sites;

static size_t hash_of(const PyCodeObject *code, int at, const char *op)
{
  const uint64_t h = ((uint64_t)(uintptr_t)code >> 4) * 0x9e3779b97f4a7c15u +
                     (uint64_t)at * 0xc2b2ae3d27d4eb4fu +
                     ((uint64_t)(uintptr_t)op) * 0x165667b19e3779f9u;
  return (size_t)(h ^ h >> 29);
}

static site *find(const PyCodeObject *code, int at, const char *op)
{
  const size_t mask = sites.capacity - 1;
  size_t i = hash_of(code, at, op) & mask;
  while (sites.v[i].code && (sites.v[i].code != code || sites.v[i].at != at || sites.v[i].op != op))
    i = (i + 1) & mask;
  return &sites.v[i];
}

static bool grow(void)
{
  site *old = sites.v;
  const size_t n = sites.capacity;
  site *v = PyMem_RawCalloc(n ? 2 * n : 256, sizeof *v);
  if (!v) return false;
  sites.v = v;
  sites.capacity = n ? 2 * n : 256;
  for (size_t i = 0; i < n; i++)
    if (old[i].code) *find(old[i].code, old[i].at, old[i].op) = old[i];
  PyMem_RawFree(old);
  return true;
}

static char *text_of(PyObject *o)
{
  Py_ssize_t n;
  const char *s = PyUnicode_AsUTF8AndSize(o, &n);
  if (!s) {
    PyErr_Clear();
    s = "?", n = 1;
  }
  char *copy = PyMem_RawMalloc((size_t)n + 1);
  if (copy) memcpy(copy, s, (size_t)n + 1);
  return copy;
}

static bool is_of_package(const PyCodeObject *code)
{
  return tpy.package &&
         PyUnicode_Tailmatch(code->co_filename, tpy.package, 0, PY_SSIZE_T_MAX, -1) == 1;
}

static const tsr_location *record(PyFrameObject *frame, const PyCodeObject *code, const char *op)
{
  tsr_location *made = PyMem_RawMalloc(sizeof *made);
  if (!made) return NULL;
  *made = (tsr_location){.file = text_of(code->co_filename),
                         .function = text_of(code->co_name),
                         .line = PyFrame_GetLineNumber(frame),
                         .op = op,
                         .args = ""};
  return made->file && made->function ? made : NULL;
}

const tsr_location *tpy_site(const char *op)
{
  if (!tpy.thread) { /* code of the program ended the session while its objects were converted */
    PyErr_SetString(PyExc_RuntimeError, "Tessera was ended (tessera.finalize) during this call");
    return NULL;
  }
  PyFrameObject *frame = PyEval_GetFrame();
  Py_XINCREF(frame);
  const tsr_location *where = NULL;
  while (frame && !where) {
    PyCodeObject *code = PyFrame_GetCode(frame);
    const int at = PyFrame_GetLasti(frame);
    if (2 * sites.n >= sites.capacity && !grow()) {
      Py_DECREF(code);
      break;
    }
    site *s = find(code, at, op);
    PyFrameObject *back = NULL;
    if (!s->code) {
      back = PyFrame_GetBack(frame);
      const bool skip = back && is_of_package(code);
      *s = (site){.code = code, .at = at, .op = op, .where = skip ? NULL : record(frame, code, op)};
      Py_INCREF(code);
      sites.n++;
      if (!skip && !s->where) {
        Py_DECREF(code), Py_DECREF(frame), Py_XDECREF(back);
        PyErr_NoMemory();
        return NULL;
      }
    }
    where = s->where;
    Py_DECREF(code);
    if (!where && !back) back = PyFrame_GetBack(frame);
    Py_DECREF(frame);
    if (where) {
      Py_XDECREF(back);
      return where;
    }
    frame = back;
  }
  Py_XDECREF(frame);
  static const tsr_location nowhere = {
      .op = "tessera", .file = "<embedded>", .function = "", .args = ""};
  return &nowhere;
}
