/* The options that calls take, as bits, and the error of one that a call does not take. */
#ifndef TSR_OPTIONS_H
#define TSR_OPTIONS_H

#include "tessera/base.h"

enum {
  TSR_TAKES_AXES = 1,
  TSR_TAKES_KEEPDIMS = 2,
  TSR_TAKES_DDOF = 4,
  TSR_TAKES_ORD = 8,
  TSR_TAKES_WHERE = 16,
  TSR_TAKES_INITIAL = 32,
  TSR_TAKES_METHOD = 64,
  TSR_TAKES_ON = 128,
  TSR_TAKES_STRIDES = 256,
  TSR_TAKES_COLUMN_MAJOR = 512,
  TSR_TAKES_LENT = 1024,
  TSR_TAKES_DTYPE = 2048,
  TSR_TAKES_WEIGHTS = 4096
};

/** Writes the text of the error below. */
void tsr__refused_text(unsigned given, unsigned takes, char *text, size_t size);
/** Reports the first given option that the call does not take, and names those that it takes. */
tsr_status tsr__refuse_option(tsr_context *c, const tsr_location *where, unsigned given,
                              unsigned takes);

#endif
