/* Products of matrices. A block of threads computes a tile of the product, of which a thread holds
 * its elements in registers. What they need of the operands goes through shared memory, DEPTH steps
 * of k at a time, in one half of it: while these are multiplied, the next ones come from memory and
 * go to the other half. An element is one chain of fma over k, in order, from 0, and is then added
 * to what was there: the host's bits. Steps behind the last one are products of -0 and 0, which
 * change nothing, not even the sign of a zero.
 *
 * Of more steps than a panel has, each panel is a chain that is added to what the last one left, by
 * the thread that stored it. The copies of steps go on meanwhile. */
#include "kernel/cuda/product.h"
#include "kernel/cuda/render_int.h"
#include "kernel/ir/panel.h"

typedef struct product {
  tsr_text *out;
  const tsr_cuda_form *form;
  const char *type;
} product;

#define ADD(p, ...) tsr__text_add((p)->out, __VA_ARGS__)

static const char *const names[] = {"left", "right"};
enum { LEFT, RIGHT, RESULT, FROM };

static void emit_begin(const product *p, const char *name)
{
  const tsr_cuda_product *q = &p->form->product;
  const int words = TSR_PRODUCT_BATCH + p->form->n_axes * TSR_PRODUCT_BATCH_WORDS;
  ADD(p, "KERNEL(%s, %d)\n{\n", name, words);
  const int depth = q->tile == 128 && p->type[1] == '6' ? 8 : 16; /* as registers allow */
  ADD(p,
      "  enum { TILE = %d, DEPTH = %d, STEP = TILE + 4, PER = TILE / 16, PART = DEPTH * STEP };\n",
      q->tile, depth);
  ADD(p, "  enum { WIDE = 16 / sizeof(%s), LOADS = TILE * DEPTH / 256, FEW = TILE / 32 };\n",
      p->type);
  ADD(p, "  enum { TURNED = 32 / sizeof(%s), LINES = TILE * TURNED / 256 };\n", p->type);
  for (int x = LEFT; x <= RIGHT; x++)
    ADD(p, "  SHARED(%s, %s, 2 * PART);\n  VALUES(%s, next_%s, LOADS);\n", p->type, names[x],
        p->type, names[x]);
  if (q->panels) ADD(p, "  enum { PANEL = %d };\n", TSR_MATMUL_PANEL);
  ADD(p, "  VALUES(%s, sum, PER * PER);\n", p->type);
  ADD(p, "  const u32 down = (u32)((ARG(0) + TILE - 1) / TILE);\n"
         "  const i64 first_left = (i64)(blockIdx.x %% down) * TILE;\n"
         "  const i64 first_right = (i64)(blockIdx.x / down) * TILE;\n");
}

void tsr__cuda_emit_batch(const tsr_cuda_form *form, tsr_text *out)
{
  const product *p = &(product){.out = out, .form = form};
  if (p->form->n_axes > 0)
    ADD(p, "  for (i64 batch = blockIdx.y; batch < ARG(3); batch += gridDim.y) {\n"
           "    i64 rest = batch;\n");
  else
    ADD(p, "  {\n");
  for (int x = LEFT; x <= FROM; x++) {
    if (x == FROM && !p->form->product.adds) continue;
    ADD(p, "    %schar *at_%d = (%schar *)ARG(%d);\n", x == RESULT ? "" : "const ", x,
        x == RESULT ? "" : "const ", TSR_PRODUCT_BASE + x);
  }
  for (int i = p->form->n_axes - 1; i >= 0; i--) {
    const int axis = TSR_PRODUCT_BATCH + i * TSR_PRODUCT_BATCH_WORDS;
    for (int x = LEFT; x <= FROM; x++)
      if (x != FROM || p->form->product.adds)
        ADD(p, "    at_%d += rest %% ARG(%d) * ARG(%d);\n", x, axis, axis + 1 + x);
    ADD(p, "    rest /= ARG(%d);\n", axis);
  }
}

