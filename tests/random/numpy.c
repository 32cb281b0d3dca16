/* NumPy as a judge: a batch of programs as one Python script, run in a process of its own while
 * Tessera runs the same programs. Host data goes through a file; so do the results: per program a
 * status, a length and that many bytes. */
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/base/error.h"

struct numpy_run {
  char dir[64];
  pid_t pid;
  int n;
  result *const *results;
  uint8_t *bytes; /* the output file */
  char (*texts)[400];
};

static const char prelude[] =
    "import sys, math, warnings\n"
    "import numpy as np\n"
    "from numpy.lib.stride_tricks import as_strided\n"
    "warnings.simplefilter('ignore')\n"
    "np.seterr(all='ignore')\n"
    "A = np.asarray\n"
    "DATA = open(sys.argv[1], 'rb').read()\n"
    "OUT = open(sys.argv[2], 'wb')\n"
    "parts = []\n"
    "def host(shape, dtype, offset):\n"
    "  n = 1\n"
    "  for k in shape: n *= k\n"
    "  return np.frombuffer(DATA, dtype, n, offset).reshape(shape).copy()\n"
    "def each(f):\n"
    "  g = np.vectorize(f, otypes=['float64'])\n"
    "  def h(x):\n"
    "    x = A(x)\n"
    "    y = g(x.astype('float64'))\n"
    "    return y.astype(np.sqrt(np.empty(0, x.dtype)).dtype)\n"
    "  return h\n"
    "erf = each(math.erf)\n"
    "erfc = each(math.erfc)\n"
    "def c_gamma(x):\n"
    "  if x == 0: return math.copysign(math.inf, x)\n"
    "  try: return math.gamma(x)\n"
    "  except ValueError: return math.nan\n"
    "  except OverflowError: return math.inf\n"
    "def c_lgamma(x):\n"
    "  try: return math.lgamma(x)\n"
    "  except (ValueError, OverflowError): return math.inf\n"
    "gamma = each(c_gamma)\n"
    "lgamma = each(c_lgamma)\n"
    "def one_nan(x): x = A(x); return np.where(np.isnan(x), "
    "x.dtype.type(np.complex128('nan+nanj')), x)\n"
    "def without_nan(x, most):\n"
    "  x = A(x)\n"
    "  return x if x.dtype.kind in 'biu' else np.where(np.isnan(x), x.dtype.type(most), x)\n"
    "def nanargmin(x, **how): return np.argmin(without_nan(x, math.inf), **how)\n"
    "def nanargmax(x, **how): return np.argmax(without_nan(x, -math.inf), **how)\n"
    "def real(x): return np.array(np.real(x))\n" /* new arrays, as all others are */
    "def imag(x): return np.array(np.imag(x))\n"
    "def complex_of(x, y):\n"
    "  of = np.sqrt(np.empty(0, np.result_type(x, y))).dtype\n"
    "  z = np.empty(np.broadcast(x, y).shape, np.result_type(of, 'complex64'))\n"
    "  z.real, z.imag = x, y\n"
    "  return z\n"
    "def frexp_mantissa(x): return np.frexp(x)[0]\n"
    "def frexp_exponent(x): m, e = np.frexp(x); return e.astype(m.dtype)\n"
    "def of_floats(f):\n"
    "  def h(x): x = A(x); return x.copy() if x.dtype.kind in 'biu' else f(x)\n"
    "  return h\n"
    "floor = of_floats(np.floor)\n"
    "ceil = of_floats(np.ceil)\n"
    "trunc = of_floats(np.trunc)\n"
    "def flip(x, axes):\n"
    "  axes = range(x.ndim) if axes is None else [a % x.ndim for a in axes]\n"
    "  return x[tuple(slice(None, None, -1 if k in axes else 1) for k in range(x.ndim)) + (...,)]\n"
    "def bto(x, shape):\n"
    "  extra = len(shape) - x.ndim\n"
    "  strides = [0]*extra + [s if n == m else 0 for s, n, m in zip(x.strides, x.shape, "
    "shape[extra:])]\n"
    "  assert np.broadcast_to(x, shape).shape == shape\n"
    "  return as_strided(x, shape, strides)\n"
    "def diag(x, offset, a, b):\n"
    "  d = np.diagonal(x, offset, a, b)\n"
    "  strides = [s for k, s in enumerate(x.strides) if k not in (a % x.ndim, b % x.ndim)]\n"
    "  strides += [x.strides[a] + x.strides[b]]\n"
    "  if d.size == 0: return np.zeros(d.shape, d.dtype)\n"
    "  at = [slice(None)]*x.ndim\n"
    "  at[b if offset >= 0 else a] = slice(abs(offset), None)\n"
    "  v = as_strided(x[tuple(at)], d.shape, strides)\n"
    "  assert np.array_equal(v, d, equal_nan=True)\n"
    "  return v\n"
    "def item(x, kind):\n"
    "  x = A(x).reshape(())\n"
    "  if kind == 'float': v = float(x)\n"
    "  elif kind == 'int': v = int(x.astype('int64'))\n"
    "  else: v = bool(x != 0)\n"
    "  parts.append(np.array(v, 'float64' if kind == 'float' else 'int64').tobytes())\n"
    "  return v\n"
    "def put(x, dtype, shape):\n"
    "  if str(x.dtype) != dtype or x.shape != shape:\n"
    "    raise TypeError('NumPy has %s %s, not %s %s' % (x.dtype, x.shape, dtype, shape))\n"
    "  parts.append(np.ascontiguousarray(x).tobytes())\n"
    "def run(f):\n"
    "  del parts[:]\n"
    "  status = 0\n"
    "  try:\n"
    "    f()\n"
    "    text = b''.join(parts)\n"
    "  except Exception as e:\n"
    "    status = 1\n"
    "    text = ('%s: %s' % (type(e).__name__, e)).encode()\n"
    "  OUT.write(np.array([status, len(text)], 'int64').tobytes() + text)\n";

