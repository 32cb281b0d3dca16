/* Kernels whose values are combined along the inner axis: a step up the trees of reductions. The
 * threads that share a node have neighbouring values of it, so what a warp loads lies side by side.
 * They combine the lowest levels by exchanges, in which a thread gives away half of its values
 * while it has several, and the levels above when each has one. A thread that shares its node with
 * none combines what it has. Values outside of the shape are the ones that change nothing. */
#include "kernel/cuda/render_int.h"

#include "runtime/base/error.h"

#include <stdio.h>
#include <string.h>

typedef tsr_cuda_render render;

#define ADD(r, ...) tsr__text_add((r)->out, __VA_ARGS__)

static const char *suffix(int dtype)
{
  return tsr__dtype_info((tsr_dtype)dtype)->suffix;
}

/* Appends the greatest number of the dtype, or the least one. */
static void add_end(const render *r, int dtype, bool greatest)
{
  const int bits = 8 * (int)tsr__dtype_size((tsr_dtype)dtype);
  const int kind = tsr__dtype_kind((tsr_dtype)dtype);
  if (kind == TSR_KIND_FLOAT)
    ADD(r, "%sTSR_INF%d", greatest ? "" : "-", bits);
  else if (dtype == TSR_DTYPE_BOOL || (kind == TSR_KIND_UINT && !greatest))
    ADD(r, "%d", greatest);
  else if (kind == TSR_KIND_UINT)
    ADD(r, "(%s)-1", suffix(dtype));
  else
    ADD(r, greatest ? "-(INT%d_MIN + 1)" : "INT%d_MIN", bits);
}

/* Appends a value that changes none with which it is combined. */
static void add_neutral(const render *r, const tsr_cuda_taken *t)
{
  const int kind = tsr__dtype_kind((tsr_dtype)t->compute);
  const bool skips_nan = t->code == TSR_REDUCE_NANMIN || t->code == TSR_REDUCE_NANMAX;
  if (kind == TSR_KIND_COMPLEX) {
    ADD(r, "TSR_MAKE(");
    tsr__cuda_add_type(r, t->compute);
    ADD(r, ", -0.0f, -0.0f)");
  } else if (t->code == TSR_REDUCE_SUM) {
    ADD(r, kind == TSR_KIND_FLOAT ? "-0.0f" : "0");
  } else if (t->code == TSR_REDUCE_PROD || t->code == TSR_REDUCE_ALL) {
    ADD(r, "1");
  } else if (t->code == TSR_REDUCE_ANY || t->code == TSR_REDUCE_COUNT) {
    ADD(r, "0");
  } else if (skips_nan && kind == TSR_KIND_FLOAT) {
    ADD(r, "TSR_NAN%d", 8 * (int)tsr__dtype_size((tsr_dtype)t->compute));
  } else {
    add_end(r, t->compute,
            t->code == TSR_REDUCE_MIN || t->code == TSR_REDUCE_NANMIN ||
                t->code == TSR_REDUCE_ARGMIN);
  }
}

bool tsr__cuda_add_taken(const render *r, int access, int v)
{
  bool is_taken = false;
  for (int i = 0; i < r->form->reduced.n; i++) {
    const tsr_cuda_taken *t = &r->form->reduced.taken[i];
    if (tsr__cuda_has_index(t) && t->index == access) {
      ADD(r, "u%d = v%d;\n", i, v);
      return true;
    }
    if (t->access != access) continue;
    if (is_taken) ADD(r, "%*s", r->indent, "");
    ADD(r, "t%d = ", i);
    if (!tsr__dtype_is_complex((tsr_dtype)t->compute)) ADD(r, "(%s)", suffix(t->compute));
    ADD(r, "v%d;\n", v);
    is_taken = true;
  }
  return is_taken;
}

/* Lines that declare: the arrays of the values, of what is given away, and of their indices. */
static void emit_arrays(const render *r)
{
  const int count = 1 << r->form->reduced.log_count, half = count > 1 ? count / 2 : 1;
  for (int i = 0; i < r->form->reduced.n; i++) {
    const tsr_cuda_taken *t = &r->form->reduced.taken[i];
    const bool gives = r->form->reduced.log_lanes > 0 || r->form->reduced.log_groups > 0;
    for (int given = 0; given <= gives; given++) {
      ADD(r, "  VALUES(");
      tsr__cuda_add_type(r, t->compute);
      ADD(r, ", %c%d, %d);\n", given ? 'x' : 'a', i, given ? half : count);
      if (tsr__cuda_has_index(t))
        ADD(r, "  VALUES(i64, %c%d, %d);\n", given ? 'y' : 'b', i, given ? half : count);
    }
    if (r->form->reduced.log_groups == 0) continue;
    ADD(r, "  SHARED(");
    tsr__cuda_add_type(r, t->compute);
    ADD(r, ", s%d, %d);\n", i, TSR_CUDA_THREADS);
    if (tsr__cuda_has_index(t)) ADD(r, "  SHARED(i64, z%d, %d);\n", i, TSR_CUDA_THREADS);
  }
}

