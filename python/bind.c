/* The parameters of a row, and the arguments of a call that they take: Python's objects become what
 * the text language gives. */
#include "call.h"

static size_t length_of_default(const char *text)
{
  const char *end = text;
  for (int depth = 0; *end && !(*end == ',' && depth == 0); end++)
    depth += (*end == '(') - (*end == ')');
  return (size_t)(end - text);
}

static bool is_text(const char *normal, const char *s)
{
  const size_t n = length_of_default(normal);
  return strlen(s) == n && memcmp(normal, s, n) == 0;
}

bool tpy_read_parameters(tpy_row *row)
{
  int n_indices = 0;
  bool by_position = true;
  row->n_rest = -1;
  for (const char *p = row->parameters; *p; p += strspn(p, ", ")) {
    if (*p == '/' || *p == '*') {
      for (int i = 0; *p == '/' && i < row->n_parameters; i++) row->p[i].by_name = false;
      by_position &= *p++ != '*';
      continue;
    }
    tpy_parameter *o = &row->p[row->n_parameters++];
    *o = (tpy_parameter){.kind = *p, .by_position = by_position, .by_name = true};
    p += 2;
    const size_t n = strcspn(p, "=,");
    o->name = PyUnicode_FromStringAndSize(p, (Py_ssize_t)n);
    if (!o->name) return false;
    PyUnicode_InternInPlace(&o->name);
    p += n;
    if (*p == '=') {
      o->normal = ++p;
      o->is_optional = true;
      p += length_of_default(p);
    }
    o->index = o->kind == '-' || o->kind == '0' ? -1 : n_indices++;
    if (o->kind == 'v' || o->kind == 'm') row->n_rest = row->n_parameters - 1;
    if (o->kind == 'v') by_position = false;
  }
  return n_indices <= TPY_TAKEN && row->n_parameters <= TPY_PARAMETERS;
}

/* Is the value the default that is written in the row? Arrays and other objects are none: their
 * text is not asked for. */
static bool is_normal(const tpy_parameter *p, PyObject *value)
{
  if (value == Py_None) return true;
  if (!p->normal || (!PyBool_Check(value) && !PyLong_CheckExact(value) &&
                     !PyFloat_CheckExact(value) && !PyUnicode_CheckExact(value)))
    return false;
  PyObject *repr = PyObject_Repr(value);
  const char *s = repr ? PyUnicode_AsUTF8(repr) : NULL;
  const bool same = s && is_text(p->normal, s);
  Py_XDECREF(repr);
  PyErr_Clear();
  return same;
}

static bool find_names(const tpy_row *row, PyObject *const *args, PyObject *names,
                       PyObject *values[])
{
  for (Py_ssize_t i = 0; names && i < PyTuple_GET_SIZE(names); i++) {
    PyObject *name = PyTuple_GET_ITEM(names, i);
    int k = 0;
    while (k < row->n_parameters && row->p[k].name != name) k++;
    if (k == row->n_parameters)
      for (k = 0; k < row->n_parameters && PyUnicode_Compare(row->p[k].name, name) != 0;) k++;
    if (k == row->n_parameters || !row->p[k].by_name) {
      PyErr_Format(PyExc_TypeError, "%s() has no keyword argument '%U'", row->name, name);
      return false;
    }
    if (values[k]) {
      PyErr_Format(PyExc_TypeError, "%s() got two values for '%U'", row->name, name);
      return false;
    }
    values[k] = args[i];
  }
  return true;
}

/* Does a Python function take what the row does not? */
static bool goes_on(tpy_arguments *c)
{
  return c->is_beyond = c->row->composed != NULL;
}

/* One, or as many as a list has: more than there is space for lie in an object that lives as long
 * as the call. */
static bool set_numbers(tpy_arguments *c, int k, PyObject *o)
{
  tsr_operand *to = c->g.numbers[k];
  to->kind = TSR_OPERAND_INT;
  PyObject *items = tpy_items(o); /* __index__ may change the list */
  if (!items) return !PyErr_Occurred() && tpy_number(o, &to->as.i);
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  if (n > TPY_NUMBERS) {
    PyObject *memory =
        n < INT32_MAX / 2 ? PyBytes_FromStringAndSize(NULL, n * (Py_ssize_t)sizeof *to) : NULL;
    if (!memory) {
      Py_DECREF(items);
      return PyErr_NoMemory() != NULL;
    }
    c->owned[c->n_owned++] = memory;
    c->g.v[k] = to = (tsr_operand *)(void *)PyBytes_AS_STRING(memory);
  }
  bool is_done = true;
  for (Py_ssize_t i = 0; i < n && is_done; i++) {
    to[i].kind = TSR_OPERAND_INT;
    is_done = tpy_number(PyTuple_GET_ITEM(items, i), &to[i].as.i);
  }
  c->g.n[k] = (int)n;
  c->g.tuples |= 1u << k;
  Py_DECREF(items);
  return is_done;
}

