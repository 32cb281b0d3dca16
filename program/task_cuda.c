/* Texts and words of users' tasks on devices (task_cuda.h). The kernel fills in a box and its
 * arguments, whose fields the compiler keeps in registers where the function is inlined, as it
 * is. */
#include "program/task_cuda.h"
#include "kernel/cuda/launch.h"
#include "runtime/base/text.h"

#include <ctype.h>
#include <string.h>

#define ADD(...) tsr__text_add(t, __VA_ARGS__)

tsr_cuda_argument tsr__task_argument_kind(const tsr_task_parameter *p)
{
  if (p->access < 0) return p->is_raw ? TSR_CUDA_NOTHING : TSR_CUDA_VALUE;
  return p->is_raw ? TSR_CUDA_WHOLE : p->is_reduced ? TSR_CUDA_REDUCED : TSR_CUDA_POINTS;
}

static int n_words_of(const tsr_task_form *f, const tsr_task_parameter *p)
{
  const int n_axes = tsr__task_form_axes(f);
  switch (tsr__task_argument_kind(p)) {
  case TSR_CUDA_VALUE:
    return 2;
  case TSR_CUDA_NOTHING:
    return p->own->view.ndim;
  case TSR_CUDA_WHOLE:
    return 1 + 2 * p->own->view.ndim;
  case TSR_CUDA_REDUCED:
    return 1 + n_axes + 1 + 2;
  case TSR_CUDA_POINTS:
    break;
  }
  return 1 + n_axes + f->ndim + (p->begins >= 0 ? 1 + n_axes : 0);
}

void tsr__task_tile(const tsr_task_form *f, const tsr_task_source *source,
                    int64_t tile[TSR_MAX_NDIM])
{
  for (int k = 0; k < TSR_MAX_NDIM; k++) tile[k] = 1;
  if (!source->is_raw || f->is_blocked) return;
  for (int k = 0; k < f->ndim; k++) {
    const int at = k - f->ndim + source->n_tile;
    if (at >= 0) tile[k] = source->tile[at];
  }
}

void tsr__task_words_make(const tsr_task_form *f, int32_t data_words, tsr_task_words *words)
{
  int n = TSR_CUDA_TASK_AXES + TSR_CUDA_AXIS_WORDS * tsr__task_form_axes(f);
  for (int i = 0; i < f->n_in + f->n_out; i++) {
    words->argument[i] = n;
    n += n_words_of(f, &f->parameters[i]);
  }
  words->data = (n + 1) / 2 * 2; /* aligned to 16 bytes */
  words->n = words->data + data_words;
}

/* Writes the types of tessera/task.h. */
static void add_types(tsr_text *t)
{
  ADD("#define TSR_MAX_NDIM %d\ntypedef int tsr_dtype;\nenum {", TSR_MAX_NDIM);
  for (int d = 0; d < TSR_N_DTYPES; d++) {
    char name[16] = "";
    const char *from = tsr__dtype_info((tsr_dtype)d)->name;
    for (int i = 0; from[i] != '\0' && i < 15; i++) name[i] = (char)toupper((unsigned char)from[i]);
    ADD("%s TSR_%s = %d, TSR_DTYPE_%s = %d", d > 0 ? "," : "", name, d, name, d);
  }
  ADD(" };\n"
      "typedef struct tsr_task_argument {\n"
      "  void *data;\n"
      "  tsr_dtype dtype;\n"
      "  int ndim;\n"
      "  int64_t shape[TSR_MAX_NDIM], stride_bytes[TSR_MAX_NDIM];\n"
      "  int64_t before[TSR_MAX_NDIM], after[TSR_MAX_NDIM];\n"
      "} tsr_task_argument;\n"
      "typedef struct tsr_task_box {\n"
      "  int ndim;\n"
      "  int64_t shape[TSR_MAX_NDIM], offset[TSR_MAX_NDIM], domain[TSR_MAX_NDIM];\n"
      "  int n_in, n_out;\n"
      "  const tsr_task_argument *in, *out;\n"
      "  const void *data;\n"
      "  uint64_t data_bytes;\n"
      "} tsr_task_box;\n"
      /* Divisions of 32 bits are faster than those of 64. */
      "TSR_MATH i64 split_(i64 *left, i64 n)\n"
      "{\n"
      "  const i64 whole = *left;\n"
      "  *left = (whole | n) >> 32 ? whole / n : (i64)((u32)whole / (u32)n);\n"
      "  return whole - *left * n;\n"
      "}\n"
      "TSR_MATH i64 least_(i64 x, i64 y) { return x < y ? x : y; }\n");
}