/* Lines in which a thread loads its part of both operands from the steps `at` on. */
static void emit_loads(const product *p, int indent, const char *at)
{
  for (int x = LEFT; x <= RIGHT; x++) {
    const bool turned = x == LEFT ? p->form->product.left_turned : p->form->product.right_turned;
    ADD(p, "%*sUNROLL for (int q = 0; q < LOADS; q++) {\n", indent, "");
    if (turned)
      ADD(p,
          "%*s  const i64 line = first_%s + threadIdx.x / TURNED + q %% LINES * (256 / TURNED);\n"
          "%*s  const i64 depth = %s + threadIdx.x %% TURNED + q / LINES * TURNED;\n",
          indent, "", names[x], indent, "", at);
    else
      ADD(p,
          "%*s  const i64 line = first_%s + threadIdx.x %% TILE;\n"
          "%*s  const i64 depth = %s + threadIdx.x / TILE + q * (256 / TILE);\n",
          indent, "", names[x], indent, "", at);
    ADD(p, "%*s  AT(next_%s)[q] = %s(%s)0;\n", indent, "", names[x], x == LEFT ? "-" : "", p->type);
    ADD(p, "%*s  if (line < ARG(%d) && depth < ARG(2))\n", indent, "", x == LEFT ? 0 : 1);
    ADD(p,
        "%*s    AT(next_%s)[q] = READ_ONLY((const %s *)(at_%d + line * ARG(%d) + depth * "
        "ARG(%d)));\n",
        indent, "", names[x], p->type, x, tsr__cuda_product_stride(x, x == RIGHT),
        tsr__cuda_product_stride(x, x == LEFT));
    ADD(p, "%*s}\n", indent, "");
  }
}

/* Lines in which a thread puts what it loaded into shared memory. */
static void emit_puts(const product *p, int indent, const char *part)
{
  for (int x = LEFT; x <= RIGHT; x++) {
    const bool turned = x == LEFT ? p->form->product.left_turned : p->form->product.right_turned;
    ADD(p, "%*sUNROLL for (int q = 0; q < LOADS; q++)\n%*s  %s[%s", indent, "", indent, "",
        names[x], part);
    if (turned)
      ADD(p, "(threadIdx.x %% TURNED + q / LINES * TURNED) * STEP + threadIdx.x / TURNED +\n"
             "            q %% LINES * (256 / TURNED)]");
    else
      ADD(p, "(threadIdx.x / TILE + q * (256 / TILE)) * STEP + threadIdx.x %% TILE]");
    ADD(p, " = AT(next_%s)[q];\n", names[x]);
  }
}

static void emit_chains(const product *p)
{
  ADD(p,
      "        UNROLL for (int d = 0; d < DEPTH; d++) {\n"
      "          PIECE(%s, x, PER);\n"
      "          PIECE(%s, y, PER);\n"
      "          UNROLL for (int i = 0; i < PER; i += WIDE) {\n"
      "            LOAD_16(x + i, left + now + d * STEP + i * 16 + threadIdx.x / 16 * WIDE);\n"
      "            LOAD_16(y + i, right + now + d * STEP + i * 16 + threadIdx.x %% 16 * WIDE);\n"
      "          }\n"
      "          UNROLL for (int i = 0; i < PER; i++)\n"
      "            UNROLL for (int j = 0; j < PER; j++)\n"
      "              AT(sum)[i * PER + j] = fma_%s(x[i], y[j], AT(sum)[i * PER + j]);\n"
      "        }\n",
      p->type, p->type, p->type);
}

static void emit_mma(const product *p)
{
  ADD(p, "        const u32 warp = threadIdx.x / 32;\n"
         "        UNROLL for (int d = 0; d < DEPTH; d += 8) {\n"
         "          MMA_LEFT(x, FEW);\n"
         "          MMA_RIGHT(y, FEW);\n"
         "          UNROLL for (int i = 0; i < FEW; i++) {\n"
         "            LOAD_LEFT(x[i], left + now + d * STEP + warp %% 2 * (TILE / 2) + i * 16, "
         "STEP);\n"
         "            LOAD_RIGHT(y[i], right + now + d * STEP + warp / 2 * (TILE / 4) + i * 8, "
         "STEP);\n"
         "          }\n"
         "          UNROLL for (int i = 0; i < FEW; i++)\n"
         "            UNROLL for (int j = 0; j < FEW; j++)\n"
         "              MMA(AT(sum) + (i * FEW + j) * 4, x[i], y[j], STEP);\n"
         "        }\n");
}

bool tsr__cuda_product_loads(const tsr_cuda_form *form)
{
  return form->product.adds || form->product.panels;
}

void tsr__cuda_emit_from(const tsr_cuda_form *form, int indent, bool of_columns, tsr_text *out)
{
  static const char *const names[] = {"from_row", "from_column"};
  const bool adds = form->product.adds, panels = form->product.panels;
  if (!tsr__cuda_product_loads(form)) return;
  tsr__text_add(out, "%*sconst char *const from = ", indent, "");
  if (adds && panels)
    tsr__text_add(out, "is_first ? at_%d : at_%d;\n", FROM, RESULT);
  else
    tsr__text_add(out, "at_%d;\n", adds ? FROM : RESULT);
  for (int i = 0; i <= of_columns; i++) {
    const int first = tsr__cuda_product_stride(FROM, i),
              later = tsr__cuda_product_stride(RESULT, i);
    tsr__text_add(out, "%*sconst i64 %s = ", indent, "", names[i]);
    if (adds && panels)
      tsr__text_add(out, "is_first ? ARG(%d) : ARG(%d);\n", first, later);
    else
      tsr__text_add(out, "ARG(%d);\n", adds ? first : later);
  }
}

