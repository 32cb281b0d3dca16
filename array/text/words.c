/* The meaning of words in the text language: rows of functions, elementwise operations, dtypes, and
 * NumPy's other names for them. */
#include "array/core/names.h"
#include "array/text/text_int.h"

#include <stdio.h>
#include <string.h>

int tsr__text_dtype_named(const char *word)
{
  static const struct {
    const char *name;
    tsr_dtype dtype;
  } python[] = {{"bool_", TSR_BOOL},         {"int", TSR_INT64},         {"float", TSR_FLOAT64},
                {"complex", TSR_COMPLEX128}, {"byte", TSR_INT8},         {"ubyte", TSR_UINT8},
                {"short", TSR_INT16},        {"ushort", TSR_UINT16},     {"intc", TSR_INT32},
                {"uintc", TSR_UINT32},       {"int_", TSR_INT64},        {"uint", TSR_UINT64},
                {"long", TSR_INT64},         {"ulong", TSR_UINT64},      {"longlong", TSR_INT64},
                {"ulonglong", TSR_UINT64},   {"intp", TSR_INT64},        {"uintp", TSR_UINT64},
                {"half", TSR_FLOAT16},       {"single", TSR_FLOAT32},    {"double", TSR_FLOAT64},
                {"csingle", TSR_COMPLEX64},  {"cdouble", TSR_COMPLEX128}};
  for (int d = 0; d < TSR_N_DTYPES; d++)
    if (strcmp(tsr__dtype_info((tsr_dtype)d)->name, word) == 0) return d;
  for (size_t k = 0; k < sizeof python / sizeof *python; k++)
    if (strcmp(python[k].name, word) == 0) return (int)python[k].dtype;
  return -1;
}

#include "array/generated/text_names.inc"

tsr_text_word_meaning tsr__text_meaning(const char *word)
{
  tsr_text_word_meaning f = {.kind = TSR_TEXT_NONE};
  snprintf(f.name, sizeof f.name, "%s", word);
  word = tsr__plain_name(word);
  if ((f.code = tsr__text_function_named(word)) >= 0)
    f.kind = TSR_TEXT_ROW;
  else if ((f.code = tsr__op_named(word)) >= 0)
    f.kind = TSR_TEXT_OP;
  else if ((f.code = tsr__text_dtype_named(word)) >= 0)
    f.kind = TSR_TEXT_CAST;
  return f;
}

bool tsr__text_is_ufunc(const char *word)
{
  const char *parameters = tsr__text_parameters_of(word);
  return tsr__op_named(word) >= 0 || (parameters && strstr(parameters, "-:signature="));
}

/* Returns the parameters of an operation: those of its row, or else those of a NumPy ufunc. */
static const char *op_parameters(tsr_opcode op)
{
#define UFUNC_OPTIONS                                                                              \
  "-:where=True, -:casting='same_kind', -:order='K', -:dtype=None, -:subok=True, -:signature=None"
  if (op_rows[op]) return op_rows[op];
  switch (tsr__op_info(op)->max_args) {
  case 1:
    return "x:x, /, -:out=None, *, " UFUNC_OPTIONS;
  case 2:
    return "x:x1, x:x2, /, -:out=None, *, " UFUNC_OPTIONS;
  default:
    return "v:x1, -:out=None, " UFUNC_OPTIONS;
  }
#undef UFUNC_OPTIONS
}

const char *tsr__text_parameters_of(const char *name)
{
  const tsr_text_word_meaning f = tsr__text_meaning(name);
  switch (f.kind) {
  case TSR_TEXT_ROW:
    return tsr__text_function(f.code)->parameters;
  case TSR_TEXT_OP:
    return op_parameters((tsr_opcode)f.code);
  case TSR_TEXT_CAST:
    return "x:x, /";
  default:
    return NULL;
  }
}

void tsr__text_each_name(void (*visit)(void *context, const char *name), void *context)
{
  for (int k = 0; tsr__text_function(k); k++) visit(context, tsr__text_function(k)->name);
  for (int k = 0; k < TSR_N_CALLED_OPS; k++) visit(context, tsr__op_info((tsr_opcode)k)->name);
  for (int k = 0; tsr__other_name(k); k++) visit(context, tsr__other_name(k));
}
