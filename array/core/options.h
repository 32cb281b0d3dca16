/* The options that calls take, as bits. */
#ifndef TSR_OPTIONS_H
#define TSR_OPTIONS_H

enum {
  TSR_TAKES_AXES = 1,
  TSR_TAKES_KEEPDIMS = 2,
  TSR_TAKES_DDOF = 4,
  TSR_TAKES_ORD = 8,
  TSR_TAKES_WHERE = 16,
  TSR_TAKES_INITIAL = 32
};

#endif
