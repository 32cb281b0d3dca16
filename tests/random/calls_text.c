/* Calls as Python. */
#include "calls.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

const char *const pad_modes[N_PAD_MODES] = {"constant", "edge", "wrap", "reflect", "symmetric"};

const char *const border_modes[N_BORDERS] = {"maximum",     "minimum", "mean",
                                             "linear_ramp", "reflect", "symmetric"};

const char *const masked_names[N_MASKED] = {"sum", "prod", "min", "max", "mean", "any", "all"};

const char *const quantile_methods[N_METHODS] = {"linear",
                                                 "interpolated_inverted_cdf",
                                                 "hazen",
                                                 "weibull",
                                                 "median_unbiased",
                                                 "normal_unbiased",
                                                 "inverted_cdf",
                                                 "closest_observation",
                                                 "lower",
                                                 "higher",
                                                 "nearest",
                                                 "midpoint",
                                                 "averaged_inverted_cdf"};

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
    "    at = [k % x.ndim for k in axis][:w.ndim]\n"
    "    w = w.transpose(np.argsort(at)).reshape([x.shape[k] if k in at else 1 for k in "
    "range(x.ndim)])\n"
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
    "def task6(a, b): return np.add.accumulate(a, -1, a.dtype)\n"
    "def task7(a, b):\n"
    "  return np.array([np.count_nonzero(x) for x in (a < 0, a == 0, a > 0, a != a)], 'int64')\n"
    "def diff(x, n, axis, ends):\n"
    "  z = {'prepend': np.zeros((), A(x).dtype), 'append': np.zeros((), A(x).dtype)}\n"
    "  return np.diff(x, n, axis, **{k: z[k] for i, k in enumerate(z) if ends >> i & 1})\n"
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
    "def kernel5(x, y):\n"
    "  z = y\n"
    "  for k in range(3): z = z + taken(x, np.arange(x.size) + k)\n"
    "  return z\n"
    "def kernel6(x, y): return (x*y + x) + (y*x + y)\n"
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

static void put_widths(writer *w, const node *n)
{
  put(w, "(");
  for (int k = 0; k < n->shape.ndim; k++)
    put(w, "(%" PRId64 ", %" PRId64 "), ", n->shape.n[k], n->after.n[k]);
  put(w, ")");
}

/* What numpy.pad takes beside the array. */
static void put_pad(writer *w, const node *n)
{
  put_widths(w, n);
  put(w, ", '%s'", pad_modes[n->style]);
  if (n->style != PAD_CONSTANT) return;
  put(w, ", constant_values=");
  put_scalar(w, &n->value[0]);
}

static void put_border(writer *w, const node *n)
{
  put_widths(w, n);
  put(w, ", '%s'", border_modes[n->style]);
  if (n->style < BORDER_RAMP && n->by > 0) put(w, ", stat_length=%" PRId64, n->by);
  if (n->style == BORDER_RAMP) put(w, ", end_values=%" PRId64, n->value[0].i);
  if (n->style > BORDER_RAMP) put(w, ", reflect_type='odd'");
}

/* The mask is the next operand. */
static void put_mask(writer *w, const node *n)
{
  if (n->n_args > 1) put(w, ", where=@");
  if (!n->by) return;
  put(w, ", initial=");
  put_scalar(w, &n->value[0]);
}

/* One text for each kind of call. '@' stands for the next operand, and '%' with the character after
 * it for a field of the node (put_field). */
static const char *const calls[N_CALLS] = {
    [CALL_RESHAPE] = "np.reshape(@, %s).copy()",
    [CALL_ROLL] = "np.roll(@, %b, %A)",
    [CALL_CONCATENATE] = "np.concatenate(%*, %a)",
    [CALL_STACK] = "np.stack(%*, %a)",
    [CALL_REPEAT] = "np.repeat(@, %b, %a)",
    [CALL_TILE] = "np.tile(@, %s)",
    [CALL_PAD] = "np.pad(@, %w)",
    [CALL_TRIL] = "np.tril(@, %b)",
    [CALL_TRIU] = "np.triu(@, %b)",
    [CALL_MESHGRID] = "np.meshgrid(*%*, indexing='%j')[%b]",
    [CALL_DIAG] = "np.diag(@, %b).copy()",
    [CALL_PERMUTATION] = "permutation(@, %r)",
    [CALL_SHUFFLE] = "permutation(@, %r)",
    [CALL_CHOICE_OF] = "choice_of(@, %r, %s, %t)",
    [CALL_CUMSUM] = "np.cumsum(@, %a)",
    [CALL_CUMPROD] = "np.cumprod(@, %a)",
    [CALL_CUMMAX] = "(np.maximum, np.fmax)[%i].accumulate(@, %a)",
    [CALL_CUMMIN] = "(np.minimum, np.fmin)[%i].accumulate(@, %a)",
    [CALL_DIFF] = "diff(@, %b, %a, %i)",
    [CALL_MEDIAN] = "median(@, %o)",
    [CALL_QUANTILE] = "quantile(@, %f, %o, method='%Q')",
    [CALL_ROUND] = "np.round(@, %b)",
    [CALL_MODF] = "np.modf(@)[%b]",
    [CALL_ANGLE] = "np.angle(@)",
    [CALL_KERNEL] = "kernel%i(@, @)",
    [CALL_FREXP] = "np.frexp(@)[%b]",
    [CALL_DIVMOD] = "np.divmod(@, @)[%b]",
    [CALL_ISCLOSE] = "np.isclose(@, @, equal_nan=%t)",
    [CALL_OUTER] = "np.outer(@, @)",
    [CALL_NANMEDIAN] = "nanmedian(@, %o)",
    [CALL_NANQUANTILE] = "nanquantile(@, %f, %o, method='%Q')",
    [CALL_AVERAGE] = "average(@, @, %o)",
    [CALL_NORM] = "np.linalg.norm(@, %N, %o)",
    [CALL_TRAPEZOID] = "np.trapezoid(@, %x, axis=%a)",
    [CALL_VDOT] = "np.vdot(@, @)",
    [CALL_FOLD] = "fold%i(@, %o)",
    [CALL_TASK] = "task%i(@, @)",
    [CALL_MASKED] = "np.%S(@, %o%W)",
    [CALL_BORDER] = "np.pad(@, %B)",
    [CALL_TRI] = "np.tri(%n, %m, %b, %d)",
    [CALL_EYE] = "np.eye(%n, %m, %b, %d)",
    [CALL_LINSPACE] = "np.linspace(%0, %1, %n, %t, %d)",
    [CALL_LOGSPACE] = "np.logspace(%0, %1, %n, endpoint=%t, base=%g, %d)",
    [CALL_GEOMSPACE] = "np.geomspace(%0, %1, %n, endpoint=%t, %d)",
    [CALL_INDICES] = "np.indices(%s, %d)",
    [CALL_UNIFORM] = "draw('uniform', %r, %0, %1, %s, %d)",
    [CALL_NORMAL] = "draw('normal', %r, %0, %1, %s, %d)",
    [CALL_EXPONENTIAL] = "draw('exponential', %r, %0, %1, %s, %d)",
    [CALL_INTEGERS] = "draw('integers', %r, %0, %1, %s, %d)",
    [CALL_CHOICE] = "choice(%r, %0, %s, %t)",
    [CALL_ORDER] = "choice(%r, %n, %s, False)",
};

