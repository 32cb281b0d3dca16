/* The functions of tessera/statistics.h that the text language calls like reductions: a value, then
 * axis= and keepdims= (scans: axis= alone). */
#ifndef TSR_TEXT_STATISTICS_H
#define TSR_TEXT_STATISTICS_H

#include "tessera/operand.h"

typedef struct tsr_text_statistic {
  const char *name;
  tsr_array (*call)(const tsr_location *where, tsr_operand x, int n_options,
                    const tsr_axes *options);
  bool takes_ddof;
} tsr_text_statistic;

/** Number i of the table; NULL behind the last. */
const tsr_text_statistic *tsr__text_statistic(int i);
/** Its number, or -1. */
int tsr__text_statistic_named(const char *name);

#endif