void tsr__cuda_emit_store(const tsr_cuda_form *form, const char *type, const char *value,
                          tsr_text *out)
{
  tsr__text_add(out,
                "        if (row < ARG(0) && column < ARG(1))\n"
                "          *(%s *)(at_%d + row * ARG(%d) + column * ARG(%d)) =\n            ",
                type, RESULT, tsr__cuda_product_stride(RESULT, false),
                tsr__cuda_product_stride(RESULT, true));
  if (form->product.adds)
    tsr__text_add(out, "*(const %s *)(from + row * from_row + column * from_column) + ", type);
  else if (form->product.panels)
    tsr__text_add(out,
                  "(is_first ? -(%s)0 : *(const %s *)(from + row * from_row + column * "
                  "from_column)) +\n            ",
                  type, type);
  tsr__text_add(out, "%s;\n", value);
}

/* Lines in which a thread stores its elements. */
static void emit_stores(const product *p)
{
  ADD(p, "    THREADS {\n");
  if (p->form->product.panels) ADD(p, "      const int is_first = first == 0;\n");
  tsr__cuda_emit_from(p->form, 6, true, p->out);
  ADD(p, "      UNROLL for (int e = 0; e < PER * PER; e++) {\n");
  if (p->form->product.by_mma)
    ADD(p, "        const u32 warp = threadIdx.x / 32, lane = threadIdx.x %% 32;\n"
           "        const i64 row = first_left + warp %% 2 * (TILE / 2) + e / (4 * FEW) * 16 +\n"
           "                        lane / 4 + e %% 4 / 2 * 8;\n"
           "        const i64 column = first_right + warp / 2 * (TILE / 4) + e / 4 %% FEW * 8 +\n"
           "                           lane %% 4 * 2 + e %% 2;\n");
  else
    ADD(p, "        const int i = e / PER, j = e %% PER;\n"
           "        const i64 row = first_left + (i / WIDE * 16 + threadIdx.x / 16) * WIDE + i %% "
           "WIDE;\n"
           "        const i64 column = first_right + (j / WIDE * 16 + threadIdx.x %% 16) * WIDE +\n"
           "                           j %% WIDE;\n");
  tsr__cuda_emit_store(p->form, p->type, "AT(sum)[e]", p->out);
  ADD(p, "      }\n");
  if (p->form->product.panels)
    ADD(p, "      UNROLL for (int e = 0; e < PER * PER; e++) AT(sum)[e] = 0;\n");
  ADD(p, "    }\n");
}

void tsr__cuda_emit_product(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                            tsr_text *out)
{
  if (form->product.stages.n > 0) {
    tsr__cuda_emit_stages(k, form, name, out);
    return;
  }
  const tsr_dtype dtype = (tsr_dtype)k->accesses[k->n_accesses - 1].dtype;
  const product p = {out, form, tsr__dtype_info(dtype)->suffix};
  emit_begin(&p, name);
  tsr__cuda_emit_batch(form, out);
  ADD(&p, "    THREADS {\n      UNROLL for (int e = 0; e < PER * PER; e++) AT(sum)[e] = 0;\n");
  emit_loads(&p, 6, "0");
  emit_puts(&p, 6, "");
  ADD(&p, "    }\n    BARRIER;\n");
  ADD(&p,
      form->product.panels
          ? "    for (i64 first = 0, step = 0, now = 0; first < ARG(2); first += PANEL) {\n"
            "    const i64 end = first + PANEL < ARG(2) ? first + PANEL : ARG(2);\n"
            "    for (; step < end; step += DEPTH, now = PART - now) {\n"
          : "    for (i64 step = 0, now = 0; step < ARG(2); step += DEPTH, now = PART - now) {\n");
  ADD(&p, "      THREADS {\n        if (step + DEPTH < ARG(2)) {\n");
  emit_loads(&p, 10, "step + DEPTH");
  ADD(&p, "        }\n");
  if (form->product.by_mma)
    emit_mma(&p);
  else
    emit_chains(&p);
  ADD(&p, "        if (step + DEPTH < ARG(2)) {\n");
  emit_puts(&p, 10, "PART - now + ");
  ADD(&p, "        }\n      }\n      BARRIER;\n    }\n");
  emit_stores(&p);
  if (form->product.panels) ADD(&p, "    }\n");
  ADD(&p, "  }\n}\n");
}