/* One number, a pair, or a list of pairs, in which one number in a list of its own counts twice. */
static bool set_widths(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  const int k = p->index;
  PyObject *items = tpy_is_list(o) ? PySequence_Tuple(o) : NULL; /* __index__ may change the list */
  if (!items) return !PyErr_Occurred() && set_numbers(c, k, o);
  const Py_ssize_t n = PyTuple_GET_SIZE(items);
  bool is_done = true;
  int n_lists = 0;
  c->g.n[k] = 0;
  for (Py_ssize_t i = 0; is_done && i < n; i++) {
    PyObject *item = PyTuple_GET_ITEM(items, i);
    int64_t pair[2];
    const int count = tpy_numbers(item, 2, pair);
    n_lists += tpy_is_list(item);
    is_done = count > 0 && c->g.n[k] + 2 <= TPY_NUMBERS;
    const int n_taken = tpy_is_list(item) ? 2 : 1;
    for (int j = 0; is_done && j < n_taken; j++)
      c->g.numbers[k][c->g.n[k]++] = tsr_box_int(pair[j < count ? j : 0]);
  }
  Py_DECREF(items);
  if (is_done && n > 0 && (n_lists == 0 ? n <= 2 : n_lists == n)) return true;
  if (!PyErr_Occurred())
    PyErr_Format(PyExc_ValueError, "%s(): %U is one number, a pair, or pairs for all axes",
                 c->row->name, p->name);
  return false;
}

static bool set_arrays(tpy_arguments *c, int k, PyObject *const *items, Py_ssize_t n)
{
  const tsr_location *where = tpy_site(c->row->name);
  if (n > TPY_NUMBERS) {
    c->list = PyMem_RawMalloc((size_t)n * sizeof *c->list);
    PyObject **owned = PyMem_RawMalloc((size_t)(n + TPY_NUMBERS + TPY_TAKEN) * sizeof *owned);
    if (!c->list || !owned) {
      PyMem_RawFree(owned);
      return PyErr_NoMemory() != NULL;
    }
    memcpy(owned, c->owned, (size_t)c->n_owned * sizeof *owned);
    c->owned = owned;
  }
  if (!where) return false;
  tsr_array *list = c->list ? c->list : c->few;
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *x = tpy_as_array(items[i], -1);
    if (!x) return false;
    c->owned[c->n_owned++] = x;
    list[i] = ((tpy_array *)x)->handle;
    if (i < TPY_NUMBERS) c->g.numbers[k][i] = tsr_box_array(list[i]);
  }
  c->g.arrays = (tsr_arrays){.n = (int)n, .v = list};
  c->g.n[k] = (int)n;
  return true;
}

static bool set_number(tpy_arguments *c, int k, PyObject *o)
{
  if (PyFloat_Check(o)) {
    c->g.numbers[k][0] = tsr_box_float(PyFloat_AS_DOUBLE(o));
    return true;
  }
  if (PyLong_Check(o)) return tpy_operand(o, &c->g.numbers[k][0]) > 0;
  if (PyIndex_Check(o)) { /* of another package, or an array, which may hold a float */
    PyObject *whole = PyNumber_Index(o);
    const bool is_set = whole && tpy_operand(whole, &c->g.numbers[k][0]) > 0;
    Py_XDECREF(whole);
    if (is_set || !PyErr_ExceptionMatches(PyExc_TypeError)) return is_set;
    PyErr_Clear();
  }
  const double value = PyFloat_AsDouble(o);
  c->g.numbers[k][0] = tsr_box_float(value);
  return value != -1 || !PyErr_Occurred();
}

/* What chooses are bools; numbers in lists become bools, those of arrays do not, as NumPy has
 * it. */
static bool check_mask(const tpy_arguments *c, PyObject *o, tsr_array x)
{
  if (tsr_dtype_of_at(&tpy_attribute, x) == TSR_BOOL || !PyObject_HasAttrString(o, "dtype"))
    return true;
  PyErr_Format(PyExc_TypeError, "%s(): where= takes bools, such as those of x != 0", c->row->name);
  return false;
}

/* A parameter without an index takes its default; of all functions also out= and the one device, of
 * elementwise ones where=, dtype= and casting=. */
