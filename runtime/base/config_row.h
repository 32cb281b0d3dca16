/* The rows of the table of settings. config.c reads, prints and agrees on them; they are listed in
 * machine/settings.c, because some of them are read by rooms above this one. */
#ifndef TSR_CONFIG_ROW_H
#define TSR_CONFIG_ROW_H

#include "runtime/base/config.h"

typedef enum tsr_config_type {
  TSR_CONFIG_INT,    /* int64_t, low..high */
  TSR_CONFIG_SIZE,   /* int64_t, low..high, with an optional suffix K, M, G, T */
  TSR_CONFIG_BOOL,   /* bool */
  TSR_CONFIG_CHOICE, /* char[], one of `choices` */
  TSR_CONFIG_READ,   /* char[], checked by the row's `reads` */
  TSR_CONFIG_TEXT    /* char[] */
} tsr_config_type;

/* The groups are printed in this order. */
typedef enum tsr_config_group {
  TSR_CONFIG_EVERYDAY,
  TSR_CONFIG_TUNING,
  TSR_CONFIG_TESTING,
  TSR_CONFIG_N_GROUPS
} tsr_config_group;

typedef struct tsr_config_row {
  const char *name; /* the variable's name without the prefix */
  tsr_config_group group;
  tsr_config_type type;
  bool agreed; /* every rank takes rank 0's value */
  size_t offset, bytes;
  const char *initial;
  int64_t low, high;
  const char *choices; /* values, separated by ','; TSR_CONFIG_READ: what it takes, in words */
  const char *help;
  /* TSR_CONFIG_READ only. Returns false if the text is wrong: *at is the first wrong byte, and *why
   * (static) goes on after "byte 2 ". */
  bool (*reads)(const char *text, size_t *at, const char **why);
} tsr_config_row;

/** The highest value of a setting that has no upper limit. */
#define TSR_CONFIG_MANY INT64_C(0x3fffffffffffffff)

/** All settings; a row without a name ends the table. */
extern const tsr_config_row tsr__config_rows[];

#endif
