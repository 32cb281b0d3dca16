/* Calls as Python. */
#include "calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *const pad_modes[N_PAD_MODES] = {"constant", "edge", "wrap", "reflect"};

/* NumPy has other random numbers: ours, by its definition. */
const char call_prelude[] =
    "U = np.uint64\n"
    "def philox(seed, draw, n):\n"
    "  i, low, s = np.arange(n, dtype='uint64'), U(0xffffffff), U(32)\n"
    "  c = [i & low, i >> s, i*U(0) + U(draw & 0xffffffff), i*U(0) + U(draw >> 32)]\n"
    "  k = [seed & 0xffffffff, seed >> 32]\n"
    "  for _ in range(10):\n"
    "    p, q = c[0]*U(0xd2511f53), c[2]*U(0xcd9e8d57)\n"
    "    c = [(q >> s) ^ c[1] ^ U(k[0]), q & low, (p >> s) ^ c[3] ^ U(k[1]), p & low]\n"
    "    k = [(k[0] + 0x9e3779b9) & 0xffffffff, (k[1] + 0xbb67ae85) & 0xffffffff]\n"
    "  return c[0] | (c[1] << s), c[2] | (c[3] << s)\n"
    "def placed(x, loc, scale):\n"
    "  if scale != 1: x = x*x.dtype.type(scale)\n"
    "  return x if loc == 0 else x.dtype.type(loc) + x\n"
    "def draw(kind, seed, number, low, high, shape, dtype):\n"
    "  n = 1\n"
    "  for k in shape: n *= k\n"
    "  a, b = philox(seed, number, n)\n"
    "  u = (a >> U(11)).astype('float64')*2.0**-53\n"
    "  if kind == 'integers':\n"
    "    x = [low + (((int(p) << 64 | int(q))*(high - low)) >> 128) for p, q in zip(a, b)]\n"
    "    return np.array(x, dtype).reshape(shape)\n"
    "  if kind == 'uniform':\n"
    "    if dtype == 'float32': u = (a >> U(40)).astype('float32')*np.float32(2.0**-24)\n"
    "    x = placed(u, low, float(high) - float(low))\n"
    "  elif kind == 'exponential':\n"
    "    x = placed(-np.log1p(-u), 0, high)\n"
    "  else:\n"
    "    v = (b >> U(11)).astype('float64')*float.fromhex('0x1.921fb54442d18p-51')\n"
    "    x = placed(np.sqrt(np.log(1 - u)*-2)*np.cos(v), low, high)\n"
    "  return x.astype(dtype).reshape(shape)\n"
    "def order(seed, number, n, count):\n"
    "  a, b = philox(seed, number, n if n <= 65536 else 1)\n"
    "  if n > 65536: return [network(i, int(a[0]), n) for i in range(count)]\n"
    "  x = list(range(n))\n"
    "  for i in range(n - 1, 0, -1):\n"
    "    j = ((int(a[i]) << 64 | int(b[i]))*(i + 1)) >> 128\n"
    "    x[i], x[j] = x[j], x[i]\n"
    "  return x[:count]\n"
    "def mixed(x):\n"
    "  most = 2**64 - 1\n"
    "  x = (x ^ (x >> 30))*0xbf58476d1ce4e5b9 & most\n"
    "  x = (x ^ (x >> 27))*0x94d049bb133111eb & most\n"
    "  return x ^ (x >> 31)\n"
    "def network(x, key, n):\n"
    "  bits = (n - 1).bit_length()\n"
    "  low_bits = bits//2\n"
    "  low_most, high_most = 2**low_bits - 1, 2**(bits - low_bits) - 1\n"
    "  while True:\n"
    "    low, high = x & low_most, x >> low_bits\n"
    "    for turn in range(1, 13):\n"
    "      k = (key + turn*0x9e3779b97f4a7c15) % 2**64\n"
    "      if turn % 2: high ^= mixed(k ^ low) & high_most\n"
    "      else: low ^= mixed(k ^ high) & low_most\n"
    "    x = high << low_bits | low\n"
    "    if x < n: return x\n"
    "def choice(seed, number, n, shape, twice):\n"
    "  size = math.prod(shape)\n"
    "  if twice: return draw('integers', seed, number, 0, n, shape, 'int64')\n"
    "  return np.array(order(seed, number, n, size), 'int64').reshape(shape)\n"
    "def permutation(x, seed, number): return x[order(seed, number, len(x), len(x))]\n"
    "def choice_of(x, seed, number, shape, twice):\n"
    "  return x[choice(seed, number, len(x), shape, twice)]\n"
    "def average(x, w, axis, keepdims):\n"
    "  try: return np.average(x, axis, w, keepdims=keepdims)\n"
    "  except ZeroDivisionError: pass\n"
    "  t = np.result_type(x, w, 'f8') if x.dtype.kind in 'biu' else np.result_type(x, w)\n"
    "  if w.shape != x.shape:\n"
    "    w = w.reshape([-1 if k == axis[0] % x.ndim else 1 for k in range(x.ndim)])\n"
    "    w = np.broadcast_to(w, x.shape)\n"
    "  total = w.sum(axis, dtype=t, keepdims=keepdims)\n"
    "  return np.multiply(x, w, dtype=t).sum(axis, keepdims=keepdims)/total\n"
    "def every(axis, x): return range(x.ndim) if axis is None else sorted(k % x.ndim for k in "
    "axis)\n"
    "def fold0(x, axis, **how): return np.add.reduce(x*x, axis=axis, dtype=x.dtype, **how)\n"
    "def fold1(x, axis, **how): return np.max(x, axis=axis, **how)\n"
    "def fold2(x, axis, keepdims):\n"
    "  gone = every(axis, x)\n"
    "  x = x.copy()\n"
    "  for k in reversed(gone):\n"
    "    x = np.moveaxis(x, k, 0).copy()\n"
    "    far, n = 1, x.shape[0]\n"
    "    while far < n:\n"
    "      b = x[far::2*far]\n"
    "      a = x[0:(len(b) - 1)*2*far + 1:2*far]\n"
    "      a[...] = a + b + a*b\n"
    "      far *= 2\n"
    "    x = np.moveaxis(x[:1], 0, k)\n"
    "  if not keepdims: x = x.squeeze(tuple(gone))\n"
    "  return x\n"
    "def fold3(x, axis, **how):\n"
    "  return np.sqrt(np.add.reduce((x*x + 1).astype('float64'), axis=axis, **how))\n"
    "def task0(a, b): return a*2 + b\n"
    "def task1(a, b):\n"
    "  n = a.shape[-1]\n"
    "  i = np.arange(n)\n"
    "  return a[..., np.maximum(i - 1, 0)] + a[..., np.minimum(i + 1, n - 1)]\n"
    "def task2(a, b): return a + b*2\n"
    "def task3(a, b): return a + b.ravel()[::-1].reshape(a.shape)\n"
    "def task4(a, b): return np.max(a)\n"
    "def task5(a, b): return np.array(np.count_nonzero(a), 'int64')\n"
    "def quantile(x, q, **how):\n"
    "  x = A(x)\n"
    "  y = np.quantile(x.astype('float64'), q, **how)\n"
    "  return A(y).astype(x.dtype if x.dtype.kind == 'f' else 'float64')\n"
    "def nanquantile(x, q, **how):\n"
    "  x = A(x)\n"
    "  y = np.nanquantile(x.astype('float64'), q, **how)\n"
    "  return A(y).astype(x.dtype if x.dtype.kind == 'f' else 'float64')\n"
    "def nanmedian(x, **how): return nanquantile(x, 0.5, **how)\n"
    "def einsum(x, y):\n"
    "  rows = 'ab'[:x.ndim - 1]\n"
    "  columns = 'j'[:y.ndim - 1]\n"
    "  return np.einsum(rows + 'k,k' + columns + '->' + rows + columns, x, y)\n"
    "def summed(x, y):\n"
    "  columns = 'j'[:y.ndim - 1]\n"
    "  return np.einsum('abk'[3 - x.ndim:] + ',k' + columns + '->' + columns, x, y)\n"
    "def kernel0(x, y): return x*y + x\n"
    "def kernel1(x, y): return np.where(x < y, x - y, y)\n"
    "def kernel2(x, y): return np.maximum(x, y) - np.minimum(x, y)\n"
    "def taken(x, at):\n"
    "  there = (at >= 0) & (at < x.size)\n"
    "  z = np.zeros(at.shape, x.dtype)\n"
    "  z[there] = x.ravel()[at[there]]\n"
    "  return z.reshape(x.shape)\n"
    "def kernel3(x, y): return y + taken(x, np.maximum(np.arange(x.size) - 1, 0))\n"
    "def kernel4(x, y): return y*taken(x, 2*np.arange(x.size) - 3)\n"
    "def median(x, **how):\n"
    "  x = A(x)\n"
    "  y = np.median(x.astype('float64'), **how)\n"
    "  return A(y).astype(x.dtype if x.dtype.kind == 'f' else 'float64')\n";

