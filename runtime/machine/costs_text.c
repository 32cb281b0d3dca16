/* The costs of placement as text, with a name for each. */
#include "runtime/machine/costs.h"
#include "runtime/base/text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N_COSTS = 7 };

typedef struct cost_row {
  const char *name;
  size_t offset;
  double unit;       /* what 1 in the text is in the field's unit */
  const char *again; /* why naming the cost a second time is wrong */
} cost_row;

#define COST(name, member, unit)                                                                   \
  {                                                                                                \
    name, offsetof(tsr_costs, member), unit, "is " name ", which was named before"                 \
  }

static const cost_row rows[N_COSTS] = {
    COST("host_gbs", bytes_per_ns[TSR_ON_HOST], 1),
    COST("host_gips", instrs_per_ns[TSR_ON_HOST], 1),
    COST("device_gbs", bytes_per_ns[TSR_ON_DEVICE], 1),
    COST("device_gips", instrs_per_ns[TSR_ON_DEVICE], 1),
    COST("launch_us", launch_ns, 1000),
    COST("link_us", link_ns, 1000),
    COST("link_gbs", link_bytes_per_ns, 1),
};

static double *field(tsr_costs *c, const cost_row *row)
{
  return (double *)((char *)c + row->offset);
}

static bool read_costs(const char *text, tsr_costs *costs, size_t *at, const char **why)
{
  tsr_costs made = *costs;
  bool seen[N_COSTS] = {false};
  for (const char *p = text; *p != '\0';) {
    const size_t n = strcspn(p, "=,");
    const cost_row *row = NULL;
    *at = (size_t)(p - text);
    for (int i = 0; i < N_COSTS; i++)
      if (strlen(rows[i].name) == n && memcmp(rows[i].name, p, n) == 0) row = &rows[i];
    *why = "does not begin host_gbs, host_gips, device_gbs, device_gips, launch_us, link_us or "
           "link_gbs";
    if (row == NULL || p[n] != '=') return false;
    *why = row->again;
    if (seen[row - rows]) return false;
    seen[row - rows] = true;
    char *end;
    p += n + 1;
    *at = (size_t)(p - text);
    const double value = strtod(p, &end);
    *why = "does not begin a number from 1e-6 to 1e9";
    if (end == p || !(value >= 1e-6 && value <= 1e9)) return false;
    *field(&made, row) = value * row->unit;
    p = end;
    *at = (size_t)(p - text);
    *why = *p == ',' ? "is a ',' before nothing" : "is not the ',' before the next one";
    if (*p == ',' && p[1] != '\0')
      p++;
    else if (*p != '\0')
      return false;
  }
  *costs = made;
  return true;
}

/* Numbers are read with a point, because the program's locale may have a comma. */
bool tsr__costs_read(const char *text, tsr_costs *costs, size_t *at, const char **why)
{
  void *before = tsr__plain_numbers_begin();
  const bool ok = read_costs(text, costs, at, why);
  tsr__plain_numbers_end(before);
  return ok;
}

bool tsr__costs_are_complete(const tsr_costs *costs)
{
  tsr_costs c = *costs;
  for (int i = 0; i < N_COSTS; i++)
    if (!(*field(&c, &rows[i]) > 0)) return false;
  return true;
}

const char *tsr__costs_text(const tsr_costs *costs, char *buf, size_t size)
{
  tsr_costs c = *costs;
  size_t n = 0;
  buf[0] = '\0';
  void *before = tsr__plain_numbers_begin();
  for (int i = 0; i < N_COSTS && n < size; i++)
    n += (size_t)snprintf(buf + n, size - n, "%s%s=%.4g", i ? "," : "", rows[i].name,
                          *field(&c, &rows[i]) / rows[i].unit);
  tsr__plain_numbers_end(before);
  return buf;
}

void tsr__costs_meet(tsr_costs *into, const tsr_costs *from)
{
  tsr_costs other = *from;
  for (int i = 0; i < N_COSTS; i++) {
    double *a = field(into, &rows[i]);
    const double b = *field(&other, &rows[i]);
    const bool is_time = rows[i].unit != 1;
    if (is_time ? b > *a : b < *a) *a = b;
  }
}