static int axis_word(int axis, int word)
{
  return TSR_CUDA_TASK_AXES + TSR_CUDA_AXIS_WORDS * axis + word;
}

/** What the threads of a kernel do until they wait for each other. */
typedef struct phase {
  bool is_raw;
  bool begins; /* values begin */
  bool calls;  /* the program's function is called */
  int64_t tile[TSR_MAX_NDIM];
} phase;

static bool is_whole_axis(const tsr_task_form *f, int axis)
{
  return f->whole >> axis & 1;
}

/* Writes the sum of a word that is an address and of steps from it to the call. */
static void add_address(tsr_text *t, const tsr_task_form *f, int word)
{
  ADD("(char *)ARG(%d)", word);
  for (int k = 0; k < tsr__task_form_axes(f); k++)
    if (!is_whole_axis(f, k)) ADD(" + at%d_ * ARG(%d)", k, word + 1 + k);
}

/* Writes the number of the call, and at which index it begins along each axis. Of raw texts a block
 * makes the call, whose values one thread lets begin. */
static void add_index(tsr_text *t, const tsr_task_form *f, const phase *x)
{
  if (x->is_raw)
    ADD("    i64 left_ = (i64)blockIdx.x;\n");
  else
    ADD("    i64 left_ = (i64)blockIdx.x * %d + threadIdx.x;\n", TSR_CUDA_THREADS);
  ADD("    if (%sleft_ < ARG(%d)) {\n", x->calls ? "" : "threadIdx.x == 0 && ",
      TSR_CUDA_TASK_CALLS);
  for (int k = tsr__task_form_axes(f) - 1; k >= 0; k--) {
    const int n = axis_word(k, TSR_CUDA_AXIS_N);
    const long long tile = (long long)x->tile[k];
    if (is_whole_axis(f, k)) continue;
    if (tile == 1)
      ADD("      const i64 at%d_ = split_(&left_, ARG(%d));\n", k, n);
    else
      ADD("      const i64 at%d_ = split_(&left_, (ARG(%d) + %lld) / %lld) * %lld;\n", k, n,
          tile - 1, tile, tile);
  }
}

static void add_box(tsr_text *t, const tsr_task_form *f, const tsr_task_words *words,
                    const phase *x)
{
  add_index(t, f, x);
  ADD("      tsr_task_argument a_[%d];\n"
      "      tsr_task_box b_;\n"
      "      b_.ndim = %d, b_.n_in = %d, b_.n_out = %d, b_.in = a_, b_.out = a_ + %d;\n"
      "      b_.data = ARG(%d) > 0 ? (const void *)&ARG(%d) : 0, b_.data_bytes = (u64)ARG(%d);\n",
      f->n_in + f->n_out, f->ndim, f->n_in, f->n_out, f->n_in, TSR_CUDA_TASK_BYTES, words->data,
      TSR_CUDA_TASK_BYTES);
  for (int k = 0; k < f->ndim; k++) {
    const int first = axis_word(k, TSR_CUDA_AXIS_FIRST);
    ADD("      b_.domain[%d] = ARG(%d), b_.offset[%d] = ", k, axis_word(k, TSR_CUDA_AXIS_POINTS),
        k);
    if (f->is_blocked)
      ADD("(ARG(%d) + at%d_) * ARG(%d), b_.shape[%d] = least_(ARG(%d), b_.domain[%d] - "
          "b_.offset[%d]);\n",
          first, k, axis_word(k, TSR_CUDA_AXIS_BLOCK), k, axis_word(k, TSR_CUDA_AXIS_BLOCK), k, k);
    else if (is_whole_axis(f, k))
      ADD("ARG(%d), b_.shape[%d] = ARG(%d);\n", first, k, axis_word(k, TSR_CUDA_AXIS_N));
    else if (x->tile[k] == 1)
      ADD("ARG(%d) + at%d_, b_.shape[%d] = 1;\n", first, k, k);
    else
      ADD("ARG(%d) + at%d_, b_.shape[%d] = least_(%lld, ARG(%d) - at%d_);\n", first, k, k,
          (long long)x->tile[k], axis_word(k, TSR_CUDA_AXIS_N), k);
  }
}

