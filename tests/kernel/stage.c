/* Memory for kernels under test, and kernels drawn at random. */
#include "tests/kernel/stage.h"

#include <stdlib.h>
#include <string.h>

#include <criterion/criterion.h>

#include "tests/kernel/reference.h"

void stage_fill(stage *s, uint64_t *seed)
{
  for (int b = 0; b < s->n_buffers; b++) {
    const size_t size = tsr__dtype_size(s->buffer[b].dtype);
    s->buffer[b].memory = calloc(s->buffer[b].elems + 1, size);
    s->buffer[b].expected = calloc(s->buffer[b].elems + 1, size);
    for (int64_t i = 0; i < s->buffer[b].elems; i++) {
      const tsr_scalar x = reference_value(seed, s->buffer[b].dtype);
      tsr__scalar_store(x, s->buffer[b].memory + i * size);
      tsr__scalar_store(x, s->buffer[b].expected + i * size);
    }
  }
}

tsr_kernel_bind stage_bind(const stage *s, bool expected, void **base)
{
  for (int a = 0; a < s->n_accesses; a++) {
    const int b = s->of[a];
    base[a] = (expected ? s->buffer[b].expected : s->buffer[b].memory) + s->offset[a];
  }
  tsr_kernel_bind bind = {.base = base,
                          .stride_bytes = (const int64_t(*)[TSR_MAX_NDIM])s->stride,
                          .scalars = s->scalar};
  for (int a = 0; a < s->ndim; a++) {
    bind.n[a] = s->n[a];
    bind.lo[a] = 1000 * (a + 1);
  }
  return bind;
}

void stage_compare(const tsr_kernel *k, const stage *s, const char *what, uint64_t number)
{
  for (int b = 0; b < s->n_buffers; b++) {
    const size_t size = tsr__dtype_size(s->buffer[b].dtype);
    for (int64_t i = 0; i < s->buffer[b].elems; i++) {
      const tsr_scalar got = tsr__scalar_load(s->buffer[b].dtype, s->buffer[b].memory + i * size);
      const tsr_scalar want =
          tsr__scalar_load(s->buffer[b].dtype, s->buffer[b].expected + i * size);
      if (reference_same(got, want)) continue;
      char *text = tsr__kernel_text(k);
      cr_assert_fail("%s %llu: buffer %d at %lld is %llx, not %llx, in a box of %d axes, the last "
                     "of %lld\n%s",
                     what, (unsigned long long)number, b, (long long)i,
                     (unsigned long long)got.u.bits, (unsigned long long)want.u.bits, s->ndim,
                     (long long)(s->ndim ? s->n[s->ndim - 1] : 1), text);
    }
  }
}

void stage_free(stage *s)
{
  for (int b = 0; b < s->n_buffers; b++) {
    free(s->buffer[b].memory);
    free(s->buffer[b].expected);
  }
}

/* Strides of an access: axes in a random order, gaps, reversed axes; repeated ones if it is read
 * only. */
static void draw_strides(stage *s, int access, bool repeats, uint64_t *seed)
{
  const int b = s->of[access];
  const int64_t size = tsr__dtype_size(s->buffer[b].dtype);
  int order[TSR_MAX_NDIM];
  for (int a = 0; a < s->ndim; a++) order[a] = s->ndim - 1 - a;
  if (reference_random(seed) % 3 == 0) {
    for (int a = s->ndim - 1; a > 0; a--) {
      const int other = reference_random(seed) % (a + 1), kept = order[a];
      order[a] = order[other];
      order[other] = kept;
    }
  }
  int64_t elems = 1, offset = 0;
  for (int j = 0; j < s->ndim; j++) {
    const int a = order[j];
    int64_t stride = elems * (reference_random(seed) % 4 == 0 ? 2 : 1);
    if (repeats && reference_random(seed) % 5 == 0) stride = 0;
    if (stride) elems = stride * s->n[a] + (reference_random(seed) % 4 == 0 ? 3 : 0);
    if (reference_random(seed) % 6 == 0) {
      offset += stride * (s->n[a] - 1);
      stride = -stride;
    }
    s->stride[access][a] = stride * size;
  }
  s->offset[access] = offset * size;
  if (elems > s->buffer[b].elems) s->buffer[b].elems = elems;
}