static const char *const products[N_PRODUCTS] = {
    [PRODUCT_MATMUL] = "np.matmul(@, @)",
    [PRODUCT_DOT] = "np.dot(@, @)",
    [PRODUCT_INNER] = "np.inner(@, np.transpose(@))",
    [PRODUCT_EINSUM] = "einsum(@, @)",
    [PRODUCT_SUMMED] = "summed(@, @)",
};

static const char *const arrangings[N_ARRANGINGS] = {
    [ARRANGE_SWAPAXES] = "np.swapaxes(@, %p, %q)",
    [ARRANGE_MOVEAXIS] = "np.moveaxis(@, %p, %q)",
    [ARRANGE_SQUEEZE] = "np.squeeze(@, %A)",
    [ARRANGE_ROT90] = "np.rot90(@, %b, (%p, %q))",
    [ARRANGE_ATLEAST] = "np.atleast_%bd(@)",
    [ARRANGE_SPLIT] = "np.array_split(@, %b, %a)[%i]",
};

/* The numbers among the fields; false: `field` is none of them. */
static bool put_number(writer *w, const node *n, char field)
{
  switch (field) {
  case 'b':
    put(w, "%" PRId64, n->by);
    return true;
  case 'a':
    put(w, "%d", n->axis);
    return true;
  case 'p':
  case 'q': /* the first two axes that are named */
    put(w, "%d", n->axes.axis[field - 'p']);
    return true;
  case 'm':
  case 'n': /* the first two lengths, the second as m */
    put(w, "%" PRId64, n->shape.n['n' - field]);
    return true;
  case 'i':
    put(w, "%d", n->style);
    return true;
  case 'f':
  case 'g': /* the first and the last value, as floats */
    put(w, "%.17g", n->value[field == 'f' ? 0 : 2].f);
    return true;
  case '0':
  case '1':
    put_scalar(w, &n->value[field - '0']);
    return true;
  default:
    return false;
  }
}

static void put_field(writer *w, const node *n, char field)
{
  static const char *const orders[N_NORMS] = {"None", "0",      "1",       "2",
                                              "3",    "np.inf", "-np.inf", "-1"};
  if (put_number(w, n, field)) return;
  switch (field) {
  case '*': /* all operands, as a tuple */
    put(w, "(");
    for (int i = 0; i < n->n_args; i++) put(w, "@, ");
    put(w, ")");
    break;
  case 's':
    put_dims(w, &n->shape);
    break;
  case 'A':
    put_axes(w, &n->axes);
    break;
  case 'o': /* options of a reduction */
    put(w, "axis=");
    put_axes(w, &n->axes);
    put(w, ", keepdims=%s", n->axes.keepdims ? "True" : "False");
    break;
  case 't':
    put(w, n->style ? "True" : "False");
    break;
  case 'j':
    put(w, n->style ? "ij" : "xy");
    break;
  case 'Q':
    put(w, "%s", quantile_methods[n->style]);
    break;
  case 'N':
    put(w, "%s", orders[n->style]);
    break;
  case 'r': /* the generator */
    put(w, "%" PRIu64 ", %" PRId64, n->seed, n->by);
    break;
  case 'w':
    put_pad(w, n);
    break;
  case 'B':
    put_border(w, n);
    break;
  case 'S':
    put(w, "%s", masked_names[n->style]);
    break;
  case 'W':
    put_mask(w, n);
    break;
  case 'x': /* the points of an integral, or their distance */
    put(w, n->n_args > 1 ? "x=@" : "dx=");
    if (n->n_args == 1) put_scalar(w, &n->value[0]);
    break;
  default: /* 'd' */
    put(w, "dtype='%s'", dtype_name(n->dtype));
  }
}

void call_text(const node *n, char *out, size_t size)
{
  writer w = {out, size, 0};
  const char *text = n->kind == NODE_ARRANGE    ? arrangings[n->index]
                     : n->index == CALL_PRODUCT ? products[n->style]
                                                : calls[n->index];
  out[0] = 0;
  for (; *text; text++)
    if (*text == '%')
      put_field(&w, n, *++text);
    else
      put(&w, "%c", *text);
}