bool numpy_is_given(const char *name)
{
  const size_t n = strlen(name);
  for (const char *line = prelude; *line != '\0'; line = strchr(line, '\n') + 1) {
    const char *given = strncmp(line, "def ", 4) == 0 ? line + 4 : line;
    const char *end = given > line ? "(" : " = ";
    if (strncmp(given, name, n) == 0 && strncmp(given + n, end, strlen(end)) == 0) return true;
  }
  return false;
}

/* Runs `python -c` or a script; true if it ends well. */
static pid_t start(char *const *argv, bool quiet)
{
  fflush(NULL);
  pid_t pid = fork();
  if (pid < 0) tsr__fatal("the system refuses a process for NumPy: %s", strerror(errno));
  if (pid > 0) return pid;
  int null = open("/dev/null", O_RDWR);
  dup2(null, STDOUT_FILENO);
  if (quiet) dup2(null, STDERR_FILENO);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  unsetenv("LD_PRELOAD");
  execvp(argv[0], argv);
  _exit(127);
}

const char *numpy_find(void)
{
  static const char *const pythons[] = {"python3", "/usr/bin/python3", "python"};
  for (size_t i = 0; i < sizeof pythons / sizeof pythons[0]; i++) {
    char *argv[] = {(char *)pythons[i], "-c",
                    "import numpy; assert int(numpy.__version__.split('.')[0]) >= 2", NULL};
    int status = 0;
    waitpid(start(argv, true), &status, 0);
    if (status == 0) return pythons[i];
  }
  return NULL;
}

static FILE *create(const numpy_run *run, const char *name)
{
  char path[128];
  snprintf(path, sizeof path, "%s/%s", run->dir, name);
  FILE *f = fopen(path, "wb");
  if (!f) tsr__fatal("%s cannot be written: %s", path, strerror(errno));
  return f;
}