/* Writes a copy of the values that a written input begins with, if they are elsewhere. */
static void add_begin(tsr_text *t, const tsr_task_form *f, int i, int word)
{
  static const char *const types[] = {"u8", "u16", "u32", "u64"};
  const size_t bytes = tsr__dtype_size(f->parameters[i].dtype);
  const int type = bytes >= 8 ? 3 : bytes >= 4 ? 2 : bytes >= 2 ? 1 : 0;
  const int from = word + 1 + tsr__task_form_axes(f) + f->ndim;
  ADD("      if (ARG(%d) != ARG(%d)) {\n        const char *from_ = ", from, word);
  add_address(t, f, from);
  ADD(";\n");
  for (int k = 0; k < f->ndim; k++)
    ADD("        for (i64 i%d_ = 0; i%d_ < b_.shape[%d]; i%d_++)\n", k, k, k, k);
  ADD("        for (int e_ = 0; e_ < %d; e_++)\n          ((%s *)((char *)a_[%d].data",
      bytes > 8 ? 2 : 1, types[type], i);
  for (int k = 0; k < f->ndim; k++) ADD(" + i%d_ * a_[%d].stride_bytes[%d]", k, i, k);
  ADD("))[e_] = ((const %s *)(from_", types[type]);
  for (int k = 0; k < f->ndim; k++) ADD(" + i%d_ * ARG(%d)", k, from + 1 + k);
  ADD("))[e_];\n      }\n");
}

static void add_points(tsr_text *t, const tsr_task_form *f, int i, int word, bool begins)
{
  const tsr_task_parameter *p = &f->parameters[i];
  ADD("      a_[%d].data = (void *)(", i);
  add_address(t, f, word);
  ADD(");\n");
  for (int k = 0; k < f->ndim; k++) {
    ADD("      a_[%d].shape[%d] = b_.shape[%d], a_[%d].stride_bytes[%d] = ARG(%d);\n", i, k, k, i,
        k, word + 1 + tsr__task_form_axes(f) + k);
    if (p->before[k] > 0)
      ADD("      a_[%d].before[%d] = least_(%lld, b_.offset[%d]);\n", i, k, (long long)p->before[k],
          k);
    else
      ADD("      a_[%d].before[%d] = 0;\n", i, k);
    if (p->after[k] > 0)
      ADD("      a_[%d].after[%d] = least_(%lld, b_.domain[%d] - b_.offset[%d] - b_.shape[%d]);\n",
          i, k, (long long)p->after[k], k, k, k);
    else
      ADD("      a_[%d].after[%d] = 0;\n", i, k);
  }
  if (p->begins >= 0 && begins) add_begin(t, f, i, word);
}

/* Writes a reduced output, and lets its values begin as that of no points. */
static void add_reduced(tsr_text *t, const tsr_task_form *f, int i, int word, bool begins)
{
  const tsr_task_parameter *p = &f->parameters[i];
  const int step = word + 1 + tsr__task_form_axes(f);
  int64_t n = 1;
  ADD("      a_[%d].data = (void *)(", i);
  add_address(t, f, word);
  ADD(");\n");
  for (int k = p->n_extent - 1; k >= 0; k--) {
    ADD("      a_[%d].shape[%d] = %lld, a_[%d].stride_bytes[%d] = ARG(%d) * %lld;\n", i, k,
        (long long)p->extent[k], i, k, step, (long long)n);
    ADD("      a_[%d].before[%d] = a_[%d].after[%d] = 0;\n", i, k, i, k);
    n *= p->extent[k];
  }
  if (!begins) return;
  ADD("      for (i64 v_ = 0; v_ < %lld; v_++)\n"
      "        for (int e_ = 0; e_ < %d; e_++)\n"
      "          ((u8 *)a_[%d].data)[v_ * ARG(%d) + e_] = (u8)((u64)ARG(%d + e_ / 8) >> e_ %% 8 * "
      "8);\n",
      (long long)(f->extent > 0 ? f->extent : 1), (int)tsr__dtype_size(p->dtype), i, step,
      step + 1);
}