typedef struct writer {
  char *out;
  size_t size, used;
} writer;

static void __attribute__((format(printf, 2, 3))) put(writer *w, const char *fmt, ...)
{
  va_list va;
  va_start(va, fmt);
  int n = vsnprintf(w->out + w->used, w->size - w->used, fmt, va);
  va_end(va);
  if (n > 0) w->used = w->used + (size_t)n < w->size ? w->used + (size_t)n : w->size - 1;
}

static void put_dims(writer *w, const tsr_dims *d)
{
  put(w, "(");
  for (int k = 0; k < d->ndim; k++) put(w, "%" PRId64 ",", d->n[k]);
  put(w, ")");
}

static void put_axes(writer *w, const tsr_axes *axes)
{
  if (axes->n < 0) {
    put(w, "None");
    return;
  }
  put(w, "(");
  for (int k = 0; k < axes->n; k++) put(w, "%d,", axes->axis[k]);
  put(w, ")");
}

static void put_scalar(writer *w, const scalar *s)
{
  if (s->kind == SCALAR_FLOAT)
    put(w, "%.17g%s", s->f, s->f == (double)(int64_t)s->f ? ".0" : "");
  else if (s->kind == SCALAR_INT)
    put(w, "%" PRId64, s->i);
  else
    put(w, s->i ? "True" : "False");
}

