/* What libFuzzer calls with texts of its own making: the parsers of expressions, statements,
 * slices and users' kernels. Whatever a text is, it parses or is refused with a place inside of it;
 * the sanitizers watch the rest. The first byte of an input says which parser it is for. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "array/views/slice_text.h"
#include "array/text/text.h"
#include "tessera.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_refusal(const tsr_text_error *error, size_t n)
{
  assert(error->status == TSR_ERR_SYNTAX || error->status == TSR_ERR_NAME);
  assert(error->at == SIZE_MAX || error->at <= n);
  assert(error->what[0] != 0);
}

static void finish(tsr_script *s, const tsr_text_error *error, const char *text)
{
  if (!s) {
    check_refusal(error, strlen(text));
    return;
  }
  for (int32_t i = 0; i < s->n_nodes; i++)
    for (int32_t k = 0; k < s->nodes[i].n_kids; k++)
      assert(s->kids[s->nodes[i].first_kid + k] < i); /* one loop evaluates them */
  tsr__script_destroy(s);
}

static void try_script(const char *text, bool is_exec)
{
  tsr_text_error error = {0};
  finish(tsr__script_parse(text, is_exec, 3, "u, state->v, dt", &error), &error, text);
}

static void try_kernel(const char *text, int n_out)
{
  static const char *const names[] = {"x", "y", "table"}, *const outputs[] = {"z", "w"};
  static const bool is_raw[] = {false, false, true};
  tsr_text_error error = {0};
  const tsr_kernel_text kernel = {.text = text,
                                  .n_in = 3,
                                  .n_out = n_out,
                                  .names = names,
                                  .outputs = outputs,
                                  .is_raw = is_raw,
                                  .has_count = n_out > 0};
  finish(tsr__kernel_parse(&kernel, &error), &error, text);
}

static void try_slice(const char *text)
{
  static const int64_t ints[] = {1, -2};
  tsr_slice_item items[TSR_SLICE_MAX_ITEMS];
  int64_t *places[2];
  char why[96];
  int n_items;
  size_t at = 0;
  if (tsr__slice_parse(text, 2, ints, places, items, &n_items, &at, why, sizeof why) < 0)
    assert(at <= strlen(text));
  else
    assert(n_items >= 1 && n_items <= TSR_SLICE_MAX_ITEMS);
}

/* A kernel by the public call: "inputs|outputs|statements". */
static void try_declarations(char *text)
{
  static int n_made;
  if (n_made++ % 500 == 0) { /* each context keeps its kernels */
    if (n_made > 1) tsr_finalize();
    tsr_init(NULL, NULL);
    tsr_set_error_mode(TSR_ERRORS_RETURN);
  }
  char *outputs = strchr(text, '|'), *body = outputs ? strchr(outputs + 1, '|') : NULL, told[4096];
  if (!body) return;
  *outputs = *body = 0;
  const tsr_function f = tsr_kernel_elementwise("k", text, outputs + 1, body + 1);
  const tsr_status status = tsr_take_error(told, sizeof told);
  assert((f.id == 0) == (status < 0));
  assert(status == TSR_OK || strstr(told, "in kernel k:") || status == TSR_ERR_ARGUMENT);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size == 0) return 0;
  char *text = malloc(size);
  memcpy(text, data + 1, size - 1);
  text[size - 1] = 0;
  switch (data[0] % 6) {
  case 0:
    try_script(text, false);
    break;
  case 1:
    try_script(text, true);
    break;
  case 2:
    try_kernel(text, 2);
    break;
  case 3:
    try_kernel(text, 0);
    break;
  case 4:
    try_slice(text);
    break;
  default:
    try_declarations(text);
  }
  free(text);
  return 0;
}
