/* tsr_print: prints an array in NumPy's layout. A large array is summarised, and only the corners
 * that are shown are read. */
#include "array/files/print.h"
#include "runtime/base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "array/core/array_int.h"
#include "tessera/output.h"

enum { LINE_WIDTH = 75, EDGE = 3, SUMMARY_OVER = 1000 };

typedef struct layout {
  tsr_text text;
  tsr_number_format format;
  int ndim;
  const int64_t *n, *shown;
  const void *data;
  int64_t next; /* next element in row-major order */
  size_t line;  /* start of the text's last line */
} layout;

static void start_line(layout *l, int indent)
{
  while (l->text.n > 0 && l->text.s[l->text.n - 1] == ' ') l->text.s[--l->text.n] = 0;
  tsr__text_add(&l->text, "\n");
  l->line = l->text.n;
  tsr__text_add(&l->text, "%*s", indent, "");
}

/* Adds a word of a row, on a new line if it does not fit. */
static void add_word(layout *l, const char *word, bool is_last)
{
  size_t width = (size_t)(LINE_WIDTH - l->ndim), column = l->text.n - l->line;
  if (column + strlen(word) > width && column > (size_t)l->ndim) start_line(l, l->ndim);
  tsr__text_add(&l->text, is_last ? "%s" : "%s ", word);
}

/* Separates two elements of an axis other than the last, with as many line breaks as axes follow
 * it. */
static void start_block(layout *l, int axis)
{
  for (int k = axis + 2; k < l->ndim; k++) tsr__text_add(&l->text, "\n");
  start_line(l, axis + 1);
}

static void add_row(layout *l)
{
  int64_t shown = l->shown[l->ndim - 1];
  for (int64_t i = 0; i < shown; i++) {
    char word[TSR_NUMBER_SIZE];
    if (l->n[l->ndim - 1] > shown && i == EDGE) add_word(l, "...", false);
    tsr__number_text(&l->format, l->data, l->next++, word);
    add_word(l, word, i == shown - 1);
  }
}

/* Adds the elements of an axis. The recursion is as deep as the number of axes. */
static void add_axis(layout *l, int axis)
{
  tsr__text_add(&l->text, "[");
  if (axis == l->ndim - 1) {
    add_row(l);
  } else {
    for (int64_t i = 0; i < l->shown[axis]; i++) {
      if (i > 0) start_block(l, axis);
      if (l->n[axis] > l->shown[axis] && i == EDGE) {
        tsr__text_add(&l->text, "...");
        start_block(l, axis);
      }
      add_axis(l, axis + 1);
    }
  }
  tsr__text_add(&l->text, "]");
}

static char *text_of(tsr_dtype dtype, int ndim, const int64_t *n, const int64_t *shown,
                     const void *data)
{
  int64_t size = 1;
  for (int k = 0; k < ndim; k++) size *= shown[k];
  if (size == 0) return tsr__strdup("[]");
  if (ndim == 0) {
    char buf[TSR_NUMBER_SIZE];
    tsr__scalar_text(dtype, data, buf);
    return tsr__strdup(buf);
  }
  layout l = {.format = tsr__number_format(dtype, size, data),
              .ndim = ndim,
              .n = n,
              .shown = shown,
              .data = data};
  add_axis(&l, 0);
  return l.text.s;
}

char *tsr__array_text(tsr_dtype dtype, int ndim, const int64_t *n, const int64_t *shown,
                      const void *data)
{
  void *before = tsr__plain_numbers_begin();
  char *text = text_of(dtype, ndim, n, shown, data);
  tsr__plain_numbers_end(before);
  return text;
}

/* Reads, to rank 0, the whole array, or the 2^k corners of the k axes that are shortened. */
static tsr_status read_shown(tsr_context *c, const tsr_location *where, const tsr_value *x,
                             const int64_t *shown, char *data)
{
  const tsr_view *v = &x->view->view;
  const tsr_host_block whole = tsr__host_dense(v->ndim, shown, x->dtype, data);
  uint32_t cut = 0;
  for (int k = 0; k < v->ndim; k++)
    if (shown[k] < v->shape[k]) cut |= 1u << k;
  tsr_status status = TSR_OK;
  for (uint32_t corner = 0; corner < 1u << v->ndim && status >= 0; corner++) {
    if (corner & ~cut) continue;
    tsr_view part;
    tsr_host_block block = whole;
    char *at = data;
    tsr__view_copy(&part, v);
    for (int k = 0; k < v->ndim; k++) {
      if (!(cut >> k & 1)) continue;
      bool is_end = corner >> k & 1;
      if (is_end) at += EDGE * whole.stride_bytes[k];
      tsr__view_slice(&part, k, is_end ? v->shape[k] - EDGE : 0, EDGE, 1);
    }
    block.data = at;
    status = tsr__settle(c, tsr__read_into(c->scheduler, x->region, &part, where, 0, &block, NULL));
  }
  return status;
}

tsr_status tsr_print_at(const tsr_location *where, tsr_operand operand)
{
  TSR_IN_CALL tsr_context *c = tsr__call_begin(where);
  tsr_value x;
  if (!tsr__value_of(c, where, operand, &x)) return tsr__value_status(c, operand);
  if (!x.region && !tsr__as_array(c, where, operand, &x)) return c->last_status;
  const tsr_view *v = &x.view->view;
  int64_t shown[TSR_MAX_NDIM], n = 1;
  bool summarise = tsr__view_size(v) > SUMMARY_OVER;
  for (int k = 0; k < v->ndim; k++) {
    shown[k] = summarise && v->shape[k] > 2 * EDGE ? 2 * EDGE : v->shape[k];
    n *= shown[k];
  }
  char *data = tsr__malloc((size_t)n * tsr__dtype_size(x.dtype) + 1);
  tsr_status status = n > 0 ? read_shown(c, where, &x, shown, data) : TSR_OK;
  if (status >= 0 && c->world.rank == 0) {
    char *text = tsr__array_text(x.dtype, v->ndim, v->shape, shown, data);
    tsr__clear_progress(c, STDOUT_FILENO);
    puts(text);
    free(text);
  }
  free(data);
  return status;
}