static void put_operands(writer *w, int n)
{
  put(w, "(");
  for (int i = 0; i < n; i++) put(w, "@, ");
  put(w, ")");
}

static void put_pad(writer *w, const node *n)
{
  put(w, "np.pad(@, (");
  for (int k = 0; k < n->shape.ndim; k++)
    put(w, "(%" PRId64 ", %" PRId64 "), ", n->shape.n[k], n->after.n[k]);
  put(w, "), '%s'", pad_modes[n->style]);
  if (n->style == PAD_CONSTANT) {
    put(w, ", constant_values=");
    put_scalar(w, &n->value[0]);
  }
  put(w, ")");
}

static void put_new(writer *w, const node *n)
{
  static const char *const kinds[] = {"uniform", "normal", "exponential", "integers"};
  const bool is_log = n->index == CALL_LOGSPACE;
  switch (n->index) {
  case CALL_TRI:
  case CALL_EYE:
    put(w, "np.%s(%" PRId64 ", %" PRId64 ", %" PRId64, n->index == CALL_TRI ? "tri" : "eye",
        n->shape.n[0], n->shape.n[1], n->by);
    break;
  case CALL_LINSPACE:
    put(w, "np.linspace(");
    put_scalar(w, &n->value[0]);
    put(w, ", ");
    put_scalar(w, &n->value[1]);
    put(w, ", %" PRId64 ", %s", n->shape.n[0], n->style ? "True" : "False");
    break;
  case CALL_LOGSPACE:
  case CALL_GEOMSPACE:
    put(w, "np.%sspace(", is_log ? "log" : "geom");
    put_scalar(w, &n->value[0]);
    put(w, ", ");
    put_scalar(w, &n->value[1]);
    put(w, ", %" PRId64 ", endpoint=%s", n->shape.n[0], n->style ? "True" : "False");
    if (is_log) put(w, ", base=%.17g", n->value[2].f);
    break;
  case CALL_CHOICE:
    put(w, "choice(%" PRIu64 ", %" PRId64 ", %" PRId64 ", ", n->seed, n->by, n->value[0].i);
    put_dims(w, &n->shape);
    put(w, ", %s)", n->style ? "True" : "False");
    return;
  case CALL_ORDER:
    put(w, "choice(%" PRIu64 ", %" PRId64 ", %" PRId64 ", ", n->seed, n->by, n->shape.n[0]);
    put_dims(w, &n->shape);
    put(w, ", False)");
    return;
  case CALL_INDICES:
    put(w, "np.indices(");
    put_dims(w, &n->shape);
    break;
  default:
    put(w, "draw('%s', %" PRIu64 ", %" PRId64 ", ", kinds[n->index - CALL_UNIFORM], n->seed, n->by);
    put_scalar(w, &n->value[0]);
    put(w, ", ");
    put_scalar(w, &n->value[1]);
    put(w, ", ");
    put_dims(w, &n->shape);
  }
  put(w, ", dtype='%s')", dtype_name(n->dtype));
}

