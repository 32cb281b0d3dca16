/* Products of matrices whose operands come in stages. Shared memory has space for several parts of
 * DEPTH steps; while a block multiplies one, the next ones are copied by the device. An operand
 * lies there as it does in memory, by lines (rows of the left one, columns of the right one) or by
 * steps. What a warp loads at once is in different banks: of float64 each line, or step, is a
 * quarter of the banks further than the last one; of float32 pieces of 16 bytes change places. The
 * chains are those of render_product.c, in the same order. */
#include "kernel/cuda/product.h"
#include "kernel/cuda/render_int.h"
#include "kernel/ir/panel.h"

#include "runtime/base/error.h"

typedef struct staged {
  tsr_text *out;
  const tsr_cuda_form *form;
  const char *name, *type;
  int size; /* of an element */
} staged;

#define ADD(p, ...) tsr__text_add((p)->out, __VA_ARGS__)

static const char *const names[] = {"left", "right"};
static const char *const sides[] = {"ROWS", "COLUMNS"};
static const char *const capitals[] = {"LEFT", "RIGHT"};
enum { LEFT, RIGHT, RESULT, FROM };

static bool is_turned(const staged *p, int x)
{
  return x == LEFT ? p->form->product.left_turned : p->form->product.right_turned;
}

/* How an operand's part lies: so many lines or steps, and the elements from one to the next. */
typedef struct lying {
  int n, pitch;
} lying;

/* What a warp loads at once are, of float64, 4 steps of 4 lines by 8 bytes or of pairs of lines by
 * 16; of float32, 16 bytes of up to 8 lines. */
static lying lying_of(const tsr_cuda_product *p, int x, int size)
{
  const bool by_lines = x == LEFT ? p->left_turned : p->right_turned;
  const int lines = x == LEFT ? p->stages.rows : p->stages.columns, steps = p->stages.depth;
  return (lying){.n = by_lines ? lines : steps,
                 .pitch = (by_lines ? steps : lines) + (size == 8 ? 4 : 0)};
}

static int elements_of(lying part)
{
  return part.n * part.pitch;
}

int tsr__cuda_stages_bytes(const tsr_cuda_product *p, int size)
{
  const int both = elements_of(lying_of(p, LEFT, size)) + elements_of(lying_of(p, RIGHT, size));
  return both * p->stages.n * size;
}

/* The function that says where an element of a part is. */
static void emit_at(const staged *p, int x)
{
  const int depth = p->form->product.stages.depth,
            each = lying_of(&p->form->product, x, p->size).pitch;
  ADD(p, "TSR_MATH u32 %s_%s(u32 line, u32 step)\n{\n  return ", p->name, names[x]);
  if (!is_turned(p, x))
    ADD(p, "step * %d + line;\n}\n", each);
  else if (p->size == 8)
    ADD(p, "line * %d + step;\n}\n", each);
  else
    ADD(p, "line * %d + (step / 4 ^ line / %s) * 4 + step %% 4;\n}\n", each,
        depth == 16 ? "2 % 4" : "4 % 2");
}