/* Append the data of p's host arrays; offsets by node. malloc'd. */
static int64_t *write_host(FILE *f, const program *p)
{
  int64_t *offset = tsr__calloc((size_t)p->n_nodes + 1, sizeof *offset);
  for (int i = 0; i < p->n_nodes; i++) {
    const node *n = &p->nodes[i];
    if (n->kind != NODE_HOST) continue;
    offset[i] = ftell(f);
    int64_t size = dims_size(&n->shape);
    for (int64_t k = 0; k < size; k++) {
      uint8_t bytes[16];
      cell_store(host_cell(n, k), n->dtype, bytes);
      fwrite(bytes, 1, dtype_bytes(n->dtype), f);
    }
  }
  return offset;
}

static void write_outputs(FILE *f, const result *r)
{
  for (int i = 0; i < r->n_segments; i++) {
    const segment *s = &r->segments[i];
    if (s->is_scalar) continue;
    fprintf(f, "  put(v%d, '%s', (", s->var, dtype_name(s->dtype));
    for (int k = 0; k < s->shape.ndim; k++) fprintf(f, "%" PRId64 ",", s->shape.n[k]);
    fputs("))\n", f);
  }
}

numpy_run *numpy_start(const char *python, int n, program *const *ps, result *const *rs)
{
  numpy_run *run = tsr__calloc(1, sizeof *run);
  run->n = n;
  run->results = rs;
  strcpy(run->dir, "/tmp/tessera-random-XXXXXX");
  if (!mkdtemp(run->dir)) tsr__fatal("no directory for NumPy's files: %s", strerror(errno));
  FILE *script = create(run, "script.py"), *data = create(run, "data");
  fputs(prelude, script);
  fputs(call_prelude, script);
  for (int i = 0; i < n; i++) {
    int64_t *offset = write_host(data, ps[i]);
    fprintf(script, "def p%d():\n  pass\n", i);
    program_print(script, ps[i], offset, "  ");
    write_outputs(script, rs[i]);
    free(offset);
  }
  for (int i = 0; i < n; i++) fprintf(script, "run(p%d)\n", i);
  fclose(script);
  fclose(data);
  char path[3][128];
  const char *const names[] = {"script.py", "data", "out"};
  for (int i = 0; i < 3; i++) snprintf(path[i], sizeof path[i], "%s/%s", run->dir, names[i]);
  char *argv[] = {(char *)python, path[0], path[1], path[2], NULL};
  run->pid = start(argv, false);
  return run;
}

bool numpy_finish(numpy_run *run, uint8_t **blobs, char **errors)
{
  int status = 0;
  waitpid(run->pid, &status, 0);
  run->texts = tsr__calloc((size_t)run->n, sizeof *run->texts);
  char path[128];
  snprintf(path, sizeof path, "%s/out", run->dir);
  FILE *f = fopen(path, "rb");
  size_t size = 0;
  if (f) {
    fseek(f, 0, SEEK_END);
    size = (size_t)ftell(f);
    rewind(f);
    run->bytes = tsr__malloc(size + 1);
    size = fread(run->bytes, 1, size, f);
    fclose(f);
  }
  size_t at = 0;
  for (int i = 0; i < run->n; i++) {
    int64_t head[2] = {2, 0};
    blobs[i] = NULL;
    errors[i] = run->texts[i];
    if (at + sizeof head <= size) memcpy(head, run->bytes + at, sizeof head);
    at += sizeof head;
    bool whole = head[0] < 2 && at + (size_t)head[1] <= size;
    if (!whole)
      snprintf(errors[i], sizeof *run->texts, "NumPy ended early (status %d)", status);
    else if (head[0] == 1)
      snprintf(errors[i], sizeof *run->texts, "%.*s", (int)head[1], (char *)run->bytes + at);
    else if ((size_t)head[1] != run->results[i]->n_bytes)
      snprintf(errors[i], sizeof *run->texts, "NumPy gives %" PRId64 " bytes, not %zu", head[1],
               run->results[i]->n_bytes);
    else
      blobs[i] = run->bytes + at;
    at += (size_t)head[1];
  }
  return status == 0;
}

void numpy_free(numpy_run *run)
{
  const char *const names[] = {"script.py", "data", "out"};
  char path[128];
  for (int i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", run->dir, names[i]);
    unlink(path);
  }
  rmdir(run->dir);
  free(run->bytes);
  free(run->texts);
  free(run);
}
