/* Reads and writes the head of a .npy file: "\x93NUMPY", two version bytes, the length of the rest
 * (2 bytes little-endian in version 1, 4 in versions 2 and 3), and a Python dict {'descr',
 * 'fortran_order', 'shape'} with its keys in any order, padded with spaces. Any other text is
 * refused, and the error names the byte. */
#include "array/files/npy.h"
#include "runtime/base/alloc.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernel/ir/kernel.h"
#include "runtime/base/error.h"

static const char magic[] = "\x93NUMPY";
enum { N_MAGIC = 6, ALIGN = 64, GROWTH_DIGITS = 21 };

char *tsr__npy_head(tsr_dtype dtype, const tsr_dims *shape, size_t *n)
{
  const tsr_dtype_info *info = tsr__dtype_info(dtype);
  char text[256], first[24];
  tsr_text head = {0};
  tsr__shape_text(shape->ndim, shape->n, text, sizeof text);
  tsr__text_add(&head, "{'descr': '%.*s', 'fortran_order': False, 'shape': %s, }",
                (int)sizeof info->npy, info->npy, text);
  /* As in NumPy, the first length can grow to 21 digits in place when the file is extended. */
  if (shape->ndim > 0)
    tsr__text_add(&head, "%*s",
                  GROWTH_DIGITS - snprintf(first, sizeof first, "%" PRId64, shape->n[0]), "");
  size_t before = N_MAGIC + 2 + 2;
  size_t pad = ALIGN - (before + head.n + 1) % ALIGN;
  tsr__text_add(&head, "%*s\n", (int)pad, "");
  *n = before + head.n;
  char *bytes = tsr__malloc(*n);
  memcpy(bytes, magic, N_MAGIC);
  const char prelude[4] = {1, 0, (char)(head.n & 0xff), (char)(head.n >> 8)};
  memcpy(bytes + N_MAGIC, prelude, sizeof prelude);
  memcpy(bytes + before, head.s, head.n);
  tsr__text_free(&head);
  return bytes;
}

typedef struct reader {
  const char *s;
  size_t n, at; /* end of the head; the next byte */
  int version;
  tsr_npy *out;
  tsr_npy_error *error;
} reader;

static bool refuse_header(reader *r, size_t at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static bool refuse_header(reader *r, size_t at, const char *fmt, ...)
{
  va_list args;
  va_start(args, fmt);
  vsnprintf(r->error->why, sizeof r->error->why, fmt, args);
  va_end(args);
  for (char *byte = r->error->why; *byte; byte++) /* the file may contain any bytes */
    if (*byte < ' ' || *byte > '~') *byte = '?';
  r->error->status = TSR_ERR_IO;
  r->error->at = (int64_t)at;
  return false;
}

static void skip_blanks(reader *r)
{
  while (r->at < r->n && r->s[r->at] && strchr(" \t\r\n", r->s[r->at])) r->at++;
}

/* Returns the next character that is not blank, or 0 at the end, without taking it. */
static char peek(reader *r)
{
  skip_blanks(r);
  return r->at < r->n ? r->s[r->at] : 0;
}

static bool take_char(reader *r, char wanted)
{
  if (peek(r) == wanted && r->at < r->n) {
    r->at++;
    return true;
  }
  return refuse_header(
      r, r->at, r->at < r->n ? "'%c' is wanted" : "the header ends where '%c' is wanted", wanted);
}

/* Takes a string in single or double quotes, without escapes. */
static bool take_string(reader *r, const char **start, size_t *n)
{
  char quote = peek(r);
  if (quote != '\'' && quote != '"') return refuse_header(r, r->at, "a string is wanted");
  size_t first = r->at + 1, end = first;
  while (end < r->n && r->s[end] != quote && r->s[end] != '\n' && r->s[end] != '\\') end++;
  if (end >= r->n || r->s[end] != quote) return refuse_header(r, r->at, "a string does not end");
  *start = r->s + first;
  *n = end - first;
  r->at = end + 1;
  return true;
}

/* Takes the text of a numpy.dtype that the library has: an optional byte order and the type. */
static bool take_descr(reader *r)
{
  size_t at = (peek(r), r->at), n;
  const char *text;
  if (peek(r) == '[')
    return refuse_header(r, at, "records (a descr with fields) are not arrays here");
  if (!take_string(r, &text, &n)) return false;
  char order = n > 0 && text[0] && strchr("<>|=", text[0]) ? text[0] : '=';
  const char *type = text + (n > 0 && order == text[0]);
  size_t n_type = n - (size_t)(type - text);
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    const tsr_dtype_info *info = tsr__dtype_info((tsr_dtype)d);
    size_t length = strnlen(info->npy, sizeof info->npy) - 1;
    if (length != n_type || memcmp(info->npy + 1, type, length)) continue;
    r->out->dtype = (tsr_dtype)d;
    r->out->swap = order == '>' && info->size_bytes > 1;
    return true;
  }
  refuse_header(r, at, "arrays have no type '%.*s'", n < 40 ? (int)n : 40, text);
  r->error->status = TSR_ERR_DTYPE;
  return false;
}

static bool take_bool(reader *r, bool *out)
{
  static const char *const words[] = {"False", "True"};
  peek(r);
  for (int i = 0; i < 2; i++) {
    size_t n = strlen(words[i]);
    if (r->n - r->at < n || memcmp(r->s + r->at, words[i], n)) continue;
    r->at += n;
    *out = i;
    return true;
  }
  return refuse_header(r, r->at, "fortran_order is True or False");
}

static bool is_digit(const reader *r)
{
  return r->at < r->n && r->s[r->at] >= '0' && r->s[r->at] <= '9';
}