static void emit_begin(const staged *p, const char *name)
{
  const tsr_cuda_stages *s = &p->form->product.stages;
  const int words = TSR_PRODUCT_BATCH + p->form->n_axes * TSR_PRODUCT_BATCH_WORDS;
  emit_at(p, LEFT);
  emit_at(p, RIGHT);
  ADD(p, "KERNEL_BLOCKS(%s, %d, %d)\n{\n", name, words, s->blocks);
  ADD(p, "  enum { ROWS = %d, COLUMNS = %d, DEPTH = %d, STAGES = %d, WIDE = %d };\n", s->rows,
      s->columns, s->depth, s->n, 16 / p->size);
  ADD(p, "  enum { DOWN = %d, ACROSS = %d, PER = ROWS * COLUMNS / 256 };\n", s->warps_down,
      8 / s->warps_down);
  for (int x = LEFT; x <= RIGHT; x++) {
    const lying part = lying_of(&p->form->product, x, p->size);
    ADD(p, "  enum { PITCH_%s = %d, PART_%s = %d };\n", capitals[x], part.pitch, capitals[x],
        elements_of(part));
  }
  const int bytes = tsr__cuda_stages_bytes(&p->form->product, p->size);
  ADD(p, "  %s(%s, both, STAGES * (PART_LEFT + PART_RIGHT));\n",
      bytes > TSR_CUDA_SHARED_BYTES ? "SHARED_ASKED" : "SHARED", p->type);
  ADD(p, "  %s *const left = both, *const right = both + STAGES * PART_LEFT;\n", p->type);
  for (int x = LEFT; x <= RIGHT; x++)
    ADD(p,
        "  enum { COPIES_%s = %s * DEPTH / WIDE / 256 };\n"
        "  VALUES(i32, from_%s, COPIES_%s);\n  VALUES(u32, place_%s, 1);\n",
        capitals[x], sides[x], names[x], capitals[x], names[x]);
  ADD(p, "  VALUES(%s, sum, PER);\n", p->type);
  if (p->form->product.panels) ADD(p, "  enum { PANEL = %d / DEPTH };\n", TSR_MATMUL_PANEL);
  ADD(p, "  const u32 steps = (u32)(ARG(2) / DEPTH);\n"
         "  const u32 down = (u32)((ARG(0) + ROWS - 1) / ROWS);\n");
  if (s->band == 0) {
    ADD(p, "  const u32 part_left = blockIdx.x %% down, part_right = blockIdx.x / down;\n");
  } else {
    ADD(p,
        "  const u32 band = %d * (u32)((ARG(1) + COLUMNS - 1) / COLUMNS);\n"
        "  const u32 first_part = blockIdx.x / band * %d;\n"
        "  const u32 n_parts = down - first_part < %d ? down - first_part : %d;\n"
        "  const u32 part_left = first_part + blockIdx.x %% band %% n_parts;\n"
        "  const u32 part_right = blockIdx.x %% band / n_parts;\n",
        s->band, s->band, s->band, s->band);
  }
}

/* Lines that say from where a thread copies, in pieces of 16 bytes behind the step that is next,
 * and where its first piece goes in a part. Lines behind the last one are the last ones again. */
static void emit_elements_of(const staged *p, int x)
{
  const char *const n = names[x], *const side = sides[x];
  const int of_lines = tsr__cuda_product_stride(x, x == RIGHT);
  const int of_steps = tsr__cuda_product_stride(x, x == LEFT);
  ADD(p, "      AT(place_%s)[0] = %s_%s(", n, p->name, n);
  if (is_turned(p, x))
    ADD(p,
        "thread / (DEPTH / WIDE), thread %% (DEPTH / WIDE) * WIDE);\n"
        "      UNROLL for (int q = 0; q < COPIES_%s; q++) {\n"
        "        const i32 line = (i32)(part_%s * %s + thread / (DEPTH / WIDE)) +\n"
        "                         q * (256 * WIDE / DEPTH);\n"
        "        const i32 last = (i32)ARG(%d) - 1, apart = (i32)(ARG(%d) / 16);\n"
        "        AT(from_%s)[q] = (line < last ? line : last) * apart +\n"
        "                         (i32)(thread %% (DEPTH / WIDE));\n      }\n",
        capitals[x], n, side, x, of_lines, n);
  else
    ADD(p,
        "thread %% (%s / WIDE) * WIDE, thread / (%s / WIDE));\n"
        "      const i64 line_%s = (i64)part_%s * %s + thread %% (%s / WIDE) * WIDE;\n"
        "      const i64 last_%s = ARG(%d) - WIDE, step_%s = thread / (%s / WIDE);\n"
        "      UNROLL for (int q = 0; q < COPIES_%s; q++)\n"
        "        AT(from_%s)[q] = (i32)(((line_%s < last_%s ? line_%s : last_%s) * ARG(%d) +\n"
        "            (step_%s + q * (256 * WIDE / %s)) * ARG(%d)) / 16);\n",
        side, side, n, n, side, side, n, x, n, side, capitals[x], n, n, n, n, n, of_lines, n, side,
        of_steps);
}