static void put_arranged(writer *w, const node *n)
{
  const int *axis = n->axes.axis;
  switch (n->index) {
  case ARRANGE_SWAPAXES:
    put(w, "np.swapaxes(@, %d, %d)", axis[0], axis[1]);
    break;
  case ARRANGE_MOVEAXIS:
    put(w, "np.moveaxis(@, %d, %d)", axis[0], axis[1]);
    break;
  case ARRANGE_SQUEEZE:
    put(w, "np.squeeze(@, ");
    put_axes(w, &n->axes);
    put(w, ")");
    break;
  case ARRANGE_ROT90:
    put(w, "np.rot90(@, %" PRId64 ", (%d, %d))", n->by, axis[0], axis[1]);
    break;
  case ARRANGE_ATLEAST:
    put(w, "np.atleast_%" PRId64 "d(@)", n->by);
    break;
  default:
    put(w, "np.array_split(@, %" PRId64 ", %d)[%d]", n->by, n->axis, n->style);
  }
}

static void put_options(writer *w, const node *n)
{
  put(w, ", axis=");
  put_axes(w, &n->axes);
  put(w, ", keepdims=%s)", n->axes.keepdims ? "True" : "False");
}

static void put_statistic(writer *w, const node *n)
{
  static const char *const orders[N_NORMS] = {"None", "0",      "1",       "2",
                                              "3",    "np.inf", "-np.inf", "-1"};
  switch (n->index) {
  case CALL_AVERAGE:
    put(w, "average(@, @");
    put_options(w, n);
    break;
  case CALL_NORM:
    put(w, "np.linalg.norm(@, %s", orders[n->style]);
    put_options(w, n);
    break;
  case CALL_TRAPEZOID:
    put(w, "np.trapezoid(@, ");
    put(w, n->n_args > 1 ? "x=@" : "dx=");
    if (n->n_args == 1) put_scalar(w, &n->value[0]);
    put(w, ", axis=%d)", n->axis);
    break;
  case CALL_VDOT:
    put(w, "np.vdot(@, @)");
    break;
  case CALL_FOLD:
    put(w, "fold%d(@", n->style);
    put_options(w, n);
    break;
  case CALL_TASK:
    put(w, "task%d(@, @)", n->style);
    break;
  default: { /* parts as they are drawn */
    const bool chosen = n->index == CALL_CHOICE_OF;
    put(w, chosen ? "choice_of(@, " : "permutation(@, ");
    put(w, "%" PRIu64 ", %" PRId64, n->seed, n->by);
    if (chosen) put(w, ", ");
    if (chosen) put_dims(w, &n->shape);
    put(w, chosen ? ", %s)" : ")", n->style ? "True" : "False");
  }
  }
}

static void put_quantile(writer *w, const node *n)
{
  if (n->index >= CALL_NANMEDIAN) put(w, "nan");
  if (n->index == CALL_MEDIAN || n->index == CALL_NANMEDIAN)
    put(w, "median(@");
  else
    put(w, "quantile(@, %.17g", n->value[0].f);
  put(w, ", axis=");
  put_axes(w, &n->axes);
  put(w, ", keepdims=%s)", n->axes.keepdims ? "True" : "False");
}