/* A line that says which node the thread has a part of. */
static void emit_node_number(const render *r)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  if (q->log_groups > 0)
    ADD(r, "    const u32 node = blockIdx.x * %du + threadIdx.x %% %du;\n",
        TSR_CUDA_THREADS >> q->log_groups, TSR_CUDA_THREADS >> q->log_groups);
  else
    ADD(r, "    const u32 node = blockIdx.x * %du + (threadIdx.x >> %d);\n",
        TSR_CUDA_THREADS >> q->log_lanes, q->log_lanes);
}

/* Lines that find the thread's node, and where it is along the axes. */
static void emit_node(const render *r)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  const int levels = q->log_lanes + q->log_count + q->log_groups;
  ADD(r, "    const u32 lane = threadIdx.x & %du;\n", (1 << q->log_lanes) - 1);
  emit_node_number(r);
  ADD(r, "    u32 rest = node;\n");
  for (int at = 0, axis = 1; at < r->form->n_axes; at++) {
    const bool is_inner = at == q->position, is_last = at == r->form->n_axes - 1;
    char name[16] = "i0", size[64];
    if (is_inner)
      snprintf(size, sizeof size, "(u32)((ARG(0) - 1 >> %d) + 1)", levels);
    else
      snprintf(size, sizeof size, "(u32)ARG(%d)", axis);
    if (!is_inner) snprintf(name, sizeof name, "i%d", axis++);
    if (is_last)
      ADD(r, "    const i64 %s = rest;\n", name);
    else
      ADD(r, "    const i64 %s = rest %% %s; rest /= %s;\n", name, size, size);
  }
}

/* Does a thread number its own values, of which the first of equals is the one before? */
static bool is_numbered(const render *r, int taken)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  return tsr__cuda_has_index(&q->taken[taken]) && q->taken[taken].index == TSR_CUDA_FLAT &&
         (q->log_lanes == 0 || q->own_first);
}

/* Lines that combine the arrays' element `to` with what the texts name, in all reductions. */
static void emit_combine(const render *r, const char *to, char with, const char *from)
{
  for (int i = 0; i < r->form->reduced.n; i++) {
    const tsr_cuda_taken *t = &r->form->reduced.taken[i];
    char x[48], y[48];
    snprintf(x, sizeof x, "AT(a%d)[%s]", i, to);
    snprintf(y, sizeof y, "AT(%c%d)[%s]", with, i, from);
    ADD(r, "%*s", r->indent, "");
    if (!tsr__cuda_has_index(t)) {
      ADD(r, "%s = ", x);
      tsr__cuda_add_expression(r,
                               tsr__reduce_combining((tsr_reduction)t->code, (tsr_dtype)t->compute),
                               t->compute, x, y, "", 2);
      ADD(r, ";\n");
      continue;
    }
    const char *order = t->code == TSR_REDUCE_ARGMIN ? "<" : ">";
    const bool is_float = tsr__dtype_kind((tsr_dtype)t->compute) == TSR_KIND_FLOAT;
    const bool is_ordered = with == 'a' && is_numbered(r, i);
    ADD(r, "{ const ");
    tsr__cuda_add_type(r, t->compute);
    ADD(r, " p = %s, q = %s; const i64 pi = AT(b%d)[%s], qi = AT(%c%d)[%s];\n", x, y, i, to,
        with == 'a' ? 'b' : 'y', i, from);
    ADD(r, "%*s  const int wins = ", r->indent, "");
    if (is_ordered)
      ADD(r, is_float ? "q %s p || (q != q && p == p);\n" : "q %s p;\n", order);
    else if (is_float)
      ADD(r, "q %s p || (q != q && p == p) || ((q == p || (q != q && p != p)) && qi < pi);\n",
          order);
    else
      ADD(r, "q %s p || (q == p && qi < pi);\n", order);
    ADD(r, "%*s  %s = wins ? q : p; AT(b%d)[%s] = wins ? qi : pi; }\n", r->indent, "", x, i, to);
  }
}