/* Says where a thread's elements of both operands are. */
static void emit_elements(const staged *p)
{
  ADD(p, "      u32 thread = threadIdx.x;\n      HERE(thread);\n");
  emit_elements_of(p, LEFT);
  emit_elements_of(p, RIGHT);
}

/* Lines in which a thread copies its pieces of a part, `ahead` parts behind the next one, to one of
 * the block's. Of float32, registers do not hold the offsets from step to step. */
static void emit_copies(const staged *p, int indent, const char *ahead, const char *to)
{
  if (p->size == 4) emit_elements(p);
  for (int x = LEFT; x <= RIGHT; x++) {
    const char *const n = names[x];
    ADD(p,
        "%*sUNROLL for (int q = 0; q < COPIES_%s; q++)\n"
        "%*s  COPY_16(%s + %s * PART_%s + AT(place_%s)[0] + q * (256 * WIDE / %s * PITCH_%s),\n",
        indent, "", capitals[x], indent, "", n, to, capitals[x], n,
        is_turned(p, x) ? "DEPTH" : sides[x], capitals[x]);
    ADD(p, "%*s          next_%s + ", indent, "", n);
    if (ahead) ADD(p, "%s * (DEPTH * ARG(%d)) + ", ahead, tsr__cuda_product_stride(x, x == LEFT));
    ADD(p, "(i64)AT(from_%s)[q] * 16);\n", n);
  }
}

/* Lines that move on by so many parts. */
static void emit_moves(const staged *p, const char *n_parts)
{
  for (int x = LEFT; x <= RIGHT; x++)
    ADD(p, "      next_%s += %s * (DEPTH * ARG(%d));\n", names[x], n_parts,
        tsr__cuda_product_stride(x, x == LEFT));
}

/* Lines in which a thread begins the copies of the part that is multiplied STAGES - 1 parts
 * later. */
static void emit_next_copies(const staged *p, int indent)
{
  ADD(p,
      "%*sif (step + STAGES - 1 < steps) {\n"
      "%*s  const u32 next = now == 0 ? STAGES - 1 : now - 1;\n",
      indent, "", indent, "");
  emit_copies(p, indent + 2, NULL, "next");
  ADD(p, "%*s}\n%*sCOPY_COMMIT;\n", indent, "", indent, "");
}

/* The copies begin when the matrix instructions have something to do. */
static void emit_mma(const staged *p)
{
  ADD(p, "        enum { HIGH = ROWS / DOWN, BROAD = COLUMNS / ACROSS };\n"
         "        const u32 warp = threadIdx.x / 32;\n"
         "        UNROLL for (int d = 0; d < DEPTH; d += 8) {\n"
         "          MMA_LEFT_AT(x, HIGH / 16);\n"
         "          MMA_RIGHT_AT(y, BROAD / 8);\n"
         "          UNROLL for (int i = 0; i < HIGH / 16; i++)\n");
  ADD(p,
      "            LOAD_LEFT_%s(x + i, part_l, %s_left, warp %% DOWN * HIGH, i * 16, PITCH_LEFT, "
      "d);\n",
      is_turned(p, LEFT) ? "LINES" : "PAIRS", p->name);
  ADD(p, "          UNROLL for (int j = 0; j < BROAD / 8; j += 2)\n");
  ADD(p, "            LOAD_RIGHT_AT(y + j, part_r, %s_right, warp / DOWN * BROAD, j * 8, %s, d);\n",
      p->name, is_turned(p, RIGHT) ? "PITCH_RIGHT" : "1");
  ADD(p,
      "          UNROLL for (int i = 0; i < HIGH / 16; i++)\n"
      "            UNROLL for (int j = 0; j < BROAD / 8; j++)\n"
      "              MMA_AT(AT(sum) + (i * (BROAD / 8) + j) * 4, x[i], y[j], %s_left, %s_right);\n"
      "          if (d == 0) {\n",
      p->name, p->name);
  emit_next_copies(p, 12);
  ADD(p, "          }\n        }\n");
}

/* Where a thread of 16 by 16 has its lines: neighbours are 4 by 8 of a warp. */
static void emit_lines(const staged *p)
{
  ADD(p, "%s",
      "        const u32 thread_left = thread / 32 % 4 * 4 + thread % 32 / 8;\n"
      "        const u32 thread_right = thread / 128 * 8 + thread % 8;\n");
}