static void put_product(writer *w, const node *n)
{
  static const char *const names[] = {
      [PRODUCT_MATMUL] = "matmul", [PRODUCT_DOT] = "dot", [PRODUCT_INNER] = "inner"};
  if (n->style == PRODUCT_EINSUM || n->style == PRODUCT_SUMMED)
    put(w, "%s(@, @)", n->style == PRODUCT_EINSUM ? "einsum" : "summed");
  else
    put(w, "np.%s(@, %s)", names[n->style], n->style == PRODUCT_INNER ? "np.transpose(@)" : "@");
}

/* Those of one array and a number or an axis. */
static void put_simple(writer *w, const node *n)
{
  static const char *const scans[] = {"cumsum", "cumprod", "maximum.accumulate",
                                      "minimum.accumulate"};
  switch (n->index) {
  case CALL_REPEAT:
    put(w, "np.repeat(@, %" PRId64 ", %d)", n->by, n->axis);
    break;
  case CALL_TRIL:
  case CALL_TRIU:
    put(w, "np.%s(@, %" PRId64 ")", n->index == CALL_TRIL ? "tril" : "triu", n->by);
    break;
  case CALL_DIFF:
    put(w, "np.diff(@, %" PRId64 ", %d)", n->by, n->axis);
    break;
  case CALL_ROUND:
    put(w, "np.round(@, %" PRId64 ")", n->by);
    break;
  case CALL_DIAG:
    put(w, "np.diag(@, %" PRId64 ").copy()", n->by);
    break;
  case CALL_ANGLE:
    put(w, "np.angle(@)");
    break;
  case CALL_MODF:
  case CALL_FREXP:
    put(w, "np.%s(@)[%" PRId64 "]", n->index == CALL_MODF ? "modf" : "frexp", n->by);
    break;
  default:
    put(w, "np.%s(@, %d)", scans[n->index - CALL_CUMSUM], n->axis);
  }
}

static void put_call(writer *w, const node *n)
{
  switch (n->index) {
  case CALL_RESHAPE:
    put(w, "np.reshape(@, ");
    put_dims(w, &n->shape);
    put(w, ").copy()");
    break;
  case CALL_ROLL:
    put(w, "np.roll(@, %" PRId64 ", ", n->by);
    put_axes(w, &n->axes);
    put(w, ")");
    break;
  case CALL_CONCATENATE:
  case CALL_STACK:
    put(w, "np.%s(", n->index == CALL_STACK ? "stack" : "concatenate");
    put_operands(w, n->n_args);
    put(w, ", %d)", n->axis);
    break;
  case CALL_TILE:
    put(w, "np.tile(@, ");
    put_dims(w, &n->shape);
    put(w, ")");
    break;
  case CALL_PAD:
    put_pad(w, n);
    break;
  case CALL_MESHGRID:
    put(w, "np.meshgrid(*");
    put_operands(w, n->n_args);
    put(w, ", indexing='%s')[%" PRId64 "]", n->style ? "ij" : "xy", n->by);
    break;
  case CALL_MEDIAN:
  case CALL_QUANTILE:
  case CALL_NANMEDIAN:
  case CALL_NANQUANTILE:
    put_quantile(w, n);
    break;
  case CALL_PRODUCT:
    put_product(w, n);
    break;
  case CALL_KERNEL:
    put(w, "kernel%d(@, @)", n->style);
    break;
  case CALL_AVERAGE:
  case CALL_NORM:
  case CALL_TRAPEZOID:
  case CALL_VDOT:
  case CALL_FOLD:
  case CALL_TASK:
  case CALL_PERMUTATION:
  case CALL_SHUFFLE:
  case CALL_CHOICE_OF:
    put_statistic(w, n);
    break;
  case CALL_DIVMOD:
    put(w, "np.divmod(@, @)[%" PRId64 "]", n->by);
    break;
  case CALL_ISCLOSE:
    put(w, "np.isclose(@, @, equal_nan=%s)", n->style ? "True" : "False");
    break;
  case CALL_OUTER:
    put(w, "np.outer(@, @)");
    break;
  default:
    put_simple(w, n);
  }
}

void call_text(const node *n, char *out, size_t size)
{
  writer w = {out, size, 0};
  out[0] = 0;
  if (n->kind == NODE_ARRANGE)
    put_arranged(&w, n);
  else if (n->index >= N_OF_ARRAYS)
    put_new(&w, n);
  else
    put_call(&w, n);
}