static void add_argument(tsr_text *t, const tsr_task_form *f, int i, int word, bool begins)
{
  const tsr_task_parameter *p = &f->parameters[i];
  const tsr_cuda_argument kind = tsr__task_argument_kind(p);
  const int ndim = p->is_raw ? p->own->view.ndim : p->is_reduced ? p->n_extent : f->ndim;
  ADD("      a_[%d].dtype = %d, a_[%d].ndim = %d;\n", i, p->dtype, i, ndim);
  if (kind == TSR_CUDA_VALUE) {
    ADD("      i64 v%d_[2];\n      v%d_[0] = ARG(%d), v%d_[1] = ARG(%d);\n      a_[%d].data = "
        "v%d_;\n",
        i, i, word, i, word + 1, i, i);
    for (int k = 0; k < ndim; k++)
      ADD("      a_[%d].shape[%d] = b_.shape[%d], a_[%d].stride_bytes[%d] = a_[%d].before[%d] = "
          "a_[%d].after[%d] = 0;\n",
          i, k, k, i, k, i, k, i, k);
  } else if (kind == TSR_CUDA_POINTS) {
    add_points(t, f, i, word, begins);
  } else if (kind == TSR_CUDA_REDUCED) {
    add_reduced(t, f, i, word, begins);
  } else {
    const int shape = word + (kind == TSR_CUDA_WHOLE);
    if (kind == TSR_CUDA_WHOLE)
      ADD("      a_[%d].data = (void *)ARG(%d);\n", i, word);
    else
      ADD("      a_[%d].data = 0;\n", i);
    for (int k = 0; k < ndim; k++) {
      ADD("      a_[%d].shape[%d] = ARG(%d), a_[%d].before[%d] = a_[%d].after[%d] = 0;\n", i, k,
          shape + k, i, k, i, k);
      ADD("      a_[%d].stride_bytes[%d] = ", i, k);
      if (kind == TSR_CUDA_WHOLE)
        ADD("ARG(%d);\n", shape + ndim + k);
      else
        ADD("0;\n");
    }
  }
}

static void add_phase(tsr_text *t, const tsr_task_form *f, const tsr_task_source *source,
                      const tsr_task_words *words, const phase *x)
{
  ADD("  THREADS {\n");
  add_box(t, f, words, x);
  for (int i = 0; i < f->n_in + f->n_out; i++) add_argument(t, f, i, words->argument[i], x->begins);
  if (x->calls && x->is_raw)
    ADD("      %s(&b_, (int)threadIdx.x, %d);\n", source->entry, TSR_CUDA_THREADS);
  else if (x->calls)
    ADD("      %s(&b_);\n", source->entry);
  ADD("    }\n  }\n");
}

/* Do values of the call begin as others, or as that of no points? */
static bool has_begin(const tsr_task_form *f)
{
  bool has = false;
  for (int i = 0; i < f->n_in + f->n_out; i++)
    has = has || f->parameters[i].begins >= 0 ||
          tsr__task_argument_kind(&f->parameters[i]) == TSR_CUDA_REDUCED;
  return has;
}

char *tsr__task_cuda_text(const tsr_task_form *f, const tsr_task_source *source, int32_t data_words)
{
  tsr_text text = {0}, *t = &text;
  const tsr_location *l = source->where;
  const char *file = l->file != NULL ? strrchr(l->file, '/') : NULL;
  file = file != NULL ? file + 1 : l->file;
  tsr_task_words words;
  tsr__task_words_make(f, data_words, &words);
  if (words.n > TSR_CUDA_MOST_WORDS) return NULL;
  add_types(t);
  ADD("#line 1 \"");
  if (file != NULL) ADD("%s:%d: ", file, l->line);
  ADD("%s\"\n", f->name);
  ADD("%s\n#line 1 \"the call of %s\"\n", source->text, f->name);
  ADD("KERNEL(%c, %d)\n{\n", TSR_SOURCE_NAME, words.n);
  phase x = {.is_raw = source->is_raw, .begins = true, .calls = !source->is_raw};
  tsr__task_tile(f, source, x.tile);
  if (source->is_raw && has_begin(f)) {
    add_phase(t, f, source, &words, &x);
    ADD("  BARRIER;\n");
  }
  x.begins = x.calls;
  x.calls = true;
  add_phase(t, f, source, &words, &x);
  ADD("}\n");
  return text.s;
}