/* Lines that load an operand of 4 steps, by lines, or of one of them, by steps. */
static void emit_chain_loads(const staged *p, int x, bool of_lines)
{
  const char side = x == LEFT ? 'l' : 'r', to = x == LEFT ? 'x' : 'y';
  if (is_turned(p, x) != of_lines) return;
  if (of_lines)
    ADD(p,
        "          PIECE(f32, %c, %s / 4);\n"
        "          UNROLL for (int i = 0; i < %s / 16; i++)\n"
        "            LOAD_16(%c + i * 4, part_%c + %s_%s(thread_%s, d) + i * 16 * PITCH_%s);\n",
        to, sides[x], sides[x], to, side, p->name, names[x], names[x], capitals[x]);
  else
    ADD(p,
        "            PIECE(f32, %c, %s / 16);\n"
        "            UNROLL for (int i = 0; i < %s / 64; i++)\n"
        "              LOAD_16(%c + i * 4, part_%c + %s_%s(thread_%s * 4, 0) + i * 64 +\n"
        "                               (d + e) * PITCH_%s);\n",
        to, sides[x], sides[x], to, side, p->name, names[x], names[x], capitals[x]);
}

static void emit_chains(const staged *p)
{
  ADD(p, "        const u32 thread = threadIdx.x;\n");
  emit_lines(p);
  ADD(p, "        UNROLL for (int d = 0; d < DEPTH; d += 4) {\n");
  for (int x = LEFT; x <= RIGHT; x++) emit_chain_loads(p, x, true);
  ADD(p, "          UNROLL for (int e = 0; e < 4; e++) {\n");
  for (int x = LEFT; x <= RIGHT; x++) emit_chain_loads(p, x, false);
  ADD(p,
      "            UNROLL for (int i = 0; i < ROWS / 16; i++)\n"
      "              UNROLL for (int j = 0; j < COLUMNS / 16; j++)\n"
      "                AT(sum)[i * (COLUMNS / 16) + j] =\n"
      "                    fma_f32(x[%s], y[%s], AT(sum)[i * (COLUMNS / 16) + j]);\n"
      "          }\n        }\n",
      is_turned(p, LEFT) ? "i * 4 + e" : "i", is_turned(p, RIGHT) ? "j * 4 + e" : "j");
}

/* Lines that say where the elements of group `g`, piece `q` are: the row and the first column. */
static void emit_piece(const staged *p)
{
  if (p->size == 4) {
    ADD(p, "          const i64 row = (i64)part_left * ROWS + %s;\n",
        is_turned(p, LEFT) ? "thread_left + g * 16" : "(thread_left + g / 4 * 16) * 4 + g % 4");
    ADD(p,
        "          const i64 column = (i64)part_right * COLUMNS + (thread_right + q * 16) * 4;\n");
    return;
  }
  ADD(p,
      "          const i64 row = (i64)part_left * ROWS + warp %% DOWN * HIGH + g / 2 * 16 + %s;\n",
      is_turned(p, LEFT) ? "lane / 4 + g % 2 * 8" : "lane / 4 * 2 + g % 2");
  ADD(p, "          const i64 column = (i64)part_right * COLUMNS + warp / DOWN * BROAD + q * 8 +\n"
         "                             lane %% 4 * 2;\n");
}

/* A line that says which sums those are: from `at` on. */
static void emit_sums_of_piece(const staged *p)
{
  if (p->size == 4)
    ADD(p, "          const int at = g * (COLUMNS / 16) + q * 4;\n");
  else
    ADD(p, "          const int at = (g / 2 * (BROAD / 8) + q) * 4 + g %% 2 * 2;\n");
}

static void emit_stored_lines(const staged *p)
{
  ADD(p, "        u32 thread = threadIdx.x;\n        HERE(thread);\n");
  if (p->form->product.panels) ADD(p, "        const int is_first = step < PANEL;\n");
  if (p->size == 4) {
    emit_lines(p);
    ADD(p, "        enum { GROUPS = ROWS / 16, PIECES = COLUMNS / 64 };\n");
  } else {
    ADD(p, "        enum { HIGH = ROWS / DOWN, BROAD = COLUMNS / ACROSS };\n"
           "        enum { GROUPS = HIGH / 8, PIECES = BROAD / 8 };\n"
           "        const u32 warp = thread / 32, lane = thread %% 32;\n");
  }
}