static void draw_shape(stage *s, bool wide, uint64_t *seed)
{
  s->ndim = wide + reference_random(seed) % (5 - wide);
  int64_t total = 1;
  for (int a = 0; a < s->ndim; a++) {
    const uint64_t kind = reference_random(seed) % 12;
    int64_t n = 1 + reference_random(seed) % 6;
    if (kind == 0) n = 1100 + reference_random(seed) % 1500;
    if (kind == 1) n = 60 + reference_random(seed) % 80;
    if (wide && a == s->ndim / 2)
      n = 16 + reference_random(seed) % 150;
    else if (total * n > 5000)
      n = 1 + reference_random(seed) % 2;
    s->n[a] = n;
    total *= n;
  }
}

/* What may be chosen from while a kernel is drawn. */
typedef struct drawing {
  tsr_kernel_builder *b;
  int value[256], dtype[256], n_values;
  uint64_t *seed;
  bool any_op;
} drawing;

static int pick(drawing *d, tsr_dtype dtype)
{
  const int v = reference_random(d->seed) % d->n_values;
  return tsr__kernel_cast(d->b, d->value[v], dtype);
}

static void keep(drawing *d, int value, tsr_dtype dtype)
{
  d->value[d->n_values] = value;
  d->dtype[d->n_values++] = dtype;
}

static void draw_op(drawing *d)
{
  int op = reference_random(d->seed) % TSR_N_OPS;
  if (op == TSR_OP_EXP && !d->any_op) op = TSR_OP_ADD;
  const tsr_op_info *info = tsr__op_info(op);
  tsr_dtype compute, result;
  if (!tsr__op_dtypes(op, reference_random(d->seed) % TSR_N_DTYPES, &compute, &result)) return;
  int n = info->min_args, args[TSR_MAX_OP_ARGS];
  if (info->max_args > n) n += reference_random(d->seed) % (info->max_args - n + 1);
  for (int j = 0; j < n; j++) args[j] = pick(d, op == TSR_OP_WHERE && j == 0 ? TSR_BOOL : compute);
  keep(d, tsr__kernel_op(d->b, op, compute, result, n, args), result);
}

static void draw_random(drawing *d)
{
  const tsr_random f = reference_random(d->seed) % TSR_N_RANDOM;
  int args[3];
  for (int j = 0; j < 3; j++) args[j] = pick(d, TSR_INT64);
  keep(d, tsr__kernel_random(d->b, f, args), TSR_INT64);
}

static int draw_access(stage *s, drawing *d, int buffer, bool is_store, int pattern)
{
  s->of[s->n_accesses] = buffer;
  tsr__kernel_access_add(d->b, s->buffer[buffer].dtype, is_store, buffer, pattern);
  return s->n_accesses++;
}

/* Half of the buffers may be stored and have one pattern; the others are read in several. */
tsr_kernel *stage_draw(stage *s, bool any_op, bool wide, uint64_t *seed)
{
  draw_shape(s, wide, seed);
  drawing d = {.b = tsr__kernel_builder_create(s->ndim), .seed = seed, .any_op = any_op};
  s->n_buffers = 2 + reference_random(seed) % (MAX_BUFFERS - 1);
  int load[MAX_BUFFERS][2], store[MAX_BUFFERS];
  for (int b = 0; b < s->n_buffers; b++) {
    s->buffer[b].dtype = reference_random(seed) % TSR_N_DTYPES;
    const bool is_stored = b % 2 == 0;
    load[b][0] = draw_access(s, &d, b, false, 0);
    draw_strides(s, load[b][0], !is_stored, seed);
    load[b][1] = is_stored ? load[b][0] : draw_access(s, &d, b, false, 1);
    if (!is_stored) draw_strides(s, load[b][1], true, seed);
    store[b] = is_stored ? draw_access(s, &d, b, true, 0) : -1;
    if (!is_stored) continue;
    memcpy(s->stride[store[b]], s->stride[load[b][0]], sizeof *s->stride);
    s->offset[store[b]] = s->offset[load[b][0]];
  }
  for (int p = 0; p < 2; p++) {
    const tsr_dtype dtype = reference_random(seed) % TSR_N_DTYPES;
    s->scalar[s->n_scalars++] = reference_value(seed, dtype);
    keep(&d, tsr__kernel_scalar(d.b, tsr__kernel_scalar_add(d.b, dtype)), dtype);
  }
  if (s->ndim > 0 && reference_random(seed) % 3 == 0) {
    keep(&d, tsr__kernel_iota(d.b, reference_random(seed) % s->ndim), TSR_INT64);
  }
  const int n_actions = 4 + reference_random(seed) % 20;
  for (int i = 0; i < n_actions; i++) {
    const int b = reference_random(seed) % s->n_buffers;
    switch (reference_random(seed) % 4) {
    case 0:
      keep(&d, tsr__kernel_load(d.b, load[b][reference_random(seed) % 2]), s->buffer[b].dtype);
      break;
    case 1:
      if (b % 2 == 0) tsr__kernel_store(d.b, store[b], pick(&d, s->buffer[b].dtype));
      break;
    default:
      if (reference_random(seed) % 12 == 0)
        draw_random(&d);
      else
        draw_op(&d);
    }
  }
  tsr__kernel_store(d.b, store[0], pick(&d, s->buffer[0].dtype));
  return tsr__kernel_finish(d.b);
}