static bool set_untaken(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  const char *name = PyUnicode_AsUTF8(p->name);
  if (!name) return false;
  if (is_normal(p, o)) return true;
  if (strcmp(name, "out") == 0) {
    if (PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
    if (c->row->calls && goes_on(c)) return false;
    c->out = o;
    if (tpy_is_array(o)) return true;
    if (goes_on(c)) return false;
    PyErr_Format(PyExc_TypeError, "%s(): out= takes an array of Tessera", c->row->name);
    return false;
  }
  if (strcmp(name, "device") == 0 && PyUnicode_Check(o) &&
      PyUnicode_CompareWithASCIIString(o, "cpu") == 0)
    return true;
  if (strcmp(name, "like") == 0 && tpy_is_array(o)) return true;
  if (c->row->map && strcmp(name, "casting") == 0) return tpy_casting_of(o, &c->casting);
  if (c->row->map && strcmp(name, "dtype") == 0) return tpy_dtype_of(o, &c->g.dtype);
  if (c->row->map && strcmp(name, "where") == 0) {
    c->mask = tpy_as_array(o, PyObject_HasAttrString(o, "dtype") ? -1 : (int)TSR_BOOL);
    if (!c->mask) return false;
    c->owned[c->n_owned++] = c->mask;
    return check_mask(c, o, ((tpy_array *)c->mask)->handle);
  }
  if (goes_on(c)) return false;
  PyObject *text = PyUnicode_CheckExact(o) || PyLong_CheckExact(o) || PyBool_Check(o)
                       ? PyObject_Repr(o)
                       : PyUnicode_FromFormat("(a %s)", Py_TYPE(o)->tp_name);
  if (text)
    PyErr_Format(PyExc_TypeError, "%s(): %U=%U is not there yet", c->row->name, p->name, text);
  Py_XDECREF(text);
  return false;
}

/* An array of a reduction's option: bools choose, and one number is the first. */
static bool check_option(const tpy_arguments *c, const tpy_parameter *p, PyObject *o, tsr_array x)
{
  if (PyUnicode_CompareWithASCIIString(p->name, "where") == 0) return check_mask(c, o, x);
  const int ndim = tsr_ndim_at(&tpy_attribute, x);
  if (ndim == 0 || PyUnicode_CompareWithASCIIString(p->name, "initial") != 0) return true;
  PyErr_Format(PyExc_ValueError, "%s(): initial= is one number, not an array of %d axes",
               c->row->name, ndim);
  return false;
}

/* What makes no difference, but that astype(copy=False) may be the array itself. */
static bool set_indifferent(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  if (o == Py_False) c->is_not_copied = true;
  if (PyUnicode_CompareWithASCIIString(p->name, "order") == 0 && o != Py_None) {
    const bool is_string = PyUnicode_Check(o);
    const char *order = is_string ? PyUnicode_AsUTF8(o) : "";
    if (!order) return false;
    if (strlen(order) != 1 || !strchr("CFAKcfak", *order)) {
      PyErr_Format(is_string ? PyExc_ValueError : PyExc_TypeError,
                   "an order is 'C', 'F', 'A' or 'K', not %R", o);
      return false;
    }
    c->is_column_major = *order == 'F' || *order == 'f';
  }
  return is_normal(p, o) || PyUnicode_CompareWithASCIIString(p->name, "copy") != 0 || !goes_on(c);
}

static bool set_operand(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  tsr_operand *x = &c->g.numbers[p->index][0];
  PyObject *owned;
  if (tpy_any_operand(o, x, &owned) < 0) return false;
  if (owned) c->owned[c->n_owned++] = owned;
  return x->kind != TSR_OPERAND_ARRAY || c->row->map || check_option(c, p, o, x->as.array);
}

/* The first text of a row is `string`, the second one `other`. */
static bool set_text(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  const char *name = tpy_ufunc_name(o);
  bool is_other = false;
  for (const tpy_parameter *before = c->row->p; before < p; before++)
    is_other |= before->kind == 's';
  if (!name) name = PyUnicode_AsUTF8(o);
  return (*(is_other ? &c->g.other : &c->g.string) = name) != NULL;
}

static bool set_list(tpy_arguments *c, int k, PyObject *o)
{
  PyObject *items = PySequence_Tuple(o); /* making an array of an item may change the list */
  if (!items) return false;
  const bool done = set_arrays(c, k, &PyTuple_GET_ITEM(items, 0), PyTuple_GET_SIZE(items));
  Py_DECREF(items);
  return done;
}

/* Sets a parameter to what is given for it, by its kind. */
static bool set_by_kind(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  const int k = p->index;
  tpy_given *g = &c->g;
  g->n[k] = 1;
  switch (p->kind) {
  case 'x':
  case 'q':
  case 'p':
    return set_operand(c, p, o);
  case 'a': {
    PyObject *x = tpy_as_array(o, -1);
    if (!x) return false;
    c->owned[c->n_owned++] = x;
    g->numbers[k][0] = tsr_box_array(((tpy_array *)x)->handle);
    return true;
  }
  case 'i':
  case 'j':
    if (PyTuple_Check(o) && PyTuple_GET_SIZE(o) == 1) o = PyTuple_GET_ITEM(o, 0);
    g->numbers[k][0].kind = TSR_OPERAND_INT;
    return tpy_number(o, &g->numbers[k][0].as.i);
  case 'f':
    if (!PyFloat_Check(o) && !PyLong_Check(o) && goes_on(c)) return false;
    return set_number(c, k, o);
  case 'b': {
    const int truth = PyObject_IsTrue(o);
    g->numbers[k][0] = tsr_box_bool(truth > 0);
    return truth >= 0;
  }
  case 's':
    return set_text(c, p, o);
  case 'n':
  case 'N':
  case 'm':
    return set_numbers(c, k, o);
  case 'w':
    if (set_widths(c, p, o)) return true;
    if (PyErr_ExceptionMatches(PyExc_TypeError))
      PyErr_Format(PyExc_TypeError, "%s(): %U takes whole numbers, not %R", c->row->name, p->name,
                   o);
    return false;
  default: /* l */
    return set_list(c, k, o);
  }
}

static bool set(tpy_arguments *c, const tpy_parameter *p, PyObject *o)
{
  if (p->kind == '0') return set_indifferent(c, p, o);
  if (p->kind == '-') return set_untaken(c, p, o);
  if (p->kind == 'd' || p->kind == 'D') return tpy_dtype_of(o, &c->g.dtype);
  if (o == Py_None && (p->kind == 'j' || p->kind == 'N')) {
    c->g.n[p->index] = 0;
    return true;
  }
  if (o == Py_None && p->normal && is_text(p->normal, "None")) return true;
  if (o == Py_True && p->kind == 'x' && p->normal && is_text(p->normal, "True")) return true;
  return set_by_kind(c, p, o);
}

static bool set_rest(tpy_arguments *c, const tpy_parameter *p)
{
  if (p->kind == 'v') return set_arrays(c, p->index, c->rest, c->n_rest);
  if (c->n_rest > TPY_NUMBERS) {
    PyErr_Format(PyExc_ValueError, "%s() takes at most %d numbers", c->row->name, TPY_NUMBERS);
    return false;
  }
  for (Py_ssize_t i = 0; i < c->n_rest; i++) {
    c->g.numbers[p->index][i].kind = TSR_OPERAND_INT;
    if (!tpy_number(c->rest[i], &c->g.numbers[p->index][i].as.i)) return false;
  }
  c->g.n[p->index] = (int)c->n_rest;
  return true;
}

bool tpy_bind(tpy_arguments *c, PyObject *self, PyObject *const *args, Py_ssize_t n,
              PyObject *names)
{
  const tpy_row *row = c->row;
  PyObject *values[TPY_PARAMETERS] = {NULL};
  int k = 0;
  if (self) values[k++] = self;
  Py_ssize_t i = 0;
  for (; i < n; i++, k++) {
    if (k == row->n_rest && (row->p[k].kind == 'v' || i + 1 < n)) { /* several are left */
      if (row->p[k].kind == 'v' || PyIndex_Check(args[i])) {
        c->rest = args + i;
        c->n_rest = n - i;
        break;
      }
    }
    if (k == row->n_parameters || !row->p[k].by_position) {
      if (goes_on(c)) return false; /* several out= by place, several arrays */
      PyErr_Format(PyExc_TypeError, "%s() takes at most %d positional arguments, not %zd",
                   row->name, k - !!self, n);
      return false;
    }
    values[k] = args[i];
  }
  if (!find_names(row, args + n, names, values)) return false;
  for (k = 0; k < TPY_TAKEN; k++) {
    c->g.v[k] = c->g.numbers[k];
    c->g.n[k] = -1;
  }
  for (k = 0; k < row->n_parameters; k++) {
    const tpy_parameter *p = &row->p[k];
    if (k == row->n_rest && (c->rest || p->kind == 'v')) {
      if (!set_rest(c, p)) return false;
    } else if (values[k]) {
      if (!set(c, p, values[k])) return false;
    } else if (!p->is_optional) {
      PyErr_Format(PyExc_TypeError, "%s() needs the argument '%U'", row->name, p->name);
      return false;
    } else if (row->map && p->kind == 'x' && goes_on(c)) { /* fewer operands than the row takes */
      return false;
    }
  }
  return true;
}
