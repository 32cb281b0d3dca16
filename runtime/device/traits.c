/* The names of kernel traits. */
#include "runtime/device/traits.h"

#include <string.h>

#define DTYPE(d) (1u << (d))

typedef struct trait_row {
  const char *name;
  tsr_kernel_traits traits;
} trait_row;

static const trait_row rows[] = {
    {"random", {.features = TSR_TRAIT_RANDOM}},
    {"task", {.features = TSR_TRAIT_TASK}},
    {"user", {.features = TSR_TRAIT_USER}},
    {"float16", {.dtypes = DTYPE(TSR_DTYPE_FLOAT16)}},
    {"complex", {.dtypes = DTYPE(TSR_DTYPE_COMPLEX64) | DTYPE(TSR_DTYPE_COMPLEX128)}},
};
enum { N_ROWS = sizeof rows / sizeof rows[0] };

bool tsr__traits_read(const char *text, tsr_kernel_traits *traits, size_t *at, const char **why)
{
  *traits = (tsr_kernel_traits){0};
  *why = "does not begin random, task, user, float16 or complex";
  for (const char *p = text; *p != '\0';) {
    const size_t n = strcspn(p, ",");
    const trait_row *row = NULL;
    *at = (size_t)(p - text);
    for (int i = 0; i < N_ROWS; i++)
      if (strlen(rows[i].name) == n && memcmp(rows[i].name, p, n) == 0) row = &rows[i];
    if (row == NULL) return false;
    traits->dtypes |= row->traits.dtypes;
    traits->features |= row->traits.features;
    p += n;
    if (*p == ',' && *++p == '\0') {
      *at = (size_t)(p - text) - 1;
      *why = "is a ',' with nothing behind it";
      return false;
    }
  }
  return true;
}