/* Where the thread's value j is along the inner axis. */
static void add_index(const render *r, const char *j)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  ADD(r, "(i0 << %d) + (%s << %d) + lane", q->log_lanes + q->log_count + q->log_groups, j,
      q->log_lanes);
  if (q->log_groups > 0)
    ADD(r, " + (threadIdx.x / %du << %d)", TSR_CUDA_THREADS >> q->log_groups, q->log_count);
}

/* The index in the domain of what is at i along the inner axis. */
static void add_flat_index(const render *r)
{
  ADD(r, "ARG(%d) + i * ARG(%d)", r->words.flat, r->words.flat + 1);
  for (int axis = 1; axis < r->form->n_axes; axis++)
    ADD(r, " + i%d * ARG(%d)", axis, r->words.flat + 1 + axis);
  ADD(r, ";\n");
}

/* Lines that compute the thread's values. */
static void emit_values(render *r)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  tsr__cuda_emit_streams(r);
  ADD(r, "    UNROLL for (int j = 0; j < %d; j++) {\n", 1 << q->log_count);
  ADD(r, "      const i64 i = ");
  add_index(r, "j");
  ADD(r, ";\n");
  for (int i = 0; i < q->n; i++) {
    ADD(r, "      ");
    tsr__cuda_add_type(r, q->taken[i].compute);
    ADD(r, " t%d = ", i);
    add_neutral(r, &q->taken[i]);
    ADD(r, ";\n");
    if (is_numbered(r, i))
      ADD(r, "      const i64 u%d = j;\n", i);
    else if (tsr__cuda_has_index(&q->taken[i]))
      ADD(r, "      i64 u%d = -(INT64_MIN + 1);\n", i);
  }
  ADD(r, "      if (node < (u32)ARG(%d) && i < ARG(0)) {\n", r->words.rows);
  r->indent = 8;
  tsr__cuda_emit_point(r);
  for (int i = 0; i < q->n; i++) {
    if (!tsr__cuda_has_index(&q->taken[i]) || q->taken[i].index != TSR_CUDA_FLAT ||
        is_numbered(r, i))
      continue;
    ADD(r, "        u%d = ", i);
    add_flat_index(r);
  }
  ADD(r, "      }\n");
  for (int i = 0; i < q->n; i++) {
    ADD(r, "      AT(a%d)[j] = t%d;\n", i, i);
    if (tsr__cuda_has_index(&q->taken[i])) ADD(r, "      AT(b%d)[j] = u%d;\n", i, i);
  }
  ADD(r, "    }\n");
}

/* Text that exchanges `count` values with the thread whose number differs in one bit, and combines
 * them. By halves, a thread keeps every other of twice as many. */
static void emit_exchange(render *r, int bit, int count, bool by_halves)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  ADD(r, "  THREADS {\n");
  if (by_halves) ADD(r, "    const u32 up = threadIdx.x >> %d & 1;\n", bit);
  ADD(r, "    UNROLL for (int k = 0; k < %d; k++) {\n", count);
  for (int i = 0; i < q->n; i++) {
    for (int of_index = 0; of_index <= tsr__cuda_has_index(&q->taken[i]); of_index++) {
      const char own = of_index ? 'b' : 'a', given = of_index ? 'y' : 'x';
      if (!by_halves) {
        ADD(r, "      AT(%c%d)[k] = AT(%c%d)[k];\n", given, i, own, i);
        continue;
      }
      ADD(r, "      { const ");
      if (of_index)
        ADD(r, "i64");
      else
        tsr__cuda_add_type(r, q->taken[i].compute);
      ADD(r, " low = AT(%c%d)[2 * k], high = AT(%c%d)[2 * k + 1];\n", own, i, own, i);
      ADD(r, "        AT(%c%d)[k] = up ? low : high; AT(%c%d)[k] = up ? high : low; }\n", given, i,
          own, i);
    }
  }
  ADD(r, "    }\n  }\n");
  for (int i = 0; i < q->n; i++) {
    const bool is_complex = tsr__dtype_is_complex((tsr_dtype)q->taken[i].compute);
    ADD(r, "  %s(", is_complex ? "EXCHANGE_PARTS" : "EXCHANGE");
    tsr__cuda_add_type(r, q->taken[i].compute);
    ADD(r, ", x%d, %d, %d);\n", i, 1 << bit, count);
    if (tsr__cuda_has_index(&q->taken[i]))
      ADD(r, "  EXCHANGE(i64, y%d, %d, %d);\n", i, 1 << bit, count);
  }
  ADD(r, "  THREADS {\n    UNROLL for (int k = 0; k < %d; k++) {\n", count);
  r->indent = 6;
  emit_combine(r, "k", 'x', "k");
  ADD(r, "    }\n  }\n");
}