/* The next panel's chains begin at 0. */
static void emit_end_of_stores(const staged *p)
{
  if (p->form->product.panels)
    ADD(p, "      UNROLL for (int e = 0; e < PER; e++) AT(sum)[e] = 0;\n");
  ADD(p, "    }\n");
}

/* Lines in which a thread stores its elements by pieces: all of a group are loaded first. */
static void emit_wide_stores(const staged *p)
{
  const bool adds = p->form->product.adds, loads = tsr__cuda_product_loads(p->form);
  ADD(p, "    THREADS {\n");
  emit_stored_lines(p);
  tsr__cuda_emit_from(p->form, 6, false, p->out);
  ADD(p,
      "      UNROLL for (int g = 0; g < GROUPS; g++) {\n"
      "        PIECE(%s, v, PIECES * WIDE);\n",
      p->type);
  for (int stores = !loads; stores <= 1; stores++) {
    ADD(p, "        UNROLL for (int q = 0; q < PIECES; q++) {\n");
    emit_piece(p);
    if (stores) {
      emit_sums_of_piece(p);
      ADD(p,
          "          UNROLL for (int e = 0; e < WIDE; e++)\n"
          "            v[q * WIDE + e] = %sAT(sum)[at + e];\n",
          loads ? "v[q * WIDE + e] + " : "");
      ADD(p,
          "          if (row < ARG(0) && column < ARG(1))\n"
          "            STORE_16(at_%d + row * ARG(%d) + column * %d, v + q * WIDE);\n",
          RESULT, tsr__cuda_product_stride(RESULT, false), p->size);
    } else {
      ADD(p,
          "          UNROLL for (int e = 0; e < WIDE; e++) v[q * WIDE + e] = -(%s)0;\n"
          "          if (%srow < ARG(0) && column < ARG(1))\n"
          "            LOAD_16(v + q * WIDE, from + row * from_row + column * %d);\n",
          p->type, adds ? "" : "!is_first && ", p->size);
    }
    ADD(p, "        }\n");
  }
  ADD(p, "      }\n");
  emit_end_of_stores(p);
}

/* Emits the stores of a tile one element at a time, for results that lie in any way. */
static void emit_stores(const staged *p)
{
  ADD(p, "    THREADS {\n");
  emit_stored_lines(p);
  tsr__cuda_emit_from(p->form, 6, true, p->out);
  if (p->size == 4) {
    ADD(p, "      UNROLL for (int s = 0; s < PER; s++) {\n"
           "        const int g = s / (COLUMNS / 16), q = s %% (COLUMNS / 16);\n");
    ADD(p, "        const i64 row = (i64)part_left * ROWS + %s;\n",
        is_turned(p, LEFT) ? "thread_left + g * 16" : "(thread_left + g / 4 * 16) * 4 + g % 4");
    ADD(p, "        const i64 column = (i64)part_right * COLUMNS + %s;\n",
        is_turned(p, RIGHT) ? "thread_right + q * 16" : "(thread_right + q / 4 * 16) * 4 + q % 4");
  } else {
    ADD(p,
        "      UNROLL for (int s = 0; s < PER; s++) {\n"
        "        const int i = s / 4 / (BROAD / 8), j = s / 4 %% (BROAD / 8), h = s / 2 %% 2;\n");
    ADD(p, "        const i64 row = (i64)part_left * ROWS + warp %% DOWN * HIGH + i * 16 + %s;\n",
        is_turned(p, LEFT) ? "lane / 4 + h * 8" : "lane / 4 * 2 + h");
    ADD(p, "        const i64 column = (i64)part_right * COLUMNS + warp / DOWN * BROAD + j * 8 +\n"
           "                           lane %% 4 * 2 + s %% 2;\n");
  }
  tsr__cuda_emit_store(p->form, p->type, "AT(sum)[s]", p->out);
  ADD(p, "      }\n");
  emit_end_of_stores(p);
}