int stage_dense(stage *s, tsr_kernel_builder *b, tsr_dtype dtype, bool is_store, int buffer,
                int64_t n)
{
  s->ndim = 1;
  s->n[0] = n;
  if (buffer >= s->n_buffers) s->n_buffers = buffer + 1;
  s->buffer[buffer].dtype = dtype;
  s->buffer[buffer].elems = n;
  s->of[s->n_accesses] = buffer;
  s->stride[s->n_accesses++][0] = (int64_t)tsr__dtype_size(dtype);
  return tsr__kernel_access_add(b, dtype, is_store, buffer, 0);
}

tsr_kernel *stage_of_op(stage *s, tsr_opcode op, tsr_dtype compute, tsr_dtype result, bool with_f64,
                        int64_t n)
{
  const tsr_op_info *info = tsr__op_info(op);
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int n_args = info->max_args > 3 ? 3 : info->max_args;
  int args[3] = {0};
  for (int j = 0; j < n_args; j++) {
    const tsr_dtype in = info->rule == TSR_RULE_WHERE && j == 0 ? TSR_BOOL : compute;
    args[j] = tsr__kernel_load(b, stage_dense(s, b, in, false, j, n));
  }
  const int value = tsr__kernel_op(b, op, compute, result, n_args, args);
  tsr__kernel_store(b, stage_dense(s, b, result, true, n_args, n), value);
  if (with_f64)
    tsr__kernel_store(b, stage_dense(s, b, TSR_FLOAT64, true, n_args + 1, n),
                      tsr__kernel_cast(b, value, TSR_FLOAT64));
  return tsr__kernel_finish(b);
}

tsr_kernel *stage_of_random(stage *s, tsr_random f, bool of_scalars, int64_t n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  int args[3];
  for (int j = 0; j < 3; j++) {
    args[j] = tsr__kernel_load(b, stage_dense(s, b, TSR_INT64, false, j, n));
    if (!of_scalars) continue;
    s->scalar[s->n_scalars++] = (tsr_scalar){.dtype = TSR_INT64, .u.i = 77 + 5 * j};
    args[j] = tsr__kernel_scalar(b, tsr__kernel_scalar_add(b, TSR_INT64));
  }
  const int value = tsr__kernel_random(b, f, args);
  tsr__kernel_store(b, stage_dense(s, b, TSR_INT64, true, 3, n), value);
  tsr__kernel_store(b, stage_dense(s, b, TSR_FLOAT64, true, 4, n),
                    tsr__kernel_cast(b, value, TSR_FLOAT64));
  return tsr__kernel_finish(b);
}

tsr_kernel *stage_of_cast(stage *s, tsr_dtype from, tsr_dtype to, int64_t n)
{
  tsr_kernel_builder *b = tsr__kernel_builder_create(1);
  const int in = stage_dense(s, b, from, false, 0, n), out = stage_dense(s, b, to, true, 1, n);
  tsr__kernel_store(b, out, tsr__kernel_cast(b, tsr__kernel_load(b, in), to));
  return tsr__kernel_finish(b);
}