/* The lowest levels are those of the lanes, and a thread's values follow. After halving, the low
 * bits of a lane's number are the number of its value. */
static void emit_exchanges(render *r)
{
  const int lanes = r->form->reduced.log_lanes;
  const int counts = r->form->reduced.own_first ? 0 : r->form->reduced.log_count;
  TSR_ASSERT(counts <= lanes);
  for (int bit = 0; bit < counts; bit++) emit_exchange(r, bit, 1 << (counts - 1 - bit), true);
  for (int bit = counts; bit < lanes; bit++) emit_exchange(r, bit, 1, false);
  for (int bit = 0; bit < counts; bit++) emit_exchange(r, bit, 1, false);
}

/* Text that combines what the groups of a block have, through shared memory. */
static void emit_groups(render *r)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  const int nodes = TSR_CUDA_THREADS >> q->log_groups;
  for (int level = 0; level < q->log_groups; level++) {
    ADD(r, "  THREADS {\n");
    for (int i = 0; i < q->n; i++) {
      ADD(r, "    s%d[threadIdx.x] = AT(a%d)[0];\n", i, i);
      if (tsr__cuda_has_index(&q->taken[i])) ADD(r, "    z%d[threadIdx.x] = AT(b%d)[0];\n", i, i);
    }
    ADD(r, "  }\n  BARRIER;\n  THREADS {\n    if (threadIdx.x / %du %% %du == 0) {\n", nodes,
        2 << level);
    for (int i = 0; i < q->n; i++) {
      ADD(r, "      AT(x%d)[0] = s%d[threadIdx.x + %d];\n", i, i, nodes << level);
      if (tsr__cuda_has_index(&q->taken[i]))
        ADD(r, "      AT(y%d)[0] = z%d[threadIdx.x + %d];\n", i, i, nodes << level);
    }
    r->indent = 6;
    emit_combine(r, "0", 'x', "0");
    ADD(r, "    }\n  }\n");
    if (level + 1 < q->log_groups) ADD(r, "  BARRIER;\n");
  }
}

/* Lines that combine what the thread has. */
static void emit_own_tree(render *r)
{
  const int count = 1 << r->form->reduced.log_count;
  for (int apart = 1; apart < count; apart *= 2) {
    char from[32];
    ADD(r, "    UNROLL for (int j = 0; j < %d; j += %d) {\n", count, 2 * apart);
    snprintf(from, sizeof from, "j + %d", apart);
    r->indent = 6;
    emit_combine(r, "j", 'a', from);
    ADD(r, "    }\n");
  }
  for (int i = 0; i < r->form->reduced.n; i++) {
    char number[32];
    if (!is_numbered(r, i)) continue;
    snprintf(number, sizeof number, "(i64)(u32)AT(b%d)[0]", i);
    ADD(r, "    { const i64 i = ");
    add_index(r, number);
    ADD(r, ";\n      AT(b%d)[0] = ", i);
    add_flat_index(r);
    ADD(r, "    }\n");
  }
}

void tsr__cuda_emit_reduction(render *r, const char *name)
{
  const tsr_cuda_reduced *q = &r->form->reduced;
  ADD(r, "KERNEL(%s, %d)\n{\n", name, r->words.n);
  emit_arrays(r);
  ADD(r, "  THREADS {\n");
  emit_node(r);
  r->indent = 4;
  emit_values(r);
  if (q->log_lanes == 0 || q->own_first) emit_own_tree(r);
  ADD(r, "  }\n");
  if (q->log_lanes > 0) emit_exchanges(r);
  if (q->log_groups > 0) emit_groups(r);
  ADD(r, "  THREADS {\n");
  emit_node_number(r);
  if (q->log_groups > 0)
    ADD(r, "    if (threadIdx.x < %du", TSR_CUDA_THREADS >> q->log_groups);
  else
    ADD(r, "    if ((threadIdx.x & %du) == 0", (1 << q->log_lanes) - 1);
  ADD(r, " && node < (u32)ARG(%d)) {\n", r->words.rows);
  for (int i = 0; i < q->n; i++) {
    ADD(r, "      ((");
    tsr__cuda_add_type(r, q->taken[i].compute);
    ADD(r, " *)ARG(%d))[node] = AT(a%d)[0];\n", r->words.base + q->taken[i].access, i);
    if (tsr__cuda_has_index(&q->taken[i]))
      ADD(r, "      ((i64 *)ARG(%d))[node] = AT(b%d)[0];\n", r->words.index + i, i);
  }
  ADD(r, "    }\n  }\n}\n");
}