/* Lines that bring closer what is added, 128 bytes at a time, before the last parts are
 * multiplied. */
static void emit_ahead(const staged *p)
{
  enum { LAST = 16 };
  if (!p->form->product.panels)
    ADD(p, "        if (step + %d == steps || (step == 0 && steps < %d)) {\n", LAST, LAST);
  else
    ADD(p, "        if (%s(step %% PANEL == PANEL - %d || step + %d == steps)) {\n",
        p->form->product.adds ? "" : "step >= PANEL && ", LAST, LAST);
  ADD(p, "          u32 thread = threadIdx.x;\n          HERE(thread);\n");
  if (p->form->product.panels) ADD(p, "          const int is_first = step < PANEL;\n");
  tsr__cuda_emit_from(p->form, 10, false, p->out);
  ADD(p,
      "          UNROLL for (int q = 0; q < ROWS * COLUMNS * %d / 128 / 256; q++) {\n"
      "            const u32 line = thread + q * 256;\n"
      "            const i64 row = (i64)part_left * ROWS + line / (COLUMNS * %d / 128);\n"
      "            const i64 column = (i64)part_right * COLUMNS + line %% (COLUMNS * %d / 128) * "
      "(128 / %d);\n"
      "            if (row < ARG(0) && column < ARG(1))\n"
      "              PREFETCH(from + row * from_row + column * %d);\n"
      "          }\n        }\n",
      p->size, p->size, p->size, p->size, p->size);
}

void tsr__cuda_emit_stages(const tsr_kernel *k, const tsr_cuda_form *form, const char *name,
                           tsr_text *out)
{
  const tsr_dtype dtype = (tsr_dtype)k->accesses[k->n_accesses - 1].dtype;
  const staged p = {.out = out,
                    .form = form,
                    .name = name,
                    .type = tsr__dtype_info(dtype)->suffix,
                    .size = (int)tsr__dtype_size(dtype)};
  const bool panels = form->product.panels;
  TSR_ASSERT(form->product.stages.n >= 2 && TSR_MATMUL_PANEL % form->product.stages.depth == 0);
  emit_begin(&p, name);
  tsr__cuda_emit_batch(form, out);
  for (int x = LEFT; x <= RIGHT; x++) ADD(&p, "    const char *next_%s = at_%d;\n", names[x], x);
  ADD(&p, "    THREADS {\n      UNROLL for (int e = 0; e < PER; e++) AT(sum)[e] = 0;\n");
  if (p.size == 8) emit_elements(&p);
  ADD(&p, "      UNROLL for (u32 s = 0; s < STAGES - 1; s++) {\n        if (s < steps) {\n");
  emit_copies(&p, 10, "s", "s");
  ADD(&p, "        }\n        COPY_COMMIT;\n      }\n    }\n");
  emit_moves(&p, "(STAGES - 1)");
  ADD(&p, "    for (u32 step = 0, now = 0; step < steps; step++) {\n");
  ADD(&p, "      THREADS { COPY_WAIT(STAGES - 2); }\n      BARRIER;\n      THREADS {\n");
  if (p.size == 4) emit_next_copies(&p, 8);
  if (form->product.stages.ahead && form->product.wide && tsr__cuda_product_loads(form))
    emit_ahead(&p);
  ADD(&p,
      "        const %s *const part_l = left + now * PART_LEFT;\n"
      "        const %s *const part_r = right + now * PART_RIGHT;\n",
      p.type, p.type);
  if (p.size == 8)
    emit_mma(&p);
  else
    emit_chains(&p);
  ADD(&p, "      }\n"
          "      now = now == STAGES - 1 ? 0 : now + 1;\n");
  emit_moves(&p, "1");
  ADD(&p, "    if (%sstep == steps - 1) {\n", panels ? "step % PANEL == PANEL - 1 || " : "");
  if (form->product.wide)
    emit_wide_stores(&p);
  else
    emit_stores(&p);
  ADD(&p, "    }\n    }\n    BARRIER;\n  }\n}\n");
}
