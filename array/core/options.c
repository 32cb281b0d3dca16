/* The names of options, for the error of one that a call does not take. */
#include "array/core/options.h"
#include "array/core/array_int.h"

#include <stdio.h>

enum { N_OPTIONS = 13 };

/* By bit. */
static const char *const names[N_OPTIONS] = {
    "TSR_AXES",    "TSR_KEEPDIMS", "TSR_DDOF",   "TSR_ORD",     "TSR_WHERE",
    "TSR_INITIAL", "TSR_METHOD",   "TSR_ON",     "TSR_STRIDES", "TSR_COLUMN_MAJOR",
    "TSR_LENT",    "TSR_DTYPE",    "TSR_WEIGHTS"};

void tsr__refused_text(unsigned given, unsigned takes, char *text, size_t size)
{
  char taken[160] = "";
  const char *other = "";
  size_t n = 0;
  for (int k = N_OPTIONS - 1; k >= 0; k--)
    if (given & ~takes & 1u << k) other = names[k];
  for (int k = 0; k < N_OPTIONS; k++)
    if (takes >> k & 1)
      n += (size_t)snprintf(taken + n, sizeof taken - n, "%s%s",
                            n == 0             ? ""
                            : takes >> (k + 1) ? ", "
                                               : " and ",
                            names[k]);
  snprintf(text, size, "%s is no option of this call, which takes %s", other, taken);
}

tsr_status tsr__refuse_option(tsr_context *c, const tsr_location *where, unsigned given,
                              unsigned takes)
{
  char text[240];
  tsr__refused_text(given, takes, text, sizeof text);
  return tsr__fail(c, where, TSR_ERR_ARGUMENT, "%s", text);
}