static bool take_length(reader *r, int64_t *out)
{
  peek(r);
  size_t at = r->at;
  int64_t value = 0;
  if (at < r->n && r->s[at] == '-')
    return refuse_header(r, at, "a length of the shape is negative");
  if (!is_digit(r)) return refuse_header(r, at, "a length of the shape is wanted");
  for (; is_digit(r); r->at++)
    if (__builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, r->s[r->at] - '0', &value))
      return refuse_header(r, at, "a length of the shape is over 2^63 - 1");
  if (r->at - at > 1 && r->s[at] == '0') return refuse_header(r, at, "a length begins with 0");
  if (r->version < 3 && r->at < r->n && r->s[r->at] == 'L') r->at++; /* a long of Python 2 */
  *out = value;
  return true;
}

/* Takes "()", "(3,)", "(3, 4)" or "(3, 4, )". */
static bool take_shape(reader *r)
{
  tsr_dims *shape = &r->out->shape;
  size_t start = (peek(r), r->at);
  if (peek(r) != '(') return refuse_header(r, start, "the shape is no tuple");
  r->at++;
  bool comma = true;
  for (shape->ndim = 0; peek(r) != ')'; shape->ndim++) {
    if (!comma) return refuse_header(r, r->at, "',' or ')' is wanted");
    if (shape->ndim == TSR_MAX_NDIM)
      return refuse_header(r, start, "the shape has over %d axes", TSR_MAX_NDIM);
    if (!take_length(r, &shape->n[shape->ndim])) return false;
    comma = peek(r) == ',';
    if (comma) r->at++;
  }
  r->at++;
  if (shape->ndim == 1 && !comma) return refuse_header(r, start, "the shape is no tuple");
  return true;
}

static bool take_dict(reader *r)
{
  static const char *const keys[] = {"descr", "fortran_order", "shape"};
  unsigned seen = 0;
  size_t start = (peek(r), r->at);
  if (!take_char(r, '{')) return false;
  for (bool comma = true; peek(r) != '}';) {
    if (!comma)
      return refuse_header(
          r, r->at, r->at < r->n ? "',' or '}' is wanted" : "the header ends within its dict");
    size_t at = r->at, n;
    const char *key;
    if (!take_string(r, &key, &n)) return false;
    unsigned k = 0;
    while (k < 3 && (strlen(keys[k]) != n || memcmp(keys[k], key, n))) k++;
    if (k == 3) return refuse_header(r, at, "an unknown key '%.*s'", n < 40 ? (int)n : 40, key);
    if (seen & 1u << k) return refuse_header(r, at, "the key '%s' comes twice", keys[k]);
    seen |= 1u << k;
    if (!take_char(r, ':')) return false;
    if (!(k == 0 ? take_descr(r) : k == 1 ? take_bool(r, &r->out->fortran_order) : take_shape(r)))
      return false;
    comma = peek(r) == ',';
    if (comma) r->at++;
  }
  r->at++;
  for (int k = 0; k < 3; k++)
    if (!(seen & 1u << k)) return refuse_header(r, start, "the key '%s' is missing", keys[k]);
  if (peek(r) != 0 || r->at < r->n)
    return refuse_header(r, r->at, "more follows the header's dict");
  return true;
}

/* Checks that the file has all of the data. */
static bool check_size(reader *r, int64_t file_bytes)
{
  int64_t bytes = (int64_t)tsr__dtype_size(r->out->dtype);
  bool empty = false;
  for (int k = 0; k < r->out->shape.ndim; k++) empty |= r->out->shape.n[k] == 0;
  for (int k = 0; k < r->out->shape.ndim && !empty; k++)
    if (__builtin_mul_overflow(bytes, r->out->shape.n[k], &bytes))
      return refuse_header(r, N_MAGIC + 4, "the shape's product is over 2^63 bytes");
  if (empty) bytes = 0;
  if (file_bytes - r->out->offset >= bytes) return true;
  return refuse_header(r, (size_t)file_bytes,
                       "the file ends; the data is to have %" PRId64 " bytes from byte %" PRId64
                       " on",
                       bytes, r->out->offset);
}

bool tsr__npy_parse(const char *bytes, size_t n, int64_t file_bytes, tsr_npy *out,
                    tsr_npy_error *error)
{
  *out = (tsr_npy){0};
  reader r = {.s = bytes, .n = n, .out = out, .error = error};
  const unsigned char *u = (const unsigned char *)bytes;
  for (size_t i = 0; i < N_MAGIC; i++)
    if (i >= n || bytes[i] != magic[i])
      return refuse_header(&r, i,
                           i < n ? "this is no .npy file: it begins otherwise"
                                 : "the file ends within its first 6 bytes");
  if (n < N_MAGIC + 4) return refuse_header(&r, n, "the file ends before its header");
  r.version = u[6];
  if (r.version < 1 || r.version > 3 || u[7] != 0)
    return refuse_header(&r, N_MAGIC, "version %d.%d of the format; 1.0, 2.0 and 3.0 are known",
                         u[6], u[7]);
  size_t start = N_MAGIC + (r.version == 1 ? 4 : 6);
  if (n < start) return refuse_header(&r, n, "the file ends before its header");
  uint64_t length = (uint64_t)u[8] | (uint64_t)u[9] << 8;
  if (r.version > 1) length |= (uint64_t)u[10] << 16 | (uint64_t)u[11] << 24;
  if (length > TSR_NPY_HEAD_MAX)
    return refuse_header(&r, 8, "a header of %" PRIu64 " bytes; at most %d are read", length,
                         TSR_NPY_HEAD_MAX);
  if (n - start < length)
    return refuse_header(&r, n, "the file ends within its header of %" PRIu64 " bytes", length);
  r.at = start;
  r.n = start + (size_t)length;
  out->offset = (int64_t)r.n;
  return take_dict(&r) && check_size(&r, file_bytes);
}
